//! A block of a circuit as gates, with names.

use super::module::{ordered, Cell, Function, Module, Net};
use super::names::{join, Named, Names, RegisterBit};
use super::yosys::{synthesised, GatesError};
use crate::circuit::{Structure, Visitor};
use crate::kernel::syntax::source_text::pretty;
use crate::verilog::{export, names::Namer, ExportOptions};
use crate::waves::UnknownScope;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// The number of a wire. 0 is always low, 1 always high.
pub type NetId = u32;

/// A port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The path without the top's name: `sm[0].fetch.heads.lower`.
    pub path: String,
    /// The name in the Verilog: `heads_lower`; for a memory's port, after the memory's name and a dot:
    /// `words.read_data`.
    pub verilog: String,
    /// The nets, the lowest bit first; an output may have constants.
    pub nets: Vec<NetId>,
    /// The names of the bits: `sm[0].fetch.heads.lower[3]`, for a bundle with its field.
    pub names: Vec<String>,
}

/// A gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The name of the signal that it drives, if synthesis has kept one; otherwise its block, kind and number:
    /// `sm[0].fetch.and_12`.
    pub name: String,
    /// yosys's name.
    pub cell: String,
    /// The function of the gate.
    pub function: Function,
    /// True if the result is inverted.
    pub inverted: bool,
    /// The nets of A, B and S. Unused inputs are 0.
    pub inputs: [NetId; 3],
    /// The net that it drives.
    pub output: NetId,
}

/// A flip-flop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The name of the register's bit: `sm[0].fetch.f1.warp[2]`, `sm[0].fetch.lower[5][31]`.
    pub name: String,
    /// yosys's name.
    pub cell: String,
    /// The bit in the circuit's state; `None` if synthesis has not kept its name.
    pub register_bit: Option<RegisterBit>,
    /// The net of the input D.
    pub d: NetId,
    /// The net of the output Q.
    pub q: NetId,
    /// The value at power-up.
    pub initial: bool,
}

/// A block as gates and flip-flops with one clock. Memories in it are not converted to gates: their outputs are inputs
/// of the unit, and their inputs are its outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The block's path without the top's name; empty for the whole circuit.
    pub path: String,
    /// The input ports without the clock, by name in the Verilog.
    pub inputs: Vec<Port>,
    /// The output ports, by name in the Verilog.
    pub outputs: Vec<Port>,
    /// The gates, each after the gates that it uses. They are sorted by level, the number of gates on the longest path
    /// to a gate.
    pub gates: Vec<Gate>,
    /// The flip-flops, in yosys's order.
    pub registers: Vec<Register>,
    /// The number of nets.
    pub nets: usize,
}

/// Synthesises a block and all blocks in it to gates, module by module, so that gates stay in the blocks of the
/// circuit. Memories become flip-flops. States keep their encoding. Without -purge, all names of a net are kept.
const SCRIPT: &str =
    "synth -run begin:check -nofsm -noshare -noabc; dfflegalize -cell $_DFF_P_ 01; abc -fast; flatten; \
     opt_expr; opt_merge; opt_dff -nosdff -nodffe; opt_clean";

/// Visits the blocks of a circuit, and calls a function with the one at a path.
struct Blocks<'a> {
    wanted: &'a str,
    work: &'a mut dyn FnMut(&dyn Structure),
    /// The paths of the open blocks.
    open: Vec<String>,
    /// The paths, without the top's name, of all blocks.
    paths: Vec<String>,
}

impl Visitor for Blocks<'_> {
    fn start_block(&mut self, name: &str, block: &dyn Structure) {
        let path = match self.open.last() {
            None => String::new(),
            Some(around) => join(around, &pretty(name)),
        };
        self.open.push(path.clone());
        if block.register().is_some() {
            return;
        }
        if self.wanted == path {
            (self.work)(block);
        }
        if !path.is_empty() {
            self.paths.push(path);
        }
    }
    fn end_block(&mut self) {
        self.open.pop();
    }
}

/// Calls a function with the block at a path without the top's name.
fn with_block<T>(
    circuit: &dyn Structure,
    path: &str,
    work: impl Fn(&dyn Structure) -> Result<T, GatesError>,
) -> Result<T, GatesError> {
    let mut found = None;
    let mut work = |block: &dyn Structure| found = Some(work(block));
    let mut blocks = Blocks {
        wanted: path,
        work: &mut work,
        open: vec![],
        paths: vec![],
    };
    circuit.visit("top", &mut blocks);
    let paths = blocks.paths;
    found.unwrap_or_else(|| Err(GatesError::NoSuch(UnknownScope::new(path, &paths))))
}

impl Unit {
    /// The gates of the block at a path without the top's name, such as `sm[0].fetch`. If yosys has processed the same
    /// Verilog before, its result is taken from `folder`.
    ///
    /// # Errors
    /// There is no such block, it is a memory, or yosys cannot be run.
    pub fn of(circuit: &dyn Structure, path: &str, folder: &Path) -> Result<Unit, GatesError> {
        let (top, json) = Unit::json(circuit, path, folder)?;
        with_block(circuit, path, |block| {
            let module = Module::read(&json, &top, false);
            let unit = module.and_then(|module| Unit::new(&module, path, &Names::of(block, &top, path)));
            unit.map_err(|message| GatesError::Gates {
                unit: path.into(),
                message,
            })
        })
    }

    /// The module's name and the JSON that [`Unit::of`] reads, for further processing by yosys.
    ///
    /// # Errors
    /// The errors of [`Unit::of`].
    pub fn json(circuit: &dyn Structure, path: &str, folder: &Path) -> Result<(String, String), GatesError> {
        with_block(circuit, path, |block| {
            let (top, verilog) = verilog_of(block, path)?;
            let is_memory = |module: &&str| module.contains("ram_style = ");
            let name = |module: &str| module.split_whitespace().next().unwrap_or_default().to_string();
            let memories: Vec<String> = verilog.split("\nmodule ").filter(is_memory).map(name).collect();
            if memories.contains(&top) {
                return Err(GatesError::Memory { unit: path.into() });
            }
            let script = match memories.is_empty() {
                true => SCRIPT.into(),
                // At the end the memories' ports become the block's.
                false => format!(
                    "blackbox {}; {SCRIPT}; expose -evert t:{}",
                    memories.join(" "),
                    memories.join(" t:")
                ),
            };
            let json = synthesised(&top, &verilog, &script, folder)?;
            Ok((top, json))
        })
    }

    fn new(module: &Module, path: &str, names: &Names) -> Result<Unit, String> {
        let mut numbers = Numbers::default();
        let inputs = ports(&module.inputs, names, &mut numbers);
        let cells: Vec<Cell> = module.cells.iter().map(|(_, cell)| *cell).collect();
        let order = by_level(&cells, ordered(&cells, false)?);
        let best = best_names(module, names);
        let mut namer = Unique::default();
        let (mut gates, mut registers) = (vec![], vec![]);
        for index in order {
            let (yosys, cell) = &module.cells[index];
            let found = best.get(&cell.output);
            let name = namer.name(found.map(|named| named.name.as_str()), || {
                join(&names.block(&home_of(yosys)), kind(cell))
            });
            if cell.function == Function::Register {
                let initial = module.initial.get(&cell.output);
                registers.push(Register {
                    initial: *initial.ok_or_else(|| format!("{name} has no initial value"))?,
                    name,
                    cell: yosys.clone(),
                    register_bit: found.and_then(|named| named.register_bit.clone()),
                    d: numbers.of(cell.pins[0]),
                    q: numbers.of(Net::Wire(cell.output)),
                });
            } else {
                gates.push(Gate {
                    name,
                    cell: yosys.clone(),
                    function: cell.function,
                    inverted: cell.inverted,
                    inputs: cell.pins.map(|net| numbers.of(net)),
                    output: numbers.of(Net::Wire(cell.output)),
                });
            }
        }
        let outputs = ports(&module.outputs, names, &mut numbers);
        Ok(Unit {
            path: path.into(),
            inputs,
            outputs,
            gates,
            registers,
            nets: numbers.count(),
        })
    }
}

/// A block's Verilog, with its module's name.
fn verilog_of(block: &dyn Structure, path: &str) -> Result<(String, String), GatesError> {
    let own = path.rsplit('.').next().unwrap_or_default();
    let top = Namer::default().name(if own.is_empty() { "top" } else { own });
    let options = ExportOptions {
        own_registers: true,
        ..ExportOptions::new(&top)
    };
    let verilog = export(block, &options)?;
    Ok((top, verilog))
}

/// Numbers of nets, in the order of first use.
#[derive(Default)]
struct Numbers {
    known: HashMap<usize, NetId>,
}

impl Numbers {
    fn of(&mut self, net: Net) -> NetId {
        match net {
            Net::Constant(value) => value.into(),
            Net::Wire(wire) => {
                let next = self.count() as NetId;
                *self.known.entry(wire).or_insert(next)
            }
            // Undefined bits have been refused on reading.
            Net::Undefined(_) => 0,
        }
    }

    fn count(&self) -> usize {
        2 + self.known.len()
    }
}

fn ports(ports: &BTreeMap<String, Vec<Net>>, names: &Names, numbers: &mut Numbers) -> Vec<Port> {
    let port = |(verilog, nets): (&String, &Vec<Net>)| Port {
        path: names.path_of(verilog),
        verilog: verilog.clone(),
        nets: nets.iter().map(|net| numbers.of(*net)).collect(),
        names: (0..nets.len()).map(|bit| names.bit(verilog, bit).name).collect(),
    };
    ports.iter().map(port).collect()
}

/// The cells' indices, sorted by the number of gates before them, stable otherwise.
fn by_level(cells: &[Cell], mut order: Vec<usize>) -> Vec<usize> {
    let mut levels: HashMap<usize, u32> = HashMap::new();
    let mut own = vec![0; cells.len()];
    for &index in &order {
        let cell = &cells[index];
        if cell.function != Function::Register {
            let before = cell.pins.iter().filter_map(|net| levels.get(&net.wire()?));
            own[index] = 1 + before.copied().max().unwrap_or_default();
        }
        levels.insert(cell.output, own[index]);
    }
    order.sort_by_key(|index| (own[*index], *index));
    order
}

/// Selects the best name of each wire. A register's or memory's name is preferred, then a name in the circuit, then the
/// name with the fewest parts, the shortest, the first.
fn best_names(module: &Module, names: &Names) -> HashMap<usize, Named> {
    let mut best: HashMap<usize, Named> = HashMap::new();
    let rank = |named: &Named| {
        let Named {
            name,
            is_known,
            register_bit,
        } = named;
        (
            register_bit.is_none(),
            !is_known,
            name.matches('.').count(),
            name.len(),
            name.clone(),
        )
    };
    for (name, nets) in &module.names {
        for (bit, wire) in nets.iter().enumerate() {
            let Some(wire) = wire.wire() else { continue };
            let found = names.bit(name, bit);
            if best.get(&wire).is_none_or(|known| rank(&found) < rank(known)) {
                best.insert(wire, found);
            }
        }
    }
    best
}

/// The path of a cell's module below the top: `scoreboard.issued`, from yosys's `$flatten\scoreboard.\issued.$abc$1$2`.
fn home_of(cell: &str) -> String {
    let Some(rest) = cell.strip_prefix("$flatten") else {
        return String::new();
    };
    let path = rest.split('$').next().unwrap_or_default();
    path.replace('\\', "").trim_end_matches('.').to_string()
}

/// A cell's kind, in a word.
fn kind(cell: &Cell) -> &'static str {
    match (cell.function, cell.inverted) {
        (Function::And, false) => "and",
        (Function::And, true) => "nand",
        (Function::AndNot, _) => "andnot",
        (Function::Or, false) => "or",
        (Function::Or, true) => "nor",
        (Function::OrNot, _) => "ornot",
        (Function::Xor, false) => "xor",
        (Function::Xor, true) => "xnor",
        (Function::Choose, false) => "mux",
        (Function::Choose, true) => "nmux",
        (Function::Same, false) => "buf",
        (Function::Same, true) => "not",
        (Function::Register, _) => "register",
    }
}

/// Names in use, to make each unique.
#[derive(Default)]
struct Unique {
    taken: HashSet<String>,
    numbers: HashMap<String, u32>,
}

impl Unique {
    /// The preferred name if it is free; otherwise the text of `otherwise` with a number.
    fn name(&mut self, wanted: Option<&str>, otherwise: impl Fn() -> String) -> String {
        if let Some(name) = wanted {
            if self.taken.insert(name.into()) {
                return name.into();
            }
        }
        let base = otherwise();
        loop {
            let number = self.numbers.entry(base.clone()).or_default();
            let name = format!("{base}_{number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
