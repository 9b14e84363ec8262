//! Register allocation by graph colouring of the interference graph.
//!
//! Copies are coalesced first: words that do not interfere become one. Then the words are removed from the graph one by
//! one, those with the fewest neighbours first, and coloured in the opposite order, each with the lowest free register.
//! The words of a vector access are coloured together, with consecutive registers that are aligned to their number. The
//! two words of a double are also coloured together; they may be coalesced with other doubles and with parts of a
//! vector. If all words have too many neighbours, the word that is cheapest to spill is removed next, and is coloured
//! last. A word without a free register is spilled: [`super::spill`].

use super::assignment::Assignment;
use super::interference::Interference;
use crate::machine_ir::{Code, Destination, Instruction, Source, Word, THREAD};
use flexgrip_isa::RegisterPart;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of registers with addressable halves: R0L to R63H.
const HALVES: usize = 64;

/// Sets of coalesced words.
struct Sets(Vec<u32>);

impl Sets {
    fn find(&mut self, word: u32) -> u32 {
        let mut root = word;
        while self.0[root as usize] != root {
            root = self.0[root as usize];
        }
        let mut at = word;
        while self.0[at as usize] != root {
            at = std::mem::replace(&mut self.0[at as usize], root);
        }
        root
    }
}

/// Inputs of colouring in addition to the code.
pub struct Limits<'l> {
    /// The number of registers.
    pub registers: usize,
    /// By word: its spill cost; `None` if it cannot be spilled.
    pub costs: &'l [Option<u64>],
}

/// Colours the words of the code.
///
/// # Errors
/// There are not enough registers: the words to spill, or an empty list if spilling would not help.
pub fn colour(code: &Code, limits: &Limits) -> Result<Assignment, Vec<Word>> {
    let (mut halves_first, mut apart) = (false, false);
    loop {
        let words = match attempt(code, limits, halves_first, apart) {
            Ok(assignment) => return Ok(assignment),
            Err(words) => words,
        };
        match (halves_first, apart) {
            // Words whose halves are used need one of the lower registers, so they are coloured first if these are
            // scarce.
            (false, false) if code.words as usize > HALVES => halves_first = true,
            // Words that are coalesced with a word that cannot be spilled cannot be spilled either.
            (_, false) if words.is_empty() => (halves_first, apart) = (false, true),
            _ => return Err(words),
        }
    }
}

/// Returns the words of which an instruction reads or writes a half.
fn halves(code: &Code) -> impl Iterator<Item = Word> + use<'_> {
    code.blocks
        .iter()
        .flat_map(|block| &block.instructions)
        .flat_map(|instruction| {
            let sources = instruction.sources.iter().filter_map(|source| match source {
                Some(Source::Word(word, RegisterPart::Low | RegisterPart::High)) => Some(*word),
                _ => None,
            });
            let destination = match instruction.destination {
                Destination::Half(word) => Some(word),
                _ => None,
            };
            sources.chain(destination)
        })
}

/// Groups of words with consecutive registers. All words are roots of sets of coalesced words.
#[derive(Default)]
struct Groups {
    /// The words of each group, and true if they are a double.
    all: Vec<(Vec<u32>, bool)>,
    /// The group of each word.
    member: HashMap<u32, usize>,
}

impl Groups {
    fn add(&mut self, words: Vec<u32>, double: bool) {
        for &word in &words {
            self.member.insert(word, self.all.len());
        }
        self.all.push((words, double));
    }

    /// Adds the words of a double, unless they are already in a group.
    fn add_double(&mut self, words: [Word; 2], graph: &mut Interference) {
        let [low, high] = words.map(|Word(word)| word);
        if !self.member.contains_key(&low) {
            graph.add(low, high);
            self.add(vec![low, high], true);
        }
    }

    /// Coalesces two words of different groups, and all other words of the smaller group, if one of the groups is a
    /// double and the words do not interfere.
    fn coalesce(&mut self, to: u32, from: u32, graph: &mut Interference, sets: &mut Sets) {
        let (Some(&a), Some(&b)) = (self.member.get(&to), self.member.get(&from)) else {
            return;
        };
        if a == b || !(self.all[a].1 || self.all[b].1) {
            return;
        }
        let size = |group: usize| self.all[group].0.len();
        let (large, small, one, other) = if size(a) < size(b) {
            (b, a, from, to)
        } else {
            (a, b, to, from)
        };
        let place = |group: usize, word: u32| self.all[group].0.iter().position(|&member| member == word);
        let (Some(at), Some(within)) = (place(large, one), place(small, other)) else {
            return;
        };
        let Some(first) = at.checked_sub(within).filter(|first| first % size(small) == 0) else {
            return;
        };
        let pairs: Vec<(u32, u32)> = self.all[large].0[first..]
            .iter()
            .copied()
            .zip(self.all[small].0.iter().copied())
            .collect();
        if pairs.iter().any(|&(kept, gone)| graph.between(kept, gone)) {
            return;
        }
        for (kept, gone) in pairs {
            graph.merge(kept, gone);
            sets.0[gone as usize] = kept;
            self.member.remove(&gone);
        }
        self.all[small].0.clear();
    }
}

/// Adds the other word of each double of which one word is spilled: the two words of an operand stay together.
fn with_partners(code: &Code, mut words: HashSet<Word>) -> Vec<Word> {
    let instructions = code.blocks.iter().flat_map(|block| &block.instructions);
    // Each word is in at most one double.
    for [low, high] in instructions.flat_map(Instruction::pairs) {
        if words.contains(&low) || words.contains(&high) {
            words.extend([low, high]);
        }
    }
    let mut words: Vec<Word> = words.into_iter().collect();
    words.sort_unstable();
    words
}

fn attempt(code: &Code, limits: &Limits, halves_first: bool, apart: bool) -> Result<Assignment, Vec<Word>> {
    let mut graph = Interference::new(code);
    let mut sets = Sets((0..code.words).collect());
    let mut used: HashSet<u32> = HashSet::default();
    let mut groups = Groups::default();
    for instruction in code.blocks.iter().flat_map(|block| &block.instructions) {
        for double in instruction.pairs() {
            groups.add_double(double, &mut graph);
        }
    }
    for instruction in code.blocks.iter().flat_map(|block| &block.instructions) {
        used.extend(
            instruction
                .reads()
                .into_iter()
                .chain(instruction.writes())
                .map(|word| word.0),
        );
        // Only the words of a double can already be in a group, which then has the same two words.
        let first = instruction.group.first();
        if first.is_some_and(|first| !groups.member.contains_key(&first.0)) {
            groups.add(instruction.group.iter().map(|word| word.0).collect(), false);
        }
    }
    for instruction in code.blocks.iter().flat_map(|block| &block.instructions) {
        if instruction.test.is_some() {
            continue;
        }
        let Some((Word(to), Word(from))) = instruction.copied() else {
            continue;
        };
        let stays = |word: u32| limits.costs.get(word as usize).is_some_and(Option::is_none);
        if apart && stays(to) != stays(from) {
            continue;
        }
        let (to, from) = (sets.find(to), sets.find(from));
        let fixed = |word: u32| groups.member.contains_key(&word) || word == THREAD.0;
        if to == from || graph.between(to, from) {
            continue;
        }
        if fixed(to) && fixed(from) {
            groups.coalesce(to, from, &mut graph, &mut sets);
            continue;
        }
        let (kept, gone) = if fixed(to) { (to, from) } else { (from, to) };
        graph.merge(kept, gone);
        sets.0[gone as usize] = kept;
    }
    let mut register: Vec<Option<u8>> = vec![None; code.words as usize];
    if used.contains(&THREAD.0) {
        register[THREAD.0 as usize] = Some(0);
    }
    // The cost of a set is the sum of the costs of its words.
    let mut costs: Vec<Option<u64>> = vec![Some(0); code.words as usize];
    for word in 0..code.words {
        let root = sets.find(word) as usize;
        costs[root] = match (costs[root], limits.costs.get(word as usize).copied().flatten()) {
            (Some(sum), Some(cost)) => Some(sum.saturating_add(cost)),
            _ => None,
        };
    }
    let mut spilled: Vec<u32> = Vec::new();
    let mut failed = false;
    let mut half = vec![false; code.words as usize];
    for Word(word) in halves(code) {
        half[sets.find(word) as usize] = true;
    }
    let limit = |words: &[u32]| match words.iter().any(|&word| half[word as usize]) {
        true => limits.registers.min(HALVES),
        false => limits.registers,
    };
    let mut order = order(&graph, &mut sets, &used, &groups, limits.registers, &costs);
    if halves_first {
        order.sort_by_key(|words| words.len() == 1 && limit(words) > HALVES);
    }
    for words in order {
        let limit = limit(&words);
        if words.iter().any(|word| spilled.contains(word)) || place(&graph, &mut register, &words, limit) {
            continue;
        }
        failed = true;
        // Spills the word or, if it cannot be spilled, its cheapest neighbour.
        let in_the_way = words.iter().flat_map(|&word| graph.0[word as usize].iter().copied());
        let in_the_way =
            in_the_way.filter(|&word| register[word as usize].is_some_and(|register| usize::from(register) < limit));
        let cheapest = |words: &mut dyn Iterator<Item = u32>| {
            words
                .filter(|word| !spilled.contains(word))
                .filter_map(|word| Some((costs[word as usize]?, word)))
                .min()
        };
        let found =
            cheapest(&mut words.iter().copied()).or_else(|| cheapest(&mut in_the_way.collect::<Vec<_>>().into_iter()));
        if let Some((_, word)) = found {
            spilled.push(word);
        }
    }
    if failed {
        let words = (0..code.words).filter(|&word| spilled.contains(&sets.find(word)) && used.contains(&word));
        return Err(with_partners(code, words.map(Word).collect()));
    }
    for word in 0..code.words {
        let root = sets.find(word);
        register[word as usize] = register[root as usize];
    }
    let highest = register.iter().flatten().copied().max();
    Ok(Assignment {
        count: highest.map_or(1, |highest| u32::from(highest) + 1),
        register,
    })
}

/// Returns the words, or groups of words, in the order of colouring.
fn order(
    graph: &Interference,
    sets: &mut Sets,
    used: &HashSet<u32>,
    groups: &Groups,
    registers: usize,
    costs: &[Option<u64>],
) -> Vec<Vec<u32>> {
    let roots: HashSet<u32> = used
        .iter()
        .map(|&word| sets.find(word))
        .filter(|&word| word != THREAD.0)
        .collect();
    let mut degree: HashMap<u32, usize> = roots.iter().map(|&word| (word, graph.0[word as usize].len())).collect();
    let mut heap: BinaryHeap<Reverse<(usize, u32)>> =
        degree.iter().map(|(&word, &degree)| Reverse((degree, word))).collect();
    // A heap by the spill cost per neighbour, which is created on first use. Costs only increase as neighbours are
    // removed, so an outdated entry is pushed again with the current cost.
    let mut cheap: Option<BinaryHeap<Reverse<(u64, u32)>>> = None;
    let price = |word: u32, degree: usize| Some(1024 * costs[word as usize]? / degree.max(1) as u64);
    let mut gone: HashSet<u32> = HashSet::default();
    let mut order = Vec::new();
    while let Some(Reverse((seen, word))) = heap.pop() {
        if gone.contains(&word) || degree.get(&word) != Some(&seen) || groups.member.contains_key(&word) {
            continue;
        }
        let mut word = word;
        if seen >= registers {
            heap.push(Reverse((seen, word)));
            let cheap = cheap.get_or_insert_with(|| {
                let left = degree
                    .iter()
                    .filter(|(word, _)| !gone.contains(word) && !groups.member.contains_key(word));
                left.filter_map(|(&word, &degree)| Some(Reverse((price(word, degree)?, word))))
                    .collect()
            });
            while let Some(Reverse((seen, candidate))) = cheap.pop() {
                let now = degree.get(&candidate).and_then(|&degree| price(candidate, degree));
                match now.filter(|_| !gone.contains(&candidate)) {
                    Some(now) if now > seen => cheap.push(Reverse((now, candidate))),
                    Some(_) => {
                        word = candidate;
                        break;
                    }
                    None => {}
                }
            }
        }
        gone.insert(word);
        order.push(vec![word]);
        for &neighbour in &graph.0[word as usize] {
            if let Some(degree) = degree.get_mut(&neighbour) {
                *degree = degree.saturating_sub(1);
                heap.push(Reverse((*degree, neighbour)));
            }
        }
    }
    // Groups are removed last, so they are coloured first, while consecutive registers are free.
    let whole = groups.all.iter().filter(|(words, _)| !words.is_empty());
    order.extend(whole.map(|(words, _)| words.clone()));
    order.reverse();
    order
}

/// Assigns free registers to words. Returns false if there are not enough.
fn place(graph: &Interference, register: &mut [Option<u8>], words: &[u32], registers: usize) -> bool {
    let taken: Vec<HashSet<u8>> = words
        .iter()
        .map(|&word| {
            graph.0[word as usize]
                .iter()
                .filter_map(|&neighbour| register[neighbour as usize])
                .collect()
        })
        .collect();
    let fits = |first: usize| {
        taken
            .iter()
            .enumerate()
            .all(|(index, taken)| !taken.contains(&((first + index) as u8)))
    };
    let first = (0..(registers + 1).saturating_sub(words.len()))
        .step_by(words.len().max(1))
        .find(|&first| fits(first));
    let Some(first) = first else {
        return false;
    };
    for (index, &word) in words.iter().enumerate() {
        register[word as usize] = Some((first + index) as u8);
    }
    true
}
