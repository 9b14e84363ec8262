//! Faults in the circuits, what a bit that flips or is stuck does to a run; and in instructions, on the golden model
//! ([`instruction`]).
//!
//! [`FaultBench`](bench::FaultBench) has a kernel on the circuits and its golden run. `pass` simulates many faults at once,
//! each as what differs from the golden run, on the circuits' graph ([`Concurrent`](hdlkit_compiled::Concurrent)) and in
//! global memory (`memory`); those that spread go on as whole machines, as machine code. [`verdict`] compares the end with
//! the golden run's; `first` finds the instruction that a fault has reached first; [`inject`] finds the bits by name.
//! [`pruning`] finds flips that need no simulation, and those that do the same.
//! [`campaign`] runs those of a folder on several threads; [`replay`](mod@replay) runs one of them again.
//! [`gates`] records what happens at the ports of a unit, for the faults of its gates.
//! [`grade`](mod@grade) uses both to grade a kernel as a self-test of a unit, and [`compact`](mod@compact)
//! makes it shorter.
//! What does not need a machine, as lists, results, statistics and reports, is in the crate `flexgrip-faults`.

pub mod bench;
pub mod campaign;
pub mod compact;
mod first;
pub mod gates;
pub mod grade;
pub mod inject;
pub mod instruction;
mod memory;
mod pass;
pub mod pruning;
pub mod records;
pub mod replay;
pub mod verdict;
