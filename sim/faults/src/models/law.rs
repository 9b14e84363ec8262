//! Power laws of relative errors.

use crate::text::cells::{self, Line};
use crate::text::error::Error;
use crate::text::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// The size of an instruction's result without a fault.
    Size {
        /// Below 0.001.
        Small "small",
        /// From 0.001 to 1,000, and all other values.
        Common "common",
        /// Above 1,000.
        Big "big",
    }
}

impl Size {
    /// The size class of a result.
    pub fn of(value: f64) -> Size {
        match value.abs() {
            value if value < 1e-3 => Size::Small,
            value if value > 1e3 => Size::Big,
            _ => Size::Common,
        }
    }
}

/// The power law of an instruction's relative errors: the error exceeds x with probability (x / x_min)^(1 - alpha), for
/// x from x_min.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerLaw {
    /// The mnemonic without modifiers and without the length of the word: `FADD` is FADD, FADD32 and FADD32I.
    pub instruction: String,
    /// The size of the result.
    pub size: Size,
    /// The smallest relative error, above 0.
    #[serde(with = "exact")]
    pub x_min: f64,
    /// The exponent, above 1.
    #[serde(with = "exact")]
    pub alpha: f64,
}

/// Floats as text: JSON's reader rounds some, and then a plan that is read back would have a different identity.
mod exact {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::Serializer;

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| D::Error::custom(format!("`{text}`: expected a number in quotation marks")))
    }
}

/// The columns of a file of laws.
const COLUMNS: &[&str] = &["instruction", "size", "x_min", "alpha"];

impl PowerLaw {
    /// The `u`-quantile of the relative error, with `u` from 0 to below 1; at most the largest finite number.
    pub fn error(&self, u: f64) -> f64 {
        (self.x_min * (1.0 - u).powf(-1.0 / (self.alpha - 1.0))).min(f64::MAX)
    }

    fn of_line(line: &Line) -> Result<PowerLaw, Error> {
        let number = |column, least: f64| {
            let expected = format!("a number above {least}");
            let value: f64 = line.value(column, &expected)?;
            match value > least && value.is_finite() {
                true => Ok(value),
                false => Err(line.error(column, format!("`{}`", line.text(column)), expected)),
            }
        };
        let instruction = line.text("instruction");
        if instruction.is_empty()
            || !instruction
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        {
            return Err(line.error("instruction", cells::quoted(instruction), "a mnemonic such as FADD"));
        }
        Ok(PowerLaw {
            instruction: instruction.to_string(),
            size: line.named("size", Size::ALL)?,
            x_min: number("x_min", 0.0)?,
            alpha: number("alpha", 1.0)?,
        })
    }
}

/// Reads laws in CSV. `file` is only used in messages.
///
/// # Errors
/// [`Error::Line`] or [`Error::Cell`] for the first wrong line.
pub fn read_laws(text: &str, file: &str) -> Result<Vec<PowerLaw>, Error> {
    let mut laws: Vec<PowerLaw> = Vec::new();
    cells::read(text, file, COLUMNS, |line| {
        let law = PowerLaw::of_line(line)?;
        let same = |other: &PowerLaw| (&other.instruction, other.size) == (&law.instruction, law.size);
        if laws.iter().any(same) {
            let wrong = format!("{} {} occurs twice", law.instruction, law.size);
            return Err(line.error("instruction", wrong, "one law for each instruction and size"));
        }
        laws.push(law);
        Ok(())
    })?;
    match laws.is_empty() {
        true => Err(Error::Line {
            file: file.to_string(),
            line: 1,
            wrong: "no laws; expected at least one line after the columns".into(),
        }),
        false => Ok(laws),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_read() {
        let text = "instruction,size,x_min,alpha\nFADD,small,1e-7,1.087\nFADD,big,2,3\n";
        let laws = read_laws(text, "l.csv").unwrap();
        assert_eq!(laws.len(), 2);
        assert_eq!((laws[0].size, laws[0].x_min, laws[0].alpha), (Size::Small, 1e-7, 1.087));
        // The median of (x / 2)^-2 is at sqrt(2) x 2.
        assert_eq!(laws[1].error(0.0), 2.0);
        assert!((laws[1].error(0.5) - 8f64.sqrt()).abs() < 1e-12);
        let largest = laws[0].error(1.0 - f64::EPSILON / 2.0);
        assert!((largest.log10() - 176.386).abs() < 1e-3, "{largest}");
        let steep = PowerLaw {
            alpha: 1.0 + 1e-9,
            ..laws[0].clone()
        };
        assert_eq!(steep.error(0.9), f64::MAX);
    }

    #[test]
    fn wrong_files_name_line_and_column() {
        for (lines, expected) in [
            ("", "l.csv:1: no laws; expected at least one line after the columns"),
            (
                "fadd,small,1,2\n",
                "l.csv:2: column instruction: `fadd`; expected a mnemonic such as FADD",
            ),
            (
                "FADD,tiny,1,2\n",
                "l.csv:2: column size: `tiny`; expected small, common or big",
            ),
            (
                "FADD,small,0,2\n",
                "l.csv:2: column x_min: `0`; expected a number above 0",
            ),
            (
                "FADD,small,1,2\nFADD,big,1,inf\n",
                "l.csv:3: column alpha: `inf`; expected a number above 1",
            ),
            (
                "FADD,small,1,1\n",
                "l.csv:2: column alpha: `1`; expected a number above 1",
            ),
            ("FADD,small,1\n", "l.csv:2: 3 values; expected 4, one for each column"),
            (
                "FADD,small,1,2\nFADD,small,1,2\n",
                "l.csv:3: column instruction: FADD small occurs twice; expected one law for each instruction and size",
            ),
        ] {
            let text = format!("instruction,size,x_min,alpha\n{lines}");
            assert_eq!(read_laws(&text, "l.csv").unwrap_err().to_string(), expected);
        }
        let message = read_laws("x_min,alpha\n", "l.csv").unwrap_err().to_string();
        assert!(
            message.contains("column `x_min` at position 1; expected column `instruction`"),
            "{message}"
        );
    }

    #[test]
    fn laws_in_a_plan_round_trip_exactly() {
        let law = PowerLaw {
            instruction: "FADD".into(),
            size: Size::Small,
            x_min: 6.034_123_456_789_012e-8,
            alpha: 1.074_350_921_837_465_2,
        };
        let text = serde_json::to_string(&law).unwrap();
        assert_eq!(serde_json::from_str::<PowerLaw>(&text).unwrap(), law);
        let message = serde_json::from_str::<PowerLaw>(&text.replace("1.07", "x"))
            .unwrap_err()
            .to_string();
        assert!(message.contains("expected a number in quotation marks"), "{message}");
    }

    #[test]
    fn size_follows_the_result() {
        let sizes = [0.0, -1e-4, 1e-3, -1e3, 1001.0, f64::INFINITY].map(Size::of);
        assert_eq!(
            sizes,
            [
                Size::Small,
                Size::Small,
                Size::Common,
                Size::Common,
                Size::Big,
                Size::Big
            ]
        );
    }
}
