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
use crate::operands::operand_collector::address_file::AddressPlace;
use hdlkit::prelude::*;

/// One lane's share of a write: the halves of the register, and the aligned data. On a register's first write, a thread that
/// is not active writes 0.
#[hdl_fn]
fn share_of_lane(write: WriteControl, enable: Bit, active: Bit, result: Bits<32>) -> (Bits<2>, Bits<32>) {
    let aligned = match write.halves.index() {
        1 => result & 0xffff,
        2 => result << 16,
        _ => result,
    };
    let halves = if write.fill { bits::<2>(3) } else { mask(active, write.halves) };
    (mask(enable, halves), mask(active, aligned))
}

/// The writeback stage of an SM.
#[circuit]
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
    pub w_address: Signal<Out, AddressPlace>,
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
}

impl<const LANES: usize> Writeback<LANES> {
    /// All lanes.
    const LANE_MASK: Bits<32> = Bits::new(0xffff_ffff >> (32 - LANES));

    /// The beat with which an instruction releases its condition code.
    const CONDITION_BEAT: u64 = (32 / LANES).saturating_sub(2) as u64;

    /// The writeback stage.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<const LANES: usize> Logic for Writeback<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // One of four sources.
        let pipeline = self.w_pipeline.val();
        let from_pipeline = pipeline.valid && !pipeline.elsewhere;
        let init = self.init_valid.val() && !from_pipeline;
        let special = self.sf_valid.val() && !from_pipeline && !self.init_valid.val();
        // A load's valid arrives late: only the write enables depend on it, not the choice of data.
        let may_load = !from_pipeline && !self.init_valid.val() && !self.sf_valid.val();
        self.init_ready.next = init;
        self.sf_ready.next = special;
        self.l_ready.next = self.l_valid.val() && may_load;
        self.w_hold.next = from_pipeline && (self.init_valid.val() || self.sf_valid.val() || self.l_valid.val());
        let (write, lanes) = if from_pipeline {
            (pipeline, self.w_lanes.val())
        } else if self.init_valid.val() {
            let r0 = WriteControl {
                row: self.init_row.val(),
                beat: self.init_beat.val(),
                halves: 3.into(),
                ..Default::default()
            };
            (r0, Self::LANE_MASK)
        } else if self.sf_valid.val() {
            (self.sf_control.val(), self.sf_lanes.val())
        } else {
            let load = WriteControl { valid: self.l_valid.val(), ..self.l_control.val() };
            (load, self.l_lanes.val())
        };

        // General registers.
        let register_enable = write.valid && write.register_enable && write.halves.any();
        self.w_row.next = write.row;
        self.w_beat.next = write.beat;
        for i in 0..LANES {
            // As a sum of products, two sources take one LUT per bit.
            let value =
                self.w_result[i].val() | mask(special, self.sf_data[i].val()) | mask(may_load, self.l_data[i].val());
            self.w_value[i].next = value;
            let result = value | mask(init, self.init_data[i].val());
            let (halves, data) = share_of_lane(write, register_enable || init, lanes.get_bit(i), result);
            self.w_halves[i].next = halves;
            self.w_data[i].next = data;
        }

        // Condition-code and address registers, which only the pipeline writes.
        let condition_enable = from_pipeline && pipeline.condition_enable;
        let address_enable = from_pipeline && pipeline.address_enable;
        self.write_conditions(condition_enable);
        self.write_addresses(address_enable);

        // The pipeline's beats come in consecutive cycles, so an instruction that reads the register may follow the
        // first one. A condition code is read for the whole warp at once, two cycles after its release at the earliest:
        // by then the last beat must have been written. Beats from other sources may come with gaps, so those release
        // with the last.
        let releases = if from_pipeline { !write.beat.any() } else { write.last };
        let release_register = register_enable && releases;
        let release_condition = condition_enable && pipeline.beat == Self::CONDITION_BEAT;
        let release_address = address_enable && !pipeline.beat.any();
        self.w_release.next = Release {
            valid: release_register || release_condition || release_address,
            warp: write.warp,
            register_enable: release_register,
            register: write.register,
            condition_enable: release_condition,
            condition: write.condition_register,
            address_enable: release_address,
            address: write.address_register,
        };
        self.w_address_done.next = address_enable && pipeline.last;
        self.w_register_enable.next = register_enable;
        self.w_written.next = write;
        self.w_written_lanes.next = lanes;
    }
}

impl<const LANES: usize> Writeback<LANES> {
    /// Condition codes: the lanes' nibbles as planes, moved to the beat's threads.
    #[hdl_part]
    fn write_conditions(&mut self, enable: Bit) {
        let pipeline = self.w_pipeline.val();
        let lanes = mask(enable, self.w_lanes.val());
        let mut zero = bits::<32>(0);
        let mut sign = bits::<32>(0);
        let mut carry = bits::<32>(0);
        let mut overflow = bits::<32>(0);
        for i in 0..LANES {
            let condition = self.w_condition[i].val();
            zero = zero.replace_bit(i, condition.get_bit(0));
            sign = sign.replace_bit(i, condition.get_bit(1));
            carry = carry.replace_bit(i, condition.get_bit(2));
            overflow = overflow.replace_bit(i, condition.get_bit(3));
        }
        let threads = if pipeline.condition_fill { mask(enable, Self::LANE_MASK) } else { lanes };
        let first_thread = pipeline.beat.resize::<5>() << (clog2(LANES) as u64);
        self.w_predicate.next = pipeline.warp.concat(pipeline.condition_register);
        self.w_threads.next = threads << first_thread;
        self.w_zero.next = (zero & lanes) << first_thread;
        self.w_sign.next = (sign & lanes) << first_thread;
        self.w_carry.next = (carry & lanes) << first_thread;
        self.w_overflow.next = (overflow & lanes) << first_thread;
    }

    /// Address registers: the low halves of the results.
    #[hdl_part]
    fn write_addresses(&mut self, enable: Bit) {
        let pipeline = self.w_pipeline.val();
        let lanes = if pipeline.address_fill { Self::LANE_MASK } else { self.w_lanes.val() };
        self.w_address_lanes.next = mask(enable, lanes);
        let place = AddressPlace { warp: pipeline.warp, register: pipeline.address_register, beat: pipeline.beat };
        self.w_address.next = if enable { place } else { AddressPlace::default() };
        for i in 0..LANES {
            self.w_address_data[i].next =
                mask(enable && self.w_lanes.val().get_bit(i), self.w_result[i].val().low::<16>());
        }
    }
}
