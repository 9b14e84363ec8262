//! The decoder of a set: which row of its table a word is of, how long the instruction is, and the fields of its operands.
//!
//! ```text
//! word ──┬─> compare with every row ──┬─> legal, row, length
//!        │                            │ hits, one bit a row
//!        └─> slices of the word ──────┴─> fields
//! ```
//! Combinational. Rows of one rank exclude each other, so a row's number and a field are the OR of what each row gives. A
//! row of a lower rank counts only where none of a higher one matches.

use flexgrip_gpu_isa::circuit::Circuit;
use hdlkit::prelude::*;

/// The decoder of a set of ROWS rows and PORTS ports of at most SLICES slices each; SPANS is PORTS * SLICES.
///
/// The rows are in GROUPS groups of WIDE (at most 64; ROWS is their product); USES is SPANS * GROUPS.
#[circuit]
pub struct ForeignDecode<
    const ROWS: usize,
    const GROUPS: usize,
    const WIDE: usize,
    const PORTS: usize,
    const SLICES: usize,
    const SPANS: usize,
    const USES: usize,
> {
    /// The word; bits above the instruction's own are ignored where no row has them.
    pub word: Signal<In, WideBits<96>>,
    /// The word is of a row.
    pub legal: Signal<Out, Bit>,
    /// The row's number in the table; 0 if none.
    pub row: Signal<Out, Bits<10>>,
    /// The instruction's length in bytes; 0 if the word is of no row.
    pub length: Signal<Out, Bits<4>>,
    /// The fields, in the lowest bits; 0 in rows that do not have them.
    pub field: [Signal<Out, Bits<32>>; PORTS],

    mask: [Constant<WideBits<96>>; ROWS],
    value: [Constant<WideBits<96>>; ROWS],
    number: [Constant<Bits<10>>; ROWS],
    /// The row is the first of its rank.
    next_rank: [Constant<Bit>; ROWS],
    /// The bit that is 1 in the long form, and the lengths of both forms.
    long_bit: [Constant<WideBits<96>>; ROWS],
    long: [Constant<Bits<4>>; ROWS],
    short: [Constant<Bits<4>>; ROWS],
    /// The slices, SLICES a port: how far down the word goes, which bits remain, how far up they go.
    down: [Constant<Bits<7>>; SPANS],
    bits: [Constant<Bits<32>>; SPANS],
    up: [Constant<Bits<5>>; SPANS],
    /// The rows for which a slice counts, GROUPS groups a slice.
    uses: [Constant<Bits<64>>; USES],
}

impl<
        const ROWS: usize,
        const GROUPS: usize,
        const WIDE: usize,
        const PORTS: usize,
        const SLICES: usize,
        const SPANS: usize,
        const USES: usize,
    > ForeignDecode<ROWS, GROUPS, WIDE, PORTS, SLICES, SPANS, USES>
{
    /// The decoder of this circuit.
    ///
    /// # Panics
    /// If it has more rows, ports or slices than the type, or words of more than 96 bits.
    pub fn new(circuit: &Circuit) -> Self {
        assert!(WIDE <= 64 && GROUPS * WIDE == ROWS && PORTS * SLICES == SPANS && SPANS * GROUPS == USES);
        let (rows, ports) = (circuit.rows.len(), circuit.ports.len());
        assert!(rows <= ROWS && ports == PORTS, "{rows} rows and {ports} ports");
        let mut block = Self {
            // A row that is not there matches no word.
            value: std::array::from_fn(|_| Constant::new(WideBits::from_wide(1))),
            ..Default::default()
        };
        for (place, row) in circuit.rows.iter().enumerate() {
            let (long, number) = (row.row.bytes, row.number as u64);
            assert!(long <= 12, "an instruction of {long} bytes");
            block.mask[place] = Constant::new(WideBits::from_wide(row.row.mask));
            block.value[place] = Constant::new(WideBits::from_wide(row.row.value));
            block.number[place] = Constant::new(number.into());
            block.next_rank[place] = Constant::new(row.first_of_rank);
            let (bit, short) = row.row.short.map_or((0, long), |short| (1 << short.bit, short.bytes));
            block.long_bit[place] = Constant::new(WideBits::from_wide(bit));
            block.long[place] = Constant::new(u64::from(long).into());
            block.short[place] = Constant::new(u64::from(short).into());
        }
        for (port, first) in circuit.ports.iter().zip((0..).step_by(SLICES)) {
            let slices = port.slices.len();
            assert!(slices <= SLICES, "`{}` has {slices} slices", port.name);
            for (slice, place) in port.slices.iter().zip(first..) {
                block.down[place] = Constant::new(u64::from(slice.low).into());
                block.bits[place] = Constant::new(Bits::new((1 << slice.width) - 1));
                block.up[place] = Constant::new(u64::from(slice.up).into());
                for group in 0..GROUPS {
                    let users = slice.rows.iter().filter(|&&row| row / WIDE == group);
                    let users = users.fold(0, |users, row| users | 1 << (row % WIDE));
                    block.uses[place * GROUPS + group] = Constant::new(Bits::new(users));
                }
            }
        }
        block
    }
}

impl<
        const ROWS: usize,
        const GROUPS: usize,
        const WIDE: usize,
        const PORTS: usize,
        const SLICES: usize,
        const SPANS: usize,
        const USES: usize,
    > Logic for ForeignDecode<ROWS, GROUPS, WIDE, PORTS, SLICES, SPANS, USES>
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
            for i in 0..WIDE {
                if self.next_rank[g * WIDE + i].val() {
                    outranked = found;
                }
                let hit = (word & self.mask[g * WIDE + i].val()) == self.value[g * WIDE + i].val() && !outranked;
                hits[g] = hits[g].replace_bit(i, hit);
                // With masks instead of conditions synthesis takes a fifth more LUTs.
                if hit {
                    found = true;
                    row = row | self.number[g * WIDE + i].val();
                    if (word & self.long_bit[g * WIDE + i].val()).any() {
                        length = length | self.long[g * WIDE + i].val();
                    } else {
                        length = length | self.short[g * WIDE + i].val();
                    }
                }
            }
        }
        self.legal.next = found;
        self.row.next = row;
        self.length.next = length;

        for f in 0..PORTS {
            let mut field = bits::<32>(0);
            for s in 0..SLICES {
                let mut applies = false;
                for g in 0..GROUPS {
                    if (hits[g] & self.uses[f * SLICES * GROUPS + s * GROUPS + g].val()).any() {
                        applies = true;
                    }
                }
                let slice = (word >> self.down[f * SLICES + s].val()).narrow::<32>() & self.bits[f * SLICES + s].val();
                if applies {
                    field = field | (slice << self.up[f * SLICES + s].val());
                }
            }
            self.field[f].next = field;
        }
    }
}
