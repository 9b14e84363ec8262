//! Spilling: if there are not enough registers, words are kept in local memory.
//!
//! Each spilled word has a spill slot of four bytes. It is loaded into a new word before every instruction that reads
//! it, and stored after every instruction that writes it. The new words have live ranges of one instruction.

use super::assignment::Assignment;
use super::colour::{self, Limits};
use crate::analysis::flow::{predecessors, reachable, Successors};
use crate::error::CompileError;
use crate::machine_ir::{Code, Destination, Instruction, Predicate, Source, Test, Word, THREAD};
use flexgrip_isa::{MemoryAccess, Operation, RegisterPart};
use std::collections::{HashMap, HashSet};

/// Bytes of local memory that a 16-bit address can reach.
const LOCAL_LIMIT: u32 = 1 << 16;
/// The cost of an access in a loop, relative to one outside.
const LOOP: u64 = 8;
/// The loop depth at which the cost stops increasing.
const DEPTH: u32 = 6;

/// The loop depth of each block.
fn depths(successors: &Successors) -> Vec<u32> {
    let predecessors = predecessors(successors);
    let mut depths = vec![0; successors.len()];
    // An approximation of loops: the blocks that reach the source of a back edge without its target.
    for (from, to) in successors.iter().enumerate() {
        for &head in to.iter().filter(|&&head| head <= from) {
            let inside = reachable(&predecessors, from, Some(head));
            for (block, inside) in inside.into_iter().enumerate() {
                depths[block] += u32::from(inside || block == head);
            }
        }
    }
    depths
}

/// By word: the spill cost. `short` words cannot be spilled.
pub fn costs(code: &Code, short: &HashSet<Word>) -> Vec<Option<u64>> {
    let mut costs: Vec<Option<u64>> = vec![Some(0); code.words as usize];
    let successors = code.successors();
    let depths = depths(&successors);
    for (block, depth) in code.blocks.iter().zip(depths) {
        let each = LOOP.pow(depth.min(DEPTH));
        for instruction in &block.instructions {
            for word in instruction.reads().into_iter().chain(instruction.writes()) {
                if let Some(Some(cost)) = costs.get_mut(word.0 as usize) {
                    *cost = cost.saturating_add(each);
                }
            }
        }
    }
    for word in short {
        costs[word.0 as usize] = None;
    }
    if !predecessors(&successors).first().is_none_or(Vec::is_empty) {
        // The entry is in a loop: the thread's index would be stored again in each iteration.
        costs[THREAD.0 as usize] = None;
    }
    costs
}

/// Colours the code, and spills as many words as necessary. Spill slots are added to `local_bytes`.
///
/// # Errors
/// A single instruction needs more registers than there are, or local memory does not suffice.
pub fn colour(code: &mut Code, registers: usize, local_bytes: &mut u32) -> Result<Assignment, CompileError> {
    let mut short = HashSet::new();
    loop {
        let costs = costs(code, &short);
        let limits = Limits {
            registers,
            costs: &costs,
        };
        let words = match colour::colour(code, &limits) {
            Ok(assignment) => return Ok(assignment),
            Err(words) => words,
        };
        let place = code.blocks.first().map(|block| block.place).unwrap_or_default();
        if words.is_empty() {
            return Err(CompileError::new(
                place,
                format!("the kernel needs more than {registers} registers, even with spilling"),
            ));
        }
        let mut slots = HashMap::new();
        for word in words {
            let slot = local_bytes.next_multiple_of(4);
            if slot + 4 > LOCAL_LIMIT {
                return Err(CompileError::new(
                    place,
                    format!(
                        "the values spilled beyond {registers} registers do not fit in the {LOCAL_LIMIT} bytes of \
                             local memory"
                    ),
                ));
            }
            *local_bytes = slot + 4;
            slots.insert(word, slot);
        }
        spill(code, &slots, &mut short);
    }
}

fn access(load: bool, word: Word, slot: u32, place: crate::error::SourceLocation) -> Instruction {
    let access = MemoryAccess::B32;
    let memory = Some(Source::Local {
        offset: slot,
        address: 0,
    });
    let (operation, destination, value) = match load {
        true => (Operation::Lld { access }, Destination::Word(word), None),
        false => (
            Operation::Lst { access },
            Destination::None,
            Some(Source::Word(word, RegisterPart::Full)),
        ),
    };
    Instruction::new(operation, destination, [memory, None, value], place)
}

/// Spills words to their slots. The new words are added to `short`.
fn spill(code: &mut Code, slots: &HashMap<Word, u32>, short: &mut HashSet<Word>) {
    for (index, block) in code.blocks.iter_mut().enumerate() {
        let mut instructions = Vec::with_capacity(block.instructions.len());
        if let (0, Some(&slot)) = (index, slots.get(&THREAD)) {
            instructions.push(access(false, THREAD, slot, block.place));
        }
        for mut instruction in block.instructions.drain(..) {
            let (reads, writes) = (instruction.reads(), instruction.writes());
            let mut new: HashMap<Word, Word> = HashMap::new();
            for word in reads.iter().chain(&writes).filter(|word| slots.contains_key(word)) {
                new.entry(*word).or_insert_with(|| {
                    code.words += 1;
                    Word(code.words - 1)
                });
            }
            short.extend(new.values());
            let place = instruction.place;
            let slot_of = |word: &Word| Some((*new.get(word)?, *slots.get(word)?));
            let mut loaded = HashSet::new();
            for word in &reads {
                if let Some((short, slot)) = slot_of(word).filter(|(short, _)| loaded.insert(*short)) {
                    instructions.push(access(true, short, slot, place));
                }
            }
            rename(&mut instruction, &new);
            instructions.push(instruction);
            let mut stored = HashSet::new();
            for word in &writes {
                if let Some((short, slot)) = slot_of(word).filter(|(short, _)| stored.insert(*short)) {
                    instructions.push(access(false, short, slot, place));
                }
            }
        }
        block.instructions = instructions;
    }
}

fn rename(instruction: &mut Instruction, new: &HashMap<Word, Word>) {
    let change = |word: &mut Word| {
        if let Some(&to) = new.get(word) {
            *word = to;
        }
    };
    for source in instruction.sources.iter_mut().flatten() {
        if let Source::Word(word, _) = source {
            change(word);
        }
    }
    if let Destination::Word(word) | Destination::Half(word) = &mut instruction.destination {
        change(word);
    }
    if let Some(Test {
        predicate: Predicate::Word(word),
        ..
    }) = &mut instruction.test
    {
        change(word);
    }
    instruction
        .group
        .iter_mut()
        .chain(instruction.upper.iter_mut().flatten())
        .for_each(change);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::code;

    #[test]
    fn loops_cost_more() {
        let code = code(
            "ld.param.u32 %r1, [out];\nmov.u32 %r2, 0;\nld.global.u32 %r3, [%r1];\nL:\nadd.s32 %r2, %r2, 4;\n\
             setp.ne.s32 %p1, %r2, 40;\n@%p1 bra L;\nst.global.u32 [%r1], %r2;\nst.global.u32 [%r1+4], %r3;\nret;",
        );
        let mut costs: Vec<u64> = costs(&code, &HashSet::new())
            .into_iter()
            .flatten()
            .filter(|&cost| cost > 0)
            .collect();
        costs.sort_unstable();
        assert_eq!(costs.last(), Some(&(2 + 3 * LOOP)), "{costs:?}");
    }

    #[test]
    fn a_kernel_with_too_few_registers_uses_local_memory() {
        let mut body = String::from("ld.param.u32 %r1, [out];\n");
        for index in 2..20 {
            body += &format!("ld.global.u32 %r{index}, [%r1+{}];\n", 4 * index);
        }
        for index in 2..20 {
            body += &format!("st.global.u32 [%r1+{}], %r{index};\n", 4 * index + 100);
        }
        let mut code = code(&(body + "ret;"));
        let mut local_bytes = 2;
        let assignment = colour(&mut code, 8, &mut local_bytes).unwrap_or_else(|error| panic!("{error}"));
        assert!(assignment.count <= 8);
        assert!(local_bytes >= 4 * 10, "{local_bytes}");
        let error = colour(&mut code, 1, &mut local_bytes).expect_err("an error");
        assert!(error.message.contains("more than 1 registers"), "{error}");
    }
}
