//! Compares the fetch stage with a program: it always offers the words at the warps' PCs, including instructions that
//! straddle two words, and every word arrives.

use flexgrip_hdl::bundles::WarpSelect;
use flexgrip_hdl::issue::fetch::{Fetch, FetchRestart};
use hdlkit::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const WARPS: usize = 32;

/// The program's 32-bit half at an index.
fn half(place: u64) -> u64 {
    (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24) & 0xffff_ffff
}

/// The program's 64-bit word at an index.
fn word(number: u64) -> u64 {
    half(2 * number + 1) << 32 | half(2 * number)
}

#[test]
fn warps_receive_their_programs() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut engine = CycleEngine::new(Box::new(Fetch::default()));
    // The position of each running warp, in halves.
    let mut warps: [Option<u64>; WARPS] = [None; WARPS];
    // Cycles in which a running warp has waited for its word, and for the next one.
    let mut waited = [(0, 0); WARPS];
    let mut data = 0;
    let (mut across, mut popped) = (0, 0);
    for cycle in 0..60_000 {
        // Few warps, then many.
        let most = [1, 3, WARPS][cycle / 4000 % 3];
        let block = &mut engine.block;
        block.instruction.data.next = Bits::new(data);
        block.f_clear.next = cycle % 8000 == 0;
        let restart = (cycle % 8000 != 0 && rng.gen_bool(0.03)).then(|| rng.gen_range(0..most));
        let (stop, place) = (rng.gen_bool(0.2), rng.gen_range(0..1 << 20));
        block.f_restart.next = FetchRestart {
            valid: restart.is_some(),
            warp: Bits::new(restart.unwrap_or(0) as u64),
            stop: restart.is_some() && stop,
            // A byte address: any multiple of 4.
            pc: Bits::new(4 * place),
        };
        let read = rng.gen_range(0..most);
        block.heads.read_warp.next = Bits::new(read as u64);
        block.heads.read_odd.next = warps[read].is_some_and(|place| place % 2 == 1);
        block.heads.pop.next = WarpSelect::default();
        engine.settle();
        let available = engine.block.heads.available.val().raw();
        let both = engine.block.heads.both.val();
        let mut pop = false;
        match warps[read] {
            Some(place) if available >> read & 1 == 1 => {
                let number = place / 2;
                let (lower, upper) = (engine.block.heads.lower.val().raw(), engine.block.heads.upper.val().raw());
                assert_eq!(upper, half(2 * number + 1), "cycle {cycle}, warp {read}");
                if place % 2 == 0 {
                    assert_eq!(lower, half(place), "cycle {cycle}, warp {read}");
                } else if both {
                    assert_eq!(lower, half(place + 1), "cycle {cycle}, warp {read}");
                    across += 1;
                }
                pop = cycle % 8000 != 0 && restart != Some(read) && rng.gen_bool(0.5);
            }
            Some(_) => {}
            None => assert_eq!(available >> read & 1, 0, "cycle {cycle}, warp {read} does not run"),
        }
        // Every word arrives within a round or two.
        waited[read].0 = if warps[read].is_some() && available >> read & 1 == 0 { waited[read].0 + 1 } else { 0 };
        waited[read].1 = if warps[read].is_some() && !both { waited[read].1 + 1 } else { 0 };
        assert!(waited[read].0 < 60 && waited[read].1 < 90, "cycle {cycle}, warp {read}: {:?}", waited[read]);
        if pop {
            engine.block.heads.pop.next = WarpSelect { valid: true, warp: Bits::new(read as u64) };
            engine.settle();
            popped += 1;
        }
        data = match engine.block.instruction.enable.val() {
            true => word(engine.block.instruction.address.val().raw()),
            false => rng.gen(),
        };
        engine.tick();
        if cycle % 8000 == 0 {
            (warps, waited) = ([None; WARPS], [(0, 0); WARPS]);
        }
        if pop {
            warps[read] = warps[read].map(|place| place + 2);
        }
        if let Some(warp) = restart {
            warps[warp] = (!stop).then_some(place);
            waited[warp] = (0, 0);
        }
    }
    assert!(across > 5_000 && popped > 5_000, "{across}, {popped}");
}
