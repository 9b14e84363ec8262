//! Accesses by the lanes of a warp.
//!
//! A half-warp that accesses one address, or consecutive addresses in order, is served at once.

use super::{AccessFault, Memory};
use crate::lanes::Lanes;

/// A refused access, and its address.
pub(crate) type Refused = (AccessFault, u32);

/// Lanes of a half-warp, which are served together if their accesses form a pattern.
pub(crate) const HALF: usize = 16;

/// The pattern of a half-warp's accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// All lanes access one address.
    Same,
    /// The lanes access consecutive addresses, in order.
    Row,
    /// Any other pattern; also if some lanes are inactive.
    Scattered,
}

impl Pattern {
    /// The pattern of accesses of `bytes` bytes, by the lanes of a mask in its low bits.
    #[inline(always)]
    pub(crate) fn of(lanes: u32, addresses: &[u32; HALF], bytes: u32) -> Self {
        let first = addresses[0];
        let distance = addresses[HALF - 1].wrapping_sub(first);
        let (step, pattern) = if distance == 0 {
            (0, Pattern::Same)
        } else {
            (bytes, Pattern::Row)
        };
        // The last lane is enough to exclude most accesses without a pattern.
        if lanes & HALF_LANES != HALF_LANES || distance != step * (HALF as u32 - 1) {
            return Pattern::Scattered;
        }
        let mut different = 0;
        for (lane, address) in addresses.iter().enumerate() {
            different |= address ^ first.wrapping_add(lane as u32 * step);
        }
        if different == 0 {
            pattern
        } else {
            Pattern::Scattered
        }
    }
}

/// The mask of all lanes of half a warp.
const HALF_LANES: u32 = u32::MAX >> (32 - HALF);

/// The two halves of a warp: mask in its low bits, and addresses.
#[inline(always)]
pub(crate) fn halves(lanes: u32, addresses: &Lanes) -> [(u32, &[u32; HALF]); 2] {
    const NONE: &[u32; HALF] = &[0; HALF];
    [
        (lanes & HALF_LANES, addresses.first_chunk().unwrap_or(NONE)),
        (lanes >> HALF, addresses.last_chunk().unwrap_or(NONE)),
    ]
}

/// A lane's words from its bytes in memory.
// Indices, as in all loops here: the compiler does not vectorise nested iterators.
#[inline(always)]
fn take_words<const WORDS: usize>(bytes: &[u8], lane: usize, values: &mut [Lanes; WORDS]) {
    for word in 0..WORDS {
        if let Some(bytes) = bytes[4 * word..].first_chunk() {
            values[word][lane] = u32::from_le_bytes(*bytes);
        }
    }
}

/// Writes the words of a lane: the reverse of [`take_words`].
#[inline(always)]
fn put_words<const WORDS: usize>(bytes: &mut [u8], lane: usize, values: &[&Lanes; WORDS]) {
    for word in 0..WORDS {
        if let Some(bytes) = bytes[4 * word..].first_chunk_mut() {
            *bytes = values[word][lane].to_le_bytes();
        }
    }
}

impl Memory {
    /// [`Memory::read`] in each lane of a mask, lowest first, `WORDS` words or, as one word, 1 or 2 bytes. Other lanes
    /// keep their values.
    ///
    /// # Errors
    /// The error of the first faulting lane, with its address.
    #[inline(always)]
    pub(crate) fn read_lanes<const WORDS: usize>(
        &self,
        lanes: u32,
        addresses: &Lanes,
        bytes: u32,
        values: &mut [Lanes; WORDS],
    ) -> Result<(), Refused> {
        match (WORDS, bytes) {
            (1, 1) => self.gather(lanes, addresses, |bytes: &[u8; 1], lane| {
                values[0][lane] = u32::from(bytes[0]);
            }),
            (1, 2) => self.gather(lanes, addresses, |bytes: &[u8; 2], lane| {
                values[0][lane] = u32::from(u16::from_le_bytes(*bytes));
            }),
            (1, _) => self.gather(lanes, addresses, |bytes: &[u8; 4], lane| {
                take_words(bytes, lane, values)
            }),
            (2, _) => self.gather(lanes, addresses, |bytes: &[u8; 8], lane| {
                take_words(bytes, lane, values)
            }),
            _ => self.gather(lanes, addresses, |bytes: &[u8; 16], lane| {
                take_words(bytes, lane, values)
            }),
        }
    }

    #[inline(always)]
    fn gather<const BYTES: usize>(
        &self,
        lanes: u32,
        addresses: &Lanes,
        mut take: impl FnMut(&[u8; BYTES], usize),
    ) -> Result<(), Refused> {
        let [low, high] = halves(lanes, addresses);
        self.gather_half::<BYTES, 0>(low, &mut take)?;
        self.gather_half::<BYTES, HALF>(high, &mut take)
    }

    /// Loads the values of a half-warp. `FIRST` is the half's first lane: as a constant, it saves checks of indices.
    #[inline(always)]
    fn gather_half<const BYTES: usize, const FIRST: usize>(
        &self,
        (lanes, addresses): (u32, &[u32; HALF]),
        take: &mut impl FnMut(&[u8; BYTES], usize),
    ) -> Result<(), Refused> {
        match Pattern::of(lanes, addresses, BYTES as u32) {
            Pattern::Same => {
                let bytes = self.array(addresses[0]).map_err(|fault| (fault, addresses[0]))?;
                (0..HALF).for_each(|lane| take(bytes, FIRST + lane));
                return Ok(());
            }
            Pattern::Row => {
                if let Some(row) = self.row(addresses[0], BYTES).and_then(|row| self.bytes.get(row)) {
                    for lane in 0..HALF {
                        if let Some(bytes) = row[BYTES * lane..].first_chunk() {
                            take(bytes, FIRST + lane);
                        }
                    }
                    return Ok(());
                }
            }
            Pattern::Scattered => {}
        }
        for (lane, &address) in addresses.iter().enumerate() {
            if lanes >> lane & 1 == 1 {
                take(self.array(address).map_err(|fault| (fault, address))?, FIRST + lane);
            }
        }
        Ok(())
    }

    /// [`Memory::write`] in each lane of a mask, lowest first, as [`Memory::read_lanes`] reads.
    ///
    /// # Errors
    /// The error of the first faulting lane, with its address; lanes below it have written.
    #[inline(always)]
    pub(crate) fn write_lanes<const WORDS: usize>(
        &mut self,
        lanes: u32,
        addresses: &Lanes,
        bytes: u32,
        values: &[&Lanes; WORDS],
    ) -> Result<(), Refused> {
        match (WORDS, bytes) {
            (1, 1) => self.scatter(lanes, addresses, |bytes: &mut [u8; 1], lane| {
                bytes[0] = values[0][lane] as u8;
            }),
            (1, 2) => self.scatter(lanes, addresses, |bytes: &mut [u8; 2], lane| {
                *bytes = (values[0][lane] as u16).to_le_bytes();
            }),
            (1, _) => self.scatter(lanes, addresses, |bytes: &mut [u8; 4], lane| {
                put_words(bytes, lane, values)
            }),
            (2, _) => self.scatter(lanes, addresses, |bytes: &mut [u8; 8], lane| {
                put_words(bytes, lane, values)
            }),
            _ => self.scatter(lanes, addresses, |bytes: &mut [u8; 16], lane| {
                put_words(bytes, lane, values)
            }),
        }
    }

    #[inline(always)]
    fn scatter<const BYTES: usize>(
        &mut self,
        lanes: u32,
        addresses: &Lanes,
        put: impl Fn(&mut [u8; BYTES], usize),
    ) -> Result<(), Refused> {
        let [low, high] = halves(lanes, addresses);
        self.scatter_half::<BYTES, 0>(low, &put)?;
        self.scatter_half::<BYTES, HALF>(high, &put)
    }

    #[inline(always)]
    fn scatter_half<const BYTES: usize, const FIRST: usize>(
        &mut self,
        (lanes, addresses): (u32, &[u32; HALF]),
        put: &impl Fn(&mut [u8; BYTES], usize),
    ) -> Result<(), Refused> {
        if Pattern::of(lanes, addresses, BYTES as u32) == Pattern::Row {
            if let Some(row) = self.row(addresses[0], BYTES).and_then(|row| self.bytes.get_mut(row)) {
                for lane in 0..HALF {
                    if let Some(bytes) = row[BYTES * lane..].first_chunk_mut() {
                        put(bytes, FIRST + lane);
                    }
                }
                return Ok(());
            }
        }
        for (lane, &address) in addresses.iter().enumerate() {
            if lanes >> lane & 1 == 1 {
                let place = self.place(address, BYTES as u32).map_err(|fault| (fault, address))?;
                let bytes = (&mut self.bytes[place]).try_into();
                put(bytes.map_err(|_| (AccessFault::OutOfRange, address))?, FIRST + lane);
            }
        }
        Ok(())
    }

    /// The range of the bytes of a half-warp's consecutive accesses, if all are inside the memory and aligned.
    #[inline(always)]
    fn row(&self, first: u32, bytes: usize) -> Option<std::ops::Range<usize>> {
        let row = first as usize..first as usize + HALF * bytes;
        (first as usize % bytes == 0 && row.end <= self.bytes.len()).then_some(row)
    }
}
