//! Operands and results: halves, masks, registers, condition codes, shared and constant operands.

use crate::running::*;
use crate::words::*;
use flexgrip_machine::{Launch, RegisterPart};

#[test]
fn halves_leave_the_other_half_alone() {
    let words = [
        mvi(1, 0x1111_2222),
        mvi_half(3, 0xaaaa),
        mvi_half(2, 0xbbbb),
        iadd_half(2, 3, 2),
        ret(),
    ];
    assert_eq!(register_after(launch(&words), 2, 1), [0xaaaa_2222; 32]);
    assert_eq!(register_after(launch(&words), 3, 1), [0xaaaa_bbbb; 32]);
    assert_eq!(register_after(launch(&words), 4, 1), [0xaaaa_6665; 32]);
    let records = finished(&words);
    let write = records[3].destination.as_ref().expect("a write");
    assert_eq!(
        (write.register, write.part, write.values),
        (1, RegisterPart::Low, [0x6665; 32])
    );
    assert_eq!(
        records[1].destination.as_ref().expect("a write").part,
        RegisterPart::High
    );
}

#[test]
fn only_executing_lanes_write() {
    let words = [
        mvi(1, 30),
        test(2, 0, GE, 1),
        mvi(2, 5),
        when(iadd(2, 0, 0), 2, TRUE),
        ret(),
    ];
    assert_eq!(
        register_after(launch(&words), 4, 2),
        by_lane(|lane| if lane < 30 { 5 } else { 2 * lane })
    );
    let records = finished(&words);
    assert_eq!(records[1].destination, None, "o[0x7f] discards");
    let codes = records[1].cc.as_ref().expect("a condition code");
    assert_eq!((codes.register, codes.values[29], codes.values[30]), (2, 1, 2));
    assert_eq!(records[3].executed, 0xc000_0000);
    assert_eq!(records[3].destination.as_ref().expect("a write").values[29], 0);
    // No lane is active: nothing is written or recorded.
    let records = finished(&[cc(when(iadd(2, 0, 0), 0, FALSE), 1), ret()]);
    assert_eq!(
        (records[0].executed, &records[0].destination, &records[0].cc),
        (0, &None, &None)
    );
}

#[test]
fn reads_come_before_writes() {
    assert_eq!(
        register_after(launch(&[iadd(0, 0, 0), ret()]), 1, 0),
        by_lane(|lane| 2 * lane)
    );
}

#[test]
fn short_instructions_are_four_bytes() {
    let pair = iadd_short(1, 0, 0) | iadd_short(2, 1, 1) << 32;
    let records = finished(&[pair, ret()]);
    assert_eq!(path(&records).iter().map(|step| step.0).collect::<Vec<_>>(), [0, 4, 8]);
    assert_eq!(records[1].word, iadd_short(2, 1, 1));
    assert_eq!(
        records[1].destination.as_ref().expect("a write").values,
        by_lane(|lane| 4 * lane)
    );
}

#[test]
fn registers_past_the_allocation_are_zero() {
    let launch = Launch {
        registers: 2,
        ..launch(&[mvi(2, 9), iadd(1, 2, 2), cc(iadd(124, 0, 0), 0), mvi(1, 1), ret()])
    };
    let (_, records, result) = run(launch);
    assert_eq!(result, Ok(()));
    assert_eq!(records[0].destination, None);
    assert_eq!(records[1].destination.as_ref().expect("a write").values, [0; 32]);
    assert_eq!(records[2].destination, None);
    assert_eq!(
        records[2].cc.as_ref().expect("codes").values[..2],
        [1, 0],
        "the condition code is written all the same"
    );
}

#[test]
fn carries_chain_through_a_condition_code() {
    let words = [
        mvi(1, u32::MAX),
        cc(iadd(2, 1, 0), 3),
        iadd_carry(3, 0, 0, 3),
        iadd_carry(4, 0, 0, 2),
        ret(),
    ];
    assert_eq!(
        register_after(launch(&words), 3, 3),
        by_lane(|lane| 2 * lane + u32::from(lane > 0))
    );
    assert_eq!(register_after(launch(&words), 4, 4), by_lane(|lane| 2 * lane));
}

#[test]
fn shared_operands_see_header_and_parameters() {
    let words = [
        mov_shared(1, 0, 3),
        mov_shared(2, 1, 1),
        mov_shared(3, 4, 3),
        mov_shared(4, 11, 2),
        mov_shared(5, 19, 0),
        ret(),
    ];
    let launch = Launch {
        params: vec![0x1234_5678, 2, 0],
        grid: [3, 2],
        ..launch(&words)
    };
    assert_eq!(register_after(launch.clone(), 1, 1), [0x20_0000; 32]);
    assert_eq!(register_after(launch.clone(), 2, 2), [32; 32]);
    assert_eq!(register_after(launch.clone(), 3, 3), [0x1234_5678; 32]);
    let negative = Launch {
        params: vec![0, 0x8001_0000],
        ..launch.clone()
    };
    assert_eq!(register_after(negative, 4, 4), [0xffff_8001; 32]);
    assert_eq!(register_after(launch, 5, 5), [0x12; 32]);
}

#[test]
fn constants_come_from_their_bank() {
    use flexgrip_machine::{ImageSpace, MemoryImage};
    // IADD R1, R0, c[3][4]
    let words = [iadd(1, 0, 1) | 1 << 24 | 3 << 54, ret()];
    let image = MemoryImage {
        space: ImageSpace::Constant { bank: 3 },
        address: 4,
        words: vec![100],
    };
    let launch = Launch {
        memory: vec![image],
        ..launch(&words)
    };
    assert_eq!(register_after(launch, 1, 1), by_lane(|lane| 100 + lane));
}

#[test]
fn words_of_real_kernels_give_known_results() {
    use flexgrip_machine::{ImageSpace, MemoryImage};
    let before = [0x8001_fffb, 0x0002_ffff, 0x1f07, 0x0004_0100];
    for (low, high, register, want) in [
        (0x4007_0411u64, 0x0000_0780u64, 4, 0x0003_fffcu32), // IMUL.U16.U16 R4, R1L, R3H
        (0x4004_8101, 0x0000_04cb, 0, 0xfffe_816c),          // IMUL32I.S16.S16 R0, R0L, 0x4c84
        (0x4003_0009, 0x0001_0780, 2, 0x01eb_fb00),          // IMUL.U24.U24 R2, R0, R3
        (0x6006_0611, 0x0000_0780, 4, 0x8002_01fb),          // IMAD.U16 R4, R1H, R3L, R0
        (0x300a_020d, 0xe010_0780, 1, 0x0020_ffff),          // SHR.U16 R1H, R0H, 0xa
        (0x3002_0609, 0xec00_0780, 2, 0),                    // SHR.S32 R2, R3, R2: the count is 0x1f07
        (0xa000_0025, 0x0411_4780, 9, 0x7ffe_0005),          // I2I.U32.S32 R9, |R0|
        (0xa000_001d, 0x2c01_4780, 7, 0x7ffe_0005),          // I2I.S32.S32 R7, -R0
        (0xa000_0809, 0x0400_8780, 2, 0x07),                 // I2I.U32.U16.BEXT R2, R2L
        (0xa000_0019, 0x0c01_0780, 6, 0xffff_fffb),          // I2I.S32.S16 R6, R0L
        (0xd002_0615, 0x0400_0780, 5, 0x0000_0100),          // LOP.AND R5, R3, R2
        (0xd003_0001, 0x0402_c780, 0, 0xfffb_feff),          // LOP.PASS_B R0, R0, ~R3
        (0x3080_0001, 0x8440_0780, 0, 0x8001_fffb),          // IMAX R0, R0, c[0x1][0x0]
        (0x3080_0001, 0x8c40_0780, 0, 0x0000_0010),          // IMAX.S32 R0, R0, c[0x1][0x0]
        (0x3080_0001, 0xa440_0780, 0, 0x0000_0010),          // IMIN R0, R0, c[0x1][0x0]
        (0x3080_0001, 0xac40_0780, 0, 0x8001_fffb),          // IMIN.S32 R0, R0, c[0x1][0x0]
    ] {
        let mut words: Vec<_> = before
            .iter()
            .enumerate()
            .map(|(r, &value)| mvi(r as u64, value))
            .collect();
        words.extend([low | high << 32, ret()]);
        let image = MemoryImage {
            space: ImageSpace::Constant { bank: 1 },
            address: 0,
            words: vec![0x10],
        };
        let launch = Launch {
            memory: vec![image],
            ..launch(&words)
        };
        let got = register_after(launch, 5, register);
        assert_eq!(
            got.map(|v| format!("{v:08x}")),
            [(); 32].map(|()| format!("{want:08x}")),
            "{low:08x} {high:08x}"
        );
    }
}
