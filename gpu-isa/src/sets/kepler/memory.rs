//! Memory, caches and surfaces of 3.5.

use super::parts::*;
use crate::set::{bits, otherwise, when, Case, Cases, Field, Flag, Format, Names, Number, Piece, Pieces, Row, Text};

// Generic loads and stores.
const E: Piece = Flag(bits("extended", 55, 1), 1, ".E");
const LOAD_CACHE: Piece = Names(bits("cache", 59, 2), &[Some(""), Some(".CG"), Some(".CS"), Some(".CV")]);
const STORE_CACHE: Piece = Names(bits("cache", 59, 2), &[Some(""), Some(".CG"), Some(".CS"), Some(".WT")]);
const LD: Piece = Pieces(&[E, LOAD_CACHE, Names(bits("size", 56, 3), LOAD_SIZES), DST_ONLY, MEM32]);
const ST: Piece = Pieces(&[E, STORE_CACHE, Names(bits("size", 56, 3), STORE_SIZES), S, SP, MEM32, COMMA, RD]);

// Local and shared memory.
const SIZE: Field = bits("size", 51, 3);
const L_SIZE: Piece = Names(SIZE, LOAD_SIZES);
const S_SIZE: Piece = Names(SIZE, STORE_SIZES);
const LDL_CACHE: Piece = Names(bits("cache", 47, 2), &[Some(""), Some(".CG"), Some(".LU"), Some(".CV")]);
const STL_CACHE: Piece = Names(bits("cache", 47, 2), &[Some(""), Some(".CG"), Some(".CS"), Some(".WT")]);
const STORE: Piece = Pieces(&[S, SP, MEM24, COMMA, RD]);

// Constants.
const LDC_OFFSET: Field = bits("offset", 23, 16);
const LDC_PLACE: Piece = Pieces(&[
    Text("c["), Number(bits("bank", 39, 5), HEX), Text("]["),
    Cases(&[
        when(bits("a", 10, 8), 0xff, &[Number(LDC_OFFSET, SIGNED)]),
        when(LDC_OFFSET, 0, &[RA]),
        otherwise(&[RA, Text("+"), Number(LDC_OFFSET, SIGNED)]),
    ]),
    Text("]"),
]);
const LDC_MODE: Piece = Names(bits("mode", 47, 2), &[Some(""), Some(".IL"), Some(".IS"), Some(".ISL")]);

// LDG is a texture access that writes as many registers as its size has.
const LDG_SIZE: Field = bits("size", 47, 3).and(34, 4);
const LDG_CHANNELS: &[Case] = &[
    when(LDG_SIZE, 0x08, &[]),
    when(LDG_SIZE, 0x09, &[]),
    when(LDG_SIZE, 0x0a, &[]),
    when(LDG_SIZE, 0x0b, &[]),
    when(LDG_SIZE, 0x0c, &[]),
    when(LDG_SIZE, 0x1d, &[]),
    when(LDG_SIZE, 0x7e, &[]),
    otherwise(&[COMMA, Number(bits("channels", 34, 4), HEX)]),
];
pub(super) const PHASE: Piece = Names(bits("phase", 32, 2), &[Some(""), Some(".T"), Some(".P")]);
const LDG: &[Piece] = &[
    Flag(bits("extended", 39, 1), 1, ".E"), Names(bits("cache", 42, 1), &[Some(""), Some(".CS")]),
    Names(bits("size", 47, 3), LOAD_SIZES), PHASE, DST_ONLY, A_PLACE, Cases(LDG_CHANNELS),
];
const A_PLACE: Piece = Pieces(&[Text("["), RA, Text("]")]);

// Atomic operations.
const OPERATIONS: &[Option<&str>] = &[
    Some(".ADD"), Some(".MIN"), Some(".MAX"), Some(".INC"), Some(".DEC"), Some(".AND"), Some(".OR"), Some(".XOR"),
    Some(".EXCH"), Some(".INVALIDATOMOP9"), Some(".SAFEADD"), Some(".INVALIDATOMOP11"),
    Some(".INVALIDATOMOP12"), Some(".INVALIDATOMOP13"), Some(".INVALIDATOMOP14"), Some(".INVALIDATOMOP15"),
];
const ATOM: Piece = Pieces(&[
    Flag(bits("extended", 51, 1), 1, ".E"),
    Names(bits("operation", 55, 4), OPERATIONS),
    Names(bits("type", 52, 3), &[Some(""), Some(".S32"), Some(".U64"), Some(".F32.FTZ.RN"), Some(".U128"), Some(".S64")]),
    S, SP,
]);
/// The sources of a compare-and-swap: two consecutive registers, or RZ for one of them.
const CAS: &[Case] = &[
    when(bits("zero", 53, 2), 0, &[Text("RZ, RZ")]).with(B, 0xff),
    // For other encodings of `RZ, RZ`, the text also shows the selecting bits.
    when(B, 0xff, &[Text("RZ, RZ, "), Number(bits("zero", 53, 2), HEX)]),
    when(bits("zero", 52, 3), 0, &[RB, COMMA, Number(B, Format::Next { prefix: "R", add: 1 })]),
    when(bits("zero", 52, 3), 1, &[RB, COMMA, Number(B, Format::Next { prefix: "R", add: 2 })]),
    when(bits("zero", 53, 2), 1, &[RB, Text(", RZ")]),
    when(bits("zero", 53, 2), 2, &[Text("RZ, "), RB]),
];

// Caches.
const CCTL_E: Piece = Flag(bits("extended", 55, 1), 1, ".E");
const CCTL_CACHE: Piece = Names(bits("cache", 6, 2), &[Some(""), Some(".U"), Some(".C"), Some(".I")]);
const CCTL_OPERATION: Field = bits("operation", 2, 4);
const OPERATION: &[Option<&str>] = &[
    Some(".QRY1"), Some(".PF1"), Some(".PF1.5"), Some(".PF2"), Some(".WB"), Some(".IV"), Some(".IVALL"), Some(".RS"),
    Some(".WBALL"), Some(".RSLB"),
];
/// QRY1 is printed without a space before its address; IVALL has no address if it is `[RZ]`.
const PLACE_FIELD: Field = bits("place", 10, 8).and(23, 32);
const PLACE_FIELD_24: Field = bits("place", 10, 8).and(23, 24);
const CCTL_PLACE: &[Case] = &[
    when(CCTL_OPERATION, 0, &[S, MEM32]),
    when(CCTL_OPERATION, 6, &[S]).with(PLACE_FIELD, 0xff),
    otherwise(&[S, SP, MEM32]),
];
const CCTLL_PLACE: &[Case] = &[
    when(CCTL_OPERATION, 0, &[S, MEM24]),
    when(CCTL_OPERATION, 6, &[S]).with(PLACE_FIELD_24, 0xff),
    otherwise(&[S, SP, MEM24]),
];

// Surfaces.
const SURFACE_SIZES: &[Option<&str>] =
    &[Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(".32"), Some(".64"), Some(".128"), Some(".INVALIDSIZE7")];
const SURFACE_LOAD_CACHE: &[Option<&str>] = &[Some(".CA"), Some(""), Some(".CS"), Some(".CV")];
const SURFACE_STORE_CACHE: &[Option<&str>] = &[Some(".WB"), Some(""), Some(".CS"), Some(".WT")];
const LOAD_CLAMP: &[Option<&str>] = &[Some(".Z"), Some(".TRAP"), None, Some(".SDCL")];
const STORE_CLAMP: &[Option<&str>] = &[Some(".IGN"), Some(".TRAP"), None, Some(".SDCL")];
const SURFACE_TYPES: &[Option<&str>] = &[Some(".U32"), Some(".S32"), Some(".U8"), Some(".S8")];
const CHANNELS: &[Option<&str>] = &[
    None, Some(".R"), Some(".G"), Some(".RG"), Some(".B"), Some(".RB"), Some(".GB"), Some(".RGB"),
    Some(".A"), Some(".RA"), Some(".GA"), Some(".RGA"), Some(".BA"), Some(".RBA"), Some(".GBA"), Some(".RGBA"),
];
const STORE_PRED: Piece = Pieces(&[COMMA, Flag(bits("ps_not", 53, 1), 1, "!"), Number(bits("ps", 50, 3), PRED)]);
const STORE_CONST: &[Case] = &[
    when(bits("channels", 4, 4), 0, &[
        Text(".B"), Names(bits("cache", 54, 2), SURFACE_STORE_CACHE), Names(bits("size", 56, 3), SURFACE_SIZES),
        Names(bits("clamp", 2, 2), STORE_CLAMP),
    ]),
    otherwise(&[
        Text(".P"), Names(bits("cache", 54, 2), SURFACE_STORE_CACHE), Names(bits("channels", 4, 4), CHANNELS),
        Names(bits("clamp", 2, 2), STORE_CLAMP),
    ]),
];
const STORE_REG: &[Case] = &[
    when(bits("channels", 25, 4), 0, &[
        Text(".B"), Names(bits("cache", 31, 2), SURFACE_STORE_CACHE), Names(bits("size", 33, 3), SURFACE_SIZES),
        Names(bits("clamp", 23, 2), STORE_CLAMP),
    ]),
    otherwise(&[
        Text(".P"), Names(bits("cache", 31, 2), SURFACE_STORE_CACHE), Names(bits("channels", 25, 4), CHANNELS),
        Names(bits("clamp", 23, 2), STORE_CLAMP),
    ]),
];
const SUCLAMP_MODE: &[Option<&str>] = &[
    Some(""), Some(".SD.R2"), Some(".SD.R4"), Some(".SD.R8"), Some(".SD.R16"),
    Some(".PL.R1"), Some(".PL.R2"), Some(".PL.R4"), Some(".PL.R8"), Some(".PL.R16"),
    Some(".BL.R1"), Some(".BL.R2"), Some(".BL.R4"), Some(".BL.R8"), Some(".BL.R16"),
];
const SUCLAMP: Piece = Pieces(&[
    Flag(bits("two_d", 56, 1), 0, ".1D"), U32, Names(bits("mode", 52, 4), SUCLAMP_MODE),
    S, SP, P48, COMMA, RD, COMMA, RA, COMMA,
]);
const SUCLAMP_END: Piece = Pieces(&[COMMA, Number(bits("bias", 42, 6), SIGNED)]);
const SUBFM: Piece = Pieces(&[Flag(bits("three_d", 50, 1), 1, ".3D"), S, SP, P51, COMMA, RD, COMMA, RA, COMMA]);
const SUEAU: Piece = Pieces(&[DST_ONLY, RA, COMMA]);

// Attributes.
const ATTRIBUTE: Field = bits("offset", 23, 10);
const ATTRIBUTE_PLACE: Piece = Pieces(&[
    Text("a["),
    Cases(&[
        when(bits("a", 10, 8), 0xff, &[Number(ATTRIBUTE, HEX)]),
        when(ATTRIBUTE, 0, &[RA]),
        otherwise(&[RA, Text("+"), Number(ATTRIBUTE, HEX)]),
    ]),
    Text("]"),
]);
const ATTRIBUTE_SIZE: Piece = Names(bits("size", 50, 2), &[Some(""), Some(".64"), Some(".96"), Some(".128")]);
const PATCH: Piece = Flag(bits("patch", 34, 1), 1, ".P");
const OUT_ATTRIBUTE: Piece = Flag(bits("output", 35, 1), 1, ".O");
const C_UNLESS_RZ: Piece = Cases(&[when(C, 0xff, &[]), otherwise(&[COMMA, RC])]);
const IPA_OFFSET: Field = bits("offset", 31, 10);
const OFFSET_8: Field = bits("offset", 23, 8);
const BYTE_PLACE: &[Case] = &[
    when(bits("a", 10, 8), 0xff, &[Number(OFFSET_8, HEX)]),
    when(OFFSET_8, 0, &[RA]),
    otherwise(&[RA, Text("+"), Number(OFFSET_8, SIGNED)]),
];
const OUT: Piece = Pieces(&[
    Names(bits("kind", 42, 2), &[Some(".INVALIDOUTSTYPE0"), Some(".EMIT"), Some(".CUT"), Some(".EMIT_THEN_CUT")]),
    DST_ONLY, RA, COMMA,
]);
const PIXLD_MODE: &[Option<&str>] =
    &[Some(""), Some(".COVMASK"), Some(".COVERED"), Some(".OFFSET"), Some(".CENTROID_OFFSET"), Some(".MY_INDEX")];

pub(super) const ROWS: &[Row] = &[
    op("LD", 0xe000, 0xc000, 0, &[LD]).about("Load").source("nv.json 335; gk110 c c000"),
    op("ST", 0xe000, 0xe000, 0, &[ST]).about("Store").source("nv.json 339; gk110 c e000"),
    op("LDL", 0xffc0, 0x7a00, 2, &[LDL_CACHE, L_SIZE, DST_ONLY, MEM24]).about("Load from local memory").source("nv.json 336; gk110 m 7a00"),
    op("LDS", 0xffc0, 0x7a40, 2, &[L_SIZE, DST_ONLY, MEM24]).about("Load from shared memory").source("nv.json 337; gk110 m 7a40"),
    op("LDSLK", 0xffc0, 0x7740, 2, &[L_SIZE, S, SP, P48, COMMA, RD, COMMA, MEM24]).about("Load from shared memory and lock").source("gk110 m 7740"),
    op("STL", 0xffc0, 0x7a80, 2, &[STL_CACHE, S_SIZE, STORE]).about("Store to local memory").source("nv.json 340; gk110 m 7a80"),
    op("STS", 0xffc0, 0x7ac0, 2, &[S_SIZE, STORE]).about("Store to shared memory").source("nv.json 341; gk110 m 7ac0"),
    op("STSCUL", 0xffc0, 0x7840, 2, &[S_SIZE, S, SP, P48, COMMA, MEM24, COMMA, RD]).about("Store to shared memory if locked, and unlock").source("gk110 m 7840"),
    op("LDC", 0xffc0, 0x7c80, 2, &[L_SIZE, LDC_MODE, DST_ONLY, LDC_PLACE]).about("Load a constant").source("nv.json 338; gk110 m 7c80")
        .notes(&["The mode is three bits above its position in the later sets, where envytools has free bits."]),
    row_ldg(),

    op("ATOM", 0xf800, 0x6800, 2, &[ATOM, RD, COMMA, MEM20, COMMA, RB]).about("Atomic operation").source("gk110 m 6800"),
    crate::set::row("RED", 0xfc00 << 48 | 0x3ff, 0x6800 << 48 | 0x3fe, 8, &[ATOM, MEM20, COMMA, RB]).lead(GUARD).rank(1)
        .about("Atomic operation without a result").source("corpus 6838: ATOM with RZ as destination"),
    op("ATOM", 0xff80, 0x7780, 2, &[
        Flag(bits("extended", 51, 1), 1, ".E"), Text(".CAS"), Flag(bits("wide", 52, 1), 1, ".64"), DST_ONLY, MEM20, COMMA, Cases(CAS),
    ]).about("Atomic compare and swap").source("gk110 m 7780, 7790"),

    op("CCTL", 0xff00, 0x7b00, 2, &[CCTL_E, CCTL_CACHE, Names(CCTL_OPERATION, OPERATION), Cases(CCTL_PLACE)]).about("Cache control").source("gk110 m 7b00"),
    op("CCTLL", 0xffc0, 0x7c00, 2, &[Names(CCTL_OPERATION, OPERATION), Cases(CCTLL_PLACE)]).about("Cache control for local memory").source("gk110 m 7c00"),
    op("CCTLS.RSLB", 0xffc0, 0x7c40, 2, &[S]).about("Cache control for shared memory").source("corpus 7c40"),

    op("SHFL", 0xffc0, 0x7880, 2, &[
        Names(bits("mode", 33, 2), &[Some(".IDX"), Some(".UP"), Some(".DOWN"), Some(".BFLY")]),
        S, SP, P51, COMMA, RD, COMMA, RA, COMMA,
        Cases(&[
            when(bits("lane_kind", 31, 1), 1, &[Number(bits("lane", 23, 5), HEX)]),
            when(bits("lane_kind", 31, 1), 0, &[RB]),
        ]),
        COMMA,
        Cases(&[
            when(bits("limits_kind", 32, 1), 1, &[Number(bits("limits", 37, 13), HEX)]),
            when(bits("limits_kind", 32, 1), 0, &[RC]),
        ]),
    ]).about("Move across the lanes of a warp").source("gk110 m 7880"),

    op("SULDGA.B", 0xf800, 0x3000, 2, &[
        Names(bits("cache", 54, 2), SURFACE_LOAD_CACHE), Names(bits("size", 56, 3), SURFACE_SIZES),
        Names(bits("clamp", 46, 2), LOAD_CLAMP), Names(bits("type", 52, 2), SURFACE_TYPES), DST_ONLY, A_PLACE, COMMA, CONST, COMMA_PC,
    ]).about("Surface load").source("gk110 m 3000"),
    op("SULDGA.B", 0xffc0, 0x7980, 2, &[
        Names(bits("cache", 31, 2), SURFACE_LOAD_CACHE), Names(bits("size", 33, 3), SURFACE_SIZES),
        Names(bits("clamp", 46, 2), LOAD_CLAMP), Names(bits("type", 52, 2), SURFACE_TYPES), DST_ONLY, A_PLACE, COMMA, RB, COMMA_PC,
    ]).about("Surface load").source("gk110 m 7980"),
    op("SUSTGA", 0xf800, 0x3800, 2, &[
        Cases(STORE_CONST), Names(bits("type", 8, 2), SURFACE_TYPES), S, SP, A_PLACE, COMMA, CONST, COMMA, RC, STORE_PRED,
    ]).about("Surface store").source("gk110 m 3800"),
    op("SUSTGA", 0xffc0, 0x79c0, 2, &[
        Cases(STORE_REG), Names(bits("type", 29, 2), SURFACE_TYPES), S, SP, A_PLACE, COMMA, RD, COMMA, RC, STORE_PRED,
    ]).about("Surface store").source("gk110 m 79c0"),
    op("SUCLAMP", 0x7e00, 0x5800, 2, &[SUCLAMP, SRC, SUCLAMP_END]).about("Surface coordinate clamp").source("gk110 m 5800"),
    op("SUCLAMP", 0xf600, 0xb000, 1, &[SUCLAMP, NUM, SUCLAMP_END]).about("Surface coordinate clamp").source("corpus b000"),
    op("SUBFM", 0x7fc0, 0x5e80, 2, &[SUBFM, SRC_C]).about("Surface bit field merge").source("gk110 m 1e80"),
    op("SUBFM", 0xffc0, 0x9e80, 2, &[SUBFM, C_CONST]).about("Surface bit field merge").source("gk110 m 1e80"),
    op("SUBFM", 0xf7c0, 0xb680, 1, &[SUBFM, NUM_C]).about("Surface bit field merge").source("corpus b680"),
    op("SUEAU", 0x7fc0, 0x5ec0, 2, &[SUEAU, SRC_C]).about("Surface effective address").source("gk110 m 1ec0"),
    op("SUEAU", 0xffc0, 0x9ec0, 2, &[SUEAU, C_CONST]).about("Surface effective address").source("gk110 m 1ec0"),
    op("SUEAU", 0xf7c0, 0xb6c0, 1, &[SUEAU, NUM_C]).about("Surface effective address").source("corpus b6c0"),

    op("ALD.PHYS", 0xffc0, 0x7ec0, 2, &[
        OUT_ATTRIBUTE, PATCH, ATTRIBUTE_SIZE, DST_ONLY, ATTRIBUTE_PLACE, C_UNLESS_RZ,
    ]).about("Load an attribute").source("gk110 m 7ec0"),
    op("AST.PHYS", 0xffc0, 0x7f00, 2, &[
        PATCH, ATTRIBUTE_SIZE, S, SP, ATTRIBUTE_PLACE, COMMA, RD, C_UNLESS_RZ,
    ]).about("Store an attribute").source("gk110 m 7f00"),
    op("AL2P", 0xffc0, 0x7d00, 2, &[
        OUT_ATTRIBUTE, ATTRIBUTE_SIZE, S, SP, RD,
        Cases(&[when(bits("a", 10, 8), 0xff, &[]), otherwise(&[COMMA, RA])]),
        Cases(&[when(bits("number", 23, 11), 0, &[]), otherwise(&[COMMA, Number(bits("number", 23, 11), SIGNED)])]),
    ]).about("Attribute address, logical to physical").source("gk110 m 7d00"),
    op("IPA", 0xff80, 0x7480, 2, &[
        Names(bits("mode", 53, 2), &[Some(".PASS"), Some(""), Some(".CONSTANT"), Some(".SC")]),
        Names(bits("sample", 51, 2), &[Some(""), Some(".CENTROID"), Some(".OFFSET")]),
        Flag(bits("sat", 50, 1), 1, ".SAT"), DST_ONLY, Text("a["),
        Cases(&[
            when(bits("a", 10, 8), 0xff, &[Number(IPA_OFFSET, HEX)]),
            when(IPA_OFFSET, 0, &[RA]),
            otherwise(&[RA, Text("+"), Number(IPA_OFFSET, HEX)]),
        ]),
        Text("], "), RB, C_UNLESS_RZ,
    ]).about("Interpolate an attribute").source("gk110 m 7480; gm107 e000"),
    src("OUT", 0x5f00, &[OUT, SRC]).about("Output a vertex").source("gk110 m 1f00"),
    num("OUT", 0xb700, &[OUT, NUM]).about("Output a vertex").source("gk110 i b700"),
    op("PIXLD", 0xffc0, 0x7f40, 2, &[
        Names(bits("what", 34, 3), PIXLD_MODE), DST_ONLY,
        Cases(&[when(bits("p", 48, 3), 7, &[]), otherwise(&[P48, COMMA])]), Text("["), Cases(BYTE_PLACE), Text("]"),
    ]).about("Load pixel information").source("corpus 7f40; gm107 efe8"),
    op("VILD", 0xffc0, 0x7f80, 2, &[DST_ONLY, Text("v["), Cases(BYTE_PLACE), Text("]")]).about("Load a vertex's index").source("gk110 m 7f80"),
];

/// LDG, distinguished from TEX by the texture's upper bits, the level mode and the missing second source.
const fn row_ldg() -> Row {
    let mask = 0xfffc_0000_0000_0000 | 0x0000_7900_0000_0000 | 0x40_0000_0000 | 0x7f80_0000 | 3;
    let value = 0x6000_0000_0000_0000 | 0x0000_1000_0000_0000 | 0x7f80_0000 | 1;
    crate::set::row("LDG", mask, value, 8, LDG)
    .lead(GUARD)
    .rank(1)
    .about("Load through the texture cache")
    .source("nv.json 440; corpus 6001")
    .notes(&[
        "The document's pattern cannot be reconstructed: its fixed bits also match TEX.",
        "The word equals a texture access without a second source; textures 0 to 7 at level zero are listed as LDG.",
    ])
}
