//! Measures compile times: OpenCL's functions once, and the median for a kernel of 200 lines, in clang and in the back
//! end.

use flexgrip_compiler::clang::{BuildOptions, Clang, Source};
use flexgrip_compiler::{compile, ptx};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of measurements.
const TIMES: usize = 11;

/// Arithmetic, conditions, and an OpenCL function in every twelfth line. It has few immediates, because a kernel has
/// space for only 128.
fn kernel() -> String {
    const FUNCTIONS: [&str; 16] = [
        "sin(x)",
        "cos(x)",
        "exp(x)",
        "log(x)",
        "pow(x, y)",
        "atan2(x, y)",
        "tanh(x)",
        "sqrt(x)",
        "fmod(x, y)",
        "hypot(x, y)",
        "native_sin(x)",
        "clamp(x, 0.f, 1.f)",
        "mix(x, y, 0.5f)",
        "cbrt(x)",
        "asin(x)",
        "lgamma(x)",
    ];
    let mut text = String::from(
        "kernel void k(global float *a, global const float *b, int n) {\n\
         int i = get_global_id(0);\nif (i >= n)\nreturn;\nfloat x = a[i], y = b[i], s = 0;\n",
    );
    for line in 0..192 {
        let number = line % 8;
        let _ = match line % 12 {
            0 => writeln!(text, "s += {};", FUNCTIONS[line / 12]),
            _ => writeln!(text, "x = x * {number}.f + y; if (x > {number}.f) y -= s * 0.5f;"),
        };
    }
    text + "a[i] = s + x + y;\n}\n"
}

fn median(mut measure: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..TIMES)
        .map(|_| {
            let start = Instant::now();
            measure();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[TIMES / 2]
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    // The cache must be empty.
    std::env::set_var("XDG_CACHE_HOME", folder.path());
    let clang = match Clang::find() {
        Ok(clang) => clang,
        Err(error) => return println!("compile: skipped: {error}"),
    };
    let options = BuildOptions::default();
    let text = kernel();
    let source = Source {
        name: "k.cl",
        text: text.as_bytes(),
    };
    let start = Instant::now();
    let made = clang.ptx(&source, &options).unwrap_or_else(|error| panic!("{error}"));
    println!(
        "compile: the first kernel, including OpenCL's functions: {:.2} s",
        start.elapsed().as_secs_f64()
    );
    let front = median(|| {
        black_box(clang.ptx(&source, &options)).unwrap_or_else(|error| panic!("{error}"));
    });
    let back = median(|| {
        let module = ptx::parse(&made.text).unwrap_or_else(|error| panic!("{error}"));
        for kernel in module.kernels() {
            black_box(compile(&module, kernel, &made.options)).unwrap_or_else(|error| panic!("{error}"));
        }
    });
    println!(
        "compile: a kernel of {} lines: {:.3} s, {:.3} s of it clang",
        text.lines().count(),
        (front + back).as_secs_f64(),
        front.as_secs_f64()
    );
}
