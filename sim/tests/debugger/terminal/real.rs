//! Runs the program on a pseudo-terminal, with a terminal emulator at the other end.

use super::{golden, root};
use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The timeout for a screen.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program on a terminal.
struct Real {
    child: Child,
    far: serial2::SerialPort,
    /// Kept open until the end, so that the last output can still be read.
    _near: serial2::SerialPort,
    device: PathBuf,
    emulator: vt100::Parser,
    /// All bytes written to the terminal.
    bytes: Vec<u8>,
    /// The settings of the line before the program started.
    settings: Vec<u8>,
}

fn stty(device: &Path, arguments: &[&str]) -> Output {
    let output = Command::new("stty")
        .arg("-F")
        .arg(device)
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

impl Real {
    fn start(kernel: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let (far, near) = serial2::SerialPort::pair().unwrap();
        let device = std::fs::read_link(format!("/proc/self/fd/{}", near.as_raw_fd())).unwrap();
        stty(&device, &["sane", "cols", "100", "rows", "40"]);
        let settings = stty(&device, &["-g"]).stdout;
        let open = || {
            Stdio::from(
                std::fs::OpenOptions::new()
                    .read(true)
                    .write(true)
                    .open(&device)
                    .unwrap(),
            )
        };
        // The terminal becomes the program's controlling terminal, which is notified of size changes.
        let child = Command::new("setsid")
            .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_flexgrip"), "debug"])
            .arg(kernel)
            .args(arguments)
            .env_remove("NO_COLOR")
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .envs(variables.iter().copied())
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .spawn()
            .unwrap();
        Real {
            child,
            far,
            _near: near,
            device,
            emulator: vt100::Parser::new(40, 100, 0),
            bytes: Vec::new(),
            settings,
        }
    }

    /// Reads the program's output.
    fn receive(&mut self) {
        let mut buffer = [0; 4096];
        self.far.set_read_timeout(Duration::from_millis(50)).unwrap();
        match self.far.read(&mut buffer) {
            Ok(count) => {
                self.bytes.extend(&buffer[..count]);
                self.emulator.process(&buffer[..count]);
            }
            Err(error) if error.kind() == ErrorKind::TimedOut => {}
            Err(error) => panic!("{error}"),
        }
    }

    fn text(&self) -> String {
        let (_, columns) = self.emulator.screen().size();
        let rows = self.emulator.screen().rows(0, columns);
        rows.map(|row| row.trim_end().to_string() + "\n").collect()
    }

    fn wait_for(&mut self, what: &str, is_there: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !is_there(&self.text()) {
            assert!(start.elapsed() < PATIENCE, "no {what} on\n{}", self.text());
            self.receive();
        }
    }

    fn wait_for_screen(&mut self, name: &str) {
        let expected = std::fs::read_to_string(golden(name)).unwrap();
        self.wait_for(&format!("screen as\n{expected}"), |text| text == expected);
    }

    fn wait_for_text(&mut self, wanted: &str) {
        self.wait_for(wanted, |text| text.contains(wanted));
    }

    fn keys(&mut self, keys: &str) {
        self.far.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the program ends. The terminal must have its earlier settings.
    fn end(mut self) -> Vec<u8> {
        let start = Instant::now();
        let status = loop {
            self.receive();
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(start.elapsed() < PATIENCE, "no end after\n{}", self.text()),
            }
        };
        self.receive();
        assert_eq!(status.code(), Some(0), "{}", self.text());
        assert_eq!(stty(&self.device, &["-g"]).stdout, self.settings, "the line's settings");
        let screen = self.emulator.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        self.bytes
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

const ALTERNATE_SCREEN: &str = "\x1b[?1049h";

#[test]
fn session_runs_on_a_terminal() {
    let mut real = Real::start(
        &root().join("kernels/reduction"),
        &[],
        &[("LC_ALL", "C"), ("NO_COLOR", "1")],
    );
    real.wait_for_screen("beginning");
    real.keys("c");
    real.wait_for_screen("end");
    real.keys("?");
    real.wait_for_text("this help; also F1");
    // A click closes the help: button 0 at column 5, row 5.
    real.keys("\x1b[<0;5;5M\x1b[<0;5;5m");
    real.wait_for_screen("end");
    stty(&real.device, &["cols", "20", "rows", "10"]);
    real.emulator.set_size(10, 20);
    real.wait_for("single pane", |text| {
        text.lines().nth(1).is_some_and(|line| line.contains(" 2/8 SASS "))
    });
    real.keys("q");
    let bytes = real.end();
    assert!(contains(&bytes, ALTERNATE_SCREEN));
    assert!(
        !contains(&bytes, "\x1b[31m") && !contains(&bytes, "\x1b[38;5;"),
        "no colours"
    );
}

/// A key that arrives together with a new size is not lost. A running command only polls for events from time to time,
/// so it usually finds both at once.
#[test]
fn key_during_a_size_change_is_kept() {
    let folder = crate::common::Folder::sass("loop: BRA loop;\n");
    let mut real = Real::start(folder.path(), &["--max-cycles", "4000000000"], &[]);
    real.wait_for_text("instruction 0, warp 0.0");
    for columns in 70..80 {
        real.keys("c");
        real.wait_for_text("running; Esc interrupts");
        stty(&real.device, &["cols", &columns.to_string()]);
        real.keys("\x1b");
        real.emulator.set_size(40, columns);
        real.wait_for("interruption", |text| {
            !text.contains("running;") && text.contains("interrupted")
        });
    }
    real.keys("q");
    real.end();
}

/// A kernel without an end is interrupted with either key, and the session continues.
#[test]
fn long_command_is_interrupted() {
    let folder = crate::common::Folder::sass("loop: BRA loop;\n");
    let mut real = Real::start(folder.path(), &["--max-cycles", "4000000000"], &[]);
    real.wait_for_text("instruction 0, warp 0.0");
    for (key, stop) in [
        ("c", "\x1b"),
        (":step 4000000000\r", "\x03"),
        (":goto 4000000000\r", "\x03"),
    ] {
        real.keys(key);
        real.wait_for_text("running; Esc interrupts");
        real.keys(stop);
        real.wait_for("interruption", |text| {
            !text.contains("running;") && text.contains("interrupted")
        });
    }
    real.keys("r");
    real.wait_for_text("instruction 0, warp 0.0");
    real.keys(":quit\r");
    real.end();
}

/// Tests text commands on a terminal without full-screen support, and on request.
#[test]
fn plain_commands_work_on_a_terminal() {
    let kernel = root().join("kernels/reduction");
    for (arguments, variables, note) in [
        (&["--plain"][..], &[][..], ""),
        (&[][..], &[("TERM", "dumb")][..], "note: no full screen: TERM=dumb"),
    ] {
        let mut real = Real::start(&kernel, arguments, variables);
        real.wait_for_text("instruction 0, warp 0.0");
        real.keys("lane 3\nquit\n");
        let bytes = real.end();
        assert!(contains(&bytes, note) && contains(&bytes, "warp 0.0, lane 3:"));
        assert!(!contains(&bytes, "\x1b["), "no control sequences");
    }
}
