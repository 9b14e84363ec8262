//! Reads the text cubins of compilers before CUDA 3.0.
//!
//! ```text
//! architecture {sm_10}
//! abiversion {0}
//! modname {cubin}
//! consts  {                     // a variable in constant memory; without `mem` it begins as 0
//!     name = table
//!     segname = const
//!     segnum = 0                // bank
//!     offset = 0
//!     bytes = 8
//!     mem  {
//!         0x00000003 0000000000 // zero has no 0x (C's %#010x)
//!     }
//! }
//! code  {                       // a kernel
//!     name = kernel
//!     lmem = 0                  // bytes of local memory of a thread
//!     smem = 32                 // bytes of shared memory of a block, with header and parameters
//!     reg = 2                   // registers of a thread
//!     bar = 0                   // barriers
//!     const  { segname = const  segnum = 1  offset = 0  bytes = 4  mem { 0x3f800000 } }
//!     bincode  { 0x30000003 0x00000780 }
//! }
//! ```
//!
//! The keywords are from decuda's `CubinFile.py` and its real files; Barra's `kernel.tcc` and `module.tcc` have a few
//! more. Textures (`sampler`, `samplers`), parameters' offsets (`params_SMEM`) and the names of variables in `shared`
//! and `local` memory are skipped: a program runs without them. For variables in global memory (`reloc`), name and size
//! are read. Neither program knows where the code has their addresses (`constrelocs`, for example), so such a cubin can
//! be listed, but not run.

use super::contents::{not_sm1x, Cubin, CubinError, CubinKernel, CubinPlace, CubinSymbol, SymbolSpace, BANKS};
use crate::table::Capability;
use crate::text::assembler::ConstantBlock;
use std::collections::BTreeSet;

/// Reads a text cubin.
pub(super) fn read(text: &str) -> Result<Cubin, CubinError> {
    let mut parser = Parser {
        tokens: tokens(text),
        at: 0,
        end: end_of(text),
        not_to_run: None,
    };
    parser.file()
}

#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Token<'_> {
    fn error(&self, message: impl Into<String>) -> CubinError {
        CubinError {
            place: CubinPlace::Line(self.line, self.column),
            message: message.into(),
        }
    }
}

/// The words, braces and equals signs of a text.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut start: Option<(usize, usize)> = None;
        let mut column = 0;
        for (at, character) in content.char_indices() {
            column += 1;
            let sign = matches!(character, '{' | '}' | '=');
            if sign || character.is_whitespace() {
                if let Some((from, column)) = start.take() {
                    tokens.push(Token {
                        text: &content[from..at],
                        line,
                        column,
                    });
                }
                if sign {
                    tokens.push(Token {
                        text: &content[at..at + 1],
                        line,
                        column,
                    });
                }
            } else if start.is_none() {
                start = Some((at, column));
            }
        }
        if let Some((from, column)) = start {
            tokens.push(Token {
                text: &content[from..],
                line,
                column,
            });
        }
    }
    tokens
}

/// The position after the end of a text.
fn end_of(text: &str) -> Token<'static> {
    let last = text.lines().last().unwrap_or("");
    Token {
        text: "",
        line: text.lines().count().max(1),
        column: last.chars().count() + 1,
    }
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    end: Token<'static>,
    /// The first token that makes the code impossible to run.
    not_to_run: Option<CubinError>,
}

/// A piece of memory: `consts`, `reloc`, or `const` in a kernel.
struct Segment<'a> {
    name: Option<&'a str>,
    bytes: u32,
    block: ConstantBlock,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    /// The next word or sign; `expected` names it in the error.
    fn next(&mut self, expected: &str) -> Result<Token<'a>, CubinError> {
        let token = self
            .peek()
            .ok_or_else(|| self.end.error(format!("the file ends here; expected {expected}")))?;
        self.at += 1;
        Ok(token)
    }

    fn expect(&mut self, sign: &str) -> Result<Token<'a>, CubinError> {
        let token = self.next(&format!("`{sign}`"))?;
        if token.text != sign {
            return Err(token.error(format!("expected `{sign}`, found `{}`", token.text)));
        }
        Ok(token)
    }

    fn word(&mut self, expected: &str) -> Result<Token<'a>, CubinError> {
        let token = self.next(expected)?;
        if matches!(token.text, "{" | "}" | "=") {
            return Err(token.error(format!("expected {expected}, found `{}`", token.text)));
        }
        Ok(token)
    }

    /// True if the next token is this sign.
    fn is(&self, sign: &str) -> bool {
        self.peek().is_some_and(|token| token.text == sign)
    }

    fn file(&mut self) -> Result<Cubin, CubinError> {
        let mut capability = None;
        let mut kernels: Vec<CubinKernel> = Vec::new();
        let mut names = BTreeSet::new();
        let mut constants = Vec::new();
        let mut symbols = Vec::new();
        const EXPECTED: &str = "architecture, abiversion, modname, consts, reloc, sampler or code";
        while self.peek().is_some() {
            let token = self.word(EXPECTED)?;
            match token.text {
                "architecture" => capability = Some(self.architecture()?),
                "abiversion" | "modname" => {
                    self.expect("{")?;
                    self.word("a value")?;
                    self.expect("}")?;
                }
                "code" => {
                    let kernel = self.kernel(token)?;
                    if !names.insert(kernel.name.clone()) {
                        return Err(token.error(format!("there are two kernels `{}`", kernel.name)));
                    }
                    kernels.push(kernel);
                }
                "consts" => {
                    let segment = self.segment(token, "const")?;
                    if let Some(name) = segment.name {
                        symbols.push(CubinSymbol {
                            name: name.to_string(),
                            space: SymbolSpace::Constant {
                                bank: segment.block.bank,
                            },
                            offset: segment.block.offset,
                            bytes: segment.bytes,
                        });
                    }
                    push_block(&mut constants, segment.block);
                }
                "sampler" | "samplers" => self.skip()?,
                "reloc" => {
                    let segment = self.segment(token, "reloc")?;
                    symbols.push(CubinSymbol {
                        name: segment.name.unwrap_or_default().to_string(),
                        space: SymbolSpace::Global,
                        offset: segment.block.offset,
                        bytes: segment.bytes,
                    });
                    self.only_listed(token, "a variable in global memory");
                }
                other => return Err(token.error(format!("expected {EXPECTED}, found `{other}`"))),
            }
        }
        let capability = capability.ok_or_else(|| {
            self.end
                .error("the file names no architecture; expected `architecture {sm_10}`")
        })?;
        if kernels.is_empty() {
            return Err(self.end.error("there is no kernel; expected `code { .. }`"));
        }
        Ok(Cubin {
            capability,
            kernels,
            constants,
            globals: None,
            symbols,
            not_to_run: self.not_to_run.take(),
            references: Vec::new(),
        })
    }

    /// Records that the code cannot be run, because of the construct that begins with the token.
    fn only_listed(&mut self, token: Token<'a>, what: &str) {
        let message = format!(
            "{what}: text cubins do not record where the code uses its address, so the code can be listed, but not \
             run; expected an ELF cubin"
        );
        self.not_to_run.get_or_insert_with(|| token.error(message));
    }

    fn architecture(&mut self) -> Result<Capability, CubinError> {
        self.expect("{")?;
        let token = self.word("sm_10, sm_11, sm_12 or sm_13")?;
        self.expect("}")?;
        Capability::ALL
            .iter()
            .copied()
            .find(|capability| capability.architecture() == token.text)
            .ok_or_else(|| token.error(not_sm1x(&format!("`{}`", token.text))))
    }

    fn kernel(&mut self, code: Token<'a>) -> Result<CubinKernel, CubinError> {
        let (mut name, mut words, mut registers) = (None, None, None);
        let (mut local_bytes, mut shared_bytes, mut barriers) = (0, 0, 0);
        let mut constants = Vec::new();
        const EXPECTED: &str = "name, lmem, smem, reg, bar, const or bincode, or `}`";
        self.expect("{")?;
        while !self.is("}") {
            let token = self.word(EXPECTED)?;
            if self.is("=") {
                self.at += 1;
                match token.text {
                    "name" => name = Some(self.word("a name")?.text.to_string()),
                    "lmem" => local_bytes = self.number()?,
                    "smem" => shared_bytes = self.number()?,
                    "reg" => registers = Some(self.number()?),
                    "bar" => barriers = self.number()?,
                    // The flag is 1 if the kernel reads its block's third coordinate, which is 0 here.
                    "ctaidZUsed" => {
                        self.number()?;
                    }
                    other => {
                        return Err(token.error(format!("unknown entry `{other}` of a kernel; expected {EXPECTED}")))
                    }
                }
                continue;
            }
            match token.text {
                "bincode" => words = Some(self.words()?),
                "const" => push_block(&mut constants, self.segment(token, "const")?.block),
                "params_SMEM" | "shared" | "local" => self.skip()?,
                "constrelocs" => {
                    let open = self.at;
                    self.skip()?;
                    // The group contains more than its two braces.
                    if self.at > open + 2 {
                        self.only_listed(token, "an address in a constant");
                    }
                }
                other => return Err(token.error(format!("unknown entry `{other}` of a kernel; expected {EXPECTED}"))),
            }
        }
        self.expect("}")?;
        let name = name.ok_or_else(|| code.error("this kernel has no name; expected `name = `"))?;
        let words = words.ok_or_else(|| code.error(format!("the kernel `{name}` has no code; expected `bincode`")))?;
        let registers =
            registers.ok_or_else(|| code.error(format!("the kernel `{name}` has no registers; expected `reg = `")))?;
        Ok(CubinKernel {
            name,
            words,
            entry: 0,
            registers,
            shared_bytes,
            local_bytes,
            barriers,
            parameter_bytes: None,
            constants,
        })
    }

    /// A segment of the memory `memory`.
    fn segment(&mut self, start: Token<'a>, memory: &str) -> Result<Segment<'a>, CubinError> {
        let (mut name, mut bank, mut offset, mut bytes, mut words) = (None, None, None, None, None);
        const EXPECTED: &str = "name, segname, segnum, offset, bytes or mem, or `}`";
        self.expect("{")?;
        while !self.is("}") {
            let token = self.word(EXPECTED)?;
            if token.text == "mem" {
                words = Some(self.words()?);
                continue;
            }
            self.expect("=")?;
            match token.text {
                "name" => name = Some(self.word("a name")?.text),
                "segname" => {
                    let value = self.word(memory)?;
                    if value.text != memory {
                        return Err(value.error(format!("expected the segment `{memory}`, found `{}`", value.text)));
                    }
                }
                "segnum" => {
                    let place = self.peek().unwrap_or(self.end);
                    let number = self.number()?;
                    if number >= BANKS {
                        return Err(place.error(format!("there is no constant bank {number}; expected 0 to 15")));
                    }
                    bank = Some(number);
                }
                "offset" => offset = Some(self.number()?),
                "bytes" => bytes = Some(self.number()?),
                other => return Err(token.error(format!("unknown entry `{other}` of a segment; expected {EXPECTED}"))),
            }
        }
        self.expect("}")?;
        let missing = |what: &str| start.error(format!("this segment has no {what}"));
        let bank = bank.ok_or_else(|| missing("`segnum`"))?;
        let offset = offset.ok_or_else(|| missing("`offset`"))?;
        let bytes = bytes.ok_or_else(|| missing("`bytes`"))?;
        let words = words.unwrap_or_default();
        if !words.is_empty() {
            if words.len() != bytes.div_ceil(4) as usize {
                return Err(start.error(format!("this segment has {bytes} bytes, but {} words", words.len())));
            }
            if offset % 4 != 0 {
                return Err(start.error(format!("the offset {offset} of this segment is not a multiple of 4")));
            }
        }
        Ok(Segment {
            name,
            bytes,
            block: ConstantBlock { bank, offset, words },
        })
    }

    /// A decimal number, or a hexadecimal one with 0x.
    fn number(&mut self) -> Result<u32, CubinError> {
        let token = self.word("a number")?;
        let value = match token.text.strip_prefix("0x") {
            Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
                u32::from_str_radix(digits, 16).ok()
            }
            None if token.text.bytes().all(|digit| digit.is_ascii_digit()) => token.text.parse().ok(),
            _ => None,
        };
        value.ok_or_else(|| token.error(format!("expected a 32-bit number, found `{}`", token.text)))
    }

    /// `{ 0x.. 0x.. }`
    fn words(&mut self) -> Result<Vec<u32>, CubinError> {
        self.expect("{")?;
        let mut words = Vec::new();
        while !self.is("}") {
            let token = self.word("a word, or `}`")?;
            let word = match token.text.strip_prefix("0x") {
                Some(digits) if digits.len() <= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
                    u32::from_str_radix(digits, 16).ok()
                }
                None if token.text.bytes().all(|digit| digit == b'0') => Some(0),
                _ => None,
            };
            words.push(word.ok_or_else(|| {
                token.error(format!(
                    "expected a word, 0x and 1 to 8 hexadecimal digits, found `{}`",
                    token.text
                ))
            })?);
        }
        self.expect("}")?;
        Ok(words)
    }

    /// Skips a text in braces.
    fn skip(&mut self) -> Result<(), CubinError> {
        let open = self.expect("{")?;
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next("`}`") {
                Ok(token) if token.text == "{" => depth += 1,
                Ok(token) if token.text == "}" => depth -= 1,
                Ok(_) => {}
                Err(_) => return Err(open.error("this brace is not closed")),
            }
        }
        Ok(())
    }
}

/// Keeps a segment if it has contents.
fn push_block(blocks: &mut Vec<ConstantBlock>, block: ConstantBlock) {
    if !block.words.is_empty() {
        blocks.push(block);
    }
}
