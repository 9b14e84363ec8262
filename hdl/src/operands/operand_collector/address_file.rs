//! The address file: four address registers of 16 bits for every thread, one bank per lane.
//!
//! ```text
//! cycle          t                              t+1
//! read           enable, warp, register, beat   read_data of every lane
//! write          lanes, warp, register, beat    seen by reads of cycle t+1
//! ```
//! As in the register file, nothing is cleared between blocks: the scoreboard tracks the registers that a warp has
//! written.

use hdlkit::prelude::*;

/// The location of a beat of an address register.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AddressPlace {
    pub warp: Bits<5>,
    /// Number of the register; A1 is 0.
    pub register: Bits<2>,
    pub beat: Bits<2>,
}

/// A write of a beat of an address register.
#[interface(mirror = AddressWriterPort)]
pub struct AddressWritePort<const LANES: usize> {
    /// Lanes to write; bits LANES and up are ignored.
    pub lanes: Signal<In, Bits<32>>,
    pub place: Signal<In, AddressPlace>,
    pub data: [Signal<In, Bits<16>>; LANES],
}

/// The address registers of an SM.
#[circuit]
pub struct AddressFile<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read: Signal<In, AddressPlace>,
    pub read_data: [Signal<Out, Bits<16>>; LANES],
    pub write: AddressWritePort<LANES>,

    #[blank(std::array::from_fn(|_| BlockRam::new(128 * 32 / LANES, Vec::new()).collision_free()))]
    bank: [BlockRam<9, 16, 1>; LANES],
}

/// Returns the address of a beat in each bank.
#[hdl_fn]
fn row_of<const LANES: usize>(place: AddressPlace) -> Bits<9> {
    let row: Bits<7> = place.warp.concat(place.register);
    row.resize::<9>() << (clog2(32 / LANES) as u64) | place.beat.resize()
}

impl<const LANES: usize> Logic for AddressFile<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let read_row = row_of::<LANES>(self.read.val());
        let write_row = row_of::<LANES>(self.write.place.val());
        for i in 0..LANES {
            self.bank[i].write(self.write.lanes.val().get_bit(i).into(), write_row, self.write.data[i].val());
            self.bank[i].fetch(self.read_enable.val(), read_row);
            self.read_data[i].next = self.bank[i].read_data.val();
        }
    }
}
