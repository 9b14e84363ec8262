//! Launches: [`Launch`] and [`Configuration`], and the reasons for refusing them.
//!
//! Every engine takes the same launch. It is checked once, here, so every engine only gets blocks that fit.

use crate::region::LaunchFacts;
use crate::sizes::{
    Lanes, BLOCKS_PER_SM, CONSTANT_BANKS, CONSTANT_BANK_BYTES, GLOBAL_BYTES, MAX_BLOCK_THREADS, MAX_GRID,
    MAX_LOCAL_BYTES, MAX_PARAMETERS, MAX_PROGRAM_WORDS, MAX_REGISTERS, PARAMETERS_AT, REGISTERS_PER_SM,
    SHARED_BYTES_PER_SM, SHARED_GRANULE, WARPS_PER_SM, WARP_THREADS,
};
use flexgrip_isa::{Capability, Marker, Operation};
use thiserror::Error;

/// A machine's compute capability and sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The compute capability: the instructions that the machine has. At every capability the sizes below are
    /// the sizes of chips of capability 1.2 and 1.3; see [`crate::sizes`].
    pub capability: Capability,
    /// Scalar processors of a streaming multiprocessor.
    pub lanes: Lanes,
    /// Number of streaming multiprocessors.
    pub sms: u32,
    /// Warps that an SM holds at a time.
    pub warps_per_sm: u32,
    /// 32-bit registers of an SM, for all of its threads.
    pub registers_per_sm: u32,
    /// Blocks that an SM holds at a time.
    pub blocks_per_sm: u32,
    /// Shared memory of an SM in bytes.
    pub shared_bytes_per_sm: u32,
    /// Global memory in bytes.
    pub global_bytes: u32,
}

impl Default for Configuration {
    fn default() -> Self {
        Configuration {
            capability: Capability::default(),
            lanes: Lanes::default(),
            sms: 1,
            warps_per_sm: WARPS_PER_SM,
            registers_per_sm: REGISTERS_PER_SM,
            blocks_per_sm: BLOCKS_PER_SM,
            shared_bytes_per_sm: SHARED_BYTES_PER_SM,
            global_bytes: GLOBAL_BYTES,
        }
    }
}

/// The memory that initial contents are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageSpace {
    /// Global memory.
    Global,
    /// A bank of the constant memory, 0 to 15.
    Constant {
        /// The bank's number.
        bank: u32,
    },
}

/// Initial contents of a piece of memory; the rest is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryImage {
    /// The memory that the contents are for.
    pub space: ImageSpace,
    /// Byte address of the first word, a multiple of 4.
    pub address: u32,
    /// The words, from `address` on.
    pub words: Vec<u32>,
}

/// One kernel launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The kernel's name, for reports.
    pub name: String,
    /// The compute capability that the program is for: a machine of an earlier one refuses it.
    pub capability: Capability,
    /// The program from byte address 0, as 32-bit words.
    pub program: Vec<u32>,
    /// Long instructions may begin at any multiple of 4, as on FlexGripPlus; otherwise, as on the G80, one off an
    /// 8-byte boundary is an error.
    pub unaligned_code: bool,
    /// Byte address of the first instruction, a multiple of 4.
    pub entry: u32,
    /// Registers of each thread, 1 to 128.
    pub registers: u32,
    /// Shared memory that the kernel requests in bytes, header and parameters included.
    pub shared_bytes: u32,
    /// Local memory of each thread in bytes.
    pub local_bytes: u32,
    /// Blocks in x and y.
    pub grid: [u32; 2],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// The kernel's parameters, from shared byte 16 up.
    pub params: Vec<u32>,
    /// Initial memory contents, written in order.
    pub memory: Vec<MemoryImage>,
    /// Further facts for messages, without an effect on the machine.
    pub facts: LaunchFacts,
}

impl Default for Launch {
    /// One block of one thread without a program: a template to fill in, which [`Launch::check`] does not accept.
    fn default() -> Self {
        Launch {
            name: String::new(),
            capability: Capability::default(),
            program: Vec::new(),
            unaligned_code: false,
            entry: 0,
            registers: MAX_REGISTERS,
            shared_bytes: 0,
            local_bytes: 0,
            grid: [1, 1],
            block: [1, 1, 1],
            params: Vec::new(),
            memory: Vec::new(),
            facts: LaunchFacts::default(),
        }
    }
}

/// The reason why a launch was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LaunchError {
    /// The machine cannot have this size.
    #[error("configuration: {name} is {value}; expected {reason}")]
    Configuration {
        /// The field's name.
        name: &'static str,
        /// The field's value.
        value: u32,
        /// The accepted values.
        reason: &'static str,
    },
    /// The program is for a later compute capability.
    #[error("the program is for compute capability {needed}; the machine has {available} (--capability {needed})")]
    Capability {
        /// The capability that the launch requires.
        needed: Capability,
        /// The capability of the machine.
        available: Capability,
    },
    /// There is no program.
    #[error("the program is empty")]
    NoProgram,
    /// The program is too long.
    #[error("the program has {words} words; expected at most {MAX_PROGRAM_WORDS}")]
    ProgramTooLong {
        /// The program's length in 32-bit words.
        words: usize,
    },
    /// The entry is not an address in the program.
    #[error("the entry is {entry:#x}; expected a multiple of 4 inside the program of {bytes} bytes")]
    Entry {
        /// The entry's byte address.
        entry: u32,
        /// The program's length in bytes.
        bytes: usize,
    },
    /// The number of registers of a thread is not possible.
    #[error("{registers} registers per thread; expected 1 to {MAX_REGISTERS}")]
    Registers {
        /// The requested number of registers.
        registers: u32,
    },
    /// The grid's size is not possible.
    #[error("a grid of {}x{} blocks; expected 1 to {MAX_GRID} in each dimension", grid[0], grid[1])]
    Grid {
        /// Blocks in x and y.
        grid: [u32; 2],
    },
    /// The block's size is not possible.
    #[error(
        "a block of {}x{}x{} threads; expected 1 to {MAX_BLOCK_THREADS} in all, and at most 65535, 1024 and 64 in x, y \
         and z (R0 packs the thread's index into 16, 10 and 6 bits)",
        block[0], block[1], block[2]
    )]
    Block {
        /// Threads in x, y and z.
        block: [u32; 3],
    },
    /// A block has more warps than an SM holds.
    #[error("a block needs {needed} warps; an SM holds {available}")]
    Warps {
        /// Warps of a block.
        needed: u32,
        /// Warps of an SM.
        available: u32,
    },
    /// A block needs more registers than an SM has.
    #[error("a block needs {needed} registers (its warps times 32 threads times registers); an SM has {available}")]
    RegisterFile {
        /// Registers of a block.
        needed: u64,
        /// Registers of an SM.
        available: u32,
    },
    /// Too many parameters.
    #[error("{count} parameter words; expected at most {MAX_PARAMETERS}")]
    Parameters {
        /// The number of parameters.
        count: usize,
    },
    /// A block needs more shared memory than an SM has.
    #[error("a block needs {needed} bytes of shared memory; an SM has {available}")]
    Shared {
        /// Bytes of a block, rounded up.
        needed: u64,
        /// Bytes of an SM.
        available: u32,
    },
    /// More local memory than 16 address bits reach.
    #[error("{bytes} bytes of local memory per thread; expected at most {MAX_LOCAL_BYTES}")]
    Local {
        /// Bytes of a thread.
        bytes: u32,
    },
    /// Initial contents do not fit into their memory.
    #[error("initial contents for {space:?} at {address:#x}, {words} words: {reason}")]
    Image {
        /// The memory.
        space: ImageSpace,
        /// Byte address of the first word.
        address: u32,
        /// Number of words.
        words: usize,
        /// The reason, for the message.
        reason: &'static str,
    },
}

impl Configuration {
    /// Checks that a machine can have these sizes.
    ///
    /// # Errors
    /// [`LaunchError::Configuration`] for the first impossible field.
    pub fn check(&self) -> Result<(), LaunchError> {
        let refuse = |name, value, reason| Err(LaunchError::Configuration { name, value, reason });
        for (name, value, most) in [
            ("sms", self.sms, 256),
            ("warps_per_sm", self.warps_per_sm, 64),
            ("blocks_per_sm", self.blocks_per_sm, 64),
        ] {
            if value == 0 || value > most {
                return refuse(name, value, "at least 1, and at most 256 SMs, 64 warps and 64 blocks");
            }
        }
        if self.global_bytes == 0 || self.global_bytes % 64 != 0 {
            return refuse("global_bytes", self.global_bytes, "a multiple of 64 above 0");
        }
        if self.shared_bytes_per_sm == 0
            || self.shared_bytes_per_sm % SHARED_GRANULE != 0
            || self.shared_bytes_per_sm > 65_536
        {
            return refuse(
                "shared_bytes_per_sm",
                self.shared_bytes_per_sm,
                "a multiple of 64 above 0 and up to 65536",
            );
        }
        Ok(())
    }
}

impl Launch {
    /// Threads of a block. Saturates if the block is too large to be accepted anyway.
    pub fn block_threads(&self) -> u32 {
        self.block.iter().fold(1u32, |threads, &n| threads.saturating_mul(n))
    }

    /// Warps of a block.
    pub fn block_warps(&self) -> u32 {
        self.block_threads().div_ceil(WARP_THREADS)
    }

    /// Blocks of the grid. Saturates if the grid is too large to be accepted anyway.
    pub fn blocks(&self) -> u32 {
        self.grid[0].saturating_mul(self.grid[1])
    }

    /// Shared memory of a block in bytes: the kernel's request, the header and the parameters, rounded up to a multiple
    /// of [`SHARED_GRANULE`].
    pub fn block_shared_bytes(&self) -> u64 {
        let parameters = u64::from(PARAMETERS_AT) + 4 * self.params.len() as u64;
        u64::from(self.shared_bytes)
            .max(parameters)
            .next_multiple_of(u64::from(SHARED_GRANULE))
    }

    /// True if a complete long instruction lies at `pc` off its 8-byte boundary and this launch forbids it. A warp that
    /// reaches it ends with [`ErrorKind::ProgramCounter`](crate::ErrorKind::ProgramCounter) for that reason alone.
    pub fn off_boundary(&self, pc: u32) -> bool {
        let at = pc as usize / 4;
        let long = self.program.get(at).is_some_and(|low| low & 1 == 1);
        pc % 8 == 4 && long && at + 1 < self.program.len() && !self.unaligned_code
    }

    /// Byte address of the first long instruction off its boundary that every warp reaches unless another error stops
    /// it: the search runs straight from the entry to the first branch, call, return or end of threads. `None` if it
    /// finds none before that; a later one may exist.
    pub fn first_off_boundary(&self) -> Option<u32> {
        let mut pc = self.entry;
        loop {
            if self.off_boundary(pc) {
                return Some(pc);
            }
            let at = pc as usize / 4;
            let low = u64::from(*self.program.get(at)?);
            let high = self.program.get(at + 1).map_or(0, |&high| u64::from(high));
            let instruction = flexgrip_isa::decode_at(high << 32 | low, self.capability).ok()?;
            if instruction.marker() == Marker::Exit || !instruction.executed() {
                return None;
            }
            match instruction.operation() {
                Operation::Bra { .. }
                | Operation::Cal { .. }
                | Operation::Ret
                | Operation::Brk
                | Operation::Kil
                | Operation::Trap
                | Operation::Bpt => return None,
                _ => pc += instruction.size(),
            }
        }
    }

    /// Checks this launch against a machine.
    ///
    /// # Errors
    /// The first [`LaunchError`] found; the message lists the possible values.
    pub fn check(&self, configuration: &Configuration) -> Result<(), LaunchError> {
        configuration.check()?;
        if self.capability > configuration.capability {
            return Err(LaunchError::Capability {
                needed: self.capability,
                available: configuration.capability,
            });
        }
        if self.program.is_empty() {
            return Err(LaunchError::NoProgram);
        }
        if self.program.len() > MAX_PROGRAM_WORDS {
            return Err(LaunchError::ProgramTooLong {
                words: self.program.len(),
            });
        }
        if self.entry % 4 != 0 || self.entry as usize / 4 >= self.program.len() {
            return Err(LaunchError::Entry {
                entry: self.entry,
                bytes: self.program.len() * 4,
            });
        }
        if !(1..=MAX_REGISTERS).contains(&self.registers) {
            return Err(LaunchError::Registers {
                registers: self.registers,
            });
        }
        if self.grid.iter().any(|n| !(1..=MAX_GRID).contains(n)) {
            return Err(LaunchError::Grid { grid: self.grid });
        }
        let [x, y, z] = self.block;
        if !(1..=MAX_BLOCK_THREADS).contains(&self.block_threads()) || x > 65_535 || y > 1024 || z > 64 {
            return Err(LaunchError::Block { block: self.block });
        }
        let warps = self.block_warps();
        if warps > configuration.warps_per_sm {
            return Err(LaunchError::Warps {
                needed: warps,
                available: configuration.warps_per_sm,
            });
        }
        let registers = u64::from(warps) * u64::from(WARP_THREADS) * u64::from(self.registers);
        if registers > u64::from(configuration.registers_per_sm) {
            return Err(LaunchError::RegisterFile {
                needed: registers,
                available: configuration.registers_per_sm,
            });
        }
        if self.params.len() > MAX_PARAMETERS {
            return Err(LaunchError::Parameters {
                count: self.params.len(),
            });
        }
        let shared = self.block_shared_bytes();
        if shared > u64::from(configuration.shared_bytes_per_sm) {
            return Err(LaunchError::Shared {
                needed: shared,
                available: configuration.shared_bytes_per_sm,
            });
        }
        if self.local_bytes > MAX_LOCAL_BYTES {
            return Err(LaunchError::Local {
                bytes: self.local_bytes,
            });
        }
        self.memory.iter().try_for_each(|image| image.check(configuration))
    }
}

impl MemoryImage {
    fn check(&self, configuration: &Configuration) -> Result<(), LaunchError> {
        let refuse = |reason| {
            Err(LaunchError::Image {
                space: self.space,
                address: self.address,
                words: self.words.len(),
                reason,
            })
        };
        let size = match self.space {
            ImageSpace::Global => configuration.global_bytes,
            ImageSpace::Constant { bank } if (bank as usize) < CONSTANT_BANKS => CONSTANT_BANK_BYTES,
            ImageSpace::Constant { .. } => return refuse("there is no such bank"),
        };
        if self.address % 4 != 0 {
            return refuse("the address is not a multiple of 4");
        }
        if u64::from(self.address) + 4 * self.words.len() as u64 > u64::from(size) {
            return refuse("the words do not fit in the memory");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch() -> Launch {
        Launch {
            program: vec![0x3000_0003, 0x0000_0780],
            registers: 16,
            ..Launch::default()
        }
    }

    #[track_caller]
    fn refused(change: impl FnOnce(&mut Launch, &mut Configuration)) -> LaunchError {
        let (mut launch, mut configuration) = (launch(), Configuration::default());
        change(&mut launch, &mut configuration);
        launch.check(&configuration).expect_err("refused")
    }

    #[test]
    fn accepts_what_fits() {
        assert_eq!(launch().check(&Configuration::default()), Ok(()));
        let full = Launch {
            block: [16, 16, 4],
            registers: 16,
            grid: [65_535, 65_535],
            ..launch()
        };
        assert_eq!(full.check(&Configuration::default()), Ok(()));
        assert_eq!(full.block_warps(), 32);
        let later = Configuration {
            capability: Capability::V1_3,
            ..Configuration::default()
        };
        assert_eq!(launch().check(&later), Ok(()));
        assert_eq!(full.blocks(), 65_535 * 65_535);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        use LaunchError as E;
        assert_eq!(refused(|l, _| l.program.clear()), E::NoProgram);
        let error = refused(|l, c| (l.capability, c.capability) = (Capability::V1_3, Capability::V1_1));
        assert_eq!(
            error.to_string(),
            "the program is for compute capability 1.3; the machine has 1.1 (--capability 1.3)"
        );
        assert_eq!(
            refused(|l, _| l.program = vec![0; 65_537]),
            E::ProgramTooLong { words: 65_537 }
        );
        assert_eq!(refused(|l, _| l.entry = 8), E::Entry { entry: 8, bytes: 8 });
        assert_eq!(refused(|l, _| l.entry = 2), E::Entry { entry: 2, bytes: 8 });
        for registers in [0, 129] {
            assert_eq!(refused(|l, _| l.registers = registers), E::Registers { registers });
        }
        for grid in [[0, 1], [1, 65_536]] {
            assert_eq!(refused(|l, _| l.grid = grid), E::Grid { grid });
        }
        for block in [
            [0, 1, 1],
            [1025, 1, 1],
            [1, 1, 65],
            [u32::MAX, u32::MAX, 2],
            [32, 33, 1],
        ] {
            assert_eq!(refused(|l, _| l.block = block), E::Block { block });
        }
        assert_eq!(
            refused(|l, c| (l.block, c.warps_per_sm) = ([33, 1, 1], 1)),
            E::Warps {
                needed: 2,
                available: 1
            }
        );
        assert_eq!(
            refused(|l, _| (l.block, l.registers) = ([993, 1, 1], 17)),
            E::RegisterFile {
                needed: 17_408,
                available: 16_384
            }
        );
        assert_eq!(refused(|l, _| l.params = vec![0; 65]), E::Parameters { count: 65 });
        assert_eq!(
            refused(|l, _| l.shared_bytes = 16_385),
            E::Shared {
                needed: 16_448,
                available: 16_384
            }
        );
        assert!(matches!(
            refused(|_, c| c.sms = 0),
            E::Configuration { name: "sms", .. }
        ));
        assert!(matches!(
            refused(|_, c| c.global_bytes = 3),
            E::Configuration {
                name: "global_bytes",
                ..
            }
        ));
        for (space, address) in [
            (ImageSpace::Global, 1 << 20),
            (ImageSpace::Global, 2),
            (ImageSpace::Constant { bank: 16 }, 0),
            (ImageSpace::Constant { bank: 0 }, 4096),
        ] {
            let error = refused(|l, _| {
                l.memory.push(MemoryImage {
                    space,
                    address,
                    words: vec![1],
                })
            });
            assert!(matches!(error, E::Image { .. }), "{error}");
        }
    }

    #[test]
    fn misaligned_long_instructions_are_found() {
        let (short, nop, ret) = (0x1000_8000, [0xf000_0001, 0xe000_0001], [0x3000_0003, 0x0000_0780]);
        let of = |program: Vec<u32>| Launch { program, ..launch() };
        let mut bad = of([&[short][..], &nop, &nop, &ret].concat());
        let off: Vec<u32> = (0..40).filter(|&pc| bad.off_boundary(pc)).collect();
        assert_eq!(off, [4, 12, 20]);
        assert_eq!(bad.first_off_boundary(), Some(4));
        bad.unaligned_code = true;
        assert!((0..40).all(|pc| !bad.off_boundary(pc)));
        assert_eq!(bad.first_off_boundary(), None);
        // The high half is missing: a boundary makes no difference.
        bad.unaligned_code = false;
        bad.program.pop();
        assert!(bad.off_boundary(12) && !bad.off_boundary(20));
        // The instruction is also found after a branch, a return or an end, and in unreachable code.
        for word in [0x1000_0003, ret[0]] {
            let launch = of([&[short, short, word, 0x780, short][..], &nop, &ret].concat());
            assert!(launch.off_boundary(20));
            assert_eq!(launch.first_off_boundary(), None);
        }
        assert_eq!(of(ret.to_vec()).first_off_boundary(), None);
        assert_eq!(of(nop.to_vec()).first_off_boundary(), None);
        // The search starts at the entry.
        let mut behind = of([&ret[..], &[short], &nop, &ret].concat());
        assert_eq!(behind.first_off_boundary(), None);
        behind.entry = 8;
        assert_eq!(behind.first_off_boundary(), Some(12));
    }

    #[test]
    fn shared_memory_holds_header_and_parameters() {
        assert_eq!(launch().block_shared_bytes(), 64);
        assert_eq!(
            Launch {
                params: vec![0; 12],
                ..launch()
            }
            .block_shared_bytes(),
            64
        );
        assert_eq!(
            Launch {
                params: vec![0; 13],
                ..launch()
            }
            .block_shared_bytes(),
            128
        );
        assert_eq!(
            Launch {
                shared_bytes: 65,
                ..launch()
            }
            .block_shared_bytes(),
            128
        );
    }
}
