//! The control lines that each operation requires, written from its type and independently of the table. The circuit's
//! control lines are compared with these.

use crate::float_controls::{double_control, float_control, integer_width, special_control};
use flexgrip_hdl::bundles::QuadControl;
use flexgrip_hdl::bundles::*;
use flexgrip_hdl::execute::float::{FloatControl, FloatOperation};
use flexgrip_hdl::execute::special_function::SpecialControl;
use flexgrip_isa as isa;
use hdlkit::prelude::*;
use isa::{Operation, Row};

/// The kind of an operand in the circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Given {
    /// The instruction's source of this index.
    Source(usize),
    /// A constant that is part of the operation.
    Number(u32),
    /// Another thread's b, or 0.
    Quad,
    /// The result of a vote, of all threads or of any.
    Vote { all: bool },
}

/// The circuit's required outputs for an operation, for any operands. `None` if an output does not matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls {
    pub unit: Unit,
    pub flow: ControlOperation,
    pub integer: IntegerControl,
    /// The integer operation is narrow if the destination is half a register.
    pub narrow_as_destination: bool,
    /// The integer operation may be narrow or not.
    pub any_width: bool,
    /// A left shift may be signed or not.
    pub any_sign: bool,
    pub float: Option<FloatControl>,
    /// The control of the quad exchange; `None` if there is no exchange.
    pub quad: Option<QuadControl>,
    pub special: Option<SpecialControl>,
    /// The instruction is for the double-precision unit: its control is in `float`, and its result has 64 bits or 32.
    pub double: Option<Wide>,
    /// a, b and c.
    pub operands: [Option<Given>; 3],
    /// a and b are the low 16 bits of their sources.
    pub narrow_sources: Option<bool>,
    /// Condition-code register with the carry.
    pub carry: Option<u8>,
    /// a is a condition-code register.
    pub reads_code: bool,
    /// The operand collector stores b at the address in source 1.
    pub scatters: bool,
    /// The address is in local memory.
    pub local: bool,
    /// The access to shared memory is under a lock.
    pub locked: bool,
    /// The operand collector fetches a, whether or not it has an address register.
    pub moves_constant: bool,
    /// The condition that threads vote on.
    pub vote: Option<Vote>,
    pub access: Option<isa::MemoryAccess>,
    pub atomic: Option<isa::Atomic>,
    pub store: Option<bool>,
    pub target: Option<u32>,
    pub barrier: Option<BarrierControl>,
}

/// The condition of a vote: a condition-code register, and the condition on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    pub register: u8,
    pub condition: isa::Condition,
}

impl Vote {
    /// True if the condition depends on the register.
    pub fn reads(&self) -> bool {
        !matches!(self.condition, isa::Condition::True | isa::Condition::False)
    }
}

/// True if the result of a double instruction has 64 bits.
pub type Wide = bool;

impl Controls {
    /// Registers of a memory access or of a double instruction's result.
    pub fn registers(&self) -> u32 {
        if let Some(wide) = self.double {
            return 1 + u32::from(wide);
        }
        let bytes = self.access.map(|access| access.bytes()).or(self.atomic.map(|atomic| atomic.bytes()));
        bytes.map_or(1, |bytes| bytes.div_ceil(4))
    }

    /// The code of the size of a memory access, or of an atomic operation.
    pub fn size(&self) -> Option<u64> {
        let of_access = self.access.map(|access| access.bytes().trailing_zeros().into());
        of_access.or(self.atomic.map(|atomic| if atomic.bytes() == 4 { 5 } else { 6 }))
    }

    /// The number of an atomic operation. For a comparison also true if it compares signed numbers.
    pub fn number(&self) -> Option<(u64, Option<bool>)> {
        use isa::{Atomic32 as Of32, Atomic64 as Of64};
        Some(match self.atomic? {
            isa::Atomic::Word(Of32::Add) | isa::Atomic::Long(Of64::Add) => (0, None),
            isa::Atomic::Word(Of32::Exchange) | isa::Atomic::Long(Of64::Exchange) => (1, None),
            isa::Atomic::Word(Of32::CompareAndSwap) | isa::Atomic::Long(Of64::CompareAndSwap) => (2, None),
            isa::Atomic::Word(Of32::Increment) => (4, None),
            isa::Atomic::Word(Of32::Decrement) => (5, None),
            isa::Atomic::Word(Of32::Maximum { signed }) => (6, Some(signed)),
            isa::Atomic::Word(Of32::Minimum { signed }) => (7, Some(signed)),
            isa::Atomic::Word(Of32::And) => (10, None),
            isa::Atomic::Word(Of32::Or) => (11, None),
            isa::Atomic::Word(Of32::Xor) => (12, None),
        })
    }

    /// For a load, true if the loaded value is sign-extended; `None` for other instructions.
    pub fn load_signed(&self) -> Option<bool> {
        let access = self.access.filter(|_| self.store == Some(false))?;
        Some(matches!(access, isa::MemoryAccess::S8 | isa::MemoryAccess::S16))
    }

    /// The required outputs of one of the row's operations.
    pub fn of(row: &Row, operation: Operation) -> Self {
        let mut control = IntegerControl::default();
        let mut carry = None;
        let mut narrow_sources = false;
        let mut unit = Unit::Integer;
        let mut flow = ControlOperation::Marker;
        let [mut a, mut b, mut c] = [0, 1, 2].map(|index| Some(Given::Source(index)));
        let (mut any_sources, mut narrow_as_destination, mut any_width, mut any_sign) = (false, false, false, false);
        let (mut float, mut quad, mut special) = (None, None, None);
        let (mut access, mut store, mut target, mut barrier) = (None, None, None, None);
        let (mut vote, mut atomic, mut double) = (None, None, None);
        match operation {
            Operation::Mov { width } => {
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.operation = IntegerOperation::Move;
            }
            Operation::I2i { from, to, absolute, negate, .. } => {
                control.operation = IntegerOperation::Convert;
                control.source_width = integer_width(from);
                control.source_signed = from.is_signed();
                control.result_width = integer_width(to);
                control.result_signed = to.is_signed();
                control.absolute = absolute;
                control.negate = negate;
                narrow_as_destination = true;
                any_sources = true; // the type gives the number of bits that matter
            }
            Operation::Iadd { sum: kind, carry: register, width, saturate } => {
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
            Operation::Imad { product: kind, sum: added, carry: register } => {
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
                any_sign = true; // no effect in a left shift
            }
            Operation::Shr { width, signed } => {
                control.operation = IntegerOperation::Shift;
                control.shift_right = true;
                narrow_sources = width_is_16(width);
                control.narrow = narrow_sources;
                control.is_signed = signed;
            }
            Operation::Logic { logic, width, invert1, invert2 } => {
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
                // The access extends the operand.
                control.narrow = width_is_16(width);
                control.operation = IntegerOperation::Move;
            }
            Operation::G2r { width } => {
                control.narrow = width_is_16(width);
                control.operation = IntegerOperation::Move;
                any_sources = true; // the width of the result gives the number of bits that matter
            }
            Operation::G2rLock { width } => {
                control.narrow = width_is_16(width);
                control.operation = IntegerOperation::SetCode;
                control.carry_in = true; // the code is from the lock, which the read stage passes as the carry
                any_sources = true;
            }
            Operation::Vote { all, condition } => {
                control.operation = IntegerOperation::SetCode;
                vote = Some(Vote { register: condition.register, condition: condition.condition });
                (a, b, c) = (Some(Given::Vote { all }), None, None);
            }
            Operation::R2g | Operation::R2gUnlock => {
                control.operation = IntegerOperation::Move;
                (a, b, c) = (None, c, None);
            }
            Operation::R2a { shift } => {
                control.operation = IntegerOperation::Shift;
                b = Some(Given::Number(u32::from(shift)));
            }
            Operation::A2r => control.operation = IntegerOperation::Move,
            Operation::Plain(plain) => control.operation = plain_operation(row, plain),
            Operation::C2r | Operation::S2r => control.operation = IntegerOperation::Move,
            Operation::R2c => control.operation = IntegerOperation::SetCode,
            Operation::Atomic { atomic: of_memory, .. } => {
                unit = Unit::Memory;
                (atomic, store) = (Some(of_memory), Some(false));
                if !of_memory.has_operand_c() {
                    c = None;
                }
            }
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
            Operation::Bar { barrier: number, mask, arrive, wait } => {
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
            Operation::Special { function, sign, saturate } => {
                unit = Unit::SpecialFunction;
                special = Some(special_control(function, sign, saturate));
            }
            Operation::Double(of) => {
                unit = Unit::SpecialFunction;
                float = Some(double_control(of));
                double = Some(of.has_wide_result());
                if matches!(of, isa::Double::Add { .. }) {
                    // Source 3 is operand c.
                    b = None;
                }
            }
            Operation::Fswz { thread, operations } => {
                unit = Unit::Float;
                float = float_control(operation);
                // Source 3 is operand a. Source 1 is operand b, which the exchange moves to operand c.
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
                    // The result is 0 + 0.
                    None => a = Some(Given::Quad),
                }
            }
            other => {
                if let Operation::Fmul { saturate: true, .. } = other {
                    // The sum of the product and 0.
                    c = Some(Given::Quad);
                }
                float = float_control(other);
                unit = Unit::Float;
                // In a conversion the types give the number of bits that matter.
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
            double,
            operands: [a, b, c],
            narrow_sources: (!any_sources).then_some(narrow_sources),
            carry,
            reads_code: operation == Operation::C2r,
            scatters: matches!(operation, Operation::R2g | Operation::R2gUnlock),
            local: matches!(operation, Operation::Lld { .. } | Operation::Lst { .. }),
            locked: matches!(operation, Operation::G2rLock { .. } | Operation::R2gUnlock),
            moves_constant: matches!(
                operation,
                Operation::Mvc { .. } | Operation::G2r { .. } | Operation::G2rLock { .. }
            ),
            vote,
            access,
            atomic,
            store,
            target,
            barrier,
        }
    }
}

pub fn width_is_16(width: isa::Width) -> bool {
    width == isa::Width::B16
}

/// Sets the required control of a sum; returns the condition-code register with the carry.
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

/// The integer lane's operation for an instruction that is defined by its arithmetic alone: the operation of the same
/// name. Such an instruction has no modifiers, so it drives no other lines.
fn plain_operation(row: &Row, plain: isa::Plain) -> IntegerOperation {
    assert_eq!(row.unit, isa::Unit::Integer, "{}: a plain operation of another unit", row.name);
    let named = |operation: &&IntegerOperation| format!("{operation:?}") == plain.name();
    let known = IntegerOperation::ALL.iter().find(named);
    *known.unwrap_or_else(|| panic!("{}: the lane has no {}", row.name, plain.name()))
}
