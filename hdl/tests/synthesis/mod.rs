//! What a circuit costs, by `yosys synth_xilinx`: for the tests that hold a block to its size.

use hdlkit::prelude::Block;
use hdlkit::verilog::{export, ExportOptions};
use std::collections::BTreeMap;
use std::process::Command;

/// Cells by name, of the whole block, after synthesis for a Xilinx 7 FPGA. A latch is a failure.
///
/// # Panics
/// If yosys cannot be run or finds fault with the Verilog.
pub fn cells<B: Block>(block: &B) -> BTreeMap<String, u64> {
    let verilog = export(block, &ExportOptions::new("top")).unwrap_or_else(|e| panic!("{e}"));
    let directory = tempfile::tempdir().expect("a directory for yosys");
    std::fs::write(directory.path().join("top.v"), verilog).expect("top.v is written");
    let output = Command::new("yosys")
        .args(["-p", "read_verilog -sv top.v; synth_xilinx -flatten -top top; stat"])
        .current_dir(directory.path())
        .output()
        .unwrap_or_else(|e| panic!("yosys is not to be run ({e}); `make tools` installs it"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "yosys:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (_, last) = text.rsplit_once("Number of cells:").expect("statistics");
    let cells: BTreeMap<String, u64> = last
        .lines()
        .skip(1)
        .map_while(|line| {
            let mut words = line.split_whitespace();
            let (name, count) = (words.next()?, words.next()?);
            Some((name.to_string(), count.parse().ok()?))
        })
        .collect();
    let latches: Vec<&String> = cells.keys().filter(|name| name.starts_with("LD")).collect();
    assert!(latches.is_empty(), "latches: {latches:?}");
    cells
}

/// The number of look-up tables among the cells.
pub fn luts(cells: &BTreeMap<String, u64>) -> u64 {
    let of_luts = cells.iter().filter(|(name, _)| name.starts_with("LUT"));
    of_luts.map(|(_, count)| count).sum()
}
