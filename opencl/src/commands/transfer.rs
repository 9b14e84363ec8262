//! Transfer commands: read, write, copy, fill.

use crate::commands::region::{overlap, Rect};
use crate::error::{ensure, Code, Result};
use crate::native::pointer::Pointer;
use crate::objects::buffer::Buffer;
use crate::objects::queue::{Order, Queue};
use crate::registry;
use opencl_sys::*;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// Cycles of a transfer between host and device, or within the device: the bus transfers one word per cycle.
pub fn cycles(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}

/// The queue and a buffer of its context.
///
/// # Errors
/// An invalid handle, or an image; `CL_INVALID_CONTEXT` for a buffer of another context.
pub fn queue_and_buffer(queue: Pointer<c_void>, buffer: Pointer<c_void>) -> Result<(Arc<Queue>, Arc<Buffer>)> {
    let queue = registry::find::<Queue>(queue)?;
    let buffer = plain_buffer(&queue, buffer)?;
    Ok((queue, buffer))
}

/// A buffer of the queue's context that is not an image.
fn plain_buffer(queue: &Queue, buffer: Pointer<c_void>) -> Result<Arc<Buffer>> {
    let buffer = registry::find::<Buffer>(buffer)?;
    ensure(buffer.image().is_none(), CL_INVALID_MEM_OBJECT)?;
    in_context(queue, buffer)
}

/// Returns the buffer or image if it belongs to the queue's context.
///
/// # Errors
/// `CL_INVALID_CONTEXT`.
pub fn in_context(queue: &Queue, buffer: Arc<Buffer>) -> Result<Arc<Buffer>> {
    ensure(Arc::ptr_eq(queue.context(), buffer.context()), CL_INVALID_CONTEXT)?;
    Ok(buffer)
}

/// The host memory and the region of the buffer of a read or write call.
#[derive(Clone, Copy, Debug)]
pub struct HostCopy {
    /// The first byte in the buffer.
    pub offset: usize,
    /// The number of bytes.
    pub size: usize,
    /// The application's memory.
    pub host: Pointer<c_void>,
    /// True if the call returns only when the transfer is done.
    pub blocking: bool,
}

/// `clEnqueueReadBuffer`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a region outside the buffer, or a null pointer.
pub fn read(queue: Pointer<c_void>, buffer: Pointer<c_void>, copy: HostCopy, order: Order) -> Result<()> {
    let (queue, buffer) = queue_and_buffer(queue, buffer)?;
    let place = buffer.region(copy.offset, copy.size)?;
    ensure(!copy.host.is_null(), CL_INVALID_VALUE)?;
    let work = move || {
        copy.host.copy_from(&buffer.storage().lock()[place]);
        Ok(cycles(copy.size))
    };
    queue.enqueue(CL_COMMAND_READ_BUFFER, copy.blocking, order, Box::new(work))
}

/// `clEnqueueWriteBuffer`.
///
/// # Errors
/// The errors of [`read`].
pub fn write(queue: Pointer<c_void>, buffer: Pointer<c_void>, copy: HostCopy, order: Order) -> Result<()> {
    let (queue, buffer) = queue_and_buffer(queue, buffer)?;
    let place = buffer.region(copy.offset, copy.size)?;
    ensure(!copy.host.is_null(), CL_INVALID_VALUE)?;
    let work = move || {
        copy.host.copy_to(buffer.storage().lock().write(place));
        Ok(cycles(copy.size))
    };
    queue.enqueue(CL_COMMAND_WRITE_BUFFER, copy.blocking, order, Box::new(work))
}

/// Pairs of source and target ranges, row by row.
pub type Rows = Vec<(Range<usize>, Range<usize>)>;

/// Enqueues a read of rows, each with its range in the application's memory.
///
/// # Errors
/// An invalid wait list.
pub fn read_rows(
    queue: &Arc<Queue>,
    buffer: Arc<Buffer>,
    (host, rows): (Pointer<c_void>, Rows),
    (kind, blocking): (cl_uint, bool),
    order: Order,
) -> Result<()> {
    let work = move || {
        let bytes = buffer.storage().lock();
        for (device, outside) in &rows {
            host.offset(outside.start).copy_from(&bytes[device.clone()]);
        }
        Ok(cycles(rows.iter().map(|(device, _)| device.len()).sum()))
    };
    queue.enqueue(kind, blocking, order, Box::new(work))
}

/// Enqueues a write of rows, each with its range in the application's memory.
///
/// # Errors
/// An invalid wait list.
pub fn write_rows(
    queue: &Arc<Queue>,
    buffer: Arc<Buffer>,
    (host, rows): (Pointer<c_void>, Rows),
    (kind, blocking): (cl_uint, bool),
    order: Order,
) -> Result<()> {
    let work = move || {
        let mut bytes = buffer.storage().lock();
        for (device, outside) in &rows {
            host.offset(outside.start).copy_to(bytes.write(device.clone()));
        }
        Ok(cycles(rows.iter().map(|(device, _)| device.len()).sum()))
    };
    queue.enqueue(kind, blocking, order, Box::new(work))
}

/// Copies within a storage or between two storages.
fn copy_rows(from: &Buffer, to: &Buffer, rows: &Rows) {
    let (from, to) = (from.storage(), to.storage());
    if Arc::ptr_eq(from, to) {
        let mut bytes = from.lock();
        for (source, target) in rows {
            bytes.copy_within(source.clone(), target.start);
        }
        return;
    }
    // All code locks the storage with the lower number first; any other order could cause a deadlock.
    let (source, mut target);
    if from.number() < to.number() {
        source = from.lock();
        target = to.lock();
    } else {
        target = to.lock();
        source = from.lock();
    }
    for (place, at) in rows {
        target.copy_from(&source, place.clone(), at.start);
    }
}

/// Enqueues a copy between memory objects.
///
/// # Errors
/// `CL_MEM_COPY_OVERLAP` if a source range overlaps a target range.
pub fn copy_command(
    queue: &Arc<Queue>,
    (from, to): (Arc<Buffer>, Arc<Buffer>),
    rows: Rows,
    kind: cl_uint,
    order: Order,
) -> Result<()> {
    if Arc::ptr_eq(from.storage(), to.storage()) {
        let sources = rows.iter().map(|(source, _)| source.clone());
        let targets = rows.iter().map(|(_, target)| target.clone());
        ensure(!overlap(sources.collect(), targets.collect()), CL_MEM_COPY_OVERLAP)?;
    }
    let bytes = rows.iter().map(|(source, _)| source.len()).sum();
    let work = move || {
        copy_rows(&from, &to, &rows);
        Ok(cycles(bytes))
    };
    queue.enqueue(kind, false, order, Box::new(work))
}

/// `clEnqueueCopyBuffer`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a region outside a buffer, `CL_MEM_COPY_OVERLAP`.
pub fn copy(
    queue: Pointer<c_void>,
    (from, to): (Pointer<c_void>, Pointer<c_void>),
    (from_offset, to_offset): (usize, usize),
    size: usize,
    order: Order,
) -> Result<()> {
    let (queue, from) = queue_and_buffer(queue, from)?;
    let to = plain_buffer(&queue, to)?;
    let rows = vec![(from.region(from_offset, size)?, to.region(to_offset, size)?)];
    copy_command(&queue, (from, to), rows, CL_COMMAND_COPY_BUFFER, order)
}

/// `clEnqueueFillBuffer`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a region outside the buffer, or a size that is not a multiple of the pattern.
pub fn fill(
    queue: Pointer<c_void>,
    buffer: Pointer<c_void>,
    (pattern, length): (Pointer<c_void>, usize),
    (offset, size): (usize, usize),
    order: Order,
) -> Result<()> {
    let (queue, buffer) = queue_and_buffer(queue, buffer)?;
    let place = buffer.region(offset, size)?;
    ensure(!pattern.is_null() && (1..=128).contains(&length), CL_INVALID_VALUE)?;
    ensure(
        length.is_power_of_two() && offset % length == 0 && size % length == 0,
        CL_INVALID_VALUE,
    )?;
    let mut bytes = vec![0; length];
    pattern.copy_to(&mut bytes);
    let work = move || {
        for chunk in buffer.storage().lock().write(place).chunks_exact_mut(bytes.len()) {
            chunk.copy_from_slice(&bytes);
        }
        Ok(cycles(size))
    };
    queue.enqueue(CL_COMMAND_FILL_BUFFER, false, order, Box::new(work))
}

/// `clEnqueueMigrateMemObjects`: no-op, because all devices of a context share the contents of buffers.
///
/// # Errors
/// `CL_INVALID_VALUE` for an invalid list, or unknown flags.
pub fn migrate(
    queue: Pointer<c_void>,
    (count, buffers): (cl_uint, Pointer<cl_mem>),
    flags: cl_mem_migration_flags,
    order: Order,
) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    let known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    ensure(count > 0 && !buffers.is_null() && flags & !known == 0, CL_INVALID_VALUE)?;
    for buffer in buffers.read_all(count as usize).ok_or(Code(CL_INVALID_VALUE))? {
        let buffer = registry::find_raw::<Buffer>(buffer)?;
        ensure(Arc::ptr_eq(queue.context(), buffer.context()), CL_INVALID_CONTEXT)?;
    }
    queue.enqueue(CL_COMMAND_MIGRATE_MEM_OBJECTS, false, order, Box::new(|| Ok(0)))
}

/// The two regions of a transfer, in the order of the call's arguments.
#[derive(Clone, Copy, Debug)]
pub struct Boxes {
    /// The origin of the first region: byte, row, slice.
    pub first: Pointer<usize>,
    /// The origin of the second region: byte, row, slice.
    pub second: Pointer<usize>,
    /// The size of both regions: width in bytes, rows, slices.
    pub region: Pointer<usize>,
    /// Row pitch and slice pitch of the first region in bytes; 0 for rows or slices without padding.
    pub first_pitch: (usize, usize),
    /// Row pitch and slice pitch of the second region in bytes; 0 for rows or slices without padding.
    pub second_pitch: (usize, usize),
}

impl Boxes {
    fn rects(self) -> Result<(Rect, Rect)> {
        let three = |pointer: Pointer<usize>| -> Result<[usize; 3]> {
            let values = pointer.read_all(3).ok_or(Code(CL_INVALID_VALUE))?;
            Ok([values[0], values[1], values[2]])
        };
        let region = three(self.region)?;
        Ok((
            Rect::new(three(self.first)?, region, self.first_pitch)?,
            Rect::new(three(self.second)?, region, self.second_pitch)?,
        ))
    }
}

fn moved(rows: &[Range<usize>], origin: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    rows.iter().map(move |row| row.start + origin..row.end + origin)
}

/// `clEnqueueReadBufferRect`; the first region is in the buffer.
///
/// # Errors
/// `CL_INVALID_VALUE` for an invalid region, one outside the buffer, or a null pointer.
pub fn read_box(
    queue: Pointer<c_void>,
    buffer: Pointer<c_void>,
    (host, blocking): (Pointer<c_void>, bool),
    boxes: Boxes,
    order: Order,
) -> Result<()> {
    let (queue, buffer) = queue_and_buffer(queue, buffer)?;
    let (device, outside) = boxes.rects()?;
    ensure(!host.is_null() && device.end() <= buffer.size(), CL_INVALID_VALUE)?;
    let rows = moved(&device.rows(), buffer.origin()).zip(outside.rows()).collect();
    read_rows(
        &queue,
        buffer,
        (host, rows),
        (CL_COMMAND_READ_BUFFER_RECT, blocking),
        order,
    )
}

/// `clEnqueueWriteBufferRect`; the first region is in the buffer.
///
/// # Errors
/// The errors of [`read_box`].
pub fn write_box(
    queue: Pointer<c_void>,
    buffer: Pointer<c_void>,
    (host, blocking): (Pointer<c_void>, bool),
    boxes: Boxes,
    order: Order,
) -> Result<()> {
    let (queue, buffer) = queue_and_buffer(queue, buffer)?;
    let (device, outside) = boxes.rects()?;
    ensure(!host.is_null() && device.end() <= buffer.size(), CL_INVALID_VALUE)?;
    let rows = moved(&device.rows(), buffer.origin()).zip(outside.rows()).collect();
    write_rows(
        &queue,
        buffer,
        (host, rows),
        (CL_COMMAND_WRITE_BUFFER_RECT, blocking),
        order,
    )
}

/// `clEnqueueCopyBufferRect`; the first region is in the source.
///
/// # Errors
/// The errors of [`read_box`], and `CL_MEM_COPY_OVERLAP`.
pub fn copy_box(
    queue: Pointer<c_void>,
    (from, to): (Pointer<c_void>, Pointer<c_void>),
    boxes: Boxes,
    order: Order,
) -> Result<()> {
    let (queue, from) = queue_and_buffer(queue, from)?;
    let to = plain_buffer(&queue, to)?;
    let (source, target) = boxes.rects()?;
    ensure(
        source.end() <= from.size() && target.end() <= to.size(),
        CL_INVALID_VALUE,
    )?;
    let (source, target) = (source.rows(), target.rows());
    let rows = moved(&source, from.origin()).zip(moved(&target, to.origin())).collect();
    copy_command(&queue, (from, to), rows, CL_COMMAND_COPY_BUFFER_RECT, order)
}
