//! Declarations of a kernel's parameters as in the source. In PTX, images, samplers and numbers are all words.
//!
//! The front end adds a pragma to the kernel for each parameter, `flexgrip argument 0 global read_only none image2d_t a
//! image2d_t`: the index, address space, access, qualifiers with commas between them, the type without `typedef`s, the
//! name, `?` if unknown, and the type as written, which may have spaces.

use crate::ptx::ast;
use std::fmt;
use std::str::FromStr;

/// The first words of the pragma.
const HEAD: &str = "flexgrip argument ";

/// The memory that a parameter points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressSpace {
    /// A value, or a sampler.
    Private,
    /// `__global`, or an image.
    Global,
    /// `__constant`.
    Constant,
    /// `__local`.
    Local,
}

/// The accesses of a kernel to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The parameter is not an image.
    None,
    /// `read_only`, which is the default.
    ReadOnly,
    /// `write_only`.
    WriteOnly,
    /// `read_write`, of OpenCL 2.0.
    ReadWrite,
}

/// The dimensions of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageShape {
    /// `image1d_t`.
    D1,
    /// `image1d_buffer_t`.
    Buffer,
    /// `image1d_array_t`.
    D1Array,
    /// `image2d_t`.
    D2,
    /// `image2d_array_t`.
    D2Array,
    /// `image3d_t`.
    D3,
}

/// The kind of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A number, a vector or a struct.
    Value,
    /// A pointer to `__global` or `__constant` memory, or to a space that the PTX does not name: an address in global
    /// memory.
    Global,
    /// A pointer to `__local` memory: the launch determines the size and the address.
    Local,
    /// An image: the address of its descriptor in global memory (`builtins/images.cl`).
    Image {
        /// The type of the image.
        shape: ImageShape,
        /// The kernel's accesses.
        access: Access,
    },
    /// A sampler: a word of OpenCL C's `CLK_` values.
    Sampler,
}

const SPACES: [(&str, AddressSpace); 4] = [
    ("private", AddressSpace::Private),
    ("global", AddressSpace::Global),
    ("constant", AddressSpace::Constant),
    ("local", AddressSpace::Local),
];
const ACCESSES: [(&str, Access); 4] = [
    ("none", Access::None),
    ("read_only", Access::ReadOnly),
    ("write_only", Access::WriteOnly),
    ("read_write", Access::ReadWrite),
];
const SHAPES: [(&str, ImageShape); 6] = [
    ("image1d_t", ImageShape::D1),
    ("image1d_buffer_t", ImageShape::Buffer),
    ("image1d_array_t", ImageShape::D1Array),
    ("image2d_t", ImageShape::D2),
    ("image2d_array_t", ImageShape::D2Array),
    ("image3d_t", ImageShape::D3),
];

/// The value of a word in a list.
fn value_of<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// The word of a value in a list.
fn word_of<T: PartialEq>(list: &[(&'static str, T)], value: T) -> &'static str {
    list.iter()
        .find(|(_, other)| *other == value)
        .map_or("?", |(name, _)| name)
}

/// A parameter as the source declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The memory that the parameter points to.
    pub space: AddressSpace,
    /// The access to an image.
    pub access: Access,
    /// The qualifiers of a pointer.
    pub qualifiers: Qualifiers,
    /// The type without `typedef`s, in one word.
    pub base: String,
    /// The name; `None` if the source was not built with `-cl-kernel-arg-info`.
    pub name: Option<String>,
    /// The type as in the source, without qualifiers.
    pub ty: String,
}

/// Qualifiers of a pointer's type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Qualifiers {
    /// True if the target is `const`.
    pub constant: bool,
    /// True if the pointer is `restrict`.
    pub restrict: bool,
    /// True if the target is `volatile`.
    pub volatile: bool,
}

impl Qualifiers {
    fn of(words: &str) -> Self {
        let has = |wanted: &str| words.split([' ', ',']).any(|word| word == wanted);
        Qualifiers {
            constant: has("const"),
            restrict: has("restrict"),
            volatile: has("volatile"),
        }
    }
}

impl Declaration {
    /// A declaration from the words of clang's metadata; `space` is 0 to 3 for private, global, constant and local.
    #[must_use]
    pub fn new(space: u32, [access, qualifiers, base, name, ty]: [&str; 5]) -> Option<Self> {
        Some(Declaration {
            space: SPACES.get(space as usize)?.1,
            access: value_of(&ACCESSES, access)?,
            qualifiers: Qualifiers::of(qualifiers),
            base: base.split_whitespace().next().unwrap_or("?").to_string(),
            name: Some(name.to_string()).filter(|name| !name.is_empty()),
            ty: ty.to_string(),
        })
    }

    /// Returns the kind of a parameter, if the PTX does not determine it: image, sampler.
    #[must_use]
    pub fn kind(&self) -> Option<ParameterKind> {
        if self.base == "sampler_t" {
            return Some(ParameterKind::Sampler);
        }
        let shape = value_of(&SHAPES, &self.base)?;
        let access = self.access;
        Some(ParameterKind::Image { shape, access })
    }

    /// Returns the pragma for parameter `index`.
    #[must_use]
    pub fn pragma(&self, index: usize) -> String {
        format!("{HEAD}{index} {self}")
    }
}

/// Writes the words of the pragma after the index.
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Qualifiers {
            constant,
            restrict,
            volatile,
        } = self.qualifiers;
        let qualifiers = [(constant, "const"), (restrict, "restrict"), (volatile, "volatile")];
        let qualifiers: Vec<&str> = qualifiers
            .iter()
            .filter(|(has, _)| *has)
            .map(|(_, word)| *word)
            .collect();
        let qualifiers = match qualifiers.is_empty() {
            true => "none".to_string(),
            false => qualifiers.join(","),
        };
        let (space, access) = (word_of(&SPACES, self.space), word_of(&ACCESSES, self.access));
        let name = self.name.as_deref().unwrap_or("?");
        write!(f, "{space} {access} {qualifiers} {} {name} {}", self.base, self.ty)
    }
}

impl FromStr for Declaration {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let words: Vec<&str> = text.splitn(6, ' ').collect();
        let [space, access, qualifiers, base, name, ty] = words[..] else {
            return Err(());
        };
        let space = SPACES.iter().position(|(word, _)| *word == space).ok_or(())? as u32;
        let name = if name == "?" { "" } else { name };
        Declaration::new(space, [access, qualifiers, base, name, ty]).ok_or(())
    }
}

/// The declaration of parameter `index` in a kernel's pragmas.
#[must_use]
pub fn declared(kernel: &ast::Function<'_>, index: usize) -> Option<Declaration> {
    let head = format!("{HEAD}{index} ");
    let strings = kernel.directives.iter().flat_map(|directive| &directive.strings);
    strings
        .filter_map(|text| text.strip_prefix(head.as_str())?.parse().ok())
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_come_back() {
        for (text, kind) in [
            (
                "global write_only none image2d_array_t a my_image",
                Some(ParameterKind::Image {
                    shape: ImageShape::D2Array,
                    access: Access::WriteOnly,
                }),
            ),
            ("private none none sampler_t ? sampler_t", Some(ParameterKind::Sampler)),
            ("constant none const,restrict,volatile struct b struct S*", None),
        ] {
            let declaration: Declaration = text.parse().expect(text);
            assert_eq!((declaration.to_string().as_str(), declaration.kind()), (text, kind));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "global",
            "global none none float a",
            "shared none none float a float",
            "local x none f a f",
        ] {
            assert_eq!(text.parse::<Declaration>(), Err(()), "{text}");
        }
    }

    #[test]
    fn a_kernels_pragmas() {
        let text = ".version 3.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 a, .param .u32 b) .pragma \
                    \"flexgrip argument 1 global read_only none image3d_t b image3d_t\"; .reqntid 1\n{ ret; }\n";
        let module = crate::ptx::parse(text).expect("PTX");
        let kernel = module.kernels().next().expect("a kernel");
        assert_eq!(declared(kernel, 0), None);
        assert_eq!(declared(kernel, 1).and_then(|b| b.name).as_deref(), Some("b"));
    }
}
