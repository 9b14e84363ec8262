//! Random words and bytes that are the same on every machine: word `index` of a stream is the start of the SHA-256 of
//! the kernel's name, the stream's name and the index.

use sha2::{Digest, Sha256};

/// `count` random words of a kernel's stream.
pub fn words(kernel: &str, stream: &str, count: usize) -> Vec<u32> {
    (0..count)
        .map(|index| {
            let digest = Sha256::digest(format!("flexgrip-rs/{kernel}/{stream}/{index}"));
            u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])
        })
        .collect()
}

/// `count` random words of a kernel's stream, each less than `bound`. They are remainders, so they are more uniform for
/// a smaller `bound`.
pub fn words_below(kernel: &str, stream: &str, count: usize, bound: u32) -> Vec<u32> {
    words(kernel, stream, count)
        .into_iter()
        .map(|word| word % bound)
        .collect()
}

/// `count` random bytes of a kernel's stream.
pub fn bytes(kernel: &str, stream: &str, count: usize) -> Vec<u8> {
    let words = words(kernel, stream, count.div_ceil(4));
    words.into_iter().flat_map(u32::to_le_bytes).take(count).collect()
}

/// `count` random floats of a kernel's stream, from `low` to `low + range`, exclusive. `range` must be a power of two
/// and `low` a multiple of `range` / 2^23, so that all are exact and uniform.
pub fn floats(kernel: &str, stream: &str, count: usize, low: f32, range: f32) -> Vec<f32> {
    words(kernel, stream, count)
        .into_iter()
        .map(|word| low + range * ((word >> 9) as f32 / (1 << 23) as f32))
        .collect()
}
