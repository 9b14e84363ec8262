//! What clang reads: a source's bytes under the name that messages and lines have.

/// What editors of Windows write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A source without its byte-order mark. Clang knows the mark only where a file begins, and a source has its name before it.
///
/// # Errors
/// The source is of two or four bytes a character.
pub fn plain(text: &[u8]) -> Result<&[u8], &'static str> {
    // A mark, or a zero beside each character of ASCII; no source in bytes begins with a zero or has one as its second.
    let wide = matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..]);
    match wide && text.len() > 2 {
        true => Err("the source is UTF-16 or UTF-32; expected UTF-8"),
        false => Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)),
    }
}

/// The text for clang: a prelude, then the source with its own lines under its name.
pub fn named(name: &str, prelude: &str, plain: &[u8]) -> Vec<u8> {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("{prelude}#line 1 \"{name}\"\n").into_bytes();
    text.extend_from_slice(plain);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        assert_eq!(plain(b"\xef\xbb\xbfkernel"), Ok(&b"kernel"[..]));
        assert_eq!(plain(b"// \xb5\nkernel"), Ok(&b"// \xb5\nkernel"[..]));
        assert_eq!((plain(b""), plain(b"k")), (Ok(&b""[..]), Ok(&b"k"[..])));
        for wide in [
            &b"\xff\xfek\0e\0"[..],
            b"\xfe\xff\0k\0e",
            b"k\0e\0r\0",
            b"\0k\0e\0r",
            b"\xff\xfe\0\0k\0\0\0",
        ] {
            assert_eq!(plain(wide), Err("the source is UTF-16 or UTF-32; expected UTF-8"));
        }
    }

    #[test]
    fn a_name_is_quoted() {
        assert_eq!(
            named("a\"b\\c", "int x;\n", b"y"),
            b"int x;\n#line 1 \"a\\\"b\\\\c\"\ny"
        );
    }
}
