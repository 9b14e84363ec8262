//! Tests of `--capability` of run, asm, disasm and explain, and of `capability` in launch files.

use super::{printed, refused};
use std::fs;
use std::path::Path;

const SASS: &str = "\
.kernel count
.registers 6
    I2I.U32.U16 R1, R0L
    LOP32I.AND R1, R1, 0x3
    SHL R1, R1, 0x2
    MVI R2, 0x1
    GRED.IADD.U32 global14[R1], R2
    F2F.F64.F32 R4, R2
    DADD R4, R4, R4
    RET
";

/// A folder with a kernel that counts threads in four words, with these lines in its launch file.
fn kernel(lines: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let launch = format!("name = \"count\"\nprogram = \"kernel.sass\"\n{lines}grid = [3, 1]\nblock = [64, 1, 1]\n[[expect]]\nspace = \"global\"\nfile = \"expected.txt\"\n");
    fs::write(folder.path().join("launch.toml"), launch).unwrap();
    fs::write(folder.path().join("kernel.sass"), SASS).unwrap();
    fs::write(folder.path().join("expected.txt"), "0 30\n4 30\n8 30\nc 30\n").unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn launch_file_or_option_gives_the_capability() {
    let named = kernel("capability = \"1.3\"\n");
    let folder = text(named.path());
    let output = printed(&["run", folder, "--engine", "model", "--json"]);
    assert!(output.contains("\"match\":true"), "{output}");
    for engine in ["rtl", "kernels"] {
        let output = printed(&["run", folder, "--engine", engine, "--json"]);
        assert!(output.contains("\"match\":true"), "{engine}: {output}");
    }
    let error = refused(1, &["run", folder, "--engine", "model", "--capability", "1.1"]);
    assert!(
        error.contains("launch.toml:3:14") && error.contains("the machine has 1.1 (--capability 1.3)"),
        "{error}"
    );
    // Without an entry in the file, the option is needed.
    let plain = kernel("");
    let folder = text(plain.path());
    let error = refused(1, &["run", folder, "--engine", "model"]);
    assert!(
        error.contains("GRED needs compute capability 1.1") && error.contains("--capability 1.1 allows it"),
        "{error}"
    );
    printed(&["run", folder, "--engine", "model", "--capability", "1.3", "--check"]);
    let wrong = kernel("capability = \"2.0\"\n");
    let error = refused(1, &["run", text(wrong.path()), "--engine", "model"]);
    assert!(
        error.contains("there is no compute capability `2.0`; expected 1.0, 1.1, 1.2 or 1.3"),
        "{error}"
    );
    refused(2, &["run", folder, "--capability", "2.0"]);
}

#[test]
fn programs_are_assembled_and_listed_for_their_capability() {
    let folder = kernel("");
    let (sass, hex, cubin) = (
        folder.path().join("kernel.sass"),
        folder.path().join("kernel.hex"),
        folder.path().join("kernel.cubin"),
    );
    let error = refused(1, &["asm", text(&sass)]);
    assert!(
        error.contains("kernel.sass:7:5: GRED needs compute capability 1.1"),
        "{error}"
    );
    for file in [&hex, &cubin] {
        printed(&["asm", "--capability", "1.3", text(&sass), "-o", text(file)]);
    }
    let listed = printed(&["disasm", text(&cubin)]);
    assert!(
        listed.contains("sm_13") && listed.contains("DADD R4, R4, R4;"),
        "{listed}"
    );
    let listed = printed(&["disasm", text(&cubin), "--capability", "1.1"]);
    assert!(
        listed.contains("GRED.IADD.U32 global14[R1], R2;") && !listed.contains("DADD R4"),
        "{listed}"
    );
    let listed = printed(&["disasm", text(&hex)]);
    assert!(listed.contains("GRED needs 1.1 (--capability 1.1)"), "{listed}");
    let listed = printed(&["disasm", text(&hex), "--capability", "1.3"]);
    assert!(listed.contains("F2F.F64.F32 R4, R2;"), "{listed}");
    // A cubin needs no entry in the launch file; one without later instructions runs everywhere.
    let launch = folder.path().join("launch.toml");
    let lines = fs::read_to_string(&launch)
        .unwrap()
        .replace("kernel.sass", "kernel.cubin");
    fs::write(&launch, lines).unwrap();
    printed(&["run", text(folder.path()), "--engine", "model"]);
    printed(&["run", text(folder.path()), "--engine", "rtl"]);
    fs::write(&sass, ".kernel count\n.registers 6\nRET\n").unwrap();
    printed(&["asm", "--capability", "1.3", text(&sass), "-o", text(&cubin)]);
    fs::write(folder.path().join("expected.txt"), "0 0\n").unwrap();
    printed(&["run", text(folder.path()), "--engine", "rtl"]);
}
