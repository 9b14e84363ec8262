//! Faults in the circuits: flipped, stuck and delayed bits.
//!
//! [`FaultBench`](bench::FaultBench) has a kernel on the circuits and its golden run. `pass` simulates many faults at
//! once, each as its differences from the golden run, on the graph of the circuits
//! ([`Concurrent`](hdlkit_compiled::Concurrent)) and in global memory (`memory`). Faults that spread continue as whole
//! machines, in machine code. `first` finds the first instruction that a fault has reached; [`sites`](mod@sites) names
//! the bits, and [`injection`] finds the bits of a fault. [`memory_uses`] records when the golden run reads and writes
//! its memories; `pruning` finds flips that need no simulation, and classes of equivalent flips. [`replay`](mod@replay)
//! runs a single fault again.

pub mod bench;
mod first;
pub mod injection;
mod memory;
pub mod memory_uses;
mod pass;
pub(super) mod pruning;
pub mod replay;
pub mod sites;
