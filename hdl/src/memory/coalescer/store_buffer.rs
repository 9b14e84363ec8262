//! From lanes to words: the store data of a request.

use super::words_of;
use crate::memory::lane_ram::{concatenation, spread};
use hdlkit::memory::{collision_free_read, BLOCK_COLLISION_FREE};
use hdlkit::prelude::*;

/// Whether an access of `1 << size` bytes at byte `offset` touches byte `byte` of its word.
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

/// Sixteen beats of store data, up to four registers per lane, and a request's words assembled from the lanes it
/// serves, in registers.
///
/// ```text
/// cycle    t                     t+1                        t+2 until the next capture
/// in       read_enable,          capture, served, size,     word, enable
///          read_beat, ..         offset, second
/// out      meets
/// in       write_enable,         there for a read
///          write_beat, write_part, write_size, lane
/// ```
/// Data stay until the next read. A beat is never read in the cycle of a write to it.
///
/// Two memories: one for words at even places in memory, one for odd. Write data, with their low bytes repeated to fill
/// a word, go to both if the access can fall in either. Each lane has a column in both memories. A lane's third and
/// fourth registers are in rows of their own, in the column of the lane a quarter of the lanes away. So all four are
/// read at once, and those of all lanes of a request, a quarter of the lanes, if these are neighbours. Two lanes that
/// are a quarter of the lanes apart collide in their columns (`meets`): then the request reads and captures twice, the
/// second time for the two upper words of each four (`read_second`, `second`). Columns for all four registers would
/// take twice the block RAMs, only for their width, and twice the wires to them.
///
/// If several lanes write one byte, the highest lane wins. A byte that no lane writes has enable 0 and lane 0's data.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(read_served, read_of_four))]
pub struct StoreBuffer<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_beat: Signal<In, Bits<4>>,
    /// The register's index, from 0.
    pub write_part: Signal<In, Bits<2>>,
    /// log2 of an access's bytes, 0 to 4.
    pub write_size: Signal<In, Bits<3>>,
    /// Each lane's store data; in the low bits if less than 32 bits.
    pub lane: [Signal<In, Bits<32>>; LANES],
    pub read_enable: Signal<In, Bit>,
    /// The request's beat.
    pub read_beat: Signal<In, Bits<4>>,
    /// Lanes that take part in the request, and whether it stores four registers of each.
    pub read_served: Signal<In, Bits<32>>,
    pub read_of_four: Signal<In, Bit>,
    /// If lanes collide: read the third and fourth registers, else the first and second.
    pub read_second: Signal<In, Bit>,
    /// Lanes collide, so the request must be read twice; in the same cycle.
    pub meets: Signal<Out, Bit>,
    pub capture: Signal<In, Bit>,
    /// Only third and fourth registers were read; the other words keep what was captured before.
    pub second: Signal<In, Bit>,
    /// Participating lanes; bits LANES.. do not count.
    pub served: Signal<In, Bits<32>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Each lane's byte offset in the segment, a multiple of the access; bits past the segment do not count.
    pub offset: [Signal<In, Bits<7>>; LANES],
    pub word: [Signal<Out, Bits<32>>; LANES],
    /// Byte enables of each word.
    pub enable: [Signal<Out, Bits<4>>; LANES],
    /// By beat and half of its registers, parity of the word's place, and column.
    _memory: Vec<[[Bits<32>; LANES]; 2]>,
    /// The row read last.
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
    /// Distance between a register's lane and the lane whose column holds it.
    const APART: usize = LANES / 4;

    /// Two lanes of the request being read share a column.
    fn meets(&self) -> bool {
        let served = self.read_served.val();
        self.read_of_four.val() && (0..LANES).any(|i| served.get_bit(i) && served.get_bit(i ^ Self::APART))
    }

    /// Captures a request's words.
    fn take(&mut self) {
        let size = self.size.val().raw();
        // For each byte of the segment, the highest lane that stores to it.
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
            // The words of an access, and the memories that have a place for this one.
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
