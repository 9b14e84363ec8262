//! Words in text files: programs and memory images (`.hex`), and expectations (`ADDRESS WORD`).
//!
//! One entry per line, in hexadecimal without prefix. Blank lines are skipped; `#` or `//` begins a comment, also after
//! an entry.

use crate::files::error::{read_text, FileError};
use std::path::Path;

/// The fields of one line with their columns (from 1), comments removed.
pub(crate) fn fields(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = line.split('#').next().unwrap_or("");
    let code = code.split("//").next().unwrap_or("");
    code.split_whitespace().map(move |field| {
        // Both slices lie in `code`, so the distance between their starts is the field's offset.
        let offset = field.as_ptr() as usize - code.as_ptr() as usize;
        (code[..offset].chars().count() + 1, field)
    })
}

fn number(path: &Path, line: usize, column: usize, text: &str, what: &str) -> Result<u32, FileError> {
    let hexadecimal = !text.is_empty() && text.len() <= 8 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let value = if hexadecimal {
        u32::from_str_radix(text, 16).ok()
    } else {
        None
    };
    value.ok_or_else(|| {
        FileError::at(
            path,
            line,
            column,
            format!("expected {what} of 1 to 8 hexadecimal digits, found `{text}`"),
        )
    })
}

/// Reads a `.hex` file: one 32-bit word per line. `what` names it in errors.
///
/// # Errors
/// The file cannot be read, or a line is not a word.
pub fn read_words(path: &Path, what: &str) -> Result<Vec<u32>, FileError> {
    let text = read_text(path, what)?;
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut fields = fields(line);
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
        let mut fields = fields(line);
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
        let text = "# head\n00000001 # one\n\n  deadBEEF// two\r\n7\n";
        assert_eq!(words(text), Ok(vec![1, 0xdead_beef, 7]));
        assert_eq!(words(""), Ok(vec![]));
    }

    #[test]
    fn bad_words_have_a_place() {
        let digits = "expected a 32-bit word of 1 to 8 hexadecimal digits, found";
        assert_eq!(words("1\n  123456789\n"), Err(format!("F:2:3: {digits} `123456789`")));
        assert_eq!(words("0x1"), Err(format!("F:1:1: {digits} `0x1`")));
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
