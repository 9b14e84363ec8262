//! Finds the instruction word at a unit's outputs.

use flexgrip_faults::gates::golden::{bit, Stimulus};
use hdlkit::gates::{Port, Unit};

/// The location of the instruction word among the unit's output bits.
pub(super) enum Words {
    /// At the outputs of fetch: the halves of the chosen warp's buffer. `lower` and `upper` are the indices of their
    /// first bits among the outputs; `odd` is the input bit that is 1 if the instruction begins in the upper half.
    Heads { lower: usize, upper: usize, odd: usize },
    /// At the output of the scheduler, by its first bit.
    Issued(usize),
    /// The unit has no instruction word at its outputs.
    None,
}

/// The index of a port's first bit among the bits of all ports.
fn first(ports: &[Port], name: &str) -> Option<usize> {
    let place = ports.iter().position(|port| port.verilog == name)?;
    Some(ports[..place].iter().map(|port| port.nets.len()).sum())
}

impl Words {
    pub fn of(unit: &Unit) -> Words {
        let output = |name| first(&unit.outputs, name);
        if let (Some(lower), Some(upper), Some(odd)) = (
            output("heads_lower"),
            output("heads_upper"),
            first(&unit.inputs, "heads_read_odd"),
        ) {
            return Words::Heads { lower, upper, odd };
        }
        output("s_issued_word").map_or(Words::None, Words::Issued)
    }

    /// True if the word of a faulty machine, with these output bits inverted in a cycle, is a valid instruction; also
    /// true without a word.
    pub fn is_instruction(&self, stimulus: &Stimulus, cycle: usize, bits: &[u32]) -> bool {
        let output = |first: usize, width: usize| {
            (first..first + width).rev().fold(0, |word, place| {
                let good = bit(&stimulus.outputs[cycle], place);
                word << 1 | u64::from(good != bits.binary_search(&(place as u32)).is_ok())
            })
        };
        let word = match *self {
            Words::None => return true,
            Words::Issued(first) => output(first, 64),
            Words::Heads { lower, upper, odd } => {
                let (lower, upper) = (output(lower, 32), output(upper, 32));
                let (low, high) = match bit(&stimulus.inputs[cycle], odd) {
                    true => (upper, lower),
                    false => (lower, upper),
                };
                // Bit 0 is 1 in long instructions. Short ones have no high half.
                low | if low & 1 == 1 { high << 32 } else { 0 }
            }
        };
        flexgrip_isa::decode(word).is_ok()
    }
}
