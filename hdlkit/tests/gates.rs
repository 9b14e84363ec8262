//! Blocks as gates: their gates, registers and pins, and the names of these. Skipped without yosys.

use hdlkit::gates::{Function, GatesError, RegisterBit, Unit};
use hdlkit::prelude::*;
use hdlkit::tools::YOSYS;
use std::path::Path;

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct Pair {
    pub valid: Bit,
    pub value: Bits<4>,
}

/// A register whose only use is an output, and a memory of bundles.
#[circuit]
struct Lane {
    pub clock: Signal<In, Clock>,
    pub input: Signal<In, Pair>,
    pub address: Signal<In, Bits<1>>,
    pub last: Signal<Out, Pair>,
    pub kept: Signal<Out, Pair>,
    held: DFF<Pair>,
    memory: LutRam<1, Pair>,
}

impl Logic for Lane {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.d.next = self.input.val();
        self.last.next = self.held.q.val();
        self.memory
            .write(self.input.val().valid, self.address.val(), self.input.val());
        self.kept.next = self.memory.read(self.address.val());
    }
}

/// A block with two of these blocks and a block RAM.
#[circuit]
struct Both {
    pub clock: Signal<In, Clock>,
    pub input: Signal<In, Pair>,
    pub address: Signal<In, Bits<1>>,
    pub odd: Signal<Out, Bit>,
    lanes: [Lane; 2],
    ram: BlockRam<2, 4, 1>,
}

impl Logic for Both {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            self.lanes[i].input.next = self.input.val();
            self.lanes[i].address.next = self.address.val();
        }
        self.ram
            .write(self.input.val().valid.into(), bits(0), self.input.val().value);
        self.ram.fetch(true, bits(0));
        let kept = self.lanes[1].kept.val();
        self.odd.next = self.lanes[0].last.val().valid != kept.valid && self.ram.read_data.val().get_bit(0);
    }
}

fn both() -> Box<Both> {
    let mut both = Box::new(Both::blank());
    both.ram = BlockRam::new(4, vec![]).collision_free();
    both
}

#[test]
fn everything_has_the_name_that_waves_show() {
    if !YOSYS.is_there() {
        println!("skipped: yosys is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let unit = Unit::of(&*both(), "lanes[1]", folder.path()).unwrap();
    assert_eq!(unit.path, "lanes[1]");
    let ports = |ports: &[hdlkit::gates::Port]| -> Vec<String> { ports.iter().map(|port| port.path.clone()).collect() };
    // A memory is not converted to gates: its ports become ports of the unit.
    let own = ["lanes[1].address", "lanes[1].input", "lanes[1].memory.read_data"];
    assert_eq!(ports(&unit.inputs), own);
    assert_eq!(
        ports(&unit.outputs),
        [
            "lanes[1].kept",
            "lanes[1].last",
            "lanes[1].memory.read_address",
            "lanes[1].memory.write_address",
            "lanes[1].memory.write_data",
            "lanes[1].memory.write_enable",
        ]
    );
    assert_eq!(unit.outputs[1].names[0], "lanes[1].last.valid");
    assert_eq!(unit.outputs[1].names[4], "lanes[1].last.value[3]");
    assert_eq!(unit.inputs[2].names[1], "lanes[1].memory.read_data.value[0]");
    let mut registers: Vec<(String, RegisterBit)> = vec![];
    for register in &unit.registers {
        assert!(!register.initial);
        registers.push((register.name.clone(), register.register_bit.clone().unwrap()));
    }
    registers.sort_by(|a, b| a.0.cmp(&b.0));
    let bit_of = |site: &str, bit| RegisterBit { site: site.into(), bit };
    let mut expected = vec![];
    expected.push(("lanes[1].held.valid".into(), bit_of("lanes[1].held.valid", 0)));
    for bit in 0..4 {
        expected.push((
            format!("lanes[1].held.value[{bit}]"),
            bit_of("lanes[1].held.value", bit),
        ));
    }
    assert_eq!(registers, expected);
    // Each cell is after the cells that it uses.
    let mut known = vec![false; unit.nets];
    let driven = unit.inputs.iter().flat_map(|port| port.nets.clone());
    for net in driven
        .chain(unit.registers.iter().map(|register| register.q))
        .chain([0, 1])
    {
        known[net as usize] = true;
    }
    for gate in &unit.gates {
        assert!(gate.function != Function::Register && gate.inputs.iter().all(|net| known[*net as usize]));
        known[gate.output as usize] = true;
    }
    // The second call uses the cached result.
    assert_eq!(Unit::of(&*both(), "lanes[1]", folder.path()).unwrap(), unit);
}

#[test]
fn impossible_units_are_refused() {
    let folder = Path::new("no folder is needed");
    let error = Unit::of(&*both(), "lanes[2]", folder).unwrap_err();
    assert!(matches!(error, GatesError::NoSuch(_)));
    assert_eq!(
        error.to_string(),
        "the design has no scope or signal `lanes[2]`; expected something in `lanes` such as [0], [1]"
    );
    let error = Unit::of(&*both(), "ram", folder).unwrap_err().to_string();
    assert!(
        error.contains("ram is a memory, which is not converted to gates"),
        "{error}"
    );
}

/// Synthesises a whole circuit, with the gates of its parts. Both memories and the block RAM stay outside.
#[test]
fn a_circuit_with_memories_is_a_unit() {
    if !YOSYS.is_there() {
        println!("skipped: yosys is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let unit = Unit::of(&*both(), "", folder.path()).unwrap();
    let inputs: Vec<&str> = unit.inputs.iter().map(|port| port.path.as_str()).collect();
    // The first lane's memory is never read.
    assert_eq!(
        inputs,
        ["address", "input", "lanes[1].memory.read_data", "ram.read_data"]
    );
    assert!(unit.gates.len() >= 2, "{:?}", unit.gates);
}
