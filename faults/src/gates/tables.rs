//! A unit's gates for simulation: who reads what.

use super::golden::{readers, Readers};
use hdlkit::gates::{Function, Unit};

/// A gate.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub function: Function,
    pub inverted: bool,
    pub inputs: [u32; 3],
    pub output: u32,
}

/// A unit's gates, and who reads its nets.
pub(super) struct Tables {
    pub steps: Vec<Step>,
    pub gates: Readers,
    /// D and Q of the flip-flops.
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
        let steps = unit.gates.iter().map(|gate| Step {
            function: gate.function,
            inverted: gate.inverted,
            inputs: gate.inputs,
            output: gate.output,
        });
        Tables {
            steps: steps.collect(),
            gates: readers(unit),
            registers: unit.registers.iter().map(|register| (register.d, register.q)).collect(),
            takers,
            outputs,
            driven,
            nets: unit.nets,
        }
    }
}
