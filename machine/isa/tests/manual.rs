//! The manual's errors in the table against the list in the shared material (`spec/sm10.json`): every section has its
//! rows, every error is present, and it refers to the same bits.

use flexgrip_isa::manual::{Section, MARKERS};
use flexgrip_isa::table::ROWS;
use std::collections::BTreeMap;

/// All sections named by rows, by title.
fn sections() -> BTreeMap<&'static str, &'static Section> {
    let mut sections = BTreeMap::new();
    for section in ROWS.iter().flat_map(|row| row.manual) {
        let before = sections.insert(section.name, *section);
        assert!(before.is_none_or(|before| before == *section), "{}", section.name);
    }
    sections
}

/// Numbers of two digits or more, and hexadecimal ones: bit positions, binary values, opcodes.
fn numbers(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| {
            let word = word.to_ascii_lowercase();
            let hexadecimal = word
                .strip_prefix("0x")
                .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
            hexadecimal || word.len() > 1 && word.bytes().all(|digit| digit.is_ascii_digit())
        })
        .map(str::to_ascii_lowercase)
        .collect()
}

#[test]
fn every_section_matches_the_table() {
    for section in sections().values() {
        for error in section.errors {
            assert!(
                error.ends_with('.') && !error.contains("  "),
                "{}: {error}",
                section.name
            );
        }
        // The marker comes last, once.
        let markers = section.errors.iter().filter(|error| **error == MARKERS).count();
        assert!(markers <= 1, "{}", section.name);
        assert!(
            markers == 0 || section.errors.last() == Some(&MARKERS),
            "{}",
            section.name
        );
    }
    for row in ROWS {
        let named = row.source.contains("manual ");
        assert!(!named || !row.manual.is_empty(), "{}: {}", row.name, row.source);
    }
}

#[test]
fn all_errors_of_the_manual_are_covered() {
    let root = flexgrip_skip::shared();
    if !root.exists() {
        println!("skipped: {} does not exist", root.display());
        return;
    }
    let path = root.join("spec/sm10.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let ours = sections();
    let mut covered = 0;
    let mut titles = Vec::new();
    for section in json["sections"].as_array().unwrap() {
        let title = section["section"].as_str().unwrap();
        let errors = section["manual_table_errors"].as_array().unwrap();
        let our_errors = ours
            .get(title)
            .unwrap_or_else(|| panic!("no row has the manual's section {title}"))
            .errors;
        assert_eq!(our_errors.len(), errors.len(), "{title}");
        for (error, our_error) in errors.iter().zip(our_errors) {
            let error = error.as_str().unwrap();
            if error.starts_with("instr_marker") {
                assert_eq!(*our_error, MARKERS, "{title}");
            } else {
                // The messages have different words, but must name the same bits.
                let our_numbers = numbers(our_error);
                for number in numbers(error) {
                    assert!(
                        our_numbers.contains(&number),
                        "{title}: {number} of {error:?} not in {our_error:?}"
                    );
                }
            }
            covered += 1;
        }
        titles.push(title);
    }
    for title in ours.keys() {
        assert!(titles.contains(title), "the manual has no section {title}");
    }
    println!("{covered} errors of the manual in {} sections", titles.len());
    assert_eq!(covered, 134);
}
