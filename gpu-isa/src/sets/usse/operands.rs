//! Pieces that groups share: predicates, register files, masks, tables of swizzles.

use crate::set::*;

/// A number in decimal.
pub const DECIMAL: Format = Format::Decimal { scale: 1 };

/// Named bits that the text does not show.
macro_rules! unseen {
    ($($name:literal $low:literal $(.. $high:literal)?),* $(,)?) => {
        Unseen(&[$(Number(bits($name, $low, 1 $(+ $high - $low)?), DECIMAL)),*])
    };
}
pub(super) use unseen;

/// A predicate of three bits, from bit 56 up: four predicates, two of them also inverted.
pub const EXTENDED: &[Piece] = &[Names(bits("predicate", 56, 3), EXTENDED_NAMES)];
pub const EXTENDED_NAMES: &[Option<&str>] = &[
    Some(""),
    Some("p0 "),
    Some("p1 "),
    Some("p2 "),
    Some("p3 "),
    Some("!p0 "),
    Some("!p1 "),
    Some("pN "),
];
/// A predicate of three bits in the vector groups, from bit 56 up: three predicates and their inverses.
pub const VECTOR: &[Piece] = &[Names(
    bits("predicate", 56, 3),
    &[
        Some(""),
        Some("p0 "),
        Some("p1 "),
        Some("p2 "),
        Some("!p0 "),
        Some("!p1 "),
        Some("!p2 "),
        Some("pN "),
    ],
)];
/// A predicate of two bits in the vector groups, from bit 56 up: one predicate and its inverse.
pub const VECTOR_SHORT: &[Piece] = &[Names(
    bits("predicate", 56, 2),
    &[Some(""), Some("p0 "), Some("!p0 "), Some("pN ")],
)];
/// A predicate of two bits, from bit 57 up, in the fixed-point groups.
pub const SHORT: &[Piece] = &[Names(bits("predicate", 57, 2), SHORT_NAMES)];
pub const SHORT_NAMES: &[Option<&str>] = &[Some(""), Some("p0 "), Some("p1 "), Some("!p0 ")];

/// The register files of destinations.
const DESTINATIONS: &[File] = &[
    File::Temporary("r"),
    File::Plain("o"),
    File::Plain("pa"),
    File::Indexed("idx1"),
    File::Plain("sa"),
    File::Special,
    File::Plain("idx"),
    File::Indexed("idx2"),
];
/// The register files of source 0.
const SOURCES_0: &[File] = &[
    File::Temporary("r"),
    File::Plain("pa"),
    File::Plain("o"),
    File::Plain("sa"),
];
/// The register files of sources 1 and 2.
const SOURCES: &[File] = &[
    File::Temporary("r"),
    File::Plain("o"),
    File::Plain("pa"),
    File::Plain("sa"),
    File::Indexed("idx1"),
    File::Special,
    File::Immediate,
    File::Indexed("idx2"),
];
/// The number of [`File::Immediate`] among the sources' files.
const IMMEDIATE: u128 = 6;

const fn register(number: Field, bank: Field, files: &'static [File], scale: u8) -> Register {
    Register {
        name: number.name,
        number,
        bank,
        files,
        scale,
        internal: ((1u32 << number.width()) - 4) as u8,
        unit: 1,
    }
}

/// A destination: the register's number, its file, and the factor of the number in the text.
pub const fn destination(number: Field, bank: Field, scale: u8) -> Register {
    register(number, bank, DESTINATIONS, scale)
}

/// Source 0.
pub const fn source_0(number: Field, bank: Field, scale: u8) -> Register {
    register(number, bank, SOURCES_0, scale)
}

/// Source 1 or 2.
pub const fn source(number: Field, bank: Field, scale: u8) -> Register {
    register(number, bank, SOURCES, scale)
}

/// `word & mask == value` where a source is an immediate, by the bits of its file.
pub const fn immediate(bank: Field) -> Option<(u128, u128)> {
    Some((bank.mask(), bank.put(IMMEDIATE)))
}

/// The texts before a register for its modifier: negative, absolute. After it, the upper bit is a `)`.
pub const MODIFIER: &[Option<&str>] = &[Some(""), Some("-"), Some("abs("), Some("abs(-")];

/// A mask of the channels that always apply.
const fn always(channels: u8) -> Mask {
    Mask {
        mask: 0,
        value: 0,
        base: channels,
        bits: bits("mask", 0, 0),
        adds: [0; 4],
    }
}

pub const X: &[Mask] = &[always(1)];
pub const SECOND: &[Mask] = &[always(2)];
pub const FOURTH: &[Mask] = &[always(8)];
pub const XY: &[Mask] = &[always(3)];
pub const XYZ: &[Mask] = &[always(7)];
pub const XYZW: &[Mask] = &[always(15)];

/// A mask with a bit for each channel.
pub const fn each(field: Field) -> Mask {
    Mask {
        bits: field,
        adds: [1, 2, 4, 8],
        ..always(0)
    }
}

impl Mask {
    /// The mask, restricted to words with `word & mask == value`.
    pub const fn at(mut self, mask: u128, value: u128) -> Mask {
        self.mask = mask;
        self.value = value;
        self
    }

    /// The mask, with the channels that each of its bits adds.
    pub const fn adding(mut self, adds: [u8; 4]) -> Mask {
        self.adds = adds;
        self
    }
}

/// The channels that an instruction writes.
pub const fn written(mask: &'static [Mask]) -> Channels {
    fixed("mask", mask, "xyzw")
}

/// Channels with letters that are always the same.
pub const fn fixed(name: &'static str, mask: &'static [Mask], letters: &'static str) -> Channels {
    Channels {
        name,
        mask,
        letters: Letters::Fixed(letters),
        absent: None,
    }
}

/// Channels with letters from a table.
pub const fn swizzle(mask: &'static [Mask], entry: Field, tables: &'static [&'static [&'static str]]) -> Channels {
    Channels {
        name: "swizzle",
        mask,
        letters: Letters::Table {
            choice: bits("table", 0, 0),
            tables,
            entry,
        },
        absent: None,
    }
}

/// Channels with a field for each.
pub const fn letters(mask: &'static [Mask], fields: &'static [Field]) -> Channels {
    Channels {
        name: "swizzle",
        mask,
        letters: Letters::Each {
            fields,
            letters: "xyzw012H",
            packed: false,
            rest: "",
        },
        absent: None,
    }
}

impl Channels {
    /// The channels of a source that may be an immediate; an immediate has none.
    pub const fn of(mut self, bank: Field) -> Channels {
        self.absent = immediate(bank);
        self
    }
}

/// The first channel of a register that may be an immediate: `.x`.
macro_rules! scalar {
    ($register:expr) => {
        Pieces(&[
            Piece::Register(&$register),
            Piece::Channels(&fixed("mask", X, "xyzw").of($register.bank)),
        ])
    };
}
pub(super) use scalar;

/// The first channel of a destination or of source 0.
macro_rules! plain_scalar {
    ($register:expr) => {
        Pieces(&[Piece::Register(&$register), Piece::Channels(&fixed("mask", X, "xyzw"))])
    };
}
pub(super) use plain_scalar;

/// A source with its modifier and channels: the modifier's two bits, its upper bit.
macro_rules! modified {
    ($modifier:expr, $absolute:expr, $register:expr, $channels:expr) => {
        Pieces(&[
            Names($modifier, MODIFIER),
            Piece::Register(&$register),
            Flag($absolute, 1, ")"),
            Piece::Channels(&$channels),
        ])
    };
}
pub(super) use modified;

/// A source with its channels and an optional absolute value.
macro_rules! absolute {
    ($absolute:expr, $register:expr, $channels:expr) => {
        Pieces(&[
            Flag($absolute, 1, "abs("),
            Piece::Register(&$register),
            Flag($absolute, 1, ")"),
            Piece::Channels(&$channels),
        ])
    };
}
pub(super) use absolute;

/// The destination and sources 1 and 2 of most of the fixed-point groups.
pub const DESTINATION_7: Register = destination(
    bits("destination", 21, 7),
    bits("destination_file", 32, 2).and(51, 1),
    1,
);
pub const SOURCE_0_7: Register = source_0(bits("source_0", 14, 7), bits("source_0_file", 34, 1), 1);
pub const SOURCE_1_7: Register = source(bits("source_1", 7, 7), bits("source_1_file", 30, 2).and(49, 1), 1);
pub const SOURCE_2_7: Register = source(bits("source_2", 0, 7), bits("source_2_file", 28, 2).and(48, 1), 1);

impl Register {
    /// The register, with its number multiplied by `scale` in the text.
    pub const fn times(mut self, scale: u8) -> Register {
        self.scale = scale;
        self
    }

    /// The register, with immediates multiplied by `unit` in the text.
    pub const fn unit(mut self, unit: u8) -> Register {
        self.unit = unit;
        self
    }
}

/// Tables of swizzles: the source's channel for each channel of the result. `H` is one half.
pub type Table = [&'static str; 16];

/// A table and its extension, which one more bit chooses.
pub const fn both(first: &Table, second: &Table) -> [&'static str; 32] {
    let mut all = [""; 32];
    let mut at = 0;
    while at < 16 {
        all[at] = first[at];
        all[at + 16] = second[at];
        at += 1;
    }
    all
}

pub const VEC4: Table = [
    "xxxx", "yyyy", "zzzz", "wwww", "xyzw", "yzww", "xyzz", "xxyz", "xyxy", "xywz", "zxyw", "zwzw", "yzxz", "xxyy",
    "xzww", "xyz1",
];
const VEC4_EXTENDED: Table = [
    "yzxw", "zwxy", "xzwy", "yyww", "wyzw", "wzwz", "xyzx", "zzww", "xwzx", "yyyx", "yyyz", "xzyw", "xxxy", "zyxw",
    "yyzz", "zzzy",
];
pub const VEC3: Table = [
    "xxx", "yyy", "zzz", "www", "xyz", "yzw", "xxy", "xyx", "yyx", "yyz", "zxy", "xzy", "yzx", "zyx", "zzy", "xy1",
];
const VEC3_EXTENDED: Table = [
    "xyy", "yxy", "xxz", "yxx", "xy0", "x10", "000", "111", "HHH", "222", "x00", "", "", "", "", "",
];
pub const VEC4_BOTH: [&str; 32] = both(&VEC4, &VEC4_EXTENDED);
pub const VEC3_BOTH: [&str; 32] = both(&VEC3, &VEC3_EXTENDED);

pub const DUAL4: Table = [
    "xxxx", "yyyy", "zzzz", "wwww", "xyzw", "yzww", "xyzz", "xxyz", "xyxy", "xywz", "zxyw", "zwzw", "0000", "HHHH",
    "1111", "2222",
];
const DUAL4_EXTENDED: Table = [
    "yzxw", "zwxy", "xzwy", "yyww", "wyzw", "wzwz", "xyzx", "zzww", "xwzx", "yyyx", "yyyz", "zwzw", "yzxz", "xxyy",
    "xzww", "xyz1",
];
pub const DUAL3: Table = [
    "xxx", "yyy", "zzz", "www", "xyz", "yzw", "xxy", "xyx", "yyx", "yyz", "zxy", "xzy", "000", "HHH", "111", "222",
];
const DUAL3_EXTENDED: Table = [
    "xyy", "yxy", "xxz", "yxx", "xy0", "x10", "xzy", "yzx", "zyx", "zzy", "xy1", "", "", "", "", "",
];
pub const DUAL4_BOTH: [&str; 32] = both(&DUAL4, &DUAL4_EXTENDED);
pub const DUAL3_BOTH: [&str; 32] = both(&DUAL3, &DUAL3_EXTENDED);

/// A row of 8 bytes by the upper byte of its group.
pub const fn group(mnemonic: &'static str, mask: u128, value: u128, pieces: &'static [Piece]) -> Row {
    row(mnemonic, mask, value, 8, pieces)
}

/// The upper five bits, which choose the group.
pub const GROUP: u128 = 0xf8 << 56;
