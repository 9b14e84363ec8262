//! NVIDIA compute capability 3.5 and 3.7: `sm35`.
//!
//! Words of 64 bits; bits 1..0 are 0 for flow control and instructions with a 32-bit immediate, 1 for instructions with
//! a 20-bit immediate, 2 for the rest. The first of every eight words is a control word.

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
mod texture;
#[rustfmt::skip]
mod video;

use super::nvidia::{issue_of_seven, ports};
use crate::index::Built;
use crate::set::{bits, row, Control, Lengths, Operand, Row, Set, Source};

/// A control word: a byte of scheduling for each of the seven instructions after it.
const CONTROL: &[Row] = &[row(
    ".control",
    0xfc00_0000_0000_0003,
    0x0800_0000_0000_0000,
    8,
    &issue_of_seven(2),
)
.about("Issue control of the next seven instructions")
.source("section 5; gk110 c 0800")];

/// The operands on the ports of a decoder circuit.
const PORTS: &[Operand] = &ports(&[bits("guard", 18, 4)]);

/// The instruction set of compute capability 3.5 and 3.7.
pub static SM35: Set = Set {
    name: "sm35",
    title: "NVIDIA compute capability 3.5 and 3.7",
    version: 35,
    unit: 8,
    lengths: Lengths::Table(&[(0, 0, 8)]),
    rows: &[float::ROWS, integer::ROWS, moves::ROWS, control::ROWS, memory::ROWS, texture::ROWS, video::ROWS],
    control: Some(Control {
        period: 64,
        slots: &[],
        rows: CONTROL,
    }),
    ports: PORTS,
    dropped: &[],
    synonyms: &[],
    notes: &[
        "The first 8 of each 64 bytes are a control word for the issue of each of the next seven instructions.",
        "Bits 1..0 are 0 for flow control and 32-bit immediates, 1 for 20-bit immediates, 2 for all others.",
        "The second source of a form is a constant, a register or an immediate; with three sources the third can be \
         the constant.",
        "Fields are at the positions of 5.x plus three bits (two below bit 10); values without a word in the corpus \
         have the names of 5.x.",
    ],
    open: &[
        "LDG cannot be distinguished from a texture access of textures 0 to 7 at level zero without a second source.",
        "A minus on the immediate of VADD is not printed: its bit is shown as unread.",
        "Swizzles and registers of the video instructions on two lanes, and the comparison of VSET4, are unknown.",
        "One page of the document, about 55 rows between SSY and SHF, is missing.",
        "The document's patterns of FADD, FFMA, DMUL, I2I and ICMP with an immediate (lines 342, 352, 367, 405, 398) \
         have the immediate's sign set.",
        "Its patterns of FFMA, FSETP, DSETP, ISETP, ICMP and IMAD fix bits of rounding, comparison or type that its samples never varied.",
        "It has BFE with a constant, and ISUB; envytools has neither.",
    ],
    sources: &[
        Source {
            name: "appendix, compute capability 3.x",
            about: "mnemonics, forms, 103 bit patterns and 78 special registers; bits that never varied in the authors' samples count as opcode",
        },
        Source {
            name: "nv.facts.gk110.json",
            about: "opcode masks, field positions and value names of envytools (MIT); `gk110 m 22c0` names the row of \
                table m whose value begins with 22c0; it has the inversions of LOP with an immediate at a wrong \
                position, and lacks some rows",
        },
        Source {
            name: "corpus sm35_opcode_space.tsv",
            about: "the opcode space with the vendor's text: order and names of the modifiers",
        },
    ],
    built: Built::new(),
};
