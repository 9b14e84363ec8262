//! Code generation for [memoised clusters](super::plan::memo): the search for their results, and the entry of new ones.

use super::emit::Emitter;
use super::flags::Flags;
use super::instructions::{begin_if, end_if, sized, unaligned};
use super::plan::memo::{Memo, ENTRIES};
use cranelift_codegen::ir::{types, Block, InstBuilder, MemFlags, Value};

impl<'a> Emitter<'a, '_> {
    /// Emits the search for a cluster's results: code from here on is executed if they are not found. Otherwise they are
    /// taken, the cluster is no longer active, and execution continues at `next`.
    pub fn look_up(&mut self, memo: &'a Memo, cluster: usize, next: Block) {
        let inputs = self.inputs(memo);
        let entry = self.entry(memo, &inputs);
        let valid = self.builder.ins().load(types::I64, MemFlags::trusted(), entry, 0);
        let mut different = self.builder.ins().bxor_imm(valid, 1);
        let mut offset = 8;
        for value in inputs {
            let known = self.builder.ins().load(types::I64, MemFlags::trusted(), entry, offset);
            let difference = self.builder.ins().bxor(known, value);
            different = self.builder.ins().bor(different, difference);
            offset += 8;
        }
        let (found, missing) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(different, missing, &[], found, &[]);
        self.builder.seal_block(found);
        self.builder.seal_block(missing);
        self.builder.switch_to_block(found);
        let mut changes: Vec<(&Flags, Option<Value>)> = vec![];
        for (place, users, compared) in &memo.results {
            for word in place.words() {
                let (kind, at) = (sized(word.bytes), word.at as i32);
                let value = self.builder.ins().load(kind, MemFlags::trusted(), entry, offset);
                offset += 8;
                if *compared {
                    let old = self.builder.ins().load(kind, unaligned(), self.state, at);
                    let difference = self.builder.ins().bxor(old, value);
                    let difference = self.convert(difference, types::I64);
                    match changes.iter_mut().find(|(flags, sum)| *flags == users && sum.is_some()) {
                        Some((_, Some(sum))) => *sum = self.builder.ins().bor(*sum, difference),
                        _ => changes.push((users, Some(difference))),
                    }
                } else if !changes.contains(&(users, None)) {
                    changes.push((users, None));
                }
                self.builder.ins().store(unaligned(), value, self.state, at);
            }
        }
        for (flags, different) in changes {
            match different {
                None => flags.emit(self.builder, self.state, self.layout.active),
                Some(different) => {
                    let next = begin_if(self.builder, different);
                    flags.emit(self.builder, self.state, self.layout.active);
                    end_if(self.builder, next);
                }
            }
        }
        let none = self.builder.ins().iconst(types::I8, 0);
        let flag = (self.layout.active + cluster as u32) as i32;
        self.builder.ins().store(MemFlags::trusted(), none, self.state, flag);
        self.builder.ins().jump(next, &[]);
        self.builder.switch_to_block(missing);
    }

    /// Emits the entry of the results that a cluster has computed.
    pub fn enter(&mut self, memo: &Memo) {
        let inputs = self.inputs(memo);
        let entry = self.entry(memo, &inputs);
        let one = self.builder.ins().iconst(types::I64, 1);
        let mut offset = 0;
        for value in [one].into_iter().chain(inputs) {
            self.builder.ins().store(MemFlags::trusted(), value, entry, offset);
            offset += 8;
        }
        for (place, ..) in &memo.results {
            for word in place.words() {
                let (kind, at) = (sized(word.bytes), word.at as i32);
                let value = self.builder.ins().load(kind, unaligned(), self.state, at);
                self.builder.ins().store(MemFlags::trusted(), value, entry, offset);
                offset += 8;
            }
        }
    }

    /// The address of the entry for these inputs.
    fn entry(&mut self, memo: &Memo, inputs: &[Value]) -> Value {
        let mut hash = self.builder.ins().iconst(types::I64, 0);
        for value in inputs {
            let mixed = self.builder.ins().bxor(hash, *value);
            // Fibonacci hashing: the high bits depend on all bits of the input.
            hash = self.builder.ins().imul_imm(mixed, 0x9e37_79b9_7f4a_7c15_u64 as i64);
        }
        let index = self.builder.ins().ushr_imm(hash, i64::from(u64::BITS - ENTRIES));
        let offset = self.builder.ins().imul_imm(index, i64::from(memo.entry()));
        let at = (self.design.memories.len() * 8) as i32;
        let flags = MemFlags::trusted();
        let tables = self.builder.ins().load(types::I64, flags, self.memories, at);
        let table = self.builder.ins().iadd_imm(tables, i64::from(memo.table));
        self.builder.ins().iadd(table, offset)
    }

    /// The present inputs.
    fn inputs(&mut self, memo: &Memo) -> Vec<Value> {
        let mut values = vec![];
        for input in &memo.inputs {
            let (kind, at) = (sized(input.bytes), input.at as i32);
            let value = self.builder.ins().load(kind, unaligned(), self.state, at);
            values.push(self.convert(value, types::I64));
        }
        values
    }
}
