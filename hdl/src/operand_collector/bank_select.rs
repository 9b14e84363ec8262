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
pub struct BankSelect {
    /// Threads that wait.
    pub pending: Signal<In, Bits<16>>,
    /// Threads of this phase of the step: the data path serves these only.
    pub phase: Signal<In, Bits<16>>,
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
    /// Banks that are accessed in this phase (not for constant memory), their rows, and what a store writes.
    pub banks: Signal<Out, Bits<16>>,
    pub row: [Signal<Out, Bits<8>>; 16],
    pub bytes: [Signal<Out, Bits<4>>; 16],
    pub word: [Signal<Out, Bits<32>>; 16],
    /// Something changed since the last evaluation.
    _stale: bool,
}

impl Blank for BankSelect {
    fn blank() -> Self {
        BankSelect {
            pending: Blank::blank(),
            phase: Blank::blank(),
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

impl Logic for BankSelect {
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
        let access = served & self.phase.val().raw();
        let size = self.access.val().raw();
        let base = self.base.val().raw();
        let mut banks = 0;
        let mut lane_of = [0; 16];
        for i in (0..16).filter(|i| access >> i & 1 == 1) {
            banks |= 1 << bank(i);
            lane_of[bank(i)] = i;
        }
        for (b, &lane) in lane_of.iter().enumerate() {
            let (address, data) = (address[lane], self.data[lane].val().raw());
            let (bytes, word) = match size {
                0 => (1 << (address & 3), (data & 0xff) * 0x0101_0101),
                1 | 2 => (if address & 2 != 0 { 12 } else { 3 }, (data & 0xffff) * 0x0001_0001),
                _ => (15, data),
            };
            self.row[b].next = ((base + (address >> 6)) & 0xff).into();
            self.bytes[b].next = bytes.into();
            self.word[b].next = word.into();
        }
        self.served.next = served.into();
        self.leader.next = address[lowest].into();
        self.banks.next = if constant { 0 } else { banks }.into();
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
        let mut text = format!(
            "\
wire [255:0] addresses;
assign addresses = {addresses};
wire [511:0] datas;
assign datas = {datas};
integer i;
integer b;
reg [3:0] lowest;
reg [15:0] lead;
reg [15:0] taken;
reg [15:0] chosen;
reg [15:0] used;
reg [3:0] lane;
reg [127:0] rows;
reg [63:0] enables;
reg [511:0] words;
// Who is served.
always @(*) begin
    lowest = 4'd0;
    for (i = 15; i >= 0; i = i - 1)
        if (pending[i])
            lowest = i[3:0];
    lead = addresses[lowest * 16 +: 16];
    taken = constant ? 16'hffff : 16'd1 << lead[5:2];
    chosen = 16'd0;
    for (i = 0; i < 16; i = i + 1)
        if (pending[i]) begin
            if ((addresses[i * 16 + 2 +: 14] == lead[15:2] && (!store || addresses[i * 16 +: 2] == lead[1:0]))
                    || !taken[addresses[i * 16 + 2 +: 4]])
                chosen[i] = 1'b1;
            taken[addresses[i * 16 + 2 +: 4]] = 1'b1;
        end
end
// What each bank does: the highest thread's access.
always @(*) begin
    used = 16'd0;
    lane = 4'd0;
    for (b = 0; b < 16; b = b + 1) begin
        lane = 4'd0;
        for (i = 0; i < 16; i = i + 1)
            if (chosen[i] && phase[i] && addresses[i * 16 + 2 +: 4] == b[3:0]) begin
                lane = i[3:0];
                used[b] = !constant;
            end
        rows[b * 8 +: 8] = base + addresses[lane * 16 + 6 +: 8];
        case (access)
            2'd0: begin
                enables[b * 4 +: 4] = 4'd1 << addresses[lane * 16 +: 2];
                words[b * 32 +: 32] = {{4{{datas[lane * 32 +: 8]}}}};
            end
            2'd3: begin
                enables[b * 4 +: 4] = 4'd15;
                words[b * 32 +: 32] = datas[lane * 32 +: 32];
            end
            default: begin
                enables[b * 4 +: 4] = addresses[lane * 16 + 1] ? 4'd12 : 4'd3;
                words[b * 32 +: 32] = {{2{{datas[lane * 32 +: 16]}}}};
            end
        endcase
    end
end
assign served = chosen;
assign leader = lead;
assign banks = used;
",
            addresses = concatenation("address", 16),
            datas = concatenation("data", 16),
        );
        text.push_str(&spread("row", "rows", 16, 8));
        text.push_str(&spread("bytes", "enables", 16, 4));
        text.push_str(&spread("word", "words", 16, 32));
        Verilog::Custom(text)
    }
}

impl Cycle for BankSelect {
    fn settle(&mut self) -> bool {
        let changed = self.pending.commit_in()
            | self.phase.commit_in()
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
