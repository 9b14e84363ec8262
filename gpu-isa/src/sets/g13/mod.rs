//! Apple G13: all instructions that applegpu knows, supplemented from Mesa.
//!
//! A field that the sources give in two parts (`Dx:D`) is one field here. `_` is an operand with undefined flags; its
//! bits are printed as unread bits. Each row also has its text in applegpu's notation, for the assembler.
//!
//! - [`lengths`]: the length of an instruction.
//! - [`operands`], [`places`], [`registers`]: operands of arithmetic and of memory instructions, special registers.
//! - [`integer`], [`float`], [`flow`], [`simd`], [`memory`], [`texture`], [`fragment`]: the rows.

mod float;
mod flow;
mod fragment;
mod integer;
mod lengths;
mod memory;
mod operands;
mod places;
mod registers;
mod simd;
mod texture;

use crate::index::Built;
use crate::set::*;

/// The value of an operand: six bits, and two more significant bits elsewhere in the word.
const fn value(low: u8, x: u8) -> Field {
    bits("value", low, 6).and(x, 2)
}

const PORTS: &[Operand] = &[
    operand("d", &["D"], &[value(9, 28), value(9, 44), value(9, 60), value(9, 76)]),
    operand("d_type", &["Dt"], &[bits("type", 7, 2), bits("type", 7, 1)]).cases(),
    operand("a", &["A"], &[value(16, 42), value(16, 58), value(16, 74)]),
    operand("a_type", &[], &[bits("type", 22, 4), bits("type", 22, 3)]).cases(),
    operand("b", &["B", "src"], &[value(28, 40), value(28, 56), value(28, 72)]),
    operand("b_type", &[], &[bits("type", 34, 4), bits("type", 34, 3)]).cases(),
    operand("c", &["C"], &[value(40, 54)]),
    operand("c_type", &[], &[bits("type", 46, 4), bits("type", 46, 3)]).cases(),
    operand("x", &["X"], &[value(40, 70)]),
    operand("y", &["Y"], &[value(52, 68)]),
    // Registers of loads, stores, textures and tiles. Fields for only pairs or only 32-bit registers have one bit less.
    operand(
        "r",
        &["R", "r", "reg32"],
        &[
            value(9, 56),
            value(9, 60),
            value(9, 72),
            value(10, 40),
            bits("register", 11, 5).and(40, 2),
            bits("register", 10, 5).and(24, 2),
            bits("register", 9, 7),
        ],
    ),
    operand("mask", &["mask"], &[]),
    operand("format", &["F"], &[]),
    operand("base", &["A"], &[bits("pair", 17, 3).and(36, 4)]),
    operand(
        "index",
        &["O"],
        &[
            bits("index", 20, 4).and(32, 4).and(56, 8),
            bits("index", 28, 6).and(48, 10),
        ],
    ),
    operand("texture", &["T"], &[value(32, 62), value(32, 78)]),
    operand("sampler", &["S"], &[value(56, 92)]),
    operand("coordinates", &["C"], &[value(16, 58), value(16, 74)]),
    operand("number", &["imm16", "imm32", "imm", "SR", "off", "v"], &[]),
];

/// Apple G13.
pub static G13: Set = Set {
    name: "g13",
    title: "Apple G13",
    version: 0,
    unit: 2,
    lengths: Lengths::Forms(lengths::LENGTHS),
    rows: &[
        integer::ROWS,
        float::ROWS,
        flow::CONTROL_ROWS,
        flow::MASK_ROWS,
        flow::SELECT_ROWS,
        simd::SHUFFLES,
        simd::REDUCTIONS,
        memory::ROWS,
        memory::WAIT_ROWS,
        texture::ROWS,
        fragment::ROWS,
    ],
    control: None,
    ports: PORTS,
    dropped: &[],
    notes: &[
        "An instruction has 2 to 12 bytes. Many have a long form, with a bit L that is 1, and a short form that omits the \
         last two or four bytes, which read as 0. `.long` after the mnemonic marks a long form that could be short.",
        "The first six bytes determine the length: L is bit 15, for loads and stores of device memory and the stack \
         bit 47, and for shuffles bit 27.",
        "`$` before a register is the cache hint, `^` the discard hint; `.sx` extends the sign, `.abs` and `.neg` are the \
         absolute value and the negative. `l` and `h` are the halves of a register, `dr` and `du` a pair of registers or \
         uniforms; several registers are joined by `_`.",
        "An index register of an address has `.sx` if it is sign-extended, an immediate `.zx` if it is zero-extended; \
         a group of loads is `a` or `b`; `_` is a discarded result.",
        "The mask stack instructions read and write r0l, which the text omits; `, cache` is its cache hint.",
        "A target is an offset from the instruction's own address.",
        "applegpu's notation is accepted, too: `fmul32.sat r1.cache, r2.discard, 0.5`, `r0_r1` for a pair, `pc+284` for a \
         target. It does not mark long forms: the assembler uses the short form if possible. `mov` with an immediate \
         is mov_imm here and a bitop in applegpu: the assembler uses mov_imm.",
        "After a halfword of unknown length, a listing marks lines as unsure up to a branch target or `stop`, and \
         shows branches among them as data.",
    ],
    synonyms: &[],
    open: &[
        "Of 65,536 first halfwords 29,977 have a known length. Some are guesses from neighbouring codes.",
        "Unknown are the effects of iunop, funop, simd_op, simd_shuf_op and of rows named unk or with a number, \
         unnamed modes of convert and rounding, and formats 9 and 11.",
        "Unnamed bits that real code always sets are not printed; differences from them are, as ?0x....",
        "applegpu and Mesa differ in the coherency of memory accesses, in two levels of detail, in sparse and \
         read-write images, in explicit coordinates of tiles and in names of special registers: this table follows \
         Mesa. They differ in the conditions of fcmp_ballot: this table follows applegpu.",
        "applegpu distinguishes matrix products from shuffles by bit 63, which is beyond a shuffle's six bytes; this \
         table uses bit 27.",
    ],
    sources: &[
        Source {
            name: "applegpu, applegpu.py (BSD-3-Clause)",
            about: "opcode bits, field positions and operands of all rows",
        },
        Source {
            name: "Apple G13 GPU Architecture Reference (applegpu, docs.html)",
            about: "effects of most arithmetic instructions",
        },
        Source {
            name: "Mesa, src/asahi/isa (MIT)",
            about: "names, operands and fields of memory, texture and fragment instructions; test words",
        },
    ],
    built: Built::new(),
};
