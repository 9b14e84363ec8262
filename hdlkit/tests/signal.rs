//! This crate's `Signal` and `DFF` against rust-hdl's own: the same design with each, in rust-hdl's simulator, checks,
//! Verilog and waves.

use hdlkit::prelude::CycleEngine;
use rand::{Rng, SeedableRng};
use rust_hdl_core::prelude::*;
use std::sync::{Arc, Mutex};

/// Half a period of the clock, in rust-hdl's picoseconds.
const HALF_PERIOD: u64 = 5_000;

/// A design with registers at three depths that feed one another, which detects a register that loads a neighbour's new
/// value at the edge. It also has joined and linked bundles.
macro_rules! design {
    ($module:ident, [$($derive:ident),*], [$($interface:ident),*], { $($imports:tt)* }, { $($activity:tt)* }) => {
        mod $module {
            $($imports)*

            /// The requesting side.
            #[derive(LogicInterface, Default, $($interface),*)]
            #[join = "Answers"]
            pub struct Asks {
                pub request: Signal<Out, Bits<8>>,
                pub answer: Signal<In, Bits<8>>,
            }

            /// The answering side.
            #[derive(LogicInterface, Default, $($interface),*)]
            #[join = "Asks"]
            pub struct Answers {
                pub request: Signal<In, Bits<8>>,
                pub answer: Signal<Out, Bits<8>>,
            }

            #[derive(LogicBlock, Default, $($derive),*)]
            pub struct Counter {
                pub clock: Signal<In, Clock>,
                pub step: Signal<In, Bits<8>>,
                pub bus: Asks,
                pub even: Signal<Out, Bit>,
                sum: Signal<Local, Bits<8>>,
                count: DFF<Bits<8>>,
                was_even: DFF<Bit>,
                $($activity)*
            }

            impl Logic for Counter {
                #[hdl_gen]
                fn update(&mut self) {
                    dff_setup!(self, clock, count, was_even);
                    self.sum.next = self.count.q.val() + self.step.val();
                    self.count.d.next = self.sum.val() + self.bus.answer.val();
                    self.was_even.d.next = !self.sum.val().get_bit(0);
                    self.even.next = self.was_even.q.val();
                    self.bus.request.next = self.count.q.val();
                }
            }

            #[derive(LogicBlock, Default, $($derive),*)]
            pub struct Delay {
                pub clock: Signal<In, Clock>,
                pub bus: Answers,
                last: DFF<Bits<8>>,
                $($activity)*
            }

            impl Logic for Delay {
                #[hdl_gen]
                fn update(&mut self) {
                    dff_setup!(self, clock, last);
                    self.last.d.next = self.bus.request.val();
                    self.bus.answer.next = self.last.q.val();
                }
            }

            /// Connects its bus to the counter inside.
            #[derive(LogicBlock, Default, $($derive),*)]
            pub struct Inside {
                pub clock: Signal<In, Clock>,
                pub step: Signal<In, Bits<8>>,
                pub bus: Asks,
                pub even: Signal<Out, Bit>,
                counter: Counter,
                held: DFF<Bits<8>>,
                $($activity)*
            }

            impl Logic for Inside {
                #[hdl_gen]
                fn update(&mut self) {
                    dff_setup!(self, clock, held);
                    clock!(self, clock, counter);
                    self.held.d.next = self.step.val();
                    self.counter.step.next = self.held.q.val();
                    Asks::link(&mut self.bus, &mut self.counter.bus);
                    self.even.next = self.counter.even.val();
                }
            }

            #[derive(LogicBlock, Default, $($derive),*)]
            pub struct Top {
                pub clock: Signal<In, Clock>,
                pub step: Signal<In, Bits<8>>,
                pub even: Signal<Out, Bit>,
                pub seen: Signal<Out, Bits<8>>,
                inside: Inside,
                delay: Delay,
                mixed: DFF<Bits<8>>,
                $($activity)*
            }

            impl Logic for Top {
                #[hdl_gen]
                fn update(&mut self) {
                    dff_setup!(self, clock, mixed);
                    clock!(self, clock, inside, delay);
                    self.inside.step.next = self.step.val() + self.mixed.q.val();
                    Asks::join(&mut self.inside.bus, &mut self.delay.bus);
                    self.mixed.d.next = self.mixed.q.val() + self.delay.bus.answer.val();
                    self.even.next = self.inside.even.val();
                    self.seen.next = self.mixed.q.val();
                }
            }
        }
    };
}

design!(
    theirs,
    [],
    [],
    {
        use hdlkit::prelude::{dff_setup, Bits};
        use rust_hdl_core::prelude::{
            ast, block, clock, hdl_gen, logic, probe, Bit, Clock, In, Local, Logic, LogicBlock, LogicInterface,
            LogicJoin, LogicLink, Out, Signal,
        };
        use rust_hdl_widgets::prelude::DFF;
    },
    {}
);

design!(ours, [Cycle], [CycleInterface], {
    use hdlkit::prelude::*;
}, { _activity: Activity, });

/// All signals except local ones, by name: the value in hexadecimal, and true if the signal is driven.
#[derive(Default)]
struct Values(Vec<(String, String, bool)>);

impl Probe for Values {
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        if signal.kind() != AtomKind::LocalSignal {
            let value = format!("{:x}", signal.verilog());
            self.0.push((name.to_string(), value, signal.connected()));
        }
    }
}

fn values(block: &dyn Block) -> Vec<(String, String, bool)> {
    let mut values = Values::default();
    block.accept("uut", &mut values);
    values.0
}

/// The inputs of each cycle.
fn steps() -> Vec<u64> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    // Some cycles repeat the previous inputs, to test signals that do not change.
    (0..200).map(|_| rng.gen_range(0..3) * 85).collect()
}

/// All values of the design, settled, before each clock edge.
macro_rules! simulated {
    ($top:ty) => {{
        let mut simulation = Simulation::<$top>::new();
        simulation.add_clock(HALF_PERIOD, |top| top.clock.next = !top.clock.val());
        let seen = Arc::new(Mutex::new(vec![]));
        let record = seen.clone();
        simulation.add_testbench(move |mut sim: Sim<$top>| {
            let mut top = sim.init()?;
            for step in steps() {
                top.step.next = step.into();
                top = sim.watch(|top| !top.clock.val().clk, top)?;
                record.lock().unwrap().push(values(&*top));
                top = sim.watch(|top| top.clock.val().clk, top)?;
                record.lock().unwrap().push(values(&*top));
            }
            sim.done(top)
        });
        simulation.run(Box::<$top>::default(), u64::MAX).expect("it runs");
        Arc::try_unwrap(seen)
            .expect("the simulation has ended")
            .into_inner()
            .unwrap()
    }};
}

#[test]
fn values_equal_rust_hdls_signals_under_its_simulation() {
    let (theirs, ours) = (simulated!(theirs::Top), simulated!(ours::Top));
    assert_eq!(theirs.len(), 400);
    for (half, (theirs, ours)) in theirs.iter().zip(&ours).enumerate() {
        assert_eq!(theirs, ours, "after {half} edges");
    }
    assert!(theirs.iter().any(|values| *values != theirs[0]));
}

#[test]
fn the_cycle_engine_agrees_with_rust_hdls_simulation() {
    // `d` is loaded at the edge, and the clock is not visible.
    let seen = |values: &[(String, String, bool)]| -> Vec<(String, String)> {
        let seen = values.iter().filter(|(name, ..)| name != "d" && name != "clock");
        seen.map(|(name, value, _)| (name.clone(), value.clone())).collect()
    };
    let simulated = simulated!(ours::Top);
    let mut engine = CycleEngine::new(Box::<ours::Top>::default());
    for (cycle, (step, values_then)) in steps().into_iter().zip(simulated.iter().step_by(2)).enumerate() {
        engine.block.step.next = step.into();
        engine.settle();
        assert_eq!(seen(&values(&*engine.block)), seen(values_then), "cycle {cycle}");
        engine.tick();
    }
}

#[test]
fn rust_hdl_exports_both_identically() {
    let (mut theirs, mut ours) = (theirs::Top::default(), ours::Top::default());
    theirs.connect_all();
    ours.connect_all();
    assert_eq!(generate_verilog(&theirs), generate_verilog(&ours));
}

#[test]
fn rust_hdls_checks_find_undriven_signals() {
    let mut top = ours::Top::default();
    let Err(rust_hdl_core::check_error::CheckError::OpenSignal(open)) = check_connected(&top) else {
        panic!("nothing is driven yet");
    };
    // Every signal except the two inputs has its own number.
    let atoms = {
        let mut counted = Counted::default();
        top.accept("uut", &mut counted);
        counted.0
    };
    assert_eq!(open.len(), atoms - 2);
    top.connect_all();
    assert!(check_connected(&top).is_ok());
}

#[derive(Default)]
struct Counted(usize);

impl Probe for Counted {
    fn visit_atom(&mut self, _name: &str, _signal: &dyn Atom) {
        self.0 += 1;
    }
}

#[test]
fn rust_hdl_writes_identical_waves() {
    macro_rules! waves {
        ($top:ty) => {{
            let mut top = Box::<$top>::default();
            top.connect_all();
            assert!(simulate(&mut *top, 100));
            let mut file = vec![];
            let mut wave = write_vcd_header(&mut file, &*top);
            wave = write_vcd_dump(wave, &*top);
            for (time, step) in (1..).zip(steps()) {
                for level in [false, true] {
                    top.clock.next = level.into();
                    top.step.next = step.into();
                    assert!(simulate(&mut *top, 100));
                }
                wave.timestamp(time).unwrap();
                wave = write_vcd_change(wave, &*top);
            }
            drop(wave);
            String::from_utf8(file).unwrap()
        }};
    }
    let (theirs, ours) = (waves!(theirs::Top), waves!(ours::Top));
    assert!(theirs.lines().count() > 1000);
    assert_eq!(theirs, ours);
}
