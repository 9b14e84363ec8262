//! The C interface: the dispatch table and its functions. Only it and [`native`](crate::native) contain unsafe code.

pub mod calls;
pub mod creations;
pub mod entry;
pub mod images;
pub mod refuse;
pub mod table;
