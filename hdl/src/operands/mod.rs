//! From issue to the lanes: registers, conditions, and per-thread operands.

pub mod operand_collector;
pub mod predicate_file;
pub mod read;
pub mod register_file;
