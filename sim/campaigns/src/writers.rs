//! Attributes wrong words of global memory to threads: the threads that store them in the golden run.

use flexgrip_machine::{MemorySpace, Retire};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A thread: its block, its warp in the block, its lane in the warp.
type Thread = (u32, u32, u8);

/// The thread that has stored each word of global memory last.
#[derive(Default)]
pub struct Writers {
    /// The thread by the number of the word.
    last: FxHashMap<u32, Thread>,
}

/// The number of threads, and of larger units, that some words belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owners {
    /// The number of threads. Words that no thread has stored are not counted.
    pub threads: u64,
    /// The number of warps of these threads.
    pub warps: u64,
    /// The number of blocks of these threads.
    pub blocks: u64,
}

impl Writers {
    /// Takes the next record of a run.
    pub fn note(&mut self, record: &Retire) {
        let stores = record.memory.iter();
        for store in stores.filter(|effect| effect.store && effect.space == MemorySpace::Global) {
            let last = store.address.saturating_add(u32::from(store.bytes.max(1)) - 1);
            for word in store.address / 4..=last / 4 {
                let thread = (record.block, record.warp_in_block, store.lane);
                self.last.insert(word, thread);
            }
        }
    }

    /// The owners of the words with these numbers.
    pub fn owners(&self, words: &[u32]) -> Owners {
        let threads: BTreeSet<Thread> = words.iter().filter_map(|word| self.last.get(word).copied()).collect();
        let warps: BTreeSet<_> = threads.iter().map(|(block, warp, _)| (block, warp)).collect();
        let blocks: BTreeSet<_> = threads.iter().map(|(block, ..)| block).collect();
        Owners {
            threads: threads.len() as u64,
            warps: warps.len() as u64,
            blocks: blocks.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_machine::MemoryEffect;

    fn store(block: u32, warp: u32, lane: u8, address: u32, bytes: u8) -> Retire {
        let effect = |space, store| MemoryEffect {
            space,
            store,
            lane,
            address,
            bytes,
            data: 0,
        };
        Retire {
            block,
            warp_in_block: warp,
            memory: vec![effect(MemorySpace::Global, true)],
            ..Retire::default()
        }
    }

    #[test]
    fn words_belong_to_who_stored_them_last() {
        let mut writers = Writers::default();
        writers.note(&store(0, 0, 3, 8, 4));
        writers.note(&store(0, 1, 3, 16, 8));
        writers.note(&store(2, 0, 3, 21, 1));
        let mut load = store(5, 5, 5, 8, 4);
        load.memory[0].store = false;
        writers.note(&load);
        let mut shared = store(5, 5, 5, 8, 4);
        shared.memory[0].space = MemorySpace::Shared;
        writers.note(&shared);
        let owners = |words: &[u32]| {
            let Owners { threads, warps, blocks } = writers.owners(words);
            (threads, warps, blocks)
        };
        assert_eq!(owners(&[2]), (1, 1, 1));
        assert_eq!(owners(&[2, 4]), (2, 2, 1));
        // The second half of the double word has another owner.
        assert_eq!(owners(&[2, 4, 5]), (3, 3, 2));
        assert_eq!(owners(&[0, 1, 3]), (0, 0, 0));
    }
}
