//! Instructions that compute. The instruction's operation determines a lane's result; this module reads the lanes'
//! operands and writes their results.

use super::context::{lanes_of, Cause, Lanes, Memories, Recorder};
use super::operands::{source, write_cc, write_destination};
use crate::warp::Warp;
use flexgrip_arith::{Cc, Flagged};
use flexgrip_isa::{LaneInputs, Meaning};
use flexgrip_machine::ErrorKind;

/// The lanes that execute an instruction: their operands and results. Other lanes keep 0, which is never read.
struct Executing {
    executed: u32,
    sources: [Lanes; 3],
    /// The condition codes that the carry is taken from.
    codes: [u8; 32],
    /// The lane of each quad whose source 1 goes to the other three.
    quad_lane: usize,
    values: Lanes,
    result_codes: [u8; 32],
}

impl flexgrip_isa::Lanes for Executing {
    fn each(&mut self, function: impl Fn(LaneInputs) -> Flagged) {
        let [a, b, c] = &self.sources;
        for lane in lanes_of(self.executed) {
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
        }
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
    let source = |number| source(warp, instruction, number, executed, memories);
    let mut lanes = Executing {
        executed,
        sources: [source(0)?, source(1)?, source(2)?],
        codes: warp.cc[usize::from(operation.carry_register())],
        quad_lane: operation.quad_lane().map_or(0, usize::from),
        values: Lanes::default(),
        result_codes: [0; 32],
    };
    operation
        .compute(&mut lanes)
        .ok_or_else(|| Cause::of(ErrorKind::IllegalInstruction))?;
    write_destination(warp, instruction, executed, &lanes.values, recorder);
    write_cc(warp, instruction, executed, &lanes.result_codes, recorder);
    Ok(())
}
