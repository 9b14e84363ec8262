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
//!         memory_response_valid or words that waited, to lanes ────> loads, when it was the beat's last response
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
mod request;
mod response;

use super::coalescer::half_warp_rule::HalfWarpRule;
use super::coalescer::load_assembly::LoadAssembly;
use super::coalescer::store_buffer::StoreBuffer;
use super::lane_ram::LaneBlockRam;
use crate::bundles::*;
use crate::count::up_down;
use crate::execute::writeback::ResultPort;
use crate::ports::MemoryMasterPort;
use hdlkit::prelude::*;
use request::{LoadRecord, ReadAhead};

/// Places in the unit's queue of beats.
pub const QUEUE_BEATS: usize = 16;

/// Capacity of the unit's queue in memory instructions at this number of lanes: the scheduler's credits.
pub const fn queue_instructions(lanes: usize) -> usize {
    QUEUE_BEATS * lanes / 32
}

/// A beat in the queue, without its addresses, lanes and data.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QueuedBeat {
    pub beat: MemoryBeat,
    pub store: Bit,
    pub size: Bits<3>,
    pub is_signed: Bit,
    /// Its lanes make illegal accesses.
    pub fault: Bit,
}

/// A lane of a beat in the queue: where it accesses, and whether it does.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LaneAccess {
    pub address: Bits<32>,
    pub accesses: Bit,
}

/// The queue of beats.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BeatQueue {
    pub tail: Bits<4>,
    pub head: Bits<4>,
    pub waiting: Bits<5>,
    /// An instruction's last beat has been split, so its places are free.
    pub dequeued: Bit,
}

/// The error, and what the queue does not keep of the first beat with a fault since `clear`.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FirstFault {
    pub error: TaggedError,
    pub seen: Bit,
    pub pc: Bits<24>,
    pub local: Bit,
}

/// The beat in m2, which is split into requests; its addresses are beside it.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SplitBeat {
    pub valid: Bit,
    pub queued: QueuedBeat,
    /// Its place in the queue.
    pub place: Bits<4>,
    /// Lanes that access; those that still wait; the address of the lowest of these.
    pub lanes: Bits<32>,
    pub pending: Bits<32>,
    pub leader: Bits<32>,
    /// The second half of a store's data is read.
    pub second: Bit,
    /// The strict rule has judged the next beat.
    pub followed: Bit,
    /// The strict rule's verdict on the beat, and whether it is known.
    pub one_by_one: Bits<2>,
    pub settled: Bit,
}

/// The request that m2 chose for m3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ChosenRequest {
    pub valid: Bit,
    pub queued: QueuedBeat,
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
    pub lanes: Bits<32>,
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
    /// Control of the register that goes next; valid when it has all of its data.
    pub control: WriteControl,
    pub lanes: Bits<32>,
    /// Number of registers after that one, 0 to 3; the rest as in [`MemoryBeat`].
    pub parts: Bits<2>,
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
}

/// Beats of memory instructions, from the read stage; there is always room, because the scheduler counts credits.
#[interface(mirror = AccessMasterPort)]
pub struct AccessPort<const LANES: usize> {
    /// A beat. An instruction's beats arrive in order.
    pub enqueue: Signal<In, Bit>,
    pub control: Signal<In, MemoryControl>,
    /// Lanes of the beat that access: bits 0..LANES-1.
    pub lanes: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    pub data: [Signal<In, Bits<32>>; LANES],
}

/// The load/store unit of an SM of LANES lanes (8, 16 or 32).
#[circuit]
pub struct GlobalMemoryUnit<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid: clears the error. The unit is idle then.
    pub clear: Signal<In, Bit>,
    /// The end of global memory, the location of local memory, the rule of coalescing. Stable while the unit is not idle.
    pub configuration: Signal<In, LaunchConfiguration>,
    /// This SM's number.
    pub multiprocessor: Signal<In, Bits<8>>,

    pub m: AccessPort<LANES>,
    /// Pulse: an instruction's places in the queue are free again.
    pub m_dequeued: Signal<Out, Bit>,

    /// To the external memory.
    pub memory: MemoryMasterPort<LANES>,

    /// Every beat and register of a load, including those without lanes.
    pub loads: ResultPort<LANES>,

    /// Stays until `clear`.
    pub m_error: Signal<Out, TaggedError>,
    /// Nothing queued, requested, outstanding or waiting for writeback. A beat counts from the cycle after `m_enqueue`.
    pub m_idle: Signal<Out, Bit>,
    /// Pulse for statistics: the memory takes a request.
    pub m_transaction: Signal<Out, Bit>,

    queue: LutRam<4, QueuedBeat>,
    addresses: [LutRam<4, LaneAccess>; LANES],
    beats: DFF<BeatQueue>,
    rule: HalfWarpRule<LANES>,
    fault: DFF<FirstFault>,
    m2: DFF<SplitBeat>,
    m2_address: [DFF<Bits<32>>; LANES],
    m3: DFF<ChosenRequest>,
    m3_offset: [DFF<Bits<7>>; LANES],
    words: StoreBuffer<LANES>,
    m4: DFF<PendingRequest>,
    /// Requests that wait for a response.
    awaited: DFF<Bits<5>>,
    #[blank(BundleRam::blank().collision_free())]
    records: BundleRam<6, LoadRecord>,
    /// Of each lane its offset, served 7, accesses 8.
    record_lanes: LaneBlockRam<6, 9, 36, LANES>,
    record_queue: DFF<ReadAhead>,
    responses: LaneBlockRam<6, 32, 32, LANES>,
    response_queue: DFF<ReadAhead>,
    load_data: LoadAssembly<LANES>,
    loaded: DFF<LoadedBeat>,
    later: DFF<LoadedBeat>,
    /// The register of `later` that goes next; 0 if none does.
    later_part: DFF<Bits<2>>,
}

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// A half-warp is two beats.
    const HALF_WARP_PAIRS: bool = LANES == 8;
    /// log2 of the bytes that a beat has in a row of local memory: 16 of each lane.
    const BEAT_SHIFT: u64 = LANES.trailing_zeros() as u64 + 4;
}

impl<const LANES: usize> Logic for GlobalMemoryUnit<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // m0: puts a beat into the queue.
        let faulting = self.check_accesses();
        let m0_complete = self.m.enqueue.val() && self.m.control.val().complete;
        self.enqueue_beat(m0_complete, faulting);
        self.note_first_fault(m0_complete, faulting.any());

        // m4, m3: requests to the memory port.
        let port_free = self.drive_port();
        let leaves = self.issue_request(port_free);
        let m3 = self.m3.q.val();
        let load = leaves && !m3.queued.store;
        self.write_record(load);

        // m2, m1: splits a beat into requests. An instruction's last beat frees its places in the queue.
        let done = self.pass_request(leaves);
        let popped = self.pop_beat(done);
        let beats = self.beats.q.val();
        self.beats.d.next = BeatQueue {
            tail: if m0_complete { beats.tail + 1 } else { beats.tail },
            head: if popped { beats.head + 1 } else { beats.head },
            waiting: up_down::<5>(beats.waiting, m0_complete, popped),
            dequeued: done && self.m2.q.val().queued.beat.last,
        };
        self.m_dequeued.next = beats.dequeued;

        // r0, l: responses to lanes, loaded registers to writeback.
        let awaited = self.awaited.q.val();
        let answered = self.memory.response_valid.val() && awaited.any();
        self.awaited.d.next = up_down::<5>(awaited, load && m3.request && !m3.partial, answered);
        let first_taken = self.offer_loaded_register();
        self.match_response(load, answered, first_taken);

        // The error of a beat with a fault, and whether the unit is idle.
        self.report_fault();
    }
}
