//! Functions of the application that the driver calls.
#![allow(unsafe_code)]

use crate::abi::pointer::Pointer;
use crate::registry::Handle;
use opencl_sys::cl_int;
use std::ffi::{c_char, c_void, CString};

/// `pfn_notify` of a context.
pub type ContextFunction = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);
/// A function that is told of an object: of a finished build, or of the end of a buffer.
pub type ObjectFunction = unsafe extern "C" fn(*mut c_void, *mut c_void);
/// A function that is told of an event's status.
pub type EventFunction = unsafe extern "C" fn(*mut c_void, cl_int, *mut c_void);
/// A native kernel.
pub type NativeFunction = unsafe extern "C" fn(*mut c_void);

/// A function with the data that the application wants back.
#[derive(Clone, Copy, Debug)]
pub struct Callback<F> {
    function: F,
    data: Pointer<c_void>,
}

impl<F> Callback<F> {
    /// A function that came in a call, with its data. By OpenCL's rules it may be called at any later time, on any thread.
    pub fn new(function: F, data: Pointer<c_void>) -> Self {
        Callback { function, data }
    }
}

impl Callback<ContextFunction> {
    /// Reports an error in words.
    pub fn call(&self, message: &str) {
        let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
        // SAFETY: the application's function with the arguments that OpenCL says; the text lives until it returns.
        unsafe { (self.function)(text.as_ptr(), std::ptr::null(), 0, self.data.raw()) };
    }
}

impl Callback<ObjectFunction> {
    /// Tells of an object by its handle.
    pub fn call(&self, handle: &Handle) {
        // SAFETY: the application's function with the arguments that OpenCL says.
        unsafe { (self.function)(handle.raw(), self.data.raw()) };
    }
}

impl Callback<EventFunction> {
    /// Tells of an event's status.
    pub fn call(&self, handle: &Handle, status: cl_int) {
        // SAFETY: the application's function with the arguments that OpenCL says.
        unsafe { (self.function)(handle.raw(), status, self.data.raw()) };
    }
}

impl Callback<NativeFunction> {
    /// Runs a native kernel on a copy of its arguments.
    pub fn run(&self) {
        // SAFETY: the application's function; the copy lives until it returns.
        unsafe { (self.function)(self.data.raw()) };
    }
}
