//! The right shifter before the float lane's adder: aligns the smaller operand to the larger one's exponent.
//!
//! A separate block because the kernel subset has no shift that remembers the bits it loses. Three levels of one LUT
//! per bit, by 16, 4 and 1; the bits that a level loses are ORed next to it.

use hdlkit::prelude::*;

/// `x3_value` shifted right by `x3_count`, a cycle later; bit 0 is also set if any bit was lost.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
pub struct Aligner {
    pub clock: Signal<In, Clock>,
    pub x3_value: Signal<In, Bits<35>>,
    pub x3_count: Signal<In, Bits<6>>,
    /// The count is 64 or more: every bit is lost.
    pub x3_beyond: Signal<In, Bit>,
    pub x4_value: Signal<Out, Bits<35>>,
}

impl Leaf for Aligner {
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let value = self.x3_value.val().raw();
        let count = if self.x3_beyond.val() {
            63
        } else {
            self.x3_count.val().raw()
        };
        let kept = value >> count;
        let lost = kept << count != value;
        let shifted = Bits::new(kept | lost as u64);
        let changed = self.x4_value.next != shifted;
        self.x4_value.next = shifted;
        changed
    }
    fn verilog(&self) -> String {
        "\
reg [34:0] by_16;
reg [34:0] by_4;
reg [34:0] by_1;
reg lost_16, lost_4, lost_1;
always @(*) begin
    case ({x3_beyond, x3_count[5:4]})
        3'd0: begin by_16 = x3_value; lost_16 = 1'b0; end
        3'd1: begin by_16 = {16'd0, x3_value[34:16]}; lost_16 = |x3_value[15:0]; end
        3'd2: begin by_16 = {32'd0, x3_value[34:32]}; lost_16 = |x3_value[31:0]; end
        default: begin by_16 = 35'd0; lost_16 = |x3_value; end
    endcase
    case (x3_count[3:2])
        2'd0: begin by_4 = by_16; lost_4 = 1'b0; end
        2'd1: begin by_4 = {4'd0, by_16[34:4]}; lost_4 = |by_16[3:0]; end
        2'd2: begin by_4 = {8'd0, by_16[34:8]}; lost_4 = |by_16[7:0]; end
        default: begin by_4 = {12'd0, by_16[34:12]}; lost_4 = |by_16[11:0]; end
    endcase
    case (x3_count[1:0])
        2'd0: begin by_1 = by_4; lost_1 = 1'b0; end
        2'd1: begin by_1 = {1'd0, by_4[34:1]}; lost_1 = by_4[0]; end
        2'd2: begin by_1 = {2'd0, by_4[34:2]}; lost_1 = |by_4[1:0]; end
        default: begin by_1 = {3'd0, by_4[34:3]}; lost_1 = |by_4[2:0]; end
    endcase
end
initial x4_value = 35'd0;
always @(posedge clock)
    x4_value <= {by_1[34:1], by_1[0] | lost_16 | lost_4 | lost_1};
"
        .into()
    }
}
