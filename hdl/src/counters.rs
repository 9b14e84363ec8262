//! The counters that the host reads after a run: cycles, warp instructions, threads that executed them.
//!
//! ```text
//! launch_start ──> cleared; cycles count until grid_done
//! count_issue, count_threads ──> added, in any cycle
//! counter_read, counter_index ──> counter_word, same cycle; 0 while nobody reads
//! ```
//! They are apart from the host interface because they change in every cycle and the interface hardly ever does: in
//! hardware that is a short path to the adders, in simulation a block that sleeps.

use hdlkit::prelude::*;

/// Words that the host can read: low and high word of each counter, in the order of the host's map.
pub const COUNTER_WORDS: u32 = 6;

/// The counters, 64 bits each.
///
/// CYCLES is n if `grid_done` comes n cycles after `launch_start`.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Counters {
    pub clock: Signal<In, Clock>,
    /// One cycle, the first one of a grid.
    pub launch_start: Signal<In, Bit>,
    /// One cycle, the last one of the grid.
    pub grid_done: Signal<In, Bit>,
    /// A warp instruction issues in this cycle.
    pub count_issue: Signal<In, Bit>,
    /// Threads that execute, 0 to 32.
    pub count_threads: Signal<In, Bits<6>>,
    /// The host reads a counter.
    pub counter_read: Signal<In, Bit>,
    /// Which word: twice the counter's number, and one more for the high word.
    pub counter_index: Signal<In, Bits<3>>,
    pub counter_word: Signal<Out, Bits<32>>,
    running: DFF<Bit>,
    cycles: DFF<Bits<64>>,
    warp_instructions: DFF<Bits<64>>,
    thread_instructions: DFF<Bits<64>>,
    threads: Signal<Local, Bits<64>>,
    _activity: Activity,
}

impl Logic for Counters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, running, cycles, warp_instructions, thread_instructions);
        if self.running.q.val() && !self.grid_done.val() {
            self.cycles.d.next = self.cycles.q.val() + 1;
        }
        if self.count_issue.val() {
            self.warp_instructions.d.next = self.warp_instructions.q.val() + 1;
        }
        self.threads.next = bit_cast::<64, 6>(self.count_threads.val());
        if self.count_threads.val() != 0 {
            self.thread_instructions.d.next = self.thread_instructions.q.val() + self.threads.val();
        }
        if self.grid_done.val() {
            self.running.d.next = false;
        } else if self.launch_start.val() {
            self.running.d.next = true;
            self.cycles.d.next = 1.into();
            self.warp_instructions.d.next = 0.into();
            self.thread_instructions.d.next = 0.into();
        }

        self.counter_word.next = 0.into();
        if self.counter_read.val() {
            match self.counter_index.val().index() {
                0 => self.counter_word.next = self.cycles.q.val().get_bits::<32>(0),
                1 => self.counter_word.next = self.cycles.q.val().get_bits::<32>(32),
                2 => self.counter_word.next = self.warp_instructions.q.val().get_bits::<32>(0),
                3 => self.counter_word.next = self.warp_instructions.q.val().get_bits::<32>(32),
                4 => self.counter_word.next = self.thread_instructions.q.val().get_bits::<32>(0),
                5 => self.counter_word.next = self.thread_instructions.q.val().get_bits::<32>(32),
                _ => {}
            }
        }
    }
}
