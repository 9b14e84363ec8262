//! The output file: buffered, and removed if it is not completed.

use crate::timeline::file::TimelineError;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The bytes of a write, or somewhat more.
const BUFFER: usize = 1 << 18;

/// A timeline's file. If it is dropped before [`Output::close`], the file is removed: viewers cannot distinguish an
/// incomplete timeline from a complete one.
pub(super) struct Output {
    path: PathBuf,
    file: Option<File>,
    /// The bytes that are not written yet.
    buffer: Vec<u8>,
}

impl Output {
    /// Creates the file.
    pub(super) fn create(path: &Path) -> Result<Self, TimelineError> {
        let path = path.to_path_buf();
        match File::create(&path) {
            Ok(file) => Ok(Output {
                path,
                file: Some(file),
                buffer: Vec::with_capacity(2 * BUFFER),
            }),
            Err(error) => Err(TimelineError::Create { path, error }),
        }
    }

    /// The buffer at the end of the file.
    pub(super) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes the buffer, if it is large.
    pub(super) fn write_if_much(&mut self) -> Result<(), TimelineError> {
        if self.buffer.len() < BUFFER {
            return Ok(());
        }
        self.write()
    }

    fn write(&mut self) -> Result<(), TimelineError> {
        let Some(file) = &mut self.file else {
            return Err(self.failed(io::Error::other("an earlier write has failed")));
        };
        match file.write_all(&self.buffer) {
            Ok(()) => {
                self.buffer.clear();
                Ok(())
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// The error of a failed write. The file is removed.
    fn failed(&mut self, error: io::Error) -> TimelineError {
        TimelineError::Write {
            path: self.path.clone(),
            error,
            removed: self.remove(),
        }
    }

    /// Completes the file.
    pub(super) fn close(mut self) -> Result<(), TimelineError> {
        self.write()?;
        self.file = None;
        Ok(())
    }

    /// Removes the file; false if it still exists. Only regular files are removed, not devices or links.
    fn remove(&mut self) -> bool {
        if self.file.take().is_none() {
            return false;
        }
        let plain = fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.is_file());
        plain && fs::remove_file(&self.path).is_ok()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_file_stays_and_abandoned_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [kept, gone] = ["kept", "gone"].map(|name| folder.path().join(name));
        let mut output = Output::create(&kept).unwrap();
        output.text().extend(b"all");
        output.write_if_much().unwrap();
        assert_eq!(fs::read(&kept).unwrap(), b"", "buffered");
        output.close().unwrap();
        assert_eq!(fs::read(&kept).unwrap(), b"all");
        let mut output = Output::create(&gone).unwrap();
        output.text().extend(vec![0; BUFFER]);
        output.write_if_much().unwrap();
        assert_eq!(fs::metadata(&gone).unwrap().len(), BUFFER as u64);
        drop(output);
        assert!(!gone.exists());
    }

    #[test]
    fn after_a_failed_write_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.json");
        let mut output = Output::create(&path).unwrap();
        let error = output.failed(io::ErrorKind::StorageFull.into());
        assert!(!path.exists());
        assert!(
            error.to_string().ends_with("the incomplete file has been removed"),
            "{error}"
        );
        output.text().extend(vec![0; BUFFER]);
        assert!(output.write_if_much().is_err());
        assert!(Output::create(&folder.path().join("missing/t.json")).is_err());
    }
}
