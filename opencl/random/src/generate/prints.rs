//! Calls of `printf`. Each line of output begins with the work-item's number, because only the order of one work-item's
//! calls is defined.

use super::Generator;
use crate::tree::{Node, Statement};
use crate::types::{Scalar, Type};

/// The most calls of a kernel, and the most iterations of all loops around a call: the output fits in every buffer.
const MOST_CALLS: usize = 4;
const MOST_ROUNDS: u32 = 8;

/// The digits after the point that every conversion needs for a multiple of 1/4 up to 4096. PoCL's rounding to fewer
/// digits is wrong.
const REAL_DIGITS: usize = 6;

/// Text between the conversions.
const TEXTS: &[&str] = &["", "", " ", "|", "%%", ": ", " x = ", "\\t", "\\\"quoted\\\" ", "'"];
/// Literals for `%s`.
const STRINGS: &[&str] = &["", "text", "a longer string", "%d", "100%"];

impl Generator {
    /// Generates a call of `printf`; `None` in a function, because the order in which an expression calls functions is
    /// not defined, and after the maximum number of calls.
    pub(super) fn print(&mut self) -> Option<Statement> {
        if self.in_function || self.prints == MOST_CALLS || self.rounds > MOST_ROUNDS {
            return None;
        }
        self.prints += 1;
        let mut format = "%u ".to_string();
        let mut values = String::new();
        let mut arguments = Vec::new();
        for _ in 0..self.below(5) {
            format += self.one(TEXTS);
            let (conversion, value, argument) = self.printed_value(arguments.len());
            format += &conversion;
            values += &format!(", {value}");
            arguments.extend(argument);
        }
        format += self.one(TEXTS);
        let text = format!("printf(\"{format}\\n\", gid{values});");
        Some(Node::statement(text, arguments))
    }

    /// Generates a conversion, and its value as text. If the text has a placeholder, it is the one with number `at`, for
    /// the expression that is returned.
    fn printed_value(&mut self, at: usize) -> (String, String, Option<Node>) {
        match self.below(12) {
            0 => {
                let argument = self.expression(Type::UINT, 1);
                let (flags, width) = (self.flags("-"), self.width());
                let value = format!("'a' + (int)(${at:x} & 15u)");
                (format!("%{flags}{width}c"), value, Some(argument))
            }
            1 => {
                let value = format!("\"{}\"", self.one(STRINGS));
                let (flags, width) = (self.flags("-"), self.width());
                (format!("%{flags}{width}s"), value, None)
            }
            _ => {
                let ty = self.ty();
                let argument = self.expression(ty, 2);
                let value = format!("${at:x}");
                let value = match ty.scalar {
                    // PoCL prints doubles with the precision of floats.
                    Scalar::Double => format!("convert_{ty}(TAME(convert_{}({value})))", ty.with(Scalar::Float)),
                    _ => ty.tame(&value),
                };
                (self.number_conversion(ty), value, Some(argument))
            }
        }
    }

    /// Generates a conversion of an integer, a float or a vector. Flags that C leaves undefined for it are not used.
    fn number_conversion(&mut self, ty: Type) -> String {
        let sign = self.one(&["+", " "]);
        let (letters, flags, digits): (&[&str], String, usize) = match ty.scalar {
            _ if ty.is_real() => (
                &["f", "e", "g", "a", "F", "E", "G", "A"],
                format!("-{sign}0"),
                REAL_DIGITS,
            ),
            scalar if scalar.is_signed() => (&["d", "i"], format!("-{sign}0"), 0),
            _ => (&["u", "o", "x", "X"], "-0".into(), 0),
        };
        let vector = if ty.is_vector() {
            format!("v{}", ty.lanes)
        } else {
            String::new()
        };
        let length = match ty.scalar {
            Scalar::Char | Scalar::Uchar => "hh",
            Scalar::Short | Scalar::Ushort => "h",
            Scalar::Int | Scalar::Uint | Scalar::Float if ty.is_vector() => "hl",
            Scalar::Long | Scalar::Ulong => "l",
            Scalar::Double if ty.is_vector() => "l",
            _ => "",
        };
        let (mut flags, width, precision) = (self.flags(&flags), self.width(), self.precision(digits));
        if !precision.is_empty() && !ty.is_real() {
            // C ignores the flag `0` if there is a precision. PoCL does not if the precision is 0.
            flags = flags.replace('0', "");
        }
        format!("%{flags}{width}{precision}{vector}{length}{}", self.one(letters))
    }

    fn flags(&mut self, of: &str) -> String {
        of.chars().filter(|_| self.percent(15)).collect()
    }

    fn width(&mut self) -> String {
        match self.percent(30) {
            true => (1 + self.below(24)).to_string(),
            false => String::new(),
        }
    }

    fn precision(&mut self, least: usize) -> String {
        match self.percent(30) {
            true => format!(".{}", least + self.below(12)),
            false => String::new(),
        }
    }
}
