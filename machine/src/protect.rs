//! Protection of the circuits' memories against flipped bits.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The check bits that the circuits keep with the words of protected memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protect {
    /// No check bits.
    #[default]
    None,
    /// A parity bit: detects an odd number of flipped bits.
    Parity,
    /// A Hamming code with an overall parity bit: corrects one flipped bit and detects two.
    Secded,
}

impl Protect {
    /// All protections.
    pub const ALL: [Protect; 3] = [Protect::None, Protect::Parity, Protect::Secded];

    /// Their names on command lines, in the same order.
    pub const NAMES: [&'static str; 3] = ["none", "parity", "secded"];

    /// Returns the name: `none`, `parity` or `secded`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the end of the name of a file that depends on the protection: empty, `_parity` or `_secded`.
    pub fn suffix(self) -> String {
        match self {
            Protect::None => String::new(),
            protect => format!("_{protect}"),
        }
    }
}

impl fmt::Display for Protect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a text that names no protection.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no protection `{text}`; expected {}", Protect::NAMES.join(", "))]
pub struct UnknownProtection {
    text: String,
}

impl FromStr for Protect {
    type Err = UnknownProtection;

    fn from_str(text: &str) -> Result<Self, UnknownProtection> {
        let found = Self::ALL.into_iter().find(|protect| protect.name() == text);
        found.ok_or_else(|| UnknownProtection { text: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed() {
        for (protect, name) in Protect::ALL.into_iter().zip(Protect::NAMES) {
            assert_eq!((name.parse(), protect.to_string()), (Ok(protect), name.to_string()));
        }
        let error = "ecc".parse::<Protect>().unwrap_err().to_string();
        assert_eq!(error, "there is no protection `ecc`; expected none, parity, secded");
    }
}
