//! The input of clang: the bytes of the source after a line marker with its name.

/// The byte-order mark that editors on Windows write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns a source without its byte-order mark. Clang accepts the mark only at the beginning of a file, which here has
/// a line marker.
///
/// # Errors
/// The source has two or four bytes for each character.
pub fn plain(text: &[u8]) -> Result<&[u8], &'static str> {
    // UTF-16 and UTF-32 begin with a mark, or have a zero byte next to an ASCII character. In other encodings neither
    // of the first two bytes is zero.
    let wide = matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..]);
    match wide && text.len() > 2 {
        true => Err("the source is UTF-16 or UTF-32; expected UTF-8"),
        false => Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)),
    }
}

/// Returns the input of clang: a prelude, then the source with a line marker.
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
