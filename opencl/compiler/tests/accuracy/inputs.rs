//! Test inputs.

use crate::functions::{Function, Reference};

/// Special cases of functions, limits of integers, and ordinary numbers.
const EDGES: [f32; 26] = [
    0.0,
    1.0e-45,
    1.175_494_2e-38,
    f32::MIN_POSITIVE,
    1.0e-30,
    1.0e-10,
    1.0 / 16_777_216.0,
    0.25,
    0.5,
    0.75,
    1.0,
    1.5,
    2.0,
    2.5,
    3.0,
    10.0,
    std::f32::consts::PI,
    std::f32::consts::FRAC_PI_2,
    88.722_84,
    8_388_607.5,
    16_777_217.0,
    2_147_483_648.0,
    4_294_967_296.0,
    f32::MAX,
    f32::INFINITY,
    f32::NAN,
];
const INTEGERS: [i32; 14] = [0, 1, 2, 3, 4, 5, 7, 10, 31, 127, 300, 16_777_217, i32::MAX, i32::MIN];

/// Generates inputs for a function, in batches.
pub struct Inputs {
    random: u64,
    /// Remaining number of random batches, or of bits for a function of one number.
    left: u64,
    next: u64,
    stride: Option<u64>,
    edges: bool,
}

impl Inputs {
    /// Creates a sample, or with `FLEXGRIP_ULP_STRIDE` every number at this distance.
    pub fn new() -> Inputs {
        let number = |name: &str| {
            std::env::var(name)
                .ok()
                .map(|text| text.parse::<u64>().expect("a number"))
        };
        let batches = if cfg!(feature = "soak") { 64 } else { 1 };
        Inputs {
            random: 0x9e37_79b9_7f4a_7c15,
            left: number("FLEXGRIP_ULP_BATCHES").unwrap_or(batches),
            next: 0,
            stride: number("FLEXGRIP_ULP_STRIDE"),
            edges: true,
        }
    }

    fn random(&mut self) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 24) as u32
    }

    /// Returns a float with random bits, or in the range of the function.
    fn float(&mut self, function: &Function) -> u32 {
        let bits = self.random();
        match self.random() % 8 {
            0 | 1 => bits,
            // Few bits, to find exact results and ties.
            2 => bits & 0xfff8_0000,
            3 => (self.random() % 4096) as f32 as f64 as f32 as u32,
            _ => {
                let [from, to] = function.range;
                let part = f64::from(bits) / f64::from(u32::MAX);
                ((from + (to - from) * part) as f32).to_bits()
            }
        }
    }

    /// Returns the next batch: equally many numbers for each of three arguments.
    pub fn next(&mut self, function: &Function, count: usize) -> Option<[Vec<u32>; 3]> {
        let one = matches!(function.reference, Reference::One(_));
        if let (true, Some(stride)) = (one, self.stride) {
            if self.next > u64::from(u32::MAX) {
                return None;
            }
            let numbers = (0..count as u64).map(|at| (self.next + stride * at).min(u64::from(u32::MAX)) as u32);
            let numbers = numbers.collect();
            self.next += stride * count as u64;
            return Some([numbers, Vec::new(), Vec::new()]);
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let integer = matches!(function.reference, Reference::Integer(_));
        let mut batch = [Vec::new(), Vec::new(), Vec::new()];
        let edges: Vec<u32> = EDGES
            .iter()
            .flat_map(|edge| [edge.to_bits(), (-edge).to_bits()])
            .collect();
        let integers: Vec<u32> = INTEGERS
            .iter()
            .flat_map(|edge| [*edge as u32, edge.wrapping_neg() as u32])
            .collect();
        for at in 0..count {
            let first = match self.edges {
                true if at < edges.len() * edges.len() => edges[at % edges.len()],
                _ => self.float(function),
            };
            let second = match (integer, self.edges) {
                (true, true) if at < edges.len() * integers.len() => integers[at / edges.len()],
                (true, _) => {
                    let bits = self.random();
                    let shift = self.random() % 32;
                    ((bits as i32) >> shift) as u32
                }
                (false, true) if at < edges.len() * edges.len() => edges[at / edges.len()],
                // A number near the first, for sums that cancel.
                _ if self.random() % 16 == 0 => first.wrapping_add(self.random() % 5).wrapping_sub(2),
                _ => self.float(function),
            };
            // A number near the negative product, for sums that cancel.
            let third = match self.random() % 4 {
                0 => {
                    let product = -f32::from_bits(first) * f32::from_bits(second);
                    product.to_bits().wrapping_add(self.random() % 5).wrapping_sub(2)
                }
                1 => edges[self.random() as usize % edges.len()],
                _ => self.float(function),
            };
            batch[0].push(first);
            batch[1].push(second);
            batch[2].push(third);
        }
        self.edges = false;
        Some(batch)
    }
}
