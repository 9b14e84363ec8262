//! A program's binary: the machine code of its kernels, and clang's PTX, in a container of this driver.
//!
//! The PTX is for launches that need other code ([`super::module::Needs`]). A binary of another version of the compiler
//! is refused, because its machine code may have another layout. OpenCL has an error code for this, and programs then
//! build from source again.

use flexgrip_compiler::ir::declaration::Declaration;
use flexgrip_compiler::ir::variables::{AddressValue, ModuleVariables};
use flexgrip_compiler::ir::{Hidden, Parameter, ParameterKind};
use flexgrip_compiler::printf::Site;
use flexgrip_compiler::ptx::ast::Span;
use flexgrip_compiler::{Capability, Compiled, ConstantBlock, KernelEntry, Program, SourceLine, SourceLocation};
use flexgrip_machine::{Fence, LaunchFacts, Region, RegionKind};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The first bytes of the container: the number of its format, and a hash of the compiler's sources.
const HEAD: &str = concat!("flexgrip OpenCL binary 4 ", env!("FLEXGRIP_COMPILER"), "\n");

/// The contents of a binary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// The source's name in messages.
    pub name: String,
    /// True if a fused multiply-add may be a multiply-add that truncates its product.
    pub contract: bool,
    /// True if `float` arguments of `printf` are passed as `double`.
    pub promoted: bool,
    /// Ten times the compute capability of the device, so 13 for 1.3.
    pub capability: u32,
    /// The PTX of the program.
    pub ptx: String,
    /// The machine code; `None` before compilation.
    pub code: Option<Code>,
}

/// An address among the initial values: offset, bytes, shift, target.
type Address = (u32, u8, u8, u32);

/// A kernel that cannot be compiled; the other kernels of its source can be used.
#[derive(Debug)]
pub struct Refused {
    /// The kernel's name.
    pub name: String,
    /// The reason, with the location in the source.
    pub reason: String,
}

/// A compiled program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The names of the sources, by the numbers in locations.
    pub files: Vec<(u32, String)>,
    /// Kernels that cannot be used, with the reasons.
    refused: Vec<(String, String)>,
    kernels: Vec<KernelCode>,
    /// The module's variables: their bytes, their alignment, and the addresses in them.
    variables: (Vec<u8>, u32, Vec<Address>),
}

/// A [`Compiled`] as plain values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KernelCode {
    name: String,
    /// Ten times the compute capability that the instructions need.
    capability: u32,
    words: Vec<u32>,
    registers: u32,
    shared_bytes: u32,
    parameter_words: u32,
    /// Bank, offset in bytes, words.
    constants: Vec<(u32, u32, Vec<u32>)>,
    lines: Vec<(u32, u32)>,
    /// Name, offset, bytes, kind, declaration. An image's or a sampler's kind is in its declaration.
    parameters: Vec<(String, u32, u32, u8, Option<String>)>,
    /// Kind and dimension.
    hidden: Vec<(u8, u8)>,
    /// The formats of the calls of `printf`; true if floats are passed as doubles.
    prints: Vec<(Vec<u8>, bool)>,
    whole_shared: bool,
    required: Option<[u32; 3]>,
    local_bytes: u32,
    barrier: bool,
    /// Address; offset, length, line and column in the PTX; file, line and column in the source.
    places: Vec<(u32, [u32; 4], Option<[u32; 3]>)>,
    /// Name, kind, address, bytes, element.
    regions: Vec<(String, u8, u32, u32, u32)>,
    divisors: Vec<u32>,
    /// Address; true if global memory is ordered, true if shared memory is.
    fences: Vec<(u32, bool, bool)>,
}

const KINDS: [ParameterKind; 3] = [ParameterKind::Value, ParameterKind::Global, ParameterKind::Local];
const REGIONS: [RegionKind; 6] = [
    RegionKind::Buffer,
    RegionKind::Variables,
    RegionKind::LocalArgument,
    RegionKind::LocalVariable,
    RegionKind::PrivateVariable,
    RegionKind::Printf,
];

/// A hidden word as numbers: its kind and its dimension.
fn hidden_number(word: Hidden) -> (u8, u8) {
    match word {
        Hidden::GlobalOffset(dimension) => (0, dimension),
        Hidden::Dimensions => (1, 0),
        Hidden::Slice => (2, 0),
        Hidden::Slices => (3, 0),
        Hidden::FirstBlock(dimension) => (4, dimension),
        Hidden::Blocks(dimension) => (5, dimension),
        Hidden::Variables => (6, 0),
        Hidden::PrintBuffer => (7, 0),
        Hidden::PrintSlice => (8, 0),
    }
}

fn hidden_word(number: (u8, u8)) -> Option<Hidden> {
    Some(match number {
        (0, dimension @ 0..=2) => Hidden::GlobalOffset(dimension),
        (1, 0) => Hidden::Dimensions,
        (2, 0) => Hidden::Slice,
        (3, 0) => Hidden::Slices,
        (4, dimension @ 0..=1) => Hidden::FirstBlock(dimension),
        (5, dimension @ 0..=1) => Hidden::Blocks(dimension),
        (6, 0) => Hidden::Variables,
        (7, 0) => Hidden::PrintBuffer,
        (8, 0) => Hidden::PrintSlice,
        _ => return None,
    })
}

/// The index of an item in a list.
fn number<T: PartialEq>(list: &[T], item: &T) -> u8 {
    list.iter().position(|other| other == item).unwrap_or(list.len()) as u8
}

impl KernelCode {
    fn new(name: &str, compiled: &Compiled) -> Self {
        let program = &compiled.program;
        let facts = &program.kernels[0];
        KernelCode {
            name: name.into(),
            capability: program.capability.number(),
            words: program.words.clone(),
            registers: facts.registers,
            shared_bytes: facts.shared_bytes,
            parameter_words: facts.parameters.len() as u32,
            constants: program
                .constants
                .iter()
                .map(|block| (block.bank, block.offset, block.words.clone()))
                .collect(),
            lines: program.lines.clone(),
            parameters: compiled
                .parameters
                .iter()
                .map(|parameter| {
                    let kind = number(&KINDS, &parameter.kind);
                    let declaration = parameter.declaration.as_ref().map(ToString::to_string);
                    let Parameter {
                        name, offset, bytes, ..
                    } = parameter.clone();
                    (name, offset, bytes, kind, declaration)
                })
                .collect(),
            hidden: compiled.hidden.iter().map(|&word| hidden_number(word)).collect(),
            prints: compiled
                .prints
                .iter()
                .map(|site| (site.format.clone(), site.promoted))
                .collect(),
            whole_shared: compiled.whole_shared,
            required: compiled.required,
            local_bytes: compiled.local_bytes,
            barrier: compiled.barrier,
            places: compiled
                .places
                .iter()
                .map(|(at, place)| {
                    let span = place.span;
                    let source = place.source.map(|source| [source.file, source.line, source.column]);
                    (*at, [span.offset, span.length, span.line, span.column], source)
                })
                .collect(),
            regions: compiled
                .facts
                .regions
                .iter()
                .map(|region| {
                    let kind = number(&REGIONS, &region.kind);
                    (region.name.clone(), kind, region.address, region.bytes, region.element)
                })
                .collect(),
            divisors: compiled.facts.divisors.clone(),
            fences: compiled
                .facts
                .fences
                .iter()
                .map(|(at, fence)| (*at, fence.global, fence.shared))
                .collect(),
        }
    }

    fn compiled(&self, variables: &Arc<ModuleVariables>) -> Option<Compiled> {
        let parameter = |(name, offset, bytes, kind, declaration): &(String, u32, u32, u8, Option<String>)| {
            let declaration = declaration.as_ref().map(|text| text.parse::<Declaration>());
            let declaration = declaration.transpose().ok()?;
            let declared = declaration.as_ref().and_then(Declaration::kind);
            Some(Parameter {
                name: name.clone(),
                offset: *offset,
                bytes: *bytes,
                kind: match declared {
                    Some(kind) => kind,
                    None => *KINDS.get(usize::from(*kind))?,
                },
                declaration,
            })
        };
        let region = |(name, kind, address, bytes, element): &(String, u8, u32, u32, u32)| {
            Some(Region {
                name: name.clone(),
                kind: *REGIONS.get(usize::from(*kind))?,
                argument: None,
                parameter: None,
                address: *address,
                bytes: *bytes,
                element: *element,
                written: Vec::new(),
            })
        };
        Some(Compiled {
            program: Program {
                capability: Capability::from_number(self.capability)?,
                words: self.words.clone(),
                kernels: vec![KernelEntry {
                    name: self.name.clone(),
                    entry: 0,
                    registers: self.registers,
                    shared_bytes: self.shared_bytes,
                    parameters: (0..self.parameter_words).map(|word| format!("p{word}")).collect(),
                }],
                constants: self
                    .constants
                    .iter()
                    .map(|(bank, offset, words)| ConstantBlock {
                        bank: *bank,
                        offset: *offset,
                        words: words.clone(),
                    })
                    .collect(),
                lines: self.lines.clone(),
                ..Program::default()
            },
            parameters: self.parameters.iter().map(parameter).collect::<Option<_>>()?,
            hidden: self
                .hidden
                .iter()
                .map(|&word| hidden_word(word))
                .collect::<Option<_>>()?,
            prints: self
                .prints
                .iter()
                .map(|(format, promoted)| Site {
                    format: format.clone(),
                    promoted: *promoted,
                })
                .collect(),
            variables: variables.clone(),
            large_grid: false,
            whole_shared: self.whole_shared,
            required: self.required,
            local_bytes: self.local_bytes,
            barrier: self.barrier,
            places: self
                .places
                .iter()
                .map(|&(at, [offset, length, line, column], source)| {
                    let span = Span {
                        offset,
                        length,
                        line,
                        column,
                    };
                    let source = source.map(|[file, line, column]| SourceLine { file, line, column });
                    (at, SourceLocation { span, source })
                })
                .collect(),
            facts: LaunchFacts {
                regions: self.regions.iter().map(region).collect::<Option<_>>()?,
                work_items: None,
                divisors: self.divisors.clone(),
                fences: self
                    .fences
                    .iter()
                    .map(|&(at, global, shared)| (at, Fence { global, shared }))
                    .collect(),
            },
        })
    }
}

impl Code {
    /// Collects the result of compilation: kernels by name, refused kernels, and the names of sources. All kernels of a
    /// module share the same variables.
    pub fn new(kernels: &[(&str, &Compiled)], refused: &[Refused], files: &[(u32, String)]) -> Self {
        let variables = kernels.first().map(|(_, compiled)| &*compiled.variables);
        let (bytes, alignment, addresses) = variables.map_or((&[][..], 1, &[][..]), |variables| {
            (&variables.bytes[..], variables.alignment, &variables.addresses[..])
        });
        Code {
            files: files.to_vec(),
            refused: refused
                .iter()
                .map(|refused| (refused.name.clone(), refused.reason.clone()))
                .collect(),
            kernels: kernels
                .iter()
                .map(|(name, compiled)| KernelCode::new(name, compiled))
                .collect(),
            variables: (
                bytes.to_vec(),
                alignment,
                addresses
                    .iter()
                    .map(|value| (value.at, value.bytes, value.shift, value.target))
                    .collect(),
            ),
        }
    }

    /// The kernels by name; `None` if the data of one is invalid.
    pub fn kernels(&self) -> Option<Vec<(String, Compiled)>> {
        let (bytes, alignment, addresses) = &self.variables;
        let variables = Arc::new(ModuleVariables {
            bytes: bytes.clone(),
            alignment: *alignment,
            addresses: addresses
                .iter()
                .map(|&(at, bytes, shift, target)| AddressValue {
                    at,
                    bytes,
                    shift,
                    target,
                })
                .collect(),
        });
        let kernels = self.kernels.iter();
        kernels
            .map(|kernel| Some((kernel.name.clone(), kernel.compiled(&variables)?)))
            .collect()
    }

    /// The kernels that cannot be used.
    pub fn refused(&self) -> Vec<Refused> {
        let refused = self.refused.iter().cloned();
        refused.map(|(name, reason)| Refused { name, reason }).collect()
    }
}

/// Returns a checksum of all bytes, 64-bit FNV-1a, to detect a damaged binary.
fn sum(bytes: &[u8]) -> u64 {
    let next = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, next)
}

impl Binary {
    /// A copy without machine code.
    pub fn without_code(&self) -> Binary {
        Binary {
            name: self.name.clone(),
            contract: self.contract,
            promoted: self.promoted,
            capability: self.capability,
            ptx: self.ptx.clone(),
            code: None,
        }
    }

    /// The container as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        // The body has only text, numbers and flags, so serialisation cannot fail.
        let body = serde_json::to_vec(self).unwrap_or_default();
        let mut bytes = format!("{HEAD}{:016x}\n", sum(&body)).into_bytes();
        bytes.extend(body);
        bytes
    }

    /// Parses a container. `None` if it has another format, is damaged, or is from another compiler. Trailing zeros are
    /// ignored.
    pub fn parse(bytes: &[u8]) -> Option<Binary> {
        let rest = bytes.strip_prefix(HEAD.as_bytes())?;
        let (digits, rest) = rest.split_at_checked(16)?;
        let body = rest.strip_prefix(b"\n")?;
        let end = body.iter().rposition(|&byte| byte != 0)?;
        let body = &body[..=end];
        let wanted = u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        if sum(body) != wanted {
            return None;
        }
        serde_json::from_slice(body).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary() -> Binary {
        Binary {
            name: "a.cl".into(),
            contract: true,
            capability: 11,
            promoted: false,
            ptx: ".version 3.2\n// \"quoted\" \u{e9}\0".into(),
            code: None,
        }
    }

    #[test]
    fn container_round_trips() {
        let mut bytes = binary().bytes();
        assert_eq!(Binary::parse(&bytes), Some(binary()));
        bytes.extend([0, 0]);
        assert_eq!(Binary::parse(&bytes), Some(binary()));
    }

    #[test]
    fn other_bytes_are_rejected() {
        for bytes in [&b""[..], b"SASS", HEAD.as_bytes(), b"flexgrip OpenCL binary 1\n{}"] {
            assert_eq!(Binary::parse(bytes), None);
        }
        let bytes = binary().bytes();
        for at in 0..bytes.len() {
            assert_eq!(Binary::parse(&bytes[..at]), None);
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                // Upper-case digits of the checksum are also accepted.
                assert!(
                    Binary::parse(&damaged).is_none_or(|other| other == binary()),
                    "{at}, {bit}"
                );
            }
        }
    }
}
