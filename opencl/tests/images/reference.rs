//! A second implementation of sections 8.2 and 8.3 of OpenCL 1.2: addressing, filters, conversions. Indices are
//! computed in `f32` exactly as in the formulas, colours in `f64`.

use opencl_sys::*;

/// Size of a channel in bytes.
pub fn channel_bytes(kind: cl_uint) -> usize {
    match kind {
        CL_SNORM_INT8 | CL_UNORM_INT8 | CL_SIGNED_INT8 | CL_UNSIGNED_INT8 => 1,
        CL_SNORM_INT16 | CL_UNORM_INT16 | CL_SIGNED_INT16 | CL_UNSIGNED_INT16 | CL_HALF_FLOAT => 2,
        CL_SIGNED_INT32 | CL_UNSIGNED_INT32 | CL_FLOAT => 4,
        _ => panic!("no type {kind:#x}"),
    }
}

/// Components for the channels of an order: 0 to 3 for red, green, blue and alpha.
pub fn components(order: cl_uint) -> &'static [usize] {
    match order {
        CL_R | CL_INTENSITY | CL_LUMINANCE => &[0],
        CL_A => &[3],
        CL_RG => &[0, 1],
        CL_RA => &[0, 3],
        CL_RGBA => &[0, 1, 2, 3],
        CL_BGRA => &[2, 1, 0, 3],
        CL_ARGB => &[3, 0, 1, 2],
        _ => panic!("no order {order:#x}"),
    }
}

fn half_value(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 {
        -size
    } else {
        size
    }
}

/// Returns the half nearest to a number, by a search.
fn nearest_half(x: f64) -> u16 {
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let size = x.abs();
    // The value after the largest half stands for infinity.
    let value = |bits: u16| if bits == 0x7c00 { 65536.0 } else { half_value(bits) };
    let above = (0..=0x7c00u16)
        .collect::<Vec<_>>()
        .partition_point(|&bits| value(bits) < size) as u16;
    if above == 0 || above > 0x7c00 {
        return sign | above.min(0x7c00);
    }
    let (low, high) = (size - value(above - 1), value(above) - size);
    let up = low > high || (low == high && above % 2 == 0);
    sign | if up { above } else { above - 1 }
}

/// The value of a channel.
fn channel(kind: cl_uint, bytes: &[u8]) -> f64 {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    let word = u32::from_le_bytes(word);
    match kind {
        CL_SNORM_INT8 => (f64::from(word as i8) / 127.0).max(-1.0),
        CL_SNORM_INT16 => (f64::from(word as i16) / 32767.0).max(-1.0),
        CL_UNORM_INT8 => f64::from(word) / 255.0,
        CL_UNORM_INT16 => f64::from(word) / 65535.0,
        CL_SIGNED_INT8 => f64::from(word as i8),
        CL_SIGNED_INT16 => f64::from(word as i16),
        CL_SIGNED_INT32 => f64::from(word as i32),
        CL_HALF_FLOAT => half_value(word as u16),
        CL_FLOAT => f64::from(f32::from_bits(word)),
        _ => f64::from(word),
    }
}

/// Converts a texel to a colour.
pub fn colour((order, kind): (cl_uint, cl_uint), bytes: &[u8]) -> [f64; 4] {
    let channels: Vec<f64> = bytes
        .chunks(channel_bytes(kind))
        .map(|bytes| channel(kind, bytes))
        .collect();
    match order {
        CL_INTENSITY => return [channels[0]; 4],
        CL_LUMINANCE => return [channels[0], channels[0], channels[0], 1.0],
        _ => {}
    }
    let mut colour = [0.0, 0.0, 0.0, if matches!(order, CL_R | CL_RG) { 1.0 } else { 0.0 }];
    for (component, value) in components(order).iter().zip(channels) {
        colour[*component] = value;
    }
    colour
}

/// Converts a colour to a texel: floats for normalised channels, halves and floats, integers for other channels.
pub fn written((order, kind): (cl_uint, cl_uint), colour: [f64; 4]) -> Vec<u8> {
    let normalised = |x: f64, one: f32| f64::from((x as f32 * one).round_ties_even());
    let channel = |x: f64| -> i64 {
        match kind {
            CL_SNORM_INT8 => normalised(x, 127.0).clamp(-128.0, 127.0) as i64,
            CL_SNORM_INT16 => normalised(x, 32767.0).clamp(-32768.0, 32767.0) as i64,
            CL_UNORM_INT8 => normalised(x, 255.0).clamp(0.0, 255.0) as i64,
            CL_UNORM_INT16 => normalised(x, 65535.0).clamp(0.0, 65535.0) as i64,
            CL_SIGNED_INT8 => x.clamp(-128.0, 127.0) as i64,
            CL_SIGNED_INT16 => x.clamp(-32768.0, 32767.0) as i64,
            CL_UNSIGNED_INT8 => x.min(255.0) as i64,
            CL_UNSIGNED_INT16 => x.min(65535.0) as i64,
            CL_HALF_FLOAT => i64::from(nearest_half(x)),
            CL_FLOAT => i64::from((x as f32).to_bits()),
            _ => x as i64,
        }
    };
    let size = channel_bytes(kind);
    let chosen = components(order).iter().map(|&component| colour[component]);
    chosen.flat_map(|x| channel(x).to_le_bytes()[..size].to_vec()).collect()
}

/// Properties of a sampler.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    pub normalised: bool,
    pub addressing: cl_addressing_mode,
    pub linear: bool,
}

/// The texels of an image without padding, its sizes, and the number of sampled dimensions. In an array, the coordinate
/// after these selects the layer.
pub struct Texels<'a> {
    pub format: (cl_uint, cl_uint),
    pub sizes: [usize; 3],
    pub dimensions: usize,
    pub array: bool,
    pub bytes: &'a [u8],
}

/// An index, or `None` for the border colour.
type Index = Option<usize>;

fn clamped(addressing: cl_addressing_mode, index: i64, size: i64) -> Index {
    match addressing {
        CL_ADDRESS_CLAMP if index < 0 || index >= size => None,
        _ => Some(index.clamp(0, size - 1) as usize),
    }
}

impl Sampler {
    fn repeats(&self, addressing: cl_addressing_mode) -> bool {
        self.normalised && self.addressing == addressing
    }

    fn scaled(&self, s: f32, size: usize) -> f32 {
        if self.repeats(CL_ADDRESS_REPEAT) {
            (s - s.floor()) * size as f32
        } else if self.repeats(CL_ADDRESS_MIRRORED_REPEAT) {
            let even = 2.0 * (0.5 * s).round_ties_even();
            (s - even).abs() * size as f32
        } else if self.normalised {
            s * size as f32
        } else {
            s
        }
    }

    fn nearest(&self, s: f32, size: usize) -> Index {
        let (index, size) = (self.scaled(s, size).floor() as i64, size as i64);
        if self.repeats(CL_ADDRESS_REPEAT) {
            Some(if index > size - 1 { index - size } else { index } as usize)
        } else if self.repeats(CL_ADDRESS_MIRRORED_REPEAT) {
            Some(index.min(size - 1) as usize)
        } else {
            clamped(self.addressing, index, size)
        }
    }

    /// Returns the two neighbouring texels with their weights.
    fn neighbours(&self, s: f32, size: usize) -> [(Index, f64); 2] {
        let (u, size) = (self.scaled(s, size) - 0.5, size as i64);
        let weight = f64::from(u - u.floor());
        let (mut first, mut second) = (u.floor() as i64, u.floor() as i64 + 1);
        let indices = if self.repeats(CL_ADDRESS_REPEAT) {
            first = if first < 0 { size + first } else { first };
            second = if second > size - 1 { second - size } else { second };
            [Some(first as usize), Some(second as usize)]
        } else if self.repeats(CL_ADDRESS_MIRRORED_REPEAT) {
            [Some(first.max(0) as usize), Some(second.min(size - 1) as usize)]
        } else {
            [first, second].map(|index| clamped(self.addressing, index, size))
        };
        [(indices[0], 1.0 - weight), (indices[1], weight)]
    }
}

impl Texels<'_> {
    /// Returns the colour at the indices in width, height and depth.
    fn at(&self, [x, y, z]: [Index; 3]) -> [f64; 4] {
        let [width, height, _] = self.sizes;
        let size = channel_bytes(self.format.1) * components(self.format.0).len();
        match (x, y, z) {
            (Some(x), Some(y), Some(z)) => {
                let start = ((z * height + y) * width + x) * size;
                colour(self.format, &self.bytes[start..start + size])
            }
            _ => [
                0.0,
                0.0,
                0.0,
                if matches!(self.format.0, CL_R | CL_RG | CL_LUMINANCE) {
                    1.0
                } else {
                    0.0
                },
            ],
        }
    }

    fn layer(&self, coordinate: f32) -> Index {
        Some((coordinate.round_ties_even() as i64).clamp(0, self.sizes[2] as i64 - 1) as usize)
    }

    /// Returns the neighbours of a coordinate with their weights, for each of the three dimensions.
    fn axes(&self, coordinates: [f32; 4], of: impl Fn(f32, usize) -> Vec<(Index, f64)>) -> [Vec<(Index, f64)>; 3] {
        let one = || vec![(Some(0), 1.0)];
        let mut axes = [one(), one(), one()];
        for (dimension, axis) in axes.iter_mut().enumerate().take(self.dimensions) {
            *axis = of(coordinates[dimension], self.sizes[dimension]);
        }
        if self.array {
            axes[2] = vec![(self.layer(coordinates[self.dimensions]), 1.0)];
        }
        axes
    }

    /// Returns the weighted sum of the texels.
    fn sum(&self, [x, y, z]: [Vec<(Index, f64)>; 3]) -> [f64; 4] {
        let mut sum = [0.0; 4];
        for (k, c) in &z {
            for (j, b) in &y {
                for (i, a) in &x {
                    let colour = self.at([*i, *j, *k]);
                    for (sum, component) in sum.iter_mut().zip(colour) {
                        *sum += a * b * c * component;
                    }
                }
            }
        }
        sum
    }

    /// `read_image` with float coordinates.
    pub fn sample(&self, sampler: &Sampler, coordinates: [f32; 4]) -> [f64; 4] {
        let axes = self.axes(coordinates, |s, size| match sampler.linear {
            true => sampler.neighbours(s, size).to_vec(),
            false => vec![(sampler.nearest(s, size), 1.0)],
        });
        self.sum(axes)
    }

    /// `read_image` with int coordinates.
    pub fn fetch(&self, addressing: cl_addressing_mode, coordinates: [i32; 4]) -> [f64; 4] {
        let axes = self.axes(coordinates.map(|index| index as f32), |index, size| {
            vec![(clamped(addressing, index as i64, size as i64), 1.0)]
        });
        self.sum(axes)
    }
}
