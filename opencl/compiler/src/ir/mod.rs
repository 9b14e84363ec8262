//! The intermediate representation: a control-flow graph over virtual registers.

pub mod build;
mod builder;
mod calls;
pub mod declaration;
mod entry;
pub mod print;
mod print_call;
mod printf;
mod scope;
mod translate;
pub mod types;
pub mod variables;
pub mod verify;

pub use declaration::ParameterKind;
pub use types::*;
