//! Cycle counts against `baselines/cycles.toml`, exactly: a change for the better fails as well, until it is recorded
//! with `make baselines`. Some counts also have a bar that no recorded baseline may pass.
//!
//! The kernels are the project's own and, where the shared folder is there, real ones.

mod common;

use common::{build, many_blocks};
use flexgrip_isa::assemble;
use flexgrip_model::{Configuration, Launch, Retire};
use flexgrip_sim::engine::{Ending, Engine, Options, RunReport};
use flexgrip_sim::launch_file::Kernel;
use flexgrip_sim::rtl::{configuration, RtlEngine};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// By kernel, then by `lanes_8`, `lanes_16`, `lanes_32`, with several SMs `lanes_8_sms_2` and so on: clock cycles from start to
/// done.
type Baselines = BTreeMap<String, BTreeMap<String, u64>>;

/// At 8 lanes, at most.
const BARS: [(&str, u64); 2] = [("vectoradd_int", 400), ("sort_v1", 40_000)];

const LANES: [u32; 3] = [8, 16, 32];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn shared() -> PathBuf {
    std::env::var_os("FLEXGRIP_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from)
}

fn options(lanes: u32, sms: u32) -> Options {
    Options {
        configuration: Configuration {
            sms,
            ..configuration(lanes, 1 << 20)
        },
        max_cycles: 1_000_000,
        build: build(),
        ..Options::default()
    }
}

fn run(launch: &Launch, lanes: u32, sms: u32) -> (RunReport, Vec<Retire>) {
    let mut records = Vec::new();
    let report = RtlEngine
        .run(
            launch,
            &options(lanes, sms),
            Some(&mut |record| {
                records.push(record.clone());
                ControlFlow::Continue(())
            }),
        )
        .unwrap();
    assert_eq!(report.ending, Ending::Complete, "{}", launch.name);
    (report, records)
}

#[test]
fn cycle_counts() {
    let file = root().join("baselines/cycles.toml");
    let recorded: Baselines = toml::from_str(&std::fs::read_to_string(&file).unwrap_or_default()).unwrap();
    let mut now = Baselines::new();
    // All of the project's own, by name.
    let folders = std::fs::read_dir(root().join("kernels")).unwrap();
    let mut own: Vec<PathBuf> = folders
        .map(|folder| folder.unwrap().path())
        .filter(|folder| folder.join("launch.toml").exists())
        .collect();
    own.sort();
    let real = ["vectoradd_int", "sort_v1", "transpose_old", "edge_32th_old"]
        .map(|name| shared().join("corpus/apps").join(name));
    for folder in own.iter().chain(&real) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !folder.exists() && real.contains(folder) {
            println!("skipped: {} is not there", folder.display());
            if let Some(counts) = recorded.get(&name) {
                now.insert(name, counts.clone());
            }
            continue;
        }
        let kernel = Kernel::load(folder).unwrap();
        for lanes in LANES {
            let (report, _) = run(&kernel.launch, lanes, 1);
            let counts = now.entry(name.clone()).or_default();
            counts.insert(format!("lanes_{lanes}"), report.cycles.unwrap());
        }
    }
    // Several SMs share the memory port and the block scheduler: 40 blocks, for which that matters.
    let kernel = many_blocks(40);
    for lanes in LANES {
        for sms in [1, 2, 4] {
            let (report, _) = run(&kernel.launch, lanes, sms);
            let counts = now.entry(kernel.launch.name.clone()).or_default();
            let key = match sms {
                1 => format!("lanes_{lanes}"),
                _ => format!("lanes_{lanes}_sms_{sms}"),
            };
            counts.insert(key, report.cycles.unwrap());
        }
    }
    for (name, bar) in BARS {
        if let Some(counts) = now.get(name) {
            assert!(
                counts["lanes_8"] <= bar,
                "{name}: {} cycles, more than {bar}",
                counts["lanes_8"]
            );
        }
    }
    if std::env::var_os("FLEXGRIP_UPDATE_BASELINES").is_some() {
        let text = format!(
            "# Clock cycles from start to done on the circuits, memory latency 20. Written by `make baselines`.\n\n{}",
            toml::to_string(&now).unwrap()
        );
        std::fs::write(&file, text).unwrap();
    } else {
        assert_eq!(
            now,
            recorded,
            "cycle counts (left: now, right: {}) have changed; if that is meant, record them: make baselines",
            file.display()
        );
    }
}

/// Cycles from issue to issue, of a chain of integer instructions that each need the result of the one before.
#[test]
fn dependent_instructions_are_at_most_14_cycles_apart() {
    let source = ".kernel chain\n".to_string() + &"IADD R1, R1, R0;\n".repeat(20) + "RET;\n";
    let program = assemble(&source, "chain.sass").unwrap();
    for (lanes, bar) in [(8, 14), (16, 14), (32, 14)] {
        let launch = Launch {
            name: "chain".into(),
            program: program.words.clone(),
            registers: 4,
            block: [32, 1, 1],
            ..Launch::default()
        };
        let (_, records) = run(&launch, lanes, 1);
        let issues: Vec<u64> = records.iter().filter_map(|record| record.issue_cycle).collect();
        assert_eq!(issues.len(), 21);
        // The first few wait for fetch.
        for pair in issues[4..20].windows(2) {
            let apart = pair[1] - pair[0];
            assert!(apart <= bar, "{lanes} lanes: {apart} cycles apart");
            assert_eq!(
                apart, 7,
                "{lanes} lanes: the pipeline's depth has changed; say so in the docs"
            );
        }
    }
}
