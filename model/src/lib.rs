//! The golden model of an SM 1.0 GPU: warps, blocks, divergence, memories, one warp instruction at a time, no clock.
//!
//! It says what a program does, so that the circuits can be compared with it instruction by instruction; it is written
//! from the machine's contract (`docs/machine.md`) and never from a circuit. What every engine shares is here too: what is
//! launched ([`Launch`], [`Configuration`]), how a kernel goes wrong ([`KernelError`]) and the record of an executed
//! instruction ([`Retire`]).
//!
//! ```
//! use flexgrip_model::{Configuration, Launch, Machine};
//!
//! // MVI R1, 0x2a; RET
//! let program = vec![0x102a_8005, 0x0000_0003, 0x3000_0003, 0x0000_0780];
//! let launch = Launch { program, block: [32, 1, 1], registers: 8, ..Launch::default() };
//! let mut machine = Machine::new(launch, Configuration::default())?;
//! let outcome = machine.run(1000)?;
//! assert_eq!(outcome.warp_instructions, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod barrier;
mod block;
mod error;
mod execute;
mod float;
mod launch;
mod machine;
mod memory;
mod program;
mod retire;
mod stack;
mod warp;

pub use barrier::{Barrier, BarrierEffect, BARRIERS};
pub use block::Block;
pub use error::{ErrorKind, KernelError};
pub use launch::{
    Configuration, ImageSpace, Launch, LaunchError, MemoryImage, MAX_BLOCK_THREADS, MAX_GRID, MAX_PARAMETERS,
    MAX_PROGRAM_WORDS, MAX_REGISTERS, SHARED_GRANULE, WARP_THREADS,
};
pub use machine::{InTurns, Machine, Outcome};
pub use memory::{
    AccessFault, ConstantMemory, Memory, CONSTANT_BANKS, CONSTANT_BANK_BYTES, GLOBAL_BYTES, PARAMETERS_AT,
};
pub use retire::{
    AddressWrite, CcWrite, FieldDifference, MemoryEffect, MemorySpace, Next, Part, Placement, RegisterWrite, Retire,
};
pub use stack::{DivergenceStack, Entry, EntryKind, Gone, Overflow, Resume, StackOperation, Underflow, DEPTH};
pub use warp::{Waiting, Warp};

/// The instruction's text, or what is wrong with it.
fn disassembly(word: u64) -> String {
    match flexgrip_isa::decode(word) {
        Ok(instruction) => instruction.to_string(),
        Err(error) => format!("({error})"),
    }
}
