//! Copies registers with ends in two distant regions.
//!
//! yosys merges registers with the same data, even registers of two circuits. Wherever such a register is placed, the
//! wires to some of its ends are long. So, once all cells are placed, a register with many ends at which a slow path
//! begins gets a copy, and each end is driven by the nearer of the two. The copy is placed where it makes the wires
//! shortest.

use super::design::{self, Design, Places, Role, Sink, NONE, PLACES};
use super::timing::{between, Times, Timing};
use crate::netlist::{cells, connections, net_at, nets, top};
use anyhow::Context;
use serde_json::{json, Map, Value};

/// The minimum number of ends of a register that is copied. The router makes one tree of their wires, so wires to
/// distant ends are slower than others of the same length: 7.9 ns instead of 6.4, measured.
const MANY: usize = 100;
/// The minimum share of the ends that both the register and the copy must drive: a tenth. With fewer, the register is
/// only in the wrong region, and a copy does not help.
const SHARE: usize = 10;
/// The minimum gain of a path for a copy, in ns.
const GAIN: f32 = 0.5;
/// The suffix of a copy's name, after the name of the register.
const SUFFIX: &str = "$copy";

/// A copy that is to be made.
struct Plan {
    register: usize,
    /// The site of the copy.
    place: usize,
    /// The cells that the copy drives.
    drives: Vec<u32>,
}

/// Adds copies to a placement: one of each register at which a path of more than `period` ns begins, if it makes the
/// register's slowest path faster. Returns the names of the registers.
///
/// # Errors
/// `placement` is not a placement for an ECP5.
pub fn add(placement: &mut Value, period: f64) -> anyhow::Result<Vec<String>> {
    let (design, mut places) = design::read(placement)?;
    let mut names = Vec::new();
    for plan in plans(&design, &mut places, period as f32) {
        let name = &design.names[plan.register];
        insert(placement, &design, &plan, &places.bel_of(plan.place, Role::FlipFlop))
            .with_context(|| format!("the register {name}"))?;
        names.push(name.clone());
    }
    Ok(names)
}

/// The copies to make. In `places`, the site of each copy is marked as occupied by its register.
fn plans(design: &Design, places: &mut Places, period: f32) -> Vec<Plan> {
    let times = Timing::new(design, period).times(design, places);
    let mut plans = Vec::new();
    for (net, &register) in design.drivers.iter().enumerate() {
        if register != NONE && design.roles[register as usize] == Role::FlipFlop {
            if let Some(plan) = plan(design, places, &times, net, period) {
                places.flip_flops[plan.place] = register;
                plans.push(plan);
            }
        }
    }
    plans
}

/// A copy of the register that drives this net, if it gains enough.
fn plan(design: &Design, places: &Places, times: &Times, net: usize, period: f32) -> Option<Plan> {
    let register = design.drivers[net] as usize;
    let sinks = design.sinks_of.row(net);
    let wire = |from: (i16, i16), sink: &Sink| between(from, places.at[sink.cell as usize]);
    let takes = |from, sink: &Sink| design.delays[register] + wire(from, sink) + times.behind(design, sink);
    let here = places.at[register];
    let slow: Vec<&Sink> = sinks.iter().filter(|sink| takes(here, sink) > period).collect();
    if sinks.len() < MANY || slow.is_empty() {
        return None;
    }
    // The slowest of these paths if they began in another tile, and of the paths that would end there, at the data and
    // at the control signals of the register.
    let inputs = design
        .nets_of
        .row(register)
        .iter()
        .map(|&net| design.drivers[net as usize]);
    let inputs: Vec<usize> = inputs
        .filter(|&from| from != NONE)
        .map(|from| from as usize)
        .filter(|&from| from != register)
        .collect();
    let slowest = |tile| {
        let before = inputs
            .iter()
            .map(|&from| times.arrival[from] + between(places.at[from], tile));
        before
            .chain(slow.iter().map(|sink| takes(tile, sink)))
            .fold(0.0, f32::max)
    };
    let most = slow.iter().map(|sink| takes(here, sink)).fold(0.0, f32::max) - GAIN;
    let mut tiles: Vec<(f32, usize)> = (0..places.tiles.len())
        .filter(|&tile| slowest(places.tile_at(tile)) < most)
        .map(|tile| {
            let there = places.tile_at(tile);
            (
                sinks.iter().map(|sink| wire(here, sink).min(wire(there, sink))).sum(),
                tile,
            )
        })
        .collect();
    tiles.sort_by(|one, other| one.0.total_cmp(&other.0));
    let place = tiles
        .into_iter()
        .find_map(|(_, tile)| places.free(tile, register, design))?;
    let there = places.tile_at(place / PLACES);
    let nearer = sinks.iter().filter(|sink| wire(there, sink) < wire(here, sink));
    let drives: Vec<u32> = nearer.map(|sink| sink.cell).collect();
    let few = sinks.len() / SHARE;
    let are_two_groups = (few..=sinks.len() - few).contains(&drives.len());
    are_two_groups.then_some(Plan {
        register,
        place,
        drives,
    })
}

fn insert(placement: &mut Value, design: &Design, plan: &Plan, bel: &str) -> anyhow::Result<()> {
    let name = &design.names[plan.register];
    let copy_name = format!("{name}{SUFFIX}");
    let numbers = cells(placement)?.values().flat_map(connections);
    let new = 1 + numbers.flat_map(|(_, bits)| nets(bits)).max().unwrap_or_default();
    let all = cells(placement)?;
    let register = all.get(name).context("is not a cell")?;
    let output = net_at(register, "Q").context("has no output")?;
    // The copy cannot have the register's LUT in front of it, so its data arrive through the pin M.
    let data = net_at(register, "DI")
        .or_else(|| net_at(register, "M"))
        .context("has no data")?;
    let mut copy = register.clone();
    let mut connections: Map<String, Value> = Map::new();
    let mut directions: Map<String, Value> = Map::new();
    for port in ["CLK", "CE", "LSR"] {
        if let Some(net) = net_at(register, port) {
            connections.insert(port.to_owned(), json!([net]));
            directions.insert(port.to_owned(), json!("input"));
        }
    }
    for (port, net, direction) in [("M", data, "input"), ("Q", new, "output")] {
        connections.insert(port.to_owned(), json!([net]));
        directions.insert(port.to_owned(), json!(direction));
    }
    copy["connections"] = Value::Object(connections);
    copy["port_directions"] = Value::Object(directions);
    // The string has a space, because nextpnr reads a string of only zeros and ones as a number.
    copy["parameters"]["SD"] = json!("0 ");
    copy["attributes"]["NEXTPNR_BEL"] = json!(bel);
    for &cell in &plan.drives {
        let pins = all[&design.names[cell as usize]]["connections"].as_object_mut();
        for bits in pins
            .into_iter()
            .flat_map(Map::values_mut)
            .filter(|bits| nets(bits).eq([output]))
        {
            *bits = json!([new]);
        }
    }
    all.insert(copy_name.clone(), copy);
    let netnames = top(placement)?["netnames"].as_object_mut().context("no nets")?;
    netnames.insert(copy_name, json!({"attributes": {}, "bits": [new], "hide_name": 0}));
    Ok(())
}
