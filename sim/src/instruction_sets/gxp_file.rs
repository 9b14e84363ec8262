//! Compiled shaders (`.gxp`) as listings of PowerVR USSE.

use super::code_file::Listing;
use flexgrip_engines::files::error::{io_reason, FileError};
use flexgrip_gpu_isa::gxp::Gxp;
use flexgrip_gpu_isa::text::print::{data_text, row_text_with};
use flexgrip_gpu_isa::Set;
use std::fmt::Write;
use std::path::Path;

/// The instruction set of the code in these files.
const SET: &str = "usse";

/// True for a file with the extension `.gxp`.
pub fn is_gxp(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gxp"))
}

/// The hint for a `.gxp` file given as the code of another set.
pub fn hint() -> String {
    format!("; `--isa {SET}` has the instructions of .gxp files")
}

/// Disassembles both programs of a file. In all but three of the known files, the registers of the secondary program
/// are secondary attributes, so the text names them as such; the digits next to it are unchanged.
///
/// # Errors
/// The file cannot be read or is damaged, or `set` is not USSE.
pub fn listing(set: &'static Set, path: &Path) -> Result<Listing, FileError> {
    if set.name != SET {
        let message = format!("a .gxp file has no code of {}{}", set.name, hint());
        return Err(FileError::whole(path, message));
    }
    let bytes = std::fs::read(path)
        .map_err(|error| FileError::whole(path, format!("cannot read the code: {}", io_reason(&error))))?;
    let gxp = Gxp::read(&bytes).map_err(|error| FileError::whole(path, error.to_string()))?;
    let kind = if gxp.fragment { "fragment" } else { "vertex" };
    let mut listing = Listing {
        text: String::new(),
        unknown: 0,
        lines: 0,
    };
    let secondary = "secondary program; sa stands for every register file but i and c";
    for (title, code, files) in [
        ("primary program", &gxp.primary, None),
        (secondary, &gxp.secondary, Some("sa")),
    ] {
        // Writing to a string does not fail.
        let _ = writeln!(listing.text, "// {kind} shader, {title}");
        for (address, decoded) in set.words(code) {
            listing.lines += 1;
            let text = match decoded.row {
                Some(row) => row_text_with(row, decoded.word, address, files),
                None => {
                    listing.unknown += 1;
                    data_text(decoded.word, decoded.bytes)
                }
            };
            let _ = writeln!(listing.text, "/*{address:04x}*/ /*{:016x}*/ {text}", decoded.word);
        }
    }
    Ok(listing)
}
