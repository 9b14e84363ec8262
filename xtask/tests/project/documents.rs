//! The documents: links must have a target, and every check must have a row in docs/testing.md.

use crate::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files in a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

#[test]
fn links_have_targets() {
    let mut documents = files(&root().join("docs"));
    documents.push(root().join("README.md"));
    documents.push(root().join("CONTRIBUTING.md"));
    documents.push(root().join("testbench/verilator/README.md"));
    let mut links = 0;
    for document in documents.iter().filter(|path| has_ending(path, "md")) {
        for link in read(document).split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if link.starts_with("http") {
                continue;
            }
            let target = link.split('#').next().unwrap_or_default();
            let file = document.parent().unwrap().join(target);
            assert!(target.is_empty() || file.exists(), "{}: {link}", document.display());
            links += 1;
        }
    }
    assert!(links > 20, "{links} links");
}

/// The targets of the Makefile that are checks.
const CHECKS: [&str; 19] = [
    "lint",
    "kernels-check",
    "formal",
    "prove-decode",
    "gate",
    "conformance",
    "exhaustive",
    "builtins-exhaustive",
    "fuzz",
    "fpga",
    "cocotb",
    "fusesoc",
    "opencl-examples",
    "opencl-random",
    "timeline-check",
    "opencl-suites",
    "dap-check",
    "emacs-check",
    "faults-cluster",
];

/// The folder of each package and its features, by name of the package.
fn packages() -> BTreeMap<String, (PathBuf, BTreeSet<String>)> {
    let workspace: toml::Table = read(&root().join("Cargo.toml")).parse().unwrap();
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let manifests = members.iter().map(|member| root().join(member.as_str().unwrap()));
    let named = manifests.map(|folder| {
        let manifest: toml::Table = read(&folder.join("Cargo.toml")).parse().unwrap();
        let features = manifest.get("features").and_then(|features| features.as_table());
        let names = features.into_iter().flat_map(|features| features.keys().cloned());
        (
            manifest["package"]["name"].as_str().unwrap().to_string(),
            (folder, names.collect()),
        )
    });
    named.collect()
}

/// The commands of the Makefile, of the soak tier and of xtask, each on a single line.
fn commands() -> Vec<(&'static str, String)> {
    let files = [
        "Makefile",
        "testbench/soak.sh",
        "xtask/src/flows.rs",
        "xtask/src/opencl.rs",
        "xtask/src/update.rs",
    ];
    let lines = files.map(|file| {
        // Joins commands that are continued on the next line.
        let text = read(&root().join(file)).replace("\\\n", " ").replace('"', " ");
        text.lines().map(|line| (file, line.to_string())).collect::<Vec<_>>()
    });
    lines.concat()
}

/// Calls `each` for every word of all commands, with the file, the package named before the word, and the next word.
fn for_words(mut each: impl FnMut(&str, Option<&str>, &str, &str)) {
    for (file, command) in commands() {
        let words: Vec<&str> = command.split_whitespace().collect();
        let mut package = None;
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1).copied();
            if *word == "--package" {
                package = next;
            }
            each(file, package, word, next.unwrap_or_default());
        }
    }
}

/// cargo refuses an unknown feature before it builds anything: `make soak` once ran no tests because of this.
#[test]
fn commands_name_features_that_exist() {
    let packages = packages();
    let mut found = 0;
    for_words(|file, package, word, features| {
        for feature in features.split(',').filter(|_| word == "--features") {
            let (of, feature) = feature
                .split_once('/')
                .unwrap_or((package.unwrap_or_default(), feature));
            let known = packages.get(of).is_some_and(|(_, features)| features.contains(feature));
            assert!(known, "{file}: the package `{of}` has no feature `{feature}`");
            found += 1;
        }
    });
    assert!(found > 8, "{found} features");
}

/// True if the folder contains a file or folder with this name, at any depth.
fn has_module(folder: &Path, name: &str) -> bool {
    files(folder)
        .iter()
        .any(|path| path.file_stem().is_some_and(|stem| stem == name) || path.is_dir() && has_module(path, name))
}

/// A filter that matches no tests runs none, and cargo reports success.
#[test]
fn commands_name_modules_that_exist() {
    let packages = packages();
    let mut found = 0;
    for_words(|file, package, word, _| {
        if let (Some(module), Some(package)) = (word.strip_suffix("::"), package) {
            let tests = packages[package].0.join("tests");
            assert!(
                has_module(&tests, module),
                "{file}: {package} has no tests in a module `{module}`"
            );
            found += 1;
        }
    });
    assert!(found > 5, "{found} modules");
}

/// The checks in the table of docs/testing.md. Each has a tier and states the defects that it catches.
fn rows() -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for line in read(&root().join("docs/testing.md")).lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, check, catches, tier, _, _] = cells[..] else {
            continue;
        };
        let Some(check) = check.strip_prefix('`').and_then(|check| check.strip_suffix('`')) else {
            continue;
        };
        let known = ["test, soak", "soak"].contains(&tier) || tier.starts_with("by hand");
        assert!(known, "docs/testing.md: {check} has the unknown tier `{tier}`");
        assert!(
            !catches.is_empty(),
            "docs/testing.md: {check} states no defect that it catches"
        );
        assert!(rows.insert(check.to_string()), "docs/testing.md: {check} has two rows");
    }
    rows
}

fn from_root(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_string_lossy().into_owned()
}

/// The files with tests, and the folders next to a program's `main.rs`.
fn parts(program: &Path) -> Vec<String> {
    let main = program.join("main.rs");
    let modules = read(&main);
    let mut parts = Vec::new();
    for part in files(program).iter().filter(|path| **path != main) {
        if part.is_dir() || has_ending(part, "rs") && read(part).contains("#[test]") {
            let path = from_root(part);
            let name = part.file_stem().unwrap().to_string_lossy();
            let runs = modules.contains(&format!("\nmod {name};\n"));
            assert!(runs, "{path} is never run: {} does not name it", main.display());
            parts.push(path);
        }
    }
    parts
}

#[test]
fn every_check_has_a_tier() {
    let rows = rows();
    let mut checks = BTreeSet::new();
    let folders = files(&root()).into_iter().filter(|path| path.is_dir());
    let packages = folders.flat_map(|folder| std::iter::once(folder.clone()).chain(files(&folder)));
    for package in packages {
        let tests = package.join("tests");
        if !package.join("Cargo.toml").is_file() || !tests.is_dir() {
            continue;
        }
        // The lists of a program's test files: `main.rs`, and the `mod.rs` of each folder with further files.
        let main = tests.join("main.rs");
        let rooms = files(&tests)
            .into_iter()
            .filter(|path| path.join("mod.rs").is_file() && !path.ends_with("common"));
        let listed = rooms.map(|room| room.join("mod.rs")).chain([main.clone()]);
        for list in listed.filter(|list| *list == main || main.is_file()) {
            let folder = list.parent().unwrap();
            for test in files(folder).iter().filter(|path| **path != list) {
                // A test in several files is a folder with a `main.rs`.
                let is_room = test.join("mod.rs").is_file() && !test.ends_with("common");
                if !is_room && !has_ending(test, "rs") && !test.join("main.rs").is_file() {
                    continue;
                }
                let path = from_root(test);
                let name = test.file_stem().unwrap().to_string_lossy();
                let listed = !list.is_file() || read(&list).contains(&format!("\nmod {name};\n"));
                // A separate program next to the common one.
                let runs = listed || read(&package.join("Cargo.toml")).contains(&format!("path = \"tests/{name}.rs\""));
                assert!(runs, "{path} is never run: {} does not name it", list.display());
                // A program in a folder is a single check if it has a row; otherwise each of its files is a check.
                if !is_room && test.join("main.rs").is_file() && !rows.contains(&path) {
                    checks.extend(parts(test));
                } else if !is_room {
                    checks.insert(path);
                }
            }
        }
    }
    assert!(checks.len() > 50, "{checks:?}");
    let makefile = read(&root().join("Makefile"));
    for target in CHECKS {
        assert!(
            makefile.contains(&format!("\n{target}:")),
            "the Makefile has no {target}"
        );
        checks.insert(format!("make {target}"));
    }
    let missing: Vec<&String> = checks.difference(&rows).collect();
    assert!(missing.is_empty(), "docs/testing.md has no row for {missing:?}");
    let gone: Vec<&String> = rows.difference(&checks).collect();
    assert!(
        gone.is_empty(),
        "docs/testing.md has rows for missing tests and flows: {gone:?}"
    );
}
