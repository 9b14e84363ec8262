//! The kernel language beyond rust-hdl's subset: each construct in rust-hdl's `Simulation`, on the cycle engine, as
//! machine code, in Verilog, in waves.

// Clippy would simplify constructs that are tested here.
#![allow(clippy::let_and_return, clippy::needless_late_init)]

mod calls;
#[path = "../common/mod.rs"]
mod common;

use common::{check_with_tools, text_of};
use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit::waves::{paths, shown, verilog_signals, Wave, WaveOptions};
use hdlkit_compiled::cosim::{cosim_in, Rng, Simulator};
use hdlkit_compiled::{port_places, Code, MachineCode};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Request {
    valid: Bit,
    address: Bits<12>,
}

/// Locals of every kind.
#[derive(LogicBlock, Cycle, Blank)]
struct Locals {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<8>>,
    pub b: Signal<In, Bits<8>>,
    pub request: Signal<In, Request>,
    pub flag: Signal<In, Bit>,
    pub average: Signal<Out, Bits<8>>,
    pub total: Signal<Out, Bits<8>>,
    pub chosen: Signal<Out, Request>,
    pub number: Signal<Out, Bits<9>>,
    pub parity: Signal<Out, Bit>,
    pub late: Signal<Out, Bits<8>>,
    sum: DFF<Bits<8>>,
    _activity: Activity,
}

impl Logic for Locals {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum);
        // A local with the name of a signal; the sum keeps its carry.
        let sum = bit_cast::<9, 8>(self.a.val()) + bit_cast::<9, 8>(self.b.val());
        self.average.next = (sum >> 1).get_bits::<8>(0);
        // The index of the loop shadows this local.
        let i = self.a.val() & 3;
        let mut total = self.sum.q.val();
        for i in 0..3 {
            let part = self.a.val().get_bits::<8>(i);
            if self.b.val().get_bit(i) {
                total = total + part;
            }
        }
        total = total ^ i;
        self.sum.d.next = total;
        self.total.next = total;
        let mut request = self.request.val();
        if self.flag.val() && request.valid {
            let step = total ^ self.b.val();
            let next = request.address + bit_cast::<12, 8>(step);
            request.address = next;
        }
        self.chosen.next = request;
        let index = self.a.val().index() + 1;
        self.number.next = index.to_bits();
        let odd = sum.xor();
        let odd = odd ^ (index == 256);
        self.parity.next = odd;
        let late;
        if odd {
            late = self.a.val();
        } else {
            late = self.b.val();
        }
        self.late.next = late;
    }
}

fn stimulus(block: &mut Locals, random: &mut hdlkit_compiled::cosim::ChaCha8Rng, _cycle: u64) {
    let byte = |random: &mut hdlkit_compiled::cosim::ChaCha8Rng| match random.gen_range(0..4) {
        0 => 0xff_u64,
        _ => random.gen_range(0..256),
    };
    block.a.next = Bits::new(byte(random));
    block.b.next = Bits::new(byte(random));
    block.request.next = Request {
        valid: random.gen(),
        address: Bits::new(random.gen()),
    };
    block.flag.next = random.gen();
}

#[test]
fn locals_agree_on_all_engines() {
    for simulator in [Simulator::Iverilog, Simulator::Verilator] {
        let report =
            cosim_in(simulator, || Box::new(Locals::blank()), 1000, 1, stimulus).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs, report.outputs_that_changed);
    }
    assert_eq!(lint(&Locals::blank()), []);
    check_with_tools(&text_of(&Locals::blank()), &["UNUSEDSIGNAL"]);
}

#[test]
fn locals_run_in_rust_hdls_simulation() {
    let steps = |cycle: u64| (cycle * 37 % 256, cycle * 11 % 256);
    let mut engine = CycleEngine::new(Box::new(Locals::blank()));
    let mut wanted = vec![];
    for cycle in 0..50 {
        let (a, b) = steps(cycle);
        (engine.block.a.next, engine.block.b.next) = (Bits::new(a), Bits::new(b));
        engine.settle();
        wanted.push((
            engine.block.total.val(),
            engine.block.average.val(),
            engine.block.late.val(),
        ));
        engine.tick();
    }
    let mut simulation = Simulation::<Locals>::new();
    simulation.add_clock(5_000, |top| top.clock.next = !top.clock.val());
    simulation.add_testbench(move |mut sim: Sim<Locals>| {
        let mut top = sim.init()?;
        for (cycle, wanted) in wanted.iter().enumerate() {
            let (a, b) = steps(cycle as u64);
            (top.a.next, top.b.next) = (Bits::new(a), Bits::new(b));
            top = sim.watch(|top| !top.clock.val().clk, top)?;
            assert_eq!(
                (top.total.val(), top.average.val(), top.late.val()),
                *wanted,
                "cycle {cycle}"
            );
            top = sim.watch(|top| top.clock.val().clk, top)?;
        }
        sim.done(top)
    });
    simulation.run(Box::new(Locals::blank()), u64::MAX).expect("it runs");
}

#[test]
fn locals_keep_their_names_in_verilog() {
    let text = text_of(&Locals::blank());
    for line in [
        "wire [8:0] sum;",
        "assign sum = {1'b0, a} + {1'b0, b};",
        "wire [7:0] part_1;",
        "reg  [7:0] total_2;",
        "reg  [12:0] request_2;",
        "wire odd_2;",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

/// The changes of each variable in a VCD file, by name.
fn changes(vcd: &[u8]) -> BTreeMap<String, Vec<String>> {
    let text = String::from_utf8(vcd.to_vec()).unwrap();
    let (mut names, mut found, mut scopes, mut time) = (BTreeMap::new(), BTreeMap::new(), vec![], String::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, _] => scopes.push(name.to_string()),
            ["$upscope", _] => {
                scopes.pop();
            }
            ["$var", _, _, code, name, ..] => {
                names.insert(code.to_string(), format!("{}.{name}", scopes.join(".")));
            }
            [value, code] if names.contains_key(code) => {
                found
                    .entry(names[code].clone())
                    .or_insert_with(Vec::new)
                    .push(format!("{time} {value}"));
            }
            [word] if word.starts_with('#') => time = word.into(),
            [word] if word.len() > 1 && names.contains_key(&word[1..]) => {
                let list = found.entry(names[&word[1..]].clone()).or_insert_with(Vec::new);
                list.push(format!("{time} {}", &word[..1]));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn locals_are_in_waves_of_both_engines() {
    let mut engine = CycleEngine::new(Box::new(Locals::blank()));
    let mut wave = Wave::new(vec![], &*engine.block, WaveOptions::default()).unwrap();
    engine.settle();
    let places = port_places(&*engine.block);
    let chosen = shown(&*engine.block, &WaveOptions::default()).unwrap();
    let code = Arc::new(Code::compile_showing(&*engine.block, &chosen).unwrap());
    let mut machine = MachineCode::new(&*engine.block, code.clone());
    let mut of_machine = Wave::of_known(vec![], &*engine.block, WaveOptions::default(), code.shown()).unwrap();
    for cycle in 0..60u64 {
        let (a, b) = (cycle * 37 % 256, cycle * 11 % 256);
        let flag = cycle % 3 == 0;
        engine.block.a.next = Bits::new(a);
        engine.block.b.next = Bits::new(b);
        engine.block.flag.next = flag;
        engine.block.request.next.valid = cycle % 2 == 0;
        machine.ports_mut()[places.place("a")] = a;
        machine.ports_mut()[places.place("b")] = b;
        machine.ports_mut()[places.place("flag")] = flag.into();
        machine.ports_mut()[places.place("request")] = (cycle % 2 == 0).into();
        engine.settle();
        machine.settle();
        wave.sample(cycle, &*engine.block).unwrap();
        of_machine
            .sample_changes(cycle, |change| machine.changes(change))
            .unwrap();
        engine.tick();
        machine.tick();
    }
    let (kernels, machine) = (changes(&wave.finish().unwrap()), changes(&of_machine.finish().unwrap()));
    for name in [
        "top.sum",
        "top.part_2",
        "top.total_2",
        "top.step",
        "top.index",
        "top.odd",
        "top.odd_2",
        "top.late_2",
    ] {
        assert!(kernels[name].len() > 3, "{name}: {:?}", kernels[name]);
    }
    assert!(kernels["top.request_2.address"].len() > 3);
    assert_eq!(kernels, machine);
}

#[test]
fn locals_can_be_looked_up_by_name() {
    let block = Locals::blank();
    let paths = paths(&block);
    let names: Vec<&str> = paths
        .iter()
        .skip_while(|path| *path != "top.sum.clock")
        .skip(1)
        .map(String::as_str)
        .collect();
    let wanted = [
        "top.sum",
        "top.i",
        "top.total_2",
        "top.part[0]",
        "top.part[1]",
        "top.part[2]",
        "top.request_2",
        "top.step",
        "top.next",
        "top.index",
        "top.odd",
        "top.odd_2",
        "top.late_2",
    ];
    assert_eq!(names, wanted);
    let signals = verilog_signals(&block, "machine");
    let of = |path: &str| signals.iter().find(|signal| signal.path == path).unwrap();
    assert_eq!(
        (of("top.part[2]").name.as_str(), of("top.part[2]").module.as_str()),
        ("part_2", "machine")
    );
    assert_eq!(of("top.request_2").fields.len(), 2);
}

#[derive(Clone, Copy, Debug, PartialEq, LogicState)]
enum State {
    Idle,
    Busy,
    Waiting,
    Done,
}

/// The state after which a block is at rest.
const LAST: State = State::Done;

/// Ticks of a wait.
const TICKS: u64 = 5;

enum Opcode {
    Add = 1,
    Shift = 6,
}

/// Choices and constants.
#[derive(LogicBlock, Cycle, Blank)]
struct Choices<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub go: Signal<In, Bit>,
    pub code: Signal<In, Bits<4>>,
    pub value: Signal<In, Bits<N>>,
    pub state: Signal<Out, State>,
    pub result: Signal<Out, Bits<N>>,
    pub kind: Signal<Out, Bits<3>>,
    pub limit: Signal<Out, Bit>,
    pub rest: Signal<Out, Bit>,
    pub scaled: Signal<Out, Bits<8>>,
    phase: DFF<State>,
    ticks: DFF<Bits<3>>,
    _activity: Activity,
}

impl<const N: usize> Choices<N> {
    const START: Bits<3> = Bits::new(2);
    const WIDE: bool = N > 8;
}

impl<const N: usize> Logic for Choices<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, ticks);
        let over = self.ticks.q.val() == TICKS;
        self.phase.d.next = match self.phase.q.val() {
            State::Idle => {
                let starts = self.go.val() && !self.code.val().all();
                if starts {
                    State::Busy
                } else {
                    State::Idle
                }
            }
            State::Busy => State::Waiting,
            State::Waiting => {
                if over {
                    LAST
                } else {
                    State::Waiting
                }
            }
            State::Done => State::Idle,
        };
        self.ticks.d.next = if self.phase.q.val() == State::Waiting && !over {
            self.ticks.q.val() + 1
        } else {
            Self::START
        };
        self.state.next = self.phase.q.val();
        self.rest.next = self.phase.q.val() == LAST;
        let add = self.code.val() == Opcode::Add as u64;
        let half = if Self::WIDE {
            self.value.val() >> 1
        } else {
            self.value.val()
        };
        self.result.next = match self.code.val().index() {
            0 | 3 => half,
            4..=7 => {
                let shifted = half << 2;
                shifted ^ bits(0b101)
            }
            _ => half + (if add { bits(3) } else { bits(N as u64 - 1) }),
        };
        self.kind.next = match self.code.val().index() {
            SHIFT => bits(1),
            FIRST..=LAST_CODE => bits(2),
            _ => bits(4),
        };
        self.limit.next = (self.value.val() > (N as u64 / 2)) ^ (self.code.val() == Opcode::Shift as u64);
        self.scaled.next = self.code.val().resize() + (bits::<8>(TICKS) << (clog2(N) as u64));
    }
}

const SHIFT: usize = Opcode::Shift as usize;
const FIRST: usize = 8;
const LAST_CODE: usize = 11;

#[test]
fn choices_and_constants_agree_on_all_engines() {
    fn check<const N: usize>(simulators: &[Simulator]) {
        for simulator in simulators.iter().copied() {
            let make = || Box::new(Choices::<N>::blank());
            let report = cosim_in(simulator, make, 500, 1, |block, random, _| {
                block.go.next = random.gen_bool(0.2);
                block.code.next = Bits::new(random.gen());
                block.value.next = Bits::new(random.gen());
            });
            let report = report.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(report.outputs, report.outputs_that_changed);
        }
        assert_eq!(lint(&Choices::<N>::blank()), []);
        check_with_tools(&text_of(&Choices::<N>::blank()), &["UNUSEDSIGNAL"]);
    }
    check::<6>(&[Simulator::Iverilog]);
    check::<20>(&[Simulator::Iverilog, Simulator::Verilator]);
}

#[test]
fn choices_read_as_choices_in_verilog() {
    let text = text_of(&Choices::<20>::blank());
    for line in [
        "STATE_WAITING: begin",
        "4'd4, 4'd5, 4'd6, 4'd7: begin",
        "4'd0, 4'd3: begin",
        "assign add = code == 4'd1;",
        "assign half = value >> 1'b1;",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

/// The library of bits.
#[derive(LogicBlock, Cycle, Blank)]
struct Library {
    pub a: Signal<In, Bits<10>>,
    pub b: Signal<In, Bits<4>>,
    pub flag: Signal<In, Bit>,
    pub lowest: Signal<Out, Bits<10>>,
    pub highest: Signal<Out, Bits<10>>,
    pub one_hot: Signal<Out, Bits<10>>,
    pub index: Signal<Out, Bits<4>>,
    pub below: Signal<Out, Bits<10>>,
    pub count: Signal<Out, Bits<4>>,
    pub reversed: Signal<Out, Bits<10>>,
    pub filled: Signal<Out, Bits<10>>,
    pub masked: Signal<Out, Bits<4>>,
    pub both: Signal<Out, Bits<14>>,
    pub middle: Signal<Out, Bits<3>>,
    pub extended: Signal<Out, Bits<12>>,
    pub product: Signal<Out, Bits<14>>,
    pub sum: Signal<Out, Bits<16>>,
    pub narrowed: Signal<Out, Bits<9>>,
    _activity: Activity,
}

impl Logic for Library {
    #[hdl_gen]
    fn update(&mut self) {
        let lowest = self.a.val().lowest_set();
        self.lowest.next = lowest;
        self.highest.next = self.a.val().highest_set();
        self.one_hot.next = self.b.val().one_hot();
        self.index.next = lowest.one_hot_index();
        self.below.next = self.b.val().ones_below();
        self.count.next = self.a.val().population_count();
        self.reversed.next = self.a.val().reverse();
        self.filled.next = (self.flag.val() || self.b.val().all()).fill();
        self.masked.next = mask(self.flag.val() ^ self.a.val().xor(), self.b.val() + 1);
        self.both.next = self.a.val().concat(self.b.val());
        self.middle.next = self.a.val().bits::<3>(4) & self.b.val().low();
        self.extended.next = self.a.val().sign_extend();
        self.product.next = self.a.val().signed_product(self.b.val());
        // A signed product keeps its signs in an unsigned expression.
        let product: Bits<14> = self.b.val().signed_product(self.a.val() + 1);
        let square: Bits<8> = self.b.val().signed_product(self.b.val());
        self.sum.next = product.resize::<16>() + square.sign_extend::<16>();
        let wide = self.a.val().widen::<70>() << 60;
        self.narrowed.next = (wide >> 58).narrow::<9>();
    }
}

#[test]
fn library_functions_agree_on_all_engines() {
    let mut library = Library::blank();
    library.a.next = Bits::new(0b01_0110_1000);
    library.b.next = Bits::new(4);
    library.settle();
    assert_eq!(library.lowest.val(), 0b1000);
    assert_eq!(library.highest.val(), 0b01_0000_0000);
    assert_eq!(library.one_hot.val(), 0b1_0000);
    assert_eq!(library.index.val(), 3);
    assert_eq!(library.below.val(), 0b1111);
    assert_eq!(library.count.val(), 4);
    assert_eq!(library.reversed.val(), 0b00_0101_1010);
    assert_eq!(library.both.val(), 0b01_0110_1000_0100);
    assert_eq!(library.narrowed.val(), 0b1_1010_0000);
    library.a.next = Bits::new(0x3fe);
    library.b.next = Bits::new(0xd);
    library.settle();
    assert_eq!(library.extended.val(), 0xffe);
    assert_eq!(library.product.val(), 6);
    assert_eq!(library.sum.val(), 12);
    for simulator in [Simulator::Iverilog, Simulator::Verilator] {
        let report = cosim_in(
            simulator,
            || Box::new(Library::blank()),
            3000,
            1,
            |block, random, cycle| {
                block.a.next = Bits::new(if cycle < 1024 { cycle } else { random.gen() });
                block.b.next = Bits::new(random.gen());
                block.flag.next = random.gen();
            },
        );
        let report = report.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs, report.outputs_that_changed);
    }
    assert_eq!(lint(&Library::blank()), []);
    let text = text_of(&Library::blank());
    assert!(text.contains("= $signed(a) * $signed(b);"), "{text}");
    check_with_tools(&text, &["UNUSEDSIGNAL"]);
}

/// A part with an input and an output.
#[derive(LogicBlock, Cycle, Blank)]
struct Inverter {
    pub request: Signal<In, Request>,
    pub answer: Signal<Out, Request>,
    _activity: Activity,
}

impl Logic for Inverter {
    #[hdl_gen]
    fn update(&mut self) {
        let mut answer = self.request.val();
        answer.valid = !answer.valid;
        self.answer.next = answer;
    }
}

/// Arrays of locals, ports and parts, with variable indices.
#[derive(LogicBlock, Cycle, Blank)]
struct Arrays<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub select: Signal<In, Bits<2>>,
    pub place: Signal<In, Bits<2>>,
    pub value: Signal<In, Bits<12>>,
    pub list: [Signal<In, Bits<12>>; N],
    pub picked: Signal<Out, Bits<12>>,
    pub spread: [Signal<Out, Bits<12>>; N],
    pub sum: Signal<Out, Bits<12>>,
    pub prefix: [Signal<Out, Bits<12>>; N],
    pub valid: Signal<Out, Bit>,
    pub kept: Signal<Out, Bits<12>>,
    parts: [Inverter; N],
    store: [DFF<Bits<12>>; N],
    _activity: Activity,
}

impl<const N: usize> Logic for Arrays<N> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..N {
            self.store[i].clock.next = self.clock.val();
            self.store[i].d.next = self.store[i].q.val();
            self.spread[i].next = Bits::ZERO;
            self.parts[i].request.next.valid = self.value.val().get_bit(i);
            self.parts[i].request.next.address = self.list[i].val() + (i as u64);
        }
        let place = self.place.val().index();
        self.picked.next = self.list[self.select.val().index()].val();
        self.spread[place].next = self.value.val();
        self.store[place].d.next = self.value.val() ^ self.picked.val();
        self.kept.next = self.store[self.select.val().index()].q.val();
        self.valid.next = self.parts[place].answer.val().valid && self.parts[place].answer.val().address.any();

        let mut totals = [Bits::<12>::ZERO; N];
        let mut total = Bits::<12>::ZERO;
        for i in 0..N {
            total = total + self.list[i].val();
            totals[i] = total;
        }
        totals[place] = totals[place] + self.value.val();
        for i in 0..N {
            self.prefix[i].next = totals[i];
        }
        let both: [Bits<12>; 2] = [total, totals[0]];
        self.sum.next = both[self.select.val().low::<1>().index()];
    }
}

#[test]
fn arrays_agree_on_all_engines() {
    for simulator in [Simulator::Iverilog, Simulator::Verilator] {
        let make = || Box::new(Arrays::<4>::blank());
        let report = cosim_in(simulator, make, 500, 1, |block, random, _| {
            block.select.next = Bits::new(random.gen());
            block.place.next = Bits::new(random.gen());
            block.value.next = Bits::new(random.gen());
            block
                .list
                .iter_mut()
                .for_each(|port| port.next = Bits::new(random.gen()));
        });
        let report = report.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs, report.outputs_that_changed);
    }
    assert_eq!(lint(&Arrays::<4>::blank()), []);
    check_with_tools(&text_of(&Arrays::<4>::blank()), &["UNUSEDSIGNAL"]);
}

#[test]
fn rust_hdl_sees_drivers_of_selected_elements() {
    let mut block = Arrays::<4>::blank();
    block.clock.connect();
    for input in [&mut block.select, &mut block.place] {
        input.connect();
    }
    block.value.connect();
    block.list.iter_mut().for_each(|port| port.connect());
    rust_hdl_core::prelude::Block::connect_all(&mut block);
    rust_hdl_core::check_connected::check_connected(&block).expect("all is driven");
}

/// Lists of parts with a computed length, which an array cannot have, and the ports of memories.
#[circuit]
struct Lists<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub select: Signal<In, Bits<2>>,
    pub value: Signal<In, Bits<8>>,
    pub kept: Signal<Out, Bits<8>>,
    pub word: Signal<Out, Bits<8>>,
    pub stored_word: Signal<Out, Bits<8>>,
    #[blank((0..Self::COUNT).map(|_| DFF::default()).collect())]
    store: Vec<DFF<Bits<8>>>,
    #[blank((0..Self::COUNT).map(|_| BlockRam::blank()).collect())]
    memory: Vec<BlockRam<2, 8, 1>>,
    stored: LutRam<2, Bits<8>>,
}

impl<const N: usize> Lists<N> {
    const COUNT: usize = if N < 4 { N } else { 4 };
}

impl<const N: usize> Logic for Lists<N> {
    #[hdl_gen]
    fn update(&mut self) {
        let place = self.select.val();
        self.store[place.index()].d.next = self.value.val();
        self.kept.next = self.store[self.value.val().low::<2>().index()].q.val();
        for i in 0..Self::COUNT {
            self.memory[i].fetch(true, place);
            let here = N < 4 || place == (i as u64);
            self.memory[i].write(here.into(), self.value.val().low::<2>(), self.value.val());
        }
        self.stored
            .write(place != 1, place, self.stored.read(place + 1) ^ self.value.val());
        self.stored_word.next = self.stored.read_data.val();
        self.word.next = self.memory[place.index()].read_data.val();
    }
}

#[test]
fn lists_agree_on_all_engines() {
    for simulator in [Simulator::Iverilog, Simulator::Verilator] {
        let report = cosim_in(
            simulator,
            || Box::new(Lists::<6>::blank()),
            500,
            1,
            |block, random, _| {
                block.select.next = Bits::new(random.gen());
                block.value.next = Bits::new(random.gen());
            },
        );
        let report = report.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs, report.outputs_that_changed);
    }
    assert_eq!(lint(&Lists::<6>::blank()), []);
    // Conditions on the size are folded, so they are not in the Verilog.
    let text = text_of(&Lists::<6>::blank());
    assert!(text.contains("assign here_1 = place == 2'd1;"), "{text}");
}

/// A bundle that is wider than any value.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Frame {
    head: Bits<64>,
    body: Bits<64>,
    tail: Bits<64>,
    end: Bits<9>,
}

#[circuit]
struct Frames {
    pub clock: Signal<In, Clock>,
    pub first: Signal<In, Frame>,
    pub second: Signal<In, Frame>,
    pub equal: Signal<Out, Bit>,
    pub differ: Signal<Out, Bit>,
    last: DFF<Frame>,
}

impl Logic for Frames {
    #[hdl_gen]
    fn update(&mut self) {
        self.last.d.next = self.first.val();
        self.equal.next = self.first.val() == self.second.val();
        self.differ.next = self.last.q.val() != self.second.val();
    }
}

#[test]
fn wide_bundles_are_compared_on_all_engines() {
    let report = cosim_in(
        Simulator::Iverilog,
        || Box::new(Frames::blank()),
        500,
        1,
        |block, random, _| {
            let frame = block.first.next;
            // The frame of this cycle or the last one, with at most one bit flipped.
            if random.gen_bool(0.3) {
                let tail = Bits::new(random.gen());
                let end = Bits::new(random.gen_range(0..512));
                block.first.next = Frame { tail, end, ..frame };
            }
            let mut other = if random.gen() { frame } else { block.first.next };
            let bit = random.gen_range(0..64);
            match random.gen_range(0..8) {
                0 => other.head = other.head ^ (1u64 << bit),
                1 => other.body = other.body ^ (1u64 << bit),
                2 => other.tail = other.tail ^ (1u64 << bit),
                3 => other.end = other.end ^ (1u64 << (bit % 9)),
                _ => {}
            }
            block.second.next = other;
        },
    );
    let report = report.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs, report.outputs_that_changed);
    assert_eq!(lint(&Frames::blank()), []);
    check_with_tools(&text_of(&Frames::blank()), &["UNUSEDSIGNAL"]);
}
