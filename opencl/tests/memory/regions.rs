//! Rectangular regions of buffers, and native kernels.

use crate::driver::Session;
use crate::{ok, refused};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

#[test]
fn boxes_are_read_written_and_copied() {
    let session = Session::new();
    let queue = session.queue;
    let matrix: Vec<u8> = (0..64).collect();
    let buffer = session.buffer(&matrix);
    let (origin, zero, region) = ([2usize, 1, 0], [0usize; 3], [3usize, 2, 2]);
    let (o, z, r) = (origin.as_ptr(), zero.as_ptr(), region.as_ptr());
    let mut seen = [0u8; 12];
    let at: *mut c_void = seen.as_mut_ptr().cast();
    ok!(
        clEnqueueReadBufferRect,
        queue,
        buffer,
        CL_TRUE,
        o,
        z,
        r,
        8,
        32,
        0,
        0,
        at,
        0,
        null(),
        null_mut()
    );
    assert_eq!(seen, [10, 11, 12, 18, 19, 20, 42, 43, 44, 50, 51, 52]);
    let values = [200u8; 12];
    let from = values.as_ptr().cast();
    ok!(
        clEnqueueWriteBufferRect,
        queue,
        buffer,
        CL_TRUE,
        o,
        z,
        r,
        8,
        32,
        0,
        0,
        from,
        0,
        null(),
        null_mut()
    );
    let now = session.read::<u8>(buffer, 64);
    let changed: Vec<usize> = (0..64).filter(|&at| now[at] != matrix[at]).collect();
    assert_eq!(changed, [10, 11, 12, 18, 19, 20, 42, 43, 44, 50, 51, 52]);
    let copy = session.buffer(&[0u8; 64]);
    ok!(
        clEnqueueCopyBufferRect,
        queue,
        buffer,
        copy,
        o,
        z,
        r,
        8,
        32,
        4,
        8,
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u8>(copy, 8), [200, 200, 200, 0, 200, 200, 200, 0]);
    let overlap = CL_MEM_COPY_OVERLAP;
    refused!(
        overlap,
        clEnqueueCopyBufferRect,
        queue,
        buffer,
        buffer,
        o,
        z,
        r,
        8,
        32,
        8,
        32,
        0,
        null(),
        null_mut()
    );
    let far = [2usize, 1, 1];
    let f = far.as_ptr();
    let bad = CL_INVALID_VALUE;
    refused!(
        bad,
        clEnqueueReadBufferRect,
        queue,
        buffer,
        CL_TRUE,
        f,
        z,
        r,
        8,
        32,
        0,
        0,
        at,
        0,
        null(),
        null_mut()
    );
    refused!(
        bad,
        clEnqueueReadBufferRect,
        queue,
        buffer,
        CL_TRUE,
        o,
        z,
        r,
        2,
        32,
        0,
        0,
        at,
        0,
        null(),
        null_mut()
    );
    refused!(
        bad,
        clEnqueueReadBufferRect,
        queue,
        buffer,
        CL_TRUE,
        o,
        z,
        null(),
        8,
        32,
        0,
        0,
        at,
        0,
        null(),
        null_mut()
    );
    refused!(
        bad,
        clEnqueueCopyBufferRect,
        queue,
        buffer,
        copy,
        f,
        z,
        r,
        8,
        32,
        4,
        8,
        0,
        null(),
        null_mut()
    );
    for buffer in [buffer, copy] {
        ok!(clReleaseMemObject, buffer);
    }
}

/// The argument of the native kernel.
#[repr(C)]
struct Arguments {
    factor: u32,
    values: *mut c_void,
}

unsafe extern "C" fn multiply(arguments: *mut c_void) {
    // SAFETY: the test passes these arguments, and the driver stores the address of the buffer in them.
    unsafe {
        let arguments = &*arguments.cast::<Arguments>();
        for at in 0..4 {
            *arguments.values.cast::<u32>().add(at) *= arguments.factor;
        }
    }
}

#[test]
fn native_kernels_get_their_buffers() {
    let session = Session::new();
    let queue = session.queue;
    let buffer = session.buffer(&[1u32, 2, 3, 4]);
    let mut arguments = Arguments {
        factor: 10,
        values: buffer,
    };
    let at: *mut Arguments = &mut arguments;
    // SAFETY: the address belongs to a field of a local variable.
    let mut place: *const c_void = unsafe { (&raw mut (*at).values).cast() };
    let bytes = size_of::<Arguments>();
    let (none, no) = (null(), null_mut());
    ok!(
        clEnqueueNativeKernel,
        queue,
        Some(multiply),
        at.cast(),
        bytes,
        1,
        &buffer,
        &mut place,
        0,
        none,
        no
    );
    assert_eq!(session.read::<u32>(buffer, 4), [10, 20, 30, 40]);
    let bad = CL_INVALID_VALUE;
    refused!(
        bad,
        clEnqueueNativeKernel,
        queue,
        None,
        at.cast(),
        bytes,
        1,
        &buffer,
        &mut place,
        0,
        none,
        no
    );
    refused!(
        bad,
        clEnqueueNativeKernel,
        queue,
        Some(multiply),
        at.cast(),
        0,
        0,
        null(),
        null_mut(),
        0,
        none,
        no
    );
    let mut outside = (at as usize + bytes - 4) as *const c_void;
    refused!(
        bad,
        clEnqueueNativeKernel,
        queue,
        Some(multiply),
        at.cast(),
        bytes,
        1,
        &buffer,
        &mut outside,
        0,
        none,
        no
    );
    ok!(clReleaseMemObject, buffer);
}
