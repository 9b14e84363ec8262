//! Finds a clang that compiles OpenCL C to 32-bit PTX.

use super::error::ClangError;
use super::program::{ClangProgram, Version, OLDEST};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The major version with which all results were measured. It is preferred to newer ones.
const BEST: u32 = 19;

/// Finds clang. `named` is the value of `FLEXGRIP_CLANG`, `path` of `PATH`.
pub fn find(named: Option<OsString>, path: Option<OsString>) -> Result<ClangProgram, ClangError> {
    let candidates = match named.filter(|name| !name.is_empty()) {
        Some(name) => vec![PathBuf::from(name)],
        None => candidates(&std::env::split_paths(&path.unwrap_or_default()).collect::<Vec<_>>()),
    };
    let mut tried = Vec::new();
    for candidate in candidates {
        match examine(&candidate) {
            Ok(version) => return Ok(ClangProgram::new(candidate, version)),
            Err(reason) => tried.push(format!("{}: {reason}", candidate.display())),
        }
    }
    let tried = match tried.is_empty() {
        true => "none is on the path".to_string(),
        false => tried.join("; "),
    };
    Err(ClangError::NotFound { tried })
}

/// Returns the programs in these folders that may be clang, best first.
fn candidates(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(rest) = name.to_str().and_then(|name| name.strip_prefix("clang")) else {
                continue;
            };
            let rank = match rest.strip_prefix('-') {
                None if rest.is_empty() => 0,
                Some(number) => match number.parse() {
                    Ok(BEST) => u32::MAX,
                    Ok(major) => major,
                    Err(_) => continue,
                },
                None => continue,
            };
            // Programs with the same name in later folders are ignored.
            if !found.iter().any(|(other, _)| *other == rank) {
                found.push((rank, entry.path()));
            }
        }
    }
    found.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    found.into_iter().map(|(_, path)| path).collect()
}

/// The version of a program, if it can compile OpenCL C to PTX.
fn examine(program: &Path) -> Result<Version, String> {
    let text = output(program, "--version")?;
    let version = Version::parse(&text).ok_or("it is not clang, or its version is unknown")?;
    if version.major < OLDEST {
        return Err(format!("version {} is too old", version.major));
    }
    let targets = output(program, "-print-targets")?;
    if !targets.split_whitespace().any(|word| word == "nvptx") {
        return Err("it lacks the target nvptx".to_string());
    }
    Ok(version)
}

fn output(program: &Path, argument: &str) -> Result<String, String> {
    let output = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("`{argument}` fails: {}", output.status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// A program that prints a version and targets.
    fn program(folder: &Path, name: &str, version: &str, targets: &str) {
        let path = folder.join(name);
        let text = format!("#!/bin/sh\ncase $1 in --version) echo '{version}';; *) echo '{targets}';; esac\n");
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    #[test]
    fn the_best_version_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        program(at, "clang", "clang version 21.0.0", "nvptx - PTX");
        program(at, "clang-11", "clang version 11.0.0", "nvptx - PTX");
        program(at, "clang-16", "clang version 16.0.6", "nvptx - PTX");
        program(at, "clang-20", "clang version 20.1.0", "x86 - x86");
        program(at, "clang-format-19", "clang-format version 19.1.7", "");
        program(at, "clang++", "clang version 19.1.7", "nvptx - PTX");
        let path = Some(at.as_os_str().to_os_string());
        let found = find(None, path.clone()).expect("16: 20 lacks the target");
        assert_eq!(
            (found.path(), found.version().major),
            (at.join("clang-16").as_path(), 16)
        );
        program(at, "clang-19", "clang version 19.1.7", "nvptx - PTX");
        assert_eq!(find(None, path.clone()).expect("19").version().major, 19);
        // A named program is used even if others would work.
        let named = |name: &str| find(Some(at.join(name).into_os_string()), path.clone());
        assert_eq!(named("clang").expect("21").version().major, 21);
        for (name, reason) in [
            ("clang-11", "version 11 is too old"),
            ("clang-20", "it lacks the target nvptx"),
            ("clang-format-19", "it is not clang"),
            ("missing", "No such file"),
        ] {
            let message = named(name).expect_err(name).to_string();
            assert!(message.contains(reason), "{message}");
            assert!(message.contains("apt-get install clang-19"), "{message}");
        }
    }

    #[test]
    fn no_clang_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let message = find(None, Some(folder.path().as_os_str().to_os_string())).expect_err("none");
        assert_eq!(
            message.to_string(),
            "found no clang 14 or newer with the target nvptx: none is on the path; install one, on Debian with \
             `apt-get install clang-19`, or name one in FLEXGRIP_CLANG"
        );
    }
}
