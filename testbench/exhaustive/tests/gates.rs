//! The gates of the checks must have the same results as the circuits themselves, run natively. The gates of the
//! double-precision unit, which has wider operands than the checks, must have the results of the arithmetic.

use flexgrip_exhaustive::cases;
use flexgrip_exhaustive::cases::double::{self, DoubleCase};
use flexgrip_exhaustive::cases::{Case, Control, Outcome};
use flexgrip_exhaustive::circuit::{FloatUnit, Unit};
use flexgrip_exhaustive::logic::{Graph, Literal};
use flexgrip_exhaustive::netlist::{Netlist, UNDEFINED};
use flexgrip_exhaustive::plan::{Choice, Inputs, Mode, BATCH};
use flexgrip_exhaustive::ports::bits;
use flexgrip_exhaustive::program::{rows_of, transpose, Program, Wide, LANES};
use flexgrip_exhaustive::run::{Circuit, Gates};
use flexgrip_hdl::execute::double::DoubleUnit;
use flexgrip_hdl::execute::special_function::SpecialFunctionUnit;
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::Path;

fn netlist(unit: Unit) -> Netlist {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gates");
    Netlist::of(unit, &folder).unwrap_or_else(|e| panic!("{e}"))
}

/// The native results of the block: one case per cycle, with additional cycles for the last results.
fn natively<B: Block + hdlkit::Cycle>(
    block: Box<B>,
    latency: u32,
    cases: &[Case],
    set: impl Fn(&mut B, &Case),
    get: impl Fn(&B) -> Outcome,
) -> Vec<Outcome> {
    let mut engine = CycleEngine::new(block);
    let mut outcomes = vec![];
    for cycle in 0..cases.len() + latency as usize {
        if let Some(case) = cases.get(cycle) {
            set(&mut engine.block, case);
        }
        engine.settle();
        if cycle >= latency as usize {
            outcomes.push(get(&engine.block));
        }
        engine.tick();
    }
    outcomes
}

fn compare(unit: Unit, choices: impl Iterator<Item = Choice>, natively: impl Fn(&[Case]) -> Vec<Outcome>) {
    let netlist = netlist(unit);
    assert_eq!(netlist.latency(), unit.latency());
    for choice in choices {
        let mode = Mode {
            name: format!("{choice:?}"),
            inputs: Inputs::Random {
                operation: choice,
                count: BATCH,
            },
        };
        let program = Circuit::of(&mode, &netlist)
            .and_then(|circuit| circuit.program())
            .unwrap();
        println!("{}: {} gates", mode.name, program.gates());
        let cases: Vec<Case> = choice.batch(7).take(LANES + 100).collect();
        let (gates, native) = (Gates::new(program).of(&cases), natively(&cases));
        assert_eq!(gates.len(), cases.len());
        for ((case, gates), native) in cases.iter().zip(gates).zip(native) {
            assert_eq!(gates, native, "{case}: {gates:x} by the gates, {native:x} natively");
        }
    }
}

#[test]
fn gates_equal_the_float_unit() {
    let choices = cases::float::OPERATIONS.into_iter().map(Choice::Float);
    compare(Unit::Float, choices, |cases| {
        natively(
            Box::new(FloatUnit::blank()),
            Unit::Float.latency(),
            cases,
            |block, case| {
                let Control::Float(control) = case.control else {
                    panic!("no case of the float unit");
                };
                block.x_control.next = control;
                block.x_a.next = Bits::new(case.a.into());
                block.x_b.next = Bits::new(case.b.into());
                block.x_c.next = Bits::new(case.c.into());
            },
            |block| block.x_result.val().raw() | block.x_condition.val().raw() << 32,
        )
    });
}

#[test]
fn gates_equal_the_special_function_unit() {
    let choices = cases::special::OPERATIONS.into_iter().map(Choice::Special);
    compare(Unit::Special, choices, |cases| {
        natively(
            Box::<SpecialFunctionUnit>::default(),
            Unit::Special.latency(),
            cases,
            |block, case| {
                let Control::Special(control) = case.control else {
                    panic!("no case of the special function unit");
                };
                block.x_control.next = control;
                block.x_a.next = Bits::new(case.a.into());
            },
            |block| block.x_result.val().raw(),
        )
    });
}

/// Random operations and operands in the gates that yosys makes of the unit's Verilog, 2,048 at a time.
#[test]
fn gates_of_doubles_equal_the_arithmetic() {
    const BATCHES: usize = 80;
    let verilog = export(&DoubleUnit::default(), &ExportOptions::new("double_unit")).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gates");
    let netlist = Netlist::of_verilog("double_unit", &verilog, &folder).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(netlist.latency(), 10);
    let mut graph = Graph::default();
    let outputs = netlist.add_to(&mut graph, |graph, port, bit| match port {
        "x_operands" => graph.input(bit as u32),
        "x_control" => graph.input(192 + bit as u32),
        UNDEFINED => Literal::FALSE,
        _ => panic!("an unknown input `{port}`"),
    });
    let outputs = [&outputs["x_result"][..], &outputs["x_condition"]].concat();
    assert_eq!(outputs.len(), 68);
    let program = Program::new(&graph, &outputs).unwrap();
    let mut memory = program.memory();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for batch in 0..BATCHES {
        let operation = double::OPERATIONS[batch % double::OPERATIONS.len()];
        let cases: Vec<DoubleCase> = (0..LANES).map(|_| double::random_case(&mut rng, operation)).collect();
        let inputs = [
            rows_of(cases.iter().map(|case| case.a)),
            rows_of(cases.iter().map(|case| case.b)),
            rows_of(cases.iter().map(|case| case.c)),
            rows_of(cases.iter().map(|case| {
                let bits = bits(case.control).expect("every field has bits");
                bits.iter().rev().fold(0, |number, bit| number << 1 | u64::from(*bit))
            })),
        ];
        program.set(&mut memory, |number| inputs[number as usize / 64][number as usize % 64]);
        program.run(&mut memory);
        let mut results: [Wide; 64] = std::array::from_fn(|index| program.output(&memory, index));
        transpose(&mut results);
        for (lane, case) in cases.iter().enumerate() {
            let (word, bit) = (lane / 64, lane % 64);
            let code = (0..4)
                .map(|index| (program.output(&memory, 64 + index).0[word] >> bit & 1) << index)
                .sum::<u64>();
            let expected = double::reference(&case.control, case.a, case.b, case.c);
            let outcome = (results[bit].0[word], code);
            assert_eq!(outcome, (expected.value, expected.cc.bits().into()), "{case:x?}");
        }
    }
    println!("{} gates, {} cases", program.gates(), BATCHES * LANES);
}
