//! The type of a kernel, and the tolerance of its results.

use std::collections::BTreeMap;

/// The bytes of shared memory before a kernel's parameters: the header of the block.
const HEADER_BYTES: u32 = 16;

/// A kernel: its launch, the initial contents of its memories, and the words of global memory that it changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kernel {
    /// The name of the kernel and of its folder.
    pub name: &'static str,
    /// The purpose of the kernel, in one line.
    pub summary: &'static str,
    /// The number of registers of each thread, as in the source's `.registers`.
    pub registers: u32,
    /// The number of bytes of shared memory after the parameters.
    pub shared_data_bytes: u32,
    /// The number of blocks in x and y.
    pub grid: [u32; 2],
    /// The number of threads of a block in x, y and z.
    pub block: [u32; 3],
    /// The parameter words.
    pub params: Vec<u32>,
    /// The words of global memory from address 0.
    pub memory: Vec<u32>,
    /// The words of constant bank 1 from offset 0.
    pub constants: Vec<u32>,
    /// The words that the kernel leaves in global memory, by byte address. All others must be unchanged.
    pub expected: BTreeMap<u32, u32>,
    /// The tolerance of the expected words, which are then floats; `None` for bit-exact results.
    pub tolerance: Option<Tolerance>,
    /// The file of the kernel's input picture, which the generator reads and does not write.
    pub picture: Option<&'static str>,
    /// The expected output picture, for viewers: name and text of a file. Its bytes in memory are in `expected`.
    pub expected_picture: Option<(&'static str, String)>,
}

/// The accepted error of a float, where special functions prevent bit-exact results. A float must be within one of the
/// two bounds; a bound of zero accepts nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The bound in units in the last place.
    pub ulp: u32,
    /// The bound of the absolute difference.
    pub absolute: f64,
}

impl Kernel {
    /// The number of bytes of a block's shared memory: header, parameters and data.
    pub fn shared_bytes(&self) -> u32 {
        HEADER_BYTES + 4 * self.params.len() as u32 + self.shared_data_bytes
    }
}

/// A bound rounded up to two significant digits, as tolerances are written; `bound` must be above 0.
pub(crate) fn rounded_up(bound: f64) -> f64 {
    let digit = 10_f64.powi(bound.log10().floor() as i32 - 1);
    let text = format!("{:.1e}", (bound / digit).ceil() * digit);
    text.parse().unwrap_or(bound)
}
