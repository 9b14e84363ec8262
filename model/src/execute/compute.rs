//! Instructions that compute. The instruction's operation determines a lane's result; this module reads the lanes'
//! operands and writes their results.

use super::context::{for_lanes, Cause, Lanes, Memories, Recorder, NO_LANES};
use super::operands::{source, write_cc, write_destination};
use crate::warp::Warp;
use flexgrip_arith::{Cc, Flagged};
use flexgrip_isa::{LaneInputs, Meaning};
use flexgrip_machine::ErrorKind;

/// The lanes that execute an instruction: their operands and results. Other lanes keep 0, which is never read.
struct Executing<'a> {
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

impl flexgrip_isa::Lanes for Executing<'_> {
    fn each(&mut self, function: impl Fn(LaneInputs) -> Flagged) {
        let [a, b, c] = self.sources;
        for_lanes(self.executed, |lane| {
            let Flagged { value, cc } = function(LaneInputs {
                a: a[lane],
                b: b[lane],
                c: c[lane],
                carry: Cc::from_bits(self.codes[lane]).carry(),
                quad: lane as u8 & 3,
                other: a[lane & !3 | self.quad_lane & 3],
            });
            self.values[lane] = value;
            self.result_codes[lane] = cc.bits();
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
    let operation = instruction.operation;
    // All in place: copies of these arrays were a sixth of a run's time.
    let [mut a, mut b, mut c] = [NO_LANES; 3];
    let source = |number, room| source(warp, instruction, number, executed, memories, room);
    let mut lanes = Executing {
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
