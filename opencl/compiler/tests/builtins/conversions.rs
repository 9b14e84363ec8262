//! Conversions between all types, in all rounding modes.

use crate::frontend::{self, run, Program};
use crate::{numbers, words, Integer, Random, ACCESS};
use std::fmt::Write;

const MODES: [&str; 5] = ["", "_rte", "_rtz", "_rtp", "_rtn"];

/// Rounds a number to an integer.
fn rounded(x: f64, mode: &str) -> f64 {
    match mode {
        "_rte" => x.round_ties_even(),
        "_rtp" => x.ceil(),
        "_rtn" => x.floor(),
        _ => x.trunc(),
    }
}

/// Returns the next float above or below a float that is not 0.
fn beside(x: f32, above: bool) -> f32 {
    let away = (x > 0.0) == above;
    f32::from_bits(if away { x.to_bits() + 1 } else { x.to_bits() - 1 })
}

/// Converts an integer to a float.
fn to_float(x: i128, mode: &str) -> f32 {
    let nearest = x as f32;
    let exact = nearest as i128;
    let (below, above) = match exact.cmp(&x) {
        std::cmp::Ordering::Equal => return nearest,
        std::cmp::Ordering::Less => (nearest, beside(nearest, true)),
        std::cmp::Ordering::Greater => (beside(nearest, false), nearest),
    };
    match mode {
        "_rtz" => {
            if x < 0 {
                above
            } else {
                below
            }
        }
        "_rtp" => above,
        "_rtn" => below,
        _ => nearest,
    }
}

#[test]
fn conversions_work_between_all_types() {
    let Some(clang) = frontend::clang() else { return };
    const COUNT: usize = 256;
    let mut names: Vec<&str> = Integer::ALL.iter().map(|ty| ty.name).collect();
    names.push("float");
    let mut text = ACCESS.to_string();
    let type_of = |name: &str| Integer::ALL.into_iter().find(|ty| ty.name == name);
    let access = |name: &str| type_of(name).map_or("", Integer::access);
    for from in &names {
        for to in &names {
            let read = if *from == "float" {
                "as_float((uint)READ(a))".to_string()
            } else {
                format!("({from})READ{}(a)", access(from))
            };
            write!(
                text,
                "kernel void {from}_{to}(global uint *out, global const uint *a) {{ uint i = get_global_id(0); {from} x = {read};"
            )
            .expect("writing to a string cannot fail");
            for (at, mode) in MODES.iter().enumerate() {
                let write = |suffix: &str, at: usize| {
                    let value = format!("convert_{to}{suffix}{mode}(x)");
                    let value = if *to == "float" {
                        format!("as_uint({value})")
                    } else {
                        value
                    };
                    format!(" WRITE{}(out, {} + i, {value});", access(to), at * COUNT)
                };
                text.push_str(&write("", at));
                if *to != "float" {
                    text.push_str(&write("_sat", at + MODES.len()));
                }
            }
            text.push_str(" }\n");
        }
    }
    let kernels = Program::new(&clang, &text, "").kernels();
    let mut random = Random(0x1234_5678_9abc_def1);
    let integers: Vec<u64> = (0..COUNT).map(|_| random.number()).collect();
    let floats: Vec<u64> = (0..COUNT)
        .map(|at| {
            let bits = random.bits();
            let float = match at % 4 {
                0 => f32::from_bits(bits as u32),
                1 => (bits as i64 >> (bits & 63)) as f32,
                _ => (bits as i32 >> (bits >> 32 & 31)) as f32 / 4.0,
            };
            float.to_bits().into()
        })
        .collect();
    let mut faults = Vec::new();
    for from in &names {
        let input = if *from == "float" { &floats } else { &integers };
        for to in &names {
            let kernel = match &kernels[&format!("{from}_{to}")] {
                Ok(kernel) => kernel,
                Err(error) => {
                    faults.push(error.clone());
                    continue;
                }
            };
            let found = numbers(&run(kernel, COUNT, 4 * MODES.len() * COUNT, &[&words(input)]));
            for (place, found) in found.iter().enumerate() {
                let (index, at) = (place / COUNT, place % COUNT);
                let (mode, saturated) = (MODES[index % MODES.len()], index >= MODES.len());
                let bits = input[at];
                let expected = match (type_of(from), type_of(to)) {
                    (Some(from), Some(to)) => {
                        let x = from.wrap(bits.into());
                        to.wrap(if saturated { to.clamp(x) } else { x })
                    }
                    (None, Some(to)) => {
                        let x = f32::from_bits(bits as u32);
                        let x = if x.is_subnormal() { 0.0 } else { f64::from(x) };
                        // An i128 can represent all results; a NaN is converted to 0.
                        let exact = rounded(x, mode) as i128;
                        if !saturated && (x.is_nan() || to.clamp(exact) != exact) {
                            continue;
                        }
                        to.clamp(exact)
                    }
                    (Some(from), None) if !saturated => to_float(from.wrap(bits.into()), mode).to_bits().into(),
                    (None, None) if !saturated => bits.into(),
                    _ => continue,
                };
                let found = type_of(to).map_or(i128::from(*found as u32), |to| to.wrap((*found).into()));
                if found != expected {
                    let suffix = if saturated { "_sat" } else { "" };
                    faults.push(format!(
                        "convert_{to}{suffix}{mode}({from} {bits:#x}) = {found:#x}, not {expected:#x}"
                    ));
                    break;
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
