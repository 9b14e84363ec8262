//! Measures each set on one core, in CPU time: words decoded per second (lookup of the row), also from a program's
//! bytes (with the lengths), words printed and lines assembled per second.
//!
//! Usage: `cargo run --release -p flexgrip-gpu-isa --example listing_speed [SET...]`.

use flexgrip_gpu_isa::set::Set;
use flexgrip_gpu_isa::sets;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The CPU time of this thread, if the system provides it; it excludes other programs.
fn own_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The start of a measurement.
struct Start(Instant, Option<Duration>);

impl Start {
    fn now() -> Start {
        Start(Instant::now(), own_time())
    }

    /// Seconds since the start, in CPU time if available, otherwise by the clock.
    fn seconds(&self) -> f64 {
        let own = self.1.zip(own_time()).map(|(start, now)| now.saturating_sub(start));
        own.unwrap_or_else(|| self.0.elapsed()).as_secs_f64()
    }
}

/// Words of the set: random bits with the fixed bits of each row in turn.
fn words(set: &Set, count: usize) -> Vec<u128> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let rows = set.all_rows();
    (0..count)
        .map(|number| {
            let row = rows[number % rows.len()];
            let word = (u128::from(random()) << 64 | u128::from(random())) & !row.mask | row.value;
            let bits = 8 * u32::from(row.length(word));
            word & ((1 << bits.min(127)) - 1)
        })
        .collect()
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for set in sets()
        .iter()
        .filter(|set| names.is_empty() || names.iter().any(|name| name == set.name))
    {
        let start = Start::now();
        set.find(0);
        let build = start.0.elapsed().as_secs_f64();
        let words = words(set, 100_000);
        let rounds = 200;
        let start = Start::now();
        let mut found = 0usize;
        for _ in 0..rounds {
            for &word in &words {
                found += usize::from(black_box(set.find_number(word)).is_some());
            }
        }
        let decode = (rounds * words.len()) as f64 / start.seconds();
        let bytes: Vec<u8> = words
            .iter()
            .flat_map(|word| word.to_le_bytes()[..usize::from(set.length(*word))].to_vec())
            .collect();
        let start = Start::now();
        let mut lines = 0;
        for _ in 0..rounds / 10 {
            lines += set.words(black_box(&bytes)).count();
        }
        let stream = lines as f64 / start.seconds();
        let start = Start::now();
        let texts: Vec<String> = words.iter().filter_map(|&word| set.text_at(word, 0)).collect();
        let print = texts.len() as f64 / start.seconds();
        let start = Start::now();
        let parsed = texts.iter().filter(|text| set.parse_at(text, 0).is_ok()).count();
        let parse = texts.len() as f64 / start.seconds();
        println!(
            "{}: {} rows, tree built in {:.1} ms; decode {:.1} M words/s ({} found), {:.1} M words/s of a program; print {:.2} M words/s; assemble {:.0} \
             lines/s ({parsed} of {})",
            set.name,
            set.all_rows().len(),
            build * 1e3,
            decode / 1e6,
            found / rounds,
            stream / 1e6,
            print / 1e6,
            parse,
            texts.len(),
        );
    }
}
