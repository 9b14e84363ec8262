//! Parameters of faults in the golden model, other than bits and time.

use crate::text::cells::quoted;
use std::fmt;

/// The factor by which a result is multiplied. Factors are equal if their bits are.
#[derive(Clone, Copy, Debug)]
pub struct Factor(pub f64);

impl PartialEq for Factor {
    fn eq(&self, other: &Factor) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Factor {}

impl std::hash::Hash for Factor {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// Parameters of a fault. As text: `warps=0x3 lanes=0xff stuck=1`, in this order, without absent parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// The warp slots of the multiprocessor, one bit for each slot; hexadecimal in text.
    pub warps: Option<u64>,
    /// The lanes, one bit for each lane; hexadecimal in text.
    pub lanes: Option<u32>,
    /// The value at which bits are stuck. For `ial`: true if the lanes execute.
    pub stuck: Option<bool>,
    /// The operand: 0 is the destination, 1 to 3 are the sources. For faults in bits of a source: the index of the
    /// source.
    pub operand: Option<u8>,
    /// The register to which the right result is written.
    pub register: Option<u8>,
    /// The mask that is XORed with a register number; hexadecimal in text.
    pub mask: Option<u8>,
    /// The operation that is computed instead.
    pub operation: Option<String>,
    /// The factor of the result; not NaN.
    pub factor: Option<Factor>,
}

const NAMES: &str =
    "warps, lanes, stuck, operand, register, mask, operation or factor, each as NAME=VALUE, with blanks between them";

impl Parameters {
    /// Reads the text of [`Parameters`]; empty text gives no parameters.
    ///
    /// # Errors
    /// A description of the problem, and the expected value.
    pub fn read(text: &str) -> Result<Parameters, (String, String)> {
        let mut parameters = Parameters::default();
        for word in text.split_whitespace() {
            let Some((name, value)) = word.split_once('=') else {
                return Err((quoted(word), NAMES.into()));
            };
            let problem = |expected: &str| (format!("`{word}`"), expected.to_string());
            let set = |is_set: bool| match is_set {
                true => Err((format!("{name} occurs twice"), "each name once".to_string())),
                false => Ok(()),
            };
            match name {
                "warps" => {
                    set(parameters.warps.is_some())?;
                    let warps = hexadecimal(value).filter(|warps| *warps != 0);
                    parameters.warps = Some(warps.ok_or_else(|| problem("a mask of warp slots such as warps=0x3"))?);
                }
                "lanes" => {
                    set(parameters.lanes.is_some())?;
                    let lanes = hexadecimal(value).and_then(|lanes| u32::try_from(lanes).ok());
                    let lanes = lanes.filter(|lanes| *lanes != 0);
                    parameters.lanes = Some(lanes.ok_or_else(|| problem("a mask of 32 lanes such as lanes=0xff"))?);
                }
                "stuck" => {
                    set(parameters.stuck.is_some())?;
                    parameters.stuck = Some(match value {
                        "0" => false,
                        "1" => true,
                        _ => return Err(problem("stuck=0 or stuck=1")),
                    });
                }
                "operand" => {
                    set(parameters.operand.is_some())?;
                    parameters.operand = Some(below(value, 16).ok_or_else(|| problem("operand=0 to operand=15"))?);
                }
                "register" => {
                    set(parameters.register.is_some())?;
                    parameters.register = Some(below(value, 128).ok_or_else(|| problem("register=0 to register=127"))?);
                }
                "mask" => {
                    set(parameters.mask.is_some())?;
                    let mask = hexadecimal(value).and_then(|mask| u8::try_from(mask).ok());
                    parameters.mask = Some(mask.ok_or_else(|| problem("8 bits such as mask=0x1f"))?);
                }
                "operation" => {
                    set(parameters.operation.is_some())?;
                    parameters.operation = Some(value.to_string());
                }
                "factor" => {
                    set(parameters.factor.is_some())?;
                    let factor = value.parse().ok().filter(|factor: &f64| !factor.is_nan());
                    parameters.factor = Some(Factor(factor.ok_or_else(|| problem("a number such as factor=1.5"))?));
                }
                _ => return Err((format!("`{name}`"), NAMES.into())),
            }
        }
        Ok(parameters)
    }
}

fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    // `from_str_radix` would accept a sign.
    let digits = digits
        .strip_prefix(|digit: char| digit.is_ascii_hexdigit())
        .map(|_| digits)?;
    u64::from_str_radix(digits, 16).ok()
}

fn below(text: &str, end: u8) -> Option<u8> {
    text.parse().ok().filter(|number| *number < end)
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hexadecimal = |value: Option<u64>| value.map(|value| format!("{value:#x}"));
        let values = [
            ("warps", hexadecimal(self.warps)),
            ("lanes", hexadecimal(self.lanes.map(u64::from))),
            ("stuck", self.stuck.map(|stuck| u8::from(stuck).to_string())),
            ("operand", self.operand.map(|operand| operand.to_string())),
            ("register", self.register.map(|register| register.to_string())),
            ("mask", hexadecimal(self.mask.map(u64::from))),
            ("operation", self.operation.clone()),
            ("factor", self.factor.map(|Factor(factor)| factor.to_string())),
        ];
        let mut first = true;
        for (name, value) in values {
            let Some(value) = value else { continue };
            let blank = if first { "" } else { " " };
            write!(f, "{blank}{name}={value}")?;
            first = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn impossible_parameters_are_refused() {
        for (text, wrong) in [
            ("warps", "`warps`"),
            ("warps=3", "`warps=3`"),
            ("warps=0x0", "`warps=0x0`"),
            ("lanes=0x100000000", "`lanes=0x100000000`"),
            ("lanes=0x+1", "`lanes=0x+1`"),
            ("stuck=2", "`stuck=2`"),
            ("operand=16", "`operand=16`"),
            ("register=128", "`register=128`"),
            ("mask=0x100", "`mask=0x100`"),
            ("factor=NaN", "`factor=NaN`"),
            ("stuck=1 stuck=1", "stuck occurs twice"),
            ("lane=0x1", "`lane`"),
        ] {
            assert_eq!(Parameters::read(text).unwrap_err().0, wrong);
        }
    }

    proptest! {
        #[test]
        fn parameters_are_read_back(
            warps in prop::option::of(1u64..),
            lanes in prop::option::of(1u32..),
            stuck in prop::option::of(any::<bool>()),
            operand in prop::option::of(0u8..16),
            register in prop::option::of(0u8..128),
            mask in prop::option::of(any::<u8>()),
            operation in prop::option::of("[A-Z.0-9]{1,8}"),
            factor in prop::option::of(any::<f64>().prop_filter("a number", |factor| !factor.is_nan())),
        ) {
            let factor = factor.map(Factor);
            let parameters = Parameters { warps, lanes, stuck, operand, register, mask, operation, factor };
            prop_assert_eq!(Parameters::read(&parameters.to_string()), Ok(parameters));
        }

        #[test]
        fn no_text_panics(text in "[a-z0-9=x ]{0,30}") {
            let _ = Parameters::read(&text);
        }
    }
}
