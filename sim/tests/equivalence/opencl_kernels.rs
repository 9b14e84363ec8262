//! Runs the OpenCL kernels of the examples and of the compiler's and driver's tests: every buffer is bit-identical on
//! the golden model, the circuits and Verilator. `make test` runs the examples, `make soak` all kernels.

use crate::common::{clang, engines, flexgrip, root};
use std::collections::BTreeSet;
use std::path::Path;

/// A launch of a kernel.
struct Launch {
    kernel: &'static str,
    space: &'static str,
    /// The arguments, separated by spaces.
    arguments: &'static str,
}

const fn launch(kernel: &'static str, space: &'static str, arguments: &'static str) -> Launch {
    Launch {
        kernel,
        space,
        arguments,
    }
}

const BLUR: &[Launch] = &[
    launch("grey", "64/32", "buffer:uchar4:64=random buffer:uchar:64"),
    launch(
        "blur",
        "16,8/8,4",
        "buffer:uchar:128=random buffer:uchar:128 int:16 int:8",
    ),
];
const HISTOGRAM: &[Launch] = &[
    launch(
        "count_rows",
        "32/16",
        "buffer:uint:2048 buffer:uchar:256=random uint:256",
    ),
    launch("add_rows", "64/64", "buffer:uint:64 buffer:uint:2048=random uint:32"),
];
const MANDELBROT: &[Launch] = &[launch(
    "mandelbrot",
    "16,8/8,8",
    "buffer:ushort:128 float:-2 float:-1 float:0.15 int:20",
)];
/// Two matrices of 16 x 16, their product, and 16.
const SQUARES: &str = "buffer:float:256=random buffer:float:256=random buffer:float:256 int:16";
const MATRICES: &str = "buffer:float:1024=random buffer:float:1024=random buffer:float:1024";
const MATRIX_MULTIPLY: &[Launch] = &[
    launch("naive", "16,16/16,4", SQUARES),
    launch("tiled", "16,16/16,16", SQUARES),
    launch(
        "vectorised",
        "4,16/4,16",
        "buffer:float:256=random buffer:float4:64=random buffer:float4:64 int:16",
    ),
];
const SAXPY: &[Launch] = &[launch(
    "saxpy",
    "64/32",
    "float:2 buffer:float:64=range buffer:float:64=random",
)];
const N_BODY: &[Launch] = &[launch(
    "step",
    "32/16",
    "buffer:float4:32=random buffer:float4:32 buffer:float4:32=random local:256 float:0.01 float:0.1",
)];

const PAIR: &str = "buffer:uint:256=random buffer:uint:256=random buffer:uint:256=random uint:20";
const CALLS: &[Launch] = &[
    launch("calls", "64/32", PAIR),
    launch("structs", "64/32", PAIR),
    launch("indexed", "64/32", PAIR),
    launch("pointers", "64/32", PAIR),
    launch(
        "vectors",
        "64/32",
        "buffer:float4:64=random buffer:float:256=random buffer:float4:64 uint:20",
    ),
];
const FLOW: &[Launch] = &[
    launch("collatz", "64/32", PAIR),
    launch("unstructured", "64/32", PAIR),
    launch("nested", "64/32", PAIR),
    launch("early", "64/32", PAIR),
    launch("scan", "64/64", PAIR),
    launch("matrix", "16,16/8,8", SQUARES),
];
const FLOATS: &str = "buffer:float:1024=random buffer:float:1024=random buffer:float:1024 uint:0";
const FLOAT: &[Launch] = &[
    launch("arithmetic", "64/32", FLOATS),
    launch(
        "conversions",
        "64/32",
        "buffer:float:1024=random buffer:uint:1024=random buffer:float:1024 uint:0",
    ),
    launch("quotients", "64/32", FLOATS),
    launch("roots", "64/32", FLOATS),
    launch(
        "vectors",
        "64/32",
        "buffer:float4:256=random buffer:float2:256=random buffer:float4:256 uint:0",
    ),
];
const INTEGER: &[Launch] = &[
    launch("add", "64/32", PAIR),
    launch("multiply", "64/32", PAIR),
    launch("divide", "64/32", PAIR),
    launch("divide_signed", "64/32", PAIR),
    launch("shifts", "64/32", PAIR),
    launch("choose", "64/32", PAIR),
    launch(
        "narrow",
        "64/32",
        "buffer:uchar:256=random buffer:ushort:256=random buffer:short:256 uint:64",
    ),
    launch(
        "packed",
        "64/32",
        "buffer:uchar4:256=random buffer:ushort2:256=random buffer:uint4:256 uint:64",
    ),
    launch(
        "longs",
        "64/32",
        "buffer:uint:256=random buffer:uint:256=random buffer:ulong:256 uint:64",
    ),
];
const MEMORY: &[Launch] = &[
    launch("constants", "64/32", PAIR),
    launch("array", "64/32", PAIR),
    launch("small", "64/32", PAIR),
    launch("vectors", "64/32", PAIR),
    launch("pointers", "64/32", PAIR),
    launch("records", "64/32", PAIR),
];
const CODE: &[Launch] = &[
    launch("vectoradd", "64/32", "buffer:uint:64=random buffer:uint:64=random buffer:uint:64 uint:50"),
    launch("saxpy", "64/32", "uint:50 float:2.5 buffer:float:64=random buffer:float:64=random"),
    launch("sgemm_naive", "32,8/16,8", MATRICES),
    launch("sgemm_tiled", "32,16/32,16", MATRICES),
    launch("transpose", "32,32/16,16", "buffer:uint:4096=random buffer:uint:4096"),
    launch("reduction", "256/256", "buffer:uint:600=random uint:600 buffer:uint:1"),
    launch("mandelbrot", "32,16/16,8", "float:-2 float:-1 float:0.06 buffer:uchar:768"),
    launch("n_body", "64/64", "buffer:float4:64=random buffer:float4:64=random float:0.01 float:0.1"),
    launch(
        "black_scholes",
        "64/32",
        "buffer:float:64=random buffer:float:64=random buffer:float:64=random buffer:float:64 buffer:float:64 float:0.3",
    ),
    launch("histogram", "64/64", "buffer:uint:256=random uint:1 buffer:uint:64"),
];
const DRIVER: &[Launch] = &[
    launch(
        "add",
        "64/32",
        "buffer:float:64=random buffer:float:64=random buffer:float:64",
    ),
    launch("space", "4,4,4/2,2,1", "buffer:uint:256"),
    launch("weigh", "64/32", "buffer:float:64=random"),
    launch("fixed", "16,4/8,2", "buffer:int:64"),
    launch("count", "32/32", "buffer:int:64 int:20"),
    launch("place", "32/32", "buffer:uint:64"),
];

/// Runs all launches of a source on all engines.
fn compare(source: &str, launches: &[Launch]) {
    if !clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = root().join(source);
    for launch in launches {
        let results = engines()
            .into_iter()
            .map(|engine| (engine, run(&source, launch, engine, folder.path())));
        let results: Vec<(&str, Vec<Vec<u8>>)> = results.collect();
        let (_, model) = &results[0];
        assert!(!model.is_empty());
        for (engine, result) in &results[1..] {
            for (argument, (found, expected)) in result.iter().zip(model).enumerate() {
                assert!(found == expected, "{}: buffer {argument} on {engine}", launch.kernel);
            }
        }
    }
}

/// The files of all buffers after a launch.
fn run(source: &Path, launch: &Launch, engine: &str, folder: &Path) -> Vec<Vec<u8>> {
    let (global, local) = launch.space.split_once('/').unwrap();
    let mut arguments = vec!["run", "--kernel", launch.kernel, "--global", global, "--local", local];
    arguments.extend(["--engine", engine]);
    let mut results = Vec::new();
    for (number, argument) in launch.arguments.split(' ').enumerate() {
        arguments.extend(["--arg", argument]);
        if argument.starts_with("buffer:") {
            results.push(format!("{number}={}", folder.join(format!("{number}.npy")).display()));
        }
    }
    arguments.extend(results.iter().flat_map(|result| ["--result", result]));
    let output = flexgrip(&arguments, source);
    let errors = String::from_utf8_lossy(&output.stderr);
    let what = format!("{} on {engine}: {errors}", launch.kernel);
    assert!(output.status.success(), "{what}");
    let files = results.iter().filter_map(|result| Some(result.split_once('=')?.1));
    let read = |file| std::fs::read(file).unwrap_or_else(|error| panic!("{what}: {error}"));
    files.map(read).collect()
}

/// All sources with their launches, and true if they only run in the soak tier.
const SOURCES: &[(&str, &[Launch], bool)] = &[
    ("examples/opencl/blur.cl", BLUR, false),
    ("examples/opencl/histogram.cl", HISTOGRAM, false),
    ("examples/opencl/mandelbrot.cl", MANDELBROT, false),
    // Needs compute capability 1.3 for its doubles: the circuits have 1.0. `opencl/compiler/tests/doubles` runs it.
    ("examples/opencl/mandelbrot_zoom.cl", &[], false),
    ("examples/opencl/matrix_multiply.cl", MATRIX_MULTIPLY, false),
    ("examples/opencl/n_body.cl", N_BODY, false),
    ("examples/opencl/saxpy.cl", SAXPY, false),
    ("examples/opencl/turn.cl", &[], false),
    ("opencl/compiler/tests/kernels/calls.cl", CALLS, true),
    ("opencl/compiler/tests/kernels/code.cl", CODE, true),
    ("opencl/compiler/tests/kernels/float.cl", FLOAT, true),
    ("opencl/compiler/tests/kernels/flow.cl", FLOW, true),
    ("opencl/compiler/tests/kernels/integer.cl", INTEGER, true),
    ("opencl/compiler/tests/kernels/memory.cl", MEMORY, true),
    ("opencl/tests/kernels.cl", DRIVER, true),
];

/// The sources without a launch here, with the reason.
const WITHOUT: [(&str, &str); 8] = [
    ("count_global", "needs compute capability 1.1: the circuits have 1.0"),
    ("count_local", "needs compute capability 1.2: the circuits have 1.0"),
    ("turn", "takes images, which the command line does not support"),
    ("sharpen", "takes images, which the command line does not support"),
    ("by_value", "takes a struct, which the command line does not support"),
    ("values", "takes a struct, which the command line does not support"),
    ("outside", "stops with an error"),
    ("endless", "never ends"),
];

#[test]
fn every_engine_leaves_the_same_memory() {
    for (source, launches, is_soak) in SOURCES {
        if cfg!(feature = "soak") || !is_soak {
            compare(source, launches);
        }
    }
}

#[test]
fn every_source_is_listed() {
    let mut sources = BTreeSet::new();
    for folder in ["examples/opencl", "opencl/compiler/tests/kernels", "opencl/tests"] {
        for file in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".cl") {
                sources.insert(format!("{folder}/{name}"));
            }
        }
    }
    let listed: BTreeSet<String> = SOURCES.iter().map(|(source, ..)| source.to_string()).collect();
    assert_eq!(sources, listed);
    for (source, launches, _) in SOURCES {
        let text = std::fs::read_to_string(root().join(source)).unwrap();
        for declared in text.split("\n__kernel ").skip(1) {
            let head = declared.split_once("void ").map_or("", |(_, rest)| rest);
            let name = head.split('(').next().unwrap_or_default();
            let has = launches.iter().any(|launch| launch.kernel == name);
            let has_not = WITHOUT.iter().any(|(without, _)| *without == name);
            assert!(has != has_not, "{source}: {name}");
        }
    }
}
