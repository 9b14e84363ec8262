//! Lookup tables for decoding without a branch that depends on the word. They are computed from the rows, and give a
//! word's row and its meaningful bits.
//!
//! ```text
//! form, opcode, sub-opcode ──> the few rows that may match ──> the row that matches
//! row ──> bits that always matter
//!     └─> groups: some bits of the word ──> table ──> bits that matter because of them, or 0: undefined
//! ```
//! The tables add nothing to [`RowPart::read`]: they are its results for all values of the deciding bits.

use crate::row_parts::RowPart;
use crate::table::field::Reader;
use crate::table::{rows_with_capabilities, Capability, Form, Row, LATER_ROWS, ROWS};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Combinations of form (2 bits), opcode (4) and sub-opcode (3).
const COMBINATIONS: usize = 1 << 9;
/// Bits of a word that make up a combination, in addition to the form.
const COMBINATION_BITS: u64 = 15 << 28 | 7 << 61;
/// The maximum number of candidate rows of a combination.
const MOST_ROWS: usize = 16;
const NO_ROW: u8 = u8::MAX;
/// The maximum number of index bits of a table.
const MOST_BITS: u32 = 9;

/// The rows that a combination may belong to.
static CANDIDATES: [[u8; MOST_ROWS]; COMBINATIONS] = candidates();

const fn combination(word: u64) -> usize {
    (Form::of(word) as usize) << 7 | ((word >> 28) as usize & 15) << 3 | (word >> 61) as usize
}

const fn candidates() -> [[u8; MOST_ROWS]; COMBINATIONS] {
    assert!(ROWS.len() + LATER_ROWS.len() < NO_ROW as usize);
    let mut candidates = [[NO_ROW; MOST_ROWS]; COMBINATIONS];
    let mut place = 0;
    while place < COMBINATIONS {
        let word = (place as u64 >> 3 & 15) << 28 | (place as u64 & 7) << 61;
        let mut found = 0;
        let mut row = 0;
        while row < ROWS.len() + LATER_ROWS.len() {
            let pattern = if row < ROWS.len() {
                ROWS[row].pattern
            } else {
                LATER_ROWS[row - ROWS.len()].pattern
            };
            if pattern.form as usize == place >> 7 && (word ^ pattern.value) & pattern.mask & COMBINATION_BITS == 0 {
                candidates[place][found] = row as u8;
                found += 1;
            }
            row += 1;
        }
        place += 1;
    }
    candidates
}

/// A row's data for decoding.
pub(crate) struct RowTables {
    pub row: &'static Row,
    /// For each capability, the bits that matter in every word of the row; `None` if that capability does not have the
    /// row.
    masks: [Option<u64>; Capability::ALL.len()],
    value: u64,
    /// [`Row::operation_bits`].
    pub operation_bits: u64,
    groups: Box<[Group]>,
}

/// Bits of a word that decide together which other bits matter.
struct Group {
    /// The bits as runs: the right shift of each run, and its mask in the index.
    runs: Box<[(u32, usize)]>,
    /// By index, the bits that matter; 0 if the word is undefined.
    bits: Box<[u64]>,
}

static TABLES: LazyLock<Box<[RowTables]>> = LazyLock::new(|| {
    rows_with_capabilities()
        .map(|(row, has)| RowTables::new(row, &has))
        .collect()
});

impl RowTables {
    /// The tables of the row that the word belongs to at a capability. The high half of a short word must be 0.
    #[inline]
    pub fn of(word: u64, capability: Capability) -> Option<&'static RowTables> {
        let tables = &**TABLES;
        CANDIDATES[combination(word)]
            .iter()
            .map_while(|&index| tables.get(index as usize))
            .find(|tables| tables.masks[capability as usize].is_some_and(|mask| word & mask == tables.value))
    }

    /// The meaningful bits of a word of this row; `None` if a field has an undefined value, or the capability does not
    /// have the row.
    #[inline]
    pub fn meaningful_bits(&self, word: u64, capability: Capability) -> Option<u64> {
        let mut bits = self.masks[capability as usize]?;
        let mut defined = true;
        for group in &self.groups {
            let index = group
                .runs
                .iter()
                .fold(0, |index, &(shift, mask)| index | (word >> shift) as usize & mask);
            let more = group.bits.get(index).copied().unwrap_or(0);
            defined &= more != 0;
            bits |= more;
        }
        defined.then_some(bits)
    }

    fn new(row: &'static Row, capabilities: &RangeInclusive<Capability>) -> Self {
        // Parts that depend on few bits share a table.
        let mut groups: Vec<(u64, Vec<RowPart>)> = Vec::new();
        for part in RowPart::of(row) {
            let deciding = part.deciding_bits() & !row.pattern.mask;
            let group = groups
                .iter_mut()
                .find(|(bits, _)| (*bits | deciding).count_ones() <= MOST_BITS.max(deciding.count_ones()));
            match group {
                Some((bits, parts)) => {
                    *bits |= deciding;
                    parts.push(part);
                }
                None => groups.push((deciding, vec![part])),
            }
        }
        let groups = groups.into_iter();
        RowTables {
            row,
            masks: std::array::from_fn(|at| {
                let capability = Capability::ALL[at];
                capabilities
                    .contains(&capability)
                    .then(|| row.pattern_at(capability).mask)
            }),
            value: row.pattern.value,
            operation_bits: row.operation_bits(),
            groups: groups.map(|(bits, parts)| Group::new(row, bits, &parts)).collect(),
        }
    }
}

impl Group {
    fn new(row: &Row, deciding: u64, parts: &[RowPart]) -> Self {
        let mut runs = Vec::new();
        let mut places = Vec::new();
        for bit in (0..64).filter(|&bit| deciding >> bit & 1 != 0) {
            let place = places.len() as u32;
            match runs.last_mut() {
                Some((shift, mask)) if bit - *shift == place => *mask |= 1usize << place,
                _ => runs.push((bit - place, 1usize << place)),
            }
            places.push(bit);
        }
        let bits = (0..1usize << places.len()).map(|index| {
            let set = places.iter().enumerate().filter(|(place, _)| index >> place & 1 != 0);
            let word = set.fold(row.pattern.value, |word, (_, bit)| word | 1 << bit);
            let mut reader = Reader {
                word,
                used: row.pattern.mask,
            };
            match parts.iter().try_for_each(|part| part.read(&mut reader)) {
                Ok(()) => reader.used,
                Err(_) => 0,
            }
        });
        Group {
            bits: bits.collect(),
            runs: runs.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::rows_at;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Tests a million words over all rows: the tables agree with reading the parts one by one.
    #[test]
    fn tables_agree_with_reading_the_parts() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut defined, mut undefined) = (0, 0);
        let rows: Vec<(Capability, &Row)> = Capability::ALL
            .iter()
            .flat_map(|&capability| rows_at(capability).map(move |row| (capability, row)))
            .collect();
        for i in 0..1_000_000 {
            let (capability, row) = rows[i % rows.len()];
            let pattern = row.pattern_at(capability);
            let mut word = pattern.value | rng.gen::<u64>() & rng.gen::<u64>() & !pattern.mask;
            if pattern.form == Form::Short {
                word &= 0xffff_ffff;
            }
            if !pattern.matches(word) {
                continue;
            }
            let tables = RowTables::of(word, capability).expect("the row's own pattern");
            assert!(std::ptr::eq(tables.row, row));
            let mut reader = Reader {
                word,
                used: pattern.mask,
            };
            let expected = RowPart::of(tables.row)
                .try_for_each(|part| part.read(&mut reader))
                .ok()
                .map(|()| reader.used);
            assert_eq!(
                tables.meaningful_bits(word, capability),
                expected,
                "{} {word:#x}",
                tables.row.name
            );
            *if expected.is_some() {
                &mut defined
            } else {
                &mut undefined
            } += 1;
        }
        assert!(defined > 100_000 && undefined > 100_000, "{defined} {undefined}");
    }

    #[test]
    fn candidates_are_all_rows_that_match() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..200_000 {
            let mut word: u64 = rng.gen();
            if Form::of(word) == Form::Short {
                word &= 0xffff_ffff;
            }
            for &capability in Capability::ALL {
                let by_search = rows_at(capability).find(|row| row.pattern_at(capability).matches(word));
                let found = RowTables::of(word, capability).map(|tables| tables.row);
                assert_eq!(
                    found.map(std::ptr::from_ref),
                    by_search.map(std::ptr::from_ref),
                    "{word:#x} {capability}"
                );
            }
        }
    }
}
