//! Warps and blocks: each runs once, in any order, freely or step by step.

use crate::running::*;
use crate::words::*;
use flexgrip_machine::{Configuration, ErrorKind, Launch, Placement};
use flexgrip_model::Machine;

/// Each thread stores its index in the block, plus 100 times the block's index, to its own word.
fn numbered(grid: [u32; 2], block: [u32; 3]) -> Launch {
    let words = [
        mov_shared(2, 6, 1), // ctaid.x
        mov_shared(3, 7, 1), // ctaid.y
        shl(3, 3, 2),        // grids are 4 wide
        iadd(2, 2, 3),       // linear block index
        shl(4, 2, 6),        // 64 threads a block
        iadd(4, 4, 0),       // thread's index
        shl(5, 4, 2),        // address
        mvi(6, 0x1000),
        iadd(4, 4, 6),
        gst(5, 4),
        ret(),
    ];
    Launch {
        grid,
        block,
        ..launch(&words)
    }
}

fn check_numbers(machine: &Machine, blocks: u32, threads: u32) {
    let memory: Vec<_> = machine.global().words().collect();
    for block in 0..blocks {
        for thread in 0..64 {
            let place = block * 64 + thread;
            let want = if thread < threads { place + 0x1000 } else { 0 };
            assert_eq!(memory[place as usize], want, "block {block} thread {thread}");
        }
    }
}

#[test]
fn every_thread_of_every_block_runs_once() {
    for (grid, block) in [([4, 5], [64, 1, 1]), ([4, 1], [33, 1, 1]), ([1, 1], [1, 1, 1])] {
        for sms in [1, 3] {
            let configuration = Configuration {
                sms,
                ..Configuration::default()
            };
            let mut machine = Machine::new(numbered(grid, block), configuration).expect("a launch that fits");
            let mut places = std::collections::BTreeSet::new();
            machine
                .run_observed(100_000, |record| {
                    places.insert((record.sm, record.warp));
                    assert_eq!(record.active & !record.executed, 0);
                })
                .unwrap_or_else(|error| panic!("{error}"));
            let blocks = grid[0] * grid[1];
            check_numbers(&machine, blocks, block[0]);
            assert!(machine.ended());
            assert_eq!(machine.outcome().blocks, u64::from(blocks));
            assert_eq!(machine.outcome().thread_instructions, u64::from(11 * blocks * block[0]));
            assert!(places.iter().all(|&(sm, warp)| sm < sms && warp < 32), "{places:?}");
        }
    }
}

#[test]
fn directed_steps_can_follow_any_order() {
    let mut free = machine(numbered([4, 3], [40, 1, 1]));
    let mut records = Vec::new();
    free.run_observed(100_000, |record| records.push(record.clone()))
        .unwrap_or_else(|error| panic!("{error}"));
    let mut directed = machine(numbered([4, 3], [40, 1, 1]));
    for block in (0..12).rev() {
        for warp in [1, 0] {
            for record in records
                .iter()
                .filter(|record| (record.block, record.warp_in_block) == (block, warp))
            {
                let step = directed
                    .step_warp(block, warp)
                    .unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(step.difference(record, Placement::Ignore), None);
            }
        }
    }
    assert!(directed.ended());
    assert_eq!(directed.global(), free.global());
    assert_eq!(directed.outcome(), free.outcome());
}

#[test]
fn run_completes_a_stepped_grid() {
    let mut machine = machine(numbered([4, 3], [64, 1, 1]));
    machine.step_warp(7, 1).unwrap_or_else(|error| panic!("{error}"));
    machine.run(100_000).unwrap_or_else(|error| panic!("{error}"));
    assert!(machine.ended());
    check_numbers(&machine, 12, 64);
}

#[test]
fn stepping_a_missing_warp_is_an_error() {
    let mut machine = machine(numbered([1, 1], [32, 1, 1]));
    for (block, warp) in [(1, 0), (0, 1), (u32::MAX, u32::MAX)] {
        let error = machine.step_warp(block, warp).expect_err("no such warp");
        assert_eq!(
            (error.kind, error.block, error.warp_in_block),
            (ErrorKind::NoSuchWarp, block, warp)
        );
    }
    for _ in 0..11 {
        machine.step_warp(0, 0).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(machine.step_warp(0, 0).expect_err("ended").kind, ErrorKind::NoSuchWarp);
    assert!(machine.ended());
}

#[test]
fn an_error_stops_the_grid() {
    let mut machine = machine(Launch {
        grid: [2, 1],
        ..launch(&[nop(), bra(0x100)])
    });
    for _ in 0..2 {
        machine.step_warp(1, 0).unwrap_or_else(|error| panic!("{error}"));
    }
    let error = machine.step_warp(1, 0).expect_err("out of the program");
    assert_eq!(
        (error.kind, error.block, error.pc),
        (ErrorKind::ProgramCounter, 1, 0x100)
    );
    assert_eq!(machine.step_warp(0, 0), Err(error));
    assert_eq!(machine.run(100), Err(error));
}
