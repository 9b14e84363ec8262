//! A kernel's syntax as data equals the output of rust-hdl's own `hdl_gen`: the same kernels through both.

#![allow(dead_code)] // Some fields exist only for their names.

use rust_hdl_core::prelude::{Logic, Verilog};

/// The kernels, with a prelude's types and its `hdl_gen`.
macro_rules! kernels {
    ($module:ident, $prelude:path, [$($derive:ident),*], [$($activity:tt)*], [$($more:ident),*]) => {
        mod $module {
            use $prelude::*;

            #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
            pub struct Pair {
                pub first: Bits<3>,
                pub flag: Bit,
                pub last: Bits<9>,
            }

            #[derive(Clone, Copy, Debug, PartialEq, LogicState)]
            pub enum Phase {
                Idle,
                Busy,
                Done,
            }

            #[derive(LogicInterface, Default, $($more),*)]
            #[join = "Answers"]
            pub struct Asks {
                pub request: Signal<Out, Bits<8>>,
                pub answer: Signal<In, Bits<8>>,
            }

            #[derive(LogicInterface, Default, $($more),*)]
            #[join = "Asks"]
            pub struct Answers {
                pub request: Signal<In, Bits<8>>,
                pub answer: Signal<Out, Bits<8>>,
            }

            #[derive(LogicBlock, Default, $($derive),*)]
            pub struct Part<const N: usize> {
                pub clock: Signal<In, Clock>,
                pub bus: Asks,
                pub pair: Signal<Out, Pair>,
                pub value: Signal<In, Bits<8>>,
                $($activity)*
            }

            impl<const N: usize> Logic for Part<N> {
                #[hdl_gen]
                fn update(&mut self) {
                    self.bus.request.next = self.value.val();
                    self.pair.next.first = bit_cast::<3, 8>(self.bus.answer.val());
                    self.pair.next.flag = self.value.val().get_bit(N);
                    self.pair.next.last = self.value.val().get_bits::<9>(0);
                }
            }

            #[derive(LogicBlock, Default, $($derive),*)]
            pub struct Whole<const N: usize> {
                pub clock: Signal<In, Clock>,
                pub bus: Asks,
                pub a: Signal<In, Bits<8>>,
                pub b: Signal<In, Bits<8>>,
                pub wide: Signal<In, Bits<40>>,
                pub pair: Signal<In, Pair>,
                pub out: Signal<Out, Bits<8>>,
                pub bit: Signal<Out, Bit>,
                pub copy: Signal<Out, Pair>,
                pub list: [Signal<Out, Bits<8>>; 4],
                part: [Part<N>; 2],
                other: Part<N>,
                phase: DFF<Phase>,
                stored: DFF<Pair>,
                stores: [DFF<Pair>; 2],
                sum: Signal<Local, Bits<8>>,
                none: [Signal<Local, Pair>; 0],
                $($activity)*
            }

            impl<const N: usize> Logic for Whole<N> {
                #[hdl_gen]
                fn update(&mut self) {
                    dff_setup!(self, clock, phase, stored);
                    clock!(self, clock, other);
                    comment!("A comment, with a comma");
                    Asks::link(&mut self.bus, &mut self.other.bus);
                    self.sum.next = self.a.val() + self.b.val();
                    self.sum.next = (self.sum.val() - 3) ^ self.b.val();
                    self.out.next = !self.sum.val() & 0x5a;
                    self.out.next = bits::<8>(17) | self.out.val();
                    self.bit.next = self.a.val().any() && !self.b.val().all() || self.a.val().xor();
                    self.bit.next = (self.a.val() < self.b.val()) & (self.wide.val() != 0xff_0000_0000_u64);
                    self.bit.next = true;
                    self.copy.next = self.pair.val();
                    self.copy.next.last = bit_cast::<9, 8>(self.sum.val());
                    self.copy.next.flag = self.stores[1].q.val().flag;
                    for i in 0..4 {
                        self.list[i].next = self.a.val() << 2;
                        if self.b.val().get_bit(i) {
                            self.list[i].next = self.a.val().replace_bit(i, self.bit.val());
                        }
                    }
                    for p in 0..N {
                        self.part[p].clock.next = self.clock.val();
                        self.part[p].value.next = self.wide.val().get_bits::<8>(p * 8 + 1);
                        self.part[p].bus.answer.next = self.a.val();
                        self.stores[p].clock.next = self.clock.val();
                        self.stores[p].d.next = self.stores[p].q.val();
                    }
                    // rust-hdl's macro does not accept a bundle's field at a loop index.
                    self.part[1].bus.answer.next = bit_cast::<8, 3>(self.part[1].pair.val().first);
                    self.stores[1].d.next.first = self.stored.q.val().first;
                    if self.pair.val().flag {
                        self.stored.d.next = self.other.pair.val();
                    } else if self.a.val() >= self.b.val() {
                        self.stored.d.next.last = bit_cast::<9, 8>(self.a.val() >> 1);
                    } else {
                        self.stored.d.next.flag = false;
                    }
                    self.other.value.next = self.out.val();
                    match self.phase.q.val() {
                        Phase::Idle => {
                            self.phase.d.next = Phase::Busy;
                        }
                        Phase::Busy => self.phase.d.next = Phase::Done,
                        _ => {
                            self.phase.d.next = Phase::Idle;
                        }
                    }
                    match self.a.val().index() {
                        0 => self.out.next = 1.into(),
                        7 => {}
                        _ => {}
                    }
                }
            }
        }
    };
}

mod theirs_prelude {
    pub use hdlkit::comment;
    pub use rust_hdl_core::clock;
    pub use rust_hdl_core::prelude::*;
    pub use rust_hdl_widgets::dff_setup;
    pub use rust_hdl_widgets::prelude::DFF;
}

kernels!(theirs, crate::theirs_prelude, [], [], []);
kernels!(ours, hdlkit::prelude, [Cycle], [_activity: Activity,], [CycleInterface]);

/// A kernel's syntax, line by line.
fn syntax(block: &impl Logic) -> Vec<String> {
    match block.hdl() {
        Verilog::Combinatorial(kernel) => {
            // rust-hdl's syntax has a comment with the name of the macro.
            let text = kernel.iter().map(|statement| format!("{statement:#?}"));
            text.map(|text| text.replace("comment! (\\\"", "")).collect()
        }
        _ => panic!("no kernel"),
    }
}

#[test]
fn ours_is_theirs() {
    let kernels = [
        (
            syntax(&ours::Part::<2>::default()),
            syntax(&theirs::Part::<2>::default()),
        ),
        (
            syntax(&ours::Whole::<2>::default()),
            syntax(&theirs::Whole::<2>::default()),
        ),
        (
            syntax(&ours::Whole::<1>::default()),
            syntax(&theirs::Whole::<1>::default()),
        ),
    ];
    for (ours, theirs) in kernels {
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs);
        }
    }
}

/// rust-hdl's checks see the same drivers.
#[test]
fn our_signals_have_the_same_drivers() {
    use rust_hdl_core::prelude::Block;
    let mut ours = Box::<ours::Whole<2>>::default();
    let mut theirs = Box::<theirs::Whole<2>>::default();
    ours.connect_all();
    theirs.connect_all();
    let (ours, theirs) = (driven(&*ours), driven(&*theirs));
    assert!(ours.len() > 40, "{ours:?}");
    assert_eq!(ours, theirs);
}

/// Returns each signal's name, and true if it is driven.
fn driven(block: &dyn rust_hdl_core::prelude::Block) -> Vec<(String, bool)> {
    use rust_hdl_core::atom::Atom;
    use rust_hdl_core::prelude::{Block, Probe};
    #[derive(Default)]
    struct Found(Vec<String>, Vec<(String, bool)>);
    impl Probe for Found {
        fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
            self.0.push(name.into());
        }
        fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
            self.0.push(name.into());
        }
        fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
            self.1.push((format!("{}.{name}", self.0.join(".")), atom.connected()));
        }
        fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
            self.0.pop();
        }
        fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
            self.0.pop();
        }
    }
    let mut found = Found::default();
    block.accept("top", &mut found);
    found.1
}
