//! Damaged and random text must not cause a panic, and must be parsed in time proportional to its length.

use crate::{files, round_trip, shape};
use flexgrip_compiler::ptx::parse;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Pieces of PTX, and some that PTX does not have.
const PIECES: &[&str] = &[
    ".entry",
    ".func",
    ".visible",
    ".param",
    ".reg",
    ".b32",
    ".v2",
    ".align",
    ".global",
    ".const",
    ".loc",
    ".file",
    ".pragma",
    ".section",
    ".branchtargets",
    ".callprototype",
    ".ptr",
    ".maxntid",
    "k",
    "%r1",
    "%p1",
    "%tid.x",
    "$L",
    "_",
    "generic",
    "ld.global.f32",
    "call.uni",
    "a.x",
    "0",
    "12",
    "0x1f",
    "0f3F800000",
    "0d3FF0000000000000",
    "1.5",
    "1e",
    "089",
    "99999999999999999999",
    "\"s\"",
    "\"",
    "/*",
    "*/",
    "//",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "=",
    "+",
    "-",
    "!",
    "@",
    "|",
    ".",
    "::",
    "\u{e4}",
    "\u{1d11e}",
    "\\",
    "\0",
    "\n",
    "\t",
    " ",
];

/// Parses a text. A module must survive printing, and an error must have a position in the text.
fn check(text: &str) {
    match parse(text) {
        Ok(_) => round_trip(text),
        Err(error) => {
            let span = error.span;
            let end = span.offset as usize + span.length as usize;
            assert!(
                end <= text.len() && text.is_char_boundary(span.offset as usize),
                "{error}"
            );
            let before = &text[..span.offset as usize];
            assert_eq!(span.line as usize, before.matches('\n').count() + 1, "{error}");
            let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
            assert_eq!(span.column as usize, column + 1, "{error}");
            assert_eq!(error.to_string().lines().count(), 3, "{error}");
        }
    }
}

/// Returns a kernel that is correct except for the random statement.
fn kernel(pieces: &[&str]) -> String {
    format!(
        ".entry k(.param .u32 a)\n{{\n.reg .b32 %r<4>;\n{};\nret;\n}}\n",
        pieces.join(" ")
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_pieces_never_panic(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..24)) {
        check(&pieces.concat());
        check(&pieces.join(" "));
        check(&kernel(&pieces));
    }

    #[test]
    fn random_characters_never_panic(text in "\\PC{0,40}") {
        check(&text);
        check(&kernel(&[&text]));
    }

    /// Parses a file of clang with a piece removed, duplicated or replaced.
    #[test]
    fn damaged_files_never_panic(
        file in any::<proptest::sample::Index>(),
        at in any::<proptest::sample::Index>(),
        length in 0usize..40,
        piece in proptest::sample::select(PIECES),
        double in any::<bool>(),
    ) {
        let files = FILES.with(Clone::clone);
        let text = &files[file.index(files.len())];
        let boundary = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let from = boundary(at.index(text.len()));
        let to = boundary((from + length).min(text.len()));
        let kept = if double { text[from..to].repeat(2) } else { String::new() };
        check(&format!("{}{kept}{piece}{}", &text[..from], &text[to..]));
    }
}

thread_local! {
    static FILES: std::rc::Rc<Vec<String>> = std::rc::Rc::new(files().into_iter().map(|(_, text)| text).collect());
}

/// Every prefix of a file is a module or an error.
#[test]
fn prefixes_of_files_never_panic() {
    let (_, text) = files()
        .into_iter()
        .find(|(path, _)| path.ends_with("call_lines.clang14.ptx"))
        .expect("a file");
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        match parse(&text[..end]) {
            Ok(module) => assert!(shape(&module).len() > 10),
            Err(error) => assert!(error.span.offset as usize <= end, "{error}"),
        }
    }
}

/// Returns the shortest time of three runs.
fn time(text: &str) -> Duration {
    let run = || {
        let start = Instant::now();
        let items = parse(text).map(|module| module.items.len());
        let taken = start.elapsed();
        assert!(items.is_ok_and(|items| items > 0));
        taken
    };
    (0..3).map(|_| run()).min().unwrap_or_default()
}

/// A megabyte takes a few hundredths of a second. The limit allows for a busy machine; quadratic time would take
/// minutes.
#[test]
fn time_is_proportional() {
    let (_, unit) = files()
        .into_iter()
        .find(|(path, _)| path.ends_with("exits.ptx"))
        .expect("a file");
    let kernels = unit.repeat((1 << 20) / unit.len() + 1);
    let bytes = format!(".const .b8 a[350000] = {{{}0}};", "7, ".repeat(350_000));
    let line = format!(".entry k() {{ x {}; }}", ["%r1"; 210_000].join(", "));
    let labels = format!(".entry k() {{ {} ret; }}", "$L__BB0_1:".repeat(105_000));
    let comment = format!("/*{}*/ .entry k() {{}}", "\u{e4} ".repeat(350_000));
    for (name, text) in [
        ("kernels", kernels),
        ("bytes", bytes),
        ("line", line),
        ("labels", labels),
        ("comment", comment),
    ] {
        let taken = time(&text);
        println!("{name}: {} bytes in {:.1} ms", text.len(), taken.as_secs_f64() * 1e3);
        assert!(taken < Duration::from_secs(3), "{name}: {taken:?}");
    }
}
