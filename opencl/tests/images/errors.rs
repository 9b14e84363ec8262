//! Error codes of invalid calls, and arguments of kernels.

use super::*;
use crate::driver::{text, Session};
use crate::{info, no_object, refused};
use std::ffi::c_void;

#[test]
fn images_that_cannot_be_made() {
    let session = Session::new();
    let context = session.context;
    let good = format((CL_RGBA, CL_UNORM_INT8));
    let flat = desc(CL_MEM_OBJECT_IMAGE2D, [4, 4, 1]);
    let none: *mut c_void = null_mut();
    let mut memory = [0u8; 64];
    let host: *mut c_void = memory.as_mut_ptr().cast();
    no_object!(CL_INVALID_CONTEXT, clCreateImage, null_mut(), 0, &good, &flat, none);
    no_object!(CL_INVALID_VALUE, clCreateImage, context, 1 << 20, &good, &flat, none);
    let both = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    no_object!(CL_INVALID_VALUE, clCreateImage, context, both, &good, &flat, none);
    no_object!(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImage,
        context,
        0,
        null(),
        &flat,
        none
    );
    let bad = format((CL_BGRA, CL_FLOAT));
    no_object!(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        clCreateImage,
        context,
        0,
        &bad,
        &flat,
        none
    );
    let packed = format((CL_RGB, CL_UNORM_SHORT_565));
    no_object!(
        CL_IMAGE_FORMAT_NOT_SUPPORTED,
        clCreateImage,
        context,
        0,
        &packed,
        &flat,
        none
    );
    no_object!(
        CL_INVALID_IMAGE_DESCRIPTOR,
        clCreateImage,
        context,
        0,
        &good,
        null(),
        none
    );
    no_object!(CL_INVALID_HOST_PTR, clCreateImage, context, 0, &good, &flat, host);
    no_object!(
        CL_INVALID_HOST_PTR,
        clCreateImage,
        context,
        CL_MEM_COPY_HOST_PTR,
        &good,
        &flat,
        none
    );
    let buffer = session.buffer(&[0u8; 64]);
    let with_buffer = |shape, width| cl_image_desc {
        buffer,
        ..desc(shape, [width, 1, 1])
    };
    let pitch = |row, slice| cl_image_desc {
        image_row_pitch: row,
        image_slice_pitch: slice,
        ..flat
    };
    for wrong in [
        desc(CL_MEM_OBJECT_BUFFER, [4, 4, 1]),
        desc(CL_MEM_OBJECT_IMAGE2D, [0, 4, 1]),
        desc(CL_MEM_OBJECT_IMAGE2D, [4, 0, 1]),
        desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, [4, 4, 0]),
        desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, [4, 1, 1]),
        with_buffer(CL_MEM_OBJECT_IMAGE2D, 4),
        with_buffer(CL_MEM_OBJECT_IMAGE1D_BUFFER, 17),
        pitch(16, 0),
        cl_image_desc {
            num_mip_levels: 1,
            ..flat
        },
        cl_image_desc { num_samples: 1, ..flat },
    ] {
        no_object!(
            CL_INVALID_IMAGE_DESCRIPTOR,
            clCreateImage,
            context,
            0,
            &good,
            &wrong,
            none
        );
    }
    for wrong in [pitch(15, 0), pitch(18, 0), pitch(16, 64)] {
        let copy = CL_MEM_COPY_HOST_PTR;
        no_object!(
            CL_INVALID_IMAGE_DESCRIPTOR,
            clCreateImage,
            context,
            copy,
            &good,
            &wrong,
            host
        );
    }
    for wrong in [
        desc(CL_MEM_OBJECT_IMAGE1D, [8193, 1, 1]),
        desc(CL_MEM_OBJECT_IMAGE2D, [4, 8193, 1]),
        desc(CL_MEM_OBJECT_IMAGE2D_ARRAY, [1, 1, 2049]),
        desc(CL_MEM_OBJECT_IMAGE3D, [1, 1, 2049]),
        with_buffer(CL_MEM_OBJECT_IMAGE1D_BUFFER, 65_537),
    ] {
        no_object!(CL_INVALID_IMAGE_SIZE, clCreateImage, context, 0, &good, &wrong, none);
    }
    let large = desc(CL_MEM_OBJECT_IMAGE2D, [8192, 8192, 1]);
    no_object!(
        CL_MEM_OBJECT_ALLOCATION_FAILURE,
        clCreateImage,
        context,
        0,
        &good,
        &large,
        none
    );
    no_object!(CL_INVALID_IMAGE_SIZE, clCreateImage2D, context, 0, &good, 0, 1, 0, none);
    no_object!(
        CL_INVALID_IMAGE_SIZE,
        clCreateImage2D,
        context,
        0,
        &good,
        4,
        4,
        16,
        none
    );
    no_object!(
        CL_INVALID_IMAGE_SIZE,
        clCreateImage3D,
        context,
        0,
        &good,
        4,
        4,
        1,
        0,
        0,
        none
    );
    for made in [
        create!(clCreateImage2D, context, 0, &good, 4, 4, 0, none),
        create!(clCreateImage3D, context, 0, &good, 2, 4, 2, 0, 0, none),
        create!(
            clCreateImage,
            context,
            0,
            &good,
            &with_buffer(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16),
            none
        ),
    ] {
        assert_eq!(info!(usize, clGetMemObjectInfo, made, CL_MEM_SIZE), 64);
        release(&[made]);
    }
    release(&[buffer]);
}

#[test]
fn transfers_that_are_refused() {
    let session = Session::new();
    let queue = session.queue;
    let (flat, _) = image(
        &session,
        (CL_R, CL_UNORM_INT8),
        &desc(CL_MEM_OBJECT_IMAGE2D, [4, 3, 1]),
        &[0; 12],
    );
    let (other, _) = image(
        &session,
        (CL_A, CL_UNORM_INT8),
        &desc(CL_MEM_OBJECT_IMAGE2D, [4, 3, 1]),
        &[0; 12],
    );
    let buffer = session.buffer(&[0u8; 12]);
    let mut memory = [0u8; 64];
    let at: *mut c_void = memory.as_mut_ptr().cast();
    let read = |image: Handle, origin: [usize; 3], region: [usize; 3], pitch: (usize, usize), at: *mut c_void| {
        call!(
            clEnqueueReadImage,
            queue,
            image,
            CL_TRUE,
            origin.as_ptr(),
            region.as_ptr(),
            pitch.0,
            pitch.1,
            at,
            0,
            null(),
            null_mut()
        )
    };
    let all = [4, 3, 1];
    assert_eq!(read(flat, [0; 3], all, (0, 0), at), CL_SUCCESS);
    for (origin, region, pitch, at) in [
        ([1, 0, 0], all, (0, 0), at),
        ([0, 1, 0], all, (0, 0), at),
        ([0, 0, 1], all, (0, 0), at),
        ([usize::MAX, 0, 0], all, (0, 0), at),
        ([0; 3], [4, 3, 0], (0, 0), at),
        ([0; 3], [4, 3, 2], (0, 0), at),
        ([0; 3], all, (3, 0), at),
        ([0; 3], all, (4, 12), at),
        ([0; 3], all, (usize::MAX, 0), at),
        ([0; 3], all, (0, 0), null_mut()),
    ] {
        assert_eq!(
            read(flat, origin, region, pitch, at),
            CL_INVALID_VALUE,
            "{origin:?} {region:?} {pitch:?}"
        );
    }
    assert_eq!(read(buffer, [0; 3], all, (0, 0), at), CL_INVALID_MEM_OBJECT);
    let (z, r) = ([0usize; 3], [4usize, 3, 1]);
    let (z, r) = (z.as_ptr(), r.as_ptr());
    let end = (0, null(), null_mut::<cl_event>());
    refused!(
        CL_IMAGE_FORMAT_MISMATCH,
        clEnqueueCopyImage,
        queue,
        flat,
        other,
        z,
        z,
        r,
        end.0,
        end.1,
        end.2
    );
    refused!(
        CL_INVALID_VALUE,
        clEnqueueCopyImageToBuffer,
        queue,
        flat,
        buffer,
        z,
        r,
        1,
        end.0,
        end.1,
        end.2
    );
    refused!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyImageToBuffer,
        queue,
        flat,
        other,
        z,
        r,
        0,
        end.0,
        end.1,
        end.2
    );
    refused!(
        CL_INVALID_VALUE,
        clEnqueueFillImage,
        queue,
        flat,
        null(),
        z,
        r,
        end.0,
        end.1,
        end.2
    );
    // Commands and objects for buffers refuse images.
    let invalid = CL_INVALID_MEM_OBJECT;
    refused!(
        invalid,
        clEnqueueReadBuffer,
        queue,
        flat,
        CL_TRUE,
        0,
        4,
        at,
        end.0,
        end.1,
        end.2
    );
    refused!(
        invalid,
        clEnqueueCopyBuffer,
        queue,
        buffer,
        flat,
        0,
        0,
        4,
        end.0,
        end.1,
        end.2
    );
    let region = cl_buffer_region { origin: 0, size: 4 };
    let kind = CL_BUFFER_CREATE_TYPE_REGION;
    let region: *const cl_buffer_region = &region;
    no_object!(invalid, clCreateSubBuffer, flat, 0, kind, region.cast());
    refused!(
        invalid,
        clGetImageInfo,
        buffer,
        CL_IMAGE_WIDTH,
        0,
        null_mut(),
        null_mut()
    );
    let (mut row, mut slice) = (0usize, 0usize);
    let map = |flags, row: *mut usize, slice: *mut usize| {
        let mut code = 1;
        call!(
            clEnqueueMapImage,
            queue,
            flat,
            CL_TRUE,
            flags,
            z,
            r,
            row,
            slice,
            0,
            null(),
            null_mut(),
            &mut code
        );
        code
    };
    assert_eq!(map(1 << 9, &mut row, &mut slice), CL_INVALID_VALUE);
    assert_eq!(map(CL_MAP_READ, null_mut(), &mut slice), CL_INVALID_VALUE);
    assert_eq!(map(CL_MAP_READ, &mut row, null_mut()), CL_SUCCESS);
    release(&[flat, other, buffer]);
    // Host accesses that the flags exclude.
    let format = format((CL_R, CL_UNORM_INT8));
    let desc = desc(CL_MEM_OBJECT_IMAGE2D, [4, 3, 1]);
    for (flags, readable, writable) in [
        (CL_MEM_HOST_NO_ACCESS, false, false),
        (CL_MEM_HOST_READ_ONLY, true, false),
        (CL_MEM_HOST_WRITE_ONLY, false, true),
    ] {
        let image = create!(clCreateImage, session.context, flags, &format, &desc, null_mut());
        let code = |allowed| if allowed { CL_SUCCESS } else { CL_INVALID_OPERATION };
        assert_eq!(read(image, [0; 3], all, (0, 0), at), code(readable));
        let written = call!(
            clEnqueueWriteImage,
            queue,
            image,
            CL_TRUE,
            z,
            r,
            0,
            0,
            at,
            0,
            null(),
            null_mut()
        );
        assert_eq!(written, code(writable));
        release(&[image]);
    }
}

#[test]
fn samplers_answer_queries_and_errors() {
    let session = Session::new();
    let context = session.context;
    let bad = CL_INVALID_VALUE;
    no_object!(
        CL_INVALID_CONTEXT,
        clCreateSampler,
        null_mut(),
        0,
        CL_ADDRESS_CLAMP,
        CL_FILTER_NEAREST
    );
    no_object!(bad, clCreateSampler, context, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    no_object!(bad, clCreateSampler, context, 0, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST);
    no_object!(
        bad,
        clCreateSampler,
        context,
        1,
        CL_ADDRESS_MIRRORED_REPEAT + 1,
        CL_FILTER_NEAREST
    );
    no_object!(bad, clCreateSampler, context, 0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR + 1);
    let sampler = create!(clCreateSampler, context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR);
    ok!(clRetainSampler, sampler);
    let word = |question| info!(u32, clGetSamplerInfo, sampler, question);
    assert_eq!(word(CL_SAMPLER_REFERENCE_COUNT), 2);
    assert_eq!(word(CL_SAMPLER_NORMALIZED_COORDS), CL_TRUE);
    assert_eq!(word(CL_SAMPLER_ADDRESSING_MODE), CL_ADDRESS_REPEAT);
    assert_eq!(word(CL_SAMPLER_FILTER_MODE), CL_FILTER_LINEAR);
    assert_eq!(
        info!(usize, clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT) as Handle,
        context
    );
    refused!(bad, clGetSamplerInfo, sampler, 0, 0, null_mut(), null_mut());
    ok!(clReleaseSampler, sampler);
    ok!(clReleaseSampler, sampler);
    refused!(CL_INVALID_SAMPLER, clReleaseSampler, sampler);
}

const SOURCE: &str = "typedef read_only image2d_t flat;\n\
                      kernel void k(flat a, write_only image2d_t b, sampler_t s, global const float *restrict c,\n\
                      local int4 *d, constant uchar *e, volatile global struct T { int x; } *f, unsigned int g) {\n\
                      int2 p = (int2)(get_global_id(0), 0); write_imagef(b, p, read_imagef(a, s, p) + c[0]);\n\
                      d[0] = e[0] + g; f->x = d[0].x; }\n";

#[test]
fn arguments_that_do_not_fit() {
    let session = Session::new();
    let Some(program) = program(&session, SOURCE, "") else {
        return;
    };
    let kernel = kernel(program, "k");
    let (flat, _) = image(
        &session,
        (CL_R, CL_FLOAT),
        &desc(CL_MEM_OBJECT_IMAGE2D, [1, 1, 1]),
        &[0; 4],
    );
    let (block, _) = image(
        &session,
        (CL_R, CL_FLOAT),
        &desc(CL_MEM_OBJECT_IMAGE3D, [1, 1, 1]),
        &[0; 4],
    );
    let format = format((CL_R, CL_FLOAT));
    let of = desc(CL_MEM_OBJECT_IMAGE2D, [1, 1, 1]);
    let make = |flags| create!(clCreateImage, session.context, flags, &format, &of, null_mut());
    let (read_only, write_only) = (make(CL_MEM_READ_ONLY), make(CL_MEM_WRITE_ONLY));
    let buffer = session.buffer(&[0u8; 64]);
    let sampler = sampler(
        &session,
        &reference::Sampler {
            normalised: false,
            addressing: CL_ADDRESS_CLAMP,
            linear: false,
        },
    );
    let set = |index, handle: Handle| {
        let at: *const Handle = &handle;
        call!(clSetKernelArg, kernel, index, size_of::<Handle>(), at.cast())
    };
    for (index, handle, code) in [
        (0, flat, CL_SUCCESS),
        (0, read_only, CL_SUCCESS),
        (0, write_only, CL_INVALID_ARG_VALUE),
        (0, buffer, CL_INVALID_MEM_OBJECT),
        (0, block, CL_INVALID_MEM_OBJECT),
        (0, sampler, CL_INVALID_MEM_OBJECT),
        (0, null_mut(), CL_INVALID_MEM_OBJECT),
        (1, write_only, CL_SUCCESS),
        (1, read_only, CL_INVALID_ARG_VALUE),
        (2, sampler, CL_SUCCESS),
        (2, flat, CL_INVALID_SAMPLER),
        (2, null_mut(), CL_INVALID_SAMPLER),
        (3, flat, CL_INVALID_MEM_OBJECT),
        (3, buffer, CL_SUCCESS),
    ] {
        assert_eq!(set(index, handle), code, "argument {index}");
    }
    for index in [0, 2] {
        let at: *const Handle = &flat;
        refused!(CL_INVALID_ARG_SIZE, clSetKernelArg, kernel, index, 4, at.cast());
        refused!(
            CL_INVALID_ARG_VALUE,
            clSetKernelArg,
            kernel,
            index,
            size_of::<Handle>(),
            null()
        );
    }
    // Without the build option there are no argument names.
    refused!(
        CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
        clGetKernelArgInfo,
        kernel,
        0,
        CL_KERNEL_ARG_NAME,
        0,
        null_mut(),
        null_mut()
    );
    ok!(clReleaseSampler, sampler);
    release(&[flat, block, read_only, write_only, buffer]);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseProgram, program);
}

#[test]
fn argument_queries_are_answered() {
    let session = Session::new();
    let Some(program) = program(&session, SOURCE, "-cl-kernel-arg-info") else {
        return;
    };
    let binary = program_of_binary(&session, program);
    for program in [program, binary] {
        check_declarations(program);
        ok!(clReleaseProgram, program);
    }
}

/// Creates a program from another program's binary, which contains the declarations of arguments.
fn program_of_binary(session: &Session, program: Handle) -> Handle {
    let length = info!(usize, clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
    let mut bytes = vec![0u8; length];
    let mut at = bytes.as_mut_ptr();
    let place: *mut *mut u8 = &mut at;
    let size = size_of::<*mut u8>();
    ok!(
        clGetProgramInfo,
        program,
        CL_PROGRAM_BINARIES,
        size,
        place.cast(),
        null_mut()
    );
    let (device, mut at) = (crate::driver::device(), bytes.as_ptr());
    let binary = create!(
        clCreateProgramWithBinary,
        session.context,
        1,
        &device,
        &length,
        &mut at,
        null_mut()
    );
    ok!(clBuildProgram, binary, 0, null(), null(), None, null_mut());
    binary
}

fn check_declarations(program: Handle) {
    let kernel = kernel(program, "k");
    let none = (CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_NONE);
    let (private, global) = (CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    let (constant, local) = (CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL);
    let wanted = [
        ("a", "flat", global, CL_KERNEL_ARG_ACCESS_READ_ONLY, none.1),
        ("b", "image2d_t", global, CL_KERNEL_ARG_ACCESS_WRITE_ONLY, none.1),
        ("s", "sampler_t", private, none.0, none.1),
        (
            "c",
            "float*",
            global,
            none.0,
            CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT,
        ),
        ("d", "int4*", local, none.0, none.1),
        ("e", "uchar*", constant, none.0, CL_KERNEL_ARG_TYPE_CONST),
        ("f", "struct T*", global, none.0, CL_KERNEL_ARG_TYPE_VOLATILE),
        ("g", "uint", private, none.0, none.1),
    ];
    for (index, (name, ty, space, access, qualifiers)) in wanted.into_iter().enumerate() {
        let index = index as u32;
        let text = |question| {
            text(|size, value, size_ret| call!(clGetKernelArgInfo, kernel, index, question, size, value, size_ret))
        };
        let word = |question| {
            let (mut word, mut size) = (0u32, 0);
            let at: *mut u32 = &mut word;
            ok!(clGetKernelArgInfo, kernel, index, question, 4, at.cast(), &mut size);
            assert_eq!(size, 4);
            word
        };
        assert_eq!(
            (
                text(CL_KERNEL_ARG_NAME).as_str(),
                text(CL_KERNEL_ARG_TYPE_NAME).as_str()
            ),
            (name, ty)
        );
        assert_eq!(word(CL_KERNEL_ARG_ADDRESS_QUALIFIER), space, "{name}");
        assert_eq!(word(CL_KERNEL_ARG_ACCESS_QUALIFIER), access, "{name}");
        let (mut bits, mut size) = (0u64, 0);
        let at: *mut u64 = &mut bits;
        let question = CL_KERNEL_ARG_TYPE_QUALIFIER;
        ok!(clGetKernelArgInfo, kernel, index, question, 8, at.cast(), &mut size);
        assert_eq!((bits, size), (u64::from(qualifiers), 8), "{name}");
    }
    refused!(
        CL_INVALID_ARG_INDEX,
        clGetKernelArgInfo,
        kernel,
        8,
        CL_KERNEL_ARG_NAME,
        0,
        null_mut(),
        null_mut()
    );
    refused!(
        CL_INVALID_VALUE,
        clGetKernelArgInfo,
        kernel,
        0,
        0,
        0,
        null_mut(),
        null_mut()
    );
    ok!(clReleaseKernel, kernel);
}
