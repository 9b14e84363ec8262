//! Threads of a warp against the same threads alone, on random structured programs.

use crate::running::*;
use crate::words::*;
use flexgrip_machine::{Entry, EntryKind, Launch, Retire, StackOperation};
use flexgrip_model::Machine;

/// Generates structured programs: sums, two-way branches, loops and returns, nested, all depending on the thread.
///
/// Registers: 1 to 4 values, 5 the thread's address, 6 a constant -1, 7 zero, 8 to 11 loop counters by depth.
struct Generator {
    words: Vec<u64>,
    state: u64,
}

impl Generator {
    fn random(&mut self, below: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % below
    }

    fn here(&self) -> u64 {
        8 * self.words.len() as u64
    }

    fn value(&mut self) -> u64 {
        1 + self.random(4)
    }

    fn condition(&mut self) {
        let (register, compare) = (self.random(4), self.random(8));
        let (a, b) = (self.value(), self.value());
        self.words.push(test(register, a, compare, b));
    }

    /// A branch whose target is set later.
    fn hole(&mut self) -> usize {
        self.words.push(0);
        self.words.len() - 1
    }

    fn statements(&mut self, depth: u64) {
        for _ in 0..1 + self.random(3) {
            match self.random(if depth < 4 { 12 } else { 6 }) {
                0..=4 => {
                    let (d, a, c) = (self.value(), self.value(), self.value());
                    self.words.extend([iadd(d, a, c), gst(5, d)]);
                }
                5 => {
                    self.condition();
                    let register = self.random(4);
                    let leaving = if self.random(4) == 0 {
                        exit(nop())
                    } else {
                        when(ret(), register, TRUE)
                    };
                    // An exit marker ends the whole path: only after a branch, and rarely.
                    if depth > 1 || leaving != exit(nop()) {
                        self.words.push(leaving);
                    }
                }
                6..=8 => {
                    self.condition();
                    let register = self.random(4);
                    let (join_hole, taken_hole) = (self.hole(), self.hole());
                    self.statements(depth + 1);
                    let over_hole = self.hole();
                    self.words[taken_hole] = when(bra(self.here()), register, TRUE);
                    self.statements(depth + 1);
                    self.words[join_hole] = ssy(self.here());
                    self.words[over_hole] = bra(self.here());
                    self.words.push(join(nop()));
                }
                _ => {
                    let (counter, register) = (8 + depth, self.random(4));
                    // 1 to 4 iterations, by the thread's value.
                    let value = self.value();
                    self.words.extend([shl(counter, value, 30), shr(counter, counter, 30)]);
                    let join_hole = self.hole();
                    let top = self.here();
                    self.statements(depth + 1);
                    self.words.push(iadd(counter, counter, 6));
                    self.words.push(test(register, counter, GE, 7));
                    self.words.push(when(bra(top), register, TRUE));
                    self.words[join_hole] = ssy(self.here());
                    self.words.push(join(nop()));
                }
            }
        }
    }

    fn program(seed: u64) -> Vec<u64> {
        let mut generator = Generator {
            words: Vec::new(),
            state: seed | 1,
        };
        for _ in 0..8 {
            generator.random(2);
        }
        generator.words = vec![
            mov_shared(1, 6, 1), // ctaid.x, 0 if there is one block
            iadd(0, 0, 1),       // the thread's number, in its own block or not
            shl(5, 0, 2),
            mvi(6, u32::MAX),
            shl(2, 0, 3),
            iadd(3, 2, 6),
            iadd(1, 0, 0),
            iadd(4, 3, 0),
        ];
        for _ in 0..3 {
            generator.statements(0);
        }
        generator.words.extend([gst(5, 1), ret()]);
        generator.words
    }
}

#[test]
fn warp_equals_its_threads_run_alone() {
    let mut diverged = 0;
    for seed in 1..=400u64 {
        let words = Generator::program(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let together = Launch {
            block: [32, 1, 1],
            ..launch(&words)
        };
        let alone = Launch {
            grid: [32, 1],
            block: [1, 1, 1],
            ..launch(&words)
        };
        let (mut together, mut alone) = (machine(together), machine(alone));
        let pushed = |record: &Retire| {
            let mut entries = record.stack.iter();
            entries.any(|op| {
                matches!(
                    op,
                    StackOperation::Push(Entry {
                        kind: EntryKind::Diverged,
                        ..
                    })
                )
            })
        };
        together
            .run_observed(1_000_000, |record| diverged += usize::from(pushed(record)))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        alone
            .run_observed(1_000_000, |record| {
                assert!(!pushed(record), "one thread does not diverge")
            })
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let words = |machine: &Machine| machine.global().words().take(32).collect::<Vec<_>>();
        assert_eq!(words(&together), words(&alone), "seed {seed}");
        assert!(
            together.outcome().warp_instructions < alone.outcome().warp_instructions,
            "seed {seed}"
        );
    }
    println!("{diverged} divergent branches");
    assert!(diverged > 1000, "the programs diverge: {diverged}");
}
