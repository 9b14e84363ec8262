//! The intermediate representation: a control-flow graph over virtual registers.

mod atomic;
pub mod build;
mod builder;
mod calls;
pub mod declaration;
mod double;
mod entry;
mod expand;
mod instructions;
mod memory;
pub mod print;
mod print_call;
mod printf;
mod scope;
pub mod types;
pub mod variables;
pub mod verify;

pub use declaration::ParameterKind;
pub use types::*;
