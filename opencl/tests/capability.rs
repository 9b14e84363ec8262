//! Devices of different compute capabilities in one platform.

use crate::driver::{argument, platform, run_again, text, Handle, Session};
use crate::programs::{binary, build, program_of_source};
use crate::{call, create, no_object, ok};
use flexgrip_compiler::clang::Clang;
use opencl_sys::*;
use std::ptr::{null, null_mut};

/// In `adds`, each work-item adds 3 to the first word; in `stores`, it stores 7 there.
const PTX: &str = "
.version 4.2
.target sm_20
.address_size 32
.entry adds(.param .u32 .ptr .global .align 4 out)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [out];
    .loc 1 3 12
    red.global.add.u32 [%r1], 3;
    ret;
}
.entry stores(.param .u32 .ptr .global .align 4 out)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [out];
    .loc 1 8 12
    st.global.u32 [%r1], 7;
    ret;
}
.file 1 \"program.cl\"
";

/// The log for a device of capability 1.0.
const MESSAGE: &str =
    "program.cl:3:12: error: kernel adds: atomic operations on global memory need compute capability \
                       1.1, and this device has 1.0: choose another by --capability, or for OpenCL \
                       programs by FLEXGRIP_DEVICE\n";

/// The platform's three devices.
fn devices() -> [Handle; 3] {
    let (mut devices, mut count) = ([null_mut(); 3], 0);
    let at = devices.as_mut_ptr();
    ok!(clGetDeviceIDs, platform(), CL_DEVICE_TYPE_ALL, 3, at, &mut count);
    assert_eq!(count, 3);
    devices
}

/// Creates a context of these devices, with a queue of the last one.
fn session(devices: &[Handle]) -> Session {
    let (count, at) = (devices.len() as u32, devices.as_ptr());
    let context = create!(clCreateContext, null(), count, at, None, null_mut());
    let queue = create!(clCreateCommandQueue, context, devices[devices.len() - 1], 0);
    Session { context, queue }
}

fn log(program: Handle, device: Handle) -> String {
    let question = CL_PROGRAM_BUILD_LOG;
    text(|size, value, size_ret| call!(clGetProgramBuildInfo, program, device, question, size, value, size_ret))
}

/// Returns the first word after a kernel with 5 work-items, or the error code of the launch.
fn run(session: &Session, program: Handle, name: &std::ffi::CStr) -> Result<u32, cl_int> {
    let out = session.buffer(&[100u32]);
    let kernel = create!(clCreateKernel, program, name.as_ptr());
    argument(kernel, 0, &out);
    let code = session.run(kernel, 5);
    let found = session.read::<u32>(out, 1)[0];
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
    match code {
        CL_SUCCESS => Ok(found),
        code => Err(code),
    }
}

fn queries(devices: &[Handle]) {
    let say = |device: Handle, question: u32| {
        text(|size, value, size_ret| call!(clGetDeviceInfo, device, question, size, value, size_ret))
    };
    let names = devices.iter().map(|&device| say(device, CL_DEVICE_NAME));
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "SM 1.3, golden model, 8 lanes",
            "SM 1.1, golden model, 16 lanes",
            "SM 1.0, golden model, 8 lanes"
        ]
    );
    for (device, version) in devices.iter().zip(["1.1", "1.0", "1.0"]) {
        assert!(say(*device, CL_DEVICE_VERSION).starts_with(&format!("OpenCL {version} flexgrip-rs ")));
        assert_eq!(
            say(*device, CL_DEVICE_OPENCL_C_VERSION),
            format!("OpenCL C {version} clang")
        );
    }
    let atomics = devices.iter().map(|&device| {
        let extensions = say(device, CL_DEVICE_EXTENSIONS);
        extensions.split(' ').filter(|name| name.ends_with("_atomics")).count()
    });
    assert_eq!(atomics.collect::<Vec<_>>(), [5, 2, 0]);
}

fn builds([latest, middle, first]: [Handle; 3]) {
    let both = session(&[latest, middle]);
    let program = both.program_for(latest, PTX);
    assert_eq!(build(program, ""), CL_SUCCESS);
    assert_eq!(run(&both, program, c"adds"), Ok(115));
    ok!(clReleaseProgram, program);
    let one = session(&[latest]);
    let program = one.program_for(latest, PTX);
    assert_eq!(build(program, ""), CL_SUCCESS);
    let bytes = binary(program);
    ok!(clReleaseProgram, program);

    // A binary with machine code, or PTX, for a device that does not have all of its instructions.
    let old = session(&[first]);
    for program in [old.loaded(first, &bytes), old.program_for(first, PTX)] {
        assert_eq!(build(program, ""), CL_SUCCESS);
        assert_eq!(log(program, first), MESSAGE);
        assert_eq!(run(&old, program, c"stores"), Ok(7));
        no_object!(CL_INVALID_KERNEL_DEFINITION, clCreateKernel, program, c"adds".as_ptr());
        ok!(clReleaseProgram, program);
    }

    // The program is built for one of two devices, and launched on the other.
    let mixed = session(&[latest, first]);
    let program = mixed.program_for(latest, PTX);
    ok!(clBuildProgram, program, 1, &latest, null(), None, null_mut());
    assert_eq!(run(&mixed, program, c"stores"), Ok(7));
    assert_eq!(run(&mixed, program, c"adds"), Err(CL_INVALID_PROGRAM_EXECUTABLE));
    // A program that is built for both devices may only use the features of both.
    assert_eq!(build(program, ""), CL_SUCCESS);
    assert_eq!(log(program, latest), MESSAGE);
    ok!(clReleaseProgram, program);
}

/// A source sees the macros of the extensions that all devices have.
fn macros([latest, middle, first]: [Handle; 3]) {
    if flexgrip_skip::found_or_skip(Clang::find()).is_none() {
        return;
    }
    let source = "kernel void sees(global uint *out) { out[0] = 0\n#ifdef cl_khr_global_int32_base_atomics\n+ 1\n#endif\n\
                  #ifdef cl_khr_local_int32_extended_atomics\n+ 10\n#endif\n#ifdef cl_khr_int64_base_atomics\n+ 100\n#endif\n; }";
    for (devices, wanted) in [
        (&[latest][..], 111),
        (&[middle], 1),
        (&[first], 0),
        (&[latest, middle], 1),
        (&[middle, first], 0),
    ] {
        let session = session(devices);
        let program = program_of_source(&session, source);
        assert_eq!(build(program, ""), CL_SUCCESS);
        assert_eq!(run(&session, program, c"sees"), Ok(wanted));
        ok!(clReleaseProgram, program);
    }
}

/// Runs this test again in another process, because the driver reads its environment once.
#[test]
fn devices_have_several_capabilities() {
    if std::env::var("FLEXGRIP_DEVICE").is_ok_and(|text| text.contains("1.1")) {
        let devices = devices();
        queries(&devices);
        builds(devices);
        return macros(devices);
    }
    let test = "capability::devices_have_several_capabilities";
    let output = run_again(test, &[("FLEXGRIP_DEVICE", "model, model:16:1.1, model:1.0")]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let reason =
        "kernel adds cannot be launched: it needs compute capability 1.1, and the device has 1.0; the program was \
                  built for another device";
    assert!(text.contains(reason), "{text}");
}
