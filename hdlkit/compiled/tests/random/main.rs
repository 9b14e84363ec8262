//! Random expressions of any depth and random widths, in mutable and immutable locals: rustc's results against machine
//! code, Icarus Verilog and Verilator.
//!
//! The kernels are in `kernels.rs`, because rustc must compile them; `generate.rs` writes it.

mod generate;
#[rustfmt::skip]
#[allow(clippy::all, unused, unused_parens)]
mod kernels;

use hdlkit::lint::{lint_with, LintOptions};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::{cosim_in, Simulator};
use kernels::Top;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

#[test]
fn the_kernels_are_those_of_the_generator() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/random/kernels.rs");
    let text = generate::file();
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == text, "kernels.rs is stale");
}

fn stimulus(top: &mut Top, random: &mut ChaCha8Rng, _cycle: u64) {
    macro_rules! set {
        ($($input:ident),*) => {$(
            top.$input.next = Bits::new(match random.gen_range(0..4) {
                0 => random.gen_range(0..4),
                1 => u64::MAX - random.gen_range(0..4),
                _ => random.gen(),
            });
        )*};
    }
    set!(i1, i2, i3, i5, i8, i13, i16, i31, i32, i33, i48, i63, i64);
    top.p.next = random.gen();
    top.q.next = random.gen();
}

fn simulated(simulator: Simulator) {
    let report = cosim_in(simulator, || Box::new(Top::blank()), 500, 1, stimulus).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs, generate::BLOCKS * 6);
    assert!(report.outputs_that_changed * 10 > report.outputs * 8, "{report:?}");
}

#[test]
fn random_expressions_equal_icarus_verilog() {
    simulated(Simulator::Iverilog);
}

#[test]
fn random_expressions_equal_verilator() {
    simulated(Simulator::Verilator);
}

#[test]
fn random_expressions_pass_the_lint() {
    // The top block connects everything.
    let options = LintOptions {
        max_assignments: 1000,
        ..LintOptions::default()
    };
    assert_eq!(lint_with(&Top::blank(), &options), []);
}
