//! `crc32`: the CRC-32 of 64 messages of 0 to 40 bytes, one per thread.
//!
//! Some messages are well known, such as the check message in descriptions of CRCs. The others have random length and
//! contents, so threads leave the loop at many different times. There are random bytes before the first message and
//! after the last.

use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::random;

const NAME: &str = "crc32";
const THREADS: usize = 64;
const LONGEST: usize = 40;

fn messages() -> Vec<Vec<u8>> {
    let mut messages: Vec<Vec<u8>> = vec![
        vec![],
        b"a".to_vec(),
        b"123456789".to_vec(),
        b"The quick brown fox jumps over the lazy".to_vec(),
        vec![0; LONGEST],
        vec![0xff; LONGEST],
    ];
    let lengths = random::words_below(NAME, "lengths", THREADS - messages.len(), LONGEST as u32 + 1);
    messages.extend(
        lengths
            .into_iter()
            .enumerate()
            .map(|(i, length)| random::bytes(NAME, &format!("message {i}"), length as usize)),
    );
    // The last warp ends with empty messages, which are at the end of the preceding one.
    messages[THREADS - 2..].fill(vec![]);
    messages
}

pub fn kernel() -> Kernel {
    let messages = messages();
    let mut data = random::bytes(NAME, "before", 7);
    let mut offsets = vec![data.len() as u32];
    for message in &messages {
        data.extend(message);
        offsets.push(data.len() as u32);
    }
    data.extend(random::bytes(NAME, "behind", 32));
    let mut memory = Memory::default();
    let at_offsets = memory.place(offsets);
    let at_output = memory.canaries(THREADS);
    let at_messages = memory.place(words_of(&data));
    Kernel {
        name: NAME,
        summary: "the CRC-32 of 64 messages of 0 to 40 bytes, bit by bit",
        registers: 8,
        shared_data_bytes: 0,
        grid: [1, 1],
        block: [THREADS as u32, 1, 1],
        params: vec![at_offsets, at_messages, at_output],
        memory: memory.words,
        constants: vec![0xedb8_8320, 1],
        expected: results(at_output, messages.iter().map(|message| crc32fast::hash(message))),
        ..Kernel::default()
    }
}
