//! Generates random kernels in OpenCL C that have the same results on every correct implementation.
//!
//! The kernels have no undefined behaviour: signed arithmetic uses unsigned types, divisors are checked, indices and
//! iterations are bounded, all variables are initialised, barriers are only in code that all work-items of a group
//! execute, and floats are small multiples of 1/4, whose sums and products are exact. So every difference is a defect.

mod atomics;
mod expressions;
mod floats;
mod functions;
mod integers;
mod parameters;
mod prints;
mod scope;
mod statements;
mod variables;

use crate::tree::{Function, Item, Kernel, Parameter};
use crate::types::{Scalar, Type};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use scope::{Array, Counters, Jump, Lvalue, Signature, Structure};

/// Start of every source, before the kernels.
pub const PRELUDE: &str = "\
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
// Rounds to small multiples of 1/4, without a negative zero.
#define TAME(x) (rint(clamp((x), -4096.0f, 4096.0f) * 4.0f) * 0.25f + 0.0f)
// No NaN, whose sign and payload are undefined, and no negative zero, which fmin and fmax may confuse with the other.
#define REAL(x) fmax((x) + 0.0, -DBL_MAX)
#define SMALL(x) clamp((x), -4096.0f, 4096.0f)
";

/// State of the generator of a kernel.
struct Generator {
    random: ChaCha8Rng,
    /// The kernel's name.
    name: String,
    /// Number of names used so far.
    names: usize,
    items: Vec<Item>,
    structures: Vec<Structure>,
    functions: Vec<(Function, Signature)>,
    parameters: Vec<Parameter>,
    locals: Vec<Item>,
    lvalues: Vec<Lvalue>,
    arrays: Vec<Array>,
    /// Variables of struct types: name as it is passed, index of the type, true if it can be written.
    instances: Vec<(String, usize)>,
    jumps: Vec<Jump>,
    /// True if all work-items of a group execute the current statement together.
    together: bool,
    /// True if expressions must have the same value in all work-items of a group.
    uniform: bool,
    /// True in a function, which cannot use the kernel's names.
    in_function: bool,
    /// Buffers and local arrays of counters, and the names of the local ones.
    counters: Vec<Counters>,
    local_counters: Vec<String>,
    /// Number of calls of `printf`.
    prints: usize,
    /// Product of the iterations of all surrounding loops.
    rounds: u32,
}

/// Generates the kernel with this number. The same seed and number give the same kernel.
#[must_use]
pub fn kernel(seed: u64, number: u64) -> Kernel {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    let name = format!("k{number}");
    let mut generator = Generator {
        random,
        name,
        names: 0,
        items: Vec::new(),
        structures: Vec::new(),
        functions: Vec::new(),
        parameters: Vec::new(),
        locals: Vec::new(),
        lvalues: Vec::new(),
        arrays: Vec::new(),
        instances: Vec::new(),
        jumps: Vec::new(),
        together: false,
        uniform: false,
        in_function: false,
        counters: Vec::new(),
        local_counters: Vec::new(),
        prints: 0,
        rounds: 1,
    };
    generator.define_structures();
    generator.define_tables();
    let count = generator.below(4);
    for _ in 0..count {
        generator.define_function();
    }
    generator.define_parameters();
    let body = generator.kernel_body();
    Kernel {
        name: generator.name,
        items: generator.items,
        functions: generator.functions.into_iter().map(|(function, _)| function).collect(),
        parameters: generator.parameters,
        locals: generator.locals,
        body,
    }
}

impl Generator {
    /// Random number below a limit; 0 if the limit is 0.
    fn below(&mut self, limit: usize) -> usize {
        self.random.gen_range(0..limit.max(1))
    }

    /// True with a probability of `percent` percent.
    fn percent(&mut self, percent: u32) -> bool {
        self.random.gen_range(0..100) < percent
    }

    /// Random element of a list.
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.gen_range(0..of.len())]
    }

    /// New name. It is unique among all kernels of the source if `of_module` is true.
    fn name(&mut self, prefix: &str, of_module: bool) -> String {
        self.names += 1;
        if of_module {
            format!("{}_{prefix}{}", self.name, self.names)
        } else {
            format!("{prefix}{}", self.names)
        }
    }

    /// Random scalar type.
    fn scalar(&mut self) -> Scalar {
        if self.percent(16) {
            return self.one(&[Scalar::Float, Scalar::Double]);
        }
        self.integer()
    }

    /// Random integer type.
    fn integer(&mut self) -> Scalar {
        // 32-bit types are more frequent, as in real kernels.
        if self.percent(30) {
            return self.one(&[Scalar::Int, Scalar::Uint]);
        }
        self.one(&Scalar::INTEGERS)
    }

    /// Random scalar or vector type.
    fn ty(&mut self) -> Type {
        let scalar = self.scalar();
        let lanes = match self.below(20) {
            0..=10 => 1,
            11..=13 => 2,
            14 | 15 => 3,
            16..=18 => 4,
            _ if scalar.bits() == 64 => 2,
            _ => self.one(&[8, 16]),
        };
        Type { scalar, lanes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_kernel() {
        for number in 0..20 {
            let one = kernel(1, number);
            assert_eq!(one, kernel(1, number));
            assert_ne!(one.text(), kernel(2, number).text());
        }
    }

    /// Checks that some of these kernels have each feature of the language.
    #[test]
    fn kernels_have_all_of_the_language() {
        let text: String = (0..400).map(|number| kernel(1, number).text()).collect();
        for part in [
            "for (",
            "while (",
            "do {",
            "goto ",
            "switch (",
            "break;",
            "continue;",
            "return;",
            "barrier(CLK_LOCAL",
            "barrier(CLK_GLOBAL",
            "struct ",
            "->",
            "local ",
            "constant ",
            "global const ",
            "clz(",
            "popcount(",
            "mul24(",
            "mad24(",
            "rotate(",
            "hadd(",
            "rhadd(",
            "mad_sat(",
            "mad_hi(",
            "mul_hi(",
            "add_sat(",
            "sub_sat(",
            "abs_diff(",
            "clamp(",
            "select(",
            "bitselect(",
            "upsample(",
            "_sat",
            "as_",
            "vload",
            "vstore",
            ".hi",
            ".even",
            "any(",
            "all(",
            "default:",
            "double4",
            "convert_double",
            "sqrt(",
            "fmod(",
            "_rtz(",
            "shuffle(",
            "div_ulong",
            "rem_char",
            "char16",
            "long2",
            "&v",
            "atomic_add(&n",
            "atom_min(&n",
            "atom_sub(&n",
            "u * (uint)atom_inc(&n",
            "old = atom_cmpxchg(&(",
            "printf(\"%u ",
            "hlf",
            "hhd",
            "\", gid, \"",
            "'a' + (int)",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
}
