//! Which threads of a half-warp the banks of shared memory serve in a step.
//!
//! The G80's rule for loads: one word is broadcast to all threads that want it, and of every other bank one thread gets a
//! word. The word to broadcast is here that of the lowest thread that waits, the thread of another bank the lowest that
//! waits for it. So a half-warp whose threads have a bank each takes one step, and so does one that reads one word;
//! n different words of one bank take n.
//!
//! Of stores the threads with the lowest waiting thread's very address count as one, the highest one's data stays, and
//! of every other bank one thread stores. Constant memory has one bank: only the broadcast.

use crate::memory::lane_ram::{concatenation, spread};
use hdlkit::prelude::*;

/// The choice, in the same cycle.
#[derive(Clone, Debug, LogicBlock, Ports)]
pub struct BankSelect<const LANES: usize> {
    /// Threads that wait.
    pub pending: Signal<In, Bits<16>>,
    /// With 8 lanes, the second phase of the step, for threads 8 to 15, else the first, for 0 to 7: the data path serves
    /// these only. With more lanes it serves all at once, and this does not count.
    pub odd: Signal<In, Bit>,
    pub store: Signal<In, Bit>,
    /// One bank only.
    pub constant: Signal<In, Bit>,
    /// 0 u8, 1 u16, 2 s16, 3 b32.
    pub access: Signal<In, Bits<2>>,
    /// Row of address 0.
    pub base: Signal<In, Bits<8>>,
    /// Byte addresses: bank in bits 5..2, row in bits 13..6.
    pub address: [Signal<In, Bits<16>>; 16],
    /// What is stored, in the low bits.
    pub data: [Signal<In, Bits<32>>; 16],
    /// Threads served by the step, whatever the phase.
    pub served: Signal<Out, Bits<16>>,
    /// Address of the lowest thread that waits (of thread 0 if none does).
    pub leader: Signal<Out, Bits<16>>,
    /// Banks that are accessed in this phase (not for constant memory), their rows, and what a store writes; 0 for a bank
    /// that is not accessed.
    pub banks: Signal<Out, Bits<16>>,
    pub row: [Signal<Out, Bits<8>>; 16],
    pub bytes: [Signal<Out, Bits<4>>; 16],
    pub word: [Signal<Out, Bits<32>>; 16],
    /// Something changed since the last evaluation.
    _stale: bool,
}

impl<const LANES: usize> Blank for BankSelect<LANES> {
    fn blank() -> Self {
        BankSelect {
            pending: Blank::blank(),
            odd: Blank::blank(),
            store: Blank::blank(),
            constant: Blank::blank(),
            access: Blank::blank(),
            base: Blank::blank(),
            address: Blank::blank(),
            data: Blank::blank(),
            served: Blank::blank(),
            leader: Blank::blank(),
            banks: Blank::blank(),
            row: Blank::blank(),
            bytes: Blank::blank(),
            word: Blank::blank(),
            _stale: true,
        }
    }
}

impl<const LANES: usize> Logic for BankSelect<LANES> {
    fn update(&mut self) {
        let address: [u64; 16] = std::array::from_fn(|i| self.address[i].val().raw());
        let bank = |i: usize| (address[i] >> 2 & 15) as usize;
        let pending = self.pending.val().raw();
        let (store, constant) = (self.store.val(), self.constant.val());
        let lowest = if pending == 0 {
            0
        } else {
            pending.trailing_zeros() as usize
        };
        let mut taken = if constant { 0xffff } else { 1u64 << bank(lowest) };
        let mut served = 0;
        for i in (0..16).filter(|i| pending >> i & 1 == 1) {
            let with_leader = if store {
                address[i] == address[lowest]
            } else {
                address[i] >> 2 == address[lowest] >> 2
            };
            if with_leader || taken >> bank(i) & 1 == 0 {
                served |= 1 << i;
            }
            taken |= 1 << bank(i);
        }
        let phase = match (LANES, self.odd.val()) {
            _ if constant => 0,
            (8, false) => 0x00ff,
            (8, true) => 0xff00,
            _ => 0xffff,
        };
        let access = served & phase;
        let size = self.access.val().raw();
        let base = self.base.val().raw();
        let mut banks = 0;
        let mut lane_of = [None; 16];
        for i in (0..16).filter(|i| access >> i & 1 == 1) {
            banks |= 1 << bank(i);
            lane_of[bank(i)] = Some(i);
        }
        for (b, &lane) in lane_of.iter().enumerate() {
            let (row, bytes, word) = lane.map_or((0, 0, 0), |lane| {
                let (address, data) = (address[lane], self.data[lane].val().raw());
                let (bytes, word) = match size {
                    0 => (1 << (address & 3), (data & 0xff) * 0x0101_0101),
                    1 | 2 => (if address & 2 != 0 { 12 } else { 3 }, (data & 0xffff) * 0x0001_0001),
                    _ => (15, data),
                };
                ((base + (address >> 6)) & 0xff, bytes, word)
            });
            self.row[b].next = row.into();
            self.bytes[b].next = bytes.into();
            self.word[b].next = word.into();
        }
        self.served.next = served.into();
        self.leader.next = address[lowest].into();
        self.banks.next = banks.into();
    }
    fn connect(&mut self) {
        self.served.connect();
        self.leader.connect();
        self.banks.connect();
        self.row.iter_mut().for_each(|port| port.connect());
        self.bytes.iter_mut().for_each(|port| port.connect());
        self.word.iter_mut().for_each(|port| port.connect());
    }
    fn hdl(&self) -> Verilog {
        // Threads of a phase.
        let width = LANES.min(16);
        let mut text = format!(
            "\
wire [255:0] addresses;
assign addresses = {addresses};
wire [511:0] datas;
assign datas = {datas};
integer i;
integer b;
reg [15:0] lowest;
reg [15:0] lead;
reg [15:0] with_lead;
reg wants;
reg earlier;
reg [15:0] lead_bank;
reg [255:0] first;
reg [15:0] chosen;
// Who is served: those with the lowest, and of each other bank the first. Threads and banks are one-hot.
always @(*) begin
    lead = 16'd0;
    earlier = 1'b0;
    for (i = 0; i < 16; i = i + 1) begin
        lowest[i] = pending[i] && !earlier;
        earlier = earlier || pending[i];
    end
    // Of thread 0 if none waits.
    lowest[0] = !(|lowest[15:1]);
    for (i = 0; i < 16; i = i + 1)
        lead = lead | (addresses[i * 16 +: 16] & {{16{{lowest[i]}}}});
    lead_bank = 16'd1 << lead[5:2];
    for (i = 0; i < 16; i = i + 1)
        with_lead[i] = pending[i] && addresses[i * 16 + 2 +: 14] == lead[15:2]
            && (!store || addresses[i * 16 +: 2] == lead[1:0]);
    chosen = with_lead;
    for (b = 0; b < 16; b = b + 1) begin
        // As if somebody had been there before: constant memory has no bank but the lowest thread's.
        earlier = constant || lead_bank[b];
        for (i = 0; i < 16; i = i + 1) begin
            wants = pending[i] && addresses[i * 16 + 2 +: 4] == b[3:0];
            first[b * 16 + i] = wants && !earlier;
            earlier = earlier || wants;
        end
        chosen = chosen | first[b * 16 +: 16];
    end
end
// What each thread of the phase would do, and the highest of those with the lowest.
reg [{rows_top}:0] thread_rows;
reg [{bytes_top}:0] thread_bytes;
reg [{words_top}:0] thread_words;
reg [{threads_top}:0] with_lead_here;
reg [{threads_top}:0] top;
reg [15:0] place;
reg [31:0] data;
always @(*) begin
    with_lead_here = {with_lead_here};
    top = {width}'d0;
    for (i = 0; i < {width}; i = i + 1) begin
        place = {place};
        data = {data};
        if (with_lead_here[i] && !constant) begin
            top = {width}'d0;
            top[i] = 1'b1;
        end
        thread_rows[i * 8 +: 8] = base + place[13:6];
        case (access)
            2'd0: begin
                thread_bytes[i * 4 +: 4] = 4'd1 << place[1:0];
                thread_words[i * 32 +: 32] = {{4{{data[7:0]}}}};
            end
            2'd3: begin
                thread_bytes[i * 4 +: 4] = 4'd15;
                thread_words[i * 32 +: 32] = data;
            end
            default: begin
                thread_bytes[i * 4 +: 4] = place[1] ? 4'd12 : 4'd3;
                thread_words[i * 32 +: 32] = {{2{{data[15:0]}}}};
            end
        endcase
    end
end
// What each bank does.
reg [15:0] used;
reg [127:0] rows;
reg [63:0] enables;
reg [511:0] words;
reg [{threads_top}:0] here;
always @(*) begin
    rows = 128'd0;
    enables = 64'd0;
    words = 512'd0;
    for (b = 0; b < 16; b = b + 1) begin
        here = {first_here} | (top & {{{width}{{lead_bank[b]}}}});
        used[b] = |here;
        for (i = 0; i < {width}; i = i + 1) begin
            rows[b * 8 +: 8] = rows[b * 8 +: 8] | (thread_rows[i * 8 +: 8] & {{8{{here[i]}}}});
            enables[b * 4 +: 4] = enables[b * 4 +: 4] | (thread_bytes[i * 4 +: 4] & {{4{{here[i]}}}});
            words[b * 32 +: 32] = words[b * 32 +: 32] | (thread_words[i * 32 +: 32] & {{32{{here[i]}}}});
        end
    end
end
assign served = chosen;
assign leader = lead;
assign banks = used;
",
            addresses = concatenation("address", 16),
            datas = concatenation("data", 16),
            rows_top = width * 8 - 1,
            bytes_top = width * 4 - 1,
            words_top = width * 32 - 1,
            threads_top = width - 1,
            with_lead_here = of_phase(LANES, "with_lead[15:8]", "with_lead[7:0]", "with_lead"),
            place = of_phase(
                LANES,
                "addresses[(i + 8) * 16 +: 16]",
                "addresses[i * 16 +: 16]",
                "addresses[i * 16 +: 16]"
            ),
            data = of_phase(
                LANES,
                "datas[(i + 8) * 32 +: 32]",
                "datas[i * 32 +: 32]",
                "datas[i * 32 +: 32]"
            ),
            first_here = of_phase(
                LANES,
                "first[b * 16 + 8 +: 8]",
                "first[b * 16 +: 8]",
                "first[b * 16 +: 16]"
            ),
        );
        text.push_str(&spread("row", "rows", 16, 8));
        text.push_str(&spread("bytes", "enables", 16, 4));
        text.push_str(&spread("word", "words", 16, 32));
        Verilog::Custom(text)
    }
}

/// In Verilog, what belongs to the threads of the phase: with 8 lanes to the upper or to the lower ones, else to all.
fn of_phase(lanes: usize, upper: &str, lower: &str, all: &str) -> String {
    match lanes {
        8 => format!("(odd ? {upper} : {lower})"),
        _ => all.into(),
    }
}

impl<const LANES: usize> Cycle for BankSelect<LANES> {
    fn settle(&mut self) -> bool {
        let changed = self.pending.commit_in()
            | self.odd.commit_in()
            | self.store.commit_in()
            | self.constant.commit_in()
            | self.access.commit_in()
            | self.base.commit_in()
            | self.address.commit_in()
            | self.data.commit_in()
            | self._stale;
        if !changed {
            return false;
        }
        self._stale = false;
        self.update();
        self.served.commit_out()
            | self.leader.commit_out()
            | self.banks.commit_out()
            | self.row.commit_out()
            | self.bytes.commit_out()
            | self.word.commit_out()
    }
    fn primitives(&self, found: &mut Vec<Primitive>) {
        found.push(Primitive::combinational(self));
    }
}
