//! Operands in shared, constant and local memory, and the use of address registers.

use super::layout::Layout;
use super::operands::Places;
use super::rows::Row;
use crate::bundles::*;
use hdlkit::prelude::*;

/// Decodes the memory operands.
#[derive(LogicBlock, Cycle, Blank)]
pub struct DecodePlaces {
    pub d_word: Signal<In, Bits<64>>,
    pub d_layout: Signal<In, Layout>,
    pub d_row: Signal<In, Row>,
    pub d_places: Signal<In, Places>,
    /// Byte offset of a shared operand, and its access type.
    pub d_shared_offset: Signal<Out, Bits<7>>,
    pub d_shared_access: Signal<Out, Bits<2>>,
    /// Byte address of a constant operand.
    pub d_constant_address: Signal<Out, Bits<16>>,
    pub d_indexing: Signal<Out, Indexing>,
    /// The address register does not exist.
    pub d_no_such_register: Signal<Out, Bit>,
    constant_field: Signal<Local, Bits<7>>,
    constant_bytes: Signal<Local, Bits<16>>,
    constant_bank: Signal<Local, Bits<16>>,
    bank: Signal<Local, Bits<4>>,
    shared_access: Signal<Local, Bits<2>>,
    shared_units: Signal<Local, Bits<7>>,
    long_offset: Signal<Local, Bits<16>>,
    offset: Signal<Local, Bits<16>>,
    offset_is_negative: Signal<Local, Bit>,
    offset_span: Signal<Local, Bits<16>>,
    uses_address: Signal<Local, Bit>,
    address_register: Signal<Local, Bits<3>>,
    address_destination: Signal<Local, Bits<3>>,
    indexing: Signal<Local, Indexing>,
    no_indexing: Constant<Indexing>,
    _activity: Activity,
}

impl Logic for DecodePlaces {
    #[hdl_gen]
    fn update(&mut self) {
        self.constant_field.next = self.d_layout.val().field_2;
        if self.d_places.val().constant_is_3 {
            self.constant_field.next = self.d_layout.val().field_3;
        }
        if self.d_layout.val().is_short {
            self.constant_field.next = bit_cast::<7, 5>(self.d_word.val().get_bits::<5>(16));
        }
        self.constant_bytes.next = bit_cast::<16, 7>(self.constant_field.val()) << 1;
        if self.d_places.val().constant_wide {
            self.constant_bytes.next = bit_cast::<16, 7>(self.constant_field.val()) << 2;
        }
        // Banks of 4096 bytes.
        self.bank.next = self.d_layout.val().bank;
        self.constant_bank.next = bit_cast::<16, 4>(self.bank.val()) << 12;
        self.d_constant_address.next = self.constant_bank.val() + self.constant_bytes.val();

        // A shared offset is in units of its access: bytes, half-words, words.
        self.shared_access.next = self.d_word.val().get_bits::<2>(14);
        self.shared_units.next = bit_cast::<7, 5>(self.d_word.val().get_bits::<5>(9));
        if !self.d_layout.val().is_full {
            self.shared_access.next = self.d_word.val().get_bits::<2>(13);
            self.shared_units.next = bit_cast::<7, 4>(self.d_word.val().get_bits::<4>(9));
        }
        match self.shared_access.val().index() {
            0 => {}
            3 => self.shared_units.next = self.shared_units.val() << 2,
            _ => self.shared_units.next = self.shared_units.val() << 1,
        }
        self.d_shared_offset.next = self.shared_units.val();
        self.d_shared_access.next = self.shared_access.val();

        // Per-thread addresses.
        self.address_register.next = self.d_layout.val().address_register;
        self.long_offset.next = self.d_word.val().get_bits::<16>(9);
        self.indexing.next = self.no_indexing.val();
        self.indexing.next.gathers = self.d_places.val().shared_is_indexed || self.d_places.val().constant_is_indexed;
        self.indexing.next.scatters = self.d_row.val().scatters;
        self.indexing.next.local = self.d_row.val().is_local;
        self.indexing.next.constant = self.d_places.val().constant_is_indexed;
        self.indexing.next.bank = self.bank.val();
        self.offset.next = self.long_offset.val();
        self.offset_is_negative.next = false;
        self.offset_span.next = 0.into();
        if self.d_places.val().shared_is_indexed {
            self.indexing.next.access = self.shared_access.val();
            self.offset.next = bit_cast::<16, 7>(self.shared_units.val());
            self.offset_is_negative.next = self.d_word.val().get_bit(12);
            self.offset_span.next = 16.into();
            if self.d_layout.val().is_full {
                self.offset_is_negative.next = self.d_word.val().get_bit(13);
                self.offset_span.next = 32.into();
            }
            match self.shared_access.val().index() {
                0 => {}
                3 => self.offset_span.next = self.offset_span.val() << 2,
                _ => self.offset_span.next = self.offset_span.val() << 1,
            }
        } else if self.d_row.val().moves_constant || self.d_row.val().scatters {
            self.indexing.next.access = self.d_word.val().get_bits::<2>(46);
            if self.d_row.val().scatters {
                self.indexing.next.access = 1.into();
                if self.d_layout.val().wide {
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
        } else if !self.d_row.val().is_local {
            self.indexing.next.access = 1.into();
            if self.d_places.val().constant_wide {
                self.indexing.next.access = 3.into();
            }
            self.offset.next = self.constant_bytes.val();
            self.offset_is_negative.next = self.constant_field.val().get_bit(6);
            self.offset_span.next = 256.into();
            if self.d_layout.val().is_short {
                self.offset_is_negative.next = self.constant_field.val().get_bit(4);
                self.offset_span.next = 64.into();
            }
            if self.d_places.val().constant_wide {
                self.offset_span.next = self.offset_span.val() << 1;
            }
        }
        // Short operands' offsets are signed if they are increments.
        if self.d_layout.val().post_increment && self.offset_is_negative.val() {
            self.offset.next = self.offset.val() - self.offset_span.val();
        }
        self.indexing.next.offset = self.offset.val();

        // Address registers.
        self.uses_address.next =
            self.indexing.val().gathers || self.indexing.val().scatters || self.d_row.val().reads_address;
        self.indexing.next.post_increment =
            self.d_layout.val().post_increment && (!self.d_row.val().reads_address || self.d_row.val().is_local);
        self.indexing.next.register = self.address_register.val().get_bits::<2>(0) - 1;
        self.indexing.next.register_used = self.uses_address.val() && self.address_register.val().any();
        self.address_destination.next = self.d_word.val().get_bits::<3>(2);
        self.indexing.next.increments = self.indexing.val().register_used
            && self.indexing.val().post_increment
            && !(self.d_row.val().writes_address && (self.address_destination.val() == self.address_register.val()));
        self.d_no_such_register.next = self.uses_address.val() && (self.address_register.val() > 4)
            || self.d_row.val().writes_address && (self.address_destination.val() > 4);
        self.d_indexing.next = self.indexing.val();
    }
}
