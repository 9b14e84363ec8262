//! Decoders of other GPUs' instruction sets, from the tables of `flexgrip-gpu-isa`.
//!
//! [`decode`] is the one circuit; [`sets`] gives each set's circuit its ports. SM 1.0 has a decoder of its own, in
//! `issue/decode`, because this machine executes it.

pub mod decode;
pub mod sets;
