//! Pointers into the application's memory.
//!
//! All of the driver's accesses to memory that is not its own go through [`Pointer`]. Only the application knows that
//! such a pointer is valid, and OpenCL makes it promise that; the driver checks null, and sizes against the objects'
//! sizes. So the promise is taken once, where a call enters ([`Pointer::new`]).
#![allow(unsafe_code)]

use std::ffi::{c_char, c_void, CStr};

/// A pointer that came from the application: to a value, an array, or plain bytes.
///
/// Its target is read and written by copies, never borrowed, so that the driver never aliases the application's
/// accesses.
#[derive(Debug)]
pub struct Pointer<T>(*mut T);

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

// SAFETY: only an address. A command may use it on the queue's thread, because OpenCL makes the application keep the
// memory until the command has ended.
unsafe impl<T> Send for Pointer<T> {}
// SAFETY: as above; a shared `Pointer` permits nothing that an owned one does not.
unsafe impl<T> Sync for Pointer<T> {}

impl<T> Pointer<T> {
    /// Takes a pointer from a call.
    ///
    /// # Safety
    /// It is null, or valid for the reads and writes of the called OpenCL function, for as long as OpenCL requires.
    pub unsafe fn new(pointer: *mut T) -> Self {
        Pointer(pointer)
    }

    /// The null pointer.
    pub fn null() -> Self {
        Pointer(std::ptr::null_mut())
    }

    /// True for null.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The address. Handles are identified by it; they are never dereferenced.
    pub fn address(self) -> usize {
        self.0 as usize
    }

    /// The same address with another type.
    pub fn cast<U>(self) -> Pointer<U> {
        Pointer(self.0.cast())
    }

    /// The pointer for C.
    pub fn raw(self) -> *mut T {
        self.0
    }
}

impl<T: Copy> Pointer<T> {
    /// Reads `count` values of any alignment; `None` if it is null and `count` is not 0.
    pub fn read_all(self, count: usize) -> Option<Vec<T>> {
        match (self.is_null(), count) {
            (_, 0) => Some(Vec::new()),
            (true, _) => None,
            // SAFETY: not null, so valid by the promise of `new`; unaligned reads need no more.
            (false, _) => Some(
                (0..count)
                    .map(|at| unsafe { self.0.add(at).read_unaligned() })
                    .collect(),
            ),
        }
    }

    /// Reads one value; `None` if it is null.
    pub fn read(self) -> Option<T> {
        Some(*self.read_all(1)?.first()?)
    }

    /// Writes a value, unless it is null: most results are optional.
    pub fn write(self, value: T) {
        self.write_all(&[value]);
    }

    /// Writes values, unless it is null.
    pub fn write_all(self, values: &[T]) {
        if !self.is_null() {
            for (at, value) in values.iter().enumerate() {
                // SAFETY: as in `read_all`, for writing.
                unsafe { self.0.add(at).write_unaligned(*value) };
            }
        }
    }
}

impl<T> Pointer<*const T> {
    /// As [`Pointer::read_all`], for pointers, which are valid by the same promise.
    pub fn pointers(self, count: usize) -> Option<Vec<Pointer<T>>> {
        let pointers = self.read_all(count)?.into_iter();
        Some(pointers.map(|pointer| Pointer(pointer.cast_mut())).collect())
    }
}

impl Pointer<c_void> {
    /// The address `bytes` further.
    pub fn offset(self, bytes: usize) -> Self {
        Pointer(self.0.cast::<u8>().wrapping_add(bytes).cast())
    }

    /// Copies bytes from the address, which must not be null.
    pub fn copy_to(self, to: &mut [u8]) {
        // SAFETY: valid for that many bytes by the promise of `new`. `copy` permits an overlap.
        unsafe { std::ptr::copy(self.0.cast::<u8>(), to.as_mut_ptr(), to.len()) };
    }

    /// Copies bytes to the address, which must not be null.
    pub fn copy_from(self, from: &[u8]) {
        // SAFETY: as `copy_to`.
        unsafe { std::ptr::copy(from.as_ptr(), self.0.cast::<u8>(), from.len()) };
    }
}

impl Pointer<c_char> {
    /// The bytes of a string before its final zero; `None` if it is null.
    pub fn string(self) -> Option<Vec<u8>> {
        if self.is_null() {
            return None;
        }
        // SAFETY: a string of C by the promise of `new`.
        Some(unsafe { CStr::from_ptr(self.0) }.to_bytes().to_vec())
    }
}

/// Memory for the application, at a fixed address that is a multiple of 128 bytes, the size of the largest type.
#[derive(Debug)]
pub struct HostMemory {
    at: Pointer<c_void>,
    /// Owned only to be freed; all accesses are through `at`, because the application writes there.
    _rows: Vec<Row>,
}

#[derive(Clone, Debug)]
#[repr(C, align(128))]
struct Row([u8; 128]);

impl HostMemory {
    /// Memory of this many bytes, all 0.
    pub fn new(bytes: usize) -> Self {
        let mut rows = vec![Row([0; 128]); bytes.div_ceil(128).max(1)];
        HostMemory {
            at: Pointer(rows.as_mut_ptr().cast()),
            _rows: rows,
        }
    }

    /// The address of the first byte.
    pub fn pointer(&self) -> Pointer<c_void> {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_arrays() {
        let mut values = [1u32, 2, 3];
        // SAFETY: an array of three.
        let pointer = unsafe { Pointer::new(values.as_mut_ptr()) };
        assert_eq!(pointer.read(), Some(1));
        assert_eq!(pointer.read_all(3), Some(vec![1, 2, 3]));
        pointer.write_all(&[7, 8]);
        assert_eq!(values, [7, 8, 3]);
    }

    #[test]
    fn null_is_seen() {
        let null = Pointer::<u32>::null();
        assert_eq!((null.read(), null.read_all(0)), (None, Some(vec![])));
        null.write(5);
        assert_eq!(Pointer::<c_char>::null().string(), None);
    }

    #[test]
    fn host_memory_is_aligned() {
        let memory = HostMemory::new(300);
        assert_eq!(memory.pointer().address() % 128, 0);
        memory.pointer().offset(296).copy_from(&[1, 2, 3, 4]);
        let mut back = [0; 4];
        memory.pointer().offset(296).copy_to(&mut back);
        assert_eq!(back, [1, 2, 3, 4]);
    }
}
