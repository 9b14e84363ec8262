//! The area of a circuit, by `yosys synth_xilinx`.

use hdlkit::tools::YOSYS;
use hdlkit::verilog::{export, ExportOptions};
use hdlkit::Structure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Cells of a whole block after synthesis for a Xilinx 7 FPGA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Look-up tables of any size, including those used as shift registers.
    pub luts: u64,
    pub flip_flops: u64,
    /// DSP slices.
    pub dsps: u64,
    /// Block RAMs of 18 Kbit; one of 36 Kbit counts as two.
    pub block_rams: u64,
    pub latches: u64,
}

fn yosys(arguments: &[&str], directory: &std::path::Path) -> String {
    let output = YOSYS
        .command()
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap_or_else(|e| panic!("cannot run yosys ({e}); `make tools` installs it"));
    assert!(output.status.success(), "yosys:\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The version that yosys reports; the figures are valid for that version only.
///
/// # Panics
/// If yosys cannot be run.
pub fn version() -> String {
    yosys(&["-V"], std::path::Path::new(".")).trim().to_owned()
}

/// The cells of a block after a synthesis script, by type: `synth_xilinx -flatten`.
///
/// # Panics
/// If yosys cannot be run or rejects the Verilog.
pub fn cells(block: &dyn Structure, synthesis: &str) -> BTreeMap<String, u64> {
    let verilog = export(block, &ExportOptions::new("top")).unwrap_or_else(|e| panic!("{e}"));
    let directory = tempfile::tempdir().expect("a directory for yosys");
    std::fs::write(directory.path().join("top.v"), verilog).expect("top.v is written");
    let script = format!("read_verilog -sv top.v; {synthesis} -top top; stat");
    let text = yosys(&["-p", &script], directory.path());
    let (_, last) = text.rsplit_once("Number of cells:").expect("statistics");
    let counted = last.lines().skip(1).map_while(|line| {
        let mut words = line.split_whitespace();
        let (name, count) = (words.next()?, words.next()?);
        Some((name.to_string(), count.parse().ok()?))
    });
    counted.collect()
}

/// The area of a block on a Xilinx 7 FPGA.
///
/// # Panics
/// The same as [`cells`].
pub fn area(block: &dyn Structure) -> Area {
    let cells = cells(block, "synth_xilinx -flatten");
    let count = |prefix: &str| -> u64 {
        let named = cells.iter().filter(|(name, _)| name.starts_with(prefix));
        named.map(|(_, count)| count).sum()
    };
    Area {
        luts: count("LUT") + count("SRL"),
        flip_flops: count("FD"),
        dsps: count("DSP"),
        block_rams: count("RAMB18") + 2 * count("RAMB36"),
        latches: count("LD"),
    }
}
