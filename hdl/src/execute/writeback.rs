//! The writeback stage: writes results into the register file and the predicate file.
//!
//! One beat a cycle, from one of four sources: the end of the pipeline, which always has priority; the block
//! scheduler's R0 of a warp about to begin; the special function units' results; the memory unit's loads. All but the
//! first wait for a gap; `w_hold` asks the scheduler to leave one.
//!
//! ```text
//! w_pipeline (results straight from the lanes) ──┐
//! init (R0) ─────────────────────────────────────┼─> register, predicate and address files, scoreboard release, trace
//! sf_ (special functions) ───────────────────────┤
//! l_ (loads) ────────────────────────────────────┘
//! ```
//! A 16-bit result goes to either half. On a register's first write (`fill`) threads and halves that the instruction
//! does not write become 0.

use crate::bundles::*;
use hdlkit::prelude::*;

/// One lane's share of a write: which halves, and the aligned data. Combinational.
#[derive(LogicBlock, Cycle, Blank)]
pub struct WriteLane {
    pub enable: Signal<In, Bit>,
    pub active: Signal<In, Bit>,
    pub fill: Signal<In, Bit>,
    pub halves: Signal<In, Bits<2>>,
    pub result: Signal<In, Bits<32>>,
    pub write_halves: Signal<Out, Bits<2>>,
    pub write_data: Signal<Out, Bits<32>>,
    data: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl Logic for WriteLane {
    #[hdl_gen]
    fn update(&mut self) {
        self.data.next = self.result.val();
        if self.halves.val() == 2 {
            self.data.next = self.result.val() << 16;
        } else if self.halves.val() == 1 {
            self.data.next = self.result.val() & 0xffff;
        }
        if !self.active.val() {
            self.data.next = 0.into();
        }
        self.write_data.next = self.data.val();
        self.write_halves.next = 0.into();
        if self.enable.val() {
            if self.fill.val() {
                self.write_halves.next = 3.into();
            } else if self.active.val() {
                self.write_halves.next = self.halves.val();
            }
        }
    }
}

/// The writeback stage of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Writeback<const LANES: usize> {
    // The pipeline's beat.
    pub w_pipeline: Signal<In, WriteControl>,
    pub w_lanes: Signal<In, Bits<32>>,
    /// 0 unless the pipeline's beat has a result; likewise the condition code.
    pub w_result: [Signal<In, Bits<32>>; LANES],
    pub w_condition: [Signal<In, Bits<4>>; LANES],
    // R0 of a warp about to begin.
    pub init_valid: Signal<In, Bit>,
    pub init_ready: Signal<Out, Bit>,
    pub init_row: Signal<In, Bits<9>>,
    pub init_beat: Signal<In, Bits<2>>,
    pub init_data: [Signal<In, Bits<32>>; LANES],
    // Special functions' results.
    pub sf_valid: Signal<In, Bit>,
    pub sf_ready: Signal<Out, Bit>,
    pub sf_control: Signal<In, WriteControl>,
    pub sf_lanes: Signal<In, Bits<32>>,
    pub sf_data: [Signal<In, Bits<32>>; LANES],
    // Loads.
    pub l_valid: Signal<In, Bit>,
    pub l_ready: Signal<Out, Bit>,
    pub l_control: Signal<In, WriteControl>,
    pub l_lanes: Signal<In, Bits<32>>,
    pub l_data: [Signal<In, Bits<32>>; LANES],
    /// Something waits for a gap.
    pub w_hold: Signal<Out, Bit>,
    // Register file.
    pub w_row: Signal<Out, Bits<9>>,
    pub w_beat: Signal<Out, Bits<2>>,
    pub w_halves: [Signal<Out, Bits<2>>; LANES],
    pub w_data: [Signal<Out, Bits<32>>; LANES],
    // Predicate file.
    pub w_predicate: Signal<Out, Bits<7>>,
    pub w_threads: Signal<Out, Bits<32>>,
    pub w_zero: Signal<Out, Bits<32>>,
    pub w_sign: Signal<Out, Bits<32>>,
    pub w_carry: Signal<Out, Bits<32>>,
    pub w_overflow: Signal<Out, Bits<32>>,
    // Address file: the write, 0 if there is none.
    pub w_address_lanes: Signal<Out, Bits<32>>,
    pub w_address_warp: Signal<Out, Bits<5>>,
    pub w_address_register: Signal<Out, Bits<2>>,
    pub w_address_beat: Signal<Out, Bits<2>>,
    pub w_address_data: [Signal<Out, Bits<16>>; LANES],
    /// To the scoreboard.
    pub w_release: Signal<Out, Release>,
    /// The last beat for an address register is written.
    pub w_address_done: Signal<Out, Bit>,
    /// The beat writes a register.
    pub w_register_enable: Signal<Out, Bit>,
    /// The beat being written: for the scoreboard and the trace.
    pub w_written: Signal<Out, WriteControl>,
    pub w_written_lanes: Signal<Out, Bits<32>>,
    pub w_value: [Signal<Out, Bits<32>>; LANES],

    lane: [WriteLane; LANES],
    lane_mask: Constant<Bits<32>>,
    lane_bits: Constant<Bits<3>>,
    zero_planes: Constant<Bits<32>>,
    no_write: Constant<WriteControl>,
    pipeline: Signal<Local, WriteControl>,
    special: Signal<Local, WriteControl>,
    loaded: Signal<Local, WriteControl>,
    write: Signal<Local, WriteControl>,
    pipeline_beat: Signal<Local, Bit>,
    take_init: Signal<Local, Bit>,
    take_special: Signal<Local, Bit>,
    may_load: Signal<Local, Bit>,
    take_load: Signal<Local, Bit>,
    lanes: Signal<Local, Bits<32>>,
    result: Signal<Local, Bits<32>>,
    register_enable: Signal<Local, Bit>,
    conditions: Signal<Local, Bit>,
    plane_zero: Signal<Local, Bits<32>>,
    plane_sign: Signal<Local, Bits<32>>,
    plane_carry: Signal<Local, Bits<32>>,
    plane_overflow: Signal<Local, Bits<32>>,
    plane_threads: Signal<Local, Bits<32>>,
    place: Signal<Local, Bits<5>>,
    released: Signal<Local, Release>,
    release_register: Signal<Local, Bit>,
    release_condition: Signal<Local, Bit>,
    release_address: Signal<Local, Bit>,
    address_enable: Signal<Local, Bit>,
    condition_beat: Constant<Bits<2>>,
    _activity: Activity,
}

impl<const LANES: usize> Writeback<LANES> {
    /// The writeback stage.
    pub fn new() -> Self {
        Writeback {
            lane_mask: Constant::new((0xffff_ffff_u64 >> (32 - LANES)).into()),
            lane_bits: Constant::new(u64::from(LANES.trailing_zeros()).into()),
            condition_beat: Constant::new(((32 / LANES).saturating_sub(2) as u64).into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Writeback<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.pipeline.next = self.w_pipeline.val();
        self.special.next = self.sf_control.val();
        self.loaded.next = self.l_control.val();
        self.pipeline_beat.next = self.pipeline.val().valid && !self.pipeline.val().elsewhere;
        self.take_init.next = self.init_valid.val() && !self.pipeline_beat.val();
        self.take_special.next = self.sf_valid.val() && !self.pipeline_beat.val() && !self.init_valid.val();
        // Whether there is a load is known late: only the write enables depend on it, not the choice of data.
        self.may_load.next = !self.pipeline_beat.val() && !self.init_valid.val() && !self.sf_valid.val();
        self.take_load.next = self.l_valid.val() && self.may_load.val();
        self.init_ready.next = self.take_init.val();
        self.sf_ready.next = self.take_special.val();
        self.l_ready.next = self.take_load.val();
        self.w_hold.next =
            self.pipeline_beat.val() && (self.init_valid.val() || self.sf_valid.val() || self.l_valid.val());

        self.write.next = self.no_write.val();
        self.lanes.next = self.w_lanes.val();
        if self.pipeline_beat.val() {
            self.write.next = self.pipeline.val();
        } else if self.init_valid.val() {
            self.write.next.row = self.init_row.val();
            self.write.next.beat = self.init_beat.val();
            self.write.next.halves = 3.into();
            self.lanes.next = self.lane_mask.val();
        } else if self.sf_valid.val() {
            self.write.next = self.special.val();
            self.lanes.next = self.sf_lanes.val();
        } else {
            self.write.next = self.loaded.val();
            self.write.next.valid = self.l_valid.val();
            self.lanes.next = self.l_lanes.val();
        }
        self.register_enable.next =
            self.write.val().valid && self.write.val().register_enable && self.write.val().halves.any();
        self.w_row.next = self.write.val().row;
        self.w_beat.next = self.write.val().beat;
        for i in 0..LANES {
            self.lane[i].enable.next = self.register_enable.val() || self.take_init.val();
            self.lane[i].active.next = self.lanes.val().get_bit(i);
            self.lane[i].fill.next = self.write.val().fill;
            self.lane[i].halves.next = self.write.val().halves;
            // One of four, or none: as a sum of products, two sources take one LUT per bit.
            self.result.next = self.w_result[i].val();
            if self.take_special.val() {
                self.result.next = self.result.val() | self.sf_data[i].val();
            }
            if self.may_load.val() {
                self.result.next = self.result.val() | self.l_data[i].val();
            }
            self.w_value[i].next = self.result.val();
            if self.take_init.val() {
                self.result.next = self.result.val() | self.init_data[i].val();
            }
            self.lane[i].result.next = self.result.val();
            self.w_halves[i].next = self.lane[i].write_halves.val();
            self.w_data[i].next = self.lane[i].write_data.val();
        }

        // Condition codes: the lanes' nibbles as planes, moved to the beat's threads. Only the pipeline writes them and
        // address registers.
        self.conditions.next = self.pipeline_beat.val() && self.pipeline.val().condition_enable;
        self.plane_zero.next = self.zero_planes.val();
        self.plane_sign.next = self.zero_planes.val();
        self.plane_carry.next = self.zero_planes.val();
        self.plane_overflow.next = self.zero_planes.val();
        if self.conditions.val() {
            for i in 0..LANES {
                self.plane_zero.next = self
                    .plane_zero
                    .val()
                    .replace_bit(i, self.w_condition[i].val().get_bit(0));
                self.plane_sign.next = self
                    .plane_sign
                    .val()
                    .replace_bit(i, self.w_condition[i].val().get_bit(1));
                self.plane_carry.next = self
                    .plane_carry
                    .val()
                    .replace_bit(i, self.w_condition[i].val().get_bit(2));
                self.plane_overflow.next = self
                    .plane_overflow
                    .val()
                    .replace_bit(i, self.w_condition[i].val().get_bit(3));
            }
        }
        self.plane_zero.next = self.plane_zero.val() & self.w_lanes.val();
        self.plane_sign.next = self.plane_sign.val() & self.w_lanes.val();
        self.plane_carry.next = self.plane_carry.val() & self.w_lanes.val();
        self.plane_overflow.next = self.plane_overflow.val() & self.w_lanes.val();
        self.place.next = bit_cast::<5, 2>(self.pipeline.val().beat) << self.lane_bits.val();
        self.w_zero.next = self.plane_zero.val() << self.place.val();
        self.w_sign.next = self.plane_sign.val() << self.place.val();
        self.w_carry.next = self.plane_carry.val() << self.place.val();
        self.w_overflow.next = self.plane_overflow.val() << self.place.val();
        self.plane_threads.next = 0.into();
        if self.conditions.val() {
            self.plane_threads.next = self.w_lanes.val();
            if self.pipeline.val().condition_fill {
                self.plane_threads.next = self.lane_mask.val();
            }
        }
        self.w_threads.next = self.plane_threads.val() << self.place.val();
        self.w_predicate.next = bit_cast::<7, 5>(self.pipeline.val().warp) << 2;
        self.w_predicate.next = self.w_predicate.val() | bit_cast::<7, 2>(self.pipeline.val().condition_register);

        // Address registers.
        self.address_enable.next = self.pipeline_beat.val() && self.pipeline.val().address_enable;
        self.w_address_lanes.next = 0.into();
        self.w_address_warp.next = 0.into();
        self.w_address_register.next = 0.into();
        self.w_address_beat.next = 0.into();
        if self.address_enable.val() {
            self.w_address_lanes.next = self.w_lanes.val();
            if self.pipeline.val().address_fill {
                self.w_address_lanes.next = self.lane_mask.val();
            }
            self.w_address_warp.next = self.pipeline.val().warp;
            self.w_address_register.next = self.pipeline.val().address_register;
            self.w_address_beat.next = self.pipeline.val().beat;
        }
        for i in 0..LANES {
            self.w_address_data[i].next = 0.into();
            if self.address_enable.val() && self.w_lanes.val().get_bit(i) {
                self.w_address_data[i].next = self.w_result[i].val().get_bits::<16>(0);
            }
        }

        // The pipeline's beats come in consecutive cycles, so an instruction that reads the register may follow the
        // first one. A condition code is read for the whole warp at once, two cycles after its release at the earliest:
        // by then the last beat must have been written. Beats from other sources may come with gaps, so those release
        // with the last.
        self.release_register.next = !self.write.val().beat.any();
        if !self.pipeline_beat.val() {
            self.release_register.next = self.write.val().last;
        }
        self.release_condition.next = self.pipeline.val().beat == self.condition_beat.val();
        self.release_register.next = self.release_register.val() && self.register_enable.val();
        self.release_condition.next = self.release_condition.val() && self.conditions.val();
        self.release_address.next = self.address_enable.val() && !self.pipeline.val().beat.any();
        self.released.next.valid =
            self.release_register.val() || self.release_condition.val() || self.release_address.val();
        self.released.next.warp = self.write.val().warp;
        self.released.next.register_enable = self.release_register.val();
        self.released.next.register = self.write.val().register;
        self.released.next.condition_enable = self.release_condition.val();
        self.released.next.condition = self.write.val().condition_register;
        self.released.next.address_enable = self.release_address.val();
        self.released.next.address = self.write.val().address_register;
        self.w_release.next = self.released.val();
        self.w_address_done.next = self.address_enable.val() && self.pipeline.val().last;
        self.w_register_enable.next = self.register_enable.val();
        self.w_written.next = self.write.val();
        self.w_written_lanes.next = self.lanes.val();
    }
}
