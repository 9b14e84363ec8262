//! Compares every circuit with its own Verilog under random stimulus: outputs must be equal in every cycle.
//!
//! Other tests check a block's function; here the block and its Verilog must only agree. The lanes' units are compared
//! in their own tests: `units/integer.rs`, `units/float.rs`, `units/special_function.rs`.

mod chip;
mod control;
mod execute;
mod issue;
mod memory;
mod operands;
mod stimulus;
