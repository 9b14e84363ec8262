//! Tests `export-verilog`: it exports memories of chosen sizes, and reports impossible sizes with the right exit code.

use std::process::{Command, Output};

/// Runs the exporter to its standard output.
fn export(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_export-verilog")).args(["-o", "-"]).args(arguments).output().unwrap()
}

#[test]
fn memories_have_the_requested_sizes() {
    for (instructions, constants) in [("262144", "65536"), ("32768", "8192"), ("64", "16")] {
        let output = export(&["--instruction-bytes", instructions, "--constant-bytes", constants]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let verilog = String::from_utf8(output.stdout).unwrap();
        for (module, bytes, width) in
            [("instruction_memory_memory", instructions, 8), ("constant_memory_memory", constants, 4)]
        {
            let (_, body) = verilog.split_once(&format!("module {module} (")).unwrap();
            let words: usize = bytes.parse::<usize>().unwrap() / width;
            let memory = format!("reg [{}:0] memory [0:{}];", 8 * width - 1, words - 1);
            let (body, _) = body.split_once("endmodule").unwrap();
            assert!(body.contains(&memory), "{module} of {bytes} bytes has no `{memory}`");
        }
    }
}

#[test]
fn impossible_memories_are_errors() {
    for arguments in [
        ["--instruction-bytes", "524288"],
        ["--instruction-bytes", "30000"],
        ["--instruction-bytes", "8"],
        ["--constant-bytes", "131072"],
        ["--constant-bytes", "0"],
    ] {
        let output = export(&arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(message.contains(arguments[1]) && message.contains("power of two"), "{message}");
    }
    let words = export(&["--instruction-bytes", "many"]);
    assert_eq!(words.status.code(), Some(2));
}

/// The error cannot be printed, but the exit code shows it.
#[test]
#[cfg(target_os = "linux")]
fn unprintable_errors_keep_the_exit_code() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_export-verilog")).args(["-o", "/dev/null/x"]).stderr(full).status();
    assert_eq!(status.unwrap().code(), Some(1));
}

#[test]
fn decoders_are_exported_with_row_names() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.txt");
    let output = export(&["--isa", "g13", "--rows", rows.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let verilog = String::from_utf8(output.stdout).unwrap();
    assert!(verilog.contains("\nmodule g13_decode (") && verilog.contains("output wire [3:0]  a_type,"), "{verilog}");
    // The format of GTKWave's translate files: the value, a space, the text.
    let names = std::fs::read_to_string(rows).unwrap();
    let set = flexgrip_gpu_isa::set("g13").unwrap();
    assert_eq!(names.lines().count(), set.all_rows().len());
    assert_eq!(names.lines().nth(10), Some(&*format!("00A {}", set.all_rows()[10].mnemonic)));
}

#[test]
fn impossible_decoders_are_errors() {
    for (arguments, reason) in [
        (&["--isa", "sm70"][..], "expected one of g13, usse"),
        (&["--isa", "g13", "--lanes", "16"], "cannot be used with"),
        (&["--rows", "rows.txt"], "--isa"),
    ] {
        let output = export(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
}
