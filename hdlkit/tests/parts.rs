//! A kernel in parts equals the kernel with the parts' statements inlined: simulated, exported, linted.

use hdlkit::lint::{lint_with, LintOptions};
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};

/// The counter inside both blocks.
macro_rules! counter {
    ($name:ident) => {
        #[derive(LogicBlock, Cycle, Blank)]
        struct $name<const N: usize> {
            pub clock: Signal<In, Clock>,
            pub up: Signal<In, Bit>,
            pub step: Signal<In, Bits<N>>,
            pub count: Signal<Out, Bits<N>>,
            sum: Signal<Local, Bits<N>>,
            shown: [Signal<Local, Bits<N>>; 2],
            value: DFF<Bits<N>>,
            _activity: Activity,
        }
    };
}

counter!(Whole);
counter!(Parted);

impl<const N: usize> Logic for Whole<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, value);
        self.sum.next = self.value.q.val() + self.step.val();
        for i in 0..2 {
            self.shown[i].next = self.value.q.val();
        }
        if self.up.val() {
            self.value.d.next = self.sum.val();
        }
        self.count.next = self.shown[1].val();
    }
}

impl<const N: usize> Logic for Parted<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, value);
        self.sums();
        if self.up.val() {
            self.advance();
        }
        self.count.next = self.shown[1].val();
    }
}

impl<const N: usize> Parted<N> {
    /// Computes the next value.
    #[hdl_part]
    fn sums(&mut self) {
        self.sum.next = self.value.q.val() + self.step.val();
        self.views();
    }

    /// Drives the outputs: a part that another part calls.
    #[hdl_part]
    fn views(&mut self) {
        for i in 0..2 {
            self.shown[i].next = self.value.q.val();
        }
    }

    #[hdl_part]
    fn advance(&mut self) {
        self.value.d.next = self.sum.val();
    }
}

fn verilog(block: &dyn Structure) -> String {
    export(block, &ExportOptions::new("counter")).unwrap()
}

#[test]
fn parts_do_not_change_the_verilog() {
    assert_eq!(verilog(&Whole::<8>::blank()), verilog(&Parted::<8>::blank()));
    assert_eq!(verilog(&Whole::<3>::blank()), verilog(&Parted::<3>::blank()));
}

#[test]
fn parts_run_natively() {
    let mut whole = CycleEngine::new(Box::new(Whole::<8>::blank()));
    let mut parted = CycleEngine::new(Box::new(Parted::<8>::blank()));
    for cycle in 0..40u64 {
        for step in [&mut whole.block.step, &mut parted.block.step] {
            step.next = Bits::new(cycle);
        }
        for up in [&mut whole.block.up, &mut parted.block.up] {
            up.next = cycle % 3 != 0;
        }
        whole.settle();
        parted.settle();
        assert_eq!(whole.block.count.val(), parted.block.count.val(), "cycle {cycle}");
        whole.tick();
        parted.tick();
    }
    assert_ne!(whole.block.count.val(), Bits::new(0));
}

#[test]
fn rust_hdl_sees_drivers_in_parts() {
    let mut parted = Parted::<8>::blank();
    parted.clock.connect();
    parted.up.connect();
    parted.step.connect();
    rust_hdl_core::prelude::Block::connect_all(&mut parted);
    rust_hdl_core::check_connected::check_connected(&parted).expect("all is driven");
}

/// A block whose spare outputs may not exist.
#[derive(LogicBlock, Cycle, Blank)]
struct Spared {
    pub up: Signal<In, Bit>,
    has_spares: Constant<Bit>,
    pub spares: Vec<Signal<Out, Bit>>,
    _activity: Activity,
}

impl Logic for Spared {
    #[hdl_gen]
    fn update(&mut self) {
        if self.has_spares.val() {
            self.drive_spares();
        }
    }
}

impl Spared {
    #[hdl_part]
    fn drive_spares(&mut self) {
        for i in 0..2 {
            self.spares[i].next = self.up.val();
        }
    }
}

#[test]
fn rust_hdl_accepts_blocks_without_optional_parts() {
    for count in [0, 2] {
        let mut spared = Spared {
            has_spares: Constant::new(count > 0),
            spares: (0..count).map(|_| Signal::default()).collect(),
            ..Spared::blank()
        };
        spared.up.connect();
        rust_hdl_core::prelude::Block::connect_all(&mut spared);
        rust_hdl_core::check_connected::check_connected(&spared).expect("all is driven");
    }
}

#[test]
fn the_length_of_a_piece_has_a_limit() {
    let findings = |block: &dyn Structure, max_assignments| {
        let options = LintOptions {
            max_assignments,
            local_signals: true,
            ..LintOptions::default()
        };
        let found = lint_with(block, &options);
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(findings(&Whole::<8>::blank(), 4), [""; 0]);
    let found = findings(&Whole::<8>::blank(), 3);
    assert!(
        found.len() == 1 && found[0].contains("has 4 assignments in one piece"),
        "{found:?}"
    );
    // The pieces have 1, 1, 1 and 1 assignments; the code of dff_setup! is a piece of two.
    assert_eq!(findings(&Parted::<8>::blank(), 2), [""; 0]);
    assert_eq!(findings(&Parted::<8>::blank(), 1).len(), 1);
}
