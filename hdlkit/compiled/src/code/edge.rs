//! Code generation for the end of the clock edge: memories read and write, and registers take the next values that
//! [had to wait](super::plan::order).
//!
//! ```text
//! group waiting? ──> its registers: now = next
//! memory due?    ──> read, write ──> different? ──> activate the clusters that follow it in the next cycle
//! ```

use super::flags::{self, Flags};
use super::instructions::{begin_if, end_if, times, unaligned};
use super::plan::layout::{Layout, Port};
use crate::design::Design;
use cranelift_codegen::ir::{types, InstBuilder, MemFlags, Value};
use cranelift_frontend::FunctionBuilder;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A generator of one function.
pub(super) struct Edge<'a, 'b> {
    pub design: &'a Design,
    pub layout: &'a Layout,
    /// The group of each memory.
    pub groups: &'a [u32],
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

    /// Emits the edge of memories whose flags share a word: ranges of memories, each with the number of its flag.
    pub fn families(&mut self, families: &[(u32, Range<usize>)]) {
        self.any(self.layout.memories + families[0].0, families.len(), |edge| {
            for (number, memories) in families {
                edge.guarded(edge.layout.memories + number, |edge| {
                    edge.read(memories.clone());
                    edge.write(memories.clone());
                });
            }
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

    /// Emits the reads of memories with registered data.
    fn read(&mut self, memories: Range<usize>) {
        if !self.design.memories[memories.start].registered {
            return;
        }
        self.enabled(memories, 0, |edge, memories| {
            let mut addresses = FxHashMap::default();
            let mut different = None;
            for number in memories.iter().copied() {
                let memory = &edge.design.memories[number];
                let base = edge.base(number);
                for (index, data) in memory.reads.iter().enumerate() {
                    let from = edge.element(number, base, 3 + index, &mut addresses);
                    for word in 0..memory.stride {
                        let flags = MemFlags::trusted();
                        let next = edge.builder.ins().load(types::I64, flags, from, word as i32 * 8);
                        let at = (edge.layout.memory[number] + (data + word) * 8) as i32;
                        let now = edge.builder.ins().load(types::I64, flags, edge.state, at);
                        let changes = edge.builder.ins().bxor(now, next);
                        edge.builder.ins().store(flags, next, edge.state, at);
                        different = Some(edge.or(different, changes));
                    }
                }
            }
            edge.followed(memories[0], different);
        });
    }

    /// Emits the writes of memories.
    fn write(&mut self, memories: Range<usize>) {
        let enable = usize::from(self.design.memories[memories.start].registered);
        self.enabled(memories, enable, |edge, memories| {
            let mut addresses = FxHashMap::default();
            let mut different = None;
            for number in memories.iter().copied() {
                let base = edge.base(number);
                let to = edge.element(number, base, enable + 1, &mut addresses);
                let changes = edge.write_element(number, enable, to);
                different = Some(edge.or(different, changes));
            }
            if edge.design.memories[memories[0]].registered {
                // With the same inputs, the next edge reads the words that this one has written.
                let due = Flags::of([edge.layout.due[memories[0]]]);
                due.emit(edge.builder, edge.state, edge.layout.next);
            } else {
                edge.followed(memories[0], different);
            }
        });
    }

    /// Emits `body` for memories with one enable, input `enable`; executed if it is not 0.
    fn enabled(&mut self, memories: Range<usize>, enable: usize, body: impl Fn(&mut Self, &[usize])) {
        let layout = self.layout;
        let memories: Vec<usize> = memories.collect();
        let port = |number: usize| layout.inputs[number][enable];
        let all: Vec<&[usize]> = memories.chunk_by(|a, b| port(*a) == port(*b)).collect();
        let each = |edge: &mut Self| {
            for same in &all {
                let enable = edge.port(port(same[0]));
                edge.when(enable, |edge| body(edge, same));
            }
        };
        // Most memories are not written in a cycle, so their enables are tested together.
        let ports = || all.iter().map(|same| port(same[0]));
        let first = ports().map(|port| port.at / 8).min();
        let end = ports().map(|port| (port.at + port.bytes).div_ceil(8)).max();
        let words = first.unwrap_or(0)..end.unwrap_or(0);
        if words.len() * 2 > all.len() {
            return each(self);
        }
        let mut any = None;
        for word in words {
            let at = word * 8;
            let word = self.port(Port { at, bytes: 8 });
            any = Some(self.or(any, word));
        }
        if let Some(any) = any {
            self.when(any, each);
        }
    }

    /// Emits a test of `different` that activates the clusters that read a memory.
    fn followed(&mut self, number: usize, different: Option<Value>) {
        if let Some(different) = different {
            let group = self.groups[number];
            self.when(different, |edge| edge.activate(group));
        }
    }

    /// A memory's input, of at most 64 bits.
    fn port(&mut self, port: Port) -> Value {
        let (state, at) = (self.state, port.at as i32);
        let ins = self.builder.ins();
        match port.bytes {
            1 => ins.uload8(types::I64, unaligned(), state, at),
            2 => ins.uload16(types::I64, unaligned(), state, at),
            4 => ins.uload32(unaligned(), state, at),
            _ => ins.load(types::I64, unaligned(), state, at),
        }
    }

    /// The address of a memory's words.
    fn base(&mut self, number: usize) -> Value {
        let at = (number * 8) as i32;
        let flags = MemFlags::trusted();
        self.builder.ins().load(types::I64, flags, self.memories, at)
    }

    /// The address of the element that an input of the memory selects. `known`: offsets by the place of the input, and the
    /// memory's sizes.
    fn element(&mut self, number: usize, base: Value, input: usize, known: &mut FxHashMap<Selected, Value>) -> Value {
        let memory = &self.design.memories[number];
        let port = self.layout.inputs[number][input];
        let selected = (port, memory.elements, memory.stride);
        let offset = match known.get(&selected) {
            Some(offset) => *offset,
            None => {
                let index = self.port(port);
                let index = self.builder.ins().band_imm(index, i64::from(memory.elements - 1));
                let offset = times(self.builder, index, i64::from(memory.stride) * 8);
                known.insert(selected, offset);
                offset
            }
        };
        self.builder.ins().iadd(base, offset)
    }

    /// The places of the words of a memory's write data.
    fn data(&self, number: usize) -> Vec<Port> {
        let memory = &self.design.memories[number];
        let reads = if memory.registered { 1 + memory.reads.len() } else { 0 };
        let ports = self.layout.inputs[number][2 + reads..].iter();
        ports.flat_map(|port| port.words()).collect()
    }

    /// Writes a memory's data to the element at `to`. Returns 0 if the element was equal.
    fn write_element(&mut self, number: usize, enable: usize, to: Value) -> Value {
        let memory = &self.design.memories[number];
        let flags = MemFlags::trusted();
        let part = memory.shape.width() as u32 / memory.enables;
        let enable = self.layout.inputs[number][enable];
        let mut different = None;
        for (word, data) in self.data(number).into_iter().enumerate() {
            let value = self.port(data);
            let old = self.builder.ins().load(types::I64, flags, to, word as i32 * 8);
            let mut changes = self.builder.ins().bxor(value, old);
            let mut new = value;
            if memory.enables > 1 {
                let enable = self.port(enable);
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

/// A memory's input that selects an element, and the memory's elements and their words.
type Selected = (Port, u32, u32);
