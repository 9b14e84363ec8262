//! Rectangular regions of bytes in a linear memory.

use crate::error::{ensure, Code, Result};
use opencl_sys::CL_INVALID_VALUE;
use std::ops::Range;

/// A rectangular region: rows of bytes, in slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    start: usize,
    region: [usize; 3],
    row_pitch: usize,
    slice_pitch: usize,
    end: usize,
}

impl Rect {
    /// Describes a region that begins at `origin`, with a size of `region`: bytes, rows, slices. A pitch of 0 stands
    /// for rows or slices without padding.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for an empty region, pitches smaller than it, a slice pitch that is not a multiple of the row
    /// pitch, or an end beyond the address space.
    pub fn new(origin: [usize; 3], region: [usize; 3], (row, slice): (usize, usize)) -> Result<Self> {
        ensure(!region.contains(&0), CL_INVALID_VALUE)?;
        let invalid = || Code(CL_INVALID_VALUE);
        let row_pitch = if row == 0 { region[0] } else { row };
        ensure(row_pitch >= region[0], CL_INVALID_VALUE)?;
        let least = region[1].checked_mul(row_pitch).ok_or_else(invalid)?;
        let slice_pitch = if slice == 0 { least } else { slice };
        ensure(slice_pitch >= least && slice_pitch % row_pitch == 0, CL_INVALID_VALUE)?;
        let at = |[x, y, z]: [usize; 3]| {
            let rows = y.checked_mul(row_pitch)?;
            let slices = z.checked_mul(slice_pitch)?;
            slices.checked_add(rows)?.checked_add(x)
        };
        let start = at(origin).ok_or_else(invalid)?;
        let inner = at([region[0], region[1] - 1, region[2] - 1]).ok_or_else(invalid)?;
        let end = start.checked_add(inner).ok_or_else(invalid)?;
        Ok(Rect {
            start,
            region,
            row_pitch,
            slice_pitch,
            end,
        })
    }

    /// The index of the first byte after the region.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The number of bytes in the region.
    pub fn bytes(&self) -> usize {
        self.region.iter().product()
    }

    /// The byte ranges of the region's rows, in order.
    pub fn rows(&self) -> Vec<Range<usize>> {
        let row = |z: usize, y: usize| {
            let start = self.start + z * self.slice_pitch + y * self.row_pitch;
            start..start + self.region[0]
        };
        (0..self.region[2])
            .flat_map(|z| (0..self.region[1]).map(move |y| row(z, y)))
            .collect()
    }
}

/// True if a range of one list overlaps a range of the other.
pub fn overlap(mut one: Vec<Range<usize>>, mut other: Vec<Range<usize>>) -> bool {
    one.sort_by_key(|range| range.start);
    other.sort_by_key(|range| range.start);
    let (mut first, mut second) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        if a.end <= b.start {
            first.next();
        } else if b.end <= a.start {
            second.next();
        } else {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_have_rows() {
        let rect = Rect::new([1, 1, 0], [2, 2, 2], (4, 16)).expect("a box");
        assert_eq!(rect.rows(), [5..7, 9..11, 21..23, 25..27]);
        assert_eq!((rect.end(), rect.bytes()), (27, 8));
        let tight = Rect::new([0, 0, 0], [3, 2, 2], (0, 0)).expect("a box");
        assert_eq!(tight.rows(), [0..3, 3..6, 6..9, 9..12]);
    }

    #[test]
    fn invalid_regions_are_refused() {
        for (origin, region, pitch) in [
            ([0, 0, 0], [0, 1, 1], (0, 0)),
            ([0, 0, 0], [4, 1, 1], (3, 0)),
            ([0, 0, 0], [4, 2, 1], (4, 7)),
            ([0, 0, 0], [4, 2, 1], (4, 9)),
            ([usize::MAX, 0, 0], [4, 2, 1], (0, 0)),
            ([0, usize::MAX, 0], [4, 2, 1], (0, 0)),
            ([0, 0, 0], [4, usize::MAX, 1], (0, 0)),
        ] {
            assert_eq!(Rect::new(origin, region, pitch), Err(Code(CL_INVALID_VALUE)));
        }
    }

    #[test]
    fn overlaps_are_found() {
        assert!(overlap(vec![0..4, 8..12], vec![11..13, 20..21]));
        assert!(!overlap(vec![8..12, 0..4], vec![4..8, 12..16]));
    }
}
