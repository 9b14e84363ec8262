//! The writeback stage writes results into the register, predicate and address files, and releases their destinations
//! in the scoreboard.
//!
//! It writes one beat a cycle, from one of four sources, in this order of priority: the end of the pipeline, whose gaps
//! the [double-precision unit](super::double_queue) fills; R0 of a warp about to begin, from the block scheduler;
//! results of the special function units; loads. All but the first wait for a gap; `w_hold` asks the scheduler to leave
//! one.
//!
//! ```text
//! pipeline (results straight from the lanes) ────┐
//! init (R0) ─────────────────────────────────────┼─> register, predicate and address files, scoreboard release, trace
//! specials (special functions) ──────────────────┤
//! loads ─────────────────────────────────────────┘
//! ```
//! A 16-bit result is written to either half of a register. On a register's first write (`fill`) threads and halves
//! that the instruction does not write become 0.

use super::PipelineSinkPort;
use crate::bundles::*;
use crate::operands::operand_collector::address_file::{AddressPlace, AddressWriterPort};
use crate::operands::predicate_file::{codes_of, CodePlanes, CodeWrite};
use crate::operands::register_file::RegisterWriterPort;
use crate::optional::optional;
use crate::stage_ports::ResultSinkPort;
use flexgrip_machine::Capability;
use hdlkit::prelude::*;

/// One lane's write enables for the halves of the register, and the aligned data. On a register's first write, a thread
/// that is not active writes 0.
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

/// The beat that is written, for the trace.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WrittenBeat {
    pub control: WriteControl,
    pub lanes: Bits<32>,
    /// The beat writes a general register.
    pub register_enable: Bit,
}

/// The writeback stage of an SM.
#[circuit]
pub struct Writeback<const LANES: usize> {
    pub pipeline: PipelineSinkPort<LANES>,
    // R0 of a warp about to begin.
    pub init_valid: Signal<In, Bit>,
    pub init_ready: Signal<Out, Bit>,
    pub init_row: Signal<In, Bits<9>>,
    pub init_beat: Signal<In, Bits<2>>,
    pub init_data: [Signal<In, Bits<32>>; LANES],
    pub specials: ResultSinkPort<LANES>,
    pub loads: ResultSinkPort<LANES>,
    /// A source waits for a gap.
    pub w_hold: Signal<Out, Bit>,
    pub write: RegisterWriterPort<LANES>,
    /// Condition codes to the predicate file.
    pub w_codes: Signal<Out, CodeWrite>,
    /// Address registers to the address file; 0 if nothing is written.
    pub w_address: AddressWriterPort<LANES>,
    /// Destinations to release in the scoreboard.
    pub w_release: Signal<Out, Release>,
    /// Pulse: the last beat of an instruction's address register is written.
    pub w_address_done: Signal<Out, Bit>,
    pub w_written: Signal<Out, WrittenBeat>,
    pub w_value: [Signal<Out, Bits<32>>; LANES],

    /// G2R.LCK exists: capability 1.2.
    locks: Constant<Bit>,
    /// Double instructions exist: capability 1.3.
    doubles: Constant<Bit>,
    /// The beat in `pipeline` is from the double-precision unit. Exists if `doubles` is set.
    pub is_double: Vec<Signal<In, Bit>>,
}

impl<const LANES: usize> Writeback<LANES> {
    /// The mask of all lanes.
    const LANE_MASK: Bits<32> = Bits::new(0xffff_ffff >> (32 - LANES));

    /// The beat with which an instruction releases its condition code.
    const CONDITION_BEAT: u64 = (32 / LANES).saturating_sub(2) as u64;

    /// Returns the stage for the instructions of this capability.
    pub fn new(capability: Capability) -> Self {
        let doubles = capability.has_doubles();
        Writeback {
            locks: Constant::new(capability.has_locks()),
            doubles: Constant::new(doubles),
            is_double: optional(doubles),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Writeback<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // One of four sources, by priority.
        let pipeline = self.pipeline.write.val();
        let from_pipeline = pipeline.valid && !pipeline.elsewhere;
        let init = self.init_valid.val() && !from_pipeline;
        let special = self.specials.valid.val() && !from_pipeline && !self.init_valid.val();
        // A load's valid arrives late in the cycle: only the write enables depend on it, not the choice of data.
        let may_load = !from_pipeline && !self.init_valid.val() && !self.specials.valid.val();
        self.init_ready.next = init;
        self.specials.ready.next = special;
        self.loads.ready.next = self.loads.valid.val() && may_load;
        self.w_hold.next =
            from_pipeline && (self.init_valid.val() || self.specials.valid.val() || self.loads.valid.val());
        let (write, lanes) = if from_pipeline {
            (pipeline, self.pipeline.lanes.val())
        } else if self.init_valid.val() {
            let r0 = WriteControl {
                row: self.init_row.val(),
                beat: self.init_beat.val(),
                halves: 3.into(),
                ..Default::default()
            };
            (r0, Self::LANE_MASK)
        } else if self.specials.valid.val() {
            (self.specials.control.val(), self.specials.lanes.val())
        } else {
            let load = WriteControl { valid: self.loads.valid.val(), ..self.loads.control.val() };
            (load, self.loads.lanes.val())
        };

        // General registers.
        let register_enable = write.valid && write.register_enable && write.halves.any();
        self.write.row.next = write.row;
        self.write.beat.next = write.beat;
        for i in 0..LANES {
            // As a sum of products, two sources take one LUT per bit.
            let value = self.pipeline.result[i].val()
                | mask(special, self.specials.data[i].val())
                | mask(may_load, self.loads.data[i].val());
            self.w_value[i].next = value;
            let result = value | mask(init, self.init_data[i].val());
            let (halves, data) = share_of_lane(write, register_enable || init, lanes.get_bit(i), result);
            self.write.halves[i].next = halves;
            self.write.data[i].next = data;
        }

        // Condition-code and address registers, which only the pipeline writes.
        let condition_enable = from_pipeline && pipeline.condition_enable;
        let address_enable = from_pipeline && pipeline.address_enable;
        self.write_conditions(condition_enable);
        self.write_addresses(address_enable);

        // The pipeline's beats are written in consecutive cycles, so the first one releases the register: a dependent
        // instruction reads beat after beat. A condition code is read for the whole warp at once, two cycles after its
        // release at the earliest, when the last beat must have been written. Other sources, and the double-precision
        // unit, may have gaps between beats, so their last beat releases.
        let releases = if from_pipeline { !write.beat.any() } else { write.last };
        let mut release_register = register_enable && releases;
        let mut release_condition = condition_enable && pipeline.beat == Self::CONDITION_BEAT;
        let mut release_address = address_enable && !pipeline.beat.any();
        if self.doubles.val() {
            let is_double = self.is_double[0].val();
            if is_double {
                release_register = register_enable && write.last;
                release_condition = condition_enable && write.last;
            }
        }
        if self.locks.val() {
            release_address = release_address && !pipeline.register_enable;
        }
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
        self.w_written.next = WrittenBeat { control: write, lanes, register_enable };
        if self.locks.val() {
            self.keep_without_lock(from_pipeline && pipeline.register_enable && pipeline.address_enable);
        }
    }
}

impl<const LANES: usize> Writeback<LANES> {
    /// A beat for both a register and an address register is one of a G2R.LCK (`operands/read/dispatch.rs`), which
    /// writes no address register. Lanes without the lock, whose code is Z, keep their register; on its first write
    /// they write 0.
    #[hdl_part]
    fn keep_without_lock(&mut self, is_lock: Bit) {
        let fill = mask(self.pipeline.write.val().fill, bits::<2>(3));
        for i in 0..LANES {
            if is_lock && self.pipeline.condition[i].val().get_bit(0) {
                self.write.halves[i].next = fill;
                self.write.data[i].next = 0.into();
            }
        }
        if is_lock {
            self.w_address.lanes.next = 0.into();
            self.w_address_done.next = false;
            self.w_written.next.control.address_enable = false;
        }
    }

    /// Writes condition codes: transposes the lanes' codes into bit planes and shifts them to the beat's threads.
    #[hdl_part]
    fn write_conditions(&mut self, enable: Bit) {
        let pipeline = self.pipeline.write.val();
        let lanes = mask(enable, self.pipeline.lanes.val());
        let mut codes = CodePlanes::default();
        for i in 0..LANES {
            let condition = self.pipeline.condition[i].val();
            codes.zero = codes.zero.replace_bit(i, condition.get_bit(0));
            codes.sign = codes.sign.replace_bit(i, condition.get_bit(1));
            codes.carry = codes.carry.replace_bit(i, condition.get_bit(2));
            codes.overflow = codes.overflow.replace_bit(i, condition.get_bit(3));
        }
        codes = codes_of(codes, lanes);
        let threads = if pipeline.condition_fill { mask(enable, Self::LANE_MASK) } else { lanes };
        let first_thread = pipeline.beat.resize::<5>() << (clog2(LANES) as u64);
        self.w_codes.next = CodeWrite {
            address: pipeline.warp.concat(pipeline.condition_register),
            threads: threads << first_thread,
            codes: CodePlanes {
                zero: codes.zero << first_thread,
                sign: codes.sign << first_thread,
                carry: codes.carry << first_thread,
                overflow: codes.overflow << first_thread,
            },
        };
    }

    /// Writes address registers: the low halves of the results.
    #[hdl_part]
    fn write_addresses(&mut self, enable: Bit) {
        let pipeline = self.pipeline.write.val();
        let lanes = if pipeline.address_fill { Self::LANE_MASK } else { self.pipeline.lanes.val() };
        let place = AddressPlace { warp: pipeline.warp, register: pipeline.address_register, beat: pipeline.beat };
        self.w_address.lanes.next = mask(enable, lanes);
        self.w_address.place.next = if enable { place } else { AddressPlace::default() };
        for i in 0..LANES {
            self.w_address.data[i].next =
                mask(enable && self.pipeline.lanes.val().get_bit(i), self.pipeline.result[i].val().low::<16>());
        }
    }
}
