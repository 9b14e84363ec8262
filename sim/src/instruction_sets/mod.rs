//! Instructions as text, for the commands: SM 1.0 from its typed table, and the instruction sets of other GPUs from the
//! tables of `flexgrip-gpu-isa`, all with a common trait.
//!
//! - [`sm10`]: SM 1.0 as an instruction set.
//! - [`sm10_words`]: its words on the command line, where a long word may be given as two halves.
//! - [`words`]: the other sets' words on the command line.
//! - [`code_file`]: files of any set's code; [`gxp_file`]: compiled shaders.

pub mod code_file;
pub mod gxp_file;
pub mod sm10;
pub mod sm10_words;
pub mod words;

use flexgrip_gpu_isa::isa::InstructionSet;
use flexgrip_gpu_isa::{set, set_names, sets, Set};
use std::fmt::Write;

/// The name of SM 1.0, the set of this machine and the default of the commands.
pub const SM10: &str = sm10::NAME;

/// The instruction set chosen for a command.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// SM 1.0.
    Sm10,
    /// The set of another GPU.
    Other(&'static Set),
}

impl Choice {
    /// Finds a set by its name.
    ///
    /// # Errors
    /// There is no such set; the message lists all names.
    pub fn named(name: &str) -> Result<Choice, String> {
        if name == SM10 {
            return Ok(Choice::Sm10);
        }
        set(name)
            .map(Choice::Other)
            .ok_or_else(|| format!("expected {SM10}, {}; `flexgrip isa --list` describes them", set_names()))
    }

    /// The set as used by the commands.
    pub fn set(self) -> &'static dyn InstructionSet {
        match self {
            Choice::Sm10 => &sm10::Sm10,
            Choice::Other(set) => set,
        }
    }
}

/// Describes all sets, in a paragraph each: name, number of rows, the share of the words that they cover, and sources.
pub fn list() -> String {
    let mut text = format!(
        "{:<6} {}\n       {} forms of instructions; executed by this machine\n       \
         sources: docs/book, the reference of SM 1.0\n",
        SM10,
        sm10::TITLE,
        flexgrip_isa::table::ROWS.len(),
    );
    for set in sets() {
        let coverage = set.coverage();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n{:<6} {}\n       {} forms of instructions, which cover {:.2} % of all words\n",
            set.name,
            set.title,
            set.all_rows().len(),
            100.0 * coverage.fraction()
        );
        for source in set.sources {
            let _ = writeln!(text, "       source: {}: {}", source.name, source.about);
        }
    }
    text
}
