//! Tests of chosen errors: the lane whose fault is reported, and the addresses that fault.

use super::bench::{Bench, PROMPT};
use super::model::{coalesced, Access, Fault};

/// The error of a single instruction.
fn fault_of(end: u64, a: Access) -> Option<Fault> {
    let mut bench = Bench::<8>::new(1, end);
    bench.run(&[a], PROMPT);
    let error = bench.engine.block.m_error.val().error;
    error.code.any().then(|| (error.code.raw(), error.warp.raw(), error.pc.raw(), error.address.raw()))
}

#[test]
fn lowest_faulting_lane_is_reported() {
    let with = |changes: &[(usize, u32)]| {
        let mut a = coalesced(true, 0x100);
        for &(lane, address) in changes {
            a.address[lane] = address;
        }
        a
    };
    assert_eq!(fault_of(0x1000, with(&[])), None);
    // Both faults in one lane: misaligned takes priority.
    assert_eq!(fault_of(0x1000, with(&[(3, 0x1001)])), Some((5, 2, 0x48, 0x1001)));
    // The lowest faulting lane, for any kind of fault; in the first beat.
    assert_eq!(fault_of(0x1000, with(&[(9, 0x1000), (10, 0x102)])), Some((6, 2, 0x48, 0x1000)));
    assert_eq!(fault_of(0x1000, with(&[(9, 0x106), (31, 0x1000)])), Some((5, 2, 0x48, 0x106)));
    // The last word, and the end of the address space.
    assert_eq!(fault_of(0x1000, with(&[(0, 0xffc)])), None);
    assert_eq!(fault_of(0xfff, with(&[(0, 0xffc)])), Some((6, 2, 0x48, 0xffc)));
    assert_eq!(fault_of(1 << 32, with(&[(0, 0xffff_fffc)])), None);
    assert_eq!(fault_of(1 << 32, with(&[(0, 0xffff_ffff)])), Some((5, 2, 0x48, 0xffff_ffff)));
    // An inactive lane may hold any address.
    let mut a = with(&[(5, 0x1003)]);
    a.mask = !(1 << 5);
    assert_eq!(fault_of(0x1000, a), None);
}
