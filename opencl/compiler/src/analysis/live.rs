//! Liveness analysis of any graph of blocks with registers numbered from 0.

use super::flow::{predecessors, Successors};
use fixedbitset::FixedBitSet;

/// The registers that a block reads before it writes them, and the registers that it writes.
#[derive(Debug, Clone)]
pub struct Effects {
    /// Registers that the block reads before it writes them.
    pub uses: FixedBitSet,
    /// Registers that the block writes.
    pub defines: FixedBitSet,
}

impl Effects {
    /// A block without effects, for this many registers.
    pub fn new(registers: usize) -> Self {
        Effects {
            uses: FixedBitSet::with_capacity(registers),
            defines: FixedBitSet::with_capacity(registers),
        }
    }

    /// Adds a read.
    pub fn read(&mut self, register: usize) {
        if !self.defines.contains(register) {
            self.uses.insert(register);
        }
    }

    /// Adds a write.
    pub fn write(&mut self, register: usize) {
        self.defines.insert(register);
    }
}

/// The registers live at the beginning and at the end of each block.
#[derive(Debug, Clone)]
pub struct Live {
    /// The registers that are live at the start of each block.
    pub at_start: Vec<FixedBitSet>,
    /// The registers that are live at the end of each block.
    pub at_end: Vec<FixedBitSet>,
}

/// Solves the data-flow equations with a work list of blocks.
pub fn live(successors: &Successors, effects: &[Effects]) -> Live {
    let predecessors = predecessors(successors);
    let mut at_start: Vec<FixedBitSet> = effects.iter().map(|block| block.uses.clone()).collect();
    let mut at_end: Vec<FixedBitSet> = effects
        .iter()
        .map(|block| FixedBitSet::with_capacity(block.uses.len()))
        .collect();
    let mut waiting: Vec<usize> = (0..successors.len()).collect();
    let mut queued = vec![true; successors.len()];
    while let Some(block) = waiting.pop() {
        queued[block] = false;
        let mut end = at_end[block].clone();
        for &to in &successors[block] {
            end.union_with(&at_start[to]);
        }
        let mut start = end.clone();
        start.difference_with(&effects[block].defines);
        start.union_with(&effects[block].uses);
        at_end[block] = end;
        if start != at_start[block] {
            at_start[block] = start;
            for &from in &predecessors[block] {
                if !queued[from] {
                    queued[from] = true;
                    waiting.push(from);
                }
            }
        }
    }
    Live { at_start, at_end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_read_in_a_loop_are_live_throughout() {
        // 0 writes r0 and r1; 1 reads r0 and writes r2, and loops; 2 reads r1.
        let mut effects = vec![Effects::new(3); 3];
        effects[0].write(0);
        effects[0].write(1);
        effects[1].read(0);
        effects[1].write(2);
        effects[2].read(1);
        let live = live(&[vec![1], vec![1, 2], vec![]], &effects);
        let bits = |set: &FixedBitSet| set.ones().collect::<Vec<_>>();
        assert!(bits(&live.at_start[0]).is_empty());
        assert_eq!(bits(&live.at_end[0]), [0, 1]);
        assert_eq!(bits(&live.at_end[1]), [0, 1]);
        assert_eq!(bits(&live.at_start[2]), [1]);
    }
}
