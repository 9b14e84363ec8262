//! The book's pages are those that the tables make, and every page and explanation says what it has to.

use flexgrip_gpu_isa::reference::{book_summary, files, BOOK_FOLDER, SUMMARY_TEMPLATE};
use flexgrip_gpu_isa::set::ones;
use flexgrip_gpu_isa::{sets, InstructionSet};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}; run `make reference`", path.display()))
}

/// All files in a folder and those below it, relative to the root.
fn present(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            present(&path, found);
        } else if let Ok(path) = path.strip_prefix(root()) {
            found.insert(path.to_string_lossy().into_owned());
        }
    }
}

#[test]
fn the_book_is_current() {
    let summary = book_summary(sets(), &read(&root().join(SUMMARY_TEMPLATE)));
    let files = files(sets());
    for file in files.iter().chain([&summary]) {
        assert!(
            read(&root().join(&file.path)) == file.text,
            "{} is stale; run `make reference`",
            file.path
        );
    }
    let mut found = BTreeSet::new();
    present(&root().join(BOOK_FOLDER), &mut found);
    let made: BTreeSet<String> = files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(found, made, "pages that the tables do not make; run `make reference`");
    assert_eq!(made.len(), files.len(), "two pages have the same name");
}

/// Links of the summary have a target; no placeholder is left, and no line has blanks at its end.
#[test]
fn the_summary_leads_somewhere() {
    let summary = book_summary(sets(), &read(&root().join(SUMMARY_TEMPLATE)));
    let folder = root().join("docs/book/src");
    let mut links = 0;
    for link in summary.text.split("](").skip(1) {
        let link = link.split(')').next().unwrap();
        assert!(folder.join(link).exists(), "{link}");
        links += 1;
    }
    assert!(links > 500, "{links}");
    assert!(!summary.text.contains("{{"), "{}", summary.text);
    assert!(summary.text.lines().all(|line| line == line.trim_end()));
}

/// The commands' view gives a page for every mnemonic, with its rows' texts and bits.
#[test]
fn every_mnemonic_has_a_page() {
    for set in sets() {
        let isa: &dyn InstructionSet = *set;
        assert!(isa.overview().contains(isa.title()));
        for row in set.all_rows() {
            let page = isa
                .page(row.mnemonic)
                .unwrap_or_else(|| panic!("{}: no page of {}", set.name, row.mnemonic));
            assert!(
                page.contains(row.mnemonic),
                "{}: {} is not on its page",
                set.name,
                row.mnemonic
            );
            assert!(
                page.contains(row.source),
                "{}: no source on the page of {}",
                set.name,
                row.mnemonic
            );
            assert_eq!(isa.page(&row.mnemonic.to_lowercase()), Some(page));
        }
        assert_eq!(isa.page("no-such-mnemonic"), None);
    }
}

/// The explanation of each row's word names the row, its source and notes; all bits set, so every field has a value.
#[test]
fn explanations_say_where_it_comes_from() {
    for set in sets() {
        let isa: &dyn InstructionSet = *set;
        for row in set.all_rows() {
            let word = row.value | !row.mask;
            let word = word & ones(8 * u32::from(row.length(word)));
            let explained = isa.explain(word);
            let Some(found) = set.find(word) else {
                assert!(explained.contains("No row"), "{explained}");
                continue;
            };
            assert!(
                explained.contains(found.mnemonic) && explained.contains(found.source),
                "{explained}"
            );
            assert!(found.notes.iter().all(|note| explained.contains(note)), "{explained}");
            let text = isa.text(word).unwrap_or_default();
            assert!(explained.contains(&text), "{explained}");
        }
    }
}

#[test]
fn control_words_are_explained() {
    for set in sets() {
        let Some(control) = set.control else { continue };
        let isa: &dyn InstructionSet = *set;
        for row in control.rows {
            let explained = isa.explain(row.value);
            assert!(
                explained.contains("it is a control word") && explained.contains(row.source),
                "{explained}"
            );
        }
    }
}

#[test]
fn an_explanation_in_full() {
    let isa: &dyn InstructionSet = flexgrip_gpu_isa::set("g13").unwrap_or_else(|| panic!("no set g13"));
    let expected = "\
800002580642050e  iadd r1, r1.sx, u64.sx ?0x8000000000000000

Apple G13, iadd: a + (b << shift); .neg after b subtracts
8 bytes

Fixed
  15, 5..0  0xe

Fields
  7                   Dt     0x0   no $
  8                   Dt     0x1   chooses form 3 of 3
  45..44, 14..10      D      0x1   r1
  25..22              At     0x9   chooses form 7 of 13
  43..42, 21..17      A      0x1   r1
  26                  As     0x1   .sx
  37..35              Bt     0x3   chooses form 6 of 13
  34, 41..40, 33..29  B      0x40  u64
  38                  Bs     0x1   .sx
  27                  N      0x0   no .neg
  53..52, 39          shift  0x0   chooses form 1 of 2
  6                   S      0x0   no sat

Unread
  63..54, 51..46, 28, 16, 9  0x8000000000000000, printed as ?0x8000000000000000

Source: applegpu.py, Integer Arithmetic Instructions
Note: A shift of 5 or more gives a + 0.
Note: Saturates only without shift and up to 32 bits.
";
    assert_eq!(isa.explain(0x8000_0258_0642_050e), expected);
}

#[test]
fn a_word_without_a_row_is_explained() {
    let isa: &dyn InstructionSet = flexgrip_gpu_isa::set("g13").unwrap_or_else(|| panic!("no set g13"));
    // As iadd, with bit 15 set.
    let explained = isa.explain(0x800e);
    assert!(
        explained.starts_with(".word 0x000000000000800e\n\nNo row of Apple G13 covers this word; it has 8 bytes."),
        "{explained}"
    );
    assert!(explained.contains("iadd if bits 15 were different"), "{explained}");
    let explained = isa.explain(0x0003);
    assert!(explained.contains("its length is unknown"), "{explained}");
}
