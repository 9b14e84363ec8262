//! Gates as straight-line code on wide words. Each bit of a word is the signal for one input.

use crate::logic::{Graph, Literal, Node};

/// The number of 64-bit words in a wide word.
pub const WORDS: usize = 32;
/// The number of inputs that are evaluated at once.
pub const LANES: usize = 64 * WORDS;

/// A signal for [`LANES`] inputs; the bit of input `n` is bit `n % 64` of word `n / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Wide(pub [u64; WORDS]);

impl Wide {
    /// The same bit for all inputs.
    pub const fn of(bit: bool) -> Wide {
        Wide([if bit { u64::MAX } else { 0 }; WORDS])
    }
}

/// The operation of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepOperation {
    And,
    /// The first operand and the inverse of the second.
    AndNot,
    Nor,
    Xor,
    /// The second operand if the first is 1, otherwise the third.
    Choose,
    /// Like [`StepOperation::Choose`], with the second operand inverted.
    ChooseNot,
}

#[derive(Clone, Copy, Debug)]
struct ProgramStep {
    kind: StepOperation,
    /// The memory indices of the operands.
    operands: [u16; 3],
    result: u16,
}

/// The location of an output.
#[derive(Clone, Copy, Debug)]
enum OutputSlot {
    Constant(bool),
    Memory { index: u16, inverted: bool },
}

/// Computes the outputs of a circuit from its inputs.
#[derive(Debug)]
pub struct Program {
    steps: Vec<ProgramStep>,
    /// The size of the memory in wide words.
    places: usize,
    /// The number and the memory index of every input that is used.
    inputs: Vec<(u32, u16)>,
    outputs: Vec<OutputSlot>,
}

impl Program {
    /// Compiles the code for `outputs`, without gates that they do not need.
    ///
    /// # Errors
    /// More than 65,536 signals are live at once.
    pub fn new(graph: &Graph, outputs: &[Literal]) -> Result<Program, String> {
        let nodes = graph.nodes();
        let order = order(nodes, outputs);
        let mut uses = vec![0u32; nodes.len()];
        for &node in &order {
            for operand in nodes[node].operands() {
                uses[operand.node()] += 1;
            }
        }
        for output in outputs {
            uses[output.node()] += 1;
        }
        let mut memory = Memory::default();
        let mut place = vec![None; nodes.len()];
        let at = |place: &[Option<u16>], literal: Literal| {
            place[literal.node()].ok_or_else(|| format!("node {} is not computed when it is used", literal.node()))
        };
        let mut inputs = vec![];
        for &node in &order {
            if let Node::Input(number) = nodes[node] {
                let to = memory.take()?;
                place[node] = Some(to);
                inputs.push((number, to));
                // Inputs keep their memory from run to run.
                uses[node] += 1;
            }
        }
        let mut steps = vec![];
        for &node in &order {
            let (kind, used) = match nodes[node] {
                Node::False | Node::Input(_) => continue,
                Node::And(a, b) => match (a.inverted(), b.inverted()) {
                    (false, false) => (StepOperation::And, [a, b, b]),
                    (false, true) => (StepOperation::AndNot, [a, b, b]),
                    (true, false) => (StepOperation::AndNot, [b, a, a]),
                    (true, true) => (StepOperation::Nor, [a, b, b]),
                },
                Node::Xor(a, b) => (StepOperation::Xor, [a, b, b]),
                Node::Choose(select, yes, no) if yes.inverted() => (StepOperation::ChooseNot, [select, yes, no]),
                Node::Choose(select, yes, no) => (StepOperation::Choose, [select, yes, no]),
            };
            let mut places = [0; 3];
            for (to, literal) in places.iter_mut().zip(used) {
                *to = at(&place, literal)?;
            }
            for operand in nodes[node].operands() {
                let left = &mut uses[operand.node()];
                *left -= 1;
                if *left == 0 {
                    memory.free.push(at(&place, operand)?);
                }
            }
            let result = memory.take()?;
            place[node] = Some(result);
            steps.push(ProgramStep {
                kind,
                operands: places,
                result,
            });
        }
        let outputs = outputs.iter().map(|output| {
            if output.node() == 0 {
                return Ok(OutputSlot::Constant(output.inverted()));
            }
            Ok(OutputSlot::Memory {
                index: at(&place, *output)?,
                inverted: output.inverted(),
            })
        });
        Ok(Program {
            outputs: outputs.collect::<Result<_, String>>()?,
            steps,
            places: memory.size,
            inputs,
        })
    }

    /// The number of gates.
    pub fn gates(&self) -> usize {
        self.steps.len()
    }

    /// Allocates a memory for runs of this program.
    pub fn memory(&self) -> Vec<Wide> {
        vec![Wide::of(false); self.places]
    }

    /// Sets the used inputs to the values of `input` for their numbers. They persist until they are set again.
    pub fn set(&self, memory: &mut [Wide], mut input: impl FnMut(u32) -> Wide) {
        for &(number, place) in &self.inputs {
            memory[usize::from(place)] = input(number);
        }
    }

    /// Runs the program on the present inputs.
    pub fn run(&self, memory: &mut [Wide]) {
        #[inline(always)]
        fn each(a: &Wide, b: &Wide, function: impl Fn(u64, u64) -> u64) -> Wide {
            Wide(std::array::from_fn(|word| function(a.0[word], b.0[word])))
        }
        for step in &self.steps {
            let [a, b, c] = step.operands.map(usize::from);
            let (a, b) = (&memory[a], &memory[b]);
            let result = match step.kind {
                StepOperation::And => each(a, b, |a, b| a & b),
                StepOperation::AndNot => each(a, b, |a, b| a & !b),
                StepOperation::Nor => each(a, b, |a, b| !(a | b)),
                StepOperation::Xor => each(a, b, |a, b| a ^ b),
                StepOperation::Choose => {
                    let c = &memory[c];
                    Wide(std::array::from_fn(|w| a.0[w] & b.0[w] | !a.0[w] & c.0[w]))
                }
                StepOperation::ChooseNot => {
                    let c = &memory[c];
                    Wide(std::array::from_fn(|w| a.0[w] & !b.0[w] | !a.0[w] & c.0[w]))
                }
            };
            memory[usize::from(step.result)] = result;
        }
    }

    /// The output with this index, after a run.
    pub fn output(&self, memory: &[Wide], index: usize) -> Wide {
        match self.outputs[index] {
            OutputSlot::Constant(value) => Wide::of(value),
            OutputSlot::Memory { index, inverted } => {
                let mut wide = memory[usize::from(index)];
                if inverted {
                    wide.0.iter_mut().for_each(|word| *word = !*word);
                }
                wide
            }
        }
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }
}

/// The allocation of the memory. The most recently freed index is reused first, because it is most likely cached.
#[derive(Default)]
struct Memory {
    free: Vec<u16>,
    size: usize,
}

impl Memory {
    fn take(&mut self) -> Result<u16, String> {
        if let Some(place) = self.free.pop() {
            return Ok(place);
        }
        self.size += 1;
        u16::try_from(self.size - 1).map_err(|_| "more than 65,536 signals are alive at once".into())
    }
}

/// The nodes that the outputs need, each soon after its operands, because a result should be used while it is cached.
fn order(nodes: &[Node], outputs: &[Literal]) -> Vec<usize> {
    let mut seen = vec![false; nodes.len()];
    let mut order = vec![];
    // Each node is paired with a flag: true if its operands are done.
    let mut stack: Vec<(usize, bool)> = outputs.iter().rev().map(|output| (output.node(), false)).collect();
    while let Some((node, done)) = stack.pop() {
        if done {
            order.push(node);
        } else if !seen[node] {
            seen[node] = true;
            stack.push((node, true));
            stack.extend(nodes[node].operands().map(|operand| (operand.node(), false)));
        }
    }
    order
}

/// Transposes the 64 x 64 bit matrices formed by word `w` of all rows.
///
/// Before, row `r` contains bit `r` of all numbers. After, row `i` contains the numbers of the inputs `i`, `64 + i` and
/// so on.
pub fn transpose(rows: &mut [Wide; 64]) {
    let mut width = 32;
    let mut mask = 0xffff_ffff_u64;
    while width > 0 {
        for low in (0..64).filter(|row| row & width == 0) {
            let (upper, lower) = (rows[low], rows[low + width]);
            for (word, (upper, lower)) in upper.0.into_iter().zip(lower.0).enumerate() {
                let swapped = ((upper >> width) ^ lower) & mask;
                rows[low].0[word] = upper ^ swapped << width;
                rows[low + width].0[word] = lower ^ swapped;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Bit `r` of up to [`LANES`] numbers in row `r`, in the order of [`transpose`].
pub fn rows_of(numbers: impl Iterator<Item = u64>) -> [Wide; 64] {
    let mut rows = [Wide::of(false); 64];
    for (lane, number) in numbers.take(LANES).enumerate() {
        rows[lane % 64].0[lane / 64] = number;
    }
    transpose(&mut rows);
    rows
}

/// Bit `bit` of the numbers `first`, `first + 1` and so on; `first` must be a multiple of [`LANES`].
pub fn counting(first: u32, bit: u32) -> Wide {
    /// Bits 0 to 5 of the numbers 0 to 63.
    const WITHIN: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match WITHIN.get(bit as usize) {
        Some(pattern) => Wide([*pattern; WORDS]),
        None => Wide(std::array::from_fn(|word| {
            if (first | (word as u32) << 6) >> bit & 1 == 1 {
                u64::MAX
            } else {
                0
            }
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn transposition_exchanges_rows_and_columns() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let numbers: Vec<u64> = (0..LANES).map(|_| rng.gen()).collect();
        let mut rows = [Wide::of(false); 64];
        for (lane, number) in numbers.iter().enumerate() {
            for (bit, row) in rows.iter_mut().enumerate() {
                row.0[lane / 64] |= (number >> bit & 1) << (lane % 64);
            }
        }
        let bits = rows;
        transpose(&mut rows);
        for (lane, number) in numbers.iter().enumerate() {
            assert_eq!(rows[lane % 64].0[lane / 64], *number);
        }
        transpose(&mut rows);
        assert_eq!(rows, bits);
    }

    #[test]
    fn counting_gives_consecutive_numbers() {
        for first in [0, 3 * LANES as u32, u32::MAX - (LANES as u32 - 1)] {
            let mut rows = [Wide::of(false); 64];
            for bit in 0..32 {
                rows[bit as usize] = counting(first, bit);
            }
            transpose(&mut rows);
            for lane in 0..LANES {
                assert_eq!(rows[lane % 64].0[lane / 64], u64::from(first) + lane as u64);
            }
        }
    }

    #[test]
    fn code_equals_the_graph() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..50 {
            let mut graph = Graph::default();
            // All signals with their values for 64 inputs.
            let values: [u64; 6] = rng.gen();
            let mut all: Vec<(Literal, u64)> = (0..6).map(|n| (graph.input(n), values[n as usize])).collect();
            all.push((Literal::FALSE, 0));
            for _ in 0..200 {
                let mut pick = || {
                    let (literal, value) = all[rng.gen_range(0..all.len())];
                    if rng.gen() {
                        (literal, value)
                    } else {
                        (!literal, !value)
                    }
                };
                let ((a, x), (b, y), (c, z)) = (pick(), pick(), pick());
                all.push(match rng.gen_range(0..4) {
                    0 => (graph.and(a, b), x & y),
                    1 => (graph.or(a, b), x | y),
                    2 => (graph.xor(a, b), x ^ y),
                    _ => (graph.choose(a, b, c), x & y | !x & z),
                });
            }
            let outputs: Vec<Literal> = all.iter().map(|(literal, _)| *literal).collect();
            let program = Program::new(&graph, &outputs).unwrap();
            let mut memory = program.memory();
            program.set(&mut memory, |number| Wide([values[number as usize]; WORDS]));
            // Run twice, because the inputs must persist.
            for _ in 0..2 {
                program.run(&mut memory);
                for (index, (_, value)) in all.iter().enumerate() {
                    assert_eq!(program.output(&memory, index), Wide([*value; WORDS]));
                }
            }
        }
    }
}
