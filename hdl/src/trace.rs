//! The trace ports of an SM: one report per executed instruction, for simulation. Left open on a board, they cost
//! nothing. Their meaning is defined by the contract, [`flexgrip_machine::trace`].

use flexgrip_machine::trace_table;
use hdlkit::prelude::*;
use rust_hdl_core::ast::VerilogLink;

/// Makes the interface from the contract's table, port by port.
macro_rules! define_trace {
    (@ports {$($ports:tt)*}) => {
        /// The trace ports of an SM with LANES scalar processors.
        #[derive(Clone, Debug, LogicInterface, CycleInterface, Blank, Ports)]
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

/// Lets interfaces hold arrays of signals; rust-hdl links only single signals. The names are those that its derive
/// calls.
trait LinkArray {
    fn link(&mut self, other: &mut Self);
    fn link_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink>;
    fn link_connect_source(&mut self);
    fn link_connect_dest(&mut self);
    fn join_connect(&mut self);
    fn join_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink>;
}

impl<D: Synth, const N: usize> LinkArray for [Signal<Out, D>; N] {
    fn link(&mut self, other: &mut Self) {
        for (outer, inner) in self.iter_mut().zip(other) {
            outer.link(inner);
        }
    }
    fn link_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink> {
        let link = |index| <Signal<Out, D> as LogicLink>::link_hdl(&format!("{name}[{index}]"), this, that);
        (0..N).flat_map(link).collect()
    }
    fn link_connect_source(&mut self) {
        self.iter_mut().for_each(LogicLink::link_connect_source);
    }
    fn link_connect_dest(&mut self) {
        self.iter_mut().for_each(LogicLink::link_connect_dest);
    }
    fn join_connect(&mut self) {
        self.iter_mut().for_each(LogicJoin::join_connect);
    }
    fn join_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink> {
        let join = |index| Signal::<Out, D>::join_hdl(&format!("{name}[{index}]"), this, that);
        (0..N).flat_map(join).collect()
    }
}
