//! The squarer of the special function unit: a square without its lower half, as on the G80.
//!
//! A separate block because the kernel subset has no sum of partial products. The hardware's array cuts each partial
//! product to its upper bits, adds, and halves. The rest is symmetric: the products of two different bits of `x` occur
//! twice, so one of each is enough, at the weight that remains after halving; a bit's product with itself is the bit.
//!
//! ```text
//! row j = 10..16   bits j-1 .. 18-j of x, if bit j is set
//! diagonal         bit i = 10..16 of x at 2i-19
//! ```

use hdlkit::prelude::*;

/// `flexgrip_arith::special::square` of a 17-bit number, a cycle later.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
pub struct Squarer {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<17>>,
    pub square: Signal<Out, Bits<15>>,
}

/// The bits that have rows.
const ROWS: std::ops::RangeInclusive<usize> = 10..=16;

impl Leaf for Squarer {
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let x = self.x.val().raw();
        let mut sum = 0;
        for j in ROWS {
            if x >> j & 1 == 1 {
                let row = (x & ((1 << j) - 1)) >> (18 - j);
                sum += row + (1 << (2 * j - 19));
            }
        }
        let square = Bits::new(sum);
        let changed = self.square.next != square;
        self.square.next = square;
        changed
    }
    fn verilog(&self) -> String {
        let mut text = String::new();
        for j in ROWS {
            let bits = 2 * j - 18;
            text.push_str(&format!(
                "wire [14:0] row_{j} = {{{}'d0, {{{bits}{{x[{j}]}}}} & x[{}:{}]}};\n",
                15 - bits,
                j - 1,
                18 - j
            ));
        }
        // Bit i at 2i - 19: bits 13, 11, ..., 1.
        let diagonal: Vec<String> = ROWS.rev().map(|i| format!("x[{i}], 1'b0")).collect();
        text.push_str(&format!("wire [14:0] diagonal = {{1'b0, {}}};\n", diagonal.join(", ")));
        text.push_str(
            "\
wire unused = |x[1:0];
initial square = 15'd0;
always @(posedge clock)
    square <= ((row_16 + row_15) + (row_14 + row_13)) + ((row_12 + row_11) + (row_10 + diagonal));
",
        );
        text
    }
}
