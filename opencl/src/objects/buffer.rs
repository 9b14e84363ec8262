//! Memory objects: buffers, sub-buffers, and the parts that images have in common with them.

use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::native::callback::{Callback, ObjectFunction};
use crate::native::pointer::{HostMemory, Pointer};
use crate::objects::context::Context;
use crate::objects::device::{ALIGNMENT, BUFFER_BYTES};
use crate::objects::image::Image;
use crate::objects::storage::Storage;
use crate::registry::{self, Handle, Object};
use opencl_sys::*;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A region that the application has mapped.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The address that the application received.
    pub at: Pointer<c_void>,
    /// Ranges of the storage, each with its offset from `at` in bytes. A buffer's region is one range.
    pub rows: Vec<(Range<usize>, usize)>,
    /// True if the mapping permits writing.
    pub writes: bool,
    /// The memory at this address, or `None` if it belongs to the application.
    pub memory: Option<Arc<HostMemory>>,
}

/// A buffer, a sub-buffer, or an image.
#[derive(Debug)]
pub struct Buffer {
    handle: Handle,
    context: Arc<Context>,
    flags: cl_mem_flags,
    /// First byte in the storage.
    origin: usize,
    size: usize,
    /// The application's memory for `CL_MEM_USE_HOST_PTR`, otherwise null.
    host: Pointer<c_void>,
    storage: Arc<Storage>,
    parent: Option<Arc<Buffer>>,
    image: Option<Image>,
    mappings: Mutex<Vec<Mapping>>,
    destructors: Mutex<Vec<Callback<ObjectFunction>>>,
}

impl Object for Buffer {
    const INVALID: cl_int = CL_INVALID_MEM_OBJECT;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let destructors = self.destructors.get_mut().unwrap_or_else(PoisonError::into_inner);
        for destructor in destructors.iter().rev() {
            destructor.call(self.handle.pointer());
        }
    }
}

impl Buffer {
    /// The buffer's context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The storage. Sub-buffers share it with their buffer.
    pub fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }

    /// The first byte in the storage.
    pub fn origin(&self) -> usize {
        self.origin
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The application's memory for `CL_MEM_USE_HOST_PTR`, otherwise null.
    pub fn host(&self) -> Pointer<c_void> {
        self.host
    }

    /// The buffer of a sub-buffer, or the buffer that contains an image's texels.
    pub fn parent(&self) -> Option<&Arc<Buffer>> {
        self.parent.as_ref()
    }

    /// Size and format of an image; `None` for a buffer.
    pub fn image(&self) -> Option<&Image> {
        self.image.as_ref()
    }

    /// True if kernels may read the object.
    pub fn is_readable(&self) -> bool {
        self.flags & CL_MEM_WRITE_ONLY == 0
    }

    /// True if kernels may write the object.
    pub fn is_writable(&self) -> bool {
        self.flags & CL_MEM_READ_ONLY == 0
    }

    /// Refuses to read or to write on the host if the flags exclude it.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`.
    pub fn host_may(&self, read: bool, write: bool) -> Result<()> {
        let only = |flag| self.flags & (flag | CL_MEM_HOST_NO_ACCESS) == 0;
        ensure(!read || only(CL_MEM_HOST_WRITE_ONLY), CL_INVALID_OPERATION)?;
        ensure(!write || only(CL_MEM_HOST_READ_ONLY), CL_INVALID_OPERATION)
    }

    /// Creates an image with texels in a part of a storage, given by its first byte and size in bytes. Returns the
    /// handle.
    pub fn publish_image(
        context: &Arc<Context>,
        flags: cl_mem_flags,
        image: Image,
        host: Pointer<c_void>,
        (storage, origin, size): (Arc<Storage>, usize, usize),
        parent: Option<Arc<Buffer>>,
    ) -> cl_mem {
        let buffer = registry::publish(|handle| Buffer {
            handle,
            context: context.clone(),
            flags: with_access(flags),
            origin,
            size,
            host: kept_pointer(flags, host),
            storage,
            parent,
            image: Some(image),
            mappings: Mutex::default(),
            destructors: Mutex::default(),
        });
        buffer.handle.raw()
    }

    /// The current mappings.
    pub fn mappings(&self) -> MutexGuard<'_, Vec<Mapping>> {
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The range of a region in the buffer's storage, in bytes.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the region is empty or not inside the buffer.
    pub fn region(&self, offset: usize, size: usize) -> Result<Range<usize>> {
        let end = offset.checked_add(size).ok_or(Code(CL_INVALID_VALUE))?;
        ensure(size > 0 && end <= self.size, CL_INVALID_VALUE)?;
        Ok(self.origin + offset..self.origin + end)
    }
}

const ACCESS: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
const HOST: cl_mem_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
const HOST_ACCESS: cl_mem_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
/// All flags of memory objects.
pub const ALL_FLAGS: cl_mem_flags = ACCESS | HOST | HOST_ACCESS;

/// Adds `CL_MEM_READ_WRITE` to flags without an access flag.
fn with_access(flags: cl_mem_flags) -> cl_mem_flags {
    match flags & ACCESS {
        0 => flags | CL_MEM_READ_WRITE,
        _ => flags,
    }
}

/// The application's memory for `CL_MEM_USE_HOST_PTR`, otherwise null.
fn kept_pointer(flags: cl_mem_flags, host: Pointer<c_void>) -> Pointer<c_void> {
    match flags & CL_MEM_USE_HOST_PTR {
        0 => Pointer::null(),
        _ => host,
    }
}

/// True if the flags require a host pointer.
///
/// # Errors
/// `CL_INVALID_HOST_PTR` if the flags require a pointer that is null, or do not require one that is not null.
pub fn has_host_pointer(flags: cl_mem_flags, host: Pointer<c_void>) -> Result<bool> {
    let given = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    ensure(given != host.is_null(), CL_INVALID_HOST_PTR)?;
    Ok(given)
}

/// The flags of a sub-buffer or of an image in a buffer. Access flags that are not given are inherited from the buffer.
///
/// # Errors
/// `CL_INVALID_VALUE` for flags that contradict the buffer's flags, and for host pointer flags.
pub fn inherited(flags: cl_mem_flags, parent: &Buffer) -> Result<cl_mem_flags> {
    let mut flags = access(flags, ACCESS | HOST_ACCESS)?;
    let of_parent = parent.flags & ACCESS;
    ensure(
        flags & ACCESS == 0 || of_parent == CL_MEM_READ_WRITE || flags & ACCESS == of_parent,
        CL_INVALID_VALUE,
    )?;
    if flags & ACCESS == 0 {
        flags |= of_parent;
    }
    if flags & HOST_ACCESS == 0 {
        flags |= parent.flags & HOST_ACCESS;
    }
    Ok(flags | parent.flags & HOST)
}

/// Returns the flags, unless they contradict each other.
///
/// # Errors
/// `CL_INVALID_VALUE` for a contradiction, and for flags that are not in `known`.
pub fn access(flags: cl_mem_flags, known: cl_mem_flags) -> Result<cl_mem_flags> {
    ensure(flags & !known == 0, CL_INVALID_VALUE)?;
    ensure((flags & ACCESS).count_ones() <= 1, CL_INVALID_VALUE)?;
    ensure((flags & HOST_ACCESS).count_ones() <= 1, CL_INVALID_VALUE)?;
    ensure(
        flags & CL_MEM_USE_HOST_PTR == 0 || flags & HOST == CL_MEM_USE_HOST_PTR,
        CL_INVALID_VALUE,
    )?;
    Ok(flags)
}

/// `clCreateBuffer`.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid flags, `CL_INVALID_BUFFER_SIZE`, `CL_INVALID_HOST_PTR`, and
/// `CL_MEM_OBJECT_ALLOCATION_FAILURE` if the device's memory is full.
pub fn create(context: Pointer<c_void>, flags: cl_mem_flags, size: usize, host: Pointer<c_void>) -> Result<cl_mem> {
    let context = registry::find::<Context>(context)?;
    let flags = with_access(access(flags, ALL_FLAGS)?);
    ensure(size > 0 && size as u64 <= BUFFER_BYTES, CL_INVALID_BUFFER_SIZE)?;
    let given = has_host_pointer(flags, host)?;
    let storage = Storage::new(size)?;
    if given {
        host.copy_to(storage.lock().write(0..size));
    }
    let buffer = registry::publish(|handle| Buffer {
        handle,
        context,
        flags,
        origin: 0,
        size,
        host: kept_pointer(flags, host),
        storage,
        parent: None,
        image: None,
        mappings: Mutex::default(),
        destructors: Mutex::default(),
    });
    Ok(buffer.handle.raw())
}

/// `clCreateSubBuffer`.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid flags or a region outside the buffer, `CL_INVALID_BUFFER_SIZE`,
/// `CL_MISALIGNED_SUB_BUFFER_OFFSET`.
pub fn create_part(
    buffer: Pointer<c_void>,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    region: Pointer<c_void>,
) -> Result<cl_mem> {
    let parent = registry::find::<Buffer>(buffer)?;
    ensure(parent.parent.is_none() && parent.image.is_none(), CL_INVALID_MEM_OBJECT)?;
    let flags = inherited(flags, &parent)?;
    ensure(kind == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE)?;
    let region = region.cast::<cl_buffer_region>().read().ok_or(Code(CL_INVALID_VALUE))?;
    ensure(region.size > 0, CL_INVALID_BUFFER_SIZE)?;
    let place = parent.region(region.origin, region.size)?;
    ensure(region.origin % ALIGNMENT == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET)?;
    let part = registry::publish(|handle| Buffer {
        handle,
        context: parent.context.clone(),
        flags,
        origin: place.start,
        size: region.size,
        host: match parent.host.is_null() {
            true => Pointer::null(),
            false => parent.host.offset(region.origin),
        },
        storage: parent.storage.clone(),
        parent: Some(parent),
        image: None,
        mappings: Mutex::default(),
        destructors: Mutex::default(),
    });
    Ok(part.handle.raw())
}

/// `clGetMemObjectInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(buffer: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let buffer = registry::find::<Buffer>(buffer)?;
    let parent = buffer.parent.as_ref();
    match name {
        CL_MEM_TYPE => reply.word(buffer.image.as_ref().map_or(CL_MEM_OBJECT_BUFFER, Image::kind)),
        CL_MEM_FLAGS => reply.long(buffer.flags),
        CL_MEM_SIZE => reply.size(buffer.size),
        CL_MEM_HOST_PTR => reply.size(buffer.host.address()),
        CL_MEM_MAP_COUNT => reply.word(buffer.mappings().len() as u32),
        CL_MEM_REFERENCE_COUNT => reply.word(registry::count(&*buffer)),
        CL_MEM_CONTEXT => reply.handle(buffer.context.handle().raw()),
        CL_MEM_ASSOCIATED_MEMOBJECT => reply.handle(parent.map_or(std::ptr::null_mut(), |parent| parent.handle.raw())),
        CL_MEM_OFFSET => reply.size(match buffer.image {
            Some(_) => 0,
            None => buffer.origin,
        }),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

/// `clSetMemObjectDestructorCallback`.
///
/// # Errors
/// `CL_INVALID_VALUE` if the function is null.
pub fn set_destructor(buffer: Pointer<c_void>, function: Option<ObjectFunction>, data: Pointer<c_void>) -> Result<()> {
    let buffer = registry::find::<Buffer>(buffer)?;
    let function = function.ok_or(Code(CL_INVALID_VALUE))?;
    let mut destructors = buffer.destructors.lock().unwrap_or_else(PoisonError::into_inner);
    destructors.push(Callback::new(function, data));
    Ok(())
}
