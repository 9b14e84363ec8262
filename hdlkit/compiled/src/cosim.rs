//! Block co-simulation: a circuit run natively against its own exported Verilog in another simulator.
//!
//! What runs on the cycle engine and what goes to synthesis come from one kernel by two ways; [`cosim`] holds them
//! together. The block runs natively first, under a stimulus, and all its inputs and outputs are recorded; its machine code
//! (see the crate's page) runs beside it and is compared at once; a generated test bench then plays the inputs to
//! the Verilog and compares every output in every cycle.
//!
//! ```text
//! cycle     native                            Verilog
//!           stimulus sets inputs' `next`      inputs applied
//!           settle()                          #1
//!           inputs and outputs recorded       outputs compared (X is a difference)
//!           tick()                            posedge clock
//! ```

use crate::{CompileError, Deviation, Shadow};
use hdlkit::circuit::{Structure, Visitor};
use hdlkit::ecp5::{netlist, NetlistError};
use hdlkit::engine::Cycle;
use hdlkit::kernel::scope::{collect, Scope};
use hdlkit::kernel::shape::{value_of, Shape};
use hdlkit::kernel::source_text::pretty;
use hdlkit::verilog::names::Namer;
use hdlkit::verilog::{export, ExportError, ExportOptions};
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rust_hdl_core::atom::{Atom, AtomKind};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Who runs the Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simulator {
    /// Icarus Verilog: starts at once, a few thousand cycles a second, knows X.
    Iverilog,
    /// Verilator: some ten seconds to build, then fast.
    Verilator,
    /// Icarus Verilog, with the gates that yosys makes of the Verilog for an ECP5.
    Gates,
}

/// What was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosimReport {
    pub cycles: u64,
    /// Output ports compared in each cycle.
    pub outputs: usize,
    /// Output ports that had more than one value during the run. One that never changes proves little.
    pub outputs_that_changed: usize,
}

/// An output, or a field of one, that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// As `bus.data` or `value[3].valid`.
    pub port: String,
    /// Hexadecimal.
    pub native: String,
    /// Hexadecimal, with `x` for unknown digits.
    pub verilog: String,
}

/// Why native and Verilog were not found equal.
#[derive(Debug, thiserror::Error)]
pub enum CosimError {
    #[error("not exported:\n{0}")]
    Export(#[from] ExportError),
    #[error("not compiled: {0}")]
    Compile(#[from] CompileError),
    /// The first cycle in which machine code gives something else, and all of that cycle's differences.
    #[error("cycle {cycle}, machine code: {}", show_compiled(.differences))]
    Compiled { cycle: u64, differences: Vec<Difference> },
    #[error("the block has no output to compare")]
    NoOutputs,
    #[error("no gates: {0}")]
    Netlist(#[from] NetlistError),
    #[error("{tool} is not to be run ({error}); `make tools` installs it")]
    Missing { tool: &'static str, error: std::io::Error },
    #[error("{tool} fails on {}:\n{output}", .dir.display())]
    Tool {
        tool: &'static str,
        dir: PathBuf,
        output: String,
    },
    #[error("{tool} does not end on {} in {} s: the Verilog may never settle", .dir.display(), .limit.as_secs())]
    Hangs {
        tool: &'static str,
        dir: PathBuf,
        limit: Duration,
    },
    #[error("files of the co-simulation: {0}")]
    Io(#[from] std::io::Error),
    /// The first cycle with a difference, and all of that cycle's.
    #[error("cycle {cycle}: {}\nVerilog and stimulus: {}", show(.differences), .dir.display())]
    Mismatch {
        cycle: u64,
        differences: Vec<Difference>,
        dir: PathBuf,
    },
}

fn show(differences: &[Difference]) -> String {
    let lines: Vec<String> = differences
        .iter()
        .map(|d| format!("`{}` is {} natively and {} in Verilog", d.port, d.native, d.verilog))
        .collect();
    lines.join("; ")
}

fn show_compiled(differences: &[Difference]) -> String {
    let lines: Vec<String> = differences
        .iter()
        .map(|d| {
            format!(
                "`{}` is {} natively and {} as machine code",
                d.port, d.native, d.verilog
            )
        })
        .collect();
    lines.join("; ")
}

/// Who runs the Verilog when nobody says: Icarus Verilog, with the gates if the environment has `FLEXGRIP_GATES`.
fn usual() -> Simulator {
    match std::env::var_os("FLEXGRIP_GATES") {
        Some(_) => Simulator::Gates,
        None => Simulator::Iverilog,
    }
}

/// Runs the block that `make` builds for `cycles` cycles against its Verilog in Icarus Verilog; where the environment has
/// `FLEXGRIP_GATES`, against the gates that yosys makes of it.
///
/// `stimulus` sets the block's inputs (their `next`) at the start of every cycle; it gets the block, a generator seeded
/// with `seed`, and the cycle. It may look at the outputs of the cycle before.
///
/// # Errors
/// [`CosimError::Mismatch`] with the first difference; the files stay in a temporary directory that it names.
pub fn cosim<B: Structure + Cycle>(
    make: impl FnOnce() -> Box<B>,
    cycles: u64,
    seed: u64,
    stimulus: impl FnMut(&mut B, &mut ChaCha8Rng, u64),
) -> Result<CosimReport, CosimError> {
    cosim_in(usual(), make, cycles, seed, stimulus)
}

/// [`cosim`] in the simulator of choice.
///
/// # Errors
/// As [`cosim`].
pub fn cosim_in<B: Structure + Cycle>(
    simulator: Simulator,
    make: impl FnOnce() -> Box<B>,
    cycles: u64,
    seed: u64,
    mut stimulus: impl FnMut(&mut B, &mut ChaCha8Rng, u64),
) -> Result<CosimReport, CosimError> {
    let mut block = make();
    let options = ExportOptions::new("dut");
    let verilog = export(&*block, &options)?;
    let ports = Ports::new(&collect(&*block, "dut").ok_or(ExportError::NotOneBlock)?);
    if ports.outputs.is_empty() {
        return Err(CosimError::NoOutputs);
    }

    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut inputs, mut outputs) = (String::new(), String::new());
    let mut first: Vec<BigUint> = vec![];
    let mut moved = vec![false; ports.outputs.len()];
    block.settle();
    let mut shadow = Shadow::new(&*block)?;
    for cycle in 0..cycles {
        stimulus(&mut block, &mut rng, cycle);
        block.settle();
        let values = sample(&*block);
        let deviations = shadow.as_mut().map(|shadow| shadow.settle(&values)).unwrap_or_default();
        if !deviations.is_empty() {
            let difference = |d: &Deviation| Difference {
                port: pretty(&d.port),
                native: format!("{:x}", d.native),
                verilog: format!("{:x}", d.compiled),
            };
            let differences = deviations.iter().map(difference).collect();
            return Err(CosimError::Compiled { cycle, differences });
        }
        let _ = writeln!(inputs, "{:x}", Ports::vector(&ports.inputs, &values));
        let _ = writeln!(outputs, "{:x}", Ports::vector(&ports.outputs, &values));
        let now: Vec<BigUint> = ports.outputs.iter().map(|p| values[p.atom].clone()).collect();
        if cycle == 0 {
            first = now;
        } else {
            for (moved, (now, first)) in moved.iter_mut().zip(now.iter().zip(&first)) {
                *moved |= now != first;
            }
        }
        block.tick();
        if let Some(shadow) = &mut shadow {
            shadow.tick();
        }
    }

    let verilog = match simulator {
        Simulator::Gates => netlist(&verilog, "dut", true)?,
        Simulator::Iverilog | Simulator::Verilator => verilog,
    };
    let dir = tempfile::Builder::new().prefix("cosim-").tempdir()?;
    std::fs::write(dir.path().join("dut.v"), &verilog)?;
    std::fs::write(dir.path().join("testbench.v"), ports.test_bench(cycles))?;
    std::fs::write(dir.path().join("inputs.hex"), inputs)?;
    std::fs::write(dir.path().join("outputs.hex"), outputs)?;
    let said = match run(simulator, dir.path()) {
        Ok(said) => said,
        Err(CosimError::Tool { tool, output, .. }) => {
            let dir = dir.keep();
            return Err(CosimError::Tool { tool, dir, output });
        }
        Err(other) => return Err(other),
    };

    let mut at = 0;
    let mut differences = vec![];
    for line in said.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["MATCH", ..] => {
                return Ok(CosimReport {
                    cycles,
                    outputs: ports.outputs.len(),
                    outputs_that_changed: moved.iter().filter(|m| **m).count(),
                })
            }
            ["MISMATCH", cycle, port, got, wanted] => {
                at = cycle.parse().unwrap_or(0);
                if let Some(port) = port.parse().ok().and_then(|i: usize| ports.outputs.get(i)) {
                    differences.extend(port.differences(wanted, got));
                }
            }
            _ => {}
        }
    }
    let dir = dir.keep();
    if differences.is_empty() {
        return Err(CosimError::Tool {
            tool: "the test bench",
            dir,
            output: said,
        });
    }
    Err(CosimError::Mismatch {
        cycle: at,
        differences,
        dir,
    })
}

/// Longer than any tool takes. A zero-delay loop that Rust's order of statements hides would take for ever.
const LIMIT: Duration = Duration::from_secs(300);

/// Runs a command to its end or for `limit`; what it said, and whether it succeeded, or nothing if it had to be ended.
fn run_within(command: &mut Command, dir: &Path, limit: Duration) -> std::io::Result<Option<(String, bool)>> {
    // Into a file, since a pipe that nobody reads fills up.
    let path = dir.join("said.txt");
    let said = File::create(&path)?;
    let mut process = command
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(said)
        .spawn()?;
    let end = Instant::now() + limit;
    let status = loop {
        match process.try_wait()? {
            Some(status) => break status,
            None if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
            None => {
                process.kill()?;
                process.wait()?;
                return Ok(None);
            }
        }
    };
    let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    Ok(Some((text, status.success())))
}

fn tool(tool: &'static str, arguments: &[&str], dir: &Path) -> Result<String, CosimError> {
    let outcome = run_within(Command::new(tool).args(arguments), dir, LIMIT);
    let dir = dir.to_path_buf();
    match outcome.map_err(|error| CosimError::Missing { tool, error })? {
        Some((text, true)) => Ok(text),
        Some((output, false)) => Err(CosimError::Tool { tool, dir, output }),
        None => Err(CosimError::Hangs {
            tool,
            dir,
            limit: LIMIT,
        }),
    }
}

fn run(simulator: Simulator, dir: &Path) -> Result<String, CosimError> {
    match simulator {
        Simulator::Iverilog | Simulator::Gates => {
            let arguments = ["-g2005", "-s", "testbench", "-o", "sim.vvp", "dut.v", "testbench.v"];
            tool("iverilog", &arguments, dir)?;
            tool("vvp", &["-n", "sim.vvp"], dir)
        }
        Simulator::Verilator => {
            let arguments = [
                "--binary",
                "--timing",
                "-Wno-fatal",
                "-Wno-lint",
                "-Wno-style",
                "--top-module",
                "testbench",
                "-o",
                "sim",
                "dut.v",
                "testbench.v",
            ];
            tool("verilator", &arguments, dir)?;
            match run_within(&mut Command::new(dir.join("obj_dir/sim")), dir, LIMIT)? {
                Some((text, _)) => Ok(text),
                None => Err(CosimError::Hangs {
                    tool: "the verilated model",
                    dir: dir.to_path_buf(),
                    limit: LIMIT,
                }),
            }
        }
    }
}

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

fn sample(block: &dyn Structure) -> Vec<BigUint> {
    let mut sampler = Sampler::default();
    block.visit("dut", &mut sampler);
    sampler.values
}

struct Port {
    /// Index among the block's own signals.
    atom: usize,
    key: String,
    /// In the exported module.
    name: String,
    shape: Shape,
    /// Place in the vector of inputs or outputs.
    low: usize,
}

impl Port {
    /// The range of its bits in the vector.
    fn range(&self) -> String {
        format!("[{}:{}]", self.low + self.shape.width() - 1, self.low)
    }

    /// The leaves that differ, of two hexadecimal values of which the second may have X.
    fn differences(&self, native: &str, verilog: &str) -> Vec<Difference> {
        let name = pretty(&self.key);
        let parse = |text: &str| BigUint::parse_bytes(text.as_bytes(), 16);
        let (Some(a), Some(b)) = (parse(native), parse(verilog)) else {
            return vec![Difference {
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
                found.push(Difference {
                    port: format!("{name}{path}"),
                    native: format!("{a:x}"),
                    verilog: format!("{b:x}"),
                });
            }
        }
        found
    }
}

struct Ports {
    clock: Option<String>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

impl Ports {
    fn new(top: &Scope) -> Ports {
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

    /// All values of `ports` side by side.
    fn vector(ports: &[Port], values: &[BigUint]) -> BigUint {
        ports
            .iter()
            .fold(BigUint::default(), |all, port| all | (&values[port.atom] << port.low))
    }

    fn test_bench(&self, cycles: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_is_ended() {
        let dir = tempfile::tempdir().unwrap();
        let run = |seconds: &str, limit| {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("echo said; sleep {seconds}")]);
            run_within(&mut command, dir.path(), limit).unwrap()
        };
        assert_eq!(run("0", LIMIT), Some(("said\n".to_string(), true)));
        let start = Instant::now();
        assert_eq!(run("30", Duration::from_millis(50)), None);
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
