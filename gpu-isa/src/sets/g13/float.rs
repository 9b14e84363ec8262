//! Floating-point arithmetic.

use super::operands::*;
use crate::set::*;

const SOURCE: &str = "applegpu.py, Floating-Point Arithmetic";
const PART: &str = "The sine is the product of both parts' results.";

/// A floating-point instruction with one source: mnemonic, function code, description. It takes precedence over
/// `funop`, which covers all function codes.
macro_rules! unary {
    ($mnemonic:literal, $value:literal, $about:literal $(, $more:expr)*) => {
        row(
            $mnemonic,
            0x3ff_f000_003f,
            $value,
            6,
            &[L32, operands!(own: D44, FA42), SATURATE $(, Flag($more, 1, ", kill"))*],
        )
        .short(15, 4)
        .also(&[alias($mnemonic, &[EITHER, SAT, operands!(up: D44, FA42)])])
        .rank(1)
        .about($about)
        .source(SOURCE)
    };
}

/// An instruction with two sources of the same width.
macro_rules! binary {
    ($mnemonic:literal, $upstream:literal, $value:literal, $d:ident, $a:ident, $b:ident, $about:literal) => {
        row($mnemonic, 0x3f, $value, 6, &[L32, operands!(own: $d, $a, $b), SATURATE])
            .short(15, 4)
            .also(&[alias($upstream, &[EITHER, SAT, operands!(up: $d, $a, $b)])])
            .about($about)
            .source(SOURCE)
    };
}

/// A multiplication with addition.
macro_rules! fused {
    ($mnemonic:literal, $upstream:literal, $value:literal, $d:ident, $a:ident, $b:ident, $c:ident, $about:literal) => {
        row($mnemonic, 0x3f, $value, 8, &[L48, operands!(own: $d, $a, $b, $c), SATURATE])
            .short(15, 6)
            .also(&[alias($upstream, &[EITHER, SAT, operands!(up: $d, $a, $b, $c)])])
            .about($about)
            .source(SOURCE)
    };
}

/// Last use of the operand, in the derivatives.
const KILL: Field = bits("kill", 46, 1);
const OP: Both = same(&[Number(bits("op", 28, 6), Format::Binary)]);

pub(super) const ROWS: &[Row] = &[
    fused!(
        "fmadd",
        "fmadd32",
        0x3a,
        D60,
        FA58,
        FB56,
        FC54,
        "a * b + c, rounded once"
    ),
    fused!(
        "fmadd16",
        "fmadd16",
        0x36,
        H60,
        HA58,
        HB56,
        HC54,
        "a * b + c of halves, rounded once"
    ),
    binary!("fadd", "fadd32", 0x2a, D44, FA42, FB40, "a + b"),
    binary!("fadd16", "fadd16", 0x26, H44, HA42, HB40, "a + b of halves"),
    binary!("fmul", "fmul32", 0x1a, D44, FA42, FB40, "a * b"),
    binary!("fmul16", "fmul16", 0x16, H44, HA42, HB40, "a * b of halves"),
    unary!("floor", 0x0a, "round down to an integer"),
    unary!("ceil", 0x1_0000_000a, "round up to an integer"),
    unary!("trunc", 0x2_0000_000a, "round to an integer, towards zero"),
    unary!("rint", 0x3_0000_000a, "round to the nearest integer"),
    unary!("rcp", 0x8000_000a, "1 / a"),
    unary!("rsqrt", 0x9000_000a, "1 / sqrt(a)"),
    unary!(
        "rsqrt_special",
        0x1000_000a,
        "1 / sqrt(a), with special values such that its product with a is sqrt(a)"
    ),
    unary!(
        "sin_pt_1",
        0xa000_000a,
        "first part of a sine: converts an angle from 0 to 4 (a full turn) to the operand of sin_pt_2"
    )
    .notes(&[PART]),
    unary!("sin_pt_2", 0xe000_000a, "second part of a sine").notes(&[PART]),
    unary!("log2", 0xc000_000a, "logarithm to base 2"),
    unary!("exp2", 0xd000_000a, "2 to the power of a"),
    unary!("dfdx", 0x4000_000a, "derivative in x", KILL),
    unary!("dfdy", 0x6000_000a, "derivative in y", KILL),
    row(
        "funop",
        0x3fc_0000_003f,
        0x0a,
        6,
        &[L32, operands!(own: D44, FA42, OP), SATURATE],
    )
    .short(15, 4)
    .also(&[alias("funop", &[EITHER, SAT, operands!(up: D44, FA42, OP)])])
    .about("unnamed functions of one floating-point number")
    .source(SOURCE)
    .notes(&["Its result is unknown."]),
];
