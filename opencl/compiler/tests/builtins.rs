//! OpenCL's integer, relational, conversion, memory and work-item functions on the golden model against plain Rust.
//! `accuracy.rs` measures the errors of math functions, and `math.rs` tests math functions that it does not measure.

#[path = "builtins/atomics.rs"]
mod atomics;
#[path = "builtins/conversions.rs"]
mod conversions;
mod frontend;
#[path = "builtins/integers.rs"]
mod integers;
#[path = "builtins/math.rs"]
mod math;
#[path = "builtins/others.rs"]
mod others;
#[path = "builtins/pairs.rs"]
mod pairs;

use frontend::Random;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Integer {
    pub name: &'static str,
    pub bits: u32,
    pub signed: bool,
}

impl Integer {
    /// All integer types of OpenCL C.
    pub const ALL: [Integer; 8] = [
        Integer::new("char", 8, true),
        Integer::new("uchar", 8, false),
        Integer::new("short", 16, true),
        Integer::new("ushort", 16, false),
        Integer::new("int", 32, true),
        Integer::new("uint", 32, false),
        Integer::new("long", 64, true),
        Integer::new("ulong", 64, false),
    ];

    const fn new(name: &'static str, bits: u32, signed: bool) -> Integer {
        Integer { name, bits, signed }
    }

    /// Suffix of the macros READ and WRITE for this type.
    pub fn access(self) -> &'static str {
        if self.bits == 64 {
            "_LONG"
        } else {
            ""
        }
    }

    pub fn least(self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    pub fn most(self) -> i128 {
        (1 << (self.bits - u32::from(self.signed))) - 1
    }

    /// Returns the number of this type with the same low bits.
    pub fn wrap(self, number: i128) -> i128 {
        let low = number & ((1 << self.bits) - 1);
        if self.signed && low >> (self.bits - 1) == 1 {
            low - (1 << self.bits)
        } else {
            low
        }
    }

    pub fn clamp(self, number: i128) -> i128 {
        number.clamp(self.least(), self.most())
    }
}

/// Macros that read and write values in the tests: two words per value, of which types of up to 32 bits use the first.
pub const ACCESS: &str = "
#define READ(p) p[2 * i]
#define READ_LONG(p) ((ulong)p[2 * i + 1] << 32 | p[2 * i])
#define WRITE(p, at, value) p[2 * (at)] = (uint)(value);
#define WRITE_LONG(p, at, value) { ulong bits_ = (ulong)(value); p[2 * (at)] = (uint)bits_; p[2 * (at) + 1] = (uint)(bits_ >> 32); }
";

impl Random {
    /// Returns a number of any size, or near a limit of a type's range.
    pub fn number(&mut self) -> u64 {
        let bits = self.bits();
        let near = (bits >> 8 & 7).wrapping_sub(4);
        match bits % 4 {
            0 => near,
            1 => (1u64 << (bits >> 16 & 63)).wrapping_add(near),
            2 => self.bits(),
            _ => self.bits() >> (bits >> 16 & 63),
        }
    }
}

/// Converts 64-bit numbers to words, low word first.
pub fn words(numbers: &[u64]) -> Vec<u32> {
    numbers
        .iter()
        .flat_map(|number| [*number as u32, (number >> 32) as u32])
        .collect()
}

/// Converts pairs of words to 64-bit numbers.
pub fn numbers(words: &[u32]) -> Vec<u64> {
    words
        .chunks_exact(2)
        .map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32)
        .collect()
}
