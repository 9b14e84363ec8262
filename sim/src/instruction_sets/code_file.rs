//! Files of code of the other sets: raw bytes (`.bin`), digits (`.hex`), and the functions of an ELF cubin.

use super::words::{digits, is_in_bytes};
use crate::files::error::{io_reason, read_text, FileError};
use crate::files::hex::fields;
use crate::files::input;
use flexgrip_gpu_isa::{Kind, Set};
use flexgrip_isa::cubin::read_cubin_code;
use flexgrip_trace::extension::extension;
use std::fmt::Write;
use std::path::Path;

/// The kinds of files, for errors.
const CODE_FILES: &str = "expected a .bin, a .hex or a .cubin file, by its extension";

/// Code with the name of its function, if the file has names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The function.
    pub function: Option<String>,
    /// Its bytes in the order of memory.
    pub bytes: Vec<u8>,
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    input::read(path).map_err(|error| FileError::whole(path, format!("cannot read the code: {}", io_reason(&error))))
}

/// Reads a file of code.
///
/// # Errors
/// The extension is none of the three, the file cannot be read or is malformed, or a cubin is for another architecture.
pub fn read_code(set: &'static Set, path: &Path) -> Result<Vec<Code>, FileError> {
    match extension(path).as_str() {
        "bin" => Ok(vec![Code {
            function: None,
            bytes: read_bytes(path)?,
        }]),
        "hex" => Ok(vec![Code {
            function: None,
            bytes: read_hex(set, path)?,
        }]),
        "cubin" => read_cubin(set, path),
        _ => Err(FileError::whole(path, CODE_FILES)),
    }
}

fn read_cubin(set: &'static Set, path: &Path) -> Result<Vec<Code>, FileError> {
    let code = read_cubin_code(&read_bytes(path)?).map_err(|error| FileError::whole(path, error.to_string()))?;
    let own = flexgrip_gpu_isa::of_architecture(code.architecture);
    if own.is_none_or(|own| own.name != set.name) {
        let hint = own.map_or(String::new(), |own| {
            format!("; `--isa {}` has its instructions", own.name)
        });
        let message = format!(
            "this cubin is for sm_{}; expected one for {}{hint}",
            code.architecture, set.name
        );
        return Err(FileError::whole(path, message));
    }
    let functions = code.functions.into_iter().map(|(name, bytes)| Code {
        function: Some(name),
        bytes,
    });
    Ok(functions.collect())
}

/// The line with each `/* */` and comma as spaces.
fn without_marks(line: &str) -> String {
    let mut text = line.replace(',', " ");
    while let Some(begin) = text.find("/*") {
        let end = text[begin..].find("*/").map_or(text.len(), |end| begin + end + 2);
        let spaces = " ".repeat(text[begin..end].chars().count());
        text.replace_range(begin..end, &spaces);
    }
    text
}

/// Reads digits. In a set of words, 2 digits are a byte, 8 and 16 a word of 32 and 64 bits with its most significant digit
/// first; in a set of bytes any even number of digits are bytes in the order of memory.
fn read_hex(set: &Set, path: &Path) -> Result<Vec<u8>, FileError> {
    let text = read_text(path, "code")?;
    let mut bytes = Vec::new();
    for (line, source) in (1..).zip(text.lines()) {
        for (column, field) in fields(&without_marks(source)) {
            let word = word_bytes(set, field).ok_or_else(|| {
                let expected = match is_in_bytes(set) {
                    true => "bytes of 2 hexadecimal digits each",
                    false => "a byte of 2, or a word of 8 or 16 hexadecimal digits",
                };
                FileError::at(path, line, column, format!("expected {expected}, found `{field}`"))
            })?;
            bytes.extend(word);
        }
    }
    Ok(bytes)
}

/// The bytes of a field of a `.hex` file.
fn word_bytes(set: &Set, field: &str) -> Option<Vec<u8>> {
    let digits = field.strip_prefix("0x").unwrap_or(field);
    let whole = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !whole || digits.len() % 2 == 1 {
        return None;
    }
    let pairs = (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok());
    let bytes: Vec<u8> = pairs.collect::<Option<_>>()?;
    match (is_in_bytes(set), bytes.len()) {
        (true, _) | (false, 1) => Some(bytes),
        (false, 4 | 8) => Some(bytes.into_iter().rev().collect()),
        _ => None,
    }
}

/// Disassembled code.
pub struct Listing {
    /// The text: address, digits and text a line; the assembler takes it.
    pub text: String,
    /// Lines that are no instructions.
    pub unknown: usize,
    /// All lines but control words.
    pub lines: usize,
}

/// Disassembles code. Control words are left out of the text unless asked for; the assembler takes it either way.
pub fn listing(set: &'static Set, code: &[Code], control: bool) -> Listing {
    let mut text = String::new();
    let (mut unknown, mut lines) = (0, 0);
    for Code { function, bytes } in code {
        if let Some(function) = function {
            // Writing to a string does not fail.
            let _ = writeln!(text, "// function {function}");
        }
        let listed = set.list(bytes);
        unknown += listed.count(Kind::Data);
        lines += listed.count(Kind::Data) + listed.count(Kind::Instruction);
        let longest = listed
            .lines
            .iter()
            .map(|line| 2 * usize::from(line.bytes))
            .max()
            .unwrap_or(0);
        for line in listed.lines.iter().filter(|line| control || line.kind != Kind::Control) {
            let digits = digits(set, line.word, line.bytes);
            let (address, spaces) = (line.address, " ".repeat(longest - digits.len()));
            let _ = writeln!(text, "/*{address:04x}*/ /*{digits}*/{spaces} {}", line.text);
        }
    }
    Listing { text, unknown, lines }
}

/// Assembles a file of text.
///
/// # Errors
/// The file cannot be read, or lines are wrong: the first ones, each with the wrong text underlined.
pub fn assemble_code(set: &'static Set, path: &Path) -> Result<Vec<u8>, FileError> {
    let text = read_text(path, "program")?;
    set.assemble(&text).map_err(|errors| {
        let mistakes = errors.iter().map(|error| {
            (
                error.line,
                error.column,
                format!("{}\n{}", error.message, error.excerpt()),
            )
        });
        FileError::of_mistakes(path, mistakes)
    })
}

/// Code as a `.hex` file: an instruction a line.
pub fn hex_text(set: &'static Set, bytes: &[u8]) -> String {
    let lines = set
        .words(bytes)
        .map(|(_, word)| digits(set, word.word, word.bytes) + "\n");
    lines.collect()
}

/// The contents of a file of code, of the kind given by its extension.
///
/// # Errors
/// The extension is not `.bin` or `.hex`.
pub fn file_of_code(set: &'static Set, bytes: &[u8], path: &Path) -> Result<Vec<u8>, FileError> {
    match extension(path).as_str() {
        "bin" => Ok(bytes.to_vec()),
        "hex" => Ok(hex_text(set, bytes).into_bytes()),
        _ => Err(FileError::whole(
            path,
            "expected a .bin or a .hex file, by its extension",
        )),
    }
}
