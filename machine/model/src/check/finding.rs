//! The findings of a checker.

use flexgrip_machine::MemorySpace;
use std::collections::BTreeMap;

/// The maximum number of findings that are stored; further ones are only counted.
const KEPT: usize = 100_000;

/// A thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    /// Linear index of the thread's block.
    pub block: u32,
    /// The index of its warp in the block.
    pub warp: u32,
    /// Its lane in the warp.
    pub lane: u32,
}

impl Thread {
    /// The thread's number in the block.
    pub fn in_block(self) -> u32 {
        32 * self.warp + self.lane
    }
}

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The memory that is accessed.
    pub space: MemorySpace,
    /// True for a store, false for a load.
    pub store: bool,
    /// Byte address.
    pub address: u32,
    /// The size in bytes.
    pub bytes: u32,
    /// The index of a region in the launch's regions: the region that the address is computed from; if unknown, the
    /// region with the address, or the nearest one before it.
    pub region: Option<usize>,
}

/// The origin of an undefined value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An unwritten register.
    Register(u8),
    /// An unwritten condition-code register.
    ConditionCode(u8),
    /// An unwritten address register.
    Address(u8),
    /// A load from unwritten memory.
    Memory {
        /// The memory that the value was loaded from.
        space: MemorySpace,
        /// Byte address.
        address: u32,
        /// Byte address of the loading instruction.
        pc: u32,
    },
}

/// The use of an undefined value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// The value is stored to global memory.
    Store,
    /// The value is an address, or a part of one.
    Address,
    /// The value decides a branch, or whether an access is executed.
    Branch,
}

/// The reason why a barrier is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BarrierFault {
    /// Threads of the group have ended without reaching it.
    Ended,
    /// Threads are on another path through the kernel, or wait at another barrier.
    Elsewhere {
        /// Byte address where the first of them continues.
        pc: u32,
    },
}

/// The kind of a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An access outside the region that its address was computed from, or outside all regions.
    OutOfBounds(Accessed),
    /// An address that is not a multiple of the access's size.
    Misaligned(Accessed),
    /// An undefined value is used.
    Unwritten {
        /// The use of the uninitialised value.
        used: Use,
        /// The origin of the undefined bits.
        origin: Origin,
        /// The access that stores the value or has it as its address.
        access: Option<Accessed>,
    },
    /// Two threads access the same address, unordered, and at least one of them stores.
    Race {
        /// This thread's access.
        access: Accessed,
        /// The thread with the conflicting access.
        other: Thread,
        /// The byte address of the other thread's instruction.
        pc: u32,
        /// True if the other thread stores.
        store: bool,
        /// True if both threads are in one warp, so that lockstep orders them.
        lockstep: bool,
    },
    /// Not all threads of a group reach a barrier, or not the same one.
    Barrier {
        /// The numbers in the group of the threads that are at the barrier.
        here: Vec<u32>,
        /// The numbers of the threads that are not at the barrier.
        missing: Vec<u32>,
        /// The reason.
        fault: BarrierFault,
    },
    /// The divisor of an integer division is zero.
    DivisionByZero,
    /// A trap instruction: the compiler emits one for an index outside an array whose size the source gives.
    Trap,
}

/// The key of a group: the instruction, the kind of the fault, and the other instruction, if there is one.
type Key = (u32, u8, u32);

fn race_key(pc: u32, other: u32, lockstep: bool) -> Key {
    (pc, 6 + u8::from(lockstep), other)
}

/// A mistake of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The thread; for a barrier, a thread that waits there.
    pub thread: Thread,
    /// Byte address of the instruction.
    pub pc: u32,
    /// The mistake.
    pub fault: Fault,
}

impl Finding {
    /// True for a mistake without effect on this machine, which guarantees more than a program should rely on.
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

/// The findings of one kind at one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingGroup {
    /// The first finding of the group.
    pub first: Finding,
    /// The number of findings.
    pub count: u64,
}

/// All findings of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    groups: Vec<FindingGroup>,
    index: BTreeMap<Key, usize>,
    /// The index of the latest finding's group: the next finding is often in the same group.
    latest: Option<(Key, usize)>,
    all: Vec<Finding>,
}

impl Findings {
    /// Adds a finding to its group.
    pub fn add(&mut self, finding: Finding) {
        self.add_with(finding.key(), || finding);
    }

    /// Adds a race with an instruction. The finding is made only if it is stored: a kernel with a race may have
    /// millions.
    pub(super) fn add_race(&mut self, pc: u32, (other, lockstep): (u32, bool), race: impl FnOnce() -> Finding) {
        self.add_with(race_key(pc, other, lockstep), race);
    }

    fn add_with(&mut self, key: Key, finding: impl FnOnce() -> Finding) {
        let next = self.groups.len();
        let group = match self.latest {
            Some((latest, group)) if latest == key => group,
            _ => *self.index.entry(key).or_insert(next),
        };
        self.latest = Some((key, group));
        let known = self.groups.get_mut(group).map(|group| group.count += 1).is_some();
        if known && self.all.len() >= KEPT {
            return;
        }
        let finding = finding();
        if !known {
            self.groups.push(FindingGroup {
                first: finding.clone(),
                count: 1,
            });
        }
        if self.all.len() < KEPT {
            self.all.push(finding);
        }
    }

    /// The findings by group, in the order of discovery.
    pub fn groups(&self) -> &[FindingGroup] {
        &self.groups
    }

    /// The findings one by one, the first 100,000.
    pub fn all(&self) -> &[Finding] {
        &self.all
    }

    /// The number of findings, without notes.
    pub fn errors(&self) -> u64 {
        let errors = self.groups.iter().filter(|group| !group.first.is_note());
        errors.map(|group| group.count).sum()
    }
}
