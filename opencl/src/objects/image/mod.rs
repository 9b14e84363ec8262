//! Images: buffers of texels, with a descriptor that kernels read. There are no texture units: OpenCL's image functions
//! are compiled into the kernel.
//!
//! The texels follow the descriptor, in rows without padding. An image in a buffer has its texels in the buffer.

pub mod descriptor;
pub mod format;
pub mod sampler;

use crate::error::{ensure, Code, Result};
use crate::objects::storage::Storage;
use descriptor::Extent;
use flexgrip_compiler::ir::declaration::ImageShape;
use format::Format;
use opencl_sys::*;
use std::ops::Range;
use std::sync::Arc;

/// An image's shape, texels, and pitches in the application's memory.
#[derive(Clone, Debug)]
pub struct Image {
    /// Dimensions, and whether the image is an array or in a buffer.
    pub shape: ImageShape,
    /// The format of a texel.
    pub format: Format,
    /// Sizes in texels and bytes.
    pub extent: Extent,
    /// Row pitch, and pitch of slices or layers, in bytes of the application's memory: the given ones, or computed from
    /// the size.
    pub pitch: (usize, usize),
    /// The storage that begins with the descriptor.
    pub descriptor: Arc<Storage>,
}

/// OpenCL's type of a shape, such as `CL_MEM_OBJECT_IMAGE2D`.
pub(super) fn type_of(shape: ImageShape) -> cl_mem_object_type {
    match shape {
        ImageShape::D1 => CL_MEM_OBJECT_IMAGE1D,
        ImageShape::Buffer => CL_MEM_OBJECT_IMAGE1D_BUFFER,
        ImageShape::D1Array => CL_MEM_OBJECT_IMAGE1D_ARRAY,
        ImageShape::D2 => CL_MEM_OBJECT_IMAGE2D,
        ImageShape::D2Array => CL_MEM_OBJECT_IMAGE2D_ARRAY,
        ImageShape::D3 => CL_MEM_OBJECT_IMAGE3D,
    }
}

pub(super) fn is_array(shape: ImageShape) -> bool {
    matches!(shape, ImageShape::D1Array | ImageShape::D2Array)
}

/// True if the image has slices or layers, and so a slice pitch.
pub(super) fn has_slices(shape: ImageShape) -> bool {
    is_array(shape) || shape == ImageShape::D3
}

impl Image {
    /// OpenCL's type of the image, such as `CL_MEM_OBJECT_IMAGE2D`.
    pub fn kind(&self) -> cl_mem_object_type {
        type_of(self.shape)
    }

    /// True if the image has slices or layers.
    pub fn has_slices(&self) -> bool {
        has_slices(self.shape)
    }

    /// Strides of a command's second and third coordinate in bytes. In an array of 1D images, the second coordinate is
    /// the layer.
    fn strides(&self, (row, slice): (usize, usize)) -> [usize; 2] {
        match self.shape {
            ImageShape::D1Array => [slice, slice],
            _ => [row, slice],
        }
    }

    /// Byte ranges of a region's rows, relative to the first texel of the image.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the region is empty or not inside the image.
    pub fn rows(&self, origin: [usize; 3], region: [usize; 3]) -> Result<Vec<Range<usize>>> {
        let sizes = by_commands(self.shape, self.extent.texels);
        let strides = self.strides((self.extent.row, self.extent.slice));
        for ((start, count), size) in origin.into_iter().zip(region).zip(sizes) {
            let end = start.checked_add(count).ok_or(Code(CL_INVALID_VALUE))?;
            ensure(count > 0 && end <= size, CL_INVALID_VALUE)?;
        }
        let bytes = self.format.bytes();
        let start = bytes * origin[0] + strides[0] * origin[1] + strides[1] * origin[2];
        Ok(rows([bytes * region[0], region[1], region[2]], strides)
            .into_iter()
            .map(|row| row.start + start..row.end + start)
            .collect())
    }

    /// Byte ranges of a region's rows in the application's memory. A pitch of 0 stands for rows or slices without
    /// padding.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for pitches smaller than the region, a slice pitch of an image without slices, or an end
    /// beyond the address space.
    pub fn host_rows(&self, region: [usize; 3], (row, slice): (usize, usize)) -> Result<Vec<Range<usize>>> {
        ensure(slice == 0 || self.has_slices(), CL_INVALID_VALUE)?;
        let pitch = pitches(self.shape, self.format, region, (row, slice)).ok_or(Code(CL_INVALID_VALUE))?;
        let strides = self.strides(pitch);
        let end = strides[0].checked_mul(region[1]);
        let end = end.and_then(|end| end.checked_add(strides[1].checked_mul(region[2])?));
        ensure(end.is_some_and(|end| end <= isize::MAX as usize), CL_INVALID_VALUE)?;
        Ok(self.strided(region, pitch))
    }

    /// Byte ranges of the rows of a region inside the image, in memory with these pitches.
    pub fn strided(&self, region: [usize; 3], pitch: (usize, usize)) -> Vec<Range<usize>> {
        rows(
            [self.format.bytes() * region[0], region[1], region[2]],
            self.strides(pitch),
        )
    }

    /// Pitches in bytes of a region inside the image, in memory without padding.
    pub fn tight(&self, region: [usize; 3]) -> (usize, usize) {
        let row = self.format.bytes() * region[0];
        match self.shape {
            ImageShape::D1Array => (row, row),
            _ => (row, row * region[1]),
        }
    }

    /// Offset in bytes of a region in the application's memory for `CL_MEM_USE_HOST_PTR`.
    pub fn host_offset(&self, origin: [usize; 3]) -> usize {
        let strides = self.strides(self.pitch);
        self.format.bytes() * origin[0] + strides[0] * origin[1] + strides[1] * origin[2]
    }
}

/// Row and slice pitch of a region in the application's memory in bytes. A pitch of 0 is replaced by the smallest valid
/// one. `None` if another pitch is smaller than that.
pub(super) fn pitches(
    shape: ImageShape,
    format: Format,
    region: [usize; 3],
    (row, slice): (usize, usize),
) -> Option<(usize, usize)> {
    let least = format.bytes().checked_mul(region[0])?;
    let row = if row == 0 { least } else { row };
    let rows = if shape == ImageShape::D1Array { 1 } else { region[1] };
    let smallest = row.checked_mul(rows)?;
    let slice = if slice == 0 { smallest } else { slice };
    (row >= least && slice >= smallest).then_some((row, slice))
}

/// Byte ranges of the rows of `[bytes, rows, slices]`, with row and slice pitch in bytes.
fn rows([bytes, rows, slices]: [usize; 3], [row, slice]: [usize; 2]) -> Vec<Range<usize>> {
    let starts = (0..slices).flat_map(|z| (0..rows).map(move |y| z * slice + y * row));
    starts.map(|start| start..start + bytes).collect()
}

/// Orders sizes like the coordinates of a command.
pub(super) fn by_commands(shape: ImageShape, [width, height, depth]: [usize; 3]) -> [usize; 3] {
    match shape {
        ImageShape::D1Array => [width, depth, 1],
        _ => [width, height, depth],
    }
}
