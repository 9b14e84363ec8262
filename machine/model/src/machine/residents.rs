//! The blocks that have been started and have not ended.

use crate::block::Block;

/// A block on an SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resident {
    pub block: Block,
    /// The SM and the first warp slot of the block.
    pub sm: u32,
    pub slot: u32,
}

/// Resident blocks, in the order of their indices. Every instruction looks up its block several times; most launches
/// have consecutive ones, which are found at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Residents {
    blocks: Vec<(u32, Resident)>,
}

impl Residents {
    /// The position of a block, or where to insert it.
    #[inline(always)]
    fn place(&self, index: u32) -> Result<usize, usize> {
        let first = self.blocks.first().map_or(0, |(first, _)| *first);
        let guess = index.wrapping_sub(first) as usize;
        match self.blocks.get(guess) {
            Some((there, _)) if *there == index => Ok(guess),
            _ => self.search(index),
        }
    }

    #[inline(never)]
    fn search(&self, index: u32) -> Result<usize, usize> {
        self.blocks.binary_search_by_key(&index, |(there, _)| *there)
    }

    #[inline]
    pub fn get(&self, index: u32) -> Option<&Resident> {
        let place = self.place(index).ok()?;
        self.blocks.get(place).map(|(_, resident)| resident)
    }

    #[inline]
    pub fn get_mut(&mut self, index: u32) -> Option<&mut Resident> {
        let place = self.place(index).ok()?;
        self.blocks.get_mut(place).map(|(_, resident)| resident)
    }

    pub fn insert(&mut self, index: u32, resident: Resident) {
        match self.place(index) {
            Ok(place) => self.blocks[place].1 = resident,
            Err(place) => self.blocks.insert(place, (index, resident)),
        }
    }

    pub fn remove(&mut self, index: u32) {
        if let Ok(place) = self.place(index) {
            self.blocks.remove(place);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The indices, in order.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().map(|(index, _)| *index)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &Resident)> {
        self.blocks.iter().map(|(index, resident)| (*index, resident))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_machine::Launch;

    #[test]
    fn blocks_are_found_in_order_after_any_insertion() {
        let resident = |sm| Resident {
            block: Block::new(&Launch::default(), 0),
            sm,
            slot: 0,
        };
        let mut residents = Residents::default();
        for index in [7, 3, 4, 9, 5] {
            residents.insert(index, resident(index));
        }
        residents.insert(4, resident(40));
        residents.remove(7);
        residents.remove(8);
        assert_eq!(residents.indices().collect::<Vec<_>>(), [3, 4, 5, 9]);
        let sms: Vec<_> = (0..12)
            .map(|index| residents.get(index).map(|resident| resident.sm))
            .collect();
        let mut expected = [None; 12];
        for (index, sm) in [(3, 3), (4, 40), (5, 5), (9, 9)] {
            expected[index] = Some(sm);
        }
        assert_eq!(sms, expected);
        assert_eq!(
            residents.iter().map(|(index, _)| index).collect::<Vec<_>>(),
            [3, 4, 5, 9]
        );
        assert!(residents.get_mut(9).is_some() && residents.get_mut(8).is_none() && !residents.is_empty());
    }
}
