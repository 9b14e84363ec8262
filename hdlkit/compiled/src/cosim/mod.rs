//! Block co-simulation: a circuit run natively against its own exported Verilog in another simulator.
//!
//! What runs on the cycle engine and what goes to synthesis come from one kernel by two ways; [`cosim`] holds them
//! together. The block runs natively first, under a stimulus, and all its inputs and outputs are recorded; its machine code
//! (see the crate's page) runs beside it and is compared at once; a generated test bench then plays the inputs to
//! the Verilog and compares every output in every cycle.
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

pub use report::{CosimError, CosimReport, Difference, Simulator};
pub use run::{cosim, cosim_in};
// What a stimulus is called with.
pub use rand::{Rng, SeedableRng};
pub use rand_chacha::ChaCha8Rng;
