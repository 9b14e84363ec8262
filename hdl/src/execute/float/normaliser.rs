//! The left shifter after a float adder: brings the sum's highest one to the top, or shifts by a given count.
//!
//! A separate block because the kernel subset has no count of leading zeros. The count is found while shifting, two
//! bits at a time: the first of the upper groups of 16, 4, then single bits that is not 0.

use hdlkit::prelude::*;

/// `value` of N bits, 33 to 48, shifted left until its highest bit is set, and `exponent` minus the count, a cycle
/// later.
///
/// A value of 0 stays 0, and its exponent is meaningless.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
#[leaf(named_by_place)]
pub struct Normaliser<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<N>>,
    /// Two's complement: exponent of the highest bit.
    pub exponent: Signal<In, Bits<10>>,
    /// Shift by `count`, 0 to 63, instead; bits past the top are lost.
    pub counted: Signal<In, Bit>,
    pub count: Signal<In, Bits<6>>,
    pub normal_value: Signal<Out, Bits<N>>,
    pub normal_exponent: Signal<Out, Bits<10>>,
}

impl<const N: usize> Leaf for Normaliser<N> {
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let value = self.value.val().raw();
        let count = match (self.counted.val(), value) {
            (true, _) => self.count.val().raw(),
            // The maximum that the three steps can count.
            (false, 0) => 47,
            (false, _) => value.leading_zeros() as u64 - (64 - N as u64),
        };
        let shifted = Bits::new(value << count);
        let exponent = self.exponent.val() - count;
        let changed = self.normal_value.next != shifted || self.normal_exponent.next != exponent;
        self.normal_value.next = shifted;
        self.normal_exponent.next = exponent;
        changed
    }
    fn verilog(&self) -> String {
        // Bits `N - 1 - from` down to `N - 1 - to` of a signal.
        let group = |name: &str, from: usize, to: usize| format!("{name}[{}:{}]", N - 1 - from, N - 1 - to);
        // One step: the rest of a signal after it loses `by`, twice and three times as many bits at the top.
        let step = |name: &str, to: &str, digit: &str, by: usize| {
            let mut text = format!("reg [{}:0] {to};\nalways @(*)\n    case ({digit})\n", N - 1);
            text.push_str(&format!("        2'd0: {to} = {name};\n"));
            for (choice, lost) in [by, 2 * by, 3 * by].into_iter().enumerate() {
                let label = ["2'd1", "2'd2", "default"][choice];
                if lost < N {
                    let kept = N - 1 - lost;
                    text.push_str(&format!("        {label}: {to} = {{{name}[{kept}:0], {lost}'d0}};\n"));
                } else {
                    text.push_str(&format!("        {label}: {to} = {N}'d0;\n"));
                }
            }
            text.push_str("    endcase\n");
            text
        };
        format!(
            "\
wire [1:0] sixteens = counted ? count[5:4] : |{v0} ? 2'd0 : |{v1} ? 2'd1 : 2'd2;
{by_16}wire [1:0] fours = counted ? count[3:2] : |{f0} ? 2'd0 : |{f1} ? 2'd1 : |{f2} ? 2'd2 : 2'd3;
{by_4}wire [1:0] ones = counted ? count[1:0] : by_4[{t0}] ? 2'd0 : by_4[{t1}] ? 2'd1 : by_4[{t2}] ? 2'd2 : 2'd3;
{by_1}initial begin
    normal_value = {N}'d0;
    normal_exponent = 10'd0;
end
always @(posedge clock) begin
    normal_value <= by_1;
    normal_exponent <= exponent - {{4'd0, sixteens, fours, ones}};
end
",
            v0 = group("value", 0, 15),
            v1 = group("value", 16, 31),
            f0 = group("by_16", 0, 3),
            f1 = group("by_16", 4, 7),
            f2 = group("by_16", 8, 11),
            t0 = N - 1,
            t1 = N - 2,
            t2 = N - 3,
            by_16 = step("value", "by_16", "sixteens", 16),
            by_4 = step("by_16", "by_4", "fours", 4),
            by_1 = step("by_4", "by_1", "ones", 1),
        )
    }
}
