//! Part of global memory as a file: a kernel's results, byte by byte.

use crate::files::launch::larger_memory;
use crate::files::output::write_file;
use crate::outside::IoError;
use std::path::PathBuf;
use std::str::FromStr;
use thiserror::Error;

/// A range of global memory and the file for it, written `FILE@ADDRESS+BYTES`, with numbers in decimal, or in
/// hexadecimal with `0x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The file.
    pub path: PathBuf,
    /// Address of the first byte.
    pub address: u32,
    /// Number of bytes, at least 1.
    pub bytes: u32,
}

/// Part of global memory cannot be shown as requested.
#[derive(Debug, Error)]
pub enum DumpError {
    /// Part of the range is outside memory.
    #[error("{0}")]
    Outside(String),
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] IoError),
}

fn number(text: &str) -> Result<u32, String> {
    let value = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    value.map_err(|_| format!("`{text}` is not a 32-bit number"))
}

impl FromStr for Dump {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "expected FILE@ADDRESS+BYTES, such as picture.pgm@6288+6160";
        let (path, place) = text.rsplit_once('@').ok_or(form)?;
        let (address, bytes) = place.split_once('+').ok_or(form)?;
        if path.is_empty() {
            return Err(form.into());
        }
        let dump = Dump {
            path: path.into(),
            address: number(address)?,
            bytes: number(bytes)?,
        };
        match dump.bytes {
            0 => Err("a file of 0 bytes; expected at least 1".into()),
            _ => Ok(dump),
        }
    }
}

impl Dump {
    /// Checks that the bytes are in a memory of `global_bytes`.
    ///
    /// # Errors
    /// [`DumpError::Outside`] if some are outside.
    pub fn check(&self, global_bytes: u32) -> Result<(), DumpError> {
        let end = u64::from(self.address) + u64::from(self.bytes);
        if end > u64::from(global_bytes) {
            let path = self.path.display();
            return Err(DumpError::Outside(format!(
                "{path}: bytes {:#x} to {:#x} are not all in global memory, which has {global_bytes:#x} bytes; {}",
                self.address,
                end - 1,
                larger_memory(end)
            )));
        }
        Ok(())
    }

    /// Writes the bytes from `global`, the words of global memory from address 0.
    ///
    /// # Errors
    /// [`DumpError::Outside`] as for [`Dump::check`]; [`DumpError::Io`] if the file cannot be written. A file is never
    /// partial.
    pub fn write(&self, global: &[u32]) -> Result<(), DumpError> {
        self.check(u32::try_from(4 * global.len()).unwrap_or(u32::MAX))?;
        let bytes: Vec<u8> = global
            .iter()
            .skip(self.address as usize / 4)
            .flat_map(|word| word.to_le_bytes())
            .skip(self.address as usize % 4)
            .take(self.bytes as usize)
            .collect();
        Ok(write_file(&self.path, &bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_is_a_file_and_a_range() {
        let dump = |path: &str, address, bytes| Dump {
            path: path.into(),
            address,
            bytes,
        };
        assert_eq!("a@b.pgm@6288+0x10".parse(), Ok(dump("a@b.pgm", 6288, 16)));
        for wrong in [
            "",
            "a",
            "a@1",
            "@1+2",
            "a@1+0",
            "a@x+1",
            "a@1+",
            "a@4294967296+1",
            "a@-1+1",
        ] {
            assert!(wrong.parse::<Dump>().is_err(), "{wrong}");
        }
        assert!(dump("a", 60, 4).check(64).is_ok());
        let error = dump("a", 61, 4).check(64).unwrap_err().to_string();
        assert!(error.contains("0x3d to 0x40") && error.contains("0x40"), "{error}");
        assert!(dump("a", u32::MAX, u32::MAX).check(64).is_err());
    }

    #[test]
    fn bytes_come_in_the_order_of_their_addresses() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        let dump: Dump = format!("{}@5+6", path.display()).parse().unwrap();
        dump.write(&[0x0302_0100, 0x0706_0504, 0x0b0a_0908]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), [5, 6, 7, 8, 9, 10]);
        assert!(dump.write(&[0, 0]).is_err());
    }
}
