//! The project's own kernels: they assemble, and in any order of warps give the results that the crate in `kernels/`
//! computes without a model: exactly or, where special functions take part, within the tolerance in the kernel's launch
//! file. A kernel added to `kernels/` is tested without a change here.

use flexgrip_isa::{assemble, decode, Float, Instruction, Marker, Operand, Operation, Predicate, Program};
use flexgrip_machine::{Configuration, EntryKind, ErrorKind, ImageSpace, Launch, MemoryImage, Retire, StackOperation};
use flexgrip_model::Machine;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Limit of warp instructions, more than any kernel here executes.
const LIMIT: u64 = 1_000_000;

/// The folders of the kernels.
fn folders() -> Vec<PathBuf> {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let mut folders: Vec<_> = std::fs::read_dir(&kernels)
        .unwrap_or_else(|error| panic!("{}: {error}", kernels.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|folder| folder.join("launch.toml").is_file())
        .collect();
    folders.sort();
    folders
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn hex(word: &str) -> u32 {
    u32::from_str_radix(word, 16).unwrap_or_else(|error| panic!("`{word}`: {error}"))
}

fn number(value: &toml::Value) -> u32 {
    u32::try_from(value.as_integer().expect("an integer")).expect("32 bits")
}

fn numbers(value: &toml::Value) -> Vec<u32> {
    value.as_array().expect("an array").iter().map(number).collect()
}

struct ExpectedKernel {
    launch: Launch,
    program: Program,
    /// Byte addresses and words that the kernel must leave; all other words must be unchanged.
    expected: Vec<(u32, u32)>,
    tolerance: Option<Tolerance>,
}

/// The words are floats, and may differ from the expected ones by either of these amounts.
struct Tolerance {
    /// Units in the last place.
    ulp: u32,
    /// Absolute difference.
    absolute: f64,
}

impl Tolerance {
    fn accepts(&self, want: u32, got: u32) -> bool {
        let value = |bits| f64::from(f32::from_bits(bits));
        // Floats numbered in the order of their values.
        let place = |bits: u32| match bits >> 31 {
            0 => i64::from(bits),
            _ => -i64::from(bits & 0x7fff_ffff),
        };
        // No kernel is expected to leave a NaN, except where exactly that NaN is expected.
        want == got
            || !value(want).is_nan()
                && !value(got).is_nan()
                && (place(want).abs_diff(place(got)) <= u64::from(self.ulp)
                    || (value(want) - value(got)).abs() <= self.absolute)
    }
}

fn load(folder: &Path) -> ExpectedKernel {
    let file: toml::Table = read(&folder.join("launch.toml")).parse().expect("TOML");
    let text = |value: &toml::Value| value.as_str().expect("a string").to_string();
    let name = text(&file["name"]);
    assert_eq!(folder.file_name().and_then(|n| n.to_str()), Some(name.as_str()));

    let source = folder.join(text(&file["program"]));
    let program = assemble(&read(&source), &source.display().to_string()).unwrap_or_else(|errors| {
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    });
    // Source and launch file must agree.
    let entry = program
        .kernel(&name)
        .unwrap_or_else(|| panic!("{name}: no such .kernel"));
    let params = numbers(&file["params"]);
    assert_eq!(entry.registers, number(&file["registers"]), "{name}: registers");
    assert_eq!(
        entry.shared_bytes,
        number(&file["shared_bytes"]),
        "{name}: shared bytes"
    );
    assert_eq!(entry.parameters.len(), params.len(), "{name}: parameters");
    assert_eq!(program.constants, [], "{name}: constants belong in image files");
    assert_eq!(entry.entry, 0, "{name}: the launch file names no entry");

    let memory = file["memory"].as_array().expect("[[memory]]").iter();
    let memory = memory.map(|image| MemoryImage {
        space: match image["space"].as_str() {
            Some("global") => ImageSpace::Global,
            Some("constant") => ImageSpace::Constant {
                bank: number(&image["bank"]),
            },
            other => panic!("{name}: space {other:?}"),
        },
        address: number(&image["address"]),
        words: read(&folder.join(text(&image["file"])))
            .split_whitespace()
            .map(hex)
            .collect(),
    });
    let launch = Launch {
        program: program.words.clone(),
        registers: number(&file["registers"]),
        shared_bytes: number(&file["shared_bytes"]),
        grid: numbers(&file["grid"]).try_into().expect("two dimensions"),
        block: numbers(&file["block"]).try_into().expect("three dimensions"),
        params,
        memory: memory.collect(),
        name,
        ..Launch::default()
    };

    let [expect] = &file["expect"].as_array().expect("[[expect]]")[..] else {
        panic!("{}: one [[expect]]", launch.name)
    };
    assert_eq!(expect["space"].as_str(), Some("global"));
    assert_eq!(expect["exact"].as_bool(), Some(true));
    let tolerance = match expect["compare"].as_str() {
        Some("u32") => None,
        Some("f32") => Some(Tolerance {
            ulp: number(&expect["ulp"]),
            absolute: expect["absolute"].as_float().expect("a number"),
        }),
        other => panic!("{}: compare {other:?}", launch.name),
    };
    let expected: Vec<_> = read(&folder.join(text(&expect["file"])))
        .lines()
        .map(|line| line.split_once(' ').expect("ADDRESS WORD"))
        .map(|(address, word)| (hex(address), hex(word)))
        .collect();
    assert!(!expected.is_empty(), "{}: nothing is expected", launch.name);
    ExpectedKernel {
        launch,
        program,
        expected,
        tolerance,
    }
}

fn machine(kernel: &ExpectedKernel) -> Machine {
    Machine::new(kernel.launch.clone(), Configuration::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks that the run has changed global memory as expected, and nothing else. Most of the expected words must differ
/// from the initial contents.
fn check(kernel: &ExpectedKernel, machine: &Machine, how: &str) {
    let name = &kernel.launch.name;
    assert!(machine.ended(), "{name}, {how}: has not ended");
    let mut want: Vec<u32> = self::machine(kernel).global().words().collect();
    let mut changed = 0;
    for &(address, word) in &kernel.expected {
        assert_eq!(address % 4, 0, "{name}: {address:#x}");
        let place = &mut want[address as usize / 4];
        changed += usize::from(*place != word);
        *place = word;
    }
    // A kernel that does nothing must not pass.
    assert!(changed > kernel.expected.len() / 2, "{name}: {changed} words change");
    for (i, (&want, got)) in want.iter().zip(machine.global().words()).enumerate() {
        let named = || {
            kernel
                .expected
                .binary_search_by_key(&(4 * i as u32), |&(address, _)| address)
                .is_ok()
        };
        let near = || {
            kernel
                .tolerance
                .as_ref()
                .is_some_and(|tolerance| tolerance.accepts(want, got))
        };
        assert!(
            want == got || near() && named(),
            "{name}, {how}: {:#07x}: {got:08x}, not {want:08x}",
            4 * i
        );
    }
}

#[test]
fn the_promised_kernels_are_there() {
    let names: Vec<_> = folders().iter().map(|folder| load(folder).launch.name).collect();
    for name in [
        "bitonic_sort",
        "black_scholes",
        "breadth_first_search",
        "crc32",
        "divergence",
        "divide_sqrt",
        "dot_product",
        "fft",
        "histogram",
        "k_means",
        "life",
        "mandelbrot",
        "matrix_multiply",
        "n_body",
        "newton",
        "prefix_scan",
        "queens",
        "reduction",
        "reduction_blocks",
        "saxpy",
        "saxpy_int",
        "sgemm_naive",
        "sgemm_tiled",
        "sha256",
        "sobel",
        "softmax",
        "sort",
        "stencil_1d",
        "stencil_2d",
        "transpose",
        "vectoradd",
    ] {
        assert!(names.iter().any(|n| n == name), "{name} is missing: {names:?}");
    }
}

/// The kernel's instructions and their source lines.
fn instructions(kernel: &ExpectedKernel) -> Vec<(Instruction, u32)> {
    let words = &kernel.program.words;
    let decoded = kernel.program.lines.iter().map(|&(address, line)| {
        let at = address as usize / 4;
        let high = words.get(at + 1).copied().unwrap_or(0);
        let instruction = decode(u64::from(high) << 32 | u64::from(words[at]))
            .or_else(|_| decode(u64::from(words[at])))
            .unwrap_or_else(|error| panic!("{}, line {line}: {error}", kernel.launch.name));
        (instruction, line)
    });
    decoded.collect()
}

#[test]
fn every_instruction_of_the_kernels_is_executed() {
    for folder in folders() {
        let kernel = load(&folder);
        for (instruction, line) in instructions(&kernel) {
            let name = &kernel.launch.name;
            assert!(instruction.executed(), "{name}, line {line}: {instruction}");
        }
    }
}

/// An instruction's use of barriers and of per-thread addresses.
fn features(instruction: &Instruction) -> Vec<String> {
    let mut features = Vec::new();
    match instruction.operation() {
        Operation::A2r => features.push("A2R".into()),
        Operation::Plain(plain) => features.push(plain.name().into()),
        Operation::Mvc { .. } => features.push("MVC".into()),
        Operation::Bar { barrier, mask, .. } => {
            let threads = if mask == 0xfff { "all" } else { "a number of" };
            let barrier = if barrier == 0 { "b0" } else { "another barrier" };
            features.push(format!("{threads} threads at {barrier}"));
        }
        _ => {}
    }
    let stores = matches!(instruction.operation(), Operation::R2g);
    for operand in instruction.sources().into_iter().flatten() {
        if let Operand::Address(register) = operand {
            features.push(format!("A{register}"));
        }
        let Some(indirect) = operand.indirect() else {
            continue;
        };
        features.push(format!("A{}", indirect.register));
        let (offset, place) = match operand {
            Operand::Shared { offset, access, .. } => (offset, format!("g[] {access:?}")),
            Operand::Constant { offset, .. } => (offset, "c[]".into()),
            _ => continue,
        };
        if indirect.post_increment {
            let direction = if offset < 0 { "down" } else { "up" };
            features.push(format!("{direction} by post-increment"));
        }
        let conditional = instruction.predicate() != Predicate::ALWAYS;
        features.push(match (stores, conditional) {
            (false, _) => format!("read {place}"),
            (true, false) => format!("store {place}"),
            (true, true) => "store under a condition".into(),
        });
    }
    features
}

#[test]
fn kernels_use_shared_and_constant_memory_fully() {
    let kernels: Vec<_> = folders().iter().map(|folder| load(folder)).collect();
    let seen: BTreeSet<String> = kernels
        .iter()
        .flat_map(instructions)
        .flat_map(|(instruction, _)| features(&instruction))
        .collect();
    let wanted = [
        "A1",
        "A2",
        "A2R",
        "A3",
        "A4",
        "Add",
        "MVC",
        "a number of threads at another barrier",
        "all threads at another barrier",
        "all threads at b0",
        "down by post-increment",
        "read c[]",
        "read g[] B32",
        "read g[] S16",
        "read g[] U16",
        "read g[] U8",
        "store g[] B32",
        "store g[] U16",
        "store g[] U8",
        "store under a condition",
        "up by post-increment",
    ];
    assert_eq!(seen, wanted.map(String::from).into());
}

/// The float operation of an instruction, with the modifiers that make it a different one.
fn float_operation(instruction: &Instruction) -> Option<String> {
    Some(match instruction.operation() {
        Operation::Fadd { .. } => "FADD".into(),
        Operation::Fmul { .. } => "FMUL".into(),
        Operation::Fmad { .. } => "FMAD".into(),
        Operation::Fset { .. } => "FSET".into(),
        Operation::Fmin { .. } => "FMIN".into(),
        Operation::Fmax { .. } => "FMAX".into(),
        Operation::Fslct { .. } => "FSLCT".into(),
        Operation::F2f {
            from: Float::F32,
            to: Float::F32,
            ..
        } => "F2F".into(),
        Operation::F2i { from: Float::F32, .. } => "F2I".into(),
        Operation::I2f { to: Float::F32, .. } => "I2F".into(),
        Operation::Special { .. } => instruction.row().name.trim_end_matches("32").into(),
        Operation::Rro { ex2, .. } => format!("RRO.{}", if ex2 { "EX2" } else { "SIN" }),
        _ => return None,
    })
}

/// Covers all operations except the conversions of 16-bit floats, which no program here needs.
#[test]
fn the_kernels_use_every_float_operation() {
    let kernels: Vec<_> = folders().iter().map(|folder| load(folder)).collect();
    let seen: BTreeSet<String> = kernels
        .iter()
        .flat_map(instructions)
        .filter_map(|(instruction, _)| float_operation(&instruction))
        .collect();
    let wanted = [
        "COS", "EX2", "F2F", "F2I", "FADD", "FMAD", "FMAX", "FMIN", "FMUL", "FSET", "FSLCT", "I2F", "LG2", "RCP",
        "RRO.EX2", "RRO.SIN", "RSQ", "SIN",
    ];
    assert_eq!(seen, wanted.map(String::from).into());
}

#[test]
fn results_are_as_expected() {
    for folder in folders() {
        let kernel = load(&folder);
        let mut machine = machine(&kernel);
        let outcome = machine.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
        check(&kernel, &machine, "in turns");
        println!("{}: {outcome:?}", kernel.launch.name);
    }
}

#[test]
fn results_are_independent_of_warp_order() {
    for folder in folders() {
        let kernel = load(&folder);
        let warps: Vec<_> = (0..kernel.launch.blocks())
            .flat_map(|block| (0..kernel.launch.block_warps()).map(move |warp| (block, warp)))
            .collect();
        let step = |machine: &mut Machine, (block, warp)| match machine.step_warp(block, warp) {
            Ok(_) => true,
            Err(error) if error.kind == ErrorKind::NoSuchWarp => false,
            Err(error) => panic!("{error}"),
        };

        // Words with a tolerance must still not differ between orders.
        let mut in_turns = machine(&kernel);
        in_turns.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
        let same = |directed: &Machine| {
            let name = &kernel.launch.name;
            assert!(in_turns.global().words().eq(directed.global().words()), "{name}");
        };

        // One warp after the other, the last one first, each as far as it gets: to a barrier or its end.
        let mut directed = machine(&kernel);
        while !directed.ended() {
            for &warp in warps.iter().rev() {
                while step(&mut directed, warp) {}
            }
        }
        check(&kernel, &directed, "last warp first");
        same(&directed);

        // Bursts of 1 to 16 instructions, by a linear congruential generator.
        let mut directed = machine(&kernel);
        let mut random = 1_u64;
        while !directed.ended() {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let warp = warps[(random >> 33) as usize % warps.len()];
            for _ in 0..=random >> 60 {
                if !step(&mut directed, warp) {
                    break;
                }
            }
        }
        check(&kernel, &directed, "in bursts");
        same(&directed);
    }
}

/// Control-flow events in a record, as the contract's page names them.
fn events(record: &Retire) -> Vec<&'static str> {
    let Ok(instruction) = decode(record.word) else {
        return vec![];
    };
    let mut events = Vec::new();
    if matches!(instruction.operation(), Operation::Bra { .. }) {
        events.push(match record.executed {
            0 => "BRA taken by none",
            mask if mask == record.active => "BRA taken by all",
            _ => "BRA taken by some",
        });
    }
    let leaves_by_ret = matches!(instruction.operation(), Operation::Ret);
    if leaves_by_ret && record.executed != 0 && record.executed != record.active {
        events.push("RET of some");
    }
    let exit = instruction.marker() == Marker::Exit;
    if exit && record.executed != record.active {
        events.push("exit marker ends threads without the condition");
    }
    let popped: Vec<_> = record
        .stack
        .iter()
        .filter_map(|operation| match operation {
            StackOperation::Pop(entry) => Some(entry.kind),
            StackOperation::Push(_) => None,
        })
        .collect();
    let joins = instruction.marker() == Marker::Join;
    match (popped.last(), record.next.pc) {
        (Some(EntryKind::Diverged), Some(_)) if joins => events.push("join leads to the other side"),
        (Some(EntryKind::Join), Some(_)) if joins => events.push("join joins"),
        (Some(EntryKind::Diverged), Some(_)) if leaves_by_ret => events.push("RET leads to the other side"),
        (Some(EntryKind::Join), Some(_)) if leaves_by_ret => events.push("RET leads past the join"),
        (Some(EntryKind::Diverged), Some(_)) if exit => events.push("exit marker leads to the other side"),
        (Some(EntryKind::Join), Some(_)) if exit => events.push("exit marker leads past the join"),
        (Some(_), None) => events.push("the last threads leave, and all entries are of threads that are gone"),
        (None, None) => events.push("the last threads leave an empty stack"),
        _ => {}
    }
    if popped.len() > 1 && record.next.pc.is_some() {
        events.push("an entry whose threads are gone is skipped");
    }
    events
}

#[test]
fn divergence_meets_every_event_of_the_stack() {
    let folder = folders()
        .into_iter()
        .find(|folder| folder.ends_with("divergence"))
        .expect("divergence");
    let mut seen = BTreeSet::new();
    machine(&load(&folder))
        .run_observed(LIMIT, |record| seen.extend(events(record)))
        .unwrap_or_else(|error| panic!("{error}"));
    let wanted = BTreeSet::from([
        "BRA taken by all",
        "BRA taken by none",
        "BRA taken by some",
        "RET leads past the join",
        "RET leads to the other side",
        "RET of some",
        "an entry whose threads are gone is skipped",
        "exit marker ends threads without the condition",
        "exit marker leads past the join",
        "exit marker leads to the other side",
        "join joins",
        "join leads to the other side",
        "the last threads leave an empty stack",
        "the last threads leave, and all entries are of threads that are gone",
    ]);
    assert_eq!(seen, wanted);
}

#[test]
fn parallel_blocks_equal_blocks_in_turns() {
    let mut grids = 0;
    for folder in folders() {
        let kernel = load(&folder);
        let name = &kernel.launch.name;
        grids += u32::from(kernel.launch.blocks() > 1);
        let mut in_turns = machine(&kernel);
        let expected = in_turns.run(LIMIT).unwrap_or_else(|error| panic!("{error}"));
        for jobs in [2, 3] {
            let mut parallel = machine(&kernel);
            let jobs = std::num::NonZeroUsize::new(jobs).expect("some");
            let (outcome, reason) = parallel
                .run_parallel(LIMIT, jobs)
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(outcome, expected, "{name}");
            assert!(parallel.ended() && parallel.global() == in_turns.global(), "{name}");
            // In all of them a block uses only its own results.
            assert_eq!(reason, None, "{name}");
        }
    }
    assert!(grids >= 15, "{grids} kernels of several blocks");
}
