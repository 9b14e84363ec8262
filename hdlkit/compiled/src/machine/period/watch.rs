//! The state of the search for a period.

use super::symbolic::Scratch;
use super::tables::CountedValue;

/// The number of cycles for which the first state is compared. It is doubled for each further state, up to the
/// longest period.
pub const FIRST: u64 = 8;

/// The values of all registers and read data in a cycle, and of the memories that may have counters.
#[derive(Clone)]
pub struct Values {
    pub registers: Vec<u64>,
    pub data: Vec<u64>,
    pub memories: Vec<Vec<u64>>,
}

/// The second period.
#[derive(Clone)]
pub struct Second {
    /// The values before the first period. Before the second period, only the counters had other values.
    pub values: Values,
    /// The edge before the first cycle of the period, and its length.
    pub from: u64,
    pub period: u64,
    /// The counters, and the sum added to each of them in the cycles so far.
    pub counters: Vec<CountedValue>,
    pub sums: Vec<u128>,
}

/// The state of the search for a period.
#[derive(Clone, Default)]
pub struct Watch {
    /// The number of edges so far, and at the last call.
    pub edges: u64,
    pub called: u64,
    /// The values with which later cycles are compared, and the edge before their cycle.
    pub first: Option<(Values, u64)>,
    pub second: Option<Second>,
    /// The number of cycles after which the first values are replaced: they may be before the periodic cycles.
    pub patience: u64,
    /// Registers and words that may be counters, but on which other values depend in the present cycles.
    pub others: Vec<CountedValue>,
    /// The edge before which there is no further attempt.
    pub rest: u64,
    pub scratch: Scratch,
}

impl Watch {
    /// Restarts the search, after a change of inputs or of the state.
    pub fn forget(&mut self) {
        (self.first, self.second, self.patience) = (None, None, FIRST);
        self.others.clear();
    }
}
