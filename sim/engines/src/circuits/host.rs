//! The words that a host writes over the host bus to launch a kernel, before it starts the grid.
//!
//! The native test bench and the C++ harness make exactly these writes in this order, so both see the same cycles.
//! Zeros are not written, because simulated memories start as zeros.

use crate::engine::{Coalescing, Options};
use crate::files::expectation::initial_global;
use flexgrip_machine::host_map as map;
use flexgrip_machine::sizes::{CONSTANT_BANKS, CONSTANT_BANK_BYTES, WARP_THREADS};
use flexgrip_machine::{Configuration, ErrorKind, ImageSpace, KernelError, Launch};
use std::borrow::Cow;

/// A write of one word over the host bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusWrite {
    /// Byte address in the host's map.
    pub address: u32,
    /// The word.
    pub data: u32,
}

/// The number of blocks of a checked launch that are resident on an SM, limited by its warps, registers and shared
/// memory.
pub fn blocks_per_sm(launch: &Launch, configuration: &Configuration) -> u32 {
    let warps = launch.block_warps().max(1);
    let registers = (warps * 32 * launch.registers).max(1);
    let shared = u32::try_from(launch.block_shared_bytes()).unwrap_or(u32::MAX).max(1);
    (configuration.warps_per_sm / warps)
        .min(configuration.registers_per_sm / registers)
        .min(configuration.shared_bytes_per_sm / shared)
        .clamp(1, configuration.blocks_per_sm)
}

/// The location of the threads' local memories in external memory, after global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalLayout {
    /// Address of the first byte.
    pub base: u64,
    /// log2 of the bytes per warp.
    pub shift: u32,
    /// Address after the last byte: the size of external memory.
    pub end: u64,
}

/// The layout for a checked launch: each thread gets a power of two of at least 16 bytes, for all warp slots of all
/// SMs. Without local memory, external memory is global memory alone.
pub fn local_layout(launch: &Launch, configuration: &Configuration) -> LocalLayout {
    let global = u64::from(configuration.global_bytes);
    let shift = launch.local_bytes.max(16).next_power_of_two().trailing_zeros() + WARP_THREADS.trailing_zeros();
    let base = global.next_multiple_of(1 << shift);
    let end = match launch.local_bytes {
        0 => global,
        _ => base + (u64::from(configuration.sms * configuration.warps_per_sm) << shift),
    };
    LocalLayout { base, shift, end }
}

/// The writes that load a checked launch, and the memory that the options carry over, into the machine, without the
/// start itself.
pub fn launch_writes(launch: &Launch, options: &Options) -> Vec<BusWrite> {
    let configuration = &options.configuration;
    let mut writes = Vec::new();
    let mut write = |address: u32, data: u32| writes.push(BusWrite { address, data });
    for (index, &word) in launch.program.iter().enumerate() {
        write(map::INSTRUCTION_BASE + index as u32 * 4, word);
    }
    // Later images overwrite earlier ones, so the banks are merged before they are written.
    let mut constant = vec![0; CONSTANT_BANKS * CONSTANT_BANK_BYTES as usize / 4];
    for image in &launch.memory {
        if let ImageSpace::Constant { bank } = image.space {
            let start = (bank * CONSTANT_BANK_BYTES + image.address) as usize / 4;
            for (place, word) in constant.iter_mut().skip(start).zip(&image.words) {
                *place = *word;
            }
        }
    }
    let images = launch.memory.iter().filter(|image| image.space == ImageSpace::Global);
    let ends = images.map(|image| image.address as usize / 4 + image.words.len());
    let global = match &options.memory {
        Some(memory) => Cow::from(memory),
        None => initial_global(launch, ends.max().unwrap_or(0)).into(),
    };
    for (base, words) in [(map::CONSTANT_BASE, constant.into()), (map::GLOBAL_BASE, global)] {
        for (index, &word) in words.iter().enumerate().filter(|(_, &word)| word != 0) {
            write(base + index as u32 * 4, word);
        }
    }
    for (index, &word) in launch.params.iter().enumerate() {
        write(map::PARAMETER_BASE + index as u32 * 4, word);
    }
    let [block_x, block_y, block_z] = launch.block;
    let local = local_layout(launch, configuration);
    for (register, value) in [
        (map::ENTRY, launch.entry),
        (map::CODE_END, launch.program.len() as u32 * 4),
        (map::REGISTER_COUNT, launch.registers),
        (map::SHARED_ROWS, (launch.block_shared_bytes() / 64) as u32),
        (map::PARAMETER_COUNT, launch.params.len() as u32),
        (map::GRID_X, launch.grid[0]),
        (map::GRID_Y, launch.grid[1]),
        (map::BLOCK_X, block_x),
        (map::BLOCK_Y, block_y),
        (map::BLOCK_Z, block_z),
        (map::BLOCK_THREADS, launch.block_threads()),
        (map::BLOCKS_PER_SM, blocks_per_sm(launch, configuration)),
        (map::GLOBAL_END, configuration.global_bytes),
        (map::LOCAL_BASE, local.base as u32),
        (map::LOCAL_SHIFT, local.shift),
        (map::LOCAL_BYTES, launch.local_bytes),
        (map::UNALIGNED_CODE, u32::from(launch.unaligned_code)),
        (map::COALESCING, u32::from(options.coalescing == Coalescing::G80)),
    ] {
        write(register, value);
    }
    writes
}

/// The status and error registers after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostStatus {
    /// The STATUS register.
    pub status: u32,
    /// The CYCLES register, both words.
    pub cycles: u64,
    /// The ERROR_CODE register.
    pub error_code: u32,
    /// The ERROR_PC register.
    pub error_pc: u32,
    /// The ERROR_SM register.
    pub error_sm: u32,
    /// The ERROR_WARP register.
    pub error_warp: u32,
    /// The ERROR_BLOCK register.
    pub error_block: u32,
    /// The ERROR_ADDRESS register.
    pub error_address: u32,
}

impl HostStatus {
    /// The registers in the order in which a host reads them after a run, as [`HostStatus::from_words`] expects them.
    pub const REGISTERS: [u32; 9] = [
        map::STATUS,
        map::CYCLES,
        map::CYCLES_HIGH,
        map::ERROR_CODE,
        map::ERROR_PC,
        map::ERROR_SM,
        map::ERROR_WARP,
        map::ERROR_BLOCK,
        map::ERROR_ADDRESS,
    ];

    /// The status from the words of [`HostStatus::REGISTERS`].
    pub fn from_words(words: [u32; 9]) -> Self {
        let [status, cycles, cycles_high, code, pc, sm, warp, block, address] = words;
        HostStatus {
            status,
            cycles: u64::from(cycles_high) << 32 | u64::from(cycles),
            error_code: code,
            error_pc: pc,
            error_sm: sm,
            error_warp: warp,
            error_block: block,
            error_address: address,
        }
    }

    /// The error that stopped the grid, if any.
    ///
    /// # Errors
    /// The machine was stopped by an error with an unknown code.
    pub fn kernel_error(&self, launch: &Launch) -> Result<Option<KernelError>, String> {
        if self.status & map::STATUS_ERROR == 0 {
            return Ok(None);
        }
        let kind = u8::try_from(self.error_code).ok().and_then(ErrorKind::from_code);
        let kind = kind.ok_or_else(|| format!("the grid stopped with the unknown error code {}", self.error_code))?;
        Ok(Some(KernelError {
            kind,
            capability: launch.capability,
            sm: self.error_sm,
            block: self.error_block,
            warp_in_block: self.error_warp & 31,
            pc: self.error_pc,
            word: if kind == ErrorKind::ProgramCounter {
                0
            } else {
                word_at(launch, self.error_pc)
            },
            address: kind.has_address().then_some(self.error_address),
        }))
    }
}

/// The place of the last issued instruction, for the report of an endless kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IssuePlace {
    /// The SM.
    pub sm: u32,
    /// Linear index of the block.
    pub block: u32,
    /// The warp's index in the block.
    pub warp_in_block: u32,
    /// Byte address of the instruction.
    pub pc: u32,
}

/// The error of a kernel that did not end, located at the last instruction issued.
pub fn endless(launch: &Launch, limit: u64, last_issue: Option<IssuePlace>) -> KernelError {
    ended(ErrorKind::Endless { limit }, launch, last_issue)
}

/// The error of a run that was stopped, located at the last instruction issued.
pub fn interrupted(launch: &Launch, last_issue: Option<IssuePlace>) -> KernelError {
    ended(ErrorKind::Interrupted, launch, last_issue)
}

fn ended(kind: ErrorKind, launch: &Launch, last_issue: Option<IssuePlace>) -> KernelError {
    // No instruction was issued; this is the address of the first one.
    let place = last_issue.unwrap_or(IssuePlace {
        pc: launch.entry,
        ..IssuePlace::default()
    });
    KernelError {
        kind,
        capability: launch.capability,
        sm: place.sm,
        block: place.block,
        warp_in_block: place.warp_in_block,
        pc: place.pc,
        word: word_at(launch, place.pc),
        address: None,
    }
}

/// The instruction word at a byte address; 0 if there is none.
pub fn word_at(launch: &Launch, pc: u32) -> u64 {
    let word = |index: usize| launch.program.get(index).copied().map_or(0, u64::from);
    let index = pc as usize / 4;
    match word(index) {
        low if low & 1 == 1 => word(index + 1) << 32 | low,
        low => low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_machine::MemoryImage;

    fn launch() -> Launch {
        let image = |space, address, words: &[u32]| MemoryImage {
            space,
            address,
            words: words.to_vec(),
        };
        Launch {
            program: vec![0x3000_0003, 0x0000_0780],
            registers: 16,
            block: [64, 2, 1],
            params: vec![0, 7],
            shared_bytes: 100,
            unaligned_code: true,
            memory: vec![
                image(ImageSpace::Constant { bank: 1 }, 4, &[5, 0]),
                image(ImageSpace::Global, 8, &[1, 2]),
                image(ImageSpace::Global, 12, &[0, 3]),
            ],
            ..Launch::default()
        }
    }

    #[test]
    fn the_writes_of_a_launch() {
        let options = Options {
            coalescing: Coalescing::G80,
            ..Options::default()
        };
        let writes = launch_writes(&launch(), &options);
        assert_eq!(
            writes.last().map(|write| (write.address, write.data)),
            Some((map::COALESCING, 1))
        );
        let at = |address| {
            writes
                .iter()
                .find(|write| write.address == address)
                .map(|write| write.data)
        };
        assert_eq!(at(map::INSTRUCTION_BASE + 4), Some(0x780));
        assert_eq!(at(map::UNALIGNED_CODE), Some(1));
        assert_eq!(
            (at(map::CONSTANT_BASE + 4096), at(map::CONSTANT_BASE + 4100)),
            (None, Some(5))
        );
        assert_eq!(at(map::GLOBAL_BASE + 8), Some(1));
        // The later image's 0 replaces the 2, and needs no write.
        assert_eq!((at(map::GLOBAL_BASE + 12), at(map::GLOBAL_BASE + 16)), (None, Some(3)));
        assert_eq!(
            (at(map::PARAMETER_BASE), at(map::PARAMETER_BASE + 4)),
            (Some(0), Some(7))
        );
        assert_eq!(
            (at(map::BLOCK_THREADS), at(map::SHARED_ROWS), at(map::CODE_END)),
            (Some(128), Some(2), Some(8))
        );
        assert_eq!(at(map::BLOCKS_PER_SM), Some(8));
        for write in writes.iter().filter(|write| write.address < map::PARAMETER_BASE) {
            let register = map::REGISTERS.iter().find(|register| register.address == write.address);
            assert!(register.is_some_and(|register| register.writable()), "{write:x?}");
        }
    }

    #[test]
    fn an_sm_holds_what_fits() {
        let configuration = Configuration::default();
        let blocks = |launch: Launch| blocks_per_sm(&launch, &configuration);
        assert_eq!(
            blocks(Launch {
                registers: 128,
                ..launch()
            }),
            1
        );
        assert_eq!(
            blocks(Launch {
                registers: 32,
                ..launch()
            }),
            4
        );
        assert_eq!(
            blocks(Launch {
                shared_bytes: 8192,
                ..launch()
            }),
            2
        );
        assert_eq!(
            blocks(Launch {
                block: [1024, 1, 1],
                ..launch()
            }),
            1
        );
    }

    #[test]
    fn error_registers_become_the_common_error() {
        let status = HostStatus {
            status: 6,
            error_code: 6,
            error_warp: 0x0502,
            error_address: 64,
            ..Default::default()
        };
        let error = status.kernel_error(&launch()).unwrap().unwrap();
        assert_eq!(
            (error.kind, error.warp_in_block, error.address),
            (ErrorKind::GlobalRange, 2, Some(64))
        );
        assert_eq!(error.word, 0x0000_0780_3000_0003);
        assert_eq!(HostStatus { status: 2, ..status }.kernel_error(&launch()), Ok(None));
        assert!(HostStatus {
            error_code: 99,
            ..status
        }
        .kernel_error(&launch())
        .is_err());
    }
}
