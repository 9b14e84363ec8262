//! Tests a board's host, on a serial line to a board with simulated circuits. `flexgrip board` gives the same results
//! as `flexgrip run` at the latency of the board's memory, and transmission errors are repaired or reported.

use crate::common::Folder;
use flexgrip_hdl::board::block_memory::LATENCY;
use flexgrip_hdl::board::protocol;
use flexgrip_machine::host_map as map;
use flexgrip_machine::sizes::Lanes;
use flexgrip_sim::board;
use flexgrip_sim::board::client::Client;
use flexgrip_sim::board::error::BoardError;
use flexgrip_sim::board::lane_test;
use flexgrip_sim::board::line::Line;
use flexgrip_sim::board::pipe::PipeLine;
use flexgrip_sim::board::run::BoardOptions;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The timeout if no answer is expected: longer than the longest request takes on a busy computer.
const ANSWER_TIME: Duration = Duration::from_secs(4);
/// The timeout if each request is answered, long enough to build the board's circuits first.
const PATIENCE: Duration = Duration::from_secs(60);

fn kernel(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels").join(name)
}

/// The shell command that simulates a board.
fn simulated(arguments: &str) -> String {
    format!("'{}' simulated-board {arguments}", env!("CARGO_BIN_EXE_flexgrip"))
}

fn client() -> Client<PipeLine> {
    Client::new(PipeLine::open(&simulated("")).unwrap(), PATIENCE)
}

/// The line to a board that has already answered, so the timeout does not include the board's start.
fn awake(command: &str) -> PipeLine {
    let mut client = Client::new(PipeLine::open(command).unwrap(), PATIENCE);
    match client.identify() {
        // A board with only a lane also answers this request, but not as a whole board.
        Ok(_) | Err(BoardError::NotABoard { .. }) => client.into_line(),
        Err(error) => panic!("{error}"),
    }
}

fn flexgrip(command: &str, kernel: &Path, arguments: &[&str]) -> Output {
    let mut flexgrip = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    flexgrip.arg(command).arg(kernel).args(arguments).output().unwrap()
}

fn on_board(kernel: &Path, port: &str, arguments: &[&str]) -> Output {
    flexgrip("board", kernel, &[&["--port", port], arguments].concat())
}

/// The errors that a command printed.
fn errors(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("error: "));
    lines.map(str::to_owned).collect()
}

/// The error of a kernel that cannot be run on the board at this port.
#[track_caller]
fn error_of(kernel: &Path, port: &str, arguments: &[&str]) -> String {
    let output = on_board(kernel, port, arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = errors(&output);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].clone()
}

/// Runs the kernel on a board and on the circuits without a board, with this much global memory. Both must give the
/// same results and cycles, and the same bytes in `dumped`, an address and a length. Returns the results as JSON.
#[track_caller]
fn same_as_without_a_board(kernel: &Path, lanes: u32, global_bytes: u32, dumped: (u32, u32)) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let (lanes, size, latency) = (lanes.to_string(), global_bytes.to_string(), LATENCY.to_string());
    let port = format!("pipe:{}", simulated(&format!("--lanes {lanes}")));
    let run = |command, arguments: &[&str]| {
        let path = folder.path().join(command);
        let dump = format!("{}@{}+{}", path.display(), dumped.0, dumped.1);
        let all = ["--json", "--global-size", &size, "--dump", &dump];
        let output = flexgrip(command, kernel, &[&all, arguments].concat());
        let mut found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for own in ["engine", "wall_seconds", "cycles_per_second"] {
            assert!(found.as_object_mut().unwrap().remove(own).is_some(), "{own}");
        }
        (output.status.code(), errors(&output), found, std::fs::read(path).ok())
    };
    let board = run("board", &["--port", &port]);
    let alone = run(
        "run",
        &["--engine", "rtl", "--lanes", &lanes, "--memory-latency", &latency],
    );
    assert_eq!(board, alone);
    board.2
}

#[test]
fn board_runs_kernels_as_the_circuits() {
    // Integers and several blocks; floats and calls; constants in the last bank of the board.
    for (name, bytes) in [("vectoradd", 3072), ("float_pitfalls", 256), ("stencil_2d", 5312)] {
        let found = same_as_without_a_board(&kernel(name), 8, bytes, (4, 100));
        assert_eq!(found["match"], true, "{name}");
    }
}

#[test]
fn boards_run_with_all_lane_counts() {
    for lanes in [16, 32] {
        let found = same_as_without_a_board(&kernel("float_pitfalls"), lanes, 256, (0, 256));
        assert_eq!((&found["lanes"], &found["match"]), (&lanes.into(), &true.into()));
    }
}

#[test]
fn failing_kernels_give_the_same_messages() {
    // An illegal instruction; a load beyond global memory by some threads.
    let launch = "name = \"t\"\nprogram = \"kernel.hex\"\nregisters = 16\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
    let illegal = Folder::new(&[("launch.toml", launch), ("kernel.hex", "f0000001\n00000780\n")]);
    let outside = Folder::sass("I2I.U32.U16 R0, R0L\nSHL R0, R0, 6\nGLD.U32 R1, global14[R0]\nRET\n");
    for (folder, words) in [(&illegal, "illegal"), (&outside, "0x400")] {
        let found = same_as_without_a_board(folder.path(), 8, 1024, (0, 64));
        let error = found["error"].as_str().unwrap_or_default();
        assert!(error.contains(words), "{found}");
    }
}

#[test]
fn local_memory_follows_global_memory() {
    let launch = "name = \"t\"\nprogram = \"kernel.sass\"\nregisters = 8\nlocal_bytes = 32\ngrid = [2, 1]\n\
                  block = [64, 1, 1]\n[[expect]]\nspace = \"global\"\nfile = \"expected.txt\"\n";
    let program = "
        MOV.U16 R0H, g[6].U16; I2I.U32.U16 R1, R0L
        MVI R2, 64; IMUL.U16.U16 R2, R0H, R2L
        IADD R2, R2, R1
        LST.U32 local[0x14], R2
        LST.U32 local[0x18], R1
        LLD.U32 R4, local[0x14]
        SHL R3, R2, 2
        GST.U32 global14[R3], R4
        RET";
    let expected: String = (0..128)
        .map(|thread| format!("{:x} {thread:x}\n", 4 * thread))
        .collect();
    let folder = Folder::new(&[
        ("launch.toml", launch),
        ("kernel.sass", program),
        ("expected.txt", &expected),
    ]);
    let found = same_as_without_a_board(folder.path(), 8, 1024, (0, 512));
    assert_eq!(found["match"], true, "{found}");
    // Without an explicit size, global memory is the memory that local memories do not use.
    let (report, machine) = board::run::run(&mut client(), &folder.kernel(), &[], &BoardOptions::default()).unwrap();
    let local = machine.warps_per_sm * 32 * 32;
    assert_eq!(machine.global_bytes, (64 << 10) - local);
    assert!(folder.kernel().expectations[0]
        .mismatches(&report.global, &report.global)
        .is_empty());
    assert_eq!(report.global[..128], (0..128).collect::<Vec<u32>>());
}

/// Runs several kernels on one board: none sees state of the previous one.
#[test]
fn board_runs_several_kernels() {
    let mut client = client();
    let options = BoardOptions {
        global_bytes: Some(1024),
        grid_time: Duration::from_millis(200),
        ..BoardOptions::default()
    };
    // Fills memory and never ends.
    let endless = Folder::sass(
        "I2I.U32.U16 R0, R0L; SHL R0, R0, 5; MVI R1, 0x1234567
         again: GST.U32 global14[R0], R1
         BRA again",
    );
    let (report, _) = board::run::run(&mut client, &endless.kernel(), &[], &options).unwrap();
    match report.ending {
        Ending::OutOfTime(late) => assert!(late.time == options.grid_time && late.cycles > 100),
        other => panic!("{other:?}"),
    }
    // Finds only zeros in memory.
    let dumps = ["f@0+1024".parse().unwrap()];
    let idle = Folder::sass("RET");
    let (report, _) = board::run::run(&mut client, &idle.kernel(), &dumps, &options).unwrap();
    assert_eq!(report.ending, Ending::Complete);
    assert_eq!(report.global, [0; 256]);
    assert_eq!(client.repeated(), 0);
}

/// The grid is stopped, and reported like any other outcome: with a report, counters, JSON and exit code 1.
#[test]
fn timeout_of_a_grid_is_an_outcome() {
    let endless = Folder::sass("again: BRA again");
    let port = format!("pipe:{}", simulated(""));
    let run = |more: &[&str]| {
        let output = on_board(
            endless.path(),
            &port,
            &[&["--global-size", "1024", "--grid-timeout", "0.2"], more].concat(),
        );
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let errors = errors(&output);
        let [error] = &errors[..] else {
            panic!("{errors:?}");
        };
        let begins = "error: the grid did not end within 0.2 s; stopped after ";
        assert!(error.starts_with(begins) && error.ends_with(" cycles"), "{error}");
        (
            String::from_utf8(output.stdout).unwrap(),
            error["error: ".len()..].to_owned(),
        )
    };
    let (text, error) = run(&["--json"]);
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&found["engine"], &found["match"]), (&"board".into(), &false.into()));
    assert_eq!(found["error"], error);
    let cycles = found["cycles"].as_u64().unwrap();
    assert!(error.contains(&format!(" {cycles} cycles")), "{error}");
    assert!(found["warp_instructions"].as_u64().unwrap() > 10, "{found}");
    assert_eq!(found["counters"][0]["issued"], found["warp_instructions"]);

    // The report for users has the SM's work up to that time. The dump would be incomplete, so it is not written.
    let dump = endless.path().join("dump");
    let dumped = format!("{}@0+64", dump.display());
    let (text, _) = run(&["--stats", "--dump", &dumped]);
    assert!(text.contains("\ncycles  ") && text.contains("\nissued  "), "{text}");
    assert!(!text.contains("result"), "{text}");
    assert!(!dump.exists());
}

#[test]
fn unsuitable_kernels_are_refused_before_loading() {
    let launch = |more: &str| {
        format!("name = \"t\"\nprogram = \"kernel.hex\"\nregisters = 16\ngrid = [1, 1]\nblock = [32, 1, 1]\n{more}")
    };
    let ret = "30000003\n00000780\n";
    let long = ret.repeat(2049);
    let constant = "[[memory]]\nspace = \"constant\"\nbank = 2\nfile = \"image.hex\"\n";
    let global = "[[memory]]\nspace = \"global\"\naddress = 65536\nfile = \"image.hex\"\n";
    let local = "local_bytes = 4096\n";
    for (launch, program, needs) in [
        (
            launch(""),
            long.as_str(),
            "its instructions need 16392 bytes, the board has 16384",
        ),
        (
            launch(constant),
            ret,
            "its constants need 8196 bytes, the board has 8192",
        ),
        (
            launch(global),
            ret,
            "its global memory's contents need 65540 bytes, the board has 65536",
        ),
        (
            launch(local),
            ret,
            "global memory and the threads' local memories need ",
        ),
    ] {
        let folder = Folder::new(&[("launch.toml", &launch), ("kernel.hex", program), ("image.hex", "1\n")]);
        let error = error_of(folder.path(), &format!("pipe:{}", simulated("")), &[]);
        let want = format!("error: the kernel does not fit the board: {needs}");
        assert!(error.starts_with(&want), "{error}\n{want}");
    }
    // A board has half of the registers of the whole chip: the chip runs this block, the board does not.
    let many = launch("")
        .replace("registers = 16", "registers = 64")
        .replace("[32, 1, 1]", "[192, 1, 1]");
    let folder = Folder::new(&[("launch.toml", &many), ("kernel.hex", ret)]);
    let error = error_of(folder.path(), &format!("pipe:{}", simulated("")), &[]);
    assert!(error.contains("a block needs 12288 registers"), "{error}");
    assert!(error.contains("an SM has 8192"), "{error}");
}

#[test]
fn ports_without_a_board_are_reported() {
    let vectoradd = kernel("vectoradd");
    let error = |port: &str| error_of(&vectoradd, port, &["--answer-timeout", "0.2"]);
    let starts = |port: &str, want: &str| {
        let error = error(port);
        assert!(error.starts_with(want), "{error}\n{want}");
    };
    starts("/nowhere/tty", "error: cannot open the port /nowhere/tty: ");
    starts(
        "pipe:exit 3",
        "error: the command `exit 3` ended (exit status: 3) before its board answered",
    );
    // A device that only receives, and one that only sends.
    starts(
        "pipe:cat > /dev/null",
        "error: no answer to the identify request within 0.2 s, in 3 attempts; expected",
    );
    starts(
        "pipe:cat",
        "error: the answer to the identify request was garbled, in 3 attempts: ",
    );
    // The board disconnects during the run.
    let gone = format!("dd bs=1 count=100 2> /dev/null | {}", simulated(""));
    let error = error_of(&vectoradd, &format!("pipe:{gone}"), &["--answer-timeout", "4"]);
    let want = format!("error: the command `{gone}` ended (exit status: 0) before");
    assert!(error.starts_with(&want), "{error}\n{want}");
    let usage = on_board(&vectoradd, "pipe: ", &[]);
    assert_eq!(usage.status.code(), Some(2));
}

/// A line that changes sent frames, and received bytes.
struct Noisy<Sent, Received> {
    line: PipeLine,
    sent: Sent,
    received: Received,
}

impl<Sent: FnMut(&mut Vec<u8>), Received: FnMut(u8) -> Option<u8>> Line for Noisy<Sent, Received> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError> {
        let mut bytes = bytes.to_vec();
        (self.sent)(&mut bytes);
        self.line.send(&bytes)
    }

    fn receive(&mut self, deadline: Instant) -> Result<Option<u8>, BoardError> {
        while let Some(byte) = self.line.receive(deadline)? {
            if let Some(byte) = (self.received)(byte) {
                return Ok(Some(byte));
            }
        }
        Ok(None)
    }
}

fn noisy<Sent: FnMut(&mut Vec<u8>), Received: FnMut(u8) -> Option<u8>>(
    sent: Sent,
    received: Received,
) -> Client<Noisy<Sent, Received>> {
    let line = awake(&simulated(""));
    Client::new(Noisy { line, sent, received }, ANSWER_TIME)
}

const SMALL: BoardOptions = BoardOptions {
    coalescing: flexgrip_sim::engines::engine::Coalescing::Segment,
    global_bytes: Some(3072),
    grid_time: Duration::from_secs(60),
};

/// Checks that the kernel's result is right despite the errors on the line.
#[track_caller]
fn runs_all_the_same<L: Line>(client: &mut Client<L>) {
    let kernel = Kernel::load(&kernel("vectoradd")).unwrap();
    let (report, _) = board::run::run(client, &kernel, &[], &SMALL).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.ending, Ending::Complete);
    let launch = flexgrip_sim::files::expectation::initial_global(&kernel.launch, report.global.len());
    for expectation in &kernel.expectations {
        assert_eq!(expectation.mismatches(&launch, &report.global), []);
    }
}

#[test]
fn transmission_errors_are_detected_and_repeated() {
    let (mut frames, mut bytes) = (0, 0);
    let mut client = noisy(
        |frame| {
            frames += 1;
            match frames {
                // Changes a word of a burst.
                8 => frame[20] ^= 0x10,
                // Drops a byte: the board waits for it until the next flag.
                12 => {
                    frame.remove(15);
                }
                _ => {}
            }
        },
        |byte| {
            bytes += 1;
            match bytes {
                // Changes a byte of a read's data.
                1000 => Some(byte ^ 1),
                1500 => None,
                _ => Some(byte),
            }
        },
    );
    runs_all_the_same(&mut client);
    assert_eq!(client.repeated(), 4);
}

#[test]
fn line_of_pure_noise_is_given_up() {
    let mut client = noisy(|frame| frame[1] ^= 0x40, Some);
    match client.identify() {
        Err(BoardError::NotUnderstood { attempts, .. }) => assert_eq!(attempts, board::client::ATTEMPTS),
        other => panic!("{other:?}"),
    }
    let mut client = noisy(|_| {}, |byte| Some(if byte == 0x46 { 0x47 } else { byte }));
    match client.identify() {
        Err(BoardError::Garbled { attempts, .. }) => assert_eq!(attempts, board::client::ATTEMPTS),
        other => panic!("{other:?}"),
    }
}

/// True if a frame starts a grid.
fn starts_grid(frame: &[u8]) -> bool {
    let start = protocol::request(protocol::WRITE, frame[2], 1, map::CONTROL, &[map::CONTROL_START]);
    frame == start
}

/// A grid is started only once: the start is repeated if the board reports that it has not started, but not if the
/// answer is lost.
#[test]
fn grid_start_is_not_repeated_blindly() {
    let mut garbled = 0;
    let mut client = noisy(
        |frame| {
            if starts_grid(frame) && garbled == 0 {
                frame[8] ^= 1;
                garbled += 1;
            }
        },
        Some,
    );
    runs_all_the_same(&mut client);
    assert_eq!(client.repeated(), 1);

    let started = Rc::new(Cell::new(false));
    let seen = started.clone();
    let mut client = noisy(
        move |frame| started.set(started.get() || starts_grid(frame)),
        move |byte| (!seen.get()).then_some(byte),
    );
    let endless = Folder::sass("again: BRA again").kernel();
    match board::run::run(&mut client, &endless, &[], &SMALL) {
        Err(BoardError::StartLost { reason }) => {
            assert!(reason.contains("no answer"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    // The simulated board does not wait for the grid, so it need not be killed.
    let clock = Instant::now();
    drop(client);
    assert!(clock.elapsed() < Duration::from_secs(4), "{:?}", clock.elapsed());
}

/// The simulated board's answer to these bytes, its whole input.
fn answers_to(bytes: &[u8]) -> Vec<u8> {
    let mut board = Command::new(env!("CARGO_BIN_EXE_flexgrip"))
        .arg("simulated-board")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    board.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = board.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    output.stdout
}

#[test]
fn simulated_board_ends_with_its_input() {
    assert!(answers_to(&[]).is_empty());
    let garbage: Vec<u8> = (0..2000u32).map(|place| (place * 7 % 125) as u8).collect();
    assert!(answers_to(&garbage).is_empty(), "no flag is among them");
    let request = protocol::request(protocol::IDENTIFY, 5, 0, 0, &[]);
    let mut reader = protocol::AnswerReader::default();
    let bytes = answers_to(&[garbage, request].concat());
    let answers: Vec<_> = bytes.iter().filter_map(|byte| reader.push(*byte)).collect();
    assert_eq!(answers.len(), 1);
    let answer = answers[0].clone().unwrap();
    assert_eq!((answer.status, answer.tag), (protocol::DONE, 5));
    let identification = protocol::Identification::from_words(&answer.words);
    assert_eq!(identification.map(|board| board.global_bytes), Some(64 << 10));
}

/// The shell command that simulates a board with only a lane.
fn simulated_lane() -> String {
    simulated("--top lane_board")
}

fn lane_test(port: &str, arguments: &[&str]) -> Output {
    let mut flexgrip = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    flexgrip.args(["lane-test", "--port", port]).args(arguments);
    flexgrip.output().unwrap()
}

#[test]
fn lane_on_a_board_computes_the_arithmetic() {
    let port = format!("pipe:{}", simulated_lane());
    let output = lane_test(&port, &["--count", "1300", "--seed", "3"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "seed        3\noperations  1,300\nthe board's lane and the arithmetic agree\n"
    );
    let output = lane_test(&port, &["--count", "26", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let want = serde_json::json!({"seed": 1, "operations": 26, "repeated": 0, "match": true, "difference": null});
    assert_eq!(found, want);
}

/// Tests a board with a wrong circuit: bits of an operand are changed in a frame with a valid checksum.
#[test]
fn wrong_lane_is_reported() {
    let mut operations = 0;
    let change = |frame: &mut Vec<u8>| {
        operations += u32::from(frame[1] == protocol::EXECUTE);
        // A move.
        if operations != 14 {
            return;
        }
        let mut bytes = vec![];
        let mut line = frame[1..].iter();
        while let Some(byte) = line.next() {
            bytes.push(match *byte {
                protocol::ESCAPE => line.next().unwrap() ^ protocol::ESCAPED_BY,
                byte => byte,
            });
        }
        bytes.truncate(bytes.len() - protocol::CHECKSUM_BYTES);
        let operand = protocol::REQUEST_BYTES + 4;
        bytes[operand] ^= 0x55;
        bytes[operand + 1] ^= 0x55;
        *frame = protocol::frame(&bytes);
    };
    let line = awake(&simulated_lane());
    let noise = Noisy {
        line,
        sent: change,
        received: Some,
    };
    let mut client = Client::new(noise, ANSWER_TIME);
    let report = lane_test::run(&mut client, 5, 100).unwrap();
    assert!(!report.r#match);
    assert_eq!((report.operations, report.repeated), (14, 0));
    let text = report.to_string();
    let difference = report.difference.unwrap();
    assert_eq!(difference.number, 13);
    assert_eq!(difference.found.value.0, difference.expected.value.0 ^ 0x5555, "{text}");
    for part in ["operation 13 differs: move ", "\n  control 0x", ", a 0x", ", carry "] {
        assert!(text.contains(part), "{text}");
    }
}

/// Noise is detected and repaired. A device that is not a board with a lane is reported.
#[test]
fn lane_board_survives_noise() {
    let (mut frames, mut bytes) = (0, 0);
    let line = awake(&simulated_lane());
    let noise = Noisy {
        line,
        sent: |frame: &mut Vec<u8>| {
            frames += 1;
            match frames {
                5 => frame[12] ^= 0x10,
                9 => {
                    frame.remove(15);
                }
                _ => {}
            }
        },
        received: |byte| {
            bytes += 1;
            match bytes {
                300 => Some(byte ^ 1),
                400 => None,
                _ => Some(byte),
            }
        },
    };
    let mut client = Client::new(noise, Duration::from_millis(700));
    let report = lane_test::run(&mut client, 6, 60).unwrap();
    assert!(report.r#match, "{report}");
    assert_eq!(report.repeated, 4);

    let error = |port: &str, answer_seconds: &str| {
        let output = lane_test(port, &["--answer-timeout", answer_seconds]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let errors = errors(&output);
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors[0].clone()
    };
    for (port, want) in [
        ("/nowhere/tty", "error: cannot open the port /nowhere/tty: "),
        (
            "pipe:cat > /dev/null",
            "error: no answer to the identify request within 0.3 s, in 3 attempts; expected",
        ),
        (
            "pipe:cat",
            "error: the answer to the identify request was garbled, in 3 attempts: an answer of ",
        ),
        (
            "pipe:exit 3",
            "error: the command `exit 3` ended (exit status: 3) before",
        ),
    ] {
        let error = error(port, "0.3");
        assert!(error.starts_with(want), "{error}\n{want}");
    }
    // Each of the two boards with the other board's host.
    let whole = error(&format!("pipe:{}", simulated("")), "4");
    assert!(
        whole.starts_with("error: not a board with a single lane: it answers [46470002, 00004000,"),
        "{whole}"
    );
    let lane = error_of(&kernel("vectoradd"), &format!("pipe:{}", simulated_lane()), &[]);
    assert!(
        lane.starts_with("error: not a board of this version: it answers [464c0002, 00000000,"),
        "{lane}"
    );
    for wrong in [&["--count", "0"][..], &["--answer-timeout", "0"], &["--seed", "x"]] {
        assert_eq!(lane_test("pipe:cat", wrong).status.code(), Some(2));
    }
}

/// A serial device: a pseudo-terminal with the simulated board at its other end.
#[cfg(target_os = "linux")]
#[test]
fn serial_device_works() {
    use flexgrip_sim::board::port::Port;
    use flexgrip_sim::board::simulated_board::{serve, serve_lane};
    use std::io::{self, Read};
    use std::os::fd::AsRawFd;

    /// The other end of the device: idle without input, and at its end when no process has the device open.
    struct FarEnd(serial2::SerialPort);

    impl Read for FarEnd {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                match self.0.read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
                    Err(_) => return Ok(0),
                    result => return result,
                }
            }
        }
    }

    for lane in [false, true] {
        let (far, near) = serial2::SerialPort::pair().unwrap();
        let path = std::fs::read_link(format!("/proc/self/fd/{}", near.as_raw_fd())).unwrap();
        let output = far.try_clone().unwrap();
        let board = std::thread::spawn(move || match lane {
            false => serve(Lanes::Eight, FarEnd(far), output),
            true => serve_lane(FarEnd(far), output),
        });
        let port: Port = path.to_str().unwrap().parse().unwrap();
        let mut client = Client::new(port.open(board::port::BAUD).unwrap(), PATIENCE);
        drop(near);
        if lane {
            let report = lane_test::run(&mut client, 1, 50).unwrap();
            assert!(report.r#match && report.repeated == 0, "{report:?}");
        } else {
            runs_all_the_same(&mut client);
        }
        drop(client);
        board.join().unwrap().unwrap();
    }
}
