//! Differences between a faulty machine and the good one.

use super::good::Good;

/// The differences from the good machine, each with the faulty machine's value.
#[derive(Clone, Default, PartialEq)]
pub(super) struct StateDifference {
    /// Numbers of state values, ascending, with their values.
    pub lasting: Vec<(u32, u128)>,
    /// Memories and words in them, ascending, with their values.
    pub memory: Vec<(u32, u32, u64)>,
    /// Positions of the ports, with their values in this cycle only.
    pub inputs: Vec<(u32, u64)>,
}

/// Stuck or delayed bits of one state.
#[derive(Clone, Copy)]
pub(super) struct Stuck {
    pub state: StateWord,
    pub mask: u128,
    pub force: Force,
}

/// The change of stuck or delayed bits at an edge.
#[derive(Clone, Copy)]
pub(super) enum Force {
    /// The bits get this value.
    To(u128),
    /// The bits do not change, except for these bits, whose change the previous edge has delayed.
    Late(u128),
}

/// The state that has a bit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StateWord {
    Lasting(u32),
    /// A word of a memory.
    Memory(u32, u32),
}

impl Stuck {
    /// The value after an edge that should change `old` to `new`.
    pub fn after(&self, old: u128, new: u128) -> u128 {
        match self.force {
            Force::To(value) => new & !self.mask | value & self.mask,
            Force::Late(late) => new ^ (old ^ new) & self.mask & !late,
        }
    }
}

impl StateDifference {
    /// A word of a memory.
    #[inline(always)]
    pub fn word(&self, good: &Good, memory: u32, at: u32) -> u64 {
        match self
            .memory
            .binary_search_by_key(&(memory, at), |(memory, at, _)| (*memory, *at))
        {
            Ok(found) => self.memory[found].2,
            Err(_) => good.memories[memory as usize][at as usize],
        }
    }

    pub fn lasting(&self, good: &Good, number: u32) -> u128 {
        match self.lasting.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(found) => self.lasting[found].1,
            Err(_) => good.lasting[number as usize],
        }
    }

    pub fn set_word(&mut self, memory: u32, at: u32, value: u64, good: u64) {
        let found = self
            .memory
            .binary_search_by_key(&(memory, at), |(memory, at, _)| (*memory, *at));
        match (found, value == good) {
            (Ok(found), true) => drop(self.memory.remove(found)),
            (Ok(found), false) => self.memory[found].2 = value,
            (Err(_), true) => {}
            (Err(found), false) => self.memory.insert(found, (memory, at, value)),
        }
    }

    pub fn set_lasting(&mut self, number: u32, value: u128, good: u128) {
        let found = self.lasting.binary_search_by_key(&number, |(number, _)| *number);
        match (found, value == good) {
            (Ok(found), true) => drop(self.lasting.remove(found)),
            (Ok(found), false) => self.lasting[found].1 = value,
            (Err(_), true) => {}
            (Err(found), false) => self.lasting.insert(found, (number, value)),
        }
    }

    /// The value of a state.
    pub fn value(&self, good: &Good, state: StateWord) -> u128 {
        match state {
            StateWord::Lasting(number) => self.lasting(good, number),
            StateWord::Memory(memory, at) => self.word(good, memory, at).into(),
        }
    }

    /// Changes a value, between two cycles.
    pub fn change(&mut self, good: &Good, state: StateWord, change: impl FnOnce(u128) -> u128) {
        let value = change(self.value(good, state));
        match state {
            StateWord::Lasting(number) => self.set_lasting(number, value, good.lasting[number as usize]),
            StateWord::Memory(memory, at) => {
                self.set_word(memory, at, value as u64, good.memories[memory as usize][at as usize]);
            }
        }
    }

    /// Forces a stuck bit to its value.
    pub fn force(&mut self, good: &Good, stuck: &Stuck) {
        self.change(good, stuck.state, |value| stuck.after(value, value));
    }

    /// True if nothing differs. Of the state values, only those for which `counts` is true are considered.
    pub fn is_empty(&self, counts: impl Fn(u32) -> bool) -> bool {
        !self.lasting.iter().any(|(number, _)| counts(*number)) && self.memory.is_empty() && self.inputs.is_empty()
    }
}
