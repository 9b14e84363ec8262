//! Other processes on Linux: their children and their state.

use std::process::Command;

/// The state and the parent of a process.
fn stat(process: u32) -> Option<(String, u32)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The fields after the name, which may contain blanks.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.into(), fields.next()?.parse().ok()?))
}

/// True if a process is running.
pub fn is_alive(process: u32) -> bool {
    stat(process).is_some_and(|(state, _)| state != "Z")
}

/// The child processes of a process.
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
