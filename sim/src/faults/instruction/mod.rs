//! Faults in instructions, on the golden model: what an error at the level of the program does to a run.
//!
//! `code` has the program's instructions with everything that models need of them, which are the sites of faults; `draw`
//! makes random samples; `injector` changes the instructions of a run; [`bench`] has the golden run with its snapshots, and
//! judges faulty runs.

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
