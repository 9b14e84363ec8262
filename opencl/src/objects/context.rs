//! Contexts: sets of devices that share buffers and programs, with a callback for errors.

use crate::error::{ensure, say, Code, Result};
use crate::info::Reply;
use crate::native::callback::{Callback, ContextFunction, ObjectFunction};
use crate::native::pointer::Pointer;
use crate::objects::device::{self, Device};
use crate::registry::{self, Handle, Object};
use opencl_sys::{
    cl_context, cl_context_properties, cl_device_id, cl_device_type, cl_int, cl_uint, CL_CONTEXT_DEVICES,
    CL_CONTEXT_NUM_DEVICES, CL_CONTEXT_PLATFORM, CL_CONTEXT_PROPERTIES, CL_CONTEXT_REFERENCE_COUNT, CL_INVALID_CONTEXT,
    CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_VALUE,
};
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

/// Limit for the length of lists of devices or properties. Longer lists are errors of the application.
const MOST_ENTRIES: usize = 1024;

/// A context.
#[derive(Debug)]
pub struct Context {
    handle: Handle,
    devices: Vec<Arc<Device>>,
    /// The properties as given, with the final 0; empty if there were none.
    properties: Vec<usize>,
    notify: Option<Callback<ContextFunction>>,
    destructors: Mutex<Vec<Callback<ObjectFunction>>>,
}

impl Object for Context {
    const INVALID: cl_int = CL_INVALID_CONTEXT;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let destructors = self.destructors.get_mut().unwrap_or_else(PoisonError::into_inner);
        for destructor in destructors.iter().rev() {
            destructor.call(self.handle.pointer());
        }
    }
}

impl Context {
    /// The context's devices.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// True if the device belongs to the context.
    pub fn has(&self, device: &Arc<Device>) -> bool {
        self.devices.iter().any(|own| Arc::ptr_eq(own, device))
    }

    /// Reports an error that no call can return, to the standard error output and to the application's callback.
    pub fn report(&self, message: &str) {
        say(message);
        if let Some(notify) = &self.notify {
            notify.call(message);
        }
    }

    /// Returns the devices of a list, or all devices of the context if the list is null.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for a count without a list or a list without a count, `CL_INVALID_DEVICE` for a device
    /// outside the context.
    pub fn devices_of(&self, count: cl_uint, devices: Pointer<cl_device_id>) -> Result<Vec<Arc<Device>>> {
        ensure((count == 0) == devices.is_null(), CL_INVALID_VALUE)?;
        if count == 0 {
            return Ok(self.devices.clone());
        }
        let devices = device_list(count, devices)?;
        ensure(devices.iter().all(|device| self.has(device)), Device::INVALID)?;
        Ok(devices)
    }
}

/// Returns the devices of a list, which must not be empty.
fn device_list(count: cl_uint, devices: Pointer<cl_device_id>) -> Result<Vec<Arc<Device>>> {
    ensure((1..=MOST_ENTRIES).contains(&(count as usize)), CL_INVALID_VALUE)?;
    let handles = devices.read_all(count as usize).ok_or(Code(CL_INVALID_VALUE))?;
    handles.into_iter().map(registry::find_raw).collect()
}

/// Reads a context's properties up to their final 0. The only property is the platform.
fn properties(list: Pointer<cl_context_properties>) -> Result<Vec<usize>> {
    let mut read = Vec::new();
    if list.is_null() {
        return Ok(read);
    }
    // Read pair by pair, because only the final 0 marks the end.
    for pair in 0..MOST_ENTRIES {
        let at = |index: usize| {
            let place = list.cast::<c_void>().offset(index * size_of::<cl_context_properties>());
            place
                .cast::<cl_context_properties>()
                .read()
                .ok_or(Code(CL_INVALID_VALUE))
        };
        let name = at(2 * pair)?;
        read.push(name as usize);
        if name == 0 {
            return Ok(read);
        }
        ensure(name == CL_CONTEXT_PLATFORM, CL_INVALID_PROPERTY)?;
        ensure(!read[..2 * pair].contains(&(name as usize)), CL_INVALID_PROPERTY)?;
        let value = at(2 * pair + 1)? as usize;
        ensure(value == device::platform().handle().raw() as usize, CL_INVALID_PLATFORM)?;
        read.push(value);
    }
    Err(Code(CL_INVALID_PROPERTY))
}

fn notify_of(function: Option<ContextFunction>, data: Pointer<c_void>) -> Result<Option<Callback<ContextFunction>>> {
    ensure(function.is_some() || data.is_null(), CL_INVALID_VALUE)?;
    Ok(function.map(|function| Callback::new(function, data)))
}

fn publish(devices: Vec<Arc<Device>>, properties: Vec<usize>, notify: Option<Callback<ContextFunction>>) -> cl_context {
    let context = registry::publish(|handle| Context {
        handle,
        devices,
        properties,
        notify,
        destructors: Mutex::default(),
    });
    context.handle.raw()
}

/// `clCreateContext`.
///
/// # Errors
/// A list without devices, an unknown property, data without a function.
pub fn create(
    list: Pointer<cl_context_properties>,
    count: cl_uint,
    devices: Pointer<cl_device_id>,
    function: Option<ContextFunction>,
    data: Pointer<c_void>,
) -> Result<cl_context> {
    let properties = properties(list)?;
    let notify = notify_of(function, data)?;
    let mut devices = device_list(count, devices)?;
    let mut seen = Vec::new();
    devices.retain(|device| {
        let new = !seen.contains(&device.handle().raw());
        seen.push(device.handle().raw());
        new
    });
    Ok(publish(devices, properties, notify))
}

/// `clCreateContextFromType`.
///
/// # Errors
/// The errors of [`create`], and `CL_DEVICE_NOT_FOUND` if no device is of this type.
pub fn create_from_type(
    list: Pointer<cl_context_properties>,
    kind: cl_device_type,
    function: Option<ContextFunction>,
    data: Pointer<c_void>,
) -> Result<cl_context> {
    let properties = properties(list)?;
    let notify = notify_of(function, data)?;
    Ok(publish(device::of_type(kind)?, properties, notify))
}

/// `clGetContextInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(context: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let context = registry::find::<Context>(context)?;
    match name {
        CL_CONTEXT_REFERENCE_COUNT => reply.word(registry::count(&*context)),
        CL_CONTEXT_NUM_DEVICES => reply.word(context.devices.len() as u32),
        CL_CONTEXT_DEVICES => reply.sizes(&device::addresses(&context.devices)),
        CL_CONTEXT_PROPERTIES => reply.sizes(&context.properties),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

/// `clSetContextDestructorCallback`.
///
/// # Errors
/// `CL_INVALID_VALUE` if the function is null.
pub fn set_destructor(context: Pointer<c_void>, function: Option<ObjectFunction>, data: Pointer<c_void>) -> Result<()> {
    let context = registry::find::<Context>(context)?;
    let function = function.ok_or(Code(CL_INVALID_VALUE))?;
    let mut destructors = context.destructors.lock().unwrap_or_else(PoisonError::into_inner);
    destructors.push(Callback::new(function, data));
    Ok(())
}
