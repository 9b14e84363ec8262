//! Words that are instructions in graphics programs, but not here.

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

const GRAPHICS: &str = "for graphics programs, meaningless in a compute kernel";

/// Meanings of encodings in graphics programs. No word matches both a row and an entry of this list.
pub static ABSENT: &[Absent] = &[
    absent("LDA", long(0x0, 0).and(53, 1, 1).and(58, 1, 1), GRAPHICS),
    absent("STO", long(0x0, 4), GRAPHICS),
    absent("IPA32", short(0x8), GRAPHICS),
    absent("IPA", long_any(0x8), GRAPHICS),
    absent("TEXCSAA", long(0xf, 4).and(60, 1, 0).and(24, 1, 0), GRAPHICS),
    absent("EMIT", long(0xf, 6), GRAPHICS),
    absent("QUADON", control(0x6), GRAPHICS),
    absent("QUADPOP", control(0x7), GRAPHICS),
];
