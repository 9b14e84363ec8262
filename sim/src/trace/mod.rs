//! Observing a machine while it runs: events, the records assembled from them, and their comparison.
//!
//! Start reading at [`flexgrip_machine::trace`]: the circuits' events for each instruction. An [`assembler`] per SM
//! assembles them into [`Retire`](flexgrip_machine::Retire) records; [`records`] are those of a machine, and
//! [`lockstep`] checks them against the golden model. What runs the machine is not known here; see
//! [`engines`](crate::engines).

pub mod assembler;
pub mod ending;
pub mod error;
mod in_flight;
pub mod lockstep;
pub mod records;
#[cfg(test)]
mod tests;
pub mod times;
