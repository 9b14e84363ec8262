//! Programs: loaded from files, and converted to text and to files for other tools.

use crate::files::error::{io_reason, read_text, FileError};
use crate::files::hex::read_program_words;
use crate::files::input::{self, is_standard_input};
use crate::files::vhdl::{read_vhdl, vhdl_text};
use flexgrip_isa::cubin::{read_cubin, write_cubin, Cubin, CubinError, CubinKernel, CubinPlace, SymbolSpace};
use flexgrip_isa::{assemble_at, decode_first, instructions_at, listing_at, Capability, Diagnostic, Program, Style};
use flexgrip_trace::extension::extension;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Labels and lines of a program's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLines {
    /// The source's file.
    pub path: PathBuf,
    /// Byte addresses of labels and kernels, by name.
    pub labels: BTreeMap<String, u32>,
    /// Byte address and line (from 1) of each instruction with a line, by ascending address.
    pub lines: Vec<(u32, u32)>,
    /// Byte addresses and exact places, with columns and with included files, by ascending address; may be empty.
    pub places: Vec<(u32, String)>,
}

impl SourceLines {
    /// The lines of a program from the file `path`; `None` if no instruction has a line.
    pub fn of(program: &Program, path: &Path) -> Option<Self> {
        let mut labels = program.labels.clone();
        for kernel in &program.kernels {
            labels.entry(kernel.name.clone()).or_insert(kernel.entry);
        }
        let lines = program.lines.clone();
        (!lines.is_empty()).then(|| SourceLines {
            path: path.to_path_buf(),
            labels,
            lines,
            places: Vec::new(),
        })
    }

    /// File, line and, if known, column of the instruction at byte address `pc`; the file alone if its line is not
    /// known.
    pub fn exact_place(&self, pc: u32) -> String {
        if let Ok(at) = self.places.binary_search_by_key(&pc, |(pc, _)| *pc) {
            return self.places[at].1.clone();
        }
        let path = self.path.display();
        match self.lines.binary_search_by_key(&pc, |(pc, _)| *pc) {
            Ok(at) => format!("{path}:{}", self.lines[at].1),
            Err(_) => path.to_string(),
        }
    }

    /// File name and line of the instruction at byte address `pc`, if known.
    pub fn place(&self, pc: u32) -> Option<String> {
        let at = self.lines.binary_search_by_key(&pc, |&(pc, _)| pc).ok()?;
        let file = self.path.file_name()?.to_string_lossy();
        self.lines.get(at).map(|(_, line)| format!("{file}:{line}"))
    }

    /// The [`SourceLines::place`] of each instruction with a line, by byte address.
    pub fn places(&self) -> BTreeMap<u32, String> {
        let places = self.lines.iter().filter_map(|(pc, _)| Some((*pc, self.place(*pc)?)));
        places.collect()
    }
}

/// The contents of a program file.
pub enum LoadedProgram {
    /// Words without names: `.hex` and `.vhd`.
    Words(Vec<u32>),
    /// Assembly text: `.sass`.
    Assembled(Program),
    /// A compiler's kernels: `.cubin`.
    Cubin(Cubin),
}

/// The kinds of program files, for errors.
const PROGRAM_FILES: &str = "unknown kind of program; expected a .sass, .hex, .cubin or .vhd file";

/// True if the file's extension is a program's.
pub fn is_program_file(path: &Path) -> bool {
    matches!(extension(path).as_str(), "hex" | "sass" | "cubin" | "vhd")
}

/// True for a file of OpenCL C: standard input, a `.cl` or `.ocl` file, and any other file that is neither a launch
/// file nor a program, if options for OpenCL C are given (`asked`) or its text contains a kernel.
#[must_use]
pub fn is_opencl_file(path: &Path, asked: bool) -> bool {
    match extension(path).as_str() {
        _ if is_standard_input(path) => true,
        _ if path.is_dir() => false,
        "cl" | "ocl" => true,
        "toml" => false,
        _ if is_program_file(path) => false,
        _ if asked => path.is_file(),
        _ => path.is_file() && std::fs::read(path).is_ok_and(|bytes| has_kernel(&String::from_utf8_lossy(&bytes))),
    }
}

/// True if a text contains the beginning of a kernel, such as `kernel void` or `__kernel __attribute__`.
fn has_kernel(text: &str) -> bool {
    let words = text.split_whitespace();
    let pairs = words.clone().zip(words.skip(1));
    let begins = |word: &str| ["void", "__attribute__"].iter().any(|begin| word.starts_with(begin));
    pairs
        .into_iter()
        .any(|(word, next)| matches!(word, "kernel" | "__kernel") && begins(next))
}

/// Checks that a file name has a program's extension.
///
/// # Errors
/// A message that lists the extensions.
pub fn check_program_name(path: &Path) -> Result<(), String> {
    if is_program_file(path) {
        Ok(())
    } else {
        Err(format!("`{}`: {PROGRAM_FILES}", path.display()))
    }
}

/// Loads a program, of the kind given by its extension. Assembly text has the instructions of a capability.
///
/// # Errors
/// The extension is not a program's, or the file cannot be read; the error has its location.
pub fn load_program(path: &Path, capability: Capability) -> Result<LoadedProgram, FileError> {
    match extension(path).as_str() {
        "sass" => assemble_file(path, capability).map(LoadedProgram::Assembled),
        "hex" => read_program_words(path).map(LoadedProgram::Words),
        "vhd" => read_vhdl(path).map(LoadedProgram::Words),
        "cubin" => load_cubin(path).map(LoadedProgram::Cubin),
        _ => Err(FileError::whole(path, PROGRAM_FILES)),
    }
}

/// Loads a cubin, ELF or text.
///
/// # Errors
/// The file cannot be read, or is malformed.
pub fn load_cubin(path: &Path) -> Result<Cubin, FileError> {
    let bytes = input::read(path)
        .map_err(|error| FileError::whole(path, format!("cannot read the program: {}", io_reason(&error))))?;
    read_cubin(&bytes).map_err(|error| cubin_error(path, &error))
}

/// A cubin's error, located in its file.
pub fn cubin_error(path: &Path, error: &CubinError) -> FileError {
    match error.place {
        CubinPlace::Line(line, column) => FileError::at(path, line, column, error.message.as_str()),
        // A byte offset is not a line, so it is part of the message.
        CubinPlace::Byte(_) => FileError::whole(path, error.to_string()),
    }
}

/// Converts a program to the contents of a file, of the kind given by its extension.
///
/// # Errors
/// The extension is not an output format's, or the program does not fit the format.
pub fn program_file(program: &Program, path: &Path) -> Result<Vec<u8>, FileError> {
    match extension(path).as_str() {
        "cubin" => write_cubin(program).map_err(|error| FileError::whole(path, error.message)),
        "mif" => Ok(mif_text_at(&program.words, program.capability).into_bytes()),
        "hex" | "vhd" => words_file(&program.words, path),
        _ => Err(FileError::whole(
            path,
            "unknown kind of output; expected a .hex, .cubin, .mif or .vhd file",
        )),
    }
}

/// Converts code without names to the contents of a file, of the kind given by its extension.
///
/// # Errors
/// The extension is not an output format's, or the code does not fit the format.
pub fn words_file(words: &[u32], path: &Path) -> Result<Vec<u8>, FileError> {
    match extension(path).as_str() {
        "hex" => Ok(hex_text(words).into_bytes()),
        "vhd" => Ok(vhdl_text(words).into_bytes()),
        "mif" if words.is_empty() => Err(FileError::whole(
            path,
            "the program is empty; expected at least one word for a memory initialisation file",
        )),
        "mif" => Ok(mif_text(words).into_bytes()),
        _ => Err(FileError::whole(
            path,
            "unknown kind of output for code without names; expected a .hex, .mif or .vhd file",
        )),
    }
}

/// A program as words, one per line in hexadecimal.
pub fn hex_text(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}\n")).collect()
}

/// A program of capability 1.0 as a Quartus memory initialisation file, with a 32-bit word per address.
pub fn mif_text(words: &[u32]) -> String {
    mif_text_at(words, Capability::V1_0)
}

fn mif_text_at(words: &[u32], capability: Capability) -> String {
    let mut text = format!(
        "WIDTH = 32;\nDEPTH = {};\nADDRESS_RADIX = HEX;\nDATA_RADIX = HEX;\n\nCONTENT BEGIN\n",
        words.len()
    );
    for instruction in instructions_at(words, capability) {
        for (index, word) in (instruction.address / 4..).zip(instruction.words) {
            let line = format!("    {index:04x} : {word:08x};");
            // Writing to a string does not fail.
            let _ = if 4 * index == instruction.address {
                let statement = instruction.statement(Style::Plain);
                writeln!(text, "{line}  -- {:04x}  {statement}", instruction.address)
            } else {
                writeln!(text, "{line}")
            };
        }
    }
    text.push_str("END;\n");
    text
}

/// A listing of a program of any kind, decoded for `capability`, or else for the capability that a cubin or assembly
/// text was made for. For a cubin, each kernel begins with a line with its requirements and ends with its constants.
pub fn program_listing(program: &LoadedProgram, style: Style, capability: Option<Capability>) -> String {
    match program {
        LoadedProgram::Words(words) => listing_at(words, style, capability.unwrap_or_default()),
        LoadedProgram::Assembled(program) => {
            listing_at(&program.words, style, capability.unwrap_or(program.capability))
        }
        LoadedProgram::Cubin(cubin) => {
            let capability = capability.unwrap_or(cubin.capability);
            let mut text = String::new();
            for kernel in &cubin.kernels {
                text.push_str(&kernel_head(cubin, kernel));
                text.push_str(&listing_at(&kernel.words, style, capability));
                text.push_str(&constants_text(&kernel.constants));
                text.push('\n');
            }
            text.push_str(&constants_text(&cubin.constants));
            let variables = cubin
                .symbols
                .iter()
                .filter(|symbol| symbol.space == SymbolSpace::Global);
            let ends = variables.map(|variable| variable.offset.saturating_add(variable.bytes));
            let bytes = cubin
                .globals
                .as_ref()
                .map(|globals| globals.bytes)
                .into_iter()
                .chain(ends)
                .max();
            if let Some(bytes) = bytes {
                // Writing to a string does not fail.
                let _ = writeln!(text, "// {bytes} bytes of variables in global memory");
            }
            text
        }
    }
}

fn kernel_head(cubin: &Cubin, kernel: &CubinKernel) -> String {
    let mut text = format!(
        "// kernel {}: {}, {} registers, shared memory {} bytes, local memory {} bytes",
        kernel.name,
        cubin.capability.architecture(),
        kernel.registers,
        kernel.shared_bytes,
        kernel.local_bytes
    );
    if let Some(bytes) = kernel.parameter_bytes {
        text.push_str(&format!(", parameters {bytes} bytes"));
    }
    if kernel.barriers > 0 {
        text.push_str(&format!(", {} barriers", kernel.barriers));
    }
    if kernel.entry > 0 {
        text.push_str(&format!(", entry {:#x}", kernel.entry));
    }
    text.push('\n');
    text
}

fn constants_text(blocks: &[flexgrip_isa::ConstantBlock]) -> String {
    let mut text = String::new();
    for block in blocks {
        for (row, words) in block.words.chunks(4).enumerate() {
            let address = u64::from(block.offset) + 16 * row as u64;
            text.push_str(&format!("// c[{:#x}] from byte {address:#06x}:", block.bank));
            for word in words {
                text.push_str(&format!(" {word:08x}"));
            }
            text.push('\n');
        }
    }
    text
}

/// Assembles a `.sass` file with the instructions of a capability.
///
/// # Errors
/// The file cannot be read, or does not assemble. Diagnostics show the line and underline the wrong text.
pub fn assemble_file(path: &Path, capability: Capability) -> Result<Program, FileError> {
    let text = read_text(path, "program")?;
    assemble_at(&text, &path.display().to_string(), capability).map_err(|diagnostics| errors(path, &diagnostics))
}

fn errors(path: &Path, diagnostics: &[Diagnostic]) -> FileError {
    let mistakes = diagnostics.iter().map(|diagnostic| {
        let mut message = diagnostic.message.clone();
        if let Some(suggestion) = &diagnostic.suggestion {
            message.push_str(&format!("; {suggestion}"));
        }
        message.push_str(&format!("\n{}", diagnostic.excerpt()));
        (diagnostic.line as usize, diagnostic.column as usize, message)
    });
    FileError::of_mistakes(path, mistakes)
}

/// An instruction word as in a listing: the words, then the text, or the decoding error.
pub fn disassemble(word: u64) -> String {
    let (low, high) = (word as u32, (word >> 32) as u32);
    let words = if low & 1 == 1 {
        format!("{low:08x} {high:08x}")
    } else {
        format!("{low:08x}")
    };
    format!("{words}  {}", instruction_text(word))
}

/// An instruction word as text, or the decoding error in parentheses. A word that 1.0 does not have is the instruction
/// of the first capability that has it.
pub fn instruction_text(word: u64) -> String {
    match decode_first(word) {
        Ok(instruction) => instruction.to_string(),
        Err(error) => format!("({error})"),
    }
}
