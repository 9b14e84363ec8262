//! The exporter: every form of statement against Icarus Verilog, and the text itself.

// Clippy would shorten these kernels to forms that kernels cannot have.
#![allow(clippy::nonminimal_bool, clippy::collapsible_match)]

mod common;

use common::{check_with_tools, text_of};
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportError, ExportOptions};
use hdlkit_compiled::cosim::{cosim, cosim_in, CosimError, Simulator};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

#[derive(Clone, Copy, Debug, PartialEq, LogicState)]
enum Phase {
    Idle,
    Fetch,
    Wait,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Packet {
    valid: Bit,
    data: Bits<7>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Envelope {
    tag: Bits<3>,
    packet: Packet,
}

/// A part with a register and a bundle.
#[derive(LogicBlock, Cycle, Blank)]
struct Part {
    clock: Signal<In, Clock>,
    step: Signal<In, Bits<8>>,
    total: Signal<Out, Bits<8>>,
    ready: Signal<Out, Bit>,
    sum: DFF<Bits<8>>,
    _activity: Activity,
}

impl Logic for Part {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum);
        if self.step.val().get_bit(0) {
            self.sum.d.next = self.sum.q.val() + self.step.val();
        }
        self.total.next = self.sum.q.val();
        self.ready.next = self.sum.q.val().any();
    }
}

#[derive(LogicInterface, CycleInterface, Blank)]
struct Request {
    valid: Signal<In, Bit>,
    address: Signal<In, Bits<6>>,
    ready: Signal<Out, Bit>,
}

/// A part with an interface.
#[derive(LogicBlock, Cycle, Blank)]
struct Server {
    request: Request,
    clock: Signal<In, Clock>,
    seen: Signal<Out, Bits<6>>,
    last: DFF<Bits<6>>,
    _activity: Activity,
}

impl Logic for Server {
    #[hdl_gen]
    fn update(&mut self) {
        self.last.clock.next = self.clock.val();
        self.last.d.next = self.last.q.val();
        if self.request.valid.val() {
            self.last.d.next = self.request.address.val();
        }
        self.request.ready.next = !self.request.valid.val();
        self.seen.next = self.last.q.val();
    }
}

/// Every form of statement: loops, arrays in arrays, structs, enums, links, matches, constants.
#[derive(LogicBlock, Cycle, Blank)]
struct Statements {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    steps: [Signal<In, Bits<8>>; 4],
    packed: Signal<In, Bits<32>>,
    select: Signal<In, Bits<2>>,
    envelope: Signal<In, Envelope>,
    request: Request,
    totals: [Signal<Out, Bits<8>>; 4],
    seen: Signal<Out, Bits<6>>,
    out: Signal<Out, Envelope>,
    phase: Signal<Out, Phase>,
    chosen: Signal<Out, Bits<8>>,
    byte: Signal<Out, Bits<8>>,
    numbers: [Signal<Out, Bits<4>>; 3],
    end: Signal<Out, Bits<8>>,
    ready: Signal<Out, Bit>,
    limit: Constant<Bits<8>>,
    fancy: Constant<Bit>,
    scratch: [Signal<Local, Bits<8>>; 2],
    unused: Signal<Local, Bit>,
    parts: [Part; 4],
    server: Server,
    state: DFF<Phase>,
    pipe: DFF<Envelope>,
    history: [DFF<Bits<8>>; 2],
    _activity: Activity,
}

impl Statements {
    fn new() -> Box<Self> {
        Box::new(Statements {
            limit: Constant::new(200.into()),
            fancy: Constant::new(true),
            ..Blank::blank()
        })
    }
}

impl Logic for Statements {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.parts[i].clock.next = self.clock.val();
            self.parts[i].step.next = self.steps[i].val();
            self.totals[i].next = self.parts[i].total.val();
        }
        for i in 0..3 {
            self.numbers[(i * 2) % 3].next = i.to_bits();
        }
        self.server.clock.next = self.clock.val();
        Request::link(&mut self.request, &mut self.server.request);
        self.seen.next = self.server.seen.val();
        // A bundle assigned field by field, and a bundle in a field.
        self.out.next.tag = self.envelope.val().tag;
        self.out.next.packet.valid = self.envelope.val().packet.valid;
        self.out.next.packet.data = self.envelope.val().packet.data;
        self.out.next.packet.phase = self.state.q.val();
        dff_setup!(self, clock, state, pipe);
        self.pipe.d.next = self.envelope.val();
        self.history[0].clock.next = self.clock.val();
        self.history[1].clock.next = self.clock.val();
        self.history[0].d.next = self.steps[1 + 1].val();
        self.history[1].d.next = self.history[0].q.val() + 1;
        match self.state.q.val() {
            Phase::Idle => {
                if self.envelope.val().packet.valid {
                    self.state.d.next = Phase::Fetch;
                } else if self.select.val() == 3 {
                    self.state.d.next = Phase::Wait;
                }
            }
            Phase::Fetch => self.state.d.next = Phase::Wait,
            Phase::Wait => self.state.d.next = self.pipe.q.val().packet.phase,
        }
        if self.reset.val() {
            self.state.d.next = Phase::Idle;
        }
        self.phase.next = self.state.q.val();
        self.scratch[0].next = self.steps[0].val() + self.steps[1].val();
        self.scratch[1].next = self.scratch[0].val() & 0x3F;
        self.chosen.next = 0.into();
        match self.select.val().index() {
            0 => self.chosen.next = self.scratch[1].val(),
            0x1 => {
                comment!("The saturating case");
                if self.scratch[0].val() > self.limit.val() {
                    self.chosen.next = self.limit.val();
                }
            }
            2 => self.chosen.next = self.history[1].q.val(),
            _ => {}
        }
        if self.fancy.val() {
            self.byte.next = self.packed.val().get_bits::<8>(self.select.val().index() * 8);
        } else {
            self.byte.next = 0.into();
        }
        self.end.next = self.scratch[0].val();
        if self.select.val().get_bit(1) {
            self.end.next = (self.end.val() + 3) ^ 1;
        }
        self.ready.next = self.parts[0].ready.val() && self.parts[3].ready.val();
    }
}

fn drive(x: &mut Statements, rng: &mut ChaCha8Rng, cycle: u64) {
    x.reset.next = cycle < 2 || rng.gen_range(0..50) == 0;
    for step in &mut x.steps {
        step.next = Bits::new(rng.gen());
    }
    x.packed.next = Bits::new(rng.gen());
    x.select.next = Bits::new(rng.gen());
    x.request.valid.next = rng.gen();
    x.request.address.next = Bits::new(rng.gen());
    x.envelope.next.tag = Bits::new(rng.gen());
    x.envelope.next.packet.valid = rng.gen();
    x.envelope.next.packet.data = Bits::new(rng.gen());
    x.envelope.next.packet.phase = [Phase::Idle, Phase::Fetch, Phase::Wait][rng.gen_range(0..3)];
}

#[test]
fn statements_equal_verilog() {
    let report = cosim(Statements::new, 1000, 7, drive).unwrap_or_else(|e| panic!("{e}"));
    // All but the three numbers of the loop.
    assert_eq!((report.outputs, report.outputs_that_changed), (15, 12));
    let text = text_of(&*Statements::new());
    check_with_tools(&text, &["UNUSEDSIGNAL"]);
    assert_eq!(text, text_of(&*Statements::new()), "a second export differs");
    assert_eq!(
        text.matches("\nmodule ").count(),
        3,
        "one module for four equal parts:\n{text}"
    );
    assert!(!text.contains('$'), "{text}");
}

#[test]
fn a_module_reads_as_if_written_by_hand() {
    let options = ExportOptions {
        comment_of: Box::new(|path| (path == "accumulator").then(|| "Adds up odd steps.".to_string())),
        header: "A test.".into(),
        ..ExportOptions::new("accumulator")
    };
    let expected = "\
// A test.

`default_nettype none

// Adds up odd steps.
module accumulator (
    input  wire       clock,
    input  wire [7:0] step,
    output reg  [7:0] total,
    output wire       ready
);

    // Signals
    reg  [7:0] sum_d;

    // Logic
    always @(*) begin
        sum_d = total;
        if (step[0]) begin
            sum_d = total + step;
        end
    end
    assign ready = |total;

    // Registers
    initial begin
        total = 8'd0;
    end
    always @(posedge clock) begin
        total <= sum_d;
    end

endmodule

`default_nettype wire
";
    assert_eq!(export(&Part::blank(), &options).unwrap(), expected);
}

#[test]
fn a_difference_is_found_and_named() {
    /// Computes one thing and exports another.
    #[derive(LogicBlock, Cycle, Blank)]
    struct Liar {
        clock: Signal<In, Clock>,
        a: Signal<In, Packet>,
        good: Signal<Out, Bit>,
        bad: Signal<Out, Packet>,
        _activity: Activity,
    }
    impl Logic for Liar {
        fn update(&mut self) {
            self.good.next = self.a.val().valid;
            self.bad.next = self.a.val();
        }
        fn connect(&mut self) {
            self.good.connect();
            self.bad.connect();
        }
        fn hdl(&self) -> Verilog {
            Verilog::Custom("assign good = a[0];\nassign bad = a & ~10'h4;\n".into())
        }
    }
    let result = cosim(
        || Box::new(Liar::blank()),
        100,
        3,
        |x, _, cycle| {
            x.a.next.valid = true;
            x.a.next.data = Bits::new(cycle / 4);
        },
    );
    match result {
        Err(CosimError::Mismatch {
            cycle,
            differences,
            dir,
        }) => {
            assert_eq!(cycle, 8);
            assert_eq!(differences.len(), 1);
            assert_eq!(differences[0].port, "bad.data");
            assert_eq!((&differences[0].native[..], &differences[0].verilog[..]), ("2", "0"));
            assert!(dir.join("dut.v").exists() && dir.join("inputs.hex").exists());
            std::fs::remove_dir_all(dir).unwrap();
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn constructs_without_verilog_are_named_errors() {
    const K: u64 = 300;
    #[derive(LogicBlock, Structure, Blank)]
    struct Wrong {
        a: Signal<In, Bits<8>>,
        x: Signal<Out, Bits<8>>,
        y: Signal<Out, Bits<8>>,
    }
    impl Logic for Wrong {
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = self.a.val() + K;
        }
    }
    match export(&Wrong::blank(), &ExportOptions::new("top")) {
        Err(ExportError::Problems(problems)) => {
            let text: Vec<String> = problems.iter().map(|p| p.to_string()).collect();
            assert!(text[0].contains("top: `self.x.next = self.a.val() + K"), "{text:?}");
            assert!(text[0].contains("300 does not fit in 8 bits"), "{text:?}");
            let (place, _) = text[0].split_once(": top").unwrap();
            let (file, line) = place.rsplit_once(':').unwrap();
            assert!(file.ends_with("tests/verilog.rs"), "{text:?}");
            let line = include_str!("verilog.rs")
                .lines()
                .nth(line.parse::<usize>().unwrap() - 1);
            assert_eq!(line.unwrap().trim(), "self.x.next = self.a.val() + K;");
        }
        other => panic!("{other:?}"),
    }
}

/// Memories of every kind side by side.
#[derive(LogicBlock, Cycle)]
struct Memories {
    clock: Signal<In, Clock>,
    read: Signal<In, Bit>,
    write: Signal<In, Bits<4>>,
    address: Signal<In, Bits<4>>,
    address_2: Signal<In, Bits<4>>,
    write_address: Signal<In, Bits<4>>,
    data: Signal<In, Bits<32>>,
    packet: Signal<In, Packet>,
    out: Signal<Out, Bits<32>>,
    sum: Signal<Out, Bits<32>>,
    now: Signal<Out, Packet>,
    now_2: Signal<Out, Packet>,
    before: Signal<Out, Packet>,
    block: BlockRam<4, 32, 4>,
    file: BlockRam3R<4, 32, 1>,
    table: LutRam2R<4, Packet>,
    packets: BundleRam<4, Packet>,
    _activity: Activity,
}

impl Memories {
    fn new() -> Box<Self> {
        Box::new(Memories {
            clock: Blank::blank(),
            read: Blank::blank(),
            write: Blank::blank(),
            address: Blank::blank(),
            address_2: Blank::blank(),
            write_address: Blank::blank(),
            data: Blank::blank(),
            packet: Blank::blank(),
            out: Blank::blank(),
            sum: Blank::blank(),
            now: Blank::blank(),
            now_2: Blank::blank(),
            before: Blank::blank(),
            block: BlockRam::new(16, vec![5.into(), 0xdead_beef_u64.into()]),
            file: BlockRam3R::new(16),
            table: LutRam2R::new(vec![
                Packet::default(),
                Packet {
                    valid: true,
                    ..Default::default()
                },
            ]),
            packets: BundleRam::blank(),
            _activity: Blank::blank(),
        })
    }
}

impl Logic for Memories {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, block, file, table, packets);
        self.block.read_enable.next = self.read.val();
        self.block.read_address.next = self.address.val();
        self.block.write_address.next = self.write_address.val();
        self.block.write_data.next = self.data.val();
        self.block.write_enable.next = self.write.val();
        self.out.next = self.block.read_data.val();
        self.file.read_enable.next = self.read.val();
        self.file.read_address_1.next = self.address.val();
        self.file.read_address_2.next = self.address_2.val();
        self.file.read_address_3.next = self.write_address.val();
        self.file.write_address.next = self.write_address.val();
        self.file.write_data.next = self.data.val();
        self.file.write_enable.next = self.write.val().get_bits::<1>(2);
        self.sum.next = (self.file.read_data_1.val() + self.file.read_data_2.val()) ^ self.file.read_data_3.val();
        self.table.read_address_1.next = self.address.val();
        self.table.read_address_2.next = self.address_2.val();
        self.table.write_address.next = self.write_address.val();
        self.table.write_data.next = self.packet.val();
        self.table.write_enable.next = self.write.val().get_bit(3);
        self.now.next = self.table.read_data_1.val();
        self.now_2.next = self.table.read_data_2.val();
        self.packets.read_enable.next = self.read.val();
        self.packets.read_address.next = self.address.val();
        self.packets.write_address.next = self.write_address.val();
        self.packets.write_data.next = self.packet.val();
        self.packets.write_enable.next = self.write.val().get_bit(3);
        self.before.next = self.packets.read_data.val();
    }
}

fn drive_memories(x: &mut Memories, rng: &mut ChaCha8Rng, _cycle: u64) {
    x.read.next = rng.gen();
    x.write.next = Bits::new(rng.gen::<u64>() & rng.gen::<u64>());
    x.address.next = Bits::new(rng.gen());
    x.address_2.next = Bits::new(rng.gen());
    x.write_address.next = Bits::new(rng.gen());
    x.data.next = Bits::new(rng.gen());
    x.packet.next.valid = rng.gen();
    x.packet.next.data = Bits::new(rng.gen());
    x.packet.next.phase = [Phase::Idle, Phase::Fetch, Phase::Wait][rng.gen_range(0..3)];
}

#[test]
fn memories_equal_verilog() {
    for simulator in [Simulator::Iverilog, Simulator::Verilator] {
        let report = cosim_in(simulator, Memories::new, 2000, 11, drive_memories).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((report.outputs, report.outputs_that_changed), (5, 5));
    }
    check_with_tools(&text_of(&*Memories::new()), &[]);
}

/// Logic without state.
#[derive(LogicBlock, Cycle, Blank)]
struct Increment {
    given: Signal<In, Bits<8>>,
    result: Signal<Out, Bits<8>>,
    _activity: Activity,
}

impl Logic for Increment {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = self.given.val() + 1;
    }
}

/// Changes signals after they were read: repeatedly, and before and after a part.
#[derive(LogicBlock, Cycle, Blank)]
struct Versions {
    values: [Signal<In, Bits<8>>; 4],
    flag: Signal<In, Bit>,
    sums: [Signal<Out, Bits<8>>; 4],
    before: Signal<Out, Bits<8>>,
    after: Signal<Out, Bits<8>>,
    sum: Signal<Local, Bits<8>>,
    value: Signal<Local, Packet>,
    increment: Increment,
    _activity: Activity,
}

impl Logic for Versions {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = 0.into();
        for i in 0..4 {
            self.sum.next = self.sum.val() + self.values[i].val();
            self.sums[i].next = self.sum.val();
        }
        self.value.next.valid = self.flag.val();
        self.value.next.phase = Phase::Fetch;
        self.value.next.data = bit_cast::<7, 8>(self.sum.val());
        self.increment.given.next = bit_cast::<8, 7>(self.value.val().data);
        self.before.next = bit_cast::<8, 7>(self.value.val().data);
        if self.increment.result.val().get_bit(1) {
            self.value.next.data = bit_cast::<7, 8>(self.increment.result.val());
        }
        self.after.next = bit_cast::<8, 7>(self.value.val().data);
    }
}

#[test]
fn several_versions_of_a_signal_work() {
    let report = cosim(
        || Box::new(Versions::blank()),
        1000,
        9,
        |x, rng, _| {
            x.flag.next = rng.gen();
            for value in &mut x.values {
                value.next = Bits::new(rng.gen());
            }
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, 6);
    // The bundle's other fields are not used.
    check_with_tools(&text_of(&Versions::blank()), &["UNUSEDSIGNAL"]);
}

/// Reads the outputs of a part before it assigns the inputs, under one condition; needs temporaries in branches.
#[derive(LogicBlock, Cycle, Blank)]
struct Branches {
    a: Signal<In, Bits<8>>,
    n: Signal<In, Bits<4>>,
    go: Signal<In, Bit>,
    other: Signal<In, Bit>,
    x: Signal<Out, Bits<8>>,
    y: Signal<Out, Bits<8>>,
    low: Signal<Out, Bits<3>>,
    high: Signal<Out, Bits<3>>,
    increment: Increment,
    _activity: Activity,
}

impl Logic for Branches {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = 0.into();
        self.y.next = 0.into();
        self.low.next = 0.into();
        self.high.next = 7.into();
        self.increment.given.next = self.n.val().get_bits::<8>(0);
        if self.go.val() {
            self.x.next = self.increment.result.val();
            self.increment.given.next = self.a.val();
            self.y.next = self.increment.result.val();
        } else if (self.a.val() + 1).get_bits::<3>(5) == 2 {
            self.low.next = bit_cast::<3, 8>(self.a.val() >> self.n.val());
            self.high.next = (self.a.val() >> self.n.val()).get_bits::<3>(1);
        } else if self.other.val() {
            self.low.next = (self.a.val() + 3).get_bits::<3>(self.n.val().get_bits::<2>(0).index());
        }
    }
}

#[test]
fn branches_equal_verilog() {
    let report = cosim(
        || Box::new(Branches::blank()),
        2000,
        5,
        |x, rng, _| {
            x.a.next = Bits::new(rng.gen());
            x.n.next = Bits::new(rng.gen());
            x.go.next = rng.gen_range(0..4) == 0;
            x.other.next = rng.gen();
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, 4);
    check_with_tools(&text_of(&Branches::blank()), &[]);
}

/// A leaf with the ports and the exact text of a register, but not declared as one.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
struct Disguised {
    pub d: Signal<In, Bits<4>>,
    pub q: Signal<Out, Bits<4>>,
    pub clock: Signal<In, Clock>,
}

impl Leaf for Disguised {
    fn edge(&mut self) -> bool {
        let changed = self.q.next != self.d.val();
        self.q.next = self.d.val();
        changed
    }
    fn verilog(&self) -> String {
        match Logic::hdl(&DFF::<Bits<4>>::default()) {
            Verilog::Custom(text) => text,
            other => panic!("a register's Verilog is text, not {other:?}"),
        }
    }
}

/// A register, and a block that looks like one.
#[derive(LogicBlock, Cycle, Blank)]
struct Registers {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<4>>,
    pub one: Signal<Out, Bits<4>>,
    pub two: Signal<Out, Bits<4>>,
    plain: DFF<Bits<4>>,
    disguised: Disguised,
    _activity: Activity,
}

impl Logic for Registers {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, plain);
        clock!(self, clock, disguised);
        self.plain.d.next = self.value.val();
        self.disguised.d.next = self.value.val();
        self.one.next = self.plain.q.val();
        self.two.next = self.disguised.q.val();
    }
}

#[test]
fn only_declared_registers_are_registers() {
    let text = text_of(&Registers::blank());
    assert!(text.contains("disguised disguised ("), "{text}");
    assert!(text.contains("one <= value;"), "{text}");
    assert!(!text.contains("module plain"), "{text}");
    check_with_tools(&text, &[]);
    let stimulus = |x: &mut Registers, rng: &mut ChaCha8Rng, _| x.value.next = rng.gen_range(0..16u64).into();
    cosim(|| Box::new(Registers::blank()), 100, 1, stimulus).unwrap_or_else(|e| panic!("{e}"));
}
