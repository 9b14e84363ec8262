//! Code files of the other instruction sets: raw bytes (`.bin`), hexadecimal digits (`.hex`), and the functions of an
//! ELF cubin.

use super::words::{digits, is_in_bytes};
use flexgrip_engines::files::error::{io_reason, read_text, FileError};
use flexgrip_engines::files::hex;
use flexgrip_engines::files::input;
use flexgrip_gpu_isa::{control_lines, Assembled, Kind, Line, Notation, ParseError, Set};
use flexgrip_isa::cubin::{read_cubin_code, CubinFunction};
use flexgrip_trace::extension::extension;
use std::fmt::Write;
use std::path::Path;

/// The supported kinds of files, as used in messages.
const CODE_FILES: &str = "expected a .bin, a .hex or a .cubin file, by its extension";

/// Code with the name of its function, if the file has names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The name of the function.
    pub function: Option<String>,
    /// The bytes in memory order.
    pub bytes: Vec<u8>,
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    input::read(path).map_err(|error| FileError::whole(path, format!("cannot read the code: {}", io_reason(&error))))
}

/// Reads a file of code.
///
/// # Errors
/// The extension is not supported, the file cannot be read or is malformed, or a cubin is for another architecture.
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
    let functions = cubin_code(set, path, &read_bytes(path)?)?
        .into_iter()
        .map(|function| Code {
            function: Some(function.name),
            bytes: function.bytes,
        });
    Ok(functions.collect())
}

/// The functions of a cubin, if it is for this set.
fn cubin_code(set: &'static Set, path: &Path, file: &[u8]) -> Result<Vec<CubinFunction>, FileError> {
    let code = read_cubin_code(file).map_err(|error| FileError::whole(path, error.to_string()))?;
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
    Ok(code.functions)
}

/// Reads hexadecimal digits. In a set of words, 2 digits are a byte, and 8 or 16 digits a word of 32 or 64 bits, the
/// most significant digit first. In a set of bytes, any even number of digits are bytes in memory order.
fn read_hex(set: &Set, path: &Path) -> Result<Vec<u8>, FileError> {
    let expected = match is_in_bytes(set) {
        true => "bytes of 2 hexadecimal digits each",
        false => "a byte of 2, or a word of 8 or 16 hexadecimal digits",
    };
    hex::read_code(path, expected, |field| word_bytes(set, field))
}

/// The bytes of a field of a `.hex` file.
fn word_bytes(set: &Set, field: &str) -> Option<Vec<u8>> {
    let digits = hex::digits(field).filter(|digits| digits.len() % 2 == 0)?;
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

/// The display of control words in a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Not shown: the listing cannot be assembled again.
    Hidden,
    /// Shown on separate lines.
    Lines,
    /// Shown in another tool's notation.
    As(Notation),
}

/// Disassembled code.
pub struct Listing {
    /// The text: one line with address, digits and instruction each, accepted by the assembler.
    pub text: String,
    /// The number of lines that are not instructions.
    pub unknown: usize,
    /// The number of lines, without control words.
    pub lines: usize,
}

/// Disassembles code. The text assembles to the same bytes if it shows control words or the set has none.
pub fn listing(set: &'static Set, code: &[Code], control: Control) -> Listing {
    let mut text = String::new();
    let (mut unknown, mut lines) = (0, 0);
    let is_exact = control != Control::Hidden || set.control.is_none();
    for Code { function, bytes } in code {
        if let Some(function) = function {
            // Writing to a string does not fail.
            let _ = writeln!(text, "// function {function}");
        }
        let listed = set.list(bytes);
        unknown += listed.count(Kind::Data);
        lines += listed.count(Kind::Data) + listed.count(Kind::Instruction);
        if let Control::As(notation) = control {
            for line in control_lines(set, &listed, notation) {
                let _ = writeln!(text, "{line}");
            }
            continue;
        }
        let longest = listed
            .lines
            .iter()
            .map(|line| 2 * usize::from(line.bytes))
            .max()
            .unwrap_or(0);
        let is_shown = |line: &&Line| control != Control::Hidden || line.kind != Kind::Control;
        for line in listed.lines.iter().filter(is_shown) {
            let digits = digits(set, line.word, line.bytes);
            let (address, spaces) = (line.address, " ".repeat(longest - digits.len()));
            let shown = line.marked(if is_exact { &line.text } else { line.plain() });
            let _ = writeln!(text, "/*{address:04x}*/ /*{digits}*/{spaces} {shown}");
        }
    }
    Listing { text, unknown, lines }
}

/// Assembles a text file.
///
/// # Errors
/// The file cannot be read, or lines are wrong. The message has the first of these lines, each with the wrong text
/// underlined.
pub fn assemble_code(set: &'static Set, path: &Path) -> Result<Assembled, FileError> {
    let text = read_text(path, "program")?;
    set.assemble_functions(&text).map_err(|errors| mistakes(path, &errors))
}

fn mistakes(path: &Path, errors: &[ParseError]) -> FileError {
    let mistakes = errors.iter().map(|error| {
        (
            error.line,
            error.column,
            format!("{}\n{}", error.message, error.excerpt()),
        )
    });
    FileError::of_mistakes(path, mistakes)
}

/// The code of a program from the file `path`, with its functions concatenated.
///
/// # Errors
/// A function would not begin at the position of a control word.
pub fn joined(set: &'static Set, program: &Assembled, path: &Path) -> Result<Vec<u8>, FileError> {
    program
        .joined(set)
        .map_err(|error| FileError::at(path, error.line, error.column, error.message))
}

/// Code as a `.hex` file, with one instruction on each line.
pub fn hex_text(set: &'static Set, bytes: &[u8]) -> String {
    let lines = set
        .words(bytes)
        .map(|(_, word)| digits(set, word.word, word.bytes) + "\n");
    lines.collect()
}

/// The contents of a code file, in the format given by its extension.
///
/// # Errors
/// The extension is not `.bin` or `.hex`.
pub fn file_of_code(set: &'static Set, bytes: &[u8], path: &Path) -> Result<Vec<u8>, FileError> {
    match extension(path).as_str() {
        "bin" => Ok(bytes.to_vec()),
        "hex" => Ok(hex_text(set, bytes).into_bytes()),
        "cubin" => Err(FileError::whole(
            path,
            "a cubin for this set is made from another one by replacing its code: expected `--template FILE.cubin`",
        )),
        _ => Err(FileError::whole(
            path,
            "expected a .bin or a .hex file, by its extension",
        )),
    }
}

/// The cubin `template` with its code replaced by a program from the file `path`. Functions that the program does not
/// name stay; a program without names replaces the template's only function.
///
/// # Errors
/// The template cannot be read, or does not have a function, or has it in a different size.
pub fn cubin_of_code(
    set: &'static Set,
    program: &Assembled,
    path: &Path,
    template: &Path,
) -> Result<Vec<u8>, FileError> {
    let mut file = read_bytes(template)?;
    let old = cubin_code(set, template, &file)?;
    for function in &program.functions {
        let fail = |message: String| FileError::at(path, function.line.max(2) - 1, 1, message);
        let place = match (&function.name, old.as_slice()) {
            (Some(name), _) => old.iter().find(|place| place.name == *name),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let names: Vec<&str> = old.iter().map(|place| place.name.as_str()).collect();
        let Some(place) = place else {
            let (shown, names) = (template.display(), names.join(", "));
            return Err(fail(match &function.name {
                Some(name) => format!("`{shown}` has no function `{name}`; it has {names}"),
                None => {
                    format!("`{shown}` has the functions {names}; expected `// function NAME` before the code of each")
                }
            }));
        };
        if function.bytes.len() != place.bytes.len() {
            return Err(fail(format!(
                "the code of `{}` has {} bytes, which do not fit: expected {}, as in `{}`",
                place.name,
                function.bytes.len(),
                place.bytes.len(),
                template.display()
            )));
        }
        if let Some(bytes) = file.get_mut(place.offset..place.offset + place.bytes.len()) {
            bytes.copy_from_slice(&function.bytes);
        }
    }
    Ok(file)
}
