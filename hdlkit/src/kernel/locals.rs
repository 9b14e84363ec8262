//! The locals of a kernel while it is unrolled.

use super::resolve::SigId;
use num_bigint::BigInt;

/// The meaning of a local's name.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A number that is constant when the circuit is built.
    Value(BigInt),
    /// A signal.
    Signal(SigId),
    /// A signal in place of a `usize`.
    Number(SigId),
    /// An array of signals.
    Array(Vec<SigId>),
    /// A local with a faulty `let`, which has been reported.
    Faulty,
}

/// The locals in scope, innermost last.
pub(crate) type Locals = Vec<(String, Meaning)>;
