//! The tables.

pub mod kepler;
