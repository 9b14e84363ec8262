//! Kernels with few registers, which must spill to local memory.

use crate::harness::{cases, run, value, Case};
use crate::kernels::Random;
use flexgrip_compiler::Options;
use proptest::prelude::*;
use std::fmt::Write;

/// An operation on registers from `%r10`, given by their numbers, or a forward jump.
#[derive(Debug, Clone)]
enum GeneratedOperation {
    Binary(&'static str, usize, usize, usize),
    Wide(usize, usize, usize),
    Vector(usize, usize),
    Skip(usize, usize),
    Again(usize, usize),
}

const REGISTERS: usize = 24;

fn kernel(steps: &[GeneratedOperation]) -> String {
    let mut text = String::from(
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 in, .param .u32 out) {\n\
         .reg .pred %p<4>;\n.reg .b32 %r<40>;\n.reg .b32 %v<8>;\n.reg .b32 %c<40>;\n.reg .b64 %rd<4>;\n\
         ld.param.u32 %r1, [in];\nld.param.u32 %r2, [out];\nmov.u32 %r3, %tid.x;\nshl.b32 %r4, %r3, 7;\n\
         add.s32 %r1, %r1, %r4;\nadd.s32 %r2, %r2, %r4;\n",
    );
    for register in 0..REGISTERS {
        let _ = writeln!(text, "ld.global.u32 %r{}, [%r1+{}];", 10 + register, 4 * register);
    }
    let counters = steps
        .iter()
        .filter(|step| matches!(step, GeneratedOperation::Again(..)))
        .count();
    for counter in 0..counters {
        let _ = writeln!(text, "mov.u32 %c{counter}, 0;");
    }
    let mut ends: Vec<Vec<usize>> = vec![Vec::new(); steps.len() + 1];
    let mut counter = 0;
    for (at, step) in steps.iter().enumerate() {
        let _ = writeln!(text, "S{at}:");
        for label in &ends[at] {
            let _ = writeln!(text, "E{label}:");
        }
        let _ = match *step {
            GeneratedOperation::Binary(name, to, a, b) => {
                writeln!(text, "{name} %r{}, %r{}, %r{};", 10 + to, 10 + a, 10 + b)
            }
            GeneratedOperation::Wide(to, a, b) => writeln!(
                text,
                "mul.wide.u32 %rd1, %r{a}, %r{b};\nadd.s64 %rd2, %rd1, %rd1;\nmov.b64 {{%r{to}, %r{b}}}, %rd2;",
                to = 10 + to,
                a = 10 + a,
                b = 10 + b
            ),
            GeneratedOperation::Vector(first, to) => writeln!(
                text,
                "ld.global.v4.u32 {{%v0, %v1, %v2, %v3}}, [%r1+{}];\nadd.s32 %r{to}, %r{to}, %v3;\n\
                 xor.b32 %r{next}, %v0, %r{to};\nst.global.v2.u32 [%r2+112], {{%r{next}, %v1}};",
                16 * (first % 6),
                to = 10 + to,
                next = 10 + (to + 1) % REGISTERS
            ),
            GeneratedOperation::Skip(a, count) => {
                let end = (at + 1 + count).min(steps.len());
                ends[end].push(at);
                writeln!(text, "setp.lt.s32 %p1, %r{}, 0;\n@%p1 bra E{at};", 10 + a)
            }
            GeneratedOperation::Again(a, count) => {
                counter += 1;
                writeln!(
                    text,
                    "add.s32 %c{0}, %c{0}, 1;\nsetp.lt.u32 %p1, %c{0}, 4;\nsetp.gt.s32 %p2, %r{1}, 0;\n\
                     and.pred %p3, %p1, %p2;\n@%p3 bra S{2};",
                    counter - 1,
                    10 + a,
                    at.saturating_sub(count)
                )
            }
        };
    }
    for label in &ends[steps.len()] {
        let _ = writeln!(text, "E{label}:");
    }
    for register in 0..REGISTERS {
        let _ = writeln!(text, "st.global.u32 [%r2+{}], %r{};", 4 * register, 10 + register);
    }
    text + "ret;\n}\n"
}

fn check(steps: &[GeneratedOperation], registers: u32) -> Result<(), TestCaseError> {
    let text = kernel(steps);
    let mut random = Random(0xabcd_ef01);
    let mut memory = vec![0u8; 0x2000];
    for word in memory[..0x1000].chunks_exact_mut(4) {
        word.copy_from_slice(&random.integer().to_le_bytes());
    }
    let outcome = run(&Case {
        text: &text,
        kernel: "k",
        options: Options {
            registers: Some(registers),
            ..Options::default()
        },
        grid: [1; 3],
        block: [32, 1, 1],
        arguments: vec![value(0), value(0x1000)],
        memory,
    });
    prop_assert!(outcome.compiled.program.kernels[0].registers <= registers);
    prop_assert!(registers > 20 || outcome.compiled.local_bytes > 0);
    prop_assert_eq!(&outcome.found, &outcome.wanted, "{}\n{}", text, outcome.listing());
    Ok(())
}

fn step() -> impl Strategy<Value = GeneratedOperation> {
    let register = || 0..REGISTERS;
    let names = prop::sample::select(vec![
        "add.s32",
        "sub.s32",
        "xor.b32",
        "mul.lo.s32",
        "min.s32",
        "shr.u32",
    ]);
    prop_oneof![
        8 => (names, register(), register(), register()).prop_map(|(name, to, a, b)| GeneratedOperation::Binary(name, to, a, b)),
        1 => (register(), register(), register()).prop_map(|(to, a, b)| GeneratedOperation::Wide(to, a, b)),
        1 => (register(), register()).prop_map(|(first, to)| GeneratedOperation::Vector(first, to)),
        2 => (register(), 0usize..6).prop_map(|(a, count)| GeneratedOperation::Skip(a, count)),
        1 => (register(), 0usize..8).prop_map(|(a, count)| GeneratedOperation::Again(a, count)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn few_registers_compute_the_same(steps in prop::collection::vec(step(), 1..40), registers in 8u32..21) {
        check(&steps, registers)?;
    }
}

/// Tests copies between words in memory and words of vector accesses, with eight registers.
#[test]
fn vectors_fit_in_eight_registers() {
    let add = |to, a, b| GeneratedOperation::Binary("add.s32", to, a, b);
    let steps = [
        add(0, 20, 0),
        GeneratedOperation::Vector(0, 0),
        GeneratedOperation::Again(0, 2),
        GeneratedOperation::Vector(0, 6),
        add(0, 0, 0),
        GeneratedOperation::Vector(0, 5),
        GeneratedOperation::Vector(0, 19),
        GeneratedOperation::Vector(0, 5),
        GeneratedOperation::Vector(0, 19),
        add(2, 0, 0),
    ];
    check(&steps, 8).unwrap();
}

/// Only R0 to R63 have halves: words that 16-bit products read must be in them, however many other words are live.
#[test]
fn halves_lie_in_the_lower_registers() {
    let mut text = String::from(
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 in, .param .u32 out) {\n\
         .reg .b32 %r<200>;\nld.param.u32 %r1, [in];\nld.param.u32 %r2, [out];\nmov.u32 %r3, %tid.x;\n\
         shl.b32 %r4, %r3, 9;\nadd.s32 %r1, %r1, %r4;\nadd.s32 %r2, %r2, %r4;\n",
    );
    for index in 0..100 {
        let _ = writeln!(text, "ld.global.u32 %r{}, [%r1+{}];", 10 + index, 4 * index);
    }
    for index in 0..100 {
        let _ = writeln!(
            text,
            "mad.lo.s32 %r5, %r{}, %r{}, %r5;\nst.global.u32 [%r2+{}], %r5;",
            10 + index,
            10 + (index * 37 + 11) % 100,
            4 * index
        );
    }
    text += "ret;\n}\n";
    let mut random = Random(77);
    let memory = (0..0x8000).map(|_| random.next() as u8).collect();
    let outcome = run(&Case {
        text: &text,
        kernel: "k",
        options: Options::default(),
        grid: [1; 3],
        block: [32, 1, 1],
        arguments: vec![value(0), value(0x4000)],
        memory,
    });
    outcome.compare("halves", |found, wanted| found == wanted);
    assert!(outcome.compiled.program.kernels[0].registers > 64);
}
