//! Compute capabilities: the versions of the Tesla architecture's instruction set.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A compute capability: the vendor's version number of a processor and its instructions.
///
/// 1.1 adds atomic operations on global memory, 1.2 votes and locked shared memory, 1.3 double precision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// 1.0: G80.
    #[default]
    V1_0,
    /// 1.1: G84 to G98.
    V1_1,
    /// 1.2: GT215 to GT218.
    V1_2,
    /// 1.3: GT200.
    V1_3,
}

/// The error for a text that is not a capability.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no compute capability `{text}`; expected 1.0, 1.1, 1.2 or 1.3")]
pub struct UnknownCapability {
    text: String,
}

impl Capability {
    /// All capabilities, earliest first.
    pub const ALL: &'static [Capability] = &[Capability::V1_0, Capability::V1_1, Capability::V1_2, Capability::V1_3];

    /// The latest capability.
    pub const LATEST: Capability = Capability::V1_3;

    /// Their names, as on command lines and in launch files.
    pub const NAMES: &'static [&'static str] = &["1.0", "1.1", "1.2", "1.3"];

    /// The name: `1.0` to `1.3`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// True if the machine has atomic operations on global memory: from 1.1 on.
    pub fn has_atomics(self) -> bool {
        self >= Capability::V1_1
    }

    /// True if the machine has locks of words of shared memory: from 1.2 on.
    pub fn has_locks(self) -> bool {
        self >= Capability::V1_2
    }

    /// True if the machine has double precision: from 1.3 on.
    pub fn has_doubles(self) -> bool {
        self >= Capability::V1_3
    }

    /// The number that compilers and cubins use: ten times the capability, 10 to 13.
    pub const fn number(self) -> u32 {
        10 + self as u32
    }

    /// The capability with this [`Capability::number`].
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|capability| capability.number() == number)
    }

    /// The capability as compilers name it: `sm_10` to `sm_13`.
    pub fn architecture(self) -> String {
        format!("sm_{}", self.number())
    }

    /// The end of the name of a file that depends on the capability: empty for 1.0, `_sm_11` to `_sm_13`.
    pub fn suffix(self) -> String {
        match self {
            Capability::V1_0 => String::new(),
            later => format!("_{}", later.architecture()),
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Capability {
    type Err = UnknownCapability;

    fn from_str(text: &str) -> Result<Self, UnknownCapability> {
        let found = Self::ALL.iter().copied().find(|capability| capability.name() == text);
        found.ok_or_else(|| UnknownCapability { text: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_round_trip() {
        for &capability in Capability::ALL {
            assert_eq!(capability.to_string().parse(), Ok(capability));
            assert_eq!(Capability::from_number(capability.number()), Some(capability));
        }
        assert_eq!(Capability::default().to_string(), "1.0");
        assert_eq!(Capability::V1_3.architecture(), "sm_13");
        assert!(Capability::V1_0 < Capability::V1_1 && Capability::V1_2 < Capability::V1_3);
        assert_eq!(Capability::from_number(20), None);
        let error = "2.0".parse::<Capability>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no compute capability `2.0`; expected 1.0, 1.1, 1.2 or 1.3"
        );
    }
}
