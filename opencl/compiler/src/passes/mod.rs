//! Passes over the intermediate representation.

pub mod addresses;
pub mod atomics;
pub mod copies;
pub mod fold;
pub mod fused;
pub mod returns;
pub mod simplify;
pub mod sink;
pub mod spaces;
pub mod structure;
pub mod thread;
