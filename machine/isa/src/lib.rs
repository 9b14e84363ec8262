//! SM 1.x machine code (NVIDIA G80 to GT200) as **declarative tables**, [`table::ROWS`] and [`table::LATER_ROWS`], and
//! everything derived from them:
//!
//! - [`decode`] and [`encode`]: instruction words to typed [`Instruction`]s and back; [`Instruction::build`]: a
//!   [`Meaning`] to its instruction;
//! - the disassembler: an [`Instruction`]'s `Display` in the style of the vendor's tool, and [`listing`];
//! - the assembler: [`parse_instruction`] for one instruction, [`assemble`] for a [`Program`];
//! - [`cubin`]: reads and writes compilers' files; [`mod@realign`]: moves code to 8-byte boundaries;
//! - [`explain`]: a word bit by bit; [`Instruction::reads`] and [`Instruction::writes`]: its inputs and outputs;
//! - [`mod@reference`]: the book's page for every instruction; [`grammar`]: syntax colouring for editors; [`manual`]:
//!   the errors in the FlexGripPlus manual.
//!
//! ```
//! use flexgrip_isa::{assemble, decode, encode, Operation};
//!
//! let instruction = decode(0xc410_0780_3002_0009)?;
//! assert_eq!(instruction.to_string(), "SHL R2, R0, 0x2");
//! assert!(matches!(instruction.operation(), Operation::Shl { .. }));
//! assert_eq!(encode(&instruction), 0xc410_0780_3002_0009);
//! assert!(instruction.executed());
//!
//! let program = assemble("loop: IADD32I R0, R0, 1; BRA loop", "example").unwrap();
//! assert_eq!(program.words, [0x2001_8001, 3, 0x1000_0003, 0x780]);
//! # Ok::<(), flexgrip_isa::DecodeError>(())
//! ```
//!
//! Every function is total: no word and no text causes a panic.
//!
//! # Capabilities
//!
//! [`table::ROWS`] has the instructions of compute capability 1.0, and [`table::LATER_ROWS`] the instructions that 1.1,
//! 1.2 and 1.3 add. A function without a capability works for 1.0. Its twin, [`decode_at`] for [`decode`], takes a
//! [`Capability`].
//!
//! # For a decoder in hardware
//!
//! [`decode`] is defined bit by bit. [`Form::of`] derives the form from bits 1..0 and 33..32. Within its form a row is
//! selected by [`table::Pattern`] (mask and value); no word matches two. [`Row::fields`] are the only other bits that
//! matter, and [`Instruction::meaningful_bits`] the ones that matter in a particular word; its operation depends only
//! on [`Row::operation_bits`]. In a row that this core executes (`Row::execution`), these are the only reasons to
//! refuse a word:
//!
//! | rows | refused |
//! |---|---|
//! | all with a condition (every long one but NOP and PMTRIG; BRA, RET, BRK, KIL, BPT) | condition code 0x14..0x1b |
//! | long, with a result in a register (not GLD, GST, LLD, LST, NOP, PMTRIG, A2R, ADA, C2R, R2A, R2C, R2G, S2R) | bit 35 set and destination other than 0x7f |
//! | long IMAD, ISAD, FMAD, FSLCT | bits 23 and 24 both set |
//! | IADD32, IMUL32, IMAD32, FADD32, FMUL32, FMAD32 | bits 23 and 24 both set |
//! | long FADD | bits 17..16 1 or 2 |
//! | long FMUL | bits 47..46 1 or 2 |
//! | GLD, GST | bits 55..53 all set, bits 19..16 other than 14 |
//! | LLD, LST | bits 55..53 all set |
//! | S2R | bits 49..46 other than 0 to 2 and 4 to 7 |
//! | all, when source 1 is s[], l[] or $a, or source 2 or 3 is c[]; R2A, ADA | an address register past $a4 |
//! | R2G | bits 54 and 58 both set |
//!
//! An operand's address-register bits belong to s[] if a long instruction has s[] and c[]; with neither they are
//! ignored.
//!
//! This crate covers encodings, text and semantics. The arithmetic is in `flexgrip-arith`. The requests of the decode
//! circuit to each unit, and the generator of that circuit, are in `flexgrip-decode`.

#![warn(missing_docs, clippy::unwrap_used)]

mod build;
pub mod cubin;
mod effects;
mod instruction;
mod lookup;
mod operation;
pub mod realign;
pub mod reference;
mod row_parts;
mod semantics;
pub mod table;
mod text;

pub use build::BuildError;
pub use effects::Resource;
pub use instruction::{decode, decode_at, decode_first, encode, DecodeError, Instruction, Meaning};
pub use operation::*;
pub use reference::explain::{explain, explain_at};
pub use semantics::Lanes;
pub use table::field::{Field, Kind};
pub use table::{ignored, manual, Capability, Execution, Form, Row, Unit, UnknownCapability};
pub use text::assembler::{
    assemble, assemble_at, parse_instruction, parse_instruction_at, ConstantBlock, Diagnostic, KernelEntry, Program,
    FILLER,
};
pub use text::bytes::{text_of_bytes, NotText};
pub use text::grammar;
pub use text::print::{instructions, instructions_at, listing, listing_at, needed_capability, Listed, Style};
pub use text::suggestions::nearest;
