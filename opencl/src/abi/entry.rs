//! Wrappers between C and Rust: they convert pointers to [`Pointer`], results to error codes, and panics to an error.
#![allow(unsafe_code)]

use crate::error::{say, Code, Result};
use crate::native::pointer::Pointer;
use opencl_sys::{cl_int, CL_OUT_OF_HOST_MEMORY, CL_SUCCESS};
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A type of C arguments.
pub trait FromC {
    /// The type that the rest of the driver uses for it.
    type Safe;

    /// Converts the argument.
    ///
    /// # Safety
    /// The requirements of [`Pointer::new`].
    unsafe fn take(self) -> Self::Safe;
}

impl<T> FromC for *mut T {
    type Safe = Pointer<T>;

    unsafe fn take(self) -> Pointer<T> {
        // SAFETY: the caller guarantees it.
        unsafe { Pointer::new(self) }
    }
}

impl<T> FromC for *const T {
    type Safe = Pointer<T>;

    unsafe fn take(self) -> Pointer<T> {
        // SAFETY: the caller guarantees it.
        unsafe { Pointer::new(self.cast_mut()) }
    }
}

macro_rules! as_it_is {
    ($($type:ty)*) => {$(
        impl FromC for $type {
            type Safe = $type;

            unsafe fn take(self) -> $type {
                self
            }
        }
    )*};
}

as_it_is!(i32 u32 u64 usize);

impl<F> FromC for Option<F> {
    type Safe = Option<F>;

    unsafe fn take(self) -> Option<F> {
        self
    }
}

/// Runs a call, and converts a panic to an error. A panic is a defect of the driver; unwinding into C would be
/// undefined behaviour.
fn guarded<T>(name: &str, call: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        say(&format!(
            "{name} panicked: this is a defect of the driver; please report it"
        ));
        Err(Code(CL_OUT_OF_HOST_MEMORY))
    })
}

/// Runs a call that returns an error code.
pub fn status(name: &str, call: impl FnOnce() -> Result<()>) -> cl_int {
    match guarded(name, call) {
        Ok(()) => CL_SUCCESS,
        Err(Code(code)) => code,
    }
}

/// Runs a call that returns an object, or null and an error code.
pub fn object(name: &str, error: Pointer<cl_int>, call: impl FnOnce() -> Result<*mut c_void>) -> *mut c_void {
    let (object, code) = match guarded(name, call) {
        Ok(object) => (object, CL_SUCCESS),
        Err(Code(code)) => (std::ptr::null_mut(), code),
    };
    error.write(code);
    object
}

/// Defines C functions that return an error code.
#[macro_export]
#[doc(hidden)]
macro_rules! status_calls {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        #[doc = concat!("OpenCL's `", stringify!($name), "`.")]
        #[allow(clippy::missing_safety_doc)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> opencl_sys::cl_int {
            // SAFETY: the caller follows OpenCL's rules for this function.
            $(let $argument = unsafe { $crate::abi::entry::FromC::take($argument) };)*
            $crate::abi::entry::status(stringify!($name), move || $body)
        }
    )*};
}

/// Defines C functions that return an object. A last argument, `error`, is added to each.
#[macro_export]
#[doc(hidden)]
macro_rules! object_calls {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        #[doc = concat!("OpenCL's `", stringify!($name), "`.")]
        #[allow(clippy::missing_safety_doc)]
        pub unsafe extern "C" fn $name(
            $($argument: $type,)* error: *mut opencl_sys::cl_int,
        ) -> *mut std::ffi::c_void {
            // SAFETY: the caller follows OpenCL's rules for this function.
            $(let $argument = unsafe { $crate::abi::entry::FromC::take($argument) };)*
            let error = unsafe { $crate::abi::entry::FromC::take(error) };
            $crate::abi::entry::object(stringify!($name), error, move || $body)
        }
    )*};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_panics_become_errors() {
        assert_eq!(status("ok", || Ok(())), CL_SUCCESS);
        assert_eq!(status("code", || Err(Code(-30))), -30);
        assert_eq!(status("panic", || panic!("on purpose")), CL_OUT_OF_HOST_MEMORY);
        let mut code = 1;
        // SAFETY: the pointer is to a local variable.
        let at = unsafe { Pointer::new(&mut code) };
        assert!(object("panic", at, || panic!("on purpose")).is_null());
        assert_eq!(code, CL_OUT_OF_HOST_MEMORY);
    }
}
