//! Shadow state of a memory's bytes: one bit for each, set when it is written.

/// The bytes that have been written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    bits: Vec<u8>,
}

impl Written {
    /// The state of a memory of `bytes` bytes, none of them written.
    pub(crate) fn new(bytes: usize) -> Self {
        Written {
            bits: vec![0; bytes.div_ceil(8)],
        }
    }

    /// Marks a range of addresses.
    pub(crate) fn mark(&mut self, range: std::ops::Range<usize>) {
        let end = range.end.min(8 * self.bits.len());
        let mut at = range.start;
        while at < end {
            if at % 8 == 0 && at + 8 <= end {
                let whole = (end - at) / 8;
                self.bits[at / 8..at / 8 + whole].fill(0xff);
                at += 8 * whole;
            } else {
                self.bits[at / 8] |= 1 << (at % 8);
                at += 1;
            }
        }
    }

    /// True if all bytes in a range of addresses have been written.
    pub(crate) fn all(&self, range: std::ops::Range<usize>) -> bool {
        let (first, last) = (range.start / 8, range.end / 8);
        let (head, tail) = (0xffu8 << (range.start % 8), !(0xff << (range.end % 8)));
        let has = |at: usize, mask: u8| mask == 0 || self.bits.get(at).is_some_and(|bits| bits & mask == mask);
        if first == last {
            return has(first, head & tail);
        }
        let whole = self.bits.get(first + 1..last);
        has(first, head) && has(last, tail) && whole.is_some_and(|bits| bits.iter().all(|bits| *bits == 0xff))
    }

    /// The bytes of an aligned access of up to 16 bytes that have not been written, bit 0 for the first one. Bytes
    /// outside the memory count as written: the machine refuses the access.
    #[inline]
    pub(crate) fn missing(&self, address: u32, bytes: u32) -> u16 {
        let at = address as usize / 8;
        let first = u16::from(self.bits.get(at).copied().unwrap_or(0xff));
        if bytes == 16 {
            let second = u16::from(self.bits.get(at + 1).copied().unwrap_or(0xff));
            return !(first | second << 8);
        }
        !(first >> (address % 8)) & ((1 << bytes) - 1)
    }

    /// Marks the bytes of an aligned access as written, except the ones in `missing`, which become unwritten.
    #[inline]
    pub(crate) fn write(&mut self, address: u32, bytes: u32, missing: u16) {
        let at = address as usize / 8;
        if bytes == 16 {
            for (place, missing) in self.bits.iter_mut().skip(at).zip(missing.to_le_bytes()) {
                *place = !missing;
            }
            return;
        }
        let mask = (((1u16 << bytes) - 1) << (address % 8)) as u8;
        if let Some(place) = self.bits.get_mut(at) {
            *place = *place & !mask | !((missing << (address % 8)) as u8) & mask;
        }
    }

    /// The written bytes in a range of addresses, as sorted ranges.
    pub(crate) fn ranges(&self, range: std::ops::Range<u32>) -> Vec<std::ops::Range<u32>> {
        let mut ranges: Vec<std::ops::Range<u32>> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            // Most bytes have the same state as their neighbours.
            let bytes = if at % 8 == 0 && range.end - at >= 8 { 8 } else { 1 };
            let (bytes, written) = match self.missing(at, bytes) {
                0 => (bytes, true),
                0xff => (bytes, false),
                _ => (1, self.missing(at, 1) == 0),
            };
            if written {
                match ranges.last_mut() {
                    Some(last) if last.end == at => last.end = at + bytes,
                    _ => ranges.push(at..at + bytes),
                }
            }
            at += bytes;
        }
        ranges
    }
}

/// The bits of a register for a mask of its bytes.
#[inline]
pub(crate) fn bits_of(bytes: u16) -> u32 {
    let mut bits = 0;
    for byte in 0..4 {
        if bytes >> byte & 1 != 0 {
            bits |= 0xff << (8 * byte);
        }
    }
    bits
}

/// The bytes of a register with at least one bit set.
#[inline]
pub(crate) fn bytes_of(bits: u32) -> u16 {
    let mut bytes = 0;
    for byte in 0..4 {
        if bits >> (8 * byte) & 0xff != 0 {
            bytes |= 1 << byte;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_bytes_are_marked_and_reported() {
        let mut written = Written::new(64);
        written.mark(3..21);
        let ranges = written.ranges(0..64);
        assert_eq!((ranges.len(), ranges.first()), (1, Some(&(3..21))));
        assert_eq!(written.missing(0, 4), 0b0111);
        assert_eq!(written.missing(16, 8), 0b1110_0000);
        assert_eq!(written.missing(0, 16), 0b0111);
        written.write(0, 4, 0b0010);
        assert_eq!(written.missing(0, 4), 0b0010);
        written.write(32, 16, 0x8000);
        assert_eq!(written.ranges(0..64), [0..1, 2..21, 32..47]);
        written.write(6, 2, 3);
        assert_eq!(written.missing(4, 4), 0b1100);
        assert_eq!(written.missing(1 << 20, 4), 0, "the machine's affair");
        written = Written::new(64);
        written.mark(3..61);
        for (start, end) in [(3, 61), (3, 4), (3, 8), (8, 16), (9, 10), (5, 60), (24, 24), (60, 61)] {
            assert!(written.all(start..end), "{start}..{end}");
        }
        for (start, end) in [(2, 61), (3, 62), (0, 64), (61, 62), (0, 8), (40, 72)] {
            assert!(!written.all(start..end), "{start}..{end}");
        }
    }

    #[test]
    fn written_bits_and_bytes_are_tracked() {
        assert_eq!(bits_of(0b0101), 0x00ff_00ff);
        assert_eq!(bytes_of(0x0100_0001), 0b1001);
    }
}
