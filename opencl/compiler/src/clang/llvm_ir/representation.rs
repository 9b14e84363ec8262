//! Scanner for LLVM IR: finds the end of a value, bracket or string.

/// Returns the length of a value in bytes. It ends before a comma, or before the bracket that closes its list.
///
/// # Errors
/// The missing delimiter.
pub fn value(text: &str) -> Result<usize, &'static str> {
    let mut end = 0;
    while let Some(next) = text[end..].chars().next() {
        end += match next {
            ',' | ')' | ']' | '}' | '>' => break,
            '(' | '[' | '{' | '<' => bracketed(&text[end..])?,
            '"' => quoted(&text[end..])?,
            other => other.len_utf8(),
        };
    }
    Ok(end)
}

/// Returns the length of a text in brackets, including the brackets, in bytes.
///
/// # Errors
/// The missing delimiter.
pub fn bracketed(text: &str) -> Result<usize, &'static str> {
    let mut end = 1;
    loop {
        end += value(&text[end..])?;
        match text[end..].chars().next() {
            Some(',') => end += 1,
            Some(_) => return Ok(end + 1),
            None => return Err("a closing bracket"),
        }
    }
}

/// Returns the length of a string or name in quotation marks, including the marks, in bytes.
fn quoted(text: &str) -> Result<usize, &'static str> {
    let end = text[1..].find('"').ok_or("a closing quotation mark")?;
    Ok(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_at_a_comma_or_bracket() {
        for (text, length) in [
            ("5, i32 6", 1),
            ("<i16 1, i16 2>, !dbg !23", 14),
            ("c\"a,)\\22b\"]", 10),
            ("getelementptr (i8, ptr @\"a)\", [2 x i8] (1))}", 43),
            ("null", 4),
            (", 5", 0),
        ] {
            assert_eq!(value(text), Ok(length), "{text}");
        }
        assert_eq!(bracketed("(i32, {i8, i8})* bitcast (x)"), Ok(15));
        assert_eq!(value("c\"ab"), Err("a closing quotation mark"));
        assert_eq!(value("trunc (i8 5"), Err("a closing bracket"));
    }
}
