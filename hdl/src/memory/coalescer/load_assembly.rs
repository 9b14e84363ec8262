//! Load assembly: moves words of responses to the lanes, and assembles a beat of loaded data.

use hdlkit::prelude::*;

/// The registers of an access of 64 or 128 bits after the first.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FurtherRegisters {
    pub second: Bits<32>,
    pub third: Bits<32>,
    pub fourth: Bits<32>,
}

/// The registers of a lane, or four words of a response.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FourWords {
    pub first: Bits<32>,
    pub further: FurtherRegisters,
}

/// A beat of loaded data, up to four registers per lane, and the further registers of the previous beat. A response
/// writes only the lanes that it serves, which merges the responses to all of a beat's requests.
///
/// ```text
/// cycle     t                                          t+1
/// in        write_enable, served, size, .., word       lane, with part 0: the first registers
/// in        keep                                       lane, with part 1 to 3: one of the further registers
/// ```
/// `keep` copies the further registers to `later`, so that the next beat's responses can be written, even in the same
/// cycle.
#[circuit]
pub struct LoadAssembly<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    /// Lanes that the response serves; bits LANES and up are ignored.
    pub served: Signal<In, Bits<32>>,
    /// log2 of an access's bytes, 0 to 4.
    pub size: Signal<In, Bits<3>>,
    /// Sign-extend accesses of less than 32 bits; else zero-extend.
    pub is_signed: Signal<In, Bit>,
    /// Each lane's byte offset in the segment, a multiple of the access size; bits past the segment are ignored.
    pub offset: [Signal<In, Bits<7>>; LANES],
    pub word: [Signal<In, Bits<32>>; LANES],
    pub keep: Signal<In, Bit>,
    /// Selects `lane`: 0, the first register of the beat being filled; 1 to 3, a further register of the previous beat.
    pub part: Signal<In, Bits<2>>,
    pub lane: [Signal<Out, Bits<32>>; LANES],

    /// The beat being filled, or complete.
    beat: [DFF<FourWords>; LANES],
    /// The further registers of the previous beat.
    later: [DFF<FurtherRegisters>; LANES],
}

/// Returns the value of an access of at most 32 bits, which begins at byte `offset` of `word`, extended to 32 bits.
#[hdl_fn]
pub fn loaded_value(word: Bits<32>, offset: Bits<2>, size: Bits<3>, is_signed: Bit) -> Bits<32> {
    let half = if offset.get_bit(1) { word.bits::<16>(16) } else { word.low::<16>() };
    let byte = if offset.get_bit(0) { half.bits::<8>(8) } else { half.low::<8>() };
    match size.index() {
        0 => (is_signed && byte.get_bit(7)).fill::<24>().concat::<8, 32>(byte),
        1 => (is_signed && half.get_bit(15)).fill::<16>().concat::<16, 32>(half),
        _ => word,
    }
}

impl<const LANES: usize> Logic for LoadAssembly<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let size = self.size.val();
        // The response in groups of four words.
        let mut groups = [FourWords::default(); 8];
        for g in 0..LANES / 4 {
            let further = FurtherRegisters {
                second: self.word[4 * g + 1].val(),
                third: self.word[4 * g + 2].val(),
                fourth: self.word[4 * g + 3].val(),
            };
            groups[g] = FourWords { first: self.word[4 * g].val(), further };
        }
        for i in 0..LANES {
            // The aligned group of four words at a lane's offset is selected first: it is the lane's registers, or
            // contains its word.
            let offset = self.offset[i].val();
            let group = offset.bits::<3>(4) & (LANES as u64 / 4 - 1);
            let near = groups[group.index()];
            let word = match offset.bits::<2>(2).index() {
                0 => near.first,
                1 => near.further.second,
                2 => near.further.third,
                _ => near.further.fourth,
            };
            if self.keep.val() {
                self.later[i].d.next = self.beat[i].q.val().further;
            }
            if self.write_enable.val() && self.served.val().get_bit(i) {
                self.beat[i].d.next.first = loaded_value(word, offset.low::<2>(), size, self.is_signed.val());
                if size.get_bit(2) {
                    self.beat[i].d.next.further = near.further;
                } else if size == 3 {
                    self.beat[i].d.next.further.second =
                        if offset.get_bit(3) { near.further.fourth } else { near.further.second };
                }
            }
            self.lane[i].next = match self.part.val().index() {
                0 => self.beat[i].q.val().first,
                1 => self.later[i].q.val().second,
                2 => self.later[i].q.val().third,
                _ => self.later[i].q.val().fourth,
            };
        }
    }
}
