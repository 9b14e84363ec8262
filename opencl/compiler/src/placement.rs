//! Placement of buffers in global memory, and the guards between them.
//!
//! The machine only detects accesses outside memory, not accesses to the wrong buffer. So there are guards on both
//! sides of a buffer: memory outside all buffers is filled with a pattern, and [`Placement::overwritten`] detects
//! stores to it. Loads from guards are not detected.

use crate::compiled::Compiled;
use crate::ir::variables::ModuleVariables;
use crate::launch::{IndexSpace, WORK_GROUP};
use crate::printf::buffer::{self, PrintBuffer};
use flexgrip_machine::{Region, RegionKind};
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// Alignment of buffers, in bytes. The first `ALIGNMENT` bytes of memory stay free: address 0 is the null pointer.
pub const ALIGNMENT: u32 = 256;

/// Bytes of a guard for each work-item of a group: the size of a vector. If the index space is rounded up to whole
/// groups, a kernel overruns its buffers by less than a group. Small launches have small guards, which are quick to
/// check.
const GUARD_BYTES: u32 = 16;

/// The size of memory is a multiple of this many bytes.
const GRANULE: u32 = 64;

/// The error for regions that do not fit in a 32-bit address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the buffers do not fit into the 4 GiB that addresses of 32 bits reach")]
pub struct TooLarge;

/// Regions in the order of their addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placement {
    regions: Vec<Region>,
    /// The least number of bytes between two regions.
    guard: u32,
}

impl Placement {
    /// An empty placement, with guards for an index space.
    #[must_use]
    pub fn new(space: &IndexSpace) -> Self {
        let items = space
            .global
            .iter()
            .fold(1u32, |items, &size| items.saturating_mul(size));
        Placement {
            regions: Vec::new(),
            guard: (items.min(WORK_GROUP) * GUARD_BYTES).max(ALIGNMENT),
        }
    }

    /// Adds the buffer of an argument after the others, with a guard between them. `element` is the size of its
    /// elements in bytes, 1 if unknown. Returns its address.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn add_buffer(&mut self, argument: usize, bytes: usize, element: usize) -> Result<u32, TooLarge> {
        self.add(RegionKind::Buffer, Some(argument), bytes, element, ALIGNMENT)
    }

    /// Adds the module's variables after a guard. Returns their address, or 0 if there are none.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn add_variables(&mut self, variables: &ModuleVariables) -> Result<u32, TooLarge> {
        if variables.bytes.is_empty() {
            return Ok(0);
        }
        let (bytes, alignment) = (variables.bytes.len(), variables.alignment.max(ALIGNMENT));
        self.add(RegionKind::Variables, None, bytes, 1, alignment)
    }

    /// Adds the buffer of `printf` after the others, for a kernel that calls it. The buffer has about `wanted` bytes,
    /// and more for very many work-items. Returns its place.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn add_printf(
        &mut self,
        compiled: &Compiled,
        space: &IndexSpace,
        wanted: u32,
    ) -> Result<Option<PrintBuffer>, TooLarge> {
        if compiled.prints.is_empty() {
            return Ok(None);
        }
        let (slice, bytes) = buffer::sizes(space, wanted).ok_or(TooLarge)?;
        let address = self.add(RegionKind::Printf, None, bytes as usize, 4, ALIGNMENT)?;
        Ok(Some(PrintBuffer { address, slice }))
    }

    /// Adds an argument that is a null pointer, before all other regions.
    pub fn add_null(&mut self, argument: usize) {
        self.regions
            .insert(0, region(RegionKind::Buffer, Some(argument), 0, 0, 1));
    }

    fn add(
        &mut self,
        kind: RegionKind,
        argument: Option<usize>,
        bytes: usize,
        element: usize,
        alignment: u32,
    ) -> Result<u32, TooLarge> {
        let address = match self.regions.last() {
            // The region of a null pointer takes no memory.
            Some(last) if last.address > 0 => last.range().end.checked_add(self.guard).ok_or(TooLarge)?,
            _ => ALIGNMENT,
        };
        let address = address.checked_next_multiple_of(alignment).ok_or(TooLarge)?;
        let bytes = u32::try_from(bytes).map_err(|_| TooLarge)?;
        address.checked_add(bytes).ok_or(TooLarge)?;
        self.regions.push(region(kind, argument, address, bytes, element));
        self.memory_bytes().map(|_| address)
    }

    /// Finds stores to the guards, like [`Placement::overwritten`], in a memory of words.
    #[must_use]
    pub fn overwritten_words(&self, memory: &[u32]) -> Option<Overwritten> {
        let bytes: Vec<u8> = memory.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.overwritten(&bytes)
    }

    /// The regions, in the order of their addresses.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The bytes of memory for all regions, with a guard at the end.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn memory_bytes(&self) -> Result<u32, TooLarge> {
        let end = self.regions.last().map_or(ALIGNMENT, end_of).max(ALIGNMENT);
        end.checked_add(self.guard)
            .and_then(|end| end.checked_next_multiple_of(GRANULE))
            .ok_or(TooLarge)
    }

    /// Returns the ranges of memory outside all regions.
    fn guards(&self, end: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let begins = std::iter::once(0).chain(self.regions.iter().map(|region| end_of(region) as usize));
        let ends = self.regions.iter().map(|region| region.address as usize);
        begins
            .zip(ends.chain(std::iter::once(end)))
            .map(move |(from, to)| from.min(end)..to.min(end))
    }

    /// Fills the guards of a memory.
    pub fn fill(&self, memory: &mut [u8]) {
        for guard in self.guards(memory.len()) {
            let (edge, words) = split(guard);
            edge.for_each(|at| memory[at] = pattern_byte(at));
            let first = words.start / 4;
            for (index, bytes) in memory[words].chunks_mut(4).enumerate() {
                bytes.copy_from_slice(&pattern(first + index).to_le_bytes()[..bytes.len()]);
            }
        }
    }

    /// Finds stores to the guards of a memory. `None` if all guards are intact.
    #[must_use]
    pub fn overwritten(&self, memory: &[u8]) -> Option<Overwritten> {
        let broken = self
            .guards(memory.len())
            .filter(|guard| !is_whole(memory, guard.clone()));
        let mut changed = broken.flatten().filter(|&at| memory[at] != pattern_byte(at));
        let first = changed.next()?;
        Some(Overwritten {
            first: nearest(&self.regions, first as u32),
            bytes: 1 + changed.count(),
        })
    }
}

/// Returns an address with the region of global memory that contains it, or otherwise the nearest region.
#[must_use]
pub fn nearest(regions: &[Region], address: u32) -> Location {
    let distance = |region: &&Region| match address {
        before if before < region.address => region.address - before,
        behind => behind.saturating_sub(end_of(region)),
    };
    let global = regions.iter().filter(|region| region.is_global());
    Location {
        address,
        region: global.min_by_key(distance).cloned(),
    }
}

fn region(kind: RegionKind, argument: Option<usize>, address: u32, bytes: u32, element: usize) -> Region {
    Region {
        name: String::new(),
        kind,
        argument: argument.and_then(|argument| u32::try_from(argument).ok()),
        parameter: None,
        address,
        bytes,
        element: u32::try_from(element).unwrap_or(1).max(1),
        written: Vec::new(),
    }
}

fn end_of(region: &Region) -> u32 {
    region.range().end
}

/// Returns the word of the pattern at this index. All words differ: otherwise a copy of one guard to another would not
/// be detected.
fn pattern(index: usize) -> u32 {
    (index as u32).wrapping_mul(0x9e37_79b1) ^ 0xa5c3_693c
}

fn pattern_byte(at: usize) -> u8 {
    pattern(at / 4).to_le_bytes()[at % 4]
}

/// Splits a range of bytes at the first word boundary.
fn split(range: Range<usize>) -> (Range<usize>, Range<usize>) {
    let words = range.start.next_multiple_of(4).min(range.end);
    (range.start..words, words..range.end)
}

/// True if a guard has the pattern. The loop over words has no early exit, so the compiler vectorises it.
fn is_whole(memory: &[u8], guard: Range<usize>) -> bool {
    let (mut edge, words) = split(guard);
    let first = words.start / 4;
    let last = words.end - words.len() % 4;
    let all = memory[words.clone()].chunks_exact(4).enumerate();
    let differences = all.fold(0, |differences, (index, bytes)| {
        let word = bytes.try_into().map_or(0, u32::from_le_bytes);
        differences | (word ^ pattern(first + index))
    });
    let is_pattern = |at: usize| memory[at] == pattern_byte(at);
    differences == 0 && edge.all(is_pattern) && (last..words.end).all(is_pattern)
}

/// An address, described for the user by its buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The byte address.
    pub address: u32,
    /// The region that contains the address, or otherwise the nearest one; `None` if there are no regions.
    pub region: Option<Region>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(region) = &self.region else {
            return write!(f, "address {:#x}, to which no argument points", self.address);
        };
        let Some(argument) = region.argument else {
            let byte = i64::from(self.address) - i64::from(region.address);
            let (bytes, of) = (region.bytes, region.kind);
            return match of {
                RegionKind::Printf => write!(f, "byte {byte} of the buffer of printf, which has {bytes} bytes"),
                _ => write!(f, "byte {byte} of the source's variables, which have {bytes} bytes"),
            };
        };
        let name = match region.name.as_str() {
            "" => String::new(),
            name => format!(" ({name})"),
        };
        if region.address == 0 {
            return write!(
                f,
                "address {:#x}, through argument {argument}{name}, a null pointer",
                self.address
            );
        }
        let byte = i64::from(self.address) - i64::from(region.address);
        let element = i64::from(region.element);
        match (element, byte.rem_euclid(element)) {
            (2.., 0) => {
                let (index, count) = (byte / element, i64::from(region.bytes) / element);
                write!(
                    f,
                    "index {index} of argument {argument}{name}, which has {count} elements"
                )
            }
            _ => write!(
                f,
                "byte {byte} of argument {argument}{name}, which has {} bytes",
                region.bytes
            ),
        }
    }
}

/// Stores of a kernel outside its buffers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overwritten {
    /// The first byte overwritten.
    pub first: Location,
    /// The number of bytes overwritten.
    pub bytes: usize,
}

impl fmt::Display for Overwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "has written outside its buffers: {}", self.first)?;
        write!(f, "; {} bytes in all", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: IndexSpace = IndexSpace {
        dimensions: 2,
        offset: [0; 3],
        global: [1024, 3, 1],
        local: [32, 1, 1],
    };

    fn placed() -> (Placement, Vec<u8>) {
        let mut placement = Placement::new(&SPACE);
        assert_eq!(placement.add_buffer(0, 6, 1), Ok(256));
        assert_eq!(placement.add(RegionKind::Variables, None, 0, 1, 1024), Ok(9 * 1024));
        assert_eq!(placement.add_buffer(2, 64, 4), Ok(9 * 1024 + 8192));
        let mut memory = vec![0; placement.memory_bytes().unwrap() as usize];
        assert_eq!(memory.len(), 9 * 1024 + 8192 + 64 + 8192);
        placement.fill(&mut memory);
        (placement, memory)
    }

    #[test]
    fn buffers_are_not_guards() {
        let (placement, mut memory) = placed();
        assert_eq!(placement.overwritten(&memory), None);
        for region in placement.regions() {
            let bytes = &mut memory[region.address as usize..][..region.bytes as usize];
            assert!(bytes.iter().all(|&byte| byte == 0));
            bytes.fill(1);
        }
        assert_eq!(placement.overwritten(&memory), None);
        memory.extend([1, 2, 3]);
        assert!(placement.overwritten(&memory).is_some());
        placement.fill(&mut memory);
        assert_eq!(placement.overwritten(&memory), None);
    }

    #[test]
    fn every_byte_of_a_guard_is_checked() {
        let (placement, memory) = placed();
        let inside = |at: usize| {
            let mut regions = placement.regions().iter();
            regions.any(|region| (region.address as usize..end_of(region) as usize).contains(&at))
        };
        let mut changed = memory.clone();
        for at in (0..600)
            .chain(9_000..9_300)
            .chain(17_300..17_500)
            .chain(memory.len() - 5..memory.len())
        {
            changed[at] ^= 1;
            assert_eq!(placement.overwritten(&changed).is_none(), inside(at), "{at}");
            changed[at] ^= 1;
        }
    }

    #[test]
    fn copied_guards_are_detected() {
        let (placement, mut memory) = placed();
        memory.copy_within(300..400, 9_500);
        assert_eq!(placement.overwritten(&memory).map(|found| found.bytes > 90), Some(true));
    }

    #[test]
    fn messages_name_the_buffer() {
        let (mut placement, mut memory) = placed();
        let last = 9 * 1024 + 8192;
        for (address, text) in [
            (262, "byte 6 of argument 0, which has 6 bytes"),
            (9 * 1024 + 4, "byte 4 of the source's variables, which have 0 bytes"),
            (last - 8, "index -2 of argument 2, which has 16 elements"),
            (last + 64, "index 16 of argument 2, which has 16 elements"),
            (last + 65, "byte 65 of argument 2, which has 64 bytes"),
            (0, "byte -256 of argument 0, which has 6 bytes"),
        ] {
            assert_eq!(nearest(placement.regions(), address).to_string(), text);
        }
        memory[last as usize + 68..][..8].iter_mut().for_each(|byte| *byte ^= 1);
        let text = "has written outside its buffers: index 17 of argument 2, which has 16 elements; 8 bytes in all";
        assert_eq!(placement.overwritten(&memory).unwrap().to_string(), text);
        placement.add_null(5);
        assert_eq!(
            nearest(placement.regions(), 8).to_string(),
            "address 0x8, through argument 5, a null pointer"
        );
        let none = nearest(&[], 16);
        assert_eq!(none.to_string(), "address 0x10, to which no argument points");
    }

    #[test]
    fn guards_as_large_as_groups() {
        let guard = |global| Placement::new(&IndexSpace { global, ..SPACE }).guard;
        assert_eq!(guard([1, 1, 1]), 256);
        assert_eq!(guard([10, 2, 5]), 1600);
        assert_eq!(guard([u32::MAX; 3]), 8192);
    }

    #[test]
    fn regions_beyond_4_gib_are_errors() {
        let mut placement = Placement::new(&SPACE);
        placement.add_null(0);
        assert_eq!(placement.add_buffer(1, 1 << 31, 4), Ok(256));
        assert_eq!(placement.add_buffer(2, 1 << 31, 4), Err(TooLarge));
        let mut placement = Placement::new(&SPACE);
        assert_eq!(placement.add_buffer(1, 1 << 33, 4), Err(TooLarge));
    }
}
