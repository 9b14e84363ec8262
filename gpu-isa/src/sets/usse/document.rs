//! The names that the project's document has for PowerVR USSE: 32 groups by the upper five bits of the word.
//!
//! The document describes bits 63..40, and all bits of the first group; everything else is unread. Several groups have
//! instructions of the same name. All but the first have their group as a suffix, `mov.f32/0x28`, or, within group
//! 0xF8, which is given as truth tables, a case number, `mov.f32/3`. Words that it calls illegal, and undescribed words
//! of other groups, are `illegal.0x48`, with the group.
//!
//! Its tables of fields of one bit are empty: their values follow from the order of its examples. In group 0 it does
//! not say which operands opt1, opt2 and opt3 belong to; op1 has six bits, by the order of the names. In groups 0x68,
//! 0x70 and 0xE0 it shows x at the position of the predicate.

use super::texts::texts;
use crate::set::*;

const FORMAT_F: &[Option<&str>] = &[Some(".f32"), Some(".f16")];

/// The predicates that two bits choose, lowest bit 56.
const P2: &[Piece] = &[Names(
    bits("predicate", 56, 2),
    &[Some(""), Some("p0 "), Some("!p0 "), Some("Pn ")],
)];
/// The predicates of the fixed-point groups: two bits, lowest bit 57.
const P2_HIGH: &[Piece] = &[Names(
    bits("predicate", 57, 2),
    &[Some(""), Some("p0 "), Some("p1 "), Some("!p0 ")],
)];
/// Three bits, three registers and their inverse.
const P3: &[Piece] = &[Names(
    bits("predicate", 56, 3),
    &[
        Some(""),
        Some("p0 "),
        Some("p1 "),
        Some("p2 "),
        Some("!p0 "),
        Some("!p1 "),
        Some("!p2 "),
        Some("Pn "),
    ],
)];
/// Three bits, four registers and the inverse of two.
const P4: &[Piece] = &[Names(
    bits("predicate", 56, 3),
    &[
        Some(""),
        Some("p0 "),
        Some("p1 "),
        Some("p2 "),
        Some("p3 "),
        Some("!p0 "),
        Some("!p1 "),
        Some("Pn "),
    ],
)];

/// A row of 8 bytes whose fixed bits are all in the upper 24: `mask` and `value` are bits 63..40.
const fn upper(
    lead: &'static [Piece],
    mnemonic: &'static str,
    mask: u128,
    value: u128,
    pieces: &'static [Piece],
) -> Row {
    row(mnemonic, mask << 40, value << 40, 8, pieces).lead(lead).rank(1)
}

/// The words of a group that are not an instruction.
const fn illegal(mnemonic: &'static str, group: u128) -> Row {
    row(mnemonic, 0xf8 << 56, group << 56, 8, &[])
}

const SELECTOR: &[Option<&str>] = &[Some("r"), Some("o"), Some("pa"), Some("sa")];
const AXES: &[Option<&str>] = &[Some("x"), Some("y"), Some("z"), Some("w")];
const DOUBLE: Format = Format::Decimal { scale: 2 };
const INTERNAL: Format = Format::Register {
    prefix: "i",
    scale: 1,
    top: None,
};

/// Destination of group 0: kind in bits 33..32, register in 27..22. Registers 60..63 are internal ones.
const OP0: Piece = Cases(&[
    when(
        bits("op0_rs", 32, 2),
        3,
        &[
            Names(bits("op0_rt", 26, 2), SELECTOR),
            Text("[index1*2+"),
            Number(bits("op0_offset", 22, 4), DOUBLE),
            Text("]"),
        ],
    ),
    otherwise(&[Cases(&[
        when(
            bits("op0", 24, 4),
            15,
            &[
                Flag(bits("op0_rs", 32, 2), 1, "o."),
                Flag(bits("op0_rs", 32, 2), 2, "pa."),
                Number(bits("op0", 22, 2), INTERNAL),
            ],
        ),
        otherwise(&[
            Names(bits("op0_rs", 32, 2), &[Some("r"), Some("o"), Some("pa")]),
            Number(bits("op0", 22, 6), DOUBLE),
        ]),
    ])]),
]);
/// First source of group 0; its kinds of registers are unknown.
const OP1: Piece = Cases(&[
    when(bits("op1", 14, 4), 15, &[Number(bits("op1", 12, 2), INTERNAL)]),
    otherwise(&[Text("op1_"), Number(bits("op1", 12, 6), DOUBLE)]),
]);

/// An operand field that is only printed if it is not 0.
macro_rules! option {
    ($name:ident, $text:literal, $low:literal, $width:literal, $names:expr) => {
        const $name: Piece = Cases(&[
            when(bits($text, $low, $width), 0, &[]),
            otherwise(&[
                Text(concat!(", ", $text, "=")),
                Names(bits($text, $low, $width), $names),
            ]),
        ]);
    };
}

option!(OP1_SWZ, "op1_swz", 20, 2, AXES);
option!(OP2_SWZ, "op2_swz", 18, 2, AXES);
option!(OPT2, "opt2", 30, 2, SELECTOR);
option!(OPT3, "opt3", 28, 2, SELECTOR);

/// Operands of group 0; all bits clear print nothing.
const MAD_OPERANDS: Piece = Cases(&[
    case(0xff_ffff_f000, 0, &[]),
    otherwise(&[
        Text(" "),
        OP0,
        Text(", "),
        OP1,
        OP1_SWZ,
        OP2_SWZ,
        OPT2,
        OPT3,
        Flag(bits("opt1", 34, 1), 1, ", opt1"),
        Flag(bits("neg_op3", 35, 1), 1, ", neg_op3"),
        Flag(bits("abs_op3", 36, 1), 1, ", abs_op3"),
        Flag(bits("neg_op2", 37, 1), 1, ", neg_op2"),
        Flag(bits("abs_op2", 38, 1), 1, ", abs_op2"),
        Flag(bits("swz_en", 39, 1), 1, ", swz_en"),
    ]),
]);

/// `.fetch` with a count of 1 to 16. Without `.fetch` the count has no effect.
const FETCH: Piece = Cases(&[
    when(bits("modifier", 53, 1), 0, &[]),
    when(
        bits("modifier", 53, 1),
        1,
        &[
            Text(".fetch"),
            Names(
                bits("index", 44, 4),
                &[
                    Some("1"),
                    Some("2"),
                    Some("3"),
                    Some("4"),
                    Some("5"),
                    Some("6"),
                    Some("7"),
                    Some("8"),
                    Some("9"),
                    Some("10"),
                    Some("11"),
                    Some("12"),
                    Some("13"),
                    Some("14"),
                    Some("15"),
                    Some("16"),
                ],
            ),
        ],
    ),
]);

// The rest of the text after the mnemonic; each constant is named for its texts.
const FORMAT_AND_OPERANDS: &[Piece] = &[Names(bits("data_format", 58, 1), FORMAT_F), MAD_OPERANDS];
const F32_0X20_F16: &[Piece] = &[Names(bits("data_format", 53, 1), &[Some(".f32/0x20"), Some(".f16")])];
const F32_F16: &[Piece] = &[Names(bits("data_format", 53, 1), &[Some(".f32"), Some(".f16")])];
const F32_0X28_F16_0X28: &[Piece] = &[Names(
    bits("data_format", 53, 1),
    &[Some(".f32/0x28"), Some(".f16/0x28")],
)];
const F32_0X30_F32_FX10: &[Piece] = &[Names(bits("modifier", 40, 1), &[Some(".f32/0x30"), Some(".f32.fx10")])];
const F16_F32_F16_FX10: &[Piece] = &[Names(bits("modifier", 40, 1), &[Some(".f16.f32"), Some(".f16.fx10")])];
const FX10_F32_FX10: &[Piece] = &[Names(bits("modifier", 40, 1), &[Some(".fx10.f32"), Some(".fx10")])];
const I8_I16_I32_FX10: &[Piece] = &[Names(
    bits("data_format", 40, 2),
    &[Some(".i8"), Some(".i16"), Some(".i32"), Some(".fx10")],
)];
const F16_0X38_F32_0X38: &[Piece] = &[Names(
    bits("data_format", 40, 1),
    &[Some(".f16/0x38"), Some(".f32/0x38")],
)];
const IF_EQZERO_LTZERO_I8_I16_I32_FX10: &[Piece] = &[
    Names(bits("cond", 54, 1), &[Some(".eqzero"), Some(".ltzero")]),
    Names(
        bits("data_format", 40, 2),
        &[Some(".i8"), Some(".i16"), Some(".i32"), Some(".fx10")],
    ),
];
const IF_EQZERO_LTZERO_F16_F32: &[Piece] = &[
    Names(bits("cond", 54, 1), &[Some(".eqzero"), Some(".ltzero")]),
    Names(bits("data_format", 40, 1), &[Some(".f16"), Some(".f32")]),
];
const U8_SAT_U8: &[Piece] = &[Names(bits("modifier", 43, 1), &[Some(".u8"), Some(".sat.u8")])];
const U16_I16_SAT: &[Piece] = &[
    Names(bits("data_format", 43, 1), &[Some(".u16"), Some(".i16")]),
    Flag(bits("modifier", 42, 1), 1, ".sat"),
];
const U32_I32_SAT: &[Piece] = &[
    Names(bits("data_format", 43, 1), &[Some(".u32"), Some(".i32")]),
    Flag(bits("modifier", 42, 1), 1, ".sat"),
];
const U8_0XC8_SAT_U8_0XC8: &[Piece] = &[Names(
    bits("modifier", 43, 1),
    &[Some(".u8/0xc8"), Some(".sat.u8/0xc8")],
)];
const U32_I32_S0_S1: &[Piece] = &[
    Names(bits("data_format", 41, 1), &[Some(".u32"), Some(".i32")]),
    Names(bits("modifier", 52, 1), &[Some(".s0"), Some(".s1")]),
];
const MINP: &[Piece] = &[Flag(bits("modifier", 51, 1), 1, ".minp")];
const MINP_F16_F32: &[Piece] = &[
    Flag(bits("modifier", 51, 1), 1, ".minp"),
    Names(bits("data_format", 46, 1), &[Some(".f16"), Some(".f32")]),
];

/// All groups except 0xF8.
const GROUPS: &[Row] = &[
    upper(P2, "mad", 0xf80000, 0x000000, FORMAT_AND_OPERANDS),
    upper(P3, "mul.f32", 0xf80000, 0x080000, &[]),
    upper(P3, "mul.f16", 0xf80000, 0x100000, &[]),
    upper(P3, "dot.f32", 0xf82000, 0x180000, &[]),
    upper(P3, "mad.f32/0x18", 0xf82000, 0x182000, &[]),
    upper(P2, "dot", 0xf84078, 0x200028, F32_0X20_F16),
    upper(P2, "mov", 0xf84078, 0x200058, F32_F16),
    upper(P2, "rsq", 0xf84078, 0x200068, F32_F16),
    upper(P2, "rcp", 0xf84078, 0x200078, F32_F16),
    upper(P2, "exp", 0xf84078, 0x204048, F32_F16),
    upper(P2, "log", 0xf84078, 0x204058, F32_F16),
    upper(P2, "dot", 0xf80078, 0x280028, F32_0X28_F16_0X28),
    upper(P2, "mov", 0xf80078, 0x280058, F32_0X28_F16_0X28),
    upper(P2, "rsq", 0xf80078, 0x280068, F32_0X28_F16_0X28),
    upper(P2, "rcp", 0xf80078, 0x280078, F32_0X28_F16_0X28),
    upper(P4, "rcp", 0xf86006, 0x300000, F32_0X30_F32_FX10),
    upper(P4, "rcp", 0xf86006, 0x302000, F16_F32_F16_FX10),
    upper(P4, "rcp", 0xf86006, 0x304000, FX10_F32_FX10),
    upper(P4, "rsq", 0xf86006, 0x300002, F32_0X30_F32_FX10),
    upper(P4, "rsq", 0xf86006, 0x302002, F16_F32_F16_FX10),
    upper(P4, "rsq", 0xf86006, 0x304002, FX10_F32_FX10),
    upper(P4, "log", 0xf86006, 0x300004, F32_0X30_F32_FX10),
    upper(P4, "log", 0xf86006, 0x302004, F16_F32_F16_FX10),
    upper(P4, "log", 0xf86006, 0x304004, FX10_F32_FX10),
    upper(P4, "exp", 0xf86006, 0x300006, F32_0X30_F32_FX10),
    upper(P4, "exp", 0xf86006, 0x302006, F16_F32_F16_FX10),
    upper(P4, "exp", 0xf86006, 0x304006, FX10_F32_FX10),
    upper(P4, "mov", 0xf800c4, 0x380000, I8_I16_I32_FX10),
    upper(P4, "mov", 0xf800c6, 0x380004, F16_0X38_F32_0X38),
    upper(P4, "cmov", 0xf800c4, 0x380040, IF_EQZERO_LTZERO_I8_I16_I32_FX10),
    upper(P4, "cmov", 0xf800c6, 0x380044, IF_EQZERO_LTZERO_F16_F32),
    upper(P4, "cmov8", 0xf800c4, 0x380080, IF_EQZERO_LTZERO_I8_I16_I32_FX10),
    upper(P4, "cmov8", 0xf800c6, 0x380084, IF_EQZERO_LTZERO_F16_F32),
    upper(P4, "mov.u8", 0xf8000f, 0x400000, &[]),
    upper(P4, "pack.u8.s8", 0xf8000f, 0x400002, &[]),
    upper(P4, "pack.u8.o8", 0xf8000f, 0x400004, &[]),
    upper(P4, "pack.u8.u16", 0xf8000f, 0x400006, &[]),
    upper(P4, "pack.u8.s16", 0xf8000f, 0x400008, &[]),
    upper(P4, "pack.u8.f16", 0xf8000f, 0x40000a, &[]),
    upper(P4, "pack.u8.f32", 0xf8000f, 0x40000c, &[]),
    upper(P4, "pack.s16.u8", 0xf8000f, 0x400001, &[]),
    upper(P4, "pack.s16.s8", 0xf8000f, 0x400003, &[]),
    upper(P4, "pack.s16.o8", 0xf8000f, 0x400005, &[]),
    upper(P4, "pack.s16.u16", 0xf8000f, 0x400007, &[]),
    upper(P4, "mov.s16", 0xf8000f, 0x400009, &[]),
    upper(P4, "pack.s16.f16", 0xf8000f, 0x40000b, &[]),
    upper(P4, "pack.s16.f32", 0xf8000f, 0x40000d, &[]),
    upper(P4, "and.u32", 0xf80000, 0x500000, &[]),
    upper(P4, "xor.u32", 0xf80000, 0x580000, &[]),
    upper(P4, "shl.u32", 0xf80000, 0x600000, &[]),
    upper(P4, "shr.u32", 0xf80000, 0x680000, &[]),
    upper(P4, "rlp.u32", 0xf80000, 0x700000, &[]),
    upper(P2_HIGH, "add.fx8", 0xf80000, 0x800000, &[]),
    upper(P2_HIGH, "add.fx8/0x88", 0xf8300c, 0x880000, &[]),
    upper(P2_HIGH, "sub.fx8", 0xf8300c, 0x881000, &[]),
    upper(P2_HIGH, "add.fx8/0x90", 0xf83001, 0x900000, &[]),
    upper(P2_HIGH, "sub.fx8/0x90", 0xf83001, 0x901000, &[]),
    upper(P2_HIGH, "min.fx8", 0xf83001, 0x902000, &[]),
    upper(P2_HIGH, "max.fx8", 0xf83001, 0x903000, &[]),
    upper(P2_HIGH, "mad", 0xf80000, 0x980000, U8_SAT_U8),
    upper(P2_HIGH, "mad", 0xf80000, 0xa00000, U16_I16_SAT),
    upper(P2_HIGH, "mad", 0xf80000, 0xa80000, U32_I32_SAT),
    upper(P2_HIGH, "mad", 0xf80000, 0xc80000, U8_0XC8_SAT_U8_0XC8),
    upper(P4, "mad", 0xf82000, 0xd00000, U32_I32_S0_S1),
    upper(P4, "tex1D", 0xf800cf, 0xe00000, MINP),
    upper(P4, "tex1D", 0xf8008f, 0xe00080, MINP_F16_F32),
    upper(P4, "tex1DBias", 0xf800cf, 0xe00001, MINP),
    upper(P4, "tex1DBias", 0xf8008f, 0xe00081, MINP_F16_F32),
    upper(P4, "tex1DReplace", 0xf800cf, 0xe00002, MINP),
    upper(P4, "tex1DReplace", 0xf8008f, 0xe00082, MINP_F16_F32),
    upper(P4, "tex1DGrad", 0xf800cf, 0xe00003, MINP),
    upper(P4, "tex1DGrad", 0xf8008f, 0xe00083, MINP_F16_F32),
    upper(P4, "tex2D", 0xf800cf, 0xe00004, MINP),
    upper(P4, "tex2D", 0xf8008f, 0xe00084, MINP_F16_F32),
    upper(P4, "tex2DBias", 0xf800cf, 0xe00005, MINP),
    upper(P4, "tex2DBias", 0xf8008f, 0xe00085, MINP_F16_F32),
    upper(P4, "tex2DReplace", 0xf800cf, 0xe00006, MINP),
    upper(P4, "tex2DReplace", 0xf8008f, 0xe00086, MINP_F16_F32),
    upper(P4, "tex2DGrad", 0xf800cf, 0xe00007, MINP),
    upper(P4, "tex2DGrad", 0xf8008f, 0xe00087, MINP_F16_F32),
    upper(P4, "texCube", 0xf800cf, 0xe00008, MINP),
    upper(P4, "texCube", 0xf8008f, 0xe00088, MINP_F16_F32),
    upper(P4, "texCubeBias", 0xf800cf, 0xe00009, MINP),
    upper(P4, "texCubeBias", 0xf8008f, 0xe00089, MINP_F16_F32),
    upper(P4, "texCubeReplace", 0xf800cf, 0xe0000a, MINP),
    upper(P4, "texCubeReplace", 0xf8008f, 0xe0008a, MINP_F16_F32),
    upper(P4, "texCubeGrad", 0xf800cf, 0xe0000b, MINP),
    upper(P4, "texCubeGrad", 0xf8008f, 0xe0008b, MINP_F16_F32),
    upper(P4, "lda32", 0xf8000c, 0xe80000, &[FETCH]),
    upper(P4, "ldl32", 0xf8000c, 0xe80004, &[FETCH]),
    upper(P4, "ldt32", 0xf8000c, 0xe80008, &[FETCH]),
    upper(P4, "sta32", 0xf8000c, 0xf00000, &[FETCH]),
    upper(P4, "stl32", 0xf8000c, 0xf00004, &[FETCH]),
    upper(P4, "stt32", 0xf8000c, 0xf00008, &[FETCH]),
];

/// Groups that the document calls illegal, and undescribed words of other groups.
const REST: &[Row] = &[
    illegal("illegal.0x48", 0x48),
    illegal("illegal.0x78", 0x78),
    illegal("illegal.0xb0", 0xb0),
    illegal("illegal.0xb8", 0xb8),
    illegal("illegal.0xc0", 0xc0),
    illegal("illegal.0xd8", 0xd8),
    illegal("illegal.0x20", 0x20),
    illegal("illegal.0x28", 0x28),
    illegal("illegal.0x30", 0x30),
    illegal("illegal.0x38", 0x38),
    illegal("illegal.0x40", 0x40),
    illegal("illegal.0x88", 0x88),
    illegal("illegal.0x90", 0x90),
    illegal("illegal.0xd0", 0xd0),
    illegal("illegal.0xe0", 0xe0),
    illegal("illegal.0xe8", 0xe8),
    illegal("illegal.0xf0", 0xf0),
];

/// A row of group 0xF8.
const fn flow(lead: &'static [Piece], mnemonic: &'static str, mask: u128, value: u128) -> Row {
    upper(lead, mnemonic, mask, value, &[])
}

const ALWAYS: &[Piece] = &[];
const IF_P0: &[Piece] = &[Text("p0 ")];
const IF_P1: &[Piece] = &[Text("p1 ")];
const IF_P2: &[Piece] = &[Text("p2 ")];
const IF_P3: &[Piece] = &[Text("p3 ")];
const NOT_P0: &[Piece] = &[Text("!p0 ")];
const NOT_P1: &[Piece] = &[Text("!p1 ")];
const IF_PN: &[Piece] = &[Text("Pn ")];

/// Group 0xF8: the rows of its truth tables, which together cover the group.
const FLOW: &[Row] = &[
    flow(ALWAYS, "ba", 0xff7803, 0xf80000),
    flow(ALWAYS, "mov/1", 0xff7803, 0xf80001),
    flow(ALWAYS, "ba.savelink", 0xff7803, 0xf80002),
    flow(ALWAYS, "mov/2", 0xff7803, 0xf80003),
    flow(ALWAYS, "mov.f32/1", 0xff7801, 0xf80800),
    flow(ALWAYS, "mov/3", 0xff7801, 0xf80801),
    flow(ALWAYS, "mov.f32/2", 0xff7000, 0xf81000),
    flow(ALWAYS, "mov.f32/3", 0xff7000, 0xf82000),
    flow(ALWAYS, "pcoeff/1", 0xff7080, 0xf83000),
    flow(ALWAYS, "ptoff/1", 0xff7080, 0xf83080),
    flow(ALWAYS, "invalid/1", 0xff7000, 0xf84000),
    flow(ALWAYS, "invalid/2", 0xff7000, 0xf85000),
    flow(ALWAYS, "mov.f32/4", 0xff7000, 0xf86000),
    flow(ALWAYS, "pcoeff/2", 0xff7080, 0xf87000),
    flow(ALWAYS, "ptoff/2", 0xff7080, 0xf87080),
    flow(IF_P0, "ba", 0xff7803, 0xf90000),
    flow(IF_P0, "mov/1", 0xff7803, 0xf90001),
    flow(IF_P0, "ba.savelink", 0xff7803, 0xf90002),
    flow(IF_P0, "mov/2", 0xff7803, 0xf90003),
    flow(ALWAYS, "mov.f32/5", 0xff7801, 0xf90800),
    flow(IF_P0, "mov/3", 0xff7801, 0xf90801),
    flow(ALWAYS, "mov.f32/6", 0xff7000, 0xf91000),
    flow(ALWAYS, "mov.f32/7", 0xff7000, 0xf92000),
    flow(ALWAYS, "kill/1", 0xff7006, 0xf93000),
    flow(NOT_P0, "kill/1", 0xff7006, 0xf93002),
    flow(NOT_P1, "kill/1", 0xff7006, 0xf93004),
    flow(IF_P0, "kill/1", 0xff7006, 0xf93006),
    flow(ALWAYS, "invalid/3", 0xff7000, 0xf94000),
    flow(ALWAYS, "invalid/4", 0xff7000, 0xf95000),
    flow(ALWAYS, "mov.f32/8", 0xff7000, 0xf96000),
    flow(ALWAYS, "kill/2", 0xff7006, 0xf97000),
    flow(NOT_P0, "kill/2", 0xff7006, 0xf97002),
    flow(NOT_P1, "kill/2", 0xff7006, 0xf97004),
    flow(IF_P0, "kill/2", 0xff7006, 0xf97006),
    flow(IF_P1, "ba/1", 0xfff803, 0xfa0000),
    flow(IF_P1, "mov/1", 0xfff803, 0xfa0001),
    flow(IF_P1, "ba.savelink/1", 0xfff803, 0xfa0002),
    flow(IF_P1, "mov/2", 0xfff803, 0xfa0003),
    flow(ALWAYS, "mov.f32/9", 0xfff801, 0xfa0800),
    flow(IF_P1, "mov/3", 0xfff801, 0xfa0801),
    flow(ALWAYS, "mov.f32/10", 0xfff000, 0xfa1000),
    flow(ALWAYS, "mov.f32/11", 0xfff000, 0xfa2000),
    flow(ALWAYS, "invalid/5", 0xfff000, 0xfa3000),
    flow(ALWAYS, "mov.f32/12", 0xfff400, 0xfa4000),
    flow(ALWAYS, "mov.f32/13", 0xfff416, 0xfa4400),
    flow(ALWAYS, "mov.f32/14", 0xfff417, 0xfa4402),
    flow(ALWAYS, "invalid/6", 0xfff417, 0xfa4403),
    flow(ALWAYS, "invalid/7", 0xfff416, 0xfa4404),
    flow(ALWAYS, "invalid/8", 0xfff417, 0xfa4406),
    flow(ALWAYS, "mov.f32/15", 0xfff417, 0xfa4407),
    flow(ALWAYS, "mov.f32/16", 0xfff41e, 0xfa4410),
    flow(ALWAYS, "mov.f32/17", 0xfff41f, 0xfa4412),
    flow(ALWAYS, "invalid/9", 0xfff41f, 0xfa4413),
    flow(ALWAYS, "invalid/10", 0xfff41e, 0xfa4414),
    flow(ALWAYS, "invalid/11", 0xfff41f, 0xfa4416),
    flow(ALWAYS, "mov.f32/18", 0xfff41f, 0xfa4417),
    flow(ALWAYS, "invalid/12", 0xfff418, 0xfa4418),
    flow(ALWAYS, "invalid/13", 0xfff000, 0xfa5000),
    flow(ALWAYS, "mov.f32/19", 0xfff000, 0xfa6000),
    flow(ALWAYS, "invalid/14", 0xfff000, 0xfa7000),
    flow(IF_P1, "ba/2", 0xfff803, 0xfa8000),
    flow(IF_P1, "mov/4", 0xfff803, 0xfa8001),
    flow(IF_P1, "ba.savelink/2", 0xfff803, 0xfa8002),
    flow(IF_P1, "mov/5", 0xfff803, 0xfa8003),
    flow(ALWAYS, "mov.f32/20", 0xfff801, 0xfa8800),
    flow(IF_P1, "mov/6", 0xfff801, 0xfa8801),
    flow(ALWAYS, "mov.f32/21", 0xfff000, 0xfa9000),
    flow(ALWAYS, "mov.f32/22", 0xfff000, 0xfaa000),
    flow(ALWAYS, "invalid/15", 0xfff000, 0xfab000),
    flow(ALWAYS, "mov.f32/23", 0xfff000, 0xfac000),
    flow(ALWAYS, "invalid/16", 0xfff000, 0xfad000),
    flow(ALWAYS, "mov.f32/24", 0xfff000, 0xfae000),
    flow(ALWAYS, "invalid/17", 0xfff000, 0xfaf000),
    flow(IF_P2, "ba", 0xff7803, 0xfb0000),
    flow(IF_P2, "mov/1", 0xff7803, 0xfb0001),
    flow(IF_P2, "ba.savelink", 0xff7803, 0xfb0002),
    flow(IF_P2, "mov/2", 0xff7803, 0xfb0003),
    flow(ALWAYS, "mov.f32/25", 0xff7801, 0xfb0800),
    flow(IF_P2, "mov/3", 0xff7801, 0xfb0801),
    flow(ALWAYS, "mov.f32/26", 0xff7000, 0xfb1000),
    flow(ALWAYS, "mov.f32/27", 0xff70e0, 0xfb2000),
    flow(ALWAYS, "mov.f32/28", 0xff70e0, 0xfb2020),
    flow(ALWAYS, "mov.f32/29", 0xff70e0, 0xfb2040),
    flow(ALWAYS, "mov.f32/30", 0xff70f0, 0xfb2060),
    flow(ALWAYS, "invalid/18", 0xff70f0, 0xfb2070),
    flow(ALWAYS, "mov.f32/31", 0xff70e0, 0xfb2080),
    flow(ALWAYS, "mov.f32/32", 0xff70e0, 0xfb20a0),
    flow(ALWAYS, "invalid/19", 0xff70e0, 0xfb20c0),
    flow(ALWAYS, "invalid/20", 0xff70e0, 0xfb20e0),
    flow(ALWAYS, "depthf/1", 0xff7006, 0xfb3000),
    flow(IF_P0, "depthf/1", 0xff7006, 0xfb3002),
    flow(IF_P1, "depthf/1", 0xff7006, 0xfb3004),
    flow(NOT_P0, "depthf/1", 0xff7006, 0xfb3006),
    flow(ALWAYS, "invalid/21", 0xff7000, 0xfb4000),
    flow(ALWAYS, "invalid/22", 0xff7000, 0xfb5000),
    flow(ALWAYS, "mov.f32/33", 0xff70e0, 0xfb6000),
    flow(ALWAYS, "mov.f32/34", 0xff70e0, 0xfb6020),
    flow(ALWAYS, "mov.f32/35", 0xff70e0, 0xfb6040),
    flow(ALWAYS, "mov.f32/36", 0xff70f0, 0xfb6060),
    flow(ALWAYS, "invalid/23", 0xff70f0, 0xfb6070),
    flow(ALWAYS, "mov.f32/37", 0xff70e0, 0xfb6080),
    flow(ALWAYS, "mov.f32/38", 0xff70e0, 0xfb60a0),
    flow(ALWAYS, "invalid/24", 0xff70e0, 0xfb60c0),
    flow(ALWAYS, "invalid/25", 0xff70e0, 0xfb60e0),
    flow(ALWAYS, "depthf/2", 0xff7006, 0xfb7000),
    flow(IF_P0, "depthf/2", 0xff7006, 0xfb7002),
    flow(IF_P1, "depthf/2", 0xff7006, 0xfb7004),
    flow(NOT_P0, "depthf/2", 0xff7006, 0xfb7006),
    flow(IF_P3, "ba", 0xff7803, 0xfc0000),
    flow(IF_P3, "mov/1", 0xff7803, 0xfc0001),
    flow(IF_P3, "ba.savelink", 0xff7803, 0xfc0002),
    flow(IF_P3, "mov/2", 0xff7803, 0xfc0003),
    flow(ALWAYS, "mov.f32/39", 0xff7801, 0xfc0800),
    flow(IF_P3, "mov/3", 0xff7801, 0xfc0801),
    flow(ALWAYS, "mov.f32/40", 0xff7000, 0xfc1000),
    flow(ALWAYS, "mov.u32/1", 0xff700e, 0xfc2000),
    flow(IF_P0, "mov.u32/1", 0xff700e, 0xfc2002),
    flow(IF_P1, "mov.u32/1", 0xff700e, 0xfc2004),
    flow(IF_P2, "mov.u32/1", 0xff700e, 0xfc2006),
    flow(IF_P3, "mov.u32/1", 0xff700e, 0xfc2008),
    flow(NOT_P0, "mov.u32/1", 0xff700e, 0xfc200a),
    flow(NOT_P1, "mov.u32/1", 0xff700e, 0xfc200c),
    flow(IF_PN, "mov.u32/1", 0xff700e, 0xfc200e),
    flow(ALWAYS, "invalid/26", 0xff7000, 0xfc3000),
    flow(ALWAYS, "invalid/27", 0xff7000, 0xfc4000),
    flow(ALWAYS, "invalid/28", 0xff7000, 0xfc5000),
    flow(ALWAYS, "mov.u32/2", 0xff700e, 0xfc6000),
    flow(IF_P0, "mov.u32/2", 0xff700e, 0xfc6002),
    flow(IF_P1, "mov.u32/2", 0xff700e, 0xfc6004),
    flow(IF_P2, "mov.u32/2", 0xff700e, 0xfc6006),
    flow(IF_P3, "mov.u32/2", 0xff700e, 0xfc6008),
    flow(NOT_P0, "mov.u32/2", 0xff700e, 0xfc600a),
    flow(NOT_P1, "mov.u32/2", 0xff700e, 0xfc600c),
    flow(IF_PN, "mov.u32/2", 0xff700e, 0xfc600e),
    flow(ALWAYS, "invalid/29", 0xff7000, 0xfc7000),
    flow(NOT_P0, "ba", 0xff7803, 0xfd0000),
    flow(NOT_P0, "mov/1", 0xff7803, 0xfd0001),
    flow(NOT_P0, "ba.savelink", 0xff7803, 0xfd0002),
    flow(NOT_P0, "mov/2", 0xff7803, 0xfd0003),
    flow(ALWAYS, "mov.f32/41", 0xff7801, 0xfd0800),
    flow(NOT_P0, "mov/3", 0xff7801, 0xfd0801),
    flow(ALWAYS, "mov.f32/42", 0xff7000, 0xfd1000),
    flow(ALWAYS, "mov.f32/43", 0xff7000, 0xfd2000),
    flow(ALWAYS, "invalid/30", 0xff7000, 0xfd3000),
    flow(ALWAYS, "invalid/31", 0xff7000, 0xfd4000),
    flow(ALWAYS, "invalid/32", 0xff7000, 0xfd5000),
    flow(ALWAYS, "mov.f32/44", 0xff7000, 0xfd6000),
    flow(ALWAYS, "invalid/33", 0xff7000, 0xfd7000),
    flow(NOT_P1, "ba", 0xff7803, 0xfe0000),
    flow(NOT_P1, "mov/1", 0xff7803, 0xfe0001),
    flow(NOT_P1, "ba.savelink", 0xff7803, 0xfe0002),
    flow(NOT_P1, "mov/2", 0xff7803, 0xfe0003),
    flow(ALWAYS, "mov.f32/45", 0xff7801, 0xfe0800),
    flow(NOT_P1, "mov/3", 0xff7801, 0xfe0801),
    flow(ALWAYS, "invalid/34", 0xff7000, 0xfe1000),
    flow(ALWAYS, "mov.f32/46", 0xff7000, 0xfe2000),
    flow(ALWAYS, "invalid/35", 0xff7000, 0xfe3000),
    flow(ALWAYS, "invalid/36", 0xff7000, 0xfe4000),
    flow(ALWAYS, "invalid/37", 0xff7000, 0xfe5000),
    flow(ALWAYS, "mov.f32/47", 0xff7000, 0xfe6000),
    flow(ALWAYS, "invalid/38", 0xff7000, 0xfe7000),
    flow(IF_PN, "ba", 0xff7803, 0xff0000),
    flow(IF_PN, "mov/1", 0xff7803, 0xff0001),
    flow(IF_PN, "ba.savelink", 0xff7803, 0xff0002),
    flow(IF_PN, "mov/2", 0xff7803, 0xff0003),
    flow(ALWAYS, "mov.f32/48", 0xff7801, 0xff0800),
    flow(IF_PN, "mov/3", 0xff7801, 0xff0801),
    flow(ALWAYS, "invalid/39", 0xff7000, 0xff1000),
    flow(ALWAYS, "mov.f32/49", 0xff7000, 0xff2000),
    flow(ALWAYS, "invalid/40", 0xff7000, 0xff3000),
    flow(ALWAYS, "invalid/41", 0xff7000, 0xff4000),
    flow(ALWAYS, "invalid/42", 0xff7000, 0xff5000),
    flow(ALWAYS, "mov.f32/50", 0xff7000, 0xff6000),
    flow(ALWAYS, "invalid/43", 0xff7000, 0xff7000),
];

/// The document's names.
pub static DOCUMENT: Set = texts("usse-document", "the USSE document", &[GROUPS, REST, FLOW]);
