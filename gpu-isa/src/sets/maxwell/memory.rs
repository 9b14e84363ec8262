//! Memory, atomics, attributes.

use super::pieces::*;
use crate::set::*;

const PC_47: Piece = group! { not(50), pred(47) };

/// [R1+0x10]: a signed offset; without a register it is unsigned.
const MEM_24: Piece = place!(20, 24, HEX, SIGNED);

const MEM_32: Piece = place!(20, 32, HEX, SIGNED);

const MEM_20: Piece = place!(20, 20, HEX, SIGNED);

const MEM_ATOM: Piece = place!(28, 20, HEX, SIGNED);

const MEM_ATOMS: Piece = place!(30, 22, HEX_4, SIGNED_4);

const MEM_CCTL: Piece = place!(22, 30, HEX_4, SIGNED_4);

const MEM_CCTLL: Piece = place!(22, 22, HEX_4, SIGNED_4);

const MEM_PIX: Piece = place!(20, 8, HEX, SIGNED);

const MEM_13: Piece = place!(28, 13, HEX, SIGNED);

/// `a[...]`: an attribute. Without a register, the offset is unsigned.
const ATTR: Piece = cases! {
    if_bits(8, 8, 0xff, &[Text("a[RZ]")]).with(bits("", 20, 12), 0x800),
    if_bits(8, 8, 0xff, &[Text("a["), hex("offset", 20, 10), Text("]")]),
    if_bits(20, 12, 0x800, &[Text("a["), A, Text("]")]),
    if_bits(31, 1, 1, &[Text("a["), A, Text("+"), signed("offset", 20, 11), Text("]")]),
    otherwise(&[Text("a["), A, Text("]")]),
};

const SIZE_L: &[Option<&str>] = names! { ".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".U.128" };

const SIZE_S: &[Option<&str>] = names! { ".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".INVALIDSIZE7" };

const SIZE_C: &[Option<&str>] = names! { ".U8", ".S8", ".U16", ".S16", "", ".64", ".INVALIDSIZE6", ".INVALIDSIZE7" };

const SIZE_LU: &[Option<&str>] = names! {
    ".U.U8", ".U.S8", ".U.U16", ".U.S16", ".U.32", ".U.64", ".U.128", ".U.INVALIDSIZE7"
};

const SIZE_A: &[Option<&str>] = names! { "", ".64", ".96", ".128" };

const CACHE_LL: &[Option<&str>] = names! { "", ".LU", ".CI", ".CV" };

const LDC_MODES: &[Option<&str>] = names! { "", ".IL", ".IS", ".ISL" };

const ATOM_OPS: &[Option<&str>] = names! {
    ".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH", ".INVALIDATOMOP9", ".SAFEADD",
    ".INVALIDATOMOP11", ".INVALIDATOMOP12", ".INVALIDATOMOP13", ".INVALIDATOMOP14", ".INVALIDATOMOP15"
};

const ATOMS_OPS: &[Option<&str>] = names! {
    ".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH", ".INVALIDATOMSOP9", ".INVALIDATOMSOP10",
    ".INVALIDATOMSOP11", ".INVALIDATOMSOP12", ".INVALIDATOMSOP13", ".INVALIDATOMSOP14", ".INVALIDATOMSOP15"
};

const ATOM_TYPES: &[Option<&str>] = names! { "", ".S32", ".U64", ".F32.FTZ.RN", ".F16x2.RN", ".S64", ".F64.RN", _ };

const ATOM_TYPES_52: &[Option<&str>] = names! {
    "", ".S32", ".U64", ".F32.FTZ.RN", ".F16x2.FTZ.RN", ".S64", ".F64.RN", _
};

const ATOMS_TYPES: &[Option<&str>] = names! { "", ".S32", ".U64", ".S64" };

/// A predicate at the end; PT is not printed.
const THEN_P_58: Piece = cases! { if_bits(58, 3, 7, &[]), otherwise(&[COMMA, pred(58)]) };

const LDS_SIZE: Piece = cases! {
    if_bits(44, 1, 1, &[pick("size", 48, 3, SIZE_LU)]),
    otherwise(&[pick("size", 48, 3, SIZE_S)]),
};

/// A register and the next one.
const PAIR_1: Piece = cases! {
    if_bits(20, 8, 0xff, &[Text(", RZ")]),
    otherwise(&[THEN_B, COMMA, Number(bits("b", 20, 8), NEXT_1)]),
};

const PAIR_2: Piece = cases! {
    if_bits(20, 8, 0xff, &[Text(", RZ")]),
    otherwise(&[THEN_B, COMMA, Number(bits("b", 20, 8), NEXT_2)]),
};

/// The compared and the stored value: two consecutive registers, or RZ and a register.
const CAS_PAIR: Piece = cases! {
    if_bits(51, 1, 1, &[Text(", RZ"), THEN_B]),
    if_bits(49, 1, 1, &[PAIR_2]),
    otherwise(&[PAIR_1]),
};

/// Compare and swap in shared memory.
const ATOMS_CAS: Piece = group! {
    on(52, ".64"), INTO_D, COMMA, MEM_ATOMS, Cases(&[if_bits(52, 1, 1, &[PAIR_2]), if_bits(52, 1, 0, &[PAIR_1])])
};

const RED_OPS: &[Option<&str>] = names! { ".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR" };

const CCTL_KINDS: &[Option<&str>] = names! { "", ".U", ".C", ".I", ".CRS" };

const CCTL_OPS: &[Option<&str>] = names! {
    ".QRY1", ".PF1 ", ".PF1.5 ", ".PF2 ", ".WB ", ".IV ", _, ".RS ", _, ".RSLB "
};

/// IVALL has no address.
const CCTL_WHAT: Piece = cases! {
    if_bits(0, 4, 6, &[Text(".IVALL")]).with(bits("", 8, 8), 0xff).with(bits("", 22, 30), 0),
    otherwise(&[pick("operation", 0, 4, CCTL_OPS), MEM_CCTL]),
};

const CCTLL_WHAT: Piece = cases! {
    if_bits(0, 4, 6, &[Text(".IVALL")]).with(bits("", 8, 8), 0xff).with(bits("", 22, 22), 0),
    otherwise(&[pick("operation", 0, 4, CCTL_OPS), MEM_CCTLL]),
};

const CCTLT_OPS: &[Option<&str>] = names! { ".IVALL", _, _, _ };

const SHFL_MODES: &[Option<&str>] = names! { ".IDX", ".UP", ".DOWN", ".BFLY" };

const SHFL_LANE: Piece = cases! { if_bits(28, 1, 0, &[B]), if_bits(28, 1, 1, &[hex("lane", 20, 5)]) };

const SHFL_MASK: Piece = cases! { if_bits(29, 1, 0, &[C]), if_bits(29, 1, 1, &[hex("mask", 34, 13)]) };

/// A predicate that is written; PT is not printed.
const THEN_P_45: Piece = cases! { if_bits(45, 3, 7, &[]), otherwise(&[COMMA, pred(45)]) };

const PIXLD_MODES: &[Option<&str>] = names! {
    "", ".COVMASK", ".COVERED", ".OFFSET", ".CENTROID_OFFSET", ".MY_INDEX", _, _
};

const ISBERD_MODES: &[Option<&str>] = names! { "", ".PATCH", ".PRIM", ".ATTR" };

const ISBERD_SIZES: &[Option<&str>] = names! { "", ".U16", ".32", _ };

const PD_44: Piece = cases! { if_bits(44, 3, 7, &[]), otherwise(&[pred(44), COMMA]) };

/// RZ is only printed if there is no offset.
const AL2P_A: Piece = cases! {
    if_bits(8, 8, 0xff, &[Text(", RZ")]).with(bits("", 20, 11), 0),
    if_bits(8, 8, 0xff, &[]),
    otherwise(&[THEN_A]),
};

/// The offset: signed with a register, unsigned without one.
const AL2P_OFFSET: Piece = cases! {
    if_bits(20, 11, 0, &[]),
    if_bits(8, 8, 0xff, &[COMMA, hex("offset", 20, 10)]),
    otherwise(&[COMMA, signed("offset", 20, 11)]),
};

/// `.P` for an attribute of a patch; `.PHYS` with a register.
const PHYS: Piece = cases! {
    if_bits(31, 1, 1, &[Text(".P")]),
    if_bits(8, 8, 0xff, &[]),
    otherwise(&[Text(".PHYS")]),
};

/// RZ is not printed.
const THEN_C_NOT_RZ: Piece = cases! { if_bits(39, 8, 0xff, &[]), otherwise(&[THEN_C]) };

const OUT_MODES: &[Option<&str>] = names! { ".INVALIDOUTSTYPE0", ".EMIT", ".CUT", ".EMIT_THEN_CUT" };

/// The first pieces of every form of OUT.
const OUT: Piece = group! { pick("mode", 39, 2, OUT_MODES), INTO_D, THEN_A };

const IPA_MODES: &[Option<&str>] = names! { ".PASS", "", ".CONSTANT", ".SC" };

const IPA_SAMPLES: &[Option<&str>] = names! { "", ".CENTROID", ".OFFSET", _ };

/// The predicate; PT is not printed.
const IPA_PREDICATE: Piece = cases! { if_bits(47, 4, 7, &[]), otherwise(&[COMMA, PC_47]) };

/// Memory, atomics, attributes.
pub(super) const ROWS: &[Row] = rows! {
    op("LD", 0x8000, 0xe000, &[on(52, ".E"), pick("cache", 56, 2, CACHE_L), pick("size", 53, 3, SIZE_L), INTO_D,
        COMMA, MEM_32, THEN_P_58])
        .about("Loads from generic memory").source("document line 454; facts 8000")
        .notes(&["Document, line 454: pattern matches ST, TEX, TLD4; opcode is bits 63..61 = 100."]),

    op("ST", 0xa000, 0xe000, &[on(52, ".E"), pick("cache", 56, 2, CACHE_S), pick("size", 53, 3, SIZE_S), SPACE,
        MEM_32, COMMA, D, THEN_P_58])
        .about("Stores to generic memory").source("document line 458; facts a000"),

    op("LDG", 0xeed0, 0xfff8, &[on(45, ".E"), pick("cache", 46, 2, CACHE_L), pick("size", 48, 3, SIZE_L), INTO_D,
        COMMA, MEM_24])
        .about("Loads from global memory").source("document line 596; facts eed0"),
    op("LDG", 0xeec8, 0xfff8, &[on(45, ".E"), pick("cache", 46, 2, CACHE_L), pick("size", 48, 3, SIZE_L), SPACE,
        pick("predicate", 41, 3, PREDICATES_DOWN), COMMA, D, COMMA, MEM_20])
        .about("Loads from global memory").source("facts eec8"),

    op("STG", 0xeed8, 0xfff8, &[on(45, ".E"), pick("cache", 46, 2, CACHE_S), pick("size", 48, 3, SIZE_S), SPACE,
        MEM_24, COMMA, D])
        .about("Stores to global memory").source("document line 606; facts eed8"),

    op("LDL", 0xef40, 0xfff8, &[pick("cache", 44, 2, CACHE_LL), pick("size", 48, 3, SIZE_S), INTO_D, COMMA, MEM_24])
        .about("Loads from local memory").source("document line 455; facts ef40"),

    op("STL", 0xef50, 0xfff8, &[pick("cache", 44, 2, CACHE_S), pick("size", 48, 3, SIZE_S), SPACE, MEM_24, COMMA, D])
        .about("Stores to local memory").source("document line 459; facts ef50"),

    op("LDS", 0xef48, 0xfff8, &[LDS_SIZE, INTO_D, COMMA, MEM_24])
        .about("Loads from shared memory").source("document line 456; facts ef48"),

    op("STS", 0xef58, 0xfff8, &[pick("size", 48, 3, SIZE_S), SPACE, MEM_24, COMMA, D])
        .about("Stores to shared memory").source("document line 460; facts ef58"),

    op("LDC", 0xef90, 0xfff8, &[pick("size", 48, 3, SIZE_C), pick("mode", 44, 2, LDC_MODES), INTO_D, COMMA, CONST_X])
        .about("Loads from constant memory").source("document line 457; facts ef90"),

    op("ATOM", 0xed00, 0xff00, &[on(48, ".E"), pick("operation", 52, 4, ATOM_OPS), pick("type", 49, 3, ATOM_TYPES),
        INTO_D, COMMA, MEM_ATOM, THEN_B])
        .since(60).about("Atomic operation on global memory").source("facts ed00"),
    op("ATOM", 0xed00, 0xff00, &[on(48, ".E"), pick("operation", 52, 4, ATOM_OPS), pick("type", 49, 3, ATOM_TYPES_52),
        INTO_D, COMMA, MEM_ATOM, THEN_B])
        .until(52).about("Atomic operation on global memory").source("facts ed00"),
    op("ATOM", 0xeef0, 0xfff0, &[on(48, ".E"), Text(".CAS"), on(49, ".64"), INTO_D, COMMA, MEM_ATOM, CAS_PAIR])
        .about("Atomic operation on global memory").source("document line 597; facts eef0"),
    op("ATOM", 0xee70, 0xfff0, &[on(48, ".E"), Text(".CAS"), on(49, ".64"), SPACE,
        pick("predicate", 41, 3, PREDICATES_DOWN), COMMA, D, COMMA, MEM_13, CAS_PAIR])
        .about("Atomic operation on global memory").source("opcode space of sm_52"),
    op("ATOM", 0xee60, 0xfff0, &[on(48, ".E"), Text(".ADD"), pick("type", 49, 3, ATOM_TYPES), SPACE,
        pick("predicate", 41, 3, PREDICATES_DOWN), COMMA, D, COMMA, MEM_13, THEN_B])
        .since(60).about("Atomic operation on global memory").source("opcode space of sm_52"),
    op("ATOM", 0xee60, 0xfff0, &[on(48, ".E"), Text(".ADD"), pick("type", 49, 3, ATOM_TYPES_52), SPACE,
        pick("predicate", 41, 3, PREDICATES_DOWN), COMMA, D, COMMA, MEM_13, THEN_B])
        .until(52).about("Atomic operation on global memory").source("opcode space of sm_52"),

    op("ATOMS", 0xec00, 0xff00, &[pick("operation", 52, 4, ATOMS_OPS), pick("type", 28, 2, ATOMS_TYPES), INTO_D,
        COMMA, MEM_ATOMS, THEN_B])
        .about("Atomic operation on shared memory").source("facts ec00"),
    op("ATOMS.CAST", 0xee00, 0xffc0, &[on(53, ".SPIN"), ATOMS_CAS])
        .about("Atomic operation on shared memory").source("facts ee00"),
    op("ATOMS.CAS", 0xee40, 0xffe0, &[ATOMS_CAS])
        .about("Atomic operation on shared memory").source("opcode space of sm_52"),

    op("RED", 0xebf8, 0xfff8, &[on(48, ".E"), pick("operation", 23, 3, RED_OPS), pick("type", 20, 3, ATOM_TYPES),
        SPACE, MEM_ATOM, COMMA, D])
        .since(60).about("Atomic operation on global memory without a result").source("document line 585; facts ebf8"),
    op("RED", 0xebf8, 0xfff8, &[on(48, ".E"), pick("operation", 23, 3, RED_OPS), pick("type", 20, 3, ATOM_TYPES_52),
        SPACE, MEM_ATOM, COMMA, D])
        .until(52).about("Atomic operation on global memory without a result").source("document line 585; facts ebf8"),

    op("CCTL", 0xef60, 0xffe0, &[on(52, ".E"), pick("kind", 4, 3, CCTL_KINDS), CCTL_WHAT])
        .about("Controls the cache").source("facts ef60"),

    op("CCTLL", 0xef80, 0xfff0, &[pick("kind", 4, 3, CCTL_KINDS), CCTLL_WHAT])
        .about("Controls the cache of local memory").source("facts ef80"),

    op("CCTLT", 0xebf0, 0xfff9, &[pick("operation", 0, 2, CCTLT_OPS)])
        .about("Controls the cache of textures").source("facts ebf0"),

    op("SHFL", 0xef10, 0xfff8, &[pick("mode", 30, 2, SHFL_MODES), SPACE, pred(48), COMMA, D, THEN_A, COMMA, SHFL_LANE,
        COMMA, SHFL_MASK])
        .about("Exchanges registers between lanes").source("facts ef10"),

    op("PIXLD", 0xefe8, 0xfff8, &[pick("mode", 31, 3, PIXLD_MODES), INTO_D, THEN_P_45, COMMA, MEM_PIX])
        .about("Loads information about a pixel").source("facts efe8"),

    op("ISBERD", 0xefd0, 0xfff8, &[on(32, ".O"), pick("mode", 33, 2, ISBERD_MODES), on(31, ".SKEW"),
        pick("size", 47, 2, ISBERD_SIZES), INTO_D, COMMA, MEM_0])
        .about("Reads an entry of the input buffer").source("facts efd0"),

    op("AL2P", 0xefa0, 0xfff8, &[on(32, ".O"), pick("size", 47, 2, SIZE_A), SPACE, PD_44, D, AL2P_A, AL2P_OFFSET])
        .about("Attribute address, logical to physical").source("facts efa0"),

    op("ALD", 0xefd8, 0xfff8, &[on(32, ".O"), PHYS, pick("size", 47, 2, SIZE_A), INTO_D, COMMA, ATTR, THEN_C_NOT_RZ])
        .about("Loads an attribute").source("facts efd8"),

    op("AST", 0xeff0, 0xfff8, &[PHYS, pick("size", 47, 2, SIZE_A), SPACE, ATTR, COMMA, D, THEN_C_NOT_RZ])
        .about("Stores an attribute").source("facts eff0"),

    op("OUT", 0xfbe0, 0xfff8, &[OUT, THEN_B])
        .about("Emits or cuts a vertex").source("facts fbe0"),
    op("OUT", 0xebe0, 0xfff8, &[OUT, COMMA, CONST])
        .about("Emits or cuts a vertex").source("facts ebe0"),
    op("OUT", 0xf6e0, 0xfef8, &[OUT, COMMA, NUMBER])
        .about("Emits or cuts a vertex").source("facts f6e0"),

    wide("IPA", 0xe00000000000ff00, 0xff0000400000ff00, &[pick("mode", 54, 2, IPA_MODES),
        pick("sample", 52, 2, IPA_SAMPLES), on(51, ".SAT"), INTO_D, Text(", a["), hex("offset", 28, 10), Text("]"),
        THEN_B, THEN_C_NOT_RZ, IPA_PREDICATE])
        .about("Interpolates an attribute").source("facts e000"),
    wide("IPA.IDX", 0xe000004000000000, 0xff00004000000000, &[pick("mode", 54, 2, IPA_MODES),
        pick("sample", 52, 2, IPA_SAMPLES), on(51, ".SAT"), INTO_D, Text(", a["), A, Text("]"), THEN_B, THEN_C_NOT_RZ,
        IPA_PREDICATE])
        .about("Interpolates an attribute").source("facts e000"),
};
