//! The hook for fault models: an [`Injector`] may change an instruction before it is executed, and its effects after
//! it.
//!
//! ```text
//! at ──> before ──> (condition) mask ──> executed as always ──> after
//! ```
//!
//! A run without faults has the injector `()`, which does nothing and costs nothing.

use crate::memory::Memory;
use crate::program::{Fetched, Program};
use crate::warp::Warp;
use flexgrip_isa::{Capability, Meaning};
use flexgrip_machine::ErrorKind;

/// The context of an instruction: its number and location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// Its number among all warp instructions of the run, from 1.
    pub number: u64,
    /// The SM that executes it.
    pub sm: u32,
    /// The hardware warp slot in the SM.
    pub slot: u32,
    /// Linear index of the block.
    pub block: u32,
    /// Index of the warp in its block.
    pub warp_in_block: u32,
    /// Byte address of the instruction.
    pub pc: u32,
}

/// An instruction word with its meaning.
#[derive(Clone, Debug)]
pub struct Decoded(pub(crate) Fetched);

impl Decoded {
    /// Decodes `words` at byte address `pc`: the word there, and the one after it if there is one. With `unaligned`,
    /// long instructions may begin at any multiple of 4. The meaning is the meaning at `capability`.
    ///
    /// # Errors
    /// [`ErrorKind::ProgramCounter`] for a long instruction off its boundary or without its high half. A word that is
    /// not an instruction has no [`Decoded::meaning`].
    pub fn at(pc: u32, words: &[u32], unaligned: bool, capability: Capability) -> Result<Decoded, ErrorKind> {
        // The same offset in 8 bytes, at the beginning of a program.
        let at = pc / 4 % 2;
        let program: Vec<u32> = std::iter::repeat_n(0, at as usize)
            .chain(words.iter().copied().take(2))
            .collect();
        Program::new(&program, unaligned, capability)
            .fetch(4 * at)
            .cloned()
            .map(Decoded)
    }

    /// The word, a short one in bits 31..0.
    pub fn word(&self) -> u64 {
        self.0.word
    }

    /// The meaning; `None` if executing it is [`ErrorKind::IllegalInstruction`].
    pub fn meaning(&self) -> Option<&Meaning> {
        self.0.meaning.as_ref()
    }

    /// The same word with another meaning. Condition and post-increment stay.
    #[must_use]
    pub fn with_meaning(mut self, meaning: Option<Meaning>) -> Decoded {
        self.0.meaning = meaning;
        self
    }
}

/// An instruction before its execution.
pub struct Issue<'a> {
    /// The warp. The instruction reads changes of registers, condition codes and address registers.
    pub warp: &'a mut Warp,
    /// The shared memory of the block.
    pub shared: &'a mut Memory,
    pub(crate) fetched: &'a Fetched,
}

impl Issue<'_> {
    /// The instruction.
    pub fn decoded(&self) -> Decoded {
        Decoded(self.fetched.clone())
    }

    /// The meaning; `None` for a word that is not an instruction.
    pub fn meaning(&self) -> Option<&Meaning> {
        self.fetched.meaning.as_ref()
    }
}

/// A fault model. For each warp instruction, the methods are called in the order of their declaration.
pub trait Injector {
    /// Called with the next instruction's context.
    fn at(&mut self, _issued: Issued) {}
    /// Called before execution. Returns the instruction to execute instead, or the error of its fetch; `None`: no
    /// change.
    fn before(&mut self, _issue: &mut Issue<'_>) -> Option<Result<Decoded, ErrorKind>> {
        None
    }
    /// Returns the execution mask, given the active lanes of the warp's path and the lanes for which the condition
    /// holds.
    fn mask(&mut self, _active: u32, executed: u32) -> u32 {
        executed
    }
    /// Called after execution, unless it failed. `executed` are the lanes that have executed the instruction.
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
