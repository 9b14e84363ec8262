//! Flow control, the execution mask stack, selects and ballots.

use super::operands::*;
use crate::set::*;

const CONTROL: &str = "applegpu.py, Flow Control Instructions";
const STACK: &str = "applegpu.py, Execution Mask Stack Instructions";
const SELECT: &str = "applegpu.py, Select Instructions";
const BALLOT: &str = "applegpu.py, SIMD Group and Quad Group Instructions";
const UNKNOWN: &str = "Its effect is unknown.";

/// A target, signed, from the instruction's own address.
macro_rules! target {
    ($name:ident, $width:literal) => {
        const $name: Both = Both {
            own: &[Number(
                bits("off", 16, $width),
                Format::Target { base: 0, scale: 1 },
            )],
            up: &[Number(bits("off", 16, $width), Format::Offset { prefix: "pc" })],
        };
    };
}
target!(NEAR, 8);
target!(FAR, 32);

const REG32: Both = same(&[Number(bits("reg32", 9, 7), R)]);

/// A branch with a target.
macro_rules! branch {
    ($mnemonic:literal, $mask:literal, $value:literal, $bytes:literal, $target:ident) => {
        row($mnemonic, $mask, $value, $bytes, &[operands!(own: $target)])
            .also(&[alias($mnemonic, &[operands!(up: $target)])])
            .flow(Flow::Away)
            .source(CONTROL)
    };
}

/// Integer conditions in each notation: with the bit that inverts them, and without.
macro_rules! integer_conditions {
    ($name:ident, $narrow:ident, $same:literal, $differs:literal, $before:literal) => {
        const $name: &[Option<&str>] = &[
            Some(concat!($before, $same)),
            Some(concat!($before, "ult")),
            Some(concat!($before, "ugt")),
            None,
            Some(concat!($before, "seq")),
            Some(concat!($before, "slt")),
            Some(concat!($before, "sgt")),
            None,
            Some(concat!($before, $differs)),
            Some(concat!($before, "ugte")),
            Some(concat!($before, "ulte")),
            None,
            Some(concat!($before, "nseq")),
            Some(concat!($before, "sgte")),
            Some(concat!($before, "slte")),
        ];
        const $narrow: &[Option<&str>] = $name.split_at(7).0;
    };
}
integer_conditions!(INTEGER, INTEGER_NARROW, "ieq", "ine", ", ");
integer_conditions!(INTEGER_UP, INTEGER_UP_NARROW, "ueq", "nueq", "");

/// Floating-point conditions in each notation.
macro_rules! float_conditions {
    ($name:ident, $narrow:ident, $at_least:literal, $at_most:literal, $before:literal) => {
        const $name: &[Option<&str>] = &[
            Some(concat!($before, "eq")),
            Some(concat!($before, "lt")),
            Some(concat!($before, "gt")),
            Some(concat!($before, "ltn")),
            None,
            Some(concat!($before, $at_least)),
            Some(concat!($before, $at_most)),
            Some(concat!($before, "gtn")),
            Some(concat!($before, "neq")),
            Some(concat!($before, "nlt")),
            Some(concat!($before, "ngt")),
            Some(concat!($before, "nltn")),
            None,
            Some(concat!($before, "n", $at_least)),
            Some(concat!($before, "n", $at_most)),
            Some(concat!($before, "ngtn")),
        ];
        const $narrow: &[Option<&str>] = $name.split_at(8).0;
    };
}
float_conditions!(FLOAT, FLOAT_NARROW, "ge", "le", ", ");
float_conditions!(FLOAT_UP, FLOAT_UP_NARROW, "gte", "lte", "");

/// A condition: a piece here, an operand in applegpu's notation.
const fn condition(own: &'static [Piece], up: &'static [Piece]) -> Both {
    Both { own, up }
}

const MASK_CONDITION: Field = bits("cc", 13, 3).and(8, 1);
const BALLOT_CONDITION: Field = bits("cc", 61, 3).and(47, 1);
const SELECT_CONDITION: Field = bits("cc", 61, 3);
const IM: Both = condition(&[Names(MASK_CONDITION, INTEGER)], &[Names(MASK_CONDITION, INTEGER_UP)]);
const FM: Both = condition(&[Names(MASK_CONDITION, FLOAT)], &[Names(MASK_CONDITION, FLOAT_UP)]);
const IB: Both = condition(
    &[Names(BALLOT_CONDITION, INTEGER)],
    &[Names(BALLOT_CONDITION, INTEGER_UP)],
);
const FB: Both = condition(&[Names(BALLOT_CONDITION, FLOAT)], &[Names(BALLOT_CONDITION, FLOAT_UP)]);
const IS: Both = condition(
    &[Names(SELECT_CONDITION, INTEGER_NARROW)],
    &[Names(SELECT_CONDITION, INTEGER_UP_NARROW)],
);
const FS: Both = condition(
    &[Names(SELECT_CONDITION, FLOAT_NARROW)],
    &[Names(SELECT_CONDITION, FLOAT_UP_NARROW)],
);

/// An instruction of the mask stack that compares.
macro_rules! mask {
    ($mnemonic:literal, $mask:literal, $value:literal, $a:ident, $b:ident, $cc:ident, $about:literal $(, $more:expr)*) => {
        row(
            $mnemonic,
            $mask,
            $value,
            6,
            &[operands!(own: $a, $b, N), CACHE, Pieces($cc.own)],
        )
        .also(&[alias($mnemonic, &[operands!(up: R0L, $cc, $a, $b, N)]) $(, $more)*])
        .about($about)
        .source(STACK)
    };
}

/// applegpu's name of an `if_fcmp` that compares 0.0 with itself.
const fn always(mnemonic: &'static str, pieces: &'static [Piece]) -> Alias {
    alias(mnemonic, pieces)
        .only(MASK_CONDITION, 0)
        .only(bits("A", 16, 12).and(42, 2), 0)
        .only(bits("B", 28, 12).and(40, 2), 0)
}

/// A select.
macro_rules! select {
    ($mnemonic:literal, $value:literal, $a:ident, $b:ident, $cc:ident, $about:literal) => {
        row(
            $mnemonic,
            0x7f,
            $value,
            10,
            &[L64, operands!(own: D76, $a, $b, X70, Y68), Pieces($cc.own)],
        )
        .short(15, 8)
        .also(&[alias($mnemonic, &[EITHER, operands!(up: $cc, D76, $a, $b, X70, Y68)])])
        .about($about)
        .source(SELECT)
    };
}

/// A ballot.
macro_rules! ballot {
    ($mnemonic:literal, $mask:literal, $value:literal, $a:ident, $b:ident, $cc:ident, $about:literal) => {
        row($mnemonic, $mask, $value, 8, &[operands!(own: D44, $a, $b), Pieces($cc.own)])
            .also(&[alias($mnemonic, &[operands!(up: D44, $cc, $a, $b)])])
            .about($about)
            .source(BALLOT)
    };
}

pub(super) const CONTROL_ROWS: &[Row] = &[
    row("ret", 0x7f, 0x14, 2, &[operands!(own: REG32)])
        .about("return to the address in a register")
        .flow(Flow::Away)
        .source(CONTROL),
    row("stop", 0xffff, 0x88, 2, &[])
        .about("end the program")
        .flow(Flow::End)
        .source(CONTROL),
    row("trap", 0xffff, 0x08, 2, &[])
        .about("stop with an error")
        .flow(Flow::Away)
        .source(CONTROL)
        .notes(&["The consequences are unknown."]),
    row("call", 0x7f, 0x04, 2, &[operands!(own: REG32)])
        .about("call the address in a register")
        .flow(Flow::Away)
        .source(CONTROL),
    branch!("jmp_incomplete", 0xff00_ffff, 0x00, 4, NEAR)
        .about("a short jump with an unknown condition")
        .notes(&["Zeros after `stop` are padding and not this instruction."]),
    branch!("jmp_exec_any", 0xffff, 0xc000, 6, FAR).about("jump if any thread is active"),
    branch!("jmp_exec_none", 0xffff, 0xc020, 6, FAR).about("jump if no thread is active"),
    branch!("call", 0xffff, 0xc010, 6, FAR).about("call; the return address is written to r1"),
    branch!("jmp_if_skipping_doorbell", 0xff00_ffff, 0x20, 4, NEAR).about("jump if the doorbell is skipped"),
    row("unk30c0", 0xffff, 0xc030, 6, &[operands!(own: IMM)])
        .also(&[alias("TODO.unk30C0", &[operands!(up: IMM)])])
        .about("unknown, between the jumps")
        .source(CONTROL)
        .notes(&[UNKNOWN]),
    row("unk40c0", 0xffff_ffff_ffff, 0xc040, 6, &[])
        .also(&[alias("TODO.unk40C0", &[])])
        .about("unknown, between the jumps")
        .source(CONTROL)
        .notes(&[UNKNOWN]),
    row("unkc0", 0xffff_ffff, 0xc0, 4, &[])
        .also(&[alias("TODO.unkC0000000", &[])])
        .about("unknown")
        .source(CONTROL)
        .notes(&[UNKNOWN]),
];

const IMM: Both = same(&[Number(bits("imm", 16, 32), DECIMAL)]);

pub(super) const MASK_ROWS: &[Row] = &[
    row("pop_exec", 0xffff_ffff_e67f, 0x652, 6, &[operands!(own: N), CACHE])
        .also(&[alias("pop_exec", &[operands!(up: R0L, N)])])
        .about("pop n levels of the execution mask stack in r0l")
        .source(STACK),
    row("pop_exec2", 0xff_e67f, 0x80_0652, 6, &[operands!(own: N), CACHE])
        .also(&[alias("TODO.pop_exec2", &[operands!(up: R0L, N)])])
        .about("like pop_exec, with bit 23 set")
        .source(STACK)
        .notes(&[UNKNOWN]),
    mask!(
        "if_icmp",
        0x30c0_0c00_067f,
        0x52,
        A42,
        B40,
        IM,
        "enter a block with the threads whose comparison is true"
    ),
    mask!(
        "if_fcmp",
        0x3000_0000_067f,
        0x42,
        FA42,
        FB40,
        FM,
        "enter a block with the threads whose comparison is true",
        always("update_exec", &[operands!(up: R0L)]).only(bits("n", 11, 2), 0),
        always("push_exec", &[operands!(up: R0L, N)])
    ),
    mask!(
        "while_icmp",
        0x30c0_0c00_067f,
        0x452,
        A42,
        B40,
        IM,
        "continue a loop with the threads whose comparison is true"
    ),
    mask!(
        "while_fcmp",
        0x3000_0000_067f,
        0x442,
        FA42,
        FB40,
        FM,
        "continue a loop with the threads whose comparison is true"
    ),
    mask!(
        "else_icmp",
        0x30c0_0c00_067f,
        0x252,
        A42,
        B40,
        IM,
        "change to the other branch, for the threads whose comparison is true"
    ),
    mask!(
        "else_fcmp",
        0x3000_0000_067f,
        0x242,
        FA42,
        FB40,
        FM,
        "change to the other branch, for the threads whose comparison is true"
    ),
];

pub(super) const SELECT_ROWS: &[Row] = &[
    select!("icmpsel", 0x12, A74, B72, IS, "x if a and b compare, else y"),
    select!(
        "fcmpsel",
        0x02,
        FA74,
        FB72,
        FS,
        "x if the floating-point comparison of a and b is true, otherwise y"
    ),
    ballot!(
        "icmp_ballot",
        0x1fff_00c0_0c00_007f,
        0x1_0000_0000_0032,
        A42,
        B40,
        IB,
        "one bit for each thread of the SIMD group: its comparison is true"
    ),
    ballot!(
        "icmp_quad_ballot",
        0x1fff_00c0_0c00_007f,
        0x32,
        A42,
        B40,
        IB,
        "one bit for each thread of the quad: its comparison is true"
    ),
    ballot!(
        "fcmp_ballot",
        0x1fff_0000_0000_007f,
        0x1_0000_0000_0022,
        FA42,
        FB40,
        FB,
        "one bit for each thread of the SIMD group: its comparison is true"
    ),
    ballot!(
        "fcmp_quad_ballot",
        0x1fff_0000_0000_007f,
        0x22,
        FA42,
        FB40,
        FB,
        "one bit for each thread of the quad: its comparison is true"
    ),
];
