//! Block co-simulation: a circuit run natively against its own exported Verilog in another simulator.
//!
//! The cycle engine's code and the Verilog for synthesis are derived from one kernel in two ways; [`cosim`] checks that
//! they agree. The block first runs natively under a stimulus, and all its inputs and outputs are recorded; its machine
//! code (see the crate's page) runs in lockstep and is compared at once. A generated test bench then plays the inputs
//! to the Verilog and compares every output in every cycle.
//!
//! ```text
//! cycle     native                            Verilog
//!           stimulus sets inputs' `next`      inputs applied
//!           settle()                          #1
//!           inputs and outputs recorded       outputs compared (X is a difference)
//!           tick()                            posedge clock
//! ```

mod report;
mod run;
mod simulators;
mod test_bench;

pub use report::{CosimError, CosimReport, PortDifference, Simulator};
pub use run::{cosim, cosim_in};
// Types for stimuli.
pub use rand::{Rng, SeedableRng};
pub use rand_chacha::ChaCha8Rng;
