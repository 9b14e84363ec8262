//! Video instructions of 2.x and 3.0: arithmetic on bytes and halves, in unit 4.

use super::parts::*;
use crate::set::{bits, otherwise, when, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

// One lane: types and parts of the sources.
const TYPES: &[Option<&str>] = &[
    Some(".U8"), Some(".U8"), Some(".U8"), Some(".U8"), Some(".U16"), Some(".U16"), Some(".U32"), None,
    Some(".S8"), Some(".S8"), Some(".S8"), Some(".S8"), Some(".S16"), Some(".S16"), Some(".S32"), None,
];
const PARTS: &[Option<&str>] =
    &[Some(""), Some(".B1"), Some(".B2"), Some(".B3"), Some(""), Some(".H1"), Some(""), None];
const TYPE_A: Piece = Names(bits("type_a", 44, 3).and(6, 1), TYPES);
const VA: Piece = Pieces(&[RA, Names(bits("part_a", 44, 3), PARTS)]);
const IS_REG: Field = bits("kind", 47, 1);
const SIGNED_B: Field = bits("signed_b", 5, 1);
const NUMBER: Field = bits("number", 26, 16);
const TYPE_B: Piece = Cases(&[
    when(IS_REG, 1, &[Names(bits("type_b", 32, 3).and(5, 1), TYPES)]),
    when(SIGNED_B, 0, &[Text(".U16")]),
    when(SIGNED_B, 1, &[Text(".S16")]),
]);
const B_REG: Piece = Pieces(&[RB, Names(bits("part_b", 32, 3), PARTS)]);
const VB: Piece = Cases(&[
    when(IS_REG, 1, &[B_REG]),
    when(SIGNED_B, 0, &[Number(NUMBER, HEX)]),
    when(SIGNED_B, 1, &[Number(NUMBER, SIGNED)]),
]);
/// The second source, with an unsigned immediate: VADD and VMAD write it as unsigned even if its type is signed.
const VB_PLAIN: Piece = Cases(&[when(IS_REG, 1, &[B_REG]), when(IS_REG, 0, &[Number(NUMBER, HEX)])]);
const MODE: Piece = Names(
    bits("mode", 55, 3),
    &[
        Some(".MRG_16H"), Some(".MRG_16L"), Some(".MRG_8B0"), Some(".MRG_8B2"), Some(".ACC"), Some(".MIN"), Some(".MAX"),
        Some(""),
    ],
);
const UD: Piece = Flag(bits("signed_d", 42, 1), 0, ".UD");
const V_SAT: Piece = Flag(bits("sat", 9, 1), 1, ".SAT");
const END: Piece = Pieces(&[COMMA, RC]);
const OP: Field = bits("signs", 7, 2);
const ADD_A: Piece = Cases(&[when(OP, 2, &[Text("-"), VA]), otherwise(&[VA])]);
const ADD_B: Piece = Cases(&[when(OP, 1, &[Text("-"), B_REG]).with(IS_REG, 1), otherwise(&[VB_PLAIN])]);
const MAD_C: Piece = Cases(&[when(OP, 1, &[Text("-"), RC]), otherwise(&[RC])]);
const WRAP: Piece = Flag(bits("wrap", 7, 1), 1, ".W");
/// With four lanes `.W` is the mask of the fourth.
const WRAP_4: Piece = Flag(bits("wrap", 7, 1), 1, ".WRAP");
const MAXIMUM: Piece = Flag(bits("maximum", 7, 1), 1, ".MX");
const SHIFT_TYPE_B: Piece =
    Cases(&[when(IS_REG, 1, &[Names(bits("type_b", 32, 3).and(5, 1), TYPES)]), when(SIGNED_B, 0, &[Text(".U16")]), when(SIGNED_B, 1, &[Text(".S16")])]);
const SHIFT: Piece = Pieces(&[UD, TYPE_A, SHIFT_TYPE_B, WRAP, V_SAT, MODE, DST, VA, COMMA, VB, END]);
const V_COMPARE: Piece = Names(bits("compare", 7, 3), COMPARE);

// Two and four lanes.
const LANES: Piece = Names(bits("lanes", 55, 2), &[Some(".INVALIDMASK0"), Some(".X"), Some(".Y"), Some("")]);
const LANES_4: Piece = Names(
    bits("lanes", 55, 2).and(34, 2),
    &[
        Some(".INVALIDMASK0"), Some(".X"), Some(".Y"), Some(".XY"), Some(".Z"), Some(".XZ"), Some(".YZ"), Some(".XYZ"),
        Some(".W"), Some(".XW"), Some(".YW"), Some(".XYW"), Some(".ZW"), Some(".XZW"), Some(".YZW"), Some(""),
    ],
);
const REDUCE: Piece = Names(
    bits("reduce", 44, 3),
    &[Some(""), Some(".SIMD_MIN"), Some(".SIMD_MAX"), Some(".INVALIDRED3"), Some(".ACC"), Some(".MIN"), Some(".MAX"), Some(".INVALIDRED7")],
);
const UD_LANES: Piece = Flag(bits("signed_d", 57, 1), 0, ".UD");
const HALVES: Piece = Pieces(&[
    Names(bits("signed_a", 6, 1), &[Some(".U16"), Some(".S16")]), Names(bits("signed_b", 5, 1), &[Some(".U16"), Some(".S16")]),
]);
const BYTES: Piece = Pieces(&[
    Names(bits("signed_a", 6, 1), &[Some(".U8"), Some(".S8")]), Names(bits("signed_b", 5, 1), &[Some(".U8"), Some(".S8")]),
]);
const A2: Piece = Pieces(&[
    RA,
    Cases(&[
        when(IS_REG, 1, &[Names(
            bits("swizzle_a", 40, 4),
            &[
                Some(".00"), Some(".01"), Some(".02"), Some(".03"), Some(""), Some(".11"), Some(".12"), Some(".13"),
                Some(".20"), Some(".21"), Some(".22"), Some(".23"), Some(".30"), Some(".31"), Some(".32"), Some(".33"),
            ],
        )]),
        otherwise(&[Names(bits("swizzle_a", 42, 2), &[Some(".00"), Some(".01"), Some(""), Some(".11")])]),
    ]),
]);
const B2: Piece = Cases(&[
    when(IS_REG, 1, &[RB, Names(
        bits("swizzle_b", 36, 4),
        &[
            Some(".00"), Some(".01"), Some(".02"), Some(".03"), Some(".10"), Some(".11"), Some(".12"), Some(".13"),
            Some(".20"), Some(".21"), Some(".22"), Some(".23"), Some(".30"), Some(".31"), Some(""), Some(".33"),
        ],
    )]),
    otherwise(&[Number(NUMBER, HEX)]),
]);
const A4: Piece = Pieces(&[
    RA,
    Names(
        bits("swizzle_a", 40, 4),
        &[
            Some(".0000"), Some(".1111"), Some(".2222"), Some(".3333"), Some(""), Some(".4321"), Some(".5432"), Some(".6543"),
            Some(".3201"), Some(".3012"), Some(".0213"), Some(".3120"), Some(".1230"), Some(".2310"),
        ],
    ),
]);
const B4: Piece = Cases(&[
    when(IS_REG, 1, &[RB, Names(
        bits("swizzle_b", 36, 4),
        &[
            Some(".4444"), Some(".5555"), Some(".6666"), Some(".7777"), Some(""), Some(".6543"), Some(".5432"), Some(".4321"),
            Some(".4567"), Some(".6745"), Some(".5467"),
        ],
    )]),
    otherwise(&[Number(bits("number", 26, 8), HEX)]),
]);
const SUM_2: Piece = Pieces(&[
    UD_LANES, HALVES, Flag(OP, 3, ".AVRG"), V_SAT, REDUCE, LANES, DST,
    Cases(&[when(OP, 2, &[Text("-"), A2]), otherwise(&[A2])]), COMMA,
    Cases(&[when(OP, 1, &[Text("-"), B2]).with(IS_REG, 1), otherwise(&[B2])]), END,
]);
const SUM_4: Piece = Pieces(&[
    UD_LANES, BYTES, Flag(OP, 3, ".AVRG"), V_SAT, REDUCE, LANES_4, DST,
    Cases(&[when(OP, 2, &[Text("-"), A4]), otherwise(&[A4])]), COMMA,
    Cases(&[when(OP, 1, &[Text("-"), B4]).with(IS_REG, 1), otherwise(&[B4])]), END,
]);
const TWO: Piece = Pieces(&[V_SAT, REDUCE, LANES, DST, A2, COMMA, B2]);
const FOUR: Piece = Pieces(&[V_SAT, REDUCE, LANES_4, DST, A4, COMMA, B4]);

pub(super) const ROWS: &[Row] = &[
    op("VADD", 0xf800, 0xc000, 4, &[UD, TYPE_A, TYPE_B, Flag(OP, 3, ".PO"), V_SAT, MODE, DST, ADD_A, COMMA, ADD_B, END]).about("Add parts").source("nv.json form 75; gf100 m c000"),
    op("VMNMX", 0xf800, 0xc800, 4, &[UD, TYPE_A, TYPE_B, MAXIMUM, V_SAT, MODE, DST, VA, COMMA, VB, END]).about("Minimum or maximum of parts").source("nv.json form 73; gf100 m c800"),
    op("VABSDIFF", 0xf800, 0xd000, 4, &[Flag(bits("signed_d", 42, 1), 1, ".SD"), TYPE_A, TYPE_B, V_SAT, MODE, DST, VA, COMMA, VB, END]).about("Absolute difference of parts").source("gf100 m d000"),
    op("VSET", 0xf800, 0xd800, 4, &[V_COMPARE, TYPE_A, TYPE_B, MODE, DST, VA, COMMA, VB, END]).about("Compare parts and set").source("gf100 m d800"),
    op("VSHR", 0xf800, 0xe000, 4, &[SHIFT]).about("Shift parts right").source("gf100 m e000"),
    op("VSHL", 0xf800, 0xe800, 4, &[SHIFT]).about("Shift parts left").source("gf100 m e800"),
    op("VMAD", 0xf800, 0xf000, 4, &[
        TYPE_A, TYPE_B, Flag(OP, 3, ".PO"),
        Names(bits("scale", 55, 2), &[Some(""), Some(".SHR_7"), Some(".SHR_15"), Some(".INVALIDVMADSCALE3")]), V_SAT, DST,
        ADD_A, COMMA, VB_PLAIN, COMMA, MAD_C,
    ]).about("Multiply-add of parts").source("gf100 m f000"),
    op("VSETP", 0xf800, 0xf800, 4, &[V_COMPARE, TYPE_A, TYPE_B, BOOL, S, SP, PP, VA, COMMA, VB, COMMA_PC]).about("Compare parts and set predicate").source("gf100 m f800"),

    op("VADD2", 0xfc00, 0xa000, 4, &[SUM_2]).about("Add two lanes").source("gf100 m a000"),
    op("VMNMX2", 0xfc00, 0xa400, 4, &[UD_LANES, HALVES, MAXIMUM, TWO, END]).about("Minimum or maximum of two lanes").source("gf100 m a400"),
    op("VABSDIFF2", 0xfc00, 0xa800, 4, &[Flag(bits("signed_d", 57, 1), 1, ".SD"), HALVES, TWO, END]).about("Absolute difference of two lanes").source("gf100 m a800"),
    op("VSET2", 0xfc00, 0xac00, 4, &[V_COMPARE, HALVES, REDUCE, LANES, DST, A2, COMMA, B2, END]).about("Compare two lanes and set").source("gf100 m ac00"),
    op("VSHR2", 0xfc00, 0xb000, 4, &[UD_LANES, HALVES, WRAP, TWO, END]).about("Shift two lanes right").source("gf100 m b000"),
    op("VSHL2", 0xfc00, 0xb400, 4, &[UD_LANES, HALVES, WRAP, TWO, END]).about("Shift two lanes left").source("gf100 m b400"),
    op("VSEL2", 0xfc00, 0xb800, 4, &[UD_LANES, HALVES, TWO, COMMA_PC]).about("Select two lanes").source("gf100 m b800"),

    op("VADD4", 0xfc00, 0x8000, 4, &[SUM_4]).about("Add four lanes").source("gf100 m 8000"),
    op("VMNMX4", 0xfc00, 0x8400, 4, &[UD_LANES, BYTES, MAXIMUM, FOUR, END]).about("Minimum or maximum of four lanes").source("gf100 m 8400"),
    op("VABSDIFF4", 0xfc00, 0x8800, 4, &[Flag(bits("signed_d", 57, 1), 1, ".SD"), BYTES, FOUR, END]).about("Absolute difference of four lanes").source("gf100 m 8800"),
    op("VSET4", 0xfc00, 0x8c00, 4, &[V_COMPARE, BYTES, REDUCE, LANES_4, DST, A4, COMMA, B4, END]).about("Compare four lanes and set").source("gf100 m 8c00"),
    op("VSHR4", 0xfc00, 0x9000, 4, &[UD_LANES, BYTES, WRAP_4, FOUR, END]).about("Shift four lanes right").source("gf100 m 9000"),
    op("VSHL4", 0xfc00, 0x9400, 4, &[UD_LANES, BYTES, WRAP_4, FOUR, END]).about("Shift four lanes left").source("gf100 m 9400"),
    op("VSEL4", 0xfc00, 0x9800, 4, &[UD_LANES, BYTES, FOUR, COMMA_PC]).about("Select four lanes").source("gf100 m 9800"),
];
