//! FPGA families: the yosys commands for them, and the resources that their cells count as.

use clap::ValueEnum;

/// FPGA families known to yosys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// Lattice ECP5
    Ecp5,
    /// Xilinx 7 series
    Xilinx,
    /// Lattice iCE40 UltraPlus
    Ice40,
}

/// Resources that are counted.
pub const KINDS: [&str; 4] = ["LUTs", "flip-flops", "block RAMs", "multipliers"];

impl Family {
    /// The name of the family, also used as an argument.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ecp5",
            Family::Xilinx => "xilinx",
            Family::Ice40 => "ice40",
        }
    }

    /// yosys's script: reads `verilog` (file names relative to its folder), synthesises the module `top`, flattened if
    /// `flat`, otherwise module by module, and writes the netlist to `netlist`.
    pub fn script(self, verilog: &[&str], top: &str, flat: bool, netlist: &str) -> String {
        let (command, hierarchy) = match self {
            Family::Ecp5 => return hdlkit::ecp5::script(verilog, top, flat, Some(netlist)),
            Family::Xilinx if flat => ("synth_xilinx -family xc7", " -flatten"),
            Family::Xilinx => ("synth_xilinx -family xc7", ""),
            Family::Ice40 if flat => ("synth_ice40 -device u -dsp", ""),
            Family::Ice40 => ("synth_ice40 -device u -dsp", " -noflatten"),
        };
        format!(
            "read_verilog {}\n{command}{hierarchy} -top {top}\nwrite_json {netlist}\n",
            verilog.join(" ")
        )
    }

    /// The kind of a cell, as an index in [`KINDS`], and the number that it counts as.
    pub fn kind(self, cell: &str) -> Option<(usize, u64)> {
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| cell.starts_with(prefix));
        match self {
            Family::Ecp5 => match cell {
                "LUT4" => Some((0, 1)),
                // Each carry bit takes a separate LUT, and 64 bits of distributed memory take the four LUTs of two
                // slices.
                "CCU2C" => Some((0, 2)),
                "TRELLIS_DPR16X4" => Some((0, 4)),
                "TRELLIS_FF" => Some((1, 1)),
                "DP16KD" | "PDPW16KD" => Some((2, 1)),
                "MULT18X18D" => Some((3, 1)),
                _ => None,
            },
            Family::Xilinx => match cell {
                // These are counted in units of 18 Kbit.
                "RAMB36E1" => Some((2, 2)),
                "RAMB18E1" => Some((2, 1)),
                "DSP48E1" => Some((3, 1)),
                // Distributed memories are counted in LUTs.
                "RAM32M" | "RAM64M" => Some((0, 4)),
                "RAM32X1D" | "RAM64X1D" => Some((0, 2)),
                _ if starts(&["LUT", "SRL"]) => Some((0, 1)),
                _ if starts(&["FD"]) => Some((1, 1)),
                _ => None,
            },
            Family::Ice40 => match cell {
                "SB_LUT4" => Some((0, 1)),
                "SB_RAM40_4K" | "SB_SPRAM256KA" => Some((2, 1)),
                "SB_MAC16" => Some((3, 1)),
                _ if starts(&["SB_DFF"]) => Some((1, 1)),
                _ => None,
            },
        }
    }
}
