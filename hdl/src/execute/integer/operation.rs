//! The integer lane's operations and widths: each list is here once, with the numbers by which a host on a serial line
//! asks for them. `board/lane_host.rs` makes its decoder from the same lists.

use hdlkit::prelude::*;

/// Calls another macro with the list of the lane's operations, after these arguments.
macro_rules! integer_operations {
    ($macro:ident $($arguments:tt)*) => {
        $macro! {
            $($arguments)*
            /// a passes through.
            Move = 0,
            /// a + b, or with either negated, or with carry.
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
            /// R2C: a passes through, and its low four bits are the condition code.
            SetCode = 9,
        }
    };
}
pub(crate) use integer_operations;

/// Calls another macro with the list of an integer's widths, after these arguments.
macro_rules! integer_widths {
    ($macro:ident $($arguments:tt)*) => {
        $macro! {
            $($arguments)*
            /// 32 bits.
            Word = 0,
            /// 16 bits.
            Half = 1,
            /// 8 bits.
            Byte = 2,
        }
    };
}
pub(crate) use integer_widths;

/// Declares an enumeration of such a list. The numbers are those of the values' order, from 0.
macro_rules! declare {
    ($(#[$about:meta])* $name:ident: $( $(#[$doc:meta])* $value:ident = $number:literal, )*) => {
        $(#[$about])*
        #[derive(Copy, Clone, Debug, PartialEq, LogicState)]
        pub enum $name {
            $( $(#[$doc])* $value, )*
        }

        impl $name {
            /// All values, each at its number.
            pub const ALL: &'static [$name] = &[$( $name::$value, )*];
        }

        const _: () = {
            $( assert!($name::$value as usize == $number); )*
        };
    };
}

integer_operations! {
    declare
    /// The circuit of the integer lane that gives the result.
    IntegerOperation:
}

integer_widths! {
    declare
    /// Width of an integer in a conversion.
    IntegerWidth:
}
