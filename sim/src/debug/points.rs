//! Breakpoints and watchpoints: at instructions, writes, divergence, barriers, or when a condition becomes true.

use crate::debug::code::Code;
use crate::debug::target::{Register, Target, WarpId};
use crate::debug::value::{Condition, Context, SpaceName};
use flexgrip_engines::trace::records::splits;
use flexgrip_isa::{decode, Operation};
use flexgrip_machine::{MemoryEffect, MemorySpace, Retire};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The kinds of memory accesses that a watchpoint stops at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Stores.
    Write,
    /// Loads.
    Read,
    /// Loads and stores.
    Any,
}

/// The scope of a breakpoint or watchpoint: a block, a warp or a lane. Shared memory belongs to a block and local
/// memory to a thread, so the scope also selects the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whose {
    /// Linear index of the block.
    pub block: u32,
    /// The warp in the block; `None` for all.
    pub warp: Option<u32>,
    /// The lane, 0 to 31; `None` for all, and if there is no warp.
    pub lane: Option<u8>,
}

impl Whose {
    /// True if the scope includes the warp, or some of its lanes.
    pub fn is_of(self, id: WarpId) -> bool {
        self.block == id.block && self.warp.is_none_or(|warp| warp == id.warp)
    }

    /// The warp of the scope; `None` for a whole block.
    pub fn warp(self) -> Option<WarpId> {
        let block = self.block;
        self.warp.map(|warp| WarpId { block, warp })
    }
}

impl From<WarpId> for Whose {
    fn from(id: WarpId) -> Self {
        Whose {
            block: id.block,
            warp: Some(id.warp),
            lane: None,
        }
    }
}

impl FromStr for Whose {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a block (3), a warp (3.1) or a lane (3.1.5), found `{text}`");
        let mut parts = text.split('.');
        let block = parts.next().and_then(|block| block.parse().ok()).ok_or_else(wrong)?;
        let mut number = || {
            parts
                .next()
                .map(|part| part.parse::<u32>().map_err(|_| wrong()))
                .transpose()
        };
        let (warp, lane) = (number()?, number()?);
        let lane = match lane {
            Some(lane @ 0..=31) => Some(lane as u8),
            Some(_) => return Err(wrong()),
            None => None,
        };
        match parts.next() {
            None => Ok(Whose { block, warp, lane }),
            Some(_) => Err(wrong()),
        }
    }
}

impl fmt::Display for Whose {
    /// `block 3`, `warp 3.1`, `lane 5 of warp 3.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(lane) = self.lane {
            write!(f, "lane {lane} of ")?;
        }
        match self.warp() {
            Some(warp) => write!(f, "warp {warp}"),
            None => write!(f, "block {}", self.block),
        }
    }
}

/// The event that stops a session.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// Before an instruction at one of these addresses; the text is the location as the user gave it.
    Instruction(BTreeSet<u32>, String),
    /// After a write to a register.
    Register(Register),
    /// After an access to bytes of a memory, from the first address to the second, exclusive.
    Memory(SpaceName, u32, u32, Access),
    /// After a branch, BRK, RET or KIL that only some of the warp's threads take.
    Divergence,
    /// After a BAR.
    Barrier,
    /// When the condition becomes true. It is evaluated in every step, which takes time.
    Holds,
}

/// A breakpoint or watchpoint.
#[derive(Clone, Debug)]
pub struct Point {
    /// The number, from 1.
    pub number: u32,
    /// The event that stops the session.
    pub trigger: Trigger,
    /// The scope; `None` for all threads.
    pub only: Option<Whose>,
    /// A condition that must hold at that moment.
    pub condition: Option<Condition>,
    /// The number of times that it has stopped the session.
    pub hits: u64,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.number)?;
        match &self.trigger {
            Trigger::Instruction(places, text) => {
                write!(f, "before {text}")?;
                let places: Vec<String> = places.iter().map(|pc| format!("{pc:#06x}")).collect();
                if places != [text.clone()] {
                    write!(f, " ({})", places.join(", "))?;
                }
            }
            Trigger::Register(register) => write!(f, "after a write to {register}")?,
            Trigger::Memory(space, from, to, access) => {
                let what = match access {
                    Access::Write => "write to",
                    Access::Read => "read of",
                    Access::Any => "access to",
                };
                write!(f, "after a {what} {space}:{from:#x}+{}", to - from)?;
            }
            Trigger::Divergence => f.write_str("after a divergent branch")?,
            Trigger::Barrier => f.write_str("after a barrier instruction")?,
            Trigger::Holds => f.write_str("when")?,
        }
        if let Some(whose) = self.only {
            write!(f, " of {whose}")?;
        }
        if let Some(condition) = &self.condition {
            let word = if matches!(self.trigger, Trigger::Holds) {
                ""
            } else {
                " if"
            };
            write!(f, "{word} {condition}")?;
        }
        Ok(())
    }
}

/// A breakpoint or watchpoint that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The number of the breakpoint or watchpoint.
    pub point: u32,
    /// The warp that caused the stop, if there is one.
    pub warp: Option<WarpId>,
    /// The event in words.
    pub text: String,
}

/// The numbers of the breakpoints whose [`Trigger::Holds`] condition was true before.
#[derive(Default)]
pub struct Held(BTreeSet<u32>);

impl Held {
    /// The conditions that are true now.
    pub fn now(points: &[Point], target: &dyn Target, lane: u8) -> Self {
        let holding = points.iter().filter(|point| matches!(point.trigger, Trigger::Holds));
        let holding = holding.filter(|point| point.holding(target, lane).is_some());
        Held(holding.map(|point| point.number).collect())
    }
}

fn writes(record: &Retire, register: Register) -> bool {
    match register {
        Register::General(number) => {
            let mut writes = record.destination.iter().chain(&record.further);
            writes.any(|write| write.register == number)
        }
        Register::Condition(number) => record.cc.as_ref().is_some_and(|write| write.register == number),
        Register::Address(number) => {
            let mut writes = record.address.iter().chain(&record.post_increment);
            writes.any(|write| write.register == number)
        }
    }
}

/// True if some threads of a warp leave the others. BRK, RET and KIL of some threads push no stack entry: threads that
/// continue later are in the entry of their loop or call.
fn separates(record: &Retire) -> bool {
    let is_partial = record.executed != 0 && record.executed != record.active;
    let leaves = || {
        let operation = decode(record.word).map(|instruction| instruction.operation());
        matches!(operation, Ok(Operation::Brk | Operation::Ret | Operation::Kil))
    };
    splits(record) || is_partial && leaves()
}

fn touches(effect: &MemoryEffect, space: SpaceName, from: u32, to: u32, access: Access) -> bool {
    let of_space = match space {
        SpaceName::Global => effect.space == MemorySpace::Global,
        SpaceName::Shared => effect.space == MemorySpace::Shared,
        SpaceName::Local => effect.space == MemorySpace::Local,
        SpaceName::Constant(_) => false,
    };
    let of_kind = match access {
        Access::Write => effect.store,
        Access::Read => !effect.store,
        Access::Any => true,
    };
    let end = u64::from(effect.address) + u64::from(effect.bytes);
    of_space && of_kind && effect.address < to && end > u64::from(from)
}

impl Point {
    /// True if the condition holds for a warp, or there is none. A condition on a value that does not exist now is
    /// false.
    fn agrees(&self, target: &dyn Target, warp: Option<WarpId>, lane: u8) -> bool {
        let lane = self.only.and_then(|whose| whose.lane).unwrap_or(lane);
        let context = Context { target, warp, lane };
        let condition = self.condition.as_ref();
        condition.is_none_or(|condition| condition.holds(&context).unwrap_or(false))
    }

    /// True if the scope includes the warp, or some of its lanes.
    fn is_of(&self, id: WarpId) -> bool {
        self.only.is_none_or(|whose| whose.is_of(id))
    }

    /// True if the scope includes the lane.
    fn is_of_lane(&self, lane: u8) -> bool {
        self.only.and_then(|whose| whose.lane).is_none_or(|ours| ours == lane)
    }

    /// For [`Trigger::Holds`], the warp for which the condition holds: the scope's, or any; `Some(None)` if the
    /// condition needs no warp.
    fn holding(&self, target: &dyn Target, lane: u8) -> Option<Option<WarpId>> {
        let one = self.only.and_then(Whose::warp);
        if (self.only.is_none() || one.is_some()) && self.agrees(target, one, lane) {
            return Some(one);
        }
        let warps = target.warps();
        let mut ours = warps.iter().filter(|warp| self.is_of(warp.id));
        let found = ours.find(|warp| self.agrees(target, Some(warp.id), lane));
        found.map(|warp| Some(warp.id))
    }

    /// The hit, if the session must stop now. Updates `held`.
    pub fn reached(&self, target: &dyn Target, lane: u8, code: &Code, held: &mut Held) -> Option<Hit> {
        let hit = |warp: Option<WarpId>, text: String| {
            Some(Hit {
                point: self.number,
                warp,
                text,
            })
        };
        let of = |record: &Retire| WarpId {
            block: record.block,
            warp: record.warp_in_block,
        };
        if let Trigger::Instruction(places, text) = &self.trigger {
            let mut issues = target.issues().iter();
            let issue = issues.find(|issue| {
                self.is_of(issue.warp) && places.contains(&issue.pc) && self.agrees(target, Some(issue.warp), lane)
            })?;
            return hit(Some(issue.warp), format!("warp {} before {text}", issue.warp));
        }
        if matches!(self.trigger, Trigger::Holds) {
            let holding = self.holding(target, lane);
            let held = match holding {
                Some(_) => !held.0.insert(self.number),
                None => held.0.remove(&self.number),
            };
            let condition = self.condition.as_ref().map_or(String::new(), Condition::to_string);
            return match holding {
                Some(warp) if !held => hit(warp, condition),
                _ => None,
            };
        }
        let mut records = target.retired().iter();
        let record = records.find(|record| {
            let happened = match &self.trigger {
                Trigger::Register(register) => {
                    let mut lanes = (0..32).filter(|lane| record.executed >> lane & 1 == 1);
                    writes(record, *register) && lanes.any(|lane| self.is_of_lane(lane))
                }
                Trigger::Memory(space, from, to, access) => {
                    let mut effects = record.memory.iter();
                    effects.any(|effect| self.is_of_lane(effect.lane) && touches(effect, *space, *from, *to, *access))
                }
                Trigger::Divergence => separates(record),
                Trigger::Barrier => record.barrier.is_some(),
                Trigger::Instruction(..) | Trigger::Holds => false,
            };
            happened && self.is_of(of(record)) && self.agrees(target, Some(of(record)), lane)
        })?;
        let statement = code.statement(record.pc).unwrap_or("?");
        hit(
            Some(of(record)),
            format!("warp {} has executed {:#06x}: {statement}", of(record), record.pc),
        )
    }
}
