//! The host's view: one address space of 32-bit words on the host bus. The circuit, the native engine, the C header,
//! the SVD file and `docs/registers.md` all come from this table.
//!
//! | bytes | contents |
//! |---|---|
//! | `0x0000_0000 ..` | registers, [`REGISTERS`] |
//! | [`PARAMETER_BASE`]` .. +256` | kernel parameters, 64 words |
//! | [`COUNTER_BASE`]` .. +256 * SMs` | counters of each SM, [`SmCounter`], read only |
//! | [`INSTRUCTION_BASE`]` ..` | instruction memory, write only |
//! | [`CONSTANT_BASE`]` .. +64 KiB` | constant memory, write only: bank b at b * 4 KiB |
//! | [`GLOBAL_BASE`]` ..` | global memory (address bit 31), while no grid runs |

use crate::sizes;

/// The host's access rights to a register or a window. Any other access is answered with ERR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads; a write is an error.
    ReadOnly,
    /// Reads, and writes of values up to the register's maximum.
    ReadWrite,
    /// Writes of commands; such a register reads 0, and reading such a window is an error.
    WriteOnly,
}

/// A register's value at power-up and after a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// This value.
    Value(u32),
    /// A value that depends on the machine's sizes.
    Sizes,
    /// 0 at power-up; a reset does not change it.
    Kept,
}

/// A named value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldValue {
    /// The name, in upper case.
    pub name: &'static str,
    /// The value in the field, not in the word.
    pub value: u32,
    /// The meaning of the value.
    pub meaning: &'static str,
}

/// Some bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, in upper case.
    pub name: &'static str,
    /// The highest bit.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
    /// The meaning of the field.
    pub meaning: &'static str,
    /// The named values, if there are any.
    pub values: &'static [FieldValue],
}

impl Field {
    /// A mask of the field's bits in the word.
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (31 - (self.high - self.low))) << self.low
    }

    /// `value` placed in the field's bits of a word.
    ///
    /// # Panics
    /// If the value does not fit the field.
    pub const fn place(&self, value: u32) -> u32 {
        assert!(value <= self.mask() >> self.low, "the value does not fit in the field");
        value << self.low
    }

    /// The word with the named value in this field.
    ///
    /// # Panics
    /// If there is no such name.
    pub const fn named(&self, name: &str) -> u32 {
        let mut i = 0;
        while i < self.values.len() {
            if same(self.values[i].name, name) {
                return self.place(self.values[i].value);
            }
            i += 1;
        }
        panic!("the field has no value with this name")
    }
}

/// One register of the host's map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name as in the C header, upper case.
    pub name: &'static str,
    /// Byte address.
    pub address: u32,
    /// The access rights.
    pub access: Access,
    /// The greatest value that may be written.
    pub greatest: u32,
    /// The value after a reset.
    pub reset: Reset,
    /// The meaning, with its unit.
    pub meaning: &'static str,
    /// The fields; empty for a plain number.
    pub fields: &'static [Field],
}

impl Register {
    /// True if writes take effect.
    pub const fn writable(&self) -> bool {
        !matches!(self.access, Access::ReadOnly)
    }

    /// The field with this name.
    ///
    /// # Panics
    /// If there is no such field.
    pub const fn field(&self, name: &str) -> &'static Field {
        let mut i = 0;
        while i < self.fields.len() {
            if same(self.fields[i].name, name) {
                return &self.fields[i];
            }
            i += 1;
        }
        panic!("the register has no field with this name")
    }
}

/// True if two names are equal, at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The register at an address of the table.
///
/// # Panics
/// If there is no such register.
pub const fn register(address: u32) -> &'static Register {
    let mut i = 0;
    while i < REGISTERS.len() {
        if REGISTERS[i].address == address {
            return &REGISTERS[i];
        }
        i += 1;
    }
    panic!("no register has this address")
}

/// A field of a register at an address of the table.
///
/// # Panics
/// If there is no such field.
pub const fn field(address: u32, name: &str) -> &'static Field {
    register(address).field(name)
}

/// First byte of the parameter words.
pub const PARAMETER_BASE: u32 = 0x0000_0100;
/// Maximum number of a kernel's parameter words.
pub const PARAMETER_WORDS: u32 = sizes::MAX_PARAMETERS as u32;
/// First byte of the counters of SM 0.
pub const COUNTER_BASE: u32 = 0x0000_0800;
/// Bytes from one SM's counters to the next SM's.
pub const COUNTER_STRIDE: u32 = 256;
/// First byte of the instruction memory's window.
pub const INSTRUCTION_BASE: u32 = 0x1000_0000;
/// Bytes of the chip's instruction memory.
pub const INSTRUCTION_BYTES: u32 = 4 * sizes::MAX_PROGRAM_WORDS as u32;
/// First byte of the constant memory's window.
pub const CONSTANT_BASE: u32 = 0x2000_0000;
/// Bytes of the chip's constant memory.
pub const CONSTANT_BYTES: u32 = sizes::CONSTANT_BANKS as u32 * sizes::CONSTANT_BANK_BYTES;
/// First byte of global memory's window.
pub const GLOBAL_BASE: u32 = 0x8000_0000;
/// Bytes of global memory visible in the window.
pub const GLOBAL_BYTES: u32 = 1 << 31;
/// Warps of each of the chip's SMs.
pub const WARPS: u32 = sizes::WARPS_PER_SM;

/// A memory on the host bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Name as in the C header (with `_BASE`), upper case.
    pub name: &'static str,
    /// Byte address.
    pub base: u32,
    /// Bytes of the chip's memory.
    pub bytes: u32,
    /// The access rights.
    pub access: Access,
    /// The meaning of the window.
    pub meaning: &'static str,
}

/// The memories, in address order.
pub const WINDOWS: &[Window] = &[
    Window {
        name: "PARAMETER",
        base: PARAMETER_BASE,
        bytes: 4 * PARAMETER_WORDS,
        access: Access::ReadWrite,
        meaning: "Parameter words of the kernel. Writable while no grid runs.",
    },
    Window {
        name: "INSTRUCTION",
        base: INSTRUCTION_BASE,
        bytes: INSTRUCTION_BYTES,
        access: Access::WriteOnly,
        meaning: "Instruction memory of all SMs. Writable while no grid runs.",
    },
    Window {
        name: "CONSTANT",
        base: CONSTANT_BASE,
        bytes: CONSTANT_BYTES,
        access: Access::WriteOnly,
        meaning: "Constant memory of all SMs, bank b at b * 4 KiB. Writable while no grid runs.",
    },
    Window {
        name: "GLOBAL",
        base: GLOBAL_BASE,
        bytes: GLOBAL_BYTES,
        access: Access::ReadWrite,
        meaning: "Global memory, through the chip. Accessible while no grid runs.",
    },
];

/// Value of the ID register: "G80" and the map's version.
pub const ID_VALUE: u32 = match register(ID).reset {
    Reset::Value(value) => value,
    Reset::Sizes | Reset::Kept => panic!("ID is a constant"),
};

/// CONTROL: start the grid.
pub const CONTROL_START: u32 = field(CONTROL, "COMMAND").named("START");
/// CONTROL: stop the grid immediately (warps end, nothing more is issued).
pub const CONTROL_ABORT: u32 = field(CONTROL, "COMMAND").named("ABORT");
/// STATUS: a grid is running.
pub const STATUS_RUNNING: u32 = field(STATUS, "RUNNING").mask();
/// STATUS: the grid has ended, normally, by an error or by abort. Cleared by start.
pub const STATUS_DONE: u32 = field(STATUS, "DONE").mask();
/// STATUS: the grid has ended by an error; see the ERROR registers.
pub const STATUS_ERROR: u32 = field(STATUS, "ERROR").mask();
/// STATUS: the external memory has refused an access. Cleared by start.
pub const STATUS_BUS_ERROR: u32 = field(STATUS, "BUS_ERROR").mask();

/// The offset of a byte of a thread's local memory in its warp's share: 16 bytes of each thread, then the next 16 of
/// each, so that a warp's accesses to one local address are close together.
pub const fn local_place(address: u32, thread: u32) -> u64 {
    let address = address as u64;
    (address / 16 * sizes::WARP_THREADS as u64 + thread as u64) * 16 + address % 16
}

/// The value of CONFIGURATION in a machine of these sizes.
///
/// # Panics
/// If a size does not fit into its field.
pub const fn configuration_value(lanes: u32, sms: u32, warps: u32) -> u32 {
    let register = register(CONFIGURATION);
    register.field("LANES").place(lanes) | register.field("SMS").place(sms) | register.field("WARPS").place(warps)
}

/// A row: name, address, access with the greatest writable value (any, if left out), value after reset, meaning, fields
/// as `NAME high..low` with their values.
macro_rules! registers {
    ($($name:ident $address:literal $access:ident $(($greatest:expr))? $reset:ident $(($value:literal))? $meaning:literal
        $({$($field:ident $high:literal : $low:literal $field_meaning:literal
            $({$($named:ident $number:literal $named_meaning:literal)*})?)*})?)*) => {
        $(#[doc = $meaning] pub const $name: u32 = $address;)*
        /// The registers, in address order.
        pub const REGISTERS: &[Register] = &[
            $(Register {
                name: stringify!($name),
                address: $address,
                access: Access::$access,
                greatest: { let _greatest = u32::MAX; $(let _greatest = $greatest;)? _greatest },
                reset: Reset::$reset $(($value))?,
                meaning: $meaning,
                fields: &[$($(Field {
                    name: stringify!($field),
                    high: $high,
                    low: $low,
                    meaning: $field_meaning,
                    values: &[$($(FieldValue {
                        name: stringify!($named),
                        value: $number,
                        meaning: $named_meaning,
                    }),*)?],
                }),*)?],
            }),*
        ];
    };
}

registers! {
    ID                0x00 ReadOnly Value(0x4738_3003) "Identification; constant." {
        NAME 31:8 "The text G80."
        VERSION 7:0 "Version of this map."
    }
    CONFIGURATION     0x04 ReadOnly Sizes "Sizes of the machine; constant." {
        LANES 7:0 "Scalar processors of an SM."
        SMS 15:8 "SMs."
        WARPS 23:16 "Warp slots per SM."
    }
    CONTROL           0x08 WriteOnly(2) Value(0) "Commands." {
        COMMAND 1:0 "Command." {
            START 1 "Start the grid. Refused while a grid runs, and if a size that must not be 0 is 0."
            ABORT 2 "Stop the grid immediately. No effect while no grid runs."
        }
    }
    STATUS            0x0c ReadOnly Value(0) "State of the grid." {
        RUNNING 0:0 "A grid is running."
        DONE 1:1 "The grid has ended normally, with an error or by abort; drives the interrupt. Cleared by start."
        ERROR 2:2 "The grid has ended with an error; see the ERROR registers. Cleared by start."
        BUS_ERROR 3:3 "Global memory has refused an access by the host, or by the grid, which then ends. Cleared by start."
    }
    ENTRY             0x10 ReadWrite(0xff_ffff) Value(0) "Byte address of the first instruction."
    CODE_END          0x14 ReadWrite(0xff_ffff) Value(0) "Byte address of the end of the program."
    REGISTER_COUNT    0x18 ReadWrite(sizes::MAX_REGISTERS) Value(0) "Registers per thread; must not be 0 at a start."
    SHARED_ROWS       0x1c ReadWrite(sizes::SHARED_BYTES_PER_SM / sizes::SHARED_GRANULE) Value(0) "Shared memory of a block in units of 64 bytes, header and parameters included; must not be 0 at a start."
    PARAMETER_COUNT   0x20 ReadWrite(PARAMETER_WORDS) Value(0) "Parameter words."
    GRID_X            0x24 ReadWrite(sizes::MAX_GRID) Value(0) "Blocks in x; must not be 0 at a start."
    GRID_Y            0x28 ReadWrite(sizes::MAX_GRID) Value(0) "Blocks in y; must not be 0 at a start."
    BLOCK_X           0x2c ReadWrite(sizes::MAX_BLOCK_THREADS) Value(0) "Threads of a block in x; must not be 0 at a start."
    BLOCK_Y           0x30 ReadWrite(sizes::MAX_BLOCK_THREADS) Value(0) "Threads of a block in y; must not be 0 at a start."
    BLOCK_Z           0x34 ReadWrite(64) Value(0) "Threads of a block in z; must not be 0 at a start."
    BLOCK_THREADS     0x38 ReadWrite(sizes::MAX_BLOCK_THREADS) Value(0) "Threads of a block: the product of the three dimensions."
    BLOCKS_PER_SM     0x3c ReadWrite(sizes::BLOCKS_PER_SM) Value(0) "Resident blocks per SM, computed by the host; must not be 0 at a start."
    GLOBAL_END        0x40 ReadWrite Value(0) "First byte past global memory; 0 for 2^32."
    CYCLES            0x44 ReadOnly Kept "Clock cycles of the grid from start to done, low word."
    CYCLES_HIGH       0x48 ReadOnly Kept "High word of CYCLES."
    ERROR_CODE        0x4c ReadOnly Value(0) "Error that stopped the grid: a code of docs/machine.md, 0 for none."
    ERROR_PC          0x50 ReadOnly Value(0) "PC of the faulting instruction."
    ERROR_SM          0x54 ReadOnly Value(0) "SM of the faulting instruction's warp."
    ERROR_WARP        0x58 ReadOnly Value(0) "Warp of the faulting instruction." {
        INDEX 4:0 "Number of the warp in its block."
        SLOT 12:8 "Warp slot in the SM."
    }
    ERROR_BLOCK       0x5c ReadOnly Value(0) "Linear block index of the faulting instruction."
    ERROR_ADDRESS     0x60 ReadOnly Value(0) "Faulting address, for memory errors."
    COALESCING        0x64 ReadWrite(1) Value(0) "Rule by which global accesses become requests." {
        RULE 0:0 "Coalescing rule." {
            SEGMENTS 0 "One request for each segment."
            STRICT 1 "Strict rule of compute capability 1.0."
        }
    }
    LOCAL_BASE        0x68 ReadWrite Value(0) "First byte of local memory in external memory; a multiple of a warp's share."
    LOCAL_SHIFT       0x6c ReadWrite(21) Value(0) "log2 of a warp's share of local memory in bytes, at least 9."
    LOCAL_BYTES       0x70 ReadWrite(sizes::MAX_LOCAL_BYTES) Value(0) "Local memory that each thread may access, in bytes."
    UNALIGNED_CODE    0x74 ReadWrite(1) Value(0) "Permitted addresses of long instructions." {
        PLACES 0:0 "Permitted addresses." {
            BOUNDARIES 0 "Multiples of 8, as on the G80; any other address is error 2."
            ANYWHERE 1 "Multiples of 4, as on FlexGripPlus."
        }
    }
}

macro_rules! sm_counters {
    ($($counter:ident $name:literal $meaning:literal)*) => {
        /// A 64-bit counter of each SM. `docs/counters.md` defines the counters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum SmCounter {
            $(#[doc = $meaning] $counter),*
        }

        impl SmCounter {
            /// All counters, in the order of the map: the low word of number n of SM s is at
            /// [`COUNTER_BASE`]` + s * `[`COUNTER_STRIDE`]` + 8 * n`, its high word follows.
            pub const ALL: [SmCounter; SM_COUNTERS] = [$(SmCounter::$counter),*];

            /// Name as in the C header, upper case.
            pub const fn name(self) -> &'static str {
                match self { $(SmCounter::$counter => $name),* }
            }

            /// The counted quantity.
            pub const fn meaning(self) -> &'static str {
                match self { $(SmCounter::$counter => $meaning),* }
            }
        }
    };
}

/// Counters of an SM.
pub const SM_COUNTERS: usize = 17;
/// Number of leading counters that divide a grid's cycles among themselves.
pub const ACCOUNT_COUNTERS: usize = 11;

sm_counters! {
    Issued             "ISSUED"               "Cycles in which a warp instruction issued: the number of warp instructions."
    ReadSlot           "READ_SLOT"            "Cycles in which the previous instruction still occupied the read stage."
    WritePort          "WRITE_PORT"           "Cycles in which the candidate stalled for a write port: loads, new warps, jumps."
    Scoreboard         "SCOREBOARD"           "Cycles in which the candidate waited for results."
    MemoryQueue        "MEMORY_QUEUE"         "Cycles in which the memory unit's queue was full."
    SpecialFunction    "SPECIAL_FUNCTION"     "Cycles in which the special function units' queue was full."
    Collector          "COLLECTOR"            "Cycles spent collecting per-thread operands."
    Branch             "BRANCH"               "Cycles spent waiting for the branch unit."
    Barrier            "BARRIER"              "Cycles spent waiting at barriers."
    Fetch              "FETCH"                "Cycles in which the next instruction was being fetched, chosen or decoded."
    NoWarp             "NO_WARP"              "Cycles in which no warp may issue: setup, drain, idle."
    ThreadInstructions "THREAD_INSTRUCTIONS"  "Threads that executed, summed over warp instructions."
    MemoryTransactions "MEMORY_TRANSACTIONS"  "Requests that global memory accepted."
    DivergentBranches  "DIVERGENT_BRANCHES"   "Branches that split a warp."
    BarrierWaits       "BARRIER_WAITS"        "Warps that had to wait at a barrier."
    BarrierWaitCycles  "BARRIER_WAIT_CYCLES"  "Cycles in which at least one warp waited at a barrier."
    BankConflictCycles "BANK_CONFLICT_CYCLES" "Cycles lost to bank conflicts."
}
