//! The parts of an SM against their specifications: lanes, special functions, fetch, barriers, operands; and the
//! decoders of other instruction sets.

mod barrier;
mod credits;
mod execute;
mod fetch;
mod float;
mod integer;
mod operand_collector;
mod special_function;
