//! A block as gates, in place of its kernel: the same values in every cycle; with a fault, those of the faulty gates.

use hdlkit::prelude::*;
use hdlkit_compiled::gates::{Bit as Net, Gate, GateKind, GateRegister, Gates, Pin, Stuck};
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

/// The part between memories and registers of its surroundings, in a loop with one of them.
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

/// What synthesis could make of the part. Wires: 0 enable, 1 to 3 given, 4 and 5 count, 6 and 7 the two bits, then the gates'.
fn gates() -> Gates {
    let wire = Net::Wire;
    let none = Net::Constant(false);
    let mut gates = vec![];
    let mut next = 8;
    let mut gate = |kind, inverted, second_inverted, operands: [Net; 3]| {
        gates.push(Gate {
            kind,
            inverted,
            second_inverted,
            operands,
            output: next,
        });
        next += 1;
        wire(next - 1)
    };
    // The counter: not(not(low ^ enable)), and a carry.
    let low = gate(GateKind::Xor, true, false, [wire(4), wire(0), none]);
    let low = gate(GateKind::Same, true, false, [low, none, none]);
    let carry = gate(GateKind::And, false, false, [wire(4), wire(0), none]);
    let high = gate(GateKind::Xor, false, false, [wire(5), carry, none]);
    // The two bits: which is written, by a gate with an inverted operand and one behind De Morgan.
    let write_0 = gate(GateKind::And, false, true, [wire(0), wire(2), none]);
    let not_1 = gate(GateKind::Or, false, false, [Net::Constant(false), wire(2), none]);
    let write_1 = gate(GateKind::And, false, false, [wire(0), not_1, none]);
    let bit_0 = gate(GateKind::Choose, false, false, [wire(6), wire(1), write_0]);
    let bit_1 = gate(GateKind::Choose, false, false, [wire(7), wire(1), write_1]);
    let read = gate(GateKind::Choose, false, false, [wire(6), wire(7), wire(3)]);
    let count_0 = gate(GateKind::Xor, false, false, [wire(4), wire(2), none]);
    let count_1 = gate(GateKind::Xor, false, true, [wire(5), wire(3), none]);
    let count_1 = gate(GateKind::Same, true, false, [count_1, none, none]);
    let parity = gate(GateKind::Xor, false, false, [wire(4), wire(5), none]);
    let register = |name: &str, next, output| GateRegister {
        name: name.into(),
        next,
        output,
        initial: false,
    };
    let registers = vec![
        register("count[0]", low, 4),
        register("count[1]", high, 5),
        register("bits[0]", bit_0, 6),
        register("bits[1]", bit_1, 7),
    ];
    let mut faults = vec![];
    let mut both = |pin| faults.extend([false, true].map(|one| Stuck { pin, one }));
    (0..next).for_each(|wire| both(Pin::Wire(wire)));
    for (number, gate) in (0..).zip(&gates) {
        let operands = match gate.kind {
            GateKind::Same => 1,
            GateKind::Choose => 3,
            _ => 2,
        };
        (0..operands).for_each(|operand| both(Pin::Operand(number, operand)));
    }
    (0..4).for_each(|number| both(Pin::Next(number)));
    (0..3).for_each(|bit| both(Pin::Output(0, bit)));
    both(Pin::Output(1, 0));
    Gates {
        path: "top.part".into(),
        inputs: vec![("enable".into(), vec![0]), ("given".into(), vec![1, 2, 3])],
        outputs: vec![
            ("taken".into(), vec![read, count_0, count_1]),
            ("parity".into(), vec![parity]),
        ],
        registers,
        gates,
        faults,
    }
}

/// The gates with the fault built in.
fn broken(gates: &Gates, fault: Stuck) -> Gates {
    let mut gates = gates.clone();
    let value = Net::Constant(fault.one);
    let instead = |net: &mut Net| *net = value;
    match fault.pin {
        Pin::Operand(gate, operand) => instead(&mut gates.gates[gate as usize].operands[operand as usize]),
        Pin::Next(register) => instead(&mut gates.registers[register as usize].next),
        Pin::Output(port, bit) => instead(&mut gates.outputs[port as usize].1[bit as usize]),
        Pin::Wire(wire) => {
            let operands = gates.gates.iter_mut().flat_map(|gate| &mut gate.operands);
            let nexts = gates.registers.iter_mut().map(|register| &mut register.next);
            let outputs = gates.outputs.iter_mut().flat_map(|(_, bits)| bits);
            let readers = operands.chain(nexts).chain(outputs);
            readers.filter(|net| **net == Net::Wire(wire)).for_each(instead);
        }
    }
    gates.faults.clear();
    gates
}

fn machine(gates: &[Gates]) -> MachineCode {
    let block = Whole::default();
    let code = Code::compile_with_gates(&block, &[], gates).unwrap();
    MachineCode::new(&block, Arc::new(code))
}

/// Runs machines beside each other, with the same random inputs; `before` and `compare` are called in every cycle.
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
fn gates_do_what_the_kernel_does() {
    let mut results = std::collections::BTreeSet::new();
    let mut machines = [machine(&[]), machine(&[gates()])];
    run(
        &mut machines,
        3000,
        |_, _| (),
        |both, cycle| {
            assert_eq!(both[0], both[1], "cycle {cycle}");
            results.insert(both[0]);
        },
    );
    assert_eq!(results.len(), 16, "parity and all that the register holds");
    let names: Vec<String> = machines[1].code().flip_flops().map(|one| one.name).collect();
    assert!(names.contains(&"top.part.count[1]".to_string()), "{names:?}");
    let memories: Vec<&str> = machines[1].code().memories().map(|one| one.name).collect();
    assert_eq!(memories, ["top.first", "top.last"], "the part's own is made of gates");
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
                // Only in these cycles the third machine has the fault, too.
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

/// A bit that is stuck, and one that flips and is 0 again after the cycle.
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
        change(&mut gates);
        match Code::compile_with_gates(&Whole::default(), &[], &[gates]) {
            Ok(_) => panic!("compiled"),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(
        refused(&|gates| gates.path = "top.path".into()),
        "top.path: is no block that can be made of gates"
    );
    assert_eq!(
        refused(&|gates| gates.path = "top.first".into()),
        "top.first: is no block that can be made of gates"
    );
    for (change, expected) in [
        (
            Box::new(|gates: &mut Gates| gates.inputs[0].0 = "unable".into()) as Box<dyn Fn(&mut Gates)>,
            "have a port `unable`, which the block has not",
        ),
        (
            Box::new(|gates| gates.inputs[1].1.truncate(2)),
            "have only 2 bits of `given`",
        ),
        (Box::new(|gates| gates.outputs.truncate(1)), "do not drive `parity`"),
        (
            Box::new(|gates| gates.outputs[0].1.truncate(2)),
            "do not drive bit 2 of `taken`",
        ),
        (
            Box::new(|gates| gates.registers[1].next = Net::Wire(99)),
            "do not drive count[1]",
        ),
        (
            Box::new(|gates| gates.gates.swap(0, 1)),
            "read a wire of gate 0 before it is driven",
        ),
    ] {
        assert_eq!(refused(&*change), format!("top.part: has gates that {expected}"));
    }
}
