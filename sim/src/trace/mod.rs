//! What is read off a machine while it runs: events, the records that they make up, and how these compare.
//!
//! A reader starts at [`flexgrip_machine::trace`]: what the circuits tell of each instruction. An [`assembler`] for each SM puts an instruction's
//! parts together ([`Retire`](flexgrip_machine::Retire)), [`records`] are those of a machine, [`lockstep`] holds them against the
//! golden model. Nothing here knows what runs the machine; that is in [`engines`](crate::engines).

pub mod assembler;
pub mod ending;
pub mod error;
mod in_flight;
pub mod lockstep;
pub mod records;
#[cfg(test)]
mod tests;
