//! A lane's operands: in r1 the words that have arrived, each through its gates, into the registers of the units.

use super::OperandGates;
use hdlkit::prelude::*;

/// A lane's operands.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Operands {
    pub a: Bits<32>,
    pub b: Bits<32>,
    pub c: Bits<32>,
}

/// One lane's operands; `x_a`, `x_b` and `x_c` are valid in the cycle after the inputs.
#[circuit]
pub struct OperandLane {
    pub clock: Signal<In, Clock>,
    pub r1_a: Signal<In, OperandGates>,
    pub r1_b: Signal<In, OperandGates>,
    pub r1_c: Signal<In, OperandGates>,
    /// The part of each operand that is the same for all lanes, else 0.
    pub r1_value_a: Signal<In, Bits<32>>,
    pub r1_value_b: Signal<In, Bits<32>>,
    pub r1_value_c: Signal<In, Bits<32>>,
    pub r1_register_1: Signal<In, Bits<32>>,
    pub r1_register_2: Signal<In, Bits<32>>,
    pub r1_register_3: Signal<In, Bits<32>>,
    /// The thread's condition code if that is operand a: Z = bit 0, S = bit 1, C = bit 2, O = bit 3; or the lane's
    /// number if it is part of operand a; else 0.
    pub r1_code: Signal<In, Bits<5>>,
    /// The thread's address register, and its gathered operand.
    pub r1_address: Signal<In, Bits<16>>,
    pub r1_gathered: Signal<In, Bits<32>>,
    /// Whether the beat is for the integer unit, and whether for the float or special function units.
    pub r1_integer: Signal<In, Bit>,
    pub r1_float: Signal<In, Bit>,
    /// The beat belongs to a memory instruction or R2G.
    pub r1_memory: Signal<In, Bit>,
    /// Operands of the integer unit's beats, and of the float unit's; no unit's inputs change for other beats. The
    /// special function units take a.
    pub x_a: Signal<Out, Bits<32>>,
    pub x_b: Signal<Out, Bits<32>>,
    pub x_c: Signal<Out, Bits<32>>,
    pub x_float_a: Signal<Out, Bits<32>>,
    pub x_float_b: Signal<Out, Bits<32>>,
    pub x_float_c: Signal<Out, Bits<32>>,
    /// The operands a and b of the memory unit and R2G: a whole register or the address register, and a register or
    /// half of one. The memory unit is far from the lanes, so these leave out everything that arrives late, above all a
    /// shared word.
    pub m_address: Signal<Out, Bits<32>>,
    pub m_data: Signal<Out, Bits<32>>,

    x1: DFF<Operands>,
    x1_float: DFF<Operands>,
    m1_address: DFF<Bits<32>>,
    m1_data: DFF<Bits<32>>,
}

/// The halves of a word whose gates are open, in place.
#[hdl_fn]
fn halves(lower: Bit, upper: Bit, word: Bits<32>) -> Bits<32> {
    mask(lower, word & 0xffff) | mask(upper, word & 0xffff_0000)
}

impl Logic for OperandLane {
    #[hdl_gen]
    fn update(&mut self) {
        let gates_a = self.r1_a.val();
        let gates_b = self.r1_b.val();
        let gates_c = self.r1_c.val();
        let register_1 = self.r1_register_1.val();
        let register_2 = self.r1_register_2.val();
        let register_3 = self.r1_register_3.val();
        let gathered = self.r1_gathered.val();
        let address = mask(gates_a.address, self.r1_address.val().resize::<32>());
        let a = self.r1_value_a.val()
            | self.r1_code.val().resize()
            | halves(gates_a.register_lower, gates_a.register_upper, register_1)
            | mask(gates_a.register_high, register_1 >> 16)
            | halves(gates_a.gathered_lower, gates_a.gathered_upper, gathered)
            | address;
        let register_b = halves(gates_b.register_lower, gates_b.register_upper, register_2)
            | mask(gates_b.register_high, register_2 >> 16);
        let b = self.r1_value_b.val() | register_b | halves(gates_b.gathered_lower, gates_b.gathered_upper, gathered);
        // Source 3 is always a whole register.
        let c = self.r1_value_c.val()
            | halves(gates_c.register_lower, gates_c.register_upper, register_3)
            | halves(gates_c.gathered_lower, gates_c.gathered_upper, gathered);

        if self.r1_integer.val() {
            self.x1.d.next = Operands { a, b, c };
        }
        if self.r1_float.val() {
            self.x1_float.d.next = Operands { a, b, c };
        }
        if self.r1_memory.val() {
            self.m1_address.d.next = mask(gates_a.register_lower, register_1) | address;
            self.m1_data.d.next = register_b;
        }
        self.m_address.next = self.m1_address.q.val();
        self.m_data.next = self.m1_data.q.val();
        self.x_a.next = self.x1.q.val().a;
        self.x_b.next = self.x1.q.val().b;
        self.x_c.next = self.x1.q.val().c;
        self.x_float_a.next = self.x1_float.q.val().a;
        self.x_float_b.next = self.x1_float.q.val().b;
        self.x_float_c.next = self.x1_float.q.val().c;
    }
}
