//! The dispatch table, to which every handle points, and the functions that OpenCL's loader finds by name.
#![allow(non_snake_case, unsafe_code)]

use crate::abi::calls::*;
use crate::abi::creations::*;
use crate::abi::images::*;
use crate::abi::refuse::*;
use crate::registry;
use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::*;
use std::ffi::{c_char, c_void, CStr};

/// All functions, in the order of `CL/cl_icd.h`.
pub static TABLE: cl_icd_dispatch = cl_icd_dispatch {
    clGetPlatformIDs: Some(clGetPlatformIDs),
    clGetPlatformInfo: Some(clGetPlatformInfo),
    clGetDeviceIDs: Some(clGetDeviceIDs),
    clGetDeviceInfo: Some(clGetDeviceInfo),
    clCreateContext: Some(clCreateContext),
    clCreateContextFromType: Some(clCreateContextFromType),
    clRetainContext: Some(clRetainContext),
    clReleaseContext: Some(clReleaseContext),
    clGetContextInfo: Some(clGetContextInfo),
    clCreateCommandQueue: Some(clCreateCommandQueue),
    clRetainCommandQueue: Some(clRetainCommandQueue),
    clReleaseCommandQueue: Some(clReleaseCommandQueue),
    clGetCommandQueueInfo: Some(clGetCommandQueueInfo),
    clSetCommandQueueProperty: Some(clSetCommandQueueProperty),
    clCreateBuffer: Some(clCreateBuffer),
    clCreateImage2D: Some(clCreateImage2D),
    clCreateImage3D: Some(clCreateImage3D),
    clRetainMemObject: Some(clRetainMemObject),
    clReleaseMemObject: Some(clReleaseMemObject),
    clGetSupportedImageFormats: Some(clGetSupportedImageFormats),
    clGetMemObjectInfo: Some(clGetMemObjectInfo),
    clGetImageInfo: Some(clGetImageInfo),
    clCreateSampler: Some(clCreateSampler),
    clRetainSampler: Some(clRetainSampler),
    clReleaseSampler: Some(clReleaseSampler),
    clGetSamplerInfo: Some(clGetSamplerInfo),
    clCreateProgramWithSource: Some(clCreateProgramWithSource),
    clCreateProgramWithBinary: Some(clCreateProgramWithBinary),
    clRetainProgram: Some(clRetainProgram),
    clReleaseProgram: Some(clReleaseProgram),
    clBuildProgram: Some(clBuildProgram),
    clUnloadCompiler: Some(clUnloadCompiler),
    clGetProgramInfo: Some(clGetProgramInfo),
    clGetProgramBuildInfo: Some(clGetProgramBuildInfo),
    clCreateKernel: Some(clCreateKernel),
    clCreateKernelsInProgram: Some(clCreateKernelsInProgram),
    clRetainKernel: Some(clRetainKernel),
    clReleaseKernel: Some(clReleaseKernel),
    clSetKernelArg: Some(clSetKernelArg),
    clGetKernelInfo: Some(clGetKernelInfo),
    clGetKernelWorkGroupInfo: Some(clGetKernelWorkGroupInfo),
    clWaitForEvents: Some(clWaitForEvents),
    clGetEventInfo: Some(clGetEventInfo),
    clRetainEvent: Some(clRetainEvent),
    clReleaseEvent: Some(clReleaseEvent),
    clGetEventProfilingInfo: Some(clGetEventProfilingInfo),
    clFlush: Some(clFlush),
    clFinish: Some(clFinish),
    clEnqueueReadBuffer: Some(clEnqueueReadBuffer),
    clEnqueueWriteBuffer: Some(clEnqueueWriteBuffer),
    clEnqueueCopyBuffer: Some(clEnqueueCopyBuffer),
    clEnqueueReadImage: Some(clEnqueueReadImage),
    clEnqueueWriteImage: Some(clEnqueueWriteImage),
    clEnqueueCopyImage: Some(clEnqueueCopyImage),
    clEnqueueCopyImageToBuffer: Some(clEnqueueCopyImageToBuffer),
    clEnqueueCopyBufferToImage: Some(clEnqueueCopyBufferToImage),
    clEnqueueMapBuffer: Some(clEnqueueMapBuffer),
    clEnqueueMapImage: Some(clEnqueueMapImage),
    clEnqueueUnmapMemObject: Some(clEnqueueUnmapMemObject),
    clEnqueueNDRangeKernel: Some(clEnqueueNDRangeKernel),
    clEnqueueTask: Some(clEnqueueTask),
    clEnqueueNativeKernel: Some(clEnqueueNativeKernel),
    clEnqueueMarker: Some(clEnqueueMarker),
    clEnqueueWaitForEvents: Some(clEnqueueWaitForEvents),
    clEnqueueBarrier: Some(clEnqueueBarrier),
    clGetExtensionFunctionAddress: Some(clGetExtensionFunctionAddress),
    clCreateFromGLBuffer: Some(object_3),
    clCreateFromGLTexture2D: Some(object_5),
    clCreateFromGLTexture3D: Some(object_5),
    clCreateFromGLRenderbuffer: Some(object_3),
    clGetGLObjectInfo: Some(code_3::<CL_INVALID_OPERATION, _, _, _>),
    clGetGLTextureInfo: Some(code_5::<CL_INVALID_OPERATION, _, _, _, _, _>),
    clEnqueueAcquireGLObjects: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clEnqueueReleaseGLObjects: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clGetGLContextInfoKHR: Some(code_5::<CL_INVALID_OPERATION, _, _, _, _, _>),
    clGetDeviceIDsFromD3D10KHR: Some(code_7::<CL_INVALID_OPERATION, _, _, _, _, _, _, _>),
    clCreateFromD3D10BufferKHR: Some(object_3),
    clCreateFromD3D10Texture2DKHR: Some(object_4),
    clCreateFromD3D10Texture3DKHR: Some(object_4),
    clEnqueueAcquireD3D10ObjectsKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clEnqueueReleaseD3D10ObjectsKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clSetEventCallback: Some(clSetEventCallback),
    clCreateSubBuffer: Some(clCreateSubBuffer),
    clSetMemObjectDestructorCallback: Some(clSetMemObjectDestructorCallback),
    clCreateUserEvent: Some(clCreateUserEvent),
    clSetUserEventStatus: Some(clSetUserEventStatus),
    clEnqueueReadBufferRect: Some(clEnqueueReadBufferRect),
    clEnqueueWriteBufferRect: Some(clEnqueueWriteBufferRect),
    clEnqueueCopyBufferRect: Some(clEnqueueCopyBufferRect),
    clCreateSubDevicesEXT: Some(code_5::<CL_DEVICE_PARTITION_FAILED, _, _, _, _, _>),
    clRetainDeviceEXT: Some(clRetainDevice),
    clReleaseDeviceEXT: Some(clReleaseDevice),
    clCreateEventFromGLsyncKHR: Some(object_2),
    clCreateSubDevices: Some(code_5::<CL_DEVICE_PARTITION_FAILED, _, _, _, _, _>),
    clRetainDevice: Some(clRetainDevice),
    clReleaseDevice: Some(clReleaseDevice),
    clCreateImage: Some(clCreateImage),
    clCreateProgramWithBuiltInKernels: Some(object_4),
    clCompileProgram: Some(code_9::<CL_COMPILER_NOT_AVAILABLE, _, _, _, _, _, _, _, _, _>),
    clLinkProgram: Some(object_8),
    clUnloadPlatformCompiler: Some(clUnloadPlatformCompiler),
    clGetKernelArgInfo: Some(clGetKernelArgInfo),
    clEnqueueFillBuffer: Some(clEnqueueFillBuffer),
    clEnqueueFillImage: Some(clEnqueueFillImage),
    clEnqueueMigrateMemObjects: Some(clEnqueueMigrateMemObjects),
    clEnqueueMarkerWithWaitList: Some(clEnqueueMarkerWithWaitList),
    clEnqueueBarrierWithWaitList: Some(clEnqueueBarrierWithWaitList),
    clGetExtensionFunctionAddressForPlatform: Some(clGetExtensionFunctionAddressForPlatform),
    clCreateFromGLTexture: Some(object_5),
    clGetDeviceIDsFromD3D11KHR: Some(code_7::<CL_INVALID_OPERATION, _, _, _, _, _, _, _>),
    clCreateFromD3D11BufferKHR: Some(object_3),
    clCreateFromD3D11Texture2DKHR: Some(object_4),
    clCreateFromD3D11Texture3DKHR: Some(object_4),
    clCreateFromDX9MediaSurfaceKHR: Some(object_5),
    clEnqueueAcquireD3D11ObjectsKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clEnqueueReleaseD3D11ObjectsKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clGetDeviceIDsFromDX9MediaAdapterKHR: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clEnqueueAcquireDX9MediaSurfacesKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clEnqueueReleaseDX9MediaSurfacesKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clCreateFromEGLImageKHR: Some(object_5),
    clEnqueueAcquireEGLObjectsKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clEnqueueReleaseEGLObjectsKHR: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
    clCreateEventFromEGLSyncKHR: Some(object_3),
    clCreateCommandQueueWithProperties: Some(object_3),
    clCreatePipe: Some(object_5),
    clGetPipeInfo: Some(code_5::<CL_INVALID_MEM_OBJECT, _, _, _, _, _>),
    clSVMAlloc: Some(no_memory),
    clSVMFree: Some(nothing),
    clEnqueueSVMFree: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clEnqueueSVMMemcpy: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clEnqueueSVMMemFill: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clEnqueueSVMMap: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clEnqueueSVMUnmap: Some(code_5::<CL_INVALID_OPERATION, _, _, _, _, _>),
    clCreateSamplerWithProperties: Some(object_2),
    clSetKernelArgSVMPointer: Some(code_3::<CL_INVALID_OPERATION, _, _, _>),
    clSetKernelExecInfo: Some(code_4::<CL_INVALID_OPERATION, _, _, _, _>),
    clGetKernelSubGroupInfoKHR: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clCloneKernel: Some(object_1),
    clCreateProgramWithIL: Some(object_3),
    clEnqueueSVMMigrateMem: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clGetDeviceAndHostTimer: Some(code_3::<CL_INVALID_OPERATION, _, _, _>),
    clGetHostTimer: Some(code_2::<CL_INVALID_OPERATION, _, _>),
    clGetKernelSubGroupInfo: Some(code_8::<CL_INVALID_OPERATION, _, _, _, _, _, _, _, _>),
    clSetDefaultDeviceCommandQueue: Some(code_3::<CL_INVALID_OPERATION, _, _, _>),
    clSetProgramReleaseCallback: Some(code_3::<CL_INVALID_OPERATION, _, _, _>),
    clSetProgramSpecializationConstant: Some(code_4::<CL_INVALID_OPERATION, _, _, _, _>),
    clCreateBufferWithProperties: Some(object_5),
    clCreateImageWithProperties: Some(object_6),
    clSetContextDestructorCallback: Some(clSetContextDestructorCallback),
    clGetKernelSuggestedLocalWorkSize: Some(code_6::<CL_INVALID_OPERATION, _, _, _, _, _, _>),
};

/// `clGetExtensionFunctionAddress`, the first function that the loader calls.
///
/// # Safety
/// `name` is null or a C string.
#[no_mangle]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    if name.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the caller guarantees it.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"clIcdGetPlatformIDsKHR" => clIcdGetPlatformIDsKHR as *mut c_void,
        b"clGetPlatformInfo" => clGetPlatformInfo as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

/// `clGetExtensionFunctionAddressForPlatform`: the platform is ignored, because there is only one.
///
/// # Safety
/// The requirements of [`clGetExtensionFunctionAddress`].
unsafe extern "C" fn clGetExtensionFunctionAddressForPlatform(
    _platform: cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    // SAFETY: the caller guarantees it.
    unsafe { clGetExtensionFunctionAddress(name) }
}

/// `clIcdGetPlatformIDsKHR`, by which the loader finds the platform.
///
/// # Safety
/// The requirements of `clGetPlatformIDs`.
#[no_mangle]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> cl_int {
    registry::lead_to(&TABLE);
    // SAFETY: the caller guarantees it.
    unsafe { clGetPlatformIDs(entries, platforms, count) }
}
