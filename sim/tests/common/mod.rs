//! What the tests share: kernels made on the spot, and whether Verilator is there.

#![allow(dead_code)] // Every test file uses its own part of this.

use flexgrip_sim::launch_file::Kernel;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a kernel in it, gone with the value.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    /// A folder with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Folder(folder)
    }

    /// A kernel of one warp with 16 registers, whose program is the SASS text.
    pub fn sass(program: &str) -> Self {
        let launch = "name = \"t\"\nprogram = \"kernel.sass\"\nregisters = 16\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
        Folder::new(&[("launch.toml", launch), ("kernel.sass", program)])
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn kernel(&self) -> Kernel {
        Kernel::load(self.path()).unwrap()
    }
}

/// Where compiled Verilog is kept; shared by all tests, and with the command line when it runs in the project's root.
pub fn build() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../build")
}

/// Runs the command line.
pub fn flexgrip(arguments: &[&str], kernel: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command
        .arg(arguments[0])
        .arg(kernel)
        .args(&arguments[1..])
        .arg("--build-dir")
        .arg(build());
    command.output().unwrap()
}

/// Whether Verilator can be run; says so if a test leaves something out.
pub fn verilator() -> bool {
    let found = Command::new("verilator")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !found {
        // `make test` installs it, and sets this.
        let required = std::env::var_os("FLEXGRIP_REQUIRE_TOOLS").is_some();
        assert!(!required, "verilator is not installed: run `make tools`");
        println!("skipped: verilator is not installed (`make tools` installs it)");
    }
    found
}

/// The engines that can be run here.
pub fn engines() -> Vec<&'static str> {
    let mut engines = vec!["model", "rtl"];
    if verilator() {
        engines.push("verilator");
    }
    engines
}
