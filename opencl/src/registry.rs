//! The registry of handles, by which the application refers to objects.
//!
//! OpenCL's loader reads the dispatch table's address through a handle, so a handle is the address of a cell that
//! contains only this pointer. The driver itself never dereferences a handle, but looks it up here. If the handle does
//! not exist, its object has been dropped, or the object is of another kind, the result is the error code of the
//! expected kind.
//!
//! A cell is never freed, because the loader would follow a stale handle into other memory. It is reused for another
//! object, but only after many other cells have been released: until then a stale handle is detected.
//!
//! An object exists while the application has references to it or another object needs it. Its handle is valid for the
//! same time. For example, the application can query a queue's context after releasing the context, and retain it
//! again.

use crate::error::{Code, Result};
use crate::native::pointer::Pointer;
use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::cl_int;
use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// The number of released cells before one is reused.
const QUARANTINE: usize = 1 << 16;

/// The target of a handle.
#[repr(C)]
struct Cell {
    /// The dispatch table; null only before [`lead_to`] is called.
    dispatch: Option<&'static cl_icd_dispatch>,
}

static DISPATCH: OnceLock<&'static cl_icd_dispatch> = OnceLock::new();

/// Sets the dispatch table for all handles. It is called before the first handle is created.
pub fn lead_to(dispatch: &'static cl_icd_dispatch) {
    DISPATCH.get_or_init(|| dispatch);
}

type Anything = dyn Any + Send + Sync;

struct Entry {
    object: Weak<Anything>,
    /// Keeps the object alive for the application.
    owned: Option<Arc<Anything>>,
    /// Number of the application's references.
    count: u32,
}

#[derive(Default)]
struct Registry {
    entries: HashMap<usize, Entry>,
    retired: VecDeque<&'static Cell>,
}

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);

/// Locks the registry, even after a panic elsewhere: every change below leaves it consistent.
fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The handle of an object. It becomes stale when the object is dropped.
pub struct Handle(&'static Cell);

impl Handle {
    fn new() -> Self {
        let mut registry = registry();
        let used = match registry.retired.len() > QUARANTINE {
            true => registry.retired.pop_front(),
            false => None,
        };
        Handle(used.unwrap_or_else(|| {
            Box::leak(Box::new(Cell {
                dispatch: DISPATCH.get().copied(),
            }))
        }))
    }

    fn key(&self) -> usize {
        std::ptr::from_ref(self.0) as usize
    }

    /// The handle as a pointer, for callbacks.
    pub fn pointer(&self) -> NonNull<c_void> {
        NonNull::from(self.0).cast()
    }

    /// The handle as a C pointer, for the application.
    pub fn raw(&self) -> *mut c_void {
        self.pointer().as_ptr()
    }
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Handle({:#x}, leads on: {})", self.key(), self.0.dispatch.is_some())
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let mut registry = registry();
        // The object is already being dropped, so removing the entry cannot drop an object. That would lock the
        // registry again.
        registry.entries.remove(&self.key());
        registry.retired.push_back(self.0);
    }
}

/// A kind of object that has handles.
pub trait Object: Any + Send + Sync + Sized {
    /// The error code for a handle that does not belong to this kind.
    const INVALID: cl_int;

    /// The object's handle.
    fn handle(&self) -> &Handle;
}

/// Creates an object with one reference, which belongs to the application.
pub fn publish<T: Object>(make: impl FnOnce(Handle) -> T) -> Arc<T> {
    let object = Arc::new(make(Handle::new()));
    let anything: Arc<Anything> = object.clone();
    let entry = Entry {
        object: Arc::downgrade(&anything),
        owned: Some(anything),
        count: 1,
    };
    registry().entries.insert(object.handle().key(), entry);
    object
}

/// Returns the object of a handle.
///
/// # Errors
/// The error code of the kind, if the handle does not belong to an existing object of this kind.
pub fn find<T: Object>(handle: Pointer<c_void>) -> Result<Arc<T>> {
    find_raw(handle.raw())
}

/// Like [`find`], for a handle from a list.
///
/// # Errors
/// The errors of [`find`].
pub fn find_raw<T: Object>(handle: *mut c_void) -> Result<Arc<T>> {
    // The lock must be released before the object is dropped, if this is its last reference.
    let object = registry()
        .entries
        .get(&(handle as usize))
        .and_then(|entry| entry.object.upgrade());
    object.and_then(|object| object.downcast().ok()).ok_or(Code(T::INVALID))
}

/// Adds a reference for the application.
///
/// # Errors
/// The errors of [`find`].
pub fn retain<T: Object>(handle: Pointer<c_void>) -> Result<()> {
    let object = find::<T>(handle)?;
    let mut registry = registry();
    let entry = registry.entries.get_mut(&handle.address()).ok_or(Code(T::INVALID))?;
    entry.count = entry.count.saturating_add(1);
    entry.owned = Some(object);
    Ok(())
}

/// Removes a reference of the application. The last one drops the object, unless another object needs it.
///
/// # Errors
/// The errors of [`find`], also if the application has no reference.
pub fn release<T: Object>(handle: Pointer<c_void>) -> Result<()> {
    let object = find::<T>(handle)?;
    let owned = {
        let mut registry = registry();
        let entry = registry.entries.get_mut(&handle.address()).ok_or(Code(T::INVALID))?;
        entry.count = entry.count.checked_sub(1).ok_or(Code(T::INVALID))?;
        match entry.count {
            0 => entry.owned.take(),
            _ => None,
        }
    };
    drop((owned, object));
    Ok(())
}

/// Number of the application's references, for the `REFERENCE_COUNT` queries.
pub fn count(object: &impl Object) -> u32 {
    let registry = registry();
    registry
        .entries
        .get(&object.handle().key())
        .map_or(0, |entry| entry.count)
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code)]

    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[derive(Debug)]
    struct Thing {
        handle: Handle,
        needs: Option<Arc<Thing>>,
        ended: Arc<AtomicBool>,
    }

    impl Object for Thing {
        const INVALID: cl_int = -1000;

        fn handle(&self) -> &Handle {
            &self.handle
        }
    }

    impl Drop for Thing {
        fn drop(&mut self) {
            self.ended.store(true, Ordering::SeqCst);
        }
    }

    #[derive(Debug)]
    struct Other(Handle);

    impl Object for Other {
        const INVALID: cl_int = -1001;

        fn handle(&self) -> &Handle {
            &self.0
        }
    }

    fn thing(needs: Option<Arc<Thing>>) -> (Pointer<c_void>, Arc<AtomicBool>) {
        let ended = Arc::new(AtomicBool::new(false));
        let thing = publish(|handle| Thing {
            handle,
            needs,
            ended: ended.clone(),
        });
        (pointer(&thing.handle), ended)
    }

    fn pointer(handle: &Handle) -> Pointer<c_void> {
        // SAFETY: the pointer is never dereferenced.
        unsafe { Pointer::new(handle.raw()) }
    }

    #[test]
    fn references_are_counted() {
        let (handle, ended) = thing(None);
        retain::<Thing>(handle).expect("retained");
        assert_eq!(count(&*find::<Thing>(handle).expect("found")), 2);
        release::<Thing>(handle).expect("released");
        assert!(!ended.load(Ordering::SeqCst));
        release::<Thing>(handle).expect("released");
        assert!(ended.load(Ordering::SeqCst));
        assert_eq!(release::<Thing>(handle), Err(Code(-1000)));
        assert_eq!(find::<Thing>(handle).map(drop), Err(Code(-1000)));
    }

    #[test]
    fn wrong_kinds_and_foreign_addresses_are_refused() {
        let (handle, _) = thing(None);
        assert_eq!(find::<Other>(handle).map(drop), Err(Code(-1001)));
        assert_eq!(find::<Other>(Pointer::null()).map(drop), Err(Code(-1001)));
        release::<Thing>(handle).expect("released");
    }

    #[test]
    fn object_needed_by_another_can_be_retained_again() {
        let (inner, inner_ended) = thing(None);
        let (outer, _) = thing(Some(find::<Thing>(inner).expect("found")));
        release::<Thing>(inner).expect("released");
        assert!(!inner_ended.load(Ordering::SeqCst));
        assert_eq!(
            release::<Thing>(inner),
            Err(Code(-1000)),
            "no reference is left to release"
        );
        assert!(find::<Thing>(outer).expect("found").needs.is_some());
        retain::<Thing>(inner).expect("it lives");
        release::<Thing>(outer).expect("released");
        assert!(!inner_ended.load(Ordering::SeqCst));
        release::<Thing>(inner).expect("released");
        assert!(inner_ended.load(Ordering::SeqCst));
    }

    #[test]
    fn stale_handles_stay_stale() {
        let (stale, _) = thing(None);
        release::<Thing>(stale).expect("released");
        for _ in 0..1000 {
            let (handle, _) = thing(None);
            assert_ne!(handle.address(), stale.address());
            release::<Thing>(handle).expect("released");
        }
        assert_eq!(retain::<Thing>(stale), Err(Code(-1000)));
    }
}
