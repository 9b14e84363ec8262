//! Constant nets: nets with the same value in every cycle, for all inputs.

use hdlkit::gates::{Function, Gate, Unit};

/// For each net, its value if it is constant from the first cycle onward.
///
/// First, every flip-flop is assumed to be constant at its initial value. A flip-flop whose D may differ from this
/// value is removed from the assumption, until nothing changes. The remaining constants are proven by induction over
/// the cycles.
pub fn constants(unit: &Unit) -> Vec<Option<bool>> {
    let mut held: Vec<bool> = vec![true; unit.registers.len()];
    loop {
        let mut values = vec![None; unit.nets];
        (values[0], values[1]) = (Some(false), Some(true));
        for (register, held) in unit.registers.iter().zip(&held) {
            values[register.q as usize] = held.then_some(register.initial);
        }
        for gate in &unit.gates {
            values[gate.output as usize] = value(gate, &values);
        }
        let mut changed = false;
        for (register, held) in unit.registers.iter().zip(&mut held) {
            if *held && values[register.d as usize] != Some(register.initial) {
                (*held, changed) = (false, true);
            }
        }
        if !changed {
            return values;
        }
    }
}

/// The output of a gate, if the known inputs determine it.
fn value(gate: &Gate, values: &[Option<bool>]) -> Option<bool> {
    let [a, b, s] = gate.inputs.map(|net| values[net as usize]);
    let and = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    let not = |a: Option<bool>| a.map(|a| !a);
    let or = |a, b| not(and(not(a), not(b)));
    let plain = match gate.function {
        Function::And => and(a, b),
        Function::AndNot => and(a, not(b)),
        Function::Or => or(a, b),
        Function::OrNot => or(a, not(b)),
        Function::Xor => a.zip(b).map(|(a, b)| a != b),
        Function::Choose => match s {
            Some(true) => b,
            Some(false) => a,
            None => a.filter(|_| a == b),
        },
        Function::Same | Function::Register => a,
    };
    plain.map(|value| value != gate.inverted)
}
