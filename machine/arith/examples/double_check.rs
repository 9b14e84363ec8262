//! Compares double-precision arithmetic with the exact reference of its tests, on a given number of random inputs, on
//! all processors. Each input only depends on its number, so a longer run includes the inputs of a shorter run.
//!
//! `cargo run --release -p flexgrip-arith --example double_check -- 1000000000`

#[path = "../tests/double/comparison.rs"]
mod comparison;
#[path = "../tests/double/operands.rs"]
mod operands;
#[path = "../tests/double/reference.rs"]
mod reference;

use operands::Random;
use std::io::{stderr, IsTerminal};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The number of inputs that share a seed.
const BLOCK: u64 = 1 << 16;

/// Checks one random input: three numbers for the arithmetic; a double, a float32 and an integer for the conversions.
type Check = fn(&mut Random) -> Result<(), String>;

const CHECKS: [(&str, Check); 2] = [
    ("arithmetic", comparison::arithmetic),
    ("conversions", comparison::conversions),
];

fn main() -> ExitCode {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "10000000".into());
    let Ok(inputs) = argument.parse::<u64>() else {
        eprintln!("`{argument}`: expected the number of inputs, as in `double_check 1000000000`");
        return ExitCode::from(2);
    };
    let blocks = inputs.div_ceil(BLOCK);
    for (kind, (name, check)) in CHECKS.into_iter().enumerate() {
        let start = Instant::now();
        if let Err(difference) = run(kind as u64, blocks, check) {
            eprintln!("{name}: {difference}");
            return ExitCode::FAILURE;
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {} inputs, no difference, {seconds:.0} s", blocks * BLOCK);
    }
    ExitCode::SUCCESS
}

/// Checks the blocks in all threads; fails with the first difference found by any thread.
fn run(kind: u64, blocks: u64, check: Check) -> Result<(), String> {
    let next = AtomicU64::new(0);
    let work = || loop {
        let block = next.fetch_add(1, Ordering::Relaxed);
        if block >= blocks {
            return Ok(());
        }
        if block % 256 == 0 && stderr().is_terminal() {
            eprint!("\r{:3} %\r", block * 100 / blocks);
        }
        let mut random = Random(block << 8 | kind);
        for number in 0..BLOCK {
            if let Err(difference) = check(&mut random) {
                // Stops the other threads.
                next.store(blocks, Ordering::Relaxed);
                return Err(format!("input {}: {difference}", block * BLOCK + number));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap())
    })
}
