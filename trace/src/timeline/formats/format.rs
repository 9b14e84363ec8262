//! What a format is.

use crate::timeline::instruction::{Instruction, Need, Sample, Stay, Unit};

/// What runs.
#[derive(Clone, Debug)]
pub(in crate::timeline) struct About {
    /// The kernel and the engine, as shown in the viewer.
    pub title: String,
    /// The machine.
    pub machine: String,
    pub unit: Unit,
    /// Units of time to an interval of the counters.
    pub interval: u64,
}

/// A format of timelines. Each part of the file is added to `out`.
pub(in crate::timeline) trait Format {
    /// The file begins.
    fn begin(&mut self, about: &About, out: &mut Vec<u8>);
    /// An instruction, in the order of their numbers, and what it needs.
    fn instruction(&mut self, instruction: &Instruction, needs: &[Need], out: &mut Vec<u8>);
    /// An instruction again, once its warp's next one is known. Those of a warp come in order.
    fn stay(&mut self, _: &Stay, _: &mut Vec<u8>) {}
    /// A counter's new value. Those of a counter come in order.
    fn sample(&mut self, _: &Sample, _: &mut Vec<u8>) {}
    /// No instruction to come begins before this time.
    fn passed(&mut self, _: u64, _: &mut Vec<u8>) {}
    /// The file ends.
    fn end(&mut self, out: &mut Vec<u8>);
}
