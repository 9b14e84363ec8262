//! Compares faults of gates with yosys's own simulation of netlists with these faults: every output in every cycle.
//!
//! A fault is inserted into yosys's JSON: a stuck pin reads a constant, or all readers of its net do. Copies of the
//! unit, each with one fault, get the recorded inputs of a kernel as a VCD file, and yosys's pass `sim` writes their
//! outputs to another one.

use crate::common::root;
use flexgrip_faults::gates::golden::bit;
use flexgrip_faults::gates::results::sample;
use flexgrip_faults::gates::{simulate, FaultList, Golden, Options as HowToSimulate, Stimulus};
use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::machine;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::faults::gates::record::record;
use flexgrip_sim::faults::unit::unit;
use flexgrip_sim::Kernel;
use flexgrip_testbench::tools::{found, YOSYS};
use hdlkit::gates::{Pin, Port, StuckPin, Unit};
use serde_json::{json, Map, Value};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use wellen::{simple::Waveform, SignalValue};

/// Units with the number of faults to compare: one without flip-flops and one with some; in the soak tier also one with
/// memories, for which yosys needs minutes and 100 MB per copy.
const UNITS: &[(&str, usize)] = match cfg!(feature = "soak") {
    true => &[
        ("sm[0].fetch.arbiter", 992),
        ("sm[0].scheduler.decode", 1_000),
        ("sm[0].fetch", 8),
    ],
    false => &[("sm[0].scheduler.decode", 12), ("sm[0].fetch.arbiter", 12)],
};
/// The number of faults in a run of yosys.
const BATCH: usize = 40;

/// Inserts a fault: replaces a wire at all of its readers, or at a single pin.
fn stick(module: &mut Value, unit: &Unit, fault: StuckPin) {
    let constant = json!(if fault.value { "1" } else { "0" });
    let (cell, pin) = match fault.pin {
        Pin::GateInput { gate, input } => {
            let gate = &unit.gates[gate as usize];
            (&gate.cell, gate.function.pins()[input as usize])
        }
        Pin::RegisterInput { register } => (&unit.registers[register as usize].cell, "D"),
        Pin::GateOutput { gate } => (&unit.gates[gate as usize].cell, "Y"),
        Pin::RegisterOutput { register } => (&unit.registers[register as usize].cell, "Q"),
        Pin::Output { port, bit } => {
            module["ports"][&unit.outputs[port as usize].verilog]["bits"][bit as usize] = constant;
            return;
        }
        Pin::Input { port, bit } => {
            let wire = module["ports"][&unit.inputs[port as usize].verilog]["bits"][bit as usize].clone();
            replace(module, &wire, &constant);
            return;
        }
    };
    if fault.pin.drives() {
        let wire = module["cells"][cell]["connections"][pin][0].clone();
        replace(module, &wire, &constant);
        // The cell now drives a wire without readers.
        module["cells"][cell]["connections"][pin] = json!([1_000_000_000]);
    } else {
        module["cells"][cell]["connections"][pin] = json!([constant]);
    }
}

/// Replaces a wire at all cell pins and outputs.
fn replace(module: &mut Value, wire: &Value, by: &Value) {
    let cells = module["cells"].as_object_mut().unwrap().values_mut();
    let pins = cells.flat_map(|cell| cell["connections"].as_object_mut().unwrap().values_mut());
    for pin in pins {
        pin.as_array_mut()
            .unwrap()
            .iter_mut()
            .filter(|bit| *bit == wire)
            .for_each(|bit| *bit = by.clone());
    }
    let ports = module["ports"].as_object_mut().unwrap().values_mut();
    for port in ports.filter(|port| port["direction"] == "output") {
        let bits = port["bits"].as_array_mut().unwrap();
        bits.iter_mut()
            .filter(|bit| *bit == wire)
            .for_each(|bit| *bit = by.clone());
    }
}

/// The design: a module for each fault, and one that contains all of them, with outputs such as `f3_heads_lower`.
fn design(module: &Value, unit: &Unit, start: &[bool], faults: &[StuckPin]) -> Value {
    // Names and initial values are from the first cycle of the record.
    let mut plain = module.clone();
    let mut names = Map::new();
    for (register, value) in unit.registers.iter().zip(start) {
        let q = &module["cells"][&register.cell]["connections"]["Q"];
        let init = if *value { "1" } else { "0" };
        let name = json!({"hide_name": 1, "bits": q, "attributes": {"init": init}});
        names.insert(format!("$start${}", names.len()), name);
    }
    plain["netnames"] = Value::Object(names);
    plain["attributes"] = json!({});
    let has_clock = module["ports"].get("clock").is_some();
    let (mut ports, mut cells, mut modules) = (Map::new(), Map::new(), Map::new());
    let mut next = 2;
    let mut wires = |width: usize| {
        next += width;
        (next - width..next).collect::<Vec<usize>>()
    };
    let clock = wires(1);
    ports.insert("clock".into(), json!({"direction": "input", "bits": clock}));
    for port in &unit.inputs {
        ports.insert(
            port.verilog.clone(),
            json!({"direction": "input", "bits": wires(port.nets.len())}),
        );
    }
    for (number, fault) in faults.iter().enumerate() {
        let mut broken = plain.clone();
        stick(&mut broken, unit, *fault);
        let (mut directions, mut connections) = (Map::new(), Map::new());
        if has_clock {
            directions.insert("clock".into(), json!("input"));
            connections.insert("clock".into(), json!(clock));
        }
        for port in &unit.inputs {
            directions.insert(port.verilog.clone(), json!("input"));
            connections.insert(port.verilog.clone(), ports[&port.verilog]["bits"].clone());
        }
        for port in &unit.outputs {
            let bits = wires(port.nets.len());
            ports.insert(
                format!("f{number}_{}", port.verilog),
                json!({"direction": "output", "bits": bits}),
            );
            directions.insert(port.verilog.clone(), json!("output"));
            connections.insert(port.verilog.clone(), json!(bits));
        }
        modules.insert(format!("f{number}"), broken);
        let cell = json!({"hide_name": 0, "type": format!("f{number}"), "parameters": {}, "attributes": {},
            "port_directions": directions, "connections": connections});
        cells.insert(format!("u{number}"), cell);
    }
    let names: Map<String, Value> = ports
        .iter()
        .map(|(name, port)| {
            (
                name.clone(),
                json!({"hide_name": 0, "bits": port["bits"], "attributes": {}}),
            )
        })
        .collect();
    let all = json!({"attributes": {"top": "1"}, "ports": ports, "cells": cells, "netnames": names});
    modules.insert("all".into(), all);
    json!({"creator": "flexgrip", "modules": modules})
}

/// The inputs: the values of cycle `c` begin at time 10 c; the rising edge is at 10 c + 5.
fn vcd(unit: &Unit, stimulus: &Stimulus) -> String {
    let mut text = String::from("$timescale 1ns $end\n$scope module all $end\n$var wire 1 c clock $end\n");
    for (number, port) in unit.inputs.iter().enumerate() {
        writeln!(text, "$var wire {} i{number} {} $end", port.nets.len(), port.verilog).unwrap();
    }
    text += "$upscope $end\n$enddefinitions $end\n";
    for (cycle, inputs) in stimulus.inputs.iter().enumerate() {
        writeln!(text, "#{}\n0c", 10 * cycle).unwrap();
        let mut low = 0;
        for (number, port) in unit.inputs.iter().enumerate() {
            let bits = (low..low + port.nets.len())
                .rev()
                .map(|place| if bit(inputs, place) { '1' } else { '0' });
            writeln!(text, "b{} i{number}", bits.collect::<String>()).unwrap();
            low += port.nets.len();
        }
        writeln!(text, "#{}\n1c", 10 * cycle + 5).unwrap();
    }
    writeln!(text, "#{}\n0c", 10 * stimulus.inputs.len()).unwrap();
    text
}

/// The outputs of a copy in each cycle, packed as in a record.
fn outputs(waves: &mut Waveform, ports: &[Port], number: usize, cycles: usize) -> Vec<Vec<u64>> {
    let bits: usize = ports.iter().map(|port| port.nets.len()).sum();
    let mut found = vec![vec![0u64; bits.div_ceil(64)]; cycles];
    let mut low = 0;
    for port in ports {
        let name = format!("f{number}_{}", port.verilog);
        let variable = waves
            .hierarchy()
            .lookup_var(&["all"], &name.as_str())
            .unwrap_or_else(|| panic!("no {name}"));
        let signal = waves.hierarchy()[variable].signal_ref();
        waves.load_signals(&[signal]);
        let times = waves.time_table().to_vec();
        for (cycle, outputs) in found.iter_mut().enumerate() {
            // The time just before the edge.
            let at = times.partition_point(|time| *time < 10 * cycle as u64 + 5) - 1;
            let signal = waves.get_signal(signal).unwrap();
            let offset = signal
                .get_offset(at as u32)
                .unwrap_or_else(|| panic!("{name} has no value at the start"));
            let value: SignalValue = signal.get_value_at(&offset, 0);
            let text = value.to_bit_string().unwrap();
            for (place, digit) in text.chars().rev().enumerate() {
                assert!(matches!(digit, '0' | '1'), "{name} is {text} in cycle {cycle}");
                outputs[(low + place) / 64] |= u64::from(digit == '1') << ((low + place) % 64);
            }
        }
        low += port.nets.len();
    }
    found
}

/// The outputs of the unit with each of these faults in each cycle, simulated by yosys.
fn by_yosys(module: &Value, unit: &Unit, stimulus: &Stimulus, faults: &[StuckPin]) -> Vec<Vec<Vec<u64>>> {
    let folder = tempfile::tempdir().unwrap();
    let design = design(module, unit, &stimulus.start, faults);
    std::fs::write(folder.path().join("design.json"), design.to_string()).unwrap();
    std::fs::write(folder.path().join("inputs.vcd"), vcd(unit, stimulus)).unwrap();
    let script = "read_json design.json; hierarchy -top all; \
        sim -q -r inputs.vcd -scope all -clock clock -vcd outputs.vcd all";
    let output = YOSYS
        .command()
        .args(["-q", "-p", script])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut waves = wellen::simple::read(folder.path().join("outputs.vcd")).unwrap();
    let cycles = stimulus.inputs.len();
    (0..faults.len())
        .map(|number| outputs(&mut waves, &unit.outputs, number, cycles))
        .collect()
}

/// The outputs of the unit with each of these faults in each cycle, simulated by this project.
fn by_us(golden: &Golden, list: &FaultList, stimulus: &Stimulus, faults: &[usize]) -> Vec<Vec<Vec<u64>>> {
    // Each cycle is a window.
    let windows: Vec<(usize, usize)> = (0..golden.cycles()).map(|cycle| (cycle, cycle)).collect();
    let how = HowToSimulate {
        windows: &windows,
        drops: false,
        jobs: NonZeroUsize::MIN,
    };
    let found = simulate(golden, list, faults, how, |_, bits| bits.to_vec());
    let of_fault = found.into_iter().map(|detections| {
        let mut outputs = stimulus.outputs.clone();
        for detection in detections {
            for bit in detection.about {
                outputs[detection.cycle][bit as usize / 64] ^= 1 << (bit % 64);
            }
        }
        outputs
    });
    of_fault.collect()
}

#[test]
fn faulty_netlists_have_the_outputs_of_yosys() {
    if !found(YOSYS) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gates");
    let launch = Kernel::load(&root().join("kernels/vectoradd")).unwrap().launch;
    let (mut wrong, mut all) = (0, 0);
    for &(path, count) in UNITS {
        all += count;
        let unit = unit(path, MachineParameters::default(), &folder).unwrap();
        let (top, json) =
            on_big_stack(|| Unit::json(&*machine(MachineParameters::default()), path, &folder).unwrap()).unwrap();
        let design: Value = serde_json::from_str(&json).unwrap();
        let module = &design["modules"][&top];
        let list = FaultList::of(&unit);
        let stimulus = record(&launch, &Options::default(), &unit).unwrap().stimulus;
        let golden = Golden::new(&unit, &stimulus).unwrap();
        // Faults of all pins, not only prime faults.
        let numbers: Vec<usize> = (0..list.len()).collect();
        let faults = sample(&numbers, 1, count, "*").unwrap();
        let before = wrong;
        for batch in faults.chunks(BATCH) {
            let of_batch: Vec<StuckPin> = batch.iter().map(|fault| list.fault(*fault)).collect();
            let theirs = by_yosys(module, &unit, &stimulus, &of_batch);
            let ours = by_us(&golden, &list, &stimulus, batch);
            for ((fault, ours), theirs) in batch.iter().zip(ours).zip(theirs) {
                for (cycle, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
                    assert_eq!(ours, theirs, "{}: cycle {}", list.name(*fault, &unit), cycle + 1);
                }
                wrong += usize::from(ours != stimulus.outputs);
            }
        }
        let (wrong, cycles) = (wrong - before, golden.cycles());
        println!("{path}: {count} faults, {wrong} with other outputs, {cycles} cycles");
    }
    assert!(wrong >= all / 8, "{wrong} of {all} faults have an effect");
}
