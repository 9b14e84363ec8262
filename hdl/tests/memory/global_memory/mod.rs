//! The global memory unit against a model that executes accesses in order, lane by lane: every request, the memory's
//! final contents, every load's data, the credits, the errors; the unit's speed; and the native circuit against its
//! Verilog.

mod bench;
mod errors;
mod model;
mod random;
mod speed;
mod verilog;
