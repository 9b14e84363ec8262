//! Places the block RAMs and multipliers of an ECP5, before nextpnr places the rest.
//!
//! nextpnr's placer first finds a position with short wires for each cell, ignoring overlaps, and then moves block RAMs
//! and multipliers, here called blocks, to free sites one by one. With nearly all block RAM sites taken (189 to 208 of
//! 208), the last ones end up anywhere: on this machine, total wire length increased by two thirds, and the cells
//! connected to the RAMs followed them. 68 of 156 multipliers add another fifth. So blocks are placed here, in three
//! steps:
//!
//! 1. [`soften`]: each block is replaced by a chain of carries followed by registers, which has the block's pins and
//!    may be anywhere. nextpnr places this netlist.
//! 2. [`assign`]: the blocks are assigned to the sites with the least total wire length, with the other cells as in
//!    that placement. It starts with the nearest sites and continues by simulated annealing: blocks move to other sites
//!    or swap, less and less often if this makes wires longer.
//! 3. The sites are written to the netlist as the cells' attribute `BEL`, which nextpnr obeys.
//!
//! A netlist is the JSON written by yosys, a placement the JSON written by nextpnr with `--write`.

use crate::netlist::{cells, connections, is_clock, is_output, nets, tile, Tile};
use anyhow::{bail, Context};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{json, Value};
use std::collections::HashMap;

/// The name of a block RAM in yosys and nextpnr.
pub(super) const BLOCK_RAM: &str = "DP16KD";
/// The name of a multiplier.
pub(super) const MULTIPLIER: &str = "MULT18X18D";
/// The prefix of the cells of a softened block, followed by the number of the block, an underscore and more.
const SOFT: &str = "soft_block_";
/// The maximum number of ends of a net that counts; nets with more ends, such as constants, are everywhere.
const MOST_ENDS: usize = 2000;

/// The kinds of cells with few sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SiteKind {
    BlockRam,
    Multiplier,
}

const KINDS: [SiteKind; 2] = [SiteKind::BlockRam, SiteKind::Multiplier];

/// The columns of an LFE5U-85F and LFE5UM5G-85F where groups of four sites of either kind begin, as in nextpnr.
const GROUPS: [i32; 13] = [4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114];

impl SiteKind {
    /// The kind of a cell in a netlist.
    fn of(cell: &Value) -> Option<SiteKind> {
        KINDS.into_iter().find(|kind| cell["type"] == kind.cell())
    }

    /// yosys's name for the cell.
    const fn cell(self) -> &'static str {
        match self {
            SiteKind::BlockRam => BLOCK_RAM,
            SiteKind::Multiplier => MULTIPLIER,
        }
    }

    /// The rows of this kind's sites on that device.
    const fn rows(self) -> &'static [i32] {
        match self {
            SiteKind::BlockRam => &[22, 46, 70, 82],
            SiteKind::Multiplier => &[10, 34, 58],
        }
    }

    /// The sites of a group: nextpnr's name, and the column relative to the first of the group.
    const fn group(self) -> [(&'static str, i32); 4] {
        match self {
            SiteKind::BlockRam => [("EBR0", 0), ("EBR1", 2), ("EBR2", 4), ("EBR3", 6)],
            SiteKind::Multiplier => [("MULT18_0", 0), ("MULT18_1", 1), ("MULT18_4", 4), ("MULT18_5", 5)],
        }
    }

    /// All sites of this kind.
    fn sites(self) -> impl Iterator<Item = Site> {
        let of = move |y, group| {
            let site = move |(name, column)| Site {
                kind: self,
                x: group + column,
                y,
                name,
            };
            self.group().into_iter().map(site)
        };
        self.rows()
            .iter()
            .flat_map(move |&y| GROUPS.iter().flat_map(move |&group| of(y, group)))
    }
}

/// A block of a netlist, with its name and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    name: String,
    kind: SiteKind,
}

/// A site for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) kind: SiteKind,
    pub(super) x: i32,
    pub(super) y: i32,
    name: &'static str,
}

impl Site {
    /// The sites of all kinds, one kind after the other.
    pub(super) fn all() -> Vec<Site> {
        KINDS.into_iter().flat_map(SiteKind::sites).collect()
    }

    /// The range of the sites of a kind in [`Site::all`].
    pub(super) fn of_kind(kind: SiteKind) -> std::ops::Range<usize> {
        let others = KINDS.into_iter().take_while(|&other| other != kind);
        let first = others.map(|other| other.sites().count()).sum();
        first..first + kind.sites().count()
    }

    /// nextpnr's name for the site.
    pub(super) fn bel(&self) -> String {
        format!("X{}/Y{}/{}", self.x, self.y, self.name)
    }

    fn distance(&self, (x, y): Tile) -> i32 {
        (self.x - x).abs() + (self.y - y).abs()
    }
}

/// The total wire length at blocks in tiles: half of the perimeter of the bounding boxes around the nets' ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The length with each block on the nearest free site.
    pub before: u64,
    /// The length after annealing.
    pub after: u64,
}

/// Replaces each block with carries and registers. Returns the blocks, in the order of their numbers.
///
/// # Errors
/// `netlist` is not a netlist, or has blocks but no clock.
pub fn soften(netlist: &mut Value) -> anyhow::Result<Vec<Block>> {
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
    let blocks: Vec<Block> = cells
        .iter()
        .filter_map(|(name, cell)| {
            let (name, kind) = (name.clone(), SiteKind::of(cell)?);
            Some(Block { name, kind })
        })
        .collect();
    let clock_of = |cell: &Value| {
        let mut clocks = connections(cell).filter(|(port, _)| is_clock(port));
        clocks.find_map(|(_, bits)| nets(bits).next())
    };
    // Multipliers have no clock, so they get any clock of the design.
    let some_clock = cells.values().find_map(clock_of);
    for (number, Block { name, .. }) in blocks.iter().enumerate() {
        let block = cells.remove(name).unwrap_or_default();
        let ends = |outputs: bool| -> Vec<u64> {
            connections(&block)
                .filter(|(port, _)| !is_clock(port) && is_output(&block, port) == outputs)
                .flat_map(|(_, bits)| nets(bits))
                .collect()
        };
        let (inputs, outputs) = (ends(false), ends(true));
        let clock = clock_of(&block)
            .or(some_clock)
            .with_context(|| format!("no clock for {name}"))?;
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
            // Registers end all paths through the chain.
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
    Ok(blocks)
}

/// A net that is connected to blocks.
struct Net {
    /// The bounding box of its other ends. If there are none, the first element of a pair is greater than the second.
    x: (i32, i32),
    y: (i32, i32),
    /// The blocks, without duplicates.
    blocks: Vec<usize>,
}

impl Net {
    /// The length of the net with the blocks on these sites.
    fn length(&self, sites: &[Site], site_of: &[usize]) -> i64 {
        let (mut x, mut y) = (self.x, self.y);
        for &block in &self.blocks {
            let site = sites[site_of[block]];
            x = (x.0.min(site.x), x.1.max(site.x));
            y = (y.0.min(site.y), y.1.max(site.y));
        }
        i64::from(x.1 - x.0 + y.1 - y.0)
    }
}

/// An end of a net.
struct End {
    tile: Tile,
    /// The block to which the pin belongs, if any.
    block: Option<usize>,
}

/// The block to which a cell made by [`soften`] belongs.
fn soft(cell: &str) -> Option<usize> {
    cell.strip_prefix(SOFT)?.split(['_', '$']).next()?.parse().ok()
}

/// Assigns sites to `blocks`, the result of [`soften`], according to nextpnr's placement of the softened netlist, and
/// writes them to `netlist`. The result depends only on the arguments.
///
/// # Errors
/// `placement` is not a placement of a softened netlist, `netlist` does not have these blocks, or there are more blocks
/// of a kind than sites.
pub fn assign(netlist: &mut Value, blocks: &[Block], placement: &mut Value, seed: u32) -> anyhow::Result<Lengths> {
    let sites = Site::all();
    let mut ends: HashMap<u64, Vec<End>> = HashMap::new();
    // The sums and the numbers of the tiles of each softened block.
    let mut middles = vec![((0, 0), 0); blocks.len()];
    for (name, cell) in cells(placement)? {
        let Some(tile) = cell["attributes"]["NEXTPNR_BEL"].as_str().and_then(tile) else {
            continue;
        };
        let block = soft(name);
        if let Some(block) = block {
            let ((x, y), count) = middles.get(block).context("another netlist's placement")?;
            middles[block] = ((x + tile.0, y + tile.1), count + 1);
        }
        for (_, bits) in connections(cell).filter(|(port, _)| !is_clock(port)) {
            for net in nets(bits) {
                ends.entry(net).or_default().push(End { tile, block });
            }
        }
    }
    let mut nets: Vec<Net> = Vec::new();
    let mut nets_of = vec![Vec::new(); blocks.len()];
    let mut numbers: Vec<u64> = ends.keys().copied().collect();
    numbers.sort_unstable();
    for ends in numbers.iter().map(|number| &ends[number]) {
        let mut at: Vec<usize> = ends.iter().filter_map(|end| end.block).collect();
        at.sort_unstable();
        at.dedup();
        let mut net = Net {
            x: (i32::MAX, i32::MIN),
            y: (i32::MAX, i32::MIN),
            blocks: at,
        };
        for end in ends.iter().filter(|end| end.block.is_none()) {
            let (x, y) = end.tile;
            net.x = (net.x.0.min(x), net.x.1.max(x));
            net.y = (net.y.0.min(y), net.y.1.max(y));
        }
        // Nets inside a single softened block do not exist in the real block.
        let inside = net.blocks.len() == 1 && net.x.0 > net.x.1;
        if !net.blocks.is_empty() && !inside && ends.len() <= MOST_ENDS {
            net.blocks.iter().for_each(|&block| nets_of[block].push(nets.len()));
            nets.push(net);
        }
    }
    let mut site_of = Vec::new();
    let mut taken = vec![false; sites.len()];
    for (Block { name, kind }, &((x, y), count)) in blocks.iter().zip(&middles) {
        if count == 0 {
            bail!("{name} has not been placed");
        }
        let nearest = (0..sites.len())
            .filter(|&site| sites[site].kind == *kind && !taken[site])
            .min_by_key(|&site| sites[site].distance((x / count, y / count)));
        let Some(nearest) = nearest else {
            let wanted = blocks.iter().filter(|block| block.kind == *kind).count();
            bail!("{wanted} {}, but the device has {}", kind.cell(), kind.sites().count());
        };
        taken[nearest] = true;
        site_of.push(nearest);
    }
    let total = |site_of: &[usize]| {
        let lengths = nets.iter().map(|net| net.length(&sites, site_of));
        lengths.sum::<i64>().unsigned_abs()
    };
    let before = total(&site_of);
    anneal(&nets, &nets_of, &sites, &mut site_of, seed);
    let after = total(&site_of);
    let cells = cells(netlist)?;
    for (Block { name, kind }, &site) in blocks.iter().zip(&site_of) {
        let cell = cells.get_mut(name).filter(|cell| cell["type"] == kind.cell());
        let cell = cell.with_context(|| format!("no {} {name}", kind.cell()))?;
        cell["attributes"]["BEL"] = json!(sites[site].bel());
    }
    Ok(Lengths { before, after })
}

/// The number of attempted moves per block.
const MOVES: usize = 100_000;
/// The first and the last temperature: a move that lengthens wires by this many tiles is accepted with a probability of
/// 1/e. At the end, even an increase by one tile is rarely accepted.
const FIRST_TEMPERATURE: f64 = 30.0;
const LAST_TEMPERATURE: f64 = 0.03;

/// Shortens the nets. Keeps the best arrangement found.
fn anneal(nets: &[Net], nets_of: &[Vec<usize>], sites: &[Site], site_of: &mut Vec<usize>, seed: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed.into());
    let of_kind = KINDS.map(Site::of_kind);
    let mut block_at = vec![None; sites.len()];
    site_of
        .iter()
        .enumerate()
        .for_each(|(block, &site)| block_at[site] = Some(block));
    let mut lengths: Vec<i64> = nets.iter().map(|net| net.length(sites, site_of)).collect();
    let (mut longer, mut least, mut best) = (0, 0, site_of.clone());
    let moves = MOVES * site_of.len();
    // The nets of a move with their new lengths, and the last move of each net.
    let (mut touched, mut seen) = (Vec::new(), vec![usize::MAX; nets.len()]);
    for step in 0..moves {
        let cooled = step as f64 / moves as f64;
        let temperature = FIRST_TEMPERATURE * (LAST_TEMPERATURE / FIRST_TEMPERATURE).powf(cooled);
        let block = rng.gen_range(0..site_of.len());
        let from = site_of[block];
        let to = rng.gen_range(of_kind[sites[from].kind as usize].clone());
        if from == to {
            continue;
        }
        let other: Option<usize> = block_at[to];
        site_of[block] = to;
        if let Some(other) = other {
            site_of[other] = from;
        }
        touched.clear();
        let mut difference = 0;
        for &net in [Some(block), other].iter().flatten().flat_map(|&block| &nets_of[block]) {
            if seen[net] != step {
                seen[net] = step;
                let length = nets[net].length(sites, site_of);
                difference += length - lengths[net];
                touched.push((net, length));
            }
        }
        if difference <= 0 || rng.gen::<f64>() < (-(difference as f64) / temperature).exp() {
            block_at[to] = Some(block);
            block_at[from] = other;
            touched.iter().for_each(|&(net, length)| lengths[net] = length);
            longer += difference;
            if longer < least {
                least = longer;
                best.clone_from(site_of);
            }
        } else {
            site_of[block] = from;
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

    /// A block RAM with a two-bit address and three bits of data, on nets from `first`; the clock is net 2.
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

    fn block(name: &str, kind: SiteKind) -> Block {
        let name = name.to_owned();
        Block { name, kind }
    }

    fn netlist(rams: u64) -> Value {
        let cells: BTreeMap<String, Value> = (0..rams)
            .map(|number| (format!("memory.{number}"), ram(10 + 10 * number)))
            .collect();
        json!({"modules": {"library": {}, "top": {"attributes": {"top": "1"}, "cells": cells}}})
    }

    /// A placement of a netlist, with the softened block RAMs at `middle` and a LUT on each of their nets at `ends`.
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
            .map(|block| cells[&block.name]["attributes"]["BEL"].as_str().unwrap().to_owned());
        (lengths, bels.collect())
    }

    #[test]
    fn soft_block_rams_have_the_same_ends() {
        let mut netlist = netlist(2);
        let blocks = soften(&mut netlist).unwrap();
        assert_eq!(
            blocks,
            [
                block("memory.0", SiteKind::BlockRam),
                block("memory.1", SiteKind::BlockRam)
            ]
        );
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
        // Two carries each, the second one after the first, and three registers.
        assert_eq!(cells.len(), 10);
        assert_eq!(
            cells["soft_block_1_1"]["connections"]["CIN"],
            cells["soft_block_1_0"]["connections"]["COUT"]
        );
        assert_eq!(cells["soft_block_0_1_0"]["connections"]["Q"], json!([14]));
        assert!(inputs.contains(&2));
    }

    #[test]
    fn block_rams_move_to_the_ends_of_wires() {
        // The softened RAMs are in the middle, and the cells connected to them in two corners.
        let ends = |ram| if ram % 2 == 0 { (4, 22) } else { (120, 82) };
        let placement = placed(4, |_| (60, 46), ends);
        let (lengths, bels) = assigned(4, &placement, 1);
        assert_eq!(assigned(4, &placement, 1), (lengths, bels.clone()));
        let expected: BTreeSet<&str> = ["X4/Y22/EBR0", "X6/Y22/EBR1", "X120/Y82/EBR3", "X118/Y82/EBR2"].into();
        assert_eq!(bels.iter().map(String::as_str).collect::<BTreeSet<&str>>(), expected);
        assert!(bels[0].starts_with("X4/") || bels[0].starts_with("X6/"), "{bels:?}");
        // Five nets each. One RAM of each pair is two columns away.
        assert_eq!(lengths.after, 2 * 5 * 2);
        assert!(lengths.before > 1000, "{lengths:?}");
    }

    #[test]
    fn multipliers_get_sites_of_their_kind() {
        let multiplier = json!({
            "type": MULTIPLIER,
            "port_directions": {"A0": "input", "CLK0": "input", "P0": "output"},
            "connections": {"A0": [10], "CLK0": ["0"], "P0": [100]},
            "attributes": {}
        });
        let mut design = netlist(1);
        cells(&mut design).unwrap().insert("product".to_owned(), multiplier);
        let mut placement = design.clone();
        let blocks = soften(&mut placement).unwrap();
        let ram = block("memory.0", SiteKind::BlockRam);
        assert_eq!(blocks, [ram, block("product", SiteKind::Multiplier)]);
        for (name, cell) in cells(&mut placement).unwrap() {
            // The multiplier gets the clock of the RAM.
            if cell["type"] == "TRELLIS_FF" {
                assert_eq!(cell["connections"]["CLK"], json!([2]), "{name}");
            }
            cell["attributes"]["NEXTPNR_BEL"] = json!("X5/Y12/SLICEA.K0");
        }
        assign(&mut design, &blocks, &mut placement, 1).unwrap();
        let cells = cells(&mut design).unwrap();
        // The only net between the two has the minimum length.
        let tile_of = |name: &str| tile(cells[name]["attributes"]["BEL"].as_str().unwrap()).unwrap();
        let (ram, product) = (tile_of("memory.0"), tile_of("product"));
        assert!(
            ram.1 - product.1 == 12 && (ram.0 - product.0).abs() <= 1,
            "{ram:?}, {product:?}"
        );
        let bel = cells["product"]["attributes"]["BEL"].as_str().unwrap();
        assert!(bel.contains("/MULT18_"), "{bel}");
    }

    #[test]
    fn each_kind_has_its_sites() {
        let bels: BTreeSet<String> = Site::all().iter().map(Site::bel).collect();
        assert_eq!(bels.len(), 208 + 156);
        // Some of the sites that nextpnr lists.
        for bel in [
            "X4/Y22/EBR0",
            "X75/Y46/EBR3",
            "X120/Y82/EBR3",
            "X4/Y10/MULT18_0",
            "X59/Y34/MULT18_1",
            "X119/Y58/MULT18_5",
        ] {
            assert!(bels.contains(bel), "{bel}");
        }
    }

    #[test]
    fn full_device_uses_each_site_once() {
        let sites = SiteKind::BlockRam.sites().count() as u64;
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
    fn too_many_blocks_are_reported() {
        let placement = placed(209, |_| (60, 46), |_| (4, 22));
        let blocks = soften(&mut netlist(209)).unwrap();
        let error = assign(&mut netlist(209), &blocks, &mut placement.clone(), 1).unwrap_err();
        assert_eq!(error.to_string(), "209 DP16KD, but the device has 208");
        let error = assign(&mut netlist(1), &blocks[..1], &mut netlist(1), 1).unwrap_err();
        assert_eq!(error.to_string(), "memory.0 has not been placed");
        let error = assign(&mut netlist(1), &blocks[..1], &mut placement.clone(), 1).unwrap_err();
        assert_eq!(error.to_string(), "another netlist's placement");
        assert!(soften(&mut json!({})).is_err());
        assert!(soften(&mut json!({"modules": {"top": {"cells": {}}}})).is_err());
    }
}
