//! OpenCL's loader, opened at run time.
#![allow(unsafe_code)]

use libloading::Library;
use opencl_sys::cl_function_types::*;
use std::sync::OnceLock;

/// File names of the loader: the first is installed for users, the second only for developers.
const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

macro_rules! functions {
    ($($name:ident: $ty:ident,)*) => {
        /// The functions of OpenCL that this crate calls; all are present.
        #[allow(non_snake_case)]
        #[derive(Debug)]
        pub struct Functions {
            $(pub $name: $ty,)*
            /// Keeps the code of the functions loaded.
            _library: Library,
        }

        impl Functions {
            fn new(library: Library) -> Result<Functions, String> {
                Ok(Functions {
                    $($name: {
                        // SAFETY: OpenCL's header declares the function with this type.
                        let function = unsafe { library.get::<$ty>(concat!(stringify!($name), "\0").as_bytes()) };
                        let function = function.map_err(|error| error.to_string())?;
                        function.is_some().then_some(*function).ok_or(concat!(stringify!($name), " is missing"))?
                    },)*
                    _library: library,
                })
            }
        }
    };
}

functions! {
    clGetPlatformIDs: clGetPlatformIDs_t,
    clGetPlatformInfo: clGetPlatformInfo_t,
    clGetDeviceIDs: clGetDeviceIDs_t,
    clGetDeviceInfo: clGetDeviceInfo_t,
    clCreateContext: clCreateContext_t,
    clReleaseContext: clReleaseContext_t,
    clCreateCommandQueue: clCreateCommandQueue_t,
    clReleaseCommandQueue: clReleaseCommandQueue_t,
    clCreateProgramWithSource: clCreateProgramWithSource_t,
    clBuildProgram: clBuildProgram_t,
    clGetProgramBuildInfo: clGetProgramBuildInfo_t,
    clReleaseProgram: clReleaseProgram_t,
    clCreateKernel: clCreateKernel_t,
    clGetKernelInfo: clGetKernelInfo_t,
    clGetKernelArgInfo: clGetKernelArgInfo_t,
    clReleaseKernel: clReleaseKernel_t,
    clSetKernelArg: clSetKernelArg_t,
    clCreateBuffer: clCreateBuffer_t,
    clCreateImage: clCreateImage_t,
    clCreateSampler: clCreateSampler_t,
    clReleaseSampler: clReleaseSampler_t,
    clReleaseMemObject: clReleaseMemObject_t,
    clEnqueueWriteBuffer: clEnqueueWriteBuffer_t,
    clEnqueueReadBuffer: clEnqueueReadBuffer_t,
    clEnqueueNDRangeKernel: clEnqueueNDRangeKernel_t,
    clFinish: clFinish_t,
}

/// The functions, or the reason why the loader cannot be used.
pub fn functions() -> Result<&'static Functions, String> {
    static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();
    let open = || {
        let mut reasons = Vec::new();
        for name in NAMES {
            // SAFETY: this runs the initialisers of the library. OpenCL's loader is made to be opened at run time.
            match unsafe { Library::new(name) } {
                Ok(library) => return Functions::new(library),
                Err(error) => reasons.push(error.to_string()),
            }
        }
        Err(reasons.remove(0))
    };
    FUNCTIONS.get_or_init(open).as_ref().map_err(Clone::clone)
}
