//! What a decoder circuit needs of a set: rows in the order of their ranks, and where each output port finds its bits.
//!
//! The ports are fields of the table, by name. A field lies in different places in different rows; a [`Slice`] is a run of
//! neighbouring bits that goes to the same bits of a port, with the rows for which that is so.

use crate::set::{ones, Field, Piece, Row, Set};
use std::collections::BTreeMap;

/// A row of a [`Circuit`].
#[derive(Clone, Copy, Debug)]
pub struct CircuitRow {
    /// The row's number in the set, as [`Set::rows`] counts the rows of the set's version.
    pub number: usize,
    /// The row.
    pub row: &'static Row,
    /// The first row of its rank; it and those after it count only if none before it matches.
    pub first_of_rank: bool,
}

/// A run of neighbouring bits of the word that goes to a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The run's lowest bit in the word.
    pub low: u8,
    /// Its width in bits.
    pub width: u8,
    /// Where its lowest bit goes in the port.
    pub up: u8,
    /// The rows for which it counts, by their place in [`Circuit::rows`].
    pub rows: Vec<usize>,
}

/// An output port: a field of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The field's name.
    pub name: &'static str,
    /// The widest that the field is in any row, in bits.
    pub width: u32,
    /// Where its bits come from. The port is 0 for rows that no slice names.
    pub slices: Vec<Slice>,
}

/// A set as a decoder circuit sees it.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The rows, higher ranks first.
    pub rows: Vec<CircuitRow>,
    /// The output ports.
    pub ports: Vec<Port>,
}

/// A set that has no decoder circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CircuitError {
    /// A port that no row has as a field.
    #[error("no row of the set has a field `{0}`")]
    NoField(&'static str),
    /// A field that a row has in two places.
    #[error("row `{row}` has the field `{field}` in two places; a port needs one")]
    TwoPlaces {
        /// The field.
        field: &'static str,
        /// The row's mnemonic.
        row: &'static str,
    },
    /// A field of more than 32 bits.
    #[error("the field `{field}` of row `{row}` has {width} bits; a port has at most 32")]
    TooWide {
        /// The field.
        field: &'static str,
        /// The row's mnemonic.
        row: &'static str,
        /// Its width.
        width: u32,
    },
}

/// Calls `visit` with every field of the pieces, in all cases.
fn fields(pieces: &'static [Piece], visit: &mut impl FnMut(&'static Field)) {
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Names(field, _) | Piece::Flag(field, _, _) | Piece::Number(field, _) => visit(field),
            Piece::Cases(cases) => cases.iter().for_each(|case| fields(case.pieces, visit)),
            Piece::Pieces(group) => fields(group, visit),
        }
    }
}

/// The field with this name in a row.
fn field(row: &'static Row, name: &'static str) -> Result<Option<Field>, CircuitError> {
    let mut found: Option<Field> = None;
    let mut twice = false;
    for pieces in [row.lead, row.pieces] {
        fields(pieces, &mut |field| {
            if field.name == name {
                twice |= found.is_some_and(|found| found != *field);
                found = Some(*field);
            }
        });
    }
    if twice {
        let row = row.mnemonic;
        return Err(CircuitError::TwoPlaces { field: name, row });
    }
    Ok(found)
}

impl Circuit {
    /// The circuit of a set, with these ports.
    ///
    /// # Errors
    /// A port is not a field of any row, or not in one place or wider than 32 bits in some row.
    pub fn new(set: &'static Set, ports: &[&'static str]) -> Result<Circuit, CircuitError> {
        let mut order: Vec<(usize, &'static Row)> = set.index().rows.iter().copied().enumerate().collect();
        order.sort_by_key(|(_, row)| std::cmp::Reverse(row.rank));
        let first = |place: usize| place > 0 && order[place - 1].1.rank != order[place].1.rank;
        let rows = order.iter().enumerate().map(|(place, &(number, row))| CircuitRow {
            number,
            row,
            first_of_rank: first(place),
        });
        let circuit_rows: Vec<CircuitRow> = rows.collect();
        let mut circuit_ports = Vec::new();
        for &name in ports {
            let mut slices: BTreeMap<(u8, u8, u8), Vec<usize>> = BTreeMap::new();
            let mut width = 0;
            for (place, CircuitRow { row, .. }) in circuit_rows.iter().enumerate() {
                let Some(field) = field(row, name)? else {
                    continue;
                };
                if field.width() > 32 {
                    let (row, width) = (row.mnemonic, field.width());
                    return Err(CircuitError::TooWide {
                        field: name,
                        row,
                        width,
                    });
                }
                width = width.max(field.width());
                let mut up = 0;
                for &(low, bits) in field.parts.iter().filter(|part| part.1 > 0) {
                    slices.entry((up, low, bits)).or_default().push(place);
                    up += bits;
                }
            }
            if slices.is_empty() {
                return Err(CircuitError::NoField(name));
            }
            let slices = slices
                .into_iter()
                .map(|((up, low, width), rows)| Slice { low, width, up, rows });
            circuit_ports.push(Port {
                name,
                width,
                slices: slices.collect(),
            });
        }
        Ok(Circuit {
            rows: circuit_rows,
            ports: circuit_ports,
        })
    }
}

impl Slice {
    /// The slice's bits of a word, in their place in the port.
    pub const fn get(&self, word: u128) -> u32 {
        ((word >> self.low & ones(self.width as u32)) as u32) << self.up
    }
}
