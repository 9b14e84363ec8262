//! PowerVR USSE of the PS Vita: the names and operands of existing tools.
//!
//! - `operands`: pieces that groups share.
//! - `float`, `pack`, `test`, `integer`, `dual`, `memory`, `flow`: the groups by subject.
//! - `document`: the names that the project's document has, for the assembler.
//!
//! A row's pieces have every bit with a meaning, shown or not, so a row's semantics can refer to its fields by name.

mod document;
mod dual;
mod float;
mod flow;
mod integer;
mod memory;
mod operands;
mod pack;
mod test;
mod texts;

use crate::index::Built;
use crate::set::*;
use texts::texts;

const PORTS: &[Operand] = &[
    operand("predicate", &["predicate"], &[]),
    operand("destination", &["destination"], &[]),
    operand("destination_file", &["destination_file"], &[]),
    operand("source_0", &["source_0"], &[]),
    operand("source_0_file", &["source_0_file"], &[]),
    operand("source_1", &["source_1", "source"], &[]),
    operand("source_1_file", &["source_1_file", "source_file"], &[]),
    operand("source_2", &["source_2"], &[]),
    operand("source_2_file", &["source_2_file"], &[]),
    operand("mask", &["mask"], &[]),
    operand("repeat", &["repeat"], &[]),
    operand("number", &["number", "immediate", "target", "distance"], &[]),
];

/// The immediates of bitwise operations, as stored.
static STORED: Set = texts("usse-stored", "immediates as encoded", &[integer::STORED]);

/// PowerVR USSE.
pub static USSE: Set = Set {
    name: "usse",
    title: "PowerVR USSE",
    version: 0,
    unit: 8,
    lengths: Lengths::Table(&[(0, 0, 8)]),
    rows: &[
        float::MAD2,
        float::NMAD,
        float::INTERNAL_SOURCES,
        dual::FIRST_LIST[0],
        dual::FIRST_LIST[1],
        dual::FIRST_LIST[2],
        dual::FIRST_LIST[3],
        dual::FIRST_LIST[4],
        dual::FIRST_LIST[5],
        dual::FIRST_LIST[6],
        dual::FIRST_LIST[7],
        dual::SECOND_LIST[0],
        dual::SECOND_LIST[1],
        dual::SECOND_LIST[2],
        dual::SECOND_LIST[3],
        dual::SECOND_LIST[4],
        dual::SECOND_LIST[5],
        dual::NO_OPERATION,
        dual::AFTER_THREE,
        dual::AFTER_TWO,
        dual::AFTER_TWO_WAYS,
        float::COMPLEX_ROWS,
        float::MOVES[0],
        float::MOVES[1],
        float::MOVES[2],
        float::MOVES[3],
        float::MOVES[4],
        float::MOVES[5],
        float::MOVES[6],
        float::MOVES[7],
        float::UNKNOWN_MOVE,
        pack::FROM_U8,
        pack::FROM_S8,
        pack::FROM_O8,
        pack::FROM_U16,
        pack::FROM_S16,
        pack::FROM_F16,
        pack::FROM_F32,
        pack::FROM_C10,
        test::HALVES,
        test::SINGLES,
        test::WORDS,
        test::BYTES,
        test::BITS,
        test::BYTE_COMPARISONS,
        test::MASK_HALVES,
        test::MASK_SINGLES,
        test::MASK_WORDS,
        test::MASK_BYTES,
        test::MASK_BITS,
        test::MASK_BYTE_COMPARISONS,
        test::UNKNOWN,
        integer::BITWISE,
        integer::PRODUCTS,
        integer::MADS,
        integer::UNKNOWN,
        memory::SAMPLES,
        memory::MEMORY,
        flow::FLOW,
    ],
    control: None,
    ports: PORTS,
    dropped: &[],
    synonyms: &[&STORED, &document::DOCUMENT],
    notes: &[
        "A word has 8 bytes. Bits 63..59 select one of 35 groups; with the upper bytes 0x18, 0x20 and 0xf8, further \
         bits do.",
        "Names and operands are as in Vita3K. A predicate precedes the name: p0, !p0, pN.",
        "Registers: `r` temporary, `o` output, `pa` and `sa` primary and secondary attributes, `i` internal, `c` constant, `g` \
         global, `idx` index; `r[idx1 * 2 + 8]` by an index register. In most float instructions a register has two words, and \
         its number is even.",
        "`.xy` after a destination is the mask of channels; after a source it is the swizzle: the channel for each of \
         them, `-` where the mask has none. `0`, `1`, `2` and `H` (one half) are constants, `?` is not defined.",
        "Bits that the text does not show are in ` ?0x...`: `skipinv`, `nosched`, `end`, `repeat` (the instruction \
         repeats with other registers, as set by SMLSI or SMBO) and others; `explain` names them. If several words \
         differ only in such bits, the text alone stands for one of them.",
        "In the secondary program of a .gxp file all register files except i, c and immediates are `sa`; a single word \
         is shown as in the primary program.",
    ],
    open: &[
        "The layouts of I8MAD2 and the ILLEGAL groups are unknown, and so are some operations of VBW, VMOV, VTST, \
         VTSTMSK and VDUAL. Their words are printed with the group's name.",
        "SPEC: only the category of the other words in group 0xf8 is known.",
        "VDUAL, SOP2, SOP2M, SOP3, the integer groups, SMBO, DEPTHF and the branches are from a single source. All 357 words of real \
         shaders decode.",
        "The channels of VPCK with 8-bit sources are uncertain.",
    ],
    sources: &[
        Source {
            name: "usse_full.json",
            about: "35 groups with all bits: positions, names and tables of Vita3K at 80075ce5 and of vita3k-shader-tests at 622b231c",
        },
        Source {
            name: "Notes on the USSE instruction set (PS Vita)",
            about: "the document's names, and its predicates where Vita3K differs",
        },
    ],
    built: Built::new(),
};
