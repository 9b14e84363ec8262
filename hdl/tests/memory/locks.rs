//! Compares the locks of shared memory with a set of locked words and their holders, for random accesses, ends of warps and
//! initialisation.

use flexgrip_hdl::bundles::WarpSelect;
use flexgrip_hdl::memory::locks::{LockAccess, SharedLocks};
use flexgrip_hdl::memory::shared::SharedInit;
use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::{cosim, CosimError};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};

/// Words and warps of the accesses: few, so that they meet.
const WORDS: u64 = 40;
const WARPS: u64 = 6;

/// The locks as a set: the warp that holds each word.
#[derive(Default)]
struct Reference {
    holder: BTreeMap<u64, u64>,
    /// The thread that has succeeded with each warp's last attempt.
    winner: [Option<u64>; 32],
}

impl Reference {
    fn holds(&self, warp: u64) -> bool {
        self.holder.values().any(|holder| *holder == warp)
    }

    fn access(&mut self, access: &LockAccess) {
        let (warp, word) = (access.warp.raw(), access.word.raw());
        if access.releases {
            if self.holder.get(&word) == Some(&warp) {
                self.holder.remove(&word);
            }
        } else if !self.holds(warp) && !self.holder.contains_key(&word) {
            self.holder.insert(word, warp);
            self.winner[warp as usize] = Some(access.thread.raw());
        }
    }

    fn end(&mut self, warp: u64) {
        self.holder.retain(|_, holder| *holder != warp);
    }

    fn holding(&self) -> u64 {
        self.holder.values().fold(0, |set, warp| set | 1 << warp)
    }
}

/// A step of the collector.
#[derive(Clone, Copy)]
struct Step {
    access: LockAccess,
    first: bool,
    last: bool,
}

/// The steps of a random instruction: G2R.LCK at some words in turn, or R2G.UNL, often of the word that the warp holds.
fn steps(reference: &Reference, rng: &mut ChaCha8Rng) -> Vec<Step> {
    let warp = rng.gen_range(0..WARPS);
    let releases = rng.gen();
    let count = rng.gen_range(1..4);
    let held = reference.holder.iter().find(|(_, holder)| **holder == warp).map(|(word, _)| *word);
    (0..count)
        .map(|step| Step {
            access: LockAccess {
                valid: rng.gen_range(0..8) != 0,
                releases,
                warp: Bits::new(warp),
                thread: Bits::new(rng.gen_range(0..32)),
                word: Bits::new(held.filter(|_| rng.gen()).unwrap_or_else(|| rng.gen_range(0..WORDS))),
            },
            first: !releases && step == 0,
            last: !releases && step == count - 1,
        })
        .collect()
}

#[test]
fn locks_follow_accesses_in_order() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut engine = CycleEngine::new(Box::<SharedLocks>::default());
    let mut reference = Reference::default();
    let mut queue: VecDeque<Step> = VecDeque::new();
    let (mut locked, mut refused, mut ended, mut cleared) = (0, 0, 0, 0);
    let mut init = 0u32;
    let mut last_warp = None;
    for cycle in 0..200_000 {
        // `blocked` and `busy` depend only on registers.
        engine.settle();
        let block = &mut engine.block;
        // An instruction issues; its steps are in b some cycles later. The ends of warps wait for it.
        let busy = block.busy.val();
        let mut issues = queue.is_empty() && rng.gen_bool(0.4);
        if issues {
            let steps = steps(&reference, &mut rng);
            // A warp has no other instruction until its G2R.LCK has been answered.
            let warp = steps[0].access.warp;
            issues = last_warp != Some(warp) || !block.blocked.val();
            if issues {
                last_warp = Some(warp);
                queue.extend(steps);
            }
        }
        block.issues.next = issues && queue[0].first;
        let ends = queue.is_empty() && !busy && rng.gen_range(0..8) == 0;
        let ending = rng.gen_range(0..WARPS);
        block.ended.next = WarpSelect { valid: ends, warp: Bits::new(ending) };
        // Initialisation in bursts, of rows without locks, and of the whole memory at the start of a grid.
        if init == 0 && rng.gen_range(0..40) == 0 {
            init = rng.gen_range(1..12);
        }
        init = init.saturating_sub(1);
        let row = rng.gen_range(WORDS.div_ceil(16)..256);
        block.init.next = SharedInit {
            valid: init > 0,
            clear: rng.gen(),
            address: Bits::new(row * 64 + rng.gen_range(0..64)),
            data: Bits::new(rng.gen::<u32>().into()),
        };
        let asked = rng.gen_range(0..WARPS);
        block.warp.next = Bits::new(asked);
        // Before the step in b, which depends on the unit's state alone.
        let step = if issues { None } else { queue.front().copied() };
        let proceeds = step.filter(|step| !(step.access.valid && block.blocked.val()) && rng.gen_bool(0.8));
        block.access.next = proceeds.map_or_else(
            || LockAccess { valid: false, word: Bits::new(rng.gen_range(0..WORDS)), ..Default::default() },
            |step| step.access,
        );
        block.first.next = proceeds.is_some_and(|step| step.first);
        block.last.next = proceeds.is_some_and(|step| step.last);
        engine.settle();

        // Without an access in flight, the answers and the holders are the reference's.
        if !engine.block.blocked.val() {
            assert_eq!(engine.block.holding.val().raw(), reference.holding(), "cycle {cycle}");
            let winner = engine.block.winner.val();
            let thread = winner.valid.then(|| winner.thread.raw());
            assert_eq!(thread, reference.winner[asked as usize], "cycle {cycle}: warp {asked}");
        }
        if let Some(step) = proceeds {
            queue.pop_front();
            let warp = step.access.warp.raw() as usize;
            if step.first {
                reference.winner[warp] = None;
            }
            if step.access.valid {
                let before = reference.holder.len();
                reference.access(&step.access);
                locked += usize::from(reference.holder.len() > before);
                refused += usize::from(!step.access.releases && reference.holder.len() == before);
            }
        }
        if ends {
            ended += usize::from(reference.holds(ending));
            reference.end(ending);
        }
        engine.tick();

        // A new grid: nothing is in flight, and the blocks' rows are cleared.
        engine.settle();
        if queue.is_empty() && !engine.block.blocked.val() && rng.gen_range(0..2000) == 0 {
            let block = &mut engine.block;
            (block.issues.next, block.first.next, block.last.next) = (false, false, false);
            block.access.next.valid = false;
            block.ended.next.valid = false;
            for row in 0..WORDS.div_ceil(16) {
                let block = &mut engine.block;
                block.clear.next = row == 0;
                block.init.next =
                    SharedInit { valid: true, clear: true, address: Bits::new(row * 64), ..Default::default() };
                engine.settle();
                engine.tick();
            }
            engine.block.clear.next = false;
            engine.block.init.next = SharedInit::default();
            engine.settle();
            reference.holder.clear();
            cleared += 1;
        }
    }
    println!("{locked} locked, {refused} refused, {ended} released by an end, {cleared} grids");
    assert!(locked > 5_000 && refused > 5_000 && ended > 500 && cleared > 20);
}

#[test]
fn locks_have_no_findings() {
    let findings = lint(&SharedLocks::default());
    let lines: Vec<String> = findings.iter().map(|finding| finding.to_string()).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn locks_equal_their_verilog() {
    let stimulus = |block: &mut SharedLocks, rng: &mut ChaCha8Rng, _: u64| {
        let blocked = block.blocked.val();
        // An access after a cycle without one: the next cycle's `blocked` is not known here.
        let idle = !block.access.next.valid && !blocked && !block.ended.next.valid;
        block.clear.next = rng.gen_range(0..200) == 0;
        block.issues.next = rng.gen_range(0..4) == 0;
        block.first.next = rng.gen();
        block.last.next = rng.gen_range(0..4) == 0;
        block.ended.next = WarpSelect { valid: rng.gen_range(0..16) == 0, warp: Bits::new(rng.gen_range(0..WARPS)) };
        block.init.next = SharedInit {
            valid: rng.gen_range(0..4) == 0,
            clear: rng.gen(),
            address: Bits::new(rng.gen_range(64 * WORDS.div_ceil(16)..1 << 14)),
            ..Default::default()
        };
        block.warp.next = Bits::new(rng.gen_range(0..WARPS));
        block.access.next = LockAccess {
            valid: idle && rng.gen(),
            releases: rng.gen(),
            warp: Bits::new(rng.gen_range(0..WARPS)),
            thread: Bits::new(rng.gen_range(0..32)),
            word: Bits::new(rng.gen_range(0..WORDS)),
        };
    };
    match cosim(Box::<SharedLocks>::default, 5000, 3, stimulus) {
        Ok(report) => assert_eq!(report.outputs_that_changed, report.outputs, "{report:?}"),
        Err(CosimError::Missing { tool, .. }) => println!("skipped: no {tool}"),
        Err(error) => panic!("{error}"),
    }
}
