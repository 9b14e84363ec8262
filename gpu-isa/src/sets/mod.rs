//! The tables.

pub mod fermi;
pub mod kepler;
