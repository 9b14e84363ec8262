//! The values of a circuit's registers.

use hdlkit::circuit::{Structure, Visitor};
use hdlkit::kernel::shape::{value_of, Shape};
use num_bigint::BigUint;
use rust_hdl_core::atom::Atom;

/// The values of all flip-flops of a circuit, in the order of the fields.
#[derive(Default)]
pub(super) struct FlipFlops {
    /// For every open block, true if it is a register.
    open: Vec<bool>,
    found: Vec<BigUint>,
}

impl FlipFlops {
    pub fn of(block: &dyn Structure) -> Vec<BigUint> {
        let mut flip_flops = FlipFlops::default();
        block.visit("top", &mut flip_flops);
        flip_flops.found
    }
}

impl Visitor for FlipFlops {
    fn start_block(&mut self, _name: &str, block: &dyn Structure) {
        self.open.push(block.register().is_some());
    }
    fn atom(&mut self, name: &str, atom: &dyn Atom) {
        if name == "q" && self.open.last() == Some(&true) {
            self.found.push(value_of(atom, &Shape::new(&atom.descriptor())));
        }
    }
    fn end_block(&mut self) {
        self.open.pop();
    }
}
