//! A circuit's gates, made by yosys from its Verilog and read by [`hdlkit::gates`], with the proof that they form a
//! pipeline, which has no stages if there are no registers.

use crate::circuit::Unit;
use crate::logic::{Graph, Literal};
use hdlkit::gates::{hash, ordered, synthesised, Cell, Function, GatesError, Module, Net};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The name of the port that represents undefined bits.
pub const UNDEFINED: &str = "undefined";

/// The gates of a pipeline.
#[derive(Debug)]
pub struct Netlist {
    inputs: BTreeMap<String, Vec<Net>>,
    outputs: BTreeMap<String, Vec<Net>>,
    /// The cells, each after the cells that it uses.
    cells: Vec<Cell>,
    latency: u32,
    /// The number of undefined bits.
    undefined: usize,
    verilog_hash: String,
}

impl Netlist {
    /// The gates of the current circuit. If yosys has processed the same Verilog before, its result in `folder` is
    /// used.
    ///
    /// # Errors
    /// yosys cannot be run or fails, or the circuit is not a pipeline with its latency.
    pub fn of(unit: Unit, folder: &Path) -> Result<Netlist, GatesError> {
        let netlist = Netlist::made(unit.name(), &unit.verilog()?, SMALL, folder)?;
        if netlist.latency != unit.latency() {
            return Err(GatesError::Gates {
                unit: unit.name().into(),
                message: format!(
                    "results come {} cycles after the operands; expected {}",
                    netlist.latency,
                    unit.latency()
                ),
            });
        }
        Ok(netlist)
    }

    /// The gates of the module `top` of this Verilog, as written: without optimisation, which reduces the parts of
    /// yosys that must be trusted. Undefined bits may have any value: [`Netlist::add_to`] requests them as bits of a
    /// port [`UNDEFINED`]. If yosys has processed the same Verilog before, its result in `folder` is used.
    ///
    /// # Errors
    /// yosys cannot be run or fails, or the module is not a pipeline.
    pub fn of_verilog(top: &str, verilog: &str, folder: &Path) -> Result<Netlist, GatesError> {
        Netlist::made(top, verilog, PLAIN, folder)
    }

    fn made(top: &str, verilog: &str, script: &str, folder: &Path) -> Result<Netlist, GatesError> {
        let json = synthesised(top, verilog, script, folder)?;
        Netlist::parse(&json, top, verilog, script == PLAIN).map_err(|message| GatesError::Gates {
            unit: top.into(),
            message,
        })
    }

    /// The hash of the Verilog.
    pub fn verilog_hash(&self) -> &str {
        &self.verilog_hash
    }

    /// The number of cycles from inputs to outputs.
    pub fn latency(&self) -> u32 {
        self.latency
    }

    fn parse(json: &str, top: &str, verilog: &str, undefined: bool) -> Result<Netlist, String> {
        let module = Module::read(json, top, undefined)?;
        let cells: Vec<Cell> = module.cells.into_iter().map(|(_, cell)| cell).collect();
        let order = ordered(&cells, true)?;
        let mut netlist = Netlist {
            inputs: module.inputs,
            outputs: module.outputs,
            cells: order.into_iter().map(|place| cells[place]).collect(),
            latency: 0,
            undefined: module.undefined,
            verilog_hash: hash([verilog]),
        };
        netlist.latency = netlist.registers_passed()?;
        Ok(netlist)
    }

    /// The number of registers between inputs and outputs, which must be the same on all paths.
    ///
    /// The number must also be the same on all paths to each gate: then no gate combines operands of different cycles.
    /// Constants belong to every cycle.
    fn registers_passed(&self) -> Result<u32, String> {
        let mut depths: HashMap<usize, u32> = HashMap::new();
        for net in self.inputs.values().flatten() {
            if let Net::Wire(wire) = net {
                depths.insert(*wire, 0);
            }
        }
        let common = |depths: &HashMap<usize, u32>, nets: &[Net]| -> Result<Option<u32>, (u32, u32)> {
            let mut found = None;
            for net in nets {
                let Net::Wire(wire) = net else { continue };
                match (found, depths.get(wire)) {
                    (Some(one), Some(other)) if one != *other => return Err((one, *other)),
                    (None, Some(depth)) => found = Some(*depth),
                    _ => {}
                }
            }
            Ok(found)
        };
        for cell in &self.cells {
            let depth = common(&depths, &cell.pins).map_err(|(one, other)| {
                format!(
                    "a gate has operands that have passed {one} and {other} registers: not a pipeline whose results depend \
                     on one cycle's operands"
                )
            })?;
            if let Some(depth) = depth {
                depths.insert(cell.output, depth + u32::from(cell.function == Function::Register));
            }
        }
        let outputs: Vec<Net> = self.outputs.values().flatten().copied().collect();
        common(&depths, &outputs)
            .map_err(|(one, other)| format!("some outputs come {one} cycles after the operands, others {other}"))?
            .ok_or_else(|| "no output depends on an input".into())
    }

    /// Adds the gates to a graph, without the registers. `input` gives the signal of an input, by port and bit. Returns
    /// the signals of the outputs, by port.
    pub fn add_to(
        &self,
        graph: &mut Graph,
        mut input: impl FnMut(&mut Graph, &str, usize) -> Literal,
    ) -> BTreeMap<String, Vec<Literal>> {
        let mut signals: HashMap<usize, Literal> = HashMap::new();
        for (port, nets) in &self.inputs {
            for (bit, net) in nets.iter().enumerate() {
                if let Net::Wire(wire) = net {
                    signals.insert(*wire, input(graph, port, bit));
                }
            }
        }
        let mut undefined = vec![];
        for number in 0..self.undefined {
            undefined.push(input(graph, UNDEFINED, number));
        }
        let read = |signals: &HashMap<usize, Literal>, net: Net| match net {
            Net::Constant(value) => Literal::constant(value),
            Net::Undefined(number) => undefined.get(number).copied().unwrap_or(Literal::FALSE),
            // The lookup cannot fail: reading the netlist checks that cells are in order and that every wire has a
            // driver.
            Net::Wire(wire) => signals.get(&wire).copied().unwrap_or(Literal::FALSE),
        };
        for cell in &self.cells {
            let [a, b, s] = cell.pins.map(|net| read(&signals, net));
            let signal = match cell.function {
                Function::And => graph.and(a, b),
                Function::AndNot => graph.and(a, !b),
                Function::Or => graph.or(a, b),
                Function::OrNot => graph.or(a, !b),
                Function::Xor => graph.xor(a, b),
                Function::Choose => graph.choose(s, b, a),
                Function::Same | Function::Register => a,
            };
            signals.insert(cell.output, if cell.inverted { !signal } else { signal });
        }
        let outputs = self.outputs.iter().map(|(port, nets)| {
            let bits = nets.iter().map(|net| read(&signals, *net)).collect();
            (port.clone(), bits)
        });
        outputs.collect()
    }
}

/// Produces few gates.
const SMALL: &str = "synth -flatten; dfflegalize -cell $_DFF_P_ 01; opt_clean -purge";
/// Runs fast. Tables stay multiplexers, because there is no gate for a ROM. Only constant and duplicate gates are
/// removed, which are most gates of a choice among constants.
const PLAIN: &str =
    "proc -norom; flatten; simplemap; techmap; simplemap; opt_expr -keepdc; opt_merge; dfflegalize -cell $_DFF_P_ 01; opt_clean -purge";

#[cfg(test)]
mod tests {
    use super::*;

    fn gates(top: &str, verilog: &str) -> Result<Netlist, String> {
        let folder = tempfile::tempdir().unwrap();
        let [small, plain] = [SMALL, PLAIN].map(|script| {
            let json = synthesised(top, verilog, script, folder.path()).unwrap();
            Netlist::parse(&json, top, verilog, script == PLAIN)
        });
        assert_eq!(
            small.as_ref().map(Netlist::latency).ok(),
            plain.as_ref().map(Netlist::latency).ok()
        );
        small
    }

    #[test]
    fn pipeline_has_its_depth() {
        let netlist = gates(
            "t",
            "module t(input clock, input [1:0] a, output reg b); reg c; reg d;
             always @(posedge clock) begin c <= a[0] & !a[1]; d <= a[1]; b <= c ^ d; end endmodule",
        )
        .unwrap();
        assert_eq!(netlist.latency(), 2);
        let mut graph = Graph::default();
        let outputs = netlist.add_to(&mut graph, |graph, port, bit| {
            assert_eq!(port, "a");
            graph.input(bit as u32)
        });
        let (a, b) = (graph.input(0), graph.input(1));
        let first = graph.and(a, !b);
        // The gates may differ, but with a[1] fixed there is no choice left.
        assert_eq!(outputs["b"].len(), 1);
        let fixed = netlist.add_to(&mut graph, |graph, _, bit| match bit {
            0 => graph.input(0),
            _ => Literal::TRUE,
        });
        assert_eq!(fixed["b"], [Literal::TRUE]);
        let fixed = netlist.add_to(&mut graph, |graph, _, bit| match bit {
            0 => graph.input(0),
            _ => Literal::FALSE,
        });
        assert_eq!(fixed["b"], [a]);
        assert_ne!(first, a);
    }

    #[test]
    fn other_circuits_are_refused() {
        let uneven = "module t(input clock, input a, output reg b); reg c;
            always @(posedge clock) begin c <= a; b <= c & a; end endmodule";
        assert!(
            gates("t", uneven).unwrap_err().contains("0 and 1 registers"),
            "{:?}",
            gates("t", uneven)
        );
        let uneven_outputs = "module t(input clock, input a, output reg b, output reg c);
            always @(posedge clock) begin c <= a; b <= c; end endmodule";
        let message = gates("t", uneven_outputs).unwrap_err();
        assert!(message.contains("some outputs"), "{message}");
        let state = "module t(input clock, input a, output reg b);
            always @(posedge clock) b <= b ^ a; endmodule";
        let message = gates("t", state).unwrap_err();
        assert!(message.contains("loop"), "{message}");
        let hold = "module t(input clock, input a, input e, output reg b);
            always @(posedge clock) if (e) b <= a; endmodule";
        let message = gates("t", hold).unwrap_err();
        assert!(message.contains("loop"), "{message}");
    }

    #[test]
    fn undefined_bits_may_have_any_value() {
        let json = r#"{"modules": {"t": {"ports": {"a": {"direction": "input", "bits": [2]},
            "b": {"direction": "output", "bits": [3, "x"]}}, "cells": {"g": {"type": "$_AND_",
            "connections": {"A": [2], "B": ["x"], "Y": [3]}}}}}}"#;
        assert!(Netlist::parse(json, "t", "", false)
            .unwrap_err()
            .contains("a bit is `x`"));
        let netlist = Netlist::parse(json, "t", "", true).unwrap();
        let mut graph = Graph::default();
        let outputs = netlist.add_to(&mut graph, |graph, port, bit| match port {
            UNDEFINED => graph.input(1 + bit as u32),
            _ => graph.input(0),
        });
        // Two independent undefined bits.
        let [a, first, second] = [0, 1, 2].map(|number| graph.input(number));
        assert_eq!(outputs["b"], [graph.and(a, second), first]);
    }

    /// A netlist with an input `a` (wire 3), an output `b` (wire 5) and these cells.
    fn json(cells: &str) -> Result<Netlist, String> {
        let port = |direction: &str, bit: &str| format!(r#"{{"direction": "{direction}", "bits": [{bit}]}}"#);
        let (clock, a, b) = (port("input", "2"), port("input", "3"), port("output", "5"));
        let ports = format!(r#"{{"clock": {clock}, "a": {a}, "b": {b}}}"#);
        let text = format!(r#"{{"modules": {{"t": {{"ports": {ports}, "cells": {{{cells}}}}}}}}}"#);
        Netlist::parse(&text, "t", "", false)
    }

    /// A cell with these pins.
    fn cell(name: &str, kind: &str, pins: &str) -> String {
        format!(r#""{name}": {{"type": "{kind}", "connections": {{{pins}}}}}"#)
    }

    #[test]
    fn unknown_gates_are_refused() {
        let register = cell("r", "$_DFF_P_", r#""C": [2], "D": [3], "Q": [5]"#);
        assert_eq!(json(&register).unwrap().latency(), 1);
        let and = |pins| cell("g", "$_AND_", pins);
        for (cells, expected) in [
            (and(r#""A": [3], "B": [4], "Y": [5]"#), "wire 4 has no driver"),
            (and(r#""A": [3], "B": ["x"], "Y": [5]"#), "a bit is `x`"),
            (and(r#""A": [3], "Y": [5]"#), "no pin B"),
            (and(r#""A": [3], "B": [3], "Y": ["0"]"#), "output is a constant"),
            (cell("g", "$_TBUF_", ""), "an unknown kind of gate"),
            (
                cell("r", "$_DFF_P_", r#""C": [3], "D": [3], "Q": [5]"#),
                "its clock is not `clock`",
            ),
            (
                [register.clone(), and(r#""A": [3], "B": [3], "Y": [5]"#)].join(","),
                "two drivers",
            ),
            (and(r#""A": ["1"], "B": ["1"], "Y": [5]"#), "no output depends"),
        ] {
            let message = json(&cells).unwrap_err();
            assert!(message.contains(expected), "{message}, expected {expected}");
        }
    }
}
