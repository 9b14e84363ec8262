//! Compares cycles exactly with `baselines/cycles.toml`: even an improvement fails until `cargo xtask update baselines`
//! records it. Some counts also have a bar that no baseline may exceed.
//!
//! The kernels are the project's own and, if the shared folder exists, real ones.

use crate::common::{
    build, configuration, cycles_file, kernels_below, many_blocks, on_all_cores, recorded_cycles, root, shared, Cycles,
    LANES,
};
use flexgrip_isa::assemble;
use flexgrip_machine::{Configuration, Launch, Retire};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

/// The upper limits at 8 lanes.
const BARS: [(&str, u64); 7] = [
    ("vectoradd_int", 400),
    ("sort_v1", 25_000),
    ("real_reduction", 4_000),
    ("vectoradd_float_mb", 8_000),
    ("log2_hard", 2_500),
    ("mxm_naive_clean", 100_000),
    ("sgemm_tiled", 40_000),
];

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

/// The records of a run.
fn records(launch: &Launch, lanes: u32) -> Vec<Retire> {
    let mut records = Vec::new();
    let report = RtlEngine
        .run(
            launch,
            &options(lanes, 1),
            Some(&mut |record| {
                records.push(record.clone());
                ControlFlow::Continue(())
            }),
        )
        .unwrap();
    assert_eq!(report.ending, Ending::Complete, "{}", launch.name);
    records
}

fn cycles(launch: &Launch, lanes: u32, sms: u32) -> u64 {
    let report = RtlEngine.run(launch, &options(lanes, sms), None).unwrap();
    assert_eq!(report.ending, Ending::Complete, "{}", launch.name);
    report.cycles.unwrap()
}

/// The key of a count for this machine.
fn key(lanes: u32, sms: u32) -> String {
    match sms {
        1 => format!("lanes_{lanes}"),
        _ => format!("lanes_{lanes}_sms_{sms}"),
    }
}

/// True if this tier counts this kernel at this number of lanes: `make test` counts all kernels at 8, every fourth at
/// 16 and every fourth at 32.
fn is_in_tier(index: usize, lanes: u32) -> bool {
    let turn = index % 4;
    cfg!(feature = "soak") || lanes == 8 || (lanes, turn) == (16, 1) || (lanes, turn) == (32, 3)
}

#[test]
fn cycles_equal_the_baselines() {
    let (file, recorded) = (cycles_file(), recorded_cycles());
    let name = |folder: &Path| folder.file_name().unwrap().to_string_lossy().into_owned();
    let own = kernels_below(&root().join("kernels"));
    let names: Vec<String> = own.iter().map(|folder| name(folder)).collect();
    let mut launches: Vec<(String, Launch)> = Vec::new();
    for folder in &own {
        launches.push((name(folder), Kernel::load(folder).unwrap().launch));
    }
    // A real kernel with the name of a project's kernel gets a different name here.
    let real = shared().join("corpus/apps");
    let real_there = real.exists();
    for folder in kernels_below(&real) {
        let mut name = name(&folder);
        if names.contains(&name) {
            name = format!("real_{name}");
        }
        launches.push((name, Kernel::load(&folder).unwrap().launch));
    }
    let mut jobs: Vec<(&str, &Launch, u32, u32)> = Vec::new();
    let mut left_out: Vec<(&str, u32)> = Vec::new();
    for (index, (name, launch)) in launches.iter().enumerate() {
        for lanes in LANES {
            if is_in_tier(index, lanes) {
                jobs.push((name, launch, lanes, 1));
            } else {
                left_out.push((name, lanes));
            }
        }
    }
    // Several SMs share the memory port and the block scheduler; with 40 blocks this affects the cycles.
    let many = many_blocks(40);
    for lanes in LANES {
        jobs.extend([1, 2, 4].map(|sms| (many.launch.name.as_str(), &many.launch, lanes, sms)));
    }
    let found = Mutex::new(Cycles::new());
    on_all_cores(&jobs, |&(name, launch, lanes, sms)| {
        let cycles = cycles(launch, lanes, sms);
        let mut found = found.lock().unwrap();
        found.entry(name.into()).or_default().insert(key(lanes, sms), cycles);
    });
    let mut now = found.into_inner().unwrap();
    for &(name, lanes) in &left_out {
        let key = key(lanes, 1);
        if let Some(cycles) = recorded.get(name).and_then(|counts| counts.get(&key)) {
            now.entry(name.into()).or_default().insert(key, *cycles);
        }
    }
    if !real_there {
        println!("skipped: {} does not exist", real.display());
        for (name, counts) in &recorded {
            now.entry(name.clone()).or_insert_with(|| counts.clone());
        }
    }
    for (name, bar) in BARS {
        if let Some(counts) = now.get(name) {
            let cycles = counts["lanes_8"];
            assert!(cycles <= bar, "{name}: {cycles} cycles, more than {bar}");
        }
    }
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        assert!(left_out.is_empty(), "`cargo xtask update baselines` measures all");
        let text = format!(
            "# Clock cycles from start to done on the circuits, memory latency 20. Written by `cargo xtask update baselines`.\n\n{}",
            toml::to_string(&now).unwrap()
        );
        std::fs::write(&file, text).unwrap();
    } else {
        assert_eq!(
            now,
            recorded,
            "cycle counts (left: now, right: {}) have changed; if the change is intended, record them: \
             cargo xtask update baselines",
            file.display()
        );
    }
}

/// Checks the cycles from issue to issue in a chain of dependent instructions of a single warp: as in the docs, at
/// every number of lanes.
#[track_caller]
fn apart(instruction: &str, expected: u64) {
    let source = format!(".kernel chain\n{}RET;\n", format!("{instruction};\n").repeat(20));
    let program = assemble(&source, "chain.sass").unwrap();
    for lanes in LANES {
        let launch = Launch {
            name: "chain".into(),
            program: program.words.clone(),
            registers: 4,
            block: [32, 1, 1],
            ..Launch::default()
        };
        let issues: Vec<u64> = records(&launch, lanes)
            .iter()
            .filter_map(|record| record.issue_cycle)
            .collect();
        assert_eq!(issues.len(), 21);
        // The first instructions wait for fetch.
        for pair in issues[4..20].windows(2) {
            assert_eq!(
                pair[1] - pair[0],
                expected,
                "{instruction}, {lanes} lanes: the pipeline's depth has changed; update docs/pipeline.md"
            );
        }
    }
}

#[test]
fn dependent_integer_instructions_are_8_cycles_apart() {
    apart("IADD R1, R1, R0", 8);
}

#[test]
fn dependent_float_instructions_are_12_cycles_apart() {
    apart("FADD R1, R1, R0", 12);
    apart("FMUL R1, R1, R0", 12);
    apart("FMAD R1, R1, R0, R1", 12);
    apart("I2F.F32.U32 R1, R1", 12);
}

#[test]
fn dependent_special_functions_are_32_cycles_apart() {
    apart("RCP R1, R1", 32);
    apart("EX2 R1, R1", 32);
}
