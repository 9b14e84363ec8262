//! Transfers of images: regions, pitches, host pointers, mapping.

use super::*;
use crate::driver::Session;
use crate::{info, refused};
use std::ffi::c_void;

const FORMAT: (cl_uint, cl_uint) = (CL_RG, CL_UNSIGNED_INT8);

/// Reads a region with pitches into memory of this size in bytes.
fn read(
    session: &Session,
    image: Handle,
    [origin, region]: [[usize; 3]; 2],
    pitch: (usize, usize),
    bytes: usize,
) -> Vec<u8> {
    let mut seen = vec![0xeeu8; bytes];
    ok!(
        clEnqueueReadImage,
        session.queue,
        image,
        CL_TRUE,
        origin.as_ptr(),
        region.as_ptr(),
        pitch.0,
        pitch.1,
        seen.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    );
    seen
}

/// Creates an image of 4 x 3 x 2 texels of two bytes, with the bytes 0 to 47.
fn block(session: &Session) -> Handle {
    let bytes: Vec<u8> = (0..48).collect();
    image(session, FORMAT, &desc(CL_MEM_OBJECT_IMAGE3D, [4, 3, 2]), &bytes).0
}

#[test]
fn regions_and_pitches_are_respected() {
    let session = Session::new();
    let image = block(&session);
    let place = [[1, 1, 0], [2, 2, 2]];
    let tight = read(&session, image, place, (0, 0), 16);
    assert_eq!(tight, [10, 11, 12, 13, 18, 19, 20, 21, 34, 35, 36, 37, 42, 43, 44, 45]);
    let gaps = read(&session, image, place, (5, 12), 24);
    let e = 0xee;
    let wanted = [
        10, 11, 12, 13, e, 18, 19, 20, 21, e, e, e, 34, 35, 36, 37, e, 42, 43, 44, 45, e, e, e,
    ];
    assert_eq!(gaps, wanted);
    // A write reads host memory with pitches.
    let values: Vec<u8> = (100..124).collect();
    ok!(
        clEnqueueWriteImage,
        session.queue,
        image,
        CL_TRUE,
        place[0].as_ptr(),
        place[1].as_ptr(),
        5,
        12,
        values.as_ptr().cast(),
        0,
        null(),
        null_mut()
    );
    let mut wanted: Vec<u8> = (0..48).collect();
    for (to, from) in [(10, 0), (18, 5), (34, 12), (42, 17)] {
        wanted[to..to + 4].copy_from_slice(&values[from..from + 4]);
    }
    assert_eq!(read(&session, image, [[0; 3], [4, 3, 2]], (0, 0), 48), wanted);
    release(&[image]);
}

#[test]
fn layers_of_1d_images_have_the_slice_pitch() {
    let session = Session::new();
    let bytes: Vec<u8> = (0..12).collect();
    let desc = desc(CL_MEM_OBJECT_IMAGE1D_ARRAY, [3, 1, 2]);
    let (image, _) = image(&session, FORMAT, &desc, &bytes);
    let seen = read(&session, image, [[1, 0, 0], [2, 2, 1]], (5, 8), 16);
    assert_eq!((&seen[..4], &seen[8..12]), (&[2, 3, 4, 5][..], &[8, 9, 10, 11][..]));
    assert_eq!(info!(usize, clGetImageInfo, image, CL_IMAGE_SLICE_PITCH), 6);
    release(&[image]);
}

#[test]
fn images_are_copied_and_filled() {
    let session = Session::new();
    let (from, to) = (block(&session), block(&session));
    let queue = session.queue;
    let (origin, target, region) = ([1usize, 0, 1], [2usize, 1, 0], [2usize, 2, 1]);
    let (o, t, r) = (origin.as_ptr(), target.as_ptr(), region.as_ptr());
    ok!(clEnqueueCopyImage, queue, from, to, o, t, r, 0, null(), null_mut());
    assert_eq!(
        read(&session, to, [target, region], (0, 0), 8),
        read(&session, from, [origin, region], (0, 0), 8)
    );
    let untouched = read(&session, to, [[0, 1, 0], [2, 2, 1]], (0, 0), 8);
    assert_eq!(untouched, [8, 9, 10, 11, 16, 17, 18, 19]);
    // Copies to a buffer, and back to another position.
    let buffer = session.buffer(&[0u8; 12]);
    ok!(
        clEnqueueCopyImageToBuffer,
        queue,
        from,
        buffer,
        o,
        r,
        3,
        0,
        null(),
        null_mut()
    );
    assert_eq!(
        session.read::<u8>(buffer, 12),
        [0, 0, 0, 26, 27, 28, 29, 34, 35, 36, 37, 0]
    );
    ok!(
        clEnqueueCopyBufferToImage,
        queue,
        buffer,
        to,
        4,
        [0usize; 3].as_ptr(),
        r,
        0,
        null(),
        null_mut()
    );
    assert_eq!(
        read(&session, to, [[0; 3], region], (0, 0), 8),
        [27, 28, 29, 34, 35, 36, 37, 0]
    );
    let colour = [300u32, 7, 1, 1];
    ok!(
        clEnqueueFillImage,
        queue,
        to,
        colour.as_ptr().cast(),
        o,
        r,
        0,
        null(),
        null_mut()
    );
    assert_eq!(read(&session, to, [origin, region], (0, 0), 8), [255, 7].repeat(4));
    assert_eq!(read(&session, to, [[0, 0, 1], [1, 2, 1]], (0, 0), 4), [24, 25, 32, 33]);
    // Within an image, overlapping regions are refused, and other regions are copied.
    let next = [2usize, 1, 1];
    let n = next.as_ptr();
    refused!(
        CL_MEM_COPY_OVERLAP,
        clEnqueueCopyImage,
        queue,
        from,
        from,
        o,
        n,
        r,
        0,
        null(),
        null_mut()
    );
    let other = [1usize, 0, 0];
    ok!(
        clEnqueueCopyImage,
        queue,
        from,
        from,
        o,
        other.as_ptr(),
        r,
        0,
        null(),
        null_mut()
    );
    release(&[from, to, buffer]);
}

fn map(
    session: &Session,
    image: Handle,
    flags: cl_map_flags,
    [origin, region]: [[usize; 3]; 2],
) -> (*mut u8, usize, usize) {
    let (mut row, mut slice) = (1, 1);
    let at = create!(
        clEnqueueMapImage,
        session.queue,
        image,
        CL_TRUE,
        flags,
        origin.as_ptr(),
        region.as_ptr(),
        &mut row,
        &mut slice,
        0,
        null(),
        null_mut()
    );
    (at.cast(), row, slice)
}

fn unmap(session: &Session, image: Handle, at: *mut u8) {
    ok!(
        clEnqueueUnmapMemObject,
        session.queue,
        image,
        at.cast(),
        0,
        null(),
        null_mut()
    );
}

#[test]
fn images_map_without_a_host_pointer() {
    let session = Session::new();
    let image = block(&session);
    let place = [[1, 1, 0], [2, 2, 2]];
    let (at, row, slice) = map(&session, image, CL_MAP_READ | CL_MAP_WRITE, place);
    assert_eq!((row, slice), (4, 8));
    assert_eq!(info!(u32, clGetMemObjectInfo, image, CL_MEM_MAP_COUNT), 1);
    // SAFETY: the mapped region has 16 bytes.
    let bytes = unsafe { std::slice::from_raw_parts_mut(at, 16) };
    assert_eq!(bytes, read(&session, image, place, (0, 0), 16));
    bytes[9] = 200;
    unmap(&session, image, at);
    ok!(clFinish, session.queue);
    assert_eq!(read(&session, image, [[1, 1, 1], [1, 1, 1]], (0, 0), 2), [34, 200]);
    // Changes in a region that is mapped for reading are dropped.
    let (at, ..) = map(&session, image, CL_MAP_READ, place);
    // SAFETY: the mapped region has at least one byte.
    unsafe { *at = 77 };
    unmap(&session, image, at);
    ok!(clFinish, session.queue);
    assert_eq!(read(&session, image, [[1, 1, 0], [1, 1, 1]], (0, 0), 2), [10, 11]);
    release(&[image]);
}

#[test]
fn host_pointers_have_pitches() {
    let session = Session::new();
    let mut memory: Vec<u8> = (0..64).collect();
    let desc = cl_image_desc {
        image_row_pitch: 10,
        image_slice_pitch: 30,
        ..desc(CL_MEM_OBJECT_IMAGE3D, [4, 3, 2])
    };
    let format = format(FORMAT);
    for flags in [CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR] {
        let host: *mut c_void = memory.as_mut_ptr().cast();
        let image = create!(clCreateImage, session.context, flags, &format, &desc, host);
        let seen = read(&session, image, [[2, 1, 1], [2, 2, 1]], (0, 0), 8);
        assert_eq!(seen, [44, 45, 46, 47, 54, 55, 56, 57]);
        assert_eq!(info!(usize, clGetImageInfo, image, CL_IMAGE_ROW_PITCH), 10);
        assert_eq!(info!(usize, clGetImageInfo, image, CL_IMAGE_SLICE_PITCH), 30);
        let (at, row, slice) = map(&session, image, CL_MAP_WRITE, [[2, 1, 1], [2, 2, 1]]);
        if flags == CL_MEM_USE_HOST_PTR {
            assert_eq!((at as usize - host as usize, row, slice), (44, 10, 30));
            // SAFETY: the address is in the application's memory.
            unsafe { *at.add(11) = 99 };
        } else {
            assert_eq!((row, slice), (4, 8));
            // SAFETY: the address is in the mapped region.
            unsafe { *at.add(5) = 99 };
        }
        unmap(&session, image, at);
        ok!(clFinish, session.queue);
        assert_eq!(read(&session, image, [[2, 2, 1], [1, 1, 1]], (0, 0), 2), [54, 99]);
        release(&[image]);
        memory[55] = 55;
    }
}

#[test]
fn an_image_from_a_buffer_is_the_buffer() {
    let session = Session::new();
    let buffer = session.buffer(&(0..16).collect::<Vec<u8>>());
    let desc = cl_image_desc {
        buffer,
        ..desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [6, 0, 0])
    };
    let format = format(FORMAT);
    let image = create!(clCreateImage, session.context, 0, &format, &desc, null_mut());
    let handle = |question| info!(usize, clGetImageInfo, image, question) as Handle;
    assert_eq!(handle(CL_IMAGE_BUFFER), buffer);
    assert_eq!(
        info!(usize, clGetMemObjectInfo, image, CL_MEM_ASSOCIATED_MEMOBJECT) as Handle,
        buffer
    );
    let colour = [9u32, 8, 0, 0];
    let (origin, region) = ([4usize, 0, 0], [2usize, 1, 1]);
    ok!(
        clEnqueueFillImage,
        session.queue,
        image,
        colour.as_ptr().cast(),
        origin.as_ptr(),
        region.as_ptr(),
        0,
        null(),
        null_mut()
    );
    assert_eq!(session.read::<u8>(buffer, 16)[6..], [6, 7, 9, 8, 9, 8, 12, 13, 14, 15]);
    // An image in a buffer keeps the buffer alive.
    release(&[buffer]);
    assert_eq!(read(&session, image, [[3, 0, 0], [2, 1, 1]], (0, 0), 4), [6, 7, 9, 8]);
    release(&[image]);
}

#[test]
fn image_queries_are_answered() {
    let session = Session::new();
    let size = |image: Handle, question| info!(usize, clGetImageInfo, image, question);
    for (shape, wanted) in [
        (CL_MEM_OBJECT_IMAGE1D, [5, 0, 0, 0, 0]),
        (CL_MEM_OBJECT_IMAGE1D_BUFFER, [5, 0, 0, 0, 0]),
        (CL_MEM_OBJECT_IMAGE1D_ARRAY, [5, 0, 0, 2, 20]),
        (CL_MEM_OBJECT_IMAGE2D, [5, 3, 0, 0, 0]),
        (CL_MEM_OBJECT_IMAGE2D_ARRAY, [5, 3, 0, 2, 60]),
        (CL_MEM_OBJECT_IMAGE3D, [5, 3, 2, 0, 60]),
    ] {
        let format = (CL_RGBA, CL_SIGNED_INT8);
        let (image, buffer) = image(&session, format, &desc(shape, [5, 3, 2]), &[0; 120]);
        let questions = [
            CL_IMAGE_WIDTH,
            CL_IMAGE_HEIGHT,
            CL_IMAGE_DEPTH,
            CL_IMAGE_ARRAY_SIZE,
            CL_IMAGE_SLICE_PITCH,
        ];
        assert_eq!(questions.map(|question| size(image, question)), wanted, "{shape:#x}");
        assert_eq!(
            (size(image, CL_IMAGE_ELEMENT_SIZE), size(image, CL_IMAGE_ROW_PITCH)),
            (4, 20)
        );
        assert_eq!(
            info!([u32; 2], clGetImageInfo, image, CL_IMAGE_FORMAT),
            [format.0, format.1]
        );
        assert_eq!(info!(u32, clGetMemObjectInfo, image, CL_MEM_TYPE), shape);
        let bytes = match shape {
            CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_BUFFER => 20,
            CL_MEM_OBJECT_IMAGE1D_ARRAY => 40,
            CL_MEM_OBJECT_IMAGE2D => 60,
            _ => 120,
        };
        assert_eq!(info!(usize, clGetMemObjectInfo, image, CL_MEM_SIZE), bytes);
        assert_eq!(info!(usize, clGetMemObjectInfo, image, CL_MEM_OFFSET), 0);
        release(&[image]);
        release(buffer.as_slice());
    }
}
