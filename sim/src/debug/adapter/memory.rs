//! References to memories in requests, and reads and writes through them.
//!
//! | reference | memory |
//! |---|---|
//! | `0x100`, `global` | global memory |
//! | `shared:BLOCK` | a block's shared memory |
//! | `local:BLOCK.WARP.LANE` | a thread's local memory |
//! | `const:BANK` | a bank of constant memory |
//!
//! An address may follow after an `@`, as in `shared:0@0x40`; the offset of a request is added to it.

use crate::debug::adapter::arguments::{ReadMemory, WriteMemory};
use crate::debug::adapter::state::{Adapter, Answer};
use crate::debug::target::{Edit, Space, Target};
use flexgrip_machine::sizes::CONSTANT_BANKS;
use serde_json::json;
use std::fmt;
use std::str::FromStr;

/// Maximum number of bytes read by one request.
const MOST_BYTES: u64 = 16 << 20;

/// A memory and a byte address in it, as the protocol's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemoryReference {
    pub space: Space,
    pub address: u32,
}

impl fmt::Display for MemoryReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.space {
            Space::Global => f.write_str("global")?,
            Space::Constant(bank) => write!(f, "const:{bank}")?,
            Space::Shared(block) => write!(f, "shared:{block}")?,
            Space::Local(warp, lane) => write!(f, "local:{warp}.{lane}")?,
        }
        match self.address {
            0 => Ok(()),
            address => write!(f, "@{address:#x}"),
        }
    }
}

/// An address from a client, in decimal, or in hexadecimal after `0x`.
///
/// # Errors
/// The text is not a number of 32 bits.
pub(super) fn address_of(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| format!("`{text}` is not a 32-bit address"))
}

impl FromStr for MemoryReference {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let address = address_of(text)?;
            return Ok(MemoryReference {
                space: Space::Global,
                address,
            });
        }
        let (name, address) = match text.split_once('@') {
            Some((name, address)) => (name, address_of(address)?),
            None => (text, 0),
        };
        let wrong = || {
            format!(
                "`{text}` is not a memory; expected an address, global, shared:BLOCK, local:BLOCK.WARP.LANE or const:BANK"
            )
        };
        let space = match name.split_once(':') {
            None if name == "global" => Space::Global,
            Some(("shared", block)) => Space::Shared(block.parse().map_err(|_| wrong())?),
            Some(("const", bank)) => Space::Constant(
                bank.parse()
                    .ok()
                    .filter(|bank| *bank < CONSTANT_BANKS as u32)
                    .ok_or_else(wrong)?,
            ),
            Some(("local", thread)) => {
                let (warp, lane) = thread.rsplit_once('.').ok_or_else(wrong)?;
                let lane = lane.parse().ok().filter(|lane| *lane < 32).ok_or_else(wrong)?;
                Space::Local(warp.parse().map_err(|_| wrong())?, lane)
            }
            _ => return Err(wrong()),
        };
        Ok(MemoryReference { space, address })
    }
}

/// The address of a reference, plus a request's offset.
fn at(reference: &str, offset: i64) -> Result<MemoryReference, String> {
    let start: MemoryReference = reference.parse()?;
    let address = i64::from(start.address).checked_add(offset);
    let address = address.and_then(|address| u32::try_from(address).ok());
    let address = address.ok_or_else(|| format!("{reference} with the offset {offset} is not a 32-bit address"))?;
    Ok(MemoryReference { address, ..start })
}

/// Reads at most `count` bytes, up to the memory's end.
///
/// # Errors
/// There is no byte at this address.
fn read(target: &dyn Target, start: MemoryReference, count: u32) -> Result<Vec<u8>, String> {
    let there = target.extent(start.space)?.saturating_sub(start.address).min(count);
    target.read(start.space, start.address, there.max(1))
}

impl Adapter<'_> {
    /// Handles `readMemory`: the bytes up to the memory's end, and the number of missing bytes.
    ///
    /// # Errors
    /// There is no such memory now.
    pub(super) fn read_memory(&self, arguments: ReadMemory) -> Answer {
        let ReadMemory {
            memory_reference,
            offset,
            count,
        } = arguments;
        let start = match at(&memory_reference, offset) {
            Ok(start) => start,
            // Editors request addresses below 0 when a person scrolls there.
            Err(_) if offset < 0 && memory_reference.parse::<MemoryReference>().is_ok() => {
                return Ok(json!({ "address": "0x0", "unreadableBytes": count }));
            }
            Err(error) => return Err(error),
        };
        if count > MOST_BYTES {
            return Err(format!("{count} bytes requested; expected at most {MOST_BYTES}"));
        }
        let address = format!("{:#x}", start.address);
        if count == 0 {
            return Ok(json!({ "address": address, "data": "" }));
        }
        let target = self.session().target();
        match read(target, start, count as u32) {
            Ok(bytes) => {
                let missing = count - bytes.len() as u64;
                Ok(json!({ "address": address, "data": base64::encode(bytes), "unreadableBytes": missing }))
            }
            // The memory exists, but ends before this address.
            Err(_) if target.read(start.space, 0, 0).is_ok() => {
                Ok(json!({ "address": address, "unreadableBytes": count }))
            }
            Err(error) => Err(error),
        }
    }

    /// Handles `writeMemory`.
    ///
    /// # Errors
    /// The bytes are not all in the memory, or cannot be changed.
    pub(super) fn write_memory(&mut self, arguments: WriteMemory) -> Answer {
        let MemoryReference { space, address } = at(&arguments.memory_reference, arguments.offset)?;
        let bytes = base64::decode(&arguments.data).map_err(|error| format!("the data is not base64: {error}"))?;
        let count = bytes.len();
        if count > 0 {
            let edit = Edit::Memory { space, address, bytes };
            self.session_mut().change(edit).map_err(|error| error.to_string())?;
            self.changed();
        }
        Ok(json!({ "bytesWritten": count }))
    }

    /// Tells the client that the variables it shows may be outdated.
    pub(super) fn changed(&mut self) {
        if self.facts.abilities.invalidated {
            self.events.push(("invalidated", json!({ "areas": ["variables"] })));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::target::WarpId;

    #[test]
    fn references_are_read_and_written() {
        let warp = WarpId { block: 2, warp: 3 };
        for (text, space, address) in [
            ("global", Space::Global, 0),
            ("global@0x100", Space::Global, 256),
            ("shared:4", Space::Shared(4), 0),
            ("shared:4@0x10", Space::Shared(4), 16),
            ("local:2.3.31", Space::Local(warp, 31), 0),
            ("const:1", Space::Constant(1), 0),
        ] {
            let reference = MemoryReference { space, address };
            assert_eq!(text.parse(), Ok(reference));
            assert_eq!(reference.to_string(), text);
        }
        let global = |address| {
            Ok(MemoryReference {
                space: Space::Global,
                address,
            })
        };
        assert_eq!("0x40".parse(), global(64));
        assert_eq!("64".parse(), global(64));
        assert_eq!(at("0x40", -64), global(0));
        for text in [
            "",
            "heap",
            "shared",
            "shared:x",
            "local:2.3",
            "local:2.3.32",
            "const:16",
            "0x",
            "global@",
            "-1",
        ] {
            assert!(text.parse::<MemoryReference>().is_err(), "{text}");
        }
        for offset in [-65, i64::MIN, i64::MAX] {
            assert!(at("0x40", offset).is_err(), "{offset}");
        }
    }
}
