//! Programs as VHDL: the instruction memory of FlexGripPlus (`TP_instructions.vhd`).
//!
//! There, a program is a design unit: a process whose `case` gives the word for each index.
//!
//! ```text
//! constant TP_INSTRUCTIONS : integer := 2;
//! ...
//! when 0 => instruction_out <= x"30000003";   -- 0000  RET;
//! when 1 => instruction_out <= x"00000780";
//! when others => null;
//! ```

use crate::files::error::{read_text, FileError};
use flexgrip_isa::{instructions, Style};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A word, number, literal or sign of a VHDL text.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

/// The tokens of a VHDL text, as far as needed here: words and numbers with their dots and underscores, bit strings
/// (`x"1f"`) and strings as one token, compound signs (`=>`, `<=`, `:=`), other signs singly. Comments are removed.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut rest = content;
        while let Some(first) = rest.chars().next() {
            if rest.starts_with("--") {
                break;
            }
            let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.');
            let word = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
            let length = if first.is_whitespace() {
                rest.len() - rest.trim_start().len()
            } else if rest[word..].starts_with('"') && word <= 2 {
                rest[word + 1..].find('"').map_or(rest.len(), |end| word + end + 2)
            } else if word > 0 {
                word
            } else if ["=>", "<=", ":="].iter().any(|sign| rest.starts_with(sign)) {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push(Token {
                    text: &rest[..length],
                    line,
                    column: content[..content.len() - rest.len()].chars().count() + 1,
                });
            }
            rest = &rest[length..];
        }
    }
    tokens
}

/// Reads a program's words from a VHDL file in the style of FlexGripPlus's instruction memory.
///
/// # Errors
/// The file cannot be read, a choice (`when N`) is not in that style, a word is missing or duplicate, or their number
/// differs from the file's constant.
pub fn read_vhdl(path: &Path) -> Result<Vec<u32>, FileError> {
    let text = read_text(path, "program")?;
    let tokens = tokens(&text);
    let error = |token: &Token, message: String| FileError::at(path, token.line, token.column, message);
    let end = Token {
        text: "",
        line: text.lines().count().max(1),
        column: text.lines().last().map_or(0, |line| line.chars().count()) + 1,
    };
    let token = |at: usize| tokens.get(at).copied().unwrap_or(end);

    let mut words: BTreeMap<usize, u32> = BTreeMap::new();
    let mut count: Option<(Token, usize)> = None;
    for (at, start) in tokens.iter().enumerate() {
        let is = |at: usize, text: &str| token(at).text.eq_ignore_ascii_case(text);
        // constant NAME : integer := N
        if is(at, "constant") && is(at + 2, ":") && is(at + 3, "integer") && is(at + 4, ":=") {
            let number = token(at + 5);
            let value = number.text.parse().map_err(|_| {
                error(
                    &number,
                    format!("expected the number of instruction words, found `{}`", number.text),
                )
            })?;
            if let Some((first, _)) = &count {
                let message = format!("the number of instruction words is already in line {}", first.line);
                return Err(error(&number, message));
            }
            count = Some((number, value));
        }
        if !is(at, "when") || is(at + 1, "others") {
            continue;
        }
        let (index, arrow, signal, assigns, literal, semicolon) = (
            token(at + 1),
            token(at + 2),
            token(at + 3),
            token(at + 4),
            token(at + 5),
            token(at + 6),
        );
        let number: usize = index.text.parse().map_err(|_| {
            error(
                &index,
                format!("expected the index of a word or `others`, found `{}`", index.text),
            )
        })?;
        let is_name = signal.text.starts_with(|first: char| first.is_ascii_alphabetic());
        for (right, token, expected) in [
            (arrow.text == "=>", arrow, "`=>`"),
            (is_name, signal, "the name of an output"),
            (assigns.text == "<=", assigns, "`<=`"),
        ] {
            if !right {
                return Err(error(&token, format!("expected {expected}, found `{}`", token.text)));
            }
        }
        let word = bit_string(literal.text).ok_or_else(|| {
            let message = format!(
                "expected a word like x\"30000003\", of 8 hexadecimal digits, found `{}`",
                literal.text
            );
            error(&literal, message)
        })?;
        if semicolon.text != ";" {
            return Err(error(&semicolon, format!("expected `;`, found `{}`", semicolon.text)));
        }
        if words.insert(number, word).is_some() {
            return Err(error(start, format!("word {number} is already defined")));
        }
    }
    let Some((&last, _)) = words.last_key_value() else {
        let message = "there is no instruction word; expected lines like `when 0 => instruction_out <= x\"30000003\";`";
        return Err(FileError::whole(path, message));
    };
    if let Some((index, _)) = words.keys().enumerate().find(|(index, number)| index != *number) {
        return Err(FileError::whole(
            path,
            format!("word {index} of 0 to {last} is missing"),
        ));
    }
    if let Some((place, count)) = count {
        if count != words.len() {
            let message = format!("the file declares {count} instruction words and has {}", words.len());
            return Err(error(&place, message));
        }
    }
    Ok(words.into_values().collect())
}

/// The value of `x"30000003"`. Underscores may separate digits.
fn bit_string(text: &str) -> Option<u32> {
    let digits = text.strip_prefix(['x', 'X'])?.strip_prefix('"')?.strip_suffix('"')?;
    let digits: String = digits.chars().filter(|&digit| digit != '_').collect();
    if digits.len() != 8 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(&digits, 16).ok()
}

/// A program as FlexGripPlus's instruction memory, to replace its `TP_instructions.vhd`.
pub fn vhdl_text(words: &[u32]) -> String {
    let mut text = format!(
        r#"
library IEEE;
use IEEE.std_logic_1164.all;
use IEEE.numeric_std.all;

entity TP_instructions is
	port(
		instruction_pointer_in : in  integer;
		num_instructions_out   : out integer;
		instruction_out        : out std_logic_vector(31 downto 0)
	);
end TP_instructions;

architecture arch of TP_instructions is
	constant TP_INSTRUCTIONS : integer := {};

begin
	num_instructions_out <= TP_INSTRUCTIONS;

	process(instruction_pointer_in)
	begin
		case instruction_pointer_in is
"#,
        words.len()
    );
    for instruction in instructions(words) {
        for (index, word) in (instruction.address / 4..).zip(instruction.words) {
            let choice = format!("\t\t\twhen {index} => instruction_out <= x\"{word:08x}\";");
            // Writing to a string does not fail.
            let _ = if 4 * index == instruction.address {
                writeln!(
                    text,
                    "{choice}   -- {:04x}  {}",
                    instruction.address,
                    instruction.statement(Style::Plain)
                )
            } else {
                writeln!(text, "{choice}")
            };
        }
    }
    text.push_str("\t\t\twhen others => null;\n\t\tend case;\n\tend process;\n\nend arch;\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u32>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let shown = file.path().display().to_string();
        read_vhdl(file.path()).map_err(|error| error.to_string().replace(&shown, "F"))
    }

    #[test]
    fn what_is_written_is_read_back() {
        // A short instruction, a long one, an invalid word, half of a long one.
        let words = [0x1000_8000, 0x1000_8204, 0x3000_0003, 0x780, 0xf000_0000, 0x2000_0409];
        let text = vhdl_text(&words);
        assert_eq!(read(&text), Ok(words.to_vec()));
        assert!(
            text.contains("when 2 => instruction_out <= x\"30000003\";   -- 0008  RET\n"),
            "{text}"
        );
        assert!(text.contains("when 3 => instruction_out <= x\"00000780\";\n"), "{text}");
        assert!(text.contains("integer := 6;"), "{text}");
    }

    /// FlexGripPlus's style, with other forms that VHDL allows.
    const GOOD: &str = "\
architecture arch of TP_instructions is
\tconstant TP_INSTRUCTIONS : integer := 3;
begin
\tnum_instructions_out <= TP_INSTRUCTIONS;
\t\tcase instruction_pointer_in is
\t\t\twhen 0 => instruction_out <= x\"10004205\";   -- 0000  MOV.U16 R0H, g [0x1].U16; -- when 7
when 1 => instruction_out <= x\"0023c780\";
WHEN 2=>Instruction_Out<=X\"3000_0003\"  ;
\t\t\twhen others => null;
";

    #[test]
    fn files_in_the_style_of_the_original() {
        assert_eq!(read(GOOD), Ok(vec![0x1000_4205, 0x0023_c780, 0x3000_0003]));
        let without_constant = GOOD.replace("constant TP", "signal TP");
        assert!(read(&without_constant).is_ok());
    }

    #[test]
    fn mistakes_have_a_place() {
        for (from, to, error) in [
            (
                "when 1",
                "when one",
                "F:7:6: expected the index of a word or `others`, found `one`",
            ),
            ("when 1 =>", "when 1 | 3 =>", "F:7:8: expected `=>`, found `|`"),
            ("0023c780", "0023c78", "F:7:30: expected a word like x\"30000003\""),
            (
                "x\"0023c780\"",
                "\"0023c780\"",
                "F:7:30: expected a word like x\"30000003\"",
            ),
            ("x\"0023c780\"", "x\"0023c780", "F:7:30: expected a word like"),
            ("\"0023c780\";", "\"0023c780\"", "F:8:1: expected `;`, found `WHEN`"),
            ("when 1", "when 0", "F:7:1: word 0 is already defined"),
            ("when 1", "when 4", "F: word 1 of 0 to 4 is missing"),
            (
                ":= 3",
                ":= 4",
                "F:2:40: the file declares 4 instruction words and has 3",
            ),
            (
                ":= 3",
                ":= N",
                "F:2:40: expected the number of instruction words, found `N`",
            ),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let found = read(&GOOD.replace(from, to)).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
        let nothing = read("entity e is end e; -- ü\n").unwrap_err();
        assert!(nothing.starts_with("F: there is no instruction word"), "{nothing}");
        assert_eq!(read("when 0").unwrap_err(), "F:1:7: expected `=>`, found ``");
        for length in 0..GOOD.len() {
            let _ = read(&GOOD[..length]);
        }
    }
}
