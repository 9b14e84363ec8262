//! The golden model in a session: a warp instruction per step.

mod check;

use crate::debug::target::{
    Advance, Clock, Edit, Issue, Mistake, Register, Registers, Space, Target, Waits, WarpId, WarpState,
};
use check::next_mistake;
use flexgrip_engines::error::RunError;
use flexgrip_engines::trace::ending::Ending;
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

    /// Determines the next instruction, or the ending.
    fn look(&mut self) {
        self.issues.clear();
        match self.model.next() {
            Ok(Some((block, warp))) => {
                let id = WarpId { block, warp };
                let pc = self.warp_on_sm(id).map_or(0, |(.., warp)| warp.pc);
                self.issues.push(Issue { warp: id, pc });
            }
            Ok(None) => self.ending = Some(Ending::Complete),
            Err(error) => self.ending = Some(Ending::Failed(error)),
        }
    }

    /// A warp on an SM, with its SM and slot.
    fn warp_on_sm(&self, id: WarpId) -> Result<(u32, u32, &Warp), String> {
        let resident = self.model.resident().find(|(index, ..)| *index == id.block);
        let found = resident.and_then(|(_, sm, first, block)| {
            let warp = block.warps.get(id.warp as usize)?;
            Some((sm, first + id.warp, warp))
        });
        found.ok_or_else(|| id.missing())
    }

    fn memory(&self, space: Space) -> Result<&Memory, String> {
        let machine = self.model.machine();
        match space {
            Space::Global => Ok(machine.global()),
            Space::Constant(bank) => (machine.constant().bank(bank)).ok_or_else(|| format!("{space} does not exist")),
            Space::Shared(block) => match machine.block(block) {
                Some(block) => Ok(&block.shared),
                None => Err(format!("block {block} is not resident now")),
            },
            Space::Local(id, lane) => {
                let (sm, slot, _) = self.warp_on_sm(id)?;
                let unused = || format!("{space} has not been used yet");
                self.model.local(sm, slot, lane).ok_or_else(unused)
            }
        }
    }
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

    fn step(&mut self) -> Result<Advance, RunError> {
        self.retired.clear();
        if self.ending.is_some() {
            return Ok(Advance::Done);
        }
        match self.model.step() {
            Ok(Some(record)) => {
                self.retired.push(record);
                self.time += 1;
                self.look();
            }
            Ok(None) => self.ending = Some(Ending::Complete),
            Err(error) => {
                // The failed instruction counts as a step, so the state before it has a time of its own.
                self.time += 1;
                self.issues.clear();
                self.ending = Some(Ending::Failed(error));
            }
        }
        Ok(Advance::Done)
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

    fn copy(&self) -> Option<Box<dyn Target>> {
        Some(Box::new(self.clone()))
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

    fn registers(&self, warp: WarpId) -> Result<Registers, String> {
        let (.., warp) = self.warp_on_sm(warp)?;
        Ok(warp.into())
    }

    fn lanes(&self, warp: WarpId, register: Register) -> Result<[u32; 32], String> {
        let (.., warp) = self.warp_on_sm(warp)?;
        Ok(register.lanes(warp))
    }

    fn extent(&self, space: Space) -> Result<u32, String> {
        match space {
            // The bytes that a thread can use; the memory exists only after the first use.
            Space::Local(id, _) => {
                self.warp_on_sm(id)?;
                Ok(self.model.machine().launch().local_bytes)
            }
            space => Ok(self.memory(space)?.size()),
        }
    }

    fn read(&self, space: Space, address: u32, bytes: u32) -> Result<Vec<u8>, String> {
        let memory = self.memory(space)?;
        self.check(space, address, bytes as usize)?;
        let from = address as usize;
        Ok(memory.bytes()[from..from + bytes as usize].to_vec())
    }

    fn next_mistake(
        &self,
        place: &dyn Fn(u32) -> Option<String>,
        limit: u64,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Mistake>, String> {
        let machine = self.model.machine();
        let run = (machine.launch(), machine.configuration());
        next_mistake(run, self.time, place, limit, interrupted)
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
                let warp = warp.ok_or_else(|| id.missing())?;
                let lane = usize::from(*lane) % 32;
                match register {
                    Register::General(number) => {
                        let registers = warp.registers.len();
                        let place = warp.registers.get_mut(usize::from(*number));
                        let missing = || format!("{register} does not exist: a thread has {registers} registers");
                        place.ok_or_else(missing)?[lane] = *value;
                    }
                    Register::Condition(number) => warp.cc[usize::from(*number) % 4][lane] = *value as u8 & 15,
                    Register::Address(number) => {
                        warp.address[usize::from(*number).wrapping_sub(1) % 4][lane] = *value as u16;
                    }
                }
            }
            Edit::Memory { space, address, bytes } => {
                self.check(*space, *address, bytes.len())?;
                let place = match *space {
                    Space::Global => Some(self.model.global_mut()),
                    Space::Constant(_) => return Err("constant memory cannot be changed while a grid runs".into()),
                    Space::Shared(block) => self.model.block_mut(block).map(|block| &mut block.shared),
                    Space::Local(id, lane) => {
                        let (sm, slot, _) = self.warp_on_sm(id)?;
                        self.model.local_mut(sm, slot, lane)
                    }
                };
                let missing = || format!("{space} does not exist now");
                let place = place.ok_or_else(missing)?;
                for (byte, address) in bytes.iter().zip(*address..) {
                    place.write(address, 1, u128::from(*byte)).map_err(|_| missing())?;
                }
            }
            Edit::Flip { name, .. } => {
                return Err(format!("`{name}`: the model has no flip-flops; use --engine rtl"));
            }
        }
        Ok(())
    }
}
