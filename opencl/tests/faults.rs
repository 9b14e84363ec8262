//! Kernels that fail: error codes, messages, and commands after the failure.

use crate::driver::{argument, device, Handle, Session};
use crate::{call, create, info, ok, refused};
use opencl_sys::*;
use std::ffi::{c_char, c_void, CStr};
use std::ptr::{null, null_mut};
use std::sync::Mutex;

unsafe extern "C" fn note(message: *const c_char, _info: *const c_void, _bytes: usize, data: *mut c_void) {
    // SAFETY: the driver passes a C string, and the test passes the list.
    let (text, notes) = unsafe { (CStr::from_ptr(message), &*data.cast::<Mutex<Vec<String>>>()) };
    notes.lock().expect("notes").push(text.to_string_lossy().into_owned());
}

/// Creates a session with a context that records its errors.
fn noting(notes: &Mutex<Vec<String>>) -> Session {
    let d = device();
    let data = std::ptr::from_ref(notes).cast_mut().cast();
    let context = create!(clCreateContext, null(), 1, &d, Some(note), data);
    let queue = create!(clCreateCommandQueue, context, d, 0);
    Session { context, queue }
}

fn status(event: Handle) -> cl_int {
    info!(u32, clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS) as cl_int
}

#[test]
fn accesses_outside_memory_are_reported() {
    let notes = Mutex::new(Vec::new());
    let session = noting(&notes);
    let out = session.buffer(&[0i32; 4]);
    let kernel = session.kernel("outside", &[out]);
    let (mut event, items) = (null_mut(), 4usize);
    let none = null();
    ok!(
        clEnqueueNDRangeKernel,
        session.queue,
        kernel,
        1,
        none,
        &items,
        none,
        0,
        null(),
        &mut event
    );
    refused!(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents, 1, &event);
    assert_eq!(status(event), CL_OUT_OF_RESOURCES);
    refused!(CL_OUT_OF_RESOURCES, clFinish, session.queue);
    // The error is returned once. Then the queue works again, and the kernel's earlier stores are kept.
    ok!(clFinish, session.queue);
    assert_eq!(session.read::<i32>(out, 4), [7; 4]);
    let message = notes.lock().expect("notes").join("\n");
    for part in [
        "program.cl:51:25: ",
        "kernel outside: global access out of range at address 0x4",
        "(SM 0, block 0, warp 0)",
        "PC 0x",
    ] {
        assert!(message.contains(part), "{part} is missing in: {message}");
    }
    ok!(clReleaseEvent, event);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

#[test]
fn blocking_call_reports_the_failure() {
    let session = Session::new();
    let out = session.buffer(&[0i32; 4]);
    let kernel = session.kernel("outside", &[out]);
    assert_eq!(session.run(kernel, 4), CL_SUCCESS);
    let mut values = [0i32; 4];
    let at = values.as_mut_ptr().cast();
    let code = call!(
        clEnqueueReadBuffer,
        session.queue,
        out,
        CL_TRUE,
        0,
        16,
        at,
        0,
        null(),
        null_mut()
    );
    assert_eq!(code, CL_OUT_OF_RESOURCES);
    ok!(clFinish, session.queue);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

/// A store past the end of a buffer is detected after the kernel, regardless of the next buffer's contents.
#[test]
fn store_after_a_buffer_is_detected() {
    let notes = Mutex::new(Vec::new());
    let session = noting(&notes);
    let (all, part) = (session.buffer(&[1f32; 8]), session.buffer(&[2f32; 4]));
    let after = session.buffer(&[3f32; 4]);
    // A group of eight work-items, with buffers of four and of eight results.
    for (b, sum, is_outside) in [(all, all, false), (all, part, true), (part, all, false)] {
        let kernel = session.kernel("add", &[all, b, sum]);
        assert_eq!(session.run(kernel, 8), CL_SUCCESS);
        let code = call!(clFinish, session.queue);
        assert_eq!(code == CL_OUT_OF_RESOURCES, is_outside, "{code}");
        ok!(clReleaseKernel, kernel);
    }
    let message = notes.lock().expect("notes").join("\n");
    let words =
        "kernel add has written outside its buffers: byte 16 of argument 2, which has 16 bytes; 16 bytes in all; \
                 FLEXGRIP_CHECK=1 names the line";
    assert!(
        message.contains(words) && message.matches("outside").count() == 1,
        "{message}"
    );
    assert_eq!(session.read::<f32>(after, 4), [3.0; 4]);
    for buffer in [all, part, after] {
        ok!(clReleaseMemObject, buffer);
    }
}

#[test]
fn null_pointers_are_reported() {
    let notes = Mutex::new(Vec::new());
    let session = noting(&notes);
    let out = session.buffer(&[1f32; 4]);
    let kernel = session.kernel("add", &[out, out]);
    ok!(clSetKernelArg, kernel, 2, size_of::<Handle>(), null());
    assert_eq!(session.run(kernel, 4), CL_SUCCESS);
    // Address 0 exists on this machine, but is not in a buffer.
    refused!(CL_OUT_OF_RESOURCES, clFinish, session.queue);
    let message = notes.lock().expect("notes").join("\n");
    assert!(
        message.contains("address 0x0, through argument 2, a null pointer; 16 bytes in all"),
        "{message}"
    );
    assert_eq!(session.read::<f32>(out, 4), [1.0; 4]);
    argument(kernel, 2, &out);
    assert_eq!(session.run(kernel, 4), CL_SUCCESS);
    assert_eq!(session.read::<f32>(out, 4), [2.0; 4]);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}
