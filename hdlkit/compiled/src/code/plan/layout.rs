//! Memory layout of the state of a running circuit.
//!
//! Cells live in one block of memory, the state:
//!
//! ```text
//! registers, by group | their next values | words of memories' read ports, opaque blocks and ports | memories' inputs
//!     | active flags | active flags of the next cycle | values that one cluster keeps for another
//! ```

use super::groups::Sources;
use crate::code::flags::Flags;
use crate::design::graph::Id;
use crate::design::{Design, Memory};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The place of a value in the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Port {
    /// Its first byte.
    pub at: u32,
    pub bytes: u32,
}

impl Port {
    /// Its words, the last of which has fewer bytes if the value has.
    pub fn words(self) -> impl Iterator<Item = Port> {
        (0..self.bytes.div_ceil(8)).map(move |word| Port {
            at: self.at + word * 8,
            bytes: (self.bytes - word * 8).min(8),
        })
    }
}

/// The layout of the state, in bytes unless stated otherwise.
pub(crate) struct Layout {
    /// The offset of each register; a next value that waits for the end of the edge is [`Layout::registers`] bytes
    /// further.
    pub register: Vec<u32>,
    pub registers: u32,
    /// The state words of each group's registers.
    pub groups: Vec<Range<usize>>,
    /// The words of each memory's registered read ports.
    pub memory: Vec<u32>,
    /// The inputs of each memory. Equal ones have one place: a family has the same address in many memories.
    pub inputs: Vec<Vec<Port>>,
    pub opaque: Vec<u32>,
    pub top: u32,
    /// Whole words of [`flags`](super::super::flags), one for each cluster, set if a value that the cluster reads has changed,
    /// so it must be computed. From flag `memories` on, there is one for each memory, or for neighbouring ones, set if
    /// this edge may change something, and from `waiting` on, one for each group of registers with next values that wait.
    pub active: u32,
    pub memories: u32,
    /// The flag of each memory.
    pub due: Vec<u32>,
    pub waiting: u32,
    /// The flags of `active` in the next cycle, as far as they are known.
    pub next: u32,
    pub bytes: u32,
}

/// The bytes of a value.
pub(in crate::code) fn bytes(width: u32) -> u32 {
    match width {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => 16,
    }
}

/// The layout of `design`, without the parts that depend on the number of clusters and on the values that they keep.
pub(crate) fn lay_out(design: &Design, sources: &Sources) -> Layout {
    let mut order: Vec<usize> = (0..design.registers.len()).collect();
    let size = |index: usize| bytes(design.cells[design.registers[index].cell as usize].width);
    order.sort_by_key(|index| {
        let register = &design.registers[*index];
        let size = std::cmp::Reverse(size(*index));
        // Registers of neighbours are adjacent, for a vector.
        (sources.register[*index], size, register.family, register.low, *index)
    });
    let mut register = vec![0; order.len()];
    let mut groups = vec![0..0; sources.count as usize];
    let mut at = 0u32;
    for same in order.chunk_by(|a, b| sources.register[*a] == sources.register[*b]) {
        let first = at;
        for index in same {
            register[*index] = at;
            at += size(*index);
        }
        at = at.next_multiple_of(8);
        groups[sources.register[same[0]] as usize] = first as usize / 8..at as usize / 8;
    }
    let registers = at.next_multiple_of(64);
    at = registers * 2;
    let mut place = |words: u32| {
        let start = at;
        at += words * 8;
        start
    };
    let memory = design.memories.iter().map(|m| place(m.words)).collect();
    let opaque = design.opaques.iter().map(|o| place(o.words)).collect();
    let top = place(design.words);
    let inputs = lay_out_inputs(design, &mut at);
    Layout {
        register,
        registers,
        groups,
        memory,
        inputs,
        opaque,
        top,
        active: 0,
        memories: 0,
        due: vec![],
        waiting: 0,
        next: 0,
        bytes: at,
    }
}

/// Places the memories' inputs from byte `at` on: one input of a family after the other, for vectors and for tests of all
/// enables at once, each from a whole word on.
fn lay_out_inputs(design: &Design, at: &mut u32) -> Vec<Vec<Port>> {
    let mut places: FxHashMap<Id, Port> = FxHashMap::default();
    for family in families(&design.memories) {
        for input in 0..family[0].inputs.len() {
            for memory in family {
                let value = memory.inputs[input];
                places.entry(value).or_insert_with(|| {
                    let bytes = bytes(design.graph.width(value));
                    let port = Port { at: *at, bytes };
                    *at += bytes;
                    port
                });
            }
            if family.len() > 1 {
                *at = at.next_multiple_of(8);
            }
        }
        *at = at.next_multiple_of(8);
    }
    let memories = design.memories.iter();
    let places = memories.map(|memory| memory.inputs.iter().map(|value| places[value]).collect());
    places.collect()
}

/// Runs of neighbouring memories with the same ports.
pub(in crate::code) fn families(memories: &[Memory]) -> impl Iterator<Item = &[Memory]> {
    memories.chunk_by(|a, b| a.family == b.family && a.inputs.len() == b.inputs.len())
}

/// A value that a later part needs.
pub(in crate::code) struct Kept {
    pub place: Port,
    /// The other clusters that need it.
    pub users: Flags,
    /// True if the users are computed only if the value differs from before.
    pub compared: bool,
}

impl Layout {
    /// Adds the flags of this many clusters and waiting groups, and of these memories, each range with one.
    pub fn add_flags(&mut self, clusters: usize, memories: &[Range<usize>], waiting: usize) {
        self.memories = (clusters as u32).next_multiple_of(8);
        for (flag, range) in (self.memories..).zip(memories) {
            self.due.resize(range.end, flag);
        }
        self.waiting = (self.memories + memories.len() as u32).next_multiple_of(8);
        let flags = (self.waiting + waiting as u32).next_multiple_of(64);
        self.active = self.bytes;
        self.next = self.active + flags;
        self.bytes = self.next + flags;
    }
}
