//! Moves, conversions, predicates and barriers of 2.x and 3.0: unit 4.

use super::super::nvidia::SPECIAL;
use super::parts::*;
use crate::set::{bits, case, otherwise, when, Case, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

const LANES: Field = bits("lanes", 5, 4);
/// The lanes that MOV writes; the mask 15, all lanes, is not printed.
pub(super) const LANE: Piece = Cases(&[when(LANES, 15, &[]), otherwise(&[COMMA, Number(LANES, HEX)])]);

// Conversions. Types: the size's logarithm in two bits, and a sign.
const TO: Field = bits("to", 20, 2).and(7, 1);
const FROM: Field = bits("from", 23, 2).and(9, 1);
const INTS: &[Option<&str>] =
    &[Some(".U8"), Some(".U16"), Some(".U32"), Some(".U64"), Some(".S8"), Some(".S16"), Some(".S32"), Some(".S64")];
const FLOAT_TO: Field = bits("to", 20, 2);
const FLOAT_FROM: Field = bits("from", 23, 2);
const F_TO: Piece = Names(FLOAT_TO, &[Some(".INVALIDFPDEST0"), Some(".F16"), Some(".F32"), Some(".F64")]);
const F_FROM: Piece = Names(FLOAT_FROM, &[Some(".INVALIDFPSRC0"), Some(".F16"), Some(".F32"), Some(".F64")]);
const I2F_TO: Piece = Names(FLOAT_TO, &[Some(".INVALIDFPSRC0"), Some(".F16"), Some(".F32"), Some(".F64")]);
const SIZES: u128 = 3 << 20 | 3 << 23;
const ROUND49: Piece = Names(bits("round", 49, 2), ROUNDS);
const SAME_ROUND: Piece = Names(
    bits("round", 49, 2).and(7, 1),
    &[Some(""), None, None, Some(".PASS"), Some(".ROUND"), Some(".FLOOR"), Some(".CEIL"), Some(".TRUNC")],
);
/// The rounding: to an integer for conversions between types of the same size, else the rounding mode.
const F2F_ROUND: &[Case] = &[
    case(SIZES, 1 << 20 | 1 << 23, &[SAME_ROUND]),
    case(SIZES, 2 << 20 | 2 << 23, &[SAME_ROUND]),
    case(SIZES, 3 << 20 | 3 << 23, &[SAME_ROUND]),
    otherwise(&[ROUND49]),
];
const FTZ55: Piece = Flag(bits("ftz", 55, 1), 1, ".FTZ");
const HALF: Piece = Flag(bits("half", 56, 1), 1, ".H1");
const FLOAT_SRC: Piece = Cases(&[
    when(FLOAT_FROM, 1, &[Cases(CONVERT_HALF), HALF]),
    when(FLOAT_FROM, 3, &[Cases(CONVERT_DOUBLE)]),
    otherwise(&[Cases(CONVERT_SINGLE)]),
]);
const PART: Piece = Names(bits("part", 55, 2), &[Some(""), Some(".B1"), Some(".B2"), Some(".B3")]);

// Predicate logic.
const BF: Piece = Flag(bits("bf", 5, 1), 1, ".BF");
const CONDITION: Field = bits("condition", 20, 5);
const FUNCTION: Piece = Names(bits("function", 30, 2), &[Some(".AND"), Some(".OR"), Some(".XOR")]);
const FIRST: Piece = Pieces(&[Flag(bits("pa_not", 23, 1), 1, "!"), Number(bits("pa", 20, 3), PRED), COMMA]);
const SECOND: Piece = Pieces(&[Flag(bits("pb_not", 29, 1), 1, "!"), Number(bits("pb", 26, 3), PRED)]);

// Barriers.
const BARRIER: Piece = Cases(&[
    when(bits("barrier_kind", 47, 1), 0, &[RA]),
    when(bits("barrier_kind", 47, 1), 1, &[Number(bits("barrier", 20, 4), HEX)]),
]);
const COUNT: Piece = Cases(&[
    when(bits("count_kind", 46, 1), 0, &[RB]),
    when(bits("count_kind", 46, 1), 1, &[Number(bits("count", 26, 12), HEX)]),
]);
const BAR_DST: Piece = Pieces(&[
    S, SP, RD, COMMA, Cases(&[when(bits("p", 53, 3), 7, &[]), otherwise(&[Number(bits("p", 53, 3), PRED), COMMA])]),
]);
const BAR_SRC: Piece = Pieces(&[BARRIER, COMMA, COUNT]);
/// BAR.ARV has no destinations: the destination fields are printed only if they are not RZ and PT.
const ARV: Field = bits("unused", 14, 6).and(53, 3).and(49, 4);
const BAR: &[Case] = &[
    when(bits("mode", 5, 3), 0, &[Text(".RED.POPC"), BAR_DST, BAR_SRC, COMMA_PC]),
    when(bits("mode", 5, 3), 1, &[Text(".RED.AND"), BAR_DST, BAR_SRC, COMMA_PC]),
    when(bits("mode", 5, 3), 2, &[Text(".RED.OR"), BAR_DST, BAR_SRC, COMMA_PC]),
    when(bits("mode", 5, 3), 4, &[Text(".ARV"), S, SP, BAR_SRC]).with(ARV, 0xfff),
    when(bits("mode", 5, 3), 4, &[Text(".ARV"), BAR_DST, BAR_SRC, COMMA_PC]),
];

const NOP_IF: Field = bits("condition", 5, 5);
const NOP_NUMBER: Field = bits("number", 26, 16);
const VOTE_DST: Piece = Cases(&[when(D, 63, &[]), otherwise(&[RD, COMMA])]);
const VOTE_SRC: Piece = Pieces(&[
    S, SP, VOTE_DST, Number(bits("p", 54, 3), PRED), COMMA, Flag(bits("pa_not", 23, 1), 1, "!"), Number(bits("pa", 20, 3), PRED),
]);
const VTG: Piece = Pieces(&[S, SP, Number(bits("number", 26, 28), HEX)]);
const SUCLAMP_MODE: &[Option<&str>] = &[
    Some(""), Some(".SD.R2"), Some(".SD.R4"), Some(".SD.R8"), Some(".SD.R16"),
    Some(".PL.R1"), Some(".PL.R2"), Some(".PL.R4"), Some(".PL.R8"), Some(".PL.R16"),
    Some(".BL.R1"), Some(".BL.R2"), Some(".BL.R4"), Some(".BL.R8"), Some(".BL.R16"),
];
const P55: Piece = Pieces(&[Number(bits("p", 55, 3), PRED), COMMA]);

pub(super) const ROWS: &[Row] = &[
    op("MOV", 0xfc00, 0x2800, 4, &[S, SP, RD, COMMA, SRC, LANE]).about("Move").source("nv.json form 24; gf100 m 2800"),
    op("SEL", 0xfc00, 0x2000, 4, &[DST_ONLY, RA, COMMA, SRC, COMMA_PC]).about("Select by a predicate").source("nv.json form 26; gf100 m 2000"),
    op("PRMT", 0xfc00, 0x2400, 4, &[
        Names(
            bits("mode", 5, 3),
            &[Some(""), Some(".F4E"), Some(".B4E"), Some(".RC8"), Some(".ECL"), Some(".ECR"), Some(".RC16")],
        ),
        DST_ONLY, RA, COMMA, SRC_C,
    ]).about("Permute bytes").source("nv.json form 66; gf100 m 2400"),
    op("S2R", 0xfc00, 0x2c00, 4, &[DST_ONLY, Number(bits("special", 26, 8), SPECIAL)]).about("Move a special register").source("nv.json form 28; gf100 m 2c00"),
    op("LEPC", 0xfc00, 0x4400, 4, &[S, SP, RD]).about("Load the program counter").source("nv.json form 34; gf100 m 4400"),
    op("POPC", 0xfc00, 0x5400, 4, &[DST_ONLY, LA, COMMA, LB]).about("Count the ones").source("nv.json form 59; gf100 m 5400"),

    // Conversions.
    op("F2F", 0xfc00, 0x1000, 4, &[FTZ55, F_TO, F_FROM, Cases(F2F_ROUND), SAT, DST, FLOAT_SRC]).about("Float to float").source("nv.json form 38; gf100 m 1000"),
    op("F2I", 0xfc00, 0x1400, 4, &[
        FTZ55, Names(TO, INTS), F_FROM, Names(bits("round", 49, 2), &[Some(""), Some(".FLOOR"), Some(".CEIL"), Some(".TRUNC")]),
        DST, FLOAT_SRC,
    ]).about("Float to integer").source("nv.json form 37; gf100 m 1400"),
    op("I2F", 0xfc00, 0x1800, 4, &[I2F_TO, Names(FROM, INTS), ROUND49, DST, Cases(CONVERT_INT), PART]).about("Integer to float").source("nv.json form 35; gf100 m 1800"),
    op("I2I", 0xfc00, 0x1c00, 4, &[Names(TO, INTS), Names(FROM, INTS), SAT, DST, Cases(CONVERT_INT), PART]).about("Integer to integer").source("nv.json form 36; gf100 m 1c00"),

    // Predicates.
    op("CSET", 0xfc00, 0x0000, 4, &[BF, Text("."), Names(CONDITION, CONDITIONS), BOOL, DST, Text("CC"), COMMA_PC]).about("Condition code to a register").source("gf100 m 0000"),
    op("CSETP", 0xfc00, 0x0400, 4, &[Text("."), Names(CONDITION, CONDITIONS), BOOL, S, SP, PP, Text("CC"), COMMA_PC]).about("Condition code to a predicate").source("nv.json form 87; gf100 m 0400"),
    op("PSET", 0xfc00, 0x0800, 4, &[BF, FUNCTION, BOOL, DST, FIRST, SECOND, COMMA_PC]).about("Predicate logic to a register").source("nv.json form 69; gf100 m 0800"),
    op("PSETP", 0xfc00, 0x0c00, 4, &[FUNCTION, BOOL, S, SP, PP, FIRST, SECOND, COMMA_PC]).about("Predicate logic").source("nv.json form 90; gf100 m 0c00"),
    op("P2R", 0xfc00, 0x3000, 4, &[S, SP, RD, Text(", PR, "), RA, COMMA, SRC]).about("Predicates to a register").source("nv.json form 29; gf100 m 3000"),
    op("R2P", 0xfc00, 0x3400, 4, &[S, Text(" PR, "), RA, COMMA, SRC]).about("Register to predicates").source("nv.json form 30; gf100 m 3400"),
    op("VOTE", 0xfc00, 0x4800, 4, &[Cases(&[
        when(bits("mode", 5, 3), 0, &[Text(".ALL"), VOTE_SRC]),
        when(bits("mode", 5, 3), 1, &[Text(".ANY"), VOTE_SRC]),
        when(bits("mode", 5, 3), 2, &[Text(".EQ"), VOTE_SRC]),
        when(bits("mode", 5, 3), 5, &[Text(".VTG.R"), VTG]),
        when(bits("mode", 5, 3), 6, &[Text(".VTG.A"), VTG]),
        when(bits("mode", 5, 3), 7, &[Text(".VTG.RA"), VTG]),
    ])]).about("Vote across the warp").source("nv.json form 21; gf100 m 4800"),

    // Barriers and nothing.
    op("B2R", 0xfc00, 0x3800, 4, &[
        Names(bits("unit", 8, 2), &[Some(""), Some(".ALU"), Some(".XLU")]), DST_ONLY, Number(bits("barrier", 20, 6), HEX),
    ]).about("Barrier to register").source("nv.json form 27; gf100 m 3800"),
    op("BAR", 0xfc00, 0x5000, 4, &[Cases(BAR)]).about("Barrier").source("gf100 m 5000"),
    op("NOP", 0xfc00, 0x4000, 4, &[
        Flag(bits("trigger", 50, 1), 1, ".TRIG"), S,
        Cases(&[when(NOP_IF, 15, &[]), otherwise(&[Text(" CC."), Names(NOP_IF, CONDITIONS)])]),
        Cases(&[
            when(NOP_NUMBER, 0, &[]),
            when(NOP_IF, 15, &[SP, Number(NOP_NUMBER, HEX)]),
            otherwise(&[COMMA, Number(NOP_NUMBER, HEX)]),
        ]),
    ]).about("Nothing").source("nv.json form 106; gf100 m 4000"),

    // Surface addresses of 3.0.
    op("SUCLAMP", 0xfc00, 0x5800, 4, &[
        Flag(bits("two_d", 48, 1), 0, ".1D"), Flag(bits("signed", 9, 1), 0, ".U32"), Names(bits("mode", 5, 4), SUCLAMP_MODE),
        S, SP, P55, RD, COMMA, RA, COMMA, SRC, COMMA, Number(bits("bias", 49, 6), SIGNED),
    ]).since(30).about("Surface coordinate clamp").source("gf100 m 5800"),
    op("SUBFM", 0xfc00, 0x5c00, 4, &[Flag(bits("three_d", 48, 1), 1, ".3D"), S, SP, P55, RD, COMMA, RA, COMMA, SRC_C]).since(30).about("Surface bit field merge").source("gf100 m 5c00"),
    op("SUEAU", 0xfc00, 0x6000, 4, &[DST_ONLY, RA, COMMA, SRC_C]).since(30).about("Surface effective address").source("gf100 m 6000"),
];
