//! Parser of a listing's line: control text, braces, the instruction, words in comments.

use super::Slot;
use crate::text::comments::without_comments;

/// Begin and end of a range of bytes in [`Line::code`].
pub type Span = (usize, usize);

/// An error in a line.
pub struct Wrong {
    /// The line, with comments and the part before the code as spaces.
    pub code: String,
    /// The byte range of the error.
    pub span: Span,
    /// The error, and the expected text.
    pub message: String,
}

/// A line with spaces in place of everything that the instruction's parser does not accept: each character keeps its
/// column.
pub struct Line {
    /// The instruction; it may be empty.
    pub code: String,
    /// The control text before the instruction.
    pub control: Option<(Slot, Span)>,
    /// The byte range of an opening brace before the instruction.
    pub opens: Option<usize>,
    /// The byte range of a closing brace after the instruction.
    pub closes: Option<usize>,
    /// The 64-bit word in a comment: the last one of the line.
    pub word: Option<u64>,
    /// True if the line has only that comment.
    pub is_word: bool,
}

/// Parses a line; `comment` is true while a `/*` is open, before and after it.
///
/// # Errors
/// The control text is wrong, or the line is a directive that only another assembler has.
pub fn line(raw: &str, comment: &mut bool) -> Result<Line, Wrong> {
    let word = (!*comment).then(|| word_in_comment(raw)).flatten();
    let mut code = without_comments(raw, comment);
    blank_attributes(&mut code);
    let mut line = Line {
        is_word: word.is_some() && code.trim().is_empty() && raw.matches("/*").count() == 1,
        code,
        control: None,
        opens: None,
        closes: None,
        word,
    };
    if is_heading(line.code.trim()) {
        line.blank((0, line.code.len()));
    }
    let begin = line.begin();
    let wrong = |line: Line, from: usize, message: &str| {
        let (code, message) = (line.code, message.to_string());
        let to = from + code[from..].chars().next().map_or(0, char::len_utf8);
        let span = (from, to);
        Err(Wrong { code, span, message })
    };
    match Slot::parse(&line.code[begin..]) {
        None => {}
        Some(Ok((slot, length))) => {
            let span = (begin, begin + length);
            line.control = Some((slot, span));
            line.blank(span);
        }
        Some(Err((at, message))) => return wrong(line, begin + at, message),
    }
    let begin = line.begin();
    if line.control.is_some() && Slot::parse(&line.code[begin..]).is_some() {
        return wrong(line, begin, "expected one control text, found another after it");
    }
    if line.code[begin..].starts_with('{') {
        line.opens = Some(begin);
        line.blank((begin, begin + 1));
    }
    // A `}` that closes nothing in the instruction closes the pair; a `;` may be before and after it.
    loop {
        let end = line.code.trim_end().len();
        let code = &line.code[..end];
        let closes = code.ends_with('}') && code.matches('}').count() > code.matches('{').count();
        if closes && line.closes.is_none() {
            line.closes = Some(end - 1);
        } else if !code.ends_with(';') {
            break;
        }
        line.blank((end - 1, end));
    }
    match foreign(&line.code) {
        Some((span, message)) => {
            let code = line.code;
            Err(Wrong { code, span, message })
        }
        None => Ok(line),
    }
}

impl Line {
    /// The byte offset of the code.
    pub fn begin(&self) -> usize {
        self.code.len() - self.code.trim_start().len()
    }

    fn blank(&mut self, (from, to): Span) {
        let spaces: String = self.code[from..to].chars().map(|_| ' ').collect();
        self.code.replace_range(from..to, &spaces);
    }
}

/// The last 64-bit word in a comment: `/* 0x4c98078000870001 */`.
fn word_in_comment(raw: &str) -> Option<u64> {
    let begin = raw.rfind("/*")? + 2;
    let end = begin + raw[begin..].find("*/")?;
    let digits = raw[begin..end].trim().strip_prefix("0x")?;
    let whole = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    whole.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

/// Replaces nvdisasm's attributes of a branch by spaces: `(*"BRANCH_TARGETS .L_x_1"*)`.
fn blank_attributes(code: &mut String) {
    while let Some(from) = code.find("(*") {
        let to = code[from..].find("*)").map_or(code.len(), |length| from + length + 2);
        let spaces: String = code[from..to].chars().map(|_| ' ').collect();
        code.replace_range(from..to, &spaces);
    }
}

/// True for a heading line of a vendor's listing.
fn is_heading(code: &str) -> bool {
    const HEADINGS: [&str; 11] = [
        "Function :",
        "code for sm_",
        ".headerflags",
        "Fatbin ",
        "arch = ",
        "code version = ",
        "producer = ",
        "host = ",
        "compile_size = ",
        "compressed",
        "identifier: ",
    ];
    let rule = code.len() >= 3 && (code.bytes().all(|byte| byte == b'.') || code.bytes().all(|byte| byte == b'='));
    rule || HEADINGS.iter().any(|heading| code.starts_with(heading))
}

/// A construct of another assembler: its name, and the reason for refusing it.
fn foreign(code: &str) -> Option<(Span, String)> {
    let begin = code.len() - code.trim_start().len();
    let text = &code[begin..];
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let first = &text[..end];
    let at = |from: usize, length: usize, what: String| Some(((from, from + length), what));
    let of_maxas = |name: &str, what: &str| {
        format!("`{name}` is {what} of maxas, which is not supported; expected an instruction")
    };
    let of_cuasm = |name: &str, what: &str| {
        format!("`{name}` is {what} of CuAssembler, which is not supported; expected {EXPECTED}")
    };
    if text.starts_with('#') {
        return at(begin, 1, of_maxas("#", "a header"));
    }
    if let Some(name) = first.strip_prefix('<').or(first.strip_prefix("</")) {
        let length = name
            .find('>')
            .map_or(first.len(), |length| first.len() - name.len() + length + 1);
        return at(begin, length, of_maxas(&first[..length], "a block"));
    }
    for (mark, what) in [("XMAD.LO", "a macro")] {
        if let Some(found) = code.find(mark) {
            let rest = &code[found..];
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            return at(found, length, of_maxas(&rest[..length], what));
        }
    }
    for (mark, what) in [("32@lo(", "an address"), ("32@hi(", "an address"), ("`(", "a label")] {
        if let Some(found) = code.find(mark) {
            let rest = &code[found..];
            let length = rest.find(')').map_or(rest.len(), |length| length + 1);
            return at(found, length, of_cuasm(&rest[..length], what));
        }
    }
    let name = first.split(':').next().unwrap_or("");
    let is_name = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$' | '@'))
    };
    if first.len() > name.len() && is_name(name) {
        return at(begin, name.len() + 1, of_cuasm(&first[..name.len() + 1], "a label"));
    }
    let own = [".control", ".word", ".byte"].contains(&first);
    if first.starts_with('.') && is_name(first) && !own {
        return at(begin, first.len(), of_cuasm(first, "a directive"));
    }
    None
}

const EXPECTED: &str = "an instruction with addresses as numbers";
