//! Compares the decode stage with the `isa` table. A word that `isa` decodes and this core executes must be decoded to
//! the same operation and operands; every other word must be illegal. The circuit's Verilog is proven to do so for
//! every word ([`proof`]). The simulated circuit, and the proof's reading of the table, are compared with
//! [`isa::decode`] itself, for every row with random fields and for every word of the corpus.

use checker::Checker;
use flexgrip_isa as isa;
use rand::{Rng, SeedableRng};

mod checker;
mod controls;
mod float_controls;
mod manual;
mod proof;

/// Random words of each row. The proof covers all words of the gates; these words are for the kernel and the machine code.
const WORDS: u64 = if cfg!(feature = "soak") { 10_000 } else { 500 };

#[test]
fn executed_rows_decode_with_random_fields() {
    for capability in isa::Capability::ALL.iter().copied() {
        let mut checker = Checker::new(capability);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for row in isa::table::all_rows() {
            for _ in 0..WORDS {
                let word = row.pattern.value | (rng.gen::<u64>() & !row.pattern.mask);
                checker.check(word);
                // Most random words are illegal, so also try a defined condition, then no address register and no o[].
                let tame = (word & !(0x1f << 39)) | 0xf << 39;
                checker.check(tame);
                checker.check(tame & !(0xf << 24) & !(1 << 34) & !(1 << 35) | (row.pattern.value & (0xf << 24)));
            }
        }
        assert!(checker.legal > 50 * WORDS, "only {} legal words at {capability}", checker.legal);
    }
}

/// The words of the corpus; `None`, with a message, without a corpus.
fn corpus_words() -> Option<Vec<u64>> {
    let root = flexgrip_skip::shared();
    let Ok(text) = std::fs::read_to_string(root.join("corpus/sm10_words.tsv")) else {
        println!("skipped: no corpus at {}", root.display());
        return None;
    };
    let word = |line: &str| {
        let mut fields = line.split('\t');
        let parse = |field: Option<&str>| u64::from_str_radix(field.unwrap_or(""), 16).unwrap_or(0);
        let low = parse(fields.next());
        let high = parse(fields.next());
        low | high << 32
    };
    Some(text.lines().skip(1).map(word).collect())
}

#[test]
fn corpus_words_decode_like_the_table() {
    let Some(words) = corpus_words() else { return };
    let mut checker = Checker::new(isa::Capability::V1_0);
    for word in words {
        checker.check(word);
    }
    assert!(checker.legal > 1_000, "only {} legal words", checker.legal);
}
