//! Static facts about an instruction of the program: its text, its source location, the registers that it reads and
//! writes.

use flexgrip_isa::{decode_first, Instruction, Marker, Operation, Resource, Unit};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The registers of a warp: 128 general ones, four for addresses, four for condition codes.
pub(super) const REGISTERS: usize = 136;

/// An instruction of the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProgramInstruction {
    /// The instruction word.
    pub word: u64,
    /// The disassembly.
    pub text: String,
    /// File and line of the source.
    pub place: Option<String>,
    /// The registers that it reads and writes, by number below [`REGISTERS`]; a half counts as the whole register.
    pub reads: Vec<u8>,
    pub writes: Vec<u8>,
    pub kind: CodeKind,
    /// True if it may end the warp.
    pub may_end: bool,
}

/// The kind of an instruction, which determines how other instructions wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeKind {
    /// A load from global or local memory.
    Load,
    /// A store to global or local memory, with this many registers of each thread.
    Store(u32),
    /// An instruction of the special function units.
    SpecialFunction,
    /// A BAR.
    Barrier,
    /// Everything else.
    Plain,
}

impl CodeKind {
    /// True for a load.
    pub(super) fn is_load(self) -> bool {
        self == CodeKind::Load
    }

    /// The reason of a wait for this instruction's result.
    pub(super) fn reason(self) -> Reason {
        match self {
            CodeKind::Load | CodeKind::Store(_) => Reason::Memory,
            CodeKind::SpecialFunction => Reason::SpecialFunction,
            CodeKind::Barrier | CodeKind::Plain => Reason::Arithmetic,
        }
    }
}

/// The reason why a warp's next instruction has not been issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reason {
    /// The warp waits at a barrier, or for the barrier unit.
    Barrier,
    /// The branch unit has not determined yet where the warp continues.
    Branch,
    /// The operand collector is still gathering the last instruction's operand.
    Collector,
    /// A load's result; at the warp's end also a store.
    Memory,
    /// A special function's result.
    SpecialFunction,
    /// The result of any other unit.
    Arithmetic,
    /// Any other reason: fetch, decode, the warp's turn, or a full unit.
    Turn,
}

impl Reason {
    /// The name of the wait in viewers.
    pub(super) fn name(self) -> &'static str {
        match self {
            Reason::Barrier => "wait: barrier",
            Reason::Branch => "wait: branch",
            Reason::Collector => "wait: collector",
            Reason::Memory => "wait: memory",
            Reason::SpecialFunction => "wait: special function",
            Reason::Arithmetic => "wait: arithmetic",
            Reason::Turn => "wait: turn",
        }
    }
}

/// The number of a register; `None` for other resources.
fn register(resource: Resource) -> Option<u8> {
    match resource {
        Resource::Register { index, .. } => Some(index & 127),
        Resource::Address(index) => Some(128 + (index.wrapping_sub(1) & 3)),
        Resource::ConditionCode(index) => Some(132 + (index & 3)),
        _ => None,
    }
}

/// The name of the register with this number.
pub(super) fn register_name(register: u8) -> String {
    match register {
        0..=127 => format!("R{register}"),
        128..=131 => format!("A{}", register - 127),
        _ => format!("C{}", register - 132),
    }
}

fn kind(instruction: &Instruction) -> CodeKind {
    match instruction.operation() {
        Operation::Gld { .. } | Operation::Lld { .. } | Operation::Atomic { .. } => CodeKind::Load,
        Operation::Gst { access, .. } | Operation::Lst { access } => CodeKind::Store(access.bytes().div_ceil(4)),
        Operation::Bar { .. } => CodeKind::Barrier,
        _ if instruction.row().unit == Unit::SpecialFunction => CodeKind::SpecialFunction,
        _ => CodeKind::Plain,
    }
}

impl ProgramInstruction {
    fn new(word: u64, place: Option<String>) -> Self {
        let Ok(instruction) = decode_first(word) else {
            // The machine refuses the word, so it is never executed.
            return ProgramInstruction {
                word,
                text: format!(".word {word:#x}"),
                place,
                reads: Vec::new(),
                writes: Vec::new(),
                kind: CodeKind::Plain,
                may_end: false,
            };
        };
        let registers = |resources: Vec<Resource>| resources.into_iter().filter_map(register).collect();
        let ends = matches!(instruction.operation(), Operation::Ret | Operation::Kil);
        ProgramInstruction {
            word,
            text: instruction.to_string(),
            place,
            reads: registers(instruction.reads()),
            writes: registers(instruction.writes()),
            kind: kind(&instruction),
            may_end: ends || instruction.marker() == Marker::Exit,
        }
    }
}

/// The instructions of a program, decoded at their first execution.
#[derive(Debug)]
pub(super) struct Codes {
    known: FxHashMap<u32, Rc<ProgramInstruction>>,
    /// File and line of the source, by byte address.
    places: BTreeMap<u32, String>,
}

impl Codes {
    pub(super) fn new(places: BTreeMap<u32, String>) -> Self {
        Codes {
            known: FxHashMap::default(),
            places,
        }
    }

    /// The instruction at byte address `pc`.
    pub(super) fn at(&mut self, pc: u32, word: u64) -> Rc<ProgramInstruction> {
        if let Some(code) = self.known.get(&pc).filter(|code| code.word == word) {
            return code.clone();
        }
        let code = Rc::new(ProgramInstruction::new(word, self.places.get(&pc).cloned()));
        self.known.insert(pc, code.clone());
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> ProgramInstruction {
        let program = flexgrip_isa::assemble(text, "t").unwrap();
        let word = program
            .words
            .iter()
            .rev()
            .fold(0, |word, part| word << 32 | u64::from(*part));
        ProgramInstruction::new(word, None)
    }

    fn names(registers: &[u8]) -> Vec<String> {
        registers.iter().copied().map(register_name).collect()
    }

    #[test]
    fn registers_have_their_names() {
        let load = code("GLD.S64 R4, global14[R1]");
        assert_eq!(
            (names(&load.reads), names(&load.writes)),
            (vec!["R1".into()], vec!["R4".into(), "R5".into()])
        );
        assert_eq!((load.kind, load.kind.reason()), (CodeKind::Load, Reason::Memory));
        let set = code("ISET.C1 o[0x7f], R0, R7, EQ");
        assert_eq!(names(&set.writes), ["C1"]);
        assert_eq!(set.kind.reason(), Reason::Arithmetic);
        assert_eq!(names(&code("MOV R8 (C1.NE), R2").reads), ["C1", "R2"]);
        assert_eq!(names(&[127, 128, 131, 132, 135]), ["R127", "A1", "A4", "C0", "C3"]);
    }

    #[test]
    fn kinds_are_distinguished() {
        assert_eq!(code("GST.S128 global14[R0], R4").kind, CodeKind::Store(4));
        assert_eq!(code("RCP R1, R2").kind, CodeKind::SpecialFunction);
        assert_eq!(code("BAR.ARV.WAIT b0, 0xfff").kind, CodeKind::Barrier);
        let exit = code("RET");
        assert!(exit.may_end && !code("BRA 0").may_end);
        assert_eq!(exit.text, "RET");
        let none = ProgramInstruction::new(u64::MAX, Some("k.sass:3".into()));
        assert!(none.text.starts_with(".word"), "{}", none.text);
    }

    #[test]
    fn cached_instructions_change_with_their_word() {
        let mut codes = Codes::new(BTreeMap::new());
        let first = codes.at(8, 0x0000_0780_3000_0003);
        assert!(Rc::ptr_eq(&first, &codes.at(8, 0x0000_0780_3000_0003)));
        assert_ne!(codes.at(8, 0xc410_0780_3002_0009).text, first.text);
    }
}
