//! Doubles on the golden model: operations with exact or correctly rounded results, compared bit for bit with the host
//! processor.

#[path = "doubles/arithmetic.rs"]
mod arithmetic;
#[path = "doubles/conversions.rs"]
mod conversions;
mod frontend;
#[path = "doubles/functions.rs"]
mod functions;
#[path = "doubles/zoom.rs"]
mod zoom;

use flexgrip_compiler::{Capability, Compiled};
use frontend::{Program, Random};

impl Random {
    /// Returns a double: a special value, random bits, few significant bits, or a moderate size.
    pub fn double(&mut self) -> f64 {
        let (kind, bits) = (self.bits() >> 20, self.bits());
        match kind % 8 {
            0 => EDGES[bits as usize % EDGES.len()],
            1 => -EDGES[bits as usize % EDGES.len()],
            2 | 3 => f64::from_bits(bits),
            // Few significant bits, for exact results and ties.
            4 => f64::from_bits(bits & 0xffff_f800_0000_0000),
            // Denormal numbers, and small normal numbers.
            5 => f64::from_bits(bits & 0x801f_ffff_ffff_ffff),
            _ => f64::from_bits((bits & 0x800f_ffff_ffff_ffff) | (1023 - 8 + kind / 8 % 16) << 52),
        }
    }
}

/// Special values and limits of ranges.
pub const EDGES: [f64; 28] = [
    0.0,
    5e-324,
    1e-310,
    2.225_073_858_507_201e-308,
    f64::MIN_POSITIVE,
    4.450_147_717_014_403e-308,
    1e-300,
    1e-160,
    f64::EPSILON,
    0.25,
    0.5,
    0.499_999_999_999_999_94,
    0.999_999_999_999_999_9,
    1.0,
    1.000_000_000_000_000_2,
    1.5,
    2.5,
    3.0,
    127.5,
    32_767.5,
    2_147_483_647.5,
    4_294_967_295.5,
    9_007_199_254_740_993.0,
    9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_616.0,
    1e160,
    f64::MAX,
    f64::INFINITY,
];

/// Converts 64-bit numbers to words, low word first.
pub fn words(numbers: impl IntoIterator<Item = u64>) -> Vec<u32> {
    numbers
        .into_iter()
        .flat_map(|number| [number as u32, (number >> 32) as u32])
        .collect()
}

/// Compiles a kernel for each body, which computes the 64-bit `r` from the doubles x, y and z and the long n. They are one
/// source, because clang's start takes longer than such a kernel.
pub fn kernels(bodies: &[String], options: &str) -> Option<Vec<Compiled>> {
    let clang = frontend::clang()?;
    let name = |number| format!("k{number}");
    let text: String = (0..)
        .zip(bodies)
        .map(|(number, body)| {
            format!(
                "kernel void {}(global ulong *out, global const double *a, global const double *b, global const double *c, \
                 global const long *d) {{\nuint i = get_global_id(0); ulong r = 0; double x = a[i], y = b[i], z = c[i]; \
                 long n = d[i]; double part; int whole;\n{body}\nout[i] = r; }}\n",
                name(number)
            )
        })
        .collect();
    let program = Program::of(&clang, &text, options, Capability::V1_3);
    Some((0..bodies.len()).map(|number| program.kernel(&name(number))).collect())
}

/// Like [`kernels`], with one body.
pub fn kernel(body: &str, options: &str) -> Option<Compiled> {
    kernels(&[body.into()], options)?.pop()
}

/// Runs a kernel, and returns its results.
pub fn results(kernel: &Compiled, x: &[f64], y: &[f64], z: &[f64], n: &[i64]) -> Vec<u64> {
    let of = |numbers: &[f64]| words(numbers.iter().map(|number| number.to_bits()));
    let n = words(n.iter().map(|&n| n as u64));
    let found = frontend::run(kernel, x.len(), 2 * x.len(), &[&of(x), &of(y), &of(z), &n]);
    let pairs = found.chunks_exact(2);
    pairs
        .map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32)
        .collect()
}
