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
#[derive(LogicBlock, Cycle, Blank)]
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
    beat_bits: Constant<Bits<2>>,
    place: Signal<Local, Bits<9>>,
    read_place: Signal<Local, Bits<9>>,
    write_place: Signal<Local, Bits<9>>,
    _activity: Activity,
}

impl<const LANES: usize> AddressFile<LANES> {
    /// An address file for 32 warps.
    pub fn new() -> Self {
        let beats = 32 / LANES;
        AddressFile {
            bank: std::array::from_fn(|_| BlockRam::new(128 * beats, Vec::new()).collision_free()),
            beat_bits: Constant::new(u64::from(beats.trailing_zeros()).into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for AddressFile<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.place.next = bit_cast::<9, 5>(self.read_warp.val()) << 2;
        self.place.next = self.place.val() | bit_cast::<9, 2>(self.read_register.val());
        self.place.next = self.place.val() << self.beat_bits.val();
        self.read_place.next = self.place.val() | bit_cast::<9, 2>(self.read_beat.val());
        self.place.next = bit_cast::<9, 5>(self.write_warp.val()) << 2;
        self.place.next = self.place.val() | bit_cast::<9, 2>(self.write_register.val());
        self.place.next = self.place.val() << self.beat_bits.val();
        self.write_place.next = self.place.val() | bit_cast::<9, 2>(self.write_beat.val());
        for i in 0..LANES {
            self.bank[i].clock.next = self.clock.val();
            self.bank[i].read_enable.next = self.read_enable.val();
            self.bank[i].read_address.next = self.read_place.val();
            self.bank[i].write_address.next = self.write_place.val();
            self.bank[i].write_data.next = self.write_data[i].val();
            self.bank[i].write_enable.next = self.write_lanes.val().get_bits::<1>(i);
            self.read_data[i].next = self.bank[i].read_data.val();
        }
    }
}
