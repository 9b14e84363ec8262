//! A block as gates, in place of its kernel: equal values in every cycle; with a fault, the values of the faulty gates.

use hdlkit::gates::{Function, Gate, NetId, Pin, Port, Register, StuckPin, Unit};
use hdlkit::prelude::*;
use hdlkit_compiled::gates::Gates;
use hdlkit_compiled::{port_places, Code, Concurrent, Effect, MachineCode, Next, Target};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Pair {
    flag: Bit,
    count: Bits<2>,
}

/// Counts to three when it is enabled, and remembers two bits.
#[circuit]
struct Part {
    pub clock: Signal<In, Clock>,
    pub enable: Signal<In, Bit>,
    pub given: Signal<In, Pair>,
    pub taken: Signal<Out, Pair>,
    pub parity: Signal<Out, Bit>,
    count: DFF<Bits<2>>,
    bits: LutRam<1, Bit>,
}

impl Logic for Part {
    #[hdl_gen]
    fn update(&mut self) {
        if self.enable.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        self.bits.write_enable.next = self.enable.val();
        self.bits.write_address.next = self.given.val().count.get_bits::<1>(0);
        self.bits.write_data.next = self.given.val().flag;
        self.bits.read_address.next = self.given.val().count.get_bits::<1>(1);
        self.taken.next = Pair {
            flag: self.bits.read_data.val(),
            count: self.count.q.val() ^ self.given.val().count,
        };
        self.parity.next = self.count.q.val().get_bit(0) ^ self.count.q.val().get_bit(1);
    }
}

/// A block that surrounds the part with memories and registers, one of them in a loop with it.
#[circuit]
#[derive(Ports)]
struct Whole {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<4>>,
    pub result: Signal<Out, Bits<5>>,
    first: LutRam<2, Bits<4>>,
    part: Part,
    last: LutRam<2, Bits<3>>,
    held: DFF<Bits<3>>,
}

impl Logic for Whole {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.write_enable.next = true;
        self.first.write_address.next = self.data.val().get_bits::<2>(0);
        self.first.write_data.next = self.data.val();
        self.first.read_address.next = self.data.val().get_bits::<2>(2);
        self.part.enable.next = self.first.read_data.val().get_bit(0);
        self.part.given.next = Pair {
            flag: self.held.q.val().get_bit(0),
            count: self.first.read_data.val().get_bits::<2>(1),
        };
        self.last.write_enable.next = self.part.taken.val().flag;
        self.last.write_address.next = self.part.taken.val().count;
        self.last.write_data.next = self.held.q.val();
        self.last.read_address.next = self.data.val().get_bits::<2>(1);
        self.held.d.next = self.last.read_data.val() + bit_cast::<3, 2>(self.part.taken.val().count) + 1;
        let parity = if self.part.parity.val() { bits::<5>(16) } else { bits(0) };
        self.result.next = parity ^ bit_cast::<5, 3>(self.held.q.val());
    }
}

/// A possible synthesis of the part. Nets from 2: enable, given (3), count (2), the two bits, then the gates' outputs.
fn gates() -> Gates {
    let [enable, flag, low, high, count_0, count_1, bit_0, bit_1] = [2, 3, 4, 5, 6, 7, 8, 9];
    let mut gates = vec![];
    let mut next = 10;
    let mut gate = |function, inverted, inputs: [NetId; 3]| {
        gates.push(Gate {
            name: format!("part.gate_{}", gates.len()),
            cell: String::new(),
            function,
            inverted,
            inputs,
            output: next,
        });
        next += 1;
        next - 1
    };
    // The counter: not(not(low ^ enable)), and a carry.
    let next_0 = gate(Function::Xor, true, [count_0, enable, 0]);
    let next_0 = gate(Function::Same, true, [next_0, 0, 0]);
    let carry = gate(Function::And, false, [count_0, enable, 0]);
    let next_1 = gate(Function::Xor, false, [count_1, carry, 0]);
    // The two bits, each with a write enable.
    let write_0 = gate(Function::AndNot, false, [enable, low, 0]);
    let low_again = gate(Function::OrNot, false, [low, 1, 0]);
    let write_1 = gate(Function::And, false, [enable, low_again, 0]);
    let next_bit_0 = gate(Function::Choose, false, [bit_0, flag, write_0]);
    let next_bit_1 = gate(Function::Choose, false, [bit_1, flag, write_1]);
    let read = gate(Function::Choose, false, [bit_0, bit_1, high]);
    let taken_0 = gate(Function::Xor, false, [count_0, low, 0]);
    let taken_1 = gate(Function::Xor, true, [count_1, high, 0]);
    let taken_1 = gate(Function::Same, true, [taken_1, 0, 0]);
    let parity = gate(Function::Xor, false, [count_0, count_1, 0]);
    let register = |name: &str, d, q| Register {
        name: format!("part.{name}"),
        cell: String::new(),
        register_bit: None,
        d,
        q,
        initial: false,
    };
    let port = |name: &str, nets: &[NetId]| Port {
        path: format!("part.{name}"),
        verilog: name.into(),
        nets: nets.to_vec(),
        names: vec![],
    };
    let unit = Unit {
        path: "part".into(),
        inputs: vec![port("enable", &[enable]), port("given", &[flag, low, high])],
        outputs: vec![port("parity", &[parity]), port("taken", &[read, taken_0, taken_1])],
        registers: vec![
            register("count[0]", next_0, count_0),
            register("count[1]", next_1, count_1),
            register("bits[0]", next_bit_0, bit_0),
            register("bits[1]", next_bit_1, bit_1),
        ],
        gates,
        nets: next as usize,
    };
    let both = |pin: Pin| [false, true].map(|value| StuckPin { pin, value });
    let faults = unit.pins().into_iter().flat_map(both).collect();
    Gates { unit, faults }
}

/// The same gates, but with a memory in place of the two bits. The memory is not converted to gates.
fn gates_and_memory() -> Gates {
    let mut gates = gates();
    let unit = &mut gates.unit;
    // The bits' registers, and the gates that write them.
    unit.registers.truncate(2);
    let read = unit.gates[9].output;
    unit.gates
        .retain(|gate| ![4, 5, 6, 7, 8, 9].map(|index| index + 10).contains(&gate.output));
    let port = |name: &str, nets: &[NetId]| Port {
        path: format!("part.bits.{name}"),
        verilog: format!("bits.{name}"),
        nets: nets.to_vec(),
        names: vec![],
    };
    unit.inputs.push(port("read_data", &[read]));
    for (name, net) in [
        ("write_enable", 2),
        ("write_address", 4),
        ("write_data", 3),
        ("read_address", 5),
    ] {
        unit.outputs.push(port(name, &[net]));
    }
    gates.faults.clear();
    gates
}

/// The gates with the fault built in.
fn broken(gates: &Gates, fault: StuckPin) -> Gates {
    let mut unit = gates.unit.clone();
    let instead = |net: &mut NetId| *net = fault.value.into();
    match fault.pin {
        Pin::GateInput { gate, input } => instead(&mut unit.gates[gate as usize].inputs[input as usize]),
        Pin::RegisterInput { register } => instead(&mut unit.registers[register as usize].d),
        Pin::Output { port, bit } => instead(&mut unit.outputs[port as usize].nets[bit as usize]),
        driver => {
            let net = driver.net(&gates.unit);
            let inputs = unit.gates.iter_mut().flat_map(|gate| &mut gate.inputs);
            let nexts = unit.registers.iter_mut().map(|register| &mut register.d);
            let outputs = unit.outputs.iter_mut().flat_map(|port| &mut port.nets);
            let readers = inputs.chain(nexts).chain(outputs);
            readers.filter(|read| **read == net).for_each(instead);
        }
    }
    let faults = vec![];
    Gates { unit, faults }
}

fn machine(gates: &[Gates]) -> MachineCode {
    let block = Whole::default();
    let code = Code::compile_with_gates(&block, &[], gates).unwrap();
    MachineCode::new(&block, Arc::new(code))
}

/// Runs machines side by side, with the same random inputs; `before` and `compare` are called in every cycle.
fn run(
    machines: &mut [MachineCode],
    cycles: u32,
    mut before: impl FnMut(&mut [MachineCode], u32),
    mut compare: impl FnMut(&[u64], u32),
) {
    let places = port_places(&Whole::default());
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for cycle in 0..cycles {
        before(machines, cycle);
        let data = random.gen_range(0..16);
        for machine in machines.iter_mut() {
            machine.ports_mut()[places.place("data")] = data;
            machine.settle();
        }
        let results: Vec<u64> = machines.iter().map(|one| one.ports()[places.place("result")]).collect();
        compare(&results, cycle);
        machines.iter_mut().for_each(MachineCode::tick);
    }
}

#[test]
fn gates_equal_the_kernel() {
    let mut results = std::collections::BTreeSet::new();
    let mut machines = [machine(&[]), machine(&[gates()]), machine(&[gates_and_memory()])];
    run(
        &mut machines,
        3000,
        |_, _| (),
        |all, cycle| {
            assert_eq!([all[0]; 3], all, "cycle {cycle}");
            results.insert(all[0]);
        },
    );
    assert_eq!(results.len(), 16, "both parities with all values of the register");
    let names: Vec<String> = machines[1].code().flip_flops().map(|one| one.name).collect();
    assert!(names.contains(&"top.part.count[1]".to_string()), "{names:?}");
    let memories =
        |machine: &MachineCode| -> Vec<String> { machine.code().memories().map(|one| one.name.to_string()).collect() };
    assert_eq!(
        memories(&machines[1]),
        ["top.first", "top.last"],
        "the part's memory is converted to gates"
    );
    assert_eq!(memories(&machines[2]), ["top.first", "top.part.bits", "top.last"]);
}

#[test]
fn every_fault_is_that_of_the_broken_gates() {
    let whole = gates();
    let working = machine(std::slice::from_ref(&whole));
    let mut differing = 0;
    for (number, fault) in (0..).zip(&whole.faults) {
        let (Target::FlipFlop(switches), mask) = working.code().gate_fault("top.part", number).unwrap() else {
            panic!("a switch is in a register");
        };
        let mut machines = [machine(&[broken(&whole, *fault)]), working.clone(), working.clone()];
        let mut has_differed = false;
        run(
            &mut machines,
            400,
            |machines, cycle| {
                // The third machine has the fault only in these cycles.
                let values = [mask, if (100..200).contains(&cycle) { mask } else { 0 }];
                for (machine, value) in machines[1..].iter_mut().zip(values) {
                    assert!(machine.set_flip_flop(switches, value));
                }
            },
            |results, cycle| {
                assert_eq!(results[0], results[1], "cycle {cycle}, fault {fault:?}");
                has_differed |= results[0] != results[2];
            },
        );
        differing += usize::from(has_differed);
    }
    assert!(working
        .code()
        .gate_fault("top.part", whole.faults.len() as u32)
        .is_none());
    assert!(working.code().gate_fault("top.first", 0).is_none());
    assert!(
        differing > whole.faults.len() * 3 / 4,
        "{differing} of {}",
        whole.faults.len()
    );
}

/// Tests a stuck bit, and a bit flip, which lasts for one cycle.
#[test]
fn concurrent_machines_have_the_faults() {
    let whole = gates();
    let code = Arc::new(Code::compile_with_gates(&Whole::default(), &[], std::slice::from_ref(&whole)).unwrap());
    let good = MachineCode::new(&Whole::default(), code.clone());
    let places = port_places(&Whole::default());
    for effect in [Effect::Stuck(true), Effect::Flip] {
        let mut concurrent = Concurrent::new(code.clone(), []).unwrap();
        assert!(concurrent.restore(&good.save().unwrap()));
        let mut machines = vec![];
        for number in 0..whole.faults.len() as u32 {
            let (target, mask) = code.gate_fault("top.part", number).unwrap();
            let Target::FlipFlop(register) = target else {
                panic!("a switch is in a register")
            };
            let id = concurrent.inject(&[(target, mask)], effect).unwrap();
            let mut machine = good.clone();
            machine.set_flip_flop(register, mask);
            machines.push((id, register, mask, machine));
        }
        let mut random = ChaCha8Rng::seed_from_u64(9);
        for cycle in 0..300 {
            let data = random.gen_range(0..16);
            concurrent.ports_mut()[places.place("data")] = data;
            for (.., machine) in &mut machines {
                machine.ports_mut()[places.place("data")] = data;
                machine.settle();
            }
            concurrent.settle();
            concurrent.settle_faulty(&mut |_| Next::Sleep);
            concurrent.tick();
            for (id, register, mask, machine) in &mut machines {
                machine.tick();
                if effect != Effect::Flip {
                    machine.set_flip_flop(*register, *mask);
                }
                assert!(
                    concurrent.state(*id) == machine.save().unwrap(),
                    "cycle {cycle}, {effect:?}, register {register}, {mask:#x}"
                );
            }
        }
    }
}

#[test]
fn gates_of_another_block_are_refused() {
    let refused = |change: &dyn Fn(&mut Gates)| {
        let mut gates = gates();
        gates.faults.clear();
        change(&mut gates);
        match Code::compile_with_gates(&Whole::default(), &[], &[gates]) {
            Ok(_) => panic!("compiled"),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(
        refused(&|gates| gates.unit.path = "path".into()),
        "top.path: is not a block that can be made of gates"
    );
    assert_eq!(
        refused(&|gates| gates.unit.path = "first".into()),
        "top.first: is not a block that can be made of gates"
    );
    for (change, expected) in [
        (
            Box::new(|unit: &mut Unit| unit.inputs[0].verilog = "unable".into()) as Box<dyn Fn(&mut Unit)>,
            "have a port `unable`, which the block does not have",
        ),
        (
            Box::new(|unit| unit.inputs[1].nets.truncate(2)),
            "have only 2 bits of `given`",
        ),
        (Box::new(|unit| unit.outputs.truncate(1)), "do not drive `taken`"),
        (
            Box::new(|unit| unit.outputs[1].nets.truncate(2)),
            "do not drive bit 2 of `taken`",
        ),
        (Box::new(|unit| unit.registers[1].d = 99), "do not drive part.count[1]"),
        (
            Box::new(|unit| unit.gates.swap(0, 1)),
            "read a net of part.gate_1 before it is driven",
        ),
    ] {
        let found = refused(&|gates| change(&mut gates.unit));
        assert_eq!(found, format!("top.part: has gates that {expected}"));
    }
}
