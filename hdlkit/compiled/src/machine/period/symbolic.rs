//! Values of nodes for all values of the counters.

use super::tables::CountedValue;

/// A node's value in the present state, for all values of the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The value is the same for all values of the counters.
    Known(u128),
    /// The value is the sum of a counter and a number.
    Sum(CountedValue, u128),
    Unknown,
}

/// The values of nodes. They are kept between proofs to avoid allocations.
#[derive(Clone, Default)]
pub struct Scratch {
    pub proof: u32,
    /// The last value of each node, the number of the proof that computed it, and the number of the last proof that
    /// visited the node.
    pub values: Vec<(Value, u32, u32)>,
}
