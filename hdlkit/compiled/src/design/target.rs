//! Locations of faults.

/// The location of a fault, by the numbers of [`Code::flip_flops`](crate::Code::flip_flops) and
/// [`Code::memories`](crate::Code::memories).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A register.
    FlipFlop(usize),
    /// A word of a memory.
    Memory {
        /// The memory's number.
        memory: usize,
        /// The word's index.
        word: usize,
    },
}
