//! The boundary to C: the only place with unsafe code. Behind it everything is safe Rust.

pub mod callback;
pub mod calls;
pub mod creations;
pub mod entry;
pub mod pointer;
pub mod refuse;
pub mod signal;
pub mod table;
