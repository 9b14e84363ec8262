//! Image commands: read, write, copy, fill, map. A region is `[x, y, z]` in texels; the second coordinate of an array
//! of 1D images is the layer, the third of an array of 2D images.

use crate::commands::map::{self, MapCall};
use crate::commands::transfer::{self, cycles, Rows};
use crate::error::{ensure, Code, Result};
use crate::native::pointer::Pointer;
use crate::objects::buffer::Buffer;
use crate::objects::image::Image;
use crate::objects::queue::{Order, Queue};
use crate::registry;
use opencl_sys::*;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// An image object, with its size and format.
struct Target {
    buffer: Arc<Buffer>,
    image: Image,
}

/// The queue and an image of its context.
fn queue_and_image(queue: Pointer<c_void>, image: Pointer<c_void>) -> Result<(Arc<Queue>, Target)> {
    let queue = registry::find::<Queue>(queue)?;
    let target = target(&queue, image)?;
    Ok((queue, target))
}

fn target(queue: &Queue, image: Pointer<c_void>) -> Result<Target> {
    let buffer = registry::find::<Buffer>(image)?;
    let image = buffer.image().cloned().ok_or(Code(CL_INVALID_MEM_OBJECT))?;
    let buffer = transfer::in_context(queue, buffer)?;
    Ok(Target { buffer, image })
}

/// Reads three values of the application.
fn three(pointer: Pointer<usize>) -> Result<[usize; 3]> {
    let values = pointer.read_all(3).ok_or(Code(CL_INVALID_VALUE))?;
    Ok([values[0], values[1], values[2]])
}

impl Target {
    /// Byte ranges of a region's rows in the image's storage.
    fn rows(&self, origin: [usize; 3], region: [usize; 3]) -> Result<Vec<Range<usize>>> {
        let start = self.buffer.origin();
        let rows = self.image.rows(origin, region)?.into_iter();
        Ok(rows.map(|row| row.start + start..row.end + start).collect())
    }
}

fn bytes(rows: &[Range<usize>]) -> usize {
    rows.iter().map(ExactSizeIterator::len).sum()
}

/// The region and the application's memory of a read or write.
#[derive(Clone, Copy, Debug)]
pub struct HostRegion {
    /// The coordinates of the first texel.
    pub origin: Pointer<usize>,
    /// The size in texels.
    pub region: Pointer<usize>,
    /// Row pitch and slice pitch of the application's memory in bytes; 0 if its rows or slices have no padding.
    pub pitch: (usize, usize),
    /// The application's memory.
    pub host: Pointer<c_void>,
    /// True if the call returns only when the transfer is done.
    pub blocking: bool,
}

fn host_rows(target: &Target, host: &HostRegion) -> Result<Rows> {
    let (origin, region) = (three(host.origin)?, three(host.region)?);
    let device = target.rows(origin, region)?;
    ensure(!host.host.is_null(), CL_INVALID_VALUE)?;
    let outside = target.image.host_rows(region, host.pitch)?;
    Ok(device.into_iter().zip(outside).collect())
}

/// `clEnqueueReadImage`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a region outside the image, invalid pitches, or a null pointer; `CL_INVALID_OPERATION` for an
/// image that the host must not read.
pub fn read(queue: Pointer<c_void>, image: Pointer<c_void>, host: HostRegion, order: Order) -> Result<()> {
    let (queue, target) = queue_and_image(queue, image)?;
    let rows = host_rows(&target, &host)?;
    target.buffer.host_may(true, false)?;
    let kind = (CL_COMMAND_READ_IMAGE, host.blocking);
    transfer::read_rows(&queue, target.buffer, (host.host, rows), kind, order)
}

/// `clEnqueueWriteImage`.
///
/// # Errors
/// The errors of [`read`]; `CL_INVALID_OPERATION` for an image that the host must not write.
pub fn write(queue: Pointer<c_void>, image: Pointer<c_void>, host: HostRegion, order: Order) -> Result<()> {
    let (queue, target) = queue_and_image(queue, image)?;
    let rows = host_rows(&target, &host)?;
    target.buffer.host_may(false, true)?;
    let kind = (CL_COMMAND_WRITE_IMAGE, host.blocking);
    transfer::write_rows(&queue, target.buffer, (host.host, rows), kind, order)
}

/// `clEnqueueCopyImage`, with the origins in source and target, and the size of the region.
///
/// # Errors
/// `CL_IMAGE_FORMAT_MISMATCH`, `CL_MEM_COPY_OVERLAP`, `CL_INVALID_VALUE` for a region outside an image.
pub fn copy(
    queue: Pointer<c_void>,
    (from, to): (Pointer<c_void>, Pointer<c_void>),
    [from_origin, to_origin, region]: [Pointer<usize>; 3],
    order: Order,
) -> Result<()> {
    let (queue, from) = queue_and_image(queue, from)?;
    let to = target(&queue, to)?;
    ensure(from.image.format == to.image.format, CL_IMAGE_FORMAT_MISMATCH)?;
    let region = three(region)?;
    let source = from.rows(three(from_origin)?, region)?;
    let rows = source.into_iter().zip(to.rows(three(to_origin)?, region)?).collect();
    transfer::copy_command(&queue, (from.buffer, to.buffer), rows, CL_COMMAND_COPY_IMAGE, order)
}

/// The arguments of a copy between an image and a buffer.
#[derive(Clone, Copy, Debug)]
pub struct BufferRegion {
    /// The coordinates of the first texel.
    pub origin: Pointer<usize>,
    /// The size in texels.
    pub region: Pointer<usize>,
    /// The first byte in the buffer. The buffer's rows have no padding.
    pub offset: usize,
}

/// Pairs of byte ranges: a row in the image's storage, and the same row in the buffer's.
fn buffer_rows(target: &Target, buffer: &Buffer, place: BufferRegion) -> Result<Rows> {
    ensure(buffer.image().is_none(), CL_INVALID_MEM_OBJECT)?;
    let rows = target.rows(three(place.origin)?, three(place.region)?)?;
    let mut at = buffer.region(place.offset, bytes(&rows))?.start;
    let pair = |row: Range<usize>| {
        let start = at;
        at += row.len();
        (row, start..at)
    };
    Ok(rows.into_iter().map(pair).collect())
}

/// `clEnqueueCopyImageToBuffer`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a region outside image or buffer, `CL_MEM_COPY_OVERLAP`.
pub fn copy_to_buffer(
    queue: Pointer<c_void>,
    (image, buffer): (Pointer<c_void>, Pointer<c_void>),
    place: BufferRegion,
    order: Order,
) -> Result<()> {
    let (queue, image) = queue_and_image(queue, image)?;
    let buffer = of_queue(&queue, buffer)?;
    let rows = buffer_rows(&image, &buffer, place)?;
    let kind = CL_COMMAND_COPY_IMAGE_TO_BUFFER;
    transfer::copy_command(&queue, (image.buffer, buffer), rows, kind, order)
}

/// `clEnqueueCopyBufferToImage`.
///
/// # Errors
/// The errors of [`copy_to_buffer`].
pub fn copy_from_buffer(
    queue: Pointer<c_void>,
    (buffer, image): (Pointer<c_void>, Pointer<c_void>),
    place: BufferRegion,
    order: Order,
) -> Result<()> {
    let (queue, image) = queue_and_image(queue, image)?;
    let buffer = of_queue(&queue, buffer)?;
    let rows = buffer_rows(&image, &buffer, place)?.into_iter();
    let rows = rows.map(|(in_image, in_buffer)| (in_buffer, in_image)).collect();
    let kind = CL_COMMAND_COPY_BUFFER_TO_IMAGE;
    transfer::copy_command(&queue, (buffer, image.buffer), rows, kind, order)
}

fn of_queue(queue: &Queue, buffer: Pointer<c_void>) -> Result<Arc<Buffer>> {
    transfer::in_context(queue, registry::find::<Buffer>(buffer)?)
}

/// `clEnqueueFillImage`, with a colour of four words: floats, `int` or `uint`, depending on the image's format.
///
/// # Errors
/// `CL_INVALID_VALUE` for a region outside the image, or a null pointer for the colour.
pub fn fill(
    queue: Pointer<c_void>,
    image: Pointer<c_void>,
    colour: Pointer<c_void>,
    (origin, region): (Pointer<usize>, Pointer<usize>),
    order: Order,
) -> Result<()> {
    let (queue, target) = queue_and_image(queue, image)?;
    let rows = target.rows(three(origin)?, three(region)?)?;
    let words = colour.cast::<u32>().read_all(4).ok_or(Code(CL_INVALID_VALUE))?;
    let texel = target.image.format.texel([words[0], words[1], words[2], words[3]]);
    let work = move || {
        let mut contents = target.buffer.storage().lock();
        for row in &rows {
            for place in contents.write(row.clone()).chunks_exact_mut(texel.len()) {
                place.copy_from_slice(&texel);
            }
        }
        Ok(cycles(bytes(&rows)))
    };
    queue.enqueue(CL_COMMAND_FILL_IMAGE, false, order, Box::new(work))
}

/// `clEnqueueMapImage`; stores the pitches of the mapped region, in bytes.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid flags, a region outside the image, or a null pointer for a pitch.
pub fn map(
    queue: Pointer<c_void>,
    image: Pointer<c_void>,
    (blocking, flags): (bool, cl_map_flags),
    (origin, region): (Pointer<usize>, Pointer<usize>),
    (row, slice): (Pointer<usize>, Pointer<usize>),
    order: Order,
) -> Result<*mut c_void> {
    let (queue, target) = queue_and_image(queue, image)?;
    map::check_flags(&target.buffer, flags)?;
    let (origin, region) = (three(origin)?, three(region)?);
    let device = target.rows(origin, region)?;
    let image = &target.image;
    ensure(!row.is_null(), CL_INVALID_VALUE)?;
    ensure(!slice.is_null() || !image.has_slices(), CL_INVALID_VALUE)?;
    // With `CL_MEM_USE_HOST_PTR`, rows have the pitches of the image; memory of the driver has no padding.
    let pitch = match target.buffer.host().is_null() {
        true => image.tight(region),
        false => image.pitch,
    };
    let outside = image.strided(region, pitch);
    let (memory, at) = map::memory(&target.buffer, bytes(&device), image.host_offset(origin));
    let has_slices = image.has_slices();
    let call = MapCall {
        rows: device.into_iter().zip(outside.iter().map(|row| row.start)).collect(),
        at,
        memory,
        flags,
        blocking,
        kind: CL_COMMAND_MAP_IMAGE,
    };
    let at = map::enqueue(&queue, &target.buffer, call, order)?;
    row.write(pitch.0);
    slice.write(if has_slices { pitch.1 } else { 0 });
    Ok(at)
}
