//! Timeline files: path, format and contents, and the errors in writing one.

use crate::extension::extension;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a timeline cannot be written.
#[derive(Debug, Error)]
pub enum TimelineError {
    /// The file name does not have the extension of a format.
    #[error("{}: unknown format of timelines; expected .json, .perfetto, .pftrace, .kanata or .svg", .0.display())]
    Format(PathBuf),
    /// The file cannot be created.
    #[error("cannot write the timeline {}: {error}", path.display())]
    Create {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The writer thread cannot be started.
    #[error("cannot start a thread for the timeline: {0}")]
    Thread(io::Error),
    /// The file cannot be continued, for example because the disk is full.
    #[error("cannot write the timeline {}: {error}; {}", path.display(), if *removed { "the incomplete file has been removed" } else { "the file is incomplete" })]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
        /// True if the incomplete file could be removed.
        removed: bool,
    },
}

/// The format of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimelineFormat {
    /// Chrome's trace events in JSON, for Perfetto and others: `.json`.
    Chrome,
    /// Perfetto's own format: `.perfetto`, `.pftrace`.
    Perfetto,
    /// Konata's log of a pipeline: `.kanata`.
    Kanata,
    /// A picture of the first instructions in the pipeline: `.svg`.
    Picture,
}

/// A timeline file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The format, taken from the file name.
    pub format: TimelineFormat,
    /// The title in the viewer: kernel and engine.
    pub title: String,
    /// File and line of the source, for each instruction that has them, by byte address.
    pub places: BTreeMap<u32, String>,
}

impl TimelineFile {
    /// A timeline in the format of the extension of `path`.
    ///
    /// # Errors
    /// [`TimelineError::Format`] for any extension other than `.json`, `.perfetto`, `.pftrace`, `.kanata` and `.svg`.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, TimelineError> {
        let path = path.into();
        let format = match extension(&path).as_str() {
            "json" => TimelineFormat::Chrome,
            "perfetto" | "pftrace" => TimelineFormat::Perfetto,
            "kanata" => TimelineFormat::Kanata,
            "svg" => TimelineFormat::Picture,
            _ => return Err(TimelineError::Format(path)),
        };
        Ok(TimelineFile {
            path,
            format,
            title: String::new(),
            places: BTreeMap::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_is_the_format() {
        let format = |name: &str| TimelineFile::new(name).map(|file| file.format);
        assert_eq!(format("a/b.json").ok(), Some(TimelineFormat::Chrome));
        assert_eq!(format("b.perfetto").ok(), Some(TimelineFormat::Perfetto));
        assert_eq!(format("b.pftrace").ok(), Some(TimelineFormat::Perfetto));
        assert_eq!(format("b.kanata").ok(), Some(TimelineFormat::Kanata));
        assert_eq!(format("b.svg").ok(), Some(TimelineFormat::Picture));
        assert_eq!(format("B.JSON").ok(), Some(TimelineFormat::Chrome));
        for name in ["b.log", "json", "", "b.json.gz"] {
            let error = format(name).unwrap_err().to_string();
            assert!(
                [".json", ".perfetto", ".pftrace", ".kanata", ".svg"]
                    .iter()
                    .all(|ending| error.contains(ending)),
                "{error}"
            );
        }
    }
}
