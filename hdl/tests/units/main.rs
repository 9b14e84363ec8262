//! Compares the parts of an SM with their specifications: lanes, special functions, fetch, barriers and operands. Also
//! tests the decoders of other instruction sets.

mod barrier;
mod credits;
mod double;
mod double_queue;
mod execute;
mod fetch;
mod float;
mod integer;
mod operand_collector;
mod special_function;
