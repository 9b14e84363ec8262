//! The integer lane's operations and widths, with the numbers that select them in a request on a board's serial line
//! (`board/lane_host.rs`).

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
