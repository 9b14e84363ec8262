//! Exit order: threads reconverge on the paths to the last return that a block reaches. A thread that leaves by another
//! return does not reconverge. The last return of the kernel is the main return.
//!
//! Threads must reconverge before a barrier, and only the paths to the last return guarantee this. So the last return
//! is the one after as many barriers as possible, and never in an unreachable block. (clang 19 ends unreachable blocks
//! with `exit`, often at the end of the kernel. If this were the main return, the sides of a branch would reach a
//! barrier one after the other.)

use crate::analysis::flow::{predecessors, reachable};
use crate::ir::{Function, Operation, Terminator};

/// Sorts the returns, and makes the main return the last block. Traps are first, because they end the kernel for all
/// threads, then `exit`. The others are sorted by the number of blocks with barriers, then of blocks, that reach them.
pub fn in_order(function: &mut Function) {
    let before = predecessors(&function.successors());
    let has = |is: fn(&Operation) -> bool| -> Vec<bool> {
        let blocks = function.blocks.iter();
        blocks
            .map(|block| block.instructions.iter().any(|instruction| is(&instruction.operation)))
            .collect()
    };
    let has_barrier = has(|operation| matches!(operation, Operation::Barrier { .. }));
    let traps = has(|operation| matches!(operation, Operation::Trap));
    // The entry stays the first block; if it returns, it is the only reachable block.
    let places: Vec<usize> = (1..function.blocks.len())
        .filter(|&block| function.blocks[block].terminator.ends())
        .collect();
    let mut sorted = places.clone();
    sorted.sort_by_cached_key(|&block| {
        let leads_here = reachable(&before, block, None);
        let barriers = (0..leads_here.len()).filter(|&from| leads_here[from] && has_barrier[from]);
        let blocks = leads_here.iter().filter(|&&leads| leads);
        let returns = function.blocks[block].terminator == Terminator::Return;
        (!traps[block], returns, barriers.count(), blocks.count(), block)
    });
    let Some(&main) = places.last() else {
        return;
    };
    let last = function.blocks.len() - 1;
    let mut order: Vec<usize> = (0..=last).collect();
    for (&place, &block) in places.iter().zip(&sorted) {
        order[place] = block;
    }
    order[main..].rotate_left(1);
    reorder(function, &order);
}

/// Sorts the blocks: `order` has the index of each block once.
fn reorder(function: &mut Function, order: &[usize]) {
    let mut places = vec![0; order.len()];
    for (place, &block) in order.iter().enumerate() {
        places[block] = place;
    }
    let mut numbered: Vec<_> = places.iter().copied().zip(function.blocks.drain(..)).collect();
    numbered.sort_by_key(|&(place, _)| place);
    function.blocks = numbered.into_iter().map(|(_, block)| block).collect();
    for block in &mut function.blocks {
        block.terminator.retarget(|to| places[to]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Block;
    use crate::testing::function;

    fn last(body: &str) -> Block {
        let mut function = function(body);
        in_order(&mut function);
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
        function.blocks.last().expect("a block").clone()
    }

    fn has_effect(block: &Block) -> bool {
        block.instructions.iter().any(|one| one.operation.has_effect())
    }

    #[test]
    fn the_main_return_is_after_the_barrier() {
        // More blocks reach the return without a barrier.
        let body = "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra SIDE;\nbar.sync 0;\nret;\nSIDE:\nsetp.eq.s32 %p2, %r1, 1;\n\
                    @%p2 bra END;\nadd.s32 %r1, %r1, 1;\nEND:\nexit;";
        assert!(has_effect(&last(body)));
    }

    #[test]
    fn without_barriers_most_blocks_reach_the_main_return() {
        let body = "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra SIDE;\nsetp.eq.s32 %p2, %r1, 1;\n@%p2 bra END;\n\
                    add.s32 %r1, %r1, 1;\nEND:\nst.global.u32 [%r2], %r1;\nret;\nSIDE:\nexit;";
        assert!(has_effect(&last(body)));
    }

    #[test]
    fn a_trap_is_not_the_main_return() {
        // A trap in a loop with a barrier, such as an index check: as many blocks reach the trap as the return.
        let body = "LOOP:\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra MET;\nsetp.eq.s32 %p2, %r1, 9;\n@%p2 bra WRONG;\n\
                    st.global.u32 [%r2], %r1;\nMET:\nbar.sync 0;\nadd.s32 %r2, %r2, 4;\nsetp.lt.s32 %p3, %r2, 99;\n\
                    @%p3 bra LOOP;\nret;\nWRONG:\ntrap;\nexit;";
        assert!(!has_effect(&last(body)));
    }

    #[test]
    fn an_exit_after_barriers_is_not_the_main_return() {
        // Equally many blocks with barriers reach the exit, and more blocks in total.
        let body = "bar.sync 0;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra SIDE;\nst.global.u32 [%r2], %r1;\nret;\n\
                    SIDE:\nsetp.eq.s32 %p2, %r1, 1;\n@%p2 bra END;\nbar.sync 0;\nEND:\nexit;";
        assert!(has_effect(&last(body)));
    }

    #[test]
    fn the_others_are_in_order_too() {
        // There are no barriers before A, one before B, and two before the main return.
        let mut function = function(
            "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra A;\nbar.sync 0;\nsetp.eq.s32 %p2, %r1, 1;\n@%p2 bra B;\n\
             bar.sync 0;\nret;\nB:\nst.global.u32 [%r2], %r1;\nret;\nA:\nadd.s32 %r1, %r1, 1;\nret;",
        );
        in_order(&mut function);
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
        let returns = function.blocks.iter().filter(|block| block.terminator.ends());
        let names: Vec<&str> = returns.map(|block| block.name.as_str()).collect();
        assert_eq!(names[..2], ["A", "B"], "{function}");
    }

    #[test]
    fn a_kernel_without_a_return_stays() {
        let mut function = function("A:\nbra.uni B;\nB:\nbra.uni A;");
        let before = function.to_string();
        in_order(&mut function);
        assert_eq!(function.to_string(), before);
    }
}
