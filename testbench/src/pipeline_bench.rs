//! A test bench for a unit that accepts an operation in every cycle and gives each result a fixed number of cycles
//! later.

use hdlkit::prelude::{Cycle, CycleEngine};
use std::collections::VecDeque;
use std::fmt::{Debug, Display};

/// A pipelined unit under test.
pub trait Pipeline {
    /// The circuit under test.
    type Block: Cycle;
    /// An operation with its operands and the expected result, printed if the result is wrong.
    type Case: Display;
    /// The type of results.
    type Output: PartialEq + Debug;
    /// The number of cycles from the operands to the result.
    const LATENCY: u64;

    /// The circuit in its initial state.
    fn block() -> Box<Self::Block>;
    /// Sets the circuit's inputs for a cycle in which this operation begins, if there is one.
    fn drive(&mut self, block: &mut Self::Block, case: Option<&Self::Case>);
    /// The expected result.
    fn want(case: &Self::Case) -> Self::Output;
    /// The result at the circuit's outputs.
    fn got(block: &Self::Block) -> Self::Output;
}

/// Gives a unit operations back to back, and checks each result in the cycle in which it is due.
pub struct PipelineBench<P: Pipeline> {
    engine: CycleEngine<P::Block>,
    unit: P,
    /// The cases in flight, each with the cycle in which its result is due.
    due: VecDeque<(u64, P::Case)>,
    checked: u64,
}

impl<P: Pipeline> PipelineBench<P> {
    /// Creates a bench for the unit, with an empty pipeline.
    pub fn new(unit: P) -> Self {
        PipelineBench {
            engine: CycleEngine::new(P::block()),
            unit,
            due: VecDeque::new(),
            checked: 0,
        }
    }

    /// Simulates a cycle: gives `case` to the unit, and checks the result that is due.
    ///
    /// # Panics
    /// Panics if the result is wrong.
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

    /// Drains the pipeline. Returns the number of checked results.
    ///
    /// # Panics
    /// Panics if a result is wrong.
    pub fn finish(mut self) -> u64 {
        while !self.due.is_empty() {
            self.step(None);
        }
        self.checked
    }
}
