//! The global memory unit: the loads and stores of one SM.
//!
//! A warp instruction comes as beats of LANES threads. Each beat becomes as many requests as its addresses touch
//! segments of LANES words; requests go out in the order of the queue, one a cycle, and loads do not wait for each
//! other's responses.
//!
//! ```text
//! cycle   m0            m1                 m2                  m3
//!         m_enqueue ──> queue head,    ──> lanes to words, ──> memory_request_valid
//!         check of      choose the         place for a
//!         addresses     next segment       load's data
//!
//! cycle   r0                                       l
//!         memory_response_valid, words to lanes ─> l_valid, when it was the beat's last response
//! ```
//!
//! | queue | depth | a place is taken | and free again |
//! |---|---|---|---|
//! | beats | 16 | m0 | after m2 of the beat's last request; `m_dequeued` in the next cycle |
//! | requests that wait for a response | 16 | m2 | r0 |
//! | beats of loads | 16 | m2 of the beat's last request | l |
//!
//! An access of 64 or 128 bits has two or four registers. A store's come one after the other, `part` by `part`; the beat
//! is in the queue with the last. A request serves its lanes with all of their bytes. A load's beat goes to writeback once
//! for each register.
//!
//! With `strict_coalescing`, half-warps that do not keep the G80's rule make a request for each thread, and requests do not
//! serve two half-warps. With 8 lanes the first beat of a half-warp then waits in m1 until the second one is in the queue.
//!
//! A load leaves m2 only if the last two have room, so a response is never lost. A beat without lanes takes the same
//! way but makes no request.
//!
//! **Errors.** A beat that holds an access that is not allowed waits in m1 until all that came before it has taken
//! effect, loads written back included. Then `m_error` says what and where, and this beat and all that follow are
//! dropped, one a cycle, giving their queue places back as usual.

use super::coalescer::{AccessCheck, Coalescer, HalfWarpRule, LoadBuffer, StoreBuffer};
use super::lane_ram::LaneRam;
use crate::bundles::{KernelError, MemoryControl, WriteControl};
use hdlkit::prelude::*;

/// Places in the unit's queue of beats.
pub const QUEUE_BEATS: usize = 16;

/// Memory instructions that the unit's queue holds at this number of lanes: the scheduler's credits.
pub const fn queue_instructions(lanes: usize) -> usize {
    QUEUE_BEATS * lanes / 32
}

/// A beat in the queue, beside its addresses and data.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QueuedBeat {
    pub control: MemoryControl,
    /// Lanes that access.
    pub mask: Bits<32>,
    /// Those of them that must not.
    pub fault: Bits<32>,
}

/// What m1 chose for m2.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ChosenRequest {
    pub valid: Bit,
    /// There are lanes to serve.
    pub request: Bit,
    /// The beat needs no more requests.
    pub complete: Bit,
    /// The beat's place in the queue.
    pub place: Bits<4>,
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

/// A read request that waits for its response, beside the lanes' words.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AwaitedResponse {
    pub served: Bits<32>,
    /// Place of the beat's data in the load buffer.
    pub beat: Bits<4>,
    /// The beat's last response.
    pub complete: Bit,
    /// As in [`MemoryControl`].
    pub size: Bits<3>,
    pub is_signed: Bit,
}

/// A beat of a load, on its way to the register file.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LoadedBeat {
    /// Of its first register.
    pub control: WriteControl,
    pub mask: Bits<32>,
    /// Registers behind the first, 0, 1 or 3, and as in [`MemoryControl`].
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
    addresses: LaneRam<4, 32, LANES>,
    offsets: LaneRam<4, 7, LANES>,
    tail: DFF<Bits<4>>,
    head: DFF<Bits<4>>,
    waiting: DFF<Bits<5>>,
    dequeued: DFF<Bit>,
    error: DFF<KernelError>,
    error_tag: DFF<Bits<16>>,

    rule: HalfWarpRule<LANES>,
    coalescer: Coalescer<LANES>,
    done: DFF<Bits<32>>,
    m2: DFF<ChosenRequest>,
    m2_control: DFF<MemoryControl>,
    words: StoreBuffer<LANES>,
    m3: DFF<PendingRequest>,

    awaited: LutRam<4, AwaitedResponse>,
    awaited_offsets: LaneRam<4, 7, LANES>,
    awaited_tail: DFF<Bits<4>>,
    awaited_head: DFF<Bits<4>>,
    awaited_count: DFF<Bits<5>>,

    loads: LutRam<4, LoadedBeat>,
    load_data: LoadBuffer<LANES>,
    load_tail: DFF<Bits<4>>,
    load_head: DFF<Bits<4>>,
    load_count: DFF<Bits<5>>,
    /// Places of beats that have all of their data.
    load_complete: DFF<Bits<16>>,
    /// Register of the beat that goes to writeback next.
    load_part: DFF<Bits<2>>,
    one: Constant<Bits<16>>,
    /// A half-warp is two beats.
    half_warp_pairs: Constant<Bit>,
    ones: Constant<Bits<32>>,

    m0_beat: Signal<Local, QueuedBeat>,
    m0_local: Signal<Local, Bit>,
    m0_window: Signal<Local, Bits<32>>,
    m0_thread: Signal<Local, Bits<32>>,
    m0_row: Signal<Local, Bits<32>>,
    m0_address: Signal<Local, Bits<32>>,
    lane_bits: Constant<Bits<3>>,
    /// 16 bytes a lane.
    lane_place: [Constant<Bits<32>>; LANES],
    m0_complete: Signal<Local, Bit>,
    m1_valid: Signal<Local, Bit>,
    m1_control: Signal<Local, MemoryControl>,
    m1_fault: Signal<Local, Bits<32>>,
    m1_faulty: Signal<Local, Bit>,
    m1_mask: Signal<Local, Bits<32>>,
    m1_pending: Signal<Local, Bits<32>>,
    m1_stopped: Signal<Local, Bit>,
    m1_step: Signal<Local, Bit>,
    m1_judged: Signal<Local, Bit>,
    m1_drop: Signal<Local, Bit>,
    m1_pop: Signal<Local, Bit>,
    m1_fail: Signal<Local, Bit>,
    m1_above: Signal<Local, Bits<32>>,
    m1_remainder: Signal<Local, Bits<32>>,
    drained: Signal<Local, Bit>,
    m2_room: Signal<Local, Bit>,
    m2_go: Signal<Local, Bit>,
    m2_request: Signal<Local, Bit>,
    m2_read: Signal<Local, Bit>,
    m2_loaded: Signal<Local, Bit>,
    m2_awaited: Signal<Local, AwaitedResponse>,
    m2_write: Signal<Local, WriteControl>,
    m2_load: Signal<Local, LoadedBeat>,
    m3_free: Signal<Local, Bit>,
    r0_take: Signal<Local, Bit>,
    r0_complete: Signal<Local, Bit>,
    l_present: Signal<Local, Bit>,
    l_take: Signal<Local, Bit>,
    l_done: Signal<Local, Bit>,
    l_freed: Signal<Local, Bit>,
    l_further: Signal<Local, Bits<3>>,
    l_further_fill: Signal<Local, Bits<3>>,
    l_halves: Signal<Local, Bits<2>>,
    l_write: Signal<Local, WriteControl>,
    place: Signal<Local, Bits<16>>,
    completed: Signal<Local, Bits<16>>,
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
            lane_bits: Constant::new(u64::from(LANES.trailing_zeros()).into()),
            lane_place: std::array::from_fn(|lane| Constant::new((16 * lane as u64).into())),
            one: Constant::new(1.into()),
            half_warp_pairs: Constant::new(LANES == 8),
            ones: Constant::new(0xffff_ffff.into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for GlobalMemoryUnit<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tail, head, waiting, dequeued, error, error_tag, done, m2, m2_control, m3);
        dff_setup!(self, clock, awaited_tail, awaited_head, awaited_count);
        dff_setup!(self, clock, load_tail, load_head, load_count, load_complete, load_part);
        clock!(self, clock, queue, addresses, offsets, words, rule);
        clock!(self, clock, awaited, awaited_offsets, loads, load_data);

        // m0: into the queue, with the verdict on the addresses.
        self.check.mask.next = self.m_mask.val();
        self.check.size.next = self.m_control.val().size;
        self.m0_local.next = self.m_control.val().local;
        self.check.memory_end.next = self.global_end.val();
        if self.m0_local.val() {
            self.check.memory_end.next = bit_cast::<32, 17>(self.local_bytes.val());
        }
        self.m0_beat.next.control = self.m_control.val();
        self.m0_beat.next.mask = self.m_mask.val();
        self.m0_beat.next.fault = self.check.fault.val();
        // To the check, 0 is no limit.
        if self.m0_local.val() && !self.local_bytes.val().any() {
            self.m0_beat.next.fault = self.m_mask.val();
        }
        // Local memory: the warps' shares follow each other, in a share each 16 bytes of all threads. A fault keeps the
        // thread's own address, for the report.
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
        self.offsets.write_enable.next = self.m0_complete.val();
        self.offsets.write_address.next = self.tail.q.val();
        self.rule.write_enable.next = self.m0_complete.val() && self.strict_coalescing.val();
        self.rule.write_place.next = self.tail.q.val();
        self.rule.size.next = self.m_control.val().size;
        self.rule.mask.next = self.m_mask.val();
        for i in 0..LANES {
            self.check.address[i].next = self.m_address[i].val();
            self.m0_row.next = 0.into();
            self.m0_address.next = self.m_address[i].val();
            if self.m0_local.val() && !self.m0_beat.val().fault.get_bit(i) {
                self.m0_row.next = self.m_address[i].val() >> 4;
                self.m0_row.next = self.m0_row.val() << 9;
                self.m0_address.next = self.m_address[i].val() & 15;
                self.m0_address.next = self.m0_address.val() | self.m0_row.val();
                self.m0_address.next = self.m0_address.val() | self.lane_place[i].val();
                self.m0_address.next = self.m0_address.val() | self.m0_window.val();
            }
            self.rule.address[i].next = self.m0_address.val();
            self.addresses.write_data[i].next = self.m0_address.val();
            self.words.lane[i].next = self.m_data[i].val();
            self.offsets.write_data[i].next = self.m0_address.val().get_bits::<7>(0);
        }
        if self.m0_complete.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }

        // r0: a response, to its lanes.
        self.awaited.read_address.next = self.awaited_head.q.val();
        self.awaited_offsets.read_address.next = self.awaited_head.q.val();
        self.r0_take.next = self.memory_response_valid.val() && self.awaited_count.q.val().any();
        self.r0_complete.next = self.r0_take.val() && self.awaited.read_data.val().complete;
        self.load_data.write_enable.next = self.r0_take.val();
        self.load_data.write_beat.next = self.awaited.read_data.val().beat;
        self.load_data.served.next = self.awaited.read_data.val().served;
        self.load_data.size.next = self.awaited.read_data.val().size;
        self.load_data.is_signed.next = self.awaited.read_data.val().is_signed;
        for i in 0..LANES {
            self.load_data.offset[i].next = self.awaited_offsets.read_data[i].val();
            self.load_data.word[i].next = self.memory_response_data[i].val();
        }
        if self.r0_take.val() {
            self.awaited_head.d.next = self.awaited_head.q.val() + 1;
        }

        // l: the oldest beat of a load, if complete.
        self.loads.read_address.next = self.load_head.q.val();
        self.load_data.read_beat.next = self.load_head.q.val();
        self.load_data.read_part.next = self.load_part.q.val();
        self.l_present.next = self.load_complete.q.val().get_bit(self.load_head.q.val().index());
        self.l_take.next = self.l_present.val() && self.l_ready.val();
        self.l_valid.next = self.l_present.val();
        self.l_write.next = self.loads.read_data.val().control;
        self.l_write.next.valid = self.l_present.val();
        // The registers behind the first.
        self.l_further.next = self.loads.read_data.val().further;
        self.l_further_fill.next = self.loads.read_data.val().further_fill;
        self.l_halves.next = 0.into();
        self.l_done.next = self.load_part.q.val() == self.loads.read_data.val().parts;
        if self.load_part.q.val().any() {
            match self.load_part.q.val().index() {
                2 => {
                    self.l_further.next = self.l_further.val() >> 1;
                    self.l_further_fill.next = self.l_further_fill.val() >> 1;
                }
                3 => {
                    self.l_further.next = self.l_further.val() >> 2;
                    self.l_further_fill.next = self.l_further_fill.val() >> 2;
                }
                _ => {}
            }
            if self.l_further.val().get_bit(0) {
                self.l_halves.next = 3.into();
            }
            self.l_write.next.row = self.l_write.val().row + bit_cast::<9, 2>(self.load_part.q.val());
            self.l_write.next.register = self.l_write.val().register + bit_cast::<7, 2>(self.load_part.q.val());
            self.l_write.next.halves = self.l_halves.val();
            self.l_write.next.fill = self.l_further_fill.val().get_bit(0);
        }
        self.l_control.next = self.l_write.val();
        self.l_mask.next = self.loads.read_data.val().mask;
        for i in 0..LANES {
            self.l_data[i].next = self.load_data.lane[i].val();
        }
        if self.l_take.val() {
            self.load_part.d.next = self.load_part.q.val() + 1;
        }
        self.l_freed.next = self.l_take.val() && self.l_done.val();
        if self.l_freed.val() {
            self.load_part.d.next = 0.into();
            self.load_head.d.next = self.load_head.q.val() + 1;
        }

        // m3: the request at the port.
        self.m3_free.next = !self.m3.q.val().valid || self.memory_request_ready.val();
        self.memory_request_valid.next = self.m3.q.val().valid;
        self.memory_request_write.next = self.m3.q.val().write;
        self.memory_request_address.next = self.m3.q.val().address;
        for i in 0..LANES {
            self.memory_request_data[i].next = self.words.word[i].val();
            self.memory_request_enable[i].next = self.words.enable[i].val();
        }
        self.m_transaction.next = self.m3.q.val().valid && self.memory_request_ready.val();
        if self.memory_request_ready.val() {
            self.m3.d.next.valid = false;
        }

        // m2: the chosen request to the port; a load takes its places.
        self.m2_room.next = !self.awaited_count.q.val().get_bit(4) && !self.load_count.q.val().get_bit(4);
        self.m2_go.next = self.m2.q.val().valid
            && (self.m3_free.val() || !self.m2.q.val().request)
            && (self.m2_control.q.val().store || self.m2_room.val());
        self.m2_request.next = self.m2_go.val() && self.m2.q.val().request;
        self.m2_read.next = self.m2_request.val() && !self.m2_control.q.val().store;
        self.m2_loaded.next = self.m2_go.val() && self.m2.q.val().complete && !self.m2_control.q.val().store;
        self.offsets.read_address.next = self.m2.q.val().place;
        self.words.capture.next = self.m2_request.val();
        self.words.beat.next = self.m2.q.val().place;
        self.words.served.next = self.m2.q.val().served;
        self.words.size.next = self.m2_control.q.val().size;
        for i in 0..LANES {
            self.words.offset[i].next = self.offsets.read_data[i].val();
            self.awaited_offsets.write_data[i].next = self.offsets.read_data[i].val();
        }
        if self.m2_request.val() {
            self.m3.d.next.valid = true;
            self.m3.d.next.write = self.m2_control.q.val().store;
            self.m3.d.next.address = self.m2.q.val().segment;
        }
        self.m2_awaited.next.served = self.m2.q.val().served;
        self.m2_awaited.next.beat = self.load_tail.q.val();
        self.m2_awaited.next.complete = self.m2.q.val().complete;
        self.m2_awaited.next.size = self.m2_control.q.val().size;
        self.m2_awaited.next.is_signed = self.m2_control.q.val().is_signed;
        self.awaited.write_enable.next = self.m2_read.val();
        self.awaited.write_address.next = self.awaited_tail.q.val();
        self.awaited.write_data.next = self.m2_awaited.val();
        self.awaited_offsets.write_enable.next = self.m2_read.val();
        self.awaited_offsets.write_address.next = self.awaited_tail.q.val();
        if self.m2_read.val() {
            self.awaited_tail.d.next = self.awaited_tail.q.val() + 1;
        }
        self.m2_write.next.valid = true;
        self.m2_write.next.tag = self.m2_control.q.val().tag;
        self.m2_write.next.warp = self.m2_control.q.val().warp;
        self.m2_write.next.beat = self.m2_control.q.val().beat;
        self.m2_write.next.last = self.m2_control.q.val().last;
        self.m2_write.next.row = self.m2_control.q.val().row;
        self.m2_write.next.register = self.m2_control.q.val().register;
        self.m2_write.next.halves = self.m2_control.q.val().halves;
        self.m2_write.next.register_enable = true;
        self.m2_write.next.fill = self.m2_control.q.val().fill;
        self.m2_write.next.condition_register = 0.into();
        self.m2_write.next.condition_enable = false;
        self.m2_write.next.condition_fill = false;
        self.m2_write.next.address_register = 0.into();
        self.m2_write.next.address_enable = false;
        self.m2_write.next.address_fill = false;
        self.m2_write.next.elsewhere = false;
        self.m2_load.next.control = self.m2_write.val();
        self.m2_load.next.mask = self.m2.q.val().mask;
        self.m2_load.next.parts = 0.into();
        match self.m2_control.q.val().size.index() {
            3 => self.m2_load.next.parts = 1.into(),
            4 => self.m2_load.next.parts = 3.into(),
            _ => {}
        }
        self.m2_load.next.further = self.m2_control.q.val().further;
        self.m2_load.next.further_fill = self.m2_control.q.val().further_fill;
        self.loads.write_enable.next = self.m2_loaded.val();
        self.loads.write_address.next = self.load_tail.q.val();
        self.loads.write_data.next = self.m2_load.val();
        if self.m2_loaded.val() {
            self.load_tail.d.next = self.load_tail.q.val() + 1;
        }

        // The requests that wait, the beats of loads, and which of those are complete.
        if self.m2_read.val() && !self.r0_take.val() {
            self.awaited_count.d.next = self.awaited_count.q.val() + 1;
        }
        if !self.m2_read.val() && self.r0_take.val() {
            self.awaited_count.d.next = self.awaited_count.q.val() - 1;
        }
        if self.m2_loaded.val() && !self.l_freed.val() {
            self.load_count.d.next = self.load_count.q.val() + 1;
        }
        if !self.m2_loaded.val() && self.l_freed.val() {
            self.load_count.d.next = self.load_count.q.val() - 1;
        }
        self.completed.next = self.load_complete.q.val();
        self.place.next = self.one.val() << self.load_head.q.val();
        if self.l_freed.val() {
            self.completed.next = self.completed.val() & !self.place.val();
        }
        self.place.next = self.one.val() << self.awaited.read_data.val().beat;
        if self.r0_complete.val() {
            self.completed.next = self.completed.val() | self.place.val();
        }
        self.place.next = self.one.val() << self.load_tail.q.val();
        if self.m2_loaded.val() && !self.m2.q.val().request {
            self.completed.next = self.completed.val() | self.place.val();
        }
        self.load_complete.d.next = self.completed.val();

        // m1: the next request of the beat at the head.
        self.queue.read_address.next = self.head.q.val();
        self.addresses.read_address.next = self.head.q.val();
        for i in 0..LANES {
            self.coalescer.address[i].next = self.addresses.read_data[i].val();
        }
        self.rule.read_place.next = self.head.q.val();
        self.coalescer.strict.next = self.strict_coalescing.val();
        self.coalescer.one_by_one.next = 0.into();
        self.m1_judged.next = true;
        if self.strict_coalescing.val() {
            self.coalescer.one_by_one.next = self.rule.one_by_one.val();
            self.m1_judged.next =
                !self.half_warp_pairs.val() || self.head.q.val().get_bit(0) || (self.waiting.q.val() > 1);
        }
        self.m1_valid.next = self.waiting.q.val().any();
        self.m1_control.next = self.queue.read_data.val().control;
        self.m1_fault.next = self.queue.read_data.val().fault;
        self.m1_faulty.next = self.m1_fault.val().any();
        self.m1_mask.next = self.queue.read_data.val().mask;
        self.m1_pending.next = self.m1_mask.val() & !self.done.q.val();
        self.coalescer.pending.next = self.m1_pending.val();
        if self.m1_faulty.val() {
            self.coalescer.pending.next = self.m1_fault.val();
        }
        self.m1_stopped.next = self.error.q.val().code.any();
        self.drained.next = !self.m2.q.val().valid
            && !self.m3.q.val().valid
            && !self.awaited_count.q.val().any()
            && !self.load_count.q.val().any();
        self.m1_step.next = self.m1_valid.val()
            && self.m1_judged.val()
            && !self.m1_faulty.val()
            && !self.m1_stopped.val()
            && (self.m2_go.val() || !self.m2.q.val().valid);
        self.m1_fail.next = self.m1_valid.val() && self.m1_faulty.val() && !self.m1_stopped.val() && self.drained.val();
        self.m1_drop.next = self.m1_valid.val() && self.m1_stopped.val();
        self.m1_pop.next = self.m1_drop.val() || (self.m1_step.val() && self.coalescer.complete.val());
        if self.m2_go.val() {
            self.m2.d.next.valid = false;
        }
        if self.m1_step.val() {
            self.m2.d.next.valid = true;
            self.m2.d.next.request = self.m1_pending.val().any();
            self.m2.d.next.complete = self.coalescer.complete.val();
            self.m2.d.next.place = self.head.q.val();
            self.m2.d.next.segment = self.coalescer.segment.val();
            self.m2.d.next.served = self.coalescer.served.val();
            self.m2.d.next.mask = self.m1_mask.val();
            self.m2_control.d.next = self.m1_control.val();
            self.done.d.next = self.done.q.val() | self.coalescer.served.val();
        }
        if self.m1_pop.val() {
            self.done.d.next = 0.into();
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.m0_complete.val() && !self.m1_pop.val() {
            self.waiting.d.next = self.waiting.q.val() + 1;
        }
        if !self.m0_complete.val() && self.m1_pop.val() {
            self.waiting.d.next = self.waiting.q.val() - 1;
        }
        self.dequeued.d.next = (self.m2_go.val() && self.m2.q.val().complete && self.m2_control.q.val().last)
            || (self.m1_drop.val() && self.m1_control.val().last);
        self.m_dequeued.next = self.dequeued.q.val();

        // Errors: the coalescer's leader is the lowest lane at fault.
        self.m1_above.next = self.ones.val() << self.m1_control.val().size;
        self.m1_remainder.next = self.coalescer.leader.val() & !self.m1_above.val();
        if self.m1_fail.val() {
            self.error.d.next.code = 6.into();
            if self.m1_remainder.val().any() {
                self.error.d.next.code = 5.into();
            }
            if self.m1_control.val().local {
                self.error.d.next.code = 15.into();
                if self.m1_remainder.val().any() {
                    self.error.d.next.code = 14.into();
                }
            }
            self.error_tag.d.next = self.m1_control.val().tag;
            self.error.d.next.warp = self.m1_control.val().warp;
            self.error.d.next.pc = self.m1_control.val().pc;
            self.error.d.next.address = self.coalescer.leader.val();
        }
        if self.clear.val() {
            self.error.d.next.code = 0.into();
        }
        self.m_error.next = self.error.q.val();
        self.m_error_tag.next = self.error_tag.q.val();
        self.m_idle.next = self.drained.val() && !self.m1_valid.val();
    }
}
