//! OpenCL's math functions on the golden model, against double precision: section 7.4 of OpenCL 1.0 says how many units in
//! the last place each may be off.
//!
//! ```sh
//! cargo test -p flexgrip-compiler --test accuracy -- --nocapture                       # samples
//! FLEXGRIP_ULP_STRIDE=1 cargo test --release -p flexgrip-compiler --test accuracy ...   # all numbers, a function at a time
//! FLEXGRIP_UPDATE_BASELINES=1 ...                                                      # writes docs/builtins.md
//! ```

mod frontend;
#[path = "accuracy/functions.rs"]
mod functions;
#[path = "accuracy/measure.rs"]
mod measure;

use flexgrip_compiler::Compiled;
use frontend::Program;
use functions::{Function, Reference, FUNCTIONS};
use measure::{Inputs, Worst};
use std::fmt::Write;

/// Work-items of a launch.
const BATCH: usize = 1 << 13;

/// The measured table.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/builtins.md");

const HEAD: &str = "\
# Errors of OpenCL's math functions

Written by `FLEXGRIP_UPDATE_BASELINES=1 cargo test -p flexgrip-compiler --test accuracy`: the largest error found on the golden
model, in units in the last place of the exact result, beside what section 7.4 of OpenCL 1.0 allows. Inputs are numbers with edges
among them, half of them where the function neither overflows nor is trivial; their number is the last column.
`FLEXGRIP_ULP_STRIDE=1` takes every number for the functions of one, `FLEXGRIP_ULP_ONLY=sin,cos` some functions,
`FLEXGRIP_ULP_BATCHES=100` more random inputs. `native_` functions are the machine's own
([arithmetic.md](arithmetic.md)); `half_` functions are the accurate ones, or roots and reciprocals.

| function | allowed | measured | inputs |
|---|---|---|---|
";

fn source() -> String {
    let mut text = String::new();
    for function in FUNCTIONS {
        let name = function.name;
        let (parameters, call) = match function.reference {
            Reference::One(_) => ("", "a[i]".to_string()),
            Reference::Two(_) => (", global const float *b", "a[i], b[i]".to_string()),
            Reference::Integer(_) => (", global const int *b", "a[i], b[i]".to_string()),
            Reference::Three(_) => (
                ", global const float *b, global const float *c",
                "a[i], b[i], c[i]".to_string(),
            ),
        };
        let call = if function.divides() {
            "a[i] / b[i]".to_string()
        } else {
            format!("{name}({call})")
        };
        writeln!(
            text,
            "kernel void test_{name}(global float *out, global const float *a{parameters}) {{ uint i = get_global_id(0); \
             out[i] = {call}; }}"
        )
        .expect("a string takes all");
    }
    text
}

/// The worst case of a function over inputs.
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

#[test]
fn within_the_bounds() {
    let Some(clang) = frontend::clang() else { return };
    let kernels = Program::new(&clang, &source(), "").kernels();
    let only = std::env::var("FLEXGRIP_ULP_ONLY").ok();
    let mut faults = Vec::new();
    let mut table = String::new();
    for function in FUNCTIONS {
        if only
            .as_ref()
            .is_some_and(|only| !only.split(',').any(|name| name == function.name))
        {
            continue;
        }
        match &kernels[&format!("test_{}", function.name)] {
            Err(error) => faults.push(error.clone()),
            Ok(kernel) => {
                let worst = measure(kernel, function, &mut Inputs::new());
                println!("{:12} {worst}", function.name);
                writeln!(table, "{}", worst.row(function)).expect("a string takes all");
                faults.extend(worst.fault(function));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    if std::env::var_os("FLEXGRIP_UPDATE_BASELINES").is_some() && only.is_none() {
        std::fs::write(PAGE, format!("{HEAD}{table}")).expect("the page can be written");
    }
    // The page is of some run with at least as many inputs: it must have these functions and keep the bounds, too.
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(
        rows,
        FUNCTIONS.len(),
        "FLEXGRIP_UPDATE_BASELINES=1 writes the page again"
    );
}
