//! Buffers and images mapped into the application's memory, and native kernels, which also access buffers there.

use crate::commands::transfer::{cycles, in_context, queue_and_buffer};
use crate::error::{ensure, Code, Result};
use crate::native::callback::{Callback, NativeFunction};
use crate::native::pointer::{HostMemory, Pointer};
use crate::objects::buffer::{Buffer, Mapping};
use crate::objects::queue::{Order, Queue};
use crate::registry;
use opencl_sys::*;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// Refuses unknown flags, and accesses that the object's flags exclude.
///
/// # Errors
/// `CL_INVALID_VALUE` for unknown flags, `CL_INVALID_OPERATION` for an excluded access.
pub fn check_flags(buffer: &Buffer, flags: cl_map_flags) -> Result<()> {
    let known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    ensure(flags & !known == 0, CL_INVALID_VALUE)?;
    buffer.host_may(flags & CL_MAP_READ != 0, writes(flags))
}

fn writes(flags: cl_map_flags) -> bool {
    flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0
}

/// The arguments for enqueueing a mapping.
pub struct MapCall {
    /// Ranges of the storage, each with its offset from `at` in bytes.
    pub rows: Vec<(Range<usize>, usize)>,
    /// The address that the application gets.
    pub at: Pointer<c_void>,
    /// The memory at this address, or `None` if it belongs to the application.
    pub memory: Option<Arc<HostMemory>>,
    /// The accesses that the application requests.
    pub flags: cl_map_flags,
    /// True if the call returns only after the contents have been copied.
    pub blocking: bool,
    /// The type of the command, for events.
    pub kind: cl_uint,
}

/// Returns memory for a mapping of this many bytes, and its address. With `CL_MEM_USE_HOST_PTR`, the address is in the
/// application's own memory, at `offset`.
pub fn memory(buffer: &Buffer, bytes: usize, offset: usize) -> (Option<Arc<HostMemory>>, Pointer<c_void>) {
    match buffer.host().is_null() {
        true => {
            let memory = Arc::new(HostMemory::new(bytes));
            let at = memory.pointer();
            (Some(memory), at)
        }
        false => (None, buffer.host().offset(offset)),
    }
}

/// `clEnqueueMapBuffer`: copies the region for the application, with `CL_MEM_USE_HOST_PTR` into its own memory.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid flags or a region outside the buffer.
pub fn map(
    queue: Pointer<c_void>,
    buffer: Pointer<c_void>,
    (blocking, flags): (bool, cl_map_flags),
    (offset, size): (usize, usize),
    order: Order,
) -> Result<*mut c_void> {
    let (queue, buffer) = queue_and_buffer(queue, buffer)?;
    check_flags(&buffer, flags)?;
    let place = buffer.region(offset, size)?;
    let (memory, at) = memory(&buffer, size, offset);
    let call = MapCall {
        rows: vec![(place, 0)],
        at,
        memory,
        flags,
        blocking,
        kind: CL_COMMAND_MAP_BUFFER,
    };
    enqueue(&queue, &buffer, call, order)
}

fn bytes(rows: &[(Range<usize>, usize)]) -> usize {
    rows.iter().map(|(row, _)| row.len()).sum()
}

/// Enqueues a mapping, and returns its address.
///
/// # Errors
/// The errors of [`Queue::enqueue`].
pub fn enqueue(queue: &Arc<Queue>, buffer: &Arc<Buffer>, call: MapCall, order: Order) -> Result<*mut c_void> {
    queue.wait_list(order)?;
    let MapCall { rows, at, memory, .. } = call;
    buffer.mappings().push(Mapping {
        at,
        rows: rows.clone(),
        writes: writes(call.flags),
        memory: memory.clone(),
    });
    let mapped = buffer.clone();
    let work = move || {
        // Keeps the memory alive, even if the application has unmapped it on another queue in the meantime.
        let _kept = memory;
        let contents = mapped.storage().lock();
        for (row, offset) in &rows {
            at.offset(*offset).copy_from(&contents[row.clone()]);
        }
        Ok(cycles(bytes(&rows)))
    };
    let result = queue.enqueue(call.kind, call.blocking, order, Box::new(work));
    if result.is_err() {
        // The application does not get the address, so it cannot unmap it.
        let mut mappings = buffer.mappings();
        let index = mappings
            .iter()
            .rposition(|mapping| mapping.at.address() == at.address());
        index.map(|index| mappings.remove(index));
    }
    result.map(|()| at.raw())
}

/// `clEnqueueUnmapMemObject`: writes the application's changes back.
///
/// # Errors
/// `CL_INVALID_VALUE` for a pointer that does not belong to a mapping of the object.
pub fn unmap(queue: Pointer<c_void>, buffer: Pointer<c_void>, at: Pointer<c_void>, order: Order) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    let buffer = in_context(&queue, registry::find::<Buffer>(buffer)?)?;
    queue.wait_list(order)?;
    let mapping = {
        let mut mappings = buffer.mappings();
        let index = mappings.iter().position(|mapping| mapping.at.address() == at.address());
        mappings.remove(index.ok_or(Code(CL_INVALID_VALUE))?)
    };
    let (mapped, still) = (buffer.clone(), mapping.clone());
    let work = move || {
        // Captures the whole mapping, and so its memory. The closure would otherwise capture only the fields that it
        // uses.
        let mapping = &mapping;
        if !mapping.writes {
            return Ok(0);
        }
        let mut contents = buffer.storage().lock();
        for (row, offset) in &mapping.rows {
            mapping.at.offset(*offset).copy_to(contents.write(row.clone()));
        }
        Ok(cycles(bytes(&mapping.rows)))
    };
    let result = queue.enqueue(CL_COMMAND_UNMAP_MEM_OBJECT, false, order, Box::new(work));
    if result.is_err() {
        // The region is still mapped: without this, its memory would be freed while the application uses it.
        mapped.mappings().push(still);
    }
    result
}

/// The arguments of `clEnqueueNativeKernel`.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    /// The function to call.
    pub function: Option<NativeFunction>,
    /// The argument. The driver copies `bytes` bytes of it.
    pub arguments: Pointer<c_void>,
    /// The size of the argument in bytes.
    pub bytes: usize,
    /// The number of buffers in the lists.
    pub count: cl_uint,
    /// The handles of the buffers.
    pub buffers: Pointer<cl_mem>,
    /// Pointers into the argument, at which the buffers' addresses are stored.
    pub places: Pointer<*const c_void>,
}

/// `clEnqueueNativeKernel`: calls a function of the application on the queue's thread. The buffers' contents are copied
/// to host memory for the call.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid lists, `CL_INVALID_MEM_OBJECT`.
pub fn native(queue: Pointer<c_void>, native: Native, order: Order) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    let function = native.function.ok_or(Code(CL_INVALID_VALUE))?;
    let Native {
        arguments,
        bytes,
        count,
        buffers,
        places,
        ..
    } = native;
    ensure(arguments.is_null() == (bytes == 0), CL_INVALID_VALUE)?;
    ensure(
        (count == 0) == buffers.is_null() && (count == 0) == places.is_null(),
        CL_INVALID_VALUE,
    )?;
    let mut block = vec![0; bytes];
    if bytes > 0 {
        arguments.copy_to(&mut block);
    }
    let mut kept: Vec<(Arc<Buffer>, usize)> = Vec::new();
    let handles = buffers.read_all(count as usize).ok_or(Code(CL_INVALID_VALUE))?;
    let places = places.pointers(count as usize).ok_or(Code(CL_INVALID_VALUE))?;
    for (handle, place) in handles.into_iter().zip(places) {
        let buffer = registry::find_raw::<Buffer>(handle)?;
        ensure(buffer.image().is_none(), CL_INVALID_MEM_OBJECT)?;
        ensure(Arc::ptr_eq(queue.context(), buffer.context()), CL_INVALID_CONTEXT)?;
        let offset = place.address().checked_sub(arguments.address());
        let offset = offset.ok_or(Code(CL_INVALID_VALUE))?;
        let end = offset.checked_add(size_of::<usize>());
        ensure(end.is_some_and(|end| end <= bytes), CL_INVALID_VALUE)?;
        kept.push((buffer, offset));
    }
    let work = move || {
        let memories: Vec<HostMemory> = kept.iter().map(|(buffer, _)| HostMemory::new(buffer.size())).collect();
        for ((buffer, offset), memory) in kept.iter().zip(&memories) {
            if let Ok(place) = buffer.region(0, buffer.size()) {
                memory.pointer().copy_from(&buffer.storage().lock()[place]);
            }
            block[*offset..offset + size_of::<usize>()].copy_from_slice(&memory.pointer().address().to_ne_bytes());
        }
        let argument = HostMemory::new(block.len());
        argument.pointer().copy_from(&block);
        Callback::new(function, argument.pointer()).run();
        for ((buffer, _), memory) in kept.iter().zip(&memories) {
            if let Ok(place) = buffer.region(0, buffer.size()) {
                memory.pointer().copy_to(buffer.storage().lock().write(place));
            }
        }
        Ok(0)
    };
    queue.enqueue(CL_COMMAND_NATIVE_KERNEL, false, order, Box::new(work))
}
