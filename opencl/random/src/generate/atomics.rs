//! Atomic functions whose results do not depend on the order in which work-items call them.
//!
//! Each cell of a buffer of counters has operations of only one kind, which commute: sums, minima, maxima and so on.
//! Returned values are used in only two cases. A ticket cell is only incremented, by a single statement, and all
//! work-items add their tickets, times the same factor, to a sum. The element of a buffer that belongs to a work-item
//! may have any operation.

use super::parameters::{OUTPUTS, RESULTS};
use super::scope::{Array, Counters};
use super::Generator;
use crate::tree::{Argument, Item, Node, Statement};
use crate::types::{Scalar, Type};

/// Operations that commute. Each list has [`EACH`] cells.
const KINDS: &[&[&str]] = &[
    &["add", "sub", "inc", "dec"],
    &["min"],
    &["max"],
    &["and"],
    &["or"],
    &["xor"],
];
const EACH: usize = 2;
/// Cells for tickets, after all kinds.
const TICKETS: usize = 4;
const CELLS: usize = KINDS.len() * EACH + TICKETS;

impl Generator {
    /// Defines buffers of counters, and local ones if all work-items of a group stay together.
    pub(super) fn define_counters(&mut self) {
        for _ in 0..self.below(3) {
            let scalar = self.one(&[Scalar::Int, Scalar::Uint, Scalar::Long, Scalar::Ulong]);
            let name = self.name("n", false);
            let bytes = self.bytes(Type::of(scalar), CELLS);
            let declaration = format!("global {} *{name}", scalar.name());
            self.add_parameter(&name, declaration, Argument::Buffer(bytes));
            self.add_counters(name, scalar);
        }
        if self.together && self.percent(60) {
            let scalar = self.one(&[Scalar::Int, Scalar::Uint, Scalar::Uint, Scalar::Ulong]);
            let name = self.name("n", false);
            let ty = scalar.name();
            self.locals.push(Item {
                name: name.clone(),
                text: format!("local {ty} {name}[{CELLS}]; if (lid < {CELLS}) {name}[lid] = ({ty})(lid * 77);"),
            });
            self.local_counters.push(name.clone());
            self.add_counters(name, scalar);
        }
    }

    fn add_counters(&mut self, name: String, scalar: Scalar) {
        self.counters.push(Counters {
            name,
            scalar,
            tickets: 0,
        });
    }

    /// Returns statements that add the local counters to the results, after all statements that change the counters.
    pub(super) fn leave_counters(&self) -> Vec<Statement> {
        let text = |name: &String| {
            format!("barrier(CLK_LOCAL_MEM_FENCE); {RESULTS}[gid * {OUTPUTS}] += (ulong){name}[lid % {CELLS}u];")
        };
        let names = self.local_counters.iter();
        names.map(|name| Node::statement(text(name), Vec::new())).collect()
    }

    /// Generates a call of an atomic function.
    pub(super) fn atomic(&mut self) -> Option<Statement> {
        // The order in which an expression calls functions is not defined, so functions have no such effects.
        if self.in_function {
            return None;
        }
        if self.percent(40) {
            if let Some(own) = self.own_atomic() {
                return Some(own);
            }
        }
        if self.counters.is_empty() {
            return None;
        }
        let at = self.below(self.counters.len());
        let Counters { name, scalar, tickets } = self.counters[at].clone();
        let ty = Type::of(scalar);
        let kind = match scalar.bits() {
            64 => 0,
            _ => self.below(KINDS.len()),
        };
        let prefix = self.prefix(scalar);
        let operation = self.one(KINDS[kind]);
        let cell = format!("{name}[{} + ($1 & {}u)]", kind * EACH, EACH - 1);
        let index = self.expression(Type::UINT, 1);
        let text = match operation {
            "inc" | "dec" => format!("{prefix}_{operation}(&{cell});"),
            _ => format!("{prefix}_{operation}(&{cell}, $0);"),
        };
        if tickets < TICKETS && self.percent(25) {
            self.counters[at].tickets += 1;
            let ticket = format!("{prefix}_inc(&{name}[{}])", KINDS.len() * EACH + tickets);
            let factor = 2 * self.below(1000) + 1;
            let text = format!("{prefix}_add(&{name}[0], ({ty})({factor}u * (uint){ticket}));");
            return Some(Node::statement(text, Vec::new()));
        }
        let value = self.expression(ty, 2);
        Some(Node::statement(text, vec![value, index]))
    }

    /// Returns a function's prefix: `atom` of OpenCL 1.0, or `atomic` of later versions, which has no 64-bit functions.
    fn prefix(&mut self, scalar: Scalar) -> &'static str {
        match scalar.bits() {
            64 => "atom",
            _ => self.one(&["atom", "atomic"]),
        }
    }

    /// Generates any operation on an element that only this work-item uses. Its result is stored.
    fn own_atomic(&mut self) -> Option<Statement> {
        let scalars = [Scalar::Int, Scalar::Uint, Scalar::Long, Scalar::Ulong];
        let suits: Vec<usize> = (0..self.arrays.len())
            .filter(|at| {
                let Array {
                    space, ty, writable, ..
                } = &self.arrays[*at];
                *writable && *space == "global " && scalars.iter().any(|&scalar| *ty == Type::of(scalar))
            })
            .collect();
        if suits.is_empty() {
            return None;
        }
        let array = self.one_array(&suits);
        let ty = array.ty;
        let target = self.writable(|lvalue| lvalue.ty == ty)?;
        let target = self.at(&target);
        let operations: &[&str] = match ty.scalar.bits() {
            64 => &["add", "sub", "inc", "dec", "xchg", "cmpxchg"],
            _ => &[
                "add", "sub", "inc", "dec", "xchg", "cmpxchg", "min", "max", "and", "or", "xor",
            ],
        };
        let (prefix, operation) = (self.prefix(ty.scalar), self.one(operations));
        let arguments = match operation {
            "inc" | "dec" => "",
            "cmpxchg" => ", $2, $3",
            _ => ", $2",
        };
        let cell = array.element().text.replace("$0", "$1");
        let index = self.index();
        let (value, other) = (self.expression(ty, 2), self.expression(ty, 1));
        let text = format!("{{ {ty} old = {prefix}_{operation}(&{cell}{arguments}); $0 = old; }}");
        Some(Node::statement(text, vec![target, index, value, other]))
    }
}
