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
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
pub struct QuadExchange<const LANES: usize> {
    pub x_quad: Signal<In, QuadControl>,
    pub x_a: [Signal<In, Bits<32>>; LANES],
    pub x_b: [Signal<In, Bits<32>>; LANES],
    pub x_c: [Signal<In, Bits<32>>; LANES],
    pub x_quad_a: [Signal<Out, Bits<32>>; LANES],
    pub x_quad_c: [Signal<Out, Bits<32>>; LANES],

    control: Signal<Local, QuadControl>,
    word: Signal<Local, Bits<32>>,
    operation: Signal<Local, Bits<2>>,
    a: Signal<Local, Bits<32>>,
    c: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl<const LANES: usize> Logic for QuadExchange<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.control.next = self.x_quad.val();
        for quad in 0..LANES / 4 {
            self.word.next = 0.into();
            if self.control.val().exchanges {
                match self.control.val().thread.index() {
                    0 => self.word.next = self.x_b[quad * 4].val(),
                    1 => self.word.next = self.x_b[quad * 4 + 1].val(),
                    2 => self.word.next = self.x_b[quad * 4 + 2].val(),
                    _ => self.word.next = self.x_b[quad * 4 + 3].val(),
                }
            }
            for thread in 0..4 {
                self.operation.next = self.control.val().operations.get_bits::<2>(thread * 2);
                self.a.next = self.x_a[quad * 4 + thread].val();
                self.c.next = self.x_c[quad * 4 + thread].val() | self.word.val();
                if self.control.val().exchanges {
                    match self.operation.val().index() {
                        1 => self.c.next = self.c.val() ^ 0x8000_0000_u64,
                        2 => self.a.next = self.a.val() ^ 0x8000_0000_u64,
                        3 => self.c.next = self.x_c[quad * 4 + thread].val(),
                        _ => {}
                    }
                }
                self.x_quad_a[quad * 4 + thread].next = self.a.val();
                self.x_quad_c[quad * 4 + thread].next = self.c.val();
            }
        }
    }
}
