//! Emission: block layout, SSY and joins, literals, encoding to typed instructions and a program.
//!
//! Each block is laid out as
//!
//! ```text
//! join:   NOP.S          if the block is the join of a region; the target of edges from the region. If there are no
//!                        other edges, the block's first instruction may pop instead
//! head:   SSY ...        for the regions that the usual edge to the block enters
//! block:  ...            the instructions, then the branches
//! ```
//! If an edge enters other regions than the usual edge, its SSY is in a separate piece after the code. A divergent
//! branch in a loop takes the side that leaves: otherwise the threads that stay would fill the stack. If only the
//! loop's region can be open, 31 pushes and its SSY just fit, and the back edge may be taken. If the sides that suit
//! the layout may overflow the stack, the sides that need fewest entries are taken instead.

use crate::analysis::flow::{predecessors, reachable};
use crate::analysis::regions::Regions;
use crate::analysis::stack::{returns, Stack};
use crate::error::{CompileError, SourceLocation};
use crate::machine_ir::{is_access, Block, Code, Destination, End, Instruction, Predicate, Source, Test, Word};
use crate::registers::numbers::{has_number, is_narrow, LITERALS};
use crate::registers::Assignment;
use fixedbitset::FixedBitSet;
use flexgrip_isa::{
    encode, Access, Condition, Destination as Target, Form, Indirect, Marker, Meaning, Operand, Operation,
    Predicate as Guard, RegisterPart,
};
use flexgrip_machine::sizes::{PARAMETER_BANK, STACK_ENTRIES};
use flexgrip_machine::Fence;
use std::collections::HashMap;

/// The constant bank of literals.
pub const LITERAL_BANK: u8 = 1;
/// Bytes of an instruction; short forms are not used.
const SIZE: u32 = 8;
/// A register that reads as zero.
const ZERO: u8 = 124;

/// Encoded code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// The machine code, from byte address 0.
    pub words: Vec<u32>,
    /// Literals in the constant bank, from its byte 0.
    pub literals: Vec<u32>,
    /// Byte address and place of each instruction.
    pub places: Vec<(u32, SourceLocation)>,
    /// Byte addresses of the instructions that read the divisor of an integer division.
    pub divisors: Vec<u32>,
    /// Byte addresses of the barriers that order only one memory in the source.
    pub fences: Vec<(u32, Fence)>,
}

/// The result of emission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Emission {
    /// All code fits.
    Whole(Emitted),
    /// The code has more literals than fit in the bank: all literals of the code.
    Crowded(Vec<u32>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Label {
    Join(usize),
    Head(usize),
    Block(usize),
    Edge(usize, usize),
}

/// Facts about an instruction for a checker.
#[derive(Clone, Copy, Default)]
struct Facts {
    divisor: bool,
    fence: Option<Fence>,
}

/// An element of the layout.
enum Item {
    Label(Label),
    Instruction(Box<Meaning>, Form, SourceLocation, Facts),
    Branch(Option<Guard>, Label, SourceLocation),
    Ssy(Label, SourceLocation),
    Return(Option<Guard>, SourceLocation),
}

struct Emitter<'c> {
    code: &'c Code,
    regions: &'c Regions,
    divergent: &'c FixedBitSet,
    registers: &'c Assignment,
    successors: Vec<Vec<usize>>,
    heads: Vec<Vec<usize>>,
    /// Blocks that only return: a branch to one becomes a return.
    returns: FixedBitSet,
    /// The successor that a divergent branch takes, where the stack depth requires one.
    settled: Vec<Option<usize>>,
    items: Vec<Item>,
    edges: Vec<(usize, usize)>,
    literals: Vec<u32>,
    numbers: HashMap<u32, usize>,
}

/// Lays out and encodes the code.
///
/// # Errors
/// An instruction that the machine does not have.
pub fn emit(
    code: &Code,
    regions: &Regions,
    divergent: &FixedBitSet,
    registers: &Assignment,
) -> Result<Emission, CompileError> {
    let successors = code.successors();
    let predecessors = predecessors(&successors);
    let heads = (0..code.blocks.len())
        .map(|block| head(regions, &predecessors, block))
        .collect();
    let mut emitter = Emitter {
        code,
        regions,
        divergent,
        registers,
        successors,
        heads,
        returns: returns(code, regions),
        settled: Vec::new(),
        items: Vec::new(),
        edges: Vec::new(),
        literals: Vec::new(),
        numbers: HashMap::new(),
    };
    emitter.settle();
    for (index, block) in code.blocks.iter().enumerate() {
        if !emitter.is_return(index) || index == 0 {
            emitter.block(index, block)?;
        }
    }
    if emitter.literals.len() > LITERALS {
        return Ok(Emission::Crowded(emitter.literals));
    }
    emitter.edge_pieces();
    emitter.mark_exits();
    emitter.encode().map(Emission::Whole)
}

/// Returns the regions with an SSY at the head of a block.
fn head(regions: &Regions, predecessors: &[Vec<usize>], block: usize) -> Vec<usize> {
    if block == 0 {
        return regions.entered(None, 0);
    }
    let from = &predecessors[block];
    let leaving = from.iter().find(|&&from| regions.leaves(from, block));
    let before = from.iter().find(|&&from| from + 1 == block);
    match leaving.or(before).or(from.first()) {
        Some(&from) => regions.entered(Some(from), block),
        None => Vec::new(),
    }
}

impl Emitter<'_> {
    fn is_return(&self, block: usize) -> bool {
        self.returns.contains(block)
    }

    /// Selects the taken sides by stack entries, if the sides that suit the layout may need too many.
    fn settle(&mut self) {
        let suggested = |block: usize| {
            let End::Branch { taken, otherwise, .. } = self.code.blocks[block].end else {
                return None;
            };
            Some(usize::from(self.turns(block, taken, otherwise)))
        };
        let stack = |first: &dyn Fn(usize) -> Option<usize>| {
            Stack::new(&self.successors, &self.returns, self.divergent, self.regions, first)
        };
        if stack(&suggested).depth() > STACK_ENTRIES {
            let stack = stack(&|_| None);
            self.settled = (0..self.code.blocks.len()).map(|block| stack.side(block)).collect();
        }
    }

    /// Returns the target of an edge: a separate piece if the edge needs its own SSY.
    fn label(&self, from: usize, to: usize) -> Label {
        if self.regions.leaves(from, to) {
            return Label::Join(to);
        }
        let entered = self.regions.entered(Some(from), to);
        if entered == self.heads[to] {
            Label::Head(to)
        } else if entered.is_empty() {
            Label::Block(to)
        } else {
            Label::Edge(from, to)
        }
    }

    fn target(&mut self, from: usize, to: usize) -> Label {
        let label = self.label(from, to);
        if matches!(label, Label::Edge(..)) && !self.edges.contains(&(from, to)) {
            self.edges.push((from, to));
        }
        label
    }

    /// True if a label is next in the layout.
    fn follows(&self, block: usize, label: Label) -> bool {
        let next = (block + 1..self.code.blocks.len()).find(|&next| !self.is_return(next));
        let Some(next) = next else {
            return false;
        };
        let join = self.regions.is_join(next);
        match label {
            Label::Join(to) => to == next,
            Label::Head(to) => to == next && !join,
            Label::Block(to) => to == next && !join && self.heads[to].is_empty(),
            Label::Edge(..) => false,
        }
    }

    /// True if the first instruction of a join may pop. Each path then executes it for its own threads, so an edge from
    /// outside the region must not lead to the join, and the form must have a marker. (A memory access is excluded: it
    /// would be split into several accesses.)
    fn pops(&self, block: usize, meaning: &Meaning, form: Form) -> bool {
        let within = self
            .successors
            .iter()
            .enumerate()
            .all(|(from, to)| !to.contains(&block) || self.regions.leaves(from, block));
        let memory = is_access(meaning.operation);
        within && block != 0 && self.heads[block].is_empty() && form == Form::Long && !memory
    }

    fn block(&mut self, index: usize, block: &Block) -> Result<(), CompileError> {
        let mut instructions = Vec::with_capacity(block.instructions.len());
        for instruction in &block.instructions {
            let (meaning, form) = self.instruction(instruction)?;
            instructions.push((meaning, form, instruction.place));
        }
        if self.regions.is_join(index) {
            self.items.push(Item::Label(Label::Join(index)));
            let merged = match instructions.first_mut() {
                Some((meaning, form, _)) if self.pops(index, meaning, *form) => {
                    meaning.marker = Marker::Join;
                    true
                }
                _ => false,
            };
            if !merged {
                let pop = Meaning {
                    operation: Operation::Nop,
                    predicate: Guard::ALWAYS,
                    marker: Marker::Join,
                    destination: Target::None,
                    cc_write: None,
                    sources: [None; 3],
                };
                self.items.push(Item::Instruction(
                    Box::new(pop),
                    Form::Long,
                    block.place,
                    Facts::default(),
                ));
            }
        }
        self.items.push(Item::Label(Label::Head(index)));
        for join in self.heads[index].clone() {
            self.items.push(Item::Ssy(Label::Join(join), block.place));
        }
        self.items.push(Item::Label(Label::Block(index)));
        for ((meaning, form, place), instruction) in instructions.into_iter().zip(&block.instructions) {
            let facts = Facts {
                divisor: instruction.divisor,
                fence: instruction.fence,
            };
            self.items
                .push(Item::Instruction(Box::new(meaning), form, place, facts));
        }
        match block.end {
            End::Return => self.items.push(Item::Return(None, block.place)),
            End::Jump(to) => self.jump(index, to, block.place),
            End::Branch { test, taken, otherwise } => {
                let (test, taken, otherwise) = self.sides(index, test, taken, otherwise);
                let guard = guard(test, block.place)?;
                if self.is_return(taken) {
                    self.items.push(Item::Return(Some(guard), block.place));
                } else {
                    let label = self.target(index, taken);
                    self.items.push(Item::Branch(Some(guard), label, block.place));
                }
                self.jump(index, otherwise, block.place);
            }
        }
        Ok(())
    }

    fn jump(&mut self, from: usize, to: usize, place: SourceLocation) {
        if self.is_return(to) {
            self.items.push(Item::Return(None, place));
            return;
        }
        let label = self.target(from, to);
        if !self.follows(from, label) {
            self.items.push(Item::Branch(None, label, place));
        }
    }

    /// Returns the condition of a branch, the taken side, and the side that falls through.
    fn sides(&self, block: usize, test: Test, taken: usize, otherwise: usize) -> (Test, usize, usize) {
        let returns = self.is_return(taken) || self.is_return(otherwise);
        let settled = self.settled.get(block).copied().flatten();
        let turns = match settled.filter(|_| !returns && self.divergent.contains(block)) {
            Some(side) => side == 1,
            None => self.turns(block, taken, otherwise),
        };
        if !turns {
            return (test, taken, otherwise);
        }
        let turned = Test {
            holds: !test.holds,
            ..test
        };
        (turned, otherwise, taken)
    }

    /// True if the layout is better with the sides exchanged.
    fn turns(&self, block: usize, taken: usize, otherwise: usize) -> bool {
        if self.is_return(taken) {
            return false;
        }
        if self.is_return(otherwise) {
            return true;
        }
        if self.divergent.contains(block) {
            let region = self.regions.innermost(block);
            let join = region.map(|region| region.join);
            let back = |side: usize| reachable(&self.successors, side, join).get(block) == Some(&true);
            let alone = region.is_some_and(|region| region.depth == 0 && !region.has_inner && !region.dead_end);
            match (back(taken), back(otherwise)) {
                (true, false) if !alone => return true,
                (false, true) if !alone => return false,
                _ => {}
            }
        }
        self.follows(block, self.label(block, taken))
    }

    fn edge_pieces(&mut self) {
        for (from, to) in self.edges.clone() {
            let place = self.code.blocks[from].place;
            self.items.push(Item::Label(Label::Edge(from, to)));
            for join in self.regions.entered(Some(from), to) {
                self.items.push(Item::Ssy(Label::Join(join), place));
            }
            self.items.push(Item::Branch(None, Label::Block(to), place));
        }
    }

    /// Replaces a return after an instruction in the long form by that instruction's exit marker.
    fn mark_exits(&mut self) {
        let mut kept: Vec<Item> = Vec::with_capacity(self.items.len());
        for item in self.items.drain(..) {
            if let (Item::Return(None, _), Some(Item::Instruction(meaning, Form::Long, ..))) = (&item, kept.last_mut())
            {
                if meaning.marker == Marker::None && meaning.predicate == Guard::ALWAYS {
                    meaning.marker = Marker::Exit;
                    continue;
                }
            }
            kept.push(item);
        }
        self.items = kept;
    }

    fn register(&self, word: Word, part: RegisterPart) -> Operand {
        Operand::Register {
            index: self.registers.of(word),
            part,
        }
    }

    /// Returns the offset of a literal in its bank.
    fn literal(&mut self, number: u32) -> i32 {
        let at = *self.numbers.entry(number).or_insert_with(|| {
            self.literals.push(number);
            self.literals.len() - 1
        });
        4 * at as i32
    }

    /// The operation of an instruction and the form that encodes it.
    fn instruction(&mut self, instruction: &Instruction) -> Result<(Meaning, Form), CompileError> {
        let place = instruction.place;
        let narrow = is_narrow(instruction.operation);
        let mut sources = [None; 3];
        let mut number = None;
        for (index, source) in instruction.sources.iter().enumerate() {
            sources[index] = match *source {
                None => None,
                Some(Source::Word(word, part)) => Some(self.register(word, part)),
                Some(Source::Immediate(0)) if index == 0 || !has_number(instruction.operation) => {
                    Some(Operand::Register {
                        index: ZERO,
                        part: if narrow && index < 2 {
                            RegisterPart::Low
                        } else {
                            RegisterPart::Full
                        },
                    })
                }
                Some(Source::Immediate(value)) => {
                    number = Some((index, value));
                    Some(Operand::Immediate(value))
                }
                Some(Source::Shared {
                    offset,
                    access,
                    address,
                }) => Some(Operand::Shared {
                    offset: offset as i32,
                    access,
                    indirect: (address != 0).then_some(Indirect {
                        register: address,
                        post_increment: false,
                    }),
                }),
                Some(Source::Parameter { offset, access }) => Some(Operand::Constant {
                    bank: PARAMETER_BANK,
                    offset: offset as i32,
                    access,
                    indirect: None,
                }),
                Some(Source::Local { offset, address }) => Some(Operand::Local {
                    offset: offset as i32,
                    indirect: (address != 0).then_some(Indirect {
                        register: address,
                        post_increment: false,
                    }),
                }),
                Some(Source::Special(number)) => Some(Operand::Special(number)),
                Some(Source::Address(number)) => Some(Operand::Address(number)),
            };
        }
        let predicate = match instruction.test {
            None => Guard::ALWAYS,
            Some(test) => guard(test, place)?,
        };
        let mut meaning = Meaning {
            operation: instruction.operation,
            predicate,
            marker: Marker::None,
            destination: match instruction.destination {
                Destination::None => Target::None,
                Destination::Discard => Target::Discard,
                Destination::Word(word) => Target::Register {
                    index: self.registers.of(word),
                    part: RegisterPart::Full,
                },
                Destination::Half(word) => Target::Register {
                    index: self.registers.of(word),
                    part: RegisterPart::Low,
                },
                Destination::Address(register) => Target::Address(register),
            },
            cc_write: instruction.code,
            sources,
        };
        if matches!(instruction.operation, Operation::Bar { .. } | Operation::Trap) {
            return Ok((meaning, Form::Control));
        }
        let fits = |meaning: &Meaning, form: Form| {
            flexgrip_isa::Instruction::build_at(form, meaning, self.code.capability).is_ok()
        };
        let Some((index, value)) = number else {
            return Ok((meaning, Form::Long));
        };
        if has_number(instruction.operation) {
            return Ok((meaning, Form::Long));
        }
        if predicate == Guard::ALWAYS && instruction.code.is_none() && fits(&meaning, Form::Immediate) {
            return Ok((meaning, Form::Immediate));
        }
        let offset = self.literal(value);
        if let Operation::Mov { width } = instruction.operation {
            meaning.operation = Operation::Mvc { width };
        }
        meaning.sources[index] = Some(Operand::Constant {
            bank: LITERAL_BANK,
            offset,
            // The addend of a 16-bit product has 32 bits.
            access: if narrow && index < 2 { Access::U16 } else { Access::B32 },
            indirect: None,
        });
        Ok((meaning, Form::Long))
    }

    fn encode(self) -> Result<Emitted, CompileError> {
        let mut addresses = HashMap::new();
        let mut at = 0;
        for item in &self.items {
            match item {
                Item::Label(label) => {
                    addresses.insert(*label, at);
                }
                _ => at += SIZE,
            }
        }
        let mut emitted = Emitted {
            words: Vec::new(),
            literals: self.literals,
            places: Vec::new(),
            divisors: Vec::new(),
            fences: Vec::new(),
        };
        for item in &self.items {
            let control = |operation: Operation, predicate: Option<Guard>| Meaning {
                operation,
                predicate: predicate.unwrap_or(Guard::ALWAYS),
                marker: Marker::None,
                destination: Target::None,
                cc_write: None,
                sources: [None; 3],
            };
            let address = |label: &Label, place: &SourceLocation| {
                addresses
                    .get(label)
                    .copied()
                    .ok_or_else(|| CompileError::new(*place, "a branch to a block that was not laid out"))
            };
            let (meaning, form, place) = match item {
                Item::Label(_) => continue,
                Item::Instruction(meaning, form, place, facts) => {
                    let at = 4 * emitted.words.len() as u32;
                    emitted.divisors.extend(facts.divisor.then_some(at));
                    emitted.fences.extend(facts.fence.map(|fence| (at, fence)));
                    (**meaning, *form, *place)
                }
                Item::Branch(guard, label, place) => {
                    let target = address(label, place)?;
                    (control(Operation::Bra { target }, *guard), Form::Control, *place)
                }
                Item::Ssy(label, place) => {
                    let target = address(label, place)?;
                    (control(Operation::Ssy { target }, None), Form::Control, *place)
                }
                Item::Return(guard, place) => (control(Operation::Ret, *guard), Form::Control, *place),
            };
            let instruction = flexgrip_isa::Instruction::build_at(form, &meaning, self.code.capability)
                .map_err(|error| CompileError::new(place, error.to_string()))?;
            emitted.places.push((4 * emitted.words.len() as u32, place));
            let word = encode(&instruction);
            emitted.words.extend([word as u32, (word >> 32) as u32]);
        }
        Ok(emitted)
    }
}

/// The guard for a condition-code register.
fn guard(test: Test, place: SourceLocation) -> Result<Guard, CompileError> {
    match test.predicate {
        Predicate::Code(register) => Ok(Guard {
            register,
            condition: if test.holds { Condition::Ne } else { Condition::Eq },
        }),
        Predicate::Word(_) => Err(CompileError::new(
            place,
            "a condition without a condition-code register",
        )),
    }
}
