//! The circuits' state, reconstructed from the trace: registers, masks, stacks, memories.
//!
//! The trace reports every change when the circuits make it, so registers, condition codes, masks and stacks always
//! equal the state of the circuits. A store to shared memory is reported when the banks get it. Stores to global and
//! local memory take effect when their instruction has retired, because only then all of its threads' stores and their
//! order are known.

use crate::debug::target::{Space, WarpId};
use crate::debug::tracker::Masks;
use flexgrip_machine::trace::{Event, IncrementEvent, SharedEvent, StackEvent, WriteEvent};
use flexgrip_machine::{Configuration, Entry, EntryKind, Launch, LaunchError, MemorySpace, Retire};
use flexgrip_model::{Block, ConstantMemory, Machine, Memory, Warp};
use std::collections::BTreeMap;

/// A block on an SM.
struct ShadowBlock {
    /// The block's warps and shared memory.
    block: Block,
    /// The warps' divergence stacks, the top last.
    stacks: Vec<Vec<Entry>>,
}

/// The state of a machine.
pub(super) struct Shadow {
    launch: Launch,
    lanes: u32,
    /// The blocks by linear index.
    blocks: BTreeMap<u32, ShadowBlock>,
    /// The warp of the last instruction with each tag, by SM and tag.
    tags: BTreeMap<(u32, u16), WarpId>,
    global: Memory,
    constant: ConstantMemory,
    /// Local memories by SM, slot and lane, after their first store. The next warp in the slot inherits them.
    local: BTreeMap<(u32, u32, u8), Memory>,
}

/// The lanes of a beat that are set in `mask`, each with its thread.
fn threads(lanes: u32, beat: u32, mask: u32) -> impl Iterator<Item = (usize, usize)> {
    let set = (0..lanes.min(32)).filter(move |lane| mask >> lane & 1 == 1);
    let threads = set.map(move |lane| (lane as usize, (beat * lanes + lane) as usize));
    threads.filter(|(_, thread)| *thread < 32)
}

impl Shadow {
    /// The state of a checked launch after its start.
    ///
    /// # Errors
    /// The launch does not fit the machine.
    pub fn new(launch: &Launch, configuration: &Configuration) -> Result<Self, LaunchError> {
        // The model has the initial memories; no instruction is executed on it.
        let beginning = Machine::new(launch.clone(), configuration.clone())?;
        Ok(Shadow {
            launch: launch.clone(),
            lanes: configuration.lanes.count(),
            blocks: BTreeMap::new(),
            tags: BTreeMap::new(),
            global: beginning.global().clone(),
            constant: beginning.constant().clone(),
            local: BTreeMap::new(),
        })
    }

    fn of_tag(&mut self, sm: u32, tag: u16) -> Option<(&mut ShadowBlock, usize)> {
        let id = *self.tags.get(&(sm, tag))?;
        Some((self.blocks.get_mut(&id.block)?, id.warp as usize))
    }

    fn warp_of_tag(&mut self, sm: u32, tag: u16) -> Option<&mut Warp> {
        let (block, warp) = self.of_tag(sm, tag)?;
        block.block.warps.get_mut(warp)
    }

    /// Processes an event of a cycle that is over. `warp` gives the warp in a slot of the event's SM. The assembler has
    /// rejected impossible events before.
    pub fn event(&mut self, sm: u32, event: &Event, warp: impl Fn(u32) -> Option<WarpId>) {
        match event {
            Event::Launch(launched) => self.launched(launched.block),
            Event::Issue(issue) => {
                if let Some(id) = warp(issue.warp) {
                    self.tags.insert((sm, issue.tag), id);
                }
            }
            Event::Shared(shared) => self.shared(sm, shared),
            Event::Increment(increment) => self.increment(sm, increment),
            Event::Stack(stack) => self.stack(sm, stack),
            Event::Write(write) => self.write(sm, write),
            Event::Next(next) => {
                if let Some(warp) = self.warp_of_tag(sm, next.tag) {
                    warp.ended = next.ended;
                    warp.active = next.active;
                }
            }
            Event::Mask(_) | Event::Memory(_) => {}
        }
    }

    /// Begins a block with its first warp.
    fn launched(&mut self, index: u32) {
        let launch = &self.launch;
        self.blocks.entry(index).or_insert_with(|| {
            let block = Block::new(launch, index);
            let stacks = vec![Vec::new(); block.warps.len()];
            ShadowBlock { block, stacks }
        });
    }

    fn stack(&mut self, sm: u32, event: &StackEvent) {
        let Some((block, warp)) = self.of_tag(sm, event.tag) else {
            return;
        };
        let kind = EntryKind::ALL.get(event.kind as usize);
        match (block.stacks.get_mut(warp), kind) {
            (Some(stack), Some(kind)) if event.push => stack.push(Entry {
                kind: *kind,
                mask: event.mask,
                pc: event.pc,
            }),
            (Some(stack), _) => {
                stack.pop();
            }
            (None, _) => {}
        }
    }

    fn write(&mut self, sm: u32, event: &WriteEvent) {
        let lanes = self.lanes;
        let Some(warp) = self.warp_of_tag(sm, event.tag) else {
            return;
        };
        let threads = || threads(lanes, event.beat, event.lanes);
        let register = warp.registers.get_mut(event.register as usize);
        if let Some(values) = register.filter(|_| event.register_enable) {
            for (lane, thread) in threads() {
                let (old, new) = (values[thread], event.data[lane]);
                values[thread] = match event.halves {
                    1 => old & !0xffff | new & 0xffff,
                    2 => old & 0xffff | new << 16,
                    _ => new,
                };
            }
        }
        if event.condition_enable {
            for (lane, thread) in threads() {
                warp.cc[event.condition_register as usize % 4][thread] = event.condition[lane] & 15;
            }
        }
        if event.address_enable {
            for (lane, thread) in threads() {
                warp.address[event.address_register as usize % 4][thread] = event.data[lane] as u16;
            }
        }
    }

    fn increment(&mut self, sm: u32, event: &IncrementEvent) {
        let lanes = self.lanes;
        if let Some(warp) = self.warp_of_tag(sm, event.tag) {
            for (lane, thread) in threads(lanes, event.beat, event.lanes) {
                warp.address[event.register as usize % 4][thread] = event.data[lane] as u16;
            }
        }
    }

    fn shared(&mut self, sm: u32, event: &SharedEvent) {
        let bytes = match event.access {
            0 => 1,
            1 => 2,
            _ => 4,
        };
        let Some((block, _)) = self.of_tag(sm, event.tag) else {
            return;
        };
        for i in (0..16).filter(|i| event.threads >> i & 1 == 1) {
            // An access outside is an error of the kernel, which the circuits report.
            let _ = block.block.shared.write(event.address[i], bytes, event.data[i].into());
        }
    }

    /// Applies the stores of a retired instruction to global and local memory.
    pub fn retire(&mut self, record: &Retire) {
        for effect in record.memory.iter().filter(|effect| effect.store) {
            let memory = match effect.space {
                MemorySpace::Global => &mut self.global,
                MemorySpace::Local => {
                    let bytes = self.launch.local_bytes;
                    let place = (record.sm, record.warp, effect.lane);
                    self.local.entry(place).or_insert_with(|| Memory::new(bytes))
                }
                // The store has its own event.
                MemorySpace::Shared => continue,
            };
            // The circuits report accesses outside, like for shared memory.
            let _ = memory.write(effect.address, effect.bytes.into(), effect.data);
        }
    }

    /// Removes the blocks whose warps have all ended, unless `there` is true for them.
    pub fn clear_ended(&mut self, there: impl Fn(u32) -> bool) {
        self.blocks.retain(|index, block| !block.block.ended() || there(*index));
    }

    /// A warp's masks and stack.
    pub fn masks(&self, id: WarpId) -> Option<Masks> {
        let block = self.blocks.get(&id.block)?;
        let (warp, stack) = (id.warp as usize, block.stacks.get(id.warp as usize)?);
        let warp = block.block.warps.get(warp)?;
        Some(Masks {
            active: warp.active,
            threads: warp.threads,
            stack: stack.clone(),
        })
    }

    /// A warp with its registers.
    ///
    /// # Errors
    /// The warp is on no SM.
    pub fn warp(&self, id: WarpId) -> Result<&Warp, String> {
        let block = self.blocks.get(&id.block);
        let warp = block.and_then(|block| block.block.warps.get(id.warp as usize));
        warp.ok_or_else(|| id.missing())
    }

    /// The bytes of a memory; `None` if it does not exist now. `place`: SM and slot of the warp, for local memory.
    pub fn memory(&self, space: Space, place: Option<(u32, u32)>) -> Option<&[u8]> {
        Some(match space {
            Space::Global => self.global.bytes(),
            Space::Constant(bank) => self.constant.bank(bank)?.bytes(),
            Space::Shared(block) => self.blocks.get(&block)?.block.shared.bytes(),
            Space::Local(_, lane) => {
                let (sm, slot) = place?;
                self.local.get(&(sm, slot, lane))?.bytes()
            }
        })
    }
}
