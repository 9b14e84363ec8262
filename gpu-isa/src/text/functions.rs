//! Programs of several functions, as listings of cubins have them: each begins at address 0.

use crate::set::Set;
use crate::text::failure::{self, ParseError};

/// A function of an assembled program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name, if a line before the function has it: `// function NAME`, or `Function : NAME` as in cuobjdump's
    /// listings.
    pub name: Option<String>,
    /// The number of its first line, from 1.
    pub line: usize,
    /// The machine code.
    pub bytes: Vec<u8>,
}

/// An assembled program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembled {
    /// The functions, in order; a single one without a name if no line has a name.
    pub functions: Vec<Function>,
    /// A missing part of the code, in one sentence.
    pub warning: Option<String>,
}

/// The name in the heading line of a function.
fn name(line: &str) -> Option<&str> {
    let line = line.trim();
    let name = line.strip_prefix("// function ").or(line.strip_prefix("Function :"))?;
    Some(name.trim()).filter(|name| !name.is_empty())
}

impl Set {
    /// Assembles a program of functions. In code with control words each function begins with one.
    ///
    /// # Errors
    /// The errors of all lines.
    pub fn assemble_functions(&self, source: &str) -> Result<Assembled, Vec<ParseError>> {
        // For each function: its name, the number of its first line, and the byte range of its lines.
        let mut parts: Vec<(Option<&str>, usize, usize, usize)> = vec![(None, 1, 0, 0)];
        let mut at = 0;
        for (number, line) in (1..).zip(source.split_inclusive('\n')) {
            at += line.len();
            if let Some(name) = name(line) {
                parts.push((Some(name), number + 1, at, at));
            }
            if let Some(last) = parts.last_mut() {
                last.3 = at;
            }
        }
        let mut assembled = Assembled::default();
        let mut errors = Vec::new();
        let (mut instructions, mut has_control) = (0, false);
        for (name, line, from, to) in parts {
            let part = self.assemble_lines(&source[from..to], line);
            errors.extend(part.errors);
            instructions += part.instructions;
            has_control |= part.has_control;
            if name.is_some() || !part.bytes.is_empty() {
                let name = name.map(str::to_string);
                let bytes = part.bytes;
                assembled.functions.push(Function { name, line, bytes });
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        if self.control.is_some() && instructions > 0 && !has_control {
            assembled.warning = Some(format!(
                "no line has control codes, so the {instructions} instruction{} lack stall counts and barriers: \
                 default control words are inserted",
                if instructions == 1 { "" } else { "s" }
            ));
        }
        Ok(assembled)
    }

    /// Assembles a program; its functions follow one another.
    ///
    /// # Errors
    /// The errors of all lines.
    pub fn assemble(&self, source: &str) -> Result<Vec<u8>, Vec<ParseError>> {
        let assembled = self.assemble_functions(source)?;
        assembled.joined(self).map_err(|error| vec![error])
    }
}

impl Assembled {
    /// The concatenated functions.
    ///
    /// # Errors
    /// A function would not begin at a control word.
    pub fn joined(&self, set: &Set) -> Result<Vec<u8>, ParseError> {
        let mut bytes: Vec<u8> = Vec::new();
        for function in self.functions.iter().filter(|function| !function.bytes.is_empty()) {
            if set.control.is_some() && !set.is_control(bytes.len() as u64) {
                let message = format!(
                    "function `{}` would begin at {:#x}, where a control word is not possible; pad the functions, or \
                     put each into a separate cubin",
                    function.name.as_deref().unwrap_or(""),
                    bytes.len()
                );
                return Err(failure::error(function.line.max(2) - 1, "", (0, 0), message));
            }
            bytes.extend_from_slice(&function.bytes);
        }
        Ok(bytes)
    }
}
