//! Flows of several cargo commands, or with third-party programs.

use crate::command::{build, command, flexgrip, holds, program, run, run_line};
use crate::tools::{install, python, Set};
use crate::update::{record, update, What, AREA};
use anyhow::{bail, Context, Result};
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A flow with third-party programs, or that takes hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Flow {
    /// The chip in Icarus Verilog by cocotb: arguments of testbench/cocotb/run.py
    Cocotb,
    /// flexgrip.core through FuseSoC: lint and simulation
    Fusesoc,
    /// Timelines checked against Perfetto's schema
    Timelines,
    /// Kernels debugged by Microsoft's client of the Debug Adapter Protocol
    Dap,
    /// A kernel debugged in Emacs
    Emacs,
    /// Sizes of the float units, integer lane and decode on FPGAs, compared with baselines/area.toml
    Area,
    /// The fault campaign of DSN 2021: arguments of examples/faults/dsn21.py
    Dsn21,
    /// Stuck-at faults in gates as in SC 2023: arguments of examples/faults/sc23.py
    Sc23,
    /// Fault campaigns on HyperQueue and Slurm while machines are killed: arguments of testbench/cluster
    Clusters,
    /// Float and special function circuits compared with the reference arithmetic over all inputs: arguments of `exhaustive`
    Exhaustive,
    /// OpenCL's functions of one float over all inputs (`FLEXGRIP_ULP_ONLY`, `FLEXGRIP_MINUTES`)
    Builtins,
    /// The circuits compared with vectors, proofs, kernels and 2,500,000 random warp instructions; writes docs/conformance.md
    Conformance,
    /// Speed of all engines, the assembler and the compiler; writes build/bench/scaling.svg
    Bench,
}

/// The settings of the quick tier: every kind of check once, with the same random inputs each time. The soak tier draws
/// different inputs.
const QUICK: [(&str, &str); 5] = [
    ("PROPTEST_RNG_SEED", "1"),
    ("FLEXGRIP_REQUIRE_TOOLS", "1"),
    ("FLEXGRIP_QUICK_VERILATOR", "1"),
    ("FLEXGRIP_FUZZ_SECONDS", "2"),
    ("FLEXGRIP_API_FUZZ_SECONDS", "8"),
];

/// Checks the formatting and the kernels' files, and runs every test and clippy. Clippy runs in parallel, because tests
/// leave a processor idle for a tenth of the time. It starts when cargo has started the tests, because it holds cargo's
/// lock.
pub fn test() -> Result<()> {
    install(Set::Base)?;
    run_line("cargo fmt --all --check")?;
    run_line("cargo run --quiet --package flexgrip-kernels -- --check")?;
    let tests = || {
        let mut tests = command("cargo test --workspace --quiet");
        tests.envs(QUICK);
        tests
    };
    run(tests().arg("--no-run"))?;
    let clippy = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(10));
        command("nice cargo clippy --workspace --all-targets --all-features --quiet -- -D warnings").output()
    });
    let tested = run(&mut tests());
    let clippy = clippy
        .join()
        .expect("the thread that waits for clippy")
        .context("cannot run clippy")?;
    if !clippy.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&clippy.stderr));
        tested?;
        bail!("clippy: {}", clippy.status);
    }
    tested
}

/// A command for this processor's instruction set. It has its own target folder, because other flags would rebuild
/// everything in the common one.
fn native(line: &str) -> Command {
    let mut command = command(line);
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    command
        .env("RUSTFLAGS", format!("-C target-cpu=native {flags}"))
        .env("CARGO_TARGET_DIR", build().join("native"));
    command
}

/// Runs a flow with the arguments.
pub fn flow(flow: Flow, arguments: &[OsString]) -> Result<()> {
    match flow {
        Flow::Cocotb => {
            install(Set::Base)?;
            run(program(python(Set::Cocotb, "python")?)
                .arg("testbench/cocotb/run.py")
                .args(arguments))
        }
        Flow::Fusesoc => fusesoc(),
        Flow::Timelines => {
            let python = python(Set::Perfetto, "python")?;
            let test = "cargo test --package flexgrip-sim --test sim packets_follow_the_schema_of_perfetto";
            run(command(test).env("FLEXGRIP_PERFETTO_PYTHON", python))
        }
        Flow::Dap => {
            install(Set::Dap)?;
            let mut node = command("node --test testbench/dap/check.js");
            run(node
                .env("FLEXGRIP", flexgrip("dev")?)
                .env("NODE_PATH", build().join("dap/node_modules")))
        }
        Flow::Emacs => {
            install(Set::Emacs)?;
            let folder = flexgrip("dev")?.with_file_name("");
            let path = std::env::var_os("PATH").unwrap_or_default();
            let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&path)))?;
            run(command("emacs --batch -q -l testbench/dap/emacs.el").env("PATH", path))
        }
        Flow::Area => AREA.into_iter().try_for_each(run_line),
        Flow::Dsn21 => python_example("dsn21", arguments),
        Flow::Sc23 => {
            install(Set::Base)?;
            python_example("sc23", arguments)
        }
        Flow::Clusters => clusters(arguments),
        Flow::Exhaustive => {
            run(native("cargo run --profile bench --quiet --package flexgrip-exhaustive --").args(arguments))
        }
        Flow::Builtins => builtins(),
        Flow::Conformance => conformance(),
        Flow::Bench => bench(),
    }
}

/// FUSESOC_IGNORE keeps FuseSoC from finding cores that it has generated itself in the build folder.
fn fusesoc() -> Result<()> {
    install(Set::Base)?;
    let fusesoc = python(Set::Fusesoc, "fusesoc")?;
    let ignore = build().join("FUSESOC_IGNORE");
    std::fs::write(&ignore, "").with_context(|| ignore.display().to_string())?;
    for target in ["lint", "sim"] {
        let words = format!("--cores-root . run --target={target} --build-root build/fusesoc/run flexgrip:gpu:gpgpu");
        run(program(&fusesoc).args(words.split(' ')))?;
    }
    Ok(())
}

fn python_example(name: &str, arguments: &[OsString]) -> Result<()> {
    let flexgrip = flexgrip("release")?;
    run(command(&format!("python3 examples/faults/{name}.py --flexgrip"))
        .arg(flexgrip)
        .args(arguments))
}

fn clusters(arguments: &[OsString]) -> Result<()> {
    let python = python(Set::Clusters, "python")?;
    // Slurm's daemons are in /usr/sbin, which is not in every user's path.
    let mut path = std::env::var_os("PATH").unwrap_or_default();
    path.push(":/usr/sbin");
    let mut clusters = program(&python);
    clusters
        .args(["testbench/cluster", "--output", "build/faults/cluster", "--flexgrip"])
        .arg(flexgrip("release")?);
    run(clusters.args(arguments).env("PATH", path))
}

/// Tests the builtins on all inputs. The processor's vector instructions make it twice as fast.
fn builtins() -> Result<()> {
    let test =
        "cargo test --profile bench --quiet --package flexgrip-compiler --test accuracy -- --nocapture every_input";
    record(native(test).env("FLEXGRIP_EXHAUSTIVE", build().join("builtins-exhaustive")))?;
    update(What::Builtins)
}

/// Repeats all comparisons, because the record is evidence. Only the exhaustive run, which takes hours, is not
/// repeated: its existing results are used.
fn conformance() -> Result<()> {
    install(Set::Base)?;
    let folder = build().join("conformance");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    record(&mut command("cargo test --quiet --package flexgrip-hdl --test decode"))?;
    record(&mut command(
        "cargo test --quiet --package flexgrip-hdl --test units --test yosys -- \
         integer:: float:: special_function:: integer_proof::",
    ))?;
    record(&mut command(
        "cargo test --quiet --package flexgrip-sim --features soak --test sim -- circuits_agree_with_the_model",
    ))?;
    // Enough programs for the required number of warp instructions: 2,000,000 natively, 500,000 on Verilator.
    for (engine, mix, seed, count) in [
        ("rtl", "any", 26, 2400),
        ("rtl", "float", 26, 200),
        ("verilator", "any", 27, 600),
    ] {
        let fuzz = "cargo run --profile bench --quiet --package flexgrip-sim --features all-sizes --bin flexgrip -- fuzz --json";
        let fuzz = format!("{fuzz} --engine {engine} --mix {mix} --seed {seed} --count {count}");
        let path = folder.join(format!("fuzz-{engine}-{mix}.json"));
        let file = std::fs::File::create(&path).with_context(|| path.display().to_string())?;
        run(command(&fuzz).stdout(Stdio::from(file)))?;
    }
    update(What::Conformance)
}

fn bench() -> Result<()> {
    run_line("cargo run --profile bench --quiet --package flexgrip-sim --features all-sizes,simulation --bin bench")?;
    let measure = "cargo run --release --quiet --package flexgrip-sim --features measurements --bin";
    run_line(&format!("{measure} scaling -- --output build/bench/scaling.svg"))?;
    run_line(&format!("{measure} timelines"))?;
    if holds("command -v taskset") {
        eprintln!("repeating on one processor");
        run_line(&format!("taskset -c 0 {measure} timelines"))?;
    }
    run_line("cargo bench --quiet --package flexgrip-isa")?;
    run_line("cargo bench --quiet --package flexgrip-compiler --bench compile")
}
