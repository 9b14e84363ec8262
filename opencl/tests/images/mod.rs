//! Images: image functions of kernels against a reference, transfers, errors.

mod errors;
mod processor;
mod reference;
mod sampling;
mod transfers;

use crate::driver::{argument, Handle, Session};
use crate::{call, create, ok};
use flexgrip_compiler::clang::Clang;
use opencl_sys::*;
use std::ffi::CString;
use std::ptr::{null, null_mut};

/// Image types, with their names in OpenCL C.
const SHAPES: [(cl_mem_object_type, &str); 6] = [
    (CL_MEM_OBJECT_IMAGE1D, "image1d_t"),
    (CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t"),
    (CL_MEM_OBJECT_IMAGE2D, "image2d_t"),
    (CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t"),
    (CL_MEM_OBJECT_IMAGE3D, "image3d_t"),
    (CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t"),
];

/// Builds a program; `None` without clang.
fn program(session: &Session, source: &str, options: &str) -> Option<Handle> {
    flexgrip_skip::found_or_skip(Clang::find())?;
    let (source, options) = (
        CString::new(source).expect("a source"),
        CString::new(options).expect("options"),
    );
    let program = create!(
        clCreateProgramWithSource,
        session.context,
        1,
        &mut source.as_ptr(),
        null()
    );
    ok!(clBuildProgram, program, 0, null(), options.as_ptr(), None, null_mut());
    Some(program)
}

fn kernel(program: Handle, name: &str) -> Handle {
    let name = CString::new(name).expect("a name");
    create!(clCreateKernel, program, name.as_ptr())
}

fn format((order, kind): (cl_uint, cl_uint)) -> cl_image_format {
    cl_image_format {
        image_channel_order: order,
        image_channel_data_type: kind,
    }
}

/// Returns a descriptor for a width, a height, and a depth or number of layers.
fn desc(shape: cl_mem_object_type, [width, height, depth]: [usize; 3]) -> cl_image_desc {
    cl_image_desc {
        image_type: shape,
        image_width: width,
        image_height: height,
        image_depth: depth,
        image_array_size: depth,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: null_mut(),
    }
}

/// Creates an image with these bytes. Also returns the buffer of an image in a buffer.
fn image(
    session: &Session,
    chosen: (cl_uint, cl_uint),
    desc: &cl_image_desc,
    bytes: &[u8],
) -> (Handle, Option<Handle>) {
    let format = format(chosen);
    if desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER {
        let buffer = session.buffer(bytes);
        let desc = cl_image_desc { buffer, ..*desc };
        let image = create!(
            clCreateImage,
            session.context,
            CL_MEM_READ_WRITE,
            &format,
            &desc,
            null_mut()
        );
        return (image, Some(buffer));
    }
    let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    let at = bytes.as_ptr().cast_mut().cast();
    (create!(clCreateImage, session.context, flags, &format, desc, at), None)
}

fn sampler(session: &Session, of: &reference::Sampler) -> Handle {
    let filter = if of.linear { CL_FILTER_LINEAR } else { CL_FILTER_NEAREST };
    create!(
        clCreateSampler,
        session.context,
        u32::from(of.normalised),
        of.addressing,
        filter
    )
}

/// Returns all formats that the driver lists for an image type.
fn formats(session: &Session, shape: cl_mem_object_type) -> Vec<(cl_uint, cl_uint)> {
    let mut count = 0;
    let flags = CL_MEM_READ_WRITE;
    ok!(
        clGetSupportedImageFormats,
        session.context,
        flags,
        shape,
        0,
        null_mut(),
        &mut count
    );
    let mut list = vec![format((0, 0)); count as usize];
    let none = null_mut();
    ok!(
        clGetSupportedImageFormats,
        session.context,
        flags,
        shape,
        count,
        list.as_mut_ptr(),
        none
    );
    list.iter()
        .map(|format| (format.image_channel_order, format.image_channel_data_type))
        .collect()
}

/// Runs a kernel in one dimension.
fn run(session: &Session, kernel: Handle, arguments: &[Handle], items: usize) {
    for (index, handle) in arguments.iter().enumerate() {
        argument(kernel, index, handle);
    }
    assert_eq!(session.run(kernel, items), CL_SUCCESS);
}

fn release(objects: &[Handle]) {
    for object in objects {
        ok!(clReleaseMemObject, *object);
    }
}

/// Suffix of the image functions for a data type: `f`, `i`, `ui`.
fn function(kind: cl_uint) -> &'static str {
    match kind {
        CL_SIGNED_INT8 | CL_SIGNED_INT16 | CL_SIGNED_INT32 => "i",
        CL_UNSIGNED_INT8 | CL_UNSIGNED_INT16 | CL_UNSIGNED_INT32 => "ui",
        _ => "f",
    }
}

#[test]
fn a_devices_limits_are_the_standards() {
    let device = crate::driver::device();
    let word = |question| crate::info!(u32, clGetDeviceInfo, device, question);
    let size = |question| crate::info!(usize, clGetDeviceInfo, device, question);
    assert_eq!(word(CL_DEVICE_IMAGE_SUPPORT), CL_TRUE);
    assert!(word(CL_DEVICE_MAX_SAMPLERS) >= 16 && word(CL_DEVICE_MAX_WRITE_IMAGE_ARGS) >= 8);
    assert!(size(CL_DEVICE_IMAGE2D_MAX_WIDTH) >= 8192 && size(CL_DEVICE_IMAGE2D_MAX_HEIGHT) >= 8192);
    for question in [
        CL_DEVICE_IMAGE3D_MAX_WIDTH,
        CL_DEVICE_IMAGE3D_MAX_HEIGHT,
        CL_DEVICE_IMAGE3D_MAX_DEPTH,
    ] {
        assert!(size(question) >= 2048);
    }
    assert!(size(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE) >= 65_536 && size(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE) >= 2048);
}

/// A kernel can use as many images as the limits permit.
#[test]
fn a_kernel_takes_the_most_images() {
    let session = Session::new();
    let device = crate::driver::device();
    let reads = crate::info!(u32, clGetDeviceInfo, device, CL_DEVICE_MAX_READ_IMAGE_ARGS);
    let writes = crate::info!(u32, clGetDeviceInfo, device, CL_DEVICE_MAX_WRITE_IMAGE_ARGS);
    let parameters: Vec<String> = (0..reads)
        .map(|index| format!("read_only image2d_t r{index}"))
        .chain((0..writes).map(|index| format!("write_only image2d_t w{index}")))
        .collect();
    // The other images are only queried: the code of that many reads would take clang and the compiler seconds.
    let widths: Vec<String> = (1..reads).map(|index| format!("get_image_width(r{index})")).collect();
    let heights: Vec<String> = (1..writes).map(|index| format!("get_image_height(w{index})")).collect();
    let source = format!(
        "kernel void k({}) {{ int2 p = 0; write_imagef(w0, p, read_imagef(r0, p) + (float)({} + {})); }}",
        parameters.join(", "),
        widths.join(" + "),
        heights.join(" + ")
    );
    let Some(program) = program(&session, &source, "") else {
        return;
    };
    let kernel = kernel(program, "k");
    let one = 1.0f32.to_le_bytes();
    let desc = desc(CL_MEM_OBJECT_IMAGE2D, [1, 1, 1]);
    let images: Vec<Handle> = (0..reads + writes)
        .map(|_| image(&session, (CL_R, CL_FLOAT), &desc, &one).0)
        .collect();
    run(&session, kernel, &images, 1);
    let mut seen = 0f32;
    let (origin, region) = ([0usize; 3], [1usize; 3]);
    let at: *mut f32 = &mut seen;
    let last = images[reads as usize];
    ok!(
        clEnqueueReadImage,
        session.queue,
        last,
        CL_TRUE,
        origin.as_ptr(),
        region.as_ptr(),
        0,
        0,
        at.cast(),
        0,
        null(),
        null_mut()
    );
    assert_eq!(seen, (reads + writes - 1) as f32);
    release(&images);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseProgram, program);
}
