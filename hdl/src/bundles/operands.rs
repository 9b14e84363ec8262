//! A thread's operands, and the control of the quad exchange.

use hdlkit::prelude::*;

/// A lane's operands.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Operands {
    pub a: Bits<32>,
    pub b: Bits<32>,
    pub c: Bits<32>,
}

/// The control of FSWZ, the same for all quads of four neighbouring threads. Without `exchanges` the other fields are
/// meaningless.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QuadControl {
    /// Operand c is operand b of one thread of the quad.
    pub exchanges: Bit,
    /// The thread that broadcasts, 0 to 3.
    pub thread: Bits<2>,
    /// For threads 0 to 3, two bits each from bit 0: 0 a + c, 1 a - c, 2 c - a, 3 a + 0.
    pub operations: Bits<8>,
}
