//! Implements `flexgrip explain` and `flexgrip isa`: instruction words and mnemonics as text, from the ISA table.

use flexgrip_isa::{explain_at, Capability, Form};
use thiserror::Error;

/// Arguments of `explain` that are not instruction words. Arguments are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WordError {
    /// Not a hexadecimal number of up to 64 bits.
    #[error(
        "word {number}, `{text}`: {problem}; expected up to 16 hexadecimal digits, such as 0x04000780a0000005 or a0000005"
    )]
    NotHexadecimal {
        /// The number of the word.
        number: usize,
        /// The word as written.
        text: String,
        /// A description of the problem.
        problem: &'static str,
    },
    /// The low half of a long instruction, without its high half.
    #[error(
        "word {number}, `{text}`: bit 0 is 1, so this is the low half of a long instruction, and its high half is \
         missing; expected LOW HIGH, or both in one as 0xHIGHLOW"
    )]
    HighHalfMissing {
        /// The number of the word.
        number: usize,
        /// The word as written.
        text: String,
    },
    /// A high half of more than 32 bits.
    #[error(
        "word {number}, `{text}`: the word before it is the low half of a long instruction; expected its high half, \
         of at most 8 hexadecimal digits"
    )]
    HighHalfTooLong {
        /// The number of the word.
        number: usize,
        /// The word as written.
        text: String,
    },
    /// A short instruction with bits set above its low 32.
    #[error(
        "word {number}, `{text}`: bit 0 is 0, so this is a short instruction of 32 bits; the bits above belong to \
         another instruction"
    )]
    ShortTooLong {
        /// The number of the word.
        number: usize,
        /// The word as written.
        text: String,
    },
    /// The arguments contain no words.
    #[error("no instruction word; expected 0x04000780a0000005 or a0000005 04000780")]
    None,
}

/// A word with its number and text.
struct Word<'a> {
    number: usize,
    text: &'a str,
    value: u64,
}

fn parse((number, text): (usize, &str)) -> Result<Word<'_>, WordError> {
    let error = |problem| WordError::NotHexadecimal {
        number,
        text: text.to_string(),
        problem,
    };
    let digits = digits(text);
    if digits.is_empty() {
        return Err(error("it has no digits"));
    }
    if let Some(wrong) = digits.chars().find(|digit| !digit.is_ascii_hexdigit()) {
        return Err(if wrong == '-' {
            error("a word cannot have a sign")
        } else {
            error("it is not all hexadecimal digits")
        });
    }
    match u64::from_str_radix(&digits, 16) {
        Ok(value) => Ok(Word { number, text, value }),
        Err(_) => Err(error("it has more than 64 bits")),
    }
}

/// Parses the arguments into instruction words: whole long instructions (`0x04000780a0000005`), or 32-bit words as in
/// listings (`a0000005 04000780`), the low half of a long instruction first. An argument may contain several words, and
/// the `/*` and `*/` of a listing.
///
/// # Errors
/// An argument is not a word, or a half is missing.
pub fn words(arguments: &[String]) -> Result<Vec<u64>, WordError> {
    let mut pieces = arguments
        .iter()
        .flat_map(|argument| argument.split_whitespace())
        .filter(|piece| !matches!(*piece, "/*" | "*/"))
        .zip(1..)
        .map(|(text, number)| parse((number, text)));
    let mut words = Vec::new();
    while let Some(word) = pieces.next() {
        let Word { number, text, value } = word?;
        let short = Form::of(value) == Form::Short;
        let whole = value >> 32 != 0 || (digits(text).len() > 8 && !short);
        words.push(match (short, whole) {
            (true, true) => {
                return Err(WordError::ShortTooLong {
                    number,
                    text: text.to_string(),
                })
            }
            (true, false) | (false, true) => value,
            (false, false) => {
                let high = pieces.next().ok_or_else(|| WordError::HighHalfMissing {
                    number,
                    text: text.to_string(),
                })??;
                if high.value >> 32 != 0 {
                    return Err(WordError::HighHalfTooLong {
                        number: high.number,
                        text: high.text.to_string(),
                    });
                }
                high.value << 32 | value
            }
        });
    }
    if words.is_empty() {
        return Err(WordError::None);
    }
    Ok(words)
}

/// The digits of a word's text, without `0x` and `_`.
fn digits(text: &str) -> String {
    text.strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text)
        .replace('_', "")
}

/// Explains every word of the arguments for a capability, with a blank line between them.
///
/// # Errors
/// The errors of [`words`].
pub fn explanations(arguments: &[String], capability: Capability) -> Result<String, WordError> {
    let words = words(arguments)?.into_iter();
    let all: Vec<String> = words.map(|word| explain_at(word, capability)).collect();
    Ok(all.join("\n"))
}
