//! Observing a machine while it runs: events, the records assembled from them, and their comparison.
//!
//! Start reading at [`flexgrip_machine::trace`]: the circuits' events for each instruction. An [`assembler`] per SM
//! puts an instruction's parts together into a [`Retire`](flexgrip_machine::Retire); [`records`] are those of a
//! machine, and [`lockstep`] checks them against the golden model. This module does not know what runs the machine; see
//! [`engines`](crate::engines).

pub mod assembler;
pub mod ending;
pub mod error;
mod in_flight;
pub mod lockstep;
pub mod records;
#[cfg(test)]
mod tests;
