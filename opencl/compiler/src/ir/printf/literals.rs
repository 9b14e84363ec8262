//! Points-to analysis for string literals: finds the literals whose address a value may be.
//!
//! A value is followed through all instructions that write its register: copies, selections, and sums with a constant.
//! An argument in memory is followed to the stores before the call.

use super::super::types::*;
use crate::ptx::ast::Type;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The maximum number of values that are followed in one analysis.
const MOST_STEPS: usize = 1000;

/// Follows values in a function.
pub(super) struct Tracer<'f> {
    blocks: Vec<Traced>,
    /// The instructions that write a register.
    writes: HashMap<Value, Vec<Instruction>>,
    /// The byte offset of the parameter with the variables' address.
    variables_at: Option<u32>,
    /// The initial values of the variables.
    bytes: &'f [u8],
}

/// A block's stores in order, and its predecessors.
struct Traced {
    stores: Vec<Instruction>,
    predecessors: Vec<BlockIndex>,
}

/// The state of an analysis: offsets of literals found, and values seen.
struct Found {
    places: BTreeSet<u32>,
    seen: HashSet<(Value, u32)>,
}

impl<'f> Tracer<'f> {
    pub(super) fn new(function: &Function, bytes: &'f [u8]) -> Self {
        let mut writes: HashMap<Value, Vec<Instruction>> = HashMap::new();
        let mut blocks: Vec<Traced> = Vec::new();
        for block in &function.blocks {
            let mut stores = Vec::new();
            for instruction in &block.instructions {
                for &result in &instruction.results {
                    writes.entry(result).or_default().push(instruction.clone());
                }
                if let Operation::Store { .. } = instruction.operation {
                    stores.push(instruction.clone());
                }
            }
            blocks.push(Traced {
                stores,
                predecessors: Vec::new(),
            });
        }
        for (from, successors) in function.successors().into_iter().enumerate() {
            for to in successors {
                if let Some(block) = blocks.get_mut(to) {
                    block.predecessors.push(from);
                }
            }
        }
        Tracer {
            blocks,
            writes,
            variables_at: function.hidden_offset(Hidden::Variables),
            bytes,
        }
    }

    /// Returns the string at an offset in the variables, without its terminating zero; `None` if it is not terminated.
    pub(super) fn string(&self, at: u32) -> Option<&'f [u8]> {
        let rest = self.bytes.get(at as usize..)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        Some(&rest[..end])
    }

    /// Returns the offsets of all variables whose address a value may be; `None` if it may be anything else. Zeros are
    /// ignored: a parameter of a call is zero before it is written.
    pub(super) fn literals(&self, value: Argument) -> Option<BTreeSet<u32>> {
        let mut found = Found {
            places: BTreeSet::new(),
            seen: HashSet::new(),
        };
        let all = self.follow(value, 0, &mut found);
        (all && !found.places.is_empty()).then_some(found.places)
    }

    /// True if a value is the address of a literal, or null.
    pub(super) fn is_literal(&self, value: Argument) -> bool {
        let mut found = Found {
            places: BTreeSet::new(),
            seen: HashSet::new(),
        };
        self.follow(value, 0, &mut found)
    }

    /// Follows a value plus a constant; false if it may be something other than an address of a variable.
    fn follow(&self, value: Argument, plus: u32, found: &mut Found) -> bool {
        let value = match value {
            Argument::Constant(0) => return true,
            Argument::Constant(_) => return false,
            Argument::Value(value) => value,
        };
        if !found.seen.insert((value, plus)) {
            return true;
        }
        // A pointer that is incremented in a loop has an unlimited number of values.
        if found.seen.len() > MOST_STEPS {
            return false;
        }
        let Some(writes) = self.writes.get(&value) else {
            return false;
        };
        writes.iter().all(|instruction| {
            let argument = |index: usize| instruction.arguments.get(index).copied();
            match (instruction.operation, argument(0), argument(1)) {
                (
                    Operation::Copy
                    | Operation::AddressOf(Memory::Global)
                    | Operation::ToGeneric(Memory::Global)
                    | Operation::FromGeneric(Memory::Global),
                    Some(from),
                    _,
                ) => self.follow(from, plus, found),
                (Operation::Select, Some(a), Some(b)) => self.follow(a, plus, found) && self.follow(b, plus, found),
                (Operation::Add, Some(from), Some(Argument::Constant(offset))) => {
                    self.follow(from, plus.wrapping_add(offset as u32), found)
                }
                (Operation::Parameter { offset }, ..) if Some(offset) == self.variables_at => {
                    found.places.insert(plus);
                    (plus as usize) < self.bytes.len()
                }
                _ => false,
            }
        })
    }

    /// Returns the address in local memory that a value has, if it is constant.
    fn local(&self, value: Argument, depth: usize) -> Option<u32> {
        let value = match value {
            Argument::Constant(address) => return Some(address as u32),
            Argument::Value(value) => value,
        };
        let mut writes = self.writes.get(&value)?.iter().filter(|instruction| {
            // A parameter of a call is zero before it is written.
            instruction.operation != Operation::Copy || instruction.arguments != [Argument::Constant(0)]
        });
        let (Some(instruction), None) = (writes.next(), writes.next()) else {
            return None;
        };
        let argument = |index: usize| instruction.arguments.get(index).copied();
        let of = |index| {
            argument(index)
                .filter(|_| depth > 0)
                .and_then(|from| self.local(from, depth - 1))
        };
        match instruction.operation {
            Operation::Copy | Operation::AddressOf(Memory::Local) | Operation::ToGeneric(Memory::Local) => of(0),
            Operation::Add => Some(of(0)?.wrapping_add(of(1)?)),
            Operation::Or => Some(of(0)? | of(1)?),
            _ => None,
        }
    }

    /// True if the word at an offset of a struct in local memory is the address of a literal at the end of a block, on
    /// every path to it.
    pub(super) fn is_literal_in_struct(&self, block: BlockIndex, pointer: Value, offset: u32) -> bool {
        const DEPTH: usize = 32;
        let Some(base) = self.local(Argument::Value(pointer), DEPTH) else {
            return false;
        };
        let wanted = base.wrapping_add(offset);
        let mut seen = HashSet::new();
        let mut open = vec![block];
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let Some(block) = self.blocks.get(at) else { return false };
            let stored = block
                .stores
                .iter()
                .rev()
                .find_map(|store| self.stored(store, wanted, DEPTH));
            match stored {
                Some(Some(value)) if self.is_literal(value) => {}
                Some(_) => return false,
                // There is no store on this path from the entry.
                None if block.predecessors.is_empty() => return false,
                None => open.extend(&block.predecessors),
            }
        }
        true
    }

    /// Returns the value that a store writes to a word in local memory: `None` if it does not write the word,
    /// `Some(None)` if it writes only a part of it.
    fn stored(&self, store: &Instruction, wanted: u32, depth: usize) -> Option<Option<Argument>> {
        let Operation::Store { memory, offset } = store.operation else {
            return None;
        };
        if !matches!(memory, Memory::Generic | Memory::Local) {
            return None;
        }
        let (base, values) = store.arguments.split_first()?;
        let begin = self.local(*base, depth)?.wrapping_add(offset as u32);
        let size = bytes(store.ty);
        let distance = wanted.wrapping_sub(begin);
        if distance >= size * values.len() as u32 {
            return None;
        }
        let whole = size == 4 && distance % 4 == 0;
        Some(values.get((distance / size) as usize).copied().filter(|_| whole))
    }
}

fn bytes(ty: Type) -> u32 {
    u32::from(ty.bits / 8).max(1)
}
