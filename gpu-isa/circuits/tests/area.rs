//! The FPGA area of the decoders of other instruction sets, compared exactly with `baselines/decoders.toml`: one set in
//! the test tier, all in the soak tier. New figures are recorded with `cargo xtask update area`.
//!
//! The figures belong to one version of yosys, named in the baseline; with another one they are not compared. The soak
//! tier also looks for latches, as the test of the exported Verilog does.

#[path = "../../../hdl/tests/yosys/synthesis.rs"]
mod synthesis;

use flexgrip_gpu_circuits::sets::{decoder, table_circuit};
use flexgrip_testbench::tools::{found, YOSYS};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use synthesis::{area, cells, version};

/// The area of a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Luts {
    /// Look-up tables of four inputs on an ECP5, without its multiplexers.
    ecp5: u64,
    /// Look-up tables of four inputs on an iCE40.
    ice40: u64,
}

/// The recorded figures.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Baseline {
    /// The output of `yosys -V`.
    yosys: String,
    sets: BTreeMap<String, Luts>,
}

#[test]
fn areas_of_decoders_match_the_record() {
    if !found(YOSYS) {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../baselines/decoders.toml");
    let recorded: Baseline = match std::fs::read_to_string(&file) {
        Ok(text) => toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())),
        Err(_) => Baseline::default(),
    };
    let update = std::env::var_os("FLEXGRIP_UPDATE").is_some();
    let all = update || cfg!(feature = "soak");
    let mut now = Baseline { yosys: version(), sets: BTreeMap::new() };
    for set in flexgrip_gpu_isa::sets().iter().filter(|set| all || set.name == "sm30") {
        let made = |set| decoder(set, &table_circuit(set)?);
        let circuit = || made(set).unwrap_or_else(|error| panic!("{error}"));
        let (ecp5, ice40, latches) = std::thread::scope(|scope| {
            let ecp5 = scope.spawn(|| cells(&*circuit(), "synth_ecp5")["LUT4"]);
            let ice40 = scope.spawn(|| cells(&*circuit(), "synth_ice40")["SB_LUT4"]);
            let latches = if all { area(&*circuit()).latches } else { 0 };
            let joined = |thread: std::thread::ScopedJoinHandle<'_, u64>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            (joined(ecp5), joined(ice40), latches)
        });
        assert_eq!(latches, 0, "{}: latches", set.name);
        println!("{}: {ecp5} LUTs on an ECP5, {ice40} on an iCE40", set.name);
        now.sets.insert(set.name.into(), Luts { ecp5, ice40 });
    }
    if update {
        let text = format!(
            "# LUTs of the decoders of other instruction sets. Written by `cargo xtask update area`.\n\n{}",
            toml::to_string(&now).expect("plain data")
        );
        std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    } else if now.yosys != recorded.yosys {
        println!("recorded with `{}`: its figures are not compared", recorded.yosys);
    } else {
        for (name, luts) in &now.sets {
            let hint = "if this is intended, record it: cargo xtask update area";
            assert_eq!(recorded.sets.get(name), Some(luts), "{name}: {hint}");
        }
    }
}
