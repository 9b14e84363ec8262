//! The strict rule of compute capability 1.0, by half-warps.

use crate::memory::lane_ram::concatenation;
use hdlkit::prelude::*;

/// Which half-warps obey the G80's strict rule, for each place in the queue of beats.
///
/// A half-warp is 16 threads. It obeys the rule if an access has 4, 8 or 16 bytes and the k-th thread, if active,
/// accesses the k-th element of one segment of 16 elements, aligned to its size. Any other half-warp is served thread
/// by thread.
///
/// ```text
/// cycle   t                                       t+1        from t+2
///         write_enable, write_place, the beat     verdict    one_by_one, for the read_place, next_one_by_one, for the next
/// ```
/// With 8 lanes a half-warp is two consecutive beats, at an even and an odd place. Both are judged when the second
/// arrives; until then `one_by_one` of the first is meaningless.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(read_place, next_place))]
pub struct HalfWarpRule<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_place: Signal<In, Bits<4>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Lanes that access.
    pub mask: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    pub read_place: Signal<In, Bits<4>>,
    /// Bit 0: the beat's half-warp, or that of lanes 0 to 15; bit 1: that of lanes 16 to 31.
    pub one_by_one: Signal<Out, Bits<2>>,
    /// The same for the beat that comes next.
    pub next_place: Signal<In, Bits<4>>,
    pub next_one_by_one: Signal<Out, Bits<2>>,
    /// Two bits per place.
    _broken: u64,
    /// The beat that arrived in the previous cycle and is judged in this one: its place, its size, its half-warps.
    _entered: Option<(usize, u64, [Elements; 2])>,
    /// The previous beat, with 8 lanes.
    _earlier: Elements,
    _stale: Stale,
}

/// State of a half-warp's accesses, or of those in its first beat of two.
#[derive(Clone, Copy, Debug)]
struct Elements {
    /// Every access is at its place in its segment.
    in_place: bool,
    /// OR and AND of all segment numbers, to tell whether they are equal.
    any: u64,
    all: u64,
    some: bool,
}

impl Elements {
    const NONE: Elements = Elements {
        in_place: true,
        any: 0,
        all: u64::MAX >> 32,
        some: false,
    };

    /// Adds an access of thread `k` of the half-warp.
    fn with(self, address: u64, size: u64, k: usize) -> Elements {
        let segment = address >> size >> 4;
        Elements {
            in_place: self.in_place && (address >> size & 15) as usize == k,
            any: self.any | segment,
            all: self.all & segment,
            some: true,
        }
    }

    /// Combines both.
    fn and(self, other: Elements) -> Elements {
        Elements {
            in_place: self.in_place && other.in_place,
            any: self.any | other.any,
            all: self.all & other.all,
            some: self.some || other.some,
        }
    }

    fn one_segment(self) -> bool {
        !self.some || self.any == self.all
    }
}

impl<const LANES: usize> Blank for HalfWarpRule<LANES> {
    fn blank() -> Self {
        HalfWarpRule {
            clock: Blank::blank(),
            write_enable: Blank::blank(),
            write_place: Blank::blank(),
            size: Blank::blank(),
            mask: Blank::blank(),
            address: Blank::blank(),
            read_place: Blank::blank(),
            one_by_one: Blank::blank(),
            next_place: Blank::blank(),
            next_one_by_one: Blank::blank(),
            _broken: 0,
            _entered: None,
            _earlier: Elements::NONE,
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> Leaf for HalfWarpRule<LANES> {
    fn edge(&mut self) -> bool {
        let judged = self._entered.take();
        if let Some((place, size, halves)) = judged {
            let second = LANES == 8 && place % 2 == 1;
            for (half, elements) in halves.into_iter().enumerate().take(LANES.div_ceil(16)) {
                let elements = if second { elements.and(self._earlier) } else { elements };
                let broken = u64::from(size < 2 || !elements.in_place || !elements.one_segment());
                for place in place - usize::from(second)..=place {
                    let bit = 2 * place + half;
                    self._broken = self._broken & !(1 << bit) | broken << bit;
                }
                self._earlier = elements;
            }
        }
        if self.write_enable.val() {
            let (place, size) = (self.write_place.val().index(), self.size.val().raw());
            let mut halves = [Elements::NONE; 2];
            for lane in (0..LANES).filter(|&lane| self.mask.val().get_bit(lane)) {
                let k = lane % 16 + if LANES == 8 { place % 2 * 8 } else { 0 };
                halves[lane / 16] = halves[lane / 16].with(self.address[lane].val().raw(), size, k);
            }
            self._entered = Some((place, size, halves));
        }
        judged.is_some() || self.write_enable.val()
    }
    fn follow(&mut self) {
        let bits = |place: Bits<4>| Bits::new(self._broken >> (2 * place.index()) & 3);
        self.one_by_one.next = bits(self.read_place.val());
        self.next_one_by_one.next = bits(self.next_place.val());
    }
    fn verilog(&self) -> String {
        let halves = LANES.div_ceil(16);
        let threads = LANES.min(16);
        // With 8 lanes, the first beat's state is kept and the second continues from it.
        let (state, start, end) = if LANES == 8 {
            (
                "\
reg earlier_in_place;
reg [31:0] earlier_any;
reg [31:0] earlier_all;
initial earlier_in_place = 1'b1;
initial earlier_any = 32'd0;
initial earlier_all = 32'hffffffff;
",
                "        if (place[0]) begin
            in_place = in_place & earlier_in_place;
            any = any | earlier_any;
            all = all & earlier_all;
        end
",
                "        earlier_in_place <= in_place;
        earlier_any <= any;
        earlier_all <= all;
        if (place[0])
            broken[{place[3:1], 2'd0}] <= breaks;
",
            )
        } else {
            ("", "", "")
        };
        let k = if LANES == 8 {
            "{write_place[0], i[2:0]}"
        } else {
            "i[3:0]"
        };
        format!(
            "wire [{top}:0] addresses;
assign addresses = {addresses};
// By place, two bits each.
reg [31:0] broken;
// The beat that came in the cycle before, by half-warps.
reg entered;
reg [3:0] place;
reg [2:0] bytes;
reg [{in_place_top}:0] entered_in_place;
reg [{half_top}:0] entered_any;
reg [{half_top}:0] entered_all;
reg [31:0] element;
reg [3:0] index;
reg each_in_place;
reg [31:0] of_any;
reg [31:0] of_all;
reg in_place;
reg [31:0] any;
reg [31:0] all;
reg [31:0] differing;
reg breaks;
integer h;
integer g;
integer i;
initial broken = 32'd0;
initial entered = 1'b0;
{state}assign one_by_one = broken[{{read_place, 1'b0}} +: 2];
assign next_one_by_one = broken[{{next_place, 1'b0}} +: 2];
always @(posedge clock) begin
    entered <= write_enable;
    place <= write_place;
    bytes <= size;
    for (h = 0; h < {halves}; h = h + 1) begin
        each_in_place = 1'b1;
        of_any = 32'd0;
        of_all = 32'hffffffff;
        for (i = 0; i < {threads}; i = i + 1)
            if (mask[h * 16 + i]) begin
                element = addresses[(h * 16 + i) * 32 +: 32];
                index = size[2] ? element[7:4] : size[0] ? element[6:3] : element[5:2];
                each_in_place = each_in_place & (index == {k});
                of_any = of_any | element;
                of_all = of_all & element;
            end
        entered_in_place[h] <= each_in_place;
        entered_any[h * 32 +: 32] <= of_any;
        entered_all[h * 32 +: 32] <= of_all;
    end
end
always @(posedge clock)
    if (entered)
    for (g = 0; g < {halves}; g = g + 1) begin
        in_place = entered_in_place[g];
        any = entered_any[g * 32 +: 32];
        all = entered_all[g * 32 +: 32];
{start}        // Where two of the addresses differ; above the segment's 16 elements they must not.
        differing = any & ~all;
        breaks = (bytes < 3'd2) | ~in_place | (|differing[31:8])
            | (differing[7] & ~bytes[2]) | (differing[6] & ~bytes[2] & ~bytes[0]);
        broken[{{place, g[0]}}] <= breaks;
{end}    end
",
            top = LANES * 32 - 1,
            in_place_top = halves - 1,
            half_top = halves * 32 - 1,
            addresses = concatenation("address", LANES),
        )
    }
}
