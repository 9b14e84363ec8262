//! A circuit's gates, as yosys makes them from its Verilog, and the proof that they form a pipeline (of no stages, if
//! they have no registers).

use crate::circuit::Unit;
use crate::files::{hash, write_whole};
use crate::logic::{Graph, Literal};
use hdlkit::verilog::ExportError;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The reason why there are no gates.
#[derive(Debug, thiserror::Error)]
pub enum NetlistError {
    #[error("the circuit has no Verilog:\n{0}")]
    Export(#[from] ExportError),
    #[error("cannot run yosys ({0}); `make tools` installs it")]
    Missing(std::io::Error),
    #[error("yosys failed:\n{0}")]
    Yosys(String),
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: std::io::Error },
    /// The gates are not as expected.
    #[error("the gates of {unit}: {message}")]
    Gates { unit: String, message: String },
}

/// A wire of the netlist, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Net {
    Constant(bool),
    Wire(usize),
    /// The undefined bit of this number; each is independent.
    Undefined(usize),
}

/// The name of the port whose inputs are the undefined bits.
pub const UNDEFINED: &str = "undefined";

/// The number of undefined bits allowed, and found.
struct Undefined {
    allowed: bool,
    count: usize,
}

/// The function of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    And,
    AndNot,
    Or,
    OrNot,
    Xor,
    Choose,
    /// A buffer; with `inverted` an inverter.
    Same,
    Register,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    function: Function,
    inverted: bool,
    /// A, B and S; D of a register. Unused pins are constants.
    pins: [Net; 3],
    output: usize,
}

/// The gates of a pipeline.
#[derive(Debug)]
pub struct Netlist {
    inputs: BTreeMap<String, Vec<Net>>,
    outputs: BTreeMap<String, Vec<Net>>,
    /// Each follows those that it uses.
    cells: Vec<Cell>,
    latency: u32,
    /// Number of undefined bits.
    undefined: usize,
    verilog_hash: String,
}

/// The part of yosys's JSON that is used.
#[derive(Deserialize)]
struct Design {
    modules: BTreeMap<String, JsonModule>,
}

#[derive(Deserialize)]
struct JsonModule {
    ports: BTreeMap<String, JsonPort>,
    cells: BTreeMap<String, JsonCell>,
}

#[derive(Deserialize)]
struct JsonPort {
    direction: String,
    bits: Vec<JsonBit>,
}

#[derive(Deserialize)]
struct JsonCell {
    #[serde(rename = "type")]
    kind: String,
    connections: BTreeMap<String, Vec<JsonBit>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonBit {
    Wire(usize),
    Constant(String),
}

impl JsonBit {
    fn net(&self, undefined: &mut Undefined) -> Result<Net, String> {
        match self {
            JsonBit::Wire(number) => Ok(Net::Wire(*number)),
            JsonBit::Constant(text) if text == "0" => Ok(Net::Constant(false)),
            JsonBit::Constant(text) if text == "1" => Ok(Net::Constant(true)),
            JsonBit::Constant(text) if text == "x" && undefined.allowed => {
                undefined.count += 1;
                Ok(Net::Undefined(undefined.count - 1))
            }
            JsonBit::Constant(text) => Err(format!("a bit is `{text}`, neither 0 nor 1")),
        }
    }
}

impl Netlist {
    /// The present gates of a circuit. If yosys has processed the same Verilog before, its result is taken from `folder`.
    ///
    /// # Errors
    /// yosys cannot be run or fails, or the circuit is not a pipeline of its latency.
    pub fn of(unit: Unit, folder: &Path) -> Result<Netlist, NetlistError> {
        let netlist = Netlist::made(unit.name(), &unit.verilog()?, SMALL, folder)?;
        if netlist.latency != unit.latency() {
            return Err(NetlistError::Gates {
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

    /// The gates of the module `top` of this Verilog, as written: without optimisation, so that less of yosys must be
    /// trusted. Undefined bits may be anything: [`Netlist::add_to`] requests them as bits of a port [`UNDEFINED`]. If
    /// yosys has processed the same Verilog before, its result is taken from `folder`.
    ///
    /// # Errors
    /// yosys cannot be run or fails, or the module is not a pipeline.
    pub fn of_verilog(top: &str, verilog: &str, folder: &Path) -> Result<Netlist, NetlistError> {
        Netlist::made(top, verilog, PLAIN, folder)
    }

    fn made(top: &str, verilog: &str, script: &str, folder: &Path) -> Result<Netlist, NetlistError> {
        let json = synthesised(top, verilog, script, folder)?;
        Netlist::parse(&json, top, verilog, script == PLAIN).map_err(|message| NetlistError::Gates {
            unit: top.into(),
            message,
        })
    }

    /// The hash of its Verilog.
    pub fn verilog_hash(&self) -> &str {
        &self.verilog_hash
    }

    /// Cycles from inputs to outputs.
    pub fn latency(&self) -> u32 {
        self.latency
    }

    fn parse(json: &str, top: &str, verilog: &str, undefined: bool) -> Result<Netlist, String> {
        let mut undefined = Undefined {
            allowed: undefined,
            count: 0,
        };
        let design: Design = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let module = design.modules.get(top).ok_or_else(|| format!("no module {top}"))?;
        let mut ports = |direction: &str| -> Result<BTreeMap<String, Vec<Net>>, String> {
            let ports = module.ports.iter().filter(|(_, port)| port.direction == direction);
            ports
                .map(|(name, port)| {
                    let bits: Result<Vec<Net>, String> = port.bits.iter().map(|bit| bit.net(&mut undefined)).collect();
                    Ok((name.clone(), bits?))
                })
                .collect()
        };
        let (mut inputs, outputs) = (ports("input")?, ports("output")?);
        // A module without a clock has no registers: no register's pin is compared with this.
        let clock = inputs.remove("clock").unwrap_or_default();
        let cells = module.cells.iter().map(|(name, cell)| {
            cell.gate(&clock, &mut undefined)
                .map_err(|message| format!("cell {name} of type {}: {message}", cell.kind))
        });
        let cells: Vec<Cell> = cells.collect::<Result<_, _>>()?;
        let mut netlist = Netlist {
            inputs,
            outputs,
            cells: ordered(&cells)?,
            latency: 0,
            undefined: undefined.count,
            verilog_hash: hash([verilog]),
        };
        netlist.all_driven()?;
        netlist.latency = netlist.registers_passed()?;
        Ok(netlist)
    }

    /// Checks that every wire that is read has a driver.
    fn all_driven(&self) -> Result<(), String> {
        let wire = |net: &Net| match net {
            Net::Wire(wire) => Some(*wire),
            Net::Constant(_) | Net::Undefined(_) => None,
        };
        let inputs = self.inputs.values().flatten().filter_map(wire);
        let driven: HashSet<usize> = inputs.chain(self.cells.iter().map(|cell| cell.output)).collect();
        let read = self.cells.iter().flat_map(|cell| &cell.pins);
        let mut read = read.chain(self.outputs.values().flatten()).filter_map(wire);
        match read.find(|wire| !driven.contains(wire)) {
            Some(wire) => Err(format!("wire {wire} has no driver")),
            None => Ok(()),
        }
    }

    /// The number of registers between inputs and outputs, the same on all paths.
    ///
    /// It is also the same on all paths to any gate: a gate never works on operands of different cycles. Constants belong
    /// to every cycle.
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

    /// Adds the gates to a graph, without the registers. `input` gives an input's signal for port and bit; the result is
    /// the outputs' signals, by port.
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
            // Cells are in order and every wire has a driver: otherwise reading the netlist would have failed.
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

impl JsonCell {
    fn gate(&self, clock: &[Net], undefined: &mut Undefined) -> Result<Cell, String> {
        use Function::*;
        let (function, inverted, pins): (Function, bool, &[&str]) = match self.kind.as_str() {
            "$_AND_" => (And, false, &["A", "B"]),
            "$_NAND_" => (And, true, &["A", "B"]),
            "$_ANDNOT_" => (AndNot, false, &["A", "B"]),
            "$_OR_" => (Or, false, &["A", "B"]),
            "$_NOR_" => (Or, true, &["A", "B"]),
            "$_ORNOT_" => (OrNot, false, &["A", "B"]),
            "$_XOR_" => (Xor, false, &["A", "B"]),
            "$_XNOR_" => (Xor, true, &["A", "B"]),
            "$_MUX_" => (Choose, false, &["A", "B", "S"]),
            "$_NMUX_" => (Choose, true, &["A", "B", "S"]),
            "$_NOT_" => (Same, true, &["A"]),
            "$_BUF_" => (Same, false, &["A"]),
            "$_DFF_P_" => (Register, false, &["D"]),
            _ => return Err("an unknown kind of gate".into()),
        };
        let mut pin = |name: &str| match self.connections.get(name).map(Vec::as_slice) {
            Some([bit]) => bit.net(undefined),
            _ => Err(format!("no pin {name} of one bit")),
        };
        if function == Register && clock != [pin("C")?] {
            return Err("its clock is not `clock`".into());
        }
        let output = pin(if function == Register { "Q" } else { "Y" })?;
        let Net::Wire(output) = output else {
            return Err("its output is a constant".into());
        };
        let mut nets = [Net::Constant(false); 3];
        for (net, name) in nets.iter_mut().zip(pins) {
            *net = pin(name)?;
        }
        Ok(Cell {
            function,
            inverted,
            pins: nets,
            output,
        })
    }
}

/// The cells, each after those that it uses.
fn ordered(cells: &[Cell]) -> Result<Vec<Cell>, String> {
    let mut waiting = vec![0; cells.len()];
    let driver: HashMap<usize, usize> = cells
        .iter()
        .enumerate()
        .map(|(index, cell)| (cell.output, index))
        .collect();
    if driver.len() != cells.len() {
        return Err("a wire has two drivers".into());
    }
    let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, cell) in cells.iter().enumerate() {
        for net in cell.pins {
            let Net::Wire(wire) = net else { continue };
            // A wire that no cell drives is an input.
            if driver.contains_key(&wire) {
                waiting[index] += 1;
                readers.entry(wire).or_default().push(index);
            }
        }
    }
    let mut ready: Vec<usize> = (0..cells.len()).filter(|index| waiting[*index] == 0).collect();
    let mut order = Vec::with_capacity(cells.len());
    while let Some(index) = ready.pop() {
        let cell = cells[index];
        order.push(cell);
        for &reader in readers.get(&cell.output).into_iter().flatten() {
            waiting[reader] -= 1;
            if waiting[reader] == 0 {
                ready.push(reader);
            }
        }
    }
    if order.len() < cells.len() {
        return Err(format!(
            "{} gates and registers are in a loop: not a pipeline",
            cells.len() - order.len()
        ));
    }
    Ok(order)
}

/// Yields few gates.
const SMALL: &str = "synth -flatten; dfflegalize -cell $_DFF_P_ 01";
/// Runs quickly. Tables stay multiplexers: there is no gate for a ROM. Only constant and duplicate gates are removed,
/// which is most of a choice among constants.
const PLAIN: &str =
    "proc -norom; flatten; simplemap; techmap; simplemap; opt_expr -keepdc; opt_merge; dfflegalize -cell $_DFF_P_ 01";

/// The result of a yosys script for a module: gates of two inputs, multiplexers and plain registers, as JSON.
fn synthesised(top: &str, verilog: &str, script: &str, folder: &Path) -> Result<String, NetlistError> {
    let script = format!(
        "read_verilog -sv top.v; hierarchy -check -top {top}; {script}; opt_clean -purge; write_json gates.json"
    );
    let version = Command::new("yosys")
        .arg("-V")
        .output()
        .map_err(NetlistError::Missing)?;
    let name = hash([verilog, &script, &String::from_utf8_lossy(&version.stdout)]);
    let kept = folder.join(format!("{top}-{}.json", &name[..16]));
    if let Ok(json) = std::fs::read_to_string(&kept) {
        return Ok(json);
    }
    let io = |path: &Path| {
        let path = path.to_path_buf();
        |error| NetlistError::Io { path, error }
    };
    let directory = tempfile::tempdir().map_err(io(&std::env::temp_dir()))?;
    let source = directory.path().join("top.v");
    std::fs::write(&source, verilog).map_err(io(&source))?;
    let output = Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(directory.path())
        .output()
        .map_err(NetlistError::Missing)?;
    if !output.status.success() {
        return Err(NetlistError::Yosys(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ));
    }
    let made = directory.path().join("gates.json");
    let json = std::fs::read_to_string(&made).map_err(io(&made))?;
    write_whole(&kept, &json).map_err(io(&kept))?;
    Ok(json)
}

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
    fn a_pipeline_and_how_deep_it_is() {
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
        // The gates may differ, but with a[1] fixed nothing is left to choose.
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
    fn what_is_no_pipeline_is_refused() {
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
    fn undefined_bits_may_be_anything() {
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
        // Two independent bits.
        let [a, first, second] = [0, 1, 2].map(|number| graph.input(number));
        assert_eq!(outputs["b"], [graph.and(a, second), first]);
    }

    /// A netlist of an input `a` (wire 3) and an output `b` (wire 5), with these cells.
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
    fn gates_that_are_not_understood_are_refused() {
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
