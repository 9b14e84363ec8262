//! Waveforms, read back with another library.

use hdlkit::prelude::*;
use hdlkit::waves::{verilog_scopes, verilog_signals, Wave, WaveError, WaveOptions};
use hdlkit_compiled::{Code, MachineCode};
use std::io::Cursor;
use wellen::simple::{read_from_reader, Waveform};

#[derive(Clone, Copy, Debug, PartialEq, LogicState)]
enum Phase {
    Even,
    Odd,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Packet {
    valid: Bit,
    phase: Phase,
    data: Bits<12>,
}

#[derive(LogicInterface, CycleInterface, Blank)]
struct Bus {
    request: Signal<In, Bits<4>>,
    ready: Signal<Out, Bit>,
}

#[derive(LogicBlock, Cycle, Blank)]
struct Lane {
    clock: Signal<In, Clock>,
    step: Signal<In, Bits<8>>,
    total: Signal<Out, Bits<8>>,
    sum: DFF<Bits<8>>,
    _activity: Activity,
}

impl Logic for Lane {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.clock.next = self.clock.val();
        self.sum.d.next = self.sum.q.val() + self.step.val();
        self.total.next = self.sum.q.val();
    }
}

#[derive(LogicBlock, Cycle, Blank)]
struct Top {
    clock: Signal<In, Clock>,
    bus: [Bus; 2],
    totals: [Signal<Out, Bits<8>>; 3],
    packet: Signal<Out, Packet>,
    lanes: [Lane; 3],
    _activity: Activity,
}

impl Logic for Top {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..3 {
            self.lanes[i].clock.next = self.clock.val();
        }
        for i in 0..2 {
            self.bus[i].ready.next = self.bus[i].request.val().any();
        }
        for i in 0..3 {
            self.lanes[i].step.next = (i + 1).to_bits();
            self.totals[i].next = self.lanes[i].total.val();
        }
        self.packet.next.valid = true;
        self.packet.next.data = bit_cast::<12, 8>(self.lanes[2].total.val());
        self.packet.next.phase = Phase::Even;
        if self.lanes[0].total.val().get_bit(0) {
            self.packet.next.phase = Phase::Odd;
        }
    }
}

/// The waveform of a run of 20 cycles, by the cycle engine or by machine code.
fn file(options: &WaveOptions, as_code: bool) -> String {
    let mut file = vec![];
    let mut engine = CycleEngine::new(Box::new(Top::blank()));
    let shown = hdlkit::waves::shown(&*engine.block, options).unwrap();
    let code = std::sync::Arc::new(Code::compile_showing(&*engine.block, &shown).unwrap());
    let mut machine = MachineCode::new(&*engine.block, code.clone());
    let places = hdlkit_compiled::port_places(&*engine.block);
    let mut wave = match as_code {
        true => Wave::of_known(&mut file, &*engine.block, options.clone(), code.shown()).unwrap(),
        false => Wave::new(&mut file, &*engine.block, options.clone()).unwrap(),
    };
    for cycle in 0..20 {
        for (index, bus) in engine.block.bus.iter_mut().enumerate() {
            bus.request.next = Bits::new(cycle % 3);
            machine.ports_mut()[places.place(&format!("bus[{index}].request"))] = cycle % 3;
        }
        engine.settle();
        machine.settle();
        match as_code {
            true => wave.sample_changes(cycle, |change| machine.changes(change)).unwrap(),
            false => wave.sample(cycle, &*engine.block).unwrap(),
        }
        engine.tick();
        machine.tick();
    }
    wave.finish().unwrap();
    String::from_utf8(file).unwrap()
}

#[test]
fn waves_of_machine_code_equal_waves_of_kernels() {
    let scopes = |scopes: &[&str]| scopes.iter().map(|scope| scope.to_string()).collect();
    let all = WaveOptions::default();
    let some = WaveOptions {
        scopes: scopes(&["top.lanes[1].sum", "top.packet", "top.bus"]),
        from: 4,
        to: 9,
    };
    for options in [all, some] {
        let (kernels, code) = (file(&options, false), file(&options, true));
        assert!(kernels.lines().count() > 50, "{kernels}");
        // The order of changes within a cycle is not fixed.
        let sorted = |text: &str| {
            let mut cycles: Vec<Vec<String>> = vec![vec![]];
            for line in text.lines() {
                if line.starts_with('#') {
                    cycles.push(vec![]);
                }
                cycles.last_mut().unwrap().push(line.to_string());
            }
            cycles.iter_mut().for_each(|cycle| cycle.sort());
            cycles
        };
        assert_eq!(sorted(&code), sorted(&kernels));
    }
}

/// Runs 20 cycles; returns the waveform with these options.
fn run(options: WaveOptions) -> (Waveform, usize) {
    let mut file = vec![];
    let mut engine = CycleEngine::new(Box::new(Top::blank()));
    let mut wave = Wave::new(&mut file, &*engine.block, options).unwrap();
    for cycle in 0..20 {
        engine.block.bus[1].request.next = Bits::new(cycle / 10);
        engine.settle();
        wave.sample(cycle, &*engine.block).unwrap();
        engine.tick();
    }
    wave.finish().unwrap();
    let size = file.len();
    (read_from_reader(Cursor::new(file)).unwrap(), size)
}

/// The value of the variable `path` (its scopes and its name) at `time`.
fn value(wave: &mut Waveform, path: &[&str], time: u64) -> String {
    let (name, scopes) = path.split_last().unwrap();
    let var = wave
        .hierarchy()
        .lookup_var(scopes, name)
        .unwrap_or_else(|| panic!("no {path:?}"));
    let signal = wave.hierarchy()[var].signal_ref();
    wave.load_signals(&[signal]);
    let index = wave.time_table().iter().rposition(|t| *t <= time).unwrap();
    let signal = wave.get_signal(signal).unwrap();
    let offset = signal.get_offset(index as u32).unwrap();
    signal.get_value_at(&offset, offset.elements - 1).to_string()
}

fn bits(value: u64, width: usize) -> String {
    format!("{value:0width$b}")
}

#[test]
fn values_are_those_of_each_cycle() {
    let (mut wave, _) = run(WaveOptions::default());
    for cycle in 0..20u64 {
        let (time, c) = (cycle * 10, cycle);
        assert_eq!(value(&mut wave, &["top", "totals_2"], time), bits(3 * c, 8));
        assert_eq!(
            value(&mut wave, &["top", "lanes[1]", "sum", "q"], time + 9),
            bits(2 * c, 8)
        );
        assert_eq!(value(&mut wave, &["top", "packet", "data"], time), bits(3 * c, 12));
        let phase = if c % 2 == 0 { "Even" } else { "Odd" };
        assert_eq!(value(&mut wave, &["top", "packet", "phase"], time + 4), phase);
        assert_eq!(value(&mut wave, &["top", "packet", "valid"], time), "1");
        assert_eq!(
            value(&mut wave, &["top", "bus[1]", "ready"], time),
            (c / 10).to_string()
        );
        assert_eq!(value(&mut wave, &["top", "lanes[2]", "clock"], time), "1");
        assert_eq!(value(&mut wave, &["top", "clock"], time + 5), "0");
    }
}

#[test]
fn scopes_and_cycles_can_be_chosen() {
    let (all, all_size) = run(WaveOptions::default());
    let options = WaveOptions {
        scopes: vec!["top.lanes[1]".into(), "top.totals[2]".into()],
        from: 5,
        to: 7,
    };
    let (mut some, size) = run(options);
    assert_eq!(some.time_table(), [50, 55, 60, 65, 70, 75, 80]);
    // totals_2, and the lane's clock, step and total, and the register's q and clock.
    assert_eq!(some.hierarchy().iter_vars().count(), 6);
    assert_eq!(all.hierarchy().iter_vars().count(), 1 + 4 + 3 + 3 + 3 * 5);
    assert_eq!(value(&mut some, &["top", "totals_2"], 60), bits(18, 8));
    assert_eq!(value(&mut some, &["top", "lanes[1]", "total"], 75), bits(14, 8));
    assert!(size * 3 < all_size, "{size} of {all_size} bytes");
}

#[test]
fn mistakes_are_errors() {
    let block = Top::blank();
    let refused = |scopes: &[&str], from, to| {
        let options = WaveOptions {
            scopes: scopes.iter().map(|scope| scope.to_string()).collect(),
            from,
            to,
        };
        let mut file = vec![];
        let error = Wave::new(&mut file, &block, options).err().unwrap();
        assert!(file.is_empty(), "{error}: something was written");
        error.to_string()
    };
    assert_eq!(
        refused(&["top.lanes[1]", "top.lanes[3]"], 0, 9),
        "the design has no scope or signal `top.lanes[3]`; expected something in `top.lanes` such as [0], [1], [2]"
    );
    assert_eq!(
        refused(&["top.lanes[1].sums.q"], 0, 9),
        "the design has no scope or signal `top.lanes[1].sums.q`; expected something in `top.lanes[1]` such as sum"
    );
    assert_eq!(
        refused(&["lanes"], 0, 9),
        "the design has no scope or signal `lanes`; expected a path that begins with top"
    );
    // A signal contains nothing.
    assert_eq!(
        refused(&["top.clock.rise"], 0, 9),
        "the design has no scope or signal `top.clock.rise`; expected something in `top` such as clock"
    );
    // A partial name does not match.
    assert!(refused(&["top.lane"], 0, 9)
        .contains("`top.lane`; expected something in `top` such as lanes[0], lanes[1], lanes[2]"));
    assert_eq!(
        refused(&[], 5, 4),
        "the window begins in cycle 5, after its last cycle, 4"
    );
    let mut wave = Wave::new(vec![], &block, WaveOptions::default()).unwrap();
    wave.sample(4, &block).unwrap();
    assert!(matches!(
        wave.sample(4, &block),
        Err(WaveError::Order { before: 4, now: 4 })
    ));
    assert!(matches!(wave.sample(5, &Lane::blank()), Err(WaveError::OtherBlock)));
}

#[test]
fn signals_have_their_names_in_verilog() {
    let block = Top::blank();
    let signals = verilog_signals(&block, "machine");
    let names = |path: &str| {
        let signal = signals.iter().find(|signal| signal.path == path);
        let signal = signal.unwrap_or_else(|| panic!("no {path}"));
        (format!("{}.{}", signal.module, signal.name), signal)
    };
    assert_eq!(names("top.clock").0, "machine.clock");
    assert_eq!(names("top.totals[2]").0, "machine.totals_2");
    assert_eq!(names("top.bus[1].ready").0, "machine.bus_1_ready");
    assert_eq!(names("top.lanes[1].step").0, "machine.lanes_1.step");
    assert_eq!(names("top.lanes[1].sum.q").0, "machine.lanes_1.sum_q");
    let (_, packet) = names("top.packet");
    let fields: Vec<(&str, usize, usize)> = packet.fields.iter().map(|f| (&*f.name, f.low, f.width)).collect();
    assert_eq!(fields, [("valid", 0, 1), ("phase", 1, 1), ("data", 2, 12)]);
    let states = ("Phase".to_string(), vec!["Even".to_string(), "Odd".to_string()]);
    assert_eq!(packet.fields[1].states, Some(states));
    assert_eq!((packet.width, names("top.lanes[0].total").1.fields.len()), (14, 1));
    let scopes = |scope: &str| verilog_scopes(&signals, &[scope.to_string()]);
    assert_eq!(scopes("top"), ["machine"]);
    assert_eq!(scopes("top.lanes[1]"), ["machine.lanes_1"]);
    assert_eq!(
        scopes("top.lanes"),
        ["machine.lanes_0", "machine.lanes_1", "machine.lanes_2"]
    );
    let register = ["clock", "d", "q"].map(|name| format!("machine.lanes_1.sum_{name}"));
    assert_eq!(scopes("top.lanes[1].sum"), register);
    assert_eq!(scopes("top.bus[0].ready"), ["machine.bus_0_ready"]);
}
