//! What the host sees: one address space of 32-bit words behind the host bus. The circuit, the native engine and the C++
//! harness's header all come from this table.
//!
//! | bytes | what |
//! |---|---|
//! | `0x0000_0000 ..` | registers, [`REGISTERS`] |
//! | [`PARAMETER_BASE`]` .. +256` | kernel parameters, 64 words |
//! | [`COUNTER_BASE`]` .. +256 * SMs` | counters of each SM, [`SmCounter`], read only |
//! | [`INSTRUCTION_BASE`]` ..` | instruction memory, write only |
//! | [`CONSTANT_BASE`]` .. +64 KiB` | constant memory, write only: bank b at b * 4 KiB |
//! | [`GLOBAL_BASE`]` ..` | global memory (address bit 31), while no grid runs |

/// One register of the host's map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name as in the C header, upper case.
    pub name: &'static str,
    /// Byte address.
    pub address: u32,
    /// Whether a write takes effect.
    pub writable: bool,
    /// What it means, with its unit.
    pub meaning: &'static str,
}

/// First byte of the parameter words.
pub const PARAMETER_BASE: u32 = 0x0000_0100;
/// Parameter words that a kernel can have.
pub const PARAMETER_WORDS: u32 = 64;
/// First byte of the counters of SM 0.
pub const COUNTER_BASE: u32 = 0x0000_0800;
/// Bytes from the counters of an SM to those of the next.
pub const COUNTER_STRIDE: u32 = 256;
/// First byte of the instruction memory's window.
pub const INSTRUCTION_BASE: u32 = 0x1000_0000;
/// First byte of the constant memory's window.
pub const CONSTANT_BASE: u32 = 0x2000_0000;
/// First byte of global memory's window.
pub const GLOBAL_BASE: u32 = 0x8000_0000;

/// Value of the ID register: "G80" and the map's version.
pub const ID_VALUE: u32 = 0x4738_3002;

/// CONTROL: start the grid.
pub const CONTROL_START: u32 = 1;
/// CONTROL: stop the grid where it is (warps end, nothing more is issued).
pub const CONTROL_ABORT: u32 = 2;
/// STATUS: a grid runs.
pub const STATUS_RUNNING: u32 = 1;
/// STATUS: the grid has ended, by itself, by an error or by abort. Cleared by start.
pub const STATUS_DONE: u32 = 2;
/// STATUS: it ended by an error; see the ERROR registers.
pub const STATUS_ERROR: u32 = 4;
/// STATUS: the memory outside has refused an access. Cleared by start.
pub const STATUS_BUS_ERROR: u32 = 8;

macro_rules! registers {
    ($($name:ident $address:literal $writable:literal $meaning:literal)*) => {
        $(#[doc = $meaning] pub const $name: u32 = $address;)*
        /// The registers, in address order.
        pub const REGISTERS: &[Register] = &[
            $(Register { name: stringify!($name), address: $address, writable: $writable, meaning: $meaning }),*
        ];
    };
}

registers! {
    ID                0x00 false "Identification, constant."
    CONFIGURATION     0x04 false "Lanes in bits 7..0, SMs in bits 15..8, warps per SM in bits 23..16."
    CONTROL           0x08 true  "Write 1 to start the grid, 2 to abort it."
    STATUS            0x0c false "Bit 0 running, bit 1 done, bit 2 error."
    ENTRY             0x10 true  "First instruction, byte address."
    CODE_END          0x14 true  "End of the program, byte address."
    REGISTER_COUNT    0x18 true  "Registers per thread, 1 to 128."
    SHARED_ROWS       0x1c true  "Shared memory of a block in units of 64 bytes, header and parameters included."
    PARAMETER_COUNT   0x20 true  "Parameter words, 0 to 64."
    GRID_X            0x24 true  "Blocks in x."
    GRID_Y            0x28 true  "Blocks in y."
    BLOCK_X           0x2c true  "Threads of a block in x."
    BLOCK_Y           0x30 true  "Threads of a block in y."
    BLOCK_Z           0x34 true  "Threads of a block in z."
    BLOCK_THREADS     0x38 true  "Threads of a block: the product of the three."
    BLOCKS_PER_SM     0x3c true  "Blocks that an SM holds at once, 1 to 8: the host divides."
    GLOBAL_END        0x40 true  "First byte past global memory; 0 for 2^32."
    CYCLES            0x44 false "Clock cycles from start to done, low word."
    CYCLES_HIGH       0x48 false "The high word."
    ERROR_CODE        0x4c false "Why the grid stopped, codes of docs/machine.md; 0 none."
    ERROR_PC          0x50 false "PC of the instruction at fault."
    ERROR_SM          0x54 false "SM of the warp at fault."
    ERROR_WARP        0x58 false "Its number in its block in bits 4..0, its slot in the SM in bits 12..8."
    ERROR_BLOCK       0x5c false "Its block, linear."
    ERROR_ADDRESS     0x60 false "The address at fault, for memory errors."
    COALESCING        0x64 true  "How global accesses become requests: 0 by segments, 1 by the strict rule of the G80."
    LOCAL_BASE        0x68 true  "First byte of local memory in the memory outside; a multiple of a warp's share."
    LOCAL_SHIFT       0x6c true  "log2 of a warp's share of local memory in bytes: 9 to 21."
    LOCAL_BYTES       0x70 true  "Local memory that each thread may access in bytes, 0 to 65536."
}

macro_rules! sm_counters {
    ($($counter:ident $name:literal $meaning:literal)*) => {
        /// A counter that each SM has, 64 bits. Definitions in `docs/counters.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum SmCounter {
            $(#[doc = $meaning] $counter),*
        }

        impl SmCounter {
            /// All of them, in the order of the map: the low word of number n of SM s lies at
            /// [`COUNTER_BASE`]` + s * `[`COUNTER_STRIDE`]` + 8 * n`, its high word behind it.
            pub const ALL: [SmCounter; SM_COUNTERS] = [$(SmCounter::$counter),*];

            /// Name as in the C header, upper case.
            pub const fn name(self) -> &'static str {
                match self { $(SmCounter::$counter => $name),* }
            }

            /// What it counts.
            pub const fn meaning(self) -> &'static str {
                match self { $(SmCounter::$counter => $meaning),* }
            }
        }
    };
}

/// Counters of an SM.
pub const SM_COUNTERS: usize = 17;
/// How many of them, from the first, share the cycles of a grid among them.
pub const ACCOUNT_COUNTERS: usize = 11;

sm_counters! {
    Issued             "ISSUED"               "Cycles in which a warp instruction issued: warp instructions."
    ReadSlot           "READ_SLOT"            "Cycles in which the instruction before still took its beats."
    WritePort          "WRITE_PORT"           "Cycles left to the write ports: loads, new warps, jumps."
    Scoreboard         "SCOREBOARD"           "Cycles in which the candidate waited for results."
    MemoryQueue        "MEMORY_QUEUE"         "Cycles in which the memory unit's queue was full."
    SpecialFunction    "SPECIAL_FUNCTION"     "Cycles in which the special function units' queue was full."
    Collector          "COLLECTOR"            "Cycles spent on operands that threads fetch for themselves."
    Branch             "BRANCH"               "Cycles spent waiting for the branch unit."
    Barrier            "BARRIER"              "Cycles spent waiting at barriers."
    Fetch              "FETCH"                "Cycles in which the next instruction was being fetched, chosen or decoded."
    NoWarp             "NO_WARP"              "Cycles without a warp that may issue: setting up, draining, nothing to do."
    ThreadInstructions "THREAD_INSTRUCTIONS"  "Threads that executed the warp instructions, summed."
    MemoryTransactions "MEMORY_TRANSACTIONS"  "Requests that global memory took."
    DivergentBranches  "DIVERGENT_BRANCHES"   "Branches that split a warp."
    BarrierWaits       "BARRIER_WAITS"        "Warps that had to wait at a barrier."
    BarrierWaitCycles  "BARRIER_WAIT_CYCLES"  "Cycles in which some warp waited at a barrier."
    BankConflictCycles "BANK_CONFLICT_CYCLES" "Cycles that bank conflicts took."
}
