//! The store buffer: moves store data from lanes to the words of a request.

use crate::memory::bundles::ChosenRequest;
use hdlkit::prelude::*;

/// Sixteen beats of store data, up to four registers per lane, and registers in which the words of a request are
/// assembled from the lanes that it serves.
///
/// ```text
/// cycle    t                     t+1                        t+2 until the next capture
/// in       read_enable,          capture, request,          word, enable
///          read_beat, ..         offset
/// out      meets
/// in       write_enable,         visible to reads
///          write_beat, write_part, write_size, lane
/// ```
/// Words that were read stay until the next read. A beat must not be read in the cycle of a write to it.
///
/// There are two memories, for words at even and at odd word addresses. Data of at most 32 bits, repeated to fill a
/// word, are written to both, because their address may be even or odd. Each lane has a column in both memories. The
/// third and fourth registers of lane i are in rows of their own, in the column of lane i XOR LANES/4. So all four
/// registers can be read at once, even of LANES/4 lanes, which fill a segment, if these are neighbours. If lanes i and
/// i XOR LANES/4 are both in a request, their columns collide (`meets`): the request is read and captured twice, the
/// second time for the two upper words of each four (`read_second`, `second`). A column for each of the four registers
/// would double the block RAMs and their wires, without a use for the capacity.
///
/// If several lanes write one byte, the highest lane wins. A byte that no lane writes has enable 0 and lane 0's data.
#[circuit]
pub struct StoreBuffer<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_beat: Signal<In, Bits<4>>,
    /// The register's index, 0 to 3.
    pub write_part: Signal<In, Bits<2>>,
    /// log2 of an access's bytes, 0 to 4.
    pub write_size: Signal<In, Bits<3>>,
    /// Each lane's store data; in the low bits if less than 32 bits.
    pub lane: [Signal<In, Bits<32>>; LANES],
    pub read_enable: Signal<In, Bit>,
    /// The request's beat.
    pub read_beat: Signal<In, Bits<4>>,
    /// Lanes that the request serves; true if it needs four registers of each.
    pub read_served: Signal<In, Bits<32>>,
    pub read_of_four: Signal<In, Bit>,
    /// If lanes collide: read the third and fourth registers, else the first and second.
    pub read_second: Signal<In, Bit>,
    /// Lanes collide, so the request must be read twice; valid in the same cycle.
    pub meets: Signal<Out, Bit>,
    pub capture: Signal<In, Bit>,
    /// The request. If it is the `second` of two, only third and fourth registers were read; the other words keep their
    /// captured values.
    pub request: Signal<In, ChosenRequest>,
    /// Each lane's byte offset in the segment, a multiple of the access size; bits past the segment are ignored.
    pub offset: [Signal<In, Bits<7>>; LANES],
    pub word: [Signal<Out, Bits<32>>; LANES],
    /// Byte enables of each word.
    pub enable: [Signal<Out, Bits<4>>; LANES],

    /// Columns of words at even and at odd addresses. A beat has two rows: one for first and second registers, one for
    /// third and fourth ones.
    #[blank(std::array::from_fn(|_| BlockRam::blank().collision_free()))]
    even: [BlockRam<5, 32, 1>; LANES],
    #[blank(std::array::from_fn(|_| BlockRam::blank().collision_free()))]
    odd: [BlockRam<5, 32, 1>; LANES],
    /// The captured request.
    words: [DFF<Bits<32>>; LANES],
    enables: [DFF<Bits<4>>; LANES],
}

/// Returns the low `1 << size` bytes of a word, repeated to fill it.
#[hdl_fn]
fn replicated(word: Bits<32>, size: Bits<3>) -> Bits<32> {
    let half = word.low::<16>();
    let byte = word.low::<8>();
    let bytes = byte.concat::<8, 16>(byte);
    match size.index() {
        0 => bytes.concat::<16, 32>(bytes),
        1 => half.concat::<16, 32>(half),
        _ => word,
    }
}

/// Returns the bytes of its word that an access of `1 << size` bytes at byte `offset` touches.
#[hdl_fn]
pub fn touched(offset: Bits<2>, size: Bits<3>) -> Bits<4> {
    match size.index() {
        0 => offset.one_hot::<4>(),
        1 => bits::<4>(0b0011) << (offset & 2),
        _ => bits(0b1111),
    }
}

impl<const LANES: usize> Logic for StoreBuffer<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.write_beat();
        self.read_beat();
        self.capture_request();
    }
}

impl<const LANES: usize> StoreBuffer<LANES> {
    /// Writes one register of all lanes.
    #[hdl_part]
    fn write_beat(&mut self) {
        let size = self.write_size.val();
        let part = self.write_part.val();
        let upper = size.get_bit(2) && part.get_bit(1);
        // A single word may have an even or an odd address; the words of longer accesses alternate.
        let is_word = !size.get_bit(2) && size != 3;
        let write_even = self.write_enable.val() && (is_word || !part.get_bit(0));
        let write_odd = self.write_enable.val() && (is_word || part.get_bit(0));
        let write_row: Bits<5> = self.write_beat.val().concat(upper.fill::<1>());
        for i in 0..LANES {
            let away = i ^ (LANES / 4);
            let data = if upper { self.lane[away].val() } else { replicated(self.lane[i].val(), size) };
            self.even[i].write(write_even.into(), write_row, data);
            self.odd[i].write(write_odd.into(), write_row, data);
        }
    }

    /// Reads both memories. The columns of the request's lanes have the first and second registers; with four
    /// registers, the columns of these lanes XOR LANES/4 have the third and fourth.
    #[hdl_part]
    fn read_beat(&mut self) {
        let served = self.read_served.val() & (u64::MAX >> (64 - LANES));
        let mut away = Bits::<32>::ZERO;
        for i in 0..LANES {
            let has_four = self.read_of_four.val() && served.get_bit(i ^ (LANES / 4));
            away = away.replace_bit(i, has_four);
        }
        let collide = (away & served).any();
        self.meets.next = collide;
        for i in 0..LANES {
            let upper = if collide { self.read_second.val() } else { away.get_bit(i) };
            let read_row: Bits<5> = self.read_beat.val().concat(upper.fill::<1>());
            self.even[i].fetch(self.read_enable.val(), read_row);
            self.odd[i].fetch(self.read_enable.val(), read_row);
        }
    }

    /// Collects each byte of the request's words from the highest lane that stores it.
    #[hdl_part]
    fn capture_request(&mut self) {
        let request = self.request.val();
        let size = request.queued.size;
        // The bits of a word's index that distinguish accesses.
        let of_access = match size.index() {
            3 => bits::<5>(LANES as u64 - 2),
            4..=7 => bits(LANES as u64 - 4),
            _ => bits(LANES as u64 - 1),
        };
        // Each lane's word index, and the lanes that store each byte of their words.
        let mut places = [Bits::<5>::ZERO; LANES];
        let mut storing = [Bits::<32>::ZERO; 4];
        for l in 0..LANES {
            let offset = self.offset[l].val();
            places[l] = offset.bits::<5>(2) & of_access;
            let stores = mask(request.served.get_bit(l), touched(offset.low::<2>(), size));
            for b in 0..4 {
                storing[b] = storing[b].replace_bit(l, stores.get_bit(b));
            }
        }
        for w in 0..LANES {
            self.word[w].next = self.words[w].q.val();
            self.enable[w].next = self.enables[w].q.val();
            let place = bits::<5>(w as u64) & of_access;
            let mut there = Bits::<32>::ZERO;
            for l in 0..LANES {
                there = there.replace_bit(l, places[l] == place);
            }
            let mut enable = Bits::<4>::ZERO;
            let mut bytes = [Bits::<8>::ZERO; 4];
            for b in 0..4 {
                let sources = there & storing[b];
                enable = enable.replace_bit(b, sources.any());
                let mut source = Bits::<5>::ZERO;
                for l in 1..LANES {
                    source = if sources.get_bit(l) { bits::<5>(l as u64) } else { source };
                }
                // Third and fourth registers are in the column of lane XOR LANES/4.
                let column =
                    if w & 2 == 2 { source ^ mask(size.get_bit(2), bits::<5>(LANES as u64 / 4)) } else { source };
                let word = if w & 1 == 1 {
                    self.odd[column.index()].read_data.val()
                } else {
                    self.even[column.index()].read_data.val()
                };
                bytes[b] = word.bits::<8>(8 * b);
            }
            let low: Bits<16> = bytes[1].concat(bytes[0]);
            let high: Bits<16> = bytes[3].concat(bytes[2]);
            if self.capture.val() {
                self.enables[w].d.next = enable;
                // A second reading captures only words 2 and 3 of each four.
                let keeps = if w & 2 == 2 { false } else { request.second };
                if !keeps {
                    self.words[w].d.next = high.concat(low);
                }
            }
        }
    }
}
