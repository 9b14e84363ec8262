//! What the search for idle cycles keeps, of a circuit and of a machine.

pub(super) mod symbolic;
pub(super) mod tables;
pub(super) mod watch;
