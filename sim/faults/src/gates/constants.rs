//! Nets that never change, whatever the inputs.

use hdlkit::gates::{Function, Gate, Unit};

/// For each net, its value if it has the same one in every cycle from the first one on.
///
/// At first every flip-flop is taken for a constant with its initial value. One whose D is not always this value is none; that
/// is repeated until nothing changes. What is left is proven by induction over the cycles.
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

/// A gate's output, if what is known of its inputs determines it.
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
