//! The project's own kernel suite: for each kernel its launch, its inputs, and its expected results in global memory.
//!
//! A plain function computes each kernel's results from its purpose, for the whole array or thread by thread. Nothing
//! is taken from a model or a simulation, and this crate depends on neither. `kernel.sass` in a kernel's folder is
//! written by hand; all other files there are generated from here by `generate-kernels` (see [`files`]). Everything is
//! deterministic: random words come from seeds in the source ([`random`]).

#![warn(missing_docs)]

pub mod files;
pub mod random;

mod g80;
mod pgm;

mod bitonic_sort;
mod black_scholes;
mod breadth_first_search;
mod crc32;
mod divergence;
mod divide_sqrt;
mod dot_product;
mod fft;
mod float_pitfalls;
mod histogram;
mod k_means;
mod life;
mod mandelbrot;
mod matrix_multiply;
mod n_body;
mod newton;
mod prefix_scan;
mod queens;
mod reduction;
mod reduction_blocks;
mod saxpy;
mod saxpy_int;
mod sgemm;
mod sha256;
mod sobel;
mod softmax;
mod sort;
mod stencil_1d;
mod stencil_2d;
mod transpose;
mod vectoradd;

use std::collections::BTreeMap;

/// Fills memory that a kernel must not change or must overwrite, so that a stray or missing store is detected.
pub const CANARY: u32 = 0xdead_beef;

/// The bytes of shared memory before a kernel's parameters: the header of the block.
const HEADER_BYTES: u32 = 16;

/// All kernels. Each function builds one from its source file alone.
pub const KERNELS: [fn() -> Kernel; 32] = [
    vectoradd::kernel,
    saxpy_int::kernel,
    sort::kernel,
    divergence::kernel,
    crc32::kernel,
    life::kernel,
    queens::kernel,
    matrix_multiply::kernel,
    transpose::kernel,
    reduction::kernel,
    reduction_blocks::kernel,
    prefix_scan::kernel,
    bitonic_sort::kernel,
    histogram::kernel,
    stencil_1d::kernel,
    stencil_2d::kernel,
    breadth_first_search::kernel,
    sha256::kernel,
    saxpy::kernel,
    dot_product::kernel,
    sgemm::naive,
    sgemm::tiled,
    mandelbrot::kernel,
    sobel::kernel,
    divide_sqrt::kernel,
    newton::kernel,
    k_means::kernel,
    softmax::kernel,
    n_body::kernel,
    black_scholes::kernel,
    fft::kernel,
    float_pitfalls::kernel,
];

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
    /// The tolerance for the words, which are floats then; `None` for bit-exact results.
    pub tolerance: Option<Tolerance>,
    /// The file of the kernel's input picture, written by hand like the source.
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

/// Global memory from address 0, appended piece by piece.
#[derive(Debug, Default)]
struct Memory {
    words: Vec<u32>,
}

impl Memory {
    /// Appends words. Returns the byte address of the first one.
    fn place(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let address = 4 * self.words.len() as u32;
        self.words.extend(words);
        address
    }

    /// Appends canaries, as a border or as space for results. Returns the byte address of the first one.
    fn canaries(&mut self, count: usize) -> u32 {
        self.place(std::iter::repeat_n(CANARY, count))
    }
}

/// Consecutive results, starting at byte address `at`.
fn results(at: u32, words: impl IntoIterator<Item = u32>) -> BTreeMap<u32, u32> {
    (at..).step_by(4).zip(words).collect()
}

/// Floats as words of memory.
fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}

/// A bound rounded up to two significant digits, as tolerances are written; `bound` must be above 0.
fn rounded_up(bound: f64) -> f64 {
    let digit = 10_f64.powi(bound.log10().floor() as i32 - 1);
    let text = format!("{:.1e}", (bound / digit).ceil() * digit);
    text.parse().unwrap_or(bound)
}

/// Bytes as words of memory, padded with zeros.
fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks(4)
        .map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(word)
        })
        .collect()
}
