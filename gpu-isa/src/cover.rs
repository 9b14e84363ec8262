//! Coverage: the exact share of the word space that rows match, and pairs of rows that match one word.

use crate::set::{ones, Row, Set};

/// A set of words with some bits fixed: `word & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cube {
    mask: u128,
    value: u128,
}

impl Cube {
    fn meets(&self, other: &Cube) -> bool {
        (self.value ^ other.value) & self.mask & other.mask == 0
    }

    /// Pushes the difference of `other` and this cube, as disjoint cubes.
    fn cut(&self, other: &Cube, rest: &mut Vec<Cube>) {
        if !self.meets(other) {
            rest.push(*other);
            return;
        }
        let mut inside = *other;
        let mut bits = self.mask & !other.mask;
        while bits != 0 {
            let bit = bits & bits.wrapping_neg();
            bits &= !bit;
            inside.mask |= bit;
            rest.push(Cube {
                mask: inside.mask,
                value: inside.value | !self.value & bit,
            });
            inside.value |= self.value & bit;
        }
    }
}

/// The words of a row: of the long form, and of the short one, with its omitted bits free.
fn cubes(row: &Row) -> Vec<Cube> {
    let Some(short) = row.short else {
        return vec![Cube {
            mask: row.mask,
            value: row.value,
        }];
    };
    let bit = 1 << short.bit;
    let kept = ones(8 * u32::from(short.bytes));
    let mut cubes = vec![Cube {
        mask: row.mask | bit,
        value: row.value | bit,
    }];
    // Omitted bits read as 0.
    if row.value & !kept == 0 {
        cubes.push(Cube {
            mask: row.mask & kept | bit,
            value: row.value,
        });
    }
    // The fixed bits may exclude one of the forms.
    cubes.retain(|cube| (cube.value ^ row.value) & row.mask == 0);
    cubes
}

/// A share of the word space: `words` of 2 to the power of `bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of words that rows match.
    pub words: u128,
    /// The length of the longest word, at most 127 bits.
    pub bits: u32,
}

impl Share {
    /// The share as a number from 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.words as f64 / 2f64.powi(self.bits as i32)
    }
}

impl Set {
    /// The exact share of the word space that rows match. A shorter instruction counts with all continuations, so this
    /// is the probability that random bytes begin with an instruction.
    pub fn coverage(&self) -> Share {
        let rows = self.all_rows();
        let bits = rows
            .iter()
            .map(|row| 8 * u32::from(row.bytes))
            .max()
            .unwrap_or(8)
            .min(127);
        // Disjoint cubes: the part of each row that the rows before it do not match.
        let mut disjoint: Vec<Cube> = Vec::new();
        for cube in rows.iter().flat_map(|row| cubes(row)) {
            let mut parts = vec![cube];
            for taken in &disjoint {
                if !taken.meets(&cube) {
                    continue;
                }
                let mut rest = Vec::new();
                for part in &parts {
                    taken.cut(part, &mut rest);
                }
                parts = rest;
            }
            disjoint.extend(parts);
        }
        let words = disjoint
            .iter()
            .map(|cube| 1 << (bits - (cube.mask & ones(bits)).count_ones()))
            .sum();
        Share { words, bits }
    }

    /// Pairs of rows of the same rank that have a word in common. There must be none.
    pub fn contending(&self) -> Vec<(&'static Row, &'static Row)> {
        let mut pairs = Vec::new();
        let rows = self.all_rows();
        let mut check = |rows: &[&'static Row]| {
            for (number, one) in rows.iter().enumerate() {
                for two in &rows[number + 1..] {
                    let both = cubes(one).iter().any(|a| cubes(two).iter().any(|b| a.meets(b)));
                    if one.rank == two.rank && both {
                        pairs.push((*one, *two));
                    }
                }
            }
        };
        check(rows);
        if let Some(control) = self.control {
            let rows: Vec<_> = control.rows.iter().collect();
            check(&rows);
        }
        pairs
    }
}
