//! The good machine: a unit's gates with recorded inputs. Its outputs are compared with the circuits in every cycle.

use super::tables::{readers, PreparedGate};
use hdlkit::gates::Unit;
use thiserror::Error;

/// The recorded values at a unit's ports while a kernel runs on the circuits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stimulus {
    /// The flip-flops' values at the start of the first cycle, in the order of [`Unit::registers`].
    pub start: Vec<bool>,
    /// For each cycle, the packed bits of all input ports in the order of [`Unit::inputs`], the lowest bit of a port
    /// first.
    pub inputs: Vec<Vec<u64>>,
    /// Like `inputs`, for the output ports.
    pub outputs: Vec<Vec<u64>>,
}

/// A mismatch of gates and circuits: a defect of this program, or of yosys.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unlike {
    /// The number of bits or cycles differs.
    #[error("recorded: {found} {what}; the gates have {expected}")]
    Size {
        /// The quantity that differs.
        what: &'static str,
        /// The size in the record.
        found: usize,
        /// The size in the gates.
        expected: usize,
    },
    /// An output differs.
    #[error("cycle {cycle}: {output} is {gates} on the gates, and {circuit} on the circuit")]
    Output {
        /// The cycle, from 1, as in traces.
        cycle: usize,
        /// The name of the output's bit.
        output: String,
        /// The value in the gates.
        gates: u8,
        /// The value in the circuits.
        circuit: u8,
    },
}

/// The words of a set of bits that are not 0, with their indices.
pub(super) type Sparse = Vec<(u32, u64)>;

/// A run of the gates without a fault.
pub struct Golden<'u> {
    pub(super) unit: &'u Unit,
    /// For each cycle, the nets that change at its start, as packed bits. For the first cycle, the nets that are 1.
    pub(super) flips: Vec<Sparse>,
    /// For each cycle, the gates with an input that changes, as packed bits.
    pub(super) stirred: Vec<Sparse>,
    /// For each net, the first cycles, from 0, in which it is 0 and in which it is 1.
    first: Vec<[Option<u32>; 2]>,
}

/// A bit of packed bits, by its index.
pub fn bit(words: &[u64], index: usize) -> bool {
    words[index / 64] >> (index % 64) & 1 == 1
}

impl<'u> Golden<'u> {
    /// Simulates the gates.
    ///
    /// # Errors
    /// [`Unlike::Size`] if the record belongs to another unit, [`Unlike::Output`] if an output differs from the record.
    pub fn new(unit: &'u Unit, stimulus: &Stimulus) -> Result<Golden<'u>, Unlike> {
        let bits = |ports: &[hdlkit::gates::Port]| -> usize { ports.iter().map(|port| port.nets.len()).sum() };
        let words = |bits: usize| bits.div_ceil(64);
        let cycles = stimulus.inputs.len();
        let check = |what, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(Unlike::Size { what, found, expected }),
        };
        check("flip-flops", stimulus.start.len(), unit.registers.len())?;
        check("cycles of outputs", stimulus.outputs.len(), cycles)?;
        for (inputs, outputs) in stimulus.inputs.iter().zip(&stimulus.outputs) {
            check("words of inputs", inputs.len(), words(bits(&unit.inputs)))?;
            check("words of outputs", outputs.len(), words(bits(&unit.outputs)))?;
        }
        let readers = readers(unit);
        let steps: Vec<PreparedGate> = unit.gates.iter().map(PreparedGate::new).collect();
        let mut values = vec![false; unit.nets];
        values[1] = true;
        for (register, value) in unit.registers.iter().zip(&stimulus.start) {
            values[register.q as usize] = *value;
        }
        let mut golden = Golden {
            unit,
            flips: vec![],
            stirred: vec![],
            first: vec![[None; 2]; unit.nets],
        };
        let (mut before, mut gates) = (vec![0u64; words(unit.nets)], vec![0u64; words(unit.gates.len())]);
        for (cycle, (inputs, outputs)) in stimulus.inputs.iter().zip(&stimulus.outputs).enumerate() {
            let nets = unit.inputs.iter().flat_map(|port| &port.nets);
            for (index, net) in nets.enumerate() {
                values[*net as usize] = bit(inputs, index);
            }
            for gate in &steps {
                let [a, b, s] = gate.inputs.map(|net| u64::from(values[net as usize]));
                values[gate.output as usize] = gate.value(a, b, s) & 1 == 1;
            }
            golden.compare(cycle, &values, outputs)?;
            let mut flips = Sparse::new();
            gates.fill(0);
            for (word, (values, before)) in values.chunks(64).zip(&mut before).enumerate() {
                let now = values.iter().rev().fold(0, |word, value| word << 1 | u64::from(*value));
                let changed = now ^ *before;
                if changed != 0 {
                    flips.push((word as u32, changed));
                    *before = now;
                }
                for net in ones(changed).map(|bit| 64 * word + bit) {
                    let first = &mut golden.first[net][usize::from(values[net % 64])];
                    first.get_or_insert(cycle as u32);
                    readers
                        .gates(net)
                        .iter()
                        .for_each(|gate| gates[*gate as usize / 64] |= 1 << (gate % 64));
                }
            }
            golden.flips.push(flips);
            let stirred = (0..).zip(&gates).filter(|(_, word)| **word != 0);
            golden
                .stirred
                .push(stirred.map(|(place, word)| (place, *word)).collect());
            if cycle == 0 {
                // Nets that are 0 in the first cycle are not among the changes.
                for (first, value) in golden.first.iter_mut().zip(&values) {
                    first[usize::from(*value)] = Some(0);
                }
            }
            let next: Vec<bool> = unit
                .registers
                .iter()
                .map(|register| values[register.d as usize])
                .collect();
            for (register, next) in unit.registers.iter().zip(next) {
                values[register.q as usize] = next;
            }
        }
        Ok(golden)
    }

    fn compare(&self, cycle: usize, values: &[bool], outputs: &[u64]) -> Result<(), Unlike> {
        let ports = self.unit.outputs.iter();
        let found = ports.flat_map(|port| port.nets.iter().zip(&port.names));
        for (index, (net, name)) in found.enumerate() {
            let (gates, circuit) = (values[*net as usize], bit(outputs, index));
            if gates != circuit {
                return Err(Unlike::Output {
                    cycle: cycle + 1,
                    output: name.clone(),
                    gates: gates.into(),
                    circuit: circuit.into(),
                });
            }
        }
        Ok(())
    }

    /// The number of cycles.
    pub fn cycles(&self) -> usize {
        self.flips.len()
    }

    /// The first cycle, from 0, in which a net has this value; `None` if it never has.
    pub fn first(&self, net: hdlkit::gates::NetId, value: bool) -> Option<u32> {
        self.first[net as usize][usize::from(value)]
    }
}

/// The indices of the ones in a word, ascending.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            place
        })
    })
}
