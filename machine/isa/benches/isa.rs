//! Measures decoding, printing and assembling of instructions on one core: `cargo bench --package flexgrip-isa`.
//!
//! The goals are 50 million decoded words and 100,000 assembled lines a second.

use divan::counter::ItemsCount;
use divan::{black_box, Bencher};
use flexgrip_isa::table::ROWS;
use flexgrip_isa::{assemble, decode, Form, Instruction};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 1;
const WORDS: usize = 10_000;
const LINES: usize = 100_000;

fn main() {
    divan::main();
}

/// Legal words of all rows, equally many of each row.
fn legal_words() -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut words = Vec::new();
    while words.len() < WORDS {
        let pattern = ROWS[words.len() % ROWS.len()].pattern;
        let word = pattern.value | rng.gen::<u64>() & !pattern.mask;
        if pattern.matches(word) && decode(word).is_ok() {
            words.push(word);
        }
    }
    words
}

fn instructions() -> Vec<Instruction> {
    legal_words().into_iter().filter_map(|word| decode(word).ok()).collect()
}

fn decode_all(bencher: Bencher, words: &[u64]) {
    bencher.counter(ItemsCount::new(words.len())).bench_local(|| {
        for &word in words {
            let _ = black_box(decode(black_box(word)));
        }
    });
}

/// Decodes words that are instructions.
#[divan::bench]
fn decode_instructions(bencher: Bencher) {
    decode_all(bencher, &legal_words());
}

/// Decodes random 64-bit words, most of which are not instructions.
#[divan::bench]
fn decode_random_words(bencher: Bencher) {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let words: Vec<u64> = (0..WORDS).map(|_| rng.gen()).collect();
    decode_all(bencher, &words);
}

#[divan::bench]
fn print(bencher: Bencher) {
    let instructions = instructions();
    bencher.counter(ItemsCount::new(instructions.len())).bench_local(|| {
        for instruction in &instructions {
            black_box(instruction.to_string());
        }
    });
}

/// Assembles a program of 100,000 lines of all kinds, with labels and comments.
#[divan::bench(sample_count = 10)]
fn assemble_100_000_lines(bencher: Bencher) {
    let all = instructions();
    let mut source = String::new();
    for (line, instruction) in all.iter().cycle().take(LINES).enumerate() {
        if line % 10 == 0 && instruction.form() != Form::Short {
            source.push_str(&format!("label_{line}: "));
        }
        source.push_str(&format!("{instruction}; // line {line}\n"));
    }
    bencher
        .counter(ItemsCount::new(LINES))
        .bench_local(|| assemble(black_box(&source), "benchmark").map(|program| program.words.len()));
}
