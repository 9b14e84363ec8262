//! Variables, arrays, structs, functions, counters and jumps that a statement of the kernel may use.

use crate::types::{Scalar, Type};

/// A variable or element that can be read.
#[derive(Clone, Debug)]
pub(super) struct Lvalue {
    /// OpenCL C. `$0` stands for an index of type `uint`, which the text reduces to the bounds.
    pub text: String,
    pub ty: Type,
    /// True if the variable or element can be written.
    pub writable: bool,
    /// True if it has the same value in all work-items of a group.
    pub uniform: bool,
    /// True for a variable, whose address is `&` and its name.
    pub named: bool,
}

/// An array with readable elements.
#[derive(Clone, Debug)]
pub(super) struct Array {
    /// Expression for the address of the first element.
    pub text: String,
    /// Address space, followed by a space; empty for private memory.
    pub space: &'static str,
    pub ty: Type,
    pub count: usize,
    pub writable: bool,
}

/// A struct type. For each field: name, type, and number of elements, which is 1 unless the field is an array.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub name: String,
    pub fields: Vec<(String, Type, usize)>,
}

/// Reduces the index `$0` to a number of elements.
///
/// # Panics
/// Panics if `count` is 0.
pub(super) fn bounded(count: usize) -> String {
    assert!(count > 0, "an index into nothing");
    if count.is_power_of_two() {
        format!("$0 & {}u", count - 1)
    } else {
        format!("$0 % {count}u")
    }
}

impl Array {
    /// Returns an element at a free index.
    pub fn element(&self) -> Lvalue {
        Lvalue {
            text: format!("({})[{}]", self.text, bounded(self.count)),
            ty: self.ty,
            writable: self.writable,
            uniform: false,
            named: false,
        }
    }
}

/// Type of a function's parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Taken {
    /// A scalar or vector.
    Value(Type),
    /// A struct, by its index.
    Structure(usize),
    /// A pointer to a struct that the function may write.
    StructurePointer(usize),
    /// A pointer to a variable that the function may write.
    Pointer(Type),
    /// A pointer to elements that the function only reads: address space, type and number of elements.
    Array(&'static str, Type, usize),
}

/// Name, result type and parameters of a function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub name: String,
    pub result: Type,
    pub takes: Vec<Taken>,
}

impl Signature {
    /// True if the function writes nothing through pointers. Then the order of its calls does not matter.
    pub fn is_pure(&self) -> bool {
        !self
            .takes
            .iter()
            .any(|taken| matches!(taken, Taken::Pointer(_) | Taken::StructurePointer(_)))
    }
}

/// Cells in global or local memory.
#[derive(Clone, Debug)]
pub(super) struct Counters {
    pub name: String,
    pub scalar: Scalar,
    /// The tickets given to statements.
    pub tickets: usize,
}

/// A jump that a statement may contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Jump {
    /// `break`, `continue`, `return` or `goto L`.
    pub text: String,
    /// True if only all work-items of a group may take it together, because barriers can follow or surround it.
    pub together: bool,
}
