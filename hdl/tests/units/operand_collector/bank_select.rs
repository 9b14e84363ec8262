//! Tests of bank arbitration: degrees of conflict, and the threads that a step serves, by the rule of NVIDIA's guide.

use super::{as_set, bits, size};
use flexgrip_hdl::operands::operand_collector::bank_select::BankSelect;
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Kind of a half-warp's access to shared or constant memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AccessKind {
    Load,
    Store,
    Constant,
}

/// The threads that a step serves, by the guide: choose a broadcast word among the outstanding ones; serve all
/// addresses within it, and one address of each other bank. The broadcast word and the address in each other bank are
/// the lowest thread's. A store serves only identical addresses together; constant memory has no other banks.
fn step(kind: AccessKind, waiting: u32, address: &[u32; 16]) -> u32 {
    let Some(lowest) = bits(waiting).next() else {
        return 0;
    };
    let bank = |thread: usize| address[thread] / 4 % 16;
    let together = |thread: &usize| match kind {
        AccessKind::Store => address[*thread] == address[lowest],
        _ => address[*thread] / 4 == address[lowest] / 4,
    };
    let mut served = as_set(bits(waiting).filter(together));
    if kind != AccessKind::Constant {
        for other in (0..16).filter(|other| *other != bank(lowest)) {
            served |= as_set(bits(waiting).filter(|thread| bank(*thread) == other).take(1));
        }
    }
    served
}

/// The number of steps that serve all threads.
pub fn steps(kind: AccessKind, threads: u32, address: &[u32; 16]) -> u64 {
    let (mut waiting, mut count) = (threads, 0);
    while waiting != 0 {
        waiting &= !step(kind, waiting, address);
        count += 1;
    }
    count
}

struct SelectBench<const LANES: usize>(CycleEngine<BankSelect<LANES>>);

impl<const LANES: usize> SelectBench<LANES> {
    fn new() -> Self {
        SelectBench(CycleEngine::new(Box::new(BankSelect::default())))
    }

    /// The threads that a step of the circuit serves in all its phases.
    fn served(&mut self, kind: AccessKind, waiting: u32, address: &[u32; 16]) -> u32 {
        let block = &mut self.0.block;
        block.half_warp.next.pending = Bits::new(waiting.into());
        block.indexing.next.scatters = kind == AccessKind::Store;
        block.indexing.next.constant = kind == AccessKind::Constant;
        for (port, value) in block.address.iter_mut().zip(address) {
            port.next = Bits::new((*value).into());
        }
        self.0.settle();
        self.0.block.served.val().raw() as u32
    }

    /// The number of steps that the circuit takes for a half-warp of 16 threads.
    fn degree(&mut self, kind: AccessKind, address: impl Fn(u32) -> u32) -> u32 {
        let address = std::array::from_fn(|thread| address(thread as u32));
        let (mut waiting, mut count) = (0xffff, 0);
        while waiting != 0 {
            let served = self.served(kind, waiting, &address);
            assert!(served & waiting != 0 && served & !waiting == 0, "{served:04x} of {waiting:04x}");
            waiting &= !served;
            count += 1;
        }
        count
    }
}

#[test]
fn conflict_degrees_match_the_guide() {
    let mut bench = SelectBench::<16>::new();
    for (words, degree) in [(1, 1), (2, 2), (3, 1), (4, 4), (8, 8), (16, 16), (17, 1), (32, 16)] {
        for kind in [AccessKind::Load, AccessKind::Store] {
            let found = bench.degree(kind, |thread| 4 * words * thread);
            assert_eq!(found, degree, "{kind:?}, a stride of {words} words");
        }
    }
    // One word for all threads, then one word for most threads together with a word in another bank.
    assert_eq!(bench.degree(AccessKind::Load, |_| 100), 1);
    assert_eq!(bench.degree(AccessKind::Store, |_| 100), 1);
    assert_eq!(bench.degree(AccessKind::Load, |thread| if thread == 3 { 200 } else { 100 }), 1);
    // Another word of the broadcast word's bank is a conflict.
    assert_eq!(bench.degree(AccessKind::Load, |thread| if thread == 3 { 164 } else { 100 }), 2);
    // Arrays of bytes and halves, one element after the other: the guide's four-way and two-way conflicts.
    assert_eq!(bench.degree(AccessKind::Load, |thread| thread), 4);
    assert_eq!(bench.degree(AccessKind::Load, |thread| 2 * thread), 2);
    assert_eq!(bench.degree(AccessKind::Load, |thread| 4 * thread + 1), 1);
    assert_eq!(bench.degree(AccessKind::Store, |thread| thread), 4);
    // Any permutation of the words of a row.
    assert_eq!(bench.degree(AccessKind::Load, |thread| 4 * (7 * thread % 16)), 1);
    // Constant memory: one step per distinct word.
    assert_eq!(bench.degree(AccessKind::Constant, |_| 100), 1);
    assert_eq!(bench.degree(AccessKind::Constant, |thread| thread), 4);
    assert_eq!(bench.degree(AccessKind::Constant, |thread| 4 * thread), 16);
}

fn each_step_serves_whom_the_rule_names_with<const LANES: usize>() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut bench = SelectBench::<LANES>::new();
    for _ in 0..20_000 {
        let kind = *[AccessKind::Load, AccessKind::Store, AccessKind::Constant].choose(&mut rng).expect("some");
        let access = rng.gen_range(0..4);
        let odd = rng.gen();
        let phase = match (LANES, odd) {
            (8, false) => 0x00ff,
            (8, true) => 0xff00,
            _ => 0xffff,
        };
        let waiting = rng.gen::<u32>() & *[0, 0xffff, rng.gen_range(0..0x1_0000)].choose(&mut rng).expect("some");
        let (spread, base) = (1 << rng.gen_range(1..=14), rng.gen_range(0..256));
        let mut address = [0; 16];
        let mut data = [0; 16];
        for thread in 0..16 {
            address[thread] = rng.gen_range(0..spread) / size(access) * size(access);
            data[thread] = rng.gen::<u32>();
            bench.0.block.data[thread].next = Bits::new(data[thread].into());
        }
        bench.served(kind, waiting, &address);
        bench.0.block.half_warp.next.odd = odd;
        bench.0.block.indexing.next.access = Bits::new(access);
        bench.0.block.base.next = Bits::new(base);
        bench.0.block.capture.next = true;
        bench.0.settle();
        let block = &bench.0.block;
        let context = format!("{kind:?} {access} {waiting:04x} {phase:04x} {address:x?}");
        let served = step(kind, waiting, &address);
        assert_eq!(block.served.val().raw(), u64::from(served), "{context}");
        let lowest = bits(waiting).next().unwrap_or(15);
        assert_eq!(block.leader.val().raw(), u64::from(address[lowest]), "{context}");
        // The banks' outputs are valid in the next cycle, and then as long as nothing is captured.
        bench.0.tick();
        if rng.gen() {
            bench.0.block.capture.next = false;
            bench.served(AccessKind::Load, !waiting & 0xffff, &address);
            bench.0.tick();
        }
        bench.0.settle();
        let block = &bench.0.block;
        let mut used = 0;
        for thread in bits(served & phase).filter(|_| kind != AccessKind::Constant) {
            // A higher thread overwrites a lower one: the highest thread's data remains.
            let bank = (address[thread] / 4 % 16) as usize;
            used |= 1 << bank;
            let others = |other: &usize| address[*other] / 4 % 16 == bank as u32 && *other > thread;
            if bits(served & phase).any(|other| others(&other)) {
                continue;
            }
            let row = (base + u64::from(address[thread] / 64)) % 256;
            assert_eq!(block.access_to[bank].val().row.raw(), row, "{context}");
            let (bytes, first) = (size(access), address[thread] % 4);
            let enabled = (0..4).filter(|byte| (first..first + bytes).contains(byte));
            let enable = as_set(enabled.map(|byte| byte as usize));
            assert_eq!(block.access_to[bank].val().bytes.raw(), u64::from(enable), "{context}");
            for byte in 0..bytes {
                let stored = block.access_to[bank].val().word.raw() >> (8 * (first + byte)) & 0xff;
                assert_eq!(stored, u64::from(data[thread] >> (8 * byte) & 0xff), "{context}");
            }
        }
        assert_eq!(block.banks.val().raw(), used, "{context}");
    }
}

#[test]
fn steps_serve_the_threads_of_the_rule() {
    each_step_serves_whom_the_rule_names_with::<8>();
    each_step_serves_whom_the_rule_names_with::<16>();
    each_step_serves_whom_the_rule_names_with::<32>();
}
