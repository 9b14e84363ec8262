//! What a format is.

use crate::timeline::instruction::{Instruction, Need, Sample, Stay, Unit};
use crate::timeline::output::Output;
use std::io;

/// What runs.
#[derive(Clone, Debug)]
pub(super) struct About {
    /// The kernel and the engine, as shown in the viewer.
    pub title: String,
    /// The machine.
    pub machine: String,
    pub unit: Unit,
    /// Units of time to an interval of the counters.
    pub interval: u64,
}

/// A format of timelines.
pub(super) trait Format: Send {
    /// The file begins.
    fn begin(&mut self, about: &About, out: &mut Output) -> io::Result<()>;
    /// An instruction, in the order of their numbers, and what it needs.
    fn instruction(&mut self, instruction: &Instruction, needs: &[Need], out: &mut Output) -> io::Result<()>;
    /// An instruction again, once its warp's next one is known. Those of a warp come in order.
    fn stay(&mut self, _: &Stay, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// A counter's new value. Those of a counter come in order.
    fn sample(&mut self, _: &Sample, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// No instruction to come begins before this time.
    fn passed(&mut self, _: u64, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
    /// The file ends.
    fn end(&mut self, out: &mut Output) -> io::Result<()>;
}
