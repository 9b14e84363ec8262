//! The destination of waves: a VCD file, or GTKWave's `vcd2fst`, which converts its input to an FST file.
//!
//! No Rust library writes FST with text values (the states of enums) without a C compiler's headers, and the tool comes
//! with the viewer.

use crate::outside::{IoError, ToolError};
use crate::waves::error::WavesError;
use crate::waves::file::{WaveFile, WaveFormat};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

const TOOL: &str = "vcd2fst";

/// A writer for the text of a VCD file.
pub enum WaveOutput {
    /// Writes the text to a file.
    Vcd(BufWriter<File>),
    /// Sends the text to `vcd2fst`.
    Fst(BufWriter<ChildStdin>, Child),
}

impl WaveOutput {
    /// Creates the file.
    ///
    /// # Errors
    /// The file cannot be written, or [`WavesError::Tool`] if `vcd2fst` is missing.
    pub fn create(wave: &WaveFile) -> Result<Self, WavesError> {
        let path = wave.path.display();
        // The file is created here for FST as well, because the tool's own error has no details.
        let file = File::create(&wave.path).map_err(IoError::of(format!("cannot write {path}")))?;
        if wave.format == WaveFormat::Vcd {
            return Ok(WaveOutput::Vcd(BufWriter::new(file)));
        }
        let tool = Command::new(TOOL)
            .arg("--vcdname=-")
            .arg("--fstname")
            .arg(&wave.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = tool.map_err(|error| {
            // Do not leave an empty file behind.
            let _ = std::fs::remove_file(&wave.path);
            ToolError {
                tool: TOOL,
                message: match error.kind() {
                    io::ErrorKind::NotFound => {
                        "is not installed, and FST files need it; run `make tools`, or write a .vcd file".into()
                    }
                    _ => format!("cannot be run: {error}"),
                },
            }
        })?;
        match child.stdin.take() {
            Some(stdin) => Ok(WaveOutput::Fst(BufWriter::with_capacity(1 << 16, stdin), child)),
            None => Err(WavesError::Tool(ToolError {
                tool: TOOL,
                message: "takes no input".into(),
            })),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Part of the text could not be written, or the tool failed.
    pub fn close(self) -> Result<(), WavesError> {
        match self {
            WaveOutput::Vcd(mut file) => Ok(file.flush().map_err(IoError::of("cannot write the waves"))?),
            WaveOutput::Fst(mut stdin, mut child) => {
                let flushed = stdin.flush();
                // The tool ends at the end of its input.
                drop(stdin);
                let mut said = String::new();
                if let Some(mut stderr) = child.stderr.take() {
                    // Used only in the error below; may be missing.
                    let _ = stderr.read_to_string(&mut said);
                }
                let status = child.wait().map_err(IoError::of("cannot wait for vcd2fst"))?;
                if !status.success() {
                    let message = format!("ended with {status}: {}", said.trim());
                    return Err(WavesError::Tool(ToolError { tool: TOOL, message }));
                }
                Ok(flushed.map_err(IoError::of("cannot write the waves"))?)
            }
        }
    }
}

impl Write for WaveOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            WaveOutput::Vcd(file) => file.write(bytes),
            WaveOutput::Fst(stdin, _) => stdin.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            WaveOutput::Vcd(file) => file.flush(),
            WaveOutput::Fst(stdin, _) => stdin.flush(),
        }
    }
}
