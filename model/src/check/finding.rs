//! What a checker has found.

use flexgrip_machine::MemorySpace;
use std::collections::BTreeMap;

/// Findings that are kept one by one; those after them are only counted.
const KEPT: usize = 100_000;

/// A thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    /// Linear index of its block.
    pub block: u32,
    /// Its warp in the block.
    pub warp: u32,
    /// Its lane in the warp.
    pub lane: u32,
}

impl Thread {
    /// Its number in the block.
    pub fn in_block(self) -> u32 {
        32 * self.warp + self.lane
    }
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The memory.
    pub space: MemorySpace,
    /// A store, not a load.
    pub store: bool,
    /// Byte address.
    pub address: u32,
    /// Bytes.
    pub bytes: u32,
    /// The index in the launch's regions of the one that the address is computed from; without that, the one that lies
    /// there or, if it is outside of all, the nearest one before it.
    pub region: Option<usize>,
}

/// Where a value that was never written comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A register that the thread has not written.
    Register(u8),
    /// A condition-code register.
    ConditionCode(u8),
    /// An address register.
    Address(u8),
    /// A load from memory.
    Memory {
        /// The memory.
        space: MemorySpace,
        /// Byte address.
        address: u32,
        /// Byte address of the loading instruction.
        pc: u32,
    },
}

/// What becomes of a value that was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// It is stored to global memory.
    Store,
    /// It is an address, or a part of one.
    Address,
    /// It decides which way a thread goes, or whether an access takes place.
    Branch,
}

/// Why a barrier is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarrierFault {
    /// Threads of the group have ended without reaching it.
    Ended,
    /// Threads are on another way through the kernel, or wait at another barrier.
    Elsewhere {
        /// Byte address where the first of them continues.
        pc: u32,
    },
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An access outside the region that its address was computed from, or outside of all.
    OutOfBounds(Accessed),
    /// An address that is not a multiple of the access's size.
    Misaligned(Accessed),
    /// A value that was never written matters.
    Unwritten {
        /// How.
        used: Use,
        /// Where it comes from.
        origin: Origin,
        /// The access that it is stored by or is the address of.
        access: Option<Accessed>,
    },
    /// Two threads access a place in memory, nothing orders them, and one stores.
    Race {
        /// This thread's access.
        access: Accessed,
        /// The other thread,
        other: Thread,
        /// the byte address of its instruction,
        pc: u32,
        /// and whether it stores.
        store: bool,
        /// The lockstep of their warp orders them.
        lockstep: bool,
    },
    /// Not all threads of a group reach a barrier, or not the same one.
    Barrier {
        /// The numbers in the group of the threads that are at the barrier.
        here: Vec<u32>,
        /// The numbers of those that are not.
        missing: Vec<u32>,
        /// Why.
        fault: BarrierFault,
    },
    /// The divisor of an integer division is zero.
    DivisionByZero,
    /// A trap instruction: what the compiler puts where an index is outside an array whose size the source gives.
    Trap,
}

/// What makes a place: the instruction, the kind of the fault, and the other instruction, if there is one.
type Key = (u32, u8, u32);

fn race_key(pc: u32, other: u32, lockstep: bool) -> Key {
    (pc, 6 + u8::from(lockstep), other)
}

/// A mistake that a thread makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The thread; of a barrier one that waits there.
    pub thread: Thread,
    /// Byte address of the instruction.
    pub pc: u32,
    /// What is wrong.
    pub fault: Fault,
}

impl Finding {
    /// True for what works on this machine, though it relies on more than a program should.
    pub fn is_note(&self) -> bool {
        matches!(self.fault, Fault::Race { lockstep: true, .. })
    }

    fn key(&self) -> Key {
        let (kind, other) = match &self.fault {
            Fault::OutOfBounds(access) => (u8::from(access.store), 0),
            Fault::Misaligned(_) => (2, 0),
            Fault::Unwritten { used, .. } => (3 + *used as u8, 0),
            Fault::Race { pc, lockstep, .. } => return race_key(self.pc, *pc, *lockstep),
            Fault::Barrier {
                fault: BarrierFault::Ended,
                ..
            } => (8, 0),
            Fault::Barrier {
                fault: BarrierFault::Elsewhere { pc },
                ..
            } => (9, *pc),
            Fault::DivisionByZero => (10, 0),
            Fault::Trap => (11, 0),
        };
        (self.pc, kind, other)
    }
}

/// The findings of one kind at one place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first one.
    pub first: Finding,
    /// How many there are.
    pub count: u64,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    places: Vec<Place>,
    index: BTreeMap<Key, usize>,
    /// The place of the latest one: the next one is often there, too.
    latest: Option<(Key, usize)>,
    all: Vec<Finding>,
}

impl Findings {
    /// Adds one.
    pub fn add(&mut self, finding: Finding) {
        self.add_with(finding.key(), || finding);
    }

    /// Adds a race with an instruction, made only if it is kept: a kernel that has one may have millions.
    pub(super) fn add_race(&mut self, pc: u32, (other, lockstep): (u32, bool), race: impl FnOnce() -> Finding) {
        self.add_with(race_key(pc, other, lockstep), race);
    }

    fn add_with(&mut self, key: Key, finding: impl FnOnce() -> Finding) {
        let next = self.places.len();
        let place = match self.latest {
            Some((latest, place)) if latest == key => place,
            _ => *self.index.entry(key).or_insert(next),
        };
        self.latest = Some((key, place));
        let known = self.places.get_mut(place).map(|place| place.count += 1).is_some();
        if known && self.all.len() >= KEPT {
            return;
        }
        let finding = finding();
        if !known {
            self.places.push(Place {
                first: finding.clone(),
                count: 1,
            });
        }
        if self.all.len() < KEPT {
            self.all.push(finding);
        }
    }

    /// By place, in the order in which they were found.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// One by one, the first 100,000.
    pub fn all(&self) -> &[Finding] {
        &self.all
    }

    /// How many there are, notes left out.
    pub fn errors(&self) -> u64 {
        let errors = self.places.iter().filter(|place| !place.first.is_note());
        errors.map(|place| place.count).sum()
    }
}
