//! Tests the first use of the program: in any folder, with an existing or a missing kernel, with and without a
//! terminal.

use crate::common::Folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn kernel(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels").join(name)
}

/// A folder that contains only a copy of a kernel.
fn elsewhere(name: &str) -> Folder {
    let folder = Folder::new(&[]);
    let copy = folder.path().join(name);
    std::fs::create_dir(&copy).unwrap();
    for file in std::fs::read_dir(kernel(name)).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    folder
}

/// The program in a folder, run as a user would.
fn flexgrip(folder: &Folder, arguments: &[&str]) -> Command {
    let mut flexgrip = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    flexgrip.args(arguments).current_dir(folder.path());
    // Cargo sets this variable for tests and for programs that it runs.
    flexgrip.env_remove("CARGO_PKG_NAME");
    flexgrip
}

fn output(folder: &Folder, arguments: &[&str]) -> Output {
    flexgrip(folder, arguments).output().unwrap()
}

/// The standard output of a command that succeeds without other output.
#[track_caller]
fn says(folder: &Folder, arguments: &[&str]) -> String {
    let output = output(folder, arguments);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).unwrap()
}

/// The result of `run` for a command that runs for more than a second before it is cut off, on any computer.
fn long<T>(run: impl Fn(&mut Command) -> T) -> T {
    let endless = Folder::sass("again: BRA again\n");
    let mut cycles = 200_000;
    loop {
        let start = Instant::now();
        let result = run(&mut flexgrip(
            &endless,
            &["run", ".", "--max-cycles", &cycles.to_string()],
        ));
        // Part of this time passes before the run.
        if start.elapsed() > Duration::from_secs(2) {
            return result;
        }
        cycles *= 4;
    }
}

#[test]
fn program_runs_in_any_folder() {
    let folder = elsewhere("vectoradd");
    let waves = ["--wave", "w.vcd", "--wave-scope", "top.sm[0].fetch"];
    let text = says(&folder, &[&["run", "vectoradd"], &waves[..]].concat());
    assert!(text.ends_with("result matches\n"), "{text}");
    for name in ["w.vcd", "w.gtkw", "w.scheduler.gtkw", "w.memory.gtkw"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    let text = says(&folder, &["lockstep", "vectoradd/launch.toml"]);
    assert!(text.starts_with("rtl and the model agree in "), "{text}");
    let hex = says(&folder, &["asm", "vectoradd/kernel.sass"]);
    std::fs::write(folder.path().join("kernel.hex"), hex).unwrap();
    let text = says(&folder, &["disasm", "kernel.hex"]);
    assert!(text.contains("IADD"), "{text}");
    assert!(says(&folder, &["isa", "IADD"]).contains("IADD"));
    assert!(says(&folder, &["explain", "0x04000780a0000005"]).contains("I2I"));
}

#[test]
fn run_continues_from_a_snapshot() {
    let folder = elsewhere("vectoradd");
    let run = |arguments: &str| {
        let words: Vec<&str> = ["run", "vectoradd"].into_iter().chain(arguments.split(' ')).collect();
        assert!(says(&folder, &words).ends_with("result matches\n"), "{arguments}");
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    run("--save-at 100 snapshot --trace whole.txt --wave whole.vcd --wave-from 100 --wave-scope top.sm[0].fetch");
    run("--from snapshot --trace rest.txt --wave rest.vcd --wave-scope top.sm[0].fetch");
    assert!(read("whole.txt").ends_with(&read("rest.txt")) && read("rest.txt").len() > 1000);
    assert!(read("whole.vcd") == read("rest.vcd"));
}

#[test]
fn missing_kernel_names_the_searched_folder() {
    let folder = Folder::new(&[]);
    let place = folder.path().canonicalize().unwrap();
    for (path, file, words) in [
        ("kernels/sort", "kernels/sort", "expected a folder with a launch.toml"),
        (".", "launch.toml", "cannot read the launch file"),
        ("a/launch.toml", "a/launch.toml", "cannot read the launch file"),
    ] {
        for command in ["run", "lockstep", "job"] {
            let output = output(&folder, &[command, path]);
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let error = String::from_utf8(output.stderr).unwrap();
            let whole = format!("looked for at {}\n", place.join(file).display());
            assert!(
                error.starts_with("error: ") && error.ends_with(&whole),
                "{error}{whole}"
            );
            assert!(error.contains(words) && error.contains("no such file"), "{error}");
        }
    }
    // If the path is absolute, it is not printed twice.
    let absolute = place.join("none");
    let output = output(&folder, &["run", absolute.to_str().unwrap()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.matches(absolute.to_str().unwrap()).count(), 1, "{error}");
}

#[test]
fn no_arguments_print_the_usage() {
    let output = output(&Folder::new(&[]), &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("Usage: flexgrip") && text.contains("flexgrip run kernels/vectoradd"),
        "{text}"
    );
}

#[test]
fn output_to_files_has_no_progress_or_proposal() {
    let output = long(|command| command.output().unwrap());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.starts_with("error: ") && text.contains(": did not end within ") && text.lines().count() == 1,
        "{text}"
    );
}

#[cfg(target_os = "linux")]
mod on_a_terminal {
    use super::*;
    use std::io::ErrorKind;
    use std::os::fd::OwnedFd;
    use std::process::Stdio;

    /// Returns the output of the command on its standard error, which is a terminal, and on its standard output.
    fn sent(command: &mut Command) -> (String, String) {
        let (far, near) = serial2::SerialPort::pair().unwrap();
        let reader = std::thread::spawn(move || {
            let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
            loop {
                match far.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(length) => text.extend_from_slice(&buffer[..length]),
                    Err(error) if error.kind() == ErrorKind::TimedOut => {}
                    // The other end is closed.
                    Err(_) => break,
                }
            }
            String::from_utf8(text).unwrap()
        });
        let output = command
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .stderr(OwnedFd::from(near))
            .output()
            .unwrap();
        // The command keeps the terminal open until it is redirected.
        command.stderr(Stdio::null());
        (reader.join().unwrap(), String::from_utf8(output.stdout).unwrap())
    }

    /// The final contents of a terminal's screen.
    fn screen(sent: &str) -> Vec<String> {
        let (mut lines, mut line, mut column) = (vec![String::new()], 0, 0);
        let mut letters = sent.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\r' => column = 0,
                '\n' => {
                    (line, column) = (line + 1, 0);
                    lines.resize(lines.len().max(line + 1), String::new());
                }
                '\x1b' => {
                    let sequence: String = letters
                        .by_ref()
                        .take_while(|letter| !letter.is_ascii_alphabetic())
                        .collect();
                    // The final letter was removed: all sequences in use either clear a line or move by zero lines.
                    assert!(
                        ["[2", "[0", "["].contains(&sequence.as_str()),
                        "{sequence:?} in {sent:?}"
                    );
                    lines[line].clear();
                }
                letter => {
                    let mut letters: Vec<char> = lines[line].chars().collect();
                    letters.resize(letters.len().max(column + 1), ' ');
                    letters[column] = letter;
                    lines[line] = letters.into_iter().collect();
                    column += 1;
                }
            }
        }
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        lines
    }

    #[test]
    fn progress_of_a_long_run_is_erased() {
        let (sent, _) = long(sent);
        assert!(
            sent.contains("rtl: running, ") && sent.contains(" cycles/s, "),
            "{sent:?}"
        );
        let screen = screen(&sent);
        assert_eq!(screen.len(), 1, "{screen:?}");
        assert!(
            screen[0].starts_with("error: ") && screen[0].contains(": did not end within "),
            "{screen:?}"
        );
    }

    #[test]
    fn proposed_command_can_be_pasted() {
        let folder = elsewhere("vectoradd");
        let program = env!("CARGO_BIN_EXE_flexgrip");
        let proposal = |arguments: &[&str], by_cargo: bool| {
            let mut command = flexgrip(&folder, &[&["run", "vectoradd"], arguments].concat());
            if by_cargo {
                command.env("CARGO_PKG_NAME", env!("CARGO_PKG_NAME"));
            }
            let (sent, said) = sent(&mut command);
            assert!(said.contains("match"), "{said}");
            screen(&sent).join("\n")
        };
        let model = ["--engine", "model", "--lanes", "16"];
        let next = "run vectoradd --lanes 16 runs it on the circuits, cycle by cycle";
        assert_eq!(proposal(&model, false), format!("next: {program} {next}"));
        let text = proposal(&model, true);
        assert!(
            text.starts_with("next: cargo run ") && text.ends_with(&format!("-- {next}")),
            "{text}"
        );
        let next = "lockstep vectoradd compares every instruction with the model; --wave w.vcd shows every signal";
        assert_eq!(proposal(&[], false), format!("next: {program} {next}"));
        // Output for programs contains no proposal.
        assert_eq!(proposal(&["--engine", "model", "--json"], false), "");
    }
}
