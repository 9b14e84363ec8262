//! The context of an instruction: the memories, the recorder of its effects, and its faults.

use crate::lanes::{lanes_of, Lanes};
use crate::locks::Locks;
use crate::memory::{AccessFault, ConstantMemory, Memory};
use crate::stack::Underflow;
use flexgrip_machine::{
    AddressWrite, BarrierEffect, CcWrite, ErrorKind, MemoryEffect, MemorySpace, Next, RegisterWrite, StackOperation,
};

/// The memories that an instruction of a block can access.
pub(crate) struct Memories<'a> {
    pub global: &'a mut Memory,
    pub constant: &'a ConstantMemory,
    pub shared: &'a mut Memory,
    /// The locks of words of shared memory.
    pub locks: &'a mut Locks,
    /// The local memories of the warp's threads.
    pub local: &'a mut [Memory],
    /// Index of the warp in its block.
    pub warp: u32,
    pub surroundings: Surroundings,
}

/// The location and time of an instruction, as special registers report them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    pub sm: u32,
    /// The hardware warp slot in the SM.
    pub slot: u32,
    pub clock: u32,
}

impl Surroundings {
    /// A special register in each lane; `None` for one without a meaning here.
    pub(super) fn register(self, index: u8) -> Option<Lanes> {
        match index {
            0 => {
                let place = (self.slot & 0xff) << 8 | (self.sm & 0xff) << 16;
                Some(std::array::from_fn(|lane| place | lane as u32))
            }
            1 => Some([self.clock; 32]),
            // Zero on all chips, and the event counters, which count nothing.
            2 | 4..=7 => Some([0; 32]),
            _ => None,
        }
    }
}

/// The reason why an instruction could not be executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub kind: ErrorKind,
    pub word: u64,
    pub address: Option<u32>,
}

/// The accesses of an instruction to global, local or shared memory, one for each lane of a mask.
pub(crate) struct LaneAccesses<'a> {
    pub space: MemorySpace,
    pub lanes: u32,
    /// Byte addresses; they need not exist.
    pub addresses: &'a Lanes,
    /// 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// The stored values, a row for each word; none for a load.
    pub stored: &'a [&'a Lanes],
}

impl LaneAccesses<'_> {
    /// The record of a lane's access to these words.
    fn of(&self, lane: usize, words: &[&Lanes]) -> MemoryEffect {
        let mut data = 0;
        for (part, row) in words.iter().enumerate() {
            data |= u128::from(row[lane]) << (32 * part);
        }
        MemoryEffect {
            space: self.space,
            store: !self.stored.is_empty(),
            lane: lane as u8,
            address: self.addresses[lane],
            bytes: self.bytes as u8,
            data: data & (u128::MAX >> (128 - 8 * self.bytes)),
        }
    }
}

/// A recorder of the effects of an instruction: a run without an observer uses `()` and pays nothing.
pub(crate) trait Recorder {
    fn begin(&mut self, _pc: u32, _word: u64, _active: u32, _executed: u32) {}
    fn register(&mut self, _write: impl FnOnce() -> RegisterWrite) {}
    fn cc(&mut self, _write: impl FnOnce() -> CcWrite) {}
    fn address(&mut self, _write: impl FnOnce() -> AddressWrite) {}
    fn post_increment(&mut self, _write: impl FnOnce() -> AddressWrite) {}
    /// Called before the lanes of a mask access a memory. Returns a memory that replaces global memory for a load, if
    /// there is one.
    fn access(&mut self, _access: &LaneAccesses<'_>, _global: &mut Memory) -> Option<&Memory> {
        None
    }
    /// Called after the access, with the words that were loaded or stored: by default, lane by lane.
    fn accessed(&mut self, access: &LaneAccesses<'_>, words: &[&Lanes]) {
        for lane in lanes_of(access.lanes) {
            self.memory(access.of(lane, words));
        }
    }
    fn memory(&mut self, _effect: MemoryEffect) {}
    fn stack(&mut self, _operation: StackOperation) {}
    fn barrier(&mut self, _effect: BarrierEffect) {}
    fn next(&mut self, _next: Next) {}
}

impl Recorder for () {
    // Overridden, because the compiler does not remove the empty loop.
    fn accessed(&mut self, _access: &LaneAccesses<'_>, _words: &[&Lanes]) {}
}

/// An error of one instruction, without its word.
#[derive(Clone, Copy)]
pub(crate) struct Cause {
    pub(super) kind: ErrorKind,
    pub(super) address: Option<u32>,
}

impl Cause {
    pub(super) fn of(kind: ErrorKind) -> Self {
        Cause { kind, address: None }
    }

    /// An access to `space` at `address` that the memory refused.
    pub(super) fn access(space: Space, fault: AccessFault, address: u32) -> Self {
        let kind = match (space, fault) {
            (Space::Global, AccessFault::Misaligned) => ErrorKind::GlobalMisaligned,
            (Space::Global, AccessFault::OutOfRange) => ErrorKind::GlobalRange,
            (Space::Shared, AccessFault::Misaligned) => ErrorKind::SharedMisaligned,
            (Space::Shared, AccessFault::OutOfRange) => ErrorKind::SharedRange,
            (Space::Constant, AccessFault::Misaligned) => ErrorKind::ConstantMisaligned,
            (Space::Constant, AccessFault::OutOfRange) => ErrorKind::ConstantRange,
            (Space::Local, AccessFault::Misaligned) => ErrorKind::LocalMisaligned,
            (Space::Local, AccessFault::OutOfRange) => ErrorKind::LocalRange,
        };
        Cause {
            kind,
            address: Some(address),
        }
    }
}

impl From<Underflow> for Cause {
    fn from(_: Underflow) -> Self {
        Cause::of(ErrorKind::StackUnderflow)
    }
}

/// A memory that can refuse an access.
#[derive(Clone, Copy)]
pub(super) enum Space {
    Global,
    Shared,
    Constant,
    Local,
}
