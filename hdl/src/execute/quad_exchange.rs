//! FSWZ, the exchange within quads: one thread of a quad broadcasts its operand to all four.
//!
//! ```text
//!  b of threads 0 to 3 --> one of the four, or 0 --+-- or --> +, - --> c of each thread
//!  c of each thread -------------------------------+
//!  a of each thread --------------------------------------> +, - --> a of each thread
//! ```
//! Combinational, before the float units: after the exchange the instruction is an addition. FSWZ reads no operand c,
//! so c is 0 before the exchange and takes the broadcast. Its path has enough slack to lead through other lanes.

use crate::bundles::{Operands, QuadControl};
use hdlkit::prelude::*;

/// The quad exchange, for a beat of LANES threads.
#[circuit]
#[derive(Clone, Debug)]
pub struct QuadExchange<const LANES: usize> {
    pub x_quad: Signal<In, QuadControl>,
    pub x_operands: [Signal<In, Operands>; LANES],
    pub x_exchanged: [Signal<Out, Operands>; LANES],
}

impl<const LANES: usize> Logic for QuadExchange<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let control = self.x_quad.val();
        for quad in 0..LANES / 4 {
            let word = self.x_operands[quad * 4 + control.thread.index()].val().b;
            for thread in 0..4 {
                let own = self.x_operands[quad * 4 + thread].val();
                let operation = control.operations.get_bits::<2>(thread * 2);
                let exchanges = control.exchanges && operation != 3;
                let minus_a = control.exchanges && operation == 2;
                let minus_c = control.exchanges && operation == 1;
                let c = own.c | mask(exchanges, word);
                self.x_exchanged[quad * 4 + thread].next = Operands {
                    a: own.a.replace_bit(31, own.a.get_bit(31) != minus_a),
                    b: own.b,
                    c: c.replace_bit(31, c.get_bit(31) != minus_c),
                };
            }
        }
    }
}
