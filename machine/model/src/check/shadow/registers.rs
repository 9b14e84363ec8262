//! Shadow state of a warp's registers: undefined bits, and the regions that addresses belong to.

use crate::check::finding::Origin;
use flexgrip_isa::{Destination, Operand};

/// The region that contains the address in a value, for all lanes or for each lane: its index in the launch's regions
/// plus 1, or 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owner {
    one: u8,
    /// The regions by lane, if the lanes differ.
    many: Option<Box<[u8; 32]>>,
}

impl Owner {
    /// One region in all lanes.
    pub(crate) fn of(region: u8) -> Owner {
        Owner {
            one: region,
            many: None,
        }
    }

    #[inline]
    pub(crate) fn is_uniform(&self) -> bool {
        self.many.is_none()
    }

    /// The region in all lanes; `None` if they differ.
    #[inline]
    pub(crate) fn uniform(&self) -> Option<u8> {
        match self.many {
            None => Some(self.one),
            Some(_) => None,
        }
    }

    #[inline]
    pub(crate) fn lane(&self, lane: usize) -> u8 {
        self.many.as_ref().map_or(self.one, |many| many[lane & 31])
    }

    /// Sets the regions of the executing lanes.
    #[inline]
    pub(crate) fn set(&mut self, executed: u32, region: impl Fn(usize) -> u8, uniform: Option<u8>) {
        if let (Some(region), None) = (uniform, &self.many) {
            if self.one == region || executed == u32::MAX {
                self.one = region;
                return;
            }
        }
        self.set_lanes(executed, region);
    }

    #[inline(never)]
    fn set_lanes(&mut self, executed: u32, region: impl Fn(usize) -> u8) {
        let one = self.one;
        let many = self.many.get_or_insert_with(|| Box::new([one; 32]));
        for (lane, place) in many.iter_mut().enumerate() {
            if executed >> lane & 1 != 0 {
                *place = region(lane);
            }
        }
        let first = many[0];
        if many.iter().all(|region| *region == first) {
            *self = Owner::of(first);
        }
    }
}

/// The shadow state of a register, by lane.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The lanes with undefined bits.
    pub(crate) lanes: u32,
    /// The undefined bits.
    pub(crate) bits: [u32; 32],
    /// The origin of the undefined bits.
    pub(crate) origin: Origin,
    pub(crate) owner: Owner,
}

impl Cell {
    /// The state of an unwritten register.
    pub(crate) fn unwritten(origin: Origin) -> Cell {
        Cell {
            lanes: u32::MAX,
            bits: [u32::MAX; 32],
            origin,
            owner: Owner::default(),
        }
    }

    /// The state of a register that is defined in all lanes.
    pub(crate) fn known() -> Cell {
        Cell {
            lanes: 0,
            bits: [0; 32],
            origin: Origin::Register(0),
            owner: Owner::default(),
        }
    }

    /// The undefined bits of a lane.
    #[inline]
    pub(crate) fn undefined(&self, lane: usize) -> u32 {
        if self.lanes >> lane & 1 != 0 {
            self.bits[lane]
        } else {
            0
        }
    }

    /// Sets the undefined bits under a mask in a lane.
    pub(crate) fn set(&mut self, lane: usize, mask: u32, undefined: u32, origin: Origin) {
        let bits = self.undefined(lane) & !mask | undefined & mask;
        self.bits[lane] = bits;
        if bits == 0 {
            self.lanes &= !(1 << lane);
        } else {
            self.lanes |= 1 << lane;
            if undefined & mask != 0 {
                self.origin = origin;
            }
        }
    }

    /// Marks the bits under a mask as defined in these lanes.
    #[inline]
    pub(crate) fn define(&mut self, executed: u32, mask: u32) {
        if self.lanes & executed == 0 {
            return;
        }
        if mask == u32::MAX {
            self.lanes &= !executed;
            return;
        }
        for lane in 0..32 {
            if executed >> lane & 1 != 0 {
                self.set(lane, mask, 0, self.origin);
            }
        }
    }
}

/// The shadow state of a warp's registers.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    pub(crate) general: Vec<Cell>,
    /// The condition-code registers, with the bits Z, S, C and O from bit 0.
    pub(crate) codes: [Cell; 4],
    pub(crate) address: [Cell; 4],
}

impl Registers {
    /// The state when a warp begins: R0 is written, and registers that do not exist read as zero.
    pub(crate) fn new(registers: u32) -> Self {
        let mut general: Vec<Cell> = (0..registers.min(128) as u8)
            .map(|index| Cell::unwritten(Origin::Register(index)))
            .collect();
        if let Some(first) = general.first_mut() {
            *first = Cell::known();
        }
        Registers {
            general,
            codes: [0, 1, 2, 3].map(|index| Cell::unwritten(Origin::ConditionCode(index))),
            address: [1, 2, 3, 4].map(|index| Cell::unwritten(Origin::Address(index))),
        }
    }

    /// The register that an operand reads, whole or in part.
    #[inline]
    pub(crate) fn operand(&self, operand: Operand) -> Option<&Cell> {
        match operand {
            Operand::Register { index, .. } => self.general.get(usize::from(index)),
            // A0 reads 0.
            Operand::Address(index) => self.address.get(usize::from(index.checked_sub(1)?)),
            Operand::ConditionCode(index) => self.codes.get(usize::from(index & 3)),
            _ => None,
        }
    }

    /// The register that is written, if the result is kept.
    #[inline]
    pub(crate) fn destination(&mut self, destination: Destination) -> Option<&mut Cell> {
        match destination {
            Destination::Register { index, .. } => self.general.get_mut(usize::from(index)),
            Destination::Address(index) => self.address.get_mut(usize::from(index.checked_sub(1)?)),
            Destination::ConditionCode(index) => self.codes.get_mut(usize::from(index & 3)),
            Destination::None | Destination::Discard => None,
        }
    }

    /// The register with the address of a load, a store or an operand in memory.
    #[inline]
    pub(crate) fn address_of(&self, operand: Operand) -> Option<&Cell> {
        match operand {
            Operand::Register { .. } => self.operand(operand),
            _ => self.operand(Operand::Address(operand.indirect()?.register)),
        }
    }

    /// The register with the address of a load, a store or an operand in memory, to change its state.
    pub(crate) fn address_of_mut(&mut self, operand: Operand) -> Option<&mut Cell> {
        self.destination(match operand {
            Operand::Register { index, part } => Destination::Register { index, part },
            _ => Destination::Address(operand.indirect()?.register),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_defined_apart() {
        let mut cell = Cell::unwritten(Origin::Register(3));
        cell.define(1, 0xffff);
        assert_eq!((cell.undefined(0), cell.undefined(1)), (0xffff_0000, u32::MAX));
        cell.define(1, 0xffff_0000);
        assert_eq!(cell.lanes, !1);
    }

    #[test]
    fn equal_owners_of_lanes_merge() {
        let mut owner = Owner::of(2);
        owner.set(0xff, |_| 3, Some(3));
        assert_eq!((owner.lane(7), owner.lane(8)), (3, 2));
        owner.set(!0xff, |_| 3, Some(3));
        assert!(owner.many.is_none() && owner.one == 3);
    }
}
