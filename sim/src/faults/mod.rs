//! Faults in the circuits, from flipped or stuck bits, and faults in instructions, on the golden model
//! ([`instruction`]).
//!
//! [`FaultBench`](bench::FaultBench) has a kernel on the circuits and its golden run. `pass` simulates many faults at
//! once, each as its differences from the golden run, on the graph of the circuits
//! ([`Concurrent`](hdlkit_compiled::Concurrent)) and in global memory (`memory`). Faults that spread continue as whole
//! machines, in machine code. [`verdict`] compares the end of a run with the golden run; `first` finds the first
//! instruction that a fault has reached; [`inject`] finds bits by name. [`pruning`] finds flips that need no
//! simulation, and classes of equivalent flips. [`verilog`] injects flips into the exported
//! Verilog, with Verilator. [`campaign`] runs the faults of a folder on several threads;
//! [`replay`](mod@replay) runs a single fault again. [`gates`] records the ports of a unit, for faults of its gates.
//! [`grade`](mod@grade) uses both to grade a kernel as a self-test of a unit, and [`compact`](mod@compact) shortens the
//! kernel. The parts that need no machine, such as lists, results, statistics and reports, are in the crate
//! `flexgrip-faults`.

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
pub mod verilog;
pub mod writers;
