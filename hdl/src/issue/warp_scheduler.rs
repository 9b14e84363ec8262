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
//! Whether s4 issues depends on what s3 has found and on the room available in this very cycle, so that it is known early:
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
use crate::execute::special_function_queue::PLACES;
use crate::issue::credits::Credits;
use crate::issue::decode::Decode;
use crate::issue::scoreboard::Scoreboard;
use flexgrip_machine::code;
use hdlkit::prelude::*;

/// A chosen warp, between s0 and s1.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ChosenWarp {
    pub valid: Bit,
    pub warp: Bits<5>,
}

/// A warp's next instruction, between s1 and s2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FetchedInstruction {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    /// The instruction, in the low bits.
    pub word: Bits<64>,
}

/// A decoded instruction, between s2 and s3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DecodedInstruction {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub decoded: Decoded,
}

/// A candidate for issue, between s3 and s4: an instruction, and what follows from it alone.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IssueCandidate {
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
    /// It is for the branch unit.
    pub control: Bit,
    /// It may end the warp.
    pub ends: Bit,
    /// The warp waits until the branch unit has resolved where it continues.
    pub waits: Bit,
    /// A BAR.
    pub barrier: Bit,
    /// It is for the memory unit.
    pub memory: Bit,
    /// It is for the special function units.
    pub special: Bit,
    /// It cannot issue: not an instruction, outside the program, or across two words where that is not allowed.
    pub bad: Bit,
    pub outside: Bit,
    pub misaligned: Bit,
    /// It is handed to the collector.
    pub collects: Bit,
    /// It is handed to the collector alone, which hands it to the read stage later.
    pub gathers: Bit,
    /// It takes a collector place.
    pub places: Bit,
    /// It reads a shared memory word that is the same for all threads.
    pub shared: Bit,
    /// It increments an address register.
    pub increments: Bit,
    /// It writes an address register through the pipeline.
    pub writes_address: Bit,
    /// An R2G that may end its warp.
    pub stores_late: Bit,
}

/// What follows from a decoded instruction, its PC and the launch's code.
#[hdl_fn]
fn candidate_of(s3: DecodedInstruction, code_end: Bits<24>, unaligned_code: Bit) -> IssueCandidate {
    let decoded = s3.decoded;
    let indexing = decoded.indexing;
    let marked = decoded.exit_marker || decoded.join_marker;
    let (s3_control, s3_waits, s3_ends) = match decoded.control {
        // For the branch unit only if it has a marker. A BAR is for the barrier unit.
        ControlOperation::Marker | ControlOperation::Barrier => (marked, marked, decoded.exit_marker),
        // Execution continues after a push.
        ControlOperation::PushJoin | ControlOperation::PushBreak => (true, marked, decoded.exit_marker),
        ControlOperation::Return | ControlOperation::Kill => (true, true, true),
        _ => (true, true, decoded.exit_marker),
    };
    let s3_size = if decoded.long { bits::<24>(8) } else { bits(4) };
    let s3_next_pc = s3.pc + s3_size;
    let s3_misaligned = decoded.long && s3.pc.get_bit(2) && !unaligned_code;
    let s3_outside = s3.pc >= code_end || s3_next_pc > code_end || s3.pc.low::<2>().any();
    // Words for all threads are read from shared memory at once, so they wait for the collector's stores; the address
    // file has one write port.
    let s3_places = indexing.gathers || indexing.scatters;
    IssueCandidate {
        valid: s3.valid,
        warp: s3.warp,
        mask: s3.warp.one_hot::<32>(),
        pc: s3.pc,
        next_pc: s3_next_pc,
        pops: decoded.long || s3.pc.get_bit(2),
        decoded,
        control: s3_control,
        ends: s3_ends,
        waits: s3_waits,
        barrier: decoded.control == ControlOperation::Barrier,
        memory: decoded.unit == Unit::Memory,
        special: decoded.unit == Unit::SpecialFunction,
        bad: s3_outside || s3_misaligned || decoded.illegal,
        outside: s3_outside,
        misaligned: s3_misaligned,
        collects: s3_places || decoded.a.source == Source::Address,
        gathers: indexing.gathers,
        places: s3_places,
        shared: decoded.a.source == Source::Shared,
        increments: indexing.increments,
        writes_address: decoded.address_enable,
        stores_late: indexing.scatters && s3_ends,
    }
}

/// The warp scheduler of an SM.
#[circuit]
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
    launch: DFF<ChosenWarp>,
    s1: DFF<ChosenWarp>,
    s2: DFF<FetchedInstruction>,
    s3: DFF<DecodedInstruction>,
    s3_word: DFF<Bits<64>>,
    s4: DFF<IssueCandidate>,
    s4_word: DFF<Bits<64>>,
    tag: DFF<Bits<16>>,
    control_pending: DFF<Bit>,
    memory_credits: Credits<5>,
    special_credits: Credits<5>,
    /// Instructions that the memory unit has room for.
    memory_places: Constant<Bits<5>>,
    /// Results for address registers in flight.
    address_writes: DFF<Bits<6>>,
}

impl WarpScheduler {
    /// A scheduler whose memory unit has room for `memory_places` instructions.
    pub fn new(memory_places: usize) -> Self {
        WarpScheduler { memory_places: Constant::new((memory_places as u64).into()), ..Default::default() }
    }
}

impl Logic for WarpScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        // A warp begins here a cycle later than elsewhere, because its launch is known late. Until then fetch has no
        // word for it, and the branch unit, which was idle when it began, has no result.
        self.launch.d.next = ChosenWarp { valid: self.s_launch.val(), warp: self.s_launch_warp.val() };
        let launching = self.launch.q.val();
        let resolved = self.s_resolved.val();
        let chosen = self.s1.q.val();
        let fetched = self.s2.q.val();
        let queried = self.s3.q.val();
        let candidate = self.s4.q.val();

        // s4 issues if it may and if the instruction's path is free. The write ports of the PCs and of the scoreboard
        // serve a launch or a redirection first.
        let s4_collector = self.collector_serves(candidate);
        let s4_may = self.units_serve(candidate, s4_collector);
        let port_busy = launching.valid || (resolved.valid && resolved.redirected);
        let s4_path = self.path_is_free(candidate);
        let s4_issue = s4_may && s4_path && !port_busy && !self.s_stop.val();
        self.issue(candidate, s4_issue);
        self.report_bad_candidate(candidate);
        self.count_in_flight(candidate, s4_issue);

        // A candidate that waits for the read slot stays. One that is held back stays while no other follows it, or none
        // can come.
        let s4_stays = candidate.valid && !s4_issue && (s4_may || candidate.bad || !queried.valid || launching.valid);
        let s3_moves = !s4_stays && !launching.valid;
        let s2_moves = s3_moves || !queried.valid;
        let s1_moves = s2_moves || !fetched.valid;
        self.query_scoreboard(queried, launching, s4_stays, s3_moves);
        self.decode_word(fetched, s2_moves);
        let s1_waits = self.take_word(chosen, s1_moves);
        let s0_take = ((s1_moves && !s1_waits) || !chosen.valid) && !self.s_stop.val();
        self.choose_warp(s0_take, mask(candidate.valid && !s4_stays, candidate.mask));

        self.track_pcs(candidate, launching, resolved, s4_issue);
        self.track_warps(candidate, launching, resolved, mask(s4_issue, candidate.mask));
        self.account(candidate, s4_issue, s4_may, s4_collector);
        self.s_idle.next = !launching.valid && !chosen.valid && !fetched.valid && !queried.valid && !candidate.valid;
        if self.s_clear.val() {
            self.clear();
        }
    }
}

impl WarpScheduler {
    /// True if the collector serves the candidate in s4. Its state may change with each issue, so it is checked here.
    #[hdl_part]
    fn collector_serves(&mut self, candidate: IssueCandidate) -> Bit {
        !(candidate.places && !self.c_room.val()
            || candidate.shared && self.c_storing.val()
            || candidate.increments && self.address_writes.q.val().any()
            || candidate.writes_address && self.c_incrementing.val()
            || candidate.stores_late && self.s_late_store.val())
    }

    /// True if the candidate in s4 may issue: its registers are ready, and the units that it is for serve it.
    #[hdl_part]
    fn units_serve(&mut self, candidate: IssueCandidate, s4_collector: Bit) -> Bit {
        let control_pending = self.control_pending.q.val();
        candidate.valid
            && self.scoreboard.s_clear.val()
            && (!candidate.ends || self.scoreboard.s_drained.val())
            && (!candidate.control || !control_pending)
            && (!candidate.barrier || (!control_pending && !self.s_barrier_busy.val()))
            && (!candidate.memory || self.memory_credits.left.val())
            && (!candidate.special || self.special_credits.left.val())
            && s4_collector
            && !candidate.bad
    }

    /// True if the path into the read stage or into the collector is free. Both share one circuit for execution masks.
    #[hdl_part]
    fn path_is_free(&mut self, candidate: IssueCandidate) -> Bit {
        let path = if candidate.gathers {
            !self.c_injected.val()
        } else {
            self.s_slot.val() && !self.c_injects.val() && !self.s_hold.val()
        };
        path && (!candidate.collects || self.c_slot.val())
    }

    /// Stage s4: the instruction, with the scoreboard's answer for it.
    #[hdl_part]
    fn issue(&mut self, candidate: IssueCandidate, s4_issue: Bit) {
        self.scoreboard.s_issue.next = s4_issue;
        self.s_collects.next = s4_issue && candidate.collects;
        self.s_places.next = s4_issue && candidate.places;
        self.s_gathers.next = s4_issue && candidate.gathers;
        self.s_reads.next = s4_issue && !candidate.gathers;
        let exists = self.scoreboard.s_destination_exists.val();
        self.s_issued.next = Issued {
            valid: s4_issue,
            tag: self.tag.q.val(),
            warp: candidate.warp,
            pc: candidate.pc,
            decoded: Decoded { register_enable: exists && candidate.decoded.register_enable, ..candidate.decoded },
            a_live: self.scoreboard.s_a_live.val(),
            b_live: self.scoreboard.s_b_live.val(),
            c_live: self.scoreboard.s_c_live.val(),
            condition_live: self.scoreboard.s_condition_live.val(),
            fill: exists && !self.scoreboard.s_destination_live.val(),
            b_further_live: self.scoreboard.s_b_further_live.val(),
            further: self.scoreboard.s_further.val(),
            further_fill: self.scoreboard.s_further.val() & !self.scoreboard.s_further_live.val(),
            condition_fill: !self.scoreboard.s_condition_destination_live.val(),
            address_live: self.scoreboard.s_address_live.val(),
            address_fill: !self.scoreboard.s_address_destination_live.val(),
            // Set by the collector.
            buffer: false,
        };
        self.s_issued_word.next = self.s4_word.q.val();
        if s4_issue {
            self.tag.d.next = self.tag.q.val() + 1;
        }
        self.f_pop.next = s4_issue && candidate.pops;
        self.f_pop_warp.next = candidate.warp;
    }

    /// The error of a candidate that cannot issue.
    #[hdl_part]
    fn report_bad_candidate(&mut self, candidate: IssueCandidate) {
        self.s_error.next = KernelError::default();
        if candidate.valid && candidate.bad && !self.s_stop.val() {
            self.s_error.next.code = if candidate.outside || candidate.misaligned {
                bits(code::PROGRAM_COUNTER as u64)
            } else {
                bits(code::ILLEGAL_INSTRUCTION as u64)
            };
            self.s_error.next.warp = candidate.warp;
            self.s_error.next.pc = candidate.pc;
        }
    }

    /// Instructions in flight that limit issue: one for the branch unit, those in the queues of the memory and special
    /// function units, and those that write address registers.
    #[hdl_part]
    fn count_in_flight(&mut self, candidate: IssueCandidate, s4_issue: Bit) {
        self.control_pending.d.next =
            s4_issue && candidate.control || self.control_pending.q.val() && !self.s_control_done.val();
        self.memory_credits.places.next = self.memory_places.val();
        self.memory_credits.clear.next = self.s_clear.val();
        self.memory_credits.take.next = s4_issue && candidate.memory;
        self.memory_credits.give.next = self.s_memory_dequeued.val();
        self.special_credits.places.next = bits(PLACES as u64);
        self.special_credits.clear.next = self.s_clear.val();
        self.special_credits.take.next = s4_issue && candidate.special;
        self.special_credits.give.next = self.s_special_dequeued.val();
        let begins = s4_issue && candidate.writes_address;
        let done = self.s_address_done.val();
        if begins && !done {
            self.address_writes.d.next = self.address_writes.q.val() + 1;
        } else if done && !begins {
            self.address_writes.d.next = self.address_writes.q.val() - 1;
        }
    }

    /// Stage s3: queries the scoreboard, except in the cycle of a launch. If s3 is empty, its registers still hold the
    /// instruction that is or last was in s4, and s3 repeats the query for that one.
    #[hdl_part]
    fn query_scoreboard(&mut self, queried: DecodedInstruction, launching: ChosenWarp, s4_stays: Bit, s3_moves: Bit) {
        let s3_asks = !launching.valid && (!s4_stays || !queried.valid);
        self.scoreboard.registers.next = self.registers.val();
        self.scoreboard.s_ask.next = s3_asks;
        self.scoreboard.s_warp.next = queried.warp;
        self.scoreboard.s_decoded.next = queried.decoded;
        self.scoreboard.s_launch.next = launching.valid;
        self.scoreboard.s_launch_warp.next = launching.warp;
        self.scoreboard.s_release.next = self.s_release.val();
        let found = candidate_of(queried, self.code_end.val(), self.unaligned_code.val());
        if s3_asks {
            self.s4.d.next = found;
            self.s4_word.d.next = self.s3_word.q.val();
        }
        self.s4.d.next.valid = s4_stays || (s3_moves && queried.valid);
    }

    /// Stage s2: decode.
    #[hdl_part]
    fn decode_word(&mut self, fetched: FetchedInstruction, s2_moves: Bit) {
        self.decode.d_word.next = fetched.word;
        if s2_moves {
            self.s3.d.next.valid = fetched.valid;
        }
        // Else s3 keeps its instruction for the scoreboard's queries.
        if s2_moves && fetched.valid {
            self.s3.d.next.warp = fetched.warp;
            self.s3.d.next.pc = fetched.pc;
            self.s3.d.next.decoded = self.decode.d_decoded.val();
            self.s3_word.d.next = fetched.word;
        }
    }

    /// Stage s1: the next instruction of the chosen warp. True if it waits: its second half may still be in flight. Fetch
    /// delivers it regardless of this stage.
    #[hdl_part]
    fn take_word(&mut self, chosen: ChosenWarp, s1_moves: Bit) -> Bit {
        self.pc.read_address.next = chosen.warp;
        let s1_pc = self.pc.read_data.val();
        let s1_odd = s1_pc.get_bit(2);
        self.f_read_warp.next = chosen.warp;
        self.f_read_odd.next = s1_odd;
        let lower = self.f_read_lower.val();
        let upper = self.f_read_upper.val();
        let (s1_low, s1_high) = if s1_odd { (upper, lower) } else { (lower, upper) };
        let s1_long = s1_low.get_bit(0);
        let s1_word: Bits<64> = mask(s1_long, s1_high).concat(s1_low);
        let s1_waits = chosen.valid && s1_odd && s1_long && self.unaligned_code.val() && !self.f_read_both.val();
        if s1_moves {
            self.s2.d.next =
                FetchedInstruction { valid: chosen.valid && !s1_waits, warp: chosen.warp, pc: s1_pc, word: s1_word };
        }
        s1_waits
    }

    /// Stage s0: chooses a warp that has a word, does not wait and is not already in s1 to s4. One that leaves s4 can be
    /// chosen from the next cycle on.
    #[hdl_part]
    fn choose_warp(&mut self, s0_take: Bit, s4_leaves: Bits<32>) {
        let s0_ready = self.f_available.val()
            & self.alive.q.val()
            & !self.waiting.q.val()
            & !self.c_held.val()
            & !self.taken.q.val();
        self.arbiter.request.next = s0_ready;
        self.arbiter.take.next = s0_take;
        self.taken.d.next = (self.taken.q.val() & !s4_leaves) | mask(s0_take, self.arbiter.grant.val());
        if s0_take {
            self.s1.d.next.valid = self.arbiter.valid.val();
            self.s1.d.next.warp = self.arbiter.index.val();
        }
    }

    /// The warps' PCs: of the next instruction at issue, the entry at a launch, the target of a redirection.
    #[hdl_part]
    fn track_pcs(&mut self, candidate: IssueCandidate, launching: ChosenWarp, resolved: Resolved, s4_issue: Bit) {
        let redirected = resolved.valid && resolved.redirected;
        self.pc.write_enable.next = s4_issue || launching.valid || redirected;
        let (warp, pc) = if launching.valid {
            (launching.warp, self.entry.val())
        } else if redirected {
            (resolved.warp, resolved.pc)
        } else {
            (candidate.warp, candidate.next_pc)
        };
        self.pc.write_address.next = warp;
        self.pc.write_data.next = pc;
    }

    /// The warps' states. `issued` is the warp whose candidate issues.
    #[hdl_part]
    fn track_warps(&mut self, candidate: IssueCandidate, launching: ChosenWarp, resolved: Resolved, issued: Bits<32>) {
        let launched = mask(launching.valid, launching.warp.one_hot::<32>());
        let resumed = mask(resolved.valid, resolved.warp.one_hot::<32>());
        let released = self.s_barrier_release.val();
        self.alive.d.next = (self.alive.q.val() | launched) & !mask(resolved.ended, resumed);
        self.waiting.d.next =
            self.waiting.q.val() & !resumed & !released | mask(candidate.waits || candidate.barrier, issued);
        self.barred.d.next = self.barred.q.val() & !released | mask(candidate.barrier, issued);
    }

    /// How this cycle is counted (`docs/counters.md`).
    #[hdl_part]
    fn account(&mut self, candidate: IssueCandidate, s4_issue: Bit, s4_may: Bit, s4_collector: Bit) {
        let unhindered = self.alive.q.val() & !self.waiting.q.val() & !self.c_held.val();
        let branching = self.alive.q.val() & self.waiting.q.val() & !self.barred.q.val();
        self.cause.d.next = IssueCause::Barrier;
        if s4_issue {
            self.cause.d.next = IssueCause::Issued;
        } else if !self.s_slot.val() {
            self.cause.d.next = IssueCause::ReadSlot;
        } else if self.c_injected.val() {
            self.cause.d.next = IssueCause::Collector;
        } else if self.s_stop.val() || !self.alive.q.val().any() {
            self.cause.d.next = IssueCause::NoWarp;
        } else if candidate.valid {
            if candidate.bad {
                self.cause.d.next = IssueCause::NoWarp;
            } else if s4_may && candidate.collects && !self.c_slot.val() {
                self.cause.d.next = IssueCause::Collector;
            } else if s4_may {
                self.cause.d.next = IssueCause::WritePort;
            } else if !self.scoreboard.s_clear.val() || (candidate.ends && !self.scoreboard.s_drained.val()) {
                self.cause.d.next = IssueCause::Scoreboard;
            } else if candidate.memory && !self.memory_credits.left.val() {
                self.cause.d.next = IssueCause::MemoryQueue;
            } else if candidate.special && !self.special_credits.left.val() {
                self.cause.d.next = IssueCause::SpecialFunction;
            } else if !s4_collector {
                self.cause.d.next = IssueCause::Collector;
            } else if self.control_pending.q.val() {
                self.cause.d.next = IssueCause::Branch;
            }
        } else if unhindered.any() {
            self.cause.d.next = IssueCause::Fetch;
        } else if self.c_held.val().any() {
            self.cause.d.next = IssueCause::Collector;
        } else if branching.any() {
            self.cause.d.next = IssueCause::Branch;
        }
        self.s_cause.next = self.cause.q.val();
    }

    /// Start of a grid: no warps, nothing in flight.
    #[hdl_part]
    fn clear(&mut self) {
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
