//! A file of waves, and what of a run it is to show.

use crate::waves::error::WavesError;
use hdlkit::waves::{WaveError, WaveOptions};
use std::path::PathBuf;

/// The first cycle of a grid: the one behind the acknowledge of its start.
const FIRST_CYCLE: u64 = 1;

/// How waves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaveFormat {
    /// Text that every viewer reads.
    Vcd,
    /// GTKWave's own: a hundredth of the size, and opened at once.
    Fst,
}

/// A file of waves, and what of the run it is to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveFile {
    /// Where it is written.
    pub path: PathBuf,
    /// As its name says.
    pub format: WaveFormat,
    /// Blocks or signals, such as `top.sm[0].fetch`, each with all that is in it; none means everything.
    pub scopes: Vec<String>,
    /// First cycle, numbered as the trace's; the wave of a grid begins with the cycle behind the start's acknowledge, 1.
    pub from: u64,
    /// Last cycle.
    pub to: u64,
}

impl WaveFile {
    /// All of a run, in the format that the ending of `path` says.
    ///
    /// # Errors
    /// [`WavesError::Asked`] for any other ending than `.vcd` and `.fst`.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, WavesError> {
        let path = path.into();
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("vcd") => WaveFormat::Vcd,
            Some("fst") => WaveFormat::Fst,
            _ => {
                let message = format!("{}: its ending says the format; expected .vcd or .fst", path.display());
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
    /// That there is a cycle in its window.
    ///
    /// # Errors
    /// [`WavesError::Window`] if not: the first cycle is behind the last, or the last before all that there are.
    pub fn check(&self) -> Result<(), WavesError> {
        let (from, to) = (self.from, self.to);
        if from > to {
            return Err(WaveError::Window { from, to }.into());
        }
        if to < FIRST_CYCLE {
            return Err(WavesError::Window(format!(
                "the last cycle is {to}, and the first one that there is, behind the grid's start, is {FIRST_CYCLE}"
            )));
        }
        Ok(())
    }

    /// The same, as what writes waves of circuits takes it.
    pub(crate) fn options(&self) -> WaveOptions {
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
