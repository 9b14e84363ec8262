//! Words of real and generated programs, with the text that other disassemblers give.
//!
//! The files are not part of the repository: `FLEXGRIP_SHARED` gives their location, by default `../shared` next to it.

use flexgrip_gpu_isa::{set, Set};

/// The lines of a file of `other-isa/corpus` without its heading; none if there is no such folder.
fn corpus(name: &str) -> Option<Vec<Vec<String>>> {
    let root = flexgrip_skip::shared();
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

/// Decodes the bytes as one instruction, and assembles its text again; `None` if they are not an instruction of the
/// set.
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

/// The text of a word without its unread bits.
fn shown(text: &str) -> &str {
    text.rfind(" ?0x").map_or(text, |at| &text[..at])
}

/// Checks every word of every group: the text before the unread bits equals the corpus and round-trips; no word of a
/// shader is data.
#[test]
fn usse_matches_the_corpus() {
    let Some(lines) = corpus("usse_words.tsv") else {
        return;
    };
    let set = named("usse");
    let mut shaders = 0;
    for line in &lines {
        let [digits, group, expected, _, _, origin, ..] = line.as_slice() else {
            panic!("line {line:?}")
        };
        let word = u64::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("`{digits}` is not a word"));
        let found = text(set, &word.to_le_bytes()).unwrap_or_else(|| panic!("no row for {digits}"));
        assert_eq!(shown(&found), expected, "{digits}, {group}");
        let row = set.find(word.into()).unwrap_or_else(|| panic!("no row for {digits}"));
        assert_eq!(row.source, format!("usse_full.json, {group}"), "{digits}");
        let explained = set.explain_at(word.into(), 0);
        assert!(explained.contains("In the USSE document"), "{explained}");
        shaders += usize::from(origin.starts_with("shader"));
    }
    println!("usse: {} words, {shaders} of them of shaders", lines.len());
    assert!(shaders > 0);
}

#[test]
fn usse_shaders_come_back() {
    let Some(lines) = corpus("usse/gxp_words.tsv") else {
        return;
    };
    let set = named("usse");
    for line in &lines {
        let word = u64::from_str_radix(&line[0], 16).unwrap_or_else(|_| panic!("`{}` is not a word", line[0]));
        assert!(text(set, &word.to_le_bytes()).is_some(), "no row for {word:#x}");
    }
    println!("usse: {} words of shaders", lines.len());
}
