//! A disassembled program, line by line.

use std::borrow::Cow;

/// The kind of a line in a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instruction.
    Instruction,
    /// A control word.
    Control,
    /// Bytes that no row covers.
    Data,
    /// Zeros after the end of a program.
    Padding,
}

/// A line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Address in bytes, from the beginning of the program.
    pub address: u64,
    /// The word, of `bytes` bytes; the first byte is the lowest.
    pub word: u128,
    /// Length in bytes.
    pub bytes: u8,
    /// The kind of the line.
    pub kind: Kind,
    /// The text; it assembles to the same bytes.
    pub text: String,
    /// The text for readers, if it differs: without bits that have no meaning.
    pub plain: Option<String>,
    /// True after a word of unknown length: the line may begin within an instruction.
    pub unsure: bool,
}

impl Line {
    /// The text for readers.
    pub fn plain(&self) -> &str {
        self.plain.as_ref().unwrap_or(&self.text)
    }

    /// A text of the line, with a comment if the line is unsure.
    pub fn marked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.unsure {
            true => format!("{text}  // unsure").into(),
            false => text.into(),
        }
    }
}

/// A disassembled program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// All lines; their bytes, without a gap, are the program.
    pub lines: Vec<Line>,
}

impl Listed {
    /// The number of lines of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.lines.iter().filter(|line| line.kind == kind).count()
    }

    /// The text for the assembler: a line for each, control words as `.control` lines.
    pub fn source(&self) -> String {
        self.joined(|_| true, |line| &line.text)
    }

    /// The text for readers, without control words.
    pub fn plain(&self) -> String {
        self.joined(|line| line.kind != Kind::Control, Line::plain)
    }

    fn joined(&self, shown: impl Fn(&Line) -> bool, of: impl Fn(&Line) -> &str) -> String {
        let mut text = String::new();
        for line in self.lines.iter().filter(|line| shown(line)) {
            text.push_str(&line.marked(of(line)));
            text.push('\n');
        }
        text
    }
}
