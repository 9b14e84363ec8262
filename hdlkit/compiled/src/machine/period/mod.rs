//! Data of the search for idle cycles, of a circuit and of a machine.

pub(super) mod symbolic;
pub(super) mod tables;
pub(super) mod watch;
