//! The boards: device, clock, serial line, pins. Their top modules are in `synth`, their pin files in `constraints`.

use crate::cells::Family;
use anyhow::ensure;
use flexgrip_export::verilog::{verilog_with_sizes, BoardSizes, Top};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::Capability;
use flexgrip_sim::board::port::BAUD;

/// The circuit inside a board's top module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Circuit {
    /// The circuit `board`: the machine with 8 lanes, its memories, a serial line.
    Machine,
    /// The circuit `lane_board`: an integer lane and a serial line.
    Lane,
}

/// A board for which the design can be built.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The name, which is also the name of the top module.
    pub name: &'static str,
    /// A readable name.
    pub title: &'static str,
    /// The FPGA's family.
    pub family: Family,
    /// nextpnr's arguments for the FPGA.
    pub device: &'static [&'static str],
    /// The circuit in the top module.
    pub circuit: Circuit,
    /// The maximum number of LUT4s of the design.
    pub most_lut4s: u64,
    /// The Verilog of the top module.
    pub top: &'static str,
    /// The files that the top module includes, each with its name and text.
    pub includes: &'static [(&'static str, &'static str)],
    /// The pin file.
    pub constraints: &'static str,
    /// The clock that the top module generates, in MHz, which the design must reach.
    pub megahertz: u32,
}

/// The clock and the reset of a board with an ECP5.
const ECP5_CLOCK: (&str, &str) = ("ecp5_clock.vh", include_str!("../ecp5_clock.vh"));

/// The boards whose toolchain is free software up to the bitstream.
pub const BOARDS: [Board; 3] = [
    Board {
        name: "ulx3s",
        title: "ULX3S with LFE5U-85F",
        family: Family::Ecp5,
        device: &["--85k", "--package", "CABGA381", "--speed", "6"],
        circuit: Circuit::Machine,
        most_lut4s: 60_000,
        top: include_str!("../ulx3s.v"),
        includes: &[ECP5_CLOCK],
        constraints: include_str!("../../constraints/ulx3s.lpf"),
        megahertz: 40,
    },
    Board {
        name: "ecpix5",
        title: "ECPIX-5 with LFE5UM5G-85F",
        family: Family::Ecp5,
        device: &["--um5g-85k", "--package", "CABGA554", "--speed", "8"],
        circuit: Circuit::Machine,
        most_lut4s: 60_000,
        top: include_str!("../ecpix5.v"),
        includes: &[ECP5_CLOCK],
        constraints: include_str!("../../constraints/ecpix5.lpf"),
        megahertz: 40,
    },
    Board {
        name: "icebreaker",
        title: "iCEBreaker with iCE40UP5K-SG48",
        family: Family::Ice40,
        device: &["--up5k", "--package", "sg48"],
        circuit: Circuit::Lane,
        most_lut4s: 5_280,
        top: include_str!("../icebreaker.v"),
        includes: &[],
        constraints: include_str!("../../constraints/icebreaker.pcf"),
        megahertz: 12,
    },
];

impl Board {
    /// The board of this name.
    pub fn named(name: &str) -> Option<&'static Board> {
        BOARDS.iter().find(|board| board.name == name)
    }

    /// Clocks per bit on the serial line, at [`BAUD`] bits per second.
    pub const fn clocks_per_bit(&self) -> u32 {
        self.megahertz * 1_000_000 / BAUD
    }

    /// The name of the board's design in records and of its folder: the board's, with a capability after 1.0.
    pub fn design(&self, capability: Capability) -> String {
        format!("{}{}", self.name, capability.suffix())
    }

    /// The Verilog of the circuit.
    ///
    /// # Errors
    /// The circuits cannot be expressed exactly in Verilog; a lane has no later capability.
    pub fn verilog(&self, capability: Capability) -> anyhow::Result<String> {
        let top = match self.circuit {
            Circuit::Machine => Top::Board,
            Circuit::Lane => Top::LaneBoard,
        };
        ensure!(
            self.circuit == Circuit::Machine || capability == Capability::V1_0,
            "the design for {} is an integer lane of capability 1.0; found {capability}",
            self.title
        );
        let sizes = BoardSizes {
            clocks_per_bit: self.clocks_per_bit(),
            capability,
            ..BoardSizes::SMALL
        };
        Ok(verilog_with_sizes(top, Lanes::Eight, Sms::One, sizes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the pin file has a pin for this port.
    fn locates(board: &Board, port: &str) -> bool {
        if board.family != Family::Ice40 {
            return board.constraints.contains(&format!("LOCATE COMP \"{port}\" SITE"));
        }
        board.constraints.lines().any(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            matches!(&words[..], ["set_io", .., name, pin] if *name == port && pin.parse::<u32>().is_ok())
        })
    }

    #[test]
    fn a_later_capability_needs_a_machine() {
        let [ulx3s, _, icebreaker] = &BOARDS;
        assert_eq!(ulx3s.design(Capability::V1_0), "ulx3s");
        assert_eq!(ulx3s.design(Capability::V1_1), "ulx3s_sm_11");
        let [first, later] = [Capability::V1_0, Capability::V1_1].map(|capability| ulx3s.verilog(capability).unwrap());
        let atomics = |verilog: &str| verilog.contains("module atomic_unit");
        assert!(!atomics(&first) && atomics(&later));
        let error = icebreaker.verilog(Capability::V1_1).unwrap_err().to_string();
        assert!(
            error.ends_with("an integer lane of capability 1.0; found 1.1"),
            "{error}"
        );
    }

    #[test]
    fn boards_match_their_files() {
        for board in &BOARDS {
            assert!(
                board.top.contains(&format!("module {} (", board.name)),
                "{}",
                board.name
            );
            assert!(
                board.top.contains(&format!("= {} MHz", board.megahertz)),
                "{}",
                board.name
            );
            assert_eq!(board.megahertz * 1_000_000 % BAUD, 0, "{}", board.name);
            let included = board
                .top
                .split("`include \"")
                .skip(1)
                .map(|rest| rest.split('"').next());
            let names = board.includes.iter().map(|(name, _)| Some(*name));
            assert!(included.eq(names), "{}", board.name);
            // Every port must have a pin.
            let (_, ports) = board.top.split_once("module ").unwrap_or_default();
            let (ports, _) = ports.split_once(");").unwrap_or_default();
            let mut found = 0;
            for line in ports
                .lines()
                .filter(|line| line.contains("put  wire") || line.contains("put wire"))
            {
                let mut words = line.trim_end_matches(',').split_whitespace().rev();
                let name = words.next().unwrap_or_default();
                let width = words
                    .next()
                    .and_then(|word| word.strip_prefix('[')?.strip_suffix(":0]"));
                let pins: Vec<String> = match width.and_then(|high| high.parse::<u32>().ok()) {
                    Some(high) => (0..=high).map(|bit| format!("{name}[{bit}]")).collect(),
                    None => vec![name.to_owned()],
                };
                for pin in pins {
                    found += 1;
                    assert!(locates(board, &pin), "{}: {pin} has no pin", board.name);
                }
            }
            let places = board.constraints.lines().filter(|line| !line.starts_with('#'));
            let places = places.filter(|line| line.contains("LOCATE COMP") || line.contains("set_io"));
            assert_eq!(places.count(), found, "{}", board.name);
        }
    }
}
