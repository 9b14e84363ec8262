//! Functions that this driver does not support. Each returns the error code that OpenCL specifies for this case.
//!
//! They ignore their arguments, and are generic in the types: the dispatch table determines them.
#![allow(unsafe_code)]

use opencl_sys::{cl_int, CL_INVALID_OPERATION};
use std::ffi::c_void;

/// Defines, for a number of arguments, a function that returns `CODE`, and one that returns null and stores
/// `CL_INVALID_OPERATION` in its last argument.
macro_rules! refusals {
    ($($code:ident $object:ident $($type:ident)*;)*) => {$(
        /// Returns `CODE`.
        pub extern "C" fn $code<const CODE: cl_int, $($type),*>($(_: $type),*) -> cl_int {
            CODE
        }

        /// Returns null and the error code `CL_INVALID_OPERATION`.
        ///
        /// # Safety
        /// The last argument is null, or points to memory for the error code.
        pub unsafe extern "C" fn $object<$($type),*>($(_: $type,)* error: *mut cl_int) -> *mut c_void {
            if !error.is_null() {
                // SAFETY: the caller guarantees it.
                unsafe { error.write_unaligned(CL_INVALID_OPERATION) };
            }
            std::ptr::null_mut()
        }
    )*};
}

refusals! {
    code_1 object_1 A;
    code_2 object_2 A B;
    code_3 object_3 A B C;
    code_4 object_4 A B C D;
    code_5 object_5 A B C D E;
    code_6 object_6 A B C D E F;
    code_7 object_7 A B C D E F G;
    code_8 object_8 A B C D E F G H;
    code_9 object_9 A B C D E F G H I;
    code_10 object_10 A B C D E F G H I J;
    code_11 object_11 A B C D E F G H I J K;
    code_12 object_12 A B C D E F G H I J K L;
}

/// `clSVMAlloc`: shared virtual memory is not supported.
pub extern "C" fn no_memory<A, B, C, D>(_: A, _: B, _: C, _: D) -> *mut c_void {
    std::ptr::null_mut()
}

/// `clSVMFree`: there is nothing to free, because `clSVMAlloc` only returns null.
pub extern "C" fn nothing<A, B>(_: A, _: B) {}
