//! Records: what a load's response needs to know of the request.

use crate::bundles::WriteControl;
use hdlkit::prelude::*;

/// A load's request, or a beat without any.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LoadRecord {
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub beat: Bits<2>,
    pub last: Bit,
    pub row: Bits<9>,
    pub register: Bits<7>,
    pub halves: Bits<2>,
    pub fill: Bit,
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
    /// Number of registers after the first.
    pub parts: Bits<2>,
    pub size: Bits<3>,
    pub is_signed: Bit,
    /// The beat's last request.
    pub complete: Bit,
    /// There was a request, so a response comes.
    pub request: Bit,
}

/// A record as a word of block RAM, the tag lowest.
#[hdl_fn]
pub(super) fn packed(record: LoadRecord) -> Bits<57> {
    let instruction = record.warp.concat::<16, 21>(record.tag);
    let beat = record.last.fill::<1>().concat::<2, 3>(record.beat);
    let first = record.register.concat::<9, 16>(record.row);
    let written = record.fill.fill::<1>().concat::<2, 3>(record.halves);
    let further = record.further_fill.concat::<3, 6>(record.further);
    let access = record.size.concat::<2, 5>(record.parts);
    let is_signed = record.is_signed.fill::<1>();
    let flags = record.request.fill::<1>().concat::<1, 2>(record.complete.fill::<1>());
    let low = first.concat::<3, 19>(beat).concat::<21, 40>(instruction);
    let high = flags.concat::<1, 3>(is_signed).concat::<5, 8>(access).concat::<6, 14>(further);
    high.concat::<3, 17>(written).concat::<40, 57>(low)
}

/// The record in a word of block RAM.
#[hdl_fn]
pub(super) fn unpacked(word: Bits<57>) -> LoadRecord {
    LoadRecord {
        tag: word.bits::<16>(0),
        warp: word.bits::<5>(16),
        beat: word.bits::<2>(21),
        last: word.get_bit(23),
        row: word.bits::<9>(24),
        register: word.bits::<7>(33),
        halves: word.bits::<2>(40),
        fill: word.get_bit(42),
        further: word.bits::<3>(43),
        further_fill: word.bits::<3>(46),
        parts: word.bits::<2>(49),
        size: word.bits::<3>(51),
        is_signed: word.get_bit(54),
        complete: word.get_bit(55),
        request: word.get_bit(56),
    }
}

/// Where the first register of a load's beat goes.
#[hdl_fn]
pub(super) fn first_write(record: LoadRecord) -> WriteControl {
    WriteControl {
        valid: true,
        tag: record.tag,
        warp: record.warp,
        beat: record.beat,
        last: record.last,
        row: record.row,
        register: record.register,
        halves: record.halves,
        register_enable: true,
        fill: record.fill,
        ..Default::default()
    }
}
