//! Types of OpenCL C: scalars and vectors of them.

use std::fmt;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `char`, 8 bits.
    Char,
    /// `uchar`.
    Uchar,
    /// `short`, 16 bits.
    Short,
    /// `ushort`.
    Ushort,
    /// `int`, 32 bits.
    Int,
    /// `uint`.
    Uint,
    /// `long`, 64 bits.
    Long,
    /// `ulong`.
    Ulong,
    /// `float`, 32 bits.
    Float,
}

impl Scalar {
    /// The integers, narrow ones first; each signed one is followed by its unsigned one.
    pub const INTEGERS: [Scalar; 8] = [
        Scalar::Char,
        Scalar::Uchar,
        Scalar::Short,
        Scalar::Ushort,
        Scalar::Int,
        Scalar::Uint,
        Scalar::Long,
        Scalar::Ulong,
    ];

    /// Its name in OpenCL C.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Char => "char",
            Scalar::Uchar => "uchar",
            Scalar::Short => "short",
            Scalar::Ushort => "ushort",
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Long => "long",
            Scalar::Ulong => "ulong",
            Scalar::Float => "float",
        }
    }

    /// Bits of a value.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Char | Scalar::Uchar => 8,
            Scalar::Short | Scalar::Ushort => 16,
            Scalar::Int | Scalar::Uint | Scalar::Float => 32,
            Scalar::Long | Scalar::Ulong => 64,
        }
    }

    /// Whether it is a signed integer.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long)
    }

    /// The integer of as many bits, with or without a sign.
    #[must_use]
    pub fn with_sign(self, signed: bool) -> Scalar {
        let at = match self.bits() {
            8 => 0,
            16 => 2,
            32 => 4,
            _ => 6,
        };
        Scalar::INTEGERS[at + usize::from(!signed)]
    }
}

/// A scalar or vector type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// Of its elements.
    pub scalar: Scalar,
    /// Elements: 1, 2, 3, 4, 8 or 16.
    pub lanes: usize,
}

impl Type {
    /// Indices.
    pub const UINT: Type = Type::of(Scalar::Uint);
    /// Conditions.
    pub const INT: Type = Type::of(Scalar::Int);

    /// A scalar type.
    #[must_use]
    pub const fn of(scalar: Scalar) -> Type {
        Type { scalar, lanes: 1 }
    }

    /// The same with other elements.
    #[must_use]
    pub fn with(self, scalar: Scalar) -> Type {
        Type { scalar, ..self }
    }

    /// Unsigned integers of as many bits.
    #[must_use]
    pub fn unsigned(self) -> Type {
        self.with(self.scalar.with_sign(false))
    }

    /// Signed integers of as many bits: what comparisons of vectors give.
    #[must_use]
    pub fn signed(self) -> Type {
        self.with(self.scalar.with_sign(true))
    }

    /// Whether its elements are floats.
    #[must_use]
    pub fn is_float(self) -> bool {
        self.scalar == Scalar::Float
    }

    /// Whether it is one.
    #[must_use]
    pub fn is_vector(self) -> bool {
        self.lanes > 1
    }

    /// Bytes in memory: three elements take the room of four.
    #[must_use]
    pub fn bytes(self) -> usize {
        let lanes = if self.lanes == 3 { 4 } else { self.lanes };
        lanes * self.scalar.bits() as usize / 8
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scalar.name())?;
        match self.lanes {
            1 => Ok(()),
            lanes => write!(f, "{lanes}"),
        }
    }
}
