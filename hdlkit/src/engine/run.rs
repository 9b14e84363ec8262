//! A whole circuit, and the engine that runs it cycle by cycle.

use super::cycle::Cycle;
use crate::circuit::{Ports, Structure};

/// Any circuit with its kernels: it can be inspected, stepped, and accessed through the words of its ports.
pub trait Circuit: Structure + Cycle + Ports + Send {
    /// The circuit for inspection only.
    fn as_structure(&self) -> &dyn Structure;
}

impl<C: Structure + Cycle + Ports + Send> Circuit for C {
    fn as_structure(&self) -> &dyn Structure {
        self
    }
}

/// Runs a block cycle by cycle and counts the cycles.
pub struct CycleEngine<B: Cycle + ?Sized> {
    /// The top block; set its inputs' `next` before [`settle`](Self::settle).
    pub block: Box<B>,
    cycle: u64,
}

impl<B: Cycle + ?Sized> CycleEngine<B> {
    /// Takes the block and settles it once, so that its outputs are valid.
    pub fn new(mut block: Box<B>) -> Self {
        block.commit_in();
        block.settle();
        CycleEngine { block, cycle: 0 }
    }

    /// Evaluates combinational logic to its fixed point.
    #[inline]
    pub fn settle(&mut self) {
        self.block.settle();
    }

    /// Simulates the rising edge of the clock.
    #[inline]
    pub fn tick(&mut self) {
        self.block.tick();
        self.cycle += 1;
    }

    /// Rising edges so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }
}
