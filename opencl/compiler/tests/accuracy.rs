//! OpenCL's math functions on the golden model against double precision. Section 7.4 of OpenCL 1.0 limits each
//! function's error in units in the last place.
//!
//! ```sh
//! cargo test -p flexgrip-compiler --test accuracy -- --nocapture   # samples
//! FLEXGRIP_ULP_STRIDE=1 cargo test --release -p flexgrip-compiler --test accuracy ...   # all numbers, a function at a
//! time
//! FLEXGRIP_UPDATE=1 ...        # writes docs/builtins.md
//! make builtins-exhaustive     # all numbers, in many runs
//! ```

#[path = "accuracy/doubles.rs"]
mod doubles;
#[path = "accuracy/exhaustive.rs"]
mod exhaustive;
mod frontend;
#[path = "accuracy/functions.rs"]
mod functions;
#[path = "accuracy/inputs.rs"]
mod inputs;
#[path = "accuracy/measure.rs"]
mod measure;
#[path = "accuracy/recorded.rs"]
mod recorded;

use exhaustive::{go_on, Plan};
use flexgrip_compiler::Compiled;
use frontend::Program;
use functions::{Function, Reference, FUNCTIONS};
use inputs::Inputs;
use measure::Worst;
use recorded::{Record, INPUTS};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Number of work-items of a launch.
const BATCH: usize = 1 << 13;

/// Heading of the page's second part.
const SECOND: &str = "\n## All inputs\n";
/// Only one test at a time may change the page.
static PAGE_LOCK: Mutex<()> = Mutex::new(());

/// The page with the measured errors.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/builtins.md");

const HEAD: &str = "\
# Errors of OpenCL's math functions

Written by `FLEXGRIP_UPDATE=1 cargo test -p flexgrip-compiler --test accuracy`: the largest error found on the golden
model, in units in the last place of the exact result, and the error that section 7.4 of OpenCL 1.0 allows. Inputs are corner
cases and random numbers, half of them where the function neither overflows nor is trivial; the last column is their number.
`FLEXGRIP_ULP_STRIDE=1` tests functions of one argument with every float, `FLEXGRIP_ULP_ONLY=sin,cos` selects functions,
`FLEXGRIP_ULP_BATCHES=100` adds random inputs. A second result is named after its function, such as
`sincos_cosine`. `native_` functions are the machine's own ([arithmetic.md](arithmetic.md)); `half_` functions are the accurate
functions, except those listed here.

| function | allowed | measured | inputs |
|---|---|---|---|
";

fn source() -> String {
    let mut text = String::new();
    for function in FUNCTIONS {
        let (parameters, arguments) = match function.reference {
            Reference::One(_) => ("", "float x = a[i];"),
            Reference::Two(_) => (", global const float *b", "float x = a[i], y = b[i];"),
            Reference::Integer(_) => (", global const int *b", "float x = a[i]; int y = b[i];"),
            Reference::Three(_) => (
                ", global const float *b, global const float *c",
                "float x = a[i], y = b[i], z = c[i];",
            ),
        };
        let (kernel, statements) = (function.kernel(), function.statements());
        writeln!(
            text,
            "kernel void {kernel}(global float *out, global const float *a{parameters}) {{ uint i = get_global_id(0); \
             {arguments} {statements} out[i] = r; }}"
        )
        .expect("writing to a string cannot fail");
    }
    text
}

/// Returns the largest error of a function over its inputs.
fn measure(kernel: &Compiled, function: &Function, inputs: &mut Inputs) -> Worst {
    let mut worst = Worst::default();
    while let Some(batch) = inputs.next(function, BATCH) {
        let slices: Vec<&[u32]> = batch.iter().map(Vec::as_slice).take(function.arguments()).collect();
        let found = frontend::run(kernel, BATCH, BATCH, &slices);
        for (at, &found) in found.iter().enumerate() {
            let arguments: Vec<u32> = slices.iter().map(|slice| slice[at]).collect();
            worst.add(function, &arguments, found);
        }
    }
    worst
}

/// Functions in `FLEXGRIP_ULP_ONLY`; `None` means all.
fn only() -> Option<String> {
    std::env::var("FLEXGRIP_ULP_ONLY").ok().filter(|only| !only.is_empty())
}

fn is_chosen(only: Option<&str>, function: &Function) -> bool {
    only.is_none_or(|only| only.split(',').any(|name| name == function.name))
}

#[test]
fn errors_are_within_the_bounds() {
    let Some(clang) = frontend::clang() else { return };
    let kernels = Program::new(&clang, &source(), "").kernels();
    let only = only();
    let mut faults = Vec::new();
    let mut table = String::new();
    for function in FUNCTIONS {
        if !is_chosen(only.as_deref(), function) {
            continue;
        }
        match &kernels[&function.kernel()] {
            Err(error) => faults.push(error.clone()),
            Ok(kernel) => {
                let worst = measure(kernel, function, &mut Inputs::new());
                println!("{:12} {worst}", function.name);
                writeln!(table, "{}", worst.row(function)).expect("writing to a string cannot fail");
                faults.extend(worst.fault(function));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let _lock = PAGE_LOCK.lock().expect("the lock is not poisoned");
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let after = page.find(doubles::SECTION).or_else(|| page.find(SECOND));
    let (first, second) = page.split_at(after.unwrap_or(page.len()));
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() && only.is_none() {
        std::fs::write(PAGE, format!("{HEAD}{table}{second}")).expect("the page can be written");
        return;
    }
    // The page may be from a run with more inputs, so only its functions and the bounds are checked.
    let rows = first.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, FUNCTIONS.len(), "FLEXGRIP_UPDATE=1 writes the page again");
}

#[test]
fn doubles_are_within_the_bounds() {
    let only = only();
    let Some(table) = doubles::table(only.as_deref()) else {
        return;
    };
    let _lock = PAGE_LOCK.lock().expect("the lock is not poisoned");
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let (before, all) = page.split_at(page.find(SECOND).unwrap_or(page.len()));
    let (floats, of_doubles) = before.split_at(before.find(doubles::SECTION).unwrap_or(before.len()));
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() && only.is_none() {
        std::fs::write(PAGE, format!("{floats}{table}{all}")).expect("the page can be written");
        return;
    }
    // As for floats, the page may be from a run with more inputs.
    let rows = of_doubles.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, doubles::rows(), "FLEXGRIP_UPDATE=1 writes the page again");
}

#[test]
fn the_page_has_the_records_of_all_inputs() {
    let records = recorded::read();
    let functions: Vec<&Function> = FUNCTIONS.iter().filter(|function| function.arguments() == 1).collect();
    for (name, record) in &records {
        let function = functions.iter().find(|function| function.name == name);
        let function = function.unwrap_or_else(|| panic!("{name} is not a function of one float"));
        assert!(record.ulp <= function.bound.max(0.5), "{name}: {record:?}");
    }
    let digest = flexgrip_compiler::clang::builtins_digest();
    let wanted = recorded::section(&records, &digest, functions.len());
    let _lock = PAGE_LOCK.lock().expect("the lock is not poisoned");
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let (first, second) = page.split_at(page.find(SECOND).unwrap_or(page.len()));
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        std::fs::write(PAGE, format!("{first}{wanted}")).expect("the page can be written");
        return;
    }
    assert!(
        second == wanted,
        "docs/builtins.md differs from baselines/builtins.toml or these functions; FLEXGRIP_UPDATE=1 updates it"
    );
}

/// `make builtins-exhaustive` runs this test and sets the variable.
#[test]
fn every_input() {
    let Some(folder) = std::env::var_os("FLEXGRIP_EXHAUSTIVE") else {
        return;
    };
    let Some(clang) = frontend::clang() else { return };
    let minutes = std::env::var("FLEXGRIP_MINUTES").unwrap_or_default();
    let minutes = (!minutes.is_empty()).then(|| minutes.parse().expect("MINUTES is a number"));
    let date = std::env::var("FLEXGRIP_RECORD").expect("a date");
    let plan = Plan {
        folder: Path::new(&folder),
        part: 1 << 22,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        end: minutes.map(|minutes: u64| Instant::now() + Duration::from_secs(60 * minutes)),
        rounds: INPUTS,
    };
    let only = only();
    let all = FUNCTIONS.iter().filter(|function| function.arguments() == 1);
    let chosen: Vec<&Function> = all.filter(|function| is_chosen(only.as_deref(), function)).collect();
    assert!(!chosen.is_empty(), "ONLY does not name a function of one float");
    let mut faults = Vec::new();
    let (digest, version) = (flexgrip_compiler::clang::builtins_digest(), &clang.version().line);
    let mut records = recorded::read();
    for function in chosen {
        let same = |done: &Record| only.is_none() && done.digest == digest && done.clang == *version;
        if let Some(done) = records.get(function.name).filter(|done| same(done)) {
            println!(
                "{:12} was done on {}, {:.4} ulp at {}",
                function.name, done.date, done.ulp, done.at
            );
            continue;
        }
        let progress = go_on(&clang, function, &plan).unwrap_or_else(|error| panic!("{}: {error}", function.name));
        let (name, inputs, ulp, at) = (function.name, progress.inputs, progress.ulp, &progress.at);
        println!(
            "{name:12} {inputs:10} inputs, {ulp:.4} ulp at {at}, {:.0} s",
            progress.seconds
        );
        if ulp > function.bound.max(0.5) {
            faults.push(format!("{name}: {ulp} ulp at {at}; the limit is {}", function.bound));
        } else if inputs == INPUTS {
            let record = Record {
                ulp,
                at: at.clone(),
                date: date.clone(),
                clang: progress.clang,
                digest: progress.digest,
            };
            records.insert(name.to_string(), record);
            let text = toml::to_string(&records).expect("text");
            let text = format!("# Written by `make builtins-exhaustive`.\n{text}");
            exhaustive::write(Path::new(recorded::FILE), &text).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_stopped_run_is_continued() {
    let Some(clang) = frontend::clang() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let function = FUNCTIONS.iter().find(|function| function.name == "fabs").expect("fabs");
    let run = |rounds: u64, jobs: usize| {
        let plan = Plan {
            folder: folder.path(),
            part: 256,
            jobs,
            end: None,
            rounds,
        };
        go_on(&clang, function, &plan).unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(run(2, 2).inputs, 1024);
    let second = run(1, 1);
    assert_eq!((second.inputs, second.ulp), (1280, 0.0));
    assert_eq!(run(0, 1), second);
    // Results for another version of the functions are not used.
    let path = folder.path().join("state.toml");
    let text = std::fs::read_to_string(&path).expect("the state");
    std::fs::write(&path, text.replace(&second.digest, "another")).expect("written");
    assert_eq!(run(1, 1).inputs, 256);
}
