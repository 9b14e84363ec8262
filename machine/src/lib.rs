//! The machine's contract: everything that the golden model, the circuits, the engines, the test benches, the boards
//! and a compiler must agree on, stated once. It has only data and types. The prose is `docs/machine.md`.
//!
//! | what | where |
//! |---|---|
//! | sizes of a machine and its parts | [`sizes`] |
//! | a launch, and the reasons for refusing it | [`Launch`], [`Configuration`] |
//! | kernel errors | [`ErrorKind`], [`KernelError`] |
//! | the effects of an executed instruction | [`Retire`] |
//! | the host's registers, windows and counters | [`host_map`] |
//! | the events on the circuits' trace ports | [`trace`] |

#![warn(missing_docs)]

use flexgrip_isa::DecodeError;

mod barrier;
mod divergence;
mod error;
pub mod host_map;
mod launch;
mod region;
mod retire;
pub mod sizes;
pub mod trace;
mod watch;

pub use barrier::BarrierEffect;
pub use divergence::{Entry, EntryKind, StackOperation};
pub use error::{code, ErrorKind, KernelError};
pub use launch::{Configuration, ImageSpace, Launch, LaunchError, MemoryImage};
pub use region::{Fence, LaunchFacts, Region, RegionKind, WorkItems};
pub use retire::{
    AddressWrite, CcWrite, FieldDifference, MemoryEffect, MemorySpace, Next, Placement, RegisterPart, RegisterWrite,
    Retire,
};
pub use watch::{WarpPlace, Watch, Watched};

pub use flexgrip_isa::{Capability, UnknownCapability};

/// The text of an instruction that could not be executed. If `illegal`, the machine does not have the instruction, and
/// the text includes the reason.
///
/// The capability of the machine is not known here. An instruction that 1.0 does not have is decoded at the first
/// capability that has it. If 1.0 executes an illegal word, a later capability refused it.
fn disassembly(word: u64, illegal: bool) -> String {
    let last = Capability::V1_3;
    match flexgrip_isa::decode(word) {
        Ok(instruction) if illegal && instruction.executed() => match flexgrip_isa::decode_at(word, last) {
            Ok(instruction) => instruction.to_string(),
            Err(error) => format!("({error})"),
        },
        Ok(instruction) => instruction.to_string(),
        Err(error @ DecodeError::Later { since, .. }) => match flexgrip_isa::decode_at(word, since) {
            Ok(instruction) if illegal && instruction.executed() => format!("{instruction} ({error})"),
            Ok(instruction) => instruction.to_string(),
            Err(error) => format!("({error})"),
        },
        Err(error) => format!("({error})"),
    }
}
