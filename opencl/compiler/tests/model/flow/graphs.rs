//! Random graphs of blocks, reducible or not, with random divergent branches. The threads' results on the golden model
//! must equal separate runs of each thread. Each thread counts its blocks, so a block that is executed twice or not at
//! all changes the result.

use crate::harness::{cases, execute, run, Case};
use proptest::prelude::*;
use std::fmt::Write;

/// The end of a block.
#[derive(Debug, Clone)]
enum End {
    /// A branch with two targets and the bit of the state that decides. If true, the branch is uniform.
    Branch(usize, usize, u32, bool),
    Jump(usize),
    Return,
}

/// Returns the kernel. Each block changes a thread's state, until a block returns or the thread has executed enough
/// blocks.
fn kernel(blocks: &[End], fuel: u32) -> String {
    let mut text = format!(
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 out) {{\n\
         .reg .pred %p<3>;\n.reg .b32 %r<10>;\n\
         ld.param.u32 %r1, [out];\nmov.u32 %r2, %tid.x;\nshl.b32 %r3, %r2, 2;\nadd.s32 %r1, %r1, %r3;\n\
         mad.lo.s32 %r4, %r2, 40503, 77777;\nmov.u32 %r5, {fuel};\nmov.u32 %r8, 12345;\n",
    );
    for (index, end) in blocks.iter().enumerate() {
        // Adds the block's number to the state, and counts the executed block.
        let _ = write!(
            text,
            "B{index}:\nmul.lo.s32 %r4, %r4, 5;\nadd.s32 %r4, %r4, {};\nst.global.u32 [%r1], %r4;\n\
             add.s32 %r5, %r5, -1;\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra END;\n",
            index + 1
        );
        match end {
            End::Branch(taken, otherwise, bit, uniform) => {
                let state = if *uniform { "%r8" } else { "%r4" };
                let _ = write!(
                    text,
                    "shr.u32 %r6, {state}, {bit};\nand.b32 %r7, %r6, 1;\nsetp.ne.s32 %p2, %r7, 0;\n\
                     @%p2 bra B{taken};\nbra.uni B{otherwise};\n"
                );
            }
            End::Jump(to) => {
                let _ = writeln!(text, "bra.uni B{to};");
            }
            End::Return => text.push_str("ret;\n"),
        }
    }
    text.push_str("END:\nadd.s32 %r4, %r4, 1000;\nst.global.u32 [%r1], %r4;\nret;\n}\n");
    text
}

fn check(blocks: &[End], fuel: u32) -> Result<(), TestCaseError> {
    let text = kernel(blocks, fuel);
    let case = Case::of_warp(&text);
    execute(&case).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
    let outcome = run(&case);
    prop_assert_eq!(&outcome.found, &outcome.wanted, "{}\n{}", text, outcome.listing());
    Ok(())
}

fn end(count: usize) -> impl Strategy<Value = End> {
    prop_oneof![
        6 => (0..count, 0..count, 0u32..16, prop::bool::weighted(0.2)).prop_map(|(a, b, bit, uniform)| End::Branch(a, b, bit, uniform)),
        2 => (0..count).prop_map(End::Jump),
        1 => Just(End::Return),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_graph_equals_its_separate_threads(blocks in (2usize..12).prop_flat_map(|count| prop::collection::vec(end(count), count))) {
        check(&blocks, 40)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(30), failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests nested regions, deeper than the stack.
    #[test]
    fn large_graphs_do_not_overflow_the_stack(blocks in prop::collection::vec(end(60), 60)) {
        check(&blocks, 150)?;
    }
}
