//! The gates of the checks must have the same results as the circuits themselves, run natively.

use flexgrip_exhaustive::cases::{Case, Control, Outcome};
use flexgrip_exhaustive::circuit::{FloatUnit, Unit};
use flexgrip_exhaustive::netlist::Netlist;
use flexgrip_exhaustive::plan::{Choice, Inputs, Mode, BATCH};
use flexgrip_exhaustive::run::{Circuit, Gates};
use flexgrip_exhaustive::{cases, program::LANES};
use flexgrip_hdl::execute::special_function::SpecialFunctionUnit;
use hdlkit::prelude::*;
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
