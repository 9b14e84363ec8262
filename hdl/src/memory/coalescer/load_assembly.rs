//! From words to lanes: assembles a beat of loaded data.

use super::words_of;
use crate::memory::lane_ram::concatenation;
use hdlkit::prelude::*;

/// A beat of loaded data, up to four registers per lane, and the remainder of the previous beat. A response writes only
/// the lanes that it serves, so that the responses to all of a beat's requests are merged here.
///
/// ```text
/// cycle     t                                          t+1
/// in        write_enable, served, size, .., word       lane: their values, first registers
/// in        keep                                       with `part` 1 to 3, lane is one of the further registers
/// ```
/// `keep` moves the registers after the first out of the beat's place, which a write in the same cycle may fill again.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(part))]
pub struct LoadAssembly<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    /// Participating lanes; bits LANES.. do not count.
    pub served: Signal<In, Bits<32>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Sign-extend accesses of less than 32 bits; else zero-extend.
    pub is_signed: Signal<In, Bit>,
    /// Each lane's byte offset in the segment, a multiple of the access; bits past the segment do not count.
    pub offset: [Signal<In, Bits<7>>; LANES],
    pub word: [Signal<In, Bits<32>>; LANES],
    pub keep: Signal<In, Bit>,
    /// Selects `lane`: 0, the first register of the beat being filled; 1 to 3, a further register of the previous beat.
    pub part: Signal<In, Bits<2>>,
    pub lane: [Signal<Out, Bits<32>>; LANES],
    /// By register of an access: the beat being filled, and the previous beat's registers after the first.
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
    /// Takes a response.
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
        // The four words around a lane's place are selected first: they are its registers, or its word is one of them.
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
