//! The two circuits: as blocks with only a control and operands, as Verilog, and with the encoding of their control.

use crate::cases::Control;
use flexgrip_hdl::bundles::Operands;
use flexgrip_hdl::execute::float::{FloatControl, FloatLane};
use flexgrip_hdl::execute::multiplier::Multiplier;
use flexgrip_hdl::execute::special_function::SpecialFunctionUnit;
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportError, ExportOptions};

/// The float lane with the required parts of its surrounding block: the delay of the control, and the multiplier.
///
/// ```text
/// cycle   t                          t+7
///         x_control, x_a, x_b, x_c   x_result, x_condition
/// ```
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
pub struct FloatUnit {
    /// The clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The operation and its modifiers.
    pub x_control: Signal<In, FloatControl>,
    /// Operand a.
    pub x_a: Signal<In, Bits<32>>,
    /// Operand b.
    pub x_b: Signal<In, Bits<32>>,
    /// Operand c.
    pub x_c: Signal<In, Bits<32>>,
    /// The result, 7 cycles after the operands.
    pub x_result: Signal<Out, Bits<32>>,
    /// The condition code of the result, in the same cycle: Z in bit 0, S, C, O.
    pub x_condition: Signal<Out, Bits<4>>,
    lane: FloatLane,
    multiplier: Multiplier,
    x2: DFF<FloatControl>,
    x3: DFF<FloatControl>,
    x4: DFF<FloatControl>,
    x5: DFF<FloatControl>,
    _activity: Activity,
}

impl Logic for FloatUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x2, x3, x4, x5);
        self.lane.clock.next = self.clock.val();
        self.multiplier.clock.next = self.clock.val();
        self.x2.d.next = self.x_control.val();
        self.x3.d.next = self.x2.q.val();
        self.x4.d.next = self.x3.q.val();
        self.x5.d.next = self.x4.q.val();
        self.lane.x1_control.next = self.x_control.val();
        self.lane.x3_control.next = self.x3.q.val();
        self.lane.x5_control.next = self.x5.q.val();
        self.lane.x_operands.next = Operands {
            a: self.x_a.val(),
            b: self.x_b.val(),
            c: self.x_c.val(),
        };
        self.multiplier.x1_a.next = self.lane.x1_factor_a.val();
        self.multiplier.x1_b.next = self.lane.x1_factor_b.val();
        self.lane.x3_product.next = self.multiplier.x3_product.val();
        self.x_result.next = self.lane.x_result.val();
        self.x_condition.next = self.lane.x_condition.val();
    }
}

/// A circuit to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// The float lane with its multiplier.
    Float,
    /// The special function unit.
    Special,
}

impl Unit {
    /// Both circuits.
    pub const ALL: [Unit; 2] = [Unit::Float, Unit::Special];

    /// The name of the top module.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Float => "float_unit",
            Unit::Special => "special_function_unit",
        }
    }

    /// The number of cycles from the operands to the result.
    pub const fn latency(self) -> u32 {
        match self {
            Unit::Float => 7,
            Unit::Special => 8,
        }
    }

    /// The width of the control in bits. The lowest bits select the operation.
    pub const fn control_bits(self) -> u32 {
        match self {
            Unit::Float => 25,
            Unit::Special => 6,
        }
    }

    /// The number of bits of the control that select the operation.
    pub const fn operation_bits(self) -> u32 {
        match self {
            Unit::Float => 4,
            Unit::Special => 3,
        }
    }

    /// The Verilog of the circuit.
    ///
    /// # Errors
    /// The circuit has no exact Verilog.
    pub fn verilog(self) -> Result<String, ExportError> {
        let mut options = ExportOptions::new(self.name());
        // Modules are named after instances, as in the recorded runs: a change of a type's name then changes neither
        // gates nor records.
        options.name_of = Box::new(|path| {
            let instance = path.rsplit('.').next()?;
            instance.split('[').next().map(str::to_owned)
        });
        match self {
            Unit::Float => export(&*Box::new(FloatUnit::blank()), &options),
            Unit::Special => export(&*Box::<SpecialFunctionUnit>::default(), &options),
        }
    }
}

impl Control {
    /// The unit of this control.
    pub const fn unit(&self) -> Unit {
        match self {
            Control::Float(_) => Unit::Float,
            Control::Special(_) => Unit::Special,
        }
    }

    /// The bits of the control port, with the first field lowest.
    pub fn encode(&self) -> u32 {
        // Fields are given from the lowest one up.
        let fold = |fields: &[(u32, u32)]| {
            let (bits, _) = fields
                .iter()
                .fold((0, 0), |(bits, low), (value, width)| (bits | value << low, low + width));
            bits
        };
        let bit = |bit: bool| (u32::from(bit), 1);
        match self {
            Control::Float(control) => fold(&[
                (control.operation as u32, 4),
                (control.rounding.raw() as u32, 2),
                bit(control.saturate),
                bit(control.absolute_a),
                bit(control.negate_a),
                bit(control.absolute_b),
                bit(control.negate_b),
                bit(control.negate_c),
                bit(control.compare_less),
                bit(control.compare_equal),
                bit(control.compare_greater),
                bit(control.compare_unordered),
                bit(control.maximum),
                bit(control.integral),
                bit(control.source_half),
                bit(control.result_half),
                (control.source_width as u32, 2),
                bit(control.source_signed),
                bit(control.result_narrow),
                bit(control.result_signed),
            ]),
            Control::Special(control) => fold(&[
                (control.operation as u32, 3),
                bit(control.absolute),
                bit(control.negate),
                bit(control.saturate),
            ]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{float, special};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The bits of a value in rust-hdl's own description, with their number.
    fn described<T: Synth>(value: T) -> (u32, u32) {
        let bits = crate::ports::bits(value).expect("a description");
        let number = bits.iter().rev().fold(0, |number, bit| number << 1 | u32::from(*bit));
        (number, bits.len() as u32)
    }

    #[test]
    fn controls_are_encoded_as_in_the_circuit() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..2_000 {
            let operation = float::OPERATIONS[rng.gen_range(0..float::OPERATIONS.len())];
            let control = float::noise(&mut rng, operation);
            let expected = described(control);
            let encoded = Control::Float(control).encode();
            assert_eq!((encoded, Unit::Float.control_bits()), expected, "{control:?}");
            assert_eq!(encoded & ((1 << Unit::Float.operation_bits()) - 1), operation as u32);

            let operation = special::OPERATIONS[rng.gen_range(0..special::OPERATIONS.len())];
            let control = special::random_case(&mut rng, operation).control;
            let expected = described(control);
            let encoded = Control::Special(control).encode();
            assert_eq!((encoded, Unit::Special.control_bits()), expected, "{control:?}");
            assert_eq!(encoded & ((1 << Unit::Special.operation_bits()) - 1), operation as u32);
        }
    }
}
