//! `docs/conformance.md`: the comparisons made for each class of instructions, from the records in
//! `baselines/conformance.toml`. Comparisons with an earlier circuit are marked.
//!
//! `make conformance` runs the checks, and then this test with [`RECORD`] set, which collects their records and writes
//! the page. Otherwise the page must be up to date: after a change of a circuit, either the checks are run again, or
//! the page marks them.

use flexgrip_exhaustive::circuit::Unit;
use flexgrip_exhaustive::conformance::{folder, Record, Subject, RECORD};
use flexgrip_exhaustive::plan::{operations, Operation};
use flexgrip_exhaustive::state::State;
use flexgrip_isa::table::{Unit as IsaUnit, ROWS};
use hdlkit::output::{grouped, write_atomically};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

type Records = BTreeMap<String, Record>;

/// Instructions that a single part of the machine executes.
struct Class {
    title: &'static str,
    /// The unit that executes the class; `None` for all instructions.
    unit: Option<IsaUnit>,
    /// A note below the rows of the table.
    note: &'static str,
    /// Checks of only these instructions: the name of the record, and the counterpart of the comparison.
    checks: &'static [(&'static str, &'static str)],
}

const CLASSES: [Class; 6] = [
    Class {
        title: "All instructions: decode",
        unit: None,
        note: "",
        checks: &[
            (
                "decode-proof",
                "the ISA table, for every word (`make prove-decode`)",
            ),
            (
                "kernels",
                "the golden model, record by record: the project's kernels and real kernels with known results (`sim/tests/equivalence/engines.rs`)",
            ),
        ],
    },
    Class {
        title: "Integers, moves, logic, comparisons",
        unit: Some(IsaUnit::Integer),
        note: " Products (IMUL, IMAD) are not proven: their decision diagrams are too large.",
        checks: &[
            ("vectors-int", "a G80: `vectors/int.tsv`"),
            ("vectors-int_edges", "a G80, corner cases of rules: `silicon/int_edges.tsv`"),
            (
                "integer-proof-additions",
                "the arithmetic: additions, with carry and `.SAT` (`hdl/tests/yosys/integer_proof.rs`)",
            ),
            ("integer-proof-left-shifts", "the arithmetic: SHL, all counts"),
            ("integer-proof-right-shifts", "the arithmetic: unsigned SHR, all counts"),
            (
                "integer-proof-signed-right-shifts",
                "the arithmetic: signed SHR, all counts",
            ),
            ("integer-proof-sums-of-distances", "the arithmetic: ISAD"),
            ("integer-proof-moves", "the arithmetic: moves"),
            ("integer-proof-logic", "the arithmetic: LOP"),
            ("integer-proof-comparisons", "the arithmetic: ISET"),
            ("integer-proof-minima-and-maxima", "the arithmetic: IMIN, IMAX"),
            ("integer-proof-conversions", "the arithmetic: I2I"),
        ],
    },
    Class {
        title: "Floats and conversions",
        unit: Some(IsaUnit::Float),
        note: "",
        checks: &[
            ("vectors-float", "a G80: `vectors/float.tsv`"),
            (
                "vectors-float_edges",
                "a G80, corner cases of rules: `silicon/float_edges.tsv`",
            ),
            ("vectors-cvt", "a G80: `vectors/cvt.tsv`"),
            ("vectors-rro", "a G80: RRO in `vectors/sfu.tsv`"),
        ],
    },
    Class {
        title: "Special functions",
        unit: Some(IsaUnit::SpecialFunction),
        note: "",
        checks: &[("vectors-sfu", "a G80: `vectors/sfu.tsv`")],
    },
    Class {
        title: "Memory",
        unit: Some(IsaUnit::Memory),
        note: "",
        checks: &[],
    },
    Class {
        title: "Control flow and barriers",
        unit: Some(IsaUnit::Branch),
        note: "",
        checks: &[],
    },
];

/// Checks with random programs: the name of the record, and the counterpart of the golden model.
const FUZZ: [(&str, &str); 3] = [
    ("fuzz-rtl-any", "the circuits, natively"),
    ("fuzz-rtl-float", "the circuits, natively, mostly floats"),
    ("fuzz-verilator-any", "the circuits' Verilog, under Verilator"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn plan() -> Vec<Operation> {
    operations(1 << 30, 1 << 26)
}

fn is_special(operation: &Operation) -> bool {
    operation
        .modes
        .first()
        .is_some_and(|mode| mode.control().unit() == Unit::Special)
}

fn record_of(operation: &Operation) -> String {
    format!("exhaustive-{}", operation.name)
}

/// The mnemonics of a class. Short and immediate forms are listed as their long forms.
fn mnemonics(unit: IsaUnit) -> Vec<&'static str> {
    let mut names: Vec<&str> = ROWS
        .iter()
        .filter(|row| row.unit == unit && row.executes())
        .map(|row| row.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    let all = names.clone();
    names.retain(|name| {
        let long = name.strip_suffix("32I").or_else(|| name.strip_suffix("32"));
        long.is_none_or(|long| !all.contains(&long))
    });
    names
}

/// The result of a check for the present circuits.
fn result(record: &Record, hashes: &BTreeMap<Subject, String>) -> &'static str {
    if hashes.get(&record.subject) == Some(&record.circuit) {
        "equal"
    } else {
        "**stale**: equal, but the circuit has changed since"
    }
}

/// Writes a row in the table of a class.
fn row(text: &mut String, what: &str, cases: &str, record: &Record, hashes: &BTreeMap<Subject, String>) {
    let _ = writeln!(
        text,
        "| {what} | {cases} | {} | {} |",
        record.date,
        result(record, hashes)
    );
}

/// The text of the page.
fn page(records: &Records, hashes: &BTreeMap<Subject, String>) -> String {
    let mut text = String::from(
        "# What the circuits were compared with\n\n\
         <!-- Written by `make conformance` from baselines/conformance.toml. -->\n\n\
         For each class of instructions, this page lists the comparisons of its circuits with a reference: \
         the number of cases, the date and the result. A run that finds a difference fails and is not \
         recorded. A check is **stale** when the circuit's Verilog is no longer the one that was checked; a \
         test requires that this page says so. The reference, `arith` and the golden model, is compared with \
         the same vectors and real kernels in every `make test`.\n\n\
         The vectors were recorded on a real G80. *The arithmetic* is `arith`, written from the specification \
         and equal to the vectors. *All inputs* and *proven* are complete: all inputs are tried on the \
         circuit's gates, or circuit and reference are compared as functions. Random programs are compared \
         with the golden model after each warp instruction; a row counts the instructions of its class.\n",
    );
    let missing = "not run";
    for class in &CLASSES {
        let _ = writeln!(text, "\n## {}\n", class.title);
        if let Some(unit) = class.unit {
            let _ = writeln!(text, "In the {unit}: {}.{}\n", mnemonics(unit).join(", "), class.note);
        }
        text += "| compared with | cases | date | result |\n|---|---|---|---|\n";
        for (name, what) in class.checks {
            match records.get(*name) {
                Some(record) => row(&mut text, what, &record.cases, record, hashes),
                None => {
                    let _ = writeln!(text, "| {what} | | | {missing} |");
                }
            }
        }
        if matches!(class.unit, Some(IsaUnit::Float | IsaUnit::SpecialFunction)) {
            for operation in plan() {
                if is_special(&operation) != (class.unit == Some(IsaUnit::SpecialFunction)) {
                    continue;
                }
                let name = operation.name.to_uppercase();
                let what = format!("the arithmetic: {name} (`make exhaustive`)");
                match records.get(&record_of(&operation)) {
                    Some(record) => row(&mut text, &what, &record.cases, record, hashes),
                    None => {
                        let _ = writeln!(text, "| {what} | | | {missing} |");
                    }
                }
            }
        }
        for (name, what) in FUZZ {
            let what = format!("the golden model, random programs on {what} (`flexgrip fuzz`)");
            let Some(record) = records.get(name) else {
                let _ = writeln!(text, "| {what} | | | {missing} |");
                continue;
            };
            let count = match class.unit {
                None => record.warp_instructions.values().sum(),
                Some(unit) => record.warp_instructions.get(&unit.to_string()).copied().unwrap_or(0),
            };
            let mut cases = format!("{} warp instructions", grouped(count));
            if class.unit.is_none() {
                cases = format!("{cases}; {}", record.cases);
            }
            row(&mut text, &what, &cases, record, hashes);
        }
    }
    text
}

/// The record in the output of `flexgrip fuzz --json`.
fn fuzz_record(path: &Path, date: &str) -> Record {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let json: serde_json::Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(json["match"], true, "{}: a difference is not evidence", path.display());
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or_else(|| panic!("{}: {value}", path.display()));
    let items = number(&json["items"]);
    let missed = json["not_reached"].as_array().map_or(0, Vec::len) as u64;
    let units = json["warp_instructions_by_unit"].as_object().into_iter().flatten();
    Record {
        subject: Subject::Machine,
        circuit: json["circuit"].as_str().unwrap_or_default().into(),
        date: date.into(),
        cases: format!(
            "{} programs of seed {}; {} of {} coverage items",
            grouped(number(&json["programs"])),
            json["seed"],
            grouped(items - missed),
            grouped(items)
        ),
        warp_instructions: units.map(|(unit, count)| (unit.clone(), number(count))).collect(),
    }
}

/// The record of an operation by the exhaustive checker.
fn exhaustive_record(operation: &Operation, state: &State, date: &str) -> Option<Record> {
    let kept: Vec<_> = operation
        .modes
        .iter()
        .filter_map(|mode| state.0.get(&mode.name).map(|checked| (mode, checked)))
        .collect();
    let (_, first) = kept.first()?;
    // Only the checks of one circuit count; checks of an earlier circuit are left out.
    let current: Vec<_> = kept
        .iter()
        .filter(|(_, checked)| checked.circuit == first.circuit)
        .collect();
    let checked: u64 = current
        .iter()
        .map(|(mode, checked)| checked.count(0, mode.count()))
        .sum();
    let whole = current
        .iter()
        .filter(|(mode, checked)| checked.count(0, mode.count()) == mode.count());
    let planned: u64 = operation.modes.iter().map(|mode| mode.count()).sum();
    let subject = if is_special(operation) {
        Subject::SpecialFunctionUnit
    } else {
        Subject::FloatLane
    };
    Some(Record {
        subject,
        circuit: first.circuit.clone(),
        date: date.into(),
        cases: format!(
            "{} of {} modes, {} of {} inputs",
            whole.count(),
            operation.modes.len(),
            grouped(checked),
            grouped(planned)
        ),
        warp_instructions: BTreeMap::new(),
    })
}

/// Adds the records in [`folder`] and the records of the exhaustive checker.
fn collect(records: &mut Records, date: &str) {
    let mut add = |name: String, mut record: Record| {
        // An unchanged record keeps its date.
        if let Some(before) = records.get(&name) {
            let date = std::mem::replace(&mut record.date, before.date.clone());
            if record != *before {
                record.date = date;
            }
        }
        records.insert(name, record);
    };
    if let Ok(entries) = std::fs::read_dir(folder()) {
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let record = if name.starts_with("fuzz-") {
                fuzz_record(&path, date)
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
            };
            add(name, record);
        }
    }
    let state = State::read(&root().join("baselines/exhaustive.json")).unwrap();
    for operation in plan() {
        if let Some(record) = exhaustive_record(&operation, &state, date) {
            add(record_of(&operation), record);
        }
    }
}

fn hashes() -> BTreeMap<Subject, String> {
    let hash = |subject: Subject| (subject, subject.hash().unwrap());
    Subject::ALL.into_iter().map(hash).collect()
}

#[test]
fn page_states_the_comparisons() {
    let file = root().join("baselines/conformance.toml");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let mut records: Records = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let path = root().join("docs/conformance.md");
    if let Ok(date) = std::env::var(RECORD) {
        collect(&mut records, &date);
        let text = toml::to_string(&records).unwrap();
        let head = "# What the circuits were compared with, and which circuits: see docs/conformance.md. Written by `make conformance`.\n\n";
        write_atomically(&file, &(head.to_owned() + &text)).unwrap();
        write_atomically(&path, &page(&records, &hashes())).unwrap();
    }
    let known: Vec<String> = CLASSES
        .iter()
        .flat_map(|class| class.checks)
        .map(|(name, _)| name.to_string())
        .chain(FUZZ.map(|(name, _)| name.to_string()))
        .chain(plan().iter().map(record_of))
        .collect();
    // Otherwise only the next `make conformance` would find a renamed proof, after its hours.
    let proofs = std::fs::read_to_string(root().join("hdl/tests/yosys/integer_proof.rs")).unwrap();
    let proofs = proofs
        .split("prove(\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let proofs: Vec<String> = proofs
        .map(|name| format!("integer-proof-{}", name.replace(' ', "-")))
        .collect();
    assert!(proofs.len() >= 10, "{proofs:?}");
    for name in records.keys().chain(&proofs) {
        assert!(known.contains(name), "{name} is recorded, but not on the page");
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        written,
        page(&records, &hashes()),
        "docs/conformance.md does not match the records and the current circuits: a circuit has changed, so run its \
         checks again with `make conformance`, or mark them as stale with `cargo xtask update conformance`"
    );
}

#[test]
fn checks_of_another_circuit_are_stale() {
    let record = |circuit: &str| Record {
        subject: Subject::Decode,
        circuit: circuit.into(),
        date: "2026-11-25".into(),
        cases: "all of them".into(),
        warp_instructions: BTreeMap::new(),
    };
    let hashes: BTreeMap<_, _> = Subject::ALL.map(|subject| (subject, "now".to_string())).into();
    let line = |records: &Records| {
        let page = page(records, &hashes);
        let line = page.lines().find(|line| line.contains("make prove-decode")).unwrap();
        line.to_string()
    };
    let with = |circuit| Records::from([("decode-proof".to_string(), record(circuit))]);
    assert!(line(&with("now")).ends_with("| all of them | 2026-11-25 | equal |"));
    assert!(line(&with("before")).contains("**stale**"));
    assert!(line(&Records::new()).ends_with("| | | not run |"));
}

#[test]
fn every_executed_instruction_has_a_class() {
    for row in ROWS.iter().filter(|row| row.executes()) {
        let classes = CLASSES.iter().filter(|class| class.unit == Some(row.unit));
        assert_eq!(classes.count(), 1, "{}", row.name);
    }
}
