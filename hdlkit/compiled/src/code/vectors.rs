//! Code generation for [packs](super::plan::packs): vectors of four elements of 32 bits. Bits above a value's width are zero,
//! as in registers; a value of one bit is all ones or zero, the form of comparisons and selections.

use super::emit::Emitter;
use super::instructions::{sized, type_of, unaligned};
use super::plan::layout::bytes;
use super::plan::packs::{Four, Origin, Pack, Part, State, ELEMENTS};
use crate::design::graph::{mask, Id, Op};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{types, ConstantData, Endianness, InstBuilder, MemFlags, Type, Value};
use cranelift_frontend::FunctionBuilder;
use rustc_hash::FxHashSet;

/// A vector.
const VECTOR: Type = types::I32X4;
/// Bits of an element.
const BITS: u32 = 32;

impl Emitter<'_, '_> {
    /// Emits a pack, and stores it if others need it.
    pub fn pack(&mut self, number: u32, own: &FxHashSet<Id>) {
        let packs = self.packs;
        let pack = packs.get(number);
        let operands: Vec<Value> = pack.operands.iter().map(|four| self.vector(four, own)).collect();
        let value = match (pack.op, &pack.operands[..]) {
            (Op::ShiftLeft(..) | Op::ShiftRight(..), [_, counts]) => {
                self.shifted(pack.op, pack.nodes[0], operands[0], counts[0], own)
            }
            _ => self.operation(pack, &operands),
        };
        self.known.vectors.insert(number, value);
        self.keep(pack.nodes[0], value);
    }

    /// Four values side by side, as they are in the state.
    pub fn side_by_side(&mut self, four: &Four, own: &FxHashSet<Id>) -> Value {
        let width = self.design.graph.width(four[0]);
        let size = bytes(width);
        match self.origin(four) {
            Origin::Registers(at) => {
                let kind = match size {
                    4 => VECTOR,
                    size => sized(size * ELEMENTS as u32),
                };
                return self.builder.ins().load(kind, unaligned(), self.state, at as i32);
            }
            Origin::Same if size < 4 => {
                let value = self.element_of(four[0], own);
                let value = self.convert(value, sized(size * ELEMENTS as u32));
                let ones = if size == 1 { 0x0101_0101 } else { 0x0001_0001_0001_0001 };
                return self.builder.ins().imul_imm(value, ones);
            }
            _ => {}
        }
        let value = self.vector(four, own);
        let value = match width {
            1 => self.bits(value, 1),
            _ => value,
        };
        // No truncation: the elements have no more bits.
        match size {
            4 => value,
            2 => {
                let narrow = self.builder.ins().unarrow(value, value);
                let narrow = self.as_type(narrow, types::I64X2);
                self.builder.ins().extractlane(narrow, 0)
            }
            _ => {
                let narrow = self.builder.ins().unarrow(value, value);
                let narrow = self.builder.ins().unarrow(narrow, narrow);
                let narrow = self.as_type(narrow, VECTOR);
                self.builder.ins().extractlane(narrow, 0)
            }
        }
    }

    /// An element of a pack.
    pub fn element(&mut self, number: u32, element: usize) -> Value {
        let first = self.packs.get(number).nodes[0];
        let width = self.design.graph.width(first);
        let kind = type_of(width);
        let value = match self.known.vectors.get(&number) {
            Some(vector) => {
                let value = self.builder.ins().extractlane(*vector, element as u8);
                self.convert(value, kind)
            }
            None => {
                let at = (self.kept[&first].place.at + element as u32 * BITS / 8) as i32;
                self.builder.ins().load(kind, unaligned(), self.state, at)
            }
        };
        match width {
            1 => self.builder.ins().band_imm(value, 1),
            _ => value,
        }
    }

    /// Stores four values side by side, each in so many bytes.
    pub fn store_words(&mut self, at: u32, size: u32, four: &Four, own: &FxHashSet<Id>) {
        let width = self.design.graph.width(four[0]);
        if size == bytes(width) {
            let value = self.side_by_side(four, own);
            self.builder.ins().store(unaligned(), value, self.state, at as i32);
            return;
        }
        let value = self.vector(four, own);
        let value = match width {
            1 => self.bits(value, 1),
            _ => value,
        };
        let (low, high) = (
            self.builder.ins().uwiden_low(value),
            self.builder.ins().uwiden_high(value),
        );
        for (at, value) in [(at, low), (at + 2 * size, high)] {
            self.builder.ins().store(unaligned(), value, self.state, at as i32);
        }
    }

    fn origin(&self, four: &Four) -> Origin {
        let state = State {
            design: self.design,
            layout: self.layout,
            registers: self.registers,
        };
        self.packs.origin(state, four)
    }

    /// A value of these parts, from the lowest bits up.
    pub fn bits_of(&mut self, parts: &[Part], width: u32, own: &FxHashSet<Id>) -> Value {
        let kind = type_of(width);
        let mut at = 0;
        let mut sum = None;
        for part in parts {
            let (value, bits) = match *part {
                Part::Value(id) => (self.value(id, own), self.design.graph.width(id)),
                Part::Bits(four, low) => (self.bit_of_each(&four, low, own), ELEMENTS as u32),
            };
            let value = self.convert(value, kind);
            sum = Some(match sum {
                None => value,
                Some(sum) => self.joined(value, sum, at, kind),
            });
            at += bits;
        }
        sum.expect("a value has parts")
    }

    /// Bit `low` of each of four values, from the first up.
    fn bit_of_each(&mut self, four: &Four, low: u32, own: &FxHashSet<Id>) -> Value {
        let width = self.design.graph.width(four[0]);
        match self.origin(four) {
            Origin::Registers(at) if width == 1 => {
                let bytes = self.builder.ins().uload32(unaligned(), self.state, at as i32);
                // Bit 8 i of the product's operand becomes bit 56 + i.
                let bits = self.builder.ins().imul_imm(bytes, 0x0102_0408_1020_4080);
                self.builder.ins().ushr_imm(bits, 56)
            }
            Origin::Registers(_) | Origin::Pack(_) => {
                let vector = self.vector(four, own);
                let vector = match width {
                    1 => vector,
                    _ => self.up(vector, BITS - 1 - low),
                };
                self.builder.ins().vhigh_bits(types::I32, vector)
            }
            Origin::Same | Origin::Constants | Origin::Elsewhere => {
                let mut sum = None;
                for (at, id) in (0..).zip(four) {
                    let value = self.value(*id, own);
                    let bit = match width {
                        1 => value,
                        _ => {
                            let bit = self.shifted_down(value, low, 1);
                            self.masked(bit, 1)
                        }
                    };
                    sum = Some(match sum {
                        None => bit,
                        Some(sum) => self.joined(bit, sum, at, types::I32),
                    });
                }
                sum.expect("there are four values")
            }
        }
    }

    /// Four values as a vector, gathered if necessary.
    fn vector(&mut self, four: &Four, own: &FxHashSet<Id>) -> Value {
        let packs = self.packs;
        let origin = self.origin(four);
        if let Origin::Pack(number) = origin {
            if let Some(value) = self.known.vectors.get(&number) {
                return *value;
            }
            let at = self.kept[&packs.get(number).nodes[0]].place.at as i32;
            let value = self.builder.ins().load(VECTOR, unaligned(), self.state, at);
            self.known.vectors.insert(number, value);
            return value;
        }
        if let Some(value) = self.known.gathered.get(four) {
            return *value;
        }
        let width = self.design.graph.width(four[0]);
        let value = match origin {
            Origin::Same if self.design.graph.as_constant(four[0]).is_none() => {
                let mut value = self.element_of(four[0], own);
                if width == 1 {
                    value = self.builder.ins().ineg(value);
                }
                self.builder.ins().splat(VECTOR, value)
            }
            Origin::Same | Origin::Constants | Origin::Pack(_) => {
                let constant = |id: Id| self.design.graph.as_constant(id).unwrap_or_default() as u32;
                let element = |id: Id| match width {
                    1 => constant(id).wrapping_neg(),
                    _ => constant(id),
                };
                return self.constants(four.map(element));
            }
            Origin::Registers(at) => {
                let (state, at) = (self.state, at as i32);
                match bytes(width) {
                    4 => self.builder.ins().load(VECTOR, unaligned(), state, at),
                    2 => self.builder.ins().uload16x4(unaligned(), state, at),
                    _ => {
                        let mut elements = self.builder.ins().load(types::I32, unaligned(), state, at);
                        if width == 1 {
                            elements = self.builder.ins().imul_imm(elements, 0xff);
                        }
                        let elements = self.builder.ins().scalar_to_vector(VECTOR, elements);
                        let elements = self.as_type(elements, types::I8X16);
                        if width == 1 {
                            let elements = self.builder.ins().swiden_low(elements);
                            self.builder.ins().swiden_low(elements)
                        } else {
                            let elements = self.builder.ins().uwiden_low(elements);
                            self.builder.ins().uwiden_low(elements)
                        }
                    }
                }
            }
            Origin::Elsewhere => {
                let first = self.element_of(four[0], own);
                let mut vector = self.builder.ins().scalar_to_vector(VECTOR, first);
                for (element, id) in (1..).zip(&four[1..]) {
                    let value = self.element_of(*id, own);
                    vector = self.builder.ins().insertlane(vector, value, element);
                }
                vector
            }
        };
        let value = match width {
            1 if origin == Origin::Elsewhere => self.builder.ins().ineg(value),
            _ => value,
        };
        self.known.gathered.insert(*four, value);
        value
    }

    /// A value as an element, before a bit is extended to all ones.
    fn element_of(&mut self, id: Id, own: &FxHashSet<Id>) -> Value {
        let value = self.value(id, own);
        self.convert(value, types::I32)
    }

    fn operation(&mut self, pack: &Pack, operands: &[Value]) -> Value {
        let (op, graph) = (pack.op, &self.design.graph);
        let width = graph.width(pack.nodes[0]);
        let [a, ..] = *operands else {
            unreachable!("an operation on vectors has an operand")
        };
        let b = operands.get(1).copied().unwrap_or(a);
        match op {
            Op::Not(_) => {
                let result = self.builder.ins().bnot(a);
                self.cut(result, width)
            }
            Op::Negate(_) => {
                let result = self.builder.ins().ineg(a);
                self.cut(result, width)
            }
            Op::Add(..) => {
                let result = self.builder.ins().iadd(a, b);
                self.cut(result, width)
            }
            Op::Sub(..) => {
                let result = self.builder.ins().isub(a, b);
                self.cut(result, width)
            }
            Op::Mul(..) => {
                let result = self.builder.ins().imul(a, b);
                self.cut(result, width)
            }
            Op::And(..) => self.builder.ins().band(a, b),
            Op::Or(..) => self.builder.ins().bor(a, b),
            Op::Xor(..) => self.builder.ins().bxor(a, b),
            Op::Equal(..) => self.builder.ins().icmp(IntCC::Equal, a, b),
            // There is an instruction for signed numbers only; narrower numbers are not negative.
            Op::Less { left, .. } => match graph.width(left) {
                BITS => self.builder.ins().icmp(IntCC::UnsignedLessThan, a, b),
                _ => self.builder.ins().icmp(IntCC::SignedLessThan, a, b),
            },
            Op::Mux(..) => {
                // Constants of neighbours differ: a lane's number is 0 in the first only.
                let is_zero = |four: Four| four.iter().all(|id| graph.as_constant(*id) == Some(0));
                let (one_is_zero, zero_is_zero) = (is_zero(pack.operands[1]), is_zero(pack.operands[2]));
                let (one, zero) = (operands[1], operands[2]);
                if zero_is_zero {
                    self.builder.ins().band(a, one)
                } else if one_is_zero {
                    self.builder.ins().band_not(zero, a)
                } else if self.blends {
                    self.builder.ins().x86_blendv(a, one, zero)
                } else {
                    self.builder.ins().bitselect(a, one, zero)
                }
            }
            Op::Slice(..) if !pack.is_level(graph) => {
                let low = pack.nodes.map(|id| match graph.op(id) {
                    Op::Slice(_, low) => low,
                    _ => 0,
                });
                if width == 1 {
                    let ones = self.constants(low.map(|low| 1 << low));
                    let bits = self.builder.ins().band(a, ones);
                    return self.builder.ins().icmp(IntCC::Equal, bits, ones);
                }
                // There is no shift by different counts.
                let factors = self.constants(low.map(|low| 1 << (BITS - width - low)));
                let top = self.builder.ins().imul(a, factors);
                self.down(top, BITS - width)
            }
            Op::Slice(whole, low) => match width {
                1 => {
                    let top = self.up(a, BITS - 1 - low);
                    self.filled(top, BITS - 1)
                }
                _ => {
                    let whole = graph.width(whole);
                    let part = self.down(a, low);
                    match low + width == whole {
                        true => part,
                        false => self.cut(part, width),
                    }
                }
            },
            Op::Concat(high, low) => {
                let border = graph.width(low);
                let high = match graph.width(high) {
                    1 => self.bits(a, 1 << border),
                    _ => self.up(a, border),
                };
                let low = match border {
                    1 => self.bits(b, 1),
                    _ => b,
                };
                self.builder.ins().bor(high, low)
            }
            Op::ZeroExtend(of) => match graph.width(of) {
                1 => self.bits(a, 1),
                _ => a,
            },
            Op::SignExtend(of) => {
                let spare = BITS - graph.width(of);
                let filled = match graph.width(of) {
                    1 => a,
                    _ => {
                        let top = self.up(a, spare);
                        self.filled(top, spare)
                    }
                };
                self.cut(filled, width)
            }
            Op::Constant(_)
            | Op::Cell(_)
            | Op::Call { .. }
            | Op::Read { .. }
            | Op::ShiftLeft(..)
            | Op::ShiftRight(..)
            | Op::Parity(_) => unreachable!("emitted elsewhere, or never packed: {op:?}"),
        }
    }

    /// All elements, shifted by one count.
    fn shifted(&mut self, op: Op, node: Id, value: Value, count: Id, own: &FxHashSet<Id>) -> Value {
        let (width, bits) = (self.design.graph.width(node), self.design.graph.width(count));
        let count = self.element_of(count, own);
        let shifted = match op {
            Op::ShiftLeft(..) => {
                let shifted = self.builder.ins().ishl(value, count);
                self.cut(shifted, width)
            }
            _ => self.builder.ins().ushr(value, count),
        };
        // The instruction uses the count modulo the element's bits.
        if 1u64 << bits <= u64::from(BITS) {
            return shifted;
        }
        let fits = self
            .builder
            .ins()
            .icmp_imm(IntCC::UnsignedLessThan, count, i64::from(BITS));
        let fits = self.convert(fits, types::I32);
        let fits = self.builder.ins().splat(VECTOR, fits);
        let fits = self.builder.ins().ineg(fits);
        self.builder.ins().band(shifted, fits)
    }

    fn constants(&mut self, elements: [u32; 4]) -> Value {
        if let Some(value) = self.known.constants.get(&elements) {
            return *value;
        }
        let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
        let constant = self.builder.func.dfg.constants.insert(ConstantData::from(bytes));
        let value = self.builder.ins().vconst(VECTOR, constant);
        self.known.constants.insert(elements, value);
        value
    }

    fn bits(&mut self, value: Value, ones: u32) -> Value {
        let ones = self.constants([ones; 4]);
        self.builder.ins().band(value, ones)
    }

    /// Clears the bits above `width`; a value of one bit stays all ones or zero.
    fn cut(&mut self, value: Value, width: u32) -> Value {
        match width {
            1 | BITS => value,
            _ => self.bits(value, mask(width) as u32),
        }
    }

    fn up(&mut self, value: Value, count: u32) -> Value {
        self.by(value, count, |builder, count| builder.ins().ishl(value, count))
    }

    fn down(&mut self, value: Value, count: u32) -> Value {
        self.by(value, count, |builder, count| builder.ins().ushr(value, count))
    }

    /// Arithmetic right shift.
    fn filled(&mut self, value: Value, count: u32) -> Value {
        self.by(value, count, |builder, count| builder.ins().sshr(value, count))
    }

    /// Returns the value shifted by `shift`, or unchanged if the count is 0.
    fn by(&mut self, value: Value, count: u32, shift: impl FnOnce(&mut FunctionBuilder, Value) -> Value) -> Value {
        match count {
            0 => value,
            _ => {
                let count = self.builder.ins().iconst(types::I32, i64::from(count));
                shift(self.builder, count)
            }
        }
    }

    /// The same bits as another type.
    fn as_type(&mut self, value: Value, kind: Type) -> Value {
        let flags = MemFlags::new().with_endianness(Endianness::Little);
        self.builder.ins().bitcast(kind, flags, value)
    }
}
