//! Words for the shell: the command that started this program, and quoted arguments.

use std::ffi::OsStr;
use std::path::Path;

/// A word for the shell, quoted if necessary.
pub fn shell_word(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |letter: char| letter.is_alphanumeric() || "_-./:,+=@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The command that started this program, so that suggestions can be pasted.
pub fn invocation() -> String {
    // Cargo sets this for the programs it runs.
    let by_cargo = std::env::var_os("CARGO_PKG_NAME").is_some_and(|name| name == env!("CARGO_PKG_NAME"));
    if !by_cargo {
        let program = std::env::args_os().next();
        return program.map_or("flexgrip".into(), |program| shell_word(&program));
    }
    // The folder is named after the profile.
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().and_then(Path::file_name).unwrap_or_default();
    match folder.to_string_lossy().as_ref() {
        "debug" | "" => "cargo run --".into(),
        "release" => "cargo run --release --".into(),
        profile => format!("cargo run --profile {profile} --"),
    }
}
