//! Buffers and sub-buffers.

use crate::abi::callback::{Callback, ObjectFunction};
use crate::abi::pointer::{HostMemory, Pointer};
use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::objects::contents::Contents;
use crate::objects::context::Context;
use crate::objects::device::{ALIGNMENT, BUFFER_BYTES, GLOBAL_BYTES};
use crate::registry::{self, Handle, Object};
use opencl_sys::*;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The bytes of all buffers.
static USED: AtomicU64 = AtomicU64::new(0);
/// The number of the next storage.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The contents of a buffer, shared with its sub-buffers. All devices of a context see the same contents.
#[derive(Debug)]
pub struct Storage {
    number: u64,
    size: usize,
    bytes: Mutex<Contents>,
}

impl Storage {
    /// A storage of this many bytes, all 0.
    fn new(size: usize) -> Result<Arc<Self>> {
        let taken = USED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(size as u64).filter(|&used| used <= GLOBAL_BYTES)
        });
        ensure(taken.is_ok(), CL_MEM_OBJECT_ALLOCATION_FAILURE)?;
        Ok(Arc::new(Storage {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            size,
            bytes: Mutex::new(Contents::new(size)),
        }))
    }

    /// The unique number, which gives the order of locks.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The contents, locked for this thread. A thread that locks several storages locks them by rising numbers.
    pub fn lock(&self) -> MutexGuard<'_, Contents> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        USED.fetch_sub(self.size as u64, Ordering::Relaxed);
    }
}

/// A region that the application has mapped.
#[derive(Debug)]
pub struct Mapping {
    /// The address for the application.
    pub at: Pointer<c_void>,
    /// First byte in the buffer.
    pub offset: usize,
    /// The number of bytes.
    pub size: usize,
    /// True if the application may write there.
    pub writes: bool,
    /// The memory, or `None` if it is the application's own.
    pub memory: Option<Arc<HostMemory>>,
}

/// A buffer, or a sub-buffer.
#[derive(Debug)]
pub struct Buffer {
    handle: Handle,
    context: Arc<Context>,
    flags: cl_mem_flags,
    /// First byte in the storage.
    origin: usize,
    size: usize,
    /// The application's memory for `CL_MEM_USE_HOST_PTR`, else null.
    host: Pointer<c_void>,
    storage: Arc<Storage>,
    parent: Option<Arc<Buffer>>,
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
            destructor.call(&self.handle);
        }
    }
}

impl Buffer {
    /// The buffer's context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The storage, shared with the buffer that it is a part of.
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

    /// The application's memory for `CL_MEM_USE_HOST_PTR`, else null.
    pub fn host(&self) -> Pointer<c_void> {
        self.host
    }

    /// The current mappings.
    pub fn mappings(&self) -> MutexGuard<'_, Vec<Mapping>> {
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A region of the buffer as a range of its storage.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if it is not inside the buffer, or empty.
    pub fn region(&self, offset: usize, size: usize) -> Result<Range<usize>> {
        let end = offset.checked_add(size).ok_or(Code(CL_INVALID_VALUE))?;
        ensure(size > 0 && end <= self.size, CL_INVALID_VALUE)?;
        Ok(self.origin + offset..self.origin + end)
    }
}

const ACCESS: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
const HOST: cl_mem_flags = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
const HOST_ACCESS: cl_mem_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

/// Refuses flags that contradict each other; without an access flag, access is read and write.
fn access(flags: cl_mem_flags, known: cl_mem_flags) -> Result<cl_mem_flags> {
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
    let mut flags = access(flags, ACCESS | HOST | HOST_ACCESS)?;
    if flags & ACCESS == 0 {
        flags |= CL_MEM_READ_WRITE;
    }
    ensure(size > 0 && size as u64 <= BUFFER_BYTES, CL_INVALID_BUFFER_SIZE)?;
    let given = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    ensure(given != host.is_null(), CL_INVALID_HOST_PTR)?;
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
        host: match flags & CL_MEM_USE_HOST_PTR {
            0 => Pointer::null(),
            _ => host,
        },
        storage,
        parent: None,
        mappings: Mutex::default(),
        destructors: Mutex::default(),
    });
    Ok(buffer.handle.raw())
}

/// `clCreateSubBuffer`.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid flags or a region outside, `CL_INVALID_BUFFER_SIZE`,
/// `CL_MISALIGNED_SUB_BUFFER_OFFSET`.
pub fn create_part(
    buffer: Pointer<c_void>,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    region: Pointer<c_void>,
) -> Result<cl_mem> {
    let parent = registry::find::<Buffer>(buffer)?;
    ensure(parent.parent.is_none(), CL_INVALID_MEM_OBJECT)?;
    let mut flags = access(flags, ACCESS | HOST_ACCESS)?;
    let inherited = parent.flags & ACCESS;
    ensure(
        flags & ACCESS == 0 || inherited == CL_MEM_READ_WRITE || flags & ACCESS == inherited,
        CL_INVALID_VALUE,
    )?;
    if flags & ACCESS == 0 {
        flags |= inherited;
    }
    ensure(kind == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE)?;
    let region = region.cast::<cl_buffer_region>().read().ok_or(Code(CL_INVALID_VALUE))?;
    ensure(region.size > 0, CL_INVALID_BUFFER_SIZE)?;
    let place = parent.region(region.origin, region.size)?;
    ensure(region.origin % ALIGNMENT == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET)?;
    let part = registry::publish(|handle| Buffer {
        handle,
        context: parent.context.clone(),
        flags: flags | parent.flags & HOST,
        origin: place.start,
        size: region.size,
        host: match parent.host.is_null() {
            true => Pointer::null(),
            false => parent.host.offset(region.origin),
        },
        storage: parent.storage.clone(),
        parent: Some(parent),
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
        CL_MEM_TYPE => reply.word(CL_MEM_OBJECT_BUFFER),
        CL_MEM_FLAGS => reply.long(buffer.flags),
        CL_MEM_SIZE => reply.size(buffer.size),
        CL_MEM_HOST_PTR => reply.size(buffer.host.address()),
        CL_MEM_MAP_COUNT => reply.word(buffer.mappings().len() as u32),
        CL_MEM_REFERENCE_COUNT => reply.word(registry::count(&*buffer)),
        CL_MEM_CONTEXT => reply.handle(buffer.context.handle().raw()),
        CL_MEM_ASSOCIATED_MEMOBJECT => reply.handle(parent.map_or(std::ptr::null_mut(), |parent| parent.handle.raw())),
        CL_MEM_OFFSET => reply.size(buffer.origin),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

/// `clSetMemObjectDestructorCallback`.
///
/// # Errors
/// `CL_INVALID_VALUE` without a function.
pub fn set_destructor(buffer: Pointer<c_void>, function: Option<ObjectFunction>, data: Pointer<c_void>) -> Result<()> {
    let buffer = registry::find::<Buffer>(buffer)?;
    let function = function.ok_or(Code(CL_INVALID_VALUE))?;
    let mut destructors = buffer.destructors.lock().unwrap_or_else(PoisonError::into_inner);
    destructors.push(Callback::new(function, data));
    Ok(())
}
