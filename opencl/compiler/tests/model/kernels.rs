//! Kernels in OpenCL C, compiled and run on the golden model, against an interpreter of PTX.
//!
//! clang 19 generated `tests/kernels/*.ptx` from the `.cl` files next to them, with the command in `make.sh`.

use crate::harness::{run, value, Case};
use flexgrip_compiler::Options;

const INTEGER: &str = include_str!("../kernels/integer.ptx");
const FLOW: &str = include_str!("../kernels/flow.ptx");
const FLOAT: &str = include_str!("../kernels/float.ptx");

/// Addresses of inputs and results: a, b, out.
const PLACES: [u32; 3] = [0, 0x4000, 0x8000];
const BYTES: usize = 0x10000;

/// The comparison of a result.
#[derive(Clone, Copy, PartialEq)]
enum Compare {
    Bits,
    /// Floats, within this many units in the last place.
    Ulp(u32),
}

/// A generator of test data (xorshift).
pub struct Random(pub u32);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// Returns a number of any size, or a special value.
    pub fn integer(&mut self) -> u32 {
        let number = self.next();
        match self.next() % 8 {
            0 => [0, 1, 2, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0xffff, 0x10000][number as usize % 8],
            kind => number >> (4 * (kind - 1)),
        }
    }

    /// Returns a float that is neither very small nor very large.
    pub fn float(&mut self) -> u32 {
        let number = self.next();
        (number & 0x807f_ffff) | (117 + self.next() % 20) << 23
    }
}

/// Runs a kernel on the model and on the reference. Returns the number of executed warp instructions.
fn check(
    text: &str,
    name: &str,
    grid: [u32; 2],
    block: [u32; 3],
    n: u32,
    input: fn(&mut Random) -> u32,
    how: Compare,
) -> u64 {
    let mut random = Random(0x9e37_79b9);
    let mut memory = vec![0u8; BYTES];
    for word in memory[..PLACES[2] as usize].chunks_exact_mut(4) {
        word.copy_from_slice(&input(&mut random).to_le_bytes());
    }
    let outcome = run(&Case {
        text,
        kernel: name,
        options: Options::default(),
        grid: [grid[0], grid[1], 1],
        block,
        arguments: [PLACES[0], PLACES[1], PLACES[2], n].map(value).to_vec(),
        memory,
    });
    outcome.compare(name, |found, wanted| match how {
        Compare::Bits => found == wanted,
        Compare::Ulp(most) => found.abs_diff(wanted) <= most,
    });
    println!(
        "{name}: {} instructions, {} registers, {} warp instructions",
        outcome.compiled.places.len(),
        outcome.compiled.program.kernels[0].registers,
        outcome.warp_instructions
    );
    outcome.warp_instructions
}

fn integers(name: &str) {
    assert!(check(INTEGER, name, [4, 1], [64, 1, 1], 200, Random::integer, Compare::Bits) > 0);
}

fn flows(name: &str) {
    assert!(check(FLOW, name, [2, 1], [64, 1, 1], 20, Random::integer, Compare::Bits) > 0);
}

fn floats(name: &str, how: Compare) {
    assert!(check(FLOAT, name, [4, 1], [64, 1, 1], 0, Random::float, how) > 0);
}

macro_rules! kernels {
    ($($run:ident: $($name:ident)*;)*) => {
        $($(
            #[test]
            fn $name() {
                $run(stringify!($name));
            }
        )*)*
    };
}

kernels! {
    integers: add multiply divide divide_signed shifts choose narrow packed longs;
    flows: collatz unstructured nested early scan;
}

#[test]
fn float_arithmetic_matches_the_interpreter() {
    floats("arithmetic", Compare::Bits);
    floats("conversions", Compare::Bits);
    floats("vectors", Compare::Bits);
}

/// OpenCL permits errors of 2.5 units for a quotient and 3 for a root.
#[test]
fn float_quotients_and_roots_are_accurate() {
    floats("quotients", Compare::Ulp(2));
    floats("roots", Compare::Ulp(3));
}

#[test]
fn matrix_product_matches_the_interpreter() {
    assert!(check(FLOW, "matrix", [2, 2], [8, 8, 1], 16, Random::float, Compare::Bits) > 0);
}
