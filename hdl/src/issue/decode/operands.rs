//! The sources of operands a, b and c.
//!
//! a is source 1, b source 2 and c source 3, unless the row's control column says otherwise: IADD's second addend,
//! encoded as source 3, is b, and so is a store's data; FSWZ's source 3 is a, and its source 1 is b, one thread of
//! which becomes c for every thread.

use super::layout::Layout;
use super::rows::Row;
use crate::bundles::*;
use hdlkit::prelude::*;

/// The operands in memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Places {
    /// Each thread has its own address in s[].
    pub shared_is_indexed: Bit,
    /// Each thread has its own address in c[].
    pub constant_is_indexed: Bit,
    /// An operand in c[] is 32 bits wide, not 16.
    pub constant_wide: Bit,
    /// Source 3, not source 2, may be an operand in c[].
    pub constant_is_3: Bit,
    /// s[] and c[] in one short instruction, or c[] twice: no such instruction exists.
    pub conflict: Bit,
}

/// Decodes the operands.
#[derive(LogicBlock, Cycle, Blank)]
pub struct DecodeOperands {
    pub d_word: Signal<In, Bits<64>>,
    pub d_layout: Signal<In, Layout>,
    pub d_row: Signal<In, Row>,
    /// The factors are 24 bits wide.
    pub d_multiply_24: Signal<In, Bit>,
    pub d_a: Signal<Out, Operand>,
    pub d_b: Signal<Out, Operand>,
    pub d_c: Signal<Out, Operand>,
    /// The value of an immediate operand.
    pub d_immediate: Signal<Out, Bits<32>>,
    pub d_places: Signal<Out, Places>,
    wide_a: Signal<Local, Bit>,
    wide_b: Signal<Local, Bit>,
    is_shared: Signal<Local, Bit>,
    constant_b: Signal<Local, Bit>,
    constant_c: Signal<Local, Bit>,
    is_count: Signal<Local, Bit>,
    indexes: Signal<Local, Bit>,
    places: Signal<Local, Places>,
    no_places: Constant<Places>,
    no_operand: Constant<Operand>,
    field_a: Signal<Local, Bits<7>>,
    field_b: Signal<Local, Bits<7>>,
    field_2: Signal<Local, Bits<7>>,
    a: Signal<Local, Operand>,
    b: Signal<Local, Operand>,
    c: Signal<Local, Operand>,
    immediate_low: Signal<Local, Bits<6>>,
    immediate_high: Signal<Local, Bits<26>>,
    immediate_shifted: Signal<Local, Bits<32>>,
    immediate: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl Logic for DecodeOperands {
    #[hdl_gen]
    fn update(&mut self) {
        // Halves or whole registers.
        self.wide_a.next = (!self.d_row.val().sized_a || self.d_layout.val().wide)
            && (!self.d_row.val().from_a || self.d_word.val().get_bit(46))
            && (!self.d_row.val().product || self.d_multiply_24.val());
        self.wide_b.next = (!self.d_row.val().sized_b || self.d_layout.val().wide)
            && (!self.d_row.val().word_b || self.d_word.val().get_bit(53))
            && (!self.d_row.val().product || self.d_multiply_24.val());

        // Operands in memory. The address register belongs to s[] if there is such an operand, else to c[].
        self.is_count.next = self.d_row.val().b_is_count && self.d_word.val().get_bit(52);
        self.is_shared.next = self.d_row.val().shared_a && self.d_layout.val().select_shared;
        self.constant_b.next = self.d_row.val().constant_b && self.d_word.val().get_bit(23) && !self.is_count.val();
        if self.d_row.val().b_is_3 {
            self.constant_b.next = self.d_row.val().constant_b && self.d_word.val().get_bit(24);
        }
        self.constant_c.next = self.d_row.val().constant_c && self.d_word.val().get_bit(24);
        if self.d_row.val().c_is_2 {
            self.constant_c.next = self.d_row.val().constant_c && self.d_word.val().get_bit(23);
        }
        self.indexes.next = self.d_layout.val().address_register.any() || self.d_layout.val().post_increment;
        self.places.next = self.no_places.val();
        self.places.next.shared_is_indexed = self.is_shared.val() && self.indexes.val();
        self.places.next.constant_is_indexed =
            (self.constant_b.val() || self.constant_c.val()) && !self.is_shared.val() && self.indexes.val()
                || self.d_row.val().moves_constant;
        self.places.next.constant_wide = self.wide_b.val() || self.constant_c.val();
        self.places.next.constant_is_3 = self.d_row.val().b_is_3 || self.constant_c.val();
        self.places.next.conflict = self.constant_b.val() && self.constant_c.val()
            || self.d_layout.val().is_short && self.is_shared.val() && (self.constant_b.val() || self.constant_c.val());
        self.d_places.next = self.places.val();

        // Operand a.
        self.field_a.next = self.d_layout.val().field_1;
        if self.d_row.val().a_is_3 {
            self.field_a.next = self.d_layout.val().field_3;
        }
        self.a.next = self.no_operand.val();
        self.a.next.register = self.field_a.val();
        self.a.next.register_used = self.d_row.val().uses_a && !self.is_shared.val();
        if !self.wide_a.val() {
            self.a.next.register = self.field_a.val() >> 1;
            self.a.next.part = Part::Low;
            if !self.is_shared.val() && self.field_a.val().get_bit(0) {
                self.a.next.part = Part::High;
            }
        }
        if self.is_shared.val() {
            self.a.next.source = Source::Shared;
        }
        if self.d_row.val().a_is_number {
            self.a.next.source = Source::Immediate;
        }
        // FSWZ thread numbers of 4 and above name a pixel program's neighbour: 0 + 0.
        if self.d_row.val().swizzles && self.d_word.val().get_bit(18) {
            self.a.next.source = Source::Quad;
            self.a.next.register_used = false;
        }
        if self.d_row.val().reads_code {
            self.a.next.source = Source::ConditionCode;
        }
        if self.d_row.val().reads_address {
            self.a.next.source = Source::Address;
        }
        if self.d_row.val().reads_special {
            self.a.next.source = Source::Special;
            self.a.next.register = bit_cast::<7, 4>(self.d_word.val().get_bits::<4>(46));
        }
        if self.places.val().shared_is_indexed || self.d_row.val().moves_constant {
            self.a.next.source = Source::Gathered;
        }
        self.d_a.next = self.a.val();

        // Operand b.
        self.field_b.next = self.d_layout.val().field_2;
        if self.d_row.val().b_is_3 {
            self.field_b.next = self.d_layout.val().field_3;
        }
        if self.d_row.val().b_is_1 {
            self.field_b.next = self.d_layout.val().field_1;
        }
        if self.d_row.val().b_is_destination {
            self.field_b.next = self.d_layout.val().destination;
        }
        self.b.next = self.no_operand.val();
        self.b.next.register = self.field_b.val();
        if !self.wide_b.val() {
            self.b.next.register = self.field_b.val() >> 1;
            self.b.next.part = Part::Low;
        }
        if self.is_count.val()
            || self.d_row.val().b_is_number
            || self.d_row.val().b_is_shift
            || self.d_row.val().b_is_offset
        {
            self.b.next.source = Source::Immediate;
        } else if self.constant_b.val() {
            self.b.next.source = Source::Constant;
            if self.places.val().constant_is_indexed {
                self.b.next.source = Source::Gathered;
            }
        } else {
            self.b.next.register_used = self.d_row.val().uses_b;
            if !self.wide_b.val() && self.field_b.val().get_bit(0) {
                self.b.next.part = Part::High;
            }
        }
        self.d_b.next = self.b.val();

        // Operand c, which is always a whole register.
        self.c.next = self.no_operand.val();
        self.c.next.register = self.d_layout.val().field_3;
        if self.d_row.val().c_is_destination {
            self.c.next.register = self.d_layout.val().destination;
        }
        if self.d_row.val().c_is_2 {
            self.c.next.register = self.d_layout.val().field_2;
        }
        if self.d_row.val().c_is_number {
            self.c.next.source = Source::Immediate;
        } else if self.d_row.val().swizzles {
            self.c.next.source = Source::Quad;
        } else if self.constant_c.val() {
            self.c.next.source = Source::Constant;
            if self.places.val().constant_is_indexed {
                self.c.next.source = Source::Gathered;
            }
        } else {
            self.c.next.register_used = self.d_row.val().uses_c;
        }
        self.d_c.next = self.c.val();

        // The immediate. For a 16-bit operation, its low 16 bits.
        self.field_2.next = self.d_layout.val().field_2;
        self.immediate_low.next = self.d_word.val().get_bits::<6>(16);
        self.immediate_high.next = self.d_word.val().get_bits::<26>(34);
        self.immediate_shifted.next = bit_cast::<32, 26>(self.immediate_high.val()) << 6;
        self.immediate.next = self.immediate_shifted.val() | bit_cast::<32, 6>(self.immediate_low.val());
        self.d_immediate.next = self.immediate.val();
        if self.is_count.val() {
            self.d_immediate.next = bit_cast::<32, 7>(self.field_2.val());
        } else if !self.wide_a.val() {
            self.d_immediate.next = bit_cast::<32, 16>(self.immediate.val().get_bits::<16>(0));
        }
        if self.d_row.val().b_is_offset {
            self.d_immediate.next = bit_cast::<32, 16>(self.d_word.val().get_bits::<16>(9));
        }
        if self.d_row.val().b_is_shift {
            self.d_immediate.next = bit_cast::<32, 4>(self.d_word.val().get_bits::<4>(16));
        }
    }
}
