//! The exported Verilog through the tools that users have: Verilator's lint with every warning on, Icarus Verilog and
//! yosys: the chip on AXI buses, which has nearly everything in it, and a board; in the soak tier every top in several sizes.

use flexgrip_export::verilog::Top;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Exports with the binary.
fn export(folder: &Path, top: &str, lanes: &str, sms: &str) -> PathBuf {
    let file = folder.join(format!("{top}_{lanes}.v"));
    let output = Command::new(env!("CARGO_BIN_EXE_export-verilog"))
        .args(["--top", top, "--lanes", lanes, "--sms", sms, "-o"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

/// Whether Verilator can be run; says so if a test leaves something out.
fn verilator() -> bool {
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

/// A tool that must succeed and say nothing of a warning.
fn clean(tool: &str, arguments: &[&str]) {
    let output = Command::new(tool)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{tool} is not to be run ({error}); `make tools` installs it"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let complains = text.contains("Warning") || text.contains("warning");
    assert!(output.status.success() && !complains, "{tool} {arguments:?}:\n{text}");
}

fn check(top: &str, lanes: &str, sms: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = export(folder.path(), top, lanes, sms);
    let text = std::fs::read_to_string(&file).unwrap();
    let again = std::fs::read_to_string(export(folder.path(), top, lanes, sms)).unwrap();
    assert!(text == again, "{top}, {lanes} lanes, {sms} SMs: two exports differ");
    let path = file.to_str().unwrap();
    let waivers = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testbench/verilator/flexgrip.vlt");
    let script = format!("read_verilog {path}; hierarchy -check; proc; check -assert; select -assert-none t:$dlatch");
    std::thread::scope(|scope| {
        scope.spawn(|| clean("verilator", &["--lint-only", "-Wall", waivers, path]));
        scope.spawn(|| clean("iverilog", &["-g2005", "-t", "null", path]));
        scope.spawn(|| clean("yosys", &["-q", "-p", &script]));
    });
}

#[test]
fn the_tools_take_the_verilog() {
    if !verilator() {
        return;
    }
    check("gpgpu_axi", "8", "1");
    check("lane_board", "8", "1");
    if cfg!(feature = "soak") {
        for top in Top::ALL {
            check(top.name(), "8", "1");
            if top != Top::Board {
                check(top.name(), "16", "4");
            }
        }
        check("gpgpu", "8", "2");
        check("gpgpu", "32", "1");
    }
}
