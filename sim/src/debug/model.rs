//! The golden model under a session: a warp instruction a step.

use crate::debug::target::{Clock, Edit, Issue, Register, Registers, Space, Target, Waits, WarpId, WarpState};
use crate::engines::error::RunError;
use crate::trace::ending::Ending;
use flexgrip_machine::{Configuration, Launch, LaunchError, Retire};
use flexgrip_model::{Memory, Stepped, Warp};

/// The golden model.
#[derive(Clone)]
pub struct ModelTarget {
    model: Stepped,
    time: u64,
    issues: Vec<Issue>,
    retired: Vec<Retire>,
    ending: Option<Ending>,
}

impl ModelTarget {
    /// A launch before its first instruction.
    ///
    /// # Errors
    /// The launch does not fit the machine.
    pub fn new(launch: Launch, configuration: Configuration) -> Result<Self, LaunchError> {
        let mut target = ModelTarget {
            model: Stepped::new(launch, configuration)?,
            time: 0,
            issues: Vec::new(),
            retired: Vec::new(),
            ending: None,
        };
        target.look();
        Ok(target)
    }

    /// Looks for what comes next.
    fn look(&mut self) {
        self.issues.clear();
        match self.model.next() {
            Ok(Some((block, warp))) => {
                let id = WarpId { block, warp };
                let pc = self.warp(id).map_or(0, |(.., warp)| warp.pc);
                self.issues.push(Issue { warp: id, pc });
            }
            Ok(None) => self.ending = Some(Ending::Complete),
            Err(error) => self.ending = Some(Ending::Failed(error)),
        }
    }

    /// A warp on an SM, with its SM and slot.
    fn warp(&self, id: WarpId) -> Option<(u32, u32, &Warp)> {
        let (_, sm, first, block) = self.model.resident().find(|(index, ..)| *index == id.block)?;
        Some((sm, first + id.warp, block.warps.get(id.warp as usize)?))
    }

    fn missing(id: WarpId) -> String {
        format!("warp {id} is on no SM now")
    }

    fn memory(&self, space: Space) -> Result<&Memory, String> {
        let machine = self.model.machine();
        match space {
            Space::Global => Ok(machine.global()),
            Space::Constant(bank) => (machine.constant().bank(bank)).ok_or_else(|| format!("there is no {space}")),
            Space::Shared(block) => match machine.block(block) {
                Some(block) => Ok(&block.shared),
                None => Err(format!("block {block} is on no SM now")),
            },
            Space::Local(id, lane) => {
                let (sm, slot, _) = self.warp(id).ok_or_else(|| Self::missing(id))?;
                let unused = || format!("{space} has not been used yet");
                self.model.local(sm, slot, lane).ok_or_else(unused)
            }
        }
    }
}

fn outside(space: Space, address: u32, bytes: usize, size: u32) -> String {
    format!("{bytes} bytes at {address:#x} are not all in {space}, which has {size}")
}

impl Target for ModelTarget {
    fn name(&self) -> &'static str {
        "model"
    }

    fn clock(&self) -> Clock {
        Clock::Instructions
    }

    fn time(&self) -> u64 {
        self.time
    }

    fn step(&mut self) -> Result<(), RunError> {
        self.retired.clear();
        if self.ending.is_some() {
            return Ok(());
        }
        match self.model.step() {
            Ok(Some(record)) => {
                self.retired.push(record);
                self.time += 1;
                self.look();
            }
            Ok(None) => self.ending = Some(Ending::Complete),
            Err(error) => {
                // Its instruction has had its turn, so that the moment before it is another one.
                self.time += 1;
                self.issues.clear();
                self.ending = Some(Ending::Failed(error));
            }
        }
        Ok(())
    }

    fn issues(&self) -> &[Issue] {
        &self.issues
    }

    fn retired(&self) -> &[Retire] {
        &self.retired
    }

    fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    fn copy(&self) -> Box<dyn Target> {
        Box::new(self.clone())
    }

    fn size(&self) -> usize {
        let machine = self.model.machine();
        let images = machine.launch().memory.iter().map(|image| image.words.len() * 4);
        let constants = (0..).map_while(|bank| machine.constant().bank(bank));
        let memories = constants.chain([machine.global()]).map(|memory| memory.size() as usize);
        // A register is 4 bytes for 32 lanes; a block has at most 16 KiB of shared memory.
        let warps = self.model.resident().map(|(.., block)| block.warps.len());
        let registers = machine.launch().registers as usize * 128;
        images.sum::<usize>() + memories.sum::<usize>() + warps.map(|warps| warps * registers + 16384).sum::<usize>()
    }

    fn warps(&self) -> Vec<WarpState> {
        let blocks = self.model.resident();
        let warps = blocks.flat_map(|(index, sm, first, block)| {
            let warps = block.warps.iter().zip(0..);
            warps.map(move |(state, warp)| WarpState {
                id: WarpId { block: index, warp },
                sm,
                slot: first + warp,
                pc: (!state.ended).then_some(state.pc),
                threads: state.threads,
                active: state.active,
                stack: state.stack.entries().to_vec(),
                waits: match state.waiting {
                    _ if state.ended => Waits::Ended,
                    Some(waiting) => Waits::Barrier {
                        barrier: waiting.barrier,
                        pc: waiting.pc,
                    },
                    None => Waits::Turn,
                },
                in_flight: Vec::new(),
            })
        });
        warps.collect()
    }

    fn registers(&self, warp: WarpId) -> Option<Registers> {
        let (.., warp) = self.warp(warp)?;
        Some(Registers {
            general: warp.registers.clone(),
            conditions: warp.cc,
            addresses: warp.address,
        })
    }

    fn read(&self, space: Space, address: u32, bytes: u32) -> Result<Vec<u8>, String> {
        let memory = self.memory(space)?;
        let (from, length) = (address as usize, bytes as usize);
        let place = from.checked_add(length).and_then(|to| memory.bytes().get(from..to));
        let place = place.ok_or_else(|| outside(space, address, length, memory.size()))?;
        Ok(place.to_vec())
    }

    fn apply(&mut self, edit: &Edit) -> Result<(), String> {
        match edit {
            Edit::Register {
                warp: id,
                register,
                lane,
                value,
            } => {
                let block = self.model.block_mut(id.block);
                let warp = block.and_then(|block| block.warps.get_mut(id.warp as usize));
                let warp = warp.ok_or_else(|| Self::missing(*id))?;
                let lane = usize::from(*lane) % 32;
                match register {
                    Register::General(number) => {
                        let registers = warp.registers.len();
                        let place = warp.registers.get_mut(usize::from(*number));
                        let missing = || format!("there is no {register}: a thread has {registers} registers");
                        place.ok_or_else(missing)?[lane] = *value;
                    }
                    Register::Condition(number) => warp.cc[usize::from(*number) % 4][lane] = *value as u8 & 15,
                    Register::Address(number) => {
                        warp.address[usize::from(*number).wrapping_sub(1) % 4][lane] = *value as u16;
                    }
                }
            }
            Edit::Memory { space, address, bytes } => {
                let size = match self.memory(*space) {
                    Ok(memory) => memory.size(),
                    Err(_) if matches!(space, Space::Local(id, _) if self.warp(*id).is_some()) => {
                        self.model.machine().launch().local_bytes
                    }
                    Err(error) => return Err(error),
                };
                if u64::from(*address) + bytes.len() as u64 > u64::from(size) {
                    return Err(outside(*space, *address, bytes.len(), size));
                }
                let place = match *space {
                    Space::Global => Some(self.model.global_mut()),
                    Space::Constant(_) => return Err("constant memory is not changed while a grid runs".into()),
                    Space::Shared(block) => self.model.block_mut(block).map(|block| &mut block.shared),
                    Space::Local(id, lane) => {
                        let place = self.warp(id).map(|(sm, slot, _)| (sm, slot));
                        place.and_then(|(sm, slot)| self.model.local_mut(sm, slot, lane))
                    }
                };
                let place = place.ok_or_else(|| format!("there is no {space} now"))?;
                for (byte, address) in bytes.iter().zip(*address..) {
                    place
                        .write(address, 1, u128::from(*byte))
                        .map_err(|_| outside(*space, address, 1, size))?;
                }
            }
            Edit::Flip { name, .. } => {
                return Err(format!("`{name}`: the model has no flip-flops; the circuits have"));
            }
        }
        Ok(())
    }
}
