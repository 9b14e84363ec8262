//! Compares the barrier unit with the contract's rules, with random blocks, arrivals and exits.
//!
//! The reference takes events in order and determines at once which warps continue; the circuit must release exactly
//! these warps within some cycles.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::control::barrier::{BarrierUnit, IssuedBarrier};
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Maximum cycles from an exit to the last release, with 16 barriers to scan: one until the scan begins, one for the
/// marks, one to pick the first, and two in which another slot may still be scanned.
const SCAN: u64 = 22;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    Ended,
    ToBegin,
    Running,
    /// The warp is between the issue of its BAR and its release.
    Held,
    Waits {
        barrier: usize,
        pc: u64,
    },
}

#[derive(Clone, Copy, Debug, Default)]
struct Barrier {
    count: u32,
    for_all: bool,
}

/// The reference's block in a slot.
#[derive(Clone, Debug, Default)]
struct Block {
    warps: Vec<State>,
    barriers: [Barrier; 16],
}

impl Block {
    fn live(&self) -> u32 {
        self.warps.iter().filter(|warp| **warp != State::Ended).count() as u32
    }

    /// Opens a barrier. Returns the warps that continue.
    fn open(&mut self, barrier: usize) -> Vec<usize> {
        self.barriers[barrier] = Barrier::default();
        let waits = |warp: &usize| matches!(self.warps[*warp], State::Waits { barrier: at, .. } if at == barrier);
        (0..self.warps.len()).filter(waits).collect()
    }

    fn arrive(&mut self, warp: usize, control: &BarrierControl, pc: u64) -> Vec<usize> {
        let (barrier, threads) = (control.barrier.index(), control.threads.raw() as u32);
        let live = self.live();
        let state = &mut self.barriers[barrier];
        let mut released = Vec::new();
        let mut opened = false;
        if control.arrives {
            state.count += 1;
            state.for_all = threads == 0xfff;
            let number = if state.for_all { live } else { threads.div_ceil(32) };
            opened = state.count >= number;
        }
        if opened {
            released = self.open(barrier);
        }
        if control.waits && !opened {
            self.warps[warp] = State::Waits { barrier, pc };
        } else {
            released.push(warp);
        }
        released
    }

    fn end(&mut self, warp: usize) -> Vec<usize> {
        self.warps[warp] = State::Ended;
        let live = self.live();
        let opens = |barrier: &usize| {
            let Barrier { count, for_all } = self.barriers[*barrier];
            for_all && count >= live
        };
        let opening: Vec<usize> = (0..16).filter(opens).collect();
        opening.into_iter().flat_map(|barrier| self.open(barrier)).collect()
    }

    /// The lowest warp and its BAR, if all warps that have not exited wait.
    fn deadlock(&self) -> Option<(usize, u64)> {
        let mut live = (0..self.warps.len()).filter(|&warp| self.warps[warp] != State::Ended);
        let lowest = live.next()?;
        let State::Waits { pc, .. } = self.warps[lowest] else {
            return None;
        };
        live.all(|warp| matches!(self.warps[warp], State::Waits { .. })).then_some((lowest, pc))
    }
}

/// The unit, the reference's blocks, and the releases still due.
struct Bench {
    engine: CycleEngine<BarrierUnit>,
    blocks: Vec<Block>,
    block_warps: usize,
    /// Warps that must be released, each with the last allowed cycle.
    expected: Vec<(usize, u64)>,
    released: u64,
    /// The cycle in which the latest BAR issued.
    last_bar: u64,
}

impl Bench {
    fn new(block_warps: usize) -> Self {
        Bench {
            engine: CycleEngine::new(Box::new(BarrierUnit::default())),
            blocks: vec![Block::default(); (32 / block_warps).min(8)],
            block_warps,
            expected: Vec::new(),
            released: 0,
            last_bar: 0,
        }
    }

    fn state(&mut self, warp: usize) -> &mut State {
        &mut self.blocks[warp / self.block_warps].warps[warp % self.block_warps]
    }

    /// A random warp of any block in the wanted state.
    fn choose(&self, rng: &mut ChaCha8Rng, wanted: State) -> Option<usize> {
        let warps = self.blocks.iter().enumerate().flat_map(|(slot, block)| {
            let first = slot * self.block_warps;
            (0..block.warps.len()).map(move |warp| (first + warp, block.warps[warp]))
        });
        let found: Vec<usize> = warps.filter(|(_, state)| *state == wanted).map(|(warp, _)| warp).collect();
        found.choose(rng).copied()
    }

    fn expect(&mut self, slot: usize, released: Vec<usize>, by: u64) {
        for warp in released {
            let warp = slot * self.block_warps + warp;
            *self.state(warp) = State::Held;
            self.expected.push((warp, by));
        }
    }

    /// Runs one cycle with random events. The fraction `usual` of the BARs is for the whole block at one barrier.
    /// Returns the reference's deadlock, if any.
    fn step(&mut self, rng: &mut ChaCha8Rng, usual: f64) -> Option<(usize, u64)> {
        let cycle = self.engine.cycle();
        let block = &mut self.engine.block;
        block.bar_clear.next = false;
        block.begins.next = WarpBegin::default();
        block.b_resolved.next = Resolved::default();
        block.s_barrier.next = IssuedBarrier::default();
        self.engine.settle();
        let busy = self.engine.block.bar_busy.val();
        let mut deadlock = None;
        // The lowest warp that has not started; a new block where all have exited.
        let free = self.blocks.iter().position(|block| block.live() == 0);
        if let Some(slot) = free.filter(|_| rng.gen_bool(0.2)) {
            self.blocks[slot] = Block { warps: vec![State::ToBegin; self.block_warps], ..Block::default() };
        }
        // The instruction that ends a warp issues after earlier BARs, and takes effect three cycles later.
        let ends = cycle > self.last_bar + 3 && rng.gen_bool(0.04);
        // A warp that starts in this cycle has its first instruction later.
        let runs = self.choose(rng, State::Running);
        let begins = (0..self.blocks.len() * self.block_warps).find(|&warp| {
            let block = &self.blocks[warp / self.block_warps];
            block.warps.get(warp % self.block_warps) == Some(&State::ToBegin)
        });
        if let Some(warp) = begins.filter(|_| !ends && rng.gen_bool(0.5)) {
            *self.state(warp) = State::Running;
            let launch = WarpLaunch {
                warp: Bits::new(warp as u64),
                index: Bits::new((warp % self.block_warps) as u64),
                slot: Bits::new((warp / self.block_warps) as u64),
                block_warps: Bits::new(self.block_warps as u64),
                ..WarpLaunch::default()
            };
            self.engine.block.begins.next = WarpBegin { valid: true, launch };
        }
        // Like the warp scheduler, the bench issues no BAR in the cycle of an exit or while a scan is due.
        if let Some(warp) = runs.filter(|_| ends) {
            let slot = warp / self.block_warps;
            let released = self.blocks[slot].end(warp % self.block_warps);
            self.expect(slot, released, cycle + SCAN);
            deadlock = self.blocks[slot].deadlock().map(|(lowest, pc)| (slot * self.block_warps + lowest, pc));
            let warp = Bits::new(warp as u64);
            self.engine.block.b_resolved.next = Resolved { valid: true, ended: true, warp, ..Resolved::default() };
        } else if let Some(warp) = runs.filter(|_| !busy && rng.gen_bool(0.6)) {
            let mut control =
                BarrierControl { barrier: Bits::new(7), threads: Bits::new(0xfff), arrives: true, waits: true };
            if !rng.gen_bool(usual) {
                control.barrier = Bits::new(*[0, 1, 7, 15].choose(rng).expect("some"));
                control.threads = match rng.gen_range(0..4) {
                    0 => Bits::new(rng.gen_range(0..=32 * self.block_warps as u64)),
                    1 => Bits::new(rng.gen_range(0..0x1000)),
                    _ => Bits::new(0xfff),
                };
                control.arrives = rng.gen_bool(0.9);
                control.waits = rng.gen_bool(0.6);
            }
            let pc = rng.gen_range(0..1 << 20) * 8;
            let slot = warp / self.block_warps;
            *self.state(warp) = State::Held;
            let released = self.blocks[slot].arrive(warp % self.block_warps, &control, pc);
            self.expect(slot, released, cycle + 3);
            self.last_bar = cycle;
            deadlock = self.blocks[slot].deadlock().map(|(lowest, pc)| (slot * self.block_warps + lowest, pc));
            self.engine.block.s_barrier.next =
                IssuedBarrier { valid: true, warp: Bits::new(warp as u64), pc: Bits::new(pc), control };
        }
        self.engine.settle();
        let released = self.engine.block.bar_release.val().raw();
        for warp in (0..32).filter(|warp| released >> warp & 1 == 1) {
            let index = self.expected.iter().position(|(expected, _)| *expected == warp);
            let index = index.unwrap_or_else(|| panic!("cycle {cycle}: warp {warp} is released, but none should be"));
            self.expected.swap_remove(index);
            *self.state(warp) = State::Running;
            self.released += 1;
        }
        for (warp, by) in &self.expected {
            assert!(cycle < *by, "cycle {cycle}: warp {warp} should have been released by {by}");
        }
        self.engine.tick();
        deadlock
    }
}

/// Runs blocks of `block_warps` warps until one deadlocks, checks the error, and clears; `deadlocks` times. Returns the
/// number of warps released.
fn run(block_warps: usize, seed: u64, deadlocks: usize) -> u64 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = Bench::new(block_warps);
    for _ in 0..deadlocks {
        let usual = *[0.0, 0.8, 0.99].choose(&mut rng).expect("some");
        bench.blocks.fill(Block::default());
        bench.expected.clear();
        bench.engine.block.bar_clear.next = true;
        bench.engine.settle();
        bench.engine.tick();
        let mut stuck = None;
        for _ in 0..2_000 {
            stuck = bench.step(&mut rng, usual);
            if stuck.is_some() {
                break;
            }
            assert!(!bench.engine.block.bar_deadlock.val());
        }
        let Some((warp, pc)) = stuck else { continue };
        let block = &mut bench.engine.block;
        block.begins.next = WarpBegin::default();
        block.b_resolved.next = Resolved::default();
        block.s_barrier.next = IssuedBarrier::default();
        let mut cycles = 0;
        loop {
            bench.engine.settle();
            let error = bench.engine.block.bar_error.val();
            if error.code.raw() != 0 {
                assert_eq!((error.code.raw(), error.warp.index(), error.pc.raw()), (9, warp, pc));
                assert!(bench.engine.block.bar_deadlock.val());
                break;
            }
            bench.engine.tick();
            cycles += 1;
            assert!(cycles < 32 + SCAN, "no error for warp {warp}");
        }
    }
    bench.released
}

#[test]
fn arrivals_and_exits_release_the_waiting_warps() {
    for block_warps in [1, 2, 3, 5, 8, 32] {
        let released = run(block_warps, block_warps as u64, 300);
        println!("blocks of {block_warps} warps: {released} released");
        assert!(released > 3_000, "blocks of {block_warps} warps: only {released} released");
    }
}
