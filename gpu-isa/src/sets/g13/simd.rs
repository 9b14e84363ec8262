//! Exchange between the threads of a SIMD group or of a quad: shuffles, reductions, matrices.

use super::operands::*;
use crate::set::*;

const SOURCE: &str = "applegpu.py, SIMD Group and Quad Group Instructions";

/// A shuffle. It takes precedence over `simd_shuf_op`, which covers all of them.
macro_rules! shuffle {
    ($mnemonic:literal, $value:literal, $a:ident, $b:ident, $about:literal) => {
        row($mnemonic, 0x80c0_0c00_807f, $value, 6, &[operands!(own: D44, $a, $b)])
            .also(&[alias($mnemonic, &[operands!(up: D44, $a, $b)])])
            .rank(1)
            .about($about)
            .source(SOURCE)
    };
}

/// A reduction. It takes precedence over `simd_op`, which covers all of them.
macro_rules! reduction {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row($mnemonic, 0x83ff_fc00_807f, $value, 6, &[operands!(own: D44, WA42)])
            .also(&[alias($mnemonic, &[operands!(up: D44, WA42)])])
            .rank(1)
            .about($about)
            .source(SOURCE)
    };
}

/// A product of matrices.
macro_rules! matrix {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row(
            $mnemonic,
            0x8000_0000_0c00_807f,
            $value,
            8,
            &[operands!(own: PD60, PA58, PB56, PC54)],
        )
        .also(&[alias($mnemonic, &[operands!(up: PD60, PA58, PB56, PC54)])])
        .rank(1)
        .about($about)
        .source(SOURCE)
        .notes(&["Each thread has two elements. Bit 27 gives the length of eight bytes."])
    };
}

const OP1: Both = same(&[Number(bits("op1", 47, 1), Format::Binary)]);
const SHUFFLE_OP2: Both = same(&[Number(bits("op2", 38, 2), Format::Binary)]);
const SHUFFLE_OP3: Both = same(&[Number(bits("op3", 26, 2), Format::Binary)]);
const OP2: Both = same(&[Number(bits("op2", 26, 16), Format::Binary)]);

pub(super) const SHUFFLES: &[Row] = &[
    shuffle!(
        "simd_shuffle",
        0x400_006f,
        A42,
        IB40,
        "a of the thread with number b, in the SIMD group"
    ),
    shuffle!(
        "simd_shuffle_down",
        0xc0_0400_006f,
        A42,
        IB40,
        "a of the thread whose number is higher by b, in the SIMD group"
    ),
    shuffle!(
        "simd_shuffle_up",
        0x80_0400_006f,
        A42,
        IB40,
        "a of the thread whose number is lower by b, in the SIMD group"
    ),
    shuffle!(
        "simd_shuffle_rotate_up",
        0x8080_0400_006f,
        A42,
        IB40,
        "a of the thread whose number is lower by b, rotating within the SIMD group"
    ),
    shuffle!(
        "simd_shuffle_xor",
        0x40_0400_006f,
        A42,
        IB40,
        "a of the thread whose number differs in the bits of b, in the SIMD group"
    ),
    shuffle!(
        "quad_shuffle",
        0x6f,
        WA42,
        WB40,
        "a of the thread with number b, in the quad"
    ),
    shuffle!(
        "quad_shuffle_down",
        0xc0_0000_006f,
        WA42,
        WB40,
        "a of the thread whose number is higher by b, in the quad"
    ),
    shuffle!(
        "quad_shuffle_up",
        0x80_0000_006f,
        WA42,
        WB40,
        "a of the thread whose number is lower by b, in the quad"
    ),
    shuffle!(
        "quad_shuffle_rotate_up",
        0x8080_0000_006f,
        WA42,
        WB40,
        "a of the thread whose number is lower by b, rotating within the quad"
    ),
    shuffle!(
        "quad_shuffle_xor",
        0x40_0000_006f,
        WA42,
        WB40,
        "a of the thread whose number differs in the bits of b, in the quad"
    ),
    row(
        "simd_shuf_op",
        // Bit 27 is set only in the instructions of eight bytes.
        0x0800_807f,
        0x6f,
        6,
        &[operands!(own: D44, OP1, SHUFFLE_OP2, SHUFFLE_OP3, WA42, WB40)],
    )
    .also(&[alias(
        "simd_shuf_op",
        &[operands!(up: OP1, SHUFFLE_OP2, SHUFFLE_OP3, D44, WA42, WB40)],
    )])
    .about("unnamed shuffles")
    .source(SOURCE)
    .notes(&["Its effect is unknown."]),
    matrix!(
        "simd_matrix_fmadd32",
        0x8000_0000_0c00_006f,
        "a * b + c of matrices of 8 by 8 elements"
    ),
    matrix!(
        "simd_matrix_fmadd16",
        0x8000_0000_0800_006f,
        "a * b + c of matrices of 8 by 8 elements, with halves"
    ),
];

pub(super) const REDUCTIONS: &[Row] = &[
    reduction!("quad_and", 0x806f, "and over the threads of the quad"),
    reduction!("quad_or", 0x40_0000_806f, "or over the threads of the quad"),
    reduction!("quad_xor", 0x80_0000_806f, "exclusive or over the threads of the quad"),
    reduction!(
        "quad_iadd",
        0x8000_0000_806f,
        "integer sum over the threads of the quad"
    ),
    reduction!(
        "quad_fadd",
        0x1000_806f,
        "floating-point sum over the threads of the quad"
    ),
    reduction!(
        "quad_fmul",
        0x40_1000_806f,
        "floating-point product over the threads of the quad"
    ),
    reduction!(
        "quad_prefix_iadd",
        0x8000_4000_806f,
        "integer sum over the threads before this one in the quad"
    ),
    reduction!(
        "quad_prefix_fadd",
        0x5000_806f,
        "floating-point sum over the threads before this one in the quad"
    ),
    reduction!(
        "quad_prefix_fmul",
        0x40_5000_806f,
        "floating-point product over the threads before this one in the quad"
    ),
    reduction!(
        "quad_min.u",
        0x8180_0000_806f,
        "least unsigned integer over the threads of the quad"
    ),
    reduction!(
        "quad_max.u",
        0x81c0_0000_806f,
        "greatest unsigned integer over the threads of the quad"
    ),
    reduction!(
        "quad_min.s",
        0x8080_0000_806f,
        "least signed integer over the threads of the quad"
    ),
    reduction!(
        "quad_max.s",
        0x80c0_0000_806f,
        "greatest signed integer over the threads of the quad"
    ),
    reduction!(
        "quad_min.f",
        0x80_1000_806f,
        "least floating-point number over the threads of the quad"
    ),
    reduction!(
        "quad_max.f",
        0xc0_1000_806f,
        "greatest floating-point number over the threads of the quad"
    ),
    reduction!("simd_and", 0x2000_806f, "and over the threads of the SIMD group"),
    reduction!("simd_or", 0x40_2000_806f, "or over the threads of the SIMD group"),
    reduction!(
        "simd_xor",
        0x80_2000_806f,
        "exclusive or over the threads of the SIMD group"
    ),
    reduction!(
        "simd_iadd",
        0x8000_2000_806f,
        "integer sum over the threads of the SIMD group"
    ),
    reduction!(
        "simd_fadd",
        0x3000_806f,
        "floating-point sum over the threads of the SIMD group"
    ),
    reduction!(
        "simd_fmul",
        0x40_3000_806f,
        "floating-point product over the threads of the SIMD group"
    ),
    reduction!(
        "simd_prefix_iadd",
        0x8000_6000_806f,
        "integer sum over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_fadd",
        0x7000_806f,
        "floating-point sum over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_fmul",
        0x40_7000_806f,
        "floating-point product over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_and",
        0x6000_806f,
        "and over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_or",
        0x40_6000_806f,
        "or over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_xor",
        0x80_6000_806f,
        "exclusive or over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_min.s",
        0x8080_6000_806f,
        "least signed integer over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_min.u",
        0x8180_6000_806f,
        "least unsigned integer over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_max.s",
        0x80c0_6000_806f,
        "greatest signed integer over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_prefix_max.u",
        0x81c0_6000_806f,
        "greatest unsigned integer over the threads before this one in the SIMD group"
    ),
    reduction!(
        "simd_min.u",
        0x8180_2000_806f,
        "least unsigned integer over the threads of the SIMD group"
    ),
    reduction!(
        "simd_max.u",
        0x81c0_2000_806f,
        "greatest unsigned integer over the threads of the SIMD group"
    ),
    reduction!(
        "simd_min.s",
        0x8080_2000_806f,
        "least signed integer over the threads of the SIMD group"
    ),
    reduction!(
        "simd_max.s",
        0x80c0_2000_806f,
        "greatest signed integer over the threads of the SIMD group"
    ),
    reduction!(
        "simd_min.f",
        0x80_3000_806f,
        "least floating-point number over the threads of the SIMD group"
    ),
    reduction!(
        "simd_max.f",
        0xc0_3000_806f,
        "greatest floating-point number over the threads of the SIMD group"
    ),
    row("simd_op", 0x807f, 0x806f, 6, &[operands!(own: D44, OP1, OP2, WA42)])
        .also(&[alias("simd_op", &[operands!(up: OP1, OP2, D44, WA42)])])
        .about("unnamed reductions")
        .source(SOURCE)
        .notes(&["Its result is unknown."]),
];
