//! Flow control of 2.x and 3.0: unit 7.

use super::parts::*;
use crate::set::{bits, otherwise, when, Case, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

const CONDITION: Field = bits("condition", 5, 5);
/// ` CC.LT`: nothing if it is true.
const IF: Piece = Cases(&[when(CONDITION, 15, &[]), otherwise(&[Text(" CC."), Names(CONDITION, CONDITIONS)])]);
/// ` CC.LT, ` before an operand.
const IF_THEN: Piece =
    Cases(&[when(CONDITION, 15, &[SP]), otherwise(&[Text(" CC."), Names(CONDITION, CONDITIONS), COMMA])]);
const U: Piece = Flag(bits("uniform", 15, 1), 1, ".U");
const LMT: Piece = Flag(bits("limit", 16, 1), 1, ".LMT");
const NOINC: Piece = Flag(bits("count", 16, 1), 0, ".NOINC");

/// Bit 14 is 1 if the target is in constant memory.
const INDIRECT: Field = bits("indirect", 14, 1);
const OFFSET: Field = bits("offset", 26, 16);
const BANK: Piece = Number(bits("bank", 42, 5), HEX);
const CONST_PLACE: Piece = Pieces(&[Text("c["), BANK, Text("]["), Number(OFFSET, SIGNED), Text("]")]);
const CONST_A: Piece = Pieces(&[
    Text("c["), BANK, Text("]["), RA,
    Cases(&[when(OFFSET, 0, &[]), otherwise(&[Text("+"), Number(OFFSET, SIGNED)])]), Text("]"),
]);
const RELATIVE: &[Case] =
    &[when(INDIRECT, 1, &[CONST_PLACE]), when(INDIRECT, 0, &[Number(bits("target", 26, 24), TARGET)])];
const ABSOLUTE: &[Case] = &[when(INDIRECT, 1, &[CONST_PLACE]), when(INDIRECT, 0, &[Number(bits("target", 26, 32), HEX)])];
const NEAR: Field = bits("offset", 26, 24);
const INDEXED: &[Case] =
    &[when(INDIRECT, 1, &[CONST_A]), when(NEAR, 0, &[RA]), otherwise(&[RA, SP, Number(NEAR, SIGNED)])];
const INDEXED_FAR: &[Case] =
    &[when(INDIRECT, 1, &[CONST_A]), when(LONG, 0, &[RA]), otherwise(&[RA, SP, Number(LONG, SIGNED)])];
const BPT_NUMBER: Field = bits("number", 26, 20);

pub(super) const ROWS: &[Row] = &[
    op("BRA", 0xf800, 0x4000, 7, &[U, LMT, IF_THEN, Cases(RELATIVE)]).about("Branch").source("nv.json form 78; gf100 c 4000"),
    op("JMP", 0xf800, 0x0000, 7, &[U, LMT, IF_THEN, Cases(ABSOLUTE)]).about("Jump to an absolute address").source("gf100 c 0000"),
    op("BRX", 0xf800, 0x4800, 7, &[LMT, IF_THEN, Cases(INDEXED)]).about("Branch to an indexed address").source("nv.json form 76; gf100 c 4800"),
    op("JMX", 0xf800, 0x0800, 7, &[LMT, IF_THEN, Cases(INDEXED_FAR)]).about("Jump to an indexed absolute address").source("gf100 c 0800"),
    free("CAL", 0xf800, 0x5000, 7, &[NOINC, SP, Cases(RELATIVE)]).about("Call").source("nv.json form 81; gf100 c 5000"),
    free("JCAL", 0xf800, 0x1000, 7, &[NOINC, SP, Cases(ABSOLUTE)]).about("Call an absolute address").source("nv.json form 82; gf100 c 1000"),
    free("PLONGJMP", 0xf800, 0x5800, 7, &[SP, Cases(RELATIVE)]).about("Set the address of LONGJMP").source("gf100 c 5800"),
    free("SSY", 0xf800, 0x6000, 7, &[SP, Cases(RELATIVE)]).about("Set the reconvergence address").source("nv.json form 77; gf100 c 6000"),
    free("PBK", 0xf800, 0x6800, 7, &[SP, Cases(RELATIVE)]).about("Set the address of BRK").source("nv.json form 80; gf100 c 6800"),
    free("PCNT", 0xf800, 0x7000, 7, &[SP, Cases(RELATIVE)]).about("Set the address of CONT").source("nv.json form 79; gf100 c 7000"),
    free("PRET", 0xf800, 0x7800, 7, &[NOINC, SP, Cases(RELATIVE)]).about("Set the address to return to").source("gf100 c 7800"),
    op("EXIT", 0xf800, 0x8000, 7, &[IF]).about("End the thread").source("nv.json form 110; gf100 c 8000"),
    op("LONGJMP", 0xf800, 0x8800, 7, &[IF]).about("Jump to PLONGJMP's address").source("gf100 c 8800"),
    op("RET", 0xf800, 0x9000, 7, &[IF]).about("Return").source("nv.json form 109; gf100 c 9000"),
    op("KIL", 0xf800, 0x9800, 7, &[IF]).about("Discard the thread").source("gf100 c 9800"),
    free("RTT", 0xf800, 0xa000, 7, &[Flag(bits("terminate", 14, 1), 1, ".TERMINATE")]).about("Return from a trap").source("gf100 c a000"),
    op("BRK", 0xf800, 0xa800, 7, &[IF]).about("Leave the loop").source("nv.json form 108; gf100 c a800"),
    op("CONT", 0xf800, 0xb000, 7, &[IF]).about("Continue the loop").source("nv.json form 107; gf100 c b000"),
    free("SAM", 0xf800, 0xc000, 7, &[]).about("Set the active mask to all threads").source("gf100 c c000"),
    free("RAM", 0xf800, 0xc800, 7, &[]).about("Restore the active mask").source("gf100 c c800"),
    free("BPT", 0xf800, 0xd000, 7, &[
        Names(bits("mode", 14, 2), &[Some(".DRAIN"), Some(".CAL"), Some(".PAUSE"), Some(".TRAP")]), SP, Number(BPT_NUMBER, HEX),
    ]).about("Breakpoint or trap").source("nv.json form 111; gf100 c d000"),
];
