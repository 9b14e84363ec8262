//! Compares the block scheduler with a model of the SMs and the launch contract. Every block is launched exactly once
//! and in order, each on the SM with the fewest blocks. Every thread's R0 and masks and the shared memory at launch are
//! correct, resident blocks have disjoint resources, and the end is reported once. Also compares the circuit with its
//! Verilog.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::chip::block_scheduler::{BlockScheduler, ThreadIndex, ThreadIndexLane, ThreadIndices};
use hdlkit::lint::lint;
use hdlkit::prelude::{Bits, CycleEngine};
use hdlkit_compiled::cosim::cosim;
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A launch, as configured by the host.
#[derive(Clone, Debug)]
struct Shape {
    grid: (u32, u32),
    block: (u32, u32, u32),
    registers: u32,
    shared_rows: u32,
    blocks_per_sm: u32,
    parameters: Vec<u32>,
}

impl Shape {
    fn threads(&self) -> u32 {
        self.block.0 * self.block.1 * self.block.2
    }
    fn warps(&self) -> u32 {
        self.threads().div_ceil(32)
    }
    fn blocks(&self) -> u32 {
        self.grid.0 * self.grid.1
    }

    /// A block shape with random resources that fit into the SM.
    fn random(block: (u32, u32, u32), blocks: u32, rng: &mut ChaCha8Rng) -> Shape {
        let mut shape = Shape {
            grid: (1, 1),
            block,
            registers: 0,
            shared_rows: 0,
            blocks_per_sm: 0,
            parameters: (0..*[0, 1, 4, 12, 13, 64].choose(rng).unwrap()).map(|_| rng.gen()).collect(),
        };
        let x = rng.gen_range(1..=blocks);
        shape.grid = (x, rng.gen_range(1..=blocks.div_ceil(x)));
        let most = (32 / shape.warps()).min(8);
        shape.blocks_per_sm = if rng.gen() { most } else { rng.gen_range(1..=most) };
        let rows = (512 / (shape.blocks_per_sm * shape.warps())).min(128);
        shape.registers = if rng.gen() { rows } else { rng.gen_range(1..=rows) };
        let least = (16 + 4 * shape.parameters.len() as u32).div_ceil(64);
        let most = (256 / shape.blocks_per_sm).min(40);
        assert!(least <= most);
        shape.shared_rows = if rng.gen() { least } else { rng.gen_range(least..=most) };
        shape
    }

    /// The contents of a block's shared memory at entry, by the contract.
    fn shared(&self, block: u32) -> Vec<u8> {
        let halves = [
            0,
            self.block.0,
            self.block.1,
            self.block.2,
            self.grid.0,
            self.grid.1,
            block % self.grid.0,
            block / self.grid.0,
        ];
        let mut bytes: Vec<u8> = halves.iter().flat_map(|&h| (h as u16).to_le_bytes()).collect();
        bytes.extend(self.parameters.iter().flat_map(|w| w.to_le_bytes()));
        assert!(bytes.len() <= 64 * self.shared_rows as usize);
        bytes.resize(64 * self.shared_rows as usize, 0);
        bytes
    }

    fn r0(&self, thread: u32) -> u32 {
        let (x, y) = (thread % self.block.0, thread / self.block.0);
        x | (y % self.block.1) << 16 | (y / self.block.1) << 26
    }
}

/// A warp running in the model's SM.
#[derive(Clone, Debug)]
struct Running {
    launch: WarpLaunch,
    ends_at: u64,
}

/// The timing of an SM.
#[derive(Clone, Copy)]
struct Manners {
    /// Warps run for up to this many cycles.
    run: u64,
    /// Launches and beats are accepted in one of this many cycles, on average.
    slow: u32,
}

/// The cause of a grid's early end.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Stop {
    Error,
    Abort,
}

/// An SM that receives blocks.
#[derive(Clone)]
struct Sm {
    shared: Vec<u8>,
    rows: Vec<[u32; 32]>,
    warps: Vec<Option<Running>>,
}

struct Bench<const L: usize, const S: usize> {
    engine: CycleEngine<BlockScheduler<L, S>>,
    rng: ChaCha8Rng,
    sms: Vec<Sm>,
    /// Cycles from the start of the last grid to the first warp's launch and to the end.
    first_launch: u64,
    length: u64,
    /// Maximum number of blocks resident at once on an SM in the last grid.
    resident: usize,
    /// Number of SMs that had a block in the last grid.
    used: usize,
}

impl<const L: usize, const S: usize> Bench<L, S> {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Bench {
            engine: CycleEngine::new(Box::new(BlockScheduler::default())),
            sms: (0..S)
                .map(|_| Sm {
                    shared: (0..16384).map(|_| rng.gen()).collect(),
                    rows: vec![[0; 32]; 512],
                    warps: vec![None; 32],
                })
                .collect(),
            first_launch: 0,
            length: 0,
            resident: 0,
            used: 0,
            rng,
        }
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.rng.gen_range(0..one_in) == 0
    }

    /// Runs a grid to its end and checks everything. With `stop`, a random SM reports an error or the host aborts in
    /// that cycle, and the grid must end without further blocks.
    fn run(&mut self, shape: &Shape, manners: Manners, stop: Option<(u64, Stop)>) {
        let (per_block, blocks) = (shape.warps() as usize, shape.blocks());
        self.engine.block.grid.launch.next = LaunchConfiguration {
            registers: Bits::new(shape.registers as u64),
            shared_rows: Bits::new(shape.shared_rows as u64),
            ..Default::default()
        };
        self.engine.block.grid.shape.next = GridConfiguration {
            grid_x: Bits::new(shape.grid.0 as u64),
            grid_y: Bits::new(shape.grid.1 as u64),
            block_x: Bits::new(shape.block.0 as u64),
            block_y: Bits::new(shape.block.1 as u64),
            block_z: Bits::new(shape.block.2 as u64),
            block_threads: Bits::new(shape.threads() as u64),
            blocks_per_sm: Bits::new(shape.blocks_per_sm as u64),
            parameter_count: Bits::new(shape.parameters.len() as u64),
        };
        for error in self.engine.block.sm.iter_mut().map(|sm| &mut sm.error) {
            error.next = false;
        }
        self.engine.block.grid.abort.next = false;

        // Block and warp of the next launch due; warps of each block that have ended.
        let mut due = (0u32, 0usize);
        let mut running_of = vec![0usize; blocks as usize];
        let mut last_end = 0;
        let mut stopped_at: Option<u64> = None;
        let mut done = false;
        let mut held: Option<(usize, WarpLaunch)> = None;
        // The occupied slots of each SM, now and at the start of the previous cycle.
        let mut occupied = vec![vec![false; shape.blocks_per_sm as usize]; S];
        let mut before = occupied.clone();
        let mut known = occupied.clone();
        let mut used = [false; S];
        let mut picked = 0;
        let mut clearing = false;
        let mut lazy = 0;
        self.resident = 0;
        let begin = self.engine.cycle();
        let mut parameter = 0xbad_bad;
        for cycle in 0.. {
            assert!(cycle < 2_000_000, "{shape:?} does not end");
            // The SM's actions in this cycle.
            let mut ended = [None; S];
            if stopped_at.is_none() {
                for (ended, sm) in ended.iter_mut().zip(&self.sms) {
                    let over = |w: &Option<Running>| matches!(w, Some(r) if r.ends_at <= cycle);
                    let candidates = (0..32).filter(|&w| over(&sm.warps[w]));
                    *ended = candidates.choose(&mut self.rng);
                }
            }
            let nothing_ended = ended.iter().all(Option::is_none);
            if let (Some((at, how)), None) = (stop, stopped_at) {
                if cycle >= at {
                    stopped_at = Some(cycle);
                    let which = self.rng.gen_range(0..S);
                    self.engine.block.sm[which].error.next = how == Stop::Error;
                    self.engine.block.grid.abort.next = how == Stop::Abort;
                }
            } else {
                self.engine.block.grid.abort.next = false;
            }
            let is_empty = self.sms.iter().all(|sm| sm.warps.iter().all(Option::is_none));
            let calm = match stopped_at {
                Some(at) => cycle > at,
                None => is_empty && cycle > last_end,
            };
            let idle: [bool; S] = std::array::from_fn(|_| calm && self.chance(3));
            let launch_ready: [bool; S] = std::array::from_fn(|_| self.chance(manners.slow));
            let init_ready: [bool; S] = std::array::from_fn(|_| self.chance(manners.slow));
            let block = &mut self.engine.block;
            block.grid.start.next = cycle == 0;
            for s in 0..S {
                block.sm[s].ended.next.valid = ended[s].is_some();
                block.sm[s].ended.next.warp = Bits::new(ended[s].unwrap_or(7) as u64);
                block.sm[s].idle.next = idle[s];
                block.sm[s].launch_ready.next = launch_ready[s];
                block.sm[s].init_ready.next = init_ready[s];
            }
            block.grid.parameter_word.next = Bits::new(parameter as u64);
            self.engine.settle();
            // The inputs of the next cycle.
            let index = self.engine.block.grid.parameter_index.val().raw() as usize;
            parameter = shape.parameters.get(index).copied().unwrap_or(0xbad_bad);

            // The scheduler's outputs.
            let block = &self.engine.block;
            assert_eq!(block.sm_clear.val(), cycle == 0);
            assert_eq!(block.grid.running.val(), cycle > 0, "cycle {cycle}");
            // Each signal is for one SM only.
            let only = |valid: &dyn Fn(usize) -> bool| {
                let whose: Vec<usize> = (0..S).filter(|&s| valid(s)).collect();
                assert!(whose.len() <= 1, "the same output goes to the SMs {whose:?}");
                whose.first().copied()
            };
            let launches = only(&|s| block.sm[s].launch_valid.val());
            let launch = block.sm[launches.unwrap_or(0)].launch.val();
            let initialises = only(&|s| block.sm[s].init_valid.val());
            let writes = only(&|s| block.sm[s].shared_init.val().valid);
            if let (Some(held), None) = (held, stopped_at) {
                assert_eq!(launches.map(|s| (s, launch)), Some(held), "a launch was withdrawn before it was accepted");
            }
            held = launches.filter(|&s| !launch_ready[s]).map(|s| (s, launch));
            if stopped_at.is_some_and(|at| cycle > at) {
                assert_eq!((launches, initialises, writes), (None, None, None), "a block or launch after the stop");
            }

            if block.grid.done.val() {
                assert!(idle.iter().all(|idle| *idle), "done while an SM is busy");
                if stopped_at.is_none() {
                    assert_eq!(due, (blocks, 0), "done before all blocks");
                    assert!(is_empty);
                }
                done = true;
            }

            // A new block is placed on the SM with the fewest blocks, in its lowest slot that was free when the block
            // was picked, one cycle earlier.
            let init = block.sm[writes.unwrap_or(0)].shared_init.val();
            let clears = writes.filter(|_| init.clear);
            let address = init.address.raw() as usize;
            std::mem::swap(&mut known, &mut before);
            before.clone_from(&occupied);
            if let (Some(sm), false) = (clears, clearing) {
                assert!(picked < blocks, "a block too many");
                let count = |slots: &Vec<bool>| slots.iter().filter(|o| **o).count();
                let with_room = (0..S).filter(|&s| count(&known[s]) < known[s].len());
                assert_eq!(
                    Some(sm),
                    with_room.min_by_key(|&s| count(&known[s])),
                    "the block is not on the SM with the fewest blocks: {known:?}"
                );
                let slot = address / 64 / shape.shared_rows as usize;
                assert_eq!(Some(slot), known[sm].iter().position(|o| !o), "the block is not in the lowest free slot");
                occupied[sm][slot] = true;
                used[sm] = true;
                picked += 1;
                self.resident = self.resident.max(count(&occupied[sm]));
            }
            clearing = clears.is_some();
            // The scheduler must not idle while there is work. Only the write at a warp's end may delay a pick, and the
            // thread IDs the first one.
            let nothing = (launches, initialises, writes) == (None, None, None);
            if occupied.iter().flatten().any(|o| !o) && picked < blocks && nothing && cycle > 36 {
                lazy += u32::from(nothing_ended);
                assert!(lazy <= 2 || stopped_at.is_some(), "a slot is free, but no block is dispatched");
            } else {
                lazy = 0;
            }

            if let Some(s) = writes {
                let sm = &mut self.sms[s];
                let bytes = 64 * shape.shared_rows as usize;
                let newest = due.0;
                for running in sm.warps.iter().flatten() {
                    let owner = running.launch.shared_row.raw() as usize * 64;
                    if running.launch.block.raw() as u32 != newest {
                        assert!(!(owner..owner + bytes).contains(&address), "running shared memory is written");
                    }
                }
                if init.clear {
                    assert_eq!(address % 64, 0);
                    sm.shared[address..address + 64].fill(0);
                } else {
                    assert_eq!(address % 4, 0);
                    let data = init.data.raw() as u32;
                    sm.shared[address..address + 4].copy_from_slice(&data.to_le_bytes());
                }
            }
            if let Some(s) = initialises.filter(|&s| init_ready[s]) {
                let sm = &mut self.sms[s];
                let row = block.sm[s].init_row.val().raw() as usize;
                let beat = block.sm[s].init_beat.val().raw() as usize;
                assert!(beat < 32 / L);
                for running in sm.warps.iter().flatten() {
                    let first = running.launch.row.raw() as usize;
                    assert!(
                        !(first..first + shape.registers as usize).contains(&row),
                        "registers of a running warp are written"
                    );
                }
                for lane in 0..L {
                    sm.rows[row][beat * L + lane] = block.sm[s].init_data[lane].val().raw() as u32;
                }
            }

            for (s, warp) in ended.iter().enumerate() {
                let Some(warp) = *warp else { continue };
                let sm = &mut self.sms[s];
                let running = sm.warps[warp].take().expect("it runs");
                last_end = cycle;
                let number = running.launch.block.raw() as usize;
                // Old contents do not survive unless they are written again.
                sm.rows[running.launch.row.raw() as usize] = [0xdead_beef; 32];
                running_of[number] += 1;
                if running_of[number] == per_block {
                    let first = running.launch.shared_row.raw() as usize * 64;
                    let bytes = 64 * shape.shared_rows as usize;
                    self.rng.fill(&mut sm.shared[first..first + bytes]);
                    occupied[s][warp / per_block] = false;
                }
            }

            if let Some(s) = launches.filter(|&s| launch_ready[s]) {
                let warp = launch.warp.raw() as usize;
                assert!(due.0 < blocks, "a launch too many");
                assert_eq!((launch.block.raw() as u32, launch.index.raw() as usize), due, "launches out of order");
                check_launch(&self.sms[s], shape, &launch);
                assert!(self.sms[s].warps[warp].is_none(), "warp {warp} runs already");
                if due == (0, 0) {
                    self.first_launch = cycle;
                }
                due.1 += 1;
                if due.1 == per_block {
                    due = (due.0 + 1, 0);
                }
                let ends_at = cycle + 1 + self.rng.gen_range(0..=manners.run);
                self.sms[s].warps[warp] = Some(Running { launch, ends_at });
            }

            self.engine.tick();
            if done {
                self.length = self.engine.cycle() - begin - 1;
                break;
            }
        }
        // After the end nothing happens, regardless of the SM.
        self.engine.block.grid.abort.next = false;
        for _ in 0..20 {
            for idle in self.engine.block.sm.iter_mut().map(|sm| &mut sm.idle) {
                idle.next = self.rng.gen();
            }
            self.engine.settle();
            let block = &self.engine.block;
            assert!(!block.grid.done.val() && !block.grid.running.val() && !block.sm_clear.val());
            for s in 0..S {
                assert!(
                    !block.sm[s].launch_valid.val()
                        && !block.sm[s].init_valid.val()
                        && !block.sm[s].shared_init.val().valid
                );
            }
            self.engine.tick();
        }
        self.used = used.iter().filter(|used| **used).count();
        for sm in &mut self.sms {
            sm.warps.fill(None);
        }
    }
}

/// Checks a warp at its launch against the contract and against the other warps.
fn check_launch(sm: &Sm, shape: &Shape, launch: &WarpLaunch) {
    let (index, number) = (launch.index.raw() as u32, launch.block.raw() as u32);
    let (row, shared_row) = (launch.row.raw() as u32, launch.shared_row.raw() as u32);
    let left = shape.threads() - 32 * index;
    let mask = if left >= 32 { !0 } else { (1u32 << left) - 1 };
    assert_eq!(launch.mask.raw() as u32, mask, "mask of warp {index} of {:?}", shape.block);
    assert!(row + shape.registers <= 512, "the warp has rows past the register file");
    assert!(shared_row + shape.shared_rows <= 256, "the block has rows past shared memory");
    for running in sm.warps.iter().flatten() {
        let other = running.launch.row.raw() as u32;
        assert!(row + shape.registers <= other || other + shape.registers <= row, "rows overlap");
        let other = running.launch.shared_row.raw() as u32;
        if running.launch.block == launch.block {
            assert_eq!(other, shared_row);
        } else {
            assert!(
                shared_row + shape.shared_rows <= other || other + shape.shared_rows <= shared_row,
                "shared memory overlaps"
            );
        }
    }
    let warps = shape.threads().div_ceil(32);
    assert_eq!(launch.block_warps.raw() as u32, warps, "warps of {:?}", shape.block);
    assert_eq!(launch.slot.raw() as u32, launch.warp.raw() as u32 / warps, "block slot");
    for lane in 0..32.min(left) {
        let thread = 32 * index + lane;
        assert_eq!(
            sm.rows[row as usize][lane as usize],
            shape.r0(thread),
            "R0 of thread {thread} of {:?}",
            shape.block
        );
    }
    let first = 64 * shared_row as usize;
    assert!(
        sm.shared[first..first + 64 * shape.shared_rows as usize] == shape.shared(number)[..],
        "shared memory of block {number} of {shape:?}"
    );
}

const SHAPES: &[(u32, u32, u32)] = &[
    (1, 1, 1),
    (2, 1, 1),
    (5, 3, 2),
    (32, 1, 1),
    (33, 1, 1),
    (32, 32, 1),
    (1024, 1, 1),
    (1, 1024, 1),
    (1, 64, 1),
    (1, 1, 64),
    (1, 16, 64),
    (3, 5, 64),
    (16, 16, 1),
    (7, 1, 9),
    (31, 33, 1),
    (8, 8, 8),
    (511, 2, 1),
];

fn random_block(rng: &mut ChaCha8Rng) -> (u32, u32, u32) {
    let z = rng.gen_range(1..=64);
    let y = rng.gen_range(1..=1024 / z);
    let x = rng.gen_range(1..=1024 / z / y);
    let mut sizes = [x, y, z];
    if rng.gen() {
        sizes[..2].reverse();
    }
    (sizes[0], sizes[1], sizes[2])
}

fn manners(rng: &mut ChaCha8Rng) -> Manners {
    Manners { run: *[0, 3, 40, 400].choose(rng).unwrap(), slow: *[1, 1, 2, 5].choose(rng).unwrap() }
}

fn grids<const L: usize, const S: usize>(seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = Bench::<L, S>::new(seed);
    for round in 0..90 {
        let block = match SHAPES.get(round) {
            Some(shape) => *shape,
            None if round % 3 == 0 => (rng.gen_range(1..80), 1, 1),
            None => random_block(&mut rng),
        };
        let shape = Shape::random(block, 30, &mut rng);
        let manners = manners(&mut rng);
        bench.run(&shape, manners, None);
    }
    // All slots in use, and refilled out of order.
    for blocks_per_sm in 1..=8 {
        let shape = Shape {
            grid: (6, 7 * S as u32),
            block: (rng.gen_range(1..=128), 1, 1),
            registers: 16,
            shared_rows: rng.gen_range(1..=8),
            blocks_per_sm,
            parameters: vec![rng.gen(), rng.gen()],
        };
        bench.run(&shape, Manners { run: 4000, slow: 1 }, None);
        assert_eq!(bench.resident, blocks_per_sm as usize);
    }
}

#[test]
fn grids_on_8_lanes() {
    grids::<8, 1>(1);
}

#[test]
fn grids_on_16_lanes() {
    grids::<16, 1>(2);
}

#[test]
fn grids_on_32_lanes() {
    grids::<32, 1>(3);
}

#[test]
fn grids_on_2_sms() {
    grids::<8, 2>(12);
}

#[test]
fn grids_on_4_sms() {
    grids::<16, 4>(13);
}

#[test]
fn grids_on_8_sms() {
    grids::<32, 8>(14);
}

/// The first blocks are dispatched to the SMs in turn, and every SM is kept full while there are blocks.
#[test]
fn all_sms_are_used() {
    let shape =
        Shape { grid: (40, 1), block: (64, 1, 1), registers: 8, shared_rows: 1, blocks_per_sm: 3, parameters: vec![] };
    let slow = Manners { run: 2000, slow: 1 };
    let mut one = Bench::<8, 1>::new(15);
    one.run(&shape, slow, None);
    let mut four = Bench::<8, 4>::new(15);
    four.run(&shape, slow, None);
    assert_eq!((one.used, one.resident, four.used, four.resident), (1, 3, 4, 3));
    assert!(four.length * 3 < one.length, "{} and {} cycles", four.length, one.length);
    four.run(&Shape { grid: (4, 1), ..shape }, slow, None);
    assert_eq!((four.used, four.resident), (4, 1));
}

/// The linear block number has 17 bits, with y above 0 and x different from y.
#[test]
fn block_numbers_carry() {
    let shape = Shape {
        grid: (65_535, 2),
        block: (1, 1, 1),
        registers: 64,
        shared_rows: 1,
        blocks_per_sm: 8,
        parameters: vec![],
    };
    Bench::<32, 1>::new(4).run(&shape, Manners { run: 0, slow: 1 }, None);
    let shape = Shape { grid: (1, 65_535), ..shape };
    Bench::<32, 1>::new(5).run(&shape, Manners { run: 0, slow: 1 }, None);
}

fn errors_and_aborts<const S: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut bench = Bench::<8, S>::new(6);
    for round in 0..if cfg!(feature = "soak") { 150 } else { 50 } {
        let shape = Shape::random(random_block(&mut rng), 12, &mut rng);
        let how = if rng.gen() { Stop::Error } else { Stop::Abort };
        let at = if round < 60 { 1 + round } else { rng.gen_range(1..1500) };
        let manners = manners(&mut rng);
        bench.run(&shape, manners, Some((at, how)));
        if round % 3 == 0 {
            let shape = Shape::random(random_block(&mut rng), 4, &mut rng);
            bench.run(&shape, manners, None);
        }
    }
}

#[test]
fn grids_work_after_errors_and_aborts() {
    errors_and_aborts::<1>();
    errors_and_aborts::<2>();
    errors_and_aborts::<4>();
}

/// A size of 0 means no block, and nothing happens.
#[test]
fn empty_grids_end_at_once() {
    let mut bench = Bench::<8, 1>::new(7);
    let shape =
        Shape { grid: (0, 3), block: (8, 1, 1), registers: 4, shared_rows: 1, blocks_per_sm: 2, parameters: vec![] };
    for grid in [(0, 3), (3, 0)] {
        bench.run(&Shape { grid, ..shape.clone() }, Manners { run: 0, slow: 1 }, None);
        assert!(bench.length < 20, "{} cycles", bench.length);
    }
}

#[test]
fn setup_takes_few_cycles() {
    let shape = Shape {
        grid: (1, 1),
        block: (32, 1, 1),
        registers: 10,
        shared_rows: 1,
        blocks_per_sm: 8,
        parameters: vec![1, 2, 3, 4],
    };
    let fast = Manners { run: 0, slow: 1 };
    let mut bench = Bench::<8, 1>::new(8);
    bench.run(&shape, fast, None);
    // start 1, pick 2, row 1, header and parameters 8, beats 4
    assert_eq!(bench.first_launch, 16);
    let mut bench = Bench::<32, 1>::new(8);
    bench.run(&shape, fast, None);
    // start 1, tids 32, offer 1, beat 1
    assert_eq!(bench.first_launch, 35);
}

fn equals_its_verilog<const L: usize, const S: usize>(seed: u64) {
    // The running warps of each SM: only these may end.
    let mut running: Vec<Vec<u64>> = vec![vec![]; S];
    let report = cosim(
        || Box::new(BlockScheduler::<L, S>::default()),
        12_000,
        seed,
        |block, rng, cycle| {
            for (s, running) in running.iter_mut().enumerate() {
                if block.sm[s].launch_valid.val() && block.sm[s].launch_ready.val() {
                    running.push(block.sm[s].launch.val().warp.raw());
                }
                if block.sm_clear.val() {
                    running.clear();
                }
                block.sm[s].error.next = rng.gen_range(0..2000 * S) == 0;
                block.sm[s].launch_ready.next = rng.gen_range(0..4) != 0;
                block.sm[s].init_ready.next = rng.gen_range(0..4) != 0;
                // Less often with more SMs, to use all of them.
                let ends = !running.is_empty() && rng.gen_range(0..3 * S * S) == 0;
                block.sm[s].ended.next.valid = ends;
                if ends {
                    let which = rng.gen_range(0..running.len());
                    block.sm[s].ended.next.warp = Bits::new(running.swap_remove(which));
                }
                block.sm[s].idle.next = running.is_empty() || rng.gen_range(0..10) == 0;
            }
            block.grid.abort.next = rng.gen_range(0..2000) == 0;
            block.grid.start.next = false;
            if !block.grid.running.val() && cycle % 8 == 0 && !block.grid.start.val() {
                let shape = if cycle == 0 {
                    Shape::random((32, 32, 1), 4, rng)
                } else {
                    Shape::random(random_block(rng), 12, rng)
                };
                block.grid.start.next = true;
                block.grid.launch.next = LaunchConfiguration {
                    registers: Bits::new(shape.registers as u64),
                    shared_rows: Bits::new(shape.shared_rows as u64),
                    ..Default::default()
                };
                block.grid.shape.next = GridConfiguration {
                    grid_x: Bits::new(shape.grid.0 as u64),
                    grid_y: Bits::new(shape.grid.1 as u64),
                    block_x: Bits::new(shape.block.0 as u64),
                    block_y: Bits::new(shape.block.1 as u64),
                    block_z: Bits::new(shape.block.2 as u64),
                    block_threads: Bits::new(shape.threads() as u64),
                    blocks_per_sm: Bits::new(shape.blocks_per_sm as u64),
                    parameter_count: Bits::new(shape.parameters.len() as u64),
                };
            }
            block.grid.parameter_word.next = Bits::new(rng.gen::<u32>() as u64);
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    // With 32 lanes there is one beat: `init_beat` of each SM stays 0.
    assert_eq!(report.outputs_that_changed, report.outputs - if L == 32 { S } else { 0 });
}

#[test]
fn scheduler_equals_its_verilog() {
    equals_its_verilog::<8, 1>(9);
    equals_its_verilog::<32, 1>(10);
    equals_its_verilog::<8, 2>(16);
    equals_its_verilog::<32, 4>(17);
}

#[test]
fn lane_thread_equals_its_verilog() {
    let report = cosim(Box::<ThreadIndexLane>::default, 10_000, 11, |block, rng, _| {
        block.lane.next = Bits::new(5);
        block.setup.next = rng.gen();
        block.tids.next = ThreadIndices {
            index: ThreadIndex {
                x: Bits::new(rng.gen_range(0..1024)),
                y: Bits::new(rng.gen_range(0..1024)),
                z: Bits::new(rng.gen_range(0..64)),
            },
            count: Bits::new(rng.gen_range(4..7)),
            less_x: Bits::new(rng.gen_range(0..4096)),
            less_y: Bits::new(rng.gen_range(0..4096)),
        };
        block.restart.next = rng.gen_range(0..5) == 0;
        block.step.next = rng.gen();
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn scheduler_passes_the_lint() {
    assert_eq!(lint(&BlockScheduler::<8, 1>::default()), []);
    assert_eq!(lint(&BlockScheduler::<32, 4>::default()), []);
}
