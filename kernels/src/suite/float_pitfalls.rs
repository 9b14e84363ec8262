//! `float_pitfalls`: unexpected behaviour of the G80's floats, case by case. The results follow `docs/arithmetic.md`,
//! and were derived by hand.

use crate::kernel::Kernel;
use crate::memory::{results, Memory};

/// Each case with its expected result.
const CASES: [(&str, u32); 15] = [
    // x * x is 1 + 2^-11 + 2^-22 + 2^-24 + 2^-34 + 2^-46; 24 bits end at 2^-23. Less 1, the fused result would be
    // 0x3a001401: 2^-11 * (1 + 2^-11 + 2^-13 + 2^-23, to which 2^-35 adds nothing).
    ("FMAD of x, x, -1 cuts to 2^-11 + 2^-22", 0x3a00_1000),
    ("FMUL rounds up, to 2^-11 + 2^-22 + 2^-23 less 1", 0x3a00_1800),
    ("a denormal and itself", 0),
    ("half of the smallest normal number", 0),
    ("a NaN and 1", 0x7fff_ffff),
    ("a NaN that is chosen", 0x7fc1_2345),
    ("a NaN, saturated", 0x7fff_ffff),
    ("-2, saturated", 0),
    ("the smaller of a NaN and 1", 0x3f80_0000),
    ("1 equals 1", 0xffff_ffff),
    ("a NaN equals itself", 0),
    ("a NaN as an integer", 0),
    ("-1 as an unsigned integer", 0),
    ("the negative of 0 as a float", 0x8000_0000),
    // -0.99999988; the exact result is -1.
    ("LG2 of 0.5", 0xbf7f_fffe),
];

pub fn kernel() -> Kernel {
    let mut memory = Memory::default();
    memory.canaries(16);
    let at = memory.place(std::iter::repeat_n(0, CASES.len()));
    memory.canaries(16);
    Kernel {
        name: "float_pitfalls",
        summary: "surprises of the G80's floats, case by case, in a single thread",
        registers: 5,
        grid: [1, 1],
        block: [1, 1, 1],
        params: vec![at],
        expected: results(at, CASES.map(|(_, result)| result)),
        memory: memory.words,
        ..Kernel::default()
    }
}
