//! The headers of numpy's `.npy` files.
//!
//! Formats 1.0 to 3.0 of numpy's `numpy.lib.format`: eight bytes of magic and version, the length of the header (little
//! endian, 16 bits in format 1.0, otherwise 32), and the header, a Python dictionary on a single line. The project has
//! its own reader, because the only package for it depends on a parser generator for this line: 17 packages, 6 % of the
//! time of a first build. It also does not detect a file that is too long, or a shape that overflows.

use std::fmt::Write;

const MAGIC: &[u8] = b"\x93NUMPY";
/// The offset of the numbers is a multiple of this, in bytes.
const ALIGNMENT: usize = 64;

/// The contents of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The type of the numbers in numpy's form: byte order, kind and size in bytes, such as `<f4`.
    pub descr: String,
    /// True if the first index changes fastest.
    pub fortran_order: bool,
    /// The size of each dimension; empty for a single number.
    pub shape: Vec<usize>,
}

impl Header {
    /// Creates a header.
    pub fn new(descr: impl Into<String>, fortran_order: bool, shape: impl Into<Vec<usize>>) -> Self {
        Header {
            descr: descr.into(),
            fortran_order,
            shape: shape.into(),
        }
    }

    /// Reads the header of a file. Returns it with the bytes after it.
    ///
    /// # Errors
    /// A description of the problem.
    pub fn read(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
        let short = || "it ends within its header".to_string();
        let rest = bytes.strip_prefix(MAGIC).ok_or("it does not begin with \\x93NUMPY")?;
        let (version, rest) = rest.split_first_chunk::<2>().ok_or_else(short)?;
        let (length, rest) = match version {
            [1, _] => {
                let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
                (u16::from_le_bytes(*length).into(), rest)
            }
            [2 | 3, _] => {
                let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
                (u32::from_le_bytes(*length) as usize, rest)
            }
            [major, minor] => return Err(format!("its format is {major}.{minor}; expected 1.0, 2.0 or 3.0")),
        };
        let (text, data) = rest.split_at_checked(length).ok_or_else(short)?;
        let text = std::str::from_utf8(text).map_err(|_| "its header is not text")?;
        Ok((Dictionary { text, at: 0 }.header()?, data))
    }

    /// The bytes of the file before the numbers, in format 1.0.
    ///
    /// # Errors
    /// The shape has so many dimensions that the header would exceed 64 KiB.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        let order = if self.fortran_order { "True" } else { "False" };
        let mut text = format!("{{'descr': '{}', 'fortran_order': {order}, 'shape': (", self.descr);
        for size in &self.shape {
            let _ = write!(text, "{size}, ");
        }
        text += "), }";
        let before = MAGIC.len() + 4;
        let whole = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
        let length = u16::try_from(whole - before).map_err(|_| "its header would be longer than 64 KiB")?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend(length.to_le_bytes());
        bytes.extend(text.bytes());
        bytes.resize(whole - 1, b' ');
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The number of elements of the array.
    ///
    /// # Errors
    /// The number overflows an index.
    pub fn count(&self) -> Result<usize, String> {
        // An array with a dimension of 0 has no elements, however large the other dimensions are.
        if self.shape.contains(&0) {
            return Ok(0);
        }
        self.shape
            .iter()
            .try_fold(1usize, |count, size| count.checked_mul(*size))
            .ok_or_else(|| format!("its shape {:?} has too many numbers", self.shape))
    }

    /// The positions in the file of the numbers in C order.
    pub fn c_order(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        (0..count).map(move |index| {
            if !self.fortran_order {
                return index;
            }
            // In `index`, the last dimension changes fastest; in the file, the first one.
            let (mut rest, mut stride, mut place) = (index, count, 0);
            for size in self.shape.iter().rev() {
                stride /= size;
                place += rest % size * stride;
                rest /= size;
            }
            place
        })
    }
}

/// A parser for the Python dictionary of a header.
struct Dictionary<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Dictionary<'a> {
    fn header(mut self) -> Result<Header, String> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{")?;
        while !self.take("}") {
            let key = self.string()?;
            self.expect(":")?;
            match key {
                "descr" if self.peek() == Some('[') => {
                    return Err("its elements are records; expected numbers".into());
                }
                "descr" => descr = Some(self.string()?),
                "fortran_order" => fortran_order = Some(self.boolean()?),
                "shape" => shape = Some(self.tuple()?),
                other => {
                    return Err(format!(
                        "its header has `{other}`; expected descr, fortran_order and shape"
                    ))
                }
            }
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        if self.peek().is_some() {
            return Err(self.wrong("the end"));
        }
        let missing = |key: &str| format!("its header has no {key}");
        Ok(Header::new(
            descr.ok_or_else(|| missing("descr"))?,
            fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape.ok_or_else(|| missing("shape"))?,
        ))
    }

    /// The next character that is not a blank, without consuming it.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn take(&mut self, token: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            Ok(())
        } else {
            Err(self.wrong(&format!("`{token}`")))
        }
    }

    fn wrong(&mut self, expected: &str) -> String {
        match self.peek() {
            Some(found) => {
                let before = self.text[..self.at].chars().count();
                format!(
                    "its header has `{found}` at character {}; expected {expected}",
                    before + 1
                )
            }
            None => format!("its header ends too soon; expected {expected}"),
        }
    }

    /// Consumes characters as long as they satisfy `of_it`.
    fn take_while(&mut self, of_it: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !of_it(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = match self.peek() {
            Some(quote @ ('\'' | '"')) => quote,
            _ => return Err(self.wrong("a string")),
        };
        self.at += 1;
        let text = self.take_while(|c| c != quote);
        if self.at == self.text.len() {
            return Err("its header ends within a string".into());
        }
        self.at += 1;
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        if self.take("True") {
            Ok(true)
        } else if self.take("False") {
            Ok(false)
        } else {
            Err(self.wrong("True or False"))
        }
    }

    fn tuple(&mut self) -> Result<Vec<usize>, String> {
        let mut sizes = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            self.peek();
            let digits = self.take_while(|c| c.is_ascii_digit());
            if digits.is_empty() {
                return Err(self.wrong("a dimension's size"));
            }
            sizes.push(
                digits
                    .parse()
                    .map_err(|_| format!("its size {digits} does not fit in 64 bits"))?,
            );
            // Long integers of Python 2.
            self.take("L");
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.bytes());
        bytes
    }

    #[test]
    fn headers_round_trip() {
        for shape in [vec![], vec![0], vec![7], vec![2, 3], vec![1; 100]] {
            let header = Header::new("<u2", shape.len() == 2, shape);
            let mut bytes = header.write().unwrap();
            assert_eq!(bytes.len() % ALIGNMENT, 0);
            bytes.extend([1, 2, 3]);
            assert_eq!(Header::read(&bytes), Ok((header, [1, 2, 3].as_slice())));
        }
    }

    #[test]
    fn headers_of_other_programs_are_read() {
        let expected = |fortran_order, shape: &[usize]| Header::new("<f4", fortran_order, shape);
        for (version, text, header) in [
            (
                1,
                "{'descr':'<f4','fortran_order':False,'shape':(3,)}",
                expected(false, &[3]),
            ),
            (
                2,
                "{'shape': (3L, 4L), 'fortran_order': True, 'descr': '<f4'}\n",
                expected(true, &[3, 4]),
            ),
            (
                3,
                "{ \"descr\" : \"<f4\", \"shape\" : ( ) , \"fortran_order\" : False , } \n",
                expected(false, &[]),
            ),
        ] {
            assert_eq!(
                Header::read(&file(version, text)),
                Ok((header, [].as_slice())),
                "{text}"
            );
        }
    }

    #[test]
    fn wrong_headers_are_refused() {
        let rest = "'fortran_order': False, 'shape': (1,)}";
        for (version, text, message) in [
            (4, "{}", "its format is 4.0; expected 1.0, 2.0 or 3.0"),
            (1, "{}", "its header has no descr"),
            (1, "{'descr': '<f4'}", "its header has no fortran_order"),
            (1, "{'descr': '<f4', 'fortran_order': True}", "its header has no shape"),
            (
                1,
                &format!("{{'descr': [('a', '<f4')], {rest}"),
                "its elements are records; expected numbers",
            ),
            (
                1,
                "{'a': 1}",
                "its header has `a`; expected descr, fortran_order and shape",
            ),
            (
                1,
                "{'shape': (18446744073709551616,)}",
                "its size 18446744073709551616 does not fit in 64 bits",
            ),
            (
                1,
                "{'shape': (-1,)}",
                "its header has `-` at character 12; expected a dimension's size",
            ),
            (
                1,
                "{'fortran_order': 1}",
                "its header has `1` at character 19; expected True or False",
            ),
            (
                1,
                "{'shape': (1 2)}",
                "its header has `2` at character 14; expected `)`",
            ),
            (1, "{'descr': '<f4', ", "its header ends too soon; expected a string"),
            (1, "{'descr", "its header ends within a string"),
            (
                1,
                &format!("{{'descr': '<f4', {rest} 1"),
                "its header has `1` at character 57; expected the end",
            ),
            (
                2,
                &"(".repeat(1_000_000),
                "its header has `(` at character 1; expected `{`",
            ),
        ] {
            assert_eq!(Header::read(&file(version, text)).unwrap_err(), message, "{text:.40}");
        }
        assert_eq!(
            Header::read(b"P6 1 1").unwrap_err(),
            "it does not begin with \\x93NUMPY"
        );
        let whole = file(1, &format!("{{'descr': '<f4', {rest}"));
        for length in MAGIC.len()..whole.len() {
            assert_eq!(
                Header::read(&whole[..length]).unwrap_err(),
                "it ends within its header",
                "{length}"
            );
        }
        let many = Header::new("<f4", false, [1; 65536]);
        assert_eq!(many.write().unwrap_err(), "its header would be longer than 64 KiB");
    }

    #[test]
    fn order_and_count_follow_the_shape() {
        let header = |fortran_order, shape: &[usize]| Header::new("<f4", fortran_order, shape);
        assert_eq!(
            header(false, &[2, 3]).c_order(6).collect::<Vec<_>>(),
            [0, 1, 2, 3, 4, 5]
        );
        assert_eq!(header(true, &[2, 3]).c_order(6).collect::<Vec<_>>(), [0, 2, 4, 1, 3, 5]);
        assert_eq!(
            header(true, &[2, 2, 2]).c_order(8).collect::<Vec<_>>(),
            [0, 4, 2, 6, 1, 5, 3, 7]
        );
        assert_eq!(header(true, &[]).c_order(1).collect::<Vec<_>>(), [0]);
        assert_eq!(header(false, &[]).count(), Ok(1));
        assert_eq!(header(false, &[usize::MAX, 0, usize::MAX]).count(), Ok(0));
        assert!(header(false, &[1 << 62, 8]).count().is_err());
    }
}
