//! Results with a relative error.

/// Returns a result times a factor. A float is rounded to nearest; an integer is rounded to the nearest integer, and
/// its low `width` bits are kept. Any number except 0 changes by at least one unit in the last place, because a
/// measured error is never 0.
pub fn multiplied(bits: u32, factor: f64, is_float: bool, width: u32) -> u32 {
    let grows = factor > 1.0;
    if is_float && width == 32 {
        let value = f32::from_bits(bits);
        let result = ((f64::from(value) * factor) as f32).to_bits();
        let can_change = factor != 1.0 && value != 0.0 && value.is_finite();
        // The next larger float in magnitude has the next bit pattern.
        return match result == bits && can_change {
            true if grows => bits + 1,
            true => bits - 1,
            false => result,
        };
    }
    // Sign-extended, because half-words are also signed.
    let shift = 32 - width;
    let value = (bits << shift) as i32 >> shift;
    let result = (f64::from(value) * factor).round() as i64;
    let unit = if grows == (value > 0) { 1 } else { -1 };
    let can_change = factor != 1.0 && value != 0;
    let result = match result == i64::from(value) && can_change {
        true => result + unit,
        false => result,
    };
    result as u32 & u32::MAX >> shift
}

#[cfg(test)]
mod tests {
    use super::multiplied;

    #[test]
    fn results_are_rounded_and_always_change() {
        let float = |value: f32, factor| f32::from_bits(multiplied(value.to_bits(), factor, true, 32));
        assert_eq!(float(3.0, 1.5), 4.5);
        assert_eq!(float(3.0, -1.0), -3.0);
        assert_eq!(float(3.0, 1.0 + 1e-12), 3.0 + 2.0 * f32::EPSILON);
        assert_eq!(float(-3.0, 1.0 - 1e-12), -3.0 + 2.0 * f32::EPSILON);
        assert_eq!(float(0.0, 5.0), 0.0);
        assert_eq!(float(f32::MAX, 1e9), f32::INFINITY);
        assert!(float(f32::NAN, 2.0).is_nan() && float(f32::INFINITY, 1.0 + 1e-12).is_infinite());
        let integer = |value: i32, factor, width| multiplied(value as u32, factor, false, width);
        assert_eq!(integer(10, 1.25, 32), 13);
        assert_eq!(integer(-10, 1.25, 32), -13i32 as u32);
        assert_eq!(integer(10, 1.0 + 1e-9, 32), 11);
        assert_eq!(integer(-10, 1.0 + 1e-9, 32), -11i32 as u32);
        assert_eq!(integer(-10, 1.0 - 1e-9, 32), -9i32 as u32);
        assert_eq!((integer(0, 5.0, 32), integer(7, 1.0, 32)), (0, 7));
        assert_eq!(integer(0xffff, 2.0, 16), 0xfffe, "-1 becomes -2");
        assert_eq!(integer(1, f64::MAX, 32), i64::MAX as u32);
    }
}
