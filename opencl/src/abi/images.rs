//! OpenCL's functions for images, samplers and kernel arguments, with the same structure as [`calls`](super::calls).
#![allow(non_snake_case, unsafe_code)]

use crate::commands::image::{self as commands, BufferRegion, HostRegion};
use crate::info::Reply;
use crate::objects::image::sampler::{self, Sampler};
use crate::objects::queue::Order;
use crate::objects::{images, kernel};
use crate::registry;
use crate::{object_calls, status_calls};
use opencl_sys::*;
use std::ffi::c_void;

object_calls! {
    fn clCreateImage(
        context: cl_context,
        flags: cl_mem_flags,
        image_format: *const cl_image_format,
        image_desc: *const cl_image_desc,
        host_ptr: *mut c_void,
    ) {
        images::create(context, flags, image_format, image_desc, host_ptr)
    }

    fn clCreateImage2D(
        context: cl_context,
        flags: cl_mem_flags,
        image_format: *const cl_image_format,
        image_width: usize,
        image_height: usize,
        image_row_pitch: usize,
        host_ptr: *mut c_void,
    ) {
        let sizes = [image_width, image_height, image_row_pitch];
        images::create_2d(context, flags, image_format, sizes, host_ptr)
    }

    fn clCreateImage3D(
        context: cl_context,
        flags: cl_mem_flags,
        image_format: *const cl_image_format,
        image_width: usize,
        image_height: usize,
        image_depth: usize,
        image_row_pitch: usize,
        image_slice_pitch: usize,
        host_ptr: *mut c_void,
    ) {
        let sizes = [image_width, image_height, image_depth];
        let pitch = (image_row_pitch, image_slice_pitch);
        images::create_3d(context, flags, image_format, sizes, pitch, host_ptr)
    }

    fn clCreateSampler(
        context: cl_context,
        normalized_coords: cl_bool,
        addressing_mode: cl_addressing_mode,
        filter_mode: cl_filter_mode,
    ) {
        sampler::create(context, normalized_coords, addressing_mode, filter_mode)
    }

    fn clEnqueueMapImage(
        command_queue: cl_command_queue,
        image: cl_mem,
        blocking_map: cl_bool,
        map_flags: cl_map_flags,
        origin: *const usize,
        region: *const usize,
        image_row_pitch: *mut usize,
        image_slice_pitch: *mut usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        commands::map(
            command_queue,
            image,
            (blocking_map != CL_FALSE, map_flags),
            (origin, region),
            (image_row_pitch, image_slice_pitch),
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }
}

status_calls! {
    fn clGetSupportedImageFormats(
        context: cl_context,
        flags: cl_mem_flags,
        image_type: cl_mem_object_type,
        num_entries: cl_uint,
        image_formats: *mut cl_image_format,
        num_image_formats: *mut cl_uint,
    ) {
        images::formats(
            context,
            (flags, image_type),
            (num_entries, image_formats),
            num_image_formats,
        )
    }

    fn clGetImageInfo(
        image: cl_mem,
        param_name: cl_image_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        images::info(
            image,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clRetainSampler(sampler: cl_sampler) {
        registry::retain::<Sampler>(sampler)
    }

    fn clReleaseSampler(sampler: cl_sampler) {
        registry::release::<Sampler>(sampler)
    }

    fn clGetSamplerInfo(
        sampler: cl_sampler,
        param_name: cl_sampler_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        sampler::info(
            sampler,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clGetKernelArgInfo(
        kernel: cl_kernel,
        arg_index: cl_uint,
        param_name: cl_kernel_arg_info,
        param_value_size: usize,
        param_value: *mut c_void,
        param_value_size_ret: *mut usize,
    ) {
        kernel::argument_info(
            kernel,
            arg_index,
            param_name,
            Reply {
                size: param_value_size,
                value: param_value,
                size_ret: param_value_size_ret,
            },
        )
    }

    fn clEnqueueReadImage(
        command_queue: cl_command_queue,
        image: cl_mem,
        blocking_read: cl_bool,
        origin: *const usize,
        region: *const usize,
        row_pitch: usize,
        slice_pitch: usize,
        ptr: *mut c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let host = HostRegion {
            origin,
            region,
            pitch: (row_pitch, slice_pitch),
            host: ptr,
            blocking: blocking_read != CL_FALSE,
        };
        commands::read(
            command_queue,
            image,
            host,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueWriteImage(
        command_queue: cl_command_queue,
        image: cl_mem,
        blocking_write: cl_bool,
        origin: *const usize,
        region: *const usize,
        input_row_pitch: usize,
        input_slice_pitch: usize,
        ptr: *const c_void,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let host = HostRegion {
            origin,
            region,
            pitch: (input_row_pitch, input_slice_pitch),
            host: ptr,
            blocking: blocking_write != CL_FALSE,
        };
        commands::write(
            command_queue,
            image,
            host,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueCopyImage(
        command_queue: cl_command_queue,
        src_image: cl_mem,
        dst_image: cl_mem,
        src_origin: *const usize,
        dst_origin: *const usize,
        region: *const usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        commands::copy(
            command_queue,
            (src_image, dst_image),
            [src_origin, dst_origin, region],
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueCopyImageToBuffer(
        command_queue: cl_command_queue,
        src_image: cl_mem,
        dst_buffer: cl_mem,
        src_origin: *const usize,
        region: *const usize,
        dst_offset: usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let place = BufferRegion {
            origin: src_origin,
            region,
            offset: dst_offset,
        };
        commands::copy_to_buffer(
            command_queue,
            (src_image, dst_buffer),
            place,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueCopyBufferToImage(
        command_queue: cl_command_queue,
        src_buffer: cl_mem,
        dst_image: cl_mem,
        src_offset: usize,
        dst_origin: *const usize,
        region: *const usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        let place = BufferRegion {
            origin: dst_origin,
            region,
            offset: src_offset,
        };
        commands::copy_from_buffer(
            command_queue,
            (src_buffer, dst_image),
            place,
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }

    fn clEnqueueFillImage(
        command_queue: cl_command_queue,
        image: cl_mem,
        fill_color: *const c_void,
        origin: *const usize,
        region: *const usize,
        num_events_in_wait_list: cl_uint,
        event_wait_list: *const cl_event,
        event: *mut cl_event,
    ) {
        commands::fill(
            command_queue,
            image,
            fill_color,
            (origin, region),
            Order {
                count: num_events_in_wait_list,
                events: event_wait_list,
                event,
            },
        )
    }
}
