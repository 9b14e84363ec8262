//! The functions against the G80's vectors, line by line.
//!
//! The vectors are not part of the repository: `FLEXGRIP_SHARED` gives their location, by default `../shared` next to
//! the workspace. Every file of its folders `vectors` and `silicon` is read, by the names in its first line. A file,
//! column or operation that this test does not know is a failure, not a skip.

use flexgrip_arith::convert::{f2f, f2i, i2f, Float};
use flexgrip_arith::float::{compare, fadd, fmad, fmax, fmin, fmul, fset, FloatOrder, Rounding, Sign};
use flexgrip_arith::integer::{iadd, imad, isad, shl, shr, Integer, Product, Sum};
use flexgrip_arith::special::{cos, ex2, lg2, rcp, rro_ex2, rro_sin, rsq, sin};
use flexgrip_arith::{Cc, Flagged, Width};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// One line of a file. An absent column is 0, or `None` where 0 would have another meaning.
#[derive(Default)]
struct Vector {
    operation: String,
    sources: [u32; 3],
    cc_in: Cc,
    result: u32,
    cc_out: Option<Cc>,
}

/// The lines of a file, each with its text.
fn vectors(path: &Path, text: &str) -> Vec<(String, Vector)> {
    let place = |line: usize| format!("{}:{}", path.display(), line + 1);
    let mut lines = text.lines().enumerate();
    let (_, names) = lines
        .next()
        .unwrap_or_else(|| panic!("{}: no first line", path.display()));
    let names: Vec<&str> = names.split('\t').collect();
    assert!(
        names.contains(&"op") && names.contains(&"result"),
        "{}: {names:?}",
        place(0)
    );
    let read = |(number, line): (usize, &str)| {
        let columns: Vec<&str> = line.split('\t').collect();
        assert_eq!(columns.len(), names.len(), "{}: columns", place(number));
        let mut vector = Vector::default();
        for (name, &column) in names.iter().zip(&columns) {
            if *name == "op" {
                vector.operation = column.into();
                continue;
            }
            let bits = (column != "-").then(|| {
                u32::from_str_radix(column, 16).unwrap_or_else(|_| panic!("{}: not a number: {column}", place(number)))
            });
            let cc = bits.map(|bits| Cc::from_bits(bits as u8));
            match *name {
                "src" | "src1" => vector.sources[0] = bits.unwrap_or(0),
                "src2" => vector.sources[1] = bits.unwrap_or(0),
                "src3" => vector.sources[2] = bits.unwrap_or(0),
                "cc_in" => vector.cc_in = cc.unwrap_or_default(),
                "result" => vector.result = bits.unwrap_or_else(|| panic!("{}: no result", place(number))),
                // The rest of the column's name describes the notation of its bits.
                name if name.starts_with("cc_out") => vector.cc_out = cc,
                name => panic!("{}: a column {name}", place(0)),
            }
        }
        (line.to_string(), vector)
    };
    lines.map(read).collect()
}

fn width(name: &str) -> Option<Width> {
    match name {
        "b16" => Some(Width::B16),
        "b32" => Some(Width::B32),
        _ => None,
    }
}

fn integer(name: &str) -> Option<Integer> {
    Some(match name {
        "u8" => Integer::U8,
        "u16" => Integer::U16,
        "u32" => Integer::U32,
        "s8" => Integer::S8,
        "s16" => Integer::S16,
        "s32" => Integer::S32,
        _ => return None,
    })
}

fn float(name: &str) -> Option<Float> {
    match name {
        "f16" => Some(Float::F16),
        "f32" => Some(Float::F32),
        _ => None,
    }
}

fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "rn" => Rounding::Nearest,
        "rm" => Rounding::Down,
        "rp" => Rounding::Up,
        "rz" => Rounding::Zero,
        _ => return None,
    })
}

/// The value of an operation without a condition code.
fn bare(value: u32) -> (u32, Option<Cc>) {
    (value, None)
}

fn coded(result: Flagged) -> (u32, Option<Cc>) {
    (result.value, Some(result.cc))
}

/// The outcome of a comparison, numbered as in a condition code: greater, equal, less, unordered. It is derived from
/// FSET with all sixteen sets of outcomes; `None` if they contradict each other.
fn found(a: u32, b: u32) -> Option<u32> {
    let (bit, number) = match compare(a, b) {
        Some(Ordering::Less) => (1, 2),
        Some(Ordering::Equal) => (2, 1),
        Some(Ordering::Greater) => (4, 0),
        None => (8, 3),
    };
    let as_one = (0..16u32).all(|set| {
        let truth = set & bit != 0;
        let want = Flagged {
            value: if truth { u32::MAX } else { 0 },
            cc: Cc::of_set(truth),
        };
        fset(FloatOrder::from_bits(set), a, b) == want
    });
    as_one.then_some(number)
}

/// The result of one line's operation, or None if its name is not known.
fn evaluate(vector: &Vector) -> Option<(u32, Option<Cc>)> {
    let [a, b, c] = vector.sources;
    let parts: Vec<&str> = vector.operation.split('.').collect();
    Some(match parts[..] {
        // The vectors have the operands at the instruction's source numbers: an addition has sources 1 and 3.
        ["iadd", name, width_name] => coded(iadd(sum(name)?, width(width_name)?, false, a, c, vector.cc_in.carry())),
        ["iadd", name, "sat", width_name] => {
            coded(iadd(sum(name)?, width(width_name)?, true, a, c, vector.cc_in.carry()))
        }
        ["imad", ref kind @ .., name] => coded(imad(
            product(&kind.join("."))?,
            sum(name)?,
            a,
            b,
            c,
            vector.cc_in.carry(),
        )),
        ["isad", "u16"] => coded(isad(Width::B16, false, a, b, c)),
        ["isad", "s16"] => coded(isad(Width::B16, true, a, b, c)),
        ["isad", "u32"] => coded(isad(Width::B32, false, a, b, c)),
        ["isad", "s32"] => coded(isad(Width::B32, true, a, b, c)),
        ["shl", name] => coded(shl(width(name)?, a, b)),
        ["shr", "u16"] => coded(shr(Width::B16, false, a, b)),
        ["shr", "s16"] => coded(shr(Width::B16, true, a, b)),
        ["shr", "u32"] => coded(shr(Width::B32, false, a, b)),
        ["shr", "s32"] => coded(shr(Width::B32, true, a, b)),

        ["fadd"] => coded(fadd(Rounding::Nearest, false, a, c)),
        ["fadd", "trunc"] => coded(fadd(Rounding::Zero, false, a, c)),
        ["fadd", "sat"] => coded(fadd(Rounding::Nearest, true, a, c)),
        ["fadd", "sat", "trunc"] => coded(fadd(Rounding::Zero, true, a, c)),
        ["fmul"] => coded(fmul(Rounding::Nearest, a, b)),
        ["fmul", "trunc"] => coded(fmul(Rounding::Zero, a, b)),
        ["fmad"] => coded(fmad(false, a, b, c)),
        ["fmad", "sat"] => coded(fmad(true, a, b, c)),
        ["fmin"] => coded(fmin(a, b)),
        ["fmax"] => coded(fmax(a, b)),
        ["fcmp(0=gt,1=eq,2=lt,3=un)"] => bare(found(a, b)?),

        // No line has a sign.
        ["f2f", to, from] if to == from => {
            // Nothing is rounded.
            coded(f2f(
                float(from)?,
                float(to)?,
                Sign::PLAIN,
                Rounding::Nearest,
                false,
                false,
                a,
            ))
        }
        ["f2f", to, from, "rint", mode] => coded(f2f(
            float(from)?,
            float(to)?,
            Sign::PLAIN,
            rounding(mode)?,
            true,
            false,
            a,
        )),
        ["f2i", to, from, mode] => {
            let (width, signed) = match to {
                "u16" => (Width::B16, false),
                "s16" => (Width::B16, true),
                "u32" => (Width::B32, false),
                "s32" => (Width::B32, true),
                _ => return None,
            };
            coded(f2i(float(from)?, width, signed, Sign::PLAIN, rounding(mode)?, a))
        }
        ["i2f", to, from, mode] => coded(i2f(integer(from)?, float(to)?, Sign::PLAIN, rounding(mode)?, false, a)),

        ["rcp"] => bare(rcp(a)),
        ["rsq"] => bare(rsq(a)),
        ["lg2"] => bare(lg2(a)),
        ["rro", "sin"] => bare(rro_sin(a)),
        ["rro", "ex2"] => bare(rro_ex2(a)),
        ["sin"] => bare(sin(a)),
        ["cos"] => bare(cos(a)),
        ["ex2"] => bare(ex2(false, a)),
        _ => return None,
    })
}

#[test]
fn vectors_match_the_silicon() {
    check_folder("vectors");
}

/// Tests cases at the edge of a rule, which decided between two readings of the rule.
#[test]
fn edge_cases_match_the_silicon() {
    check_folder("silicon");
}

fn check_folder(name: &str) {
    let folder = flexgrip_skip::shared().join(name);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: no {}", folder.display());
        return;
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut failures: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in &paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        assert!(name.ends_with(".tsv"), "{}: not a file of vectors", path.display());
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let vectors = vectors(path, &text);
        assert!(!vectors.is_empty(), "{} has no vectors", path.display());
        for (line, vector) in &vectors {
            let got = evaluate(vector);
            let agrees = got.is_some_and(|(value, cc)| {
                // A line only has a condition code if its operation has one.
                value == vector.result && (vector.cc_out.is_none() || vector.cc_out == cc)
            });
            if !agrees {
                let got = got.map_or("unknown".into(), |(value, cc)| {
                    format!("{value:08x} {}", cc.map_or("-".into(), |cc| format!("{:x}", cc.bits())))
                });
                let list = failures.entry(vector.operation.clone()).or_default();
                list.push(format!("{name}: {line}   got {got}"));
            }
        }
        println!("{name}: {} vectors", vectors.len());
    }
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    for (operation, lines) in &failures {
        eprintln!("{operation}: {} lines differ, the first: {}", lines.len(), lines[0]);
    }
    assert!(
        failures.is_empty(),
        "{} operations differ from the vectors",
        failures.len()
    );
}
