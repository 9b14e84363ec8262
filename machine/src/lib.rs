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

#![warn(missing_docs, clippy::unwrap_used)]

mod barrier;
mod divergence;
mod error;
pub mod host_map;
mod launch;
pub mod protect;
mod region;
mod retire;
pub mod sizes;
pub mod trace;
mod watch;

pub use barrier::BarrierEffect;
pub use divergence::{Entry, EntryKind, StackOperation};
pub use error::{code, ErrorKind, KernelError};
pub use launch::{Configuration, ImageSpace, Launch, LaunchError, MemoryImage};
pub use protect::{Protect, UnknownProtection};
pub use region::{Fence, LaunchFacts, Region, RegionKind, WorkItems};
pub use retire::{
    AddressWrite, CcWrite, FieldDifference, MemoryEffect, MemorySpace, Next, Placement, RegisterPart, RegisterWrite,
    Retire,
};
pub use watch::{WarpPlace, Watch, Watched};

pub use flexgrip_isa::{Capability, UnknownCapability};
