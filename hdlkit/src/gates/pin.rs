//! The pins of a unit, the sites of stuck-at faults.

use super::unit::{NetId, Unit};

/// A pin of a gate, flip-flop or port, by its position in the [`Unit`]. The clock of a flip-flop does not count as a
/// pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pin {
    /// Bit `bit` of input port `port`.
    Input {
        /// The index in [`Unit::inputs`].
        port: u32,
        /// The index of the bit in the port.
        bit: u32,
    },
    /// An input of a gate.
    GateInput {
        /// The index in [`Unit::gates`].
        gate: u32,
        /// The index in [`Gate::inputs`](super::Gate::inputs).
        input: u32,
    },
    /// The output of a gate, pin Y.
    GateOutput {
        /// The index in [`Unit::gates`].
        gate: u32,
    },
    /// A flip-flop's input D.
    RegisterInput {
        /// The index in [`Unit::registers`].
        register: u32,
    },
    /// A flip-flop's output Q.
    RegisterOutput {
        /// The index in [`Unit::registers`].
        register: u32,
    },
    /// Bit `bit` of output port `port`.
    Output {
        /// The index in [`Unit::outputs`].
        port: u32,
        /// The index of the bit in the port.
        bit: u32,
    },
}

impl Unit {
    /// All pins: of the input ports, the gates in order, the flip-flops, the output ports.
    pub fn pins(&self) -> Vec<Pin> {
        let mut pins = vec![];
        for (port, of) in (0..).zip(&self.inputs) {
            pins.extend((0..of.nets.len() as u32).map(|bit| Pin::Input { port, bit }));
        }
        for (gate, of) in (0..).zip(&self.gates) {
            pins.extend((0..of.function.pins().len() as u32).map(|input| Pin::GateInput { gate, input }));
            pins.push(Pin::GateOutput { gate });
        }
        for register in 0..self.registers.len() as u32 {
            pins.extend([Pin::RegisterInput { register }, Pin::RegisterOutput { register }]);
        }
        for (port, of) in (0..).zip(&self.outputs) {
            pins.extend((0..of.nets.len() as u32).map(|bit| Pin::Output { port, bit }));
        }
        pins
    }
}

impl Pin {
    /// The net at the pin.
    ///
    /// # Panics
    /// If the unit has no such pin.
    pub fn net(self, unit: &Unit) -> NetId {
        match self {
            Pin::Input { port, bit } => unit.inputs[port as usize].nets[bit as usize],
            Pin::GateInput { gate, input } => unit.gates[gate as usize].inputs[input as usize],
            Pin::GateOutput { gate } => unit.gates[gate as usize].output,
            Pin::RegisterInput { register } => unit.registers[register as usize].d,
            Pin::RegisterOutput { register } => unit.registers[register as usize].q,
            Pin::Output { port, bit } => unit.outputs[port as usize].nets[bit as usize],
        }
    }

    /// True if the pin drives its net: a fault there affects all readers of the net, otherwise only the pin's owner.
    pub fn drives(self) -> bool {
        matches!(
            self,
            Pin::Input { .. } | Pin::GateOutput { .. } | Pin::RegisterOutput { .. }
        )
    }

    /// The pin's name: the gate's or flip-flop's name with `.A`, `.B`, `.S`, `.Y`, `.D` or `.Q`, or the port bit's name
    /// with `.in` or `.out`.
    pub fn name(self, unit: &Unit) -> String {
        match self {
            Pin::Input { port, bit } => format!("{}.in", unit.inputs[port as usize].names[bit as usize]),
            Pin::Output { port, bit } => format!("{}.out", unit.outputs[port as usize].names[bit as usize]),
            Pin::GateInput { gate, input } => {
                let gate = &unit.gates[gate as usize];
                format!("{}.{}", gate.name, gate.function.pins()[input as usize])
            }
            Pin::GateOutput { gate } => {
                let gate = &unit.gates[gate as usize];
                format!("{}.{}", gate.name, gate.function.output())
            }
            Pin::RegisterInput { register } => format!("{}.D", unit.registers[register as usize].name),
            Pin::RegisterOutput { register } => format!("{}.Q", unit.registers[register as usize].name),
        }
    }
}

/// A stuck-at fault: a pin with a constant value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StuckPin {
    /// The pin with the fault.
    pub pin: Pin,
    /// The constant value.
    pub value: bool,
}
