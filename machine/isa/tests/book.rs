//! Generated files must not be stale: the book's ISA pages and the editor grammar must equal the present output of the
//! table. Also checks the contents of the pages.

use flexgrip_isa::ignored::{ignored_bits, ignored_by_hardware};
use flexgrip_isa::reference::{example, files, heading, instructions, text_overview, text_page, BOOK_FOLDER};
use flexgrip_isa::table::all_rows;
use flexgrip_isa::{decode_at, encode, parse_instruction_at, Condition};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}: run `cargo xtask update reference`", path.display()))
}

#[test]
fn committed_files_are_made_from_this_table() {
    let files = files();
    for file in &files {
        let path = root().join(&file.path);
        assert!(
            read(&path) == file.text,
            "{} is stale: run `cargo xtask update reference`",
            path.display()
        );
        assert!(
            file.text.lines().all(|line| line == line.trim_end()),
            "{}: blanks at a line's end",
            file.path
        );
    }
    let made: BTreeSet<PathBuf> = files.iter().map(|file| root().join(&file.path)).collect();
    for entry in std::fs::read_dir(root().join(BOOK_FOLDER)).unwrap() {
        let path = entry.unwrap().path();
        assert!(
            made.contains(&path),
            "{} is of no instruction: run `make docs`",
            path.display()
        );
    }
}

/// Links between pages, and to other files of the book, have a target.
#[test]
fn links_have_targets() {
    let book = root().join("docs/book/src");
    let mut links = 0;
    for file in files() {
        let path = root().join(&file.path);
        if !path.starts_with(&book) {
            continue;
        }
        for link in file.text.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            let target = path.parent().unwrap().join(link);
            assert!(target.exists(), "{}: {link}", file.path);
            links += 1;
        }
    }
    assert!(links > 100, "{links}");
}

#[test]
fn every_row_has_an_example_and_its_page() {
    for row in all_rows() {
        let capability = row.since.min(row.until);
        let instruction = example(row).unwrap_or_else(|| panic!("{} {:#x}", row.name, row.pattern.value));
        assert!(std::ptr::eq(instruction.row(), row));
        assert_eq!(decode_at(encode(&instruction), capability), Ok(instruction));
        assert_eq!(
            parse_instruction_at(&instruction.to_string(), capability).unwrap(),
            instruction
        );
        let page = text_page(row.name).unwrap();
        assert!(page.contains(&format!(" is {instruction}.\n")), "{instruction}: {page}");
        for field in row.fields() {
            assert!(
                page.contains(&field.bits()) && page.contains(field.name),
                "{}",
                field.name
            );
        }
        assert!(page.contains("Source: ") && page.contains("ompute capability"));
        for error in row.manual.iter().flat_map(|section| section.errors) {
            let start: Vec<&str> = error.split(' ').take(4).collect();
            assert!(page.contains(&start.join(" ")), "{}: {error}", row.name);
        }
    }
    assert_eq!(text_overview().lines().count(), all_rows().count() + 1);
    assert!(instructions().len() > 50);
}

/// A diagram shows every bit of every field, as the field's letter, and the fixed bits.
#[test]
fn diagrams_show_every_bit() {
    for row in all_rows() {
        let page = text_page(row.name).unwrap();
        let heading = format!("\n{}\n---", heading(row));
        let (_, section) = page
            .split_once(&heading)
            .unwrap_or_else(|| panic!("{heading} in {page}"));
        let is_diagram = |block: &&str| block.lines().any(|line| line.trim_start().starts_with("low "));
        let diagram = section.split("\n\n").find(is_diagram).unwrap();
        let bits: String = diagram
            .lines()
            .map(|line| line.trim_start_matches("  "))
            // The rulers.
            .filter(|line| !line.starts_with(|c: char| c.is_ascii_digit()))
            .map(|line| line.trim_start_matches("high").trim_start_matches("low "))
            .collect();
        let count = |wanted: char| bits.chars().filter(|&c| c == wanted).count() as u32;
        for (letter, field) in (b'a'..=b'z').chain(b'A'..=b'Z').map(char::from).zip(row.fields()) {
            assert_eq!(count(letter), field.width(), "{} {letter}: {diagram}", row.name);
        }
        let width = row.form().size() * 8;
        assert_eq!(count('1'), row.pattern.value.count_ones(), "{}: {diagram}", row.name);
        assert_eq!(count('0') + count('1'), row.pattern.mask.count_ones(), "{}", row.name);
        let ignored = width
            - row
                .fields()
                .iter()
                .fold(row.pattern.mask, |mask, field| mask | field.mask())
                .count_ones();
        assert_eq!(count('.'), ignored, "{}: {diagram}", row.name);
    }
}

/// Every row's heading is unique.
#[test]
fn headings_are_unique() {
    let headings: BTreeSet<String> = all_rows().map(heading).collect();
    assert_eq!(headings.len(), all_rows().count());
    assert!(headings.contains("F2F.F32.F32, long, bit 59 is 1"));
    assert!(headings.contains("IMAD, long, bit 28 is 0"));
}

/// An ignored bit has no effect in any word of its row, and the book's list contains all of them.
#[test]
fn ignored_bits_have_no_effect() {
    let page = read(&root().join(BOOK_FOLDER).join("ignored.md"));
    let mut state = 1u64;
    for row in all_rows().filter(|row| row.executes()) {
        let decode = |word| decode_at(word, row.since.min(row.until));
        assert!(page.contains(&format!("| [{}](", heading(row))), "{}", row.name);
        let ignored = ignored_bits(row);
        assert_eq!(ignored_by_hardware(row) & !ignored, 0, "{}", row.name);
        for _ in 0..1000 {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let random = state ^ state >> 29;
            let word = row.pattern.value | random & !row.pattern.mask;
            if !row.pattern.matches(word) {
                continue;
            }
            for bit in (0..64).filter(|bit| ignored >> bit & 1 == 1) {
                assert_eq!(
                    decode(word).ok(),
                    decode(word ^ 1 << bit).ok(),
                    "{} bit {bit}",
                    row.name
                );
            }
        }
    }
}

#[test]
fn pages_are_found_by_any_form() {
    let page = text_page("IADD").unwrap();
    assert_eq!(text_page("iadd32i"), Ok(page.clone()));
    assert_eq!(text_page("IADD32.SAT"), Ok(page));
    assert_eq!(text_page("RCP32"), text_page("RCP"));
    for (name, message) in [
        ("IADE", "there is no instruction `IADE`; did you mean IADD?"),
        (
            "IPA",
            "there is no instruction `IPA`: it is for graphics programs, meaningless in a compute kernel",
        ),
        ("FROBNICATE", "there is no instruction `FROBNICATE`"),
        ("", "there is no instruction ``"),
    ] {
        assert_eq!(text_page(name).unwrap_err().to_string(), message);
    }
}

/// The grammar is valid JSON, and its expressions cover every mnemonic, suffix and condition.
#[test]
fn the_grammar_names_all() {
    let grammar: serde_json::Value = serde_json::from_str(&flexgrip_isa::grammar::grammar()).unwrap();
    assert_eq!(grammar["scopeName"], "source.sass");
    let expressions: Vec<&str> = grammar["patterns"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|pattern| pattern["match"].as_str())
        .collect();
    let names: BTreeSet<&str> = expressions
        .iter()
        .flat_map(|expression| expression.split(['(', ')', '|', ':']))
        .collect();
    for row in all_rows() {
        assert!(names.contains(row.name), "{}", row.name);
    }
    for condition in Condition::ALL {
        assert!(names.contains(condition.text()), "{condition}");
    }
    for suffix in ["SAT", "U16", "BEXT", "CARRY[0-3]", "EXIT", "NOINC", "S128"] {
        assert!(names.contains(suffix), "{suffix}");
    }
}
