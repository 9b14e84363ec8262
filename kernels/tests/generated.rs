//! The files in the kernels' folders equal the output of the generator, and its check finds every difference.

use flexgrip_kernels::{files, KERNELS};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn files_are_up_to_date() {
    let wrong = files::check(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    assert!(
        wrong.is_empty(),
        "{}\n`cargo xtask update kernels` writes them",
        wrong.join("\n")
    );
}

#[test]
fn check_lists_missing_stale_and_unknown_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    files::write(root).unwrap();
    let sources: Vec<PathBuf> = KERNELS
        .map(|make| make())
        .iter()
        .flat_map(|kernel| files::sources(kernel).map(|name| root.join(kernel.name).join(name)))
        .collect();
    let missing: Vec<String> = sources
        .iter()
        .map(|path| format!("{} is missing", path.display()))
        .collect();
    let sorted = |lines: Vec<String>| lines.into_iter().collect::<BTreeSet<_>>();
    assert_eq!(sorted(files::check(root).unwrap()), sorted(missing));

    for path in &sources {
        fs::write(path, "").unwrap();
    }
    assert_eq!(files::check(root).unwrap(), [""; 0]);

    let place = |name: &str| root.join(name);
    fs::write(place("sort/global.hex"), "00000000\n").unwrap();
    fs::remove_file(place("life/expected.txt")).unwrap();
    fs::write(place("life/constant1.hex"), "").unwrap();
    fs::create_dir(place("unknown")).unwrap();
    let wrong = [
        format!("{} is stale", place("sort/global.hex").display()),
        format!("{} is missing", place("life/expected.txt").display()),
        format!(
            "{} does not belong to the kernel",
            place("life/constant1.hex").display()
        ),
        format!("{} is not a kernel's folder", place("unknown").display()),
    ];
    assert_eq!(sorted(files::check(root).unwrap()), sorted(wrong.to_vec()));
}

#[test]
fn program_writes_and_failed_check_exits_1() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_generate-kernels"));
        command.args(arguments).arg("--root").arg(folder.path());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(run(&[]), (Some(0), String::new()));
    for kernel in KERNELS.map(|make| make()) {
        for name in files::sources(&kernel) {
            fs::write(folder.path().join(kernel.name).join(name), "").unwrap();
        }
    }
    assert_eq!(run(&["--check"]), (Some(0), String::new()));
    let stale = folder.path().join("crc32/expected.txt");
    fs::write(&stale, "").unwrap();
    assert_eq!(run(&["--check"]), (Some(1), format!("{} is stale\n", stale.display())));
}

/// A kernel that does not change memory tests nothing, and results must be inside its memory.
#[test]
fn expected_words_are_in_memory_and_mostly_change() {
    for kernel in KERNELS.map(|make| make()) {
        let name = kernel.name;
        let mut changed = 0;
        for (&address, &word) in &kernel.expected {
            assert_eq!(address % 4, 0, "{name}: {address:#x}");
            let before = kernel.memory.get(address as usize / 4);
            assert!(before.is_some(), "{name}: {address:#x} is after the memory's contents");
            changed += usize::from(before != Some(&word));
        }
        assert!(changed > kernel.expected.len() / 2, "{name}: {changed} words change");
    }
}
