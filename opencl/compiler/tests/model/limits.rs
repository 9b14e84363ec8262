//! Limits of SM 1.0's instruction forms, and PTX that must not be compiled literally.

use crate::harness::{execute, run, value, words, Case, Outcome};
use crate::kernels::Random;
use flexgrip_compiler::launch::Argument;
use flexgrip_compiler::Options;
use std::fmt::Write;

const THREADS: u32 = 64;
/// Address of the results.
const RESULTS: u32 = 0x8000;

fn case(text: &str, arguments: Vec<Argument>) -> Case<'_> {
    let mut random = Random(0x1357_9bdf);
    let mut memory = vec![0u8; 2 * RESULTS as usize];
    for word in memory[..RESULTS as usize].chunks_exact_mut(4) {
        word.copy_from_slice(&random.integer().to_le_bytes());
    }
    Case {
        text,
        kernel: "k",
        options: Options::default(),
        grid: [1, 1, 1],
        block: [THREADS, 1, 1],
        arguments,
        memory,
    }
}

/// Returns a kernel with this number of one-word parameters. %r1 is the thread's index, %r2 the address of its result.
fn kernel(parameters: usize, body: &str) -> String {
    let names: Vec<String> = (0..parameters).map(|index| format!(".param .u32 p{index}")).collect();
    format!(
        ".version 3.2\n.target sm_20\n.address_size 32\n.entry k({})\n{{\n.reg .b32 %r<256>;\n.reg .b64 %rd<16>;\n\
         mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nadd.s32 %r2, %r2, {RESULTS};\n{body}\nret;\n}}",
        names.join(", ")
    )
}

fn equal(outcome: &Outcome) {
    outcome.compare("k", |found, wanted| found == wanted);
    assert!(outcome.found[RESULTS as usize..].iter().any(|&byte| byte != 0));
}

#[test]
fn halves_of_many_parameters_compile() {
    let mut body = String::from("mov.u32 %r9, %r1;\n");
    for index in 0..24 {
        let _ = writeln!(
            body,
            "ld.param.u32 %r{to}, [p{index}];\nmad.lo.s32 %r9, %r9, %r{to}, %r1;",
            to = 10 + index
        );
    }
    body += "st.global.u32 [%r2], %r9;";
    let text = kernel(24, &body);
    let arguments = (0..24).map(|index| value(0x0103_0507 * (2 * index + 1))).collect();
    equal(&run(&case(&text, arguments)));
}

#[test]
fn halves_stay_below_register_64() {
    let mut body = String::from("mov.u32 %r9, 0;\nshl.b32 %r8, %r1, 2;\n");
    for index in 0..90 {
        let _ = writeln!(body, "ld.global.u32 %r{}, [%r8+{}];", 100 + index, 256 * index);
    }
    // Multiplies the registers in pairs: the first with the last, the second with the second last.
    for index in 0..90 {
        let _ = writeln!(
            body,
            "mul.lo.s32 %r10, %r{}, %r{};\nxor.b32 %r9, %r9, %r10;\nadd.s32 %r9, %r9, {index};",
            100 + index,
            189 - index
        );
    }
    body += "st.global.u32 [%r2], %r9;";
    let text = kernel(0, &body);
    let outcome = run(&case(&text, Vec::new()));
    equal(&outcome);
    assert!(outcome.compiled.program.kernels[0].registers > 64);
}

/// Constant memory has space for 128 immediates. Comparisons always read theirs from it, other instructions only if
/// they are conditional.
#[test]
fn excess_literals_are_moved() {
    for numbers in [20, 60, 300] {
        let mut body = String::from("mov.u32 %r9, %r1;\n");
        for index in 0..numbers {
            let _ = writeln!(
                body,
                "mul.lo.s32 %r10, %r9, %r1;\nsub.s32 %r9, {}, %r10;\nsetp.gt.s32 %p1, %r9, {};\n\
                 @%p1 xor.b32 %r9, %r9, {};\nmad.lo.s32 %r9, %r9, %r1, {};\nset.lt.u32.s32 %r11, %r9, {};\n\
                 add.s32 %r9, %r9, %r11;",
                70_001 + 13 * index,
                10_007 * index,
                0x0135_7000 + 17 * index,
                0x00f0_0001 + 19 * index,
                0x0070_0003 - 9973 * index,
            );
        }
        body += "st.global.u32 [%r2], %r9;";
        let text = kernel(0, &body).replace(".reg .b64", ".reg .pred %p<2>;\n.reg .b64");
        let outcome = run(&case(&text, Vec::new()));
        equal(&outcome);
        let literals = outcome.compiled.program.constants[0].words.len();
        assert!(
            (2 * numbers as usize).min(128) <= literals && literals <= 128,
            "{literals}"
        );
    }
}

#[test]
fn products_of_constants_compile() {
    let text = kernel(
        0,
        "mov.u32 %r9, 3;\nmad.lo.s32 %r10, %r9, 4, %r1;\nmul.lo.s32 %r11, %r9, -5;\nmad.lo.s32 %r12, %r9, %r9, 7;\n\
         add.s32 %r10, %r10, %r11;\nxor.b32 %r10, %r10, %r12;\nst.global.u32 [%r2], %r10;",
    );
    equal(&run(&case(&text, Vec::new())));
}

/// LLVM writes a rotation by n as the sum of shifts by n and by 32 - n, even if n is 0, negative or above 31. The
/// reference executes the shifts as PTX defines them, so the expected results are computed separately.
#[test]
fn rotations_take_any_count() {
    for bits in [32u32, 64] {
        for left in [true, false] {
            let (first, second) = if left { ("shl", "shr") } else { ("shr", "shl") };
            let wide = if bits == 64 { "d" } else { "" };
            let (first, second) = (format!("{first}.b{bits}"), format!("{second}.b{bits}"));
            let text = kernel(
                0,
                &format!(
                    "shl.b32 %r8, %r1, 3;\nadd.s32 %r2, %r8, {RESULTS};\nld.global.u{bits} %r{wide}9, [%r8];\n\
                     add.s32 %r10, %r1, -20;\n{{\n.reg .b{bits} %lhs;\n.reg .b{bits} %rhs;\n.reg .u32 %amt2;\n\
                     {first} %lhs, %r{wide}9, %r10;\nsub.u32 %amt2, {bits}, %r10;\n\
                     {second} %rhs, %r{wide}9, %amt2;\nadd.u{bits} %r{wide}11, %lhs, %rhs;\n}}\n\
                     st.global.u{bits} [%r2], %r{wide}11;"
                ),
            );
            let case = case(&text, Vec::new());
            let (_, found, _, _) = execute(&case).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let (input, found) = (words(&case.memory), words(&found[RESULTS as usize..]));
            for thread in 0..THREADS as usize {
                let count = (thread as u32).wrapping_sub(20);
                let count = if left { count } else { count.wrapping_neg() };
                let long = u64::from(input[2 * thread]) | u64::from(input[2 * thread + 1]) << 32;
                let wanted = match bits {
                    32 => u64::from((long as u32).rotate_left(count % 32)),
                    _ => long.rotate_left(count % 64),
                };
                let high = if bits == 64 { found[2 * thread + 1] } else { 0 };
                let got = u64::from(found[2 * thread]) | u64::from(high) << 32;
                assert_eq!(got, wanted, "{long:#x} by {count} of {bits}");
            }
        }
    }
}
