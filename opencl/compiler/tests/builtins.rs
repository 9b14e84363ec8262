//! OpenCL's integer, relational, conversion, memory and work-item functions on the golden model, against plain Rust. The
//! errors of math functions are in `accuracy.rs`; `math.rs` has those that this table leaves out.

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

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Integer {
    pub name: &'static str,
    pub bits: u32,
    pub signed: bool,
}

impl Integer {
    /// OpenCL C's.
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

    /// What is behind READ and WRITE for it.
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

    /// The number of this type with the same low bits.
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

/// What tests read and write: two words for each value, of which a type up to 32 bits has the first.
pub const ACCESS: &str = "
#define READ(p) p[2 * i]
#define READ_LONG(p) ((ulong)p[2 * i + 1] << 32 | p[2 * i])
#define WRITE(p, at, value) p[2 * (at)] = (uint)(value);
#define WRITE_LONG(p, at, value) { ulong bits_ = (ulong)(value); p[2 * (at)] = (uint)bits_; p[2 * (at) + 1] = (uint)(bits_ >> 32); }
";

/// A generator of test data (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number of any size, or near an end of a type's range.
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

/// 64-bit numbers as words, low first.
pub fn words(numbers: &[u64]) -> Vec<u32> {
    numbers
        .iter()
        .flat_map(|number| [*number as u32, (number >> 32) as u32])
        .collect()
}

/// The numbers of such words.
pub fn numbers(words: &[u32]) -> Vec<u64> {
    words
        .chunks_exact(2)
        .map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32)
        .collect()
}
