//! Builds the design of the smallest board, from the circuits to a bitstream. Placed, routed and packed by the tools,
//! it must be within its limits and as recorded in `baselines/fpga.toml`. The other boards take an hour; `make fpga`
//! builds them.

use flexgrip_machine::Capability;
use flexgrip_synth::baseline::compare;
use flexgrip_synth::board::Board;
use flexgrip_synth::place::{place, Goal};
use flexgrip_synth::tool::{ICEPACK, NEXTPNR_ICE40, YOSYS};
use std::path::Path;

#[test]
fn small_board_equals_the_record() {
    let missing: Vec<&str> = [YOSYS, NEXTPNR_ICE40, ICEPACK]
        .iter()
        .filter(|tool| !tool.is_there())
        .map(|tool| tool.name)
        .collect();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return flexgrip_skip::skip(format!("not installed: {missing}; `make tools` installs them"));
    }
    let board = Board::named("icebreaker").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place =
        |goal| place(board, Capability::V1_0, &[1], goal, folder.path()).unwrap_or_else(|error| panic!("{error:#}"));
    let placed = place(Goal::Bitstream);
    println!("{}", placed.text());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../baselines/fpga.toml");
    compare(&placed, board, &file).unwrap_or_else(|error| panic!("{error:#}"));

    // The parts of the report are consistent.
    assert!(placed.lut4s <= placed.logic_cells.used && placed.logic_cells.used <= placed.logic_cells.of);
    assert!(placed.flip_flops.used <= placed.logic_cells.used);
    assert_eq!(placed.logic_cells.of, 5_280);
    assert_eq!((placed.block_rams.of, placed.multipliers.of), (30, 8));
    let path = placed.slowest.as_ref().unwrap();
    assert_eq!(path.levels, path.cells.len());
    assert!(path.levels > 0 && path.logic < path.delay);
    // The slowest path determines the clock.
    let period = 1000.0 / placed.fmax;
    assert!((path.delay - period).abs() < 0.01, "{} ns, {period} ns", path.delay);
    let bitstream = std::fs::read(placed.bitstream.unwrap()).unwrap();
    // The device loads the data after this word.
    let begins = bitstream
        .windows(4)
        .take(64)
        .any(|bytes| bytes == [0x7e, 0xaa, 0x99, 0x7e]);
    assert!(begins && bitstream.len() > 100_000, "{} bytes", bitstream.len());

    // Without routing, cells and placement are the same, and the clock is similar.
    let only_placed = place(Goal::Placement);
    assert_eq!(only_placed.logic_cells, placed.logic_cells);
    assert!(only_placed.slowest.is_none() && only_placed.bitstream.is_none());
    let ratio = only_placed.fmax / placed.fmax;
    assert!((0.5..2.0).contains(&ratio), "{} MHz by estimate", only_placed.fmax);
    let places = std::fs::read_to_string(folder.path().join("icebreaker.placed.json")).unwrap();
    assert!(places.contains("NEXTPNR_BEL"));
}
