//! Types of OpenCL C: scalars and vectors.

use std::fmt;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `char`, 8 bits.
    Char,
    /// `uchar`, 8 bits.
    Uchar,
    /// `short`, 16 bits.
    Short,
    /// `ushort`, 16 bits.
    Ushort,
    /// `int`, 32 bits.
    Int,
    /// `uint`, 32 bits.
    Uint,
    /// `long`, 64 bits.
    Long,
    /// `ulong`, 64 bits.
    Ulong,
    /// `float`, 32 bits.
    Float,
    /// `double`, 64 bits.
    Double,
}

impl Scalar {
    /// Integer types, narrow ones first, each signed type followed by its unsigned type.
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

    /// Name of the type in OpenCL C.
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
            Scalar::Double => "double",
        }
    }

    /// Size of a value in bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Char | Scalar::Uchar => 8,
            Scalar::Short | Scalar::Ushort => 16,
            Scalar::Int | Scalar::Uint | Scalar::Float => 32,
            Scalar::Long | Scalar::Ulong | Scalar::Double => 64,
        }
    }

    /// True for signed integers.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long)
    }

    /// Returns the integer type of the same size, signed or unsigned.
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
    /// Type of the elements.
    pub scalar: Scalar,
    /// Number of elements: 1, 2, 3, 4, 8 or 16.
    pub lanes: usize,
}

impl Type {
    /// Type of indices.
    pub const UINT: Type = Type::of(Scalar::Uint);
    /// Type of conditions.
    pub const INT: Type = Type::of(Scalar::Int);

    /// Creates a scalar type.
    #[must_use]
    pub const fn of(scalar: Scalar) -> Type {
        Type { scalar, lanes: 1 }
    }

    /// Returns the type with other elements.
    #[must_use]
    pub fn with(self, scalar: Scalar) -> Type {
        Type { scalar, ..self }
    }

    /// Returns the type with unsigned integers of the same size.
    #[must_use]
    pub fn unsigned(self) -> Type {
        self.with(self.scalar.with_sign(false))
    }

    /// Returns the type with signed integers of the same size: the result of comparing vectors.
    #[must_use]
    pub fn signed(self) -> Type {
        self.with(self.scalar.with_sign(true))
    }

    /// True if the elements are of type `float` or `double`.
    #[must_use]
    pub fn is_real(self) -> bool {
        matches!(self.scalar, Scalar::Float | Scalar::Double)
    }

    /// True if the elements are of type `double`.
    #[must_use]
    pub fn is_double(self) -> bool {
        self.scalar == Scalar::Double
    }

    /// Returns an expression with a value on which all implementations agree. Floats and doubles are passed to a macro
    /// of the prelude.
    #[must_use]
    pub fn tame(self, text: &str) -> String {
        match self.scalar {
            Scalar::Float => format!("TAME({text})"),
            Scalar::Double => format!("REAL({text})"),
            _ => text.into(),
        }
    }

    /// True for a vector.
    #[must_use]
    pub fn is_vector(self) -> bool {
        self.lanes > 1
    }

    /// Size in memory, in bytes. A vector of three elements has the size of four.
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
