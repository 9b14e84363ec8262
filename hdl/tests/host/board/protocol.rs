//! Tests of the serial protocol: checksums, frames, answers, identifications.

use flexgrip_hdl::board::protocol::*;

#[test]
fn checksum_matches_the_published_value() {
    assert_eq!(checksum(b"123456789"), 0x29b1);
    let mut whole = b"123456789".to_vec();
    whole.extend([0x29, 0xb1]);
    assert_eq!(checksum(&whole), 0);
}

#[test]
fn answers_round_trip_through_frames() {
    let answer = Answer { status: DONE, tag: FLAG, words: vec![0x7e7d_7e7d, 0, u32::MAX] };
    let mut bytes = vec![answer.status, answer.tag, 3];
    bytes.extend(answer.words.iter().flat_map(|word| word.to_le_bytes()));
    let line = frame(&bytes);
    assert_eq!(line.iter().filter(|byte| **byte == FLAG).count(), 1);
    // An answer after a part of another frame.
    let mut reader = AnswerReader::default();
    for byte in [1, FLAG, 9, 9, ESCAPE] {
        assert_eq!(reader.push(byte), None);
    }
    assert_eq!(reader.begun(), Some(2));
    let mut found: Vec<_> = line.iter().filter_map(|byte| reader.push(*byte)).collect();
    assert_eq!(found.pop(), Some(Ok(answer)));
    assert!(found.is_empty());
    // Each flipped bit in the frame is detected, or leaves the frame without an end.
    for place in 1..line.len() {
        for bit in 0..8 {
            let mut garbled = line.clone();
            garbled[place] ^= 1 << bit;
            let mut reader = AnswerReader::default();
            let good = garbled.iter().filter_map(|byte| reader.push(*byte)).any(|answer| answer.is_ok());
            assert!(!good, "byte {place}, bit {bit}");
        }
    }
}

/// `docs/board.md` has the same numbers.
#[test]
fn documentation_matches_the_protocol() {
    let page = include_str!("../../../../docs/board.md");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let answer = [&[DONE, 5, 1][..], &flexgrip_machine::host_map::ID_VALUE.to_le_bytes()].concat();
    for text in [
        format!("| identify | {IDENTIFY} |"),
        format!("| read | {READ} | any | 1 to {MOST_WORDS} |"),
        format!("| write | {WRITE} | any | 1 to {MOST_WORDS} |"),
        format!("| fill | {FILL} | any | 1 to {MOST_FILLS}, times {FILL_WORDS} words |"),
        format!("| execute | {EXECUTE} | any | {OPERATION_WORDS} |"),
        format!("`{LANE_IDENTIFICATION:#x}`"),
        format!("| done | {DONE} |"),
        format!("| refused | {REFUSED} |"),
        format!("| bad checksum | {BAD_CHECKSUM} |"),
        format!("| malformed | {MALFORMED} |"),
        format!("`{IDENTIFICATION:#x}`"),
        format!("begins with `{FLAG:#x}`"),
        format!("`{FLAG:#x}` and `{ESCAPE:#x}` are sent as `{ESCAPE:#x}` and then the byte\n  XOR `{ESCAPED_BY:#x}`"),
        format!("{}\n{}\n", hex(&request(READ, 5, 1, 0, &[])), hex(&frame(&answer))),
    ] {
        assert!(page.contains(&text), "docs/board.md does not contain: {text}");
    }
}

#[test]
fn only_boards_of_this_version_are_identified() {
    let board = Identification { instruction_bytes: 1, constant_bytes: 2, registers: 8_192, global_bytes: 3 };
    assert_eq!(Identification::from_words(&board.words()), Some(board));
    assert_eq!(Identification::from_words(&[IDENTIFICATION + 1, 1, 13 << 24, 3]), None);
    assert_eq!(Identification::from_words(&[IDENTIFICATION]), None);
    assert_eq!(Identification::from_words(&[IDENTIFICATION, 1, 13 << 24, u32::MAX]), None);
    for log in [0, 11, 15, 255] {
        assert_eq!(Identification::from_words(&[IDENTIFICATION, 1, log << 24, 3]), None);
    }
    assert_eq!(Identification::from_words(&[LANE_IDENTIFICATION, 0, 0, 0]), None);
}
