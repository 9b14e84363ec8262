//! The bytes of a file as text.

use std::borrow::Cow;
use thiserror::Error;

/// The error for bytes that are not a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotText {
    /// A byte-order mark of UTF-16, which some editors write.
    #[error("the text is UTF-16; expected UTF-8")]
    Utf16,
    /// A byte of 0, which text never has: a binary file.
    #[error("this is not text: a byte is 0")]
    Zero {
        /// The line of the byte, from 1.
        line: usize,
    },
}

impl NotText {
    /// The line of the error, from 1.
    pub const fn line(self) -> usize {
        match self {
            NotText::Utf16 => 1,
            NotText::Zero { line } => line,
        }
    }
}

/// The text of a source file. A UTF-8 byte-order mark is dropped. Bytes that are not UTF-8, such as Latin-1 letters in
/// a comment, become U+FFFD, which no format accepts outside comments and names: there it is reported as an error with
/// its location.
///
/// # Errors
/// The bytes are UTF-16 or binary.
pub fn text_of_bytes(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(NotText::Utf16);
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        return Err(NotText::Zero { line });
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    Ok(String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_other_bytes_are_accepted() {
        let text = |bytes| text_of_bytes(bytes).map(Cow::into_owned);
        assert_eq!(text("a ü\n".as_bytes()), Ok("a ü\n".into()));
        assert_eq!(
            text("\u{feff}a\u{feff}".as_bytes()),
            Ok("a\u{feff}".into()),
            "only the first"
        );
        assert_eq!(text(b"a // gr\xfcn\nb"), Ok("a // gr\u{fffd}n\nb".into()));
        assert_eq!(text(b""), Ok(String::new()));
        assert_eq!(text(b"\xff\xfea\0"), Err(NotText::Utf16));
        assert_eq!(text(b"\xfe\xff\0a"), Err(NotText::Utf16));
        let zero = text(b"a\nb\0").unwrap_err();
        assert_eq!((zero, zero.line()), (NotText::Zero { line: 2 }, 2));
    }
}
