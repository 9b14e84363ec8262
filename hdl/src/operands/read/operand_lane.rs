//! The operands of one lane: in r1, the select lines combine the words that have arrived into the units' operand
//! registers.

use crate::bundles::Operands;
use hdlkit::prelude::*;

/// Select lines for the parts of an operand, ORed together. They are computed in r0, so that in r1 words take the
/// shortest path to the lanes, with two or three LUTs per bit of an operand.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct OperandGates {
    /// The register's lower half, upper half, or upper half as lower half. All low if it has not been written.
    pub register_lower: Bit,
    pub register_upper: Bit,
    pub register_high: Bit,
    /// Halves of the gathered operand.
    pub gathered_lower: Bit,
    pub gathered_upper: Bit,
    /// The thread's address register (operand a only).
    pub address: Bit,
    /// A word of constant memory (only b and c; for a shared word see [`SharedGates`](super::SharedGates)).
    pub constant: Bit,
    /// The immediate (only b and c; for operand a it is in [`ReadBeat::value`](super::ReadBeat::value)).
    pub immediate: Bit,
}

/// The part of a beat in r1 that is the same for all lanes.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct UniformBeat {
    pub a: OperandGates,
    pub b: OperandGates,
    pub c: OperandGates,
    /// The uniform part of each operand, else 0.
    pub value: Operands,
    /// The beat is for the integer unit; for the float or special function units; of a memory instruction or R2G.
    pub for_integer: Bit,
    pub for_float: Bit,
    pub for_memory: Bit,
}

/// One lane's operands, valid in the cycle after the inputs. A unit's operands change only for its own beats.
#[circuit]
pub struct OperandLane {
    pub clock: Signal<In, Clock>,
    pub r1: Signal<In, UniformBeat>,
    pub r1_register_1: Signal<In, Bits<32>>,
    pub r1_register_2: Signal<In, Bits<32>>,
    pub r1_register_3: Signal<In, Bits<32>>,
    /// The thread's condition code if that is operand a: Z = bit 0, S = bit 1, C = bit 2, O = bit 3; or the lane's
    /// number if it is part of operand a; else 0.
    pub r1_code: Signal<In, Bits<5>>,
    /// The thread's address register, and its gathered operand.
    pub c_address: Signal<In, Bits<16>>,
    pub c_gathered: Signal<In, Bits<32>>,
    /// Operands of the integer unit's beats, and of the float unit's. The special function units use a of the latter.
    pub x_operands: Signal<Out, Operands>,
    pub x_float_operands: Signal<Out, Operands>,
    /// Operands a and b of the memory unit and R2G: a whole register or the address register, and a register or half of
    /// one. The memory unit is far from the lanes, so these leave out everything that arrives late, above all a shared
    /// word.
    pub m_address: Signal<Out, Bits<32>>,
    pub m_data: Signal<Out, Bits<32>>,

    x1: DFF<Operands>,
    x1_float: DFF<Operands>,
    m1_address: DFF<Bits<32>>,
    m1_data: DFF<Bits<32>>,
}

/// Returns the selected halves of a word, in place.
#[hdl_fn]
fn halves(lower: Bit, upper: Bit, word: Bits<32>) -> Bits<32> {
    mask(lower, word & 0xffff) | mask(upper, word & 0xffff_0000)
}

/// Returns the part of an operand that is from its register.
#[hdl_fn]
fn register_part(gates: OperandGates, register: Bits<32>) -> Bits<32> {
    halves(gates.register_lower, gates.register_upper, register) | mask(gates.register_high, register >> 16)
}

impl Logic for OperandLane {
    #[hdl_gen]
    fn update(&mut self) {
        let r1 = self.r1.val();
        let register_1 = self.r1_register_1.val();
        let gathered = self.c_gathered.val();
        let address = mask(r1.a.address, self.c_address.val().resize::<32>());
        let register_b = register_part(r1.b, self.r1_register_2.val());
        let operands = Operands {
            a: r1.value.a
                | self.r1_code.val().resize()
                | register_part(r1.a, register_1)
                | halves(r1.a.gathered_lower, r1.a.gathered_upper, gathered)
                | address,
            b: r1.value.b | register_b | halves(r1.b.gathered_lower, r1.b.gathered_upper, gathered),
            // Always a whole register.
            c: r1.value.c
                | halves(r1.c.register_lower, r1.c.register_upper, self.r1_register_3.val())
                | halves(r1.c.gathered_lower, r1.c.gathered_upper, gathered),
        };
        if r1.for_integer {
            self.x1.d.next = operands;
        }
        if r1.for_float {
            self.x1_float.d.next = operands;
        }
        if r1.for_memory {
            self.m1_address.d.next = mask(r1.a.register_lower, register_1) | address;
            self.m1_data.d.next = register_b;
        }
        self.x_operands.next = self.x1.q.val();
        self.x_float_operands.next = self.x1_float.q.val();
        self.m_address.next = self.m1_address.q.val();
        self.m_data.next = self.m1_data.q.val();
    }
}
