//! Tables of a unit's gates for simulation, with the readers of each net.

use hdlkit::gates::{Function, Gate, NetId, Unit};

/// The computation of a gate. With only a few kinds, the processor predicts the branch well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GateOperation {
    /// A & B, each inverted or not.
    And,
    Xor,
    Choose,
}

/// A gate, prepared for simulation.
#[derive(Clone, Copy)]
pub(super) struct PreparedGate {
    pub kind: GateOperation,
    /// Words that invert A, B and the output: all ones or 0.
    pub inverted: [u64; 3],
    pub inputs: [u32; 3],
    pub output: u32,
}

impl PreparedGate {
    pub fn new(gate: &Gate) -> PreparedGate {
        let (kind, a, b, output) = match gate.function {
            Function::And => (GateOperation::And, false, false, false),
            Function::AndNot => (GateOperation::And, false, true, false),
            Function::Or => (GateOperation::And, true, true, true),
            Function::OrNot => (GateOperation::And, true, false, true),
            Function::Xor => (GateOperation::Xor, false, false, false),
            Function::Choose => (GateOperation::Choose, false, false, false),
            // These functions only depend on A.
            Function::Same | Function::Register => (GateOperation::And, false, true, false),
        };
        let word = |is: bool| if is { u64::MAX } else { 0 };
        PreparedGate {
            kind,
            inverted: [word(a), word(b), word(output != gate.inverted)],
            inputs: gate.inputs,
            output: gate.output,
        }
    }

    /// The output for 64 machines.
    #[inline(always)]
    pub fn value(&self, a: u64, b: u64, s: u64) -> u64 {
        let [invert_a, invert_b, invert] = self.inverted;
        let plain = match self.kind {
            GateOperation::And => (a ^ invert_a) & (b ^ invert_b),
            GateOperation::Xor => a ^ b,
            GateOperation::Choose => a ^ s & (a ^ b),
        };
        plain ^ invert
    }
}

/// The readers of each net.
pub(super) struct Readers {
    /// For each net, the index of its first reader.
    starts: Vec<u32>,
    gates: Vec<u32>,
}

impl Readers {
    /// The gates that read a net, ascending.
    pub fn gates(&self, net: usize) -> &[u32] {
        &self.gates[self.starts[net] as usize..self.starts[net + 1] as usize]
    }
}

/// The gates that read each net.
pub(super) fn readers(unit: &Unit) -> Readers {
    let mut pairs: Vec<(u32, u32)> = vec![];
    for (gate, of) in (0..).zip(&unit.gates) {
        let nets = &of.inputs[..of.function.pins().len()];
        pairs.extend(nets.iter().map(|net| (*net, gate)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut starts = vec![0; unit.nets + 1];
    for (net, _) in &pairs {
        starts[*net as usize + 1] += 1;
    }
    for net in 0..unit.nets {
        starts[net + 1] += starts[net];
    }
    Readers {
        starts,
        gates: pairs.into_iter().map(|(_, gate)| gate).collect(),
    }
}

/// The tables of a unit: gates, and the readers of its nets.
pub(super) struct Tables {
    pub steps: Vec<PreparedGate>,
    pub gates: Readers,
    /// The D and Q nets of each flip-flop.
    pub registers: Vec<(u32, u32)>,
    /// The flip-flops that read each net.
    pub takers: Vec<Vec<u32>>,
    /// The nets of the output ports' bits, port by port.
    pub outputs: Vec<u32>,
    /// The bits of output ports that each net drives.
    pub driven: Vec<Vec<u32>>,
    pub nets: usize,
}

impl Tables {
    pub fn new(unit: &Unit) -> Tables {
        let mut takers = vec![vec![]; unit.nets];
        for (number, register) in (0..).zip(&unit.registers) {
            takers[register.d as usize].push(number);
        }
        let outputs: Vec<u32> = unit.outputs.iter().flat_map(|port| &port.nets).copied().collect();
        let mut driven = vec![vec![]; unit.nets];
        for (number, net) in (0..).zip(&outputs) {
            driven[*net as usize].push(number);
        }
        Tables {
            steps: unit.gates.iter().map(PreparedGate::new).collect(),
            gates: readers(unit),
            registers: unit.registers.iter().map(|register| (register.d, register.q)).collect(),
            takers,
            outputs,
            driven,
            nets: unit.nets,
        }
    }
}

/// A number for each net, such that nets with similar input cones have similar numbers: the postorder of a depth-first
/// search from the outputs to the inputs.
pub(super) fn near(unit: &Unit) -> Vec<u32> {
    let mut before: Vec<&[NetId]> = vec![&[]; unit.nets];
    for gate in &unit.gates {
        before[gate.output as usize] = &gate.inputs[..gate.function.pins().len()];
    }
    for register in &unit.registers {
        before[register.q as usize] = std::slice::from_ref(&register.d);
    }
    let (mut numbers, mut next) = (vec![0; unit.nets], 1);
    let mut is_seen = vec![false; unit.nets];
    // Each net is paired with a flag: true once all nets before it are numbered.
    let outputs = unit.outputs.iter().rev().flat_map(|port| port.nets.iter().rev());
    let mut open: Vec<(NetId, bool)> = outputs.map(|net| (*net, false)).collect();
    while let Some((net, is_done)) = open.pop() {
        let place = net as usize;
        if is_done {
            (numbers[place], next) = (next, next + 1);
        } else if !std::mem::replace(&mut is_seen[place], true) {
            open.push((net, true));
            open.extend(before[place].iter().rev().map(|net| (*net, false)));
        }
    }
    numbers
}
