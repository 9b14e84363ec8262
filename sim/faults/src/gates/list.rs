//! The fault list of a unit: both stuck-at faults of each pin, with equivalent and untestable faults.

use super::constants::constants;
use crate::models::engine::Engine;
use crate::sites::pattern;
use crate::text::error::Error;
use crate::text::names::near;
use hdlkit::gates::{Function, Pin, StuckPin, Unit};
use serde::Serialize;

/// The reason why a fault has no effect at any output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Untestable {
    /// The pin has the stuck-at value in every cycle, for all inputs.
    Constant,
    /// There is no path from the pin to an output.
    Unobservable,
}

/// The number of faults, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The number of faults of all pins.
    pub all: usize,
    /// The number of prime faults: one of each set of equivalent faults.
    pub prime: usize,
    /// The number of untestable faults of all pins.
    pub untestable: usize,
    /// The number of untestable prime faults.
    pub untestable_prime: usize,
}

/// All stuck-at faults of a unit.
#[derive(Clone, Debug)]
pub struct FaultList {
    pins: Vec<Pin>,
    /// For each fault, the prime fault of its set.
    primes: Vec<u32>,
    untestable: Vec<Option<Untestable>>,
}

impl FaultList {
    /// The faults of a unit, in the order of [`Unit::pins`].
    pub fn of(unit: &Unit) -> FaultList {
        let pins = unit.pins();
        let primes = primes(unit, &pins);
        let untestable = untestable(unit, &pins, &primes);
        FaultList {
            pins,
            primes,
            untestable,
        }
    }

    /// The pins, in order.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The number of faults.
    pub fn len(&self) -> usize {
        self.primes.len()
    }

    /// True if there are no faults.
    pub fn is_empty(&self) -> bool {
        self.primes.is_empty()
    }

    /// The fault with a number: twice the number of its pin, plus 1 for stuck-at-1.
    pub fn fault(&self, number: usize) -> StuckPin {
        StuckPin {
            pin: self.pins[number / 2],
            value: number % 2 == 1,
        }
    }

    /// The name of a fault: `sm[0].fetch.and_3.A stuck-at-1`.
    pub fn name(&self, number: usize, unit: &Unit) -> String {
        let fault = self.fault(number);
        format!("{} stuck-at-{}", fault.pin.name(unit), u8::from(fault.value))
    }

    /// The prime fault with the same effect in every cycle: the one nearest to the outputs.
    pub fn prime(&self, number: usize) -> usize {
        self.primes[number] as usize
    }

    /// The prime faults, in order.
    pub fn primes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|number| self.prime(*number) == *number)
    }

    /// The reason why a fault has no effect; `None` if it may have one.
    pub fn untestable(&self, number: usize) -> Option<Untestable> {
        self.untestable[number]
    }

    /// For each fault, true if a pattern selects the name of its pin, by the rules of
    /// [`Sites::matching`](crate::Sites::matching) without kinds.
    ///
    /// # Errors
    /// [`Error::Pattern`] for an alternative with a kind or without a path, or exclusions of all pins;
    /// [`Error::NoSite`] for an alternative that matches no pin.
    pub fn matching(&self, unit: &Unit, pattern: &str) -> Result<Vec<bool>, Error> {
        let wrong = |wrong: String| Error::Pattern {
            pattern: pattern.to_string(),
            wrong,
        };
        let names: Vec<String> = self.pins.iter().map(|pin| pin.name(unit)).collect();
        for alternative in pattern::alternatives(pattern) {
            alternative.check(pattern, Engine::Circuits)?;
            if alternative.text.contains(':') {
                return Err(wrong(format!(
                    "`{}`: pins of gates have no kinds; expected a path",
                    alternative.text
                )));
            }
            if !names.iter().any(|name| alternative.matches_name(name)) {
                let names = names.iter().map(String::as_str);
                return Err(Error::NoSite {
                    pattern: alternative.text.to_string(),
                    near: near(alternative.path, names),
                });
            }
        }
        let is_chosen = |name: &String| pattern::selects_by(pattern, |alternative| alternative.matches_name(name));
        let chosen: Vec<bool> = names.iter().flat_map(|name| [is_chosen(name); 2]).collect();
        match chosen.contains(&true) {
            true => Ok(chosen),
            false => Err(wrong(
                "all of its pins are excluded; expected to leave at least one".into(),
            )),
        }
    }

    /// Counts the faults for which `chosen` is true.
    pub fn counts(&self, chosen: impl Fn(usize) -> bool) -> Counts {
        let mut counts = Counts::default();
        for number in (0..self.len()).filter(|number| chosen(*number)) {
            let is_prime = self.prime(number) == number;
            let is_untestable = self.untestable(number).is_some();
            counts.all += 1;
            counts.prime += usize::from(is_prime);
            counts.untestable += usize::from(is_untestable);
            counts.untestable_prime += usize::from(is_prime && is_untestable);
        }
        counts
    }
}

/// Sets of equivalent faults: a union-find structure.
struct Sets(Vec<u32>);

impl Sets {
    /// The last fault of a set, its representative.
    fn find(&mut self, fault: u32) -> u32 {
        let mut at = fault;
        while self.0[at as usize] != at {
            let next = self.0[at as usize];
            self.0[at as usize] = self.0[next as usize];
            at = next;
        }
        at
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.min(other) as usize] = one.max(other);
    }
}

/// For each fault, the prime fault of its set.
///
/// A driver and its only reader have equivalent faults. A fault at a gate's input with a value that determines the
/// output is equivalent to the resulting fault at the output. A flip-flop's D is not equivalent to its Q, because Q has
/// its initial value in the first cycle. An output port counts as a reader.
fn primes(unit: &Unit, pins: &[Pin]) -> Vec<u32> {
    let number = |pin: usize, value: bool| 2 * pin as u32 + u32::from(value);
    let mut sets = Sets((0..2 * pins.len() as u32).collect());
    let mut drivers = vec![None; unit.nets];
    let mut readers: Vec<(usize, u32)> = vec![(0, 0); unit.nets];
    for (place, pin) in pins.iter().enumerate() {
        let net = pin.net(unit) as usize;
        match pin.drives() {
            true => drivers[net] = Some(place),
            false => readers[net] = (place, readers[net].1 + 1),
        }
    }
    for (driver, (reader, count)) in drivers.into_iter().zip(readers) {
        if let (Some(driver), 1) = (driver, count) {
            for value in [false, true] {
                sets.join(number(driver, value), number(reader, value));
            }
        }
    }
    let mut first = 0;
    for (place, pin) in pins.iter().enumerate() {
        match pin {
            Pin::GateInput { input: 0, .. } => first = place,
            Pin::GateOutput { gate } => {
                let gate = &unit.gates[*gate as usize];
                // The input, its value, and the resulting value before the inversion at the output.
                let determining: &[(usize, bool, bool)] = match gate.function {
                    Function::And => &[(0, false, false), (1, false, false)],
                    Function::AndNot => &[(0, false, false), (1, true, false)],
                    Function::Or => &[(0, true, true), (1, true, true)],
                    Function::OrNot => &[(0, true, true), (1, false, true)],
                    Function::Same => &[(0, false, false), (0, true, true)],
                    Function::Xor | Function::Choose | Function::Register => &[],
                };
                for &(input, value, output) in determining {
                    sets.join(number(first + input, value), number(place, output != gate.inverted));
                }
            }
            _ => {}
        }
    }
    (0..2 * pins.len() as u32).map(|fault| sets.find(fault)).collect()
}

/// For each fault, the reason why it has no effect; the same for equivalent faults.
fn untestable(unit: &Unit, pins: &[Pin], primes: &[u32]) -> Vec<Option<Untestable>> {
    let constants = constants(unit);
    let observable = observable(unit);
    let mut of_prime = vec![None; primes.len()];
    for (fault, prime) in primes.iter().enumerate() {
        let pin = pins[fault / 2];
        let is_observable = match pin {
            Pin::Output { .. } => true,
            Pin::GateInput { gate, .. } => observable[unit.gates[gate as usize].output as usize],
            Pin::RegisterInput { register } => observable[unit.registers[register as usize].q as usize],
            Pin::Input { .. } | Pin::GateOutput { .. } | Pin::RegisterOutput { .. } => {
                observable[pin.net(unit) as usize]
            }
        };
        let reason = if !is_observable {
            Some(Untestable::Unobservable)
        } else if constants[pin.net(unit) as usize] == Some(fault % 2 == 1) {
            Some(Untestable::Constant)
        } else {
            None
        };
        let known = &mut of_prime[*prime as usize];
        *known = known.or(reason);
    }
    primes.iter().map(|prime| of_prime[*prime as usize]).collect()
}

/// For each net, true if there is a path from it to an output, possibly through flip-flops.
fn observable(unit: &Unit) -> Vec<bool> {
    let mut found = vec![false; unit.nets];
    for net in unit.outputs.iter().flat_map(|port| &port.nets) {
        found[*net as usize] = true;
    }
    loop {
        for gate in unit.gates.iter().rev() {
            if found[gate.output as usize] {
                gate.inputs.iter().for_each(|net| found[*net as usize] = true);
            }
        }
        let mut changed = false;
        for register in &unit.registers {
            if found[register.q as usize] && !found[register.d as usize] {
                (found[register.d as usize], changed) = (true, true);
            }
        }
        if !changed {
            return found;
        }
    }
}
