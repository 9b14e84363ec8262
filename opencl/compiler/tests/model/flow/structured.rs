//! Random structured programs: nested loops that threads leave and continue at different points, over hundreds of
//! iterations. The machine's stack has 32 entries, which must be enough.

use crate::harness::{cases, execute, run, Case};
use proptest::prelude::*;
use std::fmt::Write;

/// A part of a program.
#[derive(Debug, Clone)]
enum Piece {
    /// Changes the thread's state.
    Step(u32),
    /// A branch on bits of the state.
    If(u32, Vec<Piece>, Vec<Piece>),
    /// A loop with its condition at the end.
    Loop(u32, Vec<Piece>),
    /// Leaves this number of loops if bits of the state are 0.
    Break(u32, usize),
    /// Continues the loop this number of levels further out, if bits of the state are 0.
    Continue(u32, usize),
    /// Rarely ends the thread.
    Return(u32),
}

struct Writer {
    text: String,
    labels: usize,
    /// Labels of the surrounding loops: next iteration, end.
    loops: Vec<(usize, usize)>,
}

impl Writer {
    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// Sets %p1 from the state: true with a probability of 1 in 2^bits.
    fn decide(&mut self, salt: u32, bits: u32) {
        let _ = write!(
            self.text,
            "mul.lo.s32 %r6, %r4, {};\nshr.u32 %r6, %r6, {};\nsetp.eq.s32 %p1, %r6, 0;\n",
            salt.wrapping_mul(2_654_435_769) | 1,
            32 - bits
        );
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Step(salt) => {
                let _ = write!(
                    self.text,
                    "mul.lo.s32 %r4, %r4, 1664525;\nadd.s32 %r4, %r4, {};\nadd.s32 %r7, %r7, %r4;\n",
                    salt | 1
                );
            }
            Piece::If(salt, yes, no) => {
                let (other, end) = (self.label(), self.label());
                self.decide(*salt, 1);
                let _ = writeln!(self.text, "@%p1 bra L{other};");
                self.pieces(yes);
                let _ = write!(self.text, "bra.uni L{end};\nL{other}:\n");
                self.pieces(no);
                let _ = writeln!(self.text, "L{end}:");
            }
            Piece::Loop(salt, inside) => {
                let (head, next, end) = (self.label(), self.label(), self.label());
                let _ = writeln!(self.text, "L{head}:");
                self.loops.push((next, end));
                self.piece(&Piece::Step(*salt));
                self.pieces(inside);
                self.loops.pop();
                let _ = write!(
                    self.text,
                    "L{next}:\nadd.s32 %r5, %r5, -1;\nsetp.le.s32 %p1, %r5, 0;\n@%p1 bra L{end};\n"
                );
                self.decide(salt + 1, 3);
                let _ = write!(self.text, "@!%p1 bra L{head};\nL{end}:\n");
            }
            Piece::Break(salt, levels) | Piece::Continue(salt, levels) => {
                let Some(&(next, end)) = self.loops.iter().rev().nth(*levels).or(self.loops.first()) else {
                    return;
                };
                self.decide(*salt, 2);
                let to = if matches!(piece, Piece::Break(..)) { end } else { next };
                let _ = writeln!(self.text, "@%p1 bra L{to};");
            }
            Piece::Return(salt) => {
                let on = self.label();
                self.decide(*salt, 7);
                let _ = write!(self.text, "@!%p1 bra L{on};\nst.global.u32 [%r1], %r7;\nret;\nL{on}:\n");
            }
        }
    }
}

/// The kernel: each thread has a state, a limit of iterations and a checksum.
fn kernel(pieces: &[Piece], fuel: u32) -> String {
    let mut writer = Writer {
        text: format!(
            ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 out) {{\n\
             .reg .pred %p<3>;\n.reg .b32 %r<10>;\n\
             ld.param.u32 %r1, [out];\nmov.u32 %r2, %tid.x;\nshl.b32 %r3, %r2, 2;\nadd.s32 %r1, %r1, %r3;\n\
             mad.lo.s32 %r4, %r2, 40503, 77777;\nmov.u32 %r5, {fuel};\nmov.u32 %r7, 1;\n"
        ),
        labels: 0,
        loops: Vec::new(),
    };
    writer.pieces(pieces);
    writer.text + "st.global.u32 [%r1], %r7;\nret;\n}\n"
}

fn check(pieces: &[Piece]) -> Result<(), TestCaseError> {
    let text = kernel(pieces, 400);
    let case = Case::of_warp(&text);
    execute(&case).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
    let outcome = run(&case);
    prop_assert_eq!(&outcome.found, &outcome.wanted, "{}\n{}", text, outcome.listing());
    Ok(())
}

fn piece() -> impl Strategy<Value = Piece> {
    let leaf = prop_oneof![
        4 => any::<u32>().prop_map(Piece::Step),
        3 => (any::<u32>(), 0usize..3).prop_map(|(salt, levels)| Piece::Break(salt, levels)),
        3 => (any::<u32>(), 0usize..3).prop_map(|(salt, levels)| Piece::Continue(salt, levels)),
        1 => any::<u32>().prop_map(Piece::Return),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let several = || prop::collection::vec(inner.clone(), 1..5);
        prop_oneof![
            2 => (any::<u32>(), several(), several()).prop_map(|(salt, yes, no)| Piece::If(salt, yes, no)),
            3 => (any::<u32>(), several()).prop_map(|(salt, inside)| Piece::Loop(salt, inside)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_stack_suffices_for_structured_programs(pieces in prop::collection::vec(piece(), 1..6)) {
        check(&pieces)?;
    }
}

/// Threads usually leave the inner loop by continuing the outer loop, and rarely by leaving several loops.
#[test]
fn loops_with_several_exits_keep_the_stack() {
    let inner = vec![
        Piece::Break(3, 0),
        Piece::Continue(5, 1),
        Piece::Step(9),
        Piece::Continue(7, 0),
        Piece::Break(11, 2),
    ];
    let outer = vec![Piece::Loop(21, inner), Piece::Step(2)];
    check(&[Piece::Loop(31, vec![Piece::Loop(33, outer)])]).unwrap_or_else(|error| panic!("{error}"));
}
