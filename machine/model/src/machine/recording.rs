//! Records of instructions, whole or in outline.

use crate::execute::{Recorder, Surroundings};
use flexgrip_machine::{
    AddressWrite, BarrierEffect, CcWrite, MemoryEffect, MemorySpace, Next, RegisterWrite, Retire, StackOperation,
};

/// Sets the location of the next instruction in its record.
pub(super) fn place(record: &mut Retire, surroundings: Surroundings, block: u32, warp_in_block: u32) {
    (record.sm, record.warp) = (surroundings.sm, surroundings.slot);
    (record.block, record.warp_in_block) = (block, warp_in_block);
}

impl Recorder for Retire {
    fn begin(&mut self, pc: u32, word: u64, active: u32, executed: u32) {
        (self.pc, self.word, self.active, self.executed) = (pc, word, active, executed);
    }

    fn register(&mut self, write: impl FnOnce() -> RegisterWrite) {
        match self.destination {
            None => self.destination = Some(write()),
            Some(_) => self.further.push(write()),
        }
    }

    fn cc(&mut self, write: impl FnOnce() -> CcWrite) {
        self.cc = Some(write());
    }

    fn address(&mut self, write: impl FnOnce() -> AddressWrite) {
        self.address = Some(write());
    }

    fn post_increment(&mut self, write: impl FnOnce() -> AddressWrite) {
        self.post_increment = Some(write());
    }

    fn memory(&mut self, effect: MemoryEffect) {
        self.memory.push(effect);
    }

    fn stack(&mut self, operation: StackOperation) {
        self.stack.push(operation);
    }

    fn barrier(&mut self, effect: BarrierEffect) {
        self.barrier = Some(effect);
    }

    fn next(&mut self, next: Next) {
        self.next = next;
    }
}

/// A record that is reused for each instruction, without writes of registers, shared memory and the stack.
pub(super) struct Outline<'a>(pub &'a mut Retire);

impl Recorder for Outline<'_> {
    fn begin(&mut self, pc: u32, word: u64, active: u32, executed: u32) {
        self.0.memory.clear();
        self.0.barrier = None;
        self.0.begin(pc, word, active, executed);
    }

    fn memory(&mut self, effect: MemoryEffect) {
        if effect.space != MemorySpace::Shared {
            self.0.memory.push(effect);
        }
    }

    fn barrier(&mut self, effect: BarrierEffect) {
        self.0.barrier = Some(effect);
    }

    fn next(&mut self, next: Next) {
        self.0.next = next;
    }
}

#[cfg(test)]
mod tests {
    use crate::Machine;
    use flexgrip_machine::{Configuration, ImageSpace, Launch, MemoryEffect, MemoryImage, MemorySpace, Retire};
    use std::ops::ControlFlow;

    #[test]
    fn outline_omits_registers_shared_memory_and_stack() {
        let program = "\
            SSY end\n\
            MVI R1, 64\n\
            GLD.S64 R2, global14[R1]\n\
            GST.U32 global14[R1], R3\n\
            R2G.U32.U32 g[8], R2\n\
            BAR.ARV.WAIT b0, 0xfff\n\
            end: NOP.S\n\
            RET\n";
        let program = flexgrip_isa::assemble(program, "t").unwrap();
        let launch = Launch {
            program: program.words,
            registers: 4,
            shared_bytes: 64,
            grid: [2, 1],
            block: [40, 1, 1],
            memory: vec![MemoryImage {
                space: ImageSpace::Global,
                address: 64,
                words: vec![1, 2],
            }],
            ..Launch::default()
        };
        let new = || Machine::new(launch.clone(), Configuration::default()).unwrap();
        let (mut whole, mut outlined) = (vec![], vec![]);
        new().run_observed(100, |record| whole.push(record.clone())).unwrap();
        let ended = new().run_outlined(100, &mut |record| {
            outlined.push(record.clone());
            ControlFlow::Continue(())
        });
        assert!(ended.is_ok_and(|ended| ended.is_continue()));
        assert!(whole
            .iter()
            .any(|record| record.destination.is_some() && !record.further.is_empty()));
        assert!(whole.iter().any(|record| !record.stack.is_empty()));
        let shared = |effect: &MemoryEffect| effect.space == MemorySpace::Shared;
        assert!(whole.iter().any(|record| record.memory.iter().any(shared)));
        let expected: Vec<Retire> = whole
            .into_iter()
            .map(|record| Retire {
                destination: None,
                further: vec![],
                cc: None,
                address: None,
                post_increment: None,
                stack: vec![],
                memory: record.memory.iter().filter(|effect| !shared(effect)).copied().collect(),
                ..record
            })
            .collect();
        assert_eq!(outlined, expected);
        let mut seen = 0;
        let ended = new().run_outlined(100, &mut |_| {
            seen += 1;
            ControlFlow::Break(())
        });
        assert_eq!((ended, seen), (Ok(ControlFlow::Break(())), 1));
    }
}
