//! Shards: parts of a campaign for several processes.

use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// The faults whose number is `index` modulo `of`; as text `INDEX-of-OF`, from `0-of-4` to `3-of-4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// A shard.
    ///
    /// # Errors
    /// [`Error::Shard`] unless `index` is below `of`.
    pub fn new(index: u64, of: u64) -> Result<Shard, Error> {
        match index < of {
            true => Ok(Shard { index, of }),
            false => Err(Error::Shard {
                found: format!("{index}-of-{of}"),
            }),
        }
    }

    /// All shards of a campaign of `of` parts.
    pub fn all(of: u64) -> impl Iterator<Item = Shard> {
        (0..of).map(move |index| Shard { index, of })
    }

    /// True if the fault with this number is in the shard.
    pub fn contains(self, id: u64) -> bool {
        id % self.of == self.index
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-of-{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shard, Error> {
        let numbers = text
            .split_once("-of-")
            .and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        let error = || Error::Shard { found: text.into() };
        numbers
            .and_then(|(index, of)| Shard::new(index, of).ok())
            .ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_in_one_shard() {
        for id in [0, 1, 6, u64::MAX] {
            assert_eq!(Shard::all(7).filter(|shard| shard.contains(id)).count(), 1);
        }
    }

    #[test]
    fn texts_are_read_back() {
        for shard in Shard::all(3) {
            assert_eq!(shard.to_string().parse(), Ok(shard));
        }
        for text in ["", "1", "4-of-4", "0-of-0", "a-of-b", "1-of-2-of-3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
