//! A recorder that checks each instruction, beside another recorder.

use super::checker::Checker;
use crate::block::Block;
use crate::execute::{Memories, Recorder};
use crate::program::Fetched;
use crate::warp::Warp;
use flexgrip_machine::{AddressWrite, BarrierEffect, CcWrite, MemoryEffect, Next, RegisterWrite, StackOperation};

/// Reports an execution to a checker and to a recorder.
pub(crate) struct Checked<'a, R> {
    pub recorder: &'a mut R,
    pub checker: &'a mut Checker,
    pub block: u32,
    pub warp: u32,
}

impl<R: Recorder> Recorder for Checked<'_, R> {
    fn inspect(&mut self, warp: &Warp, fetched: &Fetched, executed: u32, memories: &Memories<'_>) {
        self.checker
            .inspect((self.block, self.warp), warp, fetched, executed, memories);
    }

    fn done(&mut self, block: &Block) {
        self.checker.done((self.block, self.warp), block);
    }

    fn begin(&mut self, pc: u32, word: u64, active: u32, executed: u32) {
        self.recorder.begin(pc, word, active, executed);
    }

    fn register(&mut self, write: impl FnOnce() -> RegisterWrite) {
        self.recorder.register(write);
    }

    fn cc(&mut self, write: impl FnOnce() -> CcWrite) {
        self.recorder.cc(write);
    }

    fn address(&mut self, write: impl FnOnce() -> AddressWrite) {
        self.recorder.address(write);
    }

    fn post_increment(&mut self, write: impl FnOnce() -> AddressWrite) {
        self.recorder.post_increment(write);
    }

    fn memory(&mut self, effect: MemoryEffect) {
        self.recorder.memory(effect);
    }

    fn stack(&mut self, operation: StackOperation) {
        self.recorder.stack(operation);
    }

    fn barrier(&mut self, effect: BarrierEffect) {
        self.recorder.barrier(effect);
    }

    fn next(&mut self, next: Next) {
        self.recorder.next(next);
    }
}
