//! The constants of a session.

use crate::debug::adapter::arguments::Configuration;
use crate::debug::code::Code;
use flexgrip_machine::Launch;
use serde_json::Value;
use std::path::PathBuf;

/// The client's conventions and abilities.
#[derive(Clone, Copy, Debug)]
pub(in crate::debug::adapter) struct Abilities {
    /// The number of the client's first line, 0 or 1.
    pub first_line: i64,
    /// The number of the client's first column, 0 or 1.
    pub first_column: i64,
    /// True if the client handles `invalidated` events.
    pub invalidated: bool,
}

/// The constants of a session.
pub(in crate::debug::adapter) struct Facts {
    /// The launch that is debugged.
    pub launch: Launch,
    /// The launch configuration.
    pub wanted: Configuration,
    /// The client's conventions and abilities.
    pub abilities: Abilities,
    /// The absolute path of the program's source.
    pub source: Option<PathBuf>,
    /// The program's labels.
    pub symbols: Symbols,
}

impl Facts {
    /// The facts of a launch.
    pub fn new(launch: &Launch, code: &Code, wanted: Configuration, abilities: Abilities) -> Self {
        let labels = code.statements();
        let labels = labels.filter_map(|(pc, _)| Some((pc, code.label(pc)?.to_string())));
        let source = code.source.as_ref().map(|source| source.path.clone());
        Facts {
            launch: launch.clone(),
            wanted,
            abilities,
            source: source.map(|path| std::path::absolute(&path).unwrap_or(path)),
            symbols: Symbols::new(labels),
        }
    }

    /// A line's number for the client.
    pub fn line_to_client(&self, line: u32) -> Value {
        (i64::from(line) - 1 + self.abilities.first_line).into()
    }

    /// The number, from 1, of a line given by the client.
    ///
    /// # Errors
    /// The number is out of range.
    pub fn line_of_client(&self, line: i64) -> Result<u32, String> {
        let ours = line
            .checked_sub(self.abilities.first_line)
            .and_then(|line| line.checked_add(1));
        let ours = ours.and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
        ours.ok_or_else(|| format!("there is no line {line}"))
    }
}

/// Labels by address.
#[derive(Debug, Default)]
pub(in crate::debug::adapter) struct Symbols(Vec<(u32, String)>);

impl Symbols {
    /// The labels of a program, in order of their addresses.
    pub fn new(labels: impl Iterator<Item = (u32, String)>) -> Self {
        Symbols(labels.collect())
    }

    /// An address as the label before it, with an offset: `loop`, `loop+0x8`; a number if there is no such label.
    pub fn name(&self, pc: u32) -> String {
        let before = self.0.partition_point(|(at, _)| *at <= pc);
        match before.checked_sub(1).and_then(|index| self.0.get(index)) {
            None => format!("{pc:#06x}"),
            Some((at, label)) if *at == pc => label.clone(),
            Some((at, label)) => format!("{label}+{:#x}", pc - at),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Facts of a client that counts lines and columns from `first`.
    pub(in crate::debug::adapter) fn facts(launch: &Launch, code: &Code, first: i64) -> Facts {
        let abilities = Abilities {
            first_line: first,
            first_column: first,
            invalidated: false,
        };
        Facts::new(launch, code, Configuration::default(), abilities)
    }

    #[test]
    fn lines_are_counted_as_the_client_does() {
        for (first, theirs, ours) in [(1, 1, 1), (1, 7, 7), (0, 0, 1), (0, 6, 7)] {
            let facts = facts(&Launch::default(), &Code::default(), first);
            assert_eq!(facts.line_to_client(ours), theirs);
            assert_eq!(facts.line_of_client(theirs), Ok(ours));
            for line in [first - 1, i64::MIN, i64::MAX] {
                assert!(facts.line_of_client(line).is_err(), "{line}");
            }
        }
    }

    #[test]
    fn addresses_have_the_label_before_them() {
        let symbols = Symbols::new([(8, "loop".to_string()), (24, "done".into())].into_iter());
        for (pc, name) in [
            (0, "0x0000"),
            (8, "loop"),
            (12, "loop+0x4"),
            (24, "done"),
            (400, "done+0x178"),
        ] {
            assert_eq!(symbols.name(pc), name);
        }
    }
}
