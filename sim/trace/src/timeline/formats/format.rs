//! The interface of a timeline format.

use crate::timeline::instruction::{Instruction, Need, Sample, Stay, Unit};

/// Facts about the run.
#[derive(Clone, Debug)]
pub(in crate::timeline) struct About {
    /// The kernel and the engine, for the viewer's title.
    pub title: String,
    /// The machine.
    pub machine: String,
    pub unit: Unit,
    /// The units of time in an interval of the counters.
    pub interval: u64,
}

/// A timeline format. Each method appends a part of the file to `out`.
pub(in crate::timeline) trait Format {
    /// Begins the file.
    fn begin(&mut self, about: &About, out: &mut Vec<u8>);
    /// Writes an instruction and the results that it needs; called in the order of numbers.
    fn instruction(&mut self, instruction: &Instruction, needs: &[Need], out: &mut Vec<u8>);
    /// Writes the rest of an instruction, once its warp's next one is known; called in order for each warp.
    fn stay(&mut self, _: &Stay, _: &mut Vec<u8>) {}
    /// Writes a counter's new value; called in order for each counter.
    fn sample(&mut self, _: &Sample, _: &mut Vec<u8>) {}
    /// Called when no further instruction can begin before this time.
    fn passed(&mut self, _: u64, _: &mut Vec<u8>) {}
    /// Ends the file.
    fn end(&mut self, out: &mut Vec<u8>);
}
