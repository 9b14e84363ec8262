//! A bench for a unit that takes an operation in every cycle and has each result a fixed number of cycles later.

use hdlkit::prelude::{Cycle, CycleEngine};
use std::collections::VecDeque;
use std::fmt::{Debug, Display};

/// A pipelined unit under test.
pub trait Pipeline {
    /// The circuit.
    type Block: Cycle;
    /// An operation with its operands and the expected result. It is shown if the result is another one.
    type Case: Display;
    /// A result.
    type Output: PartialEq + Debug;
    /// Cycles from the operands to the result.
    const LATENCY: u64;

    /// The circuit in its first state.
    fn block() -> Box<Self::Block>;
    /// Sets the circuit's inputs for a cycle in which the operation begins, or none.
    fn drive(&mut self, block: &mut Self::Block, case: Option<&Self::Case>);
    /// The expected result.
    fn want(case: &Self::Case) -> Self::Output;
    /// The result at the circuit's outputs.
    fn got(block: &Self::Block) -> Self::Output;
}

/// Gives a unit operations back to back and checks each result in the cycle in which it is due.
pub struct PipelineBench<P: Pipeline> {
    engine: CycleEngine<P::Block>,
    unit: P,
    /// Cases in flight, with the cycle in which the result is due.
    due: VecDeque<(u64, P::Case)>,
    checked: u64,
}

impl<P: Pipeline> PipelineBench<P> {
    /// A bench for the unit, with nothing in its pipeline.
    pub fn new(unit: P) -> Self {
        PipelineBench {
            engine: CycleEngine::new(P::block()),
            unit,
            due: VecDeque::new(),
            checked: 0,
        }
    }

    /// One cycle: gives `case` to the unit and checks the result that is due.
    ///
    /// # Panics
    /// The result is wrong.
    pub fn step(&mut self, case: Option<P::Case>) {
        self.unit.drive(&mut self.engine.block, case.as_ref());
        let now = self.engine.cycle();
        self.due.extend(case.map(|case| (now + P::LATENCY, case)));
        self.engine.settle();
        if self.due.front().is_some_and(|(cycle, _)| *cycle == now) {
            let (_, case) = self.due.pop_front().expect("it is there");
            let got = P::got(&self.engine.block);
            assert_eq!(got, P::want(&case), "cycle {now}, got {got:08x?} for {case}");
            self.checked += 1;
        }
        self.engine.tick();
    }

    /// Drains the pipeline; returns the number of results checked.
    ///
    /// # Panics
    /// A result is wrong.
    pub fn finish(mut self) -> u64 {
        while !self.due.is_empty() {
            self.step(None);
        }
        self.checked
    }
}
