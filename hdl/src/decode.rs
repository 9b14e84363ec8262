//! The decode stage: an instruction word taken apart.
//!
//! Combinational, one instruction. The word comes with the instruction in its low bits: a short one in bits 31..0, a long
//! one in 63..0. Encodings: the `isa` crate's table; that this circuit agrees with it on all 2^64 words is proven by
//! `tests/decode.rs`.
//!
//! ```text
//! d_word ──> layout (short, long, immediate, control) ──> operands ─┬─> d_decoded
//!        └─> operation (bits 31..28, 63..61) ─> controls, roles ────┘
//! ```
//! Operand roles: a is source 1, b is source 2, c is source 3; IADD's second addend, which the encoding has in source
//! 3's place, becomes b, and so does a store's data. FSWZ's source 3 is a, and its source 1 is b, of which one thread's
//! becomes every one's c.

use crate::bundles::*;
use crate::execute::float::{FloatControl, FloatOperation};
use crate::execute::quad_exchange::QuadControl;
use crate::execute::special_function::{SpecialControl, SpecialOperation};
use hdlkit::prelude::*;

/// The decode stage. `d_decoded` is valid in the cycle of `d_word`.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Decode {
    pub d_word: Signal<In, Bits<64>>,
    pub d_decoded: Signal<Out, Decoded>,
    // Layout.
    is_long: Signal<Local, Bit>,
    is_control: Signal<Local, Bit>,
    is_immediate: Signal<Local, Bit>,
    is_full: Signal<Local, Bit>,
    is_short: Signal<Local, Bit>,
    opcode: Signal<Local, Bits<4>>,
    subop: Signal<Local, Bits<3>>,
    marker: Signal<Local, Bits<2>>,
    long_marker: Signal<Local, Bits<2>>,
    // Fields.
    destination: Signal<Local, Bits<7>>,
    field_1: Signal<Local, Bits<7>>,
    field_2: Signal<Local, Bits<7>>,
    field_3: Signal<Local, Bits<7>>,
    select_shared: Signal<Local, Bit>,
    select_constant_2: Signal<Local, Bit>,
    select_constant_3: Signal<Local, Bit>,
    address_register: Signal<Local, Bits<3>>,
    post_increment: Signal<Local, Bit>,
    bank: Signal<Local, Bits<4>>,
    discard: Signal<Local, Bit>,
    immediate: Signal<Local, Bits<32>>,
    immediate_low: Signal<Local, Bits<6>>,
    immediate_high: Signal<Local, Bits<26>>,
    immediate_shifted: Signal<Local, Bits<32>>,
    target_low: Signal<Local, Bits<16>>,
    target_high: Signal<Local, Bits<6>>,
    target_low_shifted: Signal<Local, Bits<24>>,
    target_high_shifted: Signal<Local, Bits<24>>,
    condition: Signal<Local, Bits<5>>,
    condition_undefined: Signal<Local, Bit>,
    kind: Signal<Local, Bits<2>>,
    modifier_1: Signal<Local, Bit>,
    modifier_2: Signal<Local, Bit>,
    modifier_3: Signal<Local, Bit>,
    type_field: Signal<Local, Bits<3>>,
    // Operation.
    legal: Signal<Local, Bit>,
    unit: Signal<Local, Unit>,
    control: Signal<Local, ControlOperation>,
    arithmetic: Signal<Local, IntegerControl>,
    wide: Signal<Local, Bit>,
    wide_destination: Signal<Local, Bit>,
    wide_a: Signal<Local, Bit>,
    wide_b: Signal<Local, Bit>,
    uses_a: Signal<Local, Bit>,
    uses_b: Signal<Local, Bit>,
    uses_c: Signal<Local, Bit>,
    has_destination: Signal<Local, Bit>,
    ignores_condition: Signal<Local, Bit>,
    immediate_is_b: Signal<Local, Bit>,
    immediate_is_a: Signal<Local, Bit>,
    reads_code: Signal<Local, Bit>,
    reads_special: Signal<Local, Bit>,
    special: Signal<Local, Bits<4>>,
    sets_code: Signal<Local, Bit>,
    count_is_immediate: Signal<Local, Bit>,
    add_carry: Signal<Local, Bit>,
    mad_type: Signal<Local, Bits<4>>,
    mad_add: Signal<Local, Bits<2>>,
    store: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    adds: Signal<Local, Bit>,
    multiplies: Signal<Local, Bit>,
    accumulates: Signal<Local, Bit>,
    sums_distance: Signal<Local, Bit>,
    memory: Signal<Local, Bit>,
    access: Signal<Local, Bits<3>>,
    access_is_narrow: Signal<Local, Bit>,
    space_is_global: Signal<Local, Bit>,
    all_lanes: Signal<Local, Bit>,
    multiply_first: Signal<Local, Bit>,
    multiply_last: Signal<Local, Bit>,
    multiply_24: Signal<Local, Bit>,
    mad_signed: Signal<Local, Bit>,
    short_type: Signal<Local, Bits<2>>,
    float: Signal<Local, FloatControl>,
    special_function: Signal<Local, SpecialControl>,
    float_adds: Signal<Local, Bit>,
    float_multiplies: Signal<Local, Bit>,
    float_accumulates: Signal<Local, Bit>,
    compares_floats: Signal<Local, Bit>,
    converts: Signal<Local, Bit>,
    source_width: Signal<Local, IntegerWidth>,
    reduces: Signal<Local, Bit>,
    swizzles: Signal<Local, Bit>,
    exchanges: Signal<Local, Bit>,
    has_no_a: Signal<Local, Bit>,
    quad: Signal<Local, QuadControl>,
    immediate_is_c: Signal<Local, Bit>,
    negate_1: Signal<Local, Bit>,
    negate_2: Signal<Local, Bit>,
    no_float: Constant<FloatControl>,
    no_special: Constant<SpecialControl>,
    no_integer: Constant<IntegerControl>,
    no_operand: Constant<Operand>,
    no_decoded: Constant<Decoded>,
    // Operands.
    field_a: Signal<Local, Bits<7>>,
    field_b: Signal<Local, Bits<7>>,
    field_c: Signal<Local, Bits<7>>,
    constant_b: Signal<Local, Bit>,
    constant_c: Signal<Local, Bit>,
    a: Signal<Local, Operand>,
    b: Signal<Local, Operand>,
    c: Signal<Local, Operand>,
    constant_field: Signal<Local, Bits<7>>,
    constant_wide: Signal<Local, Bit>,
    constant_bytes: Signal<Local, Bits<16>>,
    constant_bank: Signal<Local, Bits<16>>,
    uses_constant: Signal<Local, Bit>,
    uses_shared: Signal<Local, Bit>,
    shared_access: Signal<Local, Bits<2>>,
    shared_units: Signal<Local, Bits<7>>,
    reads_address: Signal<Local, Bit>,
    writes_address: Signal<Local, Bit>,
    moves_to_shared: Signal<Local, Bit>,
    moves_constant: Signal<Local, Bit>,
    is_local: Signal<Local, Bit>,
    adds_address: Signal<Local, Bit>,
    shared_is_indexed: Signal<Local, Bit>,
    constant_is_indexed: Signal<Local, Bit>,
    indexes: Signal<Local, Bit>,
    uses_address: Signal<Local, Bit>,
    long_offset: Signal<Local, Bits<16>>,
    offset: Signal<Local, Bits<16>>,
    offset_is_negative: Signal<Local, Bit>,
    address_destination: Signal<Local, Bits<3>>,
    offset_span: Signal<Local, Bits<16>>,
    indexing: Signal<Local, Indexing>,
    no_indexing: Constant<Indexing>,
    predicated: Signal<Local, Bit>,
    barrier: Signal<Local, BarrierControl>,
    decoded: Signal<Local, Decoded>,
    _activity: Activity,
}

impl Logic for Decode {
    #[hdl_gen]
    fn update(&mut self) {
        // Layout: bit 0 tells long from short, bit 1 control from the rest, bits 33..32 immediate from full.
        self.is_long.next = self.d_word.val().get_bit(0);
        self.is_control.next = self.d_word.val().get_bit(1);
        self.opcode.next = self.d_word.val().get_bits::<4>(28);
        self.subop.next = self.d_word.val().get_bits::<3>(61);
        self.long_marker.next = self.d_word.val().get_bits::<2>(32);
        self.is_immediate.next = self.is_long.val() && !self.is_control.val() && (self.long_marker.val() == 3);
        self.is_full.next = self.is_long.val() && !self.is_control.val() && (self.long_marker.val() != 3);
        self.is_short.next = !self.is_long.val() && !self.is_control.val();
        self.marker.next = 0.into();
        if self.is_full.val() {
            self.marker.next = self.long_marker.val();
        }

        // Fields that sit in one place whatever the operation. Short and immediate registers have six bits.
        self.destination.next = self.d_word.val().get_bits::<7>(2);
        self.field_1.next = self.d_word.val().get_bits::<7>(9);
        self.field_2.next = self.d_word.val().get_bits::<7>(16);
        self.field_3.next = self.d_word.val().get_bits::<7>(46);
        self.select_shared.next = self.d_word.val().get_bit(24);
        self.select_constant_2.next = self.d_word.val().get_bit(23) && !self.is_immediate.val();
        self.select_constant_3.next = false;
        self.address_register.next = bit_cast::<3, 2>(self.d_word.val().get_bits::<2>(26));
        self.post_increment.next = self.d_word.val().get_bit(25);
        self.bank.next = bit_cast::<4, 1>(self.d_word.val().get_bits::<1>(21));
        self.discard.next = false;
        if self.is_full.val() {
            self.select_shared.next = self.d_word.val().get_bit(53);
            self.select_constant_3.next = self.d_word.val().get_bit(24);
            self.address_register.next =
                self.address_register.val() | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(34)) << 2);
            self.bank.next = self.d_word.val().get_bits::<4>(54);
            self.discard.next = self.d_word.val().get_bit(35);
        } else {
            self.field_1.next = bit_cast::<7, 6>(self.d_word.val().get_bits::<6>(9));
            self.field_2.next = bit_cast::<7, 6>(self.d_word.val().get_bits::<6>(16));
            self.destination.next = bit_cast::<7, 6>(self.d_word.val().get_bits::<6>(2));
        }
        self.immediate_low.next = self.d_word.val().get_bits::<6>(16);
        self.immediate_high.next = self.d_word.val().get_bits::<26>(34);
        self.immediate_shifted.next = bit_cast::<32, 26>(self.immediate_high.val()) << 6;
        self.immediate.next = self.immediate_shifted.val() | bit_cast::<32, 6>(self.immediate_low.val());
        self.target_low.next = self.d_word.val().get_bits::<16>(11);
        self.target_high.next = self.d_word.val().get_bits::<6>(46);
        self.target_low_shifted.next = bit_cast::<24, 16>(self.target_low.val()) << 2;
        self.target_high_shifted.next = bit_cast::<24, 6>(self.target_high.val()) << 18;
        self.condition.next = self.d_word.val().get_bits::<5>(39);
        self.condition_undefined.next = (self.condition.val() >= 20) && (self.condition.val() < 28);
        self.modifier_1.next = self.d_word.val().get_bit(8);
        self.modifier_2.next = self.d_word.val().get_bit(15);
        self.modifier_3.next = self.d_word.val().get_bit(22);
        self.type_field.next = self.d_word.val().get_bits::<3>(46);
        // IADD: bits 28 and 22 say which addend is negated; both: carry. IMAD has the same at 59..58.
        self.kind.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(22))
            | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(28)) << 1);

        // Operation. `wide` is bit 58 of long operations (b32), bit 15 of short and immediate ones.
        self.wide.next = self.modifier_2.val();
        if self.is_full.val() {
            self.wide.next = self.d_word.val().get_bit(58);
        }
        self.legal.next = false;
        self.unit.next = Unit::Integer;
        self.control.next = ControlOperation::Marker;
        self.arithmetic.next = self.no_integer.val();
        self.wide_destination.next = self.wide.val();
        self.wide_a.next = self.wide.val();
        self.wide_b.next = self.wide.val();
        self.uses_a.next = false;
        self.uses_b.next = false;
        self.uses_c.next = false;
        self.has_destination.next = true;
        self.ignores_condition.next = false;
        self.immediate_is_a.next = false;
        self.reads_code.next = false;
        self.reads_special.next = false;
        self.special.next = self.d_word.val().get_bits::<4>(46);
        self.sets_code.next = false;
        self.immediate_is_b.next = false;
        self.count_is_immediate.next = false;
        self.add_carry.next = false;
        self.adds.next = false;
        self.multiplies.next = false;
        self.accumulates.next = false;
        self.sums_distance.next = false;
        self.memory.next = false;
        self.reads_address.next = false;
        self.writes_address.next = false;
        self.moves_to_shared.next = false;
        self.moves_constant.next = false;
        self.is_local.next = false;
        self.adds_address.next = false;
        self.multiply_first.next = false;
        self.multiply_last.next = false;
        self.multiply_24.next = false;
        self.mad_signed.next = false;
        self.float.next = self.no_float.val();
        self.special_function.next = self.no_special.val();
        self.float_adds.next = false;
        self.float_multiplies.next = false;
        self.float_accumulates.next = false;
        self.compares_floats.next = false;
        self.converts.next = false;
        self.source_width.next = IntegerWidth::Word;
        self.reduces.next = false;
        self.swizzles.next = false;
        self.exchanges.next = false;
        self.has_no_a.next = false;
        self.immediate_is_c.next = false;
        // Signs of float operands: bits 58 and 59, of short and immediate forms 15 and 22.
        self.negate_1.next = self.modifier_2.val();
        self.negate_2.next = self.modifier_3.val();
        if self.is_full.val() {
            self.negate_1.next = self.d_word.val().get_bit(58);
            self.negate_2.next = self.d_word.val().get_bit(59);
        }
        // GLD and GST: u8, s8, u16, s16, then 64, 128 and 32 bits.
        self.access.next = self.d_word.val().get_bits::<3>(53);
        self.access_is_narrow.next = self.access.val() < 4;
        self.all_lanes.next = self.d_word.val().get_bits::<4>(46) == 15;
        self.space_is_global.next = self.d_word.val().get_bits::<4>(16) == 14;
        self.short_type.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(8))
            | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(15)) << 1);
        self.mad_type.next = 0.into();
        self.mad_add.next = 0.into();
        self.store.next = false;
        self.field_a.next = self.field_1.val();
        self.field_b.next = self.field_2.val();
        self.field_c.next = self.field_3.val();
        self.constant_b.next = self.select_constant_2.val();
        self.constant_c.next = false;
        if self.is_control.val() {
            self.has_destination.next = false;
            self.unit.next = Unit::Control;
            match self.opcode.val().index() {
                0 => {
                    self.legal.next = self.is_long.val();
                    self.control.next = ControlOperation::Kill;
                }
                1 => {
                    self.legal.next = self.is_long.val();
                    self.control.next = ControlOperation::Branch;
                }
                2 => {
                    self.legal.next = self.is_long.val();
                    self.ignores_condition.next = true;
                    self.control.next = ControlOperation::Call;
                }
                3 => {
                    self.legal.next = self.is_long.val();
                    self.control.next = ControlOperation::Return;
                }
                4 => {
                    self.legal.next = self.is_long.val();
                    self.ignores_condition.next = true;
                    self.control.next = ControlOperation::PushBreak;
                }
                5 => {
                    self.legal.next = self.is_long.val();
                    self.control.next = ControlOperation::Break;
                }
                8 => {
                    self.legal.next = self.is_long.val();
                    self.ignores_condition.next = true;
                    self.control.next = ControlOperation::Barrier;
                }
                // TRAP and BPT have short forms.
                9 => {
                    self.legal.next = true;
                    self.ignores_condition.next = true;
                    self.control.next = ControlOperation::Trap;
                }
                11 => {
                    self.legal.next = true;
                    self.ignores_condition.next = !self.is_long.val();
                    self.control.next = ControlOperation::Breakpoint;
                }
                10 => {
                    self.legal.next = self.is_long.val();
                    self.ignores_condition.next = true;
                    self.control.next = ControlOperation::PushJoin;
                }
                _ => {}
            }
        } else {
            match self.opcode.val().index() {
                // C2R, A2R, S2R, R2C, R2A, R2G.
                0 => match self.subop.val().index() {
                    1 => {
                        self.legal.next = self.is_full.val();
                        self.reads_code.next = true;
                        self.arithmetic.next.operation = IntegerOperation::Move;
                    }
                    2 => {
                        self.legal.next = self.is_full.val();
                        self.reads_address.next = true;
                        self.arithmetic.next.operation = IntegerOperation::Move;
                    }
                    // Not the attribute stride, and none behind the event counters.
                    3 => {
                        self.legal.next = self.is_full.val() && (self.special.val() < 8) && (self.special.val() != 3);
                        self.reads_special.next = true;
                        self.arithmetic.next.operation = IntegerOperation::Move;
                    }
                    5 => {
                        self.legal.next = self.is_full.val();
                        self.sets_code.next = true;
                        self.arithmetic.next.operation = IntegerOperation::SetCode;
                        self.uses_a.next = true;
                        self.has_destination.next = false;
                    }
                    6 => {
                        self.legal.next = self.is_full.val();
                        self.writes_address.next = true;
                        self.uses_a.next = true;
                        self.uses_b.next = true;
                        self.wide_a.next = true;
                        self.wide_b.next = true;
                        self.immediate_is_b.next = true;
                        self.constant_b.next = false;
                        self.has_destination.next = false;
                        self.arithmetic.next.operation = IntegerOperation::Shift;
                    }
                    // 53 whole register, 54 byte, 58 word.
                    7 => {
                        self.legal.next = self.is_full.val() && !(self.d_word.val().get_bit(54) && self.wide.val());
                        self.moves_to_shared.next = true;
                        self.uses_b.next = true;
                        self.wide_b.next = self.d_word.val().get_bit(53);
                        self.field_b.next = self.field_3.val();
                        self.constant_b.next = false;
                        self.has_destination.next = false;
                        self.arithmetic.next.operation = IntegerOperation::Move;
                    }
                    _ => {}
                },
                // MOV with all its lanes, MOV32, MVI, MVC.
                1 => {
                    self.legal.next = !self.is_full.val() || (self.subop.val() == 0) && self.all_lanes.val();
                    self.arithmetic.next.operation = IntegerOperation::Move;
                    self.uses_a.next = !self.is_immediate.val();
                    if self.is_full.val() && (self.subop.val() == 1) {
                        self.legal.next = true;
                        self.moves_constant.next = true;
                    }
                    self.immediate_is_a.next = self.is_immediate.val();
                    if self.is_immediate.val() {
                        self.destination.next = self.d_word.val().get_bits::<7>(2);
                    }
                }
                // IADD in opcodes 2 and 3; the rest of opcode 3 by its sub-opcode.
                2 => {
                    self.legal.next = !self.is_full.val() || (self.subop.val() == 0);
                    self.adds.next = true;
                }
                3 => {
                    if !self.is_full.val() || (self.subop.val() == 0) {
                        self.legal.next = true;
                        self.adds.next = true;
                    } else {
                        self.uses_a.next = true;
                        self.uses_b.next = true;
                        self.arithmetic.next.is_signed = self.d_word.val().get_bit(59);
                        match self.subop.val().index() {
                            3 => {
                                self.legal.next = true;
                                self.arithmetic.next.operation = IntegerOperation::Set;
                                self.arithmetic.next.compare_less = self.d_word.val().get_bit(46);
                                self.arithmetic.next.compare_equal = self.d_word.val().get_bit(47);
                                self.arithmetic.next.compare_greater = self.d_word.val().get_bit(48);
                            }
                            4 => {
                                self.legal.next = true;
                                self.arithmetic.next.operation = IntegerOperation::MinMax;
                                self.arithmetic.next.maximum = true;
                            }
                            5 => {
                                self.legal.next = true;
                                self.arithmetic.next.operation = IntegerOperation::MinMax;
                            }
                            6 => {
                                self.legal.next = true;
                                self.arithmetic.next.operation = IntegerOperation::Shift;
                                self.count_is_immediate.next = self.d_word.val().get_bit(52);
                            }
                            7 => {
                                self.legal.next = true;
                                self.arithmetic.next.operation = IntegerOperation::Shift;
                                self.arithmetic.next.shift_right = true;
                                self.count_is_immediate.next = self.d_word.val().get_bit(52);
                            }
                            _ => {}
                        }
                    }
                }
                // IMUL: 46 src2 signed or high, 47 src1 signed, 48 24 bits; short 8, 15, 22.
                4 => {
                    self.legal.next = !self.is_full.val() || (self.subop.val() == 0);
                    self.multiplies.next = true;
                    self.multiply_last.next = self.modifier_1.val();
                    self.multiply_first.next = self.modifier_2.val();
                    self.multiply_24.next = self.modifier_3.val();
                    if self.is_full.val() {
                        self.multiply_last.next = self.d_word.val().get_bit(46);
                        self.multiply_first.next = self.d_word.val().get_bit(47);
                        self.multiply_24.next = self.d_word.val().get_bit(48);
                    }
                    self.arithmetic.next.multiply_signed_a = self.multiply_first.val();
                    self.arithmetic.next.multiply_24 = self.multiply_24.val();
                    if self.multiply_24.val() {
                        self.arithmetic.next.multiply_signed_b = self.multiply_first.val();
                        self.arithmetic.next.multiply_high = self.multiply_last.val();
                    } else {
                        self.arithmetic.next.multiply_signed_b = self.multiply_last.val();
                    }
                }
                // ISAD: 59 signed; short 8, and registers alone.
                5 => {
                    self.legal.next = self.is_short.val() || self.is_full.val() && (self.subop.val() == 0);
                    self.sums_distance.next = true;
                    self.arithmetic.next.is_signed = self.d_word.val().get_bit(59);
                    if self.is_short.val() {
                        self.arithmetic.next.is_signed = self.modifier_1.val();
                        self.select_shared.next = false;
                        self.constant_b.next = false;
                    }
                }
                // IMAD: the type is the sub-opcode, the last one in opcode 7, where all others are U24; short forms have four types.
                6 => {
                    self.legal.next = true;
                    self.multiplies.next = true;
                    self.accumulates.next = true;
                    self.mad_type.next = bit_cast::<4, 3>(self.subop.val());
                }
                7 => {
                    self.legal.next = true;
                    self.multiplies.next = true;
                    self.accumulates.next = true;
                    self.mad_type.next = 8.into();
                    if self.subop.val().any() {
                        self.mad_type.next = 3.into();
                    }
                }
                // RCP, RSQ, LG2, SIN, COS, EX2: registers alone. Short: RCP.
                9 => {
                    self.legal.next = self.is_full.val() || self.is_short.val();
                    self.unit.next = Unit::SpecialFunction;
                    self.select_shared.next = false;
                    self.constant_b.next = false;
                    self.special_function.next.absolute = self.modifier_2.val();
                    self.special_function.next.negate = self.modifier_3.val();
                    if self.is_full.val() {
                        // From SIN on there are no signs.
                        self.special_function.next.absolute =
                            self.d_word.val().get_bit(52) && !self.subop.val().get_bit(2);
                        self.special_function.next.negate =
                            self.d_word.val().get_bit(58) && !self.subop.val().get_bit(2);
                        match self.subop.val().index() {
                            0 => {}
                            2 => self.special_function.next.operation = SpecialOperation::ReciprocalRoot,
                            3 => self.special_function.next.operation = SpecialOperation::Logarithm,
                            4 => self.special_function.next.operation = SpecialOperation::Sine,
                            5 => self.special_function.next.operation = SpecialOperation::Cosine,
                            6 => {
                                self.special_function.next.operation = SpecialOperation::Power;
                                self.special_function.next.saturate = self.d_word.val().get_bit(59);
                            }
                            _ => self.legal.next = false,
                        }
                    }
                }
                // FADD; FSET, FMAX, FMIN, RRO by their sub-opcode.
                11 => {
                    self.unit.next = Unit::Float;
                    self.legal.next = true;
                    self.float_adds.next = true;
                    if self.is_full.val() {
                        match self.subop.val().index() {
                            0 => {}
                            1 => {}
                            3 => {
                                self.compares_floats.next = true;
                                self.float.next.operation = FloatOperation::Set;
                                self.float.next.compare_less = self.d_word.val().get_bit(46);
                                self.float.next.compare_equal = self.d_word.val().get_bit(47);
                                self.float.next.compare_greater = self.d_word.val().get_bit(48);
                                self.float.next.compare_unordered = self.d_word.val().get_bit(49);
                            }
                            4 => {
                                self.compares_floats.next = true;
                                self.float.next.operation = FloatOperation::MinMax;
                                self.float.next.maximum = true;
                            }
                            5 => {
                                self.compares_floats.next = true;
                                self.float.next.operation = FloatOperation::MinMax;
                            }
                            6 => {
                                self.reduces.next = true;
                                self.float.next.operation = FloatOperation::ReduceSine;
                                if self.d_word.val().get_bit(46) {
                                    self.float.next.operation = FloatOperation::ReducePower;
                                }
                            }
                            _ => self.legal.next = false,
                        }
                        if self.compares_floats.val() || self.reduces.val() {
                            self.float_adds.next = false;
                        }
                    }
                }
                // FMUL; FSLCT, whose bit 61 negates source 3; FSWZ: an addition, with source 3 as operand a and the source 1 of
                // another thread as operand c, which comes from there by way of operand b.
                12 => {
                    self.unit.next = Unit::Float;
                    self.legal.next = !self.is_full.val() || (self.subop.val() == 0);
                    self.float_multiplies.next = true;
                    if self.is_full.val() && (self.subop.val().get_bits::<2>(1) == 1) {
                        self.legal.next = true;
                        self.float_multiplies.next = false;
                        self.uses_a.next = true;
                        self.uses_b.next = true;
                        self.uses_c.next = true;
                        self.constant_c.next = self.select_constant_3.val();
                        self.float.next.operation = FloatOperation::Select;
                        self.float.next.negate_c = self.d_word.val().get_bit(61);
                    } else if self.is_full.val() && (self.subop.val() == 4) {
                        self.legal.next = true;
                        self.float_multiplies.next = false;
                        self.swizzles.next = true;
                    }
                }
                // FMAD: bit 61 saturates.
                14 => {
                    self.unit.next = Unit::Float;
                    self.legal.next = !self.is_full.val() || (self.subop.val().get_bits::<2>(1) == 0);
                    self.float_accumulates.next = true;
                }
                // I2I, I2F, F2I, F2F by bits 63..62.
                10 => {
                    self.legal.next = self.is_full.val();
                    if self.d_word.val().get_bit(62) || self.d_word.val().get_bit(63) {
                        self.unit.next = Unit::Float;
                        self.converts.next = true;
                    }
                    self.uses_a.next = true;
                    self.wide_a.next = self.d_word.val().get_bit(46);
                    self.arithmetic.next.operation = IntegerOperation::Convert;
                    match self.type_field.val().index() {
                        0 => self.source_width.next = IntegerWidth::Half,
                        1 => self.source_width.next = IntegerWidth::Word,
                        4 => self.source_width.next = IntegerWidth::Half,
                        5 => self.source_width.next = IntegerWidth::Word,
                        _ => self.source_width.next = IntegerWidth::Byte,
                    }
                    self.arithmetic.next.source_width = self.source_width.val();
                    self.arithmetic.next.source_signed = self.d_word.val().get_bit(48);
                    self.arithmetic.next.result_width = IntegerWidth::Half;
                    if self.wide.val() {
                        self.arithmetic.next.result_width = IntegerWidth::Word;
                    }
                    if self.d_word.val().get_bit(51) {
                        self.arithmetic.next.result_width = IntegerWidth::Byte;
                    }
                    self.arithmetic.next.result_signed = self.d_word.val().get_bit(59);
                    self.arithmetic.next.absolute = self.d_word.val().get_bit(52);
                    self.arithmetic.next.negate = self.d_word.val().get_bit(61);
                }
                // LOP, LOP32I, ADA, LLD, LST, GLD, GST.
                13 => {
                    if self.is_immediate.val() {
                        self.legal.next = true;
                        self.uses_a.next = true;
                        self.uses_b.next = true;
                        self.wide_a.next = true;
                        self.wide_b.next = true;
                        self.wide_destination.next = true;
                        self.arithmetic.next.operation = IntegerOperation::Logic;
                        self.arithmetic.next.logic_function = self.short_type.val();
                        self.arithmetic.next.invert_a = self.modifier_3.val();
                    } else if self.is_full.val() {
                        match self.subop.val().index() {
                            0 => {
                                self.legal.next = true;
                                self.uses_a.next = true;
                                self.uses_b.next = true;
                                self.arithmetic.next.operation = IntegerOperation::Logic;
                                self.arithmetic.next.logic_function = self.d_word.val().get_bits::<2>(46);
                                self.arithmetic.next.invert_a = self.d_word.val().get_bit(48);
                                self.arithmetic.next.invert_b = self.d_word.val().get_bit(49);
                            }
                            1 => {
                                self.legal.next = true;
                                self.reads_address.next = true;
                                self.writes_address.next = true;
                                self.adds_address.next = true;
                                self.uses_b.next = true;
                                self.immediate_is_b.next = true;
                                self.constant_b.next = false;
                                self.has_destination.next = false;
                                self.arithmetic.next.operation = IntegerOperation::Add;
                            }
                            2 => {
                                self.memory.next = true;
                                self.is_local.next = true;
                            }
                            3 => {
                                self.memory.next = true;
                                self.is_local.next = true;
                                self.store.next = true;
                                self.has_destination.next = false;
                                self.uses_b.next = true;
                                self.field_b.next = self.destination.val();
                            }
                            4 => {
                                self.memory.next = true;
                            }
                            5 => {
                                self.memory.next = true;
                                self.store.next = true;
                                self.has_destination.next = false;
                                self.uses_b.next = true;
                                self.field_b.next = self.destination.val();
                            }
                            _ => {}
                        }
                    }
                }
                // NOP.
                15 => {
                    self.legal.next = self.is_full.val() && (self.subop.val() == 7);
                    self.has_destination.next = false;
                    self.ignores_condition.next = true;
                    self.discard.next = false;
                }
                _ => {}
            }
        }
        if self.memory.val() {
            // Global space 14; local memory has one.
            self.legal.next = (self.access.val() != 7) && (self.space_is_global.val() || self.is_local.val());
            self.unit.next = Unit::Memory;
            self.uses_a.next = !self.is_local.val();
            self.reads_address.next = self.is_local.val();
            self.wide_a.next = true;
            self.wide_b.next = true;
            self.wide_destination.next = true;
            self.select_shared.next = false;
            self.constant_b.next = false;
            self.discard.next = false;
        }
        if self.reads_address.val() || self.writes_address.val() || self.moves_to_shared.val() {
            self.wide_destination.next = true;
            self.discard.next = false;
        }
        if self.reads_address.val() {
            self.wide_a.next = true;
            self.wide_b.next = true;
            self.select_shared.next = false;
        }
        if self.moves_to_shared.val() || self.moves_constant.val() {
            self.uses_a.next = false;
            self.select_shared.next = false;
            self.constant_b.next = false;
        }
        if self.reads_code.val() || self.reads_special.val() || self.sets_code.val() {
            self.wide_a.next = true;
            self.wide_destination.next = true;
            self.select_shared.next = false;
            self.discard.next = false;
        }
        if self.adds.val() {
            self.uses_a.next = true;
            self.uses_b.next = true;
            self.arithmetic.next.operation = IntegerOperation::Add;
            self.arithmetic.next.negate_last = self.kind.val() == 1;
            self.arithmetic.next.negate_first = self.kind.val() == 2;
            self.add_carry.next = self.kind.val() == 3;
            self.arithmetic.next.saturate = self.modifier_1.val();
            if self.is_full.val() {
                self.arithmetic.next.saturate = self.d_word.val().get_bit(59);
                self.field_b.next = self.field_3.val();
                self.constant_b.next = self.select_constant_3.val();
            }
        }
        if self.accumulates.val() {
            self.mad_add.next = self.kind.val();
            if self.is_full.val() {
                self.mad_add.next = self.d_word.val().get_bits::<2>(58);
                self.constant_c.next = self.select_constant_3.val();
            } else {
                self.mad_type.next = bit_cast::<4, 2>(self.short_type.val());
                self.field_c.next = self.destination.val();
            }
            self.uses_c.next = true;
            self.arithmetic.next.accumulate = true;
            self.arithmetic.next.negate_last = self.mad_add.val() == 1;
            self.arithmetic.next.negate_first = self.mad_add.val() == 2;
            self.add_carry.next = self.mad_add.val() == 3;
            match self.mad_type.val().index() {
                0 => {}
                1 => {
                    self.mad_signed.next = true;
                }
                2 => {
                    self.mad_signed.next = true;
                    self.arithmetic.next.saturate = true;
                }
                3 => {
                    self.arithmetic.next.multiply_24 = true;
                }
                4 => {
                    self.arithmetic.next.multiply_24 = true;
                    self.mad_signed.next = true;
                }
                5 => {
                    self.arithmetic.next.multiply_24 = true;
                    self.mad_signed.next = true;
                    self.arithmetic.next.saturate = true;
                }
                6 => {
                    self.arithmetic.next.multiply_24 = true;
                    self.arithmetic.next.multiply_high = true;
                }
                7 => {
                    self.arithmetic.next.multiply_24 = true;
                    self.arithmetic.next.multiply_high = true;
                    self.mad_signed.next = true;
                }
                _ => {
                    self.arithmetic.next.multiply_24 = true;
                    self.arithmetic.next.multiply_high = true;
                    self.mad_signed.next = true;
                    self.arithmetic.next.saturate = true;
                }
            }
            self.arithmetic.next.multiply_signed_a = self.mad_signed.val();
            self.arithmetic.next.multiply_signed_b = self.mad_signed.val();
            self.multiply_24.next = self.mad_type.val() >= 3;
        }
        if self.multiplies.val() {
            self.arithmetic.next.operation = IntegerOperation::Multiply;
            self.uses_a.next = true;
            self.uses_b.next = true;
            self.wide_a.next = self.multiply_24.val();
            self.wide_b.next = self.multiply_24.val();
            self.wide_destination.next = true;
        }
        if self.sums_distance.val() {
            self.arithmetic.next.operation = IntegerOperation::SumDistance;
            self.uses_a.next = true;
            self.uses_b.next = true;
            self.uses_c.next = true;
            self.wide_destination.next = true;
            if self.is_full.val() {
                self.constant_c.next = self.select_constant_3.val();
            } else {
                self.field_c.next = self.destination.val();
            }
        }
        // Floats and special functions: registers are whole, but for 16-bit numbers in conversions.
        if self.unit.val() == Unit::Float || self.unit.val() == Unit::SpecialFunction {
            self.uses_a.next = true;
            self.arithmetic.next = self.no_integer.val();
            if !self.converts.val() {
                self.wide_a.next = true;
                self.wide_b.next = true;
                self.wide_destination.next = true;
            }
        }
        if self.float_adds.val() {
            self.float.next.operation = FloatOperation::Add;
            self.float.next.negate_a = self.negate_1.val();
            self.float.next.negate_c = self.negate_2.val();
            self.uses_c.next = true;
            self.constant_b.next = false;
            self.float.next.saturate = self.modifier_1.val();
            if self.is_full.val() {
                self.float.next.saturate = self.d_word.val().get_bit(61);
                self.float.next.rounding = self.d_word.val().get_bits::<2>(16);
                if self.d_word.val().get_bit(16) != self.d_word.val().get_bit(17) {
                    self.legal.next = false;
                }
                self.constant_c.next = self.select_constant_3.val();
            } else {
                self.field_c.next = self.field_2.val();
                self.constant_c.next = self.select_constant_2.val();
                self.immediate_is_c.next = self.is_immediate.val();
            }
        }
        if self.float_multiplies.val() {
            self.float.next.operation = FloatOperation::Multiply;
            self.float.next.negate_a = self.negate_1.val();
            self.float.next.negate_b = self.negate_2.val();
            self.uses_b.next = true;
            // Bits 52 and 8 ask for saturation, and nobody listens.
            if self.is_full.val() {
                self.float.next.rounding = self.d_word.val().get_bits::<2>(46);
                if self.d_word.val().get_bit(46) != self.d_word.val().get_bit(47) {
                    self.legal.next = false;
                }
            }
        }
        if self.float_accumulates.val() {
            self.float.next.operation = FloatOperation::MultiplyAdd;
            self.float.next.negate_a = self.negate_1.val();
            self.float.next.negate_c = self.negate_2.val();
            self.uses_b.next = true;
            self.uses_c.next = true;
            self.float.next.saturate = self.modifier_1.val();
            if self.is_full.val() {
                self.float.next.saturate = self.d_word.val().get_bit(61);
                self.constant_c.next = self.select_constant_3.val();
            } else {
                self.field_c.next = self.destination.val();
            }
        }
        if self.swizzles.val() {
            self.float.next.operation = FloatOperation::Add;
            self.uses_b.next = true;
            self.select_shared.next = false;
            self.constant_b.next = false;
            self.field_a.next = self.field_3.val();
            self.field_b.next = self.field_1.val();
            // From 4 on it is pixel programs' neighbours: 0 + 0.
            self.exchanges.next = !self.d_word.val().get_bit(18);
            self.has_no_a.next = self.d_word.val().get_bit(18);
        }
        if self.compares_floats.val() || self.reduces.val() {
            self.float.next.absolute_a = self.d_word.val().get_bit(52);
            self.float.next.negate_a = self.negate_1.val();
        }
        if self.compares_floats.val() {
            self.uses_b.next = true;
            self.float.next.absolute_b = self.d_word.val().get_bit(51);
            self.float.next.negate_b = self.negate_2.val();
        }
        if self.reduces.val() {
            self.constant_b.next = false;
        }
        if self.converts.val() {
            self.constant_b.next = false;
            self.float.next.absolute_a = self.d_word.val().get_bit(52);
            self.float.next.negate_a = self.d_word.val().get_bit(61);
            self.float.next.rounding = self.d_word.val().get_bits::<2>(49);
            if !self.d_word.val().get_bit(63) {
                self.float.next.operation = FloatOperation::FromInteger;
                self.float.next.source_width = self.source_width.val();
                self.float.next.source_signed = self.d_word.val().get_bit(48);
                self.float.next.result_half = !self.wide.val();
                self.float.next.saturate = self.d_word.val().get_bit(51);
            } else if !self.d_word.val().get_bit(62) {
                self.float.next.operation = FloatOperation::ToInteger;
                self.float.next.source_half = !self.wide_a.val();
                self.float.next.result_narrow = !self.wide.val();
                self.float.next.result_signed = self.d_word.val().get_bit(59);
            } else {
                self.float.next.operation = FloatOperation::ToFloat;
                self.float.next.source_half = !self.wide_a.val();
                self.float.next.result_half = !self.wide.val();
                self.float.next.saturate = self.d_word.val().get_bit(51);
                // Bit 59 rounds to an integral value. Without it nothing is rounded but a float32 on its way to 16 bits.
                self.float.next.integral = self.d_word.val().get_bit(59);
                if !self.d_word.val().get_bit(59) && (self.wide.val() || !self.wide_a.val()) {
                    self.float.next.rounding = 0.into();
                }
            }
        }
        self.arithmetic.next.carry_in = self.add_carry.val();
        self.arithmetic.next.narrow = !self.wide_destination.val();
        if self.sums_distance.val() {
            // Sources 1 and 2 have the operation's width; source 3, the sum and the register are whole.
            self.arithmetic.next.narrow = !self.wide.val();
        }
        if self.is_immediate.val() {
            self.immediate_is_b.next = self.uses_b.val();
        }

        // Operands.
        self.a.next = self.no_operand.val();
        self.a.next.register = self.field_a.val();
        if !self.wide_a.val() {
            self.a.next.register = self.field_a.val() >> 1;
            self.a.next.part = Part::Low;
        }
        if self.select_shared.val() {
            self.a.next.source = Source::Shared;
        } else {
            self.a.next.register_used = self.uses_a.val();
            if !self.wide_a.val() && self.field_a.val().get_bit(0) {
                self.a.next.part = Part::High;
            }
        }
        if self.immediate_is_a.val() {
            self.a.next.source = Source::Immediate;
            self.a.next.register_used = false;
        }
        if self.has_no_a.val() {
            self.a.next.source = Source::Quad;
            self.a.next.register_used = false;
        }
        if self.reads_code.val() {
            self.a.next.source = Source::ConditionCode;
        }
        if self.reads_address.val() {
            self.a.next.source = Source::Address;
        }
        if self.reads_special.val() {
            self.a.next.source = Source::Special;
            self.a.next.register = bit_cast::<7, 4>(self.special.val());
        }
        self.b.next = self.no_operand.val();
        self.b.next.register = self.field_b.val();
        if !self.wide_b.val() {
            self.b.next.register = self.field_b.val() >> 1;
            self.b.next.part = Part::Low;
        }
        if self.count_is_immediate.val() || self.immediate_is_b.val() {
            self.b.next.source = Source::Immediate;
        } else if self.constant_b.val() {
            self.b.next.source = Source::Constant;
        } else {
            self.b.next.register_used = self.uses_b.val();
            if !self.wide_b.val() && self.field_b.val().get_bit(0) {
                self.b.next.part = Part::High;
            }
        }
        self.c.next = self.no_operand.val();
        self.c.next.register = self.field_c.val();
        if self.immediate_is_c.val() {
            self.c.next.source = Source::Immediate;
        } else if self.swizzles.val() {
            self.c.next.source = Source::Quad;
        } else if self.constant_c.val() {
            self.c.next.source = Source::Constant;
        } else {
            self.c.next.register_used = self.uses_c.val();
        }
        self.uses_shared.next = self.select_shared.val() && self.uses_a.val();
        self.uses_constant.next = self.constant_b.val() && self.uses_b.val() && !self.count_is_immediate.val()
            || self.constant_c.val() && self.uses_c.val();
        self.constant_wide.next = self.wide_b.val() || self.constant_c.val();
        self.constant_field.next = self.field_b.val();
        if self.constant_c.val() {
            self.constant_field.next = self.field_c.val();
        }
        if self.is_short.val() {
            self.constant_field.next = bit_cast::<7, 5>(self.d_word.val().get_bits::<5>(16));
        }
        self.constant_bytes.next = bit_cast::<16, 7>(self.constant_field.val()) << 1;
        if self.constant_wide.val() {
            self.constant_bytes.next = bit_cast::<16, 7>(self.constant_field.val()) << 2;
        }
        self.constant_bank.next = bit_cast::<16, 4>(self.bank.val()) << 12;
        // A shared offset counts in units of its access: bytes, half-words, words.
        self.shared_access.next = self.d_word.val().get_bits::<2>(14);
        self.shared_units.next = bit_cast::<7, 5>(self.d_word.val().get_bits::<5>(9));
        if !self.is_full.val() {
            self.shared_access.next = self.d_word.val().get_bits::<2>(13);
            self.shared_units.next = bit_cast::<7, 4>(self.d_word.val().get_bits::<4>(9));
        }
        match self.shared_access.val().index() {
            0 => {}
            3 => self.shared_units.next = self.shared_units.val() << 2,
            _ => self.shared_units.next = self.shared_units.val() << 1,
        }
        // Places that each thread has for itself. The address register belongs to s[] if there is one, else to c[].
        self.indexes.next = self.address_register.val().any() || self.post_increment.val();
        self.shared_is_indexed.next = self.uses_shared.val() && self.indexes.val();
        self.constant_is_indexed.next =
            self.uses_constant.val() && !self.select_shared.val() && self.indexes.val() || self.moves_constant.val();
        self.long_offset.next = self.d_word.val().get_bits::<16>(9);
        self.indexing.next = self.no_indexing.val();
        self.indexing.next.gathers = self.shared_is_indexed.val() || self.constant_is_indexed.val();
        self.indexing.next.scatters = self.moves_to_shared.val();
        self.indexing.next.local = self.is_local.val();
        self.indexing.next.constant = self.constant_is_indexed.val();
        self.indexing.next.bank = self.bank.val();
        self.offset.next = self.long_offset.val();
        self.offset_is_negative.next = false;
        self.offset_span.next = 0.into();
        if self.shared_is_indexed.val() {
            self.indexing.next.access = self.shared_access.val();
            self.offset.next = bit_cast::<16, 7>(self.shared_units.val());
            self.offset_is_negative.next = self.d_word.val().get_bit(12);
            self.offset_span.next = 16.into();
            if self.is_full.val() {
                self.offset_is_negative.next = self.d_word.val().get_bit(13);
                self.offset_span.next = 32.into();
            }
            match self.shared_access.val().index() {
                0 => {}
                3 => self.offset_span.next = self.offset_span.val() << 2,
                _ => self.offset_span.next = self.offset_span.val() << 1,
            }
        } else if self.moves_constant.val() || self.moves_to_shared.val() {
            self.indexing.next.access = self.d_word.val().get_bits::<2>(46);
            if self.moves_to_shared.val() {
                self.indexing.next.access = 1.into();
                if self.wide.val() {
                    self.indexing.next.access = 3.into();
                } else if self.d_word.val().get_bit(54) {
                    self.indexing.next.access = 0.into();
                }
            }
            match self.indexing.val().access.index() {
                0 => {}
                3 => self.offset.next = self.long_offset.val() << 2,
                _ => self.offset.next = self.long_offset.val() << 1,
            }
        } else if !self.is_local.val() {
            self.indexing.next.access = 1.into();
            if self.constant_wide.val() {
                self.indexing.next.access = 3.into();
            }
            self.offset.next = self.constant_bytes.val();
            self.offset_is_negative.next = self.constant_field.val().get_bit(6);
            self.offset_span.next = 256.into();
            if self.is_short.val() {
                self.offset_is_negative.next = self.constant_field.val().get_bit(4);
                self.offset_span.next = 64.into();
            }
            if self.constant_wide.val() {
                self.offset_span.next = self.offset_span.val() << 1;
            }
        }
        // Short operands' offsets are signed where they are increments.
        if self.post_increment.val() && self.offset_is_negative.val() {
            self.offset.next = self.offset.val() - self.offset_span.val();
        }
        self.indexing.next.offset = self.offset.val();
        if self.shared_is_indexed.val() || self.moves_constant.val() {
            self.a.next.source = Source::Gathered;
            self.a.next.register_used = false;
        } else if self.constant_is_indexed.val() {
            if self.constant_c.val() {
                self.c.next.source = Source::Gathered;
            } else {
                self.b.next.source = Source::Gathered;
            }
        }
        self.uses_address.next =
            self.indexing.val().gathers || self.indexing.val().scatters || self.reads_address.val();
        self.indexing.next.post_increment =
            self.post_increment.val() && (!self.reads_address.val() || self.is_local.val());
        self.indexing.next.register = self.address_register.val().get_bits::<2>(0) - 1;
        self.indexing.next.register_used = self.uses_address.val() && self.address_register.val().any();
        self.address_destination.next = self.d_word.val().get_bits::<3>(2);
        self.indexing.next.increments = self.indexing.val().register_used
            && self.indexing.val().post_increment
            && !(self.writes_address.val() && (self.address_destination.val() == self.address_register.val()));
        if self.uses_address.val() && (self.address_register.val() > 4)
            || self.writes_address.val() && (self.address_destination.val() > 4)
        {
            self.legal.next = false;
        }
        // One memory operand beside s[] at most: with three sources there are two places for c[], in short arithmetic one
        // for s[] or c[].
        if self.constant_b.val() && self.constant_c.val() {
            self.legal.next = false;
        }
        if self.is_short.val()
            && self.select_shared.val()
            && (self.uses_b.val() && self.constant_b.val() || self.uses_c.val() && self.constant_c.val())
        {
            self.legal.next = false;
        }
        // Of the output registers there is only the one that discards.
        if self.discard.val() && !self.destination.val().all() {
            self.legal.next = false;
        }

        // Condition, and the result.
        self.predicated.next = (self.is_full.val() || self.is_control.val()) && !self.ignores_condition.val();
        if self.predicated.val() && self.condition_undefined.val() {
            self.legal.next = false;
        }
        self.decoded.next = self.no_decoded.val();
        self.decoded.next.illegal = !self.legal.val();
        self.decoded.next.long = self.is_long.val();
        self.decoded.next.unit = self.unit.val();
        self.decoded.next.a = self.a.val();
        self.decoded.next.b = self.b.val();
        self.decoded.next.c = self.c.val();
        self.decoded.next.immediate = self.immediate.val();
        if self.count_is_immediate.val() {
            self.decoded.next.immediate = bit_cast::<32, 7>(self.field_2.val());
        } else if self.immediate_is_b.val() && !self.wide_b.val() || self.immediate_is_a.val() && !self.wide_a.val() {
            self.decoded.next.immediate = bit_cast::<32, 16>(self.immediate.val().get_bits::<16>(0));
        }
        if self.adds_address.val() {
            self.decoded.next.immediate = bit_cast::<32, 16>(self.long_offset.val());
        } else if self.writes_address.val() {
            self.decoded.next.immediate = bit_cast::<32, 4>(self.d_word.val().get_bits::<4>(16));
        }
        self.quad.next.exchanges = self.exchanges.val();
        self.quad.next.thread = self.d_word.val().get_bits::<2>(16);
        self.quad.next.operations = bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(58))
            | (bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(56)) << 2)
            | (bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(54)) << 4)
            | (bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(20)) << 6);
        self.decoded.next.quad = self.quad.val();
        self.decoded.next.shared_offset = self.shared_units.val();
        self.decoded.next.shared_access = self.shared_access.val();
        self.decoded.next.constant_address = self.constant_bank.val() + self.constant_bytes.val();
        self.decoded.next.constant_narrow = !self.constant_wide.val();
        self.decoded.next.indexing = self.indexing.val();
        self.decoded.next.address_register = self.address_destination.val().get_bits::<2>(0) - 1;
        self.decoded.next.address_enable = self.writes_address.val() && self.address_destination.val().any();
        self.decoded.next.register = self.destination.val();
        self.decoded.next.halves = 3.into();
        if !self.wide_destination.val() {
            self.decoded.next.register = self.destination.val() >> 1;
            self.decoded.next.halves = 1.into();
            if self.destination.val().get_bit(0) {
                self.decoded.next.halves = 2.into();
            }
        }
        self.decoded.next.register_enable = self.has_destination.val() && !self.discard.val();
        self.decoded.next.condition = self.condition.val();
        self.decoded.next.predicated = self.predicated.val() && (self.condition.val() != 15);
        self.decoded.next.condition_used = self.add_carry.val()
            || self.reads_code.val()
            || self.predicated.val() && (self.condition.val() != 15) && (self.condition.val() != 0);
        if self.is_full.val() || self.is_control.val() {
            self.decoded.next.condition_source = self.d_word.val().get_bits::<2>(44);
        }
        // MOV leaves the condition codes alone, whatever its bits say.
        self.moves.next =
            (self.arithmetic.val().operation == IntegerOperation::Move) && (self.unit.val() == Unit::Integer);
        if self.is_full.val()
            && ((self.unit.val() == Unit::Integer) || (self.unit.val() == Unit::Float))
            && self.has_destination.val()
            && !self.moves.val()
            && !self.reduces.val()
        {
            self.decoded.next.condition_enable = self.d_word.val().get_bit(38);
        }
        if self.sets_code.val() {
            self.decoded.next.condition_enable = true;
        }
        self.decoded.next.condition_register = self.d_word.val().get_bits::<2>(36);
        self.decoded.next.store = self.store.val();
        self.decoded.next.size = 2.into();
        if self.memory.val() && self.access_is_narrow.val() {
            self.decoded.next.size = bit_cast::<3, 1>(self.access.val().get_bits::<1>(1));
            self.decoded.next.load_signed = self.access.val().get_bit(0);
        }
        if self.memory.val() && (self.access.val() == 4) {
            self.decoded.next.size = 3.into();
            self.decoded.next.further_registers = 1.into();
        }
        if self.memory.val() && (self.access.val() == 5) {
            self.decoded.next.size = 4.into();
            self.decoded.next.further_registers = 3.into();
        }
        self.decoded.next.control = self.control.val();
        self.decoded.next.target = self.target_low_shifted.val() | self.target_high_shifted.val();
        self.barrier.next.barrier = self.d_word.val().get_bits::<4>(21);
        self.barrier.next.threads = self.d_word.val().get_bits::<12>(9);
        self.barrier.next.arrives = self.d_word.val().get_bit(25);
        self.barrier.next.waits = self.d_word.val().get_bit(26);
        self.decoded.next.barrier = self.barrier.val();
        self.decoded.next.exit_marker = self.marker.val().get_bit(0);
        self.decoded.next.join_marker = self.marker.val().get_bit(1);
        self.decoded.next.integer = self.arithmetic.val();
        self.decoded.next.float = self.float.val();
        self.decoded.next.special = self.special_function.val();
        self.d_decoded.next = self.decoded.val();
    }
}
