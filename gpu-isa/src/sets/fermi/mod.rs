//! NVIDIA compute capabilities 2.x (`sm20`) and 3.0 (`sm30`): one table.
//!
//! Words of 64 bits; bits 2..0 are the unit. 2.x also has instructions of 32 bits, with bit 3 set. 3.0 has a control
//! word before every seven instructions. Rows of only one of the two are marked.

// Tables are formatted by hand, with one or a few lines for each instruction form.
#[rustfmt::skip]
mod control;
#[rustfmt::skip]
mod float;
#[rustfmt::skip]
mod integer;
#[rustfmt::skip]
mod memory;
#[rustfmt::skip]
mod moves;
#[rustfmt::skip]
mod parts;
#[rustfmt::skip]
mod short;
#[rustfmt::skip]
mod video;

use super::nvidia::{issue_of_seven, ports};
use crate::index::Built;
use crate::set::{bits, row, Control, Lengths, Operand, Row, Set, Source};

/// A control word of 3.0: a byte of scheduling for each of the seven instructions after it.
const CONTROL: &[Row] = &[row(
    ".control",
    0xf000_0000_0000_000f,
    0x2000_0000_0000_0007,
    8,
    &issue_of_seven(4),
)
.about("Issue control of the next seven instructions")
.source("section 6; gf100 c 2000")];

const ROWS: &[&[Row]] = &[
    float::ROWS,
    integer::ROWS,
    moves::ROWS,
    video::ROWS,
    memory::MEMORY,
    memory::TEXTURES,
    control::ROWS,
    short::ROWS,
];

const OPEN: &[&str] = &[
    "The document has forms but no bit patterns; none of the vendor's listings has video, surface or attribute \
     instructions.",
    "The vendor's notation changed between versions; the names here are from its later disassemblers.",
    "A minus on the immediate of VADD and similar instructions is shown as an unread bit.",
    "The units of the offsets of LD_LDU and of the short memory instructions are not known.",
];

const SOURCES: &[Source] = &[
    Source {
        name: "appendix, compute capability 2.x/3.0",
        about: "89 forms: mnemonics and operands, no bit patterns",
    },
    Source {
        name: "nv.facts.gf100.json",
        about: "opcode masks, field positions and value names of envytools (MIT); `gf100 m 5000` names the row of \
            table m whose value begins with 5000",
    },
    Source {
        name: "corpus sm20_asfermi_opcodes.tsv",
        about: "a word of each of 70 instructions; bit 58 of DADD is set there and not in the vendor's words",
    },
    Source {
        name: "corpus sm30_listing.tsv",
        about: "words of three kernels with the vendor's text",
    },
];

/// The operands on the ports of a decoder circuit.
const PORTS: &[Operand] = &ports(&[bits("guard", 10, 4)]);

/// The instruction set of compute capability 2.x.
pub static SM20: Set = Set {
    name: "sm20",
    title: "NVIDIA compute capability 2.0 and 2.1",
    version: 20,
    unit: 4,
    lengths: Lengths::Table(&[(8, 8, 4), (0, 0, 8)]),
    rows: ROWS,
    control: None,
    ports: PORTS,
    dropped: &[],
    synonyms: &[],
    notes: &[
        "Bits 2..0 are the unit: 0 single, 1 double, 2 32-bit immediates, 3 integer, 4 moves, 5 memory, 6 texture, 7 flow control.",
        "Bit 3 makes an instruction of 4 bytes. The vendor's notation for these is unknown; `.SHORT` distinguishes \
         them from the long ones.",
    ],
    open: OPEN,
    sources: SOURCES,
    built: Built::new(),
};

/// The instruction set of compute capability 3.0.
pub static SM30: Set = Set {
    name: "sm30",
    title: "NVIDIA compute capability 3.0",
    version: 30,
    unit: 8,
    lengths: Lengths::Table(&[(0, 0, 8)]),
    rows: ROWS,
    control: Some(Control {
        period: 64,
        slots: &[],
        rows: CONTROL,
    }),
    ports: PORTS,
    dropped: &[],
    synonyms: &[],
    notes: &[
        "Bits 2..0 are the unit: 0 single, 1 double, 2 32-bit immediates, 3 integer, 4 moves, 5 memory, 6 texture, 7 flow control.",
        "The first 8 of each 64 bytes are a control word for the issue of each of the next seven instructions.",
    ],
    open: OPEN,
    sources: SOURCES,
    built: Built::new(),
};
