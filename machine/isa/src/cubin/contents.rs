//! The contents of a cubin in either format, and the errors in one.

use crate::instruction::decode;
use crate::operation::Operation;
use crate::table::Capability;
use crate::text::assembler::{ConstantBlock, Program};
use std::fmt;
use std::ops::Range;

/// Bytes of shared memory before the parameters.
pub(super) const HEADER_BYTES: u32 = 16;

/// Constant banks of SM 1.x.
pub(super) const BANKS: u32 = 16;

/// The contents of a cubin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cubin {
    /// The compute capability that it was compiled for.
    pub capability: Capability,
    /// The kernels, in the order of the file; names are unique.
    pub kernels: Vec<CubinKernel>,
    /// Initial contents of the constant banks that all kernels share.
    pub constants: Vec<ConstantBlock>,
    /// The module's variables in global memory.
    pub globals: Option<Globals>,
    /// The module's variables in constant and in global memory.
    pub symbols: Vec<CubinSymbol>,
    /// The reason why the kernels can be listed but not run, if there is one: a text cubin does not record which words
    /// hold its variables' addresses.
    pub not_to_run: Option<CubinError>,
    /// Words that hold addresses of global variables. They are relative to the first variable until
    /// [`Cubin::place_globals`] sets its address.
    pub(super) references: Vec<Reference>,
}

impl Cubin {
    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&CubinKernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// Sets the byte address of the variables in global memory, and inserts their addresses into the program. Call it
    /// once if there are [`Cubin::globals`]; without them it does nothing.
    ///
    /// # Errors
    /// The address is not a multiple of the variables' alignment, or the variables placed there do not fit into 32
    /// bits. Nothing is changed then.
    pub fn place_globals(&mut self, address: u32) -> Result<(), String> {
        let Some(globals) = &mut self.globals else {
            return Ok(());
        };
        if address % globals.alignment != 0 {
            return Err(format!(
                "the address {address:#x} of the global variables is not a multiple of {}",
                globals.alignment
            ));
        }
        if address.checked_add(globals.bytes).is_none() {
            return Err(format!(
                "{} bytes of global variables do not fit above the address {address:#x}",
                globals.bytes
            ));
        }
        globals.address = Some(address);
        for reference in std::mem::take(&mut self.references) {
            if let Some(words) = self.words_of(&reference.place) {
                add_at(words, &reference.words, u64::from(address));
            }
        }
        Ok(())
    }

    /// The words of a section.
    pub(super) fn words_of(&mut self, place: &CubinSection) -> Option<&mut Vec<u32>> {
        match *place {
            CubinSection::Code { kernel } => self.kernels.get_mut(kernel).map(|kernel| &mut kernel.words),
            CubinSection::KernelConstant { kernel, block } => {
                let blocks = &mut self.kernels.get_mut(kernel)?.constants;
                blocks.get_mut(block).map(|block| &mut block.words)
            }
            CubinSection::Constant { block } => self.constants.get_mut(block).map(|block| &mut block.words),
            CubinSection::Globals => self.globals.as_mut().map(|globals| &mut globals.words),
        }
    }
}

/// Adds `value` to the number in one or two words, modulo its size.
pub(super) fn add_at(words: &mut [u32], range: &Range<usize>, value: u64) {
    match words.get_mut(range.clone()) {
        Some([word]) => *word = word.wrapping_add(value as u32),
        Some([low, high]) => {
            let sum = (u64::from(*high) << 32 | u64::from(*low)).wrapping_add(value);
            (*low, *high) = (sum as u32, (sum >> 32) as u32);
        }
        _ => {}
    }
}

/// A kernel in a cubin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CubinKernel {
    /// Name, as the compiler mangled it.
    pub name: String,
    /// Code from byte address 0.
    pub words: Vec<u32>,
    /// Byte address of the first instruction; 0 in compilers' files.
    pub entry: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of shared memory per block, including header and parameters.
    pub shared_bytes: u32,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Barriers that a block uses.
    pub barriers: u32,
    /// Bytes of parameters, from shared byte 16, if the file gives it.
    pub parameter_bytes: Option<u32>,
    /// Initial contents of constant banks for this kernel alone. They are applied after [`Cubin::constants`].
    pub constants: Vec<ConstantBlock>,
}

/// Variables in global memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Globals {
    /// Their total size in bytes.
    pub bytes: u32,
    /// Their address must be a multiple of this; a power of 2.
    pub alignment: u32,
    /// Initial contents of the leading variables; the rest start as 0.
    pub words: Vec<u32>,
    /// The byte address of the variables in global memory, after [`Cubin::place_globals`].
    pub address: Option<u32>,
}

/// A variable with a name in a cubin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CubinSymbol {
    /// The variable's name.
    pub name: String,
    /// The variable's memory.
    pub space: SymbolSpace,
    /// Byte offset in the bank, or from the start of the [`Globals`].
    pub offset: u32,
    /// Size in bytes.
    pub bytes: u32,
}

/// The memory that a variable is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolSpace {
    /// In constant memory.
    Constant {
        /// Bank, 0 to 15.
        bank: u32,
    },
    /// In global memory.
    Global,
}

/// One or two words that hold an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) place: CubinSection,
    pub(super) words: Range<usize>,
}

/// A part of a cubin that consists of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CubinSection {
    Code { kernel: usize },
    KernelConstant { kernel: usize, block: usize },
    Constant { block: usize },
    Globals,
}

/// A cubin of an assembled program, for its capability. Every kernel gets the whole code and all constants, because
/// kernels from one source may share both.
impl From<&Program> for Cubin {
    fn from(program: &Program) -> Self {
        let kernels = program.kernels.iter().map(|kernel| {
            let parameter_bytes = (kernel.parameters.len() as u32).saturating_mul(4);
            CubinKernel {
                name: kernel.name.clone(),
                words: program.words.clone(),
                entry: kernel.entry,
                registers: kernel.registers,
                shared_bytes: kernel.shared_bytes.max(HEADER_BYTES.saturating_add(parameter_bytes)),
                local_bytes: 0,
                barriers: barriers(&program.words),
                parameter_bytes: Some(parameter_bytes),
                constants: Vec::new(),
            }
        });
        Cubin {
            capability: program.capability,
            kernels: kernels.collect(),
            constants: program.constants.clone(),
            globals: None,
            symbols: Vec::new(),
            not_to_run: None,
            references: Vec::new(),
        }
    }
}

/// One more than the highest barrier that the code names.
fn barriers(words: &[u32]) -> u32 {
    let mut highest = 0;
    let mut at = 0;
    while let Some(&low) = words.get(at) {
        let high = if low & 1 == 1 { words.get(at + 1).copied() } else { None };
        if let Ok(instruction) = decode(u64::from(high.unwrap_or(0)) << 32 | u64::from(low)) {
            if let Operation::Bar { barrier, .. } = instruction.operation() {
                highest = highest.max(u32::from(barrier) + 1);
            }
        }
        at += if high.is_some() { 2 } else { 1 };
    }
    highest
}

/// A cubin that cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CubinError {
    /// The location of the error in the file.
    pub place: CubinPlace,
    /// The error, and the expected text.
    pub message: String,
}

/// A location in a cubin's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CubinPlace {
    /// Byte offset in an ELF file.
    Byte(u64),
    /// Line and column, both from 1, in a text file.
    Line(usize, usize),
}

impl fmt::Display for CubinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            CubinPlace::Byte(offset) => write!(f, "byte {offset:#x}: {}", self.message),
            CubinPlace::Line(line, column) => write!(f, "{line}:{column}: {}", self.message),
        }
    }
}

impl std::error::Error for CubinError {}

impl CubinError {
    pub(super) fn byte(offset: u64, message: impl Into<String>) -> Self {
        CubinError {
            place: CubinPlace::Byte(offset),
            message: message.into(),
        }
    }
}

/// The error message for an unsupported architecture.
pub(super) fn not_sm1x(found: &str) -> String {
    format!("this cubin is for {found}; expected sm_10, sm_11, sm_12 or sm_13")
}
