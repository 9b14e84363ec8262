//! Flow control, and the other instructions of group 0xf8.

use super::operands::*;
use crate::set::*;

/// A branch target as a number of instructions from the start of the program, 20 bits.
const ABSOLUTE: Field = bits("target", 0, 20);
/// The sign of a branch's distance.
const BACKWARDS: Field = bits("backwards", 19, 1);
const LINK: Piece = Flag(bits("save_link", 41, 1), 1, ".savelink");
const BRANCH_REST: Piece = unseen!(
    "syncend" 55, "exception" 51, "pwait" 45, "sync_ext" 44, "nosched" 43, "monitor" 42, "any_inst" 21, "all_inst" 20,
);

const fn branch(mnemonic: &'static str, relative: u128, pieces: &'static [Piece]) -> Row {
    group(
        mnemonic,
        0xf870_0180_0000_0000 | 1 << 38,
        0xf8 << 56 | relative << 38,
        pieces,
    )
    .lead(EXTENDED)
    .source("usse_full.json, BR")
    .rank(1)
    .notes(&["Vita3K does not print branches. The tests of any_inst and all_inst are unknown."])
}

/// An increment of 8 bits, or four steps of 2 bits each.
macro_rules! increment {
    ($mode:literal $low:literal) => {
        Cases(&[
            when(
                bits("steps", $mode, 1),
                1,
                &[
                    Text(" swizz.("),
                    Names(bits("step_0", $low, 2), DIGITS),
                    Names(bits("step_1", $low + 2, 2), DIGITS),
                    Names(bits("step_2", $low + 4, 2), DIGITS),
                    Names(bits("step_3", $low + 6, 2), DIGITS),
                    Text(")"),
                ],
            ),
            otherwise(&[
                Text(" inc."),
                Number(bits("increment", $low, 8), Format::Signed { scale: 1 }),
            ]),
        ])
    };
}

const DIGITS: &[Option<&str>] = &[Some("0"), Some("1"), Some("2"), Some("3")];

const LIMM_D: Register = destination(
    bits("destination", 21, 7),
    bits("destination_file", 32, 2).and(51, 1),
    1,
);

pub const FLOW: &[Row] = &[
    branch("BA", 0, &[LINK, Text(" "), Number(ABSOLUTE, DECIMAL), BRANCH_REST])
        .about("branches to an instruction by its number"),
    branch(
        "BR",
        1,
        &[
            LINK,
            Text(" "),
            Cases(&[
                when(BACKWARDS, 0, &[Text("+"), Number(bits("distance", 0, 19), DECIMAL)]),
                otherwise(&[Number(bits("distance", 0, 20), Format::Signed { scale: 1 })]),
            ]),
            BRANCH_REST,
        ],
    )
    .about("branches by a number of instructions from this one"),
    group("NOP", 0xf870_01c0_0000_0000, 0xf800_0140_0000_0000, &[])
        .about("does nothing")
        .source("usse_full.json, NOP")
        .rank(1),
    group(
        "PHAS",
        0xff70_0000_0000_0000,
        0xfa40_0000_0000_0000,
        &[
            unseen!(
                "sprvv" 55, "end" 51, "immediate" 50, "mode" 45, "rate_high" 44, "rate_low_or_nosched" 43, "wait" 40 .. 42,
                "temporaries" 32 .. 39,
            ),
            Unseen(&[Cases(&[
                when(
                    bits("immediate", 50, 1),
                    1,
                    &[Number(bits("address", 0, 20), DECIMAL)],
                ),
                otherwise(&[Piece::Register(&SOURCE_1_7), Piece::Register(&SOURCE_2_7)]),
            ])]),
        ],
    )
    .about("gives the address of the program's next phase, and its number of temporary registers")
    .source("usse_full.json, PHAS")
    .rank(3)
    .notes(&["The effects of rate and wait are unknown."]),
    group(
        "SMLSI",
        0xff30_0000_0000_0000,
        0xfa10_0000_0000_0000,
        &[
            increment!(35 24),
            increment!(34 16),
            increment!(33 8),
            increment!(32 0),
            unseen!("nosched" 50, "temporary_limit" 44 .. 47, "primary_limit" 40 .. 43, "secondary_limit" 36 .. 39),
        ],
    )
    .about("sets the increments of the register numbers at each repetition of a later instruction: destination, \
        sources 0, 1, 2")
    .source("usse_full.json, SMLSI")
    .rank(2),
    group(
        "SMBO",
        0xff30_0000_0000_0000,
        0xfb10_0000_0000_0000,
        &[
            Text(" "),
            Number(bits("destination_offset", 36, 12), DECIMAL),
            Text(", "),
            Number(bits("source_0_offset", 24, 12), DECIMAL),
            Text(", "),
            Number(bits("source_1_offset", 12, 12), DECIMAL),
            Text(", "),
            Number(bits("source_2_offset", 0, 12), DECIMAL),
            unseen!("nosched" 50),
        ],
    )
    .about("sets offsets of the register numbers of later instructions: destination, sources 0, 1, 2")
    .source("usse_full.json, SMBO")
    .rank(2),
    group(
        "KILL",
        0xff3f_f9ff_f000_0000,
        0xf930_0006_f000_0000,
        &[Names(
            bits("predicate", 41, 2),
            &[Some(""), Some(" !p0"), Some(" !p1"), Some(" p0")],
        )],
    )
    .about("ends the program without a result")
    .source("usse_full.json, KILL")
    .rank(2)
    .notes(&["Vita3K prints the predicate as none, p0, p1, !p0; its own analysis and the document have the names used \
        here."]),
    group(
        "MOV",
        0xff30_0000_0000_0000,
        0xfc20_0000_0000_0000,
        &[
            Text(" "),
            plain_scalar!(LIMM_D),
            Text(" #"),
            Number(bits("number", 0, 21).and(36, 5).and(44, 6), Format::Capital),
            unseen!("skipinv" 55, "nosched" 54, "end" 50),
        ],
    )
    .lead(&[Names(bits("predicate", 41, 3), EXTENDED_NAMES)])
    .about("loads a 32-bit immediate")
    .source("usse_full.json, LIMM")
    .rank(2),
    group(
        "DEPTHF",
        0xff30_0000_0000_0000,
        0xfb30_0000_0000_0000,
        &[
            Text(" "),
            plain_scalar!(DEPTH),
            Text(" "),
            scalar!(SOURCE_1_7),
            Text(" "),
            scalar!(SOURCE_2_7),
            unseen!("sync" 55, "end" 50, "nosched" 43, "two_sided" 37, "feedback" 35 .. 36, "destination" 21 .. 27),
        ],
    )
    .lead(&[Names(bits("predicate", 41, 2), SHORT_NAMES)])
    .about("replaces the depth")
    .source("usse_full.json, DEPTHF")
    .rank(2),
    group(
        "SPEC",
        GROUP,
        0xf8 << 56,
        &[
            Text(" category: "),
            Number(bits("category", 52, 2), DECIMAL),
            Text(", special: "),
            Names(bits("special", 54, 1), &[Some("false"), Some("true")]),
        ],
    )
    .about("a word of group 0xf8, with only the category known")
    .source("usse_full.json, SPEC")
    .notes(&[
        "Category 0 is control of the flow, 1 of repetition (bits 58..56: 0 SMOA, 1 SMR, 2 SMLSI, 3 SMBO, 4 IMO, 5 SETFC), 2 \
         others, 3 tests of visibility. All known compiled vertex programs end with fb275000a0200000, probably EMIT.",
    ]),
];

/// Source 0 of DEPTHF. Its internal registers begin at 60, lower than the width of its number implies.
const DEPTH: Register = Register {
    internal: 60,
    ..source_0(bits("source_0", 14, 7), bits("source_0_file", 34, 1).and(51, 1), 2)
};
