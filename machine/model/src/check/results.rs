//! Shadow state of an instruction's result: its undefined bits, and the region that it is an address in.

use super::at::{At, Source};
use super::finding::Origin;
use crate::lanes::lanes_of;
use flexgrip_isa::{Destination, Operation, Sum};

/// The undefined bits of a result.
pub(super) struct Undefined {
    /// The lanes with undefined bits.
    pub(super) lanes: u32,
    /// The undefined bits.
    pub(super) bits: [u32; 32],
    /// The undefined bits of the condition code.
    pub(super) codes: [u8; 32],
    /// The index in `origins` of the bits' origin, by lane.
    pub(super) from: [u8; 32],
    pub(super) origins: [Origin; 5],
}

impl Undefined {
    fn origin(&self, lane: usize) -> Origin {
        self.origins[usize::from(self.from[lane])]
    }
}

/// Marks the destination as defined, and as an address in this region, unless it is 0.
#[inline]
pub(super) fn define(at: &mut At, region: u8) {
    let registers = &mut at.shadow.registers;
    let mask = written_bits(at.meaning.destination);
    if let Some(cell) = registers.destination(at.meaning.destination) {
        cell.define(at.executed, mask);
        let region = if mask == u32::MAX { region } else { 0 };
        cell.owner.set(at.executed, |_| region, Some(region));
    }
    if let Some(code) = at.meaning.cc_write {
        registers.codes[usize::from(code & 3)].define(at.executed, u32::MAX);
    }
}

/// Sets the shadow state of the destination.
pub(super) fn result(at: &mut At, undefined: &Undefined) {
    let registers = &mut at.shadow.registers;
    let mask = written_bits(at.meaning.destination);
    let shift = if mask == 0xffff_0000 { 16 } else { 0 };
    let limit = match at.meaning.destination {
        Destination::Address(_) => 0xffff,
        Destination::ConditionCode(_) => 15,
        _ => mask,
    };
    if let Some(cell) = registers.destination(at.meaning.destination) {
        cell.define(at.executed, mask);
        cell.owner.set(at.executed, |_| 0, Some(0));
        for lane in lanes_of(undefined.lanes) {
            cell.set(
                lane,
                mask,
                undefined.bits[lane] << shift & limit,
                undefined.origin(lane),
            );
        }
    }
    if let Some(code) = at.meaning.cc_write {
        let cell = &mut registers.codes[usize::from(code & 3)];
        cell.define(at.executed, u32::MAX);
        for lane in lanes_of(undefined.lanes) {
            cell.set(lane, 15, u32::from(undefined.codes[lane]), undefined.origin(lane));
        }
    }
}

pub(super) fn adds_carry(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Iadd { sum: Sum::AddCarry, .. } | Operation::Imad { sum: Sum::AddCarry, .. }
    )
}

/// The region of a result that is the same in all lanes; `None` if they differ.
pub(super) fn owner(operation: Operation, sources: &[Source; 3], executed: u32) -> Option<u8> {
    let first = lanes_of(executed).next()?;
    let of = |lane: usize| combined(operation, [0, 1, 2].map(|number| sources[number].owner.lane(lane)));
    let region = of(first);
    if sources.iter().all(|source| source.owner.is_uniform()) || lanes_of(executed).all(|lane| of(lane) == region) {
        return Some(region);
    }
    None
}

/// The region that a result is an address in, from the regions of the operands.
pub(super) fn combined(operation: Operation, [a, b, c]: [u8; 3]) -> u8 {
    let one_of = |a: u8, b: u8| match (a, b) {
        (region, 0) | (0, region) => region,
        _ => 0,
    };
    match operation {
        Operation::Mov { .. }
        | Operation::Mvc { .. }
        | Operation::G2r { .. }
        | Operation::R2a { shift: 0 }
        | Operation::A2r
        | Operation::I2i { .. } => a,
        Operation::Iadd { sum, .. } => match sum {
            Sum::Subtract if c == 0 => a,
            Sum::ReverseSubtract if a == 0 => c,
            Sum::Add | Sum::AddCarry => one_of(a, c),
            _ => 0,
        },
        Operation::Imad { .. } if a == 0 && b == 0 => c,
        Operation::Logic { .. } => one_of(a, b),
        Operation::Imin { .. } | Operation::Imax { .. } | Operation::Fslct { .. } if a == b => a,
        // ADA: an address register plus an immediate.
        Operation::Plain(_) => a,
        _ => 0,
    }
}

/// The bits of a destination that an instruction writes.
pub(super) fn written_bits(destination: Destination) -> u32 {
    use flexgrip_isa::RegisterPart;
    match destination {
        Destination::Register {
            part: RegisterPart::Low,
            ..
        } => 0xffff,
        Destination::Register {
            part: RegisterPart::High,
            ..
        } => 0xffff_0000,
        _ => u32::MAX,
    }
}
