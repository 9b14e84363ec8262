//! Values as words.

use crate::design::{field, words_of};
use hdlkit::kernel::shape::Shape;
use num_bigint::BigUint;
use rust_hdl_core::prelude::VCDValue;

/// The words of `width` bits of a value, starting at bit `low`.
pub(super) fn words(value: &BigUint, low: u32, width: u32) -> Vec<u64> {
    let value = field(value, low, width);
    let words = [value as u64, (value >> 64) as u64];
    words[..words_of(width) as usize].into()
}

/// The words of a memory's element, field by field.
pub(super) fn element(shape: &Shape, value: &VCDValue) -> Vec<u64> {
    let flat = shape.flatten(value);
    let leaves = shape.leaves().into_iter();
    leaves
        .flat_map(|(_, low, leaf)| words(&flat, low as u32, leaf.width() as u32))
        .collect()
}
