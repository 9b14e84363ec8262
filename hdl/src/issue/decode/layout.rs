//! The four layouts of instruction words, and the fields at the same position in every operation.
//!
//! | bits | short | long | immediate | control |
//! |---|---|---|---|---|
//! | 1..0 | 00, 10 | 01 | 01 | 11 |
//! | 33..32 | | 00 none, 01 exit, 10 join | 11 | |
//! | destination | 7..2 | 8..2 | 7..2 | |
//! | source 1, or place in s[] | 14..9 | 15..9 | 14..9 | |
//! | source 2, or place in c[] | 21..16 | 22..16 | | |
//! | source 3, or place in c[] | | 52..46 | | |
//! | 32-bit | 15 | 58 | 15 | |

use hdlkit::prelude::*;

/// A word's layout and its common fields.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Layout {
    /// 64 bits instead of 32.
    pub is_long: Bit,
    /// Flow control, of 64 or 32 bits.
    pub is_control: Bit,
    /// The long layout.
    pub is_full: Bit,
    /// The immediate layout.
    pub is_immediate: Bit,
    /// The short layout.
    pub is_short: Bit,
    /// 0 short, 1 long, 3 immediate.
    pub form: Bits<2>,
    /// Bit 0 exit, bit 1 join.
    pub marker: Bits<2>,
    /// The operation is 32 bits wide instead of 16, if the row has this bit.
    pub wide: Bit,
    /// The destination's register. Six bits in short and immediate words.
    pub destination: Bits<7>,
    pub field_1: Bits<7>,
    pub field_2: Bits<7>,
    pub field_3: Bits<7>,
    /// Source 1 is an operand in s[].
    pub select_shared: Bit,
    /// Address register of an operand in memory, 1 to 4; 0 none.
    pub address_register: Bits<3>,
    pub post_increment: Bit,
    /// Bank of an operand in c[].
    pub bank: Bits<4>,
    /// The destination is o[].
    pub discard: Bit,
}

/// Decodes the layout.
#[derive(LogicBlock, Cycle, Blank)]
pub struct DecodeLayout {
    pub d_word: Signal<In, Bits<64>>,
    pub d_layout: Signal<Out, Layout>,
    long_marker: Signal<Local, Bits<2>>,
    is_long: Signal<Local, Bit>,
    is_control: Signal<Local, Bit>,
    is_immediate: Signal<Local, Bit>,
    is_full: Signal<Local, Bit>,
    layout: Signal<Local, Layout>,
    no_layout: Constant<Layout>,
    _activity: Activity,
}

impl Logic for DecodeLayout {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_long.next = self.d_word.val().get_bit(0);
        self.is_control.next = self.d_word.val().get_bit(1);
        self.long_marker.next = self.d_word.val().get_bits::<2>(32);
        self.is_immediate.next = self.is_long.val() && !self.is_control.val() && (self.long_marker.val() == 3);
        self.is_full.next = self.is_long.val() && !self.is_control.val() && (self.long_marker.val() != 3);

        self.layout.next = self.no_layout.val();
        self.layout.next.is_long = self.is_long.val();
        self.layout.next.is_control = self.is_control.val();
        self.layout.next.is_immediate = self.is_immediate.val();
        self.layout.next.is_full = self.is_full.val();
        self.layout.next.is_short = !self.is_long.val() && !self.is_control.val();
        self.layout.next.post_increment = self.d_word.val().get_bit(25);
        self.layout.next.address_register = bit_cast::<3, 2>(self.d_word.val().get_bits::<2>(26));
        self.layout.next.field_3 = self.d_word.val().get_bits::<7>(46);
        if self.is_full.val() {
            self.layout.next.form = 1.into();
            self.layout.next.marker = self.long_marker.val();
            self.layout.next.wide = self.d_word.val().get_bit(58);
            self.layout.next.destination = self.d_word.val().get_bits::<7>(2);
            self.layout.next.field_1 = self.d_word.val().get_bits::<7>(9);
            self.layout.next.field_2 = self.d_word.val().get_bits::<7>(16);
            self.layout.next.select_shared = self.d_word.val().get_bit(53);
            self.layout.next.address_register = bit_cast::<3, 2>(self.d_word.val().get_bits::<2>(26))
                | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(34)) << 2);
            self.layout.next.bank = self.d_word.val().get_bits::<4>(54);
            self.layout.next.discard = self.d_word.val().get_bit(35);
        } else {
            self.layout.next.wide = self.d_word.val().get_bit(15);
            self.layout.next.destination = bit_cast::<7, 6>(self.d_word.val().get_bits::<6>(2));
            self.layout.next.field_1 = bit_cast::<7, 6>(self.d_word.val().get_bits::<6>(9));
            self.layout.next.field_2 = bit_cast::<7, 6>(self.d_word.val().get_bits::<6>(16));
            self.layout.next.select_shared = self.d_word.val().get_bit(24);
            self.layout.next.bank = bit_cast::<4, 1>(self.d_word.val().get_bits::<1>(21));
        }
        if self.is_immediate.val() {
            self.layout.next.form = 3.into();
        }
        self.d_layout.next = self.layout.val();
    }
}
