//! Tests snapshots: runs that continue from them are identical to the cycle, and unsuitable files are refused.

use crate::common::{configuration, root};
use flexgrip_machine::{Launch, Retire};
use flexgrip_sim::engines::engine::{Coalescing, Engine, Options, SaveAt};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::compiled::{CompiledEngine, CompiledMachine};
use flexgrip_sim::engines::native::kernels::KernelEngine;
use flexgrip_sim::engines::native::snapshot::Snapshot;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LANES: u32 = 8;

fn launch(name: &str) -> Launch {
    Kernel::load(&root().join("kernels").join(name)).unwrap().launch
}

fn options() -> Options {
    Options {
        configuration: configuration(LANES, 1 << 16),
        ..Options::default()
    }
}

/// A run with its records, without the values that depend on wall-clock time and on the cycle in which it starts.
fn run(launch: &Launch, options: &Options) -> Result<(RunReport, Vec<Retire>), RunError> {
    let mut records = Vec::new();
    let mut observer = |record: &Retire| {
        records.push(record.clone());
        ControlFlow::Continue(())
    };
    let report = CompiledEngine.run(launch, options, Some(&mut observer))?;
    Ok((alike(report), records))
}

fn alike(report: RunReport) -> RunReport {
    RunReport {
        wall: Duration::ZERO,
        skipped: 0,
        ..report
    }
}

fn save(cycle: u64, file: &Path) -> Option<SaveAt> {
    let file = file.into();
    Some(SaveAt { cycle, file })
}

/// The number of records from before the start of a cycle; each SM's records are reported in the order of issue.
fn before(records: &[Retire], cycle: u64) -> usize {
    let mut late = [false; 32];
    let passed = records.iter().take_while(|record| {
        let late = &mut late[record.sm as usize];
        *late |= record.retire_cycle.unwrap() >= cycle;
        !*late
    });
    passed.count()
}

/// Saves a run at several cycles, with and without records, and continues from there.
#[track_caller]
fn assert_continues(name: &str, options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    let (file, again) = (folder.path().join("one"), folder.path().join("two"));
    let launch = launch(name);
    let (report, records) = run(&launch, options).unwrap();
    assert_eq!(report.ending, Ending::Complete, "{name}");
    let cycles = report.cycles.unwrap();
    let saving = |from: Option<&PathBuf>, cycle, file: &Path| Options {
        from: from.cloned(),
        save: save(cycle, file),
        ..options.clone()
    };
    for cycle in [1, 60, cycles / 2, cycles - 1, cycles] {
        let observed = run(&launch, &saving(None, cycle, &file)).unwrap();
        assert!(observed == (report.clone(), records.clone()), "{name} saved at {cycle}");
        let from = Options {
            from: Some(file.clone()),
            ..options.clone()
        };
        let (rest, later) = run(&launch, &from).unwrap();
        assert_eq!(rest, report, "{name} from {cycle}");
        assert!(
            later == records[before(&records, cycle)..],
            "{name} from {cycle}: records"
        );
    }
    // Snapshots of a continued run and of a whole run are equal. Records are saved even without an observer.
    CompiledEngine.run(&launch, &saving(None, 60, &file), None).unwrap();
    run(&launch, &saving(Some(&file), cycles / 2, &again)).unwrap();
    CompiledEngine
        .run(&launch, &saving(None, cycles / 2, &file), None)
        .unwrap();
    assert!(
        std::fs::read(&file).unwrap() == std::fs::read(&again).unwrap(),
        "{name}"
    );
}

#[test]
fn runs_continue_to_the_cycle() {
    for name in ["vectoradd", "sort", "reduction"] {
        assert_continues(name, &options());
    }
}

#[test]
fn runs_of_other_machines_continue() {
    let mut other = Options {
        memory_latency: 90,
        coalescing: Coalescing::G80,
        ..options()
    };
    other.configuration.sms = 2;
    assert_continues("vectoradd", &other);
}

/// Runs repeatedly from one snapshot in memory: a fault in one of the runs does not affect the next.
#[test]
fn machine_runs_from_a_snapshot_repeatedly() {
    let launch = launch("vectoradd");
    let (report, records) = run(&launch, &options()).unwrap();
    CompiledMachine::with(&launch, &options(), |machine| {
        let snapshot = machine.snapshot(200)?;
        let mut run = |fault: bool| {
            let mut later = Vec::new();
            let mut observer = |record: &Retire| {
                later.push(record.clone());
                ControlFlow::Continue(())
            };
            let change = |code: &mut hdlkit_compiled::MachineCode| {
                let memories: Vec<String> = code.code().memories().map(|memory| memory.name.to_string()).collect();
                for number in (0..memories.len()).filter(|number| memories[*number].contains("register_file.bank")) {
                    for word in (0..512).filter(|_| fault) {
                        let value = code.memory(number).unwrap()[word];
                        assert!(code.set_memory(number, word, value ^ 1));
                    }
                }
            };
            let report = machine.run(&snapshot, change, None, Some(&mut observer))?;
            Ok::<_, RunError>((alike(report), later))
        };
        let right = (report.clone(), records[before(&records, 200)..].to_vec());
        assert!(run(false)? == right);
        assert!(run(true)? != right);
        assert!(run(false)? == right);
        // Restarts from the beginning, after complete runs.
        let again = machine.snapshot(200)?;
        let later = machine.run(&again, |_| (), None, None)?;
        assert_eq!(alike(later), report);
        let ended = machine.snapshot(100_000).unwrap_err().to_string();
        assert!(ended.contains("before cycle 100000"), "{ended}");
        Ok(())
    })
    .unwrap();
}

/// The bytes of a snapshot of `vectoradd`, in a folder.
fn snapshot(folder: &Path) -> (PathBuf, Vec<u8>) {
    let file = folder.join("snapshot");
    let saving = Options {
        save: save(100, &file),
        ..options()
    };
    CompiledEngine.run(&launch("vectoradd"), &saving, None).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    (file, bytes)
}

#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, bytes) = snapshot(folder.path());
    let launch = launch("vectoradd");
    let read = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        match Snapshot::read(&file, &launch, &options()) {
            Ok(_) => panic!("it was accepted"),
            Err(error) => error.to_string().replace(&*file.to_string_lossy(), "F"),
        }
    };
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let some = |count: usize| (0..line + 20).chain((1..count).map(move |index| index * (1 << 20) / count));
    for length in some(12).filter(|length| *length < bytes.len()) {
        let error = read(&bytes[..length]);
        let expected = if length < 18 {
            "F: not a snapshot; expected"
        } else {
            "F: the snapshot "
        };
        assert!(error.starts_with(expected), "{length}: {error}");
    }
    assert_eq!(read(&bytes[..bytes.len() - 1]), "F: the snapshot is truncated");
    for at in some(12).filter(|at| *at < bytes.len()) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(read(&bytes).starts_with("F: "), "{at}");
    }
    let damaged = "F: the snapshot is damaged: its hash does not match";
    assert_eq!(read(&[&bytes[..], b" "].concat()), damaged);
    let mut other = bytes.clone();
    let last = other.len() - 1;
    other[last] ^= 1;
    assert_eq!(read(&other), damaged);
    let text = String::from_utf8(bytes[..line].to_vec()).unwrap();
    let version = text.replacen(" 2 ", " 1 ", 1);
    assert_eq!(
        read(version.as_bytes()),
        "F: the snapshot has version 1; expected version 2"
    );
}

/// Tests files with the right hash, but with contents that no run has written.
#[test]
fn impossible_snapshots_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, bytes) = snapshot(folder.path());
    let launch = launch("vectoradd");
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let right: serde_json::Value = serde_json::from_slice(&bytes[line..]).unwrap();
    let from = Options {
        from: Some(file.clone()),
        max_cycles: 2_000,
        ..options()
    };
    let error = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut contents = right.clone();
        change(&mut contents);
        let json = serde_json::to_vec(&contents).unwrap();
        let hash: String = Sha256::digest(&json).iter().map(|byte| format!("{byte:02x}")).collect();
        let text = format!("flexgrip snapshot 2 {} {hash}\n", json.len());
        std::fs::write(&file, [text.as_bytes(), &json].concat()).unwrap();
        run(&launch, &from).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(error(&|_| ()), Ok(()));
    let large = serde_json::json!(u64::MAX);
    for (change, says) in [
        (
            &(|it: &mut serde_json::Value| drop(it.as_object_mut().unwrap().remove("around")))
                as &dyn Fn(&mut serde_json::Value),
            "missing field `around`",
        ),
        (
            &|it| drop(it["circuits"].as_array_mut().unwrap().pop()),
            "does not fit these circuits",
        ),
        (
            &|it| drop(it["around"]["memory"].as_array_mut().unwrap().pop()),
            "16383 words of memory; expected 16384",
        ),
        (
            &|it| it["around"]["cycle"] = large.clone(),
            "the cycles are inconsistent",
        ),
        (
            &|it| it["around"]["start"] = large.clone(),
            "the cycles are inconsistent",
        ),
        (&|it| it["around"]["latency"] = large.clone(), "a memory latency of"),
        (&|it| it["verilog"] = "0".into(), "other circuits"),
        (&|it| it["of"]["launch"] = "0".into(), "another program, grid or data"),
        (
            &|it| it["of"]["kernel"] = "x".into(),
            "the snapshot has kernel x; expected vectoradd",
        ),
        (&|it| it["in_flight"][0] = "I 1 0 0 ffff 0 0".into(), "warp"),
        (
            &|it| it["in_flight"][0] = "M 1 0 5 0 0".into(),
            "no instruction in flight has",
        ),
        (&|it| it["in_flight"][0] = "?".into(), "an invalid event"),
    ] {
        let error = error(change).unwrap_err();
        assert!(error.contains(says), "{says}: {error}");
    }
    // All values of registers and memories are possible, so they are not checked.
    let _ = error(&|it| {
        let words = it["circuits"].as_array_mut().unwrap().iter_mut();
        words.for_each(|word| *word = large.clone());
    });
}

#[test]
fn other_runs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = snapshot(folder.path());
    let refused = |launch: &Launch, options: &Options| {
        let read = Snapshot::read(&file, launch, options);
        read.map(|_| ()).unwrap_err().to_string()
    };
    let vectoradd = launch("vectoradd");
    for (configuration, says) in [
        (configuration(16, 1 << 16), "--lanes 8; expected 16"),
        (configuration(LANES, 1 << 17), "--global-size 65536; expected 131072"),
    ] {
        let other = Options {
            configuration,
            ..options()
        };
        assert!(refused(&vectoradd, &other).contains(says), "{says}");
    }
    let mut sms = options();
    sms.configuration.sms = 2;
    assert!(refused(&vectoradd, &sms).contains("--sms 1; expected 2"));
    let latency = Options {
        memory_latency: 21,
        ..options()
    };
    assert!(refused(&vectoradd, &latency).contains("--memory-latency 20; expected 21"));
    let strict = Options {
        coalescing: Coalescing::G80,
        ..options()
    };
    assert!(refused(&vectoradd, &strict).contains("--coalescing segment; expected g80"));
    assert!(refused(&launch("sort"), &options()).contains("kernel vectoradd; expected sort"));
    let mut other = vectoradd.clone();
    other.grid[0] += 1;
    assert!(refused(&other, &options()).contains("another program, grid or data"));
    let from = Options {
        from: Some(file),
        ..options()
    };
    for engine in [&mut ModelEngine as &mut dyn Engine, &mut KernelEngine] {
        let error = engine.run(&vectoradd, &from, None).unwrap_err().to_string();
        assert!(error.contains("has no snapshots; choose rtl or compiled"), "{error}");
    }
    let missed = Options {
        save: save(100_000, &folder.path().join("never")),
        ..options()
    };
    let error = run(&vectoradd, &missed).unwrap_err().to_string();
    assert!(
        error.contains("never: not written: cycle 100000 is not in the run, which has cycles 1 to "),
        "{error}"
    );
    assert!(!folder.path().join("never").exists());
}
