//! The rows that compute capabilities 1.1 to 1.3 add to [`super::ROWS`]. The sources are the public decoder, tests and
//! documentation of the envytools project, and the output of NVIDIA's tools.

use super::capability::Capability;
use super::field::Field;
use super::fields::*;
use super::parts::*;
use super::pattern::{control, long, long_any};
use super::row::*;
use super::slot::*;
use crate::operation::*;

use Location::{Discard, Half, Nothing, Pair, Select, Word};

// ---- Parts ------------------------------------------------------------------------------------------------------

const LONG_D_PAIR: Location = Select(OUTPUT, &[Pair(DESTINATION), Discard(DESTINATION)]);

const fn names_of(operations: Operations) -> [Option<&'static str>; 16] {
    let names = [
        "IADD", "EXCH", "CAS", "", "INC", "DEC", "IMAX", "IMIN", "", "", "IAND", "IOR", "IXOR", "", "", "",
    ];
    let mut found = [None; 16];
    let mut number = 0;
    while number < 16 {
        if operations[number] {
            found[number] = Some(names[number]);
        }
        number += 1;
    }
    found
}
const WORD_NAMES: [Option<&str>; 16] = names_of(OF_WORD);
const SIGNED_NAMES: [Option<&str>; 16] = names_of(OF_SIGNED);
const LONG_NAMES: [Option<&str>; 16] = names_of(OF_LONG);
const REDUCTION_NAMES: [Option<&str>; 16] = names_of(OF_REDUCTION);
const LONG_REDUCTION_NAMES: [Option<&str>; 16] = names_of(OF_LONG_REDUCTION);
const LONG_TYPES: &[&str] = &["S64", "U64", "B64"];

/// Operand c by the operation's number: only compare and swap has it.
const fn operand_c(location: Location) -> [Location; 16] {
    let mut locations = [Nothing; 16];
    locations[2] = location;
    locations
}
const OPERAND_C: [Location; 16] = operand_c(Word(SOURCE_3));
const OPERAND_C_64: [Location; 16] = operand_c(Pair(SOURCE_3));

/// The operation of a word on 32 bits. The rows name only operations that exist.
fn atomic(space: Field, signed: bool, word: u64) -> Operation {
    Operation::Atomic {
        space: space.get(word) as u8,
        atomic: Atomic::Word(Atomic32::from_bits(ATOMIC.get(word), signed).unwrap_or(Atomic32::Add)),
    }
}
fn long_atomic(space: Field, word: u64) -> Operation {
    Operation::Atomic {
        space: space.get(word) as u8,
        atomic: Atomic::Long(Atomic64::from_bits(ATOMIC.get(word)).unwrap_or(Atomic64::Add)),
    }
}
fn rounding(field: Field, word: u64) -> Rounding {
    Rounding::from_bits(field.get(word))
}
fn to_integer(double: bool, to: WideInteger, word: u64) -> Operation {
    Operation::Double(Double::ToInteger {
        double,
        to,
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding: rounding(ROUND_49, word),
    })
}
fn from_integer(double: bool, from: WideInteger, word: u64) -> Operation {
    Operation::Double(Double::FromInteger {
        double,
        from,
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding: rounding(ROUND_49, word),
    })
}

const GATOM: Row = Row {
    name: "GATOM",
    writes_cc: false,
    unit: Unit::Memory,
    execution: Execution::Only(&[(GLOBAL_SPACE_23, &[14])]),
    semantics: "memory = the operation of memory, b (source 2) and c (source 3); destination = the old value",
    source: "envytools (envydis g80; hardware tests, atom32, atom64)",
    since: Capability::V1_1,
    notes: ATOMIC_NOTES,
    ..LONG
};
const GRED: Row = Row {
    name: "GRED",
    pattern: long(0xd, 6),
    execution: Execution::Only(&[(GLOBAL_SPACE, &[14])]),
    semantics: "memory = the operation of memory and b (source 2)",
    ..GATOM
};
const GLOBAL_23: Location = Location::Global(GLOBAL_SPACE_23, SOURCE_1);
const ATOMIC_NOTES: &[&str] = &[
    "The threads of the execution mask are served one after another in lane order, also at one address: each sees what \
        the thread before it has stored. Each thread's step is indivisible for all threads of all multiprocessors.",
    "There are no atomic operations on floats, on 8 or 16 bits, on local memory, or on shared memory (see G2R.LCK).",
];

const fn g2r(offset: Field, access: Access) -> Location {
    shared_of(offset, access, INDIRECT)
}
const G2R: Row = Row {
    name: "G2R",
    writes_cc: false,
    suffixes: &[Suffix::Names(WIDE, WIDTH_NAMES)],
    operation: |w| Operation::G2r { width: width(WIDE, w) },
    semantics: "destination = shared memory",
    source: "envytools (envydis g80); a kernel of ptxas",
    since: Capability::V1_1,
    notes: &["The g[] operand of other instructions reaches 32 elements; this one has an offset of 14 to 16 bits."],
    ..LONG
};

/// A double-precision operation. Bits 23, 24 and 53 would make operands constants or shared memory; no chip is known to
/// do that.
const fn double(subop: u64) -> super::pattern::Pattern {
    long(0xe, subop).and(23, 2, 0).and(53, 1, 0)
}
const DOUBLE: Row = Row {
    unit: Unit::Double,
    source: "envytools (envydis g80; hardware tests, fp64)",
    since: Capability::V1_3,
    notes: DOUBLE_NOTES,
    ..LONG
};
const DOUBLE_NOTES: &[&str] = &[
    "A double is in two registers, the low word in the first, whose number is even. Denormals are operands and results; \
        a NaN operand is the result, quiet, with its sign and payload.",
];
const MIN_MAX_SLOTS: &[Slot] = &[
    d(LONG_D_PAIR),
    s1(Pair(SOURCE_1)).marked(SIGN_58),
    s2(Pair(SOURCE_2)).marked(SIGN_59),
];

/// A conversion with a 64-bit source or result: bit 46 is the source's width, bit 58 the result's.
const fn conversion(subop: u64, wide_source: u64, wide_result: u64) -> super::pattern::Pattern {
    let pattern = long_any(0xa).and(62, 2, subop).and(54, 1, 1).and(58, 1, wide_result);
    match (subop, wide_source) {
        // I2F with a 32-bit source and F2F, F2I with a float32 may have it in s[].
        (_, 0) => pattern.and(46, 1, 0),
        _ => pattern.and(46, 1, 1).and(53, 1, 0),
    }
}
const CONVERSION_NOTE: &str =
    "A double or a 64-bit integer is in two registers, the low word in the first, whose number is even. Up to 1.2 these words \
        are conversions of 32 bits: bit 54 is ignored there.";
const CONVERSION: Row = Row {
    notes: &[CONVERSION_NOTE],
    ..DOUBLE
};
const WIDE_SOURCE: Slot = s1(Pair(SOURCE_1)).marked(SIGN_61);
const NARROW_SOURCE: Slot = s1(LONG_1_WORD).marked(SIGN_61);
const ROUNDED: Suffix = Suffix::Names(ROUND_49, ROUND_NAMES);
const TO_INTEGER: &str = "float source 1 as an integer, rounded and clamped; a NaN gives the top bit alone";
const FROM_INTEGER: &str = "integer source 1 as a float, with optional absolute value and negation";
const F2I_NOTES: &[&str] = &[
    "The condition code has O if the value was clamped or is a NaN, except for 2^64 or more in U64.",
    CONVERSION_NOTE,
];
const F2I: Row = Row {
    name: "F2I",
    semantics: TO_INTEGER,
    notes: F2I_NOTES,
    ..CONVERSION
};
const I2F: Row = Row {
    name: "I2F",
    semantics: FROM_INTEGER,
    ..CONVERSION
};

const SATURATED_NOTES: &[&str] =
    &["SAT clamps the rounded product to [+0, 1]; a NaN stays a NaN. Below 1.2 it has no effect."];

/// A product of up to 1.1 as a product that saturates.
const fn saturating(row: Row) -> Row {
    Row {
        source: "envytools (hardware tests, fp)",
        since: Capability::V1_2,
        until: Capability::V1_3,
        manual: &[],
        notes: SATURATED_NOTES,
        ..row
    }
}

/// Instructions of Direct3D 10.1, which only 1.2 has.
const TEX_10_1: Row = Row {
    since: Capability::V1_2,
    until: Capability::V1_2,
    ..TEX
};

// ---- The rows ---------------------------------------------------------------------------------------------------

/// The instructions that capabilities 1.1 to 1.3 add. At each capability, a word matches at most one row of these and
/// of [`super::ROWS`].
pub static LATER_ROWS: &[Row] = &[
    // 1.1: atomic operations on global memory, loads from shared memory
    Row {
        pattern: long(0xd, 7).and(53, 3, 6),
        suffixes: &[Suffix::Names(ATOMIC, &WORD_NAMES), Suffix::Fixed("U32")],
        slots: &[d(Word(DESTINATION)), s1(GLOBAL_23), s2(Word(SOURCE_2)), s3(Select(ATOMIC, &OPERAND_C))],
        operation: |w| atomic(GLOBAL_SPACE_23, false, w),
        ..GATOM
    },
    Row {
        pattern: long(0xd, 7).and(53, 3, 7),
        suffixes: &[Suffix::Names(SIGNED_ATOMIC, &SIGNED_NAMES), Suffix::Fixed("S32")],
        slots: &[d(Word(DESTINATION)), s1(GLOBAL_23), s2(Word(SOURCE_2))],
        operation: |w| atomic(GLOBAL_SPACE_23, true, w),
        ..GATOM
    },
    Row {
        pattern: long(0xd, 6).and(53, 3, 6),
        suffixes: &[Suffix::Names(REDUCTION, &REDUCTION_NAMES), Suffix::Fixed("U32")],
        slots: &[s1(GLOBAL_1), s2(Word(DESTINATION))],
        operation: |w| atomic(GLOBAL_SPACE, false, w),
        ..GRED
    },
    Row {
        pattern: long(0xd, 6).and(53, 3, 7),
        suffixes: &[Suffix::Names(SIGNED_ATOMIC, &SIGNED_NAMES), Suffix::Fixed("S32")],
        slots: &[s1(GLOBAL_1), s2(Word(DESTINATION))],
        operation: |w| atomic(GLOBAL_SPACE, true, w),
        ..GRED
    },
    Row {
        pattern: long(0x1, 2).and(46, 2, 0),
        slots: &[d(LONG_D_WIDE), s1(g2r(WIDE_OFFSET_8, Access::U8))],
        ..G2R
    },
    Row {
        pattern: long(0x1, 2).and(46, 2, 1),
        slots: &[d(LONG_D_WIDE), s1(g2r(WIDE_OFFSET_16, Access::U16))],
        ..G2R
    },
    Row {
        pattern: long(0x1, 2).and(46, 2, 2),
        slots: &[d(LONG_D_WIDE), s1(g2r(WIDE_OFFSET_16, Access::S16))],
        ..G2R
    },
    Row {
        pattern: long(0x1, 2).and(46, 2, 3).and(55, 1, 0),
        slots: &[d(LONG_D_WIDE), s1(g2r(WIDE_OFFSET_32, Access::B32))],
        ..G2R
    },
    // 1.2: atomic operations of 64 bits, locks of shared memory, votes, products that saturate
    Row {
        pattern: long(0xd, 7).and(53, 3, 4),
        suffixes: &[Suffix::Names(LONG_ATOMIC, &LONG_NAMES), Suffix::Alias(LONG_TYPES)],
        slots: &[d(Pair(DESTINATION)), s1(GLOBAL_23), s2(Pair(SOURCE_2)), s3(Select(LONG_ATOMIC, &OPERAND_C_64))],
        operation: |w| long_atomic(GLOBAL_SPACE_23, w),
        since: Capability::V1_2,
        ..GATOM
    },
    Row {
        pattern: long(0xd, 6).and(53, 3, 4),
        suffixes: &[Suffix::Names(LONG_REDUCTION, &LONG_REDUCTION_NAMES), Suffix::Alias(LONG_TYPES)],
        slots: &[s1(GLOBAL_1), s2(Pair(DESTINATION))],
        operation: |w| long_atomic(GLOBAL_SPACE, w),
        since: Capability::V1_2,
        ..GRED
    },
    Row {
        pattern: long(0x1, 2).and(46, 2, 3).and(55, 1, 1),
        suffixes: &[Suffix::Fixed("LCK"), Suffix::Names(WIDE, WIDTH_NAMES), Suffix::Code(CC_REGISTER)],
        slots: &[d(LONG_D_WIDE), s1(g2r(WIDE_OFFSET_32, Access::B32))],
        operation: |w| Operation::G2rLock { width: width(WIDE, w) },
        semantics: "locks the word in shared memory for one thread: destination = the word, code S; for all others the code is Z",
        source: "envytools (envydis g80; its ISA and data pages); NVIDIA's list of instructions; Mesa",
        since: Capability::V1_2,
        notes: &[
            "At most one thread of a warp gets a lock: the lowest one whose word is not locked, if the warp holds no lock yet. \
                R2G.UNL and the end of the warp release it. Other loads and stores ignore locks.",
            "Atomic operations on shared memory are loops: try to lock; the thread that has the lock computes, stores and \
                unlocks; all others branch back. The unlocking store must precede the branch.",
        ],
        ..G2R
    },
    Row {
        name: "R2G",
        pattern: long(0x0, 7).and(54, 2, 2).and(58, 1, 1),
        writes_cc: false,
        suffixes: &[Suffix::Fixed("UNL"), Suffix::Names(R2G_WORD, names!["U16.U32", "U32.U32"])],
        slots: &[s1(shared_store(WIDE_OFFSET_32, Access::B32)), s3(Select(R2G_WORD, &[Half(SOURCE_3), Word(SOURCE_3)]))],
        operation: |_| Operation::R2gUnlock,
        semantics: "shared memory = source 3; the word is unlocked if this warp has locked it",
        source: "envytools (envydis g80); NVIDIA's list of instructions",
        since: Capability::V1_2,
        notes: &["Up to 1.1 bit 55 is ignored, and the word is an ordinary R2G."],
        ..LONG
    },
    Row {
        name: "VOTE",
        pattern: long(0x1, 3),
        guard: Guard::Always,
        writes_cc: false,
        suffixes: &[Suffix::Names(VOTE, names![_, "ANY", "ALL", _])],
        slots: &[
            d(Location::ConditionCode(CC_REGISTER)),
            inherent(Location::Condition(CONDITION_REGISTER, CONDITION)),
        ],
        operation: |w| Operation::Vote {
            all: VOTE.get(w) == 2,
            condition: Predicate {
                register: CONDITION_REGISTER.get(w) as u8,
                // The word's decoding has checked that it is defined.
                condition: Condition::from_code(CONDITION.get(w)).unwrap_or(Condition::True),
            },
        },
        unit: Unit::Branch,
        semantics: "code = S in all active threads if the condition holds for any, or all, of them, else Z",
        source: "envytools (envydis g80; its ISA page)",
        since: Capability::V1_2,
        notes: &[
            "The condition is an operand: all active threads take part. Threads that have ended, returned or broken out, or \
                that wait on the divergence stack, do not.",
            "Only the mnemonic is known from the vendor's tool; the operands' notation is the project's own.",
        ],
        ..LONG
    },
    Row {
        operation: |w| fmul(rounding(ROUND_46, w), bit(SATURATE_52, w), [NEGATE_58, NEGATE_59], w),
        semantics: "source 1 * source 2, which may saturate; each may be negated",
        ..saturating(FMUL)
    },
    Row {
        operation: |w| fmul(Rounding::Nearest, bit(SATURATE_8, w), [NEGATE_15, NEGATE_22], w),
        semantics: "source 1 * source 2, which may saturate; each may be negated",
        ..saturating(FMUL32)
    },
    Row {
        operation: |w| fmul(Rounding::Nearest, bit(SATURATE_8, w), [NEGATE_15, NEGATE_22], w),
        semantics: "source 1 * immediate, which may saturate (.NEG negates the immediate)",
        ..saturating(FMUL32I)
    },
    Row {
        name: "BRX",
        pattern: control(0xc),
        suffixes: &[Suffix::Names(CALL_LIMITED, names!["NOINC", ""])],
        slots: &[s1(constant_of(BANK, WIDE_OFFSET_8, Access::U8, Some(INDIRECT)))],
        operation: |w| Operation::BranchIndexed {
            limited: bit(CALL_LIMITED, w),
        },
        execution: Execution::NotYet,
        semantics: "branch to the address in constant memory; the condition is ignored",
        source: "envytools (envydis g80); NVIDIA's list of instructions",
        since: Capability::V1_2,
        notes: &["The offset is in bytes. No word of it is known from a compiler."],
        ..CONTROL
    },
    Row {
        name: "PRERET",
        pattern: control(0xd),
        suffixes: &[Suffix::Names(CALL_LIMITED, names!["NOINC", ""])],
        slots: &[inherent(Location::Target(TARGET))],
        operation: |w| Operation::PreReturn {
            target: byte_target(w),
            limited: bit(CALL_LIMITED, w),
        },
        execution: Execution::NotYet,
        semantics: "push a call entry that returns to the target; the condition is ignored",
        source: "envytools (envydis g80); Mesa",
        since: Capability::V1_2,
        notes: &["No word of it is known from a compiler of the vendor."],
        ..CONTROL
    },
    Row {
        name: "TEXPREP",
        pattern: long(0xf, 3).and(60, 1, 0).and(48, 4, 1).and(27, 1, 1),
        suffixes: &[Suffix::Fixed("CUBE"), TEX_LIVE, TEX_DERIVATIVES],
        slots: TEX_CUBE_SLOTS,
        operation: |w| texture(TextureKind::Prepare, true, w),
        semantics: "coordinates for a cube map's array",
        ..TEX_10_1
    },
    Row {
        name: "TMML",
        pattern: long(0xf, 3).and(60, 1, 0).and(48, 4, 2),
        slots: TEX_CUBE_SLOTS,
        operation: |w| texture(TextureKind::Level, false, w),
        semantics: "the level of detail that TEX would use, as fixed-point numbers in x and y",
        ..TEX_10_1
    },
    Row {
        name: "TLD4",
        pattern: long(0xf, 4).and(60, 1, 0).and(24, 1, 1).and(27, 1, 0),
        operation: |w| texture(TextureKind::Gather, false, w),
        semantics: "one component of the four texels around the coordinates",
        ..TEX_10_1
    },
    Row {
        name: "TLD4",
        pattern: long(0xf, 4).and(60, 1, 0).and(24, 1, 1).and(27, 1, 1),
        suffixes: &[Suffix::Fixed("CUBE"), TEX_LIVE, TEX_DERIVATIVES],
        slots: TEX_CUBE_SLOTS,
        operation: |w| texture(TextureKind::Gather, true, w),
        semantics: "one component of the four texels around the coordinates of a cube map",
        ..TEX_10_1
    },
    // 1.3: double precision
    Row {
        name: "DFMA",
        pattern: double(2),
        suffixes: &[Suffix::Names(ROUND_DFMA, ROUND_NAMES)],
        slots: &[
            d(LONG_D_PAIR),
            s1(Pair(SOURCE_1)).marked(NEGATE_58_MARKS),
            s2(Pair(SOURCE_2)),
            s3(Pair(SOURCE_3)).marked(NEGATE_59_MARKS),
        ],
        operation: |w| {
            Operation::Double(Double::Fma {
                rounding: rounding(ROUND_DFMA, w),
                negate_product: bit(NEGATE_58, w),
                negate3: bit(NEGATE_59, w),
            })
        },
        semantics: "source 1 * source 2 + source 3, rounded once; a minus at source 1 negates the product",
        ..DOUBLE
    },
    Row {
        name: "DADD",
        pattern: double(3),
        suffixes: &[Suffix::Names(ROUND_DADD, ROUND_NAMES)],
        slots: &[
            d(LONG_D_PAIR),
            s1(Pair(SOURCE_1)).marked(NEGATE_58_MARKS),
            s3(Pair(SOURCE_3)).marked(NEGATE_59_MARKS),
        ],
        operation: |w| {
            Operation::Double(Double::Add {
                rounding: rounding(ROUND_DADD, w),
                negate1: bit(NEGATE_58, w),
                negate3: bit(NEGATE_59, w),
            })
        },
        semantics: "source 1 + source 3; each may be negated",
        ..DOUBLE
    },
    Row {
        name: "DMUL",
        pattern: double(4),
        suffixes: &[ROUNDED],
        slots: &[
            d(LONG_D_PAIR),
            s1(Pair(SOURCE_1)).marked(NEGATE_58_MARKS),
            s2(Pair(SOURCE_2)),
        ],
        operation: |w| {
            Operation::Double(Double::Mul {
                rounding: rounding(ROUND_49, w),
                negate1: bit(NEGATE_58, w),
            })
        },
        semantics: "source 1 * source 2; source 1 may be negated",
        ..DOUBLE
    },
    Row {
        name: "DMIN",
        pattern: double(5),
        slots: MIN_MAX_SLOTS,
        operation: |w| {
            Operation::Double(Double::Min {
                sign1: sign(ABSOLUTE, NEGATE_58, w),
                sign2: sign(ABSOLUTE_51, NEGATE_59, w),
            })
        },
        semantics: "the smaller of source 1 and source 2; a NaN loses to a number",
        ..DOUBLE
    },
    Row {
        name: "DMAX",
        pattern: double(6),
        slots: MIN_MAX_SLOTS,
        operation: |w| {
            Operation::Double(Double::Max {
                sign1: sign(ABSOLUTE, NEGATE_58, w),
                sign2: sign(ABSOLUTE_51, NEGATE_59, w),
            })
        },
        semantics: "the larger of source 1 and source 2; a NaN loses to a number",
        ..DOUBLE
    },
    Row {
        name: "DSET",
        pattern: double(7),
        slots: &[
            d(LONG_D_WORD),
            s1(Pair(SOURCE_1)).marked(SIGN_58),
            s2(Pair(SOURCE_2)).marked(SIGN_59),
            inherent(Location::Named(COMPARE_FLOAT, COMPARE_FLOAT_NAMES)),
        ],
        operation: |w| {
            Operation::Double(Double::Set {
                order: FloatOrder::from_bits(COMPARE_FLOAT.get(w)),
                sign1: sign(ABSOLUTE, NEGATE_58, w),
                sign2: sign(ABSOLUTE_51, NEGATE_59, w),
            })
        },
        semantics: "32 bits, all ones if the comparison of source 1 with source 2 is true, otherwise 0",
        ..DOUBLE
    },
    Row {
        name: "F2F",
        pattern: conversion(3, 1, 0),
        suffixes: &[Suffix::Fixed("F32.F64"), ROUNDED],
        slots: &[d(LONG_D_WORD), WIDE_SOURCE],
        operation: |w| {
            Operation::Double(Double::ToSingle {
                sign: sign(ABSOLUTE, NEGATE_61, w),
                rounding: rounding(ROUND_49, w),
            })
        },
        semantics: "double source 1 as a float32, which may be a denormal, with optional absolute value and negation",
        ..CONVERSION
    },
    Row {
        name: "F2F",
        pattern: conversion(3, 1, 1).and(59, 1, 0),
        suffixes: &[Suffix::Fixed("F64.F64")],
        slots: &[d(LONG_D_PAIR), WIDE_SOURCE],
        operation: |w| {
            Operation::Double(Double::ToDouble {
                sign: sign(ABSOLUTE, NEGATE_61, w),
                integral: None,
            })
        },
        semantics: "double source 1 with optional absolute value and negation",
        ..CONVERSION
    },
    Row {
        name: "F2F",
        pattern: conversion(3, 1, 1).and(59, 1, 1),
        suffixes: &[
            Suffix::Fixed("F64.F64"),
            Suffix::Names(ROUND_INTEGRAL, ROUND_INTEGRAL_NAMES),
        ],
        slots: &[d(LONG_D_PAIR), WIDE_SOURCE],
        operation: |w| {
            Operation::Double(Double::ToDouble {
                sign: sign(ABSOLUTE, NEGATE_61, w),
                integral: Some(rounding(ROUND_INTEGRAL, w)),
            })
        },
        semantics: "double source 1 with optional absolute value and negation, rounded to an integral value",
        ..CONVERSION
    },
    Row {
        name: "F2F",
        pattern: conversion(3, 0, 1),
        suffixes: &[Suffix::Fixed("F64.F32")],
        slots: &[d(LONG_D_PAIR), NARROW_SOURCE],
        operation: |w| {
            Operation::Double(Double::FromSingle {
                sign: sign(ABSOLUTE, NEGATE_61, w),
            })
        },
        semantics: "float32 source 1, which may be a denormal, as a double, exactly, with optional absolute value and negation",
        ..CONVERSION
    },
    Row {
        pattern: conversion(2, 1, 0).and(59, 1, 0),
        suffixes: &[Suffix::Fixed("U32.F64"), ROUNDED],
        slots: &[d(LONG_D_WORD), WIDE_SOURCE],
        operation: |w| to_integer(true, WideInteger::U32, w),
        ..F2I
    },
    Row {
        pattern: conversion(2, 1, 0).and(59, 1, 1),
        suffixes: &[Suffix::Fixed("S32.F64"), ROUNDED],
        slots: &[d(LONG_D_WORD), WIDE_SOURCE],
        operation: |w| to_integer(true, WideInteger::S32, w),
        ..F2I
    },
    Row {
        pattern: conversion(2, 0, 1).and(59, 1, 0),
        suffixes: &[Suffix::Fixed("U64.F32"), ROUNDED],
        slots: &[d(LONG_D_PAIR), NARROW_SOURCE],
        operation: |w| to_integer(false, WideInteger::U64, w),
        ..F2I
    },
    Row {
        pattern: conversion(2, 0, 1).and(59, 1, 1),
        suffixes: &[Suffix::Fixed("S64.F32"), ROUNDED],
        slots: &[d(LONG_D_PAIR), NARROW_SOURCE],
        operation: |w| to_integer(false, WideInteger::S64, w),
        ..F2I
    },
    Row {
        pattern: conversion(2, 1, 1).and(59, 1, 0),
        suffixes: &[Suffix::Fixed("U64.F64"), ROUNDED],
        slots: &[d(LONG_D_PAIR), WIDE_SOURCE],
        operation: |w| to_integer(true, WideInteger::U64, w),
        ..F2I
    },
    Row {
        pattern: conversion(2, 1, 1).and(59, 1, 1),
        suffixes: &[Suffix::Fixed("S64.F64"), ROUNDED],
        slots: &[d(LONG_D_PAIR), WIDE_SOURCE],
        operation: |w| to_integer(true, WideInteger::S64, w),
        ..F2I
    },
    Row {
        pattern: conversion(1, 0, 1).and(48, 1, 0),
        suffixes: &[Suffix::Fixed("F64.U32"), ROUNDED],
        slots: &[d(LONG_D_PAIR), NARROW_SOURCE],
        operation: |w| from_integer(true, WideInteger::U32, w),
        ..I2F
    },
    Row {
        pattern: conversion(1, 0, 1).and(48, 1, 1),
        suffixes: &[Suffix::Fixed("F64.S32"), ROUNDED],
        slots: &[d(LONG_D_PAIR), NARROW_SOURCE],
        operation: |w| from_integer(true, WideInteger::S32, w),
        ..I2F
    },
    Row {
        pattern: conversion(1, 1, 0).and(48, 1, 0),
        suffixes: &[Suffix::Fixed("F32.U64"), ROUNDED],
        slots: &[d(LONG_D_WORD), WIDE_SOURCE],
        operation: |w| from_integer(false, WideInteger::U64, w),
        ..I2F
    },
    Row {
        pattern: conversion(1, 1, 0).and(48, 1, 1),
        suffixes: &[Suffix::Fixed("F32.S64"), ROUNDED],
        slots: &[d(LONG_D_WORD), WIDE_SOURCE],
        operation: |w| from_integer(false, WideInteger::S64, w),
        ..I2F
    },
    Row {
        pattern: conversion(1, 1, 1).and(48, 1, 0),
        suffixes: &[Suffix::Fixed("F64.U64"), ROUNDED],
        slots: &[d(LONG_D_PAIR), WIDE_SOURCE],
        operation: |w| from_integer(true, WideInteger::U64, w),
        ..I2F
    },
    Row {
        pattern: conversion(1, 1, 1).and(48, 1, 1),
        suffixes: &[Suffix::Fixed("F64.S64"), ROUNDED],
        slots: &[d(LONG_D_PAIR), WIDE_SOURCE],
        operation: |w| from_integer(true, WideInteger::S64, w),
        ..I2F
    },
];
