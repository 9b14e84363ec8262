//! The hook for fault models: an [`Injector`] may change an instruction before it is executed, and its effects after it.
//!
//! ```text
//! at ──> before ──> (condition) mask ──> executed as always ──> after
//! ```
//!
//! A run without faults has the injector `()`, which does nothing and costs nothing.

use crate::memory::Memory;
use crate::program::{Fetched, Program};
use crate::warp::Warp;
use flexgrip_isa::Meaning;
use flexgrip_machine::ErrorKind;

/// Which instruction is executed, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// Its number among all warp instructions of the run, from 1.
    pub number: u64,
    /// The SM.
    pub sm: u32,
    /// The hardware warp slot in the SM.
    pub slot: u32,
    /// Linear index of the block.
    pub block: u32,
    /// Index of the warp in its block.
    pub warp_in_block: u32,
    /// Byte address.
    pub pc: u32,
}

/// An instruction word with its meaning.
#[derive(Clone, Debug)]
pub struct Decoded(pub(crate) Fetched);

impl Decoded {
    /// The instruction that these words are at byte address `pc`: the word there, and the one after it if there is one. With
    /// `unaligned`, long instructions may begin at any multiple of 4.
    ///
    /// # Errors
    /// [`ErrorKind::ProgramCounter`] for a long instruction off its boundary or without its high half. A word that is not
    /// an instruction has no [`Decoded::meaning`].
    pub fn at(pc: u32, words: &[u32], unaligned: bool) -> Result<Decoded, ErrorKind> {
        // The same place in 8 bytes, at the beginning of a program.
        let at = pc / 4 % 2;
        let program: Vec<u32> = std::iter::repeat_n(0, at as usize)
            .chain(words.iter().copied().take(2))
            .collect();
        Program::new(&program, unaligned).fetch(4 * at).cloned().map(Decoded)
    }

    /// The word, a short one in bits 31..0.
    pub fn word(&self) -> u64 {
        self.0.word
    }

    /// The meaning; `None`: executing it is [`ErrorKind::IllegalInstruction`].
    pub fn meaning(&self) -> Option<&Meaning> {
        self.0.meaning.as_ref()
    }

    /// The same word with another meaning. Its condition and the step of its post-increment stay.
    #[must_use]
    pub fn with_meaning(mut self, meaning: Option<Meaning>) -> Decoded {
        self.0.meaning = meaning;
        self
    }
}

/// An instruction that is about to be executed.
pub struct Issue<'a> {
    /// Its warp. Changes of registers, condition codes and address registers are what the instruction reads.
    pub warp: &'a mut Warp,
    /// The shared memory of its block.
    pub shared: &'a mut Memory,
    pub(crate) fetched: &'a Fetched,
}

impl Issue<'_> {
    /// The instruction.
    pub fn decoded(&self) -> Decoded {
        Decoded(self.fetched.clone())
    }

    /// Its meaning; `None` for a word that is not an instruction.
    pub fn meaning(&self) -> Option<&Meaning> {
        self.fetched.meaning.as_ref()
    }
}

/// Changes instructions and their effects. For each warp instruction, the methods are called in the order in which they are
/// here.
pub trait Injector {
    /// The instruction that comes next.
    fn at(&mut self, _issued: Issued) {}
    /// Before it is executed. Returns what is executed in its place, or the error of fetching that; `None`: it is executed.
    fn before(&mut self, _issue: &mut Issue<'_>) -> Option<Result<Decoded, ErrorKind>> {
        None
    }
    /// The lanes that execute it, of those that are active on the warp's path: those for which its condition holds, or others.
    fn mask(&mut self, _active: u32, executed: u32) -> u32 {
        executed
    }
    /// After it, unless it was an error. `executed` are the lanes that have executed it.
    fn after(&mut self, _warp: &mut Warp, _shared: &mut Memory, _executed: u32) {}
}

impl Injector for () {}

impl Injector for &mut dyn Injector {
    fn at(&mut self, issued: Issued) {
        (**self).at(issued);
    }

    fn before(&mut self, issue: &mut Issue<'_>) -> Option<Result<Decoded, ErrorKind>> {
        (**self).before(issue)
    }

    fn mask(&mut self, active: u32, executed: u32) -> u32 {
        (**self).mask(active, executed)
    }

    fn after(&mut self, warp: &mut Warp, shared: &mut Memory, executed: u32) {
        (**self).after(warp, shared, executed);
    }
}
