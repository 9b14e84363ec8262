//! Exports a circuit, and checks that three tools accept the text.

use hdlkit::verilog::{export, ExportOptions};
use hdlkit::Structure;
use std::process::Command;

/// Lints and elaborates with all three tools; any output is a failure.
pub fn check_with_tools(verilog: &str, waivers: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("top.v");
    std::fs::write(&file, verilog).unwrap();
    let waiver = dir.path().join("waivers.vlt");
    let mut text = "`verilator_config\nlint_off -rule DECLFILENAME\n".to_string();
    for rule in waivers {
        text.push_str(&format!("lint_off -rule {rule}\n"));
    }
    std::fs::write(&waiver, text).unwrap();
    let run = |tool: &str, arguments: &[&str]| {
        let output = Command::new(tool)
            .args(arguments)
            .current_dir(dir.path())
            .output()
            .unwrap_or_else(|e| panic!("cannot run {tool} ({e}); `make tools` installs it"));
        assert!(
            output.status.success(),
            "{tool}:\n{}{}\n{verilog}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    };
    run(
        "verilator",
        &["--lint-only", "-Wall", "--top-module", "top", "waivers.vlt", "top.v"],
    );
    run("iverilog", &["-g2005", "-Wall", "-s", "top", "-t", "null", "top.v"]);
    run(
        "yosys",
        &[
            "-q",
            "-p",
            "read_verilog top.v; hierarchy -check -top top; proc; check -assert",
        ],
    );
}

/// The Verilog of `block`.
pub fn text_of(block: &dyn Structure) -> String {
    export(block, &ExportOptions::new("top")).unwrap_or_else(|e| panic!("{e}"))
}
