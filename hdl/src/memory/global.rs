//! The global memory unit: the loads and stores of one SM.
//!
//! A warp instruction comes as beats of LANES threads. Each beat becomes as many requests as its addresses touch
//! segments of LANES words; requests go out in the order of the queue, one a cycle, and loads do not wait for each
//! other's responses.
//!
//! ```text
//! cycle   m0            m1               m2                  m3                  m4
//!         m_enqueue ──> queue head,  ──> lanes of this   ──> lanes to words, ──> memory_request_valid
//!         check of      the beat's       segment, the        place for a
//!         addresses     first leader     next leader         load's answer
//!
//! cycle   r0                                                         l
//!         memory_response_valid or words that waited, to lanes ────> l_valid, when it was the beat's last response
//! ```
//!
//! | queue | depth | a place is taken | and free again |
//! |---|---|---|---|
//! | beats | 16 | m0 | after m2 of the beat's last request; `m_dequeued` in the next cycle |
//! | requests that wait for a response | 16 | m3 | response |
//! | records of loads: requests, and beats without any | 32 and one at the exit | m3 | r0 |
//! | responses | 64 | response, unless r0 takes it at once | r0 |
//!
//! An access of 64 or 128 bits has two or four registers. A store's come one after the other, `part` by `part`; the beat
//! is in the queue with the last. A request serves its lanes with all of their bytes. A load's beat goes to writeback once
//! for each register: the first from where its responses come together, the others from a place behind that, so that the
//! next beat's responses can come in.
//!
//! With `strict_coalescing`, half-warps that do not keep the G80's rule make a request for each thread, and requests do not
//! serve two half-warps. With 8 lanes the first beat of a half-warp then waits in m2 until the second one has been judged.
//!
//! A load leaves m3 only if there is room for all that comes of it, so a response is never lost. A beat without lanes takes
//! the same way but makes no request.
//!
//! **Errors.** A beat that holds an access that is not allowed has its own addresses in the queue and the lanes at fault for
//! lanes; it waits in m2 until all that came before it has taken effect, loads written back included. Then `m_error` says
//! what and where, and this beat and all that follow are dropped, one a cycle, giving their queue places back as usual.

use super::coalescer::{AccessCheck, Coalescer, HalfWarpRule, Leader, LoadAssembly, StoreBuffer};
use super::lane_ram::{LaneBlockRam, LaneRam};
use crate::bundles::{ErrorCodes, KernelError, MemoryControl, WriteControl};
use hdlkit::prelude::*;

/// Places in the unit's queue of beats.
pub const QUEUE_BEATS: usize = 16;

/// Memory instructions that the unit's queue holds at this number of lanes: the scheduler's credits.
pub const fn queue_instructions(lanes: usize) -> usize {
    QUEUE_BEATS * lanes / 32
}

/// A beat in the queue, beside its addresses, lanes and data: what is still needed of its [`MemoryControl`].
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QueuedBeat {
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub beat: Bits<2>,
    pub last: Bit,
    pub store: Bit,
    pub size: Bits<3>,
    pub is_signed: Bit,
    pub row: Bits<9>,
    pub register: Bits<7>,
    pub halves: Bits<2>,
    pub fill: Bit,
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
    /// Its lanes access what they must not.
    pub fault: Bit,
}

/// What m2 chose for m3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ChosenRequest {
    pub valid: Bit,
    /// There are lanes to serve.
    pub request: Bit,
    /// The beat needs no more requests.
    pub complete: Bit,
    /// The first half of a store's data only; the request is what comes next.
    pub partial: Bit,
    /// The second half of them.
    pub second: Bit,
    pub segment: Bits<32>,
    pub served: Bits<32>,
    /// All lanes of the beat that access.
    pub mask: Bits<32>,
}

/// A request at the memory port, beside its data.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct PendingRequest {
    pub valid: Bit,
    pub write: Bit,
    pub address: Bits<32>,
}

/// A beat of a load, on its way to the register file.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LoadedBeat {
    /// Of the register that goes next.
    pub control: WriteControl,
    pub mask: Bits<32>,
    /// Registers behind that one: 0 to 3; and as in [`MemoryControl`].
    pub parts: Bits<2>,
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
}

/// The load/store unit of an SM of LANES lanes (8, 16 or 32).
#[derive(LogicBlock, Cycle, Blank)]
pub struct GlobalMemoryUnit<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid: forgets the error. The unit is idle then.
    pub clear: Signal<In, Bit>,
    /// First global address that does not exist; 0 for 2^32.
    pub global_end: Signal<In, Bits<32>>,
    /// Where local memory is, as in [`LaunchConfiguration`](crate::bundles::LaunchConfiguration), and this SM's number.
    pub local_base: Signal<In, Bits<32>>,
    pub local_shift: Signal<In, Bits<5>>,
    pub local_bytes: Signal<In, Bits<17>>,
    pub multiprocessor: Signal<In, Bits<8>>,
    /// The strict rule of the G80 instead of that of segments. Stable while the unit is not idle.
    pub strict_coalescing: Signal<In, Bit>,

    // From execute. Beats of an instruction come in order; there is always room, since the scheduler counts credits.
    pub m_enqueue: Signal<In, Bit>,
    pub m_control: Signal<In, MemoryControl>,
    /// Lanes of the beat that access: bits 0..LANES-1.
    pub m_mask: Signal<In, Bits<32>>,
    pub m_address: [Signal<In, Bits<32>>; LANES],
    pub m_data: [Signal<In, Bits<32>>; LANES],
    /// Pulse: an instruction's places in the queue are free again.
    pub m_dequeued: Signal<Out, Bit>,

    // To the memory, outside. A request is taken in a cycle with valid and ready; until then it stays as it is.
    pub memory_request_valid: Signal<Out, Bit>,
    pub memory_request_ready: Signal<In, Bit>,
    pub memory_request_write: Signal<Out, Bit>,
    /// A multiple of the segment's size, LANES * 4 bytes.
    pub memory_request_address: Signal<Out, Bits<32>>,
    pub memory_request_data: [Signal<Out, Bits<32>>; LANES],
    /// Bytes of each word to write, or words wanted by a read.
    pub memory_request_enable: [Signal<Out, Bits<4>>; LANES],
    // One response to each read request, in order, at least a cycle after it was taken. Never refused.
    pub memory_response_valid: Signal<In, Bit>,
    pub memory_response_data: [Signal<In, Bits<32>>; LANES],

    // Loads to writeback, every beat and register, also those without lanes. Taken in a cycle with valid and ready.
    pub l_valid: Signal<Out, Bit>,
    pub l_ready: Signal<In, Bit>,
    pub l_control: Signal<Out, WriteControl>,
    /// Lanes that loaded.
    pub l_mask: Signal<Out, Bits<32>>,
    /// Their data; undefined for others.
    pub l_data: [Signal<Out, Bits<32>>; LANES],

    /// Stays until `clear`; code 0 is none.
    pub m_error: Signal<Out, KernelError>,
    /// Its instruction's tag.
    pub m_error_tag: Signal<Out, Bits<16>>,
    /// Nothing queued, requested, awaited or to be written back. A beat counts from the cycle after `m_enqueue`.
    pub m_idle: Signal<Out, Bit>,
    /// Pulse for statistics: the memory takes a request.
    pub m_transaction: Signal<Out, Bit>,

    check: AccessCheck<LANES>,
    queue: LutRam<4, QueuedBeat>,
    /// Bit 32: the lane accesses.
    addresses: LaneRam<4, 33, LANES>,
    tail: DFF<Bits<4>>,
    head: DFF<Bits<4>>,
    waiting: DFF<Bits<5>>,
    dequeued: DFF<Bit>,
    error: DFF<KernelError>,
    error_tag: DFF<Bits<16>>,
    /// Of the first beat with a fault since `clear`.
    fault_seen: DFF<Bit>,
    fault_pc: DFF<Bits<24>>,
    fault_local: DFF<Bit>,

    first: Leader<LANES>,
    m2_valid: DFF<Bit>,
    m2: DFF<QueuedBeat>,
    /// Its place in the queue.
    m2_place: DFF<Bits<4>>,
    m2_mask: DFF<Bits<32>>,
    /// Those of its lanes that wait, and the address of the lowest.
    m2_pending: DFF<Bits<32>>,
    m2_leader: DFF<Bits<32>>,
    m2_address: [DFF<Bits<32>>; LANES],
    /// The beat behind it has been judged by the strict rule.
    m2_followed: DFF<Bit>,
    /// The strict rule's verdict on the beat, and that it is known.
    m2_one_by_one: DFF<Bits<2>>,
    m2_settled: DFF<Bit>,
    rule: HalfWarpRule<LANES>,
    coalescer: Coalescer<LANES>,
    following: Leader<LANES>,

    m3: DFF<ChosenRequest>,
    /// What is read in m2 is the second half of a store's data.
    m2_second: DFF<Bit>,
    m3_control: DFF<QueuedBeat>,
    m3_offset: [DFF<Bits<7>>; LANES],
    words: StoreBuffer<LANES>,
    m4: DFF<PendingRequest>,
    awaited_count: DFF<Bits<5>>,

    // Records: what m3 knows of a load's request that its response needs. Bits of a word: tag 0, warp 16, beat 21, last 23,
    // row 24, register 33, halves 40, fill 42, further 43, further_fill 46, parts 49, size 51, is_signed 54, complete 55,
    // request 56; of a lane: offset 0, served 7, accesses 8.
    records: BlockRam<6, 57, 1>,
    record_lanes: LaneBlockRam<6, 9, LANES>,
    records_tail: DFF<Bits<6>>,
    records_head: DFF<Bits<6>>,
    /// Those that have not been read yet, and whether there is one that has.
    records_unread: DFF<Bits<7>>,
    record_valid: DFF<Bit>,
    // Responses that must wait.
    responses: LaneBlockRam<6, 32, LANES>,
    responses_tail: DFF<Bits<6>>,
    responses_head: DFF<Bits<6>>,
    responses_unread: DFF<Bits<7>>,
    response_read: DFF<Bit>,

    load_data: LoadAssembly<LANES>,
    loaded: DFF<LoadedBeat>,
    /// The beat has all of its data.
    loaded_complete: DFF<Bit>,
    /// The beat before, without its first register.
    later: DFF<LoadedBeat>,
    later_valid: DFF<Bit>,
    /// Which of its registers goes next; 0 if none does.
    later_part: DFF<Bits<2>>,
    /// A half-warp is two beats.
    half_warp_pairs: Constant<Bit>,
    ones: Constant<Bits<32>>,
    codes: Constant<ErrorCodes>,

    m0_beat: Signal<Local, QueuedBeat>,
    m0_fault: Signal<Local, Bits<32>>,
    m0_faulty: Signal<Local, Bit>,
    m0_lanes: Signal<Local, Bits<32>>,
    m0_local: Signal<Local, Bit>,
    m0_window: Signal<Local, Bits<32>>,
    m0_thread: Signal<Local, Bits<32>>,
    m0_row: Signal<Local, Bits<32>>,
    m0_address: Signal<Local, Bits<32>>,
    m0_entry: Signal<Local, Bits<33>>,
    lane_bits: Constant<Bits<3>>,
    /// 16 bytes a lane.
    lane_place: [Constant<Bits<32>>; LANES],
    m0_complete: Signal<Local, Bit>,
    m1_valid: Signal<Local, Bit>,
    m1_pop: Signal<Local, Bit>,
    m1_entry: Signal<Local, Bits<33>>,
    m1_mask: Signal<Local, Bits<32>>,
    m2_fault: Signal<Local, Bit>,
    m2_stopped: Signal<Local, Bit>,
    m2_step: Signal<Local, Bit>,
    m2_whole: Signal<Local, Bit>,
    m2_partial: Signal<Local, Bit>,
    m2_judged: Signal<Local, Bit>,
    m2_drop: Signal<Local, Bit>,
    m2_done: Signal<Local, Bit>,
    m2_fail: Signal<Local, Bit>,
    m2_above: Signal<Local, Bits<32>>,
    m2_remainder: Signal<Local, Bits<32>>,
    m2_own: Signal<Local, Bits<32>>,
    drained: Signal<Local, Bit>,
    m3_room: Signal<Local, Bit>,
    m3_go: Signal<Local, Bit>,
    m3_request: Signal<Local, Bit>,
    m3_capture: Signal<Local, Bit>,
    m3_read: Signal<Local, Bit>,
    m3_load: Signal<Local, Bit>,
    m3_parts: Signal<Local, Bits<2>>,
    m3_record: Signal<Local, Bits<57>>,
    m3_field: Signal<Local, Bits<57>>,
    m3_own: Signal<Local, Bits<7>>,
    m3_lane: Signal<Local, Bits<9>>,
    m4_free: Signal<Local, Bit>,
    r0_answer: Signal<Local, Bit>,
    r0_direct: Signal<Local, Bit>,
    r0_answered: Signal<Local, Bit>,
    r0_room: Signal<Local, Bit>,
    r0_take: Signal<Local, Bit>,
    r0_use: Signal<Local, Bit>,
    r0_keep: Signal<Local, Bit>,
    r0_record: Signal<Local, Bits<57>>,
    r0_request: Signal<Local, Bit>,
    r0_fetch_record: Signal<Local, Bit>,
    r0_fetch_response: Signal<Local, Bit>,
    r0_lane: Signal<Local, Bits<9>>,
    r0_served: Signal<Local, Bits<32>>,
    r0_mask: Signal<Local, Bits<32>>,
    r0_write: Signal<Local, WriteControl>,
    r0_beat: Signal<Local, LoadedBeat>,
    l_present: Signal<Local, Bit>,
    l_take: Signal<Local, Bit>,
    l_first: Signal<Local, Bit>,
    l_beat: Signal<Local, LoadedBeat>,
    l_more: Signal<Local, Bit>,
    l_write: Signal<Local, WriteControl>,
    l_next: Signal<Local, WriteControl>,
    l_rest: Signal<Local, LoadedBeat>,
    _activity: Activity,
}

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// An idle unit without error.
    ///
    /// # Panics
    /// If LANES is not 8, 16 or 32.
    pub fn new() -> Self {
        assert!(matches!(LANES, 8 | 16 | 32), "8, 16 or 32 lanes, not {LANES}");
        GlobalMemoryUnit {
            check: AccessCheck::new(),
            records: BlockRam::new(64, vec![]).collision_free(),
            lane_bits: Constant::new(u64::from(LANES.trailing_zeros()).into()),
            lane_place: std::array::from_fn(|lane| Constant::new((16 * lane as u64).into())),
            half_warp_pairs: Constant::new(LANES == 8),
            ones: Constant::new(0xffff_ffff.into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for GlobalMemoryUnit<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tail, head, waiting, dequeued, error, error_tag);
        dff_setup!(self, clock, fault_seen, fault_pc, fault_local);
        dff_setup!(
            self,
            clock,
            m2_valid,
            m2,
            m2_place,
            m2_mask,
            m2_pending,
            m2_leader,
            m2_followed,
            m2_one_by_one,
            m2_settled
        );
        dff_setup!(self, clock, m3, m3_control, m2_second, m4, awaited_count);
        dff_setup!(self, clock, records_tail, records_head, records_unread, record_valid);
        dff_setup!(
            self,
            clock,
            responses_tail,
            responses_head,
            responses_unread,
            response_read
        );
        dff_setup!(self, clock, loaded, loaded_complete, later, later_valid, later_part);
        clock!(self, clock, queue, addresses, words, rule);
        clock!(self, clock, records, record_lanes, responses, load_data);

        // m0: into the queue, with the verdict on the addresses.
        self.check.mask.next = self.m_mask.val();
        self.check.size.next = self.m_control.val().size;
        self.m0_local.next = self.m_control.val().local;
        self.check.memory_end.next = self.global_end.val();
        if self.m0_local.val() {
            self.check.memory_end.next = bit_cast::<32, 17>(self.local_bytes.val());
        }
        self.m0_fault.next = self.check.fault.val();
        // To the check, 0 is no limit.
        if self.m0_local.val() && !self.local_bytes.val().any() {
            self.m0_fault.next = self.m_mask.val();
        }
        self.m0_faulty.next = self.m0_fault.val().any();
        self.m0_lanes.next = self.m_mask.val();
        if self.m0_faulty.val() {
            self.m0_lanes.next = self.m0_fault.val();
        }
        self.m0_beat.next.tag = self.m_control.val().tag;
        self.m0_beat.next.warp = self.m_control.val().warp;
        self.m0_beat.next.beat = self.m_control.val().beat;
        self.m0_beat.next.last = self.m_control.val().last;
        self.m0_beat.next.store = self.m_control.val().store;
        self.m0_beat.next.size = self.m_control.val().size;
        self.m0_beat.next.is_signed = self.m_control.val().is_signed;
        self.m0_beat.next.row = self.m_control.val().row;
        self.m0_beat.next.register = self.m_control.val().register;
        self.m0_beat.next.halves = self.m_control.val().halves;
        self.m0_beat.next.fill = self.m_control.val().fill;
        self.m0_beat.next.further = self.m_control.val().further;
        self.m0_beat.next.further_fill = self.m_control.val().further_fill;
        self.m0_beat.next.fault = self.m0_faulty.val();
        // Local memory: the warps' shares follow each other, in a share each 16 bytes of all threads. With a
        // fault the threads' own addresses stay, for the report.
        self.m0_window.next = bit_cast::<32, 8>(self.multiprocessor.val()) << 5;
        self.m0_window.next = self.m0_window.val() | bit_cast::<32, 5>(self.m_control.val().warp);
        self.m0_window.next = self.m0_window.val() << self.local_shift.val();
        self.m0_window.next = self.m0_window.val() + self.local_base.val();
        self.m0_thread.next = bit_cast::<32, 2>(self.m_control.val().beat) << self.lane_bits.val();
        self.m0_thread.next = self.m0_thread.val() << 4;
        self.m0_window.next = self.m0_window.val() | self.m0_thread.val();
        self.m0_complete.next = self.m_enqueue.val() && self.m_control.val().complete;
        self.queue.write_enable.next = self.m0_complete.val();
        self.queue.write_address.next = self.tail.q.val();
        self.queue.write_data.next = self.m0_beat.val();
        self.addresses.write_enable.next = self.m0_complete.val();
        self.addresses.write_address.next = self.tail.q.val();
        self.words.write_enable.next = self.m_enqueue.val();
        self.words.write_beat.next = self.tail.q.val();
        self.words.write_part.next = self.m_control.val().part;
        self.words.write_size.next = self.m_control.val().size;
        self.rule.write_enable.next = self.m0_complete.val() && self.strict_coalescing.val();
        self.rule.write_place.next = self.tail.q.val();
        self.rule.size.next = self.m_control.val().size;
        self.rule.mask.next = self.m_mask.val();
        for i in 0..LANES {
            self.check.address[i].next = self.m_address[i].val();
            self.m0_address.next = self.m_address[i].val();
            self.m0_row.next = self.m_address[i].val() >> 4;
            self.m0_row.next = self.m0_row.val() << 9;
            if self.m0_local.val() && !self.m0_faulty.val() {
                self.m0_address.next = self.m_address[i].val() & 15;
                self.m0_address.next = self.m0_address.val() | self.m0_row.val();
                self.m0_address.next = self.m0_address.val() | self.lane_place[i].val();
                self.m0_address.next = self.m0_address.val() | self.m0_window.val();
            }
            self.rule.address[i].next = self.m0_address.val();
            self.m0_entry.next = bit_cast::<33, 32>(self.m0_address.val());
            self.m0_entry.next = self.m0_entry.val().replace_bit(32, self.m0_lanes.val().get_bit(i));
            self.addresses.write_data[i].next = self.m0_entry.val();
            self.words.lane[i].next = self.m_data[i].val();
        }
        if self.m0_complete.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.m0_complete.val() && self.m0_faulty.val() && !self.fault_seen.q.val() {
            self.fault_seen.d.next = true;
            self.fault_pc.d.next = self.m_control.val().pc;
            self.fault_local.d.next = self.m0_local.val();
        }

        // l: the oldest beat's next register.
        self.l_present.next = self.later_valid.q.val() || self.loaded_complete.q.val();
        self.l_take.next = self.l_present.val() && self.l_ready.val();
        self.l_first.next = self.l_take.val() && !self.later_valid.q.val();
        self.l_beat.next = self.loaded.q.val();
        if self.later_valid.q.val() {
            self.l_beat.next = self.later.q.val();
        }
        self.l_more.next = self.l_beat.val().parts.any();
        self.l_valid.next = self.l_present.val();
        self.l_write.next = self.l_beat.val().control;
        self.l_next.next = self.l_write.val();
        self.l_write.next.valid = self.l_present.val();
        self.l_control.next = self.l_write.val();
        self.l_mask.next = self.l_beat.val().mask;
        // The registers behind it.
        self.l_next.next.row = self.l_write.val().row + 1;
        self.l_next.next.register = self.l_write.val().register + 1;
        self.l_next.next.halves = 0.into();
        if self.l_beat.val().further.get_bit(0) {
            self.l_next.next.halves = 3.into();
        }
        self.l_next.next.fill = self.l_beat.val().further_fill.get_bit(0);
        self.l_rest.next.control = self.l_next.val();
        self.l_rest.next.mask = self.l_beat.val().mask;
        self.l_rest.next.parts = self.l_beat.val().parts - 1;
        self.l_rest.next.further = self.l_beat.val().further >> 1;
        self.l_rest.next.further_fill = self.l_beat.val().further_fill >> 1;
        if self.l_take.val() {
            self.later.d.next = self.l_rest.val();
            self.later_valid.d.next = self.l_more.val();
            self.later_part.d.next = 0.into();
            if self.l_more.val() {
                self.later_part.d.next = self.later_part.q.val() + 1;
            }
        }
        self.load_data.keep.next = self.l_first.val();
        self.load_data.part.next = self.later_part.q.val();
        for i in 0..LANES {
            self.l_data[i].next = self.load_data.lane[i].val();
        }

        // r0: the oldest record, with its response, to the lanes.
        self.r0_record.next = self.records.read_data.val();
        self.r0_request.next = self.r0_record.val().get_bit(56);
        self.r0_answer.next = self.memory_response_valid.val() && self.awaited_count.q.val().any();
        self.r0_direct.next = !self.responses_unread.q.val().any() && !self.response_read.q.val();
        self.r0_answered.next =
            !self.r0_request.val() || self.response_read.q.val() || (self.r0_answer.val() && self.r0_direct.val());
        self.r0_room.next = !self.loaded_complete.q.val() || self.l_first.val();
        self.r0_take.next = self.record_valid.q.val() && self.r0_answered.val() && self.r0_room.val();
        self.r0_use.next = self.r0_take.val() && self.r0_request.val();
        self.r0_keep.next = self.r0_answer.val() && (!self.r0_direct.val() || !self.r0_use.val());
        self.load_data.write_enable.next = self.r0_use.val();
        self.load_data.size.next = self.r0_record.val().get_bits::<3>(51);
        self.load_data.is_signed.next = self.r0_record.val().get_bit(54);
        self.r0_served.next = 0.into();
        self.r0_mask.next = 0.into();
        for i in 0..LANES {
            self.r0_lane.next = self.record_lanes.read_data[i].val();
            self.load_data.offset[i].next = self.r0_lane.val().get_bits::<7>(0);
            self.r0_served.next = self.r0_served.val().replace_bit(i, self.r0_lane.val().get_bit(7));
            self.r0_mask.next = self.r0_mask.val().replace_bit(i, self.r0_lane.val().get_bit(8));
            self.responses.write_data[i].next = self.memory_response_data[i].val();
            self.load_data.word[i].next = self.memory_response_data[i].val();
            if self.response_read.q.val() {
                self.load_data.word[i].next = self.responses.read_data[i].val();
            }
        }
        self.load_data.served.next = self.r0_served.val();
        self.r0_write.next.valid = true;
        self.r0_write.next.tag = self.r0_record.val().get_bits::<16>(0);
        self.r0_write.next.warp = self.r0_record.val().get_bits::<5>(16);
        self.r0_write.next.beat = self.r0_record.val().get_bits::<2>(21);
        self.r0_write.next.last = self.r0_record.val().get_bit(23);
        self.r0_write.next.row = self.r0_record.val().get_bits::<9>(24);
        self.r0_write.next.register = self.r0_record.val().get_bits::<7>(33);
        self.r0_write.next.halves = self.r0_record.val().get_bits::<2>(40);
        self.r0_write.next.register_enable = true;
        self.r0_write.next.fill = self.r0_record.val().get_bit(42);
        self.r0_write.next.condition_register = 0.into();
        self.r0_write.next.condition_enable = false;
        self.r0_write.next.condition_fill = false;
        self.r0_write.next.address_register = 0.into();
        self.r0_write.next.address_enable = false;
        self.r0_write.next.address_fill = false;
        self.r0_write.next.elsewhere = false;
        self.r0_beat.next.control = self.r0_write.val();
        self.r0_beat.next.mask = self.r0_mask.val();
        self.r0_beat.next.parts = self.r0_record.val().get_bits::<2>(49);
        self.r0_beat.next.further = self.r0_record.val().get_bits::<3>(43);
        self.r0_beat.next.further_fill = self.r0_record.val().get_bits::<3>(46);
        if self.l_first.val() {
            self.loaded_complete.d.next = false;
        }
        if self.r0_take.val() {
            self.loaded.d.next = self.r0_beat.val();
            self.loaded_complete.d.next = self.r0_record.val().get_bit(55);
        }

        // The next record and the next response that waits, out of their memories.
        self.r0_fetch_record.next =
            self.records_unread.q.val().any() && (!self.record_valid.q.val() || self.r0_take.val());
        self.records.read_enable.next = self.r0_fetch_record.val();
        self.records.read_address.next = self.records_head.q.val();
        self.record_lanes.read_enable.next = self.r0_fetch_record.val();
        self.record_lanes.read_address.next = self.records_head.q.val();
        if self.r0_take.val() {
            self.record_valid.d.next = false;
        }
        if self.r0_fetch_record.val() {
            self.record_valid.d.next = true;
            self.records_head.d.next = self.records_head.q.val() + 1;
        }
        self.r0_fetch_response.next =
            self.responses_unread.q.val().any() && (!self.response_read.q.val() || self.r0_use.val());
        self.responses.read_enable.next = self.r0_fetch_response.val();
        self.responses.read_address.next = self.responses_head.q.val();
        if self.r0_use.val() {
            self.response_read.d.next = false;
        }
        if self.r0_fetch_response.val() {
            self.response_read.d.next = true;
            self.responses_head.d.next = self.responses_head.q.val() + 1;
        }
        self.responses.write_enable.next = self.r0_keep.val();
        self.responses.write_address.next = self.responses_tail.q.val();
        if self.r0_keep.val() {
            self.responses_tail.d.next = self.responses_tail.q.val() + 1;
        }
        if self.r0_keep.val() && !self.r0_fetch_response.val() {
            self.responses_unread.d.next = self.responses_unread.q.val() + 1;
        }
        if !self.r0_keep.val() && self.r0_fetch_response.val() {
            self.responses_unread.d.next = self.responses_unread.q.val() - 1;
        }

        // m4: the request at the port.
        self.m4_free.next = !self.m4.q.val().valid || self.memory_request_ready.val();
        self.memory_request_valid.next = self.m4.q.val().valid;
        self.memory_request_write.next = self.m4.q.val().write;
        self.memory_request_address.next = self.m4.q.val().address;
        for i in 0..LANES {
            self.memory_request_data[i].next = self.words.word[i].val();
            self.memory_request_enable[i].next = self.words.enable[i].val();
        }
        self.m_transaction.next = self.m4.q.val().valid && self.memory_request_ready.val();
        if self.memory_request_ready.val() {
            self.m4.d.next.valid = false;
        }

        // m3: the chosen request to the port; a load leaves its record.
        self.m3_room.next = !self.awaited_count.q.val().get_bit(4) && !self.records_unread.q.val().get_bit(5);
        self.m3_go.next = self.m3.q.val().valid
            && (self.m4_free.val() || !self.m3.q.val().request)
            && (self.m3_control.q.val().store || self.m3_room.val());
        self.m3_capture.next = self.m3_go.val() && self.m3.q.val().request;
        self.m3_request.next = self.m3_capture.val() && !self.m3.q.val().partial;
        self.m3_load.next = self.m3_go.val() && !self.m3_control.q.val().store;
        self.m3_read.next = self.m3_request.val() && !self.m3_control.q.val().store;
        self.words.capture.next = self.m3_capture.val();
        self.words.second.next = self.m3.q.val().second;
        self.words.served.next = self.m3.q.val().served;
        self.words.size.next = self.m3_control.q.val().size;
        if self.m3_request.val() {
            self.m4.d.next.valid = true;
            self.m4.d.next.write = self.m3_control.q.val().store;
            self.m4.d.next.address = self.m3.q.val().segment;
        }
        self.m3_parts.next = 0.into();
        match self.m3_control.q.val().size.index() {
            3 => self.m3_parts.next = 1.into(),
            4 => self.m3_parts.next = 3.into(),
            _ => {}
        }
        self.m3_record.next = bit_cast::<57, 16>(self.m3_control.q.val().tag);
        self.m3_field.next = bit_cast::<57, 5>(self.m3_control.q.val().warp) << 16;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 2>(self.m3_control.q.val().beat) << 21;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_record.next = self.m3_record.val().replace_bit(23, self.m3_control.q.val().last);
        self.m3_field.next = bit_cast::<57, 9>(self.m3_control.q.val().row) << 24;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 7>(self.m3_control.q.val().register) << 33;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 2>(self.m3_control.q.val().halves) << 40;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_record.next = self.m3_record.val().replace_bit(42, self.m3_control.q.val().fill);
        self.m3_field.next = bit_cast::<57, 3>(self.m3_control.q.val().further) << 43;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 3>(self.m3_control.q.val().further_fill) << 46;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 2>(self.m3_parts.val()) << 49;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 3>(self.m3_control.q.val().size) << 51;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_record.next = self.m3_record.val().replace_bit(54, self.m3_control.q.val().is_signed);
        self.m3_record.next = self.m3_record.val().replace_bit(55, self.m3.q.val().complete);
        self.m3_record.next = self.m3_record.val().replace_bit(56, self.m3.q.val().request);
        self.records.write_enable.next = 0.into();
        if self.m3_load.val() {
            self.records.write_enable.next = 1.into();
            self.records_tail.d.next = self.records_tail.q.val() + 1;
        }
        self.records.write_address.next = self.records_tail.q.val();
        self.records.write_data.next = self.m3_record.val();
        self.record_lanes.write_enable.next = self.m3_load.val();
        self.record_lanes.write_address.next = self.records_tail.q.val();
        for i in 0..LANES {
            self.m3_own.next = self.m3_offset[i].q.val();
            self.words.offset[i].next = self.m3_own.val();
            self.m3_lane.next = bit_cast::<9, 7>(self.m3_own.val());
            self.m3_lane.next = self.m3_lane.val().replace_bit(7, self.m3.q.val().served.get_bit(i));
            self.m3_lane.next = self.m3_lane.val().replace_bit(8, self.m3.q.val().mask.get_bit(i));
            self.record_lanes.write_data[i].next = self.m3_lane.val();
        }
        if self.m3_load.val() && !self.r0_fetch_record.val() {
            self.records_unread.d.next = self.records_unread.q.val() + 1;
        }
        if !self.m3_load.val() && self.r0_fetch_record.val() {
            self.records_unread.d.next = self.records_unread.q.val() - 1;
        }
        if self.m3_read.val() && !self.r0_answer.val() {
            self.awaited_count.d.next = self.awaited_count.q.val() + 1;
        }
        if !self.m3_read.val() && self.r0_answer.val() {
            self.awaited_count.d.next = self.awaited_count.q.val() - 1;
        }

        // m2: the beat's next request.
        self.coalescer.pending.next = self.m2_pending.q.val();
        self.coalescer.leader.next = self.m2_leader.q.val();
        self.coalescer.strict.next = self.strict_coalescing.val();
        // The strict rule's verdict is looked up a cycle before: from there to whether the beat is done is far enough.
        self.rule.read_place.next = self.m2_place.q.val();
        self.rule.next_place.next = self.head.q.val();
        self.m2_one_by_one.d.next = self.rule.one_by_one.val();
        self.m2_settled.d.next =
            !self.half_warp_pairs.val() || self.m2_place.q.val().get_bit(0) || self.m2_followed.q.val();
        self.coalescer.one_by_one.next = 0.into();
        self.m2_judged.next = true;
        if self.strict_coalescing.val() {
            self.coalescer.one_by_one.next = self.m2_one_by_one.q.val();
            self.m2_judged.next = self.m2_settled.q.val();
        }
        self.following.pending.next = self.coalescer.rest.val();
        self.m2_fault.next = self.m2.q.val().fault;
        self.m2_stopped.next = self.error.q.val().code.any();
        self.drained.next = !self.m3.q.val().valid
            && !self.m4.q.val().valid
            && !self.records_unread.q.val().any()
            && !self.record_valid.q.val()
            && !self.loaded_complete.q.val()
            && !self.later_valid.q.val();
        self.m2_step.next = self.m2_valid.q.val()
            && self.m2_judged.val()
            && !self.m2_fault.val()
            && !self.m2_stopped.val()
            && (self.m3_go.val() || !self.m3.q.val().valid);
        self.m2_fail.next =
            self.m2_valid.q.val() && self.m2_fault.val() && !self.m2_stopped.val() && self.drained.val();
        self.m2_drop.next = self.m2_valid.q.val() && self.m2_stopped.val();
        // A request to store four registers of each lane goes to m3 twice if its data cannot be read at once.
        self.words.read_served.next = self.coalescer.served.val();
        self.words.read_of_four.next = self.m2.q.val().store && self.m2.q.val().size.get_bit(2);
        self.m2_partial.next = self.words.meets.val() && !self.m2_second.q.val();
        self.m2_whole.next = self.m2_step.val() && !self.m2_partial.val();
        self.m2_done.next = self.m2_drop.val() || (self.m2_whole.val() && self.coalescer.complete.val());
        self.words.read_enable.next = self.m2_step.val();
        self.words.read_second.next = self.m2_second.q.val();
        self.words.read_beat.next = self.m2_place.q.val();
        if self.m3_go.val() {
            self.m3.d.next.valid = false;
        }
        if self.m2_step.val() {
            self.m3.d.next.valid = true;
            self.m3.d.next.request = self.m2_pending.q.val().any();
            self.m3.d.next.complete = self.coalescer.complete.val();
            self.m3.d.next.partial = self.m2_partial.val();
            self.m3.d.next.second = self.m2_second.q.val();
            self.m2_second.d.next = self.m2_partial.val();
            self.m3.d.next.segment = self.coalescer.segment.val();
            self.m3.d.next.served = self.coalescer.served.val();
            self.m3.d.next.mask = self.m2_mask.q.val();
            self.m3_control.d.next = self.m2.q.val();
        }
        if self.m2_whole.val() {
            self.m2_pending.d.next = self.coalescer.rest.val();
            self.m2_leader.d.next = self.following.leader.val();
        }
        self.dequeued.d.next = self.m2_done.val() && self.m2.q.val().last;
        self.m_dequeued.next = self.dequeued.q.val();

        // m1: the beat at the head to m2.
        self.queue.read_address.next = self.head.q.val();
        self.addresses.read_address.next = self.head.q.val();
        self.m1_valid.next = self.waiting.q.val().any();
        self.m1_pop.next = self.m1_valid.val() && (self.m2_done.val() || !self.m2_valid.q.val());
        self.m1_mask.next = 0.into();
        for i in 0..LANES {
            self.m1_entry.next = self.addresses.read_data[i].val();
            self.m1_mask.next = self.m1_mask.val().replace_bit(i, self.m1_entry.val().get_bit(32));
            self.first.address[i].next = self.m1_entry.val().get_bits::<32>(0);
            self.m2_own.next = self.m2_address[i].q.val();
            self.coalescer.address[i].next = self.m2_own.val();
            self.following.address[i].next = self.m2_own.val();
            self.m2_address[i].clock.next = self.clock.val();
            self.m2_address[i].d.next = self.m2_own.val();
            if self.m1_pop.val() {
                self.m2_address[i].d.next = self.m1_entry.val().get_bits::<32>(0);
            }
            self.m3_offset[i].clock.next = self.clock.val();
            self.m3_offset[i].d.next = self.m3_offset[i].q.val();
            if self.m2_step.val() {
                self.m3_offset[i].d.next = self.m2_own.val().get_bits::<7>(0);
            }
        }
        self.first.pending.next = self.m1_mask.val();
        self.m2_followed.d.next = self.m1_valid.val();
        if self.m2_done.val() {
            self.m2_valid.d.next = false;
        }
        if self.m1_pop.val() {
            self.m2_valid.d.next = true;
            self.m2.d.next = self.queue.read_data.val();
            self.m2_second.d.next = false;
            self.m2_place.d.next = self.head.q.val();
            self.m2_mask.d.next = self.m1_mask.val();
            self.m2_pending.d.next = self.m1_mask.val();
            self.m2_leader.d.next = self.first.leader.val();
            // Which of the beats in the queue has been judged: all but the one that comes in this cycle. The verdict of that
            // before cannot be looked up yet.
            self.m2_followed.d.next = self.waiting.q.val() > 1;
            self.m2_one_by_one.d.next = self.rule.next_one_by_one.val();
            self.m2_settled.d.next = self.waiting.q.val() > 1;
            if self.half_warp_pairs.val() && !self.head.q.val().get_bit(0) {
                self.m2_settled.d.next = self.waiting.q.val() > 2;
            }
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.m0_complete.val() && !self.m1_pop.val() {
            self.waiting.d.next = self.waiting.q.val() + 1;
        }
        if !self.m0_complete.val() && self.m1_pop.val() {
            self.waiting.d.next = self.waiting.q.val() - 1;
        }

        // Errors: the leader is the lowest lane at fault.
        self.m2_above.next = self.ones.val() << self.m2.q.val().size;
        self.m2_remainder.next = self.m2_leader.q.val() & !self.m2_above.val();
        if self.m2_fail.val() {
            self.error.d.next.code = self.codes.val().global_range;
            if self.m2_remainder.val().any() {
                self.error.d.next.code = self.codes.val().global_misaligned;
            }
            if self.fault_local.q.val() {
                self.error.d.next.code = self.codes.val().local_range;
                if self.m2_remainder.val().any() {
                    self.error.d.next.code = self.codes.val().local_misaligned;
                }
            }
            self.error_tag.d.next = self.m2.q.val().tag;
            self.error.d.next.warp = self.m2.q.val().warp;
            self.error.d.next.pc = self.fault_pc.q.val();
            self.error.d.next.address = self.m2_leader.q.val();
        }
        if self.clear.val() {
            self.error.d.next.code = 0.into();
            self.fault_seen.d.next = false;
        }
        self.m_error.next = self.error.q.val();
        self.m_error_tag.next = self.error_tag.q.val();
        self.m_idle.next = self.drained.val() && !self.m2_valid.q.val() && !self.m1_valid.val();
    }
}
