//! Branches, barriers and other control instructions.

use super::pieces::*;
use crate::set::*;

/// A constant that contains an address.
const CONST_J: Piece = group! { Text("c["), hex("bank", 36, 5), Text("]["), signed("offset", 20, 16), Text("]") };

/// A branch target, relative to the next instruction.
const TARGET: Piece = Number(bits("target", 20, 24), FROM_NEXT);

/// The condition, as the last operand; T is not printed.
const CC_LAST: Piece = cases! {
    if_bits(0, 5, 0xf, &[]),
    otherwise(&[Text(" CC."), pick("condition", 0, 5, CONDITIONS)]),
};

/// The condition before an operand.
const CC_FIRST: Piece = cases! {
    if_bits(0, 5, 0xf, &[SPACE]),
    otherwise(&[Text(" CC."), pick("condition", 0, 5, CONDITIONS), COMMA]),
};

const A_PLUS_24: Piece = cases! { if_bits(20, 24, 0, &[A]), otherwise(&[A, SPACE, signed("offset", 20, 24)]) };

const A_PLUS_32: Piece = cases! { if_bits(20, 32, 0, &[A]), otherwise(&[A, SPACE, signed("offset", 20, 32)]) };

const RTT_MODES: &[Option<&str>] = names! { "", ".TERMINATE", ".FALLTHROUGH", ".PREEMPTED" };

const BPT_MODES: &[Option<&str>] = names! {
    ".DRAIN_ILLEGAL", ".CAL", ".PAUSE", ".TRAP", ".INT", ".DRAIN", ".PAUSE_QUIET", _
};

/// The condition, if it is not T, and the immediate, if it is not 0.
const NOP_OPERANDS: Piece = cases! {
    if_bits(20, 16, 0, &[
        Cases(&[if_bits(8, 5, 0xf, &[]), otherwise(&[Text(" CC."), pick("condition", 8, 5, CONDITIONS)])])]),
    otherwise(&[
        Cases(&[if_bits(8, 5, 0xf, &[SPACE]),
            otherwise(&[Text(" CC."), pick("condition", 8, 5, CONDITIONS), COMMA])]), hex("number", 20, 16)]),
};

/// A set of barriers: {5,3,0}.
const BARRIERS: Piece = group! {
    Text("{"), Cases(&[if_bits(5, 1, 1, &[Text("5")])]),
    Cases(&[if_bits(4, 1, 1, &[Cases(&[if_bits(5, 1, 0, &[]), otherwise(&[Text(",")])]), Text("4")])]),
    Cases(&[if_bits(3, 1, 1, &[Cases(&[if_bits(4, 2, 0, &[]), otherwise(&[Text(",")])]), Text("3")])]),
    Cases(&[if_bits(2, 1, 1, &[Cases(&[if_bits(3, 3, 0, &[]), otherwise(&[Text(",")])]), Text("2")])]),
    Cases(&[if_bits(1, 1, 1, &[Cases(&[if_bits(2, 4, 0, &[]), otherwise(&[Text(",")])]), Text("1")])]),
    Cases(&[if_bits(0, 1, 1, &[Cases(&[if_bits(1, 5, 0, &[]), otherwise(&[Text(",")])]), Text("0")])]), Text("}")
};

const THEN_BARRIERS: Piece = cases! { if_bits(0, 6, 0, &[]), otherwise(&[COMMA, BARRIERS]) };

/// One counter of barriers and its limit, or a set of barriers, or both.
const DEPBAR_WHAT: Piece = cases! {
    if_bits(29, 1, 1, &[Text(".LE SB"), Number(bits("sb", 26, 3), DECIMAL), COMMA, hex("count", 20, 6),
        THEN_BARRIERS]),
    if_bits(0, 6, 0, &[]),
    otherwise(&[SPACE, BARRIERS]),
};

const BAR_REDS: &[Option<&str>] = names! { ".RED.POPC", ".RED.AND", ".RED.OR", ".RED.INVALIDBARMOD3" };

const BAR_OPS: Piece = cases! {
    if_bits(32, 3, 0, &[Text(".SYNC")]).with(bits("", 39, 4), 7),
    if_bits(32, 3, 1, &[Text(".ARV")]).with(bits("", 39, 4), 7),
    if_bits(32, 3, 2, &[pick("operation", 35, 2, BAR_REDS)]),
    if_bits(32, 3, 3, &[Text(".SCAN")]),
};

const BAR_BARRIER: Piece = cases! { if_bits(44, 1, 0, &[A]), if_bits(44, 1, 1, &[hex("barrier", 8, 8)]) };

/// The number of threads; 0 is not printed.
const BAR_COUNT: Piece = cases! {
    if_bits(43, 1, 0, &[THEN_B]),
    if_bits(20, 12, 0, &[]).with(bits("", 43, 1), 1),
    if_bits(43, 1, 1, &[COMMA, hex("count", 20, 12)]),
};

/// RED and SCAN have a predicate.
const BAR_PREDICATE: Piece = cases! {
    if_bits(32, 3, 0, &[]).with(bits("", 39, 4), 7),
    if_bits(32, 3, 1, &[]).with(bits("", 39, 4), 7),
    if_bits(33, 2, 1, &[THEN_PC]),
};

const MEMBAR_LEVELS: &[Option<&str>] = names! { ".CTA", ".GL", ".SYS", ".VC" };

const MEMBAR_INVALIDATES: &[Option<&str>] = names! { "", ".IVALLD", ".IVALLT", ".IVALLTD" };

/// Branches, barriers and other control instructions.
pub(super) const ROWS: &[Row] = rows! {
    op("SYNC", 0xf0f8, 0xfff8, &[CC_LAST])
        .about("Joins the threads of a branch").source("document lines 604, 605; facts f0f8"),

    op("CONT", 0xe350, 0xfff0, &[CC_LAST])
        .about("Continues a loop").source("document lines 555, 556; facts e350"),

    op("BRK", 0xe340, 0xfff0, &[CC_LAST])
        .about("Breaks a loop").source("document lines 559, 560; facts e340"),

    op("KIL", 0xe330, 0xfff0, &[CC_LAST])
        .about("Ends the thread").source("facts e330"),

    op("RET", 0xe320, 0xfff0, &[CC_LAST])
        .about("Returns").source("document lines 563, 564; facts e320"),

    op("LONGJMP", 0xe310, 0xfff0, &[CC_LAST])
        .about("Jumps to the address set by PLONGJMP").source("facts e310"),

    op("EXIT", 0xe300, 0xfff0, &[on(5, ".KEEPREFCOUNT"), CC_LAST])
        .about("Ends the program").source("document lines 565, 566; facts e300"),

    bare_wide("PCNT", 0xe2b0000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a continue").source("document line 554; facts e2b0"),
    bare_wide("PCNT", 0xe2b0000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a continue").source("document line 553; facts e2b0"),

    bare_wide("PBK", 0xe2a0000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a break").source("document line 558; facts e2a0"),
    bare_wide("PBK", 0xe2a0000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a break").source("document line 557; facts e2a0"),

    bare_wide("SSY", 0xe290000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a join").source("document line 544; facts e290"),
    bare_wide("SSY", 0xe290000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a join").source("document line 541; facts e290"),

    bare_wide("PLONGJMP", 0xe280000000000020, 0xfff0000000000020, &[SPACE, CONST_J])
        .about("Prepares a long jump").source("facts e280"),
    bare_wide("PLONGJMP", 0xe280000000000000, 0xfff0000000000020, &[SPACE, TARGET])
        .about("Prepares a long jump").source("facts e280"),

    bare_wide("PRET", 0xe270000000000020, 0xfff0000000000020, &[off(6, ".NOINC"), SPACE, CONST_J])
        .about("Prepares a return").source("facts e270"),
    bare_wide("PRET", 0xe270000000000000, 0xfff0000000000020, &[off(6, ".NOINC"), SPACE, TARGET])
        .about("Prepares a return").source("facts e270"),

    bare_wide("CAL", 0xe260000000000020, 0xfff0000000000020, &[off(6, ".NOINC"), SPACE, CONST_J])
        .about("Calls, relative").source("document line 562; facts e260"),
    bare_wide("CAL", 0xe260000000000000, 0xfff0000000000020, &[off(6, ".NOINC"), SPACE, TARGET])
        .about("Calls, relative").source("document line 561; facts e260"),

    bare_wide("JCAL", 0xe220000000000020, 0xfff0000000000020, &[off(6, ".NOINC"), SPACE, CONST_J])
        .about("Calls, absolute").source("document line 595; facts e220"),
    bare_wide("JCAL", 0xe220000000000000, 0xfff0000000000020, &[off(6, ".NOINC"), SPACE, hex("address", 20, 32)])
        .about("Calls, absolute").source("document line 594; facts e220")
        .notes(&["Document, line 594: one digit lost."]),

    wide("BRX", 0xe250000000000020, 0xfff0000000000020, &[on(6, ".LMT"), CC_FIRST, CONST_X])
        .about("Branches to a register plus an offset").source("document lines 549, 550; facts e250"),
    wide("BRX", 0xe250000000000000, 0xfff0000000000020, &[on(6, ".LMT"), CC_FIRST, A_PLUS_24])
        .about("Branches to a register plus an offset").source("document lines 551, 552; facts e250"),

    wide("BRA", 0xe240000000000020, 0xfff0000000000020, &[on(7, ".U"), on(6, ".LMT"), CC_FIRST, CONST_J])
        .about("Branches").source("document lines 545, 546; facts e240"),
    wide("BRA", 0xe240000000000000, 0xfff0000000000020, &[on(7, ".U"), on(6, ".LMT"), CC_FIRST, TARGET])
        .about("Branches").source("document lines 547, 548; facts e240"),

    bare("PEXIT", 0xe230, 0xfff0, &[SPACE, TARGET])
        .about("Prepares an exit").source("facts e230"),

    wide("JMP", 0xe210000000000020, 0xfff0000000000020, &[on(7, ".U"), on(6, ".LMT"), CC_FIRST, CONST_J])
        .about("Jumps, absolute").source("facts e210"),
    wide("JMP", 0xe210000000000000, 0xfff0000000000020, &[on(7, ".U"), on(6, ".LMT"), CC_FIRST,
        hex("address", 20, 32)])
        .about("Jumps, absolute").source("facts e210"),

    wide("JMX", 0xe200000000000020, 0xfff0000000000020, &[on(6, ".LMT"), CC_FIRST, CONST_X])
        .about("Jumps to a register plus an offset").source("facts e200"),
    wide("JMX", 0xe200000000000000, 0xfff0000000000020, &[on(6, ".LMT"), CC_FIRST, A_PLUS_32])
        .about("Jumps to a register plus an offset").source("facts e200"),

    bare("SETLMEMBASE", 0xe2f0, 0xfff0, &[SPACE, A])
        .about("Sets the base of local memory").source("facts e2f0"),

    bare("SETCRSPTR", 0xe2e0, 0xfff0, &[SPACE, A])
        .about("Sets the pointer of the call stack").source("facts e2e0"),

    bare("GETLMEMBASE", 0xe2d0, 0xfff0, &[INTO_D])
        .about("Gets the base of local memory").source("facts e2d0"),

    bare("GETCRSPTR", 0xe2c0, 0xfff0, &[INTO_D])
        .about("Gets the pointer of the call stack").source("facts e2c0"),

    bare("SAM", 0xe370, 0xfff0, &[])
        .about("Sets the active mask").source("facts e370"),

    bare("RAM", 0xe380, 0xfff0, &[])
        .about("Restores the active mask").source("facts e380"),

    bare("RTT", 0xe360, 0xfff0, &[pick("mode", 0, 2, RTT_MODES)])
        .about("Returns from a trap").source("facts e360"),

    bare("IDE", 0xe390, 0xfff0, &[off(5, ".EN"), SPACE, hex("number", 20, 16)])
        .about("Enables or disables interrupts").source("facts e390"),

    bare("BPT", 0xe3a0, 0xfff0, &[pick("mode", 6, 3, BPT_MODES),
        Cases(&[if_bits(20, 20, 0, &[]), otherwise(&[SPACE, hex("number", 20, 20)])])])
        .about("Breakpoint or trap").source("facts e3a0"),

    op("NOP", 0x50b0, 0xfff8, &[on(13, ".TRIG"), NOP_OPERANDS])
        .about("Nothing").source("document lines 567, 568, 569, 570; facts 50b0")
        .notes(&[
            "Document, line 567: one x too many: condition is bits 12..8.",
            "Document, line 569: too long as printed; condition 12..8 = T, literal 35..20 = 0.",
            "Document, line 570: too long as printed; literal 35..20 = 0.",
        ]),

    op("DEPBAR", 0xf0f0, 0xfff8, &[DEPBAR_WHAT])
        .about("Waits for dependency barriers").source("document lines 612, 613, 614, 615; facts f0f0")
        .notes(&[
            "Document, line 612: too long as printed; .LE is bit 29.",
            "Document, line 613: too long as printed.",
            "Document, line 614: too long as printed.",
            "Document, line 615: too long as printed.",
        ]),

    op("BAR", 0xf0a8, 0xfff8, &[BAR_OPS, SPACE, BAR_BARRIER, BAR_COUNT, BAR_PREDICATE])
        .about("Synchronises the threads of a block").source("document lines 571, 572; facts f0a8")
        .notes(&[
            "Document, line 571: too long as printed; a 1 at bit 39 lost; count 31..20 = 0.",
            "Document, line 572: a 1 at bit 39 lost.",
        ]),

    op("MEMBAR", 0xef98, 0xfff8, &[pick("level", 8, 2, MEMBAR_LEVELS), pick("invalidates", 0, 2, MEMBAR_INVALIDATES)])
        .about("Orders memory accesses").source("facts ef98"),

    bare("STP", 0xeea0, 0xfff8, &[on(31, ".WAIT"), SPACE, hex("number", 20, 8)])
        .about("Stops or waits").source("facts eea0"),
};
