//! SM 1.0 as an instruction set. It keeps its typed table, which has the facts that model and circuits need.

use flexgrip_gpu_isa::isa::InstructionSet;
use flexgrip_gpu_isa::text::print::data_text;
use flexgrip_gpu_isa::{Kind, Line, Listed, ParseError, Word};
use flexgrip_isa::reference::{text_overview, text_page};
use flexgrip_isa::{assemble, decode, explain, instructions, Diagnostic, Instruction};

/// The name on the command line.
pub const NAME: &str = "sm10";

/// The full name.
pub const TITLE: &str = "NVIDIA compute capability 1.0, the G80";

/// SM 1.0.
#[derive(Clone, Copy, Debug)]
pub struct Sm10;

fn parse_error(diagnostic: &Diagnostic) -> ParseError {
    let message = match &diagnostic.suggestion {
        Some(suggestion) => format!("{}; {suggestion}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    ParseError {
        line: diagnostic.line as usize,
        column: diagnostic.column as usize,
        width: diagnostic.text.chars().count().max(1),
        message,
        text: diagnostic.source_line.clone(),
    }
}

impl InstructionSet for Sm10 {
    fn name(&self) -> &str {
        NAME
    }

    fn title(&self) -> &str {
        TITLE
    }

    fn list(&self, bytes: &[u8]) -> Listed {
        let line = |address: usize, bytes: &[u8], instruction: Option<Instruction>| {
            let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte));
            let (kind, text) = match instruction {
                Some(instruction) => (Kind::Instruction, instruction.to_string()),
                None => (Kind::Data, data_text(word, bytes.len() as u8)),
            };
            Line {
                address: address as u64,
                word,
                bytes: bytes.len() as u8,
                kind,
                text,
                plain: None,
                unsure: false,
            }
        };
        let chunks = bytes.chunks_exact(4);
        let rest = chunks.remainder();
        let words: Vec<u32> = chunks
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        let mut lines: Vec<Line> = instructions(&words)
            .map(|listed| {
                let end = listed.address + 4 * listed.words.len();
                line(listed.address, &bytes[listed.address..end], listed.instruction.ok())
            })
            .collect();
        if !rest.is_empty() {
            lines.push(line(bytes.len() - rest.len(), rest, None));
        }
        Listed { lines }
    }

    fn assemble(&self, source: &str) -> Result<Vec<u8>, Vec<ParseError>> {
        match assemble(source, NAME) {
            Ok(program) => Ok(program.words.iter().flat_map(|word| word.to_le_bytes()).collect()),
            Err(diagnostics) => Err(diagnostics.iter().map(parse_error).collect()),
        }
    }

    fn text(&self, word: u128) -> Option<String> {
        let word = u64::try_from(word).ok()?;
        decode(word).ok().map(|instruction| instruction.to_string())
    }

    fn parse(&self, text: &str) -> Result<Word, ParseError> {
        let bytes = self.assemble(text).map_err(|errors| match errors.into_iter().next() {
            Some(error) => error,
            None => nothing(text),
        })?;
        if bytes.is_empty() {
            return Err(nothing(text));
        }
        Ok(Word {
            word: bytes
                .iter()
                .take(8)
                .rev()
                .fold(0, |word, &byte| word << 8 | u128::from(byte)),
            bytes: bytes.len().min(8) as u8,
        })
    }

    fn explain(&self, word: u128) -> String {
        match u64::try_from(word) {
            Ok(word) => explain(word),
            Err(_) => format!("0x{word:x} has more than 64 bits, which no instruction has\n"),
        }
    }

    fn overview(&self) -> String {
        text_overview()
    }

    fn page(&self, name: &str) -> Option<String> {
        text_page(name).ok()
    }
}

/// The error for a text without an instruction.
fn nothing(text: &str) -> ParseError {
    ParseError {
        line: 1,
        column: 1,
        width: text.chars().count().max(1),
        message: "found no instruction; expected one".into(),
        text: text.into(),
    }
}
