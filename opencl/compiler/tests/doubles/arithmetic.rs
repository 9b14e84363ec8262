//! Sums, products, quotients, roots, comparisons and conversions.

use crate::frontend::{self, Program};
use crate::{kernels, results, words, Random};
use flexgrip_compiler::Capability;
use flexgrip_isa::{Double, Rounding};
use std::cmp::Ordering::{Equal, Greater, Less};

const COUNT: usize = 4096;

/// An expression of x, y, z and n, and its value as bits.
pub type Case = (&'static str, fn(f64, f64, f64, i64) -> u64);

/// Returns inputs: doubles, of which the second is often near the first, and the third near the negative product.
pub fn inputs(seed: u64) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<i64>) {
    let mut random = Random(seed);
    let mut all = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..COUNT {
        let x = random.double();
        let near = |number: f64, random: &mut Random| {
            f64::from_bits(number.to_bits().wrapping_add(random.bits() % 5).wrapping_sub(2))
        };
        let y = match random.bits() % 8 {
            0 => near(x, &mut random),
            _ => random.double(),
        };
        let z = match random.bits() % 4 {
            0 => near(-(x * y), &mut random),
            _ => random.double(),
        };
        let n = random.bits() as i64 >> (random.bits() % 64);
        all.0.push(x);
        all.1.push(y);
        all.2.push(z);
        all.3.push(n);
    }
    all
}

pub fn check_bits(cases: &[Case], is_double: bool) {
    let (x, y, z, n) = inputs(0x1234_5678_9abc_def1);
    let bodies: Vec<String> = cases
        .iter()
        .map(|(text, _)| match is_double {
            true => format!("r = as_ulong({text});"),
            false => format!("r = {text};"),
        })
        .collect();
    let Some(kernels) = kernels(&bodies, "") else { return };
    for ((text, expected), kernel) in cases.iter().zip(kernels) {
        let found = results(&kernel, &x, &y, &z, &n);
        for (at, found) in found.into_iter().enumerate() {
            let expected = expected(x[at], y[at], z[at], n[at]);
            let number = |bits: u64| is_double.then(|| f64::from_bits(bits));
            let both_nan = is_double && f64::from_bits(found).is_nan() && f64::from_bits(expected).is_nan();
            assert!(
                found == expected || both_nan,
                "{text} of {:e} {:e} {:e} {}: {found:#018x} {:?}; expected {expected:#018x} {:?}",
                x[at],
                y[at],
                z[at],
                n[at],
                number(found),
                number(expected)
            );
        }
    }
}

#[test]
fn arithmetic_is_rounded_to_nearest() {
    check_bits(
        &[
            ("x + y", |x, y, _, _| (x + y).to_bits()),
            ("x - y", |x, y, _, _| (x - y).to_bits()),
            ("x * y", |x, y, _, _| (x * y).to_bits()),
            ("x / y", |x, y, _, _| (x / y).to_bits()),
            ("1 / x", |x, _, _, _| (1.0 / x).to_bits()),
            ("x * 2.5 - 1e-300", |x, _, _, _| (x * 2.5 - 1e-300).to_bits()),
            ("-x", |x, _, _, _| (-x).to_bits()),
            ("(x > y ? -x : y)", |x, y, _, _| if x > y { -x } else { y }.to_bits()),
            ("__builtin_sqrt(x)", |x, _, _, _| x.sqrt().to_bits()),
            ("__builtin_fma(x, y, z)", |x, y, z, _| x.mul_add(y, z).to_bits()),
            ("__builtin_fma(-x, y, -z)", |x, y, z, _| (-x).mul_add(y, -z).to_bits()),
            ("__builtin_floor(x)", |x, _, _, _| x.floor().to_bits()),
            ("__builtin_rint(x)", |x, _, _, _| x.round_ties_even().to_bits()),
            ("__builtin_copysign(x, y)", |x, y, _, _| x.copysign(y).to_bits()),
        ],
        true,
    );
}

/// Returns the result of a machine operation, as bits.
fn of_machine(operation: Double, sources: [f64; 3]) -> u64 {
    operation.compute(sources.map(f64::to_bits)).value
}

macro_rules! directed {
    ($mode:literal, $rounding:expr) => {{
        const PLAIN: (Rounding, bool) = ($rounding, false);
        check_bits(
            &[
                (concat!("__nvvm_add_", $mode, "_d(x, y)"), |x, y, _, _| {
                    let (rounding, negate1) = PLAIN;
                    let negate3 = false;
                    of_machine(
                        Double::Add {
                            rounding,
                            negate1,
                            negate3,
                        },
                        [x, 0.0, y],
                    )
                }),
                (concat!("__nvvm_mul_", $mode, "_d(x, y)"), |x, y, _, _| {
                    let (rounding, negate1) = PLAIN;
                    of_machine(Double::Mul { rounding, negate1 }, [x, y, 0.0])
                }),
                (concat!("__nvvm_fma_", $mode, "_d(x, y, z)"), |x, y, z, _| {
                    let (rounding, negate_product) = PLAIN;
                    let negate3 = false;
                    of_machine(
                        Double::Fma {
                            rounding,
                            negate_product,
                            negate3,
                        },
                        [x, y, z],
                    )
                }),
            ],
            true,
        );
    }};
}

#[test]
fn other_roundings_reach_the_machine() {
    directed!("rz", Rounding::Zero);
    directed!("rm", Rounding::Down);
    directed!("rp", Rounding::Up);
    check_bits(
        &[("__nvvm_saturate_d(x)", |x, _, _, _| match x.is_nan() {
            true => 0,
            false => (x.clamp(0.0, 1.0) + 0.0).to_bits(),
        })],
        true,
    );
}

#[test]
fn comparisons_know_nans_and_zeros() {
    check_bits(
        &[
            (
                "(x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5",
                |x, y, _, _| {
                    u64::from(x < y)
                        | u64::from(x <= y) << 1
                        | u64::from(x > y) << 2
                        | u64::from(x >= y) << 3
                        | u64::from(x == y) << 4
                        | u64::from(x != y) << 5
                },
            ),
            (
                "(!(x < y)) | (!(x <= y)) << 1 | (!(x > y)) << 2 | (!(x >= y)) << 3 | (x == x) << 4",
                |x, y, _, _| {
                    u64::from(x.partial_cmp(&y) != Some(Less))
                        | u64::from(!matches!(x.partial_cmp(&y), Some(Less | Equal))) << 1
                        | u64::from(x.partial_cmp(&y) != Some(Greater)) << 2
                        | u64::from(!matches!(x.partial_cmp(&y), Some(Greater | Equal))) << 3
                        | u64::from(x == x) << 4
                },
            ),
            ("x < 1.5 && y > -2 ? 3 : z == 0 ? 4 : 5", |x, y, z, _| {
                match (x < 1.5 && y > -2.0, z == 0.0) {
                    (true, _) => 3,
                    (false, true) => 4,
                    _ => 5,
                }
            }),
        ],
        false,
    );
}

#[test]
fn integers_and_floats_become_doubles() {
    check_bits(
        &[
            ("(double)n", |_, _, _, n| (n as f64).to_bits()),
            ("(double)(ulong)n", |_, _, _, n| (n as u64 as f64).to_bits()),
            ("(double)(int)n", |_, _, _, n| f64::from(n as i32).to_bits()),
            ("(double)(uint)n", |_, _, _, n| f64::from(n as u32).to_bits()),
            ("(double)(short)n", |_, _, _, n| f64::from(n as i16).to_bits()),
            ("(double)(ushort)n", |_, _, _, n| f64::from(n as u16).to_bits()),
            ("(double)(char)n", |_, _, _, n| f64::from(n as i8).to_bits()),
            ("(double)(uchar)n", |_, _, _, n| f64::from(n as u8).to_bits()),
            ("(double)as_float((int)n)", |_, _, _, n| {
                f64::from(f32::from_bits(n as u32)).to_bits()
            }),
        ],
        true,
    );
}

#[test]
fn doubles_become_integers_and_floats() {
    fn within(x: f64, least: f64, most: f64) -> f64 {
        if x > least && x < most {
            x
        } else {
            0.0
        }
    }
    check_bits(
        &[("x == x ? as_uint((float)x) : 0", |x, _, _, _| match x.is_nan() {
            true => 0,
            false => u64::from((x as f32).to_bits()),
        })],
        false,
    );
    check_bits(
        &[
            ("(ulong)(x > -0x1p63 && x < 0x1p63 ? (long)x : 0)", |x, _, _, _| {
                within(x, -9_223_372_036_854_775_808.0, 9_223_372_036_854_775_808.0) as i64 as u64
            }),
            ("x > -1 && x < 0x1p64 ? (ulong)x : 0", |x, _, _, _| {
                match x < 18_446_744_073_709_551_616.0 {
                    true => x as u64,
                    false => 0,
                }
            }),
            ("(ulong)(x > -0x1p31 && x < 0x1p31 ? (int)x : 0)", |x, _, _, _| {
                within(x, -2_147_483_648.0, 2_147_483_648.0) as i64 as u64
            }),
            ("x > -1 && x < 0x1p32 ? (uint)x : 0", |x, _, _, _| {
                within(x, -1.0, 4_294_967_296.0) as u64
            }),
            ("(ulong)(x > -129 && x < 128 ? (char)x : 0)", |x, _, _, _| {
                within(x, -129.0, 128.0) as i64 as u64
            }),
            ("x > -1 && x < 65536 ? (ushort)x : 0", |x, _, _, _| {
                within(x, -1.0, 65536.0) as u64
            }),
        ],
        false,
    );
}

/// Tests doubles in pairs of registers, and in local memory if there are too few registers.
#[test]
fn few_registers_give_the_same_results() {
    let Some(clang) = frontend::clang() else { return };
    let text = "
kernel void k(global double *out, global const double *a, int n) {
    uint i = get_global_id(0);
    double x[12];
    for (int j = 0; j < 12; j++) x[j] = a[(i + 5 * j) & 127];
    double2 p = vload2(i & 31, a), q = ((global const double2 *)a)[(i + 3) & 31];
    double sum = p.x * q.y + p.y;
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < 12; j++) sum = fma(sum, 0.25, x[j] * x[(5 * j + 1) % 12]);
        double first = x[0];
        for (int j = 0; j < 11; j++) x[j] = x[j + 1] - (r & 1 ? p.x : q.x);
        x[11] = first / (1 + fabs(sum));
        p = (double2)(q.y, p.x);
    }
    ((global double2 *)out)[i] = (double2)(sum, x[3]);
}";
    let mut program = Program::of(&clang, text, "", Capability::V1_3);
    let mut random = Random(0xabc_1234_5678);
    let a: Vec<u64> = (0..128)
        .map(|_| ((random.bits() >> 12) as f64 * 2f64.powi(-50)).to_bits())
        .collect();
    let mut run = |registers| {
        program.options.registers = registers;
        let kernel = program.kernel("k");
        let found = frontend::run_with(
            &kernel,
            64,
            4 * 64,
            &[&words(a.iter().copied())],
            &[&3i32.to_le_bytes()],
        );
        (kernel.program.kernels[0].registers, kernel.local_bytes, found)
    };
    let (most, _, wanted) = run(None);
    let mut spilled = 0;
    for registers in [12, 14, 17, 20, 27, 33, 48] {
        let (used, local_bytes, found) = run(Some(registers));
        assert!(
            used <= registers && registers < most,
            "{used} of {registers}, all are {most}"
        );
        assert_eq!(found, wanted, "{registers} registers");
        spilled += usize::from(local_bytes > 0);
    }
    assert!(spilled > 3, "{spilled}");
}
