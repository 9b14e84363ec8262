//! A circuit's ports as 64-bit words: the interface between compiled code and Rust.

use super::signal::Signal;
use crate::bits::{Bits, WideBits};
use rust_hdl_core::prelude::{Bit, Clock, In, Out, Synth};

/// Port values that pass between compiled code and Rust, as 64-bit words, lowest first.
pub trait Words: Synth {
    /// The number of words of a value.
    const WORDS: usize;
    /// Decodes a value from its words.
    fn from_words(words: &[u64]) -> Self;
    /// Encodes a value to its words.
    fn to_words(self, words: &mut [u64]);
}

impl Words for Bit {
    const WORDS: usize = 1;
    #[inline(always)]
    fn from_words(words: &[u64]) -> Self {
        words[0] != 0
    }
    #[inline(always)]
    fn to_words(self, words: &mut [u64]) {
        words[0] = self.into();
    }
}

impl Words for Clock {
    const WORDS: usize = 1;
    fn from_words(_words: &[u64]) -> Self {
        Clock::default()
    }
    fn to_words(self, words: &mut [u64]) {
        words[0] = 0;
    }
}

impl<const N: usize> Words for Bits<N> {
    const WORDS: usize = 1;
    #[inline(always)]
    fn from_words(words: &[u64]) -> Self {
        Bits::new(words[0])
    }
    #[inline(always)]
    fn to_words(self, words: &mut [u64]) {
        words[0] = self.raw();
    }
}

impl<const N: usize> Words for WideBits<N> {
    const WORDS: usize = if N > 64 { 2 } else { 1 };
    #[inline(always)]
    fn from_words(words: &[u64]) -> Self {
        let high = words.get(1).copied().unwrap_or(0);
        WideBits::from_wide(u128::from(high) << 64 | u128::from(words[0]))
    }
    #[inline(always)]
    fn to_words(self, words: &mut [u64]) {
        words[0] = self.raw();
        if N > 64 {
            words[1] = (self.wide() >> 64) as u64;
        }
    }
}

/// The ports of a block as words, in the order of its fields. `#[derive(Ports)]` implements it for a block or
/// interface.
///
/// Every port has its position in `words`, for any direction that a method handles; each method removes its part from
/// the front.
pub trait Ports {
    /// Sets the inputs.
    fn set_inputs(&mut self, words: &mut &[u64]);
    /// Reads back the inputs.
    fn inputs(&self, words: &mut &mut [u64]);
    /// Sets the outputs, for a block that only displays values computed elsewhere.
    fn set_outputs(&mut self, words: &mut &[u64]);
    /// Reads the outputs.
    fn outputs(&self, words: &mut &mut [u64]);
}

/// Removes the first `count` words from the front.
#[inline(always)]
fn skip<'a>(words: &mut &'a [u64], count: usize) -> &'a [u64] {
    let (first, rest) = words.split_at(count);
    *words = rest;
    first
}

/// Like [`skip`], for writing.
#[inline(always)]
fn skip_mut<'a>(words: &mut &'a mut [u64], count: usize) -> &'a mut [u64] {
    let (first, rest) = std::mem::take(words).split_at_mut(count);
    *words = rest;
    first
}

impl<T: Words> Ports for Signal<In, T> {
    #[inline(always)]
    fn set_inputs(&mut self, words: &mut &[u64]) {
        self.next = T::from_words(skip(words, T::WORDS));
    }
    #[inline(always)]
    fn inputs(&self, words: &mut &mut [u64]) {
        self.next.to_words(skip_mut(words, T::WORDS));
    }
    #[inline(always)]
    fn set_outputs(&mut self, words: &mut &[u64]) {
        skip(words, T::WORDS);
    }
    #[inline(always)]
    fn outputs(&self, words: &mut &mut [u64]) {
        skip_mut(words, T::WORDS);
    }
}

impl<T: Words> Ports for Signal<Out, T> {
    #[inline(always)]
    fn set_inputs(&mut self, words: &mut &[u64]) {
        skip(words, T::WORDS);
    }
    #[inline(always)]
    fn inputs(&self, words: &mut &mut [u64]) {
        skip_mut(words, T::WORDS);
    }
    #[inline(always)]
    fn set_outputs(&mut self, words: &mut &[u64]) {
        self.next = T::from_words(skip(words, T::WORDS));
    }
    #[inline(always)]
    fn outputs(&self, words: &mut &mut [u64]) {
        self.next.to_words(skip_mut(words, T::WORDS));
    }
}

/// Implements [`Ports`] for a list, as the ports of its elements in order.
macro_rules! ports_of_elements {
    ([$($generics:tt)*] $list:ty) => {
        impl<$($generics)*> Ports for $list {
            #[inline(always)]
            fn set_inputs(&mut self, words: &mut &[u64]) {
                self.iter_mut().for_each(|port| port.set_inputs(words));
            }
            #[inline(always)]
            fn inputs(&self, words: &mut &mut [u64]) {
                self.iter().for_each(|port| port.inputs(words));
            }
            #[inline(always)]
            fn set_outputs(&mut self, words: &mut &[u64]) {
                self.iter_mut().for_each(|port| port.set_outputs(words));
            }
            #[inline(always)]
            fn outputs(&self, words: &mut &mut [u64]) {
                self.iter().for_each(|port| port.outputs(words));
            }
        }
    };
}

ports_of_elements!([T: Ports, const N: usize] [T; N]);
ports_of_elements!([T: Ports] Vec<T>);
