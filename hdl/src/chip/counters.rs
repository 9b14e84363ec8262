//! The counters that the host reads after a run: the grid's cycles, and for each SM where its cycles went and what it
//! did. What each counter means exactly, and how a cycle with several causes is counted, is in `docs/counters.md`.
//!
//! ```text
//! launch_start ──> cleared; counted from this cycle on, up to the one before grid_done
//! cause ──> account, a cycle later: one place, + 1         counted ──> events, a cycle later: + what the cycle brought
//! counter_read, counter_index ──> counter_word, same cycle; 0 when not read
//! ```
//! | block | counts |
//! |---|---|
//! | [`CycleCounter`] | the grid's cycles |
//! | [`IssueAccount`], of each SM | what its cycles went to, in a [`CountingMemory`] |
//! | [`EventCounters`], of each SM | all else |
//!
//! They are separate from the host interface and from each other because some change in every cycle and others hardly
//! ever: in hardware this keeps the paths to the adders short, in simulation it lets blocks sleep.

use hdlkit::prelude::*;

/// What an SM did in a cycle, or why no instruction issued in it: the first cause that applies. The order is that of
/// the host's map.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum IssueCause {
    /// An instruction issued.
    Issued,
    /// The previous instruction still takes its beats.
    ReadSlot,
    /// A gap for results from outside the pipeline, or the PCs' write port serves a launch or a jump.
    WritePort,
    /// The candidate waits for results.
    Scoreboard,
    /// The memory unit's queue is full.
    MemoryQueue,
    /// The special function units' queue is full.
    SpecialFunction,
    /// The operand collector gives an instruction to the read stage, has no room, or holds the warps.
    Collector,
    /// The branch unit has not resolved where warps continue, or is busy.
    Branch,
    /// Warps wait at barriers, or the barrier unit is busy.
    Barrier,
    /// The next instruction is still being fetched, chosen or decoded.
    Fetch,
    /// No warp is running, or none may issue any more.
    NoWarp,
}

/// The events on an SM in a cycle.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Counted {
    /// Threads that execute an instruction.
    pub executed: Bits<32>,
    /// The memory takes a request.
    pub transaction: Bit,
    /// A branch splits a warp.
    pub divergence: Bit,
    /// A warp starts to wait at a barrier.
    pub barrier_wait: Bit,
    /// Some warp waits at a barrier.
    pub at_barrier: Bit,
    /// An access takes an extra cycle because of another one in its bank.
    pub bank_conflict: Bit,
}

/// The cycles of a grid: n if `grid_done` comes n cycles after `launch_start`. 64 bits.
#[derive(LogicBlock, Cycle, Blank)]
pub struct CycleCounter {
    pub clock: Signal<In, Clock>,
    /// One cycle, the first one of a grid.
    pub launch_start: Signal<In, Bit>,
    /// One cycle, the last one of the grid.
    pub grid_done: Signal<In, Bit>,
    /// The host reads this counter.
    pub counter_read: Signal<In, Bit>,
    /// Select the high word.
    pub counter_high: Signal<In, Bit>,
    pub counter_word: Signal<Out, Bits<32>>,
    running: DFF<Bit>,
    cycles: DFF<Bits<64>>,
    _activity: Activity,
}

impl Logic for CycleCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, running, cycles);
        if self.running.q.val() && !self.grid_done.val() {
            self.cycles.d.next = self.cycles.q.val() + 1;
        }
        if self.grid_done.val() {
            self.running.d.next = false;
        } else if self.launch_start.val() {
            self.running.d.next = true;
            self.cycles.d.next = 1.into();
        }
        self.counter_word.next = 0.into();
        if self.counter_read.val() {
            self.counter_word.next = self.cycles.q.val().get_bits::<32>(0);
            if self.counter_high.val() {
                self.counter_word.next = self.cycles.q.val().get_bits::<32>(32);
            }
        }
    }
}

/// Sixteen counters of 64 bits; one counts up per cycle: a memory with one adder. A counter that has not counted since
/// `clear` reads as 0, so nothing has to be erased.
///
/// ```text
/// cycle       t                                     t+1
/// clear       all are 0; `count` comes after it
/// count       `place`                               has one more
/// read        `read_place`: value in the same cycle; 0 when not read
/// ```
/// The counter is chosen by an index, and a kernel would run in every cycle; so this is a Rust array, and the same in
/// Verilog.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
#[leaf(follows(read, read_place))]
pub struct CountingMemory {
    pub clock: Signal<In, Clock>,
    pub clear: Signal<In, Bit>,
    pub count: Signal<In, Bit>,
    pub place: Signal<In, Bits<4>>,
    pub read: Signal<In, Bit>,
    pub read_place: Signal<In, Bits<4>>,
    pub value: Signal<Out, Bits<64>>,
    _counts: [u64; 16],
    _stale: Stale,
}

impl Leaf for CountingMemory {
    fn edge(&mut self) -> bool {
        if self.clear.val() {
            self._counts = [0; 16];
        }
        if self.count.val() {
            let count = &mut self._counts[self.place.val().index()];
            *count = count.wrapping_add(1);
        }
        self.clear.val() || self.count.val()
    }
    fn follow(&mut self) {
        let count = self._counts[self.read_place.val().index()];
        self.value.next = Bits::new(if self.read.val() { count } else { 0 });
    }
    fn verilog(&self) -> String {
        "\
(* ram_style = \"distributed\" *)
reg [63:0] counts [0:15];
reg [15:0] live;
integer i;
initial begin
    for (i = 0; i < 16; i = i + 1)
        counts[i] = 64'd0;
    live = 16'd0;
end
wire [63:0] count_so_far;
assign count_so_far = (live[place] && !clear) ? counts[place] : 64'd0;
always @(posedge clock) begin
    if (clear)
        live <= 16'd0;
    if (count) begin
        counts[place] <= count_so_far + 64'd1;
        live[place] <= 1'b1;
    end
end
assign value = (read && live[read_place]) ? counts[read_place] : 64'd0;
"
        .into()
    }
}

/// Where an SM's cycles went: counters 0 to 10 of [`SmCounter`](flexgrip_machine::host_map::SmCounter). They add up to
/// the grid's cycles.
#[derive(LogicBlock, Cycle, Blank)]
pub struct IssueAccount {
    pub clock: Signal<In, Clock>,
    /// One cycle, the first one of a grid. It counts as a cycle without a warp, whatever the last grid has left.
    pub launch_start: Signal<In, Bit>,
    /// One cycle, the last one of the grid.
    pub grid_done: Signal<In, Bit>,
    /// Where the previous cycle went.
    pub cause: Signal<In, IssueCause>,
    /// The host reads a counter of this SM.
    pub counter_read: Signal<In, Bit>,
    /// Word index: twice the counter's number, plus one for the high word.
    pub counter_index: Signal<In, Bits<6>>,
    /// 0 for the counters that are not here.
    pub counter_word: Signal<Out, Bits<32>>,
    running: DFF<Bit>,
    /// Whether the last cycle belonged to the grid, and whether it was the first.
    counting: DFF<Bit>,
    first: DFF<Bit>,
    account: CountingMemory,
    place: Signal<Local, Bits<4>>,
    value: Signal<Local, Bits<64>>,
    _activity: Activity,
}

impl Logic for IssueAccount {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, running, counting, first);
        clock!(self, clock, account);
        if self.grid_done.val() {
            self.running.d.next = false;
        } else if self.launch_start.val() {
            self.running.d.next = true;
        }
        self.counting.d.next = self.launch_start.val() || (self.running.q.val() && !self.grid_done.val());
        self.first.d.next = self.launch_start.val();
        match self.cause.val() {
            IssueCause::Issued => self.place.next = 0.into(),
            IssueCause::ReadSlot => self.place.next = 1.into(),
            IssueCause::WritePort => self.place.next = 2.into(),
            IssueCause::Scoreboard => self.place.next = 3.into(),
            IssueCause::MemoryQueue => self.place.next = 4.into(),
            IssueCause::SpecialFunction => self.place.next = 5.into(),
            IssueCause::Collector => self.place.next = 6.into(),
            IssueCause::Branch => self.place.next = 7.into(),
            IssueCause::Barrier => self.place.next = 8.into(),
            IssueCause::Fetch => self.place.next = 9.into(),
            _ => self.place.next = 10.into(),
        }
        if self.first.q.val() {
            self.place.next = 10.into();
        }
        self.account.clear.next = self.first.q.val();
        self.account.count.next = self.counting.q.val();
        self.account.place.next = self.place.val();
        self.account.read.next = self.counter_read.val() && !self.counter_index.val().get_bit(5);
        self.account.read_place.next = self.counter_index.val().get_bits::<4>(1);
        self.value.next = self.account.value.val();
        self.counter_word.next = self.value.val().get_bits::<32>(0);
        if self.counter_index.val().get_bit(0) {
            self.counter_word.next = self.value.val().get_bits::<32>(32);
        }
    }
}

/// The events on an SM: counters 11 to 16 of [`SmCounter`](flexgrip_machine::host_map::SmCounter), 64 bits each.
#[derive(LogicBlock, Cycle, Blank)]
pub struct EventCounters {
    pub clock: Signal<In, Clock>,
    /// One cycle, the first one of a grid.
    pub launch_start: Signal<In, Bit>,
    /// One cycle, the last one of the grid.
    pub grid_done: Signal<In, Bit>,
    /// What happens in this cycle.
    pub counted: Signal<In, Counted>,
    /// The host reads a counter of this SM.
    pub counter_read: Signal<In, Bit>,
    /// Word index: twice the counter's number, plus one for the high word.
    pub counter_index: Signal<In, Bits<6>>,
    /// 0 for the counters that are not here.
    pub counter_word: Signal<Out, Bits<32>>,
    running: DFF<Bit>,
    /// The events of the last cycle, and whether it belonged to the grid. Registered because they arrive over long
    /// paths.
    last: DFF<Counted>,
    counting: DFF<Bit>,
    threads: DFF<Bits<64>>,
    transactions: DFF<Bits<64>>,
    divergences: DFF<Bits<64>>,
    barrier_waits: DFF<Bits<64>>,
    barrier_cycles: DFF<Bits<64>>,
    bank_conflicts: DFF<Bits<64>>,
    now: Signal<Local, Counted>,
    pairs: Signal<Local, Bits<32>>,
    nibbles: Signal<Local, Bits<32>>,
    upper: Signal<Local, Bits<32>>,
    more_threads: Signal<Local, Bits<64>>,
    number: Signal<Local, Bits<5>>,
    value: Signal<Local, Bits<64>>,
    _activity: Activity,
}

impl Logic for EventCounters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            running,
            last,
            counting,
            threads,
            transactions,
            divergences,
            barrier_waits,
            barrier_cycles,
            bank_conflicts
        );
        self.last.d.next = self.counted.val();
        self.counting.d.next = self.running.q.val() && !self.grid_done.val();
        self.now.next = self.last.q.val();
        // The threads: bits counted pairwise.
        self.upper.next = self.now.val().executed >> 1;
        self.upper.next = self.upper.val() & 0x55555555_u64;
        self.pairs.next = self.now.val().executed - self.upper.val();
        self.upper.next = self.pairs.val() >> 2;
        self.upper.next = self.upper.val() & 0x33333333_u64;
        self.nibbles.next = self.pairs.val() & 0x33333333_u64;
        self.nibbles.next = self.nibbles.val() + self.upper.val();
        self.upper.next = self.nibbles.val() >> 4;
        self.upper.next = self.nibbles.val() + self.upper.val();
        self.nibbles.next = self.upper.val() & 0x0f0f0f0f_u64;
        self.upper.next = self.nibbles.val() >> 8;
        self.nibbles.next = self.nibbles.val() + self.upper.val();
        self.upper.next = self.nibbles.val() >> 16;
        self.nibbles.next = self.nibbles.val() + self.upper.val();
        self.more_threads.next = bit_cast::<64, 6>(self.nibbles.val().get_bits::<6>(0));
        if self.counting.q.val() {
            if self.now.val().executed.any() {
                self.threads.d.next = self.threads.q.val() + self.more_threads.val();
            }
            if self.now.val().transaction {
                self.transactions.d.next = self.transactions.q.val() + 1;
            }
            if self.now.val().divergence {
                self.divergences.d.next = self.divergences.q.val() + 1;
            }
            if self.now.val().barrier_wait {
                self.barrier_waits.d.next = self.barrier_waits.q.val() + 1;
            }
            if self.now.val().at_barrier {
                self.barrier_cycles.d.next = self.barrier_cycles.q.val() + 1;
            }
            if self.now.val().bank_conflict {
                self.bank_conflicts.d.next = self.bank_conflicts.q.val() + 1;
            }
        }
        if self.grid_done.val() {
            self.running.d.next = false;
        } else if self.launch_start.val() {
            self.running.d.next = true;
            self.threads.d.next = 0.into();
            self.transactions.d.next = 0.into();
            self.divergences.d.next = 0.into();
            self.barrier_waits.d.next = 0.into();
            self.barrier_cycles.d.next = 0.into();
            self.bank_conflicts.d.next = 0.into();
        }

        self.number.next = self.counter_index.val().get_bits::<5>(1);
        self.value.next = 0.into();
        if self.counter_read.val() {
            match self.number.val().index() {
                11 => self.value.next = self.threads.q.val(),
                12 => self.value.next = self.transactions.q.val(),
                13 => self.value.next = self.divergences.q.val(),
                14 => self.value.next = self.barrier_waits.q.val(),
                15 => self.value.next = self.barrier_cycles.q.val(),
                16 => self.value.next = self.bank_conflicts.q.val(),
                _ => {}
            }
        }
        self.counter_word.next = self.value.val().get_bits::<32>(0);
        if self.counter_index.val().get_bit(0) {
            self.counter_word.next = self.value.val().get_bits::<32>(32);
        }
    }
}
