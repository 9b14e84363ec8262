//! The integer functions against the G80's vectors, line by line.
//!
//! The vectors are not part of the repository: `FLEXGRIP_SHARED` names their place, by default `../shared` beside the
//! workspace. An operation in the file that this test does not know is a failure, not a skip.

use flexgrip_arith::integer::{iadd, imad, shl, shr, Product, Sum};
use flexgrip_arith::{Cc, Flagged, Width};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn shared() -> PathBuf {
    std::env::var_os("FLEXGRIP_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")))
}

/// A hexadecimal column; `-` is a column that the operation does not have.
fn number(text: &str) -> u32 {
    match text {
        "-" => 0,
        hex => u32::from_str_radix(hex, 16).unwrap_or_else(|_| panic!("not a number: {hex}")),
    }
}

fn sum(name: &str) -> Option<Sum> {
    Some(match name {
        "add" => Sum::Add,
        "sub" => Sum::Subtract,
        "subr" => Sum::ReverseSubtract,
        "addc" => Sum::AddCarry,
        _ => return None,
    })
}

fn product(name: &str) -> Option<Product> {
    Some(match name {
        "u16" => Product::U16,
        "s16" => Product::S16,
        "sat.s16" => Product::SatS16,
        "u24" => Product::U24,
        "s24" => Product::S24,
        "sat.s24" => Product::SatS24,
        "hi.u24" => Product::HiU24,
        "hi.s24" => Product::HiS24,
        "hi.sat.s24" => Product::HiSatS24,
        _ => return None,
    })
}

/// The result of one line's operation, or None if its name is not known.
fn evaluate(operation: &str, a: u32, b: u32, c: u32, cc: Cc) -> Option<Flagged> {
    let (head, rest) = operation.split_once('.')?;
    match head {
        "iadd" => {
            let (rest, width) = rest.rsplit_once('.')?;
            let width = match width {
                "b16" => Width::B16,
                "b32" => Width::B32,
                _ => return None,
            };
            let (name, saturate) = rest.strip_suffix(".sat").map_or((rest, false), |name| (name, true));
            // The vectors keep the instruction's operand places: an addition has sources 1 and 3.
            Some(iadd(sum(name)?, width, saturate, a, c, cc.carry()))
        }
        "imad" => {
            let (kind, name) = rest.rsplit_once('.')?;
            Some(imad(product(kind)?, sum(name)?, a, b, c, cc.carry()))
        }
        "shl" => match rest {
            "b16" => Some(shl(Width::B16, a, b)),
            "b32" => Some(shl(Width::B32, a, b)),
            _ => None,
        },
        "shr" => match rest {
            "u16" => Some(shr(Width::B16, false, a, b)),
            "s16" => Some(shr(Width::B16, true, a, b)),
            "u32" => Some(shr(Width::B32, false, a, b)),
            "s32" => Some(shr(Width::B32, true, a, b)),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn integer_vectors() {
    let path = shared().join("vectors/int.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let mut lines = 0;
    let mut failures: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [operation, a, b, c, cc_in, result, cc_out] = columns[..] else {
            panic!("{}: seven columns expected: {line}", path.display());
        };
        lines += 1;
        let want = Flagged {
            value: number(result),
            cc: Cc::from_bits(number(cc_out) as u8),
        };
        let cc_in = Cc::from_bits(number(cc_in) as u8);
        let got = evaluate(operation, number(a), number(b), number(c), cc_in);
        if got != Some(want) {
            let got = got.map_or("unknown".into(), |got| format!("{:08x} {:x}", got.value, got.cc.bits()));
            failures
                .entry(operation.into())
                .or_default()
                .push(format!("{line}   got {got}"));
        }
    }
    assert!(lines > 0, "{} holds no vectors", path.display());
    for (operation, lines) in &failures {
        eprintln!("{operation}: {} lines differ, the first: {}", lines.len(), lines[0]);
    }
    assert!(
        failures.is_empty(),
        "{} operations differ from the vectors",
        failures.len()
    );
    println!("{lines} integer vectors agree");
}
