//! The instruction word at a unit's outputs, if it has one there.

use flexgrip_faults::gates::golden::{bit, Stimulus};
use hdlkit::gates::{Port, Unit};

/// Where the word is.
pub(super) enum Words {
    /// At fetch's outputs: the halves of the chosen warp's buffer, by their first bits among the outputs, and among the inputs
    /// whether the instruction begins in the upper one.
    Heads { lower: usize, upper: usize, odd: usize },
    /// At the scheduler's output.
    Issued(usize),
    /// Nowhere.
    None,
}

/// The first bit of a port, counted over all ports.
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

    /// Whether the word that a machine has in a cycle, in which these bits of outputs differ, is an instruction.
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
                // A long instruction's bit 0 is 1; a short one has no high half.
                low | if low & 1 == 1 { high << 32 } else { 0 }
            }
        };
        flexgrip_isa::decode(word).is_ok()
    }
}
