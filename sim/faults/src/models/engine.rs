//! The engines in which faults are injected.

use crate::text::named::named;

named! {
    /// The engine that runs the kernel and in which faults are injected.
    Engine {
        /// The circuits: faults are in registers and memories, time is in cycles.
        Circuits "circuits",
        /// The golden model: faults are in instructions, time is the number of warp instructions executed.
        GoldenModel "golden-model",
    }
}
