//! The golden model of an SM 1.0 GPU, with the instructions of compute capabilities 1.1 to 1.3 on request: warps,
//! blocks, divergence, memories, one warp instruction at a time, without a clock.
//!
//! It is the reference for the effect of a program: the circuits are compared with it instruction by instruction. It is
//! written from the machine's contract (`docs/machine.md`, [`flexgrip_machine`]) and never from a circuit.
//!
//! ```
//! use flexgrip_machine::{Configuration, Launch};
//! use flexgrip_model::Machine;
//!
//! // MVI R1, 0x2a; RET
//! let program = vec![0x102a_8005, 0x0000_0003, 0x3000_0003, 0x0000_0780];
//! let launch = Launch { program, block: [32, 1, 1], registers: 8, ..Launch::default() };
//! let mut machine = Machine::new(launch, Configuration::default())?;
//! let outcome = machine.run(1000)?;
//! assert_eq!(outcome.warp_instructions, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs, clippy::unwrap_used)]

mod barrier;
mod block;
pub mod check;
mod execute;
mod inject;
mod lanes;
mod locks;
mod machine;
mod memory;
mod program;
mod stack;
mod warp;

pub use barrier::Barrier;
pub use block::Block;
pub use inject::{Decoded, Injector, Issue, Issued};
pub use lanes::lanes_of;
pub use locks::{Lock, Locks};
pub use machine::in_turns::InTurns;
pub use machine::stepped::Stepped;
pub use machine::{Machine, Outcome};
pub use memory::{differing_blocks, AccessFault, ConstantMemory, Memory};
pub use stack::{DivergenceStack, Gone, Overflow, Resume, Underflow};
pub use warp::{Waiting, Warp};
