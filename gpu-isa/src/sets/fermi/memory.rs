//! Memory, caches, surfaces (unit 5), attributes and textures (unit 6) of 2.x and 3.0.

use super::parts::*;
use crate::set::{bits, case, otherwise, when, Case, Cases, Field, Flag, Format, Names, Number, Piece, Pieces, Row, Text};

const E: Piece = Flag(bits("extended", 58, 1), 1, ".E");
const L_SIZE: Piece = Names(bits("size", 5, 3), LOAD_SIZES);
const S_SIZE: Piece = Names(bits("size", 5, 3), STORE_SIZES);
const LOAD_CACHE: Piece = Names(bits("cache", 8, 2), &[Some(""), Some(".CG"), Some(".CS"), Some(".CV")]);
const LOCAL_CACHE: Piece = Names(bits("cache", 8, 2), &[Some(""), Some(".CG"), Some(".LU"), Some(".CV")]);
const STORE_CACHE: Piece = Names(bits("cache", 8, 2), &[Some(""), Some(".CG"), Some(".CS"), Some(".WT")]);
const LOCK: Piece = Pieces(&[S, SP, P8, COMMA]);

// Atomic operations: the type is in bit 9 and the opcode's lower bits.
const OPERATIONS: &[Option<&str>] = &[
    Some(".ADD"), Some(".MIN"), Some(".MAX"), Some(".INC"), Some(".DEC"), Some(".AND"), Some(".OR"), Some(".XOR"),
    Some(".EXCH"), Some(".CAS"),
];
const TYPE: Field = bits("type", 9, 1).and(59, 3);
const TYPES: &[Option<&str>] = &[
    Some(".INVALIDTYPE0"), None, None, None, Some(""), Some(".U64"), None, Some(".S32"), None, None, None,
    Some(".F32.FTZ.RN"),
];
const OPERATION: Field = bits("operation", 5, 4);
const ATOM: Piece = Pieces(&[E, Names(OPERATION, OPERATIONS), Names(TYPE, TYPES), S, SP]);
const THIRD: Field = bits("third", 49, 6);
/// The value that a compare-and-swap stores; RZ in other operations.
const SWAP: Piece = Cases(&[
    when(OPERATION, 9, &[COMMA, Number(THIRD, REG)]), when(THIRD, 63, &[]), otherwise(&[COMMA, Number(THIRD, REG)]),
]);

// Caches.
const CCTL_OPERATION: Field = bits("operation", 5, 5);
const CCTL: Piece = Names(CCTL_OPERATION, &[
    Some(".QRY1"), Some(".PF1"), Some(".PF1.5"), Some(".PF2"), Some(".WB"), Some(".IV"), Some(".IVALL"), Some(".RS"),
    Some(".WBALL"), Some(".RSLB"),
]);
/// A result that is RZ is not printed; QRY1 is then written without a space before its address.
const CCTL_DST: Piece = Cases(&[
    when(D, 63, &[]).with(CCTL_OPERATION, 0),
    when(D, 63, &[SP]),
    otherwise(&[SP, RD, COMMA]),
]);

// A load and a uniform load in one: sizes of both in five bits.
const PAIR: Field = bits("sizes", 53, 5);
const SECOND_SIZE: Piece = Names(PAIR, &[
    Some(".U8"), Some(".U8"), Some(".U8"), Some(".U8"), Some(".U8"), Some(".S8"), Some(".S8"), Some(".S8"), Some(".S8"), Some(".S8"),
    Some(".U16"), Some(".U16"), Some(".U16"), Some(".U16"), Some(".U16"), Some(".S16"), Some(".S16"), Some(".S16"), Some(".S16"),
    Some(".S16"), Some(".32"), Some(".32"), Some(".32"), Some(".32"), Some(".32"), Some(".32"), Some(".32"), Some(".64"), Some(".64"),
    Some(".64"), Some(".128"), Some(".128"),
]);
const FIRST_SIZE: Piece = Names(PAIR, &[
    Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(".32"), Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"),
    Some(".32"), Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(".32"), Some(".U8"), Some(".S8"), Some(".U16"),
    Some(".S16"), Some(".32"), Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(".32"), Some(".64"), Some(".128"),
    Some(".32"), Some(".64"), Some(".128"), Some(".32"), Some(".64"),
]);
const PAIR_PLACES: Piece = Pieces(&[
    S, SP, Number(bits("d_second", 32, 6), REG), COMMA, RD, COMMA,
    Text("["), RA, Text("+"), Number(bits("offset", 43, 10), SIGNED), Text("], ["), RB, Text("+"),
    Number(bits("offset_uniform", 5, 5).and(38, 5), SIGNED), Text("]"),
]);

// Surfaces.
const CLAMP: Piece = Names(bits("clamp", 47, 2), &[Some(".ZERO"), Some(".CLAMP"), Some(".TRAP")]);
const SURFACE: Piece = Cases(&[
    when(bits("surface_kind", 46, 1), 0, &[Text("["), RB, Text("]")]),
    when(bits("surface_kind", 46, 1), 1, &[Text("["), Number(bits("surface", 26, 3), HEX), Text("]")]),
]);
const SHAPE_2: Piece = Names(bits("shape", 44, 2), &[Some(".1D"), Some(".2D"), Some(".3D"), Some(".E2D")]);
const SURFACE_LOAD_CACHE: Piece = Names(bits("cache", 8, 2), &[Some(".CA"), Some(""), Some(".CS"), Some(".CV")]);
const SURFACE_STORE_CACHE: Piece = Names(bits("cache", 8, 2), &[Some(".WB"), Some(""), Some(".CS"), Some(".WT")]);
const SURFACE_SIZE: Piece = Names(
    bits("size", 5, 3),
    &[Some(".U8"), Some(".S8"), Some(".U16"), Some(".S16"), Some(".32"), Some(".64"), Some(".128"), Some(".INVALIDSIZE7")],
);
const SURFACE_TYPE: Piece = Names(bits("type", 45, 2), &[Some(".U32"), Some(".S32"), Some(".U8"), Some(".S8")]);
const LOAD_CLAMP: Piece = Names(bits("clamp", 47, 2), &[Some(".Z"), Some(".TRAP"), None, Some(".SDCL")]);
const STORE_CLAMP: Piece = Names(bits("clamp", 47, 2), &[Some(".IGN"), Some(".TRAP"), None, Some(".SDCL")]);
const A_PLACE: Piece = Pieces(&[Text("["), RA, Text("]")]);
const SURFACE_SRC: Piece = Cases(&[
    when(bits("source_kind", 53, 1), 0, &[RB]),
    when(bits("source_kind", 53, 1), 1, &[
        Text("c["), Number(bits("bank", 40, 4), HEX), Text("]["), Number(bits("offset", 26, 14), Format::SignedHex { scale: 4 }), Text("]"),
    ]),
]);
const CHANNELS: &[Option<&str>] = &[
    None, Some(".R"), Some(".G"), Some(".RG"), Some(".B"), Some(".RB"), Some(".GB"), Some(".RGB"),
    Some(".A"), Some(".RA"), Some(".GA"), Some(".RGA"), Some(".BA"), Some(".RBA"), Some(".GBA"), Some(".RGBA"),
];
const STORE_30: &[Case] = &[
    when(bits("channels", 54, 4), 0, &[Text(".B"), SURFACE_STORE_CACHE, SURFACE_SIZE]),
    otherwise(&[Text(".P"), SURFACE_STORE_CACHE, Names(bits("channels", 54, 4), CHANNELS)]),
];
const STORE_20: &[Case] = &[
    when(bits("channels", 49, 4), 15, &[Text(".B"), SURFACE_STORE_CACHE, SURFACE_SIZE]),
    otherwise(&[Text(".P"), SURFACE_STORE_CACHE, Names(bits("channels", 49, 4), &[
        Some(".NONE"), Some(".R"), Some(".G"), Some(".RG"), Some(".B"), Some(".RB"), Some(".GB"), Some(".RGB"),
        Some(".A"), Some(".RA"), Some(".GA"), Some(".RGA"), Some(".BA"), Some(".RBA"), Some(".GBA"),
    ])]),
];

// Attributes.
const ATTRIBUTE_OFFSET: Field = bits("offset", 32, 10);
pub(super) const ATTRIBUTE: Piece = Pieces(&[
    Text("a["),
    Cases(&[
        when(A, 63, &[Number(ATTRIBUTE_OFFSET, HEX)]),
        when(ATTRIBUTE_OFFSET, 0, &[RA]),
        otherwise(&[RA, Text("+"), Number(ATTRIBUTE_OFFSET, HEX)]),
    ]),
    Text("]"),
]);
pub(super) const C_UNLESS_RZ: Piece = Cases(&[when(C, 63, &[]), otherwise(&[COMMA, RC])]);
const B_UNLESS_RZ: Piece = Cases(&[when(B, 63, &[]), otherwise(&[COMMA, RB])]);
const PATCH: Piece = Flag(bits("patch", 8, 1), 1, ".P");
const ATTRIBUTE_SIZE: Piece = Names(bits("size", 5, 2), &[Some(""), Some(".64"), Some(".96"), Some(".128")]);
const LDC_OFFSET: Field = bits("offset", 26, 16);

// Textures.
const NODEP: Piece = Flag(bits("nodep", 9, 1), 1, ".NODEP");
const NDV: Piece = Flag(bits("ndv", 45, 1), 1, ".NDV");
const PHASE: Piece = Names(bits("phase", 7, 2), &[Some(""), Some(".T"), Some(".P")]);
const INDEXED: Piece = Flag(bits("indexed", 50, 1), 1, ".B");
const T_END: Piece = Pieces(&[NODEP, PHASE, S, SP, RD, COMMA, RA, COMMA]);
const MORE: Piece = Cases(&[when(B, 63, &[]), otherwise(&[RB, COMMA])]);
const SHAPE: Piece = Names(
    bits("shape", 51, 3),
    &[
        Some("1D"), Some("ARRAY_1D"), Some("2D"), Some("ARRAY_2D"), Some("3D"), Some("ARRAY_3D"), Some("CUBE"),
        Some("ARRAY_CUBE"),
    ],
);
const MASK: Piece = Number(bits("channels", 46, 4), HEX);
const TEXTURE: Piece = Number(bits("texture", 32, 8), HEX);
const SAMPLER: Piece = Number(bits("sampler", 40, 5), HEX);
const WITH_SAMPLER: Piece = Pieces(&[MORE, TEXTURE, COMMA, SAMPLER, COMMA, SHAPE, COMMA, MASK]);
/// TLD has no sampler.
const SAMPLER_UNLESS_0: Piece = Cases(&[when(bits("sampler", 40, 5), 0, &[]), otherwise(&[SAMPLER, COMMA])]);
const AOFFI: Piece = Flag(bits("offsets", 54, 1), 1, ".AOFFI");
const DC: Piece = Flag(bits("depth_compare", 56, 1), 1, ".DC");
const QUERY: Field = bits("query", 54, 6);
const OUT: Piece =
    Names(bits("kind", 5, 2), &[Some(".INVALIDOUTSTYPE0"), Some(".EMIT"), Some(".CUT"), Some(".EMIT_THEN_CUT")]);

/// The rows of unit 5.
pub(super) const MEMORY: &[Row] = &[
    op("LD", 0xf800, 0x8000, 5, &[E, LOAD_CACHE, L_SIZE, DST_ONLY, MEM32]).about("Load").source("nv.json form 94; gf100 m 8000"),
    op("LDU", 0xf800, 0x8800, 5, &[E, L_SIZE, DST_ONLY, MEM32]).until(21).about("Uniform load").source("nv.json form 95; gf100 m 8800"),
    op("ST", 0xf800, 0x9000, 5, &[E, STORE_CACHE, S_SIZE, S, SP, MEM32, COMMA, RD]).about("Store").source("nv.json form 101; gf100 m 9000"),
    op("LDL", 0xfd00, 0xc000, 5, &[LOCAL_CACHE, L_SIZE, DST_ONLY, MEM24]).about("Load from local memory").source("nv.json form 96; gf100 m c000"),
    op("LDS", 0xfd00, 0xc100, 5, &[L_SIZE, DST_ONLY, MEM24]).about("Load from shared memory").source("nv.json form 97; gf100 m c100"),
    op("STL", 0xfd00, 0xc800, 5, &[STORE_CACHE, S_SIZE, S, SP, MEM24, COMMA, RD]).about("Store to local memory").source("nv.json form 98; gf100 m c800"),
    op("STS", 0xfd00, 0xc900, 5, &[S_SIZE, S, SP, MEM24, COMMA, RD]).about("Store to shared memory").source("nv.json form 99; gf100 m c900"),
    op("LDLK", 0xf800, 0xa000, 5, &[L_SIZE, LOCK, RD, COMMA, MEM32]).until(21).about("Load and lock").source("nv.json form 92; gf100 m a000"),
    op("STUL", 0xfc00, 0xe800, 5, &[S_SIZE, S, SP, MEM32, COMMA, RD]).about("Store and unlock").source("nv.json form 102; gf100 m e800"),
    op("LDSLK", 0xfc00, 0xc400, 5, &[L_SIZE, S, SP, Number(bits("p", 50, 3), PRED), COMMA, RD, COMMA, MEM24]).until(21).about("Load from shared memory and lock").source("nv.json form 93; gf100 m c400"),
    op("STSUL", 0xfc00, 0xcc00, 5, &[S_SIZE, S, SP, MEM24, COMMA, RD]).until(21).about("Store to shared memory and unlock").source("nv.json form 100; gf100 m cc00"),
    op("LDSLK", 0xf800, 0xa800, 5, &[L_SIZE, LOCK, RD, COMMA, MEM24]).since(30).about("Load from shared memory and lock").source("nv.json form 93; gf100 m a800"),
    op("STSCUL", 0xf800, 0xb800, 5, &[S_SIZE, LOCK, MEM24, COMMA, RD]).since(30).about("Store to shared memory if locked, and unlock").source("nv.json form 91; gf100 m b800"),
    op("LDS_LDU", 0xf800, 0xa800, 5, &[SECOND_SIZE, FIRST_SIZE, Flag(bits("extended", 58, 1), 1, ".E"), PAIR_PLACES]).until(21).about("Load from shared memory, and a uniform load").source("gf100 m a800")
        .notes(&["The sources do not give the units of the offsets."]),
    op("LD_LDU", 0xf000, 0xb000, 5, &[SECOND_SIZE, FIRST_SIZE, Flag(bits("extended", 58, 1), 1, ".E"), Flag(bits("extended_first", 59, 1), 1, ".E1"), PAIR_PLACES]).until(21).about("Load, and a uniform load").source("nv.json form 105; gf100 m b000")
        .notes(&["The sources do not give the units of the offsets."]),

    op("ATOM", 0xc000, 0x4000, 5, &[
        ATOM, Number(bits("d", 43, 6), REG), COMMA, MEM20, COMMA, RD, SWAP,
    ]).about("Atomic operation").source("nv.json form 104; gf100 m 507e, 587e, 687e"),
    op("RED", 0xc000, 0x0000, 5, &[ATOM, MEM32, COMMA, RD]).about("Atomic operation without a result").source("nv.json form 103; gf100 m 1000, 1800, 2800"),

    op("CCTL", 0xf800, 0x9800, 5, &[
        E, Names(bits("cache", 26, 2), &[Some(""), Some(".U"), Some(".C"), Some(".I")]), CCTL, S, CCTL_DST, MEM30,
    ]).about("Cache control").source("nv.json form 22; gf100 m 9800"),
    op("CCTLL", 0xfc00, 0xd000, 5, &[CCTL, S, CCTL_DST, MEM24]).about("Cache control for local memory").source("gf100 m d000"),
    op("MEMBAR", 0xfc00, 0xe000, 5, &[Names(bits("scope", 5, 2), &[Some(".CTA"), Some(".GL"), Some(".SYS"), Some(".VC")]), S]).about("Memory barrier").source("nv.json form 112; gf100 m e000"),
    op("SHFL", 0xf800, 0x8800, 5, &[
        Names(bits("mode", 55, 2), &[Some(".IDX"), Some(".UP"), Some(".DOWN"), Some(".BFLY")]), LOCK, RD, COMMA, RA, COMMA,
        Cases(&[
            when(bits("lane_kind", 5, 1), 1, &[Number(bits("lane", 26, 5), HEX)]),
            when(bits("lane_kind", 5, 1), 0, &[RB]),
        ]),
        COMMA,
        Cases(&[
            when(bits("limits_kind", 6, 1), 1, &[Number(bits("limits", 42, 13), HEX)]),
            when(bits("limits_kind", 6, 1), 0, &[RC]),
        ]),
    ]).since(30).about("Move across the lanes of a warp").source("gf100 m 8800"),

    op("SULDGA.B", 0xfc00, 0xd400, 5, &[
        SURFACE_LOAD_CACHE, SURFACE_SIZE, LOAD_CLAMP, SURFACE_TYPE, DST_ONLY, A_PLACE, COMMA, SURFACE_SRC, COMMA_PC,
    ]).since(30).about("Surface load").source("gf100 m d400"),
    op("SUSTGA", 0xfc00, 0xdc00, 5, &[
        Cases(STORE_30), STORE_CLAMP, SURFACE_TYPE, S, SP, A_PLACE, COMMA, SURFACE_SRC, COMMA, RD, COMMA_PC,
    ]).since(30).about("Surface store").source("gf100 m dc00"),
    op("SULD.B", 0xfc00, 0xd400, 5, &[SHAPE_2, SURFACE_LOAD_CACHE, SURFACE_SIZE, CLAMP, DST_ONLY, SURFACE, COMMA, RA]).until(21).about("Surface load").source("gf100 m d400"),
    op("SUST", 0xfc00, 0xdc00, 5, &[Cases(STORE_20), SHAPE_2, CLAMP, S, SP, SURFACE, COMMA, RA, COMMA, RD]).until(21).about("Surface store").source("gf100 m dc00"),
    op("SURED.P", 0xfc00, 0xd800, 5, &[
        Names(OPERATION, OPERATIONS), CLAMP, S, SP, SURFACE, COMMA, RA, COMMA, RD,
    ]).until(21).about("Surface reduction").source("gf100 m d840"),
    op("SUQ", 0xfc00, 0xe400, 5, &[
        Names(bits("query", 5, 3), &[Some(".RANK"), Some(".PIXFMT"), Some(".SMPLSZ"), Some(".DIM"), Some(".RGBA"), Some(".BLKSZ")]),
        DST_ONLY, SURFACE,
    ]).until(21).about("Surface query").source("gf100 m e400"),
    op("SULEA", 0xfc00, 0xf000, 5, &[SHAPE_2, SURFACE_SIZE, CLAMP, S, SP, Number(bits("p", 54, 3), PRED), COMMA, RD, COMMA, SURFACE, COMMA, RA]).until(21).about("Surface effective address").source("gf100 m f000"),
];

/// The rows of unit 6.
pub(super) const TEXTURES: &[Row] = &[
    op("LDC", 0xfc00, 0x1400, 6, &[
        L_SIZE, Names(bits("mode", 8, 2), &[Some(""), Some(".IL"), Some(".IS"), Some(".ISL")]), DST_ONLY,
        Text("c["), Number(bits("bank", 42, 5), HEX), Text("]["),
        Cases(&[
            when(A, 63, &[Number(LDC_OFFSET, SIGNED)]),
            when(LDC_OFFSET, 0, &[RA]),
            otherwise(&[RA, Text("+"), Number(LDC_OFFSET, SIGNED)]),
        ]),
        Text("]"),
    ]).about("Load a constant").source("nv.json form 25; gf100 m 1400"),
    op("VILD", 0xfc00, 0x0000, 6, &[DST_ONLY, Text("v["), Cases(&[
        when(A, 63, &[Number(LDC_OFFSET, HEX)]),
        when(LDC_OFFSET, 0, &[RA]),
        otherwise(&[RA, Text("+"), Number(LDC_OFFSET, SIGNED)]),
    ]), Text("]")]).about("Load a vertex's index").source("gf100 m 0000"),
    op("ALD", 0xfc00, 0x0400, 6, &[
        Flag(bits("output", 9, 1), 1, ".O"), PATCH, ATTRIBUTE_SIZE, DST_ONLY, ATTRIBUTE, B_UNLESS_RZ,
    ]).about("Load an attribute").source("gf100 m 0400"),
    op("AST", 0xfc00, 0x0800, 6, &[PATCH, ATTRIBUTE_SIZE, S, SP, ATTRIBUTE, COMMA, RB, C_UNLESS_RZ]).about("Store an attribute").source("gf100 m 0800"),
    op("AL2P", 0xfc00, 0x0c00, 6, &[
        Flag(bits("output", 9, 1), 1, ".O"), S, SP, RD, Cases(&[when(A, 63, &[]), otherwise(&[COMMA, RA])]),
        Cases(&[when(bits("number", 32, 11), 0, &[]), otherwise(&[COMMA, Number(bits("number", 32, 11), SIGNED)])]),
    ]).since(30).about("Attribute address, logical to physical").source("gf100 m 0c00"),
    op("PIXLD", 0xfc00, 0x1000, 6, &[
        Names(
            bits("what", 5, 3),
            &[Some(""), Some(".COVMASK"), Some(".COVERED"), Some(".OFFSET"), Some(".CENTROID_OFFSET"), Some(".MY_INDEX")],
        ),
        DST_ONLY, Cases(&[when(bits("p", 53, 3), 7, &[]), otherwise(&[Number(bits("p", 53, 3), PRED), COMMA])]), Text("["),
        Cases(&[
            when(A, 63, &[Number(bits("offset", 26, 8), HEX)]),
            when(bits("offset", 26, 8), 0, &[RA]),
            otherwise(&[RA, Text("+"), Number(bits("offset", 26, 8), SIGNED)]),
        ]),
        Text("]"),
    ]).about("Load pixel information").source("gf100 m 1000"),
    op("OUT", 0xfc00, 0x1c00, 6, &[OUT, DST_ONLY, RA, COMMA, SRC]).about("Output a vertex").source("gf100 m 1c00"),

    op("TEX", 0xf000, 0x8000, 6, &[
        INDEXED,
        Names(bits("level", 57, 3), &[Some(""), Some(".LZ"), Some(".LB"), Some(".LL"), None, None, Some(".LBA"), Some(".LLA")]),
        AOFFI, DC, NDV, T_END, WITH_SAMPLER,
    ]).about("Texture access").source("nv.json form 31; gf100 m 8000"),
    op("TLD", 0xf000, 0x9000, 6, &[
        INDEXED, Names(bits("level", 57, 1), &[Some(".LZ"), Some(".LL")]), AOFFI, Flag(bits("multisample", 55, 1), 1, ".MS"),
        Flag(bits("clamp", 56, 1), 1, ".CL"), T_END, MORE, TEXTURE, COMMA, SAMPLER_UNLESS_0, SHAPE, COMMA, MASK,
    ]).about("Texture load").source("nv.json form 32; gf100 m 9000"),
    op("TLD4", 0xf000, 0xa000, 6, &[
        Names(bits("channel", 5, 2), &[Some(".R"), Some(".G"), Some(".B"), Some(".A")]), INDEXED,
        Names(bits("offsets", 54, 2), &[Some(""), Some(".AOFFI"), Some(".PTP")]), DC, NDV, T_END, WITH_SAMPLER,
    ]).about("Texture gather").source("gf100 m a000"),
    op("TMML", 0xf000, 0xb000, 6, &[INDEXED, Text(".LOD"), NDV, T_END, WITH_SAMPLER]).about("Texture level of detail").source("gf100 m b000"),
    op("TXQ", 0xf000, 0xc000, 6, &[
        INDEXED, T_END, MORE,
        Cases(&[
            when(QUERY, 0, &[Text("TEX_HEADER_DIMENSION")]), when(QUERY, 1, &[Text("TEX_HEADER_TEXTURE_TYPE")]),
            when(QUERY, 2, &[Text("TEX_HEADER_SAMPLER_POS")]), when(QUERY, 8, &[Text("TEX_SAMPLER_FILTER")]),
            when(QUERY, 9, &[Text("TEX_SAMPLER_LOD")]), when(QUERY, 10, &[Text("TEX_SAMPLER_WRAP")]),
            when(QUERY, 11, &[Text("TEX_SAMPLER_BORDER_COLOR")]), otherwise(&[Number(QUERY, HEX)]),
        ]),
        COMMA, TEXTURE, COMMA, SAMPLER, COMMA, MASK,
    ]).about("Texture query").source("gf100 m c000"),
    op("TXA", 0xf000, 0xd000, 6, &[NDV, T_END, TEXTURE, COMMA, SAMPLER, COMMA, MASK]).about("Texture sample positions").source("gf100 m d000"),
    op("TXD", 0xf000, 0xe000, 6, &[INDEXED, AOFFI, T_END, WITH_SAMPLER]).about("Texture access with derivatives").source("gf100 m e000"),
    low("TEXDEPBAR", 0xf000, 0xf000, 0, 6, &[
        S,
        Cases(&[
            case(0x1f << 5, 15 << 5, &[SP]),
            otherwise(&[Text(" CC."), Names(bits("condition", 5, 5), CONDITIONS), COMMA]),
        ]),
        Number(bits("left", 26, 6), HEX),
    ]).since(30).about("Wait until at most this number of texture accesses is pending").source("nv.json form 83; gf100 m f000"),
];
