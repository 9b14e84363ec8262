//! Words of the other instruction sets on the command line.

use flexgrip_gpu_isa::Set;
use thiserror::Error;

/// An argument that is not a word. Arguments are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("word {number}, `{text}`: {problem}; expected {expected}")]
pub struct SetWordError {
    /// The number of the argument.
    pub number: usize,
    /// The argument.
    pub text: String,
    /// A description of the problem.
    pub problem: String,
    /// The expected form of the set's words.
    pub expected: String,
}

/// True if code of the set is written as bytes in memory order, because its instructions have many lengths; false if as
/// numbers, the most significant digit first.
pub fn is_in_bytes(set: &Set) -> bool {
    set.unit < 4
}

/// The digits of a word in files and listings, in the order given by [`is_in_bytes`].
pub fn digits(set: &Set, word: u128, bytes: u8) -> String {
    let (word, width) = (word & ones(bytes), 2 * usize::from(bytes));
    if is_in_bytes(set) {
        let swapped = word.swap_bytes().checked_shr(128 - 8 * u32::from(bytes)).unwrap_or(0);
        format!("{swapped:0width$x}")
    } else {
        format!("{word:0width$x}")
    }
}

fn ones(bytes: u8) -> u128 {
    u128::MAX.checked_shr(128 - 8 * u32::from(bytes)).unwrap_or(0)
}

/// Parses a word of a set. With `0x`, it is a number, the most significant digit first; without, it is in the form of
/// listings, which for G13 is bytes in memory order. `_` is allowed between digits.
///
/// # Errors
/// The text is not a hexadecimal number, or is longer than the set's longest instruction.
pub fn word(set: &Set, number: usize, text: &str) -> Result<u128, SetWordError> {
    let longest = set.all_rows().iter().map(|row| row.bytes).max().unwrap_or(8);
    let error = |problem: &str| SetWordError {
        number,
        text: text.to_string(),
        problem: problem.to_string(),
        expected: match is_in_bytes(set) {
            true => format!("2 to {longest} bytes such as 9a85c4020200, or a number such as 0x000202c4859a"),
            false => format!("up to {} hexadecimal digits, such as 0x5c9807800ff70000", 2 * longest),
        },
    };
    let (prefixed, rest) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let digits = rest.replace('_', "");
    if digits.is_empty() {
        return Err(error("there are no digits"));
    }
    if let Some(wrong) = digits.chars().find(|digit| !digit.is_ascii_hexdigit()) {
        return Err(error(&format!("`{wrong}` is not a hexadecimal digit")));
    }
    if digits.len() > 2 * usize::from(longest) {
        return Err(error("it is longer than any instruction"));
    }
    let value = u128::from_str_radix(&digits, 16).map_err(|_| error("it is not a number"))?;
    if prefixed || !is_in_bytes(set) {
        return Ok(value);
    }
    if digits.len() % 2 == 1 {
        return Err(error("it ends in the middle of a byte"));
    }
    Ok(value.swap_bytes() >> (128 - 4 * digits.len()))
}

/// Explains every word of the arguments, with a blank line between them.
///
/// # Errors
/// The errors of [`word`].
pub fn explanations(set: &Set, arguments: &[String]) -> Result<String, SetWordError> {
    let words = arguments.iter().flat_map(|argument| argument.split_whitespace());
    let words = words.filter(|piece| !matches!(*piece, "/*" | "*/")).zip(1..);
    let texts = words.map(|(text, number)| Ok(set.explain_at(word(set, number, text)?, 0)));
    Ok(texts.collect::<Result<Vec<String>, _>>()?.join("\n"))
}
