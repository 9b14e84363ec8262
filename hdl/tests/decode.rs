//! The decode stage against the `isa` table. A word that `isa` decodes and this core executes must be split into the
//! same pieces; every other word must be illegal. The circuit's Verilog is proven to do so for every word
//! ([`decode_proof`]). The simulated circuit, and the proof's reading of the table, are compared with [`isa::decode`]
//! itself: every row with random fields, and every word of the corpus.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::execute::float::{FloatControl, FloatOperation};
use flexgrip_hdl::execute::quad_exchange::QuadControl;
use flexgrip_hdl::execute::special_function::{SpecialControl, SpecialOperation};
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_isa as isa;
use hdlkit::prelude::*;
use isa::{Destination, Marker, Operation};
use rand::{Rng, SeedableRng};

mod decode_proof;
mod manual_decoder;
mod tools;

struct Checker {
    engine: CycleEngine<Decode>,
    legal: u64,
}

/// Kind of an operand of the circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Given {
    /// The instruction's source of this index.
    Source(usize),
    /// A number that is part of the operation.
    Number(u32),
    /// Another thread's b, or nothing.
    Quad,
}

/// The circuit's required output for an operation, whatever its operands. `None`: it does not matter.
#[derive(Clone, Debug, PartialEq)]
struct Controls {
    unit: Unit,
    flow: ControlOperation,
    integer: IntegerControl,
    /// The integer operation is narrow if the destination is half a register.
    narrow_as_destination: bool,
    /// The integer operation may be narrow or not.
    any_width: bool,
    /// A left shift may be signed or not.
    any_sign: bool,
    float: Option<FloatControl>,
    /// `None`: no exchange.
    quad: Option<QuadControl>,
    special: Option<SpecialControl>,
    /// a, b and c.
    operands: [Option<Given>; 3],
    /// a and b are the low 16 bits of their sources.
    narrow_sources: Option<bool>,
    /// Condition-code register that the carry comes from.
    carry: Option<u8>,
    /// a is a condition-code register.
    reads_code: bool,
    /// The operand collector stores b at the address in source 1.
    scatters: bool,
    /// The address is in local memory.
    local: bool,
    /// The operand collector fetches a, whether or not it has an address register.
    moves_constant: bool,
    access: Option<isa::MemoryAccess>,
    store: Option<bool>,
    target: Option<u32>,
    barrier: Option<BarrierControl>,
}

impl Controls {
    /// Registers of a memory access.
    fn registers(&self) -> u32 {
        self.access.map_or(1, |access| access.bytes().div_ceil(4))
    }

    /// Whether the loaded value is sign-extended.
    fn load_signed(&self) -> Option<bool> {
        let access = self.access.filter(|_| self.store == Some(false))?;
        Some(matches!(access, isa::MemoryAccess::S8 | isa::MemoryAccess::S16))
    }
}

fn width_is_16(width: isa::Width) -> bool {
    width == isa::Width::B16
}

/// Sets the required control of a sum; returns the register that the carry comes from.
fn sum(control: &mut IntegerControl, sum: isa::Sum, carry: u8) -> Option<u8> {
    match sum {
        isa::Sum::Add => None,
        isa::Sum::Subtract => {
            control.negate_last = true;
            None
        }
        isa::Sum::ReverseSubtract => {
            control.negate_first = true;
            None
        }
        isa::Sum::AddCarry => {
            control.carry_in = true;
            Some(carry)
        }
    }
}

fn multiply_24(control: &mut IntegerControl, signed: bool, high: bool) {
    control.multiply_24 = true;
    control.multiply_signed_a = signed;
    control.multiply_signed_b = signed;
    control.multiply_high = high;
}

/// Sets the required control of an IMAD's product.
fn product(control: &mut IntegerControl, product: isa::Product) {
    use isa::Product::*;
    match product {
        U16 | S16 | SatS16 => {
            control.multiply_signed_a = product != U16;
            control.multiply_signed_b = product != U16;
        }
        U24 | S24 | SatS24 => multiply_24(control, product != U24, false),
        HiU24 | HiS24 | HiSatS24 => multiply_24(control, product != HiU24, true),
    }
    control.saturate = matches!(product, SatS16 | SatS24 | HiSatS24);
}

fn integer_width(integer: isa::Integer) -> IntegerWidth {
    match integer.bits() {
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

/// The required control of a float lane; `None` for an instruction of another unit.
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
        Operation::Fset { order, sign1, sign2 } => {
            control.operation = FloatOperation::Set;
            control.compare_less = order.ordered.less;
            control.compare_equal = order.ordered.equal;
            control.compare_greater = order.ordered.greater;
            control.compare_unordered = order.unordered;
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
            from,
            to,
            sign,
            rounding: mode,
            integral,
            saturate,
        } => {
            control.operation = FloatOperation::ToFloat;
            control.source_half = from == isa::Float::F16;
            control.result_half = to == isa::Float::F16;
            control.integral = integral;
            control.rounding = rounding(mode);
            control.saturate = saturate;
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::F2i {
            from,
            width,
            signed,
            sign,
            rounding: mode,
        } => {
            control.operation = FloatOperation::ToInteger;
            control.source_half = from == isa::Float::F16;
            control.result_narrow = width_is_16(width);
            control.result_signed = signed;
            control.rounding = rounding(mode);
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        Operation::I2f {
            from,
            to,
            sign,
            rounding: mode,
            saturate,
        } => {
            control.operation = FloatOperation::FromInteger;
            control.source_width = integer_width(from);
            control.source_signed = from.is_signed();
            control.result_half = to == isa::Float::F16;
            control.rounding = rounding(mode);
            control.saturate = saturate;
            (control.absolute_a, control.negate_a) = (sign.absolute, sign.negate);
        }
        _ => return None,
    }
    Some(control)
}

fn special_control(function: isa::SpecialFunction, sign: isa::Sign, saturate: bool) -> SpecialControl {
    SpecialControl {
        operation: match function {
            isa::SpecialFunction::Reciprocal => SpecialOperation::Reciprocal,
            isa::SpecialFunction::ReciprocalRoot => SpecialOperation::ReciprocalRoot,
            isa::SpecialFunction::Logarithm => SpecialOperation::Logarithm,
            isa::SpecialFunction::Sine => SpecialOperation::Sine,
            isa::SpecialFunction::Cosine => SpecialOperation::Cosine,
            isa::SpecialFunction::Power => SpecialOperation::Power,
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

    /// The thread's own address in a memory.
    fn place(&self, d: &Decoded, offset: i32, access: isa::Access, indirect: Option<isa::Indirect>, context: &str) {
        assert_eq!(d.indexing.offset.raw(), u64::from(offset as u16), "{context}");
        assert_eq!(d.indexing.access.raw(), access_code(access), "{context}");
        let post_increment = indirect.is_some_and(|indirect| indirect.post_increment);
        assert_eq!(d.indexing.post_increment, post_increment, "{context}");
        self.address(d, indirect.map_or(0, |indirect| indirect.register), context);
    }

    /// An operand fetched by the collector.
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

    /// Compares an operand of the circuit with the table's.
    fn operand(
        &self,
        got: Operand,
        want: Option<isa::Operand>,
        d: &Decoded,
        narrow: Option<bool>,
        moves_constant: bool,
        context: &str,
    ) {
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
                let mask = if narrow == Some(true) { 0xffff } else { 0xffff_ffff };
                assert_eq!(d.immediate.raw(), u64::from(value & mask), "{context}");
            }
            isa::Operand::Shared {
                offset,
                access,
                indirect: Some(indirect),
            } => {
                self.gathered(got, offset, access, Some(indirect), d, context);
                assert!(!d.indexing.constant, "{context}");
                if let Some(narrow) = narrow {
                    assert_eq!(got.part, if narrow { Part::Low } else { Part::Whole }, "{context}");
                }
            }
            isa::Operand::Shared { offset, access, .. } => {
                assert_eq!(got.source, Source::Shared, "{context}");
                assert!(!got.register_used, "{context}");
                assert_eq!(d.shared_offset.raw(), offset as u64, "{context}");
                assert_eq!(d.shared_access.raw(), access_code(access), "{context}");
                if let Some(narrow) = narrow {
                    assert_eq!(got.part, if narrow { Part::Low } else { Part::Whole }, "{context}");
                }
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

    fn controls(operation: Operation) -> Controls {
        let mut control = IntegerControl::default();
        let mut carry = None;
        let mut narrow_sources = false;
        let mut unit = Unit::Integer;
        let mut flow = ControlOperation::Marker;
        let [mut a, mut b, mut c] = [0, 1, 2].map(|index| Some(Given::Source(index)));
        let (mut any_sources, mut narrow_as_destination, mut any_width, mut any_sign) = (false, false, false, false);
        let (mut float, mut quad, mut special) = (None, None, None);
        let (mut access, mut store, mut target, mut barrier) = (None, None, None, None);
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
                ..
            } => {
                control.operation = IntegerOperation::Convert;
                control.source_width = integer_width(from);
                control.source_signed = from.is_signed();
                control.result_width = integer_width(to);
                control.result_signed = to.is_signed();
                control.absolute = absolute;
                control.negate = negate;
                narrow_as_destination = true;
                any_sources = true; // the type says how many bits count
            }
            Operation::Iadd {
                sum: kind,
                carry: register,
                width,
                saturate,
            } => {
                control.operation = IntegerOperation::Add;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.saturate = saturate;
                carry = sum(&mut control, kind, register);
                (b, c) = (c, None);
            }
            Operation::Imul16 { signed1, signed2 } => {
                control.operation = IntegerOperation::Multiply;
                control.multiply_signed_a = signed1;
                control.multiply_signed_b = signed2;
                narrow_sources = true;
            }
            Operation::Imul24 { signed, high } => {
                control.operation = IntegerOperation::Multiply;
                multiply_24(&mut control, signed, high);
            }
            Operation::Imad {
                product: kind,
                sum: added,
                carry: register,
            } => {
                control.operation = IntegerOperation::Multiply;
                control.accumulate = true;
                product(&mut control, kind);
                narrow_sources = !control.multiply_24;
                carry = sum(&mut control, added, register);
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
                any_sign = true; // has no say in a left shift
            }
            Operation::Shr { width, signed } => {
                control.operation = IntegerOperation::Shift;
                control.shift_right = true;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
            }
            Operation::Logic {
                logic,
                width,
                invert1,
                invert2,
            } => {
                control.operation = IntegerOperation::Logic;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.invert_a = invert1;
                control.invert_b = invert2;
                control.logic_function = Bits::new(match logic {
                    isa::Logic::And => 0,
                    isa::Logic::Or => 1,
                    isa::Logic::Xor => 2,
                    isa::Logic::PassB => 3,
                });
            }
            Operation::Iset { order, width, signed } => {
                control.operation = IntegerOperation::Set;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
                control.compare_less = order.less;
                control.compare_equal = order.equal;
                control.compare_greater = order.greater;
            }
            Operation::Imin { width, signed } | Operation::Imax { width, signed } => {
                control.operation = IntegerOperation::MinMax;
                control.maximum = matches!(operation, Operation::Imax { .. });
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
            }
            Operation::Mvc { width } => {
                // Its access extends the operand.
                control.narrow = width_is_16(width);
                control.operation = IntegerOperation::Move;
            }
            Operation::R2g => {
                control.operation = IntegerOperation::Move;
                (a, b, c) = (None, c, None);
            }
            Operation::R2a { shift } => {
                control.operation = IntegerOperation::Shift;
                b = Some(Given::Number(u32::from(shift)));
            }
            Operation::A2r => control.operation = IntegerOperation::Move,
            Operation::Plain(plain) if plain.name() == "ADA" => control.operation = IntegerOperation::Add,
            Operation::C2r | Operation::S2r => control.operation = IntegerOperation::Move,
            Operation::R2c => control.operation = IntegerOperation::SetCode,
            Operation::Lld { access: loaded } | Operation::Gld { access: loaded, .. } => {
                unit = Unit::Memory;
                (access, store) = (Some(loaded), Some(false));
            }
            Operation::Lst { access: stored } | Operation::Gst { access: stored, .. } => {
                unit = Unit::Memory;
                (access, store) = (Some(stored), Some(true));
                (b, c) = (c, None);
            }
            Operation::Bra { target: to }
            | Operation::Ssy { target: to }
            | Operation::Cal { target: to, .. }
            | Operation::Pbk { target: to } => {
                unit = Unit::Control;
                flow = match operation {
                    Operation::Bra { .. } => ControlOperation::Branch,
                    Operation::Ssy { .. } => ControlOperation::PushJoin,
                    Operation::Cal { .. } => ControlOperation::Call,
                    _ => ControlOperation::PushBreak,
                };
                target = Some(to);
            }
            Operation::Bar {
                barrier: number,
                mask,
                arrive,
                wait,
            } => {
                (unit, flow) = (Unit::Control, ControlOperation::Barrier);
                barrier = Some(BarrierControl {
                    barrier: Bits::new(u64::from(number)),
                    threads: Bits::new(u64::from(mask)),
                    arrives: arrive,
                    waits: wait,
                });
            }
            Operation::Ret => (unit, flow) = (Unit::Control, ControlOperation::Return),
            Operation::Brk => (unit, flow) = (Unit::Control, ControlOperation::Break),
            Operation::Kil => (unit, flow) = (Unit::Control, ControlOperation::Kill),
            Operation::Trap => (unit, flow) = (Unit::Control, ControlOperation::Trap),
            Operation::Bpt => (unit, flow) = (Unit::Control, ControlOperation::Breakpoint),
            Operation::Nop | Operation::PmTrigger { .. } => {
                any_width = true; // writes nothing
            }
            Operation::Special {
                function,
                sign,
                saturate,
            } => {
                unit = Unit::SpecialFunction;
                special = Some(special_control(function, sign, saturate));
            }
            Operation::Fswz { thread, operations } => {
                unit = Unit::Float;
                float = float_control(operation);
                // Source 3 is operand a, source 1 is operand b, and from there operand c.
                (a, b, c) = (c, a, Some(Given::Quad));
                match thread {
                    Some(thread) => {
                        let numbers = operations.map(|operation| match operation {
                            isa::Quad::Add => 0,
                            isa::Quad::ReverseSubtract => 1,
                            isa::Quad::Subtract => 2,
                            isa::Quad::Move => 3,
                        });
                        let all = numbers.iter().rev().fold(0, |all, number| all << 2 | number);
                        quad = Some(QuadControl {
                            exchanges: true,
                            thread: Bits::new(thread.into()),
                            operations: Bits::new(all),
                        });
                    }
                    // 0 + 0.
                    None => a = Some(Given::Quad),
                }
            }
            other => {
                float = float_control(other);
                unit = Unit::Float;
                // In a conversion the types give the number of bits that count.
                any_sources = float.is_some_and(|float| {
                    use FloatOperation::*;
                    matches!(float.operation, ToFloat | ToInteger | FromInteger)
                });
            }
        }
        Controls {
            unit,
            flow,
            integer: control,
            narrow_as_destination,
            any_width,
            any_sign,
            float,
            quad,
            special,
            operands: [a, b, c],
            narrow_sources: (!any_sources).then_some(narrow_sources),
            carry,
            reads_code: operation == Operation::C2r,
            scatters: operation == Operation::R2g,
            local: matches!(operation, Operation::Lld { .. } | Operation::Lst { .. }),
            moves_constant: matches!(operation, Operation::Mvc { .. }),
            access,
            store,
            target,
            barrier,
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
        let want = Self::controls(instruction.operation());
        assert_eq!(d.further_registers.raw() + 1, u64::from(want.registers()), "{context}");
        assert_eq!(d.unit, want.unit, "{context}");
        assert_eq!(d.control, want.flow, "{context}");
        // Without an exchange the other fields mean nothing.
        let quad = want.quad.unwrap_or(QuadControl {
            exchanges: false,
            ..d.quad
        });
        assert_eq!(d.quad, quad, "{context}");
        match want.unit {
            Unit::Integer => {
                let mut integer = want.integer;
                match instruction.destination() {
                    Destination::Register { part, .. } if want.narrow_as_destination => {
                        integer.narrow = part != isa::Part::Full;
                    }
                    _ if want.narrow_as_destination || want.any_width => integer.narrow = d.integer.narrow,
                    _ => {}
                }
                if want.any_sign {
                    integer.is_signed = d.integer.is_signed;
                }
                assert_eq!(d.integer, integer, "{context}");
            }
            Unit::Float => assert_eq!(Some(d.float), want.float, "{context}"),
            Unit::SpecialFunction => assert_eq!(Some(d.special), want.special, "{context}"),
            Unit::Memory => {
                assert_eq!(Some(d.store), want.store, "{context}");
                let bytes = want.access.map(|access| access.bytes());
                assert_eq!(Some(1 << d.size.raw()), bytes, "{context}");
                if let Some(signed) = want.load_signed() {
                    assert_eq!(d.load_signed, signed, "{context}");
                }
            }
            Unit::Control => {
                if let Some(target) = want.target {
                    assert_eq!(d.target.raw(), u64::from(target), "{context}");
                }
                if let Some(barrier) = want.barrier {
                    assert_eq!(d.barrier, barrier, "{context}");
                }
            }
        }
        let sources = instruction.sources();
        let narrow = [want.narrow_sources, want.narrow_sources, Some(false)];
        for ((got, given), (narrow, name)) in [d.a, d.b, d.c]
            .into_iter()
            .zip(want.operands)
            .zip(narrow.into_iter().zip(["a", "b", "c"]))
        {
            let operand = match given {
                Some(Given::Source(index)) => sources[index],
                Some(Given::Number(number)) => Some(isa::Operand::Immediate(number)),
                Some(Given::Quad) => {
                    assert_eq!(got.source, Source::Quad, "{context}, {name}");
                    None
                }
                None => None,
            };
            self.operand(
                got,
                operand,
                &d,
                narrow,
                want.moves_constant,
                &format!("{context}, {name}"),
            );
        }

        // The collector's work, and address registers.
        assert_eq!(d.indexing.scatters, want.scatters, "{context}");
        if want.scatters {
            let Some(isa::Operand::Shared {
                offset,
                access,
                indirect,
            }) = sources[0]
            else {
                panic!("{context}: stored to {:?}", sources[0]);
            };
            self.place(&d, offset, access, indirect, &context);
        }
        let indirect = sources.iter().flatten().find_map(|operand| operand.indirect());
        assert_eq!(d.indexing.local, want.local, "{context}");
        let gathers = !want.scatters && !want.local && (indirect.is_some() || want.moves_constant);
        assert_eq!(d.indexing.gathers, gathers, "{context}");
        // No instruction waits for an address register that it does not read.
        let reads_address = sources.iter().flatten().any(|operand| match operand {
            isa::Operand::Address(register) => *register != 0,
            _ => operand.indirect().is_some_and(|indirect| indirect.register != 0),
        });
        assert_eq!(d.indexing.register_used, reads_address, "{context}");
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
        if let Some(carry) = want.carry {
            assert_eq!(d.condition_source.raw(), u64::from(carry), "{context}");
        }
        if d.predicated && code != 0 {
            assert_eq!(d.condition_source.raw(), u64::from(predicate.register), "{context}");
        }
        assert_eq!(
            d.condition_used,
            want.carry.is_some() || want.reads_code || d.predicated && code != 0,
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
            // Mostly with a defined condition and without address registers.
            let tame = (word & !(0x1f << 39)) | 0xf << 39;
            checker.check(tame);
            checker.check(tame & !(0xf << 24) & !(1 << 34) & !(1 << 35) | (row.pattern.value & (0xf << 24)));
        }
    }
    assert!(checker.legal > 250_000, "only {} legal words", checker.legal);
}

/// The words of the corpus; reports if there is no corpus.
fn corpus_words() -> Option<Vec<u64>> {
    let root = std::env::var("FLEXGRIP_SHARED")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared").to_string());
    let Ok(text) = std::fs::read_to_string(format!("{root}/corpus/sm10_words.tsv")) else {
        println!("skipped: no corpus at {root}");
        return None;
    };
    let word = |line: &str| {
        let mut fields = line.split('\t');
        let parse = |field: Option<&str>| u64::from_str_radix(field.unwrap_or(""), 16).unwrap_or(0);
        let low = parse(fields.next());
        let high = parse(fields.next());
        low | high << 32
    };
    Some(text.lines().skip(1).map(word).collect())
}

#[test]
fn corpus() {
    let Some(words) = corpus_words() else { return };
    let mut checker = Checker::new();
    for word in words {
        checker.check(word);
    }
    assert!(checker.legal > 1_000, "only {} legal words", checker.legal);
}
