//! Other processes, on Linux: whose children they are, and whether they still run.

use std::process::Command;

/// State and parent of a process.
fn stat(process: u32) -> Option<(String, u32)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind its name, which may have blanks.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.into(), fields.next()?.parse().ok()?))
}

/// Whether a process runs.
pub fn is_alive(process: u32) -> bool {
    stat(process).is_some_and(|(state, _)| state != "Z")
}

/// The processes that a process has started.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|process| stat(*process).is_some_and(|(_, of)| of == parent))
        .collect()
}

/// Sends a signal to a process.
pub fn signal(name: &str, process: u32) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &process.to_string()])
        .status();
    assert!(sent.unwrap().success(), "{name}");
}
