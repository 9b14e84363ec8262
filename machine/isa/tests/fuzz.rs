//! Fuzzing: on any words, text or file nothing panics, nothing hangs, and accepted input makes sense.
//!
//! Each target runs for FLEXGRIP_FUZZ_SECONDS (1 if not set; `make test` sets 2, `make soak` 60, `make fuzz
//! SECONDS=3600` an hour) from the seed FLEXGRIP_FUZZ_SEED (1 if not set). A failure prints the seed and the smallest
//! input that still fails.

use flexgrip_isa::cubin::{read_cubin, write_cubin};
use flexgrip_isa::table::ROWS;
use flexgrip_isa::{assemble, decode, encode, explain, listing, parse_instruction, Style};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Time limit for one input.
const HANG: Duration = Duration::from_secs(20);
/// Longest input, in bytes.
const LONGEST: usize = 4096;

fn variable(name: &str) -> u64 {
    match std::env::var(name) {
        Err(_) => 1,
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")),
    }
}

/// Feeds `check` with inputs from `input` until the time is over.
fn fuzz(name: &'static str, input: impl Fn(&mut ChaCha8Rng) -> Vec<u8>, check: impl Fn(&[u8])) {
    let seed = variable("FLEXGRIP_FUZZ_SEED");
    let end = Instant::now() + Duration::from_secs(variable("FLEXGRIP_FUZZ_SECONDS"));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let count = Arc::new(AtomicU64::new(0));
    let current = Arc::new(Mutex::new(Vec::new()));
    watch(name, seed, Arc::downgrade(&count), current.clone());
    let fails = |input: &[u8]| catch_unwind(AssertUnwindSafe(|| check(input))).is_err();
    while Instant::now() < end {
        let input = input(&mut rng);
        current.lock().unwrap().clone_from(&input);
        if fails(&input) {
            let smallest = shrink(input, fails);
            panic!(
                "{name}, seed {seed}, input {}: {}",
                count.load(Ordering::Relaxed),
                shown(&smallest)
            );
        }
        count.fetch_add(1, Ordering::Relaxed);
    }
    let count = count.load(Ordering::Relaxed);
    println!("{name}: {count} inputs from seed {seed}");
    assert!(count > 100, "{name}: only {count} inputs");
}

/// Ends the process if one input takes too long: a thread that hangs cannot be stopped.
fn watch(name: &'static str, seed: u64, count: std::sync::Weak<AtomicU64>, current: Arc<Mutex<Vec<u8>>>) {
    std::thread::spawn(move || {
        let mut last = None;
        while let Some(count) = count.upgrade() {
            let now = count.load(Ordering::Relaxed);
            drop(count);
            if last == Some(now) {
                eprintln!(
                    "{name}, seed {seed}, input {now} hangs: {}",
                    shown(&current.lock().unwrap())
                );
                std::process::exit(1);
            }
            last = Some(now);
            std::thread::sleep(HANG);
        }
    });
}

fn shown(input: &[u8]) -> String {
    match std::str::from_utf8(input) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("{input:02x?}"),
    }
}

/// Removes parts as long as the rest still fails.
fn shrink(mut input: Vec<u8>, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut size = input.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= input.len() {
            let mut shorter = input.clone();
            shorter.drain(at..at + size);
            if fails(&shorter) {
                input = shorter;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    input
}

/// A damaged seed: bytes changed, removed, repeated, or replaced by a part of another seed.
fn mutated(seeds: &[Vec<u8>], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut input = seeds.choose(rng).expect("there are seeds").clone();
    for _ in 0..rng.gen_range(1..8) {
        if input.is_empty() {
            break;
        }
        let start = rng.gen_range(0..input.len());
        let end = rng.gen_range(start..=input.len().min(start + 40));
        match rng.gen_range(0..6) {
            0 => input[start] = rng.gen(),
            1 => input[start] ^= 1 << rng.gen_range(0..8),
            2 => {
                input.drain(start..end);
            }
            3 => {
                let part = input[start..end].to_vec();
                let at = rng.gen_range(0..=input.len());
                input.splice(at..at, part);
            }
            4 => {
                let other = seeds.choose(rng).expect("there are seeds");
                let from = rng.gen_range(0..=other.len());
                let to = rng.gen_range(from..=other.len().min(from + 40));
                input.splice(start..end, other[from..to].iter().copied());
            }
            // Numbers at their limits, as lengths and offsets.
            _ => {
                let number = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0x8000_0000, u32::MAX].choose(rng);
                let number = number.expect("there are numbers").to_le_bytes();
                let end = input.len().min(start + 4);
                input[start..end].copy_from_slice(&number[..end - start]);
            }
        }
    }
    input.truncate(LONGEST);
    input
}

/// Checks a word in eight bytes.
fn check_word(input: &[u8]) {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(input) {
        *to = *from;
    }
    let word = u64::from_le_bytes(bytes);
    assert!(!explain(word).is_empty());
    let Ok(instruction) = decode(word) else {
        return;
    };
    assert_eq!(encode(&instruction), word & instruction.meaningful_bits());
    let meaning = instruction.meaning();
    assert_eq!(meaning.operation, instruction.operation());
    let text = instruction.to_string();
    let back = parse_instruction(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(back, instruction, "{text}");
    let vendor = instruction.text(Style::EarlyVendor).to_string();
    assert!(parse_instruction(&vendor).is_ok(), "{vendor}");
}

#[test]
fn random_words_round_trip() {
    let input = |rng: &mut ChaCha8Rng| {
        let mut word: u64 = rng.gen();
        if rng.gen_range(0..4) != 0 {
            let pattern = ROWS.choose(rng).expect("the table has rows").pattern;
            word = pattern.value | word & rng.gen::<u64>() & !pattern.mask;
        }
        word.to_le_bytes().to_vec()
    };
    fuzz("decode", input, check_word);
}

const SOURCES: &[&str] = &[
    ".equ STRIDE, 4 * 32 /* bytes */\n.kernel add // comment\n.registers 9\n.shared 64\n.param a\n.param n\n",
    "loop:\n    IADD32I R1, R1, -STRIDE\n    LOP.AND R2, R1, c[1][mask]\n    BRA C0.NE, loop\n",
    ".kernel other\n.param b\n    MOV.U16 R0L, g[b].U16\n    CAL.NOINC add\n    BRA end\nend: RET\n",
    ".const 1, 8\nfirst: .word 1, -1\nmask: .word STRIDE << 2 | 1, end\n.code\n.align 64\n.short\nMOV R1, R0\n.long\n",
    "/*0008*/ RET C0.NE; /* 30000003 00000280 */\n.word ((1 + 2) * 3 - ~4) % 5 >= 6 ? 7 : 8\n",
    "FADD32I R2, R2, -0.5\nMVI R0, 'a'\nR2G.U32.U32 g[A1+++0x1], R0 ; IMAD.U16.EXIT R1, R2L, c[0][3].U16, R4\n",
];

/// Sources with all instructions and all directives.
fn sources() -> Vec<Vec<u8>> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut seeds: Vec<Vec<u8>> = SOURCES.iter().map(|text| text.as_bytes().to_vec()).collect();
    seeds.push(SOURCES.concat().into_bytes());
    for row in ROWS {
        let words = (0..1000).map(|_| row.pattern.value | rng.gen::<u64>() & !row.pattern.mask);
        let instructions = words.filter_map(|word| decode(word).ok()).take(3);
        let text: Vec<String> = instructions.map(|instruction| format!("{instruction}\n")).collect();
        assert!(!text.is_empty(), "{}", row.name);
        seeds.push(text.concat().into_bytes());
    }
    seeds
}

fn check_source(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match assemble(&text, "fuzz") {
        Ok(program) => {
            let again = listing(&program.words, Style::Plain);
            let again = assemble(&again, "listing").unwrap_or_else(|errors| panic!("{again}: {errors:#?}"));
            assert_eq!(again.words, program.words);
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                let lines = text.lines().count().max(1);
                assert!((1..=lines).contains(&(error.line as usize)), "{error:?}");
                let columns = error.source_line.chars().count() + 1;
                assert!((1..=columns).contains(&(error.column as usize)), "{error:?}");
                assert!(!error.message.is_empty() && error.to_string().contains('^'));
            }
        }
    }
}

#[test]
fn random_text_never_panics() {
    let seeds = sources();
    fuzz("assemble", |rng| mutated(&seeds, rng), check_source);
}

const TEXT_CUBIN: &str = "architecture {sm_10}\nabiversion {1}\nmodname {cubin}\nconsts {\n\tname = table\n\tsegname = const\n\t\
    segnum = 0\n\toffset = 0\n\tbytes = 8\n\tmem {\n\t\t0x00000001 0x00000002\n\t}\n}\ncode {\n\tname = add\n\tlmem = 0\n\t\
    smem = 28\n\treg = 3\n\tbar = 0\n\tconst {\n\t\tsegname = const\n\t\tsegnum = 1\n\t\toffset = 0\n\t\tbytes = 4\n\t\tmem {\n\t\t\t\
    0x000003ff\n\t\t}\n\t}\n\tbincode {\n\t\t0x10004205 0x0023c780 0x30000003 0x00000780\n\t}\n}\n";

/// Cubins of both kinds; the ELF ones are of programs with one kernel and with several.
fn cubins() -> Vec<Vec<u8>> {
    let programs = [
        ".kernel a\nMOV32 R0, R1\nRET",
        ".kernel a\n.param x\nNOP\nRET\n.kernel b\nRET\n.const 1\n.word 1, 2",
    ];
    let mut seeds = vec![TEXT_CUBIN.as_bytes().to_vec()];
    assert!(read_cubin(TEXT_CUBIN.as_bytes()).is_ok());
    for source in programs {
        let program = assemble(source, "seed").unwrap();
        let cubin = write_cubin(&program).unwrap();
        assert!(read_cubin(&cubin).is_ok());
        seeds.push(cubin);
    }
    seeds
}

fn check_cubin(input: &[u8]) {
    match read_cubin(input) {
        Ok(cubin) => {
            // A few bytes cannot be much code.
            for kernel in &cubin.kernels {
                assert!(kernel.words.len() <= input.len(), "{}", kernel.name);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn random_files_never_panic() {
    let seeds = cubins();
    fuzz("cubin", |rng| mutated(&seeds, rng), check_cubin);
}
