//! `life`: one generation of the Game of Life on a torus of 32 x 16 cells, for two blocks of 16 x 16 threads.
//!
//! The left half contains known figures, the right half is random. Every number of neighbours, 0 to 8, occurs around
//! living and around dead cells.

use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::random;

const NAME: &str = "life";
const COLUMNS: usize = 32;
const ROWS: usize = 16;
/// The number of words in memory around the two generations.
const BORDER: usize = 16;

/// The left half of the torus: a glider, a full square and two with gaps, a block, a ring, and a blinker that wraps
/// around the upper edge.
const FIGURES: [&[u8; COLUMNS / 2]; ROWS] = [
    b".......#........",
    b"..#....#....###.",
    b"...#........###.",
    b".###........###.",
    b"................",
    b"....###..###....",
    b"....###..###....",
    b"....##....#.....",
    b"................",
    b"......##....###.",
    b"......##....#.#.",
    b"............###.",
    b"................",
    b"#...............",
    b"#...............",
    b"#......#........",
];

/// The cells by row and column: 1 for alive, 0 for dead.
type Cells = [[u8; COLUMNS]; ROWS];

fn first_generation() -> Cells {
    let chances = random::bytes(NAME, "cells", COLUMNS * ROWS);
    let mut cells = [[0; COLUMNS]; ROWS];
    for (y, row) in cells.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            *cell = u8::from(match FIGURES[y].get(x) {
                Some(&figure) => figure == b'#',
                None => chances[COLUMNS * y + x] < 112,
            });
        }
    }
    cells
}

/// The number of living cells around a cell.
fn neighbours(cells: &Cells, x: usize, y: usize) -> u8 {
    let around = |at: usize, size: usize| [(at + size - 1) % size, at, (at + 1) % size];
    let square = around(y, ROWS).map(|y| around(x, COLUMNS).map(|x| cells[y][x]));
    square.concat().iter().sum::<u8>() - cells[y][x]
}

fn next_generation(cells: &Cells) -> Cells {
    let mut next = [[0; COLUMNS]; ROWS];
    for (y, row) in next.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            *cell = u8::from(match neighbours(cells, x, y) {
                2 => cells[y][x] == 1,
                3 => true,
                _ => false,
            });
        }
    }
    next
}

pub fn kernel() -> Kernel {
    let cells = first_generation();
    let next = words_of(&next_generation(&cells).concat());
    let mut memory = Memory::default();
    memory.canaries(BORDER);
    let at_from = memory.place(words_of(&cells.concat()));
    memory.canaries(BORDER);
    let at_to = memory.canaries(next.len());
    memory.canaries(BORDER);
    Kernel {
        name: NAME,
        summary: "one generation of the Game of Life, a torus of 32 x 16 one-byte cells",
        registers: 16,
        shared_data_bytes: 0,
        grid: [2, 1],
        block: [16, 16, 1],
        params: vec![at_from, at_to],
        memory: memory.words,
        expected: results(at_to, next),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_case_of_the_rule_occurs() {
        let cells = first_generation();
        let places = (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| (x, y)));
        let met: BTreeSet<(u8, u8)> = places.map(|(x, y)| (cells[y][x], neighbours(&cells, x, y))).collect();
        let all = (0..=1).flat_map(|cell| (0..=8).map(move |neighbours| (cell, neighbours)));
        assert_eq!(met, all.collect());
    }
}
