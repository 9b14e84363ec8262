//! Moves, conversions and predicates of 3.5.

use super::parts::*;
use super::super::nvidia::SPECIAL;
use crate::set::{bits, case, otherwise, when, Case, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

// The lanes that MOV writes; the mask 15, all lanes, is not printed.
const LANES: Field = bits("lanes", 42, 4);
const LANES_LONG: Field = bits("lanes", 14, 4);
const LANE: Piece = Cases(&[when(LANES, 15, &[]), otherwise(&[COMMA, Number(LANES, HEX)])]);
const LANE_LONG: Piece = Cases(&[when(LANES_LONG, 15, &[]), otherwise(&[COMMA, Number(LANES_LONG, HEX)])]);

// Conversions. Types: the size's logarithm in two bits, and a sign.
const TO: Field = bits("to", 10, 2).and(14, 1);
const FROM: Field = bits("from", 12, 2).and(15, 1);
const INTS: &[Option<&str>] =
    &[Some(".U8"), Some(".U16"), Some(".U32"), Some(".U64"), Some(".S8"), Some(".S16"), Some(".S32"), Some(".S64")];
const FLOAT_TO: Field = bits("to", 10, 2);
const FLOAT_FROM: Field = bits("from", 12, 2);
const F_TO: Piece = Names(FLOAT_TO, &[Some(".INVALIDFPDEST0"), Some(".F16"), Some(".F32"), Some(".F64")]);
const F_FROM: Piece = Names(FLOAT_FROM, &[Some(".INVALIDFPSRC0"), Some(".F16"), Some(".F32"), Some(".F64")]);
/// For an undefined destination type of I2F, the text names a source: `.INVALIDFPSRC0`.
const I2F_TO: Piece = Names(FLOAT_TO, &[Some(".INVALIDFPSRC0"), Some(".F16"), Some(".F32"), Some(".F64")]);
const SIZES: u128 = 0xf << 10;
const SAME_ROUND: Piece = Names(
    bits("round", 42, 2).and(45, 1),
    &[Some(""), None, None, Some(".PASS"), Some(".ROUND"), Some(".FLOOR"), Some(".CEIL"), Some(".TRUNC")],
);
/// The rounding: to an integer for conversions between types of the same size, else the rounding mode.
const F2F_ROUND: &[Case] = &[
    case(SIZES, 0x5 << 10, &[SAME_ROUND]),
    case(SIZES, 0xa << 10, &[SAME_ROUND]),
    case(SIZES, 0xf << 10, &[SAME_ROUND]),
    otherwise(&[ROUND]),
];
const F2F: Piece = Pieces(&[FTZ, F_TO, F_FROM, Cases(F2F_ROUND), SAT, DST]);
const F2I: Piece = Pieces(&[
    FTZ, Names(TO, INTS), F_FROM,
    Names(bits("round", 42, 2), &[Some(""), Some(".FLOOR"), Some(".CEIL"), Some(".TRUNC")]),
    DST,
]);
const I2F: Piece = Pieces(&[I2F_TO, Names(FROM, INTS), ROUND, DST]);
const I2I: Piece = Pieces(&[Names(TO, INTS), Names(FROM, INTS), SAT, DST]);
/// The immediate has the type of the source.
const FLOAT_NUM: &[Case] = &[
    when(FLOAT_FROM, 1, &[HNUM, FB_AFTER]),
    when(FLOAT_FROM, 3, &[DNUM, FB_AFTER]),
    otherwise(&[FNUM, FB_AFTER]),
];
/// The byte or half of the source.
const PART: Piece = Names(bits("part", 44, 2), &[Some(""), Some(".B1"), Some(".B2"), Some(".B3")]);
const HALF: Piece = Cases(&[
    when(FLOAT_FROM, 1, &[Flag(bits("half", 44, 1), 1, ".H1")]),
    otherwise(&[]),
]);

// Predicates in a register.
const WHICH: Piece = Names(bits("which", 43, 1), &[Some("PR, "), Some("CC, ")]);
const BYTE: Piece = Names(bits("byte", 44, 2), &[Some(""), Some(".B1"), Some(".B2"), Some(".B3")]);
const P2R: Piece = Pieces(&[BYTE, S, SP, RD, COMMA, WHICH, RA, COMMA]);
const R2P: Piece = Pieces(&[S, SP, WHICH, RA, BYTE]);

// Predicate logic.
const FIRST: Piece = Pieces(&[Flag(bits("pa_not", 17, 1), 1, "!"), Number(bits("pa", 14, 3), PRED), COMMA]);
const SECOND: Piece = Pieces(&[Flag(bits("pb_not", 35, 1), 1, "!"), Number(bits("pb", 32, 3), PRED)]);
const FUNCTION: Piece = Names(bits("function", 27, 2), &[Some(".AND"), Some(".OR"), Some(".XOR")]);
const CONDITION: Field = bits("condition", 10, 5);
const CSET: Piece = Pieces(&[Text("."), Names(CONDITION, CONDITIONS), BOOL, S, SP]);

// VOTE writes no register if it is RZ.
const VOTE_DST: Piece = Cases(&[when(bits("d", 2, 8), 0xff, &[]), otherwise(&[RD, COMMA])]);
const SELECT: Piece = Pieces(&[S, SP, RD, COMMA, RA, COMMA]);

pub(super) const ROWS: &[Row] = &[
    src("MOV", 0x64c0, &[S, SP, RD, COMMA, SRC, LANE]).about("Move").source("nv.json 329..332; gk110 m 24c0"),
    num("MOV", 0xc4c0, &[S, SP, RD, COMMA, NUM, LANE]).about("Move").source("corpus c4c0"),
    op("MOV32I", 0xff80, 0x7400, 2, &[S, SP, RD, COMMA, Number(LONG, HEX), LANE_LONG]).about("Move a 32-bit immediate").source("nv.json 333, 334; gk110 m 7400"),
    src("SEL", 0x6500, &[SELECT, SRC, COMMA_PC]).about("Select by a predicate").source("nv.json 420, 422; gk110 m 2500"),
    num("SEL", 0xc500, &[SELECT, NUM, COMMA_PC]).about("Select by a predicate").source("nv.json 421; gk110 i 0500"),
    op("S2R", 0xffc0, 0x8640, 2, &[S, SP, RD, COMMA, Number(bits("special", 23, 8), SPECIAL)]).about("Move a special register").source("gk110 m 8640"),
    op("LEPC", 0xffc0, 0x8680, 2, &[S, SP, RD]).about("Load the program counter").source("gk110 m 8680"),

    // Conversions.
    src("F2F", 0x6540, &[F2F, FB_WIDE, HALF]).about("Float to float").source("nv.json 408, 409; gk110 m 2540"),
    num("F2F", 0xc540, &[F2F, Cases(FLOAT_NUM), HALF]).about("Float to float").source("gk110 i c540"),
    src("F2I", 0x6580, &[F2I, FB_WIDE, HALF]).about("Float to integer").source("nv.json 406, 407; gk110 m 2580"),
    num("F2I", 0xc580, &[F2I, Cases(FLOAT_NUM), HALF]).about("Float to integer").source("gk110 i c580"),
    src("I2F", 0x65c0, &[I2F, FB_WIDE, PART]).about("Integer to float").source("nv.json 401, 402; gk110 m 25c0"),
    num("I2F", 0xc5c0, &[I2F, NUM, FB_AFTER, PART]).about("Integer to float").source("gk110 i c5c0"),
    src("I2I", 0x6600, &[I2I, FB_WIDE, PART]).about("Integer to integer").source("nv.json 403, 404; gk110 m 2600"),
    num("I2I", 0xc600, &[I2I, NUM, FB_AFTER, PART]).about("Integer to integer").source("nv.json 405; gk110 i c600"),

    // Predicates as bits.
    src("P2R", 0x6640, &[P2R, SRC]).about("Predicates or condition codes to a register").source("corpus 6640, e640"),
    num("P2R", 0xc640, &[P2R, NUM]).about("Predicates or condition codes to a register").source("corpus c640"),
    src("R2P", 0x6680, &[R2P, COMMA, SRC]).about("Register to predicates or condition codes").source("corpus 6680, e680"),
    num("R2P", 0xc680, &[R2P, Cases(&[when(SHORT_FIELD, 0xffff, &[]), otherwise(&[COMMA, SHORT_PLAIN])])])
        .about("Register to predicates or condition codes").source("corpus c680").notes(&["The mask 0xffff is not printed."]),
    op("PSET", 0xffc0, 0x8440, 2, &[BF, FUNCTION, BOOL, S, SP, RD, CC, COMMA, FIRST, SECOND, COMMA_PC]).about("Predicate logic to a register").source("gk110 m 8440"),
    op("PSETP", 0xffc0, 0x8480, 2, &[FUNCTION, BOOL, S, SP, PP, FIRST, SECOND, COMMA_PC]).about("Predicate logic").source("gk110 m 8480"),
    op("CSET", 0xffc0, 0x84c0, 2, &[BF, CSET, RD, CC, Text(", CC"), COMMA_PC]).about("Condition code to a register").source("corpus 84c0"),
    op("CSETP", 0xffc0, 0x8500, 2, &[CSET, PP, Text("CC"), COMMA_PC]).about("Condition code to a predicate").source("corpus 8500"),
    op("VOTE", 0xffc0, 0x86c0, 2, &[
        Names(bits("mode", 51, 2), &[Some(".ALL"), Some(".ANY"), Some(".EQ")]), S, SP, VOTE_DST, P48, COMMA_PC,
    ]).about("Vote across the warp").source("gk110 m 86c0"),
    op("VOTE.VTG", 0xffc0, 0x8700, 2, &[
        Names(bits("mode", 51, 2), &[Some(".R"), Some(".A"), Some(".RA")]), S, SP, Number(bits("number", 23, 24), HEX),
    ]).about("Vote, unknown").source("corpus 8700; gm107 50e0"),
];
