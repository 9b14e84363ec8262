//! The tables: rows of equal rank do not overlap, the tree finds the same row as a linear search, and the rows match
//! the tables of the documents.

use flexgrip_gpu_isa::set::{ones, Row, Set};
use flexgrip_gpu_isa::{set, sets};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const SEED: u64 = 29;

/// A file of `other-isa` in the shared folder; none if there is no such folder.
fn shared(name: &str) -> Option<String> {
    let root = flexgrip_skip::shared();
    let text = std::fs::read_to_string(root.join("other-isa").join(name)).ok();
    if text.is_none() {
        println!("skipped: no {name} in {}", root.display());
    }
    text
}

fn json(name: &str) -> Option<Value> {
    shared(name).map(|text| serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn number(value: &Value) -> u128 {
    let text = value.as_str().unwrap_or_default();
    u128::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

#[test]
fn no_rows_contend() {
    for set in sets() {
        let pairs: Vec<String> = set
            .contending()
            .iter()
            .map(|(one, two)| {
                format!(
                    "{} {:#x}/{:#x}, {} {:#x}/{:#x}",
                    one.mnemonic, one.value, one.mask, two.mnemonic, two.value, two.mask
                )
            })
            .collect();
        assert!(
            pairs.is_empty(),
            "{}: {} pairs of rows share words:\n{}",
            set.name,
            pairs.len(),
            pairs.join("\n")
        );
    }
}

#[test]
fn rows_are_sound() {
    let mut names = BTreeSet::new();
    for set in sets() {
        assert!(names.insert(set.name), "two sets are called {}", set.name);
        for row in set.all_rows() {
            let what = format!("{} {}", set.name, row.mnemonic);
            assert_eq!(row.value & !row.mask, 0, "{what}: a fixed bit is not in the mask");
            assert_eq!(
                row.mask & !ones(8 * u32::from(row.bytes)),
                0,
                "{what}: the mask is longer than the word"
            );
            assert!(
                !row.mnemonic.is_empty() && !row.mnemonic.contains(' '),
                "{what}: mnemonic"
            );
            assert!(!row.source.is_empty(), "{what}: no source");
        }
    }
}

/// The row by a search over all rows.
fn search(set: &Set, word: u128) -> Option<&'static Row> {
    let rows = set.all_rows().iter().filter(|row| word & row.mask == row.value);
    rows.copied().max_by_key(|row| row.rank)
}

#[test]
fn tree_and_linear_search_agree() {
    for set in sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let rows = set.all_rows();
        for number in 0..20_000 {
            let mut word = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            if number % 4 != 0 {
                let row = rows[number % rows.len()];
                word = word & !row.mask | row.value;
                // Sometimes one fixed bit is flipped.
                if rng.gen_range(0..4) == 0 {
                    word ^= 1 << rng.gen_range(0..8 * u32::from(row.bytes));
                }
            }
            let found = set.find(word).map(|row| (row.mnemonic, row.mask, row.value));
            let expected = search(set, word).map(|row| (row.mnemonic, row.mask, row.value));
            assert_eq!(found, expected, "{}: {word:#x}", set.name);
        }
    }
}

/// Compares the share of the word space that rows cover with a count over random words.
#[test]
fn coverage_matches_random_words() {
    for set in sets() {
        let share = set.coverage();
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let words = 50_000;
        let hits = (0..words)
            .filter(|_| {
                let word = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
                set.find(word & ones(8 * u32::from(set.length(word)))).is_some()
            })
            .count();
        let seen = hits as f64 / f64::from(words);
        println!(
            "{}: {} of 2^{} words, {:.4} % ({:.4} % of random words)",
            set.name,
            share.words,
            share.bits,
            100.0 * share.fraction(),
            100.0 * seen
        );
        assert!(
            (share.fraction() - seen).abs() < 0.01,
            "{}: {} against {seen}",
            set.name,
            share.fraction()
        );
    }
}

/// The rows equal the rows of the shared table, except where this table merges or splits them: loads and stores with
/// the rest of their opcode, instructions named by a bit, and an unreachable row. A fixed bit of simd_shuf_op belongs
/// to another length.
#[test]
fn g13_has_applegpus_rows() {
    let Some(document) = json("g13_full.json") else { return };
    let set = set("g13").unwrap_or_else(|| panic!("no set g13"));
    let (mut same, mut parts) = (0, 0);
    let mut others = Vec::new();
    for instruction in document["instructions"].as_array().into_iter().flatten() {
        let name = instruction["name"].as_str().unwrap_or_default();
        let encoding = &instruction["encodings"][0];
        let (mask, value) = (number(&encoding["mask"]), number(&encoding["value"]));
        let Some(row) = set.all_rows().iter().find(|row| row.mask == mask && row.value == value) else {
            others.push(name);
            continue;
        };
        same += 1;
        let mnemonic = instruction["house"]["mnemonic"].as_str();
        assert_eq!(Some(row.mnemonic), mnemonic);
        let bytes = |name: &str| encoding[name].as_u64().unwrap_or_default() as u8;
        assert_eq!(row.bytes, bytes("long_bytes"), "{name}");
        assert_eq!(
            row.short.map_or(row.bytes, |short| short.bytes),
            bytes("short_bytes"),
            "{name}: short form"
        );
        assert_eq!(
            row.short.map(|short| u64::from(short.bit)),
            encoding["length_bit"][0][0].as_u64(),
            "{name}: length"
        );
        // Every bit of every field that has an operand is read by some piece of the row.
        let read = flexgrip_gpu_isa::reference::bits_of(row);
        let values = &instruction["values"];
        let operands = instruction["house"]["operands"].as_array().into_iter().flatten();
        for field in operands.filter_map(|operand| operand["op"].as_str()) {
            for part in values[field].as_array().into_iter().flatten().filter_map(Value::as_str) {
                for range in encoding["fields"][part].as_array().into_iter().flatten() {
                    let (low, high) = (range[0].as_u64().unwrap_or(0), range[1].as_u64().unwrap_or(0));
                    // An even number lacks its lowest bit in a pair or a 32-bit register.
                    let missing = (low..=high).filter(|bit| read >> bit & 1 == 0).collect::<Vec<_>>();
                    assert!(
                        missing.is_empty() || missing == [low],
                        "{name}: bits {missing:?} of {field}"
                    );
                    parts += 1;
                }
            }
        }
    }
    println!("g13: {same} rows, {parts} parts of fields; different: {others:?}");
    assert_eq!(
        others,
        [
            "simd_shuf_op",
            "TODO.ld/st_tile",
            "device_load",
            "device_store",
            "TODO.unk51"
        ]
    );
    assert_eq!(set.all_rows().len(), same + 1 + 2 + 1);
}

/// The lengths of rows equal the lengths determined by the first bytes.
#[test]
fn lengths_agree_with_the_rows() {
    for set in sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        for row in set.all_rows() {
            for _ in 0..1000 {
                let any = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
                let word = any & !row.mask | row.value;
                let word = word & ones(8 * u32::from(row.length(word)));
                // Bits that a short form omits may be fixed.
                if word & row.mask == row.value {
                    assert_eq!(
                        set.known_length(word),
                        Some(row.length(word)),
                        "{} {word:#x}",
                        row.mnemonic
                    );
                }
            }
        }
    }
}

/// All words of a group's known fields: the fields' values over the fixed bits, each once.
fn group_words(group: &Value) -> Vec<u128> {
    let mut fixed = 0;
    let mut free = Vec::new();
    let mut predicate = Vec::new();
    for byte in group["bytes"].as_array().into_iter().flatten() {
        let Some(low) = byte["byte"]
            .as_u64()
            .and_then(|number| number.checked_sub(4))
            .map(|number| 32 + 8 * number)
        else {
            continue;
        };
        let recovered = &byte["recovered"];
        for (place, bit) in recovered["bits_7_to_0"].as_array().into_iter().flatten().enumerate() {
            if bit == "1" {
                fixed |= 1u128 << (low + 7 - place as u64);
            }
        }
        for (name, bits) in recovered["fields"].as_object().into_iter().flatten() {
            let target = if name == "predicate" { &mut predicate } else { &mut free };
            target.extend(
                bits.as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_u64)
                    .map(|bit| low + bit),
            );
        }
    }
    (0..1u128 << free.len())
        .map(|value| {
            free.iter()
                .enumerate()
                .fold(fixed, |word, (number, bit)| word | (value >> number & 1) << bit)
        })
        .collect()
}

/// The document's names for USSE: another table of the same words.
fn document_of_usse() -> &'static Set {
    let usse = set("usse").unwrap_or_else(|| panic!("no set usse"));
    let document = usse.synonyms.iter().find(|set| set.name == "usse-document");
    document.unwrap_or_else(|| panic!("no names of the document"))
}

/// The rows cover the groups of `usse_full.json` exactly: each of its groups begins with rows that name it as their
/// source.
#[test]
fn usse_has_the_groups_of_the_full_table() {
    let Some(full) = json("usse_full.json") else { return };
    let set = set("usse").unwrap_or_else(|| panic!("no set usse"));
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let groups: Vec<(u128, u128, &str)> = full["groups"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|group| {
            let name = group["name"].as_str().unwrap_or_default();
            (number(&group["mask"]), number(&group["value"]), name)
        })
        .collect();
    assert_eq!(groups.len(), 35);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for round in 0..200_000 {
        let (mask, value, _) = groups[round % groups.len()];
        let word = u128::from(rng.next_u64()) & !mask | value;
        let Some((_, _, name)) = groups.iter().find(|(mask, value, _)| word & mask == *value) else {
            continue;
        };
        let row = set.find(word).unwrap_or_else(|| panic!("{word:#x} has no row"));
        assert_eq!(row.source, format!("usse_full.json, {name}"), "{word:#x}");
        // Bits with a meaning are in some piece.
        *seen.entry(name).or_default() += 1;
    }
    assert_eq!(seen.len(), 35, "{seen:?}");
    assert_eq!(set.coverage().fraction(), 1.0);
    for group in full["groups"].as_array().into_iter().flatten() {
        let name = group["name"].as_str().unwrap_or_default();
        let rows = set.all_rows().iter();
        let bits = rows
            .filter(|row| row.source == format!("usse_full.json, {name}"))
            .fold(0, |bits, row| bits | flexgrip_gpu_isa::reference::bits_of(row));
        for (field, parts) in group["fields"].as_object().into_iter().flatten() {
            for part in parts.as_array().into_iter().flatten() {
                let (low, high) = (part[0].as_u64().unwrap_or(0), part[1].as_u64().unwrap_or(0));
                for bit in low..=high {
                    assert!(bits >> bit & 1 == 1, "{name}: bit {bit} of {field} is in no piece");
                }
            }
        }
    }
}

#[test]
fn usse_has_the_documents_names() {
    let Some(document) = json("usse.json") else { return };
    let set = document_of_usse();
    let mut examples = 0;
    let mut texts: BTreeMap<String, u128> = BTreeMap::new();
    for group in document["groups"].as_array().into_iter().flatten() {
        if group["decoded_rows"].is_array() {
            continue;
        }
        let mut expected: Vec<&str> = group["examples"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut found = BTreeSet::new();
        for word in group_words(group) {
            let text = set.text_at(word, 0).unwrap_or_else(|| panic!("{word:#x} has no row"));
            let (name, unread) = text.split_once(' ').unwrap_or((&text, ""));
            if name.starts_with("illegal") {
                continue;
            }
            // A field that depends on another one is unread where it has no effect.
            if !unread.is_empty() {
                continue;
            }
            assert_eq!(
                texts.insert(text.clone(), word),
                None,
                "{text} is the text of two words"
            );
            found.insert(name.split('/').next().unwrap_or(name).to_string());
        }
        examples += expected.len();
        expected.sort_unstable();
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, expected, "group {}", group["range"][0]);
    }
    assert_eq!(examples, 296);
    println!("usse: {examples} example names, {} texts", texts.len());
}

#[test]
fn usse_group_f8_is_the_truth_tables() {
    let Some(document) = json("usse.json") else { return };
    let set = document_of_usse();
    let group = |row: &&Row| row.value >> 59 == 0x1f;
    let rows: Vec<&Row> = set.all_rows().iter().copied().filter(group).collect();
    let mut found = BTreeSet::new();
    for row in &rows {
        let text = set.text_at(row.value, 0).unwrap_or_default();
        let name = text.split('/').next().unwrap_or_default().to_string();
        found.insert((name, row.mask, row.value));
    }
    let mut expected = BTreeSet::new();
    for row in document["groups"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|group| group["decoded_rows"].as_array().into_iter().flatten())
    {
        expected.insert((
            row["text"].as_str().unwrap_or_default().to_string(),
            number(&row["mask"]),
            number(&row["value"]),
        ));
    }
    assert_eq!(found, expected);
    assert_eq!(rows.len(), 174);
    // The rows partition the group: their words add up to all words of the group, without overlaps.
    let words: u128 = rows.iter().map(|row| 1u128 << (59 - (row.mask.count_ones() - 5))).sum();
    assert_eq!(words, 1 << 59);
    for (number, one) in rows.iter().enumerate() {
        for two in &rows[number + 1..] {
            assert_ne!(
                (one.value ^ two.value) & one.mask & two.mask,
                0,
                "{} and {}",
                one.mnemonic,
                two.mnemonic
            );
        }
    }
}
