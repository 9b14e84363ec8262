//! The trace: one line per executed warp instruction, in a file or on standard output.

use crate::outside::IoError;
use flexgrip_machine::Retire;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The trace's destination, and the first write error.
pub struct Trace {
    path: PathBuf,
    out: Box<dyn Write + Send>,
    error: Option<io::Error>,
}

impl Trace {
    /// Opens the trace; `-` is standard output.
    pub fn open(path: &Path) -> Result<Self, IoError> {
        let out: Box<dyn Write + Send> = if path == Path::new("-") {
            Box::new(BufWriter::new(io::stdout()))
        } else {
            let file = File::create(path);
            let what = format!("cannot write the trace {}", path.display());
            Box::new(BufWriter::new(file.map_err(|error| IoError { what, error })?))
        };
        Ok(Trace {
            path: path.into(),
            out,
            error: None,
        })
    }

    /// Writes a record; breaks on failure.
    pub fn record(&mut self, record: &Retire) -> ControlFlow<()> {
        match writeln!(self.out, "{record}") {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error.get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Closes the trace; reports the first error, if any.
    pub fn close(mut self) -> Result<(), IoError> {
        let flushed = self.out.flush();
        match self.error.map_or(flushed, Err) {
            // The reader of a closed pipe has seen enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(IoError {
                what: format!("cannot write the trace {}", self.path.display()),
                error,
            }),
            _ => Ok(()),
        }
    }
}
