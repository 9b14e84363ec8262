//! Moves the cells of an ECP5's placement until its wires can be routed and its slow paths are shorter.
//!
//! nextpnr's placer only minimises wire length, regardless of where the wires are, and its last step never increases
//! it. On this machine, which fills three quarters of the device, the router then never resolves all wires claimed by
//! two nets: the most crowded tiles have twice the average number of wires, and more nets at the inputs of their tiles
//! than paths to them. So the LUTs and flip-flops are moved again here, by simulated annealing. A move has a higher
//! cost,
//!
//! - the longer the nets' wires are: half of the perimeter of the bounding box around a net's ends, times a price. The
//!   price is the square of the number of wires in that box, from all nets' boxes and ends, relative to the mean;
//! - the more nets are at one tile's inputs, by the square of their number;
//! - the longer the wires of slow paths are.
//!
//! A LUT moves alone or with the flip-flop after it, a flip-flop with other data alone, and the slices of a multiplexer
//! together. They swap with the cells at the destination if nextpnr allows it: the flip-flops of a slice share a clock
//! enable, and the flip-flops of a tile a clock and a reset. Block RAMs and multipliers change sites as well: the sites
//! found by [`crate::sites`] suit an earlier placement of the other cells, and ignore timing. Carries, distributed RAMs
//! and pins stay.
//!
//! nextpnr gets the result as a packed netlist (`--no-pack`) with the site of each cell in the attribute `BEL`, places
//! the cells there and routes them. nextpnr's own attribute `NEXTPNR_BEL` cannot be kept: nextpnr 0.11 would then treat
//! carries and distributed RAMs as LUTs, whose inputs it may permute, because it checks their type only later.
//!
//! | file | contents |
//! |---|---|
//! | `design.rs` | cells and nets, as written by nextpnr, and legal placements |
//! | `timing.rs` | paths from register to register |
//! | `anneal.rs` | moves and their costs |
//! | `copies.rs` | copies of registers whose ends are far apart |

mod anneal;
pub mod copies;
mod design;
mod timing;

use crate::netlist::{cells, set, top};
pub use anneal::Quality;
use design::{Design, Places, Role, NONE};
use serde_json::{json, Map, Value};

/// The nextpnr settings that stay with a packed netlist: without them, nextpnr would treat pins as not yet packed.
const STEPS: [&str; 2] = ["synth", "pack"];

/// Moves the cells of `placement`, written by nextpnr, with the aim of at most `period` ns from register to register.
/// Returns the quality before and after, which only depends on these and on `seed`. Calls `tell` with the progress and
/// the total.
///
/// # Errors
/// `placement` is not a placement for an ECP5.
pub fn refine(
    placement: &mut Value,
    period: f64,
    seed: u32,
    tell: impl FnMut(u64, u64),
) -> anyhow::Result<(Quality, Quality)> {
    let (design, mut places) = design::read(placement)?;
    let quality = anneal::Annealer::new(&design, &mut places, period as f32).anneal(seed, tell);
    put(placement, &design, &places)?;
    Ok(quality)
}

/// Turns a placement into a packed netlist for nextpnr, with `settings` and the site of each cell.
///
/// # Errors
/// `placement` is not a placement.
pub fn finish(placement: &mut Value, settings: &[(&str, &str)]) -> anyhow::Result<()> {
    cells(placement)?.values_mut().for_each(finish_cell);
    if let Some(all) = top(placement)?["settings"].as_object_mut() {
        all.retain(|name, _| STEPS.contains(&name.as_str()));
    }
    set(placement, settings)
}

/// Writes the sites of the cells to the placement, as nextpnr does.
fn put(placement: &mut Value, design: &Design, places: &Places) -> anyhow::Result<()> {
    let all = cells(placement)?;
    let mut set = |cell: usize, bel: String| all[&design.names[cell]]["attributes"]["NEXTPNR_BEL"] = json!(bel);
    for (cell, &role) in design.roles.iter().enumerate() {
        if role != Role::Other {
            set(cell, places.bel(cell, role));
        }
    }
    for (site, &cell) in places.sites.iter().zip(&places.blocks) {
        if cell != NONE {
            set(cell as usize, site.bel());
        }
    }
    Ok(())
}

/// Turns a cell of a placement into a cell of a packed netlist with its site.
fn finish_cell(cell: &mut Value) {
    if design::role(cell) == Role::Other {
        // nextpnr drops open pins when it reads a netlist, and with them the constants of block RAM pins.
        let pins = cell["connections"].as_object_mut();
        for bits in pins.into_iter().flat_map(Map::values_mut) {
            if bits.as_array().is_some_and(Vec::is_empty) {
                *bits = json!(["x"]);
            }
        }
    }
    if let Some(attributes) = cell["attributes"].as_object_mut() {
        attributes.remove("BEL_STRENGTH");
        let place = attributes.remove("NEXTPNR_BEL").unwrap_or_default();
        attributes.insert("BEL".to_owned(), place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::{connections, tile};
    use std::collections::BTreeSet;

    /// A placement of a few cells, with nets as numbers.
    #[derive(Default)]
    struct Placement(Map<String, Value>);

    impl Placement {
        fn add(
            &mut self,
            name: &str,
            kind: &str,
            bel: &str,
            parameters: Value,
            inputs: &[(&str, u64)],
            outputs: &[(&str, u64)],
        ) {
            let all = || inputs.iter().chain(outputs);
            let mut connections: Map<String, Value> = all().map(|&(pin, net)| (pin.to_owned(), json!([net]))).collect();
            let direction = |(pin, direction): (&str, &str)| (pin.to_owned(), json!(direction));
            let pins = inputs.iter().map(|pin| (pin.0, "input"));
            let mut directions: Map<String, Value> = pins
                .chain(outputs.iter().map(|pin| (pin.0, "output")))
                .map(direction)
                .collect();
            connections.insert("OPEN".to_owned(), json!([]));
            directions.insert("OPEN".to_owned(), json!("input"));
            let cell = json!({
                "type": kind, "parameters": parameters, "port_directions": directions, "connections": connections,
                "attributes": {"NEXTPNR_BEL": bel, "BEL_STRENGTH": "1"}
            });
            self.0.insert(name.to_owned(), cell);
        }

        fn lut(&mut self, name: &str, bel: &str, inputs: &[(&str, u64)], outputs: &[(&str, u64)]) {
            self.add(name, "TRELLIS_COMB", bel, json!({}), inputs, outputs);
        }

        fn json(self) -> Value {
            json!({"modules": {"top": {
                "attributes": {"top": "1"}, "settings": {"pack": "1", "synth": "1", "place": "1", "seed": "7"},
                "cells": self.0,
                "netnames": {"clock": {"bits": [1], "attributes": {"ECP5_IS_GLOBAL": "1"}}}
            }}})
        }
    }

    fn refined(placement: &Value, seed: u32) -> (Quality, Quality, Value) {
        let mut placement = placement.clone();
        let mut phases = 0;
        let (before, after) = refine(&mut placement, 25.0, seed, |done, of| {
            phases += 1;
            assert!(done == phases && done <= of);
        })
        .unwrap();
        finish(&mut placement, &[("router2/x", "2")]).unwrap();
        (before, after, placement)
    }

    fn bel<'a>(placement: &'a Value, name: &str) -> &'a str {
        placement["modules"]["top"]["cells"][name]["attributes"]["BEL"]
            .as_str()
            .unwrap()
    }

    /// Checks that nextpnr would allow the site of each cell.
    fn assert_legal(mut placement: Value) {
        for cell in cells(&mut placement).unwrap().values_mut() {
            cell["attributes"]["NEXTPNR_BEL"] = cell["attributes"]["BEL"].clone();
        }
        let (design, places) = design::read(&mut placement).unwrap();
        assert!((0..places.tiles.len()).all(|tile| places.is_legal(tile, &design)));
    }

    /// A block RAM and a pin in two corners, and many empty LUTs between them.
    fn corners() -> Placement {
        let mut placement = Placement::default();
        let data = [("ADA0", 10), ("ADA1", 11), ("ADA2", 12), ("CLKA", 1)];
        placement.add(
            "ram",
            "DP16KD",
            "X4/Y22/EBR0",
            json!({"ADA3MUX": "1"}),
            &data,
            &[("DOA0", 20), ("DOA1", 21)],
        );
        placement.add(
            "pin",
            "TRELLIS_IO",
            "X40/Y0/PIOA",
            json!({}),
            &[("I", 50)],
            &[("O", 51)],
        );
        // The destination tiles.
        for x in (2..40).step_by(2) {
            for y in (2..40).step_by(3) {
                placement.lut(&format!("here.{x}.{y}"), &format!("X{x}/Y{y}/SLICEA.K0"), &[], &[]);
            }
        }
        placement
    }

    #[test]
    fn cells_move_to_the_ends_of_wires() {
        let mut placement = corners();
        placement.lut("near_ram", "X38/Y38/SLICEB.K0", &[("A", 20), ("B", 21)], &[("F", 10)]);
        placement.lut("near_pin", "X2/Y38/SLICEC.K1", &[("C", 51)], &[("F", 50)]);
        let placement = placement.json();
        let (before, after, result) = refined(&placement, 1);
        // Two of the RAM's three nets may be in the column of the RAM or the next one; no slice here is in its row.
        let at = |name| tile(bel(&result, name)).unwrap();
        let (ram, near_ram, near_pin) = (at("ram"), at("near_ram"), at("near_pin"));
        assert!(
            (near_ram.0 - ram.0).abs() + (near_ram.1 - ram.1).abs() <= 4,
            "{near_ram:?} {ram:?}"
        );
        assert!((near_pin.0 - 40).abs() + near_pin.1 <= 6, "{near_pin:?}");
        assert!(before.wires > 200 && after.wires < 30, "{before:?}, {after:?}");
        assert!(after.slowest < before.slowest, "{before:?}, {after:?}");
        assert_legal(result.clone());
        // The same seed gives the same result, another seed a different one.
        let (_, _, other) = refined(&placement, 2);
        assert_ne!(other, result);
        assert_legal(other);
        assert_eq!(refined(&placement, 1), (before, after, result));
    }

    #[test]
    fn block_rams_and_multipliers_get_best_sites() {
        let mut placement = Placement::default();
        let pin = ["pin.0", "pin.1", "pin.2", "pin.3"];
        for (name, (bel, nets)) in pin.into_iter().zip([
            ("X40/Y0/PIOA", [100, 101]),
            ("X0/Y60/PIOB", [110, 111]),
            ("X100/Y60/PIOA", [120, 121]),
            ("X100/Y95/PIOA", [130, 131]),
        ]) {
            placement.add(
                name,
                "TRELLIS_IO",
                bel,
                json!({}),
                &[],
                &[("O", nets[0]), ("P", nets[1])],
            );
        }
        // The first two would be better on each other's site, the third on a free one.
        for (name, kind, bel, nets) in [
            ("ram.0", "DP16KD", "X4/Y70/EBR0", [100, 101]),
            ("ram.1", "DP16KD", "X40/Y22/EBR0", [110, 111]),
            ("ram.2", "DP16KD", "X4/Y22/EBR0", [130, 131]),
            ("multiplier", "MULT18X18D", "X4/Y10/MULT18_0", [120, 121]),
        ] {
            placement.add(name, kind, bel, json!({}), &[("A0", nets[0]), ("B0", nets[1])], &[]);
        }
        let (before, after, result) = refined(&placement.json(), 1);
        assert!(after.wires < before.wires, "{before:?}, {after:?}");
        // Tile prices vary, so a neighbouring site is also accepted.
        for (name, (x, y), kind) in [
            ("ram.0", (40, 22), "/EBR"),
            ("ram.1", (4, 70), "/EBR"),
            ("ram.2", (100, 82), "/EBR"),
            ("multiplier", (100, 58), "/MULT18_"),
        ] {
            let bel = bel(&result, name);
            let at = tile(bel).unwrap();
            assert!((at.0 - x).abs() <= 4 && at.1 == y && bel.contains(kind), "{name} {bel}");
        }
    }

    #[test]
    fn connected_cells_stay_together() {
        let mut placement = corners();
        // A flip-flop with data from its LUT, and others with other data, all with different clock enables.
        let behind = json!({"CEMUX": "CE", "SD": "1"});
        placement.lut("before", "X38/Y38/SLICEB.K1", &[("A", 20)], &[("F", 60)]);
        let inputs = [("DI", 60), ("CLK", 1), ("CE", 61)];
        placement.add(
            "behind",
            "TRELLIS_FF",
            "X38/Y38/SLICEB.FF1",
            behind,
            &inputs,
            &[("Q", 10)],
        );
        for number in 0..12 {
            let tile = 2 + 2 * number;
            let inputs = [("M", 21), ("CLK", 1), ("CE", 70 + number), ("LSR", 90 + number % 2)];
            let bel = format!("X{tile}/Y38/SLICED.FF0");
            let by_m = json!({"CEMUX": "CE", "SD": "0"});
            placement.add(
                &format!("by_m.{number}"),
                "TRELLIS_FF",
                &bel,
                by_m,
                &inputs,
                &[("Q", 30 + number)],
            );
        }
        // A multiplexer of two slices.
        placement.lut(
            "low.0",
            "X36/Y38/SLICEC.K0",
            &[("A", 21), ("F1", 81), ("M", 51)],
            &[("F", 82), ("OFX", 83)],
        );
        placement.lut("high.1", "X36/Y38/SLICED.K1", &[("A", 20)], &[("F", 84)]);
        placement.lut(
            "high.0",
            "X36/Y38/SLICED.K0",
            &[("A", 21), ("F1", 84), ("M", 51)],
            &[("F", 85), ("OFX", 86)],
        );
        let last = [("A", 20), ("FXA", 83), ("FXB", 86), ("M", 20)];
        placement.lut("low.1", "X36/Y38/SLICEC.K1", &last, &[("F", 81), ("OFX", 11)]);
        // A carry, which is not moved.
        placement.add(
            "carry",
            "TRELLIS_COMB",
            "X38/Y2/SLICEC.K0",
            json!({"MODE": "CCU2"}),
            &[("A", 20)],
            &[("F", 12)],
        );
        let (before, after, result) = refined(&placement.json(), 3);
        assert!(after.wires < before.wires, "{before:?}, {after:?}");
        assert_eq!(bel(&result, "before").replace('K', "FF"), bel(&result, "behind"));
        assert_ne!(bel(&result, "before"), "X38/Y38/SLICEB.K1");
        assert_eq!(bel(&result, "carry"), "X38/Y2/SLICEC.K0");
        let parts = ["low.0", "low.1", "high.0", "high.1"].map(|name| bel(&result, name).split_once("SLICE").unwrap());
        let tiles: BTreeSet<&str> = parts.iter().map(|part| part.0).collect();
        assert!(tiles.len() == 1 && !tiles.contains("X36/Y38/"), "{parts:?}");
        let slices = parts.map(|part| part.1);
        assert!(
            slices == ["A.K0", "A.K1", "B.K0", "B.K1"] || slices == ["C.K0", "C.K1", "D.K0", "D.K1"],
            "{slices:?}"
        );
        assert_legal(result);
    }

    #[test]
    fn netlist_contains_all_locations() {
        let mut placement = corners();
        placement.lut("one", "X38/Y38/SLICEB.K0", &[("A", 20)], &[("F", 10)]);
        let (_, _, mut result) = refined(&placement.json(), 1);
        let settings = &result["modules"]["top"]["settings"];
        assert_eq!(settings, &json!({"pack": "1", "synth": "1", "router2/x": "2"}));
        assert!(bel(&result, "ram").contains("/EBR"));
        for (name, cell) in cells(&mut result).unwrap().iter() {
            let attributes = cell["attributes"].as_object().unwrap();
            assert!(attributes.keys().eq(["BEL"]), "{name}: {attributes:?}");
            let open = if cell["type"] == "TRELLIS_COMB" {
                json!([])
            } else {
                json!(["x"])
            };
            assert_eq!(cell["connections"]["OPEN"], open, "{name}");
        }
    }

    #[test]
    fn wrong_placements_are_reported() {
        let error = |mut placement: Value| {
            let refined = refine(&mut placement, 25.0, 1, |_, _| ());
            format!("{:#}", refined.unwrap_err())
        };
        let one = |bel: &str| {
            let mut placement = Placement::default();
            placement.lut("one", bel, &[("A", 20)], &[]);
            placement.lut("other", "X2/Y2/SLICEA.K1", &[], &[("F", 20)]);
            placement
        };
        assert_eq!(
            error(one("X2/Y2/SLICEA.K1").json()),
            "other is at the location of another cell"
        );
        assert_eq!(
            error(one("X2/Y2/SLICEX.K1").json()),
            "one is at X2/Y2/SLICEX.K1, which is not a location of an ECP5"
        );
        assert_eq!(
            error(one("X2/Y2000000/SLICEA.K1").json()),
            "one is at X2/Y2000000/SLICEA.K1, which is not a location of an ECP5"
        );
        assert_eq!(
            error(one("somewhere").json()),
            "one is at somewhere, which is not a location of an ECP5"
        );
        let mut unplaced = one("X2/Y2/SLICEA.K0").json();
        unplaced["modules"]["top"]["cells"]["one"]["attributes"] = json!({});
        assert_eq!(error(unplaced), "one has not been placed");
        assert_eq!(error(json!({})), "no modules");
        let mut far = one("X2/Y2/SLICEA.K0");
        far.lut("chooses", "X4/Y2/SLICEA.K0", &[("F1", 20)], &[("OFX", 21)]);
        assert_eq!(error(far.json()), "chooses is not next to the cells it selects from");
    }

    /// A register with ends in two distant regions: `near` of them at the register, `far` of them in the other region.
    fn register_with_ends(near: u64, far: u64) -> Value {
        let mut placement = Placement::default();
        placement.lut("before", "X60/Y60/SLICEA.K0", &[("A", 5)], &[("F", 6)]);
        let control = [("CLK", 1), ("LSR", 2), ("CE", 3)];
        let pins = |data| control.iter().copied().chain([data]).collect::<Vec<_>>();
        let parameters = json!({"CEMUX": "CE", "SD": "1"});
        placement.add(
            "register",
            "TRELLIS_FF",
            "X60/Y60/SLICEA.FF0",
            parameters.clone(),
            &pins(("DI", 6)),
            &[("Q", 7)],
        );
        for (group, count, corner) in [("near", near, 62), ("far", far, 10)] {
            for number in 0..count {
                let (tile, slice) = (number / 4, ["A", "B", "C", "D"][number as usize % 4]);
                let bel = format!("X{}/Y{}/SLICE{slice}.FF0", corner + tile % 8, corner + tile / 8);
                let name = format!("{group}.{number}");
                let end = json!({"CEMUX": "CE", "SD": "0 "});
                placement.add(&name, "TRELLIS_FF", &bel, end, &pins(("M", 7)), &[("Q", 100)]);
            }
        }
        placement.json()
    }

    #[test]
    fn register_with_distant_ends_is_copied() {
        let mut placement = register_with_ends(60, 60);
        assert_eq!(copies::add(&mut placement, 5.0).unwrap(), ["register"]);
        let all = cells(&mut placement).unwrap().clone();
        let copy = &all["register$copy"];
        let own = copy["connections"]["Q"].clone();
        assert_eq!(
            copy["connections"],
            json!({"CLK": [1], "LSR": [2], "CE": [3], "M": [6], "Q": own})
        );
        assert_eq!(copy["parameters"], json!({"CEMUX": "CE", "SD": "0 "}));
        for number in 0..60 {
            assert_eq!(all[&format!("near.{number}")]["connections"]["M"], json!([7]));
            assert_eq!(all[&format!("far.{number}")]["connections"]["M"], own);
        }
        let others = all
            .iter()
            .filter(|(name, _)| !name.starts_with("far") && !name.ends_with("copy"));
        assert!(others
            .flat_map(|(_, cell)| connections(cell))
            .all(|(_, bits)| *bits != own));
        let bel = copy["attributes"]["NEXTPNR_BEL"].as_str().unwrap();
        let at = tile(bel).unwrap();
        assert!(
            (9..19).contains(&at.0) && (9..13).contains(&at.1) && bel.contains(".FF"),
            "{bel}"
        );
        // The site of the copy is free, and nextpnr would allow it.
        let (design, places) = design::read(&mut placement).unwrap();
        assert!((0..places.tiles.len()).all(|tile| places.is_legal(tile, &design)));
    }

    #[test]
    fn useless_copies_are_not_made() {
        for (near, far, period, why) in [
            (40, 40, 5.0, "too few ends"),
            (60, 60, 20.0, "fast enough"),
            (5, 115, 5.0, "the register is in the wrong region"),
        ] {
            let mut placement = register_with_ends(near, far);
            let before = placement.clone();
            assert_eq!(copies::add(&mut placement, period).unwrap(), [""; 0], "{why}");
            assert_eq!(placement, before, "{why}");
        }
    }
}
