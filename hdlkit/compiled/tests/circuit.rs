//! `#[circuit]`: a block with automatic clock connections equals the block with `dff_setup!` and `clock!`, in
//! rust-hdl's `Simulation` and checks, on the cycle engine, as machine code, in Verilog.

mod common;

use common::{check_with_tools, text_of};
use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::{cosim_in, Rng, Simulator};

#[derive(LogicInterface, CycleInterface, Debug, Clone, Blank)]
#[join = "ToTap"]
struct Tap {
    pub value: Signal<Out, Bits<8>>,
}

#[derive(LogicInterface, CycleInterface, Debug, Clone, Blank)]
#[join = "Tap"]
struct ToTap {
    pub value: Signal<In, Bits<8>>,
}

/// A value, N cycles later.
#[circuit]
#[derive(Clone, Debug)]
struct Delay<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<8>>,
    pub earlier: Signal<Out, Bits<8>>,
    pub tap: Tap,
    stages: [DFF<Bits<8>>; N],
}

impl<const N: usize> Logic for Delay<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.stages[0].d.next = self.value.val();
        for i in 1..N {
            self.stages[i].d.next = self.stages[i - 1].q.val();
        }
        self.earlier.next = self.stages[N - 1].q.val();
        self.tap.value.next = self.stages[0].q.val();
    }
}

/// A block without a clock, with parts without clocks.
#[circuit]
struct Sum {
    pub a: Signal<In, Bits<8>>,
    pub b: Signal<In, Bits<8>>,
    pub sum: Signal<Out, Bits<8>>,
    pub from_tap: ToTap,
    one: Constant<Bits<8>>,
}

impl Logic for Sum {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val() + self.one.val() + self.from_tap.value.val();
    }
}

/// Every kind of part: registers, memories, blocks, arrays of each; with the given attribute, private field and kernel.
macro_rules! every_kind {
    ($name:ident, [$($attribute:tt)*], [$($activity:tt)*], { $($update:tt)* }) => {
        #[$($attribute)*]
        struct $name<const LANES: usize> {
            pub clock: Signal<In, Clock>,
            pub write: Signal<In, Bit>,
            pub value: Signal<In, Bits<8>>,
            pub early: Signal<Out, Bits<8>>,
            pub late: Signal<Out, Bits<8>>,
            pub read: Signal<Out, Bits<8>>,
            pub parity: Signal<Out, Bit>,
            pub sum: Signal<Out, Bits<8>>,
            count: DFF<Bits<2>>,
            odd: DFF<Bit>,
            held: [DFF<Bits<8>>; LANES],
            grid: [[DFF<Bits<8>>; 2]; 2],
            store: LutRam<2, Bits<8>>,
            banks: [BlockRam<2, 8, 1>; 2],
            delay: Delay<3>,
            delays: [Delay<2>; 2],
            adder: Sum,
            $($activity)*
        }

        impl<const LANES: usize> $name<LANES> {
            fn new() -> Self {
                $name {
                    banks: std::array::from_fn(|_| BlockRam::new(4, vec![])),
                    ..Default::default()
                }
            }
        }

        impl<const LANES: usize> Logic for $name<LANES> {
            $($update)*
        }

        impl<const LANES: usize> $name<LANES> {
            #[hdl_part]
            fn rest(&mut self) {
                if self.write.val() {
                    self.count.d.next = self.count.q.val() + 1;
                    self.odd.d.next = self.value.val().xor();
                    self.held[self.value.val().index()].d.next = self.value.val();
                    self.grid[0][1].d.next = self.value.val();
                }
                self.grid[1][0].d.next = self.grid[0][1].q.val();
                self.store.write_address.next = self.count.q.val();
                self.store.write_data.next = self.value.val();
                self.store.write_enable.next = self.write.val();
                self.store.read_address.next = self.value.val().low();
                for i in 0..2 {
                    self.banks[i].write_address.next = self.count.q.val();
                    self.banks[i].write_data.next = self.value.val();
                    self.banks[i].write_enable.next = self.write.val().fill();
                    self.banks[i].read_address.next = self.value.val().low();
                    self.banks[i].read_enable.next = true;
                    self.delays[i].value.next = self.banks[i].read_data.val();
                }
                self.delay.value.next = self.store.read_data.val();
                Tap::join(&mut self.delay.tap, &mut self.adder.from_tap);
                self.early.next = self.held[self.count.q.val().index()].q.val();
                self.late.next = self.delay.earlier.val();
                self.adder.a.next = self.delays[0].earlier.val();
                self.adder.b.next = self.delays[1].earlier.val() ^ self.grid[1][0].q.val();
                self.read.next = self.store.read_data.val();
                self.parity.next = self.odd.q.val();
                self.sum.next = self.adder.sum.val();
            }
        }
    };
}

every_kind!(Listed, [derive(LogicBlock, Cycle, Blank)], [_activity: Activity,], {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, odd);
        for i in 0..LANES {
            self.held[i].clock.next = self.clock.val();
            self.held[i].d.next = self.held[i].q.val();
        }
        for i in 0..2 {
            for j in 0..2 {
                self.grid[i][j].clock.next = self.clock.val();
                self.grid[i][j].d.next = self.grid[i][j].q.val();
            }
        }
        clock!(self, clock, store);
        for i in 0..2 {
            self.banks[i].clock.next = self.clock.val();
            self.delays[i].clock.next = self.clock.val();
        }
        clock!(self, clock, delay);
        self.rest();
    }
});
every_kind!(Unlisted, [circuit], [], {
    #[hdl_gen]
    fn update(&mut self) {
        self.rest();
    }
});
// A block that has `#[circuit]`, but still has its old clock statements.
every_kind!(Both, [circuit], [], {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, odd);
        comment!("And the store");
        clock!(self, clock, store);
        self.rest();
    }
});

#[test]
fn the_verilog_is_that_of_the_lists() {
    let text = text_of(&Listed::<4>::new());
    assert_eq!(text_of(&Unlisted::<4>::new()), text);
    // The order of the values that registers keep may differ.
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&text_of(&Both::<4>::new())), sorted(&text));
    check_with_tools(&text, &["UNUSEDSIGNAL"]);
}

#[test]
fn the_lint_finds_nothing() {
    assert_eq!(lint(&Unlisted::<4>::new()), []);
    assert_eq!(lint(&Both::<4>::new()), []);
    assert_eq!(lint(&Many::default()), []);
}

/// More registers than one piece of a kernel can assign.
#[circuit]
struct Many {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bit>,
    pub last: Signal<Out, Bit>,
    stages: [DFF<Bit>; 200],
}

impl Logic for Many {
    #[hdl_gen]
    fn update(&mut self) {
        self.stages[0].d.next = self.value.val();
        for i in 1..200 {
            self.stages[i].d.next = self.stages[i - 1].q.val();
        }
        self.last.next = self.stages[199].q.val();
    }
}

#[test]
fn engine_machine_code_and_verilog_agree() {
    for simulator in [Simulator::Iverilog, Simulator::Verilator] {
        let report = cosim_in(
            simulator,
            || Box::new(Unlisted::<4>::new()),
            1000,
            1,
            |block, random, _cycle| {
                block.write.next = random.gen();
                block.value.next = Bits::new(random.gen_range(0..4));
            },
        )
        .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs, report.outputs_that_changed);
    }
}

#[test]
fn rust_hdls_simulation_and_the_engine_agree() {
    let steps = |cycle: u64| (cycle % 3 != 1, Bits::new(cycle * 7 % 4));
    let mut listed = CycleEngine::new(Box::new(Listed::<4>::new()));
    let mut unlisted = CycleEngine::new(Box::new(Unlisted::<4>::new()));
    let mut wanted = vec![];
    for cycle in 0..100 {
        (listed.block.write.next, listed.block.value.next) = steps(cycle);
        (unlisted.block.write.next, unlisted.block.value.next) = steps(cycle);
        listed.settle();
        unlisted.settle();
        let (a, b) = (&listed.block, &unlisted.block);
        wanted.push((a.early.val(), a.late.val(), a.sum.val(), a.parity.val()));
        assert_eq!(
            (b.early.val(), b.late.val(), b.sum.val(), b.parity.val()),
            wanted[cycle as usize],
            "cycle {cycle}"
        );
        listed.tick();
        unlisted.tick();
    }
    assert!(wanted.iter().any(|outputs| outputs.1 != 0));
    let mut simulation = Simulation::<Unlisted<4>>::new();
    simulation.add_clock(5_000, |top| top.clock.next = !top.clock.val());
    simulation.add_testbench(move |mut sim: Sim<Unlisted<4>>| {
        let mut top = sim.init()?;
        for (cycle, wanted) in wanted.iter().enumerate() {
            (top.write.next, top.value.next) = steps(cycle as u64);
            top = sim.watch(|top| !top.clock.val().clk, top)?;
            let found = (top.early.val(), top.late.val(), top.sum.val(), top.parity.val());
            assert_eq!(found, *wanted, "cycle {cycle}");
            top = sim.watch(|top| top.clock.val().clk, top)?;
        }
        sim.done(top)
    });
    // This also checks that every signal is driven.
    simulation.run(Box::new(Unlisted::new()), u64::MAX).expect("it runs");
}

/// A block with another clock name and its own `Blank`.
#[circuit(clock = aclk, own_blank)]
struct Renamed {
    pub aclk: Signal<In, Clock>,
    pub value: Signal<In, Bits<8>>,
    pub earlier: Signal<Out, Bits<8>>,
    delay: Delay<2>,
    held: DFF<Bits<8>>,
}

impl Blank for Renamed {
    fn blank() -> Self {
        Renamed {
            aclk: Blank::blank(),
            value: Blank::blank(),
            earlier: Blank::blank(),
            delay: Blank::blank(),
            held: Blank::blank(),
            _activity: Blank::blank(),
        }
    }
}

impl Logic for Renamed {
    #[hdl_gen]
    fn update(&mut self) {
        self.delay.value.next = self.value.val();
        self.held.d.next = self.delay.earlier.val();
        self.earlier.next = self.held.q.val();
    }
}

#[test]
fn a_clock_may_have_another_name() {
    let text = text_of(&Renamed::blank());
    assert!(
        text.contains(".clock(aclk)") && text.contains("@(posedge aclk)"),
        "{text}"
    );
    let mut engine = CycleEngine::new(Box::new(Renamed::blank()));
    engine.block.value.next = bits(5);
    for _ in 0..3 {
        engine.settle();
        assert_eq!(engine.block.earlier.val(), 0);
        engine.tick();
    }
    engine.settle();
    assert_eq!(engine.block.earlier.val(), 5);
}

/// `value` and a constant.
#[circuit]
struct Plus {
    pub value: Signal<In, Bits<8>>,
    pub sum: Signal<Out, Bits<8>>,
    by: Constant<Bits<8>>,
}

impl Logic for Plus {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.value.val() + self.by.val();
    }
}

/// Four bits of a value.
#[circuit]
struct Nibble<const LOW: usize> {
    pub value: Signal<In, Bits<8>>,
    pub nibble: Signal<Out, Bits<4>>,
}

impl<const LOW: usize> Logic for Nibble<LOW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.nibble.next = self.value.val().bits::<4>(LOW);
    }
}

/// Blocks of one type with equal kernels, with equal and with different constants; blocks of one name with different
/// const generics, with equal and with different signals.
#[circuit(own_blank)]
struct Alike {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<8>>,
    pub sums: [Signal<Out, Bits<8>>; 3],
    pub earlier: [Signal<Out, Bits<8>>; 2],
    pub nibbles: [Signal<Out, Bits<4>>; 2],
    low: Nibble<0>,
    high: Nibble<4>,
    plus: [Plus; 3],
    short: Delay<1>,
    long: Delay<3>,
}

impl Blank for Alike {
    fn blank() -> Self {
        let plus = |by: u64| Plus {
            by: Constant::new(by.into()),
            ..Plus::blank()
        };
        Alike {
            clock: Blank::blank(),
            value: Blank::blank(),
            sums: Blank::blank(),
            earlier: Blank::blank(),
            nibbles: Blank::blank(),
            low: Blank::blank(),
            high: Blank::blank(),
            plus: [3, 5, 3].map(plus),
            short: Blank::blank(),
            long: Blank::blank(),
            _activity: Blank::blank(),
        }
    }
}

impl Logic for Alike {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..3 {
            self.plus[i].value.next = self.value.val();
            self.sums[i].next = self.plus[i].sum.val();
        }
        self.low.value.next = self.value.val();
        self.high.value.next = self.value.val();
        self.nibbles[0].next = self.low.nibble.val();
        self.nibbles[1].next = self.high.nibble.val();
        self.short.value.next = self.value.val();
        self.long.value.next = self.value.val();
        self.earlier[0].next = self.short.earlier.val();
        self.earlier[1].next = self.long.earlier.val();
    }
}

#[test]
fn equal_blocks_differ_from_similar_blocks() {
    cosim_in(
        Simulator::Iverilog,
        || Box::new(Alike::blank()),
        200,
        1,
        |block, random, _cycle| block.value.next = Bits::new(random.gen_range(0..256)),
    )
    .unwrap_or_else(|e| panic!("{e}"));
}
