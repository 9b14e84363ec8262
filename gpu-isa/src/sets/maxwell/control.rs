//! Branches, barriers and the like.

use super::pieces::*;
use crate::set::*;

/// A constant that holds an address.
const CONST_J: Piece = Pieces(&[
    Text("c["),
    hex("bank", 36, 5),
    Text("]["),
    signed("offset", 20, 16),
    Text("]"),
]);

/// Counts from the next instruction.
const TARGET: Piece = Number(bits("target", 20, 24), FROM_NEXT);

/// The condition code; T is not printed.
const COND: &[Option<&str>] = names![
    " CC.F",
    " CC.LT",
    " CC.EQ",
    " CC.LE",
    " CC.GT",
    " CC.NE",
    " CC.GE",
    " CC.NUM",
    " CC.NAN",
    " CC.LTU",
    " CC.EQU",
    " CC.LEU",
    " CC.GTU",
    " CC.NEU",
    " CC.GEU",
    "",
    " CC.OFF",
    " CC.LO",
    " CC.SFF",
    " CC.LS",
    " CC.HI",
    " CC.SFT",
    " CC.HS",
    " CC.OFT",
    " CC.CSM_TA",
    " CC.CSM_TR",
    " CC.CSM_MX",
    " CC.FCSM_TA",
    " CC.FCSM_TR",
    " CC.FCSM_MX",
    " CC.RLE",
    " CC.RGT"
];

const COND_C: &[Option<&str>] = names![
    " CC.F, ",
    " CC.LT, ",
    " CC.EQ, ",
    " CC.LE, ",
    " CC.GT, ",
    " CC.NE, ",
    " CC.GE, ",
    " CC.NUM, ",
    " CC.NAN, ",
    " CC.LTU, ",
    " CC.EQU, ",
    " CC.LEU, ",
    " CC.GTU, ",
    " CC.NEU, ",
    " CC.GEU, ",
    " ",
    " CC.OFF, ",
    " CC.LO, ",
    " CC.SFF, ",
    " CC.LS, ",
    " CC.HI, ",
    " CC.SFT, ",
    " CC.HS, ",
    " CC.OFT, ",
    " CC.CSM_TA, ",
    " CC.CSM_TR, ",
    " CC.CSM_MX, ",
    " CC.FCSM_TA, ",
    " CC.FCSM_TR, ",
    " CC.FCSM_MX, ",
    " CC.RLE, ",
    " CC.RGT, "
];

const A_PLUS_24: Piece = Cases(&[
    if_bits(20, 24, 0, &[A]),
    otherwise(&[A, SPACE, signed("offset", 20, 24)]),
]);

const A_PLUS_32: Piece = Cases(&[
    if_bits(20, 32, 0, &[A]),
    otherwise(&[A, SPACE, signed("offset", 20, 32)]),
]);

const RTTS: &[Option<&str>] = names!["", ".TERMINATE", ".FALLTHROUGH", ".PREEMPTED"];

const BPTS: &[Option<&str>] = names![
    ".DRAIN_ILLEGAL",
    ".CAL",
    ".PAUSE",
    ".TRAP",
    ".INT",
    ".DRAIN",
    ".PAUSE_QUIET",
    _
];

const SBSET: &[Option<&str>] = names![
    "",
    " {0}",
    " {1}",
    " {1,0}",
    " {2}",
    " {2,0}",
    " {2,1}",
    " {2,1,0}",
    " {3}",
    " {3,0}",
    " {3,1}",
    " {3,1,0}",
    " {3,2}",
    " {3,2,0}",
    " {3,2,1}",
    " {3,2,1,0}",
    " {4}",
    " {4,0}",
    " {4,1}",
    " {4,1,0}",
    " {4,2}",
    " {4,2,0}",
    " {4,2,1}",
    " {4,2,1,0}",
    " {4,3}",
    " {4,3,0}",
    " {4,3,1}",
    " {4,3,1,0}",
    " {4,3,2}",
    " {4,3,2,0}",
    " {4,3,2,1}",
    " {4,3,2,1,0}",
    " {5}",
    " {5,0}",
    " {5,1}",
    " {5,1,0}",
    " {5,2}",
    " {5,2,0}",
    " {5,2,1}",
    " {5,2,1,0}",
    " {5,3}",
    " {5,3,0}",
    " {5,3,1}",
    " {5,3,1,0}",
    " {5,3,2}",
    " {5,3,2,0}",
    " {5,3,2,1}",
    " {5,3,2,1,0}",
    " {5,4}",
    " {5,4,0}",
    " {5,4,1}",
    " {5,4,1,0}",
    " {5,4,2}",
    " {5,4,2,0}",
    " {5,4,2,1}",
    " {5,4,2,1,0}",
    " {5,4,3}",
    " {5,4,3,0}",
    " {5,4,3,1}",
    " {5,4,3,1,0}",
    " {5,4,3,2}",
    " {5,4,3,2,0}",
    " {5,4,3,2,1}",
    " {5,4,3,2,1,0}"
];

const SBSETC: &[Option<&str>] = names![
    "",
    ", {0}",
    ", {1}",
    ", {1,0}",
    ", {2}",
    ", {2,0}",
    ", {2,1}",
    ", {2,1,0}",
    ", {3}",
    ", {3,0}",
    ", {3,1}",
    ", {3,1,0}",
    ", {3,2}",
    ", {3,2,0}",
    ", {3,2,1}",
    ", {3,2,1,0}",
    ", {4}",
    ", {4,0}",
    ", {4,1}",
    ", {4,1,0}",
    ", {4,2}",
    ", {4,2,0}",
    ", {4,2,1}",
    ", {4,2,1,0}",
    ", {4,3}",
    ", {4,3,0}",
    ", {4,3,1}",
    ", {4,3,1,0}",
    ", {4,3,2}",
    ", {4,3,2,0}",
    ", {4,3,2,1}",
    ", {4,3,2,1,0}",
    ", {5}",
    ", {5,0}",
    ", {5,1}",
    ", {5,1,0}",
    ", {5,2}",
    ", {5,2,0}",
    ", {5,2,1}",
    ", {5,2,1,0}",
    ", {5,3}",
    ", {5,3,0}",
    ", {5,3,1}",
    ", {5,3,1,0}",
    ", {5,3,2}",
    ", {5,3,2,0}",
    ", {5,3,2,1}",
    ", {5,3,2,1,0}",
    ", {5,4}",
    ", {5,4,0}",
    ", {5,4,1}",
    ", {5,4,1,0}",
    ", {5,4,2}",
    ", {5,4,2,0}",
    ", {5,4,2,1}",
    ", {5,4,2,1,0}",
    ", {5,4,3}",
    ", {5,4,3,0}",
    ", {5,4,3,1}",
    ", {5,4,3,1,0}",
    ", {5,4,3,2}",
    ", {5,4,3,2,0}",
    ", {5,4,3,2,1}",
    ", {5,4,3,2,1,0}"
];

const REDOP: &[Option<&str>] = names![".RED.POPC", ".RED.AND", ".RED.OR", ".RED.INVALIDBARMOD3"];

const LEVEL: &[Option<&str>] = names![".CTA", ".GL", ".SYS", ".VC"];

const IVALL: &[Option<&str>] = names!["", ".IVALLD", ".IVALLT", ".IVALLTD"];

/// Branches, barriers and the like.
pub(super) const ROWS: &[Row] = &[
    op("SYNC", 0xf0f8, 0xfff8, &[pick("condition", 0, 5, COND)])
        .about("Joins the threads of a branch")
        .source("document lines 604, 605; facts f0f8"),
    op("CONT", 0xe350, 0xfff0, &[pick("condition", 0, 5, COND)])
        .about("Continues a loop")
        .source("document lines 555, 556; facts e350"),
    op("BRK", 0xe340, 0xfff0, &[pick("condition", 0, 5, COND)])
        .about("Breaks a loop")
        .source("document lines 559, 560; facts e340"),
    op("KIL", 0xe330, 0xfff0, &[pick("condition", 0, 5, COND)])
        .about("Ends the thread")
        .source("facts e330"),
    op("RET", 0xe320, 0xfff0, &[pick("condition", 0, 5, COND)])
        .about("Returns")
        .source("document lines 563, 564; facts e320"),
    op("LONGJMP", 0xe310, 0xfff0, &[pick("condition", 0, 5, COND)])
        .about("Jumps to where PLONGJMP has prepared")
        .source("facts e310"),
    op(
        "EXIT",
        0xe300,
        0xfff0,
        &[on(5, ".KEEPREFCOUNT"), pick("condition", 0, 5, COND)],
    )
    .about("Ends the program")
    .source("document lines 565, 566; facts e300"),
    bare_wide("PCNT", 0xe2b0000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a continue")
        .source("document line 554; facts e2b0"),
    bare_wide("PCNT", 0xe2b0000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a continue")
        .source("document line 553; facts e2b0"),
    bare_wide("PBK", 0xe2a0000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a break")
        .source("document line 558; facts e2a0"),
    bare_wide("PBK", 0xe2a0000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a break")
        .source("document line 557; facts e2a0"),
    bare_wide("SSY", 0xe290000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a join")
        .source("document line 544; facts e290"),
    bare_wide("SSY", 0xe290000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a join")
        .source("document line 541; facts e290"),
    bare_wide("PLONGJMP", 0xe280000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a long jump")
        .source("facts e280"),
    bare_wide("PLONGJMP", 0xe280000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a long jump")
        .source("facts e280"),
    bare_wide(
        "PRET",
        0xe270000000000020,
        0xfff0000000000020,
        &[off(6, ".NOINC"), SPACE, CONST_J],
    )
    .about("Prepares a return")
    .source("facts e270"),
    bare_wide(
        "PRET",
        0xe270000000000000,
        0xfff0000000000020,
        &[off(6, ".NOINC"), SPACE, TARGET],
    )
    .about("Prepares a return")
    .source("facts e270"),
    bare_wide(
        "CAL",
        0xe260000000000020,
        0xfff0000000000020,
        &[off(6, ".NOINC"), SPACE, CONST_J],
    )
    .about("Calls, relative")
    .source("document line 562; facts e260"),
    bare_wide(
        "CAL",
        0xe260000000000000,
        0xfff0000000000020,
        &[off(6, ".NOINC"), SPACE, TARGET],
    )
    .about("Calls, relative")
    .source("document line 561; facts e260"),
    bare_wide(
        "JCAL",
        0xe220000000000020,
        0xfff0000000000020,
        &[off(6, ".NOINC"), SPACE, CONST_J],
    )
    .about("Calls, absolute")
    .source("document line 595; facts e220"),
    bare_wide(
        "JCAL",
        0xe220000000000000,
        0xfff0000000000020,
        &[off(6, ".NOINC"), SPACE, hex("address", 20, 32)],
    )
    .about("Calls, absolute")
    .source("document line 594; facts e220")
    .notes(&["Document, line 594: one digit lost."]),
    wide(
        "BRX",
        0xe250000000000020,
        0xfff0000000000020,
        &[on(6, ".LMT"), pick("condition", 0, 5, COND_C), CONST_X],
    )
    .about("Branches to a register plus an offset")
    .source("document lines 549, 550; facts e250"),
    wide(
        "BRX",
        0xe250000000000000,
        0xfff0000000000020,
        &[on(6, ".LMT"), pick("condition", 0, 5, COND_C), A_PLUS_24],
    )
    .about("Branches to a register plus an offset")
    .source("document lines 551, 552; facts e250"),
    wide(
        "BRA",
        0xe240000000000020,
        0xfff0000000000020,
        &[on(7, ".U"), on(6, ".LMT"), pick("condition", 0, 5, COND_C), CONST_J],
    )
    .about("Branches")
    .source("document lines 545, 546; facts e240"),
    wide(
        "BRA",
        0xe240000000000000,
        0xfff0000000000020,
        &[on(7, ".U"), on(6, ".LMT"), pick("condition", 0, 5, COND_C), TARGET],
    )
    .about("Branches")
    .source("document lines 547, 548; facts e240"),
    bare("PEXIT", 0xe230, 0xfff0, &[SPACE, TARGET])
        .about("Prepares an exit")
        .source("facts e230"),
    wide(
        "JMP",
        0xe210000000000020,
        0xfff0000000000020,
        &[on(7, ".U"), on(6, ".LMT"), pick("condition", 0, 5, COND_C), CONST_J],
    )
    .about("Jumps, absolute")
    .source("facts e210"),
    wide(
        "JMP",
        0xe210000000000000,
        0xfff0000000000020,
        &[
            on(7, ".U"),
            on(6, ".LMT"),
            pick("condition", 0, 5, COND_C),
            hex("address", 20, 32),
        ],
    )
    .about("Jumps, absolute")
    .source("facts e210"),
    wide(
        "JMX",
        0xe200000000000020,
        0xfff0000000000020,
        &[on(6, ".LMT"), pick("condition", 0, 5, COND_C), CONST_X],
    )
    .about("Jumps to a register plus a number")
    .source("facts e200"),
    wide(
        "JMX",
        0xe200000000000000,
        0xfff0000000000020,
        &[on(6, ".LMT"), pick("condition", 0, 5, COND_C), A_PLUS_32],
    )
    .about("Jumps to a register plus a number")
    .source("facts e200"),
    bare("SETLMEMBASE", 0xe2f0, 0xfff0, &[SPACE, A])
        .about("Sets the base of local memory")
        .source("facts e2f0"),
    bare("SETCRSPTR", 0xe2e0, 0xfff0, &[SPACE, A])
        .about("Sets the pointer of the call stack")
        .source("facts e2e0"),
    bare("GETLMEMBASE", 0xe2d0, 0xfff0, &[INTO_D])
        .about("Gets the base of local memory")
        .source("facts e2d0"),
    bare("GETCRSPTR", 0xe2c0, 0xfff0, &[INTO_D])
        .about("Gets the pointer of the call stack")
        .source("facts e2c0"),
    bare("SAM", 0xe370, 0xfff0, &[])
        .about("Sets the active mask")
        .source("facts e370"),
    bare("RAM", 0xe380, 0xfff0, &[])
        .about("Restores the active mask")
        .source("facts e380"),
    bare("RTT", 0xe360, 0xfff0, &[pick("rtts", 0, 2, RTTS)])
        .about("Returns from a trap")
        .source("facts e360"),
    bare("IDE", 0xe390, 0xfff0, &[off(5, ".EN"), SPACE, hex("number", 20, 16)])
        .about("Enables or disables interrupts")
        .source("facts e390"),
    bare(
        "BPT",
        0xe3a0,
        0xfff0,
        &[
            pick("bpts", 6, 3, BPTS),
            Cases(&[if_bits(20, 20, 0, &[]), otherwise(&[SPACE, hex("number", 20, 20)])]),
        ],
    )
    .about("Breakpoint or trap")
    .source("facts e3a0"),
    op(
        "NOP",
        0x50b0,
        0xfff8,
        &[
            on(13, ".TRIG"),
            Cases(&[
                if_bits(20, 16, 0, &[pick("condition", 8, 5, COND)]),
                otherwise(&[pick("condition", 8, 5, COND_C), hex("number", 20, 16)]),
            ]),
        ],
    )
    .about("Nothing")
    .source("document lines 567, 568, 569, 570; facts 50b0")
    .notes(&[
        "Document, line 567: one x too many: condition is bits 12..8.",
        "Document, line 569: too long as printed; condition 12..8 = T, literal 35..20 = 0.",
        "Document, line 570: too long as printed; literal 35..20 = 0.",
    ]),
    op(
        "DEPBAR",
        0xf0f0,
        0xfff8,
        &[Cases(&[
            if_bits(
                29,
                1,
                1,
                &[
                    Text(".LE SB"),
                    Number(bits("sb", 26, 3), DECIMAL),
                    COMMA,
                    hex("count", 20, 6),
                    pick("sbsetc", 0, 6, SBSETC),
                ],
            ),
            otherwise(&[pick("sbset", 0, 6, SBSET)]),
        ])],
    )
    .about("Waits for barriers of dependence")
    .source("document lines 612, 613, 614, 615; facts f0f0")
    .notes(&[
        "Document, line 612: too long as printed; .LE is bit 29.",
        "Document, line 613: too long as printed.",
        "Document, line 614: too long as printed.",
        "Document, line 615: too long as printed.",
    ]),
    op(
        "BAR",
        0xf0a8,
        0xfff8,
        &[
            Cases(&[
                if_bits(32, 3, 0, &[Text(".SYNC")]).with(bits("", 39, 4), 7),
                if_bits(32, 3, 1, &[Text(".ARV")]).with(bits("", 39, 4), 7),
                if_bits(32, 3, 2, &[pick("operation", 35, 2, REDOP)]),
                if_bits(32, 3, 3, &[Text(".SCAN")]),
            ]),
            SPACE,
            Cases(&[if_bits(44, 1, 0, &[A]), if_bits(44, 1, 1, &[hex("barrier", 8, 8)])]),
            Cases(&[
                if_bits(43, 1, 0, &[THEN_B]),
                if_bits(20, 12, 0, &[]).with(bits("", 43, 1), 1),
                if_bits(43, 1, 1, &[COMMA, hex("count", 20, 12)]),
            ]),
            Cases(&[
                if_bits(32, 3, 0, &[]).with(bits("", 39, 4), 7),
                if_bits(32, 3, 1, &[]).with(bits("", 39, 4), 7),
                if_bits(33, 2, 1, &[THEN_PC]),
            ]),
        ],
    )
    .about("Synchronises the threads of a block")
    .source("document lines 571, 572; facts f0a8")
    .notes(&[
        "Document, line 571: too long as printed; a 1 at bit 39 lost; count 31..20 = 0.",
        "Document, line 572: a 1 at bit 39 lost.",
    ]),
    op(
        "MEMBAR",
        0xef98,
        0xfff8,
        &[pick("level", 8, 2, LEVEL), pick("ivall", 0, 2, IVALL)],
    )
    .about("Orders memory accesses")
    .source("facts ef98"),
    bare("STP", 0xeea0, 0xfff8, &[on(31, ".WAIT"), SPACE, hex("number", 20, 8)])
        .about("Stops or waits")
        .source("facts eea0"),
];
