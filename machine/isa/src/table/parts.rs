//! Parts that rows share: operand locations, names of field values and their meanings, common fields of rows.

use super::capability::Capability;
use super::field::Field;
use super::fields::*;
use super::manual;
use super::pattern::{control, immediate, long, short};
use super::row::*;
use super::slot::*;
use crate::operation::*;

// ---- Operand locations ------------------------------------------------------------------------------------------

use Location::{Half, Select, Undefined, Word};

pub(super) const INDIRECT: IndirectFields = IndirectFields {
    register: ADDRESS,
    post_increment: POST_INCREMENT,
};
pub(super) const INDIRECT_SHORT: IndirectFields = IndirectFields {
    register: ADDRESS_SHORT,
    post_increment: POST_INCREMENT,
};

pub(super) const fn shared_of(offset: Field, access: Access, indirect: IndirectFields) -> Location {
    Location::Shared {
        offset,
        access,
        indirect,
        explicit: true,
    }
}
/// A store's address; the mnemonic gives the size.
pub(super) const fn shared_store(offset: Field, access: Access) -> Location {
    Location::Shared {
        offset,
        access,
        indirect: INDIRECT,
        explicit: false,
    }
}
pub(super) const SHARED: Location = Select(
    SHARED_ACCESS,
    &[
        shared_of(SHARED_OFFSET, Access::U8, INDIRECT),
        shared_of(SHARED_OFFSET, Access::U16, INDIRECT),
        shared_of(SHARED_OFFSET, Access::S16, INDIRECT),
        shared_of(SHARED_OFFSET, Access::B32, INDIRECT),
    ],
);
pub(super) const SHARED_SHORT: Location = Select(
    SHARED_ACCESS_SHORT,
    &[
        shared_of(SHARED_OFFSET_SHORT, Access::U8, INDIRECT_SHORT),
        shared_of(SHARED_OFFSET_SHORT, Access::U16, INDIRECT_SHORT),
        shared_of(SHARED_OFFSET_SHORT, Access::S16, INDIRECT_SHORT),
        shared_of(SHARED_OFFSET_SHORT, Access::B32, INDIRECT_SHORT),
    ],
);

pub(super) const fn constant_of(
    bank: Field,
    offset: Field,
    access: Access,
    indirect: Option<IndirectFields>,
) -> Location {
    Location::Constant {
        bank,
        offset,
        access,
        indirect,
        explicit: false,
    }
}
// A long instruction has one set of address-register bits. They belong to the s[] operand if there is one.
pub(super) const C2_WORD: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_2, Access::B32, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_2, Access::B32, None),
    ],
);
pub(super) const C2_HALF: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_2, Access::U16, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_2, Access::U16, None),
    ],
);
pub(super) const C3_WORD: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_3, Access::B32, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_3, Access::B32, None),
    ],
);
pub(super) const C3_HALF: Location = Select(
    SHARED_1,
    &[
        constant_of(BANK, CONSTANT_OFFSET_3, Access::U16, Some(INDIRECT)),
        constant_of(BANK, CONSTANT_OFFSET_3, Access::U16, None),
    ],
);

// Long form. LONG_x_WIDE: bit 58 selects the half or the whole register.
pub(super) const LONG_D_WORD: Location = Select(OUTPUT, &[Word(DESTINATION), Location::Discard(DESTINATION)]);
pub(super) const LONG_D_HALF: Location = Select(OUTPUT, &[Half(DESTINATION), Location::Discard(DESTINATION)]);
pub(super) const LONG_D_WIDE: Location = Select(WIDE, &[LONG_D_HALF, LONG_D_WORD]);
pub(super) const LONG_1_WORD: Location = Select(SHARED_1, &[Word(SOURCE_1), SHARED]);
pub(super) const LONG_1_HALF: Location = Select(SHARED_1, &[Half(SOURCE_1), SHARED]);
pub(super) const LONG_1_WIDE: Location = Select(WIDE, &[LONG_1_HALF, LONG_1_WORD]);
pub(super) const LONG_2_WORD: Location = Select(CONSTANT_2, &[Word(SOURCE_2), C2_WORD]);
pub(super) const LONG_2_HALF: Location = Select(CONSTANT_2, &[Half(SOURCE_2), C2_HALF]);
pub(super) const LONG_2_WIDE: Location = Select(WIDE, &[LONG_2_HALF, LONG_2_WORD]);
pub(super) const LONG_3_WORD: Location = Select(CONSTANT_3, &[Word(SOURCE_3), C3_WORD]);
pub(super) const LONG_3_HALF: Location = Select(CONSTANT_3, &[Half(SOURCE_3), C3_HALF]);
pub(super) const LONG_3_WIDE: Location = Select(WIDE, &[LONG_3_HALF, LONG_3_WORD]);
// With three sources, only one of sources 2 and 3 may be a constant.
pub(super) const MAD_2_WORD: Location =
    Select(CONSTANT_2, &[Word(SOURCE_2), Select(CONSTANT_3, &[C2_WORD, Undefined])]);
pub(super) const MAD_2_HALF: Location =
    Select(CONSTANT_2, &[Half(SOURCE_2), Select(CONSTANT_3, &[C2_HALF, Undefined])]);
pub(super) const MAD_2_WIDE: Location = Select(WIDE, &[MAD_2_HALF, MAD_2_WORD]);
pub(super) const MAD_3_WORD: Location =
    Select(CONSTANT_3, &[Word(SOURCE_3), Select(CONSTANT_2, &[C3_WORD, Undefined])]);
pub(super) const SHIFT_2: Location = Select(SHIFT_NUMBER, &[LONG_2_WIDE, Location::Number(SOURCE_2)]);

// Short and immediate forms.
pub(super) const SHORT_D_WIDE: Location = Select(WIDE_SHORT, &[Half(DESTINATION_6), Word(DESTINATION_6)]);
pub(super) const SHORT_1_WORD: Location = Select(SHARED_1_SHORT, &[Word(SOURCE_1_6), SHARED_SHORT]);
pub(super) const SHORT_1_HALF: Location = Select(SHARED_1_SHORT, &[Half(SOURCE_1_6), SHARED_SHORT]);
pub(super) const SHORT_1_WIDE: Location = Select(WIDE_SHORT, &[SHORT_1_HALF, SHORT_1_WORD]);
// A short instruction has room for s[] or c[], but not both.
pub(super) const SHORT_2_WORD: Location = Select(
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
pub(super) const SHORT_2_HALF: Location = Select(
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
pub(super) const SHORT_2_WIDE: Location = Select(WIDE_SHORT, &[SHORT_2_HALF, SHORT_2_WORD]);

pub(super) const fn mvc_of(offset: Field, access: Access) -> Location {
    Location::Constant {
        bank: BANK,
        offset,
        access,
        indirect: Some(INDIRECT),
        explicit: true,
    }
}
pub(super) const MVC_1: Location = Select(
    MVC_ACCESS,
    &[
        mvc_of(WIDE_OFFSET_8, Access::U8),
        mvc_of(WIDE_OFFSET_16, Access::U16),
        mvc_of(WIDE_OFFSET_16, Access::S16),
        mvc_of(WIDE_OFFSET_32, Access::B32),
    ],
);
pub(super) const R2G_1: Location = Select(
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
pub(super) const LOCAL_1: Location = Location::Local {
    offset: WIDE_OFFSET_8,
    indirect: INDIRECT,
};
pub(super) const GLOBAL_1: Location = Location::Global(GLOBAL_SPACE, SOURCE_1);

pub(super) const fn slot(role: Role, location: Location) -> Slot {
    Slot {
        role,
        location,
        marks: &[],
    }
}
pub(super) const fn d(location: Location) -> Slot {
    slot(Role::Destination, location)
}
pub(super) const fn s1(location: Location) -> Slot {
    slot(Role::Source1, location)
}
pub(super) const fn s2(location: Location) -> Slot {
    slot(Role::Source2, location)
}
pub(super) const fn s3(location: Location) -> Slot {
    slot(Role::Source3, location)
}
pub(super) const fn inherent(location: Location) -> Slot {
    slot(Role::Inherent, location)
}
impl Slot {
    pub(super) const fn marked(self, marks: &'static [(Mark, Field, u32)]) -> Slot {
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

pub(super) type Names = &'static [Option<&'static str>];

pub(super) const WIDTH_NAMES: Names = names!["U16", ""];
pub(super) const WIDE_SIGNED_NAMES: Names = names!["U16", "", "S16", "S32"];
pub(super) const SATURATE_NAMES: Names = names!["", "SAT"];
pub(super) const MUL_NAMES: Names = names![
    "U16.U16",
    "U16.S16",
    "S16.U16",
    "S16.S16",
    "U24.U24",
    "HI.U24.U24",
    "S24.S24",
    "HI.S24.S24"
];
pub(super) const MAD_NAMES: Names = names!["U16", "S16", "SAT.S16", "U24", "S24", "SAT.S24", "HI.U24", "HI.S24"];
pub(super) const MAD_7_NAMES: Names = names![
    "HI.SAT.S24",
    "U24.X1",
    "U24.X2",
    "U24.X3",
    "U24.X4",
    "U24.X5",
    "U24.X6",
    "U24.X7"
];
pub(super) const MAD_SHORT_NAMES: Names = names!["U16", "S16", "SAT.S16", "U24"];
pub(super) const LOGIC_NAMES: Names = names!["AND", "OR", "XOR", "PASS_B"];
pub(super) const COMPARE_NAMES: Names = names!["FALSE", "LT", "EQ", "LE", "GT", "NE", "GE", "TRUE"];
pub(super) const COMPARE_FLOAT_NAMES: Names =
    names!["FALSE", "LT", "EQ", "LE", "GT", "NE", "GE", "LEG", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "TRUE"];
pub(super) const CONVERT_FROM_NAMES: Names =
    names!["U16", "U32", "U16.BEXT", "U32.BEXT", "S16", "S32", "S16.BEXT", "S32.BEXT"];
pub(super) const CONVERT_TO_NAMES: Names =
    names!["U16", "U32", "S16", "S32", "U16.BEXT", "U32.BEXT", "S16.BEXT", "S32.BEXT"];
pub(super) const F2I_TO_NAMES: Names = names!["U16", "U32", "S16", "S32"];
pub(super) const MEMORY_NAMES: Names = names!["U8", "S8", "U16", "S16", "S64", "S128", "U32", _];
pub(super) const ROUND_NEAREST_ZERO_NAMES: Names = names!["", _, _, "TRUNC"];
pub(super) const ROUND_NAMES: Names = names!["", "FLOOR", "CEIL", "TRUNC"];
pub(super) const ROUND_INTEGRAL_NAMES: Names = names!["ROUND", "FLOOR", "CEIL", "TRUNC"];
pub(super) const ROUND_HALF_NAMES: Names = names![
    "",
    "INT",
    "FLOOR",
    "INT.FLOOR",
    "CEIL",
    "INT.CEIL",
    "TRUNC",
    "INT.TRUNC"
];
pub(super) const QUAD_THREAD_NAMES: Names = names!["L0", "L1", "L2", "L3", "DX", "DY", "DX6", "DY7"];
pub(super) const QUAD_NAMES: Names = names!["ADD", "SUBR", "SUB", "MOV"];
// Bit 0: 32-bit register, bit 1: store 8 bits, bit 2: store 32 bits (bit 1 wins).
pub(super) const R2G_NAMES: Names = names!["U16.U16", "U32.U16", "U16.U8", "U32.U8", "U16.U32", "U32.U32", _, _];

pub(super) const COORDINATE_NAMES: Names = names!["V1", "V2", "V3", "V4"];
pub(super) const COMPONENT_NAMES: Names =
    names!["NONE", "X", "Y", "XY", "Z", "XZ", "YZ", "XYZ", "W", "XW", "YW", "XYW", "ZW", "XZW", "YZW", "XYZW"];

// ---- Meanings of field values -----------------------------------------------------------------------------------

pub(super) fn bit(field: Field, word: u64) -> bool {
    field.get(word) != 0
}
pub(super) fn width(field: Field, word: u64) -> Width {
    if bit(field, word) {
        Width::B32
    } else {
        Width::B16
    }
}
/// The sum, and the condition-code register with the carry.
pub(super) fn sum(kind: u32, carry: u32) -> (Sum, u8) {
    match kind & 3 {
        0 => (Sum::Add, 0),
        1 => (Sum::Subtract, 0),
        2 => (Sum::ReverseSubtract, 0),
        _ => (Sum::AddCarry, (carry & 3) as u8),
    }
}
pub(super) fn iadd(kind: u32, carry: u32, width: Width, saturate: bool) -> Operation {
    let (sum, carry) = sum(kind, carry);
    Operation::Iadd {
        sum,
        carry,
        width,
        saturate,
    }
}
pub(super) fn imul(kind: u32) -> Operation {
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
pub(super) fn imad(product: Product, sum_kind: u32, carry: u32) -> Operation {
    let (sum, carry) = sum(sum_kind, carry);
    Operation::Imad { product, sum, carry }
}
/// IMAD's products, in the order of the long form's field; the short form has only the first four.
pub(super) fn product(kind: u32) -> Product {
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
pub(super) fn logic(kind: u32) -> Logic {
    [Logic::And, Logic::Or, Logic::Xor, Logic::PassB][kind as usize & 3]
}
/// Bit 0: 32 bits; bit 1: signed; bit 2: 8 bits.
pub(super) fn convert_to(kind: u32) -> Integer {
    use Integer::*;
    [U16, U32, S16, S32, U8, U8, S8, S8][kind as usize & 7]
}
/// Bit 0: 32-bit register; bit 1: 8 bits of it; bit 2: signed.
pub(super) fn convert_from(kind: u32) -> Integer {
    use Integer::*;
    [U16, U32, U8, U8, S16, S32, S8, S8][kind as usize & 7]
}
pub(super) fn sign(absolute: Field, negate: Field, word: u64) -> Sign {
    Sign {
        absolute: bit(absolute, word),
        negate: bit(negate, word),
    }
}
pub(super) fn byte_target(word: u64) -> u32 {
    TARGET.get(word) << 2
}
pub(super) fn memory(word: u64) -> (u8, MemoryAccess) {
    (
        GLOBAL_SPACE.get(word) as u8,
        MemoryAccess::from_bits(MEMORY_ACCESS.get(word)),
    )
}
/// A texel's offset: three 4-bit numbers in two's complement.
pub(super) fn texel_offset(word: u64) -> [i8; 3] {
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
pub(super) fn texture(kind: TextureKind, cube: bool, word: u64) -> Operation {
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
            (TextureKind::Size | TextureKind::Prepare | TextureKind::Level, _) | (_, true) => [0; 3],
            _ => texel_offset(word),
        },
    })
}
/// Short forms write all four components and have no texel offset.
pub(super) fn texture_short(kind: TextureKind, word: u64) -> Operation {
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
pub(super) fn f2f(from: Float, to: Float, rounding: Rounding, integral: bool, word: u64) -> Operation {
    Operation::F2f {
        from,
        to,
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding,
        integral,
        saturate: bit(SATURATE_51, word),
    }
}
pub(super) fn f2i(from: Float, word: u64) -> Operation {
    let to = convert_to(WIDE_SIGNED.get(word));
    Operation::F2i {
        from,
        width: width(WIDE, word),
        signed: to.is_signed(),
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding: Rounding::from_bits(ROUND_49.get(word)),
    }
}
pub(super) fn i2f(to: Float, word: u64) -> Operation {
    Operation::I2f {
        from: convert_from(CONVERT_FROM.get(word)),
        to,
        sign: sign(ABSOLUTE, NEGATE_61, word),
        rounding: Rounding::from_bits(ROUND_49.get(word)),
        saturate: bit(SATURATE_51, word),
    }
}
/// The product of source 1 and source 2, which may be negated.
pub(super) fn fmul(rounding: Rounding, saturate: bool, negate: [Field; 2], word: u64) -> Operation {
    Operation::Fmul {
        rounding,
        saturate,
        negate1: bit(negate[0], word),
        negate2: bit(negate[1], word),
    }
}
pub(super) fn special(function: SpecialFunction, word: u64) -> Operation {
    Operation::Special {
        function,
        sign: sign(ABSOLUTE, NEGATE_58, word),
        saturate: false,
    }
}

// ---- Common parts of rows ---------------------------------------------------------------------------------------

pub(super) const LONG: Row = Row {
    name: "",
    pattern: long(0, 0),
    guard: Guard::Conditional,
    writes_cc: true,
    suffixes: &[],
    slots: &[],
    operation: |_| Operation::Nop,
    unit: Unit::Integer,
    execution: Execution::Full,
    semantics: "",
    source: "",
    since: Capability::V1_0,
    until: Capability::LATEST,
    narrowed: None,
    manual: &[],
    notes: &[],
};
pub(super) const SHORT: Row = Row {
    guard: Guard::Always,
    writes_cc: false,
    pattern: short(0),
    ..LONG
};
pub(super) const CONTROL: Row = Row {
    guard: Guard::Always,
    writes_cc: false,
    pattern: control(0),
    unit: Unit::Branch,
    ..LONG
};
pub(super) const SPECIAL: Row = Row {
    writes_cc: false,
    unit: Unit::SpecialFunction,
    slots: &[d(LONG_D_WORD), s1(Word(SOURCE_1)).marked(SIGN_58)],
    ..LONG
};

pub(super) const F2F_NOTES: &[&str] = &["Without rounding to an integral value the mode in bits 50..49 has no effect."];
pub(super) const FMUL_NOTES: &[&str] =
    &["SAT has no effect: products are clamped only from compute capability 1.2 on."];
/// Products up to 1.1; from 1.2 on [`super::LATER_ROWS`] has rows that saturate.
pub(super) const FMUL: Row = Row {
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
    operation: |w| fmul(Rounding::from_bits(ROUND_46.get(w)), false, [NEGATE_58, NEGATE_59], w),
    unit: Unit::Float,
    semantics: "source 1 * source 2; each may be negated",
    source: "manual FMUL; encoding notes FMUL; envytools (hardware tests)",
    manual: &[&manual::FMUL],
    notes: FMUL_NOTES,
    until: Capability::V1_1,
    ..LONG
};
pub(super) const FMUL32: Row = Row {
    name: "FMUL32",
    pattern: short(0xc),
    suffixes: &[Suffix::Names(SATURATE_8, SATURATE_NAMES)],
    slots: &[
        d(Word(DESTINATION_6)),
        s1(SHORT_1_WORD).marked(NEGATE_15_MARKS),
        s2(SHORT_2_WORD).marked(NEGATE_22_MARKS),
    ],
    operation: |w| fmul(Rounding::Nearest, false, [NEGATE_15, NEGATE_22], w),
    unit: Unit::Float,
    semantics: "source 1 * source 2; each may be negated",
    source: "manual FMUL32; encoding notes FMUL32",
    manual: &[&manual::FMUL32],
    notes: FMUL_NOTES,
    until: Capability::V1_1,
    ..SHORT
};
pub(super) const FMUL32I: Row = Row {
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
    operation: |w| fmul(Rounding::Nearest, false, [NEGATE_15, NEGATE_22], w),
    unit: Unit::Float,
    semantics: "source 1 * immediate (.NEG negates the immediate)",
    source: "manual FMUL32I; encoding notes FMUL32I",
    manual: &[&manual::FMUL32I],
    notes: FMUL_NOTES,
    until: Capability::V1_1,
    ..SHORT
};
/// A conversion without a 64-bit operand: bit 54 is ignored up to 1.2.
pub(super) const WITHOUT_64: Option<(Capability, Field)> = Some((Capability::V1_3, CONVERTS_64));

/// Texture instructions read their coordinates from the registers that they then overwrite.
pub(super) const TEX: Row = Row {
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
pub(super) const TEX_CUBE_SLOTS: &[Slot] = &[
    TEX_RESULT,
    TEX_COMPONENTS,
    TEX_FIRST_COORDINATE,
    TEX_COORDINATES,
    TEX_TEXTURE,
    TEX_SAMPLER,
];
pub(super) const TEX_RESULT: Slot = d(Word(DESTINATION));
pub(super) const TEX_COMPONENTS: Slot = inherent(Location::Named(COMPONENTS, COMPONENT_NAMES));
pub(super) const TEX_FIRST_COORDINATE: Slot = s1(Word(DESTINATION));
pub(super) const TEX_COORDINATES: Slot = inherent(Location::Named(COORDINATES, COORDINATE_NAMES));
pub(super) const TEX_TEXTURE: Slot = inherent(Location::Number(TEXTURE));
pub(super) const TEX_SAMPLER: Slot = inherent(Location::Number(SAMPLER));
pub(super) const TEX_LIVE: Suffix = Suffix::When(LIVE, 1, "LIVE");
pub(super) const TEX_DERIVATIVES: Suffix = Suffix::When(DERIVATIVES, 1, "DERIV");
pub(super) const TEX_SUFFIXES: &[Suffix] = &[TEX_LIVE, TEX_DERIVATIVES];
pub(super) const TEX_NOTES: &[&str] = &[
    "Coordinates and results share their first register. The operands are: first result register, the components \
        written (one register each, without gaps), first coordinate register, number of coordinates (V1 to V4), \
        texture number, sampler number, and the texel offset if it is not 0.",
    "Only the name is known from the vendor's tool; the operands' notation is the project's own.",
    "This core has no texture unit.",
];
pub(super) const TEX32: Row = Row {
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

/// Conversions from and to half precision, which the G80 has but the manual does not describe.
pub(super) const F16: Row = Row {
    unit: Unit::Float,
    narrowed: WITHOUT_64,
    source: "envytools (envydis g80, cvt)",
    notes: &["Half-precision numbers are in register halves. The G80 converts them but has no arithmetic on them."],
    ..LONG
};

pub(super) const ADD_MARKS_1: &[(Mark, Field, u32)] = &[(Mark::Negate, ADD_KIND, 2)];
pub(super) const ADD_MARKS_3: &[(Mark, Field, u32)] = &[(Mark::Negate, ADD_KIND, 1)];
pub(super) const MAD_MARKS_1: &[(Mark, Field, u32)] = &[(Mark::Negate, MAD_ADD_KIND, 2)];
pub(super) const MAD_MARKS_3: &[(Mark, Field, u32)] = &[(Mark::Negate, MAD_ADD_KIND, 1)];
pub(super) const SIGN_61: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_61, 1), (Mark::Absolute, ABSOLUTE, 1)];
pub(super) const SIGN_58: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_58, 1), (Mark::Absolute, ABSOLUTE, 1)];
pub(super) const SIGN_59: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_59, 1), (Mark::Absolute, ABSOLUTE_51, 1)];
pub(super) const NEGATE_58_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_58, 1)];
pub(super) const NEGATE_59_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_59, 1)];
pub(super) const NEGATE_15_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_15, 1)];
pub(super) const NEGATE_22_MARKS: &[(Mark, Field, u32)] = &[(Mark::Negate, NEGATE_22, 1)];

/// Global accesses of 32 bits in space 14.
pub(super) const GLOBAL_14: Execution = Execution::Only(&[(GLOBAL_SPACE, &[14])]);

pub(super) use {name, names};
