//! Netlists as written by yosys, and placements as written by nextpnr with `--write`: JSON.

use anyhow::Context;
use serde_json::{json, Map, Value};

/// A tile: its column and row.
pub(super) type Tile = (i32, i32);

pub(super) fn top(netlist: &mut Value) -> anyhow::Result<&mut Value> {
    let modules = netlist.get_mut("modules").and_then(Value::as_object_mut);
    let modules = modules.context("no modules")?;
    modules
        .values_mut()
        .find(|module| module["attributes"].get("top").is_some())
        .context("no top module")
}

/// The cells of the top module.
pub(super) fn cells(netlist: &mut Value) -> anyhow::Result<&mut Map<String, Value>> {
    let cells = top(netlist)?.get_mut("cells").and_then(Value::as_object_mut);
    cells.context("no cells")
}

/// Writes nextpnr settings to the netlist.
///
/// # Errors
/// `netlist` is not a netlist.
pub(super) fn set(netlist: &mut Value, settings: &[(&str, &str)]) -> anyhow::Result<()> {
    let top = top(netlist)?;
    for (name, value) in settings {
        top["settings"][*name] = json!(value);
    }
    Ok(())
}

/// The numbers of the nets connected to a port of a cell, without constants.
pub(super) fn nets(bits: &Value) -> impl Iterator<Item = u64> + '_ {
    bits.as_array().into_iter().flatten().filter_map(Value::as_u64)
}

/// The net at a port of one bit, unless it is open or a constant.
pub(super) fn net_at(cell: &Value, port: &str) -> Option<u64> {
    nets(&cell["connections"][port]).next()
}

/// True if the port is a clock; clocks have dedicated wires.
pub(super) fn is_clock(port: &str) -> bool {
    port.starts_with("CLK")
}

pub(super) fn is_output(cell: &Value, port: &str) -> bool {
    cell["port_directions"][port] == "output"
}

pub(super) fn connections(cell: &Value) -> impl Iterator<Item = (&String, &Value)> {
    cell["connections"].as_object().into_iter().flatten()
}

/// The tile in a nextpnr name such as `X12/Y34/SLICEA.K0`.
pub(super) fn tile(bel: &str) -> Option<Tile> {
    let mut parts = bel.split('/');
    let mut number = |letter| parts.next()?.strip_prefix(letter)?.parse().ok();
    Some((number('X')?, number('Y')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_belong_to_the_top_module() {
        let mut netlist = json!({"modules": {"library": {}, "top": {"attributes": {"top": "1"}}}});
        set(&mut netlist, &[("router2/histCongWeight", "1.000000")]).unwrap();
        let modules = &netlist["modules"];
        assert_eq!(
            modules["top"]["settings"],
            json!({"router2/histCongWeight": "1.000000"})
        );
        assert!(modules["library"].get("settings").is_none());
    }
}
