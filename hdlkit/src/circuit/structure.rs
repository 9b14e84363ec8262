//! Traversal of a circuit's contents by a visitor: blocks, bundles, signals, and the kernels' syntax.
//!
//! rust-hdl's `Block::accept` does this too, but passes each block as a trait object with all its methods, including
//! its kernel. A program that only exports or compiles a circuit would then contain the machine code of kernels that it
//! never runs, once for every size. A program with a `dyn Structure` contains only the methods below.
//!
//! `#[derive(Cycle)]`, `#[derive(CycleInterface)]` and `#[derive(Leaf)]` implement it; `#[derive(Structure)]` does so
//! for a block without [`Cycle`](crate::Cycle).

use super::primitive::Primitive;
use super::signal::{Directed, Signal, DFF};
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::atom::Atom;
use rust_hdl_core::logic::Logic;
use rust_hdl_core::prelude::{Constant, Synth, VCDValue};

/// A circuit, or a part of one.
pub trait Structure {
    /// Visits this part, called `name`, and its contents, in the order of the fields.
    fn visit(&self, name: &str, visitor: &mut dyn Visitor);
    /// A block's type name, without path and sizes; empty if the block is named for its position in the circuit, like a
    /// memory.
    fn type_name(&self) -> &'static str {
        ""
    }
    /// The syntax of the kernel, or its substitute.
    fn hdl(&self) -> Verilog {
        Verilog::Empty
    }
    /// A register's initial value; None for anything else. This identifies a register; its signals have the names `d`,
    /// `q` and `clock`.
    fn register(&self) -> Option<VCDValue> {
        None
    }
    /// Collects the leaves without a kernel in this part, in the order of the fields, for the compiled engine: memories
    /// and blocks with Verilog written by hand, without registers.
    fn primitives(&self, _found: &mut Vec<Primitive>) {}
}

/// The receiver of a visit to a circuit.
pub trait Visitor {
    /// Called at the start of a block.
    fn start_block(&mut self, _name: &str, _block: &dyn Structure) {}
    /// Called at the end of a block.
    fn end_block(&mut self) {}
    /// Called at the start of a bundle of signals: a `LogicInterface`.
    fn start_bundle(&mut self, _name: &str) {}
    /// Called at the end of a bundle.
    fn end_bundle(&mut self) {}
    /// Called for a signal or a constant.
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

/// Calls `element` with the name of each element of an array in rust-hdl's hierarchy. Compiled once, not for every
/// type.
fn for_each_name(array: &str, count: usize, element: &mut dyn FnMut(usize, &str)) {
    for index in 0..count {
        element(index, &format!("{array}${index}"));
    }
}

impl<T: Structure> Structure for [T] {
    fn visit(&self, name: &str, visitor: &mut dyn Visitor) {
        for_each_name(name, self.len(), &mut |index, name| self[index].visit(name, visitor));
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
