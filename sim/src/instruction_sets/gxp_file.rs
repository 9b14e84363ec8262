//! Files of compiled shaders (`.gxp`) as listings of PowerVR USSE.

use super::code_file::Listing;
use crate::files::error::{io_reason, FileError};
use flexgrip_gpu_isa::gxp::Gxp;
use flexgrip_gpu_isa::text::print::{data_text, row_text_with};
use flexgrip_gpu_isa::Set;
use std::fmt::Write;
use std::path::Path;

/// The set of the files' code.
const SET: &str = "usse";

/// True for a file with the extension `.gxp`.
pub fn is_gxp(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gxp"))
}

/// What to say about a `.gxp` file where another set's code is expected.
pub fn hint() -> String {
    format!("; `--isa {SET}` has the instructions of .gxp files")
}

/// Disassembles both programs of a file. The registers of the secondary one are secondary attributes in all files but
/// three, so its text names them so; the digits beside it have the files as they are.
///
/// # Errors
/// The file cannot be read or is damaged, or the set is another one.
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
