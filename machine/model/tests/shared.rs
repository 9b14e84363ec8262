//! The rules of the machine's contract (`docs/machine.md`) for address registers, shared and constant memory, and the
//! instructions that move values between kinds of registers.

mod common;

use common::{by_lane, kernel, ProgramLaunch};
use flexgrip_machine::{AddressWrite, ErrorKind, ImageSpace, MemoryEffect, MemoryImage, MemorySpace};

/// A block of 32 threads, with words in constant bank 3.
#[track_caller]
fn warp(text: &str) -> ProgramLaunch {
    let mut kernel = kernel(32, text);
    kernel.launch.memory = vec![MemoryImage {
        space: ImageSpace::Constant { bank: 3 },
        address: 0,
        words: (0..1024).map(|word| 0x8081_8283 + word).collect(),
    }];
    kernel.launch.shared_bytes = 1024;
    kernel
}

fn constant(word: u32) -> u32 {
    0x8081_8283 + word
}

fn address(register: u8, value: impl Fn(u32) -> u32) -> Option<AddressWrite> {
    let values = by_lane(value).map(|value| value as u16);
    Some(AddressWrite { register, values })
}

// ---- Between registers ----

#[test]
fn address_registers_are_independent() {
    let run = warp(
        "one: R2A A1, R0; two: R2A A2, R0, 4; three: R2A A3, R0, 0xf; four: R2A A4, R0, 1
         A2R R1, A1; A2R R2, A2; A2R R3, A3; A2R R4, A4
         RET",
    )
    .finish();
    assert_eq!(run.record("one").address, address(1, |lane| lane));
    assert_eq!(run.record("two").address, address(2, |lane| lane << 4));
    assert_eq!(run.record("three").address, address(3, |lane| lane << 15 & 0xffff));
    assert_eq!(run.record("four").address, address(4, |lane| lane << 1));
    assert_eq!(run.register(1), by_lane(|lane| lane));
    assert_eq!(run.register(2), by_lane(|lane| lane << 4));
    assert_eq!(run.register(3), by_lane(|lane| lane << 15 & 0xffff));
    assert_eq!(run.register(4), by_lane(|lane| lane << 1));
    let line = run.record("one").to_string();
    assert!(line.contains(" A1=0000,0001,0002,"), "{line}");
}

#[test]
fn ada_adds_modulo_2_to_the_16() {
    let run = warp(
        "R2A A1, R0
         ADA A2, A1, 0xfff0
         ADA A3, A2, 0x20
         ADA A4, A0, 0x1234
         ADA A4, A4, 0x8000
         A2R R2, A2; A2R R3, A3; A2R R4, A4
         RET",
    )
    .finish();
    assert_eq!(run.register(2), by_lane(|lane| (lane + 0xfff0) & 0xffff));
    assert_eq!(run.register(3), by_lane(|lane| lane + 0x10));
    assert_eq!(run.register(4), [0x9234; 32]);
}

#[test]
fn a0_reads_zero_and_keeps_nothing() {
    let run = warp(
        "MVI R1, 8; MVI R2, 7
         write: R2A A0, R1
         add: ADA A0, A0, 4
         A2R R2, A0
         offset: MVC R3, c[3][A0+++4]
         again: MVC R4, c[3][A0+++4]
         RET",
    )
    .finish();
    for label in ["write", "add", "offset"] {
        let record = run.record(label);
        assert_eq!((&record.address, &record.post_increment), (&None, &None), "{label}");
    }
    assert_eq!(run.register(2), [0; 32]);
    // With post-increment the address is the register alone: 0.
    assert_eq!(run.register(3), [constant(0); 32]);
    assert_eq!(run.register(4), [constant(0); 32]);
}

#[test]
fn conditions_select_the_threads_that_write() {
    let run = warp(
        "MVI R15, 4; ISET.C1 o[0x7f], R0, R15, LT
         R2A A1, R15
         r2a: R2A A1 (C1.NE), R0, 3
         ada: ADA A1 (C1.EQ), A1, 0x10
         increment: MVC R1 (C1.NE), c[3][A1+++1]
         A2R R2, A1
         none: R2A A1 (C1.FALSE), R0
         RET",
    )
    .finish();
    assert_eq!(
        run.record("r2a").address,
        address(1, |lane| if lane < 4 { lane << 3 } else { 0 })
    );
    assert_eq!(
        run.record("ada").address,
        address(1, |lane| if lane < 4 { 0 } else { 0x14 })
    );
    let increment = run.record("increment");
    assert_eq!(
        increment.post_increment,
        address(1, |lane| if lane < 4 { 8 * lane + 4 } else { 0 })
    );
    assert!(increment.to_string().contains(" A1=0004,000c,0014,001c"), "{increment}");
    assert_eq!(
        run.register(2),
        by_lane(|lane| if lane < 4 { 8 * lane + 4 } else { 0x14 })
    );
    assert_eq!(
        run.register(1),
        by_lane(|lane| if lane < 4 { constant(2 * lane) } else { 0 })
    );
    assert_eq!(run.record("none").address, None);
}

#[test]
fn condition_codes_go_to_registers_and_back() {
    let run = warp(
        "R2C C2, R0
         back: C2R R1, C2
         MVI R3, 0xab
         MVI R4, 1; ISET.C1 o[0x7f], R0, R4, EQ
         some: R2C C2 (C1.NE), R3
         C2R R2, C2
         RET",
    )
    .finish();
    assert_eq!(run.register(1), by_lane(|lane| lane & 15));
    let cc = run.record("some").cc.as_ref().expect("codes");
    assert_eq!((cc.register, cc.values[0], cc.values[1]), (2, 0, 0xb));
    assert_eq!(run.register(2), by_lane(|lane| if lane == 1 { 0xb } else { lane & 15 }));
}

#[test]
fn isad_sums_absolute_differences() {
    let run = warp(
        "MVI R1, 10; MVI R2, 0x1fffe; MVI R3, 100; MVI R5, 0xfffffff6; MVI R6, 0xfffffff6
         plain: ISAD R4, R0, R1, R3
         half: ISAD.S16 R4, R2L, R1L, R3
         signed: ISAD.S32 R4, R5, R1, R3
         zero: ISAD.C3 R4, R1, R1, R124
         short: ISAD32.S32 R6, R0, R1, R6
         RET",
    )
    .finish();
    let value = |label| run.record(label).destination.as_ref().expect("a write").values;
    assert_eq!(value("plain"), by_lane(|lane| 100 + lane.abs_diff(10)));
    assert_eq!(value("half"), [112; 32]);
    assert_eq!(value("signed"), [120; 32]);
    assert_eq!(
        value("short"),
        by_lane(|lane| 0xffff_fff6u32.wrapping_add(lane.abs_diff(10)))
    );
    let cc = run.record("zero").cc.as_ref().expect("codes");
    assert_eq!((cc.register, cc.values), (3, [1; 32]));
}

// ---- Operands through address registers ----

#[test]
fn every_thread_reads_at_its_own_address() {
    // Thread t: constant word 3 t + 2, and the same from shared memory.
    for register in ["A1", "A2", "A3", "A4"] {
        let run = warp(&format!(
            "MVI R3, 12; IMUL.U16.U16 R1, R0L, R3L
             R2A {register}, R1
             MVC R2, c[3][{register}+2]
             mvc: MVC R3, c[3][{register}+2]
             IADD R5, R0, c[3][{register}+2]
             R2G.U32.U32 g[{register}+8], R2
             MOV R4, g[{register}+8]
             RET"
        ))
        .finish();
        assert_eq!(run.register(2), by_lane(|lane| constant(3 * lane + 2)));
        assert_eq!(run.register(3), run.register(2));
        assert_eq!(run.register(4), run.register(2));
        assert_eq!(run.register(5), by_lane(|lane| constant(3 * lane + 2) + lane));
        let mvc = run.record("mvc");
        assert_eq!((&mvc.address, &mvc.post_increment, &mvc.cc), (&None, &None, &None));
        assert!(mvc.memory.is_empty(), "operands are no effects");
    }
}

#[test]
fn short_instructions_have_address_registers_too() {
    let run = warp(
        "R2A A1, R0, 2
         R2A A2, R0, 2
         R2A A3, R0, 2
         R2G.U32.U32 g[A1+0xf], R0
         MOV32 R1, g[A1+0xf]
         IADD32 R2, g[A2+0xf], R0
         ADA A3, A3, 0x3c
         next: MOV32 R3, g[A3++-8]
         MOV32 R4, g[A3+0]
         RET",
    )
    .finish();
    assert_eq!(run.register(1), by_lane(|lane| lane));
    assert_eq!(run.register(2), by_lane(|lane| 2 * lane));
    assert_eq!(run.record("next").post_increment, address(3, |lane| 4 * lane + 0x1c));
    assert_eq!(run.register(3), by_lane(|lane| lane));
    assert_eq!(
        run.register(4),
        by_lane(|lane| lane.saturating_sub(8)),
        "lanes below 8 read below the first word stored"
    );
}

#[test]
fn addresses_wrap_at_2_to_the_16() {
    let run = warp(
        "ADA A1, A0, 0xfffc
         MVC R1, c[3][A1+3]
         back: MOV R2, g[A1+5]
         ADA A2, A0, 8
         down: MVC R3, c[3][A2++-0x3]
         up: MVC R3 (C0.FALSE), c[3][A2+++0x3]
         A2R R4, A2
         RET",
    )
    .finish();
    assert_eq!(run.register(1), [constant(2); 32]);
    // Word 4 of shared memory is not set: it reads 0.
    assert_eq!(run.register(2), [0; 32]);
    assert_eq!(run.record("down").post_increment, address(2, |_| 0xfffc));
    assert_eq!(run.record("up").post_increment, None);
    assert_eq!(run.register(3), [constant(2); 32]);
    assert_eq!(run.register(4), [0xfffc; 32]);
}

#[test]
fn post_increments_step_in_units_of_the_access() {
    let run = warp(
        "R2A A1, R0, 2
         ADA A1, A1, 0x20
         a: MVC R1, c[3][A1+++1]
         b: MVC R2, c[3][A1++-2]
         c: MVC R3, c[3][A1+++1].U16
         d: MVC R4, c[3][A1+++1].S16
         e: MVC R5, c[3][A1++-1].U8
         RET",
    )
    .finish();
    let word = |lane: u32| constant(lane + 8);
    assert_eq!(run.register(1), by_lane(word));
    assert_eq!(run.record("a").post_increment, address(1, |lane| 4 * lane + 0x24));
    assert_eq!(run.register(2), by_lane(|lane| word(lane + 1)));
    assert_eq!(run.record("b").post_increment, address(1, |lane| 4 * lane + 0x1c));
    assert_eq!(run.register(3), by_lane(|lane| (word(lane) - 1) & 0xffff));
    assert_eq!(run.record("c").post_increment, address(1, |lane| 4 * lane + 0x1e));
    assert_eq!(run.register(4), [0xffff_8081; 32]);
    assert_eq!(run.record("d").post_increment, address(1, |lane| 4 * lane + 0x20));
    assert_eq!(run.register(5), by_lane(|lane| word(lane) & 0xff));
    assert_eq!(run.record("e").post_increment, address(1, |lane| 4 * lane + 0x1f));
}

#[test]
fn operands_are_read_before_registers_are_written() {
    let run = warp(
        "R2G.U32.U32 g[8], R0
         ADA A1, A0, 0x20
         same: R2A A1, g[A1+++4], 1
         A2R R1, A1
         ADA A2, A0, 0x20
         other: R2A A1, g[A2+++4], 2
         RET",
    )
    .finish();
    // The last lane's value is in g[8]. Of the two writes to A1, R2A's stays.
    let same = run.record("same");
    assert_eq!((&same.address, &same.post_increment), (&address(1, |_| 62), &None));
    assert_eq!(run.register(1), [62; 32]);
    let other = run.record("other");
    assert_eq!(other.address, address(1, |_| 124));
    assert_eq!(other.post_increment, address(2, |_| 0x30));
    assert!(other.to_string().contains(" A1=007c A2=0030"), "{other}");
}

#[test]
fn shared_operands_are_extended_by_their_type() {
    let run = warp(
        "MVI R1, 0x8182f3f4
         R2G.U32.U32 g[8], R1
         ADA A1, A0, 0x20
         MOV R2, g[A1+0].U8; MOV R3, g[A1+0].U16; MOV R4, g[A1+0].S16; MOV R5, g[A1+0]
         MOV.U16 R6L, g[A1+1].U16; MOV.U16 R6H, g[A1+1].U8
         MVC.U16 R7L, c[3][A1+0].U16
         RET",
    )
    .finish();
    assert_eq!(run.register(2), [0xf4; 32]);
    assert_eq!(run.register(3), [0xf3f4; 32]);
    assert_eq!(run.register(4), [0xffff_f3f4; 32]);
    assert_eq!(run.register(5), [0x8182_f3f4; 32]);
}

// ---- Stores ----

#[test]
fn r2g_stores_every_size() {
    // Each store goes to a word that holds 0x11223344.
    for (suffix, source, offset, word, bytes, data) in [
        ("U32.U32", "R1", 0x80, 0x8586_8788u32, 4, 0x8586_8788u64),
        ("U16.U32", "R1L", 0x80, 0x8788, 4, 0x8788),
        ("U16.U32", "R1H", 0x80, 0x8586, 4, 0x8586),
        ("U32.U16", "R1", 0x100, 0x1122_8788, 2, 0x8788),
        ("U16.U16", "R1H", 0x101, 0x8586_3344, 2, 0x8586),
        ("U32.U8", "R1", 0x200, 0x1122_3388, 1, 0x88),
        ("U16.U8", "R1H", 0x203, 0x8622_3344, 1, 0x86),
    ] {
        let run = warp(&format!(
            "MVI R1, 0x85868788; MVI R2, 0x11223344
             R2G.U32.U32 g[0x80], R2
             store: R2G.{suffix} g[{offset}], {source}
             ADA A1, A0, 0x200
             load: MOV R3, g[A1+0]
             RET"
        ))
        .finish();
        assert_eq!(run.register(3), [word; 32], "R2G.{suffix} {source}");
        let record = run.record("store");
        let effect = |lane| MemoryEffect {
            space: MemorySpace::Shared,
            store: true,
            lane,
            address: offset * bytes,
            bytes: bytes as u8,
            data: data.into(),
        };
        assert_eq!(record.memory, (0..32).map(effect).collect::<Vec<_>>());
        assert_eq!((&record.destination, &record.cc), (&None, &None));
        let shown = format!(" S[{:x}]={data:0width$x}", offset * bytes, width = 2 * bytes as usize);
        assert!(record.to_string().contains(&shown), "{record}");
    }
}

#[test]
fn highest_lane_wins_at_one_address() {
    let run = warp(
        "SHR R1, R0, 3
         R2A A1, R1, 2
         MVI R15, 30; ISET.C0 o[0x7f], R0, R15, LT
         R2G.U32.U32 g[A1+8] (C0.NE), R0
         MOV R2, g[A1+8]
         RET",
    )
    .finish();
    assert_eq!(run.register(2), by_lane(|lane| [7, 15, 23, 29][lane as usize / 8]));
}

#[test]
fn a_store_may_increment_its_address() {
    // Each thread stores its number twice, 0x80 bytes apart, and steps back by 0x7c, to its neighbour's first word.
    let run = warp(
        "R2A A1, R0, 2
         ADA A1, A1, 0x40
         one: R2G.U32.U32 g[A1+++0x20], R0
         two: R2G.U32.U32 g[A1++-0x1f], R0
         MOV R1, g[A1+0x1f]; MOV R2, g[A1+0]
         byte: R2G.U32.U8 g[A1+++3], R0
         half: R2G.U16.U16 g[A2++-1], R0L
         RET",
    )
    .finish();
    assert_eq!(run.record("one").post_increment, address(1, |lane| 4 * lane + 0xc0));
    assert_eq!(run.record("two").post_increment, address(1, |lane| 4 * lane + 0x44));
    assert_eq!(run.register(1), by_lane(|lane| lane));
    assert_eq!(run.register(2), by_lane(|lane| if lane < 31 { lane + 1 } else { 0 }));
    assert_eq!(run.record("byte").post_increment, address(1, |lane| 4 * lane + 0x47));
    assert_eq!(run.record("half").post_increment, address(2, |_| 0xfffe));
}

#[test]
fn only_warps_of_a_block_share_its_memory() {
    // Each of two warps stores its number; after the barrier it reads the other's. Blocks do not see each other's.
    let mut kernel = kernel(
        64,
        "SHR R1, R0, 5
         I2I.U32.U16 R2, g[6].U16
         SHL R2, R2, 4
         IADD R3, R1, R2
         R2A A1, R1, 2
         R2G.U32.U32 g[A1+8], R3
         BAR.ARV.WAIT b0, 0xfff
         MVI R4, 4; SHL R5, R1, 2; IADD R5, R4, -R5
         R2A A2, R5
         value: MOV R6, g[A2+8]
         RET",
    );
    (kernel.launch.grid, kernel.launch.shared_bytes) = ([3, 1], 64);
    let run = kernel.finish();
    let at = run.kernel.at("value");
    let mut seen = 0;
    for record in run.records.iter().filter(|record| record.pc == at) {
        let want = record.block * 16 + (1 - record.warp_in_block);
        assert_eq!(record.destination.as_ref().expect("a write").values, [want; 32]);
        seen += 1;
    }
    assert_eq!(seen, 6);
}

// ---- Faults ----

#[test]
fn the_lowest_lane_at_fault_is_reported() {
    let address = "R2A A1, R0";
    for (set, here, kind, at) in [
        // Lane l is at l: lane 1 is the first misaligned.
        (address, "MOV R1, g[A1+4]", ErrorKind::SharedMisaligned, 17),
        (address, "MOV R1, g[A1+4].S16", ErrorKind::SharedMisaligned, 9),
        (address, "MOV R1, g[A1+++4]", ErrorKind::SharedMisaligned, 1),
        (address, "R2G.U32.U32 g[A1+4], R0", ErrorKind::SharedMisaligned, 17),
        (address, "R2G.U32.U16 g[A1+++4], R0", ErrorKind::SharedMisaligned, 1),
        (address, "MVC R1, c[3][A1+4]", ErrorKind::ConstantMisaligned, 17),
        (address, "MVC R1, c[3][A1+4].U16", ErrorKind::ConstantMisaligned, 9),
        (address, "IADD32 R1, g[A1+1], R0", ErrorKind::SharedMisaligned, 5),
        // Lane l is at 64 l: lanes 16 and up are outside the 1,024 bytes.
        ("R2A A1, R0, 6", "MOV R1, g[A1+0]", ErrorKind::SharedRange, 1024),
        ("R2A A1, R0, 6", "MOV R1, g[A1+0x1f].U8", ErrorKind::SharedRange, 1055),
        (
            "R2A A1, R0, 6",
            "R2G.U16.U8 g[A1+0x40], R1L",
            ErrorKind::SharedRange,
            1024,
        ),
        (
            "R2A A1, R0, 6",
            "R2G.U32.U32 g[A1+++1], R1",
            ErrorKind::SharedRange,
            1024,
        ),
        // Lane l is at 256 l.
        ("R2A A1, R0, 8", "MVC R1, c[3][A1+0]", ErrorKind::ConstantRange, 4096),
        (
            "R2A A1, R0, 8",
            "MVC R1, c[0][A1+++1].U8",
            ErrorKind::ConstantRange,
            4096,
        ),
        // In one lane misalignment takes priority over range; misalignment in another lane does not.
        (
            "ADA A1, A0, 0xfff1",
            "MOV R1, g[A1+0]",
            ErrorKind::SharedMisaligned,
            0xfff1,
        ),
        ("ADA A1, A1, 0x400", "MOV R1, g[A1+0]", ErrorKind::SharedRange, 0x400),
        // The same holds without an address register.
        ("NOP", "R2G.U32.U32 g[0x100], R1", ErrorKind::SharedRange, 1024),
        ("NOP", "MVC R1, c[3][0x400]", ErrorKind::ConstantRange, 4096),
    ] {
        let kernel = warp(&format!("R2A A1, R0\n {set}\n here: {here}\n RET"));
        assert_eq!(kernel.fails_at("here"), (kind, Some(at)), "{set}; {here}");
    }
    assert_eq!(ErrorKind::SharedMisaligned.code(), Some(12));
    assert_eq!(ErrorKind::ConstantMisaligned.code(), Some(13));
    // If two operands fault, source 1's is reported, even if source 2's is in a lower lane.
    let kernel = warp("R2A A1, R0, 6\n here: IADD R1, g[A1+0], c[0][0x40]\n RET");
    assert_eq!(kernel.fails_at("here"), (ErrorKind::SharedRange, Some(1024)));
}

#[test]
fn inactive_lanes_do_not_fault() {
    let run = warp(
        "R2A A1, R0, 6
         MVI R15, 16; ISET.C0 o[0x7f], R0, R15, LT
         MOV R1 (C0.NE), g[A1+0]
         R2G.U32.U32 g[A1+++1] (C0.NE), R0
         MVC R2 (C0.FALSE), c[3][0x400]
         RET",
    )
    .finish();
    assert_eq!(run.register(2), [0; 32]);
    let kernel = warp(
        "R2A A1, R0, 6
         MVI R15, 20; ISET.C0 o[0x7f], R0, R15, GE
         here: MOV R1 (C0.NE), g[A1+0]",
    );
    assert_eq!(
        kernel.fails_at("here"),
        (ErrorKind::SharedRange, Some(20 * 64)),
        "lanes 16 to 19 do not execute"
    );
}
