//! Formatting of a value by a conversion, as in the C library.

use super::floats;
use super::format::{Conversion, ConversionKind, Flags};

/// Returns the text of an argument. `value` has its words in the record. `string` reads the string at an address.
pub fn argument(of: &Conversion, value: &[u32], string: &mut dyn FnMut(u32) -> Vec<u8>) -> Vec<u8> {
    let bytes: Vec<u8> = value.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut text = Vec::new();
    for (index, element) in bytes.chunks_exact(of.bytes).take(of.elements).enumerate() {
        if index > 0 {
            text.push(b',');
        }
        let bits = element.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        text.extend(scalar(of, bits, string));
    }
    text
}

fn scalar(of: &Conversion, bits: u64, string: &mut dyn FnMut(u32) -> Vec<u8>) -> Vec<u8> {
    match of.kind {
        ConversionKind::Signed => {
            let value = (bits << (64 - of.bits)) as i64 >> (64 - of.bits);
            integer(of, signs(of.flags, value < 0), "", value.unsigned_abs(), 10, false)
        }
        ConversionKind::Unsigned { base, upper } => {
            let value = bits << (64 - of.bits) >> (64 - of.bits);
            let prefix = match (base, upper) {
                (16, _) if !of.flags.alternative || value == 0 => "",
                (16, false) => "0x",
                (16, true) => "0X",
                _ => "",
            };
            integer(of, "", prefix, value, base, upper)
        }
        ConversionKind::Float { letter, upper } => {
            let value = match of.bytes {
                8 => f64::from_bits(bits),
                _ => widened(bits as u32),
            };
            float(of, value, letter, upper)
        }
        ConversionKind::Character => padded(of, "", vec![bits as u8], false),
        ConversionKind::String => {
            let mut text = match bits as u32 {
                0 => b"(null)".to_vec(),
                address => string(address),
            };
            text.truncate(of.precision.unwrap_or(usize::MAX));
            padded(of, "", text, false)
        }
        ConversionKind::Pointer if bits == 0 => padded(of, "", b"(nil)".to_vec(), false),
        ConversionKind::Pointer => {
            let hexadecimal = Flags {
                alternative: true,
                ..of.flags
            };
            let of = Conversion {
                flags: hexadecimal,
                ..*of
            };
            // The C library prints pointers like signed numbers: with the flag `+`, they have a plus sign.
            integer(&of, signs(of.flags, false), "0x", bits, 16, false)
        }
    }
}

/// Converts a float to a double. A NaN keeps its sign.
fn widened(bits: u32) -> f64 {
    let value = f64::from(f32::from_bits(bits));
    match value.is_nan() {
        true => f64::NAN.copysign(if bits >> 31 == 1 { -1.0 } else { 1.0 }),
        false => value,
    }
}

fn signs(flags: Flags, negative: bool) -> &'static str {
    match (negative, flags.plus, flags.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

/// Formats the magnitude of an integer with a sign or prefix.
fn integer(of: &Conversion, sign: &str, prefix: &str, value: u64, base: u8, upper: bool) -> Vec<u8> {
    let mut digits = match (base, upper) {
        _ if value == 0 && of.precision == Some(0) => String::new(),
        (8, _) => format!("{value:o}"),
        (16, false) => format!("{value:x}"),
        (16, true) => format!("{value:X}"),
        _ => value.to_string(),
    };
    let mut least = of.precision.unwrap_or(0);
    // The alternative form of an octal number begins with a zero.
    if base == 8 && of.flags.alternative && !digits.starts_with('0') {
        least = least.max(digits.len() + 1);
    }
    if digits.len() < least {
        digits.insert_str(0, &"0".repeat(least - digits.len()));
    }
    // The flag `0` is ignored if there is a precision.
    padded(
        of,
        &format!("{sign}{prefix}"),
        digits.into_bytes(),
        of.precision.is_none(),
    )
}

fn float(of: &Conversion, value: f64, letter: u8, upper: bool) -> Vec<u8> {
    let sign = signs(of.flags, value.is_sign_negative());
    let value = value.abs();
    let is_number = value.is_finite();
    let (prefix, mut digits) = match letter {
        _ if value.is_nan() => ("", "nan".to_string()),
        _ if value.is_infinite() => ("", "inf".to_string()),
        b'a' => ("0x", floats::hexadecimal(value, of.precision, of.flags.alternative)),
        b'e' => {
            let digits = of.precision.unwrap_or(6);
            ("", floats::exponent(value, digits, of.flags.alternative))
        }
        b'g' => ("", floats::general(value, of.precision, of.flags.alternative)),
        _ => {
            let digits = of.precision.unwrap_or(6);
            ("", floats::fixed(value, digits, of.flags.alternative))
        }
    };
    let mut prefix = format!("{sign}{prefix}");
    if upper {
        digits.make_ascii_uppercase();
        prefix.make_ascii_uppercase();
    }
    padded(of, &prefix, digits.into_bytes(), is_number)
}

/// Pads a prefix and digits to the width: with zeros if `zeros`, the flag `0`, is true.
fn padded(of: &Conversion, prefix: &str, digits: Vec<u8>, zeros: bool) -> Vec<u8> {
    let missing = of.width.saturating_sub(prefix.len() + digits.len());
    let fill = |byte: u8, wanted: bool| vec![byte; if wanted { missing } else { 0 }];
    let zeros = zeros && of.flags.zero && !of.flags.left;
    [
        fill(b' ', !zeros && !of.flags.left),
        prefix.as_bytes().to_vec(),
        fill(b'0', zeros),
        digits,
        fill(b' ', of.flags.left),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code, reason = "the C library's snprintf is the reference")]

    use super::super::format::{conversions, parse};
    use super::*;
    use std::ffi::CString;

    /// An argument of the C library's function.
    #[derive(Debug)]
    enum Passed {
        Int(i32),
        Long(i64),
        Double(f64),
        String(CString),
    }

    /// Returns the C library's text of a value.
    fn by_c(format: &str, value: &Passed) -> String {
        let format = CString::new(format).expect("a format");
        let mut text = vec![0u8; 16384];
        let (to, size, format) = (text.as_mut_ptr().cast(), text.len(), format.as_ptr());
        // SAFETY: the buffer has `size` bytes, and the format has one conversion, of the argument's type.
        let length = unsafe {
            match value {
                Passed::Int(value) => libc::snprintf(to, size, format, *value),
                Passed::Long(value) => libc::snprintf(to, size, format, *value),
                Passed::Double(value) => libc::snprintf(to, size, format, *value),
                Passed::String(value) => libc::snprintf(to, size, format, value.as_ptr()),
            }
        };
        text.truncate(usize::try_from(length).expect("no error"));
        String::from_utf8_lossy(&text).into_owned()
    }

    fn by_us(format: &str, promoted: bool, words: &[u32], text: &str) -> String {
        let format = parse(format.as_bytes(), promoted).expect(format);
        let conversion = conversions(&format).next().expect("a conversion");
        let text = argument(conversion, words, &mut |_| text.as_bytes().to_vec());
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Splitmix: the same numbers in every run.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let a = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            b ^ b >> 31
        }

        fn below(&mut self, bound: u64) -> u64 {
            self.next() % bound
        }

        /// Returns random flags, width and precision.
        fn beginning(&mut self) -> String {
            let mut text = "%".to_string();
            for flag in ["-", "+", " ", "#", "0"] {
                if self.below(3) == 0 {
                    text += flag;
                }
            }
            if self.below(2) == 0 {
                text += &(1 + self.below(30)).to_string();
            }
            match self.below(4) {
                0 => text += &format!(".{}", self.below(25)),
                1 => text += &format!(".{}", self.below(4)),
                2 if self.below(4) == 0 => text += ".",
                _ => {}
            }
            text
        }

        fn integer(&mut self) -> u64 {
            let bits = self.next();
            match self.below(4) {
                0 => bits % 3,
                1 => bits >> self.below(64),
                2 => (bits % 300).wrapping_neg(),
                _ => bits,
            }
        }

        fn float(&mut self) -> f32 {
            let bits = self.next();
            match self.below(6) {
                0 => [
                    0.0,
                    -0.0,
                    f32::INFINITY,
                    f32::NEG_INFINITY,
                    f32::NAN,
                    -f32::NAN,
                    0.5,
                    1.0,
                ][bits as usize % 8],
                1 => (bits as i16) as f32 / 8.0,
                2 => (bits as i16) as f32 / 1000.0,
                3 => [9.9995, 0.00001, 0.0001, 99999.95, 999999.5, 1e5, 1e6, 123456.0][bits as usize % 8],
                _ => f32::from_bits(bits as u32),
            }
        }
    }

    /// True if rounding to the digits of `%g` increases a value to the next power of ten. With `#`, the GNU C library
    /// before 2.37 then omits zeros that the standard requires.
    fn becomes_a_power(format: &str, value: f64) -> bool {
        let format = parse(format.as_bytes(), true).expect(format);
        let conversion = conversions(&format).next().expect("a conversion");
        let digits = conversion.precision.unwrap_or(6).max(1) - 1;
        let text = format!("{:.digits$e}", value.abs());
        let (mantissa, _) = text.split_once('e').unwrap_or((&text, ""));
        let is_one = mantissa.trim_end_matches(['0', '.']) == "1";
        is_one && text.parse::<f64>().is_ok_and(|rounded| rounded > value.abs())
    }

    /// The number of comparisons, each with a random format and value.
    const ROUNDS: usize = 40_000;

    #[test]
    fn integers_are_as_the_c_library_prints_them() {
        let mut random = Random(1);
        for _ in 0..ROUNDS {
            let (length, bits) = [("hh", 32), ("h", 32), ("", 32), ("l", 64)][random.below(4) as usize];
            let letter = [b'd', b'i', b'u', b'o', b'x', b'X'][random.below(6) as usize];
            let format = format!("{}{length}{}", random.beginning(), char::from(letter));
            let value = random.integer();
            let passed = match bits {
                32 => Passed::Int(value as i32),
                _ => Passed::Long(value as i64),
            };
            let words = [value as u32, (value >> 32) as u32];
            assert_eq!(
                by_us(&format, false, &words, ""),
                by_c(&format, &passed),
                "{format} of {passed:?}"
            );
        }
    }

    #[test]
    fn floats_are_as_the_c_library_prints_them() {
        let mut random = Random(2);
        for round in 0..2 * ROUNDS {
            let letter = "fFeEgGaA".as_bytes()[random.below(8) as usize];
            let format = format!("{}{}", random.beginning(), char::from(letter));
            // Half of the values are floats, which are normal numbers as doubles; the others are doubles, which may be
            // denormal.
            let promoted = round % 2 == 1;
            let value = match promoted {
                false => f64::from(random.float()),
                true => f64::from_bits(random.next() >> (12 * random.below(2))),
            };
            let words = match promoted {
                false => vec![(value as f32).to_bits()],
                true => vec![value.to_bits() as u32, (value.to_bits() >> 32) as u32],
            };
            let passed = Passed::Double(value);
            if format.contains('#') && letter.eq_ignore_ascii_case(&b'g') && becomes_a_power(&format, value) {
                continue;
            }
            assert_eq!(
                by_us(&format, promoted, &words, ""),
                by_c(&format, &passed),
                "{format} of {passed:?}"
            );
        }
    }

    #[test]
    fn characters_strings_and_pointers_are_padded() {
        let mut random = Random(3);
        for _ in 0..ROUNDS / 10 {
            let (width, left) = (random.below(12), if random.below(2) == 0 { "-" } else { "" });
            let width = if width == 0 { String::new() } else { width.to_string() };
            let character = Passed::Int(1 + random.below(127) as i32);
            let Passed::Int(code) = character else { unreachable!() };
            let format = format!("%{left}{width}c");
            assert_eq!(by_us(&format, false, &[code as u32], ""), by_c(&format, &character));
            let text = &"a longer string"[..random.below(16) as usize];
            let precision = ["", ".", ".0", ".3", ".20"][random.below(5) as usize];
            let format = format!("%{left}{width}{precision}s");
            let string = Passed::String(CString::new(text).expect("a string"));
            assert_eq!(by_us(&format, false, &[1], text), by_c(&format, &string), "{format}");
            let format = format!("%{left}{width}p");
            let address = (random.integer() as u32) * random.below(2) as u32;
            let pointer = Passed::Long(address.into());
            assert_eq!(
                by_us(&format, false, &[address], ""),
                by_c(&format, &pointer),
                "{format}"
            );
        }
        assert_eq!(by_us("%6.3s", false, &[0], ""), "   (nu");
    }

    #[test]
    fn vectors_have_commas_between_their_elements() {
        for (format, words, wanted) in [
            ("%v4hhd", &[0x807f_ff01][..], "1,-1,127,-128"),
            ("%v3hhx", &[0xee03_0201], "1,2,3"),
            ("%v2hu", &[0xffff_0001], "1,65535"),
            ("%v3hd", &[0xffff_0001, 0x1234_0003], "1,-1,3"),
            ("%#04v2hlx", &[1, 0xabcd], "0x01,0xabcd"),
            ("%v2ld", &[1, 0, u32::MAX, u32::MAX], "1,-1"),
            ("%5.1v2hlf", &[0x3fc0_0000, 0xc000_0000], "  1.5, -2.0"),
        ] {
            assert_eq!(by_us(format, false, words, ""), wanted, "{format}");
        }
    }
}
