//! The address file: four address registers of 16 bits for every thread, one bank per lane.
//!
//! ```text
//! cycle          t                              t+1
//! read           warp, register, beat, enable   read_data of every lane
//! write          warp, register, beat, lanes    seen by reads of cycle t+1
//! ```
//! As in the register file, nothing is cleared between blocks: the scoreboard knows which registers a warp has written.

use hdlkit::prelude::*;

/// The address registers of an SM: A1 is register 0.
#[circuit]
pub struct AddressFile<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_warp: Signal<In, Bits<5>>,
    pub read_register: Signal<In, Bits<2>>,
    pub read_beat: Signal<In, Bits<2>>,
    pub read_data: [Signal<Out, Bits<16>>; LANES],
    /// Lanes to write; bits LANES.. do not count.
    pub write_lanes: Signal<In, Bits<32>>,
    pub write_warp: Signal<In, Bits<5>>,
    pub write_register: Signal<In, Bits<2>>,
    pub write_beat: Signal<In, Bits<2>>,
    pub write_data: [Signal<In, Bits<16>>; LANES],

    bank: [BlockRam<9, 16, 1>; LANES],
}

/// The address in each bank of a register's beat.
#[hdl_fn]
fn place<const LANES: usize>(warp: Bits<5>, register: Bits<2>, beat: Bits<2>) -> Bits<9> {
    let row: Bits<7> = warp.concat(register);
    row.resize::<9>() << (clog2(32 / LANES) as u64) | beat.resize()
}

impl<const LANES: usize> AddressFile<LANES> {
    /// An address file for 32 warps.
    pub fn new() -> Self {
        let beats = 32 / LANES;
        AddressFile {
            bank: std::array::from_fn(|_| BlockRam::new(128 * beats, Vec::new()).collision_free()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for AddressFile<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let read = place::<LANES>(self.read_warp.val(), self.read_register.val(), self.read_beat.val());
        let write = place::<LANES>(self.write_warp.val(), self.write_register.val(), self.write_beat.val());
        for i in 0..LANES {
            self.bank[i].read_enable.next = self.read_enable.val();
            self.bank[i].read_address.next = read;
            self.bank[i].write_address.next = write;
            self.bank[i].write_data.next = self.write_data[i].val();
            self.bank[i].write_enable.next = self.write_lanes.val().get_bit(i).into();
            self.read_data[i].next = self.bank[i].read_data.val();
        }
    }
}
