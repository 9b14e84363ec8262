//! Code generation for the end of the clock edge: memories read and write, and registers take the next values that
//! [had to wait](super::order).
//!
//! ```text
//! group waiting? ──> its registers: now = next
//! memory due?    ──> read, write ──> different? ──> activate the clusters that follow it in the next cycle
//! ```

use super::emit::{begin_if, end_if, times, unaligned};
use super::flags::{self, Flags};
use super::layout::Layout;
use crate::design::{Design, Memory};
use cranelift_codegen::ir::{types, InstBuilder, MemFlags, Value};
use cranelift_frontend::FunctionBuilder;

/// A generator of one function.
pub(super) struct Edge<'a, 'b> {
    pub design: &'a Design,
    pub layout: &'a Layout,
    /// For each group, the clusters that read it.
    pub followers: &'a [Flags],
    pub builder: &'a mut FunctionBuilder<'b>,
    pub state: Value,
    pub memories: Value,
}

impl Edge<'_, '_> {
    /// Emits the edge of waiting groups whose flags share a word, each with its number among these.
    pub fn groups(&mut self, groups: &[(u32, u32)]) {
        self.any(self.layout.waiting + groups[0].0, groups.len(), |edge| {
            groups.iter().for_each(|(number, group)| edge.group(*number, *group))
        });
    }

    /// Emits the edge of memories whose flags share a word, each with its group.
    pub fn memories(&mut self, memories: &[(u32, u32)]) {
        self.any(self.layout.memories + memories[0].0, memories.len(), |edge| {
            memories.iter().for_each(|(number, group)| edge.memory(*number, *group))
        });
    }

    /// Emits `body` for `count` items, executed if a flag of the first's word is set. Most items have nothing to do in a
    /// cycle.
    fn any(&mut self, first: u32, count: usize, body: impl FnOnce(&mut Self)) {
        if count == 1 {
            return body(self);
        }
        let due = flags::load_word(self.builder, self.state, self.layout.active, first);
        self.when(due, body);
    }

    /// Emits the loads of a group's registers. Their clusters have compared them.
    fn group(&mut self, number: u32, group: u32) {
        self.guarded(self.layout.waiting + number, |edge| {
            let words = &edge.layout.groups[group as usize];
            let (mut at, end) = (words.start as i32 * 8, words.end as i32 * 8);
            let distance = edge.layout.registers as i32;
            while at < end {
                let (kind, bytes) = match end - at {
                    16.. => (types::I64X2, 16),
                    _ => (types::I64, 8),
                };
                // Some words are not aligned for a vector.
                let next = edge.builder.ins().load(kind, unaligned(), edge.state, at + distance);
                edge.builder.ins().store(unaligned(), next, edge.state, at);
                at += bytes;
            }
            edge.activate(group);
        });
    }

    /// Emits the edge of a memory that is due; `group`: its group.
    fn memory(&mut self, number: u32, group: u32) {
        self.guarded(self.layout.memories + number, |edge| {
            edge.read_and_write(number as usize, group)
        });
    }

    /// Emits `body`, executed if this active flag is set.
    fn guarded(&mut self, flag: u32, body: impl FnOnce(&mut Self)) {
        let due = flags::load(self.builder, self.state, self.layout.active, flag);
        self.when(due, body);
    }

    /// Emits `body`, executed if `test` is not 0.
    fn when(&mut self, test: Value, body: impl FnOnce(&mut Self)) {
        let next = begin_if(self.builder, test);
        body(self);
        end_if(self.builder, next);
    }

    fn or(&mut self, sum: Option<Value>, value: Value) -> Value {
        match sum {
            Some(sum) => self.builder.ins().bor(sum, value),
            None => value,
        }
    }

    /// Activates the clusters that read the group, in the next cycle.
    fn activate(&mut self, group: u32) {
        self.followers[group as usize].emit(self.builder, self.state, self.layout.next);
    }

    /// Word `place` of a memory's ports.
    fn port(&mut self, number: usize, place: u32) -> Value {
        let at = (self.layout.memory[number] + place * 8) as i32;
        self.builder.ins().load(types::I64, MemFlags::trusted(), self.state, at)
    }

    /// Emits a memory's reads, then its write.
    fn read_and_write(&mut self, number: usize, group: u32) {
        let design = self.design;
        let memory = &design.memories[number];
        let place = |index: usize| memory.inputs[index].place;
        let first = usize::from(memory.registered);
        let ports = memory.reads.len();
        if memory.registered {
            let enable = self.port(number, place(0));
            self.when(enable, |edge| {
                let mut different = None;
                for (index, data) in memory.reads.iter().enumerate() {
                    let from = edge.element(number, memory, place(first + 2 + index));
                    for word in 0..memory.stride {
                        let flags = MemFlags::trusted();
                        let next = edge.builder.ins().load(types::I64, flags, from, word as i32 * 8);
                        let now = edge.port(number, data + word);
                        let changes = edge.builder.ins().bxor(now, next);
                        let at = (edge.layout.memory[number] + (data + word) * 8) as i32;
                        edge.builder.ins().store(flags, next, edge.state, at);
                        different = Some(edge.or(different, changes));
                    }
                }
                if let Some(different) = different {
                    edge.when(different, |edge| edge.activate(group));
                }
            });
        }
        let enable = self.port(number, place(first));
        self.when(enable, |edge| {
            let to = edge.element(number, memory, place(first + 1));
            let different = edge.write(number, memory, enable, to, place(first + 2 + ports));
            if memory.registered {
                // With the same inputs, the next edge reads the words that this one has written.
                let due = Flags::of([edge.layout.memories + number as u32]);
                due.emit(edge.builder, edge.state, edge.layout.next);
            } else {
                edge.when(different, |edge| edge.activate(group));
            }
        });
    }

    /// The address of the element that word `place` of the memory's ports selects.
    fn element(&mut self, number: usize, memory: &Memory, place: u32) -> Value {
        let index = self.port(number, place);
        let index = self.builder.ins().band_imm(index, i64::from(memory.elements - 1));
        let offset = times(self.builder, index, i64::from(memory.stride) * 8);
        let at = (number * 8) as i32;
        let base = self
            .builder
            .ins()
            .load(types::I64, MemFlags::trusted(), self.memories, at);
        self.builder.ins().iadd(base, offset)
    }

    /// Writes the words from `data` on to the element at `to`. Returns 0 if the element was equal.
    fn write(&mut self, number: usize, memory: &Memory, enable: Value, to: Value, data: u32) -> Value {
        let flags = MemFlags::trusted();
        let part = memory.shape.width() as u32 / memory.enables;
        let mut different = None;
        for word in 0..memory.stride {
            let value = self.port(number, data + word);
            let old = self.builder.ins().load(types::I64, flags, to, word as i32 * 8);
            let mut changes = self.builder.ins().bxor(value, old);
            let mut new = value;
            if memory.enables > 1 {
                let mut mask = None;
                for index in 0..memory.enables {
                    // All ones where the enable is 1.
                    let top = self.builder.ins().ishl_imm(enable, i64::from(63 - index));
                    let ones = self.builder.ins().sshr_imm(top, 63);
                    let bits = u64::MAX >> (64 - part) << (index * part);
                    let bits = self.builder.ins().band_imm(ones, bits as i64);
                    mask = Some(self.or(mask, bits));
                }
                if let Some(mask) = mask {
                    changes = self.builder.ins().band(changes, mask);
                    new = self.builder.ins().bxor(old, changes);
                }
            }
            self.builder.ins().store(flags, new, to, word as i32 * 8);
            different = Some(self.or(different, changes));
        }
        different.expect("an element has a word")
    }
}
