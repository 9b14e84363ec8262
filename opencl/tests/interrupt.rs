//! SIGINT while a call waits for a kernel. A separate test program, because signals affect the whole process.
#![allow(unsafe_code, reason = "the driver's entry points are C functions")]
#![allow(dead_code, unused_imports, unused_macros)]

mod driver;

use driver::{argument, call, create, device, ok, run_again, Session, RACE};
use opencl_sys::*;
use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static CALLED: AtomicUsize = AtomicUsize::new(0);

/// A handler that only records the signal, like Python's.
extern "C" fn handler(_: c_int) {
    CALLED.fetch_add(1, Ordering::Relaxed);
}

/// The same, as a handler that also receives information about the signal.
extern "C" fn handler_with_info(signal: c_int, info: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: a handler that is installed with SA_SIGINFO receives the information.
    if signal == libc::SIGINT && unsafe { (*info).si_signo } == signal {
        CALLED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Installs one of these handlers.
fn install(with_info: bool) {
    let mut own = action();
    own.sa_sigaction = handler as extern "C" fn(c_int) as usize;
    own.sa_flags &= !libc::SA_SIGINFO;
    if with_info {
        own.sa_sigaction = handler_with_info as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize;
        own.sa_flags |= libc::SA_SIGINFO;
    }
    // SAFETY: the handler has the signature for these flags.
    unsafe { assert_eq!(libc::sigaction(libc::SIGINT, &own, null_mut()), 0) };
}

fn action() -> libc::sigaction {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the action has space for the result, which the call writes.
    unsafe {
        assert_eq!(libc::sigaction(libc::SIGINT, null(), action.as_mut_ptr()), 0);
        action.assume_init()
    }
}

/// Calls a function that waits, and raises the signal in the meantime. Also returns the time from the signal to the end
/// of the call.
fn signalled(wait: impl FnOnce() -> cl_int) -> (cl_int, Duration) {
    let (before, programs) = (CALLED.load(Ordering::Relaxed), action().sa_sigaction);
    let thread = std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(200));
        // SAFETY: the process has a handler for the signal.
        unsafe { libc::kill(libc::getpid(), libc::SIGINT) };
        Instant::now()
    });
    let result = wait();
    let since = thread.join().expect("the thread").elapsed();
    assert_eq!(CALLED.load(Ordering::Relaxed), before + 1, "the program's handler");
    assert_eq!(action().sa_sigaction, programs);
    (result, since)
}

/// Calls a function that must return soon after the signal.
fn interrupted(wait: impl FnOnce() -> cl_int) -> cl_int {
    let (result, since) = signalled(wait);
    assert!(since < Duration::from_secs(1), "{since:?} after the signal");
    result
}

#[test]
fn a_kernel_without_an_end_is_stopped() {
    install(false);
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
    install(true);
    assert_eq!(session.run(kernel, 64), CL_SUCCESS);
    assert_eq!(interrupted(|| call!(clFinish, session.queue)), CL_OUT_OF_RESOURCES);
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

static TOLD: AtomicBool = AtomicBool::new(false);

/// Takes much longer than an interrupted call waits for its command.
unsafe extern "C" fn slow(_message: *const c_char, _info: *const c_void, _bytes: usize, _data: *mut c_void) {
    TOLD.store(true, Ordering::SeqCst);
    std::thread::sleep(Duration::from_secs(2));
}

/// A blocking read that has begun, and waits for a buffer that a kernel on another queue uses: the checker reports the
/// kernel's error while the kernel has the buffer. The call once returned before the read, which then wrote into memory
/// that the application may have freed. The test runs again in another process, because of the checker and the signal.
#[test]
fn a_blocking_call_does_not_return_before_its_command_ends() {
    const CHECK: &str = "FLEXGRIP_CHECK";
    if std::env::var_os(CHECK).is_none() {
        let test = "a_blocking_call_does_not_return_before_its_command_ends";
        let output = run_again(test, &[(CHECK, "1")]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    install(false);
    let d = device();
    let context = create!(clCreateContext, null(), 1, &d, Some(slow), null_mut());
    let [first, second] = [(); 2].map(|()| create!(clCreateCommandQueue, context, d, 0));
    let session = Session { context, queue: first };
    let out = session.buffer(&[1u32]);
    let program = session.program_of(RACE);
    ok!(clBuildProgram, program, 0, null(), null(), None, null_mut());
    let kernel = create!(clCreateKernel, program, c"race".as_ptr());
    argument(kernel, 0, &out);
    assert_eq!(session.run(kernel, 2), CL_SUCCESS);
    while !TOLD.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
    let mut word = 0u32;
    let at: *mut u32 = &mut word;
    let read = || {
        call!(
            clEnqueueReadBuffer,
            second,
            out,
            CL_TRUE,
            0,
            4,
            at.cast(),
            0,
            null(),
            null_mut()
        )
    };
    let (result, _) = signalled(read);
    // SAFETY: the pointer is to a local variable.
    let now = unsafe { at.read_volatile() };
    assert!(result == CL_SUCCESS && [7, 8].contains(&now), "{result}, {now}");
    ok!(clFinish, first);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseProgram, program);
    ok!(clReleaseMemObject, out);
    ok!(clReleaseCommandQueue, second);
}
