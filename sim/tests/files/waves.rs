//! Tests waves: windows and scopes on both kinds of engines and in both formats, save files, GTKWave's filter, and
//! errors.

use crate::common::{build, configuration, flexgrip, shared, verilator, Folder};
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_isa::{decode, instructions, Listed};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::files::program::assemble_file;
use flexgrip_sim::trace::ending::Ending;
use flexgrip_sim::waves::file::WaveFile;
use flexgrip_sim::waves::gtkwave_filter::enums;
use flexgrip_sim::waves::save::write_gtkwave_saves;
use flexgrip_sim::waves::signals::machine_signals;
use flexgrip_sim::waves::views::VIEWS;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use wellen::simple::Waveform;
use wellen::SignalRef;

/// Instructions of all kinds that the views show: integers, a load, a store, a branch.
const PROGRAM: &str = "
    MVI R0, 5
    MVI R2, 0
    round: GLD.U32 R1, global14[R2]
    IADD R1, R1, R0
    GST.U32 global14[R2], R1
    IADD32I R0, R0, -1
    ISET.C0 o[0x7f], R0, R124, NE
    BRA C0.NE, round
    RET
";

/// Scopes: a block, a register, an element of an array of blocks, and a plain signal; with their names in the Verilog.
const SCOPES: [(&str, &str); 4] = [
    ("top.sm[0].fetch", "TOP.gpgpu.sm_0.fetch"),
    ("top.sm[0].scheduler.tag", "TOP.gpgpu.sm_0.scheduler.tag_"),
    ("top.sm[0].execute.lane[3]", "TOP.gpgpu.sm_0.execute.lane_3"),
    ("top.sm[0].scheduler.s1_word", "TOP.gpgpu.sm_0.scheduler.s1_word"),
];

fn scopes() -> Vec<String> {
    SCOPES.map(|(scope, _)| scope.to_string()).into()
}

/// The format of the Verilog's waves: each format is a Verilator build, and the FST build is only made in the soak
/// tier.
const VERILOG_FORMAT: &str = if cfg!(feature = "soak") { "fst" } else { "vcd" };

/// Options for a run with waves.
fn options(wave: WaveFile) -> Options {
    Options {
        configuration: configuration(8, crate::common::GLOBAL_BYTES),
        wave: Some(wave),
        build: build(),
        ..Options::default()
    }
}

/// Runs the program with waves.
fn run(engine: &mut dyn Engine, wave: WaveFile) -> RunReport {
    let options = options(wave);
    let kernel = Folder::sass(PROGRAM).kernel();
    let report = engine.run(&kernel.launch, &options, None).unwrap();
    assert_eq!(report.ending, Ending::Complete);
    report
}

/// A waveform file, loaded completely.
struct Waves {
    waves: Waveform,
    signals: BTreeMap<String, SignalRef>,
}

impl Waves {
    fn read(path: &Path) -> Self {
        let mut waves = wellen::simple::read(path).unwrap();
        let hierarchy = waves.hierarchy();
        let signals: BTreeMap<String, SignalRef> = hierarchy
            .iter_vars()
            .map(|variable| (variable.full_name(hierarchy), variable.signal_ref()))
            .collect();
        let all: Vec<SignalRef> = signals.values().copied().collect();
        waves.load_signals(&all);
        Waves { waves, signals }
    }

    /// The latest value of a signal at `time`.
    fn value(&self, name: &str, time: u64) -> String {
        let index = self.waves.time_table().iter().rposition(|t| *t <= time);
        let index = index.unwrap_or_else(|| panic!("nothing before {time}"));
        let signal = self.waves.get_signal(self.signals[name]).unwrap();
        let offset = signal.get_offset(index as u32);
        let offset = offset.unwrap_or_else(|| panic!("{name} has no value at {time}"));
        signal.get_value_at(&offset, offset.elements - 1).to_string()
    }

    /// The first and the last time.
    fn times(&self) -> (u64, u64) {
        let times = self.waves.time_table();
        (times[0], times[times.len() - 1])
    }
}

/// Compares `window` with `full` from cycle `from` to `to`, for the signals that `shown` accepts.
fn compare(full: &Waves, window: &Waves, from: u64, to: u64, shown: impl Fn(&str) -> bool) {
    let names: Vec<&String> = full.signals.keys().filter(|name| shown(name)).collect();
    assert!(names.len() > 10, "{names:?}");
    assert_eq!(names, window.signals.keys().collect::<Vec<_>>());
    let (first, last) = window.times();
    assert_eq!(first, from * 10);
    assert!(last == to * 10 + 5 || last == to * 10 + 10, "the last time is {last}");
    for name in names {
        for cycle in from..=to {
            for time in [cycle * 10 + 2, cycle * 10 + 7] {
                assert_eq!(window.value(name, time), full.value(name, time), "{name} at {time}");
            }
        }
    }
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).unwrap().len()
}

#[test]
fn window_shows_the_requested_cycles_and_scopes() {
    let folder = tempfile::tempdir().unwrap();
    let full = folder.path().join("full.vcd");
    let report = run(&mut RtlEngine, WaveFile::new(&full).unwrap());
    let full_waves = Waves::read(&full);
    let cycles = report.cycles.unwrap();
    // The wave covers the cycles after the acknowledge of the start until the host has read the counters.
    let (first, last) = full_waves.times();
    assert!(first == 10 && last > cycles * 10, "{first} to {last}");
    for ending in ["vcd", "fst"] {
        let path = folder.path().join("window").with_extension(ending);
        let wave = WaveFile {
            scopes: scopes(),
            from: 40,
            to: 60,
            ..WaveFile::new(&path).unwrap()
        };
        // The run does not depend on the window.
        let windowed = run(&mut RtlEngine, wave);
        assert_eq!(
            (windowed.cycles, windowed.counters),
            (report.cycles, report.counters.clone())
        );
        compare(&full_waves, &Waves::read(&path), 40, 60, |name| {
            SCOPES.iter().any(|(scope, _)| {
                let rest = name.strip_prefix(scope);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        });
        assert!(size(&path) * 20 < size(&full), "{} of {}", size(&path), size(&full));
    }
    // The whole run as FST: the same values, including the texts of enums.
    let path = folder.path().join("full.fst");
    run(&mut RtlEngine, WaveFile::new(&path).unwrap());
    let converted = Waves::read(&path);
    assert!(full_waves.signals.keys().eq(converted.signals.keys()));
    for name in full_waves.signals.keys() {
        for time in (10..cycles * 10).step_by(70) {
            assert_eq!(
                converted.value(name, time),
                full_waves.value(name, time),
                "{name} at {time}"
            );
        }
    }
    let causes = (1..cycles).map(|cycle| converted.value("top.sm[0].scheduler.cause.q", cycle * 10));
    assert!(causes.into_iter().any(|cause| cause == "Scoreboard"));
    assert!(size(&path) * 10 < size(&full), "{} of {}", size(&path), size(&full));
}

#[test]
fn verilator_shows_the_same() {
    if !verilator() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let full = folder.path().join("full.vcd");
    let report = run(&mut VerilatorEngine::default(), WaveFile::new(&full).unwrap());
    let full_waves = Waves::read(&full);
    assert_eq!(full_waves.times().0, 10);
    let path = folder.path().join("window").with_extension(VERILOG_FORMAT);
    let wave = WaveFile {
        scopes: scopes(),
        from: 40,
        to: 60,
        ..WaveFile::new(&path).unwrap()
    };
    let windowed = run(&mut VerilatorEngine::default(), wave);
    assert_eq!((windowed.cycles, windowed.counters), (report.cycles, report.counters));
    compare(&full_waves, &Waves::read(&path), 40, 60, |name| {
        SCOPES.iter().any(|(_, scope)| {
            let rest = name.strip_prefix(scope);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || scope.ends_with('_'))
        })
    });
    assert!(size(&path) * 20 < size(&full));

    // Every signal that is not a bundle equals the circuits in each cycle, after clock and inputs have settled.
    let native = folder.path().join("native.vcd");
    run(&mut RtlEngine, WaveFile::new(&native).unwrap());
    let native = Waves::read(&native);
    let mut compared = 0;
    for signal in machine_signals(MachineParameters::default()).unwrap() {
        let name = format!("TOP.{}.{}", signal.module, signal.name);
        let [field] = &signal.fields[..] else {
            continue;
        };
        // The native file writes a final `a[3]` as `a_3`, because a viewer would take `a[3]` for a bit.
        let there = match signal.path.rsplit_once('.') {
            Some((scope, last)) => format!("{scope}.{}", last.replace('[', "_").replace(']', "")),
            None => signal.path.clone(),
        };
        let known = native.signals.contains_key(&there) && full_waves.signals.contains_key(&name);
        if !known || signal.path.ends_with("clock") {
            continue;
        }
        compared += 1;
        for cycle in 1..report.cycles.unwrap() {
            let time = cycle * 10 + 7;
            let (mut ours, theirs) = (native.value(&there, time), full_waves.value(&name, time));
            if let Some((_, states)) = &field.states {
                let place = states.iter().position(|state| *state == ours).unwrap();
                ours = format!("{place:0width$b}", width = signal.width);
            }
            assert_eq!(ours, theirs, "{} at {time}", signal.path);
        }
    }
    assert!(compared > 1000, "{compared} signals");
}

#[test]
fn signals_missing_in_the_verilog_are_reported() {
    if !verilator() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let there = "top.sm[0].scheduler.tag.q";
    // Registers of a module share the clock of the module.
    let missing = "top.sm[0].scheduler.tag.clock";
    let wave = WaveFile {
        scopes: vec![there.into(), missing.into()],
        ..WaveFile::new(folder.path().join("w").with_extension(VERILOG_FORMAT)).unwrap()
    };
    let options = options(wave);
    let kernel = Folder::sass("RET\n").kernel();
    let error = VerilatorEngine::default().run(&kernel.launch, &options, None);
    let message = error.unwrap_err().to_string();
    assert!(message.contains(&format!("has no signal of `{missing}`")), "{message}");
    run(&mut RtlEngine, options.wave.unwrap());
}

/// Checks that all signals in a save file are in the waveform. Returns the number of lines that it shows.
fn check_save(save: &Path, waves: &Path) -> usize {
    let header = wellen::simple::read(waves).unwrap();
    let header = header.hierarchy();
    let widths: HashMap<String, u32> = header
        .iter_vars()
        .map(|variable| (variable.full_name(header), variable.length().unwrap_or(0)))
        .collect();
    let text = std::fs::read_to_string(save).unwrap();
    let dump = waves.canonicalize().unwrap();
    assert!(text.contains(&format!("[dumpfile] \"{}\"\n", dump.display())), "{text}");
    let mut shown = 0;
    let known = |signal: &str| {
        let (name, range) = match signal.rsplit_once('[') {
            Some((name, range)) if range.ends_with(":0]") => (name, range.trim_end_matches(":0]")),
            _ => (signal, "0"),
        };
        let width = widths.get(name);
        let width = *width.unwrap_or_else(|| panic!("{}: no {name}", save.display()));
        let highest: u32 = range.parse().unwrap();
        assert!(
            width == highest + 1 || (width == 0 && highest == 0),
            "{signal}: {width} bits"
        );
        width
    };
    for line in text
        .lines()
        .filter(|line| !line.starts_with('[') && !line.starts_with('*'))
    {
        if line.starts_with('@') || line.starts_with('-') {
            continue;
        }
        if let Some(filter) = line.strip_prefix("^>") {
            let words: Vec<&str> = filter.split(' ').collect();
            assert!(Path::new(words[1]).is_file() && words[2] == "gtkwave-filter", "{line}");
            continue;
        }
        shown += 1;
        let Some(parts) = line.strip_prefix(['+', '#']) else {
            known(line);
            continue;
        };
        let (alias, bits) = parts.split_once("} ").unwrap();
        let expected = match alias.rsplit_once('[') {
            Some((_, range)) => range.trim_end_matches(":0]").parse::<u32>().unwrap() + 1,
            None => 1,
        };
        let mut count = 0;
        for bit in bits.split(' ') {
            count += match bit.strip_prefix('(').map(|bit| bit.split_once(')').unwrap()) {
                Some((place, signal)) => {
                    assert!(place.parse::<u32>().unwrap() < known(signal), "{line}");
                    1
                }
                None => known(bit).max(1),
            };
        }
        assert_eq!(count, expected, "{line}");
    }
    shown
}

/// The save files of waves, by view.
fn saves(waves: &Path) -> BTreeMap<&'static str, std::path::PathBuf> {
    let ending = |name| match name {
        "" => "gtkw".to_string(),
        name => format!("{name}.gtkw"),
    };
    let saves = VIEWS
        .iter()
        .map(|view| (view.name, waves.with_extension(ending(view.name))));
    saves.collect()
}

#[test]
fn save_files_name_existing_signals() {
    let folder = Folder::sass(PROGRAM);
    for ending in ["vcd", "fst"] {
        let waves = folder.path().join("w").with_extension(ending);
        let output = flexgrip(&["run", "--wave", waves.to_str().unwrap()], folder.path());
        assert!(output.status.success(), "{output:?}");
        let saves = saves(&waves);
        assert_eq!(saves.keys().copied().collect::<Vec<_>>(), ["", "memory", "scheduler"]);
        for (name, least) in [("", 1000), ("scheduler", 60), ("memory", 100)] {
            let shown = check_save(&saves[name], &waves);
            assert!(shown > least, "{name}: {shown} lines");
        }
        // No group is empty, and code words are shown through this program.
        for view in VIEWS {
            let text = std::fs::read_to_string(&saves[view.name]).unwrap();
            let groups = text.lines().filter_map(|line| line.strip_prefix('-')).step_by(2);
            assert!(groups.eq(view.titles()), "{}: {text}", view.about);
        }
        let scheduler = std::fs::read_to_string(&saves["scheduler"]).unwrap();
        let filter = format!("^>1 {} gtkwave-filter\n", env!("CARGO_BIN_EXE_flexgrip"));
        let word = "top.sm[0].trace.issue_word[63:0]\n";
        assert!(scheduler.contains(&format!("@4022\n{filter}{word}")), "{scheduler}");
        assert!(scheduler.contains("+{tag[15:0]} top.sm[0].scheduler.tag.q[15:0]\n"));
        assert!(scheduler.contains("top.sm[0].scheduler.s_cause\n"));
    }
}

#[test]
fn verilog_save_files_split_bundles() {
    if !verilator() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w").with_extension(VERILOG_FORMAT);
    let wave = WaveFile::new(&path).unwrap();
    run(&mut VerilatorEngine::default(), wave.clone());
    let written = write_gtkwave_saves(&wave, Some(&machine_signals(MachineParameters::default()).unwrap())).unwrap();
    assert_eq!(written.len(), VIEWS.len());
    let enums = enums().unwrap();
    for (name, save) in saves(&path) {
        let shown = check_save(&save, &path);
        assert!(shown > 50, "{name}: {shown} lines");
        // Every filter belongs to an enum of the circuits.
        for line in std::fs::read_to_string(&save).unwrap().lines() {
            if let Some((_, kind)) = line.split_once(" --kind ") {
                assert!(enums.contains_key(kind), "{line}");
            }
        }
    }
    let scheduler = std::fs::read_to_string(path.with_extension("scheduler.gtkw")).unwrap();
    let cause = " --kind IssueCause\nTOP.gpgpu.sm_0.scheduler.s_cause[3:0]\n";
    assert!(scheduler.contains(cause), "{scheduler}");
    assert!(scheduler.contains("#{s4:warp[4:0]} ("), "{scheduler}");
}

/// The filter program, queried line by line.
struct Filter {
    child: std::process::Child,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Filter {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_flexgrip"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Filter { child, stdout }
    }

    /// The answer to a line, which must arrive before the next line is written.
    fn ask(&mut self, line: &[u8]) -> Vec<u8> {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(line).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
        let mut answer = Vec::new();
        self.stdout.read_until(b'\n', &mut answer).unwrap();
        assert_eq!(answer.pop(), Some(b'\n'));
        answer
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// Real instruction words (low, high, text, one per line after a header); empty, with a note, if the corpus is missing.
fn corpus() -> String {
    let root = shared();
    if !root.exists() {
        println!("skipped: {} does not exist", root.display());
        return String::new();
    }
    std::fs::read_to_string(root.join("corpus/sm10_words.tsv")).unwrap()
}

#[test]
fn filter_shows_words_as_instructions() {
    // The second filter has a single argument, as GTKWave starts it.
    let mut hexadecimal = Filter::start(&["gtkwave-filter"]);
    let mut binary = Filter::start(&["gtkwave-filter --kind instruction"]);
    let mut asked = 0;
    for kernel in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels")).unwrap() {
        let program = kernel.unwrap().path().join("kernel.sass");
        if !program.is_file() {
            continue;
        }
        let program = assemble_file(&program, flexgrip_isa::Capability::V1_0).unwrap();
        for Listed { words, instruction, .. } in instructions(&program.words) {
            let Ok(instruction) = instruction else {
                continue;
            };
            let expected = instruction.to_string().into_bytes();
            let word = match *words {
                [low, high] => u64::from(high) << 32 | u64::from(low),
                [low] => u64::from(low),
                _ => unreachable!("an instruction has one or two words"),
            };
            assert_eq!(hexadecimal.ask(format!("{word:016x}").as_bytes()), expected);
            assert_eq!(binary.ask(format!("{word:064b}").as_bytes()), expected);
            if words.len() == 1 {
                assert_eq!(hexadecimal.ask(format!("{word:08x}").as_bytes()), expected);
                assert_eq!(binary.ask(format!("{word:032b}").as_bytes()), expected);
                // The other contents of the register have no effect.
                assert_eq!(
                    hexadecimal.ask(format!("{:016x}", word | 0xdead_beef << 32).as_bytes()),
                    expected
                );
            }
            asked += 1;
        }
    }
    assert!(asked > 500, "{asked} instructions");
    // Real words from other compilers, which include words that are not instructions.
    for line in corpus().lines().skip(1) {
        let (low, rest) = line.split_once('\t').unwrap();
        let high = rest.split('\t').next().unwrap();
        let word = format!("{high}{low}");
        let expected = decode(u64::from_str_radix(&word, 16).unwrap()).map_or(word.clone(), |i| i.to_string());
        assert_eq!(hexadecimal.ask(word.as_bytes()), expected.into_bytes());
    }
    let long = "0".repeat(2000);
    let bad: [&[u8]; 10] = [
        b"",
        b"xxxxxxxxxxxxxxxx",
        b"0400078zz0000005",
        b"hello world",
        b"-5",
        b"\xff\xfe\x00",
        b"12345678901234567",
        // These are only the low half of MVI R8, 0x3f, and a word that is not an instruction.
        b"103f8021",
        b"fffffffffffffffd",
        long.as_bytes(),
    ];
    assert_eq!(hexadecimal.ask(b"00000003103f8021"), b"MVI R8, 0x3f");
    for line in bad {
        assert_eq!(hexadecimal.ask(line), line, "{line:?}");
    }
    assert_eq!(
        hexadecimal.ask(b"0x04000780a0000005"),
        hexadecimal.ask(b" 04000780a0000005 ")
    );
    hexadecimal.end();
    binary.end();
}

#[test]
fn filter_names_states() {
    let mut filter = Filter::start(&["gtkwave-filter --kind IssueCause"]);
    for (number, state) in enums().unwrap()["IssueCause"].iter().enumerate() {
        assert_eq!(filter.ask(format!("{number:x}").as_bytes()), state.as_bytes());
        assert_eq!(filter.ask(format!("%{number:04b}").as_bytes()), state.as_bytes());
    }
    for line in ["f", "x", "", "ffffffffffffffff"] {
        assert_eq!(filter.ask(line.as_bytes()), line.as_bytes());
    }
    filter.end();
    let output = Command::new(env!("CARGO_BIN_EXE_flexgrip"))
        .args(["gtkwave-filter", "--kind", "Colour"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("`Colour`") && message.contains("IssueCause"),
        "{message}"
    );
}

#[test]
fn errors_are_reported_before_writing_files() {
    let folder = Folder::sass("RET\n");
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let refused = |code: i32, arguments: &[&str]| {
        let output = flexgrip(arguments, folder.path());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        let names = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["kernel.sass", "launch.toml"], "{arguments:?}");
        message
    };
    let mut engines = vec!["rtl", "kernels", "compiled"];
    if verilator() {
        engines.push("verilator");
    }
    let wave = file("w.vcd");
    for engine in engines {
        let message = refused(
            1,
            &[
                "run",
                "--engine",
                engine,
                "--wave",
                &wave,
                "--wave-scope",
                "top.sm[0].fetch,top.sm[1]",
            ],
        );
        assert!(
            message.contains("`top.sm[1]`; expected something in `top.sm` such as [0]"),
            "{message}"
        );
    }
    // An empty window is a usage error on every engine: nothing is run or written.
    for command in ["run", "lockstep"] {
        for engine in ["rtl", "kernels", "verilator"] {
            for (from, to, says) in [
                ("7", "6", "begins in cycle 7, after its last cycle, 6"),
                ("0", "0", "the last cycle is 0"),
                ("1", "0", "begins in cycle 1, after its last cycle, 0"),
            ] {
                let window = ["--wave", &wave, "--wave-from", from, "--wave-to", to];
                let message = refused(2, &[&[command, "--engine", engine], &window[..]].concat());
                assert!(
                    message.starts_with("error: waves: ") && message.contains(says),
                    "{message}"
                );
            }
        }
    }
    for name in ["w.txt", "w", "vcd"] {
        let message = refused(1, &["run", "--wave", &file(name)]);
        assert!(message.contains("expected .vcd or .fst"), "{message}");
    }
    let message = refused(1, &["run", "--engine", "model", "--wave", &wave]);
    assert!(message.contains("no signals"), "{message}");
    let message = refused(2, &["run", "--wave-from", "7"]);
    assert!(message.contains("--wave"), "{message}");
    refused(2, &["run", "--wave", &wave, "--wave-from", "-7"]);
    let message = refused(1, &["run", "--wave", &file("none/w.vcd")]);
    assert!(message.contains("cannot write"), "{message}");
}

#[test]
fn fst_needs_the_converter() {
    let folder = Folder::sass("RET\n");
    let wave = folder.path().join("w.fst");
    let output = Command::new(env!("CARGO_BIN_EXE_flexgrip"))
        .arg("run")
        .arg(folder.path())
        .arg("--wave")
        .arg(&wave)
        .env("PATH", folder.path())
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(
        message.contains("vcd2fst: is not installed") && message.contains("make tools"),
        "{message}"
    );
    assert!(!wave.exists());
}

#[test]
fn window_after_the_end_is_noted() {
    let folder = Folder::sass("RET\n");
    let wave = folder.path().join("w.vcd");
    let arguments = ["run", "--wave", wave.to_str().unwrap(), "--wave-from", "100000"];
    let output = flexgrip(&arguments, folder.path());
    assert!(output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("the grid ended in cycle") && message.contains("begins after that, in cycle 100000"),
        "{message}"
    );
    // The file contains the names of the signals, but no cycle.
    let waves = wellen::simple::read(&wave).unwrap();
    assert!(waves.hierarchy().iter_vars().count() > 1000 && waves.time_table().is_empty());
}
