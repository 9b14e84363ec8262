//! The four layouts of instruction words, and the fields at the same position in all operations.
//!
//! | bits | short | long | immediate | control |
//! |---|---|---|---|---|
//! | 1..0 | 00 | 01 | 01 | 10 (32 bits), 11 (64 bits) |
//! | 33..32 | | 00 none, 01 exit, 10 join | 11 | |
//! | destination | 7..2 | 8..2 | 7..2 | |
//! | source 1, or offset in s[] | 14..9 | 15..9 | 14..9 | |
//! | source 2, or offset in c[] | 21..16 | 22..16 | | |
//! | source 3, or offset in c[] | | 52..46 | | |
//! | 32-bit | 15 | 58 | 15 | |

use hdlkit::prelude::*;

/// A word's layout and its common fields.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Layout {
    /// The instruction has 64 bits instead of 32.
    pub is_long: Bit,
    /// The layout, one-hot: control (of 32 or 64 bits), long, immediate, short.
    pub is_control: Bit,
    pub is_full: Bit,
    pub is_immediate: Bit,
    pub is_short: Bit,
    /// The layout as a number: 0 short or control, 1 long, 3 immediate.
    pub form: Bits<2>,
    /// Markers of a long instruction: bit 0 exit, bit 1 join.
    pub marker: Bits<2>,
    /// The operation is 32 bits wide instead of 16, if the row has this bit.
    pub wide: Bit,
    /// The destination's register, six bits in short and immediate words.
    pub destination: Bits<7>,
    pub field_1: Bits<7>,
    pub field_2: Bits<7>,
    pub field_3: Bits<7>,
    /// Source 1 is an operand in s[].
    pub select_shared: Bit,
    /// Address register of an operand in memory, 1 to 4; 0 for none.
    pub address_register: Bits<3>,
    pub post_increment: Bit,
    /// Bank of an operand in c[].
    pub bank: Bits<4>,
    /// The destination is o[].
    pub discard: Bit,
}

/// Returns the layout of a word.
#[hdl_fn]
pub fn layout_of(word: Bits<64>) -> Layout {
    let is_long = word.get_bit(0);
    let is_control = word.get_bit(1);
    let long_marker = word.bits::<2>(32);
    let is_immediate = is_long && !is_control && long_marker.all();
    let is_full = is_long && !is_control && !long_marker.all();
    let mut layout = Layout {
        is_long,
        is_control,
        is_full,
        is_immediate,
        is_short: !is_long && !is_control,
        field_3: word.bits::<7>(46),
        post_increment: word.get_bit(25),
        ..Default::default()
    };
    if is_full {
        layout.form = 1.into();
        layout.marker = long_marker;
        layout.wide = word.get_bit(58);
        layout.destination = word.bits::<7>(2);
        layout.field_1 = word.bits::<7>(9);
        layout.field_2 = word.bits::<7>(16);
        layout.select_shared = word.get_bit(53);
        layout.address_register = word.bits::<1>(34).concat(word.bits::<2>(26));
        layout.bank = word.bits::<4>(54);
        layout.discard = word.get_bit(35);
    } else {
        layout.form = if is_immediate { bits(3) } else { bits(0) };
        layout.wide = word.get_bit(15);
        layout.destination = word.bits::<6>(2).resize();
        layout.field_1 = word.bits::<6>(9).resize();
        layout.field_2 = word.bits::<6>(16).resize();
        layout.select_shared = word.get_bit(24);
        layout.address_register = word.bits::<2>(26).resize();
        layout.bank = word.bits::<1>(21).resize();
    }
    layout
}
