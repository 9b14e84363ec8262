//! The memory accesses of one thread's blocks, to find out whether blocks are independent.
//!
//! Each word of global memory has a bit: two blocks that access different bytes of one word count as sharing it.
//! Accesses to consecutive words are then a few bit operations.

use super::in_turns::InTurns;
use crate::execute::{LaneAccesses, Recorder};
use crate::lanes::{lanes_of, Lanes};
use crate::memory::lanes::{halves, Pattern, HALF};
use crate::memory::Memory;
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::{Launch, MemorySpace};

/// The words of a line; also the bits of its masks.
const LINE: usize = 64;
const LINE_BYTES: usize = 4 * LINE;

/// The lines of a page. The first access to a page allocates its lines; the first store copies the page for the thread.
/// Loads from other pages read the memory before the run: allocating copies takes longer than filling them.
const PAGE: usize = 16;
const PAGE_BYTES: usize = PAGE * LINE_BYTES;

/// The accesses to a page of global memory.
#[derive(Default)]
struct Page {
    lines: [Line; PAGE],
    /// True if the thread has a copy of the page.
    copied: bool,
}

/// The accesses to a line of global memory.
#[derive(Clone, Copy, Default)]
struct Line {
    /// The block of the last access, counted from 1; 0 means no access.
    block: u32,
    /// The words that this block has read and written.
    read: u64,
    written: u64,
    /// The words that earlier blocks have read and written.
    read_before: u64,
    written_before: u64,
}

impl Line {
    fn read(&self) -> u64 {
        self.read | self.read_before
    }

    fn written(&self) -> u64 {
        self.written | self.written_before
    }
}

/// The accessed pages of global memory.
type Pages = Vec<Option<Box<Page>>>;

/// The accesses of one thread's blocks, which run one after another.
pub(super) struct Accesses<'a> {
    /// Global memory before the run.
    initial: &'a Memory,
    /// The running block, counted from 1, and its warp.
    block: u32,
    pub warp: u32,
    pages: Pages,
    /// For each word of local memory of each thread of a block: the last block that wrote it.
    local: Vec<u32>,
    /// Words of a thread's local memory.
    local_words: usize,
    /// True if the current access is to a copied page.
    copied: bool,
    /// The first evidence that blocks are not independent.
    pub reason: Option<InTurns>,
}

impl<'a> Accesses<'a> {
    pub fn new(launch: &Launch, initial: &'a Memory) -> Self {
        let local_words = launch.local_bytes.div_ceil(4) as usize;
        let threads = (launch.block_warps() * WARP_THREADS) as usize;
        let pages = (initial.size() as usize).div_ceil(PAGE_BYTES);
        Accesses {
            initial,
            block: 0,
            warp: 0,
            pages: (0..pages).map(|_| None).collect(),
            local: vec![0; threads * local_words],
            local_words,
            copied: false,
            reason: None,
        }
    }

    /// Attributes the following accesses to this block; a checked grid has fewer than 2^32 - 2.
    pub fn begin(&mut self, block: u32) {
        self.block = block + 1;
    }

    /// Ends the recording, with the global memory after the last block.
    pub fn end(self, global: Memory) -> Done {
        let pages = self.pages;
        Done { global, pages }
    }

    fn shared(&mut self, word: usize) {
        let address = 4 * word as u32;
        self.reason.get_or_insert(InTurns::Shared { address });
    }

    /// Records an access of the running block to words of a line. Returns, for a store, the words that earlier blocks
    /// have written: the block must not change them.
    fn touch(&mut self, at: usize, words: u64, store: bool, global: &mut Memory) -> u64 {
        let (block, initial) = (self.block, self.initial);
        // The machine refuses an access outside memory.
        let Some(page) = self.pages.get_mut(at / PAGE) else {
            return 0;
        };
        let page = page.get_or_insert_default();
        if store && !page.copied {
            page.copied = true;
            let first = at / PAGE * PAGE_BYTES;
            global.take(initial, first..first + PAGE_BYTES);
        }
        self.copied |= page.copied;
        let line = &mut page.lines[at % PAGE];
        if line.block != block {
            *line = Line {
                block,
                read: 0,
                written: 0,
                read_before: line.read(),
                written_before: line.written(),
            };
        }
        let (met, again) = if store {
            line.written |= words;
            (line.read_before & words, line.written_before & words)
        } else {
            line.read |= words;
            (line.written_before & words, 0)
        };
        if met != 0 {
            self.shared(LINE * at + met.trailing_zeros() as usize);
        }
        again
    }

    /// Records an access of the running block to words of a line in these lanes.
    fn line(&mut self, at: usize, words: u64, lanes: u32, access: &LaneAccesses<'_>, global: &mut Memory) {
        let again = self.touch(at, words, !access.stored.is_empty(), global);
        if again == 0 {
            return;
        }
        for lane in lanes_of(lanes) {
            for (part, row) in access.stored.iter().enumerate() {
                let address = access.addresses[lane].wrapping_add(4 * part as u32);
                let word = address as usize / 4;
                let bytes = access.bytes.min(4);
                let value = u128::from(row[lane] & (u32::MAX >> (32 - 8 * bytes)));
                let is_again = word / LINE == at && again >> (word % LINE) & 1 == 1;
                if is_again && global.read(address, bytes) != Ok(value) {
                    self.shared(word);
                }
            }
        }
    }

    fn global(&mut self, access: &LaneAccesses<'_>, global: &mut Memory) {
        let words_each = if access.bytes < 4 {
            1
        } else {
            u64::MAX >> (64 - access.bytes / 4)
        };
        for (half, (lanes, addresses)) in halves(access.lanes, access.addresses).into_iter().enumerate() {
            let lane = HALF * half;
            let first = addresses[0] as usize / 4;
            match Pattern::of(lanes, addresses, access.bytes) {
                Pattern::Same => self.line(
                    first / LINE,
                    words_each << (first % LINE),
                    lanes << lane,
                    access,
                    global,
                ),
                Pattern::Row => {
                    let behind = (addresses[0] as usize + HALF * access.bytes as usize).div_ceil(4);
                    // The access has at most 64 words, in two lines.
                    let words: u128 = ((1 << (behind - first)) - 1) << (first % LINE);
                    for (at, words) in [(first / LINE, words as u64), (first / LINE + 1, (words >> LINE) as u64)] {
                        if words != 0 {
                            self.line(at, words, lanes << lane, access, global);
                        }
                    }
                }
                Pattern::Scattered => self.scattered(lane, lanes, addresses, words_each, access, global),
            }
        }
    }

    /// Records an access of a half-warp: lanes with consecutive words in a line are merged.
    fn scattered(
        &mut self,
        lane: usize,
        lanes: u32,
        addresses: &[u32; HALF],
        words_each: u64,
        access: &LaneAccesses<'_>,
        global: &mut Memory,
    ) {
        let (mut at, mut words, mut together) = (usize::MAX, 0, 0);
        for next in lanes_of(lanes) {
            let word = addresses[next % HALF] as usize / 4;
            if word / LINE != at {
                if words != 0 {
                    self.line(at, words, together << lane, access, global);
                }
                (at, words, together) = (word / LINE, 0, 0);
            }
            words |= words_each << (word % LINE);
            together |= 1 << next;
        }
        if words != 0 {
            self.line(at, words, together << lane, access, global);
        }
    }

    /// Copies all pages of a load, some of which are already copied.
    fn copy(&mut self, access: &LaneAccesses<'_>, global: &mut Memory) {
        for lane in lanes_of(access.lanes) {
            let at = access.addresses[lane] as usize / PAGE_BYTES;
            if let Some(Some(page)) = self.pages.get_mut(at) {
                if !page.copied {
                    page.copied = true;
                    global.take(self.initial, at * PAGE_BYTES..(at + 1) * PAGE_BYTES);
                }
            }
        }
    }

    fn local(&mut self, access: &LaneAccesses<'_>) {
        for lane in lanes_of(access.lanes) {
            let thread = (self.warp * WARP_THREADS) as usize + lane;
            let address = access.addresses[lane];
            let first = address as usize / 4;
            for at in first..first + (access.bytes as usize).div_ceil(4) {
                let Some(written) = self.local.get_mut(thread * self.local_words + at) else {
                    return;
                };
                // A partial write leaves the word to its previous writer.
                if !access.stored.is_empty() && access.bytes >= 4 {
                    *written = self.block;
                } else if *written != self.block {
                    self.reason.get_or_insert(InTurns::Local { address });
                }
            }
        }
    }
}

impl Recorder for Accesses<'_> {
    fn access(&mut self, access: &LaneAccesses<'_>, global: &mut Memory) -> Option<&Memory> {
        match access.space {
            MemorySpace::Global => {
                self.copied = false;
                self.global(access, global);
                if !self.copied {
                    return Some(self.initial);
                }
                if access.stored.is_empty() {
                    self.copy(access, global);
                }
            }
            MemorySpace::Local => self.local(access),
            // Shared memory is private to the block.
            MemorySpace::Shared => {}
        }
        None
    }

    fn accessed(&mut self, _access: &LaneAccesses<'_>, _words: &[&Lanes]) {}
}

/// The accesses and stores of a thread.
pub(super) struct Done {
    /// Global memory, with only the pages that the thread has written.
    global: Memory,
    pages: Pages,
}

impl Done {
    fn page(&self, page: usize) -> Option<&[Line; PAGE]> {
        Some(&self.pages.get(page)?.as_ref()?.lines)
    }
}

/// Merges the stores of all threads' blocks into global memory, if the result does not depend on their order.
///
/// # Errors
/// [`InTurns::Shared`] if it does; nothing is written then.
pub(super) fn put_together(global: &mut Memory, done: &[Done]) -> Result<(), InTurns> {
    let pages = (global.size() as usize).div_ceil(PAGE_BYTES);
    for page in 0..pages {
        let both: Vec<_> = done.iter().filter(|done| done.page(page).is_some()).collect();
        // Blocks of one thread have been compared already.
        for (number, one) in both.iter().enumerate() {
            for other in &both[..number] {
                compare(page, one, other)?;
            }
        }
    }
    for done in done {
        for page in 0..pages {
            let Some(lines) = done.page(page) else {
                continue;
            };
            if lines.iter().all(|line| line.written() == u64::MAX) {
                global.take(&done.global, page * PAGE_BYTES..(page + 1) * PAGE_BYTES);
                continue;
            }
            for (at, line) in lines.iter().enumerate() {
                global.take_words(&done.global, LINE * (PAGE * page + at), line.written());
            }
        }
    }
    Ok(())
}

/// Checks that two threads are independent in a page.
fn compare(page: usize, one: &Done, other: &Done) -> Result<(), InTurns> {
    let (Some(lines), Some(others)) = (one.page(page), other.page(page)) else {
        return Ok(());
    };
    for (at, (line, other_line)) in lines.iter().zip(others).enumerate() {
        let first = LINE * (PAGE * page + at);
        let met = line.read() & other_line.written() | line.written() & other_line.read();
        let both = line.written() & other_line.written();
        let shared = met | one.global.different_words(&other.global, first, both);
        if shared != 0 {
            let address = 4 * (first + shared.trailing_zeros() as usize) as u32;
            return Err(InTurns::Shared { address });
        }
    }
    Ok(())
}
