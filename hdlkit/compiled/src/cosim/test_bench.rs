//! The test bench: a circuit's port values, recorded and played to its Verilog.

use super::report::PortDifference;
use hdlkit::circuit::{Structure, Visitor};
use hdlkit::kernel::scope::Scope;
use hdlkit::kernel::shape::{value_of, Shape};
use hdlkit::kernel::syntax::source_text::pretty;
use hdlkit::verilog::names::Namer;
use num_bigint::BigUint;
use rust_hdl_core::atom::{Atom, AtomKind};
use std::fmt::Write as _;

/// Values of the top block's own signals, in the order of its fields.
#[derive(Default)]
struct Sampler {
    depth: usize,
    values: Vec<BigUint>,
}

impl Visitor for Sampler {
    fn start_block(&mut self, _name: &str, _block: &dyn Structure) {
        self.depth += 1;
    }
    fn atom(&mut self, _name: &str, atom: &dyn Atom) {
        if self.depth == 1 {
            let shape = Shape::new(&atom.descriptor());
            self.values.push(value_of(atom, &shape));
        }
    }
    fn end_block(&mut self) {
        self.depth -= 1;
    }
}

/// The values of `block`'s own signals.
pub(super) fn sample(block: &dyn Structure) -> Vec<BigUint> {
    let mut sampler = Sampler::default();
    block.visit("dut", &mut sampler);
    sampler.values
}

/// A port of the circuit.
pub(super) struct Port {
    /// Index among the block's own signals.
    pub atom: usize,
    key: String,
    /// Name in the exported module.
    name: String,
    shape: Shape,
    /// Lowest bit in the vector of inputs or outputs.
    low: usize,
}

impl Port {
    /// The range of its bits in the vector.
    fn range(&self) -> String {
        format!("[{}:{}]", self.low + self.shape.width() - 1, self.low)
    }

    /// The leaves that differ between two hexadecimal values; `verilog` may have digits `x`.
    pub fn differences(&self, native: &str, verilog: &str) -> Vec<PortDifference> {
        let name = pretty(&self.key);
        let parse = |text: &str| BigUint::parse_bytes(text.as_bytes(), 16);
        let (Some(a), Some(b)) = (parse(native), parse(verilog)) else {
            return vec![PortDifference {
                port: name,
                native: native.into(),
                verilog: verilog.into(),
            }];
        };
        let part = |value: &BigUint, low: usize, width: usize| (value >> low) & ((BigUint::from(1u8) << width) - 1u8);
        let mut found = vec![];
        for (path, low, shape) in self.shape.leaves() {
            let (a, b) = (part(&a, low, shape.width()), part(&b, low, shape.width()));
            if a != b {
                found.push(PortDifference {
                    port: format!("{name}{path}"),
                    native: format!("{a:x}"),
                    verilog: format!("{b:x}"),
                });
            }
        }
        found
    }
}

/// A circuit's ports.
pub(super) struct Ports {
    clock: Option<String>,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
}

impl Ports {
    pub fn new(top: &Scope) -> Ports {
        let mut namer = Namer::default();
        let mut ports = Ports {
            clock: None,
            inputs: vec![],
            outputs: vec![],
        };
        let (mut input_bits, mut output_bits) = (0, 0);
        for (atom, info) in top.atoms.iter().enumerate() {
            if !info.kind.is_parameter() {
                continue;
            }
            let name = namer.name(&info.key);
            let (list, bits) = match info.kind {
                AtomKind::InputParameter if info.clock => {
                    ports.clock = Some(name);
                    continue;
                }
                AtomKind::InputParameter => (&mut ports.inputs, &mut input_bits),
                _ => (&mut ports.outputs, &mut output_bits),
            };
            list.push(Port {
                atom,
                key: info.key.clone(),
                name,
                shape: info.shape.clone(),
                low: *bits,
            });
            *bits += info.shape.width();
        }
        ports
    }

    /// All values of `ports` concatenated.
    pub fn vector(ports: &[Port], values: &[BigUint]) -> BigUint {
        ports
            .iter()
            .fold(BigUint::default(), |all, port| all | (&values[port.atom] << port.low))
    }

    /// The Verilog that plays the inputs and compares the outputs.
    pub fn test_bench(&self, cycles: u64) -> String {
        let bits = |ports: &[Port]| ports.last().map_or(1, |p| p.low + p.shape.width());
        let (input_bits, output_bits, last) = (bits(&self.inputs), bits(&self.outputs), cycles.max(1) - 1);
        let mut wires = String::new();
        let mut connections: Vec<String> = vec![];
        let mut compares = String::new();
        if let Some(clock) = &self.clock {
            connections.push(format!("        .{clock}(clock)"));
        }
        for port in &self.inputs {
            connections.push(format!("        .{}(given{})", port.name, port.range()));
        }
        for (index, port) in self.outputs.iter().enumerate() {
            let range = port.range();
            let _ = writeln!(wires, "    wire [{}:0] output_{index};", port.shape.width() - 1);
            connections.push(format!("        .{}(output_{index})", port.name));
            let _ = writeln!(
                compares,
                "                if (output_{index} !== wanted{range}) begin\n                    \
                 $display(\"MISMATCH %0d {index} %h %h\", cycle, output_{index}, wanted{range});\n                    \
                 failed = 1'b1;\n                end"
            );
        }
        format!(
            "// Plays recorded inputs and compares outputs with recorded ones.
`timescale 1ns / 1ps
module testbench;
    reg clock = 1'b0;
    reg [{im}:0] all_given [0:{last}];
    reg [{om}:0] all_wanted [0:{last}];
    reg [{im}:0] given;
    reg [{om}:0] wanted;
    reg failed = 1'b0;
    integer cycle;
{wires}
    dut dut (
{connections}
    );

    initial begin
        $readmemh(\"inputs.hex\", all_given);
        $readmemh(\"outputs.hex\", all_wanted);
        #1;
        for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
            if (!failed) begin
                given = all_given[cycle];
                wanted = all_wanted[cycle];
                #1;
{compares}                clock = 1'b1;
                #1;
                clock = 1'b0;
            end
        end
        if (!failed)
            $display(\"MATCH %0d\", cycle);
        $finish;
    end
endmodule
",
            im = input_bits - 1,
            om = output_bits - 1,
            connections = connections.join(",\n"),
        )
    }
}
