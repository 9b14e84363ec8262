//! The performance counters that the host reads after a run: the grid's cycles, and for each SM the causes of its
//! cycles and its events. `docs/counters.md` defines each counter, and how a cycle with several causes is counted.
//!
//! ```text
//! grid.start ──> cleared; counted from this cycle onward, up to the one before grid.done
//! cause ──> account, a cycle later: one counter + 1        counted ──> events, a cycle later: + the cycle's events
//! counter ──> counter_word, same cycle; 0 when not read
//! ```
//! | block | counts |
//! |---|---|
//! | [`CycleCounter`] | the grid's cycles |
//! | [`IssueAccount`], of each SM | its cycles by cause |
//! | [`EventCounters`], of each SM | its events |
//!
//! They are separate from the host interface and from each other, because some change in every cycle and others rarely:
//! this keeps the paths to the adders short in hardware, and lets blocks sleep in simulation.

use crate::bundles::{Counted, IssueCause};
use crate::count::up_down;
use hdlkit::prelude::*;

/// High in a grid's first cycle; in its last.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct GridPulses {
    pub start: Bit,
    pub done: Bit,
}

/// A read of a counter's word by the host.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CounterRead {
    pub valid: Bit,
    /// An SM's counter, else CYCLES.
    pub of_sm: Bit,
    pub sm: Bits<3>,
    /// The word's index: twice the number of the SM's counter, plus one for the high word; for CYCLES, odd for the low
    /// word and even for the high word.
    pub index: Bits<6>,
}

/// True if a grid runs in the next cycle.
#[hdl_fn]
fn still_running(running: Bit, grid: GridPulses) -> Bit {
    (running || grid.start) && !grid.done
}

/// Returns the low or the high word of a counter.
#[hdl_fn]
fn word_of(counter: Bits<64>, high: Bit) -> Bits<32> {
    let shifted = if high { counter >> 32u64 } else { counter };
    shifted.low::<32>()
}

/// Counts the cycles of a grid: n if it is done n cycles after its start. 64 bits.
#[circuit]
pub struct CycleCounter {
    pub clock: Signal<In, Clock>,
    pub grid: Signal<In, GridPulses>,
    pub counter: Signal<In, CounterRead>,
    pub counter_word: Signal<Out, Bits<32>>,

    running: DFF<Bit>,
    cycles: DFF<Bits<64>>,
}

impl Logic for CycleCounter {
    #[hdl_gen]
    fn update(&mut self) {
        let grid = self.grid.val();
        let cycles = self.cycles.q.val();
        let running = self.running.q.val();
        self.running.d.next = still_running(running, grid);
        if grid.start && !grid.done {
            self.cycles.d.next = 1.into();
        } else if running && !grid.done {
            self.cycles.d.next = cycles + 1;
        }
        let counter = self.counter.val();
        self.counter_word.next = mask(counter.valid && !counter.of_sm, word_of(cycles, !counter.index.get_bit(0)));
    }
}

/// Counts an SM's cycles by cause: counters 0 to 10 of [`SmCounter`](flexgrip_machine::host_map::SmCounter). They add
/// up to the grid's cycles. Only one of them counts in a cycle, so a memory and one adder are enough.
#[circuit]
pub struct IssueAccount {
    pub clock: Signal<In, Clock>,
    pub grid: Signal<In, GridPulses>,
    /// Cause of the previous cycle. A grid's first cycle always counts as `no_warp`, because the cause may still belong
    /// to the previous grid.
    pub cause: Signal<In, IssueCause>,
    /// A read of a counter of this SM.
    pub counter: Signal<In, CounterRead>,
    /// The counter's word; 0 for the counters that are not here.
    pub counter_word: Signal<Out, Bits<32>>,

    running: DFF<Bit>,
    /// The last cycle belonged to the grid; it was the grid's first.
    counting: DFF<Bit>,
    first: DFF<Bit>,
    counts: LutRam2R<4, Bits<64>>,
    /// Counters that have counted since the start. The others read as 0, so the memory need not be cleared.
    live: DFF<Bits<16>>,
}

impl Logic for IssueAccount {
    #[hdl_gen]
    fn update(&mut self) {
        let grid = self.grid.val();
        let running = self.running.q.val();
        self.running.d.next = still_running(running, grid);
        self.counting.d.next = grid.start || (running && !grid.done);
        self.first.d.next = grid.start;

        let first = self.first.q.val();
        let cause = if first { IssueCause::NoWarp } else { self.cause.val() };
        let place = match cause {
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
        let live = mask(!first, self.live.q.val());
        let count = mask(live.get_bit(place.index()), self.counts.read_1(place));
        self.counts.write(self.counting.q.val(), place, count + 1);
        self.live.d.next = live | mask(self.counting.q.val(), place.one_hot::<16>());

        let counter = self.counter.val();
        let number = counter.index.bits::<4>(1);
        let reads = counter.valid && !counter.index.get_bit(5) && self.live.q.val().get_bit(number.index());
        self.counter_word.next = mask(reads, word_of(self.counts.read_2(number), counter.index.get_bit(0)));
    }
}

/// Number of occurrences of each event.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct EventCounts {
    pub threads: Bits<64>,
    pub transactions: Bits<64>,
    pub divergences: Bits<64>,
    pub barrier_waits: Bits<64>,
    pub barrier_cycles: Bits<64>,
    pub bank_conflicts: Bits<64>,
}

/// Counts the events on an SM: counters 11 to 16 of [`SmCounter`](flexgrip_machine::host_map::SmCounter), 64 bits each.
#[circuit]
pub struct EventCounters {
    pub clock: Signal<In, Clock>,
    pub grid: Signal<In, GridPulses>,
    /// The events of this cycle.
    pub counted: Signal<In, Counted>,
    /// A read of a counter of this SM.
    pub counter: Signal<In, CounterRead>,
    /// The counter's word; 0 for the counters that are not here.
    pub counter_word: Signal<Out, Bits<32>>,

    running: DFF<Bit>,
    /// The events of the last cycle; it belonged to the grid. Registered because they arrive over long paths.
    last: DFF<Counted>,
    counting: DFF<Bit>,
    counts: DFF<EventCounts>,
}

impl Logic for EventCounters {
    #[hdl_gen]
    fn update(&mut self) {
        let grid = self.grid.val();
        let running = self.running.q.val();
        self.running.d.next = still_running(running, grid);
        self.last.d.next = self.counted.val();
        self.counting.d.next = running && !grid.done;
        let last = self.last.q.val();
        let counts = self.counts.q.val();
        if grid.start && !grid.done {
            self.counts.d.next = EventCounts::default();
        } else if self.counting.q.val() {
            self.counts.d.next = EventCounts {
                threads: counts.threads + last.executed.population_count::<6>().resize::<64>(),
                transactions: up_down::<64>(counts.transactions, last.transaction, false),
                divergences: up_down::<64>(counts.divergences, last.divergence, false),
                barrier_waits: up_down::<64>(counts.barrier_waits, last.barrier_wait, false),
                barrier_cycles: up_down::<64>(counts.barrier_cycles, last.at_barrier, false),
                bank_conflicts: up_down::<64>(counts.bank_conflicts, last.bank_conflict, false),
            };
        }

        let counter = self.counter.val();
        let count = match counter.index.bits::<5>(1).index() {
            11 => counts.threads,
            12 => counts.transactions,
            13 => counts.divergences,
            14 => counts.barrier_waits,
            15 => counts.barrier_cycles,
            16 => counts.bank_conflicts,
            _ => bits::<64>(0),
        };
        self.counter_word.next = mask(counter.valid, word_of(count, counter.index.get_bit(0)));
    }
}
