//! The decoder of an instruction set: it finds the table row that matches a word, the instruction's length, and the
//! fields of its operands.
//!
//! ```text
//! word ──┬─> compare with every row ──┬─> legal, row, length
//!        │                            │ hits, one bit per row
//!        └─> slices of the word ──────┴─> fields
//! ```
//! The circuit is combinational. Rows of one rank are mutually exclusive, so the row's number and the fields are ORs
//! over all rows. A row is only used if no row of a higher rank matches.

use flexgrip_gpu_isa::circuit::Circuit;
use hdlkit::prelude::*;

/// The properties of a row, other than its mask and value.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct ForeignRow {
    number: Bits<10>,
    /// True for the first row of its rank.
    next_rank: Bit,
    /// The instruction's length in bytes, in the long form and in the short form.
    long: Bits<4>,
    short: Bits<4>,
}

/// A slice of a field: the word is shifted right by `down`, masked with `bits`, and shifted left by `up`.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct ForeignSlice {
    down: Bits<7>,
    bits: Bits<32>,
    up: Bits<5>,
}

/// The decoder of a set with ROWS rows, in GROUPS equal groups of at most 64 rows. It has PORTS ports with equally many
/// slices, SPANS slices in total. USES is SPANS * GROUPS.
#[circuit]
pub struct ForeignDecode<
    const ROWS: usize,
    const GROUPS: usize,
    const PORTS: usize,
    const SPANS: usize,
    const USES: usize,
> {
    /// The word; bits above the instruction's own are ignored where no row has them.
    pub word: Signal<In, WideBits<96>>,
    /// 1 if a row matches the word.
    pub legal: Signal<Out, Bit>,
    /// The row's number in the table; 0 if none.
    pub row: Signal<Out, Bits<10>>,
    /// The instruction's length in bytes; 0 if no row matches.
    pub length: Signal<Out, Bits<4>>,
    /// The fields, in the lowest bits; 0 in rows that do not have them.
    pub field: [Signal<Out, Bits<32>>; PORTS],

    mask: [Constant<WideBits<96>>; ROWS],
    value: [Constant<WideBits<96>>; ROWS],
    /// The bit that is 1 in the long form.
    long_bit: [Constant<WideBits<96>>; ROWS],
    rows: [Constant<ForeignRow>; ROWS],
    /// The slices, in the order of the ports.
    slices: [Constant<ForeignSlice>; SPANS],
    /// The rows that use each slice: GROUPS words per slice, with one bit per row.
    uses: [Constant<Bits<64>>; USES],
}

impl<const ROWS: usize, const GROUPS: usize, const PORTS: usize, const SPANS: usize, const USES: usize>
    ForeignDecode<ROWS, GROUPS, PORTS, SPANS, USES>
{
    /// The decoder of this circuit.
    ///
    /// # Panics
    /// If it has more rows, ports or slices than the type, or words of more than 96 bits.
    pub fn new(circuit: &Circuit) -> Self {
        let (wide, most_slices) = (ROWS / GROUPS, SPANS / PORTS);
        assert!(wide <= 64 && GROUPS * wide == ROWS && PORTS * most_slices == SPANS && SPANS * GROUPS == USES);
        let (rows, ports) = (circuit.rows.len(), circuit.ports.len());
        assert!(rows <= ROWS && ports == PORTS, "{rows} rows and {ports} ports");
        let mut block = Self {
            // An unused row matches no word.
            value: std::array::from_fn(|_| Constant::new(WideBits::from_wide(1))),
            ..Default::default()
        };
        for (place, row) in circuit.rows.iter().enumerate() {
            let long = row.row.bytes;
            assert!(long <= 12, "an instruction of {long} bytes");
            let (bit, short) = row.row.short.map_or((0, long), |short| (1 << short.bit, short.bytes));
            block.mask[place] = Constant::new(WideBits::from_wide(row.row.mask));
            block.value[place] = Constant::new(WideBits::from_wide(row.row.value));
            block.long_bit[place] = Constant::new(WideBits::from_wide(bit));
            block.rows[place] = Constant::new(ForeignRow {
                number: (row.number as u64).into(),
                next_rank: row.first_of_rank,
                long: u64::from(long).into(),
                short: u64::from(short).into(),
            });
        }
        for (port, first) in circuit.ports.iter().zip((0..).step_by(most_slices)) {
            let slices = port.slices.len();
            assert!(slices <= most_slices, "`{}` has {slices} slices", port.name);
            for (slice, place) in port.slices.iter().zip(first..) {
                block.slices[place] = Constant::new(ForeignSlice {
                    down: u64::from(slice.low).into(),
                    bits: Bits::new((1 << slice.width) - 1),
                    up: u64::from(slice.up).into(),
                });
                for group in 0..GROUPS {
                    let users = slice.rows.iter().filter(|&&row| row / wide == group);
                    let users = users.fold(0, |users, row| users | 1 << (row % wide));
                    block.uses[place * GROUPS + group] = Constant::new(Bits::new(users));
                }
            }
        }
        block
    }
}

impl<const ROWS: usize, const GROUPS: usize, const PORTS: usize, const SPANS: usize, const USES: usize> Logic
    for ForeignDecode<ROWS, GROUPS, PORTS, SPANS, USES>
{
    #[hdl_gen]
    fn update(&mut self) {
        let word = self.word.val();
        let mut found = false;
        let mut outranked = false;
        let mut row = bits::<10>(0);
        let mut length = bits::<4>(0);
        let mut hits = [Bits::<64>::ZERO; GROUPS];
        for g in 0..GROUPS {
            for i in 0..ROWS / GROUPS {
                let r = g * (ROWS / GROUPS) + i;
                let of = self.rows[r].val();
                if of.next_rank {
                    outranked = found;
                }
                let hit = (word & self.mask[r].val()) == self.value[r].val() && !outranked;
                hits[g] = hits[g].replace_bit(i, hit);
                // With masks instead of conditions, synthesis needs a fifth more LUTs.
                if hit {
                    found = true;
                    row = row | of.number;
                    length = length | if (word & self.long_bit[r].val()).any() { of.long } else { of.short };
                }
            }
        }
        self.legal.next = found;
        self.row.next = row;
        self.length.next = length;

        for f in 0..PORTS {
            let mut field = bits::<32>(0);
            for s in 0..SPANS / PORTS {
                let slice = self.slices[f * (SPANS / PORTS) + s].val();
                let mut applies = false;
                for g in 0..GROUPS {
                    applies = applies || (hits[g] & self.uses[f * (USES / PORTS) + s * GROUPS + g].val()).any();
                }
                if applies {
                    field = field | (((word >> slice.down).narrow::<32>() & slice.bits) << slice.up);
                }
            }
            self.field[f].next = field;
        }
    }
}
