//! The circuits as any host sees them: their sizes, and the writes that launch a kernel.

pub mod host;
pub mod sizes;
