//! Accesses to textures.

/// Kind of a texture instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// Filtered access (TEX).
    Sample,
    /// Filtered access; the last coordinate is added to the level of detail (TEX.LB).
    SampleBias,
    /// Filtered access; the last coordinate is the level of detail (TEX.LL).
    SampleLevel,
    /// One texel at integer coordinates (TLD).
    Fetch,
    /// Size of the texture (TXQ).
    Size,
    /// Coordinates of a cube map's array (TEXPREP).
    Prepare,
    /// Level of detail (TMML).
    Level,
    /// One component of the four texels around the coordinates (TLD4).
    Gather,
}

/// A texture access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    /// Kind of access.
    pub kind: TextureKind,
    /// The texture is a cube map.
    pub cube: bool,
    /// Number of the texture.
    pub texture: u8,
    /// Number of the sampler, 0..31.
    pub sampler: u8,
    /// Number of coordinate registers, 1..4.
    pub coordinates: u8,
    /// Components written, x in bit 0 to w in bit 3; each takes one register, without gaps.
    pub components: u8,
    /// True if only threads with a visible fragment are active.
    pub live_only: bool,
    /// Derivatives come from the coordinates of the quad's threads.
    pub derivatives: bool,
    /// Offsets of the texel in x, y and z, -8..7.
    pub offset: [i8; 3],
}
