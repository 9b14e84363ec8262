//! Accesses to memory, lane by lane: bounds, order among threads, and which bytes hold something.

use super::finding::{Accessed, Fault, Finding, Findings, Origin, Thread};
use super::order::Order;
use super::races::{AccessTable, Accessing, Conflict};
use super::registers::Owner;
use super::written::Written;
use super::{BlockShadow, Checker, SharedShadow};
use crate::execute::{lanes_of, Memories};
use crate::memory::Memory;
use flexgrip_machine::{Launch, MemorySpace, Region};

/// An access of a warp.
pub(super) struct Accesses<'a> {
    pub(super) block: u32,
    pub(super) warp: u32,
    pub(super) pc: u32,
    pub(super) space: MemorySpace,
    pub(super) bytes: u32,
    pub(super) executed: u32,
    pub(super) addresses: &'a [u32; 32],
    /// The region that each address was computed from.
    pub(super) owner: &'a Owner,
    /// What each lane stores, if it does, and the bytes of it that hold nothing.
    pub(super) stored: Option<(&'a [u128; 32], &'a [u16; 32])>,
}

impl Accesses<'_> {
    fn thread(&self, lane: usize) -> Thread {
        Thread {
            block: self.block,
            warp: self.warp,
            lane: lane as u32,
        }
    }

    /// A lane's access, for a finding.
    pub(super) fn of(&self, regions: &Regions, lane: usize) -> Accessed {
        let address = self.addresses[lane];
        let owner = match self.owner.lane(lane) {
            0 => regions.nearest(self.space, address),
            owner => Some(usize::from(owner) - 1),
        };
        Accessed {
            space: self.space,
            store: self.stored.is_some(),
            address,
            bytes: self.bytes,
            region: owner,
        }
    }
}

/// The regions of a launch.
pub(super) struct Regions<'a> {
    launch: &'a Launch,
    /// If some are in the memory of the access.
    present: bool,
}

fn is_in(region: &Region, space: MemorySpace) -> bool {
    match space {
        MemorySpace::Global => region.is_global(),
        MemorySpace::Shared => region.is_shared(),
        MemorySpace::Local => !region.is_global() && !region.is_shared(),
    }
}

impl Regions<'_> {
    fn all(&self) -> &[Region] {
        &self.launch.facts.regions
    }

    /// The region that an address lies in, else the last one before it, else the first one.
    fn nearest(&self, space: MemorySpace, address: u32) -> Option<usize> {
        let all = || self.all().iter().enumerate().filter(|(_, region)| is_in(region, space));
        let inside = all().find(|(_, region)| region.holds(address, 1));
        let before = || {
            all()
                .filter(|(_, region)| region.address <= address)
                .max_by_key(|(_, region)| region.address)
        };
        let first = || all().min_by_key(|(_, region)| region.address);
        inside.or_else(before).or_else(first).map(|(index, _)| index)
    }

    /// True if a lane's access stays inside its region. `latest` is the region of the lane before.
    #[inline]
    fn allow(&self, accesses: &Accesses, lane: usize, latest: &mut usize) -> bool {
        let address = accesses.addresses[lane];
        // The lane before has looked up its region already.
        if let Some(region) = self.all().get(*latest).filter(|_| accesses.owner.is_uniform()) {
            if region.holds(address, accesses.bytes) {
                return true;
            }
        }
        let owner = accesses.owner.lane(lane);
        if owner != 0 {
            let region = self.all().get(usize::from(owner) - 1);
            if accesses.owner.is_uniform() && region.is_some_and(|region| is_in(region, accesses.space)) {
                *latest = usize::from(owner) - 1;
            }
            return region.is_none_or(|region| !is_in(region, accesses.space) || region.holds(address, accesses.bytes));
        }
        if !self.present {
            return true;
        }
        let found = self
            .all()
            .iter()
            .position(|region| is_in(region, accesses.space) && region.holds(address, accesses.bytes));
        *latest = found.unwrap_or(usize::MAX);
        found.is_some()
    }
}

/// What an access to shared memory may also reach: the header and the parameters.
fn is_parameter(space: MemorySpace, written: &Written, launch: &Launch, address: u32, bytes: u32) -> bool {
    let end = flexgrip_machine::sizes::PARAMETERS_AT + 4 * launch.params.len() as u32;
    space == MemorySpace::Shared && address.saturating_add(bytes) <= end && written.missing(address, bytes) == 0
}

/// The lanes whose access the machine executes, and for each the bytes of what it loads that hold nothing.
pub(super) struct Loaded {
    pub(super) lanes: u32,
    pub(super) missing: [u16; 32],
    /// The lanes that have such bytes.
    pub(super) unwritten: u32,
}

impl Checker {
    pub(super) fn regions<'a>(launch: &'a Launch, (global, shared): (bool, bool), space: MemorySpace) -> Regions<'a> {
        let present = match space {
            MemorySpace::Global => global,
            MemorySpace::Shared => shared,
            MemorySpace::Local => false,
        };
        Regions { launch, present }
    }

    /// Checks a warp's access and notes it.
    pub(super) fn access(&mut self, accesses: &Accesses, memories: &Memories<'_>) -> Loaded {
        let present = (self.has_global_regions, self.has_shared_regions);
        let Checker {
            launch,
            global,
            blocks,
            table,
            findings,
            ..
        } = self;
        let regions = Checker::regions(launch, present, accesses.space);
        let mut result = Loaded {
            lanes: 0,
            missing: [0; 32],
            unwritten: 0,
        };
        let Some(block) = blocks.get_mut(&accesses.block) else {
            return result;
        };
        let BlockShadow {
            shared, warps, order, ..
        } = block;
        let Some(warp) = warps.get_mut(accesses.warp as usize) else {
            return result;
        };
        let memory: &Memory = match accesses.space {
            MemorySpace::Global => memories.global,
            MemorySpace::Shared => memories.shared,
            MemorySpace::Local => match memories.local.first() {
                Some(memory) => memory,
                None => return result,
            },
        };
        let mut latest = usize::MAX;
        for lane in lanes_of(accesses.executed) {
            let address = accesses.addresses[lane];
            let end = u64::from(address) + u64::from(accesses.bytes);
            let parameter = is_parameter(accesses.space, &shared.written, launch, address, accesses.bytes);
            if address % accesses.bytes != 0 {
                report(findings, accesses, lane, Fault::Misaligned(accesses.of(&regions, lane)));
            } else if end > u64::from(memory.size()) || !parameter && !regions.allow(accesses, lane, &mut latest) {
                report(
                    findings,
                    accesses,
                    lane,
                    Fault::OutOfBounds(accesses.of(&regions, lane)),
                );
            } else {
                result.lanes |= 1 << lane;
            }
        }
        if accesses.space == MemorySpace::Local {
            for lane in lanes_of(result.lanes) {
                if let Some(written) = warp.local.get_mut(lane) {
                    result.touch(written, accesses, lane);
                }
            }
            return result;
        }
        let [global_order, shared_order] = order;
        let (memory_shadow, order): (&mut SharedShadow, &Order) = match accesses.space {
            MemorySpace::Global => (global, global_order),
            _ => (shared, shared_order),
        };
        let place = (accesses.block, accesses.warp, accesses.pc);
        let by = Accessing::new(table, &mut warp.recent, order, place);
        for lane in lanes_of(result.lanes) {
            result.touch(&mut memory_shadow.written, accesses, lane);
            let mut conflict = |address: u32, conflict: Conflict| {
                if !same_value(accesses, lane, &conflict, memory) {
                    let fault = race(accesses, &regions, lane, address, conflict);
                    report(findings, accesses, lane, fault);
                }
            };
            let span = (accesses.addresses[lane], accesses.bytes);
            let kind = (lane as u32, accesses.stored.is_some());
            memory_shadow.races.access(table, &by, span, kind, &mut conflict);
        }
        result
    }
}

impl Loaded {
    #[inline]
    fn touch(&mut self, written: &mut Written, accesses: &Accesses, lane: usize) {
        let address = accesses.addresses[lane];
        match accesses.stored {
            Some((_, missing)) => written.write(address, accesses.bytes, missing[lane]),
            None => {
                let missing = written.missing(address, accesses.bytes);
                if missing != 0 {
                    self.missing[lane] = missing;
                    self.unwritten |= 1 << lane;
                }
            }
        }
    }
}

fn report(findings: &mut Findings, accesses: &Accesses, lane: usize, fault: Fault) {
    findings.add(Finding {
        thread: accesses.thread(lane),
        pc: accesses.pc,
        fault,
    });
}

/// True for two stores of the same value, which are harmless.
fn same_value(accesses: &Accesses, lane: usize, conflict: &Conflict, memory: &Memory) -> bool {
    let Some((data, _)) = accesses.stored.filter(|_| conflict.store) else {
        return false;
    };
    let mask = u128::MAX >> (128 - 8 * accesses.bytes);
    let address = accesses.addresses[lane];
    if let Some(other) = together(accesses, lane, conflict) {
        return data[other] & mask == data[lane] & mask;
    }
    memory.read(address, accesses.bytes) == Ok(data[lane] & mask)
}

/// The other lane, if it has stored to the same address by the same execution of the instruction.
fn together(accesses: &Accesses, lane: usize, conflict: &Conflict) -> Option<usize> {
    let other = conflict.thread.lane as usize;
    let same = conflict.same_warp && conflict.store && conflict.pc == accesses.pc && other < lane;
    (same && accesses.executed >> other & 1 != 0 && accesses.addresses[other] == accesses.addresses[lane])
        .then_some(other)
}

fn race(accesses: &Accesses, regions: &Regions, lane: usize, address: u32, conflict: Conflict) -> Fault {
    let access = Accessed {
        address,
        bytes: accesses.bytes.min(4),
        ..accesses.of(regions, lane)
    };
    Fault::Race {
        access,
        other: conflict.thread,
        pc: conflict.pc,
        store: conflict.store,
        lockstep: conflict.same_warp && together(accesses, lane, &conflict).is_none(),
    }
}

/// The origin of what a lane has loaded.
pub(super) fn loaded_from(accesses: &Accesses, lane: usize) -> Origin {
    Origin::Memory {
        space: accesses.space,
        address: accesses.addresses[lane],
        pc: accesses.pc,
    }
}

impl AccessTable {
    /// Makes room while warps still run.
    pub(super) fn make_room(checker: &mut Checker) {
        if !checker.table.crowded() {
            return;
        }
        let shared = checker.blocks.values_mut().map(|block| &mut block.shared.races);
        let memories = std::iter::once(&mut checker.global.races).chain(shared);
        checker.table.collect(memories);
        for warp in checker.blocks.values_mut().flat_map(|block| &mut block.warps) {
            warp.recent.forget();
        }
    }
}
