//! The special functions' coefficients against the specification's data, from which their source is generated.
//!
//! The data is not part of the repository: `FLEXGRIP_SHARED` gives its location, by default `../shared` next to the
//! workspace. With `FLEXGRIP_UPDATE` set, `src/special/tables.rs` is written instead of compared:
//! `cargo xtask update tables`.

use std::fmt::Write;
use std::path::Path;

/// For each table, its name in the data, its name here, and its description.
const TABLES: [(&str, &str, &str); 5] = [
    (
        "rcp",
        "RCP",
        "`1 / m` for significands `m` in [1, 2): index is fraction bits 22..16.",
    ),
    (
        "rsqrt",
        "RSQ",
        "`1 / sqrt(m)` for `m` in [1, 4): index is the exponent's lowest bit, then fraction bits 22..17.",
    ),
    (
        "lg2",
        "LG2",
        "`log2(m)` for `m` in [1, 2): index is fraction bits 22..17.",
    ),
    (
        "sin",
        "SIN",
        "`sin(pi/2 * f)` for `f` in [0, 1): index is fraction bits 22..17.",
    ),
    ("ex2", "EX2", "`2^f` for `f` in [0, 1): index is fraction bits 22..17."),
];

const HEAD: &str = "\
//! The coefficients of the special functions, as they were read from the silicon of a G80.
//!
//! Rows are in the order of the segments, lowest first. The [parent](super) module describes their use. The test
//! `tests/tables.rs` generates this file from the specification's data.

/// One segment of a quadratic: `a + b*x + c*x^2`, each coefficient with its own unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The value at the start of the segment: 26 bits, never negative.
    pub a: u32,
    /// The slope: 16 bits and a sign.
    pub b: i32,
    /// The curvature: 11 bits and a sign.
    pub c: i32,
}

const fn row(a: u32, b: i32, c: i32) -> Segment {
    Segment { a, b, c }
}
";

fn rendered(data: &serde_json::Value) -> String {
    let mut text = HEAD.to_string();
    let tables = data["tables"].as_object().expect("tables by name");
    assert_eq!(tables.len(), TABLES.len(), "another table: {:?}", tables.keys());
    for (key, name, of) in TABLES {
        let rows = tables[key].as_array().expect("rows");
        writeln!(
            text,
            "\n/// {of}\n#[rustfmt::skip]\npub static {name}: [Segment; {}] = [",
            rows.len()
        )
        .unwrap();
        for row in rows {
            let coefficients: Vec<i64> = row
                .as_array()
                .expect("a row")
                .iter()
                .map(|n| n.as_i64().expect("an integer"))
                .collect();
            let [a, b, c] = coefficients[..] else {
                panic!("{key}: three coefficients expected: {row}");
            };
            writeln!(text, "    row({a}, {b}, {c}),").unwrap();
        }
        text.push_str("];\n");
    }
    text
}

#[test]
fn tables_are_those_of_the_specification() {
    let shared = flexgrip_skip::shared();
    let path = shared.join("spec/g80_sfu_tables.json");
    let Ok(json) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let text = rendered(&serde_json::from_str(&json).expect("JSON"));
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/special/tables.rs"));
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        std::fs::write(source, &text).expect("the source is writable");
    }
    let committed = std::fs::read_to_string(source).expect("the source");
    let difference = committed
        .lines()
        .zip(text.lines())
        .position(|(is, should)| is != should);
    assert_eq!(
        difference.map(|line| line + 1),
        None,
        "{} differs in this line",
        source.display()
    );
    assert_eq!(committed.len(), text.len(), "{} has another length", source.display());
}
