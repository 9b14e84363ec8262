//! Execution of instructions that compute. The instruction's operation determines a lane's result; this module reads
//! the lanes' operands and writes their results.

use super::context::{Cause, Memories, Recorder};
use super::operands::{source, write_cc, write_destination};
use crate::lanes::{for_lanes, Lanes, NO_LANES};
use crate::warp::Warp;
use flexgrip_arith::{Cc, Flagged};
use flexgrip_isa::{LaneInputs, Meaning, Operand};
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::ErrorKind;

/// If at least this many lanes execute, all lanes are computed: vector code then takes no longer.
const MOST: u32 = WARP_THREADS / 2;

/// The lanes that execute an instruction: their operands and results. Results of other lanes are never used.
///
/// `CODES`: the condition codes are used. Compiled for both cases, because most instructions write none.
struct Executing<'a, const CODES: bool> {
    executed: u32,
    sources: [&'a Lanes; 3],
    /// Source 2, if it is an immediate.
    common_b: Option<u32>,
    /// The condition codes with the carry.
    codes: &'a [u8; 32],
    /// The lane of each quad that sends its source 1 to the other three.
    quad_lane: usize,
    /// By value: with references each loop would first have to check that no operand aliases the results.
    values: Lanes,
    result_codes: [u8; 32],
}

impl<const CODES: bool> Executing<'_, CODES> {
    #[inline(always)]
    fn compute(&mut self, lane: usize, function: &impl Fn(LaneInputs) -> Flagged) {
        let [a, b, c] = self.sources;
        let Flagged { value, cc } = function(LaneInputs {
            a: a[lane],
            b: b[lane],
            c: c[lane],
            carry: Cc::from_bits(self.codes[lane]).carry(),
            quad: lane as u8 & 3,
            other: a[lane & !3 | self.quad_lane & 3],
        });
        self.values[lane] = value;
        if CODES {
            self.result_codes[lane] = cc.bits();
        }
    }
}

impl<const CODES: bool> flexgrip_isa::Lanes for Executing<'_, CODES> {
    fn each(&mut self, function: impl Fn(LaneInputs) -> Flagged) {
        let mask = if self.executed.count_ones() >= MOST {
            u32::MAX
        } else {
            self.executed
        };
        for_lanes(mask, |lane| self.compute(lane, &function));
    }

    fn every(&mut self, function: impl Fn(LaneInputs) -> Flagged) {
        for lane in 0..WARP_THREADS as usize {
            self.compute(lane, &function);
        }
    }

    fn common_b(&self) -> Option<u32> {
        self.common_b
    }
}

pub(super) fn compute(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    match instruction.cc_write {
        None => compute_with::<false>(warp, instruction, executed, memories, recorder),
        Some(_) => compute_with::<true>(warp, instruction, executed, memories, recorder),
    }
}

fn compute_with<const CODES: bool>(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let operation = instruction.operation;
    // The operands are not copied: copies of these arrays took a sixth of a run's time.
    let [mut a, mut b, mut c] = [None; 3];
    let source = |number, room| source(warp, instruction, number, executed, memories, room);
    let mut lanes = Executing::<CODES> {
        executed,
        sources: [source(0, &mut a)?, source(1, &mut b)?, source(2, &mut c)?],
        common_b: match instruction.sources[1] {
            Some(Operand::Immediate(value)) => Some(value),
            _ => None,
        },
        codes: &warp.cc[usize::from(operation.carry_register())],
        quad_lane: operation.quad_lane().map_or(0, usize::from),
        values: NO_LANES,
        result_codes: [0; 32],
    };
    operation
        .compute(&mut lanes)
        .ok_or_else(|| Cause::of(ErrorKind::IllegalInstruction))?;
    let Executing {
        values, result_codes, ..
    } = lanes;
    write_destination(warp, instruction, executed, &values, recorder);
    write_cc(warp, instruction, executed, &result_codes, recorder);
    Ok(())
}
