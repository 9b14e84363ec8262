//! Buffers and their rectangular regions.

mod buffers;
mod regions;
