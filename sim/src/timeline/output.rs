//! The file being written: buffered, and removed if it does not become complete.

use crate::outside::IoError;
use crate::timeline::error::TimelineError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes written at a time.
const BUFFER: usize = 1 << 18;

/// A timeline's file. Dropped before [`Output::close`], it is removed: viewers cannot tell half a timeline from a whole
/// one.
pub(super) struct Output {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Output {
    /// Creates the file.
    pub(super) fn create(path: &Path) -> Result<Self, IoError> {
        let file = File::create(path).map_err(IoError::of(format!("cannot write the timeline {}", path.display())))?;
        Ok(Output {
            path: path.into(),
            file: Some(BufWriter::with_capacity(BUFFER, file)),
        })
    }

    /// The error of a write that failed. The file is given up.
    pub(super) fn failed(&mut self, error: io::Error) -> TimelineError {
        TimelineError::Write {
            path: self.path.clone(),
            error,
            removed: self.remove(),
        }
    }

    /// Completes the file.
    pub(super) fn close(mut self) -> Result<(), TimelineError> {
        if let Err(error) = self.flush() {
            return Err(self.failed(error));
        }
        self.file = None;
        Ok(())
    }

    /// Removes the file; false if it is still there. Only what is a file by itself is removed, not a device or a link.
    fn remove(&mut self) -> bool {
        let Some(file) = self.file.take() else {
            return false;
        };
        // What is buffered is not wanted.
        drop(file.into_parts());
        let plain = fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.is_file());
        plain && fs::remove_file(&self.path).is_ok()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.remove();
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Err(io::Error::other("an earlier write has failed")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_file_stays_and_an_abandoned_one_goes() {
        let folder = tempfile::tempdir().unwrap();
        let [kept, gone] = ["kept", "gone"].map(|name| folder.path().join(name));
        let mut output = Output::create(&kept).unwrap();
        output.write_all(b"all").unwrap();
        output.close().unwrap();
        assert_eq!(fs::read(&kept).unwrap(), b"all");
        let mut output = Output::create(&gone).unwrap();
        output.write_all(b"half").unwrap();
        assert!(gone.exists());
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
            error.to_string().ends_with("what there was of it is removed"),
            "{error}"
        );
        assert!(output.write_all(b"more").is_err());
        assert!(Output::create(&folder.path().join("missing/t.json")).is_err());
    }
}
