//! Decoders of other GPUs' instruction sets, from the tables of `flexgrip-gpu-isa`.
//!
//! [`decode`] is the circuit for all sets; [`sets`] gives each set's decoder its ports. SM 1.0, which this machine
//! executes, has a separate decoder in `issue/decode`.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod decode;
pub mod sets;
