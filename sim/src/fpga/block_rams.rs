//! Where the block RAMs of an ECP5 go, found before nextpnr places the rest.
//!
//! nextpnr's placer first finds a place for each cell where its wires are short, whatever else is there, and then brings block RAMs
//! to free sites one after the other. With 200 of 208 sites taken, the last ones land anywhere: of this machine that makes all
//! wires together two thirds longer, and the cells that go with the RAMs follow them. So here it is done in three steps:
//!
//! 1. [`soften`]: each block RAM becomes a chain of carries with registers behind, which has the RAM's pins and may be anywhere.
//!    nextpnr places that.
//! 2. [`assign`]: the RAMs go to the sites where the sum of their wires' lengths is least, the ends at other cells being where
//!    they are in that placement. It begins with the nearest sites, and goes on by simulated annealing: RAMs move to other
//!    sites or change places, less and less often if that makes wires longer.
//! 3. The sites are written to the netlist, as cells' attribute `BEL`, which nextpnr keeps to. So are those of multipliers in
//!    that placement, for which it has the same trouble.
//!
//! A netlist is the JSON that yosys writes, a placement what nextpnr writes with `--write`.

use anyhow::{anyhow, bail, Context};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{json, Map, Value};
use std::collections::HashMap;

/// yosys's and nextpnr's name for a block RAM.
pub(super) const BLOCK_RAM: &str = "DP16KD";
/// .. and for a multiplier.
pub(super) const MULTIPLIER: &str = "MULT18X18D";
/// What the cells of a softened block RAM are called: this, the RAM's number, and more behind an underscore.
const SOFT: &str = "soft_block_ram_";
/// Nets with more ends than this are everywhere, constants for example.
const MOST_ENDS: usize = 2000;

/// The sites of an LFE5U-85F and LFE5UM5G-85F in nextpnr's coordinates: in four rows, each of 13 groups of four sites that are
/// two columns apart.
const ROWS: [i32; 4] = [22, 46, 70, 82];
const GROUPS: [i32; 13] = [4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114];

/// Column and row.
type Tile = (i32, i32);

/// A place for a block RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Site {
    x: i32,
    y: i32,
    /// Of the four in a group.
    number: i32,
}

impl Site {
    /// All of them.
    fn all() -> Vec<Site> {
        let of = |y, group| {
            (0..4).map(move |number| Site {
                x: group + 2 * number,
                y,
                number,
            })
        };
        ROWS.iter()
            .flat_map(|&y| GROUPS.iter().flat_map(move |&group| of(y, group)))
            .collect()
    }

    /// nextpnr's name for it.
    fn bel(&self) -> String {
        format!("X{}/Y{}/EBR{}", self.x, self.y, self.number)
    }

    fn distance(&self, (x, y): Tile) -> i32 {
        (self.x - x).abs() + (self.y - y).abs()
    }
}

/// Sums of the lengths of the wires at block RAMs, in tiles: half of the box around a net's ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Each RAM on the nearest site that was free.
    pub before: u64,
    /// As they are now.
    pub after: u64,
}

fn top(netlist: &mut Value) -> anyhow::Result<&mut Value> {
    let modules = netlist["modules"].as_object_mut().context("no modules")?;
    modules
        .values_mut()
        .find(|module| module["attributes"].get("top").is_some())
        .context("no top module")
}

/// The cells of the top module.
fn cells(netlist: &mut Value) -> anyhow::Result<&mut Map<String, Value>> {
    top(netlist)?["cells"].as_object_mut().context("no cells")
}

/// Writes settings of nextpnr to the netlist.
///
/// # Errors
/// `netlist` is no netlist.
pub fn set(netlist: &mut Value, settings: &[(&str, &str)]) -> anyhow::Result<()> {
    let top = top(netlist)?;
    for (name, value) in settings {
        top["settings"][*name] = json!(value);
    }
    Ok(())
}

/// What is connected to the port of a cell: numbers of nets. Constants are left out.
fn nets(bits: &Value) -> impl Iterator<Item = u64> + '_ {
    bits.as_array().into_iter().flatten().filter_map(Value::as_u64)
}

/// Clocks have wires of their own.
fn is_clock(port: &str) -> bool {
    port.starts_with("CLK")
}

fn is_output(cell: &Value, port: &str) -> bool {
    cell["port_directions"][port] == "output"
}

fn connections(cell: &Value) -> impl Iterator<Item = (&String, &Value)> {
    cell["connections"].as_object().into_iter().flatten()
}

/// Puts carries and registers in the place of each block RAM. Gives the block RAMs' names, in the order of their numbers.
///
/// # Errors
/// `netlist` is no netlist.
pub fn soften(netlist: &mut Value) -> anyhow::Result<Vec<String>> {
    let cells = cells(netlist)?;
    let last = cells
        .values()
        .flat_map(|cell| connections(cell).flat_map(|(_, bits)| nets(bits)))
        .max();
    let mut next = last.context("no nets")? + 1;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    let rams: Vec<String> = cells
        .iter()
        .filter(|(_, cell)| cell["type"] == BLOCK_RAM)
        .map(|(name, _)| name.clone())
        .collect();
    for (number, name) in rams.iter().enumerate() {
        let ram = cells.remove(name).unwrap_or_default();
        let ends = |outputs: bool| -> Vec<u64> {
            connections(&ram)
                .filter(|(port, _)| !is_clock(port) && is_output(&ram, port) == outputs)
                .flat_map(|(_, bits)| nets(bits))
                .collect()
        };
        let (inputs, outputs) = (ends(false), ends(true));
        let clock = ["CLKA", "CLKB"]
            .iter()
            .find_map(|port| nets(&ram["connections"][*port]).next())
            .ok_or_else(|| anyhow!("{name} has no clock"))?;
        let mut carry = json!("0");
        for place in 0..inputs.len().div_ceil(4).max(outputs.len().div_ceil(2)) {
            let input = |index: usize| json!([inputs.get(4 * place + index).map_or(json!("0"), |net| json!(net))]);
            let (carried, sums) = (fresh(), [fresh(), fresh()]);
            cells.insert(
                format!("{SOFT}{number}_{place}"),
                json!({
                    "hide_name": 0, "type": "CCU2C", "attributes": {"keep": "1"},
                    "parameters": {
                        "INIT0": "1001011010101010", "INIT1": "1001011010101010", "INJECT1_0": "NO", "INJECT1_1": "NO"
                    },
                    "port_directions": {
                        "A0": "input", "B0": "input", "C0": "input", "D0": "input", "A1": "input", "B1": "input",
                        "C1": "input", "D1": "input", "CIN": "input", "S0": "output", "S1": "output", "COUT": "output"
                    },
                    "connections": {
                        "A0": input(0), "B0": input(1), "C0": ["0"], "D0": ["1"],
                        "A1": input(2), "B1": input(3), "C1": ["0"], "D1": ["1"],
                        "CIN": [carry], "S0": [sums[0]], "S1": [sums[1]], "COUT": [carried]
                    }
                }),
            );
            carry = json!(carried);
            // Registers, so that no way goes through the chain.
            for (half, sum) in sums.iter().enumerate() {
                let Some(output) = outputs.get(2 * place + half) else {
                    continue;
                };
                cells.insert(
                    format!("{SOFT}{number}_{place}_{half}"),
                    json!({
                        "hide_name": 0, "type": "TRELLIS_FF", "attributes": {"keep": "1"},
                        "parameters": {
                            "CEMUX": "1 ", "CLKMUX": "CLK", "GSR": "DISABLED", "LSRMUX": "LSR", "REGSET": "RESET"
                        },
                        "port_directions": {"CLK": "input", "DI": "input", "LSR": "input", "Q": "output"},
                        "connections": {"CLK": [clock], "DI": [sum], "LSR": ["0"], "Q": [output]}
                    }),
                );
            }
        }
    }
    Ok(rams)
}

/// A net at block RAMs.
struct Net {
    /// The box around its other ends; the first of a pair is greater than the second if there are none.
    x: (i32, i32),
    y: (i32, i32),
    /// The RAMs at it, each once.
    rams: Vec<usize>,
}

impl Net {
    /// Its length if the RAMs are on these sites.
    fn length(&self, sites: &[Site], site_of: &[usize]) -> i64 {
        let (mut x, mut y) = (self.x, self.y);
        for &ram in &self.rams {
            let site = sites[site_of[ram]];
            x = (x.0.min(site.x), x.1.max(site.x));
            y = (y.0.min(site.y), y.1.max(site.y));
        }
        i64::from(x.1 - x.0 + y.1 - y.0)
    }
}

/// An end of a net.
struct End {
    tile: Tile,
    /// The block RAM whose pin it is.
    ram: Option<usize>,
}

/// The tile in a name of nextpnr's, as `X12/Y34/SLICEA.K0`.
fn tile(bel: &str) -> Option<Tile> {
    let mut parts = bel.split('/');
    let mut number = |letter| parts.next()?.strip_prefix(letter)?.parse().ok();
    Some((number('X')?, number('Y')?))
}

/// Where [`soften`] put the block RAM that this cell is of.
fn soft(cell: &str) -> Option<usize> {
    cell.strip_prefix(SOFT)?.split(['_', '$']).next()?.parse().ok()
}

/// Finds sites for the block RAMs `rams`, which [`soften`] gave, by where nextpnr has placed what it made of them, and writes them
/// to `netlist`. The outcome depends on nothing but these and `seed`.
///
/// # Errors
/// `placement` is not that of a softened netlist; `netlist` has no such block RAMs; or there are more of them than sites.
pub fn assign(netlist: &mut Value, rams: &[String], placement: &mut Value, seed: u32) -> anyhow::Result<Lengths> {
    let sites = Site::all();
    if rams.len() > sites.len() {
        bail!("{} block RAMs, but the device has {}", rams.len(), sites.len());
    }
    let mut ends: HashMap<u64, Vec<End>> = HashMap::new();
    // Sums and numbers of the tiles where the softened block RAMs are.
    let mut middles = vec![((0, 0), 0); rams.len()];
    let mut multipliers = Vec::new();
    for (name, cell) in cells(placement)? {
        let Some(tile) = cell["attributes"]["NEXTPNR_BEL"].as_str().and_then(tile) else {
            continue;
        };
        if cell["type"] == MULTIPLIER {
            multipliers.push((name.clone(), cell["attributes"]["NEXTPNR_BEL"].clone()));
        }
        let ram = soft(name);
        if let Some(ram) = ram {
            let ((x, y), count) = middles.get(ram).context("another netlist's placement")?;
            middles[ram] = ((x + tile.0, y + tile.1), count + 1);
        }
        for (_, bits) in connections(cell).filter(|(port, _)| !is_clock(port)) {
            for net in nets(bits) {
                ends.entry(net).or_default().push(End { tile, ram });
            }
        }
    }
    let mut nets: Vec<Net> = Vec::new();
    let mut nets_of = vec![Vec::new(); rams.len()];
    let mut numbers: Vec<u64> = ends.keys().copied().collect();
    numbers.sort_unstable();
    for ends in numbers.iter().map(|number| &ends[number]) {
        let mut at: Vec<usize> = ends.iter().filter_map(|end| end.ram).collect();
        at.sort_unstable();
        at.dedup();
        let mut net = Net {
            x: (i32::MAX, i32::MIN),
            y: (i32::MAX, i32::MIN),
            rams: at,
        };
        for end in ends.iter().filter(|end| end.ram.is_none()) {
            let (x, y) = end.tile;
            net.x = (net.x.0.min(x), net.x.1.max(x));
            net.y = (net.y.0.min(y), net.y.1.max(y));
        }
        // What is inside of one softened RAM is not there later.
        let inside = net.rams.len() == 1 && net.x.0 > net.x.1;
        if !net.rams.is_empty() && !inside && ends.len() <= MOST_ENDS {
            net.rams.iter().for_each(|&ram| nets_of[ram].push(nets.len()));
            nets.push(net);
        }
    }
    let mut site_of = Vec::new();
    for (ram, &((x, y), count)) in middles.iter().enumerate() {
        if count == 0 {
            bail!("{} has not been placed", rams[ram]);
        }
        let nearest = (0..sites.len())
            .filter(|site| !site_of.contains(site))
            .min_by_key(|&site| sites[site].distance((x / count, y / count)));
        site_of.push(nearest.context("more block RAMs than sites")?);
    }
    let total = |site_of: &[usize]| {
        let lengths = nets.iter().map(|net| net.length(&sites, site_of));
        lengths.sum::<i64>().unsigned_abs()
    };
    let before = total(&site_of);
    anneal(&nets, &nets_of, &sites, &mut site_of, seed);
    let after = total(&site_of);
    let cells = cells(netlist)?;
    for (name, &site) in rams.iter().zip(&site_of) {
        let ram = cells.get_mut(name).with_context(|| format!("no block RAM {name}"))?;
        ram["attributes"]["BEL"] = json!(sites[site].bel());
    }
    for (name, site) in multipliers {
        let multiplier = cells.get_mut(&name).with_context(|| format!("no multiplier {name}"))?;
        multiplier["attributes"]["BEL"] = site;
    }
    Ok(Lengths { before, after })
}

/// Moves that are tried for each block RAM.
const MOVES: usize = 100_000;
/// A move that makes wires this much longer, in tiles, is made with a chance of 1 in e at first, and at last one of a tile with
/// next to none.
const FIRST_TEMPERATURE: f64 = 30.0;
const LAST_TEMPERATURE: f64 = 0.03;

/// Shortens the nets. Keeps the best of all it has seen.
fn anneal(nets: &[Net], nets_of: &[Vec<usize>], sites: &[Site], site_of: &mut Vec<usize>, seed: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed.into());
    let mut ram_at = vec![None; sites.len()];
    site_of
        .iter()
        .enumerate()
        .for_each(|(ram, &site)| ram_at[site] = Some(ram));
    let mut lengths: Vec<i64> = nets.iter().map(|net| net.length(sites, site_of)).collect();
    let (mut longer, mut least, mut best) = (0, 0, site_of.clone());
    let moves = MOVES * site_of.len();
    // The nets of a move, and their lengths after it; `seen` has each net's last move.
    let (mut touched, mut seen) = (Vec::new(), vec![usize::MAX; nets.len()]);
    for step in 0..moves {
        let cooled = step as f64 / moves as f64;
        let temperature = FIRST_TEMPERATURE * (LAST_TEMPERATURE / FIRST_TEMPERATURE).powf(cooled);
        let ram = rng.gen_range(0..site_of.len());
        let (from, to) = (site_of[ram], rng.gen_range(0..sites.len()));
        if from == to {
            continue;
        }
        let other: Option<usize> = ram_at[to];
        site_of[ram] = to;
        if let Some(other) = other {
            site_of[other] = from;
        }
        touched.clear();
        let mut difference = 0;
        for &net in [Some(ram), other].iter().flatten().flat_map(|&ram| &nets_of[ram]) {
            if seen[net] != step {
                seen[net] = step;
                let length = nets[net].length(sites, site_of);
                difference += length - lengths[net];
                touched.push((net, length));
            }
        }
        if difference <= 0 || rng.gen::<f64>() < (-(difference as f64) / temperature).exp() {
            ram_at[to] = Some(ram);
            ram_at[from] = other;
            touched.iter().for_each(|&(net, length)| lengths[net] = length);
            longer += difference;
            if longer < least {
                least = longer;
                best.clone_from(site_of);
            }
        } else {
            site_of[ram] = from;
            if let Some(other) = other {
                site_of[other] = to;
            }
        }
    }
    *site_of = best;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// A block RAM with an address of two bits and three bits of data, nets from `first` on; the clock is net 2.
    fn ram(first: u64) -> Value {
        json!({
            "type": BLOCK_RAM,
            "port_directions": {"ADA0": "input", "ADA1": "input", "WEA": "input", "CLKA": "input", "DOA0": "output",
                "DOA1": "output", "DOA2": "output"},
            "connections": {"ADA0": [first], "ADA1": [first + 1], "WEA": ["0"], "CLKA": [2], "DOA0": [first + 2],
                "DOA1": [first + 3], "DOA2": [first + 4]},
            "attributes": {}
        })
    }

    fn netlist(rams: u64) -> Value {
        let cells: BTreeMap<String, Value> = (0..rams)
            .map(|number| (format!("memory.{number}"), ram(10 + 10 * number)))
            .collect();
        json!({"modules": {"library": {}, "top": {"attributes": {"top": "1"}, "cells": cells}}})
    }

    /// A netlist's placement: the softened block RAMs where `middle` says, and at each of their nets a LUT where `ends` says.
    fn placed(rams: u64, middle: impl Fn(u64) -> (i32, i32), ends: impl Fn(u64) -> (i32, i32)) -> Value {
        let mut netlist = netlist(rams);
        soften(&mut netlist).unwrap();
        for (name, cell) in cells(&mut netlist).unwrap() {
            let (x, y) = middle(soft(name).unwrap() as u64);
            cell["attributes"]["NEXTPNR_BEL"] = json!(format!("X{x}/Y{y}/SLICEA.K0"));
        }
        for number in 0..rams {
            for net in 0..5 {
                let (x, y) = ends(number);
                let lut = json!({
                    "type": "TRELLIS_COMB",
                    "port_directions": {"A": "input"},
                    "connections": {"A": [10 + 10 * number + net]},
                    "attributes": {"NEXTPNR_BEL": format!("X{x}/Y{y}/SLICEB.K1")}
                });
                cells(&mut netlist).unwrap().insert(format!("lut{number}.{net}"), lut);
            }
        }
        netlist
    }

    fn assigned(rams: u64, placement: &Value, seed: u32) -> (Lengths, Vec<String>) {
        let mut design = netlist(rams);
        let names = soften(&mut design.clone()).unwrap();
        let lengths = assign(&mut design, &names, &mut placement.clone(), seed).unwrap();
        let cells = cells(&mut design).unwrap();
        let bels = names
            .iter()
            .map(|name| cells[name]["attributes"]["BEL"].as_str().unwrap().to_owned());
        (lengths, bels.collect())
    }

    #[test]
    fn soft_block_rams_have_the_same_ends() {
        let mut netlist = netlist(2);
        assert_eq!(soften(&mut netlist).unwrap(), ["memory.0", "memory.1"]);
        let cells = cells(&mut netlist).unwrap();
        let mut drivers: BTreeMap<u64, usize> = BTreeMap::new();
        let mut inputs = BTreeSet::new();
        for (name, cell) in cells.iter() {
            assert!(soft(name).is_some(), "{name}");
            for (port, bits) in connections(cell) {
                for net in nets(bits) {
                    if is_output(cell, port) {
                        *drivers.entry(net).or_default() += 1;
                    } else {
                        inputs.insert(net);
                    }
                }
            }
        }
        assert!(drivers.values().all(|&count| count == 1), "{drivers:?}");
        for first in [10, 20] {
            assert!((first..first + 2).all(|net| inputs.contains(&net) && !drivers.contains_key(&net)));
            assert!((first + 2..first + 5).all(|net| drivers.contains_key(&net)));
        }
        // Two carries each, the second behind the first, and three registers.
        assert_eq!(cells.len(), 10);
        assert_eq!(
            cells["soft_block_ram_1_1"]["connections"]["CIN"],
            cells["soft_block_ram_1_0"]["connections"]["COUT"]
        );
        assert_eq!(cells["soft_block_ram_0_1_0"]["connections"]["Q"], json!([14]));
        assert!(inputs.contains(&2));
    }

    #[test]
    fn block_rams_go_where_their_wires_end() {
        // Softened they are in the middle; what they are connected to is in two corners.
        let ends = |ram| if ram % 2 == 0 { (4, 22) } else { (120, 82) };
        let placement = placed(4, |_| (60, 46), ends);
        let (lengths, bels) = assigned(4, &placement, 1);
        assert_eq!(assigned(4, &placement, 1), (lengths, bels.clone()));
        let expected: BTreeSet<&str> = ["X4/Y22/EBR0", "X6/Y22/EBR1", "X120/Y82/EBR3", "X118/Y82/EBR2"].into();
        assert_eq!(bels.iter().map(String::as_str).collect::<BTreeSet<&str>>(), expected);
        assert!(bels[0].starts_with("X4/") || bels[0].starts_with("X6/"), "{bels:?}");
        // Five nets each; of two RAMs one is two columns off.
        assert_eq!(lengths.after, 2 * 5 * 2);
        assert!(lengths.before > 1000, "{lengths:?}");
    }

    #[test]
    fn multipliers_stay() {
        let multiplier = json!({"type": MULTIPLIER, "port_directions": {}, "connections": {}, "attributes": {}});
        let (mut design, mut placement) = (netlist(1), placed(1, |_| (60, 46), |_| (4, 22)));
        cells(&mut design)
            .unwrap()
            .insert("product".to_owned(), multiplier.clone());
        let names = soften(&mut design.clone()).unwrap();
        cells(&mut placement).unwrap().insert("product".to_owned(), multiplier);
        cells(&mut placement).unwrap()["product"]["attributes"]["NEXTPNR_BEL"] = json!("X5/Y10/MULT18_1");
        assign(&mut design, &names, &mut placement, 1).unwrap();
        assert_eq!(
            cells(&mut design).unwrap()["product"]["attributes"]["BEL"],
            "X5/Y10/MULT18_1"
        );
    }

    #[test]
    fn a_full_device_has_each_site_once() {
        let sites = Site::all().len() as u64;
        assert_eq!(sites, 208);
        let placement = placed(
            sites,
            |ram| (ram as i32 % 120 + 2, 40),
            |ram| (120 - ram as i32 % 110, 60),
        );
        let (lengths, bels) = assigned(sites, &placement, 3);
        assert_eq!(bels.iter().collect::<BTreeSet<_>>().len(), 208);
        assert!(lengths.after < lengths.before, "{lengths:?}");
    }

    #[test]
    fn settings_are_the_top_modules() {
        let mut netlist = netlist(1);
        set(&mut netlist, &[("router2/histCongWeight", "1.000000")]).unwrap();
        let modules = &netlist["modules"];
        assert_eq!(
            modules["top"]["settings"],
            json!({"router2/histCongWeight": "1.000000"})
        );
        assert!(modules["library"].get("settings").is_none());
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let names: Vec<String> = (0..209).map(|number| format!("memory.{number}")).collect();
        let error = assign(&mut netlist(209), &names, &mut netlist(0), 1).unwrap_err();
        assert_eq!(error.to_string(), "209 block RAMs, but the device has 208");
        let error = assign(&mut netlist(1), &["memory.0".to_owned()], &mut netlist(1), 1).unwrap_err();
        assert_eq!(error.to_string(), "memory.0 has not been placed");
        assert!(soften(&mut json!({})).is_err());
        assert!(soften(&mut json!({"modules": {"top": {"cells": {}}}})).is_err());
    }
}
