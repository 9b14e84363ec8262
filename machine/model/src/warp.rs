//! A warp: up to 32 threads with their registers, active mask, PC and divergence stack.
//!
//! This module has the state, and the effect of the contract's divergence rules on it; the instructions are in
//! [`crate::execute`].

use crate::stack::{DivergenceStack, Gone, Resume, Underflow};
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::Next;
use flexgrip_machine::{Entry, StackOperation};

/// A wait at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The barrier, 0 to 15.
    pub barrier: u8,
    /// Byte address of the BAR.
    pub pc: u32,
}

/// One warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warp {
    /// The threads that the warp was started with, bit = lane.
    pub threads: u32,
    /// The threads on the current path.
    pub active: u32,
    /// The threads that have left the current path.
    pub gone: Gone,
    /// Byte address of the next instruction.
    pub pc: u32,
    /// True if no thread is left and the stack is empty.
    pub ended: bool,
    /// The barrier that the warp waits at, if any.
    pub waiting: Option<Waiting>,
    /// Waiting paths.
    pub stack: DivergenceStack,
    /// The registers by number, for 32 lanes each. Registers past the end read 0 and ignore writes.
    pub registers: Vec<[u32; 32]>,
    /// Condition-code registers C0 to C3 of each lane.
    pub cc: [[u8; 32]; 4],
    /// Address registers A1 to A4 of each lane.
    pub address: [[u16; 32]; 4],
}

impl Warp {
    /// Warp `index` of a block of the given dimensions, ready to run at `entry` with `registers` registers a thread.
    pub(crate) fn new(index: u32, block: [u32; 3], registers: u32, entry: u32) -> Self {
        let [nx, ny, nz] = block;
        let total = nx * ny * nz;
        let first = index * WARP_THREADS;
        let mut threads = 0;
        let mut file = vec![[0; 32]; registers as usize];
        // The indices are incremented from the first lane's: a division for each lane would dominate the cost of a
        // short kernel.
        let (mut x, mut y, mut z) = (first % nx, first / nx % ny, first / (nx * ny));
        for lane in 0..WARP_THREADS {
            threads |= u32::from(first + lane < total) << lane;
            // The lanes after the last thread are also numbered: FSWZ can read them.
            if let Some(r0) = file.first_mut() {
                r0[lane as usize] = x | y << 16 | z << 26;
            }
            x += 1;
            if x == nx {
                (x, y) = (0, y + 1);
            }
            if y == ny {
                (y, z) = (0, z + 1);
            }
        }
        Warp {
            threads,
            active: threads,
            gone: Gone::default(),
            pc: entry,
            ended: threads == 0,
            waiting: None,
            stack: DivergenceStack::new(),
            registers: file,
            cc: [[0; 32]; 4],
            address: [[0; 32]; 4],
        }
    }

    /// True if the warp can execute an instruction now.
    pub fn can_run(&self) -> bool {
        !self.ended && self.waiting.is_none()
    }

    /// Address register `register` of each lane; `None` for A0, which does not exist.
    pub(crate) fn address_register(&self, register: u8) -> Option<&[u16; 32]> {
        self.address.get(usize::from(register.checked_sub(1)?))
    }

    /// The state in which the warp continues, for a record.
    pub(crate) fn next(&self) -> Next {
        Next {
            pc: (!self.ended).then_some(self.pc),
            active: self.active,
        }
    }

    fn resume(&mut self, resume: Resume, behind: u32) {
        self.active = resume.active;
        self.pc = resume.pc.unwrap_or(behind);
    }

    /// Executes the `.S` marker of an instruction; the next instruction is at byte address `behind`.
    pub(crate) fn join(&mut self, behind: u32, mut recorded: impl FnMut(StackOperation)) {
        let popped = |entry: Entry| recorded(StackOperation::Pop(entry));
        let resume = self.stack.pop_joining(self.gone, self.active, self.threads, popped);
        self.resume(resume, behind);
    }

    /// Removes the threads of `leaving`, already in `gone`, from the path; the next instruction is at byte address
    /// `behind`.
    ///
    /// # Errors
    /// [`Underflow`] if no thread is left and one of them broke without a break entry.
    pub(crate) fn leave(
        &mut self,
        leaving: u32,
        behind: u32,
        mut recorded: impl FnMut(StackOperation),
    ) -> Result<(), Underflow> {
        self.active &= !leaving;
        if self.active != 0 {
            self.pc = behind;
            return Ok(());
        }
        let popped = |entry: Entry| recorded(StackOperation::Pop(entry));
        match self.stack.pop_all_left(&mut self.gone, popped)? {
            Some(resume) => self.resume(resume, behind),
            None => self.ended = true,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_indices_are_packed_into_r0() {
        let warp = Warp::new(1, [5, 4, 3], 4, 8);
        assert_eq!(warp.threads, 0x0fff_ffff, "60 threads leave 28 in the second warp");
        assert_eq!(
            (warp.active, warp.pc, warp.registers.len(), warp.ended),
            (warp.threads, 8, 4, false)
        );
        // Thread 32 is x 2, y 2, z 1; thread 59 is the last.
        assert_eq!(warp.registers[0][0], 2 | 2 << 16 | 1 << 26);
        assert_eq!(warp.registers[0][27], 4 | 3 << 16 | 2 << 26);
        assert_eq!(
            warp.registers[0][28],
            3 << 26,
            "the rest of the lanes continue the count"
        );
    }
}
