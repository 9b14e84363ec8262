//! Distributed RAM: small, and read in the same cycle.

use super::contents::{filled, initial_contents, write_port};
use crate::bits::Bits;
use crate::circuit::{Blank, Kind, Leaf, Primitive, Signal, Stale};
use hdlkit_macros::Leaf;
use rust_hdl_core::prelude::*;

macro_rules! lut_ram {
    ($(#[$doc:meta])* $name:ident, [$(($address:ident, $data:ident)),*]) => {
        $(#[$doc])*
        #[derive(Clone, Debug, LogicBlock, Leaf)]
        #[leaf(follows($($address),*), memory)]
        pub struct $name<const A: usize, D: Synth> {
            /// The clock of the write port.
            pub clock: Signal<In, Clock>,
            $(
                /// Read address.
                pub $address: Signal<In, Bits<A>>,
                /// The word at the read address in this cycle.
                pub $data: Signal<Out, D>,
            )*
            /// The address of the word to write at the next edge.
            pub write_address: Signal<In, Bits<A>>,
            /// Word to write.
            pub write_data: Signal<In, D>,
            /// 1 if the word is written at the next edge.
            pub write_enable: Signal<In, Bit>,
            _memory: Vec<D>,
            _stale: Stale,
        }

        impl<const A: usize, D: Synth> Default for $name<A, D> {
            fn default() -> Self {
                Self::new(vec![])
            }
        }

        impl<const A: usize, D: Synth> $name<A, D> {
            /// A RAM of 2^A words that starts with `contents`, the rest 0.
            ///
            /// # Panics
            /// If `contents` is longer.
            pub fn new(contents: Vec<D>) -> Self {
                $name {
                    clock: Default::default(),
                    $( $address: Default::default(), $data: Default::default(), )*
                    write_address: Default::default(),
                    write_data: Default::default(),
                    write_enable: Default::default(),
                    _memory: filled(contents, 1 << A),
                    _stale: Stale::default(),
                }
            }

            fn primitive(&self) -> Primitive {
                Primitive(Kind::Memory(self._memory.iter().map(|word| word.vcd()).collect(), vec![]))
            }
        }

        impl<const A: usize, D: Synth> Leaf for $name<A, D> {
            #[inline(always)]
            fn edge(&mut self) -> bool {
                if !self.write_enable.val() {
                    return false;
                }
                let write = self.write_address.val().index();
                let changed = self._memory[write] != self.write_data.val();
                self._memory[write] = self.write_data.val();
                changed && ($( self.$address.val().index() == write )||*)
            }
            #[inline(always)]
            fn follow(&mut self) {
                $( self.$data.next = self._memory[self.$address.val().index()]; )*
            }
            fn verilog(&self) -> String {
                let depth = self._memory.len();
                let mut reads = String::new();
                $( reads.push_str(&format!("assign {} = memory[{}];\n", stringify!($data), stringify!($address))); )*
                format!(
                    "(* ram_style = \"distributed\" *)\nreg [{}:0] memory [0:{}];\n{}{reads}{}",
                    D::BITS - 1,
                    depth - 1,
                    initial_contents(&self._memory, depth),
                    write_port(D::BITS, 1, "write_address"),
                )
            }
        }
    };
}

lut_ram!(
    /// A small RAM of 2^A words with a read in the same cycle, one read port and one write port. Maps to distributed
    /// RAM.
    LutRam, [(read_address, read_data)]
);
lut_ram!(
    /// Like [`LutRam`] with two read ports.
    LutRam2R, [(read_address_1, read_data_1), (read_address_2, read_data_2)]
);

impl<const A: usize, D: Synth> Blank for LutRam<A, D> {
    fn blank() -> Self {
        LutRam::default()
    }
}

impl<const A: usize, D: Synth> Blank for LutRam2R<A, D> {
    fn blank() -> Self {
        LutRam2R::default()
    }
}
