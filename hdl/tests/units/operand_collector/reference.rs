//! The reference executes instructions one after the other, by the machine's contract; the collector must have the same
//! outcome.

use super::bank_select::{steps, AccessKind};
use super::{bits, extract, size};
use flexgrip_hdl::bundles::Issued;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// An instruction for the collector.
#[derive(Clone, Debug)]
pub struct Task {
    pub issued: Issued,
    /// Mask of the active threads.
    pub mask: u32,
    /// Data that R2G stores.
    pub data: [u32; 32],
}

/// The required outcome.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The address register before the instruction.
    pub register: [u16; 32],
    /// The address that each thread computes.
    pub address: [u16; 32],
    /// Operands of the active threads.
    pub words: [u32; 32],
    /// The address register after the instruction.
    pub incremented: [u16; 32],
    /// Code and address of the lowest faulting thread.
    pub fault: Option<(u64, u16)>,
}

/// The memories and address registers, according to the machine's contract.
pub struct Reference {
    pub shared: Vec<u8>,
    pub constant: Vec<u8>,
    /// `None`: not written since the warp started.
    pub registers: Vec<[Option<[u16; 32]>; 4]>,
    /// The byte in shared memory at which each warp's block begins.
    pub base: [usize; 32],
    /// Bytes of a block's shared memory.
    pub block_bytes: usize,
}

impl Reference {
    pub fn new(rng: &mut ChaCha8Rng) -> Self {
        Reference {
            shared: vec![0; 16384],
            constant: (0..65536).map(|_| rng.gen()).collect(),
            registers: vec![[None; 4]; 32],
            base: [0; 32],
            block_bytes: 64,
        }
    }

    pub fn register(&self, task: &Task) -> Option<&[u16; 32]> {
        let indexing = &task.issued.decoded.indexing;
        let register = self.registers[task.issued.warp.index()][indexing.register.index()].as_ref();
        register.filter(|_| indexing.register_used)
    }

    /// The instruction's outcome in the current state.
    pub fn outcome(&self, task: &Task) -> Outcome {
        let indexing = &task.issued.decoded.indexing;
        let register = *self.register(task).unwrap_or(&[0; 32]);
        let offset = indexing.offset.raw() as u16;
        let incremented = register.map(|value| value.wrapping_add(offset));
        let mut outcome = Outcome {
            register,
            address: if indexing.post_increment { register } else { incremented },
            words: [0; 32],
            incremented,
            fault: None,
        };
        if !indexing.gathers && !indexing.scatters {
            return outcome;
        }
        let access = indexing.access.raw();
        let bytes = size(access) as usize;
        let (memory, limit, misaligned, range) = if indexing.constant {
            (&self.constant[indexing.bank.index() * 4096..][..4096], 4096, 13, 8)
        } else {
            (&self.shared[self.base[task.issued.warp.index()]..], self.block_bytes, 12, 7)
        };
        for thread in bits(task.mask) {
            let place = usize::from(outcome.address[thread]);
            if place % bytes != 0 {
                outcome.fault = Some((misaligned, outcome.address[thread]));
            } else if place + bytes > limit {
                outcome.fault = Some((range, outcome.address[thread]));
            }
            if outcome.fault.is_some() {
                break;
            }
            let mut word = [0; 4];
            word[..bytes].copy_from_slice(&memory[place..place + bytes]);
            outcome.words[thread] = extract(u32::from_le_bytes(word), 0, access);
        }
        outcome
    }

    /// Applies the instruction's outcome to the state.
    pub fn execute(&mut self, task: &Task, outcome: &Outcome) {
        let indexing = &task.issued.decoded.indexing;
        let warp = task.issued.warp.index();
        if indexing.scatters {
            for thread in bits(task.mask) {
                let place = self.base[warp] + usize::from(outcome.address[thread]);
                let bytes = size(indexing.access.raw()) as usize;
                self.shared[place..place + bytes].copy_from_slice(&task.data[thread].to_le_bytes()[..bytes]);
            }
        }
        if indexing.increments {
            self.write(warp, indexing.register.index(), task.mask, &outcome.incremented);
        }
    }

    pub fn write(&mut self, warp: usize, register: usize, mask: u32, values: &[u16; 32]) {
        let register = self.registers[warp][register].get_or_insert([0; 32]);
        bits(mask).for_each(|thread| register[thread] = values[thread]);
    }

    pub fn steps(task: &Task, outcome: &Outcome) -> u64 {
        let indexing = &task.issued.decoded.indexing;
        if indexing.constant {
            return 0;
        }
        let kind = if indexing.scatters { AccessKind::Store } else { AccessKind::Load };
        let half = |first: usize| std::array::from_fn(|thread| outcome.address[first + thread].into());
        let of = |first: usize| steps(kind, task.mask >> first & 0xffff, &half(first)).saturating_sub(1);
        of(0) + of(16)
    }
}
