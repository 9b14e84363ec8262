//! The boards: device, clock, serial line, pins. Their top modules are in `synth`, their pins in `constraints`.

use super::cells::Family;

/// A board that the design can be built for.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// Also its top module's name.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its FPGA's family.
    pub family: Family,
    /// nextpnr's arguments for its FPGA.
    pub device: &'static [&'static str],
    /// Its top module.
    pub top: &'static str,
    /// Its pins.
    pub constraints: &'static str,
    /// The clock that its top module makes.
    pub megahertz: u32,
    /// Bits per second of its serial line.
    pub baud: u32,
}

/// The boards whose whole way to the bitstream is free software.
pub const BOARDS: [Board; 2] = [
    Board {
        name: "ulx3s",
        title: "ULX3S with LFE5U-85F",
        family: Family::Ecp5,
        device: &["--85k", "--package", "CABGA381", "--speed", "6"],
        top: include_str!("../../../synth/ulx3s.v"),
        constraints: include_str!("../../../constraints/ulx3s.lpf"),
        megahertz: 40,
        baud: 1_000_000,
    },
    Board {
        name: "ecpix5",
        title: "ECPIX-5 with LFE5UM5G-85F",
        family: Family::Ecp5,
        device: &["--um5g-85k", "--package", "CABGA554", "--speed", "8"],
        top: include_str!("../../../synth/ecpix5.v"),
        constraints: include_str!("../../../constraints/ecpix5.lpf"),
        megahertz: 40,
        baud: 1_000_000,
    },
];

impl Board {
    /// The board of this name.
    pub fn named(name: &str) -> Option<&'static Board> {
        BOARDS.iter().find(|board| board.name == name)
    }

    /// Clocks of a bit on its serial line.
    pub const fn clocks_per_bit(&self) -> u32 {
        self.megahertz * 1_000_000 / self.baud
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_what_their_files_say() {
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
            assert_eq!(board.megahertz * 1_000_000 % board.baud, 0, "{}", board.name);
            // Every port has a pin.
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
                    assert!(
                        board.constraints.contains(&format!("LOCATE COMP \"{pin}\" SITE")),
                        "{}: {pin} has no pin",
                        board.name
                    );
                }
            }
            assert_eq!(
                board.constraints.matches("LOCATE COMP").count(),
                found,
                "{}",
                board.name
            );
        }
    }
}
