//! The trace ports of an SM: the events of each executed instruction, for simulation. Unconnected on a board, they take
//! no logic. The contract, [`flexgrip_machine::trace`], defines their meaning.

use flexgrip_machine::trace_table;
use hdlkit::prelude::*;

/// Generates the interface from the contract's table, port by port.
macro_rules! define_trace {
    (@ports {$($ports:tt)*}) => {
        /// The trace ports of an SM with LANES scalar processors.
        #[interface]
        pub struct Trace<const LANES: usize> {
            $($ports)*
        }
    };
    (@ports {$($ports:tt)*} $port:ident bit $bits:literal; $($rest:tt)*) => {
        define_trace!(@ports {$($ports)* pub $port: Signal<Out, Bit>,} $($rest)*);
    };
    (@ports {$($ports:tt)*} $port:ident bits $bits:literal; $($rest:tt)*) => {
        define_trace!(@ports {$($ports)* pub $port: Signal<Out, Bits<$bits>>,} $($rest)*);
    };
    (@ports {$($ports:tt)*} $port:ident lanes $bits:literal; $($rest:tt)*) => {
        define_trace!(@ports {$($ports)* pub $port: [Signal<Out, Bits<$bits>>; LANES],} $($rest)*);
    };
    (@ports {$($ports:tt)*} $port:ident half $bits:literal; $($rest:tt)*) => {
        define_trace!(@ports {$($ports)* pub $port: [Signal<Out, Bits<$bits>>; 16],} $($rest)*);
    };
    ($($(#[$about:meta])* $event:ident $type:ident $letter:literal $valid:ident {
        $($(#[$doc:meta])* $port:ident $field:ident $shape:ident $bits:literal $rust:ty;)*
    })*) => {
        define_trace!(@ports {} $($valid bit 1; $($port $shape $bits;)*)*);
    };
}

trace_table!(define_trace);
