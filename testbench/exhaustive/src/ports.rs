//! The bits of a structured port. rust-hdl's own description gives the positions of its fields, with the first one
//! lowest.

use hdlkit::prelude::{Synth, TypeDescriptor, TypeKind, VCDValue};

/// A field that has no fields itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortField {
    /// The name, prefixed by the names of the enclosing fields: `indexing.offset`.
    pub name: String,
    /// The lowest bit of the field.
    pub low: usize,
    /// The width in bits.
    pub width: usize,
}

/// The number of bits that encode one of `variants` variants.
fn choice_bits(variants: usize) -> usize {
    variants.next_power_of_two().trailing_zeros() as usize
}

/// The fields of a port of type `T`, in order.
pub fn port_fields<T: Synth>() -> Vec<PortField> {
    fn add(port_fields: &mut Vec<PortField>, name: &str, descriptor: &TypeDescriptor) {
        let width = match &descriptor.kind {
            TypeKind::Composite(fields) => {
                for field in fields {
                    let dot = if name.is_empty() { "" } else { "." };
                    add(port_fields, &format!("{name}{dot}{}", field.fieldname), &field.kind);
                }
                return;
            }
            TypeKind::Enum(variants) => choice_bits(variants.len()),
            TypeKind::Bits(width) | TypeKind::Signed(width) => *width,
        };
        let low = port_fields.last().map_or(0, |last| last.low + last.width);
        let name = name.to_owned();
        port_fields.push(PortField { name, low, width });
    }
    let mut found = vec![];
    add(&mut found, "", &T::descriptor());
    found
}

/// The bits of a value, lowest first; `None` for a type that is not supported here.
pub fn bits<T: Synth>(value: T) -> Option<Vec<bool>> {
    fn add(bits: &mut Vec<bool>, descriptor: &TypeDescriptor, value: &VCDValue) -> Option<()> {
        match (&descriptor.kind, value) {
            (TypeKind::Composite(fields), VCDValue::Composite(values)) if fields.len() == values.len() => {
                let mut pairs = fields.iter().zip(values);
                pairs.try_for_each(|(field, value)| add(bits, &field.kind, value))?;
            }
            (TypeKind::Enum(variants), VCDValue::String(name)) => {
                let is = |variant: &String| variant.rsplit("::").next() == Some(name);
                let place = variants.iter().position(is)?;
                bits.extend((0..choice_bits(variants.len())).map(|bit| place >> bit & 1 == 1));
            }
            // The vector has the highest bit first.
            (TypeKind::Bits(width), VCDValue::Vector(vector)) if vector.len() == *width => {
                bits.extend(vector.iter().rev().map(|bit| format!("{bit}") == "1"));
            }
            (TypeKind::Bits(1), VCDValue::Single(bit)) => bits.push(format!("{bit}") == "1"),
            _ => return None,
        }
        Some(())
    }
    let mut found = vec![];
    add(&mut found, &T::descriptor(), &value.vcd())?;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_hdl::bundles::{Operand, Part, Source};
    use hdlkit::prelude::Bits;

    #[test]
    fn fields_match_the_bits_of_values() {
        let operand = Operand {
            source: Source::Special,
            register_used: true,
            register: Bits::new(0x2c),
            part: Part::High,
        };
        let bits = bits(operand).unwrap();
        let number =
            |field: &PortField| (0..field.width).fold(0, |n, bit| n | usize::from(bits[field.low + bit]) << bit);
        let found: Vec<_> = port_fields::<Operand>()
            .iter()
            .map(|field| (field.name.clone(), number(field)))
            .collect();
        let expected = [
            ("source", Source::Special as usize),
            ("register_used", 1),
            ("register", 0x2c),
            ("part", 2),
        ];
        assert_eq!(found, expected.map(|(name, number)| (name.to_owned(), number)));
        let last = port_fields::<Operand>().pop().unwrap();
        assert_eq!(bits.len(), last.low + last.width);
    }
}
