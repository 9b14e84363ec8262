//! Variables, elements of arrays and fields of structs, which statements read and write.

use super::scope::{bounded, Array, Lvalue, Structure};
use super::Generator;
use crate::tree::{Item, Node, GROUP};
use crate::types::{Scalar, Type};
use rand::Rng;

impl Generator {
    pub(super) fn add_variable(&mut self, name: &str, ty: Type, writable: bool, uniform: bool) {
        self.lvalues.push(Lvalue {
            text: name.into(),
            ty,
            writable,
            uniform,
            named: true,
        });
    }

    /// Adds an array and its elements.
    pub(super) fn add_array(&mut self, array: Array) {
        self.lvalues.push(array.element());
        self.arrays.push(array);
    }

    /// Selects one of several arrays by their indices.
    pub(super) fn one_array(&mut self, of: &[usize]) -> Array {
        let at = self.one(of);
        self.arrays[at].clone()
    }

    /// Adds the fields of a struct. `access` is its text before a field's name: a name and `.` or `->`.
    pub(super) fn add_fields(&mut self, access: &str, structure: usize, writable: bool) {
        for (field, ty, count) in self.structures[structure].fields.clone() {
            let index = if count > 1 {
                format!("[{}]", bounded(count))
            } else {
                String::new()
            };
            self.lvalues.push(Lvalue {
                text: format!("{access}{field}{index}"),
                ty,
                writable,
                uniform: false,
                named: false,
            });
        }
    }

    /// Defines the struct types of the kernel.
    pub(super) fn define_structures(&mut self) {
        let count = self.below(3);
        for _ in 0..count {
            let name = self.name("s", true);
            let fields: Vec<_> = (0..2 + self.below(4))
                .map(|at| {
                    let ty = self.ty();
                    let count = if ty.bytes() <= 8 && self.percent(25) { 4 } else { 1 };
                    (format!("f{at}"), ty, count)
                })
                .collect();
            let mut text = format!("struct {name} {{");
            for (field, ty, count) in &fields {
                let array = if *count > 1 {
                    format!("[{count}]")
                } else {
                    String::new()
                };
                text += &format!(" {ty} {field}{array};");
            }
            self.items.push(Item {
                name: name.clone(),
                text: text + " };",
            });
            self.structures.push(Structure { name, fields });
        }
    }

    /// Defines tables in constant memory.
    pub(super) fn define_tables(&mut self) {
        let count = self.below(3);
        for _ in 0..count {
            let name = self.name("c", true);
            let ty = self.ty();
            let count = self.one(&[4, 5, 16]);
            let mut values = String::new();
            for at in 0..count {
                let comma = if at == 0 { "" } else { ", " };
                values += comma;
                self.literal(ty).print(&mut values);
            }
            self.items.push(Item {
                name: name.clone(),
                text: format!("constant {ty} {name}[{count}] = {{{values}}};"),
            });
            self.add_array(Array {
                text: name,
                space: "constant ",
                ty,
                count,
                writable: false,
            });
        }
    }

    /// Adds an array in the group's local memory; `text` declares or initialises it.
    pub(super) fn define_local(&mut self, name: String, ty: Type, text: String) {
        self.locals.push(Item {
            name: name.clone(),
            text,
        });
        self.add_array(Array {
            text: name,
            space: "local ",
            ty,
            count: GROUP,
            writable: false,
        });
    }

    /// Random literal.
    pub(super) fn literal(&mut self, ty: Type) -> Node {
        if ty.is_vector() {
            let element = Type::of(ty.scalar);
            let count = if self.percent(50) { 1 } else { ty.lanes };
            let mut text = format!("({ty})(");
            for at in 0..count {
                let comma = if at == 0 { "" } else { ", " };
                text += comma;
                self.literal(element).print(&mut text);
            }
            return Node::leaf(ty, format!("({text}))"));
        }
        let text = match ty.scalar {
            Scalar::Float => {
                let quarters: i32 = self.random.gen_range(-64..=64);
                format!("({:?}f)", f64::from(quarters) * 0.25)
            }
            Scalar::Double => format!("({:?})", self.real()),
            scalar => integer(scalar, self.number()),
        };
        Node::leaf(ty, text)
    }

    /// Random number of any size, or near a limit of a type's range.
    pub(super) fn number(&mut self) -> u64 {
        let near: u64 = self.random.gen_range(0..7u64).wrapping_sub(3);
        match self.below(5) {
            0 | 1 => near,
            2 => (1u64 << self.below(64)).wrapping_add(near),
            3 => self.random.gen(),
            _ => self.random.gen::<u64>() >> self.below(64),
        }
    }
}

/// Literal of a type with the low bits of a number.
pub(super) fn integer(scalar: Scalar, number: u64) -> String {
    let (name, bits) = (scalar.name(), scalar.bits());
    let low = number & (u64::MAX >> (64 - bits));
    let suffix = if bits == 64 { "ul" } else { "u" };
    match scalar {
        Scalar::Uint | Scalar::Ulong => format!("{low}{suffix}"),
        Scalar::Uchar | Scalar::Ushort => format!("(({name}){low})"),
        _ => {
            let signed = ((low << (64 - bits)) as i64) >> (64 - bits);
            if scalar == Scalar::Int && signed.unsigned_abs() < 1 << 31 {
                format!("({signed})")
            } else {
                format!("(({name})0x{low:x}{suffix})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_written_as_text() {
        for (scalar, number, text) in [
            (Scalar::Int, 5, "(5)"),
            (Scalar::Int, u64::MAX, "(-1)"),
            (Scalar::Int, 1 << 31, "((int)0x80000000u)"),
            (Scalar::Char, 0x1ff, "((char)0xffu)"),
            (Scalar::Ushort, 0x1_0005, "((ushort)5)"),
            (Scalar::Ulong, u64::MAX, "18446744073709551615ul"),
            (Scalar::Long, u64::MAX, "((long)0xfffffffffffffffful)"),
        ] {
            assert_eq!(integer(scalar, number), text);
        }
    }

    #[test]
    fn indices_are_bounded() {
        assert_eq!(bounded(8), "$0 & 7u");
        assert_eq!(bounded(40), "$0 % 40u");
    }
}
