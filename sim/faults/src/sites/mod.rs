//! Sites: the registers, memories, gates and instructions in which faults are injected.

pub mod list;
pub(crate) mod pattern;
pub mod site;

pub use list::{Count, Sites};
pub use site::{Kind, Site, Storage};
