//! Protection of the circuits' memories and scheduler against flipped bits.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The check bits that the circuits keep with the words of register files and shared memories, and the copies of their
/// schedulers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protect {
    /// Neither check bits nor copies.
    #[default]
    None,
    /// A parity bit in the memories: detects an odd number of flipped bits.
    Parity,
    /// A Hamming code with an overall parity bit in the memories: corrects one flipped bit and detects two.
    Secded,
    /// A second warp scheduler, compared with the first: detects flips in either.
    Scheduler,
    /// [`Protect::Secded`] and [`Protect::Scheduler`].
    Full,
}

impl Protect {
    /// All protections.
    pub const ALL: [Protect; 5] = [
        Protect::None,
        Protect::Parity,
        Protect::Secded,
        Protect::Scheduler,
        Protect::Full,
    ];

    /// Their names on command lines, in the same order.
    pub const NAMES: [&'static str; 5] = ["none", "parity", "secded", "scheduler", "full"];

    /// Returns true if the memories have parity bits.
    pub const fn has_parity(self) -> bool {
        matches!(self, Protect::Parity)
    }

    /// Returns true if the memories have the check bits of a Hamming code.
    pub const fn has_secded(self) -> bool {
        matches!(self, Protect::Secded | Protect::Full)
    }

    /// Returns true if the memories have check bits.
    pub const fn has_check_bits(self) -> bool {
        self.has_parity() || self.has_secded()
    }

    /// Returns true if there is a second scheduler.
    pub const fn has_second_scheduler(self) -> bool {
        matches!(self, Protect::Scheduler | Protect::Full)
    }

    /// Returns the name, for example `none` or `secded`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the end of the name of a file that depends on the protection: empty, or for example `_parity`.
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
        assert_eq!(
            error,
            "there is no protection `ecc`; expected none, parity, secded, scheduler, full"
        );
    }
}
