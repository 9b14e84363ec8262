//! The listing of a program: instructions, labels, source lines.

use flexgrip_compiler::printf::records::{Extent, Printer};
use flexgrip_engines::files::error::{read_text, FileError};
use flexgrip_engines::files::launch::Kernel;
use flexgrip_engines::files::program::SourceLines;
use flexgrip_isa::{instructions_at, Capability, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The source text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file.
    pub path: PathBuf,
    /// The lines of the text, without line ends.
    pub lines: Vec<String>,
}

/// A program with labels and lines.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The text and the size, in bytes, of each instruction, by byte address.
    statements: BTreeMap<u32, (String, u32)>,
    /// Byte addresses of labels and kernels, by name.
    labels: BTreeMap<String, u32>,
    /// Source lines, from 1, by byte address.
    lines: BTreeMap<u32, u32>,
    /// The text of the source lines.
    pub source: Option<SourceText>,
    /// Byte address of the kernel's first instruction.
    pub entry: u32,
    /// The calls of `printf` of a kernel in OpenCL C, with the extent of its launch; `None` without calls.
    pub printing: Option<(Printer, Extent)>,
}

impl Code {
    /// Decodes words at a capability, without labels and lines.
    pub fn of_words(words: &[u32], capability: Capability) -> Self {
        let listed = instructions_at(words, capability).map(|listed| {
            let statement = listed.statement(Style::Plain);
            (listed.address as u32, (statement, 4 * listed.words.len() as u32))
        });
        Code {
            statements: listed.collect(),
            ..Code::default()
        }
    }

    /// The listing of a kernel, with labels and lines if its source is known.
    ///
    /// # Errors
    /// The source can no longer be read, or a call of `printf` has a format that OpenCL C does not have.
    pub fn of_kernel(kernel: &Kernel) -> Result<Self, FileError> {
        let (words, capability) = (&kernel.launch.program, kernel.launch.capability);
        let code = match &kernel.source {
            Some(source) => Code::of_source(words, capability, source, &read_text(&source.path, "program")?),
            None => Code::of_words(words, capability),
        };
        let printer = kernel.printing.as_ref().map(Printer::new).transpose();
        let printer = printer.map_err(|error| {
            let path = kernel.source.as_ref().map(|source| &*source.path);
            FileError::whole(path.unwrap_or(Path::new(&kernel.launch.name)), error)
        })?;
        Ok(Code {
            entry: kernel.launch.entry,
            printing: printer.map(|printer| (printer, Extent::from(&kernel.launch))),
            ..code
        })
    }

    /// Decodes words, with labels, lines and source text.
    pub fn of_source(words: &[u32], capability: Capability, source: &SourceLines, text: &str) -> Self {
        let mut code = Code::of_words(words, capability);
        code.labels = source.labels.clone();
        // Data words also have lines, but are not instructions.
        let lines = source.lines.iter().filter(|(pc, _)| code.statements.contains_key(pc));
        code.lines = lines.copied().collect();
        code.source = Some(SourceText {
            path: source.path.clone(),
            lines: text.lines().map(str::to_string).collect(),
        });
        code
    }

    /// The instruction at a byte address.
    pub fn statement(&self, pc: u32) -> Option<&str> {
        self.statements.get(&pc).map(|(text, _)| text.as_str())
    }

    /// All instructions, with their addresses.
    pub fn statements(&self) -> impl Iterator<Item = (u32, &str)> {
        self.statements.iter().map(|(pc, (text, _))| (*pc, text.as_str()))
    }

    /// The size in bytes of the instruction at a byte address.
    pub fn size(&self, pc: u32) -> Option<u32> {
        self.statements.get(&pc).map(|(_, size)| *size)
    }

    /// The label at a byte address.
    pub fn label(&self, pc: u32) -> Option<&str> {
        let found = self.labels.iter().find(|(_, at)| **at == pc);
        found.map(|(name, _)| name.as_str())
    }

    /// The source line, from 1, of the instruction at a byte address.
    pub fn line(&self, pc: u32) -> Option<u32> {
        self.lines.get(&pc).copied()
    }

    /// The file name and source line of the instruction at a byte address.
    pub fn place(&self, pc: u32) -> Option<String> {
        let file = self.source.as_ref()?.path.file_name()?.to_string_lossy();
        Some(format!("{file}:{}", self.line(pc)?))
    }

    /// The text of a source line, from 1.
    pub fn text(&self, line: u32) -> Option<&str> {
        let source = self.source.as_ref()?;
        source.lines.get(line.checked_sub(1)? as usize).map(String::as_str)
    }

    /// Byte addresses at which the code of a line begins: one for each separate part of its code.
    fn of_line(&self, line: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut before = None;
        for (pc, at) in &self.lines {
            if *at == line && before != Some(line) {
                found.insert(*pc);
            }
            before = Some(*at);
        }
        found
    }

    /// The addresses of a location given as text: `0x48`, a label or kernel, `line 12`, or `FILE:12`.
    ///
    /// # Errors
    /// There is no instruction there; the message has the nearest one.
    pub fn resolve(&self, text: &str) -> Result<BTreeSet<u32>, String> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix("0x") {
            let pc = u32::from_str_radix(digits, 16).map_err(|_| format!("`{text}` is not an address"))?;
            if self.statements.contains_key(&pc) {
                return Ok(BTreeSet::from([pc]));
            }
            let before = self.statements.range(..pc).next_back();
            let near = before.map_or(String::new(), |(at, _)| format!("; the previous one is at {at:#x}"));
            return Err(format!("there is no instruction at {pc:#x}{near}"));
        }
        if let Some(pc) = self.labels.get(text) {
            return Ok(BTreeSet::from([*pc]));
        }
        let line = match text.strip_prefix("line ") {
            Some(line) => Some(line),
            None => text.rsplit_once(':').and_then(|(file, line)| {
                let path = &self.source.as_ref()?.path;
                path.ends_with(file).then_some(line)
            }),
        };
        let Some(line) = line else {
            let names: Vec<&str> = self.labels.keys().map(String::as_str).collect();
            let names = match names.as_slice() {
                [] => String::new(),
                names => format!("; labels: {}", names.join(", ")),
            };
            return Err(format!(
                "`{text}` is not a location in the program; expected an address such as 0x48, a label, \
                 or `line 12`{names}"
            ));
        };
        let number: u32 = line
            .trim()
            .parse()
            .map_err(|_| format!("`{line}` is not a line number"))?;
        let found = self.of_line(number);
        if !found.is_empty() {
            return Ok(found);
        }
        let next = self.lines.values().filter(|at| **at > number).min();
        Err(match (self.lines.is_empty(), next) {
            (true, _) => {
                "the program has no line information: it was not assembled or compiled from source text".into()
            }
            (_, Some(next)) => format!("line {number} has no instructions; the next line with instructions is {next}"),
            (_, None) => format!("line {number} has no instructions, nor does any later line"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const TEXT: &str = "\
.kernel first
.registers 4
    MOV R1, R0;
loop:
    IADD R1, R1, R0;
    BRA loop;
";

    fn code() -> Code {
        let program = flexgrip_isa::assemble(TEXT, "first.sass").unwrap();
        let source = SourceLines::of(&program, Path::new("kernels/first.sass")).unwrap();
        Code::of_source(&program.words, Capability::V1_0, &source, TEXT)
    }

    #[test]
    fn locations_are_addresses_labels_or_lines() {
        let code = code();
        let second = *code.resolve("loop").unwrap().first().unwrap();
        assert!(second > 0 && code.line(second) == Some(5), "{second}");
        for text in [
            &format!("{second:#x}"),
            "line 5",
            "first.sass:5",
            "kernels/first.sass:5",
        ] {
            assert_eq!(code.resolve(text), Ok(BTreeSet::from([second])), "{text}");
        }
        assert_eq!(code.resolve("first"), Ok(BTreeSet::from([0])));
        assert_eq!(code.text(5), Some("    IADD R1, R1, R0;"));
        assert_eq!(code.label(second), Some("loop"));
        assert!(code.statement(second).unwrap().contains("IADD"));
    }

    #[test]
    fn missing_locations_suggest_near_ones() {
        let code = code();
        for (text, says) in [
            ("0x2", "there is no instruction at 0x2; the previous one is at 0x0"),
            ("0x", "is not an address"),
            ("line 2", "the next line with instructions is 3"),
            ("line 99", "nor does any later line"),
            ("line x", "is not a line number"),
            ("nowhere", "labels: first, loop"),
            ("other.sass:5", "is not a location"),
        ] {
            let error = code.resolve(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
        let error = Code::of_words(&[0x3000_0003, 0x0000_0780], Capability::V1_0)
            .resolve("line 1")
            .unwrap_err();
        assert!(error.contains("has no line information"), "{error}");
    }
}
