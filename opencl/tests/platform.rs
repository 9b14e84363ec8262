//! The platform, its devices, and the dispatch table.

use crate::driver::{device, platform, table, text};
use crate::{call, info, ok, refused};
use opencl_sys::*;
use std::ptr::{null, null_mut};

#[test]
fn no_entry_of_the_table_is_null() {
    let table: *const _ = table();
    let words = size_of_val(crate::driver::table()) / size_of::<usize>();
    assert_eq!(words, 150, "the functions of CL/cl_icd.h, and one of OpenCL 3.1");
    for at in 0..words {
        // SAFETY: the table consists of this many pointers.
        let entry = unsafe { table.cast::<usize>().add(at).read() };
        assert_ne!(entry, 0, "entry {at}");
    }
}

#[test]
fn platform_queries_are_answered() {
    let say =
        |question| text(|size, value, size_ret| call!(clGetPlatformInfo, platform(), question, size, value, size_ret));
    assert!(say(CL_PLATFORM_VERSION).starts_with("OpenCL 1.1 "));
    assert_eq!(say(CL_PLATFORM_EXTENSIONS), "cl_khr_icd");
    assert_eq!(say(CL_PLATFORM_ICD_SUFFIX_KHR), "FLEXGRIP");
    refused!(
        CL_INVALID_VALUE,
        clGetPlatformInfo,
        platform(),
        0x999,
        0,
        null_mut(),
        null_mut()
    );
    refused!(
        CL_INVALID_PLATFORM,
        clGetPlatformInfo,
        device(),
        CL_PLATFORM_NAME,
        0,
        null_mut(),
        null_mut()
    );
    let mut small = [0u8; 3];
    let at = small.as_mut_ptr().cast();
    refused!(
        CL_INVALID_VALUE,
        clGetPlatformInfo,
        platform(),
        CL_PLATFORM_NAME,
        3,
        at,
        null_mut()
    );
}

#[test]
fn device_queries_are_answered() {
    let say =
        |question| text(|size, value, size_ret| call!(clGetDeviceInfo, device(), question, size, value, size_ret));
    assert_eq!(say(CL_DEVICE_NAME), "SM 1.3, golden model, 8 lanes");
    assert_eq!(
        say(CL_DEVICE_EXTENSIONS),
        "cl_khr_byte_addressable_store cl_khr_3d_image_writes cl_khr_global_int32_base_atomics \
         cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics \
         cl_khr_int64_base_atomics cl_khr_fp64"
    );
    let d = device();
    assert_eq!(
        info!(u64, clGetDeviceInfo, d, CL_DEVICE_TYPE),
        CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT
    );
    assert_eq!(info!(u32, clGetDeviceInfo, d, CL_DEVICE_ADDRESS_BITS), 32);
    assert_eq!(
        info!(u32, clGetDeviceInfo, d, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE),
        1
    );
    assert_eq!(
        info!(u64, clGetDeviceInfo, d, CL_DEVICE_DOUBLE_FP_CONFIG),
        CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM
    );
    assert_eq!(info!(u32, clGetDeviceInfo, d, CL_DEVICE_IMAGE_SUPPORT), CL_TRUE);
    assert_eq!(
        info!([usize; 3], clGetDeviceInfo, d, CL_DEVICE_MAX_WORK_ITEM_SIZES),
        [512, 512, 64]
    );
    assert_eq!(info!(u64, clGetDeviceInfo, d, CL_DEVICE_LOCAL_MEM_SIZE), 16384);
    assert_eq!(
        info!(usize, clGetDeviceInfo, d, CL_DEVICE_PLATFORM),
        platform() as usize
    );
    refused!(CL_INVALID_VALUE, clGetDeviceInfo, d, 0x9999, 0, null_mut(), null_mut());
    refused!(
        CL_INVALID_DEVICE,
        clGetDeviceInfo,
        platform(),
        CL_DEVICE_NAME,
        0,
        null_mut(),
        null_mut()
    );
    refused!(
        CL_INVALID_DEVICE,
        clGetDeviceInfo,
        null_mut(),
        CL_DEVICE_NAME,
        0,
        null_mut(),
        null_mut()
    );
    ok!(clRetainDevice, d);
    ok!(clReleaseDevice, d);
    assert_eq!(info!(u32, clGetDeviceInfo, d, CL_DEVICE_REFERENCE_COUNT), 1);
}

#[test]
fn devices_are_listed() {
    let mut count = 0;
    ok!(
        clGetDeviceIDs,
        platform(),
        CL_DEVICE_TYPE_GPU,
        0,
        null_mut(),
        &mut count
    );
    assert!(count >= 1);
    let mut devices = vec![null_mut(); count as usize];
    ok!(
        clGetDeviceIDs,
        platform(),
        CL_DEVICE_TYPE_GPU,
        count,
        devices.as_mut_ptr(),
        null_mut()
    );
    assert_eq!(devices[0], device());
    assert!(devices.iter().all(|device| !device.is_null()));
    let mut found = null_mut();
    let none = CL_DEVICE_TYPE_CPU;
    refused!(
        CL_DEVICE_NOT_FOUND,
        clGetDeviceIDs,
        platform(),
        none,
        1,
        &mut found,
        null_mut()
    );
    refused!(
        CL_INVALID_DEVICE_TYPE,
        clGetDeviceIDs,
        platform(),
        0,
        1,
        &mut found,
        null_mut()
    );
    refused!(
        CL_INVALID_VALUE,
        clGetDeviceIDs,
        platform(),
        CL_DEVICE_TYPE_ALL,
        0,
        &mut found,
        null_mut()
    );
    refused!(
        CL_INVALID_VALUE,
        clGetDeviceIDs,
        platform(),
        CL_DEVICE_TYPE_ALL,
        0,
        null_mut(),
        null_mut()
    );
    refused!(
        CL_INVALID_PLATFORM,
        clGetDeviceIDs,
        null_mut(),
        CL_DEVICE_TYPE_ALL,
        1,
        &mut found,
        null_mut()
    );
    refused!(CL_INVALID_VALUE, clGetPlatformIDs, 0, &mut found, null_mut());
}

#[test]
fn functions_that_are_not_there_return_their_codes() {
    let mut code = 1;
    let object = call!(clCreateSamplerWithProperties, null_mut(), null(), &mut code);
    assert_eq!((object.is_null(), code), (true, CL_INVALID_OPERATION));
    let pipe = call!(clCreatePipe, null_mut(), 0, 4, 1, null(), &mut code);
    assert_eq!((pipe.is_null(), code), (true, CL_INVALID_OPERATION));
    assert!(call!(clCreatePipe, null_mut(), 0, 4, 1, null(), null_mut()).is_null());
    refused!(
        CL_INVALID_MEM_OBJECT,
        clGetPipeInfo,
        null_mut(),
        0,
        0,
        null_mut(),
        null_mut()
    );
    refused!(CL_INVALID_OPERATION, clGetHostTimer, device(), null_mut());
    assert!(call!(clSVMAlloc, null_mut(), 0, 16, 0).is_null());
    call!(clSVMFree, null_mut(), null_mut());
    assert!(call!(clGetExtensionFunctionAddress, c"clNothing".as_ptr()).is_null());
}
