//! Creation and queries of images.

use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::native::pointer::Pointer;
use crate::objects::buffer::{self, Buffer};
use crate::objects::context::Context;
use crate::objects::device::{BUFFER_BYTES, IMAGE_ARRAY_SIZE, IMAGE_BUFFER_TEXELS, IMAGE_SIZE_2D, IMAGE_SIZE_3D};
use crate::objects::image::descriptor::{self, Extent};
use crate::objects::image::format::{self, Format};
use crate::objects::image::{by_commands, has_slices, is_array, pitches, type_of, Image};
use crate::objects::storage::Storage;
use crate::registry::{self, Object};
use flexgrip_compiler::ir::declaration::ImageShape;
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::Arc;

/// Sizes and pitches from an application.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    width: usize,
    height: usize,
    depth: usize,
    layers: usize,
    row: usize,
    slice: usize,
}

fn shape_of(kind: cl_mem_object_type) -> Option<ImageShape> {
    let shapes = [
        ImageShape::D1,
        ImageShape::Buffer,
        ImageShape::D1Array,
        ImageShape::D2,
        ImageShape::D2Array,
        ImageShape::D3,
    ];
    shapes.into_iter().find(|shape| type_of(*shape) == kind)
}

/// `clCreateImage`.
///
/// # Errors
/// OpenCL 1.2's error codes for flags, formats, descriptors, sizes and host pointers.
pub fn create(
    context: Pointer<c_void>,
    flags: cl_mem_flags,
    format: Pointer<cl_image_format>,
    desc: Pointer<cl_image_desc>,
    host: Pointer<c_void>,
) -> Result<cl_mem> {
    let context = registry::find::<Context>(context)?;
    let flags = buffer::access(flags, buffer::ALL_FLAGS)?;
    let format = Format::new(format.read())?;
    let invalid = Code(CL_INVALID_IMAGE_DESCRIPTOR);
    let desc = desc.read().ok_or(invalid)?;
    let shape = shape_of(desc.image_type).ok_or(invalid)?;
    ensure(desc.num_mip_levels == 0 && desc.num_samples == 0, invalid.0)?;
    ensure((shape == ImageShape::Buffer) != desc.buffer.is_null(), invalid.0)?;
    let sizes = Sizes {
        width: desc.image_width,
        height: desc.image_height,
        depth: desc.image_depth,
        layers: desc.image_array_size,
        row: desc.image_row_pitch,
        slice: desc.image_slice_pitch,
    };
    match shape {
        ImageShape::Buffer => from_buffer(&context, flags, format, (desc.buffer, sizes), host),
        _ => with_texels(&context, flags, (shape, format), sizes, (host, invalid)),
    }
}

/// `clCreateImage2D`.
///
/// # Errors
/// The errors of [`create`], but `CL_INVALID_IMAGE_SIZE` for sizes of 0 and invalid pitches, as OpenCL 1.1 specifies.
pub fn create_2d(
    context: Pointer<c_void>,
    flags: cl_mem_flags,
    format: Pointer<cl_image_format>,
    [width, height, row]: [usize; 3],
    host: Pointer<c_void>,
) -> Result<cl_mem> {
    let context = registry::find::<Context>(context)?;
    let flags = buffer::access(flags, buffer::ALL_FLAGS)?;
    let format = Format::new(format.read())?;
    let sizes = Sizes {
        width,
        height,
        depth: 0,
        layers: 0,
        row,
        slice: 0,
    };
    let invalid = Code(CL_INVALID_IMAGE_SIZE);
    with_texels(&context, flags, (ImageShape::D2, format), sizes, (host, invalid))
}

/// `clCreateImage3D`.
///
/// # Errors
/// The errors of [`create_2d`].
pub fn create_3d(
    context: Pointer<c_void>,
    flags: cl_mem_flags,
    format: Pointer<cl_image_format>,
    [width, height, depth]: [usize; 3],
    (row, slice): (usize, usize),
    host: Pointer<c_void>,
) -> Result<cl_mem> {
    let context = registry::find::<Context>(context)?;
    let flags = buffer::access(flags, buffer::ALL_FLAGS)?;
    let format = Format::new(format.read())?;
    let invalid = Code(CL_INVALID_IMAGE_SIZE);
    // OpenCL 1.1 does not permit 3D images with one slice.
    ensure(depth > 1, invalid.0)?;
    let sizes = Sizes {
        width,
        height,
        depth,
        layers: 0,
        row,
        slice,
    };
    with_texels(&context, flags, (ImageShape::D3, format), sizes, (host, invalid))
}

/// Sizes of a shape in texels. Dimensions that it does not have are 1.
fn texels(shape: ImageShape, sizes: &Sizes) -> [usize; 3] {
    let Sizes {
        width,
        height,
        depth,
        layers,
        ..
    } = *sizes;
    match shape {
        ImageShape::D1 | ImageShape::Buffer => [width, 1, 1],
        ImageShape::D1Array => [width, 1, layers],
        ImageShape::D2 => [width, height, 1],
        ImageShape::D2Array => [width, height, layers],
        ImageShape::D3 => [width, height, depth],
    }
}

/// Limits for the sizes of a shape.
fn limits(shape: ImageShape) -> [usize; 3] {
    match shape {
        ImageShape::Buffer => [IMAGE_BUFFER_TEXELS, 1, 1],
        ImageShape::D3 => [IMAGE_SIZE_3D; 3],
        _ => [IMAGE_SIZE_2D, IMAGE_SIZE_2D, IMAGE_ARRAY_SIZE],
    }
}

/// Creates an image with its own texels. `invalid` is the error code for sizes of 0 and pitches that are too small.
fn with_texels(
    context: &Arc<Context>,
    flags: cl_mem_flags,
    (shape, format): (ImageShape, Format),
    sizes: Sizes,
    (host, invalid): (Pointer<c_void>, Code),
) -> Result<cl_mem> {
    let texels = texels(shape, &sizes);
    ensure(!texels.contains(&0), invalid.0)?;
    let fits = texels.iter().zip(limits(shape)).all(|(size, most)| *size <= most);
    ensure(fits, CL_INVALID_IMAGE_SIZE)?;
    let given = buffer::has_host_pointer(flags, host)?;
    // Pitches describe the application's memory, so they require a host pointer.
    ensure(given || (sizes.row == 0 && sizes.slice == 0), invalid.0)?;
    ensure(sizes.slice == 0 || has_slices(shape), invalid.0)?;
    let region = by_commands(shape, texels);
    let pitch = pitches(shape, format, region, (sizes.row, sizes.slice)).ok_or(invalid)?;
    let aligned = pitch.0 % format.bytes() == 0 && pitch.1 % pitch.0 == 0;
    ensure(aligned, invalid.0)?;
    let row = texels[0] * format.bytes();
    let extent = Extent {
        texels,
        row,
        slice: row * texels[1],
    };
    let size = extent.slice * texels[2];
    ensure(size as u64 <= BUFFER_BYTES, CL_MEM_OBJECT_ALLOCATION_FAILURE)?;
    let storage = described(format, &extent, size)?;
    let image = Image {
        shape,
        format,
        extent,
        pitch,
        descriptor: storage.clone(),
    };
    if given {
        let whole = image.rows([0; 3], region)?;
        let outside = image.host_rows(region, (sizes.row, sizes.slice))?;
        let mut bytes = storage.lock();
        for (to, from) in whole.into_iter().zip(outside) {
            let to = to.start + descriptor::BYTES..to.end + descriptor::BYTES;
            host.offset(from.start).copy_to(bytes.write(to));
        }
    }
    Ok(Buffer::publish_image(
        context,
        flags,
        image,
        host,
        (storage, descriptor::BYTES, size),
        None,
    ))
}

/// Creates a storage with a descriptor and this many bytes after it.
fn described(format: Format, extent: &Extent, size: usize) -> Result<Arc<Storage>> {
    let storage = Storage::new(descriptor::BYTES + size)?;
    let bytes = descriptor::bytes(format, extent);
    storage.lock().write(0..descriptor::BYTES).copy_from_slice(&bytes);
    Ok(storage)
}

/// Creates an image with texels in a buffer.
fn from_buffer(
    context: &Arc<Context>,
    flags: cl_mem_flags,
    format: Format,
    (parent, sizes): (cl_mem, Sizes),
    host: Pointer<c_void>,
) -> Result<cl_mem> {
    let invalid = Code(CL_INVALID_IMAGE_DESCRIPTOR);
    let parent = registry::find_raw::<Buffer>(parent).map_err(|_| invalid)?;
    ensure(parent.image().is_none(), invalid.0)?;
    ensure(Arc::ptr_eq(parent.context(), context), invalid.0)?;
    let flags = buffer::inherited(flags, &parent)?;
    let width = sizes.width;
    ensure(width > 0, invalid.0)?;
    ensure(width <= IMAGE_BUFFER_TEXELS, CL_INVALID_IMAGE_SIZE)?;
    let size = width * format.bytes();
    ensure(size <= parent.size(), invalid.0)?;
    ensure((sizes.row == 0 || sizes.row == size) && sizes.slice == 0, invalid.0)?;
    ensure(host.is_null(), CL_INVALID_HOST_PTR)?;
    let extent = Extent {
        texels: [width, 1, 1],
        row: size,
        slice: size,
    };
    let image = Image {
        shape: ImageShape::Buffer,
        format,
        extent,
        pitch: (size, size),
        descriptor: described(format, &extent, 0)?,
    };
    let texels = (parent.storage().clone(), parent.origin(), size);
    Ok(Buffer::publish_image(
        context,
        flags,
        image,
        parent.host(),
        texels,
        Some(parent.clone()),
    ))
}

/// `clGetSupportedImageFormats`.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid flags, a type that is not an image, or a list with 0 entries.
pub fn formats(
    context: Pointer<c_void>,
    (flags, kind): (cl_mem_flags, cl_mem_object_type),
    (entries, formats): (cl_uint, Pointer<cl_image_format>),
    count: Pointer<cl_uint>,
) -> Result<()> {
    registry::find::<Context>(context)?;
    buffer::access(flags, buffer::ALL_FLAGS)?;
    ensure(shape_of(kind).is_some(), CL_INVALID_VALUE)?;
    ensure(entries > 0 || formats.is_null(), CL_INVALID_VALUE)?;
    let all: Vec<cl_image_format> = format::supported().map(Format::raw).collect();
    formats.write_all(&all[..all.len().min(entries as usize)]);
    count.write(all.len() as u32);
    Ok(())
}

/// `clGetImageInfo`.
///
/// # Errors
/// `CL_INVALID_MEM_OBJECT` for a buffer; `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(image: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let buffer = registry::find::<Buffer>(image)?;
    let image = buffer.image().ok_or(Code(CL_INVALID_MEM_OBJECT))?;
    let [width, height, depth] = image.extent.texels;
    let shape = image.shape;
    let has = |condition: bool, size: usize| reply.size(if condition { size } else { 0 });
    match name {
        CL_IMAGE_FORMAT => {
            let raw = image.format.raw();
            let words = [raw.image_channel_order, raw.image_channel_data_type];
            reply.bytes(&words.map(u32::to_ne_bytes).concat())
        }
        CL_IMAGE_ELEMENT_SIZE => reply.size(image.format.bytes()),
        CL_IMAGE_ROW_PITCH => reply.size(image.pitch.0),
        CL_IMAGE_SLICE_PITCH => has(image.has_slices(), image.pitch.1),
        CL_IMAGE_WIDTH => reply.size(width),
        CL_IMAGE_HEIGHT => has(
            matches!(shape, ImageShape::D2 | ImageShape::D2Array | ImageShape::D3),
            height,
        ),
        CL_IMAGE_DEPTH => has(shape == ImageShape::D3, depth),
        CL_IMAGE_ARRAY_SIZE => has(is_array(shape), depth),
        CL_IMAGE_BUFFER => reply.handle(match shape {
            ImageShape::Buffer => buffer
                .parent()
                .map_or(std::ptr::null_mut(), |parent| parent.handle().raw()),
            _ => std::ptr::null_mut(),
        }),
        CL_IMAGE_NUM_MIP_LEVELS | CL_IMAGE_NUM_SAMPLES => reply.word(0),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}
