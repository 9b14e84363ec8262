//! The 4-byte instructions of 2.x; bit 3 is set.
//!
//! NVIDIA's tools show no text of them. `.SHORT` distinguishes them from the long forms, with operands written in the
//! same way.

use super::super::nvidia::SPECIAL;
use super::parts::*;
use crate::set::{bits, otherwise, row, when, Cases, Field, Flag, Format, Names, Number, Piece, Pieces, Row, Text};

/// The number of the integer forms.
const NUMBER: Piece = Number(bits("number", 26, 6).and(8, 2), SIGNED);
/// The offset of the memory forms.
const OFFSET: Field = bits("offset", 8, 2).and(26, 6);
const PLACE: Piece = Cases(&[
    when(A, 63, &[Text("["), Number(OFFSET, HEX), Text("]")]),
    when(OFFSET, 0, &[Text("["), RA, Text("]")]),
    otherwise(&[Text("["), RA, Text("+"), Number(OFFSET, SIGNED), Text("]")]),
]);
const WORDS: Format = Format::Hex { scale: 4 };
/// Second source: a register, or an address in constant bank 0, 1 or 16.
const SRC_B: Piece = Cases(&[
    when(bits("kind", 8, 2), 0, &[RB]),
    when(bits("kind", 8, 2), 1, &[Text("c[0x0]["), Number(bits("offset", 26, 6), WORDS), Text("]")]),
    when(bits("kind", 8, 2), 2, &[Text("c[0x1]["), Number(bits("offset", 26, 6), WORDS), Text("]")]),
    when(bits("kind", 8, 2), 3, &[Text("c[0x10]["), Number(bits("offset", 26, 6), WORDS), Text("]")]),
]);
/// First source: a register, or an address in constant bank 0, 1 or 16.
const SRC_A: Piece = Cases(&[
    when(bits("kind", 8, 2), 0, &[RA]),
    when(bits("kind", 8, 2), 1, &[Text("c[0x0]["), Number(bits("offset", 20, 6), WORDS), Text("]")]),
    when(bits("kind", 8, 2), 2, &[Text("c[0x1]["), Number(bits("offset", 20, 6), WORDS), Text("]")]),
    when(bits("kind", 8, 2), 3, &[Text("c[0x10]["), Number(bits("offset", 20, 6), WORDS), Text("]")]),
]);
/// Second source of a multiply-add: a register, or an address in constant bank 0, 1 or 16.
const SRC_MAD: Piece = Cases(&[
    when(bits("kind", 6, 2), 0, &[RB]),
    when(bits("kind", 6, 2), 1, &[Text("c[0x0]["), Number(bits("offset", 26, 6), WORDS), Text("]")]),
    when(bits("kind", 6, 2), 2, &[Text("c[0x1]["), Number(bits("offset", 26, 6), WORDS), Text("]")]),
    when(bits("kind", 6, 2), 3, &[Text("c[0x10]["), Number(bits("offset", 26, 6), WORDS), Text("]")]),
]);
/// The third source in constant memory.
const SRC_3: Piece = Cases(&[
    when(bits("kind", 6, 2), 1, &[Text("c[0x0]["), Number(bits("offset", 8, 6), WORDS), Text("]")]),
    when(bits("kind", 6, 2), 2, &[Text("c[0x1]["), Number(bits("offset", 8, 6), WORDS), Text("]")]),
    when(bits("kind", 6, 2), 3, &[Text("c[0x10]["), Number(bits("offset", 8, 6), WORDS), Text("]")]),
]);
const C_LOW: Piece = Number(bits("c", 8, 6), REG);
const D_: Piece = Pieces(&[SP, RD, COMMA]);
const D_A: Piece = Pieces(&[D_, RA, COMMA]);
const CC_D: Piece = Pieces(&[SP, RD, Flag(bits("cc", 23, 1), 1, ".CC"), COMMA]);
const CONVERT_SRC: Piece = Pieces(&[
    Flag(bits("neg_b", 22, 1), 1, "-"), Flag(bits("abs_b", 25, 1), 1, "|"), RB, Flag(bits("abs_b", 25, 1), 1, "|"),
]);
const INT: &[Option<&str>] = &[Some(".U16"), Some(".S16"), Some(".U32"), Some(".S32")];
const WORD_TYPE: &[Option<&str>] = &[Some(".U32"), Some(".S32")];
const TO_INT: &[Option<&str>] = &[Some(""), Some(".FLOOR"), Some(".CEIL"), Some(".TRUNC")];
const U32_6: Piece = Cases(&[when(bits("signed", 6, 1), 0, &[Text(".U32.U32")]), when(bits("signed", 6, 1), 1, &[])]);
const U32_5: Piece = Cases(&[when(bits("signed", 5, 1), 0, &[Text(".U32.U32")]), when(bits("signed", 5, 1), 1, &[])]);
const P17: Piece = Pieces(&[SP, Number(bits("p", 17, 3), PRED), COMMA]);
const HALF_TYPES: &[Option<&str>] = &[Some(".U16"), Some(".S16")];
const BYTE_TYPES: &[Option<&str>] = &[Some(".U8"), Some(".S8")];
const REGS: Piece = Pieces(&[D_A, RB]);
const BARRIER: Piece = Cases(&[
    when(bits("barrier_kind", 26, 1), 0, &[RA]),
    when(bits("barrier_kind", 26, 1), 1, &[Number(bits("barrier", 20, 4), HEX)]),
]);
const CONDITION: Field = bits("condition", 5, 5);
const IF: Piece = Cases(&[when(CONDITION, 15, &[]), otherwise(&[Text(" CC."), Names(CONDITION, CONDITIONS)])]);
const IF_THEN: Piece =
    Cases(&[when(CONDITION, 15, &[SP]), otherwise(&[Text(" CC."), Names(CONDITION, CONDITIONS), COMMA])]);
/// A branch target: signed, in bytes, from the next instruction.
const NEAR: Format = Format::Target { base: 4, scale: 1 };
const E: Piece = Flag(bits("extended", 6, 1), 1, ".E");
const SIZE: Piece = Names(bits("size", 6, 2), &[Some(""), Some(".64"), Some(".96"), Some(".128")]);
const ATTRIBUTE: Field = bits("offset", 8, 2).and(20, 6);

const fn short(name: &'static str, mask: u128, value: u128, pieces: &'static [Piece]) -> Row {
    row(name, mask, value, 4, pieces).lead(GUARD).until(21)
}
const fn plain(name: &'static str, mask: u128, value: u128, pieces: &'static [Piece]) -> Row {
    row(name, mask, value, 4, pieces).until(21)
}

pub(super) const ROWS: &[Row] = &[
    short("NOP.SHORT", 0xf800_03ff, 0x0000_0008, &[]).about("Nothing").source("gf100 s 00000008"),
    short("CSETP.SHORT", 0xf800_03ff, 0x1000_0008, &[Text("."), Names(bits("condition", 20, 5), CONDITIONS), P17, Text("CC")]).about("Condition code to a predicate").source("gf100 s 10000008"),
    short("PSETP.SHORT", 0xf800_03ff, 0x1800_0008, &[
        Names(bits("function", 25, 2), &[Some(".AND"), Some(".OR"), Some(".XOR")]), P17,
        Flag(bits("pa_not", 23, 1), 1, "!"), Number(bits("pa", 20, 3), PRED), COMMA,
        Flag(bits("pb_not", 24, 1), 1, "!"), Number(bits("pb", 14, 3), PRED),
    ]).about("Predicate logic").source("gf100 s 18000008"),
    short("S2R.SHORT", 0xf000_03ff, 0x4000_0008, &[D_, Number(bits("special", 20, 8), SPECIAL)]).about("Move a special register").source("gf100 s 40000008"),
    short("BAR.SHORT.SYNC", 0xf800_03ff, 0x5000_0008, &[SP, BARRIER]).about("Barrier").source("gf100 s 50000008"),
    short("BAR.SHORT.ARV", 0xf800_03ff, 0x5800_0008, &[SP, BARRIER]).about("Barrier, without waiting").source("gf100 s 58000008"),
    short("RRO.SHORT", 0xf000_03ff, 0x7000_0008, &[Names(bits("function", 26, 1), &[Some(".SINCOS"), Some(".EX2")]), D_, RA]).about("FP32 range reduction").source("gf100 s 70000008, 74000008"),
    short("MUFU.SHORT", 0xa000_03ff, 0x8000_0008, &[
        Names(bits("function", 26, 3), &[
            Some(".COS"), Some(".SIN"), Some(".EX2"), Some(".LG2"), Some(".RCP"), Some(".RSQ"), Some(".RCP64H"), Some(".RSQ64H"),
        ]),
        D_, Flag(bits("abs_a", 30, 1), 1, "|"), RA, Flag(bits("abs_a", 30, 1), 1, "|"),
    ]).about("FP32 function").source("gf100 s 80000008"),
    short("SHL.SHORT", 0x8000_03ff, 0x0000_0208, &[D_A, Number(bits("shift", 26, 5), HEX)]).about("Shift left").source("gf100 s 00000208"),
    short("SHR.SHORT", 0x8000_03ff, 0x8000_0208, &[D_A, Number(bits("shift", 26, 5), HEX)]).about("Shift right").source("gf100 s 80000208"),
    plain("VABSDIFF2.SHORT", 0x7ff, 0x108, &[
        Names(bits("signed_d", 13, 1), &[Some(".UD"), Some("")]), Names(bits("signed_a", 12, 1), HALF_TYPES),
        Names(bits("signed_b", 11, 1), HALF_TYPES), REGS,
    ]).about("Absolute difference of two lanes").source("gf100 s 00000108"),
    plain("VADD2.SHORT", 0x7ff, 0x308, &[
        Names(bits("signed_d", 13, 1), &[Some(".UD"), Some("")]), Names(bits("signed_a", 12, 1), HALF_TYPES),
        Flag(bits("reversed", 11, 1), 1, ".SUBR"), REGS,
    ]).about("Add or subtract two lanes").source("gf100 s 00000308, 00000b08"),
    plain("VABSDIFF4.SHORT", 0x7ff, 0x508, &[
        Names(bits("signed_d", 13, 1), &[Some(".UD"), Some("")]), Names(bits("signed_a", 12, 1), BYTE_TYPES),
        Names(bits("signed_b", 11, 1), BYTE_TYPES), REGS,
    ]).about("Absolute difference of four lanes").source("gf100 s 00000508"),
    plain("VADD4.SHORT", 0x7ff, 0x708, &[
        Names(bits("signed_d", 13, 1), &[Some(".UD"), Some("")]), Names(bits("signed_a", 12, 1), BYTE_TYPES),
        Flag(bits("reversed", 11, 1), 1, ".SUBR"), REGS,
    ]).about("Add or subtract four lanes").source("gf100 s 00000708, 00000f08"),

    short("I2I.SHORT", 0x1ff, 0x018, &[Names(bits("to", 20, 2), INT), Names(bits("from", 9, 1).and(24, 1), INT), CC_D, CONVERT_SRC]).about("Integer to integer").source("gf100 s 00000018"),
    short("MOV.SHORT", 0x3ff, 0x118, &[D_, Number(bits("number", 20, 12), SIGNED)]).about("Move a signed immediate").source("gf100 s 00000118"),
    short("MOV.SHORT.U", 0x3ff, 0x318, &[D_, Number(bits("number", 20, 12), HEX)]).about("Move an unsigned immediate").source("gf100 s 00000318"),
    short("MOV.SHORT", 0xff, 0x028, &[D_, SRC_A]).about("Move").source("gf100 s 00000028"),
    short("I2F.SHORT.F32", 0x3ff, 0x088, &[Names(bits("from", 24, 1), WORD_TYPE), Names(bits("round", 20, 2), ROUNDS), CC_D, CONVERT_SRC]).about("Integer to float").source("gf100 s 00000088"),
    short("F2I.SHORT", 0x3ff, 0x288, &[Names(bits("to", 24, 1), WORD_TYPE), Text(".F32"), Names(bits("round", 20, 2), TO_INT), CC_D, CONVERT_SRC]).about("Float to integer").source("gf100 s 00000288"),
    short("F2F.SHORT.F32.F32", 0x3ff, 0x098, &[Flag(bits("sat", 24, 1), 1, ".SAT"), CC_D, CONVERT_SRC]).about("Float to float").source("gf100 s 00000098"),
    short("F2F.SHORT.F32.F32", 0x3ff, 0x298, &[
        Names(bits("round", 20, 2), &[Some(".ROUND"), Some(".FLOOR"), Some(".CEIL"), Some(".TRUNC")]),
        Flag(bits("sat", 24, 1), 1, ".SAT"), CC_D, CONVERT_SRC,
    ]).about("Float to float, rounded to an integer").source("gf100 s 00000298"),
    short("FMUL.SHORT", 0xff, 0x0a8, &[D_A, SRC_B]).about("FP32 multiply").source("gf100 s 000000a8"),
    short("ISETP.SHORT", 0xff, 0x048, &[Names(bits("compare", 14, 3), COMPARE), P17, RA, COMMA, SRC_B]).about("Integer compare and set predicate").source("gf100 s 00000048"),
    short("ISETP.SHORT", 0xff, 0x0c8, &[Names(bits("compare", 14, 3), COMPARE), Text(".I"), P17, RA, COMMA, NUMBER]).about("Integer compare and set predicate").source("gf100 s 000000c8"),
    plain("VMAD.SHORT", 0x7f, 0x058, &[REGS]).about("Multiply-add of parts").source("gf100 s 00000058").notes(&["The parts and types are shown as unread bits."]),

    short("IPA.SHORT", 0x7f, 0x009, &[Names(bits("mode", 7, 1), &[Some(""), Some(".SC")]), D_, Text("a["), Number(OFFSET, HEX), Text("], "), RA]).about("Interpolate an attribute").source("gf100 s 00000009"),
    short("FADD.SHORT", 0x7f, 0x049, &[D_, Flag(bits("neg_a", 7, 1), 1, "-"), RA, COMMA, SRC_B]).about("FP32 add").source("gf100 s 00000049"),
    short("FSETP.SHORT", 0x7f, 0x059, &[
        Names(bits("compare", 7, 1).and(14, 3), &[
            Some(".F"), Some(".LT"), Some(".EQ"), Some(".LE"), Some(".GT"), Some(".NE"), Some(".GE"), Some(".NUM"),
            Some(".NAN"), Some(".LTU"), Some(".EQU"), Some(".LEU"), Some(".GTU"), Some(".NEU"), Some(".GEU"), Some(".T"),
        ]),
        P17, RA, COMMA, SRC_B,
    ]).about("FP32 compare and set predicate").source("gf100 s 00000059"),
    short("ALD.SHORT", 0x3f, 0x029, &[SIZE, D_, Text("a["), Number(ATTRIBUTE, HEX), Text("], "), RB]).about("Load an attribute").source("gf100 s 00000029"),
    short("AST.SHORT", 0x3f, 0x039, &[SIZE, Text(" a["), Number(ATTRIBUTE, HEX), Text("], "), RB, COMMA, RD]).about("Store an attribute").source("gf100 s 00000039"),

    short("LDL.SHORT", 0xff, 0x00a, &[D_, PLACE]).about("Load from local memory").source("gf100 s 0000000a"),
    short("LDS.SHORT", 0xff, 0x04a, &[D_, PLACE]).about("Load from shared memory").source("gf100 s 0000004a"),
    short("LDL.SHORT.64", 0xff, 0x08a, &[D_, PLACE]).about("Load from local memory").source("gf100 s 0000008a"),
    short("LDS.SHORT.64", 0xff, 0x0ca, &[D_, PLACE]).about("Load from shared memory").source("gf100 s 000000ca"),
    short("STL.SHORT", 0xff, 0x01a, &[SP, PLACE, COMMA, RD]).about("Store to local memory").source("gf100 s 0000001a"),
    short("STS.SHORT", 0xff, 0x05a, &[SP, PLACE, COMMA, RD]).about("Store to shared memory").source("gf100 s 0000005a"),
    short("STL.SHORT.64", 0xff, 0x09a, &[SP, PLACE, COMMA, RD]).about("Store to local memory").source("gf100 s 0000009a"),
    short("STS.SHORT.64", 0xff, 0x0da, &[SP, PLACE, COMMA, RD]).about("Store to shared memory").source("gf100 s 000000da"),
    short("IMUL.SHORT", 0xbf, 0x02a, &[U32_6, D_A, SRC_B]).about("Integer multiply").source("gf100 s 0000002a"),
    short("IMUL.SHORT.I", 0xbf, 0x0aa, &[U32_6, D_A, NUMBER]).about("Integer multiply").source("gf100 s 000000aa"),
    short("LD.SHORT", 0xbf, 0x00b, &[E, D_, PLACE]).about("Load").source("gf100 s 0000000b, 0000004b"),
    short("LD.SHORT.64", 0xbf, 0x08b, &[E, D_, PLACE]).about("Load").source("gf100 s 0000008b, 000000cb"),
    short("ST.SHORT", 0xbf, 0x01b, &[E, SP, PLACE, COMMA, RD]).about("Store").source("gf100 s 0000001b, 0000005b"),
    short("ST.SHORT.64", 0xbf, 0x09b, &[E, SP, PLACE, COMMA, RD]).about("Store").source("gf100 s 0000009b, 000000db"),
    short("IADD.SHORT", 0xff, 0x02c, &[D_A, SRC_B]).about("Integer add").source("gf100 s 0000002c"),
    short("IADD.SHORT", 0xff, 0x06c, &[D_, Text("-"), RA, COMMA, SRC_B]).about("Integer add of the negated first source").source("gf100 s 0000006c"),
    short("IADD.SHORT.I", 0xff, 0x0ac, &[D_A, NUMBER]).about("Integer add").source("gf100 s 000000ac"),
    short("IADD.SHORT.I", 0xff, 0x0ec, &[D_, Text("-"), RA, COMMA, NUMBER]).about("Integer add of the negated first source").source("gf100 s 000000ec"),
    short("LDC.SHORT", 0x1f, 0x01c, &[
        D_, Text("c["), Number(bits("bank", 5, 3), HEX), Text("]["),
        Cases(&[
            when(A, 63, &[Number(OFFSET, HEX)]),
            when(OFFSET, 0, &[RA]),
            otherwise(&[RA, Text("+"), Number(OFFSET, SIGNED)]),
        ]),
        Text("]"),
    ]).about("Load a constant").source("gf100 s 0000001c"),
    plain("IMAD.SHORT", 0x1f, 0x00d, &[U32_5, D_A, SRC_MAD, COMMA, C_LOW]).about("Integer multiply-add").source("gf100 s 0000000d"),
    short("LOP.SHORT", 0x9f, 0x01d, &[
        Names(bits("function", 5, 2), &[Some(".AND"), Some(".OR"), Some(".XOR"), Some(".PASS_B")]), D_A, SRC_B,
    ]).about("Logic").source("gf100 s 0000001d"),
    short("LOP.SHORT.I", 0x9f, 0x09d, &[
        Names(bits("function", 5, 2), &[Some(".AND"), Some(".OR"), Some(".XOR"), Some(".PASS_B")]), D_A, NUMBER,
    ]).about("Logic").source("gf100 s 0000009d"),
    plain("FFMA.SHORT", 0x2f, 0x00e, &[D_, Flag(bits("neg_a", 4, 1), 1, "-"), RA, COMMA, SRC_MAD, COMMA, C_LOW]).about("FP32 fused multiply-add").source("gf100 s 0000000e"),
    plain("FFMA.SHORT.C", 0x2f, 0x02e, &[D_, Flag(bits("neg_a", 4, 1), 1, "-"), RA, COMMA, RB, COMMA, SRC_3]).about("FP32 fused multiply-add with a constant to add").source("gf100 s 0000002e"),

    short("BRA.SHORT", 0xc000_001f, 0x0000_001f, &[
        Flag(bits("uniform", 28, 1), 1, ".U"), Flag(bits("limit", 29, 1), 1, ".LMT"), IF_THEN, Number(bits("target", 14, 14), NEAR),
    ]).about("Branch").source("gf100 s 0000001f"),
    plain("SSY.SHORT", 0xf000_001f, 0x4000_001f, &[SP, Number(bits("target", 14, 14), NEAR)]).about("Set the \
        reconvergence address").source("gf100 s 4000001f"),
    plain("CAL.SHORT", 0xf000_001f, 0x5000_001f, &[Flag(bits("count", 5, 1), 0, ".NOINC"), SP, Number(bits("target", 6, 22), NEAR)]).about("Call").source("gf100 s 5000001f"),
    plain("BPT.SHORT", 0xf800_001f, 0x8000_001f, &[
        Names(bits("mode", 5, 2), &[Some(".DRAIN"), Some(".CAL"), Some(".PAUSE"), Some(".TRAP")]), SP, Number(bits("number", 7, 20), HEX),
    ]).about("Breakpoint or trap").source("gf100 s 8000001f"),
    short("EXIT.SHORT", 0xf800_001f, 0x8800_001f, &[IF]).about("End the thread").source("gf100 s 8800001f"),
    short("RET.SHORT", 0xf800_001f, 0x9000_001f, &[IF]).about("Return").source("gf100 s 9000001f"),
];
