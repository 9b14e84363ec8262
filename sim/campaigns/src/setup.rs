//! The setup of faulty runs: a kernel, its machine, and the limit of cycles.

use super::unit::pins::GateFaults;
use flexgrip_engines::engine::Options;
use flexgrip_faults::Sites;
use flexgrip_machine::Launch;
use std::collections::BTreeMap;

/// A kernel, with the machine and the limits of its runs.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The launch of the kernel.
    pub launch: &'a Launch,
    /// The machine.
    pub options: &'a Options,
    /// A run counts as a hang after this factor times the golden run's cycles, plus 1,000.
    pub factor: f64,
    /// The words of global memory that are floats, each with its tolerance in units in the last place.
    pub floats: &'a BTreeMap<u32, u32>,
    /// The block that the options simulate as gates, if faults are injected into it.
    pub gates: Option<&'a GateFaults>,
}

/// Facts about a golden run.
pub struct Facts {
    /// The sites of the circuits.
    pub sites: Sites,
    /// The cycles of the golden run.
    pub cycles: u64,
    /// The number of cycles after which a run counts as a hang.
    pub limit: u64,
    /// The hash of the golden run: global memory, cycles, and the final state of the circuits.
    pub golden: String,
}

/// Additional cycles for each run: error handling may take longer than a short kernel.
const SPARE: u64 = 1000;

/// The number of cycles after which a run counts as a hang.
pub(super) fn limit(golden: u64, factor: f64) -> u64 {
    (golden as f64 * factor) as u64 + SPARE
}
