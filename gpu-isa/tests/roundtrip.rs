//! Every set: random words round-trip through their text, and no text makes the parser panic.

use flexgrip_gpu_isa::set::{ones, Set};
use flexgrip_gpu_isa::{sets, Kind};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 28;
/// The number of words per set; a tenth without optimisation.
const WORDS: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };

fn random(rng: &mut ChaCha8Rng) -> u128 {
    u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
}

/// A random word. Half of the words have a row's fixed bits; a quarter has few bits set, another quarter few bits
/// clear.
fn word(set: &Set, rng: &mut ChaCha8Rng) -> u128 {
    let mut word = random(rng);
    match rng.gen_range(0..4) {
        0 => word &= random(rng) & random(rng),
        1 => word |= random(rng) | random(rng),
        _ => {}
    }
    if rng.gen() {
        let rows = set.all_rows();
        let row = rows[rng.gen_range(0..rows.len())];
        word = word & !row.mask | row.value;
    }
    word & ones(8 * u32::from(set.length(word)))
}

#[test]
fn words_come_back() {
    println!("seed {SEED}, {WORDS} words per set");
    for set in sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut data = 0;
        for _ in 0..WORDS {
            let word = word(set, &mut rng);
            let address = u64::from(rng.gen::<u16>()) * u64::from(set.unit);
            let Some(text) = set.text_at(word, address) else {
                data += 1;
                continue;
            };
            match set.parse_at(&text, address) {
                Ok(parsed) => {
                    assert_eq!(
                        parsed.word, word,
                        "{}: {word:#x} is `{text}`, which is another word",
                        set.name
                    );
                    assert_eq!(parsed.bytes, set.length(word), "{}: length of `{text}`", set.name);
                }
                Err(error) => panic!("{}: {word:#x} at {address:#x}: {error}", set.name),
            }
        }
        println!("{}: {data} of {WORDS} words are data", set.name);
    }
}

#[test]
fn programs_come_back() {
    for set in sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        for _ in 0..200 {
            let mut bytes = vec![0; rng.gen_range(0..200)];
            rng.fill_bytes(&mut bytes);
            let listed = set.list(&bytes);
            let source = listed.source();
            match set.assemble(&source) {
                Ok(again) => assert_eq!(again, bytes, "{}:\n{source}", set.name),
                Err(errors) => panic!("{}: {}\n{source}", set.name, errors[0]),
            }
            let kinds = [Kind::Instruction, Kind::Control, Kind::Data, Kind::Padding];
            assert_eq!(
                kinds.map(|kind| listed.count(kind)).iter().sum::<usize>(),
                listed.lines.len()
            );
        }
    }
}

/// Returns the text with some characters changed, removed, duplicated or inserted.
fn mutate(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.gen_range(1..4) {
        let at = rng.gen_range(0..=letters.len());
        match rng.gen_range(0..4) {
            0 if at < letters.len() => {
                letters.remove(at);
            }
            1 if at < letters.len() => letters.insert(at, letters[at]),
            2 => letters.insert(at, char::from(rng.gen_range(b' '..=b'~'))),
            _ => letters.insert(
                at,
                ['\t', 'é', '?', '0', 'x', '-', '.', '\u{1f600}'][rng.gen_range(0..8)],
            ),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn texts_do_not_panic() {
    let mut taken = 0;
    let mut refused = 0;
    for set in sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        for _ in 0..WORDS / 20 {
            let word = word(set, &mut rng);
            let text = set.text_at(word, 0).unwrap_or_default();
            let text = mutate(&text, &mut rng);
            match set.parse_at(&text, 0) {
                // If a text is accepted, its word has a text that is accepted as the same word.
                Ok(parsed) if set.find(parsed.word).is_some() => {
                    taken += 1;
                    let again = set.text_at(parsed.word, 0).unwrap_or_default();
                    let word = set.parse_at(&again, 0).map(|again| again.word);
                    assert_eq!(word, Ok(parsed.word), "{}: `{text}` is `{again}`", set.name);
                }
                Ok(_) => taken += 1,
                Err(error) => {
                    refused += 1;
                    assert!(
                        !error.message.is_empty() && !error.to_string().is_empty(),
                        "{}: `{text}`",
                        set.name
                    );
                }
            }
        }
        for _ in 0..WORDS / 20 {
            let mut bytes = vec![0; rng.gen_range(0..40)];
            rng.fill_bytes(&mut bytes);
            let text = String::from_utf8_lossy(&bytes);
            refused += usize::from(set.parse_at(&text, 0).is_err());
            refused += usize::from(set.assemble(&text).is_err());
        }
    }
    println!("{taken} mutated texts are accepted, {refused} texts are refused");
    assert!(taken > 0 && refused > 0);
}
