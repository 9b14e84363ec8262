//! Blank circuits: [`Blank`] is what `Default` cannot be, since neither rust-hdl's `Constant` nor an array of a
//! generic length has a default. `#[derive(Blank)]` gives a block both.

use crate::bits::Bits;
use crate::cycle::Activity;
use crate::memory::{BlockRam, BlockRam3R, LutRam, LutRam2R};
use crate::signal::{Directed, Signal, DFF};
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

impl Blank for Activity {
    fn blank() -> Self {
        Activity::default()
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

impl<const A: usize, D: Synth> Blank for LutRam<A, D> {
    fn blank() -> Self {
        LutRam::default()
    }
}

impl<const A: usize, D: Synth> Blank for LutRam2R<A, D> {
    fn blank() -> Self {
        LutRam2R::default()
    }
}

/// All the words that A bits reach.
impl<const A: usize, const D: usize, const E: usize> Blank for BlockRam<A, D, E> {
    fn blank() -> Self {
        BlockRam::new(1 << A, Vec::<Bits<D>>::new())
    }
}

/// All the words that A bits reach.
impl<const A: usize, const D: usize, const E: usize> Blank for BlockRam3R<A, D, E> {
    fn blank() -> Self {
        BlockRam3R::new(1 << A)
    }
}
