//! The left shifter behind the float lane's adder: it brings the sum's highest one to the top, or shifts as it is told.
//!
//! A block of its own because the kernel subset has no count of leading zeros. The count is found while shifting, two
//! bits at a time: which of the upper groups of 16, 4, then single bits is the first that is not 0.

use hdlkit::prelude::*;

/// `x5_value` shifted left until bit 35 is set, and `x5_exponent` less the count, a cycle later.
///
/// Of a value of 0 nothing is left, and the exponent means nothing.
#[derive(Clone, Debug, Default, LogicBlock)]
pub struct Normaliser {
    pub clock: Signal<In, Clock>,
    pub x5_value: Signal<In, Bits<36>>,
    /// Two's complement: that of bit 35.
    pub x5_exponent: Signal<In, Bits<10>>,
    /// Shift by `x5_count` instead; bits past the top are lost.
    pub x5_counted: Signal<In, Bit>,
    pub x5_count: Signal<In, Bits<6>>,
    pub x6_value: Signal<Out, Bits<36>>,
    pub x6_exponent: Signal<Out, Bits<10>>,
}

impl Normaliser {
    /// One rising edge; true if an output changed.
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let value = self.x5_value.val().raw();
        let count = match (self.x5_counted.val(), value) {
            (true, _) => self.x5_count.val().raw(),
            // The most that the three steps can count.
            (false, 0) => 47,
            (false, _) => value.leading_zeros() as u64 - 28,
        };
        let shifted = Bits::new(value << count);
        let exponent = self.x5_exponent.val() - count;
        let changed = self.x6_value.next != shifted || self.x6_exponent.next != exponent;
        self.x6_value.next = shifted;
        self.x6_exponent.next = exponent;
        changed
    }
}

impl Logic for Normaliser {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.edge();
        }
    }
    fn connect(&mut self) {
        self.x6_value.connect();
        self.x6_exponent.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "\
wire [1:0] sixteens = x5_counted ? x5_count[5:4] : |x5_value[35:20] ? 2'd0 : |x5_value[19:4] ? 2'd1 : 2'd2;
reg [35:0] by_16;
always @(*)
    case (sixteens)
        2'd0: by_16 = x5_value;
        2'd1: by_16 = {x5_value[19:0], 16'd0};
        2'd2: by_16 = {x5_value[3:0], 32'd0};
        default: by_16 = 36'd0;
    endcase
wire [1:0] fours = x5_counted ? x5_count[3:2] : |by_16[35:32] ? 2'd0 : |by_16[31:28] ? 2'd1 : |by_16[27:24] ? 2'd2 : 2'd3;
reg [35:0] by_4;
always @(*)
    case (fours)
        2'd0: by_4 = by_16;
        2'd1: by_4 = {by_16[31:0], 4'd0};
        2'd2: by_4 = {by_16[27:0], 8'd0};
        default: by_4 = {by_16[23:0], 12'd0};
    endcase
wire [1:0] ones = x5_counted ? x5_count[1:0] : by_4[35] ? 2'd0 : by_4[34] ? 2'd1 : by_4[33] ? 2'd2 : 2'd3;
reg [35:0] by_1;
always @(*)
    case (ones)
        2'd0: by_1 = by_4;
        2'd1: by_1 = {by_4[34:0], 1'd0};
        2'd2: by_1 = {by_4[33:0], 2'd0};
        default: by_1 = {by_4[32:0], 3'd0};
    endcase
initial begin
    x6_value = 36'd0;
    x6_exponent = 10'd0;
end
always @(posedge clock) begin
    x6_value <= by_1;
    x6_exponent <= x5_exponent - {4'd0, sixteens, fours, ones};
end
"
            .into(),
        )
    }
}

impl Cycle for Normaliser {
    #[inline(always)]
    fn tick(&mut self) -> bool {
        self.edge()
    }
    #[inline(always)]
    fn settle(&mut self) -> bool {
        self.x5_value.commit_in();
        self.x5_exponent.commit_in();
        self.x5_counted.commit_in();
        self.x5_count.commit_in();
        self.x6_value.commit_out() | self.x6_exponent.commit_out()
    }
}

impl Blank for Normaliser {
    fn blank() -> Self {
        Self::default()
    }
}
