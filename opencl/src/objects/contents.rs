//! The bytes of a buffer, with a record of the bytes that have been written, for the checker.

use std::ops::{Deref, Range};

/// Ranges of bytes, sorted, with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<Range<usize>>);

impl Ranges {
    /// Adds a range.
    pub fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        // Merges it with all ranges that overlap or touch it.
        let first = self.0.partition_point(|other| other.end < range.start);
        let last = self.0.partition_point(|other| other.start <= range.end);
        let mut whole = range;
        if let [begin, ..] = &self.0[first..last] {
            whole.start = whole.start.min(begin.start);
        }
        if let [.., end] = &self.0[first..last] {
            whole.end = whole.end.max(end.end);
        }
        self.0.splice(first..last, [whole]);
    }

    /// Removes a range.
    pub fn remove(&mut self, range: Range<usize>) {
        let parts = |other: &Range<usize>| {
            let before = other.start..other.end.min(range.start);
            let after = other.start.max(range.end)..other.end;
            [before, after]
        };
        self.0 = self.0.iter().flat_map(parts).filter(|part| !part.is_empty()).collect();
    }

    /// Intersections of the ranges with a range.
    pub fn inside(&self, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let range = range.clone();
        let part = move |other: &Range<usize>| other.start.max(range.start)..other.end.min(range.end);
        self.0.iter().map(part).filter(|part| !part.is_empty())
    }
}

/// The bytes of a buffer's storage.
#[derive(Debug, Default)]
pub struct Contents {
    bytes: Vec<u8>,
    written: Ranges,
}

impl Contents {
    /// Creates contents of this many bytes, all 0 and unwritten.
    pub fn new(size: usize) -> Self {
        Contents {
            bytes: vec![0; size],
            written: Ranges::default(),
        }
    }

    /// Returns the bytes of a range, and marks them as written. The caller must write all of them.
    pub fn write(&mut self, range: Range<usize>) -> &mut [u8] {
        self.written.add(range.clone());
        &mut self.bytes[range]
    }

    /// Replaces the contents after a kernel. `written` are the bytes that have been written until then, or `None` if
    /// this is not recorded.
    pub fn replace(&mut self, bytes: &[u8], written: Option<Ranges>) {
        self.bytes.copy_from_slice(bytes);
        match written {
            Some(written) => self.written = written,
            // Without a record, all bytes count as written.
            None => self.written.add(0..self.bytes.len()),
        }
    }

    /// Copies bytes within the contents.
    pub fn copy_within(&mut self, source: Range<usize>, target: usize) {
        let written = self.written.clone();
        self.bytes.copy_within(source.clone(), target);
        self.take_written(&written, source, target);
    }

    /// Copies bytes from another buffer.
    pub fn copy_from(&mut self, other: &Contents, source: Range<usize>, target: usize) {
        self.bytes[target..target + source.len()].copy_from_slice(&other.bytes[source.clone()]);
        self.take_written(&other.written, source, target);
    }

    fn take_written(&mut self, written: &Ranges, source: Range<usize>, target: usize) {
        self.written.remove(target..target + source.len());
        for part in written.inside(&source) {
            self.written
                .add(part.start - source.start + target..part.end - source.start + target);
        }
    }

    /// The bytes that have been written.
    pub fn written(&self) -> &Ranges {
        &self.written
    }
}

impl Deref for Contents {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_grow_together_and_are_cut() {
        let mut ranges = Ranges::default();
        for range in [10..20, 30..40, 20..25, 3..3, 0..2, 24..30] {
            ranges.add(range);
        }
        assert_eq!(ranges.0, [0..2, 10..40]);
        ranges.remove(1..15);
        ranges.remove(20..21);
        assert_eq!(ranges.0, [0..1, 15..20, 21..40]);
        assert_eq!(ranges.inside(&(18..30)).collect::<Vec<_>>(), [18..20, 21..30]);
    }

    #[test]
    fn copies_take_over_what_is_written() {
        let (mut one, mut other) = (Contents::new(16), Contents::new(16));
        one.write(2..6).fill(7);
        other.write(0..16).fill(1);
        other.copy_from(&one, 0..8, 4);
        assert_eq!(other.written.0, [0..4, 6..10, 12..16]);
        assert_eq!(other[4..12], [0, 0, 7, 7, 7, 7, 0, 0]);
    }
}
