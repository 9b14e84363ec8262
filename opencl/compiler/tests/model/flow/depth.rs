//! Divergent regions nested deeper than the machine's stack: they run right, or are an error with a place.

use crate::harness::{execute, find, run, Case};
use flexgrip_compiler::{compile, ptx, Options};
use std::fmt::Write;

const LEVELS: usize = 40;

/// A kernel in which each thread has its index in %r2 and a state in %r4, which it stores at the end.
fn kernel(body: &str) -> String {
    format!(
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 out) {{\n\
         .reg .pred %p<3>;\n.reg .b32 %r<10>;\n\
         ld.param.u32 %r1, [out];\nmov.u32 %r2, %tid.x;\nshl.b32 %r3, %r2, 2;\nadd.s32 %r1, %r1, %r3;\n\
         mad.lo.s32 %r4, %r2, 40503, 77777;\nmov.u32 %r5, 90;\n{body}st.global.u32 [%r1], %r4;\nret;\n}}\n"
    )
}

fn step(number: usize) -> String {
    format!("mul.lo.s32 %r4, %r4, 5;\nadd.s32 %r4, %r4, {number};\nst.global.u32 [%r1], %r4;\n")
}

/// Ifs in each other, in each of which one thread more stays behind; with something else for that thread, or not, and with
/// something behind each.
fn nest(levels: usize, otherwise: bool, behind: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    for level in 0..levels {
        let _ = write!(
            text,
            "setp.le.u32 %p1, %r2, {level};\n@%p1 bra E{level};\n{}",
            step(level)
        );
    }
    for level in (0..levels).rev() {
        let other = if otherwise { step(100 + level) } else { String::new() };
        let _ = write!(
            text,
            "bra.uni J{level};\nE{level}:\n{other}J{level}:\n{}",
            behind(level)
        );
    }
    text
}

/// Runs it, and compares with each thread by itself.
fn check(body: &str) -> u64 {
    let text = kernel(body);
    let case = Case::of_warp(&text);
    execute(&case).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let outcome = run(&case);
    assert_eq!(outcome.found, outcome.wanted, "{text}\n{}", outcome.listing());
    outcome.warp_instructions
}

#[test]
fn forty_ifs_in_each_other() {
    for otherwise in [false, true] {
        check(&nest(LEVELS, otherwise, &|level| step(200 + level)));
        check(&nest(LEVELS, otherwise, &|_| String::new()));
    }
}

/// Both sides go on nesting, so that no order of them helps for ever.
#[test]
fn a_tree_of_ifs_under_a_deep_nest() {
    fn tree(text: &mut String, depth: usize, number: &mut usize) {
        *number += 1;
        let at = *number;
        let _ = write!(
            text,
            "shr.u32 %r6, %r4, {};\nand.b32 %r6, %r6, 1;\nsetp.eq.s32 %p1, %r6, 0;\n@%p1 bra T{at};\n",
            3 + depth
        );
        for side in 0..2 {
            text.push_str(&step(at + side));
            if depth > 0 {
                tree(text, depth - 1, number);
            }
            let label = if side == 0 {
                format!("bra.uni U{at};\nT{at}:\n")
            } else {
                format!("U{at}:\n")
            };
            text.push_str(&label);
        }
        text.push_str(&step(at + 7));
    }
    let mut text = String::new();
    for level in 0..22 {
        let _ = write!(
            text,
            "setp.lt.u32 %p1, %r2, {level};\n@%p1 bra E{level};\n{}",
            step(level)
        );
    }
    tree(&mut text, 4, &mut 0);
    for level in (0..22).rev() {
        let _ = write!(text, "E{level}:\n{}", step(300 + level));
    }
    check(&text);
}

#[test]
fn a_switch_of_64_cases() {
    let asks = |text: &mut String, case: usize| {
        let _ = write!(text, "setp.eq.s32 %p1, %r7, {case};\n@%p1 bra C{case};\n");
    };
    let mut chain = String::from("mul.lo.s32 %r7, %r2, 2;\n");
    (0..64).for_each(|case| asks(&mut chain, case));
    chain.push_str("bra.uni DONE;\n");
    for case in 0..64 {
        let _ = write!(chain, "C{case}:\n{}bra.uni DONE;\n", step(case));
    }
    chain.push_str("DONE:\n");
    check(&chain);
    // As clang does, by halves.
    fn halves(text: &mut String, from: usize, to: usize) {
        if from + 1 == to {
            let _ = writeln!(text, "{}bra.uni DONE;", step(from));
            return;
        }
        let middle = (from + to) / 2;
        let _ = write!(text, "setp.ge.s32 %p1, %r7, {middle};\n@%p1 bra M{middle};\n");
        halves(text, from, middle);
        let _ = writeln!(text, "M{middle}:");
        halves(text, middle, to);
    }
    let mut tree = String::from("mul.lo.s32 %r7, %r2, 2;\n");
    halves(&mut tree, 0, 64);
    tree.push_str("DONE:\n");
    check(&tree);
    // Each case goes on in the next one, as without break.
    let mut through = String::from("mul.lo.s32 %r7, %r2, 2;\n");
    (0..64).for_each(|case| asks(&mut through, case));
    for case in 0..64 {
        let _ = write!(through, "C{case}:\n{}", step(case));
    }
    check(&through);
}

/// A ring that is entered in two places and left in two, for many rounds, below many open regions.
#[test]
fn a_loop_with_two_entries_below_other_regions() {
    let ring = format!(
        "and.b32 %r6, %r2, 1;\nsetp.eq.s32 %p1, %r6, 0;\n@%p1 bra B;\nA:\n{}\
         add.s32 %r5, %r5, -1;\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra OUT;\n\
         shr.u32 %r6, %r4, 3;\nand.b32 %r6, %r6, 1;\nsetp.eq.s32 %p1, %r6, 0;\n@%p1 bra A;\n\
         B:\n{}add.s32 %r5, %r5, -1;\nsetp.le.s32 %p1, %r5, 1;\n@%p1 bra OUT;\n\
         shr.u32 %r6, %r4, 4;\nand.b32 %r6, %r6, 1;\nsetp.eq.s32 %p1, %r6, 0;\n@%p1 bra B;\nbra.uni A;\nOUT:\n{}",
        step(1),
        step(2),
        step(3)
    );
    for levels in [0, 1, 3, 12, 28] {
        let mut text = String::new();
        for level in 0..levels {
            let _ = write!(
                text,
                "setp.lt.u32 %p1, %r2, {level};\n@%p1 bra E{level};\n{}",
                step(level)
            );
        }
        text.push_str(&ring);
        for level in (0..levels).rev() {
            let _ = write!(text, "E{level}:\n{}", step(300 + level));
        }
        check(&text);
    }
}

/// Threads must meet before a barrier: regions around one cannot be given up.
#[test]
fn too_deep_around_barriers_is_an_error_with_its_place() {
    let text = kernel(&nest(LEVELS, true, &|level| format!("{}bar.sync 0;\n", step(level))));
    let module = ptx::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let error = compile(&module, find(&module, "k"), &Options::default()).expect_err("too deep");
    assert!(error.message.contains("nested too deeply around a barrier"), "{error}");
    assert!(error.place.span.line > 10, "{error}");
    // 31 are not too deep. (Threads that wait at different barriers are the kernel's fault: it is not run.)
    let text = kernel(&nest(31, true, &|level| format!("{}bar.sync 0;\n", step(level))));
    let module = ptx::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    compile(&module, find(&module, "k"), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
}
