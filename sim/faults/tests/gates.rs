//! Compares faults of gates on random netlists (equivalent faults, faults without an effect, the simulation of many
//! faults at once) with an evaluator that simulates one machine gate by gate.

use flexgrip_faults::gates::results::prime_faults;
use flexgrip_faults::gates::{excited, simulate, FaultList, Golden, Options, Stimulus, Unlike};
use hdlkit::gates::{Function, Gate, NetId, Pin, Port, Register, StuckPin, Unit};
use proptest::prelude::*;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::num::NonZeroUsize;

struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    fn bit(&mut self) -> bool {
        self.below(2) == 1
    }
}

fn port(name: &str, nets: Vec<NetId>) -> Port {
    Port {
        path: name.into(),
        verilog: name.into(),
        names: (0..nets.len()).map(|bit| format!("{name}[{bit}]")).collect(),
        nets,
    }
}

const FUNCTIONS: [Function; 7] = [
    Function::And,
    Function::AndNot,
    Function::Or,
    Function::OrNot,
    Function::Xor,
    Function::Choose,
    Function::Same,
];

/// A random unit with the given number of input bits, flip-flops and gates. Some gates read constants, some outputs are
/// not driven by gates.
fn unit(random: &mut Random, inputs: usize, registers: usize, gates: usize) -> Unit {
    let mut nets: Vec<NetId> = (0..(2 + inputs + registers) as NetId).collect();
    let first_gate = nets.len() as NetId;
    let made = (0..gates as NetId).map(|number| {
        // Mostly recent nets, which gives long paths and nets with a single reader.
        let mut pick = || {
            let near = nets.len().min(12);
            match random.below(12) {
                0 => nets[random.below(nets.len())],
                1..=3 => nets[2 + random.below(inputs + registers)],
                _ => nets[nets.len() - 1 - random.below(near)],
            }
        };
        let [a, b, s] = [pick(), pick(), pick()];
        let function = FUNCTIONS[random.below(FUNCTIONS.len())];
        let inputs = match function.pins().len() {
            1 => [a, 0, 0],
            2 => [a, b, 0],
            _ => [a, b, s],
        };
        nets.push(first_gate + number);
        Gate {
            name: format!("gate_{number}"),
            cell: String::new(),
            function,
            inverted: random.bit(),
            inputs,
            output: first_gate + number,
        }
    });
    let gates: Vec<Gate> = made.collect();
    let all = nets.len();
    let registers = (0..registers).map(|number| Register {
        name: format!("register_{number}"),
        cell: String::new(),
        register_bit: None,
        d: random.below(all) as NetId,
        q: (2 + inputs + number) as NetId,
        initial: random.bit(),
    });
    let registers = registers.collect();
    let outputs = (0..4).map(|_| (all - 1 - random.below(all.min(20))) as NetId).collect();
    let split = inputs / 2;
    let ports = |from: usize, to: usize| (from..to).map(|bit| (2 + bit) as NetId).collect();
    Unit {
        path: String::new(),
        inputs: vec![port("a", ports(0, split)), port("b", ports(split, inputs))],
        outputs: vec![port("x", vec![random.below(all) as NetId]), port("y", outputs)],
        gates,
        registers,
        nets: all,
    }
}

/// One machine, with or without a fault.
struct Plain<'u> {
    unit: &'u Unit,
    fault: Option<StuckPin>,
    state: Vec<bool>,
}

impl Plain<'_> {
    fn at(&self, pin: Pin, value: bool) -> bool {
        match self.fault {
            Some(fault) if fault.pin == pin => fault.value,
            _ => value,
        }
    }

    /// Simulates a cycle; returns the outputs and the flip-flops' next values.
    fn cycle(&mut self, inputs: &[bool]) -> (Vec<bool>, Vec<bool>) {
        let unit = self.unit;
        let mut values = vec![false; unit.nets];
        values[1] = true;
        let mut bits = inputs.iter();
        for (port, of) in (0..).zip(&unit.inputs) {
            for (bit, net) in (0..).zip(&of.nets) {
                values[*net as usize] = self.at(Pin::Input { port, bit }, *bits.next().unwrap());
            }
        }
        for (register, of) in (0..).zip(&unit.registers) {
            values[of.q as usize] = self.at(Pin::RegisterOutput { register }, self.state[register as usize]);
        }
        for (gate, of) in (0..).zip(&unit.gates) {
            let input = |input: u32| {
                self.at(
                    Pin::GateInput { gate, input },
                    values[of.inputs[input as usize] as usize],
                )
            };
            let (a, b) = (input(0), input(1));
            let plain = match of.function {
                Function::And => a && b,
                Function::AndNot => a && !b,
                Function::Or => a || b,
                Function::OrNot => a || !b,
                Function::Xor => a != b,
                Function::Choose => [a, b][usize::from(input(2))],
                Function::Same | Function::Register => a,
            };
            values[of.output as usize] = self.at(Pin::GateOutput { gate }, plain != of.inverted);
        }
        let taken = (0..).zip(&unit.registers);
        let taken: Vec<bool> = taken
            .map(|(register, of)| self.at(Pin::RegisterInput { register }, values[of.d as usize]))
            .collect();
        let ports = (0..).zip(&unit.outputs);
        let outputs = ports.flat_map(|(port, of)| (0..).zip(&of.nets).map(move |(bit, net)| (port, bit, *net)));
        let outputs = outputs.map(|(port, bit, net)| self.at(Pin::Output { port, bit }, values[net as usize]));
        let outputs = outputs.collect();
        self.state.clone_from(&taken);
        (outputs, taken)
    }

    fn run(&mut self, inputs: &[Vec<bool>]) -> Vec<Vec<bool>> {
        inputs.iter().map(|inputs| self.cycle(inputs).0).collect()
    }
}

fn initial(unit: &Unit) -> Vec<bool> {
    unit.registers.iter().map(|register| register.initial).collect()
}

fn run(unit: &Unit, fault: Option<StuckPin>, inputs: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let state = initial(unit);
    Plain { unit, fault, state }.run(inputs)
}

fn packed(bits: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, bit| word << 1 | u64::from(*bit));
    bits.chunks(64).map(word).collect()
}

/// Random inputs, some of which are constant for some cycles.
fn random_inputs(random: &mut Random, unit: &Unit, cycles: usize) -> Vec<Vec<bool>> {
    let bits: usize = unit.inputs.iter().map(|port| port.nets.len()).sum();
    let mut now = vec![false; bits];
    let next = |_| {
        if random.below(3) > 0 {
            now = (0..bits).map(|_| random.bit()).collect();
        }
        now.clone()
    };
    (0..cycles).map(next).collect()
}

fn stimulus(unit: &Unit, inputs: &[Vec<bool>]) -> Stimulus {
    Stimulus {
        start: initial(unit),
        inputs: inputs.iter().map(|bits| packed(bits)).collect(),
        outputs: run(unit, None, inputs).iter().map(|bits| packed(bits)).collect(),
    }
}

fn bits_of(number: usize, width: usize) -> Vec<bool> {
    (0..width).map(|bit| number >> bit & 1 == 1).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn equivalent_faults_agree_for_all_inputs_and_states(seed: u64) {
        let random = &mut Random::new(seed);
        let unit = unit(random, 3, 3, 14);
        let list = FaultList::of(&unit);
        let behaviour = |fault: usize| {
            let cycle = |number: usize| {
                let mut machine = Plain { unit: &unit, fault: Some(list.fault(fault)), state: bits_of(number >> 3, 3) };
                machine.cycle(&bits_of(number, 3))
            };
            (0..64).map(cycle).collect::<Vec<_>>()
        };
        let mut joined = 0;
        for fault in 0..list.len() {
            let prime = list.prime(fault);
            prop_assert_eq!(list.prime(prime), prime);
            if prime != fault {
                joined += 1;
                prop_assert_eq!(behaviour(fault), behaviour(prime), "{} and {}", list.name(fault, &unit), list.name(prime, &unit));
            }
        }
        prop_assert!(joined > 0);
        prop_assert_eq!(list.primes().count() + joined, list.len());
    }

    #[test]
    fn untestable_faults_have_no_effect(seed: u64) {
        let random = &mut Random::new(seed);
        let unit = unit(random, 3, 4, 30);
        let list = FaultList::of(&unit);
        let inputs = random_inputs(random, &unit, 40);
        let good = run(&unit, None, &inputs);
        for fault in (0..list.len()).filter(|fault| list.untestable(*fault).is_some()) {
            prop_assert_eq!(&run(&unit, Some(list.fault(fault)), &inputs), &good, "{}", list.name(fault, &unit));
        }
    }

    #[test]
    fn grouped_machines_equal_single_machines(seed: u64) {
        let random = &mut Random::new(seed);
        let (registers, gates) = (random.below(12), 20 + random.below(150));
        let unit = unit(random, 7, registers, gates);
        let list = FaultList::of(&unit);
        let inputs = random_inputs(random, &unit, 30);
        let stimulus = stimulus(&unit, &inputs);
        let golden = Golden::new(&unit, &stimulus).unwrap();
        let good = run(&unit, None, &inputs);
        let windows = [(2, 5), (4, 4), (6, 29), (0, 20)];
        // All faults, not only prime ones, in any order.
        let mut faults: Vec<usize> = (0..list.len()).collect();
        for place in 0..faults.len() {
            let other = place + random.below(faults.len() - place);
            faults.swap(place, other);
        }
        let runs: Vec<Vec<Vec<bool>>> = faults.iter().map(|fault| run(&unit, Some(list.fault(*fault)), &inputs)).collect();
        for jobs in [1, 2] {
            let jobs = NonZeroUsize::new(jobs).unwrap();
            for drops in [false, true] {
                let options = Options { windows: &windows, drops, jobs };
                let found = simulate(&golden, &list, &faults, options, |_, bits| bits.to_vec());
                for ((fault, run), found) in faults.iter().zip(&runs).zip(found) {
                    let wrong = |cycle: usize| -> Vec<u32> {
                        let pairs = good[cycle].iter().zip(&run[cycle]);
                        (0..).zip(pairs).filter(|(_, (good, faulty))| good != faulty).map(|(bit, _)| bit).collect()
                    };
                    let in_window = |(window, (from, to)): (usize, (usize, usize))| {
                        let cycle = (from..=to).find(|cycle| !wrong(*cycle).is_empty())?;
                        Some((window, cycle, wrong(cycle)))
                    };
                    let mut expected: Vec<_> = windows.into_iter().enumerate().filter_map(in_window).collect();
                    if drops {
                        let first = expected.iter().map(|(_, cycle, _)| *cycle).min();
                        expected.retain(|(_, cycle, _)| Some(*cycle) == first);
                    }
                    let seen: Vec<_> = found.iter().map(|one| (one.window, one.cycle, one.about.clone())).collect();
                    prop_assert_eq!(seen, expected, "{}", list.name(*fault, &unit));
                    for one in &found {
                        prop_assert_eq!((one.first, one.bits), (one.about[0], one.about.len() as u32));
                        prop_assert!(excited(&golden, &list, *fault).unwrap() as usize <= one.cycle);
                    }
                }
            }
        }
    }

    #[test]
    fn a_gate_that_is_another_is_found(seed: u64) {
        let random = &mut Random::new(seed);
        let unit = unit(random, 4, 3, 30);
        let inputs = random_inputs(random, &unit, 30);
        let stimulus = stimulus(&unit, &inputs);
        let mut broken = unit.clone();
        let gate = random.below(broken.gates.len());
        broken.gates[gate].inverted ^= true;
        let differs = run(&broken, None, &inputs) != run(&unit, None, &inputs);
        let result = Golden::new(&broken, &stimulus).map(|_| ());
        prop_assert_eq!(differs, matches!(result, Err(Unlike::Output { .. })));
    }
}

#[test]
fn and_gate_has_the_textbook_faults() {
    let gate = Gate {
        name: "and_0".into(),
        cell: String::new(),
        function: Function::And,
        inverted: false,
        inputs: [2, 3, 0],
        output: 4,
    };
    let unit = Unit {
        path: String::new(),
        inputs: vec![port("a", vec![2]), port("b", vec![3])],
        outputs: vec![port("y", vec![4])],
        gates: vec![gate],
        registers: vec![],
        nets: 5,
    };
    let list = FaultList::of(&unit);
    // Two ports, three pins, one port, each at 0 and 1; the textbook's N + 1 prime faults.
    let counts = list.counts(|_| true);
    assert_eq!((counts.all, counts.prime, counts.untestable), (12, 4, 0));
    let names: Vec<String> = list.primes().map(|fault| list.name(fault, &unit)).collect();
    assert_eq!(
        names,
        [
            "and_0.A stuck-at-1",
            "and_0.B stuck-at-1",
            "y[0].out stuck-at-0",
            "y[0].out stuck-at-1"
        ]
    );
    let chosen = list.matching(&unit, "and_0.A").unwrap();
    assert_eq!(prime_faults(&list, &chosen).len(), 2);
    for (pattern, message) in [
        ("and_1", "no site matches `and_1`"),
        ("register:", "pins of gates have no kinds"),
        ("", "an empty alternative"),
        ("!*", "all of its pins are excluded"),
    ] {
        let error = list.matching(&unit, pattern).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn records_of_other_units_are_refused() {
    let random = &mut Random::new(1);
    let unit = unit(random, 4, 2, 10);
    let inputs = random_inputs(random, &unit, 3);
    let good = stimulus(&unit, &inputs);
    for (what, wrong) in [
        (
            "flip-flops",
            Stimulus {
                start: vec![],
                ..good.clone()
            },
        ),
        (
            "cycles of outputs",
            Stimulus {
                outputs: vec![],
                ..good.clone()
            },
        ),
        (
            "words of inputs",
            Stimulus {
                inputs: vec![vec![]; 3],
                ..good.clone()
            },
        ),
        (
            "words of outputs",
            Stimulus {
                outputs: vec![vec![]; 3],
                ..good
            },
        ),
    ] {
        let error = Golden::new(&unit, &wrong)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(error.contains(what), "{error}");
    }
}
