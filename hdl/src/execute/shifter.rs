//! The shifter of a lane: left, right and arithmetic right, of 32 or 16 bits, with the last bit shifted out.
//!
//! A separate block because the kernel subset has neither the arithmetic shift nor a rotation. In Verilog it is one
//! rotation to the right, by the count or, for a left shift, by 32 minus the count; then a mask puts zeros or copies of
//! the sign where bits wrapped around. The last bit lost also wrapped around, to a known position. The rotation by 16
//! is before the first register.

use hdlkit::prelude::*;

/// `x1_value` shifted by `x1_count`, two cycles later; the results of `flexgrip_arith::integer::{shl, shr}`.
///
/// ```text
/// cycle   t                t+1                       t+2
///         value, count     rotated by 16             x3_value, x3_carry, x3_overflow
///                          | by 12, 8, 4; 3, 2, 1; mask
/// ```
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
pub struct Shifter {
    pub clock: Signal<In, Clock>,
    /// 16-bit operation: upper bits are 0.
    pub x1_value: Signal<In, Bits<32>>,
    /// Unsigned and does not wrap: a count of the width or more shifts everything out.
    pub x1_count: Signal<In, Bits<32>>,
    /// Right instead of left.
    pub x1_right: Signal<In, Bit>,
    /// Right: shift in copies of the sign.
    pub x1_is_signed: Signal<In, Bit>,
    /// The operation is 16 bits wide.
    pub x1_narrow: Signal<In, Bit>,
    /// The result; for a 16-bit operation in bits 15..0, with bits 31..16 undefined.
    pub x3_value: Signal<Out, Bits<32>>,
    /// The last bit shifted out; 0 for a count of 0, or of the width or more.
    pub x3_carry: Signal<Out, Bit>,
    /// Count 1, and the sign changed: never for an arithmetic shift to the right.
    pub x3_overflow: Signal<Out, Bit>,
    _stage_2: Stage2,
}

/// The native form's state between the two cycles: it shifts, with a zero below the lowest bit and left shifts
/// mirrored.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Stage2 {
    /// 33 bits, shifted by 16 if the count says so.
    value: u64,
    /// Bits 3..0 of the count.
    count: u32,
    right: bool,
    narrow: bool,
    sign: bool,
    /// The count is the width or more.
    over: bool,
    /// The last bit shifted out is a bit of the operand.
    lost: bool,
    overflow: bool,
}

impl Shifter {
    /// The logic before the first register.
    #[inline(always)]
    fn stage_1(&self) -> Stage2 {
        let (value, count) = (self.x1_value.val().raw() as u32, self.x1_count.val().raw() as u32);
        let (right, narrow) = (self.x1_right.val(), self.x1_narrow.val());
        let width = if narrow { 16 } else { 32 };
        let top = value >> (width - 1) & 1 == 1;
        let second = value >> (width - 2) & 1 == 1;
        let sign = top && right && self.x1_is_signed.val();
        let extended = match (narrow, sign) {
            (false, _) => value,
            (true, false) => value & 0xffff,
            (true, true) => value | 0xffff_0000,
        };
        let aligned = (if right { extended } else { value.reverse_bits() } as u64) << 1;
        let filled = if sign { aligned | 0xffff << 33 } else { aligned };
        Stage2 {
            value: (if count & 16 == 0 { filled } else { filled >> 16 }) & 0x1_ffff_ffff,
            count: count & 15,
            right,
            narrow,
            sign,
            over: count >= width,
            lost: count != 0 && count < width,
            overflow: count == 1 && top != if right { sign } else { second },
        }
    }
}

impl Leaf for Shifter {
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let held = self._stage_2;
        let filled = if held.sign {
            held.value | 0x7fff << 33
        } else {
            held.value
        };
        let shifted = filled >> held.count;
        let right = (shifted >> 1) as u32;
        let value = if held.over {
            (held.sign as u32).wrapping_neg()
        } else if held.right {
            right
        } else {
            right.reverse_bits()
        };
        let lost = if held.narrow && !held.right {
            shifted >> 16
        } else {
            shifted
        };
        let value = Bits::new(value as u64);
        let carry = held.lost && lost & 1 == 1;

        let next = self.stage_1();
        let changed = held != next
            || self.x3_value.next != value
            || self.x3_carry.next != carry
            || self.x3_overflow.next != held.overflow;
        self.x3_value.next = value;
        self.x3_carry.next = carry;
        self.x3_overflow.next = held.overflow;
        self._stage_2 = next;
        changed
    }
    fn verilog(&self) -> String {
        "\
wire top = x1_narrow ? x1_value[15] : x1_value[31];
wire second = x1_narrow ? x1_value[14] : x1_value[30];
wire x1_sign = top & x1_right & x1_is_signed;
wire beyond_16 = |x1_count[31:5];
wire x1_over = beyond_16 | (x1_narrow & x1_count[4]);
wire [4:0] x1_rotation = x1_right ? x1_count[4:0] : {x1_count[4] ^ (|x1_count[3:0]),
    x1_count[3] ^ (|x1_count[2:0]), x1_count[2] ^ (|x1_count[1:0]), x1_count[1] ^ x1_count[0], x1_count[0]};
wire [31:0] by_16 = x1_rotation[4] ? {x1_value[15:0], x1_value[31:16]} : x1_value;

reg [31:0] value;
reg [3:0] rotation;
// The result keeps bit i of what was rotated if, to the right, limit <= 31 - i; to the left, unless limit < 31 - i.
reg [4:0] limit;
reg left, narrow, sign, over, lost, overflow;
reg [31:0] by_4;
reg [31:0] by_1;
reg [3:0] fine;
reg [31:0] reach;
integer i;
always @(*) begin
    case (rotation[3:2])
        2'd0: by_4 = value;
        2'd1: by_4 = {value[3:0], value[31:4]};
        2'd2: by_4 = {value[7:0], value[31:8]};
        default: by_4 = {value[11:0], value[31:12]};
    endcase
    case (rotation[1:0])
        2'd0: by_1 = by_4;
        2'd1: by_1 = {by_4[0], by_4[31:1]};
        2'd2: by_1 = {by_4[1:0], by_4[31:2]};
        default: by_1 = {by_4[2:0], by_4[31:3]};
    endcase
    // Four bits of the mask have their upper part of the comparison in common.
    for (i = 0; i < 4; i = i + 1)
        fine[i] = (limit[1:0] < i[1:0]) | (~left & (limit[1:0] == i[1:0]));
    for (i = 0; i < 32; i = i + 1)
        reach[i] = (limit[4:2] < ~i[4:2]) | ((limit[4:2] == ~i[4:2]) & fine[~i[1:0]]);
end
wire [31:0] keep = (reach ^ {32{left}}) & {32{~over}};

initial begin
    value = 32'd0;
    rotation = 4'd0;
    limit = 5'd0;
    left = 1'b0;
    narrow = 1'b0;
    sign = 1'b0;
    over = 1'b0;
    lost = 1'b0;
    overflow = 1'b0;
    x3_value = 32'd0;
    x3_carry = 1'b0;
    x3_overflow = 1'b0;
end
always @(posedge clock) begin
    value <= by_16;
    rotation <= x1_rotation[3:0];
    limit <= x1_right ? {x1_count[4] | x1_narrow, x1_count[3:0]} : ~x1_count[4:0];
    left <= ~x1_right;
    narrow <= x1_narrow;
    sign <= x1_sign;
    over <= x1_over;
    lost <= ~x1_over & (|x1_count[4:0]);
    overflow <= ~beyond_16 & (x1_count[4:0] == 5'd1) & (top ^ (x1_right ? x1_sign : second));
    x3_value <= (by_1 & keep) | (~keep & {32{sign}});
    x3_carry <= lost & (left ? (narrow ? by_1[16] : by_1[0]) : by_1[31]);
    x3_overflow <= overflow;
end
"
        .into()
    }
}
