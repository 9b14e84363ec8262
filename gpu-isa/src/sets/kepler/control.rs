//! Flow control and synchronisation of 3.5.

use super::parts::*;
use crate::set::{bits, otherwise, when, Case, Cases, Field, Flag, Names, Number, Piece, Pieces, Row, Text};

const CONDITION: Field = bits("condition", 2, 5);
/// ` CC.LT`: nothing if it is true.
const IF: Piece = Cases(&[when(CONDITION, 15, &[]), otherwise(&[Text(" CC."), Names(CONDITION, CONDITIONS)])]);
/// ` CC.LT, ` before an operand.
const IF_THEN: Piece =
    Cases(&[when(CONDITION, 15, &[SP]), otherwise(&[Text(" CC."), Names(CONDITION, CONDITIONS), COMMA])]);
const U: Piece = Flag(bits("uniform", 9, 1), 1, ".U");
const LMT: Piece = Flag(bits("limit", 8, 1), 1, ".LMT");
const NOINC: Piece = Flag(bits("count", 8, 1), 0, ".NOINC");

/// Bit 7 is 1 if the target is in constant memory.
const INDIRECT: Field = bits("indirect", 7, 1);
const BANK: Piece = Number(bits("bank", 39, 5), HEX);
const OFFSET: Field = bits("offset", 23, 16);
const CONST: Piece = Pieces(&[Text("c["), BANK, Text("]["), Number(OFFSET, SIGNED), Text("]")]);
const CONST_A: Piece = Pieces(&[
    Text("c["), BANK, Text("]["), RA,
    Cases(&[when(OFFSET, 0, &[]), otherwise(&[Text("+"), Number(OFFSET, SIGNED)])]), Text("]"),
]);
const RELATIVE: &[Case] = &[when(INDIRECT, 1, &[CONST]), when(INDIRECT, 0, &[Number(bits("target", 23, 24), TARGET)])];
const ABSOLUTE: &[Case] = &[when(INDIRECT, 1, &[CONST]), when(INDIRECT, 0, &[Number(bits("target", 23, 32), HEX)])];
const NEAR: Field = bits("offset", 23, 24);
const INDEXED: &[Case] = &[
    when(INDIRECT, 1, &[CONST_A]),
    when(NEAR, 0, &[RA]),
    otherwise(&[RA, SP, Number(NEAR, SIGNED)]),
];
const INDEXED_FAR: &[Case] = &[
    when(INDIRECT, 1, &[CONST_A]),
    when(LONG, 0, &[RA]),
    otherwise(&[RA, SP, Number(LONG, SIGNED)]),
];

// Barriers: number and count are registers or immediates.
const BAR_NUMBER: Piece = Cases(&[
    when(bits("number_kind", 47, 1), 1, &[Number(bits("barrier", 10, 8), HEX)]),
    when(bits("number_kind", 47, 1), 0, &[RA]),
]);
const COUNT: Field = bits("count", 23, 12);
const BAR_COUNT: Piece = Cases(&[
    when(bits("count_kind", 46, 1), 0, &[COMMA, RB]),
    when(COUNT, 0, &[]).with(bits("count_kind", 46, 1), 1),
    when(bits("count_kind", 46, 1), 1, &[COMMA, Number(COUNT, HEX)]),
]);
/// A predicate that is not printed if it is PT.
const BAR_PRED: Piece = Cases(&[when(bits("pc", 42, 4), 7, &[]), otherwise(&[COMMA_PC])]);
const BAR: Piece = Pieces(&[S, SP, BAR_NUMBER, BAR_COUNT]);
const BAR_MODE: Field = bits("mode", 35, 5);
const BAR_MODES: &[Case] = &[
    when(BAR_MODE, 0, &[Text(".SYNC"), BAR, BAR_PRED]),
    when(BAR_MODE, 1, &[Text(".ARV"), BAR, BAR_PRED]),
    when(BAR_MODE, 2, &[Text(".RED.POPC"), BAR, COMMA_PC]),
    when(BAR_MODE, 3, &[Text(".SCAN"), BAR, COMMA_PC]),
    when(BAR_MODE, 4, &[Text(".SYNCALL"), S]),
    when(BAR_MODE, 10, &[Text(".RED.AND"), BAR, COMMA_PC]),
    when(BAR_MODE, 18, &[Text(".RED.OR"), BAR, COMMA_PC]),
];
const B2R_MODE: Field = bits("mode", 35, 2);
/// The barrier; `B2R.RESULT` and `B2R.WARP` may have none.
const B2R_BARRIER: Piece =
    Cases(&[when(bits("barrier", 10, 8), 0xff, &[]), otherwise(&[COMMA, Number(bits("barrier", 10, 8), HEX)])]);
const B2R: &[Case] = &[
    when(B2R_MODE, 1, &[
        Text(".RESULT"), S, SP, RD,
        Cases(&[when(bits("p", 48, 3), 7, &[]), otherwise(&[COMMA, P48])]), B2R_BARRIER,
    ]),
    when(B2R_MODE, 2, &[Text(".WARP"), S, SP, RD, B2R_BARRIER]),
    otherwise(&[Names(B2R_MODE, &[Some("")]), S, SP, RD, COMMA, Number(bits("barrier", 10, 8), HEX)]),
];

const NOP_IF: Field = bits("condition", 10, 5);
const BPT_MODE: Field = bits("mode", 8, 3);
const BPT_NUMBER: Field = bits("number", 23, 20);

pub(super) const ROWS: &[Row] = &[
    op("BRA", 0xff80, 0x1200, 0, &[U, LMT, S, IF_THEN, Cases(RELATIVE)]).about("Branch").source("gk110 c 1200"),
    op("JMP", 0xff80, 0x1080, 0, &[U, LMT, IF_THEN, Cases(ABSOLUTE)]).about("Jump to an absolute address").source("gk110 c 1080"),
    op("BRX", 0xff80, 0x1280, 0, &[LMT, S, IF_THEN, Cases(INDEXED)]).about("Branch to an indexed address").source("corpus 1280; gm107 e250"),
    op("JMX", 0xff80, 0x1000, 0, &[LMT, IF_THEN, Cases(INDEXED_FAR)]).about("Jump to an indexed absolute address").source("corpus 1000; gm107 e200"),
    free("CAL", 0xff80, 0x1300, 0, &[NOINC, SP, Cases(RELATIVE)]).about("Call").source("gk110 c 1300"),
    free("JCAL", 0xff80, 0x1100, 0, &[NOINC, SP, Cases(ABSOLUTE)]).about("Call an absolute address").source("gk110 c 1100"),
    free("PRET", 0xff80, 0x1380, 0, &[NOINC, SP, Cases(RELATIVE)]).about("Set the address to return to").source("gk110 c 1380"),
    free("PLONGJMP", 0xff80, 0x1400, 0, &[SP, Cases(RELATIVE)]).about("Set the address of LONGJMP").source("gk110 c 1400"),
    free("SSY", 0xff80, 0x1480, 0, &[SP, Cases(RELATIVE)]).about("Set the reconvergence address").source("nv.json 423, 424; gk110 c 1480"),
    free("PBK", 0xff80, 0x1500, 0, &[SP, Cases(RELATIVE)]).about("Set the address of BRK").source("gk110 c 1500"),
    free("PCNT", 0xff80, 0x1580, 0, &[SP, Cases(RELATIVE)]).about("Set the address of CONT").source("gk110 c 1580"),
    bare("GETCRSPTR", 0xff80, 0x1600, 0, &[SP, RD]).about("Read the call stack pointer").source("corpus 1600"),
    bare("GETLMEMBASE", 0xff80, 0x1680, 0, &[SP, RD]).about("Read the base of local memory").source("corpus 1680"),
    bare("SETCRSPTR", 0xff80, 0x1700, 0, &[SP, RA]).about("Set the call stack pointer").source("corpus 1700; gm107 e2e0"),
    bare("SETLMEMBASE", 0xff80, 0x1780, 0, &[SP, RA]).about("Set the base of local memory").source("corpus 1780; gm107 e2f0"),
    op("EXIT", 0xff80, 0x1800, 0, &[Flag(bits("keep", 7, 1), 1, ".KEEPREFCOUNT"), IF]).about("End the thread").source("gk110 c 1800"),
    op("LONGJMP", 0xff80, 0x1880, 0, &[IF]).about("Jump to PLONGJMP's address").source("gk110 c 1880"),
    op("RET", 0xff80, 0x1900, 0, &[S, IF]).about("Return").source("gk110 c 1900"),
    op("KIL", 0xff80, 0x1980, 0, &[IF]).about("Discard the thread").source("gk110 c 1980"),
    op("BRK", 0xff80, 0x1a00, 0, &[S, IF]).about("Leave the loop").source("gk110 c 1a00"),
    op("CONT", 0xff80, 0x1a80, 0, &[S, IF]).about("Continue the loop").source("gk110 c 1a80"),
    free("RTT", 0xff80, 0x1b00, 0, &[
        Names(bits("mode", 2, 2), &[Some(""), Some(".TERMINATE"), Some(".FALLTHROUGH"), Some(".PREEMPTED")]),
    ]).about("Return from a trap").source("gk110 c 1b00"),
    free("SAM", 0xff80, 0x1b80, 0, &[]).about("Set the active mask to all threads").source("gk110 c 1b80"),
    free("RAM", 0xff80, 0x1c00, 0, &[]).about("Restore the active mask").source("gk110 c 1c00"),
    bare("IDE", 0xff80, 0x1c80, 0, &[
        Flag(bits("off", 7, 1), 0, ".EN"),
        Cases(&[when(bits("number", 23, 16), 0, &[]), otherwise(&[SP, Number(bits("number", 23, 16), HEX)])]),
    ]).about("Enable interrupts").source("corpus 1c80; gm107 e390"),
    free("BPT", 0xff80, 0x0000, 0, &[
        Names(BPT_MODE, &[
            Some(".DRAIN_ILLEGAL"), Some(".CAL"), Some(".PAUSE"), Some(".TRAP"), Some(".INT"), Some(".DRAIN"),
        ]),
        Cases(&[
            when(BPT_MODE, 0, &[]).with(BPT_NUMBER, 0),
            otherwise(&[SP, Number(BPT_NUMBER, HEX)]),
        ]),
    ]).about("Breakpoint or trap").source("gk110 c 0000"),

    op("NOP", 0xffc0, 0x8580, 2, &[
        Flag(bits("trigger", 15, 1), 1, ".TRIG"), S,
        Cases(&[when(NOP_IF, 15, &[]), otherwise(&[Text(" CC."), Names(NOP_IF, CONDITIONS)])]),
        Cases(&[
            when(bits("number", 23, 16), 0, &[]),
            when(NOP_IF, 15, &[SP, Number(bits("number", 23, 16), HEX)]),
            otherwise(&[COMMA, Number(bits("number", 23, 16), HEX)]),
        ]),
    ]).about("Nothing").source("gk110 m 8580; gm107 50b0"),
    op("BAR", 0xffc0, 0x8540, 2, &[Cases(BAR_MODES)]).about("Barrier").source("gk110 m 8540"),
    op("B2R", 0xffc0, 0x85c0, 2, &[Cases(B2R)]).about("Barrier to register").source("corpus 85c0; gm107 f0b8"),
    op("R2B", 0xffc0, 0x8600, 2, &[
        Names(bits("mode", 35, 2), &[Some(""), Some(".RESULT"), Some(".WARP")]), S, SP,
        Number(bits("barrier", 31, 4), HEX), COMMA, RB,
    ]).about("Register to barrier").source("corpus 8600; gm107 f0c0"),
    op("TEXDEPBAR", 0xffc0, 0x7700, 2, &[S, SP, Number(bits("left", 23, 6), HEX)]).about("Wait until at most this \
        number of texture accesses is pending").source("gk110 m 7700"),
    op("MEMBAR", 0xffc0, 0x7cc0, 2, &[
        Names(bits("scope", 10, 2), &[Some(".CTA"), Some(".GL"), Some(".SYS"), Some(".VC")]),
        Names(bits("invalidate", 2, 2), &[Some(""), Some(".IVALLD"), Some(".IVALLT"), Some(".IVALLTD")]), S,
    ]).about("Memory barrier").source("gk110 m 7cc0; gm107 ef98"),
    bare("STP", 0xffc0, 0x7500, 2, &[Flag(bits("wait", 34, 1), 1, ".WAIT"), SP, Number(bits("number", 23, 8), HEX)]).about("Unknown").source("corpus 7500; gm107 eea0"),
];
