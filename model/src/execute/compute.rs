//! Instructions that compute. The instruction's operation determines a lane's result; this module reads the lanes'
//! operands and writes their results.

use super::context::{for_lanes, Cause, Lanes, Memories, Recorder, NO_LANES};
use super::operands::{source, write_cc, write_destination};
use crate::warp::Warp;
use flexgrip_arith::{Cc, Flagged};
use flexgrip_isa::{LaneInputs, Meaning};
use flexgrip_machine::ErrorKind;

/// The lanes that execute an instruction: their operands and results. Other lanes keep 0, which is never read.
///
/// `CODES`: somebody wants the condition codes. `WHOLE`: all lanes execute. Compiled for each case, since most instructions are
/// of a whole warp and write no codes; one loop for all cases takes a sixth more time.
struct Executing<'a, const CODES: bool, const WHOLE: bool> {
    executed: u32,
    sources: [&'a Lanes; 3],
    /// The condition codes that the carry is taken from.
    codes: &'a [u8; 32],
    /// The lane of each quad whose source 1 goes to the other three.
    quad_lane: usize,
    /// Not behind references: each loop would first have to find out that no operand is in the same place.
    values: Lanes,
    result_codes: [u8; 32],
}

impl<const CODES: bool, const WHOLE: bool> flexgrip_isa::Lanes for Executing<'_, CODES, WHOLE> {
    fn each(&mut self, function: impl Fn(LaneInputs) -> Flagged) {
        let [a, b, c] = self.sources;
        let executed = if WHOLE { u32::MAX } else { self.executed };
        for_lanes(executed, |lane| {
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
        });
    }
}

pub(super) fn compute(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    match (instruction.cc_write.is_some(), executed == u32::MAX) {
        (false, true) => compute_with::<false, true>(warp, instruction, executed, memories, recorder),
        (false, false) => compute_with::<false, false>(warp, instruction, executed, memories, recorder),
        (true, true) => compute_with::<true, true>(warp, instruction, executed, memories, recorder),
        (true, false) => compute_with::<true, false>(warp, instruction, executed, memories, recorder),
    }
}

fn compute_with<const CODES: bool, const WHOLE: bool>(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let operation = instruction.operation;
    // All in place: copies of these arrays were a sixth of a run's time.
    let [mut a, mut b, mut c] = [NO_LANES; 3];
    let source = |number, room| source(warp, instruction, number, executed, memories, room);
    let mut lanes = Executing::<CODES, WHOLE> {
        executed,
        sources: [source(0, &mut a)?, source(1, &mut b)?, source(2, &mut c)?],
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
