//! The global memory unit: the load/store unit of one SM, for global and local memory.
//!
//! A warp instruction arrives as beats of LANES threads. Each beat makes one request for each segment of LANES words
//! that its addresses touch. Requests leave in queue order, one a cycle, and do not wait for the responses to earlier
//! ones.
//!
//! ```text
//! cycle   m0            m1               m2                  m3                  m4
//!         m.enqueue ──> queue head,  ──> lanes of this   ──> lanes to words, ──> memory.request_valid
//!         check of      the beat's       segment, the        entry for a
//!         addresses     first leader     next leader         load's response
//!
//! cycle   l0                                                         l1
//!         memory.response_valid or queued words, to lanes ─────────> loads, after the beat's last response
//! ```
//!
//! | queue | depth | an entry is taken | and free again |
//! |---|---|---|---|
//! | beats | 16 | m0 | m2 of the last request of the instruction's last beat; `m_dequeued` in the next cycle |
//! | requests that wait for a response | 16 | m3 | response |
//! | records of loads' requests, and of loads' beats without a request | 32 and one at the exit | m3 | l0 |
//! | responses | 64 | response, unless l0 takes it at once | l0 |
//!
//! An access of 64 or 128 bits has two or four registers. A store's registers arrive one after the other (`part`); the
//! beat is queued with the last. A request serves all bytes of its lanes. A load's beat is written back once for each
//! register: the first register from the assembly registers, the others from a second set, so the next beat's responses
//! can already be merged.
//!
//! With `strict_coalescing`, half-warps that break the G80's rule make a request per thread, and no request serves two
//! half-warps. With 8 lanes the first beat of a half-warp then waits in m2 until the second one has been checked.
//!
//! A load leaves m3 only if there is an entry for its record and its response, so a response is never lost. A beat
//! without active lanes takes the same path but makes no request.
//!
//! An atomic operation (capability 1.1) makes a request for each lane, lowest first, with the lane's own address and
//! its operands: b, the high word of b, c, the high word of c (`atomic.rs`). It is answered like a load, by the atomic
//! unit at the memory port; a GRED's answer is written to no register.
//!
//! **Errors.** A beat with an illegal access is queued with only its faulting lanes, and with the threads' own
//! addresses. It waits in m2 until all earlier accesses have completed, including the writeback of loads. Then
//! `m_error` reports the error and its address, and this beat and all later ones are dropped, one a cycle, which frees
//! their entries as usual.

mod atomic;
mod coalesce;
mod enqueue;
mod request;
mod response;

use super::bundles::*;
use super::coalescer::half_warp_rule::HalfWarpRule;
use super::coalescer::load_assembly::LoadAssembly;
use super::coalescer::store_buffer::StoreBuffer;
use super::lane_ram::LaneBlockRam;
use crate::bundles::*;
use crate::count::up_down;
use crate::optional::optional;
use crate::ports::MemoryMasterPort;
use crate::stage_ports::ResultPort;
use flexgrip_machine::Capability;
use hdlkit::prelude::*;

/// Capacity of the unit's queue in beats.
pub const QUEUE_BEATS: usize = 16;

/// Capacity of the unit's queue in memory instructions at this number of lanes: the scheduler's credits.
pub const fn queue_instructions(lanes: usize) -> usize {
    QUEUE_BEATS * lanes / 32
}

/// Beats of memory instructions, from the read stage. A beat is never refused, because the scheduler counts credits.
#[interface(mirror = AccessMasterPort)]
pub struct AccessPort<const LANES: usize> {
    /// A beat arrives. An instruction's beats arrive in order.
    pub enqueue: Signal<In, Bit>,
    pub control: Signal<In, MemoryControl>,
    /// Lanes of the beat that access, in bits 0..LANES.
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
    /// The launch: end of global memory, location of local memory, coalescing rule. Stable while the unit is not idle.
    pub configuration: Signal<In, LaunchConfiguration>,
    /// Number of this SM.
    pub multiprocessor: Signal<In, Bits<8>>,

    pub m: AccessPort<LANES>,
    /// Pulse: an instruction's entries in the queue are free again.
    pub m_dequeued: Signal<Out, Bit>,

    /// The port to the external memory.
    pub memory: MemoryMasterPort<LANES>,

    /// Results of loads: every beat and register, including beats without active lanes.
    pub loads: ResultPort<LANES>,

    /// The first error, stays until `clear`.
    pub m_error: Signal<Out, TaggedError>,
    /// No beat is queued, and no request, response or writeback is outstanding. A beat counts from the cycle after
    /// `m.enqueue`.
    pub m_idle: Signal<Out, Bit>,
    /// Pulse for the counters: the memory takes a request.
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
    /// Number of requests that wait for a response, 0 to 16.
    awaited: DFF<Bits<5>>,

    #[blank(BundleRam::blank().collision_free())]
    records: BundleRam<6, LoadRecord>,
    /// For each lane: its offset in bits 6..0; bit 7: served; bit 8: accesses.
    record_lanes: LaneBlockRam<6, 9, 36, LANES>,
    record_queue: DFF<ReadAhead>,
    responses: LaneBlockRam<6, 32, 32, LANES>,
    response_queue: DFF<ReadAhead>,
    load_data: LoadAssembly<LANES>,
    /// The beat being assembled, or complete; the previous beat, while it has further registers to write back.
    loaded: DFF<LoadedBeat>,
    later: DFF<LoadedBeat>,
    /// The register of `later` to write back next, 1 to 3; 0 if there is none.
    later_part: DFF<Bits<2>>,

    /// Atomic operations exist: capability 1.1. If they do: the operation of the beat in `m`, of the request at the
    /// memory port, and of the beats and requests between.
    atomics: Constant<Bit>,
    pub m_atomic: Vec<Signal<In, AtomicOperation>>,
    pub memory_atomic: Vec<Signal<Out, AtomicOperation>>,
    queue_atomic: Vec<LutRam<4, AtomicOperation>>,
    m2_atomic: Vec<DFF<AtomicOperation>>,
    m3_atomic: Vec<DFF<AtomicOperation>>,
    m4_atomic: Vec<DFF<AtomicOperation>>,
}

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// True if a half-warp is two beats.
    const HALF_WARP_PAIRS: bool = LANES == 8;
    /// log2 of a beat's bytes in a row of local memory, 16 for each lane.
    const BEAT_SHIFT: u64 = LANES.trailing_zeros() as u64 + 4;

    /// Returns the memory unit of an SM of this capability.
    pub fn new(capability: Capability) -> Self {
        let atomics = capability.has_atomics();
        GlobalMemoryUnit {
            atomics: Constant::new(atomics),
            m_atomic: optional(atomics),
            memory_atomic: optional(atomics),
            queue_atomic: optional(atomics),
            m2_atomic: optional(atomics),
            m3_atomic: optional(atomics),
            m4_atomic: optional(atomics),
            ..Default::default()
        }
    }
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

        // m2, m1: splits a beat into requests. An instruction's last beat frees the instruction's entries in the queue.
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

        // l0, l1: responses to lanes, loaded registers to writeback.
        let awaited = self.awaited.q.val();
        let answered = self.memory.response_valid.val() && awaited.any();
        self.awaited.d.next = up_down::<5>(awaited, load && m3.request && !m3.partial, answered);
        let first_taken = self.offer_loaded_register();
        self.match_response(load, answered, first_taken);

        if self.atomics.val() {
            self.pass_atomics(m0_complete, popped, leaves);
        }

        // The error of a faulting beat, and the unit's idle signal.
        self.report_fault();
    }
}
