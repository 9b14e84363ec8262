//! What a machine does while it runs: the circuits' events, put together to records, and records as timelines.
//!
//! Start reading at [`flexgrip_machine::trace`]: the circuits' events for each instruction. An [`assembler`] per SM
//! assembles them into [`Retire`](flexgrip_machine::Retire) records with their [`times`]; [`records`] are those of a
//! machine, and a [`timeline`] is a file made of them. What runs the machine is not known here.
//!
//! This is a crate of its own because it runs once for each instruction, beside engines that are fast: it is optimised even
//! where the rest of the simulator is not.

pub mod assembler;
pub mod error;
pub mod extension;
mod in_flight;
pub mod records;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod times;
