//! A scoreboard for timelines: the last writer of each register in a warp slot, and the waits between two instructions.
//!
//! The circuits do not report why a warp waits. It is derived from the times at which each instruction was issued, read
//! its operands, wrote its results and determined where the warp continues. Between an instruction and the next one of
//! its warp:
//!
//! 1. The first [`APART`] cycles always pass, and do not count as a wait.
//! 2. After a BAR the whole rest is a wait for the barrier. After an instruction that passes through the operand
//!    collector, the warp waits until its operand has been read; after a control instruction, until it is resolved.
//! 3. Then it waits until the last register that the next instruction reads or writes has been written, or everything
//!    in flight, if the next one may end the warp. The wait has the name of the last of these.
//! 4. The rest is a wait for its turn: no dependency is left.

use crate::timeline::code::{register_name, CodeKind, ProgramInstruction, Reason, REGISTERS};
use crate::timeline::instruction::{Instruction, Need, On, Wait};
use std::rc::Rc;

/// Cycles between two independent instructions of a warp, from `docs/pipeline.md`.
pub(super) const APART: u64 = 5;

/// The last writer of a register.
#[derive(Clone, Debug)]
struct Writer {
    number: u64,
    pc: u32,
    code: Rc<ProgramInstruction>,
    /// The time at which the result is written.
    done: u64,
    /// True for a load with a result that no instruction has used yet.
    unused_load: bool,
}

/// A warp slot, and the warp in it.
#[derive(Clone, Debug)]
pub(super) struct Warp {
    /// The warp's block, and its index in the block.
    identity: Option<(u32, u32)>,
    writers: Vec<Option<Writer>>,
    /// The instruction with the latest end.
    latest: Option<Writer>,
    /// The latest instruction, and the loads with their first use in it.
    pending: Option<(Instruction, Vec<u64>)>,
}

/// The output for an instruction.
#[derive(Default)]
pub(super) struct Next {
    pub needs: Vec<Need>,
    /// The slot's previous instruction, with its first uses and the end of its slice.
    pub before: Option<(Instruction, Vec<u64>, u64)>,
    /// The waits within that stay.
    pub waits: Vec<Wait>,
}

impl Warp {
    pub(super) fn new() -> Self {
        Warp {
            identity: None,
            writers: vec![None; REGISTERS],
            latest: None,
            pending: None,
        }
    }

    /// True if an instruction belongs to a different warp from the one in the slot.
    pub(super) fn is_new(&self, block: u32, warp_in_block: u32) -> bool {
        self.identity != Some((block, warp_in_block))
    }

    /// Adds the slot's next instruction, and returns it. `clock`: true if waits are known.
    pub(super) fn next(&mut self, instruction: Instruction, clock: bool, next: &mut Next) -> &Instruction {
        let same = !self.is_new(instruction.block, instruction.warp_in_block);
        if !same {
            let pending = self.pending.take();
            *self = Warp::new();
            self.pending = pending;
            self.identity = Some((instruction.block, instruction.warp_in_block));
        }
        next.waits.clear();
        next.before = self.pending.take().map(|(before, uses)| {
            if same && clock {
                self.waits(&before, &instruction, &mut next.waits);
                (before, uses, instruction.begin)
            } else {
                let until = before.end.min(instruction.begin);
                (before, uses, until)
            }
        });
        self.needs(&instruction, &mut next.needs);
        let uses = next.needs.iter().filter(|need| need.first_use_of_load);
        let uses = uses.map(|need| need.producer).collect();
        self.write(&instruction);
        &self.pending.insert((instruction, uses)).0
    }

    /// The last instruction, with its first uses, at the end of the warp.
    pub(super) fn end(&mut self) -> Option<(Instruction, Vec<u64>)> {
        self.pending.take()
    }

    fn write(&mut self, instruction: &Instruction) {
        let writer = |done| Writer {
            number: instruction.number,
            pc: instruction.pc,
            code: instruction.code.clone(),
            done,
            unused_load: instruction.code.kind.is_load(),
        };
        for &register in &instruction.code.writes {
            self.writers[usize::from(register)] = Some(writer(instruction.written));
        }
        if self.latest.as_ref().is_none_or(|latest| latest.done <= instruction.end) {
            self.latest = Some(writer(instruction.end));
        }
    }

    /// Finds the producers of the results that this instruction reads, each once.
    fn needs(&mut self, instruction: &Instruction, needs: &mut Vec<Need>) {
        needs.clear();
        for &register in &instruction.code.reads {
            let Some(writer) = &mut self.writers[usize::from(register)] else {
                continue;
            };
            if needs.iter().any(|need| need.producer == writer.number) {
                continue;
            }
            let (producer, first_use_of_load) = (writer.number, writer.unused_load);
            needs.push(Need {
                producer,
                first_use_of_load,
            });
            if first_use_of_load {
                let of_load = self.writers.iter_mut().flatten();
                of_load
                    .filter(|writer| writer.number == producer)
                    .for_each(|writer| writer.unused_load = false);
            }
        }
    }

    /// The dependency of `next` that is resolved last.
    fn blocker(&self, next: &Instruction) -> Option<&Writer> {
        let code = &next.code;
        let registers = code.reads.iter().chain(&code.writes);
        let written = registers.filter_map(|&register| self.writers[usize::from(register)].as_ref());
        let everything = self.latest.as_ref().filter(|_| code.may_end);
        written.chain(everything).max_by_key(|writer| writer.done)
    }

    fn waits(&self, before: &Instruction, next: &Instruction, waits: &mut Vec<Wait>) {
        let mut now = before.begin + APART;
        let mut wait = |until: u64, reason: Reason, on: Option<On>| {
            let to = until.min(next.begin);
            if to > now {
                waits.push(Wait {
                    from: now,
                    to,
                    reason,
                    on,
                });
                now = to;
            }
        };
        if before.code.kind == CodeKind::Barrier {
            wait(next.begin, Reason::Barrier, None);
        }
        wait(before.read, Reason::Collector, None);
        if let Some(resolved) = before.resolved {
            wait(resolved, Reason::Branch, None);
        }
        if let Some(writer) = self.blocker(next) {
            let on = On {
                producer: writer.number,
                pc: writer.pc,
                code: writer.code.clone(),
                what: awaited(&next.code, &writer.code),
            };
            wait(writer.done, writer.code.kind.reason(), Some(on));
        }
        wait(next.begin, Reason::Turn, None);
    }
}

/// The registers that `next` waits for, as text; if there are none, everything that the warp has in flight.
fn awaited(next: &ProgramInstruction, producer: &ProgramInstruction) -> String {
    let mut names: Vec<String> = Vec::new();
    for &register in next.reads.iter().chain(&next.writes) {
        let name = register_name(register);
        if producer.writes.contains(&register) && !names.contains(&name) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => "all in flight".into(),
        false => names.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::instruction::tests::instruction;

    /// The waits between the two, as text.
    fn waits(before: Instruction, next: Instruction) -> Vec<String> {
        let (mut warp, mut found) = (Warp::new(), Next::default());
        warp.next(before, true, &mut found);
        assert!(found.before.is_none());
        warp.next(next.clone(), true, &mut found);
        assert_eq!(found.before.map(|(_, _, until)| until), Some(next.begin));
        let text = |wait: &Wait| {
            let what = wait
                .on
                .as_ref()
                .map_or(String::new(), |on| format!(" {} of {}", on.what, on.producer));
            format!("{}..{} {}{what}", wait.from, wait.to, wait.reason.name())
        };
        found.waits.iter().map(text).collect()
    }

    #[test]
    fn wait_is_named_for_the_last_dependency() {
        let next = |begin| instruction(1, "IADD R3, R2, R1", begin, begin + 10);
        let add = |written| instruction(0, "IADD R1, R0, R0", 10, written);
        assert_eq!(waits(add(20), next(18)), ["15..18 wait: arithmetic R1 of 0"]);
        assert_eq!(
            waits(add(20), next(22)),
            ["15..20 wait: arithmetic R1 of 0", "20..22 wait: turn"]
        );
        assert_eq!(waits(add(20), next(15)), [""; 0]);
        // The register was written before the next instruction could have been issued.
        assert_eq!(waits(add(14), next(17)), ["15..17 wait: turn"]);
        let load = instruction(0, "GLD.U32 R1, global14[R0]", 10, 50);
        assert_eq!(
            waits(load, next(52)),
            ["15..50 wait: memory R1 of 0", "50..52 wait: turn"]
        );
        let special = instruction(0, "RCP R2, R0", 10, 40);
        assert_eq!(waits(special, next(40)), ["15..40 wait: special function R2 of 0"]);
        let other = instruction(0, "IADD R5, R0, R0", 10, 40);
        assert_eq!(waits(other, next(16)), ["15..16 wait: turn"]);
        // A write after a write of the same register.
        let again = instruction(0, "IADD R3, R0, R0", 10, 20);
        assert_eq!(waits(again, next(20)), ["15..20 wait: arithmetic R3 of 0"]);
    }

    #[test]
    fn barriers_branches_and_the_collector_come_first() {
        let next = |begin| instruction(1, "IADD R3, R2, R1", begin, begin + 10);
        let barrier = instruction(0, "BAR.ARV.WAIT b0, 0xfff", 10, 20);
        assert_eq!(waits(barrier, next(90)), ["15..90 wait: barrier"]);
        let branch = Instruction {
            resolved: Some(17),
            ..instruction(0, "BRA 0", 10, 16)
        };
        assert_eq!(waits(branch, next(20)), ["15..17 wait: branch", "17..20 wait: turn"]);
        let collected = Instruction {
            read: 24,
            ..instruction(0, "IADD R1, R0, R0", 10, 34)
        };
        let expected = ["15..24 wait: collector", "24..33 wait: arithmetic R1 of 0"];
        assert_eq!(waits(collected, next(33)), expected);
    }

    #[test]
    fn warp_end_waits_for_instructions_in_flight() {
        let store = instruction(0, "GST.U32 global14[R0], R4", 10, 60);
        assert_eq!(
            waits(store, instruction(1, "RET", 60, 70)),
            ["15..60 wait: memory all in flight of 0"]
        );
    }

    #[test]
    fn results_have_producers_and_loads_a_first_use() {
        let mut warp = Warp::new();
        let mut found = Next::default();
        let mut next = |number, text: &str| {
            warp.next(
                instruction(number, text, 10 * number, 10 * number + 8),
                true,
                &mut found,
            );
            let needs = found.needs.iter();
            needs
                .map(|need| (need.producer, need.first_use_of_load))
                .collect::<Vec<_>>()
        };
        assert_eq!(next(0, "GLD.S64 R4, global14[R0]"), []);
        assert_eq!(next(1, "IADD R1, R4, R4"), [(0, true)]);
        assert_eq!(next(2, "IADD R2, R5, R1"), [(0, false), (1, false)]);
        assert_eq!(next(3, "IADD R4, R2, R2"), [(2, false)]);
        assert_eq!(next(4, "IADD R4, R4, R5"), [(3, false), (0, false)]);
    }

    #[test]
    fn new_warp_in_a_slot_has_no_dependencies() {
        let (mut warp, mut found) = (Warp::new(), Next::default());
        assert!(warp.is_new(0, 0));
        warp.next(instruction(0, "IADD R1, R0, R0", 10, 20), true, &mut found);
        let other = Instruction {
            block: 1,
            ..instruction(1, "IADD R2, R1, R1", 15, 25)
        };
        assert!(warp.is_new(1, 0) && !warp.is_new(0, 0));
        warp.next(other, true, &mut found);
        assert_eq!(found.needs, []);
        let (before, _, until) = found.before.expect("a stay");
        assert_eq!((before.number, until, found.waits.len()), (0, 15, 0));
        assert_eq!(warp.end().map(|(last, _)| last.number), Some(1));
        assert!(warp.end().is_none());
    }
}
