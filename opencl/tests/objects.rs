//! Contexts and queues: creation, reference counts, queries.

use crate::driver::{device, platform, run_again, table, table_of, Handle, Session};
use crate::{call, create, info, no_object, ok, refused};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

#[test]
fn contexts_count_references() {
    let d = device();
    let properties = [CL_CONTEXT_PLATFORM, platform() as isize, 0];
    let context = create!(clCreateContext, properties.as_ptr(), 1, &d, None, null_mut());
    assert!(std::ptr::eq(table_of(context), table()));
    assert_eq!(info!(usize, clGetContextInfo, context, CL_CONTEXT_DEVICES), d as usize);
    assert_eq!(info!(u32, clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES), 1);
    let answer = info!([usize; 3], clGetContextInfo, context, CL_CONTEXT_PROPERTIES);
    assert_eq!(answer, properties.map(|property| property as usize));
    ok!(clRetainContext, context);
    assert_eq!(info!(u32, clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT), 2);
    ok!(clReleaseContext, context);
    ok!(clReleaseContext, context);
    refused!(CL_INVALID_CONTEXT, clReleaseContext, context);
    refused!(CL_INVALID_CONTEXT, clRetainContext, context);
    let of_type = create!(clCreateContextFromType, null(), CL_DEVICE_TYPE_GPU, None, null_mut());
    ok!(clReleaseContext, of_type);
}

#[test]
fn invalid_contexts_are_refused() {
    let d = device();
    no_object!(CL_INVALID_VALUE, clCreateContext, null(), 0, &d, None, null_mut());
    no_object!(CL_INVALID_VALUE, clCreateContext, null(), 1, null(), None, null_mut());
    no_object!(
        CL_INVALID_VALUE,
        clCreateContext,
        null(),
        u32::MAX,
        null(),
        None,
        null_mut()
    );
    no_object!(
        CL_INVALID_DEVICE,
        clCreateContext,
        null(),
        1,
        &platform(),
        None,
        null_mut()
    );
    no_object!(CL_INVALID_VALUE, clCreateContext, null(), 1, &d, None, platform());
    for (properties, code) in [
        ([CL_CONTEXT_PLATFORM, d as isize, 0, 0, 0], CL_INVALID_PLATFORM),
        ([0x2000, 1, 0, 0, 0], CL_INVALID_PROPERTY),
        (
            [
                CL_CONTEXT_PLATFORM,
                platform() as isize,
                CL_CONTEXT_PLATFORM,
                platform() as isize,
                0,
            ],
            CL_INVALID_PROPERTY,
        ),
    ] {
        no_object!(code, clCreateContext, properties.as_ptr(), 1, &d, None, null_mut());
    }
    no_object!(
        CL_DEVICE_NOT_FOUND,
        clCreateContextFromType,
        null(),
        CL_DEVICE_TYPE_CPU,
        None,
        null_mut()
    );
}

#[test]
fn queues_answer_queries() {
    let session = Session::new();
    let queue = session.queue;
    assert_eq!(
        info!(usize, clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT),
        session.context as usize
    );
    assert_eq!(
        info!(usize, clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE),
        device() as usize
    );
    let properties = || info!(u64, clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES);
    assert_eq!(properties(), CL_QUEUE_PROFILING_ENABLE);
    let mut old = 0;
    ok!(
        clSetCommandQueueProperty,
        queue,
        CL_QUEUE_PROFILING_ENABLE,
        CL_FALSE,
        &mut old
    );
    assert_eq!((old, properties()), (CL_QUEUE_PROFILING_ENABLE, 0));
    ok!(clFlush, queue);
    ok!(clFinish, queue);
    let (context, d) = (session.context, device());
    let disorder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    no_object!(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueue, context, d, disorder);
    no_object!(CL_INVALID_VALUE, clCreateCommandQueue, context, d, 1 << 9);
    no_object!(CL_INVALID_DEVICE, clCreateCommandQueue, context, context, 0);
    no_object!(CL_INVALID_CONTEXT, clCreateCommandQueue, d, d, 0);
    refused!(CL_INVALID_COMMAND_QUEUE, clFinish, context);
}

/// Idle queues have no threads. With a thread each, some 16,000 queues ended the program.
#[test]
fn any_number_of_queues_can_exist() {
    let session = Session::new();
    let queues: Vec<Handle> = (0..20_000)
        .map(|_| create!(clCreateCommandQueue, session.context, device(), 0))
        .collect();
    for &queue in queues.iter().step_by(8) {
        ok!(clEnqueueMarkerWithWaitList, queue, 0, null(), null_mut());
        ok!(clFinish, queue);
    }
    for queue in queues {
        ok!(clReleaseCommandQueue, queue);
    }
}

/// The limit is for a whole process, so this test runs in a separate one.
#[test]
fn number_of_busy_queues_is_limited() {
    const ALONE: &str = "FLEXGRIP_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let output = run_again("objects::number_of_busy_queues_is_limited", &[(ALONE, "1")]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let session = Session::new();
    let queue = || create!(clCreateCommandQueue, session.context, device(), 0);
    let gate = create!(clCreateUserEvent, session.context);
    let (another, mut event) = (queue(), null_mut());
    let buffer = session.buffer(&[5u8; 4]);
    let at = create!(
        clEnqueueMapBuffer,
        another,
        buffer,
        CL_TRUE,
        CL_MAP_WRITE,
        0,
        4,
        0,
        null(),
        null_mut()
    );
    let busy: Vec<Handle> = (0..1024).map(|_| queue()).collect();
    for &queue in &busy {
        // The thread that has mapped the buffer may still be ending.
        while call!(clEnqueueMarkerWithWaitList, queue, 1, &gate, null_mut()) != CL_SUCCESS {
            std::thread::yield_now();
        }
    }
    refused!(
        CL_OUT_OF_HOST_MEMORY,
        clEnqueueMarkerWithWaitList,
        another,
        0,
        null(),
        &mut event
    );
    assert!(event.is_null());
    // A region that could not be unmapped is still mapped, with its memory.
    let unmap = || call!(clEnqueueUnmapMemObject, another, buffer, at, 0, null(), null_mut());
    assert_eq!(unmap(), CL_OUT_OF_HOST_MEMORY);
    assert_eq!(info!(u32, clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 1);
    // SAFETY: four bytes are mapped at this address.
    unsafe { at.cast::<[u8; 4]>().write([6, 7, 8, 9]) };
    ok!(clFinish, another);
    // A queue that has a thread accepts further commands.
    ok!(clEnqueueMarkerWithWaitList, busy[0], 1, &gate, null_mut());
    ok!(clSetUserEventStatus, gate, CL_COMPLETE);
    for queue in busy {
        ok!(clFinish, queue);
    }
    // The threads may still be ending.
    while unmap() != CL_SUCCESS {
        std::thread::yield_now();
    }
    ok!(clFinish, another);
    let mut seen = [0u8; 4];
    let to = seen.as_mut_ptr().cast();
    let read = || {
        call!(
            clEnqueueReadBuffer,
            another,
            buffer,
            CL_TRUE,
            0,
            4,
            to,
            0,
            null(),
            null_mut()
        )
    };
    while read() != CL_SUCCESS {
        std::thread::yield_now();
    }
    assert_eq!(seen, [6, 7, 8, 9]);
}

#[test]
fn a_queue_keeps_its_context() {
    let session = Session::new();
    ok!(clReleaseContext, session.context);
    let context = info!(usize, clGetCommandQueueInfo, session.queue, CL_QUEUE_CONTEXT) as *mut c_void;
    assert_eq!(context, session.context);
    assert_eq!(info!(u32, clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT), 0);
    ok!(clRetainContext, context);
}

#[test]
fn other_objects_are_refused() {
    let session = Session::new();
    let buffer = session.buffer(&[0u32; 4]);
    refused!(CL_INVALID_EVENT, clReleaseEvent, buffer);
    refused!(CL_INVALID_KERNEL, clRetainKernel, session.queue);
    refused!(CL_INVALID_PROGRAM, clRetainProgram, buffer);
    refused!(CL_INVALID_MEM_OBJECT, clRetainMemObject, session.context);
    ok!(clReleaseMemObject, buffer);
    refused!(CL_INVALID_MEM_OBJECT, clReleaseMemObject, buffer);
    // An address that was never an object, and an address that must not be dereferenced.
    let local = 5usize;
    let at: *const usize = &local;
    refused!(CL_INVALID_MEM_OBJECT, clRetainMemObject, at.cast_mut().cast());
    refused!(CL_INVALID_MEM_OBJECT, clRetainMemObject, 8 as *mut c_void);
}

/// Counts its calls.
unsafe extern "C" fn counts(_object: *mut c_void, data: *mut c_void) {
    // SAFETY: the tests pass a pointer to a counter.
    unsafe { *data.cast::<u32>() += 1 };
}

#[test]
fn destructors_are_called_at_the_end() {
    let mut calls = 0u32;
    let at: *mut u32 = &mut calls;
    let session = Session::new();
    ok!(clSetContextDestructorCallback, session.context, Some(counts), at.cast());
    let buffer = session.buffer(&[1u8]);
    ok!(clSetMemObjectDestructorCallback, buffer, Some(counts), at.cast());
    ok!(clSetMemObjectDestructorCallback, buffer, Some(counts), at.cast());
    refused!(
        CL_INVALID_VALUE,
        clSetMemObjectDestructorCallback,
        buffer,
        None,
        null_mut()
    );
    ok!(clReleaseMemObject, buffer);
    // SAFETY: the counter is still valid.
    assert_eq!(unsafe { at.read_volatile() }, 2);
    drop(session);
    for _ in 0..1000 {
        // SAFETY: the counter is still valid. The queue's thread keeps the context until the thread has ended.
        if unsafe { at.read_volatile() } == 3 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("the context's destructor was not called");
}
