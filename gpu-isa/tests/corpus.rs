//! Words of real and generated programs, with the text that other disassemblers give.
//!
//! The files are not part of the repository: `FLEXGRIP_SHARED` gives their location, by default `../shared` next to it.

use flexgrip_gpu_isa::{set, Set};
use std::collections::BTreeMap;
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

/// The bytes of a row of hexadecimal digits.
fn bytes(digits: &str) -> Vec<u8> {
    let byte =
        |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap_or_else(|_| panic!("`{digits}` is not hexadecimal"));
    (0..digits.len()).step_by(2).map(byte).collect()
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

/// Mesa's name for one of this table, where only the name differs.
const RENAMED: &[(&str, &str)] = &[
    ("ldimm", "mov"),
    ("ffma", "fmadd"),
    ("hfma", "fmadd16"),
    ("hadd", "fadd16"),
    ("hmul", "fmul16"),
    ("popcnt", "popcount"),
    ("rsqrts", "rsqrt_special"),
    ("sinr", "sin_pt_1"),
    ("sinc", "sin_pt_2"),
];

/// Mesa's names for truth tables of two operands.
const TRUTH: &[(&str, &str)] = &[
    ("and", "a & b"),
    ("andn1", "~a & b"),
    ("andn2", "a & ~b"),
    ("xor", "a ^ b"),
    ("or", "a | b"),
    ("nor", "~(a | b)"),
    ("xnor", "~(a ^ b)"),
    ("orn1", "~a | b"),
    ("orn2", "a | ~b"),
    ("nand", "~(a & b)"),
];

/// Mesa's names for special registers that have only a number here.
const SPECIAL: &[(&str, u8)] = &[
    ("core_index", 20),
    ("active_thread_index_in_simdgroup", 58),
    ("is_active_thread", 63),
    ("input_sample_mask", 124),
    ("backfacing", 62),
    ("internal_coverage_mask", 60),
    ("thread_index_in_simdgroup", 52),
    ("simdgroup_index_in_threadgroup", 53),
    ("vm_slot", 21),
    ("samples_log2", 14),
    ("helper_op", 144),
    ("helper_arg_l", 146),
    ("helper_arg_h", 147),
];

/// A floating-point condition in this table's words.
fn float_condition(name: &str) -> String {
    let name = name.strip_prefix('f').unwrap_or(name);
    name.replace("gte", "ge").replace("lte", "le")
}

/// Mesa's text in this table's notation.
fn from_mesa(text: &str, special: bool) -> String {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let operands: Vec<&str> = rest.split(", ").filter(|operand| !operand.is_empty()).collect();
    let all = |name: &str, operands: &[&str]| match operands {
        [] => name.to_string(),
        operands => format!("{name} {}", operands.join(", ")),
    };
    if let Some((_, name)) = RENAMED.iter().find(|(mesa, _)| *mesa == name) {
        return all(name, &operands);
    }
    if let (Some((_, function)), [d, a, b]) = (TRUTH.iter().find(|(mesa, _)| *mesa == name), operands.as_slice()) {
        return format!("bitop {d}, {a}, {b}, {function}");
    }
    if matches!(name, "if" | "else" | "while") {
        let at = operands
            .iter()
            .position(|operand| operand.starts_with('f'))
            .unwrap_or(operands.len());
        if at == operands.len() {
            return all(&format!("{name}_icmp"), &operands);
        }
        let mut changed: Vec<String> = operands.iter().map(|operand| operand.to_string()).collect();
        changed[at] = float_condition(&changed[at]);
        return format!("{name}_fcmp {}", changed.join(", "));
    }
    match (name, operands.as_slice()) {
        ("mov", [d, register]) if special => {
            let number = SPECIAL.iter().find(|(mesa, _)| mesa == register);
            let register = number.map_or(register.to_string(), |(_, number)| format!("sr{number}"));
            format!("get_sr {d}, {register}")
        }
        ("mov", [d, a]) => format!("bitop {d}, {a}, 0, a"),
        ("not", [d, a]) => format!("bitop {d}, {a}, 0, ~a"),
        ("shl", [d, b, c]) => format!("bfi {d}, 0, {b}, {c}, 0"),
        ("shr", [d, b, c]) => format!("bfeil {d}, 0, {b}, {c}, 0"),
        ("imul", [d, a, b]) => format!("imadd {d}, {a}, {b}, 0"),
        ("isub", [d, a, b, more @ ..]) => all("iadd", &[&[*d, *a, &format!("{b}.neg")], more].concat()),
        ("csel", _) => all("icmpsel", &operands),
        ("update_exec", []) => "if_fcmp 0.0, 0.0, 0, eq".to_string(),
        ("jmp_any" | "jmp_none", [offset]) => {
            let name = name.replace("jmp_", "jmp_exec_");
            format!("{name} {}", hexadecimal(offset))
        }
        ("call", [offset]) if !offset.starts_with('r') => format!("call {}", hexadecimal(offset)),
        (_, [d, s, round]) if name.contains("_to_") => format!("convert {d}, {s}, {name}, {round}"),
        _ => all(name, &operands),
    }
}

fn hexadecimal(number: &str) -> String {
    let number: i64 = number.parse().unwrap_or_else(|_| panic!("`{number}` is no number"));
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{:#x}", number.unsigned_abs())
}

/// Mesa's names of what the document lacks.
const LACKING: &[&str] = &[
    "atomic",
    "ballot",
    "barrier",
    "csel",
    "doorbell",
    "intl",
    "iter",
    "latomic",
    "load",
    "lload",
    "lstore",
    "shuffle",
    "st_tile",
    "ld_tile",
    "st_var",
    "store",
    "wait",
    "jmp_if_skipping_doorbell",
    "no_var",
    "stack_load",
    "stack_store",
    "pixwait",
    "pixrel",
    "sample_mask",
    "zs_emit",
    "ldcf",
    "imgw",
    "simd",
    "quad",
    "memory_barrier",
];

#[test]
fn g13_is_what_mesa_says() {
    let Some(lines) = corpus("g13/mesa_cases.tsv") else {
        return;
    };
    let set = named("g13");
    let mut compared = 0;
    let mut lacking: BTreeMap<String, usize> = BTreeMap::new();
    let mut marked = 0;
    let mut wrong = Vec::new();
    for line in &lines {
        let [digits, mesa] = line.as_slice() else {
            panic!("line {line:?}")
        };
        let bytes = bytes(digits);
        let Some(found) = text(set, &bytes) else {
            let name = mesa.split(' ').next().unwrap_or_default();
            // Four-byte forms are not in the document, either.
            let short = bytes.len() == 4 && matches!(name, "fadd" | "fmul" | "hadd" | "hmul");
            assert!(short || LACKING.contains(&name), "no row for {digits}, {mesa}");
            *lacking.entry(name.to_string()).or_default() += 1;
            continue;
        };
        compared += 1;
        // Mesa has no mark for a long form that could be short: the length is compared above.
        marked += usize::from(found.contains(".long"));
        let expected = from_mesa(mesa, bytes[0] & 0x7f == 0x72);
        if found.replacen(".long", "", 1) != expected {
            wrong.push(format!("{digits}: `{found}`, Mesa: `{mesa}`, that is `{expected}`"));
        }
    }
    println!(
        "g13: {compared} of {} words compared with Mesa, {} differ, {marked} of them have .long; lacking: {lacking:?}",
        lines.len(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(compared + lacking.values().sum::<usize>(), lines.len());
    if lines.len() == 388 {
        assert_eq!(compared, 282);
    }
}

/// applegpu's notation in this table's: hints are prefixes, the round mode has a name, and the conversion comes last.
fn from_applegpu(text: &str) -> String {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let operands: Vec<String> = rest
        .split(", ")
        .map(|operand| match operand.trim().strip_suffix(".discard") {
            Some(register) => format!("^{register}"),
            None => operand.trim().to_string(),
        })
        .collect();
    match (name, operands.as_slice()) {
        ("convert", [mode, d, s, round]) => {
            let round = if round == "1" { "rte" } else { "rtz" };
            format!("convert {d}, {s}, {mode}, {round}")
        }
        _ => format!("{name} {}", operands.join(", ")),
    }
}

#[test]
fn g13_is_what_applegpu_says() {
    let Some(lines) = corpus("g13/applegpu_readme.tsv") else {
        return;
    };
    let set = named("g13");
    let mut compared = 0;
    for line in &lines {
        let [digits, upstream] = line.as_slice() else {
            panic!("line {line:?}")
        };
        let Some(found) = text(set, &bytes(digits)) else {
            // Loads, stores and wait are not in the saved document.
            assert!(
                ["device_load", "wait", "uniform_store"]
                    .iter()
                    .any(|name| upstream.starts_with(name)),
                "{upstream}"
            );
            continue;
        };
        assert_eq!(found, from_applegpu(upstream));
        compared += 1;
    }
    println!("g13: {compared} of {} words compared with applegpu", lines.len());
    assert!(compared > 0);
}

/// The text of a word without its unread bits.
fn shown(text: &str) -> &str {
    text.rfind(" ?0x").map_or(text, |at| &text[..at])
}

/// Every word of every group: the text before the unread bits is the corpus', and comes back; no word of a shader is data.
#[test]
fn usse_is_what_the_corpus_says() {
    let Some(lines) = corpus("usse_words.tsv") else {
        return;
    };
    let set = named("usse");
    let mut shaders = 0;
    for line in &lines {
        let [digits, group, expected, _, _, origin, ..] = line.as_slice() else {
            panic!("line {line:?}")
        };
        let word = u64::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("`{digits}` is no word"));
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
        let word = u64::from_str_radix(&line[0], 16).unwrap_or_else(|_| panic!("`{}` is no word", line[0]));
        assert!(text(set, &word.to_le_bytes()).is_some(), "no row for {word:#x}");
    }
    println!("usse: {} words of shaders", lines.len());
}
