//! Fields of a word, and the formats of their numbers.

/// Limit for the parts of a [`Field`].
pub const PARTS: usize = 4;

/// A field of a word. Its parts are joined from the least significant up: the first one gives the value's low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in explanations and diagrams.
    pub name: &'static str,
    /// Lowest bit in the word and width in bits of each part; parts of width 0 are unused.
    pub parts: [(u8, u8); PARTS],
}

/// A field of one part: `width` bits from bit `low` up.
pub const fn bits(name: &'static str, low: u8, width: u8) -> Field {
    Field {
        name,
        parts: [(low, width), (0, 0), (0, 0), (0, 0)],
    }
}

impl Field {
    /// The field with one more part above the present ones. More than [`PARTS`] parts do not compile in a `const`.
    pub const fn and(mut self, low: u8, width: u8) -> Field {
        let mut free = 0;
        while self.parts[free].1 != 0 {
            free += 1;
        }
        self.parts[free] = (low, width);
        self
    }

    /// The same bits under another name.
    pub const fn named(mut self, name: &'static str) -> Field {
        self.name = name;
        self
    }

    /// Width in bits, all parts together.
    pub const fn width(&self) -> u32 {
        let mut width = 0;
        let mut part = 0;
        while part < PARTS {
            width += self.parts[part].1 as u32;
            part += 1;
        }
        width
    }

    /// The bits of the word that belong to the field.
    pub const fn mask(&self) -> u128 {
        let mut mask = 0;
        let mut part = 0;
        while part < PARTS {
            let (low, width) = self.parts[part];
            mask |= ones(width as u32) << (low & 127);
            part += 1;
        }
        mask
    }

    /// The field's value in a word.
    pub const fn get(&self, word: u128) -> u128 {
        let mut value = 0;
        let mut at = 0;
        let mut part = 0;
        while part < PARTS {
            let (low, width) = self.parts[part];
            value |= (word >> (low & 127) & ones(width as u32)) << at;
            at += width as u32;
            part += 1;
        }
        value
    }

    /// A word with the value in the field and 0 elsewhere. Bits of the value above the field's width are ignored.
    pub const fn put(&self, mut value: u128) -> u128 {
        let mut word = 0;
        let mut part = 0;
        while part < PARTS {
            let (low, width) = self.parts[part];
            word |= (value & ones(width as u32)) << (low & 127);
            value = if width < 128 { value >> width } else { 0 };
            part += 1;
        }
        word
    }
}

/// The number with its low `width` bits set.
pub const fn ones(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// The format of a number. The parser accepts hexadecimal (`0x10`) and decimal (`16`) for every number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The prefix and the value times `scale`: `R7`. The field's highest value is written as `top`, if there is one:
    /// `RZ`.
    Register {
        /// Text before the number.
        prefix: &'static str,
        /// The factor of the value.
        scale: u8,
        /// The name of the field's highest value.
        top: Option<&'static str>,
    },
    /// A name for some values, the prefix and the value in decimal for all others: `SR_TID.X`, `SR77`.
    Listed {
        /// Values with their names.
        names: &'static [(u16, &'static str)],
        /// Text before the number of a value without a name.
        prefix: &'static str,
    },
    /// An unsigned decimal number, the value times `scale`.
    Decimal {
        /// The factor of the value.
        scale: u8,
    },
    /// A two's complement number in decimal, the value times `scale`: `-4`.
    Signed {
        /// The factor of the value.
        scale: u8,
    },
    /// A count, encoded as the count less one: the value plus one, times `scale`.
    Counted {
        /// The factor of the count.
        scale: u8,
    },
    /// An unsigned hexadecimal number in capital letters: `0x1C`.
    Capital,
    /// An immediate of 16 bits, rotated to the left by the value's next 5 bits in a word of `width` bits, and inverted
    /// if its last bit is set. The text is its effective value in hexadecimal, in capital letters. If several values
    /// have the same effective value, the text stands for the value with the least rotation, without inversion if
    /// possible.
    Rotated {
        /// The width of the effective value in bits: 16 or 32.
        width: u8,
    },
    /// An unsigned hexadecimal number, the value times `scale`: `0x1c`.
    Hex {
        /// The factor of the value.
        scale: u8,
    },
    /// A two's complement number in hexadecimal, the value times `scale`: `-0x4`.
    SignedHex {
        /// The factor of the value.
        scale: u8,
    },
    /// The register after another one: the prefix and the value plus `add`. Used for pairs of registers.
    Next {
        /// Text before the number.
        prefix: &'static str,
        /// The distance from the field's register.
        add: u8,
    },
    /// Like [`Format::Float`], in the style of NVIDIA's disassembler: numbers above 1e9 have all digits of
    /// `printf("%.20e")`, and infinities, NaNs and -0.0 have a space after them.
    WideFloat {
        /// The kind of number.
        kind: Float,
        /// The number of low bits that the field lacks; they are 0.
        low: u8,
    },
    /// A floating-point number; the field has its upper bits.
    Float {
        /// The kind of number.
        kind: Float,
        /// The number of low bits that the field lacks; they are 0.
        low: u8,
    },
    /// An unsigned binary number with all digits of its field: `0b0101`.
    Binary,
    /// The prefix and a two's complement number in decimal that always has a sign: `pc+284`.
    Offset {
        /// Text before the sign.
        prefix: &'static str,
    },
    /// Consecutive registers, joined by `_`; the field is the number of the first: `r4_r5_r6`.
    Run {
        /// Text before each number.
        prefix: &'static str,
        /// True for registers of half the width: the field's lowest bit selects `l` or `h`, `r4h_r5l`.
        halves: bool,
        /// The factor of the value.
        scale: u8,
        /// The number of registers.
        count: Count,
    },
    /// An address in hexadecimal: the value, two's complement, times `scale`, from `base` bytes after the instruction's
    /// own address. Addresses are in bytes.
    Target {
        /// Bytes from the instruction's own address to the base of the value: 0, or the instruction's length.
        base: u8,
        /// Bytes for each unit of the value.
        scale: u8,
    },
}

/// The number of registers of a [`Format::Run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Always this many.
    Fixed(u8),
    /// The number of set bits in the field, a mask of components. The registers' text does not determine which bits.
    Ones(&'static Field),
}

/// A kind of floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// IEEE half, 16 bits. Printed with up to 20 significant digits, like `printf("%.20g")`.
    Half,
    /// IEEE single, 32 bits. Printed with up to 20 significant digits, like `printf("%.20g")`.
    Single,
    /// IEEE double, 64 bits. Printed with up to 20 significant digits, like `printf("%.20g")`.
    Double,
    /// 8 bits, `s eee ffff`: for e = 0 f/64, else (16 + f) * 2^(e-7). Printed exactly.
    Mini,
}
