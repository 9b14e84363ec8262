//! The requests that an access makes of global memory, by the coalescing rules of `docs/pipeline.md`.

use flexgrip_machine::host_map::local_place;
use flexgrip_machine::{MemoryEffect, MemorySpace};

/// Threads of a half-warp.
const HALF: u32 = 16;

/// How accesses are coalesced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// Words of a request, and threads of a beat.
    pub lanes: u32,
    /// The strict rule of compute capability 1.0.
    pub strict: bool,
}

/// The address in memory behind the port, as far as neighbours are concerned.
fn physical(effect: &MemoryEffect) -> u64 {
    match effect.space {
        MemorySpace::Local => local_place(effect.address, effect.lane.into()),
        _ => effect.address.into(),
    }
}

/// Whether the threads of a half-warp access the elements of one segment in their order.
fn in_order<'a>(effects: impl Iterator<Item = &'a MemoryEffect> + Clone) -> bool {
    let start = |effect: &MemoryEffect| {
        let own = u64::from(u32::from(effect.lane) % HALF * u32::from(effect.bytes));
        physical(effect).checked_sub(own)
    };
    let Some(first) = effects.clone().next() else {
        return true;
    };
    let size = u64::from(HALF) * u64::from(first.bytes);
    let segment = start(first).filter(|start| start % size == 0 && first.bytes >= 4);
    segment.is_some() && effects.map(start).all(|start| start == segment)
}

/// Requests of each beat of an access to global or local memory, made of `effects` in the order of their lanes.
pub(super) fn requests(effects: &[MemoryEffect], rule: Rule) -> [u32; 4] {
    let lanes = rule.lanes.max(8);
    let mut requests = [0; 4];
    let outside = |effect: &&MemoryEffect| effect.space != MemorySpace::Shared;
    for (beat, count) in (0..).zip(&mut requests) {
        let of_beat = move |effect: &&MemoryEffect| outside(effect) && u32::from(effect.lane) / lanes == beat;
        if !rule.strict {
            *count = segments(effects.iter().filter(of_beat), lanes);
            continue;
        }
        for half in 0..2 {
            let of_half = move |effect: &&MemoryEffect| outside(effect) && u32::from(effect.lane) / HALF == half;
            let served = effects.iter().filter(of_half).filter(of_beat);
            *count += match in_order(effects.iter().filter(of_half)) {
                true => segments(served, lanes),
                false => served.count() as u32,
            };
        }
    }
    requests
}

/// The number of segments of `lanes` words that the effects touch.
fn segments<'a>(effects: impl Iterator<Item = &'a MemoryEffect>, lanes: u32) -> u32 {
    let mut seen = [0; 32];
    let mut count = 0;
    for effect in effects {
        let segment = physical(effect) / u64::from(4 * lanes);
        if !seen[..count].contains(&segment) && count < seen.len() {
            seen[count] = segment;
            count += 1;
        }
    }
    count as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All requests of a warp whose threads access `address(thread)`.
    fn all(lanes: u32, strict: bool, bytes: u8, space: MemorySpace, address: impl Fn(u32) -> u32) -> u32 {
        let effects: Vec<MemoryEffect> = (0..32)
            .map(|lane| MemoryEffect {
                space,
                store: false,
                lane: lane as u8,
                address: address(lane),
                bytes,
                data: 0,
            })
            .collect();
        requests(&effects, Rule { lanes, strict }).iter().sum()
    }

    #[test]
    fn the_table_of_the_pipeline_page() {
        use MemorySpace::Global;
        type Row = (u8, fn(u32) -> u32, [u32; 3], [u32; 3]);
        let rows: [Row; 6] = [
            (4, |t| 4 * t, [4, 2, 1], [4, 2, 2]),
            (8, |t| 8 * t, [8, 4, 2], [8, 4, 2]),
            (16, |t| 16 * t, [16, 8, 4], [16, 8, 4]),
            (4, |t| 4 * t + 4, [8, 4, 2], [32; 3]),
            (4, |t| 4 * (t ^ 15), [4, 2, 1], [32; 3]),
            (1, |t| t, [4, 2, 1], [32; 3]),
        ];
        for (bytes, address, segment, g80) in rows {
            for (lanes, (segment, g80)) in [8, 16, 32].into_iter().zip(segment.into_iter().zip(g80)) {
                let counts = [false, true].map(|strict| all(lanes, strict, bytes, Global, address));
                assert_eq!(counts, [segment, g80], "{bytes} bytes, {lanes} lanes");
            }
        }
    }

    #[test]
    fn local_memory_is_interleaved_and_shared_memory_makes_no_requests() {
        assert_eq!(all(8, false, 16, MemorySpace::Local, |_| 32), 16);
        assert_eq!(all(8, false, 4, MemorySpace::Local, |_| 32), 16);
        assert_eq!(all(8, true, 16, MemorySpace::Local, |_| 32), 16);
        assert_eq!(all(8, false, 4, MemorySpace::Shared, |t| 4 * t), 0);
        assert_eq!(requests(&[], Rule { lanes: 8, strict: true }), [0; 4]);
    }
}
