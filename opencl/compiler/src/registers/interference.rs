//! The interference graph: words that are live at the same time.

use super::liveness::liveness;
use crate::machine_ir::{Code, THREAD};
use rustc_hash::FxHashSet as HashSet;

/// The neighbours of each word.
#[derive(Debug, Clone)]
pub struct Interference(pub Vec<HashSet<u32>>);

impl Interference {
    /// Adds an edge: the words need different registers.
    pub fn add(&mut self, a: u32, b: u32) {
        if a != b {
            self.0[a as usize].insert(b);
            self.0[b as usize].insert(a);
        }
    }

    /// True if two words need different registers.
    pub fn between(&self, a: u32, b: u32) -> bool {
        self.0[a as usize].contains(&b)
    }

    /// Adds the neighbours of `from` to `to`, and removes `from`.
    pub fn merge(&mut self, to: u32, from: u32) {
        let neighbours = std::mem::take(&mut self.0[from as usize]);
        for neighbour in neighbours {
            self.0[neighbour as usize].remove(&from);
            self.add(to, neighbour);
        }
    }

    /// Builds the graph. A word interferes with the words that are live where it is written. A copy does not interfere
    /// with its source, because their values are equal.
    pub fn new(code: &Code) -> Self {
        let mut graph = Interference(vec![HashSet::default(); code.words as usize]);
        let live = liveness(code);
        for (index, (block, end)) in code.blocks.iter().zip(&live.at_end).enumerate() {
            let mut alive: HashSet<u32> = end.ones().map(|word| word as u32).collect();
            for instruction in block.instructions.iter().rev() {
                // A conditional copy may differ from its source, because some threads keep the old value.
                let source = match instruction.test {
                    None => instruction.copied().map(|(_, from)| from.0),
                    Some(_) => None,
                };
                let writes = instruction.writes();
                for written in &writes {
                    for &other in alive.iter().filter(|&&other| Some(other) != source) {
                        graph.add(written.0, other);
                    }
                    for other in &writes {
                        graph.add(written.0, other.0);
                    }
                }
                for written in writes {
                    alive.remove(&written.0);
                }
                alive.extend(instruction.reads().into_iter().map(|word| word.0));
            }
            if index == 0 {
                // The thread's index is written before the first instruction.
                for &other in &alive {
                    graph.add(THREAD.0, other);
                }
            }
        }
        graph
    }
}
