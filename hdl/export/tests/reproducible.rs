//! Users get stable outputs: exporting twice gives the same bytes, and FuseSoC's core files are correct.

use flexgrip_export::c_header::c_header;
use flexgrip_export::register_map::svd;
use flexgrip_export::verilog::{verilog, Top};
use flexgrip_machine::sizes::{Lanes, Sms};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The output of exporting a chip.
#[derive(PartialEq, Eq)]
struct Export {
    verilog: Vec<u8>,
    header: Vec<u8>,
    svd: Vec<u8>,
}

/// Exports in a separate process, started in its own folder, which has a different name each time.
fn export(top: Top, lanes: Lanes, sms: Sms) -> Export {
    let folder = tempfile::tempdir().unwrap();
    let (lanes, sms) = (lanes.to_string(), sms.to_string());
    let output = Command::new(env!("CARGO_BIN_EXE_export-verilog"))
        .args(["--top", top.name(), "--lanes", &lanes, "--sms", &sms])
        .args(["-o", "chip.v", "--header", "map.h", "--svd", "map.svd"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name| std::fs::read(folder.path().join(name)).unwrap();
    Export { verilog: read("chip.v"), header: read("map.h"), svd: read("map.svd") }
}

/// Names the first file that differs; a message with whole chips would be unreadable.
#[track_caller]
fn same(what: &str, first: &Export, second: &Export) {
    assert!(first.verilog == second.verilog, "{what}: the Verilog differs");
    assert!(first.header == second.header, "{what}: the C header differs");
    assert!(first.svd == second.svd, "{what}: the SVD file differs");
}

#[test]
fn exporting_twice_gives_the_same_bytes() {
    let mut all = Vec::new();
    for (top, lanes, sms) in [
        (Top::Gpgpu, Lanes::Eight, Sms::One),
        (Top::Gpgpu, Lanes::Eight, Sms::Two),
        (Top::GpgpuAxi, Lanes::Eight, Sms::One),
    ] {
        let what = format!("{}, {lanes} lanes, {sms} SMs", top.name());
        let process = export(top, lanes, sms);
        same(&format!("{what}, in two processes"), &process, &export(top, lanes, sms));
        // Twice in this process: one export must leave no state for the next.
        for time in ["first", "second"] {
            let here = Export {
                verilog: verilog(top, lanes, sms).unwrap().into_bytes(),
                header: c_header().into_bytes(),
                svd: svd(lanes, sms).into_bytes(),
            };
            same(&format!("{what}, in a process and here, the {time} time"), &process, &here);
        }
        let module = format!("\nmodule {} (", top.name());
        assert!(String::from_utf8_lossy(&process.verilog).contains(&module), "{what}");
        all.push(process);
    }
    // The options take effect: these are three different chips.
    assert!(all[0].verilog != all[1].verilog && all[0].verilog != all[2].verilog && all[1].verilog != all[2].verilog);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A core file's lines without comments, and its folder.
fn core_file(name: &str) -> (Vec<String>, PathBuf) {
    let path = root().join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("CAPI=2:\n"), "{name}");
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#')).map(str::to_owned).collect();
    (lines, path.parent().unwrap().to_owned())
}

/// The path of the file that a line lists, if it lists one.
fn path_in(line: &str) -> Option<&str> {
    let item = line.trim().strip_prefix("- ")?;
    let path = item.split(": {").next()?;
    // Names of dependencies contain colons.
    (!path.contains(':') && path.contains('.')).then_some(path)
}

#[test]
fn core_files_have_crate_version_and_existing_files() {
    let version = env!("CARGO_PKG_VERSION");
    let (chip, chip_folder) = core_file("flexgrip.core");
    let (generator, generator_folder) = core_file("testbench/fusesoc/export_verilog.core");
    assert!(chip.contains(&format!("name: flexgrip:gpu:gpgpu:{version}")));
    assert!(chip.contains(&format!("      - flexgrip:gpu:export_verilog:{version}")));
    assert!(generator.contains(&format!("name: flexgrip:gpu:export_verilog:{version}")));

    let files: Vec<&str> = chip.iter().filter_map(|line| path_in(line)).collect();
    for file in &files {
        assert!(chip_folder.join(file).is_file(), "flexgrip.core: there is no {file}");
    }
    for file in ["testbench/verilator/flexgrip.vlt", "testbench/verilog/gpgpu_tb.v"] {
        assert!(files.contains(&file), "{files:?}");
    }
    let kernel = chip.iter().find_map(|line| line.trim().strip_prefix("kernel: "));
    let kernel = kernel.expect("flexgrip.core names the kernel that it simulates");
    assert!(chip_folder.join(kernel).join("launch.toml").is_file(), "{kernel}");
    // The checked kernel is the one that runs.
    for file in files.iter().filter(|file| file.starts_with("kernels/")) {
        assert!(file.starts_with(&format!("{kernel}/")), "{file}");
    }
    let command = generator.iter().find_map(|line| line.trim().strip_prefix("command: "));
    let command = command.expect("the generator has a command");
    assert!(generator_folder.join(command).is_file(), "{command}");
}
