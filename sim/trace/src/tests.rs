//! Events become records: each part of a record, their order, and impossible events.

use super::assembler::Assembler;
use super::records::Records;
use super::times::{Timed, Times};
use flexgrip_isa::Capability;
use flexgrip_machine::trace::{
    Event, IssueEvent, LaunchEvent, MaskEvent, MemoryEvent, NextEvent, StackEvent, WriteEvent,
};
use flexgrip_machine::{Entry, EntryKind, Next, RegisterPart, RegisterWrite, StackOperation};

/// `RET`; `GLD.U32 R0, global14[R0]`; `GST.U32 global14[R0], R1`; `MOV32 R0, R0`.
const RET: u64 = 0x0000_0780_3000_0003;
const GLD: u64 = 0x80c0_0780_d00e_0001;
const GST: u64 = 0xa0c0_0780_d00e_0005;
const MOV32: u64 = 0x1000_8000;

fn launch(warp: u32, block: u32, index: u32) -> Event {
    Event::Launch(LaunchEvent { warp, block, index })
}

fn issue(tag: u16, warp: u32, word: u64) -> Event {
    Event::Issue(IssueEvent {
        tag,
        warp,
        pc: 0x10,
        word,
    })
}

fn mask(tag: u16, active: u32, executed: u32) -> Event {
    Event::Mask(MaskEvent { tag, active, executed })
}

fn write(tag: u16, beat: u32, last: bool, data: [u32; 32]) -> WriteEvent {
    WriteEvent {
        tag,
        beat,
        last,
        lanes: 0xffff,
        register: 5,
        register_enable: true,
        halves: 3,
        condition_register: 2,
        condition_enable: false,
        address_register: 0,
        address_enable: false,
        data,
        condition: [0; 32],
    }
}

fn last_write(tag: u16) -> Event {
    Event::Write(WriteEvent {
        register_enable: false,
        ..write(tag, 1, true, [0; 32])
    })
}

fn access(tag: u16, beat: u32, store: bool, lanes: u32) -> Event {
    let address = std::array::from_fn(|lane| 0x100 + 64 * beat + 4 * lane as u32);
    Event::Memory(MemoryEvent {
        tag,
        beat,
        store,
        local: false,
        size: 2,
        lanes,
        address,
        data: [7; 32],
    })
}

/// An assembler for 16 lanes with warp 0 of block 3 in slot 1 and warp 1 in slot 2.
fn assembler() -> Assembler {
    let mut assembler = Assembler::new(16, 0, Capability::V1_0);
    assembler.event(0, &launch(1, 3, 0)).unwrap();
    assembler.event(0, &launch(2, 3, 1)).unwrap();
    assembler
}

#[track_caller]
fn feed(assembler: &mut Assembler, events: &[Event]) {
    for (cycle, event) in (1..).zip(events) {
        assembler.event(cycle, event).unwrap();
    }
}

#[track_caller]
fn refused(assembler: &mut Assembler, event: &Event, says: &str) {
    let error = assembler.event(9, event).expect_err("refused");
    assert!(error.message.contains(says), "{error}");
}

#[test]
fn two_beats_make_a_record() {
    let mut assembler = assembler();
    let low = std::array::from_fn(|lane| lane as u32);
    let high = std::array::from_fn(|lane| 100 + lane as u32);
    let beats = [write(0, 0, false, low), write(0, 1, true, high)].map(Event::Write);
    feed(&mut assembler, &[issue(0, 2, MOV32), mask(0, !0, !0), beats[0].clone()]);
    assert_eq!(assembler.next_record(), None);
    assert_eq!(assembler.issue_of_next(), Some(1));
    assembler.event(8, &beats[1]).unwrap();
    let Timed { record, times } = assembler.next_record().unwrap();
    let expected = Times {
        issue: 1,
        read: 2,
        accesses: [None; 4],
        writeback: Some((3, 8)),
        next: None,
    };
    assert_eq!((times, assembler.issue_of_next()), (expected, None));
    assert_eq!(
        (record.block, record.warp_in_block, record.warp, record.pc),
        (3, 1, 2, 0x10)
    );
    assert_eq!((record.issue_cycle, record.retire_cycle), (Some(1), Some(8)));
    assert_eq!(
        record.next,
        Next {
            pc: Some(0x14),
            active: !0
        }
    );
    let values = std::array::from_fn(|thread| if thread < 16 { thread as u32 } else { 84 + thread as u32 });
    assert_eq!(
        record.destination,
        Some(RegisterWrite {
            register: 5,
            part: RegisterPart::Full,
            values
        })
    );
    assert_eq!(assembler.next_record(), None);
    assert_eq!(assembler.check_complete(9), Ok(()));
}

#[test]
fn halves_and_conditions_are_assembled() {
    let mut assembler = assembler();
    let mut beat = WriteEvent {
        halves: 2,
        condition_enable: true,
        ..write(0, 0, true, [0xffff_1234; 32])
    };
    beat.lanes = 1;
    beat.condition[0] = 9;
    feed(&mut assembler, &[issue(0, 1, MOV32), mask(0, 1, 1), Event::Write(beat)]);
    let record = assembler.next_record().unwrap().record;
    let destination = record.destination.unwrap();
    assert_eq!(
        (destination.part, destination.values[0], destination.values[1]),
        (RegisterPart::High, 0x1234, 0)
    );
    let cc = record.cc.unwrap();
    assert_eq!((cc.register, cc.values[0], cc.values[1]), (2, 9, 0));
}

#[test]
fn instruction_without_threads_writes_nothing() {
    let mut assembler = assembler();
    let beat = WriteEvent {
        lanes: 0,
        condition_enable: true,
        ..write(0, 0, true, [1; 32])
    };
    feed(
        &mut assembler,
        &[issue(0, 1, MOV32), mask(0, !0, 0), Event::Write(beat)],
    );
    let record = assembler.next_record().unwrap().record;
    assert_eq!((record.destination, record.cc), (None, None));
}

#[test]
fn records_come_in_issue_order() {
    let mut assembler = assembler();
    feed(
        &mut assembler,
        &[
            issue(0xffff, 1, MOV32),
            issue(0, 2, MOV32),
            mask(0xffff, 1, 1),
            mask(0, 2, 2),
            last_write(0),
        ],
    );
    assert_eq!(assembler.next_record(), None, "the first is not complete");
    assembler.event(9, &last_write(0xffff)).unwrap();
    assert_eq!(assembler.next_record().map(|next| next.record.warp), Some(1));
    assert_eq!(assembler.next_record().map(|next| next.record.warp), Some(2));
}

#[test]
fn loads_wait_for_data_and_stores_for_accesses() {
    let mut assembler = assembler();
    let events = [
        issue(0, 1, GLD),
        mask(0, 0x0003_0001, 0x0003_0001),
        access(0, 0, false, 1),
        access(0, 1, false, 3),
    ];
    feed(&mut assembler, &events);
    assert_eq!(assembler.next_record(), None);
    let mut data = [0; 32];
    data[0] = 0xabcd;
    let beats = [
        WriteEvent {
            lanes: 1,
            ..write(0, 0, false, data)
        },
        WriteEvent {
            lanes: 3,
            ..write(0, 1, true, data)
        },
    ];
    feed(&mut assembler, &beats.map(Event::Write));
    let memory = assembler.next_record().unwrap().record.memory;
    let shown: Vec<_> = memory
        .iter()
        .map(|effect| (effect.lane, effect.address, effect.data, effect.store))
        .collect();
    assert_eq!(
        shown,
        [
            (0, 0x100, 0xabcd, false),
            (16, 0x140, 0xabcd, false),
            (17, 0x144, 0, false)
        ]
    );

    feed(
        &mut assembler,
        &[
            issue(1, 1, GST),
            mask(1, 0x0001_0001, 0x0001_0001),
            last_write(1),
            access(1, 0, true, 1),
        ],
    );
    assert_eq!(assembler.next_record(), None);
    assert!(assembler
        .check_complete(9)
        .is_err_and(|error| error.message.contains("global accesses")));
    assembler.event(9, &access(1, 1, true, 1)).unwrap();
    let record = assembler.next_record().unwrap().record;
    assert_eq!(record.memory.len(), 2);
    assert_eq!((record.memory[1].data, record.memory[1].store), (7, true));
}

#[test]
fn wide_access_is_assembled_from_its_registers() {
    // `GLD.S64 R4, global14[R0]`; `GST.S128 global14[R0], R4`.
    let load = GLD ^ 2 << 53 | 4 << 2;
    let store = GST ^ 3 << 53 ^ 5 << 2;
    let mut assembler = assembler();
    let wide = |event, size| match event {
        Event::Memory(memory) => Event::Memory(MemoryEvent { size, ..memory }),
        other => other,
    };
    let beat = |register, last, value| {
        Event::Write(WriteEvent {
            register,
            lanes: 1,
            ..write(0, u32::from(last), last, [value; 32])
        })
    };
    feed(
        &mut assembler,
        &[
            issue(0, 1, load),
            mask(0, 0x0001_0001, 0x0001_0001),
            wide(access(0, 0, false, 1), 3),
            wide(access(0, 1, false, 1), 3),
            beat(4, false, 10),
            beat(5, false, 20),
            beat(4, true, 11),
        ],
    );
    assert_eq!(
        assembler.next_record(),
        None,
        "the second register's last beat is missing"
    );
    assembler.event(9, &beat(5, true, 21)).unwrap();
    let record = assembler.next_record().unwrap().record;
    let registers: Vec<_> = record.destination.iter().chain(&record.further).collect();
    assert_eq!(registers.iter().map(|write| write.register).collect::<Vec<_>>(), [4, 5]);
    assert_eq!((registers[0].values[16], registers[1].values[0]), (11, 20));
    assert_eq!((record.memory[0].bytes, record.memory[0].data), (8, 20 << 32 | 10));
    assert_eq!(record.memory[1].data, 21 << 32 | 11);

    feed(&mut assembler, &[issue(1, 1, store), mask(1, 1, 1), last_write(1)]);
    for part in 0..4 {
        assert_eq!(assembler.next_record(), None);
        let Event::Memory(mut memory) = wide(access(1, 0, true, 1), 4) else {
            panic!()
        };
        memory.data[0] = part + 1;
        assembler.event(9, &Event::Memory(memory)).unwrap();
    }
    let memory = assembler.next_record().unwrap().record.memory;
    assert_eq!((memory.len(), memory[0].bytes), (1, 16));
    assert_eq!(memory[0].data, 4 << 96 | 3 << 64 | 2 << 32 | 1);

    feed(&mut assembler, &[issue(2, 1, load), mask(2, 1, 1)]);
    let other = Event::Write(WriteEvent {
        tag: 2,
        register: 7,
        ..write(0, 0, true, [0; 32])
    });
    refused(&mut assembler, &other, "writes R7");
}

#[test]
fn control_instruction_waits_for_the_next_pc() {
    let mut assembler = assembler();
    feed(&mut assembler, &[issue(0, 1, RET), mask(0, 3, 3), last_write(0)]);
    assert!(assembler
        .check_complete(9)
        .is_err_and(|error| error.message.contains("next PC")));
    let pop = Event::Stack(StackEvent {
        tag: 0,
        push: false,
        kind: 1,
        mask: 4,
        pc: 0x80,
    });
    let next = Event::Next(NextEvent {
        tag: 0,
        ended: false,
        pc: 0x80,
        active: 4,
    });
    feed(&mut assembler, &[pop, next]);
    let record = assembler.next_record().unwrap().record;
    assert_eq!(
        record.stack,
        [StackOperation::Pop(Entry {
            kind: EntryKind::Diverged,
            mask: 4,
            pc: 0x80
        })]
    );
    assert_eq!(
        record.next,
        Next {
            pc: Some(0x80),
            active: 4
        }
    );

    let ended = Event::Next(NextEvent {
        tag: 1,
        ended: true,
        pc: 0x80,
        active: 4,
    });
    feed(&mut assembler, &[issue(1, 1, RET), mask(1, 4, 4), last_write(1), ended]);
    assert_eq!(
        assembler.next_record().unwrap().record.next,
        Next { pc: None, active: 0 }
    );
}

#[test]
fn failed_warps_end_before_their_first_incomplete_instruction() {
    let mut assembler = assembler();
    feed(
        &mut assembler,
        &[issue(0, 1, GLD), issue(1, 2, MOV32), issue(2, 1, MOV32)],
    );
    for tag in 0..3 {
        feed(&mut assembler, &[mask(tag, 1, 1), last_write(tag)]);
    }
    assert_eq!(assembler.next_record(), None);
    let remaining = assembler.remaining();
    assert_eq!(remaining.iter().map(|next| next.record.warp).collect::<Vec<_>>(), [2]);
}

#[test]
fn each_sm_has_its_own_order_and_tags() {
    let mut records = Records::new(16, 2, Capability::V1_0);
    records.event(0, 1, &launch(1, 7, 0)).unwrap();
    records.event(0, 0, &launch(1, 6, 0)).unwrap();
    for event in [issue(0, 1, MOV32), mask(0, 1, 1)] {
        records.event(1, 1, &event).unwrap();
        records.event(2, 0, &event).unwrap();
    }
    assert!(records.check_complete(3).is_err());
    records.event(3, 1, &last_write(0)).unwrap();
    records.event(3, 0, &last_write(0)).unwrap();
    let mut next = || records.next_record().map(|next| (next.record.sm, next.record.block));
    assert_eq!([next(), next(), next()], [Some((0, 6)), Some((1, 7)), None]);
    let error = records.event(4, 2, &launch(0, 0, 0)).unwrap_err();
    assert!(error.message.contains("SM 2, but there are 2 SMs"), "{error}");
}

#[test]
fn events_that_cannot_be() {
    let mut assembler = assembler();
    refused(&mut assembler, &launch(32, 0, 0), "no warp slot");
    refused(&mut assembler, &issue(0, 7, MOV32), "empty");
    refused(&mut assembler, &mask(4, 0, 0), "no instruction in flight");
    feed(&mut assembler, &[issue(0, 1, MOV32), mask(0, !0, !0)]);
    refused(&mut assembler, &issue(0, 1, MOV32), "still uses it");
    refused(&mut assembler, &access(0, 0, true, 1), "unexpected global access");
    refused(
        &mut assembler,
        &Event::Write(write(0, 2, false, [0; 32])),
        "outside the warp",
    );
    let halves = WriteEvent {
        halves: 0,
        ..write(0, 0, false, [0; 32])
    };
    refused(&mut assembler, &Event::Write(halves), "halves 00");
    feed(&mut assembler, &[last_write(0)]);
    refused(&mut assembler, &last_write(0), "no instruction in flight");
    feed(&mut assembler, &[issue(1, 1, GST), access(1, 0, true, 1)]);
    refused(&mut assembler, &access(1, 0, true, 1), "too many parts");
    let entry = Event::Stack(StackEvent {
        tag: 1,
        push: true,
        kind: 4,
        mask: 0,
        pc: 0,
    });
    refused(&mut assembler, &entry, "kind 4");
}

/// Tags that are reused and slots with a new warp are restored.
#[test]
fn kept_events_restore_another_assembler() {
    let mut assembler = Assembler::new(16, 3, Capability::V1_0);
    assembler.keep_events();
    let take = |assembler: &mut Assembler, events: &[(u64, Event)]| {
        for (cycle, event) in events {
            assembler.event(*cycle, event).unwrap();
        }
        std::iter::from_fn(|| assembler.next_record()).collect::<Vec<Timed>>()
    };
    let complete = |cycle, tag| [(cycle, mask(tag, 7, 7)), (cycle + 1, last_write(tag))];
    let begun = [(1, launch(1, 4, 0)), (2, issue(0, 1, MOV32))];
    assert_eq!(take(&mut assembler, &[&begun[..], &complete(3, 0)].concat()).len(), 1);
    let held_back = [
        &[(5, issue(0, 1, MOV32)), (6, issue(1, 1, MOV32))][..],
        &complete(7, 1),
        &[(9, issue(1, 1, MOV32)), (10, launch(1, 9, 2)), (11, issue(2, 1, MOV32))],
        &complete(12, 2),
    ];
    assert!(take(&mut assembler, &held_back.concat()).is_empty());
    let mut other = Assembler::new(16, 3, Capability::V1_0);
    assert!(take(&mut other, &assembler.events()).is_empty());
    let rest = [
        &complete(14, 0)[..],
        &complete(16, 1),
        &[(18, issue(0, 1, MOV32))],
        &complete(19, 0),
    ]
    .concat();
    let records = take(&mut assembler, &rest);
    assert_eq!(take(&mut other, &rest), records);
    let blocks: Vec<u32> = records.iter().map(|timed| timed.record.block).collect();
    assert_eq!(blocks, [4, 4, 4, 9, 9]);
}
