//! `FLEXGRIP_CHECK=1`: prints the errors of a wrong kernel, and nothing for a correct one.

use crate::driver::{argument, Session};
use crate::{create, ok};
use opencl_sys::*;
use std::process::Command;
use std::ptr::{null, null_mut};

/// Each work-item stores its number: in the first kernel all to the same word, in the second one each to its own word.
const PTX: &str = "
.version 4.2
.target sm_20
.address_size 32
.entry race(.param .u32 .ptr .global .align 4 out)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [out];
    mov.u32 %r2, %tid.x;
    .loc 1 3 12
    st.global.u32 [%r1], %r2;
    ret;
}
.entry right(.param .u32 .ptr .global .align 4 out)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [out];
    mov.u32 %r2, %tid.x;
    shl.b32 %r3, %r2, 2;
    add.s32 %r3, %r1, %r3;
    .loc 1 8 12
    st.global.u32 [%r3], %r2;
    ret;
}
.file 1 \"program.cl\"
";

fn run_both() {
    let session = Session::new();
    let program = session.program_of(PTX);
    ok!(clBuildProgram, program, 0, null(), null(), None, null_mut());
    let out = session.buffer(&[0u32; 64]);
    for name in [c"race", c"right"] {
        let kernel = create!(clCreateKernel, program, name.as_ptr());
        argument(kernel, 0, &out);
        assert_eq!(session.run(kernel, 64), CL_SUCCESS);
        ok!(clFinish, session.queue);
        ok!(clReleaseKernel, kernel);
    }
    assert_eq!(session.read::<u32>(out, 64), Vec::from_iter(0..64));
    ok!(clReleaseMemObject, out);
    ok!(clReleaseProgram, program);
}

/// Runs this test again in another process, because the driver reads its environment once and the other tests run
/// without the checker.
#[test]
fn findings_are_printed() {
    if std::env::var("FLEXGRIP_CHECK").is_ok() {
        return run_both();
    }
    let printed = |wanted: &str| {
        let mut program = Command::new(std::env::current_exe().expect("this program"));
        program.args(["--exact", "check::findings_are_printed", "--nocapture"]);
        let output = program.env("FLEXGRIP_CHECK", wanted).output().expect("this program");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        text
    };
    let text = printed("1");
    let finding =
        "flexgrip OpenCL: program.cl:3:12: kernel race: error: race: store and store of argument 0 (out), byte 0; \
                   no barrier orders them\n    work-item (1, 0, 0), ";
    assert!(text.contains(finding), "{text}");
    assert!(
        text.contains("63 times here") && !text.contains("kernel right"),
        "{text}"
    );
    let text = printed("0");
    assert!(!text.contains("flexgrip OpenCL"), "{text}");
}
