//! G2R, G2R.LCK and R2G.UNL.

use super::running::{fails, launch, machine, record, run, words, LIMIT};
use flexgrip_machine::ErrorKind;
use flexgrip_model::Lock;

/// The loop of the specification: adds R2 to the word at A1 in shared memory.
const ADD: &str = "\
    SSY done\n\
    try: G2R.LCK.C0 R1, g[A1+0x0]\n\
    IADD R1 (C0.LT), R1, R2\n\
    R2G.UNL.U32.U32 g[A1+0x0] (C0.LT), R1\n\
    BRA C0.GEU, try\n\
    done: NOP.S\n";

/// Initialises registers and words: R3 is the thread's number, A1 = (R3 & mask) * 4 + 0x40, A2 = R3 * 4 + 0x40, R2 = R3
/// + 1, and the words are 0.
fn prepared(mask: u32) -> String {
    format!(
        "I2I.U32.U16 R3, R0L\nSHL R6, R3, 0x2\nIADD32I R7, R6, 0x40\nR2A A2, R7\nLOP32I.AND R4, R3, {mask:#x}\n\
         SHL R4, R4, 0x2\nIADD32I R4, R4, 0x40\nR2A A1, R4\nIADD32I R2, R3, 0x1\nMVI R5, 0\nR2G.U32.U32 g[A2+0x0], R5\n\
         BAR.ARV.WAIT b0, 0xfff\n"
    )
}

/// Stores the words at 0x40 and after to global memory, each by one thread.
const STORED: &str = "BAR.ARV.WAIT b0, 0xfff\nMOV R8, g[A2+0x0]\nGST.U32 global14[R6], R8\nRET\n";

#[test]
fn lock_loop_serves_all_lanes_at_one_address() {
    for threads in [32, 96] {
        let text = format!("{}{ADD}{STORED}", prepared(0));
        let (machine, records) = run(launch(&text, threads, &[0; 128]));
        assert_eq!(words(&machine, 1), [threads * (threads + 1) / 2]);
        // Each attempt that succeeds serves one lane; the others try again.
        let lock = 0x68;
        let tries = records
            .iter()
            .filter(|record| record.pc == lock && record.warp_in_block == 0);
        let tries: Vec<u32> = tries.map(|record| record.executed).collect();
        let served: Vec<u32> = tries.iter().map(|lanes| lanes.count_ones()).collect();
        if threads == 32 {
            assert_eq!(served, (1..=32).rev().collect::<Vec<u32>>());
        } else {
            assert!(served.len() >= 32, "{served:?}");
        }
    }
}

#[test]
fn lock_loop_serves_lanes_at_several_addresses() {
    let text = format!("{}{ADD}{STORED}", prepared(7));
    let (machine, _) = run(launch(&text, 64, &[0; 128]));
    let expected: Vec<u32> = (0..8)
        .map(|word| (word..64).step_by(8).map(|thread| thread + 1).sum())
        .collect();
    assert_eq!(words(&machine, 8), expected);
    // The checker takes accesses under the lock for ordered.
    let mut checked = super::running::machine(launch(&text, 64, &[0; 128]));
    checked.check();
    checked.run(LIMIT).unwrap();
    let places = checked.checker().unwrap().findings().groups();
    assert!(places.is_empty(), "{places:?}");
}

/// Tests one attempt: the lowest lane with a free word gets the lock and the code S. The other lanes get Z and keep
/// their destination.
#[test]
fn one_lane_of_an_instruction_gets_a_lock() {
    let text = format!(
        "{}MVI R1, 0x7\nR2G.U32.U32 g[0x10], R2\nISET.C1 o[0x7f], R3, R5, GT\nG2R.LCK.C0 R1 (C1.LT), g[A1+0x0]\nNOP\nRET",
        prepared(3)
    );
    let mut machine = machine(launch(&text, 32, &[]));
    let records: Vec<_> = (0..16).map(|_| machine.step_warp(0, 0).unwrap()).collect();
    let lock = &records[15];
    assert_eq!(lock.executed, 0xffff_fffe, "{lock}");
    let written = lock.destination.as_ref().unwrap();
    assert_eq!((written.register, &written.values[..3]), (1, &[0, 0, 0][..]));
    let codes = &lock.cc.as_ref().unwrap().values;
    assert_eq!(codes[..4], [0, 2, 1, 1]);
    let block = machine.block(0).unwrap();
    assert_eq!(
        block.locks.held(),
        [Lock {
            warp: 0,
            lane: 1,
            address: 0x44
        }]
    );
    assert_eq!(block.warps[0].registers[1][..4], [7, 0, 7, 7]);
    assert_eq!(block.warps[0].registers[1][31], 7);
    assert!(lock.memory.is_empty());
}

/// A second warp gets another word, not the locked one; a store of another warp does not unlock; the end of the warp
/// does.
#[test]
fn locks_belong_to_warps_until_they_end() {
    let text = "MVI R4, 0x40\nR2A A1, R4\nG2R.LCK.C0 R1, g[A1+0x0]\nG2R.LCK.C1 R1, g[A1+0x1]\nR2G.UNL.U32.U32 g[A1+0x0], R4\nRET";
    let mut machine = machine(launch(text, 64, &[]));
    let step = |machine: &mut flexgrip_model::Machine, warp, count| {
        (0..count).map(|_| machine.step_warp(0, warp).unwrap()).last().unwrap()
    };
    let cc = |record: &flexgrip_machine::Retire| record.cc.as_ref().unwrap().values;
    let first = step(&mut machine, 0, 3);
    assert_eq!(cc(&first)[..3], [2, 1, 1]);
    // The warp holds a lock: it gets no second one.
    let second = step(&mut machine, 0, 1);
    assert_eq!((second.pc, cc(&second)), (0x18, [1; 32]));
    // The other warp finds the first word locked, and takes the second.
    assert_eq!(cc(&step(&mut machine, 1, 3)), [1; 32]);
    assert_eq!(cc(&step(&mut machine, 1, 1))[0], 2);
    // The other warp's unlocking store to the first word is an ordinary store.
    step(&mut machine, 1, 1);
    let held: Vec<(u32, u32)> = machine
        .block(0)
        .unwrap()
        .locks
        .held()
        .iter()
        .map(|lock| (lock.warp, lock.address))
        .collect();
    assert_eq!(held, [(0, 0x40), (1, 0x44)]);
    assert_eq!(machine.block(0).unwrap().shared.read(0x40, 4), Ok(0x40));
    step(&mut machine, 1, 1);
    assert_eq!(machine.block(0).unwrap().locks.held().len(), 1, "warp 1 has ended");
    step(&mut machine, 0, 1);
    assert_eq!(machine.block(0).unwrap().locks.held(), []);
}

#[test]
fn g2r_extends_as_its_access_says() {
    let text = "MVI R2, 0x8391a2f4\nMVI R9, 0x200\nR2A A1, R9\nR2G.U32.U32 g[A1+0x0], R2\nMVI R7, 0x55555555\nMVI R8, 0x55555555\n\
        G2R R3, g[0x200].U8\nG2R R4, g[0x101].U16\nG2R R5, g[A1+0x0].S16\nG2R R6, g[0x80]\nG2R.U16 R7L, g[A1+0x3].U8\nG2R.U16 R8H, g[A1+0x0]\n\
        MVI R1, 0\nGST.S128 global14[R1], R3\nMVI R1, 16\nGST.S64 global14[R1], R7\nRET";
    // R3 to R6 are stored as 16 bytes from an odd register on, which the machine allows.
    let (machine, records) = run(launch(text, 1, &[0; 8]));
    assert_eq!(
        words(&machine, 6),
        [0xf4, 0x8391, 0xffff_a2f4, 0x8391_a2f4, 0x5555_0083, 0xa2f4_5555]
    );
    assert!(record(&records, 6).memory.is_empty() && record(&records, 6).cc.is_none());
}

#[test]
fn g2r_increments_its_address_register() {
    let text = "MVI R9, 0x100\nR2A A1, R9\nMVI R2, 0x11\nR2G.U32.U32 g[A1+0x0], R2\nG2R R3, g[A1+++0x2]\nA2R R4, A1\nMVI R1, 0\nGST.S64 global14[R1], R3\nRET";
    let (machine, _) = run(launch(text, 1, &[0; 2]));
    assert_eq!(words(&machine, 2), [0x11, 0x108]);
}

#[test]
fn invalid_addresses_are_errors_of_executing_lanes() {
    let lanes = "I2I.U32.U16 R3, R0L\nSHL R4, R3, SHIFT\nR2A A1, R4\nMVI R1, 0x1\n";
    for (operation, shift, kind, address) in [
        ("G2R R2, g[A1+0x0]", 1, ErrorKind::SharedMisaligned, 2),
        ("G2R R2, g[A1+0x100]", 5, ErrorKind::SharedRange, 0x400),
        // Lane 0 gets the lock, and lane 1 is wrong.
        ("G2R.LCK.C0 R2, g[A1+0x0]", 1, ErrorKind::SharedMisaligned, 2),
        ("G2R.LCK.C0 R2, g[A1+0x80]", 9, ErrorKind::SharedRange, 0x400),
        ("R2G.UNL.U32.U32 g[A1+0x0], R1", 1, ErrorKind::SharedMisaligned, 2),
        ("R2G.UNL.U32.U32 g[A1+0x80], R1", 9, ErrorKind::SharedRange, 0x400),
    ] {
        let text = format!("{}{operation}\nRET", lanes.replace("SHIFT", &format!("{shift}")));
        let error = fails(launch(&text, 32, &[]));
        assert_eq!((error.kind, error.address), (kind, Some(address)), "{operation}");
        assert!(error.to_string().contains(operation), "{error}");
    }
}
