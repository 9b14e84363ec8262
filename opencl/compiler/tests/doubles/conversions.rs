//! Explicit conversions, with rounding modes and saturation; vectors, and doubles in memory.

use crate::arithmetic::inputs;
use crate::frontend::{self, Program};
use crate::{kernel, kernels, results, words};
use flexgrip_compiler::Capability;

/// Rounds a number to an integer. `None` beyond 2^100.
fn rounded(x: f64, mode: &str) -> Option<i128> {
    let whole = match mode {
        "_rte" => x.round_ties_even(),
        "_rtp" => x.ceil(),
        "_rtn" => x.floor(),
        _ => x.trunc(),
    };
    (whole.abs() < 2f64.powi(100)).then_some(whole as i128)
}

#[test]
fn doubles_become_integers() {
    let (x, y, z, n) = inputs(0x7777_1234_9abc);
    for (name, bits, signed) in [
        ("char", 8, true),
        ("uchar", 8, false),
        ("short", 16, true),
        ("ushort", 16, false),
        ("int", 32, true),
        ("uint", 32, false),
        ("long", 64, true),
        ("ulong", 64, false),
    ] {
        let least = if signed { -(1i128 << (bits - 1)) } else { 0 };
        let most = (1i128 << (bits - u32::from(signed))) - 1;
        let modes = ["", "_rte", "_rtz", "_rtp", "_rtn"].map(|mode| [(mode, ""), (mode, "_sat")]);
        let functions = modes.concat();
        let function = |(mode, saturated)| format!("convert_{name}{saturated}{mode}");
        let body = |&of| format!("r = (ulong)(long){}(x);", function(of));
        let Some(kernels) = kernels(&functions.iter().map(body).collect::<Vec<_>>(), "") else {
            return;
        };
        for (&(mode, saturated), kernel) in functions.iter().zip(kernels) {
            for (&x, found) in x.iter().zip(results(&kernel, &x, &y, &z, &n)) {
                let number = rounded(x, mode).unwrap_or(if x > 0.0 { i128::MAX } else { i128::MIN });
                let expected = match x.is_nan() {
                    true => 0,
                    false => number.clamp(least, most),
                };
                if !saturated.is_empty() || (expected == number && !x.is_nan()) {
                    assert_eq!(found, expected as i64 as u64, "{}({x:e})", function((mode, saturated)));
                }
            }
        }
    }
}

/// Rounds a double to a float.
fn single(x: f64, mode: &str) -> f32 {
    let nearest = x as f32;
    let (near, up) = (f64::from(nearest), mode == "_rtp" || mode == "_rtz" && x < 0.0);
    match mode {
        "" | "_rte" => nearest,
        _ if near == x || x.is_nan() => nearest,
        _ if up && near < x => next_up(nearest),
        _ if !up && near > x => -next_up(-nearest),
        _ => nearest,
    }
}

fn next_up(x: f32) -> f32 {
    match x {
        0.0 => f32::from_bits(1),
        x if x > 0.0 => f32::from_bits(x.to_bits() + 1),
        x => f32::from_bits(x.to_bits() - 1),
    }
}

#[test]
fn doubles_become_floats_and_longs_doubles() {
    let (x, y, z, n) = inputs(0x5555_1234_9abc);
    for mode in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
        let body = format!("r = as_uint(convert_float{mode}(x));");
        let Some(kernel) = kernel(&body, "") else { return };
        for (&x, found) in x.iter().zip(results(&kernel, &x, &y, &z, &n)) {
            let (found, expected) = (f32::from_bits(found as u32), single(x, mode));
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "convert_float{mode}({x:e}): {found:e}; expected {expected:e}");
        }
    }
    for (name, unsigned) in [("long", false), ("ulong", true)] {
        for mode in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
            let body = format!("r = as_ulong(convert_double{mode}(({name})n));");
            let kernel = kernel(&body, "").expect("clang is there");
            for (&n, found) in n.iter().zip(results(&kernel, &x, &y, &z, &n)) {
                let exact = if unsigned { i128::from(n as u64) } else { i128::from(n) };
                let found = f64::from_bits(found);
                let rest = exact - found as i128;
                // A unit in the last place of the number.
                let unit = 1i128 << (128 - exact.unsigned_abs().leading_zeros()).saturating_sub(53);
                let right = match mode {
                    "_rtp" => -unit < rest && rest <= 0,
                    "_rtn" => (0..unit).contains(&rest),
                    "_rtz" => rest.abs() < unit && (rest == 0 || (rest > 0) == (exact > 0)),
                    _ => found == exact as f64,
                };
                assert!(right, "convert_double{mode}(({name}){n}): {found:e}");
            }
        }
    }
}

/// Each element of a vector's result is the scalar's result, for all lengths. Both words of a double are moved by
/// vloadn and vstoren, shuffles, local memory, private arrays, functions and structs.
#[test]
fn vectors_of_doubles_move_through_memories() {
    let text = "
typedef struct { int a; double b; double2 c; } Three;
double2 __attribute__((noinline)) turned(double2 x, Three t) { return (double2)(x.y + t.b, x.x - t.c.y); }
constant double TABLE[4] = { 0.1, 2.0, -3.5, 1e300 };
#define EACH(N) \\
kernel void k##N(global double *out, global const double *a, global const double *b) { \\
    uint i = get_global_id(0); \\
    double##N x = vload##N(i, a), y = vload##N(i, b); \\
    double##N r = fma(x, y, floor(x)) + fmin(x, y) / y; \\
    r = select(r, x, isgreater(x, y)); \\
    r += convert_double##N(convert_int##N##_sat(y)) * convert_double##N(convert_float##N(x)); \\
    vstore##N(r, i, out); }
EACH(2) EACH(3) EACH(4) EACH(8) EACH(16)
kernel void moved(global double *out, global const double *a, global const double *b) {
    uint i = get_global_id(0), l = get_local_id(0);
    local double shared[64]; local double2 pairs[64];
    event_t e = async_work_group_copy(shared, a + 64 * get_group_id(0), 64, 0);
    wait_group_events(1, &e);
    pairs[l] = vload2(i, b);
    barrier(CLK_LOCAL_MEM_FENCE);
    double own[8];
    for (int j = 0; j < 8; j++) own[j] = shared[(l + j) & 63] * TABLE[j & 3];
    Three t = { 1, own[l & 7], pairs[l ^ 1] };
    double2 r = turned((double2)(own[(l + 3) & 7], shared[l]), t);
    double4 s = shuffle2((double2)(r.x, 1), (double2)(r.y, 2), (ulong4)(l & 3, 1, 2, 3));
    out[i] = s.x + s.y * s.z - s.w; }
";
    let Some(clang) = frontend::clang() else { return };
    let program = Program::of(&clang, text, "", Capability::V1_3);
    let (x, y, ..) = inputs(0x9999_1234_9abc);
    let tame = |x: f64| if x.is_finite() { x.clamp(-1e100, 1e100) } else { 1.5 };
    let x: Vec<f64> = x.into_iter().map(tame).collect();
    let y: Vec<f64> = y
        .into_iter()
        .map(tame)
        .map(|y| if y == 0.0 { 0.5 } else { y })
        .collect();
    let bits = |numbers: &[f64]| words(numbers.iter().map(|number| number.to_bits()));
    let doubles = |found: Vec<u32>| -> Vec<f64> {
        let pairs = found.chunks_exact(2);
        pairs
            .map(|pair| f64::from_bits(u64::from(pair[0]) | u64::from(pair[1]) << 32))
            .collect()
    };
    for length in [2, 3, 4, 8, 16] {
        let items = 64;
        let count = items * length;
        let kernel = program.kernel(&format!("k{length}"));
        let found = doubles(frontend::run(
            &kernel,
            items,
            2 * count,
            &[&bits(&x[..count]), &bits(&y[..count])],
        ));
        for ((&x, &y), found) in x.iter().zip(&y).zip(found) {
            let first = x.mul_add(y, x.floor()) + x.min(y) / y;
            let chosen = if x > y { x } else { first };
            let expected = chosen + f64::from(y as i32) * f64::from(x as f32);
            assert!(
                found == expected || found.is_nan() && expected.is_nan(),
                "{length}: {x:e} {y:e}: {found:e}; expected {expected:e}"
            );
        }
    }
    const TABLE: [f64; 4] = [0.1, 2.0, -3.5, 1e300];
    let x: Vec<f64> = x.iter().map(|x| x.clamp(-1e5, 1e5)).collect();
    let y: Vec<f64> = y.iter().map(|y| y.clamp(-1e5, 1e5)).collect();
    let items = 128;
    let found = doubles(frontend::run(
        &program.kernel("moved"),
        items,
        2 * items,
        &[&bits(&x[..items]), &bits(&y[..2 * items])],
    ));
    for (i, found) in found.into_iter().enumerate() {
        let (l, first) = (i % 64, i / 64 * 64);
        let own = |j: usize| x[first + (l + j) % 64] * TABLE[j % 4];
        let other = y[2 * (first + (l ^ 1)) + 1];
        let r = [x[first + l] + own(l % 8), own((l + 3) % 8) - other];
        let all = [r[0], 1.0, r[1], 2.0];
        let expected = all[l & 3] + all[1] * all[2] - all[3];
        assert!(found == expected, "{i}: {found:e}; expected {expected:e}");
    }
}

/// Literals without a suffix are doubles. With the option they are floats, and the code has no doubles.
#[test]
fn literals_have_the_type_of_the_options() {
    let Some(clang) = frontend::clang() else { return };
    let text = "kernel void k(global float *out, global const float *a) { uint i = get_global_id(0); \
                out[i] = a[i] * 0.1 + 0.3; }";
    let a: Vec<f32> = (0..64).map(|i| i as f32 * 0.37 + 1.0).collect();
    let bits: Vec<u32> = a.iter().map(|number| number.to_bits()).collect();
    let run = |options: &str, capability| {
        let kernel = Program::of(&clang, text, options, capability).kernel("k");
        let found = frontend::run(&kernel, 64, 64, &[&bits]);
        let found: Vec<f32> = found.into_iter().map(f32::from_bits).collect();
        (kernel.program.capability, found)
    };
    let doubles: Vec<f32> = a.iter().map(|&a| (f64::from(a) * 0.1 + 0.3) as f32).collect();
    let floats: Vec<f32> = a.iter().map(|a| a * 0.1 + 0.3).collect();
    assert_ne!(doubles, floats);
    assert_eq!(run("", Capability::V1_3), (Capability::V1_3, doubles));
    for (options, capability) in [
        ("-cl-single-precision-constant", Capability::V1_3),
        ("", Capability::V1_2),
        ("-cl-single-precision-constant", Capability::V1_0),
    ] {
        assert_eq!(
            run(options, capability),
            (Capability::V1_0, floats.clone()),
            "{options} {capability}"
        );
    }
}
