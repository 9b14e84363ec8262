//! Regenerates the tracked generated files. A test compares each with the text that would be written.

use crate::command::{build, command, flexgrip, root, run, run_line};
use crate::tools::{self, Set};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::process::Command;

/// The files to regenerate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// From the ISA tables: pages of the book, the editor's grammar, rows and lines of the decode circuit
    Reference,
    /// docs/registers.md from the host's address map
    Registers,
    /// docs/architecture.svg and its page's table from the packages' dependencies
    Architecture,
    /// The kernels' launch files, inputs and expectations
    Kernels,
    /// The debugger's screens expected by its tests, and docs/debugging.svg
    Screens,
    /// Today's cycle counts and pipeline figures, with the tables and diagrams of docs/performance.md and docs/pipeline.md
    Baselines,
    /// Sizes of units on FPGAs: baselines/area.toml and decoders.toml
    Area,
    /// docs/conformance.md from the records; records of an earlier circuit are shown as stale
    Conformance,
    /// docs/builtins.md from baselines/builtins.toml
    Builtins,
    /// docs/wave.png, a screenshot of GTKWave with some cycles of vectoradd
    Wave,
    /// The special functions' tables from the data in FLEXGRIP_SHARED
    Tables,
    /// The random kernels of hdlkit's tests
    Random,
}

/// Runs the tests that compare these files, with the setting that makes them write instead.
fn tests(line: &str) -> Result<()> {
    run(command(line)
        .env("FLEXGRIP_UPDATE", "1")
        .env("FLEXGRIP_REQUIRE_TOOLS", "1"))
}

/// Regenerates the files.
pub fn update(what: What) -> Result<()> {
    match what {
        What::Reference => {
            run_line("cargo run --quiet --package flexgrip-gpu-isa --bin isa-reference -- .")?;
            tests("cargo test --quiet --package flexgrip-decode --test generated")
        }
        What::Registers => tests("cargo test --quiet --package flexgrip-export --test register_map"),
        What::Architecture => tests("cargo test --quiet --package xtask --test project -- picture_shows"),
        What::Kernels => run_line("cargo run --quiet --package flexgrip-kernels"),
        What::Screens => tests("cargo test --quiet --package flexgrip-sim --test sim -- terminal::"),
        What::Baselines => tests(
            "cargo test --package flexgrip-sim --features soak --test sim -- baselines:: pipeline_bars:: cycle_table::",
        ),
        What::Area => AREA.into_iter().try_for_each(tests),
        What::Conformance => conformance(),
        What::Builtins => tests("cargo test --quiet --package flexgrip-compiler --test accuracy -- the_page"),
        What::Wave => wave(),
        What::Tables => tests("cargo test --quiet --package flexgrip-arith --test tables"),
        What::Random => tests("cargo test --quiet --package hdlkit-compiled --test random"),
    }
}

/// The commands that compare the sizes of the float units, integer lane and decoders in yosys with the recorded ones.
pub const AREA: [&str; 2] = [
    "cargo test --quiet --package flexgrip-hdl --features soak --test yosys -- area:: --nocapture",
    "cargo test --quiet --package flexgrip-gpu-circuits --test area -- --nocapture",
];

/// Today's date, such as `2026-11-28`, for records.
fn today() -> Result<String> {
    let output = command("date -u +%F").output().context("cannot run date")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Runs tests with the setting that makes them record their comparisons.
pub fn record(tests: &mut Command) -> Result<()> {
    run(tests
        .env("FLEXGRIP_RECORD", today()?)
        .env("FLEXGRIP_REQUIRE_TOOLS", "1"))
}

fn conformance() -> Result<()> {
    let state = build().join("exhaustive/state.json");
    if state.exists() {
        let record = root().join("baselines/exhaustive.json");
        std::fs::copy(&state, &record).with_context(|| record.display().to_string())?;
    }
    record(&mut command(
        "cargo test --quiet --package flexgrip-exhaustive --test conformance",
    ))
}

fn wave() -> Result<()> {
    tools::install(Set::Base)?;
    tools::install(Set::Screen)?;
    run(command("testbench/gtkwave/screenshot.sh")
        .arg(flexgrip("release")?)
        .args(["kernels/vectoradd", "docs/wave.png"]))
}
