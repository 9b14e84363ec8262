//! Textures and surfaces.

use super::pieces::*;
use crate::set::*;

const SUATOM_TYPES: &[Option<&str>] = names! {
    "", ".S32", ".U64", ".F32.FTZ.RN", ".F16x2.FTZ.RN", ".S64", ".SD32", ".SD64"
};

const LOD: &[Option<&str>] = names! { "", ".LZ", ".LB", ".LL", ".INVALIDBLOD4", ".INVALIDBLOD5", ".LBA", ".LLA" };

const LZ: &[Option<&str>] = names! { ".LZ", ".LL" };

const TOFF: &[Option<&str>] = names! { "", ".AOFFI", ".PTP", ".INVALIDBTOFF03" };

const RGBA_ONE: &[Option<&str>] = names! { ".R", ".G", ".B", ".A" };

const DIMS: &[Option<&str>] = names! { "1D", "ARRAY_1D", "2D", "ARRAY_2D", "3D", "ARRAY_3D", "CUBE", "ARRAY_CUBE" };

const SU_DIMS: &[Option<&str>] = names! { ".1D", ".1D_BUFFER", ".1D_ARRAY", ".2D", ".2D_ARRAY", ".3D", _, _ };

const CLAMP: &[Option<&str>] = names! { ".IGN", "", ".TRAP", ".INVALIDSURFACECLAMP3" };

/// RZ is not printed.
const THEN_B_NOT_RZ: Piece = cases! { if_bits(20, 8, 0xff, &[]), otherwise(&[THEN_B]) };

const THEN_DIM_MASK: Piece = group! { COMMA, pick("dimension", 28, 3, DIMS), COMMA, hex("mask", 31, 4) };

const THEN_TEX: Piece = group! { COMMA, hex("number", 36, 13), THEN_DIM_MASK };

const THEN_TEX_0: Piece = group! { Text(", 0x0"), THEN_DIM_MASK };

const INTO_PD_A: Piece = group! {
    SPACE, Cases(&[if_bits(51, 3, 7, &[]), otherwise(&[pred(51), COMMA])]), D, THEN_A
};

const NDV_NODEP: Piece = group! { on(35, ".NDV"), on(49, ".NODEP") };

/// The first pieces of every form of TLD.
const TLD: Piece = group! {
    pick("level", 55, 1, LZ), on(35, ".AOFFI"), on(50, ".MS"), on(54, ".CL"), on(49, ".NODEP"), INTO_PD_A,
    THEN_B_NOT_RZ
};

const TXQ_MODES: &[Option<&str>] = names! {
    _, ", TEX_HEADER_DIMENSION", ", TEX_HEADER_TEXTURE_TYPE", _, _, ", TEX_HEADER_SAMPLER_POS", _, _, _, _, _, _, _,
    _, _, _, ", TEX_SAMPLER_FILTER", _, ", TEX_SAMPLER_LOD", _, ", TEX_SAMPLER_WRAP", _, ", TEX_SAMPLER_BORDER_COLOR"
};

/// The first pieces of every form of TXQ.
const TXQ: Piece = group! { on(49, ".NODEP"), INTO_D, THEN_A, pick("mode", 22, 6, TXQ_MODES) };

const THEN_TXQ: Piece = group! { COMMA, hex("number", 36, 13), COMMA, hex("mask", 31, 4) };

/// Two destinations, and the first source.
const TEXS_REGISTERS: Piece = group! { SPACE, E, COMMA, D, THEN_A };

const TEXS_ONE: &[Option<&str>] = names! { ", R", ", G", ", B", ", A", ", RG", ", RA", ", GA", ", BA" };

const TEXS_TWO: &[Option<&str>] = names! {
    ", RGB", ", RGA", ", RBA", ", GBA", ", RGBA", ", INVALID5", ", INVALID6", ", INVALID7"
};

/// The components: up to two if there is one destination.
const TEXS_COMPONENTS: Piece = cases! {
    if_bits(28, 8, 0xff, &[pick("components", 50, 3, TEXS_ONE)]),
    otherwise(&[pick("components", 50, 3, TEXS_TWO)]),
};

const TLDS_M: &[Option<&str>] = names! {
    ".LZ", ".LL", ".LZ", _, ".LZ.AOFFI", ".LL", ".LZ.MS", ".LZ", ".LZ", _, _, _, ".LL.AOFFI"
};

const TLDS_D: &[Option<&str>] = names! {
    ", 1D", ", 1D", ", 2D", _, ", 2D", ", 2D", ", 2D", ", 3D", ", ARRAY_2D", _, _, _, ", 2D"
};

const TEXS_MODE: &[Option<&str>] = names! {
    ".LZ", "", ".LZ", ".LL", ".DC", ".LL.DC", ".LZ.DC", "", ".LZ", ".LZ.DC", "", ".LZ", "", ".LL"
};

const TEXS_D: &[Option<&str>] = names! {
    ", 1D", ", 2D", ", 2D", ", 2D", ", 2D", ", 2D", ", 2D", ", ARRAY_2D", ", ARRAY_2D", ", ARRAY_2D", ", 3D", ", 3D",
    ", CUBE", ", CUBE"
};

const SU_KINDS: &[Option<&str>] = names! { ".P", ".D" };

/// The flag for byte addresses, only with .D.
const BA_23: Piece = cases! { if_bits(23, 1, 1, &[Text(".BA")]).with(bits("", 52, 1), 1) };

const THEN_SURFACE: Piece = group! {
    COMMA, Cases(&[if_bits(51, 1, 0, &[C]), if_bits(51, 1, 1, &[hex("number", 36, 13)])])
};

const SURED_OPS: &[Option<&str>] = names! { ".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR" };

const RGBA_MASK: &[Option<&str>] = names! {
    ".INVALID0", ".R", ".G", ".RG", ".B", ".RB", ".GB", ".RGB", ".A", ".RA", ".GA", ".RGA", ".BA", ".RBA", ".GBA", ""
};

const SU_SIZES: &[Option<&str>] = names! { ".U8", ".S8", ".U16", ".S16", "", ".64", ".128", _ };

const SU_COMPONENTS: Piece = cases! {
    if_bits(52, 1, 0, &[pick("components", 20, 4, RGBA_MASK)]),
    otherwise(&[pick("size", 20, 3, SU_SIZES)]),
};

const SUATOM_OPS: &[Option<&str>] = names! {
    ".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH", _, _, _, _, _, _, _
};

const SU_OPERANDS: Piece = group! { INTO_D, COMMA, MEM_0, THEN_B };

/// Textures and surfaces.
pub(super) const ROWS: &[Row] = rows! {
    op("TEX", 0xc000, 0xf800, &[pick("level", 55, 3, LOD), on(58, ".LC"), on(54, ".AOFFI"), on(50, ".DC"), NDV_NODEP,
        INTO_PD_A, THEN_B_NOT_RZ, THEN_TEX])
        .about("Samples a texture").source("document lines 577, 578; facts c038")
        .notes(&["Document, line 577: too long as printed; register 27..20 = 255."]),
    op("TEX.B", 0xde80, 0xffc0, &[pick("level", 37, 3, LOD), on(40, ".LC"), on(36, ".AOFFI"), on(50, ".DC"),
        NDV_NODEP, INTO_PD_A, THEN_B_NOT_RZ, THEN_TEX_0])
        .about("Samples a texture").source("facts deb8"),

    op("TLD4", 0xc800, 0xfc00, &[pick("components", 56, 2, RGBA_ONE), pick("offset", 54, 2, TOFF), on(50, ".DC"),
        on(49, ".NODEP"), INTO_PD_A, THEN_B_NOT_RZ, THEN_TEX])
        .about("Gathers four texels").source("facts c838"),
    op("TLD4", 0xdec0, 0xffc0, &[pick("components", 38, 2, RGBA_ONE), Text(".B"), pick("offset", 36, 2, TOFF),
        on(50, ".DC"), on(49, ".NODEP"), INTO_PD_A, THEN_B_NOT_RZ, THEN_TEX_0])
        .about("Gathers four texels").source("facts def8"),

    op("TXD", 0xde00, 0xffc0, &[on(50, ".LC"), on(35, ".AOFFI"), on(49, ".NODEP"), INTO_PD_A, THEN_B, THEN_TEX])
        .about("Samples a texture with gradients").source("facts de38"),
    op("TXD.B", 0xde40, 0xffc0, &[on(50, ".LC"), on(35, ".AOFFI"), on(49, ".NODEP"), INTO_PD_A, THEN_B, THEN_TEX_0])
        .about("Samples a texture with gradients").source("facts de78"),

    op("TLD", 0xdc00, 0xff00, &[TLD, THEN_TEX])
        .about("Loads from a texture").source("facts dc38"),
    op("TLD.B", 0xdd00, 0xff00, &[TLD, THEN_TEX_0])
        .about("Loads from a texture").source("facts dd38"),

    op("TMML.LOD", 0xdf58, 0xfff8, &[NDV_NODEP, INTO_D, THEN_A, THEN_TEX])
        .about("Queries the level of detail").source("facts df58"),
    op("TMML.B.LOD", 0xdf60, 0xfff8, &[NDV_NODEP, INTO_D, THEN_A, THEN_B_NOT_RZ, THEN_TEX_0])
        .about("Queries the level of detail").source("facts df60"),

    op("TXQ", 0xdf48, 0xfff8, &[TXQ, THEN_TXQ])
        .about("Queries properties of a texture").source("facts df48"),
    op("TXQ.B", 0xdf50, 0xfff8, &[TXQ, Text(", 0x0"), COMMA, hex("mask", 31, 4)])
        .about("Queries properties of a texture").source("facts df50"),

    op("TXA", 0xdf40, 0xfff8, &[NDV_NODEP, INTO_D, THEN_A, THEN_TXQ])
        .about("Computes the address of a texel").source("facts df40"),

    op("TLD4S", 0xdf00, 0xff40, &[on(55, ".F16"), pick("components", 52, 2, RGBA_ONE), on(51, ".AOFFI"),
        on(50, ".DC"), on(49, ".NODEP"), TEXS_REGISTERS, THEN_B, COMMA, hex("number", 36, 13)])
        .about("Gathers four texels, few operands").source("facts df00"),

    op("TLDS", 0xd200, 0xf600, &[off(59, ".F16"), pick("mode", 53, 4, TLDS_M), on(49, ".NODEP"), TEXS_REGISTERS,
        THEN_B_NOT_RZ, COMMA, hex("number", 36, 13), pick("dimension", 53, 4, TLDS_D), TEXS_COMPONENTS])
        .about("Loads from a texture, few operands").source("document lines 620, 621; facts d200")
        .notes(&["Document, line 620: a 1 lost: register 27..20 = 255."]),

    op("TEXS", 0xd000, 0xf600, &[off(59, ".F16"), pick("mode", 53, 4, TEXS_MODE), on(49, ".NODEP"), TEXS_REGISTERS,
        THEN_B_NOT_RZ, COMMA, hex("number", 36, 13), pick("dimension", 53, 4, TEXS_D), TEXS_COMPONENTS])
        .about("Samples a texture, few operands").source("document lines 622, 623; facts d000")
        .notes(&["Document, line 622: a 1 lost: register 27..20 = 255."]),

    op("SURED", 0xeb40, 0xffe0, &[pick("kind", 52, 1, SU_KINDS), pick("dimension", 33, 3, SU_DIMS),
        pick("operation", 24, 3, SURED_OPS), pick("clamp", 49, 2, CLAMP), SPACE, MEM_0, COMMA, D, THEN_SURFACE])
        .about("Atomic operation on a surface without a result").source("facts eb40"),

    op("SUST", 0xeb20, 0xffe0, &[pick("kind", 52, 1, SU_KINDS), BA_23, pick("dimension", 33, 3, SU_DIMS),
        pick("cache", 24, 2, CACHE_S), SU_COMPONENTS, pick("clamp", 49, 2, CLAMP), SPACE, MEM_0, COMMA, D,
        THEN_SURFACE])
        .about("Stores to a surface").source("facts eb20"),

    op("SULD", 0xeb00, 0xffe0, &[pick("kind", 52, 1, SU_KINDS), BA_23, pick("dimension", 33, 3, SU_DIMS),
        pick("cache", 24, 2, CACHE_L), SU_COMPONENTS, pick("clamp", 49, 2, CLAMP), INTO_D, COMMA, MEM_0,
        THEN_SURFACE])
        .about("Loads from a surface").source("facts eb00"),

    op("SUATOM.P", 0xea60, 0xfff0, &[pick("dimension", 33, 3, SU_DIMS), pick("operation", 29, 4, SUATOM_OPS),
        pick("clamp", 49, 2, CLAMP), SU_OPERANDS, THEN_SURFACE])
        .about("Atomic operation on a surface").source("facts ea60"),
    op("SUATOM.D", 0xea70, 0xfff8, &[on(28, ".BA"), pick("dimension", 33, 3, SU_DIMS),
        pick("operation", 29, 4, SUATOM_OPS), pick("type", 36, 3, SUATOM_TYPES), pick("clamp", 49, 2, CLAMP),
        SU_OPERANDS, THEN_C])
        .about("Atomic operation on a surface").source("opcode space of sm_52"),
    op("SUATOM.P", 0xeac0, 0xfff0, &[pick("dimension", 33, 3, SU_DIMS), Text(".CAS"), pick("clamp", 49, 2, CLAMP),
        SU_OPERANDS, THEN_SURFACE])
        .about("Atomic operation on a surface").source("facts eac0"),
    op("SUATOM.D", 0xead0, 0xfff8, &[on(28, ".BA"), pick("dimension", 33, 3, SU_DIMS), Text(".CAS"),
        pick("type", 36, 3, SUATOM_TYPES), pick("clamp", 49, 2, CLAMP), SU_OPERANDS, THEN_C])
        .about("Atomic operation on a surface").source("opcode space of sm_52"),
    op("SUATOM.D", 0xea00, 0xffc0, &[on(28, ".BA"), pick("dimension", 33, 3, SU_DIMS),
        pick("operation", 29, 4, SUATOM_OPS), pick("type", 51, 3, SUATOM_TYPES), pick("clamp", 49, 2, CLAMP),
        SU_OPERANDS, COMMA, hex("number", 36, 13)])
        .about("Atomic operation on a surface").source("facts ea00"),
    op("SUATOM.D", 0xea80, 0xffc0, &[on(28, ".BA"), pick("dimension", 33, 3, SU_DIMS), Text(".CAS"),
        pick("type", 51, 3, SUATOM_TYPES), pick("clamp", 49, 2, CLAMP), SU_OPERANDS, COMMA, hex("number", 36, 13)])
        .about("Atomic operation on a surface").source("facts ea80"),
    op("SUATOM.D", 0xeb80, 0xffc0, &[on(28, ".BA"), pick("dimension", 33, 3, SU_DIMS),
        pick("operation", 29, 4, SUATOM_OPS), pick("type", 36, 3, SUATOM_TYPES), pick("clamp", 49, 2, CLAMP), SPACE,
        pick("predicate", 51, 3, PREDICATES_DOWN), COMMA, D, COMMA, MEM_0, THEN_B, THEN_C])
        .about("Atomic operation on a surface").source("opcode space of sm_52"),
};
