//! The good machine: a unit's gates with recorded inputs, compared with the circuits in every cycle.

use super::tables::Step;
use hdlkit::gates::Unit;
use thiserror::Error;

/// What happens at a unit's ports while a kernel runs on the circuits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stimulus {
    /// The flip-flops' values at the beginning of the first cycle, in the order of [`Unit::registers`].
    pub start: Vec<bool>,
    /// By cycle, the bits of all input ports, packed, in the order of [`Unit::inputs`], the lowest bit of a port first.
    pub inputs: Vec<Vec<u64>>,
    /// Likewise the output ports.
    pub outputs: Vec<Vec<u64>>,
}

/// Gates and circuits do not fit each other: a defect of this program, or of yosys.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unlike {
    /// Another number of bits or cycles.
    #[error("recorded: {found} {what}; the gates have {expected}")]
    Size {
        /// Of what.
        what: &'static str,
        /// In the record.
        found: usize,
        /// In the gates.
        expected: usize,
    },
    /// An output differs.
    #[error("cycle {cycle}: {output} is {gates} on the gates, and {circuit} on the circuit")]
    Output {
        /// From 1, as in traces.
        cycle: usize,
        /// The output's bit.
        output: String,
        /// Its value on the gates.
        gates: u8,
        /// Its value on the circuit.
        circuit: u8,
    },
}

/// Words of a set of bits that differ from one cycle to the next.
pub(super) type Sparse = Vec<(u32, u64)>;

/// A run of the gates without a fault.
pub struct Golden<'u> {
    pub(super) unit: &'u Unit,
    /// Which nets change at the beginning of each cycle: packed bits. In the first one those that are 1.
    pub(super) flips: Vec<Sparse>,
    /// The gates with an input that changes in this cycle: packed bits.
    pub(super) stirred: Vec<Sparse>,
    /// For each net, the first cycles, from 0, in which it is 0 and 1.
    first: Vec<[Option<u32>; 2]>,
}

/// A bit of packed bits.
pub fn bit(words: &[u64], index: usize) -> bool {
    words[index / 64] >> (index % 64) & 1 == 1
}

impl<'u> Golden<'u> {
    /// Runs the gates.
    ///
    /// # Errors
    /// The record is of another unit, or an output is not as recorded.
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
        let steps: Vec<Step> = unit.gates.iter().map(Step::new).collect();
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
                // Nets that are 0 have not changed.
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

    /// Its cycles.
    pub fn cycles(&self) -> usize {
        self.flips.len()
    }

    /// The first cycle, from 0, in which a net has a value; `None` if it never has.
    pub fn first(&self, net: hdlkit::gates::NetId, value: bool) -> Option<u32> {
        self.first[net as usize][usize::from(value)]
    }
}

/// The places of the ones in a word.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            place
        })
    })
}

/// Who reads each net.
pub(super) struct Readers {
    /// For each net, where its gates begin.
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
