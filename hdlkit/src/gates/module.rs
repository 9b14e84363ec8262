//! Parser of yosys's JSON: cells and the wires between them.

use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A wire of a module by yosys's number, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Net {
    /// A constant.
    Constant(bool),
    /// The wire with this number.
    Wire(usize),
    /// The undefined bit with this number; each is independent.
    Undefined(usize),
}

impl Net {
    /// The number of a wire; `None` for other nets.
    pub fn wire(self) -> Option<usize> {
        match self {
            Net::Wire(wire) => Some(wire),
            Net::Constant(_) | Net::Undefined(_) => None,
        }
    }
}

/// The function of a cell's pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// A & B.
    And,
    /// A & !B.
    AndNot,
    /// A | B.
    Or,
    /// A | !B.
    OrNot,
    /// A ^ B.
    Xor,
    /// B if S, else A.
    Choose,
    /// A: a buffer, or an inverter if inverted.
    Same,
    /// The D input of the previous cycle: a flip-flop.
    Register,
}

impl Function {
    /// The pins, in the order of [`Cell::pins`].
    pub const fn pins(self) -> &'static [&'static str] {
        match self {
            Function::Choose => &["A", "B", "S"],
            Function::Same => &["A"],
            Function::Register => &["D"],
            _ => &["A", "B"],
        }
    }

    /// The name of the output pin in yosys's netlist.
    pub const fn output(self) -> &'static str {
        match self {
            Function::Register => "Q",
            _ => "Y",
        }
    }
}

/// A gate or a flip-flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The function of the gate or flip-flop.
    pub function: Function,
    /// True if the result is inverted.
    pub inverted: bool,
    /// The input pins of the function; unused ones are constants.
    pub pins: [Net; 3],
    /// The wire of the output.
    pub output: usize,
}

/// A flat module.
#[derive(Debug)]
pub struct Module {
    /// The bits of the input ports, lowest first, without the clock. Also the outputs of memories that are not
    /// converted to gates, with the memory's name: `words.read_data`.
    pub inputs: BTreeMap<String, Vec<Net>>,
    /// The bits of the output ports, and of the inputs of such memories.
    pub outputs: BTreeMap<String, Vec<Net>>,
    /// The cells with yosys's names, in yosys's order.
    pub cells: Vec<(String, Cell)>,
    /// The number of undefined bits.
    pub undefined: usize,
    /// Names in the Verilog with their bits, the lowest first, without yosys's own names.
    pub names: BTreeMap<String, Vec<Net>>,
    /// The initial values of flip-flops, by the number of the wire at the output.
    pub initial: HashMap<usize, bool>,
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
    #[serde(default)]
    netnames: BTreeMap<String, JsonName>,
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
struct JsonName {
    hide_name: u8,
    bits: Vec<JsonBit>,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsonBit {
    Wire(usize),
    Constant(String),
}

/// The number of undefined bits allowed, and found.
struct Undefined {
    allowed: bool,
    count: usize,
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

impl Module {
    /// Reads the module `top`. Undefined bits are an error unless they are allowed.
    ///
    /// # Errors
    /// A cell is of an unknown kind, has another clock than the port `clock`, or drives a constant; a wire that is read
    /// has no driver.
    pub fn read(json: &str, top: &str, undefined: bool) -> Result<Module, String> {
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
        let (mut inputs, mut outputs) = (ports("input")?, ports("output")?);
        // A module without a clock has no registers, so this is never compared with a register's pin.
        let clock = inputs.remove("clock").unwrap_or_default();
        // Memories next to the gates also have the clock.
        outputs.retain(|name, bits| !name.ends_with(".clock") || *bits != clock);
        let cells = module.cells.iter().map(|(name, cell)| {
            let gate = cell.gate(&clock, &mut undefined);
            let gate = gate.map_err(|message| format!("cell {name} of type {}: {message}", cell.kind))?;
            Ok::<_, String>((name.clone(), gate))
        });
        let cells = cells.collect::<Result<_, _>>()?;
        let (mut names, mut initial) = (BTreeMap::new(), HashMap::new());
        for (name, json) in &module.netnames {
            // An unused bit may be undefined.
            let mut unused = Undefined {
                allowed: true,
                count: 0,
            };
            let bits: Result<Vec<Net>, String> = json.bits.iter().map(|bit| bit.net(&mut unused)).collect();
            let bits = bits?;
            let values = json.attributes.get("init").map_or("", String::as_str);
            for (bit, value) in bits.iter().zip(values.chars().rev()) {
                if let (Net::Wire(wire), '0' | '1') = (bit, value) {
                    if initial.insert(*wire, value == '1') == Some(value == '0') {
                        return Err(format!("{name} has two initial values"));
                    }
                }
            }
            if json.hide_name == 0 {
                names.insert(name.clone(), bits);
            }
        }
        let module = Module {
            inputs,
            outputs,
            cells,
            undefined: undefined.count,
            names,
            initial,
        };
        module.all_driven()?;
        Ok(module)
    }

    /// Checks that every wire that is read has a driver.
    fn all_driven(&self) -> Result<(), String> {
        let inputs = self.inputs.values().flatten().filter_map(|net| net.wire());
        let driven: HashSet<usize> = inputs.chain(self.cells.iter().map(|(_, cell)| cell.output)).collect();
        let read = self.cells.iter().flat_map(|(_, cell)| &cell.pins);
        let mut read = read.chain(self.outputs.values().flatten()).filter_map(|net| net.wire());
        match read.find(|wire| !driven.contains(wire)) {
            Some(wire) => Err(format!("wire {wire} has no driver")),
            None => Ok(()),
        }
    }
}

impl JsonCell {
    fn gate(&self, clock: &[Net], undefined: &mut Undefined) -> Result<Cell, String> {
        use Function::*;
        let (function, inverted) = match self.kind.as_str() {
            "$_AND_" => (And, false),
            "$_NAND_" => (And, true),
            "$_ANDNOT_" => (AndNot, false),
            "$_OR_" => (Or, false),
            "$_NOR_" => (Or, true),
            "$_ORNOT_" => (OrNot, false),
            "$_XOR_" => (Xor, false),
            "$_XNOR_" => (Xor, true),
            "$_MUX_" => (Choose, false),
            "$_NMUX_" => (Choose, true),
            "$_NOT_" => (Same, true),
            "$_BUF_" => (Same, false),
            "$_DFF_P_" => (Register, false),
            _ => return Err("an unknown kind of gate".into()),
        };
        let mut pin = |name: &str| match self.connections.get(name).map(Vec::as_slice) {
            Some([bit]) => bit.net(undefined),
            _ => Err(format!("no pin {name} of one bit")),
        };
        if function == Register && clock != [pin("C")?] {
            return Err("its clock is not `clock`".into());
        }
        let Net::Wire(output) = pin(function.output())? else {
            return Err("its output is a constant".into());
        };
        let mut nets = [Net::Constant(false); 3];
        for (net, name) in nets.iter_mut().zip(function.pins()) {
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

/// The indices of the cells, each after the cells that it uses in the same cycle; with `through_registers`, also after
/// the cells that it uses in later cycles.
///
/// # Errors
/// A wire has two drivers, or cells form a loop.
pub fn ordered(cells: &[Cell], through_registers: bool) -> Result<Vec<usize>, String> {
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
        if cell.function == Function::Register && !through_registers {
            continue;
        }
        for wire in cell.pins.iter().filter_map(|net| net.wire()) {
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
        order.push(index);
        for &reader in readers.get(&cells[index].output).into_iter().flatten() {
            waiting[reader] -= 1;
            if waiting[reader] == 0 {
                ready.push(reader);
            }
        }
    }
    if order.len() < cells.len() {
        let what = if through_registers {
            "gates and registers are in a loop: not a pipeline"
        } else {
            "gates are in a loop"
        };
        return Err(format!("{} {what}", cells.len() - order.len()));
    }
    Ok(order)
}
