//! `sha256`: the SHA-256 of 32 messages of one or two blocks, one per thread.
//!
//! The messages include the two examples of FIPS 180-2, the empty message, and the lengths at which the padding just
//! fits into a block and just does not.

use crate::kernel::Kernel;
use crate::memory::{results, words_of, Memory};
use crate::random;
use sha2::{Digest, Sha256};

const NAME: &str = "sha256";
const THREADS: usize = 32;
const BLOCK_BYTES: usize = 64;
/// The length of the longest message that takes two blocks, in bytes.
const LONGEST: u32 = 119;
/// The number of words of a thread's message schedule in shared memory, including a gap.
const SCHEDULE_WORDS: u32 = 65;

/// The round constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/// The initial hash value: the first 32 bits of the fractional parts of the square roots of the first 8 primes.
const INITIAL: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

fn messages() -> Vec<Vec<u8>> {
    let mut messages: Vec<Vec<u8>> = vec![
        vec![],
        b"abc".to_vec(),
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".to_vec(),
        vec![0xff; 55],
        vec![0; 56],
    ];
    for length in [1, 55, 63, 64, 118, LONGEST] {
        messages.push(random::bytes(NAME, &format!("length {length}"), length as usize));
    }
    let lengths = random::words_below(NAME, "lengths", THREADS - messages.len(), LONGEST + 1);
    messages.extend(
        lengths
            .into_iter()
            .enumerate()
            .map(|(i, length)| random::bytes(NAME, &format!("message {i}"), length as usize)),
    );
    messages
}

/// The message with its padding, a 1 bit and zeros, and its length in bits: whole blocks.
fn padded(message: &[u8]) -> Vec<u8> {
    let length_field = (8 * message.len() as u64).to_be_bytes();
    let mut padded = message.to_vec();
    padded.push(0x80);
    let blocks = (padded.len() + length_field.len()).div_ceil(BLOCK_BYTES);
    padded.resize(blocks * BLOCK_BYTES - length_field.len(), 0);
    padded.extend(length_field);
    padded
}

pub fn kernel() -> Kernel {
    let messages = messages();
    let mut blocks = Vec::new();
    let mut offsets = vec![0];
    for message in &messages {
        blocks.extend(padded(message));
        offsets.push(blocks.len() as u32);
    }
    let digests: Vec<u8> = messages.iter().flat_map(Sha256::digest).collect();
    let digests = words_of(&digests);
    let mut memory = Memory::default();
    memory.canaries(16);
    let at_offsets = memory.place(offsets);
    let at_messages = memory.place(words_of(&blocks));
    memory.canaries(16);
    let at_output = memory.canaries(digests.len());
    memory.canaries(16);
    Kernel {
        name: NAME,
        summary: "the SHA-256 of 32 messages of one or two blocks, round constants in c[1], schedules in shared memory",
        registers: 28,
        shared_data_bytes: 4 * SCHEDULE_WORDS * THREADS as u32,
        grid: [1, 1],
        block: [THREADS as u32, 1, 1],
        params: vec![at_offsets, at_messages, at_output],
        memory: memory.words,
        constants: [&K[..], &INITIAL].concat(),
        expected: results(at_output, digests),
        ..Kernel::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_take_one_or_two_blocks() {
        for message in messages() {
            let blocks = padded(&message).len() / BLOCK_BYTES;
            assert_eq!(blocks, if message.len() < 56 { 1 } else { 2 });
        }
    }

    #[test]
    fn example_of_the_standard_is_reproduced() {
        let expected: Vec<u32> = kernel()
            .expected
            .into_values()
            .skip(8)
            .take(8)
            .map(u32::swap_bytes)
            .collect();
        let abc = [
            0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad,
        ];
        assert_eq!(expected, abc);
    }
}
