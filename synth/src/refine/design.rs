//! The parts of a nextpnr placement that are needed to move cells.

use crate::netlist::{cells, connections, is_clock, is_output, net_at, nets, tile, top, Tile};
use crate::sites::Site;
use anyhow::{ensure, Context};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number that represents no cell, no net or no tile.
pub(super) const NONE: u32 = u32::MAX;
/// The number of sites in a tile, each for a LUT followed by a flip-flop. Two sites form a slice.
pub(super) const PLACES: usize = 8;
/// The range of columns and rows of a device: the largest has 127 and 96.
const DEVICE: std::ops::Range<i32> = 0..256;

/// Rows of different lengths, stored contiguously.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows<T> {
    first: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    pub(super) fn of(rows: impl IntoIterator<Item = impl IntoIterator<Item = T>>) -> Self {
        let (mut first, mut items) = (vec![0], Vec::new());
        for row in rows {
            items.extend(row);
            first.push(items.len() as u32);
        }
        Rows { first, items }
    }

    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }

    /// The indices of a row's items among all items.
    pub(super) fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.first[row] as usize..self.first[row + 1] as usize
    }

    /// The total number of items.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }
}

/// The role of a cell in moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Lut,
    FlipFlop,
    /// A cell outside slices, or the write port of a distributed RAM: fixed, except for block RAMs and multipliers.
    Other,
}

/// The control signals of a flip-flop. Equal numbers mean equal wiring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Control {
    /// Clock and reset, common to a tile.
    pub(super) tile: u16,
    /// Clock enable, common to a slice.
    pub(super) slice: u16,
    /// True if the data arrive through the pin M, not from the LUT in front of the flip-flop.
    pub(super) by_m: bool,
}

/// A cell at the end of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sink {
    pub(super) cell: u32,
    /// True if it is reached by a dedicated path within a tile, which takes no time.
    pub(super) inside: bool,
    /// True if it is reached through a carry chain.
    pub(super) carry: bool,
}

/// Numbered cells and nets. Global clocks, constants, and nets with a single end are left out.
pub(super) struct Design {
    pub(super) names: Vec<String>,
    pub(super) roles: Vec<Role>,
    pub(super) controls: Vec<Control>,
    /// The delay from a cell's inputs, or its clock, to its outputs, in ns.
    pub(super) delays: Vec<f32>,
    /// True for cells at which paths begin and end.
    pub(super) clocked: Vec<bool>,
    pub(super) nets_of: Rows<u32>,
    /// The nets that reach a cell through its tile's inputs.
    pub(super) inputs_of: Rows<u32>,
    pub(super) cells_of: Rows<u32>,
    pub(super) sinks_of: Rows<Sink>,
    pub(super) drivers: Vec<u32>,
}

/// The locations of all cells, and their constraints.
pub(super) struct Places {
    pub(super) tiles: Vec<Tile>,
    /// The number of the tile in each row and column.
    numbers: Vec<u32>,
    width: i32,
    /// The tile of each cell.
    pub(super) at: Vec<(i16, i16)>,
    /// The site of each LUT and flip-flop: the number of its tile times [`PLACES`], plus the index in the tile.
    pub(super) place: Vec<u32>,
    /// The LUT and the flip-flop at each site.
    pub(super) luts: Vec<u32>,
    pub(super) flip_flops: Vec<u32>,
    /// For each site, true if the LUT is fixed, as part of a carry or a distributed RAM.
    pub(super) fixed: Vec<bool>,
    /// For each site, true if the flip-flop gets its data from the LUT.
    pub(super) behind: Vec<bool>,
    /// For each site, true if a multiplexer uses the pin M.
    pub(super) takes_m: Vec<bool>,
    /// For each site, the number of slices, 1, 2 or 4, of the multiplexer to which it belongs; otherwise 0.
    pub(super) multiplexer: Vec<u8>,
    /// The sites of block RAMs and multipliers, and the block on each.
    pub(super) sites: Vec<Site>,
    pub(super) blocks: Vec<u32>,
}

impl Places {
    /// The number of a tile of slices.
    pub(super) fn number(&self, (x, y): (i32, i32)) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < self.width;
        let number = *self.numbers.get(inside.then_some((y * self.width + x) as usize)?)?;
        (number != NONE).then_some(number as usize)
    }

    /// The column and row of a tile of slices.
    pub(super) fn tile_at(&self, tile: usize) -> (i16, i16) {
        let (x, y) = self.tiles[tile];
        (x as i16, y as i16)
    }

    /// A free site in a tile for another flip-flop, with the same controls as `like` and data through the pin M.
    pub(super) fn free(&self, tile: usize, like: usize, design: &Design) -> Option<usize> {
        let control = Control {
            by_m: true,
            ..design.controls[like]
        };
        let mut free = (tile * PLACES..(tile + 1) * PLACES).filter(|&place| self.flip_flops[place] == NONE);
        free.find(|&free| {
            self.allows(tile, |place| match place == free {
                true => Some(control),
                false => self.control(place, design),
            })
        })
    }

    /// nextpnr's name for the site of a LUT or flip-flop.
    pub(super) fn bel(&self, cell: usize, role: Role) -> String {
        self.bel_of(self.place[cell] as usize, role)
    }

    /// nextpnr's name for a site.
    pub(super) fn bel_of(&self, place: usize, role: Role) -> String {
        let (x, y) = self.tiles[place / PLACES];
        let place = place % PLACES;
        let slice = ["A", "B", "C", "D"][place / 2];
        let kind = if role == Role::Lut { "K" } else { "FF" };
        format!("X{x}/Y{y}/SLICE{slice}.{kind}{}", place % 2)
    }

    /// True if nextpnr allows this combination of flip-flops and multiplexers in a tile.
    pub(super) fn is_legal(&self, tile: usize, design: &Design) -> bool {
        self.allows(tile, |place| self.control(place, design))
    }

    /// The controls of the flip-flop at a site.
    fn control(&self, place: usize, design: &Design) -> Option<Control> {
        let cell = self.flip_flops[place];
        (cell != NONE).then(|| design.controls[cell as usize])
    }

    /// True if nextpnr allows flip-flops with these controls next to a tile's multiplexers.
    fn allows(&self, tile: usize, control: impl Fn(usize) -> Option<Control>) -> bool {
        let mut of_tile = None;
        for slice in 0..PLACES / 2 {
            let mut of_slice = None;
            for place in [0, 1].map(|half| tile * PLACES + slice * 2 + half) {
                let Some(control) = control(place) else { continue };
                let fits = *of_tile.get_or_insert(control.tile) == control.tile
                    && *of_slice.get_or_insert(control.slice) == control.slice;
                if !fits || control.by_m && self.takes_m[place] {
                    return false;
                }
            }
        }
        true
    }
}

/// A cell as read from the placement.
struct Cell<'a> {
    name: &'a str,
    json: &'a Value,
    tile: Tile,
    /// The part of the site's name after the tile, such as `SLICEA.K0`.
    site: &'a str,
}

pub(super) fn role(cell: &Value) -> Role {
    match cell["type"].as_str().unwrap_or_default() {
        "TRELLIS_COMB" => Role::Lut,
        "TRELLIS_FF" => Role::FlipFlop,
        _ => Role::Other,
    }
}

impl Cell<'_> {
    fn net(&self, port: &str) -> Option<u64> {
        net_at(self.json, port)
    }

    fn parameter(&self, name: &str) -> &str {
        self.json["parameters"][name].as_str().unwrap_or_default().trim()
    }

    fn kind(&self) -> &str {
        self.json["type"].as_str().unwrap_or_default()
    }

    fn mode(&self) -> &str {
        self.parameter("MODE")
    }

    fn role(&self) -> Role {
        role(self.json)
    }

    /// The delay, approximately as in nextpnr's database for speed grade 6.
    fn delay(&self) -> f32 {
        match (self.kind(), self.mode()) {
            ("TRELLIS_FF", _) => 0.5,
            ("DP16KD", _) => 5.7,
            ("MULT18X18D", _) => 4.0,
            ("TRELLIS_COMB", "CCU2") => 0.45,
            ("TRELLIS_COMB", "DPRAM") => 0.6,
            ("TRELLIS_COMB", _) => 0.25,
            _ => 0.0,
        }
    }

    fn is_clocked(&self) -> bool {
        // Multipliers are used without registers.
        !matches!(self.kind(), "TRELLIS_COMB" | "MULT18X18D")
    }

    /// The index in its tile of a cell in a slice.
    fn place(&self) -> Option<usize> {
        let mut letters = self.site.strip_prefix("SLICE")?.chars();
        let slice = "ABCD".find(letters.next()?)?;
        Some(2 * slice + "01".find(letters.next_back()?)?)
    }
}

/// True for wires within a slice or between neighbours: carries, multiplexers, and from a LUT to its flip-flop.
fn is_inside(port: &str) -> bool {
    matches!(port, "DI" | "FCI" | "F1" | "FXA" | "FXB")
}

/// True for connections of a distributed RAM's LUT to the write port of its slices.
fn is_write_port(port: &str) -> bool {
    port == "WD" || port == "WRE" || port == "WCK" || port.starts_with("WAD")
}

/// Maps texts to numbers, with equal numbers for equal texts.
#[derive(Default)]
struct Numbers(HashMap<String, u16>);

impl Numbers {
    fn of(&mut self, text: String) -> u16 {
        let next = self.0.len() as u16;
        *self.0.entry(text).or_insert(next)
    }
}

/// Reads a placement written by nextpnr.
///
/// # Errors
/// The JSON is not a placement; the error names a cell that is not placed.
pub(super) fn read(placement: &mut Value) -> anyhow::Result<(Design, Places)> {
    let mut apart: BTreeSet<u64> = BTreeSet::new();
    let names = top(placement)?["netnames"].as_object().context("no nets")?;
    for (name, net) in names {
        if net["attributes"].get("ECP5_IS_GLOBAL").is_some() || name.starts_with("$PACKER_") {
            apart.extend(nets(&net["bits"]));
        }
    }
    let mut list = Vec::new();
    for (name, json) in cells(placement)?.iter() {
        let bel = json["attributes"]["NEXTPNR_BEL"].as_str();
        let bel = bel.with_context(|| format!("{name} has not been placed"))?;
        let unknown = || format!("{name} is at {bel}, which is not a location of an ECP5");
        let tile = tile(bel).with_context(unknown)?;
        let site = bel.rsplit('/').next().unwrap_or_default();
        let cell = Cell { name, json, tile, site };
        let is_device = [tile.0, tile.1].iter().all(|at| DEVICE.contains(at));
        ensure!(
            is_device && (cell.role() == Role::Other || cell.place().is_some()),
            unknown()
        );
        list.push(cell);
    }
    // Cells that are neighbours, or are processed together, get close numbers.
    list.sort_by_key(|cell| (cell.tile.1 / 8, cell.tile.0 / 8, cell.tile, cell.site));
    let design = design(&list, &apart);
    let places = places(&list)?;
    Ok((design, places))
}

fn design(list: &[Cell], apart: &BTreeSet<u64>) -> Design {
    #[derive(Default)]
    struct Net {
        driver: Option<u32>,
        cells: Vec<u32>,
        sinks: Vec<Sink>,
        comes_to: Vec<u32>,
    }
    let mut found: BTreeMap<u64, Net> = BTreeMap::new();
    let mut controls = Vec::new();
    let (mut tiles, mut slices) = (Numbers::default(), Numbers::default());
    for (number, cell) in list.iter().enumerate() {
        let number = number as u32;
        let role = cell.role();
        for (port, bits) in connections(cell.json) {
            let Some(bit) = nets(bits).next().filter(|bit| !apart.contains(bit)) else {
                continue;
            };
            let net = found.entry(bit).or_default();
            net.cells.push(number);
            let is_aside = is_clock(port) || role == Role::Lut && is_write_port(port);
            if is_output(cell.json, port) {
                net.driver = Some(number);
            } else if !is_aside {
                let inside = is_inside(port);
                net.sinks.push(Sink {
                    cell: number,
                    inside,
                    carry: port == "FCI",
                });
                if !inside && role != Role::Other {
                    net.comes_to.push(number);
                }
            }
        }
        controls.push(if role == Role::FlipFlop {
            let of_tile = ["CLKMUX", "LSRMUX", "SRMODE"].map(|name| cell.parameter(name).replace("LSR_OVER_CE", ""));
            let of_slice = ["CEMUX", "GSR"].map(|name| cell.parameter(name));
            Control {
                tile: tiles.of(format!("{:?} {:?} {of_tile:?}", cell.net("CLK"), cell.net("LSR"))),
                slice: slices.of(format!("{:?} {of_slice:?}", cell.net("CE"))),
                by_m: cell.net("M").is_some(),
            }
        } else {
            Control::default()
        });
    }
    let mut nets: Vec<Net> = Vec::new();
    for mut net in found.into_values() {
        for cells in [&mut net.cells, &mut net.comes_to] {
            cells.sort_unstable();
            cells.dedup();
        }
        net.sinks.sort_unstable();
        net.sinks.dedup_by_key(|sink| sink.cell);
        if net.cells.len() > 1 {
            nets.push(net);
        }
    }
    // Nets are sorted by their first cells, for the same reason.
    nets.sort_by_key(|net| net.cells[0]);
    let (mut nets_of, mut inputs_of) = (vec![Vec::new(); list.len()], vec![Vec::new(); list.len()]);
    for (number, net) in nets.iter().enumerate() {
        let all = |of: &mut Vec<Vec<u32>>, cells: &[u32]| {
            cells.iter().for_each(|&cell| of[cell as usize].push(number as u32));
        };
        all(&mut nets_of, &net.cells);
        all(&mut inputs_of, &net.comes_to);
    }
    Design {
        names: list.iter().map(|cell| cell.name.to_owned()).collect(),
        roles: list.iter().map(Cell::role).collect(),
        controls,
        delays: list.iter().map(Cell::delay).collect(),
        clocked: list.iter().map(Cell::is_clocked).collect(),
        nets_of: Rows::of(nets_of),
        inputs_of: Rows::of(inputs_of),
        drivers: nets.iter().map(|net| net.driver.unwrap_or(NONE)).collect(),
        cells_of: Rows::of(nets.iter_mut().map(|net| std::mem::take(&mut net.cells))),
        sinks_of: Rows::of(nets.iter_mut().map(|net| std::mem::take(&mut net.sinks))),
    }
}

fn places(list: &[Cell]) -> anyhow::Result<Places> {
    let in_slices = || list.iter().filter_map(|cell| Some((cell, cell.place()?)));
    let mut tiles: Vec<Tile> = Vec::new();
    let mut number_of: HashMap<Tile, usize> = HashMap::new();
    for (cell, _) in in_slices() {
        number_of.entry(cell.tile).or_insert_with(|| {
            tiles.push(cell.tile);
            tiles.len() - 1
        });
    }
    let width = tiles.iter().map(|tile| tile.0 + 1).max().unwrap_or_default();
    let height = tiles.iter().map(|tile| tile.1 + 1).max().unwrap_or_default();
    let mut numbers = vec![NONE; (width * height) as usize];
    for (number, (x, y)) in tiles.iter().enumerate() {
        numbers[(y * width + x) as usize] = number as u32;
    }
    let all = tiles.len() * PLACES;
    let sites = Site::all();
    let number_of_site: HashMap<String, usize> = sites.iter().map(Site::bel).zip(0..).collect();
    let mut blocks = vec![NONE; sites.len()];
    for (number, cell) in list.iter().enumerate() {
        let bel = format!("X{}/Y{}/{}", cell.tile.0, cell.tile.1, cell.site);
        if let Some(&site) = number_of_site.get(&bel) {
            ensure!(blocks[site] == NONE, "{} is at the location of another cell", cell.name);
            blocks[site] = number as u32;
        }
    }
    let mut places = Places {
        sites,
        blocks,
        numbers,
        width,
        at: list
            .iter()
            .map(|cell| (cell.tile.0 as i16, cell.tile.1 as i16))
            .collect(),
        place: vec![NONE; list.len()],
        luts: vec![NONE; all],
        flip_flops: vec![NONE; all],
        fixed: vec![false; all],
        behind: vec![false; all],
        takes_m: vec![false; all],
        multiplexer: vec![0; all],
        tiles,
    };
    // The map has, for each net that a multiplexer drives, the position of the multiplexer.
    let mut comes_from = HashMap::new();
    for (number, cell) in list.iter().enumerate() {
        let role = cell.role();
        let Some(place) = cell.place().filter(|_| role != Role::Other) else {
            continue;
        };
        let place = number_of[&cell.tile] * PLACES + place;
        places.place[number] = place as u32;
        let there = if role == Role::Lut {
            places.fixed[place] = !cell.mode().is_empty();
            places.takes_m[place] = cell.net("OFX").is_some();
            for port in ["F", "OFX"] {
                cell.net(port).map(|net| comes_from.insert(net, place));
            }
            &mut places.luts[place]
        } else {
            places.behind[place] = cell.net("M").is_none();
            &mut places.flip_flops[place]
        };
        ensure!(*there == NONE, "{} is at the location of another cell", cell.name);
        *there = number as u32;
    }
    // The slices of a multiplexer are neighbours, and must stay so.
    for cell in list
        .iter()
        .filter(|cell| cell.role() == Role::Lut && cell.mode().is_empty())
    {
        let parts = ["F1", "FXA", "FXB"].map(|port| cell.net(port));
        let Some(place) = cell.place().filter(|_| parts.iter().any(Option::is_some)) else {
            continue;
        };
        let tile = number_of[&cell.tile];
        for from in parts.iter().flatten().filter_map(|net| comes_from.get(net)) {
            ensure!(
                from / PLACES == tile,
                "{} is not next to the cells it selects from",
                cell.name
            );
            // The aligned group of one, two or four slices that contains both.
            let (one, other) = (from % PLACES / 2, place / 2);
            let size = if one == other {
                1
            } else if one / 2 == other / 2 {
                2
            } else {
                4
            };
            let first = tile * PLACES + 2 * (other - other % size);
            for group in &mut places.multiplexer[first..first + 2 * size] {
                *group = (*group).max(size as u8);
            }
        }
    }
    Ok(places)
}
