//! Execution traces: the circuits' events, assembled into records, and records as timelines.
//!
//! Start reading at [`flexgrip_machine::trace`]: the circuits' events for each instruction. An [`assembler`] per SM
//! assembles them into [`Retire`](flexgrip_machine::Retire) records with their [`times`]; [`records`] are the records
//! of a machine, and a [`timeline`] is a file made of them. This crate is independent of the engine that runs the
//! machine.
//!
//! This is a crate of its own because it runs once for each instruction, next to fast engines: it is optimised even in
//! builds in which the rest of the simulator is not.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod assembler;
pub mod coalescing;
pub mod error;
pub mod extension;
mod in_flight;
pub mod records;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod times;
