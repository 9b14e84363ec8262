//! Contents of memory objects, within the memory of the device.

use crate::error::{ensure, Result};
use crate::objects::contents::Contents;
use crate::objects::device::GLOBAL_BYTES;
use opencl_sys::CL_MEM_OBJECT_ALLOCATION_FAILURE;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The total size of all storages in bytes.
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
    /// Creates a storage of this many bytes, all 0.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE` if the device's memory is full.
    pub fn new(size: usize) -> Result<Arc<Self>> {
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

    /// The unique number, which determines the order of locking.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Locks the contents. A thread that locks several storages must lock them in ascending order of their numbers.
    pub fn lock(&self) -> MutexGuard<'_, Contents> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        USED.fetch_sub(self.size as u64, Ordering::Relaxed);
    }
}
