//! Random operands of double-precision operations, most of them near an edge: ties and one unit away from them,
//! cancellation, denormals, overflow, the limits of integers.

/// A generator of random numbers (SplitMix64): one seed, one sequence.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    pub fn bool(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    /// A number of 0 to `count` - 1.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u64
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn one_of(&mut self, list: &[u64]) -> u64 {
        list[self.below(list.len() as u64) as usize]
    }
}

const SIGN: u64 = 1 << 63;
const FRACTION: u64 = (1 << 52) - 1;

/// Doubles at the edges of the format.
pub const SPECIAL: [u64; 30] = [
    0,
    SIGN,
    1,
    SIGN | 1,
    2,
    0x0008_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
    0x800f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x8010_0000_0000_0000,
    0x0010_0000_0000_0001,
    // 2^-53: its product with 2^-1022 is half of the smallest number. Numbers near 1 follow.
    0x3ca0_0000_0000_0000,
    0x3fe0_0000_0000_0000,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0xbff8_0000_0000_0000,
    0x4000_0000_0000_0000,
    0x4340_0000_0000_0001,
    0x7fe0_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0xfff7_ffff_ffff_ffff,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_0000,
    0x7ffc_3456_789a_bcde,
];

/// A random fraction: arbitrary, with few bits at either end, or with a run of ones.
fn fraction(random: &mut Random) -> u64 {
    let any = random.next() & FRACTION;
    let count = random.below(53);
    match random.below(6) {
        0 | 1 => any,
        2 => any >> count,
        3 => any << count & FRACTION,
        4 => FRACTION >> count ^ (any & 1),
        _ => FRACTION << count & FRACTION ^ (any & 1),
    }
}

/// A double of any sign with this exponent field, limited to the format's.
fn with_field(random: &mut Random, field: i64) -> u64 {
    random.next() & SIGN | (field.clamp(0, 0x7fe) as u64) << 52 | fraction(random)
}

pub fn double(random: &mut Random) -> u64 {
    let field = match random.below(16) {
        0 => return random.next(),
        1 => return random.one_of(&SPECIAL),
        2 => return (random.next() & FRACTION) >> random.below(52) | random.next() & SIGN,
        3 => return with_field(random, 0x7ff) | 0x7ff << 52,
        4 => random.between(0, 60),
        5 => random.between(0x7ff - 60, 0x7fe),
        6..=9 => random.between(0, 0x7fe),
        _ => random.between(0x3ff - 60, 0x3ff + 60),
    };
    with_field(random, field)
}

fn field(bits: u64) -> i64 {
    (bits << 1 >> 53) as i64
}

/// Bits within a few units of `bits`, possibly with another exponent.
fn near(random: &mut Random, bits: u64) -> u64 {
    let reach = [1, 3, 40][random.below(3) as usize];
    bits.wrapping_add_signed(random.between(-reach, reach))
}

/// Three operands of DFMA. Tests also use the first two for a product, and the first and third for a sum.
pub fn triple(random: &mut Random) -> [u64; 3] {
    let a = double(random);
    let b = match random.below(8) {
        // The product near the smallest numbers, or near the largest.
        0 => {
            let product = random.between(-60, 4);
            with_field(random, 0x3ff - field(a) + product)
        }
        1 => {
            let product = random.between(-3, 2);
            with_field(random, 0x7fe + 0x3ff - field(a) + product)
        }
        // The product near 1.
        2 => near(random, (1.0 / f64::from_bits(a)).to_bits()),
        // The product has a few more bits than the format, so ties are frequent.
        3 => {
            let kept = random.next() | 1 << 51;
            with_field(random, 0x3ff) & !FRACTION | kept & FRACTION & FRACTION << random.below(52)
        }
        _ => double(random),
    };
    let product = f64::from_bits(a) * f64::from_bits(b);
    let c = match random.below(8) {
        // Cancels the product, or the first number.
        0 => near(random, product.to_bits() ^ SIGN),
        1 => near(random, a ^ SIGN),
        // About half a unit in the last place of the product or of `a`.
        2 => half_of_unit(random, product.to_bits()),
        3 => half_of_unit(random, a),
        // The exponents differ by any distance at which the bits overlap.
        4 => {
            let distance = random.between(-120, 120);
            with_field(random, field(product.to_bits()) + distance)
        }
        5 => {
            let distance = random.between(-60, 60);
            with_field(random, field(a) + distance)
        }
        _ => double(random),
    };
    [a, b, c]
}

/// About half a unit in the last place of a number: exactly half, one of its own units more or less, or a multiple by a
/// power of two.
fn half_of_unit(random: &mut Random, bits: u64) -> u64 {
    let distance = if random.bool() { 53 } else { random.between(50, 110) };
    let field = (field(bits) - distance).max(0) as u64;
    let half = sign(random) | field << 52;
    near(random, half)
}

fn sign(random: &mut Random) -> u64 {
    random.next() & SIGN
}

/// An integer, often a few units from a power of two or with few bits.
pub fn integer(random: &mut Random) -> u64 {
    let any = random.next();
    let count = random.below(64) as u32;
    match random.below(6) {
        0 => any,
        1 => any >> count,
        2 => (1u64 << count).wrapping_add_signed(random.between(-3, 3)),
        3 => u64::MAX << count,
        // Halfway between two floats of 24 or 53 bits, or one unit away.
        4 => {
            let unit = [64 - 24, 64 - 53][random.below(2) as usize];
            let tie = (any >> unit << unit | 1 << (unit - 1)).wrapping_add_signed(random.between(-1, 1));
            (tie | 1 << 63) >> random.below(unit)
        }
        _ => (any >> count).wrapping_neg(),
    }
}

/// A double to be converted to a narrower type.
pub fn convertible(random: &mut Random) -> u64 {
    match random.below(6) {
        // The number is in the range of integers, with a fraction.
        0 => {
            let field = random.between(0x3ff - 3, 0x3ff + 66);
            with_field(random, field)
        }
        // An integer and a half, or one unit away.
        1 => {
            let whole = (integer(random) >> random.between(11, 63)) as f64;
            let half = (whole + 0.5).to_bits() | sign(random);
            near(random, half)
        }
        // The limits of the integers.
        2 => {
            let limit = [31, 32, 63, 64][random.below(4) as usize];
            let beside = [0.0, 0.5, 1.0, 1.5][random.below(4) as usize];
            let beside = if random.bool() { beside } else { -beside };
            let edge = (2f64.powi(limit) + beside).to_bits() | sign(random);
            near(random, edge)
        }
        // Next to a float32, or halfway between two: normal ones, denormals, the largest.
        3 => {
            let field = random.between(0x3ff - 152, 0x3ff + 128);
            let kept = with_field(random, field);
            let lost = 29 + (0x3ff - 126 - field).clamp(0, 22);
            let beside = kept >> lost << lost | 1u64 << (lost - i64::from(random.bool()));
            near(random, beside)
        }
        4 => {
            let field = random.between(0x3ff - 155, 0x3ff + 130);
            with_field(random, field)
        }
        _ => double(random),
    }
}

/// A random float32: arbitrary, special, denormal, or in the range of 64-bit integers.
pub fn single(random: &mut Random) -> u32 {
    let any = random.next() as u32;
    let fraction = any & 0x007f_ffff & 0x007f_ffff << random.below(23);
    let sign = any & 1 << 31;
    match random.below(6) {
        0 => any,
        1 => sign | 0x7f80_0000 | if random.bool() { 0 } else { fraction },
        2 => sign | (any & 0x007f_ffff) >> random.below(23),
        _ => sign | (random.between(127 - 3, 127 + 66) as u32) << 23 | fraction,
    }
}
