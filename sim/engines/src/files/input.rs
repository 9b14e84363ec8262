//! Reading input files; `-` is standard input.

use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

/// True for the name that stands for standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The bytes of a file, or of standard input. Standard input is read only once: later calls, such as for the lines of a
/// source, return the same bytes.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();
    if !is_standard_input(path) {
        return std::fs::read(path);
    }
    if let Some(bytes) = STANDARD_INPUT.get() {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(STANDARD_INPUT.get_or_init(|| bytes).clone())
}
