//! `stencil_2d`: one step of heat conduction on a plane of 32 x 16 cells of four materials, with 2 x 2 blocks of 16 x 8
//! threads.

use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::random;

const NAME: &str = "stencil_2d";
const COLUMNS: usize = 32;
const ROWS: usize = 16;
/// The number of columns and rows of the input, including a rim of one cell on all sides.
const INPUT_COLUMNS: usize = COLUMNS + 2;
const INPUT_ROWS: usize = ROWS + 2;

/// The weights of a material; 256 represents 1.
struct Material {
    own: u32,
    /// The weight of each neighbour.
    neighbour: u32,
}

/// The materials, from an insulator to one that takes the mean of its neighbours.
const MATERIALS: [Material; 4] = [
    Material { own: 256, neighbour: 0 },
    Material {
        own: 192,
        neighbour: 16,
    },
    Material { own: 52, neighbour: 51 },
    Material { own: 0, neighbour: 64 },
];

/// The cells after the step, as rows, without the rim.
fn step(cells: &[u32], materials: &[u8]) -> Vec<u32> {
    let places = (1..=ROWS).flat_map(|row| (1..=COLUMNS).map(move |column| INPUT_COLUMNS * row + column));
    places
        .zip(materials)
        .map(|(at, &material)| {
            let Material { own, neighbour } = MATERIALS[usize::from(material)];
            let around = cells[at - INPUT_COLUMNS] + cells[at - 1] + cells[at + 1] + cells[at + INPUT_COLUMNS];
            (own * cells[at] + neighbour * around) >> 8
        })
        .collect()
}

pub fn kernel() -> Kernel {
    let mut cells = random::words_below(NAME, "cells", INPUT_COLUMNS * INPUT_ROWS, 1 << 16);
    // A hot square with the highest temperature of a cell.
    for row in 4..8 {
        cells[INPUT_COLUMNS * row + 10..][..4].fill(0xffff);
    }
    let materials: Vec<u8> = random::bytes(NAME, "materials", COLUMNS * ROWS)
        .iter()
        .map(|byte| byte % 4)
        .collect();
    let after = step(&cells, &materials);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_input = memory.place(cells);
    memory.canaries(16);
    let at_materials = memory.place(words_of(&materials));
    memory.canaries(16);
    let at_output = memory.canaries(after.len());
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "one step of heat conduction on 32 x 16 cells, four neighbours, weights of four materials in c[1]",
        registers: 11,
        shared_data_bytes: 4 * 18 * 10,
        grid: [2, 2],
        block: [16, 8, 1],
        params: vec![at_input, at_materials, at_output],
        memory: memory.words,
        constants: MATERIALS
            .iter()
            .flat_map(|material| [material.own, material.neighbour])
            .collect(),
        expected: results(at_output, after),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_plane_is_unchanged() {
        let cells = [1_000; INPUT_COLUMNS * INPUT_ROWS];
        let materials: Vec<u8> = (0..COLUMNS * ROWS).map(|at| (at % 4) as u8).collect();
        assert_eq!(step(&cells, &materials), [1_000; COLUMNS * ROWS]);
    }
}
