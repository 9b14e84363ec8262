//! Counts of a unit's gates, flip-flops and faults, for a terminal and as JSON.

use super::list::{Counts, FaultList};
use hdlkit::gates::Unit;
use hdlkit::output::grouped;
use serde::Serialize;
use std::fmt;

/// Counts of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitCounts {
    /// The path of the unit.
    pub unit: String,
    /// The number of gates: gates of two inputs, multiplexers, inverters.
    pub gates: usize,
    /// The number of flip-flops.
    pub flip_flops: usize,
    /// The number of bits of input ports.
    pub inputs: usize,
    /// The number of bits of output ports.
    pub outputs: usize,
    /// The stuck-at faults of all pins.
    pub faults: Counts,
    /// The chosen faults.
    pub chosen: Counts,
}

impl UnitCounts {
    /// Counts a unit and its faults; `chosen` is true for each fault that is counted in [`UnitCounts::chosen`].
    pub fn new(unit: &Unit, list: &FaultList, chosen: &[bool]) -> Self {
        let bits = |ports: &[hdlkit::gates::Port]| ports.iter().map(|port| port.nets.len()).sum();
        UnitCounts {
            unit: unit.path.clone(),
            gates: unit.gates.len(),
            flip_flops: unit.registers.len(),
            inputs: bits(&unit.inputs),
            outputs: bits(&unit.outputs),
            faults: list.counts(|_| true),
            chosen: list.counts(|fault| chosen[fault]),
        }
    }
}

impl fmt::Display for UnitCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: usize| grouped(number as u64);
        let rows = [
            ("gates", self.gates),
            ("flip-flops", self.flip_flops),
            ("input bits", self.inputs),
            ("output bits", self.outputs),
        ];
        for (name, count) in rows {
            writeln!(f, "{name:<12}{:>9}", number(count))?;
        }
        writeln!(
            f,
            "\n{:<12}{:>9}{:>9}{:>12}{:>18}",
            "faults", "all", "prime", "untestable", "untestable prime"
        )?;
        let mut rows = vec![("unit", self.faults)];
        if self.chosen != self.faults {
            rows.push(("chosen", self.chosen));
        }
        for (name, counts) in rows {
            writeln!(
                f,
                "{name:<12}{:>9}{:>9}{:>12}{:>18}",
                number(counts.all),
                number(counts.prime),
                number(counts.untestable),
                number(counts.untestable_prime)
            )?;
        }
        Ok(())
    }
}
