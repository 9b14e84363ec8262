//! Gathered operands: routes the banks' words to their threads, and buffers two warps' worth until they are read.

use crate::memory::lane_ram::concatenation;
use hdlkit::prelude::*;

/// Threads whose words can be written in a cycle, at this number of lanes.
const fn width(lanes: usize) -> usize {
    if lanes < 16 {
        lanes
    } else {
        16
    }
}

/// Two buffers of 32 words, initially zero.
///
/// ```text
/// cycle   t                                            t+1
/// write   words of the banks, threads, their places    seen by reads
/// read    lane = word of the buffer's beat
/// ```
/// A thread extracts the bytes of its access from its bank's word, or from `constant_word`, and extends them to 32
/// bits.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(read_buffer, read_beat))]
pub struct GatherBuffer<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_buffer: Signal<In, Bit>,
    /// Threads 16 to 31 of the warp, else 0 to 15.
    pub write_upper: Signal<In, Bit>,
    /// With 8 lanes, threads 8 to 15 of the half-warp, else 0 to 7. With more lanes it is ignored.
    pub write_odd: Signal<In, Bit>,
    /// Threads of the half-warp to write; with 8 lanes only those of the phase count.
    pub write_threads: Signal<In, Bits<16>>,
    /// 0 u8, 1 u16, 2 s16, 3 b32.
    pub access: Signal<In, Bits<2>>,
    pub constant: Signal<In, Bit>,
    pub constant_word: Signal<In, Bits<32>>,
    /// Each thread's bank (bits 5..2) and byte.
    pub place: [Signal<In, Bits<6>>; 16],
    pub word: [Signal<In, Bits<32>>; 16],
    pub read_buffer: Signal<In, Bit>,
    pub read_beat: Signal<In, Bits<2>>,
    pub lane: [Signal<Out, Bits<32>>; LANES],
    _memory: [[Bits<32>; 32]; 2],
    _stale: Stale,
}

impl<const LANES: usize> Blank for GatherBuffer<LANES> {
    fn blank() -> Self {
        GatherBuffer {
            clock: Blank::blank(),
            write_buffer: Blank::blank(),
            write_upper: Blank::blank(),
            write_odd: Blank::blank(),
            write_threads: Blank::blank(),
            access: Blank::blank(),
            constant: Blank::blank(),
            constant_word: Blank::blank(),
            place: Blank::blank(),
            word: Blank::blank(),
            read_buffer: Blank::blank(),
            read_beat: Blank::blank(),
            lane: Blank::blank(),
            _memory: [[Bits::default(); 32]; 2],
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> Leaf for GatherBuffer<LANES> {
    fn edge(&mut self) -> bool {
        let mut threads = self.write_threads.val().raw();
        if LANES == 8 {
            threads &= if self.write_odd.val() { 0xff00 } else { 0x00ff };
        }
        if threads == 0 {
            return false;
        }
        let buffer = &mut self._memory[usize::from(self.write_buffer.val())];
        let first = if self.write_upper.val() { 16 } else { 0 };
        for i in (0..16).filter(|i| threads >> i & 1 == 1) {
            let place = self.place[i].val().raw();
            let word = if self.constant.val() {
                self.constant_word.val().raw()
            } else {
                self.word[(place >> 2) as usize].val().raw()
            };
            let value = match self.access.val().raw() {
                0 => word >> (8 * (place & 3)) & 0xff,
                1 => word >> (8 * (place & 2)) & 0xffff,
                2 => u64::from((word >> (8 * (place & 2))) as u16 as i16 as u32),
                _ => word,
            };
            buffer[first + i] = value.into();
        }
        true
    }
    fn follow(&mut self) {
        let first = self.read_beat.val().index() * LANES % 32;
        let buffer = &self._memory[usize::from(self.read_buffer.val())];
        for (port, value) in self.lane.iter_mut().zip(&buffer[first..]) {
            port.next = *value;
        }
    }
    fn verilog(&self) -> String {
        let width = width(LANES);
        // Entries of a lane's memory: buffer and beat.
        let (write_entry, read_entry, entries) = match LANES {
            8 => ("{write_buffer, write_upper, write_odd}", "{read_buffer, read_beat}", 8),
            16 => ("{write_buffer, write_upper}", "{read_buffer, read_beat[0]}", 4),
            _ => ("write_buffer", "read_buffer", 2),
        };
        let entry_top = usize::ilog2(entries) - 1;
        let mut text = format!(
            "\
wire [511:0] words;
assign words = {words};
wire [95:0] places;
assign places = {places};
integer i;
reg [15:0] threads;
reg [{width_top}:0] here;
reg [{places_top}:0] at;
reg [31:0] full;
reg [15:0] part;
reg [{values_top}:0] values;
wire [{entry_top}:0] write_entry;
assign write_entry = {write_entry};
wire [{entry_top}:0] read_entry;
assign read_entry = {read_entry};
always @(*) begin
    threads = write_threads;
",
            words = concatenation("word", 16),
            places = concatenation("place", 16),
            width_top = width - 1,
            places_top = width * 6 - 1,
            values_top = width * 32 - 1,
        );
        text.push_str(if LANES == 8 {
            "    here = write_odd ? threads[15:8] : threads[7:0];\n    at = write_odd ? places[95:48] : places[47:0];\n"
        } else {
            "    here = threads;\n    at = places;\n"
        });
        text.push_str(&format!(
            "\
    full = 32'd0;
    part = 16'd0;
    for (i = 0; i < {width}; i = i + 1) begin
        full = constant ? constant_word : words[at[i * 6 + 2 +: 4] * 32 +: 32];
        part = at[i * 6 + 1] ? full[31:16] : full[15:0];
        case (access)
            2'd0: values[i * 32 +: 32] = {{24'd0, at[i * 6] ? part[15:8] : part[7:0]}};
            2'd1: values[i * 32 +: 32] = {{16'd0, part}};
            2'd2: values[i * 32 +: 32] = {{{{16{{part[15]}}}}, part}};
            default: values[i * 32 +: 32] = full;
        endcase
    end
end
"
        ));
        for lane in 0..LANES {
            // With 32 lanes a half-warp goes to the lower or the upper lanes.
            let (source, enable) = match LANES {
                32 if lane < 16 => (lane, format!("here[{lane}] && !write_upper")),
                32 => (lane - 16, format!("here[{}] && write_upper", lane - 16)),
                _ => (lane, format!("here[{lane}]")),
            };
            text.push_str(&format!(
                "\
(* ram_style = \"distributed\" *)
reg [31:0] memory_{lane} [0:{last}];
initial
    for (i = 0; i < {entries}; i = i + 1)
        memory_{lane}[i] = 32'd0;
always @(posedge clock)
    if ({enable})
        memory_{lane}[write_entry] <= values[{high}:{low}];
assign lane${lane} = memory_{lane}[read_entry];
",
                last = entries - 1,
                high = source * 32 + 31,
                low = source * 32,
            ));
        }
        text
    }
}
