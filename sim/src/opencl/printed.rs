//! The output of `printf` of a kernel in OpenCL C, for reports.

use flexgrip_compiler::printf::records::{Lost, Printed};
use serde::Serialize;

/// The output of a kernel's calls of `printf`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Output {
    /// The text, by work-group, then by work-item, then by call. Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// The number of calls whose text is lost, because the buffer was full.
    pub lost_calls: u64,
    /// The size of the records of these calls, in bytes.
    pub lost_bytes: u64,
    /// The text's bytes.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

impl From<Printed> for Output {
    fn from(printed: Printed) -> Self {
        Output {
            text: String::from_utf8_lossy(&printed.text).into_owned(),
            lost_calls: printed.lost.calls,
            lost_bytes: printed.lost.bytes,
            bytes: printed.text,
        }
    }
}

impl Output {
    /// The text, with a line's end after its last line.
    #[must_use]
    pub fn lines(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        if bytes.last().is_some_and(|&last| last != b'\n') {
            bytes.push(b'\n');
        }
        bytes
    }

    /// A message about lost calls; `None` if no call was lost.
    #[must_use]
    pub fn lost(&self) -> Option<String> {
        let lost = Lost {
            calls: self.lost_calls,
            bytes: self.lost_bytes,
        };
        lost.is_any().then(|| lost.to_string())
    }
}

/// Reads bytes of a memory of words; `None` if they are not all in it.
#[must_use]
pub fn read_bytes(memory: &[u32], at: u32, bytes: u32) -> Option<Vec<u8>> {
    let (from, end) = (at as usize / 4, (at as usize + bytes as usize).div_ceil(4));
    let words = memory.get(from..end)?;
    let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Some(all.get(at as usize % 4..)?.get(..bytes as usize)?.to_vec())
}
