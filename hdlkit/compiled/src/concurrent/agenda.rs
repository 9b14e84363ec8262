//! A priority queue of nodes to compute, lowest first: operands have lower numbers than their users.

/// A set of small numbers with removal of the lowest.
pub(super) struct Agenda {
    words: Vec<u64>,
    /// One bit for each word in `words` that is not 0.
    summary: Vec<u64>,
}

impl Agenda {
    /// An empty set for numbers below `size`.
    pub fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Agenda {
            words: vec![0; words],
            summary: vec![0; words.div_ceil(64)],
        }
    }

    #[inline(always)]
    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        self.words[word] |= 1 << (number % 64);
        self.summary[word / 64] |= 1 << (word % 64);
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<u32> {
        for (index, summary) in self.summary.iter_mut().enumerate() {
            if *summary != 0 {
                let at = index * 64 + summary.trailing_zeros() as usize;
                let word = &mut self.words[at];
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                if *word == 0 {
                    *summary &= *summary - 1;
                }
                return Some(at as u32 * 64 + bit);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Agenda;

    #[test]
    fn numbers_leave_in_order_exactly_once() {
        let mut agenda = Agenda::new(10_000);
        let numbers = [9_999, 0, 64, 63, 4_096, 65, 64];
        numbers.into_iter().for_each(|number| agenda.insert(number));
        let out: Vec<u32> = std::iter::from_fn(|| agenda.pop()).collect();
        assert_eq!(out, [0, 63, 64, 65, 4_096, 9_999]);
    }
}
