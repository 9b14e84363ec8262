//! A clock edge of a faulty machine: the differences after it.

use super::difference::{Force, StateDifference, StateWord, Stuck};
use super::good::{word_of, written, Good};
use super::overlay::Overlay;
use crate::design::tables::Tables;

/// A clock edge of a faulty machine.
pub(super) struct Edge<'a> {
    pub tables: &'a Tables,
    /// The good machine before its own edge.
    pub good: &'a Good,
    /// The faulty machine, settled.
    pub overlay: &'a Overlay,
}

impl Edge<'_> {
    /// The memories with different ports or read data, and the memories that are used where their contents differ.
    pub fn memories(&self, difference: &StateDifference, stuck: &[Stuck], memories: &mut Vec<u32>) {
        let Edge { tables, .. } = self;
        memories.clear();
        for id in &self.overlay.differing {
            memories.extend(tables.memories_of.of(*id));
        }
        let registers = tables.next.len();
        let data = difference
            .lasting
            .iter()
            .filter_map(|(number, _)| (*number as usize).checked_sub(registers));
        memories.extend(data.map(|at| tables.memory_of[at]));
        let contents = difference.memory.iter().map(|(memory, at, _)| (*memory, *at));
        let stuck = stuck.iter().filter_map(|stuck| match stuck.state {
            StateWord::Memory(memory, at) => Some((memory, at)),
            StateWord::Lasting(_) => None,
        });
        for (memory, at) in contents.chain(stuck) {
            let ports = &tables.memories[memory as usize];
            let element = (at / ports.stride * ports.stride) as usize;
            if self.good.uses(ports, element) {
                memories.push(memory);
            }
        }
        memories.sort_unstable();
        memories.dedup();
    }

    /// Computes the difference after the edge, without stuck bits. The edge may change only `memories`. Returns true if
    /// one of these is written.
    pub fn take(&self, memories: &[u32], old: &StateDifference, new: &mut StateDifference) -> bool {
        let Edge {
            tables, good, overlay, ..
        } = self;
        new.lasting.clear();
        new.inputs.clear();
        for id in &overlay.differing {
            let value = overlay.value(good, *id);
            new.lasting
                .extend(tables.takers.of(*id).iter().map(|register| (*register, value)));
        }
        new.memory.clone_from(&old.memory);
        let mut is_written = false;
        for memory in memories {
            self.read(*memory, old, new);
            is_written |= self.write(*memory, old, new);
        }
        new.lasting.sort_unstable_by_key(|(number, _)| *number);
        is_written
    }

    fn read(&self, memory: u32, old: &StateDifference, new: &mut StateDifference) {
        let (good, overlay) = (self.good, self.overlay);
        let ports = &self.tables.memories[memory as usize];
        if !ports.registered {
            return;
        }
        let (reads, good_reads) = (
            overlay.value(good, ports.read_enable) != 0,
            good.values[ports.read_enable as usize] != 0,
        );
        for (address, data) in ports.read_addresses.iter().zip(&ports.data) {
            let element = ports.element(overlay.value(good, *address)) as u32;
            let good_element = ports.element(good.values[*address as usize]) as u32;
            for word in 0..ports.stride {
                let number = data + word;
                let value = match reads {
                    true => old.word(good, memory, element + word).into(),
                    false => old.lasting(good, number),
                };
                let good_value = match good_reads {
                    true => good.memories[memory as usize][(good_element + word) as usize].into(),
                    false => good.lasting[number as usize],
                };
                if value != good_value {
                    new.lasting.push((number, value));
                }
            }
        }
    }

    fn write(&self, memory: u32, old: &StateDifference, new: &mut StateDifference) -> bool {
        let (good, overlay) = (self.good, self.overlay);
        let ports = &self.tables.memories[memory as usize];
        let enable = overlay.value(good, ports.write_enable);
        let good_enable = good.values[ports.write_enable as usize];
        let element = ports.element(overlay.value(good, ports.write_address)) as u32;
        let good_element = ports.element(good.values[ports.write_address as usize]) as u32;
        let mut after = |at: u32| {
            for (word, (node, part)) in (0..).zip(&ports.write_data) {
                let at = at + word;
                let mut value = old.word(good, memory, at);
                if at == element + word {
                    value = written(value, word_of(overlay.value(good, *node), *part), enable, ports.part);
                }
                let mut good_value = good.memories[memory as usize][at as usize];
                if at == good_element + word {
                    let data = word_of(good.values[*node as usize], *part);
                    good_value = written(good_value, data, good_enable, ports.part);
                }
                new.set_word(memory, at, value, good_value);
            }
        };
        if enable != 0 {
            after(element);
        }
        if good_enable != 0 && (enable == 0 || good_element != element) {
            after(good_element);
        }
        enable != 0 || good_enable != 0
    }

    /// Sets stuck and delayed bits to their values after the edge. Returns true if the next edge may treat them
    /// differently.
    pub fn stick(&self, stuck: &mut [Stuck], old: &StateDifference, new: &mut StateDifference) -> bool {
        let mut is_late = false;
        for stuck in stuck {
            let before = old.value(self.good, stuck.state);
            let (taken, after) = self.stick_one(stuck, before, new);
            if let Force::Late(late) = &mut stuck.force {
                let now = taken ^ after;
                is_late |= *late != now;
                *late = now;
            }
        }
        is_late
    }

    /// Returns the value without the fault after the edge, and the value with it.
    fn stick_one(&self, stuck: &Stuck, before: u128, new: &mut StateDifference) -> (u128, u128) {
        let good = self.good;
        match stuck.state {
            StateWord::Lasting(number) => {
                // Among state values, only registers can be stuck.
                let good_value = good.values[self.tables.next[number as usize] as usize];
                let found = new.lasting.iter().find(|(other, _)| *other == number);
                let taken = found.map_or(good_value, |(_, value)| *value);
                let value = stuck.after(before, taken);
                new.set_lasting(number, value, good_value);
                (taken, value)
            }
            StateWord::Memory(memory, at) => {
                let ports = &self.tables.memories[memory as usize];
                let after = good.after_edge(ports, memory, at);
                let found = new
                    .memory
                    .iter()
                    .find(|(other, word, _)| (*other, *word) == (memory, at));
                let taken = found.map_or(after, |(_, _, value)| *value).into();
                let value = stuck.after(before, taken);
                new.set_word(memory, at, value as u64, after);
                (taken, value)
            }
        }
    }
}
