//! Double-precision arithmetic with another algorithm than in `flexgrip_arith`: sums and products of finite numbers are
//! exact fixed-point numbers of 4,224 bits, without alignment, normalisation or sticky bits, which are then rounded.
//! The host computes comparisons, integral values and results with infinities, which are exact.

use flexgrip_arith::float::Rounding;
use flexgrip_arith::Cc;
use std::cmp::Ordering;

/// A binary floating-point format.
#[derive(Clone, Copy)]
pub struct Format {
    /// Bits of a normal number's significand.
    precision: usize,
    /// Bits of the whole number.
    width: usize,
    /// The smallest positive number is 2 to this power.
    smallest: i32,
}

pub const DOUBLE: Format = Format {
    precision: 53,
    width: 64,
    smallest: -1074,
};
pub const SINGLE: Format = Format {
    precision: 24,
    width: 32,
    smallest: -149,
};

/// Bit 0 of a fixed-point number is 2 to this power: the product of the two smallest doubles.
const LOWEST: i32 = -2148;
/// The largest product is below 2^2048, bit 4,196.
const LIMBS: usize = 66;

/// A fixed-point number in units of 2^-2148: two's complement, the low limb first.
struct Fixed([u64; LIMBS]);

impl Fixed {
    /// Adds `integer * 2^exponent`, or subtracts it.
    fn add(&mut self, negative: bool, integer: u128, exponent: i32) {
        let position = usize::try_from(exponent - LOWEST).expect("no product has a lower bit");
        let (first, shift) = (position / 64, position % 64);
        let low = (integer as u64 as u128) << shift;
        let high = (integer >> 64) << shift;
        let middle = (low >> 64) + (high as u64 as u128);
        let parts = [low as u64, middle as u64, ((high >> 64) + (middle >> 64)) as u64];
        let mut carry = false;
        for (index, limb) in self.0.iter_mut().enumerate().skip(first) {
            if index - first >= parts.len() && !carry {
                break;
            }
            let part = parts.get(index - first).copied().unwrap_or(0);
            let (value, over, over_carry);
            if negative {
                (value, over) = limb.overflowing_sub(part);
                (*limb, over_carry) = value.overflowing_sub(carry.into());
            } else {
                (value, over) = limb.overflowing_add(part);
                (*limb, over_carry) = value.overflowing_add(carry.into());
            }
            carry = over | over_carry;
        }
    }

    fn is_negative(&self) -> bool {
        self.0[LIMBS - 1] >> 63 == 1
    }

    fn negate(&mut self) {
        let mut carry = true;
        for limb in &mut self.0 {
            (*limb, carry) = (!*limb).overflowing_add(carry.into());
        }
    }

    fn is_set(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The highest and the lowest bit that is set.
    fn ends(&self) -> Option<(usize, usize)> {
        let high = self.0.iter().rposition(|&limb| limb != 0)?;
        let low = self.0.iter().position(|&limb| limb != 0)?;
        let highest = high * 64 + 63 - self.0[high].leading_zeros() as usize;
        Some((highest, low * 64 + self.0[low].trailing_zeros() as usize))
    }

    /// The 64 bits from `bit` up.
    fn bits_from(&self, bit: usize) -> u64 {
        let limb = |index: usize| u128::from(self.0.get(index).copied().unwrap_or(0));
        ((limb(bit / 64) | limb(bit / 64 + 1) << 64) >> (bit % 64)) as u64
    }
}

/// A result before it is rounded.
pub enum Exact {
    /// The same bits in every mode: a NaN, an infinity, a zero with a fixed sign.
    Bits(u64),
    /// An exact zero as the sum of numbers of different signs; its sign depends on the mode.
    Cancelled,
    Number(Number),
}

/// A number that is not 0.
pub struct Number {
    negative: bool,
    magnitude: Box<Fixed>,
    /// The highest and the lowest bit that is set.
    highest: usize,
    lowest: usize,
}

impl Exact {
    pub fn rounded(&self, mode: Rounding, format: Format) -> u64 {
        match self {
            Exact::Bits(bits) => *bits,
            Exact::Cancelled => u64::from(mode == Rounding::Down) << (format.width - 1),
            Exact::Number(number) => rounded(number, mode, format),
        }
    }
}

fn rounded(number: &Number, mode: Rounding, format: Format) -> u64 {
    let negative = number.negative;
    // The position of the result's last bit.
    let place = (number.highest + 1)
        .saturating_sub(format.precision)
        .max((format.smallest - LOWEST) as usize);
    let below = number.magnitude.bits_from(place);
    let above = below + u64::from(number.lowest < place);
    let half = place - 1;
    let nearest = match (number.magnitude.is_set(half), number.lowest < half) {
        (false, _) => below,
        (true, true) => above,
        (true, false) => [below, above][(below % 2) as usize],
    };
    let places = match (mode, negative) {
        (Rounding::Nearest, _) => nearest,
        (Rounding::Zero, _) | (Rounding::Down, false) | (Rounding::Up, true) => below,
        (Rounding::Down, true) | (Rounding::Up, false) => above,
    };
    let sign = u64::from(negative) << (format.width - 1);
    let exponent = place as i32 + LOWEST;
    sign | finite(places, exponent, format).unwrap_or_else(|| {
        let infinity = ((1u64 << (format.width - format.precision)) - 1) << (format.precision - 1);
        let largest = match (mode, negative) {
            (Rounding::Nearest, _) | (Rounding::Up, false) | (Rounding::Down, true) => false,
            (Rounding::Zero, _) | (Rounding::Up, true) | (Rounding::Down, false) => true,
        };
        infinity - u64::from(largest)
    })
}

/// The bits of `places * 2^exponent`, which has at most one carry more than the precision; `None` if it is too large.
fn finite(places: u64, exponent: i32, format: Format) -> Option<u64> {
    let leading = 1u64 << (format.precision - 1);
    if places == 2 * leading {
        return finite(leading, exponent + 1, format);
    }
    if places < leading {
        assert_eq!(exponent, format.smallest, "a denormal");
        return Some(places);
    }
    let field = (exponent - format.smallest + 1) as u64;
    (field < (1 << (format.width - format.precision)) - 1).then(|| field * leading + (places - leading))
}

/// The sign, significand and exponent of a finite double: `significand * 2^exponent`.
fn parts(number: f64) -> (bool, u128, i32) {
    let bits = number.to_bits();
    let (field, fraction) = (bits << 1 >> 53, bits << 12 >> 12);
    let (significand, exponent) = match field {
        0 => (fraction, -1074),
        _ => (fraction + (1 << 52), field as i32 - 1075),
    };
    (number.is_sign_negative(), u128::from(significand), exponent)
}

pub const INVALID: u64 = 0xfff8_0000_0000_0000;

/// The result of an operation on specials: the first NaN of `in_order`, made quiet, or the host's.
fn special(in_order: &[f64], host: f64) -> Exact {
    let nan = in_order.iter().find(|number| number.is_nan());
    Exact::Bits(match nan {
        Some(nan) => nan.to_bits() | 1 << 51,
        None if host.is_nan() => INVALID,
        None => host.to_bits(),
    })
}

pub fn dfma(a: f64, b: f64, c: f64) -> Exact {
    if !(a.is_finite() && b.is_finite()) {
        return special(&[b, c, a], a * b + c);
    }
    if !c.is_finite() {
        return special(&[c], c);
    }
    let (product_negative, product, product_exponent) = multiplied(a, b);
    let (c_negative, c, c_exponent) = parts(c);
    let mut sum = Box::new(Fixed([0; LIMBS]));
    sum.add(product_negative, product, product_exponent);
    sum.add(c_negative, c, c_exponent);
    settled(sum, [product_negative, c_negative])
}

fn multiplied(a: f64, b: f64) -> (bool, u128, i32) {
    let ((a_negative, a, a_exponent), (b_negative, b, b_exponent)) = (parts(a), parts(b));
    (a_negative != b_negative, a * b, a_exponent + b_exponent)
}

/// A sum of two numbers of these signs.
fn settled(mut sum: Box<Fixed>, signs: [bool; 2]) -> Exact {
    let negative = sum.is_negative();
    if negative {
        sum.negate();
    }
    match sum.ends() {
        Some((highest, lowest)) => Exact::Number(Number {
            negative,
            magnitude: sum,
            highest,
            lowest,
        }),
        None if signs[0] == signs[1] => Exact::Bits(u64::from(signs[0]) << 63),
        None => Exact::Cancelled,
    }
}

pub fn dadd(a: f64, b: f64) -> Exact {
    if !(a.is_finite() && b.is_finite()) {
        return special(&[b, a], a + b);
    }
    let ((a_negative, a, a_exponent), (b_negative, b, b_exponent)) = (parts(a), parts(b));
    let mut sum = Box::new(Fixed([0; LIMBS]));
    sum.add(a_negative, a, a_exponent);
    sum.add(b_negative, b, b_exponent);
    settled(sum, [a_negative, b_negative])
}

pub fn dmul(a: f64, b: f64) -> Exact {
    if !(a.is_finite() && b.is_finite()) || a == 0.0 || b == 0.0 {
        return special(&[b, a], a * b);
    }
    let (negative, product, exponent) = multiplied(a, b);
    integer_times(negative, product, exponent)
}

/// `integer * 2^exponent`, negated if `negative`; a double's zero if it is 0.
fn integer_times(negative: bool, integer: u128, exponent: i32) -> Exact {
    let mut number = Box::new(Fixed([0; LIMBS]));
    number.add(negative, integer, exponent);
    settled(number, [negative; 2])
}

/// The smaller or larger number.
pub fn extreme(a: f64, b: f64, larger: bool) -> u64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => b.to_bits() | 1 << 51,
        (true, false) => b.to_bits(),
        (false, true) => a.to_bits(),
        (false, false) if a.total_cmp(&b).is_gt() == larger => a.to_bits(),
        (false, false) => b.to_bits(),
    }
}

/// A number with its sign modified; a NaN is unchanged.
fn modified(number: f64, absolute: bool, negate: bool) -> f64 {
    match number.is_nan() {
        true => number,
        false => {
            let number = if absolute { number.abs() } else { number };
            if negate {
                -number
            } else {
                number
            }
        }
    }
}

/// The float32 of a double.
pub fn to_single(number: f64, absolute: bool, negate: bool, mode: Rounding) -> u32 {
    let bits = number.to_bits();
    if number.is_nan() {
        let payload = bits << 12 >> 12 >> 29;
        return (bits >> 63 << 31 | 0x7fc0_0000 | payload) as u32;
    }
    let number = modified(number, absolute, negate);
    if number.is_infinite() || number == 0.0 {
        return (number as f32).to_bits();
    }
    let (negative, significand, exponent) = parts(number);
    integer_times(negative, significand, exponent).rounded(mode, SINGLE) as u32
}

/// A float32 as a double, converted by the host except for NaNs.
pub fn from_single(bits: u32, absolute: bool, negate: bool) -> u64 {
    let single = f32::from_bits(bits);
    if single.is_nan() {
        return u64::from(bits >> 31) << 63 | 0x7ff8_0000_0000_0000 | u64::from(bits & 0x7f_ffff) << 29;
    }
    modified(f64::from(single), absolute, negate).to_bits()
}

/// The integral value of a number, rounded in this mode.
pub fn integral(number: f64, mode: Rounding) -> f64 {
    let value = match mode {
        Rounding::Nearest => number.round_ties_even(),
        Rounding::Down => number.floor(),
        Rounding::Up => number.ceil(),
        Rounding::Zero => number.trunc(),
    };
    value.copysign(number)
}

/// F2F.F64.F64, with an integral value in this mode.
pub fn to_double(number: f64, absolute: bool, negate: bool, mode: Option<Rounding>) -> u64 {
    let number = modified(number, absolute, negate);
    match mode {
        _ if number.is_nan() => number.to_bits() | 1 << 51,
        Some(mode) => integral(number, mode).to_bits(),
        None => number.to_bits(),
    }
}

/// An integer of `bits` bits from a number, with its condition code.
pub fn to_integer(number: f64, absolute: bool, negate: bool, mode: Rounding, bits: u32, signed: bool) -> (u64, Cc) {
    let top = 1i128 << (bits - 1);
    let (low, high) = if signed { (-top, top - 1) } else { (0, 2 * top - 1) };
    let number = modified(number, absolute, negate);
    // The host's conversion also clamps far beyond the range.
    let exact = integral(number, mode) as i128;
    let integer = if number.is_nan() { top } else { exact.clamp(low, high) };
    let overflow = number.is_nan() || exact < low || exact > high && (signed || bits < 64);
    let value = (integer & (2 * top - 1)) as u64;
    let mut code = u8::from(overflow) * Cc::OVERFLOW;
    if integer == 0 {
        code |= Cc::ZERO;
    }
    if integer < 0 || integer >= top {
        code |= Cc::SIGN;
    }
    (value, Cc::from_bits(code))
}

/// The float of an integer of `bits` bits.
pub fn from_integer(
    word: u64,
    (bits, signed): (u32, bool),
    absolute: bool,
    negate: bool,
    mode: Rounding,
    format: Format,
) -> u64 {
    let unsigned = i128::from(word) & ((1 << bits) - 1);
    let integer = match signed && unsigned >> (bits - 1) == 1 {
        true => unsigned - (1 << bits),
        false => unsigned,
    };
    let integer = if absolute { integer.abs() } else { integer };
    let sign = u64::from(negate) << (format.width - 1);
    match (integer, signed) {
        (0, _) => sign,
        (_, true) => {
            let integer = if negate { -integer } else { integer };
            integer_times(integer < 0, integer.unsigned_abs(), 0).rounded(mode, format)
        }
        (_, false) => sign | integer_times(false, integer.unsigned_abs(), 0).rounded(mode, format),
    }
}

/// The condition code of a float result: its comparison with 0.
pub fn code(number: f64) -> Cc {
    Cc::from_bits(match number.partial_cmp(&0.0) {
        Some(Ordering::Greater) => 0,
        Some(Ordering::Equal) => Cc::ZERO,
        Some(Ordering::Less) => Cc::SIGN,
        None => Cc::ZERO | Cc::SIGN,
    })
}
