//! A program, decoded once.
//!
//! The model executes an instruction many times but decodes it only once, here, when the program is loaded. Every word
//! is decoded as if the PC could reach it, because a branch may lead to any word.

use flexgrip_isa::{Capability, Condition, Destination, Instruction, Meaning, Operand};
use flexgrip_machine::ErrorKind;

/// An increment of an address register after its use by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostIncrement {
    /// The address register, 1 to 4.
    pub register: u8,
    /// The increment, modulo 2^16.
    pub step: u16,
}

/// The instruction at one address of a program.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The instruction word, a short one in bits 31..0.
    pub word: u64,
    /// Its length in bytes, 4 or 8.
    pub bytes: u32,
    /// The meaning; `None` if the word is not an instruction, or not one that the machine executes.
    pub meaning: Option<Meaning>,
    /// The condition for each condition code, bit 0 for code 0; `None` if it always holds.
    pub condition: Option<u16>,
    /// The post-increment of its operand in shared or constant memory, if it has one that changes a register.
    pub post_increment: Option<PostIncrement>,
}

fn post_increment(meaning: &Meaning) -> Option<PostIncrement> {
    let (indirect, offset) = meaning.sources.iter().flatten().find_map(|operand| match *operand {
        Operand::Shared { indirect, offset, .. }
        | Operand::Constant { indirect, offset, .. }
        | Operand::Local { indirect, offset } => Some((indirect?, offset)),
        _ => None,
    })?;
    let register = indirect.register;
    // A0 is not written, and an R2A to the same register takes precedence.
    if !indirect.post_increment || register == 0 || meaning.destination == Destination::Address(register) {
        return None;
    }
    let step = offset as u16;
    Some(PostIncrement { register, step })
}

/// The mask for [`Fetched::condition`].
pub(crate) fn codes_of(condition: Condition) -> Option<u16> {
    // Instructions that ignore their condition also have this one.
    (condition != Condition::True).then(|| (0..16).map(|code| u16::from(condition.holds(code)) << code).sum())
}

/// A decoded program.
#[derive(Clone, Debug)]
pub struct Program {
    /// By word address; `None` where a long instruction would extend past the program, or is off its boundary.
    places: Vec<Option<Fetched>>,
}

impl Program {
    /// Decodes a program of 32-bit words from byte address 0 for a machine of this capability. With `unaligned`, long
    /// instructions may begin at any multiple of 4, otherwise only at 8-byte boundaries.
    pub fn new(words: &[u32], unaligned: bool, capability: Capability) -> Self {
        let places = (0..words.len())
            .map(|at| {
                let low = words[at];
                let (word, bytes) = if low & 1 == 0 {
                    (u64::from(low), 4)
                } else if unaligned || at % 2 == 0 {
                    (u64::from(*words.get(at + 1)?) << 32 | u64::from(low), 8)
                } else {
                    return None;
                };
                let instruction = flexgrip_isa::decode_at(word, capability).ok();
                let instruction = instruction.filter(Instruction::executed);
                let meaning = instruction.map(|instruction| instruction.meaning());
                Some(Fetched {
                    word,
                    bytes,
                    meaning,
                    condition: meaning
                        .as_ref()
                        .and_then(|meaning| codes_of(meaning.predicate.condition)),
                    post_increment: meaning.as_ref().and_then(post_increment),
                })
            })
            .collect();
        Program { places }
    }

    /// Byte address of the first instruction that has a source of this kind.
    pub fn first_with_source(&self, kind: impl Fn(&Operand) -> bool) -> Option<u32> {
        let place = self.places.iter().position(|place| {
            let meaning = place.as_ref().and_then(|fetched| fetched.meaning.as_ref());
            meaning.is_some_and(|meaning| meaning.sources.iter().flatten().any(&kind))
        });
        place.map(|place| 4 * place as u32)
    }

    /// The instruction at byte address `pc`.
    ///
    /// # Errors
    /// [`ErrorKind::ProgramCounter`] if `pc` is outside the program, is not a multiple of 4, or is the address of a
    /// long instruction with its high half outside the program or off the 8-byte boundary that the launch requires.
    pub fn fetch(&self, pc: u32) -> Result<&Fetched, ErrorKind> {
        match self.places.get(pc as usize / 4) {
            Some(Some(fetched)) if pc % 4 == 0 => Ok(fetched),
            _ => Err(ErrorKind::ProgramCounter),
        }
    }
}
