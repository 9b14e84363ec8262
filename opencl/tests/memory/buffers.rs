//! Buffers: creation, sub-buffers, reading, writing, copying, filling, mapping.

use crate::driver::{Handle, Session};
use crate::{create, info, no_object, ok, refused};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

fn map(session: &Session, buffer: Handle, flags: u64, offset: usize, size: usize) -> *mut u8 {
    let queue = session.queue;
    create!(
        clEnqueueMapBuffer,
        queue,
        buffer,
        CL_TRUE,
        flags,
        offset,
        size,
        0,
        null(),
        null_mut()
    )
    .cast()
}

#[test]
fn buffer_queries_are_answered() {
    let session = Session::new();
    let buffer = create!(clCreateBuffer, session.context, 0, 100, null_mut());
    assert_eq!(
        info!(u32, clGetMemObjectInfo, buffer, CL_MEM_TYPE),
        CL_MEM_OBJECT_BUFFER
    );
    assert_eq!(info!(u64, clGetMemObjectInfo, buffer, CL_MEM_FLAGS), CL_MEM_READ_WRITE);
    assert_eq!(info!(usize, clGetMemObjectInfo, buffer, CL_MEM_SIZE), 100);
    assert_eq!(info!(usize, clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR), 0);
    assert_eq!(info!(u32, clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 0);
    assert_eq!(
        info!(usize, clGetMemObjectInfo, buffer, CL_MEM_CONTEXT),
        session.context as usize
    );
    ok!(clReleaseMemObject, buffer);
}

#[test]
fn invalid_buffers_are_refused() {
    let session = Session::new();
    let context = session.context;
    let mut bytes = [0u8; 8];
    let host: *mut c_void = bytes.as_mut_ptr().cast();
    no_object!(CL_INVALID_BUFFER_SIZE, clCreateBuffer, context, 0, 0, null_mut());
    no_object!(
        CL_INVALID_BUFFER_SIZE,
        clCreateBuffer,
        context,
        0,
        (128 << 20) + 1,
        null_mut()
    );
    no_object!(
        CL_INVALID_BUFFER_SIZE,
        clCreateBuffer,
        context,
        0,
        usize::MAX,
        null_mut()
    );
    no_object!(
        CL_INVALID_HOST_PTR,
        clCreateBuffer,
        context,
        CL_MEM_COPY_HOST_PTR,
        8,
        null_mut()
    );
    no_object!(CL_INVALID_HOST_PTR, clCreateBuffer, context, 0, 8, host);
    let both = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    no_object!(CL_INVALID_VALUE, clCreateBuffer, context, both, 8, null_mut());
    let both = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    no_object!(CL_INVALID_VALUE, clCreateBuffer, context, both, 8, host);
    no_object!(CL_INVALID_VALUE, clCreateBuffer, context, 1 << 40, 8, null_mut());
    no_object!(CL_INVALID_CONTEXT, clCreateBuffer, session.queue, 0, 8, null_mut());
}

#[test]
fn commands_transfer_bytes() {
    let session = Session::new();
    let queue = session.queue;
    let one = session.buffer(&[1u32, 2, 3, 4]);
    let two = create!(clCreateBuffer, session.context, CL_MEM_READ_WRITE, 16, null_mut());
    assert_eq!(session.read::<u32>(two, 4), [0; 4]);
    ok!(clEnqueueCopyBuffer, queue, one, two, 4, 8, 8, 0, null(), null_mut());
    assert_eq!(session.read::<u32>(two, 4), [0, 0, 2, 3]);
    let values = [9u32, 8];
    let at = values.as_ptr().cast();
    ok!(
        clEnqueueWriteBuffer,
        queue,
        two,
        CL_FALSE,
        0,
        8,
        at,
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u32>(two, 4), [9, 8, 2, 3]);
    let pattern = [0xabu8, 0xcd];
    ok!(
        clEnqueueFillBuffer,
        queue,
        two,
        pattern.as_ptr().cast(),
        2,
        4,
        8,
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u32>(two, 4), [9, 0xcdab_cdab, 0xcdab_cdab, 3]);
    // A copy within a buffer.
    ok!(clEnqueueCopyBuffer, queue, one, one, 0, 8, 8, 0, null(), null_mut());
    assert_eq!(session.read::<u32>(one, 4), [1, 2, 1, 2]);
    refused!(
        CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBuffer,
        queue,
        one,
        one,
        0,
        4,
        8,
        0,
        null(),
        null_mut()
    );
    ok!(clEnqueueMigrateMemObjects, queue, 1, &one, 0, 0, null(), null_mut());
    for buffer in [one, two] {
        ok!(clReleaseMemObject, buffer);
    }
}

#[test]
fn regions_outside_are_refused() {
    let session = Session::new();
    let (queue, buffer) = (session.queue, session.buffer(&[0u8; 16]));
    let mut bytes = [0u8; 32];
    let at: *mut c_void = bytes.as_mut_ptr().cast();
    let bad = CL_INVALID_VALUE;
    for (offset, size) in [(0, 17), (16, 1), (usize::MAX, 1), (1, usize::MAX), (0, 0)] {
        refused!(
            bad,
            clEnqueueReadBuffer,
            queue,
            buffer,
            CL_TRUE,
            offset,
            size,
            at,
            0,
            null(),
            null_mut()
        );
        refused!(
            bad,
            clEnqueueWriteBuffer,
            queue,
            buffer,
            CL_TRUE,
            offset,
            size,
            at,
            0,
            null(),
            null_mut()
        );
        refused!(
            bad,
            clEnqueueCopyBuffer,
            queue,
            buffer,
            buffer,
            offset,
            0,
            size,
            0,
            null(),
            null_mut()
        );
        refused!(
            bad,
            clEnqueueFillBuffer,
            queue,
            buffer,
            at,
            1,
            offset,
            size,
            0,
            null(),
            null_mut()
        );
        let read = CL_MAP_READ;
        no_object!(
            bad,
            clEnqueueMapBuffer,
            queue,
            buffer,
            CL_TRUE,
            read,
            offset,
            size,
            0,
            null(),
            null_mut()
        );
    }
    refused!(
        bad,
        clEnqueueReadBuffer,
        queue,
        buffer,
        CL_TRUE,
        0,
        4,
        null_mut(),
        0,
        null(),
        null_mut()
    );
    for (length, offset, size) in [(3, 0, 12), (4, 2, 4), (4, 0, 6), (0, 0, 4), (256, 0, 16)] {
        refused!(
            bad,
            clEnqueueFillBuffer,
            queue,
            buffer,
            at,
            length,
            offset,
            size,
            0,
            null(),
            null_mut()
        );
    }
    let other = Session::new();
    let foreign = CL_INVALID_CONTEXT;
    refused!(
        foreign,
        clEnqueueReadBuffer,
        other.queue,
        buffer,
        CL_TRUE,
        0,
        4,
        at,
        0,
        null(),
        null_mut()
    );
    ok!(clReleaseMemObject, buffer);
}

#[test]
fn mapped_buffers_have_their_contents() {
    let session = Session::new();
    let buffer = session.buffer(&[1u8, 2, 3, 4, 5, 6, 7, 8]);
    let at = map(&session, buffer, CL_MAP_READ | CL_MAP_WRITE, 2, 4);
    assert_eq!(info!(u32, clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 1);
    // SAFETY: four bytes are mapped at this address until they are unmapped.
    let region = unsafe { std::slice::from_raw_parts_mut(at, 4) };
    assert_eq!(region, [3, 4, 5, 6]);
    region.copy_from_slice(&[30, 40, 50, 60]);
    ok!(
        clEnqueueUnmapMemObject,
        session.queue,
        buffer,
        at.cast(),
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u8>(buffer, 8), [1, 2, 30, 40, 50, 60, 7, 8]);
    assert_eq!(info!(u32, clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 0);
    let again = at.cast();
    refused!(
        CL_INVALID_VALUE,
        clEnqueueUnmapMemObject,
        session.queue,
        buffer,
        again,
        0,
        null(),
        null_mut()
    );
    // Changes in a region that is mapped only for reading are dropped.
    let at = map(&session, buffer, CL_MAP_READ, 0, 8);
    // SAFETY: eight bytes are mapped at this address.
    unsafe { at.write(99) };
    ok!(
        clEnqueueUnmapMemObject,
        session.queue,
        buffer,
        at.cast(),
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u8>(buffer, 1), [1]);
    ok!(clReleaseMemObject, buffer);
}

#[test]
fn buffers_use_the_applications_memory() {
    let session = Session::new();
    let mut bytes = [1u8, 2, 3, 4];
    let host = bytes.as_mut_ptr();
    let buffer = create!(clCreateBuffer, session.context, CL_MEM_USE_HOST_PTR, 4, host.cast());
    assert_eq!(info!(usize, clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR), host as usize);
    let nine = 9u8;
    let value: *const u8 = &nine;
    ok!(
        clEnqueueFillBuffer,
        session.queue,
        buffer,
        value.cast(),
        1,
        1,
        2,
        0,
        null(),
        null_mut()
    );
    let at = map(&session, buffer, CL_MAP_READ | CL_MAP_WRITE, 1, 3);
    assert_eq!(at as usize, host as usize + 1);
    // SAFETY: the pointer is into the array above, which is mapped now.
    unsafe {
        assert_eq!(host.add(1).read(), 9);
        host.add(3).write(77);
    }
    ok!(
        clEnqueueUnmapMemObject,
        session.queue,
        buffer,
        at.cast(),
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u8>(buffer, 4), [1, 9, 9, 77]);
    ok!(clReleaseMemObject, buffer);
}

#[test]
fn sub_buffers_are_parts_of_buffers() {
    let session = Session::new();
    let whole = session.buffer(&[0u8; 1024]);
    let region = cl_buffer_region { origin: 256, size: 300 };
    let at: *const cl_buffer_region = &region;
    let kind = CL_BUFFER_CREATE_TYPE_REGION;
    let part = create!(clCreateSubBuffer, whole, 0, kind, at.cast());
    assert_eq!(info!(usize, clGetMemObjectInfo, part, CL_MEM_OFFSET), 256);
    assert_eq!(info!(usize, clGetMemObjectInfo, part, CL_MEM_SIZE), 300);
    assert_eq!(
        info!(usize, clGetMemObjectInfo, part, CL_MEM_ASSOCIATED_MEMOBJECT),
        whole as usize
    );
    let five = 5u8;
    let value: *const u8 = &five;
    ok!(
        clEnqueueFillBuffer,
        session.queue,
        part,
        value.cast(),
        1,
        298,
        2,
        0,
        null(),
        null_mut()
    );
    refused!(
        CL_INVALID_VALUE,
        clEnqueueFillBuffer,
        session.queue,
        part,
        value.cast(),
        1,
        299,
        2,
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u8>(whole, 557)[553..], [0, 5, 5, 0]);
    no_object!(CL_INVALID_MEM_OBJECT, clCreateSubBuffer, part, 0, kind, at.cast());
    for (origin, size, code) in [
        (100, 4, CL_MISALIGNED_SUB_BUFFER_OFFSET),
        (0, 0, CL_INVALID_BUFFER_SIZE),
        (512, 513, CL_INVALID_VALUE),
    ] {
        let region = cl_buffer_region { origin, size };
        let at: *const cl_buffer_region = &region;
        no_object!(code, clCreateSubBuffer, whole, 0, kind, at.cast());
    }
    no_object!(CL_INVALID_VALUE, clCreateSubBuffer, whole, 0, 7, at.cast());
    no_object!(
        CL_INVALID_VALUE,
        clCreateSubBuffer,
        whole,
        CL_MEM_USE_HOST_PTR,
        kind,
        at.cast()
    );
    // A sub-buffer keeps its buffer alive.
    ok!(clReleaseMemObject, whole);
    assert_eq!(session.read::<u8>(part, 300)[297..], [0, 5, 5]);
    ok!(clReleaseMemObject, part);
    refused!(CL_INVALID_MEM_OBJECT, clRetainMemObject, whole);
}
