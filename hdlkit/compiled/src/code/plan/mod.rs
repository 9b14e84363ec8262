//! The plan of the code: what is computed together, in which order, where values are in the state, and which nodes become
//! vectors and branches.

pub(super) mod activity;
pub(super) mod arms;
pub(super) mod chunks;
pub(crate) mod groups;
pub(crate) mod layout;
pub(super) mod memo;
pub(super) mod order;
pub(super) mod packs;
