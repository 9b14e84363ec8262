//! Compares credits with a queue with random pushes and pops: `left` must be true exactly if the queue has a free
//! entry.

use flexgrip_hdl::issue::credits::Credits;
use hdlkit::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Fills and empties a queue of `places` entries at random. Returns the number of cycles in which it was full.
fn run(places: usize) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(places as u64);
    let mut engine = CycleEngine::new(Box::new(Credits::<3>::default()));
    engine.block.places.next = Bits::new(places as u64);
    engine.settle();
    assert!(!engine.block.left.val(), "credits before the first clear");
    engine.block.clear.next = true;
    engine.settle();
    engine.tick();
    let (mut filled, mut full) = (0, 0);
    for cycle in 0..2_000 {
        engine.settle();
        let left = engine.block.left.val();
        assert_eq!(left, filled < places, "cycle {cycle}: {filled} of {places} entries are filled");
        full += u32::from(!left);
        let (take, give) = (left && rng.gen(), filled > 0 && rng.gen());
        let clear = rng.gen_bool(0.01);
        engine.block.take.next = take;
        engine.block.give.next = give;
        engine.block.clear.next = clear;
        filled = if clear { 0 } else { filled + usize::from(take) - usize::from(give) };
        engine.settle();
        engine.tick();
    }
    full
}

#[test]
fn credits_show_free_queue_entries() {
    for places in 1..8 {
        let full = run(places);
        println!("{places} entries: full in {full} cycles");
        assert!(full > 50, "{places} entries: full in {full} cycles only");
    }
}
