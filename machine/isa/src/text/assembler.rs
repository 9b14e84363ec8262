//! The assembler: the disassembler's text, with labels and a few directives, as a [`Program`].
//!
//! ```text
//! .equ STRIDE, 4 * 32           // named constants, C expressions
//! .kernel add                   // an entry point
//! .registers 5                  // per thread; default: the highest register used, plus 1
//! .shared 44                    // bytes of shared memory, header and parameters included; default: just these
//! .param a                      // parameter words in order: g[a] is the first, at byte 16
//! .param n
//!     ISET.S32.C0 o[0x7f], g[n], R124, LE;
//!     RET C0.NE
//! loop:                         // labels
//!     IADD32I R1, R1, STRIDE
//!     BRA C0.NE, loop
//! .const 1, 0                   // constant bank and byte offset (0 if left out); .code returns to the code
//! table: .word 1, 0xff, -3      // words, here or in the code
//! .code
//! .align 64
//! .short                        // short forms with the same meaning from here, until .long
//! ```
//!
//! A statement ends with its line or with `;`. Comments are `//` to the end of the line and `/* */`. Mnemonics,
//! suffixes and registers may be in lower case; names of labels and symbols are case-sensitive. Parameters and labels
//! in constant memory are byte offsets: in an operand's brackets they count in units of the access, like offsets there,
//! so that `g[a]` and `g[a].U16` are both at `a`.
//!
//! An instruction takes the form that its text names: `IADD` is 8 bytes long, `IADD32` 4. Between `.short` and `.long`,
//! an instruction that also exists in 4 bytes with exactly the same meaning is made short, unless it refers to a label
//! further down, which has no address yet.
//!
//! Long instructions lie on 8-byte boundaries. Where a single short instruction precedes one (or `.align` leaves a
//! gap), `MOV32 R0, R0` fills the gap. It has no effect: a warp instruction reads all of its operands before it writes,
//! a short instruction has neither condition code nor marker, and every thread has an R0.

use crate::effects::highest_register;
use crate::instruction::{encode, Instruction};
use crate::table::Capability;
use crate::text::expression::{evaluate, is_name_part, is_name_start, no_symbols, Symbol};
use crate::text::operand::is_reserved;
use crate::text::piece::{Piece, Problem};
use crate::text::statement::Statement;
use crate::text::suggestions::nearest;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// Filler for gaps in the code: `MOV32 R0, R0`.
pub const FILLER: u32 = 0x1000_8000;

/// Bytes of shared memory before the parameters.
const HEADER_BYTES: u32 = 16;

/// An assembled program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// Code, from byte address 0.
    pub words: Vec<u32>,
    /// The capability with the program's instructions.
    pub capability: Capability,
    /// Entry points, at least one: text without `.kernel` is one kernel `main` at 0.
    pub kernels: Vec<KernelEntry>,
    /// Labels in the code, as byte addresses.
    pub labels: BTreeMap<String, u32>,
    /// Initial contents of constant memory.
    pub constants: Vec<ConstantBlock>,
    /// Source line (from 1) of every instruction and data word, by ascending byte address. Fillers have none.
    pub lines: Vec<(u32, u32)>,
    /// The byte address of every instruction, ascending, and the bytes of the source text that it is made of, without
    /// labels before it.
    pub instructions: Vec<(u32, Range<usize>)>,
}

impl Program {
    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&KernelEntry> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// Source line (from 1) of the instruction or word at byte address `pc`.
    pub fn line(&self, pc: u32) -> Option<u32> {
        let at = self.lines.binary_search_by_key(&pc, |&(pc, _)| pc).ok()?;
        self.lines.get(at).map(|&(_, line)| line)
    }
}

/// An entry point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelEntry {
    /// The name of the kernel, from its directive.
    pub name: String,
    /// The byte address of its first instruction.
    pub entry: u32,
    /// Registers per thread, 1..128. Without `.registers`: enough for every register in the program's text, except R124
    /// to R127, which programs use as zero.
    pub registers: u32,
    /// Bytes of shared memory, including header and parameters.
    pub shared_bytes: u32,
    /// Names of the parameter words, in order.
    pub parameters: Vec<String>,
}

/// Words for constant memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantBlock {
    /// Bank, 0..15.
    pub bank: u32,
    /// Byte offset in the bank.
    pub offset: u32,
    /// The words of the block, lowest address first.
    pub words: Vec<u32>,
}

/// An error in the source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Name of the source, as given to [`assemble`].
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
    /// The faulty text.
    pub text: String,
    /// The error.
    pub message: String,
    /// A suggestion: a similar name, or the valid forms.
    pub suggestion: Option<String>,
    /// The whole source line.
    pub source_line: String,
}

impl Diagnostic {
    /// The line with the faulty text underlined, two lines without a newline at the end.
    pub fn excerpt(&self) -> String {
        let shown: String = self
            .source_line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .collect();
        let before = self.column as usize - 1;
        let length = self.text.chars().count().max(1);
        format!(
            "    {}\n    {}{}",
            shown.trim_end(),
            " ".repeat(before),
            "^".repeat(length)
        )
    }
}

/// `file:line:column: message; suggestion`, then the line with the faulty text underlined.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, "; {suggestion}")?;
        }
        write!(f, "\n{}", self.excerpt())
    }
}

impl std::error::Error for Diagnostic {}

/// Assembles one instruction of capability 1.0, like [`parse_instruction_at`].
///
/// # Errors
/// The errors of [`parse_instruction_at`].
pub fn parse_instruction(text: &str) -> Result<Instruction, Box<Diagnostic>> {
    parse_instruction_at(text, Capability::V1_0)
}

/// Assembles one instruction of a capability: no labels, no names.
///
/// # Errors
/// The first error in the text.
pub fn parse_instruction_at(text: &str, capability: Capability) -> Result<Instruction, Box<Diagnostic>> {
    let (clean, unclosed) = remove_comments(text);
    let problem = match unclosed {
        Some(_) => unclosed_comment(),
        None => {
            let piece = Piece {
                column: 0,
                text: clean.trim_end().trim_end_matches(';'),
            };
            let statement = Statement::new(piece, capability);
            match statement.and_then(|statement| statement.encode(&no_symbols)) {
                Ok(instruction) => return Ok(instruction),
                Err(problem) => problem,
            }
        }
    };
    Err(Box::new(diagnostic("", 1, text, problem)))
}

/// Assembles a source text for capability 1.0, like [`assemble_at`].
///
/// # Errors
/// The errors of [`assemble_at`].
pub fn assemble(text: &str, file: &str) -> Result<Program, Vec<Diagnostic>> {
    assemble_at(text, file, Capability::V1_0)
}

/// Assembles a source text with the instructions of a capability. `file` is only used in diagnostics.
///
/// # Errors
/// One diagnostic for every faulty line.
pub fn assemble_at(text: &str, file: &str, capability: Capability) -> Result<Program, Vec<Diagnostic>> {
    let (clean, unclosed) = remove_comments(text);
    let mut assembler = Assembler {
        capability,
        ..Assembler::default()
    };
    let mut errors = Vec::new();
    if let Some(at) = unclosed {
        let before = &text[..at];
        let mut problem = unclosed_comment();
        problem.column = at - before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() as u32 + 1;
        let line_text = text.lines().nth(line as usize - 1).unwrap_or("");
        errors.push(diagnostic(file, line, line_text, problem));
    }
    for (line, (clean_line, line_text)) in (1u32..).zip(clean.lines().zip(text.lines())) {
        assembler.line_start = clean_line.as_ptr() as usize - clean.as_ptr() as usize;
        for statement in statements(clean_line) {
            if let Err(problem) = assembler.statement(statement, line) {
                errors.push(diagnostic(file, line, line_text, problem));
            }
        }
    }
    assembler.bind_labels();
    let lines: Vec<&str> = text.lines().collect();
    let program = assembler.finish(|line, problem| {
        let line_text = lines.get(line as usize - 1).copied().unwrap_or("");
        errors.push(diagnostic(file, line, line_text, problem));
    });
    if errors.is_empty() {
        Ok(program)
    } else {
        errors.sort_by_key(|error| (error.line, error.column));
        Err(errors)
    }
}

fn diagnostic(file: &str, line: u32, line_text: &str, problem: Problem) -> Diagnostic {
    let characters = line_text
        .char_indices()
        .take_while(|&(at, _)| at < problem.column)
        .count();
    Diagnostic {
        file: file.to_string(),
        line,
        column: characters as u32 + 1,
        text: problem.text,
        message: problem.message,
        suggestion: problem.suggestion,
        source_line: line_text.to_string(),
    }
}

/// Replaces comments with blanks, byte for byte, so that columns stay the same. Also returns the byte offset of a
/// comment that never ends.
fn remove_comments(text: &str) -> (String, Option<usize>) {
    let mut clean = String::with_capacity(text.len());
    let mut unclosed = None;
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        clean.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            match comment.find("*/") {
                Some(end) => end + 4,
                None => {
                    unclosed = Some(clean.len());
                    rest.len()
                }
            }
        } else {
            1
        };
        if length == 1 {
            clean.push('/');
        } else {
            clean.extend(rest[..length].bytes().map(|b| match b {
                b'\n' => '\n',
                b'\r' => '\r',
                _ => ' ',
            }));
        }
        rest = &rest[length..];
    }
    clean.push_str(rest);
    (clean, unclosed)
}

fn unclosed_comment() -> Problem {
    let mut problem = Problem::new(Piece { column: 0, text: "/*" }, "this comment is not closed");
    problem.suggestion = Some("close it with */".to_string());
    problem
}

/// The statements of a line.
fn statements(line: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut column = 0;
    for text in line.split(';') {
        pieces.push(Piece { column, text });
        column += text.len() + 1;
    }
    pieces
}

/// An item that takes up space in the code.
enum Item<'a> {
    /// An instruction, with its byte range in the text.
    Instruction(Statement<'a>, Range<usize>),
    Word(Piece<'a>),
    Filler,
}

struct Placed<'a> {
    address: u32,
    line: u32,
    kernel: Option<usize>,
    item: Item<'a>,
}

/// A constant word, evaluated once all labels are known.
struct ConstantWord<'a> {
    block: usize,
    line: u32,
    kernel: Option<usize>,
    expression: Piece<'a>,
}

#[derive(Default)]
struct UnfinishedKernel {
    name: String,
    entry: u32,
    registers: Option<u32>,
    shared_bytes: Option<u32>,
    parameters: Vec<String>,
}

#[derive(Default)]
struct Assembler<'a> {
    /// Byte offset of the current line in the text.
    line_start: usize,
    /// Next byte address in the code.
    address: u32,
    items: Vec<Placed<'a>>,
    kernels: Vec<UnfinishedKernel>,
    /// Labels and constants of the whole text.
    symbols: BTreeMap<String, Symbol>,
    labels: BTreeMap<String, u32>,
    /// Labels for the next item's address.
    pending: Vec<String>,
    blocks: Vec<ConstantBlock>,
    block_lengths: Vec<u32>,
    constant_words: Vec<ConstantWord<'a>>,
    in_constants: bool,
    /// True between `.short` and `.long`.
    short: bool,
    capability: Capability,
}

const DIRECTIVES: &[&str] = &[
    ".kernel",
    ".registers",
    ".shared",
    ".param",
    ".const",
    ".code",
    ".word",
    ".align",
    ".equ",
    ".short",
    ".long",
];

impl<'a> Assembler<'a> {
    fn statement(&mut self, piece: Piece<'a>, line: u32) -> Result<(), Problem> {
        let mut piece = piece.trim();
        while let Some((label, rest)) = split_label(piece) {
            self.define_label(label)?;
            piece = rest;
        }
        if piece.text.is_empty() {
            return Ok(());
        }
        if piece.text.starts_with('.') {
            return self.directive(piece, line);
        }
        if self.in_constants {
            return Err(Problem::new(
                piece,
                "an instruction among constants; .code switches back to instructions",
            ));
        }
        let mut statement = Statement::new(piece, self.capability)?;
        if self.short {
            let kernel = self.kernels.len().checked_sub(1);
            statement = statement
                .shortened(&|name| self.symbol(name, kernel))
                .unwrap_or(statement);
        }
        self.align(statement.size())?;
        let size = statement.size();
        let start = self.line_start + piece.column;
        let place = start..start + piece.text.len();
        self.place(line, Item::Instruction(statement, place), size)
    }

    fn define_label(&mut self, label: Piece) -> Result<(), Problem> {
        let name = label.text;
        if is_reserved(name) {
            return Err(Problem::new(label, format!("`{name}` is a register, not a label")));
        }
        self.check_new(label)?;
        self.pending.push(name.to_string());
        if self.in_constants {
            self.bind_labels();
        }
        Ok(())
    }

    fn check_new(&self, name: Piece) -> Result<(), Problem> {
        if self.symbols.contains_key(name.text) || self.pending.iter().any(|pending| pending == name.text) {
            return Err(Problem::new(name, format!("`{}` is already defined", name.text)));
        }
        Ok(())
    }

    /// Binds the pending labels to the current address.
    fn bind_labels(&mut self) {
        let offset = self
            .blocks
            .last()
            .zip(self.block_lengths.last())
            .map_or(0, |(block, length)| block.offset + length);
        for name in self.pending.drain(..) {
            if self.in_constants {
                self.symbols.insert(name, Symbol::Bytes(i64::from(offset)));
            } else {
                self.symbols
                    .insert(name.clone(), Symbol::Value(i64::from(self.address)));
                self.labels.insert(name, self.address);
            }
        }
    }

    fn place(&mut self, line: u32, item: Item<'a>, size: u32) -> Result<(), Problem> {
        self.bind_labels();
        self.items.push(Placed {
            address: self.address,
            line,
            kernel: self.kernels.len().checked_sub(1),
            item,
        });
        // Branch targets have 24 bits.
        if self.address >= 1 << 24 {
            return Err(Problem::new(
                Piece { column: 0, text: "" },
                "the program is larger than 16 MiB",
            ));
        }
        self.address += size;
        Ok(())
    }

    /// Pads the code to a multiple of `bytes`.
    fn align(&mut self, bytes: u32) -> Result<(), Problem> {
        // Labels belong to the item after the padding.
        let labels = std::mem::take(&mut self.pending);
        while self.address % bytes != 0 {
            self.place(0, Item::Filler, 4)?;
        }
        self.pending = labels;
        Ok(())
    }

    fn value(&self, piece: Piece) -> Result<i64, Problem> {
        let kernel = self.kernels.len().checked_sub(1);
        evaluate(piece.text, 1, &|name| self.symbol(name, kernel)).map_err(|message| Problem::new(piece, message))
    }

    /// A value between `smallest` and `largest`.
    fn value_in(&self, piece: Piece, smallest: i64, largest: i64) -> Result<u32, Problem> {
        let value = self.value(piece)?;
        if value < smallest || value > largest {
            return Err(Problem::new(
                piece,
                format!("{value} is not between {smallest} and {largest}"),
            ));
        }
        // The bounds are within u32 at every call.
        Ok(value as u32)
    }

    fn symbol(&self, name: &str, kernel: Option<usize>) -> Option<Symbol> {
        let parameter = kernel
            .and_then(|kernel| self.kernels.get(kernel))
            .and_then(|kernel| kernel.parameters.iter().position(|p| p == name));
        match parameter {
            Some(index) => Some(Symbol::Bytes(i64::from(HEADER_BYTES) + 4 * index as i64)),
            None => self.symbols.get(name).copied(),
        }
    }

    fn directive(&mut self, piece: Piece<'a>, line: u32) -> Result<(), Problem> {
        let end = piece.text.find(char::is_whitespace).unwrap_or(piece.text.len());
        let name = Piece {
            column: piece.column,
            text: &piece.text[..end],
        };
        let arguments = Piece {
            column: piece.column + end,
            text: &piece.text[end..],
        }
        .trim()
        .split_commas();
        let lower = name.text.to_ascii_lowercase();
        let wrong = |message: &str| Err(Problem::new(piece, message));
        match lower.as_str() {
            ".kernel" => {
                let [kernel] = arguments[..] else {
                    return wrong("expected .kernel NAME");
                };
                if !is_name(kernel.text) || is_reserved(kernel.text) {
                    return Err(Problem::new(
                        kernel,
                        "expected a name for the kernel: letters, digits, _ and $, and not a register or barrier",
                    ));
                }
                self.check_new(kernel)?;
                self.in_constants = false;
                self.align(8)?;
                // A kernel's name is also a label.
                self.pending.push(kernel.text.to_string());
                self.bind_labels();
                self.kernels.push(UnfinishedKernel {
                    name: kernel.text.to_string(),
                    entry: self.address,
                    ..Default::default()
                });
            }
            ".registers" => {
                let [count] = arguments[..] else {
                    return wrong("expected .registers NUMBER");
                };
                let count = self.value_in(count, 1, 128)?;
                self.kernel(piece)?.registers = Some(count);
            }
            ".shared" => {
                let [bytes] = arguments[..] else {
                    return wrong("expected .shared BYTES");
                };
                let bytes = self.value_in(bytes, i64::from(HEADER_BYTES), 16 * 1024)?;
                self.kernel(piece)?.shared_bytes = Some(bytes);
            }
            ".param" => {
                let [parameter] = arguments[..] else {
                    return wrong("expected .param NAME");
                };
                if !is_name(parameter.text) || is_reserved(parameter.text) {
                    return Err(Problem::new(
                        parameter,
                        "expected a name for the parameter: letters, digits, _ and $, and not a register or barrier",
                    ));
                }
                self.check_new(parameter)?;
                self.kernel(piece)?.parameters.push(parameter.text.to_string());
            }
            ".const" => {
                let (bank, offset) = match arguments[..] {
                    [bank] => (bank, None),
                    [bank, offset] => (bank, Some(offset)),
                    _ => return wrong("expected .const BANK or .const BANK, OFFSET"),
                };
                let bank = self.value_in(bank, 0, 15)?;
                let offset = match offset {
                    Some(piece) => {
                        let offset = self.value_in(piece, 0, CONSTANT_BANK_BYTES - 1)?;
                        if offset % 4 != 0 {
                            return Err(Problem::new(piece, "the offset must be a multiple of 4"));
                        }
                        offset
                    }
                    None => 0,
                };
                self.bind_labels();
                self.in_constants = true;
                self.blocks.push(ConstantBlock {
                    bank,
                    offset,
                    words: Vec::new(),
                });
                self.block_lengths.push(0);
            }
            ".code" => {
                if !arguments.is_empty() {
                    return wrong(".code takes no arguments");
                }
                self.in_constants = false;
            }
            ".short" | ".long" => {
                if !arguments.is_empty() {
                    return wrong(&format!("{lower} takes no arguments"));
                }
                self.short = lower == ".short";
            }
            ".word" => {
                if arguments.is_empty() {
                    return wrong("expected .word NUMBER, ...");
                }
                for argument in arguments {
                    self.word(argument, line)?;
                }
            }
            ".align" => {
                let [bytes] = arguments[..] else {
                    return wrong("expected .align BYTES");
                };
                if self.in_constants {
                    return wrong(".align is for code; .const BANK, OFFSET places constants");
                }
                let value = self.value_in(bytes, 4, 4096)?;
                if !value.is_power_of_two() {
                    return Err(Problem::new(bytes, "the alignment must be a power of two"));
                }
                self.align(value)?;
            }
            ".equ" => {
                let [name, value] = arguments[..] else {
                    return wrong("expected .equ NAME, VALUE");
                };
                if !is_name(name.text) || is_reserved(name.text) {
                    return Err(Problem::new(
                        name,
                        "expected a name for the constant: letters, digits, _ and $, and not a register or barrier",
                    ));
                }
                self.check_new(name)?;
                let value = self.value(value)?;
                self.symbols.insert(name.text.to_string(), Symbol::Value(value));
            }
            _ => {
                let mut problem = Problem::new(name, format!("there is no directive `{}`", name.text));
                problem.suggestion =
                    nearest(&lower, DIRECTIVES.iter().copied()).map(|name| format!("did you mean {name}?"));
                return Err(problem);
            }
        }
        Ok(())
    }

    fn kernel(&mut self, piece: Piece) -> Result<&mut UnfinishedKernel, Problem> {
        self.kernels.last_mut().ok_or_else(|| {
            Problem::new(
                piece,
                "expected .kernel NAME before this line, which belongs to a kernel",
            )
        })
    }

    fn word(&mut self, expression: Piece<'a>, line: u32) -> Result<(), Problem> {
        if !self.in_constants {
            return self.place(line, Item::Word(expression), 4);
        }
        let kernel = self.kernels.len().checked_sub(1);
        let block = self.blocks.len().checked_sub(1);
        let (Some(block), Some(length)) = (block, self.block_lengths.last_mut()) else {
            return Err(Problem::new(expression, "expected .const BANK before constants"));
        };
        let end = self.blocks[block].offset + *length + 4;
        if i64::from(end) > CONSTANT_BANK_BYTES {
            return Err(Problem::new(expression, "the constant bank is full"));
        }
        *length += 4;
        self.constant_words.push(ConstantWord {
            block,
            line,
            kernel,
            expression,
        });
        Ok(())
    }

    /// Second pass: all names are known, so the words can be made.
    fn finish(mut self, mut error: impl FnMut(u32, Problem)) -> Program {
        let mut program = Program {
            capability: self.capability,
            labels: std::mem::take(&mut self.labels),
            ..Default::default()
        };
        let mut highest = 0;
        for placed in &self.items {
            let symbols = |name: &str| self.symbol(name, placed.kernel);
            if !matches!(placed.item, Item::Filler) {
                program.lines.push((placed.address, placed.line));
            }
            match &placed.item {
                Item::Filler => program.words.push(FILLER),
                Item::Word(piece) => match word_of(*piece, &symbols) {
                    Ok(word) => program.words.push(word),
                    Err(problem) => error(placed.line, problem),
                },
                Item::Instruction(statement, place) => match statement.encode(&symbols) {
                    Ok(instruction) => {
                        program.instructions.push((placed.address, place.clone()));
                        highest = highest.max(highest_register(&instruction).unwrap_or(0));
                        let word = encode(&instruction);
                        program.words.push(word as u32);
                        if instruction.size() == 8 {
                            program.words.push((word >> 32) as u32);
                        }
                    }
                    Err(problem) => error(placed.line, problem),
                },
            }
        }
        for constant in &self.constant_words {
            let symbols = |name: &str| self.symbol(name, constant.kernel);
            match word_of(constant.expression, &symbols) {
                Ok(word) => {
                    if let Some(block) = self.blocks.get_mut(constant.block) {
                        block.words.push(word);
                    }
                }
                Err(problem) => error(constant.line, problem),
            }
        }
        program.constants = std::mem::take(&mut self.blocks);
        program.constants.retain(|block| !block.words.is_empty());
        if self.kernels.is_empty() {
            self.kernels.push(UnfinishedKernel {
                name: "main".to_string(),
                ..Default::default()
            });
        }
        program.kernels = self
            .kernels
            .into_iter()
            .map(|kernel| KernelEntry {
                registers: kernel.registers.unwrap_or(highest + 1),
                shared_bytes: kernel
                    .shared_bytes
                    .unwrap_or(HEADER_BYTES + 4 * kernel.parameters.len() as u32),
                name: kernel.name,
                entry: kernel.entry,
                parameters: kernel.parameters,
            })
            .collect();
        program
    }
}

/// A bank of constant memory has 4 KiB.
const CONSTANT_BANK_BYTES: i64 = 4096;

fn word_of(piece: Piece, symbols: &dyn Fn(&str) -> Option<Symbol>) -> Result<u32, Problem> {
    let value = evaluate(piece.text, 1, symbols).map_err(|message| Problem::new(piece, message))?;
    if value < i64::from(i32::MIN) || value > i64::from(u32::MAX) {
        return Err(Problem::new(piece, format!("{value} is not a 32-bit number")));
    }
    // Two's complement.
    Ok(value as u32)
}

/// `label:` at the start, and the rest.
fn split_label(piece: Piece<'_>) -> Option<(Piece<'_>, Piece<'_>)> {
    let colon = piece.text.find(':')?;
    let name = piece.text[..colon].trim_end();
    is_name(name).then(|| {
        (
            Piece {
                column: piece.column,
                text: name,
            },
            Piece {
                column: piece.column + colon + 1,
                text: &piece.text[colon + 1..],
            }
            .trim(),
        )
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start) && text.chars().all(is_name_part)
}
