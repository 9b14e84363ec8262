//! Arithmetic of compute capability 1.1 to 1.3 against the vectors of `FLEXGRIP_SHARED`, line by line: `f64.tsv` for
//! doubles, `atomics.tsv` for atomic operations. They are not part of the repository. An operation or suffix that this
//! test does not know is a failure, not a skip.

use flexgrip_arith::atomic::{atomic32, atomic64, Atomic32, Atomic64};
use flexgrip_arith::double::convert::{
    f2f, f2f_from_single, f2f_to_single, f2i, f2i_from_single, i2f, i2f_to_single, WideInteger,
};
use flexgrip_arith::double::{dadd, dfma, dmax, dmin, dmul, dset};
use flexgrip_arith::float::{FloatOrder, Rounding, Sign};
use flexgrip_arith::{Cc, Flagged};

/// Reads a file with the columns `names`, and compares the result of `evaluate` for each line with its last columns, as
/// text. `None` means an unknown operation.
fn check(file: &str, names: &str, evaluate: fn(&[&str]) -> Option<Vec<String>>) {
    let path = flexgrip_skip::shared().join("capability").join(file);
    if !path.exists() {
        println!("skipped: no {}", path.display());
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines();
    assert_eq!(
        lines.next().map(|line| line.replace('\t', " ")).as_deref(),
        Some(names),
        "{file}"
    );
    let mut count = 0;
    let mut different = Vec::new();
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        assert_eq!(columns.len(), names.split(' ').count(), "{file}: {line}");
        match evaluate(&columns) {
            None => different.push(format!("{line}: unknown")),
            Some(got) if got != columns[4..][..got.len()] => different.push(format!("{line}: {}", got.join(" "))),
            Some(_) => count += 1,
        }
    }
    assert!(
        different.is_empty(),
        "{} lines differ, first: {}",
        different.len(),
        different[0]
    );
    assert!(count > 0, "{file} has no vectors");
    println!("{file}: {count} vectors");
}

#[test]
fn vectors_of_doubles_agree() {
    check("f64.tsv", "op src1 src2 src3 result cc note", double);
}

#[test]
fn vectors_of_atomics_agree() {
    check("atomics.tsv", "op memory src2 src3 memory_after returned", atomic);
}

/// The value of a column, 0 if the operation does not have it.
fn word(column: &str) -> Option<u64> {
    match column {
        "-" => Some(0),
        _ => u64::from_str_radix(column, 16).ok(),
    }
}

/// New value of the memory operand, and the old one, which is returned.
fn atomic(columns: &[&str]) -> Option<Vec<String>> {
    let (name, kind) = columns[0].split_once('.')?;
    let [memory, b, c] = [word(columns[1])?, word(columns[2])?, word(columns[3])?];
    let number = [
        "iadd", "exch", "cas", "", "inc", "dec", "imax", "imin", "", "", "iand", "ior", "ixor",
    ]
    .iter()
    .position(|&known| known == name)? as u32;
    let (digits, new) = match kind {
        "s64" => (16, atomic64(Atomic64::from_bits(number)?, memory, b, c)),
        "s32" | "u32" => {
            let operation = Atomic32::from_bits(number, kind == "s32")?;
            (8, atomic32(operation, memory as u32, b as u32, c as u32).into())
        }
        _ => return None,
    };
    Some([new, memory].map(|word| format!("{word:0digits$x}")).to_vec())
}

/// Removes a suffix from the list, if it is there.
fn take(suffixes: &mut Vec<&str>, name: &str) -> bool {
    let before = suffixes.len();
    suffixes.retain(|&suffix| suffix != name);
    suffixes.len() < before
}

fn take_sign(suffixes: &mut Vec<&str>, source: &str) -> Sign {
    Sign {
        absolute: take(suffixes, &format!("abs{source}")),
        negate: take(suffixes, &format!("neg{source}")),
    }
}

fn take_rounding(suffixes: &mut Vec<&str>) -> Option<Rounding> {
    let modes = [
        ("rn", Rounding::Nearest),
        ("rm", Rounding::Down),
        ("rp", Rounding::Up),
        ("rz", Rounding::Zero),
    ];
    modes
        .into_iter()
        .find_map(|(name, mode)| take(suffixes, name).then_some(mode))
}

fn long(result: Flagged<u64>) -> Vec<String> {
    vec![format!("{:016x}", result.value), code(result.cc)]
}

fn short(value: u32, cc: Cc) -> Vec<String> {
    vec![format!("{value:08x}"), code(cc)]
}

fn code(cc: Cc) -> String {
    format!("{:x}", cc.bits())
}

/// Result and condition code.
fn double(columns: &[&str]) -> Option<Vec<String>> {
    let mut suffixes: Vec<&str> = columns[0].split('.').collect();
    let name = suffixes.remove(0);
    let words = [word(columns[1])?, word(columns[2])?, word(columns[3])?];
    let result = match name {
        "f2f" | "f2i" | "i2f" => conversion(name, &mut suffixes, words[0])?,
        _ => arithmetic(name, &mut suffixes, words)?,
    };
    suffixes.is_empty().then_some(result)
}

/// The operands are at the instruction's source numbers: an addition has sources 1 and 3.
fn arithmetic(name: &str, suffixes: &mut Vec<&str>, words: [u64; 3]) -> Option<Vec<String>> {
    let signs = ["1", "2", "3"].map(|source| take_sign(suffixes, source));
    let [a, b, c] = [0, 1, 2].map(|source| signs[source].apply_double(words[source]));
    Some(match name {
        "dfma" => long(dfma(take_rounding(suffixes)?, a, b, c)),
        "dadd" => long(dadd(take_rounding(suffixes)?, a, c)),
        "dmul" => long(dmul(take_rounding(suffixes)?, a, b)),
        "dmin" => long(dmin(a, b)),
        "dmax" => long(dmax(a, b)),
        "dset" => {
            let name = suffixes.pop()?;
            let number = ORDERS.iter().position(|&known| known == name)? as u32;
            let Flagged { value, cc } = dset(FloatOrder::from_bits(number), a, b);
            short(value, cc)
        }
        _ => return None,
    })
}

/// The names of the comparisons, by the bits less (1), equal (2), greater (4) and unordered (8).
const ORDERS: [&str; 16] = [
    "false", "lt", "eq", "le", "gt", "ne", "ge", "leg", "nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "true",
];

fn integer(name: &str) -> Option<WideInteger> {
    Some(match name {
        "u32" => WideInteger::U32,
        "s32" => WideInteger::S32,
        "u64" => WideInteger::U64,
        "s64" => WideInteger::S64,
        _ => return None,
    })
}

fn conversion(name: &str, suffixes: &mut Vec<&str>, a: u64) -> Option<Vec<String>> {
    let sign = take_sign(suffixes, "");
    let integral = take(suffixes, "int");
    let rounding = take_rounding(suffixes);
    let types: Vec<&str> = std::mem::take(suffixes);
    Some(match (name, types.as_slice()) {
        ("f2f", ["f64", "f32"]) if !integral => long(f2f_from_single(sign, a as u32)),
        ("f2f", ["f32", "f64"]) if !integral => {
            let Flagged { value, cc } = f2f_to_single(sign, rounding?, a);
            short(value, cc)
        }
        ("f2f", ["f64", "f64"]) if integral == rounding.is_some() => long(f2f(sign, rounding, a)),
        ("f2i", [to @ ("u32" | "s32"), "f64"]) => {
            let Flagged { value, cc } = f2i(integer(to)?, sign, rounding?, a);
            short(value.try_into().ok()?, cc)
        }
        ("f2i", [to, "f64"]) => long(f2i(integer(to)?, sign, rounding?, a)),
        ("f2i", [to @ ("u64" | "s64"), "f32"]) => long(f2i_from_single(*to == "s64", sign, rounding?, a as u32)),
        ("i2f", ["f64", from]) => long(i2f(integer(from)?, sign, rounding?, a)),
        ("i2f", ["f32", from @ ("u64" | "s64")]) => {
            let Flagged { value, cc } = i2f_to_single(*from == "s64", sign, rounding?, a);
            short(value, cc)
        }
        _ => return None,
    })
}
