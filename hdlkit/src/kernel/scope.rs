//! The contents of a block, collected by a visit: its signals, its children and its kernel.

use super::shape::{value_of, Shape};
use super::syntax::notation::{kernel_and_given, Given};
use super::syntax::source_text::pretty;
use super::syntax::Block;
use crate::circuit::{Structure, Visitor};
use num_bigint::BigUint;
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::atom::{Atom, AtomKind};
use rust_hdl_core::prelude::VCDValue;

/// A signal or constant of a block.
#[derive(Clone, Debug)]
pub struct AtomInfo {
    /// The signal's index in visiting order.
    pub index: usize,
    /// The name in the kernel's notation: `bus$data`, `value$3`.
    pub key: String,
    /// The direction or other kind.
    pub kind: AtomKind,
    /// The layout of the type.
    pub shape: Shape,
    /// True if the type is `Clock`.
    pub clock: bool,
    /// The value at the time of the visit; for a constant, its value.
    pub value: BigUint,
}

/// One block.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The path for messages and options: `top.lanes[3].alu`.
    pub path: String,
    /// The name in the parent's kernel: `lanes$3`.
    pub instance: String,
    /// The type's name, without path and sizes; empty if the block is named for its position.
    pub type_name: &'static str,
    /// The block's own signals and constants.
    pub atoms: Vec<AtomInfo>,
    /// The blocks in it.
    pub children: Vec<Scope>,
    /// The statements of the kernel; `None` for a block without one.
    pub kernel: Option<Block>,
    /// The texts that the kernel was parsed from.
    given: Vec<Given>,
    /// The Verilog in place of a kernel.
    pub hdl: Verilog,
    /// A register's initial value.
    pub register: Option<BigUint>,
}

impl Scope {
    /// True if [`unroll`](super::unroll::unroll) has the same result for both scopes, except for the paths in problems.
    /// Their kernels and all names available to the kernels must be equal.
    pub fn unrolls_as(&self, other: &Scope) -> bool {
        let named = |one: &AtomInfo, other: &AtomInfo| {
            (one.kind, one.clock) == (other.kind, other.clock)
                && one.key == other.key
                && one.shape == other.shape
                && (one.kind != AtomKind::Constant || one.value == other.value)
        };
        let all_named = |one: &[AtomInfo], other: &[AtomInfo]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| named(one, other))
        };
        let parts = |one: &Scope, other: &Scope| {
            one.instance == other.instance
                && one.register.is_some() == other.register.is_some()
                && all_named(&one.atoms, &other.atoms)
        };
        self.kernel.is_some() == other.kernel.is_some()
            && self.given == other.given
            && all_named(&self.atoms, &other.atoms)
            && self.children.len() == other.children.len()
            && self
                .children
                .iter()
                .zip(&other.children)
                .all(|(one, other)| parts(one, other))
    }
}

/// A block that is being visited.
struct Open {
    scope: Scope,
    /// Open bundles within the block.
    namespace: Vec<String>,
    /// A register's initial value.
    register: Option<VCDValue>,
}

#[derive(Default)]
struct Collector {
    open: Vec<Open>,
    atoms: usize,
    done: Vec<Scope>,
    /// True to collect only the signals outside children, and no kernel.
    shallow: bool,
    /// The number of open children that are skipped.
    left_out: usize,
}

impl Visitor for Collector {
    fn start_block(&mut self, name: &str, block: &dyn Structure) {
        if self.shallow && !self.open.is_empty() {
            self.left_out += 1;
            return;
        }
        let path = match self.open.last() {
            Some(parent) => format!("{}.{}", parent.scope.path, pretty(name)),
            None => pretty(name),
        };
        let (kernel, given) = match self.shallow {
            true => (Err(Verilog::Empty), vec![]),
            false => kernel_and_given(|| block.hdl()),
        };
        let (kernel, hdl) = match kernel {
            Ok(kernel) => (Some(kernel.block), Verilog::Empty),
            Err(hdl) => (None, hdl),
        };
        let scope = Scope {
            path,
            instance: name.to_string(),
            type_name: block.type_name(),
            atoms: vec![],
            children: vec![],
            kernel,
            given,
            hdl,
            register: None,
        };
        self.open.push(Open {
            scope,
            namespace: vec![],
            register: block.register(),
        });
    }

    fn start_bundle(&mut self, name: &str) {
        if let Some(Open { namespace, .. }) = self.open.last_mut() {
            namespace.push(name.to_string());
        }
    }

    fn atom(&mut self, name: &str, atom: &dyn Atom) {
        let index = self.atoms;
        self.atoms += 1;
        if self.left_out > 0 {
            return;
        }
        if let Some(Open { scope, namespace, .. }) = self.open.last_mut() {
            let mut key = namespace.join("$");
            if !key.is_empty() {
                key.push('$');
            }
            key.push_str(name);
            let descriptor = atom.descriptor();
            let shape = Shape::new(&descriptor);
            let value = value_of(atom, &shape);
            scope.atoms.push(AtomInfo {
                index,
                key,
                kind: atom.kind(),
                clock: descriptor.name == "clock",
                shape,
                value,
            });
        }
    }

    fn end_bundle(&mut self) {
        if let Some(Open { namespace, .. }) = self.open.last_mut() {
            namespace.pop();
        }
    }

    fn end_block(&mut self) {
        if self.left_out > 0 {
            self.left_out -= 1;
            return;
        }
        if let Some(Open {
            mut scope, register, ..
        }) = self.open.pop()
        {
            let q = scope.atoms.iter().find(|atom| atom.key == "q");
            scope.register = register.zip(q).map(|(value, q)| q.shape.flatten(&value));
            match self.open.last_mut() {
                Some(parent) => parent.scope.children.push(scope),
                None => self.done.push(scope),
            }
        }
    }
}

/// The tree of blocks under `block`, called `name`; `None` if it is not a single block (an array, a signal).
pub fn collect(block: &dyn Structure, name: &str) -> Option<Scope> {
    collected(block, name, Collector::default())
}

/// Like [`collect`], without children and kernel: a search for ports needs neither, and collecting them takes longer
/// than most runs.
pub fn collect_signals(block: &dyn Structure, name: &str) -> Option<Scope> {
    let shallow = Collector {
        shallow: true,
        ..Collector::default()
    };
    collected(block, name, shallow)
}

fn collected(block: &dyn Structure, name: &str, mut collector: Collector) -> Option<Scope> {
    block.visit(name, &mut collector);
    if collector.done.len() == 1 {
        collector.done.pop()
    } else {
        None
    }
}
