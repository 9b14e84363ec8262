//! Runs of yosys, with cached results.

use crate::output::write_atomically;
use crate::tools::YOSYS;
use crate::verilog::ExportError;
use crate::waves::UnknownScope;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// The reason why there are no gates.
#[derive(Debug, thiserror::Error)]
pub enum GatesError {
    /// The circuit cannot be exported.
    #[error("the circuit has no Verilog:\n{0}")]
    Export(#[from] ExportError),
    /// yosys cannot be run, for example because it is not installed.
    #[error("cannot run yosys ({0}); `make tools` installs it")]
    Missing(io::Error),
    /// An error of yosys.
    #[error("yosys failed:\n{0}")]
    Yosys(String),
    /// A file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The gates are not as expected.
    #[error("the gates of {unit}: {message}")]
    Gates {
        /// The circuit.
        unit: String,
        /// The cell or net found, and the expected one.
        message: String,
    },
    /// There is no block with this path.
    #[error(transparent)]
    NoSuch(UnknownScope),
    /// The block is a memory.
    #[error("{unit} is a memory, which is not converted to gates; its bits are already fault sites")]
    Memory {
        /// The block.
        unit: String,
    },
}

/// SHA-256 of texts, in hexadecimal digits.
pub fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The module `top` of this Verilog after a yosys script, as JSON. If yosys has processed the same Verilog with the
/// same script before, its result is taken from `folder`.
///
/// # Errors
/// yosys cannot be run or fails, or a file cannot be written.
pub fn synthesised(top: &str, verilog: &str, script: &str, folder: &Path) -> Result<String, GatesError> {
    let script = format!("read_verilog -sv top.v; hierarchy -check -top {top}; {script}; write_json gates.json");
    let version = YOSYS.command().arg("-V").output().map_err(GatesError::Missing)?;
    let name = hash([verilog, &script, &String::from_utf8_lossy(&version.stdout)]);
    let kept = folder.join(format!("{top}-{}.json", &name[..16]));
    if let Ok(json) = std::fs::read_to_string(&kept) {
        return Ok(json);
    }
    let io = |path: &Path| {
        let path = path.to_path_buf();
        |error| GatesError::Io { path, error }
    };
    let directory = tempfile::tempdir().map_err(io(&std::env::temp_dir()))?;
    let source = directory.path().join("top.v");
    std::fs::write(&source, verilog).map_err(io(&source))?;
    let output = YOSYS
        .command()
        .args(["-q", "-p", &script])
        .current_dir(directory.path())
        .output()
        .map_err(GatesError::Missing)?;
    if !output.status.success() {
        return Err(GatesError::Yosys(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let made = directory.path().join("gates.json");
    let json = std::fs::read_to_string(&made).map_err(io(&made))?;
    write_atomically(&kept, &json).map_err(io(&kept))?;
    Ok(json)
}
