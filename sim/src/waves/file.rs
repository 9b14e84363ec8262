//! A file of waves, and what of a run it is to show.

use crate::waves::error::WavesError;
use hdlkit::wave::WaveOptions;
use std::path::PathBuf;

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
    /// The same, as what writes waves of circuits takes it.
    pub(crate) fn options(&self) -> WaveOptions {
        WaveOptions {
            scopes: self.scopes.clone(),
            from: self.from,
            to: self.to,
        }
    }
}
