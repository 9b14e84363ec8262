//! How large a machine and its parts are.

/// Threads of a warp.
pub const WARP_THREADS: u32 = 32;
/// Most threads of a block.
pub const MAX_BLOCK_THREADS: u32 = 1024;
/// Most registers of a thread.
pub const MAX_REGISTERS: u32 = 128;
/// Most parameter words of a kernel.
pub const MAX_PARAMETERS: usize = 64;
/// Most 32-bit words of a program.
pub const MAX_PROGRAM_WORDS: usize = 64 * 1024;
/// Largest grid dimension.
pub const MAX_GRID: u32 = 65_535;
/// Most local memory of a thread in bytes.
pub const MAX_LOCAL_BYTES: u32 = 65_536;
/// Shared memory is given to blocks in multiples of this many bytes.
pub const SHARED_GRANULE: u32 = 64;

/// Default size of the global memory in bytes.
pub const GLOBAL_BYTES: u32 = 1 << 20;
/// Number of constant banks.
pub const CONSTANT_BANKS: usize = 16;
/// Size of one constant bank in bytes.
pub const CONSTANT_BANK_BYTES: u32 = 4096;
/// Shared byte address of the first kernel parameter, behind the header.
pub const PARAMETERS_AT: u32 = 16;

/// Entries of a warp's divergence stack.
pub const STACK_ENTRIES: usize = 32;
/// Barriers of a block.
pub const BARRIERS: usize = 16;
