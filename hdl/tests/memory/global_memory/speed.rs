//! Tests of speed: latencies, requests per access under both coalescing rules, and cycles per request.

use super::bench::{Bench, Surroundings, PROMPT};
use super::model::{coalesced, Access};

/// Measures the latencies of a single load, and the rate of many.
fn speed<const LANES: usize>() {
    let mut bench = Bench::<LANES>::new(3, 1 << 16);
    let lone = bench.run(&[coalesced(false, 0x400)], PROMPT);
    let beats = 32 / LANES;
    assert_eq!(lone.offered.len(), beats);
    for beat in 0..beats {
        assert!(lone.offered[beat] - lone.enqueued[beat] <= 4, "{lone:?}");
        assert!(lone.loaded[beat] - lone.responded[beat] <= 2, "{lone:?}");
    }
    for (store, latency) in [(false, 1), (false, 12), (true, 1)] {
        let many: Vec<Access> = (0..100).map(|i| coalesced(store, 128 * i)).collect();
        let around = Surroundings { latency: (latency, latency), ..PROMPT };
        let times = bench.run(&many, around);
        let count = 100 * beats;
        let span = |times: &[u64]| {
            assert_eq!(times.len(), count);
            times[count - 1] - times[0] + 1
        };
        assert_eq!(span(&times.enqueued), count as u64, "one beat arrives per cycle");
        assert_eq!(span(&times.requested), count as u64, "one request a cycle");
        if !store {
            assert_eq!(span(&times.loaded), count as u64, "one beat a cycle is loaded");
        }
    }
    // Every thread in its own segment: one request for each, still one per cycle.
    let mut scattered = coalesced(false, 0);
    scattered.address = std::array::from_fn(|i| 256 * i as u32);
    let times = bench.run(&vec![scattered; 20], PROMPT);
    assert_eq!(times.requested.len(), 640);
    assert_eq!(times.requested[639] - times.requested[0] + 1, 640);
}

#[test]
fn accesses_are_fast_at_8_lanes() {
    speed::<8>();
}

#[test]
fn accesses_are_fast_at_16_lanes() {
    speed::<16>();
}

#[test]
fn accesses_are_fast_at_32_lanes() {
    speed::<32>();
}

/// Number of requests for an access by a warp, counted by the unit's statistics pulse.
fn requests<const LANES: usize>(strict: bool, a: &Access) -> usize {
    let mut bench = Bench::<LANES>::new(4, 1 << 16);
    bench.strict = strict;
    // The bench checks `m_transaction` against each accepted request.
    bench.run(std::slice::from_ref(a), PROMPT).requested.len()
}

/// Checks the number of requests under both rules, with 8, 16 and 32 lanes.
#[test]
fn coalescing_rules_make_the_expected_requests() {
    let pattern = |size: u32, element: fn(u32) -> u32, mask: u32| Access {
        size,
        address: std::array::from_fn(|thread| 0x400 + (element(thread as u32) << size)),
        mask,
        ..coalesced(false, 0)
    };
    let in_order = |thread| thread;
    for (what, a, segment, g80) in [
        ("32 bits in order", pattern(2, in_order, !0), [4, 2, 1], [4, 2, 2]),
        ("64 bits in order", pattern(3, in_order, !0), [8, 4, 2], [8, 4, 2]),
        ("128 bits in order", pattern(4, in_order, !0), [16, 8, 4], [16, 8, 4]),
        ("threads missing", pattern(2, in_order, 0x5555_5555), [4, 2, 1], [4, 2, 2]),
        ("one thread", pattern(3, in_order, 1 << 13), [1; 3], [1; 3]),
        ("half a warp", pattern(2, in_order, 0xffff), [2, 1, 1], [2, 1, 1]),
        ("backwards", pattern(2, |thread| thread ^ 15, !0), [4, 2, 1], [32; 3]),
        ("one word on", pattern(2, |thread| thread + 1, !0), [8, 4, 2], [32; 3]),
        ("64 bits, one on", pattern(3, |thread| thread + 1, !0), [12, 6, 3], [32; 3]),
        ("all threads access one address", pattern(2, |_| 5, !0), [4, 2, 1], [32; 3]),
        ("every other word", pattern(2, |thread| 2 * thread, !0), [8, 4, 2], [32; 3]),
        ("halves swapped", pattern(2, |thread| thread ^ 16, !0), [4, 2, 1], [4, 2, 2]),
        ("quarters swapped", pattern(2, |thread| thread ^ 8, !0), [4, 2, 1], [32; 3]),
        ("an odd one", pattern(2, |thread| if thread == 31 { 0 } else { thread }, !0), [5, 3, 1], [18, 17, 17]),
        ("bytes", pattern(0, in_order, !0), [4, 2, 1], [32; 3]),
        ("16 bits", pattern(1, in_order, !0), [4, 2, 1], [32; 3]),
    ] {
        let got = |strict| [requests::<8>(strict, &a), requests::<16>(strict, &a), requests::<32>(strict, &a)];
        assert_eq!((got(false), got(true)), (segment, g80), "{what}");
        let store = Access { store: true, ..a.clone() };
        assert_eq!(requests::<8>(true, &store), g80[0], "{what}, stored");
    }
}

/// Checks that accesses of 64 and 128 bits take one request and one register per cycle.
fn wide_speed<const LANES: usize>() {
    for (size, registers) in [(3, 2), (4, 4)] {
        for store in [false, true] {
            let wide = |i: u32| {
                let bytes = 1 << size;
                Access {
                    size,
                    address: std::array::from_fn(|thread| 32 * bytes * (i % 16) + bytes * thread as u32),
                    ..coalesced(store, 0)
                }
            };
            let mut bench = Bench::<LANES>::new(5, 1 << 16);
            let times = bench.run(&(0..64).map(wide).collect::<Vec<_>>(), PROMPT);
            let count = 64 * (32 / LANES) * registers;
            let span = |times: &[u64]| {
                assert_eq!(times.len(), count);
                times[count - 1] - times[0] + 1
            };
            assert_eq!(span(&times.requested), count as u64, "one request a cycle");
            if store {
                assert_eq!(span(&times.enqueued), count as u64, "one register arrives per cycle");
            } else {
                assert_eq!(span(&times.loaded), count as u64, "one register a cycle is loaded");
            }
            // A single load is as fast as one of 32 bits.
            let lone = Bench::<LANES>::new(6, 1 << 16).run(&[wide(0)], PROMPT);
            let begun = if store { registers - 1 } else { 0 };
            assert_eq!(lone.offered[0] - lone.enqueued[begun], 4, "{lone:?}");
            if !store {
                assert_eq!(lone.loaded[0] - lone.responded[registers - 1], 1, "{lone:?}");
            }
        }
    }
}

/// Tests stores of 128 bits with neighbours in memory that are a quarter of the lane count apart: the store buffer
/// reads their data in two cycles per request.
fn meeting_stores<const LANES: usize>() {
    let bit = LANES.ilog2() - 2;
    let swapped = |thread: u32| thread & !(1 | 1 << bit) | thread >> bit & 1 | (thread & 1) << bit;
    let scattered = |i: u32| Access {
        size: 4,
        address: std::array::from_fn(|thread| 32 * 16 * (i % 16) + 16 * swapped(thread as u32)),
        ..coalesced(true, 0)
    };
    let mut bench = Bench::<LANES>::new(7, 1 << 16);
    let times = bench.run(&(0..64).map(scattered).collect::<Vec<_>>(), PROMPT);
    let count = 64 * (32 / LANES) * 4;
    assert_eq!(times.requested.len(), count);
    assert_eq!(times.requested[count - 1] - times.requested[0] + 1, 2 * count as u64 - 1);
}

#[test]
fn meeting_stores_take_two_cycles() {
    meeting_stores::<8>();
    meeting_stores::<16>();
    meeting_stores::<32>();
}

#[test]
fn wide_accesses_are_fast_at_8_lanes() {
    wide_speed::<8>();
}

#[test]
fn wide_accesses_are_fast_at_16_lanes() {
    wide_speed::<16>();
}

#[test]
fn wide_accesses_are_fast_at_32_lanes() {
    wide_speed::<32>();
}
