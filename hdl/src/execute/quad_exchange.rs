//! FSWZ: one thread of each quad gives its operand to all four.
//!
//! ```text
//!  b of threads 0 to 3 --> which --> minus, nothing --+-- or --> c of each thread
//!  c of each thread ----------------------------------+
//!  a of each thread --> minus ----------------------------------> a of each thread
//! ```
//! Combinational, before the float units: after the exchange the instruction is an addition. c then has no source of
//! its own and is 0; it is the operand with enough slack for a path through other lanes.

use hdlkit::prelude::*;

/// The operation of the quads' threads; the same for all quads. Without `exchanges` the other fields are meaningless.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QuadControl {
    /// Operand c is operand b of one thread of the quad.
    pub exchanges: Bit,
    /// The thread, 0 to 3.
    pub thread: Bits<2>,
    /// For threads 0 to 3, two bits each from bit 0: 0 a + c, 1 a - c, 2 c - a, 3 a + 0.
    pub operations: Bits<8>,
}

/// The exchange, for a beat of LANES threads.
#[circuit]
#[derive(Clone, Debug)]
pub struct QuadExchange<const LANES: usize> {
    pub x_quad: Signal<In, QuadControl>,
    pub x_a: [Signal<In, Bits<32>>; LANES],
    pub x_b: [Signal<In, Bits<32>>; LANES],
    pub x_c: [Signal<In, Bits<32>>; LANES],
    pub x_quad_a: [Signal<Out, Bits<32>>; LANES],
    pub x_quad_c: [Signal<Out, Bits<32>>; LANES],
}

impl<const LANES: usize> Logic for QuadExchange<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let control = self.x_quad.val();
        for quad in 0..LANES / 4 {
            let word = match control.thread.index() {
                0 => self.x_b[quad * 4].val(),
                1 => self.x_b[quad * 4 + 1].val(),
                2 => self.x_b[quad * 4 + 2].val(),
                _ => self.x_b[quad * 4 + 3].val(),
            };
            for thread in 0..4 {
                let a = self.x_a[quad * 4 + thread].val();
                let c = self.x_c[quad * 4 + thread].val();
                let operation = control.operations.get_bits::<2>(thread * 2);
                let exchanges = control.exchanges && operation != 3;
                let minus_a = control.exchanges && operation == 2;
                let minus_c = control.exchanges && operation == 1;
                let exchanged = c | mask(exchanges, word);
                self.x_quad_a[quad * 4 + thread].next = a.replace_bit(31, a.get_bit(31) != minus_a);
                self.x_quad_c[quad * 4 + thread].next = exchanged.replace_bit(31, exchanged.get_bit(31) != minus_c);
            }
        }
    }
}
