//! Arguments and index space of a launch.

/// A kernel argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// A buffer with these initial bytes, for a pointer to `__global` or `__constant` memory.
    Buffer(&'a [u8]),
    /// The bytes of a value, little endian.
    Value(&'a [u8]),
    /// `__local` memory of this many bytes, for a pointer to it.
    Local(usize),
    /// An image that the kernel reads.
    Image(Image<'a>),
    /// A sampler: true if coordinates are normalised, addressing mode such as `CL_ADDRESS_REPEAT`, filter such as
    /// `CL_FILTER_LINEAR`.
    Sampler(bool, u32, u32),
}

/// An image with its texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image<'a> {
    /// Image type, such as `CL_MEM_OBJECT_IMAGE2D`. Images of buffers are not supported.
    pub kind: u32,
    /// Channel order and data type, such as `CL_RGBA` and `CL_FLOAT`.
    pub format: (u32, u32),
    /// Width, height, and depth or number of layers, in texels; 1 for dimensions that the image does not have.
    pub sizes: [usize; 3],
    /// The texels, without padding.
    pub bytes: &'a [u8],
}

/// The index space of a launch, with one to three dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSpace<'a> {
    /// Global offset in each dimension.
    pub offset: &'a [usize],
    /// Number of work-items in each dimension.
    pub global: &'a [usize],
    /// Number of work-items of a work-group in each dimension.
    pub local: &'a [usize],
}
