//! A warp: up to 32 threads with their registers, active mask, PC and divergence stack.
//!
//! This is the state and what the divergence rules of the machine's contract do to it; the instructions are in
//! [`crate::execute`].

use crate::block::{Arrival, Waiting};
use crate::launch::WARP_THREADS;
use crate::retire::Next;
use crate::stack::{DivergenceStack, Entry, Resume, StackOperation};

/// One warp.
#[derive(Clone, Debug)]
pub struct Warp {
    /// The threads that the warp was started with, bit = lane.
    pub threads: u32,
    /// The threads on the current path.
    pub active: u32,
    /// The threads that have exited.
    pub gone: u32,
    /// Byte address of the next instruction.
    pub pc: u32,
    /// No thread is left and nothing waits on the stack.
    pub ended: bool,
    /// It waits at a barrier: the PC is behind the BAR.
    pub waiting: Option<Waiting>,
    /// The BAR that it has just executed.
    pub(crate) arrival: Option<Arrival>,
    /// Waiting paths.
    pub stack: DivergenceStack,
    /// By register number, each of 32 lanes. Registers past the end read 0 and drop writes.
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
        for lane in 0..WARP_THREADS {
            let thread = first + lane;
            if thread >= total {
                break;
            }
            threads |= 1 << lane;
            let (x, y, z) = (thread % nx, thread / nx % ny, thread / (nx * ny));
            if let Some(r0) = file.first_mut() {
                r0[lane as usize] = x | y << 16 | z << 26;
            }
        }
        Warp {
            threads,
            active: threads,
            gone: 0,
            pc: entry,
            ended: threads == 0,
            waiting: None,
            arrival: None,
            stack: DivergenceStack::new(),
            registers: file,
            cc: [[0; 32]; 4],
            address: [[0; 32]; 4],
        }
    }

    /// Where the warp goes on, as a record has it.
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

    /// The `.S` marker of an instruction that is followed by byte address `behind`.
    pub(crate) fn join(&mut self, behind: u32, mut recorded: impl FnMut(StackOperation)) {
        let popped = |entry: Entry| recorded(StackOperation::Pop(entry));
        let resume = self.stack.pop_joining(self.gone, self.threads, popped);
        self.resume(resume, behind);
    }

    /// The threads of `leaving` exit at an instruction that is followed by byte address `behind`.
    pub(crate) fn leave(&mut self, leaving: u32, behind: u32, mut recorded: impl FnMut(StackOperation)) {
        self.gone |= leaving;
        self.active &= !leaving;
        if self.active != 0 {
            self.pc = behind;
            return;
        }
        match self
            .stack
            .pop_all_left(self.gone, |entry| recorded(StackOperation::Pop(entry)))
        {
            Some(resume) => self.resume(resume, behind),
            None => self.ended = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_numbered_x_fastest_and_packed_into_r0() {
        let warp = Warp::new(1, [5, 4, 3], 4, 8);
        assert_eq!(warp.threads, 0x0fff_ffff, "60 threads leave 28 in the second warp");
        assert_eq!(
            (warp.active, warp.pc, warp.registers.len(), warp.ended),
            (warp.threads, 8, 4, false)
        );
        // Thread 32 is x 2, y 2, z 1; thread 59 is the last.
        assert_eq!(warp.registers[0][0], 2 | 2 << 16 | 1 << 26);
        assert_eq!(warp.registers[0][27], 4 | 3 << 16 | 2 << 26);
        assert_eq!(warp.registers[0][28], 0);
    }
}
