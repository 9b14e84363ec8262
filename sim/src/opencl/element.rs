//! The OpenCL C types of arguments: scalars and vectors.

use std::fmt;
use std::str::FromStr;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `char`, 8 bits, signed.
    Char,
    /// `uchar`, 8 bits.
    Uchar,
    /// `short`, 16 bits, signed.
    Short,
    /// `ushort`, 16 bits.
    Ushort,
    /// `int`, 32 bits, signed.
    Int,
    /// `uint`, 32 bits.
    Uint,
    /// `long`, 64 bits, signed.
    Long,
    /// `ulong`, 64 bits.
    Ulong,
    /// `float`, 32 bits.
    Float,
    /// `double`, 64 bits.
    Double,
}

/// Evaluates an expression with `$ty` as the Rust type of a scalar.
macro_rules! with_type {
    ($scalar:expr, $ty:ident => $body:expr) => {{
        macro_rules! body {
            ($name:ty) => {{
                type $ty = $name;
                $body
            }};
        }
        match $scalar {
            Scalar::Char => body!(i8),
            Scalar::Uchar => body!(u8),
            Scalar::Short => body!(i16),
            Scalar::Ushort => body!(u16),
            Scalar::Int => body!(i32),
            Scalar::Uint => body!(u32),
            Scalar::Long => body!(i64),
            Scalar::Ulong => body!(u64),
            Scalar::Float => body!(f32),
            Scalar::Double => body!(f64),
        }
    }};
}

impl Scalar {
    const NAMES: [(&'static str, Scalar); 10] = [
        ("char", Scalar::Char),
        ("uchar", Scalar::Uchar),
        ("short", Scalar::Short),
        ("ushort", Scalar::Ushort),
        ("int", Scalar::Int),
        ("uint", Scalar::Uint),
        ("long", Scalar::Long),
        ("ulong", Scalar::Ulong),
        ("float", Scalar::Float),
        ("double", Scalar::Double),
    ];

    /// True for `float` and `double`.
    #[must_use]
    pub fn is_real(self) -> bool {
        matches!(self, Scalar::Float | Scalar::Double)
    }

    /// The size of a value in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        with_type!(self, T => size_of::<T>())
    }

    /// The bytes of a value, little endian, from a decimal number; integers may also be hexadecimal.
    ///
    /// # Errors
    /// A description of the expected text.
    pub fn parse(self, text: &str) -> Result<Vec<u8>, String> {
        let decimal = match text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16)) {
            Some(Ok(number)) if !self.is_real() => number.to_string(),
            _ => text.to_string(),
        };
        with_type!(self, T => match decimal.parse::<T>() {
            Ok(number) => Ok(number.to_le_bytes().to_vec()),
            Err(_) => Err(format!("`{text}` is not a number of type {}", self.name())),
        })
    }

    /// The index as a number of this type, modulo its range.
    #[must_use]
    pub fn of_index(self, index: usize) -> Vec<u8> {
        with_type!(self, T => (index as T).to_le_bytes().to_vec())
    }

    /// The text of a value, from its bytes; empty if there are too few bytes.
    #[must_use]
    pub fn text(self, bytes: &[u8]) -> String {
        with_type!(self, T => match bytes.try_into() {
            Ok(bytes) => T::from_le_bytes(bytes).to_string(),
            Err(_) => String::new(),
        })
    }

    /// The type's name in numpy, without the byte order: kind and size in bytes.
    #[must_use]
    pub fn npy(self) -> String {
        let kind = match self {
            Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long => 'i',
            Scalar::Uchar | Scalar::Ushort | Scalar::Uint | Scalar::Ulong => 'u',
            Scalar::Float | Scalar::Double => 'f',
        };
        format!("{kind}{}", self.bytes())
    }

    /// The type's name in OpenCL C.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, scalar)| *scalar == self)
            .map_or("", |(name, _)| name)
    }
}

/// A scalar or vector type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The type of the components.
    pub scalar: Scalar,
    /// The number of components: 1, 2, 3, 4, 8 or 16.
    pub length: usize,
}

impl Element {
    /// The number of components in memory: 4 for vectors of 3.
    #[must_use]
    pub fn stride(self) -> usize {
        if self.length == 3 {
            4
        } else {
            self.length
        }
    }

    /// The size of an element in memory, in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        self.stride() * self.scalar.bytes()
    }

    /// The bytes of a value from its components, separated by commas; a single one is used for all components.
    ///
    /// # Errors
    /// A description of the expected text.
    pub fn parse(self, text: &str) -> Result<Vec<u8>, String> {
        let parts: Vec<&str> = text.split(',').collect();
        let mut bytes = Vec::new();
        for at in 0..self.length {
            let part = match parts.len() {
                1 => parts[0],
                count if count == self.length => parts[at],
                count => {
                    return Err(format!(
                        "{count} numbers are given for {self}; expected {} or 1",
                        self.length
                    ))
                }
            };
            bytes.extend(self.scalar.parse(part)?);
        }
        bytes.resize(self.bytes(), 0);
        Ok(bytes)
    }
}

impl FromStr for Element {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let length = match &text[name.len()..] {
            "" => Some(1),
            digits => digits.parse().ok().filter(|length| [2, 3, 4, 8, 16].contains(length)),
        };
        let scalar = Scalar::NAMES.iter().find(|(known, _)| *known == name);
        match (scalar, length) {
            (Some(&(_, scalar)), Some(length)) => Ok(Element { scalar, length }),
            _ => Err(format!(
                "`{text}` is not a type; expected char, short, int, long, the same with u before the name, float or double, with 2, \
                 3, 4, 8 or 16 after the name for a vector"
            )),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scalar.name())?;
        match self.length {
            1 => Ok(()),
            length => write!(f, "{length}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_values_are_parsed() {
        let element: Element = "float4".parse().unwrap();
        assert_eq!(
            (element.scalar, element.length, element.to_string()),
            (Scalar::Float, 4, "float4".into())
        );
        let three: Element = "uchar3".parse().unwrap();
        assert_eq!(
            (three.bytes(), three.parse("1,2,0xff").unwrap()),
            (4, vec![1, 2, 255, 0])
        );
        assert_eq!(
            "int".parse::<Element>().unwrap().parse("-2").unwrap(),
            [254, 255, 255, 255]
        );
        assert_eq!(element.parse("1").unwrap().len(), 16);
        assert_eq!(Scalar::Short.text(&Scalar::Short.of_index(65535)), "-1");
        assert_eq!(Scalar::Float.text(&1.5f32.to_le_bytes()), "1.5");
        let pair: Element = "double2".parse().unwrap();
        assert_eq!((pair.bytes(), pair.scalar.npy()), (16, "f8".to_string()));
        assert_eq!(pair.scalar.parse("0.1").unwrap(), 0.1f64.to_le_bytes());
        for wrong in ["float5", "half", "", "4", "int0", "int99999999999999999999"] {
            assert!(wrong.parse::<Element>().is_err(), "{wrong}");
        }
        assert_eq!(
            Scalar::Uchar.parse("256").unwrap_err(),
            "`256` is not a number of type uchar"
        );
        assert_eq!(
            element.parse("1,2").unwrap_err(),
            "2 numbers are given for float4; expected 4 or 1"
        );
    }
}
