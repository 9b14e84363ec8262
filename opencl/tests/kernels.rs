//! Kernels: arguments, index spaces, refusals and results.

use crate::driver::{argument, device, text, Handle, Session};
use crate::{call, create, info, no_object, ok, refused};
use opencl_sys::*;
use std::ptr::{null, null_mut};

fn launch(session: &Session, kernel: Handle, offset: &[usize], global: &[usize], local: &[usize]) -> cl_int {
    let at = |sizes: &[usize]| if sizes.is_empty() { null() } else { sizes.as_ptr() };
    let dimensions = global.len() as u32;
    let (offset, global, local) = (at(offset), at(global), at(local));
    call!(
        clEnqueueNDRangeKernel,
        session.queue,
        kernel,
        dimensions,
        offset,
        global,
        local,
        0,
        null(),
        null_mut()
    )
}

#[test]
fn vectors_are_added() {
    let session = Session::new();
    let numbers: Vec<f32> = (0..1000).map(|i| i as f32 * 0.5).collect();
    let buffers = [
        session.buffer(&numbers),
        session.buffer(&numbers),
        session.buffer(&[0f32; 1000]),
    ];
    let kernel = session.kernel("add", &buffers);
    assert_eq!(session.run(kernel, 1000), CL_SUCCESS);
    let sums: Vec<f32> = numbers.iter().map(|number| number + number).collect();
    assert_eq!(session.read::<f32>(buffers[2], 1000), sums);
    ok!(clReleaseKernel, kernel);
    for buffer in buffers {
        ok!(clReleaseMemObject, buffer);
    }
}

/// The words that `space` must write for each work-item.
fn expected(offset: [usize; 3], global: [usize; 3], local: [usize; 3], dimensions: usize) -> Vec<u32> {
    let pack = |values: [usize; 3]| (values[0] | values[1] << 8 | values[2] << 16) as u32;
    let mut words = Vec::new();
    for z in 0..global[2] {
        for y in 0..global[1] {
            for x in 0..global[0] {
                let id = [x, y, z];
                let of = |value: fn(usize, usize) -> usize| [0, 1, 2].map(|at| value(id[at], local[at]));
                words.push(pack([0, 1, 2].map(|at| id[at] + offset[at])) | (dimensions as u32) << 24);
                words.push(pack(of(|id, local| id % local)));
                words.push(pack(of(|id, local| id / local)));
                words.push(pack([0, 1, 2].map(|at| global[at] / local[at])));
            }
        }
    }
    words
}

#[test]
fn work_items_get_their_indices() {
    let session = Session::new();
    let out = session.buffer(&[0u32; 4 * 256]);
    let kernel = session.kernel("space", &[out]);
    for (offset, global, local) in [
        (vec![], vec![64], vec![16]),
        (vec![5], vec![64], vec![16]),
        (vec![1, 2], vec![8, 6], vec![4, 3]),
        (vec![1, 2, 3], vec![8, 4, 6], vec![4, 2, 2]),
        (vec![], vec![4, 2, 3], vec![4, 1, 1]),
    ] {
        assert_eq!(launch(&session, kernel, &offset, &global, &local), CL_SUCCESS);
        let full = |sizes: &[usize], rest| {
            let mut all = [rest; 3];
            all[..sizes.len()].copy_from_slice(sizes);
            all
        };
        let wanted = expected(full(&offset, 0), full(&global, 1), full(&local, 1), global.len());
        assert_eq!(
            session.read::<u32>(out, wanted.len()),
            wanted,
            "{offset:?} {global:?} {local:?}"
        );
    }
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

#[test]
fn values_and_local_memory_are_passed() {
    let session = Session::new();
    let out = session.buffer(&[0f32; 8]);
    let kernel = session.kernel("values", &[out]);
    argument(kernel, 1, &-3i8);
    argument(kernel, 2, &(5i64 << 32));
    argument(kernel, 3, &(100i32, 0.5f32, 0.25f32));
    argument(kernel, 4, &[1f32, 2.0, 3.0, 1000.0]);
    refused!(
        CL_INVALID_KERNEL_ARGS,
        clEnqueueTask,
        session.queue,
        kernel,
        0,
        null(),
        null_mut()
    );
    ok!(clSetKernelArg, kernel, 5, 4 * 4, null());
    assert_eq!(launch(&session, kernel, &[], &[8], &[4]), CL_SUCCESS);
    let row = [3.0, 2.0, 1.0, 0.0].map(|i: f32| 1000.0 + i - 3.0 + 5.0 + 100.0 + 0.25);
    assert_eq!(session.read::<f32>(out, 8), [row, row].concat());
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

/// Uses all bytes of local memory that the device reports: by a variable, by an argument, and by both.
#[test]
fn kernels_use_all_of_local_memory() {
    let session = Session::new();
    let all = info!(u64, clGetDeviceInfo, device(), CL_DEVICE_LOCAL_MEM_SIZE) as usize;
    assert_eq!(all, 16_384);
    // Each work-item stores its number in the first and the last words, and adds its neighbour's numbers.
    let body = |last: usize| {
        format!(
            "{{ .reg .b32 %r<20>;\nmov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; xor.b32 %r3, %r2, 4;\n\
             add.u32 %r5, %r4, %r2; add.u32 %r7, %r6, %r2; st.shared.u32 [%r5], %r1; st.shared.u32 [%r7+{last}], %r1;\n\
             bar.sync 0;\nadd.u32 %r5, %r4, %r3; add.u32 %r7, %r6, %r3; ld.shared.u32 %r8, [%r5];\n\
             ld.shared.u32 %r9, [%r7+{last}]; add.u32 %r8, %r8, %r9; mov.u32 %r10, %ntid.x;\n\
             mad.lo.u32 %r8, %r8, 1000, %r10; ld.param.u32 %r11, [p]; add.u32 %r11, %r11, %r2;\n\
             st.global.u32 [%r11], %r8; ret; }}\n"
        )
    };
    let pointer = |name: &str, space: &str| format!(".param .u32 .ptr .{space} .align 4 {name}");
    let from = |at: &str| format!("{{ .reg .b32 %r<20>;\n{at}");
    let head = ".version 3.2\n.target sm_20\n.address_size 32\n";
    let (global, local) = (pointer("p", "global"), pointer("q", "shared"));
    for (own, given) in [(all, 0), (0, all), (all / 2, all / 2), (all - 512, 512)] {
        let mut start = String::new();
        if own > 0 {
            start += &format!(".shared .align 4 .b8 x[{own}];\n");
        }
        // If there are both, the first words belong to the variable and the last words to the argument.
        start += match (own, given) {
            (_, 0) => "mov.u32 %r4, x; mov.u32 %r6, x;\n",
            (0, _) => "ld.param.u32 %r4, [q]; ld.param.u32 %r6, [q];\n",
            _ => "mov.u32 %r4, x; ld.param.u32 %r6, [q];\n",
        };
        let last = if given > 0 { given } else { own } - 4 * 64;
        let body = body(last).replacen("{ .reg .b32 %r<20>;\n", &from(&start), 1);
        let parameters = if given > 0 {
            format!("{global}, {local}")
        } else {
            global.clone()
        };
        let program = session.program_of(&format!("{head}.entry k({parameters})\n{body}"));
        ok!(clBuildProgram, program, 0, null(), null(), None, null_mut());
        let kernel = create!(clCreateKernel, program, c"k".as_ptr());
        let out = session.buffer(&[0u32; 64]);
        argument(kernel, 0, &out);
        if given > 0 {
            ok!(clSetKernelArg, kernel, 1, given, null());
        }
        let mut used = 0u64;
        let at: *mut u64 = &mut used;
        let question = CL_KERNEL_LOCAL_MEM_SIZE;
        ok!(
            clGetKernelWorkGroupInfo,
            kernel,
            device(),
            question,
            8,
            at.cast(),
            null_mut()
        );
        assert_eq!(used as usize, all);
        assert_eq!(
            launch(&session, kernel, &[], &[128], &[64]),
            CL_SUCCESS,
            "{own}, {given}"
        );
        let wanted: Vec<u32> = (0..64).map(|l| 2000 * (l ^ 1) + 64).collect();
        assert_eq!(session.read::<u32>(out, 64), wanted);
        if given > 0 {
            ok!(clSetKernelArg, kernel, 1, given + 4, null());
            assert_eq!(launch(&session, kernel, &[], &[128], &[64]), CL_OUT_OF_RESOURCES);
        }
        ok!(clReleaseKernel, kernel);
        ok!(clReleaseProgram, program);
        ok!(clReleaseMemObject, out);
    }
}

#[test]
fn constants_have_their_values() {
    let session = Session::new();
    let out = session.buffer(&[1f32; 6]);
    let kernel = session.kernel("weigh", &[out]);
    assert_eq!(session.run(kernel, 6), CL_SUCCESS);
    assert_eq!(session.read::<f32>(out, 6), [1.0, 2.0, 3.0, 4.0, 1.0, 2.0]);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

#[test]
fn a_part_is_an_argument() {
    let session = Session::new();
    let whole = session.buffer(&[1f32; 128]);
    let region = cl_buffer_region { origin: 256, size: 16 };
    let at: *const cl_buffer_region = &region;
    let part = create!(clCreateSubBuffer, whole, 0, CL_BUFFER_CREATE_TYPE_REGION, at.cast());
    // With two parts as arguments, the buffer must still be in memory only once.
    let kernel = session.kernel("add", &[whole, part, part]);
    assert_eq!(session.run(kernel, 4), CL_SUCCESS);
    let now = session.read::<f32>(whole, 128);
    let changed: Vec<usize> = (0..128).filter(|&at| now[at] == 2.0).collect();
    assert_eq!(changed, [64, 65, 66, 67]);
    ok!(clReleaseKernel, kernel);
    for buffer in [part, whole] {
        ok!(clReleaseMemObject, buffer);
    }
}

#[test]
fn arguments_that_are_refused() {
    let session = Session::new();
    let buffer = session.buffer(&[0u32; 4]);
    let kernel = session.kernel("values", &[buffer]);
    let value = 5u64;
    let at: *const u64 = &value;
    let at = at.cast();
    for (index, size, value, code) in [
        (6, 4, at, CL_INVALID_ARG_INDEX),
        (u32::MAX, 4, at, CL_INVALID_ARG_INDEX),
        (0, 4, at, CL_INVALID_ARG_SIZE),
        (0, 8, at, CL_INVALID_MEM_OBJECT),
        (1, 2, at, CL_INVALID_ARG_SIZE),
        (1, 1, null(), CL_INVALID_ARG_VALUE),
        (2, usize::MAX, at, CL_INVALID_ARG_SIZE),
        (5, 0, null(), CL_INVALID_ARG_SIZE),
        (5, 16, at, CL_INVALID_ARG_VALUE),
        (5, usize::MAX, null(), CL_INVALID_ARG_SIZE),
    ] {
        refused!(code, clSetKernelArg, kernel, index, size, value);
    }
    let other = Session::new();
    let foreign = other.buffer(&[0u32; 4]);
    let at: *const Handle = &foreign;
    refused!(CL_INVALID_MEM_OBJECT, clSetKernelArg, kernel, 0, 8, at.cast());
    refused!(CL_INVALID_KERNEL, clSetKernelArg, buffer, 0, 8, at.cast());
    ok!(clReleaseKernel, kernel);
    for buffer in [buffer, foreign] {
        ok!(clReleaseMemObject, buffer);
    }
}

#[test]
fn launches_that_are_refused() {
    let session = Session::new();
    let out = session.buffer(&[0u32; 4]);
    let kernel = session.kernel("space", &[out]);
    for (offset, global, local, code) in [
        (vec![], vec![0], vec![], CL_INVALID_GLOBAL_WORK_SIZE),
        (vec![], vec![1 << 32], vec![], CL_INVALID_GLOBAL_WORK_SIZE),
        (vec![1 << 32], vec![1], vec![], CL_INVALID_GLOBAL_OFFSET),
        (vec![(1 << 32) - 1], vec![1], vec![], CL_INVALID_GLOBAL_OFFSET),
        (vec![], vec![1024], vec![1024], CL_INVALID_WORK_ITEM_SIZE),
        (vec![], vec![64, 64], vec![32, 32], CL_INVALID_WORK_GROUP_SIZE),
        (vec![], vec![10], vec![4], CL_INVALID_WORK_GROUP_SIZE),
        (vec![], vec![10], vec![0], CL_INVALID_WORK_GROUP_SIZE),
    ] {
        let found = launch(&session, kernel, &offset, &global, &local);
        assert_eq!(found, code, "{offset:?} {global:?} {local:?}");
    }
    let one = [1usize; 4];
    let (sizes, none) = (one.as_ptr(), null());
    let queue = session.queue;
    let dimension = CL_INVALID_WORK_DIMENSION;
    refused!(
        dimension,
        clEnqueueNDRangeKernel,
        queue,
        kernel,
        0,
        none,
        sizes,
        none,
        0,
        null(),
        null_mut()
    );
    refused!(
        dimension,
        clEnqueueNDRangeKernel,
        queue,
        kernel,
        4,
        none,
        sizes,
        none,
        0,
        null(),
        null_mut()
    );
    let global = CL_INVALID_GLOBAL_WORK_SIZE;
    refused!(
        global,
        clEnqueueNDRangeKernel,
        queue,
        kernel,
        1,
        none,
        none,
        none,
        0,
        null(),
        null_mut()
    );
    let other = Session::new();
    refused!(
        CL_INVALID_CONTEXT,
        clEnqueueTask,
        other.queue,
        kernel,
        0,
        null(),
        null_mut()
    );
    // A buffer that was released after it was set.
    ok!(clReleaseMemObject, out);
    refused!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueTask,
        queue,
        kernel,
        0,
        null(),
        null_mut()
    );
    ok!(clReleaseKernel, kernel);
}

#[test]
fn more_shared_memory_than_there_is() {
    let session = Session::new();
    let out = session.buffer(&[0f32; 4]);
    let kernel = session.kernel("values", &[out]);
    argument(kernel, 1, &0i8);
    argument(kernel, 2, &0i64);
    argument(kernel, 3, &(0i32, 0f32, 0f32));
    argument(kernel, 4, &[0f32; 4]);
    ok!(clSetKernelArg, kernel, 5, 16388, null());
    refused!(
        CL_OUT_OF_RESOURCES,
        clEnqueueTask,
        session.queue,
        kernel,
        0,
        null(),
        null_mut()
    );
    ok!(clSetKernelArg, kernel, 5, 16, null());
    ok!(clEnqueueTask, session.queue, kernel, 0, null(), null_mut());
    ok!(clFinish, session.queue);
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

#[test]
fn a_required_work_group_size() {
    let session = Session::new();
    let out = session.buffer(&[9i32; 32]);
    let kernel = session.kernel("fixed", &[out]);
    let ask = CL_KERNEL_COMPILE_WORK_GROUP_SIZE;
    let mut sizes = [0usize; 3];
    let at = sizes.as_mut_ptr().cast();
    ok!(clGetKernelWorkGroupInfo, kernel, device(), ask, 24, at, null_mut());
    assert_eq!(sizes, [8, 2, 1]);
    assert_eq!(
        launch(&session, kernel, &[], &[8, 4], &[4, 4]),
        CL_INVALID_WORK_GROUP_SIZE
    );
    assert_eq!(launch(&session, kernel, &[], &[9, 4], &[]), CL_INVALID_WORK_GROUP_SIZE);
    // Without a given size, the required size is used.
    for local in [vec![8, 2], vec![]] {
        assert_eq!(launch(&session, kernel, &[], &[8, 4], &local), CL_SUCCESS);
        let rows = session.read::<i32>(out, 32);
        assert_eq!([rows[0], rows[8], rows[16], rows[24]], [0, 1, 0, 1]);
    }
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseMemObject, out);
}

/// The machine's grid has at most 65,535 groups in a dimension, but the index space may have more.
#[test]
fn grids_larger_than_the_machine_are_split() {
    let session = Session::new();
    for (global, groups) in [(vec![70_000], 70_000), (vec![1, 65_537], 65_537)] {
        let out = session.buffer(&vec![0u32; groups]);
        let kernel = session.kernel("place", &[out]);
        let local = vec![1; global.len()];
        assert_eq!(launch(&session, kernel, &[], &global, &local), CL_SUCCESS);
        let found = session.read::<u32>(out, groups);
        let wrong = found.iter().position(|&word| word != groups as u32 + 1);
        assert_eq!(wrong, None, "{global:?}");
        ok!(clReleaseKernel, kernel);
        ok!(clReleaseMemObject, out);
    }
}

#[test]
fn kernel_queries_are_answered() {
    let session = Session::new();
    let program = session.program();
    let kernel = create!(clCreateKernel, program, c"values".as_ptr());
    let name = CL_KERNEL_FUNCTION_NAME;
    let name = text(|size, value, size_ret| call!(clGetKernelInfo, kernel, name, size, value, size_ret));
    assert_eq!(name, "values");
    assert_eq!(info!(u32, clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS), 6);
    assert_eq!(
        info!(usize, clGetKernelInfo, kernel, CL_KERNEL_PROGRAM),
        program as usize
    );
    assert_eq!(
        info!(usize, clGetKernelInfo, kernel, CL_KERNEL_CONTEXT),
        session.context as usize
    );
    let mut size = 0usize;
    let at: *mut usize = &mut size;
    ok!(
        clGetKernelWorkGroupInfo,
        kernel,
        device(),
        CL_KERNEL_WORK_GROUP_SIZE,
        8,
        at.cast(),
        null_mut()
    );
    assert_eq!(size, 512);
    let multiple = CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE;
    ok!(
        clGetKernelWorkGroupInfo,
        kernel,
        null_mut(),
        multiple,
        8,
        at.cast(),
        null_mut()
    );
    assert_eq!(size, 32);
    let local = |bytes: usize| {
        ok!(clSetKernelArg, kernel, 5, bytes, null());
        let mut size = 0u64;
        let at: *mut u64 = &mut size;
        ok!(
            clGetKernelWorkGroupInfo,
            kernel,
            device(),
            CL_KERNEL_LOCAL_MEM_SIZE,
            8,
            at.cast(),
            null_mut()
        );
        size
    };
    assert_eq!(local(1024) - local(512), 512);
    no_object!(CL_INVALID_KERNEL_NAME, clCreateKernel, program, c"nothing".as_ptr());
    no_object!(CL_INVALID_VALUE, clCreateKernel, program, null());
    let mut count = 0;
    ok!(clCreateKernelsInProgram, program, 0, null_mut(), &mut count);
    let mut kernels = vec![null_mut(); count as usize];
    let space = kernels.as_mut_ptr();
    refused!(
        CL_INVALID_VALUE,
        clCreateKernelsInProgram,
        program,
        count - 1,
        space,
        null_mut()
    );
    ok!(clCreateKernelsInProgram, program, count, space, null_mut());
    for kernel in kernels {
        ok!(clReleaseKernel, kernel);
    }
    ok!(clReleaseKernel, kernel);
    ok!(clReleaseProgram, program);
}
