//! Gate-level netlists: yosys's result for an ECP5, as self-contained Verilog for simulation.
//!
//! The proofs for a circuit only hold for its netlist if the gates behave the same. The cells of the netlist are
//! Lattice's. yosys has models of them, except for block RAM and multiplier, which are in `blocks.v` next to this file.

use crate::tools::YOSYS;
use std::path::Path;

/// Models of the cells that yosys has no models for.
const BLOCKS: &str = include_str!("blocks.v");
/// Real cell names, and their names in `blocks.v`.
const RENAMED: [(&str, &str); 2] = [("DP16KD", "ECP5_BLOCK_RAM"), ("MULT18X18D", "ECP5_MULTIPLIER")];
/// yosys's file of models, relative to its data folder.
const MODELS: &str = "ecp5/cells_sim.v";

/// The reason why there is no netlist.
#[derive(Debug, thiserror::Error)]
pub enum NetlistError {
    /// yosys cannot be run, for example because it is not installed.
    #[error("cannot run yosys ({0}); `make tools` installs it")]
    Missing(std::io::Error),
    /// An error of yosys.
    #[error("yosys rejected the Verilog:\n{0}")]
    Yosys(String),
    /// The file with yosys's cell models cannot be read.
    #[error("yosys's models of ECP5's cells: {0}")]
    Models(String),
    /// A work file cannot be read or written.
    #[error("files for yosys: {0}")]
    Io(#[from] std::io::Error),
}

/// The gates of module `top` of `verilog`, without hierarchy if `flat`, with the models of all their cells.
///
/// # Errors
/// yosys cannot be run, or rejects the Verilog.
pub fn netlist(verilog: &str, top: &str, flat: bool) -> Result<String, NetlistError> {
    let folder = tempfile::tempdir()?;
    let netlist = folder.path().join("netlist.v");
    std::fs::write(folder.path().join("rtl.v"), verilog)?;
    let mut script = super::script::script(&["rtl.v"], top, flat, None);
    for (cell, model) in RENAMED {
        script += &format!("chtype -set {model} t:{cell}\n");
    }
    script += "write_verilog -noattr netlist.v\n";
    std::fs::write(folder.path().join("script.ys"), script)?;
    let output = YOSYS
        .command()
        .args(["-s", "script.ys"])
        .current_dir(folder.path())
        .output()
        .map_err(NetlistError::Missing)?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(NetlistError::Yosys(error.into_owned()));
    }
    let gates = std::fs::read_to_string(&netlist)?;
    Ok([&gates, &models(&said)?, BLOCKS].join("\n"))
}

/// The text of yosys's models, from the file in its output.
fn models(said: &str) -> Result<String, NetlistError> {
    let path = said
        .lines()
        .filter(|line| line.starts_with("Parsing "))
        .find_map(|line| line.split(['`', '\'']).find(|path| path.ends_with(MODELS)))
        .ok_or_else(|| NetlistError::Models(format!("yosys's output does not name the path of {MODELS}")))?;
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| NetlistError::Models(format!("{}: {error}", path.display())))
    };
    let path = Path::new(path);
    let mut models = String::new();
    for line in read(path)?.lines() {
        match line
            .trim()
            .strip_prefix("`include \"")
            .and_then(|rest| rest.strip_suffix('"'))
        {
            Some(name) => models += &read(&path.with_file_name(name))?,
            None => models += line,
        }
        models += "\n";
    }
    Ok(models)
}
