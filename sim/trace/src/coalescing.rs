//! Coalescing: how the accesses of a warp instruction to global and local memory become requests of this machine, by
//! the rules of `docs/pipeline.md`, and transactions of the GPUs of compute capability 1.0 to 1.3.

use flexgrip_machine::host_map::local_place;
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::{MemoryEffect, MemorySpace, Retire};

/// Threads of a half-warp.
const HALF: u32 = 16;
/// Bytes of the smallest transaction.
const LEAST: u64 = 32;

/// A thread's access to global or local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The thread in its warp, 0 to 31.
    pub lane: u8,
    /// Size in bytes: 1, 2, 4, 8 or 16.
    pub bytes: u8,
    /// True for local memory.
    pub local: bool,
    /// True for an atomic operation.
    pub atomic: bool,
    /// Byte address.
    pub address: u32,
}

impl Access {
    /// The accesses of a record, in the order of lanes. A lane's atomic operation is one access.
    pub fn of(record: &Retire) -> impl Iterator<Item = Access> + '_ {
        // Only an atomic operation loads and stores.
        let atomic = matches!(&record.memory[..], [first, second, ..] if first.store != second.store);
        let outside = move |effect: &&MemoryEffect| effect.space != MemorySpace::Shared && !(atomic && effect.store);
        record.memory.iter().filter(outside).map(move |effect| Access {
            lane: effect.lane,
            bytes: effect.bytes,
            local: effect.space == MemorySpace::Local,
            atomic,
            address: effect.address,
        })
    }
}

/// The memory port of a machine, and its coalescing rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
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

fn half(access: &Access) -> u32 {
    u32::from(access.lane) / HALF
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

/// The requests of each beat of an instruction's accesses, which are in the order of lanes.
pub fn requests(accesses: &[Access], port: Port) -> [u32; 4] {
    let lanes = port.lanes.max(8);
    let mut requests = [0; 4];
    // All threads of a beat are in one half, or both halves in one beat.
    let part = |access: &Access| u32::from(access.lane) / lanes.min(HALF);
    let at_once = |a: &Access, b: &Access| match port.strict {
        true => half(a) == half(b),
        false => u32::from(a.lane) / lanes == u32::from(b.lane) / lanes,
    };
    for together in accesses.chunk_by(at_once) {
        let one_by_one = together[0].atomic || port.strict && !in_order(together);
        for served in together.chunk_by(|a, b| !port.strict || part(a) == part(b)) {
            let beat = u32::from(served[0].lane) / lanes;
            if let Some(count) = requests.get_mut(beat as usize) {
                *count += match one_by_one {
                    true => served.len() as u32,
                    false => segments(served, lanes),
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

/// A GPU, for the rule by which it coalesces the accesses of a half-warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gpu {
    /// Compute capability 1.0 and 1.1. If the k-th thread accesses the k-th element, of 4, 8 or 16 bytes, of a segment
    /// of 16 elements, the segment is transferred whole, in pieces of at most 128 bytes. Otherwise each thread causes a
    /// transaction of 32 bytes.
    G80,
    /// Compute capability 1.2 and 1.3. A transaction is the segment of the lowest thread not yet served: 32 bytes for
    /// accesses of 1 byte, 64 for 2, 128 for larger ones. It serves all threads with an address in it. While all of
    /// these are in one half of it, only that half is transferred, but at least 32 bytes.
    Gt200,
}

/// A transfer of `bytes` bytes, 32, 64 or 128, at a multiple of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Address of the first byte. In local memory, words of 32 bits are interleaved by thread.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// The transactions of an instruction's accesses, which are in the order of lanes.
///
/// Local memory is accessed word by word. Atomic operations on the same address are in separate transactions. Neither
/// is documented by NVIDIA; GPGPU-Sim does the same.
pub fn transactions(accesses: &[Access], gpu: Gpu) -> Vec<Transaction> {
    let mut found = Vec::new();
    for half in accesses.chunk_by(|a, b| half(a) == half(b)) {
        match half[0] {
            Access { local: true, bytes, .. } => {
                let words = u32::from(bytes.div_ceil(4));
                for word in 0..words {
                    let piece = half.iter().map(|access| local_word(access, word));
                    add_transactions(&piece.collect::<Vec<_>>(), bytes.min(4).into(), gpu, &mut found);
                }
            }
            Access { atomic, bytes, .. } => {
                let mut waiting: Vec<(u32, u64)> = half
                    .iter()
                    .map(|access| (access.lane.into(), access.address.into()))
                    .collect();
                while !waiting.is_empty() {
                    let mut served: Vec<(u32, u64)> = Vec::new();
                    waiting.retain(|thread| {
                        let later = atomic && served.iter().any(|(_, address)| *address == thread.1);
                        if !later {
                            served.push(*thread);
                        }
                        later
                    });
                    add_transactions(&served, bytes.into(), gpu, &mut found);
                }
            }
        }
    }
    found
}

/// The thread, and the address of a word of its access to local memory.
fn local_word(access: &Access, word: u32) -> (u32, u64) {
    let (lane, at) = (u32::from(access.lane), access.address / 4 + word);
    let address = u64::from(at) * u64::from(4 * WARP_THREADS) + u64::from(4 * lane + access.address % 4);
    (lane, address)
}

/// Adds the transactions of threads of a half-warp, given with their addresses.
fn add_transactions(threads: &[(u32, u64)], bytes: u64, gpu: Gpu, found: &mut Vec<Transaction>) {
    let aligned = |address: u64, bytes: u64| Transaction {
        address: address / bytes * bytes,
        bytes,
    };
    match gpu {
        Gpu::G80 => {
            let start = |(lane, address): &(u32, u64)| address.checked_sub(u64::from(lane % HALF) * bytes);
            let size = u64::from(HALF) * bytes;
            let first = threads
                .first()
                .and_then(start)
                .filter(|start| start % size == 0 && bytes >= 4);
            match first {
                Some(first) if threads.iter().all(|thread| start(thread) == Some(first)) => {
                    let piece = size.min(128);
                    found.extend((0..size / piece).map(|index| aligned(first + index * piece, piece)));
                }
                _ => found.extend(threads.iter().map(|(_, address)| aligned(*address, LEAST))),
            }
        }
        Gpu::Gt200 => {
            let mut waiting = threads.to_vec();
            while let Some(&(_, leader)) = waiting.first() {
                let mut transaction = aligned(leader, (LEAST * bytes).min(128));
                let (served, rest) = waiting.iter().partition::<Vec<_>, _>(|(_, address)| {
                    (transaction.address..transaction.address + transaction.bytes).contains(address)
                });
                while transaction.bytes > LEAST {
                    let half = aligned(leader, transaction.bytes / 2);
                    if served.iter().any(|(_, address)| aligned(*address, half.bytes) != half) {
                        break;
                    }
                    transaction = half;
                }
                found.push(transaction);
                waiting = rest;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(lane: u32, bytes: u8, address: u32) -> Access {
        Access {
            lane: lane as u8,
            bytes,
            local: false,
            atomic: false,
            address,
        }
    }

    /// All requests of a warp with accesses of thread t to `address(t)`.
    fn all(lanes: u32, strict: bool, bytes: u8, local: bool, address: impl Fn(u32) -> u32) -> u32 {
        let accesses: Vec<Access> = (0..32)
            .map(|lane| Access {
                local,
                ..access(lane, bytes, address(lane))
            })
            .collect();
        requests(&accesses, Port { lanes, strict }).iter().sum()
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
        assert_eq!(requests(&[], Port { lanes: 8, strict: true }), [0; 4]);
        // By the GPUs' rules, word by word: each half-warp's words of 64 bytes, at any address.
        for (bytes, words) in [(4, 1), (8, 2), (16, 4)] {
            let accesses: Vec<Access> = (0..32)
                .map(|lane| Access {
                    local: true,
                    ..access(lane, bytes, 48)
                })
                .collect();
            for gpu in [Gpu::G80, Gpu::Gt200] {
                let found = transactions(&accesses, gpu);
                assert_eq!(found.len(), 2 * words, "{gpu:?}");
                assert!(found.iter().all(|transaction| transaction.bytes == 64), "{found:?}");
            }
        }
    }

    #[test]
    fn an_atomic_operation_is_one_access_of_each_lane() {
        let effect = |lane, store| MemoryEffect {
            space: MemorySpace::Global,
            store,
            lane,
            address: 64,
            bytes: 4,
            data: 0,
        };
        let record = Retire {
            memory: (0..3)
                .flat_map(|lane| [effect(lane, false), effect(lane, true)])
                .collect(),
            ..Retire::default()
        };
        let accesses: Vec<Access> = Access::of(&record).collect();
        assert_eq!(accesses.len(), 3);
        assert!(accesses.iter().all(|access| access.atomic));
        let port = |strict| Port { lanes: 8, strict };
        assert_eq!(requests(&accesses, port(false)), [3, 0, 0, 0]);
        assert_eq!(requests(&accesses, port(true)), [3, 0, 0, 0]);
        for gpu in [Gpu::G80, Gpu::Gt200] {
            let one = Transaction { address: 64, bytes: 32 };
            let found = transactions(&accesses, gpu);
            assert_eq!(found.len(), 3, "{gpu:?}");
            // A single thread in its place causes the transaction of its whole segment on a G80.
            assert_eq!(found[1], one);
        }
        let apart: Vec<Access> = accesses
            .iter()
            .map(|access| Access {
                address: 64 + 4 * u32::from(access.lane),
                ..*access
            })
            .collect();
        assert_eq!(
            transactions(&apart, Gpu::Gt200),
            [Transaction { address: 64, bytes: 32 }]
        );
        assert_eq!(transactions(&apart, Gpu::G80), [Transaction { address: 64, bytes: 64 }]);
    }

    /// The transactions of a half-warp of accesses of `bytes` bytes, as `bytes@address`.
    fn words(gpu: Gpu, bytes: u8, threads: std::ops::Range<u32>, address: impl Fn(u32) -> u32) -> String {
        let accesses: Vec<Access> = threads.map(|lane| access(lane, bytes, address(lane))).collect();
        let found = transactions(&accesses, gpu);
        let alike = found.iter().all(|one| one.bytes == 32) && found.len() == 16;
        if alike {
            return "16 of 32".into();
        }
        let texts = found.iter().map(|one| format!("{}@{}", one.bytes, one.address));
        texts.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn half_warps_have_the_transactions_of_their_gpu() {
        type Case = (u8, std::ops::Range<u32>, fn(u32) -> u32, &'static str, &'static str);
        let cases: [Case; 21] = [
            (4, 0..16, |t| 4 * t, "64@0", "64@0"),
            (4, 0..16, |t| 4 * t + 64, "64@64", "64@64"),
            (4, 0..16, |t| 4 * t + 32, "16 of 32", "128@0"),
            (4, 0..16, |t| 4 * t + 4, "16 of 32", "128@0"),
            (4, 0..16, |t| 4 * t + 96, "16 of 32", "32@96, 32@128"),
            (4, 0..16, |t| 60 - 4 * t, "16 of 32", "64@0"),
            (4, 4..8, |t| 4 * t, "64@0", "32@0"),
            (4, 0..16, |_| 256, "16 of 32", "32@256"),
            (4, 0..16, |t| 8 * t, "16 of 32", "128@0"),
            (4, 0..16, |t| 12 * t, "16 of 32", "128@0, 64@128"),
            (4, 0..16, |t| 128 * t, "16 of 32", "16 of 32"),
            (8, 0..16, |t| 8 * t, "128@0", "128@0"),
            (8, 0..16, |t| 8 * t + 8, "16 of 32", "128@0, 32@128"),
            (16, 0..16, |t| 16 * t, "128@0, 128@128", "128@0, 128@128"),
            (16, 0..16, |t| 16 * t + 64, "16 of 32", "64@64, 128@128, 64@256"),
            (2, 0..16, |t| 2 * t, "16 of 32", "32@0"),
            (2, 0..16, |t| 2 * t + 50, "16 of 32", "32@32, 32@64"),
            (1, 0..16, |t| t, "16 of 32", "32@0"),
            (1, 0..16, |t| t + 24, "16 of 32", "32@0, 32@32"),
            (4, 16..32, |t| 4 * t, "64@64", "64@64"),
            (4, 3..4, |_| 12, "64@0", "32@0"),
        ];
        for (bytes, threads, address, g80, gt200) in cases {
            let found = [Gpu::G80, Gpu::Gt200].map(|gpu| words(gpu, bytes, threads.clone(), address));
            assert_eq!(
                found,
                [g80, gt200],
                "{bytes} bytes, {threads:?}, {}",
                address(threads.start)
            );
        }
    }
}
