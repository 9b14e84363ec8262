//! Measures the speed of the float functions, on arbitrary bits and on numbers near 1, which are typical of programs.
//! `cargo run --release -p flexgrip-arith --example float_speed`

use flexgrip_arith::float::{fadd, fmad, fmul, Rounding};
use flexgrip_arith::special::{ex2, lg2, rcp, rsq, sin};
use std::time::Instant;

/// One function of three operands.
fn measure(name: &str, operands: &[[u32; 3]], operation: impl Fn(u32, u32, u32) -> u32) {
    const ROUNDS: u32 = 2000;
    let start = Instant::now();
    let mut all = 0u32;
    for round in 0..ROUNDS {
        for &[a, b, c] in operands {
            // The operand depends on the round, so the compiler cannot reuse another round's result.
            all = all.wrapping_add(operation(a ^ round & 0xff, b, c));
        }
    }
    let rate = f64::from(ROUNDS) * operands.len() as f64 / start.elapsed().as_secs_f64() / 1e6;
    println!("{name:5} {rate:6.0} million a second   (sum {all:08x})");
}

fn main() {
    let mut state = 0x9e37_79b9u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let any: Vec<[u32; 3]> = (0..10_000).map(|_| [next(), next(), next()]).collect();
    // Signs, fractions and exponents 2^-8 to 2^7.
    let near_one = |bits: u32| bits & 0x87ff_ffff | 0x3800_0000;
    let usual: Vec<[u32; 3]> = any.iter().map(|bits| bits.map(near_one)).collect();
    for (title, operands) in [("any bits", &any), ("numbers near 1", &usual)] {
        println!("{title}");
        measure("FADD", operands, |a, b, _| fadd(Rounding::Nearest, false, a, b).value);
        measure("FMUL", operands, |a, b, _| fmul(Rounding::Nearest, a, b).value);
        measure("FMAD", operands, |a, b, c| fmad(false, a, b, c).value);
        measure("RCP", operands, |a, _, _| rcp(a));
        measure("RSQ", operands, |a, _, _| rsq(a));
        measure("LG2", operands, |a, _, _| lg2(a));
        measure("SIN", operands, |a, _, _| sin(a));
        measure("EX2", operands, |a, _, _| ex2(false, a));
    }
}
