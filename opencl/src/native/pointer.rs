//! Pointers into the application's memory.
//!
//! The driver accesses memory that it does not own only through [`Pointer`]. It checks for null, and compares sizes
//! with the sizes of its objects, but cannot check that a pointer is valid: OpenCL requires this of the application.
//! The requirement is stated once, where a call enters the driver ([`Pointer::new`]).
#![allow(unsafe_code)]

use std::ffi::{c_char, c_void, CStr};

/// A pointer from the application, to a value, an array, or bytes.
///
/// The target is read and written by copies, never borrowed, because the application may access it at the same time.
#[derive(Debug)]
pub struct Pointer<T>(*mut T);

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

// SAFETY: it is only an address. A command may use it on the queue's thread, because OpenCL requires the application to
// keep the memory until the command has ended.
unsafe impl<T> Send for Pointer<T> {}
// SAFETY: the reasons of `Send` also apply here; a shared `Pointer` permits nothing more than an owned one.
unsafe impl<T> Sync for Pointer<T> {}

impl<T> Pointer<T> {
    /// Wraps a pointer that was passed to a call.
    ///
    /// # Safety
    /// The pointer is null, or valid for the reads and writes of the called OpenCL function, for as long as OpenCL
    /// requires.
    pub unsafe fn new(pointer: *mut T) -> Self {
        Pointer(pointer)
    }

    /// The null pointer.
    pub fn null() -> Self {
        Pointer(std::ptr::null_mut())
    }

    /// True for the null pointer.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The address. It identifies handles, which are never dereferenced.
    pub fn address(self) -> usize {
        self.0 as usize
    }

    /// The same address with another type.
    pub fn cast<U>(self) -> Pointer<U> {
        Pointer(self.0.cast())
    }

    /// The pointer for a call into C.
    pub fn raw(self) -> *mut T {
        self.0
    }
}

impl<T: Copy> Pointer<T> {
    /// Reads `count` values of any alignment; `None` if the pointer is null and `count` is not 0.
    pub fn read_all(self, count: usize) -> Option<Vec<T>> {
        match (self.is_null(), count) {
            (_, 0) => Some(Vec::new()),
            (true, _) => None,
            // SAFETY: the pointer is not null, so it is valid by the requirement of `new`. Reads may be unaligned.
            (false, _) => Some(
                (0..count)
                    .map(|at| unsafe { self.0.add(at).read_unaligned() })
                    .collect(),
            ),
        }
    }

    /// Reads one value; `None` if the pointer is null.
    pub fn read(self) -> Option<T> {
        Some(*self.read_all(1)?.first()?)
    }

    /// Writes a value, unless the pointer is null: most results are optional.
    pub fn write(self, value: T) {
        self.write_all(&[value]);
    }

    /// Writes values, unless the pointer is null.
    pub fn write_all(self, values: &[T]) {
        if !self.is_null() {
            for (at, value) in values.iter().enumerate() {
                // SAFETY: the pointer is not null, so it is valid by the requirement of `new`. Writes may be unaligned.
                unsafe { self.0.add(at).write_unaligned(*value) };
            }
        }
    }
}

impl<T> Pointer<*const T> {
    /// Reads `count` pointers like [`Pointer::read_all`]. The requirement of [`Pointer::new`] includes them.
    pub fn pointers(self, count: usize) -> Option<Vec<Pointer<T>>> {
        let pointers = self.read_all(count)?.into_iter();
        Some(pointers.map(|pointer| Pointer(pointer.cast_mut())).collect())
    }
}

impl Pointer<c_void> {
    /// The address, plus a number of bytes.
    pub fn offset(self, bytes: usize) -> Self {
        Pointer(self.0.cast::<u8>().wrapping_add(bytes).cast())
    }

    /// Copies bytes from the address, which must not be null.
    pub fn copy_to(self, to: &mut [u8]) {
        // SAFETY: the pointer is valid for that many bytes by the requirement of `new`. `copy` permits an overlap.
        unsafe { std::ptr::copy(self.0.cast::<u8>(), to.as_mut_ptr(), to.len()) };
    }

    /// Copies bytes to the address, which must not be null.
    pub fn copy_from(self, from: &[u8]) {
        // SAFETY: the pointer is valid for that many bytes by the requirement of `new`. `copy` permits an overlap.
        unsafe { std::ptr::copy(from.as_ptr(), self.0.cast::<u8>(), from.len()) };
    }
}

impl Pointer<c_char> {
    /// The bytes of a string before its terminating zero; `None` if the pointer is null.
    pub fn string(self) -> Option<Vec<u8>> {
        if self.is_null() {
            return None;
        }
        // SAFETY: the pointer is to a C string by the requirement of `new`.
        Some(unsafe { CStr::from_ptr(self.0) }.to_bytes().to_vec())
    }
}

/// Memory for the application. Its address is fixed, and a multiple of 128 bytes, the size of the largest type.
#[derive(Debug)]
pub struct HostMemory {
    at: Pointer<c_void>,
    /// Kept only for freeing the memory. All accesses use `at`, because the application also writes there.
    _rows: Vec<Row>,
}

#[derive(Clone, Debug)]
#[repr(C, align(128))]
struct Row([u8; 128]);

impl HostMemory {
    /// Allocates this many bytes, all 0.
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
    fn values_and_arrays_are_read_and_written() {
        let mut values = [1u32, 2, 3];
        // SAFETY: the pointer is to an array of three values.
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
