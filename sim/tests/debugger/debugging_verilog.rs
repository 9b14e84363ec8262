//! Compares the debugger on the circuits' Verilog, which only runs forwards, with the debugger on the circuits in every
//! cycle. Without Verilator, these tests print "skipped".

use super::debugging::points::PARTING;
use crate::common::processes::{children, is_alive, signal};
use crate::common::{build, configuration, launch, root, verilator, with_verilog, Folder};
use flexgrip_machine::Launch;
use flexgrip_sim::debug::code::Code;
use flexgrip_sim::debug::console::Console;
use flexgrip_sim::debug::open::{with_session, Machine};
use flexgrip_sim::debug::points::Trigger;
use flexgrip_sim::debug::session::{Session, StepExtent, Stop};
use flexgrip_sim::debug::target::{Advance, Space, Target, Waits, WarpId};
use flexgrip_sim::debug::terminal::app::App;
use flexgrip_sim::debug::terminal::look::Look;
use flexgrip_sim::debug::verilog::VerilogTarget;
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::Terminal;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The bytes of global memory.
const GLOBAL_BYTES: u32 = 1 << 16;
/// The number of cycles in which the whole state is compared; after them, registers are compared in one of 16 cycles.
const COMPARED: u64 = if cfg!(feature = "soak") { 1_000_000 } else { 2_500 };
/// The maximum number of cycles that the banks of shared memory take for a store after they have received it.
const MOST_BANK_CYCLES: u64 = 40;

fn options() -> Options {
    Options {
        configuration: configuration(8, GLOBAL_BYTES),
        max_cycles: 100_000,
        build: build(),
        ..Options::default()
    }
}

fn session<T: Send>(
    machine: Machine,
    (launch, code): (&Launch, Code),
    options: &Options,
    work: impl FnOnce(Session) -> Result<T, Error> + Send,
) -> T {
    with_session(machine, launch, code, options, || false, work).unwrap()
}

/// Compares the state that both debuggers show. A warp that has not begun may still wait for its R0.
fn compare(verilog: &dyn Target, circuits: &dyn Target, begun: &BTreeSet<WarpId>, what: &str) {
    assert_eq!(verilog.time(), circuits.time(), "{what}");
    assert_eq!(verilog.ending(), circuits.ending(), "{what}");
    assert_eq!(verilog.issues(), circuits.issues(), "{what}");
    assert_eq!(verilog.retired(), circuits.retired(), "{what}");
    let warps = verilog.warps();
    assert_eq!(warps.len(), circuits.warps().len(), "{what}");
    for (found, expected) in warps.iter().zip(&circuits.warps()) {
        let mut found = found.clone();
        // The branch unit writes the mask before it reports where the warp continues.
        if matches!(found.waits, Waits::Branch { .. }) {
            found.active = expected.active;
        }
        assert_eq!(&found, expected, "{what}");
    }
    if verilog.time() > COMPARED && verilog.time() % 16 != 0 {
        return;
    }
    for id in warps.iter().map(|warp| warp.id).filter(|id| begun.contains(id)) {
        let (found, expected) = (verilog.registers(id).unwrap(), circuits.registers(id).unwrap());
        for (number, (found, expected)) in found.general.iter().zip(&expected.general).enumerate() {
            assert_eq!(found, expected, "{what}: R{number} of {id}");
        }
        assert_eq!(found.conditions, expected.conditions, "{what}: condition codes of {id}");
        assert_eq!(found.addresses, expected.addresses, "{what}: address registers of {id}");
    }
}

/// Bytes of shared memory that differ, each with the first cycle of the difference. The trace reports a store when the
/// memory gets it. The banks perform it some cycles later, one access after another if threads need the same bank.
#[derive(Default)]
struct SharedMemory(BTreeMap<(u32, usize), u64>);

impl SharedMemory {
    fn compare(&mut self, verilog: &dyn Target, circuits: &dyn Target, bytes: u32, what: &str) {
        if verilog.time() > COMPARED {
            return;
        }
        let mut since = std::mem::take(&mut self.0);
        let blocks: BTreeSet<u32> = verilog.warps().iter().map(|warp| warp.id.block).collect();
        for block in blocks {
            let read = |target: &dyn Target| target.read(Space::Shared(block), 0, bytes).unwrap();
            let (found, expected) = (read(verilog), read(circuits));
            for at in (0..found.len()).filter(|at| found[*at] != expected[*at]) {
                let first = since.remove(&(block, at)).unwrap_or(verilog.time());
                self.0.insert((block, at), first);
                let late = verilog.time() - first;
                assert!(
                    late < MOST_BANK_CYCLES,
                    "{what}: byte {at:#x} of block {block} differs for {late} cycles"
                );
            }
        }
    }
}

/// Steps both to the end, and compares them in every cycle. Returns the number of cycles, and the ending.
fn follow(launch: &Launch, options: &Options) -> (u64, Ending) {
    let bytes = launch.block_shared_bytes() as u32;
    session(Machine::Circuits, (launch, Code::default()), options, |mut circuits| {
        // The stack of this thread is already large.
        let mut verilog = VerilogTarget::new(launch, options)?;
        let (mut begun, mut shared) = (BTreeSet::new(), SharedMemory::default());
        loop {
            let expected = circuits.target();
            let what = format!("{} in cycle {}", launch.name, expected.time());
            compare(&verilog, expected, &begun, &what);
            shared.compare(&verilog, expected, bytes, &what);
            if let Some(ending) = expected.ending() {
                let global = |target: &dyn Target| target.read(Space::Global, 0, GLOBAL_BYTES).unwrap();
                assert!(global(&verilog) == global(expected), "{what}: global memory");
                return Ok((expected.time(), *ending));
            }
            begun.extend(expected.issues().iter().map(|issue| issue.warp));
            while verilog.step()? == Advance::Waits {}
            circuits.forward(StepExtent::Ticks(1))?;
        }
    })
}

/// Divergence; barriers with shared memory; bytes and post-increments. Then long kernels with calls, breaks and byte
/// loads.
const KERNELS: &[&str] = if cfg!(feature = "soak") {
    &["divergence", "reduction", "histogram", "queens", "crc32"]
} else {
    &["divergence", "reduction", "histogram"]
};

#[test]
fn every_cycle_equals_the_circuits() {
    if !verilator() {
        return;
    }
    let folder = root().join("kernels");
    let kernels = KERNELS
        .iter()
        .map(|name| Kernel::load(&folder.join(name)).unwrap().launch);
    // Breaks, calls, returns and kills.
    let parting = launch(PARTING, 2, 64, vec![]);
    for launch in kernels.chain([parting]) {
        let (cycles, ending) = follow(&launch, &options());
        let name = &launch.name;
        assert!(
            cycles > 200 && ending == Ending::Complete,
            "{name}: {cycles} cycles, {ending:?}"
        );
    }
}

/// Kernels of 64 threads that fail in different ways: by an access outside global memory, while the other warp waits at
/// a barrier; by a trap; by waiting at a barrier that no other warp can reach.
const FAILURES: [(&str, &str); 3] = [
    (
        "    I2I.U32.U16 R1, R0L
    MVI R2, 0x20
    ISET.S32.C0 o[0x7f], R1, R2, GE
    BRA C0.NE, far
    BAR.ARV.WAIT b0, 0xfff
    RET
far:
    MVI R3, 0x7ffffffc
    GST.U32 global14[R3], R1
    RET
",
        "GlobalRange",
    ),
    ("    SHL R1, R0, 0x2\n    GST.U32 global14[R1], R0\n    TRAP\n", "Trap"),
    ("    BAR.WAIT b0, 0xfff\n    RET\n", "Deadlock"),
];

#[test]
fn failing_kernel_ends_as_on_the_circuits() {
    if !verilator() {
        return;
    }
    for (program, kind) in FAILURES {
        let launch = launch(program, 1, 64, vec![]);
        let (_, ending) = follow(&launch, &options());
        let report = with_verilog(|engine| engine.run(&launch, &options(), None).unwrap());
        assert_eq!(report.unwrap().ending, ending);
        assert!(format!("{ending:?}").contains(kind), "{ending:?}");
    }
}

/// Local memory belongs to the slot: for one warp it equals the model's.
#[test]
fn local_memory_has_the_stored_values() {
    if !verilator() {
        return;
    }
    let program = "
        SHL R1, R0, 0x2
        R2A A1, R1
        MVI R2, 0x8
        R2A A2, R2
        LST.U32 local[A2+0x4], R1
        RET
    ";
    let mut launch = launch(program, 1, 32, vec![]);
    launch.local_bytes = 64;
    session(
        Machine::Verilog,
        (&launch, Code::default()),
        &options(),
        |mut session| {
            let local = |session: &Session, lane, address| {
                let space = Space::Local(WarpId { block: 0, warp: 0 }, lane);
                session.target().read(space, address, 4)
            };
            assert!(local(&session, 3, 0).is_err(), "no warp is on an SM yet");
            let condition = "R1[3] == 12".parse().ok();
            session.add_point(Trigger::Holds, None, condition)?;
            assert!(matches!(session.forward(StepExtent::Continue)?, Stop::Point(_)));
            assert_eq!(local(&session, 3, 12), Ok(vec![0; 4]));
            let mut console = Console { session };
            console.run("watch local:0xc of 0.0.3")?;
            assert!(console.run("continue")?.text.starts_with("breakpoint 2"));
            assert_eq!(local(&console.session, 3, 12), Ok(vec![12, 0, 0, 0]));
            Ok(())
        },
    );
}

/// A loop, a divergent branch and a store.
const PROGRAM: &str = "\
first:
    SHL R1, R0, 0x2
    MVI R2, 0x0
    MVI R3, 0x3
loop:
    IADD R2, R2, R0
    IADD32I R3, R3, -1
    ISET.S32.C0 o[0x7f], R3, R124, GT
    BRA C0.NE, loop
    GST.U32 global14[R1], R2
    RET
";

/// Compares the answer of each command on the Verilog with the answer on the circuits, if the Verilog does not refuse
/// the command.
#[test]
fn commands_answer_as_on_circuits() {
    if !verilator() {
        return;
    }
    let folder = Folder::sass(PROGRAM);
    let kernel = folder.kernel();
    let answers = |machine: Machine, lines: &[&str]| -> Vec<String> {
        let code = Code::of_kernel(&kernel).unwrap();
        session(machine, (&kernel.launch, code), &options(), |session| {
            let mut console = Console { session };
            let mut ask = |line: &&str| match console.run(line) {
                Ok(reply) => reply.text,
                Err(error) => format!("error: {error}"),
            };
            Ok(lines.iter().map(&mut ask).collect())
        })
    };
    let lines = [
        "where",
        "break first",
        "continue",
        "step",
        "break loop if R3 == 1",
        "continue",
        "registers",
        "lanes R2",
        "stack",
        "warps",
        "pipeline",
        "watch R2 if R2[5] == 15",
        "continue",
        "print R2[5]",
        "watch global:20",
        "continue",
        "memory global:16 4",
        "memory const1:0 4",
        "memory shared:0 8",
        "print time",
        "when R3[0] == 7",
        "goto 200",
        "goto 100000",
        "points",
        "goto 0",
        "continue",
        "cycle 3",
        "where",
    ];
    let (found, expected) = (answers(Machine::Verilog, &lines), answers(Machine::Circuits, &lines));
    for ((line, found), expected) in lines.iter().zip(&found).zip(&expected) {
        assert_eq!(found, expected, "{line}");
        assert!(!found.starts_with("error"), "{line}: {found}");
    }
    assert!(
        found[2].starts_with("breakpoint 1: warp 0.0 before first\n"),
        "{}",
        found[2]
    );
    assert!(found[5].starts_with("breakpoint 2"), "{}", found[5]);
    assert_eq!(found[13], "15 = 0xf\n");

    let refused = [
        ("back", "runs forwards only; `goto 0` restarts it"),
        ("back-step 3", "--engine rtl and --engine model also run backwards"),
        ("back-cycle", "runs forwards only"),
        ("back-barrier", "runs forwards only"),
        ("goto 5", "runs forwards only"),
        ("set R1 = 5", "cannot change the state"),
        ("set global:0 = 5", "use --engine rtl or --engine model"),
        ("flip top.sm[0].idle 0", "use --engine rtl"),
        ("signals", "use --engine rtl"),
        ("print top.sm[0].idle", "use --engine rtl"),
        ("when top.sm[0].idle == 1", "use --engine rtl"),
        ("break first if top.sm[0].idle == 1", "use --engine rtl"),
    ];
    let mut lines = vec!["cycle 40"];
    lines.extend(refused.iter().map(|(line, _)| *line));
    lines.extend(["points", "where"]);
    let found = answers(Machine::Verilog, &lines);
    for ((line, says), found) in refused.iter().zip(&found[1..]) {
        assert!(found.starts_with("error: ") && found.contains(says), "{line}: {found}");
    }
    let [.., points, place] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (points.as_str(), place),
        ("", &found[0]),
        "nothing was added, and nothing has moved"
    );
}

#[test]
fn endless_kernel_ends_at_the_limit() {
    if !verilator() {
        return;
    }
    let launch = launch("MVI R1, 0x0\nloop: BRA loop\n", 1, 32, vec![]);
    let options = Options {
        max_cycles: 1_500,
        ..options()
    };
    let report = with_verilog(|engine| engine.run(&launch, &options, None).unwrap()).unwrap();
    session(Machine::Verilog, (&launch, Code::default()), &options, |mut session| {
        assert_eq!(session.forward(StepExtent::Continue)?, Stop::Ended);
        assert_eq!(session.target().ending(), Some(&report.ending));
        assert!(format!("{:?}", report.ending).contains("Endless { limit: 1500 }"));
        session.go_to(0)?;
        assert_eq!((session.target().time(), session.target().ending()), (1, None));
        assert_eq!(session.go_to(1 << 40)?, Stop::Ended);
        Ok(())
    });
}

#[test]
fn screen_does_not_offer_steps_back() {
    if !verilator() {
        return;
    }
    let folder = Folder::sass(PROGRAM);
    let kernel = folder.kernel();
    for (machine, offers) in [(Machine::Model, true), (Machine::Verilog, false)] {
        let code = Code::of_kernel(&kernel).unwrap();
        session(machine, (&kernel.launch, code), &options(), |session| {
            let look = Look {
                unicode: false,
                colours: false,
            };
            let mut app = App::new(session, look);
            let mut terminal = Terminal::new(TestBackend::new(120, 50)).unwrap();
            let mut press = |code: char| {
                app.handle(&Event::Key(KeyCode::Char(code).into()));
                if app.is_running() {
                    app.run();
                }
                terminal.draw(|frame| app.draw(frame)).unwrap();
                terminal.backend().to_string()
            };
            let screen = press('s');
            assert_eq!(screen.contains("S back"), offers, "{screen}");
            let screen = press('S');
            assert_eq!(screen.contains("runs forwards only"), !offers, "{screen}");
            let screen = press('?');
            assert_eq!(screen.contains("one cycle or instruction back"), offers, "{screen}");
            assert!(screen.contains("to the beginning"), "{screen}");
            press('q');
            press('y');
            let screen = press('r');
            assert!(
                screen.contains(if offers { "instruction 0," } else { "cycle 1" }),
                "{screen}"
            );
            Ok(())
        });
    }
}

/// `flexgrip debug` on a kernel that never ends, with the process of its harness.
struct Program {
    child: Child,
    output: BufReader<ChildStdout>,
    harness: u32,
    _folder: Folder,
}

impl Program {
    fn start() -> Self {
        let folder = Folder::sass("MVI R1, 0x0\nloop: IADD R1, R1, R0\nBRA loop\n");
        let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
        command
            .arg("debug")
            .arg(folder.path())
            .args(["--engine", "verilator", "--build-dir"]);
        command
            .arg(build())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        // The session's position is printed once the harness runs.
        output.read_line(&mut String::new()).unwrap();
        let harness = children(child.id());
        assert_eq!(harness.len(), 1, "{harness:?}");
        Program {
            child,
            output,
            harness: harness[0],
            _folder: folder,
        }
    }

    fn send(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Waits until it ends. Returns the exit code and the output.
    fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.child.stdin.take());
        let (mut shown, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut shown).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let code = self.child.wait().unwrap().code();
        let begin = Instant::now();
        while is_alive(self.harness) {
            assert!(begin.elapsed() < Duration::from_secs(30), "the harness still runs");
            std::thread::sleep(Duration::from_millis(10));
        }
        (code, shown, errors)
    }
}

#[test]
#[cfg(target_os = "linux")]
fn harness_ends_with_its_session() {
    if !verilator() {
        return;
    }
    // The user quits while the kernel runs.
    let mut program = Program::start();
    program.send("cycle 500");
    program.send("quit");
    let (code, shown, errors) = program.end();
    assert_eq!(code, Some(0), "{errors}");
    assert!(shown.contains("cycle 501, warp 0.0"), "{shown}");
    // The harness is killed: its earlier reports are still shown, then the session reports the end.
    let mut program = Program::start();
    signal("KILL", program.harness);
    program.send("cycle 10");
    program.send("cycle 1000000");
    let (code, shown, errors) = program.end();
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("> cycle 10\ncycle 11"), "{shown}");
    assert!(errors.contains("the harness ended with signal: 9"), "{errors}");
    // The debugger is killed.
    let mut program = Program::start();
    program.send("cycle 10");
    signal("KILL", program.child.id());
    assert_eq!(program.end().0, None);
}

#[test]
fn failed_build_of_the_harness_is_reported() {
    if !verilator() {
        return;
    }
    let launch = launch("RET\n", 1, 32, vec![]);
    let options = Options {
        build: "/proc/nowhere".into(),
        ..options()
    };
    let opened: Result<(), Error> = with_session(
        Machine::Verilog,
        &launch,
        Code::default(),
        &options,
        || false,
        |_| Ok(()),
    );
    let error = opened.unwrap_err().to_string();
    assert!(error.contains("cannot write to /proc/nowhere/verilator"), "{error}");
}
