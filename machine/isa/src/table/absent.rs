//! Words that are instructions on later chips or in graphics programs, but not here.

use super::pattern::{control, long, long_any, short, Pattern};

/// An encoding that is an instruction elsewhere but not here, so that an error message can name that instruction.
#[derive(Debug)]
pub struct Absent {
    /// The name, the vendor's if known.
    pub name: &'static str,
    /// The words of the encoding.
    pub pattern: Pattern,
    /// The reason why it is not in [`crate::table::ROWS`].
    pub reason: &'static str,
    /// Source of this knowledge.
    pub source: &'static str,
}

const fn absent(name: &'static str, pattern: Pattern, reason: &'static str) -> Absent {
    Absent {
        name,
        pattern,
        reason,
        source: "envytools (envydis g80)",
    }
}

const LATER_1: &str = "new in compute capability 1.1";
const LATER_2: &str = "new in compute capability 1.2";
const LATER_3: &str = "double precision, only in compute capability 1.3";
const GRAPHICS: &str = "for graphics programs, meaningless in a compute kernel";

/// Meanings of encodings on later chips and in graphics programs. No word matches both a row and an entry of this list.
pub static ABSENT: &[Absent] = &[
    absent("LDA", long(0x0, 0).and(53, 1, 1).and(58, 1, 1), GRAPHICS),
    absent("STO", long(0x0, 4), GRAPHICS),
    absent("G2R", long(0x1, 2), LATER_1),
    absent("VOTE", long(0x1, 3), LATER_2),
    absent("IPA32", short(0x8), GRAPHICS),
    absent("IPA", long_any(0x8), GRAPHICS),
    absent("GRED", long(0xd, 6), LATER_1),
    absent("GATOM", long(0xd, 7), LATER_1),
    absent("DFMA", long(0xe, 2), LATER_3),
    absent("DADD", long(0xe, 3), LATER_3),
    absent("DMUL", long(0xe, 4), LATER_3),
    absent("DMIN", long(0xe, 5), LATER_3),
    absent("DMAX", long(0xe, 6), LATER_3),
    absent("DSET", long(0xe, 7), LATER_3),
    absent("TEXPREP", long(0xf, 3).and(60, 1, 0).and(48, 4, 1), LATER_2),
    absent("TMML", long(0xf, 3).and(60, 1, 0).and(48, 4, 2), LATER_2),
    absent("TEXCSAA", long(0xf, 4).and(60, 1, 0).and(24, 1, 0), GRAPHICS),
    absent("TLD4", long(0xf, 4).and(60, 1, 0).and(24, 1, 1), LATER_2),
    absent("EMIT", long(0xf, 6), GRAPHICS),
    absent("QUADON", control(0x6), GRAPHICS),
    absent("QUADPOP", control(0x7), GRAPHICS),
    absent("BRX", control(0xc), LATER_2),
    absent("PRERET", control(0xd), LATER_2),
];
