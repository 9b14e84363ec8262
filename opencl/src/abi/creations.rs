//! OpenCL's functions that return an object, or null and an error code, with the same structure as
//! [`calls`](super::calls).
#![allow(non_snake_case, unsafe_code)]

use crate::commands::map;
use crate::native::callback::ContextFunction;
use crate::object_calls;
use crate::objects::queue::Order;
use crate::objects::{buffer, context, event, kernel, program, queue};
use opencl_sys::*;
use std::ffi::{c_char, c_void};

object_calls! {
    fn clCreateContext(
        properties: *const cl_context_properties,
        num_devices: cl_uint,
        devices: *const cl_device_id,
        pfn_notify: Option<ContextFunction>,
        user_data: *mut c_void,
    ) {
        context::create(properties, num_devices, devices, pfn_notify, user_data)
    }

    fn clCreateContextFromType(
        properties: *const cl_context_properties,
        device_type: cl_device_type,
        pfn_notify: Option<ContextFunction>,
        user_data: *mut c_void,
    ) {
        context::create_from_type(properties, device_type, pfn_notify, user_data)
    }

    fn clCreateCommandQueue(context: cl_context, device: cl_device_id, properties: cl_command_queue_properties) {
        queue::create(context, device, properties)
    }

    fn clCreateBuffer(context: cl_context, flags: cl_mem_flags, size: usize, host_ptr: *mut c_void) {
        buffer::create(context, flags, size, host_ptr)
    }

    fn clCreateProgramWithSource(
        context: cl_context,
        count: cl_uint,
        strings: *mut *const c_char,
        lengths: *const usize,
    ) {
        program::create_with_source(context, count, strings.cast(), lengths)
    }

    fn clCreateProgramWithBinary(
        context: cl_context,
        num_devices: cl_uint,
        device_list: *const cl_device_id,
        lengths: *const usize,
        binaries: *mut *const ::core::ffi::c_uchar,
        binary_status: *mut cl_int,
    ) {
        program::create_with_binary(
            context,
            num_devices,
            device_list,
            lengths,
            binaries.cast(),
            binary_status,
        )
    }

    fn clCreateKernel(program: cl_program, kernel_name: *const c_char) {
        kernel::create(program, kernel_name)
    }

    fn clEnqueueMapBuffer(
        command_queue: cl_command_queue,
        buffer: cl_mem,
        blocking_map: cl_bool,
        map_flags: cl_map_flags,
        offset: usize,
        size: usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        map::map(
            command_queue,
            buffer,
            (blocking_map != CL_FALSE, map_flags),
            (offset, size),
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clCreateSubBuffer(
        buffer: cl_mem,
        flags: cl_mem_flags,
        buffer_create_type: cl_buffer_create_type,
        buffer_create_info: *const c_void,
    ) {
        buffer::create_part(buffer, flags, buffer_create_type, buffer_create_info)
    }

    fn clCreateUserEvent(context: cl_context) {
        event::create_user(context)
    }
}
