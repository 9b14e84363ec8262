//! Formats of `printf`: OpenCL 1.2, section 6.12.13.
//!
//! A conversion is `%`, flags, a width, a precision, a vector specifier, a length modifier and a letter, in this order.
//! Formats that are undefined in OpenCL are refused, with four exceptions that programs rely on: `ll` is `l`, `z` and
//! `t` have the size of a pointer, a vector without a length modifier has elements of 32 bits, and `l` before the
//! letter of a float has no effect, as in C.

/// The maximum width and precision. Larger ones are refused, because the text could exhaust the host's memory.
const MOST: usize = 4095;

/// Text and conversions in order.
pub type Format = Vec<Piece>;

/// A piece of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Bytes that are printed as they are.
    Text(Vec<u8>),
    /// A conversion of the next argument.
    Conversion(Conversion),
}

/// A conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    /// The flags.
    pub flags: Flags,
    /// The minimum number of characters.
    pub width: usize,
    /// The precision, if there is one.
    pub precision: Option<usize>,
    /// The number of elements: 1 for a scalar, or 2, 3, 4, 8 or 16.
    pub elements: usize,
    /// The bytes of an element as an argument: 1, 2, 4 or 8.
    pub bytes: usize,
    /// The number of low bits of an integer that are printed: 8, 16, 32 or 64.
    pub bits: u32,
    /// The kind of the value.
    pub kind: ConversionKind,
}

/// The flags of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// `-`: left-aligned.
    pub left: bool,
    /// `+`: positive numbers have a sign.
    pub plus: bool,
    /// A space in place of a sign.
    pub space: bool,
    /// `#`: the alternative form.
    pub alternative: bool,
    /// `0`: zeros in place of the spaces before a number.
    pub zero: bool,
}

/// The kind of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversionKind {
    /// `d`, `i`
    Signed,
    /// `u`, `o`, `x` and `X`
    Unsigned {
        /// The base, 8, 10 or 16.
        base: u8,
        /// True for capital letters.
        upper: bool,
    },
    /// `f`, `e`, `g`, `a` and their capitals
    Float {
        /// The small letter.
        letter: u8,
        /// True for capital letters.
        upper: bool,
    },
    /// `c`
    Character,
    /// `s`
    String,
    /// `p`
    Pointer,
}

impl Conversion {
    /// Returns the bytes of the argument, without padding.
    #[must_use]
    pub fn size(&self) -> usize {
        self.elements * self.bytes
    }

    /// Returns the number of words of the argument in a record.
    #[must_use]
    pub fn words(&self) -> usize {
        self.size().div_ceil(4)
    }

    /// Returns the alignment of the argument in memory, in bytes. A vector of three has the size of a vector of four.
    #[must_use]
    pub fn alignment(&self) -> usize {
        self.elements.next_power_of_two() * self.bytes
    }
}

/// The conversions of a format.
pub fn conversions(format: &Format) -> impl Iterator<Item = &Conversion> {
    format.iter().filter_map(|piece| match piece {
        Piece::Conversion(conversion) => Some(conversion),
        Piece::Text(_) => None,
    })
}

/// Parses a format. If `promoted`, scalars of type `float` are passed as `double`.
///
/// # Errors
/// A conversion that is not valid in OpenCL C. The text says why.
pub fn parse(format: &[u8], promoted: bool) -> Result<Format, String> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            text.push(first);
            rest = after;
            continue;
        }
        if let Some(after) = after.strip_prefix(b"%") {
            text.push(b'%');
            rest = after;
            continue;
        }
        let mut parser = Parser { all: rest, rest: after };
        let conversion = parser.conversion(promoted)?;
        rest = parser.rest;
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Conversion(conversion));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

/// A length modifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    None,
    Char,
    Short,
    /// `hl`: elements of 32 bits, of vectors only.
    Word,
    Long,
    Size,
}

/// The modifiers. A modifier must be before its prefixes: `hh` before `h`.
const LENGTHS: [(&[u8], Length); 7] = [
    (b"hh", Length::Char),
    (b"hl", Length::Word),
    (b"h", Length::Short),
    (b"ll", Length::Long),
    (b"l", Length::Long),
    (b"z", Length::Size),
    (b"t", Length::Size),
];

/// Reads one conversion.
struct Parser<'a> {
    /// The format from the percent sign on, for messages.
    all: &'a [u8],
    rest: &'a [u8],
}

impl Parser<'_> {
    fn take(&mut self, prefix: &[u8]) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Returns an error with the text of the conversion up to the next letter.
    fn refused<T>(&self, why: &str) -> Result<T, String> {
        let read = self.all.len() - self.rest.len();
        let text = String::from_utf8_lossy(&self.all[..read]);
        Err(format!("`{}` in the format of printf: {why}", text.escape_debug()))
    }

    fn number(&mut self) -> Result<Option<usize>, String> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        if number.is_empty() {
            return Ok(None);
        }
        let value = number.iter().fold(0usize, |value, digit| {
            value.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
        });
        match value {
            0..=MOST => Ok(Some(value)),
            _ => self.refused("width and precision are limited to 4095"),
        }
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Some((flag, rest)) = self.rest.split_first() {
            match flag {
                b'-' => flags.left = true,
                b'+' => flags.plus = true,
                b' ' => flags.space = true,
                b'#' => flags.alternative = true,
                b'0' => flags.zero = true,
                _ => break,
            }
            self.rest = rest;
        }
        flags
    }

    fn conversion(&mut self, promoted: bool) -> Result<Conversion, String> {
        let flags = self.flags();
        let width = self.number()?.unwrap_or(0);
        let precision = match self.take(b".") {
            true => Some(self.number()?.unwrap_or(0)),
            false => None,
        };
        let elements = match self.take(b"v") {
            true => match self.number()? {
                Some(elements @ (2 | 3 | 4 | 8 | 16)) => elements,
                _ => return self.refused("a vector has 2, 3, 4, 8 or 16 elements"),
            },
            false => 1,
        };
        let length = LENGTHS.iter().find(|(name, _)| self.take(name));
        let length = length.map_or(Length::None, |(_, length)| *length);
        let Some((&letter, rest)) = self.rest.split_first() else {
            return self.refused("the conversion has no letter");
        };
        self.rest = rest;
        let kind = match letter {
            b'd' | b'i' => ConversionKind::Signed,
            b'o' => ConversionKind::Unsigned { base: 8, upper: false },
            b'u' => ConversionKind::Unsigned { base: 10, upper: false },
            b'x' | b'X' => ConversionKind::Unsigned {
                base: 16,
                upper: letter == b'X',
            },
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => ConversionKind::Float {
                letter: letter.to_ascii_lowercase(),
                upper: letter.is_ascii_uppercase(),
            },
            b'c' => ConversionKind::Character,
            b's' => ConversionKind::String,
            b'p' => ConversionKind::Pointer,
            b'*' => return self.refused("OpenCL C has no `*` for a width or precision"),
            b'n' => return self.refused("OpenCL C has no `%n`"),
            _ => return self.refused("OpenCL C has no such conversion"),
        };
        let (bytes, bits) = self.sizes(kind, elements, length, promoted)?;
        Ok(Conversion {
            flags,
            width,
            precision,
            elements,
            bytes,
            bits,
            kind,
        })
    }

    /// Returns the bytes of an element as an argument, and the number of bits that are printed.
    fn sizes(
        &self,
        kind: ConversionKind,
        elements: usize,
        length: Length,
        promoted: bool,
    ) -> Result<(usize, u32), String> {
        let vector = elements > 1;
        Ok(match (kind, length) {
            (_, Length::Word) if !vector => return self.refused("`hl` is for vectors only"),
            (ConversionKind::Character | ConversionKind::String | ConversionKind::Pointer, _) if vector => {
                return self.refused("a vector is printed as integers or floats")
            }
            (ConversionKind::Character | ConversionKind::String | ConversionKind::Pointer, Length::None) => (4, 32),
            (ConversionKind::Character | ConversionKind::String | ConversionKind::Pointer, _) => {
                return self.refused("this conversion has no length modifier")
            }
            (ConversionKind::Float { .. }, Length::None | Length::Word) if vector => (4, 32),
            (ConversionKind::Float { .. }, Length::Long) if vector => match promoted {
                true => (8, 64),
                false => return self.refused("vectors of doubles need a source with doubles"),
            },
            (ConversionKind::Float { .. }, Length::None | Length::Long) => match promoted {
                true => (8, 64),
                false => (4, 32),
            },
            (ConversionKind::Float { .. }, Length::Short) => return self.refused(crate::error::NO_HALF),
            (ConversionKind::Float { .. }, _) => return self.refused("this length modifier is for integers"),
            (_, Length::Char) => (if vector { 1 } else { 4 }, 8),
            (_, Length::Short) => (if vector { 2 } else { 4 }, 16),
            (_, Length::Long) => (8, 64),
            (_, Length::None | Length::Word | Length::Size) => (4, 32),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(format: &str) -> Conversion {
        match parse(format.as_bytes(), false).expect(format).as_slice() {
            [Piece::Conversion(conversion)] => *conversion,
            other => panic!("{format}: {other:?}"),
        }
    }

    #[test]
    fn text_and_conversions_are_separated() {
        let pieces = parse(b"a%%b%d%%", false).expect("a format");
        assert_eq!(pieces.len(), 3);
        assert_eq!(pieces[0], Piece::Text(b"a%b".to_vec()));
        assert_eq!(pieces[2], Piece::Text(b"%".to_vec()));
        let all = only("%-+ #012.7v16hlX");
        let flags = Flags {
            left: true,
            plus: true,
            space: true,
            alternative: true,
            zero: true,
        };
        assert_eq!((all.flags, all.width, all.precision), (flags, 12, Some(7)));
        assert_eq!((all.elements, all.bytes, all.bits), (16, 4, 32));
        assert_eq!(only("%.f").precision, Some(0));
    }

    #[test]
    fn arguments_have_their_sizes() {
        for (format, size, alignment, bits) in [
            ("%d", 4, 4, 32),
            ("%hhd", 4, 4, 8),
            ("%hu", 4, 4, 16),
            ("%lx", 8, 8, 64),
            ("%lli", 8, 8, 64),
            ("%zu", 4, 4, 32),
            ("%v2hhd", 2, 2, 8),
            ("%v3hhd", 3, 4, 8),
            ("%v3hd", 6, 8, 16),
            ("%v16hhu", 16, 16, 8),
            ("%v4d", 16, 16, 32),
            ("%v3hlf", 12, 16, 32),
            ("%v8f", 32, 32, 32),
            ("%v16lu", 128, 128, 64),
            ("%f", 4, 4, 32),
            ("%le", 4, 4, 32),
            ("%c", 4, 4, 32),
        ] {
            let found = only(format);
            let sizes = (found.size(), found.alignment(), found.bits);
            assert_eq!(sizes, (size, alignment, bits), "{format}");
        }
        let promoted = parse(b"%f%v2lf%v2hlf", true).expect("a format");
        let sizes: Vec<usize> = conversions(&promoted).map(Conversion::size).collect();
        assert_eq!(sizes, [8, 16, 8]);
    }

    #[test]
    fn wrong_conversions_are_refused_with_their_text() {
        for (format, message) in [
            ("a %", "`%` in the format of printf: the conversion has no letter"),
            ("%5.", "`%5.` in the format of printf: the conversion has no letter"),
            ("%*d", "`%*` in the format of printf: OpenCL C has no `*`"),
            ("%n", "`%n` in the format of printf: OpenCL C has no `%n`"),
            ("%k", "`%k` in the format of printf: OpenCL C has no such conversion"),
            ("%Lf", "`%L` in the format of printf: OpenCL C has no such"),
            (
                "%v5d",
                "`%v5` in the format of printf: a vector has 2, 3, 4, 8 or 16 elements",
            ),
            ("%vd", "`%v` in the format of printf: a vector has"),
            ("%v4s", "`%v4s` in the format of printf: a vector is printed"),
            ("%v4c", "`%v4c` in the format of printf: a vector is printed"),
            ("%hld", "`%hld` in the format of printf: `hl` is for vectors only"),
            ("%ls", "`%ls` in the format of printf: this conversion has no length"),
            ("%v2lf", "`%v2lf` in the format of printf: vectors of doubles need"),
            ("%v2hf", "`%v2hf` in the format of printf: `half` arithmetic"),
            ("%zf", "`%zf` in the format of printf: this length modifier"),
            (
                "%4096d",
                "`%4096` in the format of printf: width and precision are limited",
            ),
            ("%99999999999999999999d", "`%99999999999999999999` in"),
        ] {
            let error = parse(format.as_bytes(), false).expect_err(format);
            assert!(error.starts_with(message), "{format}: {error}");
        }
    }
}
