//! The warp scheduler: picks a warp, decodes its next instruction, asks the scoreboard, issues.
//!
//! ```text
//! cycle   s0                  s1                        s2
//!         choose among the    word from the warp's      scoreboard; issue, wait for the slot,
//!         ready warps         buffer, decode            or make room for another warp
//! ```
//! One candidate a cycle goes through; an instruction takes 32/LANES cycles in the read stage, so with 8 lanes four
//! candidates can be tried for each that issues. A candidate that the scoreboard holds back gives way as soon as another
//! one stands behind it; one that only waits for the read stage stays.
//!
//! A warp that has issued an instruction for the branch unit (BRA, RET, a join or exit marker) waits until the unit has
//! said how the warp goes on; one that has issued a BAR, until the barrier unit releases it. All others keep issuing, in order within a warp.

use crate::arbiter::RoundRobinArbiter;
use crate::bundles::*;
use crate::counters::IssueCause;
use crate::decode::Decode;
use crate::scoreboard::Scoreboard;
use hdlkit::prelude::*;

/// A candidate between s1 and s2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Candidate {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub decoded: Decoded,
}

/// A chosen warp, between s0 and s1.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Chosen {
    pub valid: Bit,
    pub warp: Bits<5>,
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
    /// Nothing issues any more (an error, or abort).
    pub s_stop: Signal<In, Bit>,
    // A warp begins.
    pub s_launch: Signal<In, Bit>,
    pub s_launch_warp: Signal<In, Bits<5>>,
    // Fetch.
    pub f_available: Signal<In, Bits<32>>,
    pub f_read_warp: Signal<Out, Bits<5>>,
    pub f_read_word: Signal<In, Bits<64>>,
    pub f_pop: Signal<Out, Bit>,
    pub f_pop_warp: Signal<Out, Bits<5>>,
    // Issue. `s_slot` : the read stage takes an instruction in the next cycle.
    pub s_slot: Signal<In, Bit>,
    pub s_issued: Signal<Out, Issued>,
    pub s_issued_word: Signal<Out, Bits<64>>,
    /// Results other than the pipeline's wait for the write port: leave a gap.
    pub s_hold: Signal<In, Bit>,
    // The operand collector: it takes an instruction in the next cycle, has a place for one that gathers or scatters, has
    // stores or increments of address registers under way, and the warps that it holds.
    pub c_slot: Signal<In, Bit>,
    pub c_room: Signal<In, Bit>,
    pub c_storing: Signal<In, Bit>,
    pub c_incrementing: Signal<In, Bit>,
    pub c_held: Signal<In, Bits<32>>,
    /// It has an instruction for the read stage, which has precedence; the read stage takes it now.
    pub c_injects: Signal<In, Bit>,
    pub c_injected: Signal<In, Bit>,
    /// The instruction that issues goes to the collector; to the read stage.
    pub s_collects: Signal<Out, Bit>,
    pub s_reads: Signal<Out, Bit>,
    /// A warp that ended with a store to shared memory is still at it: none that may be another one.
    pub s_late_store: Signal<In, Bit>,
    /// The memory unit has freed an instruction's places; the special function units have.
    pub s_memory_dequeued: Signal<In, Bit>,
    pub s_special_dequeued: Signal<In, Bit>,
    /// The branch unit has finished with an instruction.
    pub s_control_done: Signal<In, Bit>,
    pub s_resolved: Signal<In, Resolved>,
    /// Warps that go on behind their BAR.
    pub s_barrier_release: Signal<In, Bits<32>>,
    /// No BAR can issue.
    pub s_barrier_busy: Signal<In, Bit>,
    // Results written.
    pub s_release: Signal<In, Bit>,
    pub s_release_warp: Signal<In, Bits<5>>,
    pub s_release_register_enable: Signal<In, Bit>,
    pub s_release_register: Signal<In, Bits<7>>,
    pub s_release_condition_enable: Signal<In, Bit>,
    pub s_release_condition: Signal<In, Bits<2>>,
    pub s_release_address_enable: Signal<In, Bit>,
    pub s_release_address: Signal<In, Bits<2>>,
    /// The last beat of a result for an address register is written.
    pub s_address_done: Signal<In, Bit>,
    /// An instruction that cannot be issued: the warp is stopped at it. Code 0: none.
    pub s_error: Signal<Out, KernelError>,
    /// No candidate and nothing issued.
    pub s_idle: Signal<Out, Bit>,
    /// Whether an instruction issued in the last cycle, and why not, for the counters.
    pub s_cause: Signal<Out, IssueCause>,

    arbiter: RoundRobinArbiter,
    decode: Decode,
    scoreboard: Scoreboard,
    pc: LutRam<5, Bits<24>>,
    alive: DFF<Bits<32>>,
    waiting: DFF<Bits<32>>,
    /// Those of them that wait for the barrier unit.
    barred: DFF<Bits<32>>,
    /// Registered, so that what is only counted settles with the cycle's first values.
    cause: DFF<IssueCause>,
    s1: DFF<Chosen>,
    s2: DFF<Candidate>,
    s2_word: DFF<Bits<64>>,
    tag: DFF<Bits<16>>,
    control_pending: DFF<Bit>,
    memory_credits: DFF<Bits<5>>,
    special_credits: DFF<Bits<3>>,
    /// Results for address registers that are under way.
    address_writes: DFF<Bits<6>>,

    one: Constant<Bits<32>>,
    memory_places: Constant<Bits<5>>,
    special_places: Constant<Bits<3>>,
    launch_mask: Signal<Local, Bits<32>>,
    resolved: Signal<Local, Resolved>,
    resolved_mask: Signal<Local, Bits<32>>,
    ended_mask: Signal<Local, Bits<32>>,
    s0_ready: Signal<Local, Bits<32>>,
    s0_busy: Signal<Local, Bits<32>>,
    s0_busy_2: Signal<Local, Bits<32>>,
    s0_take: Signal<Local, Bit>,
    s1_pc: Signal<Local, Bits<24>>,
    s1_word: Signal<Local, Bits<64>>,
    s1_upper: Signal<Local, Bits<32>>,
    s1_advances: Signal<Local, Bit>,
    candidate: Signal<Local, Candidate>,
    instruction: Signal<Local, Decoded>,
    s2_control: Signal<Local, Bit>,
    s2_ends: Signal<Local, Bit>,
    s2_waits: Signal<Local, Bit>,
    s2_barrier: Signal<Local, Bit>,
    s2_memory: Signal<Local, Bit>,
    s2_special: Signal<Local, Bit>,
    s2_next_pc: Signal<Local, Bits<24>>,
    s2_size: Signal<Local, Bits<24>>,
    s2_misaligned: Signal<Local, Bit>,
    s2_outside: Signal<Local, Bit>,
    s2_bad: Signal<Local, Bit>,
    s2_may: Signal<Local, Bit>,
    s2_collects: Signal<Local, Bit>,
    s2_gathers: Signal<Local, Bit>,
    s2_places: Signal<Local, Bit>,
    s2_collector: Signal<Local, Bit>,
    s2_path: Signal<Local, Bit>,
    s2_writes_address: Signal<Local, Bit>,
    indexing: Signal<Local, Indexing>,
    operand_a: Signal<Local, Operand>,
    s2_issue: Signal<Local, Bit>,
    s2_stays: Signal<Local, Bit>,
    s2_mask: Signal<Local, Bits<32>>,
    s2_fill: Signal<Local, Bit>,
    issued: Signal<Local, Issued>,
    error: Signal<Local, KernelError>,
    port_busy: Signal<Local, Bit>,
    still_waiting: Signal<Local, Bits<32>>,
    still_barred: Signal<Local, Bits<32>>,
    unhindered: Signal<Local, Bits<32>>,
    branching: Signal<Local, Bits<32>>,
    no_error: Constant<KernelError>,
    _activity: Activity,
}

impl WarpScheduler {
    /// A scheduler whose memory unit has room for `memory_places` instructions.
    pub fn new(memory_places: usize) -> Self {
        WarpScheduler {
            scoreboard: Scoreboard::new(),
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
            s1,
            s2,
            s2_word,
            tag,
            control_pending,
            memory_credits,
            special_credits,
            address_writes
        );
        clock!(self, clock, arbiter, scoreboard, pc);
        self.resolved.next = self.s_resolved.val();
        self.launch_mask.next = 0.into();
        if self.s_launch.val() {
            self.launch_mask.next = self.one.val() << self.s_launch_warp.val();
        }
        self.resolved_mask.next = 0.into();
        if self.resolved.val().valid {
            self.resolved_mask.next = self.one.val() << self.resolved.val().warp;
        }
        self.ended_mask.next = 0.into();
        if self.resolved.val().ended {
            self.ended_mask.next = self.resolved_mask.val();
        }

        // s2: may the candidate issue?
        self.candidate.next = self.s2.q.val();
        self.instruction.next = self.candidate.val().decoded;
        self.scoreboard.registers.next = self.registers.val();
        self.scoreboard.s_warp.next = self.candidate.val().warp;
        self.scoreboard.s_decoded.next = self.instruction.val();
        self.scoreboard.s_launch.next = self.s_launch.val();
        self.scoreboard.s_launch_warp.next = self.s_launch_warp.val();
        self.scoreboard.s_release.next = self.s_release.val();
        self.scoreboard.s_release_warp.next = self.s_release_warp.val();
        self.scoreboard.s_release_register_enable.next = self.s_release_register_enable.val();
        self.scoreboard.s_release_register.next = self.s_release_register.val();
        self.scoreboard.s_release_condition_enable.next = self.s_release_condition_enable.val();
        self.scoreboard.s_release_condition.next = self.s_release_condition.val();
        self.scoreboard.s_release_address_enable.next = self.s_release_address_enable.val();
        self.scoreboard.s_release_address.next = self.s_release_address.val();
        self.s2_ends.next = self.instruction.val().exit_marker;
        self.s2_waits.next = self.instruction.val().exit_marker || self.instruction.val().join_marker;
        self.s2_control.next = self.s2_waits.val();
        match self.instruction.val().control {
            // Nothing but a marker, if that.
            ControlOperation::Marker => {}
            // The barrier unit's.
            ControlOperation::Barrier => {}
            // A push: execution goes on behind it.
            ControlOperation::PushJoin => self.s2_control.next = true,
            ControlOperation::PushBreak => self.s2_control.next = true,
            // The warp may end.
            ControlOperation::Return => {
                self.s2_ends.next = true;
                self.s2_waits.next = true;
                self.s2_control.next = true;
            }
            ControlOperation::Kill => {
                self.s2_ends.next = true;
                self.s2_waits.next = true;
                self.s2_control.next = true;
            }
            _ => {
                self.s2_waits.next = true;
                self.s2_control.next = true;
            }
        }
        self.s2_barrier.next = self.instruction.val().control == ControlOperation::Barrier;
        self.s2_memory.next = self.instruction.val().unit == Unit::Memory;
        self.s2_special.next = self.instruction.val().unit == Unit::SpecialFunction;
        self.s2_size.next = 4.into();
        if self.instruction.val().long {
            self.s2_size.next = 8.into();
        }
        self.s2_next_pc.next = self.candidate.val().pc + self.s2_size.val();
        self.s2_misaligned.next = self.instruction.val().long && self.candidate.val().pc.get_bit(2);
        self.s2_outside.next = (self.candidate.val().pc >= self.code_end.val())
            || (self.s2_next_pc.val() > self.code_end.val())
            || self.candidate.val().pc.get_bit(0)
            || self.candidate.val().pc.get_bit(1);
        self.s2_bad.next = self.s2_outside.val() || self.s2_misaligned.val() || self.instruction.val().illegal;
        // The collector: what goes there, and what must not meet what is there. Words for all threads are read from shared
        // memory at once, so they wait for stores; the address file has one write port.
        self.indexing.next = self.instruction.val().indexing;
        self.operand_a.next = self.instruction.val().a;
        self.s2_gathers.next = self.indexing.val().gathers;
        self.s2_places.next = self.indexing.val().gathers || self.indexing.val().scatters;
        self.s2_collects.next = self.s2_places.val() || (self.operand_a.val().source == Source::Address);
        self.s2_writes_address.next = self.instruction.val().address_enable;
        self.s2_collector.next = true;
        if self.s2_places.val() && !self.c_room.val() {
            self.s2_collector.next = false;
        }
        if (self.operand_a.val().source == Source::Shared) && self.c_storing.val() {
            self.s2_collector.next = false;
        }
        if self.indexing.val().increments && self.address_writes.q.val().any() {
            self.s2_collector.next = false;
        }
        if self.s2_writes_address.val() && self.c_incrementing.val() {
            self.s2_collector.next = false;
        }
        if self.indexing.val().scatters && self.s2_ends.val() && self.s_late_store.val() {
            self.s2_collector.next = false;
        }
        // The ways into the read stage and into the collector. Both find execution masks with one circuit.
        self.s2_path.next = self.s_slot.val() && !self.c_injects.val() && !self.s_hold.val();
        if self.s2_gathers.val() {
            self.s2_path.next = !self.c_injected.val();
        }
        if self.s2_collects.val() {
            self.s2_path.next = self.s2_path.val() && self.c_slot.val();
        }
        // The write port of the PCs, and the scoreboard's, serve a launch or a redirection first.
        self.port_busy.next = self.s_launch.val() || (self.resolved.val().valid && self.resolved.val().redirected);
        self.s2_may.next = self.candidate.val().valid
            && self.scoreboard.s_clear.val()
            && (!self.s2_ends.val() || self.scoreboard.s_drained.val())
            && (!self.s2_control.val() || !self.control_pending.q.val())
            && (!self.s2_barrier.val() || (!self.control_pending.q.val() && !self.s_barrier_busy.val()))
            && (!self.s2_memory.val() || self.memory_credits.q.val().any())
            && (!self.s2_special.val() || self.special_credits.q.val().any())
            && self.s2_collector.val()
            && !self.s2_bad.val();
        self.s2_issue.next = self.s2_may.val() && self.s2_path.val() && !self.port_busy.val() && !self.s_stop.val();
        self.s_collects.next = self.s2_issue.val() && self.s2_collects.val();
        self.s_reads.next = self.s2_issue.val() && !self.s2_gathers.val();
        self.scoreboard.s_issue.next = self.s2_issue.val();
        self.s2_mask.next = 0.into();
        if self.s2_issue.val() {
            self.s2_mask.next = self.one.val() << self.candidate.val().warp;
        }
        self.s2_fill.next = self.scoreboard.s_destination_exists.val() && !self.scoreboard.s_destination_live.val();
        self.issued.next.valid = self.s2_issue.val();
        self.issued.next.tag = self.tag.q.val();
        self.issued.next.warp = self.candidate.val().warp;
        self.issued.next.pc = self.candidate.val().pc;
        self.issued.next.a_live = self.scoreboard.s_a_live.val();
        self.issued.next.b_live = self.scoreboard.s_b_live.val();
        self.issued.next.c_live = self.scoreboard.s_c_live.val();
        self.issued.next.condition_live = self.scoreboard.s_condition_live.val();
        self.issued.next.fill = self.s2_fill.val();
        self.issued.next.address_live = self.scoreboard.s_address_live.val();
        self.issued.next.address_fill = !self.scoreboard.s_address_destination_live.val();
        self.issued.next.b_further_live = self.scoreboard.s_b_further_live.val();
        self.issued.next.further = self.scoreboard.s_further.val();
        self.issued.next.further_fill = self.scoreboard.s_further.val() & !self.scoreboard.s_further_live.val();
        self.issued.next.condition_fill = !self.scoreboard.s_condition_destination_live.val();
        // The collector's to say.
        self.issued.next.buffer = false;
        if !self.scoreboard.s_destination_exists.val() {
            self.instruction.next.register_enable = false;
        }
        self.issued.next.decoded = self.instruction.val();
        self.s_issued.next = self.issued.val();
        self.s_issued_word.next = self.s2_word.q.val();
        self.error.next = self.no_error.val();
        if self.candidate.val().valid && self.s2_bad.val() && !self.s_stop.val() {
            self.error.next.code = 2.into();
            if !self.s2_outside.val() && !self.s2_misaligned.val() {
                self.error.next.code = 1.into();
            }
            self.error.next.warp = self.candidate.val().warp;
            self.error.next.pc = self.candidate.val().pc;
        }
        self.s_error.next = self.error.val();
        if self.s2_issue.val() {
            self.tag.d.next = self.tag.q.val() + 1;
        }
        self.control_pending.d.next = self.control_pending.q.val() && !self.s_control_done.val();
        if self.s2_issue.val() && self.s2_control.val() {
            self.control_pending.d.next = true;
        }
        if self.s2_issue.val() && self.s2_memory.val() && !self.s_memory_dequeued.val() {
            self.memory_credits.d.next = self.memory_credits.q.val() - 1;
        }
        if self.s_memory_dequeued.val() {
            if !self.s2_issue.val() || !self.s2_memory.val() {
                self.memory_credits.d.next = self.memory_credits.q.val() + 1;
            }
        }
        if self.s2_issue.val() && self.s2_special.val() {
            if !self.s_special_dequeued.val() {
                self.special_credits.d.next = self.special_credits.q.val() - 1;
            }
        } else if self.s_special_dequeued.val() {
            self.special_credits.d.next = self.special_credits.q.val() + 1;
        }
        if self.s2_issue.val() && self.s2_writes_address.val() {
            if !self.s_address_done.val() {
                self.address_writes.d.next = self.address_writes.q.val() + 1;
            }
        } else if self.s_address_done.val() {
            self.address_writes.d.next = self.address_writes.q.val() - 1;
        }
        // The buffer's word is used up by a long instruction, or by the short one in its upper half.
        self.f_pop.next = self.s2_issue.val() && (self.instruction.val().long || self.candidate.val().pc.get_bit(2));
        self.f_pop_warp.next = self.candidate.val().warp;

        // A candidate that waits for the slot stays; one that is held back stays while nobody is behind it.
        self.s2_stays.next = self.candidate.val().valid
            && !self.s2_issue.val()
            && (self.s2_may.val() || self.s2_bad.val() || !self.s1.q.val().valid);
        self.s1_advances.next = !self.s2_stays.val();

        // s1: the next instruction of the chosen warp.
        self.f_read_warp.next = self.s1.q.val().warp;
        self.pc.read_address.next = self.s1.q.val().warp;
        self.s1_pc.next = self.pc.read_data.val();
        self.s1_upper.next = self.f_read_word.val().get_bits::<32>(32);
        self.s1_word.next = self.f_read_word.val();
        if self.s1_pc.val().get_bit(2) {
            self.s1_word.next = bit_cast::<64, 32>(self.s1_upper.val());
        } else if !self.f_read_word.val().get_bit(0) {
            self.s1_word.next = bit_cast::<64, 32>(self.f_read_word.val().get_bits::<32>(0));
        }
        self.decode.d_word.next = self.s1_word.val();
        if self.s1_advances.val() {
            self.s2.d.next.valid = self.s1.q.val().valid;
            self.s2.d.next.warp = self.s1.q.val().warp;
            self.s2.d.next.pc = self.s1_pc.val();
            self.s2.d.next.decoded = self.decode.d_decoded.val();
            self.s2_word.d.next = self.s1_word.val();
        }

        // s0: a warp with a word, that does not wait and is not on its way already.
        self.s0_busy.next = 0.into();
        if self.s1.q.val().valid {
            self.s0_busy.next = self.one.val() << self.s1.q.val().warp;
        }
        self.s0_busy_2.next = 0.into();
        if self.candidate.val().valid {
            self.s0_busy_2.next = self.one.val() << self.candidate.val().warp;
        }
        self.s0_ready.next = self.f_available.val() & self.alive.q.val();
        self.s0_ready.next = self.s0_ready.val() & !self.waiting.q.val();
        self.s0_ready.next = self.s0_ready.val() & !self.c_held.val();
        self.s0_ready.next = self.s0_ready.val() & !self.s0_busy.val();
        self.s0_ready.next = self.s0_ready.val() & !self.s0_busy_2.val();
        self.arbiter.request.next = self.s0_ready.val();
        self.s0_take.next = (self.s1_advances.val() || !self.s1.q.val().valid) && !self.s_stop.val();
        self.arbiter.take.next = self.s0_take.val();
        if self.s0_take.val() {
            self.s1.d.next.valid = self.arbiter.valid.val();
            self.s1.d.next.warp = self.arbiter.index.val();
        }

        // The warps' PCs and states.
        self.pc.write_enable.next = self.s2_issue.val();
        self.pc.write_address.next = self.candidate.val().warp;
        self.pc.write_data.next = self.s2_next_pc.val();
        if self.s_launch.val() {
            self.pc.write_enable.next = true;
            self.pc.write_address.next = self.s_launch_warp.val();
            self.pc.write_data.next = self.entry.val();
        } else if self.resolved.val().valid && self.resolved.val().redirected {
            self.pc.write_enable.next = true;
            self.pc.write_address.next = self.resolved.val().warp;
            self.pc.write_data.next = self.resolved.val().pc;
        }
        self.alive.d.next = (self.alive.q.val() | self.launch_mask.val()) & !self.ended_mask.val();
        self.still_waiting.next = self.waiting.q.val() & !self.resolved_mask.val();
        self.still_waiting.next = self.still_waiting.val() & !self.s_barrier_release.val();
        if self.s2_waits.val() || self.s2_barrier.val() {
            self.still_waiting.next = self.still_waiting.val() | self.s2_mask.val();
        }
        self.waiting.d.next = self.still_waiting.val();
        self.still_barred.next = self.barred.q.val() & !self.s_barrier_release.val();
        if self.s2_barrier.val() {
            self.still_barred.next = self.still_barred.val() | self.s2_mask.val();
        }
        self.barred.d.next = self.still_barred.val();

        // What this cycle counts as: `docs/counters.md`.
        self.unhindered.next = self.alive.q.val() & !self.waiting.q.val();
        self.unhindered.next = self.unhindered.val() & !self.c_held.val();
        self.branching.next = self.alive.q.val() & self.waiting.q.val();
        self.branching.next = self.branching.val() & !self.barred.q.val();
        self.cause.d.next = IssueCause::Barrier;
        if self.s2_issue.val() {
            self.cause.d.next = IssueCause::Issued;
        } else if !self.s_slot.val() {
            self.cause.d.next = IssueCause::ReadSlot;
        } else if self.c_injected.val() {
            self.cause.d.next = IssueCause::Collector;
        } else if self.s_stop.val() || !self.alive.q.val().any() {
            self.cause.d.next = IssueCause::NoWarp;
        } else if self.candidate.val().valid {
            if self.s2_bad.val() {
                self.cause.d.next = IssueCause::NoWarp;
            } else if self.s2_may.val() {
                self.cause.d.next = IssueCause::WritePort;
                if self.s2_collects.val() && !self.c_slot.val() {
                    self.cause.d.next = IssueCause::Collector;
                }
            } else if !self.scoreboard.s_clear.val() || (self.s2_ends.val() && !self.scoreboard.s_drained.val()) {
                self.cause.d.next = IssueCause::Scoreboard;
            } else if self.s2_memory.val() && !self.memory_credits.q.val().any() {
                self.cause.d.next = IssueCause::MemoryQueue;
            } else if self.s2_special.val() && !self.special_credits.q.val().any() {
                self.cause.d.next = IssueCause::SpecialFunction;
            } else if !self.s2_collector.val() {
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
        self.s_idle.next = !self.s1.q.val().valid && !self.candidate.val().valid;
        if self.s_clear.val() {
            self.alive.d.next = 0.into();
            self.waiting.d.next = 0.into();
            self.barred.d.next = 0.into();
            self.s1.d.next.valid = false;
            self.s2.d.next.valid = false;
            self.tag.d.next = 0.into();
            self.control_pending.d.next = false;
            self.memory_credits.d.next = self.memory_places.val();
            self.special_credits.d.next = self.special_places.val();
            self.address_writes.d.next = 0.into();
        }
    }
}
