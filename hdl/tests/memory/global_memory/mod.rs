//! Compares the global memory unit with a model that executes accesses in order, lane by lane: every request, the
//! memory's final contents, every load's data, the credits and the errors. Also tests the unit's speed, and compares
//! the native circuit with its Verilog.

mod bench;
mod errors;
mod model;
mod random;
mod speed;
mod verilog;
