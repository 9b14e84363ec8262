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

use super::control::{Control, Line, Reading};
use super::field::{Field, Kind};
use super::manual;
use super::pattern::{control, immediate, long, long_any, pattern, short, Form};
use super::row::*;
use super::slot::*;
use crate::operation::*;
use flexgrip_arith::integer::plain;

// ---- Fields -----------------------------------------------------------------------------------------------------

const fn field(name: &'static str, parts: &'static [(u32, u32)], kind: Kind) -> Field {
    Field::new(name, parts, kind)
}

type Words = &'static [&'static str];
const ACCESS_WORDS: Words = &[
    "a byte, zero-extended",
    "two bytes, zero-extended",
    "two bytes, sign-extended",
    "four bytes",
];
const INTEGER_WORDS: Words = &[
    "16 bits, unsigned",
    "32 bits, unsigned",
    "16 bits, signed",
    "32 bits, signed",
];
const ADD_WORDS: Words = &[
    "add",
    "subtract the last source",
    "subtract the first source or the product",
    "add, with carry",
];
const MAD_ADD_WORDS: Words = &["add", "subtract source 3", "subtract the product", "add, with carry"];
const MUL_WORDS: Words = &[
    "16 by 16 bits, unsigned",
    "16 by 16 bits, source 2 signed",
    "16 by 16 bits, source 1 signed",
    "16 by 16 bits, signed",
    "24 by 24 bits, unsigned",
    "bits 47..16 of 24 by 24 bits, unsigned",
    "24 by 24 bits, signed",
    "bits 47..16 of 24 by 24 bits, signed",
];
const MAD_WORDS: Words = &[
    "16 by 16 bits, unsigned",
    "16 by 16 bits, signed",
    "16 by 16 bits, signed, sum clamped",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, signed",
    "24 by 24 bits, signed, sum clamped",
    "bits 47..16 of 24 by 24 bits, unsigned",
    "bits 47..16 of 24 by 24 bits, signed",
];
const MAD_7_WORDS: Words = &[
    "bits 47..16 of 24 by 24 bits, signed, sum clamped",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
    "24 by 24 bits, unsigned",
];
const MAD_SHORT_WORDS: Words = &[
    "16 by 16 bits, unsigned",
    "16 by 16 bits, signed",
    "16 by 16 bits, signed, sum clamped",
    "24 by 24 bits, unsigned",
];
const LOGIC_WORDS: Words = &["and", "or", "exclusive or", "source 2"];
const COMPARE_WORDS: Words = &[
    "never",
    "less",
    "equal",
    "less or equal",
    "greater",
    "not equal",
    "greater or equal",
    "always",
];
const COMPARE_FLOAT_WORDS: Words = &[
    "never",
    "less",
    "equal",
    "less or equal",
    "greater",
    "less or greater",
    "greater or equal",
    "ordered",
    "unordered",
    "less or unordered",
    "equal or unordered",
    "less, equal or unordered",
    "greater or unordered",
    "not equal or unordered",
    "greater, equal or unordered",
    "always",
];
const CONVERT_FROM_WORDS: Words = &[
    "16 bits, unsigned",
    "32 bits, unsigned",
    "8 bits of a half, unsigned",
    "8 bits of a register, unsigned",
    "16 bits, signed",
    "32 bits, signed",
    "8 bits of a half, signed",
    "8 bits of a register, signed",
];
const CONVERT_TO_WORDS: Words = &[
    "16 bits, unsigned",
    "32 bits, unsigned",
    "16 bits, signed",
    "32 bits, signed",
    "8 bits, unsigned, in a half",
    "8 bits, unsigned, in a register",
    "8 bits, signed, in a half",
    "8 bits, signed, in a register",
];
const MEMORY_WORDS: Words = &[
    "a byte, zero-extended",
    "a byte, sign-extended",
    "two bytes, zero-extended",
    "two bytes, sign-extended",
    "eight bytes, two registers",
    "sixteen bytes, four registers",
    "four bytes",
    "",
];
const R2G_WORDS: Words = &[
    "a half stored as two bytes",
    "a register stored as two bytes",
    "a half stored as a byte",
    "a register stored as a byte",
    "a half stored as four bytes",
    "a register stored as four bytes",
    "",
    "",
];
const ROUND_NEAREST_ZERO_WORDS: Words = &["to nearest, ties to even", "", "", "toward zero"];
const ROUND_WORDS: Words = &["to nearest, ties to even", "down", "up", "toward zero"];
const ROUND_MAD_WORDS: Words = &[
    "none, or mad.rn",
    "mad.rm: without effect",
    "mad.rp: without effect",
    "mad.rz: without effect",
];
const ROUND_INTEGRAL_WORDS: Words = &[
    "to the nearest integral value, ties to even",
    "down to an integral value",
    "up to an integral value",
    "toward zero to an integral value",
];
const ROUND_HALF_WORDS: Words = &[
    "to nearest, ties to even",
    "to the nearest integral value, ties to even, then truncated",
    "down",
    "down to an integral value, then truncated",
    "up",
    "up to an integral value, then truncated",
    "toward zero",
    "toward zero to an integral value, then truncated",
];
const QUAD_THREAD_WORDS: Words = &[
    "thread 0 of the quad",
    "thread 1 of the quad",
    "thread 2 of the quad",
    "thread 3 of the quad",
    "horizontal neighbour; +0 in a kernel",
    "vertical neighbour; +0 in a kernel",
    "as 4",
    "as 5",
];
const QUAD_WORDS: Words = &[
    "source 1 + source 3",
    "source 3 - source 1",
    "source 1 - source 3",
    "source 3 + 0",
];
const COORDINATE_WORDS: Words = &["one register", "two registers", "three registers", "four registers"];
const RRO_WORDS: Words = &["for SIN and COS", "for EX2"];

const DESTINATION: Field = field("destination", &[(2, 7)], Kind::Register);
const SOURCE_1: Field = field("source 1", &[(9, 7)], Kind::Register);
const SOURCE_2: Field = field("source 2", &[(16, 7)], Kind::Register);
const SOURCE_3: Field = field("source 3", &[(46, 7)], Kind::Register);
const DESTINATION_6: Field = field("destination", &[(2, 6)], Kind::Register);
const SOURCE_1_6: Field = field("source 1", &[(9, 6)], Kind::Register);
const SOURCE_2_6: Field = field("source 2", &[(16, 6)], Kind::Register);
const OUTPUT: Field = field("destination is o[]", &[(35, 1)], Kind::Flag);
const SHARED_1: Field = field("source 1 is s[]", &[(53, 1)], Kind::Flag);
const SHARED_1_SHORT: Field = field("source 1 is s[]", &[(24, 1)], Kind::Flag);
const SHARED_OFFSET: Field = field("s[] offset", &[(9, 5)], Kind::Offset);
const SHARED_ACCESS: Field = field("s[] access", &[(14, 2)], Kind::Choice(ACCESS_WORDS));
const SHARED_OFFSET_SHORT: Field = field("s[] offset", &[(9, 4)], Kind::Offset);
const SHARED_ACCESS_SHORT: Field = field("s[] access", &[(13, 2)], Kind::Choice(ACCESS_WORDS));
const CONSTANT_2: Field = field("source 2 is c[]", &[(23, 1)], Kind::Flag);
const CONSTANT_3: Field = field("source 3 is c[]", &[(24, 1)], Kind::Flag);
const BANK: Field = field("c[] bank", &[(54, 4)], Kind::Bank);
const CONSTANT_OFFSET_2: Field = field("c[] offset", &[(16, 7)], Kind::Offset);
const CONSTANT_OFFSET_3: Field = field("c[] offset", &[(46, 7)], Kind::Offset);
const BANK_SHORT: Field = field("c[] bank", &[(21, 1)], Kind::Bank);
const CONSTANT_OFFSET_SHORT: Field = field("c[] offset", &[(16, 5)], Kind::Offset);
const ADDRESS: Field = field("address register", &[(26, 2), (34, 1)], Kind::AddressRegister);
const ADDRESS_SHORT: Field = field("address register", &[(26, 2)], Kind::AddressRegister);
const POST_INCREMENT: Field = field("post-increment", &[(25, 1)], Kind::Flag);
const NUMBER: Field = field("immediate", &[(16, 6), (34, 26)], Kind::Number);
const TARGET: Field = field("target", &[(11, 16), (46, 6)], Kind::Target);
const WIDE: Field = field("32-bit", &[(58, 1)], Kind::Flag);
const WIDE_SIGNED: Field = field("type", &[(58, 1), (59, 1)], Kind::Choice(INTEGER_WORDS));
const WIDE_SHORT: Field = field("32-bit", &[(15, 1)], Kind::Flag);
const ADD_KIND: Field = field("add kind", &[(22, 1), (28, 1)], Kind::Choice(ADD_WORDS));
const MAD_ADD_KIND: Field = field("add kind", &[(58, 1), (59, 1)], Kind::Choice(MAD_ADD_WORDS));
const SATURATE_59: Field = field("saturate", &[(59, 1)], Kind::Flag);
const SIGNED_59: Field = field("signed", &[(59, 1)], Kind::Flag);
const SATURATE_61: Field = field("saturate", &[(61, 1)], Kind::Flag);
const SATURATE_8: Field = field("saturate", &[(8, 1)], Kind::Flag);
const SIGNED_8: Field = field("signed", &[(8, 1)], Kind::Flag);
const MUL_KIND: Field = field("type", &[(46, 3)], Kind::Choice(MUL_WORDS));
const MUL_KIND_SHORT: Field = field("type", &[(8, 1), (15, 1), (22, 1)], Kind::Choice(MUL_WORDS));
const MUL_24: Field = field("24-bit", &[(48, 1)], Kind::Flag);
const MUL_24_SHORT: Field = field("24-bit", &[(22, 1)], Kind::Flag);
const MAD_KIND: Field = field("type", &[(61, 3)], Kind::Choice(MAD_WORDS));
const MAD_KIND_7: Field = field("type", &[(61, 3)], Kind::Choice(MAD_7_WORDS));
const MAD_KIND_SHORT: Field = field("type", &[(8, 1), (15, 1)], Kind::Choice(MAD_SHORT_WORDS));
const SHIFT_NUMBER: Field = field("shift count is a number", &[(52, 1)], Kind::Flag);
const LOGIC: Field = field("operation", &[(46, 2)], Kind::Choice(LOGIC_WORDS));
const LOGIC_SHORT: Field = field("operation", &[(8, 1), (15, 1)], Kind::Choice(LOGIC_WORDS));
const INVERT_1: Field = field("invert source 1", &[(48, 1)], Kind::Flag);
const INVERT_2: Field = field("invert source 2", &[(49, 1)], Kind::Flag);
const INVERT_1_SHORT: Field = field("invert source 1", &[(22, 1)], Kind::Flag);
const COMPARE: Field = field("comparison", &[(46, 3)], Kind::Choice(COMPARE_WORDS));
const COMPARE_FLOAT: Field = field("comparison", &[(46, 4)], Kind::Choice(COMPARE_FLOAT_WORDS));
const CONVERT_FROM: Field = field("source type", &[(46, 3)], Kind::Choice(CONVERT_FROM_WORDS));
const CONVERT_FROM_WIDE: Field = field("source is 32-bit", &[(46, 1)], Kind::Flag);
const CONVERT_TO: Field = field(
    "destination type",
    &[(58, 1), (59, 1), (51, 1)],
    Kind::Choice(CONVERT_TO_WORDS),
);
const ABSOLUTE: Field = field("absolute value", &[(52, 1)], Kind::Flag);
const NEGATE_61: Field = field("negate", &[(61, 1)], Kind::Flag);
const GLOBAL_SPACE: Field = field("global space", &[(16, 4)], Kind::Space);
const MEMORY_ACCESS: Field = field("access", &[(53, 3)], Kind::Choice(MEMORY_WORDS));
const WIDE_OFFSET_8: Field = field("offset", &[(9, 16)], Kind::Offset);
const WIDE_OFFSET_16: Field = field("offset", &[(9, 15)], Kind::Offset);
const WIDE_OFFSET_32: Field = field("offset", &[(9, 14)], Kind::Offset);
const MVC_ACCESS: Field = field("access", &[(46, 2)], Kind::Choice(ACCESS_WORDS));
const ADDRESS_DESTINATION: Field = field("destination", &[(2, 3)], Kind::AddressRegister);
const R2A_SHIFT: Field = field("shift count", &[(16, 4)], Kind::Number);
const R2G_KIND: Field = field("type", &[(53, 1), (54, 1), (58, 1)], Kind::Choice(R2G_WORDS));
const R2G_WORD: Field = field("source is 32-bit", &[(53, 1)], Kind::Flag);
const R2G_BYTE: Field = field("store 8 bits", &[(54, 1)], Kind::Flag);
const ADDRESS_IMMEDIATE: Field = field("immediate", &[(9, 16)], Kind::Number);
const SPECIAL_REGISTER: Field = field("special register", &[(46, 4)], Kind::SpecialRegister);
const BARRIER: Field = field("barrier", &[(21, 4)], Kind::Barrier);
const BARRIER_MASK: Field = field("thread mask", &[(9, 12)], Kind::Mask);
const ARRIVE: Field = field("arrive", &[(25, 1)], Kind::Flag);
const WAIT: Field = field("wait", &[(26, 1)], Kind::Flag);
const CALL_LIMITED: Field = field("limited call", &[(38, 1)], Kind::Flag);
const EVENT: Field = field("event", &[(10, 4)], Kind::Number);
const ROUND_16: Field = field("rounding", &[(16, 2)], Kind::Choice(ROUND_NEAREST_ZERO_WORDS));
const ROUND_46: Field = field("rounding", &[(46, 2)], Kind::Choice(ROUND_NEAREST_ZERO_WORDS));
/// Used where neither source 2 nor source 3 is c[], which has its bank in these bits.
const ROUND_54: Field = field("requested rounding", &[(54, 2)], Kind::Choice(ROUND_MAD_WORDS));
const ROUND_49: Field = field("rounding", &[(49, 2)], Kind::Choice(ROUND_WORDS));
const ROUND_INTEGRAL: Field = field("integral rounding", &[(49, 2)], Kind::Choice(ROUND_INTEGRAL_WORDS));
const INTEGRAL: Field = field("integral", &[(59, 1)], Kind::Flag);
const ROUND_HALF: Field = field("rounding", &[(59, 1), (49, 2)], Kind::Choice(ROUND_HALF_WORDS));
const SATURATE_52: Field = field("saturate", &[(52, 1)], Kind::Flag);
const QUAD_THREAD: Field = field("source thread", &[(16, 3)], Kind::Choice(QUAD_THREAD_WORDS));
const QUAD_0: Field = field("operation of thread 0", &[(58, 2)], Kind::Choice(QUAD_WORDS));
const QUAD_1: Field = field("operation of thread 1", &[(56, 2)], Kind::Choice(QUAD_WORDS));
const QUAD_2: Field = field("operation of thread 2", &[(54, 2)], Kind::Choice(QUAD_WORDS));
const QUAD_3: Field = field("operation of thread 3", &[(20, 2)], Kind::Choice(QUAD_WORDS));
const SATURATE_51: Field = field("saturate", &[(51, 1)], Kind::Flag);
const NEGATE_58: Field = field("negate source 1", &[(58, 1)], Kind::Flag);
const NEGATE_59: Field = field("negate source 2", &[(59, 1)], Kind::Flag);
const ABSOLUTE_51: Field = field("absolute value of source 2", &[(51, 1)], Kind::Flag);
const NEGATE_15: Field = field("negate source 1", &[(15, 1)], Kind::Flag);
const NEGATE_22: Field = field("negate source 2", &[(22, 1)], Kind::Flag);
const ABSOLUTE_15: Field = field("absolute value", &[(15, 1)], Kind::Flag);
const RRO_KIND: Field = field("reduction", &[(46, 1)], Kind::Choice(RRO_WORDS));
const SAD_SIGNED_SHORT: Field = field("type", &[(15, 1), (8, 1)], Kind::Choice(INTEGER_WORDS));

const TEXTURE: Field = field("texture", &[(9, 8)], Kind::Texture);
const SAMPLER: Field = field("sampler", &[(17, 5)], Kind::Sampler);
const COORDINATES: Field = field("coordinates", &[(22, 2)], Kind::Choice(COORDINATE_WORDS));
const COMPONENTS: Field = field("components", &[(25, 2), (46, 2)], Kind::Mask);
const LIVE: Field = field("live threads only", &[(34, 1)], Kind::Flag);
const LIVE_SHORT: Field = field("live threads only", &[(8, 1)], Kind::Flag);
const DERIVATIVES: Field = field("derivatives", &[(35, 1)], Kind::Flag);
const TEXEL_OFFSET: Field = field("texel offset", &[(56, 4), (52, 4), (48, 4)], Kind::TexelOffset);

// ---- Operand locations ------------------------------------------------------------------------------------------

use Location::{Half, Select, Undefined, Word};

const INDIRECT: IndirectFields = IndirectFields {
    register: ADDRESS,
    post_increment: POST_INCREMENT,
};
const INDIRECT_SHORT: IndirectFields = IndirectFields {
    register: ADDRESS_SHORT,
    post_increment: POST_INCREMENT,
};

const fn shared_of(offset: Field, access: Access, indirect: IndirectFields) -> Location {
    Location::Shared {
        offset,
        access,
        indirect,
        explicit: true,
    }
}
/// A store's address; the mnemonic gives the size.
const fn shared_store(offset: Field, access: Access) -> Location {
    Location::Shared {
        offset,
        access,
        indirect: INDIRECT,
        explicit: false,
    }
}
const SHARED: Location = Select(
    SHARED_ACCESS,
    &[
        shared_of(SHARED_OFFSET, Access::U8, INDIRECT),
        shared_of(SHARED_OFFSET, Access::U16, INDIRECT),
        shared_of(SHARED_OFFSET, Access::S16, INDIRECT),
        shared_of(SHARED_OFFSET, Access::B32, INDIRECT),
    ],
);
const SHARED_SHORT: Location = Select(
    SHARED_ACCESS_SHORT,
    &[
        shared_of(SHARED_OFFSET_SHORT, Access::U8, INDIRECT_SHORT),
        shared_of(SHARED_OFFSET_SHORT, Access::U16, INDIRECT_SHORT),
        shared_of(SHARED_OFFSET_SHORT, Access::S16, INDIRECT_SHORT),
        shared_of(SHARED_OFFSET_SHORT, Access::B32, INDIRECT_SHORT),
    ],
);

const fn constant_of(bank: Field, offset: Field, access: Access, indirect: Option<IndirectFields>) -> Location {
    Location::Constant {
        bank,
        offset,
        access,
        indirect,
        explicit: false,
    }
}
// A long instruction has one set of address-register bits. They belong to the s[] operand if there is one.
const C2_WORD: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_2, Access::B32, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_2, Access::B32, None),
    ],
);
const C2_HALF: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_2, Access::U16, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_2, Access::U16, None),
    ],
);
const C3_WORD: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_3, Access::B32, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_3, Access::B32, None),
    ],
);
const C3_HALF: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_3, Access::U16, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_3, Access::U16, None),
    ],
);

// Long form. LONG_x_WIDE: bit 58 selects the half or the whole register.
const LONG_D_WORD: Location = Select(OUTPUT, &[Word(DESTINATION), Location::Discard(DESTINATION)]);
const LONG_D_HALF: Location = Select(OUTPUT, &[Half(DESTINATION), Location::Discard(DESTINATION)]);
const LONG_D_WIDE: Location = Select(WIDE, &[LONG_D_HALF, LONG_D_WORD]);
const LONG_1_WORD: Location = Select(SHARED_1, &[Word(SOURCE_1), SHARED]);
const LONG_1_HALF: Location = Select(SHARED_1, &[Half(SOURCE_1), SHARED]);
const LONG_1_WIDE: Location = Select(WIDE, &[LONG_1_HALF, LONG_1_WORD]);
const LONG_2_WORD: Location = Select(CONSTANT_2, &[Word(SOURCE_2), C2_WORD]);
const LONG_2_HALF: Location = Select(CONSTANT_2, &[Half(SOURCE_2), C2_HALF]);
const LONG_2_WIDE: Location = Select(WIDE, &[LONG_2_HALF, LONG_2_WORD]);
const LONG_3_WORD: Location = Select(CONSTANT_3, &[Word(SOURCE_3), C3_WORD]);
const LONG_3_HALF: Location = Select(CONSTANT_3, &[Half(SOURCE_3), C3_HALF]);
const LONG_3_WIDE: Location = Select(WIDE, &[LONG_3_HALF, LONG_3_WORD]);
// With three sources, only one of sources 2 and 3 may be a constant.
const MAD_2_WORD: Location = Select(CONSTANT_2, &[Word(SOURCE_2), Select(CONSTANT_3, &[C2_WORD, Undefined])]);
const MAD_2_HALF: Location = Select(CONSTANT_2, &[Half(SOURCE_2), Select(CONSTANT_3, &[C2_HALF, Undefined])]);
const MAD_2_WIDE: Location = Select(WIDE, &[MAD_2_HALF, MAD_2_WORD]);
const MAD_3_WORD: Location = Select(CONSTANT_3, &[Word(SOURCE_3), Select(CONSTANT_2, &[C3_WORD, Undefined])]);
const SHIFT_2: Location = Select(SHIFT_NUMBER, &[LONG_2_WIDE, Location::Number(SOURCE_2)]);

// Short and immediate forms.
const SHORT_D_WIDE: Location = Select(WIDE_SHORT, &[Half(DESTINATION_6), Word(DESTINATION_6)]);
const SHORT_1_WORD: Location = Select(SHARED_1_SHORT, &[Word(SOURCE_1_6), SHARED_SHORT]);
const SHORT_1_HALF: Location = Select(SHARED_1_SHORT, &[Half(SOURCE_1_6), SHARED_SHORT]);
const SHORT_1_WIDE: Location = Select(WIDE_SHORT, &[SHORT_1_HALF, SHORT_1_WORD]);
// A short instruction has room for s[] or c[], but not both.
const SHORT_2_WORD: Location = Select(
    CONSTANT_2,
    &[
        Word(SOURCE_2_6),
        Select(
            SHARED_1_SHORT,
            &[
                constant_of(BANK_SHORT, CONSTANT_OFFSET_SHORT, Access::B32, Some(INDIRECT_SHORT)),
                Undefined,
            ],
        ),
    ],
);
const SHORT_2_HALF: Location = Select(
    CONSTANT_2,
    &[
        Half(SOURCE_2_6),
        Select(
            SHARED_1_SHORT,
            &[
                constant_of(BANK_SHORT, CONSTANT_OFFSET_SHORT, Access::U16, Some(INDIRECT_SHORT)),
                Undefined,
            ],
        ),
    ],
);
const SHORT_2_WIDE: Location = Select(WIDE_SHORT, &[SHORT_2_HALF, SHORT_2_WORD]);

const fn mvc_of(offset: Field, access: Access) -> Location {
    Location::Constant {
        bank: BANK,
        offset,
        access,
        indirect: Some(INDIRECT),
        explicit: true,
    }
}
const MVC_1: Location = Select(
    MVC_ACCESS,
    &[
        mvc_of(WIDE_OFFSET_8, Access::U8),
        mvc_of(WIDE_OFFSET_16, Access::U16),
        mvc_of(WIDE_OFFSET_16, Access::S16),
        mvc_of(WIDE_OFFSET_32, Access::B32),
    ],
);
const R2G_1: Location = Select(
    R2G_BYTE,
    &[
        Select(
            WIDE,
            &[
                shared_store(WIDE_OFFSET_16, Access::U16),
                shared_store(WIDE_OFFSET_32, Access::B32),
            ],
        ),
        shared_store(WIDE_OFFSET_8, Access::U8),
    ],
);
const LOCAL_1: Location = Location::Local {
    offset: WIDE_OFFSET_8,
    indirect: INDIRECT,
};
const GLOBAL_1: Location = Location::Global(GLOBAL_SPACE, SOURCE_1);

const fn slot(role: Role, location: Location) -> Slot {
    Slot {
        role,
        location,
        marks: &[],
    }
}
const fn d(location: Location) -> Slot {
    slot(Role::Destination, location)
}
const fn s1(location: Location) -> Slot {
    slot(Role::Source1, location)
}
const fn s2(location: Location) -> Slot {
    slot(Role::Source2, location)
}
const fn s3(location: Location) -> Slot {
    slot(Role::Source3, location)
}
const fn inherent(location: Location) -> Slot {
    slot(Role::Inherent, location)
}
impl Slot {
    const fn marked(self, marks: &'static [(Mark, Field, u32)]) -> Slot {
        Slot {
            role: self.role,
            location: self.location,
            marks,
        }
    }
}

// ---- Names of field values --------------------------------------------------------------------------------------

macro_rules! name {
    (_) => {
        None
    };
    ($name:literal) => {
        Some($name)
    };
}
/// Names by value; `_` is an undefined value.
macro_rules! names {
    ($($name:tt),* $(,)?) => { &[$(name!($name)),*] };
}

type Names = &'static [Option<&'static str>];

const WIDTH_NAMES: Names = names!["U16", ""];
const WIDE_SIGNED_NAMES: Names = names!["U16", "", "S16", "S32"];
const SATURATE_NAMES: Names = names!["", "SAT"];
const MUL_NAMES: Names = names![
    "U16.U16",
    "U16.S16",
    "S16.U16",
    "S16.S16",
    "U24.U24",
    "HI.U24.U24",
    "S24.S24",
    "HI.S24.S24"
];
const MAD_NAMES: Names = names!["U16", "S16", "SAT.S16", "U24", "S24", "SAT.S24", "HI.U24", "HI.S24"];
const MAD_7_NAMES: Names = names![
    "HI.SAT.S24",
    "U24.X1",
    "U24.X2",
    "U24.X3",
    "U24.X4",
    "U24.X5",
    "U24.X6",
    "U24.X7"
];
const MAD_SHORT_NAMES: Names = names!["U16", "S16", "SAT.S16", "U24"];
const LOGIC_NAMES: Names = names!["AND", "OR", "XOR", "PASS_B"];
const COMPARE_NAMES: Names = names!["FALSE", "LT", "EQ", "LE", "GT", "NE", "GE", "TRUE"];
const COMPARE_FLOAT_NAMES: Names =
    names!["FALSE", "LT", "EQ", "LE", "GT", "NE", "GE", "LEG", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "TRUE"];
const CONVERT_FROM_NAMES: Names = names!["U16", "U32", "U16.BEXT", "U32.BEXT", "S16", "S32", "S16.BEXT", "S32.BEXT"];
const CONVERT_TO_NAMES: Names = names!["U16", "U32", "S16", "S32", "U16.BEXT", "U32.BEXT", "S16.BEXT", "S32.BEXT"];
const F2I_TO_NAMES: Names = names!["U16", "U32", "S16", "S32"];
const MEMORY_NAMES: Names = names!["U8", "S8", "U16", "S16", "S64", "S128", "U32", _];
const ROUND_NEAREST_ZERO_NAMES: Names = names!["", _, _, "TRUNC"];
const ROUND_NAMES: Names = names!["", "FLOOR", "CEIL", "TRUNC"];
const ROUND_INTEGRAL_NAMES: Names = names!["ROUND", "FLOOR", "CEIL", "TRUNC"];
const ROUND_HALF_NAMES: Names = names![
    "",
    "INT",
    "FLOOR",
    "INT.FLOOR",
    "CEIL",
    "INT.CEIL",
    "TRUNC",
    "INT.TRUNC"
];
const QUAD_THREAD_NAMES: Names = names!["L0", "L1", "L2", "L3", "DX", "DY", "DX6", "DY7"];
const QUAD_NAMES: Names = names!["ADD", "SUBR", "SUB", "MOV"];
// Bit 0: 32-bit register, bit 1: store 8 bits, bit 2: store 32 bits (bit 1 wins).
const R2G_NAMES: Names = names!["U16.U16", "U32.U16", "U16.U8", "U32.U8", "U16.U32", "U32.U32", _, _];

const COORDINATE_NAMES: Names = names!["V1", "V2", "V3", "V4"];
const COMPONENT_NAMES: Names =
    names!["NONE", "X", "Y", "XY", "Z", "XZ", "YZ", "XYZ", "W", "XW", "YW", "XYW", "ZW", "XZW", "YZW", "XYZW"];

// ---- Meanings of field values -----------------------------------------------------------------------------------

fn bit(field: Field, word: u64) -> bool {
    field.get(word) != 0
}
fn width(field: Field, word: u64) -> Width {
    if bit(field, word) {
        Width::B32
    } else {
        Width::B16
    }
}
/// The sum, and the condition-code register with the carry.
fn sum(kind: u32, carry: u32) -> (Sum, u8) {
    match kind & 3 {
        0 => (Sum::Add, 0),
        1 => (Sum::Subtract, 0),
        2 => (Sum::ReverseSubtract, 0),
        _ => (Sum::AddCarry, (carry & 3) as u8),
    }
}
fn iadd(kind: u32, carry: u32, width: Width, saturate: bool) -> Operation {
    let (sum, carry) = sum(kind, carry);
    Operation::Iadd {
        sum,
        carry,
        width,
        saturate,
    }
}
fn imul(kind: u32) -> Operation {
    let [low, middle] = [kind & 1 != 0, kind & 2 != 0];
    if kind & 4 == 0 {
        Operation::Imul16 {
            signed1: middle,
            signed2: low,
        }
    } else {
        Operation::Imul24 {
            signed: middle,
            high: low,
        }
    }
}
fn imad(product: Product, sum_kind: u32, carry: u32) -> Operation {
    let (sum, carry) = sum(sum_kind, carry);
    Operation::Imad { product, sum, carry }
}
/// IMAD's products, in the order of the long form's field; the short form has only the first four.
fn product(kind: u32) -> Product {
    const PRODUCTS: [Product; 8] = [
        Product::U16,
        Product::S16,
        Product::SatS16,
        Product::U24,
        Product::S24,
        Product::SatS24,
        Product::HiU24,
        Product::HiS24,
    ];
    PRODUCTS[kind as usize & 7]
}
fn logic(kind: u32) -> Logic {
    [Logic::And, Logic::Or, Logic::Xor, Logic::PassB][kind as usize & 3]
}
/// Bit 0: 32 bits; bit 1: signed; bit 2: 8 bits.
fn convert_to(kind: u32) -> Integer {
    use Integer::*;
    [U16, U32, S16, S32, U8, U8, S8, S8][kind as usize & 7]
}
/// Bit 0: 32-bit register; bit 1: 8 bits of it; bit 2: signed.
fn convert_from(kind: u32) -> Integer {
    use Integer::*;
    [U16, U32, U8, U8, S16, S32, S8, S8][kind as usize & 7]
}
fn sign(absolute: Field, negate: Field, word: u64) -> Sign {
    Sign {
        absolute: bit(absolute, word),
        negate: bit(negate, word),
    }
}
fn byte_target(word: u64) -> u32 {
    TARGET.get(word) << 2
}
fn memory(word: u64) -> (u8, MemoryAccess) {
    (
        GLOBAL_SPACE.get(word) as u8,
        MemoryAccess::from_bits(MEMORY_ACCESS.get(word)),
    )
}
/// A texel's offset: three 4-bit numbers in two's complement.
fn texel_offset(word: u64) -> [i8; 3] {
    let value = TEXEL_OFFSET.get(word);
    [0, 4, 8].map(|at| {
        let nibble = (value >> at & 15) as i8;
        if nibble > 7 {
            nibble - 16
        } else {
            nibble
        }
    })
}
fn texture(kind: TextureKind, cube: bool, word: u64) -> Operation {
    Operation::Texture(Texture {
        kind,
        cube,
        texture: TEXTURE.get(word) as u8,
        sampler: SAMPLER.get(word) as u8,
        coordinates: match kind {
            TextureKind::Size => 1,
            _ => COORDINATES.get(word) as u8 + 1,
        },
        components: COMPONENTS.get(word) as u8,
        live_only: bit(LIVE, word),
        derivatives: bit(DERIVATIVES, word),
        offset: match (kind, cube) {
            (TextureKind::Size, _) | (_, true) => [0; 3],
            _ => texel_offset(word),
        },
    })
}
/// Short forms write all four components and have no texel offset.
fn texture_short(kind: TextureKind, word: u64) -> Operation {
    Operation::Texture(Texture {
        kind,
        cube: false,
        texture: TEXTURE.get(word) as u8,
        sampler: SAMPLER.get(word) as u8,
        coordinates: COORDINATES.get(word) as u8 + 1,
        components: 15,
        live_only: bit(LIVE_SHORT, word),
        derivatives: false,
        offset: [0; 3],
    })
}
fn f2f(from: Float, to: Float, rounding: Rounding, integral: bool, word: u64) -> Operation {
    Operation::F2f {
        from,
        to,
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding,
        integral,
        saturate: bit(SATURATE_51, word),
    }
}
fn f2i(from: Float, word: u64) -> Operation {
    let to = convert_to(WIDE_SIGNED.get(word));
    Operation::F2i {
        from,
        width: width(WIDE, word),
        signed: to.is_signed(),
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding: Rounding::from_bits(ROUND_49.get(word)),
    }
}
fn i2f(to: Float, word: u64) -> Operation {
    Operation::I2f {
        from: convert_from(CONVERT_FROM.get(word)),
        to,
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding: Rounding::from_bits(ROUND_49.get(word)),
        saturate: bit(SATURATE_51, word),
    }
}
fn special(function: SpecialFunction, word: u64) -> Operation {
    Operation::Special {
        function,
        sign: sign(ABSOLUTE, NEGATE_58, word),
        saturate: false,
    }
}

// ---- Lines of the units' control --------------------------------------------------------------------------------
//
// A reading has its field in one place in long words, in another in short and immediate words.

const fn reading(name: &'static str, field: Field, lines: &'static [Line]) -> Reading {
    Reading { name, field, lines }
}

use Line::{Bit, Number, Variant, When};

type Lines = &'static [Line];
type Reads = &'static [Reading];

const SUM_LINES: Lines = &[
    When("integer.negate_last", &[1]),
    When("integer.negate_first", &[2]),
    When("integer.carry_in", &[3]),
];
const SUM: Reading = reading("sum", ADD_KIND, SUM_LINES);
const PRODUCT_SUM: Reading = reading("product_sum", MAD_ADD_KIND, SUM_LINES);
const PRODUCT_SUM_SHORT: Reading = reading("product_sum", ADD_KIND, SUM_LINES);

const CLAMP: Reading = reading("clamp", SATURATE_59, &[Bit("integer.saturate")]);
const CLAMP_SHORT: Reading = reading("clamp", SATURATE_8, &[Bit("integer.saturate")]);
const SIGN: Reading = reading("sign", SIGNED_59, &[Bit("integer.is_signed")]);
const SIGN_SHORT: Reading = reading("sign", SIGNED_8, &[Bit("integer.is_signed")]);

const PRODUCT_LINES: Lines = &[
    When("integer.multiply_signed_a", &[2, 3, 6, 7]),
    When("integer.multiply_signed_b", &[1, 3, 6, 7]),
    When("integer.multiply_24", &[4, 5, 6, 7]),
    When("integer.multiply_high", &[5, 7]),
];
const PRODUCT: Reading = reading("mul", MUL_KIND, PRODUCT_LINES);
const PRODUCT_SHORT: Reading = reading("mul", MUL_KIND_SHORT, PRODUCT_LINES);
const MAD: Reading = reading(
    "mad",
    MAD_KIND,
    &[
        When("integer.multiply_signed_a", &[1, 2, 4, 5, 7]),
        When("integer.multiply_signed_b", &[1, 2, 4, 5, 7]),
        When("integer.multiply_24", &[3, 4, 5, 6, 7]),
        When("integer.multiply_high", &[6, 7]),
        When("integer.saturate", &[2, 5]),
    ],
);
/// For opcode 7, with 24-bit products only.
const MAD_7: Reading = reading(
    "mad_7",
    MAD_KIND_7,
    &[
        When("integer.multiply_signed_a", &[0]),
        When("integer.multiply_signed_b", &[0]),
        When("integer.multiply_high", &[0]),
        When("integer.saturate", &[0]),
    ],
);
const MAD_SHORT: Reading = reading(
    "mad_short",
    MAD_KIND_SHORT,
    &[
        When("integer.multiply_signed_a", &[1, 2]),
        When("integer.multiply_signed_b", &[1, 2]),
        When("integer.multiply_24", &[3]),
        When("integer.saturate", &[2]),
    ],
);

const LOGIC_FUNCTION: Reading = reading("logic_function", LOGIC, &[Number("integer.logic_function")]);
const LOGIC_FUNCTION_SHORT: Reading = reading("logic_function", LOGIC_SHORT, &[Number("integer.logic_function")]);
const INVERT_A: Reading = reading("invert_1", INVERT_1, &[Bit("integer.invert_a")]);
const INVERT_A_SHORT: Reading = reading("invert_1", INVERT_1_SHORT, &[Bit("integer.invert_a")]);
const INVERT_B: Reading = reading("invert_2", INVERT_2, &[Bit("integer.invert_b")]);
const COMPARISON: Reading = reading(
    "compare",
    COMPARE,
    &[
        When("integer.compare_less", &[1, 3, 5, 7]),
        When("integer.compare_equal", &[2, 3, 6, 7]),
        When("integer.compare_greater", &[4, 5, 6, 7]),
    ],
);

const SOURCE_TYPE: Reading = reading(
    "source_type",
    CONVERT_FROM,
    &[
        Variant("integer.source_width", "IntegerWidth", CONVERT_FROM_WIDTHS),
        When("integer.source_signed", &[4, 5, 6, 7]),
        Variant("float.source_width", "IntegerWidth", CONVERT_FROM_WIDTHS),
        When("float.source_signed", &[4, 5, 6, 7]),
    ],
);
const CONVERT_FROM_WIDTHS: &[&str] = &["Half", "Word", "Byte", "Byte", "Half", "Word", "Byte", "Byte"];
const RESULT_TYPE: Reading = reading(
    "result_type",
    CONVERT_TO,
    &[
        Variant(
            "integer.result_width",
            "IntegerWidth",
            &["Half", "Word", "Half", "Word", "Byte", "Byte", "Byte", "Byte"],
        ),
        When("integer.result_signed", &[2, 3, 6, 7]),
    ],
);
const INTEGER_RESULT: Reading = reading(
    "integer_result",
    WIDE_SIGNED,
    &[
        When("float.result_narrow", &[0, 2]),
        When("float.result_signed", &[2, 3]),
    ],
);
const CONVERT_SIGN: Reading = reading("negate_61", NEGATE_61, &[Bit("integer.negate"), Bit("float.negate_a")]);
const CONVERT_CLAMP: Reading = reading("clamp_51", SATURATE_51, &[Bit("float.saturate")]);
const CONVERT_ROUNDING: Reading = reading("rounding_49", ROUND_49, &[Number("float.rounding")]);
const ROUNDS_TO_INTEGRAL: Reading = reading("rounds_to_integral", INTEGRAL, &[Bit("float.integral")]);

const ABSOLUTE_A: Reading = reading(
    "absolute_1",
    ABSOLUTE,
    &[
        Bit("integer.absolute"),
        Bit("float.absolute_a"),
        Bit("special.absolute"),
    ],
);
const NEGATE_A: Reading = reading("negate_1", NEGATE_58, &[Bit("float.negate_a"), Bit("special.negate")]);
const NEGATE_A_SHORT: Reading = reading("negate_1", NEGATE_15, &[Bit("float.negate_a"), Bit("special.negate")]);
const ABSOLUTE_B: Reading = reading("absolute_2", ABSOLUTE_51, &[Bit("float.absolute_b")]);
const NEGATE_B: Reading = reading("negate_2", NEGATE_59, &[Bit("float.negate_b")]);
const NEGATE_B_SHORT: Reading = reading("negate_2", NEGATE_22, &[Bit("float.negate_b")]);
const NEGATE_C: Reading = reading("negate_3", NEGATE_59, &[Bit("float.negate_c")]);
const NEGATE_C_SHORT: Reading = reading("negate_3", NEGATE_22, &[Bit("float.negate_c")]);
const NEGATE_C_61: Reading = reading("select_negate_3", NEGATE_61, &[Bit("float.negate_c")]);
const FLOAT_CLAMP: Reading = reading("float_clamp", SATURATE_61, &[Bit("float.saturate")]);
const FLOAT_CLAMP_SHORT: Reading = reading("float_clamp", SATURATE_8, &[Bit("float.saturate")]);
const SUM_ROUNDING: Reading = reading("rounding_16", ROUND_16, &[Number("float.rounding")]);
const PRODUCT_ROUNDING: Reading = reading("rounding_46", ROUND_46, &[Number("float.rounding")]);
const FLOAT_COMPARISON: Reading = reading(
    "compare_float",
    COMPARE_FLOAT,
    &[
        When("float.compare_less", &[1, 3, 5, 7, 9, 11, 13, 15]),
        When("float.compare_equal", &[2, 3, 6, 7, 10, 11, 14, 15]),
        When("float.compare_greater", &[4, 5, 6, 7, 12, 13, 14, 15]),
        When("float.compare_unordered", &[8, 9, 10, 11, 12, 13, 14, 15]),
    ],
);
const REDUCTION: Reading = reading(
    "reduction",
    RRO_KIND,
    &[Variant(
        "float.operation",
        "FloatOperation",
        &["ReduceSine", "ReducePower"],
    )],
);
const SPECIAL_CLAMP: Reading = reading("special_clamp", SATURATE_59, &[Bit("special.saturate")]);
const RCP_ABSOLUTE_SHORT: Reading = reading("absolute_short", ABSOLUTE_15, &[Bit("special.absolute")]);
const RCP_NEGATE_SHORT: Reading = reading("negate_short", NEGATE_22, &[Bit("special.negate")]);

const SIGNS_1: Reads = &[ABSOLUTE_A, NEGATE_A];
const SIGNS_1_AND_2: Reads = &[ABSOLUTE_A, NEGATE_A, ABSOLUTE_B, NEGATE_B];

/// Source 3 is operand b: the second addend, or the stored value.
const B_IS_3: [Role; 3] = [Role::Source1, Role::Source3, Role::Source2];
const IADD_READS: Reads = &[SUM, CLAMP];
const IADD_SHORT_READS: Reads = &[SUM, CLAMP_SHORT];
const MOVE: Control = Control::new("Move");
/// F2F and I2F: the row selects the halves.
const F2F_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_CLAMP];
const F2F_ROUNDED_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_CLAMP, CONVERT_ROUNDING];
const F2F_HALF_READS: Reads = &[
    ABSOLUTE_A,
    CONVERT_SIGN,
    CONVERT_CLAMP,
    CONVERT_ROUNDING,
    ROUNDS_TO_INTEGRAL,
];
const F2I_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_ROUNDING, INTEGER_RESULT];
const I2F_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_ROUNDING, CONVERT_CLAMP, SOURCE_TYPE];

// ---- Common parts of rows ---------------------------------------------------------------------------------------

const LONG: Row = Row {
    name: "",
    pattern: long(0, 0),
    guard: Guard::Conditional,
    writes_cc: true,
    suffixes: &[],
    slots: &[],
    operation: |_| Operation::Nop,
    unit: Unit::Integer,
    control: Control::new(""),
    execution: Execution::Full,
    semantics: "",
    source: "",
    since: Capability(1, 0),
    manual: &[],
    notes: &[],
};
const SHORT: Row = Row {
    guard: Guard::Always,
    writes_cc: false,
    pattern: short(0),
    ..LONG
};
const CONTROL: Row = Row {
    guard: Guard::Always,
    writes_cc: false,
    pattern: control(0),
    unit: Unit::Branch,
    ..LONG
};
const SPECIAL: Row = Row {
    writes_cc: false,
    unit: Unit::SpecialFunction,
    slots: &[d(LONG_D_WORD), s1(Word(SOURCE_1)).marked(SIGN_58)],
    ..LONG
};

const F2F_NOTES: &[&str] = &["Without rounding to an integral value the mode in bits 50..49 has no effect."];
const FMUL_NOTES: &[&str] = &["SAT has no effect: products are clamped only from compute capability 1.2 on."];

/// Texture instructions read their coordinates from the registers that they then overwrite.
const TEX: Row = Row {
    name: "TEX",
    writes_cc: false,
    suffixes: TEX_SUFFIXES,
    slots: &[
        TEX_RESULT,
        TEX_COMPONENTS,
        TEX_FIRST_COORDINATE,
        TEX_COORDINATES,
        TEX_TEXTURE,
        TEX_SAMPLER,
        inherent(Location::OptionalNumber(TEXEL_OFFSET)),
    ],
    unit: Unit::Texture,
    execution: Execution::NotYet,
    source: "envytools (envydis g80 and its texture page); decuda",
    notes: TEX_NOTES,
    ..LONG
};
const TEX_CUBE_SLOTS: &[Slot] = &[
    TEX_RESULT,
    TEX_COMPONENTS,
    TEX_FIRST_COORDINATE,
    TEX_COORDINATES,
    TEX_TEXTURE,
    TEX_SAMPLER,
];
const TEX_RESULT: Slot = d(Word(DESTINATION));
const TEX_COMPONENTS: Slot = inherent(Location::Named(COMPONENTS, COMPONENT_NAMES));
const TEX_FIRST_COORDINATE: Slot = s1(Word(DESTINATION));
const TEX_COORDINATES: Slot = inherent(Location::Named(COORDINATES, COORDINATE_NAMES));
const TEX_TEXTURE: Slot = inherent(Location::Number(TEXTURE));
const TEX_SAMPLER: Slot = inherent(Location::Number(SAMPLER));
const TEX_LIVE: Suffix = Suffix::When(LIVE, 1, "LIVE");
const TEX_DERIVATIVES: Suffix = Suffix::When(DERIVATIVES, 1, "DERIV");
const TEX_SUFFIXES: &[Suffix] = &[TEX_LIVE, TEX_DERIVATIVES];
const TEX_NOTES: &[&str] = &[
    "Coordinates and results share their first register. The operands are: first result register, the components \
        written (one register each, without gaps), first coordinate register, number of coordinates (V1 to V4), \
        texture number, sampler number, and the texel offset if it is not 0.",
    "Only the name is known from the vendor's tool; the operands' notation is the project's own.",
    "This core has no texture unit.",
];
const TEX32: Row = Row {
    slots: &[
        d(Word(DESTINATION_6)),
        s1(Word(DESTINATION_6)),
        TEX_COORDINATES,
        TEX_TEXTURE,
        TEX_SAMPLER,
    ],
    suffixes: &[Suffix::When(LIVE_SHORT, 1, "LIVE")],
    unit: Unit::Texture,
    execution: Execution::NotYet,
    source: "envytools (envydis g80 and its texture page)",
    notes: TEX_NOTES,
    ..SHORT
};

/// Conversions from and to half precision, which the G80 has in addition to those in the manual.
const F16: Row = Row {
    unit: Unit::Float,
    source: "envytools (envydis g80, cvt)",
    notes: &["Half-precision numbers are in register halves. The G80 converts them but has no arithmetic on them."],
    ..LONG
};

const ADD_MARKS_1: &[(Mark, Field, u32)] = &[(Mark::Negate, ADD_KIND, 2)];
const ADD_MARKS_3: &[(Mark, Field, u32)] = &[(Mark::Negate, ADD_KIND, 1)];
const MAD_MARKS_1: &[(Mark, Field, u32)] = &[(Mark::Negate, MAD_ADD_KIND, 2)];
const MAD_MARKS_3: &[(Mark, Field, u32)] = &[(Mark::Negate, MAD_ADD_KIND, 1)];
const SIGN_61: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_61, 1), (Mark::Absolute, ABSOLUTE, 1)];
const SIGN_58: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_58, 1), (Mark::Absolute, ABSOLUTE, 1)];
const SIGN_59: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_59, 1), (Mark::Absolute, ABSOLUTE_51, 1)];
const NEGATE_58_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_58, 1)];
const NEGATE_59_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_59, 1)];
const NEGATE_15_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_15, 1)];
const NEGATE_22_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_22, 1)];

/// Global accesses of 32 bits in space 14.
const GLOBAL_14: Execution = Execution::Only(&[(GLOBAL_SPACE, &[14])]);

// ---- The rows ---------------------------------------------------------------------------------------------------

/// Every instruction. No word matches two rows.
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
        control: MOVE,
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
        control: MOVE,
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
        control: MOVE,
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
        control: MOVE,
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
        control: MOVE.operands(B_IS_3),
        semantics: "shared memory = source 3",
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
        control: Control::new("Shift").operands([Role::Source1, Role::Inherent, Role::Source3]),
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
        control: MOVE,
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
        operation: |_| Operation::Plain(Plain::new("ADA", |lane| plain(Width::B32, lane.a.wrapping_add(lane.b)))),
        control: Control::new("Add"),
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
        control: MOVE,
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
        control: Control::new("SetCode"),
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
        control: MOVE,
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
        control: Control::new("Convert").reads(&[SOURCE_TYPE, RESULT_TYPE, ABSOLUTE_A, CONVERT_SIGN]),
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
        control: Control::new("Add").operands(B_IS_3).reads(IADD_READS),
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
        control: Control::new("Add").operands(B_IS_3).reads(IADD_SHORT_READS),
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
        control: Control::new("Add").operands(B_IS_3).reads(IADD_SHORT_READS),
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
        control: Control::new("Multiply").reads(&[PRODUCT]),
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
        control: Control::new("Multiply").reads(&[PRODUCT_SHORT]),
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
        control: Control::new("Multiply").reads(&[PRODUCT_SHORT]),
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
        control: Control::new("Multiply").sets(&["integer.accumulate"]).reads(&[PRODUCT_SUM, MAD]),
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
        control: Control::new("Multiply").sets(&["integer.accumulate", "integer.multiply_24"]).reads(&[PRODUCT_SUM, MAD_7]),
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
        control: Control::new("Multiply").sets(&["integer.accumulate"]).reads(&[PRODUCT_SUM_SHORT, MAD_SHORT]),
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
        control: Control::new("Multiply").sets(&["integer.accumulate"]).reads(&[PRODUCT_SUM_SHORT, MAD_SHORT]),
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
        control: Control::new("SumDistance").reads(&[SIGN]),
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
        control: Control::new("SumDistance").reads(&[SIGN_SHORT]),
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
        control: Control::new("Shift"),
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
        control: Control::new("Shift").sets(&["integer.shift_right"]).reads(&[SIGN]),
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
        control: Control::new("Logic").reads(&[LOGIC_FUNCTION, INVERT_A, INVERT_B]),
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
        control: Control::new("Logic").reads(&[LOGIC_FUNCTION_SHORT, INVERT_A_SHORT]),
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
        control: Control::new("Set").reads(&[SIGN, COMPARISON]),
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
        control: Control::new("MinMax").sets(&["integer.maximum"]).reads(&[SIGN]),
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
        control: Control::new("MinMax").reads(&[SIGN]),
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
        control: Control::new("Kill"),
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
        control: Control::new("Branch"),
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
        control: Control::new("Call"),
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
        control: Control::new("Return"),
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
        control: Control::new("PushBreak"),
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
        control: Control::new("Break"),
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
        control: Control::new("Barrier"),
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
        control: Control::new("Trap"),
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
        control: Control::new("Trap"),
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
        control: Control::new("Breakpoint"),
        semantics: "breakpoint for a debugger; an error without a debugger",
        source: "envytools (envydis g80 and its control page, brkpt)",
        since: Capability(1, 1),
        ..CONTROL
    },
    Row {
        name: "BPT32",
        pattern: pattern(Form::Short, 2, 3, 0xb),
        operation: |_| Operation::Bpt,
        unit: Unit::Branch,
        control: Control::new("Breakpoint"),
        semantics: "breakpoint for a debugger; an error without a debugger",
        source: "envytools (envydis g80, brkpt)",
        since: Capability(1, 1),
        ..SHORT
    },
    Row {
        name: "SSY",
        pattern: control(0xa),
        slots: &[inherent(Location::Target(TARGET))],
        operation: |w| Operation::Ssy { target: byte_target(w) },
        control: Control::new("PushJoin"),
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
        control: MOVE,
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
        control: MOVE,
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
        control: Control::new("Load"),
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
        control: Control::new("Store").operands(B_IS_3),
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
        control: Control::new("Load"),
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
        control: Control::new("Store").operands(B_IS_3),
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
        control: Control::new("Add").reads(&[NEGATE_A, NEGATE_C, FLOAT_CLAMP, SUM_ROUNDING]),
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
        control: Control::new("Add").reads(&[NEGATE_A_SHORT, NEGATE_C_SHORT, FLOAT_CLAMP_SHORT]),
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
        control: Control::new("Add").reads(&[NEGATE_A_SHORT, NEGATE_C_SHORT, FLOAT_CLAMP_SHORT]),
        semantics: "source 1 + immediate (.NEG negates the immediate)",
        source: "manual FADD32I; encoding notes FADD32I",
        manual: &[&manual::FADD32I],
        ..SHORT
    },
    Row {
        name: "FMUL",
        pattern: long(0xc, 0),
        suffixes: &[
            Suffix::Names(SATURATE_52, SATURATE_NAMES),
            Suffix::Names(ROUND_46, ROUND_NEAREST_ZERO_NAMES),
        ],
        slots: &[
            d(LONG_D_WORD),
            s1(LONG_1_WORD).marked(NEGATE_58_MARKS),
            s2(LONG_2_WORD).marked(NEGATE_59_MARKS),
        ],
        operation: |w| Operation::Fmul {
            rounding: Rounding::from_bits(ROUND_46.get(w)),
            negate1: bit(NEGATE_58, w),
            negate2: bit(NEGATE_59, w),
        },
        unit: Unit::Float,
        control: Control::new("Multiply").reads(&[NEGATE_A, NEGATE_B, PRODUCT_ROUNDING]),
        semantics: "source 1 * source 2; each may be negated",
        source: "manual FMUL; encoding notes FMUL; envytools (hardware tests)",
        manual: &[&manual::FMUL],
        notes: FMUL_NOTES,
        ..LONG
    },
    Row {
        name: "FMUL32",
        pattern: short(0xc),
        suffixes: &[Suffix::Names(SATURATE_8, SATURATE_NAMES)],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(SHORT_1_WORD).marked(NEGATE_15_MARKS),
            s2(SHORT_2_WORD).marked(NEGATE_22_MARKS),
        ],
        operation: |w| Operation::Fmul {
            rounding: Rounding::Nearest,
            negate1: bit(NEGATE_15, w),
            negate2: bit(NEGATE_22, w),
        },
        unit: Unit::Float,
        control: Control::new("Multiply").reads(&[NEGATE_A_SHORT, NEGATE_B_SHORT]),
        semantics: "source 1 * source 2; each may be negated",
        source: "manual FMUL32; encoding notes FMUL32",
        manual: &[&manual::FMUL32],
        notes: FMUL_NOTES,
        ..SHORT
    },
    Row {
        name: "FMUL32I",
        pattern: immediate(0xc),
        suffixes: &[
            Suffix::Names(SATURATE_8, SATURATE_NAMES),
            Suffix::Names(NEGATE_22, names!["", "NEG"]),
        ],
        slots: &[
            d(Word(DESTINATION_6)),
            s1(SHORT_1_WORD).marked(NEGATE_15_MARKS),
            s2(Location::FloatNumber(NUMBER)),
        ],
        operation: |w| Operation::Fmul {
            rounding: Rounding::Nearest,
            negate1: bit(NEGATE_15, w),
            negate2: bit(NEGATE_22, w),
        },
        unit: Unit::Float,
        control: Control::new("Multiply").reads(&[NEGATE_A_SHORT, NEGATE_B_SHORT]),
        semantics: "source 1 * immediate (.NEG negates the immediate)",
        source: "manual FMUL32I; encoding notes FMUL32I",
        manual: &[&manual::FMUL32I],
        notes: FMUL_NOTES,
        ..SHORT
    },
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
        control: Control::new("MultiplyAdd").reads(&[NEGATE_A, NEGATE_C, FLOAT_CLAMP]),
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
        control: Control::new("MultiplyAdd").reads(&[NEGATE_A_SHORT, NEGATE_C_SHORT, FLOAT_CLAMP_SHORT]),
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
        control: Control::new("MultiplyAdd").reads(&[NEGATE_A_SHORT, NEGATE_C_SHORT, FLOAT_CLAMP_SHORT]),
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
        control: Control::new("Set").reads(&[ABSOLUTE_A, NEGATE_A, ABSOLUTE_B, NEGATE_B, FLOAT_COMPARISON]),
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
        control: Control::new("MinMax").sets(&["float.maximum"]).reads(SIGNS_1_AND_2),
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
        control: Control::new("MinMax").reads(SIGNS_1_AND_2),
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
        control: Control::new("Select").reads(&[NEGATE_C_61]),
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
        control: Control::new("Add").operands([Role::Source3, Role::Source1, Role::Source2]).sets(&["swizzles"]),
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
        control: Control::new("ReduceSine").reads(&[ABSOLUTE_A, NEGATE_A, REDUCTION]),
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
        control: Control::new("ToFloat").reads(F2F_READS),
        semantics: "source 1 with optional absolute value, negation and saturation",
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
        control: Control::new("ToFloat").sets(&["float.integral"]).reads(F2F_ROUNDED_READS),
        semantics: "source 1 with optional absolute value, negation and saturation, rounded to an integral value",
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
        control: Control::new("ToInteger").reads(F2I_READS),
        semantics: "float source 1 as an integer, rounded and clamped",
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
        control: Control::new("FromInteger").reads(I2F_READS),
        semantics: "integer source 1 as a float, with optional absolute value and negation; SAT clamps to [+0, 1]",
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
        control: Control::new("ToFloat").sets(&["float.source_half", "float.result_half"]).reads(F2F_READS),
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
        control: Control::new("ToFloat").sets(&["float.source_half", "float.result_half", "float.integral"]).reads(F2F_ROUNDED_READS),
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
        control: Control::new("ToFloat").sets(&["float.result_half"]).reads(F2F_HALF_READS),
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
        control: Control::new("ToFloat").sets(&["float.source_half"]).reads(F2F_READS),
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
        control: Control::new("ToFloat").sets(&["float.source_half", "float.integral"]).reads(F2F_ROUNDED_READS),
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
        control: Control::new("ToInteger").sets(&["float.source_half"]).reads(F2I_READS),
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
        control: Control::new("FromInteger").sets(&["float.result_half"]).reads(I2F_READS),
        semantics: "integer source 1 in half precision, with optional absolute value and negation; SAT clamps to [+0, 1]",
        ..F16
    },
    // Special functions
    Row {
        name: "RCP",
        pattern: long(0x9, 0),
        operation: |w| special(SpecialFunction::Reciprocal, w),
        control: Control::new("Reciprocal").reads(SIGNS_1),
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
        control: Control::new("Reciprocal").reads(&[RCP_ABSOLUTE_SHORT, RCP_NEGATE_SHORT]),
        semantics: "1 / source 1",
        source: "manual RCP32; encoding notes RCP32",
        manual: &[&manual::RCP32],
        ..SHORT
    },
    Row {
        name: "RSQ",
        pattern: long(0x9, 2),
        operation: |w| special(SpecialFunction::ReciprocalRoot, w),
        control: Control::new("ReciprocalRoot").reads(SIGNS_1),
        semantics: "1 / square root of source 1",
        source: "manual RSQ; encoding notes RSQ",
        manual: &[&manual::RSQ],
        ..SPECIAL
    },
    Row {
        name: "LG2",
        pattern: long(0x9, 3),
        operation: |w| special(SpecialFunction::Logarithm, w),
        control: Control::new("Logarithm").reads(SIGNS_1),
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
        control: Control::new("Sine"),
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
        control: Control::new("Cosine"),
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
        control: Control::new("Power").reads(&[SPECIAL_CLAMP]),
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
