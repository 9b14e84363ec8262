//! Operand fetch: register file, predicate file, operand collector and read stage.

pub mod operand_collector;
pub mod predicate_file;
pub mod read;
pub mod register_file;
