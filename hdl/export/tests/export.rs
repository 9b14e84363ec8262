//! Checks the exported Verilog with users' tools: Verilator's lint with all warnings, Icarus Verilog and yosys. The
//! quick tier covers the chip on AXI buses, which contains nearly everything, and a board; the soak tier every top in
//! several sizes.

use flexgrip_export::verilog::Top;
use flexgrip_testbench::tools::{found, Tool, IVERILOG, VERILATOR, YOSYS};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Exports a file with the binary.
fn export(folder: &Path, arguments: &[&str]) -> PathBuf {
    let file = folder.join("top.v");
    let output =
        Command::new(env!("CARGO_BIN_EXE_export-verilog")).args(arguments).arg("-o").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

/// Runs a tool, which must succeed without a warning.
fn clean(tool: Tool, arguments: &[&str]) {
    let output = tool
        .command()
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("cannot run {} ({error}); `make tools` installs it", tool.name));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let complains = text.contains("Warning") || text.contains("warning");
    assert!(output.status.success() && !complains, "{} {arguments:?}:\n{text}", tool.name);
}

fn check(top: &str, lanes: &str, sms: &str) {
    check_export(&["--top", top, "--lanes", lanes, "--sms", sms]);
}

/// Checks an export with all tools. Returns the Verilog.
fn check_export(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = export(folder.path(), arguments);
    let text = std::fs::read_to_string(&file).unwrap();
    let again = std::fs::read_to_string(export(folder.path(), arguments)).unwrap();
    assert!(text == again, "{arguments:?}: two exports differ");
    let path = file.to_str().unwrap();
    let waivers = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testbench/verilator/flexgrip.vlt");
    let script = format!("read_verilog {path}; hierarchy -check; proc; check -assert; select -assert-none t:$dlatch");
    std::thread::scope(|scope| {
        scope.spawn(|| clean(VERILATOR, &["--lint-only", "-Wall", waivers, path]));
        scope.spawn(|| clean(IVERILOG, &["-g2005", "-t", "null", path]));
        scope.spawn(|| clean(YOSYS, &["-q", "-p", &script]));
    });
    text
}

#[test]
fn tools_accept_the_verilog() {
    if !found(VERILATOR) {
        return;
    }
    check("gpgpu_axi", "8", "1");
    check_export(&["--capability", "1.3", "--sms", "2", "--protect", "secded"]);
    check_export(&["--top", "register_file", "--protect", "parity"]);
    check("lane_board", "8", "1");
    if cfg!(feature = "soak") {
        check_export(&["--capability", "1.1"]);
        check_export(&["--capability", "1.2"]);
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

#[test]
fn tools_accept_the_decoders() {
    if !found(VERILATOR) {
        return;
    }
    let sets = flexgrip_gpu_isa::sets();
    for set in sets.iter().filter(|set| cfg!(feature = "soak") || set.name == "g13") {
        let text = check_export(&["--isa", set.name]);
        // One comment for each row.
        for (number, row) in set.all_rows().iter().enumerate() {
            let comment = format!("// row {number}: {}", row.mnemonic);
            assert!(text.contains(&comment), "{}: no `{comment}`", set.name);
        }
    }
}
