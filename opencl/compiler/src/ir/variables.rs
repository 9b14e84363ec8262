//! Layout of a module's variables in `__constant` and `__global` memory, and their initial values.
//!
//! `__constant` lies in global memory: a constant bank has 4 KiB and its number is part of the instruction.

use crate::error::{CompileError, SourceLocation, NO_TEXTURES};
use crate::ptx::ast::{self, Float, InitialiserKind, Space, Type};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum size of all variables of a module, in bytes.
const LIMIT: u64 = 1 << 26;

/// An address among the initial values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressValue {
    /// The byte offset in [`ModuleVariables::bytes`].
    pub at: u32,
    /// The number of bytes of the address that are stored, 1 to 8.
    pub bytes: u8,
    /// The number of bits that the address is shifted right.
    pub shift: u8,
    /// The byte offset of the target from the first variable.
    pub target: u32,
}

/// The module's variables in memory before the first kernel runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModuleVariables {
    /// The bytes, little endian, with zeros in place of addresses.
    pub bytes: Vec<u8>,
    /// The alignment of the first byte, in bytes.
    pub alignment: u32,
    /// The addresses among the initial values.
    pub addresses: Vec<AddressValue>,
}

impl ModuleVariables {
    /// Returns the bytes, with addresses for variables that begin at this byte address of global memory.
    pub fn placed_at(&self, address: u32) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for value in &self.addresses {
            let number = u64::from(address.wrapping_add(value.target)) >> value.shift;
            let at = value.at as usize;
            if let Some(place) = bytes.get_mut(at..at + usize::from(value.bytes)) {
                place.copy_from_slice(&number.to_le_bytes()[..usize::from(value.bytes)]);
            }
        }
        bytes
    }
}

/// The variables and their offsets.
#[derive(Debug, Clone, Default)]
pub struct Layout<'a> {
    /// The initial values, which all kernels of the module share.
    pub variables: Arc<ModuleVariables>,
    /// The byte offset of each variable by name, or the error for its use.
    pub places: HashMap<&'a str, Result<u32, CompileError>>,
    /// True if a generic address is among the initial values.
    pub generic: bool,
}

fn refused<T>(span: ast::Span, message: impl Into<String>) -> Result<T, CompileError> {
    let place = SourceLocation { span, source: None };
    Err(CompileError::new(place, message))
}

/// Lays out the variables of a module.
pub fn layout<'a>(module: &'a ast::Module<'a>) -> Layout<'a> {
    let mut layout = Layout::default();
    Arc::make_mut(&mut layout.variables).alignment = 4;
    let mut placed = Vec::new();
    for item in &module.items {
        let ast::Item::Variable(variable) = item else {
            continue;
        };
        if !matches!(variable.space, Space::Const | Space::Global) {
            continue;
        }
        let name = variable.name.text;
        let place = layout.place(variable);
        if let Ok(at) = place {
            placed.push((variable, at));
        }
        let known = layout.places.get(name).is_some_and(Result::is_ok);
        if place.is_ok() || !known {
            layout.places.insert(name, place);
        }
    }
    for (variable, at) in placed {
        if let Err(error) = layout.initialise(variable, at) {
            layout.places.insert(variable.name.text, Err(error));
        }
    }
    layout
}

/// The number of scalars in an element of the outermost dimension.
fn inner(dimensions: &[Option<u64>], vector: u8) -> u64 {
    let vector = u64::from(vector.max(1));
    dimensions
        .iter()
        .skip(1)
        .fold(vector, |size, dimension| size.saturating_mul(dimension.unwrap_or(1)))
}

impl<'a> Layout<'a> {
    fn place(&mut self, variable: &'a ast::Variable<'a>) -> Result<u32, CompileError> {
        let name = variable.name.text;
        if variable.linkage == ast::Linkage::Extern {
            return refused(
                variable.span,
                format!("`{name}` is declared, but not defined in this module"),
            );
        }
        if variable.ty.bits < 8 {
            return refused(variable.span, format!("`{name}`: {NO_TEXTURES}"));
        }
        let element = u64::from(variable.ty.bits / 8);
        let mut count = u64::from(variable.vector.max(1));
        for (index, dimension) in variable.dimensions.iter().enumerate() {
            let size = match (dimension, index, &variable.initialiser) {
                (Some(size), ..) => *size,
                (
                    None,
                    0,
                    Some(ast::Initialiser {
                        kind: InitialiserKind::List(list),
                        ..
                    }),
                ) => list.len() as u64,
                _ => return refused(variable.span, format!("`{name}` has no size")),
            };
            count = count.saturating_mul(size);
        }
        let alignment = u64::from(variable.alignment.unwrap_or(0).max(1)).max(element.next_power_of_two());
        let start = (self.variables.bytes.len() as u64).next_multiple_of(alignment.min(LIMIT));
        let end = start.saturating_add(count.saturating_mul(element));
        if end > LIMIT || alignment > LIMIT {
            return refused(
                variable.span,
                format!("`{name}`: the module's variables have more than {LIMIT} bytes"),
            );
        }
        let variables = Arc::make_mut(&mut self.variables);
        variables.alignment = variables.alignment.max(alignment as u32);
        variables.bytes.resize(end as usize, 0);
        Ok(start as u32)
    }

    fn initialise(&mut self, variable: &'a ast::Variable<'a>, at: u32) -> Result<(), CompileError> {
        let Some(initialiser) = &variable.initialiser else {
            return Ok(());
        };
        let end = match self.places.get(variable.name.text) {
            Some(Ok(_)) => self.variables.bytes.len() as u64,
            _ => return Ok(()),
        };
        self.value(
            initialiser,
            variable.ty,
            &variable.dimensions,
            variable.vector,
            u64::from(at),
            end,
        )
    }

    /// Writes a value, or a list of values, at a byte offset.
    fn value(
        &mut self,
        initialiser: &'a ast::Initialiser<'a>,
        ty: Type,
        dimensions: &[Option<u64>],
        vector: u8,
        at: u64,
        end: u64,
    ) -> Result<(), CompileError> {
        let element = u64::from(ty.bits / 8);
        if let InitialiserKind::List(list) = &initialiser.kind {
            let nested = list.iter().any(|value| matches!(value.kind, InitialiserKind::List(_)));
            let step = if nested { inner(dimensions, vector) } else { 1 };
            let (rest, vector) = match dimensions.get(1..) {
                Some(rest) => (rest, vector),
                None => (&[][..], 1),
            };
            for (index, value) in list.iter().enumerate() {
                let offset = step.saturating_mul(element).saturating_mul(index as u64);
                self.value(value, ty, rest, vector, at.saturating_add(offset), end)?;
            }
            return Ok(());
        }
        if at.saturating_add(element) > end {
            return refused(initialiser.span, "more initial values than the variable has elements");
        }
        let number = match &initialiser.kind {
            InitialiserKind::Integer(integer) if integer.negative => integer.magnitude.wrapping_neg(),
            InitialiserKind::Integer(integer) => integer.magnitude,
            InitialiserKind::Float(Float::Single(bits)) => u64::from(*bits),
            // A decimal number is written as a double.
            InitialiserKind::Float(Float::Double(bits)) if ty.bits == 32 => {
                u64::from((f64::from_bits(*bits) as f32).to_bits())
            }
            InitialiserKind::Float(Float::Double(bits)) => *bits,
            InitialiserKind::Address {
                symbol,
                offset,
                generic,
                mask,
            } => {
                let Some(Ok(target)) = self.places.get(symbol.text) else {
                    return refused(
                        symbol.span,
                        format!(
                            "the address of `{}` as an initial value: only variables in __constant and __global \
                             memory have one before the kernel runs",
                            symbol.text
                        ),
                    );
                };
                self.generic |= generic;
                let shift = mask.map_or(0, u64::trailing_zeros);
                Arc::make_mut(&mut self.variables).addresses.push(AddressValue {
                    at: at as u32,
                    bytes: element.min(8) as u8,
                    shift: shift.min(63) as u8,
                    target: target.wrapping_add(*offset as u32),
                });
                0
            }
            InitialiserKind::List(_) => 0,
        };
        let place = Arc::make_mut(&mut self.variables)
            .bytes
            .get_mut(at as usize..(at + element) as usize);
        if let Some(place) = place {
            for (byte, value) in place.iter_mut().zip(number.to_le_bytes()) {
                *byte = value;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::parse;

    fn with(text: &str, check: impl FnOnce(Layout<'_>)) {
        let text = format!(".version 4.2\n.target sm_20\n.address_size 32\n{text}");
        let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        check(layout(&module));
    }

    #[test]
    fn values_lie_in_their_order_aligned() {
        with(
            ".const .align 1 .b8 a[3] = {1, 2};\n.global .u32 b[2][2] = {{1}, {3, -4}};\n.const .v2 .f32 c = {0f3F800000, 1.5};",
            |layout| {
                let at = |name: &str| layout.places[name].clone().expect("a place");
                assert_eq!([at("a"), at("b"), at("c")], [0, 4, 20]);
                let words: Vec<u32> = layout.variables.bytes[4..]
                    .chunks(4)
                    .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
                    .collect();
                assert_eq!(words, [1, 0, 3, 4u32.wrapping_neg(), 0x3f80_0000, 0x3fc0_0000]);
                assert_eq!(layout.variables.bytes[..4], [1, 2, 0, 0]);
            },
        );
    }

    #[test]
    fn addresses_follow_the_place() {
        with(
            ".global .u32 a[2] = {b+4, generic(a)};\n.global .u32 b[2];\n.const .b8 c[2] = {0xff00(b), 7};",
            |layout| {
                assert!(layout.generic);
                let bytes = layout.variables.placed_at(0x1200);
                assert_eq!(bytes[..8], [0x0c, 0x12, 0, 0, 0, 0x12, 0, 0]);
                assert_eq!(bytes[16..18], [0x12, 7]);
            },
        );
    }

    #[test]
    fn unsupported_initial_values_are_errors_at_their_use() {
        with(
            ".extern .const .u32 a;\n.global .u32 b = f;\n.global .u32 c;\n.global .b8 d[999999999999];",
            |layout| {
                for (name, wanted) in [("a", "not defined"), ("b", "the address of `f`"), ("d", "more than")] {
                    let error = layout.places[name].clone().expect_err("an error");
                    assert!(error.message.contains(wanted), "{error}");
                }
                assert_eq!(layout.places["c"], Ok(4));
            },
        );
    }
}
