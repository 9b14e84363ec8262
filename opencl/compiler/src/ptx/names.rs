//! The words that PTX reserves: types, spaces, special registers.

use super::ast::{Directive, Function, Integer, Kind, Linkage, Modifier, Opcode, Parameter, Space, Type, Variable};
use std::fmt;

/// Types by their names without the dot.
const TYPES: [(&str, Type); 23] = [
    ("b8", Type::new(Kind::Bits, 8)),
    ("b16", Type::new(Kind::Bits, 16)),
    ("b32", Type::new(Kind::Bits, 32)),
    ("b64", Type::new(Kind::Bits, 64)),
    ("b128", Type::new(Kind::Bits, 128)),
    ("u8", Type::new(Kind::Unsigned, 8)),
    ("u16", Type::new(Kind::Unsigned, 16)),
    ("u32", Type::new(Kind::Unsigned, 32)),
    ("u64", Type::new(Kind::Unsigned, 64)),
    ("s8", Type::new(Kind::Signed, 8)),
    ("s16", Type::new(Kind::Signed, 16)),
    ("s32", Type::new(Kind::Signed, 32)),
    ("s64", Type::new(Kind::Signed, 64)),
    ("f16", Type::new(Kind::Float, 16)),
    ("f32", Type::new(Kind::Float, 32)),
    ("f64", Type::new(Kind::Float, 64)),
    ("f16x2", Type::new(Kind::FloatPair, 32)),
    ("bf16", Type::new(Kind::Bfloat, 16)),
    ("bf16x2", Type::new(Kind::BfloatPair, 32)),
    ("pred", Type::new(Kind::Predicate, 1)),
    ("texref", Type::new(Kind::Texture, 64)),
    ("samplerref", Type::new(Kind::Sampler, 64)),
    ("surfref", Type::new(Kind::Surface, 64)),
];

impl Type {
    /// A type of `bits` bits.
    #[must_use]
    pub const fn new(kind: Kind, bits: u8) -> Type {
        Type { kind, bits }
    }

    /// The type with this name, without its dot.
    #[must_use]
    pub fn named(word: &str) -> Option<Type> {
        TYPES.iter().find(|(name, _)| *name == word).map(|&(_, ty)| ty)
    }

    /// Bytes in memory; a predicate takes one.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        (self.bits as u32).div_ceil(8)
    }

    /// True for a signed integer.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self.kind, Kind::Signed)
    }

    /// True for a single float, of 16, 32 or 64 bits.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float)
    }
}

/// The name without the dot.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match TYPES.iter().find(|(_, ty)| ty == self) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "b{}", self.bits),
        }
    }
}

impl Space {
    /// All state spaces.
    pub const ALL: [Space; 8] = [
        Space::Reg,
        Space::Sreg,
        Space::Const,
        Space::Global,
        Space::Local,
        Space::Param,
        Space::Shared,
        Space::Tex,
    ];

    /// The name without the dot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Space::Reg => "reg",
            Space::Sreg => "sreg",
            Space::Const => "const",
            Space::Global => "global",
            Space::Local => "local",
            Space::Param => "param",
            Space::Shared => "shared",
            Space::Tex => "tex",
        }
    }

    /// The space with this name, without its dot.
    #[must_use]
    pub fn named(word: &str) -> Option<Space> {
        Space::ALL.into_iter().find(|space| space.name() == word)
    }
}

/// The name without the dot.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Linkage {
    /// The directive with its dot; nothing for the default.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Linkage::Internal => "",
            Linkage::Visible => ".visible",
            Linkage::Extern => ".extern",
            Linkage::Weak => ".weak",
            Linkage::Common => ".common",
        }
    }

    /// The linkage with this name, with its dot.
    #[must_use]
    pub fn named(word: &str) -> Option<Linkage> {
        let all = [Linkage::Visible, Linkage::Extern, Linkage::Weak, Linkage::Common];
        all.into_iter()
            .find(|linkage| linkage.name() == word)
            .or((word == ".internal").then_some(Linkage::Internal))
    }
}

/// The number of components that `v2`, `v4` and `v8` mean.
pub(super) fn vector(word: &str) -> Option<u8> {
    match word {
        "v2" => Some(2),
        "v4" => Some(4),
        "v8" => Some(8),
        _ => None,
    }
}

impl<'t> Modifier<'t> {
    /// The modifier with this name, without its dot.
    #[must_use]
    pub fn named(word: &'t str) -> Modifier<'t> {
        if let Some(ty) = Type::named(word) {
            Modifier::Type(ty)
        } else if let Some(space) = Space::named(word) {
            Modifier::Space(space)
        } else if let Some(components) = vector(word) {
            Modifier::Vector(components)
        } else {
            Modifier::Word(word)
        }
    }
}

/// The name without the dot.
impl fmt::Display for Modifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Modifier::Type(ty) => ty.fmt(f),
            Modifier::Space(space) => space.fmt(f),
            Modifier::Vector(components) => write!(f, "v{components}"),
            Modifier::Word(word) => f.write_str(word),
        }
    }
}

/// The component that a name ends in, such as `.x`, and the name without it.
pub(super) fn component(word: &str) -> Option<(&str, u8)> {
    let (name, component) = word.split_once('.')?;
    let index = match component {
        "x" | "r" => 0,
        "y" | "g" => 1,
        "z" | "b" => 2,
        "w" | "a" => 3,
        _ => return None,
    };
    Some((name, index))
}

/// Special registers with components.
const SPECIAL_VECTORS: [&str; 8] = [
    "%tid",
    "%ntid",
    "%ctaid",
    "%nctaid",
    "%clusterid",
    "%nclusterid",
    "%cluster_ctaid",
    "%cluster_nctaid",
];

/// Special registers without components.
const SPECIAL: [&str; 24] = [
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
];

/// True if the hardware defines a special register with this name, which may end in a component.
#[must_use]
pub fn is_special(word: &str) -> bool {
    let name = component(word).map_or(word, |(name, _)| name);
    let numbered = |prefix: &str| {
        let number = name
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix("_64").or(Some(rest)));
        number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    SPECIAL_VECTORS.contains(&name)
        || (name.len() == word.len() && SPECIAL.contains(&name))
        || (name.len() == word.len() && ["%pm", "%envreg", "%reserved_smem_offset_"].into_iter().any(numbered))
}

impl<'t> Opcode<'t> {
    /// The types in order: the result's first.
    pub fn types(&self) -> impl Iterator<Item = Type> + use<'_, 't> {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Type(ty) => Some(*ty),
            _ => None,
        })
    }

    /// The state space; `None` for the generic space, or if the instruction does not have a space.
    #[must_use]
    pub fn space(&self) -> Option<Space> {
        self.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Space(space) => Some(*space),
            _ => None,
        })
    }

    /// Components of the operands: 2 for `.v2`; 1 for a scalar.
    #[must_use]
    pub fn vector(&self) -> u8 {
        let components = self.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Vector(components) => Some(*components),
            _ => None,
        });
        components.unwrap_or(1)
    }

    /// True if this word, without its dot, is a modifier. Types, spaces and vectors are not words.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.modifiers.contains(&Modifier::Word(word))
    }

    /// The modifiers that are neither types nor spaces nor vectors, in order.
    pub fn words(&self) -> impl Iterator<Item = &'t str> + use<'_, 't> {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Word(word) => Some(*word),
            _ => None,
        })
    }
}

impl Integer {
    /// The number in two's complement, 64 bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        if self.negative {
            self.magnitude.wrapping_neg()
        } else {
            self.magnitude
        }
    }

    /// The number in two's complement, with `bits` bits (1 to 64). `None` if it fits neither as a signed nor as an
    /// unsigned number.
    #[must_use]
    pub const fn truncated(self, bits: u32) -> Option<u64> {
        let limit = if self.negative {
            1u128 << (bits - 1)
        } else {
            (1u128 << bits) - 1
        };
        if self.magnitude as u128 > limit {
            return None;
        }
        Some(self.bits() & (u64::MAX >> (64 - bits)))
    }
}

impl Variable<'_> {
    /// Bytes of memory; `[]` counts as no elements. `None` if the size does not fit in 64 bits.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        bytes(self.ty, self.vector, &self.dimensions)
    }
}

impl Parameter<'_> {
    /// Bytes of memory; `[]` counts as no elements. `None` if the size does not fit in 64 bits.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        bytes(self.ty, self.vector, &self.dimensions)
    }
}

/// Bytes of an array.
fn bytes(ty: Type, vector: u8, dimensions: &[Option<u64>]) -> Option<u64> {
    let element = u64::from(ty.bytes()) * u64::from(vector);
    let sizes = dimensions.iter().map(|elements| elements.unwrap_or(0));
    sizes.into_iter().try_fold(element, u64::checked_mul)
}

impl<'t> Function<'t> {
    /// The directive with this name, without its dot, such as `reqntid`.
    #[must_use]
    pub fn directive(&self, name: &str) -> Option<&Directive<'t>> {
        self.directives.iter().find(|directive| directive.name == name)
    }

    /// The block size that the kernel requires (`.reqntid`), in threads. Missing dimensions are 1.
    #[must_use]
    pub fn required_block(&self) -> Option<[u32; 3]> {
        let values = &self.directive("reqntid")?.values;
        let size = |dimension: usize| {
            values
                .get(dimension)
                .copied()
                .map_or(1, |size| size.try_into().unwrap_or(u32::MAX))
        };
        Some([size(0), size(1), size(2)])
    }
}
