//! The lint: a kernel that breaks each rule, and one kernel that obeys all of them.

// The kernels are intentionally wrong, or clippy would shorten them to forms that kernels cannot have.
#![allow(
    clippy::assign_op_pattern,
    clippy::nonminimal_bool,
    clippy::precedence,
    clippy::collapsible_match
)]

use hdlkit::lint::{lint, lint_with, Finding, LintOptions};
use hdlkit::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, LogicState)]
#[allow(dead_code)]
enum State {
    One,
    Two,
    Three,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Pair {
    first: Bits<4>,
    second: Bits<4>,
}

#[derive(LogicInterface, CycleInterface, Blank)]
struct Bus {
    valid: Signal<In, Bit>,
    ready: Signal<Out, Bit>,
}

/// A block with the signals that the kernels below need, and `$kernel`.
macro_rules! block_with {
    ($name:ident, $($kernel:tt)*) => {
        #[derive(LogicBlock, Structure, Blank)]
        struct $name {
            clock: Signal<In, Clock>,
            a: Signal<In, Bits<8>>,
            b: Signal<In, Bits<8>>,
            flag: Signal<In, Bit>,
            state: Signal<In, State>,
            x: Signal<Out, Bits<8>>,
            t: Signal<Local, Bits<8>>,
            pair: Signal<Out, Pair>,
            list: [Signal<Local, Bits<8>>; 2],
            register: DFF<Bits<8>>,
        }
        impl Logic for $name {
            $($kernel)*
        }
    };
}

/// The lint's findings; local signals are allowed, because most of these kernels test them.
fn findings<B: Structure + Blank>() -> Vec<String> {
    let options = LintOptions {
        local_signals: true,
        ..LintOptions::default()
    };
    lint_with(&B::blank(), &options)
        .iter()
        .map(Finding::to_string)
        .collect()
}

/// Expects exactly the findings with these words, in any order.
fn expect<B: Structure + Blank>(wanted: &[&str]) {
    let found = findings::<B>();
    for words in wanted {
        assert!(found.iter().any(|f| f.contains(words)), "no `{words}` in {found:#?}");
    }
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
}

#[test]
fn a_good_kernel_has_no_findings() {
    block_with!(
        Good,
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, register);
            for i in 0..2 {
                self.list[i].next = self.a.val() >> 1;
            }
            self.t.next = self.a.val() + self.b.val();
            self.x.next = 0.into();
            if (self.flag.val() && !(self.a.val() == 3)) || self.b.val().any() {
                self.x.next = self.t.val() | self.a.val() | self.list[1].val();
                self.register.d.next = bit_cast::<8, 8>(self.t.val());
            }
            self.pair.next.first = self.a.val().get_bits::<4>(0);
            self.pair.next.second = self.a.val().get_bits::<4>(4);
            match self.state.val() {
                State::One => self.x.next = 1.into(),
                State::Two => {}
                State::Three => self.x.next = self.x.val() & 0x0F,
            }
        }
    );
    expect::<Good>(&[]);
}

#[test]
fn signals_unassigned_on_a_path_are_findings() {
    block_with!(
        Latches,
        #[hdl_gen]
        fn update(&mut self) {
            self.register.clock.next = self.clock.val();
            if self.flag.val() {
                self.register.d.next = self.a.val();
            }
            self.list[0].next = self.t.val();
            self.t.next = self.a.val();
            self.pair.next.first = 0.into();
            match self.state.val() {
                State::One => self.x.next = 1.into(),
                State::Two => self.x.next = 2.into(),
                _ => {}
            }
        }
    );
    expect::<Latches>(&[
        "top: `register.d`: is not assigned on every path",
        "top: `x`: is not assigned on every path",
        "top: `t`: is read before it is assigned",
        "top: `list[1]`: is never assigned",
        "top: `pair`: `.second` is never assigned",
    ]);
}

#[test]
fn expressions_have_any_depth() {
    block_with!(
        Compound,
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, register);
            let sum = self.a.val() + self.b.val();
            self.list[0].next = (sum + 1) >> 1;
            self.list[1].next = bit_cast::<8, 8>(self.a.val() - 1);
            self.t.next = self.a.val() & self.b.val() << 1;
            self.pair.next.first = 1.into();
            self.pair.next.second = 2.into();
            self.x.next = self.a.val();
            if (self.a.val() + 1) == self.b.val() {
                let difference = sum - (self.b.val() << 1);
                self.x.next = difference;
            }
        }
    );
    expect::<Compound>(&[]);
}

#[test]
fn invalid_locals_are_findings() {
    block_with!(
        Locals,
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, register);
            let mut unknown = 0.into();
            if self.flag.val() {
                unknown = 1.into();
            }
            self.t.next = unknown;
            let wide = self.a.val() + self.b.val();
            self.list[0].next = bits::<8>(1) + wide.get_bits::<4>(0).get_bits::<8>(0);
            self.list[1].next = wide;
            let mut count = self.a.val().index();
            count = count + 1;
            self.x.next = count.to_bits();
            let narrow = self.a.val().resize();
            self.pair.next.first = narrow;
            self.pair.next.second = self.a.val().get_bits::<4>(0) + 17;
        }
    );
    expect::<Locals>(&[
        "`let mut unknown = 0`: the width of `unknown` is not known here; expected its type",
        "`let narrow = self.a.val().resize()`: the width of `narrow` is not known here",
        "`let mut count = self.a.val().index()`: is a variable `usize`",
        "17 does not fit in 4 bits",
    ]);
}

/// A part with a bundle.
#[derive(LogicBlock, Cycle, Blank)]
struct Part {
    bus: Bus,
    end: Signal<In, Bits<8>>,
    doubled: Signal<Out, WideBits<100>>,
    _activity: Activity,
}

impl Logic for Part {
    #[hdl_gen]
    fn update(&mut self) {
        self.bus.ready.next = self.bus.valid.val();
        self.doubled.next = bit_cast_wide::<100, 8>(self.end.val());
    }
}

#[derive(LogicBlock, Structure, Blank)]
struct Names {
    clock: Signal<In, Clock>,
    bus: Bus,
    a: Signal<In, Bits<8>>,
    table: [Signal<Local, Bits<8>>; 4],
    part: Part,
    register: DFF<Bits<8>>,
}

impl Logic for Names {
    #[hdl_gen]
    fn update(&mut self) {
        self.register.clock.next = !self.clock.val();
        self.register.d.next = self.a.val();
        for i in 0..4 {
            self.table[i].next = self.a.val();
        }
        Bus::link(&mut self.bus, &mut self.part.bus);
        self.bus.ready.next = self.a.val().any();
        self.part.end.next = self.a.val();
    }
}

#[test]
fn invalid_names_and_drivers_are_findings() {
    expect::<Names>(&[
        "top: `self.register.clock.next = !self.clock.val()`: a clock is computed",
        "top: `bus.ready`: is linked and also assigned: two drivers",
        "top.part: `end`: is a reserved word",
        "top.part: `doubled`: has 100 bits; expected at most 64",
    ]);
}

#[test]
fn unresolved_names_are_findings() {
    #[derive(LogicBlock, Structure, Blank)]
    struct Unknown {
        a: Signal<In, Bits<8>>,
        given: Signal<In, Bits<8>>,
        x: Signal<Out, Bits<8>>,
        y: Signal<Out, Bits<8>>,
        z: Signal<Out, Bits<8>>,
        bit: Signal<Out, Bit>,
        table: [Signal<In, Bits<8>>; 4],
    }
    impl Logic for Unknown {
        #[hdl_gen]
        fn update(&mut self) {
            let mut list = [self.a.val(); 2];
            list[0] = self.a.val() + Bits::<9>::ONES.low();
            self.x.next = list[1] ^ list[0];
            self.y.next = match self.a.val().index() {
                0..=200 => self.table[3].val(),
                _ => self.a.val(),
            };
            self.z.next = self.a.val() + 300;
            self.bit.next = self.a.val().get_bit(8);
            self.given.next = self.a.val();
        }
    }
    expect::<Unknown>(&[
        "top: `match self.a.val().index() { 0..=200 => }`: pattern 0..=200 has more than 64 values; expected a comparison",
        "300 does not fit in 8 bits",
        "bit 8 of 8 bits",
        "assigns this block's own input",
        "`bit`: is a reserved word",
    ]);
}

/// A read before the assignment, one after it, one in a call, and one of a register.
#[test]
fn inputs_of_parts_are_not_read() {
    #[hdl_fn]
    fn inverted(value: Bits<8>) -> Bits<8> {
        !value
    }
    #[derive(LogicBlock, Structure, Blank)]
    struct Reader {
        clock: Signal<In, Clock>,
        a: Signal<In, Bits<8>>,
        early: Signal<Out, Bit>,
        late: Signal<Out, Bits<8>>,
        call: Signal<Out, Bits<8>>,
        sum: Signal<Out, Bits<8>>,
        part: Part,
        register: DFF<Bits<8>>,
    }
    impl Logic for Reader {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, register);
            self.early.next = self.part.bus.valid.val();
            self.part.bus.valid.next = self.a.val().any();
            self.part.end.next = self.a.val();
            self.late.next = self.part.end.val();
            self.call.next = inverted(self.part.end.val());
            self.register.d.next = self.a.val();
            self.sum.next = self.register.d.val() + 1;
        }
    }
    let found: Vec<String> = lint(&Reader::blank()).iter().map(Finding::to_string).collect();
    let expected = "is an input of a part; expected a `let` of what is assigned to it, used in both places";
    for name in ["part.bus.valid", "part.end", "register.d"] {
        assert!(
            found
                .iter()
                .any(|finding| finding.contains(&format!("`{name}` {expected}"))),
            "{name}: {found:#?}"
        );
    }
    let of_kernel = |finding: &&String| finding.contains("tests/lint.rs") && finding.contains("top: ");
    assert_eq!(found.iter().filter(of_kernel).count(), 4, "{found:#?}");
    let options = hdlkit::verilog::ExportOptions::new("top");
    let error = hdlkit::verilog::export(&Reader::blank(), &options)
        .unwrap_err()
        .to_string();
    assert_eq!(error.matches(expected).count(), 4, "{error}");
}

#[test]
fn findings_have_a_source_location() {
    let found = lint(&Names::blank());
    let clock = found.iter().find(|f| f.reason.contains("a clock is computed")).unwrap();
    let place = clock.place.as_ref().unwrap();
    let (file, line) = place.rsplit_once(':').unwrap();
    assert!(file.ends_with("tests/lint.rs"), "{place}");
    let line = include_str!("lint.rs")
        .lines()
        .nth(line.parse::<usize>().unwrap() - 1)
        .unwrap();
    assert_eq!(line.trim(), "self.register.clock.next = !self.clock.val();");
}

#[test]
fn a_local_signal_should_be_a_let() {
    #[derive(LogicBlock, Structure, Blank)]
    struct Twice {
        a: Signal<In, Bits<8>>,
        x: Signal<Out, Bits<8>>,
        sum: Signal<Local, Bits<8>>,
    }
    impl Logic for Twice {
        #[hdl_gen]
        fn update(&mut self) {
            self.sum.next = self.a.val() + self.a.val();
            let twice = self.sum.val();
            self.x.next = twice;
        }
    }
    let found: Vec<String> = lint(&Twice::blank()).iter().map(Finding::to_string).collect();
    assert_eq!(
        found,
        ["top: `sum`: is a Signal<Local>; expected a `let` where the value is used"]
    );
}

#[test]
fn a_memory_is_read_on_every_path() {
    #[derive(LogicBlock, Cycle, Blank)]
    struct Reader {
        pub clock: Signal<In, Clock>,
        pub place: Signal<In, Bits<4>>,
        pub wanted: Signal<In, Bit>,
        pub word: Signal<Out, Bits<8>>,
        memory: LutRam<4, Bits<8>>,
        _activity: Activity,
    }
    impl Logic for Reader {
        #[hdl_gen]
        fn update(&mut self) {
            self.memory.clock.next = self.clock.val();
            self.memory.write(false, bits(0), bits(0));
            self.word.next = bits(0);
            if self.wanted.val() {
                self.word.next = self.memory.read(self.place.val());
            }
        }
    }
    let found: Vec<String> = lint(&Reader::blank()).iter().map(Finding::to_string).collect();
    assert_eq!(
        found,
        ["top: `memory.read_address`: is not assigned on every path (a latch): assign a default first"]
    );
}
