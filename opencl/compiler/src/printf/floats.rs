//! Exact formatting of floats as in C. The argument of each function is finite and not negative.
//!
//! Rust's formatting with a given number of digits is exact, and rounds ties to even, like the C library in its default
//! rounding mode.

/// `%f`
pub fn fixed(value: f64, digits: usize, alternative: bool) -> String {
    let mut text = format!("{value:.digits$}");
    if digits == 0 && alternative {
        text.push('.');
    }
    text
}

/// Returns the digits and the exponent of `%e`: one digit before the point, `digits` after it.
fn scientific(value: f64, digits: usize) -> (String, i32) {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_string(), exponent.parse().unwrap_or(0))
}

/// Formats an exponent with its sign and at least two digits.
fn suffix(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

/// `%e`
pub fn exponent(value: f64, digits: usize, alternative: bool) -> String {
    let (mut text, exponent) = scientific(value, digits);
    if digits == 0 && alternative {
        text.push('.');
    }
    text + &suffix(exponent)
}

/// `%g`
pub fn general(value: f64, precision: Option<usize>, alternative: bool) -> String {
    let precision = precision.unwrap_or(6).max(1);
    // The style depends on the exponent after rounding to the precision.
    let (mantissa, exponent) = scientific(value, precision - 1);
    let is_fixed = (-4..precision as i32).contains(&exponent);
    let mut text = match is_fixed {
        true => {
            let digits = (precision as i32 - 1 - exponent) as usize;
            fixed(value, digits, alternative)
        }
        false if precision == 1 && alternative => mantissa + ".",
        false => mantissa,
    };
    if !alternative && text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    match is_fixed {
        true => text,
        false => text + &suffix(exponent),
    }
}

/// `%a` without `0x`
pub fn hexadecimal(value: f64, precision: Option<usize>, alternative: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = value.to_bits();
    let field = (bits >> FRACTION) as i32;
    let fraction = bits & ((1 << FRACTION) - 1);
    // Zero has exponent 0. A denormal double has the digit 0 before the point, and the smallest exponent.
    let (lead, exponent) = match (field, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, field - 1023),
    };
    let mut mantissa = lead << FRACTION | fraction;
    let digits = precision.unwrap_or(13);
    if digits < 13 {
        let dropped = FRACTION - 4 * digits as u32;
        let unit = 1u64 << dropped;
        let rest = mantissa & (unit - 1);
        mantissa -= rest;
        if rest > unit / 2 || (rest == unit / 2 && mantissa & unit != 0) {
            mantissa += unit;
        }
    }
    let mut text = format!("{:013x}", mantissa & ((1 << FRACTION) - 1));
    match precision {
        Some(digits) if digits < 13 => text.truncate(digits),
        Some(digits) => text += &"0".repeat(digits - 13),
        None => text.truncate(text.trim_end_matches('0').len()),
    }
    let point = if text.is_empty() && !alternative { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!(
        "{:x}{point}{text}p{sign}{}",
        mantissa >> FRACTION,
        exponent.unsigned_abs()
    )
}
