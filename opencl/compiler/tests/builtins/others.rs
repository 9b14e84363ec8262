//! Relational, geometric, memory and work-item functions.

use crate::frontend::{self, run, run_with, Program};
use crate::Random;

/// Runs a kernel with 64 * 16 random words. Returns its output, one word per work-item of two work-groups, and the
/// input.
fn results(body: &str, words: usize) -> Option<(Vec<u32>, Vec<u32>)> {
    let clang = frontend::clang()?;
    let text =
        format!("kernel void k(global uint *out, global const uint *in) {{ uint i = get_global_id(0); {body} }}");
    let program = Program::new(&clang, &text, "");
    let kernel = program.kernel("k");
    let mut random = Random(0x5555_1234_9999);
    let input: Vec<u32> = (0..2048).map(|_| random.bits() as u32).collect();
    Some((run(&kernel, 128, 128 * words, &[&input]), input))
}

/// Compares scalars and elements of vectors, including NaNs and infinities.
#[test]
fn relational_functions_match_rust() {
    let body = "
        uint which = in[i] & 7;
        float x = which == 0 ? NAN : which == 1 ? INFINITY : which == 2 ? -0.0f : (float)(int)(in[i] >> 28);
        which = in[i] >> 3 & 7;
        float y = which == 0 ? NAN : which == 1 ? -INFINITY : which == 2 ? 0.0f : (float)(int)(in[i + 1] >> 28);
        uint bits = isequal(x, y) | isnotequal(x, y) << 1 | isgreater(x, y) << 2 | isgreaterequal(x, y) << 3 |
            isless(x, y) << 4 | islessequal(x, y) << 5 | islessgreater(x, y) << 6 | isordered(x, y) << 7 |
            isunordered(x, y) << 8 | isfinite(x) << 9 | isinf(x) << 10 | isnan(x) << 11 | isnormal(x) << 12 |
            (signbit(x) != 0) << 13;
        float2 v = (float2)(x, y), w = v.yx;
        bits |= (isequal(v, w).x & 1) << 14 | (isnan(v).y & 1) << 15 | any(isless(v, w)) << 16 | all(isequal(v, w)) << 17;
        out[3 * i] = as_uint(x); out[3 * i + 1] = as_uint(y); out[3 * i + 2] = bits;";
    let Some((found, _)) = results(body, 3) else {
        return;
    };
    for triple in found.chunks_exact(3) {
        let (x, y) = (f32::from_bits(triple[0]), f32::from_bits(triple[1]));
        let bits = [
            x == y,
            x != y,
            x > y,
            x >= y,
            x < y,
            x <= y,
            x.partial_cmp(&y).is_some_and(|order| order.is_ne()),
            !x.is_nan() && !y.is_nan(),
            x.is_nan() || y.is_nan(),
            x.is_finite(),
            x.is_infinite(),
            x.is_nan(),
            x.is_normal(),
            x.is_sign_negative(),
            x == y,
            y.is_nan(),
            x < y || y < x,
            x == y,
        ];
        let expected = bits.iter().rev().fold(0, |word, &bit| word << 1 | u32::from(bit));
        assert_eq!(triple[2], expected, "{x} {y}: {:018b} {expected:018b}", triple[2]);
    }
}

#[test]
fn shuffles_select_elements() {
    let body = "
        uint4 x = vload4(i, in);
        uint8 mask = vload8(i, in);
        uint8 one = shuffle(x, mask);
        uint8 two = shuffle2(x, x + 1, mask);
        vstore8(one, 2 * i, out); vstore8(two, 2 * i + 1, out);";
    let Some((found, input)) = results(body, 16) else {
        return;
    };
    for (i, found) in found.chunks_exact(16).enumerate() {
        for k in 0..8 {
            let mask = input[8 * i + k] as usize;
            let x = |at: usize| input[4 * i + at % 4];
            assert_eq!(found[k], x(mask));
            let second = if mask & 4 == 0 {
                x(mask)
            } else {
                x(mask).wrapping_add(1)
            };
            assert_eq!(found[8 + k], second);
        }
    }
}

/// All 16-bit floats are unchanged after conversion to float and back, in every rounding mode. Other floats are
/// rounded.
#[test]
fn halves_are_loaded_and_stored() {
    let Some(clang) = frontend::clang() else { return };
    let text = "
        kernel void load(global float *out, global const half *in) {
            uint i = get_global_id(0);
            out[i] = vload_half(i, in);
        }
        kernel void store(global half *out, global const float *in) {
            uint i = get_global_id(0);
            float x = in[i];
            vstore_half(x, 8 * i, out);
            vstore_half_rte(x, 8 * i + 1, out);
            vstore_half_rtz(x, 8 * i + 2, out);
            vstore_half_rtp(x, 8 * i + 3, out);
            vstore_half_rtn(x, 8 * i + 4, out);
            vstore_half3((float3)(x, 1.0f, -x), 0, out + 8 * i + 5);
        }";
    let program = Program::new(&clang, text, "");
    let load = program.kernel("load");
    let store = program.kernel("store");
    let all: Vec<u32> = (0..1u32 << 15)
        .map(|pair| (2 * pair) | ((2 * pair + 1) << 16))
        .collect();
    let floats = run(&load, 1 << 16, 1 << 16, &[&all]);
    let value = |half: u32| {
        let (exponent, fraction) = (half >> 10 & 31, f64::from(half & 0x3ff));
        let size = match exponent {
            0 => fraction * 2f64.powi(-24),
            31 => {
                if fraction == 0.0 {
                    f64::INFINITY
                } else {
                    f64::NAN
                }
            }
            _ => (1024.0 + fraction) * 2f64.powi(exponent as i32 - 25),
        };
        if half & 0x8000 == 0 {
            size
        } else {
            -size
        }
    };
    for (half, &float) in floats.iter().enumerate() {
        let (found, expected) = (f64::from(f32::from_bits(float)), value(half as u32));
        assert!(
            found == expected || found.is_nan() && expected.is_nan(),
            "{half:#x}: {found} {expected}"
        );
    }
    let mut random = Random(99);
    let inputs: Vec<u32> = (0..4096)
        .map(|at| {
            let bits = random.bits() as u32;
            match at % 4 {
                0 => bits,
                // Numbers near and in the range, and ties.
                1 => (bits & 0x8fff_f000) | 0x3000_0000,
                2 => (bits & 0x8fff_ffff) | 0x3000_0000,
                _ => floats[at * 16],
            }
        })
        .collect();
    let found = run(&store, inputs.len(), 4 * inputs.len(), &[&inputs]);
    for (at, &bits) in inputs.iter().enumerate() {
        let half = |k: usize| found[4 * at + k / 2] >> (16 * (k % 2)) & 0xffff;
        let x = f32::from_bits(bits);
        let x = if x.is_subnormal() { 0.0f32.copysign(x) } else { x };
        if x.is_nan() {
            assert!((0..5).all(|k| half(k) & 0x7fff > 0x7c00), "{bits:#x}");
            continue;
        }
        let sign = u32::from(x.is_sign_negative()) << 15;
        // The 16-bit floats below and above its absolute value. The upper one may be infinite.
        let size = f64::from(x.abs());
        let below = (0..0x7c00).rev().find(|&half| value(half) <= size).expect("0 at least");
        let exact = value(below) == size || size.is_infinite();
        let below = if size.is_infinite() { 0x7c00 } else { below };
        let above = if exact { below } else { below + 1 };
        let next = if above == 0x7c00 { 65536.0 } else { value(above) };
        let middle = (value(below) + next) / 2.0;
        let nearest = if exact || size < middle || size == middle && below % 2 == 0 {
            below
        } else {
            above
        };
        let (up, down) = if sign == 0 { (above, below) } else { (below, above) };
        let expected = [nearest, nearest, below, up, down, nearest].map(|half| half | sign);
        assert_eq!(std::array::from_fn::<u32, 6, _>(half), expected, "{x:e} {bits:#x}");
        assert_eq!((half(6), half(7)), (0x3c00, nearest | (sign ^ 0x8000)));
    }
}

#[test]
fn geometric_functions_match_rust() {
    let body = "
        float3 a = convert_float3(vload3(i, (global const int *)in)), b = a.zxy * 0.5f;
        out[8 * i] = as_uint(dot(a, b));
        out[8 * i + 1] = as_uint(length(a * 0x1p80f));
        out[8 * i + 2] = as_uint(distance(a, b));
        vstore3(as_uint3(normalize(a)), 0, out + 8 * i + 3);
        float3 c = cross(a, b);
        out[8 * i + 6] = as_uint(dot(c, a) / (length(c) * length(a)));
        out[8 * i + 7] = as_uint(fast_length(a));";
    let Some((found, input)) = results(body, 8) else { return };
    for (i, found) in found.chunks_exact(8).enumerate() {
        let a: [f64; 3] = std::array::from_fn(|k| f64::from(input[3 * i + k] as i32));
        let b = [a[2] / 2.0, a[0] / 2.0, a[1] / 2.0];
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let length = |a: [f64; 3]| dot(a, a).sqrt();
        let near = |at: usize, expected: f64, scale: f64| {
            let found = f64::from(f32::from_bits(found[at]));
            assert!(
                (found - expected).abs() <= scale * 1e-6,
                "{at}: {found} {expected} of {a:?}"
            );
        };
        near(0, dot(a, b), length(a) * length(b));
        near(1, length(a) * 2f64.powi(80), length(a) * 2f64.powi(80));
        let difference = std::array::from_fn(|k| a[k] - b[k]);
        near(2, length(difference), length(a));
        for k in 0..3 {
            near(3 + k, a[k] / length(a), 1.0);
        }
        near(6, 0.0, 1.0);
        near(7, length(a), length(a));
    }
}

/// Copies a group's values to local memory and back in reverse order, and checks the work-item functions.
#[test]
fn work_groups_copy_local_memory() {
    let body = "
        local uint room[64];
        event_t event = async_work_group_copy(room, in + 64 * get_group_id(0), 64, 0);
        wait_group_events(1, &event);
        out[i] = room[63 - get_local_id(0)];
        out[128 + i] = get_global_size(0) | get_local_size(0) << 8 | get_num_groups(0) << 16 | get_work_dim() << 24;
        out[256 + i] = get_global_id(1) | get_global_size(1) << 8 | get_local_size(2) << 16 | get_global_offset(0) << 24;
        out[384 + i] = get_global_id(3) | get_local_size(7) << 8;";
    let Some((found, input)) = results(body, 4) else { return };
    for i in 0..128 {
        assert_eq!(found[i], input[(i / 64) * 64 + 63 - i % 64]);
        assert_eq!(found[128 + i], 0x0102_4080);
        assert_eq!(found[256 + i], 0x0001_0100);
        assert_eq!(found[384 + i], 0x0000_0100);
    }
}

/// Tests vectors of narrow elements as values. clang reads four bytes for a vector of two bytes.
#[test]
fn vectors_are_passed_as_arguments() {
    let Some(clang) = frontend::clang() else { return };
    let text = "kernel void k(global int *out, char2 a, uchar2 b, char3 c, short2 d, uchar2 e) {
        if (get_global_id(0) == 0) {
            out[0] = a.x; out[1] = a.y; out[2] = b.x; out[3] = b.y; out[4] = c.x; out[5] = c.y; out[6] = c.z;
            out[7] = d.x; out[8] = d.y; out[9] = e.x; out[10] = e.y;
            uchar2 sum = b + e;
            out[11] = sum.x; out[12] = sum.y;
        }
    }";
    let kernel = Program::new(&clang, text, "").kernel("k");
    let values: [&[u8]; 5] = [
        &[1, 0xfe],
        &[3, 200],
        &[0xff, 5, 0x80, 0],
        &[6, 0, 0xff, 0xff],
        &[7, 250],
    ];
    let found = run_with(&kernel, frontend::GROUP, 13, &[], &values);
    let found: Vec<i32> = found.into_iter().map(|word| word as i32).collect();
    assert_eq!(found, [1, -2, 3, 200, -1, 5, -128, 6, -1, 7, 250, 10, 194]);
}
