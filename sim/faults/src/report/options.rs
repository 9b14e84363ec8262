//! Options of a report.

use crate::statistics::Confidence;

/// Options of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The confidence level of all intervals.
    pub confidence: Confidence,
    /// The raw soft error rate of the technology, in FIT per 10^6 bits; without it, the report has no failure rates.
    pub raw_fit_per_mbit: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            confidence: Confidence::P95,
            raw_fit_per_mbit: None,
        }
    }
}
