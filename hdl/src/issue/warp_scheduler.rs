//! The warp scheduler: picks a warp, decodes its next instruction, queries the scoreboard, issues.
//!
//! ```text
//! cycle  s0               s1                s2       s3                     s4
//!        choose among     word from the     decode   ask the scoreboard;    issue, wait for the slot,
//!        the ready warps  warp's buffer              what it is and needs   or make room for another warp
//! ```
//! One candidate passes per cycle; an instruction takes 32/LANES cycles in the read stage, so with 8 lanes four
//! candidates can be tried for each issue. A candidate held back by the scoreboard gives way as soon as another one
//! follows it; one that only waits for the read stage stays, and those behind it wait, too.
//!
//! Whether s4 issues depends on s3's findings and on the room available in this very cycle, so that it is known early:
//! everything that an issue changes depends on it. A warp has at most one instruction in s1 to s4 (`taken`), so the
//! scoreboard's answer for it can only improve. While s3 is empty, it repeats the query for the candidate in s4: its
//! registers still hold that one.
//!
//! In launches with long instructions off their boundaries (`unaligned_code`), one that begins in the upper half of its
//! word waits in s1 until fetch also has the following word; so do the warps behind it. It takes its word from the
//! buffer like any other long one, and leaves the following word's upper half for the next instruction.
//!
//! A warp that has issued an instruction for the branch unit (BRA, RET, a join or exit marker) waits until the unit has
//! resolved where it continues; one that has issued a BAR, until the barrier unit releases it. All others keep issuing,
//! in order within a warp.

use crate::arbiter::RoundRobinArbiter;
use crate::bundles::*;
use crate::chip::counters::IssueCause;
use crate::issue::credits::Credits;
use crate::issue::decode::Decode;
use crate::issue::scoreboard::Scoreboard;
use hdlkit::prelude::*;

/// A chosen warp, between s0 and s1.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Chosen {
    pub valid: Bit,
    pub warp: Bits<5>,
}

/// A warp's next instruction, between s1 and s2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Fetched {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    /// The instruction, in the low bits.
    pub word: Bits<64>,
}

/// A decoded instruction, between s2 and s3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Known {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub decoded: Decoded,
}

/// A candidate for issue, between s3 and s4: an instruction, and what follows from it alone.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Candidate {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// The warp as one bit of 32.
    pub mask: Bits<32>,
    pub pc: Bits<24>,
    /// PC of the next instruction.
    pub next_pc: Bits<24>,
    /// It uses up the buffer's word: a long instruction, or a short one in the upper half.
    pub pops: Bit,
    pub decoded: Decoded,
    /// For the branch unit.
    pub control: Bit,
    /// The warp may end; it waits until the branch unit has resolved it.
    pub ends: Bit,
    pub waits: Bit,
    /// A BAR.
    pub barrier: Bit,
    /// For the memory unit; for the special function units.
    pub memory: Bit,
    pub special: Bit,
    /// It cannot issue: not an instruction, outside the program, or across two words where that is not allowed.
    pub bad: Bit,
    pub outside: Bit,
    pub misaligned: Bit,
    /// It goes to the collector; goes first only to the collector; takes a collector place.
    pub collects: Bit,
    pub gathers: Bit,
    pub places: Bit,
    /// It reads a shared memory word that is the same for all threads.
    pub shared: Bit,
    /// It increments an address register; it writes one through the pipeline.
    pub increments: Bit,
    pub writes_address: Bit,
    /// An R2G that may end its warp.
    pub stores_late: Bit,
}

/// The warp scheduler of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct WarpScheduler {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub s_clear: Signal<In, Bit>,
    pub registers: Signal<In, Bits<8>>,
    pub code_end: Signal<In, Bits<24>>,
    pub entry: Signal<In, Bits<24>>,
    pub unaligned_code: Signal<In, Bit>,
    /// Stop all issue (an error, or abort).
    pub s_stop: Signal<In, Bit>,
    // A warp begins.
    pub s_launch: Signal<In, Bit>,
    pub s_launch_warp: Signal<In, Bits<5>>,
    // Fetch.
    pub f_available: Signal<In, Bits<32>>,
    pub f_read_warp: Signal<Out, Bits<5>>,
    pub f_read_odd: Signal<Out, Bit>,
    pub f_read_lower: Signal<In, Bits<32>>,
    pub f_read_upper: Signal<In, Bits<32>>,
    pub f_read_both: Signal<In, Bit>,
    pub f_pop: Signal<Out, Bit>,
    pub f_pop_warp: Signal<Out, Bits<5>>,
    // Issue. `s_slot`: the read stage takes an instruction in the next cycle.
    pub s_slot: Signal<In, Bit>,
    pub s_issued: Signal<Out, Issued>,
    pub s_issued_word: Signal<Out, Bits<64>>,
    /// Results from outside the pipeline wait for the write port: leave a gap.
    pub s_hold: Signal<In, Bit>,
    // The operand collector: whether it takes an instruction in the next cycle, has a place for one that gathers or
    // scatters, and has stores or address register increments in flight; and the warps that it holds.
    pub c_slot: Signal<In, Bit>,
    pub c_room: Signal<In, Bit>,
    pub c_storing: Signal<In, Bit>,
    pub c_incrementing: Signal<In, Bit>,
    pub c_held: Signal<In, Bits<32>>,
    /// It has an instruction for the read stage, which has priority; the read stage takes it now.
    pub c_injects: Signal<In, Bit>,
    pub c_injected: Signal<In, Bit>,
    /// The issuing instruction goes to the collector.
    pub s_collects: Signal<Out, Bit>,
    /// The issuing instruction takes a collector place; its warp is held; it goes to the read stage.
    pub s_places: Signal<Out, Bit>,
    pub s_gathers: Signal<Out, Bit>,
    pub s_reads: Signal<Out, Bit>,
    /// A warp that ended with a store to shared memory is still storing: no other instruction that may be such a store
    /// may issue.
    pub s_late_store: Signal<In, Bit>,
    /// The memory unit has freed an instruction's places; so have the special function units.
    pub s_memory_dequeued: Signal<In, Bit>,
    pub s_special_dequeued: Signal<In, Bit>,
    /// The branch unit has finished with an instruction.
    pub s_control_done: Signal<In, Bit>,
    pub s_resolved: Signal<In, Resolved>,
    /// Warps that continue after their BAR.
    pub s_barrier_release: Signal<In, Bits<32>>,
    /// No BAR can issue.
    pub s_barrier_busy: Signal<In, Bit>,
    /// Results written.
    pub s_release: Signal<In, Release>,
    /// The last beat of a result for an address register is written.
    pub s_address_done: Signal<In, Bit>,
    /// An instruction that cannot issue: the warp stops at it. Code 0: none.
    pub s_error: Signal<Out, KernelError>,
    /// No warp is in s4 or on its way there, and none begins.
    pub s_idle: Signal<Out, Bit>,
    /// Whether an instruction issued in the last cycle, or why not, for the counters.
    pub s_cause: Signal<Out, IssueCause>,

    arbiter: RoundRobinArbiter,
    decode: Decode,
    scoreboard: Scoreboard,
    pc: LutRam<5, Bits<24>>,
    alive: DFF<Bits<32>>,
    waiting: DFF<Bits<32>>,
    /// The waiting warps that the barrier unit holds.
    barred: DFF<Bits<32>>,
    /// Registered, so that signals used only for counting settle with the cycle's first values.
    cause: DFF<IssueCause>,
    /// Warps in s1 to s4.
    taken: DFF<Bits<32>>,
    /// A warp that begins.
    launch: DFF<Chosen>,
    s1: DFF<Chosen>,
    s2: DFF<Fetched>,
    s3: DFF<Known>,
    s3_word: DFF<Bits<64>>,
    s4: DFF<Candidate>,
    s4_word: DFF<Bits<64>>,
    tag: DFF<Bits<16>>,
    control_pending: DFF<Bit>,
    memory_credits: Credits<5>,
    special_credits: Credits<5>,
    memory_places: Constant<Bits<5>>,
    special_places: Constant<Bits<5>>,
    /// Results for address registers in flight.
    address_writes: DFF<Bits<6>>,

    one: Constant<Bits<32>>,
    launch_mask: Signal<Local, Bits<32>>,
    resolved: Signal<Local, Resolved>,
    resolved_mask: Signal<Local, Bits<32>>,
    ended_mask: Signal<Local, Bits<32>>,
    s0_ready: Signal<Local, Bits<32>>,
    s0_taken: Signal<Local, Bits<32>>,
    s0_take: Signal<Local, Bit>,
    s1_pc: Signal<Local, Bits<24>>,
    s1_odd: Signal<Local, Bit>,
    s1_low: Signal<Local, Bits<32>>,
    s1_high: Signal<Local, Bits<32>>,
    s1_long: Signal<Local, Bit>,
    s1_word: Signal<Local, Bits<64>>,
    s1_moves: Signal<Local, Bit>,
    s1_waits: Signal<Local, Bit>,
    chosen: Signal<Local, Chosen>,
    fetched: Signal<Local, Fetched>,
    s2_moves: Signal<Local, Bit>,
    s3_moves: Signal<Local, Bit>,
    s3_asks: Signal<Local, Bit>,
    known: Signal<Local, Known>,
    found: Signal<Local, Candidate>,
    s3_size: Signal<Local, Bits<24>>,
    s3_next_pc: Signal<Local, Bits<24>>,
    s3_control: Signal<Local, Bit>,
    s3_ends: Signal<Local, Bit>,
    s3_waits: Signal<Local, Bit>,
    s3_outside: Signal<Local, Bit>,
    s3_misaligned: Signal<Local, Bit>,
    s3_gathers: Signal<Local, Bit>,
    s3_places: Signal<Local, Bit>,
    launching: Signal<Local, Chosen>,
    candidate: Signal<Local, Candidate>,
    decoded: Signal<Local, Decoded>,
    instruction: Signal<Local, Decoded>,
    issuing: Signal<Local, Decoded>,
    s4_may: Signal<Local, Bit>,
    s4_collector: Signal<Local, Bit>,
    s4_path: Signal<Local, Bit>,
    s4_issue: Signal<Local, Bit>,
    s4_stays: Signal<Local, Bit>,
    s4_leaves: Signal<Local, Bit>,
    s4_mask: Signal<Local, Bits<32>>,
    s4_fill: Signal<Local, Bit>,
    indexing: Signal<Local, Indexing>,
    operand_a: Signal<Local, Operand>,
    issued: Signal<Local, Issued>,
    error: Signal<Local, KernelError>,
    port_busy: Signal<Local, Bit>,
    still_waiting: Signal<Local, Bits<32>>,
    still_barred: Signal<Local, Bits<32>>,
    unhindered: Signal<Local, Bits<32>>,
    branching: Signal<Local, Bits<32>>,
    no_error: Constant<KernelError>,
    codes: Constant<ErrorCodes>,
    _activity: Activity,
}

impl WarpScheduler {
    /// A scheduler whose memory unit has room for `memory_places` instructions.
    pub fn new(memory_places: usize) -> Self {
        WarpScheduler {
            scoreboard: Scoreboard::blank(),
            one: Constant::new(1.into()),
            memory_places: Constant::new((memory_places as u64).into()),
            special_places: Constant::new((crate::execute::special_function_queue::PLACES as u64).into()),
            ..Default::default()
        }
    }
}

impl Logic for WarpScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            alive,
            waiting,
            barred,
            cause,
            taken,
            launch,
            s1,
            s2,
            s3,
            s3_word,
            s4,
            s4_word,
            tag,
            control_pending,
            address_writes
        );
        clock!(self, clock, arbiter, scoreboard, pc, memory_credits, special_credits);
        self.resolved.next = self.s_resolved.val();
        // A warp begins here a cycle later than elsewhere, because its launch is known late. Until then fetch has no
        // word for it, and the branch unit, which was idle when it began, has no result.
        self.launch.d.next.valid = self.s_launch.val();
        self.launch.d.next.warp = self.s_launch_warp.val();
        self.launching.next = self.launch.q.val();
        self.launch_mask.next = 0.into();
        if self.launching.val().valid {
            self.launch_mask.next = self.one.val() << self.launching.val().warp;
        }
        self.resolved_mask.next = 0.into();
        if self.resolved.val().valid {
            self.resolved_mask.next = self.one.val() << self.resolved.val().warp;
        }
        self.ended_mask.next = 0.into();
        if self.resolved.val().ended {
            self.ended_mask.next = self.resolved_mask.val();
        }

        self.issue_candidate();
        self.keep_candidate();
        self.ask_scoreboard();
        self.decode_word();
        self.take_word();
        self.choose_warp();
        self.track_warps();
        self.account();
    }
}

impl WarpScheduler {
    /// Stage s4: may the candidate issue? The state of the other units that this depends on may change with each issue,
    /// so it is checked here.
    #[hdl_part]
    fn issue_candidate(&mut self) {
        self.known.next = self.s3.q.val();
        self.candidate.next = self.s4.q.val();
        self.instruction.next = self.candidate.val().decoded;
        self.s4_collector.next = true;
        if self.candidate.val().places && !self.c_room.val() {
            self.s4_collector.next = false;
        }
        if self.candidate.val().shared && self.c_storing.val() {
            self.s4_collector.next = false;
        }
        if self.candidate.val().increments && self.address_writes.q.val().any() {
            self.s4_collector.next = false;
        }
        if self.candidate.val().writes_address && self.c_incrementing.val() {
            self.s4_collector.next = false;
        }
        if self.candidate.val().stores_late && self.s_late_store.val() {
            self.s4_collector.next = false;
        }
        // The paths into the read stage and into the collector. Both share one circuit for execution masks.
        self.s4_path.next = self.s_slot.val() && !self.c_injects.val() && !self.s_hold.val();
        if self.candidate.val().gathers {
            self.s4_path.next = !self.c_injected.val();
        }
        if self.candidate.val().collects {
            self.s4_path.next = self.s4_path.val() && self.c_slot.val();
        }
        // The write ports of the PCs and of the scoreboard serve a launch or a redirection first.
        self.port_busy.next =
            self.launching.val().valid || (self.resolved.val().valid && self.resolved.val().redirected);
        self.s4_may.next = self.candidate.val().valid
            && self.scoreboard.s_clear.val()
            && (!self.candidate.val().ends || self.scoreboard.s_drained.val())
            && (!self.candidate.val().control || !self.control_pending.q.val())
            && (!self.candidate.val().barrier || (!self.control_pending.q.val() && !self.s_barrier_busy.val()))
            && (!self.candidate.val().memory || self.memory_credits.left.val())
            && (!self.candidate.val().special || self.special_credits.left.val())
            && self.s4_collector.val()
            && !self.candidate.val().bad;
        self.s4_issue.next = self.s4_may.val() && self.s4_path.val() && !self.port_busy.val() && !self.s_stop.val();
        self.s_collects.next = self.s4_issue.val() && self.candidate.val().collects;
        self.s_places.next = self.s4_issue.val() && self.candidate.val().places;
        self.s_gathers.next = self.s4_issue.val() && self.candidate.val().gathers;
        self.s_reads.next = self.s4_issue.val() && !self.candidate.val().gathers;
        self.scoreboard.s_issue.next = self.s4_issue.val();
        self.s4_mask.next = 0.into();
        if self.s4_issue.val() {
            self.s4_mask.next = self.candidate.val().mask;
        }
        self.s4_fill.next = self.scoreboard.s_destination_exists.val() && !self.scoreboard.s_destination_live.val();
        self.issued.next.valid = self.s4_issue.val();
        self.issued.next.tag = self.tag.q.val();
        self.issued.next.warp = self.candidate.val().warp;
        self.issued.next.pc = self.candidate.val().pc;
        self.issued.next.a_live = self.scoreboard.s_a_live.val();
        self.issued.next.b_live = self.scoreboard.s_b_live.val();
        self.issued.next.c_live = self.scoreboard.s_c_live.val();
        self.issued.next.condition_live = self.scoreboard.s_condition_live.val();
        self.issued.next.fill = self.s4_fill.val();
        self.issued.next.address_live = self.scoreboard.s_address_live.val();
        self.issued.next.address_fill = !self.scoreboard.s_address_destination_live.val();
        self.issued.next.b_further_live = self.scoreboard.s_b_further_live.val();
        self.issued.next.further = self.scoreboard.s_further.val();
        self.issued.next.further_fill = self.scoreboard.s_further.val() & !self.scoreboard.s_further_live.val();
        self.issued.next.condition_fill = !self.scoreboard.s_condition_destination_live.val();
        // Set by the collector.
        self.issued.next.buffer = false;
        self.issuing.next = self.instruction.val();
        if !self.scoreboard.s_destination_exists.val() {
            self.issuing.next.register_enable = false;
        }
        self.issued.next.decoded = self.issuing.val();
        self.s_issued.next = self.issued.val();
        self.s_issued_word.next = self.s4_word.q.val();
        self.error.next = self.no_error.val();
        if self.candidate.val().valid && self.candidate.val().bad && !self.s_stop.val() {
            self.error.next.code = self.codes.val().program_counter;
            if !self.candidate.val().outside && !self.candidate.val().misaligned {
                self.error.next.code = self.codes.val().illegal_instruction;
            }
            self.error.next.warp = self.candidate.val().warp;
            self.error.next.pc = self.candidate.val().pc;
        }
        self.s_error.next = self.error.val();
        if self.s4_issue.val() {
            self.tag.d.next = self.tag.q.val() + 1;
        }
        self.control_pending.d.next = self.control_pending.q.val() && !self.s_control_done.val();
        if self.s4_issue.val() && self.candidate.val().control {
            self.control_pending.d.next = true;
        }
        self.memory_credits.places.next = self.memory_places.val();
        self.memory_credits.clear.next = self.s_clear.val();
        self.memory_credits.take.next = self.s4_issue.val() && self.candidate.val().memory;
        self.memory_credits.give.next = self.s_memory_dequeued.val();
        self.special_credits.places.next = self.special_places.val();
        self.special_credits.clear.next = self.s_clear.val();
        self.special_credits.take.next = self.s4_issue.val() && self.candidate.val().special;
        self.special_credits.give.next = self.s_special_dequeued.val();
        if self.s4_issue.val() && self.candidate.val().writes_address {
            if !self.s_address_done.val() {
                self.address_writes.d.next = self.address_writes.q.val() + 1;
            }
        } else if self.s_address_done.val() {
            self.address_writes.d.next = self.address_writes.q.val() - 1;
        }
        self.f_pop.next = self.s4_issue.val() && self.candidate.val().pops;
        self.f_pop_warp.next = self.candidate.val().warp;
    }

    /// A candidate that waits for the read slot stays. One that is held back stays while no other follows it, or none
    /// can come.
    #[hdl_part]
    fn keep_candidate(&mut self) {
        self.s4_stays.next = self.candidate.val().valid
            && !self.s4_issue.val()
            && (self.s4_may.val() || self.candidate.val().bad || !self.known.val().valid || self.launching.val().valid);
        self.s4_leaves.next = self.candidate.val().valid && !self.s4_stays.val();
    }

    /// Stage s3: queries the scoreboard, except in the cycle of a launch. If s3 is empty, its registers still hold the
    /// instruction that is or last was in s4, and s3 repeats the query for that one.
    #[hdl_part]
    fn ask_scoreboard(&mut self) {
        self.s3_moves.next = !self.s4_stays.val() && !self.launching.val().valid;
        self.s3_asks.next = !self.launching.val().valid && (!self.s4_stays.val() || !self.known.val().valid);
        self.decoded.next = self.known.val().decoded;
        self.scoreboard.registers.next = self.registers.val();
        self.scoreboard.s_ask.next = self.s3_asks.val();
        self.scoreboard.s_warp.next = self.known.val().warp;
        self.scoreboard.s_decoded.next = self.decoded.val();
        self.scoreboard.s_launch.next = self.launching.val().valid;
        self.scoreboard.s_launch_warp.next = self.launching.val().warp;
        self.scoreboard.s_release.next = self.s_release.val();
        self.s3_ends.next = self.decoded.val().exit_marker;
        self.s3_waits.next = self.decoded.val().exit_marker || self.decoded.val().join_marker;
        self.s3_control.next = self.s3_waits.val();
        match self.decoded.val().control {
            // At most a marker.
            ControlOperation::Marker => {}
            // For the barrier unit.
            ControlOperation::Barrier => {}
            // A push: execution continues after it.
            ControlOperation::PushJoin => self.s3_control.next = true,
            ControlOperation::PushBreak => self.s3_control.next = true,
            // The warp may end.
            ControlOperation::Return => {
                self.s3_ends.next = true;
                self.s3_waits.next = true;
                self.s3_control.next = true;
            }
            ControlOperation::Kill => {
                self.s3_ends.next = true;
                self.s3_waits.next = true;
                self.s3_control.next = true;
            }
            _ => {
                self.s3_waits.next = true;
                self.s3_control.next = true;
            }
        }
        self.s3_size.next = 4.into();
        if self.decoded.val().long {
            self.s3_size.next = 8.into();
        }
        self.s3_next_pc.next = self.known.val().pc + self.s3_size.val();
        self.s3_misaligned.next =
            self.decoded.val().long && self.known.val().pc.get_bit(2) && !self.unaligned_code.val();
        self.s3_outside.next = (self.known.val().pc >= self.code_end.val())
            || (self.s3_next_pc.val() > self.code_end.val())
            || self.known.val().pc.get_bit(0)
            || self.known.val().pc.get_bit(1);
        // The collector: what goes there, and what must wait for its work. Words for all threads are read from shared
        // memory at once, so they wait for stores; the address file has one write port.
        self.indexing.next = self.decoded.val().indexing;
        self.operand_a.next = self.decoded.val().a;
        self.s3_gathers.next = self.indexing.val().gathers;
        self.s3_places.next = self.indexing.val().gathers || self.indexing.val().scatters;
        self.found.next.valid = self.known.val().valid;
        self.found.next.warp = self.known.val().warp;
        self.found.next.mask = self.one.val() << self.known.val().warp;
        self.found.next.pc = self.known.val().pc;
        self.found.next.next_pc = self.s3_next_pc.val();
        self.found.next.pops = self.decoded.val().long || self.known.val().pc.get_bit(2);
        self.found.next.decoded = self.decoded.val();
        self.found.next.control = self.s3_control.val();
        self.found.next.ends = self.s3_ends.val();
        self.found.next.waits = self.s3_waits.val();
        self.found.next.barrier = self.decoded.val().control == ControlOperation::Barrier;
        self.found.next.memory = self.decoded.val().unit == Unit::Memory;
        self.found.next.special = self.decoded.val().unit == Unit::SpecialFunction;
        self.found.next.bad = self.s3_outside.val() || self.s3_misaligned.val() || self.decoded.val().illegal;
        self.found.next.outside = self.s3_outside.val();
        self.found.next.misaligned = self.s3_misaligned.val();
        self.found.next.collects = self.s3_places.val() || (self.operand_a.val().source == Source::Address);
        self.found.next.gathers = self.s3_gathers.val();
        self.found.next.places = self.s3_places.val();
        self.found.next.shared = self.operand_a.val().source == Source::Shared;
        self.found.next.increments = self.indexing.val().increments;
        self.found.next.writes_address = self.decoded.val().address_enable;
        self.found.next.stores_late = self.indexing.val().scatters && self.s3_ends.val();
        if self.s3_asks.val() {
            self.s4.d.next = self.found.val();
            self.s4_word.d.next = self.s3_word.q.val();
        }
        self.s4.d.next.valid = self.s4_stays.val() || (self.s3_moves.val() && self.known.val().valid);
    }

    /// Stage s2: decode.
    #[hdl_part]
    fn decode_word(&mut self) {
        self.fetched.next = self.s2.q.val();
        self.s2_moves.next = self.s3_moves.val() || !self.known.val().valid;
        self.decode.d_word.next = self.fetched.val().word;
        if self.s2_moves.val() {
            self.s3.d.next.valid = self.fetched.val().valid;
            if self.fetched.val().valid {
                self.s3.d.next.warp = self.fetched.val().warp;
                self.s3.d.next.pc = self.fetched.val().pc;
                self.s3.d.next.decoded = self.decode.d_decoded.val();
                self.s3_word.d.next = self.fetched.val().word;
            }
        }
    }

    /// Stage s1: the next instruction of the chosen warp.
    #[hdl_part]
    fn take_word(&mut self) {
        self.chosen.next = self.s1.q.val();
        self.s1_moves.next = self.s2_moves.val() || !self.fetched.val().valid;
        self.f_read_warp.next = self.chosen.val().warp;
        self.pc.read_address.next = self.chosen.val().warp;
        self.s1_pc.next = self.pc.read_data.val();
        self.s1_odd.next = self.s1_pc.val().get_bit(2);
        self.f_read_odd.next = self.s1_odd.val();
        self.s1_low.next = self.f_read_lower.val();
        self.s1_high.next = self.f_read_upper.val();
        if self.s1_odd.val() {
            self.s1_low.next = self.f_read_upper.val();
            self.s1_high.next = self.f_read_lower.val();
        }
        self.s1_long.next = self.s1_low.val().get_bit(0);
        if !self.s1_long.val() {
            self.s1_high.next = 0.into();
        }
        self.s1_word.next = bit_cast::<64, 32>(self.s1_high.val()) << 32;
        self.s1_word.next = self.s1_word.val() | bit_cast::<64, 32>(self.s1_low.val());
        // Its second half may still be in flight; fetch delivers it regardless of this stage.
        self.s1_waits.next = self.chosen.val().valid
            && self.s1_odd.val()
            && self.s1_long.val()
            && self.unaligned_code.val()
            && !self.f_read_both.val();
        if self.s1_moves.val() {
            self.s2.d.next.valid = self.chosen.val().valid && !self.s1_waits.val();
            self.s2.d.next.warp = self.chosen.val().warp;
            self.s2.d.next.pc = self.s1_pc.val();
            self.s2.d.next.word = self.s1_word.val();
        }
    }

    /// Stage s0: chooses a warp that has a word, does not wait and is not already in s1 to s4.
    #[hdl_part]
    fn choose_warp(&mut self) {
        self.s0_ready.next = self.f_available.val() & self.alive.q.val();
        self.s0_ready.next = self.s0_ready.val() & !self.waiting.q.val();
        self.s0_ready.next = self.s0_ready.val() & !self.c_held.val();
        self.s0_ready.next = self.s0_ready.val() & !self.taken.q.val();
        self.arbiter.request.next = self.s0_ready.val();
        self.s0_take.next =
            ((self.s1_moves.val() && !self.s1_waits.val()) || !self.chosen.val().valid) && !self.s_stop.val();
        self.arbiter.take.next = self.s0_take.val();
        self.s0_taken.next = self.taken.q.val();
        if self.s4_leaves.val() {
            self.s0_taken.next = self.taken.q.val() & !self.candidate.val().mask;
        }
        self.taken.d.next = self.s0_taken.val();
        if self.s0_take.val() {
            self.s1.d.next.valid = self.arbiter.valid.val();
            self.s1.d.next.warp = self.arbiter.index.val();
            self.taken.d.next = self.s0_taken.val() | self.arbiter.grant.val();
        }
    }

    /// The warps' PCs and states.
    #[hdl_part]
    fn track_warps(&mut self) {
        self.pc.write_enable.next = self.s4_issue.val();
        self.pc.write_address.next = self.candidate.val().warp;
        self.pc.write_data.next = self.candidate.val().next_pc;
        if self.launching.val().valid {
            self.pc.write_enable.next = true;
            self.pc.write_address.next = self.launching.val().warp;
            self.pc.write_data.next = self.entry.val();
        } else if self.resolved.val().valid && self.resolved.val().redirected {
            self.pc.write_enable.next = true;
            self.pc.write_address.next = self.resolved.val().warp;
            self.pc.write_data.next = self.resolved.val().pc;
        }
        self.alive.d.next = (self.alive.q.val() | self.launch_mask.val()) & !self.ended_mask.val();
        self.still_waiting.next = self.waiting.q.val() & !self.resolved_mask.val();
        self.still_waiting.next = self.still_waiting.val() & !self.s_barrier_release.val();
        if self.candidate.val().waits || self.candidate.val().barrier {
            self.still_waiting.next = self.still_waiting.val() | self.s4_mask.val();
        }
        self.waiting.d.next = self.still_waiting.val();
        self.still_barred.next = self.barred.q.val() & !self.s_barrier_release.val();
        if self.candidate.val().barrier {
            self.still_barred.next = self.still_barred.val() | self.s4_mask.val();
        }
        self.barred.d.next = self.still_barred.val();
    }

    /// How this cycle is counted (`docs/counters.md`), and the clear.
    #[hdl_part]
    fn account(&mut self) {
        self.unhindered.next = self.alive.q.val() & !self.waiting.q.val();
        self.unhindered.next = self.unhindered.val() & !self.c_held.val();
        self.branching.next = self.alive.q.val() & self.waiting.q.val();
        self.branching.next = self.branching.val() & !self.barred.q.val();
        self.cause.d.next = IssueCause::Barrier;
        if self.s4_issue.val() {
            self.cause.d.next = IssueCause::Issued;
        } else if !self.s_slot.val() {
            self.cause.d.next = IssueCause::ReadSlot;
        } else if self.c_injected.val() {
            self.cause.d.next = IssueCause::Collector;
        } else if self.s_stop.val() || !self.alive.q.val().any() {
            self.cause.d.next = IssueCause::NoWarp;
        } else if self.candidate.val().valid {
            if self.candidate.val().bad {
                self.cause.d.next = IssueCause::NoWarp;
            } else if self.s4_may.val() {
                self.cause.d.next = IssueCause::WritePort;
                if self.candidate.val().collects && !self.c_slot.val() {
                    self.cause.d.next = IssueCause::Collector;
                }
            } else if !self.scoreboard.s_clear.val() || (self.candidate.val().ends && !self.scoreboard.s_drained.val())
            {
                self.cause.d.next = IssueCause::Scoreboard;
            } else if self.candidate.val().memory && !self.memory_credits.left.val() {
                self.cause.d.next = IssueCause::MemoryQueue;
            } else if self.candidate.val().special && !self.special_credits.left.val() {
                self.cause.d.next = IssueCause::SpecialFunction;
            } else if !self.s4_collector.val() {
                self.cause.d.next = IssueCause::Collector;
            } else if self.control_pending.q.val() {
                self.cause.d.next = IssueCause::Branch;
            }
        } else if self.unhindered.val().any() {
            self.cause.d.next = IssueCause::Fetch;
        } else if self.c_held.val().any() {
            self.cause.d.next = IssueCause::Collector;
        } else if self.branching.val().any() {
            self.cause.d.next = IssueCause::Branch;
        }
        self.s_cause.next = self.cause.q.val();
        self.s_idle.next = !self.launching.val().valid
            && !self.chosen.val().valid
            && !self.fetched.val().valid
            && !self.known.val().valid
            && !self.candidate.val().valid;
        if self.s_clear.val() {
            self.alive.d.next = 0.into();
            self.waiting.d.next = 0.into();
            self.barred.d.next = 0.into();
            self.taken.d.next = 0.into();
            self.launch.d.next.valid = false;
            self.s1.d.next.valid = false;
            self.s2.d.next.valid = false;
            self.s3.d.next.valid = false;
            self.s4.d.next.valid = false;
            self.tag.d.next = 0.into();
            self.control_pending.d.next = false;
            self.address_writes.d.next = 0.into();
        }
    }
}
