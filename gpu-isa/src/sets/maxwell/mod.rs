//! NVIDIA compute capabilities 5.x and 6.x (Maxwell, Pascal): one table for the sets `sm50`, `sm52` and `sm60`.
//!
//! A word has 64 bits; the first 8 of every 32 bytes are a control word. `pieces` has the pieces that rows share, the
//! other modules have the rows.

mod compare;
mod control;
mod convert;
mod float;
mod half;
mod integer;
mod memory;
mod pieces;
mod special;
mod texture;
mod video;

use super::nvidia::ports;
use crate::index::Built;
use crate::set::*;

/// All rows of all versions.
const ROWS: &[&[Row]] = &[
    integer::ROWS,
    compare::ROWS,
    float::ROWS,
    convert::ROWS,
    half::ROWS,
    video::ROWS,
    control::ROWS,
    memory::ROWS,
    texture::ROWS,
];

/// The fields of one of the three slots of a control word.
macro_rules! slot {
    ($at:literal) => {
        Pieces(&[
            Text(" stall "),
            Number(bits("stall", $at, 4), Format::Decimal { scale: 1 }),
            Text(" yield "),
            Number(bits("yield", $at + 4, 1), Format::Decimal { scale: 1 }),
            Text(" write "),
            Number(bits("write barrier", $at + 5, 3), Format::Decimal { scale: 1 }),
            Text(" read "),
            Number(bits("read barrier", $at + 8, 3), Format::Decimal { scale: 1 }),
            Text(" wait "),
            Number(bits("wait mask", $at + 11, 6), Format::Hex { scale: 1 }),
            Text(" reuse "),
            Number(bits("reuse", $at + 17, 4), Format::Hex { scale: 1 }),
        ])
    };
}

const CONTROL: Control = Control {
    period: 32,
    slots: &[0, 21, 42],
    rows: &[row(
        ".control",
        1 << 63,
        0,
        8,
        &[slot!(0), Text(","), slot!(21), Text(","), slot!(42)],
    )
    .usual(0x001f_8000_fc00_07e0)
    .about("Issue control of each of the next three instructions")
    .source("specification, section 4")
    .notes(&[
        "Stall: cycles to wait before the next instruction. Yield: 0 lets another warp go first.",
        "Barriers: 7 means no barrier. The wait mask has a bit for each of the barriers 0 to 5.",
        "Reuse: a bit for each operand's register cache.",
    ])],
};

const NOTES: &[&str] = &[
    "A guard @PT, and predicates and masks with their usual values, are not printed.",
    "The upper bits name the second operand's kind: 0x5... a register, 0x4... a constant, 0x3... an immediate.",
    "A branch's target is an address: the offset counts from the next instruction.",
    ".reuse after a register, and .T and .P of TEXS, are bits of the control word, which the assembler sets.",
    "The assembler takes control codes as cuobjdump, maxas and CuAssembler write them: flexgrip disasm --control.",
    "SSY, CAL, PBK, PRET, PCNT, JCAL, PLONGJMP, PEXIT, SAM, RAM, BPT and others ignore the guard; it is usually PT.",
    "Names of undefined values are the vendor's: INVALIDFMZ3, INVALIDATOMOP9.",
    "If any part of a constant or register can be selected, the vendor prints c[0x1] [0x10] with a space.",
];

const OPEN: &[&str] = &[
    "The document's patterns fix bits that did not vary in its samples: an access size, a comparison, a sign.",
    "No source gives the values of CCTLT other than IVALL, or the position of the operation of ATOM with a predicate.",
    "Special registers 43, 45, 46 and 47 have the document's names, which appear to be from an older generation.",
    "Memory operands without a register, [RZ] and [0x10], do not occur in the samples.",
];

const SOURCES: &[Source] = &[
    Source {
        name: "document",
        about: "Appendix on compute capabilities 2.x to 6.x: forms of instructions, opcodes as bit strings, special \
                registers. Line numbers refer to its text; counts of `x` and some digits are wrong.",
    },
    Source {
        name: "facts",
        about:
            "envytools, envydis/gm107.c (MIT): masks, positions of fields, names of values. Rows are named by their \
            upper 16 bits.",
    },
    Source {
        name: "samples",
        about: "Words with the text of NVIDIA's disassembler: every field of every row for sm_60, the opcode space of \
                sm_52.",
    },
];

const PORTS: &[Operand] = &ports(&[bits("guard", 16, 4)]);

/// A set of the table.
const fn set(name: &'static str, title: &'static str, version: u16) -> Set {
    Set {
        name,
        title,
        version,
        unit: 8,
        lengths: Lengths::Table(&[(0, 0, 8)]),
        rows: ROWS,
        control: Some(CONTROL),
        ports: PORTS,
        dropped: &[".reuse"],
        synonyms: &[],
        notes: NOTES,
        open: OPEN,
        sources: SOURCES,
        built: Built::new(),
    }
}

/// Compute capability 5.0: no instructions for pairs of halves.
pub static SM50: Set = set("sm50", "NVIDIA compute capability 5.0", 50);
/// Compute capabilities 5.2 and 5.3.
pub static SM52: Set = set("sm52", "NVIDIA compute capability 5.2", 52);
/// Compute capabilities 6.0 to 6.2.
pub static SM60: Set = set("sm60", "NVIDIA compute capability 6.x", 60);
