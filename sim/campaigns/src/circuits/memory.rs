//! Global memory of the faulty machines: the words and responses that differ from the good machine's.

use flexgrip_engines::native::interface::MemoryRequest;
use flexgrip_hdl::memory::write_bytes;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// The words of a line, one for each lane.
type Line = [u32; 32];

/// Memory of a faulty machine.
#[derive(Default)]
struct Own {
    /// The words that differ, by word address.
    words: BTreeMap<u32, u32>,
    /// The cycles with a different response; `None` for no response.
    answers: VecDeque<(u64, Option<Line>)>,
    /// The data at the machine's port, if they differ from the good machine's.
    held: Option<Line>,
    /// The first cycle with a store that makes a difference.
    first_store: Option<u64>,
}

/// Memory of all faulty machines.
pub(super) struct Memories {
    lanes: u32,
    own: FxHashMap<u32, Own>,
    /// For each line, the machines in which it has ever differed.
    lines: FxHashMap<u32, Vec<u32>>,
    /// For each cycle, the machines with a different response.
    due: BTreeMap<u64, Vec<u32>>,
    /// The machines with different data at their port.
    holding: Vec<u32>,
    /// The data at the good machine's port.
    good: Line,
}

impl Memories {
    pub fn new(lanes: u32) -> Self {
        Memories {
            lanes,
            own: FxHashMap::default(),
            lines: FxHashMap::default(),
            due: BTreeMap::new(),
            holding: vec![],
            good: [0; 32],
        }
    }

    /// Updates the ports after the good machine's response of this cycle, if any. Calls `set` for each machine with a
    /// difference at its port, with the response's valid flag and data.
    pub fn answer(&mut self, cycle: u64, answer: Option<&Line>, mut set: impl FnMut(u32, bool, &Line)) {
        let before = self.good;
        if let Some(data) = answer {
            self.good = *data;
        }
        let due = self.due.get(&cycle).map_or(&[][..], Vec::as_slice);
        for number in due {
            let Some(own) = self.own.get_mut(number) else { continue };
            let Some((_, answer)) = own.answers.front() else {
                continue;
            };
            let data = answer.or(own.held).unwrap_or(before);
            own.held = Some(data);
            self.holding.push(*number);
            set(*number, answer.is_some(), &data);
        }
        let good = self.good;
        let mut holding = std::mem::take(&mut self.holding);
        holding.sort_unstable();
        holding.dedup();
        holding.retain(|number| {
            let Some(own) = self.own.get_mut(number) else {
                return false;
            };
            let Some(held) = own.held else { return false };
            if due.contains(number) {
                return true;
            }
            // This machine has received the good machine's response.
            if answer.is_some() || held == good {
                own.held = None;
                return false;
            }
            set(*number, false, &held);
            true
        });
        self.holding = holding;
    }

    /// Ends a cycle: its responses have been consumed.
    pub fn end_cycle(&mut self, cycle: u64) {
        for number in self.due.remove(&cycle).unwrap_or_default() {
            if let Some(own) = self.own.get_mut(&number) {
                own.answers.pop_front();
            }
        }
    }

    /// The machines in which the line of a request has ever differed.
    pub fn concerned(&self, request: &MemoryRequest) -> Vec<u32> {
        let line = request.address / 4 / self.lanes;
        self.lines.get(&line).cloned().unwrap_or_default()
    }

    /// Serves the requests of a cycle, by the good machine and by another machine; both addresses must be inside
    /// memory. `memory` is the good machine's memory before the request.
    pub fn serve(
        &mut self,
        number: u32,
        (cycle, answered): (u64, u64),
        good: Option<&MemoryRequest>,
        faulty: Option<&MemoryRequest>,
        memory: &[u32],
    ) {
        let lanes = self.lanes;
        let first = |request: &MemoryRequest| request.address / 4;
        let (faulty_first, good_first) = (faulty.map(first), good.map(first));
        let own = self.own.entry(number).or_default();
        let line = |own: &Own, first: u32| {
            let mut words = [0; 32];
            for (lane, word) in (0..lanes).zip(&mut words) {
                let place = first + lane;
                *word = own.words.get(&place).copied().unwrap_or(memory[place as usize]);
            }
            words
        };
        let read = |request: Option<&MemoryRequest>| request.is_some_and(|request| !request.write);
        let answer = faulty_first.filter(|_| read(faulty)).map(|first| line(own, first));
        let good_answer = good_first.filter(|_| read(good)).map(|first| {
            let mut words = [0; 32];
            words[..lanes as usize].copy_from_slice(&memory[first as usize..][..lanes as usize]);
            words
        });
        if answer != good_answer {
            own.answers.push_back((answered, answer));
            self.due.entry(answered).or_default().push(number);
        }
        let mut lines: Vec<u32> = [
            good_first.filter(|_| !read(good)),
            faulty_first.filter(|_| !read(faulty)),
        ]
        .into_iter()
        .flatten()
        .collect();
        lines.dedup();
        for first in lines {
            let before = line(own, first);
            let mut differs = false;
            for (lane, old) in (0..lanes).zip(before) {
                let place = first + lane;
                let write = |value: &mut u32, request: Option<&MemoryRequest>, at: Option<u32>| {
                    if let Some(request) = request.filter(|request| request.write && at == Some(first)) {
                        write_bytes(value, request.data[lane as usize], request.enable[lane as usize]);
                    }
                };
                let (mut value, mut good_value) = (old, memory[place as usize]);
                write(&mut value, faulty, faulty_first);
                write(&mut good_value, good, good_first);
                match value == good_value {
                    true => drop(own.words.remove(&place)),
                    false => {
                        own.words.insert(place, value);
                        differs = true;
                    }
                }
            }
            if differs {
                own.first_store.get_or_insert(cycle);
                let list = self.lines.entry(first / lanes).or_default();
                if !list.contains(&number) {
                    list.push(number);
                }
            }
        }
    }

    /// True if a machine's memory equals the good machine's, including responses in flight.
    pub fn is_equal(&self, number: u32) -> bool {
        let own = self.own.get(&number);
        own.is_none_or(|own| own.words.is_empty() && own.answers.is_empty() && own.held.is_none())
    }

    /// The words that differ, by word address.
    pub fn words(&self, number: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let own = self.own.get(&number).into_iter();
        own.flat_map(|own| own.words.iter().map(|(place, word)| (*place, *word)))
    }

    /// The responses that differ, by cycle.
    pub fn answers(&self, number: u32) -> impl Iterator<Item = (u64, Option<Line>)> + '_ {
        let own = self.own.get(&number).into_iter();
        own.flat_map(|own| own.answers.iter().copied())
    }

    /// The first cycle with a store that makes a difference.
    pub fn first_store(&self, number: u32) -> Option<u64> {
        self.own.get(&number)?.first_store
    }

    /// Removes a machine.
    pub fn end(&mut self, number: u32) {
        self.own.remove(&number);
    }
}
