//! `printf` through the API, with output to the process's standard output. The tests run themselves as child processes,
//! and read their output.

use crate::driver::{argument, device, run_again, Session};
use crate::{create, info, ok};
use flexgrip_compiler::clang::Clang;
use opencl_sys::*;
use std::ffi::CString;
use std::process::Output;
use std::ptr::{null, null_mut};

const SOURCE: &str = "\
kernel void hello(global float *a) {
    int i = get_global_id(0);
    if (i % 2)
        printf(\"%d %.1f %v2hlf %s\\n\", i, a[i], (float2)(a[i], 2), \"odd\");
    a[i] = printf(\"<%d>\\n\", i);
}
kernel void stopped(global float *a) {
    printf(\"before\\n\");
    a[1 << 28] = 1;
}
";

/// Marks the process that runs the kernels.
const MARK: &str = "FLEXGRIP_TEST_PRINTF";

/// Runs this program with a single test, which then runs kernels, and returns its output.
fn child(test: &str, variables: &[(&str, &str)]) -> Output {
    run_again(test, &[&[(MARK, "1")], variables].concat())
}

/// Builds a program from the source, or from the binary of a program that was built from the source.
fn program(session: &Session, from_binary: bool) -> cl_program {
    let source = CString::new(SOURCE).expect("a source");
    let mut at = source.as_ptr();
    let program = create!(clCreateProgramWithSource, session.context, 1, &mut at, null());
    ok!(clBuildProgram, program, 0, null(), null(), None, null_mut());
    if !from_binary {
        return program;
    }
    let size = info!(usize, clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
    let mut bytes = vec![0u8; size];
    let mut to = bytes.as_mut_ptr();
    let place: *mut *mut u8 = &mut to;
    ok!(
        clGetProgramInfo,
        program,
        CL_PROGRAM_BINARIES,
        size_of_val(&to),
        place.cast(),
        null_mut()
    );
    ok!(clReleaseProgram, program);
    let (device, mut at, mut status) = (device(), bytes.as_ptr(), 1);
    let binary = create!(
        clCreateProgramWithBinary,
        session.context,
        1,
        &device,
        &size,
        &mut at,
        &mut status
    );
    ok!(clBuildProgram, binary, 0, null(), null(), None, null_mut());
    binary
}

fn run(name: &str, items: usize, from_binary: bool) -> Vec<f32> {
    let session = Session::new();
    let program = program(&session, from_binary);
    let name = CString::new(name).expect("a name");
    let kernel = create!(clCreateKernel, program, name.as_ptr());
    let numbers: Vec<f32> = (0..items as u16).map(|number| f32::from(number) / 2.0).collect();
    let buffer = session.buffer(&numbers);
    argument(kernel, 0, &buffer);
    assert_eq!(session.run(kernel, items), CL_SUCCESS);
    let event = crate::call!(clFinish, session.queue);
    assert!(event == CL_SUCCESS || name.as_bytes() == b"stopped");
    let values = session.read(buffer, items);
    ok!(clReleaseMemObject, buffer);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseProgram, program);
    values
}

/// Returns the standard output without the lines of the test harness, and the standard error output.
fn texts(output: &Output) -> (String, String) {
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}{error}");
    let lines = text
        .lines()
        .filter(|line| line.starts_with(|c: char| "<b".contains(c) || c.is_ascii_digit()));
    (lines.map(|line| format!("{line}\n")).collect(), error)
}

/// True in the process that runs the kernels. The harness may have begun a line, so this ends it.
fn is_child() -> bool {
    let is_child = std::env::var_os(MARK).is_some();
    if is_child {
        println!();
    }
    is_child
}

/// Returns false and prints a message if there is no clang.
fn has_clang() -> bool {
    flexgrip_skip::found_or_skip(Clang::find()).is_some()
}

fn wanted(items: usize) -> String {
    let mut text = String::new();
    for i in 0..items {
        if i % 2 == 1 {
            let half = i as f64 / 2.0;
            text += &format!("{i} {half:.1} {half:.6},2.000000 odd\n");
        }
        text += &format!("<{i}>\n");
    }
    text
}

#[test]
fn kernels_print_on_standard_output() {
    if is_child() {
        assert_eq!(run("hello", 100, false), [0.0; 100]);
        return assert_eq!(run("hello", 3, true), [0.0; 3]);
    }
    if !has_clang() {
        return;
    }
    let test = "printf::kernels_print_on_standard_output";
    let (text, error) = texts(&child(test, &[]));
    assert_eq!(text, wanted(100) + &wanted(3));
    assert!(!error.contains("flexgrip OpenCL"), "{error}");
    // The checker must not find errors in the compiler's own code.
    let (text, error) = texts(&child(test, &[("FLEXGRIP_CHECK", "1")]));
    assert_eq!(text, wanted(100) + &wanted(3));
    assert!(!error.contains("flexgrip OpenCL"), "{error}");
}

#[test]
fn full_buffer_and_its_size_are_reported() {
    if is_child() {
        let size = info!(usize, clGetDeviceInfo, device(), CL_DEVICE_PRINTF_BUFFER_SIZE);
        println!("<size {size}>");
        let values = run("hello", 100, false);
        println!("<lost {}>", values.iter().filter(|&&value| value == -1.0).count());
        return;
    }
    if !has_clang() {
        return;
    }
    let test = "printf::full_buffer_and_its_size_are_reported";
    let (text, error) = texts(&child(test, &[]));
    assert!(
        text.starts_with("<size 4194304>\n") && text.ends_with("<lost 0>\n"),
        "{text}"
    );
    assert!(!error.contains("flexgrip OpenCL"), "{error}");
    let (text, error) = texts(&child(test, &[("FLEXGRIP_PRINTF_BUFFER", "1024")]));
    assert!(text.starts_with("<size 1024>\n"), "{text}");
    let message = "flexgrip OpenCL: kernel hello: printf's buffer was full: the output of ";
    let found = error.lines().find(|line| line.starts_with(message));
    let found = found.unwrap_or_else(|| panic!("{error}"));
    assert!(
        found.contains(" calls, ") && found.contains("FLEXGRIP_PRINTF_BUFFER sets"),
        "{found}"
    );
    assert!(!text.contains("<lost 0>"), "{text}");
    let (_, error) = texts_of_failure(&child(test, &[("FLEXGRIP_PRINTF_BUFFER", "much")]));
    assert!(
        error.contains("FLEXGRIP_PRINTF_BUFFER is `much`; expected a number of bytes"),
        "{error}"
    );
}

fn texts_of_failure(output: &Output) -> (String, String) {
    assert!(!output.status.success());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn text_before_an_error_is_printed() {
    if is_child() {
        run("stopped", 2, false);
        return;
    }
    if !has_clang() {
        return;
    }
    let (text, error) = texts(&child("printf::text_before_an_error_is_printed", &[]));
    assert_eq!(text, "before\nbefore\n");
    assert!(error.contains("kernel stopped: global access out of range"), "{error}");
}
