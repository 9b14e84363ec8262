//! A warp at an instruction, and the shadow state of the instruction's operands.

use super::finding::Origin;
use super::shadow::registers::Owner;
use super::shadow::{BlockShadow, LaunchShadow, WarpShadow};
use crate::execute::Memories;
use crate::warp::Warp;
use flexgrip_isa::Meaning;

/// The shadow state of an operand.
pub(super) struct Source {
    /// The lanes with undefined bits.
    pub(super) lanes: u32,
    pub(super) bits: [u32; 32],
    pub(super) origin: Origin,
    pub(super) owner: Owner,
}

impl Source {
    pub(super) fn known(owner: Owner) -> Source {
        Source {
            lanes: 0,
            bits: [0; 32],
            origin: Origin::Register(0),
            owner,
        }
    }

    pub(super) fn undefined(&self, lane: usize) -> u32 {
        if self.lanes >> lane & 1 != 0 {
            self.bits[lane]
        } else {
            0
        }
    }
}

/// A warp at an instruction, with its shadow state.
pub(super) struct At<'a> {
    pub(super) launch: &'a mut LaunchShadow,
    pub(super) block: &'a mut BlockShadow,
    pub(super) shadow: &'a mut WarpShadow,
    /// The block, and the index of the warp in it.
    pub(super) place: (u32, u32),
    pub(super) warp: &'a Warp,
    pub(super) meaning: &'a Meaning,
    pub(super) executed: u32,
    pub(super) memories: &'a Memories<'a>,
}
