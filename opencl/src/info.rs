//! Answers to info queries: a value, its size, and the application's memory for it.

use crate::error::{ensure, Result};
use crate::native::pointer::Pointer;
use opencl_sys::CL_INVALID_VALUE;
use std::ffi::c_void;

/// The destination of a query's answer.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    /// Size of the memory at `value` in bytes.
    pub size: usize,
    /// The memory for the value; null if only the size is requested.
    pub value: Pointer<c_void>,
    /// The memory for the size, or null.
    pub size_ret: Pointer<usize>,
}

impl Reply {
    /// Answers with bytes.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if there is not enough space.
    pub fn bytes(self, bytes: &[u8]) -> Result<()> {
        if !self.value.is_null() {
            ensure(self.size >= bytes.len(), CL_INVALID_VALUE)?;
            self.value.copy_from(bytes);
        }
        self.size_ret.write(bytes.len());
        Ok(())
    }

    /// Answers with text and a terminating zero.
    ///
    /// # Errors
    /// The errors of [`Reply::bytes`].
    pub fn text(self, text: impl AsRef<[u8]>) -> Result<()> {
        // A zero inside would truncate the text.
        let mut bytes: Vec<u8> = text.as_ref().iter().copied().filter(|&byte| byte != 0).collect();
        bytes.push(0);
        self.bytes(&bytes)
    }

    /// Answers with 32 bits: `cl_uint`, `cl_bool`, `cl_int`.
    ///
    /// # Errors
    /// The errors of [`Reply::bytes`].
    pub fn word(self, value: u32) -> Result<()> {
        self.bytes(&value.to_ne_bytes())
    }

    /// Answers with 64 bits: `cl_ulong` and bit fields.
    ///
    /// # Errors
    /// The errors of [`Reply::bytes`].
    pub fn long(self, value: u64) -> Result<()> {
        self.bytes(&value.to_ne_bytes())
    }

    /// Answers with a `size_t`.
    ///
    /// # Errors
    /// The errors of [`Reply::bytes`].
    pub fn size(self, value: usize) -> Result<()> {
        self.sizes(&[value])
    }

    /// Answers with an array of `size_t`, or of handles and pointers by their addresses.
    ///
    /// # Errors
    /// The errors of [`Reply::bytes`].
    pub fn sizes(self, values: &[usize]) -> Result<()> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        self.bytes(&bytes)
    }

    /// Answers with a handle; 0 for null.
    ///
    /// # Errors
    /// The errors of [`Reply::bytes`].
    pub fn handle(self, handle: *mut c_void) -> Result<()> {
        self.size(handle as usize)
    }
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code)]

    use super::*;
    use crate::error::Code;

    /// Sends a query with `size` bytes of space.
    fn ask(size: usize, answer: impl FnOnce(Reply) -> Result<()>) -> (Result<()>, Vec<u8>, usize) {
        let (mut value, mut size_ret) = (vec![0xffu8; 16], 0usize);
        // SAFETY: the pointers are to local variables, with at least `size` bytes.
        let reply = unsafe {
            Reply {
                size,
                value: Pointer::new(value.as_mut_ptr().cast()),
                size_ret: Pointer::new(&mut size_ret),
            }
        };
        (answer(reply), value, size_ret)
    }

    #[test]
    fn values_are_returned_with_their_sizes() {
        let (result, value, size) = ask(16, |reply| reply.text("ab\0c"));
        assert_eq!((result, &value[..5], size), (Ok(()), &b"abc\0\xff"[..], 4));
        let (result, value, size) = ask(4, |reply| reply.word(5));
        assert_eq!((result, &value[..4], size), (Ok(()), &5u32.to_ne_bytes()[..], 4));
    }

    #[test]
    fn too_little_space_changes_nothing() {
        let (result, value, _) = ask(7, |reply| reply.long(1));
        assert_eq!(result, Err(Code(CL_INVALID_VALUE)));
        assert!(value.iter().all(|&byte| byte == 0xff));
    }

    #[test]
    fn size_is_returned_alone() {
        let mut size = 0;
        let reply = Reply {
            size: 0,
            value: Pointer::null(),
            // SAFETY: the pointer is to a local variable.
            size_ret: unsafe { Pointer::new(&mut size) },
        };
        reply.sizes(&[1, 2, 3]).expect("its size");
        assert_eq!(size, 24);
    }
}
