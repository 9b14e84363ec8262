//! OpenCL's functions that return an error code, with the C interface. Each passes its arguments to the module that
//! implements it. [`creations`](super::creations) has the functions that return an object.
//!
//! [`TABLE`](super::table::TABLE) checks their types, because its fields have the types of OpenCL's headers. The
//! arguments have the names of the specification.
#![allow(non_snake_case, unsafe_code)]

use crate::commands::launch;
use crate::commands::map::{self, Native};
use crate::commands::transfer::{self, Boxes, HostCopy};
use crate::error::ensure;
use crate::info::Reply;
use crate::native::callback::{EventFunction, NativeFunction, ObjectFunction};
use crate::native::pointer::Pointer;
use crate::objects::buffer::{self, Buffer};
use crate::objects::context::{self, Context};
use crate::objects::device::{self, Device, Platform};
use crate::objects::event::{self, Event};
use crate::objects::kernel::{self, Kernel};
use crate::objects::program::{self, Program};
use crate::objects::queue::{self, Order, Queue};
use crate::registry;
use crate::status_calls;
use opencl_sys::*;
use std::ffi::{c_char, c_void};

status_calls! {
    fn clGetPlatformIDs(num_entries: cl_uint, platforms: *mut cl_platform_id, num_platforms: *mut cl_uint) {
        device::platforms(num_entries, platforms, num_platforms)
    }

    fn clGetPlatformInfo(
        platform: cl_platform_id,
        param_name: cl_platform_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        device::platform_info(
            platform,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clGetDeviceIDs(
        platform: cl_platform_id,
        device_type: cl_device_type,
        num_entries: cl_uint,
        devices: *mut cl_device_id,
        num_devices: *mut cl_uint,
    ) {
        device::devices(platform, device_type, num_entries, devices, num_devices)
    }

    fn clGetDeviceInfo(
        device: cl_device_id,
        param_name: cl_device_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        device::info(
            device,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clRetainContext(context: cl_context) {
        registry::retain::<Context>(context)
    }

    fn clReleaseContext(context: cl_context) {
        registry::release::<Context>(context)
    }

    fn clGetContextInfo(
        context: cl_context,
        param_name: cl_context_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        context::info(
            context,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clRetainCommandQueue(command_queue: cl_command_queue) {
        registry::retain::<Queue>(command_queue)
    }

    fn clReleaseCommandQueue(command_queue: cl_command_queue) {
        registry::release::<Queue>(command_queue)
    }

    fn clGetCommandQueueInfo(
        command_queue: cl_command_queue,
        param_name: cl_command_queue_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        queue::info(
            command_queue,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clSetCommandQueueProperty(
        command_queue: cl_command_queue,
        properties: cl_command_queue_properties,
        enable: cl_bool,
        old_properties: *mut cl_command_queue_properties,
    ) {
        queue::set_property(command_queue, properties, enable != CL_FALSE, old_properties)
    }

    fn clRetainMemObject(memobj: cl_mem) {
        registry::retain::<Buffer>(memobj)
    }

    fn clReleaseMemObject(memobj: cl_mem) {
        registry::release::<Buffer>(memobj)
    }

    fn clGetMemObjectInfo(
        memobj: cl_mem,
        param_name: cl_mem_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        buffer::info(
            memobj,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clRetainProgram(program: cl_program) {
        registry::retain::<Program>(program)
    }

    fn clReleaseProgram(program: cl_program) {
        registry::release::<Program>(program)
    }

    fn clBuildProgram(
        program: cl_program,
        num_devices: cl_uint,
        device_list: *const cl_device_id,
        options: *const c_char,
        pfn_notify: Option<ObjectFunction>,
        user_data: *mut c_void,
    ) {
        program::build(program, num_devices, device_list, options, pfn_notify, user_data)
    }

    fn clUnloadCompiler() {
        Ok(())
    }

    fn clGetProgramInfo(
        program: cl_program,
        param_name: cl_program_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        program::info(
            program,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clGetProgramBuildInfo(
        program: cl_program,
        device: cl_device_id,
        param_name: cl_program_build_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        program::build_info(
            program,
            device,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clCreateKernelsInProgram(
        program: cl_program,
        num_kernels: cl_uint,
        kernels: *mut cl_kernel,
        num_kernels_ret: *mut cl_uint,
    ) {
        kernel::create_all(program, num_kernels, kernels, num_kernels_ret)
    }

    fn clRetainKernel(kernel: cl_kernel) {
        registry::retain::<Kernel>(kernel)
    }

    fn clReleaseKernel(kernel: cl_kernel) {
        registry::release::<Kernel>(kernel)
    }

    fn clSetKernelArg(kernel: cl_kernel, arg_index: cl_uint, arg_size: usize, arg_value: *const c_void) {
        kernel::set_argument(kernel, arg_index, arg_size, arg_value)
    }

    fn clGetKernelInfo(
        kernel: cl_kernel,
        param_name: cl_kernel_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        kernel::info(
            kernel,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clGetKernelWorkGroupInfo(
        kernel: cl_kernel,
        device: cl_device_id,
        param_name: cl_kernel_work_group_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        kernel::work_group_info(
            kernel,
            device,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clWaitForEvents(num_events: cl_uint, event_list: *const cl_event) {
        event::wait_for(num_events, event_list)
    }

    fn clGetEventInfo(
        event: cl_event,
        param_name: cl_event_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        event::info(
            event,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clRetainEvent(event: cl_event) {
        registry::retain::<Event>(event)
    }

    fn clReleaseEvent(event: cl_event) {
        registry::release::<Event>(event)
    }

    fn clGetEventProfilingInfo(
        event: cl_event,
        param_name: cl_profiling_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        event::profiling(
            event,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clFlush(command_queue: cl_command_queue) {
        queue::flush(command_queue)
    }

    fn clFinish(command_queue: cl_command_queue) {
        queue::finish(command_queue)
    }

    fn clEnqueueReadBuffer(
        command_queue: cl_command_queue,
        buffer: cl_mem,
        blocking_read: cl_bool,
        offset: usize,
        size: usize,
        ptr: *mut c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let copy = HostCopy {
            offset,
            size,
            host: ptr,
            blocking: blocking_read != CL_FALSE,
        };
        transfer::read(
            command_queue,
            buffer,
            copy,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueWriteBuffer(
        command_queue: cl_command_queue,
        buffer: cl_mem,
        blocking_write: cl_bool,
        offset: usize,
        size: usize,
        ptr: *const c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let copy = HostCopy {
            offset,
            size,
            host: ptr,
            blocking: blocking_write != CL_FALSE,
        };
        transfer::write(
            command_queue,
            buffer,
            copy,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueCopyBuffer(
        command_queue: cl_command_queue,
        src_buffer: cl_mem,
        dst_buffer: cl_mem,
        src_offset: usize,
        dst_offset: usize,
        size: usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        transfer::copy(
            command_queue,
            (src_buffer, dst_buffer),
            (src_offset, dst_offset),
            size,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueUnmapMemObject(
        command_queue: cl_command_queue,
        memobj: cl_mem,
        mapped_ptr: *mut c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        map::unmap(
            command_queue,
            memobj,
            mapped_ptr,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueNDRangeKernel(
        command_queue: cl_command_queue,
        kernel: cl_kernel,
        work_dim: cl_uint,
        global_work_offset: *const usize,
        global_work_size: *const usize,
        local_work_size: *const usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        launch::nd_range(
            command_queue,
            kernel,
            work_dim,
            (global_work_offset, global_work_size, local_work_size),
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueTask(
        command_queue: cl_command_queue,
        kernel: cl_kernel,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        launch::task(
            command_queue,
            kernel,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueNativeKernel(
        command_queue: cl_command_queue,
        user_func: Option<NativeFunction>,
        args: *mut c_void,
        cb_args: usize,
        num_mem_objects: cl_uint,
        mem_list: *const cl_mem,
        args_mem_loc: *mut *const c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let native = Native {
            function: user_func,
            arguments: args,
            bytes: cb_args,
            count: num_mem_objects,
            buffers: mem_list,
            places: args_mem_loc.cast(),
        };
        map::native(
            command_queue,
            native,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueMarker(command_queue: cl_command_queue, event: *mut cl_event) {
        ensure(!event.is_null(), CL_INVALID_VALUE)?;
        queue::marker(
            command_queue,
            Order {
                count: 0,
                events: Pointer::null(),
                event,
            },
        )
    }

    fn clEnqueueWaitForEvents(command_queue: cl_command_queue, num_events: cl_uint, event_list: *const cl_event) {
        queue::wait_for_events(command_queue, num_events, event_list)
    }

    fn clEnqueueBarrier(command_queue: cl_command_queue) {
        queue::barrier(
            command_queue,
            Order {
                count: 0,
                events: Pointer::null(),
                event: Pointer::null(),
            },
        )
    }

    fn clSetEventCallback(
        event: cl_event,
        command_exec_callback_type: cl_int,
        pfn_notify: Option<EventFunction>,
        user_data: *mut c_void,
    ) {
        event::set_callback(event, command_exec_callback_type, pfn_notify, user_data)
    }

    fn clSetMemObjectDestructorCallback(memobj: cl_mem, pfn_notify: Option<ObjectFunction>, user_data: *mut c_void) {
        buffer::set_destructor(memobj, pfn_notify, user_data)
    }

    fn clSetUserEventStatus(event: cl_event, execution_status: cl_int) {
        event::set_user_status(event, execution_status)
    }

    fn clEnqueueReadBufferRect(
        command_queue: cl_command_queue,
        buffer: cl_mem,
        blocking_read: cl_bool,
        buffer_origin: *const usize,
        host_origin: *const usize,
        region: *const usize,
        buffer_row_pitch: usize,
        buffer_slice_pitch: usize,
        host_row_pitch: usize,
        host_slice_pitch: usize,
        ptr: *mut c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let boxes = Boxes {
            first: buffer_origin,
            second: host_origin,
            region,
            first_pitch: (buffer_row_pitch, buffer_slice_pitch),
            second_pitch: (host_row_pitch, host_slice_pitch),
        };
        transfer::read_box(
            command_queue,
            buffer,
            (ptr, blocking_read != CL_FALSE),
            boxes,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueWriteBufferRect(
        command_queue: cl_command_queue,
        buffer: cl_mem,
        blocking_write: cl_bool,
        buffer_origin: *const usize,
        host_origin: *const usize,
        region: *const usize,
        buffer_row_pitch: usize,
        buffer_slice_pitch: usize,
        host_row_pitch: usize,
        host_slice_pitch: usize,
        ptr: *const c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let boxes = Boxes {
            first: buffer_origin,
            second: host_origin,
            region,
            first_pitch: (buffer_row_pitch, buffer_slice_pitch),
            second_pitch: (host_row_pitch, host_slice_pitch),
        };
        transfer::write_box(
            command_queue,
            buffer,
            (ptr, blocking_write != CL_FALSE),
            boxes,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueCopyBufferRect(
        command_queue: cl_command_queue,
        src_buffer: cl_mem,
        dst_buffer: cl_mem,
        src_origin: *const usize,
        dst_origin: *const usize,
        region: *const usize,
        src_row_pitch: usize,
        src_slice_pitch: usize,
        dst_row_pitch: usize,
        dst_slice_pitch: usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let boxes = Boxes {
            first: src_origin,
            second: dst_origin,
            region,
            first_pitch: (src_row_pitch, src_slice_pitch),
            second_pitch: (dst_row_pitch, dst_slice_pitch),
        };
        transfer::copy_box(
            command_queue,
            (src_buffer, dst_buffer),
            boxes,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clRetainDevice(device: cl_device_id) {
        registry::find::<Device>(device).map(drop)
    }

    fn clReleaseDevice(device: cl_device_id) {
        registry::find::<Device>(device).map(drop)
    }

    fn clUnloadPlatformCompiler(platform: cl_platform_id) {
        registry::find::<Platform>(platform).map(drop)
    }

    fn clEnqueueFillBuffer(
        command_queue: cl_command_queue,
        buffer: cl_mem,
        pattern: *const c_void,
        pattern_size: usize,
        offset: usize,
        size: usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        transfer::fill(
            command_queue,
            buffer,
            (pattern, pattern_size),
            (offset, size),
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueMigrateMemObjects(
        command_queue: cl_command_queue,
        num_mem_objects: cl_uint,
        mem_objects: *const cl_mem,
        flags: cl_mem_migration_flags,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        transfer::migrate(
            command_queue,
            (num_mem_objects, mem_objects),
            flags,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueMarkerWithWaitList(
        command_queue: cl_command_queue,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        queue::marker(
            command_queue,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueBarrierWithWaitList(
        command_queue: cl_command_queue,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        queue::barrier(
            command_queue,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clSetContextDestructorCallback(context: cl_context, pfn_notify: Option<ObjectFunction>, user_data: *mut c_void) {
        context::set_destructor(context, pfn_notify, user_data)
    }
}
