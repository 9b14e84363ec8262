//! Blank circuits: [`Blank`] replaces `Default`, which neither rust-hdl's `Constant` nor an array of generic length
//! has. `#[derive(Blank)]` gives a block both.

use super::signal::{Directed, Signal, DFF};
use rust_hdl_core::prelude::{Constant, Synth};

/// A circuit with all signals, registers and constants zero.
pub trait Blank {
    /// The blank circuit.
    fn blank() -> Self;
}

impl<D: Directed, T: Synth> Blank for Signal<D, T> {
    fn blank() -> Self {
        Signal::default()
    }
}

impl<T: Synth> Blank for Constant<T> {
    fn blank() -> Self {
        Constant::new(T::default())
    }
}

impl<T: Synth> Blank for DFF<T> {
    fn blank() -> Self {
        DFF::default()
    }
}

impl<T: Blank, const N: usize> Blank for [T; N] {
    fn blank() -> Self {
        std::array::from_fn(|_| T::blank())
    }
}

impl<T> Blank for Vec<T> {
    fn blank() -> Self {
        Vec::new()
    }
}
