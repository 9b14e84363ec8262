//! The run-time form of a block with Verilog written by hand: called, unless it has nothing to do.
#![allow(unsafe_code, reason = "machine code passes pointers to a machine's state")]

use hdlkit::circuit::Called;

/// A block that is called.
pub(super) struct CalledBlock {
    pub block: Box<dyn Called + Send>,
    /// The first byte and the number of words in the state.
    pub at: usize,
    pub words: usize,
    pub has_state: bool,
    /// The words after the block last settled, if its state has not changed since.
    pub settled: Box<[u64]>,
    pub is_settled: bool,
    /// The words before the block's last edge, if that edge changed nothing.
    pub quiet: Box<[u64]>,
    pub is_quiet: bool,
    pub group: u32,
}

impl Clone for CalledBlock {
    fn clone(&self) -> Self {
        CalledBlock {
            block: self.block.copy(),
            at: self.at,
            words: self.words,
            has_state: self.has_state,
            settled: self.settled.clone(),
            is_settled: self.is_settled,
            quiet: self.quiet.clone(),
            is_quiet: self.is_quiet,
            group: self.group,
        }
    }
}

impl CalledBlock {
    /// Marks the block's state as changed between two cycles.
    pub fn touch(&mut self) {
        self.is_settled = false;
        self.is_quiet = false;
    }

    // Most blocks have nothing to do in most cycles.

    #[inline]
    fn settle(&mut self, words: &mut [u64]) {
        if !self.is_settled || self.settled[..] != *words {
            self.block.settle(words);
            self.settled.copy_from_slice(words);
            self.is_settled = true;
        }
    }

    /// The clock edge; true if something has changed.
    #[inline]
    pub fn tick(&mut self, words: &mut [u64]) -> bool {
        if self.is_quiet && self.quiet[..] == *words {
            return false;
        }
        let changed = self.block.tick(words);
        self.is_settled &= !changed;
        self.is_quiet = !changed;
        if !changed {
            self.quiet.copy_from_slice(words);
        }
        changed
    }
}

/// Compiled code calls this for an opaque block.
///
/// # Safety
/// `opaques` and `state` belong to one engine, which is borrowed for the call.
pub(super) unsafe extern "C" fn call_opaque(opaques: *mut CalledBlock, state: *mut u8, number: usize) {
    // SAFETY: compiled for this engine's number of opaque blocks and its state layout; nothing else refers to them
    // while the code runs.
    let (opaque, words) = unsafe {
        let opaque = &mut *opaques.add(number);
        let words = std::slice::from_raw_parts_mut(state.add(opaque.at).cast::<u64>(), opaque.words);
        (opaque, words)
    };
    opaque.settle(words);
}
