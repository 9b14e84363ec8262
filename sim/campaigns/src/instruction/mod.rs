//! Faults in instructions, on the golden model: effects of errors at the level of the program.
//!
//! `code` contains the program's instructions as fault sites, with the facts that models need; `draw` draws random
//! samples; `injector` changes the instructions of a run; [`bench`] has the golden run with its snapshots, and judges
//! faulty runs.

pub mod bench;
mod code;
mod draw;
mod fault;
mod injector;
pub mod listed;
mod multiplied;
mod operations;
mod places;

pub use code::sites_of_launch;
