//! SIGINT while a call waits for a kernel. A separate test program, because signals affect the whole process.
#![allow(unsafe_code, reason = "the driver's entry points are C functions")]
#![allow(dead_code, unused_imports, unused_macros)]

mod driver;

use driver::{call, create, ok, Session};
use opencl_sys::*;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static CALLED: AtomicUsize = AtomicUsize::new(0);

/// A handler that only records the signal, like Python's.
extern "C" fn handler(_: c_int) {
    CALLED.fetch_add(1, Ordering::Relaxed);
}

fn action() -> libc::sigaction {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the action has space for the result, which the call writes.
    unsafe {
        assert_eq!(libc::sigaction(libc::SIGINT, null(), action.as_mut_ptr()), 0);
        action.assume_init()
    }
}

/// Calls a function that waits, and raises the signal in the meantime.
fn interrupted(wait: impl FnOnce() -> cl_int) -> cl_int {
    let before = CALLED.load(Ordering::Relaxed);
    let thread = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(200));
        // SAFETY: the process has a handler for the signal.
        unsafe { libc::kill(libc::getpid(), libc::SIGINT) };
        Instant::now()
    });
    let result = wait();
    let raised = thread.join().expect("the thread");
    let since = raised.elapsed();
    assert!(since < Duration::from_secs(1), "{since:?} after the signal");
    assert_eq!(CALLED.load(Ordering::Relaxed), before + 1, "the program's handler");
    assert_eq!(action().sa_sigaction, handler as extern "C" fn(c_int) as usize);
    result
}

#[test]
fn a_kernel_without_an_end_is_stopped() {
    let mut own = action();
    own.sa_sigaction = handler as extern "C" fn(c_int) as usize;
    // SAFETY: the handler has this signature, and SA_SIGINFO is not set.
    unsafe { assert_eq!(libc::sigaction(libc::SIGINT, &own, null_mut()), 0) };
    let session = Session::new();
    let out = session.buffer(&[0u32; 256]);
    let kernel = session.kernel("endless", &[out]);
    // A single group runs in turns, several groups on separate threads.
    for items in [64, 4096] {
        assert_eq!(session.run(kernel, items), CL_SUCCESS);
        // A command that was enqueued before the signal is not started after it.
        assert_eq!(session.run(kernel, items), CL_SUCCESS);
        assert_eq!(interrupted(|| call!(clFinish, session.queue)), CL_OUT_OF_RESOURCES);
    }
    // The call waits for an event.
    let mut event = null_mut();
    let queue = session.queue;
    ok!(clEnqueueTask, queue, kernel, 0, null(), &mut event);
    let waited = interrupted(|| call!(clWaitForEvents, 1, &event));
    assert_eq!(waited, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ok!(clReleaseEvent, event);
    // A blocking call waits; its own command is not started.
    let mut words = [0u32; 4];
    let at = words.as_mut_ptr().cast();
    assert_eq!(
        call!(clFinish, queue),
        CL_OUT_OF_RESOURCES,
        "the error is returned once"
    );
    ok!(clEnqueueTask, queue, kernel, 0, null(), null_mut());
    let read = || {
        call!(
            clEnqueueReadBuffer,
            queue,
            out,
            CL_TRUE,
            0,
            16,
            at,
            0,
            null(),
            null_mut()
        )
    };
    assert_eq!(interrupted(read), CL_OUT_OF_RESOURCES);
    // The call waits for a user event that is never completed.
    let user = create!(clCreateUserEvent, session.context);
    let waited = interrupted(|| call!(clWaitForEvents, 1, &user));
    assert_eq!(waited, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ok!(clReleaseEvent, user);
    // After that, the driver works as before.
    let other = session.buffer(&[1f32; 6]);
    let weigh = session.kernel("weigh", &[other]);
    assert_eq!(session.run(weigh, 6), CL_SUCCESS);
    assert_eq!(session.read::<f32>(other, 6), [1.0, 2.0, 3.0, 4.0, 1.0, 2.0]);
    for kernel in [kernel, weigh] {
        ok!(clReleaseKernel, kernel);
    }
    for buffer in [out, other] {
        ok!(clReleaseMemObject, buffer);
    }
}
