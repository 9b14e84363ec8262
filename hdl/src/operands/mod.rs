//! From issue to the lanes: registers, conditions, and operands that each thread has for itself.

pub mod operand_collector;
pub mod predicate_file;
pub mod read;
pub mod register_file;
