//! Random programs whose threads exchange values at barriers. All threads of a block reach each barrier, so the threads
//! of a warp must have reconverged before it, even with blocks that no thread reaches and with several returns.

use crate::harness::{cases, execute, run, value, Case};
use flexgrip_compiler::Options;
use proptest::prelude::*;
use std::fmt::Write;

const THREADS: u32 = 64;
const BLOCKS: u32 = 4;

/// A part of a program that threads may execute differently.
#[derive(Debug, Clone)]
enum Own {
    /// Changes the thread's state.
    Step(u32),
    /// A branch on a bit of the state. Some sides are short enough to become conditional instructions.
    If(u32, Vec<Own>, Vec<Own>),
    /// A switch with four sides on two bits of the state. The default is a block that no thread reaches.
    Switch(u32, [Vec<Own>; 4]),
}

/// A part that all threads of a block execute.
#[derive(Debug, Clone)]
enum Piece {
    Own(Own),
    /// Reads another thread's state.
    Exchange(u32),
    /// A branch on the block's number. The kernel may end with one side.
    If(u32, Vec<Piece>, Vec<Piece>, bool),
    /// A loop with this number of iterations.
    Loop(u32, Vec<Piece>),
}

struct Writer {
    text: String,
    labels: usize,
    /// Number of counters of loops.
    counters: usize,
    /// Code after the kernel's end.
    behind: String,
}

impl Writer {
    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn add(&mut self, text: std::fmt::Arguments) {
        let _ = self.text.write_fmt(text);
    }

    /// Sets %r6 to bits of the state.
    fn bits(&mut self, salt: u32, bits: u32) {
        let factor = salt.wrapping_mul(2_654_435_769) | 1;
        let shift = 32 - bits;
        self.add(format_args!(
            "mul.lo.s32 %r6, %r4, {factor};\nshr.u32 %r6, %r6, {shift};\n"
        ));
    }

    fn own(&mut self, piece: &Own) {
        match piece {
            Own::Step(salt) => self.add(format_args!("add.s32 %r4, %r4, {};\n", salt | 1)),
            Own::If(salt, yes, no) => {
                let (other, end) = (self.label(), self.label());
                self.bits(*salt, 1);
                self.add(format_args!("setp.eq.s32 %p1, %r6, 0;\n@%p1 bra L{other};\n"));
                yes.iter().for_each(|piece| self.own(piece));
                self.add(format_args!("bra.uni L{end};\nL{other}:\n"));
                no.iter().for_each(|piece| self.own(piece));
                self.add(format_args!("L{end}:\n"));
            }
            Own::Switch(salt, sides) => {
                let (first, end, never) = (self.labels + 1, self.labels + 5, self.labels + 6);
                self.labels = never;
                self.bits(*salt, 2);
                for side in 0..4 {
                    self.add(format_args!(
                        "setp.eq.s32 %p1, %r6, {side};\n@%p1 bra L{};\n",
                        first + side
                    ));
                }
                self.add(format_args!("bra.uni L{never};\n"));
                for (side, pieces) in sides.iter().enumerate() {
                    self.add(format_args!("L{}:\n", first + side));
                    pieces.iter().for_each(|piece| self.own(piece));
                    self.add(format_args!("bra.uni L{end};\n"));
                }
                // Clang generates such code: the unreachable block is here or after the kernel's end, alone or with a
                // common target.
                let place = format!("L{never}:\nexit;\n");
                match salt % 3 {
                    0 => self.text += &place,
                    1 => self.behind += &place,
                    _ => self.behind += &format!("L{never}:\nbra.uni NEVER;\n"),
                }
                self.add(format_args!("L{end}:\n"));
            }
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        pieces.iter().for_each(|piece| self.piece(piece));
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Own(own) => self.own(own),
            Piece::Exchange(salt) => {
                let (from, last) = (4 * (salt % THREADS), 4 * (THREADS - 1));
                self.add(format_args!(
                    "st.shared.u32 [%r7], %r4;\nbar.sync 0;\nadd.s32 %r6, %r3, {from};\nand.b32 %r6, %r6, {last};\n\
                     add.s32 %r6, %r6, %r8;\nld.shared.u32 %r6, [%r6];\nbar.sync 0;\nmad.lo.s32 %r4, %r4, 5, %r6;\n"
                ));
            }
            Piece::If(salt, yes, no, ends) => {
                let (other, end) = (self.label(), self.label());
                let bit = 1 + salt % 2;
                self.add(format_args!(
                    "and.b32 %r6, %r5, {bit};\nsetp.eq.s32 %p1, %r6, 0;\n@%p1 bra L{other};\n"
                ));
                self.pieces(yes);
                match ends {
                    true => self.text += "st.global.u32 [%r1], %r4;\nret;\n",
                    false => self.add(format_args!("bra.uni L{end};\n")),
                }
                self.add(format_args!("L{other}:\n"));
                self.pieces(no);
                self.add(format_args!("L{end}:\n"));
            }
            Piece::Loop(salt, inside) => {
                let (head, counter) = (self.label(), 20 + self.counters);
                self.counters += 1;
                self.add(format_args!("mov.u32 %r{counter}, {};\nL{head}:\n", 1 + salt % 3));
                self.pieces(inside);
                self.add(format_args!(
                    "add.s32 %r{counter}, %r{counter}, -1;\nsetp.ne.s32 %p1, %r{counter}, 0;\n@%p1 bra L{head};\n"
                ));
            }
        }
    }
}

fn kernel(pieces: &[Piece]) -> String {
    let mut writer = Writer {
        text: format!(
            ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 out) {{\n\
             .reg .pred %p<3>;\n.reg .b32 %r<99>;\n.shared .align 4 .b8 m[{}];\n\
             ld.param.u32 %r1, [out];\nmov.u32 %r2, %tid.x;\nshl.b32 %r3, %r2, 2;\nmov.u32 %r5, %ctaid.x;\n\
             mov.u32 %r8, m;\nadd.s32 %r7, %r8, %r3;\nmad.lo.s32 %r6, %r5, {}, %r3;\nadd.s32 %r1, %r1, %r6;\n\
             mad.lo.s32 %r4, %r6, 40503, 77777;\n",
            4 * THREADS,
            4 * THREADS
        ),
        labels: 0,
        counters: 0,
        behind: String::new(),
    };
    writer.pieces(pieces);
    let Writer { text, behind, .. } = writer;
    text + "st.global.u32 [%r1], %r4;\nret;\n" + &behind + "NEVER:\nexit;\n}\n"
}

fn check(pieces: &[Piece]) -> Result<(), TestCaseError> {
    let text = kernel(pieces);
    let case = Case {
        text: &text,
        kernel: "k",
        options: Options::default(),
        grid: [BLOCKS, 1, 1],
        block: [THREADS, 1, 1],
        arguments: vec![value(0)],
        memory: vec![0; (4 * BLOCKS * THREADS) as usize],
    };
    execute(&case).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
    let outcome = run(&case);
    prop_assert_eq!(&outcome.found, &outcome.wanted, "{}\n{}", text, outcome.listing());
    Ok(())
}

fn own() -> impl Strategy<Value = Own> {
    let leaf = any::<u32>().prop_map(Own::Step);
    leaf.prop_recursive(3, 16, 4, |inner| {
        let several = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            2 => (any::<u32>(), several(), several()).prop_map(|(salt, yes, no)| Own::If(salt, yes, no)),
            1 => (any::<u32>(), [several(), several(), several(), several()])
                .prop_map(|(salt, sides)| Own::Switch(salt, sides)),
        ]
    })
}

fn piece() -> impl Strategy<Value = Piece> {
    let leaf = prop_oneof![
        3 => own().prop_map(Piece::Own),
        2 => any::<u32>().prop_map(Piece::Exchange),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let several = || prop::collection::vec(inner.clone(), 1..5);
        prop_oneof![
            2 => (any::<u32>(), several(), several(), any::<bool>())
                .prop_map(|(salt, yes, no, ends)| Piece::If(salt, yes, no, ends)),
            1 => (any::<u32>(), several()).prop_map(|(salt, inside)| Piece::Loop(salt, inside)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn threads_meet_before_a_barrier(pieces in prop::collection::vec(piece(), 1..8)) {
        check(&pieces)?;
    }
}

fn switch(salt: u32) -> Piece {
    let side = |step| vec![Own::Step(step)];
    Piece::Own(Own::Switch(salt, [side(7), side(1), side(5), vec![]]))
}

/// The kernel's end is merged into the previous block, because the side between them becomes a conditional instruction.
#[test]
fn threads_reconverge_between_short_side_and_barrier() {
    for place in 0..3 {
        let short = Piece::Own(Own::If(9, vec![Own::Step(3)], vec![]));
        check(&[switch(place), short, Piece::Exchange(5)]).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Each side of a branch on the block's number has its own return, and one of them is the kernel's last block.
#[test]
fn threads_meet_before_barriers_on_paths_to_returns() {
    for place in 0..3 {
        for loops in [0, 1, 4] {
            let exchanges = || (0..loops).map(|round| Piece::Loop(2, vec![Piece::Exchange(round)]));
            let yes: Vec<Piece> = [switch(place), Piece::Exchange(5)]
                .into_iter()
                .chain(exchanges())
                .collect();
            let no: Vec<Piece> = [switch(place + 3), Piece::Exchange(9)].into_iter().collect();
            for (yes, no) in [(yes.clone(), no.clone()), (no, yes)] {
                check(&[Piece::If(0, yes, no, true)]).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
