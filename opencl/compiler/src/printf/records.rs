//! Conversion of the records in a launch's buffer to text.
//!
//! A record begins with a word that has the number of the call, from 1, in bits 15..0 and the thread's lane above. The
//! words of the arguments follow. The records of a warp are in the order in which they were reserved, so the records of
//! a thread are in the order of its calls.

use super::buffer::{self, PrintBuffer, HEADER_BYTES, LOST_AT, LOST_CALLS_AT, USED_AT};
use super::convert::argument;
use super::format::{Conversion, Format, Piece};
use super::Site;
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::Launch;
use std::collections::HashMap;
use std::fmt;

/// The lane's position in a record's first word.
pub(crate) const LANE_SHIFT: u32 = 16;
/// The maximum number of calls in a kernel: their numbers have 16 bits, and begin with 1.
pub(crate) const MOST_SITES: usize = 0xffff;
/// The maximum length of a string in bytes. A string in corrupted memory may not be terminated.
const LONGEST: usize = 1 << 20;

/// A function that reads bytes of global memory, by address and length; `None` if a byte is outside memory.
pub type Read<'a> = dyn FnMut(u32, u32) -> Option<Vec<u8>> + 'a;

/// The extent of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Blocks in x and y.
    pub grid: [u32; 2],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// The work-group of the first block.
    pub first_group: [u32; 3],
}

impl From<&Launch> for Extent {
    fn from(launch: &Launch) -> Self {
        Extent {
            grid: launch.grid,
            block: launch.block,
            first_group: launch.facts.work_items.map_or([0; 3], |items| items.first_group),
        }
    }
}

impl Extent {
    /// Returns the number of warps of the launch, which is the number of slices.
    fn warps(&self) -> u32 {
        let blocks = self.grid[0].saturating_mul(self.grid[1]);
        blocks.saturating_mul(buffer::warps(self.block))
    }
}

/// The `printf` calls of a kernel, with the buffer of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printing {
    /// The calls, by their numbers in records, from 1.
    pub sites: Vec<Site>,
    /// The buffer.
    pub buffer: PrintBuffer,
    /// The work-groups of the whole index space.
    pub groups: [u32; 3],
}

/// The output of the `printf` calls of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Printed {
    /// The text: by work-group, then by work-item, then by call.
    pub text: Vec<u8>,
    /// The calls whose text is missing.
    pub lost: Lost,
}

/// Calls whose text was lost because the buffer was full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lost {
    /// The number of calls.
    pub calls: u64,
    /// The bytes of their records.
    pub bytes: u64,
}

impl Lost {
    /// True if calls were lost.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.calls > 0
    }
}

/// The message, without the kernel's name.
impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lost { calls, bytes } = self;
        let calls = match calls {
            1 => "a call".to_string(),
            calls => format!("{calls} calls"),
        };
        let variable = buffer::VARIABLE;
        write!(
            f,
            "printf's buffer was full: the output of {calls}, {bytes} bytes of records, is lost; {variable} sets a \
             larger size, in bytes"
        )
    }
}

/// The text of a record.
#[derive(Clone, Debug)]
struct Record {
    /// Linear index of the work-group in the whole index space, then of the work-item in its group.
    order: (u64, u32),
    text: Vec<u8>,
}

/// Collects the output of the launches of a kernel.
#[derive(Clone, Debug)]
pub struct Printer {
    formats: Vec<Format>,
    buffer: PrintBuffer,
    groups: [u32; 3],
    records: Vec<Record>,
    lost: Lost,
    /// For a launch that is still running: the bytes of records seen, by warp.
    reached: HashMap<u32, u32>,
}

impl Printer {
    /// Creates a printer for a kernel's calls.
    ///
    /// # Errors
    /// A format is not valid in OpenCL C, because the binary is damaged.
    pub fn new(printing: &Printing) -> Result<Self, String> {
        Ok(Printer {
            formats: printing.sites.iter().map(Site::parsed).collect::<Result<_, _>>()?,
            buffer: printing.buffer,
            groups: printing.groups,
            records: Vec::new(),
            lost: Lost::default(),
            reached: HashMap::new(),
        })
    }

    /// Returns the byte addresses of the buffer's slices for a launch. They must be zero before the launch.
    #[must_use]
    pub fn range(&self, extent: &Extent) -> std::ops::Range<u32> {
        self.buffer.address..self.buffer.slice_of(extent.warps())
    }

    /// Collects the records of a launch that has ended.
    pub fn collect(&mut self, extent: &Extent, read: &mut Read) {
        let lost = self.lost(extent, read);
        self.lost.bytes += lost.bytes;
        self.lost.calls += lost.calls;
        for warp in 0..extent.warps() {
            let at = self.buffer.slice_of(warp);
            let Some(header) = read(at, HEADER_BYTES) else { return };
            let used = word_at(&header, USED_AT as usize).min(self.buffer.slice - HEADER_BYTES);
            if used > 0 {
                if let Some(bytes) = read(at + HEADER_BYTES, used) {
                    self.slice(extent, warp, &bytes, read);
                }
            }
        }
    }

    /// Returns the text of the records that a warp of a running launch has written since the last call. The warp is
    /// given by the linear index of its block and its index in the block. A record is returned only once, even if the
    /// debugger has stepped backwards since. The flag is false if a reserved record is still incomplete.
    pub fn newly(&mut self, extent: &Extent, (block, warp): (u32, u32), read: &mut Read) -> (Vec<u8>, bool) {
        let per_block = buffer::warps(extent.block);
        let index = block.saturating_mul(per_block).saturating_add(warp);
        if index >= extent.warps() || warp >= per_block {
            return (Vec::new(), true);
        }
        let at = self.buffer.slice_of(index);
        let header = read(at, HEADER_BYTES).unwrap_or_default();
        let used = word_at(&header, USED_AT as usize).min(self.buffer.slice - HEADER_BYTES);
        let from = self.reached.get(&index).copied().unwrap_or(0);
        if used <= from {
            return (Vec::new(), true);
        }
        let bytes = read(at + HEADER_BYTES + from, used - from).unwrap_or_default();
        let end = from + self.slice(extent, index, &bytes, read);
        self.reached.insert(index, end);
        let text = self.records.drain(..).flat_map(|record| record.text).collect();
        (text, end == used)
    }

    /// Forgets records that are not in the buffer now. The caller has changed the launch, so it may print others.
    pub fn forget_later(&mut self, read: &mut Read) {
        for (warp, bytes) in &mut self.reached {
            let header = read(self.buffer.slice_of(*warp), HEADER_BYTES).unwrap_or_default();
            *bytes = (*bytes).min(word_at(&header, USED_AT as usize));
        }
    }

    /// Returns the calls that a running launch has lost so far.
    pub fn lost(&self, extent: &Extent, read: &mut Read) -> Lost {
        let mut lost = Lost::default();
        for warp in 0..extent.warps() {
            let Some(header) = read(self.buffer.slice_of(warp), HEADER_BYTES) else {
                break;
            };
            lost.bytes += u64::from(word_at(&header, LOST_AT as usize));
            lost.calls += u64::from(word_at(&header, LOST_CALLS_AT as usize));
        }
        lost
    }

    /// Returns the text of all records so far, in order, and the lost calls.
    pub fn finish(mut self) -> Printed {
        // A stable sort: the records of one work-item stay in the order of its calls.
        self.records.sort_by_key(|record| record.order);
        Printed {
            text: self.records.into_iter().flat_map(|record| record.text).collect(),
            lost: self.lost,
        }
    }

    /// Adds the records in a part of a warp's slice, up to the first incomplete record. Returns the number of bytes
    /// read.
    fn slice(&mut self, extent: &Extent, warp: u32, bytes: &[u8], read: &mut Read) -> u32 {
        let per_block = buffer::warps(extent.block);
        let (block, in_block) = (warp / per_block, warp % per_block);
        let group = self.group(extent, block);
        let mut at = 0;
        while at + 4 <= bytes.len() {
            let head = word_at(bytes, at);
            let site = (head & 0xffff) as usize;
            let format = site.checked_sub(1).and_then(|site| self.formats.get(site));
            // The first word is zero until the thread has written the reserved record.
            let Some(format) = format else { break };
            let words: usize = super::format::conversions(format).map(Conversion::words).sum();
            let end = at + 4 * (words + 1);
            let Some(values) = bytes.get(at + 4..end) else { break };
            let values: Vec<u32> = (0..words).map(|word| word_at(values, 4 * word)).collect();
            let text = text(format, &values, read);
            self.records.push(Record {
                order: (group, in_block * WARP_THREADS + (head >> LANE_SHIFT)),
                text,
            });
            at = end;
        }
        at as u32
    }

    /// Returns the linear index of a launch's block in the index space.
    fn group(&self, extent: &Extent, block: u32) -> u64 {
        let first = extent.first_group;
        let width = extent.grid[0].max(1);
        let place = [first[0] + block % width, first[1] + block / width, first[2]].map(u64::from);
        let size = self.groups.map(u64::from);
        (place[2] * size[1] + place[1]) * size[0] + place[0]
    }
}

fn word_at(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u32::from_le_bytes)
}

/// Returns the text of a call with these words of arguments.
fn text(format: &Format, words: &[u32], read: &mut Read) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = words;
    for piece in format {
        match piece {
            Piece::Text(piece) => text.extend_from_slice(piece),
            Piece::Conversion(conversion) => {
                let (value, after) = rest.split_at(conversion.words().min(rest.len()));
                rest = after;
                text.extend(argument(conversion, value, &mut |address| string(address, read)));
            }
        }
    }
    text
}

/// Reads the string at an address, up to its terminating zero.
fn string(address: u32, read: &mut Read) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < LONGEST {
        let next = u32::try_from(text.len())
            .ok()
            .and_then(|length| address.checked_add(length));
        match next.and_then(|at| read(at, 1)).as_deref() {
            Some(&[byte]) if byte != 0 => text.push(byte),
            _ => break,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFER: PrintBuffer = PrintBuffer { address: 8, slice: 40 };

    fn printing(groups: [u32; 3]) -> Printing {
        let site = |format: &[u8]| Site {
            format: format.to_vec(),
            promoted: false,
        };
        Printing {
            sites: vec![site(b"%d "), site(b"<%s> ")],
            buffer: BUFFER,
            groups,
        }
    }

    /// A launch of blocks of 40 threads.
    fn launch(grid: [u32; 2], first_group: [u32; 3]) -> Extent {
        Extent {
            grid,
            block: [40, 1, 1],
            first_group,
        }
    }

    /// Memory with slices of these words, from address 8, and a string at address 0.
    fn memory(slices: &[&[u32]]) -> Vec<u8> {
        let mut memory = b"text\0\0\0\0".to_vec();
        for slice in slices {
            let mut words = slice.to_vec();
            words.resize(10, 0);
            memory.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        memory
    }

    fn read(memory: &[u8]) -> impl FnMut(u32, u32) -> Option<Vec<u8>> + '_ {
        |at, bytes| Some(memory.get(at as usize..at as usize + bytes as usize)?.to_vec())
    }

    #[test]
    fn records_are_sorted_by_group_and_work_item() {
        let mut printer = Printer::new(&printing([3, 1, 1])).expect("formats");
        let record = |lane: u32, value: u32| [lane << 16 | 1, value];
        let warp = |first: [u32; 2], second: [u32; 2]| [[16, 0, 0].as_slice(), &first, &second].concat();
        let first = memory(&[
            &warp(record(3, 103), record(1, 101)),
            &warp(record(0, 132), record(0, 133)),
            &warp(record(0, 200), record(31, 231)),
            &[],
        ]);
        // The groups of the second launch come before the groups of the first.
        printer.collect(&launch([2, 1], [1, 0, 0]), &mut read(&first));
        let second = memory(&[&[8, 0, 0, 7 << 16 | 1, u32::MAX], &[8, 12, 2, 2, 1]]);
        printer.collect(&launch([1, 1], [0; 3]), &mut read(&second));
        let printed = printer.finish();
        let text = String::from_utf8_lossy(&printed.text).into_owned();
        assert_eq!(text, "-1 <ext> 101 103 132 133 200 231 ");
        assert_eq!(printed.lost, Lost { calls: 2, bytes: 12 });
        assert!(printed
            .lost
            .to_string()
            .contains("the output of 2 calls, 12 bytes of records, is lost"));
    }

    #[test]
    fn a_running_kernel_prints_each_record_once() {
        let mut printer = Printer::new(&printing([1, 1, 1])).expect("formats");
        let launch = launch([1, 1], [0; 3]);
        let mut seen = |words: &[u32]| {
            let memory = memory(&[&[], words]);
            let (text, _) = printer.newly(&launch, (0, 1), &mut read(&memory));
            String::from_utf8_lossy(&text).into_owned()
        };
        assert_eq!(seen(&[]), "");
        // Reserved, but not written.
        assert_eq!(seen(&[16, 0, 0]), "");
        assert_eq!(seen(&[16, 0, 0, 1, 5]), "5 ");
        assert_eq!(seen(&[16, 0, 0, 1, 5]), "");
        assert_eq!(seen(&[]), "", "it has gone back");
        assert_eq!(seen(&[16, 0, 0, 1, 5, 2, 0]), "<(null)> ");
        let changed = memory(&[&[], &[8, 0, 0, 1, 5]]);
        printer.forget_later(&mut read(&changed));
        let again = memory(&[&[], &[16, 0, 0, 1, 5, 1, 6]]);
        let (text, is_complete) = printer.newly(&launch, (0, 1), &mut read(&again));
        assert_eq!((text.as_slice(), is_complete), (&b"6 "[..], true));
    }

    #[test]
    fn damaged_memory_does_no_harm() {
        let mut printer = Printer::new(&printing([1, 1, 1])).expect("formats");
        let launch = launch([1, 1], [0; 3]);
        for words in [
            vec![u32::MAX, 0, 0, 1, 2, 9],
            vec![28, 0, 0, 0xffff_ffff],
            vec![28, 0, 0, 2, u32::MAX, 2, 7, 0, 2],
        ] {
            printer.collect(&launch, &mut read(&memory(&[&words, &words])));
        }
        printer.collect(&launch, &mut |_, _| None);
        assert_eq!(printer.newly(&launch, (7, 9), &mut |_, _| None), (Vec::new(), true));
        assert_eq!(printer.finish().text, b"2 <> <> 2 <> <> ");
    }
}
