//! Coalescing: the requests of an access to global memory, by the rules of `docs/pipeline.md`.

use crate::timeline::batch::Access;
use flexgrip_machine::host_map::local_place;

/// Threads of a half-warp.
const HALF: u32 = 16;

/// The coalescing rule of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// The words of a request, and the threads of a beat.
    pub lanes: u32,
    /// True for the strict rule of compute capability 1.0.
    pub strict: bool,
}

/// The physical address, up to a constant, so that neighbours can be compared.
fn physical(access: &Access) -> u64 {
    match access.local {
        true => local_place(access.address, access.lane.into()),
        false => access.address.into(),
    }
}

/// True if the threads of a half-warp access the elements of one segment in their order.
fn in_order(half: &[Access]) -> bool {
    let start = |access: &Access| {
        let own = u64::from(u32::from(access.lane) % HALF * u32::from(access.bytes));
        physical(access).checked_sub(own)
    };
    let Some(first) = half.first() else {
        return true;
    };
    let size = u64::from(HALF) * u64::from(first.bytes);
    let segment = start(first).filter(|start| start % size == 0 && first.bytes >= 4);
    segment.is_some() && half.iter().map(start).all(|start| start == segment)
}

/// The requests of each beat of an instruction's accesses to global or local memory, which are in the order of lanes.
pub(super) fn requests(accesses: &[Access], rule: Rule) -> [u32; 4] {
    let lanes = rule.lanes.max(8);
    let mut requests = [0; 4];
    // All threads of a beat are in one half, or both halves in one beat.
    let part = |access: &Access| u32::from(access.lane) / lanes.min(HALF);
    let half = |access: &Access| u32::from(access.lane) / HALF;
    let at_once = |a: &Access, b: &Access| match rule.strict {
        true => half(a) == half(b),
        false => u32::from(a.lane) / lanes == u32::from(b.lane) / lanes,
    };
    for together in accesses.chunk_by(at_once) {
        let in_order = !rule.strict || in_order(together);
        for served in together.chunk_by(|a, b| !rule.strict || part(a) == part(b)) {
            let beat = u32::from(served[0].lane) / lanes;
            if let Some(count) = requests.get_mut(beat as usize) {
                *count += if in_order {
                    segments(served, lanes)
                } else {
                    served.len() as u32
                };
            }
        }
    }
    requests
}

/// The number of segments of `lanes` words that the accesses touch.
fn segments(accesses: &[Access], lanes: u32) -> u32 {
    let mut seen = [0; 32];
    let mut count = 0;
    for access in accesses {
        let segment = physical(access) / u64::from(4 * lanes);
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

    /// All requests of a warp with accesses of thread t to `address(t)`.
    fn all(lanes: u32, strict: bool, bytes: u8, local: bool, address: impl Fn(u32) -> u32) -> u32 {
        let accesses: Vec<Access> = (0..32)
            .map(|lane| Access {
                lane: lane as u8,
                bytes,
                local,
                address: address(lane),
            })
            .collect();
        requests(&accesses, Rule { lanes, strict }).iter().sum()
    }

    #[test]
    fn request_times_match_the_pipeline_page() {
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
                let counts = [false, true].map(|strict| all(lanes, strict, bytes, false, address));
                assert_eq!(counts, [segment, g80], "{bytes} bytes, {lanes} lanes");
            }
        }
    }

    #[test]
    fn local_memory_is_interleaved() {
        assert_eq!(all(8, false, 16, true, |_| 32), 16);
        assert_eq!(all(8, false, 4, true, |_| 32), 16);
        assert_eq!(all(8, true, 16, true, |_| 32), 16);
        assert_eq!(requests(&[], Rule { lanes: 8, strict: true }), [0; 4]);
    }
}
