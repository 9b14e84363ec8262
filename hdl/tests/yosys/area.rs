//! The FPGA area of execution units and of decode, compared exactly with `baselines/area.toml`. Even an improvement
//! fails until it is recorded with `cargo xtask update area`. Some blocks also have a limit that no
//! recorded baseline may exceed, and none may have a latch.
//!
//! The figures belong to one version of yosys, named in the baseline. With another version only limits and latches are
//! checked.

use super::synthesis::{area, cells, version, Area};
use flexgrip_hdl::execute::double::DoubleUnit;
use flexgrip_hdl::execute::float::FloatLane;
use flexgrip_hdl::execute::integer::IntegerLane;
use flexgrip_hdl::execute::multiplier::Multiplier;
use flexgrip_hdl::execute::special_function::SpecialFunctionUnit;
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_hdl::memory::atomic_unit::AtomicUnit;
use flexgrip_machine::Capability;
use hdlkit::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum figures of blocks.
const LIMITS: [(&str, &str, u64); 4] = [
    ("float_lane", "LUTs", 2_500),
    ("special_function_unit", "LUTs", 1_500),
    ("double_unit_on_ecp5", "LUTs", 4_500),
    ("double_unit_on_ecp5", "DSPs", 12),
];

/// The area of a block on an ECP5: look-up tables of four inputs, with the two of each carry cell, and multipliers of 18 x 18
/// bits.
fn area_on_ecp5(block: &dyn Structure) -> Area {
    let cells = cells(block, "synth_ecp5");
    let count = |name: &str| cells.get(name).copied().unwrap_or_default();
    Area {
        luts: count("LUT4") + 2 * count("CCU2C"),
        flip_flops: count("TRELLIS_FF"),
        dsps: count("MULT18X18D"),
        block_rams: count("DP16KD") + count("PDPW16KD"),
        // yosys makes latches of look-up tables here: the area on the other FPGA shows them.
        latches: 0,
    }
}

/// The recorded figures.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Baseline {
    /// The output of `yosys -V`.
    yosys: String,
    blocks: BTreeMap<String, Area>,
}

/// The figures of an area, each with its name in messages.
fn figures(area: &Area) -> [(&'static str, u64); 5] {
    let Area { luts, flip_flops, dsps, block_rams, latches } = *area;
    [("LUTs", luts), ("flip-flops", flip_flops), ("DSPs", dsps), ("block RAMs", block_rams), ("latches", latches)]
}

fn table(blocks: &BTreeMap<String, Area>) -> String {
    let mut text = format!(
        "{:<22} {:>6} {:>11} {:>5} {:>11} {:>8}\n",
        "block", "LUTs", "flip-flops", "DSPs", "block RAMs", "latches"
    );
    for (name, area) in blocks {
        let Area { luts, flip_flops, dsps, block_rams, latches } = area;
        text += &format!("{name:<22} {luts:>6} {flip_flops:>11} {dsps:>5} {block_rams:>11} {latches:>8}\n");
    }
    text
}

/// Faults in the figures, one per line: limits, latches and, with the same yosys, differences from the baseline.
fn faults(now: &Baseline, recorded: &Baseline) -> Vec<String> {
    let mut faults = vec![];
    for (name, area) in &now.blocks {
        if area.latches > 0 {
            faults.push(format!("{name}: {} latches, which must be none", area.latches));
        }
        for (_, what, limit) in LIMITS.iter().filter(|(of, ..)| name == of) {
            for (_, figure) in figures(area).iter().filter(|(of, figure)| of == what && figure > limit) {
                faults.push(format!("{name}: {figure} {what}, more than the limit of {limit}"));
            }
        }
    }
    if now.yosys != recorded.yosys {
        return faults;
    }
    let names: std::collections::BTreeSet<&String> = now.blocks.keys().chain(recorded.blocks.keys()).collect();
    for name in names {
        match (now.blocks.get(name), recorded.blocks.get(name)) {
            (Some(now), Some(recorded)) => {
                for ((what, now), (_, recorded)) in figures(now).into_iter().zip(figures(recorded)) {
                    if now != recorded {
                        faults.push(format!("{name}: {now} {what}, but {recorded} are recorded"));
                    }
                }
            }
            (None, _) => faults.push(format!("{name}: recorded, but not measured")),
            (_, None) => faults.push(format!("{name}: measured, but not recorded")),
        }
    }
    faults
}

type Measure = fn() -> Area;

/// The blocks, with the capability that has them. Each is measured alone: a lane's shared multiplier must not count in a
/// block that does not contain it. The quick tier measures only blocks of 1.0.
const BLOCKS: [(&str, Capability, Measure); 10] = [
    ("atomic_unit_8_lanes", Capability::V1_1, || area(&AtomicUnit::<8>::new())),
    ("decode", Capability::V1_0, || area(&Decode::blank())),
    ("decode_sm_13", Capability::V1_3, || area(&Decode::new(Capability::V1_3))),
    ("double_unit", Capability::V1_3, || area(&DoubleUnit::default())),
    ("double_unit_on_ecp5", Capability::V1_3, || area_on_ecp5(&DoubleUnit::default())),
    ("float_lane", Capability::V1_0, || area(&FloatLane::default())),
    ("integer_lane", Capability::V1_0, || area(&IntegerLane::blank())),
    ("integer_lane_sm_12", Capability::V1_2, || area(&IntegerLane::new(true))),
    ("multiplier", Capability::V1_0, || area(&Multiplier::default())),
    ("special_function_unit", Capability::V1_0, || area(&SpecialFunctionUnit::default())),
];

#[test]
fn areas_match_the_record() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../baselines/area.toml");
    let mut recorded: Baseline = match std::fs::read_to_string(&file) {
        Ok(text) => toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display())),
        Err(_) => Baseline::default(),
    };
    let update = std::env::var_os("FLEXGRIP_UPDATE").is_some();
    let measured = BLOCKS.iter().filter(|(_, of, _)| update || cfg!(feature = "soak") || *of == Capability::V1_0);
    let blocks = std::thread::scope(|scope| {
        let threads: Vec<_> = measured.map(|(name, _, area)| (name.to_string(), scope.spawn(area))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Area>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(|(name, thread)| (name, join(thread))).collect::<BTreeMap<_, _>>()
    });
    let left_out = |name: &String| !blocks.contains_key(name) && BLOCKS.iter().any(|(of, ..)| of == name);
    recorded.blocks.retain(|name, _| !left_out(name));
    let now = Baseline { yosys: version(), blocks };
    println!("{}\n{}", now.yosys, table(&now.blocks));
    if now.yosys != recorded.yosys && !update {
        println!("recorded with `{}`: its figures are not compared, only limits and latches", recorded.yosys);
    }
    let compared = if update { &now } else { &recorded };
    let faults = faults(&now, compared);
    assert!(faults.is_empty(), "{}\nif the change is intended, record it: cargo xtask update area", faults.join("\n"));
    if update {
        let text = format!(
            "# Area of units on a Xilinx 7 FPGA, by `yosys synth_xilinx`, and on an ECP5, by `yosys synth_ecp5`.\n\
             # Written by `cargo xtask update area`.\n\n{}",
            toml::to_string(&now).expect("plain data")
        );
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
}

#[test]
fn differences_are_reported_with_both_figures() {
    let baseline = |yosys: &str, luts, latches| Baseline {
        yosys: yosys.into(),
        blocks: BTreeMap::from([("float_lane".to_owned(), Area { luts, latches, ..Area::default() })]),
    };
    let recorded = baseline("a", 1_000, 0);
    assert!(faults(&recorded, &recorded).is_empty());
    assert_eq!(faults(&baseline("a", 999, 0), &recorded), ["float_lane: 999 LUTs, but 1000 are recorded"]);
    // A baseline from another version of yosys only fails for limits and latches.
    assert!(faults(&baseline("b", 999, 0), &recorded).is_empty());
    assert_eq!(
        faults(&baseline("b", 2_501, 1), &recorded),
        ["float_lane: 1 latches, which must be none", "float_lane: 2501 LUTs, more than the limit of 2500"]
    );
    let large = Area { luts: 4_501, dsps: 13, ..Area::default() };
    let blocks = BTreeMap::from([("double_unit_on_ecp5".to_owned(), large)]);
    assert_eq!(
        faults(&Baseline { yosys: "b".into(), blocks }, &recorded),
        [
            "double_unit_on_ecp5: 4501 LUTs, more than the limit of 4500",
            "double_unit_on_ecp5: 13 DSPs, more than the limit of 12"
        ]
    );
    let empty = Baseline { yosys: "a".into(), ..Baseline::default() };
    assert_eq!(faults(&recorded, &empty), ["float_lane: measured, but not recorded"]);
    assert_eq!(faults(&empty, &recorded), ["float_lane: recorded, but not measured"]);
}
