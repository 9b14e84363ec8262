//! Operations on doubles and 64-bit integers, which are in pairs of registers, and votes.

use super::context::{Cause, Memories, Recorder};
use super::operands::{register, source, write_cc, write_cc_register, write_register};
use crate::lanes::{lanes_of, NO_LANES};
use crate::warp::Warp;
use flexgrip_arith::Cc;
use flexgrip_isa::{Destination, Double, Meaning, Operand};
use flexgrip_machine::RegisterPart;

/// Computes a double-precision operation or conversion in the executing lanes.
pub(super) fn double(
    warp: &mut Warp,
    instruction: &Meaning,
    operation: Double,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let [mut a, mut b, mut c] = [None; 3];
    let low = |number, room| source(warp, instruction, number, executed, memories, room);
    let low = [low(0, &mut a)?, low(1, &mut b)?, low(2, &mut c)?];
    let high = instruction.sources.map(|operand| match operand {
        Some(Operand::Register { index, .. }) if operation.is_wide() => register(warp, index | 1),
        _ => &NO_LANES,
    });
    let (mut values, mut codes) = ([NO_LANES; 2], [0; 32]);
    for lane in lanes_of(executed) {
        let operand = |number: usize| u64::from(high[number][lane]) << 32 | u64::from(low[number][lane]);
        let result = operation.compute([operand(0), operand(1), operand(2)]);
        (values[0][lane], values[1][lane]) = (result.value as u32, (result.value >> 32) as u32);
        codes[lane] = result.cc.bits();
    }
    if let Destination::Register { index, .. } = instruction.destination {
        write_register(warp, index, RegisterPart::Full, executed, &values[0], recorder);
        if operation.has_wide_result() {
            write_register(warp, index | 1, RegisterPart::Full, executed, &values[1], recorder);
        }
    }
    write_cc(warp, instruction, executed, &codes, recorder);
    Ok(())
}

/// VOTE: all of `lanes` get the same code, S if the condition holds for any of them (all of them, if `all`), else Z.
pub(super) fn vote(
    warp: &mut Warp,
    instruction: &Meaning,
    all: bool,
    (lanes, holding): (u32, u32),
    recorder: &mut impl Recorder,
) {
    let truth = match all {
        true => lanes & !holding == 0,
        false => lanes & holding != 0,
    };
    if let Destination::ConditionCode(index) = instruction.destination {
        write_cc_register(warp, index, lanes, &[Cc::of_set(truth).bits(); 32], recorder);
    }
}
