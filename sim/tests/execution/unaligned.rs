//! Tests misaligned long instructions: run in place on every engine, and moved to 8-byte boundaries.

use crate::common::{
    configuration, engines, flexgrip, launch, options, root, run, run_on, with_verilog, Folder, LANES,
};
use flexgrip_isa::realign::{insert_fillers, realign, Moved};
use flexgrip_isa::Capability;
use flexgrip_machine::{Configuration, ErrorKind, Launch, Placement, Retire, StackOperation};
use flexgrip_model::Machine;
use flexgrip_sim::engines::engine::Engine;
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::compiled::CompiledEngine;
use flexgrip_sim::engines::native::kernels::KernelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::fuzz::generate::{program, Mix};
use flexgrip_sim::fuzz::program::MEMORY_BYTES;
use flexgrip_sim::trace::ending::Ending;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A kernel whose loop, join, subroutine and most instructions start at addresses where the G80 allows no long
/// instructions.
fn folder() -> PathBuf {
    root().join("sim/tests/execution/unaligned")
}

/// A copy of the kernel with these words as its program.
fn copy(words: &str, unaligned_code: &str) -> Folder {
    let read = |name| std::fs::read_to_string(folder().join(name)).unwrap();
    let text = read("launch.toml");
    assert!(text.contains("unaligned_code = true\n"));
    let text = text.replace("unaligned_code = true\n", unaligned_code);
    Folder::new(&[
        ("launch.toml", &text),
        ("kernel.hex", words),
        ("expected.txt", &read("expected.txt")),
    ])
}

fn kernel_words() -> String {
    std::fs::read_to_string(folder().join("kernel.hex")).unwrap()
}

#[test]
fn misaligned_kernel_runs_on_all_engines() {
    let by_file = copy(&kernel_words(), "unaligned_code = true\n");
    let by_option = copy(&kernel_words(), "");
    for engine in engines() {
        for (folder, options) in [(&by_file, &[][..]), (&by_option, &["--unaligned-code"])] {
            let arguments = [&["run", "--engine", engine][..], options].concat();
            let output = flexgrip(&arguments, folder.path());
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.ends_with("result matches\n"), "{arguments:?}: {output:?}");
        }
        if engine != "model" {
            let output = flexgrip(&["lockstep", "--engine", engine, "--unaligned-code"], by_option.path());
            assert_eq!(output.status.code(), Some(0), "{engine}: {output:?}");
        }
    }
    // The cycle count must not depend on whether everything or nothing is compiled to machine code from the start.
    let kernel = Kernel::load(&folder()).unwrap();
    let mut reports = Vec::new();
    for engine in [
        &mut RtlEngine as &mut dyn Engine,
        &mut CompiledEngine,
        &mut KernelEngine,
    ] {
        let report = engine.run(&kernel.launch, &options(8), None).unwrap();
        assert_eq!(report.ending, Ending::Complete);
        reports.push((report.cycles, report.global));
    }
    assert!(reports.iter().all(|report| *report == reports[0]));
}

#[test]
fn realigned_kernel_gives_the_same_results() {
    let folder = copy(&kernel_words(), "");
    let hex = folder.path().join("kernel.hex");
    // The output replaces the input.
    let arguments = ["asm", "--realign", "-o", hex.to_str().unwrap()];
    let output = asm(&arguments, &hex);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for engine in engines() {
        let output = flexgrip(&["run", "--engine", engine], folder.path());
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.ends_with("result matches\n"), "{engine}: {output:?}");
    }
    let kernels = [self::folder(), folder.path().into()].map(|folder| Kernel::load(&folder).unwrap());
    let globals = kernels.map(|kernel| ModelEngine.run(&kernel.launch, &options(8), None).unwrap().global);
    assert_eq!(globals[0], globals[1]);
}

/// Runs `flexgrip asm` on a file.
fn asm(arguments: &[&str], file: &std::path::Path) -> std::process::Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_flexgrip"))
        .args(arguments)
        .arg(file)
        .output()
        .unwrap()
}

#[test]
fn realigning_reports_its_changes() {
    let folder = copy(&kernel_words(), "");
    let (hex, out) = (folder.path().join("kernel.hex"), folder.path().join("out.hex"));
    let out_text = out.to_str().unwrap();
    let output = asm(&["asm", "--realign", "--entry", "0x78", "-o", out_text, "--json"], &hex);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["instructions"], &json["words"]), (&20.into(), &40.into()));
    assert_eq!((&json["fillers"], &json["mended_targets"]), (&5.into(), &3.into()));
    assert_eq!(json["filler_addresses"][0], 4);
    assert_eq!(json["entry"], serde_json::json!({"from": 0x78, "to": 0x88}));
    assert_eq!(json["moved"][0], serde_json::json!({"from": 4, "to": 8}));
    // The program as assembly text; without an output file, the words are printed.
    let output = asm(&["asm", "--realign", "-o", out_text], &hex);
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "instructions       20, 40 words\n",
        "fillers            5, at 0x0004, 0x003c, ",
        "branch targets     3 corrected\n",
        "entry              0x0000, as before\n",
        "moved              from 0x0004 up, by 4 bytes, to 0x0008\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let output = asm(&["asm", "--realign"], &hex);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        std::fs::read_to_string(&out).unwrap()
    );
    assert_eq!(String::from_utf8(output.stderr).unwrap(), text);
    // A program that needs no change is also written, in all formats.
    for name in ["again.hex", "again.vhd", "again.mif"] {
        let again = folder.path().join(name);
        let output = asm(&["asm", "--realign", "-o", again.to_str().unwrap()], &out);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("none: all long instructions lie on boundaries"), "{text}");
    }
    assert_eq!(
        std::fs::read(&out).unwrap(),
        std::fs::read(folder.path().join("again.hex")).unwrap()
    );
    let vhdl = asm(&["asm", "--realign"], &folder.path().join("again.vhd"));
    assert_eq!(vhdl.stdout, std::fs::read(&out).unwrap());
}

/// A random program of the fuzzer.
fn random_launch(number: u64) -> (Launch, ChaCha8Rng) {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    rng.set_stream(number);
    let launch = program(number, Mix::Any, Capability::default(), &mut rng)
        .launch()
        .unwrap();
    (launch, rng)
}

/// A random program with fillers inserted, which misalign many long instructions.
fn scattered(launch: &Launch, rng: &mut ChaCha8Rng) -> (Launch, Moved) {
    let share = rng.gen_range(0.05..0.6);
    let moved = insert_fillers(&launch.program, |_, _| rng.gen_bool(share)).unwrap();
    let launch = Launch {
        program: moved.words.clone(),
        entry: moved.now(launch.entry).unwrap(),
        unaligned_code: true,
        ..launch.clone()
    };
    (launch, moved)
}

fn small() -> Configuration {
    configuration(8, MEMORY_BYTES)
}

/// Runs both to their ends on the model, in the same order, and checks that they have the same effects: without its
/// fillers, `after` executes the instructions of `before` at their new addresses. Counts the executed instructions.
fn same(before: &Launch, after: &Launch, moved: &Moved, counts: &mut BTreeMap<&'static str, u64>) {
    let mut count = |what| *counts.entry(what).or_default() += 1;
    // Maps addresses of the moved program to the other one. A filler is mapped to the instruction after it.
    let places: BTreeMap<u32, u32> = (0..4 * before.program.len() as u32)
        .filter_map(|at| Some((moved.now(at)?, at)))
        .collect();
    let place = |at: u32| {
        let behind = if moved.fillers.contains(&at) { at + 4 } else { at };
        places.get(&behind).copied().unwrap_or(u32::MAX)
    };
    let mut machine = Machine::new(before.clone(), small()).unwrap();
    let mut other = Machine::new(after.clone(), small()).unwrap();
    let outcome = machine.run_observed(1_000_000, |record| loop {
        let mut own = other.follow(record).unwrap();
        if moved.fillers.contains(&own.pc) {
            count("filler");
            continue;
        }
        count(match (own.word & 1, own.pc % 8) {
            (0, _) => "short",
            (_, 0) => "long on a boundary",
            _ => "long off its boundary",
        });
        if own.pc % 8 == 4 && !own.stack.is_empty() {
            count("stack operation off a boundary");
        }
        own.word = record.word;
        own.pc = place(own.pc);
        own.next.pc = own.next.pc.map(place);
        for operation in &mut own.stack {
            let (StackOperation::Push(entry) | StackOperation::Pop(entry)) = operation;
            entry.pc = place(entry.pc);
        }
        let difference = record.difference(&own, Placement::Ignore);
        assert!(difference.is_none(), "{difference:?}\n{record}\n{own}");
        break;
    });
    outcome.unwrap();
    assert!(other.ended());
    assert_eq!(machine.global(), other.global());
}

#[test]
fn moved_random_programs_have_the_same_effects() {
    let mut counts = BTreeMap::new();
    for number in 0..60 {
        let (launch, mut rng) = random_launch(number);
        let (unaligned, scattered) = scattered(&launch, &mut rng);
        same(&launch, &unaligned, &scattered, &mut counts);
        let back = realign(&unaligned.program).unwrap();
        let aligned = Launch {
            program: back.words.clone(),
            entry: back.now(unaligned.entry).unwrap(),
            unaligned_code: false,
            ..unaligned.clone()
        };
        same(&unaligned, &aligned, &back, &mut counts);
    }
    println!("{counts:?}");
    for (what, least) in [
        ("filler", 5_000),
        ("long off its boundary", 5_000),
        ("long on a boundary", 5_000),
        ("stack operation off a boundary", 500),
    ] {
        assert!(
            counts.get(what).is_some_and(|&count| count > least),
            "{what}: {counts:?}"
        );
    }
}

/// Runs a launch in lockstep with the model, and returns global memory.
#[track_caller]
fn lockstep_of(engine: &mut dyn Engine, launch: &Launch, lanes: u32, latency: u32) -> Vec<u32> {
    let options = flexgrip_sim::engines::engine::Options {
        configuration: configuration(lanes, MEMORY_BYTES),
        memory_latency: latency,
        ..options(lanes)
    };
    let (report, _, difference) = lockstep::run(engine, launch, &options, |_| {}).unwrap();
    assert!(difference.is_none(), "{}, {lanes} lanes: {difference:?}", engine.name());
    assert_eq!(report.ending, Ending::Complete);
    report.global
}

#[test]
fn circuits_run_misaligned_random_programs() {
    for number in 0..12 {
        let (launch, mut rng) = random_launch(100 + number);
        let (unaligned, _) = scattered(&launch, &mut rng);
        let lanes = LANES[number as usize % 3];
        let latency = rng.gen_range(1..40);
        let global = lockstep_of(&mut RtlEngine, &unaligned, lanes, latency);
        // With a single warp, the results do not depend on when instructions issue.
        if unaligned.blocks() == 1 && unaligned.block_warps() == 1 {
            let aligned = Launch {
                program: realign(&unaligned.program).unwrap().words,
                unaligned_code: false,
                ..unaligned.clone()
            };
            assert_eq!(global, lockstep_of(&mut RtlEngine, &aligned, lanes, latency));
        }
        if number < 4 {
            with_verilog(|engine| lockstep_of(engine, &unaligned, 8, latency));
        }
    }
}

#[test]
fn aligned_programs_keep_their_cycles() {
    for name in ["divergence", "sort", "vectoradd"] {
        let kernel = Kernel::load(&root().join("kernels").join(name)).unwrap();
        let anywhere = Launch {
            unaligned_code: true,
            ..kernel.launch.clone()
        };
        let [before, after] =
            [&kernel.launch, &anywhere].map(|launch| RtlEngine.run(launch, &options(8), None).unwrap().cycles);
        assert!(before.is_some() && before == after, "{name}: {before:?}, {after:?}");
    }
}

/// The cycles from the issue of each instruction to the next one in the same warp.
fn gaps(records: &[Retire]) -> Vec<u64> {
    let cycles: Vec<u64> = records.iter().map(|record| record.issue_cycle.unwrap()).collect();
    cycles.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// A program of pieces that are assembled separately, so nothing is aligned.
fn packed(pieces: &[&str]) -> Launch {
    let words = |text: &&str| crate::common::assemble(text).words;
    Launch {
        program: pieces.iter().flat_map(words).collect(),
        unaligned_code: true,
        ..launch("RET\n", 1, 32, vec![])
    }
}

#[test]
fn instructions_across_two_words_take_documented_cycles() {
    let independent = ["MVI R1, 1", "MVI R2, 2", "MVI R3, 3", "MVI R4, 4", "MVI R5, 5", "RET"];
    let on = packed(&independent);
    let off = packed(&[&["MOV32 R6, R6"][..], &independent].concat());
    for lanes in LANES {
        let on = gaps(&run(&on, lanes).1);
        let off = gaps(&run(&off, lanes).1);
        println!("{lanes} lanes: on boundaries {on:?}, off them {off:?}");
        assert!(on[..4].iter().all(|&gap| gap == 5), "{on:?}");
        // The word that the previous instruction consumed must first be fetched again.
        assert!(off[2..5].iter().all(|&gap| gap == 7), "{off:?}");
    }
    // After a branch, the second word arrives two cycles after the first, which is examined a cycle after its arrival.
    let to = |target: &str| {
        packed(&[
            "MOV32 R6, R6",
            "MOV32 R6, R6",
            target,
            "MOV32 R6, R6",
            "MVI R1, 1",
            "RET",
        ])
    };
    let records = run(&to("BRA 0x14"), 8).1;
    assert_eq!(records[3].pc, 0x14);
    assert_eq!(gaps(&records)[2], 11);
}

#[test]
fn many_warps_hide_the_second_word() {
    let pieces: Vec<&str> = std::iter::once("MOV32 R6, R6")
        .chain((0..64).map(|i| ["MVI R1, 1", "MVI R2, 2", "MVI R3, 3", "MVI R4, 4"][i % 4]))
        .chain(["RET"])
        .collect();
    for lanes in LANES {
        let cycles = |pieces: &[&str]| {
            let launch = Launch {
                block: [512, 1, 1],
                ..packed(pieces)
            };
            run(&launch, lanes).0.cycles.unwrap()
        };
        let (off, on) = (cycles(&pieces), cycles(&pieces[1..]));
        println!("{lanes} lanes, 16 warps: off boundaries {off} cycles, on them {on}");
        // The short instruction before it only takes its beats.
        assert!(off <= on + 16 * u64::from(32 / lanes), "{lanes} lanes: {off}, {on}");
    }
}

#[test]
fn ends_of_misaligned_programs_agree() {
    let cut = |mut launch: Launch| {
        launch.program.pop();
        launch
    };
    let pieces = ["MOV32 R6, R6", "NOP", "RET"];
    let across = ["BRA 0xc", "MOV32 R6, R6", ".word 0xf0000001, 0xa0000000", "RET"];
    for (launch, expected) in [
        // The high half is beyond the end of the program; so is the whole instruction; so is a target.
        (cut(packed(&pieces)), Some((ErrorKind::ProgramCounter, 0xc))),
        (packed(&pieces[..2]), Some((ErrorKind::ProgramCounter, 0xc))),
        (
            packed(&["MOV32 R6, R6", "BRA 0x24", "RET"]),
            Some((ErrorKind::ProgramCounter, 0x24)),
        ),
        // An illegal instruction across two words.
        (packed(&across), Some((ErrorKind::IllegalInstruction, 0xc))),
        // Into the middle of an instruction: its high half is decoded as the low half of another one.
        (packed(&["BRA 0xc", "NOP", "RET"]), None),
    ] {
        let check = |ending: Ending, place: &str| match ending {
            Ending::Failed(error) => assert_eq!(Some((error.kind, error.pc)), expected, "{place}"),
            other => assert_eq!((other, None), (Ending::Complete, expected), "{place}"),
        };
        check(ModelEngine.run(&launch, &options(8), None).unwrap().ending, "model");
        for lanes in LANES {
            check(run(&launch, lanes).0.ending, &format!("rtl, {lanes} lanes"));
        }
        with_verilog(|engine| check(run_on(engine, &launch, 8).0.ending, "verilator"));
    }
}
