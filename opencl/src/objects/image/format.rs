//! Image formats: the channels of a texel, and the conversion of a fill's colour.

use crate::error::{ensure, Code, Result};
use opencl_sys::*;

/// An image format that the device supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    order: cl_uint,
    kind: cl_uint,
}

const NORMALISED: [cl_uint; 4] = [CL_SNORM_INT8, CL_SNORM_INT16, CL_UNORM_INT8, CL_UNORM_INT16];
const FLOATS: [cl_uint; 2] = [CL_HALF_FLOAT, CL_FLOAT];
const INTEGERS: [cl_uint; 6] = [
    CL_SIGNED_INT8,
    CL_SIGNED_INT16,
    CL_SIGNED_INT32,
    CL_UNSIGNED_INT8,
    CL_UNSIGNED_INT16,
    CL_UNSIGNED_INT32,
];
/// Types that pack several channels into 16 or 32 bits. Formats with them are not supported.
const PACKED: [cl_uint; 3] = [CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010];
const BYTES: [cl_uint; 4] = [CL_SNORM_INT8, CL_UNORM_INT8, CL_SIGNED_INT8, CL_UNSIGNED_INT8];
/// The supported orders.
const ORDERS: [cl_uint; 9] = [
    CL_RGBA,
    CL_BGRA,
    CL_ARGB,
    CL_R,
    CL_A,
    CL_RG,
    CL_RA,
    CL_INTENSITY,
    CL_LUMINANCE,
];

fn all_kinds() -> impl Iterator<Item = cl_uint> {
    NORMALISED.into_iter().chain(INTEGERS).chain(FLOATS)
}

/// True if OpenCL permits this order with this type.
fn is_valid(order: cl_uint, kind: cl_uint) -> bool {
    let any = || all_kinds().any(|known| known == kind);
    match order {
        CL_BGRA | CL_ARGB => BYTES.contains(&kind),
        CL_INTENSITY | CL_LUMINANCE => NORMALISED.contains(&kind) || FLOATS.contains(&kind),
        CL_R | CL_A | CL_RG | CL_RA | CL_RGBA => any(),
        _ if [CL_RGB, CL_RGBx].contains(&order) => PACKED.contains(&kind),
        _ => [CL_Rx, CL_RGx].contains(&order) && any(),
    }
}

/// The supported formats, the same for each type of image, for reading and writing. The formats that OpenCL requires
/// come first.
pub fn supported() -> impl Iterator<Item = Format> {
    let of = |order| all_kinds().map(move |kind| Format { order, kind });
    ORDERS
        .into_iter()
        .flat_map(of)
        .filter(|format| is_valid(format.order, format.kind))
}

impl Format {
    /// Checks the format that an application requests.
    ///
    /// # Errors
    /// `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR` for a null pointer or a format that OpenCL does not have;
    /// `CL_IMAGE_FORMAT_NOT_SUPPORTED`.
    pub fn new(format: Option<cl_image_format>) -> Result<Self> {
        let format = format.ok_or(Code(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR))?;
        let (order, kind) = (format.image_channel_order, format.image_channel_data_type);
        ensure(is_valid(order, kind), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)?;
        ensure(ORDERS.contains(&order), CL_IMAGE_FORMAT_NOT_SUPPORTED)?;
        Ok(Format { order, kind })
    }

    /// The format as a C struct.
    pub fn raw(self) -> cl_image_format {
        cl_image_format {
            image_channel_order: self.order,
            image_channel_data_type: self.kind,
        }
    }

    /// Order of the channels, such as `CL_RGBA`.
    pub fn order(self) -> cl_uint {
        self.order
    }

    /// Data type of the channels, such as `CL_FLOAT`.
    pub fn kind(self) -> cl_uint {
        self.kind
    }

    /// Number of channels of a texel.
    pub fn channels(self) -> usize {
        match self.order {
            CL_RGBA | CL_BGRA | CL_ARGB => 4,
            CL_RG | CL_RA => 2,
            _ => 1,
        }
    }

    /// Bits of a channel: 8, 16 or 32.
    pub fn bits(self) -> u32 {
        match self.kind {
            kind if BYTES.contains(&kind) => 8,
            CL_SIGNED_INT32 | CL_UNSIGNED_INT32 | CL_FLOAT => 32,
            _ => 16,
        }
    }

    /// Bytes of a texel: 1, 2, 4, 8 or 16.
    pub fn bytes(self) -> usize {
        self.channels() * self.bits() as usize / 8
    }

    /// True for channels with signed integers, normalised or not.
    pub fn is_signed(self) -> bool {
        matches!(
            self.kind,
            CL_SNORM_INT8 | CL_SNORM_INT16 | CL_SIGNED_INT8 | CL_SIGNED_INT16 | CL_SIGNED_INT32
        )
    }

    /// The integer that represents 1 in a normalised channel; `None` for other channels.
    pub fn one(self) -> Option<f32> {
        match self.kind {
            CL_UNORM_INT8 => Some(255.0),
            CL_SNORM_INT8 => Some(127.0),
            CL_UNORM_INT16 => Some(65535.0),
            CL_SNORM_INT16 => Some(32767.0),
            _ => None,
        }
    }

    /// The smallest and the largest integer in a channel.
    pub fn range(self) -> (i64, i64) {
        let bits = self.bits();
        match self.is_signed() {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        }
    }

    /// The components of a colour in the order of the texel's channels.
    fn ordered<T: Copy>(self, [r, g, b, a]: [T; 4]) -> [T; 4] {
        match self.order {
            CL_BGRA => [b, g, r, a],
            CL_ARGB => [a, r, g, b],
            CL_A => [a; 4],
            CL_RA => [r, a, a, a],
            _ => [r, g, b, a],
        }
    }

    /// The bytes of a texel with this colour: four words with floats, `int` or `uint`, depending on the type of the
    /// channels.
    pub fn texel(self, colour: [u32; 4]) -> Vec<u8> {
        let (least, most) = self.range();
        let channel = |word: u32| -> u32 {
            let x = f32::from_bits(word);
            match (self.kind, self.one()) {
                (CL_FLOAT, _) => word,
                (CL_HALF_FLOAT, _) => u32::from(half(x)),
                (_, Some(one)) => ((x * one).round_ties_even() as i64).clamp(least, most) as u32,
                _ if self.is_signed() => i64::from(word as i32).clamp(least, most) as u32,
                _ => i64::from(word).min(most) as u32,
            }
        };
        let channels = self.ordered(colour.map(channel));
        let bytes = self.bits() as usize / 8;
        let channels = channels.iter().take(self.channels());
        channels.flat_map(|word| word.to_le_bytes()[..bytes].to_vec()).collect()
    }
}

/// Converts a float to the nearest half, ties to even.
fn half(x: f32) -> u16 {
    let sign = (x.to_bits() >> 16 & 0x8000) as u16;
    let size = x.abs();
    if size.is_nan() {
        return sign | 0x7e00;
    }
    // Numbers of at least 65520 are rounded to infinity.
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    // The unit in the last place: 2^-24 for numbers below 2^-14, otherwise 2^-10 of the leading bit.
    let exponent = (size.to_bits() >> 23).max(113);
    let units = (size / f32::from_bits((exponent - 10) << 23)).round_ties_even() as u32;
    // If a significand is rounded up to the next power of two, it carries into the exponent.
    sign | (((exponent - 113) << 10) + units) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(order: cl_uint, kind: cl_uint) -> Result<Format> {
        Format::new(Some(cl_image_format {
            image_channel_order: order,
            image_channel_data_type: kind,
        }))
    }

    #[test]
    fn the_minimum_is_supported() {
        let rgba = [
            CL_UNORM_INT8,
            CL_UNORM_INT16,
            CL_SIGNED_INT8,
            CL_SIGNED_INT16,
            CL_SIGNED_INT32,
            CL_UNSIGNED_INT8,
            CL_UNSIGNED_INT16,
            CL_UNSIGNED_INT32,
            CL_HALF_FLOAT,
            CL_FLOAT,
        ];
        let all: Vec<Format> = supported().collect();
        assert!(rgba
            .iter()
            .all(|&kind| all.contains(&format(CL_RGBA, kind).expect("a format"))));
        assert!(all.contains(&format(CL_BGRA, CL_UNORM_INT8).expect("a format")));
        assert_eq!(all.len(), 5 * 12 + 2 * 4 + 2 * 6);
    }

    #[test]
    fn others_are_refused() {
        let invalid = Err(Code(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR));
        assert_eq!(Format::new(None), invalid);
        for (order, kind) in [
            (CL_BGRA, CL_FLOAT),
            (CL_LUMINANCE, CL_SIGNED_INT8),
            (CL_RGB, CL_FLOAT),
            (CL_RGBA, CL_UNORM_SHORT_565),
            (0, CL_FLOAT),
            (CL_RGBA, 0),
        ] {
            assert_eq!(format(order, kind), invalid);
        }
        for (order, kind) in [(CL_RGB, CL_UNORM_SHORT_565), (CL_Rx, CL_FLOAT)] {
            assert_eq!(format(order, kind), Err(Code(CL_IMAGE_FORMAT_NOT_SUPPORTED)));
        }
    }

    #[test]
    fn colours_become_texels() {
        let floats = [1.0f32, 0.5, -1.0, 0.25].map(f32::to_bits);
        let texel = |order, kind| format(order, kind).expect("a format").texel(floats);
        assert_eq!(texel(CL_BGRA, CL_UNORM_INT8), [0, 128, 255, 64]);
        assert_eq!(texel(CL_ARGB, CL_SNORM_INT8), [32, 127, 64, 129]);
        assert_eq!(texel(CL_RA, CL_HALF_FLOAT), [0x00, 0x3c, 0x00, 0x34]);
        let ints = [300u32, (-300i32) as u32, 5, u32::MAX];
        let texel = |order, kind| format(order, kind).expect("a format").texel(ints);
        assert_eq!(texel(CL_RGBA, CL_SIGNED_INT8), [127, 128, 5, 255]);
        assert_eq!(texel(CL_RGBA, CL_UNSIGNED_INT8), [255, 255, 5, 255]);
        assert_eq!(texel(CL_A, CL_UNSIGNED_INT32), [255; 4]);
    }

    #[test]
    fn floats_become_halves() {
        for (x, wanted) in [
            (0.0, 0x0000),
            (-2.0, 0xc000),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (2.0f32.powi(-24), 0x0001),
            (2.0f32.powi(-25), 0x0000),
            (1.5 * 2.0f32.powi(-24), 0x0002),
            (2.0f32.powi(-14), 0x0400),
            (1.0 + 2.0f32.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2.0f32.powi(-11), 0x3c02),
            (f32::NEG_INFINITY, 0xfc00),
        ] {
            assert_eq!(half(x), wanted, "{x}");
        }
    }
}
