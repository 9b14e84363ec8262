//! The decode stage: decodes an instruction word.
//!
//! Combinational, one instruction. The word has the instruction in its low bits: a short one in bits 31..0, a long one
//! in 63..0. Encodings: the `isa` crate's table, from which the rows and the units' lines are generated (`make
//! reference`). `tests/decode/` proves that this circuit agrees with the table on all 2^64 words, and checks both
//! against the manual with a second decoder.
//!
//! ```text
//! d_word ──> layout ──> rows ──┬─> lines ────> operands ──> places ──┬─> d_decoded
//!                              └────────────────────────────> result ┘
//! ```
//! `layout`: short, long, immediate or control, and the fields common to all. `rows`: the properties of the row.
//! `lines`: the units' control. `operands` and `places`: the sources of a, b and c. The result and conditions are
//! decoded here.

pub mod layout;
#[rustfmt::skip]
pub mod lines;
pub mod operands;
pub mod places;
#[rustfmt::skip]
pub mod rows;

use self::layout::{DecodeLayout, Layout};
use self::lines::DecodeLines;
use self::operands::DecodeOperands;
use self::places::DecodePlaces;
use self::rows::{DecodeRows, Row};
use crate::bundles::*;
use crate::execute::quad_exchange::QuadControl;
use hdlkit::prelude::*;

/// The decode stage. `d_decoded` is valid in the cycle of `d_word`.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Decode {
    pub d_word: Signal<In, Bits<64>>,
    pub d_decoded: Signal<Out, Decoded>,
    take_layout: DecodeLayout,
    rows: DecodeRows,
    lines: DecodeLines,
    operands: DecodeOperands,
    places: DecodePlaces,
    d_layout: Signal<Local, Layout>,
    d_row: Signal<Local, Row>,
    target_low: Signal<Local, Bits<16>>,
    target_high: Signal<Local, Bits<6>>,
    target_low_shifted: Signal<Local, Bits<24>>,
    target_high_shifted: Signal<Local, Bits<24>>,
    destination: Signal<Local, Bits<7>>,
    wide_destination: Signal<Local, Bit>,
    address_destination: Signal<Local, Bits<3>>,
    discard: Signal<Local, Bit>,
    condition: Signal<Local, Bits<5>>,
    condition_undefined: Signal<Local, Bit>,
    memory: Signal<Local, Bit>,
    access: Signal<Local, Bits<3>>,
    quad: Signal<Local, QuadControl>,
    barrier: Signal<Local, BarrierControl>,
    decoded: Signal<Local, Decoded>,
    no_decoded: Constant<Decoded>,
    _activity: Activity,
}

impl Logic for Decode {
    #[hdl_gen]
    fn update(&mut self) {
        self.take_layout.d_word.next = self.d_word.val();
        self.d_layout.next = self.take_layout.d_layout.val();
        self.rows.d_word.next = self.d_word.val();
        self.rows.d_layout.next = self.d_layout.val();
        self.d_row.next = self.rows.d_row.val();
        self.lines.d_word.next = self.d_word.val();
        self.lines.d_layout.next = self.d_layout.val();
        self.lines.d_row.next = self.d_row.val();
        self.operands.d_word.next = self.d_word.val();
        self.operands.d_layout.next = self.d_layout.val();
        self.operands.d_row.next = self.d_row.val();
        self.operands.d_multiply_24.next = self.lines.d_integer.val().multiply_24;
        self.places.d_word.next = self.d_word.val();
        self.places.d_layout.next = self.d_layout.val();
        self.places.d_row.next = self.d_row.val();
        self.places.d_places.next = self.operands.d_places.val();

        self.decoded.next = self.no_decoded.val();
        self.decoded.next.long = self.d_layout.val().is_long;
        self.decoded.next.unit = self.d_row.val().unit;
        self.decoded.next.control = self.d_row.val().control;
        self.decoded.next.integer = self.lines.d_integer.val();
        self.decoded.next.float = self.lines.d_float.val();
        self.decoded.next.special = self.lines.d_special.val();
        self.decoded.next.exit_marker = self.d_layout.val().marker.get_bit(0);
        self.decoded.next.join_marker = self.d_layout.val().marker.get_bit(1);

        // Operands.
        self.decoded.next.a = self.operands.d_a.val();
        self.decoded.next.b = self.operands.d_b.val();
        self.decoded.next.c = self.operands.d_c.val();
        self.decoded.next.immediate = self.operands.d_immediate.val();
        self.decoded.next.shared_offset = self.places.d_shared_offset.val();
        self.decoded.next.shared_access = self.places.d_shared_access.val();
        self.decoded.next.constant_address = self.places.d_constant_address.val();
        self.decoded.next.constant_narrow = !self.operands.d_places.val().constant_wide;
        self.decoded.next.indexing = self.places.d_indexing.val();

        // The result.
        self.destination.next = self.d_layout.val().destination;
        if self.d_row.val().seven_bits {
            self.destination.next = self.d_word.val().get_bits::<7>(2);
        }
        self.wide_destination.next = !self.d_row.val().sized || self.d_layout.val().wide;
        self.discard.next = self.d_row.val().discards && self.d_layout.val().discard;
        self.decoded.next.register = self.destination.val();
        self.decoded.next.halves = 3.into();
        if !self.wide_destination.val() {
            self.decoded.next.register = self.destination.val() >> 1;
            self.decoded.next.halves = 1.into();
            if self.destination.val().get_bit(0) {
                self.decoded.next.halves = 2.into();
            }
        }
        self.decoded.next.register_enable = self.d_row.val().writes && !self.discard.val();
        self.address_destination.next = self.d_word.val().get_bits::<3>(2);
        self.decoded.next.address_register = self.address_destination.val().get_bits::<2>(0) - 1;
        self.decoded.next.address_enable = self.d_row.val().writes_address && self.address_destination.val().any();

        // Conditions.
        self.condition.next = self.d_word.val().get_bits::<5>(39);
        self.condition_undefined.next = (self.condition.val() >= 20) && (self.condition.val() < 28);
        self.decoded.next.condition = self.condition.val();
        self.decoded.next.predicated = self.d_row.val().guarded && (self.condition.val() != 15);
        self.decoded.next.condition_used = self.lines.d_integer.val().carry_in
            || self.d_row.val().reads_code
            || self.d_row.val().guarded && (self.condition.val() != 15) && (self.condition.val() != 0);
        if self.d_layout.val().is_full || self.d_layout.val().is_control {
            self.decoded.next.condition_source = self.d_word.val().get_bits::<2>(44);
        }
        self.decoded.next.condition_enable =
            self.d_row.val().writes_code || self.d_row.val().sets_cc && self.d_word.val().get_bit(38);
        self.decoded.next.condition_register = self.d_word.val().get_bits::<2>(36);

        // The only output register is the one that discards.
        self.decoded.next.illegal = !self.rows.d_exists.val()
            || self.operands.d_places.val().conflict
            || self.places.d_no_such_register.val()
            || self.discard.val() && !self.destination.val().all()
            || self.d_row.val().guarded && self.condition_undefined.val();

        // Memory. Access types: u8, s8, u16, s16, then 64, 128 and 32 bits.
        self.memory.next = self.d_row.val().unit == Unit::Memory;
        self.access.next = self.d_word.val().get_bits::<3>(53);
        self.decoded.next.store = self.d_row.val().store;
        self.decoded.next.size = 2.into();
        if self.memory.val() && (self.access.val() < 4) {
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

        // Flow control, and the exchange in quads.
        self.target_low.next = self.d_word.val().get_bits::<16>(11);
        self.target_high.next = self.d_word.val().get_bits::<6>(46);
        self.target_low_shifted.next = bit_cast::<24, 16>(self.target_low.val()) << 2;
        self.target_high_shifted.next = bit_cast::<24, 6>(self.target_high.val()) << 18;
        self.decoded.next.target = self.target_low_shifted.val() | self.target_high_shifted.val();
        self.barrier.next.barrier = self.d_word.val().get_bits::<4>(21);
        self.barrier.next.threads = self.d_word.val().get_bits::<12>(9);
        self.barrier.next.arrives = self.d_word.val().get_bit(25);
        self.barrier.next.waits = self.d_word.val().get_bit(26);
        self.decoded.next.barrier = self.barrier.val();
        self.quad.next.exchanges = self.d_row.val().swizzles && !self.d_word.val().get_bit(18);
        self.quad.next.thread = self.d_word.val().get_bits::<2>(16);
        self.quad.next.operations = bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(58))
            | (bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(56)) << 2)
            | (bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(54)) << 4)
            | (bit_cast::<8, 2>(self.d_word.val().get_bits::<2>(20)) << 6);
        self.decoded.next.quad = self.quad.val();
        self.d_decoded.next = self.decoded.val();
    }
}
