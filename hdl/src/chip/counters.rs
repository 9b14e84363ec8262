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

/// The low or the high word of a counter.
#[hdl_fn]
fn word_of(counter: Bits<64>, high: Bit) -> Bits<32> {
    if high {
        counter.bits::<32>(32)
    } else {
        counter.low::<32>()
    }
}

/// The cycles of a grid: n if `grid_done` comes n cycles after `launch_start`. 64 bits.
#[circuit]
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
}

impl Logic for CycleCounter {
    #[hdl_gen]
    fn update(&mut self) {
        if self.grid_done.val() {
            self.running.d.next = false;
        } else if self.launch_start.val() {
            self.running.d.next = true;
            self.cycles.d.next = 1.into();
        } else if self.running.q.val() {
            self.cycles.d.next = self.cycles.q.val() + 1;
        }
        let word = word_of(self.cycles.q.val(), self.counter_high.val());
        self.counter_word.next = mask(self.counter_read.val(), word);
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
#[circuit]
pub struct CountingMemory {
    pub clock: Signal<In, Clock>,
    pub clear: Signal<In, Bit>,
    pub count: Signal<In, Bit>,
    pub place: Signal<In, Bits<4>>,
    pub read: Signal<In, Bit>,
    pub read_place: Signal<In, Bits<4>>,
    pub value: Signal<Out, Bits<64>>,

    counts: LutRam2R<4, Bits<64>>,
    /// The counters that have counted since `clear`.
    live: DFF<Bits<16>>,
}

impl Logic for CountingMemory {
    #[hdl_gen]
    fn update(&mut self) {
        let place = self.place.val();
        let live = mask(!self.clear.val(), self.live.q.val());
        self.counts.read_address_1.next = place;
        self.counts.write_enable.next = self.count.val();
        self.counts.write_address.next = place;
        self.counts.write_data.next = mask(live.get_bit(place.index()), self.counts.read_data_1.val()) + 1;
        self.live.d.next = live | mask(self.count.val(), place.one_hot::<16>());

        let read_place = self.read_place.val();
        self.counts.read_address_2.next = read_place;
        let reads = self.read.val() && self.live.q.val().get_bit(read_place.index());
        self.value.next = mask(reads, self.counts.read_data_2.val());
    }
}

/// Where an SM's cycles went: counters 0 to 10 of [`SmCounter`](flexgrip_machine::host_map::SmCounter). They add up to
/// the grid's cycles.
#[circuit]
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
}

impl Logic for IssueAccount {
    #[hdl_gen]
    fn update(&mut self) {
        if self.grid_done.val() {
            self.running.d.next = false;
        } else if self.launch_start.val() {
            self.running.d.next = true;
        }
        self.counting.d.next = self.launch_start.val() || (self.running.q.val() && !self.grid_done.val());
        self.first.d.next = self.launch_start.val();

        let cause = if self.first.q.val() { IssueCause::NoWarp } else { self.cause.val() };
        self.account.clear.next = self.first.q.val();
        self.account.count.next = self.counting.q.val();
        self.account.place.next = match cause {
            IssueCause::Issued => bits::<4>(0),
            IssueCause::ReadSlot => bits(1),
            IssueCause::WritePort => bits(2),
            IssueCause::Scoreboard => bits(3),
            IssueCause::MemoryQueue => bits(4),
            IssueCause::SpecialFunction => bits(5),
            IssueCause::Collector => bits(6),
            IssueCause::Branch => bits(7),
            IssueCause::Barrier => bits(8),
            IssueCause::Fetch => bits(9),
            _ => bits(10),
        };

        let index = self.counter_index.val();
        self.account.read.next = self.counter_read.val() && !index.get_bit(5);
        self.account.read_place.next = index.bits::<4>(1);
        self.counter_word.next = word_of(self.account.value.val(), index.get_bit(0));
    }
}

/// The events on an SM: counters 11 to 16 of [`SmCounter`](flexgrip_machine::host_map::SmCounter), 64 bits each.
#[circuit]
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
}

impl Logic for EventCounters {
    #[hdl_gen]
    fn update(&mut self) {
        self.last.d.next = self.counted.val();
        self.counting.d.next = self.running.q.val() && !self.grid_done.val();
        let counted = self.last.q.val();
        let threads = counted.executed.population_count::<6>();
        if self.grid_done.val() {
            self.running.d.next = false;
        } else if self.launch_start.val() {
            self.running.d.next = true;
        }
        if self.launch_start.val() && !self.grid_done.val() {
            self.threads.d.next = 0.into();
            self.transactions.d.next = 0.into();
            self.divergences.d.next = 0.into();
            self.barrier_waits.d.next = 0.into();
            self.barrier_cycles.d.next = 0.into();
            self.bank_conflicts.d.next = 0.into();
        } else if self.counting.q.val() {
            if counted.executed.any() {
                self.threads.d.next = self.threads.q.val() + threads.resize::<64>();
            }
            if counted.transaction {
                self.transactions.d.next = self.transactions.q.val() + 1;
            }
            if counted.divergence {
                self.divergences.d.next = self.divergences.q.val() + 1;
            }
            if counted.barrier_wait {
                self.barrier_waits.d.next = self.barrier_waits.q.val() + 1;
            }
            if counted.at_barrier {
                self.barrier_cycles.d.next = self.barrier_cycles.q.val() + 1;
            }
            if counted.bank_conflict {
                self.bank_conflicts.d.next = self.bank_conflicts.q.val() + 1;
            }
        }

        let index = self.counter_index.val();
        let counter = match index.bits::<5>(1).index() {
            11 => self.threads.q.val(),
            12 => self.transactions.q.val(),
            13 => self.divergences.q.val(),
            14 => self.barrier_waits.q.val(),
            15 => self.barrier_cycles.q.val(),
            16 => self.bank_conflicts.q.val(),
            _ => bits::<64>(0),
        };
        self.counter_word.next = mask(self.counter_read.val(), word_of(counter, index.get_bit(0)));
    }
}
