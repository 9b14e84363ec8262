//! Numbers in an instruction's text: printing and parsing of a field's value in each [`Format`].

use crate::field::{ones, Count, Float, Format};
use std::fmt::Write as _;

/// The reason why a text is not a number of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The text is not a number.
    Other,
    /// The number does not fit.
    Range,
    /// The number is not a multiple of the scale.
    Multiple(u8),
    /// The bits cannot represent the number exactly.
    Inexact,
}

/// A parsed number: the field's value, the bits of it that the text determines, and the length of the text in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub value: u128,
    pub decided: u128,
    pub length: usize,
}

/// Exponent and fraction bits of an IEEE format.
const fn ieee(kind: Float) -> Option<(u32, u32)> {
    match kind {
        Float::Half => Some((5, 10)),
        Float::Single => Some((8, 23)),
        Float::Double => Some((11, 52)),
        Float::Mini => None,
    }
}

/// The value's bits as a number of the kind, if it is a NaN: exponent, quiet bit and sign as a mask.
fn nan(kind: Float, bits: u128) -> Option<u128> {
    let (exponent, fraction) = ieee(kind)?;
    let top = ones(exponent) << fraction;
    (bits & top == top && bits & ones(fraction) != 0).then_some(top | 1 << (fraction - 1) | 1 << (exponent + fraction))
}

/// The bits of the field that the value's text determines: all except the payload of a NaN.
pub(crate) fn read(format: Format, value: u128, width: u32) -> u128 {
    match format {
        Format::WideFloat { kind: Float::Half, low } => {
            nan(Float::Half, value << low).map_or(ones(width), |mask| (mask & !QUIET_HALF) >> low & ones(width))
        }
        Format::Float { kind, low } | Format::WideFloat { kind, low } => {
            nan(kind, value << low).map_or(ones(width), |mask| mask >> low & ones(width))
        }
        Format::Rotated { .. } => 0,
        _ => ones(width),
    }
}

/// The effective value of a [`Format::Rotated`].
fn effective(value: u128, width: u8) -> u128 {
    let width = u32::from(width);
    let turn = (value >> 16 & 31) as u32 % width;
    let immediate = value & 0xffff;
    let turned = (immediate << turn | immediate >> (width - turn)) & ones(width);
    turned ^ if value >> 21 & 1 == 1 { ones(width) } else { 0 }
}

/// The value of a [`Format::Rotated`] for an effective value; `None` if there is no such value.
fn rotated(number: u128, width: u8) -> Option<u128> {
    let count = u32::from(width);
    for inverted in 0..2 {
        let upright = number ^ if inverted == 1 { ones(count) } else { 0 };
        for turn in 0..count {
            let immediate = (upright >> turn | upright << (count - turn)) & ones(count);
            if immediate <= 0xffff {
                return Some(immediate | u128::from(turn) << 16 | inverted << 21);
            }
        }
    }
    None
}

/// The bit that makes a half's NaN quiet.
const QUIET_HALF: u128 = 1 << 9;

/// The usual values of the field's bits that the value's text does not determine: NVIDIA's disassembler prints every
/// NaN of a half as quiet.
pub(crate) fn usual(format: Format, value: u128) -> u128 {
    match format {
        Format::WideFloat { kind: Float::Half, low } if nan(Float::Half, value << low).is_some() => QUIET_HALF >> low,
        Format::Rotated { width } => rotated(effective(value, width), width).unwrap_or(0),
        _ => 0,
    }
}

/// The field's value as a two's complement number.
fn signed(value: u128, width: u32) -> i128 {
    if width == 0 || width >= 128 {
        return value as i128;
    }
    let shift = 128 - width;
    (value << shift) as i128 >> shift
}

fn hex(out: &mut String, number: i128) {
    let sign = if number < 0 { "-" } else { "" };
    let _ = write!(out, "{sign}0x{:x}", number.unsigned_abs());
}

/// A number as `printf("%.20g")` prints it.
pub fn general(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "+INF" } else { "-INF" }.to_string();
    }
    if number == 0.0 {
        return if number.is_sign_negative() { "-0" } else { "0" }.to_string();
    }
    let text = format!("{number:.19e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let digits: String = digits.chars().filter(|&digit| digit != '.').collect();
    let short = digits.trim_end_matches('0');
    if (-4..20).contains(&exponent) {
        if exponent < 0 {
            format!("{sign}0.{}{short}", "0".repeat(-exponent as usize - 1))
        } else {
            let whole = exponent as usize + 1;
            if short.len() > whole {
                format!("{sign}{}.{}", &short[..whole], &short[whole..])
            } else {
                format!("{sign}{}", &digits[..whole])
            }
        }
    } else {
        let (first, more) = short.split_at(1);
        let point = if more.is_empty() { "" } else { "." };
        let mark = if exponent < 0 { '-' } else { '+' };
        format!("{sign}{first}{point}{more}e{mark}{:02}", exponent.abs())
    }
}

/// A half as a double, exactly.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 => f64::INFINITY,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// The half that is exactly the number.
fn half_bits(number: f64) -> Option<u16> {
    let sign = u16::from(number.is_sign_negative()) << 15;
    let size = number.abs();
    let units = if size < 2f64.powi(-14) {
        size * 2f64.powi(24)
    } else {
        let exponent = (size.to_bits() >> 52) as i32 - 1023;
        if exponent > 15 {
            return None;
        }
        // The fraction contributes 1024 .. 2047 units, and each exponent above the smallest another 1024.
        size * 2f64.powi(10 - exponent) + f64::from(exponent + 14) * 1024.0
    };
    (units.fract() == 0.0).then_some(sign | units as u16)
}

/// The number of an 8-bit float: sign, 3 bits of exponent, 4 bits of fraction.
fn mini(bits: u8) -> f32 {
    let exponent = i32::from(bits >> 4 & 7);
    let fraction = f32::from(bits & 15);
    let number = match exponent {
        0 => fraction / 64.0,
        _ => (16.0 + fraction) * 2f32.powi(exponent - 7),
    };
    if bits >> 7 == 1 {
        -number
    } else {
        number
    }
}

fn print_float(kind: Float, bits: u128, out: &mut String) {
    if let Some(mask) = nan(kind, bits) {
        let sign = if bits >> (127 - mask.leading_zeros()) & 1 == 1 {
            '-'
        } else {
            '+'
        };
        let quiet = bits >> mask.trailing_zeros() & 1 == 1;
        let _ = write!(out, "{sign}{}", if quiet { "QNAN" } else { "SNAN" });
        return;
    }
    match kind {
        Float::Half => out.push_str(&general(half(bits as u16))),
        Float::Single => out.push_str(&general(f64::from(f32::from_bits(bits as u32)))),
        Float::Double => out.push_str(&general(f64::from_bits(bits as u64))),
        Float::Mini => {
            let _ = write!(out, "{:?}", mini(bits as u8));
        }
    }
}

/// Prints a number as NVIDIA's disassembler does: see [`Format::WideFloat`].
fn print_wide(kind: Float, bits: u128, out: &mut String) {
    let begin = out.len();
    print_float(kind, bits, out);
    if matches!(kind, Float::Half) && out.ends_with("SNAN") {
        out.truncate(begin + 1);
        out.push_str("QNAN");
    }
    let text = &out[begin..];
    if text == "-0" {
        out.push_str(".0 ");
    } else if text.ends_with('F') || text.ends_with('N') {
        out.push(' ');
    } else if let Some(number) = text.parse::<f64>().ok().filter(|number| number.abs() > 1e9) {
        let exact = match kind {
            Float::Half => f64::from(number as f32),
            Float::Single => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits as u64),
        };
        out.truncate(begin);
        let text = format!("{exact:.20e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let _ = write!(out, "{digits}e+{exponent:0>2}");
    }
}

/// Prints the value of a field `width` bits wide; `address` is the instruction's.
pub(crate) fn print(format: Format, value: u128, width: u32, address: u64, out: &mut String) {
    match format {
        Format::Register { prefix, scale, top } => match top {
            Some(top) if value == ones(width) => out.push_str(top),
            _ => {
                out.push_str(prefix);
                push_decimal(out, value * u128::from(scale));
            }
        },
        Format::Listed { names, prefix } => match names.iter().find(|(number, _)| u128::from(*number) == value) {
            Some((_, name)) => out.push_str(name),
            None => {
                out.push_str(prefix);
                push_decimal(out, value);
            }
        },
        Format::Decimal { scale } => push_decimal(out, value.saturating_mul(u128::from(scale))),
        Format::Signed { scale } => {
            let _ = write!(out, "{}", signed(value, width).saturating_mul(i128::from(scale)));
        }
        Format::Counted { scale } => push_decimal(out, (value + 1).saturating_mul(u128::from(scale))),
        Format::Capital => {
            let _ = write!(out, "0x{value:X}");
        }
        Format::Rotated { width } => {
            let _ = write!(out, "0x{:X}", effective(value, width));
        }
        Format::Hex { scale } => {
            let _ = write!(out, "0x{:x}", value.saturating_mul(u128::from(scale)));
        }
        Format::SignedHex { scale } => hex(out, signed(value, width).saturating_mul(i128::from(scale))),
        Format::Float { kind, low } => print_float(kind, value << low, out),
        Format::WideFloat { kind, low } => print_wide(kind, value << low, out),
        Format::Next { prefix, add } => {
            out.push_str(prefix);
            push_decimal(out, value + u128::from(add));
        }
        Format::Binary => {
            let _ = write!(out, "0b{value:0width$b}", width = width as usize);
        }
        Format::Offset { prefix } => {
            let _ = write!(out, "{prefix}{:+}", signed(value, width));
        }
        Format::Run {
            prefix,
            halves,
            scale,
            count,
        } => {
            let Count::Fixed(count) = count else { return };
            for number in 0..u128::from(count) {
                let joint = if number == 0 { "" } else { "_" };
                let _ = write!(out, "{joint}{prefix}");
                push_register(out, value * u128::from(scale) + number, halves);
            }
        }
        Format::Target { base, scale } => hex(
            out,
            signed(value, width).saturating_mul(i128::from(scale)) + i128::from(address) + i128::from(base),
        ),
    }
}

/// Appends the number of a register, or of half a register.
fn push_register(out: &mut String, number: u128, halves: bool) {
    if halves {
        push_decimal(out, number / 2);
        out.push(if number % 2 == 0 { 'l' } else { 'h' });
    } else {
        push_decimal(out, number);
    }
}

/// The number of a register, or of half a register, at the beginning of the text, with its length.
fn register(text: &str, halves: bool) -> Result<(i128, usize), Refusal> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    if count == 0 {
        return Err(Refusal::Other);
    }
    // Ten digits fit.
    let number: u32 = text[..count].parse().map_err(|_| Refusal::Range)?;
    match (halves, text.as_bytes().get(count)) {
        (false, next) if !next.is_some_and(|next| matches!(next, b'l' | b'h')) => Ok((number.into(), count)),
        (true, Some(b'l')) => Ok((2 * i128::from(number), count + 1)),
        (true, Some(b'h')) => Ok((2 * i128::from(number) + 1, count + 1)),
        _ => Err(Refusal::Other),
    }
}

pub(crate) fn push_decimal(out: &mut String, number: u128) {
    // Registers are the most frequent numbers, by far.
    if number < 10 {
        out.push(char::from(b'0' + number as u8));
    } else {
        let _ = write!(out, "{number}");
    }
}

/// An integer at the beginning of the text, hexadecimal or decimal, with its length.
pub(crate) fn integer(text: &str) -> Result<(i128, usize), Refusal> {
    let bytes = text.as_bytes();
    let negative = bytes.first() == Some(&b'-');
    let mut at = usize::from(negative);
    // Spaces after the sign are optional, as between all tokens.
    while negative && bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    let base: i128 = match bytes.get(at..at + 2) {
        Some([b'0', b'x' | b'X']) => {
            at += 2;
            16
        }
        _ => 10,
    };
    let first = at;
    let mut number = Some(0i128);
    while let Some(digit) = bytes.get(at).and_then(|&byte| char::from(byte).to_digit(base as u32)) {
        number = number.and_then(|number| number.checked_mul(base)?.checked_add(i128::from(digit)));
        at += 1;
    }
    if at == first {
        return Err(Refusal::Other);
    }
    let number = number.ok_or(Refusal::Range)?;
    Ok((if negative { -number } else { number }, at))
}

/// The field's value for a number, which must be a multiple of `scale`.
fn unscale(number: i128, scale: u8, width: u32, signed: bool) -> Result<u128, Refusal> {
    let divisor = i128::from(scale.max(1));
    if number % divisor != 0 {
        return Err(Refusal::Multiple(scale));
    }
    let number = number / divisor;
    let (least, most) = if signed {
        (-(1i128 << width.clamp(1, 127) >> 1), (ones(width) >> 1) as i128)
    } else {
        (0, i128::try_from(ones(width)).unwrap_or(i128::MAX))
    };
    if number < least || number > most {
        return Err(Refusal::Range);
    }
    Ok(number as u128 & ones(width))
}

/// The length of the floating-point number at the beginning of the text, without sign.
fn float_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    at = digits(at);
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at = digits(at + 1);
    }
    if at > 0 && matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(at + 1 + sign);
        if end > at + 1 + sign {
            at = end;
        }
    }
    at
}

fn parse_float(kind: Float, low: u8, width: u32, text: &str) -> Result<Parsed, Refusal> {
    let bytes = text.as_bytes();
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let negative = bytes.first() == Some(&b'-');
    while at > 0 && bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    let rest = &text[at..];
    if let Some((exponent, fraction)) = ieee(kind) {
        let sign = u128::from(negative) << (exponent + fraction);
        let top = ones(exponent) << fraction;
        let quiet = 1 << (fraction - 1);
        let special = [("INF", 0), ("QNAN", quiet), ("SNAN", 0)];
        if let Some((name, bit)) = special.iter().find(|(name, _)| rest.starts_with(name)) {
            let mask = if *name == "INF" {
                u128::MAX
            } else {
                top | quiet | 1 << (exponent + fraction)
            };
            return Ok(Parsed {
                value: (sign | top | bit) >> low & ones(width),
                decided: mask >> low & ones(width),
                length: at + name.len(),
            });
        }
    }
    let length = at + float_length(rest.as_bytes());
    if length == at {
        return Err(Refusal::Other);
    }
    let exact = |number: f64| if negative { -number } else { number };
    let number: f64 = text[at..length].parse().map_err(|_| Refusal::Other)?;
    let bits = match kind {
        Float::Mini => (0..=255u8)
            .find(|&bits| {
                let value = f64::from(mini(bits));
                value == exact(number) && value.is_sign_negative() == negative
            })
            .map(u128::from)
            .ok_or(Refusal::Inexact)?,
        Float::Half => half_bits(exact(number)).map(u128::from).ok_or(Refusal::Inexact)?,
        Float::Single => {
            let number: f32 = text[at..length].parse().map_err(|_| Refusal::Other)?;
            if number.is_infinite() {
                return Err(Refusal::Range);
            }
            u128::from((if negative { -number } else { number }).to_bits())
        }
        Float::Double => {
            if number.is_infinite() {
                return Err(Refusal::Range);
            }
            u128::from(exact(number).to_bits())
        }
    };
    if bits & ones(u32::from(low)) != 0 {
        return Err(Refusal::Inexact);
    }
    Ok(Parsed {
        value: bits >> low,
        decided: ones(width),
        length,
    })
}

/// Parses the number at the beginning of the text.
pub(crate) fn parse(format: Format, width: u32, address: u64, text: &str) -> Result<Parsed, Refusal> {
    let all = |value: u128, length: usize| Parsed {
        value,
        decided: ones(width),
        length,
    };
    let scaled = |scale: u8, signed: bool| {
        let (number, length) = integer(text)?;
        Ok(all(unscale(number, scale, width, signed)?, length))
    };
    let numbered = |prefix: &str, scale: u8| {
        let digits = text.strip_prefix(prefix).ok_or(Refusal::Other)?;
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return Err(Refusal::Other);
        }
        let number = digits[..count].parse().map_err(|_| Refusal::Range)?;
        Ok(all(unscale(number, scale, width, false)?, prefix.len() + count))
    };
    match format {
        Format::Register { prefix, scale, top } => match top {
            Some(top) if text.starts_with(top) => Ok(all(ones(width), top.len())),
            _ => numbered(prefix, scale),
        },
        Format::Listed { names, prefix } => {
            let longest = names
                .iter()
                .filter(|(_, name)| text.starts_with(name))
                .max_by_key(|(_, name)| name.len());
            match longest {
                Some((value, name)) => Ok(all(u128::from(*value), name.len())),
                None => numbered(prefix, 1),
            }
        }
        Format::Decimal { scale } | Format::Hex { scale } => scaled(scale, false),
        Format::Capital => scaled(1, false),
        Format::Counted { scale } => {
            let (number, length) = integer(text)?;
            let before = number.checked_sub(i128::from(scale)).ok_or(Refusal::Range)?;
            Ok(all(unscale(before, scale, width, false)?, length))
        }
        Format::Rotated { width: count } => {
            let (number, length) = integer(text)?;
            let number = unscale(number, 1, u32::from(count), false)?;
            let value = rotated(number, count).ok_or(Refusal::Inexact)?;
            Ok(Parsed {
                value,
                decided: 0,
                length,
            })
        }
        Format::Signed { scale } | Format::SignedHex { scale } => scaled(scale, true),
        Format::Float { kind, low } => parse_float(kind, low, width, text),
        Format::WideFloat { kind, low } => {
            let mut parsed = parse_float(kind, low, width, text)?;
            parsed.decided &= read(format, parsed.value, width);
            Ok(parsed)
        }
        Format::Next { prefix, add } => {
            let digits = text.strip_prefix(prefix).ok_or(Refusal::Other)?;
            let count = digits.bytes().take_while(u8::is_ascii_digit).count();
            let number: i128 = match count {
                0 => return Err(Refusal::Other),
                _ => digits[..count].parse().map_err(|_| Refusal::Range)?,
            };
            let value = unscale(number - i128::from(add), 1, width, false)?;
            Ok(all(value, prefix.len() + count))
        }
        Format::Binary => {
            let (number, length) = match text.strip_prefix("0b") {
                None => integer(text)?,
                Some(digits) => {
                    let count = digits.bytes().take_while(|digit| matches!(digit, b'0' | b'1')).count();
                    if count == 0 {
                        return Err(Refusal::Other);
                    }
                    let number = i128::from_str_radix(&digits[..count], 2).map_err(|_| Refusal::Range)?;
                    (number, count + 2)
                }
            };
            Ok(all(unscale(number, 1, width, false)?, length))
        }
        Format::Offset { prefix } => {
            let signed = text.strip_prefix(prefix).ok_or(Refusal::Other)?;
            let digits = signed.strip_prefix('+').unwrap_or(signed);
            if digits.len() == signed.len() && !digits.starts_with('-') {
                return Err(Refusal::Other);
            }
            let (number, length) = integer(digits)?;
            let length = text.len() - digits.len() + length;
            Ok(all(unscale(number, 1, width, true)?, length))
        }
        Format::Run {
            prefix,
            halves,
            scale,
            count,
        } => {
            let digits = text.strip_prefix(prefix).ok_or(Refusal::Other)?;
            let (first, length) = register(digits, halves)?;
            let mut length = prefix.len() + length;
            let mut found = 1;
            while let Some(more) = text[length..]
                .strip_prefix('_')
                .and_then(|more| more.strip_prefix(prefix))
            {
                match register(more, halves) {
                    Ok((number, count)) if number == first + found => {
                        length = text.len() - more.len() + count;
                        found += 1;
                    }
                    _ => return Err(Refusal::Other),
                }
            }
            match count {
                Count::Fixed(count) if i128::from(count) != found => Err(Refusal::Other),
                _ => Ok(all(unscale(first, scale, width, false)?, length)),
            }
        }
        Format::Target { base, scale } => {
            let (number, length) = integer(text)?;
            let offset = number - i128::from(address) - i128::from(base);
            Ok(all(unscale(offset, scale, width, true)?, length))
        }
    }
}

/// The number that the parser expects in this format, in words.
pub(crate) fn expected(format: Format) -> String {
    match format {
        Format::Register { prefix, top, .. } => match top {
            Some(top) => format!("`{prefix}<n>` or `{top}`"),
            None => format!("`{prefix}<n>`"),
        },
        Format::Listed { names, prefix } => match names.first() {
            Some((_, name)) => format!("a name such as `{name}`, or `{prefix}<n>`"),
            None => format!("`{prefix}<n>`"),
        },
        Format::Decimal { .. } | Format::Hex { .. } | Format::Counted { .. } | Format::Capital => {
            "a number".to_string()
        }
        Format::Rotated { .. } => {
            "a number of 16 bits, or one that follows from it by rotation or inversion".to_string()
        }
        Format::Signed { .. } | Format::SignedHex { .. } => "a signed number".to_string(),
        Format::Next { prefix, add } => format!("`{prefix}<n>`, the previous number plus {add}"),
        Format::Float { .. } | Format::WideFloat { .. } => "a floating-point number".to_string(),
        Format::Binary => "a binary number, `0b...`".to_string(),
        Format::Offset { prefix } => format!("`{prefix}+<n>` or `{prefix}-<n>`"),
        Format::Run {
            prefix, halves, count, ..
        } => {
            let half = if halves { "l" } else { "" };
            match count {
                Count::Fixed(1) => format!("`{prefix}<n>{half}`"),
                Count::Fixed(count) => format!("{count} registers in a row, `{prefix}<n>{half}_...`"),
                Count::Ones(_) => format!("registers in a row, `{prefix}<n>{half}_...`"),
            }
        }
        Format::Target { .. } => "an address".to_string(),
    }
}

/// The form of a number of this format: the field's name after the prefix.
pub(crate) fn form(format: Format, name: &str) -> String {
    match format {
        Format::Register { prefix, .. } => format!("{prefix}:{name}"),
        Format::Float { .. } => format!("float:{name}"),
        Format::Target { .. } => format!("address:{name}"),
        Format::Offset { prefix } => format!("{prefix}+{name}"),
        Format::Run {
            prefix, halves, count, ..
        } => {
            let half = if halves { "l/h" } else { "" };
            match count {
                Count::Fixed(1) => format!("{prefix}:{name}{half}"),
                Count::Fixed(count) => format!("{count} of {prefix}:{name}{half}"),
                Count::Ones(mask) => format!("{prefix}:{name}{half} by {}", mask.name),
            }
        }
        _ => name.to_string(),
    }
}

/// The range of numbers of this format in a field of this width, in words.
pub(crate) fn range(format: Format, width: u32) -> String {
    let most = ones(width);
    let first = match format {
        Format::Run {
            prefix, halves, scale, ..
        } => Format::Run {
            prefix,
            halves,
            scale,
            count: Count::Fixed(1),
        },
        format => format,
    };
    let text = |value| {
        let mut text = String::new();
        print(first, value, width, 0, &mut text);
        text
    };
    let least = most & !(most >> 1);
    match format {
        Format::Register { scale, .. } if scale > 1 => format!("{} to {}, in steps of {scale}", text(0), text(most)),
        Format::Register { .. } | Format::Listed { .. } | Format::Next { .. } | Format::Binary | Format::Run { .. } => {
            format!("{} to {}", text(0), text(most))
        }
        Format::Decimal { scale } | Format::Hex { scale } if scale > 1 => {
            format!("{} to {}, in steps of {scale}", text(0), text(most))
        }
        Format::Offset { .. } => format!("{} to {}", text(least), text(most >> 1)),
        Format::Decimal { .. } | Format::Hex { .. } | Format::Counted { scale: 0 | 1 } | Format::Capital => {
            format!("{} to {}", text(0), text(most))
        }
        Format::Counted { scale } => format!("{} to {}, in steps of {scale}", text(0), text(most)),
        Format::Rotated { width } => {
            format!("16 bits, rotated to the left by 5 bits and inverted if the last bit is set, in {width} bits")
        }
        Format::Signed { scale } | Format::SignedHex { scale } => match scale {
            0 | 1 => format!("{} to {}", text(least), text(most >> 1)),
            _ => format!("{} to {}, in steps of {scale}", text(least), text(most >> 1)),
        },
        Format::Float { kind, low } | Format::WideFloat { kind, low } => {
            let kind = match kind {
                Float::Half => "a half",
                Float::Single => "a single",
                Float::Double => "a double",
                Float::Mini => return "an 8-bit float: sign, 3 bits of exponent, 4 of fraction".to_string(),
            };
            match low {
                0 => kind.to_string(),
                _ => format!("the upper {width} bits of {kind}"),
            }
        }
        Format::Target { base, scale } => {
            let base = match base {
                0 => "this instruction".to_string(),
                base => format!("{base} bytes after the start of this instruction"),
            };
            format!("an address, signed, in units of {scale} bytes from {base}")
        }
    }
}
