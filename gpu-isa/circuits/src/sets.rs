//! The decoders of the sets, each with ports named and sized for its operands.
//!
//! A kernel cannot take its ports from a table, so the ports of each set are repeated here; [`decoder`] returns an
//! error if they differ from the table's.

use super::decode::ForeignDecode;
use flexgrip_gpu_isa::circuit::{Circuit, CircuitError};
use flexgrip_gpu_isa::Set;
use hdlkit::prelude::*;
use thiserror::Error;

/// The reason why a set has no decoder here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecoderError {
    /// There is no circuit for the set.
    #[error("there is no decoder circuit for the set `{0}`")]
    NoCircuit(&'static str),
    /// The table's ports are not possible in a circuit.
    #[error("the set `{set}`: {error}")]
    Table {
        /// The set's name.
        set: &'static str,
        /// The table's defect.
        error: CircuitError,
    },
    /// The circuit and the table have different ports.
    #[error("the set `{set}` has the ports {table}; its circuit has {circuit}")]
    Ports {
        /// The set's name.
        set: &'static str,
        /// The table's ports, each with its width.
        table: String,
        /// The circuit's ports, each with its width.
        circuit: String,
    },
}

/// A decoder's outputs for a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The row's number in the table; `None` if no row matches.
    pub row: Option<usize>,
    /// The instruction's length in bytes; 0 if no row matches.
    pub length: u8,
    /// The operands, in the order of the ports.
    pub operands: Vec<u32>,
}

/// The common interface of the sets' decoders.
pub trait ForeignDecoder: Structure + Cycle + Sized {
    /// The operands' ports with their widths in bits.
    const PORTS: &'static [(&'static str, u32)];

    /// The decoder of a set, from its table's circuit.
    ///
    /// # Errors
    /// The table's ports are not the circuit's.
    ///
    /// # Panics
    /// If the circuit has too few rows or slices for the table.
    fn of(set: &'static Set, table: &Circuit) -> Result<Self, DecoderError>;

    /// Sets the word to decode.
    fn set_word(&mut self, word: u128);

    /// Reads the outputs.
    fn answer(&self) -> Answer;
}

/// Defines the decoder of a set: its rows in equal groups of at most 64, the maximum number of slices of a port, and
/// the ports with their widths.
macro_rules! foreign_decoder {
    ($(#[$doc:meta])* $name:ident: $groups:literal x $wide:literal rows, $slices:literal slices {
        $($index:tt $port:ident: $bits:literal,)*
    }) => {
        $(#[$doc])*
        #[circuit]
        pub struct $name {
            /// The word; bits above the instruction's own are ignored where no row has them.
            pub word: Signal<In, WideBits<96>>,
            /// 1 if a row matches the word.
            pub legal: Signal<Out, Bit>,
            /// The row's number in the table; 0 if none.
            pub row: Signal<Out, Bits<10>>,
            /// The instruction's length in bytes; 0 if no row matches.
            pub length: Signal<Out, Bits<4>>,
            $(
            /// The operand of this name; 0 if the row does not have it.
            pub $port: Signal<Out, Bits<$bits>>,
            )*
            decode: ForeignDecode<
                { $groups * $wide },
                $groups,
                { [$($bits),*].len() },
                { [$($bits),*].len() * $slices },
                { [$($bits),*].len() * $slices * $groups },
            >,
        }

        impl ForeignDecoder for $name {
            const PORTS: &'static [(&'static str, u32)] = &[$((stringify!($port), $bits)),*];

            fn of(set: &'static Set, table: &Circuit) -> Result<Self, DecoderError> {
                check_ports(set, table, Self::PORTS)?;
                Ok($name { decode: ForeignDecode::new(table), ..Default::default() })
            }

            fn set_word(&mut self, word: u128) {
                self.word.next = WideBits::from_wide(word);
            }

            fn answer(&self) -> Answer {
                Answer {
                    row: self.legal.val().then(|| self.row.val().index()),
                    length: self.length.val().raw() as u8,
                    operands: vec![$(self.$port.val().raw() as u32),*],
                }
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
    G13Decode: 3 x 54 rows, 11 slices {
        0 d: 8, 1 d_type: 2, 2 a: 8, 3 a_type: 4, 4 b: 8, 5 b_type: 4, 6 c: 8, 7 c_type: 4,
        8 x: 8, 9 y: 8, 10 r: 8, 11 mask: 4, 12 format: 4, 13 base: 7, 14 index: 16,
        15 texture: 8, 16 sampler: 8, 17 coordinates: 8, 18 number: 32,
    }
}

foreign_decoder! {
    /// The decoder of PowerVR USSE.
    UsseDecode: 6 x 55 rows, 8 slices {
        0 predicate: 3, 1 destination: 7, 2 destination_file: 3,
        3 source_0: 7, 4 source_0_file: 2, 5 source_1: 7, 6 source_1_file: 3, 7 source_2: 7, 8 source_2_file: 3,
        9 mask: 4, 10 repeat: 4, 11 number: 32,
    }
}

foreign_decoder! {
    /// The decoder of NVIDIA 5.x and 6.x.
    MaxwellDecode: 5 x 64 rows, 15 slices {
        0 destination: 8, 1 source_1: 8, 2 source_2: 8, 3 source_3: 8, 4 guard: 4,
        5 bank: 5, 6 offset: 32, 7 number: 32, 8 target: 24,
    }
}

foreign_decoder! {
    /// The decoder of NVIDIA 3.5.
    KeplerDecode: 4 x 60 rows, 8 slices {
        0 destination: 8, 1 source_1: 8, 2 source_2: 8, 3 source_3: 8, 4 guard: 4,
        5 bank: 5, 6 offset: 32, 7 number: 32, 8 target: 32,
    }
}

foreign_decoder! {
    /// The decoder of NVIDIA 2.x and 3.0.
    FermiDecode: 4 x 60 rows, 15 slices {
        0 destination: 6, 1 source_1: 6, 2 source_2: 6, 3 source_3: 6, 4 guard: 4,
        5 bank: 5, 6 offset: 32, 7 number: 32, 8 target: 32,
    }
}

/// The ports of a circuit as text.
fn ports_text<'a>(ports: impl Iterator<Item = (&'a str, u32)>) -> String {
    ports.map(|(name, bits)| format!("{name}:{bits}")).collect::<Vec<_>>().join(" ")
}

/// Checks that a decoder's ports are the table's.
fn check_ports(set: &'static Set, table: &Circuit, ports: &[(&str, u32)]) -> Result<(), DecoderError> {
    let table = ports_text(table.ports.iter().map(|port| (port.name, port.width)));
    let circuit = ports_text(ports.iter().copied());
    if table == circuit {
        return Ok(());
    }
    Err(DecoderError::Ports { set: set.name, table, circuit })
}

/// The circuit's contents, from the set's table.
///
/// # Errors
/// The table's ports are not possible in a circuit.
pub fn table_circuit(set: &'static Set) -> Result<Circuit, DecoderError> {
    Circuit::new(set).map_err(|error| DecoderError::Table { set: set.name, error })
}

/// The decoder of a set, for export.
///
/// # Errors
/// The set has no decoder, or its ports differ from the table's.
pub fn decoder(set: &'static Set, table: &Circuit) -> Result<Box<dyn Structure>, DecoderError> {
    match set.name {
        "g13" => boxed::<G13Decode>(set, table),
        "usse" => boxed::<UsseDecode>(set, table),
        "sm20" | "sm30" => boxed::<FermiDecode>(set, table),
        "sm35" => boxed::<KeplerDecode>(set, table),
        "sm50" | "sm52" | "sm60" => boxed::<MaxwellDecode>(set, table),
        name => Err(DecoderError::NoCircuit(name)),
    }
}

fn boxed<D: ForeignDecoder + 'static>(set: &'static Set, table: &Circuit) -> Result<Box<dyn Structure>, DecoderError> {
    Ok(Box::new(D::of(set, table)?))
}
