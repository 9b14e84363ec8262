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
mod kernel;
mod memory;
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

pub use kernel::{Kernel, Tolerance};
pub use memory::CANARY;

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
