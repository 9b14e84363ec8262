//! Integer functions for all types.

use crate::frontend::{self, run, Program};
use crate::{numbers, words, Integer, Random, ACCESS};
use std::fmt::Write;

type Reference = fn(Integer, i128, i128, i128) -> i128;

/// Returns the upper half of a product. The product of two `ulong` fits only unsigned 128-bit numbers.
pub fn high(ty: Integer, x: i128, y: i128) -> i128 {
    match x.checked_mul(y) {
        Some(product) => product >> ty.bits,
        None => (x.unsigned_abs().wrapping_mul(y.unsigned_abs()) >> ty.bits) as i128,
    }
}

/// Name, number of arguments and reference of each function. The result is wrapped to the type.
const FUNCTIONS: &[(&str, usize, Reference)] = &[
    ("abs", 1, |_, x, _, _| x.abs()),
    ("abs_diff", 2, |_, x, y, _| (x - y).abs()),
    ("add_sat", 2, |ty, x, y, _| ty.clamp(x + y)),
    ("hadd", 2, |_, x, y, _| (x + y) >> 1),
    ("rhadd", 2, |_, x, y, _| (x + y + 1) >> 1),
    ("clz", 1, |ty, x, _, _| {
        i128::from((x & ((1 << ty.bits) - 1)).leading_zeros() - (128 - ty.bits))
    }),
    ("mad_hi", 3, |ty, x, y, z| high(ty, x, y) + z),
    ("mad_sat", 3, |ty, x, y, z| {
        ty.clamp(x.saturating_mul(y).saturating_add(z))
    }),
    ("max", 2, |_, x, y, _| x.max(y)),
    ("min", 2, |_, x, y, _| x.min(y)),
    ("mul_hi", 2, |ty, x, y, _| high(ty, x, y)),
    ("rotate", 2, |ty, x, y, _| {
        let (x, count) = (x & ((1 << ty.bits) - 1), (y & i128::from(ty.bits - 1)) as u32);
        (x << count) | (x >> (ty.bits - count))
    }),
    ("sub_sat", 2, |ty, x, y, _| ty.clamp(x - y)),
    ("popcount", 1, |ty, x, _, _| {
        i128::from((x & ((1 << ty.bits) - 1)).count_ones())
    }),
    ("bitselect", 3, |_, x, y, z| (x & !z) | (y & z)),
    ("select", 3, |_, x, y, z| if z != 0 { y } else { x }),
];

#[test]
fn functions_work_for_every_type() {
    let Some(clang) = frontend::clang() else { return };
    let mut text = ACCESS.to_string();
    for ty in Integer::ALL {
        let (name, access) = (ty.name, ty.access());
        for (function, arguments, _) in FUNCTIONS {
            let call = ["x", "x, y", "x, y, z"][arguments - 1];
            writeln!(
                text,
                "kernel void {function}_{name}(global uint *out, global const uint *a, global const uint *b, \
                 global const uint *c) {{ uint i = get_global_id(0); {name} x = ({name})READ{access}(a), y = ({name})READ{access}(b), z = \
                 ({name})READ{access}(c); WRITE{access}(out, i, {function}({call})); }}"
            )
            .expect("writing to a string cannot fail");
        }
    }
    let kernels = Program::new(&clang, &text, "").kernels();
    const COUNT: usize = 256;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let inputs: [Vec<u64>; 3] = std::array::from_fn(|_| (0..COUNT).map(|_| random.number()).collect());
    let inputs_words = inputs.each_ref().map(|input| words(input));
    let slices: Vec<&[u32]> = inputs_words.iter().map(Vec::as_slice).collect();
    let mut faults = Vec::new();
    for ty in Integer::ALL {
        for (function, _, reference) in FUNCTIONS {
            let kernel = match &kernels[&format!("{function}_{}", ty.name)] {
                Ok(kernel) => kernel,
                Err(error) => {
                    faults.push(error.clone());
                    continue;
                }
            };
            let found = numbers(&run(kernel, COUNT, 2 * COUNT, &slices));
            for (at, found) in found.iter().enumerate() {
                let [x, y, z] = inputs.each_ref().map(|input| ty.wrap(input[at].into()));
                let unsigned = Integer { signed: false, ..ty };
                let result = if function.starts_with("abs") { unsigned } else { ty };
                let expected = result.wrap(reference(ty, x, y, z));
                if result.wrap((*found).into()) != expected {
                    faults.push(format!(
                        "{function}_{}({x}, {y}, {z}) = {found:#x}, not {expected:#x}",
                        ty.name
                    ));
                    break;
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Each element of a vector's result is the scalar's result.
#[test]
fn vectors_are_their_elements() {
    let Some(clang) = frontend::clang() else { return };
    let mut text = String::new();
    for n in [2, 3, 4, 8, 16] {
        writeln!(
            text,
            "kernel void vectors{n}(global uint *out, global const int *a) {{
                uint i = get_global_id(0);
                int{n} x = vload{n}(i, a), y = vload{n}(i + 1, a), z = vload{n}(i + 2, a);
                int{n} sum = mad_sat(x >> 8, y >> 9, z), zeros = clz(x), least = min(x, y), all_least = min(x, 77);
                int{n} chosen = select(x, y, z), greater = isgreater(convert_float{n}(x), convert_float{n}(y));
                uint{n} size = abs(x);
                uint wrong = 0;
                {}
                out[i] = wrong;
            }}",
            (0..n)
                .map(|k| format!(
                    "wrong |= (sum.s{k:x} != mad_sat(x.s{k:x} >> 8, y.s{k:x} >> 9, z.s{k:x})) << 0 | \
                     (zeros.s{k:x} != clz(x.s{k:x})) << 1 | (least.s{k:x} != min(x.s{k:x}, y.s{k:x})) << 2 | \
                     (all_least.s{k:x} != min(x.s{k:x}, 77)) << 3 | \
                     (chosen.s{k:x} != (z.s{k:x} < 0 ? y.s{k:x} : x.s{k:x})) << 4 | \
                     (greater.s{k:x} != -isgreater((float)x.s{k:x}, (float)y.s{k:x})) << 5 | \
                     (size.s{k:x} != abs(x.s{k:x})) << 6;\n"
                ))
                .collect::<String>()
        )
        .expect("writing to a string cannot fail");
    }
    let program = Program::new(&clang, &text, "");
    let mut random = Random(77);
    let input: Vec<u32> = (0..16 * 70).map(|_| random.number() as u32).collect();
    for n in [2, 3, 4, 8, 16] {
        let kernel = program.kernel(&format!("vectors{n}"));
        let found = run(&kernel, 64, 64, &[&input]);
        assert_eq!(
            found,
            vec![0; 64],
            "length {n}: each bit stands for a function that differs"
        );
    }
}
