//! A co-simulation from stimulus to result.

use super::report::{CosimError, CosimReport, PortDifference, Simulator};
use super::simulators::run;
use super::test_bench::{sample, Ports};
use crate::machine::{Deviation, Shadow};
use hdlkit::ecp5::netlist;
use hdlkit::engine::Cycle;
use hdlkit::kernel::scope::collect;
use hdlkit::kernel::syntax::source_text::pretty;
use hdlkit::verilog::{export, ExportError, ExportOptions};
use hdlkit::Structure;
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;

/// The default simulator: Icarus Verilog, on the gates if the environment has `FLEXGRIP_GATES`.
fn usual() -> Simulator {
    match std::env::var_os("FLEXGRIP_GATES") {
        Some(_) => Simulator::Gates,
        None => Simulator::Iverilog,
    }
}

/// Builds a block with `make` and runs it for `cycles` cycles against its Verilog in Icarus Verilog; if the environment
/// has `FLEXGRIP_GATES`, against the gates that yosys synthesises from it.
///
/// `stimulus` sets the block's inputs (their `next`) at the start of every cycle; its arguments are the block, a
/// generator seeded with `seed`, and the cycle. It may read the previous cycle's outputs.
///
/// # Errors
/// [`CosimError::Mismatch`] with the first difference; the files stay in the temporary directory that it names.
pub fn cosim<B: Structure + Cycle>(
    make: impl FnOnce() -> Box<B>,
    cycles: u64,
    seed: u64,
    stimulus: impl FnMut(&mut B, &mut ChaCha8Rng, u64),
) -> Result<CosimReport, CosimError> {
    cosim_in(usual(), make, cycles, seed, stimulus)
}

/// [`cosim`] in the given simulator.
///
/// # Errors
/// The errors of [`cosim`].
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
            let difference = |d: &Deviation| PortDifference {
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
    let said = match run(simulator, dir.path(), cycles) {
        Ok(said) => said,
        Err(CosimError::Tool { tool, output, .. }) => {
            let dir = dir.into_path();
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
    let dir = dir.into_path();
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
