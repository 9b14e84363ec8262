//! The interface of an instruction set for the commands.

use crate::set::Set;
use crate::text::failure::ParseError;
use crate::text::listed::Listed;
use crate::text::parse::Word;

/// An instruction set for the commands `disasm`, `asm`, `explain` and `isa`.
pub trait InstructionSet {
    /// The name on the command line.
    fn name(&self) -> &str;
    /// The full name.
    fn title(&self) -> &str;
    /// Disassembles a program.
    fn list(&self, bytes: &[u8]) -> Listed;
    /// Assembles a program; on failure returns the errors of all lines.
    fn assemble(&self, source: &str) -> Result<Vec<u8>, Vec<ParseError>>;
    /// The text of a word at address 0; `None` if it is not an instruction.
    fn text(&self, word: u128) -> Option<String>;
    /// The word of a text at address 0.
    fn parse(&self, text: &str) -> Result<Word, ParseError>;
    /// The explanation of a word, bit by bit.
    fn explain(&self, word: u128) -> String;
    /// The set's overview, as Markdown.
    fn overview(&self) -> String;
    /// The page of a mnemonic, as Markdown; `None` if the mnemonic does not exist.
    fn page(&self, name: &str) -> Option<String>;
}

impl Set {
    /// The stem of the mnemonic that is nearest to an unknown name, if one is near enough.
    pub fn nearest(&self, name: &str) -> Option<&'static str> {
        crate::text::failure::nearest(name, self.all_rows().iter().map(|row| row.stem()))
    }
}

impl InstructionSet for Set {
    fn name(&self) -> &str {
        self.name
    }

    fn title(&self) -> &str {
        self.title
    }

    fn list(&self, bytes: &[u8]) -> Listed {
        Set::list(self, bytes)
    }

    fn assemble(&self, source: &str) -> Result<Vec<u8>, Vec<ParseError>> {
        Set::assemble(self, source)
    }

    fn text(&self, word: u128) -> Option<String> {
        self.text_at(word, 0)
    }

    fn parse(&self, text: &str) -> Result<Word, ParseError> {
        self.parse_at(text, 0)
    }

    fn explain(&self, word: u128) -> String {
        self.explain_at(word, 0)
    }

    fn overview(&self) -> String {
        Set::overview(self)
    }

    fn page(&self, name: &str) -> Option<String> {
        Set::page(self, name)
    }
}
