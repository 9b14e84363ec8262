//! A waveform file, and the part of a run that it shows.

use crate::waves::error::WavesError;
use flexgrip_trace::extension::extension;
use hdlkit::waves::{WaveError, WaveOptions};
use std::path::PathBuf;

/// The first cycle of a grid: the cycle after its start is acknowledged.
const FIRST_CYCLE: u64 = 1;

/// The format of a waveform file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaveFormat {
    /// Value change dump: text that every viewer reads.
    Vcd,
    /// GTKWave's own format: a hundredth of the size of VCD, and opens immediately.
    Fst,
}

/// A waveform file, and the part of the run that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveFile {
    /// The file.
    pub path: PathBuf,
    /// The format, taken from the file name.
    pub format: WaveFormat,
    /// Blocks or signals, such as `top.sm[0].fetch`, each with everything in it; empty for all.
    pub scopes: Vec<String>,
    /// First cycle written, numbered as in the trace; a grid's waves begin in cycle 1, after the start is acknowledged.
    pub from: u64,
    /// Last cycle written.
    pub to: u64,
}

impl WaveFile {
    /// A file for all of a run, in the format given by the extension of `path`.
    ///
    /// # Errors
    /// [`WavesError::Asked`] for any extension other than `.vcd` and `.fst`.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, WavesError> {
        let path = path.into();
        let format = match extension(&path).as_str() {
            "vcd" => WaveFormat::Vcd,
            "fst" => WaveFormat::Fst,
            _ => {
                let message = format!("{}: unknown format of waves; expected .vcd or .fst", path.display());
                return Err(WavesError::Asked(message));
            }
        };
        Ok(WaveFile {
            path,
            format,
            scopes: Vec::new(),
            from: 0,
            to: u64::MAX,
        })
    }
    /// Checks that the window has a cycle.
    ///
    /// # Errors
    /// [`WavesError::Window`] if it has none: it begins after its end, or ends before the grid's first cycle.
    pub fn check(&self) -> Result<(), WavesError> {
        let (from, to) = (self.from, self.to);
        if from > to {
            return Err(WaveError::Window { from, to }.into());
        }
        if to < FIRST_CYCLE {
            return Err(WavesError::Window(format!(
                "the last cycle is {to}, but the first one after the grid's start is {FIRST_CYCLE}"
            )));
        }
        Ok(())
    }

    /// Scopes and window as options for the writer of the circuits' waves.
    pub fn options(&self) -> WaveOptions {
        WaveOptions {
            scopes: self.scopes.clone(),
            from: self.from,
            to: self.to,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_a_cycle_in_it() {
        let window = |from, to| {
            let whole = WaveFile::new("w.vcd").unwrap();
            WaveFile { from, to, ..whole }
                .check()
                .map_err(|error| error.to_string())
        };
        for (from, to) in [(0, u64::MAX), (0, 1), (1, 1), (7, 7), (u64::MAX, u64::MAX)] {
            assert_eq!(window(from, to), Ok(()), "{from} to {to}");
        }
        for (from, to, says) in [
            (0, 0, "the last cycle is 0"),
            (7, 6, "begins in cycle 7"),
            (1, 0, "begins in cycle 1"),
        ] {
            let error = window(from, to).unwrap_err();
            assert!(error.starts_with("waves: ") && error.contains(says), "{error}");
        }
    }
}
