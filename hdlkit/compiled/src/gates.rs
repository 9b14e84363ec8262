//! A block as gates: what synthesis makes of its Verilog, in place of its kernel, with faults that can be switched on.

/// A bit in a block of gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bit {
    /// 0 or 1.
    Constant(bool),
    /// The wire of this number.
    Wire(u32),
}

/// What a gate computes of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateKind {
    /// The first operand.
    Same,
    /// The first and the second operand.
    And,
    /// The first or the second operand.
    Or,
    /// Whether the first two differ.
    Xor,
    /// The second operand where the third is 1, else the first.
    Choose,
}

/// A gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// What it computes.
    pub kind: GateKind,
    /// Whether the second operand is inverted.
    pub second_inverted: bool,
    /// Whether the result is inverted.
    pub inverted: bool,
    /// The operands; those that the kind does not have are constants.
    pub operands: [Bit; 3],
    /// The wire that it drives.
    pub output: u32,
}

/// A flip-flop of one bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateRegister {
    /// Its name in the block.
    pub name: String,
    /// What it takes at the clock edge.
    pub next: Bit,
    /// The wire that it drives.
    pub output: u32,
    /// What it holds at first.
    pub initial: bool,
}

/// A place in a block of gates that can be stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pin {
    /// A wire, for all that read it.
    Wire(u32),
    /// An operand of a gate, by the gate's number and its own.
    Operand(u32, u32),
    /// What a register takes, by its number.
    Next(u32),
    /// A bit of an output port, by the port's number.
    Output(u32, u32),
}

/// A fault that can be switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stuck {
    /// Where.
    pub pin: Pin,
    /// Whether the bit is 1 then.
    pub one: bool,
}

/// A block as gates, in place of its kernel and of all that is in it.
///
/// Each of its faults is a bit of a register of its own, which is 0, and is 0 again after every clock edge: the fault is there
/// in the cycles in which the bit is 1. A bit that is stuck at 1 is a fault for the whole run, one that flips a pulse of a
/// cycle. [`Code::gate_fault`](crate::Code::gate_fault) tells which bit it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gates {
    /// The block's path: `top.sm[0].fetch`.
    pub path: String,
    /// The wires of its input ports, by their names in Verilog, lowest bit first. Clocks may be there.
    pub inputs: Vec<(String, Vec<u32>)>,
    /// The bits of its output ports.
    pub outputs: Vec<(String, Vec<Bit>)>,
    /// Its flip-flops.
    pub registers: Vec<GateRegister>,
    /// Its gates, each after those that drive its operands.
    pub gates: Vec<Gate>,
    /// The faults that can be switched on.
    pub faults: Vec<Stuck>,
}
