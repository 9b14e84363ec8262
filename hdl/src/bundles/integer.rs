//! The control of the integer lanes. Operations and widths have the numbers that select them in a request on a board's
//! serial line (`board/lane_host.rs`).

use hdlkit::prelude::*;

/// Declares an enumeration with consecutive numbers from 0, and the function from a number to its value; an unused
/// number gives the first value.
macro_rules! numbered {
    (
        $(#[$about:meta])* $name:ident by $decode:ident of $bits:literal bits:
        $(#[$of_first:meta])* $first:ident = 0, $( $(#[$of_value:meta])* $value:ident = $number:literal, )*
    ) => {
        $(#[$about])*
        #[derive(Copy, Clone, Debug, PartialEq, LogicState)]
        pub enum $name {
            $(#[$of_first])* $first,
            $( $(#[$of_value])* $value, )*
        }

        impl $name {
            /// All values, indexed by their numbers.
            pub const ALL: &'static [$name] = &[$name::$first, $( $name::$value, )*];
        }

        const _: () = {
            assert!($name::ALL.len() <= 1 << $bits);
            $( assert!($name::$value as usize == $number); )*
        };

        /// The value of a number; the first value for an unused number.
        #[hdl_fn]
        pub(crate) fn $decode(number: Bits<$bits>) -> $name {
            match number.index() {
                $( $number => $name::$value, )*
                _ => $name::$first,
            }
        }
    };
}

numbered! {
    /// The operation of an integer lane.
    IntegerOperation by operation_of of 4 bits:
    /// a, unchanged.
    Move = 0,
    /// a + b; either may be negated, or the carry added.
    Add = 1,
    /// a * b, plus c if `accumulate`.
    Multiply = 2,
    /// a shifted by b.
    Shift = 3,
    /// AND, OR, XOR, PASS_B.
    Logic = 4,
    /// a compared with b: all ones or 0.
    Set = 5,
    /// The smaller or greater of a and b.
    MinMax = 6,
    /// I2I: a narrowed, abs, negated, clamped.
    Convert = 7,
    /// ISAD: c + |a - b|.
    SumDistance = 8,
    /// R2C: a, unchanged; its low four bits are the condition code.
    SetCode = 9,
}

numbered! {
    /// Width of an integer in a conversion.
    IntegerWidth by width_of of 2 bits:
    /// 32 bits.
    Word = 0,
    /// 16 bits.
    Half = 1,
    /// 8 bits.
    Byte = 2,
}

/// The control of an integer lane, the same for all lanes, from decode (`issue/decode/`).
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IntegerControl {
    pub operation: IntegerOperation,
    /// 16-bit operation: operands are the low 16 bits (upper bits 0, except in c), the result is 16 bits. The result of
    /// Multiply and SumDistance is always 32 bits.
    pub narrow: Bit,
    /// Compare, right shift, min/max, distance: operands are signed.
    pub is_signed: Bit,
    /// Clamp to the signed range on overflow (Add, Multiply with accumulate).
    pub saturate: Bit,
    /// Add: -a (subr). Multiply: -product (subr).
    pub negate_first: Bit,
    /// Add: -b (sub). Multiply: -c (sub).
    pub negate_last: Bit,
    /// Add the carry of the source condition code instead of 0 (addc); with both negates clear.
    pub carry_in: Bit,
    /// Multiply: operands of 24 bits instead of 16.
    pub multiply_24: Bit,
    /// Multiply: bits 47..16 of the product of 24-bit operands instead of its low 32.
    pub multiply_high: Bit,
    pub multiply_signed_a: Bit,
    pub multiply_signed_b: Bit,
    /// Multiply: add c.
    pub accumulate: Bit,
    /// Shift: right instead of left.
    pub shift_right: Bit,
    /// Logic: 0 AND, 1 OR, 2 XOR, 3 PASS_B.
    pub logic_function: Bits<2>,
    /// Logic: use ~a; use ~b.
    pub invert_a: Bit,
    pub invert_b: Bit,
    /// Set: true if less, equal, greater (any subset).
    pub compare_less: Bit,
    pub compare_equal: Bit,
    pub compare_greater: Bit,
    /// MinMax: take the greater.
    pub maximum: Bit,
    /// Convert: widths and signedness; then the absolute value, then the negative.
    pub source_width: IntegerWidth,
    pub source_signed: Bit,
    pub result_width: IntegerWidth,
    pub result_signed: Bit,
    pub absolute: Bit,
    pub negate: Bit,
}
