//! **The table**: every SM 1.0 instruction as one [`Row`] of data. It drives decode, encode, the disassembler and the
//! assembler; opcodes and field positions are written down here and nowhere else.
//!
//! A row gives its words ([`Pattern`]), the suffixes of the mnemonic ([`Suffix`]), the operands and the location of
//! their bits ([`Slot`], [`Location`]), its operation ([`Row::operation`]), the unit that executes it and whether this
//! core does so yet ([`Execution`]). Adding an instruction means adding a row.
//!
//! The encodings are from real G80 code. The sources named in the rows are the sections of the FlexGripPlus SM 1.0
//! programmer's manual ("manual"), the corrections to it ("encoding notes"), and for instructions that these do not
//! describe the public reverse engineering of the G80 ("envytools", whose decoder is `envydis/g80.c`, and "decuda").
//! The manual's errors are in [`crate::table::manual`], and the rows refer to them. A row with the source "extension"
//! exists in this core alone ([`Row::is_extension`]).

use super::capability::Capability;
use super::fields::*;
use super::manual;
use super::parts::*;
use super::pattern::{control, immediate, long, long_any, pattern, short, Form};
use super::row::*;
use super::slot::*;
use crate::operation::*;
use flexgrip_arith::integer::plain;

use Location::{Half, Select, Word};

/// Every instruction of capability 1.0; most exist at all capabilities ([`Row::until`]). No word matches two rows.
pub static ROWS: &[Row] = &[
    // Moves
    Row {
        name: "MOV",
        // Bits 46..49 are the active lanes of a quad. Kernels always have all four; any other value is graphics code
        // and not an instruction here.
        pattern: long(0x1, 0).and(46, 4, 0xf),
        writes_cc: false,
        suffixes: &[Suffix::Names(WIDE, WIDTH_NAMES)],
        slots: &[d(LONG_D_WIDE), s1(LONG_1_WIDE)],
        operation: |w| Operation::Mov { width: width(WIDE, w) },
        semantics: "destination = source 1",
        source: "manual MOV; encoding notes MOV",
        manual: &[&manual::MOV],
        notes: &["Bits 49..46 select the lanes of a quad that execute. Kernels set all four; words with fewer occur only in graphics programs and are not instructions here.", "Bit 57, which routes the move through the special function unit, is ignored."],
        ..LONG
    },
    Row {
        name: "MOV32",
        pattern: short(0x1),
        suffixes: &[Suffix::Names(WIDE_SHORT, WIDTH_NAMES)],
        slots: &[d(SHORT_D_WIDE), s1(SHORT_1_WIDE)],
        operation: |w| Operation::Mov {
            width: width(WIDE_SHORT, w),
        },
        semantics: "destination = source 1",
        source: "manual MOV32; encoding notes MOV32",
        manual: &[&manual::MOV32],
        notes: &["Bit 17, which routes the move through the special function unit, is ignored."],
        ..SHORT
    },
    Row {
        name: "MVI",
        pattern: immediate(0x1),
        suffixes: &[Suffix::Names(WIDE_SHORT, WIDTH_NAMES)],
        slots: &[
            d(Select(WIDE_SHORT, &[Half(DESTINATION), Word(DESTINATION)])),
            s1(Location::Number(NUMBER)),
        ],
        operation: |w| Operation::Mov {
            width: width(WIDE_SHORT, w),
        },
        semantics: "destination = immediate",
        source: "manual MVI; encoding notes MVI",
        manual: &[&manual::MVI],
        ..SHORT
    },
    Row {
        name: "MVC",
        pattern: long(0x1, 1),
        writes_cc: false,
        suffixes: &[Suffix::Names(WIDE, WIDTH_NAMES)],
        slots: &[d(LONG_D_WIDE), s1(MVC_1)],
        operation: |w| Operation::Mvc { width: width(WIDE, w) },
        semantics: "destination = constant memory",
        source: "manual MVC; encoding notes MVC",
        manual: &[&manual::MVC],
        ..LONG
    },
    Row {
        name: "R2G",
        pattern: long(0x0, 7),
        writes_cc: false,
        suffixes: &[Suffix::Names(R2G_KIND, R2G_NAMES)],
        slots: &[s1(R2G_1), s3(Select(R2G_WORD, &[Half(SOURCE_3), Word(SOURCE_3)]))],
        operation: |_| Operation::R2g,
        semantics: "shared memory = source 3",
        narrowed: Some((Capability::V1_2, UNLOCK)),
        source: "manual R2G; encoding notes R2G",
        manual: &[&manual::R2G],
        ..LONG
    },
    Row {
        name: "R2A",
        pattern: long(0x0, 6),
        writes_cc: false,
        slots: &[
            d(Location::Address(ADDRESS_DESTINATION)),
            s1(LONG_1_WORD),
            inherent(Location::OptionalNumber(R2A_SHIFT)),
        ],
        operation: |w| Operation::R2a {
            shift: R2A_SHIFT.get(w) as u8,
        },
        semantics: "address register = source 1 << shift",
        source: "manual R2A; encoding notes R2A",
        manual: &[&manual::R2A],
        ..LONG
    },
    Row {
        name: "A2R",
        pattern: long(0x0, 2),
        writes_cc: false,
        slots: &[d(Word(DESTINATION)), s1(Location::Address(ADDRESS))],
        operation: |_| Operation::A2r,
        semantics: "destination = address register",
        source: "manual A2R; encoding notes A2R",
        manual: &[&manual::A2R],
        ..LONG
    },
    Row {
        name: "ADA",
        pattern: long(0xd, 1),
        writes_cc: false,
        slots: &[
            d(Location::Address(ADDRESS_DESTINATION)),
            s1(Location::Address(ADDRESS)),
            s2(Location::Number(ADDRESS_IMMEDIATE)),
        ],
        operation: |_| Operation::Plain(Plain::new("Add", |lane| plain(Width::B32, lane.a.wrapping_add(lane.b)))),
        semantics: "address register = address register + immediate",
        source: "manual ADA; encoding notes ADA",
        manual: &[&manual::ADA],
        ..LONG
    },
    Row {
        name: "C2R",
        pattern: long(0x0, 1),
        writes_cc: false,
        slots: &[d(Word(DESTINATION)), s1(Location::ConditionCode(CONDITION_REGISTER))],
        operation: |_| Operation::C2r,
        semantics: "destination = condition-code register",
        source: "envytools",
        notes: &["The register number shares its bits with the condition's register, so a condition can only test the register that is read."],
        ..LONG
    },
    Row {
        name: "R2C",
        pattern: long(0x0, 5),
        writes_cc: false,
        slots: &[d(Location::ConditionCode(CC_REGISTER)), s1(Word(SOURCE_1))],
        operation: |_| Operation::R2c,
        semantics: "condition-code register = low four bits of source 1",
        source: "envytools",
        notes: &["The write enable, bit 38, is ignored: the instruction always writes."],
        ..LONG
    },
    Row {
        name: "S2R",
        pattern: long(0x0, 3),
        writes_cc: false,
        slots: &[d(Word(DESTINATION)), s1(Location::Special(SPECIAL_REGISTER))],
        operation: |_| Operation::S2r,
        execution: Execution::Only(&[(SPECIAL_REGISTER, &[0, 1, 2, 4, 5, 6, 7])]),
        semantics: "destination = special register",
        source: "envytools",
        notes: &["The event counters do not count and read 0. Registers without a meaning in a kernel (the attribute stride, the sample id) and registers of unknown meaning are illegal instructions."],
        ..LONG
    },
    // Integer arithmetic
    Row {
        name: "I2I",
        pattern: long_any(0xa).and(62, 2, 0),
        suffixes: &[
            Suffix::Names(CONVERT_TO, CONVERT_TO_NAMES),
            Suffix::Names(CONVERT_FROM, CONVERT_FROM_NAMES),
        ],
        slots: &[
            d(LONG_D_WIDE),
            s1(Select(CONVERT_FROM_WIDE, &[LONG_1_HALF, LONG_1_WORD])).marked(SIGN_61),
        ],
        operation: |w| Operation::I2i {
            from: convert_from(CONVERT_FROM.get(w)),
            to: convert_to(CONVERT_TO.get(w)),
            width: width(WIDE, w),
            absolute: bit(ABSOLUTE, w),
            negate: bit(NEGATE_61, w),
        },
        semantics: "source 1 converted: extended from its type, with optional absolute value and negation, clamped to the result's type",
        source: "manual I2I; encoding notes I2I",
        manual: &[&manual::I2I],
        ..LONG
    },
    Row {
        name: "IADD",
        pattern: long(0x2, 0).without_bit_28(),
        suffixes: &[
            Suffix::Carry(ADD_KIND, CONDITION_REGISTER),
            Suffix::Names(SATURATE_59, SATURATE_NAMES),
            Suffix::Names(WIDE, WIDTH_NAMES),
        ],
        slots: &[
            d(LONG_D_WIDE),
            s1(LONG_1_WIDE).marked(ADD_MARKS_1),
            s3(LONG_3_WIDE).marked(ADD_MARKS_3),
        ],
        operation: |w| iadd(ADD_KIND.get(w), CONDITION_REGISTER.get(w), width(WIDE, w), bit(SATURATE_59, w)),
        semantics: "source 1 + source 3; either may be negated, or a carry added",
        source: "manual IADD; encoding notes IADD",
        manual: &[&manual::IADD],
        ..LONG
    },
    Row {
        name: "IADD32",
        pattern: short(0x2).without_bit_28(),
        suffixes: &[
            Suffix::Carry0(ADD_KIND),
            Suffix::Names(SATURATE_8, SATURATE_NAMES),
            Suffix::Names(WIDE_SHORT, WIDTH_NAMES),
        ],
        slots: &[
            d(SHORT_D_WIDE),
            s1(SHORT_1_WIDE).marked(ADD_MARKS_1),
            s3(SHORT_2_WIDE).marked(ADD_MARKS_3),
        ],
        operation: |w| iadd(ADD_KIND.get(w), 0, width(WIDE_SHORT, w), bit(SATURATE_8, w)),
        semantics: "source 1 + source 3; either may be negated, or the carry of C0 added",
        source: "manual IADD32; encoding notes IADD32",
        manual: &[&manual::IADD32],
        ..SHORT
    },
    Row {
        name: "IADD32I",
        pattern: immediate(0x2).without_bit_28(),
        suffixes: &[
            // Not a mark: a minus sign before an immediate belongs to the immediate.
            Suffix::When(ADD_KIND, 1, "SUB"),
            Suffix::Carry0(ADD_KIND),
            Suffix::Names(SATURATE_8, SATURATE_NAMES),
            Suffix::Names(WIDE_SHORT, WIDTH_NAMES),
        ],
        slots: &[
            d(SHORT_D_WIDE),
            s1(SHORT_1_WIDE).marked(ADD_MARKS_1),
            s3(Location::Number(NUMBER)),
        ],
        operation: |w| iadd(ADD_KIND.get(w), 0, width(WIDE_SHORT, w), bit(SATURATE_8, w)),
        semantics: "source 1 + immediate; source 1 may be negated, or the carry of C0 added; .SUB: source 1 - immediate",
        source: "manual IADD32I; encoding notes IADD32I",
        manual: &[&manual::IADD32I],
        ..SHORT
    },
    Row {
        name: "IMUL",
        pattern: long(0x4, 0),
        suffixes: &[Suffix::Names(MUL_KIND, MUL_NAMES)],
        slots: &[
            d(LONG_D_WORD),
            s1(Select(MUL_24, &[LONG_1_HALF, LONG_1_WORD])),
            s2(Select(MUL_24, &[LONG_2_HALF, LONG_2_WORD])),
        ],
        operation: |w| imul(MUL_KIND.get(w)),
        semantics: "source 1 * source 2, 16 by 16 or 24 by 24 bits",
        source: "manual IMUL; encoding notes IMUL",
        manual: &[&manual::IMUL],
        ..LONG
    },
    Row {
        name: "IMUL32",
        pattern: short(0x4),
        suffixes: &[Suffix::Names(MUL_KIND_SHORT, MUL_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(Select(MUL_24_SHORT, &[SHORT_1_HALF, SHORT_1_WORD])),
            s2(Select(MUL_24_SHORT, &[SHORT_2_HALF, SHORT_2_WORD])),
        ],
        operation: |w| imul(MUL_KIND_SHORT.get(w)),
        semantics: "source 1 * source 2, 16 by 16 or 24 by 24 bits",
        source: "manual IMUL32; encoding notes IMUL32",
        manual: &[&manual::IMUL32],
        ..SHORT
    },
    Row {
        name: "IMUL32I",
        pattern: immediate(0x4),
        suffixes: &[Suffix::Names(MUL_KIND_SHORT, MUL_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(Select(MUL_24_SHORT, &[SHORT_1_HALF, SHORT_1_WORD])),
            s2(Location::Number(NUMBER)),
        ],
        operation: |w| imul(MUL_KIND_SHORT.get(w)),
        semantics: "source 1 * immediate, 16 by 16 or 24 by 24 bits",
        source: "manual IMUL32I; encoding notes IMUL32I",
        manual: &[&manual::IMUL32I],
        ..SHORT
    },
    Row {
        name: "IMAD",
        pattern: long_any(0x6),
        suffixes: &[
            Suffix::Carry(MAD_ADD_KIND, CONDITION_REGISTER),
            Suffix::Names(MAD_KIND, MAD_NAMES),
        ],
        slots: &[
            d(LONG_D_WORD),
            s1(Select(
                MAD_KIND,
                &[
                    LONG_1_HALF,
                    LONG_1_HALF,
                    LONG_1_HALF,
                    LONG_1_WORD,
                    LONG_1_WORD,
                    LONG_1_WORD,
                    LONG_1_WORD,
                    LONG_1_WORD,
                ],
            ))
            .marked(MAD_MARKS_1),
            s2(Select(
                MAD_KIND,
                &[
                    MAD_2_HALF, MAD_2_HALF, MAD_2_HALF, MAD_2_WORD, MAD_2_WORD, MAD_2_WORD, MAD_2_WORD, MAD_2_WORD,
                ],
            )),
            s3(MAD_3_WORD).marked(MAD_MARKS_3),
        ],
        operation: |w| imad(product(MAD_KIND.get(w)), MAD_ADD_KIND.get(w), CONDITION_REGISTER.get(w)),
        semantics: "source 1 * source 2 + source 3; a minus at source 1 negates the product",
        source: "manual IMAD; encoding notes IMAD",
        manual: &[&manual::IMAD],
        ..LONG
    },
    Row {
        name: "IMAD",
        pattern: long_any(0x7),
        suffixes: &[
            Suffix::Carry(MAD_ADD_KIND, CONDITION_REGISTER),
            Suffix::Names(MAD_KIND_7, MAD_7_NAMES),
        ],
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(MAD_MARKS_1),
            s2(MAD_2_WORD),
            s3(MAD_3_WORD).marked(MAD_MARKS_3),
        ],
        operation: |w| {
            let product = if MAD_KIND_7.get(w) == 0 { Product::HiSatS24 } else { Product::U24 };
            imad(product, MAD_ADD_KIND.get(w), CONDITION_REGISTER.get(w))
        },
        semantics: "high bits of source 1 * source 2 plus source 3, clamped to the signed range; X1 to X7 are IMAD.U24",
        source: "manual IMAD; encoding notes IMAD; envytools (hardware tests)",
        manual: &[&manual::IMAD],
        notes: &[
            "Sub-opcodes 1 to 7 are not distinguished: each is IMAD.U24. Their names end in the sub-opcode, so the \
                text assembles to the same word.",
        ],
        ..LONG
    },
    Row {
        name: "IMAD32",
        pattern: short(0x6).without_bit_28(),
        suffixes: &[Suffix::Carry0(ADD_KIND), Suffix::Names(MAD_KIND_SHORT, MAD_SHORT_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(Select(
                MAD_KIND_SHORT,
                &[SHORT_1_HALF, SHORT_1_HALF, SHORT_1_HALF, SHORT_1_WORD],
            ))
            .marked(ADD_MARKS_1),
            s2(Select(
                MAD_KIND_SHORT,
                &[SHORT_2_HALF, SHORT_2_HALF, SHORT_2_HALF, SHORT_2_WORD],
            )),
            s3(Word(DESTINATION_6)).marked(ADD_MARKS_3),
        ],
        operation: |w| imad(product(MAD_KIND_SHORT.get(w)), ADD_KIND.get(w), 0),
        semantics: "destination = source 1 * source 2 + destination; a minus at source 1 negates the product",
        source: "manual IMAD32; encoding notes IMAD32",
        manual: &[&manual::IMAD32],
        ..SHORT
    },
    Row {
        name: "IMAD32I",
        pattern: immediate(0x6).without_bit_28(),
        suffixes: &[Suffix::Carry0(ADD_KIND), Suffix::Names(MAD_KIND_SHORT, MAD_SHORT_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(Select(
                MAD_KIND_SHORT,
                &[SHORT_1_HALF, SHORT_1_HALF, SHORT_1_HALF, SHORT_1_WORD],
            ))
            .marked(ADD_MARKS_1),
            s2(Location::Number(NUMBER)),
            s3(Word(DESTINATION_6)).marked(ADD_MARKS_3),
        ],
        operation: |w| imad(product(MAD_KIND_SHORT.get(w)), ADD_KIND.get(w), 0),
        semantics: "destination = source 1 * immediate + destination; a minus at source 1 negates the product",
        source: "manual IMAD32I; encoding notes IMAD32I",
        manual: &[&manual::IMAD32I],
        ..SHORT
    },
    Row {
        name: "ISAD",
        pattern: long(0x5, 0),
        suffixes: &[Suffix::Names(WIDE_SIGNED, WIDE_SIGNED_NAMES)],
        slots: &[d(LONG_D_WORD), s1(LONG_1_WIDE), s2(MAD_2_WIDE), s3(MAD_3_WORD)],
        operation: |w| Operation::Isad {
            width: width(WIDE, w),
            signed: bit(SIGNED_59, w),
        },
        semantics: "source 3 + |source 1 - source 2|",
        source: "envytools",
        ..LONG
    },
    Row {
        name: "ISAD32",
        pattern: short(0x5),
        suffixes: &[Suffix::Names(SAD_SIGNED_SHORT, WIDE_SIGNED_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(Select(WIDE_SHORT, &[Half(SOURCE_1_6), Word(SOURCE_1_6)])),
            s2(Select(WIDE_SHORT, &[Half(SOURCE_2_6), Word(SOURCE_2_6)])),
            s3(Word(DESTINATION_6)),
        ],
        operation: |w| Operation::Isad {
            width: width(WIDE_SHORT, w),
            signed: bit(SIGNED_8, w),
        },
        semantics: "destination = destination + |source 1 - source 2|",
        source: "envytools",
        notes: &["One page of envytools has g[] and c[] operands for it; the decoder of envytools, which this table follows, has only registers."],
        ..SHORT
    },
    Row {
        name: "SHL",
        pattern: long(0x3, 6),
        suffixes: &[Suffix::Names(WIDE, WIDTH_NAMES)],
        slots: &[d(LONG_D_WIDE), s1(LONG_1_WIDE), s2(SHIFT_2)],
        operation: |w| Operation::Shl { width: width(WIDE, w) },
        semantics: "source 1 << source 2; counts equal to or above the width give 0",
        source: "manual SHL; encoding notes SHL/SHR",
        manual: &[&manual::SHIFTS],
        notes: &["A count in a register or c[] has the operation's width."],
        ..LONG
    },
    Row {
        name: "SHR",
        pattern: long(0x3, 7),
        suffixes: &[Suffix::Names(WIDE_SIGNED, WIDE_SIGNED_NAMES)],
        slots: &[d(LONG_D_WIDE), s1(LONG_1_WIDE), s2(SHIFT_2)],
        operation: |w| Operation::Shr {
            width: width(WIDE, w),
            signed: bit(SIGNED_59, w),
        },
        semantics: "source 1 >> source 2; counts equal to or above the width give 0 or copies of the sign bit",
        source: "manual SHR; encoding notes SHL/SHR",
        manual: &[&manual::SHIFTS],
        notes: &["A count in a register or c[] has the operation's width."],
        ..LONG
    },
    Row {
        name: "LOP",
        pattern: long(0xd, 0),
        suffixes: &[Suffix::Names(LOGIC, LOGIC_NAMES), Suffix::Names(WIDE, WIDTH_NAMES)],
        slots: &[
            d(LONG_D_WIDE),
            s1(LONG_1_WIDE).marked(&[(Mark::Invert, INVERT_1, 1)]),
            s2(LONG_2_WIDE).marked(&[(Mark::Invert, INVERT_2, 1)]),
        ],
        operation: |w| Operation::Logic {
            logic: logic(LOGIC.get(w)),
            width: width(WIDE, w),
            invert1: bit(INVERT_1, w),
            invert2: bit(INVERT_2, w),
        },
        semantics: "bitwise logic of source 1 and source 2; each may be inverted",
        source: "manual LOP; encoding notes LOP",
        manual: &[&manual::LOP],
        ..LONG
    },
    Row {
        name: "LOP32I",
        pattern: immediate(0xd),
        suffixes: &[Suffix::Names(LOGIC_SHORT, LOGIC_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(SHORT_1_WORD).marked(&[(Mark::Invert, INVERT_1_SHORT, 1)]),
            s2(Location::Number(NUMBER)),
        ],
        operation: |w| Operation::Logic {
            logic: logic(LOGIC_SHORT.get(w)),
            width: Width::B32,
            invert1: bit(INVERT_1_SHORT, w),
            invert2: false,
        },
        semantics: "bitwise logic of source 1, which may be inverted, and an immediate; 32 bits only",
        source: "envytools",
        ..SHORT
    },
    Row {
        name: "ISET",
        pattern: long(0x3, 3),
        suffixes: &[Suffix::Names(WIDE_SIGNED, WIDE_SIGNED_NAMES)],
        slots: &[
            d(LONG_D_WIDE),
            s1(LONG_1_WIDE),
            s2(LONG_2_WIDE),
            inherent(Location::Named(COMPARE, COMPARE_NAMES)),
        ],
        operation: |w| Operation::Iset {
            order: Order::from_bits(COMPARE.get(w)),
            width: width(WIDE, w),
            signed: bit(SIGNED_59, w),
        },
        semantics: "all ones if the comparison of source 1 with source 2 is true, otherwise 0",
        source: "manual ISET; encoding notes ISET",
        manual: &[&manual::ISET],
        ..LONG
    },
    Row {
        name: "IMAX",
        pattern: long(0x3, 4),
        suffixes: &[Suffix::Names(WIDE_SIGNED, WIDE_SIGNED_NAMES)],
        slots: &[d(LONG_D_WIDE), s1(LONG_1_WIDE), s2(LONG_2_WIDE)],
        operation: |w| Operation::Imax {
            width: width(WIDE, w),
            signed: bit(SIGNED_59, w),
        },
        semantics: "the larger of source 1 and source 2",
        source: "envytools",
        ..LONG
    },
    Row {
        name: "IMIN",
        pattern: long(0x3, 5),
        suffixes: &[Suffix::Names(WIDE_SIGNED, WIDE_SIGNED_NAMES)],
        slots: &[d(LONG_D_WIDE), s1(LONG_1_WIDE), s2(LONG_2_WIDE)],
        operation: |w| Operation::Imin {
            width: width(WIDE, w),
            signed: bit(SIGNED_59, w),
        },
        semantics: "the smaller of source 1 and source 2",
        source: "envytools",
        ..LONG
    },
    // Flow
    Row {
        name: "KIL",
        pattern: control(0x0),
        guard: Guard::Conditional,
        operation: |_| Operation::Kil,
        semantics: "ends the threads whose condition is true",
        source: "envytools (envydis g80, discard)",
        notes: &["In fragment programs it discards fragments; in a compute kernel it ends threads."],
        ..CONTROL
    },
    Row {
        name: "BRA",
        pattern: control(0x1),
        guard: Guard::Conditional,
        slots: &[inherent(Location::Target(TARGET))],
        operation: |w| Operation::Bra { target: byte_target(w) },
        semantics: "branch for the threads whose condition is true",
        source: "manual BRA; encoding notes BRA",
        manual: &[&manual::BRA],
        ..CONTROL
    },
    Row {
        name: "CAL",
        pattern: control(0x2),
        suffixes: &[Suffix::Names(CALL_LIMITED, names!["NOINC", ""])],
        slots: &[inherent(Location::Target(TARGET))],
        operation: |w| Operation::Cal {
            target: byte_target(w),
            limited: bit(CALL_LIMITED, w),
        },
        semantics: "call a subroutine; the condition is ignored",
        source: "manual CAL; encoding notes CAL",
        manual: &[&manual::CAL],
        ..CONTROL
    },
    Row {
        name: "RET",
        pattern: control(0x3),
        guard: Guard::Conditional,
        operation: |_| Operation::Ret,
        semantics: "return from a subroutine, or end of the threads",
        source: "manual RET; encoding notes RET",
        manual: &[&manual::RET],
        ..CONTROL
    },
    Row {
        name: "PBK",
        pattern: control(0x4),
        slots: &[inherent(Location::Target(TARGET))],
        operation: |w| Operation::Pbk { target: byte_target(w) },
        semantics: "push a break address; the condition is ignored",
        source: "envytools",
        notes: &["Other names: prebreak, breakaddr (envytools)."],
        ..CONTROL
    },
    Row {
        name: "BRK",
        pattern: control(0x5),
        guard: Guard::Conditional,
        operation: |_| Operation::Brk,
        semantics: "break to the address that PBK pushed",
        source: "envytools",
        notes: &["Other name: break (envytools)."],
        ..CONTROL
    },
    Row {
        name: "BAR",
        pattern: control(0x8),
        suffixes: &[
            Suffix::Names(ARRIVE, names!["", "ARV"]),
            Suffix::Names(WAIT, names!["", "WAIT"]),
        ],
        slots: &[
            inherent(Location::Barrier(BARRIER)),
            inherent(Location::Number(BARRIER_MASK)),
        ],
        operation: |w| Operation::Bar {
            barrier: BARRIER.get(w) as u8,
            mask: BARRIER_MASK.get(w) as u16,
            arrive: bit(ARRIVE, w),
            wait: bit(WAIT, w),
        },
        semantics: "barrier of the block; the condition is ignored",
        source: "manual BAR; encoding notes BAR",
        manual: &[&manual::BAR],
        notes: &["The usual barrier of a whole block is BAR.ARV.WAIT b0, 0xfff."],
        ..CONTROL
    },
    Row {
        name: "TRAP",
        pattern: control(0x9),
        operation: |_| Operation::Trap,
        semantics: "stops the kernel with an error; the condition is ignored",
        source: "manual TRAP; encoding notes TRAP",
        manual: &[&manual::TRAP],
        ..CONTROL
    },
    Row {
        name: "TRAP32",
        pattern: pattern(Form::Short, 2, 3, 0x9),
        operation: |_| Operation::Trap,
        unit: Unit::Branch,
        semantics: "stops the kernel with an error",
        source: "encoding notes TRAP",
        manual: &[&manual::TRAP],
        ..SHORT
    },
    Row {
        name: "BPT",
        pattern: control(0xb),
        guard: Guard::Conditional,
        operation: |_| Operation::Bpt,
        semantics: "breakpoint for a debugger; an error without a debugger",
        source: "envytools (envydis g80 and its control page, brkpt)",
        since: Capability::V1_1,
        ..CONTROL
    },
    Row {
        name: "BPT32",
        pattern: pattern(Form::Short, 2, 3, 0xb),
        operation: |_| Operation::Bpt,
        unit: Unit::Branch,
        semantics: "breakpoint for a debugger; an error without a debugger",
        source: "envytools (envydis g80, brkpt)",
        since: Capability::V1_1,
        ..SHORT
    },
    Row {
        name: "SSY",
        pattern: control(0xa),
        slots: &[inherent(Location::Target(TARGET))],
        operation: |w| Operation::Ssy { target: byte_target(w) },
        semantics: "push the join point; the condition is ignored",
        source: "manual SSY; encoding notes SSY",
        manual: &[&manual::SSY],
        notes: &["Other name: joinat (envytools)."],
        ..CONTROL
    },
    Row {
        name: "NOP",
        pattern: long(0xf, 7).and(34, 1, 0),
        guard: Guard::Always,
        writes_cc: false,
        operation: |_| Operation::Nop,
        semantics: "nothing except its marker; the condition is ignored",
        source: "manual NOP; encoding notes NOP",
        manual: &[&manual::NOP],
        ..LONG
    },
    Row {
        name: "PMTRIG",
        pattern: long(0xf, 7).and(34, 1, 1),
        guard: Guard::Always,
        writes_cc: false,
        slots: &[inherent(Location::Number(EVENT))],
        operation: |w| Operation::PmTrigger {
            event: EVENT.get(w) as u8,
        },
        semantics: "performance-monitor event; the condition is ignored",
        source: "encoding notes NOP",
        manual: &[&manual::NOP],
        notes: &["Other name: pmevent (envytools)."],
        ..LONG
    },
    // Memory
    Row {
        name: "GLD",
        pattern: long(0xd, 4),
        writes_cc: false,
        suffixes: &[Suffix::Names(MEMORY_ACCESS, MEMORY_NAMES)],
        slots: &[d(Word(DESTINATION)), s1(GLOBAL_1)],
        operation: |w| {
            let (space, access) = memory(w);
            Operation::Gld { space, access }
        },
        unit: Unit::Memory,
        execution: GLOBAL_14,
        semantics: "destination = global memory at source 1",
        source: "manual GLD; encoding notes GLD",
        manual: &[&manual::GLD],
        notes: &["An access of 64 or 128 bits uses two or four consecutive registers from the named one on, as far as they exist; in compiled code the first is a multiple of two or four."],
        ..LONG
    },
    Row {
        name: "GST",
        pattern: long(0xd, 5),
        writes_cc: false,
        suffixes: &[Suffix::Names(MEMORY_ACCESS, MEMORY_NAMES)],
        slots: &[s1(GLOBAL_1), s3(Word(DESTINATION))],
        operation: |w| {
            let (space, access) = memory(w);
            Operation::Gst { space, access }
        },
        unit: Unit::Memory,
        execution: GLOBAL_14,
        semantics: "global memory at source 1 = source 3 (encoded in the destination's bits)",
        source: "manual GST; encoding notes GST",
        manual: &[&manual::GST],
        notes: &["An access of 64 or 128 bits uses two or four consecutive registers from the named one on, as far as they exist; in compiled code the first is a multiple of two or four."],
        ..LONG
    },
    Row {
        name: "LLD",
        pattern: long(0xd, 2),
        writes_cc: false,
        suffixes: &[Suffix::Names(MEMORY_ACCESS, MEMORY_NAMES)],
        slots: &[d(Word(DESTINATION)), s1(LOCAL_1)],
        operation: |w| Operation::Lld { access: memory(w).1 },
        unit: Unit::Memory,
        semantics: "destination = local memory",
        source: "envytools",
        notes: &["An access of 64 or 128 bits uses two or four consecutive registers from the named one on, as far as they exist; in compiled code the first is a multiple of two or four."],
        ..LONG
    },
    Row {
        name: "LST",
        pattern: long(0xd, 3),
        writes_cc: false,
        suffixes: &[Suffix::Names(MEMORY_ACCESS, MEMORY_NAMES)],
        slots: &[s1(LOCAL_1), s3(Word(DESTINATION))],
        operation: |w| Operation::Lst { access: memory(w).1 },
        unit: Unit::Memory,
        semantics: "local memory = source 3 (encoded in the destination's bits)",
        source: "envytools",
        notes: &["An access of 64 or 128 bits uses two or four consecutive registers from the named one on, as far as they exist; in compiled code the first is a multiple of two or four."],
        ..LONG
    },
    // Float
    Row {
        name: "FADD",
        pattern: long_any(0xb).and(62, 2, 0),
        suffixes: &[
            Suffix::Names(SATURATE_61, SATURATE_NAMES),
            Suffix::Names(ROUND_16, ROUND_NEAREST_ZERO_NAMES),
        ],
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(NEGATE_58_MARKS),
            s3(LONG_3_WORD).marked(NEGATE_59_MARKS),
        ],
        operation: |w| Operation::Fadd {
            rounding: Rounding::from_bits(ROUND_16.get(w)),
            saturate: bit(SATURATE_61, w),
            negate1: bit(NEGATE_58, w),
            negate3: bit(NEGATE_59, w),
        },
        unit: Unit::Float,
        semantics: "source 1 + source 3; each may be negated",
        source: "manual FADD; encoding notes FADD",
        manual: &[&manual::FADD],
        ..LONG
    },
    Row {
        name: "FADD32",
        pattern: short(0xb),
        suffixes: &[Suffix::Names(SATURATE_8, SATURATE_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(SHORT_1_WORD).marked(NEGATE_15_MARKS),
            s3(SHORT_2_WORD).marked(NEGATE_22_MARKS),
        ],
        operation: |w| Operation::Fadd {
            rounding: Rounding::Nearest,
            saturate: bit(SATURATE_8, w),
            negate1: bit(NEGATE_15, w),
            negate3: bit(NEGATE_22, w),
        },
        unit: Unit::Float,
        semantics: "source 1 + source 3; each may be negated",
        source: "manual FADD32; encoding notes FADD32",
        manual: &[&manual::FADD32],
        ..SHORT
    },
    Row {
        name: "FADD32I",
        pattern: immediate(0xb),
        suffixes: &[
            Suffix::Names(SATURATE_8, SATURATE_NAMES),
            // Not a mark: a minus sign before an immediate belongs to the immediate.
            Suffix::Names(NEGATE_22, names!["", "NEG"]),
        ],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(SHORT_1_WORD).marked(NEGATE_15_MARKS),
            s3(Location::FloatNumber(NUMBER)),
        ],
        operation: |w| Operation::Fadd {
            rounding: Rounding::Nearest,
            saturate: bit(SATURATE_8, w),
            negate1: bit(NEGATE_15, w),
            negate3: bit(NEGATE_22, w),
        },
        unit: Unit::Float,
        semantics: "source 1 + immediate (.NEG negates the immediate)",
        source: "manual FADD32I; encoding notes FADD32I",
        manual: &[&manual::FADD32I],
        ..SHORT
    },
    FMUL,
    FMUL32,
    FMUL32I,
    Row {
        name: "FMAD",
        pattern: long_any(0xe).and(62, 2, 0),
        suffixes: &[
            Suffix::Names(SATURATE_61, SATURATE_NAMES),
            Suffix::WithoutEffect(&[CONSTANT_2, CONSTANT_3], ROUND_54, ROUND_NAMES),
        ],
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(NEGATE_58_MARKS),
            s2(MAD_2_WORD),
            s3(MAD_3_WORD).marked(NEGATE_59_MARKS),
        ],
        operation: |w| Operation::Fmad {
            saturate: bit(SATURATE_61, w),
            negate_product: bit(NEGATE_58, w),
            negate3: bit(NEGATE_59, w),
        },
        unit: Unit::Float,
        semantics: "source 1 * source 2 + source 3, not fused; a minus at source 1 negates the product",
        source: "manual FMAD32; encoding notes FMAD32",
        manual: &[&manual::FMAD],
        notes: &["Without c[] operands bits 55..54 have the rounding mode of the source program: ptxas sets them for `mad.rm`, `mad.rp` \
            and `mad.rz`. Hardware ignores them (the hardware tests of envytools set them at random), and so does \
            this core: the product is always truncated and the sum rounded to nearest. They are printed and \
            assembled, so every word survives a round trip."],
        ..LONG
    },
    Row {
        name: "FMAD32",
        pattern: short(0xe),
        suffixes: &[Suffix::Names(SATURATE_8, SATURATE_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(SHORT_1_WORD).marked(NEGATE_15_MARKS),
            s2(SHORT_2_WORD),
            s3(Word(DESTINATION_6)).marked(NEGATE_22_MARKS),
        ],
        operation: |w| Operation::Fmad {
            saturate: bit(SATURATE_8, w),
            negate_product: bit(NEGATE_15, w),
            negate3: bit(NEGATE_22, w),
        },
        unit: Unit::Float,
        semantics: "destination = source 1 * source 2 + destination, not fused",
        source: "encoding notes FMAD32; envytools",
        manual: &[&manual::FMAD],
        ..SHORT
    },
    Row {
        name: "FMAD32I",
        pattern: immediate(0xe),
        suffixes: &[Suffix::Names(SATURATE_8, SATURATE_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(SHORT_1_WORD).marked(NEGATE_15_MARKS),
            s2(Location::FloatNumber(NUMBER)),
            s3(Word(DESTINATION_6)).marked(NEGATE_22_MARKS),
        ],
        operation: |w| Operation::Fmad {
            saturate: bit(SATURATE_8, w),
            negate_product: bit(NEGATE_15, w),
            negate3: bit(NEGATE_22, w),
        },
        unit: Unit::Float,
        semantics: "destination = source 1 * immediate + destination, not fused",
        source: "manual FMAD32I; encoding notes FMAD32I",
        manual: &[&manual::FMAD32I],
        ..SHORT
    },
    Row {
        name: "FSET",
        pattern: long(0xb, 3),
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(SIGN_58),
            s2(LONG_2_WORD).marked(SIGN_59),
            inherent(Location::Named(COMPARE_FLOAT, COMPARE_FLOAT_NAMES)),
        ],
        operation: |w| Operation::Fset {
            order: FloatOrder::from_bits(COMPARE_FLOAT.get(w)),
            sign1: sign(ABSOLUTE, NEGATE_58, w),
            sign2: sign(ABSOLUTE_51, NEGATE_59, w),
        },
        unit: Unit::Float,
        semantics: "all ones if the comparison of source 1 with source 2 is true, otherwise 0",
        source: "manual FSET; encoding notes FSET",
        manual: &[&manual::FSET],
        ..LONG
    },
    Row {
        name: "FMAX",
        pattern: long(0xb, 4),
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(SIGN_58),
            s2(LONG_2_WORD).marked(SIGN_59),
        ],
        operation: |w| Operation::Fmax {
            sign1: sign(ABSOLUTE, NEGATE_58, w),
            sign2: sign(ABSOLUTE_51, NEGATE_59, w),
        },
        unit: Unit::Float,
        semantics: "the larger of source 1 and source 2",
        source: "envytools",
        ..LONG
    },
    Row {
        name: "FMIN",
        pattern: long(0xb, 5),
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(SIGN_58),
            s2(LONG_2_WORD).marked(SIGN_59),
        ],
        operation: |w| Operation::Fmin {
            sign1: sign(ABSOLUTE, NEGATE_58, w),
            sign2: sign(ABSOLUTE_51, NEGATE_59, w),
        },
        unit: Unit::Float,
        semantics: "the smaller of source 1 and source 2",
        source: "envytools",
        ..LONG
    },
    Row {
        name: "FSLCT",
        pattern: long_any(0xc).and(62, 2, 1),
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD),
            s2(MAD_2_WORD),
            s3(MAD_3_WORD).marked(&[(Mark::Negate, NEGATE_61, 1)]),
        ],
        operation: |w| Operation::Fslct {
            negate3: bit(NEGATE_61, w),
        },
        unit: Unit::Float,
        semantics: "source 1 if the float source 3 is at least 0, source 2 if it is negative or a NaN; no rounding",
        source: "envytools (envydis g80, slct; its float page, fslct)",
        notes: &["The vendor's list of instructions has a float comparison, FCMP, which is probably this instruction."],
        ..LONG
    },
    Row {
        name: "FSWZ",
        pattern: long(0xc, 4),
        suffixes: &[Suffix::Names(QUAD_THREAD, QUAD_THREAD_NAMES)],
        slots: &[
            d(LONG_D_WORD),
            s1(Word(SOURCE_1)),
            s3(Word(SOURCE_3)),
            inherent(Location::Named(QUAD_0, QUAD_NAMES)),
            inherent(Location::Named(QUAD_1, QUAD_NAMES)),
            inherent(Location::Named(QUAD_2, QUAD_NAMES)),
            inherent(Location::Named(QUAD_3, QUAD_NAMES)),
        ],
        operation: |w| Operation::Fswz {
            thread: (QUAD_THREAD.get(w) < 4).then_some(QUAD_THREAD.get(w) as u8),
            operations: [QUAD_0, QUAD_1, QUAD_2, QUAD_3].map(|field| Quad::from_bits(field.get(w))),
        },
        unit: Unit::Float,
        semantics: "threads in quads: source 1 of one thread (L0 to L3) and source 3 of each thread, added or \
            subtracted according to the thread's operation",
        source: "envytools (envydis g80, quadop; hardware tests, fswz)",
        notes: &[
            "A thread that does not execute still supplies its register's value.",
            "In pixel programs, DX and DY take source 1 of the horizontal or vertical neighbour. In a kernel there is \
                no such exchange, and the result is +0 for every operation.",
            "The vendor's notation for these words is not known; the operands' notation is the project's own.",
        ],
        ..LONG
    },
    Row {
        name: "RRO",
        pattern: long(0xb, 6),
        writes_cc: false,
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(SIGN_58),
            inherent(Location::Named(RRO_KIND, names!["SIN", "EX2"])),
        ],
        operation: |w| Operation::Rro {
            ex2: bit(RRO_KIND, w),
            sign: sign(ABSOLUTE, NEGATE_58, w),
        },
        unit: Unit::Float,
        semantics: "range reduction of source 1 for SIN and COS or for EX2",
        source: "manual RRO; encoding notes RRO",
        manual: &[&manual::RRO],
        ..LONG
    },
    // Conversions
    Row {
        name: "F2F",
        pattern: long_any(0xa).and(62, 2, 3).and(46, 1, 1).and(58, 2, 1),
        suffixes: &[Suffix::Names(SATURATE_51, SATURATE_NAMES), Suffix::Fixed("F32.F32")],
        slots: &[d(LONG_D_WORD), s1(LONG_1_WORD).marked(SIGN_61)],
        operation: |w| f2f(Float::F32, Float::F32, Rounding::Nearest, false, w),
        unit: Unit::Float,
        semantics: "source 1 with optional absolute value, negation and saturation",
        narrowed: WITHOUT_64,
        source: "manual F2F; encoding notes F2F",
        manual: &[&manual::F2F],
        notes: F2F_NOTES,
        ..LONG
    },
    Row {
        name: "F2F",
        pattern: long_any(0xa).and(62, 2, 3).and(46, 1, 1).and(58, 2, 3),
        suffixes: &[
            Suffix::Names(SATURATE_51, SATURATE_NAMES),
            Suffix::Fixed("F32.F32"),
            Suffix::Names(ROUND_INTEGRAL, ROUND_INTEGRAL_NAMES),
        ],
        slots: &[d(LONG_D_WORD), s1(LONG_1_WORD).marked(SIGN_61)],
        operation: |w| f2f(Float::F32, Float::F32, Rounding::from_bits(ROUND_INTEGRAL.get(w)), true, w),
        unit: Unit::Float,
        semantics: "source 1 with optional absolute value, negation and saturation, rounded to an integral value",
        narrowed: WITHOUT_64,
        source: "manual F2F; encoding notes F2F",
        manual: &[&manual::F2F],
        ..LONG
    },
    Row {
        name: "F2I",
        pattern: long_any(0xa).and(62, 2, 2).and(46, 1, 1),
        suffixes: &[
            Suffix::Names(WIDE_SIGNED, F2I_TO_NAMES),
            Suffix::Fixed("F32"),
            Suffix::Names(ROUND_49, ROUND_NAMES),
        ],
        slots: &[d(LONG_D_WIDE), s1(LONG_1_WORD).marked(SIGN_61)],
        operation: |w| f2i(Float::F32, w),
        unit: Unit::Float,
        semantics: "float source 1 as an integer, rounded and clamped",
        narrowed: WITHOUT_64,
        source: "manual F2I; encoding notes F2I",
        manual: &[&manual::F2I],
        ..LONG
    },
    Row {
        name: "I2F",
        pattern: long_any(0xa).and(62, 2, 1).and(58, 1, 1),
        suffixes: &[
            Suffix::Names(SATURATE_51, SATURATE_NAMES),
            Suffix::Fixed("F32"),
            Suffix::Names(CONVERT_FROM, CONVERT_FROM_NAMES),
            Suffix::Names(ROUND_49, ROUND_NAMES),
        ],
        slots: &[
            d(LONG_D_WORD),
            s1(Select(CONVERT_FROM_WIDE, &[LONG_1_HALF, LONG_1_WORD])).marked(SIGN_61),
        ],
        operation: |w| i2f(Float::F32, w),
        unit: Unit::Float,
        semantics: "integer source 1 as a float, with optional absolute value and negation; SAT clamps to [+0, 1]",
        narrowed: WITHOUT_64,
        source: "manual I2F; encoding notes I2F; envytools",
        manual: &[&manual::I2F],
        ..LONG
    },
    Row {
        name: "F2F",
        pattern: long_any(0xa).and(62, 2, 3).and(46, 1, 0).and(58, 2, 0),
        suffixes: &[Suffix::Names(SATURATE_51, SATURATE_NAMES), Suffix::Fixed("F16.F16")],
        slots: &[d(LONG_D_HALF), s1(LONG_1_HALF).marked(SIGN_61)],
        operation: |w| f2f(Float::F16, Float::F16, Rounding::Nearest, false, w),
        semantics: "half-precision source 1 with optional absolute value, negation and saturation",
        notes: F2F_NOTES,
        ..F16
    },
    Row {
        name: "F2F",
        pattern: long_any(0xa).and(62, 2, 3).and(46, 1, 0).and(58, 2, 2),
        suffixes: &[
            Suffix::Names(SATURATE_51, SATURATE_NAMES),
            Suffix::Fixed("F16.F16"),
            Suffix::Names(ROUND_INTEGRAL, ROUND_INTEGRAL_NAMES),
        ],
        slots: &[d(LONG_D_HALF), s1(LONG_1_HALF).marked(SIGN_61)],
        operation: |w| f2f(Float::F16, Float::F16, Rounding::from_bits(ROUND_INTEGRAL.get(w)), true, w),
        semantics: "half-precision source 1 with optional absolute value, negation and saturation, rounded to an integral value",
        ..F16
    },
    Row {
        name: "F2F",
        pattern: long_any(0xa).and(62, 2, 3).and(46, 1, 1).and(58, 1, 0),
        suffixes: &[
            Suffix::Names(SATURATE_51, SATURATE_NAMES),
            Suffix::Fixed("F16.F32"),
            Suffix::Names(ROUND_HALF, ROUND_HALF_NAMES),
        ],
        slots: &[d(LONG_D_HALF), s1(LONG_1_WORD).marked(SIGN_61)],
        operation: |w| f2f(Float::F32, Float::F16, Rounding::from_bits(ROUND_49.get(w)), bit(INTEGRAL, w), w),
        semantics: "float source 1 with optional absolute value, negation and saturation, rounded to half precision; INT: rounded to an integral value, then truncated",
        notes: &["With INT the integer is truncated to the eleven significant bits of a half: 65535 becomes 65504; \
            from 65536 on the result is an infinity, or 65504 if the mode rounds its sign toward zero."],
        ..F16
    },
    Row {
        name: "F2F",
        pattern: long_any(0xa).and(62, 2, 3).and(46, 1, 0).and(58, 2, 1),
        suffixes: &[Suffix::Names(SATURATE_51, SATURATE_NAMES), Suffix::Fixed("F32.F16")],
        slots: &[d(LONG_D_WORD), s1(LONG_1_HALF).marked(SIGN_61)],
        operation: |w| f2f(Float::F16, Float::F32, Rounding::Nearest, false, w),
        semantics: "half-precision source 1 as a float (exact), with optional absolute value, negation and saturation",
        notes: F2F_NOTES,
        ..F16
    },
    Row {
        name: "F2F",
        pattern: long_any(0xa).and(62, 2, 3).and(46, 1, 0).and(58, 2, 3),
        suffixes: &[
            Suffix::Names(SATURATE_51, SATURATE_NAMES),
            Suffix::Fixed("F32.F16"),
            Suffix::Names(ROUND_INTEGRAL, ROUND_INTEGRAL_NAMES),
        ],
        slots: &[d(LONG_D_WORD), s1(LONG_1_HALF).marked(SIGN_61)],
        operation: |w| f2f(Float::F16, Float::F32, Rounding::from_bits(ROUND_INTEGRAL.get(w)), true, w),
        semantics: "half-precision source 1 as a float with optional absolute value, negation and saturation, rounded to an integral value",
        ..F16
    },
    Row {
        name: "F2I",
        pattern: long_any(0xa).and(62, 2, 2).and(46, 1, 0),
        suffixes: &[
            Suffix::Names(WIDE_SIGNED, F2I_TO_NAMES),
            Suffix::Fixed("F16"),
            Suffix::Names(ROUND_49, ROUND_NAMES),
        ],
        slots: &[d(LONG_D_WIDE), s1(LONG_1_HALF).marked(SIGN_61)],
        operation: |w| f2i(Float::F16, w),
        semantics: "half-precision source 1 as an integer, rounded and clamped",
        ..F16
    },
    Row {
        name: "I2F",
        pattern: long_any(0xa).and(62, 2, 1).and(58, 1, 0),
        suffixes: &[
            Suffix::Names(SATURATE_51, SATURATE_NAMES),
            Suffix::Fixed("F16"),
            Suffix::Names(CONVERT_FROM, CONVERT_FROM_NAMES),
            Suffix::Names(ROUND_49, ROUND_NAMES),
        ],
        slots: &[
            d(LONG_D_HALF),
            s1(Select(CONVERT_FROM_WIDE, &[LONG_1_HALF, LONG_1_WORD])).marked(SIGN_61),
        ],
        operation: |w| i2f(Float::F16, w),
        semantics: "integer source 1 in half precision, with optional absolute value and negation; SAT clamps to [+0, 1]",
        ..F16
    },
    // Special functions
    Row {
        name: "RCP",
        pattern: long(0x9, 0),
        operation: |w| special(SpecialFunction::Reciprocal, w),
        semantics: "1 / source 1",
        source: "manual RCP; encoding notes RCP",
        manual: &[&manual::RCP],
        ..SPECIAL
    },
    Row {
        name: "RCP32",
        pattern: short(0x9),
        slots: &[
            d(Word(DESTINATION_6)),
            s1(Word(SOURCE_1_6)).marked(&[(Mark::Negate, NEGATE_22, 1), (Mark::Absolute, ABSOLUTE_15, 1)]),
        ],
        operation: |w| Operation::Special {
            function: SpecialFunction::Reciprocal,
            sign: sign(ABSOLUTE_15, NEGATE_22, w),
            saturate: false,
        },
        unit: Unit::SpecialFunction,
        semantics: "1 / source 1",
        source: "manual RCP32; encoding notes RCP32",
        manual: &[&manual::RCP32],
        ..SHORT
    },
    Row {
        name: "RSQ",
        pattern: long(0x9, 2),
        operation: |w| special(SpecialFunction::ReciprocalRoot, w),
        semantics: "1 / square root of source 1",
        source: "manual RSQ; encoding notes RSQ",
        manual: &[&manual::RSQ],
        ..SPECIAL
    },
    Row {
        name: "LG2",
        pattern: long(0x9, 3),
        operation: |w| special(SpecialFunction::Logarithm, w),
        semantics: "logarithm of source 1 to base 2",
        source: "manual LG2; encoding notes LG2",
        manual: &[&manual::LG2],
        ..SPECIAL
    },
    Row {
        name: "SIN",
        pattern: long(0x9, 4),
        slots: &[d(LONG_D_WORD), s1(Word(SOURCE_1))],
        operation: |_| Operation::Special {
            function: SpecialFunction::Sine,
            sign: Sign::default(),
            saturate: false,
        },
        semantics: "sine of the range-reduced source 1",
        source: "manual SIN; encoding notes SIN",
        manual: &[&manual::SIN],
        notes: &["The source comes from RRO.SIN."],
        ..SPECIAL
    },
    Row {
        name: "COS",
        pattern: long(0x9, 5),
        slots: &[d(LONG_D_WORD), s1(Word(SOURCE_1))],
        operation: |_| Operation::Special {
            function: SpecialFunction::Cosine,
            sign: Sign::default(),
            saturate: false,
        },
        semantics: "cosine of the range-reduced source 1",
        source: "manual COS; encoding notes COS",
        manual: &[&manual::COS],
        notes: &["The source comes from RRO.SIN."],
        ..SPECIAL
    },
    Row {
        name: "EX2",
        pattern: long(0x9, 6),
        suffixes: &[Suffix::Names(SATURATE_59, SATURATE_NAMES)],
        slots: &[d(LONG_D_WORD), s1(Word(SOURCE_1))],
        operation: |w| Operation::Special {
            function: SpecialFunction::Power,
            sign: Sign::default(),
            saturate: bit(SATURATE_59, w),
        },
        semantics: "2 to the power of the range-reduced source 1",
        source: "manual EX2; encoding notes EX2",
        manual: &[&manual::EX2],
        notes: &["The source comes from RRO.EX2."],
        ..SPECIAL
    },
    // Textures
    Row {
        pattern: long(0xf, 0).and(60, 1, 0).and(24, 1, 0).and(27, 1, 0),
        operation: |w| texture(TextureKind::Sample, false, w),
        semantics: "components of the texture at the coordinates in the source registers: x, y, z (as many as the \
            texture has), array index, reference depth",
        ..TEX
    },
    Row {
        pattern: long(0xf, 0).and(60, 1, 0).and(24, 1, 0).and(27, 1, 1),
        suffixes: &[Suffix::Fixed("CUBE"), TEX_LIVE, TEX_DERIVATIVES],
        slots: TEX_CUBE_SLOTS,
        operation: |w| texture(TextureKind::Sample, true, w),
        semantics: "components of the cube map in the direction given by the source registers",
        ..TEX
    },
    Row {
        pattern: long(0xf, 1).and(60, 1, 0).and(27, 1, 0),
        suffixes: &[Suffix::Fixed("LB"), TEX_LIVE, TEX_DERIVATIVES],
        operation: |w| texture(TextureKind::SampleBias, false, w),
        semantics: "like TEX, with an additional source that is added to the level of detail, equal in all threads of \
            a quad",
        ..TEX
    },
    Row {
        pattern: long(0xf, 1).and(60, 1, 0).and(27, 1, 1),
        suffixes: &[Suffix::Fixed("LB"), Suffix::Fixed("CUBE"), TEX_LIVE, TEX_DERIVATIVES],
        slots: TEX_CUBE_SLOTS,
        operation: |w| texture(TextureKind::SampleBias, true, w),
        semantics: "like TEX.CUBE, with an additional source that is added to the level of detail",
        ..TEX
    },
    Row {
        pattern: long(0xf, 2).and(60, 1, 0).and(27, 1, 0),
        suffixes: &[Suffix::Fixed("LL"), TEX_LIVE, TEX_DERIVATIVES],
        operation: |w| texture(TextureKind::SampleLevel, false, w),
        semantics: "like TEX, with an additional source for the level of detail, equal in all threads of a quad",
        ..TEX
    },
    Row {
        pattern: long(0xf, 2).and(60, 1, 0).and(27, 1, 1),
        suffixes: &[Suffix::Fixed("LL"), Suffix::Fixed("CUBE"), TEX_LIVE, TEX_DERIVATIVES],
        slots: TEX_CUBE_SLOTS,
        operation: |w| texture(TextureKind::SampleLevel, true, w),
        semantics: "like TEX.CUBE, with an additional source for the level of detail",
        ..TEX
    },
    Row {
        name: "TEX32",
        pattern: short(0xf).and(24, 1, 0),
        operation: |w| texture_short(TextureKind::Sample, w),
        semantics: "all four components of the texture at the coordinates in the source registers",
        ..TEX32
    },
    Row {
        name: "TLD",
        pattern: long(0xf, 0).and(60, 1, 0).and(24, 1, 1),
        operation: |w| texture(TextureKind::Fetch, false, w),
        semantics: "components of one texel; the sources are integers: x, y, z, array index, level of detail",
        ..TEX
    },
    Row {
        name: "TLD32",
        pattern: short(0xf).and(24, 1, 1),
        operation: |w| texture_short(TextureKind::Fetch, w),
        semantics: "all four components of one texel; the sources are integers",
        ..TEX32
    },
    Row {
        name: "TXQ",
        pattern: long(0xf, 3).and(60, 1, 0).and(48, 4, 0),
        slots: &[TEX_RESULT, TEX_COMPONENTS, TEX_FIRST_COORDINATE, TEX_TEXTURE, TEX_SAMPLER],
        operation: |w| texture(TextureKind::Size, false, w),
        semantics: "width, height, depth and number of levels of the texture, as integers; the source is an integer \
            level of detail",
        ..TEX
    },
];

/// Contents of the special registers, by number: name and meaning. The meaning of the others is unknown.
pub const SPECIAL_REGISTERS: &[(&str, &str)] = &[
    (
        "physical id",
        "location of the thread: bits 7..0 thread of the warp, 15..8 warp, 19..16 multiprocessor, 23..20 cluster",
    ),
    ("clock", "the multiprocessor's cycle counter"),
    ("", "0 on all known chips"),
    (
        "attribute stride",
        "distance of a vertex's attributes, for geometry programs",
    ),
    ("event counter 0", "first counter of the performance monitor"),
    ("event counter 1", "second counter of the performance monitor"),
    ("event counter 2", "third counter of the performance monitor"),
    ("event counter 3", "fourth counter of the performance monitor"),
    ("sample id", "sample of a pixel, for fragment programs; since 1.2"),
];
