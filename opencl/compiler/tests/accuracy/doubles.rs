//! Math functions of doubles, against the C library's `long double`, which has at least 11 bits more: `reference.c`,
//! compiled with the linker that cargo uses.

use crate::frontend::{self, Program};
use flexgrip_compiler::{Capability, Compiled};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The heading of the doubles' part of the page.
pub const SECTION: &str = "\n## Doubles\n";

const TEXT: &str = "
Compute capability 1.3, full profile: the bounds of section 7.4 of OpenCL 1.2 for doubles. The reference is the C library's
`long double`. Functions with exact results, such as `fma`, `fmod` or `ldexp`, are compared bit for bit in
`opencl/compiler/tests/doubles`.

| function | allowed | measured | inputs |
|---|---|---|---|
";

/// Exit code of the reference if `long double` is not more precise than a double.
const NOT_PRECISE: i32 = 3;
/// Inputs of each function.
const INPUTS: usize = if cfg!(feature = "soak") { 1 << 19 } else { 1 << 13 };
/// Inputs of a launch.
const BATCH: usize = 1 << 13;

#[derive(Clone, Copy, PartialEq)]
enum Second {
    None,
    Double,
    Integer,
}

/// A function, its bound in units in the last place, and the range of most arguments.
struct DoubleFunction(&'static str, Second, f64, f64, f64);

const FUNCTIONS: &[DoubleFunction] = &[
    DoubleFunction("divide", Second::Double, 0.5, -100.0, 100.0),
    DoubleFunction("acos", Second::None, 4.0, -1.0, 1.0),
    DoubleFunction("acosh", Second::None, 4.0, 1.0, 100.0),
    DoubleFunction("acospi", Second::None, 5.0, -1.0, 1.0),
    DoubleFunction("asin", Second::None, 4.0, -1.0, 1.0),
    DoubleFunction("asinh", Second::None, 4.0, -100.0, 100.0),
    DoubleFunction("asinpi", Second::None, 5.0, -1.0, 1.0),
    DoubleFunction("atan", Second::None, 5.0, -10.0, 10.0),
    DoubleFunction("atan2", Second::Double, 6.0, -10.0, 10.0),
    DoubleFunction("atanh", Second::None, 5.0, -1.0, 1.0),
    DoubleFunction("atanpi", Second::None, 5.0, -10.0, 10.0),
    DoubleFunction("atan2pi", Second::Double, 6.0, -10.0, 10.0),
    DoubleFunction("cbrt", Second::None, 2.0, -100.0, 100.0),
    DoubleFunction("cos", Second::None, 4.0, -1e5, 1e5),
    DoubleFunction("cosh", Second::None, 4.0, -711.0, 711.0),
    DoubleFunction("cospi", Second::None, 4.0, -100.0, 100.0),
    DoubleFunction("erf", Second::None, 16.0, -6.0, 6.0),
    DoubleFunction("erfc", Second::None, 16.0, -5.0, 27.5),
    DoubleFunction("exp", Second::None, 3.0, -745.0, 710.0),
    DoubleFunction("exp2", Second::None, 3.0, -1075.0, 1025.0),
    DoubleFunction("exp10", Second::None, 3.0, -324.0, 309.0),
    DoubleFunction("expm1", Second::None, 3.0, -40.0, 710.0),
    DoubleFunction("hypot", Second::Double, 4.0, -100.0, 100.0),
    DoubleFunction("log", Second::None, 3.0, 0.0, 100.0),
    DoubleFunction("log2", Second::None, 3.0, 0.0, 100.0),
    DoubleFunction("log10", Second::None, 3.0, 0.0, 100.0),
    DoubleFunction("log1p", Second::None, 2.0, -1.0, 10.0),
    DoubleFunction("pow", Second::Double, 16.0, -100.0, 100.0),
    DoubleFunction("pown", Second::Integer, 16.0, -4.0, 4.0),
    DoubleFunction("powr", Second::Double, 16.0, 0.0, 50.0),
    DoubleFunction("rootn", Second::Integer, 16.0, -100.0, 100.0),
    DoubleFunction("rsqrt", Second::None, 2.0, 0.0, 100.0),
    DoubleFunction("sin", Second::None, 4.0, -1e5, 1e5),
    DoubleFunction("sinh", Second::None, 4.0, -711.0, 711.0),
    DoubleFunction("sinpi", Second::None, 4.0, -100.0, 100.0),
    DoubleFunction("sqrt", Second::None, 0.5, 0.0, 100.0),
    DoubleFunction("tan", Second::None, 5.0, -1e5, 1e5),
    DoubleFunction("tanh", Second::None, 5.0, -20.0, 20.0),
    DoubleFunction("tanpi", Second::None, 6.0, -100.0, 100.0),
    DoubleFunction("tgamma", Second::None, 16.0, -185.0, 172.0),
    DoubleFunction("degrees", Second::None, 2.0, -100.0, 100.0),
    DoubleFunction("radians", Second::None, 2.0, -100.0, 100.0),
];

const EDGES: [f64; 34] = [
    0.0,
    5e-324,
    1e-310,
    f64::MIN_POSITIVE,
    1e-300,
    1e-160,
    1e-20,
    1e-8,
    0.25,
    0.5,
    0.499_999_999_999_999_94,
    0.999_999_999_999_999_9,
    1.0,
    1.000_000_000_000_000_2,
    1.5,
    2.0,
    2.5,
    3.0,
    10.0,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::FRAC_PI_4,
    709.78,
    745.1,
    1e5,
    1e9,
    9_007_199_254_740_993.0,
    1e22,
    1e100,
    // Of all doubles, this is the nearest to a multiple of pi/2.
    5.319_372_648_326_541e255,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NAN,
];

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn double(&mut self, function: &DoubleFunction) -> f64 {
        let bits = self.bits();
        match self.bits() >> 30 & 7 {
            0 => f64::from_bits(bits),
            // Few significant bits, for exact results and ties.
            1 => f64::from_bits(bits & 0xffff_f000_0000_0000),
            // Denormal numbers, and small normal numbers.
            2 => f64::from_bits(bits & 0x801f_ffff_ffff_ffff),
            // Near 0 and 1.
            3 => (bits >> 11) as f64 * 2f64.powi(-53 - (bits % 60) as i32),
            4 => f64::from_bits(1f64.to_bits().wrapping_add_signed(bits as i64 >> (12 + bits % 50))),
            _ => function.3 + (function.4 - function.3) * ((bits >> 11) as f64 * 2f64.powi(-53)),
        }
    }

    fn arguments(&mut self, function: &DoubleFunction, at: usize) -> (f64, f64) {
        let edge = |at: usize| if at % 2 == 0 { EDGES[at / 2] } else { -EDGES[at / 2] };
        let edges = 2 * EDGES.len();
        let second = |random: &mut Random| match function.1 {
            Second::Integer => f64::from(random.bits() as i32 >> (random.bits() % 32)),
            _ => random.double(function),
        };
        match function.1 {
            Second::None if at < edges => (edge(at), 0.0),
            Second::Double if at < edges * edges => (edge(at % edges), edge(at / edges)),
            Second::Integer if at < 16 * edges => {
                let integers = [
                    0,
                    1,
                    -1,
                    2,
                    -2,
                    3,
                    -3,
                    4,
                    7,
                    10,
                    31,
                    1023,
                    1 << 24,
                    i32::MAX,
                    -i32::MAX,
                    i32::MIN,
                ];
                (edge(at % edges), f64::from(integers[at / edges]))
            }
            _ => (self.double(function), second(self)),
        }
    }
}

/// The reference as a program in a folder; `None` with a message where there is no C compiler or `long double` is a
/// double.
fn reference(folder: &Path) -> Option<PathBuf> {
    let program = folder.join("reference");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accuracy/reference.c");
    let made = Command::new("cc")
        .arg("-O1")
        .arg("-o")
        .arg(&program)
        .args([source, "-lm"])
        .status();
    let run = || {
        let input = Command::new(&program).arg("exp").stdin(Stdio::null()).status();
        input.is_ok_and(|status| status.code() != Some(NOT_PRECISE))
    };
    let works = made.is_ok_and(|status| status.success()) && run();
    flexgrip_skip::found_or_skip(
        works
            .then_some(program)
            .ok_or("a C compiler whose long double is longer than double"),
    )
}

/// Returns the errors of results.
fn errors(program: &Path, function: &DoubleFunction, records: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let mut child = Command::new(program)
        .arg(function.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the reference runs");
    let mut input = child.stdin.take().expect("a pipe");
    let bytes: Vec<u8> = records
        .iter()
        .flatten()
        .flat_map(|number| number.to_ne_bytes())
        .collect();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().expect("the reference ends");
    writer.join().expect("a thread").expect("it reads everything");
    assert!(output.status.success(), "{}: {}", function.0, output.status);
    let number = |bytes: &[u8]| f64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
    let pairs = output.stdout.chunks_exact(16);
    pairs.map(|pair| [number(&pair[..8]), number(&pair[8..])]).collect()
}

fn source() -> String {
    let mut text = String::new();
    for DoubleFunction(name, second, ..) in FUNCTIONS {
        let call = match (*name, second) {
            ("divide", _) => "x / y".to_string(),
            (_, Second::None) => format!("{name}(x)"),
            (_, Second::Double) => format!("{name}(x, y)"),
            (_, Second::Integer) => format!("{name}(x, (int)y)"),
        };
        writeln!(
            text,
            "kernel void test_{name}(global double *out, global const double *a, global const double *b) {{ uint i = \
             get_global_id(0); double x = a[i], y = b[i]; out[i] = {call}; }}"
        )
        .expect("writing to a string cannot fail");
    }
    text
}

fn words(numbers: impl Iterator<Item = f64>) -> Vec<u32> {
    let bits = numbers.map(f64::to_bits);
    bits.flat_map(|bits| [bits as u32, (bits >> 32) as u32]).collect()
}

/// Returns the largest error of a function, and its arguments.
fn measure(program: &Path, kernel: &Compiled, function: &DoubleFunction) -> (f64, String) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let arguments: Vec<(f64, f64)> = (0..INPUTS).map(|at| random.arguments(function, at)).collect();
    let mut worst = (0.0, String::new());
    for batch in arguments.chunks(BATCH) {
        let x = words(batch.iter().map(|pair| pair.0));
        let y = words(batch.iter().map(|pair| pair.1));
        let found = frontend::run(kernel, BATCH, 2 * BATCH, &[&x, &y]);
        let found = found
            .chunks_exact(2)
            .map(|pair| f64::from_bits(u64::from(pair[0]) | u64::from(pair[1]) << 32));
        let records: Vec<[f64; 3]> = batch.iter().zip(found).map(|(&(x, y), found)| [x, y, found]).collect();
        let errors = errors(program, function, &records);
        assert_eq!(errors.len(), records.len(), "{}", function.0);
        for ([x, y, found], [error, exact]) in records.into_iter().zip(errors) {
            if error > worst.0 {
                worst = (error, format!("{x:e} {y:e}: {found:e}; expected {exact:e}"));
            }
        }
    }
    worst
}

/// Returns the rows of the table, after checking all bounds. `None` if tools are missing.
pub fn table(only: Option<&str>) -> Option<String> {
    let clang = frontend::clang()?;
    let folder = tempfile::tempdir().expect("a folder");
    let program = reference(folder.path())?;
    let kernels = Program::of(&clang, &source(), "", Capability::V1_3).kernels();
    let (mut faults, mut table) = (Vec::new(), String::new());
    for function in FUNCTIONS {
        let DoubleFunction(name, _, bound, ..) = function;
        if only.is_some_and(|only| !only.split(',').any(|chosen| chosen == *name)) {
            continue;
        }
        let kernel = match &kernels[&format!("test_{name}")] {
            Ok(kernel) => kernel,
            Err(error) => {
                faults.push(error.clone());
                continue;
            }
        };
        let (error, place) = measure(&program, kernel, function);
        println!("{name:12} {error:.3} ulp of {INPUTS} at {place}");
        let allowed = if *bound == 0.5 {
            "exact".to_string()
        } else {
            format!("{bound}")
        };
        writeln!(table, "| `{name}` | {allowed} | {error:.2} | {INPUTS} |").expect("writing to a string cannot fail");
        if error > *bound {
            faults.push(format!("{name}: {error} ulp at {place}; allowed are {bound}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    Some(format!("{SECTION}{TEXT}{table}"))
}

/// The number of rows of the table.
pub const fn rows() -> usize {
    FUNCTIONS.len()
}
