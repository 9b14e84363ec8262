//! The record of checked inputs in a file, from which an interrupted run resumes.
//!
//! Entries are only valid for the circuit with the recorded hash of its Verilog, and for the reference and cases with
//! the recorded hash of their sources.

use hdlkit::gates::hash;
use hdlkit::output::write_atomically;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The sources of the expected results and the random cases.
const REFERENCE: [(&str, &str); 11] = [
    ("condition.rs", include_str!("../../../machine/arith/src/condition.rs")),
    ("convert.rs", include_str!("../../../machine/arith/src/convert.rs")),
    ("float.rs", include_str!("../../../machine/arith/src/float.rs")),
    ("integer.rs", include_str!("../../../machine/arith/src/integer.rs")),
    ("number.rs", include_str!("../../../machine/arith/src/number.rs")),
    ("rounding.rs", include_str!("../../../machine/arith/src/rounding.rs")),
    ("special.rs", include_str!("../../../machine/arith/src/special.rs")),
    (
        "special/tables.rs",
        include_str!("../../../machine/arith/src/special/tables.rs"),
    ),
    ("cases/float.rs", include_str!("cases/float.rs")),
    ("cases/special.rs", include_str!("cases/special.rs")),
    ("plan.rs", include_str!("plan.rs")),
];

/// The hash of the code of these sources. Comments and unit tests are left out, so a reworded one keeps the records of
/// hours valid.
pub fn reference_hash() -> String {
    hash(REFERENCE.iter().flat_map(|(_, text)| code(text)))
}

/// The lines of Rust that hold code, without comments, indentation and the unit tests, with which a file ends. No
/// string in the sources has two slashes.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let code = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code).trim());
    code.filter(|line| !line.is_empty())
}

/// The inputs of a mode that were checked without a difference.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The hash of the circuit's Verilog.
    pub circuit: String,
    /// The hash of the reference and the cases.
    pub reference: String,
    /// The numbers of the inputs, in order, as ranges from the first to the second, exclusive.
    pub inputs: Vec<(u64, u64)>,
    /// The time of the checks in seconds, summed over all threads.
    pub seconds: f64,
}

impl Checked {
    /// The number of checked inputs from `from` up to `to`, exclusive.
    pub fn count(&self, from: u64, to: u64) -> u64 {
        let within = self.inputs.iter().map(|(a, b)| ((*a).max(from), (*b).min(to)));
        within.map(|(a, b)| b.saturating_sub(a)).sum()
    }

    /// Adds the inputs from `from` up to `to`, exclusive.
    pub fn add(&mut self, from: u64, to: u64) {
        self.inputs.push((from, to));
        self.inputs.sort_unstable();
        let mut merged: Vec<(u64, u64)> = vec![];
        for &(a, b) in &self.inputs {
            match merged.last_mut() {
                Some((_, end)) if a <= *end => *end = b.max(*end),
                _ => merged.push((a, b)),
            }
        }
        self.inputs = merged;
    }

    /// The unchecked inputs from `from` up to `to`, exclusive, in pieces that begin or end at multiples of `size`.
    pub fn left(&self, from: u64, to: u64, size: u64) -> Vec<(u64, u64)> {
        let mut pieces = vec![];
        let mut gap = |mut from: u64, to: u64| {
            while from < to {
                let end = to.min((from / size + 1) * size);
                pieces.push((from, end));
                from = end;
            }
        };
        let mut at = from;
        for &(a, b) in &self.inputs {
            gap(at, a.min(to));
            at = at.max(b);
        }
        gap(at, to);
        pieces
    }
}

/// The contents of the file, by name of the mode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State(pub BTreeMap<String, Checked>);

impl State {
    /// Reads the file. If it does not exist, nothing has been checked.
    ///
    /// # Errors
    /// The file cannot be read or parsed.
    pub fn read(path: &Path) -> io::Result<State> {
        match std::fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(State::default()),
            Err(error) => Err(error),
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                let message = format!("{error}; `--restart` starts a new one");
                io::Error::new(io::ErrorKind::InvalidData, message)
            }),
        }
    }

    /// The checked inputs of a mode, for this circuit and this reference.
    pub fn of(&self, mode: &str, circuit: &str, reference: &str) -> Checked {
        let kept = self.0.get(mode);
        let same = kept.filter(|checked| checked.circuit == circuit && checked.reference == reference);
        same.cloned().unwrap_or_else(|| Checked {
            circuit: circuit.into(),
            reference: reference.into(),
            ..Checked::default()
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        write_atomically(path, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_merge_and_leave_gaps() {
        let mut checked = Checked::default();
        assert_eq!(checked.left(5, 25, 10), [(5, 10), (10, 20), (20, 25)]);
        checked.add(10, 20);
        checked.add(30, 40);
        assert_eq!(checked.left(0, 50, 100), [(0, 10), (20, 30), (40, 50)]);
        assert_eq!(checked.left(12, 18, 100), []);
        assert_eq!(checked.left(15, 35, 100), [(20, 30)]);
        checked.add(20, 30);
        assert_eq!(checked.inputs, [(10, 40)]);
        assert_eq!(checked.count(0, 100), 30);
        assert_eq!(checked.count(15, 25), 10);
        assert_eq!(checked.left(0, 50, 100), [(0, 10), (40, 50)]);
    }

    #[test]
    fn other_circuits_and_references_do_not_count() {
        let mut state = State::default();
        let mut checked = state.of("rcp", "one", "two");
        checked.add(0, 10);
        state.0.insert("rcp".into(), checked);
        assert_eq!(state.of("rcp", "one", "two").count(0, 10), 10);
        assert_eq!(state.of("rcp", "other", "two").count(0, 10), 0);
        assert_eq!(state.of("rcp", "one", "other").count(0, 10), 0);
        assert_eq!(state.of("rsq", "one", "two").count(0, 10), 0);
    }

    #[test]
    fn state_round_trips() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/state.json");
        assert_eq!(State::read(&path).unwrap(), State::default());
        let mut state = State::default();
        let mut checked = state.of("rcp", "one", "two");
        checked.add(3, 1 << 32);
        checked.seconds = 1.5;
        state.0.insert("rcp".into(), checked);
        state.write(&path).unwrap();
        assert_eq!(State::read(&path).unwrap(), state);
        std::fs::write(&path, "{").unwrap();
        assert!(State::read(&path).unwrap_err().to_string().contains("--restart"));
    }

    #[test]
    fn comments_and_tests_are_not_hashed() {
        let code = |text| super::code(text).collect::<Vec<_>>();
        assert_eq!(code("//! Adds.\n\nfn f() {\n    1 // one\n}\n"), code("fn f() {\n1\n}"));
        assert_ne!(code("fn f() {\n    1 // one\n}\n"), code("fn f() {\n    2 // one\n}\n"));
        let tested = "fn f() {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";
        assert_eq!(code(tested), code("fn f() {\n1\n}"));
    }

    /// A new file of the arithmetic that the lanes compute with must be added to [`REFERENCE`].
    #[test]
    fn reference_includes_all_arithmetic() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../machine/arith/src");
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
                let text = std::fs::read_to_string(&path).unwrap();
                // This file only contains the names of the others; no unit of SM 1.0 has doubles or atomics.
                let apart = name == "lib.rs" || ["double", "atomic"].iter().any(|begin| name.starts_with(begin));
                let known = apart || REFERENCE.contains(&(name.as_str(), text.as_str()));
                assert!(known, "{name}");
            }
        }
    }
}
