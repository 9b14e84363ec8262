//! Every circuit against its own Verilog under random stimulus: outputs must be equal in every cycle.
//!
//! The other tests check a block's function; here it only has to compute the same in both worlds. The lanes' units are
//! compared in their own tests: `units/integer.rs`, `units/float.rs`, `units/special_function.rs`.

mod chip;
mod control;
mod execute;
mod issue;
mod memory;
mod operands;
mod stimulus;
