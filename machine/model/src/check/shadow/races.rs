//! Race detection: the last accesses to each word of a memory, a store and two loads after it.
//!
//! An access is stored as four bytes, the index of an [`Access`] and the lane. All lanes of a warp that execute an
//! instruction share an `Access`, and so do all iterations of a loop between two barriers. Of the loads since the last
//! store two are enough: any store by another thread conflicts with one of them. A page has an entry for each word, and
//! from the first access of less than a word on for each byte.

use super::order::Order;
use crate::check::finding::Thread;
use crate::lanes::lanes_of;

/// Words of a page.
const PAGE: usize = 256;

/// Bytes of a page.
const PAGE_BYTES: usize = 4 * PAGE;

/// The number of entries in the table at which entries that no memory refers to are dropped.
const CROWDED: usize = 1 << 22;

/// The accesses of a warp's lanes by one instruction between two barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    block: u32,
    epoch: u32,
    /// Byte address of the instruction in the upper bits, the warp in the lower 8.
    place: u32,
    /// True for an atomic operation or an access under a lock: two of these do not conflict.
    atomic: bool,
}

impl Access {
    fn warp(self) -> u32 {
        self.place & 0xff
    }
}

/// A reference to an access and a lane; 0 means no access.
type Stamp = u32;

/// The accesses that memories refer to.
#[derive(Clone, Debug)]
pub(crate) struct AccessTable {
    entries: Vec<Access>,
    /// The number of entries at which unused ones are dropped.
    limit: usize,
}

impl Default for AccessTable {
    fn default() -> Self {
        let none = Access {
            block: 0,
            epoch: 0,
            place: 0,
            atomic: false,
        };
        AccessTable {
            entries: vec![none],
            limit: CROWDED,
        }
    }
}

impl AccessTable {
    pub(crate) fn crowded(&self) -> bool {
        self.entries.len() >= self.limit
    }

    fn of(&self, stamp: Stamp) -> Access {
        self.entries[(stamp >> 5) as usize]
    }

    fn add(&mut self, access: Access) -> u32 {
        self.entries.push(access);
        (self.entries.len() - 1) as u32
    }

    /// Drops the entries that no memory refers to. Stamps kept anywhere else become invalid.
    pub(crate) fn collect<'a>(&mut self, memories: impl Iterator<Item = &'a mut Races>) {
        let mut kept = AccessTable::default();
        let mut moved = vec![0; self.entries.len()];
        for memory in memories {
            for stamp in memory.stamps() {
                let old = (*stamp >> 5) as usize;
                if old != 0 && moved[old] == 0 {
                    moved[old] = kept.add(self.entries[old]);
                }
                *stamp = moved[old] << 5 | *stamp & 31;
            }
        }
        // Doubled, so that a memory that needs all entries is not searched again and again.
        kept.limit = CROWDED.max(2 * kept.entries.len());
        *self = kept;
    }
}

/// The indices of a warp's latest accesses, by instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recent {
    epoch: u32,
    places: [(u32, u32); 8],
}

impl Recent {
    /// Clears the indices, after they have been reassigned.
    pub(crate) fn forget(&mut self) {
        self.places = Default::default();
    }
}

/// The context of an access under check.
pub(crate) struct Accessing<'a> {
    block: u32,
    warp: u32,
    /// The vector clock of the accessing warp, see [`Order::known`].
    known: &'a [u32],
    index: u32,
    atomic: bool,
}

impl<'a> Accessing<'a> {
    pub(crate) fn new(
        table: &mut AccessTable,
        recent: &mut Recent,
        order: &'a Order,
        (block, warp, pc): (u32, u32, u32),
        atomic: bool,
    ) -> Self {
        let epoch = order.clock(warp);
        if recent.epoch != epoch {
            *recent = Recent {
                epoch,
                ..Recent::default()
            };
        }
        let place = &mut recent.places[(pc >> 3) as usize % 8];
        if place.1 == 0 || place.0 != pc {
            let place_in_code = pc << 8 | warp & 0xff;
            *place = (
                pc,
                table.add(Access {
                    block,
                    epoch,
                    place: place_in_code,
                    atomic,
                }),
            );
        }
        Accessing {
            block,
            warp,
            known: order.known(warp),
            index: place.1,
            atomic,
        }
    }

    fn stamp(&self, lane: u32) -> Stamp {
        self.index << 5 | lane
    }

    /// True for an access of the accessing warp.
    fn is_of_warp(&self, table: &AccessTable, stamp: Stamp) -> bool {
        let access = table.of(stamp);
        stamp != 0 && access.block == self.block && access.warp() == self.warp
    }

    /// True for an access that a barrier orders before this one.
    fn is_before(&self, other: Access) -> bool {
        let known = self.known.get(other.warp() as usize);
        other.block == self.block && known.is_some_and(|known| other.epoch < *known)
    }

    /// True for an access of the same lane, or one that a barrier orders before this one.
    fn ordered(&self, other: Access, stamp: Stamp, lane: u32) -> bool {
        other.block == self.block && other.warp() == self.warp && stamp & 31 == lane || self.is_before(other)
    }

    /// True if this access is from another block than two accesses from one block, or from another warp than two from
    /// one warp.
    fn is_new(&self, first: Access, second: Access) -> bool {
        let new_block = first.block == second.block && self.block != first.block;
        let new_warp = (first.block, first.warp()) == (second.block, second.warp()) && self.warp != first.warp();
        new_block || new_warp
    }
}

/// The last accesses to a word, or to a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell {
    store: Stamp,
    loads: [Stamp; 2],
}

impl Cell {
    fn stored(store: Stamp) -> Cell {
        Cell { store, loads: [0; 2] }
    }

    fn stamps(&self) -> [Stamp; 3] {
        [self.store, self.loads[0], self.loads[1]]
    }
}

/// The cells of [`PAGE`] words, one for each word or each byte.
#[derive(Clone, Debug)]
struct Page {
    cells: Box<[Cell]>,
    bytes: bool,
}

impl Default for Page {
    fn default() -> Self {
        Page {
            cells: vec![Cell::default(); PAGE].into(),
            bytes: false,
        }
    }
}

impl Page {
    /// Makes a cell for each byte.
    #[inline(never)]
    fn split(&mut self) {
        self.cells = self.cells.iter().flat_map(|cell| [*cell; 4]).collect();
        self.bytes = true;
    }
}

/// An access that conflicts with the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) thread: Thread,
    pub(crate) pc: u32,
    pub(crate) store: bool,
    /// True for a store by another lane of the same warp.
    pub(crate) same_warp: bool,
    /// The other access.
    stamp: Stamp,
}

/// The callback for a conflict: the accessing lane, and the address.
pub(crate) type Report<'a> = dyn FnMut(u32, u32, Conflict) + 'a;

/// The last accesses to a memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    pages: Vec<Option<Page>>,
}

impl Races {
    pub(crate) fn new(bytes: usize) -> Self {
        let mut pages = Vec::new();
        pages.resize_with(bytes.div_ceil(PAGE_BYTES), || None);
        Races { pages }
    }

    fn stamps(&mut self) -> impl Iterator<Item = &mut Stamp> {
        let cells = self.pages.iter_mut().flatten().flat_map(|page| page.cells.iter_mut());
        cells.flat_map(|cell| {
            let [first, second] = &mut cell.loads;
            [&mut cell.store, first, second]
        })
    }

    /// Records an aligned access of a lane of `bytes` bytes. A conflicting access of each word is passed to `report`.
    #[inline]
    pub(crate) fn access(
        &mut self,
        table: &AccessTable,
        by: &Accessing,
        (address, lane): (u32, u32),
        (bytes, store): (u32, bool),
        report: &mut Report,
    ) {
        if let Some((cells, size)) = self.cells(address, bytes, bytes) {
            access_cells(cells, table, by, (address, lane), (size, store), report);
        }
    }

    /// Records loads of all lanes of a mask from one aligned address. Equivalent to a call of [`Races::access`] for
    /// each lane.
    pub(crate) fn load_same(
        &mut self,
        table: &AccessTable,
        by: &Accessing,
        (address, lanes): (u32, u32),
        bytes: u32,
        report: &mut Report,
    ) {
        let Some((cells, size)) = self.cells(address, bytes, bytes) else {
            return;
        };
        for lane in lanes_of(lanes) {
            if cells.iter().all(|cell| settled(cell, table, by)) {
                return;
            }
            access_cells(cells, table, by, (address, lane as u32), (size, false), report);
        }
    }

    /// The cells of `bytes` bytes from an aligned address on, or to the end of their page, and the bytes of each cell,
    /// for accesses of `each` bytes.
    #[inline]
    fn cells(&mut self, address: u32, bytes: u32, each: u32) -> Option<(&mut [Cell], u32)> {
        let at = address as usize;
        let page = self.pages.get_mut(at / PAGE_BYTES)?.get_or_insert_with(Page::default);
        if each < 4 && !page.bytes {
            page.split();
        }
        let size = if page.bytes { 1 } else { 4 };
        let first = at % PAGE_BYTES / size as usize;
        let end = page.cells.len().min(first + (bytes / size) as usize);
        Some((page.cells.get_mut(first..end)?, size))
    }

    /// Records contiguous accesses of consecutive lanes, from an aligned address on. Equivalent to a call of
    /// [`Races::access`] for each lane.
    pub(crate) fn access_run(
        &mut self,
        table: &AccessTable,
        by: &Accessing,
        mut address: u32,
        mut lanes: std::ops::Range<u32>,
        (bytes, store): (u32, bool),
        report: &mut Report,
    ) {
        while !lanes.is_empty() {
            let Some((cells, size)) = self.cells(address, bytes * lanes.len() as u32, bytes) else {
                return;
            };
            let each = bytes / size;
            let shift = each.trailing_zeros();
            let together = alike(cells, table, by, lanes.start, shift);
            let mut after = cells[0];
            let conflict = touch(&mut after, table, by, lanes.start, store);
            // For few cells the test costs more than single accesses.
            let apart = together < 4;
            let count = if apart {
                8.min(cells.len() as u32 / each)
            } else {
                together
            };
            let here = lanes.start..lanes.start + count;
            lanes.start = here.end;
            if apart || conflict.is_some() && each > 1 {
                for (cells, lane) in cells.chunks_exact_mut(each as usize).zip(here) {
                    access_cells(cells, table, by, (address, lane), (size, store), report);
                    address += bytes;
                }
                continue;
            }
            let mine = |at: u32| by.stamp(here.start + (at >> shift));
            let cells = &mut cells[..(together << shift) as usize];
            if let Some(mut conflict) = conflict {
                let slot = cells[0].stamps().iter().position(|stamp| *stamp == conflict.stamp);
                for (at, cell) in (0..).zip(&*cells) {
                    conflict.stamp = cell.stamps()[slot.unwrap_or(0)];
                    conflict.thread.lane = conflict.stamp & 31;
                    report(here.start + at, address + at * size, conflict);
                }
            }
            let cells = (0..).zip(cells);
            match after.loads.iter().position(|load| *load == mine(0)) {
                _ if store => cells.for_each(|(at, cell)| *cell = Cell::stored(mine(at))),
                Some(load) => cells.for_each(|(at, cell)| cell.loads[load & 1] = mine(at)),
                None => {}
            }
            address += bytes * together;
        }
    }
}

/// Records an access of a lane to these cells, which have `size` bytes each.
fn access_cells(
    cells: &mut [Cell],
    table: &AccessTable,
    by: &Accessing,
    (address, lane): (u32, u32),
    (size, store): (u32, bool),
    report: &mut Report,
) {
    if let [cell] = cells {
        if let Some(conflict) = touch(cell, table, by, lane, store) {
            report(lane, address, conflict);
        }
        return;
    }
    // One report for each word.
    for (word, cells) in cells.chunks_mut((4 / size) as usize).enumerate() {
        let mut found = None;
        for (at, cell) in (0..).zip(cells) {
            found = found.or(touch(cell, table, by, lane, store).map(|conflict| (at, conflict)));
        }
        if let Some((at, conflict)) = found {
            report(lane, address + 4 * word as u32 + at * size, conflict);
        }
    }
}

/// The number of lanes with accesses to cells in the same state as the first lane's, so that their conflicts and the
/// new state are the same. Each accesses `1 << shift` cells, the first one is `lane`.
fn alike(cells: &[Cell], table: &AccessTable, by: &Accessing, lane: u32, shift: u32) -> u32 {
    let Some(first) = cells.first() else {
        return 0;
    };
    let first = first.stamps();
    // The lane of a stamp matters for the warp's own accesses only: it is the accessing lane, or has the same distance
    // from it as in the first cell.
    let masks = first.map(|stamp| if by.is_of_warp(table, stamp) { u32::MAX } else { 0 });
    let bases = first.map(|stamp| stamp.wrapping_sub(lane));
    let differs = |cell: &Cell, lane: u32| {
        let stamps = cell.stamps();
        let different = |at: usize| {
            let stamp = stamps[at];
            (stamp ^ first[at]) >> 5 | (stamp.wrapping_sub(lane) ^ bases[at]) & masks[at]
        };
        different(0) | different(1) | different(2) != 0
    };
    let end = (0..).zip(cells).find(|(at, cell)| differs(cell, lane + (at >> shift)));
    end.map_or(cells.len() as u32, |(at, _)| at) >> shift
}

/// True if a load by any lane of the accessing warp has no conflict and changes nothing.
fn settled(cell: &Cell, table: &AccessTable, by: &Accessing) -> bool {
    let [store, first, second] = cell.stamps();
    let before = |stamp: Stamp| stamp == 0 || by.is_before(table.of(stamp));
    let kept = |stamp: Stamp| !before(stamp) && (stamp >> 5 == by.index || !by.is_of_warp(table, stamp));
    before(store) && kept(first) && kept(second) && !by.is_new(table.of(first), table.of(second))
}

/// Records an access to a cell, and returns a conflicting one.
#[inline]
fn touch(cell: &mut Cell, table: &AccessTable, by: &Accessing, lane: u32, store: bool) -> Option<Conflict> {
    let stamp = by.stamp(lane);
    let mut found = None;
    let mut look = |other: Stamp, stores: bool| {
        if other == 0 || other == stamp {
            return;
        }
        let access = table.of(other);
        if by.ordered(access, other, lane) || by.atomic && access.atomic {
            return;
        }
        let conflict = Conflict {
            thread: Thread {
                block: access.block,
                warp: access.warp(),
                lane: other & 31,
            },
            pc: access.place >> 8,
            store: stores,
            same_warp: access.block == by.block && access.warp() == by.warp,
            stamp: other,
        };
        // A conflict with another warp has priority.
        if found.is_none_or(|found: Conflict| found.same_warp && !conflict.same_warp) {
            found = Some(conflict);
        }
    };
    look(cell.store, true);
    if store {
        look(cell.loads[0], false);
        look(cell.loads[1], false);
        // An access that conflicts with these loads also conflicts with this store, or has been reported.
        *cell = Cell::stored(stamp);
    } else if cell.loads[0] != stamp {
        keep_load(&mut cell.loads, table, by, lane, stamp);
    }
    found
}

/// Stores a load, and one of the earlier loads that are not ordered before it: preferably of another block, then of
/// another warp, then of another lane.
fn keep_load(loads: &mut [Stamp; 2], table: &AccessTable, by: &Accessing, lane: u32, stamp: Stamp) {
    for load in loads.iter_mut() {
        if *load == 0 || by.ordered(table.of(*load), *load, lane) {
            *load = stamp;
            return;
        }
    }
    let [first, second] = loads.map(|load| table.of(load));
    if by.is_new(first, second) {
        loads[1] = stamp;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Compares the reports and the state of two memories: one with whole rows, the other lane by lane.
    #[test]
    fn lanes_together_are_as_lanes_apart() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut conflicts, mut splits) = (0, 0);
        for _ in 0..300 {
            let mut table = AccessTable::default();
            let [mut together, mut apart] = [0; 2].map(|_| Races::new(2 * PAGE_BYTES));
            let mut order = Order::new(3);
            let mut recent = [Recent::default(); 4];
            for pc in 0..40 {
                let (block, warp) = [(0, 0), (0, 1), (0, 2), (1, 0)][random.gen_range(0..4)];
                if random.gen_ratio(1, 6) {
                    (0..3).for_each(|warp| order.arrive(warp, 0));
                    order.open(0, 0..3);
                }
                let place = (block, warp, 8 * (pc % 12));
                let by = Accessing::new(
                    &mut table,
                    &mut recent[(3 * block + warp) as usize],
                    &order,
                    place,
                    false,
                );
                let bytes = [1, 2, 4, 4, 4, 4, 8, 16][random.gen_range(0..8)];
                let lanes = match random.gen_range(0..3) {
                    0 => random.gen_range(0..16)..random.gen_range(16..33),
                    _ => 0..32,
                };
                let start = bytes * random.gen_range(0..4) + [0, PAGE_BYTES as u32 - 64][random.gen_range(0..2)];
                let store = random.gen_ratio(1, 3);
                let same = !store && random.gen_ratio(1, 4);
                let (mut found, mut expected) = (Vec::new(), Vec::new());
                let mut report = |lane, address, conflict| found.push((lane, address, conflict));
                if same {
                    let mask = lanes.clone().fold(0, |mask, lane| mask | 1 << lane);
                    together.load_same(&table, &by, (start, mask), bytes, &mut report);
                } else {
                    together.access_run(&table, &by, start, lanes.clone(), (bytes, store), &mut report);
                }
                for (at, lane) in (0..).zip(lanes) {
                    let address = start + if same { 0 } else { at * bytes };
                    apart.access(
                        &table,
                        &by,
                        (address, lane),
                        (bytes, store),
                        &mut |lane, address, conflict| {
                            expected.push((lane, address, conflict));
                        },
                    );
                }
                assert_eq!(found, expected);
                assert!(together.stamps().eq(apart.stamps()));
                conflicts += usize::from(!found.is_empty());
            }
            splits += together.pages.iter().flatten().filter(|page| page.bytes).count();
        }
        assert!(conflicts > 1000 && splits > 100, "{conflicts} {splits}");
    }
}
