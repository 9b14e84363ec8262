//! Constant integers in a kernel: literals, and indices over loop variables.

/// Loop variables, innermost last.
pub(crate) type Loops = Vec<(String, i128)>;

/// The value of an integer expression over loop variables: `+ - * / % << >> ^`, parentheses, Rust's precedence.
pub(crate) fn evaluate(text: &str, loops: &Loops) -> Result<i128, String> {
    let mut parser = Parser {
        rest: text.trim(),
        loops,
    };
    let value = parser.exclusive_or()?;
    if parser.rest.is_empty() {
        Ok(value)
    } else {
        Err(format!(
            "`{}` is not an integer expression over loop variables",
            parser.rest
        ))
    }
}

struct Parser<'a> {
    rest: &'a str,
    loops: &'a Loops,
}

impl<'a> Parser<'a> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn exclusive_or(&mut self) -> Result<i128, String> {
        let mut value = self.shift()?;
        while self.take("^") {
            value ^= self.shift()?;
        }
        Ok(value)
    }

    fn shift(&mut self) -> Result<i128, String> {
        let mut value = self.sum()?;
        loop {
            let left = self.take("<<");
            if !left && !self.take(">>") {
                return Ok(value);
            }
            let count = u32::try_from(self.sum()?).map_err(|_| "shift by a negative count".to_string())?;
            let shifted = if left {
                value.checked_shl(count)
            } else {
                value.checked_shr(count)
            };
            value = shifted.ok_or("overflow")?;
        }
    }

    fn sum(&mut self) -> Result<i128, String> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.checked_add(self.product()?).ok_or("overflow")?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?).ok_or("overflow")?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<i128, String> {
        let mut value = self.atom()?;
        loop {
            if self.take("*") {
                value = value.checked_mul(self.atom()?).ok_or("overflow")?;
            } else if self.take("/") {
                value = value.checked_div(self.atom()?).ok_or("division by zero")?;
            } else if self.take("%") {
                value = value.checked_rem(self.atom()?).ok_or("division by zero")?;
            } else {
                return Ok(value);
            }
        }
    }

    fn atom(&mut self) -> Result<i128, String> {
        if self.take("(") {
            let value = self.exclusive_or()?;
            return if self.take(")") {
                Ok(value)
            } else {
                Err("missing `)`".into())
            };
        }
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        self.rest = self.rest[end..].trim_start();
        if let Some(value) = integer(word) {
            return Ok(value);
        }
        match self.loops.iter().rev().find(|(name, _)| name == word) {
            Some((_, value)) => Ok(*value),
            None => Err(format!("`{word}` is neither a number nor a loop variable")),
        }
    }
}

/// A Rust integer literal: any base, underscores, type suffix.
pub(crate) fn integer(text: &str) -> Option<i128> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0b") => (&text[2..], 2),
        Some("0o") => (&text[2..], 8),
        _ => (&text[..], 10),
    };
    let end = match radix {
        16 => digits.find(|c: char| !c.is_ascii_hexdigit()),
        _ => digits.find(|c: char| !c.is_ascii_digit()),
    }
    .unwrap_or(digits.len());
    let suffix = &digits[end..];
    let known = [
        "", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    ];
    if !known.contains(&suffix) {
        return None;
    }
    i128::from_str_radix(&digits[..end], radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_expressions_follow_rust() {
        let loops = vec![("i".to_string(), 5), ("j".to_string(), 3)];
        for (text, value) in [
            ("i*2+j", 13),
            ("(i + 1)", 6),
            ("i+2*j", 11),
            ("((i-j))<<2", 8),
            ("0x10_usize % i", 1),
            ("i ^ 1 << j", 13),
        ] {
            assert_eq!(evaluate(text, &loops), Ok(value), "{text}");
        }
        assert!(evaluate("k", &loops).is_err());
        assert!(evaluate("i/0", &loops).is_err());
        assert!(evaluate("sel$val()$index()", &loops).is_err());
    }

    #[test]
    fn integers_have_bases_and_suffixes() {
        assert_eq!(integer("0x1F"), Some(31));
        assert_eq!(integer("1_000_u64"), Some(1000));
        assert_eq!(integer("0b101u8"), Some(5));
        assert_eq!(integer("12px"), None);
        assert_eq!(integer("x"), None);
    }
}
