//! The coefficient tables of the special functions, in one block RAM.

use flexgrip_arith::special::tables::{self, Segment};
use hdlkit::prelude::*;

/// A ROM: the coefficients of `row`, a cycle later. RCP has rows 0..=127, RSQ 128..=255; LG2 from 256, SIN from 320 and
/// EX2 from 384 have 64 each.
#[circuit(own_blank)]
#[derive(Clone, Debug)]
pub struct Coefficients {
    pub clock: Signal<In, Clock>,
    pub row: Signal<In, Bits<9>>,
    /// The constant term, in units of 2^11 of the sum's units.
    pub a: Signal<Out, Bits<29>>,
    /// The coefficient of x, two's complement.
    pub b: Signal<Out, Bits<17>>,
    /// The coefficient of x^2, two's complement.
    pub c: Signal<Out, Bits<14>>,

    memory: BlockRam<9, 60, 1>,
}

/// A table's row as stored in the RAM: `a` in bits 28..0, `b` in 45..29, `c` in 59..46, with `a` and `c` shifted as in
/// the function's sum (`a` by 11 more).
fn row(of: &Segment, shift_a: u32, shift_c: u32) -> Bits<60> {
    let a = (of.a as u64) << shift_a;
    let b = of.b as u64 & 0x1_ffff;
    let c = ((of.c as i64) << shift_c) as u64 & 0x3fff;
    Bits::new(a | b << 29 | c << 46)
}

/// The rows of all tables.
///
/// RCP's `x` has one bit less than in the other functions and is doubled in the unit; so are its other terms.
fn rows() -> Vec<Bits<60>> {
    let table = |rows: &'static [Segment], shift_a, shift_c| rows.iter().map(move |of| row(of, shift_a, shift_c));
    table(&tables::RCP, 3, 1)
        .chain(table(&tables::RSQ, 3, 2))
        .chain(table(&tables::LG2, 1, 1))
        .chain(table(&tables::SIN, 0, 0))
        .chain(table(&tables::EX2, 2, 0))
        .collect()
}

impl Default for Coefficients {
    fn default() -> Self {
        Self::blank()
    }
}

/// Initialised with the tables.
impl Blank for Coefficients {
    fn blank() -> Self {
        Coefficients {
            clock: Blank::blank(),
            row: Blank::blank(),
            a: Blank::blank(),
            b: Blank::blank(),
            c: Blank::blank(),
            memory: BlockRam::new(512, rows()),
            _activity: Blank::blank(),
        }
    }
}

impl Logic for Coefficients {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.read_enable.next = true;
        self.memory.read_address.next = self.row.val();
        self.memory.write_address.next = 0.into();
        self.memory.write_data.next = 0.into();
        self.memory.write_enable.next = 0.into();
        let row = self.memory.read_data.val();
        self.a.next = row.low::<29>();
        self.b.next = row.bits::<17>(29);
        self.c.next = row.bits::<14>(46);
    }
}
