//! Video instructions of 3.5: arithmetic on bytes and halves.
//!
//! For instructions on two lanes, the corpus shows only the swizzle `.00`, and no register as second source.

use super::parts::*;
use crate::set::{bits, otherwise, when, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

// Types and parts of the sources: four bytes, two halves, the word.
const TYPES: &[Option<&str>] = &[
    Some(".U8"), Some(".U8"), Some(".U8"), Some(".U8"), Some(".U16"), Some(".U16"), Some(".U32"), None,
    Some(".S8"), Some(".S8"), Some(".S8"), Some(".S8"), Some(".S16"), Some(".S16"), Some(".S32"), None,
];
const PARTS: &[Option<&str>] =
    &[Some(""), Some(".B1"), Some(".B2"), Some(".B3"), Some(""), Some(".H1"), Some(""), None];
const TYPE_A: Piece = Names(bits("type_a", 39, 3).and(51, 1), TYPES);
const A: Piece = Pieces(&[RA, Names(bits("part_a", 39, 3), PARTS)]);
const KIND: Field = bits("kind", 53, 1);
const SIGNED_B: Field = bits("signed_b", 52, 1);
const NUMBER: Field = bits("number", 23, 16);
const TYPE_B: Piece = Cases(&[
    when(KIND, 1, &[Names(bits("type_b", 31, 3).and(52, 1), TYPES)]),
    when(SIGNED_B, 0, &[Text(".U16")]),
    when(SIGNED_B, 1, &[Text(".S16")]),
]);
const B_REG: Piece = Pieces(&[RB, Names(bits("part_b", 31, 3), PARTS)]);
const B: Piece = Cases(&[
    when(KIND, 1, &[B_REG]),
    when(SIGNED_B, 0, &[Number(NUMBER, HEX)]),
    when(SIGNED_B, 1, &[Number(NUMBER, SIGNED)]),
]);
/// The second source, with an unsigned immediate: VADD and VMAD write it as unsigned even if its type is signed.
const B_PLAIN: Piece = Cases(&[when(KIND, 1, &[B_REG]), when(KIND, 0, &[Number(NUMBER, HEX)])]);
const MODE: Piece = Names(
    bits("mode", 54, 3),
    &[
        Some(".MRG_16H"), Some(".MRG_16L"), Some(".MRG_8B0"), Some(".MRG_8B2"), Some(".ACC"), Some(".MIN"), Some(".MAX"),
        Some(""),
    ],
);
const UD: Piece = Flag(bits("signed_d", 57, 1), 0, ".UD");
const V_SAT: Piece = Flag(bits("sat", 58, 1), 1, ".SAT");
const DST_V: Piece = Pieces(&[S, SP, RD, CC, COMMA]);
const END: Piece = Pieces(&[COMMA, RC]);

const ADD_SIGNS: Field = bits("signs", 59, 2);
const ADD_A: Piece = Cases(&[when(ADD_SIGNS, 2, &[Text("-"), A]), otherwise(&[A])]);
const ADD_B: Piece = Cases(&[when(ADD_SIGNS, 1, &[Text("-"), B_REG]).with(KIND, 1), otherwise(&[B_PLAIN])]);
const MAD_SIGNS: Field = bits("signs", 56, 2);
const MAD_A: Piece = Cases(&[when(MAD_SIGNS, 2, &[Text("-"), A]), otherwise(&[A])]);
const MAD_C: Piece = Cases(&[when(MAD_SIGNS, 1, &[Text("-"), RC]), otherwise(&[RC])]);

/// The second source of a shift is unsigned: its sign bit selects wrapping.
const SHIFT_B_TYPE: Piece =
    Cases(&[when(KIND, 1, &[Names(bits("type_b", 31, 3), TYPES)]), otherwise(&[Text(".U16")])]);
const SHIFT: Piece = Pieces(&[
    UD, TYPE_A, SHIFT_B_TYPE, Flag(bits("wrap", 52, 1), 1, ".W"), V_SAT, MODE, DST_V, A, COMMA,
    Cases(&[when(KIND, 1, &[B_REG]), otherwise(&[Number(NUMBER, HEX)])]), END,
]);
const COMPARE: &[Option<&str>] =
    &[Some(".F"), Some(".LT"), Some(".EQ"), Some(".LE"), Some(".GT"), Some(".NE"), Some(".GE"), Some(".T")];

// Two and four lanes.
const LANES: Piece = Names(bits("lanes", 54, 2), &[Some(".INVALIDMASK0"), Some(".X"), Some(".Y"), Some("")]);
const REDUCE: Piece = Names(bits("reduce", 56, 2), &[Some(""), Some(".ACC"), Some(".INVALIDRED2"), Some(".INVALIDRED3")]);
const UD_LANES: Piece = Flag(bits("signed_d", 41, 1), 0, ".UD");
const SD_LANES: Piece = Flag(bits("signed_d", 41, 1), 1, ".SD");
const HALVES: Piece = Pieces(&[
    Names(bits("signed_a", 51, 1), &[Some(".U16"), Some(".S16")]), Names(bits("signed_b", 52, 1), &[Some(".U16"), Some(".S16")]),
]);
const BYTES: Piece = Pieces(&[
    Names(bits("signed_a", 51, 1), &[Some(".U8"), Some(".S8")]), Names(bits("signed_b", 52, 1), &[Some(".U8"), Some(".S8")]),
]);
const A2: Piece = Pieces(&[RA, Text(".00")]);
const B2: Piece = Cases(&[when(KIND, 1, &[RB]), otherwise(&[Number(NUMBER, HEX)])]);
const LANES_4: Piece = Names(
    bits("lanes", 54, 2).and(39, 2),
    &[
        Some(".INVALIDMASK0"), Some(".X"), Some(".Y"), Some(".XY"), Some(".Z"), Some(".XZ"), Some(".YZ"), Some(".XYZ"),
        Some(".W"), Some(".XW"), Some(".YW"), Some(".XYW"), Some(".ZW"), Some(".XZW"), Some(".YZW"), Some(""),
    ],
);
const SAT_4: Piece = Flag(bits("sat", 53, 1), 1, ".SAT");
const A4: Piece = Pieces(&[
    RA,
    Names(
        bits("swizzle_a", 35, 4),
        &[
            Some(".0000"), Some(".1111"), Some(".2222"), Some(".3333"), Some(""), Some(".4321"), Some(".5432"), Some(".6543"),
            Some(".3201"), Some(".3012"), Some(".0213"), Some(".3120"), Some(".1230"), Some(".2310"),
        ],
    ),
]);
const B4: Piece = Pieces(&[
    RB,
    Names(
        bits("swizzle_b", 31, 4),
        &[
            Some(".4444"), Some(".5555"), Some(".6666"), Some(".7777"), Some(""), Some(".6543"), Some(".5432"), Some(".4321"),
            Some(".4567"), Some(".6745"), Some(".5467"),
        ],
    ),
]);
const ADD4_SIGNS: Field = bits("signs", 58, 2);

pub(super) const ROWS: &[Row] = &[
    op("VADD", 0xe000, 0x0000, 1, &[
        UD, TYPE_A, TYPE_B, Flag(ADD_SIGNS, 3, ".PO"), V_SAT, MODE, DST_V, ADD_A, COMMA, ADD_B, END,
    ]).about("Add parts").source("corpus 0000; gm107 5400 for the fields"),
    op("VABSDIFF", 0xf800, 0xa000, 2, &[
        Flag(bits("signed_d", 57, 1), 1, ".SD"), TYPE_A, TYPE_B, V_SAT, MODE, DST_V, A, COMMA, B, END,
    ]).about("Absolute difference of parts").source("corpus a000; gm107 5400"),
    op("VMNMX", 0xf000, 0xe000, 1, &[
        UD, TYPE_A, TYPE_B, Flag(bits("maximum", 59, 1), 1, ".MX"), V_SAT, MODE, DST_V, A, COMMA, B, END,
    ]).about("Minimum or maximum of parts").source("corpus e000; gm107 3a00"),
    op("VSET", 0xf000, 0x0000, 2, &[
        Names(bits("compare", 57, 3), COMPARE), TYPE_A, TYPE_B, MODE, DST_V, A, COMMA, B, END,
    ]).about("Compare parts and set").source("corpus 0000; gm107 4000"),
    op("VSETP", 0xffc0, 0x8780, 2, &[
        Names(bits("compare", 46, 2).and(50, 1), COMPARE), TYPE_A, TYPE_B, BOOL, S, SP, PP, A, COMMA, B, COMMA_PC,
    ]).about("Compare parts and set predicate").source("corpus 8780; gm107 50f0"),
    op("VSHR", 0xf800, 0xb000, 2, &[SHIFT]).about("Shift parts right").source("gk110 m b000"),
    op("VSHL", 0xf800, 0xb800, 2, &[SHIFT]).about("Shift parts left").source("gk110 m b800"),
    op("VMAD", 0xf800, 0xf800, 2, &[
        TYPE_A, TYPE_B, Flag(MAD_SIGNS, 3, ".PO"),
        Names(bits("scale", 54, 2), &[Some(""), Some(".SHR_7"), Some(".SHR_15"), Some(".INVALIDVMADSCALE3")]),
        V_SAT, DST_V, MAD_A, COMMA, B_PLAIN, COMMA, MAD_C,
    ]).about("Multiply-add of parts").source("corpus f800; gm107 5f00"),

    op("VADD2", 0xe000, 0x2000, 1, &[
        UD_LANES, HALVES, Flag(ADD_SIGNS, 3, ".AVRG"), V_SAT, REDUCE, LANES, DST_V,
        Cases(&[when(ADD_SIGNS, 2, &[Text("-"), A2]), otherwise(&[A2])]), COMMA,
        Cases(&[when(ADD_SIGNS, 1, &[Text("-"), RB]).with(KIND, 1), otherwise(&[B2])]), END,
    ]).about("Add two lanes").source("corpus 2000"),
    op("VABSDIFF2", 0xf800, 0xa800, 2, &[SD_LANES, HALVES, V_SAT, REDUCE, LANES, DST_V, A2, COMMA, B2, END])
        .about("Absolute difference of two lanes").source("corpus a800"),
    op("VMNMX2", 0xf000, 0xf000, 1, &[
        UD_LANES, HALVES, Flag(bits("maximum", 59, 1), 1, ".MX"), V_SAT, REDUCE, LANES, DST_V, A2, COMMA, B2, END,
    ]).about("Minimum or maximum of two lanes").source("corpus f000"),
    op("VSET2", 0xf000, 0x1000, 2, &[
        Names(bits("compare", 57, 3), COMPARE), Names(bits("signed_a", 51, 1), &[Some(".U16"), Some(".S16")]),
        Names(bits("signed_b", 56, 1), &[Some(".U16"), Some(".S16")]), LANES, DST_V, A2, COMMA, B2, END,
    ]).about("Compare two lanes and set").source("corpus 1000"),
    op("VADD4", 0xf000, 0xd000, 1, &[
        UD_LANES, BYTES, Flag(ADD4_SIGNS, 3, ".AVRG"), SAT_4, REDUCE, LANES_4, DST_V,
        Cases(&[when(ADD4_SIGNS, 2, &[Text("-"), A4]), otherwise(&[A4])]), COMMA,
        Cases(&[when(ADD4_SIGNS, 1, &[Text("-"), B4]), otherwise(&[B4])]), END,
    ]).about("Add four lanes").source("corpus d000; gm107 5000 for the fields"),
    op("VABSDIFF4", 0xfc00, 0x8000, 2, &[SD_LANES, BYTES, SAT_4, REDUCE, LANES_4, DST_V, A4, COMMA, B4, END])
        .about("Absolute difference of four lanes").source("corpus 8000; gm107 5000"),
    op("VMNMX4", 0xf800, 0xf000, 2, &[
        UD_LANES, BYTES, Flag(bits("maximum", 58, 1), 1, ".MX"), SAT_4, REDUCE, LANES_4, DST_V, A4, COMMA, B4, END,
    ]).about("Minimum or maximum of four lanes").source("corpus f000"),
    op("VSET4", 0xf800, 0xe800, 2, &[
        Text(".F"), Names(bits("signed_a", 51, 1), &[Some(".U8"), Some(".S8")]),
        Names(bits("signed_b", 58, 1), &[Some(".U8"), Some(".S8")]), REDUCE, LANES_4, DST_V, A4, COMMA, B4, END,
    ]).about("Compare four lanes and set").source("corpus e800")
        .notes(&["The position of the comparison is unknown; the corpus only has .F."]),
];
