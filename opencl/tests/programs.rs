//! Programs: sources, binaries, options, build logs.

use crate::driver::{device, text, Handle, Session, PTX};
use crate::{call, create, info, no_object, ok, refused};
use flexgrip_compiler::clang::Clang;
use flexgrip_opencl::build::binary::Binary;
use opencl_sys::*;
use std::ffi::{c_void, CString};
use std::ptr::{null, null_mut};

const SOURCE: &str = include_str!("kernels.cl");

/// Returns true if there is a clang. Otherwise the test prints that it is skipped, or fails if clang is required.
fn has_clang() -> bool {
    flexgrip_skip::found_or_skip(Clang::find()).is_some()
}

pub fn program_of_source(session: &Session, source: &str) -> Handle {
    let source = CString::new(source).expect("a source");
    create!(
        clCreateProgramWithSource,
        session.context,
        1,
        &mut source.as_ptr(),
        null()
    )
}

pub fn build(program: Handle, options: &str) -> cl_int {
    let options = CString::new(options).expect("options");
    call!(clBuildProgram, program, 0, null(), options.as_ptr(), None, null_mut())
}

fn log(program: Handle) -> String {
    let question = CL_PROGRAM_BUILD_LOG;
    text(|size, value, size_ret| {
        call!(
            clGetProgramBuildInfo,
            program,
            device(),
            question,
            size,
            value,
            size_ret
        )
    })
}

fn status(program: Handle) -> cl_int {
    let mut status = 1;
    let at: *mut cl_int = &mut status;
    ok!(
        clGetProgramBuildInfo,
        program,
        device(),
        CL_PROGRAM_BUILD_STATUS,
        4,
        at.cast(),
        null_mut()
    );
    status
}

fn names(program: Handle) -> String {
    let question = CL_PROGRAM_KERNEL_NAMES;
    text(|size, value, size_ret| call!(clGetProgramInfo, program, question, size, value, size_ret))
}

pub fn binary(program: Handle) -> Vec<u8> {
    let mut bytes = vec![0u8; info!(usize, clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES)];
    let mut place = bytes.as_mut_ptr();
    let at: *mut *mut u8 = &mut place;
    let size = size_of::<*mut u8>();
    ok!(
        clGetProgramInfo,
        program,
        CL_PROGRAM_BINARIES,
        size,
        at.cast(),
        null_mut()
    );
    bytes
}

fn load(session: &Session, bytes: &[u8]) -> (Handle, cl_int, cl_int) {
    let (d, length, mut at) = (device(), bytes.len(), bytes.as_ptr());
    let (mut status, mut code) = (1, 1);
    let context = session.context;
    let program = call!(
        clCreateProgramWithBinary,
        context,
        1,
        &d,
        &length,
        &mut at,
        &mut status,
        &mut code
    );
    (program, status, code)
}

#[test]
fn programs_are_built_from_source() {
    if !has_clang() {
        return;
    }
    let session = Session::new();
    // The source in several strings, one of them with a length.
    let (first, rest) = SOURCE.split_at(100);
    let rest = CString::new(rest).expect("a source");
    let mut strings = [first.as_ptr().cast(), rest.as_ptr()];
    let lengths = [first.len(), 0];
    let context = session.context;
    let program = create!(
        clCreateProgramWithSource,
        context,
        2,
        strings.as_mut_ptr(),
        lengths.as_ptr()
    );
    assert_eq!(status(program), CL_BUILD_NONE);
    refused!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo,
        program,
        CL_PROGRAM_NUM_KERNELS,
        8,
        null_mut(),
        null_mut()
    );
    no_object!(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel, program, c"add".as_ptr());
    assert_eq!(build(program, "-cl-mad-enable -D UNUSED=1"), CL_SUCCESS);
    assert_eq!(status(program), CL_BUILD_SUCCESS);
    let question = CL_PROGRAM_SOURCE;
    let source = text(|size, value, size_ret| call!(clGetProgramInfo, program, question, size, value, size_ret));
    assert_eq!(source, SOURCE);
    assert_eq!(
        names(program),
        "add;space;values;weigh;fixed;outside;endless;count;place"
    );
    // The PTX of the other tests must equal clang's output. FLEXGRIP_UPDATE=1 rewrites it.
    let bytes = binary(program);
    let made = flexgrip_opencl::build::binary::Binary::parse(&bytes)
        .expect("a binary")
        .ptx;
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels.ptx"), &made).expect("written");
    }
    let (loaded, binary_status, code) = load(&session, &bytes);
    assert_eq!((binary_status, code), (CL_SUCCESS, CL_SUCCESS));
    assert_eq!(build(loaded, ""), CL_SUCCESS);
    assert_eq!(names(loaded), names(program));
    assert_eq!(binary(loaded), bytes);
    for program in [program, loaded] {
        ok!(clReleaseProgram, program);
    }
}

#[test]
fn errors_of_sources_are_in_the_log() {
    if !has_clang() {
        return;
    }
    let session = Session::new();
    for (source, options, parts) in [
        (
            "__kernel void k(__global int *p)\n{\n    p[0] = q;\n}\n",
            "",
            ["program.cl:3:12: error", "'q'"],
        ),
        (
            "__kernel void k(__global int *p)\n{\n    p[0] = N;\n}\n",
            "-D N=oops",
            ["error", "'oops'"],
        ),
        (
            "__kernel void k(__global long *p)\n{\n    atom_min(p, 1L);\n}\n",
            "",
            ["program.cl:3:", "on 64 bits there are"],
        ),
        (
            "__kernel void k(__global int *p)\n{\n    atomic_fetch_add(p, 1);\n}\n",
            "",
            ["program.cl:3:", "atom"],
        ),
    ] {
        let program = program_of_source(&session, source);
        assert_eq!(build(program, options), CL_BUILD_PROGRAM_FAILURE);
        assert_eq!(status(program), CL_BUILD_ERROR);
        let log = log(program);
        for part in parts {
            assert!(log.contains(part), "{part} is missing in: {log}");
        }
        no_object!(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel, program, c"k".as_ptr());
        ok!(clReleaseProgram, program);
    }
}

/// A binary contains machine code, even of kernels that are refused. Damaged binaries are not accepted.
#[test]
fn binaries_hold_machine_code() {
    let session = Session::new();
    let program = session.program();
    let bytes = binary(program);
    let found = Binary::parse(&bytes).expect("a binary");
    assert!(found.code.is_some());
    // Without PTX, its kernels give the same results.
    let code = Binary {
        ptx: String::new(),
        ..found
    };
    let (loaded, status, _) = load(&session, &code.bytes());
    assert_eq!((status, build(loaded, "")), (CL_SUCCESS, CL_SUCCESS));
    assert_eq!(names(loaded), names(program));
    let out = session.buffer(&[1f32; 6]);
    let kernel = create!(clCreateKernel, loaded, c"weigh".as_ptr());
    crate::driver::argument(kernel, 0, &out);
    assert_eq!(session.run(kernel, 6), CL_SUCCESS);
    assert_eq!(session.read::<f32>(out, 6), [1.0, 2.0, 3.0, 4.0, 1.0, 2.0]);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
    for (at, byte) in bytes.iter().enumerate().step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] = byte.wrapping_add(1);
        let (program, status, code) = load(&session, &damaged);
        assert!(program.is_null(), "byte {at}");
        assert_eq!((status, code), (CL_INVALID_BINARY, CL_INVALID_BINARY));
        let (program, ..) = load(&session, &bytes[..at]);
        assert!(program.is_null(), "{at} bytes");
    }
    // A binary of another version of the compiler is refused.
    let other = String::from_utf8(bytes.clone()).expect("text");
    let (head, rest) = other.split_once('\n').expect("a head");
    let changed = format!("{}0\n{rest}", &head[..head.len() - 1]).replace("binary 2 0", "binary 2 1");
    if changed.as_bytes() != bytes {
        let (program, status, _) = load(&session, changed.as_bytes());
        assert!(program.is_null());
        assert_eq!(status, CL_INVALID_BINARY);
    }
    for program in [program, loaded] {
        ok!(clReleaseProgram, program);
    }
}

/// A kernel that is refused does not affect the other kernels of its program.
#[test]
fn refused_kernel_does_not_affect_other_kernels() {
    let session = Session::new();
    let head = ".version 3.2\n.target sm_20\n.address_size 32\n";
    let kernel = |name: &str, body: &str| {
        format!(
            ".entry {name}(.param .u32 .ptr .global .align 4 p)\n{{ .reg .b32 %r<3>;\n.loc 1 7 3\n\
             ld.param.u32 %r1, [p];\n{body}\nret; }}\n"
        )
    };
    let atomic = kernel("counts", "red.global.add.f32 [%r1], 0f3f800000;");
    let fine = kernel("fine", "st.global.u32 [%r1], 7;") + &kernel("last", "st.global.u32 [%r1], 8;");
    let files = ".file 1 \"program.cl\"\n";
    let program = session.program_of(&format!("{head}{atomic}{fine}{files}"));
    assert_eq!(build(program, ""), CL_SUCCESS);
    assert_eq!(status(program), CL_BUILD_SUCCESS);
    assert!(
        log(program).starts_with("program.cl:7:3: error: kernel counts: "),
        "{}",
        log(program)
    );
    assert_eq!(names(program), "fine;last");
    no_object!(
        CL_INVALID_KERNEL_DEFINITION,
        clCreateKernel,
        program,
        c"counts".as_ptr()
    );
    no_object!(CL_INVALID_KERNEL_NAME, clCreateKernel, program, c"count".as_ptr());
    for (name, wanted) in [(c"fine", 7u32), (c"last", 8)] {
        let out = session.buffer(&[0u32]);
        let kernel = create!(clCreateKernel, program, name.as_ptr());
        crate::driver::argument(kernel, 0, &out);
        assert_eq!(session.run(kernel, 1), CL_SUCCESS);
        assert_eq!(session.read::<u32>(out, 1), [wanted]);
        ok!(clReleaseKernel, kernel);
        ok!(clReleaseMemObject, out);
    }
    ok!(clReleaseProgram, program);
    // If all kernels are refused, the build fails.
    let program = session.program_of(&format!("{head}{atomic}{files}"));
    assert_eq!(build(program, ""), CL_BUILD_PROGRAM_FAILURE);
    ok!(clReleaseProgram, program);
}

/// A byte-order mark and bytes that are not UTF-8 are compiled, and returned unchanged.
#[test]
fn sources_in_other_encodings_compile() {
    if !has_clang() {
        return;
    }
    let session = Session::new();
    let source = b"\xef\xbb\xbf// 5 \xb5m\nkernel void k(global int *p) { p[0] = 7; atomic; }\n";
    let (mut at, length, context) = (source.as_ptr().cast(), source.len(), session.context);
    let program = create!(clCreateProgramWithSource, context, 1, &mut at, &length);
    assert_eq!(build(program, ""), CL_BUILD_PROGRAM_FAILURE);
    assert!(log(program).starts_with("program.cl:2:42: error: "), "{}", log(program));
    let mut given = vec![0u8; source.len() + 1];
    let bytes = given.len();
    ok!(
        clGetProgramInfo,
        program,
        CL_PROGRAM_SOURCE,
        bytes,
        given.as_mut_ptr().cast(),
        null_mut()
    );
    assert_eq!(given[..source.len()], source[..]);
    ok!(clReleaseProgram, program);
}

#[test]
fn invalid_options_are_refused() {
    let session = Session::new();
    let program = session.program_of(PTX);
    for options in ["--nonsense", "-D", "-cl-std=CL9.9", "-o file"] {
        assert_eq!(build(program, options), CL_INVALID_BUILD_OPTIONS, "{options}");
        assert!(!log(program).is_empty(), "{options}");
    }
    assert_eq!(build(program, "-w"), CL_SUCCESS);
    let question = CL_PROGRAM_BUILD_OPTIONS;
    let ask = |size, value, size_ret| {
        call!(
            clGetProgramBuildInfo,
            program,
            device(),
            question,
            size,
            value,
            size_ret
        )
    };
    assert_eq!(text(ask), "-w");
    ok!(clReleaseProgram, program);
}

#[test]
fn invalid_binaries_are_refused() {
    let session = Session::new();
    for bytes in [&b"SASS"[..], b"flexgrip OpenCL binary 1\n", &[0u8; 100]] {
        let (program, status, code) = load(&session, bytes);
        assert!(program.is_null());
        assert_eq!((status, code), (CL_INVALID_BINARY, CL_INVALID_BINARY));
    }
    let (program, status, code) = load(&session, b"");
    assert!(program.is_null());
    assert_eq!((status, code), (CL_INVALID_VALUE, CL_INVALID_VALUE));
    // The build fails for a binary with invalid PTX.
    let program = session.program_of("nonsense");
    assert_eq!(build(program, ""), CL_BUILD_PROGRAM_FAILURE);
    assert!(
        log(program).starts_with("program.cl (PTX): error: "),
        "{}",
        log(program)
    );
    ok!(clReleaseProgram, program);
}

#[test]
fn invalid_programs_are_refused() {
    let session = Session::new();
    let context = session.context;
    let mut null_string = [null()];
    no_object!(
        CL_INVALID_VALUE,
        clCreateProgramWithSource,
        context,
        0,
        null_string.as_mut_ptr(),
        null()
    );
    no_object!(
        CL_INVALID_VALUE,
        clCreateProgramWithSource,
        context,
        1,
        null_string.as_mut_ptr(),
        null()
    );
    no_object!(
        CL_INVALID_VALUE,
        clCreateProgramWithSource,
        context,
        1,
        null_mut(),
        null()
    );
    let program = session.program_of(PTX);
    let d = session.queue;
    refused!(
        CL_INVALID_DEVICE,
        clBuildProgram,
        program,
        1,
        &d,
        null(),
        None,
        null_mut()
    );
    refused!(
        CL_INVALID_VALUE,
        clBuildProgram,
        program,
        1,
        null(),
        null(),
        None,
        null_mut()
    );
    refused!(
        CL_INVALID_VALUE,
        clBuildProgram,
        program,
        0,
        null(),
        null(),
        None,
        context
    );
    refused!(
        CL_INVALID_PROGRAM,
        clBuildProgram,
        context,
        0,
        null(),
        null(),
        None,
        null_mut()
    );
    ok!(clReleaseProgram, program);
}

unsafe extern "C" fn told(program: *mut c_void, data: *mut c_void) {
    // SAFETY: the test passes memory for a handle.
    unsafe { *data.cast::<*mut c_void>() = program };
}

#[test]
fn end_of_a_build_is_reported() {
    let session = Session::new();
    let program = session.program_of(PTX);
    let mut seen: *mut c_void = null_mut();
    let at: *mut *mut c_void = &mut seen;
    ok!(clBuildProgram, program, 0, null(), null(), Some(told), at.cast());
    assert_eq!(seen, program);
    ok!(clReleaseProgram, program);
}

#[test]
fn a_program_with_kernels_is_not_built_again() {
    let session = Session::new();
    let program = session.program();
    let kernel = create!(clCreateKernel, program, c"add".as_ptr());
    assert_eq!(build(program, ""), CL_INVALID_OPERATION);
    ok!(clReleaseKernel, kernel);
    assert_eq!(build(program, ""), CL_SUCCESS);
    ok!(clReleaseProgram, program);
}
