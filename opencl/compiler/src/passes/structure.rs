//! Loop restructuring: a single latch for loops with several exits or back edges.
//!
//! If both sides of a branch return to it before they meet, each iteration leaves an entry on the machine's stack,
//! which has 32, and diverged threads never reconverge. So a loop with such a branch gets a latch: every exit and every
//! back edge sets a selector and continues there, and the latch branches on the selector. All threads of an iteration
//! reconverge at the latch. Paths to another return are not changed, because threads that end do not reconverge.

use crate::analysis::divergence::divergence;
use crate::analysis::flow::{reachable, Successors};
use crate::analysis::loops::loops;
use crate::analysis::regions::{goals, joins};
use crate::error::SourceLocation;
use crate::ir::{Argument, Block, Class, Comparison, Function, Instruction, Operation, Terminator, Value};
use crate::ptx::ast::{Kind, Type};
use std::collections::HashSet;

const U32: Type = Type::new(Kind::Unsigned, 32);

/// Returns the divergent branches to which both sides return before they meet.
fn bad(successors: &Successors, divergent: impl Iterator<Item = usize>) -> Vec<usize> {
    let joins = joins(successors);
    let returns = |branch: usize, side: usize| reachable(successors, side, joins[branch])[branch];
    divergent
        .filter(|&branch| successors[branch].iter().filter(|&&side| returns(branch, side)).count() > 1)
        .collect()
}

/// Gives loops one latch each until no divergent branch needs it. Returns the number of loops changed.
pub fn structure(function: &mut Function) -> usize {
    // The headers of loops that already have a latch.
    let mut done: HashSet<usize> = HashSet::new();
    loop {
        let successors = function.successors();
        let divergence = divergence(function);
        let bad = bad(&successors, divergence.branches.ones());
        if bad.is_empty() {
            return done.len();
        }
        let loops = loops(&successors);
        let next = bad.iter().find_map(|&branch| {
            loops
                .iter()
                .find(|found| found.blocks.contains(branch) && !done.contains(&found.header))
        });
        let Some(next) = next else {
            // The remaining branches are in irreducible loops. The stack may overflow, which the machine reports.
            return done.len();
        };
        done.insert(next.header);
        let inside: Vec<bool> = (0..function.blocks.len())
            .map(|block| next.blocks.contains(block))
            .collect();
        end_together(function, next.header, &inside);
    }
}

/// Redirects the exits and the back edges of a loop to a new latch.
fn end_together(function: &mut Function, header: usize, inside: &[bool]) {
    let goals = goals(&function.successors());
    let selector = function.add(Class::Word, "way".to_string());
    let place = function.blocks[header].place;
    let end = function.blocks.len();
    function.blocks.push(Block {
        name: format!("end of {}", function.blocks[header].name),
        instructions: Vec::new(),
        terminator: Terminator::Return,
        place,
    });
    // Selector 0 is the header.
    let mut ways = vec![header];
    for from in (0..inside.len()).filter(|&from| inside[from]) {
        let mut terminator = function.blocks[from].terminator.clone();
        let mut redirect = |function: &mut Function, to: &mut usize| {
            let stays = inside.get(*to) == Some(&true) && *to != header;
            if stays || goals.get(*to).is_some_and(|&goal| goal != goals[from]) {
                return;
            }
            let way = ways.iter().position(|way| way == to).unwrap_or_else(|| {
                ways.push(*to);
                ways.len() - 1
            });
            let place = function.blocks[from].place;
            *to = function.blocks.len();
            function.blocks.push(Block {
                name: format!("way {way}"),
                instructions: vec![number(selector, way, place)],
                terminator: Terminator::Jump(end),
                place,
            });
        };
        match &mut terminator {
            Terminator::Jump(to) => redirect(function, to),
            Terminator::Branch { taken, otherwise, .. } => {
                redirect(function, taken);
                redirect(function, otherwise);
            }
            Terminator::Return | Terminator::Exit => {}
        }
        function.blocks[from].terminator = terminator;
    }
    // The latch branches on the selector.
    let mut at = end;
    for (way, &to) in ways.iter().enumerate() {
        if way + 1 == ways.len() {
            function.blocks[at].terminator = Terminator::Jump(to);
            break;
        }
        let predicate = function.add(Class::Predicate, format!("way {way}?"));
        function.blocks[at].instructions.push(Instruction {
            operation: Operation::Compare(Comparison {
                less: false,
                equal: true,
                greater: false,
                unordered: false,
            }),
            ty: U32,
            results: vec![predicate],
            arguments: vec![Argument::Value(selector), Argument::Constant(way as u64)],
            place,
        });
        let otherwise = function.blocks.len();
        function.blocks[at].terminator = Terminator::Branch {
            predicate,
            negated: false,
            taken: to,
            otherwise,
        };
        function.blocks.push(Block {
            name: format!("not way {way}"),
            instructions: Vec::new(),
            terminator: Terminator::Return,
            place,
        });
        at = otherwise;
    }
}

fn number(selector: Value, way: usize, place: SourceLocation) -> Instruction {
    Instruction {
        operation: Operation::Copy,
        ty: U32,
        results: vec![selector],
        arguments: vec![Argument::Constant(way as u64)],
        place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::function;

    /// A nested loop. The inner loop exits to the next iteration of the outer loop, or to a block where the outer loop
    /// is left or continued.
    const TWO_EXITS: &str =
        "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [out];\nOUTER:\nadd.s32 %r1, %r1, 5;\nsetp.gt.s32 %p4, %r1, 9000;\n\
        @%p4 bra END;\nINNER:\n\
        mul.lo.s32 %r1, %r1, 3;\nsetp.lt.s32 %p1, %r1, 7;\n@%p1 bra OUTER;\nsetp.gt.s32 %p2, %r1, 1000;\n\
        @%p2 bra X;\nbra.uni INNER;\nX:\nadd.s32 %r1, %r1, -9;\nsetp.gt.s32 %p3, %r1, 2000;\n\
        @%p3 bra END;\nbra.uni OUTER;\nEND:\nst.global.u32 [%r2], %r1;\nret;";

    #[test]
    fn a_loop_with_two_exits_gets_a_latch() {
        let mut function = function(TWO_EXITS);
        let before = bad(&function.successors(), divergence(&function).branches.ones());
        assert!(!before.is_empty(), "{function}");
        assert!(structure(&mut function) > 0);
        let after = bad(&function.successors(), divergence(&function).branches.ones());
        assert!(after.is_empty(), "{function}");
        crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn a_loop_with_one_exit_stays() {
        let mut function = function(
            "mov.u32 %r1, %tid.x;\nL:\nadd.s32 %r1, %r1, 5;\nsetp.lt.s32 %p1, %r1, 700;\n@%p1 bra L;\n\
             st.global.u32 [%r1], %r1;\nret;",
        );
        let blocks = function.blocks.len();
        assert_eq!(structure(&mut function), 0);
        assert_eq!(function.blocks.len(), blocks);
    }
}
