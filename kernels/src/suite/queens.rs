//! `queens`: the N queens problem with 32 threads, eight for each N from 4 to 7. Neighbouring threads start with the
//! first queen in different columns.
//!
//! The stacks of the threads are part of the results, because each word of memory is either expected or unchanged: the
//! last pushed words remain there. There is space for one frame more than the deepest thread needs, which must be
//! unchanged.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};
use std::collections::BTreeMap;

const NAME: &str = "queens";
const THREADS: usize = 32;
/// The number of words in a frame of a thread's stack.
const FRAME: usize = 4;
/// The number of frames of each thread's stack.
const FRAMES: usize = 7;

/// The number of ways to place `n` queens on a board of `n` rows, one per row, with the first ones in the columns in
/// `set`.
fn ways(n: u32, set: &mut Vec<u32>) -> u32 {
    let attacks = |row: usize, column: u32, to_row: usize, to_column: u32| {
        let distance = column.abs_diff(to_column);
        distance == 0 || distance as usize == row.abs_diff(to_row)
    };
    let row = set.len();
    if row == n as usize {
        return 1;
    }
    let mut found = 0;
    for column in 0..n {
        if !set.iter().enumerate().any(|(r, &c)| attacks(r, c, row, column)) {
            set.push(column);
            found += ways(n, set);
            set.pop();
        }
    }
    found
}

/// The columns of a row, one per bit.
#[derive(Clone, Copy)]
struct Row {
    /// Columns with a queen in a row above.
    queens: u32,
    /// Columns on a diagonal to the left and to the right from a queen above.
    left: u32,
    right: u32,
}

impl Row {
    /// The next row, after placing a queen in the column of bit `queen`.
    fn below(self, queen: u32) -> Row {
        Row {
            queens: self.queens | queen,
            left: (self.left | queen) << 1,
            right: (self.right | queen) >> 1,
        }
    }
}

/// Collects the contents that a thread's calls leave in its stack: for each frame, by depth of the call, the words
/// pushed there last.
///
/// A frame holds the state that a caller saves, as the source of `queens/kernel.sass` describes: columns with a queen,
/// columns that diagonals to the left and to the right attack in the caller's row, and columns still to be tried.
fn leave_frames(n: u32, row: Row, frames: &mut BTreeMap<u32, [u32; FRAME]>) {
    let mut to_try = !(row.queens | row.left | row.right) & ((1 << n) - 1);
    while to_try != 0 {
        let queen = to_try & to_try.wrapping_neg();
        to_try &= !queen;
        frames.insert(row.queens.count_ones(), [row.queens, row.left, row.right, to_try]);
        leave_frames(n, row.below(queen), frames);
    }
}

pub fn kernel() -> Kernel {
    let mut memory = Memory::default();
    let at_stack = memory.canaries(THREADS * FRAME * FRAMES);
    let at_output = memory.canaries(THREADS);
    let nothing = Row {
        queens: 0,
        left: 0,
        right: 0,
    };
    let mut solutions = Vec::new();
    let mut expected = BTreeMap::new();
    for thread in 0..THREADS as u32 {
        let n = 4 + thread / 8;
        let first = thread % n;
        solutions.push(ways(n, &mut vec![first]));
        let mut frames = BTreeMap::new();
        leave_frames(n, nothing.below(1 << first), &mut frames);
        // The threads' stacks are interleaved word by word.
        for (place, word) in (0..).zip(frames.into_values().flatten()) {
            expected.insert(at_stack + 4 * (THREADS as u32 * place + thread), word);
        }
    }
    expected.extend(results(at_output, solutions));
    Kernel {
        name: NAME,
        summary: "N queens by recursion, N from 4 to 7, the first queen given; each thread's stack in global memory",
        registers: 10,
        shared_data_bytes: 0,
        grid: [1, 1],
        block: [THREADS as u32, 1, 1],
        params: vec![at_stack, at_output],
        memory: memory.words,
        expected,
        ..Kernel::default()
    }
}
