//! Number formatting, appended to a buffer. The standard library's formatting takes several times as long, and an
//! instruction has dozens of numbers.

/// Appends a decimal number.
#[inline]
pub(super) fn number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a hexadecimal number with at least this many digits, up to 8.
#[inline]
pub(super) fn hex(out: &mut Vec<u8>, number: u32, digits: usize) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let all: [u8; 8] = std::array::from_fn(|place| DIGITS[(number >> (28 - 4 * place) & 15) as usize]);
    if digits == 8 {
        out.extend_from_slice(&all);
        return;
    }
    let needed = (8 - number.leading_zeros() as usize / 4).max(digits);
    out.extend_from_slice(&all[8usize.saturating_sub(needed)..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_the_standard_library_writes_them() {
        for value in [0, 1, 9, 0x10, 0xfff, 0x1000, 0xffff, 0x1_0000, 0xdead_beef, u32::MAX] {
            let mut out = Vec::new();
            hex(&mut out, value, 4);
            out.push(b' ');
            hex(&mut out, value, 8);
            out.push(b' ');
            number(&mut out, value.into());
            assert_eq!(
                String::from_utf8(out).unwrap(),
                format!("{value:04x} {value:08x} {value}")
            );
        }
    }
}
