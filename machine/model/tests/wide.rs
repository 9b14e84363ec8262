//! Global accesses of 64 and 128 bits, and special registers.

mod common;

use common::{by_lane, kernel};
use flexgrip_machine::{Configuration, ErrorKind, ImageSpace, MemoryImage, RegisterPart};
use flexgrip_model::Machine;

/// A kernel of one warp with these words in global memory.
fn with_memory(text: &str, words: impl Fn(u32) -> u32) -> common::ProgramLaunch {
    let mut kernel = kernel(32, text);
    kernel.launch.memory = vec![MemoryImage {
        space: ImageSpace::Global,
        address: 0,
        words: (0..256).map(words).collect(),
    }];
    kernel
}

#[test]
fn wide_loads_fill_consecutive_registers() {
    let run = with_memory(
        "SHL R1, R0, 3
         two: GLD.S64 R2, global14[R1]
         SHL R1, R0, 4
         four: GLD.S128 R5, global14[R1]
         RET",
        |word| 0x100 * word + 7,
    )
    .finish();
    for part in 0..2 {
        assert_eq!(
            run.register(2 + part),
            by_lane(|lane| 0x100 * (2 * lane + u32::from(part)) + 7)
        );
    }
    for part in 0..4 {
        assert_eq!(
            run.register(5 + part),
            by_lane(|lane| 0x100 * (4 * lane + u32::from(part)) + 7)
        );
    }
    let record = run.record("four");
    let written: Vec<_> = record
        .destination
        .iter()
        .chain(&record.further)
        .map(|write| (write.register, write.part))
        .collect();
    assert_eq!(written, [5, 6, 7, 8].map(|register| (register, RegisterPart::Full)));
    // One effect per lane.
    assert_eq!(record.memory.len(), 32);
    let effect = record.memory[3];
    assert_eq!(
        (effect.lane, effect.address, effect.bytes, effect.data),
        (3, 48, 16, 0x0f07_0000_0e07_0000_0d07_0000_0c07)
    );
    assert!(
        record.to_string().contains(" G[30]:00000f0700000e0700000d0700000c07 "),
        "{record}"
    );
    assert_eq!(run.record("two").memory[1].data, 0x0307_0000_0207);
}

#[test]
fn wide_stores_take_consecutive_registers() {
    let run = with_memory(
        "SHL R1, R0, 4
         IADD32I R4, R0, 0x10; IADD32I R5, R0, 0x20; IADD32I R6, R0, 0x30; IADD32I R7, R0, 0x40
         GST.S128 global14[R1], R4
         SHL R2, R0, 3
         IADD32I R2, R2, 0x200
         GST.S64 global14[R2], R5
         // All lanes to one address: the highest lane's data stays, as a whole.
         MVI R3, 0x400
         GST.S128 global14[R3], R4
         RET",
        |_| 0,
    )
    .finish();
    let words: Vec<u32> = run.machine.global().words().take(0x104).collect();
    for lane in 0..32 {
        let of = |base| base + lane as u32;
        assert_eq!(words[4 * lane..][..4], [of(0x10), of(0x20), of(0x30), of(0x40)]);
        assert_eq!(words[0x80 + 2 * lane..][..2], [of(0x20), of(0x30)]);
    }
    assert_eq!(words[0x100..], [0x2f, 0x3f, 0x4f, 0x5f]);
}

#[test]
fn missing_registers_drop_writes_and_read_zero() {
    // Sixteen registers: R14 and R15 are the last; there is none after R127.
    let run = with_memory(
        "SHL R1, R0, 4
         edge: GLD.S128 R14, global14[R1]
         beyond: GLD.S64 R16, global14[R1]
         last: GLD.S128 R127, global14[R1]
         GST.S128 global14[R1], R14
         MVI R2, 0x200
         IADD R2, R2, R1
         GST.S128 global14[R2], R126
         RET",
        |word| word + 1,
    )
    .finish();
    let written = |label| {
        let record = run.record(label);
        record
            .destination
            .iter()
            .chain(&record.further)
            .map(|write| write.register)
            .collect::<Vec<_>>()
    };
    assert_eq!(written("edge"), [14, 15]);
    assert!(written("beyond").is_empty() && written("last").is_empty());
    let words: Vec<u32> = run.machine.global().words().take(256).collect();
    for lane in 0..32u32 {
        let at = 4 * lane as usize;
        assert_eq!(words[at..][..4], [4 * lane + 1, 4 * lane + 2, 0, 0]);
        assert_eq!(words[0x80 + at..][..4], [0; 4]);
    }
}

#[test]
fn wide_accesses_are_aligned_and_inside() {
    for (text, address, kind) in [
        ("GLD.S64 R2, global14[R1]", 4, ErrorKind::GlobalMisaligned),
        ("GST.S64 global14[R1], R2", 12, ErrorKind::GlobalMisaligned),
        ("GLD.S128 R4, global14[R1]", 8, ErrorKind::GlobalMisaligned),
        ("GST.S128 global14[R1], R4", 0xffff_fff8, ErrorKind::GlobalMisaligned),
        ("GLD.S64 R2, global14[R1]", 1 << 20, ErrorKind::GlobalRange),
        ("GST.S128 global14[R1], R4", 0xffff_fff0, ErrorKind::GlobalRange),
    ] {
        let kernel = kernel(32, &format!("MVI R1, {address}; here: {text}"));
        assert_eq!(kernel.fails_at("here"), (kind, Some(address)), "{text}");
    }
    // The last address.
    let last = (1 << 20) - 16;
    kernel(
        32,
        &format!("MVI R1, {last}; GLD.S128 R4, global14[R1]; GST.S128 global14[R1], R4; RET"),
    )
    .finish();
}

#[test]
fn physical_id_gives_the_location_and_clock_advances() {
    let kernel = kernel(
        64,
        "id: S2R R1, SR0
         zero: S2R R5, SR2
         S2R R6, SR4
         S2R R7, SR7
         first: S2R R2, SR1
         second: S2R R3, SR1
         RET",
    );
    let run = kernel.clone().finish();
    assert_eq!(run.register(1), by_lane(|lane| lane));
    for register in [5, 6, 7] {
        assert_eq!(run.register(register), [0; 32]);
    }
    let read = |label: &str, warp: u32| {
        let at = kernel.at(label);
        let mut of_warp = run.records.iter().filter(|record| record.warp_in_block == warp);
        let record = of_warp.find(|record| record.pc == at).expect("a record");
        record.destination.as_ref().expect("a write").values
    };
    assert_eq!(read("id", 1), by_lane(|lane| 0x100 | lane));
    // Two warps take turns.
    assert_eq!(read("first", 0), [8; 32]);
    assert_eq!(read("first", 1), [9; 32]);
    assert_eq!(read("second", 0), [10; 32]);

    // Another engine's record only supplies its clock and its SM.
    let mut machine = Machine::new(kernel.launch.clone(), Configuration::default()).expect("a launch that fits");
    let mut records = run.records.iter().filter(|record| record.warp_in_block == 1).cloned();
    let mut id = records.next().expect("a record");
    (id.sm, id.warp) = (3, 21);
    let followed = machine.follow(&id).expect("a step");
    assert_eq!(
        followed.destination.expect("a write").values,
        by_lane(|lane| 0x3_1500 | lane)
    );
    for _ in 0..3 {
        let record = records.next().expect("a record");
        assert_eq!(machine.follow(&record).expect("a step").destination, record.destination);
    }
    let mut clock = records.next().expect("a record");
    let write = clock.destination.as_mut().expect("a write");
    write.values = [1234; 32];
    write.values[7] = 1235;
    let followed = machine.follow(&clock).expect("a step");
    assert_eq!(
        followed.destination.expect("a write").values,
        [1234; 32],
        "one clock for all threads"
    );
}
