//! A finding of the lint, and its place in the source.

use std::fmt;
use std::path::Path;

/// A fault of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The block, as `top.lanes[0].alu`; the first of equal blocks.
    pub path: String,
    /// The statement or signal, as in the source.
    pub statement: String,
    /// The fault.
    pub reason: String,
    /// File and line, if [`locate`] found them.
    pub place: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}", self.path)?;
        if !self.statement.is_empty() {
            write!(f, ": `{}`", self.statement)?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// Adds file and line to the findings whose statement occurs in exactly one place in the Rust sources under `sources`.
///
/// # Errors
/// If a directory or a file cannot be read.
pub fn locate(findings: &mut [Finding], sources: &Path) -> std::io::Result<()> {
    let mut files = vec![];
    let mut open = vec![sources.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push((path.clone(), std::fs::read_to_string(path)?));
            }
        }
    }
    for finding in findings {
        // Only an assignment's left side is printed exactly as written.
        let Some((target, _)) = finding.statement.split_once(" = ") else {
            continue;
        };
        let start = format!("{target} = ");
        let mut places = vec![];
        for (path, source) in &files {
            for (index, line) in source.lines().enumerate() {
                if line.trim_start().starts_with(&start) {
                    places.push((format!("{}:{}", path.display(), index + 1), line.trim()));
                }
            }
        }
        let exact: Vec<_> = places
            .iter()
            .filter(|(_, line)| line.trim_end_matches([';', ',']) == finding.statement)
            .collect();
        if let [(place, _)] = exact[..] {
            finding.place = Some(place.clone());
        } else if let ([(place, _)], true) = (&places[..], exact.is_empty()) {
            finding.place = Some(place.clone());
        }
    }
    Ok(())
}
