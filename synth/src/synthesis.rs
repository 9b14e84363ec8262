//! A top module, synthesised by yosys with its hierarchy, as a table by module.

use crate::cells::{Family, KINDS};
use crate::tool::YOSYS;
use anyhow::Context;
use flexgrip_export::verilog::{verilog_with_sizes, BoardSizes, Top};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Capability, Protect};
use hdlkit::output::grouped;
use hdlkit::output::note;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The output of yosys's `stat -json`.
pub(super) struct Statistics {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    /// The number of cells and instances of modules, by type.
    num_cells_by_type: BTreeMap<String, u64>,
}

impl Statistics {
    /// The yosys command that writes the statistics to a file.
    pub(super) fn command(file: &str) -> String {
        format!("tee -q -o {file} stat -json\n")
    }

    /// Reads the statistics from this file.
    pub(super) fn read(path: &Path) -> anyhow::Result<Statistics> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let modules = Self::modules(&text).with_context(|| path.display().to_string())?;
        Ok(Statistics { modules })
    }

    /// Reads the modules. The file is not always valid JSON: for a hierarchical design, yosys 0.23 adds a readable tree
    /// after the modules.
    fn modules(text: &str) -> anyhow::Result<BTreeMap<String, Module>> {
        const MODULES: &str = "\"modules\":";
        let from = text.find(MODULES).context("yosys's statistics have no modules")?;
        let behind = &text[from + MODULES.len()..];
        let mut values = serde_json::Deserializer::from_str(behind).into_iter();
        Ok(values.next().context("yosys's statistics end before the modules")??)
    }

    /// The number of cells of a type in a module, without its submodules.
    pub(super) fn cells(&self, module: &str, cell: &str) -> u64 {
        let cells = self.modules.get(&format!("\\{module}"));
        cells
            .and_then(|module| module.num_cells_by_type.get(cell).copied())
            .unwrap_or_default()
    }

    /// The resources of a module, without its submodules, indexed as [`KINDS`].
    pub(super) fn kinds(&self, family: Family, module: &str) -> [u64; KINDS.len()] {
        let mut kinds = [0; KINDS.len()];
        let cells = self.modules.get(&format!("\\{module}"));
        for (cell, number) in cells.iter().flat_map(|cells| &cells.num_cells_by_type) {
            if let Some((kind, weight)) = family.kind(cell) {
                kinds[kind] += weight * number;
            }
        }
        kinds
    }
}

/// The share of a module in the resources.
#[derive(Clone, Default, Serialize)]
pub struct Share {
    /// The name of the module.
    pub module: String,
    /// The number of instances in the machine.
    pub instances: u64,
    /// The resources of one instance, without its submodules, indexed as [`KINDS`].
    pub own: [u64; KINDS.len()],
}

/// The resources of a top module.
#[derive(Serialize)]
pub struct Report {
    /// The FPGA family.
    pub family: &'static str,
    /// The top module.
    pub top: &'static str,
    /// The number of lanes of an SM.
    pub lanes: u32,
    /// The version of yosys.
    pub yosys: String,
    /// The kinds of resources of `own` and `sum`.
    pub kinds: [&'static str; KINDS.len()],
    /// The modules, the largest first.
    pub modules: Vec<Share>,
    /// The total resources.
    pub sum: [u64; KINDS.len()],
}

/// Adds the instances of `module` and its submodules, for `count_here` instances of `module`.
fn count(statistics: &Statistics, module: &str, count_here: u64, instances: &mut BTreeMap<String, u64>) {
    *instances.entry(module.into()).or_default() += count_here;
    let Some(cells) = statistics.modules.get(&format!("\\{module}")) else {
        return;
    };
    for (cell, number) in &cells.num_cells_by_type {
        // A module that contains a cell of its own name wraps a primitive of yosys.
        if cell != module && statistics.modules.contains_key(&format!("\\{cell}")) {
            count(statistics, cell, count_here * number, instances);
        }
    }
}

/// Synthesises a top module of a machine with one SM. Writes Verilog, netlist and yosys's log to `folder`.
///
/// # Errors
/// yosys cannot be run or fails, or files cannot be written; the top has no register file to protect.
pub fn synthesise(
    family: Family,
    top: Top,
    lanes: Lanes,
    capability: Capability,
    protect: Protect,
    folder: &Path,
) -> anyhow::Result<Report> {
    let version = YOSYS.version("-V")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let sizes = BoardSizes {
        memories: top.memories(),
        capability,
        protect,
        ..BoardSizes::SMALL
    };
    let later = capability.suffix();
    let name = format!("{}_{lanes}{later}{}_{}", top.name(), protect.suffix(), family.name());
    let file = |extension: &str| format!("{name}.{extension}");
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write(
        &folder.join(file("v")),
        &verilog_with_sizes(top, lanes, Sms::One, sizes)?,
    )?;
    let mut script = family.script(&[&file("v")], top.name(), false, &file("json"));
    script += &Statistics::command(&file("stat"));
    write(&folder.join(file("ys")), &script)?;
    note(format_args!(
        "{version} synthesises {} in {}; the whole machine takes some ten minutes",
        file("v"),
        folder.display()
    ));
    YOSYS.run(&["-q", "-s", &file("ys")], folder, &file("log"))?;
    let statistics = Statistics::read(&folder.join(file("stat")))?;
    let mut instances = BTreeMap::new();
    count(&statistics, top.name(), 1, &mut instances);
    let mut modules: Vec<Share> = instances
        .into_iter()
        .map(|(module, instances)| {
            let own = statistics.kinds(family, &module);
            Share { module, instances, own }
        })
        .collect();
    // The largest first.
    modules.sort_by_key(|share| std::cmp::Reverse(share.instances * share.own[0]));
    let mut sum = [0; KINDS.len()];
    for share in &modules {
        for (sum, own) in sum.iter_mut().zip(share.own) {
            *sum += share.instances * own;
        }
    }
    Ok(Report {
        family: family.name(),
        top: top.name(),
        lanes: lanes.count(),
        yosys: version,
        kinds: KINDS,
        modules,
        sum,
    })
}

impl Report {
    /// The report as a table.
    pub fn table(&self) -> String {
        let line = |module: &str, instances: &str, cells: [String; KINDS.len()]| {
            let cells: String = cells.iter().map(|cell| format!(" {cell:>12}")).collect();
            format!("{module:<32} {instances:>9}{cells}\n")
        };
        let mut text = format!(
            "{} on {}, {} lanes, {}\n\n",
            self.top, self.family, self.lanes, self.yosys
        );
        text.push_str(&line("module", "instances", self.kinds.map(String::from)));
        for share in &self.modules {
            let cells = share.own.map(|own| grouped(own * share.instances));
            text.push_str(&line(&share.module, &share.instances.to_string(), cells));
        }
        text.push_str(&line("sum", "", self.sum.map(grouped)));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of yosys 0.23 for a hierarchical design.
    const WITH_A_TREE: &str = r#"{
   "creator": "Yosys 0.23",
   "modules": {
      "\\top": { "num_cells": 3, "num_cells_by_type": { "LUT4": 2, "leaf": 1 } },
      "\\leaf": { "num_cells": 5, "num_cells_by_type": { "LUT4": 5 } }
   },
       top                           1
         leaf                        1

   "design": { "num_cells": 8 }
}"#;

    #[test]
    fn statistics_are_parsed_with_and_without_tree() {
        let plain = r#"{"modules": {"\\top": {"num_cells_by_type": {"LUT4": 2}}}, "design": {}}"#;
        for (text, leaf) in [(WITH_A_TREE, 5), (plain, 0)] {
            let modules = Statistics::modules(text).unwrap();
            let statistics = Statistics { modules };
            assert_eq!(
                (statistics.cells("top", "LUT4"), statistics.cells("leaf", "LUT4")),
                (2, leaf)
            );
        }
    }

    #[test]
    fn other_files_are_refused() {
        for text in ["", "{}", "{\"modules\":", "{\"modules\": 3}"] {
            assert!(Statistics::modules(text).is_err(), "{text}");
        }
    }
}
