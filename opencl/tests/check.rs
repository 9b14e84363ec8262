//! `FLEXGRIP_CHECK=1`: prints the errors of a wrong kernel, and nothing for a correct one.

use crate::driver::{argument, run_again, Session, RACE};
use crate::{create, ok};
use opencl_sys::*;
use std::ptr::{null, null_mut};

fn run_both() {
    let session = Session::new();
    let program = session.program_of(RACE);
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
        let output = run_again("check::findings_are_printed", &[("FLEXGRIP_CHECK", wanted)]);
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
