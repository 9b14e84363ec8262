//! Accesses to memory, lane by lane: bounds, order among threads, and initialised bytes.
//!
//! Usually the addresses of a warp's lanes rise by the same step, a [`Row`]. Then one check covers the bounds of all
//! lanes and, if the accesses are contiguous, their initialised bytes and earlier accesses. All other accesses are
//! checked lane by lane, with the same findings.

use super::at::At;
use super::checker::Checker;
use super::finding::{Accessed, Fault, Finding, Origin, Thread, Use};
use super::shadow::races::{AccessTable, Accessing, Conflict};
use super::shadow::registers::Owner;
use super::shadow::written::Written;
use super::shadow::LaunchShadow;
use crate::lanes::lanes_of;
use crate::memory::Memory;
use flexgrip_isa::Operand;
use flexgrip_machine::{Launch, MemorySpace, Region, RegionKind};
use std::ops::Range;

/// The shadow state of the register that an address is computed from.
pub(super) struct Address {
    /// The operand with the register.
    pub(super) operand: Operand,
    /// The executing lanes with undefined bits in it, and the origin of these bits.
    pub(super) unknown: u32,
    pub(super) origin: Origin,
    /// The regions that it is an address in.
    pub(super) owner: Owner,
}

/// The values that a warp stores.
pub(super) struct Stored<'a> {
    /// The registers, the one with the lowest bytes first.
    pub(super) data: [&'a [u32; 32]; 4],
    /// The undefined bytes of each lane.
    missing: [u16; 32],
    /// The lanes with undefined bytes.
    lanes: u32,
    /// The origin of the undefined bytes.
    origin: Origin,
}

impl Default for Stored<'_> {
    fn default() -> Self {
        Stored {
            data: [&[0; 32]; 4],
            missing: [0; 32],
            lanes: 0,
            origin: Origin::Register(0),
        }
    }
}

impl Stored<'_> {
    /// Marks lanes that may store undefined bytes.
    pub(super) fn undefined(&mut self, lanes: u32, origin: Origin, missing: impl Fn(usize) -> u16) {
        for lane in lanes_of(lanes) {
            self.missing[lane] |= missing(lane);
            if self.missing[lane] != 0 {
                self.lanes |= 1 << lane;
                self.origin = origin;
            }
        }
    }

    /// The value that a lane stores, in the low bytes.
    fn value(&self, lane: usize, bytes: u32) -> u128 {
        let word = |part: usize| u128::from(self.data[part][lane]) << (32 * part);
        (word(0) | word(1) | word(2) | word(3)) & u128::MAX >> (128 - 8 * bytes)
    }
}

/// An access of a warp.
pub(super) struct Accesses<'a> {
    pub(super) block: u32,
    pub(super) warp: u32,
    pub(super) pc: u32,
    pub(super) space: MemorySpace,
    pub(super) bytes: u32,
    pub(super) executed: u32,
    pub(super) addresses: &'a [u32; 32],
    pub(super) address: &'a Address,
    /// The stored values, for a store; operand b of an atomic operation.
    pub(super) stored: Option<Stored<'a>>,
    /// True for an atomic or locked access: two of these do not race.
    pub(super) atomic: bool,
    /// True for an atomic operation, which also loads. If `depends`, its new value depends on the old one.
    pub(super) updates: bool,
    pub(super) depends: bool,
}

/// Addresses that rise or fall by the same step from lane to lane.
#[derive(Clone, Copy)]
struct Row {
    /// The step from lane to lane, modulo 2^32.
    step: u32,
    /// The lowest and the highest address.
    ends: (u32, u32),
}

impl Accesses<'_> {
    /// The addresses of some lanes, if they form a row.
    fn row(&self, lanes: u32) -> Option<Row> {
        let first = lanes.trailing_zeros();
        let (start, last) = (self.at(first)?, 31 - lanes.leading_zeros());
        let second = (lanes & (lanes - 1)).trailing_zeros();
        let step = match self.at(second) {
            None => 0,
            Some(address) if second == first + 1 => address.wrapping_sub(start),
            Some(address) if address == start => 0,
            Some(_) => return None,
        };
        let mut expected = start.wrapping_sub(step.wrapping_mul(first));
        let mut different = 0;
        for (lane, address) in self.addresses.iter().enumerate() {
            let counts = if lanes & 1 << lane != 0 { u32::MAX } else { 0 };
            different |= (address ^ expected) & counts;
            expected = expected.wrapping_add(step);
        }
        let end = i64::from(start) + i64::from(step as i32) * i64::from(last - first);
        let end = u32::try_from(end).ok().filter(|_| different == 0)?;
        Some(Row {
            step,
            ends: (start.min(end), start.max(end)),
        })
    }

    fn at(&self, lane: u32) -> Option<u32> {
        self.addresses.get(lane as usize).copied()
    }

    /// The lanes of a row, if their accesses are contiguous.
    fn run(&self, lanes: u32, row: Row) -> Option<Range<u32>> {
        let range = lanes.trailing_zeros()..32 - lanes.leading_zeros();
        (row.step == self.bytes && range.len() as u32 == lanes.count_ones()).then_some(range)
    }

    fn thread(&self, lane: usize) -> Thread {
        Thread {
            block: self.block,
            warp: self.warp,
            lane: lane as u32,
        }
    }

    /// The access of a lane, for a finding.
    pub(super) fn of(&self, regions: &Regions, lane: usize) -> Accessed {
        let address = self.addresses[lane];
        let owner = match self.address.owner.lane(lane) {
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
    /// True if there are regions in the memory of the access.
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

    /// True in the buffer of `printf`, where the threads of a warp take turns without a barrier.
    fn is_printed(&self, address: u32) -> bool {
        let mut printed = self.all().iter().filter(|region| region.kind == RegionKind::Printf);
        printed.any(|region| region.holds(address, 1))
    }

    /// The region with the address, else the last one before it, else the first one.
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
        let owners = &accesses.address.owner;
        // The region of the lane before is the likely one.
        if let Some(region) = self.all().get(*latest).filter(|_| owners.is_uniform()) {
            if region.holds(address, accesses.bytes) {
                return true;
            }
        }
        let owner = owners.lane(lane);
        if owner != 0 {
            let region = self.all().get(usize::from(owner) - 1);
            if owners.is_uniform() && region.is_some_and(|region| is_in(region, accesses.space)) {
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

    /// True if all accesses of a row are aligned and inside a memory of `size` bytes, and one region contains them. If
    /// false, they may still be correct.
    fn allow_row(&self, accesses: &Accesses, row: Row, size: u32) -> bool {
        let (low, high) = row.ends;
        let Some(bytes) = (high - low).checked_add(accesses.bytes) else {
            return false;
        };
        let inside = u64::from(low) + u64::from(bytes) <= u64::from(size);
        if !inside || (low | row.step) % accesses.bytes != 0 {
            return false;
        }
        let mut regions = self.all().iter().filter(|region| is_in(region, accesses.space));
        match accesses.address.owner.uniform() {
            None => false,
            Some(0) => !self.present || regions.any(|region| region.holds(low, bytes)),
            Some(owner) => self
                .all()
                .get(usize::from(owner) - 1)
                .is_none_or(|region| !is_in(region, accesses.space) || region.holds(low, bytes)),
        }
    }
}

/// The undefined part of the values that a warp loads.
pub(super) struct Loaded {
    /// The undefined bytes of each lane.
    pub(super) missing: [u16; 32],
    /// The lanes with undefined bytes.
    pub(super) unwritten: u32,
    space: MemorySpace,
    addresses: [u32; 32],
    pc: u32,
}

impl LaunchShadow {
    /// The regions of the launch, for accesses to a memory.
    pub(super) fn regions(&self, space: MemorySpace) -> Regions<'_> {
        let present = match space {
            MemorySpace::Global => self.has_global_regions,
            MemorySpace::Shared => self.has_shared_regions,
            MemorySpace::Local => false,
        };
        Regions {
            launch: &self.launch,
            present,
        }
    }
}

impl At<'_> {
    /// Checks an access of a warp and records it.
    pub(super) fn access(&mut self, accesses: &mut Accesses) -> Loaded {
        if accesses.address.unknown != 0 {
            self.unknown_address(accesses.address, Some(accesses));
        }
        if accesses.space == MemorySpace::Global && accesses.stored.as_ref().is_some_and(|stored| stored.lanes != 0) {
            self.undefined_store(accesses);
        }
        let accesses = &*accesses;
        let mut result = Loaded {
            missing: [0; 32],
            unwritten: 0,
            space: accesses.space,
            addresses: *accesses.addresses,
            pc: accesses.pc,
        };
        let memory: &Memory = match accesses.space {
            MemorySpace::Global => self.memories.global,
            MemorySpace::Shared => self.memories.shared,
            MemorySpace::Local => match self.memories.local.first() {
                Some(memory) => memory,
                None => return result,
            },
        };
        // Atomic accesses are checked lane by lane.
        let parts = if accesses.atomic {
            None
        } else {
            self.rows(accesses, memory.size())
        };
        let parts = parts.unwrap_or_else(|| [(self.allowed(accesses, memory.size()), None), (0, None)]);
        let LaunchShadow {
            launch,
            global,
            table,
            findings,
            has_global_regions,
            has_shared_regions,
            ..
        } = &mut *self.launch;
        let [global_order, shared_order] = &self.block.order;
        let (shadow, order, present) = match accesses.space {
            MemorySpace::Global => (global, global_order, *has_global_regions),
            MemorySpace::Shared => (&mut self.block.shared, shared_order, *has_shared_regions),
            MemorySpace::Local => {
                for lane in lanes_of(parts[0].0 | parts[1].0) {
                    if let Some(written) = self.shadow.local.get_mut(lane) {
                        result.touch(written, accesses, lane);
                    }
                }
                return result;
            }
        };
        let place = (accesses.block, accesses.warp, accesses.pc);
        let by = Accessing::new(table, &mut self.shadow.recent, order, place, accesses.atomic);
        let regions = Regions { launch, present };
        let mut conflict = |lane: u32, address: u32, conflict: Conflict| {
            let lane = lane as usize;
            if !regions.is_printed(address) && !same_value(accesses, lane, &conflict, memory) {
                let lockstep = conflict.same_warp && together(accesses, lane, &conflict).is_none();
                findings.add_race(accesses.pc, (conflict.pc, lockstep), || Finding {
                    thread: accesses.thread(lane),
                    pc: accesses.pc,
                    fault: Fault::Race {
                        access: Accessed {
                            address,
                            bytes: accesses.bytes.min(4),
                            ..accesses.of(&regions, lane)
                        },
                        other: conflict.thread,
                        pc: conflict.pc,
                        store: conflict.store,
                        lockstep,
                    },
                });
            }
        };
        let kind = (accesses.bytes, accesses.stored.is_some());
        for (lanes, row) in parts {
            let run = row.and_then(|row| Some((row.ends.0, accesses.run(lanes, row)?)));
            let same = row.filter(|row| row.step == 0 && accesses.stored.is_none());
            let start = run.as_ref().map(|(start, _)| *start);
            if same.is_none_or(|row| shadow.written.missing(row.ends.0, accesses.bytes) != 0) {
                result.touch_lanes(&mut shadow.written, accesses, lanes, start);
            }
            match (run, same) {
                (Some((start, lanes)), _) => shadow.races.access_run(table, &by, start, lanes, kind, &mut conflict),
                (None, Some(row)) => {
                    let at = (row.ends.0, lanes);
                    shadow.races.load_same(table, &by, at, accesses.bytes, &mut conflict);
                }
                (None, None) => {
                    for lane in lanes_of(lanes) {
                        let at = (accesses.addresses[lane], lane as u32);
                        shadow.races.access(table, &by, at, kind, &mut conflict);
                    }
                }
            }
        }
        result
    }

    /// The lanes as one row or as two halves, as accesses by groups of 16 form; `None` if they are neither, or if some
    /// accesses may be wrong.
    fn rows(&self, accesses: &Accesses, size: u32) -> Option<[(u32, Option<Row>); 2]> {
        let regions = self.launch.regions(accesses.space);
        let allowed = |row: &Row| {
            // The header and the parameters have separate rules.
            let parameters = accesses.space == MemorySpace::Shared && row.ends.0 < self.launch.parameters_end();
            !parameters && regions.allow_row(accesses, *row, size)
        };
        let whole = [accesses.executed, 0];
        let halves = [accesses.executed & 0xffff, accesses.executed & 0xffff_0000];
        [whole, halves].into_iter().find_map(|parts| {
            let mut rows = parts.map(|lanes| (lanes, None));
            for (lanes, row) in rows.iter_mut().filter(|(lanes, _)| *lanes != 0) {
                *row = Some(accesses.row(*lanes).filter(allowed)?);
            }
            Some(rows)
        })
    }

    /// The lanes with an access that is aligned and inside its memory and its region. The others are reported.
    #[inline(never)]
    fn allowed(&mut self, accesses: &Accesses, size: u32) -> u32 {
        let mut latest = usize::MAX;
        let mut allowed = 0;
        for lane in lanes_of(accesses.executed) {
            let address = accesses.addresses[lane];
            let end = u64::from(address) + u64::from(accesses.bytes);
            let regions = self.launch.regions(accesses.space);
            let fault = if address % accesses.bytes != 0 {
                Fault::Misaligned(accesses.of(&regions, lane))
            } else if end > u64::from(size)
                || !self.is_parameter(accesses, address) && !regions.allow(accesses, lane, &mut latest)
            {
                Fault::OutOfBounds(accesses.of(&regions, lane))
            } else {
                allowed |= 1 << lane;
                continue;
            };
            self.add(lane, fault);
        }
        allowed
    }

    /// True for the bytes of shared memory that may be accessed outside of regions: the header and the parameters.
    fn is_parameter(&self, accesses: &Accesses, address: u32) -> bool {
        accesses.space == MemorySpace::Shared
            && address.saturating_add(accesses.bytes) <= self.launch.parameters_end()
            && self.block.shared.written.missing(address, accesses.bytes) == 0
    }

    /// Reports undefined values that are stored to global memory, except in lanes that write some bytes of a register
    /// and leave others undefined, as copies of structs with padding do; the undefined bytes stay undefined in memory.
    #[inline(never)]
    fn undefined_store(&mut self, accesses: &mut Accesses) {
        let bytes = accesses.bytes;
        let whole = |missing: u16| match bytes {
            1 | 2 => missing != 0,
            _ => (0..4).any(|part| missing >> (4 * part) & 15 == 15),
        };
        let Some(stored) = &accesses.stored else {
            return;
        };
        let told = lanes_of(stored.lanes).filter(|lane| whole(stored.missing[*lane]));
        let told = told.fold(0, |lanes, lane| lanes | 1 << lane);
        for lane in lanes_of(told) {
            let fault = Fault::Unwritten {
                used: Use::Store,
                origin: stored.origin,
                access: Some(accesses.of(&self.launch.regions(accesses.space), lane)),
            };
            self.add(lane, fault);
        }
        if let Some(stored) = &mut accesses.stored {
            lanes_of(told).for_each(|lane| stored.missing[lane] = 0);
            stored.lanes &= !told;
        }
    }
}

impl Loaded {
    /// The origin of the undefined bits that a lane has loaded.
    pub(super) fn origin(&self, lane: usize) -> Origin {
        Origin::Memory {
            space: self.space,
            address: self.addresses[lane],
            pc: self.pc,
        }
    }

    /// Records the bytes that some lanes load or store. `run`: the first address, if these are all executing lanes, and
    /// their accesses are contiguous.
    fn touch_lanes(&mut self, written: &mut Written, accesses: &Accesses, lanes: u32, run: Option<u32>) {
        if let Some(start) = run {
            let start = start as usize;
            let range = start..start + (accesses.bytes * lanes.count_ones()) as usize;
            match &accesses.stored {
                Some(stored) if stored.lanes == 0 => return written.mark(range),
                None if written.all(range) => return,
                _ => {}
            }
        }
        for lane in lanes_of(lanes) {
            self.touch(written, accesses, lane);
        }
    }

    #[inline]
    fn touch(&mut self, written: &mut Written, accesses: &Accesses, lane: usize) {
        let address = accesses.addresses[lane];
        match &accesses.stored {
            Some(stored) if !accesses.updates => written.write(address, accesses.bytes, stored.missing[lane]),
            stored => {
                let missing = written.missing(address, accesses.bytes);
                if missing != 0 {
                    self.missing[lane] = missing;
                    self.unwritten |= 1 << lane;
                }
                if let Some(stored) = stored {
                    let kept = if accesses.depends { missing } else { 0 };
                    written.write(address, accesses.bytes, stored.missing[lane] | kept);
                }
            }
        }
    }
}

/// True for two stores of the same value, which are harmless.
fn same_value(accesses: &Accesses, lane: usize, conflict: &Conflict, memory: &Memory) -> bool {
    let Some(stored) = accesses.stored.as_ref().filter(|_| conflict.store && !accesses.atomic) else {
        return false;
    };
    let value = stored.value(lane, accesses.bytes);
    match together(accesses, lane, conflict) {
        Some(other) => stored.value(other, accesses.bytes) == value,
        None => memory.read(accesses.addresses[lane], accesses.bytes) == Ok(value),
    }
}

/// The other lane, if it has stored to the same address in the same execution of the instruction.
fn together(accesses: &Accesses, lane: usize, conflict: &Conflict) -> Option<usize> {
    let other = conflict.thread.lane as usize;
    let same = conflict.same_warp && conflict.store && conflict.pc == accesses.pc && other < lane;
    (same && accesses.executed >> other & 1 != 0 && accesses.addresses[other] == accesses.addresses[lane])
        .then_some(other)
}

impl AccessTable {
    /// Drops unused table entries while warps run.
    pub(super) fn make_room(checker: &mut Checker) {
        let LaunchShadow { table, global, .. } = &mut checker.launch;
        if !table.crowded() {
            return;
        }
        let shared = checker.blocks.values_mut().map(|(block, _)| &mut block.shared.races);
        table.collect(std::iter::once(&mut global.races).chain(shared));
        for warp in checker.blocks.values_mut().flat_map(|(_, warps)| warps) {
            warp.recent.forget();
        }
    }
}
