//! The machine's contract: what the golden model, the circuits, the engines, the test benches, the boards and a compiler all
//! have to agree on, each said once. Data and types; nothing here runs anything. The prose is `docs/machine.md`.
//!
//! | what | where |
//! |---|---|
//! | how large a machine and its parts are | [`sizes`] |
//! | what is launched, and when that is refused | [`Launch`], [`Configuration`] |
//! | how a kernel goes wrong | [`ErrorKind`], [`KernelError`] |
//! | what an executed instruction did | [`Retire`] |
//! | the host's registers, windows and counters | [`host_map`] |
//! | what the circuits' trace ports tell | [`trace`] |

mod barrier;
mod divergence;
mod error;
pub mod host_map;
mod launch;
mod retire;
pub mod sizes;
pub mod trace;

pub use barrier::BarrierEffect;
pub use divergence::{Entry, EntryKind, StackOperation};
pub use error::{code, ErrorKind, KernelError};
pub use launch::{Configuration, ImageSpace, Launch, LaunchError, MemoryImage};
pub use retire::{
    AddressWrite, CcWrite, FieldDifference, MemoryEffect, MemorySpace, Next, Part, Placement, RegisterWrite, Retire,
};

/// The instruction's text, or what is wrong with it.
fn disassembly(word: u64) -> String {
    match flexgrip_isa::decode(word) {
        Ok(instruction) => instruction.to_string(),
        Err(error) => format!("({error})"),
    }
}
