//! The interface of machines that a debugging session can step.

use flexgrip_engines::error::RunError;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_machine::{Entry, Retire};
use flexgrip_model::Warp;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A warp's position in the grid, which is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WarpId {
    /// Linear index of the block, `ctaid.x + ctaid.y * nctaid.x`.
    pub block: u32,
    /// Index of the warp in its block.
    pub warp: u32,
}

impl WarpId {
    /// The error message for a warp that has ended, or has not begun.
    pub fn missing(self) -> String {
        format!("warp {self} is not resident now")
    }
}

impl fmt::Display for WarpId {
    /// `3.1`: warp 1 of block 3.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.block, self.warp)
    }
}

impl FromStr for WarpId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('.')
            .and_then(|(block, warp)| Some((block.parse().ok()?, warp.parse().ok()?)));
        let (block, warp) =
            numbers.ok_or_else(|| format!("`{text}` is not a warp; expected BLOCK.WARP, such as 0.1"))?;
        Ok(WarpId { block, warp })
    }
}

/// The unit of a machine's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Clock cycles since the start of the grid.
    Cycles,
    /// Warp instructions executed: the golden model has no clock.
    Instructions,
}

impl Clock {
    /// The unit in words, in the singular.
    pub const fn unit(self) -> &'static str {
        match self {
            Clock::Cycles => "cycle",
            Clock::Instructions => "instruction",
        }
    }
}

/// An instruction that has had no effect yet: the next step executes it (model), or it issues in this cycle (circuits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The warp that issues.
    pub warp: WarpId,
    /// Byte address of the instruction.
    pub pc: u32,
}

/// The stall reason of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// The warp is ready, and waits for nothing.
    Turn,
    /// The other warps, at a barrier.
    Barrier {
        /// The barrier, 0 to 15.
        barrier: u8,
        /// Byte address of the BAR.
        pc: u32,
    },
    /// The branch unit, which decides where the warp continues after a control instruction.
    Branch {
        /// Byte address of the control instruction.
        pc: u32,
    },
    /// A register with a pending write of an earlier instruction.
    Result {
        /// Byte address of the earlier instruction.
        pc: u32,
    },
    /// The warp has ended. The circuits keep its slot until its last results have been written.
    Ended,
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waits::Turn => f.write_str("its turn"),
            Waits::Barrier { barrier, pc } => write!(f, "barrier {barrier} at {pc:#06x}"),
            Waits::Branch { pc } => write!(f, "the branch at {pc:#06x}"),
            Waits::Result { pc } => write!(f, "the result of {pc:#06x}"),
            Waits::Ended => f.write_str("nothing: it has ended"),
        }
    }
}

/// An instruction that has issued and has not retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Byte address of the instruction.
    pub pc: u32,
    /// The time of its issue.
    pub since: u64,
}

/// A warp on an SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpState {
    /// The block of the warp, and its number there.
    pub id: WarpId,
    /// The SM that the warp is on.
    pub sm: u32,
    /// The slot in the SM.
    pub slot: u32,
    /// Byte address of the next instruction; `None` while a branch is unresolved, and after the warp's end.
    pub pc: Option<u32>,
    /// The mask of the threads at the warp's launch, bit = lane.
    pub threads: u32,
    /// The mask of the threads on the current path.
    pub active: u32,
    /// The divergence stack, the top last.
    pub stack: Vec<Entry>,
    /// The reason why the warp does not issue.
    pub waits: Waits,
    /// The instructions in flight, in issue order.
    pub in_flight: Vec<InFlight>,
}

/// A warp's registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The general registers by number, 32 lanes each; as many as a thread of the launch has.
    pub general: Vec<[u32; 32]>,
    /// C0 to C3 of each lane: Z = bit 0, S, C, O.
    pub conditions: [[u8; 32]; 4],
    /// A1 to A4 of each lane.
    pub addresses: [[u16; 32]; 4],
}

/// A register's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// R0 to R127.
    General(u8),
    /// C0 to C3.
    Condition(u8),
    /// A1 to A4.
    Address(u8),
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Register::General(number) => write!(f, "R{number}"),
            Register::Condition(number) => write!(f, "C{number}"),
            Register::Address(number) => write!(f, "A{number}"),
        }
    }
}

impl FromStr for Register {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (name, number) = text.split_at_checked(1).ok_or(())?;
        let number: u8 = number.parse().map_err(|_| ())?;
        match (name, number) {
            ("R" | "r", 0..=127) => Ok(Register::General(number)),
            ("C" | "c", 0..=3) => Ok(Register::Condition(number)),
            ("A" | "a", 1..=4) => Ok(Register::Address(number)),
            _ => Err(()),
        }
    }
}

impl From<&Warp> for Registers {
    /// The registers of a warp of the golden model.
    fn from(warp: &Warp) -> Self {
        Registers {
            general: warp.registers.clone(),
            conditions: warp.cc,
            addresses: warp.address,
        }
    }
}

impl Register {
    /// The values in a warp of the golden model; a register beyond the thread's registers reads as 0.
    pub fn lanes(self, warp: &Warp) -> [u32; 32] {
        match self {
            Register::General(number) => warp.registers.get(usize::from(number)).copied().unwrap_or([0; 32]),
            Register::Condition(number) => warp.cc[usize::from(number) % 4].map(u32::from),
            Register::Address(number) => warp.address[usize::from(number).wrapping_sub(1) % 4].map(u32::from),
        }
    }
}

impl Registers {
    /// The value in a lane; a register beyond the thread's registers reads as 0, as for the kernel.
    pub fn get(&self, register: Register, lane: u8) -> u32 {
        let lane = usize::from(lane) % 32;
        match register {
            Register::General(number) => self.general.get(usize::from(number)).map_or(0, |values| values[lane]),
            Register::Condition(number) => self.conditions[usize::from(number) % 4][lane].into(),
            Register::Address(number) => self.addresses[usize::from(number).wrapping_sub(1) % 4][lane].into(),
        }
    }
}

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory.
    Global,
    /// A bank of constant memory.
    Constant(u32),
    /// A block's shared memory.
    Shared(u32),
    /// A thread's local memory: its warp and lane.
    Local(WarpId, u8),
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Space::Global => f.write_str("global memory"),
            Space::Constant(bank) => write!(f, "constant bank {bank}"),
            Space::Shared(block) => write!(f, "shared memory of block {block}"),
            Space::Local(warp, lane) => write!(f, "local memory of warp {warp}, lane {lane}"),
        }
    }
}

/// A change made by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A register of one lane.
    Register {
        /// The warp that the register belongs to.
        warp: WarpId,
        /// The register to change.
        register: Register,
        /// The lane, 0 to 31.
        lane: u8,
        /// The new value, truncated to the register's width.
        value: u32,
    },
    /// Bytes of a memory.
    Memory {
        /// The memory.
        space: Space,
        /// Byte address.
        address: u32,
        /// The bytes to write.
        bytes: Vec<u8>,
    },
    /// An inverted bit of a flip-flop or of a memory's word. Circuits only.
    Flip {
        /// The path of a flip-flop, or of a memory with an index, such as `top.sm[0].register_file.bank[3][17]`.
        name: String,
        /// The index of the bit.
        bit: u32,
    },
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Edit::Register {
                warp,
                register,
                lane,
                value,
            } => write!(f, "warp {warp}: {register}[{lane}] = {value:#x}"),
            Edit::Memory { space, address, bytes } => {
                write!(f, "{} bytes of {space} at {address:#x} changed", bytes.len())
            }
            Edit::Flip { name, bit } => write!(f, "bit {bit} of {name} inverted"),
        }
    }
}

/// A signal's value at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalValue {
    /// The path of the signal.
    pub name: String,
    /// The width in bits.
    pub width: u32,
    /// The value: a number in hexadecimal, an enum's variant, or a bundle's fields.
    pub value: String,
    /// The variants of an enum, by their short names; empty for other signals.
    pub variants: Arc<[String]>,
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// The machine has taken the step, or had ended before.
    Done,
    /// No step was made: the machine runs in another process and has not reached the next cycle. Try again.
    Waits,
}

/// The error message of an engine without signals.
pub fn no_signals(engine: &str) -> String {
    format!("the {engine} engine has no signals; use --engine rtl")
}

/// A mistake of a kernel, found by the golden model's checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The time after the instruction.
    pub time: u64,
    /// The warp that made the mistake.
    pub warp: WarpId,
    /// The lane that made the mistake, 0 to 31.
    pub lane: u8,
    /// The description, as lines.
    pub text: String,
}

/// A machine that a session steps.
///
/// Between two steps, the machine is at its [`time`](Target::time): the instructions in [`issues`](Target::issues) have
/// had no effect, and the records in [`retired`](Target::retired) are from the step before.
pub trait Target {
    /// The engine's name, as on the command line.
    fn name(&self) -> &'static str;
    /// The unit of time.
    fn clock(&self) -> Clock;
    /// Steps since the start of the grid.
    fn time(&self) -> u64;
    /// Executes a step. Has no effect after the end of the grid.
    ///
    /// # Errors
    /// The circuits have broken the rules of their interfaces, or their process is gone. A kernel that fails is not an
    /// error but an [`ending`](Target::ending).
    fn step(&mut self) -> Result<Advance, RunError>;
    /// The instructions that issue now.
    fn issues(&self) -> &[Issue];
    /// The records completed by the last step.
    fn retired(&self) -> &[Retire];
    /// The ending of the grid, after it has ended.
    fn ending(&self) -> Option<&Ending>;
    /// Returns a copy of the machine in its present state. `None` for a machine in another process, which can only run
    /// forward and cannot be changed.
    fn copy(&self) -> Option<Box<dyn Target>>;
    /// The approximate size of a copy, in bytes.
    fn size(&self) -> usize;
    /// Begins the launch again, for a machine that cannot be copied.
    ///
    /// # Errors
    /// It cannot be started. A machine that can be copied is not restarted, because there is a copy of its beginning.
    fn restart(&mut self) -> Result<(), RunError> {
        Err(RunError::Unsupported {
            engine: self.name(),
            reason: "goes back by copies".into(),
        })
    }
    /// The warps on the SMs, block by block.
    fn warps(&self) -> Vec<WarpState>;
    /// A warp on an SM.
    ///
    /// # Errors
    /// The warp is on no SM.
    fn warp(&self, id: WarpId) -> Result<WarpState, String> {
        let mut warps = self.warps().into_iter();
        warps.find(|warp| warp.id == id).ok_or_else(|| id.missing())
    }
    /// A warp's registers.
    ///
    /// # Errors
    /// The warp is on no SM.
    fn registers(&self, warp: WarpId) -> Result<Registers, String>;
    /// A register of a warp in all lanes. Conditions call this in every step.
    ///
    /// # Errors
    /// The warp is on no SM.
    fn lanes(&self, warp: WarpId, register: Register) -> Result<[u32; 32], String>;
    /// The size of a memory, in bytes.
    ///
    /// # Errors
    /// There is no such memory now.
    fn extent(&self, space: Space) -> Result<u32, String>;
    /// Checks that a range of bytes is inside a memory.
    ///
    /// # Errors
    /// A byte is outside the memory, or there is no such memory now.
    fn check(&self, space: Space, address: u32, bytes: usize) -> Result<(), String> {
        let size = self.extent(space)?;
        if u64::from(address) + bytes as u64 > u64::from(size) {
            return Err(format!(
                "{bytes} bytes at {address:#x} are not all in {space}, which has {size} bytes"
            ));
        }
        Ok(())
    }
    /// Reads bytes of a memory.
    ///
    /// # Errors
    /// The errors of [`Target::check`].
    fn read(&self, space: Space, address: u32, bytes: u32) -> Result<Vec<u8>, String>;
    /// Applies a change.
    ///
    /// # Errors
    /// The item or address does not exist now. The machine is then unchanged.
    fn apply(&mut self, edit: &Edit) -> Result<(), String>;
    /// The next error after this moment, within at most `limit` steps, in the launch without manual changes; `None` if
    /// there is none. `place` gives the source location of an instruction.
    ///
    /// # Errors
    /// The machine has no checker, the limit is reached, or the user has interrupted the search.
    fn next_mistake(
        &self,
        _place: &dyn Fn(u32) -> Option<String>,
        _limit: u64,
        _interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Mistake>, String> {
        Err(format!("the {} engine has no checker; use --engine model", self.name()))
    }
    /// The paths of all signals; empty for a machine without signals.
    fn signals(&self) -> Vec<String> {
        Vec::new()
    }
    /// The value of a signal, flip-flop or memory word.
    ///
    /// # Errors
    /// There is no such signal.
    fn signal(&self, name: &str) -> Result<SignalValue, String> {
        Err(format!("`{name}`: {}", no_signals(self.name())))
    }
}
