//! What the compiler takes from Rust as it is: memories, and blocks whose Verilog is written by hand.

use crate::bits::{Bits, WideBits};
use crate::cycle::Cycle;
use crate::signal::Signal;
use rust_hdl_core::prelude::{Bit, Clock, In, Out, Synth, VCDValue};

/// Values that ports carry between compiled code and Rust, as words of 64 bits, the lowest first.
pub trait Words: Synth {
    /// Words of a value.
    const WORDS: usize;
    /// From its words.
    fn from_words(words: &[u64]) -> Self;
    /// To its words.
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

/// The ports of a block, in the order of its fields, as words. `#[derive(Ports)]` writes it for a block or interface.
///
/// Every port has its place in `words`, whichever direction a method is about; each takes its part off the front.
pub trait Ports {
    /// Sets the inputs.
    fn set_inputs(&mut self, words: &mut &[u64]);
    /// The inputs as they were set.
    fn inputs(&self, words: &mut &mut [u64]);
    /// Sets the outputs, for a block that only shows what was computed elsewhere.
    fn set_outputs(&mut self, words: &mut &[u64]);
    /// The outputs.
    fn outputs(&self, words: &mut &mut [u64]);
}

/// The first `count` words, which are then gone.
#[inline(always)]
fn skip<'a>(words: &mut &'a [u64], count: usize) -> &'a [u64] {
    let (first, rest) = words.split_at(count);
    *words = rest;
    first
}

/// As [`skip`], to write.
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

impl<T: Ports, const N: usize> Ports for [T; N] {
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

/// A block that compiled code calls.
pub trait Called {
    /// Takes the inputs from `words`, settles, and puts the outputs there.
    fn settle(&mut self, words: &mut [u64]);
    /// Takes the inputs and does the clock edge; if it changed something, true, and the outputs are those of the next
    /// cycle.
    fn tick(&mut self, words: &mut [u64]) -> bool;
    /// Puts the outputs as they are into `words`.
    fn outputs(&self, words: &mut [u64]);
}

impl<B: Cycle + Ports> Called for B {
    fn outputs(&self, words: &mut [u64]) {
        Ports::outputs(self, &mut &mut words[..]);
    }
    #[inline(always)]
    fn settle(&mut self, words: &mut [u64]) {
        self.set_inputs(&mut &words[..]);
        Cycle::settle(self);
        Ports::outputs(self, &mut &mut words[..]);
    }
    #[inline(always)]
    fn tick(&mut self, words: &mut [u64]) -> bool {
        self.set_inputs(&mut &words[..]);
        Cycle::settle(self);
        let changed = Cycle::tick(self);
        if changed {
            Cycle::settle(self);
            Ports::outputs(self, &mut &mut words[..]);
        }
        changed
    }
}

/// A leaf of the circuit that is not computed from a kernel.
pub struct Primitive(pub Kind);

pub enum Kind {
    /// A memory with these words.
    Memory(Vec<VCDValue>),
    /// A memory of plain words with registered read data: its words, and what each read port shows.
    Registered(Vec<u64>, Vec<u64>),
    Opaque(Box<dyn Called + Send>, Follows),
}

/// Which of a block's inputs its outputs follow within the cycle.
#[derive(Clone, Copy)]
pub enum Follows {
    /// All; there is no state.
    All,
    /// Those of these names; of an array its name.
    Only(&'static [&'static str]),
}

impl Primitive {
    /// A copy of `block`, with its state. `followed`: the inputs that outputs follow within the cycle; of an array its name.
    pub fn opaque<B: Cycle + Ports + Clone + Send + 'static>(
        block: &B,
        followed: &'static [&'static str],
    ) -> Primitive {
        Primitive(Kind::Opaque(Box::new(block.clone()), Follows::Only(followed)))
    }

    /// A copy of `block`, which has no state.
    pub fn combinational<B: Cycle + Ports + Clone + Send + 'static>(block: &B) -> Primitive {
        Primitive(Kind::Opaque(Box::new(block.clone()), Follows::All))
    }
}
