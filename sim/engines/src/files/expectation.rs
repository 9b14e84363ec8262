//! The expected contents of memory after a kernel, and mismatches.

use crate::files::hex::AddressedWord;
use flexgrip_machine::{ImageSpace, Launch};
use serde::Serialize;
use std::path::PathBuf;

/// The comparison of an expected word with the actual one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparison {
    /// All 32 bits are equal.
    Exact,
    /// IEEE single precision: at most `ulp` representable numbers or at most `absolute` apart; any NaN equals any NaN,
    /// and -0 equals 0.
    Float {
        /// The accepted distance in units in the last place.
        ulp: u32,
        /// The accepted difference, for results near 0 that lost precision by cancellation. Finite, 0 or more.
        absolute: f64,
    },
}

/// An `[[expect]]` of a launch file: words of global memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The file with the words.
    pub path: PathBuf,
    /// The words, at most one per address.
    pub words: Vec<AddressedWord>,
    /// Words not listed must be unchanged by the kernel.
    pub exact: bool,
    /// The comparison of listed words.
    pub comparison: Comparison,
}

/// A word that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The memory: `global`.
    pub space: &'static str,
    /// Byte address.
    pub address: u32,
    /// The expected word.
    pub expected: u32,
    /// The actual word.
    pub got: u32,
}

/// The first `words` words of global memory, as `launch` initialises it.
pub fn initial_global(launch: &Launch, words: usize) -> Vec<u32> {
    let mut memory = vec![0; words];
    for image in &launch.memory {
        if image.space == ImageSpace::Global {
            let start = image.address as usize / 4;
            for (place, word) in memory.iter_mut().skip(start).zip(&image.words) {
                *place = *word;
            }
        }
    }
    memory
}

impl Comparison {
    /// True if `got` is acceptable for `expected`.
    pub fn accepts(self, expected: u32, got: u32) -> bool {
        match self {
            Comparison::Exact => expected == got,
            Comparison::Float { ulp, absolute } => {
                let nan = |bits: u32| bits & 0x7fff_ffff > 0x7f80_0000;
                let value = |bits: u32| f64::from(f32::from_bits(bits));
                match (nan(expected), nan(got)) {
                    (true, true) => true,
                    // Equal infinities have the same rank; their difference would be NaN.
                    (false, false) => {
                        ordinal(expected).abs_diff(ordinal(got)) <= u64::from(ulp)
                            || (value(expected) - value(got)).abs() <= absolute
                    }
                    _ => false,
                }
            }
        }
    }
}

/// The rank of a float in the order of all floats; both zeros are 0.
fn ordinal(bits: u32) -> i64 {
    let magnitude = i64::from(bits & 0x7fff_ffff);
    if bits >> 31 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

impl Expectation {
    /// The words of `memory`, global memory after the kernel, that differ from the expected ones, in address order:
    /// listed words, then, if `exact`, changed words that are not listed. `initial` is memory before the kernel.
    pub fn mismatches(&self, initial: &[u32], memory: &[u32]) -> Vec<Mismatch> {
        let mismatch = |index: usize, expected, got| Mismatch {
            space: "global",
            address: (index * 4) as u32,
            expected,
            got,
        };
        let mut named = vec![false; memory.len()];
        let mut found = Vec::new();
        for entry in &self.words {
            let index = entry.address as usize / 4;
            if let Some(named) = named.get_mut(index) {
                *named = true;
            }
            let got = memory.get(index).copied().unwrap_or(0);
            if !self.comparison.accepts(entry.word, got) {
                found.push(mismatch(index, entry.word, got));
            }
        }
        found.sort_by_key(|mismatch| mismatch.address);
        if self.exact {
            for (index, (&got, named)) in memory.iter().zip(named).enumerate() {
                let expected = initial.get(index).copied().unwrap_or(0);
                if !named && expected != got {
                    found.push(mismatch(index, expected, got));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation(words: &[(u32, u32)], exact: bool, comparison: Comparison) -> Expectation {
        let words = words
            .iter()
            .map(|&(address, word)| AddressedWord { address, word, line: 1 })
            .collect();
        Expectation {
            path: PathBuf::new(),
            words,
            exact,
            comparison,
        }
    }

    #[test]
    fn named_words_and_with_exact_all_others() {
        let loose = expectation(&[(8, 3), (4, 2)], false, Comparison::Exact);
        assert_eq!(loose.mismatches(&[0; 4], &[9, 2, 3, 9]), []);
        let found = loose.mismatches(&[0; 4], &[9, 7, 8, 9]);
        assert_eq!(
            found.iter().map(|m| (m.address, m.expected, m.got)).collect::<Vec<_>>(),
            [(4, 2, 7), (8, 3, 8)]
        );
        let exact = expectation(&[(4, 2)], true, Comparison::Exact);
        assert_eq!(exact.mismatches(&[5, 0], &[5, 2]), []);
        assert_eq!(
            exact.mismatches(&[5, 0], &[6, 2]),
            [Mismatch {
                space: "global",
                address: 0,
                expected: 5,
                got: 6
            }]
        );
    }

    #[test]
    fn floats_by_distance() {
        let one = 1f32.to_bits();
        let close = Comparison::Float { ulp: 2, absolute: 0.0 };
        assert!(close.accepts(one, one + 2) && close.accepts(one, one - 2));
        assert!(!close.accepts(one, one + 3));
        assert!(close.accepts(0x8000_0000, 0) && close.accepts(0x8000_0001, 1));
        assert!(!close.accepts(0x8000_0001, 2));
        assert!(close.accepts(0x7fc0_0000, 0xffff_ffff) && !close.accepts(0x7fc0_0000, 0x7f80_0000));
        assert!(!close.accepts(one, one | 0x8000_0000));
    }

    #[test]
    fn floats_by_difference() {
        let close = Comparison::Float { ulp: 0, absolute: 0.25 };
        let accepts = |expected: f32, got: f32| close.accepts(expected.to_bits(), got.to_bits());
        assert!(accepts(8.0, 8.25) && accepts(-0.125, 0.125) && accepts(0.0, -0.25));
        assert!(!accepts(8.0, 8.250001) && !accepts(-0.125, 0.126));
        assert!(accepts(f32::INFINITY, f32::INFINITY) && accepts(f32::NAN, f32::NAN));
        assert!(!accepts(f32::INFINITY, -f32::INFINITY) && !accepts(f32::INFINITY, f32::MAX));
        assert!(!accepts(0.0, f32::NAN) && !accepts(f32::NAN, 0.0));
    }

    #[test]
    fn initial_memory_is_written_in_order() {
        let image = |address, words: &[u32]| flexgrip_machine::MemoryImage {
            space: ImageSpace::Global,
            address,
            words: words.to_vec(),
        };
        let launch = Launch {
            memory: vec![image(4, &[1, 2]), image(8, &[3])],
            ..Launch::default()
        };
        assert_eq!(initial_global(&launch, 4), [0, 1, 3, 0]);
    }
}
