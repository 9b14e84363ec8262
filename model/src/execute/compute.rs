//! Instructions that compute. The instruction's operation determines a lane's result; this module reads the lanes'
//! operands and writes their results.

use super::context::{lanes_of, Cause, Lanes, Memories, Recorder};
use super::operands::{source, write_cc, write_destination};
use crate::warp::Warp;
use flexgrip_arith::{Cc, Flagged};
use flexgrip_isa::{LaneInputs, Meaning};
use flexgrip_machine::ErrorKind;

pub(super) fn compute(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let operation = instruction.operation;
    let a = source(warp, instruction, 0, executed, memories)?;
    let b = source(warp, instruction, 1, executed, memories)?;
    let c = source(warp, instruction, 2, executed, memories)?;
    let codes = warp.cc[usize::from(operation.carry_register())];
    let quad_lane = operation.quad_lane().map(usize::from);
    let illegal = || Cause::of(ErrorKind::IllegalInstruction);
    if executed == 0 {
        // An operation that no lane can execute is illegal even with no active lanes.
        operation.compute(LaneInputs::default()).ok_or_else(illegal)?;
    }
    // Lanes that do not execute keep 0, which is never read.
    let mut values = Lanes::default();
    let mut result_codes = [0; 32];
    for lane in lanes_of(executed) {
        let inputs = LaneInputs {
            a: a[lane],
            b: b[lane],
            c: c[lane],
            carry: Cc::from_bits(codes[lane]).carry(),
            quad: lane as u8 & 3,
            other: quad_lane.map_or(0, |other| a[lane & !3 | other & 3]),
        };
        let Flagged { value, cc } = operation.compute(inputs).ok_or_else(illegal)?;
        values[lane] = value;
        result_codes[lane] = cc.bits();
    }
    write_destination(warp, instruction, executed, &values, recorder);
    write_cc(warp, instruction, executed, &result_codes, recorder);
    Ok(())
}
