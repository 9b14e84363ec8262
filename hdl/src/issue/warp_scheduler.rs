//! The warp scheduler: chooses a ready warp, decodes its next instruction, queries the scoreboard, and issues.
//!
//! ```text
//! cycle  s0               s1                s2       s3                     s4
//!        choose among     word from the     decode   query the scoreboard;  issue, wait for the slot,
//!        the ready warps  warp's buffer              find its units         or make way for another warp
//! ```
//! One candidate passes per cycle. An instruction occupies the read stage for 32/LANES cycles, so with 8 lanes four
//! candidates can be tried for each issue. A candidate that the scoreboard or a unit blocks is replaced as soon as
//! another one follows it, and replayed: its instruction is still in the buffer, and its warp competes in s0 again. A
//! candidate that only waits for the read stage stays, and stalls the ones after it.
//!
//! The decision to issue in s4 depends only on registers that s3 has written and on the resources that are free in this
//! cycle. It must be known early in the cycle, because everything that an issue changes depends on it. A warp has at
//! most one instruction in s1 to s4 (`taken`), so the scoreboard's answer for it can only improve. While s3 is empty,
//! its registers still hold the candidate in s4, and s3 repeats the query for it.
//!
//! In launches with unaligned long instructions (`unaligned_code`), a long instruction that begins in the upper half of
//! its word waits in s1 until fetch also has the following word, and stalls the warps after it. At issue it removes its
//! first word from the buffer, like any other long instruction, and leaves the upper half of the following word for the
//! next instruction.
//!
//! A warp that has issued an instruction for the branch unit (BRA, RET, a join or exit marker) waits until the unit has
//! resolved its next PC. A warp that has issued a BAR waits until the barrier unit releases it. All other warps keep
//! issuing, in order within a warp.

use crate::arbiter::RoundRobinArbiter;
use crate::bundles::*;
use crate::count::up_down;
use crate::execute::special_function_queue::PLACES;
use crate::issue::credits::Credits;
use crate::issue::decode::Decode;
use crate::issue::fetch::BufferReaderPort;
use crate::issue::scoreboard::{DecodedInstruction, Scoreboard, ScoreboardAnswer};
use crate::operands::operand_collector::CollectMasterPort;
use crate::optional::optional;
use flexgrip_machine::{code, Capability};
use hdlkit::prelude::*;

/// Pipeline register between s1 and s2: a warp's next instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FetchedInstruction {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    /// The instruction word. Bits 63..32 of a short instruction are 0.
    pub word: Bits<64>,
}

/// Pipeline register between s3 and s4: a candidate for issue, with the resources that it needs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct IssueCandidate {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// The warp, one-hot.
    pub mask: Bits<32>,
    pub pc: Bits<24>,
    /// PC of the next instruction.
    pub next_pc: Bits<24>,
    /// The instruction removes the head of the warp's buffer: it is long, or short in the upper half.
    pub pops: Bit,
    pub word: Bits<64>,
    pub decoded: Decoded,
    /// The instruction is for the branch unit; it may end the warp; the warp waits until the unit has resolved its next
    /// PC.
    pub control: Bit,
    pub ends: Bit,
    pub waits: Bit,
    /// The instruction is a BAR; is for the memory unit; is for the special function units or the double-precision
    /// unit.
    pub barrier: Bit,
    pub memory: Bit,
    pub special: Bit,
    /// The instruction cannot issue, because of an error: its PC is outside the program; it is long and misaligned;
    /// otherwise it is illegal.
    pub bad: Bit,
    pub outside: Bit,
    pub misaligned: Bit,
    /// The instruction issues to the operand collector. If it gathers, it issues only to the collector, which injects
    /// it into the read stage later.
    pub collects: Bit,
    /// The instruction occupies an entry of the operand collector.
    pub places: Bit,
    /// The instruction reads one word of shared memory for all threads.
    pub shared: Bit,
}

/// Returns the candidate of a decoded instruction. The program ends before byte address `code_end`.
#[hdl_fn]
fn candidate_of(s3: DecodedInstruction, code_end: Bits<24>, unaligned_code: Bit) -> IssueCandidate {
    let decoded = s3.decoded;
    let indexing = decoded.indexing;
    let marked = decoded.exit_marker || decoded.join_marker;
    let (s3_control, s3_waits) = match decoded.control {
        // These use the branch unit only if they have a marker. A BAR uses the barrier unit.
        ControlOperation::Marker | ControlOperation::Barrier => (marked, marked),
        // A push does not change the PC, so the warp need not wait.
        ControlOperation::PushJoin | ControlOperation::PushBreak => (true, marked),
        _ => (true, true),
    };
    let s3_next_pc = s3.pc + if decoded.long { bits::<24>(8) } else { bits(4) };
    let s3_misaligned = decoded.long && s3.pc.get_bit(2) && !unaligned_code;
    let s3_outside = s3.pc >= code_end || s3_next_pc > code_end || s3.pc.low::<2>().any();
    let s3_places = indexing.gathers || indexing.scatters;
    IssueCandidate {
        valid: s3.valid,
        warp: s3.warp,
        mask: s3.warp.one_hot::<32>(),
        pc: s3.pc,
        next_pc: s3_next_pc,
        pops: decoded.long || s3.pc.get_bit(2),
        word: s3.word,
        decoded,
        control: s3_control,
        ends: may_end(decoded),
        waits: s3_waits,
        barrier: decoded.control == ControlOperation::Barrier,
        memory: decoded.unit == Unit::Memory,
        special: decoded.unit == Unit::SpecialFunction,
        bad: s3_outside || s3_misaligned || decoded.illegal,
        outside: s3_outside,
        misaligned: s3_misaligned,
        collects: s3_places || decoded.a.source == Source::Address,
        places: s3_places,
        shared: decoded.a.source == Source::Shared,
    }
}

/// State of the SM's warps, one bit for each.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpStates {
    /// Launched and not ended.
    pub alive: Bits<32>,
    /// Waits for the branch unit or the barrier unit.
    pub waiting: Bits<32>,
    /// Waits for the barrier unit.
    pub at_barrier: Bits<32>,
    /// Has an instruction in s1 to s4.
    pub taken: Bits<32>,
}

/// The warp scheduler of an SM.
#[circuit]
pub struct WarpScheduler {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub s_clear: Signal<In, Bit>,
    /// The launch: registers per thread, entry, end and alignment of the code.
    pub configuration: Signal<In, LaunchConfiguration>,
    /// No instruction may issue: an error, or an abort.
    pub s_stop: Signal<In, Bit>,
    pub begins: Signal<In, WarpBegin>,
    /// The instruction buffers of fetch.
    pub heads: BufferReaderPort,
    /// The read stage can take an instruction in the next cycle.
    pub r_slot: Signal<In, Bit>,
    pub s_issued: Signal<Out, Issued>,
    pub s_issued_word: Signal<Out, Bits<64>>,
    /// Results from outside the pipeline wait for the write port. While high, no instruction issues to the read stage,
    /// which leaves a gap.
    pub s_hold: Signal<In, Bit>,
    /// `s_issued` is for the read stage: it does not wait in the collector for its operand.
    pub s_reads: Signal<Out, Bit>,
    /// The port to the operand collector.
    pub collect: CollectMasterPort,
    /// The collector has an instruction for the read stage, which has priority; the read stage takes it in this cycle.
    pub c_injects: Signal<In, Bit>,
    pub c_injected: Signal<In, Bit>,
    /// The end of a warp waits for stores to shared memory in flight. The SM tracks one such end, so no other
    /// instruction that may end a warp issues while stores to shared memory are in flight.
    pub s_late_store: Signal<In, Bit>,
    /// Capacity of the memory unit's queue in instructions, constant.
    pub memory_places: Signal<In, Bits<5>>,
    /// The entries of an instruction in the memory unit's queue are free again; so is an entry of the special function
    /// units or of the double-precision unit.
    pub m_dequeued: Signal<In, Bit>,
    pub s_special_dequeued: Signal<In, Bit>,
    /// The branch unit has resolved an instruction.
    pub b_resolved: Signal<In, Resolved>,
    /// Warps that the barrier unit releases.
    pub bar_release: Signal<In, Bits<32>>,
    /// The barrier unit cannot take a BAR.
    pub bar_busy: Signal<In, Bit>,
    /// Destinations whose result has been written.
    pub w_release: Signal<In, Release>,
    /// The last beat of a result for an address register is written.
    pub w_address_done: Signal<In, Bit>,
    /// The error of an instruction that cannot issue; code 0 for none.
    pub s_error: Signal<Out, KernelError>,
    /// No warp is in s1 to s4, and no warp begins.
    pub s_idle: Signal<Out, Bit>,
    /// The use of the last cycle's issue slot, for the counters.
    pub s_cause: Signal<Out, IssueCause>,

    arbiter: RoundRobinArbiter,
    decode: Decode,
    scoreboard: Scoreboard,
    pc: LutRam<5, Bits<24>>,
    warps: DFF<WarpStates>,
    /// Registered, so that the counters' inputs are stable from the beginning of the cycle.
    cause: DFF<IssueCause>,
    /// The warp that began in the previous cycle.
    launch: DFF<WarpSelect>,
    s1: DFF<WarpSelect>,
    s2: DFF<FetchedInstruction>,
    s3: DFF<DecodedInstruction>,
    s4: DFF<IssueCandidate>,
    tag: DFF<Bits<16>>,
    control_pending: DFF<Bit>,
    memory_credits: Credits<5>,
    special_credits: Credits<5>,
    /// Number of results for address registers in flight.
    address_writes: DFF<Bits<6>>,

    /// Locks exist: capability 1.2. If they do: a G2R.LCK, or the end of a warp with a lock, is in flight; an
    /// instruction that may end a warp is on its way to the branch unit.
    locks: Constant<Bit>,
    pub s_locking: Vec<Signal<In, Bit>>,
    end_in_flight: Vec<DFF<Bit>>,
}

impl Logic for WarpScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        // The scheduler starts a warp one cycle later than other units, because the launch arrives late in the cycle.
        // Until then fetch has no word for it, and the branch unit, which was idle when it began, has no result for it.
        let begins = self.begins.val();
        self.launch.d.next = WarpSelect { valid: begins.valid, warp: begins.launch.warp };
        let launching = self.launch.q.val();
        let resolved = self.b_resolved.val();
        let chosen = self.s1.q.val();
        let fetched = self.s2.q.val();
        let queried = self.s3.q.val();
        let candidate = self.s4.q.val();
        let answer = self.scoreboard.s_answer.val();

        // s4 issues if the candidate may issue and its path is free. A launch has priority at the write ports of the
        // scoreboard and of the PCs, a redirection at the latter. An instruction that may end its warp waits for the
        // warp's results, because the next warp in the slot has the same registers.
        let s4_ready = answer.clear && (!candidate.ends || answer.drained);
        let s4_collector = self.collector_serves(candidate);
        let s4_may = candidate.valid && s4_ready && s4_collector && self.units_serve(candidate) && !candidate.bad;
        // The read stage and the collector share one circuit for execution masks.
        let slot_free = self.r_slot.val() && !self.c_injects.val() && !self.s_hold.val();
        let mut mask_free = if candidate.decoded.indexing.gathers { !self.c_injected.val() } else { slot_free };
        if self.locks.val() {
            mask_free = mask_free && self.keeps_lock_order(candidate);
        }
        let s4_path = mask_free && (!candidate.collects || self.collect.slot.val());
        let port_busy = launching.valid || (resolved.valid && resolved.redirected);
        let s4_issue = s4_may && s4_path && !port_busy && !self.s_stop.val();
        self.issue(candidate, answer, s4_issue);
        self.count_in_flight(candidate, s4_issue);
        if self.locks.val() {
            self.end_in_flight[0].d.next =
                !self.s_clear.val() && (s4_issue && candidate.ends || self.end_in_flight[0].q.val() && !resolved.valid);
        }

        // A candidate that waits for the read slot stays. A blocked candidate stays unless another one can replace it.
        let s4_stays = candidate.valid && !s4_issue && (s4_may || candidate.bad || !queried.valid || launching.valid);
        let s3_moves = !s4_stays && !launching.valid;
        let s2_moves = s3_moves || !queried.valid;
        let s1_moves = s2_moves || !fetched.valid;
        self.query_scoreboard(queried, launching, s4_stays, s3_moves);
        self.decode_word(fetched, s2_moves);
        let s1_waits = self.take_word(chosen, s1_moves);
        let s0_take = ((s1_moves && !s1_waits) || !chosen.valid) && !self.s_stop.val();
        let taken = self.choose_warp(s0_take, mask(candidate.valid && !s4_stays, candidate.mask));
        self.track_warps(candidate, launching, s4_issue, taken);
        self.account(candidate, s4_issue, s4_may, s4_ready, s4_collector);
        if self.locks.val() {
            let waits = s4_may && !self.keeps_lock_order(candidate) && !self.s_stop.val();
            if waits && self.r_slot.val() && !self.c_injected.val() {
                self.cause.d.next = IssueCause::Collector;
            }
        }
        self.s_idle.next = !launching.valid && !chosen.valid && !fetched.valid && !queried.valid && !candidate.valid;
        if self.s_clear.val() {
            self.clear();
        }
    }
}

impl WarpScheduler {
    /// Returns a scheduler for the instructions of this capability.
    pub fn new(capability: Capability) -> Self {
        let locks = capability.has_locks();
        WarpScheduler {
            decode: Decode::new(capability),
            scoreboard: Scoreboard::new(capability),
            locks: Constant::new(locks),
            s_locking: optional(locks),
            end_in_flight: optional(locks),
            ..Default::default()
        }
    }

    /// True if the collector allows the candidate to issue. Each issue may change the collector's state, so it is
    /// checked in s4 and not in s3. A uniform read of shared memory bypasses the collector and waits for its stores.
    /// Increments and results of address registers wait for each other, because the address file has one write port.
    /// For ends of warps see `s_late_store`.
    #[hdl_part]
    fn collector_serves(&mut self, candidate: IssueCandidate) -> Bit {
        !(candidate.places && !self.collect.room.val()
            || candidate.shared && self.collect.storing.val()
            || candidate.decoded.indexing.increments && self.address_writes.q.val().any()
            || candidate.decoded.address_enable && self.collect.incrementing.val()
            || candidate.ends
                && (candidate.decoded.indexing.scatters || self.collect.storing.val())
                && self.s_late_store.val())
    }

    /// True if the candidate keeps the order of locks. The end of a warp releases its lock, past the collector: it must
    /// not overtake a G2R.LCK of another warp, nor be overtaken by one. A candidate that waits for this stays in s4: if
    /// others could replace it, G2R.LCKs of enough warps would keep a warp from ending for ever.
    #[hdl_part]
    fn keeps_lock_order(&self, candidate: IssueCandidate) -> Bit {
        let indexing = candidate.decoded.indexing;
        let locks = indexing.gathers && is_locked(indexing);
        !(candidate.ends && self.s_locking[0].val() || locks && self.end_in_flight[0].q.val())
    }

    /// True if the candidate's unit can accept it.
    #[hdl_part]
    fn units_serve(&mut self, candidate: IssueCandidate) -> Bit {
        let control_pending = self.control_pending.q.val();
        (!candidate.control || !control_pending)
            && (!candidate.barrier || (!control_pending && !self.bar_busy.val()))
            && (!candidate.memory || self.memory_credits.left.val())
            && (!candidate.special || self.special_credits.left.val())
    }

    /// Stage s4: issues the instruction with the scoreboard's answer, or reports the error of one that cannot issue.
    #[hdl_part]
    fn issue(&mut self, candidate: IssueCandidate, answer: ScoreboardAnswer, s4_issue: Bit) {
        let decoded = candidate.decoded;
        self.scoreboard.s_issue.next = s4_issue;
        let issued = Issued {
            valid: s4_issue,
            tag: self.tag.q.val(),
            warp: candidate.warp,
            pc: candidate.pc,
            decoded: Decoded { register_enable: answer.destination_exists && decoded.register_enable, ..decoded },
            a_live: answer.a_live,
            b_live: answer.b_live,
            c_live: answer.c_live,
            condition_live: answer.condition_live,
            fill: answer.destination_exists && !answer.destination_live,
            b_further_live: answer.b_further_live,
            further: answer.further,
            further_fill: answer.further & !answer.further_live,
            condition_fill: !answer.condition_destination_live,
            address_live: answer.address_live,
            address_fill: !answer.address_destination_live,
            // Set by the collector.
            buffer: false,
        };
        self.s_issued.next = issued;
        self.s_reads.next = s4_issue && !decoded.indexing.gathers;
        self.collect.issued.next = if s4_issue && candidate.collects { issued } else { Issued::default() };
        self.collect.takes_place.next = s4_issue && candidate.places;
        self.collect.holds.next = s4_issue && decoded.indexing.gathers;
        self.s_issued_word.next = candidate.word;
        if s4_issue {
            self.tag.d.next = self.tag.q.val() + 1;
        }
        self.heads.pop.next = WarpSelect { valid: s4_issue && candidate.pops, warp: candidate.warp };

        let misplaced = candidate.outside || candidate.misaligned;
        let code =
            if misplaced { bits::<4>(code::PROGRAM_COUNTER as u64) } else { bits(code::ILLEGAL_INSTRUCTION as u64) };
        self.s_error.next = if candidate.valid && candidate.bad && !self.s_stop.val() {
            KernelError { code, warp: candidate.warp, pc: candidate.pc, address: 0.into() }
        } else {
            KernelError::default()
        };
    }

    /// Counts the instructions in flight that limit issue: in the branch unit, in the queues of the memory and special
    /// function units, and writers of address registers.
    #[hdl_part]
    fn count_in_flight(&mut self, candidate: IssueCandidate, s4_issue: Bit) {
        self.control_pending.d.next =
            s4_issue && candidate.control || self.control_pending.q.val() && !self.b_resolved.val().valid;
        self.memory_credits.places.next = self.memory_places.val();
        self.memory_credits.clear.next = self.s_clear.val();
        self.memory_credits.take.next = s4_issue && candidate.memory;
        self.memory_credits.give.next = self.m_dequeued.val();
        self.special_credits.places.next = bits(PLACES as u64);
        self.special_credits.clear.next = self.s_clear.val();
        self.special_credits.take.next = s4_issue && candidate.special;
        self.special_credits.give.next = self.s_special_dequeued.val();
        let begins = s4_issue && candidate.decoded.address_enable;
        self.address_writes.d.next = up_down::<6>(self.address_writes.q.val(), begins, self.w_address_done.val());
    }

    /// Stage s3: queries the scoreboard for the instruction that moves to s4. If s3 is empty, its registers still hold
    /// the instruction that is or last was in s4, and the query is repeated for it. A launch has the scoreboard to
    /// itself.
    #[hdl_part]
    fn query_scoreboard(&mut self, queried: DecodedInstruction, launching: WarpSelect, s4_stays: Bit, s3_moves: Bit) {
        let s3_asks = !launching.valid && (!s4_stays || !queried.valid);
        let configuration = self.configuration.val();
        self.scoreboard.registers.next = configuration.registers;
        self.scoreboard.s_query.next = DecodedInstruction { valid: s3_asks, ..queried };
        self.scoreboard.s_launch.next = launching;
        self.scoreboard.w_release.next = self.w_release.val();
        let found = candidate_of(queried, configuration.code_end, configuration.unaligned_code);
        if s3_asks {
            self.s4.d.next = found;
        }
        self.s4.d.next.valid = s4_stays || (s3_moves && queried.valid);
    }

    /// Stage s2: decodes the word. Without a word, s3 keeps its instruction for the scoreboard's queries.
    #[hdl_part]
    fn decode_word(&mut self, fetched: FetchedInstruction, s2_moves: Bit) {
        self.decode.d_word.next = fetched.word;
        let decoded = self.decode.d_decoded.val();
        if s2_moves && fetched.valid {
            self.s3.d.next =
                DecodedInstruction { valid: true, warp: fetched.warp, pc: fetched.pc, word: fetched.word, decoded };
        } else if s2_moves {
            self.s3.d.next.valid = false;
        }
    }

    /// Stage s1: reads the chosen warp's next instruction from its buffer. True if the instruction waits for its second
    /// half, which fetch delivers independently of this stage.
    #[hdl_part]
    fn take_word(&mut self, chosen: WarpSelect, s1_moves: Bit) -> Bit {
        let s1_pc = self.pc.read(chosen.warp);
        let s1_odd = s1_pc.get_bit(2);
        self.heads.read_warp.next = chosen.warp;
        self.heads.read_odd.next = s1_odd;
        let lower = self.heads.lower.val();
        let upper = self.heads.upper.val();
        let (s1_low, s1_high) = if s1_odd { (upper, lower) } else { (lower, upper) };
        let s1_long = s1_low.get_bit(0);
        let s1_word: Bits<64> = mask(s1_long, s1_high).concat(s1_low);
        let straddles = s1_odd && s1_long && self.configuration.val().unaligned_code;
        let s1_waits = chosen.valid && straddles && !self.heads.both.val();
        if s1_moves {
            self.s2.d.next =
                FetchedInstruction { valid: chosen.valid && !s1_waits, warp: chosen.warp, pc: s1_pc, word: s1_word };
        }
        s1_waits
    }

    /// Stage s0: chooses a warp that has a word, does not wait and has no instruction in s1 to s4. A warp that leaves
    /// s4 can be chosen from the next cycle onward. Returns the warps in s1 to s4 in the next cycle.
    #[hdl_part]
    fn choose_warp(&mut self, s0_take: Bit, s4_leaves: Bits<32>) -> Bits<32> {
        let warps = self.warps.q.val();
        let s0_ready =
            self.heads.available.val() & warps.alive & !warps.waiting & !self.collect.held.val() & !warps.taken;
        self.arbiter.request.next = s0_ready;
        self.arbiter.take.next = s0_take;
        if s0_take {
            self.s1.d.next = WarpSelect { valid: self.arbiter.valid.val(), warp: self.arbiter.index.val() };
        }
        warps.taken & !s4_leaves | mask(s0_take, self.arbiter.grant.val())
    }

    /// Updates the warps' states, and a PC: at issue to the next instruction, at a launch to the entry, at a
    /// redirection to its target.
    #[hdl_part]
    fn track_warps(&mut self, candidate: IssueCandidate, launching: WarpSelect, s4_issue: Bit, taken: Bits<32>) {
        let resolved = self.b_resolved.val();
        let redirected = resolved.valid && resolved.redirected;
        let (warp, pc) = if launching.valid {
            (launching.warp, self.configuration.val().entry)
        } else if redirected {
            (resolved.warp, resolved.pc)
        } else {
            (candidate.warp, candidate.next_pc)
        };
        self.pc.write(s4_issue || launching.valid || redirected, warp, pc);

        let warps = self.warps.q.val();
        let launched = mask(launching.valid, launching.warp.one_hot::<32>());
        let resumed = mask(resolved.valid, resolved.warp.one_hot::<32>());
        let issued = mask(s4_issue, candidate.mask);
        let released = self.bar_release.val();
        self.warps.d.next = WarpStates {
            alive: (warps.alive | launched) & !mask(resolved.ended, resumed),
            waiting: warps.waiting & !resumed & !released | mask(candidate.waits || candidate.barrier, issued),
            at_barrier: warps.at_barrier & !released | mask(candidate.barrier, issued),
            taken,
        };
    }

    /// Determines the counter that this cycle is charged to (`docs/counters.md`).
    #[hdl_part]
    fn account(&mut self, candidate: IssueCandidate, s4_issue: Bit, s4_may: Bit, s4_ready: Bit, s4_collector: Bit) {
        let warps = self.warps.q.val();
        let unhindered = warps.alive & !warps.waiting & !self.collect.held.val();
        let branching = warps.alive & warps.waiting & !warps.at_barrier;
        self.cause.d.next = if s4_issue {
            IssueCause::Issued
        } else if !self.r_slot.val() {
            IssueCause::ReadSlot
        } else if self.c_injected.val() {
            IssueCause::Collector
        } else if self.s_stop.val() || !warps.alive.any() || candidate.valid && candidate.bad {
            IssueCause::NoWarp
        } else if candidate.valid {
            if s4_may && candidate.collects && !self.collect.slot.val() {
                IssueCause::Collector
            } else if s4_may {
                IssueCause::WritePort
            } else if !s4_ready {
                IssueCause::Scoreboard
            } else if candidate.memory && !self.memory_credits.left.val() {
                IssueCause::MemoryQueue
            } else if candidate.special && !self.special_credits.left.val() {
                IssueCause::SpecialFunction
            } else if !s4_collector {
                IssueCause::Collector
            } else if self.control_pending.q.val() {
                IssueCause::Branch
            } else {
                IssueCause::Barrier
            }
        } else if unhindered.any() {
            IssueCause::Fetch
        } else if self.collect.held.val().any() {
            IssueCause::Collector
        } else if branching.any() {
            IssueCause::Branch
        } else {
            IssueCause::Barrier
        };
        self.s_cause.next = self.cause.q.val();
    }

    /// Clears the state at the start of a grid.
    #[hdl_part]
    fn clear(&mut self) {
        self.warps.d.next = WarpStates::default();
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
