//! Layouts of signal types, from rust-hdl's type descriptors, and values as plain integers.
//!
//! A value is one unsigned integer of the type's width; a struct's first field has the lowest bits. Values are read
//! field by field through [`VCDValue`], so structs of any width are exact.

use num_bigint::{BigInt, BigUint};
use rust_hdl_core::atom::Atom;
use rust_hdl_core::bits::clog2;
use rust_hdl_core::prelude::{TypeDescriptor, TypeKind, VCDValue};

/// The layout of a signal's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Plain bits, with their number.
    Bits(usize),
    /// Two's complement, with its number of bits.
    Signed(usize),
    /// The names of the variants in rust-hdl (`State::Idle`), in order of their values.
    Enum(Vec<String>),
    /// Fields with their names, from the lowest bits up.
    Struct(Vec<(String, Shape)>),
}

impl Shape {
    /// The layout that rust-hdl describes.
    pub fn new(descriptor: &TypeDescriptor) -> Shape {
        match &descriptor.kind {
            TypeKind::Bits(width) => Shape::Bits(*width),
            TypeKind::Signed(width) => Shape::Signed(*width),
            TypeKind::Enum(variants) => Shape::Enum(variants.clone()),
            TypeKind::Composite(fields) => Shape::Struct(
                fields
                    .iter()
                    .map(|f| (f.fieldname.clone(), Shape::new(&f.kind)))
                    .collect(),
            ),
        }
    }

    /// Width in bits.
    pub fn width(&self) -> usize {
        match self {
            Shape::Bits(width) | Shape::Signed(width) => *width,
            Shape::Enum(variants) => clog2(variants.len()),
            Shape::Struct(fields) => fields.iter().map(|(_, shape)| shape.width()).sum(),
        }
    }

    /// Lowest bit and layout of the field at `path`.
    pub fn field(&self, path: &[&str]) -> Option<(usize, &Shape)> {
        let Some((name, rest)) = path.split_first() else {
            return Some((0, self));
        };
        let Shape::Struct(fields) = self else {
            return None;
        };
        let mut low = 0;
        for (field, shape) in fields {
            if field == name {
                let (inner, shape) = shape.field(rest)?;
                return Some((low + inner, shape));
            }
            low += shape.width();
        }
        None
    }

    /// Every leaf: its path (`.a.b`, empty for a plain type), lowest bit and layout.
    pub fn leaves(&self) -> Vec<(String, usize, Shape)> {
        match self {
            Shape::Struct(fields) => {
                let mut low = 0;
                let mut leaves = vec![];
                for (field, shape) in fields {
                    for (path, inner, leaf) in shape.leaves() {
                        leaves.push((format!(".{field}{path}"), low + inner, leaf));
                    }
                    low += shape.width();
                }
                leaves
            }
            leaf => vec![(String::new(), 0, leaf.clone())],
        }
    }

    /// Calls `f` with the variants of every enum in this type.
    pub fn enums(&self, f: &mut dyn FnMut(&[String])) {
        match self {
            Shape::Enum(variants) => f(variants),
            Shape::Struct(fields) => fields.iter().for_each(|(_, shape)| shape.enums(f)),
            Shape::Bits(_) | Shape::Signed(_) => {}
        }
    }

    /// The value of a signal of this type encoded by `flat`.
    pub fn value(&self, flat: &BigUint) -> VCDValue {
        let vector = |width: usize| {
            let bits = (0..width as u64).rev().map(|index| flat.bit(index).into());
            VCDValue::Vector(bits.collect())
        };
        match self {
            Shape::Bits(width) | Shape::Signed(width) => vector(*width),
            Shape::Enum(variants) => {
                let index = usize::try_from(flat).unwrap_or(usize::MAX);
                match variants.get(index) {
                    Some(variant) => VCDValue::String(variant.rsplit("::").next().unwrap_or_default().into()),
                    None => vector(self.width()),
                }
            }
            Shape::Struct(fields) => {
                let mut low = 0;
                let mut values = vec![];
                for (_, shape) in fields {
                    let bits = low_bits(&BigInt::from(flat >> low), shape.width());
                    values.push(Box::new(shape.value(&bits)));
                    low += shape.width();
                }
                VCDValue::Composite(values)
            }
        }
    }

    /// The integer that encodes `value` in a signal of this type.
    pub fn flatten(&self, value: &VCDValue) -> BigUint {
        match (self, value) {
            (_, VCDValue::Single(bit)) => BigUint::from((*bit == vcd::Value::V1) as u8),
            (_, VCDValue::Vector(bits)) => {
                let mut flat = BigUint::default();
                for (index, bit) in bits.iter().rev().enumerate() {
                    if *bit == vcd::Value::V1 {
                        flat.set_bit(index as u64, true);
                    }
                }
                flat
            }
            (Shape::Enum(variants), VCDValue::String(name)) => {
                let is_it = |v: &String| v.rsplit("::").next() == Some(name.as_str());
                BigUint::from(variants.iter().position(is_it).unwrap_or(0))
            }
            (Shape::Struct(fields), VCDValue::Composite(values)) => {
                let mut flat = BigUint::default();
                let mut low = 0;
                for ((_, shape), value) in fields.iter().zip(values) {
                    flat |= shape.flatten(value) << low;
                    low += shape.width();
                }
                flat
            }
            _ => unreachable!("a value that is not of its own descriptor's type"),
        }
    }
}

/// The current value of `atom` as an integer.
pub fn value_of(atom: &dyn Atom, shape: &Shape) -> BigUint {
    shape.flatten(&atom.vcd())
}

/// The low `width` bits of `value`; negative values in two's complement.
pub fn low_bits(value: &BigInt, width: usize) -> BigUint {
    let mask: BigInt = (BigInt::from(1) << width) - 1;
    (value & mask).to_biguint().unwrap_or_default()
}
