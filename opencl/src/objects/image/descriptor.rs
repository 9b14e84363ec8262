//! The descriptor of an image in the device's memory: 16 words for the compiler's `builtins/images.cl`.

use crate::objects::image::format::Format;

/// Size of a descriptor in bytes. The texels of an image that is not in a buffer follow it.
pub const BYTES: usize = 64;

/// The sizes of an image in the device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Width and height in texels, and depth or number of layers; at least 1.
    pub texels: [usize; 3],
    /// Row pitch in bytes.
    pub row: usize,
    /// Pitch of slices or layers in bytes.
    pub slice: usize,
}

/// The bytes of a descriptor, with 0 for the address of the first texel.
pub fn bytes(format: Format, extent: &Extent) -> [u8; BYTES] {
    let [width, height, depth] = extent.texels.map(|size| size as u32);
    let (least, most) = format.range();
    let sign = match format.is_signed() {
        true => 32 - format.bits(),
        false => 0,
    };
    let words = [
        0,
        width,
        height,
        depth,
        extent.row as u32,
        extent.slice as u32,
        format.order(),
        format.kind(),
        format.bytes().trailing_zeros(),
        format.bits(),
        sign,
        least as u32,
        most as u32,
        format.one().map_or(0, |one| (1.0 / one).to_bits()),
        format.one().map_or(0, f32::to_bits),
        0,
    ];
    let mut bytes = [0; BYTES];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Writes the address of the first texel into a descriptor.
pub fn set_address(descriptor: &mut [u8], address: u32) {
    if let Some(place) = descriptor.first_chunk_mut() {
        *place = address.to_le_bytes();
    }
}
