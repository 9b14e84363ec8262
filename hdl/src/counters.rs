//! The counters that the host reads after a run: the grid's cycles, and of each SM what they went to and what it did.
//! What each means exactly, and what a cycle counts as when several causes hold, is in `docs/counters.md`.
//!
//! ```text
//! launch_start ──> cleared; counted from this cycle on, up to the one before grid_done
//! counted ──> account: one place a cycle, + 1;  others: + what the cycle brought
//! counter_read, counter_index ──> counter_word, same cycle; 0 while nobody reads
//! ```
//! They are apart from the host interface because they change in every cycle and the interface hardly ever does: in
//! hardware that is a short path to the adders, in simulation a block that sleeps.
//!
//! The account of an SM is a memory with one adder, since every cycle adds to one place. A place that has not been written
//! since the start reads as 0, so nothing has to be cleared.

use hdlkit::prelude::*;

/// What an SM did in a cycle, or why no instruction issued in it; the first that applies. The order is that of the host's
/// map.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum IssueCause {
    /// An instruction issued.
    Issued,
    /// The instruction before still takes its beats.
    ReadSlot,
    /// A gap for results of others than the pipeline, or the PCs' write port serves a launch or a jump.
    WritePort,
    /// The candidate waits for results.
    Scoreboard,
    /// The memory unit's queue is full.
    MemoryQueue,
    /// The branch unit has not said yet how warps go on, or is busy.
    Branch,
    /// Warps wait at barriers, or the barrier unit is busy.
    Barrier,
    /// The next instruction is still being fetched, chosen or decoded.
    Fetch,
    /// No warp has begun and not ended, or none may issue any more.
    NoWarp,
}

/// What an SM tells its counters in a cycle.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Counted {
    pub cause: IssueCause,
    /// Threads that execute an instruction, 0 to 32.
    pub threads: Bits<6>,
    /// The memory takes a request.
    pub transaction: Bit,
    /// A branch splits a warp.
    pub divergence: Bit,
    /// A warp comes to wait at a barrier.
    pub barrier_wait: Bit,
    /// Some warp waits at a barrier.
    pub at_barrier: Bit,
    /// An access takes a cycle more, for another one in its bank.
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
    /// The high word.
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

/// The counters of an SM, 64 bits each, in the order of [`SmCounter`](crate::host_map::SmCounter).
#[derive(LogicBlock, Cycle, Blank)]
pub struct SmCounters {
    pub clock: Signal<In, Clock>,
    /// One cycle, the first one of a grid.
    pub launch_start: Signal<In, Bit>,
    /// One cycle, the last one of the grid.
    pub grid_done: Signal<In, Bit>,
    /// What happens in this cycle.
    pub counted: Signal<In, Counted>,
    /// The host reads a counter.
    pub counter_read: Signal<In, Bit>,
    /// Which word: twice the counter's number, and one more for the high word.
    pub counter_index: Signal<In, Bits<5>>,
    pub counter_word: Signal<Out, Bits<32>>,
    running: DFF<Bit>,
    account: LutRam2R<4, Bits<64>>,
    /// Places of the account that have been written since the start.
    live: DFF<Bits<16>>,
    threads: DFF<Bits<64>>,
    transactions: DFF<Bits<64>>,
    divergences: DFF<Bits<64>>,
    barrier_waits: DFF<Bits<64>>,
    barrier_cycles: DFF<Bits<64>>,
    bank_conflicts: DFF<Bits<64>>,

    one: Constant<Bits<16>>,
    now: Signal<Local, Counted>,
    counting: Signal<Local, Bit>,
    place: Signal<Local, Bits<4>>,
    place_bit: Signal<Local, Bits<16>>,
    is_live: Signal<Local, Bits<16>>,
    count: Signal<Local, Bits<64>>,
    more_threads: Signal<Local, Bits<64>>,
    number: Signal<Local, Bits<4>>,
    number_bit: Signal<Local, Bits<16>>,
    number_live: Signal<Local, Bits<16>>,
    value: Signal<Local, Bits<64>>,
    _activity: Activity,
}

impl SmCounters {
    /// Counters that have counted nothing.
    pub fn new() -> Self {
        SmCounters {
            one: Constant::new(1.into()),
            ..Default::default()
        }
    }
}

impl Logic for SmCounters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            running,
            live,
            threads,
            transactions,
            divergences,
            barrier_waits,
            barrier_cycles,
            bank_conflicts
        );
        clock!(self, clock, account);
        self.now.next = self.counted.val();
        self.counting.next = self.running.q.val() && !self.grid_done.val();

        // The account.
        match self.now.val().cause {
            IssueCause::Issued => self.place.next = 0.into(),
            IssueCause::ReadSlot => self.place.next = 1.into(),
            IssueCause::WritePort => self.place.next = 2.into(),
            IssueCause::Scoreboard => self.place.next = 3.into(),
            IssueCause::MemoryQueue => self.place.next = 4.into(),
            IssueCause::Branch => self.place.next = 5.into(),
            IssueCause::Barrier => self.place.next = 6.into(),
            IssueCause::Fetch => self.place.next = 7.into(),
            _ => self.place.next = 8.into(),
        }
        // In the first cycle, what the last grid has left counts for nothing.
        if self.launch_start.val() {
            self.place.next = 8.into();
        }
        self.place_bit.next = self.one.val() << self.place.val();
        self.account.read_address_1.next = self.place.val();
        self.is_live.next = self.live.q.val() & self.place_bit.val();
        self.count.next = 1.into();
        if self.is_live.val().any() && !self.launch_start.val() {
            self.count.next = self.account.read_data_1.val() + 1;
        }
        self.account.write_address.next = self.place.val();
        self.account.write_data.next = self.count.val();
        self.account.write_enable.next = self.counting.val() || self.launch_start.val();

        // What else the cycle brought.
        self.more_threads.next = bit_cast::<64, 6>(self.now.val().threads);
        if self.counting.val() {
            self.live.d.next = self.live.q.val() | self.place_bit.val();
            if self.now.val().threads != 0 {
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
            self.live.d.next = self.place_bit.val();
            self.threads.d.next = 0.into();
            self.transactions.d.next = 0.into();
            self.divergences.d.next = 0.into();
            self.barrier_waits.d.next = 0.into();
            self.barrier_cycles.d.next = 0.into();
            self.bank_conflicts.d.next = 0.into();
        }

        // Reading.
        self.number.next = self.counter_index.val().get_bits::<4>(1);
        self.number_bit.next = self.one.val() << self.number.val();
        self.number_live.next = self.live.q.val() & self.number_bit.val();
        self.account.read_address_2.next = self.number.val();
        self.value.next = 0.into();
        self.counter_word.next = 0.into();
        if self.counter_read.val() {
            if self.number_live.val().any() {
                self.value.next = self.account.read_data_2.val();
            }
            match self.number.val().index() {
                9 => self.value.next = self.threads.q.val(),
                10 => self.value.next = self.transactions.q.val(),
                11 => self.value.next = self.divergences.q.val(),
                12 => self.value.next = self.barrier_waits.q.val(),
                13 => self.value.next = self.barrier_cycles.q.val(),
                14 => self.value.next = self.bank_conflicts.q.val(),
                _ => {}
            }
            self.counter_word.next = self.value.val().get_bits::<32>(0);
            if self.counter_index.val().get_bit(0) {
                self.counter_word.next = self.value.val().get_bits::<32>(32);
            }
        }
    }
}
