//! The shifter of a lane: left, right and arithmetic right, of 32 or 16 bits, with the last bit shifted out.
//!
//! A block of its own because the kernel subset has neither the arithmetic shift nor a reversal of bits. There is one
//! shifter to the right; a left shift goes through it with its bits reversed. Below the operand's lowest bit stands a
//! zero, and what is there after the shift is the last bit that was lost. The first level, by 16, is before the first
//! register: with the reversal that is one LUT a bit.

use hdlkit::prelude::*;

/// `x1_value` shifted by `x1_count`, two cycles later; the results of `flexgrip_arith::integer::{shl, shr}`.
///
/// ```text
/// cycle   t                t+1                       t+2
///         value, count     reversed, by 16           x3_value, x3_carry, x3_overflow
///                          | by 12, 8, 4; 3, 2, 1; reversed
/// ```
#[derive(Clone, Debug, Default, LogicBlock, Ports)]
pub struct Shifter {
    pub clock: Signal<In, Clock>,
    /// 16-bit operation: upper bits are 0.
    pub x1_value: Signal<In, Bits<32>>,
    /// Unsigned and does not wrap: the width or more shifts everything out.
    pub x1_count: Signal<In, Bits<32>>,
    /// Right instead of left.
    pub x1_right: Signal<In, Bit>,
    /// Right: copies of the sign come in.
    pub x1_is_signed: Signal<In, Bit>,
    /// The operation is of 16 bits.
    pub x1_narrow: Signal<In, Bit>,
    /// The result; of a 16-bit operation in bits 15..0, with bits 31..16 not defined.
    pub x3_value: Signal<Out, Bits<32>>,
    /// The last bit shifted out; 0 for a count of 0, or of the width or more.
    pub x3_carry: Signal<Out, Bit>,
    /// Count 1: the sign changed (left), the value's top bit (right). Else 0.
    pub x3_overflow: Signal<Out, Bit>,
    _stage_2: Stage2,
}

/// The registers between the levels.
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
    overflow: bool,
}

impl Shifter {
    /// What stands before the first register.
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
            overflow: count == 1 && top != (!right && second),
        }
    }

    /// One rising edge; true if a register changed.
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
        let carry = !held.over && lost & 1 == 1;

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
}

/// `name`'s bits `width - 1 ..= 0` as a concatenation in the opposite order.
fn reversed(name: &str, width: usize) -> String {
    let bits: Vec<String> = (0..width).map(|bit| format!("{name}[{bit}]")).collect();
    format!("{{{}}}", bits.join(", "))
}

impl Logic for Shifter {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.edge();
        }
    }
    fn connect(&mut self) {
        self.x3_value.connect();
        self.x3_carry.connect();
        self.x3_overflow.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "\
wire top = x1_narrow ? x1_value[15] : x1_value[31];
wire second = x1_narrow ? x1_value[14] : x1_value[30];
wire x1_sign = top & x1_right & x1_is_signed;
wire [15:0] upper = x1_narrow ? {{16{{x1_sign}}}} : x1_value[31:16];
wire [31:0] mirrored = {mirrored};
wire [32:0] aligned = x1_right ? {{upper, x1_value[15:0], 1'b0}} : {{mirrored, 1'b0}};
wire [32:0] by_16 = x1_count[4] ? {{{{16{{x1_sign}}}}, aligned[32:16]}} : aligned;
wire beyond_16 = |x1_count[31:5];

reg [32:0] value;
reg [3:0] count;
reg right, narrow, sign, over, overflow;
reg [32:0] by_4;
reg [32:0] by_1;
always @(*) begin
    case (count[3:2])
        2'd0: by_4 = value;
        2'd1: by_4 = {{{{4{{sign}}}}, value[32:4]}};
        2'd2: by_4 = {{{{8{{sign}}}}, value[32:8]}};
        default: by_4 = {{{{12{{sign}}}}, value[32:12]}};
    endcase
    case (count[1:0])
        2'd0: by_1 = by_4;
        2'd1: by_1 = {{sign, by_4[32:1]}};
        2'd2: by_1 = {{{{2{{sign}}}}, by_4[32:2]}};
        default: by_1 = {{{{3{{sign}}}}, by_4[32:3]}};
    endcase
end
wire [31:0] shifted = by_1[32:1];
wire [31:0] unmirrored = {unmirrored};

initial begin
    value = 33'd0;
    count = 4'd0;
    right = 1'b0;
    narrow = 1'b0;
    sign = 1'b0;
    over = 1'b0;
    overflow = 1'b0;
    x3_value = 32'd0;
    x3_carry = 1'b0;
    x3_overflow = 1'b0;
end
always @(posedge clock) begin
    value <= by_16;
    count <= x1_count[3:0];
    right <= x1_right;
    narrow <= x1_narrow;
    sign <= x1_sign;
    over <= beyond_16 | (x1_narrow & x1_count[4]);
    overflow <= ~beyond_16 & (x1_count[4:0] == 5'd1) & (top ^ (~x1_right & second));
    x3_value <= over ? {{32{{sign}}}} : right ? shifted : unmirrored;
    x3_carry <= ~over & ((narrow & ~right) ? by_1[16] : by_1[0]);
    x3_overflow <= overflow;
end
",
            mirrored = reversed("x1_value", 32),
            unmirrored = reversed("shifted", 32),
        ))
    }
}

impl Cycle for Shifter {
    #[inline(always)]
    fn tick(&mut self) -> bool {
        self.edge()
    }
    #[inline(always)]
    fn settle(&mut self) -> bool {
        self.x1_value.commit_in();
        self.x1_count.commit_in();
        self.x1_right.commit_in();
        self.x1_is_signed.commit_in();
        self.x1_narrow.commit_in();
        self.x3_value.commit_out() | self.x3_carry.commit_out() | self.x3_overflow.commit_out()
    }
    fn primitives(&self, found: &mut Vec<Primitive>) {
        found.push(Primitive::opaque(self, &[]));
    }
}

impl Blank for Shifter {
    fn blank() -> Self {
        Self::default()
    }
}
