//! Integer expressions of the assembler: C's operators with C's precedence on 64-bit signed numbers. Comparisons and
//! logical operators give 0 or 1. Overflow, division by zero and shifts out of 0..63 are errors.

/// The value of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// A number.
    Value(i64),
    /// A byte offset: in an operand's brackets it counts in units of the access, elsewhere in bytes.
    Bytes(i64),
}

/// A function that looks up a name.
pub(crate) type Symbols<'a> = &'a dyn Fn(&str) -> Option<Symbol>;

/// A lookup that finds no name.
pub(crate) fn no_symbols(_: &str) -> Option<Symbol> {
    None
}

/// The maximum nesting depth: enough for any source written by hand, and safe for the stack.
const DEEPEST: u32 = 100;

/// Evaluates `text`; byte offsets are divided by `unit`, a number of bytes.
pub(crate) fn evaluate(text: &str, unit: u32, symbols: Symbols) -> Result<i64, String> {
    let mut parser = Parser {
        rest: text,
        unit: i64::from(unit),
        symbols,
        depth: 0,
    };
    let value = parser.binary(0)?;
    parser.blanks();
    if parser.rest.is_empty() {
        Ok(value)
    } else {
        Err(format!("unexpected `{}` after the expression", parser.rest.trim()))
    }
}

pub(crate) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

pub(crate) fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// Binary operators by precedence, loosest first; longer ones before their own prefixes.
const OPERATORS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser<'a> {
    rest: &'a str,
    unit: i64,
    symbols: Symbols<'a>,
    depth: u32,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn operator(&mut self, level: usize) -> Option<&'static str> {
        self.blanks();
        // The longest operator, of any level, that the text starts with: `<<` is not `<`, `||` not `|`.
        let found = OPERATORS
            .iter()
            .flat_map(|operators| operators.iter())
            .filter(|operator| self.rest.starts_with(**operator))
            .max_by_key(|operator| operator.len())?;
        if !OPERATORS[level].contains(found) {
            return None;
        }
        self.rest = &self.rest[found.len()..];
        Some(found)
    }

    fn binary(&mut self, level: usize) -> Result<i64, String> {
        if level == OPERATORS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(level) {
            let right = self.binary(level + 1)?;
            left = apply(operator, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".to_string());
        }
        let value = self.primary();
        self.depth -= 1;
        value
    }

    fn primary(&mut self) -> Result<i64, String> {
        self.blanks();
        let Some(first) = self.rest.chars().next() else {
            return Err("a number is missing".to_string());
        };
        let after = &self.rest[first.len_utf8()..];
        match first {
            '-' => {
                self.rest = after;
                self.unary()?.checked_neg().ok_or_else(too_large)
            }
            '+' => {
                self.rest = after;
                self.unary()
            }
            '~' => {
                self.rest = after;
                Ok(!self.unary()?)
            }
            '!' => {
                self.rest = after;
                Ok(i64::from(self.unary()? == 0))
            }
            '(' => {
                self.rest = after;
                let value = self.binary(0)?;
                self.blanks();
                match self.rest.strip_prefix(')') {
                    Some(rest) => {
                        self.rest = rest;
                        Ok(value)
                    }
                    None => Err("`)` is missing".to_string()),
                }
            }
            '0'..='9' => {
                let end = self.rest.find(|c: char| !is_name_part(c)).unwrap_or(self.rest.len());
                let (digits, rest) = self.rest.split_at(end);
                self.rest = rest;
                number(digits)
            }
            c if is_name_start(c) => {
                let end = self.rest.find(|c: char| !is_name_part(c)).unwrap_or(self.rest.len());
                let (name, rest) = self.rest.split_at(end);
                self.rest = rest;
                match (self.symbols)(name) {
                    Some(Symbol::Value(value)) => Ok(value),
                    Some(Symbol::Bytes(bytes)) if bytes % self.unit == 0 => Ok(bytes / self.unit),
                    Some(Symbol::Bytes(bytes)) => Err(format!(
                        "`{name}` is at byte {bytes}, which an access of {} bytes cannot reach",
                        self.unit
                    )),
                    None => Err(format!("`{name}` is not defined")),
                }
            }
            _ => Err(format!("`{}` is not an expression", self.rest.trim())),
        }
    }
}

fn too_large() -> String {
    "the number is too large".to_string()
}

fn number(text: &str) -> Result<i64, String> {
    let clean = text.replace('_', "");
    let (digits, radix) = match clean.get(..2) {
        Some("0x" | "0X") => (&clean[2..], 16),
        Some("0b" | "0B") => (&clean[2..], 2),
        _ => (clean.as_str(), 10),
    };
    i64::from_str_radix(digits, radix).map_err(|_| format!("`{text}` is not a number"))
}

fn apply(operator: &str, a: i64, b: i64) -> Result<i64, String> {
    let shift = || u32::try_from(b).ok().filter(|&b| b < 64);
    let value = match operator {
        "||" => Some(i64::from(a != 0 || b != 0)),
        "&&" => Some(i64::from(a != 0 && b != 0)),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "&" => Some(a & b),
        "==" => Some(i64::from(a == b)),
        "!=" => Some(i64::from(a != b)),
        "<=" => Some(i64::from(a <= b)),
        ">=" => Some(i64::from(a >= b)),
        "<" => Some(i64::from(a < b)),
        ">" => Some(i64::from(a > b)),
        "<<" => shift().and_then(|b| a.checked_mul(1i64.checked_shl(b)?)),
        ">>" => shift().map(|b| a >> b),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" | "%" if b == 0 => return Err("division by zero".to_string()),
        "/" => a.checked_div(b),
        _ => a.checked_rem(b),
    };
    value.ok_or_else(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(text: &str) -> Result<i64, String> {
        evaluate(text, 4, &|name| match name {
            "n" => Some(Symbol::Value(10)),
            "p" => Some(Symbol::Bytes(24)),
            "odd" => Some(Symbol::Bytes(18)),
            _ => None,
        })
    }

    #[test]
    fn precedence_is_that_of_c() {
        for (text, value) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 4 - 3", 3),
            ("1 << 2 + 1", 8),
            ("0xff & 0x0f == 0x0f", 1),
            ("6 | 1 ^ 3 & 2", 7),
            ("1 || 0 && 0", 1),
            ("-3 / 2", -1),
            ("-7 % 3", -1),
            ("~0", -1),
            ("!5 + 1", 1),
            ("- -n", 10),
            ("0b1010 + 1_000", 1010),
            ("n*n >= 100", 1),
            ("p", 6),
            ("p + 1", 7),
            ("2 < 3 != 0", 1),
        ] {
            assert_eq!(eval(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn errors_are_errors() {
        for text in [
            "",
            "1 +",
            "(1",
            "1)",
            "1 2",
            "1 / 0",
            "1 % (3 - 3)",
            "1 << 64",
            "1 << -1",
            "0x7fffffffffffffff + 1",
            "-0x7fffffffffffffff - 2",
            "99999999999999999999",
            "0x",
            "12ab",
            "m",
            "odd",
            "é",
            "\u{0}",
        ] {
            assert!(eval(text).is_err(), "{text}");
        }
        assert!(eval(&"(".repeat(100_000)).is_err());
        assert!(eval(&"-".repeat(100_000)).is_err());
    }
}
