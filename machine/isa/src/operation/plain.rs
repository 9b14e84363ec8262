//! Operations defined by a name and their arithmetic alone, and a lane's inputs to any operation.

use flexgrip_arith::Flagged;

/// A lane's inputs to an operation.
#[derive(Clone, Copy, Debug)]
pub struct LaneInputs {
    /// Source 1.
    pub a: u32,
    /// Source 2.
    pub b: u32,
    /// Source 3.
    pub c: u32,
    /// Bit C of the condition-code register that the operation names.
    pub carry: bool,
    /// The lane's index in its quad, 0 to 3; FSWZ only.
    pub quad: u8,
    /// Source 1 of the quad lane that FSWZ names, whether or not that lane is active; FSWZ only.
    pub other: u32,
}

/// An operation with modifiers that only its arithmetic reads. Its name identifies it, also in the circuits' lane.
#[derive(Clone, Copy)]
pub struct Plain {
    name: &'static str,
    function: fn(LaneInputs) -> Flagged,
}

impl Plain {
    /// The operation with this name, which must be unique.
    pub const fn new(name: &'static str, function: fn(LaneInputs) -> Flagged) -> Self {
        Plain { name, function }
    }

    /// The name of the operation.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The result of the operation in a lane.
    pub(crate) fn compute(self, lane: LaneInputs) -> Flagged {
        (self.function)(lane)
    }
}

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Plain {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Plain {}

impl std::hash::Hash for Plain {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
