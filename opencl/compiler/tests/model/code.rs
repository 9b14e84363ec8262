//! Generated code against handwritten code: ten of the project's kernels in OpenCL C, with the same launches. They must
//! have the same results, and execute about as many warp instructions.

use crate::harness::find;
use flexgrip_compiler::launch::{Argument, IndexSpace};
use flexgrip_compiler::ptx::parse;
use flexgrip_compiler::{compile, Options};
use flexgrip_isa::assemble;
use flexgrip_kernels::{Kernel, KERNELS};
use flexgrip_machine::{Configuration, ImageSpace, Launch, MemoryImage};
use flexgrip_model::Machine;
use std::path::Path;

const CODE: &str = include_str!("../kernels/code.ptx");
const LIMIT: u64 = 10_000_000;

const NAMES: [&str; 10] = [
    "vectoradd",
    "saxpy",
    "sgemm_naive",
    "sgemm_tiled",
    "transpose",
    "reduction",
    "mandelbrot",
    "n_body",
    "black_scholes",
    "histogram",
];
/// Limits for instructions and registers relative to the handwritten kernel: for each kernel, and on average.
const EACH: f64 = 1.25;
const MEAN: f64 = 1.1;

fn constants(bank: u32, address: u32, words: &[u32]) -> MemoryImage {
    MemoryImage {
        space: ImageSpace::Constant { bank },
        address,
        words: words.to_vec(),
    }
}

/// Runs a launch with the kernel's memory. Returns global memory, and the number of executed warp instructions.
fn run(kernel: &Kernel, mut launch: Launch, listing: &str) -> (Vec<u32>, u64) {
    launch.memory.push(MemoryImage {
        space: ImageSpace::Global,
        address: 0,
        words: kernel.memory.clone(),
    });
    let mut machine =
        Machine::new(launch, Configuration::default()).unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
    let outcome = machine
        .run(LIMIT)
        .unwrap_or_else(|error| panic!("{}: {error}\n{listing}", kernel.name));
    let words = (0..kernel.memory.len() as u32)
        .map(|word| machine.global().read(4 * word, 4).expect("a word") as u32)
        .collect();
    (words, outcome.warp_instructions)
}

/// Returns the warp instructions and registers of the handwritten kernel.
fn by_hand(kernel: &Kernel) -> (u64, u32) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../kernels")
        .join(kernel.name)
        .join("kernel.sass");
    let source = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let program =
        assemble(&source, &path.display().to_string()).unwrap_or_else(|error| panic!("{}: {error:?}", kernel.name));
    let mut memory = vec![constants(1, 0, &kernel.constants)];
    memory.extend(
        program
            .constants
            .iter()
            .map(|block| constants(block.bank, block.offset, &block.words)),
    );
    let launch = Launch {
        program: program.words.clone(),
        entry: program.kernels[0].entry,
        registers: kernel.registers,
        shared_bytes: kernel.shared_bytes(),
        grid: kernel.grid,
        block: kernel.block,
        params: kernel.params.clone(),
        memory,
        ..Launch::default()
    };
    (run(kernel, launch, "").1, kernel.registers)
}

/// Returns the warp instructions and registers of the compiled kernel, with its listing, and checks its results.
fn compiled(kernel: &Kernel) -> (u64, u32, String) {
    let module = parse(CODE).unwrap_or_else(|error| panic!("{error}"));
    let options = Options {
        contract: true,
        ..Options::default()
    };
    let compiled = compile(&module, find(&module, kernel.name), &options)
        .unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
    let arguments: Vec<Argument> = kernel
        .params
        .iter()
        .map(|word| Argument::Value(word.to_le_bytes().to_vec()))
        .collect();
    let grid = [kernel.grid[0], kernel.grid[1], 1];
    let space = IndexSpace {
        dimensions: 3,
        offset: [0; 3],
        global: std::array::from_fn(|dimension| grid[dimension] * kernel.block[dimension]),
        local: kernel.block,
    };
    let mut launches = compiled
        .launches(&arguments, &space, 0)
        .unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
    let listing = flexgrip_isa::listing(&compiled.program.words, flexgrip_isa::Style::default());
    let launch = launches.next().expect("a launch");
    let (found, executed) = run(kernel, launch, &listing);
    let tolerance = kernel.tolerance.map_or(0.0, |tolerance| tolerance.absolute);
    for (&at, &wanted) in &kernel.expected {
        let found = found[at as usize / 4];
        let distance = f64::from(f32::from_bits(found)) - f64::from(f32::from_bits(wanted));
        assert!(
            found == wanted || distance.abs() <= tolerance,
            "{}: {found:#x} at {at:#x}; expected {wanted:#x}\n{listing}",
            kernel.name
        );
    }
    (executed, compiled.program.kernels[0].registers, listing)
}

#[test]
fn code_is_as_short_as_by_hand() {
    let mut faults = Vec::new();
    let mut product = 1.0;
    for name in NAMES {
        let kernel = KERNELS
            .iter()
            .map(|kernel| kernel())
            .find(|kernel| kernel.name == name)
            .expect("a kernel");
        let (wanted, registers) = by_hand(&kernel);
        let (executed, compiled_registers, listing) = compiled(&kernel);
        let ratio = executed as f64 / wanted as f64;
        product *= ratio;
        println!("{name}: {executed} to {wanted} warp instructions ({ratio:.2}), {compiled_registers} to {registers} registers");
        if std::env::var("FLEXGRIP_LISTING").is_ok_and(|wanted| wanted == name) {
            println!("{listing}");
        }
        if ratio > EACH || f64::from(compiled_registers) > EACH * f64::from(registers) {
            faults.push(name);
        }
    }
    let mean = f64::powf(product, 1.0 / NAMES.len() as f64);
    println!("mean {mean:.3}");
    assert!(faults.is_empty(), "too many instructions or registers: {faults:?}");
    assert!(mean <= MEAN, "{mean:.3} times as many instructions on average");
}
