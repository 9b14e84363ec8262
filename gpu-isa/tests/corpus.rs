//! Words of real and generated programs, with the text that other disassemblers give.
//!
//! The files are not part of the repository: `FLEXGRIP_SHARED` gives their location, by default `../shared` next to it.

use flexgrip_gpu_isa::{set, Set};
use std::path::PathBuf;

/// The lines of a file of `other-isa/corpus` without its heading; none if there is no such folder.
fn corpus(name: &str) -> Option<Vec<Vec<String>>> {
    let root = std::env::var_os("FLEXGRIP_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    );
    let path = root.join("other-isa/corpus").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    Some(
        lines
            .map(|line| line.split('\t').map(str::to_string).collect())
            .collect(),
    )
}

fn named(name: &str) -> &'static Set {
    set(name).unwrap_or_else(|| panic!("no set {name}"))
}

/// Decodes the bytes as one instruction, and assembles its text again; none if it is no instruction of the set.
fn text(set: &Set, bytes: &[u8]) -> Option<String> {
    let decoded = set.decode(bytes, 0)?;
    decoded.row?;
    assert_eq!(
        usize::from(decoded.bytes),
        bytes.len(),
        "{}: length of {bytes:02x?}",
        set.name
    );
    let text = set.text_at(decoded.word, 0)?;
    match set.parse_at(&text, 0) {
        Ok(word) => assert_eq!(
            (word.word, word.bytes),
            (decoded.word, decoded.bytes),
            "{}: `{text}`",
            set.name
        ),
        Err(error) => panic!("{}: {error}", set.name),
    }
    Some(text)
}

#[test]
fn usse_shaders_come_back() {
    let Some(lines) = corpus("usse/gxp_words.tsv") else {
        return;
    };
    let set = named("usse");
    let mut illegal = 0;
    for line in &lines {
        let word = u64::from_str_radix(&line[0], 16).unwrap_or_else(|_| panic!("`{}` is no word", line[0]));
        let found = text(set, &word.to_le_bytes()).unwrap_or_else(|| panic!("no row for {word:#x}"));
        illegal += usize::from(found.starts_with("illegal."));
        println!("{word:016x}  {found}");
    }
    println!(
        "usse: {} words, {illegal} of them in groups called illegal",
        lines.len()
    );
    assert!(illegal < lines.len());
}
