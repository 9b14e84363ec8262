//! Which threads of a half-warp the shared memory banks serve in a step, and what each bank then does.
//!
//! The G80's rule for loads: one word is broadcast to all threads that read it, and every other bank serves one thread.
//! Here the broadcast word is that of the lowest waiting thread, and every other bank serves the lowest thread waiting
//! for it. So a half-warp whose threads each use a different bank takes one step, and so does one that reads one word;
//! n different words in one bank take n steps.
//!
//! For stores, all threads with exactly the lowest waiting thread's address are served at once and the highest one's
//! data remain; every other bank stores for one thread. Constant memory has one bank: only the broadcast.
//!
//! ```text
//! cycle   h                                      b
//!         pending, addresses -> served, leader   banks, rows, bytes, words
//!         capture: what each thread does         of what was captured last
//! ```
//! The served threads determine the next step, so they must be known in the same cycle; the path to the banks is long
//! enough for a cycle of its own.

use crate::memory::lane_ram::{concatenation, spread};
use hdlkit::prelude::*;

/// Selects the threads, and a cycle later drives the accesses.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
#[leaf(follows(pending, store, constant, address))]
pub struct BankSelect<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Waiting threads.
    pub pending: Signal<In, Bits<16>>,
    /// With 8 lanes: the second phase of the step, for threads 8 to 15, else the first, for 0 to 7; the data path
    /// serves only these. With more lanes it serves all at once, and this input is ignored.
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
    /// Store data, in the low bits.
    pub data: [Signal<In, Bits<32>>; 16],
    /// Threads that the step serves, in either phase; in the same cycle.
    pub served: Signal<Out, Bits<16>>,
    /// Address of the lowest waiting thread (of thread 15 if none waits), in the same cycle.
    pub leader: Signal<Out, Bits<16>>,
    /// The phase is taken: the banks execute it from the next cycle to the next capture.
    pub capture: Signal<In, Bit>,
    /// Banks to access (not for constant memory), their rows, and store data. A bank that is not accessed has `bytes`
    /// 0; its row and word are those of the phase's first thread and are meaningless.
    pub banks: Signal<Out, Bits<16>>,
    pub row: [Signal<Out, Bits<8>>; 16],
    pub bytes: [Signal<Out, Bits<4>>; 16],
    pub word: [Signal<Out, Bits<32>>; 16],
    _stale: Stale,
}

impl<const LANES: usize> Blank for BankSelect<LANES> {
    fn blank() -> Self {
        BankSelect {
            clock: Blank::blank(),
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
            capture: Blank::blank(),
            banks: Blank::blank(),
            row: Blank::blank(),
            bytes: Blank::blank(),
            word: Blank::blank(),
            _stale: Stale::default(),
        }
    }
}

impl<const LANES: usize> BankSelect<LANES> {
    fn addresses(&self) -> [u64; 16] {
        std::array::from_fn(|i| self.address[i].val().raw())
    }

    /// The lowest waiting thread, 15 if none waits.
    fn lowest(&self) -> usize {
        (self.pending.val().raw() | 1 << 15).trailing_zeros() as usize
    }

    /// The threads that a step serves.
    fn chosen(&self, address: &[u64; 16]) -> u64 {
        let bank = |i: usize| address[i] >> 2 & 15;
        let (pending, lowest) = (self.pending.val().raw(), self.lowest());
        let mut taken = if self.constant.val() {
            0xffff
        } else {
            1u64 << bank(lowest)
        };
        let mut served = 0;
        for i in (0..16).filter(|i| pending >> i & 1 == 1) {
            let with_leader = if self.store.val() {
                address[i] == address[lowest]
            } else {
                address[i] >> 2 == address[lowest] >> 2
            };
            if with_leader || taken >> bank(i) & 1 == 0 {
                served |= 1 << i;
            }
            taken |= 1 << bank(i);
        }
        served
    }
}

impl<const LANES: usize> Leaf for BankSelect<LANES> {
    fn edge(&mut self) -> bool {
        if !self.capture.val() {
            return false;
        }
        let address = self.addresses();
        let bank = |i: usize| (address[i] >> 2 & 15) as usize;
        let phase = match (LANES, self.odd.val()) {
            _ if self.constant.val() => 0,
            (8, false) => 0x00ff,
            (8, true) => 0xff00,
            _ => 0xffff,
        };
        let access = self.chosen(&address) & phase;
        let size = self.access.val().raw();
        let base = self.base.val().raw();
        let mut banks = 0;
        let mut lane_of = [None; 16];
        for i in (0..16).filter(|i| access >> i & 1 == 1) {
            banks |= 1 << bank(i);
            lane_of[bank(i)] = Some(i);
        }
        let mut changed = self.banks.next.raw() != banks;
        self.banks.next = banks.into();
        let first = if LANES == 8 && self.odd.val() { 8 } else { 0 };
        let does = |lane: usize| {
            let (address, data) = (address[lane], self.data[lane].val().raw());
            let (bytes, word) = match size {
                0 => (1 << (address & 3), (data & 0xff) * 0x0101_0101),
                1 | 2 => (if address & 2 != 0 { 12 } else { 3 }, (data & 0xffff) * 0x0001_0001),
                _ => (15, data),
            };
            ((base + (address >> 6)) & 0xff, bytes, word)
        };
        let (idle_row, _, idle_word) = does(first);
        for (b, &lane) in lane_of.iter().enumerate() {
            let (row, bytes, word) = lane.map_or((idle_row, 0, idle_word), does);
            changed |=
                self.row[b].next.raw() != row || self.bytes[b].next.raw() != bytes || self.word[b].next.raw() != word;
            self.row[b].next = row.into();
            self.bytes[b].next = bytes.into();
            self.word[b].next = word.into();
        }
        changed
    }
    fn follow(&mut self) {
        let address = self.addresses();
        self.served.next = self.chosen(&address).into();
        self.leader.next = address[self.lowest()].into();
    }
    fn verilog(&self) -> String {
        // Threads of a phase.
        let width = LANES.min(16);
        let mut text = format!(
            "\
wire [255:0] addresses;
assign addresses = {addresses};
wire [511:0] datas;
assign datas = {datas};
integer i;
integer j;
integer b;
// The lowest thread's address, by a tree of choices between two.
reg [7:0] waits_2;
reg [3:0] waits_4;
reg [1:0] waits_8;
reg [127:0] lead_2;
reg [63:0] lead_4;
reg [31:0] lead_8;
reg [15:0] lead;
always @(*) begin
    for (i = 0; i < 8; i = i + 1) begin
        waits_2[i] = pending[2 * i] | pending[2 * i + 1];
        lead_2[i * 16 +: 16] = pending[2 * i] ? addresses[i * 32 +: 16] : addresses[i * 32 + 16 +: 16];
    end
    for (i = 0; i < 4; i = i + 1) begin
        waits_4[i] = waits_2[2 * i] | waits_2[2 * i + 1];
        lead_4[i * 16 +: 16] = waits_2[2 * i] ? lead_2[i * 32 +: 16] : lead_2[i * 32 + 16 +: 16];
    end
    for (i = 0; i < 2; i = i + 1) begin
        waits_8[i] = waits_4[2 * i] | waits_4[2 * i + 1];
        lead_8[i * 16 +: 16] = waits_4[2 * i] ? lead_4[i * 32 +: 16] : lead_4[i * 32 + 16 +: 16];
    end
    lead = waits_8[0] ? lead_8[15:0] : lead_8[31:16];
end
// Who is served: those with the lowest, and of each bank the first. In the lowest thread's bank that is itself.
reg [15:0] with_lead;
reg [15:0] first;
reg [15:0] chosen;
reg earlier;
always @(*) begin
    for (i = 0; i < 16; i = i + 1) begin
        with_lead[i] = pending[i] && addresses[i * 16 + 2 +: 14] == lead[15:2]
            && (!store || addresses[i * 16 +: 2] == lead[1:0]);
        earlier = constant;
        for (j = 0; j < i; j = j + 1)
            earlier = earlier | (pending[j] && addresses[j * 16 + 2 +: 4] == addresses[i * 16 + 2 +: 4]);
        first[i] = pending[i] && !earlier;
    end
    chosen = with_lead | first;
end
assign served = chosen;
assign leader = lead;
// Who accesses a bank: of each phase the highest of those with the lowest, for all of them.
reg [15:0] top;
reg later;
reg [15:0] accesses;
always @(*) begin
    later = 1'b0;
    for (i = 15; i >= 0; i = i - 1) begin
{restart}        top[i] = with_lead[i] && !later;
        later = later || with_lead[i];
    end
    accesses = constant ? 16'd0 : top | (first & ~with_lead);
end
// What the threads of the phase do.
reg [{threads_top}:0] goes;
reg [{banks_top}:0] thread_banks;
reg [{rows_top}:0] thread_rows;
reg [{bytes_top}:0] thread_bytes;
reg [{words_top}:0] thread_words;
reg [{threads_top}:0] goes_next;
reg [{banks_top}:0] banks_next;
reg [{rows_top}:0] rows_next;
reg [{bytes_top}:0] bytes_next;
reg [{words_top}:0] words_next;
reg [15:0] place;
reg [31:0] data;
initial begin
    goes = {width}'d0;
    thread_rows = {rows}'d0;
    thread_words = {words}'d0;
end
always @(*) begin
    goes_next = {goes};
    for (i = 0; i < {width}; i = i + 1) begin
        place = {place};
        data = {data};
        banks_next[i * 4 +: 4] = place[5:2];
        rows_next[i * 8 +: 8] = base + place[13:6];
        case (access)
            2'd0: begin
                bytes_next[i * 4 +: 4] = 4'd1 << place[1:0];
                words_next[i * 32 +: 32] = {{4{{data[7:0]}}}};
            end
            2'd3: begin
                bytes_next[i * 4 +: 4] = 4'd15;
                words_next[i * 32 +: 32] = data;
            end
            default: begin
                bytes_next[i * 4 +: 4] = place[1] ? 4'd12 : 4'd3;
                words_next[i * 32 +: 32] = {{2{{data[15:0]}}}};
            end
        endcase
    end
end
always @(posedge clock)
    if (capture) begin
        goes <= goes_next;
        thread_banks <= banks_next;
        thread_rows <= rows_next;
        thread_bytes <= bytes_next;
        thread_words <= words_next;
    end
// What each bank does.
reg [15:0] used;
reg [127:0] rows;
reg [63:0] enables;
reg [511:0] words;
reg [{threads_top}:0] here;
reg [{number_top}:0] number;
always @(*) begin
    enables = 64'd0;
    for (b = 0; b < 16; b = b + 1) begin
        for (i = 0; i < {width}; i = i + 1)
            here[i] = goes[i] && thread_banks[i * 4 +: 4] == b[3:0];
        used[b] = |here;
        number = {number_bits}'d0;
        for (i = 0; i < {width}; i = i + 1) begin
            enables[b * 4 +: 4] = enables[b * 4 +: 4] | (thread_bytes[i * 4 +: 4] & {{4{{here[i]}}}});
            number = number | (i[{number_top}:0] & {{{number_bits}{{here[i]}}}});
        end
        // One thread at most is here, so this is its number; wide multiplexers cost less than a sum of products.
        rows[b * 8 +: 8] = thread_rows[number * 8 +: 8];
        words[b * 32 +: 32] = thread_words[number * 32 +: 32];
    end
end
assign banks = used;
",
            addresses = concatenation("address", 16),
            datas = concatenation("data", 16),
            banks_top = width * 4 - 1,
            rows_top = width * 8 - 1,
            bytes_top = width * 4 - 1,
            words_top = width * 32 - 1,
            threads_top = width - 1,
            rows = width * 8,
            words = width * 32,
            number_bits = width.trailing_zeros(),
            number_top = width.trailing_zeros() - 1,
            restart = of_phase(LANES, "        if (i == 7)\n            later = 1'b0;\n", ""),
            goes = of_phase(LANES, "odd ? accesses[15:8] : accesses[7:0]", "accesses"),
            place = of_phase(
                LANES,
                "odd ? addresses[(i + 8) * 16 +: 16] : addresses[i * 16 +: 16]",
                "addresses[i * 16 +: 16]"
            ),
            data = of_phase(
                LANES,
                "odd ? datas[(i + 8) * 32 +: 32] : datas[i * 32 +: 32]",
                "datas[i * 32 +: 32]"
            ),
        );
        text.push_str(&spread("row", "rows", 16, 8));
        text.push_str(&spread("bytes", "enables", 16, 4));
        text.push_str(&spread("word", "words", 16, 32));
        text
    }
}

/// In Verilog: `phases`, which selects between the phases, with 8 lanes; else `all`, for all threads.
fn of_phase<'a>(lanes: usize, phases: &'a str, all: &'a str) -> &'a str {
    match lanes {
        8 => phases,
        _ => all,
    }
}
