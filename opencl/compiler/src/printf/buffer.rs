//! The buffer in global memory to which the `printf` calls of a launch write.
//!
//! SM 1.0 has no atomics, so warps cannot share a part of the buffer. Each warp of the launch has a slice, in which its
//! threads reserve records one after the other. A slice begins with a header of three words: the bytes of its records,
//! the bytes of the records that did not fit, and the number of these records. All are zero before the launch.

use crate::index_space::IndexSpace;
use flexgrip_machine::sizes::{MAX_GRID, WARP_THREADS};

/// The size of the buffer in bytes, unless `FLEXGRIP_PRINTF_BUFFER` is set: four times OpenCL's minimum.
pub const DEFAULT_BYTES: u32 = 4 << 20;
/// The environment variable with the size of the buffer in bytes.
pub const VARIABLE: &str = "FLEXGRIP_PRINTF_BUFFER";
/// The permitted sizes in bytes.
pub const SIZES: std::ops::RangeInclusive<u32> = 1 << 10..=1 << 28;

/// Bytes of a slice's header.
pub const HEADER_BYTES: u32 = 12;
/// Byte offset in a slice of the bytes used by records.
pub(crate) const USED_AT: u32 = 0;
/// Byte offset in a slice of the bytes lost.
pub(crate) const LOST_AT: u32 = 4;
/// Byte offset in a slice of the number of calls whose record was lost.
pub(crate) const LOST_CALLS_AT: u32 = 8;
/// The minimum size of a slice in bytes. For very many warps, the buffer is larger than the chosen size.
const LEAST_SLICE: u32 = 64;

/// Returns the size of the buffer in bytes: the value of the environment variable, or the default.
///
/// # Errors
/// The value is not a permitted size.
pub fn chosen_bytes() -> Result<u32, String> {
    match std::env::var_os(VARIABLE) {
        None => Ok(DEFAULT_BYTES),
        Some(text) => of_text(&text.to_string_lossy()),
    }
}

fn of_text(text: &str) -> Result<u32, String> {
    let number = text.trim().parse().ok().filter(|bytes| SIZES.contains(bytes));
    let (least, most) = SIZES.into_inner();
    number.ok_or_else(|| format!("{VARIABLE} is `{text}`; expected a number of bytes from {least} to {most}"))
}

/// The buffer of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrintBuffer {
    /// Byte address in global memory, a multiple of 4.
    pub address: u32,
    /// Bytes of the slice of each warp, a multiple of 4.
    pub slice: u32,
}

impl PrintBuffer {
    /// Byte address of a warp's slice.
    pub(crate) fn slice_of(self, warp: u32) -> u32 {
        self.address.saturating_add(warp.saturating_mul(self.slice))
    }
}

/// Returns the number of warps of a work-group.
pub(crate) fn warps(block: [u32; 3]) -> u32 {
    block
        .iter()
        .fold(1, |items: u32, &size| items.saturating_mul(size))
        .div_ceil(WARP_THREADS)
}

/// Returns the bytes of a warp's slice and of a buffer of about `wanted` bytes for an index space. The launches of a
/// large index space use the same buffer, one after the other. `None` if the buffer would have more than 4 GiB.
#[must_use]
pub fn sizes(space: &IndexSpace, wanted: u32) -> Option<(u32, u32)> {
    let groups = space.groups().ok()?;
    let blocks = groups[..2].iter().map(|&count| u64::from(count.min(MAX_GRID)));
    let warps = blocks.product::<u64>() * u64::from(warps(space.local));
    let slice = (u64::from(wanted) / warps) as u32 & !3;
    let slice = slice.max(LEAST_SLICE);
    let bytes = warps.checked_mul(slice.into())?;
    Some((slice, u32::try_from(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_shared_by_all_warps_of_a_launch() {
        let space = |global: [u32; 3], local: [u32; 3]| IndexSpace {
            dimensions: 3,
            offset: [0; 3],
            global,
            local,
        };
        assert_eq!(sizes(&space([1, 1, 1], [1, 1, 1]), 1 << 20), Some((1 << 20, 1 << 20)));
        // Two warps a group; the third dimension is one launch after the other.
        let three = space([40 * 3, 1, 7], [40, 1, 1]);
        assert_eq!(sizes(&three, 1 << 20), Some((174_760, 1_048_560)));
        let many = space([1 << 24, 1, 1], [32, 1, 1]);
        assert_eq!(sizes(&many, 1 << 20), Some((64, 65_535 * 64)));
        assert_eq!(sizes(&space([1 << 24, 1 << 24, 1], [1, 1, 1]), 1 << 20), None);
    }

    #[test]
    fn sizes_are_read_and_checked() {
        assert_eq!(of_text("65536"), Ok(65536));
        for text in ["", "1M", "-1", "100", "999999999999"] {
            let error = of_text(text).expect_err(text);
            assert!(error.contains("expected a number of bytes from 1024 to"), "{error}");
        }
    }
}
