//! Where everything lies in the state of a running circuit.
//!
//! Cells live in one block of memory, the state:
//!
//! ```text
//! registers, by family | what they take | words of memories, opaque blocks and ports
//!     | groups that have changed, a bit each | clusters that have been computed, a byte each
//!     | values that one cluster leaves for another
//! ```

use super::groups::groups;
use crate::design::Design;
use std::ops::Range;

/// Where everything lies in the state.
pub(crate) struct Layout {
    /// Where each register is; the value it takes is [`Layout::registers`] bytes further on.
    pub register: Vec<u32>,
    pub registers: u32,
    /// The state words that hold each family's registers.
    pub families: Vec<Range<usize>>,
    /// Words of each memory's ports.
    pub memory: Vec<u32>,
    pub opaque: Vec<u32>,
    pub top: u32,
    /// Whole words with one bit per group.
    pub changed: u32,
    pub bytes: u32,
}

/// Bytes that a value takes.
pub(super) fn bytes(width: u32) -> u32 {
    match width {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => 16,
    }
}

/// As [`bytes`], for slices.
pub(crate) fn size(width: u32) -> usize {
    bytes(width) as usize
}

/// The layout of `design`, without the values that its code keeps from one cluster to another.
pub(crate) fn lay_out(design: &Design) -> Layout {
    let mut order: Vec<usize> = (0..design.registers.len()).collect();
    let size = |index: usize| bytes(design.cells[design.registers[index].cell as usize].width);
    order.sort_by_key(|index| (design.registers[*index].family, std::cmp::Reverse(size(*index))));
    let mut register = vec![0; order.len()];
    let mut families = vec![0..0; design.families as usize];
    let mut at = 0u32;
    for same in order.chunk_by(|a, b| design.registers[*a].family == design.registers[*b].family) {
        let first = at;
        for index in same {
            register[*index] = at;
            at += size(*index);
        }
        at = at.next_multiple_of(8);
        families[design.registers[same[0]].family as usize] = first as usize / 8..at as usize / 8;
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
    let changed = place(groups(design).div_ceil(64));
    Layout {
        register,
        registers,
        families,
        memory,
        opaque,
        top,
        changed,
        bytes: at,
    }
}
