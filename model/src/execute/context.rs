//! The context of an instruction: the memories, the recorder of its effects, and its faults.

use crate::block::Block;
use crate::memory::{AccessFault, ConstantMemory, Memory};
use crate::program::Fetched;
use crate::stack::Underflow;
use crate::warp::Warp;
use flexgrip_machine::{
    AddressWrite, BarrierEffect, CcWrite, ErrorKind, MemoryEffect, Next, RegisterWrite, StackOperation,
};

/// One value per lane.
pub(crate) type Lanes = [u32; 32];

/// What is not there reads as 0.
pub(super) const NO_LANES: Lanes = [0; 32];

/// The memories that an instruction of a block can access.
pub(crate) struct Memories<'a> {
    pub global: &'a mut Memory,
    pub constant: &'a ConstantMemory,
    pub shared: &'a mut Memory,
    /// The local memories of the warp's threads.
    pub local: &'a mut [Memory],
    pub surroundings: Surroundings,
}

/// Where and when an instruction runs, as special registers report it.
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

/// Why an instruction could not be executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub kind: ErrorKind,
    pub word: u64,
    pub address: Option<u32>,
}

/// Records the effects of an instruction: a run without an observer uses `()` and pays nothing.
pub(crate) trait Recorder {
    /// Before an instruction, with everything as the instruction finds it.
    fn inspect(&mut self, _warp: &Warp, _fetched: &Fetched, _executed: u32, _memories: &Memories<'_>) {}
    /// After an instruction and its effect on the block.
    fn done(&mut self, _block: &Block) {}
    fn begin(&mut self, _pc: u32, _word: u64, _active: u32, _executed: u32) {}
    fn register(&mut self, _write: impl FnOnce() -> RegisterWrite) {}
    fn cc(&mut self, _write: impl FnOnce() -> CcWrite) {}
    fn address(&mut self, _write: impl FnOnce() -> AddressWrite) {}
    fn post_increment(&mut self, _write: impl FnOnce() -> AddressWrite) {}
    fn memory(&mut self, _effect: MemoryEffect) {}
    fn stack(&mut self, _operation: StackOperation) {}
    fn barrier(&mut self, _effect: BarrierEffect) {}
    fn next(&mut self, _next: Next) {}
}

impl Recorder for () {}

/// The lanes of a mask, lowest first.
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        Some(lane as usize)
    })
}

/// Calls `function` with each lane of a mask, lowest first.
#[inline(always)]
pub(super) fn for_lanes(mask: u32, mut function: impl FnMut(usize)) {
    let mut rest = mask;
    // Neighbouring lanes in one loop, which the compiler makes vector code of if it can. It is the only call of `function`:
    // with a second one it would not become a part of the loop.
    while rest != 0 {
        let first = rest.trailing_zeros() as usize;
        let behind = (first + (rest >> first).trailing_ones() as usize).min(32);
        for lane in first..behind {
            function(lane);
        }
        rest &= u32::MAX.checked_shl(behind as u32).unwrap_or(0);
    }
}

/// An error of one instruction, before its word is known.
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
