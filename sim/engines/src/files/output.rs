//! Files written whole or not at all, and notes on standard error.

use crate::outside::IoError;
pub use hdlkit::output::{note, write_atomically};
use std::path::Path;

/// Like [`write_atomically`], with an error that names the file.
///
/// # Errors
/// The errors of [`write_atomically`].
pub fn write_file(path: &Path, contents: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), IoError> {
    let what = format!("cannot write {}", path.display());
    write_atomically(path, contents).map_err(IoError::of(what))
}
