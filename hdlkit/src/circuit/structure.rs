//! What a circuit consists of, shown to a visitor: blocks, bundles, signals, and the kernels' syntax.
//!
//! rust-hdl's `Block::accept` does that, too, but hands each block over with all that it can do, its kernel included. A program
//! that looks at a circuit to export or compile it would hold the machine code of kernels that it never runs, once for
//! every size. Only what is named here is in a program that has a `dyn Structure`.
//!
//! `#[derive(Cycle)]`, `#[derive(CycleInterface)]` and `#[derive(Leaf)]` write it; `#[derive(Structure)]` does so for a block
//! without [`Cycle`](crate::Cycle).

use super::primitive::Primitive;
use super::signal::{Directed, Signal, DFF};
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::atom::Atom;
use rust_hdl_core::logic::Logic;
use rust_hdl_core::prelude::{Constant, Synth, VCDValue};

/// A circuit, or a part of one.
pub trait Structure {
    /// Shows this part, which is called `name`, and all that is in it, in the order of the fields.
    fn visit(&self, name: &str, visitor: &mut dyn Visitor);
    /// Of a block, its type's name, without path and sizes; nothing if it is known by its place in the circuit, as a memory
    /// is.
    fn type_name(&self) -> &'static str {
        ""
    }
    /// The kernel's syntax, or what stands for it.
    fn hdl(&self) -> Verilog {
        Verilog::Empty
    }
    /// What a register holds at first; None of what is no register. Whoever looks at a circuit knows a register by this, and its
    /// signals by their names: `d`, `q` and `clock`.
    fn register(&self) -> Option<VCDValue> {
        None
    }
    /// The leaves without a kernel that are in this part, in the order of the fields, for the compiled engine: memories
    /// and blocks whose Verilog is written by hand. A register is none.
    fn primitives(&self, _found: &mut Vec<Primitive>) {}
}

/// What is told of a circuit.
pub trait Visitor {
    /// A block begins.
    fn start_block(&mut self, _name: &str, _block: &dyn Structure) {}
    /// It ends.
    fn end_block(&mut self) {}
    /// A bundle of signals begins: a `LogicInterface`.
    fn start_bundle(&mut self, _name: &str) {}
    /// It ends.
    fn end_bundle(&mut self) {}
    /// A signal or a constant.
    fn atom(&mut self, _name: &str, _atom: &dyn Atom) {}
}

impl<D: Directed, T: Synth> Structure for Signal<D, T> {
    fn visit(&self, name: &str, visitor: &mut dyn Visitor) {
        visitor.atom(name, self);
    }
}

impl<T: Synth> Structure for Constant<T> {
    fn visit(&self, name: &str, visitor: &mut dyn Visitor) {
        visitor.atom(name, self);
    }
}

impl<T: Synth> Structure for DFF<T> {
    fn visit(&self, name: &str, visitor: &mut dyn Visitor) {
        visitor.start_block(name, self);
        self.d.visit("d", visitor);
        self.q.visit("q", visitor);
        self.clock.visit("clock", visitor);
        visitor.end_block();
    }
    fn hdl(&self) -> Verilog {
        Logic::hdl(self)
    }
    fn register(&self) -> Option<VCDValue> {
        Some(T::default().vcd())
    }
}

impl<T: Structure> Structure for [T] {
    fn visit(&self, name: &str, visitor: &mut dyn Visitor) {
        for (index, part) in self.iter().enumerate() {
            part.visit(&format!("{name}${index}"), visitor);
        }
    }
    fn primitives(&self, found: &mut Vec<Primitive>) {
        self.iter().for_each(|part| part.primitives(found));
    }
}

impl<T: Structure, const N: usize> Structure for [T; N] {
    fn visit(&self, name: &str, visitor: &mut dyn Visitor) {
        self[..].visit(name, visitor);
    }
    fn primitives(&self, found: &mut Vec<Primitive>) {
        self[..].primitives(found);
    }
}

impl<T: Structure> Structure for Vec<T> {
    fn visit(&self, name: &str, visitor: &mut dyn Visitor) {
        self[..].visit(name, visitor);
    }
    fn primitives(&self, found: &mut Vec<Primitive>) {
        self[..].primitives(found);
    }
}
