//! The memories: global, constant banks, and the shared memory of a block.
//!
//! All are byte addressed and little endian. Accesses are checked here and refused with an [`AccessFault`]; the
//! accessing instruction maps it to an error of the machine.

pub(crate) mod lanes;

use flexgrip_machine::sizes::{CONSTANT_BANKS, CONSTANT_BANK_BYTES};

/// The reason why a memory refused an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessFault {
    /// The address is not a multiple of the access size.
    Misaligned,
    /// The access is not entirely inside the memory.
    OutOfRange,
}

/// The indices of the set bits, lowest first.
fn bits_of(bits: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1)
}

/// A byte-addressed little-endian memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    bytes: Vec<u8>,
}

impl Memory {
    /// A memory of `size` bytes, all 0.
    pub fn new(size: u32) -> Self {
        Memory {
            bytes: vec![0; size as usize],
        }
    }

    /// Size in bytes.
    pub fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// The contents.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The contents as 32-bit words; a partial last word is padded with zeros.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.words_from(0)
    }

    /// The words from index `first` on, none if there are fewer. `words().skip(first)` would read all words before.
    pub fn words_from(&self, first: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        let start = first.saturating_mul(4).min(self.bytes.len());
        self.bytes[start..].chunks(4).map(|chunk| match chunk.try_into() {
            Ok(word) => u32::from_le_bytes(word),
            Err(_) => chunk.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)),
        })
    }

    fn place(&self, address: u32, bytes: u32) -> Result<std::ops::Range<usize>, AccessFault> {
        if address % bytes.max(1) != 0 {
            return Err(AccessFault::Misaligned);
        }
        let start = address as usize;
        match start.checked_add(bytes as usize) {
            Some(end) if end <= self.bytes.len() => Ok(start..end),
            _ => Err(AccessFault::OutOfRange),
        }
    }

    /// Like [`Memory::place`] for a size that is a constant.
    #[inline(always)]
    fn array<const BYTES: usize>(&self, address: u32) -> Result<&[u8; BYTES], AccessFault> {
        let place = self.place(address, BYTES as u32)?;
        self.bytes[place].try_into().map_err(|_| AccessFault::OutOfRange)
    }

    /// Reads `bytes` (1, 2, 4, 8 or 16) bytes, zero-extended.
    ///
    /// # Errors
    /// [`AccessFault`] if the address is not a multiple of `bytes`, or the access leaves the memory.
    pub fn read(&self, address: u32, bytes: u32) -> Result<u128, AccessFault> {
        Ok(match bytes {
            1 => u128::from(u8::from_le_bytes(*self.array(address)?)),
            2 => u128::from(u16::from_le_bytes(*self.array(address)?)),
            4 => u128::from(u32::from_le_bytes(*self.array(address)?)),
            8 => u128::from(u64::from_le_bytes(*self.array(address)?)),
            _ => {
                let bytes = &self.bytes[self.place(address, bytes)?];
                bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte))
            }
        })
    }

    /// Writes the low `bytes` (1, 2, 4, 8 or 16) bytes of `data`.
    ///
    /// # Errors
    /// The errors of [`Memory::read`]. After an error, nothing has been written.
    pub fn write(&mut self, address: u32, bytes: u32, data: u128) -> Result<(), AccessFault> {
        let place = self.place(address, bytes)?;
        for (byte, source) in self.bytes[place].iter_mut().zip(data.to_le_bytes()) {
            *byte = source;
        }
        Ok(())
    }

    /// The word with this index, if all of it is inside the memory.
    fn word(&self, at: usize) -> Option<u32> {
        let bytes = self.bytes.get(4 * at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Copies these bytes from another memory, as far as both have them.
    pub(crate) fn take(&mut self, other: &Memory, bytes: std::ops::Range<usize>) {
        let end = bytes.end.min(self.bytes.len()).min(other.bytes.len());
        let start = bytes.start.min(end);
        self.bytes[start..end].copy_from_slice(&other.bytes[start..end]);
    }

    /// Copies words from another memory: of the 64 words from index `first` on, the ones with a bit in `words`.
    pub(crate) fn take_words(&mut self, other: &Memory, first: usize, words: u64) {
        if words == u64::MAX {
            return self.take(other, 4 * first..4 * first + 256);
        }
        for bit in bits_of(words) {
            self.take(other, 4 * (first + bit)..4 * (first + bit) + 4);
        }
    }

    /// The mask of words that differ from another memory's, of the ones with a bit in `words`, from index `first` on.
    pub(crate) fn different_words(&self, other: &Memory, first: usize, words: u64) -> u64 {
        let different = |bit: &usize| self.word(first + bit) != other.word(first + bit);
        bits_of(words).filter(different).map(|bit| 1 << bit).sum()
    }

    /// Writes 32-bit words from byte address `address` on, for initial contents.
    ///
    /// # Errors
    /// The errors of [`Memory::write`]. After an error, nothing has been written.
    pub fn load(&mut self, address: u32, words: &[u32]) -> Result<(), AccessFault> {
        let place = self.place(address, 4 * words.len().min(1) as u32)?;
        let room = self.bytes[place.start..].chunks_exact_mut(4);
        if room.len() < words.len() {
            return Err(AccessFault::OutOfRange);
        }
        // A launch loads all of global memory: a checked write for each word takes most of a small launch's time.
        room.zip(words)
            .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
        Ok(())
    }
}

/// The constant memory: [`CONSTANT_BANKS`] banks of [`CONSTANT_BANK_BYTES`] each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantMemory {
    banks: Vec<Memory>,
}

impl Default for ConstantMemory {
    fn default() -> Self {
        ConstantMemory {
            banks: vec![Memory::new(CONSTANT_BANK_BYTES); CONSTANT_BANKS],
        }
    }
}

impl ConstantMemory {
    /// A bank, or `None` if the number does not exist.
    pub fn bank(&self, bank: u32) -> Option<&Memory> {
        self.banks.get(bank as usize)
    }

    /// Reads `bytes` (1, 2 or 4) bytes of a bank, zero-extended.
    ///
    /// # Errors
    /// [`AccessFault`] as [`Memory::read`], and for a bank that does not exist.
    pub fn read(&self, bank: u32, address: u32, bytes: u32) -> Result<u128, AccessFault> {
        self.banks
            .get(bank as usize)
            .ok_or(AccessFault::OutOfRange)?
            .read(address, bytes)
    }

    /// Writes initial contents from byte `address` of a bank on.
    ///
    /// # Errors
    /// The errors of [`Memory::load`], or the bank does not exist.
    pub fn load(&mut self, bank: u32, address: u32, words: &[u32]) -> Result<(), AccessFault> {
        self.banks
            .get_mut(bank as usize)
            .ok_or(AccessFault::OutOfRange)?
            .load(address, words)
    }
}

/// The first indices of the blocks of `size` elements, at least one, in which two memories differ. Whole blocks are
/// compared, because a memory has hundreds of thousands of words, and few of them differ.
pub fn differing_blocks<'a, T: PartialEq>(
    one: &'a [T],
    other: &'a [T],
    size: usize,
) -> impl Iterator<Item = usize> + 'a {
    let blocks = one.chunks(size).zip(other.chunks(size));
    (0..)
        .step_by(size)
        .zip(blocks)
        .filter(|(_, (one, other))| one != other)
        .map(|(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_little_endian_and_checked() {
        let mut memory = Memory::new(16);
        memory.write(8, 8, 0x8877_6655_4433_2211).unwrap();
        assert_eq!(memory.read(8, 1), Ok(0x11));
        assert_eq!(memory.read(10, 2), Ok(0x4433));
        assert_eq!(memory.read(12, 4), Ok(0x8877_6655));
        assert_eq!(memory.read(14, 4), Err(AccessFault::Misaligned));
        assert_eq!(memory.read(16, 1), Err(AccessFault::OutOfRange));
        assert_eq!(memory.read(0xffff_fffc, 4), Err(AccessFault::OutOfRange));
        assert_eq!(memory.write(12, 8, 0), Err(AccessFault::Misaligned));
        assert_eq!(memory.write(16, 8, 0), Err(AccessFault::OutOfRange));
        memory.write(0, 1, 0xfff).unwrap();
        assert_eq!(memory.words().collect::<Vec<_>>(), [0xff, 0, 0x4433_2211, 0x8877_6655]);
    }

    #[test]
    fn words_start_at_an_index() {
        let mut memory = Memory::new(10);
        memory.load(0, &[1, 2]).unwrap();
        memory.write(8, 2, 0xabcd).unwrap();
        for first in 0..5 {
            let skipped: Vec<u32> = memory.words().skip(first).collect();
            assert_eq!(memory.words_from(first).collect::<Vec<_>>(), skipped);
        }
        assert_eq!(memory.words_from(2).collect::<Vec<_>>(), [0xabcd]);
        assert_eq!(memory.words_from(usize::MAX).len(), 0);
    }

    #[test]
    fn constant_banks_are_apart() {
        let mut constant = ConstantMemory::default();
        constant.load(1, 4, &[7, 8]).unwrap();
        assert_eq!(constant.read(1, 8, 4), Ok(8));
        assert_eq!(constant.read(0, 8, 4), Ok(0));
        assert_eq!(constant.read(16, 0, 4), Err(AccessFault::OutOfRange));
        assert_eq!(constant.read(0, 4096, 4), Err(AccessFault::OutOfRange));
        assert_eq!(constant.load(0, 4092, &[1, 2]), Err(AccessFault::OutOfRange));
    }
}
