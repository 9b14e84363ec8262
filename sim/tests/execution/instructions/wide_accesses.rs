//! Tests of loads and stores of 64 and 128 bits: several registers, at any position, and in error.

use super::{operands, run_both};
use crate::common::{launch, LANES};
use flexgrip_machine::{ErrorKind, ImageSpace, Launch, MemoryImage, Retire};
use flexgrip_sim::trace::ending::Ending;

#[test]
fn wide_accesses_move_several_registers() {
    // Each thread has its own location, in an order that scatters the lanes; even threads have a second one.
    const THREADS: usize = 80;
    const AT: usize = 0x400;
    let kernel = "
        IMUL.U16.U16 R1, R0L, c[0x1][0x0]
        LOP32I.AND R1, R1, 0x7f
        SHL R2, R1, 4
        GLD.S128 R4, global14[R2]
        IADD R4, R4, R5                 // waits for two of them
        GLD.S64 R9, global14[R2]        // an odd first register
        GLD.S128 R14, global14[R2]      // the last two registers
        IADD32I R2, R2, 0x1000
        GST.S128 global14[R2], R4
        IADD32I R2, R2, 0x1000
        GST.S64 global14[R2], R9
        IADD32I R2, R2, 0x8
        MOV R11, R10
        GST.S64 global14[R2], R10
        LOP32I.AND R3, R0, 1
        IADD.C0 o[0x7f], R3, R124
        MVI R8, 7
        GLD.S64 R8 (C0.EQ), global14[R2]
        IADD32I R2, R2, 0xff8
        GST.S128 global14[R2], R14
        IADD32I R2, R2, 0x1000
        GST.S64 global14[R2] (C0.NE), R8
        MVI R2, 0x6000
        GST.S128 global14[R2], R4       // all to one place
        MVI R2, 0x7000
        GLD.S128 R12 (C0.LT), global14[R2]
        GST.S64 global14[R2], R12       // first written by no thread, so zero
        RET
    ";
    let memory = operands(11, 4 * 128);
    let mut launch = launch(kernel, 1, THREADS as u32, memory.clone());
    launch.memory.push(MemoryImage {
        space: ImageSpace::Constant { bank: 1 },
        address: 0,
        words: vec![37],
    });
    for lanes in LANES {
        let (report, records) = run_both(&launch, lanes);
        assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
        let global = &report.global;
        for thread in 0..THREADS {
            let place = 4 * (thread * 37 % 128);
            let context = format!("{lanes} lanes, thread {thread}");
            let [a, b, c, d] = [0, 1, 2, 3].map(|word| memory[place + word]);
            let row = |number: usize| &global[number * AT + place..][..4];
            assert_eq!(row(1), [a.wrapping_add(b), b, c, d], "{context}");
            assert_eq!(row(2), [a, b, b, b], "{context}");
            assert_eq!(row(3), [a, b, 0, 0], "{context}");
            let odd = if thread % 2 == 1 { [7, a, 0, 0] } else { [0; 4] };
            assert_eq!(row(4), odd, "{context}");
        }
        // The last thread of the last warp wins.
        let to_one_place = |record: &&Retire| {
            record
                .memory
                .iter()
                .any(|effect| effect.store && effect.address == 0x6000)
        };
        let last = records.iter().rfind(to_one_place).unwrap();
        let thread = 32 * last.warp_in_block as usize + usize::from(last.memory.last().unwrap().lane);
        let place = 4 * (thread * 37 % 128);
        let [a, b, c, d] = [0, 1, 2, 3].map(|word| memory[place + word]);
        assert_eq!(global[0x6000 / 4..][..4], [a.wrapping_add(b), b, c, d], "{lanes} lanes");
        assert_eq!(global[0x7000 / 4..][..4], [0; 4], "{lanes} lanes");
        let wide = records.iter().flat_map(|record| &record.memory);
        assert_eq!(wide.filter(|effect| effect.bytes == 16).count(), 5 * THREADS);
        // A store of four registers occupies the read stage for four times its beats.
        let stores = records
            .windows(2)
            .filter(|pair| pair[0].memory.iter().any(|effect| effect.store && effect.bytes == 16));
        let gaps = stores.map(|pair| pair[1].issue_cycle.unwrap() - pair[0].issue_cycle.unwrap());
        assert_eq!(gaps.min(), Some(u64::from(4 * 32 / lanes)), "{lanes} lanes");
    }
}

#[test]
fn wide_accesses_use_any_registers() {
    // Registers around the middle and the end of the range, each used as early as possible.
    const FIRSTS: [u32; 8] = [60, 61, 62, 63, 64, 123, 124, 126];
    let mut kernel = "SHL R1, R0, 4\nMVI R2, 0x200\n".to_string();
    for first in FIRSTS {
        let last = (first + 3).min(127);
        kernel += &format!(
            "GLD.S128 R{first}, global14[R124]
             GLD.S128 R{first}, global14[R1]
             IADD R{last}, R{last}, R{first}
             IADD R3, R1, R2
             GST.S128 global14[R3], R{first}
             IADD32I R2, R2, 0x200\n"
        );
        // R124 is the zero in the next instruction's address.
        kernel += "MVI R124, 0\n";
    }
    let memory = operands(13, 128);
    let launch = Launch {
        registers: 128,
        ..launch(&(kernel + "RET"), 1, 32, memory.clone())
    };
    for lanes in LANES {
        let (report, _) = run_both(&launch, lanes);
        assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
        for (row, first) in (1..).zip(FIRSTS) {
            for thread in 0..32 {
                let [a, b, c, d] = [0, 1, 2, 3].map(|word| memory[4 * thread + word]);
                let want = match first {
                    126 => [a, a.wrapping_add(b), 0, 0],
                    _ => [a, b, c, a.wrapping_add(d)],
                };
                let at = 128 * row + 4 * thread;
                assert_eq!(
                    report.global[at..][..4],
                    want,
                    "{lanes} lanes, R{first}, thread {thread}"
                );
            }
        }
    }
}

#[test]
fn wide_access_errors_agree_on_every_engine() {
    for (text, kind, address) in [
        (
            "SHL R1, R0, 2; GLD.S64 R2, global14[R1]",
            ErrorKind::GlobalMisaligned,
            4,
        ),
        (
            "SHL R1, R0, 2; GST.S64 global14[R1], R2",
            ErrorKind::GlobalMisaligned,
            4,
        ),
        (
            "SHL R1, R0, 3; GLD.S128 R4, global14[R1]",
            ErrorKind::GlobalMisaligned,
            8,
        ),
        (
            "SHL R1, R0, 3; GST.S128 global14[R1], R4",
            ErrorKind::GlobalMisaligned,
            8,
        ),
        (
            "SHL R1, R0, 12; GLD.S64 R2, global14[R1]",
            ErrorKind::GlobalRange,
            0x1_0000,
        ),
        (
            "SHL R1, R0, 12; GST.S128 global14[R1], R3",
            ErrorKind::GlobalRange,
            0x1_0000,
        ),
        (
            "MVI R1, -16; GLD.S128 R4, global14[R1]",
            ErrorKind::GlobalRange,
            0xffff_fff0,
        ),
    ] {
        for lanes in LANES {
            let (report, _) = run_both(&launch(&format!("{text}; RET"), 1, 32, vec![]), lanes);
            let Ending::Failed(error) = report.ending else {
                panic!("{text}, {lanes} lanes: {:?}", report.ending);
            };
            assert_eq!(
                (error.kind, error.address),
                (kind, Some(address)),
                "{text}, {lanes} lanes"
            );
        }
    }
}
