//! Which return is the main one: the rules of reconvergence take the last block for it, and whoever leaves by another one
//! joins nobody.
//!
//! Threads wait for each other at barriers, so they must have met before, and only on the way to the main return do they
//! meet for sure. So it is a return behind as many barriers as possible. (For a place that is never reached clang 19
//! writes `exit`, and that often last. Taken for the main return, it made threads go to a barrier one after the other.)

use crate::analysis::flow::{predecessors, reachable};
use crate::ir::{Function, Operation, Terminator};

/// Makes the main return the last block: not one that traps, which ends the kernel for all; then the one that most blocks with
/// barriers lead to, then most blocks, then the last.
pub fn main_last(function: &mut Function) {
    let before = predecessors(&function.successors());
    let has = |is: fn(&Operation) -> bool| -> Vec<bool> {
        let blocks = function.blocks.iter();
        blocks
            .map(|block| block.instructions.iter().any(|instruction| is(&instruction.operation)))
            .collect()
    };
    let has_barrier = has(|operation| matches!(operation, Operation::Barrier { .. }));
    let traps = has(|operation| matches!(operation, Operation::Trap));
    let main = (0..function.blocks.len())
        .filter(|&block| function.blocks[block].terminator == Terminator::Return)
        .max_by_key(|&block| {
            let leads_here = reachable(&before, block, None);
            let barriers = (0..leads_here.len()).filter(|&from| leads_here[from] && has_barrier[from]);
            let blocks = leads_here.iter().filter(|&&leads| leads);
            (!traps[block], barriers.count(), blocks.count(), block)
        });
    let last = function.blocks.len().saturating_sub(1);
    let Some(main) = main.filter(|&main| main != last) else {
        return;
    };
    let block = function.blocks.remove(main);
    function.blocks.push(block);
    for block in &mut function.blocks {
        block.terminator.retarget(|to| match to {
            to if to == main => last,
            to if to > main => to - 1,
            to => to,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Block;
    use crate::testing::function;

    fn last(body: &str) -> Block {
        let mut function = function(body);
        main_last(&mut function);
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
        function.blocks.last().expect("a block").clone()
    }

    fn has_effect(block: &Block) -> bool {
        block.instructions.iter().any(|one| one.operation.has_effect())
    }

    #[test]
    fn the_main_return_is_behind_the_barrier() {
        // More blocks lead to the other one.
        let body = "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra SIDE;\nbar.sync 0;\nret;\nSIDE:\nsetp.eq.s32 %p2, %r1, 1;\n\
                    @%p2 bra END;\nadd.s32 %r1, %r1, 1;\nEND:\nexit;";
        assert!(has_effect(&last(body)));
    }

    #[test]
    fn without_barriers_most_blocks_lead_to_it() {
        let body = "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra SIDE;\nsetp.eq.s32 %p2, %r1, 1;\n@%p2 bra END;\n\
                    add.s32 %r1, %r1, 1;\nEND:\nst.global.u32 [%r2], %r1;\nret;\nSIDE:\nexit;";
        assert!(has_effect(&last(body)));
    }

    #[test]
    fn a_trap_is_not_the_main_return() {
        // In a loop with a barrier, as checks of indices are: as many blocks lead to the trap as to the return.
        let body = "LOOP:\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra MET;\nsetp.eq.s32 %p2, %r1, 9;\n@%p2 bra WRONG;\n\
                    st.global.u32 [%r2], %r1;\nMET:\nbar.sync 0;\nadd.s32 %r2, %r2, 4;\nsetp.lt.s32 %p3, %r2, 99;\n\
                    @%p3 bra LOOP;\nret;\nWRONG:\ntrap;\nexit;";
        assert!(!has_effect(&last(body)));
    }

    #[test]
    fn a_kernel_without_a_return_stays() {
        let mut function = function("A:\nbra.uni B;\nB:\nbra.uni A;");
        let before = function.to_string();
        main_last(&mut function);
        assert_eq!(function.to_string(), before);
    }
}
