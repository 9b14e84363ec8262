//! Loads and stores, lane by lane, and bad addresses.

use crate::running::*;
use crate::words::*;
use flexgrip_machine::{ErrorKind, MemoryEffect, MemorySpace};

#[test]
fn loads_and_stores_go_lane_by_lane() {
    let words = [shl(1, 0, 2), gst(1, 0), mvi(2, 0), gst(2, 0), gld(3, 1), ret()];
    let (machine, records, result) = run(launch(&words));
    assert_eq!(result, Ok(()));
    let memory: Vec<_> = machine.global().words().take(33).collect();
    // Every lane stores to word 0 last: the highest lane's value stays.
    assert_eq!(memory[..3], [31, 1, 2]);
    assert_eq!(memory[31..], [31, 0]);
    let effect = |store, lane, address, data| MemoryEffect {
        space: MemorySpace::Global,
        store,
        lane,
        address,
        bytes: 4,
        data,
    };
    assert_eq!(records[1].memory[5], effect(true, 5, 20, 5));
    assert_eq!(records[4].memory[0], effect(false, 0, 0, 31));
    assert_eq!(records[4].memory.len(), 32);
    assert_eq!(
        records[4].destination.as_ref().expect("a write").values,
        by_lane(|l| if l == 0 { 31 } else { l })
    );
}

#[test]
fn bad_addresses_name_the_lowest_lane_at_fault() {
    // Lane l stores to size - 16 + 4 l: lane 4 is the first out of range.
    let top = (1 << 20) - 16;
    let error = fails(launch(&[shl(1, 0, 2), mvi(2, top), iadd(1, 1, 2), gst(1, 0), ret()]));
    assert_eq!(
        (error.kind, error.address, error.pc),
        (ErrorKind::GlobalRange, Some(1 << 20), 0x18)
    );
    // Lane l loads from 2 l: lane 1 is misaligned.
    let error = fails(launch(&[shl(1, 0, 1), gld(2, 1), ret()]));
    assert_eq!((error.kind, error.address), (ErrorKind::GlobalMisaligned, Some(2)));
    assert_eq!(
        error.to_string(),
        "misaligned global access at address 0x2 at PC 0x0008 (SM 0, block 0, warp 0): d00e0209 80c00780 \
         GLD.U32 R2, global14[R1]"
    );
    // Inactive lanes cannot fault.
    let words = [
        shl(1, 0, 1),
        mvi(2, 1),
        test(0, 0, LT, 2),
        when(gld(3, 1), 0, TRUE),
        ret(),
    ];
    assert_eq!(run(launch(&words)).2, Ok(()));
    let error = fails(launch(&[mvi(1, 0xffff_fffc), gld(2, 1), ret()]));
    assert_eq!((error.kind, error.address), (ErrorKind::GlobalRange, Some(0xffff_fffc)));
}

#[test]
fn shared_operands_are_checked_against_the_blocks_size() {
    assert_eq!(run(launch(&[mov_shared(1, 15, 3), ret()])).2, Ok(()));
    let error = fails(launch(&[mov_shared(1, 16, 3), ret()]));
    assert_eq!(
        (error.kind, error.address, error.pc),
        (ErrorKind::SharedRange, Some(64), 0)
    );
    // No lane is active: nothing is read.
    assert_eq!(run(launch(&[when(mov_shared(1, 16, 3), 0, FALSE), ret()])).2, Ok(()));
}
