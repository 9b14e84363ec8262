//! The decode stage against the `isa` table: every executed row with random fields, every word of the corpus, and random
//! words. What `isa` decodes and this core executes must come apart into the same pieces; all else must be illegal.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::decode::Decode;
use flexgrip_hdl::execute::float::{FloatControl, FloatOperation};
use flexgrip_hdl::execute::quad_exchange::QuadControl;
use flexgrip_hdl::execute::special_function::{SpecialControl, SpecialOperation};
use flexgrip_isa as isa;
use hdlkit::prelude::*;
use isa::{Destination, Marker, Operation};
use rand::{Rng, SeedableRng};

struct Checker {
    engine: CycleEngine<Decode>,
    legal: u64,
}

fn width_is_16(width: isa::Width) -> bool {
    width == isa::Width::B16
}

/// What the circuit should say of an addition's kind.
fn add_kind(control: &mut IntegerControl, kind: isa::AddKind) -> Option<u8> {
    match kind {
        isa::AddKind::Add => None,
        isa::AddKind::Sub => {
            control.negate_last = true;
            None
        }
        isa::AddKind::SubR => {
            control.negate_first = true;
            None
        }
        isa::AddKind::AddC { carry } => {
            control.carry_in = true;
            Some(carry)
        }
    }
}

fn product(control: &mut IntegerControl, kind: isa::MulKind) {
    match kind {
        isa::MulKind::Half { signed1, signed2 } => {
            control.multiply_signed_a = signed1;
            control.multiply_signed_b = signed2;
        }
        isa::MulKind::Bits24 { signed, high } => {
            control.multiply_24 = true;
            control.multiply_signed_a = signed;
            control.multiply_signed_b = signed;
            control.multiply_high = high;
        }
    }
}

fn integer_width(bits: u32) -> IntegerWidth {
    match bits {
        8 => IntegerWidth::Byte,
        16 => IntegerWidth::Half,
        _ => IntegerWidth::Word,
    }
}

fn rounding(rounding: isa::Rounding) -> Bits<2> {
    Bits::new(match rounding {
        isa::Rounding::Nearest => 0,
        isa::Rounding::Down => 1,
        isa::Rounding::Up => 2,
        isa::Rounding::Zero => 3,
    })
}

/// What a float lane should do for an instruction; `None` if it is none for a float lane.
fn float_control(operation: Operation) -> Option<FloatControl> {
    let mut control = FloatControl::default();
    match operation {
        Operation::Fadd {
            rounding: mode,
            saturate,
            negate1,
            negate3,
        } => {
            control.operation = FloatOperation::Add;
            control.rounding = rounding(mode);
            control.saturate = saturate;
            control.negate_a = negate1;
            control.negate_c = negate3;
        }
        Operation::Fmul {
            rounding: mode,
            negate1,
            negate2,
        } => {
            control.operation = FloatOperation::Multiply;
            control.rounding = rounding(mode);
            control.negate_a = negate1;
            control.negate_b = negate2;
        }
        Operation::Fmad {
            saturate,
            negate_product,
            negate3,
        } => {
            control.operation = FloatOperation::MultiplyAdd;
            control.saturate = saturate;
            control.negate_a = negate_product;
            control.negate_c = negate3;
        }
        Operation::Fset { compare, sign1, sign2 } => {
            control.operation = FloatOperation::Set;
            control.compare_less = compare.less;
            control.compare_equal = compare.equal;
            control.compare_greater = compare.greater;
            control.compare_unordered = compare.unordered;
            (control.absolute_a, control.negate_a) = (sign1.absolute, sign1.negate);
            (control.absolute_b, control.negate_b) = (sign2.absolute, sign2.negate);
        }
        Operation::Fmin { sign1, sign2 } | Operation::Fmax { sign1, sign2 } => {
            control.operation = FloatOperation::MinMax;
            control.maximum = matches!(operation, Operation::Fmax { .. });
            (control.absolute_a, control.negate_a) = (sign1.absolute, sign1.negate);
            (control.absolute_b, control.negate_b) = (sign2.absolute, sign2.negate);
        }
        Operation::Fswz { .. } => control.operation = FloatOperation::Add,
        Operation::Fslct { negate3 } => {
            control.operation = FloatOperation::Select;
            control.negate_c = negate3;
        }
        Operation::Rro { ex2, sign } => {
            control.operation = if ex2 {
                FloatOperation::ReducePower
            } else {
                FloatOperation::ReduceSine
            };
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::F2f {
            sign,
            integral,
            saturate,
        } => {
            control.operation = FloatOperation::ToFloat;
            control.integral = integral.is_some();
            control.rounding = integral.map_or(Bits::new(0), rounding);
            control.saturate = saturate;
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::F2i {
            to,
            sign,
            rounding: mode,
        } => {
            control.operation = FloatOperation::ToInteger;
            control.result_narrow = to.bits == 16;
            control.result_signed = to.signed;
            control.rounding = rounding(mode);
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::I2f {
            from,
            sign,
            rounding: mode,
            saturate,
        } => {
            control.operation = FloatOperation::FromInteger;
            control.source_width = integer_width(from.bits);
            control.source_signed = from.signed;
            control.rounding = rounding(mode);
            control.saturate = saturate;
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::ConvertF16(convert) => {
            (control.absolute_a, control.negate_a) = (convert.sign.absolute, convert.sign.negate);
            control.rounding = rounding(convert.rounding);
            match convert.from {
                isa::NumberType::Integer(from) => {
                    control.operation = FloatOperation::FromInteger;
                    control.source_width = integer_width(from.bits);
                    control.source_signed = from.signed;
                    control.result_half = convert.to == isa::NumberType::F16;
                    control.saturate = convert.saturate;
                }
                from => {
                    control.source_half = from == isa::NumberType::F16;
                    match convert.to {
                        isa::NumberType::Integer(to) => {
                            control.operation = FloatOperation::ToInteger;
                            control.result_narrow = to.bits == 16;
                            control.result_signed = to.signed;
                        }
                        to => {
                            control.operation = FloatOperation::ToFloat;
                            control.result_half = to == isa::NumberType::F16;
                            control.integral = convert.integral;
                            control.saturate = convert.saturate;
                        }
                    }
                }
            }
        }
        _ => return None,
    }
    Some(control)
}

fn special_control(function: isa::SpecialFunction, sign: isa::Sign, saturate: bool) -> SpecialControl {
    SpecialControl {
        operation: match function {
            isa::SpecialFunction::Rcp => SpecialOperation::Reciprocal,
            isa::SpecialFunction::Rsq => SpecialOperation::ReciprocalRoot,
            isa::SpecialFunction::Lg2 => SpecialOperation::Logarithm,
            isa::SpecialFunction::Sin => SpecialOperation::Sine,
            isa::SpecialFunction::Cos => SpecialOperation::Cosine,
            isa::SpecialFunction::Ex2 => SpecialOperation::Power,
        },
        absolute: sign.absolute,
        negate: sign.negate,
        saturate,
    }
}

fn access_code(access: isa::Access) -> u64 {
    match access {
        isa::Access::U8 => 0,
        isa::Access::U16 => 1,
        isa::Access::S16 => 2,
        isa::Access::B32 => 3,
    }
}

impl Checker {
    fn new() -> Self {
        Checker {
            engine: CycleEngine::new(Box::default()),
            legal: 0,
        }
    }

    fn circuit(&mut self, word: u64) -> Decoded {
        self.engine.block.d_word.next = Bits::new(word);
        self.engine.settle();
        self.engine.block.d_decoded.val()
    }

    /// The address register that is read.
    fn address(&self, d: &Decoded, register: u8, context: &str) {
        assert_eq!(d.indexing.register_used, register != 0, "{context}");
        if register != 0 {
            assert_eq!(d.indexing.register.raw(), u64::from(register) - 1, "{context}");
        }
    }

    /// The thread's own place in a memory.
    fn place(&self, d: &Decoded, offset: i32, access: isa::Access, indirect: Option<isa::Indirect>, context: &str) {
        assert_eq!(d.indexing.offset.raw(), u64::from(offset as u16), "{context}");
        assert_eq!(d.indexing.access.raw(), access_code(access), "{context}");
        let post_increment = indirect.is_some_and(|indirect| indirect.post_increment);
        assert_eq!(d.indexing.post_increment, post_increment, "{context}");
        self.address(d, indirect.map_or(0, |indirect| indirect.register), context);
    }

    /// An operand that the collector fetches.
    fn gathered(
        &self,
        got: Operand,
        offset: i32,
        access: isa::Access,
        indirect: Option<isa::Indirect>,
        d: &Decoded,
        context: &str,
    ) {
        assert_eq!(got.source, Source::Gathered, "{context}");
        assert!(!got.register_used, "{context}");
        assert!(d.indexing.gathers, "{context}");
        self.place(d, offset, access, indirect, context);
    }

    /// An operand of the circuit against one of the table.
    fn operand(&self, got: Operand, want: Option<isa::Operand>, d: &Decoded, narrow: bool, context: &str) {
        let moves_constant = d.integer.operation == IntegerOperation::Move && d.indexing.constant;
        let Some(want) = want else {
            assert!(!got.register_used, "{context}: operand that is not there");
            return;
        };
        match want {
            isa::Operand::Register { index, part } => {
                assert_eq!(got.source, Source::Register, "{context}");
                assert!(got.register_used, "{context}");
                assert_eq!(got.register.raw(), u64::from(index), "{context}");
                let part = match part {
                    isa::Part::Full => Part::Whole,
                    isa::Part::Low => Part::Low,
                    isa::Part::High => Part::High,
                };
                assert_eq!(got.part, part, "{context}");
            }
            isa::Operand::Immediate(value) => {
                assert_eq!(got.source, Source::Immediate, "{context}");
                assert!(!got.register_used, "{context}");
                let mask = if narrow { 0xffff } else { 0xffff_ffff };
                assert_eq!(d.immediate.raw(), u64::from(value & mask), "{context}");
            }
            isa::Operand::Shared {
                offset,
                access,
                indirect: Some(indirect),
            } => {
                self.gathered(got, offset, access, Some(indirect), d, context);
                assert!(!d.indexing.constant, "{context}");
                assert_eq!(got.part != Part::Whole, narrow, "{context}");
            }
            isa::Operand::Shared { offset, access, .. } => {
                assert_eq!(got.source, Source::Shared, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(d.shared_offset.raw(), offset as u64, "{context}");
                assert_eq!(d.shared_access.raw(), access_code(access), "{context}");
                assert_eq!(got.part != Part::Whole, narrow, "{context}");
            }
            isa::Operand::Constant {
                bank,
                offset,
                access,
                indirect,
            } if indirect.is_some() || moves_constant => {
                self.gathered(got, offset, access, indirect, d, context);
                assert!(d.indexing.constant, "{context}");
                assert_eq!(d.indexing.bank.raw(), u64::from(bank), "{context}");
            }
            isa::Operand::Constant {
                bank, offset, access, ..
            } => {
                assert_eq!(got.source, Source::Constant, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(
                    d.constant_address.raw(),
                    u64::from(bank) * 4096 + offset as u64,
                    "{context}"
                );
                assert_eq!(d.constant_narrow, access != isa::Access::B32, "{context}");
            }
            isa::Operand::Local { offset, indirect } => {
                assert_eq!(got.source, Source::Address, "{context}");
                assert!(!got.register_used, "{context}");
                assert!(d.indexing.local, "{context}");
                assert_eq!(d.indexing.offset.raw(), u64::from(offset as u16), "{context}");
                let post_increment = indirect.is_some_and(|indirect| indirect.post_increment);
                assert_eq!(d.indexing.post_increment, post_increment, "{context}");
                self.address(d, indirect.map_or(0, |indirect| indirect.register), context);
            }
            isa::Operand::Address(register) => {
                assert_eq!(got.source, Source::Address, "{context}");
                assert!(!got.register_used, "{context}");
                self.address(d, register, context);
            }
            isa::Operand::ConditionCode(register) => {
                assert_eq!(got.source, Source::ConditionCode, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(d.condition_source.raw(), u64::from(register), "{context}");
                assert!(d.condition_used, "{context}");
            }
            isa::Operand::Special(register) => {
                assert_eq!(got.source, Source::Special, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(got.register.raw(), u64::from(register), "{context}");
            }
        }
    }

    fn check(&mut self, word: u64) {
        let d = self.circuit(word);
        let context = format!("{word:#018x}");
        let instruction = match isa::decode(word) {
            Ok(i) if i.executed() => i,
            _ => {
                assert!(d.illegal, "{context}: legal for the circuit, not for the table");
                return;
            }
        };
        let context = format!("{context} {instruction}");
        assert!(!d.illegal, "{context}: illegal for the circuit");
        self.legal += 1;
        assert_eq!(d.long, instruction.size() == 8, "{context}");
        assert_eq!(d.exit_marker, instruction.marker() == Marker::Exit, "{context}");
        assert_eq!(d.join_marker, instruction.marker() == Marker::Join, "{context}");

        // Operation.
        let mut control = IntegerControl::default();
        let mut carry = None;
        let mut narrow_sources = false;
        let mut narrow_data = false;
        let mut scatters = false;
        let mut unit = Unit::Integer;
        let mut flow = ControlOperation::Marker;
        let (mut a, mut b, mut c) = (
            instruction.sources()[0],
            instruction.sources()[1],
            instruction.sources()[2],
        );
        let operation = instruction.operation();
        // Without an exchange the rest means nothing.
        let mut quad = QuadControl {
            exchanges: false,
            ..d.quad
        };
        match operation {
            Operation::Mov { width } => {
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.operation = IntegerOperation::Move;
            }
            Operation::I2i {
                from,
                to,
                absolute,
                negate,
            } => {
                control.operation = IntegerOperation::Convert;
                control.source_width = integer_width(from.bits);
                control.source_signed = from.signed;
                control.result_width = integer_width(to.bits);
                control.result_signed = to.signed;
                control.absolute = absolute;
                control.negate = negate;
                control.narrow = d.halves != 3;
                narrow_sources = d.a.part != Part::Whole;
            }
            Operation::Iadd { kind, width, saturate } => {
                control.operation = IntegerOperation::Add;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.saturate = saturate;
                carry = add_kind(&mut control, kind);
                (b, c) = (c, None);
            }
            Operation::Imul { kind } => {
                control.operation = IntegerOperation::Multiply;
                product(&mut control, kind);
                narrow_sources = !control.multiply_24;
            }
            Operation::Imad { kind, add } => {
                control.operation = IntegerOperation::Multiply;
                control.accumulate = true;
                control.saturate = kind.saturate;
                product(&mut control, kind.product);
                narrow_sources = !control.multiply_24;
                carry = add_kind(&mut control, add);
            }
            Operation::Isad { width, signed } => {
                control.operation = IntegerOperation::SumDistance;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
            }
            Operation::Shl { width } => {
                control.operation = IntegerOperation::Shift;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = d.integer.is_signed; // has no say in a left shift
            }
            Operation::Shr { width, signed } => {
                control.operation = IntegerOperation::Shift;
                control.shift_right = true;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
            }
            Operation::Logic {
                kind,
                width,
                invert1,
                invert2,
            } => {
                control.operation = IntegerOperation::Logic;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.invert_a = invert1;
                control.invert_b = invert2;
                control.logic_function = Bits::new(match kind {
                    isa::LogicKind::And => 0,
                    isa::LogicKind::Or => 1,
                    isa::LogicKind::Xor => 2,
                    isa::LogicKind::PassB => 3,
                });
            }
            Operation::Iset { compare, width, signed } => {
                control.operation = IntegerOperation::Set;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
                control.compare_less = compare.less;
                control.compare_equal = compare.equal;
                control.compare_greater = compare.greater;
            }
            Operation::Imin { width, signed } | Operation::Imax { width, signed } => {
                control.operation = IntegerOperation::MinMax;
                control.maximum = matches!(operation, Operation::Imax { .. });
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
            }
            Operation::Mvc { width } => {
                // Its operand is extended by its access.
                control.narrow = width_is_16(width);
                control.operation = IntegerOperation::Move;
            }
            Operation::R2g => {
                scatters = true;
                control.operation = IntegerOperation::Move;
                let Some(isa::Operand::Shared {
                    offset,
                    access,
                    indirect,
                }) = a
                else {
                    panic!("{context}: R2G to {a:?}");
                };
                self.place(&d, offset, access, indirect, &context);
                (a, b, c) = (None, c, None);
                narrow_data = d.b.part != Part::Whole;
            }
            Operation::R2a { shift } => {
                control.operation = IntegerOperation::Shift;
                b = Some(isa::Operand::Immediate(u32::from(shift)));
            }
            Operation::A2r => control.operation = IntegerOperation::Move,
            Operation::Ada => control.operation = IntegerOperation::Add,
            Operation::C2r | Operation::S2r => control.operation = IntegerOperation::Move,
            Operation::R2c => control.operation = IntegerOperation::SetCode,
            Operation::Lld { access } | Operation::Gld { access, .. } => {
                unit = Unit::Memory;
                assert!(!d.store, "{context}");
                assert_eq!(1 << d.size.raw(), access.bytes(), "{context}");
                let signed = matches!(access, isa::MemoryAccess::S8 | isa::MemoryAccess::S16);
                assert_eq!(d.load_signed, signed, "{context}");
            }
            Operation::Lst { access } | Operation::Gst { access, .. } => {
                unit = Unit::Memory;
                assert!(d.store, "{context}");
                assert_eq!(1 << d.size.raw(), access.bytes(), "{context}");
                (b, c) = (c, None);
            }
            Operation::Bra { target }
            | Operation::Ssy { target }
            | Operation::Cal { target, .. }
            | Operation::Pbk { target } => {
                unit = Unit::Control;
                flow = match instruction.operation() {
                    Operation::Bra { .. } => ControlOperation::Branch,
                    Operation::Ssy { .. } => ControlOperation::PushJoin,
                    Operation::Cal { .. } => ControlOperation::Call,
                    _ => ControlOperation::PushBreak,
                };
                assert_eq!(d.target.raw(), u64::from(target), "{context}");
            }
            Operation::Bar {
                barrier,
                mask,
                arrive,
                wait,
            } => {
                (unit, flow) = (Unit::Control, ControlOperation::Barrier);
                let want = BarrierControl {
                    barrier: Bits::new(u64::from(barrier)),
                    threads: Bits::new(u64::from(mask)),
                    arrives: arrive,
                    waits: wait,
                };
                assert_eq!(d.barrier, want, "{context}");
            }
            Operation::Ret => (unit, flow) = (Unit::Control, ControlOperation::Return),
            Operation::Brk => (unit, flow) = (Unit::Control, ControlOperation::Break),
            Operation::Kil => (unit, flow) = (Unit::Control, ControlOperation::Kill),
            Operation::Trap => (unit, flow) = (Unit::Control, ControlOperation::Trap),
            Operation::Bpt => (unit, flow) = (Unit::Control, ControlOperation::Breakpoint),
            Operation::Nop | Operation::PmTrigger { .. } => {
                control.narrow = d.integer.narrow; // writes nothing
            }
            Operation::Special {
                function,
                sign,
                saturate,
            } => {
                unit = Unit::SpecialFunction;
                assert_eq!(d.special, special_control(function, sign, saturate), "{context}");
            }
            Operation::Fswz { thread, operations } => {
                unit = Unit::Float;
                assert_eq!(Some(d.float), float_control(operation), "{context}");
                // Source 3 is operand a, source 1 operand b, and from there operand c.
                (a, b, c) = (c, a, None);
                assert_eq!(d.c.source, Source::Quad, "{context}");
                match thread {
                    Some(thread) => {
                        quad.exchanges = true;
                        quad.thread = Bits::new(thread.into());
                        let numbers = operations.map(|operation| match operation {
                            isa::QuadOperation::Add => 0,
                            isa::QuadOperation::SubR => 1,
                            isa::QuadOperation::Sub => 2,
                            isa::QuadOperation::Mov => 3,
                        });
                        let all = numbers.iter().rev().fold(0, |all, number| all << 2 | number);
                        quad.operations = Bits::new(all);
                    }
                    None => {
                        // 0 + 0.
                        a = None;
                        assert_eq!(d.a.source, Source::Quad, "{context}");
                    }
                }
            }
            other => {
                let float = float_control(other);
                unit = Unit::Float;
                assert_eq!(Some(d.float), float, "{context}: {other:?}");
                narrow_sources = d.a.part != Part::Whole;
            }
        }
        let registers = match operation {
            Operation::Gld { access, .. }
            | Operation::Gst { access, .. }
            | Operation::Lld { access }
            | Operation::Lst { access } => access.bytes().div_ceil(4),
            _ => 1,
        };
        assert_eq!(d.further_registers.raw() + 1, u64::from(registers), "{context}");
        assert_eq!(d.unit, unit, "{context}");
        assert_eq!(d.quad, quad, "{context}");
        assert_eq!(d.control, flow, "{context}");
        if unit == Unit::Integer {
            assert_eq!(d.integer, control, "{context}");
        }
        self.operand(d.a, a.take(), &d, narrow_sources, &format!("{context}, a"));
        self.operand(
            d.b,
            b.take(),
            &d,
            narrow_sources || narrow_data,
            &format!("{context}, b"),
        );
        self.operand(d.c, c.take(), &d, false, &format!("{context}, c"));

        // The collector's work, and address registers.
        assert_eq!(d.indexing.scatters, scatters, "{context}");
        let indirect = instruction
            .sources()
            .iter()
            .flatten()
            .find_map(|operand| operand.indirect());
        let local = matches!(operation, Operation::Lld { .. } | Operation::Lst { .. });
        assert_eq!(d.indexing.local, local, "{context}");
        let gathers = !scatters && !local && (indirect.is_some() || matches!(operation, Operation::Mvc { .. }));
        assert_eq!(d.indexing.gathers, gathers, "{context}");
        let written = match instruction.destination() {
            Destination::Address(register) => Some(register),
            _ => None,
        };
        let increments = indirect.is_some_and(|indirect| {
            indirect.post_increment && indirect.register != 0 && written != Some(indirect.register)
        });
        assert_eq!(d.indexing.increments, increments, "{context}");
        assert_eq!(
            d.address_enable,
            written.is_some_and(|register| register != 0),
            "{context}"
        );
        if d.address_enable {
            assert_eq!(Some(d.address_register.raw() + 1), written.map(u64::from), "{context}");
        }

        // Destination and conditions.
        match instruction.destination() {
            Destination::Register { index, part } => {
                assert!(d.register_enable, "{context}");
                assert_eq!(d.register.raw(), u64::from(index), "{context}");
                let halves = match part {
                    isa::Part::Full => 3,
                    isa::Part::Low => 1,
                    isa::Part::High => 2,
                };
                assert_eq!(d.halves.raw(), halves, "{context}");
            }
            _ => assert!(!d.register_enable, "{context}"),
        }
        let written = match instruction.destination() {
            Destination::ConditionCode(register) => Some(register),
            _ => instruction.cc_write(),
        };
        assert_eq!(d.condition_enable, written.is_some(), "{context}");
        if let Some(register) = written {
            assert_eq!(d.condition_register.raw(), u64::from(register), "{context}");
        }
        let predicate = instruction.predicate();
        let code = predicate.condition as u64;
        assert_eq!(d.predicated, code != 15, "{context}");
        if d.predicated {
            assert_eq!(d.condition.raw(), code, "{context}");
        }
        if let Some(carry) = carry {
            assert_eq!(d.condition_source.raw(), u64::from(carry), "{context}");
        }
        if d.predicated && code != 0 {
            assert_eq!(d.condition_source.raw(), u64::from(predicate.register), "{context}");
        }
        assert_eq!(
            d.condition_used,
            carry.is_some() || operation == Operation::C2r || d.predicated && code != 0,
            "{context}"
        );
    }
}

#[test]
fn every_executed_row_with_random_fields() {
    let mut checker = Checker::new();
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    for row in isa::table::ROWS {
        for _ in 0..10_000 {
            let word = row.pattern.value | (rng.gen::<u64>() & !row.pattern.mask);
            checker.check(word);
            // Mostly with a condition that is defined and without address registers.
            let tame = (word & !(0x1f << 39)) | 0xf << 39;
            checker.check(tame);
            checker.check(tame & !(0xf << 24) & !(1 << 34) & !(1 << 35) | (row.pattern.value & (0xf << 24)));
        }
    }
    assert!(checker.legal > 250_000, "only {} legal words", checker.legal);
}

#[test]
fn random_words() {
    let mut checker = Checker::new();
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(2);
    for _ in 0..3_000_000 {
        checker.check(rng.gen());
    }
    assert!(checker.legal > 30_000, "only {} legal words", checker.legal);
}

#[test]
fn corpus() {
    let root = std::env::var("FLEXGRIP_SHARED")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared").to_string());
    let Ok(text) = std::fs::read_to_string(format!("{root}/corpus/sm10_words.tsv")) else {
        println!("skipped: no corpus at {root}");
        return;
    };
    let mut checker = Checker::new();
    for line in text.lines().skip(1) {
        let mut fields = line.split('\t');
        let parse = |field: Option<&str>| u64::from_str_radix(field.unwrap_or(""), 16).unwrap_or(0);
        let low = parse(fields.next());
        let high = parse(fields.next());
        checker.check(low | high << 32);
    }
    assert!(checker.legal > 1_000, "only {} legal words", checker.legal);
}
