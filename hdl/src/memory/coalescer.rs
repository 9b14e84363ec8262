//! What brings lanes and the words of a memory segment together.
//!
//! A segment is LANES words of 32 bits, aligned to its size. The rule is that of compute capability 1.2, at the
//! granularity of a beat: the lowest lane that waits leads, and one request serves every lane whose address lies in its
//! segment. On request it is the strict rule of compute capability 1.0, by half-warps: see [`HalfWarpRule`].
//!
//! | block | from, to |
//! |---|---|
//! | [`AccessCheck`] | addresses to the lanes whose access is not allowed |
//! | [`Leader`] | waiting lanes to the address of the lowest |
//! | [`HalfWarpRule`] | addresses to the half-warps that the strict rule serves thread by thread |
//! | [`Coalescer`] | the leader's address and those of the waiting lanes to a segment and the lanes it serves |
//! | [`StoreBuffer`] | lanes to words: data and byte enables of a request |
//! | [`LoadAssembly`] | words to lanes: responses, collected into a beat |
//!
//! All but the first choose by a dynamic index or collect from all lanes, which kernels cannot say well; each is that and
//! nothing more, as a Rust loop and as Verilog.

use super::lane_ram::{concatenation, spread};
use hdlkit::memory::{collision_free_read, BLOCK_COLLISION_FREE};
use hdlkit::prelude::*;

/// Checks a beat's accesses; the answer is valid in the same cycle.
#[derive(LogicBlock, Cycle, Blank)]
pub struct AccessCheck<const LANES: usize> {
    /// Lanes that access.
    pub mask: Signal<In, Bits<32>>,
    /// log2 of an access's bytes.
    pub size: Signal<In, Bits<3>>,
    /// First address that does not exist; 0 for 2^32.
    pub memory_end: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// Lanes of `mask` whose address is misaligned or whose access is not inside of the memory.
    pub fault: Signal<Out, Bits<32>>,
    ones: Constant<Bits<32>>,
    above: Signal<Local, Bits<32>>,
    low_bits: Signal<Local, Bits<32>>,
    bounded: Signal<Local, Bit>,
    last_byte: Signal<Local, Bits<32>>,
    remainder: Signal<Local, Bits<32>>,
    bad: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize> AccessCheck<LANES> {
    /// The circuit; it has no state.
    pub fn new() -> Self {
        AccessCheck {
            ones: Constant::new(0xffff_ffff.into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for AccessCheck<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.above.next = self.ones.val() << self.size.val();
        self.low_bits.next = !self.above.val();
        self.bounded.next = self.memory_end.val().any();
        self.fault.next = 0.into();
        for i in 0..LANES {
            self.remainder.next = self.address[i].val() & self.low_bits.val();
            // Of an aligned access, the last byte: no carry out of 32 bits.
            self.last_byte.next = self.address[i].val() | self.low_bits.val();
            self.bad.next =
                self.remainder.val().any() || (self.bounded.val() && (self.last_byte.val() >= self.memory_end.val()));
            self.fault.next = self
                .fault
                .val()
                .replace_bit(i, self.bad.val() && self.mask.val().get_bit(i));
        }
    }
}

/// `assign`s of the lowest set bit of `pending` to `lowest`, without a carry.
fn lowest(lanes: usize) -> String {
    (0..lanes)
        .map(|i| match i {
            0 => "assign lowest[0] = pending[0];\n".to_string(),
            _ => format!("assign lowest[{i}] = pending[{i}] & ~|pending[{}:0];\n", i - 1),
        })
        .collect()
}

/// The address of the lowest lane that waits; valid in the same cycle.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(combinational)]
pub struct Leader<const LANES: usize> {
    /// Lanes that wait; bits LANES.. do not count.
    pub pending: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// 0 if none waits.
    pub leader: Signal<Out, Bits<32>>,
    _stale: Stale,
}

impl<const LANES: usize> Blank for Leader<LANES> {
    fn blank() -> Self {
        Leader {
            pending: Blank::blank(),
            address: Blank::blank(),
            leader: Blank::blank(),
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> Leaf for Leader<LANES> {
    fn follow(&mut self) {
        let lowest = self.pending.val().raw().trailing_zeros() as usize;
        self.leader.next = self
            .address
            .get(lowest)
            .map_or(Bits::default(), |address| address.val());
    }
    fn verilog(&self) -> String {
        format!(
            "\
wire [{top}:0] addresses;
assign addresses = {addresses};
// One bit set, that of the lowest lane: a sum of products takes less time than a number and a multiplexer.
wire [{last}:0] lowest;
{lowest}reg [31:0] lead;
integer i;
always @(*) begin
    lead = 32'd0;
    for (i = 0; i < {LANES}; i = i + 1)
        lead = lead | (addresses[i * 32 +: 32] & {{32{{lowest[i]}}}});
end
assign leader = lead;
",
            top = LANES * 32 - 1,
            addresses = concatenation("address", LANES),
            last = LANES - 1,
            lowest = lowest(LANES),
        )
    }
}

/// Chooses the next request of a beat, led by the lowest lane that waits; the answer is valid in the same cycle.
///
/// ```text
/// leader ──────> segment
///    v
/// address ─────> equal above the segment, & pending ──> served ──> complete
/// ```
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(combinational)]
pub struct Coalescer<const LANES: usize> {
    /// Lanes that wait; bits LANES.. do not count.
    pub pending: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// Address of the lowest lane that waits.
    pub leader: Signal<In, Bits<32>>,
    /// A request serves lanes of one half-warp only.
    pub strict: Signal<In, Bit>,
    /// Half-warps (lanes 0 to 15, 16 to 31) with a request for each lane; with `strict` only.
    pub one_by_one: Signal<In, Bits<2>>,
    /// The leader's address without the bits inside of a segment.
    pub segment: Signal<Out, Bits<32>>,
    /// Lanes that wait and get what they want with this request.
    pub served: Signal<Out, Bits<32>>,
    /// Lanes that go on waiting.
    pub rest: Signal<Out, Bits<32>>,
    /// No lane waits for another one.
    pub complete: Signal<Out, Bit>,
    _stale: Stale,
}

/// Address bits inside of a segment of `lanes` words.
const fn segment_bits(lanes: usize) -> usize {
    lanes.trailing_zeros() as usize + 2
}

impl<const LANES: usize> Blank for Coalescer<LANES> {
    fn blank() -> Self {
        Coalescer {
            pending: Blank::blank(),
            address: Blank::blank(),
            leader: Blank::blank(),
            strict: Blank::blank(),
            one_by_one: Blank::blank(),
            segment: Blank::blank(),
            served: Blank::blank(),
            rest: Blank::blank(),
            complete: Blank::blank(),
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> Leaf for Coalescer<LANES> {
    fn follow(&mut self) {
        let shift = segment_bits(LANES);
        let pending = self.pending.val().raw() & ((1 << LANES) - 1);
        let leader = self.leader.val().raw();
        let mut served = 0;
        for (i, address) in self.address.iter().enumerate() {
            served |= u64::from(address.val().raw() >> shift == leader >> shift) << i;
        }
        served &= pending;
        let lowest = if pending == 0 { 0 } else { pending.trailing_zeros() };
        let half = lowest as usize / 16;
        if self.strict.val() {
            served &= 0xffff << (16 * half);
        }
        if self.one_by_one.val().get_bit(half) {
            served &= 1 << lowest;
        }
        self.segment.next = (leader >> shift << shift).into();
        self.served.next = served.into();
        self.rest.next = (pending & !served).into();
        self.complete.next = served == pending;
    }
    fn verilog(&self) -> String {
        let shift = segment_bits(LANES);
        format!(
            "\
wire [{top}:0] addresses;
assign addresses = {addresses};
wire [{last}:0] lowest;
{lowest}// Who may share the leader's request; known before who wants its segment.
reg [{last}:0] allowed;
reg [{last}:0] same;
integer i;
always @(*) begin
    allowed = pending[{last}:0];
{strict}    for (i = 0; i < {LANES}; i = i + 1)
        same[i] = allowed[i] & (addresses[i * 32 + {shift} +: {high}] == leader[31:{shift}]);
end
assign segment = {{leader[31:{shift}], {shift}'d0}};
assign served = {{{pad}same}};
assign rest = {{{pad}pending[{last}:0] & ~same}};
assign complete = ~|(pending[{last}:0] & ~same);
",
            top = LANES * 32 - 1,
            addresses = concatenation("address", LANES),
            last = LANES - 1,
            high = 32 - shift,
            lowest = lowest(LANES),
            pad = if LANES == 32 {
                String::new()
            } else {
                format!("{}'d0, ", 32 - LANES)
            },
            strict = if LANES == 32 {
                "    if (strict)
        allowed = allowed & ((|pending[15:0]) ? 32'h0000ffff : 32'hffff0000);
    if ((|pending[15:0]) ? one_by_one[0] : one_by_one[1])
        allowed = allowed & lowest;
"
            } else {
                "    if (one_by_one[0])
        allowed = allowed & lowest;
"
            },
        )
    }
}

/// Which half-warps keep the G80's strict rule, for each place of the queue of beats.
///
/// A half-warp is 16 threads, and keeps the rule if an access has 4, 8 or 16 bytes and the k-th thread, if it accesses at
/// all, accesses the k-th element of one segment of 16 elements, aligned to its size. Any other is served thread by thread.
///
/// ```text
/// cycle   t                                       t+1        from t+2
///         write_enable, write_place, the beat     verdict    one_by_one, for the read_place, next_one_by_one, for the next
/// ```
/// With 8 lanes a half-warp is two beats, which come one after the other, at an even and an odd place. Both are judged
/// when the second has come; until then `one_by_one` of the first has no meaning.
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
    /// The same of another beat, that comes next.
    pub next_place: Signal<In, Bits<4>>,
    pub next_one_by_one: Signal<Out, Bits<2>>,
    /// Two bits for each place.
    _broken: u64,
    /// The beat that came in the cycle before and is judged in this one: its place, its size, its half-warps.
    _entered: Option<(usize, u64, [Elements; 2])>,
    /// The beat before, with 8 lanes.
    _earlier: Elements,
    _stale: Stale,
}

/// What is known of a half-warp's accesses, or of the first of two beats of them.
#[derive(Clone, Copy, Debug)]
struct Elements {
    /// Each is in its place in its segment.
    in_place: bool,
    /// What all numbers of segments have in common: the ones of any, and of all.
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

    /// With an access of thread `k` of the half-warp.
    fn with(self, address: u64, size: u64, k: usize) -> Elements {
        let segment = address >> size >> 4;
        Elements {
            in_place: self.in_place && (address >> size & 15) as usize == k,
            any: self.any | segment,
            all: self.all & segment,
            some: true,
        }
    }

    /// Both together.
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
        // With 8 lanes, the first beat is remembered and the second goes on from it.
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

/// Whether an access at byte `offset`, of `1 << size` bytes, has to do with byte `byte` of its word.
fn covers(offset: usize, size: u64, byte: usize) -> bool {
    size >= 2 || (offset % 4) >> size == byte >> size
}

/// The low `1 << size` bytes of a word, repeated to fill it.
fn replicated(word: u64, size: u64) -> u64 {
    match size {
        0 => (word & 0xff) * 0x0101_0101,
        1 => (word & 0xffff) * 0x0001_0001,
        _ => word,
    }
}

/// Words of an access of `1 << size` bytes.
fn words_of(size: u64) -> usize {
    match size {
        0..=2 => 1,
        3 => 2,
        _ => 4,
    }
}

/// Sixteen beats of data to store, up to four registers of each lane, and a request's words out of the lanes it serves,
/// in registers.
///
/// ```text
/// cycle    t                     t+1                        t+2 until the next capture
/// in       read_enable,          capture, served, size,     word, enable
///          read_beat, ..         offset, second
/// out      meets
/// in       write_enable,         there for a read
///          write_beat, write_part, write_size, lane
/// ```
/// What was read stays until the next read. A beat is not read in the cycle of a write to it.
///
/// There is a memory for the words whose places in memory are even and one for the odd ones: what is written goes, its low
/// bytes repeated to fill a word, to both if the access can have it in both. A lane has a column of both. Its third and fourth
/// registers are in rows of their own, and in the column of the lane a quarter of the lanes away. So all four are read at once,
/// and those of all lanes of a request, a quarter of the lanes, if these are neighbours. If two of them are a quarter
/// of the lanes apart they meet in their columns (`meets`): then the request reads and captures twice, the second time for the
/// two upper words of each four (`read_second`, `second`). Columns for all four registers would take twice the block RAMs, for
/// their width alone, and twice the wires to them.
///
/// Where two lanes want one byte the highest lane's is in it. A byte that none wants has enable 0 and lane 0's data.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(read_served, read_of_four))]
pub struct StoreBuffer<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_beat: Signal<In, Bits<4>>,
    /// Which of the registers, from 0.
    pub write_part: Signal<In, Bits<2>>,
    /// log2 of an access's bytes, 0 to 4.
    pub write_size: Signal<In, Bits<3>>,
    /// What each lane stores; of less than 32 bits, in the low bits.
    pub lane: [Signal<In, Bits<32>>; LANES],
    pub read_enable: Signal<In, Bit>,
    /// The beat that the request is of.
    pub read_beat: Signal<In, Bits<4>>,
    /// Lanes that take part in the request, and that it stores four registers of each.
    pub read_served: Signal<In, Bits<32>>,
    pub read_of_four: Signal<In, Bit>,
    /// If they meet: third and fourth registers, else first and second.
    pub read_second: Signal<In, Bit>,
    /// It must be read twice; in the same cycle.
    pub meets: Signal<Out, Bit>,
    pub capture: Signal<In, Bit>,
    /// What was read are third and fourth registers alone; the words captured before of the others stay.
    pub second: Signal<In, Bit>,
    /// Lanes that take part; bits LANES.. do not count.
    pub served: Signal<In, Bits<32>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Each lane's byte in the segment, a multiple of the access; bits past the segment do not count.
    pub offset: [Signal<In, Bits<7>>; LANES],
    pub word: [Signal<Out, Bits<32>>; LANES],
    /// Bytes of each word.
    pub enable: [Signal<Out, Bits<4>>; LANES],
    /// By beat and half of its registers, whether a word's place is odd, and column.
    _memory: Vec<[[Bits<32>; LANES]; 2]>,
    /// What was read.
    _row: [[Bits<32>; LANES]; 2],
    _stale: Stale,
}

impl<const LANES: usize> Blank for StoreBuffer<LANES> {
    fn blank() -> Self {
        StoreBuffer {
            clock: Blank::blank(),
            write_enable: Blank::blank(),
            write_beat: Blank::blank(),
            write_part: Blank::blank(),
            write_size: Blank::blank(),
            lane: Blank::blank(),
            read_enable: Blank::blank(),
            read_beat: Blank::blank(),
            read_served: Blank::blank(),
            read_of_four: Blank::blank(),
            read_second: Blank::blank(),
            meets: Blank::blank(),
            capture: Blank::blank(),
            second: Blank::blank(),
            served: Blank::blank(),
            size: Blank::blank(),
            offset: Blank::blank(),
            word: Blank::blank(),
            enable: Blank::blank(),
            _memory: vec![[[Bits::default(); LANES]; 2]; 32],
            _row: [[Bits::default(); LANES]; 2],
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> StoreBuffer<LANES> {
    /// Lanes between that of a register and that whose column it is in.
    const APART: usize = LANES / 4;

    /// Two lanes of the request that is read are in one column.
    fn meets(&self) -> bool {
        let served = self.read_served.val();
        self.read_of_four.val() && (0..LANES).any(|i| served.get_bit(i) && served.get_bit(i ^ Self::APART))
    }

    /// A capture.
    fn take(&mut self) {
        let size = self.size.val().raw();
        // Of each byte of the segment, the highest lane that stores to it.
        let mut source = [[None; 4]; LANES];
        for i in 0..LANES {
            if self.served.val().get_bit(i) {
                let offset = self.offset[i].val().index();
                let first = (offset / 4 % LANES) & !(words_of(size) - 1);
                for word in &mut source[first..first + words_of(size)] {
                    for (byte, source) in word.iter_mut().enumerate() {
                        if covers(offset, size, byte) {
                            *source = Some(i);
                        }
                    }
                }
            }
        }
        for (word, source) in source.iter().enumerate() {
            let (mut data, mut enable) = (0, 0);
            let upper = words_of(size) == 4 && word % 4 >= 2;
            for (byte, source) in source.iter().enumerate() {
                let column = source.unwrap_or(0) ^ if upper { Self::APART } else { 0 };
                data |= self._row[word % 2][column].raw() & 0xff << (8 * byte);
                enable |= u64::from(source.is_some()) << byte;
            }
            if !self.second.val() || word % 4 >= 2 {
                self.word[word].next = Bits::new(data);
            }
            self.enable[word].next = Bits::new(enable);
        }
    }
}

impl<const LANES: usize> Leaf for StoreBuffer<LANES> {
    fn edge(&mut self) -> bool {
        if self.capture.val() {
            self.take();
        }
        if self.read_enable.val() {
            let beat = self.read_beat.val().index();
            self._row = self._memory[2 * beat];
            if self.read_of_four.val() {
                let (meets, second) = (self.meets(), self.read_second.val());
                let served = self.read_served.val();
                for (row, upper) in self._row.iter_mut().zip(&self._memory[2 * beat + 1]) {
                    for (column, (word, upper)) in row.iter_mut().zip(upper).enumerate() {
                        let taken = if meets {
                            second
                        } else {
                            served.get_bit(column ^ Self::APART)
                        };
                        if taken {
                            *word = *upper;
                        }
                    }
                }
            }
        }
        if self.write_enable.val() {
            let (beat, part) = (self.write_beat.val().index(), self.write_part.val().index());
            let size = self.write_size.val().raw();
            // The registers of an access, and the memories that have a place for this one.
            let words = words_of(size);
            let second = part % words / 2;
            let row = &mut self._memory[2 * beat + second];
            for odd in (0..2).filter(|odd| words == 1 || *odd == part % 2) {
                for (lane, value) in self.lane.iter().enumerate() {
                    row[odd][lane ^ (second * Self::APART)] = Bits::new(replicated(value.val().raw(), size));
                }
            }
        }
        self.capture.val() || self.read_enable.val() || self.write_enable.val()
    }
    fn follow(&mut self) {
        self.meets.next = self.meets();
    }
    fn verilog(&self) -> String {
        let index = LANES.trailing_zeros() as usize;
        let bits = LANES * 32;
        let mut text = format!(
            "\
integer i;
integer from;
wire [{offset_top}:0] offsets;
assign offsets = {offsets};
wire [{top}:0] stored;
assign stored = {lanes};
reg [{top}:0] lanes;
wire write_upper;
assign write_upper = write_size[2] & write_part[1];
always @(*)
    for (i = 0; i < {LANES}; i = i + 1) begin
        lanes[i * 32 +: 32] = stored[i * 32 +: 32];
        if (write_size[2:1] == 2'd0)
            lanes[i * 32 + 16 +: 16] = stored[i * 32 +: 16];
        if (write_size == 3'd0) begin
            lanes[i * 32 + 8 +: 8] = stored[i * 32 +: 8];
            lanes[i * 32 + 24 +: 8] = stored[i * 32 +: 8];
        end
        from = i ^ {apart};
        if (write_upper)
            lanes[i * 32 +: 32] = stored[from * 32 +: 32];
    end
wire [4:0] write_row;
assign write_row = {{write_beat, write_upper}};
wire write_both;
assign write_both = !write_size[2] && write_size != 3'd3;
wire write_even;
assign write_even = write_enable && (write_both || !write_part[0]);
wire write_odd;
assign write_odd = write_enable && (write_both || write_part[0]);
// Lanes whose columns they are.
reg [{lane_top}:0] away;
always @(*)
    for (i = 0; i < {LANES}; i = i + 1)
        away[i] = read_of_four & read_served[i ^ {apart}];
assign meets = |(away & read_served[{lane_top}:0]);
wire [{lane_top}:0] upper;
assign upper = meets ? {{{LANES}{{read_second}}}} : away;
wire [{top}:0] words_even;
wire [{top}:0] words_odd;
",
            top = bits - 1,
            lanes = concatenation("lane", LANES),
            offset_top = LANES * 7 - 1,
            offsets = concatenation("offset", LANES),
            lane_top = LANES - 1,
            apart = Self::APART,
        );
        for lane in 0..LANES {
            text.push_str(&format!(
                "wire [4:0] read_row_{lane};\nassign read_row_{lane} = {{read_beat, upper[{lane}]}};\n"
            ));
            for name in ["even", "odd"] {
                text.push_str(&format!(
                    "\
{BLOCK_COLLISION_FREE}
reg [31:0] {name}_{lane} [0:31];
reg [31:0] {name}_word_{lane};
initial begin
    for (i = 0; i < 32; i = i + 1)
        {name}_{lane}[i] = 32'd0;
end
{read}always @(posedge clock)
    if (write_{name})
        {name}_{lane}[write_row] <= lanes[{high}:{low}];
assign words_{name}[{high}:{low}] = {name}_word_{lane};
",
                    high = lane * 32 + 31,
                    low = lane * 32,
                    read = collision_free_read(
                        32,
                        &format!("{name}_word_{lane}"),
                        &format!("{name}_{lane}"),
                        &format!("read_row_{lane}"),
                        &format!("write_{name}"),
                        "write_row"
                    ),
                ));
            }
        }
        text.push_str(&format!(
            "\
wire [{all_top}:0] aligned;
assign aligned = {{words_odd, words_even}};
reg [{top}:0] words;
reg [{bytes_top}:0] wanted;
// Temporaries of a capture: the bytes that each lane stores; the place of its access, and the bits of a place that tell
// one access from another.
reg [{bytes_top}:0] covered;
reg [{places_top}:0] places;
reg [{index_top}:0] whole;
reg [{index_top}:0] place;
reg [{index_top}:0] source;
integer l;
integer w;
integer b;
initial words = {{{bits}{{1'b0}}}};
initial wanted = {{{bytes}{{1'b0}}}};
always @(posedge clock)
    if (capture) begin
        whole = {{{index}{{1'b1}}}};
        if (size == 3'd3)
            whole[0] = 1'b0;
        if (size[2])
            whole[1:0] = 2'd0;
        for (l = 0; l < {LANES}; l = l + 1) begin
            places[l * {index} +: {index}] = offsets[l * 7 + 2 +: {index}] & whole;
            covered[l * 4 +: 4] = 4'd15;
            if (size == 3'd0)
                covered[l * 4 +: 4] = 4'd1 << offsets[l * 7 +: 2];
            if (size == 3'd1)
                covered[l * 4 +: 4] = offsets[l * 7 + 1] ? 4'd12 : 4'd3;
        end
        for (w = 0; w < {LANES}; w = w + 1) begin
            place = w[{index_top}:0] & whole;
            for (b = 0; b < 4; b = b + 1) begin
                source = {index}'d0;
                wanted[w * 4 + b] <= 1'b0;
                for (l = 0; l < {LANES}; l = l + 1)
                    if (served[l] && covered[l * 4 + b] && places[l * {index} +: {index}] == place) begin
                        source = l[{index_top}:0];
                        wanted[w * 4 + b] <= 1'b1;
                    end
                if (size[2] && w[1])
                    source = source ^ {index}'d{apart};
                if (!second || w[1])
                    words[w * 32 + b * 8 +: 8] <= aligned[{bits} * (w % 2) + source * 32 + b * 8 +: 8];
            end
        end
    end
",
            top = bits - 1,
            all_top = bits * 2 - 1,
            bytes = LANES * 4,
            bytes_top = LANES * 4 - 1,
            places_top = LANES * index - 1,
            index_top = index - 1,
            apart = Self::APART,
        ));
        text.push_str(&spread("word", "words", LANES, 32));
        for w in 0..LANES {
            text.push_str(&format!("assign enable${w} = wanted[{}:{}];\n", w * 4 + 3, w * 4));
        }
        text
    }
}

/// A beat of loaded data, up to four registers of each lane, and behind it the rest of the beat before. A response writes
/// the lanes that it serves, and only those, so that a beat's requests come together here.
///
/// ```text
/// cycle     t                                          t+1
/// in        write_enable, served, size, .., word       lane: their values, first registers
/// in        keep                                       with `part` 1 to 3, lane is one of the further registers
/// ```
/// `keep` moves the registers behind the first out of the beat's place, which a write in the same cycle may fill again.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(part))]
pub struct LoadAssembly<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    /// Lanes that take part; bits LANES.. do not count.
    pub served: Signal<In, Bits<32>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Accesses of less than 32 bits are sign-extended, else zero-extended.
    pub is_signed: Signal<In, Bit>,
    /// Each lane's byte in the segment, a multiple of the access; bits past the segment do not count.
    pub offset: [Signal<In, Bits<7>>; LANES],
    pub word: [Signal<In, Bits<32>>; LANES],
    pub keep: Signal<In, Bit>,
    /// What `lane` is: 0, the first register of the beat that responses go to; 1 to 3, a further one of the beat before.
    pub part: Signal<In, Bits<2>>,
    pub lane: [Signal<Out, Bits<32>>; LANES],
    /// By register of an access: of the beat that responses go to, and behind its first.
    _beat: Vec<[Bits<32>; LANES]>,
    _later: Vec<[Bits<32>; LANES]>,
    _stale: Stale,
}

impl<const LANES: usize> Blank for LoadAssembly<LANES> {
    fn blank() -> Self {
        LoadAssembly {
            clock: Blank::blank(),
            write_enable: Blank::blank(),
            served: Blank::blank(),
            size: Blank::blank(),
            is_signed: Blank::blank(),
            offset: Blank::blank(),
            word: Blank::blank(),
            keep: Blank::blank(),
            part: Blank::blank(),
            lane: Blank::blank(),
            _beat: vec![[Bits::default(); LANES]; 4],
            _later: vec![[Bits::default(); LANES]; 3],
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> LoadAssembly<LANES> {
    /// A response.
    fn take(&mut self) {
        let size = self.size.val().raw();
        for i in (0..LANES).filter(|&i| self.served.val().get_bit(i)) {
            let offset = self.offset[i].val().index();
            let word = self.word[offset / 4 % LANES].val().raw() as u32;
            let (low, signed) = (word >> (8 * (offset % 4)), self.is_signed.val());
            let value = match (size, signed) {
                (0, false) => low & 0xff,
                (0, true) => low as i8 as u32,
                (1, false) => low & 0xffff,
                (1, true) => low as i16 as u32,
                _ => word,
            };
            self._beat[0][i] = Bits::new(value.into());
            for part in 1..words_of(size) {
                let place = ((offset / 4 % LANES) & !(words_of(size) - 1)) | part;
                self._beat[part][i] = self.word[place].val();
            }
        }
    }
}

impl<const LANES: usize> Leaf for LoadAssembly<LANES> {
    fn edge(&mut self) -> bool {
        if self.keep.val() {
            self._later.copy_from_slice(&self._beat[1..]);
        }
        if self.write_enable.val() {
            self.take();
        }
        self.keep.val() || self.write_enable.val()
    }
    fn follow(&mut self) {
        let beat = match self.part.val().index() {
            0 => &self._beat[0],
            part => &self._later[part - 1],
        };
        for (port, value) in self.lane.iter_mut().zip(beat) {
            port.next = *value;
        }
    }
    fn verilog(&self) -> String {
        let index = LANES.trailing_zeros() as usize;
        let mut text = format!(
            "wire [{}:0] words;\nassign words = {};\nwire two;\nassign two = size[2] || size == 3'd3;\n",
            LANES * 32 - 1,
            concatenation("word", LANES)
        );
        // The four words around a lane's place are chosen first: they are its registers, or its word is one of them.
        for lane in 0..LANES {
            text.push_str(&format!(
                "\
wire [{group_top}:0] group_{lane};
assign group_{lane} = offset${lane}[{offset_top}:4];
wire [127:0] near_{lane};
assign near_{lane} = words[group_{lane} * 128 +: 128];
wire [31:0] chosen_{lane};
assign chosen_{lane} = near_{lane}[offset${lane}[3:2] * 32 +: 32];
wire [15:0] half_{lane};
assign half_{lane} = offset${lane}[1] ? chosen_{lane}[31:16] : chosen_{lane}[15:0];
wire [7:0] byte_{lane};
assign byte_{lane} = offset${lane}[0] ? half_{lane}[15:8] : half_{lane}[7:0];
wire [31:0] value_{lane};
assign value_{lane} = (size == 3'd0) ? {{{{24{{is_signed & byte_{lane}[7]}}}}, byte_{lane}}} :
    (size == 3'd1) ? {{{{16{{is_signed & half_{lane}[15]}}}}, half_{lane}}} : chosen_{lane};
wire [31:0] second_{lane};
assign second_{lane} = (!size[2] && offset${lane}[3]) ? near_{lane}[127:96] : near_{lane}[63:32];
reg [127:0] beat_{lane};
reg [95:0] later_{lane};
initial beat_{lane} = 128'd0;
initial later_{lane} = 96'd0;
always @(posedge clock) begin
    if (write_enable && served[{lane}])
        beat_{lane}[31:0] <= value_{lane};
    if (write_enable && served[{lane}] && two)
        beat_{lane}[63:32] <= second_{lane};
    if (write_enable && served[{lane}] && size[2])
        beat_{lane}[127:64] <= near_{lane}[127:64];
    if (keep)
        later_{lane} <= beat_{lane}[127:32];
end
assign lane${lane} = part[1] ? (part[0] ? later_{lane}[95:64] : later_{lane}[63:32]) :
    (part[0] ? later_{lane}[31:0] : beat_{lane}[31:0]);
",
                group_top = (index - 2).max(1) - 1,
                offset_top = index + 1
            ));
        }
        text
    }
}
