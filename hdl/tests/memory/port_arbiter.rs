//! The port arbiter passes every request exactly once, unmodified and in its SM's order. No SM starves, and each answer
//! returns to its SM. With one SM the arbiter is a wire. Its Verilog behaves the same.

use flexgrip_hdl::memory::port_arbiter::PortArbiter;
use hdlkit::lint::lint;
use hdlkit::prelude::CycleEngine;
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// A request; the number distinguishes an SM's requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    write: bool,
    number: u32,
}

/// The results of a run.
struct Outcome {
    /// SM and cycle of each request that the memory accepted.
    taken: Vec<(usize, u64)>,
    cycles: u64,
}

/// Runs SMs that make `count` requests each, one in `pause` cycles on average, to a memory that accepts one in `slow`
/// cycles.
fn run<const S: usize>(count: u32, pause: u32, slow: u32, seed: u64) -> Outcome {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut engine = CycleEngine::new(Box::new(PortArbiter::<S>::default()));
    let mut made = [0u32; S];
    let mut waiting: [Option<Request>; S] = [None; S];
    // Reads in flight with the cycle of their answer; for each SM, the number of answers due.
    let mut reads: VecDeque<(u64, usize)> = VecDeque::new();
    let mut awaited = [0usize; S];
    let mut held: Option<(usize, Request)> = None;
    let mut taken = vec![];
    for cycle in 0.. {
        assert!(cycle < 1_000_000, "no end");
        if made.iter().all(|&made| made == count) && waiting.iter().all(Option::is_none) && reads.is_empty() {
            return Outcome { taken, cycles: cycle };
        }
        let block = &mut engine.block;
        for s in 0..S {
            // Like an SM, the bench has no more than 16 reads in flight.
            if waiting[s].is_none() && made[s] < count && awaited[s] < 16 && rng.gen_range(0..pause) == 0 {
                waiting[s] = Some(Request { write: rng.gen_range(0..3) == 0, number: made[s] });
                made[s] += 1;
            }
            block.request_valid[s].next = waiting[s].is_some();
            // The outputs of an SM without a request must not matter.
            block.request_write[s].next = waiting[s].map_or_else(|| rng.gen(), |request| request.write);
        }
        let ready = rng.gen_range(0..slow) == 0;
        let answer = match reads.front() {
            Some((due, s)) if *due <= cycle && rng.gen() => Some(*s),
            _ => None,
        };
        block.memory_request_ready.next = ready;
        block.memory_response_valid.next = answer.is_some();
        block.clear.next = cycle == 0;
        engine.settle();

        let block = &engine.block;
        for s in 0..S {
            assert_eq!(block.response_valid[s].val(), answer == Some(s), "cycle {cycle}, answer for {answer:?}");
        }
        if let Some(s) = answer {
            reads.pop_front();
            awaited[s] -= 1;
        }
        let chosen = block.chosen_sm.val().raw();
        assert_eq!(chosen != 0, waiting.iter().any(Option::is_some));
        if chosen == 0 {
            assert!((0..S).all(|s| block.request_ready[s].val() == ready));
        } else {
            assert!(chosen.is_power_of_two());
            let owner = chosen.trailing_zeros() as usize;
            let request = waiting[owner].expect("it asks");
            if let Some(held) = held {
                assert_eq!((owner, request), held, "a request was withdrawn from the port");
            }
            held = (!ready).then_some((owner, request));
            for s in 0..S {
                assert_eq!(block.request_ready[s].val(), ready && s == owner, "ready of SM {s}");
            }
            if ready {
                waiting[owner] = None;
                taken.push((owner, cycle));
                if !request.write {
                    awaited[owner] += 1;
                    reads.push_back((cycle + 1 + rng.gen_range(0..30), owner));
                }
            }
        }
        engine.tick();
    }
    unreachable!()
}

#[test]
fn requests_and_answers_are_delivered_once() {
    for (seed, (pause, slow)) in [(1, 1), (1, 4), (3, 2), (20, 1)].into_iter().enumerate() {
        let seed = seed as u64;
        assert_eq!(run::<1>(300, pause, slow, seed).taken.len(), 300);
        assert_eq!(run::<2>(300, pause, slow, seed).taken.len(), 600);
        assert_eq!(run::<4>(300, pause, slow, seed).taken.len(), 1200);
        assert_eq!(run::<8>(300, pause, slow, seed).taken.len(), 2400);
    }
}

/// SMs with continuous requests are served in turn.
#[test]
fn round_robin_is_fair() {
    let mut engine = CycleEngine::new(Box::new(PortArbiter::<4>::default()));
    engine.block.memory_request_ready.next = true;
    for s in 0..4 {
        engine.block.request_valid[s].next = s != 2;
        engine.block.request_write[s].next = true;
    }
    let mut order = vec![];
    for cycle in 0..12 {
        // SM 2 starts late; a new grid restarts the round.
        engine.block.request_valid[2].next = cycle >= 4;
        engine.block.clear.next = cycle == 9;
        engine.settle();
        order.push(engine.block.chosen_sm.val().raw().trailing_zeros());
        engine.tick();
    }
    assert_eq!(order, [0, 1, 3, 0, 1, 2, 3, 0, 1, 2, 0, 1]);
}

/// One SM alone never waits for the arbiter.
#[test]
fn one_sm_never_waits() {
    let outcome = run::<1>(100, 1, 1, 5);
    let cycles: Vec<u64> = outcome.taken.iter().map(|(_, cycle)| *cycle).collect();
    // A request per cycle until 16 reads are in flight.
    assert_eq!(cycles[..16], (0..16).collect::<Vec<_>>());
    assert!(outcome.cycles >= 100);
}

fn equals_its_verilog<const S: usize>(seed: u64) {
    let mut awaited = 0usize;
    let report = cosim(
        || Box::new(PortArbiter::<S>::default()),
        5_000,
        seed,
        |block, rng, cycle| {
            let chosen = block.chosen_sm.val();
            let read = (0..S).any(|s| chosen.get_bit(s) && !block.request_write[s].val());
            awaited += usize::from(read && block.memory_request_ready.val());
            awaited -= usize::from(block.memory_response_valid.val());
            block.clear.next = cycle == 0 || rng.gen_range(0..500) == 0;
            for s in 0..S {
                // A request stays until it is accepted.
                if block.request_valid[s].val() && !block.request_ready[s].val() {
                    continue;
                }
                block.request_valid[s].next = rng.gen() && awaited < 16 * S;
                block.request_write[s].next = rng.gen();
            }
            block.memory_request_ready.next = rng.gen();
            block.memory_response_valid.next = awaited > 0 && rng.gen_range(0..3) == 0;
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn arbiter_equals_its_verilog() {
    equals_its_verilog::<1>(1);
    equals_its_verilog::<2>(2);
    equals_its_verilog::<4>(3);
}

#[test]
fn arbiter_passes_the_lint() {
    assert_eq!(lint(&PortArbiter::<1>::default()), []);
    assert_eq!(lint(&PortArbiter::<8>::default()), []);
}
