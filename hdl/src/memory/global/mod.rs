//! The global memory unit: the loads and stores of one SM.
//!
//! A warp instruction arrives as beats of LANES threads. Each beat becomes one request for each segment of LANES words
//! that its addresses touch. Requests leave in queue order, one a cycle, and loads do not wait for each other's
//! responses.
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
//! An access of 64 or 128 bits has two or four registers. A store's registers arrive one after the other, `part` by
//! `part`; the beat is in the queue after the last. A request serves its lanes with all of their bytes. A load's beat
//! goes to writeback once per register: the first directly from where its responses are merged, the others from a
//! second place, so that the next beat's responses can come in.
//!
//! With `strict_coalescing`, half-warps that break the G80's rule make a request per thread, and no request serves two
//! half-warps. With 8 lanes the first beat of a half-warp then waits in m2 until the second one has been judged.
//!
//! A load leaves m3 only if there is room for its record and its response, so a response is never lost. A beat without
//! lanes takes the same path but makes no request.
//!
//! **Errors.** A beat with an illegal access is queued with the threads' own addresses and only its faulting lanes; it
//! waits in m2 until everything before it has taken effect, including writeback of loads. Then `m_error` reports what
//! happened and where, and this beat and all later ones are dropped, one a cycle, giving their queue places back as
//! usual.

mod coalesce;
mod enqueue;
mod fault;
mod record;
mod request;
mod response;
mod writeback;

use super::coalescer::access_check::AccessCheck;
use super::coalescer::half_warp_rule::HalfWarpRule;
use super::coalescer::leader::Leader;
use super::coalescer::load_assembly::LoadAssembly;
use super::coalescer::segment::Coalescer;
use super::coalescer::store_buffer::StoreBuffer;
use super::lane_ram::{LaneBlockRam, LaneRam};
use crate::bundles::{KernelError, MemoryControl, WriteControl};
use crate::ports::MemoryMasterPort;
use flexgrip_machine::sizes::Lanes;
use hdlkit::prelude::*;

/// Places in the unit's queue of beats.
pub const QUEUE_BEATS: usize = 16;

/// Capacity of the unit's queue in memory instructions at this number of lanes: the scheduler's credits.
pub const fn queue_instructions(lanes: usize) -> usize {
    QUEUE_BEATS * lanes / 32
}

/// A beat in the queue, without its addresses, lanes and data: the part of its [`MemoryControl`] that is still needed.
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
    /// Its lanes make illegal accesses.
    pub fault: Bit,
}

/// The request that m2 chose for m3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ChosenRequest {
    pub valid: Bit,
    /// There are lanes to serve.
    pub request: Bit,
    /// The beat needs no more requests.
    pub complete: Bit,
    /// Only the first half of a store's data; the request itself comes next.
    pub partial: Bit,
    /// The second half of the data.
    pub second: Bit,
    pub segment: Bits<32>,
    pub served: Bits<32>,
    /// All lanes of the beat that access.
    pub mask: Bits<32>,
}

/// A request at the memory port, without its data.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct PendingRequest {
    pub valid: Bit,
    pub write: Bit,
    pub address: Bits<32>,
}

/// A beat of a load, on its way to the register file.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LoadedBeat {
    /// Control of the register that goes next.
    pub control: WriteControl,
    pub mask: Bits<32>,
    /// Number of registers after that one, 0 to 3; the rest as in [`MemoryControl`].
    pub parts: Bits<2>,
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
}

/// The load/store unit of an SM of LANES lanes (8, 16 or 32).
#[circuit]
pub struct GlobalMemoryUnit<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid: clears the error. The unit is idle then.
    pub clear: Signal<In, Bit>,
    /// End of global memory: the first address past it; 0 for 2^32.
    pub global_end: Signal<In, Bits<32>>,
    /// The location of local memory, as in [`LaunchConfiguration`](crate::bundles::LaunchConfiguration), and this SM's
    /// number.
    pub local_base: Signal<In, Bits<32>>,
    pub local_shift: Signal<In, Bits<5>>,
    pub local_bytes: Signal<In, Bits<17>>,
    pub multiprocessor: Signal<In, Bits<8>>,
    /// Coalesce by the G80's strict rule instead of by segments. Stable while the unit is not idle.
    pub strict_coalescing: Signal<In, Bit>,

    // From execute. Beats of an instruction arrive in order; there is always room, because the scheduler counts
    // credits.
    pub m_enqueue: Signal<In, Bit>,
    pub m_control: Signal<In, MemoryControl>,
    /// Lanes of the beat that access: bits 0..LANES-1.
    pub m_mask: Signal<In, Bits<32>>,
    pub m_address: [Signal<In, Bits<32>>; LANES],
    pub m_data: [Signal<In, Bits<32>>; LANES],
    /// Pulse: an instruction's places in the queue are free again.
    pub m_dequeued: Signal<Out, Bit>,

    /// To the external memory.
    pub memory: MemoryMasterPort<LANES>,

    // Loads to writeback, every beat and register, including those without lanes. Taken in a cycle with valid and
    // ready.
    pub l_valid: Signal<Out, Bit>,
    pub l_ready: Signal<In, Bit>,
    pub l_control: Signal<Out, WriteControl>,
    /// Lanes that loaded.
    pub l_mask: Signal<Out, Bits<32>>,
    /// Their data; undefined for others.
    pub l_data: [Signal<Out, Bits<32>>; LANES],

    /// Stays until `clear`; code 0 is none.
    pub m_error: Signal<Out, KernelError>,
    /// The tag of the faulting instruction.
    pub m_error_tag: Signal<Out, Bits<16>>,
    /// Nothing queued, requested, outstanding or waiting for writeback. A beat counts from the cycle after `m_enqueue`.
    pub m_idle: Signal<Out, Bit>,
    /// Pulse for statistics: the memory takes a request.
    pub m_transaction: Signal<Out, Bit>,

    // m0: the queue of beats.
    check: AccessCheck<LANES>,
    queue: LutRam<4, QueuedBeat>,
    /// Bit 32: the lane accesses.
    addresses: LaneRam<4, 33, LANES>,
    tail: DFF<Bits<4>>,
    head: DFF<Bits<4>>,
    waiting: DFF<Bits<5>>,
    dequeued: DFF<Bit>,

    // The error, and the data of the first beat with a fault since `clear`.
    error: DFF<KernelError>,
    error_tag: DFF<Bits<16>>,
    fault_seen: DFF<Bit>,
    fault_pc: DFF<Bits<24>>,
    fault_local: DFF<Bit>,

    // m2: the beat that is split into requests.
    first: Leader<LANES>,
    m2_valid: DFF<Bit>,
    m2: DFF<QueuedBeat>,
    /// Its place in the queue.
    m2_place: DFF<Bits<4>>,
    m2_mask: DFF<Bits<32>>,
    /// Its waiting lanes, and the address of the lowest.
    m2_pending: DFF<Bits<32>>,
    m2_leader: DFF<Bits<32>>,
    m2_address: [DFF<Bits<32>>; LANES],
    /// The second half of a store's data is read.
    m2_second: DFF<Bit>,
    /// The strict rule has judged the next beat.
    m2_followed: DFF<Bit>,
    /// The strict rule's verdict on the beat, and whether it is known.
    m2_one_by_one: DFF<Bits<2>>,
    m2_settled: DFF<Bit>,
    rule: HalfWarpRule<LANES>,
    coalescer: Coalescer<LANES>,
    following: Leader<LANES>,

    // m3 and m4: requests.
    m3: DFF<ChosenRequest>,
    m3_control: DFF<QueuedBeat>,
    m3_offset: [DFF<Bits<7>>; LANES],
    words: StoreBuffer<LANES>,
    m4: DFF<PendingRequest>,
    awaited_count: DFF<Bits<5>>,

    // Records of loads: a [`LoadRecord`](record::LoadRecord), and of each lane its offset, served 7, accesses 8.
    records: BlockRam<6, 57, 1>,
    record_lanes: LaneBlockRam<6, 9, 36, LANES>,
    records_tail: DFF<Bits<6>>,
    records_head: DFF<Bits<6>>,
    /// Records not read yet, and whether one has been read.
    records_unread: DFF<Bits<7>>,
    record_valid: DFF<Bit>,

    // Responses that must wait.
    responses: LaneBlockRam<6, 32, 32, LANES>,
    responses_tail: DFF<Bits<6>>,
    responses_head: DFF<Bits<6>>,
    responses_unread: DFF<Bits<7>>,
    response_read: DFF<Bit>,

    // l: the beat whose responses arrive, and whether it has all of its data.
    load_data: LoadAssembly<LANES>,
    loaded: DFF<LoadedBeat>,
    loaded_complete: DFF<Bit>,
    /// The previous beat, without its first register.
    later: DFF<LoadedBeat>,
    later_valid: DFF<Bit>,
    /// The register that goes next; 0 if none does.
    later_part: DFF<Bits<2>>,
}

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// A half-warp is two beats.
    const HALF_WARP_PAIRS: bool = LANES == 8;
    /// log2 of the bytes that a beat has in a row of local memory: 16 of each lane.
    const BEAT_SHIFT: u64 = LANES.trailing_zeros() as u64 + 4;

    /// An idle unit without error.
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
        GlobalMemoryUnit {
            words: StoreBuffer::new(),
            records: BlockRam::new(64, vec![]).collision_free(),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for GlobalMemoryUnit<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // m0: puts a beat into the queue.
        let faulting = self.check_accesses();
        let m0_complete = self.m_enqueue.val() && self.m_control.val().complete;
        self.enqueue_beat(m0_complete, faulting);
        self.note_first_fault(m0_complete, faulting.any());

        // l: loaded registers to writeback.
        let first_taken = self.offer_loaded_register();

        // r0: responses to lanes.
        let answered = self.memory.response_valid.val() && self.awaited_count.q.val().any();
        let record_fetched = self.match_response(answered, first_taken);

        // m4, m3: requests to the memory port.
        let port_free = self.drive_port();
        let leaves = self.request_leaves(port_free);
        self.issue_request(leaves);
        let load = leaves && !self.m3_control.q.val().store;
        self.write_record(load);
        self.count_outstanding(load, record_fetched, answered);

        // m2, m1: splits a beat into requests.
        let judged = self.choose_lanes();
        let done = self.pass_request(judged, leaves);
        let popped = self.pop_beat(done);
        self.count_beats(m0_complete, popped);

        // Errors, which wait until everything before has taken effect, and whether the unit is idle.
        let drained = self.is_drained();
        let fails = self.m2_valid.q.val() && self.m2.q.val().fault && !self.error.q.val().code.any() && drained;
        self.report_fault(fails);
        self.drive_status(drained);
    }
}
