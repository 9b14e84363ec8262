//! The decoders of the sets, each with ports named and sized for its operands.
//!
//! A kernel cannot name ports that are data, so each set's are written here once more; [`decoder`] refuses a circuit whose
//! ports are not those of the set's table.

use super::decode::ForeignDecode;
use flexgrip_gpu_isa::circuit::{Circuit, CircuitError};
use flexgrip_gpu_isa::Set;
use hdlkit::prelude::*;
use thiserror::Error;

/// A set that has no decoder here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecoderError {
    /// There is no circuit for the set.
    #[error("there is no decoder circuit for the set `{0}`")]
    NoCircuit(&'static str),
    /// The table's ports cannot be a circuit's.
    #[error("the set `{set}`: {error}")]
    Table {
        /// The set.
        set: &'static str,
        /// What is wrong.
        error: CircuitError,
    },
    /// The circuit and the table have different ports.
    #[error("the set `{set}` has the ports {table}; its circuit has {circuit}")]
    Ports {
        /// The set.
        set: &'static str,
        /// Those of the table, each with its width.
        table: String,
        /// Those of the circuit.
        circuit: String,
    },
}

/// Defines the decoder of a set: its rows in equal groups of at most 64, the most slices that a port has, and the ports with
/// their widths.
macro_rules! foreign_decoder {
    ($(#[$doc:meta])* $name:ident: $groups:literal x $wide:literal rows, $slices:literal slices {
        $($index:tt $port:ident: $bits:literal,)*
    }) => {
        $(#[$doc])*
        #[derive(LogicBlock, Cycle, Blank)]
        pub struct $name {
            /// The word; bits above the instruction's own are ignored where no row has them.
            pub word: Signal<In, WideBits<96>>,
            /// The word is of a row.
            pub legal: Signal<Out, Bit>,
            /// The row's number in the table; 0 if none.
            pub row: Signal<Out, Bits<10>>,
            /// The instruction's length in bytes; 0 if the word is of no row.
            pub length: Signal<Out, Bits<4>>,
            // Operands, 0 where the row does not have them.
            $(pub $port: Signal<Out, Bits<$bits>>,)*
            decode: ForeignDecode<
                { $groups * $wide },
                $groups,
                $wide,
                { [$($bits),*].len() },
                $slices,
                { [$($bits),*].len() * $slices },
                { [$($bits),*].len() * $slices * $groups },
            >,
            _activity: Activity,
        }

        impl $name {
            /// The operands' ports with their widths in bits.
            pub const PORTS: &'static [(&'static str, u32)] = &[$((stringify!($port), $bits)),*];

            /// The decoder of this circuit.
            ///
            /// # Panics
            /// If it has more rows, ports or slices.
            pub fn new(circuit: &Circuit) -> Self {
                $name {
                    decode: ForeignDecode::new(circuit),
                    ..Default::default()
                }
            }

            /// The operands' values in the order of the ports.
            pub fn operands(&self) -> Vec<u32> {
                vec![$(self.$port.val().raw() as u32),*]
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                self.decode.word.next = self.word.val();
                self.legal.next = self.decode.legal.val();
                self.row.next = self.decode.row.val();
                self.length.next = self.decode.length.val();
                $(self.$port.next = self.decode.field[$index].val().get_bits::<$bits>(0);)*
            }
        }
    };
}

foreign_decoder! {
    /// The decoder of Apple G13.
    G13Decode: 1 x 52 rows, 5 slices {
        0 d: 8,
        1 d_type: 2,
        2 a: 8,
        3 a_type: 4,
        4 b: 8,
        5 b_type: 4,
        6 c: 8,
        7 c_type: 4,
        8 x: 8,
        9 y: 8,
        10 number: 32,
    }
}

foreign_decoder! {
    /// The decoder of PowerVR USSE.
    UsseDecode: 5 x 57 rows, 7 slices {
        0 predicate: 3,
        1 data_format: 2,
        2 modifier: 1,
        3 op0: 6,
        4 op0_kind: 2,
        5 op1: 6,
    }
}

/// The ports of a circuit as text.
fn ports_text<'a>(ports: impl Iterator<Item = (&'a str, u32)>) -> String {
    ports
        .map(|(name, bits)| format!("{name}:{bits}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The circuit of a set for a decoder with these ports.
fn circuit(set: &'static Set, ports: &[(&str, u32)]) -> Result<Circuit, DecoderError> {
    let circuit = Circuit::new(set).map_err(|error| DecoderError::Table { set: set.name, error })?;
    let table = ports_text(circuit.ports.iter().map(|port| (port.name, port.width)));
    let own = ports_text(ports.iter().copied());
    if table != own {
        return Err(DecoderError::Ports {
            set: set.name,
            table,
            circuit: own,
        });
    }
    Ok(circuit)
}

/// The decoder of a set, for export.
///
/// # Errors
/// There is none, or its ports are not those of the table.
pub fn decoder(set: &'static Set) -> Result<Box<dyn Structure>, DecoderError> {
    match set.name {
        "g13" => Ok(Box::new(G13Decode::new(&circuit(set, G13Decode::PORTS)?))),
        "usse" => Ok(Box::new(UsseDecode::new(&circuit(set, UsseDecode::PORTS)?))),
        name => Err(DecoderError::NoCircuit(name)),
    }
}
