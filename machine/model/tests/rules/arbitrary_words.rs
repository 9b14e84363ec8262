//! Programs of arbitrary words: no panic, and records in their canonical form.

use crate::running::*;
use crate::words::*;
use flexgrip_machine::{Configuration, Launch, RegisterPart};
use flexgrip_model::Machine;

#[test]
fn random_programs_never_panic() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let legal = [
        mvi(1, 5),
        iadd(2, 1, 0),
        iadd_half(3, 2, 5),
        iset(3, 0, LT, 1),
        test(0, 0, LT, 1),
        shl(1, 1, 3),
        mov_shared(4, 3, 3),
        gld(5, 1),
        gst(1, 5),
        bra(0x20),
        when(bra(0x40), 0, TRUE),
        ssy(0x38),
        ret(),
        when(ret(), 0, FALSE),
        join(nop()),
        exit(nop()),
        iadd_short(1, 2, 3) | iadd_short(4, 5, 6) << 32,
        0x2000_0003 | 0x28 << 9, // CAL 0x28
        0x4000_0003 | 0x30 << 9, // PBK 0x30
        0x5000_0003 | ALWAYS,    // BRK
        0x0000_0003 | ALWAYS,    // KIL
        0x861f_fe03,             // BAR.ARV.WAIT b0, 0xfff
        r2a(1, 0, 2),
        mov_shared(4, 3, 3) | 1 << 26 | 1 << 25, // MOV R4, g[A1+++3]
        r2g(8, 2) | 1 << 26,
        gld(4, 1) ^ 2 << 53,   // GLD.S64
        gld(5, 124) ^ 3 << 53, // GLD.S128 R5: beyond the launch's registers
        gst(124, 6) ^ 3 << 53,
    ];
    let mut executed = 0;
    for _ in 0..3000 {
        let words: Vec<u64> = (0..12)
            .map(|_| match random() % 8 {
                0 => random(),
                1 | 2 => legal[random() as usize % legal.len()] ^ 1 << (random() % 64),
                _ => legal[random() as usize % legal.len()],
            })
            .collect();
        let launch = Launch {
            block: [45, 1, 1],
            registers: 8,
            ..launch(&words)
        };
        let mut machine = Machine::new(launch, Configuration::default()).expect("a launch that fits");
        let result = machine.run_observed(500, |record| {
            executed += 1;
            assert_eq!(record.executed & !record.active, 0);
            let outside = |lane: usize| record.executed >> lane & 1 == 0;
            for write in record.destination.iter().chain(&record.further) {
                assert!((0..32).all(|lane| !outside(lane) || write.values[lane] == 0));
                assert!(record.executed != 0 && write.register < 8);
                assert!(write.part == RegisterPart::Full || write.values.iter().all(|&value| value <= 0xffff));
            }
            if let Some(write) = &record.cc {
                assert!((0..32).all(|lane| !outside(lane) || write.values[lane] == 0) && record.executed != 0);
            }
            for write in [&record.address, &record.post_increment].into_iter().flatten() {
                assert!((0..32).all(|lane| !outside(lane) || write.values[lane] == 0));
                assert!(record.executed != 0 && (1..=4).contains(&write.register));
            }
            assert!(record.memory.iter().all(|effect| !outside(usize::from(effect.lane))));
            assert_eq!(record.next.pc.is_none(), record.next.active == 0);
        });
        if let Err(error) = result {
            assert!(!error.to_string().is_empty());
            assert_eq!(error.address.is_some(), error.kind.has_address());
        }
    }
    assert!(executed > 30_000, "most programs run for a while: {executed}");
}
