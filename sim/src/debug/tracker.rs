//! Tracks the circuits' warps through the events of the trace: next instruction, instructions in flight, stall reason.

use crate::debug::target::{InFlight, Issue, Waits, WarpId, WarpState};
use flexgrip_engines::circuits::host::word_at;
use flexgrip_engines::trace::assembler::is_control;
use flexgrip_isa::{decode_at, Capability, Operation, Resource};
use flexgrip_machine::trace::{Event, IssueEvent, LaunchEvent};
use flexgrip_machine::{Entry, Launch, Retire};

/// An instruction in flight.
#[derive(Clone)]
struct Flight {
    shown: InFlight,
    writes: Vec<Resource>,
}

/// A warp's masks and divergence stack.
#[derive(Default)]
pub(super) struct Masks {
    /// The mask of the threads on the current path.
    pub active: u32,
    /// The mask of the threads at the warp's launch.
    pub threads: u32,
    /// The divergence stack, the top last.
    pub stack: Vec<Entry>,
}

/// A warp in its slot.
#[derive(Clone)]
struct TrackedWarp {
    id: WarpId,
    /// Byte address of the next instruction; `None` while a branch is unresolved, and after the end.
    pc: Option<u32>,
    ended: bool,
    flights: Vec<Flight>,
    /// Tag and byte address of the unresolved control instruction.
    branch: Option<(u16, u32)>,
    /// The number of the barrier at which its last instruction waits, and that instruction's byte address.
    barrier: Option<(u8, u32)>,
}

/// The warps of all SMs.
#[derive(Clone)]
pub(super) struct Tracker {
    /// The warps by SM and slot.
    slots: Vec<[Option<TrackedWarp>; 32]>,
    entry: u32,
    capability: Capability,
}

impl Tracker {
    pub fn new(sms: u32, entry: u32, capability: Capability) -> Self {
        Tracker {
            slots: (0..sms).map(|_| std::array::from_fn(|_| None)).collect(),
            entry,
            capability,
        }
    }

    /// The warps, with their SM and slot.
    fn warps(&self) -> impl Iterator<Item = (u32, u32, &TrackedWarp)> {
        let sms = self.slots.iter().zip(0..);
        sms.flat_map(|(slots, sm)| {
            let slots = slots.iter().zip(0..);
            slots.filter_map(move |(warp, slot)| Some((sm, slot, warp.as_ref()?)))
        })
    }

    /// SM and slot of a warp that has not left its slot.
    ///
    /// # Errors
    /// The warp is on no SM.
    pub fn place(&self, id: WarpId) -> Result<(u32, u32), String> {
        let found = self.warps().find(|(.., warp)| warp.id == id);
        found.map(|(sm, slot, _)| (sm, slot)).ok_or_else(|| id.missing())
    }

    /// SM and slot of some warp of a block.
    ///
    /// # Errors
    /// The block is on no SM.
    pub fn place_of_block(&self, block: u32) -> Result<(u32, u32), String> {
        let found = self.warps().find(|(.., warp)| warp.id.block == block);
        let place = found.map(|(sm, slot, _)| (sm, slot));
        place.ok_or_else(|| format!("block {block} is not resident now"))
    }

    /// The warps' states, block by block. `masks` gives a warp's masks and stack.
    pub fn states(&self, launch: &Launch, masks: impl Fn(u32, u32, WarpId) -> Masks) -> Vec<WarpState> {
        let states = self.warps().map(|(sm, slot, warp)| {
            let Masks { active, threads, stack } = masks(sm, slot, warp.id);
            WarpState {
                id: warp.id,
                sm,
                slot,
                pc: warp.pc,
                threads,
                active,
                stack,
                waits: warp.waits(warp.pc.map_or(0, |pc| word_at(launch, pc)), self.capability),
                in_flight: warp.flights.iter().map(|flight| flight.shown).collect(),
            }
        });
        let mut states: Vec<WarpState> = states.collect();
        states.sort_by_key(|state| state.id);
        states
    }

    /// The warp in a slot.
    pub fn in_slot(&self, sm: u32, slot: u32) -> Option<WarpId> {
        let slot = self.slots.get(sm as usize)?.get(slot as usize)?;
        slot.as_ref().map(|warp| warp.id)
    }

    /// The warp and the PC of an issue event.
    pub fn issue(&self, sm: u32, event: &IssueEvent) -> Option<Issue> {
        let warp = self.slots.get(sm as usize)?.get(event.warp as usize)?.as_ref()?;
        Some(Issue {
            warp: warp.id,
            pc: event.pc,
        })
    }

    /// Processes an event of a cycle that is over.
    pub fn event(&mut self, cycle: u64, sm: u32, event: &Event) {
        let Some(slots) = self.slots.get_mut(sm as usize) else {
            return;
        };
        match event {
            Event::Launch(launch) => Self::launch(slots, launch, self.entry),
            Event::Issue(issue) => {
                if let Some(Some(warp)) = slots.get_mut(issue.warp as usize) {
                    warp.issues(cycle, issue, self.capability);
                }
            }
            Event::Next(next) => {
                let decided = |warp: &&mut TrackedWarp| warp.branch.is_some_and(|(tag, _)| tag == next.tag);
                if let Some(warp) = slots.iter_mut().flatten().find(decided) {
                    warp.branch = None;
                    warp.ended = next.ended;
                    warp.pc = (!next.ended).then_some(next.pc);
                }
            }
            _ => {}
        }
    }

    fn launch(slots: &mut [Option<TrackedWarp>; 32], launch: &LaunchEvent, entry: u32) {
        if let Some(slot) = slots.get_mut(launch.warp as usize) {
            *slot = Some(TrackedWarp {
                id: WarpId {
                    block: launch.block,
                    warp: launch.index,
                },
                pc: Some(entry),
                ended: false,
                flights: Vec::new(),
                branch: None,
                barrier: None,
            });
        }
    }

    /// Removes a retired instruction from the instructions in flight.
    pub fn retire(&mut self, record: &Retire) {
        let slots = self.slots.get_mut(record.sm as usize);
        let slot = slots.and_then(|slots| slots.get_mut(record.warp as usize));
        if let Some(Some(warp)) = slot {
            let id = WarpId {
                block: record.block,
                warp: record.warp_in_block,
            };
            let is_it =
                |flight: &Flight| flight.shown.pc == record.pc && Some(flight.shown.since) == record.issue_cycle;
            if warp.id == id {
                warp.flights.retain(|flight| !is_it(flight));
            }
        }
    }

    /// Frees the slots of warps that have ended and have no instructions in flight.
    pub fn clear_ended(&mut self) {
        for slot in self.slots.iter_mut().flatten() {
            if slot.as_ref().is_some_and(|warp| warp.ended && warp.flights.is_empty()) {
                *slot = None;
            }
        }
    }
}

impl TrackedWarp {
    fn issues(&mut self, cycle: u64, issue: &IssueEvent, capability: Capability) {
        let decoded = decode_at(issue.word, capability).ok();
        let long = issue.word & 1 == 1;
        self.barrier = None;
        self.pc = Some(issue.pc.wrapping_add(if long { 8 } else { 4 }));
        if let Some(instruction) = &decoded {
            if is_control(instruction) {
                self.pc = None;
                self.branch = Some((issue.tag, issue.pc));
            }
            if let Operation::Bar {
                barrier, wait: true, ..
            } = instruction.operation()
            {
                self.barrier = Some((barrier, issue.pc));
            }
        }
        self.flights.push(Flight {
            shown: InFlight {
                pc: issue.pc,
                since: cycle,
            },
            writes: decoded.map(|instruction| instruction.writes()).unwrap_or_default(),
        });
    }

    /// The stall reason; `word` is the next instruction.
    fn waits(&self, word: u64, capability: Capability) -> Waits {
        if self.ended {
            return Waits::Ended;
        }
        if let Some((_, pc)) = self.branch {
            return Waits::Branch { pc };
        }
        if let Some((barrier, pc)) = self.barrier {
            return Waits::Barrier { barrier, pc };
        }
        let needed = decode_at(word, capability).ok().map(|instruction| {
            let mut needed = instruction.reads();
            needed.extend(instruction.writes());
            needed
        });
        let needed = needed.unwrap_or_default();
        let mut flights = self.flights.iter();
        let blocking = flights.find(|flight| {
            flight
                .writes
                .iter()
                .any(|write| needed.iter().any(|need| same(need, write)))
        });
        match blocking {
            Some(flight) => Waits::Result { pc: flight.shown.pc },
            None => Waits::Turn,
        }
    }
}

/// True if the scoreboard treats two resources as the same: only registers count, and a half counts as its register.
fn same(one: &Resource, other: &Resource) -> bool {
    match (one, other) {
        (Resource::Register { index: one, .. }, Resource::Register { index: other, .. }) => one == other,
        (Resource::Address(one), Resource::Address(other)) => one == other,
        (Resource::ConditionCode(one), Resource::ConditionCode(other)) => one == other,
        _ => false,
    }
}
