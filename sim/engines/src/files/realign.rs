//! `flexgrip asm --realign`: moves a program's code to 8-byte boundaries, and lists the changes.

use crate::files::error::FileError;
use crate::files::program::{load_program, LoadedProgram};
use flexgrip_isa::realign::{realign, Moved};
use flexgrip_isa::Capability;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// Maximum number of listed places of each kind.
const SHOWN: usize = 8;

/// A move from one byte address to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AddressMove {
    /// The old address.
    pub from: u32,
    /// The new address.
    pub to: u32,
}

/// The changes made. Its serialisation is what `--json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Number of instructions, without fillers.
    pub instructions: usize,
    /// 32-bit words of the new program.
    pub words: usize,
    /// Number of fillers inserted.
    pub fillers: usize,
    /// The fillers' byte addresses.
    pub filler_addresses: Vec<u32>,
    /// Number of branch targets whose address has changed.
    pub mended_targets: usize,
    /// The launch's entry.
    pub entry: AddressMove,
    /// Moved ranges, each given by its first instruction; all code up to the next range moves by the same distance.
    /// Empty if nothing moved.
    pub moved: Vec<AddressMove>,
}

impl Changes {
    fn new(moved: &Moved, entry: AddressMove) -> Self {
        Changes {
            instructions: moved.instructions(),
            words: moved.words.len(),
            fillers: moved.fillers.len(),
            filler_addresses: moved.fillers.clone(),
            mended_targets: moved.mended,
            entry,
            moved: moved
                .steps()
                .into_iter()
                .map(|(from, to)| AddressMove { from, to })
                .collect(),
        }
    }
}

/// The first [`SHOWN`] items, and the number of the others.
fn some(items: &[String], separator: &str) -> String {
    let mut text = items.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(separator);
    if let Some(more) = items.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        text += &format!("{separator}and {more} more");
    }
    text
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "instructions       {}, {} words", self.instructions, self.words)?;
        if self.fillers == 0 {
            return writeln!(f, "fillers            none: all long instructions lie on boundaries");
        }
        let fillers: Vec<String> = self.filler_addresses.iter().map(|at| format!("{at:#06x}")).collect();
        writeln!(f, "fillers            {}, at {}", self.fillers, some(&fillers, ", "))?;
        writeln!(f, "branch targets     {} corrected", self.mended_targets)?;
        match self.entry {
            AddressMove { from, to } if from == to => writeln!(f, "entry              {to:#06x}, as before")?,
            AddressMove { from, to } => writeln!(f, "entry              {to:#06x}, was {from:#06x}")?,
        }
        let moved: Vec<String> = self
            .moved
            .iter()
            .map(|AddressMove { from, to }| format!("from {from:#06x} up, by {} bytes, to {to:#06x}", to - from))
            .collect();
        writeln!(f, "moved              {}", some(&moved, "\n                   "))
    }
}

/// Moves the long instructions of a `.hex` or `.vhd` file to boundaries; returns the words and the changes.
///
/// # Errors
/// The file is of another kind or cannot be read; its code cannot be moved; or no instruction begins at the entry.
pub fn realign_file(path: &Path, entry: u32) -> Result<(Vec<u32>, Changes), FileError> {
    let words = match load_program(path, Capability::V1_0)? {
        LoadedProgram::Words(words) => words,
        LoadedProgram::Assembled(_) => {
            let message = "the assembler puts long instructions on boundaries; --realign is for a .hex or a .vhd file";
            return Err(FileError::whole(path, message));
        }
        LoadedProgram::Cubin(_) => {
            let message = "compilers put long instructions on boundaries; --realign is for a .hex or a .vhd file";
            return Err(FileError::whole(path, message));
        }
    };
    let moved = realign(&words).map_err(|error| FileError::whole(path, format!("cannot be moved: {error}")))?;
    let Some(to) = moved.now(entry) else {
        let message = format!("cannot be moved: no instruction begins at the entry {entry:#06x}");
        return Err(FileError::whole(path, message));
    };
    let changes = Changes::new(&moved, AddressMove { from: entry, to });
    Ok((moved.words, changes))
}
