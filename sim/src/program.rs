//! Programs as text: from the assembler, and back for reports.

use crate::file_error::{read_text, FileError};
use flexgrip_isa::{assemble, Diagnostic, Program};
use std::path::Path;

/// Assembles a `.sass` file.
///
/// # Errors
/// The file cannot be read, or the first of the assembler's diagnostics.
pub fn assemble_file(path: &Path) -> Result<Program, FileError> {
    let text = read_text(path, "program")?;
    assemble(&text, &path.display().to_string()).map_err(|diagnostics| first_error(path, &diagnostics))
}

fn first_error(path: &Path, diagnostics: &[Diagnostic]) -> FileError {
    let Some(first) = diagnostics.first() else {
        return FileError::whole(path, "the program cannot be assembled");
    };
    let mut message = first.message.clone();
    if !first.text.is_empty() {
        message.push_str(&format!(" (at `{}`)", first.text));
    }
    if let Some(suggestion) = &first.suggestion {
        message.push_str(&format!("; {suggestion}"));
    }
    match diagnostics.len() - 1 {
        0 => {}
        1 => message.push_str(" (and one more error)"),
        more => message.push_str(&format!(" (and {more} more errors)")),
    }
    FileError::at(path, first.line as usize, first.column as usize, message)
}

/// An instruction word as a listing shows it: the words, then the text, or what is wrong with it.
pub fn disassemble(word: u64) -> String {
    let (low, high) = (word as u32, (word >> 32) as u32);
    let words = if low & 1 == 1 {
        format!("{low:08x} {high:08x}")
    } else {
        format!("{low:08x}")
    };
    match flexgrip_isa::decode(word) {
        Ok(instruction) => format!("{words}  {instruction}"),
        Err(error) => format!("{words}  ({error})"),
    }
}

/// A program as a listing: byte address, words, text, one instruction a line. What is not an instruction is shown as
/// the word that it is.
pub fn listing(words: &[u32]) -> String {
    let mut text = String::new();
    let mut index = 0;
    while let Some(&low) = words.get(index) {
        let high = if low & 1 == 1 && index % 2 == 0 {
            words.get(index + 1).copied()
        } else {
            None
        };
        let pc = index * 4;
        let word = u64::from(high.unwrap_or(0)) << 32 | u64::from(low);
        let line = match (low & 1, high) {
            (1, None) => {
                format!("{pc:06x}  {low:08x}           (the low half of a long instruction, at no place for one)\n")
            }
            (_, Some(high)) => format!("{pc:06x}  {low:08x} {high:08x}  {}\n", statement(word)),
            (_, None) => format!("{pc:06x}  {low:08x}           {}\n", statement(word)),
        };
        text.push_str(&line);
        index += if high.is_some() { 2 } else { 1 };
    }
    text
}

fn statement(word: u64) -> String {
    match flexgrip_isa::decode(word) {
        Ok(instruction) => instruction.to_string(),
        Err(error) => format!("({error})"),
    }
}
