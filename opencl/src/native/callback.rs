//! Callbacks: functions of the application that the driver calls.
#![allow(unsafe_code)]

use crate::native::pointer::Pointer;
use opencl_sys::cl_int;
use std::ffi::{c_char, c_void, CString};
use std::ptr::NonNull;

/// The function `pfn_notify` of a context.
pub type ContextFunction = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);
/// A callback with an object's handle, at the end of a build or when the object is destroyed.
pub type ObjectFunction = unsafe extern "C" fn(*mut c_void, *mut c_void);
/// A callback with an event's handle and status.
pub type EventFunction = unsafe extern "C" fn(*mut c_void, cl_int, *mut c_void);
/// The function of a native kernel.
pub type NativeFunction = unsafe extern "C" fn(*mut c_void);

/// A callback with the application's user data.
#[derive(Clone, Copy, Debug)]
pub struct Callback<F> {
    function: F,
    data: Pointer<c_void>,
}

impl<F> Callback<F> {
    /// Stores the function and the user data of a call. OpenCL permits calling the function at any later time, on any
    /// thread.
    pub fn new(function: F, data: Pointer<c_void>) -> Self {
        Callback { function, data }
    }
}

impl Callback<ContextFunction> {
    /// Calls `pfn_notify` with an error message.
    pub fn call(&self, message: &str) {
        let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
        // SAFETY: the application's function gets the arguments that OpenCL specifies. The text lives until it returns.
        unsafe { (self.function)(text.as_ptr(), std::ptr::null(), 0, self.data.raw()) };
    }
}

impl Callback<ObjectFunction> {
    /// Calls the function with an object's handle.
    pub fn call(&self, handle: NonNull<c_void>) {
        // SAFETY: the application's function gets the arguments that OpenCL specifies.
        unsafe { (self.function)(handle.as_ptr(), self.data.raw()) };
    }
}

impl Callback<EventFunction> {
    /// Calls the function with an event's handle and status.
    pub fn call(&self, handle: NonNull<c_void>, status: cl_int) {
        // SAFETY: the application's function gets the arguments that OpenCL specifies.
        unsafe { (self.function)(handle.as_ptr(), status, self.data.raw()) };
    }
}

impl Callback<NativeFunction> {
    /// Runs a native kernel on a copy of its arguments.
    pub fn run(&self) {
        // SAFETY: the application's function gets a copy of its arguments, which lives until it returns.
        unsafe { (self.function)(self.data.raw()) };
    }
}
