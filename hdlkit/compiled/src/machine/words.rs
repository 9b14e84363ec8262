//! Values as words.

use crate::design::{field, words_of, Memory};
use num_bigint::BigUint;
use rust_hdl_core::prelude::VCDValue;

/// The words of `width` bits of a value, starting at bit `low`.
pub(super) fn words(value: &BigUint, low: u32, width: u32) -> Vec<u64> {
    let value = field(value, low, width);
    let words = [value as u64, (value >> 64) as u64];
    words[..words_of(width) as usize].into()
}

/// The words of a memory's element.
pub(super) fn element(memory: &Memory, value: &VCDValue) -> Vec<u64> {
    let flat = memory.shape.flatten(value);
    let values = memory.values.iter();
    values.flat_map(|(low, width)| words(&flat, *low, *width)).collect()
}
