//! Pieces of source text, and errors in them.

/// A piece of source text: its start (0-based byte column in its line) and its contents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub column: usize,
    pub text: &'a str,
}

impl<'a> Piece<'a> {
    /// The piece without blanks around it.
    pub fn trim(self) -> Self {
        let text = self.text.trim_start();
        Piece {
            column: self.column + (self.text.len() - text.len()),
            text: text.trim_end(),
        }
    }

    /// The part from byte `from` on.
    pub fn from(self, from: usize) -> Self {
        Piece {
            column: self.column + from,
            text: &self.text[from..],
        }
    }

    /// The first `to` bytes.
    pub fn to(self, to: usize) -> Self {
        Piece {
            column: self.column,
            text: &self.text[..to],
        }
    }

    /// Splits at commas outside of brackets.
    pub fn split_commas(self) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut depth = 0i32;
        let mut start = 0;
        for (at, c) in self.text.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ',' if depth <= 0 => {
                    pieces.push(self.from(start).to(at - start).trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        let last = self.from(start).trim();
        if !(pieces.is_empty() && last.text.is_empty()) {
            pieces.push(last);
        }
        pieces
    }
}

/// An error, and the part of the text with it.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub column: usize,
    pub text: String,
    pub message: String,
    pub suggestion: Option<String>,
    /// The instruction does not exist in this form: listing the valid forms would help.
    pub of_form: bool,
}

impl Problem {
    pub fn new(piece: Piece, message: impl Into<String>) -> Self {
        Problem {
            column: piece.column,
            text: piece.text.to_string(),
            message: message.into(),
            suggestion: None,
            of_form: false,
        }
    }

    /// A suffix or an operand that the instruction does not have.
    pub fn of_form(piece: Piece, message: impl Into<String>) -> Self {
        Problem {
            of_form: true,
            ..Self::new(piece, message)
        }
    }
}
