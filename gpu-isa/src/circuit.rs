//! The specification of a decoder circuit for a set: rows in the order of their ranks, and the source bits of each
//! output port.
//!
//! The ports are the [`Operand`]s of the set. An operand has different positions in different rows. A [`Slice`] is a
//! run of adjacent bits with one position in a port, and the rows that have it.

use crate::set::{Field, Operand, Piece, Row, Set};
use std::collections::BTreeMap;

/// A row of a [`Circuit`].
#[derive(Clone, Copy, Debug)]
pub struct CircuitRow {
    /// The row's number in the set's version, in the order of [`Set::rows`].
    pub number: usize,
    /// The row of the table.
    pub row: &'static Row,
    /// True for the first row of its rank; this rank applies only if no row before it matches.
    pub first_of_rank: bool,
}

/// A run of adjacent bits of the word in a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The run's lowest bit in the word.
    pub low: u8,
    /// The width in bits.
    pub width: u8,
    /// The position of the run's lowest bit in the port.
    pub up: u8,
    /// The rows that it applies to, by their index in [`Circuit::rows`].
    pub rows: Vec<usize>,
}

/// An output port: an operand of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The operand's name.
    pub name: &'static str,
    /// The largest width of the operand in any row, in bits.
    pub width: u32,
    /// The sources of the port's bits. The port is 0 for rows without a slice.
    pub slices: Vec<Slice>,
}

/// The specification of a decoder circuit.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The rows, higher ranks first.
    pub rows: Vec<CircuitRow>,
    /// The output ports.
    pub ports: Vec<Port>,
}

/// The reason why a set has no decoder circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CircuitError {
    /// No row has the port.
    #[error("no row of the set has the bits of port `{0}`")]
    NoRow(&'static str),
    /// The port has more than 32 bits.
    #[error("port `{name}` has {width} bits; expected at most 32")]
    TooWide {
        /// The port.
        name: &'static str,
        /// The port's width in bits.
        width: u32,
    },
}

/// The position of an operand in a row.
pub fn place(row: &'static Row, operand: &Operand) -> Option<Field> {
    let mut bits = 0;
    let mut widest: Option<Field> = None;
    row.each_piece(&mut |piece| {
        piece.each_field(&mut |field| {
            if operand.fields.contains(&field.name) {
                bits |= field.mask();
                if widest.is_none_or(|widest| widest.width() < field.width()) {
                    widest = Some(*field);
                }
            }
        });
        if let (Piece::Cases(cases), true) = (piece, operand.cases) {
            bits |= cases.iter().fold(0, |mask, case| mask | case.mask);
        }
    });
    if operand.places.is_empty() {
        return widest;
    }
    let fits = operand.places.iter().filter(|field| field.mask() & !bits == 0);
    fits.max_by_key(|field| field.width()).copied()
}

impl Circuit {
    /// The circuit of a set, with the ports in its table.
    ///
    /// # Errors
    /// A port is in no row, or is wider than 32 bits.
    pub fn new(set: &'static Set) -> Result<Circuit, CircuitError> {
        let mut order: Vec<(usize, &'static Row)> = set.index().rows.iter().copied().enumerate().collect();
        order.sort_by_key(|(_, row)| std::cmp::Reverse(row.rank));
        let rows: Vec<CircuitRow> = order
            .iter()
            .enumerate()
            .map(|(place, &(number, row))| CircuitRow {
                number,
                row,
                first_of_rank: place > 0 && order[place - 1].1.rank != row.rank,
            })
            .collect();
        let ports = set.ports.iter().map(|port| Port::new(port, &rows));
        Ok(Circuit {
            ports: ports.collect::<Result<_, _>>()?,
            rows,
        })
    }
}

impl Port {
    fn new(operand: &'static Operand, rows: &[CircuitRow]) -> Result<Port, CircuitError> {
        let name = operand.name;
        let mut slices: BTreeMap<(u8, u8, u8), Vec<usize>> = BTreeMap::new();
        for (place, row) in rows.iter().enumerate() {
            let Some(field) = self::place(row.row, operand) else {
                continue;
            };
            let mut up = 0;
            for &(low, width) in field.parts.iter().filter(|part| part.1 > 0) {
                slices.entry((up, low, width)).or_default().push(place);
                up += width;
            }
        }
        if slices.is_empty() {
            return Err(CircuitError::NoRow(name));
        }
        let width = slices
            .keys()
            .map(|(up, _, width)| u32::from(up + width))
            .max()
            .unwrap_or(0);
        if width > 32 {
            return Err(CircuitError::TooWide { name, width });
        }
        let slices = slices
            .into_iter()
            .map(|((up, low, width), rows)| Slice { low, width, up, rows });
        Ok(Port {
            name,
            width,
            slices: slices.collect(),
        })
    }
}
