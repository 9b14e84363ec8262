//! Code generation for the nodes of each [cluster](super::plan::activity::Cluster), guarded by a test for changes of the
//! values that it reads.

use super::flags::{self, Flags};
use super::functions::Outside;
use super::instructions::{begin_if, end_if, sized, times, type_of, unaligned};
use super::plan::activity::Item;
use super::plan::arms::{choice, Arms};
use super::plan::groups::Sources;
use super::plan::layout::{bytes, Kept, Layout};
use super::plan::memo::Memo;
use super::plan::packs::{Four, Packs};
use crate::design::graph::{mask, Id, Op};
use crate::design::{words_of, Design, Source};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{types, InstBuilder, MemFlags, Type, Value};
use cranelift_frontend::FunctionBuilder;
use rustc_hash::{FxHashMap, FxHashSet};

/// The bits of a word of the state.
const WORD: u32 = 64;

/// A cluster, or a part of one that is too large for a function.
pub(super) struct ClusterPart<'a> {
    pub cluster: usize,
    pub items: &'a [Item],
    /// True for the cluster's first part, and for its last one.
    pub first: bool,
    pub last: bool,
}

/// The values that have been emitted.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub values: FxHashMap<Id, Value>,
    /// Packs that are computed or loaded.
    pub vectors: FxHashMap<u32, Value>,
    /// Vectors of other values.
    pub gathered: FxHashMap<Four, Value>,
    /// Constant vectors.
    pub constants: FxHashMap<[u32; 4], Value>,
    /// Addresses of memories.
    pub bases: FxHashMap<u32, Value>,
}

/// A generator of one function.
pub(super) struct Emitter<'a, 'b> {
    pub design: &'a Design,
    pub layout: &'a Layout,
    pub sources: &'a Sources,
    /// For each group, the clusters that read it.
    pub followers: &'a [Flags],
    /// The groups of registers that are not written in place, with their flags.
    pub waiting: &'a FxHashMap<u32, Flags>,
    /// For each cluster, the flags of the memories with inputs that it computes.
    pub due: &'a [Flags],
    /// Kept values by node, or by a pack's first node.
    pub kept: &'a FxHashMap<Id, Kept>,
    pub packs: &'a Packs,
    pub arms: &'a Arms,
    /// Memoised clusters by number.
    pub memos: &'a FxHashMap<usize, Memo>,
    /// True if the processor selects between vectors with one instruction.
    pub blends: bool,
    /// The index of each cell's register.
    pub registers: &'a FxHashMap<u32, usize>,
    pub builder: &'a mut FunctionBuilder<'b>,
    /// The function that calls an opaque block.
    pub call: &'a Outside,
    pub state: Value,
    pub memories: Value,
    pub opaques: Value,
    pub known: Known,
    /// By the flags that they set, and their place: the number of comparisons to come, and the differing bits so far.
    pub changes: FxHashMap<(u32, &'a Flags), (u32, Vec<Value>)>,
    /// Clusters that must be computed in any case.
    pub certain: Vec<&'a Flags>,
    /// Next values of registers, each with the place of the register and the number of the last item that reads it.
    pub loads: Vec<(usize, u32, Value, u32)>,
}

impl<'a> Emitter<'a, '_> {
    /// Emits parts of clusters whose flags share a word. The word is tested first: in a cycle, most clusters have nothing
    /// to do.
    pub fn parts(&mut self, parts: &[ClusterPart]) {
        let next = (parts.len() > 1).then(|| {
            let active = flags::load_word(self.builder, self.state, self.layout.active, parts[0].cluster as u32);
            begin_if(self.builder, active)
        });
        parts.iter().for_each(|part| self.part(part));
        if let Some(next) = next {
            end_if(self.builder, next);
        }
    }

    /// Emits a part, guarded by a test for changes of the values that its cluster reads.
    fn part(&mut self, part: &ClusterPart) {
        let own: FxHashSet<Id> = part
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Node(id) => Some(*id),
                _ => None,
            })
            .collect();
        self.known = Known::default();
        self.count_changes(part.items);
        let test = flags::load(self.builder, self.state, self.layout.active, part.cluster as u32);
        let next = begin_if(self.builder, test);
        let memo = self.memos.get(&part.cluster);
        if let Some(memo) = memo.filter(|_| part.first) {
            self.look_up(memo, part.cluster, next);
        }
        let last_reads = self.last_reads(part.items);
        for (number, item) in part.items.iter().enumerate() {
            self.item(*item, &own, &last_reads);
            let loads = std::mem::take(&mut self.loads).into_iter();
            let (ready, later): (Vec<_>, Vec<_>) = loads.partition(|(last, ..)| *last <= number);
            self.loads = later;
            ready
                .into_iter()
                .for_each(|(_, group, value, at)| self.take(group, value, at));
        }
        if let Some(memo) = memo.filter(|_| part.last) {
            self.enter(memo);
        }
        if !self.due[part.cluster].is_empty() {
            self.certain.push(&self.due[part.cluster]);
        }
        for users in std::mem::take(&mut self.certain) {
            users.emit(self.builder, self.state, self.layout.active);
        }
        end_if(self.builder, next);
    }

    /// The number of the last item that reads each register. A register is not written before.
    fn last_reads(&self, items: &[Item]) -> FxHashMap<usize, usize> {
        let mut last = FxHashMap::default();
        // Arms are computed with their choices.
        let is_branch = |item: &Item| matches!(item, Item::Node(id) if self.arms.is_branch(*id));
        let last_branch = items.iter().rposition(is_branch);
        for (number, item) in items.iter().enumerate() {
            let number = match item {
                Item::Node(id) if self.arms.is_inside(*id) => last_branch.unwrap_or(number),
                _ => number,
            };
            let mut read = |id: Id| {
                if let Op::Cell(cell) = self.design.graph.op(id) {
                    if let Some(register) = self.registers.get(&cell) {
                        let last = last.entry(*register).or_insert(number);
                        *last = number.max(*last);
                    }
                }
            };
            self.packs.needs(self.design, *item, &mut read);
        }
        last
    }

    /// Gives a register, or registers side by side, their next value, and activates the clusters that follow them in the
    /// next cycle if it differs.
    fn take(&mut self, group: u32, value: Value, at: u32) {
        let (set, flags) = self.flags_of(group);
        let to = match self.waiting.contains_key(&group) {
            true => at + self.layout.registers,
            false => at,
        };
        if !flags.is_empty() {
            self.compare(at, (set, flags), value);
        }
        self.builder.ins().store(unaligned(), value, self.state, to as i32);
    }

    fn item(&mut self, item: Item, own: &FxHashSet<Id>, last_reads: &FxHashMap<usize, usize>) {
        match item {
            // It is loaded where it is needed.
            Item::Node(id) if self.place(id, own).is_some() || self.arms.is_inside(id) => {}
            Item::Node(id) => {
                let value = self.value(id, own);
                self.keep(id, value);
            }
            Item::Pack(number) => self.pack(number, own),
            Item::Registers(number) => {
                let registers = self.packs.registers(number);
                let value = self.side_by_side(&registers.map(|register| self.design.registers[register].next), own);
                self.load_later(&registers, value, last_reads);
            }
            Item::Register(index) => {
                let next = self.design.registers[index].next;
                let value = self.value(next, own);
                let value = self.convert(value, sized(bytes(self.design.graph.width(next))));
                self.load_later(&[index], value, last_reads);
            }
            Item::Word { at, bytes, value } => {
                let value = self.value(value, own);
                let value = self.convert(value, sized(bytes));
                self.builder.ins().store(unaligned(), value, self.state, at as i32);
            }
            Item::Words(number) => {
                let (at, bytes, values) = self.packs.words(number);
                self.store_words(at, bytes, &values, own);
            }
            Item::Call(opaque) => {
                let function = self.call.import(self.builder.func);
                let number = self.builder.ins().iconst(types::I64, i64::from(opaque));
                let arguments = [self.opaques, self.state, number];
                self.builder.ins().call(function, &arguments);
            }
        }
    }

    /// Stores a node's value, or a pack's, if a later part needs it.
    pub fn keep(&mut self, id: Id, value: Value) {
        let Some(kept) = self.kept.get(&id) else { return };
        match kept.compared {
            _ if kept.users.is_empty() => {}
            true => self.compare(kept.place.at, (self.layout.active, &kept.users), value),
            false if self.certain.contains(&&kept.users) => {}
            false => self.certain.push(&kept.users),
        }
        self.builder
            .ins()
            .store(unaligned(), value, self.state, kept.place.at as i32);
    }

    /// Loads registers side by side with this value after the last item that reads one of them.
    fn load_later(&mut self, registers: &[usize], value: Value, last_reads: &FxHashMap<usize, usize>) {
        let group = self.sources.register[registers[0]];
        let reads = registers.iter().filter_map(|register| last_reads.get(register));
        let last = reads.max().copied().unwrap_or(0);
        self.loads
            .push((last, group, value, self.layout.register[registers[0]]));
    }

    /// Compares a value with the old one at byte `at` of the state. A difference sets flags, of those at byte `set`.
    fn compare(&mut self, at: u32, (set, flags): (u32, &'a Flags), value: Value) {
        let kind = self.builder.func.dfg.value_type(value);
        let old = self.builder.ins().load(kind, unaligned(), self.state, at as i32);
        let difference = self.builder.ins().bxor(old, value);
        self.differ(set, flags, difference);
    }

    /// Records a difference that sets flags of those at byte `at` of the state.
    fn differ(&mut self, at: u32, flags: &'a Flags, difference: Value) {
        let kind = |builder: &FunctionBuilder, value: Value| builder.func.dfg.value_type(value);
        let wanted = kind(self.builder, difference);
        let changes = self.changes.get_mut(&(at, flags)).expect("counted before");
        match changes.1.iter_mut().find(|other| kind(self.builder, **other) == wanted) {
            Some(other) => *other = self.builder.ins().bor(*other, difference),
            None => changes.1.push(difference),
        }
        changes.0 -= 1;
        // Tested at once, because a value that waits for the end of the cluster occupies a register.
        if changes.0 == 0 {
            let differences = std::mem::take(&mut changes.1);
            let words: Vec<Value> = differences.into_iter().map(|value| self.word_of(value)).collect();
            let different = words.into_iter().reduce(|sum, word| self.builder.ins().bor(sum, word));
            let next = begin_if(self.builder, different.expect("a difference"));
            flags.emit(self.builder, self.state, at);
            end_if(self.builder, next);
        }
    }

    /// Counts the comparisons of values that items compute, by the flags that they set.
    fn count_changes(&mut self, items: &[Item]) {
        self.changes.clear();
        for item in items {
            let key = match *item {
                Item::Node(id) => self.compared(id),
                Item::Pack(pack) => self.compared(self.packs.get(pack).nodes[0]),
                Item::Register(index) => Some(self.flags_of(self.sources.register[index])),
                Item::Registers(four) => Some(self.flags_of(self.sources.register[self.packs.registers(four)[0]])),
                Item::Word { .. } | Item::Words(_) | Item::Call(_) => None,
            };
            if let Some(key) = key.filter(|(_, flags)| !flags.is_empty()) {
                self.changes.entry(key).or_default().0 += 1;
            }
        }
    }

    /// The flags that a kept value sets if it has changed.
    fn compared(&self, id: Id) -> Option<(u32, &'a Flags)> {
        let kept = self.kept.get(&id).filter(|kept| kept.compared)?;
        Some((self.layout.active, &kept.users))
    }

    /// The flags that a change of a group's registers sets, and their place.
    fn flags_of(&self, group: u32) -> (u32, &'a Flags) {
        match self.waiting.get(&group) {
            Some(flag) => (self.layout.active, flag),
            None => (self.layout.next, &self.followers[group as usize]),
        }
    }

    /// Returns a word of 64 bits that is 0 exactly if the value is 0.
    fn word_of(&mut self, value: Value) -> Value {
        match self.builder.func.dfg.value_type(value) {
            types::I128 => {
                let (low, high) = self.builder.ins().isplit(value);
                self.builder.ins().bor(low, high)
            }
            kind if kind.is_vector() => {
                let any = self.builder.ins().vany_true(value);
                self.convert(any, types::I64)
            }
            _ => self.convert(value, types::I64),
        }
    }

    pub fn constant(&mut self, value: u128, kind: Type) -> Value {
        if kind == types::I128 {
            let low = self.builder.ins().iconst(types::I64, value as u64 as i64);
            let high = self.builder.ins().iconst(types::I64, (value >> 64) as u64 as i64);
            return self.builder.ins().iconcat(low, high);
        }
        // Zero-extended from the type's bits, which the instruction requires.
        self.builder.ins().iconst(kind, value as u64 as i64)
    }

    /// Clears the bits above `width`.
    pub fn masked(&mut self, value: Value, width: u32) -> Value {
        let kind = type_of(width);
        if kind.bits() == width {
            return value;
        }
        if kind == types::I128 {
            let (low, high) = self.builder.ins().isplit(value);
            let ones = self.constant(mask(width - WORD), types::I64);
            let high = self.builder.ins().band(high, ones);
            return self.builder.ins().iconcat(low, high);
        }
        let ones = self.constant(mask(width), kind);
        self.builder.ins().band(value, ones)
    }

    /// The two words of a value.
    fn words(&mut self, value: Value) -> [Value; 2] {
        match self.builder.func.dfg.value_type(value) {
            types::I128 => self.builder.ins().isplit(value).into(),
            _ => [self.convert(value, types::I64), self.constant(0, types::I64)],
        }
    }

    /// At least `width` bits of a value from `low` up. Cranelift would shift two words by instructions for any count.
    pub fn shifted_down(&mut self, value: Value, low: u32, width: u32) -> Value {
        let kind = type_of(width);
        if self.builder.func.dfg.value_type(value) != types::I128 {
            let shifted = match low {
                0 => value,
                _ => self.builder.ins().ushr_imm(value, i64::from(low)),
            };
            return self.convert(shifted, kind);
        }
        if low == 0 {
            return self.convert(value, kind);
        }
        let [first, second] = self.words(value);
        if low >= WORD {
            return self.shifted_down(second, low - WORD, width);
        }
        if low + width <= WORD {
            return self.shifted_down(first, low, width);
        }
        let first = self.builder.ins().ushr_imm(first, i64::from(low));
        let above = self.builder.ins().ishl_imm(second, i64::from(WORD - low));
        let first = self.builder.ins().bor(first, above);
        if kind != types::I128 {
            return self.convert(first, kind);
        }
        let second = self.builder.ins().ushr_imm(second, i64::from(low));
        self.builder.ins().iconcat(first, second)
    }

    /// Two values side by side; the lower one has `border` bits.
    pub fn joined(&mut self, high: Value, low: Value, border: u32, kind: Type) -> Value {
        if kind != types::I128 {
            let (high, low) = (self.convert(high, kind), self.convert(low, kind));
            let high = self.builder.ins().ishl_imm(high, i64::from(border));
            return self.builder.ins().bor(high, low);
        }
        let [low, above] = self.words(low);
        if border == WORD {
            let high = self.convert(high, types::I64);
            return self.builder.ins().iconcat(low, high);
        }
        if border > WORD {
            let high = self.convert(high, types::I64);
            let high = self.builder.ins().ishl_imm(high, i64::from(border - WORD));
            let second = self.builder.ins().bor(high, above);
            return self.builder.ins().iconcat(low, second);
        }
        let is_wide = self.builder.func.dfg.value_type(high) == types::I128;
        let [high, top] = self.words(high);
        let bottom = self.builder.ins().ishl_imm(high, i64::from(border));
        let first = self.builder.ins().bor(low, bottom);
        let mut second = self.builder.ins().ushr_imm(high, i64::from(WORD - border));
        if is_wide {
            let top = self.builder.ins().ishl_imm(top, i64::from(border));
            second = self.builder.ins().bor(second, top);
        }
        self.builder.ins().iconcat(first, second)
    }

    /// Bits of a value that is in the state and has not been loaded, without its other bytes.
    fn part_of_state(&mut self, of: Id, low: u32, width: u32, own: &FxHashSet<Id>) -> Option<Value> {
        if self.known.values.contains_key(&of) {
            return None;
        }
        let (at, bytes) = self.place(of, own)?;
        let size = (low % 8 + width).div_ceil(8).next_power_of_two().min(bytes);
        if size > WORD / 8 {
            return None;
        }
        // Not beyond the value's last byte.
        let first = (low / 8).min(bytes - size);
        let shift = low - first * 8;
        if shift + width > size * 8 {
            return None;
        }
        let loaded = self.load(at + first, size * 8, size);
        let part = self.shifted_down(loaded, shift, width);
        let is_last = low + width == self.design.graph.width(of) || shift + width == size * 8;
        Some(match is_last {
            true => part,
            false => self.masked(part, width),
        })
    }

    /// The place and the bytes in the state of a value that stays there while clusters are computed.
    fn place(&self, id: Id, own: &FxHashSet<Id>) -> Option<(u32, u32)> {
        let width = self.design.graph.width(id);
        let words = words_of(width) * WORD / 8;
        match self.design.graph.op(id) {
            Op::Cell(cell) => match self.design.cells[cell as usize].source {
                Source::Register => Some((self.layout.register[self.registers[&cell]], bytes(width))),
                Source::Input(word) => Some((self.layout.top + word * 8, words)),
                Source::Memory { memory, word } => Some((self.layout.memory[memory as usize] + word * 8, words)),
                _ => None,
            },
            _ if own.contains(&id) || self.packs.of(id).is_some() => None,
            _ => self.kept.get(&id).map(|kept| (kept.place.at, kept.place.bytes)),
        }
    }

    /// Converts to another type by truncation or zero-extension.
    pub fn convert(&mut self, value: Value, kind: Type) -> Value {
        let have = self.builder.func.dfg.value_type(value);
        match have.bits().cmp(&kind.bits()) {
            std::cmp::Ordering::Less => self.builder.ins().uextend(kind, value),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.builder.ins().ireduce(kind, value),
        }
    }

    /// Sign-extends a value of `width` bits within its own type.
    fn sign_filled(&mut self, value: Value, width: u32) -> Value {
        let kind = self.builder.func.dfg.value_type(value);
        let spare = i64::from(kind.bits() - width);
        if spare == 0 {
            return value;
        }
        let up = self.builder.ins().ishl_imm(value, spare);
        self.builder.ins().sshr_imm(up, spare)
    }

    /// Loads a cell or a word of the state.
    fn load(&mut self, at: u32, width: u32, size: u32) -> Value {
        let (state, at) = (self.state, at as i32);
        match (type_of(width), size) {
            (types::I32, 1) => self.builder.ins().uload8(types::I32, unaligned(), state, at),
            (types::I32, 2) => self.builder.ins().uload16(types::I32, unaligned(), state, at),
            (kind, _) => self.builder.ins().load(kind, unaligned(), state, at),
        }
    }

    pub fn value(&mut self, id: Id, own: &FxHashSet<Id>) -> Value {
        if let Some(value) = self.known.values.get(&id) {
            return *value;
        }
        if let Some((pack, element)) = self.packs.of(id) {
            let value = self.element(pack, element);
            self.known.values.insert(id, value);
            return value;
        }
        let node = self.design.graph.nodes[id as usize];
        let value = match self.place(id, own) {
            Some((at, bytes)) => self.load(at, node.width, bytes),
            None => match self.packs.bits(id) {
                Some(parts) => self.bits_of(parts, node.width, own),
                None if self.arms.is_branch(id) => self.branch(id, node.width, own),
                None => self.compute(node.op, node.width, own),
            },
        };
        self.known.values.insert(id, value);
        value
    }

    /// A choice of which only the chosen arm is computed.
    fn branch(&mut self, id: Id, width: u32, own: &FxHashSet<Id>) -> Value {
        let kind = type_of(width);
        let (test, arms) = choice(self.design, id).expect("a choice");
        let test = self.value(test, own);
        let blocks = [self.builder.create_block(), self.builder.create_block()];
        let next = self.builder.create_block();
        let result = self.builder.append_block_param(next, kind);
        self.builder.ins().brif(test, blocks[0], &[], blocks[1], &[]);
        for (number, block) in blocks.into_iter().enumerate() {
            self.builder.seal_block(block);
            self.builder.switch_to_block(block);
            // Values of an arm do not exist outside.
            let known = self.known.clone();
            let value = match arms.get(number) {
                Some(arm) => self.value(*arm, own),
                None => self.constant(0, kind),
            };
            self.known = known;
            self.builder.ins().jump(next, &[value]);
        }
        self.builder.seal_block(next);
        self.builder.switch_to_block(next);
        result
    }

    fn compute(&mut self, op: Op, width: u32, own: &FxHashSet<Id>) -> Value {
        let kind = type_of(width);
        match op {
            Op::Constant(value) => self.constant(value, kind),
            Op::Cell(cell) => match self.design.cells[cell as usize].source {
                Source::Opaque { opaque, word } => self.load(self.layout.opaque[opaque as usize] + word * 8, width, 8),
                _ => unreachable!("resolved: only state and inputs are cells"),
            },
            Op::Call { opaque, word } => {
                let at = self.layout.opaque[opaque as usize] + word * 8;
                self.load(at, width, 8)
            }
            Op::Read { memory, word, address } => {
                let stride = i64::from(self.design.memories[memory as usize].stride) * 8;
                let base = match self.known.bases.get(&memory) {
                    Some(base) => *base,
                    None => {
                        let flags = MemFlags::trusted();
                        let base = self
                            .builder
                            .ins()
                            .load(types::I64, flags, self.memories, (memory * 8) as i32);
                        self.known.bases.insert(memory, base);
                        base
                    }
                };
                let index = self.value(address, own);
                let index = self.convert(index, types::I64);
                let offset = times(self.builder, index, stride);
                let at = self.builder.ins().iadd(base, offset);
                self.builder.ins().load(kind, unaligned(), at, (word * 8) as i32)
            }
            Op::Not(a) => {
                let a = self.value(a, own);
                let ones = self.constant(mask(width), kind);
                self.builder.ins().bxor(a, ones)
            }
            Op::Negate(a) => {
                let a = self.value(a, own);
                let result = self.builder.ins().ineg(a);
                self.masked(result, width)
            }
            Op::Add(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                let result = self.builder.ins().iadd(a, b);
                self.masked(result, width)
            }
            Op::Sub(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                let result = self.builder.ins().isub(a, b);
                self.masked(result, width)
            }
            Op::Mul(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                let result = self.builder.ins().imul(a, b);
                self.masked(result, width)
            }
            Op::And(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                self.builder.ins().band(a, b)
            }
            Op::Or(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                self.builder.ins().bor(a, b)
            }
            Op::Xor(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                self.builder.ins().bxor(a, b)
            }
            Op::ShiftLeft(a, count) | Op::ShiftRight(a, count) => {
                let bits = self.design.graph.width(count);
                let (a, mut count) = (self.value(a, own), self.value(count, own));
                if bits > 64 {
                    // Larger than any value's width.
                    let limit = self.constant(1 << 32, types::I128);
                    let far = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, count, limit);
                    count = self.builder.ins().select(far, limit, count);
                }
                let count = self.convert(count, types::I64);
                let shifted = match op {
                    Op::ShiftLeft(..) => self.builder.ins().ishl(a, count),
                    _ => self.builder.ins().ushr(a, count),
                };
                let shifted = match op {
                    Op::ShiftLeft(..) => self.masked(shifted, width),
                    _ => shifted,
                };
                // The instruction uses the count modulo the type's bits.
                if bits < 32 && (1u64 << bits) <= u64::from(kind.bits()) {
                    return shifted;
                }
                let limit = i64::from(kind.bits());
                let fits = self.builder.ins().icmp_imm(IntCC::UnsignedLessThan, count, limit);
                let zero = self.constant(0, kind);
                self.builder.ins().select(fits, shifted, zero)
            }
            Op::Equal(a, b) => {
                let (a, b) = (self.value(a, own), self.value(b, own));
                let equal = self.builder.ins().icmp(IntCC::Equal, a, b);
                self.convert(equal, kind)
            }
            Op::Less { signed, left, right } => {
                let bits = self.design.graph.width(left);
                let (mut a, mut b) = (self.value(left, own), self.value(right, own));
                if signed {
                    a = self.sign_filled(a, bits);
                    b = self.sign_filled(b, bits);
                }
                let condition = match signed {
                    true => IntCC::SignedLessThan,
                    false => IntCC::UnsignedLessThan,
                };
                let less = self.builder.ins().icmp(condition, a, b);
                self.convert(less, kind)
            }
            Op::Mux(test, one, zero) => {
                let test = self.value(test, own);
                let (one, zero) = (self.value(one, own), self.value(zero, own));
                self.builder.ins().select(test, one, zero)
            }
            Op::Slice(a, low) => match self.part_of_state(a, low, width, own) {
                Some(part) => part,
                None => {
                    let whole = self.design.graph.width(a);
                    let a = self.value(a, own);
                    let part = self.shifted_down(a, low, width);
                    match low + width == whole {
                        true => part,
                        false => self.masked(part, width),
                    }
                }
            },
            Op::Concat(high, low) => {
                let border = self.design.graph.width(low);
                let (high, low) = (self.value(high, own), self.value(low, own));
                self.joined(high, low, border, kind)
            }
            Op::ZeroExtend(a) => {
                let a = self.value(a, own);
                self.convert(a, kind)
            }
            Op::SignExtend(a) => {
                let bits = self.design.graph.width(a);
                let a = self.value(a, own);
                let wide = self.convert(a, kind);
                let filled = match bits {
                    1 => self.builder.ins().ineg(wide),
                    _ => self.sign_filled(wide, bits),
                };
                self.masked(filled, width)
            }
            Op::Parity(a) => {
                let a = self.value(a, own);
                let ones = self.builder.ins().popcnt(a);
                let ones = self.convert(ones, kind);
                self.builder.ins().band_imm(ones, 1)
            }
        }
    }
}
