//! The installed OpenCL driver, its examples, and third-party test suites.

use crate::command::{build, command, program, root, run, run_line, target};
use crate::tools::{install, python, Set};
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Subcommands for the OpenCL driver.
#[derive(Debug, Clone, PartialEq, Eq, clap::Subcommand)]
pub enum Opencl {
    /// Build the driver with all engines into build/opencl
    Driver,
    /// Build the driver and run clinfo with it
    Show,
    /// Run examples/opencl
    Examples,
    /// Run the tests of pyopencl and silx, clinfo and clpeak on the golden model
    Suites {
        /// Run only this suite; default: all
        #[arg(long)]
        only: Option<Suite>,
        /// Arguments for pytest
        #[arg(last = true)]
        arguments: Vec<OsString>,
    },
}

/// A third-party test suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Suite {
    Plugin,
    Pyopencl,
    Silx,
    Clpeak,
}

/// Runs the subcommand.
pub fn opencl(what: &Opencl) -> Result<()> {
    match what {
        Opencl::Driver => driver(&build().join("opencl"), "--package flexgrip-opencl --features circuits"),
        Opencl::Show => {
            opencl(&Opencl::Driver)?;
            run(command("clinfo").env("OCL_ICD_VENDORS", build().join("opencl")))
        }
        Opencl::Examples => examples(),
        Opencl::Suites { only, arguments } => {
            let all = [Suite::Plugin, Suite::Pyopencl, Suite::Silx, Suite::Clpeak];
            driver(&folder(), "--package flexgrip-opencl")?;
            all.into_iter()
                .filter(|one| only.is_none_or(|only| only == *one))
                .try_for_each(|one| suite(one, arguments))
        }
    }
}

/// Builds the driver and installs it in a folder. It has its own profile, because a defect of the driver must not end
/// the user's program.
fn driver(folder: &Path, package: &str) -> Result<()> {
    install(Set::Opencl)?;
    run_line(&format!("cargo build --profile driver --quiet {package}"))?;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let library = folder.join("libflexgrip_opencl.so");
    // `install` replaces the file instead of overwriting it, so a program with the old one loaded is not affected.
    run(command("install -m 755")
        .arg(target().join("driver/libflexgrip_opencl.so"))
        .arg(&library))?;
    let loader = folder.join("flexgrip.icd");
    std::fs::write(&loader, format!("{}\n", library.display())).with_context(|| loader.display().to_string())
}

fn examples() -> Result<()> {
    opencl(&Opencl::Driver)?;
    let python = python(Set::Pyopencl, "python")?;
    let folder = build().join("opencl");
    for example in [
        "blur",
        "turn",
        "n_body",
        "mandelbrot",
        "mandelbrot_zoom",
        "matrix_multiply",
        "histogram",
    ] {
        let mut python = program(&python);
        python
            .args(["-W", "error"])
            .arg(format!("examples/opencl/{example}.py"))
            .arg(&folder);
        run(python.env("OCL_ICD_VENDORS", &folder))?;
    }
    let saxpy = folder.join("saxpy");
    run(command("cc -O2 -Wall -Wextra -Werror examples/opencl/saxpy.c -lOpenCL -o").arg(&saxpy))?;
    run(program(&saxpy).env("OCL_ICD_VENDORS", &folder))
}

fn folder() -> PathBuf {
    build().join("opencl/suites")
}

/// Sets up a suite's environment: only this driver, on the model.
fn with_suites(mut command: Command) -> Command {
    command.env("OCL_ICD_VENDORS", folder()).env("FLEXGRIP_DEVICE", "model");
    command.env("PYTHONPATH", root().join("testbench/opencl"));
    command
}

fn suite(suite: Suite, arguments: &[OsString]) -> Result<()> {
    let sources = folder().join("sources");
    let mut python = with_suites(program(&python(Set::Suites, "python")?));
    python.args(["-m", "pytest", "-p", "no:cacheprovider"]);
    let listed = ["-p", "listed", "--durations", "10"];
    match suite {
        Suite::Plugin => run(python.args(["-q", "testbench/opencl"])),
        Suite::Pyopencl => {
            let files = [
                "algorithm",
                "array",
                "arrays_in_structs",
                "clmath",
                "clrandom",
                "enqueue_copy",
                "wrapper",
            ];
            python
                .args(listed)
                .args(arguments)
                .args(["--suite", "pyopencl", "--rootdir", "."]);
            run(python
                .args(files.map(|file| format!("test_{file}.py")))
                .current_dir(sources.join("test")))
        }
        Suite::Silx => {
            let silx = found(&folder().join("python/lib"), "python3")?.join("site-packages/silx");
            let pictures = found(&sources, "scipy-1.11.4-")?;
            python
                .args(listed)
                .args(arguments)
                .args(["-p", "for_silx", "--suite", "silx", "--pictures"]);
            python
                .arg(pictures)
                .arg(folder().join("pictures"))
                .args(["--no-gui", "--rootdir"]);
            run(python.arg(&silx).arg(silx.join("opencl")).current_dir(folder()))
        }
        // These options build all of its kernels. Running them would take hours: see docs/opencl.md.
        Suite::Clpeak => {
            run(&mut with_suites(command("clinfo")))?;
            run(&mut with_suites(command(
                "clpeak --transfer-bandwidth --kernel-latency",
            )))
        }
    }
}

/// The path of the entry of `folder` with a name that starts with `begin`.
fn found(folder: &Path, begin: &str) -> Result<PathBuf> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(begin));
    let entry = paths.next();
    let entry = entry.with_context(|| format!("{} has no entry that begins with {begin}", folder.display()))?;
    Ok(entry.path())
}
