//! Quotients, remainders and products of all pairs of special values of each width; for 8 bits, of all pairs of values.

use crate::frontend::{self, run, Program, GROUP};
use crate::integers::high;
use crate::{numbers, words, Integer, ACCESS};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Name, expression of `x`, `y`, `z` and of the type `T`, and reference, which returns `None` where the result is
/// undefined.
type Operation = (&'static str, &'static str, fn(Integer, [i128; 3]) -> Option<i128>);

/// Returns the operands of a quotient that is defined.
fn divided(ty: Integer, [x, y, _]: [i128; 3]) -> Option<(i128, i128)> {
    (y != 0 && x / y <= ty.most()).then_some((x, y))
}

const OPERATIONS: &[Operation] = &[
    ("quotient", "x / y", |ty, all| divided(ty, all).map(|(x, y)| x / y)),
    ("remainder", "x % y", |ty, all| divided(ty, all).map(|(x, y)| x % y)),
    // Unsigned overflow is defined, and the bits are the same.
    ("product", "(wide)x * (wide)y", |_, [x, y, _]| Some(x.wrapping_mul(y))),
    ("mul_hi", "mul_hi(x, y)", |ty, [x, y, _]| Some(high(ty, x, y))),
    ("mad_hi", "mad_hi(x, y, z)", |ty, [x, y, z]| Some(high(ty, x, y) + z)),
    ("mad_sat", "mad_sat(x, y, z)", |ty, [x, y, z]| {
        Some(ty.clamp(x.saturating_mul(y).saturating_add(z)))
    }),
    ("mul24", "mul24(x, y)", |ty, [x, y, _]| of_24_bits(ty, x, y)),
    ("mad24", "mad24(x, y, z)", |ty, [x, y, z]| {
        of_24_bits(ty, x, y).map(|product| product + z)
    }),
];

/// Returns the product of two 24-bit numbers; `None` if an operand does not fit.
fn of_24_bits(ty: Integer, x: i128, y: i128) -> Option<i128> {
    let narrow = Integer { bits: 24, ..ty };
    let fits = |number: i128| (narrow.least()..=narrow.most()).contains(&number);
    (fits(x) && fits(y)).then_some(x * y)
}

/// All 8-bit numbers; for wider types, numbers near 0 and near positive and negative powers of two, and both limits.
fn edges(ty: Integer) -> Vec<i128> {
    if ty.bits == 8 {
        return (ty.least()..=ty.most()).collect();
    }
    let all = cfg!(feature = "soak");
    // Limits of words, half words and significands.
    let some = [1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 53, 62, 63];
    let mut found = BTreeSet::from([0, 3, 10, 1000].map(|number| ty.wrap(number)));
    for power in (0..ty.bits).filter(|power| all || some.contains(power)) {
        for near in [-1, 0, 1] {
            found.insert(ty.wrap((1 << power) + near));
            found.insert(ty.wrap(-(1 << power) + near));
        }
    }
    found.extend([ty.least(), ty.most(), ty.wrap(-1), ty.wrap(-7)]);
    found.into_iter().collect()
}

#[test]
fn functions_work_for_pairs_of_edges() {
    let Some(clang) = frontend::clang() else { return };
    let mut text = ACCESS.to_string();
    let has = |ty: Integer, name: &str| ty.bits == 32 || !name.ends_with("24");
    for ty in Integer::ALL {
        let (name, access) = (ty.name, ty.access());
        let wide = if ty.bits == 64 { "ulong" } else { "uint" };
        for (operation, expression, _) in OPERATIONS.iter().filter(|(operation, ..)| has(ty, operation)) {
            let expression = expression.replace("wide", wide);
            writeln!(
                text,
                "kernel void {operation}_{name}(global uint *out, global const uint *a, global const uint *b, \
                 global const uint *c) {{ uint i = get_global_id(0); {name} x = ({name})READ{access}(a), \
                 y = ({name})READ{access}(b), z = ({name})READ{access}(c); \
                 WRITE{access}(out, i, ({name})({expression})); }}"
            )
            .expect("writing to a string cannot fail");
        }
    }
    let kernels = Program::new(&clang, &text, "").kernels();
    let mut faults = Vec::new();
    let mut compared = 0;
    for ty in Integer::ALL {
        let edges = edges(ty);
        let count = (edges.len() * edges.len()).next_multiple_of(GROUP);
        let operands: Vec<[i128; 3]> = (0..count)
            .map(|at| [at / edges.len(), at, at * 7 + at / edges.len()].map(|at| edges[at % edges.len()]))
            .collect();
        let column = |of: usize| words(&operands.iter().map(|all| all[of] as u64).collect::<Vec<_>>());
        let columns = [column(0), column(1), column(2)];
        let slices: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        for (operation, _, reference) in OPERATIONS.iter().filter(|(operation, ..)| has(ty, operation)) {
            let name = format!("{operation}_{}", ty.name);
            let kernel = match &kernels[&name] {
                Ok(kernel) => kernel,
                Err(error) => {
                    faults.push(error.clone());
                    continue;
                }
            };
            let found = numbers(&run(kernel, count, 2 * count, &slices));
            for (all, found) in operands.iter().zip(found) {
                let Some(expected) = reference(ty, *all).map(|expected| ty.wrap(expected)) else {
                    continue;
                };
                compared += 1;
                if ty.wrap(found.into()) != expected {
                    faults.push(format!("{name} of {all:?} = {found:#x}, not {expected:#x}"));
                    break;
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Most comparisons are six operations on all pairs of values of two 8-bit types.
    assert!(compared > 12 * 65_000, "{compared}");
}
