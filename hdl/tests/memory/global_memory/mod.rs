//! The global memory unit against a model that works lane by lane, in order: every request, the memory's final
//! contents, every load's data, the credits, the errors; its speed; and the native circuit against its Verilog.

mod bench;
mod errors;
mod model;
mod random;
mod speed;
mod verilog;
