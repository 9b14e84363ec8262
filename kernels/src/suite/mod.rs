//! The kernels, each in a file with its launch, inputs and expected results.

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

use crate::kernel::Kernel;

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
