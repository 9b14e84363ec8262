//! Events: waiting, times, callbacks, user events, calls from several threads.

use crate::driver::{argument, Handle, Session};
use crate::{call, create, info, no_object, ok, refused};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

fn status(event: Handle) -> cl_int {
    info!(u32, clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS) as cl_int
}

fn time(event: Handle, question: cl_profiling_info) -> u64 {
    info!(u64, clGetEventProfilingInfo, event, question)
}

#[test]
fn times_are_the_devices() {
    let session = Session::new();
    let out = session.buffer(&[0i32; 64]);
    let kernel = session.kernel("count", &[out]);
    let mut spans = Vec::new();
    for rounds in [1000i32, 2000, 3000] {
        argument(kernel, 1, &rounds);
        let (mut event, items) = (null_mut(), 64usize);
        let (none, queue) = (null(), session.queue);
        ok!(
            clEnqueueNDRangeKernel,
            queue,
            kernel,
            1,
            none,
            &items,
            none,
            0,
            null(),
            &mut event
        );
        ok!(clWaitForEvents, 1, &event);
        assert_eq!(status(event), CL_COMPLETE);
        assert_eq!(
            info!(u32, clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
            CL_COMMAND_NDRANGE_KERNEL
        );
        assert_eq!(
            info!(usize, clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE),
            session.queue as usize
        );
        let (queued, submit) = (
            time(event, CL_PROFILING_COMMAND_QUEUED),
            time(event, CL_PROFILING_COMMAND_SUBMIT),
        );
        let (start, end) = (
            time(event, CL_PROFILING_COMMAND_START),
            time(event, CL_PROFILING_COMMAND_END),
        );
        assert!(queued <= submit && submit <= start && start < end);
        spans.push(end - start);
        refused!(
            CL_INVALID_VALUE,
            clGetEventProfilingInfo,
            event,
            1,
            0,
            null_mut(),
            null_mut()
        );
        ok!(clReleaseEvent, event);
    }
    // Each round takes the same time. A difference of 1 ns is a rounding error of the conversion from cycles.
    assert!(spans[1] > spans[0], "{spans:?}");
    assert!((spans[2] - spans[1]).abs_diff(spans[1] - spans[0]) <= 1, "{spans:?}");
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

#[test]
fn queues_without_profiling_have_no_times() {
    let session = Session::new();
    let off = CL_FALSE;
    ok!(
        clSetCommandQueueProperty,
        session.queue,
        CL_QUEUE_PROFILING_ENABLE,
        off,
        null_mut()
    );
    let mut event = null_mut();
    ok!(clEnqueueMarker, session.queue, &mut event);
    ok!(clFinish, session.queue);
    let none = CL_PROFILING_INFO_NOT_AVAILABLE;
    refused!(
        none,
        clGetEventProfilingInfo,
        event,
        CL_PROFILING_COMMAND_END,
        0,
        null_mut(),
        null_mut()
    );
    ok!(clReleaseEvent, event);
    refused!(CL_INVALID_VALUE, clEnqueueMarker, session.queue, null_mut());
    ok!(clEnqueueBarrier, session.queue);
}

#[test]
fn commands_wait_for_events() {
    let session = Session::new();
    let gate = create!(clCreateUserEvent, session.context);
    let buffer = session.buffer(&[1u8]);
    let (mut event, two) = (null_mut(), 2u8);
    let at: *const u8 = &two;
    ok!(
        clEnqueueWriteBuffer,
        session.queue,
        buffer,
        CL_FALSE,
        0,
        1,
        at.cast(),
        1,
        &gate,
        &mut event
    );
    std::thread::sleep(Duration::from_millis(20));
    assert!(status(event) > CL_COMPLETE);
    assert_eq!(status(gate), CL_SUBMITTED);
    ok!(clSetUserEventStatus, gate, CL_COMPLETE);
    refused!(CL_INVALID_OPERATION, clSetUserEventStatus, gate, CL_COMPLETE);
    ok!(clWaitForEvents, 1, &event);
    assert_eq!(session.read::<u8>(buffer, 1), [2]);
    ok!(clEnqueueWaitForEvents, session.queue, 1, &event);
    ok!(clEnqueueBarrierWithWaitList, session.queue, 1, &event, null_mut());
    ok!(clEnqueueMarkerWithWaitList, session.queue, 1, &event, null_mut());
    ok!(clFinish, session.queue);
    for event in [event, gate] {
        ok!(clReleaseEvent, event);
    }
    ok!(clReleaseMemObject, buffer);
}

#[test]
fn failed_event_fails_waiting_commands() {
    let session = Session::new();
    let gate = create!(clCreateUserEvent, session.context);
    let mut event = null_mut();
    ok!(clEnqueueMarkerWithWaitList, session.queue, 1, &gate, &mut event);
    refused!(CL_INVALID_VALUE, clSetUserEventStatus, gate, CL_SUBMITTED);
    ok!(clSetUserEventStatus, gate, -1);
    let failed = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    refused!(failed, clWaitForEvents, 1, &event);
    assert_eq!(status(event), failed);
    refused!(failed, clFinish, session.queue);
    ok!(clFinish, session.queue);
    for event in [event, gate] {
        ok!(clReleaseEvent, event);
    }
    // A user event that can no longer be set must not block a queue forever.
    let gate = create!(clCreateUserEvent, session.context);
    ok!(clEnqueueMarkerWithWaitList, session.queue, 1, &gate, null_mut());
    ok!(clReleaseEvent, gate);
    refused!(failed, clFinish, session.queue);
}

#[test]
fn invalid_lists_are_refused() {
    let session = Session::new();
    let (queue, buffer) = (session.queue, session.buffer(&[0u8; 4]));
    let mut byte = 0u8;
    let at: *mut u8 = &mut byte;
    let at = at.cast();
    let bad = CL_INVALID_EVENT_WAIT_LIST;
    refused!(
        bad,
        clEnqueueReadBuffer,
        queue,
        buffer,
        CL_TRUE,
        0,
        1,
        at,
        1,
        null(),
        null_mut()
    );
    refused!(
        bad,
        clEnqueueReadBuffer,
        queue,
        buffer,
        CL_TRUE,
        0,
        1,
        at,
        0,
        &buffer,
        null_mut()
    );
    refused!(
        bad,
        clEnqueueReadBuffer,
        queue,
        buffer,
        CL_TRUE,
        0,
        1,
        at,
        1,
        &buffer,
        null_mut()
    );
    no_object!(
        bad,
        clEnqueueMapBuffer,
        queue,
        buffer,
        CL_TRUE,
        CL_MAP_READ,
        0,
        1,
        1,
        &buffer,
        null_mut()
    );
    assert_eq!(info!(u32, clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 0);
    refused!(CL_INVALID_VALUE, clWaitForEvents, 0, null());
    refused!(CL_INVALID_EVENT, clWaitForEvents, 1, &buffer);
    refused!(CL_INVALID_EVENT, clEnqueueWaitForEvents, queue, 1, &buffer);
    let other = Session::new();
    let foreign = create!(clCreateUserEvent, other.context);
    refused!(
        CL_INVALID_CONTEXT,
        clEnqueueMarkerWithWaitList,
        queue,
        1,
        &foreign,
        null_mut()
    );
    ok!(clReleaseEvent, foreign);
    ok!(clReleaseMemObject, buffer);
}

unsafe extern "C" fn note(_event: *mut c_void, status: cl_int, data: *mut c_void) {
    // SAFETY: the test passes an atomic that is still valid.
    unsafe { &*data.cast::<AtomicI32>() }.store(status, Ordering::SeqCst);
}

#[test]
fn callbacks_are_called() {
    let session = Session::new();
    let seen = [const { AtomicI32::new(99) }; 3];
    let data = |index: usize| std::ptr::from_ref(&seen[index]).cast_mut().cast::<c_void>();
    let gate = create!(clCreateUserEvent, session.context);
    ok!(clSetEventCallback, gate, CL_COMPLETE, Some(note), data(0));
    ok!(clSetEventCallback, gate, CL_SUBMITTED, Some(note), data(1));
    assert_eq!(seen[1].load(Ordering::SeqCst), CL_SUBMITTED);
    assert_eq!(seen[0].load(Ordering::SeqCst), 99);
    ok!(clSetUserEventStatus, gate, -7);
    assert_eq!(seen[0].load(Ordering::SeqCst), -7);
    ok!(clSetEventCallback, gate, CL_COMPLETE, Some(note), data(2));
    assert_eq!(seen[2].load(Ordering::SeqCst), -7);
    refused!(
        CL_INVALID_VALUE,
        clSetEventCallback,
        gate,
        CL_QUEUED,
        Some(note),
        data(2)
    );
    refused!(
        CL_INVALID_VALUE,
        clSetEventCallback,
        gate,
        CL_COMPLETE,
        None,
        null_mut()
    );
    ok!(clReleaseEvent, gate);
}

#[test]
fn several_threads_share_a_context() {
    let session = Session::new();
    let context = session.context as usize;
    std::thread::scope(|scope| {
        for thread in 0..8u32 {
            scope.spawn(move || {
                let context = context as Handle;
                ok!(clRetainContext, context);
                let session = Session {
                    context,
                    queue: create!(clCreateCommandQueue, context, crate::driver::device(), 0),
                };
                for round in 0..10 {
                    let numbers = [(thread * 100 + round) as f32; 96];
                    let buffers = [
                        session.buffer(&numbers),
                        session.buffer(&numbers),
                        session.buffer(&[0f32; 96]),
                    ];
                    let kernel = session.kernel("add", &buffers);
                    assert_eq!(session.run(kernel, 96), CL_SUCCESS);
                    assert_eq!(session.read::<f32>(buffers[2], 96), numbers.map(|number| 2.0 * number));
                    ok!(clReleaseKernel, kernel);
                    for buffer in buffers {
                        ok!(clReleaseMemObject, buffer);
                    }
                }
            });
        }
    });
    assert_eq!(call!(clFinish, session.queue), CL_SUCCESS);
}
