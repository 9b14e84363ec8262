//! Words in text files: programs and memory images (`.hex`), and expectations (`ADDRESS WORD`).
//!
//! Numbers are in hexadecimal, with or without `0x`. Blank lines are skipped; `#` or `//` begins a comment, even after
//! an entry, and `/* */` encloses one within a line. A program has any number of words on a line, separated by spaces
//! or commas; the other files have one entry per line.

use crate::files::error::{read_text, FileError};
use std::path::Path;

/// The fields of one line with their columns (from 1), separated by spaces and commas; comments are removed.
pub fn fields(line: &str) -> Vec<(usize, &str)> {
    let mut fields = Vec::new();
    let mut rest = line;
    let mut column = 1;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '#' || rest.starts_with("//") {
            break;
        } else if first.is_whitespace() || first == ',' {
            first.len_utf8()
        } else {
            let apart = |at: usize| {
                let next = &rest[at..];
                next.starts_with([',', '#'])
                    || next.starts_with(char::is_whitespace)
                    || next.starts_with("//")
                    || next.starts_with("/*")
            };
            let length = rest
                .char_indices()
                .map(|(at, _)| at)
                .find(|&at| apart(at))
                .unwrap_or(rest.len());
            fields.push((column, &rest[..length]));
            length
        };
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    fields
}

/// The digits of a hexadecimal number, without `0x`; `None` for other text.
pub fn digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(digits)
}

/// The value of a hexadecimal number of 1 to 8 digits; `None` for other text.
fn value(text: &str) -> Option<u32> {
    digits(text)
        .filter(|digits| digits.len() <= 8)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
}

fn number(path: &Path, line: usize, column: usize, text: &str, what: &str) -> Result<u32, FileError> {
    value(text).ok_or_else(|| {
        FileError::at(
            path,
            line,
            column,
            format!("expected {what} of 1 to 8 hexadecimal digits, found `{text}`"),
        )
    })
}

/// Reads code of any instruction set: `of` converts a field to units of code, and `expected` describes a field in
/// errors.
///
/// # Errors
/// The file cannot be read, or a field is not code.
pub fn read_code<T>(path: &Path, expected: &str, of: impl Fn(&str) -> Option<Vec<T>>) -> Result<Vec<T>, FileError> {
    let text = read_text(path, "code")?;
    let mut code = Vec::new();
    for (line, source) in (1..).zip(text.lines()) {
        for (column, field) in fields(source) {
            let units = of(field)
                .ok_or_else(|| FileError::at(path, line, column, format!("expected {expected}, found `{field}`")))?;
            code.extend(units);
        }
    }
    Ok(code)
}

/// Reads a program for SM 1.0: words of 32 bits, and long instructions of 16 digits with the high word first.
///
/// # Errors
/// The errors of [`read_code`].
pub fn read_program_words(path: &Path) -> Result<Vec<u32>, FileError> {
    let expected = "a 32-bit word of 1 to 8 hexadecimal digits, or a long instruction of 16";
    read_code(path, expected, |field| match digits(field)?.len() {
        16 => {
            let word = u64::from_str_radix(digits(field)?, 16).ok()?;
            Some(vec![word as u32, (word >> 32) as u32])
        }
        _ => value(field).map(|word| vec![word]),
    })
}

/// Reads a memory's contents: one 32-bit word per line. `what` names it in errors.
///
/// # Errors
/// The file cannot be read, or a line is not a word.
pub fn read_words(path: &Path, what: &str) -> Result<Vec<u32>, FileError> {
    let text = read_text(path, what)?;
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut fields = fields(line).into_iter();
        let Some((column, field)) = fields.next() else { continue };
        words.push(number(path, index + 1, column, field, "a 32-bit word")?);
        if let Some((column, rest)) = fields.next() {
            let message = format!("expected one word a line, found `{rest}` after it");
            return Err(FileError::at(path, index + 1, column, message));
        }
    }
    Ok(words)
}

/// A line of an expectation file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressedWord {
    /// Byte address, a multiple of 4.
    pub address: u32,
    /// The expected word.
    pub word: u32,
    /// Line in the file, from 1.
    pub line: usize,
}

/// Reads a file of `ADDRESS WORD` lines. `what` names it in errors.
///
/// # Errors
/// The file cannot be read, a line is not two numbers, or an address is not a multiple of 4.
pub fn read_addressed_words(path: &Path, what: &str) -> Result<Vec<AddressedWord>, FileError> {
    let text = read_text(path, what)?;
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = index + 1;
        let mut fields = fields(line).into_iter();
        let Some((column, field)) = fields.next() else { continue };
        let address = number(path, at, column, field, "an address")?;
        if address % 4 != 0 {
            return Err(FileError::at(
                path,
                at,
                column,
                format!("the address {address:#x} is not a multiple of 4"),
            ));
        }
        let Some((column, field)) = fields.next() else {
            return Err(FileError::at(
                path,
                at,
                column,
                "expected `ADDRESS WORD`, found no word",
            ));
        };
        let word = number(path, at, column, field, "a 32-bit word")?;
        if let Some((column, rest)) = fields.next() {
            return Err(FileError::at(
                path,
                at,
                column,
                format!("expected `ADDRESS WORD`, found `{rest}` after it"),
            ));
        }
        entries.push(AddressedWord {
            address,
            word,
            line: at,
        });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    fn words(text: &str) -> Result<Vec<u32>, String> {
        let file = file(text);
        let shown = file.path().display().to_string();
        read_words(file.path(), "program").map_err(|error| error.to_string().replace(&shown, "F"))
    }

    #[test]
    fn words_with_comments_and_blanks() {
        let text = "# head\n00000001 # one\n\n  deadBEEF// two\r\n7\n/* a */0x8/* b */,\n";
        assert_eq!(words(text), Ok(vec![1, 0xdead_beef, 7, 8]));
        assert_eq!(words(""), Ok(vec![]));
    }

    #[test]
    fn programs_have_many_words_in_a_line() {
        let program = |text: &str| {
            let file = file(text);
            let shown = file.path().display().to_string();
            read_program_words(file.path()).map_err(|error| error.to_string().replace(&shown, "F"))
        };
        let text = "0x10008000, 0xf0000001 0xe0000000\n0xe0000000f0000001,/* c */7 # end\n";
        assert_eq!(
            program(text),
            Ok(vec![0x1000_8000, 0xf000_0001, 0xe000_0000, 0xf000_0001, 0xe000_0000, 7])
        );
        for (text, place, found) in [("1,, 2,x", "F:1:7: ", "`x`"), ("123456789", "F:1:1: ", "`123456789`")] {
            let error = program(text).unwrap_err();
            assert!(
                error.starts_with(place) && error.ends_with(&format!("16, found {found}")),
                "{error}"
            );
        }
    }

    #[test]
    fn bad_words_have_a_place() {
        let digits = "expected a 32-bit word of 1 to 8 hexadecimal digits, found";
        assert_eq!(words("1\n  123456789\n"), Err(format!("F:2:3: {digits} `123456789`")));
        assert_eq!(words("0x"), Err(format!("F:1:1: {digits} `0x`")));
        assert_eq!(words("+1"), Err(format!("F:1:1: {digits} `+1`")));
        assert_eq!(words("é"), Err(format!("F:1:1: {digits} `é`")));
        assert_eq!(
            words("1 2"),
            Err("F:1:3: expected one word a line, found `2` after it".into())
        );
    }

    #[test]
    fn addressed_words() {
        let good = file("# a\n02000 3184c36b\n4 1\n");
        let entries = read_addressed_words(good.path(), "expectation").unwrap();
        assert_eq!(
            entries[0],
            AddressedWord {
                address: 0x2000,
                word: 0x3184_c36b,
                line: 2
            }
        );
        assert_eq!(
            entries[1],
            AddressedWord {
                address: 4,
                word: 1,
                line: 3
            }
        );
        for (text, place, says) in [
            ("4", ":1:1", "no word"),
            ("2 1", ":1:1", "multiple of 4"),
            ("4 x", ":1:3", "hexadecimal"),
            ("4 1 2", ":1:5", "after it"),
        ] {
            let bad = file(text);
            let error = read_addressed_words(bad.path(), "expectation").unwrap_err().to_string();
            assert!(error.contains(place) && error.contains(says), "{error}");
        }
    }
}
