//! Shards: parts of a campaign for several processes.

use crate::text::error::Error;
use std::fmt;
use std::str::FromStr;

/// The faults whose number is `index` modulo `of`; as text `INDEX/OF`, from `0/4` to `3/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// Creates a shard.
    ///
    /// # Errors
    /// [`Error::Shard`] unless `index` is below `of`.
    pub fn new(index: u64, of: u64) -> Result<Shard, Error> {
        match index < of {
            true => Ok(Shard { index, of }),
            false => Err(Error::Shard {
                found: format!("{index}/{of}"),
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

    /// The number of shards.
    pub fn of(self) -> u64 {
        self.of
    }

    /// The name of the file of the shard's results.
    pub(crate) fn file_name(self) -> String {
        format!("results-{}-of-{}.csv", self.index, self.of)
    }

    /// The shard with a result file of this name; `None` for other names.
    pub(crate) fn of_file_name(name: &str) -> Option<Shard> {
        let (index, of) = name
            .strip_prefix("results-")?
            .strip_suffix(".csv")?
            .split_once("-of-")?;
        let shard = Shard::new(index.parse().ok()?, of.parse().ok()?).ok()?;
        // Rejects names such as `results-00-of-2.csv`, which no shard writes.
        (shard.file_name() == name).then_some(shard)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shard, Error> {
        let numbers = text
            .split_once('/')
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
        for text in ["", "1", "4/4", "0/0", "a/b", "1/2/3", "-1/2", "0-of-4"] {
            let message = text.parse::<Shard>().unwrap_err().to_string();
            assert_eq!(
                message,
                format!("`{text}` is not a shard; expected I/N with I from 0 to N-1")
            );
        }
    }

    #[test]
    fn file_names_are_read_back() {
        assert_eq!(Shard::new(1, 16).unwrap().file_name(), "results-1-of-16.csv");
        for shard in Shard::all(3) {
            assert_eq!(Shard::of_file_name(&shard.file_name()), Some(shard));
        }
        for name in [
            "results.csv",
            "results-3-of-3.csv",
            "results-00-of-3.csv",
            "results-0-of-3.new-7",
            "results-0/3.csv",
        ] {
            assert_eq!(Shard::of_file_name(name), None, "{name}");
        }
    }
}
